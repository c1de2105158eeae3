//! The environment that this package needs: network, wallets, clocks, randomness, timers.
//!
//! The use cases are written against the trait [`Host`]. The browser implements it in `src`, the tests natively
//! (`crates/trade/tests/flows/fake_host`), so that every flow runs without a browser. A host decides nothing: it passes on its
//! arguments, and reports the results.

use std::any::Any;
use verify::internal::error::{Cause, Error, ErrorCode};
use verify::internal::json::Json;

/// An HTTP request. It has two headers at most: `content-type: application/json` if there is a body, and the key. A
/// host sends no credentials, uses no cache and follows no redirect. There is no `Debug`, so that nothing prints the
/// key.
#[derive(Clone)]
pub struct HttpRequest {
    /// Absolute: https, or http on loopback (`client::endpoint`).
    pub url: String,
    /// JSON text, sent by POST. `None` makes it a GET.
    pub body: Option<String>,
    /// The application's key at the service, sent as `X-API-KEY`. `None` for requests to anyone else.
    pub api_key: Option<String>,
}

/// An HTTP answer, of any status.
#[derive(Clone, Debug)]
pub struct HttpAnswer {
    /// The HTTP status.
    pub status: u16,
    /// The body as UTF-8 text, at most [`MAX_ANSWER`] bytes.
    pub body: String,
    /// `Retry-After` in seconds, also of a date. `None` if it is not there, or is not exposed to the page by CORS.
    pub retry_after_secs: Option<u64>,
}

/// The largest HTTP body that is read, in bytes: 2 MiB. No server can fill the page's memory.
pub const MAX_ANSWER: usize = 2 * 1024 * 1024;

/// How long the storage may take if a trade goes on without it, in milliseconds: after the prompt.
pub const STORAGE_LIMIT_MS: u32 = 500;
/// How long the storage may take if nothing goes on without it, in milliseconds: before a prompt, and for `resume`.
pub const JOURNAL_LIMIT_MS: u32 = 5_000;

/// Why the storage has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StorageFailure {
    /// There is no storage here: nothing outlives the page, and no tab has written anything.
    Absent,
    /// There is a storage, and its content is not known: it failed, with this message, or took too long.
    Unreadable(String),
}

/// Why a lock was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockFailure {
    /// Another client has it.
    Taken,
    /// The browser gave no answer two seconds after the wait was over: whether another client has it is not known.
    Silent,
}

/// Why a request has no [`HttpAnswer`].
#[derive(Clone)]
pub enum HttpFailure {
    /// The request failed, with the thrown value. It may have arrived all the same. An answer without CORS headers
    /// looks like this too.
    Network(Cause),
    /// No answer within the request's time.
    Timeout,
    /// The caller's signal fired. The request may have arrived.
    Aborted,
    /// The body has more than [`MAX_ANSWER`] bytes.
    TooLarge,
}

/// The failure of a wallet or node. `wallet::wallet_error` interprets it.
#[derive(Clone)]
pub struct WalletFailure {
    /// The error's code by EIP-1193 or JSON-RPC, if it has one.
    pub code: Option<i64>,
    /// The message of wallet or node, in its own words.
    pub message: String,
    /// The messages of the error and of those inside it, one a line.
    pub words: String,
    /// The bytes that a reverted call returned, if the node passes them on.
    pub data: Option<Vec<u8>>,
    /// The thrown value.
    pub cause: Cause,
    /// The caller's signal ended the wait. The wallet may still answer.
    pub aborted: bool,
    /// There was no answer at all: the network failed, or the time was over.
    pub unreachable: bool,
    /// The HTTP status of a node's answer, if it is known and no success.
    pub status: Option<u16>,
}

/// One step, for the application's log: a request, a prompt or a check. Carries no address, amount or signature.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// `http` (the service), `rpc` (a node), `wallet` or `verify`.
    pub kind: &'static str,
    /// The endpoint's short name, the JSON-RPC method, or the verified payload.
    pub name: &'static str,
    /// When it began: milliseconds of [`Host::monotonic_ms`].
    pub started: u64,
    /// The HTTP status; `None` without an answer, and for other kinds.
    pub status: Option<u16>,
    /// The code of its error; `None` if it succeeded.
    pub code: Option<ErrorCode>,
}

/// The caller's request to stop. It fires once, and stays fired.
pub trait Signal: Clone {
    /// A signal that never fires.
    fn never() -> Self;
    /// Whether it has fired.
    fn is_aborted(&self) -> bool;
}

/// The number of a reading of the storage, and the entries in it as (key, value); `None` for a value that is known.
pub type Changes = (u32, Vec<(String, Option<String>)>);

