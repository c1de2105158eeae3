//! What this package needs of its surroundings: network, wallet, clocks, randomness, timers. Everything above is written
//! against this trait, and runs natively under test as it does in the browser.

use crate::error::{Cause, ErrorCode};
use crate::json::Json;

/// An HTTP request. No headers but `content-type: application/json` where there is a body, and the key; no credentials, no
/// cache, no redirects. It has no `Debug`: nothing may print the key.
#[derive(Clone)]
pub struct HttpRequest {
    /// Absolute.
    pub url: String,
    /// JSON text: posted. Without it, a GET.
    pub body: Option<String>,
    /// Sent as `X-API-KEY`: to the service, to nobody else.
    pub api_key: Option<String>,
}

/// An answer, whatever its status.
#[derive(Clone, Debug)]
pub struct HttpAnswer {
    /// HTTP status.
    pub status: u16,
    /// The body, at most [`MAX_ANSWER`] bytes.
    pub body: String,
    /// Seconds of `Retry-After`, where it may be read.
    pub retry_after_secs: Option<u64>,
}

/// The largest answer that is read, in bytes.
pub const MAX_ANSWER: usize = 2 * 1024 * 1024;

/// Why there is no answer.
#[derive(Clone)]
pub enum HttpFailure {
    /// The request did not go through; whether it arrived is not known. A refusal without CORS headers looks like this.
    Network(Cause),
    /// No answer in time.
    Timeout,
    /// The caller's signal.
    Aborted,
    /// More than [`MAX_ANSWER`] bytes.
    TooLarge,
}

/// Why a wallet or node did not do what it was asked.
#[derive(Clone)]
pub struct WalletFailure {
    /// EIP-1193 or JSON-RPC error code.
    pub code: Option<i64>,
    /// Its message.
    pub message: String,
    /// What a reverted call returned, where the node says so.
    pub data: Option<Vec<u8>>,
    /// The error itself.
    pub cause: Cause,
    /// The caller's signal ended the wait; the wallet may still answer.
    pub aborted: bool,
    /// There was no answer at all: the network, not the node.
    pub unreachable: bool,
}

/// Something worth a log line. Carries no address and no signature.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// `http`, `rpc`, `wallet`, `verify`.
    pub kind: &'static str,
    /// Endpoint, method or payload.
    pub name: &'static str,
    /// When it began, on the monotonic clock.
    pub started: u64,
    /// HTTP status.
    pub status: Option<u16>,
    /// What went wrong; nothing, if it went well.
    pub code: Option<ErrorCode>,
}

/// A caller's wish to stop.
pub trait Signal: Clone {
    /// A signal that never fires.
    fn never() -> Self;
    /// Whether it has fired.
    fn is_aborted(&self) -> bool;
}

/// The surroundings.
#[allow(async_fn_in_trait, reason = "one thread: nothing here is Send")]
pub trait Host {
    /// See [`Signal`].
    type Signal: Signal;
    /// A wallet, or a way to read a chain: a JSON-RPC endpoint or a provider.
    type Provider: Clone;
    /// Something a wallet was asked, whose answer may be awaited more than once.
    type Prompt: Clone;

    /// Sends a request and reads the answer.
    async fn fetch(
        &self,
        request: HttpRequest,
        timeout_ms: u32,
        signal: &Self::Signal,
    ) -> Result<HttpAnswer, HttpFailure>;

    /// Asks a wallet, provider or node; `params` is JSON text. Asking starts at once, whether or not anybody awaits the
    /// answer, so that several questions are on their way together.
    fn ask(&self, provider: &Self::Provider, method: &'static str, params: &str) -> Self::Prompt;

    /// The answer to what was asked; ends early when the signal fires, and after that many milliseconds, if any: then
    /// nothing was to be reached.
    async fn answer(
        &self,
        prompt: &Self::Prompt,
        limit_ms: Option<u32>,
        signal: &Self::Signal,
    ) -> Result<Json, WalletFailure>;

    /// Waits; ends early when the signal fires.
    async fn sleep(&self, ms: u32, signal: &Self::Signal);

    /// Milliseconds on a clock that no one sets, comparable between pages of one browser.
    fn monotonic_ms(&self) -> u64;

    /// Unix milliseconds by the machine's clock.
    fn unix_ms(&self) -> u64;

    /// Random bytes, fit for nonces and keys.
    fn random(&self) -> [u8; 32];

    /// Tells the application. `ms` is how long it took.
    fn event(&self, event: Event, ms: u64);
}
