//! The queue of requests. All clients of a page that use one service, with one key, wait in one queue; the tabs of an
//! origin share the count of sent requests.
//!
//! No tab leads: the count is one entry of the storage, read and written under a lock for each request, so that a tab
//! that froze or was closed holds up no other (docs/decisions.md, "Requests"). If lock or storage do not answer at
//! once, the page's own count goes on.

use super::token_bucket::TokenBucket;
use crate::client::Shared;
use crate::host::{Host, STORAGE_LIMIT_MS, Signal};
use alloy_primitives::{hex, keccak256};
use std::cell::{Cell, RefCell};
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::Rc;
use std::task::{Poll, Waker};
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::ObjectWriter;
use verify::internal::value::text::ToText;

/// How long a request waits for the rate limit at most, in milliseconds, unless its caller accepts any wait.
pub const MAX_WAIT_MS: u64 = 30_000;
/// How long the lock among tabs may take, in milliseconds.
const LOCK_MS: u32 = 100;
/// If the storage takes longer than this, in milliseconds, or has no answer, the page counts alone for [`ALONE_MS`].
const SLOW_MS: u64 = 250;
/// How long the page then counts alone, in milliseconds: see [`SLOW_MS`].
const ALONE_MS: u64 = 60_000;
/// The pause after a refusal that names none, in milliseconds; each refusal that follows doubles it, six times.
const PAUSE_MS: u64 = 1_000;

/// The order in which requests leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Priority {
    /// Posts, cancellations, and the look-ups between them: never held by this package's own count.
    Submit,
    /// Requests for an order or a transaction.
    Build,
    /// A price that a user waits for.
    Quote,
    /// Everything that can be read a moment later.
    Status,
}

/// The queue of one service and key.
#[derive(Default)]
pub struct RequestQueue {
    /// The name of the lock and of the entry in the storage.
    key: String,
    /// The count as this page has it.
    bucket: Cell<TokenBucket>,
    /// Requests in `bucket` that are not in the storage.
    unsaved: Cell<u32>,
    /// Until then the storage is not read, milliseconds of [`Host::monotonic_ms`].
    alone_until: Cell<u64>,
    /// Refusals in a row.
    refusals: Cell<u32>,
    /// The waiting requests.
    waiting: RefCell<Vec<Waiting>>,
    /// Counts all requests that ever waited.
    drawn: Cell<u64>,
}

/// A request that waits.
struct Waiting {
    /// Its own number.
    id: u64,
    /// The most urgent request leaves first, then the oldest.
    place: (Priority, u64),
    /// The form that its quote is for.
    form: Option<Rc<str>>,
    /// A newer quote of that form replaces it.
    is_replaced: bool,
    waker: Option<Waker>,
}

/// A place in the queue. It is left when this is dropped.
struct Ticket<'a> {
    queue: &'a RequestQueue,
    id: u64,
}

thread_local! {
    /// All queues, each with its page.
    static QUEUES: RefCell<Vec<(u64, Rc<RequestQueue>)>> = const { RefCell::new(Vec::new()) };
}

impl RequestQueue {
    /// The queue of a client's service, for its key.
    pub fn of<H: Host>(shared: &Shared<H>) -> Rc<RequestQueue> {
        let mut key = ["rateLimit/", &shared.settings.base_url].concat();
        if let Some(secret) = &shared.settings.api_key {
            // Not the key itself: the storage may be the application's.
            let name = hex::encode(keccak256(secret).get(..8).unwrap_or_default());
            key.push_str(&["#", &name].concat());
        }
        let page = shared.host.page();
        QUEUES.with_borrow_mut(|queues| {
            if let Some((_, queue)) = queues.iter().find(|(of, queue)| *of == page && queue.key == key) {
                return queue.clone();
            }
            let queue = Rc::new(RequestQueue { key, ..RequestQueue::default() });
            queues.push((page, queue.clone()));
            queue
        })
    }

