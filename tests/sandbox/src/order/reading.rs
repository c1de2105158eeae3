//! Reads a posted order. Strict: every member there, each in the JSON type the service builds it in.

use alloy_primitives::{Address, Bytes, U256};

use crate::chain::{Bridge, Order};
use crate::json::Json;

/// Reads the members of an `Order`. Others are left alone: they are not part of what is signed.
///
/// # Errors
/// A sentence that names the member.
pub fn read_order(value: &Json) -> Result<Order, String> {
    let order = Members { json: value, path: "order" };
    let bridge = Members { json: order.get("bridge")?, path: "order.bridge" };
    Ok(Order {
        owner: order.address("owner")?,
        beneficiary: order.address("beneficiary")?,
        srcToken: order.address("srcToken")?,
        destToken: order.address("destToken")?,
        srcAmount: order.decimal("srcAmount")?,
        destAmount: order.decimal("destAmount")?,
        expectedAmount: order.decimal("expectedAmount")?,
        deadline: U256::from(order.number("deadline")?),
        kind: u8::try_from(order.number("kind")?).ok().filter(|kind| *kind < 2).ok_or("order.kind must be 0 or 1")?,
        nonce: order.decimal("nonce")?,
        partnerAndFee: order.decimal("partnerAndFee")?,
        permit: order.bytes("permit")?,
        metadata: order.bytes("metadata")?,
        bridge: Bridge {
            protocolSelector: bridge
                .bytes("protocolSelector")?
                .as_ref()
                .try_into()
                .map_err(|_| "order.bridge.protocolSelector must have 4 bytes")?,
            destinationChainId: U256::from(bridge.number("destinationChainId")?),
            outputToken: bridge.address("outputToken")?,
            scalingFactor: bridge.small_integer("scalingFactor")?,
            protocolData: bridge.bytes("protocolData")?,
        },
    })
}

struct Members<'a> {
    json: &'a Json,
    path: &'static str,
}

impl<'a> Members<'a> {
    fn get(&self, name: &str) -> Result<&'a Json, String> {
        self.json.get(name).ok_or_else(|| format!("{}.{name} is missing", self.path))
    }

    fn text(&self, name: &str, what: &str) -> Result<String, String> {
        self.get(name)?.as_str().ok_or_else(|| format!("{}.{name} must be {what}", self.path))
    }

    fn address(&self, name: &str) -> Result<Address, String> {
        let text = self.text(name, "an address")?;
        text.strip_prefix("0x")
            .filter(|digits| digits.len() == 40)
            .and_then(|_| text.parse().ok())
            .ok_or_else(|| format!("{}.{name} must be an address", self.path))
    }

    fn decimal(&self, name: &str) -> Result<U256, String> {
        let what = "a decimal string of at most 256 bits";
        let text = self.text(name, what)?;
        let canonical = text == "0" || (!text.starts_with('0') && text.bytes().all(|digit| digit.is_ascii_digit()));
        let number = if canonical && !text.is_empty() { U256::from_str_radix(&text, 10).ok() } else { None };
        number.ok_or_else(|| format!("{}.{name} must be {what}", self.path))
    }

    fn number(&self, name: &str) -> Result<u64, String> {
        self.get(name)?.as_u64().ok_or_else(|| format!("{}.{name} must be a whole number", self.path))
    }

    fn small_integer(&self, name: &str) -> Result<i8, String> {
        match self.get(name)? {
            Json::Scalar(text) => text.parse().map_err(|_| format!("{}.{name} must be an 8-bit integer", self.path)),
            _ => Err(format!("{}.{name} must be an 8-bit integer", self.path)),
        }
    }

    fn bytes(&self, name: &str) -> Result<Bytes, String> {
        let text = self.text(name, "0x-prefixed hex")?;
        Some(&text)
            .filter(|text| text.starts_with("0x"))
            .and_then(|text| text.parse().ok())
            .ok_or_else(|| format!("{}.{name} must be 0x-prefixed hex", self.path))
    }
}
