//! A swap, step by step, as a client makes it.

use std::time::{Duration, Instant};

use alloy_primitives::U256;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::client::Answer;
use crate::started::Sandbox;

/// A trade, and how it is made. `Swap::default()` sells 100 USDC of the first account for DAI.
#[derive(Clone)]
pub struct Swap {
    pub src: &'static str,
    pub dest: &'static str,
    pub side: &'static str,
    pub amount: u128,
    pub owner: usize,
    /// Members of the build's body beside route, owner, side and deadline; null takes one away.
    pub build: Value,
    /// Members of the post's body in place of, or beside, the usual ones.
    pub post: Value,
    pub valid_for_secs: u64,
    /// More of the quote's query.
    pub query: String,
    pub partner: &'static str,
}

impl Default for Swap {
    fn default() -> Self {
        Self {
            src: "USDC",
            dest: "DAI",
            side: "SELL",
            amount: 100_000_000,
            owner: 0,
            build: json!({}),
            post: json!({}),
            valid_for_secs: 600,
            query: String::new(),
            partner: "anon",
        }
    }
}

/// The delta block, with the route as it came.
pub struct Quote {
    pub route: String,
    pub delta: Value,
}

/// A built order, signed.
#[derive(Clone)]
pub struct Signed {
    pub order: Value,
    pub hash: String,
    /// 64 bytes.
    pub signature: String,
}

impl Swap {
    pub fn quote_target(&self, sandbox: &Sandbox) -> String {
        format!(
            "/v2/quote/?chainId=31337&srcToken={}&destToken={}&amount={}&srcDecimals={}&destDecimals={}&side={}&mode=DELTA&partner={}{}",
            sandbox.token(self.src),
            sandbox.token(self.dest),
            self.amount,
            sandbox.decimals(self.src),
            sandbox.decimals(self.dest),
            self.side,
            self.partner,
            self.query,
        )
    }

    pub fn quote(&self, sandbox: &Sandbox) -> Quote {
        let answer = sandbox.get(&self.quote_target(sandbox));
        assert_eq!(answer.status, 200, "{}", answer.body);
        Quote { route: raw_route(&answer.body), delta: answer.json()["delta"].clone() }
    }

