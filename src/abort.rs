//! Abort signals, and waits that a signal or a timer ends.
//!
//! A wait ends in time even if the work behind it never does: a wallet cannot be made to answer. That work goes on.

use js_sys::{Function, Reflect};
use std::cell::{Cell, RefCell};
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::{Rc, Weak};
use std::task::{Poll, Waker};
use trade::host::Signal;
use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

#[wasm_bindgen]
extern "C" {
    /// Calls `callback` once, after `ms` milliseconds. Returns the timer, which [`clear_timeout`] takes.
    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(callback: &Function, ms: u32) -> JsValue;
    /// Stops a timer, if it has not fired.
    #[wasm_bindgen(js_name = clearTimeout)]
    fn clear_timeout(timer: &JsValue);
}

/// The signals that end a wait: the caller's, and those that close the client. An empty list never fires.
#[derive(Clone)]
pub struct Abort(pub Vec<AbortSignal>);

impl Signal for Abort {
    fn never() -> Abort {
        Abort(Vec::new())
    }

    fn is_aborted(&self) -> bool {
        // A signal that throws when it is read counts as fired, because nothing else could end the wait any more.
        self.0.iter().any(|signal| Reflect::get(signal, &"aborted".into()).map_or(true, |aborted| aborted.is_truthy()))
    }
}

/// The reason why a wait ended before its work was done.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// A signal, which fired before the wait or during it.
    Aborted,
    /// The timer.
    TimedOut,
}

/// A wait that a signal or a timer may end early. When it is dropped, it stops listening and removes its timer.
pub struct Wait<'a> {
    /// The signals that may end this wait.
    signal: &'a Abort,
    /// The listeners to those signals. They are shared with other waits.
    listeners: Vec<Rc<Listener>>,
    /// The alarm: signals and timer ring it, `until` polls it.
    alarm: Rc<Alarm>,
    /// Rings the alarm: the callback of the timer. JavaScript may call it as long as it is not dropped.
    _ring: Closure<dyn FnMut()>,
    /// The id of the timer, an object in Node.
    timer: Option<JsValue>,
}

/// Decides whether a wait is to end, and wakes it.
struct Alarm {
    /// A signal or the timer has fired.
    has_rung: Cell<bool>,
    /// The waker of the task that waits, once it was polled.
    waker: Cell<Option<Waker>>,
}

impl Alarm {
    /// Ends the wait.
    fn ring(&self) {
        self.has_rung.set(true);
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }
}

/// The one listener to a signal, shared by all waits. It is removed after the last of them.
struct Listener {
    signal: AbortSignal,
    /// The alarms of these waits, and of some that have ended.
    alarms: Rc<RefCell<Vec<Weak<Alarm>>>>,
    /// The event's callback: rings all alarms.
    ring: Closure<dyn FnMut()>,
}

thread_local! {
    /// The listeners of all signals.
    static LISTENERS: RefCell<Vec<Weak<Listener>>> = const { RefCell::new(Vec::new()) };
}

impl Listener {
    /// Rings `alarm` when the signal fires.
    fn add(signal: &AbortSignal, alarm: &Rc<Alarm>) -> Rc<Listener> {
        let listener = Listener::of(signal);
        let mut alarms = listener.alarms.borrow_mut();
        alarms.retain(|alarm| alarm.strong_count() > 0);
        alarms.push(Rc::downgrade(alarm));
        drop(alarms);
        listener
    }

    /// The listener to this signal; a new one if there is none.
    fn of(signal: &AbortSignal) -> Rc<Listener> {
        let known = LISTENERS.with_borrow_mut(|all| {
            all.retain(|listener| listener.strong_count() > 0);
            all.iter().filter_map(Weak::upgrade).find(|known| known.signal == *signal)
        });
        known.unwrap_or_else(|| {
            let alarms: Rc<RefCell<Vec<Weak<Alarm>>>> = Rc::default();
            let rung = alarms.clone();
            let ring =
                Closure::new(move || rung.take().iter().filter_map(Weak::upgrade).for_each(|alarm| alarm.ring()));
            // Nothing is borrowed here: the signal may be the application's own.
            let _ = signal.add_event_listener_with_callback("abort", ring.as_ref().unchecked_ref());
            let listener = Rc::new(Listener { signal: signal.clone(), alarms, ring });
            LISTENERS.with_borrow_mut(|all| all.push(Rc::downgrade(&listener)));
            listener
        })
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let _ = self.signal.remove_event_listener_with_callback("abort", self.ring.as_ref().unchecked_ref());
    }
}

impl<'a> Wait<'a> {
    /// Listens to the signals, and starts a timer of `ms` milliseconds, if given.
    pub fn new(signal: &'a Abort, ms: Option<u32>) -> Wait<'a> {
        let alarm = Rc::new(Alarm { has_rung: Cell::new(signal.is_aborted()), waker: Cell::new(None) });
        let rung = alarm.clone();
        let ring = Closure::new(move || rung.ring());
        let timer = ms.map(|ms| set_timeout(ring.as_ref().unchecked_ref(), ms));
        let listeners = signal.0.iter().map(|signal| Listener::add(signal, &alarm)).collect();
        Wait { signal, listeners, alarm, _ring: ring, timer }
    }

    /// Waits until `work` is done. Work that is done counts, even if a signal has fired meanwhile.
    ///
    /// # Errors
    /// A signal or the timer ended the wait first.
    pub async fn until<T>(self, work: impl Future<Output = T>) -> Result<T, Ended> {
        let mut work = pin!(work);
        poll_fn(|context| {
            if let Poll::Ready(value) = work.as_mut().poll(context) {
                return Poll::Ready(Ok(value));
            }
            if self.alarm.has_rung.get() {
                return Poll::Ready(Err(if self.signal.is_aborted() { Ended::Aborted } else { Ended::TimedOut }));
            }
            self.alarm.waker.set(Some(context.waker().clone()));
            Poll::Pending
        })
        .await
    }
}

impl Drop for Wait<'_> {
    fn drop(&mut self) {
        self.listeners.clear();
        if let Some(timer) = &self.timer {
            clear_timeout(timer);
        }
    }
}
