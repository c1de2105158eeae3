//! What happens to a request to the service: rate limit, faults, the honest answer, its distortions, the record.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::body::{Body, Bytes};
use axum::response::Response;
use hyper::body::Frame;

use super::cors::{self, WithoutCors};
use super::server::DropConnection;
use super::{json_response, response};
use crate::app::App;
use crate::control::{Fault, Placeholder, Request};
use crate::json::Json;
use crate::service::{self, Call, Endpoint, Query, Refusal};

/// A request line and its body, as they were received.
pub struct Received {
    pub method: String,
    pub path: String,
    pub query: String,
    pub api_key: Option<String>,
    pub body: String,
}

/// Answers a request to the service.
pub async fn answer(app: &App, received: Received) -> Response {
    if received.method == "OPTIONS" {
        return cors::preflight();
    }
    let Some((endpoint, subject)) = Endpoint::of(&received.method, &received.path) else {
        return json_response(404, Refusal::not_found("Endpoint").json().to_string());
    };
    let asked = Query::parse(&received.query);
    let lenient = app.control.settings().placeholder == Placeholder::Any;
    let query = if lenient { asked.clone().recased() } else { asked.clone() };
    let call = Call { endpoint, subject, query, body: received.body.clone() };
    let response = respond(app, &call).await;
    let dropped = response.extensions().get::<DropConnection>().is_some();
    app.control.note_request(Request {
        endpoint: endpoint.name(),
        method: received.method,
        path: received.path,
        query: asked.pairs().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
        body: received.body,
        api_key: received.api_key,
        status: if dropped { 0 } else { response.status().as_u16() },
        at: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis().try_into().unwrap_or(0)),
    });
    response
}

async fn respond(app: &App, call: &Call) -> Response {
    if !app.control.admits() {
        let refusal = Refusal::new(429, "RateLimitExceeded", "1 request per second, 3000 per day");
        let response = sent(app, call, 429, &refusal.json());
        return if app.control.settings().rate_limit_cors { response } else { without_cors(response) };
    }
    let Some(fault) = app.control.next_fault(call.endpoint) else {
        let (status, answer) = serve(app, call).await;
        return sent(app, call, status, &answer);
    };
    tokio::time::sleep(Duration::from_millis(fault.delay_ms)).await;
    let response = if fault.drop_before {
        DropConnection::response()
    } else if fault.drop_after_accept {
        serve(app, call).await;
        DropConnection::response()
    } else {
        faulty(app, call, &fault).await
    };
    if fault.no_cors { without_cors(response) } else { response }
}

/// Notes an answer and sends it.
fn sent(app: &App, call: &Call, status: u16, answer: &Json) -> Response {
    app.control.note_answer(call.endpoint, status, answer);
    json_response(status, answer.to_string())
}

/// The honest answer, with tampers and lies applied.
async fn serve(app: &App, call: &Call) -> (u16, Json) {
    match service::answer(app, call).await {
        Ok(mut answer) => {
            let honest = answer.clone();
            let on_the_way = app.control.distort(call.endpoint, &mut answer);
            service::hand_out(app, call, if on_the_way { &honest } else { &answer }).await;
            (200, answer)
        }
        Err(refusal) => (refusal.status, refusal.json()),
    }
}

async fn faulty(app: &App, call: &Call, fault: &Fault) -> Response {
    let honest = if fault.after_accept || !fault.replaces_answer() { Some(serve(app, call).await) } else { None };
    let replaced = fault.replaces_answer();
    let noted = |status: u16, answer: &Json| {
        app.control.note_answer(call.endpoint, status, answer);
        (status, "application/json; charset=utf-8", answer.to_string())
    };
    let (status, content_type, text) = if let Some(body) = &fault.body {
        (fault.status.unwrap_or(200), "application/json; charset=utf-8", body.clone())
    } else if fault.html {
        let status = fault.status.unwrap_or(502);
        (status, "text/html; charset=utf-8", format!("<!doctype html><title>{status}</title><h1>{status}</h1>\n"))
    } else if let (Some((status, answer)), false) = (honest, replaced) {
        noted(status, &answer)
    } else {
        let status = fault.status.unwrap_or(400);
        let error_type = fault.error_type.as_deref().unwrap_or("InternalError");
        let details = fault.details.as_deref().unwrap_or("as the test asked for");
        noted(status, &Refusal::new(status, error_type, details).json())
    };
    if fault.cut_body { cut(status, content_type, &text) } else { response(status, content_type, Body::from(text)) }
}

/// Announces the whole body, sends half of it, and closes the connection.
fn cut(status: u16, content_type: &'static str, text: &str) -> Response {
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
