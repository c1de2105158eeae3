//! The failures of this package, as facts that an application can act on.
//!
//! There is one error type. Its [`ErrorCode`] states what happened and which action may help; the other members have
//! the place, the expected value, and data that would otherwise be lost: a signed order, a report, an approval.
//! docs/errors.md describes each code; `xtask/tests/architecture.rs` compares it with [`ErrorCode::ALL`].

use crate::json::{Malformed, ObjectWriter, TOO_MANY_VALUES};
use crate::value::text::ToText;
use crate::value::visible::visible;
use alloy_primitives::B256;
use std::any::Any;
use std::rc::Rc;

/// The original error of a wallet or of the network. In the browser it is the JavaScript value that was thrown, which
/// the application finds as `error.cause`.
pub type Cause = Option<Rc<dyn Any>>;

/// The kind of failure. The list is closed: an application can handle every one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the documentation; each is described in docs/errors.md")]
pub enum ErrorCode {
    InvalidInput,
    UnsupportedChain,
    NoRoute,
    QuoteExpired,
    VerifyMismatch,
    LossTooHigh,
    PriceUnjudged,
    SignatureMismatch,
    UserRejected,
    WrongChain,
    WrongAccount,
    WalletPending,
    WalletFailed,
    UnsupportedAccount,
    AlreadySigned,
    JournalUnreadable,
    InsufficientBalance,
    InsufficientAllowance,
    RateLimited,
    ServiceRejected,
    ServiceMalformed,
    NodesDisagree,
    Network,
    Timeout,
    Aborted,
    WasmUnavailable,
    ModuleUnavailable,
    Internal,
}

impl ErrorCode {
    /// Each code with its name in JavaScript, and the action that may help: `none`, `retry`, `reload`, `requote`,
    /// `approve`, `switchChain` or `changeAmount`. [`Facts::action`] takes its place.
    pub const ALL: [(ErrorCode, &str, &str); 28] = [
        (ErrorCode::InvalidInput, "INVALID_INPUT", "none"),
        (ErrorCode::UnsupportedChain, "UNSUPPORTED_CHAIN", "none"),
        (ErrorCode::NoRoute, "NO_ROUTE", "requote"),
        (ErrorCode::QuoteExpired, "QUOTE_EXPIRED", "requote"),
        (ErrorCode::VerifyMismatch, "VERIFY_MISMATCH", "none"),
        (ErrorCode::LossTooHigh, "LOSS_TOO_HIGH", "changeAmount"),
        (ErrorCode::PriceUnjudged, "PRICE_UNJUDGED", "none"),
        (ErrorCode::SignatureMismatch, "SIGNATURE_MISMATCH", "none"),
        (ErrorCode::UserRejected, "USER_REJECTED", "retry"),
        (ErrorCode::WrongChain, "WRONG_CHAIN", "switchChain"),
        (ErrorCode::WrongAccount, "WRONG_ACCOUNT", "none"),
        (ErrorCode::WalletPending, "WALLET_PENDING", "none"),
        (ErrorCode::WalletFailed, "WALLET_FAILED", "retry"),
        (ErrorCode::UnsupportedAccount, "UNSUPPORTED_ACCOUNT", "none"),
        (ErrorCode::AlreadySigned, "ALREADY_SIGNED", "none"),
        (ErrorCode::JournalUnreadable, "JOURNAL_UNREADABLE", "retry"),
        (ErrorCode::InsufficientBalance, "INSUFFICIENT_BALANCE", "none"),
        (ErrorCode::InsufficientAllowance, "INSUFFICIENT_ALLOWANCE", "approve"),
        (ErrorCode::RateLimited, "RATE_LIMITED", "retry"),
        (ErrorCode::ServiceRejected, "SERVICE_REJECTED", "none"),
        (ErrorCode::ServiceMalformed, "SERVICE_MALFORMED", "retry"),
        (ErrorCode::NodesDisagree, "NODES_DISAGREE", "retry"),
        (ErrorCode::Network, "NETWORK", "retry"),
        (ErrorCode::Timeout, "TIMEOUT", "retry"),
        (ErrorCode::Aborted, "ABORTED", "none"),
        // Thrown by `pkg-template/src/entry.ts`: there is no module that could.
        (ErrorCode::WasmUnavailable, "WASM_UNAVAILABLE", "none"),
        (ErrorCode::ModuleUnavailable, "MODULE_UNAVAILABLE", "reload"),
        (ErrorCode::Internal, "INTERNAL", "none"),
    ];

    /// Its name and action.
    fn row(self) -> (&'static str, &'static str) {
        let row = ErrorCode::ALL.iter().find(|(code, _, _)| *code == self);
        row.map_or(("INTERNAL", "none"), |(_, name, action)| (name, action))
    }

