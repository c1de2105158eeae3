//! Everything that can go wrong, as facts.

use crate::domain::text::ToText;
use crate::json::{Malformed, ObjectWriter};
use alloy_primitives::B256;
use std::any::Any;
use std::rc::Rc;

/// The original error of a wallet or of the network, carried along unopened.
pub type Cause = Option<Rc<dyn Any>>;

/// The closed public list of codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the documentation; each is described in docs/errors.md")]
pub enum ErrorCode {
    InvalidInput,
    UnsupportedChain,
    NoRoute,
    QuoteExpired,
    VerifyMismatch,
    LossTooHigh,
    SignatureMismatch,
    UserRejected,
    WrongChain,
    WrongAccount,
    WalletPending,
    WalletFailed,
    UnsupportedAccount,
    AlreadySigned,
    InsufficientBalance,
    InsufficientAllowance,
    RateLimited,
    ServiceRejected,
    ServiceMalformed,
    Network,
    Timeout,
    Aborted,
    Internal,
}

impl ErrorCode {
    /// All of them, as JavaScript sees them, with the action that would help.
    pub const ALL: [(ErrorCode, &str, &str); 23] = [
        (ErrorCode::InvalidInput, "INVALID_INPUT", "none"),
        (ErrorCode::UnsupportedChain, "UNSUPPORTED_CHAIN", "none"),
        (ErrorCode::NoRoute, "NO_ROUTE", "requote"),
        (ErrorCode::QuoteExpired, "QUOTE_EXPIRED", "requote"),
        (ErrorCode::VerifyMismatch, "VERIFY_MISMATCH", "none"),
        (ErrorCode::LossTooHigh, "LOSS_TOO_HIGH", "changeAmount"),
        (ErrorCode::SignatureMismatch, "SIGNATURE_MISMATCH", "none"),
        (ErrorCode::UserRejected, "USER_REJECTED", "retry"),
        (ErrorCode::WrongChain, "WRONG_CHAIN", "switchChain"),
        (ErrorCode::WrongAccount, "WRONG_ACCOUNT", "none"),
        (ErrorCode::WalletPending, "WALLET_PENDING", "none"),
        (ErrorCode::WalletFailed, "WALLET_FAILED", "retry"),
        (ErrorCode::UnsupportedAccount, "UNSUPPORTED_ACCOUNT", "none"),
        (ErrorCode::AlreadySigned, "ALREADY_SIGNED", "none"),
        (ErrorCode::InsufficientBalance, "INSUFFICIENT_BALANCE", "none"),
        (ErrorCode::InsufficientAllowance, "INSUFFICIENT_ALLOWANCE", "approve"),
        (ErrorCode::RateLimited, "RATE_LIMITED", "retry"),
        (ErrorCode::ServiceRejected, "SERVICE_REJECTED", "none"),
        (ErrorCode::ServiceMalformed, "SERVICE_MALFORMED", "retry"),
        (ErrorCode::Network, "NETWORK", "retry"),
        (ErrorCode::Timeout, "TIMEOUT", "retry"),
        (ErrorCode::Aborted, "ABORTED", "none"),
        (ErrorCode::Internal, "INTERNAL", "none"),
    ];

    fn row(self) -> (&'static str, &'static str) {
        let row = ErrorCode::ALL.iter().find(|(code, _, _)| *code == self);
        row.map_or(("INTERNAL", "none"), |(_, name, action)| (name, action))
    }

    /// As JavaScript sees it.
    pub fn name(self) -> &'static str {
        self.row().0
    }

    /// What would help.
    pub fn action(self) -> &'static str {
        self.row().1
    }
}

/// What this crate's fallible functions return.
pub type Result<T> = core::result::Result<T, Error>;

/// An error. Boxed inside: it travels through every result.
#[derive(Clone)]
pub struct Error(Box<Facts>);

/// What is known about an error.
#[derive(Clone)]
pub struct Facts {
    /// Which.
    pub code: ErrorCode,
    /// One sentence.
    pub message: String,
    /// Path of the input, option or payload member.
    pub field: Option<String>,
    /// What was expected there.
    pub expected: Option<String>,
    /// What stood there.
    pub actual: Option<String>,
    /// HTTP status.
    pub status: Option<u16>,
    /// The service's own words.
    pub error_type: Option<String>,
    /// See `error_type`.
    pub details: Option<String>,
    /// Seconds to wait.
    pub retry_after_secs: Option<u64>,
    /// What a price loses, and how much of that is gas and bridge by the service's word: hundredths of a percent of what is
    /// given.
    pub loss: Option<(u64, u64)>,
    /// The order that stands in the way.
    pub order_hash: Option<B256>,
    /// What was signed before this, as JSON text.
    pub signed_order: Option<String>,
    /// The report of a failed verification, as JSON text.
    pub report: Option<String>,
    /// What would have to be approved, as JSON text.
    pub approval: Option<String>,
    /// A call that ran and failed, which is the contract's answer: not a node that could not run it.
    pub reverted: bool,
    /// The wallet's or network's own error. Nothing in here looks inside.
    pub cause: Cause,
}

impl core::fmt::Debug for Error {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.0.code.name())?;
        f.write_str(": ")?;
        f.write_str(&self.0.message)
    }
}

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
    /// An error of that code with one sentence.
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
            approval: None,
            reverted: false,
            cause: None,
        }))
    }

    /// With field, expected and actual.
    pub fn at(code: ErrorCode, subject: &str, field: &str, expected: &str, actual: &str) -> Error {
        let message = [subject, field, ": expected ", expected, ", got ", actual].concat();
        let mut error = Error::new(code, &message);
        error.field = Some(field.into());
        error.expected = Some(expected.into());
        error.actual = Some(actual.into());
        error
    }

    /// The caller passed something wrong.
    pub fn input(field: &str, expected: &str, actual: &str) -> Error {
        Error::at(ErrorCode::InvalidInput, "", field, expected, actual)
    }

    /// The service's answer is not JSON as this package reads it.
    pub fn not_json(what: Malformed) -> Error {
        let message = ["the service's answer is not readable JSON: ", what.reason, " at byte ", &what.at.text()];
        Error::new(ErrorCode::ServiceMalformed, &message.concat())
    }

    /// As many answers as questions: what reads several things at once returns no other number.
    pub fn unread() -> Error {
        Error::new(ErrorCode::Internal, "not every question was answered")
    }

    /// The caller's signal was aborted.
    pub fn aborted() -> Error {
        Error::new(ErrorCode::Aborted, "aborted by the caller")
    }

    /// With the original error.
    pub fn caused_by(mut self, cause: Cause) -> Error {
        self.cause = cause;
        self
    }

    /// Everything but message and cause, as JSON text.
    pub fn write(&self) -> String {
        let mut out = ObjectWriter::object();
        out.text("code", self.code.name());
        // What the service failed at is not what it refused.
        let failed = self.code == ErrorCode::ServiceRejected && self.status.is_some_and(|status| status >= 500);
        // What another contract may take is approved to that one, which no call here does.
        let elsewhere = self.field.as_deref().is_some_and(|field| field.starts_with("options.external."));
        let action = self.code.action();
        out.text(
            "action",
            if failed {
                "retry"
            } else if elsewhere {
                "none"
            } else {
                action
            },
        );
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
        for (name, value) in
            [("signedOrder", &self.signed_order), ("report", &self.report), ("approval", &self.approval)]
        {
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
