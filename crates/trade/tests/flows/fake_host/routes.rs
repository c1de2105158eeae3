//! The routes of a price: on one chain, or over a bridge.

use alloy_primitives::U256;
use std::collections::HashMap;

/// The token that leaves the source chain of a crosschain trade: 24 decimals, six more than what arrives.
pub const BRIDGED: &str = "0x3333333333333333333333333333333333333333";
/// The token that a bridge brings where it is traded once more after it.
pub const BETWEEN: &str = "0x4444444444444444444444444444444444444444";

/// How a bridge works.
#[derive(Default)]
pub struct Bridge {
    /// The token that it brings is traded once more.
    pub swaps_after: bool,
    /// The token that enters it has 6 decimals, not 24.
    pub coarse: bool,
    /// The part that it keeps, in hundredths of what arrives.
    pub keeps_percent: u64,
    /// The hex digits of what it is given as `protocolData`.
    pub data: &'static str,
}

/// A route for these amounts, and the routes beside it.
pub fn routes(query: &HashMap<String, String>, src: U256, dest: U256, bridge: &Bridge) -> (String, String) {
    let (from, token) = (&query["chainId"], |name: &str| query[name].to_ascii_lowercase());
    let leg = |chain: &str, token: &str, amount: U256| {
        format!(r#"{{"token":{{"chainId":{chain},"address":"{token}"}},"amount":"{amount}","amountUSD":"100.00"}}"#)
    };
    // Text that reading and writing again would change: the order of members, 1.0, long integers, escapes.
    let rest = r#""venue":"Caf\u00e9","10":"ten","2":1.0,"serial":12345678901234567890"#;
    let input = leg(from, &token("srcToken"), src);
    let gas = input.replace(r#""100.00""#, r#""0.00""#);
    let Some(to) = query.get("destChainId") else {
        let output = leg(from, &token("destToken"), dest);
        let route = format!(
            r#"{{"origin":{{"input":{input},"output":{output}}},"destination":{{"input":{output},"output":{output}}},"bridge":null, "fees":{{"gas":{gas},"bridge":[]}},{rest}}}"#
        );
        return (route, "[]".into());
    };
    let over = |protocol: &str, src: U256, dest: U256, selector: &str| {
        let input = leg(from, &token("srcToken"), src);
        let gross = dest * U256::from(100 + bridge.keeps_percent) / U256::from(100);
        let (amount, factor) = match bridge.coarse {
            true => (gross.div_ceil(U256::from(1_000_000_000_000_u64)), 12),
            false => (gross * U256::from(1_000_000), -6),
        };
        let sent = leg(from, BRIDGED, amount);
        let brought = leg(to, if bridge.swaps_after { BETWEEN } else { &query["destToken"] }, dest);
        let output = leg(to, &token("destToken"), dest);
        let params = format!(
            r#"{{"protocolSelector":"{selector}","outputToken":"{}","scalingFactor":{factor},"protocolData":"0x{}"}}"#,
            token("destToken"),
            bridge.data
        );
        let bridge = format!(
            r#"{{"protocol":"{protocol}","estimatedTimeMs":12000,"tags":["recommended"],"contractParams":{params}}}"#
        );
        format!(
            r#"{{"origin":{{"input":{input},"output":{sent}}},"destination":{{"input":{brought},"output":{output}}},"bridge":{bridge}, "fees":{{"gas":{gas},"bridge":[]}},{rest}}}"#
        )
    };
    let (worse_src, worse_dest) = match query["side"].as_str() {
        "SELL" => (src, dest * U256::from(99) / U256::from(100)),
        _ => (src * U256::from(101) / U256::from(100), dest),
    };
    let others = format!("[ {} ]", over("Slow", worse_src, worse_dest, "0x99999999"));
    (over("Fast", src, dest, "0x12345678"), others)
}
