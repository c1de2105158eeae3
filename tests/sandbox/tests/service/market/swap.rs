//! A market swap, step by step, as a client makes it.

use std::time::Duration;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::client::Answer;
use crate::started::{Sandbox, hex_number};
use crate::trade::number;

/// 2 gwei, above any block's base fee here.
const GAS_PRICE_WEI: u128 = 2_000_000_000;

/// A trade, and how it is made. `MarketSwap::default()` sells 100 USDC of the first account for DAI.
#[derive(Clone)]
pub struct MarketSwap {
    pub src: &'static str,
    pub dest: &'static str,
    pub side: &'static str,
    pub amount: u128,
    pub owner: usize,
    /// More of the price's query.
    pub query: String,
    /// Members of the transaction's body beside those of the trade; null takes one away.
    pub body: Value,
    /// The transaction's query.
    pub options: &'static str,
}

impl Default for MarketSwap {
    fn default() -> Self {
        Self {
            src: "USDC",
            dest: "DAI",
            side: "SELL",
            amount: 100_000_000,
            owner: 0,
            query: String::new(),
            body: json!({}),
            options: "",
        }
    }
}

/// A price route: as it came, and read.
#[derive(Clone)]
pub struct Priced {
    pub text: String,
    pub route: Value,
}

/// The amounts that a swap moved, of the sender's; the gas is not counted.
#[derive(Clone, Copy, Debug)]
pub struct Moved {
    pub spent: u128,
    pub received: u128,
}

impl MarketSwap {
    /// With another method than the generic one.
    pub fn by(method: &str) -> Self {
        Self { query: format!("&includeContractMethods={method}"), ..Self::default() }
    }

    pub fn is_sell(&self) -> bool {
        self.side == "SELL"
    }

    pub fn prices_target(&self, sandbox: &Sandbox) -> String {
        format!("/prices/?{}", self.price_query(sandbox))
    }

    pub fn price_query(&self, sandbox: &Sandbox) -> String {
        format!(
            "srcToken={}&destToken={}&amount={}&srcDecimals={}&destDecimals={}&side={}&network=31337&version=6.2{}",
            sandbox.token(self.src),
            sandbox.token(self.dest),
            self.amount,
            sandbox.decimals(self.src),
            sandbox.decimals(self.dest),
            self.side,
            self.query,
        )
    }

    pub fn price(&self, sandbox: &Sandbox) -> Priced {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Body {
            price_route: Box<RawValue>,
        }
        let answer = sandbox.get(&self.prices_target(sandbox));
        let route = answer.ok()["priceRoute"].clone();
        let text = serde_json::from_str::<Body>(&answer.body).unwrap().price_route.get().to_owned();
        Priced { text, route }
    }

    pub fn body(&self, sandbox: &Sandbox, price_route: &str) -> String {
        let mut members = json!({
            "srcToken": sandbox.token(self.src),
            "destToken": sandbox.token(self.dest),
            "userAddress": sandbox.account(self.owner),
            "slippage": 50,
        });
        members[if self.is_sell() { "srcAmount" } else { "destAmount" }] = json!(self.amount.to_string());
        for (name, value) in self.body.as_object().unwrap() {
            if value.is_null() {
                members.as_object_mut().unwrap().remove(name);
            } else {
                members[name] = value.clone();
            }
        }
        format!(r#"{{"priceRoute":{price_route},{}"#, &members.to_string()[1..])
    }

    pub fn try_transaction(&self, sandbox: &Sandbox, price_route: &str) -> Answer {
        let target = format!("/transactions/31337?{}", self.options);
        sandbox.post_text(&target, &self.body(sandbox, price_route)).unwrap()
    }

    /// Prices, approves what may be spent, and has the transaction made.
    pub fn transaction(&self, sandbox: &Sandbox) -> Value {
        self.approve(sandbox, u128::MAX);
        self.try_transaction(sandbox, &self.price(sandbox).text).ok()
    }

    pub fn approve(&self, sandbox: &Sandbox, amount: u128) {
        if self.src != "ETH" {
            let body = json!({
                "chainId": 31337,
                "token": sandbox.token(self.src),
                "owner": sandbox.account(self.owner),
                "spender": sandbox.text("router"),
                "amount": amount.to_string(),
            });
            assert_eq!(sandbox.post("/sandbox/approve", &body).ok()["allowance"], amount.to_string());
        }
    }

    /// Has it made and sent by its user, and sees what moved.
    pub fn done(&self, sandbox: &Sandbox) -> Moved {
        self.send(sandbox, &self.transaction(sandbox))
    }

    pub fn send(&self, sandbox: &Sandbox, transaction: &Value) -> Moved {
        let owner = sandbox.account(self.owner);
        let held = || (sandbox.balance(self.src, &owner), sandbox.balance(self.dest, &owner));
        let before = held();
        let gas = sent(sandbox, &call_of(transaction)) * GAS_PRICE_WEI;
        let after = held();
        let gas_of = |symbol: &str| if symbol == "ETH" { gas } else { 0 };
        Moved { spent: before.0 - after.0 - gas_of(self.src), received: after.1 + gas_of(self.dest) - before.1 }
    }
}

/// Sends a transaction of an unlocked account, waits until it was mined and went well, and returns its gas.
fn sent(sandbox: &Sandbox, transaction: &Value) -> u128 {
    let hash = sandbox.rpc("eth_sendTransaction", json!([transaction]));
    loop {
        let receipt = sandbox.rpc("eth_getTransactionReceipt", json!([hash]));
        if !receipt.is_null() {
            assert_eq!(receipt["status"], "0x1");
            return hex_number(&receipt["gasUsed"]);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The transaction as a node takes it.
pub fn call_of(transaction: &Value) -> Value {
    json!({
        "from": transaction["from"],
        "to": transaction["to"],
        "data": transaction["data"],
        "value": format!("{:#x}", number(&transaction["value"])),
        "gasPrice": format!("{GAS_PRICE_WEI:#x}"),
    })
}

/// The name of the error the router refuses a call with; none when it goes through.
pub fn refusal(sandbox: &Sandbox, transaction: &Value) -> Option<String> {
    const NAMES: [&str; 11] = [
        "IncorrectEthAmount",
        "InsufficientBalanceToPayFees",
        "InsufficientReturnAmount",
        "InvalidOrdersLength",
        "InvalidPools",
        "InvalidQuotedAmount",
        "InvalidSelector",
        "InvalidToAmount",
        "NativePaymentFailed",
        "PermitFailed",
        "Permit2Failed",
    ];
    let reply = sandbox.try_rpc("eth_call", json!([call_of(transaction), "latest"]));
    let data = reply.get("error")?["data"].as_str().unwrap_or_default().to_owned();
    let selector = |name: &str| alloy_primitives::keccak256(format!("{name}()")).to_string()[..10].to_owned();
    let name = NAMES.into_iter().find(|name| data == selector(name));
    Some(name.map_or_else(|| reply["error"].to_string(), str::to_owned))
}

/// The 32-byte words after the selector.
pub fn words(transaction: &Value) -> Vec<String> {
    let data = transaction["data"].as_str().unwrap();
    data.as_bytes()[10..].chunks(64).map(|word| String::from_utf8(word.to_vec()).unwrap()).collect()
}

pub fn word_number(word: &str) -> u128 {
    hex_number(&json!(format!("0x{word}")))
}
