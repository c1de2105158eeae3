//! Abort signals, and waits that they or a timer end.

use crate::host::Signal;
use js_sys::{Function, Reflect};
use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::Rc;
use std::task::{Poll, Waker};
use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(callback: &Function, ms: u32) -> JsValue;
    #[wasm_bindgen(js_name = clearTimeout)]
    fn clear_timeout(timer: &JsValue);
}

/// Signals any of which ends what waits: the caller's, and the one by which a client is closed. None: it is never ended.
#[derive(Clone)]
pub struct Abort(pub Vec<AbortSignal>);

impl Signal for Abort {
    fn never() -> Abort {
        Abort(Vec::new())
    }

    fn is_aborted(&self) -> bool {
        // One that cannot be asked is of no use to anybody who waits.
        self.0.iter().any(|signal| Reflect::get(signal, &"aborted".into()).map_or(true, |aborted| aborted.is_truthy()))
    }
}

/// Why a wait ended before its work did.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// A signal fired, before the wait or during it.
    Aborted,
    /// Time was up.
    TimedOut,
}

/// A wait that a signal or a timer may end early. It leaves neither listener nor timer behind.
pub struct Wait<'a> {
    signal: &'a Abort,
    alarm: Rc<Alarm>,
    /// Rings the alarm: the signals' listener, and the timer's.
    ring: Closure<dyn FnMut()>,
    timer: Option<JsValue>,
}

/// What ends a wait, and whom that wakes.
struct Alarm {
    has_rung: Cell<bool>,
    waker: Cell<Option<Waker>>,
}

impl<'a> Wait<'a> {
    /// Starts listening to the signal, and the timer of that many milliseconds, if any.
    pub fn new(signal: &'a Abort, ms: Option<u32>) -> Wait<'a> {
        let alarm = Rc::new(Alarm { has_rung: Cell::new(signal.is_aborted()), waker: Cell::new(None) });
        let rung = alarm.clone();
        let ring = Closure::new(move || {
            rung.has_rung.set(true);
            if let Some(waker) = rung.waker.take() {
                waker.wake();
            }
        });
        let listener: &Function = ring.as_ref().unchecked_ref();
        for signal in &signal.0 {
            let _ = signal.add_event_listener_with_callback("abort", listener);
        }
        let timer = ms.map(|ms| set_timeout(listener, ms));
        Wait { signal, alarm, ring, timer }
    }

    /// Waits until `work` has ended, or the signal or timer ends the wait.
    ///
    /// # Errors
    /// Why it ended before the work did.
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
        let listener: &Function = self.ring.as_ref().unchecked_ref();
        for signal in &self.signal.0 {
            let _ = signal.remove_event_listener_with_callback("abort", listener);
        }
        if let Some(timer) = &self.timer {
            clear_timeout(timer);
        }
    }
}
