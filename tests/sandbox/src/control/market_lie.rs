//! The same lies about market swaps.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::lie::{Kind, THIEF, Worse, scale};
use super::tamper::change_call;
use crate::json::{Json, Operation, apply as patch};
use crate::service::Endpoint;

/// Applies the lie; false if it does not concern this answer.
pub fn apply(kind: Kind, worse: Worse, endpoint: Endpoint, answer: &mut Json) -> bool {
    match endpoint {
        Endpoint::Transactions => transaction(kind, endpoint, answer, ""),
        // The route was worsened before the transaction was made of it.
        Endpoint::Swap if kind == Kind::Price => true,
        Endpoint::Swap => route(kind, answer, "/priceRoute") | transaction(kind, endpoint, answer, "/txParams"),
        Endpoint::MarketPrices if kind == Kind::Price => worsen(worse, answer, "/priceRoute"),
        Endpoint::Quote if kind == Kind::Price => worsen(worse, answer, "/market"),
        Endpoint::MarketPrices => route(kind, answer, "/priceRoute"),
        Endpoint::Quote => route(kind, answer, "/market"),
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

/// Lies about the contracts of a price route.
fn route(kind: Kind, answer: &mut Json, block: &str) -> bool {
    if kind != Kind::Spender || answer.at(block).is_none() {
        return false;
    }
    let members = ["contractAddress", "tokenTransferProxy"];
    let replace = |member: &str| Operation::Replace { path: format!("{block}/{member}"), value: THIEF.into() };
    patch(answer, &members.map(replace));
    true
}

/// Worsens a price route, its hops and its dollars; false if there is none. The service builds transactions by it.
pub fn worsen(worse: Worse, answer: &mut Json, block: &str) -> bool {
    let Some(side) = answer.at(&format!("{block}/side")).and_then(Json::as_str) else { return false };
    let at = |path: &str| format!("{block}/{path}");
    let existing =
        |paths: &dyn Fn(usize) -> String| (0..).map(paths).take_while(|path| answer.at(path).is_some()).count();
    let hops = existing(&|index| at(&format!("bestRoute/0/swaps/{index}")));
    let others = existing(&|index| at(&format!("others/{index}")));
    let is_sell = side == "SELL";
    let (amount, hop) = if is_sell { ("destAmount", hops.saturating_sub(1)) } else { ("srcAmount", 0) };
    let elsewhere = (0..others).map(|index| at(&format!("others/{index}/{amount}")));
    let mut amounts = vec![
        at(amount),
        at(&format!("{amount}AfterFee")),
        at(&format!("bestRoute/0/swaps/{hop}/swapExchanges/0/{amount}")),
    ];
    amounts.extend(elsewhere);
    if !is_sell {
        // The dollars of the source token are true, those of what is bought are so many more for each unit.
        amounts.extend(["srcUSD", "destUSD"].map(at));
    }
    let change = |path| if is_sell { worse.less(path) } else { worse.more(path) };
    patch(answer, &amounts.into_iter().map(change).collect::<Vec<_>>());
    true
}