    /// The code's name in JavaScript.
    ///
    /// ```
    /// use verified_swap_verify::internal::error::ErrorCode;
    /// assert_eq!(ErrorCode::WrongChain.name(), "WRONG_CHAIN");
    /// assert_eq!(ErrorCode::WrongChain.action(), "switchChain");
    /// ```
    pub fn name(self) -> &'static str {
        self.row().0
    }

    /// The action that may help. Some errors of a code have another one: see [`Error::write`].
    pub fn action(self) -> &'static str {
        self.row().1
    }
}

/// The expected value in place of an answer that is too large.
const SMALLER: &str = "a smaller answer";

/// The beginning of a message about an answer or a payload that this package did not make.
pub const UNREADABLE: &str = "cannot be read: ";

/// The result of this crate's fallible functions.
pub type Result<T> = core::result::Result<T, Error>;

/// An error: its [`Facts`], which it dereferences to. They are boxed, because every result has room for one.
#[derive(Clone)]
pub struct Error(Box<Facts>);

/// The facts about an error. Members that do not apply are `None`.
#[derive(Clone)]
pub struct Facts {
    /// The kind of failure: `code` in JavaScript.
    pub code: ErrorCode,
    /// One sentence for developers. Not for parsing: it may change.
    pub message: String,
    /// Path of the argument, option or payload member that is wrong, with dots.
    pub field: Option<String>,
    /// The expected value at `field`.
    pub expected: Option<String>,
    /// The actual value at `field`.
    pub actual: Option<String>,
    /// HTTP status with which the service refused.
    pub status: Option<u16>,
    /// The service's `errorType`, unchanged.
    pub error_type: Option<String>,
    /// The service's `details`, unchanged.
    pub details: Option<String>,
    /// Seconds until the service takes requests again, by its `Retry-After`.
    pub retry_after_secs: Option<u64>,
    /// The loss of a price, and the part of it that the service explains by gas and bridge: both in basis points of the
    /// sold value.
    pub loss: Option<(u64, u64)>,
    /// EIP-712 hash of the earlier order that is the reason for this error.
    pub order_hash: Option<B256>,
    /// The order that the user signed before this error, as JSON text: `submit` posts it without another prompt.
    pub signed_order: Option<String>,
    /// The report of a verification that failed, as JSON text.
    pub report: Option<String>,
    /// The unanswered questions, as the JSON array of a report.
    pub questions: Option<String>,
    /// The missing approval, as JSON text: `approve` takes it.
    pub approval: Option<String>,
    /// The action in place of the code's: `rebuild` where another client made it, `changeAmount` where the service refuses
    /// the amount.
    pub action: Option<&'static str>,
    /// The contract reverted the call. `false` if the node could not run it.
    pub reverted: bool,
    /// The answer of a wallet that may have sent its transaction, or still may. Not shown: only decided by.
    pub may_be_sent: Option<String>,
    /// The code with which the wallet or node failed, by EIP-1193, EIP-5792 or JSON-RPC, also if it follows only from
    /// the message. Not shown: only decided by.
    pub wallet_code: Option<i64>,
    /// A node answered in another form than expected. Not shown: only decided by.
    pub is_unreadable: bool,
    /// The node's latest block, whose state caused the refusal. Not shown: only decided by.
    pub as_of: Option<u64>,
    /// The wallet's or network's own error. Only passed on.
    pub cause: Cause,
}

impl core::fmt::Debug for Error {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.0.code.name())?;
        f.write_str(": ")?;
        f.write_str(&self.0.message)
    }
}

impl core::fmt::Display for Error {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        core::fmt::Debug::fmt(self, f)
    }
}

impl core::error::Error for Error {}

impl core::ops::Deref for Error {
    type Target = Facts;
    fn deref(&self) -> &Facts {
        &self.0
    }
}

impl core::ops::DerefMut for Error {
    fn deref_mut(&mut self) -> &mut Facts {
        &mut self.0
    }
}

impl Error {
    /// An error with a code, a sentence and nothing else.
    pub fn new(code: ErrorCode, message: &str) -> Error {
        Error(Box::new(Facts {
            code,
            message: message.into(),
            field: None,
            expected: None,
            actual: None,
            status: None,
            error_type: None,
            details: None,
            retry_after_secs: None,
            loss: None,
            order_hash: None,
            signed_order: None,
            report: None,
            questions: None,
            approval: None,
            action: None,
            reverted: false,
            may_be_sent: None,
            wallet_code: None,
            is_unreadable: false,
            as_of: None,
            cause: None,
        }))
    }

