//! Refusals: the error envelope in each form that has been seen (service, section 7), and what they mean.

use crate::error::{Error, ErrorCode};
use crate::json::{Json, parse};

/// What the service said, as it said it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refusal {
    /// `errorType`, or the older `error`.
    pub error_type: Option<String>,
    /// `details`, or the older `description` or `value`.
    pub details: Option<String>,
    /// It is an object without members: no envelope, and no answer.
    pub is_empty: bool,
}

impl Refusal {
    /// Reads an envelope. Anything else leaves both texts empty.
    pub fn read(json: &Json) -> Refusal {
        let text = |names: &[&str]| {
            let mut found = names.iter().filter_map(|name| json.get(name).and_then(Json::as_text));
            found.next().map(String::from)
        };
        Refusal {
            error_type: text(&["errorType", "error"]),
            details: text(&["details", "description", "value"]),
            is_empty: matches!(json, Json::Object(members) if members.is_empty()),
        }
    }

    /// The service's words, and what to change, into an error.
    pub fn told(self, error: &mut Error) {
        if let Some((_, field, expected)) = self.change() {
            error.field = Some((*field).into());
            error.expected = Some((*expected).into());
        }
        error.error_type = self.error_type;
        error.details = self.details;
    }

    /// What the request would have to say for a price.
    fn change(&self) -> Option<&'static (&'static str, &'static str, &'static str)> {
        let (kind, details) = (letters(&self.error_type), letters(&self.details));
        CHANGES.iter().find(|(phrase, ..)| holds(&kind, phrase) || holds(&details, phrase))
    }
}

/// Reads the body of an answer with an error status.
pub fn refusal(body: &str) -> Refusal {
    Refusal::read(&parse(body).unwrap_or(Json::Null))
}

/// Phrases of a price that is refused, with the member of the request that would have to change, and to what.
const CHANGES: &[(&str, &str, &str)] = &[
    ("greaterthanmaximpact", "request.maxImpactPercent", "a higher limit, or a smaller amount"),
    ("toosmall", "request.amount", "a larger one"),
    ("gascostexceedstradeamount", "request.amount", "a larger one: gas takes all of this"),
    ("enoughliquidity", "request.amount", "a smaller one"),
    ("badusdprice", "request.market.ignoreBadUsdPrice", "true, if you know what the tokens are worth"),
];

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
    match found {
        Some((_, code)) => *code,
        None if refusal.change().is_some() => ErrorCode::NoRoute,
        // What is not there needs no words.
        None if refusal.is_empty && status != 404 => ErrorCode::ServiceMalformed,
        None => ErrorCode::ServiceRejected,
    }
}

/// How much of a refusal's words is looked through, in bytes: what it means stands at its beginning.
const MAX_WORDS: usize = 4_096;

/// The letters of a text, lower case.
fn letters(text: &Option<String>) -> Vec<u8> {
    let mut letters = Vec::new();
    for byte in text.as_deref().unwrap_or_default().bytes().take(MAX_WORDS) {
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
