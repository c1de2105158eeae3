//! The path of a request to the service or a node: rate limit, faults, the honest answer, its distortions, the record.

use std::pin::{Pin, pin};
use std::task::{Context, Poll};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::body::{Body, Bytes};
use axum::response::Response;
use hyper::body::Frame;
use hyper::header::{HeaderValue, LOCATION, RETRY_AFTER};
use serde_json::Value;

use super::cors::{self, WithoutCors};
use super::server::DropConnection;
use super::{json_response, response};
use crate::app::App;
use crate::control::{Fault, Placeholder, Request, Subject};
use crate::json::Json;
use crate::service::{self, Call, Endpoint, Query, Refusal};

/// A request line and its body, as they were received.
pub struct Received {
    pub method: String,
    /// Without `/as/{tenant}`.
    pub path: String,
    pub query: String,
    pub api_key: Option<String>,
    /// In preflights: the method of the request that it is about.
    pub wanted_method: Option<String>,
    pub tenant: Option<String>,
    pub body: String,
}

/// An honest answer to a request.
struct Answer {
    status: u16,
    text: String,
}

impl Received {
    fn is_for_node(&self) -> bool {
        self.path.starts_with("/rpc/")
    }
}

/// Answers a browser that asks whether it may send a request to the service or a node.
pub async fn answer_preflight(app: &App, received: Received) -> Response {
    let wanted = received.wanted_method.as_deref().and_then(|method| Endpoint::of(method, &received.path));
    let name = if received.is_for_node() { "rpc" } else { wanted.map_or("unknown", |(endpoint, _)| endpoint.name()) };
    noted(app, &received, name, async { cors::preflight(app.control.settings().cors_max_age) }).await
}

/// Answers a request to the service.
pub async fn answer(app: &App, received: Received) -> Response {
    let Some((endpoint, subject)) = Endpoint::of(&received.method, &received.path) else {
        return json_response(404, Refusal::not_found("Endpoint").json().to_string());
    };
    let asked = Query::parse(&received.query);
    let lenient = app.control.settings().placeholder == Placeholder::Any;
    let query = if lenient { asked.recased() } else { asked };
    let call = Call { endpoint, subject, query, body: received.body.clone() };
    let note = |status, text: &str| {
        if let Ok(answer) = Json::parse(text) {
            app.control.note_answer(endpoint, status, &answer);
        }
    };
    noted(app, &received, endpoint.name(), async {
        if !app.control.admits() {
            let refusal = Refusal::new(429, "RateLimitExceeded", "1 request per second, 3000 per day");
            let text = refusal.json().to_string();
            note(429, &text);
            let response = json_response(429, text);
            return if app.control.settings().rate_limit_cors { response } else { without_cors(response) };
        }
        respond(app, &received, endpoint.name(), serve(app, &call), note).await
    })
    .await
}

/// Answers a request to a node, `/rpc/{chainId}`. A batch goes by all of its methods, with spaces between.
pub async fn answer_for_node(app: &App, received: Received) -> Response {
    let json: Value = serde_json::from_str(&received.body).unwrap_or_default();
    let all = json.as_array().map_or(std::slice::from_ref(&json), Vec::as_slice);
    let mut methods: Vec<&str> = all.iter().filter_map(|one| one["method"].as_str()).collect();
    methods.dedup();
    let method = if methods.is_empty() { "rpc_unknown".into() } else { methods.join(" ") };
    let honest = async {
        let id = received.path.trim_start_matches("/rpc/");
        let Some(chain) = id.parse().ok().and_then(|id| app.chain(id)) else {
            return Answer { status: 404, text: Refusal::unsupported_chain(id).json().to_string() };
        };
        match chain.rpc.forward(received.body.clone().into()).await {
            Ok(answer) => Answer { status: 200, text: String::from_utf8_lossy(&answer).into_owned() },
            Err(error) => Answer { status: 502, text: Refusal::new(502, "NodeUnreachable", error).json().to_string() },
        }
    };
    noted(app, &received, &method, respond(app, &received, &method, honest, |_, _| {})).await
}

/// Notes a request before it is answered, and how and when it is answered: not before the delay of its class.
async fn noted(app: &App, received: &Received, name: &str, response: impl Future<Output = Response>) -> Response {
    let serial = app.control.note_request(Request {
        endpoint: name.to_owned(),
        tenant: received.tenant.clone(),
        method: received.method.clone(),
        path: received.path.clone(),
        query: Query::parse(&received.query).pairs().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
        body: received.body.clone(),
        api_key: received.api_key.clone(),
        status: 0,
        at: now(),
        end: 0,
        serial: 0,
    });
    let settings = app.control.settings();
    let delay_ms = if received.is_for_node() { settings.node_delay_ms } else { settings.service_delay_ms };
    if delay_ms > 0 {
        tokio::time::sleep(Duration::from_millis(delay_ms)).await;
    }
    let response = response.await;
    let is_dropped = response.extensions().get::<DropConnection>().is_some();
    app.control.note_end(serial, if is_dropped { 0 } else { response.status().as_u16() }, now());
    response
}

