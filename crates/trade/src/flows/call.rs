//! The arguments of every call, and the reports of its progress. Use cases take a [`CallArgs`]; [`super::Method`] makes
//! it from the app's arguments.

use crate::host::Host;
use crate::wallet::confirm::PromptGate;
use alloy_primitives::B256;
use std::future::Future;
use std::pin::Pin;
use verify::internal::domain::typed_struct::TypedText;
use verify::internal::error::Result;
use verify::internal::json::Json;

/// A pending call, by default for JSON text. It is boxed: one future for all calls would be as large as the largest.
pub type Work<'a, T = String> = Pin<Box<dyn Future<Output = Result<T>> + 'a>>;

/// The arguments of a call, decoded.
pub struct CallArgs<'a, H: Host> {
    /// The argument: a request, a build, an order, by the row of the call in [`super::Method`].
    pub data: &'a Json,
    /// The options that are plain data, as an object: all but `signal`, `onProgress` and `onPrompt`.
    pub options: &'a Json,
    /// Ends the call with ABORTED, until something is posted or sent.
    pub signal: &'a H::Signal,
    /// Called for each step: the caller's `onProgress`.
    pub progress: &'a dyn Fn(Progress),
    /// Asks the application before each prompt: the caller's `onPrompt`, else the client's.
    pub gate: &'a PromptGate<H>,
    /// Called when something is posted or sent. From then on an abort no longer ends the call: it would be unknown
    /// whether the post arrived.
    pub posting: &'a dyn Fn(),
}

/// A step of a call, for the caller's `onProgress`.
///
/// ```
/// let checking = verified_swap_trade::flows::Progress::step("checking");
/// assert!(checking.transaction.is_none() && checking.signed_order.is_none());
/// ```
#[derive(Clone, Debug)]
pub struct Progress {
    /// Its name: one of those of `Progress.step` in the published types.
    pub step: &'static str,
    /// The hash of the transaction that was sent, or that the call waits for.
    pub transaction: Option<B256>,
    /// The wallet's id of calls that were sent together.
    pub batch: Option<String>,
    /// The `SignedOrder`, as JSON text, once there is a signature. An app that stores it can post the order after a
    /// reload.
    pub signed_order: Option<String>,
    /// Whether the journal has it on disk. If `false`, only this page has it. `None` if nothing was written.
    pub is_stored: Option<bool>,
    /// The typed data as a hardware wallet shows it before signing, as JSON text.
    pub hardware: Option<String>,
}

impl Progress {
    /// A step with neither a transaction nor a signed order.
    pub fn step(step: &'static str) -> Progress {
        Progress { step, transaction: None, batch: None, signed_order: None, is_stored: None, hardware: None }
    }

    /// The wallet is asked to sign this typed data.
    pub fn signing(typed: &TypedText) -> Progress {
        Progress { hardware: Some(typed.hardware.clone()), ..Progress::step("signing") }
    }
}