    /// Waits until a request of that priority may leave, and counts it. `most_ms` is how long it may take.
    ///
    /// # Errors
    /// RATE_LIMITED with `retryAfterSecs` as soon as it is known to take longer; ABORTED, also if a newer quote of the
    /// same form took its place.
    pub async fn wait_turn<H: Host>(
        &self,
        shared: &Shared<H>,
        priority: Priority,
        most_ms: Option<u64>,
        signal: &H::Signal,
    ) -> Result<()> {
        let host = &shared.host;
        let entered = host.monotonic_ms();
        let place = self.enter(priority, shared.request_options.borrow().form.clone());
        loop {
            if signal.is_aborted() {
                return Err(Error::aborted());
            }
            let ahead = place.ahead(None).ok_or_else(replaced)?;
            let now = host.unix_ms();
            let wait = match ahead {
                0 => self.settle(shared, Some(priority)).await,
                _ => {
                    let bucket = self.bucket.get().at(now);
                    let behind = bucket.pace(&shared.settings.rate_limit, now).1.saturating_mul(ahead);
                    bucket.wait_ms(&shared.settings.rate_limit, now).saturating_add(behind)
                }
            };
            if wait == 0 {
                return Ok(());
            }
            let left = most_ms.map(|most| most.saturating_sub(host.monotonic_ms().saturating_sub(entered)));
            if left.is_some_and(|left| wait > left) {
                return Err(over_limit(wait));
            }
            // A request that is not the first is woken when it becomes the first.
            let ms = if ahead == 0 { wait } else { left.unwrap_or(MAX_WAIT_MS).saturating_add(1) };
            sleep_or(&**host, ms, signal, &|waker| place.ahead(Some(waker)).is_none_or(|now| now == 0 && ahead > 0))
                .await;
        }
    }

    /// The time, and the bucket at that time.
    fn now<H: Host>(&self, shared: &Shared<H>) -> (u64, TokenBucket) {
        let now = shared.host.unix_ms();
        (now, self.bucket.get().at(now))
    }

    /// Counts a request that no count holds.
    pub fn force<H: Host>(&self, shared: &Shared<H>) {
        self.unsaved.set(self.unsaved.get().saturating_add(1));
        self.spend(shared);
    }

    /// [`RequestQueue::force`] for this page alone.
    fn spend<H: Host>(&self, shared: &Shared<H>) {
        let (now, mut bucket) = self.now(shared);
        bucket.spend(&shared.settings.rate_limit, now);
        self.bucket.set(bucket);
    }

    /// How long the service refuses posts, or everything else, in milliseconds: posts by what any tab has seen,
    /// everything else by what this page has.
    pub async fn pause_ms<H: Host>(&self, shared: &Shared<H>, is_post: bool) -> u64 {
        if is_post {
            self.settle(shared, None).await;
        }
        let (now, bucket) = self.now(shared);
        bucket.pause_ms(now, is_post)
    }

    /// Notes that the service answered a request with something else than a refusal by the rate limit.
    pub fn answered(&self) {
        self.refusals.set(0);
    }

    /// Notes that the service refused a request by the rate limit. All tabs are notified.
    pub async fn refused<H: Host>(&self, shared: &Shared<H>, is_post: bool, retry_after_secs: Option<u64>) {
        let (now, mut bucket) = self.now(shared);
        // Requests that had left before the first refusal was read prove nothing new.
        if retry_after_secs.is_some() || bucket.pause_ms(now, is_post) == 0 {
            let pause = PAUSE_MS << self.refusals.get().min(6);
            self.refusals.set(self.refusals.get().saturating_add(1));
            let pause = retry_after_secs.unwrap_or_default().saturating_mul(1_000).max(pause);
            let refuse = if is_post { TokenBucket::refuse_posts } else { TokenBucket::refuse };
            refuse(&mut bucket, now, pause);
            self.bucket.set(bucket);
            self.settle(shared, None).await;
        }
    }

    /// Takes over what other tabs sent, and passes on what this one did. If a request of the class `wanted` may leave
    /// now, counts it; else the other tabs are notified that it waits. Returns the milliseconds until one may leave, 0
    /// if it may now.
    async fn settle<H: Host>(&self, shared: &Shared<H>, wanted: Option<Priority>) -> u64 {
        let host = &shared.host;
        let asked = host.monotonic_ms();
        let is_alone = asked < self.alone_until.get();
        let lock = if is_alone { None } else { host.lock(&self.key, LOCK_MS).await.ok() };
        let stored = if lock.is_some() { host.load(&self.key, STORAGE_LIMIT_MS).await.ok() } else { None };
        if host.monotonic_ms().saturating_sub(asked) > SLOW_MS || (lock.is_some() && stored.is_none()) {
            self.alone_until.set(host.monotonic_ms().saturating_add(ALONE_MS));
        }
        let (now, limit) = (host.unix_ms(), &shared.settings.rate_limit);
        let theirs = stored.iter().flatten().find(|(key, _)| *key == self.key);
        let mut bucket = self.bucket.get().at(now);
        let theirs = theirs.map(|(_, text)| TokenBucket::read(text, now).unwrap_or_else(|| bucket.unread(now)));
        if let Some(theirs) = &theirs {
            bucket = theirs.with_refusals_of(&bucket);
            for _ in 0..self.unsaved.get() {
                bucket.spend(limit, now);
            }
        }
        // A hidden tab leaves the slot to a visible one.
        let (is_visible, interval) = (host.is_visible(), bucket.pace(limit, now).1);
        let late = if is_visible { 0 } else { interval.div_euclid(2) };
        let mut wait = bucket.wait_ms(limit, now.saturating_sub(late));
        if let Some(class) = wanted.map(|wanted| wanted as u64) {
            if wait == 0 && bucket.is_behind(class, now) {
                wait = interval;
            } else if wait == 0 {
                bucket.spend(limit, now);
                bucket.unmark(class);
                self.unsaved.set(self.unsaved.get().saturating_add(1));
            } else if is_visible && wanted != Some(Priority::Status) {
                bucket.mark(class, wait, now);
            }
        }
        self.bucket.set(bucket);
        if stored.is_some() && theirs != Some(bucket) {
            let unsaved = self.unsaved.take();
            if host.store(&self.key, Some(&bucket.text()), false, STORAGE_LIMIT_MS).await.is_err() {
                self.unsaved.set(self.unsaved.get().saturating_add(unsaved));
            }
        }
        wait
    }

