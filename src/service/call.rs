//! One request to the service: status first, then text; refusals become errors.

use crate::domain::text::ToText;
use crate::error::{Error, ErrorCode, Result};
use crate::host::{Event, Host, HttpFailure, HttpRequest};
use crate::trade::Shared;
use crate::wire::failure;

/// A request, by the endpoint's name for events, and its path with query.
#[derive(Clone, Debug)]
pub struct Call {
    /// `quote`, `build`, `post`, ...
    pub name: &'static str,
    /// From the slash behind the base URL on.
    pub path: String,
    /// Posted, where present.
    pub body: Option<String>,
}

/// Sends it, and returns the text of a 2xx answer.
///
/// # Errors
/// NETWORK, TIMEOUT, ABORTED; RATE_LIMITED; for other refusals the code their words stand for, else SERVICE_REJECTED.
pub async fn call<H: Host>(shared: &Shared<H>, call: Call, signal: &H::Signal) -> Result<String> {
    let Call { name, path, body } = call;
    let method = if body.is_some() { "POST" } else { "GET" };
    let request = HttpRequest { method, url: [&shared.base_url, path.as_str()].concat(), body };
    let started = shared.host.monotonic_ms();
    let outcome = shared.host.fetch(request, shared.timeout_ms, signal).await;
    let status = outcome.as_ref().ok().map(|answer| answer.status);
    let outcome = outcome.map_err(|why| unanswered(name, why)).and_then(|answer| match answer.status {
        200..=299 => Ok(answer.body),
        status => Err(refused(name, status, &answer.body, answer.retry_after_secs)),
    });
    let ms = shared.host.monotonic_ms().saturating_sub(started);
    let code = outcome.as_ref().err().map(|error| error.code.name());
    shared.host.event(Event { kind: "http", name, ok: outcome.is_ok(), ms, status, code });
    outcome
}

fn unanswered(name: &str, why: HttpFailure) -> Error {
    let told = |code, what: &str| Error::new(code, ["the service did not answer (", name, "): ", what].concat());
    match why {
        HttpFailure::Network(cause) => told(ErrorCode::Network, "network error").caused_by(cause),
        HttpFailure::Timeout => told(ErrorCode::Timeout, "no answer in time"),
        HttpFailure::Aborted => Error::aborted(),
        HttpFailure::TooLarge => told(ErrorCode::ServiceMalformed, "more than 2 MB"),
    }
}

fn refused(name: &str, status: u16, body: &str, retry_after_secs: Option<u64>) -> Error {
    let refusal = failure::refusal(body);
    let code = failure::code(status, &refusal);
    let mut message = ["the service refused (", name, "): ", &status.text()].concat();
    for words in [&refusal.error_type, &refusal.details].into_iter().flatten() {
        message.push_str(", ");
        message.push_str(words);
    }
    let mut error = Error::new(code, message);
    error.status = Some(status);
    error.error_type = refusal.error_type;
    error.details = refusal.details;
    error.retry_after_secs = retry_after_secs;
    error
}