/// Unix milliseconds of the machine's clock.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis().try_into().unwrap_or(0))
}

/// The honest answer, with tampers and lies applied.
async fn serve(app: &App, call: &Call) -> Answer {
    match service::answer(app, call).await {
        Ok(mut answer) => {
            let honest = answer.clone();
            let on_the_way = app.control.distort(call.endpoint, &mut answer);
            service::hand_out(app, call, if on_the_way { &honest } else { &answer }).await;
            Answer { status: 200, text: answer.to_string() }
        }
        Err(refusal) => Answer { status: refusal.status, text: refusal.json().to_string() },
    }
}

/// The honest answer, or what a fault makes of it. `note` gets the status and the JSON that are sent.
async fn respond(
    app: &App,
    received: &Received,
    name: &str,
    honest: impl Future<Output = Answer>,
    note: impl Fn(u16, &str),
) -> Response {
    let subject = Subject { name, tenant: received.tenant.as_deref() };
    let Some(fault) = app.control.next_fault(subject) else {
        let Answer { status, text } = honest.await;
        note(status, &text);
        return json_response(status, text);
    };
    let mut honest = pin!(honest);
    let mut accepted = None;
    if fault.after_accept {
        accepted = Some(honest.as_mut().await);
    }
    tokio::time::sleep(Duration::from_millis(fault.delay_ms)).await;
    if fault.drop_before || (fault.hold && !app.control.released(subject).await) {
        return DropConnection { is_reset: fault.reset }.response();
    }
    if accepted.is_none() && !fault.replaces_answer() {
        accepted = Some(honest.await);
    }
    if fault.drop_after_accept {
        return DropConnection { is_reset: fault.reset }.response();
    }
    let response = spoilt(&fault, received, accepted, note);
    if fault.no_cors { without_cors(response) } else { response }
}

/// The answer that a fault makes of the honest one, if there is one.
fn spoilt(fault: &Fault, received: &Received, honest: Option<Answer>, note: impl Fn(u16, &str)) -> Response {
    let mut content_type = "application/json; charset=utf-8";
    let (status, mut text) = if let Some(body) = &fault.body {
        (fault.status.unwrap_or(200), body.clone())
    } else if fault.html {
        content_type = "text/html; charset=utf-8";
        let status = fault.status.unwrap_or(502);
        (status, format!("<!doctype html><title>{status}</title><h1>{status}</h1>\n"))
    } else if let (Some(Answer { status, text }), false) = (honest, fault.replaces_answer()) {
        note(status, &text);
        (status, text)
    } else {
        let status = fault.status.unwrap_or(400);
        let error_type = fault.error_type.as_deref().unwrap_or("InternalError");
        let details = fault.details.as_deref().unwrap_or("as the test asked for");
        let text = Refusal::new(status, error_type, details).json().to_string();
        note(status, &text);
        (status, text)
    };
    if fault.cut_json {
        text.truncate(text.floor_char_boundary(text.len() / 2));
    }
    text.push_str(&" ".repeat(fault.pad_to.saturating_sub(text.len())));
    let content_type = fault.content_type.as_deref().unwrap_or(content_type);
    let mut response = if fault.cut_body {
        cut(status, content_type, &text)
    } else {
        response(status, content_type, Body::from(text))
    };
    let mut set =
        |name, value: &str| HeaderValue::from_str(value).map(|value| response.headers_mut().insert(name, value));
    if let Some(after) = &fault.retry_after {
        set(RETRY_AFTER, after).ok();
    }
    if let Some(place) = &fault.redirect {
        set(LOCATION, &format!("{place}{}?{}", received.path, received.query)).ok();
    }
    response
}

/// Announces the whole body, sends half of it, and closes the connection.
fn cut(status: u16, content_type: &str, text: &str) -> Response {
    let half = Bytes::copy_from_slice(&text.as_bytes()[..text.len() / 2]);
    let mut response = response(status, content_type, Body::new(Half { data: Some(half), is_flushed: false }));
    response.headers_mut().insert(hyper::header::CONTENT_LENGTH, text.len().into());
    response
}

/// A body that fails after its only frame.
struct Half {
    data: Option<Bytes>,
    is_flushed: bool,
}

impl hyper::body::Body for Half {
    type Data = Bytes;
    type Error = std::io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, std::io::Error>>> {
        if let Some(data) = self.data.take() {
            return Poll::Ready(Some(Ok(Frame::data(data))));
        }
        if self.is_flushed {
            return Poll::Ready(Some(Err(std::io::Error::other("cut on purpose"))));
        }
        // At a failure the server would drop buffered bytes; it writes them while there is nothing more to send.
        self.is_flushed = true;
        context.waker().wake_by_ref();
        Poll::Pending
    }
}

fn without_cors(mut response: Response) -> Response {
    response.extensions_mut().insert(WithoutCors);
    response
}
