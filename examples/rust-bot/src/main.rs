//! Sells a token by a gasless order: the service prices and builds it, `verified-swap-verify` checks it, the key signs
//! it, the service takes it. An order that differs from the request is never signed.

use alloy_primitives::{Address, U256, hex};
use alloy_signer::SignerSync;
use alloy_signer_local::PrivateKeySigner;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::env;
use std::error::Error;
use std::time::{SystemTime, UNIX_EPOCH};
use verified_swap_verify::{Context, Contracts, Payload, Quote, Request, verify_order};

/// The service's price. Its texts go back byte for byte.
#[derive(Deserialize)]
struct Priced {
    delta: Box<RawValue>,
}

#[derive(Deserialize)]
struct Routed {
    route: Box<RawValue>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Built {
    to_sign: Box<RawValue>,
    order_hash: String,
}

#[derive(Deserialize)]
struct ToSign {
    value: Box<RawValue>,
}

#[derive(Serialize)]
struct ToBuild<'a> {
    route: &'a RawValue,
    owner: Address,
    beneficiary: Address,
    side: &'a Value,
    slippage: &'a Value,
    deadline: u64,
    partner: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ToPost<'a> {
    order: &'a RawValue,
    signature: String,
    r#type: &'static str,
    chain_id: &'a Value,
    partner: &'static str,
}

const PARTNER: &str = "rust-bot";

fn main() -> Result<(), Box<dyn Error>> {
    let setting = |name: &str| env::var(name).map_err(|_| format!("{name} is not set"));
    let base_url = setting("BASE_URL")?;
    let signer: PrivateKeySigner = setting("PRIVATE_KEY")?.parse()?;
    let owner = signer.address();
    // The pair, the amount and the least that it has to bring: all of it the operator's, nothing of it the service's.
    let mut asked: Value = serde_json::from_str(&setting("REQUEST")?)?;
    asked["account"] = owner.to_string().into();
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
    let deadline = now + 600;
    asked["deadline"] = deadline.into();
    let request = Request::from_json(&asked.to_string())?;
    let delta: Option<Address> = env::var("DELTA").ok().map(|text| text.parse()).transpose()?;
    let contracts = delta.map(|delta| Contracts { delta, ..Contracts::default() });

    let text = |name: &str| asked[name].as_str().map_or_else(|| asked[name].to_string(), String::from);
    let mut query = ureq::get(format!("{base_url}/v2/quote")).query("mode", "DELTA").query("partner", PARTNER);
    for name in ["chainId", "srcToken", "destToken", "amount", "srcDecimals", "destDecimals", "side"] {
        query = query.query(name, text(name));
    }
    let priced: Priced = serde_json::from_str(&query.call()?.body_mut().read_to_string()?)?;
    let routed: Routed = serde_json::from_str(priced.delta.get())?;
    let to_build = ToBuild {
        route: &routed.route,
        owner,
        beneficiary: owner,
        side: &asked["side"],
        slippage: &asked["slippageBps"],
        deadline,
        partner: PARTNER,
    };
    let built: Built = serde_json::from_str(&post(&format!("{base_url}/v2/delta/orders/build"), &to_build)?)?;

    let quote = Quote::from_json(priced.delta.get())?;
    let payload = Payload::from_json(built.to_sign.get(), &built.order_hash)?;
    let rpc = env::var("RPC_URL").ok();
    let decimals = |token: &str| rpc.as_ref().map(|rpc| decimals(rpc, &asked[token])).transpose();
    let context =
        Context { now, contracts, src_decimals: decimals("srcToken")?, dest_decimals: decimals("destToken")? };
    let report = verify_order(&request, &quote, &payload, &context)?;
    println!("{}", report.sentence);
    // Nobody is here to answer one: state a bound in REQUEST, by prices of your own.
    if let Some(question) = report.questions.first() {
        return Err(format!("open: {}", question.text).into());
    }

    let signature = signer.sign_hash_sync(&report.digest)?;
    let to_sign: ToSign = serde_json::from_str(built.to_sign.get())?;
    let to_post = ToPost {
        order: &to_sign.value,
        // The service takes compact ones (ERC-2098).
        signature: hex::encode_prefixed(signature.as_erc2098()),
        r#type: "MARKET",
        chain_id: &asked["chainId"],
        partner: PARTNER,
    };
    let order = post(&format!("{base_url}/v2/delta/orders"), &to_post)?;
    println!("Posted: {order}");
    Ok(())
}

/// The decimals of a token by its own contract ([ERC-20](https://eips.ethereum.org/EIPS/eip-20)).
fn decimals(rpc: &str, token: &Value) -> Result<u8, Box<dyn Error>> {
    let call = json!({ "to": token, "data": "0x313ce567" }); // decimals()
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "eth_call", "params": [call, "latest"] });
    let answer: Value = serde_json::from_str(&post(rpc, &body)?)?;
    let word = answer["result"].as_str().ok_or_else(|| format!("decimals() of {token}: {answer}"))?;
    Ok(u8::try_from(word.parse::<U256>()?)?)
}

/// Posts JSON; the answer's text, or what the service says of its refusal.
fn post(url: &str, body: &impl Serialize) -> Result<String, Box<dyn Error>> {
    let config = ureq::config::Config::builder().http_status_as_error(false).build();
    let mut answer =
        config.new_agent().post(url).content_type("application/json").send(serde_json::to_string(body)?)?;
    let text = answer.body_mut().read_to_string()?;
    if answer.status().is_success() { Ok(text) } else { Err(format!("{}: {text}", answer.status()).into()) }
}
