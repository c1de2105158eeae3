//! Futures as promises that always settle.
//!
//! If JavaScript throws through a future while it is polled, or WebAssembly traps in it, the module's frames are gone,
//! and with them the code that would poll the future again: its promise would stay pending for ever. So a closure that
//! JavaScript calls polls each future, and what is thrown is caught there.

use crate::error::thrown;
use js_sys::WebAssembly::RuntimeError;
use js_sys::{Function, Promise};
use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};
use verify::internal::error::{Cause, Error, ErrorCode};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;

thread_local! {
    /// Whether the module has trapped. Its memory may then be in any state, so nothing runs any more.
    static BROKEN: Cell<bool> = const { Cell::new(false) };
}

/// A promise of the future's result. It rejects with INTERNAL if something was thrown through the future, or the module
/// trapped.
pub fn promise(work: impl Future<Output = Result<JsValue, JsValue>> + 'static) -> Promise {
    // Boxed: one copy of the code that drives a future, instead of one for each kind of call.
    let work: Pin<Box<dyn Future<Output = Result<JsValue, JsValue>>>> = Box::pin(work);
    future_to_promise(async { catch(work).await.unwrap_or_else(|cause| Err(internal(cause))) })
}

/// Runs a future to its end, and returns its result.
///
/// # Errors
/// The value that was thrown through it; `undefined` if the module has trapped before.
pub async fn catch<T: 'static>(mut work: Pin<Box<dyn Future<Output = T>>>) -> Result<T, JsValue> {
    // Shared with the closure that polls: the waker goes in, the value comes out.
    let place = Rc::new((Cell::new(None::<Waker>), Cell::new(None::<T>)));
    let inside = place.clone();
    let mut poll = Some(Closure::<dyn FnMut()>::new(move || {
        let Some(waker) = inside.0.take() else { return };
        if let Poll::Ready(value) = work.as_mut().poll(&mut Context::from_waker(&waker)) {
            inside.1.set(Some(value));
        }
    }));
    poll_fn(move |context| {
        place.0.set(Some(context.waker().clone()));
        let polled = match &poll {
            Some(poll) if !BROKEN.get() => poll.as_ref().unchecked_ref::<Function>().call0(&JsValue::UNDEFINED),
            _ => Err(JsValue::UNDEFINED),
        };
        let cause = match polled {
            Ok(_) if !BROKEN.get() => return place.1.take().map_or(Poll::Pending, |value| Poll::Ready(Ok(value))),
            polled => polled.err().unwrap_or(JsValue::UNDEFINED),
        };
        if cause.is_instance_of::<RuntimeError>() {
            BROKEN.set(true);
        }
        // Never dropped: the future stopped halfway, so its destructor could find any state.
        if let Some(poll) = poll.take() {
            poll.forget();
        }
        Poll::Ready(Err(cause))
    })
    .await
}

/// The error of a future through which something was thrown.
fn internal(cause: JsValue) -> JsValue {
    let message = match BROKEN.get() {
        true => {
            "the module failed in the middle of its work and does no more: reload the page, then look for what was sent"
        }
        false => "something that the page provides threw where it must not: see the cause",
    };
    let cause: Cause = if cause.is_undefined() { None } else { Some(Rc::new(cause)) };
    thrown(Error::new(ErrorCode::Internal, message).caused_by(cause))
}
