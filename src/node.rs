//! Nodes: JSON-RPC 2.0 over HTTP (<https://www.jsonrpc.org/specification>).
//!
//! All calls to one URL in the same turn are sent as one batch, which takes the time of one request and of one CORS
//! preflight. Calls that a node refuses together, or leaves unanswered, are sent again in halves, in the end each alone;
//! its later batches are as short as those that it answered.

use crate::abort::{Abort, Wait};
use crate::decode::encode;
use crate::error::define;
use crate::http::exchange;
use crate::promise::promise;
use js_sys::{Function, Promise, Reflect};
use std::cell::RefCell;
use trade::client::endpoint::origin;
use trade::host::{HttpAnswer, HttpRequest, Signal};
use trade::wallet::account::quantity;
use verify::internal::json::{Json, JsonAt, ObjectWriter, array, parse};
use verify::internal::value::text::{ToText, contains};
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
fn send_all(chain_id: u64, url: &str, questions: Vec<RpcCall>) {
    let most = NODES.with_borrow(|nodes| nodes.iter().find(|node| node.url == url).map_or(MAX_BATCH, |node| node.most));
    send_parts(chain_id, url, questions, most, false);
}

/// Sends calls in batches of at most so many, all at once. `is_again`: a longer batch with them was refused.
fn send_parts(chain_id: u64, url: &str, mut questions: Vec<RpcCall>, most: usize, is_again: bool) {
    while !questions.is_empty() {
        let rest = questions.split_off(most.min(questions.len()));
        let url = url.to_owned();
        let _ = promise(async move {
            send(chain_id, url, questions, is_again).await;
            Ok(JsValue::UNDEFINED)
        });
        questions = rest;
    }
}

/// Sends calls in one request, and settles each by its answer; those without one are sent again, shorter. Returns
/// whether one was settled by an answer of its own.
async fn send(chain_id: u64, url: String, questions: Vec<RpcCall>, is_again: bool) -> bool {
    let (bodies, count) = (questions.iter().zip(1_u64..).map(|(call, id)| call.body(id)), questions.len());
    let is_single = count == 1;
    let bodies: Vec<String> = bodies.collect();
    let body = if is_single { bodies.concat() } else { array(&bodies) };
    let unreachable = |why: &str, status: u16| {
        let place = ["rpc.", &*chain_id.text(), ", ", &*origin(&url)].concat();
        let error = js_sys::Error::new(&["the RPC did not answer (", &*place, "): ", why].concat());
        define(&error, &[r#"{"name":""#, UNREACHABLE, r#""}"#].concat());
        with_status(error.into(), status)
    };
    let Some(answer) = post(&url, body).await else {
        let error = unreachable("network error, or no answer in time", 0);
        questions.iter().for_each(|question| question.reject(&error));
        return false;
    };
    let status = answer.status;
    let json = parse(answer.body.trim_start_matches('\u{feff}')).ok();
    let answers = match &json {
        Some(Json::Array(answers)) if !is_single => answers.iter().collect(),
        Some(one) if is_single => vec![one],
        _ => vec![],
    };
    // Some nodes write ids as text.
    let is_its = |one: &Json, id| is_single || one.get("id").and_then(quantity) == Some(id);
    let of = |id: u64| answers.iter().find(|one| is_its(one, id)).and_then(|one| outcome(one));
    let mut outcomes: Vec<Option<Outcome<'_>>> = (1_u64..).map(of).take(count).collect();
    // An error in place of answers, or the same one for all that are there, is about the batch.
    let listed = || answers.iter().filter_map(|one| outcome(one));
    let first = json.as_ref().and_then(outcome).or_else(|| listed().next());
    let failure = first.and_then(Outcome::err);
    let code = failure.and_then(|error| error.get("code")).map(Json::write);
    let is_busy = status >= 500 || [408, 429].contains(&status) || matches!(code.as_deref(), Some("-32005" | "429"));
    let refusal = failure.filter(|error| !is_single && !is_revert(error));
    let refusal = refusal.filter(|error| listed().all(|one| one.is_err_and(|other| other == *error)));
    if refusal.is_some() {
        outcomes.fill(None);
    }
    let is_answered = outcomes.iter().any(Option::is_some) && !(is_single && is_busy);
    if is_again && is_answered {
        NODES.with_borrow_mut(|nodes| {
            if let Some(node) = nodes.iter_mut().find(|node| node.url == url) {
                node.most = node.most.min(count);
            }
        });
    }
    let mut left = Vec::new();
    for (outcome, question) in outcomes.into_iter().zip(questions) {
        match outcome {
            Some(Ok(result)) => question.resolve(&encode(&result.write())),
            Some(Err(error)) => question.reject(&with_status(encode(&error.write()), status)),
            None => left.push(question),
        }
    }
    let error = || match refusal {
        Some(error) => with_status(encode(&error.write()), status),
        None => unreachable(&["HTTP status ", &u64::from(status).text(), ", and no JSON-RPC"].concat(), status),
    };
    let is_told_when = answer.retry_after_secs.is_some();
    // A node that is too busy refuses a single call, too: then nothing is sent again.
    let probe = if is_busy && !is_single && !is_told_when && !left.is_empty() { Some(left.remove(0)) } else { None };
    let is_over = match probe {
        Some(probe) => !Box::pin(send(chain_id, url.clone(), vec![probe], true)).await,
        None => is_single || is_told_when,
    };
    if is_over {
        left.iter().for_each(|question| question.reject(&error()));
    } else {
        let half = left.len().div_ceil(2).min(count.div_ceil(2)).max(1);
        send_parts(chain_id, &url, left, half, true);
    }
    is_answered
}

/// A call's result, or its error.
type Outcome<'a> = Result<&'a Json, &'a Json>;

/// The outcome in an answer; `None` if it has neither.
fn outcome(answer: &Json) -> Option<Outcome<'_>> {
    let error = JsonAt::service(answer, "").get("error").json();
    error.filter(|error| error.as_text().is_none()).map(Err).or_else(|| answer.get("result").map(Ok))
}

/// Whether an error is a call's own: it ran, and reverted.
fn is_revert(error: &Json) -> bool {
    let code = error.get("code").map(Json::write);
    matches!(code.as_deref(), Some("3" | "-32015")) || error.get("data").is_some() || contains(&error.write(), "revert")
}

impl RpcCall {
    /// The request, under that id.
    fn body(&self, id: u64) -> String {
        let mut out = ObjectWriter::object();
        out.text("jsonrpc", "2.0");
        out.number("id", id);
        out.text("method", self.method);
        out.raw("params", &self.params);
        out.close()
    }

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
