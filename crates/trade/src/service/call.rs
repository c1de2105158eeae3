//! One request to the service: it waits for the rate limit, is sent, and is repeated if that is safe. An answer with
//! status 2xx is its text, any other an error.

use super::in_flight::share;
use super::queue::{MAX_WAIT_MS, Priority, RequestQueue, over_limit};
use crate::client::{RequestOptions, Shared};
use crate::host::{Event, Host, HttpAnswer, HttpFailure, HttpRequest};
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::check;
use verify::internal::value::text::{ToText, replace};
use verify::internal::wire::failure;

/// How long a request, with its repetitions, may take once it has left the queue, in milliseconds. A single one may
/// always take `timeoutMs`.
pub const CALL_LIMIT_MS: u64 = 30_000;
/// The most times that a request without a usable answer is sent.
const TRIES: u32 = 3;
/// The pause before a request is repeated, in milliseconds, and at most half as much more. The next one is twice as
/// long. It is no shorter than a second, because a browser shows a refusal by the rate limit as a network error if it
/// has no CORS headers.
const PAUSE_MS: u32 = 1_000;

/// A request to the service.
#[derive(Clone, Debug)]
pub struct ServiceRequest {
    /// The endpoint's short name in events and messages: `quote`, `build`, `post`.
    pub name: &'static str,
    /// Path and query after the base URL, with the leading slash.
    pub path: String,
    /// JSON text, sent by POST. `None` makes it a GET.
    pub body: Option<String>,
}

impl ServiceRequest {
    /// The HTTP request.
    fn http<H: Host>(&self, shared: &Shared<H>) -> HttpRequest {
        let url = [&shared.settings.base_url, self.path.as_str()].concat();
        HttpRequest { url, body: self.body.clone(), api_key: shared.settings.api_key.clone() }
    }

    /// Its name and its URL, for a message; without the query, which would show who trades what.
    fn place<H: Host>(&self, shared: &Shared<H>) -> String {
        let (path, _) = self.path.split_once('?').unwrap_or((&self.path, ""));
        [self.name, ", ", &shared.settings.base_url, path].concat()
    }
}

/// The priority of a request, by its name. All but the most urgent change nothing, and may be repeated.
fn priority(name: &str) -> Priority {
    match name {
        "post" | "otc.post" | "cancel" => Priority::Submit,
        "build" | "transactions" | "swap" => Priority::Build,
        // Lists that builds and quotes also need have the same priority.
        "quote" | "prices" | "contracts" | "contractsResource" | "info.fillableBalance" | "otc.fillableBalance" => {
            Priority::Quote
        }
        _ => Priority::Status,
    }
}

/// Whether it is a request that changes something.
fn is_post(name: &str) -> bool {
    priority(name) == Priority::Submit
}

/// Whether a post that is made now may leave, by what any tab has seen. Checked before a prompt: a signed order that is
/// then held back may be filled later than its owner wants, or never.
///
/// # Errors
/// RATE_LIMITED if the service takes none for as long as a call may take.
pub async fn ensure_post_may_leave<H: Host>(shared: &Shared<H>) -> Result<()> {
    let wait = RequestQueue::of(shared).pause_ms(shared, true).await;
    if wait < limit_ms(shared) { Ok(()) } else { Err(over_limit(wait)) }
}

/// Sends a request when the rate limit allows it, and returns the text of a 2xx answer, which is JSON and otherwise
/// unchecked. Unless it changes something, it is repeated after a refusal by the rate limit, and up to three times in
/// all without a usable answer; and the same read made twice at the same time is one request.
///
/// # Errors
/// RATE_LIMITED, with the status 429 if the service refused and not this package's own count; NETWORK, TIMEOUT or
/// ABORTED without an answer; SERVICE_MALFORMED if it is no JSON or too large; for other refusals the code that
/// [`failure::code`] finds in their words, else SERVICE_REJECTED.
pub async fn call<H: Host>(shared: &Shared<H>, request: ServiceRequest, signal: &H::Signal) -> Result<String> {
    if is_post(request.name) {
        let end = shared.host.monotonic_ms().saturating_add(limit_ms(shared));
        return call_once(shared, &request, end, signal).await;
    }
    if request.body.is_some() {
        return repeat(shared, &request, signal).await;
    }
    // Reads that wait in another way are not the same.
    let request_options = shared.request_options.borrow().clone();
    let way = if request_options.waits { "#waits#" } else { "##" };
    let key = [&request.path, way, request_options.form.as_deref().unwrap_or_default()].concat();
    share(shared, key, signal, || repeat(shared, &request, signal)).await
}

