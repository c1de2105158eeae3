//! Nodes: JSON-RPC 2.0 over HTTP (<https://www.jsonrpc.org/specification>).
//!
//! All calls to one URL in the same turn are sent as one batch, which takes the time of one request and of one CORS
//! preflight. If a node refuses batches, or long ones, its later batches are shorter; in the end each call is sent
//! alone.

use crate::abort::{Abort, Wait};
use crate::decode::encode;
use crate::error::define;
use crate::http::exchange;
use crate::promise::promise;
use js_sys::{Function, Promise, Reflect};
use std::cell::RefCell;
use verified_swap::client::endpoint::origin;
use verified_swap::host::{HttpAnswer, HttpRequest, Signal};
use verified_swap::json::{Json, JsonAt, ObjectWriter, array, parse};
use verified_swap::value::text::ToText;
use verified_swap::wallet::account::quantity;
use wasm_bindgen::JsValue;
use web_sys::AbortController;

/// The timeout of a node, in milliseconds. The client's `timeoutMs` may end the wait before.
const NODE_TIMEOUT_MS: u32 = 15_000;
/// The `name` of the error for a node that did not answer.
pub const UNREACHABLE: &str = "RpcUnreachable";
/// The largest batch, in calls: public nodes take this many.
const MAX_BATCH: usize = 20;

/// A URL, and the calls that wait to be sent there.
struct Node {
    url: String,
    waiting: Vec<RpcCall>,
    /// The most calls that the node takes in one batch.
    most: usize,
}

/// A call, and the promise of its answer.
struct RpcCall {
    method: &'static str,
    /// A JSON array.
    params: String,
    resolve: Function,
    reject: Function,
}

thread_local! {
    /// All nodes that were called.
    static NODES: RefCell<Vec<Node>> = const { RefCell::new(Vec::new()) };
}

/// Calls the node of a chain; `params` is a JSON array. Returns a promise of `result`. It rejects with the node's own
/// error object, or with an error named [`UNREACHABLE`] if there is no answer, or none that is JSON-RPC.
pub fn ask(chain_id: u64, url: &str, method: &'static str, params: &str) -> Promise {
    let mut is_first = false;
    let answer = Promise::new(&mut |resolve, reject| {
        let question = RpcCall { method, params: params.into(), resolve, reject };
        NODES.with_borrow_mut(|nodes| {
            match nodes.iter_mut().find(|node| node.url == url) {
                Some(node) => {
                    is_first = node.waiting.is_empty();
                    node.waiting.push(question);
                }
                None => {
                    is_first = true;
                    nodes.push(Node { url: url.into(), waiting: vec![question], most: MAX_BATCH });
                }
            };
        });
    });
    if is_first {
        let url = url.to_owned();
        // Runs at the end of this turn, with all calls made in it.
        let _ = promise(async move {
            let waiting = NODES.with_borrow_mut(|nodes| {
                let node = nodes.iter_mut().find(|node| node.url == url);
                node.map(|node| std::mem::take(&mut node.waiting)).unwrap_or_default()
            });
            send_all(chain_id, &url, waiting);
            Ok(JsValue::UNDEFINED)
        });
    }
    answer
}

/// Sends calls in batches of a size that the node takes.
fn send_all(chain_id: u64, url: &str, mut questions: Vec<RpcCall>) {
    let most = NODES.with_borrow(|nodes| nodes.iter().find(|node| node.url == url).map_or(MAX_BATCH, |node| node.most));
    while !questions.is_empty() {
        let rest = questions.split_off(most.min(questions.len()));
        let url = url.to_owned();
        let _ = promise(async move {
            send(chain_id, url, questions).await;
            Ok(JsValue::UNDEFINED)
        });
        questions = rest;
    }
}

