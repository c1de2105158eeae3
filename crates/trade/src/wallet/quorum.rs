//! The answers of several nodes to the same requests, and whether they agree.
//!
//! Only the parts of answers that this package reads are compared: nodes differ in the members that they add, in letter
//! case and in leading zeros. See "A second node" in docs/verification.md.

use super::account::{big_quantity, quantity};
use super::reads::{Request, succeeded, timestamp};
use alloy_primitives::U256;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;
use verify::internal::domain::erc20::word;
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::{Json, JsonAt};
use verify::internal::value::text::ToText;

/// A request and its answer; `None` before it was sent.
pub(super) type RequestAnswer = (Request, Option<Result<Json>>);

/// One of several nodes, and its requests.
pub(super) struct Node {
    /// Its place in the application's list for the chain.
    pub(super) place: usize,
    /// The same requests for all nodes.
    pub(super) asked: Vec<RequestAnswer>,
}

impl Node {
    /// A node before its first request.
    pub(super) fn new(place: usize, requests: &[Request]) -> Node {
        Node { place, asked: requests.iter().map(|request| (request.clone(), None)).collect() }
    }

    /// Its answer to one of the requests.
    fn answer(&self, index: usize) -> Option<&Result<Json>> {
        self.asked.get(index).and_then(|(_, answer)| answer.as_ref())
    }
}

/// Writes the common answers of all nodes into the first. Returns the requests whose answers differ.
pub(super) fn merge(nodes: &mut [Node]) -> Vec<usize> {
    let mut differing = Vec::new();
    let Some((first, others)) = nodes.split_first_mut() else { return differing };
    for (index, (request, answer)) in first.asked.iter_mut().enumerate() {
        for theirs in others.iter().filter_map(|other| other.answer(index)) {
            match answer.as_ref().and_then(|ours| both(request, ours, theirs)) {
                Some(both) => *answer = Some(both),
                None if differing.last() == Some(&index) => {}
                None => differing.push(index),
            }
        }
    }
    differing
}

/// The common answer of two nodes; `None` if they differ. An answer that one of them does not have yet, such as a
/// receipt, is not known.
fn both(request: &Request, ours: &Result<Json>, theirs: &Result<Json>) -> Option<Result<Json>> {
    match (ours, theirs) {
        // No answer at all, as after an abort.
        (Err(error), _) | (_, Err(error)) if !error.reverted => Some(Err(error.clone())),
        (Ok(ours), Ok(theirs)) if let Some(merged) = request.merged => merged(ours, theirs).map(Ok),
        // One of them gave no answer.
        (Ok(none @ (Json::Null | Json::Bool(_))), _) | (_, Ok(none @ (Json::Null | Json::Bool(_)))) => {
            Some(Ok(none.clone()))
        }
        _ => (content(request, ours) == content(request, theirs)).then(|| ours.clone()),
    }
}

/// The part of an answer that this package reads, as text for people too.
fn content(request: &Request, answer: &Result<Json>) -> String {
    let Ok(json) = answer else { return "a revert".into() };
    let bytes = JsonAt::input(json, "answer").bytes().unwrap_or_default();
    match request.method {
        "eth_call" if bytes.len() == 32 => word(&bytes).unwrap_or_default().text(),
        "eth_getCode" => [&bytes.len().text(), " bytes of code"].concat(),
        "eth_getBlockByNumber" => match json.get("transactions") {
            Some(Json::Array(all)) if request.params.ends_with("true]") => {
                all.iter().map(|one| members(one, &["hash", "nonce", "from", "to", "value", "input"])).collect()
            }
            _ => [&timestamp(json).text(), " in block ", &members(json, &["number"])].concat(),
        },
        "eth_getTransactionByHash" => members(json, &["nonce", "from", "to", "input"]),
        "eth_getTransactionReceipt" => {
            let status = succeeded(json).map_or("", |is_fine| if is_fine { "1 " } else { "0 " });
            let mut all = [status, &members(json, &["blockNumber"])].concat();
            for log in JsonAt::input(json, "receipt").get("logs").items().into_iter().flatten() {
                all.push_str(&log.json().map_or_else(String::new, |log| members(log, &["address", "topics", "data"])));
            }
            all
        }
        _ => {
            let number = big_quantity(json).or(quantity(json).map(U256::from)).filter(|_| request.method != "eth_call");
            number.map_or_else(|| json.write().to_ascii_lowercase(), |number| number.text())
        }
    }
}

/// These members of an object, in lower case; numbers without leading zeros.
fn members(json: &Json, names: &[&str]) -> String {
    let mut all = String::new();
    for name in names {
        let member = json.get(name).unwrap_or(&Json::Null);
        let number = if *name == "data" || *name == "input" { None } else { big_quantity(member) };
        all.push_str(&number.map_or_else(|| member.write().to_ascii_lowercase(), |number| number.text()));
        all.push(' ');
    }
    all.truncate(all.trim_end().len());
    all
}

/// NODES_DISAGREE: the answers of the first node and another one to that request. Nodes are named by their places in
/// `rpc`: a URL may have a key in it.
pub(super) fn disagreement(chain_id: u64, nodes: &[Node], index: usize) -> Error {
    let said = |node: &Node| {
        let (request, answer) = node.asked.get(index)?;
        Some((request.name, content(request, answer.as_ref()?), node.place))
    };
    let mut all = nodes.iter().filter_map(said);
    let Some((name, first, place)) = all.next() else { return Error::unreachable() };
    let mut other = None;
    for one in all {
        if other.is_none() || one.1 != first {
            other = Some(one);
        }
    }
    let (_, other, other_place) = other.unwrap_or_default();
    let by = |said: String, place: usize| {
        let said =
            if said.len() > MAX_SHOWN { [said.get(..MAX_SHOWN).unwrap_or_default(), "..."].concat() } else { said };
        [&said, " (rpc.", &chain_id.text(), ".", &place.text(), ")"].concat()
    };
    let (expected, actual) = (by(first, place), by(other, other_place));
    Error::at(ErrorCode::NodesDisagree, "two nodes do not say the same of the chain: ", name, &expected, &actual)
}

/// The number of an answer's characters that an error shows.
const MAX_SHOWN: usize = 80;

/// A future of the caller's.
pub type Work<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// Runs all futures at once. Returns the outcomes in the same order.
pub async fn all_of<T>(work: Vec<Work<'_, T>>) -> Vec<T> {
    let mut all: Vec<(Work<'_, T>, Option<T>)> = work.into_iter().map(|one| (one, None)).collect();
    poll_fn(|context| {
        let mut is_done = true;
        for (work, outcome) in &mut all {
            if outcome.is_none() {
                match work.as_mut().poll(context) {
                    Poll::Ready(done) => *outcome = Some(done),
                    Poll::Pending => is_done = false,
                }
            }
        }
        if is_done { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    all.into_iter().filter_map(|(_, outcome)| outcome).collect()
}
