//! What every call is made with, and what it tells on its way.

use crate::host::Host;
use crate::json::Json;
use alloy_primitives::B256;

/// A call's arguments, read.
pub struct CallArgs<'a, H: Host> {
    /// What is passed.
    pub data: &'a Json,
    /// The plain options.
    pub options: &'a Json,
    /// Ends it early.
    pub signal: &'a H::Signal,
    /// Told of each step.
    pub progress: &'a dyn Fn(Progress),
    /// Told at the point from which an abort no longer ends it.
    pub posting: &'a dyn Fn(),
}

/// A step on the way of a call, as the application is told of it.
#[derive(Clone, Debug)]
pub struct Progress {
    /// Its name, as `onProgress` tells it.
    pub step: &'static str,
    /// The hash of the transaction that was sent.
    pub transaction: Option<B256>,
    /// The `SignedOrder` that is there by now, as JSON text.
    pub signed_order: Option<String>,
}

impl Progress {
    /// A step with nothing to show.
    pub fn step(step: &'static str) -> Progress {
        Progress { step, transaction: None, signed_order: None }
    }
}