    pub fn build_body(&self, sandbox: &Sandbox, route: &str) -> String {
        let mut members = json!({
            "owner": sandbox.account(self.owner),
            "side": self.side,
            "slippage": 50,
            "partner": self.partner,
            "deadline": sandbox.now() + self.valid_for_secs,
        });
        for (name, value) in self.build.as_object().unwrap() {
            if value.is_null() {
                members.as_object_mut().unwrap().remove(name);
            } else {
                members[name] = value.clone();
            }
        }
        format!(r#"{{"route":{route},{}"#, &members.to_string()[1..])
    }

    pub fn try_build(&self, sandbox: &Sandbox, route: &str) -> Answer {
        sandbox.post_text("/v2/delta/orders/build", &self.build_body(sandbox, route)).unwrap()
    }

    /// Quotes, builds, signs.
    pub fn signed(&self, sandbox: &Sandbox) -> Signed {
        let built = self.try_build(sandbox, &self.quote(sandbox).route).ok();
        sign(sandbox, &sandbox.account(self.owner), &built)
    }

    /// Approves what is needed, and a bit more.
    pub fn approve(&self, sandbox: &Sandbox) {
        sandbox.approve(self.src, &sandbox.account(self.owner), u128::MAX / 2);
    }

    /// The whole way to the posted order.
    pub fn posted(&self, sandbox: &Sandbox) -> (Signed, Value) {
        self.approve(sandbox);
        let signed = self.signed(sandbox);
        let order = self.post(sandbox, &signed).ok();
        (signed, order)
    }

    pub fn post(&self, sandbox: &Sandbox, signed: &Signed) -> Answer {
        sandbox.post("/v2/delta/orders", &self.post_body(signed))
    }

    pub fn post_body(&self, signed: &Signed) -> Value {
        let mut members = json!({
            "order": signed.order,
            "signature": signed.signature,
            "chainId": 31337,
            "partner": self.partner,
            "type": "MARKET",
        });
        for (name, value) in self.post.as_object().unwrap() {
            members[name] = value.clone();
        }
        members
    }
}

/// The texts of a delta block's routes, the recommended one first.
#[derive(Deserialize)]
pub struct Routes {
    route: Box<RawValue>,
    alternatives: Vec<Box<RawValue>>,
}

impl Routes {
    pub fn texts(&self) -> Vec<&str> {
        [&self.route].into_iter().chain(&self.alternatives).map(|route| route.get()).collect()
    }
}

/// The text of `delta.route` in a quote.
pub fn raw_route(quote: &str) -> String {
    delta_routes(quote).texts()[0].to_owned()
}

pub fn delta_routes(quote: &str) -> Routes {
    #[derive(Deserialize)]
    struct Body {
        delta: Routes,
    }
    serde_json::from_str::<Body>(quote).unwrap().delta
}

/// Has the node sign what was built, by eth_signTypedData_v4.
pub fn sign(sandbox: &Sandbox, owner: &str, built: &Value) -> Signed {
    let to_sign = &built["toSign"];
    Signed {
        order: to_sign["value"].clone(),
        hash: built["orderHash"].as_str().unwrap().to_owned(),
        signature: compact(&sign_typed_data(sandbox, owner, to_sign)),
    }
}

/// The 65 bytes a wallet gives for `{domain, types, value}`. The type that is signed is the one no other refers to.
pub fn sign_typed_data(sandbox: &Sandbox, owner: &str, to_sign: &Value) -> String {
    let mut types = to_sign["types"].clone();
    types["EIP712Domain"] = json!([
        {"name": "name", "type": "string"},
        {"name": "version", "type": "string"},
        {"name": "chainId", "type": "uint256"},
        {"name": "verifyingContract", "type": "address"},
    ]);
    let primary_type =
        types.as_object().unwrap().keys().find(|name| !["Bridge", "EIP712Domain"].contains(&name.as_str()));
    let typed_data = json!({
        "types": types,
        "primaryType": primary_type,
        "domain": to_sign["domain"],
        "message": to_sign["value"],
    });
    let signature = sandbox.rpc("eth_signTypedData_v4", json!([owner, typed_data.to_string()]));
    signature.as_str().unwrap().to_owned()
}

/// 65 bytes to 64 (ERC-2098).
pub fn compact(signature: &str) -> String {
    assert_eq!(signature.len(), 132);
    let mut bytes = signature.to_owned();
    let v = u8::from_str_radix(&bytes.split_off(130), 16).unwrap();
    let top = u8::from_str_radix(&bytes[66..68], 16).unwrap() | if v % 27 == 1 { 0x80 } else { 0 };
    bytes.replace_range(66..68, &format!("{top:02x}"));
    bytes
}

/// Reads an order until it has that status.
pub fn wait_for(sandbox: &Sandbox, id: &Value, status: &str) -> Value {
    let began = Instant::now();
    loop {
        let order = read(sandbox, id);
        if order["status"] == status {
            return order;
        }
        assert!(began.elapsed() < Duration::from_secs(30), "still {} in place of {status}", order["status"]);
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Reads an order until that many transactions settled parts of it.
pub fn wait_for_fills(sandbox: &Sandbox, id: &Value, fills: usize) -> Value {
    let began = Instant::now();
    loop {
        let order = read(sandbox, id);
        if order["transactions"].as_array().unwrap().len() == fills {
            return order;
        }
        assert!(began.elapsed() < Duration::from_secs(30), "not {fills} fills: {order}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

pub fn read(sandbox: &Sandbox, id: &Value) -> Value {
    sandbox.get(&format!("/v2/delta/orders/{}", id.as_str().unwrap())).ok()
}

/// The order with one member changed, for every member that is not refused for what it is before anybody looks at the
/// signature.
pub fn changed_members(sandbox: &Sandbox, order: &Value) -> Vec<(String, Value)> {
    let mut changed = Vec::new();
    for (member, value) in order.as_object().unwrap() {
        let other = match (member.as_str(), value) {
            ("permit" | "bridge", _) => continue,
            ("srcToken" | "destToken", _) => json!(sandbox.token("USDT")),
            ("metadata" | "data", _) => json!("0x01"),
            (_, Value::Number(number)) => json!(number.as_u64().unwrap() ^ 1),
            (_, Value::String(text)) if text.starts_with("0x") => json!(sandbox.account(3)),
            (_, value) => json!((value.as_str().unwrap().parse::<U256>().unwrap() ^ U256::from(1)).to_string()),
        };
        assert_ne!(other, *value, "{member}");
        let mut order = order.clone();
        order[member] = other;
        changed.push((member.clone(), order));
    }
    changed
}

/// The signature with one bit changed.
pub fn flip(signature: &str, bit: usize) -> String {
    let digit = 2 + bit / 4;
    let value = u8::from_str_radix(&signature[digit..=digit], 16).unwrap() ^ (1 << (3 - bit % 4));
    format!("{}{value:x}{}", &signature[..digit], &signature[digit + 1..])
}

/// A decimal string of an answer.
pub fn number(value: &Value) -> u128 {
    value.as_str().unwrap_or_else(|| panic!("{value} is not a decimal string")).parse().unwrap()
}