/// How long a call may take after it left the queue, in milliseconds.
pub fn limit_ms<H: Host>(shared: &Shared<H>) -> u64 {
    CALL_LIMIT_MS.max(shared.settings.timeout_ms.into())
}

/// Sends a request at once, and only once: no count of this package holds it, only a refusal of the service does, and
/// for a post only the refusal of another post. It ends at `end`, milliseconds of [`Host::monotonic_ms`], and takes at
/// most half of the remaining time, so that its outcome can be looked up. Returns the same as [`call`], but the text
/// may be no JSON.
///
/// # Errors
/// Same as [`call`]; RATE_LIMITED at once if the service takes nothing until `end`.
pub async fn call_once<H: Host>(
    shared: &Shared<H>,
    request: &ServiceRequest,
    end: u64,
    signal: &H::Signal,
) -> Result<String> {
    let (host, queue) = (&shared.host, RequestQueue::of(shared));
    let wait = queue.pause_ms(shared, is_post(request.name)).await;
    let left = end.saturating_sub(host.monotonic_ms());
    if wait >= left {
        return Err(over_limit(wait.max(1)));
    }
    queue.force(shared);
    if wait > 0 {
        host.sleep(u32::try_from(wait).unwrap_or(u32::MAX), signal).await;
    }
    // A read that began before may not show what this request changes.
    shared.service.in_flight.forget(|_, _| true);
    let half = end.saturating_sub(host.monotonic_ms()).div_ceil(2);
    let outcome = send(shared, &queue, request, half, signal).await;
    shared.service.in_flight.forget(|_, _| true);
    outcome
}

/// Sends a request that may be repeated, until there is a usable answer.
///
/// # Errors
/// The errors of [`call`].
async fn repeat<H: Host>(shared: &Shared<H>, request: &ServiceRequest, signal: &H::Signal) -> Result<String> {
    let (host, queue) = (&shared.host, RequestQueue::of(shared));
    let (priority, RequestOptions { waits, until, .. }) =
        (priority(request.name), shared.request_options.borrow().clone());
    let until = until.filter(|_| priority == Priority::Build);
    let (mut end, mut refused, mut failures) = (None, None::<Error>, 0_u32);
    loop {
        let most = end.map_or(MAX_WAIT_MS, |end: u64| end.saturating_sub(host.monotonic_ms()));
        let turn = if host.is_sent(&request.http(shared)) {
            Ok(())
        } else {
            queue.wait_turn(shared, priority, Some(most).filter(|_| !waits), signal).await
        };
        if let Err(late) = turn {
            let Some(mut refused) = refused.filter(|_| late.code == ErrorCode::RateLimited) else { return Err(late) };
            refused.retry_after_secs = late.retry_after_secs;
            return Err(refused);
        }
        let now = host.monotonic_ms();
        if until.is_some_and(|until| now > until) {
            let message = "the price became too old while its build waited for its turn (client.info.rateLimit())";
            return Err(Error::new(ErrorCode::QuoteExpired, message));
        }
        // A call that may wait for any time has the full limit again after each wait.
        let ends = end.filter(|_| !waits).unwrap_or(now.saturating_add(limit_ms(shared)));
        end = Some(ends);
        let (failed, is_passing) = match send(shared, &queue, request, ends.saturating_sub(now), signal).await {
            Ok(text) => match check(&text) {
                Ok(()) => return Ok(text),
                Err(why) if is_page(&text) => (doubt_base_url(Error::not_json(why), shared), true),
                Err(why) => (Error::not_json(why), true),
            },
            Err(error) if error.code == ErrorCode::RateLimited => {
                refused = Some(error);
                continue;
            }
            Err(error) => {
                let is_passing = is_passing(&error);
                (error, is_passing)
            }
        };
        let pause = shared.jittered(PAUSE_MS << failures);
        failures = failures.saturating_add(1);
        if !is_passing || failures == TRIES || host.monotonic_ms().saturating_add(pause.into()) >= ends {
            return Err(failed);
        }
        host.sleep(pause, signal).await;
    }
}

