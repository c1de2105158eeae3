//! Reads of the same URL that are made at the same time are one request.

use super::queue::sleep_or;
use crate::client::{Flight, Shared};
use crate::error::{Error, Result};
use crate::host::{Host, Signal};
use std::future::Future;
use std::rc::Rc;
use std::task::Waker;

/// How long one waits for another's answer before it looks at its own signal again, in milliseconds.
const LOOK_MS: u64 = 60_000;

/// Whether a flight's outcome is there, or nobody brings one.
fn is_over(flight: &Flight) -> bool {
    flight.is_abandoned.get() || flight.outcome.borrow().is_some()
}

/// Ends a flight, however its maker ends.
struct Landing<'a, H: Host> {
    shared: &'a Shared<H>,
    flight: Rc<Flight>,
}

impl<H: Host> Drop for Landing<'_, H> {
    fn drop(&mut self) {
        self.flight.is_abandoned.set(self.flight.outcome.borrow().is_none());
        self.shared.flights.borrow_mut().retain(|flight| !Rc::ptr_eq(flight, &self.flight));
        for waker in self.flight.wakers.take() {
            waker.wake();
        }
    }
}

/// Runs `read`, or waits for the read of that key that is under way. A caller that gives up ends it for itself
/// alone: another of them makes it again.
///
/// # Errors
/// Those of `read`; ABORTED.
pub async fn share<H: Host, F: Future<Output = Result<String>>>(
    shared: &Shared<H>,
    key: String,
    signal: &H::Signal,
    read: impl FnOnce() -> F,
) -> Result<String> {
    loop {
        let first = shared.flights.borrow().iter().find(|flight| flight.key == key).cloned();
        let Some(first) = first else { break };
        while !is_over(&first) {
            if signal.is_aborted() {
                return Err(Error::aborted());
            }
            let is_landed = |waker: &Waker| {
                first.wakers.borrow_mut().push(waker.clone());
                is_over(&first)
            };
            sleep_or(&shared.host, LOOK_MS, signal, &is_landed).await;
        }
        if let Some(outcome) = &*first.outcome.borrow() {
            return outcome.clone();
        }
    }
    let flight = Rc::new(Flight { key, ..Flight::default() });
    shared.flights.borrow_mut().push(flight.clone());
    let landing = Landing { shared, flight };
    let outcome = read().await;
    if !signal.is_aborted() {
        *landing.flight.outcome.borrow_mut() = Some(outcome.clone());
    }
    outcome
}
