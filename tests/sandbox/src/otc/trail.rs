//! OTC orders by the chain's events.

use std::collections::HashMap;

use alloy_primitives::{Address, B256, Bytes, U256};
use alloy_sol_types::SolEvent;
use serde::Deserialize;
use serde_json::json;

use super::{OrderCancelled, OrderFilled};
use crate::chain::{Chain, RpcError};

/// The past of one order of one maker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trail {
    /// In the maker's asset.
    pub filled: U256,
    pub is_cancelled: bool,
    /// That of the last event.
    pub transaction: Option<B256>,
}

/// By maker and order hash: a stranger's cancel of the same hash is another entry.
pub type Trails = HashMap<(Address, B256), Trail>;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Log {
    topics: Vec<B256>,
    data: Bytes,
    transaction_hash: B256,
}

/// Reads every event of the RFQ contract. From the first block each time: the node's chain may be set back.
///
/// # Errors
/// When the node does not answer.
pub async fn read_trails(chain: &Chain) -> Result<Trails, RpcError> {
    let filter = json!([{"address": chain.rfq, "fromBlock": "earliest"}]);
    let logs: Vec<Log> = chain.rpc.call("eth_getLogs", filter).await?;
    let mut trails = Trails::new();
    for log in logs {
        note(&mut trails, log);
    }
    Ok(trails)
}

fn note(trails: &mut Trails, log: Log) {
    let transaction = Some(log.transaction_hash);
    if let Ok(filled) = OrderFilled::decode_raw_log(log.topics.iter().copied(), &log.data) {
        let trail = trails.entry((filled.maker, filled.orderHash)).or_default();
        trail.filled = trail.filled.saturating_add(filled.makerAmount);
        trail.transaction = transaction;
    } else if let Ok(cancelled) = OrderCancelled::decode_raw_log(log.topics.iter().copied(), &log.data) {
        let trail = trails.entry((cancelled.maker, cancelled.orderHash)).or_default();
        trail.is_cancelled = true;
        trail.transaction = transaction;
    }
}
