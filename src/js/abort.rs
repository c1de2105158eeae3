//! Abort signals, and waiting that they end.

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

/// The caller's signal and the client's own: any of them ends what waits.
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

/// What ended a wait.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// A signal fired.
    Aborted,
    /// Time was up.
    TimedOut,
}

/// A wait that ends with a signal or a timer, and leaves neither listener nor timer behind.
pub struct Stop<'a> {
    signal: &'a Abort,
    /// Whether it is over, and who is to be told.
    over: Rc<(Cell<bool>, Cell<Option<Waker>>)>,
    /// Listener and timer callback.
    release: Closure<dyn FnMut()>,
    timer: Option<JsValue>,
}

impl<'a> Stop<'a> {
    /// Starts waiting.
    pub fn new(signal: &'a Abort, ms: Option<u32>) -> Stop<'a> {
        let over = Rc::new((Cell::new(signal.is_aborted()), Cell::new(None::<Waker>)));
        let told = over.clone();
        let release = Closure::new(move || {
            told.0.set(true);
            if let Some(waker) = told.1.take() {
                waker.wake();
            }
        });
        let listener: &Function = release.as_ref().unchecked_ref();
        for signal in &signal.0 {
            let _ = signal.add_event_listener_with_callback("abort", listener);
        }
        let timer = ms.map(|ms| set_timeout(listener, ms));
        Stop { signal, over, release, timer }
    }

    /// Waits for `work`, but no longer than this.
    pub async fn or<T>(self, work: impl Future<Output = T>) -> Result<T, Ended> {
        let mut work = pin!(work);
        poll_fn(|context| {
            if let Poll::Ready(value) = work.as_mut().poll(context) {
                return Poll::Ready(Ok(value));
            }
            if self.over.0.get() {
                return Poll::Ready(Err(if self.signal.is_aborted() { Ended::Aborted } else { Ended::TimedOut }));
            }
            self.over.1.set(Some(context.waker().clone()));
            Poll::Pending
        })
        .await
    }
}

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        let listener: &Function = self.release.as_ref().unchecked_ref();
        for signal in &self.signal.0 {
            let _ = signal.remove_event_listener_with_callback("abort", listener);
        }
        if let Some(timer) = &self.timer {
            clear_timeout(timer);
        }
    }
}
