//! The answers of several nodes to the same requests, and whether they agree.
//!
//! Only the parts of answers that this package reads are compared: nodes differ in the members that they add, in letter
//! case and in leading zeros. See "A second node" in docs/verification.md.

use super::account::{big_quantity, hex_quantity, quantity};
use super::chain::{Chain, Node, PAUSE_MS, Quorum, RequestAnswer};
use super::reads::{CLOCKS_APART_SECS, Read, Request, number, succeeded, timestamp};
use crate::host::Host;
use alloy_primitives::U256;
use verify::internal::domain::erc20::word;
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::{Json, JsonAt};
use verify::internal::value::text::ToText;

impl<H: Host> Quorum<H> {
    /// The table.
    pub const ALL: Quorum<H> = Quorum { agree: |chain, nodes| Box::pin(agree(chain, nodes)) };
}

/// The common answers of nodes that were all sent the same requests; if they differ, those at one block.
///
/// # Errors
/// Same as [`settle`].
async fn agree<H: Host>(chain: &Chain<'_, H>, mut nodes: Vec<Node>) -> Result<Vec<RequestAnswer>> {
    let (count, differing) = (nodes.len(), merge(&mut nodes));
    let mut asked = nodes.into_iter().next().map_or_else(Vec::new, |first| first.asked);
    if !differing.is_empty() {
        settle(chain, count, &mut asked, differing).await?;
    }
    Ok(asked)
}

/// Asks `count` nodes again where their answers differed: at the lower of their latest blocks, and once more after
/// a pause, because the slower one may catch up.
///
/// # Errors
/// NODES_DISAGREE if they still differ; those of the nodes.
async fn settle<H: Host>(
    chain: &Chain<'_, H>,
    count: usize,
    asked: &mut [RequestAnswer],
    mut differing: Vec<usize>,
) -> Result<()> {
    let shared = &chain.client.shared;
    for (request, _) in differing.iter().filter_map(|index| asked.get(*index)) {
        (0..chain.count()).for_each(|place| chain.forget(place, request));
    }
    let mut is_second = false;
    loop {
        let outcome = ask_at_one_block(chain, count, asked, &mut differing).await;
        if is_second || !outcome.as_ref().is_err_and(|error| error.code == ErrorCode::NodesDisagree) {
            return outcome;
        }
        is_second = true;
        shared.host.sleep(shared.jittered(PAUSE_MS), chain.signal).await;
    }
}

/// Writes down the answers of `count` nodes at the lower of their latest blocks, and leaves in `differing` the
/// places where they differ. This does not go far back: the block is at most a minute older than the latest one of
/// each.
///
/// # Errors
/// Same as [`settle`].
async fn ask_at_one_block<H: Host>(
    chain: &Chain<'_, H>,
    count: usize,
    asked: &mut [RequestAnswer],
    differing: &mut Vec<usize>,
) -> Result<()> {
    let Some(time) = Read::time().request else { return Err(Error::unreachable()) };
    let heads = chain.ask_nodes(count, std::slice::from_ref(&time)).await?;
    let (mut block, mut latest) = (u64::MAX, 0);
    for (_, head) in heads.iter().flat_map(|node| &node.asked) {
        let head = head.clone().unwrap_or(Ok(Json::Null))?;
        block = block.min(number(head.get("number").unwrap_or(&Json::Null))?);
        latest = latest.max(timestamp(&head));
    }
    let mut again = vec![time.at(block)];
    again.extend(differing.iter().filter_map(|index| asked.get(*index)).map(|(request, _)| request.at(block)));
    let mut nodes = chain.ask_nodes(count, &again).await?;
    let open = merge(&mut nodes);
    let Some(first) = nodes.first() else { return Err(Error::unreachable()) };
    let found = |place: usize| first.asked.get(place).and_then(|(_, answer)| answer.clone());
    let is_near = |header: Json| latest <= timestamp(&header).saturating_add(CLOCKS_APART_SECS);
    if !found(0).unwrap_or(Ok(Json::Null)).is_ok_and(is_near) {
        return Err(disagreement(chain.id(), &heads, 0));
    }
    let mut failed = open.contains(&0).then_some(0);
    let mut place = 0_usize;
    differing.retain(|index| {
        place = place.saturating_add(1);
        let Some((request, answer)) = asked.get_mut(*index) else { return false };
        let is_number = request.method == "eth_blockNumber";
        if open.contains(&place) && !is_number {
            failed.get_or_insert(place);
            return true;
        }
        *answer = if is_number { Some(Ok(Json::String(hex_quantity(U256::from(block))))) } else { found(place) };
        false
    });
    failed.map_or(Ok(()), |place| Err(disagreement(chain.id(), &nodes, place)))
}

/// Writes the common answers of all nodes into the first. Returns the requests whose answers differ.
fn merge(nodes: &mut [Node]) -> Vec<usize> {
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
fn disagreement(chain_id: u64, nodes: &[Node], index: usize) -> Error {
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