/// Network, wallets, clocks, randomness and timers; and what the tabs of one origin share: storage, locks, messages.
#[allow(async_fn_in_trait, reason = "one thread: nothing here is Send")]
pub trait Host: 'static {
    /// An abort signal.
    type Signal: Signal;
    /// A provider that signs, sends or reads a chain: a wallet, an EIP-1193 provider or a JSON-RPC endpoint.
    type Provider: Clone + PartialEq;
    /// A request that was sent to a provider, whose answer may be awaited more than once.
    type Prompt: Clone;
    /// A lock among all tabs. It is given back when it is dropped, and when its tab is closed or crashes.
    type Lock;
    /// Messages of one topic from the other clients, in this tab and in others, since it was opened.
    type Inbox: 'static;

    /// Sends a request and reads the answer. `timeout_ms` covers both.
    ///
    /// # Errors
    /// The reason why there is no answer; a status of 400 or above is an answer.
    async fn fetch(
        &self,
        request: HttpRequest,
        timeout_ms: u32,
        signal: &Self::Signal,
    ) -> Result<HttpAnswer, HttpFailure>;

    /// Whether a provider may be on another chain than a moment ago, as a wallet whose user switches it.
    fn may_switch(&self, provider: &Self::Provider) -> bool;

    /// Sends a request to a provider; `params` is a JSON array. It is sent at once, not when its answer is awaited:
    /// several reads travel together, and a wallet's prompt stays open after its caller gave up.
    fn ask(&self, provider: &Self::Provider, method: &'static str, params: &str) -> Self::Prompt;

    /// Awaits the answer to a request.
    ///
    /// # Errors
    /// The failure of wallet or node; `aborted` once the signal fires; `unreachable` after `limit_ms`, if given.
    async fn answer(
        &self,
        prompt: &Self::Prompt,
        limit_ms: Option<u32>,
        signal: &Self::Signal,
    ) -> Result<Json, WalletFailure>;

    /// Waits that many milliseconds, or until the signal fires.
    async fn sleep(&self, ms: u32, signal: &Self::Signal);

    /// Whether this very request left before there was a client, and [`Host::fetch`] would take its answer. It was
    /// counted then.
    fn is_sent(&self, request: &HttpRequest) -> bool;

    /// The number of the page: clients with the same number share the memory that the module has for all of them.
    fn page(&self) -> u64;

    /// Whether the user sees the page. `true` if there is no page.
    fn is_visible(&self) -> bool;

    /// Stored entries whose keys begin with `prefix`, as (key, value); the value is empty if it cannot be unsealed.
    ///
    /// # Errors
    /// The reason why there is no answer within `limit_ms`.
    async fn load(&self, prefix: &str, limit_ms: u32) -> Result<Vec<(String, String)>, StorageFailure>;

    /// [`Host::load`] without the values that are the same as in the reading of the number `since`, and were in all
    /// readings after it; 0 is before the first.
    ///
    /// # Errors
    /// Same as [`Host::load`].
    async fn changes(&self, prefix: &str, since: u32, limit_ms: u32) -> Result<Changes, StorageFailure>;

    /// Stores a value under a key, or deletes it. If `is_durable`, it returns once a crash of the machine no longer
    /// loses it.
    ///
    /// # Errors
    /// The reason why it is not stored within `limit_ms`. It may still be written then.
    async fn store(
        &self,
        key: &str,
        value: Option<&str>,
        is_durable: bool,
        limit_ms: u32,
    ) -> Result<(), StorageFailure>;

    /// Takes the lock of that name, which one client of one tab can have at a time. Waits at most `limit_ms` for it; 0
    /// takes it only if it is free. If tabs share nothing, only this page's clients count.
    ///
    /// # Errors
    /// The reason why it is not taken.
    async fn lock(&self, name: &str, limit_ms: u32) -> Result<Self::Lock, LockFailure>;

    /// Sends a message to every inbox of that topic, in this tab and in others, but to none of this host.
    fn publish(&self, topic: &'static str, message: &str);

    /// Whether other tabs' messages arrive here.
    fn hears_tabs(&self) -> bool;

    /// Opens an inbox for that topic.
    fn inbox(&self, topic: &'static str) -> Self::Inbox;

    /// Takes the oldest message out of an inbox.
    fn next_message(&self, inbox: &Self::Inbox) -> Option<String>;

    /// The code that compares the answers of several nodes, the `Quorum` of `wallet::chain` for
    /// this host: loads it, and awaits it.
    ///
    /// # Errors
    /// MODULE_UNAVAILABLE if it could not be loaded; NETWORK if that may pass; ABORTED.
    async fn quorum(&self, signal: &Self::Signal) -> Result<&'static dyn Any, Error>;

    /// Milliseconds on a clock that only goes forward, comparable between pages of one browser. It measures the age of
    /// a quote, which may be passed between them.
    fn monotonic_ms(&self) -> u64;

    /// Unix milliseconds by this machine's clock, which may be wrong.
    fn unix_ms(&self) -> u64;

    /// 32 bytes from a cryptographic generator: for nonces and for the key of the seals.
    fn random(&self) -> [u8; 32];

    /// Passes an event on to the application; `ms` is the duration of the step.
    fn event(&self, event: Event, ms: u64);
}
