//! Refusals: the error envelope in each form that has been seen (service, section 7), and what they mean.

use crate::error::ErrorCode;
use crate::json::{Json, parse};

/// What the service said, as it said it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refusal {
    /// `errorType`, or the older `error`.
    pub error_type: Option<String>,
    /// `details`, or the older `description`.
    pub details: Option<String>,
}

/// Reads the body of an answer with an error status. Anything but an envelope leaves both members empty.
pub fn refusal(body: &str) -> Refusal {
    let Ok(json) = parse(body) else { return Refusal::default() };
    let text =
        |names: [&str; 2]| names.iter().find_map(|name| json.get(name).and_then(Json::as_text)).map(String::from);
    Refusal { error_type: text(["errorType", "error"]), details: text(["details", "description"]) }
}

/// Phrases that tell what a refusal means, wherever they stand in type or details: which of its strings the service uses
/// for which is not documented. Letters only, lower case.
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
    ("gascostexceedstradeamount", ErrorCode::NoRoute),
    ("unsupportedtoken", ErrorCode::NoRoute),
    ("tokennotsupported", ErrorCode::NoRoute),
    ("ratelimit", ErrorCode::RateLimited),
];

/// The code for a refusal of that status.
pub fn code(status: u16, refusal: &Refusal) -> ErrorCode {
    if status == 429 {
        return ErrorCode::RateLimited;
    }
    let (kind, details) = (letters(&refusal.error_type), letters(&refusal.details));
    let found = KNOWN.iter().find(|(phrase, _)| holds(&kind, phrase) || holds(&details, phrase));
    found.map_or(ErrorCode::ServiceRejected, |(_, code)| *code)
}

/// The letters of a text, lower case.
fn letters(text: &Option<String>) -> Vec<u8> {
    let mut letters = Vec::new();
    for byte in text.as_deref().unwrap_or_default().bytes() {
        if byte.is_ascii_alphabetic() {
            letters.push(byte.to_ascii_lowercase());
        }
    }
    letters
}

/// Whether a text has a phrase in it. (The library's search is made for long texts, and is two kilobytes.)
fn holds(text: &[u8], phrase: &str) -> bool {
    text.windows(phrase.len()).any(|part| part == phrase.as_bytes())
}
