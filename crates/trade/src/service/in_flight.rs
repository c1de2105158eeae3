//! Reads of the same URL that are made at the same time are one request.

use super::queue::sleep_or;
use crate::client::Shared;
use crate::client::service::InFlight;
use crate::host::{Host, Signal};
use std::future::Future;
use std::rc::Rc;
use std::task::Waker;
use verify::internal::error::{Error, Result};

/// How long a caller waits for another's answer before it checks its own signal again, in milliseconds.
const LOOK_MS: u64 = 60_000;

/// Whether a read has its outcome, or will have none.
fn is_over(request: &InFlight) -> bool {
    request.is_abandoned.get() || request.outcome.borrow().is_some()
}

/// Ends a shared read, however its maker ends.
struct InFlightGuard<'a, H: Host> {
    shared: &'a Shared<H>,
    request: Rc<InFlight>,
}

impl<H: Host> Drop for InFlightGuard<'_, H> {
    fn drop(&mut self) {
        self.request.is_abandoned.set(self.request.outcome.borrow().is_none());
        self.shared.service.in_flight.forget(|_, request| Rc::ptr_eq(request, &self.request));
        for waker in self.request.wakers.take() {
            waker.wake();
        }
    }
}

/// Runs `read`, or waits for the read of that key that is under way. A caller that gives up ends it for itself alone:
/// another of them makes it again.
///
/// # Errors
/// The errors of `read`; ABORTED.
pub async fn share<H: Host, F: Future<Output = Result<String>>>(
    shared: &Shared<H>,
    key: String,
    signal: &H::Signal,
    read: impl FnOnce() -> F,
) -> Result<String> {
    while let Some((_, first)) = shared.service.in_flight.find(&key) {
        while !is_over(&first) {
            if signal.is_aborted() {
                return Err(Error::aborted());
            }
            let is_answered = |waker: &Waker| {
                first.wakers.borrow_mut().push(waker.clone());
                is_over(&first)
            };
            sleep_or(&*shared.host, LOOK_MS, signal, &is_answered).await;
        }
        if let Some(outcome) = &*first.outcome.borrow() {
            return outcome.clone();
        }
    }
    let request = shared.service.in_flight.add(key, shared.host.monotonic_ms(), Rc::default());
    let guard = InFlightGuard { shared, request };
    let outcome = read().await;
    if !signal.is_aborted() {
        *guard.request.outcome.borrow_mut() = Some(outcome.clone());
    }
    outcome
}
