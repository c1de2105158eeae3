//! The same lies about market swaps.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::lie::{Kind, THIEF, scale};
use super::tamper::change_call;
use crate::json::{Json, Operation, apply as patch};
use crate::service::Endpoint;

/// Applies the lie; false if it does not concern this answer.
pub fn apply(kind: Kind, endpoint: Endpoint, answer: &mut Json) -> bool {
    match endpoint {
        Endpoint::Transactions => transaction(kind, endpoint, answer, ""),
        Endpoint::Swap => price(kind, answer, "/priceRoute") | transaction(kind, endpoint, answer, "/txParams"),
        Endpoint::MarketPrices => price(kind, answer, "/priceRoute"),
        Endpoint::Quote => price(kind, answer, "/market"),
        _ => false,
    }
}

fn transaction(kind: Kind, endpoint: Endpoint, answer: &mut Json, block: &str) -> bool {
    let text = |member: &str| answer.at(&format!("{block}/{member}")).and_then(Json::as_str);
    let Some(data) = text("data") else { return false };
    let mut change = |args: &[(&str, Value)]| {
        let args: BTreeMap<_, _> = args.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        change_call(endpoint, answer, &args);
        true
    };
    match kind {
        Kind::Receiver | Kind::MarketReceiver => match selector(&data) {
            Call::Balancer => change(&[("beneficiaryAndApproveFlag", json!({"low": THIEF}))]),
            Call::MakerPsm => change(&[("beneficiaryDirectionApproveFlag", json!({"low": THIEF}))]),
            Call::Other => change(&[("beneficiary", json!(THIEF))]),
        },
        Kind::Minimum | Kind::MarketMinimum if is_purchase(&data) => {
            change(&[("fromAmount", json!({"num": 10, "den": 1}))]);
            patch(answer, &[scale(format!("{block}/value"), 10, 1)]);
            true
        }
        Kind::Minimum | Kind::MarketMinimum => change(&[("toAmount", json!({"num": 1, "den": 10}))]),
        Kind::MarketTo => {
            patch(answer, &[Operation::Replace { path: format!("{block}/to"), value: THIEF.into() }]);
            true
        }
        _ => false,
    }
}

/// Where a method has its beneficiary.
enum Call {
    Balancer,
    MakerPsm,
    Other,
}

fn selector(data: &str) -> Call {
    match data.get(..10) {
        Some("0xd85ca173" | "0xd6ed22e6") => Call::Balancer,
        Some("0x987e7d8e") => Call::MakerPsm,
        _ => Call::Other,
    }
}

/// By the method; of the one that does both, by bit 254 of its tenth word.
fn is_purchase(data: &str) -> bool {
    match data.get(..10) {
        Some("0x7f457675" | "0xa76f4eb6" | "0x5e94e28d" | "0xd6ed22e6") => true,
        Some("0x987e7d8e") => data.get(10 + 9 * 64..).is_some_and(|word| word.starts_with(['c', 'd', 'e', 'f'])),
        _ => false,
    }
}

/// Lies about the price route; the service builds transactions by it.
fn price(kind: Kind, answer: &mut Json, block: &str) -> bool {
    let Some(side) = answer.at(&format!("{block}/side")).and_then(Json::as_str) else { return false };
    let (num, den, members) = if side == "SELL" {
        (1, 100, ["destAmount", "destAmountAfterFee", "destUSD"])
    } else {
        (100, 1, ["srcAmount", "srcAmountAfterFee", "srcUSD"])
    };
    let operations: Vec<_> = match kind {
        Kind::Price => members.iter().map(|member| scale(format!("{block}/{member}"), num, den)).collect(),
        Kind::Spender => ["contractAddress", "tokenTransferProxy"]
            .iter()
            .map(|member| Operation::Replace { path: format!("{block}/{member}"), value: THIEF.into() })
            .collect(),
        _ => return false,
    };
    patch(answer, &operations);
    true
}