/// Whether the same request may get a usable answer a moment later: there was none, or the server failed.
fn is_passing(error: &Error) -> bool {
    match error.code {
        ErrorCode::Network | ErrorCode::Timeout => true,
        ErrorCode::ServiceRejected | ErrorCode::ServiceMalformed => {
            // 501 means that the server has no such path.
            error.status.is_some_and(|status| status == 408 || (status >= 500 && status != 501))
        }
        _ => false,
    }
}

/// Sends a request once, within `limit_ms` and the client's timeout, at least a second. Reports the outcome to the
/// queue.
///
/// # Errors
/// The errors of [`call`].
async fn send<H: Host>(
    shared: &Shared<H>,
    queue: &RequestQueue,
    request: &ServiceRequest,
    limit_ms: u64,
    signal: &H::Signal,
) -> Result<String> {
    let (name, http) = (request.name, request.http(shared));
    let started = shared.host.monotonic_ms();
    let timeout = u32::try_from(limit_ms.max(1_000)).unwrap_or(u32::MAX).min(shared.settings.timeout_ms);
    let (status, outcome) = match shared.host.fetch(http, timeout, signal).await {
        Ok(answer) if (200..300).contains(&answer.status) => (Some(answer.status), Ok(answer.body)),
        Ok(answer) => {
            let error = refused(name, &answer, shared.settings.api_key.as_deref());
            let is_elsewhere = answer.status == 404 && is_page(&answer.body);
            (Some(answer.status), Err(if is_elsewhere { doubt_base_url(error, shared) } else { error }))
        }
        Err(why) => (None, Err(unanswered(&request.place(shared), why))),
    };
    let code = outcome.as_ref().err().map(|error| error.code);
    shared.emit(Event { kind: "http", name, started, status, code });
    match &outcome {
        Err(error) if error.code == ErrorCode::RateLimited => {
            queue.refused(shared, is_post(name), error.retry_after_secs).await;
        }
        _ if status.is_some() => queue.answered(),
        _ => {}
    }
    outcome
}

/// Whether an answer is a page, or a server's plain words, where the service has JSON.
fn is_page(body: &str) -> bool {
    body.trim_start().starts_with(|first: char| first == '<' || first.is_ascii_alphabetic())
}

/// The error, with the question whether the base URL is the service's.
fn doubt_base_url<H: Host>(mut error: Error, shared: &Shared<H>) -> Error {
    let url = &shared.settings.base_url;
    error.message = [&error.message, "; is baseUrl right? ", url].concat();
    error.field = Some("baseUrl".into());
    error.expected = Some("the service's URL".into());
    error.actual = Some(url.clone());
    error
}

/// The error for a request without an answer, which was sent to `place`.
fn unanswered(place: &str, why: HttpFailure) -> Error {
    let (code, what, cause) = match why {
        HttpFailure::Network(cause) => (ErrorCode::Network, "): network error", cause),
        HttpFailure::Timeout => (ErrorCode::Timeout, "): no answer in time", None),
        HttpFailure::Aborted => return Error::aborted(),
        HttpFailure::TooLarge => return Error::too_large(place),
    };
    Error::new(code, &["no usable answer from the service (", place, what].concat()).caused_by(cause)
}

/// The error for an answer of another status than 2xx, with the service's own words.
fn refused(name: &str, answer: &HttpAnswer, api_key: Option<&str>) -> Error {
    let mut refusal = failure::refusal(&answer.body);
    // Errors are logged: if the service repeats the key, it is removed.
    if let Some(key) = api_key {
        for text in [&mut refusal.error_type, &mut refusal.details].into_iter().flatten() {
            *text = replace(text, key, "(apiKey)");
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
