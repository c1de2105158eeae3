//! Requests in flight and their answers: callers with the same key share one request.

use std::cell::RefCell;

/// Requests by key, each with the time it was made (milliseconds of
/// [`Host::monotonic_ms`](crate::host::Host)) and the handle for its answer, which all callers share. The last one is
/// first; beyond `KEPT` the oldest is dropped.
///
/// ```
/// let asked = verified_swap_trade::ledger::request_cache::RequestCache::<_, _, 2>::default();
/// asked.add("time", 10, 'a');
/// assert_eq!(asked.find(&"time"), Some((10, 'a')));
/// assert_eq!((asked.find_recent(&"time", 15, 5), asked.find_recent(&"time", 16, 5)), (Some('a'), None));
/// asked.add("code", 20, 'b');
/// asked.add("time", 30, 'c');
/// assert_eq!((asked.find(&"time"), asked.find(&"code")), (Some((30, 'c')), Some((20, 'b'))));
/// asked.add("balance", 40, 'd');
/// assert_eq!(asked.find(&"code"), None);
/// assert!(asked.forget(|key, _| *key == "time") && !asked.forget(|_, handle| *handle == 'c'));
/// ```
pub struct RequestCache<K, T, const KEPT: usize = 256>(RefCell<Vec<(K, u64, T)>>);

impl<K, T, const KEPT: usize> Default for RequestCache<K, T, KEPT> {
    fn default() -> Self {
        RequestCache(RefCell::default())
    }
}

impl<K: PartialEq, T: Clone, const KEPT: usize> RequestCache<K, T, KEPT> {
    /// The time of the request with that key, and its handle.
    pub fn find(&self, key: &K) -> Option<(u64, T)> {
        self.find_by(|known, _| known == key)
    }

    /// The last request for which `is_it` holds.
    pub fn find_by(&self, is_it: impl Fn(&K, &T) -> bool) -> Option<(u64, T)> {
        let all = self.0.borrow();
        all.iter().find(|(key, _, handle)| is_it(key, handle)).map(|(_, at, handle)| (*at, handle.clone()))
    }

    /// The handle of a request that is at most `max_age_ms` old.
    pub fn find_recent(&self, key: &K, now: u64, max_age_ms: u64) -> Option<T> {
        self.find(key).filter(|(at, _)| now.saturating_sub(*at) <= max_age_ms).map(|(_, handle)| handle)
    }

    /// Adds a request that is made now, in place of an earlier one with that key. Returns its handle.
    pub fn add(&self, key: K, now: u64, handle: T) -> T {
        let mut all = self.0.borrow_mut();
        all.retain(|(known, ..)| *known != key);
        all.truncate(KEPT.saturating_sub(1));
        all.insert(0, (key, now, handle.clone()));
        handle
    }

    /// Keeps an answer that does not change, in place of an earlier one with that key: its time is 0.
    pub fn keep(&self, key: K, handle: T) {
        self.add(key, 0, handle);
    }

    /// Forgets the requests for which `is_it` holds: the next caller makes a new one. Returns whether there were any.
    pub fn forget(&self, is_it: impl Fn(&K, &T) -> bool) -> bool {
        let mut all = self.0.borrow_mut();
        let before = all.len();
        all.retain(|(key, _, handle)| !is_it(key, handle));
        all.len() < before
    }
}