    /// Joins the queue, in the place of an older quote of the same form, which leaves it.
    fn enter(&self, priority: Priority, form: Option<Rc<str>>) -> Ticket<'_> {
        let (mut waiting, id) = (self.waiting.borrow_mut(), self.drawn.get());
        self.drawn.set(id.saturating_add(1));
        let mut place = (priority, id);
        for older in waiting.iter_mut().filter(|older| form.is_some() && older.form == form) {
            place = place.min(older.place);
            older.is_replaced = true;
            wake(older);
        }
        waiting.push(Waiting { id, place, form, is_replaced: false, waker: None });
        Ticket { queue: self, id }
    }
}

impl Ticket<'_> {
    /// How many leave before this one; `None` if a newer quote of the same form took its place. When that changes to 0
    /// or `None`, `waker` is woken.
    fn ahead(&self, waker: Option<&Waker>) -> Option<u64> {
        let mut waiting = self.queue.waiting.borrow_mut();
        let own = waiting.iter_mut().find(|one| one.id == self.id && !one.is_replaced)?;
        own.waker = waker.cloned();
        let place = own.place;
        Some(waiting.iter().filter(|one| one.place < place && !one.is_replaced).count() as u64)
    }
}

impl Drop for Ticket<'_> {
    fn drop(&mut self) {
        let mut waiting = self.queue.waiting.borrow_mut();
        waiting.retain(|one| one.id != self.id);
        if let Some(next) = waiting.iter_mut().filter(|one| !one.is_replaced).min_by_key(|one| one.place) {
            wake(next);
        }
    }
}

/// Has it check again whether it may leave.
fn wake(one: &mut Waiting) {
    if let Some(waker) = one.waker.take() {
        waker.wake();
    }
}

/// ABORTED: the form has requested another price by now.
fn replaced() -> Error {
    Error::new(ErrorCode::Aborted, "a newer quote of the same form took the place of this one")
}

/// RATE_LIMITED by this package's own count: the next request may leave after so many milliseconds.
pub fn over_limit(wait_ms: u64) -> Error {
    let secs = wait_ms.div_ceil(1_000);
    let what = ["too many requests to the service: this one could leave in ", &secs.text(), " s"].concat();
    let mut error = Error::new(ErrorCode::RateLimited, &what);
    error.retry_after_secs = Some(secs);
    error
}

/// Sleeps, but not once `is_over`, which is called whenever the waker passed to it wakes.
pub async fn sleep_or<H: Host>(host: &H, ms: u64, signal: &H::Signal, is_over: &dyn Fn(&Waker) -> bool) {
    let mut sleep = pin!(host.sleep(u32::try_from(ms).unwrap_or(i32::MAX.unsigned_abs()), signal));
    poll_fn(|context| if is_over(context.waker()) { Poll::Ready(()) } else { sleep.as_mut().poll(context) }).await;
}

/// Counts for this page a request that left before there was a client. It is counted for all tabs by its sender, which
/// asked for the lock before.
pub fn count_sent<H: Host>(shared: &Shared<H>) {
    RequestQueue::of(shared).spend(shared);
}

/// The remaining rate limit, as the `RateLimitState` of the published types.
pub async fn read_rate_limit<H: Host>(shared: &Shared<H>) -> String {
    let queue = RequestQueue::of(shared);
    queue.settle(shared, None).await;
    let (bucket, limit, now) = (queue.bucket.get(), &shared.settings.rate_limit, shared.host.unix_ms());
    let mut out = ObjectWriter::object();
    out.number("perSecond", limit.per_second);
    out.number("burst", bucket.pace(limit, now).0);
    out.number("remainingToday", bucket.left_today(limit, now));
    out.number("waiting", queue.waiting.borrow().len() as u64);
    out.number("nextInMs", bucket.wait_ms(limit, now));
    if let Some(until) = bucket.limited_until(now) {
        out.number("limitedUntil", until.div_ceil(1_000));
    }
    out.close()
}
