//! Refusals: the error envelope in its newer and older forms, and the error codes for them.
//!
//! The service documents neither a list of its words nor which of them are `errorType` and which `details`
//! (docs/verification.md, "Readings of what is not documented"). So both are searched for known phrases, and both reach
//! the application unchanged. The code is a help for the application; no check depends on it.

use crate::error::{Error, ErrorCode};
use crate::json::{Json, parse};
use crate::value::text::contains;

/// The words of a refusal, unchanged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refusal {
    /// The member `errorType`, or `error` of the older form.
    pub error_type: Option<String>,
    /// The member `details`, or `description` or `value` of the older form, or `message`; of the member `error` if it has
    /// them.
    pub details: Option<String>,
    /// Whether the body is `{}`: the service gave no reason at all.
    pub is_empty: bool,
}

impl Refusal {
    /// Reads an envelope; both texts are `None` for anything else.
    pub fn read(json: &Json) -> Refusal {
        // Some answers have the same members one level deeper.
        let places = || [Some(json), json.get("error")].into_iter().flatten();
        let text = |names: &[&str]| {
            let mut found = places().flat_map(|at| names.iter().filter_map(|name| at.get(name)?.as_text()));
            found.next().map(String::from)
        };
        Refusal {
            error_type: text(&["errorType", "error"]),
            details: text(&["details", "description", "value", "message"]),
            is_empty: matches!(json, Json::Object(members) if members.is_empty()),
        }
    }

    /// Puts the service's words into an error, and, if they name a remedy, `field`, `expected` and the action.
    pub fn describe(self, error: &mut Error) {
        if let Some((_, field, expected)) = self.remedy() {
            error.field = Some((*field).into());
            error.expected = Some((*expected).into());
            error.action = (*field == AMOUNT && error.code == ErrorCode::NoRoute).then_some("changeAmount");
        }
        error.error_type = self.error_type;
        error.details = self.details;
    }

    /// The row of [`REMEDIES`] that matches these words.
    fn remedy(&self) -> Option<&'static (&'static str, &'static str, &'static str)> {
        let (kind, details) = (letters(&self.error_type), letters(&self.details));
        REMEDIES.iter().find(|(phrase, ..)| contains(&kind, phrase) || contains(&details, phrase))
    }
}

/// Reads the body of an answer with an error status; a body that is not JSON has no words.
pub fn refusal(body: &str) -> Refusal {
    Refusal::read(&parse(body).unwrap_or(Json::Null))
}

/// The member that is to be changed where the service refuses the amount.
pub const AMOUNT: &str = "request.amount";

/// Phrases of a refused price, with the member of the request to change, and the change.
const REMEDIES: &[(&str, &str, &str)] = &[
    ("greaterthanmaximpact", "request.advanced.maxImpactPercent", "a higher limit, or a smaller amount"),
    ("toosmall", AMOUNT, "a larger one"),
    ("gascostexceedstradeamount", AMOUNT, "a larger one: gas takes all of this"),
    ("enoughliquidity", AMOUNT, "a smaller one"),
    ("badusdprice", "request.advanced.market.ignoreBadUsdPrice", "true, if you know what the tokens are worth"),
];

/// Phrases of a refusal, in type or details, with the error code; the first match counts. Lower case, letters only, as
/// [`letters`] leaves them.
const KNOWN: &[(&str, ErrorCode)] = &[
    ("stale", ErrorCode::QuoteExpired),
    ("hmac", ErrorCode::QuoteExpired),
    ("invalidprice", ErrorCode::QuoteExpired),
    ("quotevalidation", ErrorCode::QuoteExpired),
    ("expired", ErrorCode::QuoteExpired),
    ("unsupportedchain", ErrorCode::UnsupportedChain),
    ("invalidsignature", ErrorCode::SignatureMismatch),
    ("presign", ErrorCode::SignatureMismatch),
    ("deposit", ErrorCode::InsufficientBalance),
    ("insufficientbalance", ErrorCode::InsufficientBalance),
    ("insufficientallowance", ErrorCode::InsufficientAllowance),
    ("pricingerror", ErrorCode::NoRoute),
    ("noroute", ErrorCode::NoRoute),
    ("unsupportedtoken", ErrorCode::NoRoute),
    ("tokennotsupported", ErrorCode::NoRoute),
    ("ratelimit", ErrorCode::RateLimited),
];

/// The error code for a refusal.
///
/// ```
/// use verified_swap_verify::internal::{error::ErrorCode, wire::failure::{code, refusal}};
/// let stale = refusal(r#"{"errorType": "InvalidInput", "details": "StalePriceRoute"}"#);
/// assert_eq!(code(400, &stale), ErrorCode::QuoteExpired);
/// assert_eq!(code(400, &refusal("no JSON")), ErrorCode::ServiceRejected);
/// ```
pub fn code(status: u16, refusal: &Refusal) -> ErrorCode {
    if status == 429 {
        return ErrorCode::RateLimited;
    }
    let (kind, details) = (letters(&refusal.error_type), letters(&refusal.details));
    let found = KNOWN.iter().find(|(phrase, _)| contains(&kind, phrase) || contains(&details, phrase));
    match found {
        Some((_, code)) => *code,
        None if refusal.remedy().is_some() => ErrorCode::NoRoute,
        // A 404 needs no words.
        None if refusal.is_empty && status != 404 => ErrorCode::ServiceMalformed,
        None => ErrorCode::ServiceRejected,
    }
}

/// Phrases of a post that was refused because the service has the order already.
const EXISTS: [&str; 3] = ["duplicate", "alreadyexist", "orderexists"];

/// Whether a post was refused because the service has the order already, by its status or its words.
///
/// ```
/// use verified_swap_verify::internal::{error::{Error, ErrorCode}, wire::failure::says_it_exists};
/// let mut refused = Error::new(ErrorCode::ServiceRejected, "refused");
/// refused.details = Some("the order does not exist".into());
/// assert!(!says_it_exists(&refused));
/// refused.details = Some("order exists".into());
/// assert!(says_it_exists(&refused));
/// ```
pub fn says_it_exists(error: &Error) -> bool {
    let words = [letters(&error.error_type), letters(&error.details)];
    let is_said = |phrase| words.iter().any(|words| contains(words, phrase));
    error.status == Some(409) || EXISTS.into_iter().any(is_said)
}

/// The number of bytes of a refusal's words that are searched. The phrases stand at the beginning.
const MAX_WORDS: usize = 4_096;

/// The letters in the first [`MAX_WORDS`] bytes of a text, in lower case: `Stale price-route` is found by
/// `stalepriceroute`.
fn letters(text: &Option<String>) -> String {
    let mut letters = String::new();
    for byte in text.as_deref().unwrap_or_default().bytes().take(MAX_WORDS) {
        if byte.is_ascii_alphabetic() {
            letters.push(char::from(byte.to_ascii_lowercase()));
        }
    }
    letters
}
