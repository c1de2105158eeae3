//! What every call is made with, and what the application is told on its way.

use crate::host::Host;
use crate::json::Json;
use alloy_primitives::B256;

/// The arguments of a call, decoded.
pub struct CallArgs<'a, H: Host> {
    /// The argument: a request, a build, an order, as [`super::Method`] has it for each call.
    pub data: &'a Json,
    /// The options that are plain data, as an object.
    pub options: &'a Json,
    /// Ends the call with ABORTED, as long as that is possible.
    pub signal: &'a H::Signal,
    /// Told of each step, in the caller's `onProgress`.
    pub progress: &'a dyn Fn(Progress),
    /// Told once something is posted or sent: from then on an abort no longer ends the call.
    pub posting: &'a dyn Fn(),
}

/// A step on the way of a call, as the application is told of it.
#[derive(Clone, Debug)]
pub struct Progress {
    /// Its name: one of `Progress.step` of the published types.
    pub step: &'static str,
    /// The hash of the transaction that was sent, or is waited for.
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