/// Sends calls in one request, and settles each by its answer.
async fn send(chain_id: u64, url: String, questions: Vec<RpcCall>) {
    let mut bodies = Vec::with_capacity(questions.len());
    for (question, id) in questions.iter().zip(1_u64..) {
        let mut out = ObjectWriter::object();
        out.text("jsonrpc", "2.0");
        out.number("id", id);
        out.text("method", question.method);
        out.raw("params", &question.params);
        bodies.push(out.close());
    }
    let is_single = bodies.len() == 1;
    let body = if is_single { bodies.concat() } else { array(&bodies) };
    let unreachable = |why: &str, status: u16| {
        let place = ["rpc.", &*chain_id.text(), ", ", &*origin(&url)].concat();
        let error = js_sys::Error::new(&["the RPC did not answer (", &*place, "): ", why].concat());
        define(&error, &[r#"{"name":""#, UNREACHABLE, r#""}"#].concat());
        with_status(error.into(), status)
    };
    let Some(answer) = post(&url, body).await else {
        let error = unreachable("network error, or no answer in time", 0);
        return questions.iter().for_each(|question| question.reject(&error));
    };
    let status = answer.status;
    let json = parse(&answer.body).ok();
    let answers = match &json {
        Some(Json::Array(answers)) if !is_single => {
            answers.iter().zip(answers.iter().map(|one| one.get("id"))).collect()
        }
        Some(one) if is_single => vec![(one, None)],
        _ => vec![],
    };
    let of = |id: u64| {
        // Some nodes write numbers as text.
        let is_its = |stated: Option<&Json>| stated.and_then(quantity) == Some(id);
        answers.iter().find(|(_, stated)| is_single || is_its(*stated)).map(|(answer, _)| *answer)
    };
    // An error for the whole batch: the node takes no batch, or none of this length.
    let whole = json.as_ref().and_then(|json| json.get("error")).filter(|_| !is_single);
    let is_refused = status < 500 && ![408, 429].contains(&status) && (whole.is_some() || status >= 400);
    if !is_single && is_refused && (1_u64..).zip(&questions).all(|(id, _)| of(id).is_none()) {
        NODES.with_borrow_mut(|nodes| {
            if let Some(node) = nodes.iter_mut().find(|node| node.url == url) {
                node.most = node.most.min(questions.len().div_ceil(2)).max(1);
            }
        });
        // Or the node is too busy: then nothing is sent again at once.
        let is_busy = |error: &&Json| error.get("code").is_some_and(|code| ["-32005", "429"].contains(&&*code.write()));
        match whole.filter(is_busy) {
            Some(error) => {
                let error = with_status(encode(&error.write()), status);
                questions.iter().for_each(|question| question.reject(&error));
            }
            None => send_all(chain_id, &url, questions),
        }
        return;
    }
    for (id, question) in (1_u64..).zip(&questions) {
        let answer = of(id);
        let error = answer.and_then(|answer| JsonAt::service(answer, "").get("error").json());
        match (error.filter(|error| error.as_text().is_none()), answer.and_then(|answer| answer.get("result"))) {
            (Some(error), _) => question.reject(&with_status(encode(&error.write()), status)),
            (None, Some(result)) => question.resolve(&encode(&result.write())),
            (None, None) => {
                let why = ["HTTP status ", &u64::from(status).text(), ", and no JSON-RPC"].concat();
                question.reject(&unreachable(&why, status));
            }
        }
    }
}

impl RpcCall {
    fn resolve(&self, result: &JsValue) {
        let _ = self.resolve.call1(&JsValue::UNDEFINED, result);
    }

    fn reject(&self, error: &JsValue) {
        let _ = self.reject.call1(&JsValue::UNDEFINED, error);
    }
}

/// The answer to a POST; `None` if there is none in time.
async fn post(url: &str, body: String) -> Option<HttpAnswer> {
    let controller = AbortController::new().ok()?;
    let never = Abort::never();
    let request = HttpRequest { url: url.into(), body: Some(body), api_key: None };
    let outcome = Wait::new(&never, Some(NODE_TIMEOUT_MS)).until(exchange(request, &controller, None, false)).await;
    if let Ok(Ok(answer)) = outcome {
        return Some(answer);
    }
    controller.abort();
    None
}

/// The error with the answer's HTTP status, unless that is a success or 0.
fn with_status(error: JsValue, status: u16) -> JsValue {
    if status >= 300 && error.is_object() {
        let _ = Reflect::set(&error, &"status".into(), &status.into());
    }
    error
}