    /// An error about `field`. `subject` stands before it in the message, with the space between: `the wallet's `. Hidden
    /// characters of the value, and of a name in the path, are shown by their code points.
    ///
    /// ```
    /// use verified_swap_verify::internal::error::{Error, ErrorCode};
    /// let error = Error::at(ErrorCode::WrongChain, "the wallet's ", "chainId", "1", "10");
    /// assert_eq!(error.message, "the wallet's chainId: expected 1, got 10");
    /// assert_eq!(error.expected.as_deref(), Some("1"));
    /// let hidden = Error::at(ErrorCode::InvalidInput, "", "more\u{202e}", "nothing", "\u{200b}");
    /// assert_eq!(hidden.message, r"more\u{202e}: expected nothing, got \u{200b}");
    /// ```
    pub fn at(code: ErrorCode, subject: &str, field: &str, expected: &str, actual: &str) -> Error {
        let [field, expected, actual] = [field, expected, actual].map(visible);
        let message = [subject, &field, ": expected ", &expected, ", got ", &actual].concat();
        let mut error = Error::new(code, &message);
        error.field = Some(field);
        error.expected = Some(expected);
        error.actual = Some(actual);
        error
    }

    /// INVALID_INPUT: the caller passed a wrong value at `field`.
    pub fn input(field: &str, expected: &str, actual: &str) -> Error {
        Error::at(ErrorCode::InvalidInput, "", field, expected, actual)
    }

    /// SERVICE_MALFORMED: the service's answer is not JSON as [`parse`](crate::json::parse) reads it.
    pub fn not_json(what: Malformed) -> Error {
        let message = ["the service's answer is not readable JSON: ", what.reason, " at byte ", &what.at.text()];
        let mut error = Error::new(ErrorCode::ServiceMalformed, &message.concat());
        error.expected = (what.reason == TOO_MANY_VALUES).then(|| SMALLER.into());
        error
    }

    /// SERVICE_MALFORMED: the text that was passed as `field` is not JSON as [`parse`](crate::json::parse) reads it.
    pub fn not_json_at(field: &str, what: Malformed) -> Error {
        let actual = [what.reason, " at byte ", &what.at.text()].concat();
        Error::at(ErrorCode::ServiceMalformed, UNREADABLE, field, "JSON", &actual)
    }

    /// SERVICE_MALFORMED: the answer to the request, named by `place`, has more bytes than are read.
    pub fn too_large(place: &str) -> Error {
        let message = ["no usable answer from the service (", place, "): it is larger than 2 MB"];
        let mut error = Error::new(ErrorCode::ServiceMalformed, &message.concat());
        error.expected = Some(SMALLER.into());
        error
    }

    /// Whether a request for a smaller answer may succeed.
    pub fn is_too_large(&self) -> bool {
        self.expected.as_deref() == Some(SMALLER)
    }

    /// INTERNAL: a branch that only a bug in this package reaches. It is an error because `src` does not panic.
    pub fn unreachable() -> Error {
        Error::new(ErrorCode::Internal, "a bug in this package: please report what you called")
    }

    /// ABORTED: the caller's signal fired, or the client was closed.
    pub fn aborted() -> Error {
        Error::new(ErrorCode::Aborted, "aborted by the caller")
    }

    /// The same error with the original one as its cause.
    pub fn caused_by(mut self, cause: Cause) -> Error {
        self.cause = cause;
        self
    }

    /// The same error, with the block of the state that caused it.
    pub fn as_of(mut self, block: Option<u64>) -> Error {
        self.as_of = block;
        self
    }

    /// The error's public members as a JSON object, without `message` and `cause`, which are no plain data to
    /// JavaScript.
    ///
    /// The action is the code's, with three exceptions: a refusal with status 500 or above may be retried, an
    /// allowance for another contract (`options.advanced.external.*`) cannot be approved by a call of this package, and
    /// [`Facts::action`] takes the place of any.
    pub fn write(&self) -> String {
        let mut out = ObjectWriter::object();
        out.text("code", self.code.name());
        // A server's own failure does not depend on the request.
        let failed = self.code == ErrorCode::ServiceRejected && self.status.is_some_and(|status| status >= 500);
        // `approve` approves no contract that an order calls.
        let elsewhere = self.field.as_deref().is_some_and(|field| field.starts_with("options.advanced.external."));
        let action = match self.action {
            Some(action) => action,
            None if failed => "retry",
            None if elsewhere => "none",
            None => self.code.action(),
        };
        out.text("action", action);
        let texts = [
            ("field", &self.field),
            ("expected", &self.expected),
            ("actual", &self.actual),
            ("errorType", &self.error_type),
            ("details", &self.details),
        ];
        for (name, value) in texts {
            if let Some(value) = value {
                out.text(name, value);
            }
        }
        out.maybe("orderHash", &self.order_hash);
        for (name, value) in [
            ("signedOrder", &self.signed_order),
            ("report", &self.report),
            ("questions", &self.questions),
            ("approval", &self.approval),
        ] {
            if let Some(json) = value {
                out.raw(name, json);
            }
        }
        let (lost, costs) = self.loss.unzip();
        let numbers = [
            ("status", self.status.map(u64::from)),
            ("retryAfterSecs", self.retry_after_secs),
            ("lossBps", lost),
            ("costBps", costs),
        ];
        for (name, value) in numbers {
            if let Some(number) = value {
                out.number(name, number);
            }
        }
        if self.code == ErrorCode::QuoteExpired {
            out.raw("requote", "true");
        }
        out.close()
    }
}
