//! Abort signals, and waiting that they end.

use crate::host::Signal;
use js_sys::{Function, Promise};
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
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
        self.0.iter().any(AbortSignal::aborted)
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
    /// Resolves the promise: serves as listener and as timer callback.
    release: Function,
    timer: Option<JsValue>,
    over: JsFuture,
}

impl<'a> Stop<'a> {
    /// Starts waiting.
    pub fn new(signal: &'a Abort, ms: Option<u32>) -> Stop<'a> {
        let mut release = JsValue::UNDEFINED;
        let promise = Promise::new(&mut |resolve, _| release = resolve.into());
        let release: Function = release.unchecked_into();
        for signal in &signal.0 {
            let _ = signal.add_event_listener_with_callback("abort", &release);
        }
        let timer = ms.map(|ms| set_timeout(&release, ms));
        if signal.is_aborted() {
            let _ = release.call0(&JsValue::UNDEFINED);
        }
        Stop { signal, release, timer, over: JsFuture::from(promise) }
    }

    /// Waits for `work`, but no longer than this.
    pub async fn or<T>(mut self, work: impl Future<Output = T>) -> Result<T, Ended> {
        let mut work = pin!(work);
        poll_fn(|context| {
            if let Poll::Ready(value) = work.as_mut().poll(context) {
                return Poll::Ready(Ok(value));
            }
            match pin!(&mut self.over).poll(context) {
                Poll::Ready(_) => {
                    Poll::Ready(Err(if self.signal.is_aborted() { Ended::Aborted } else { Ended::TimedOut }))
                }
                Poll::Pending => Poll::Pending,
            }
        })
        .await
    }
}

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        for signal in &self.signal.0 {
            let _ = signal.remove_event_listener_with_callback("abort", &self.release);
        }
        if let Some(timer) = &self.timer {
            clear_timeout(timer);
        }
    }
}
