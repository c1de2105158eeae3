//! One request to the service: an answer with status 2xx is its text, any other an error.

use crate::client::Shared;
use crate::domain::text::ToText;
use crate::error::{Error, ErrorCode, Result};
use crate::host::{Event, Host, HttpAnswer, HttpFailure, HttpRequest};
use crate::wire::failure;

/// A request to the service.
#[derive(Clone, Debug)]
pub struct ServiceRequest {
    /// The endpoint's short name in events and messages: `quote`, `build`, `post`.
    pub name: &'static str,
    /// Path and query behind the base URL, with the leading slash.
    pub path: String,
    /// JSON text, sent by POST. `None` makes it a GET.
    pub body: Option<String>,
}

/// Sends a request, and returns the text of a 2xx answer, which nothing has checked yet.
///
/// # Errors
/// NETWORK, TIMEOUT or ABORTED without an answer; SERVICE_MALFORMED if it is too large; RATE_LIMITED for status 429;
/// for other refusals the code that [`failure::code`] finds in their words, else SERVICE_REJECTED.
pub async fn call<H: Host>(shared: &Shared<H>, call: ServiceRequest, signal: &H::Signal) -> Result<String> {
    let ServiceRequest { name, path, body } = call;
    let url = [&shared.base_url, path.as_str()].concat();
    let request = HttpRequest { url, body, api_key: shared.api_key.clone() };
    let started = shared.host.monotonic_ms();
    let (status, outcome) = match shared.host.fetch(request, shared.timeout_ms, signal).await {
        Ok(answer) if (200..300).contains(&answer.status) => (Some(answer.status), Ok(answer.body)),
        Ok(answer) => (Some(answer.status), Err(refused(name, &answer, shared.api_key.as_deref()))),
        Err(why) => (None, Err(unanswered(name, why))),
    };
    let code = outcome.as_ref().err().map(|error| error.code);
    shared.emit(Event { kind: "http", name, started, status, code });
    outcome
}

/// The error for a request without an answer. It names the endpoint, not the URL.
fn unanswered(name: &str, why: HttpFailure) -> Error {
    let (code, what, cause) = match why {
        HttpFailure::Network(cause) => (ErrorCode::Network, "): network error", cause),
        HttpFailure::Timeout => (ErrorCode::Timeout, "): no answer in time", None),
        HttpFailure::Aborted => return Error::aborted(),
        HttpFailure::TooLarge => (ErrorCode::ServiceMalformed, "): it is larger than 2 MB", None),
    };
    Error::new(code, &["no usable answer from the service (", name, what].concat()).caused_by(cause)
}

/// The error for an answer of another status than 2xx, with the service's own words.
fn refused(name: &str, answer: &HttpAnswer, api_key: Option<&str>) -> Error {
    let mut refusal = failure::refusal(&answer.body);
    // Errors are logged: if the service repeats the key, it is taken out.
    if let Some(key) = api_key {
        for text in [&mut refusal.error_type, &mut refusal.details].into_iter().flatten() {
            *text = text.replace(key, "(apiKey)");
        }
    }
    let code = failure::code(answer.status, &refusal);
    let kind = refusal.error_type.as_deref().unwrap_or_default();
    let details = refusal.details.as_deref().unwrap_or_default();
    let message = ["the service refused (", name, "): ", &answer.status.text(), " ", kind, " ", details].concat();
    let mut error = Error::new(code, message.trim_end_matches(' '));
    error.status = Some(answer.status);
    refusal.describe(&mut error);
    error.retry_after_secs = answer.retry_after_secs;
    error
}
