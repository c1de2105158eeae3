//! The orders that the service builds: of any kind, written member by member from its encoded type.

use super::tree::{at, json, set, text};
use alloy_primitives::U256;
use verify::internal::domain::delta::order::TYPES;
use verify::internal::domain::typed_struct::{members, name, part};
use verify::internal::json::Json;

/// How orders are built besides what the request says.
pub struct Building {
    /// The name of a type of orders in parts.
    pub fillable: &'static str,
    /// Bits of the fee word beyond the fee.
    pub flags: u32,
    /// The address of the native token in the order.
    pub native: Option<&'static str>,
    /// The expected amount of an order with a limit is the quote's all the same.
    pub expects_the_quote: bool,
}

impl Default for Building {
    fn default() -> Building {
        Building { fillable: "FillableOrder", flags: 0, native: None, expects_the_quote: false }
    }
}

/// The (type, value) of the order that the body asks for.
pub fn order(building: &Building, body: &Json, fee_bps: u16, more: &str) -> (&'static str, String) {
    let kind = match body.get("orderType").and_then(Json::as_text) {
        Some(kind) => kind,
        None if body.get("partiallyFillable").is_some_and(|yes| *yes == Json::Bool(true)) => building.fillable,
        None => "Order",
    };
    let encoded = TYPES.into_iter().find(|encoded| name(encoded) == kind).unwrap();
    let all: Vec<String> = members(encoded)
        .map(|(name, _)| {
            // Blanks, which reading and writing again would change.
            let blank = if name == "deadline" { " " } else { "" };
            format!(r#"{blank}"{name}":{}"#, value(building, body, fee_bps, name))
        })
        .collect();
    let value = format!(r#"{{{},{more}"hint":"Caf\u00e9","10":1.0,"serial":12345678901234567890}}"#, all.join(","));
    (encoded, value)
}

/// `toSign.types` of an encoded type.
pub fn types(encoded: &'static str) -> String {
    let all: Vec<String> = encoded
        .split_inclusive(')')
        .map(|one| {
            let fields = members(part(encoded, name(one)).unwrap());
            let fields: Vec<String> = fields.map(|(n, t)| format!(r#"{{"name":"{n}","type":"{t}"}}"#)).collect();
            format!(r#""{}":[{}]"#, name(one), fields.join(","))
        })
        .collect();
    format!("{{{}}}", all.join(","))
}

fn value(building: &Building, body: &Json, fee_bps: u16, member: &str) -> String {
    let amount = |path: &str| -> U256 { text(body, path).parse().unwrap() };
    let quoted = |value: U256| format!(r#""{value}""#);
    let asked = |name: &str| body.get(name).filter(|value| **value != Json::Null).map(Json::write);
    let (input, output) = (amount("route.origin.input.amount"), amount("route.origin.output.amount"));
    let (sells, whole) = (text(body, "side") == "SELL", U256::from(10_000));
    let limit = asked("limitAmount").map(|_| amount("limitAmount"));
    let slippage = || amount("slippage");
    let free = if sells { output } else { input };
    match member {
        "srcToken" => match building.native {
            Some(native) => format!(r#""{native}""#),
            None => at(body, "route.origin.input.token.address").write(),
        },
        "destToken" => at(body, "route.origin.output.token.address").write(),
        "srcAmount" if sells => quoted(input),
        "srcAmount" => quoted(limit.unwrap_or_else(|| input * (whole + slippage()) / whole)),
        "destAmount" | "destAmountPerSlice" if sells => {
            quoted(limit.unwrap_or_else(|| output * (whole - slippage()) / whole))
        }
        "destAmount" => quoted(output),
        "expectedAmount" => quoted(limit.filter(|_| !building.expects_the_quote).unwrap_or(free)),
        "kind" => if sells { "0" } else { "1" }.into(),
        "partnerAndFee" => {
            let cap = body.get("capSurplus").is_some_and(|cap| *cap == Json::Bool(true) && building.flags == 0);
            quoted(U256::from(u32::from(fee_bps) | building.flags | u32::from(cap) << 9))
        }
        "permit" => asked("permit").unwrap_or(r#""0x""#.into()),
        "metadata" => asked("metadata").unwrap_or(r#""0x0102""#.into()),
        "bridge" => bridge(body),
        other => at(body, other).write(),
    }
}

fn bridge(body: &Json) -> String {
    let zero = "0x0000000000000000000000000000000000000000";
    let (from, to) = ("route.origin.input.token.chainId", "route.destination.output.token");
    if text(body, from) == text(body, &format!("{to}.chainId")) {
        return format!(
            r#"{{"protocolSelector":"0x00000000","destinationChainId":0,"outputToken":"{zero}","scalingFactor":0,"protocolData":"0x"}}"#
        );
    }
    let chain = text(body, &format!("{to}.chainId"));
    let unknown = json(r#"{"protocolSelector":"0x0a0b0c0d","scalingFactor":-6,"protocolData":"0x77"}"#);
    let stated = at(body, "route.bridge").get("contractParams");
    let mut params = stated.filter(|params| matches!(params, Json::Object(_))).unwrap_or(&unknown).clone();
    set(&mut params, "outputToken", &at(body, &format!("{to}.address")).write());
    let params = params.write();
    format!(r#"{{"destinationChainId":{chain},{}"#, params.strip_prefix('{').unwrap())
}
