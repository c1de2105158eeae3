//! Reads a posted order. Strict: every member there, each in the JSON type the service builds it in.

use alloy_primitives::{Address, Bytes, U256};

use super::{OrderKind, SignedOrder};
use crate::chain::{Bridge, ExternalOrder, Order, TWAPBuyOrder, TWAPOrder};
use crate::json::Json;

/// Reads an order of whichever kind its members are of. `in_parts`: whether the posting says that it may be filled so.
///
/// # Errors
/// A sentence that names the member.
pub fn read_signed(value: &Json, in_parts: bool) -> Result<SignedOrder, String> {
    match kind_of(value) {
        OrderKind::External => read_external(value).map(SignedOrder::External),
        OrderKind::Twap => read_twap(value).map(SignedOrder::Twap),
        OrderKind::TwapBuy => read_twap_buy(value).map(SignedOrder::TwapBuy),
        _ if in_parts => read_order(value).map(SignedOrder::Fillable),
        _ => read_order(value).map(SignedOrder::Order),
    }
}

/// By a member that only that kind has.
fn kind_of(value: &Json) -> OrderKind {
    let has = |name: &str| value.get(name).is_some();
    if has("totalDestAmount") {
        OrderKind::TwapBuy
    } else if has("totalSrcAmount") || has("numSlices") {
        OrderKind::Twap
    } else if has("handler") {
        OrderKind::External
    } else {
        OrderKind::Order
    }
}

/// Reads the members of an `Order`. Others are left alone: they are not part of what is signed.
///
/// # Errors
/// A sentence that names the member.
pub fn read_order(value: &Json) -> Result<Order, String> {
    let order = Members { json: value, path: "order" };
    Ok(Order {
        owner: order.address("owner")?,
        beneficiary: order.address("beneficiary")?,
        srcToken: order.address("srcToken")?,
        destToken: order.address("destToken")?,
        srcAmount: order.decimal("srcAmount")?,
        destAmount: order.decimal("destAmount")?,
        expectedAmount: order.decimal("expectedAmount")?,
        deadline: U256::from(order.number("deadline")?),
        kind: order.kind()?,
        nonce: order.decimal("nonce")?,
        partnerAndFee: order.decimal("partnerAndFee")?,
        permit: order.bytes("permit")?,
        metadata: order.bytes("metadata")?,
        bridge: order.bridge()?,
    })
}

fn read_external(value: &Json) -> Result<ExternalOrder, String> {
    let order = Members { json: value, path: "order" };
    Ok(ExternalOrder {
        owner: order.address("owner")?,
        handler: order.address("handler")?,
        srcToken: order.address("srcToken")?,
        destToken: order.address("destToken")?,
        srcAmount: order.decimal("srcAmount")?,
        destAmount: order.decimal("destAmount")?,
        expectedAmount: order.decimal("expectedAmount")?,
        deadline: U256::from(order.number("deadline")?),
        kind: order.kind()?,
        nonce: order.decimal("nonce")?,
        partnerAndFee: order.decimal("partnerAndFee")?,
        permit: order.bytes("permit")?,
        metadata: order.bytes("metadata")?,
        data: order.bytes("data")?,
    })
}

fn read_twap(value: &Json) -> Result<TWAPOrder, String> {
    let order = Members { json: value, path: "order" };
    Ok(TWAPOrder {
        owner: order.address("owner")?,
        beneficiary: order.address("beneficiary")?,
        srcToken: order.address("srcToken")?,
        destToken: order.address("destToken")?,
        nonce: order.decimal("nonce")?,
        partnerAndFee: order.decimal("partnerAndFee")?,
        deadline: order.number("deadline")?,
        interval: order.number("interval")?,
        numSlices: order.slices()?,
        destAmountPerSlice: order.decimal("destAmountPerSlice")?,
        totalSrcAmount: order.decimal("totalSrcAmount")?,
        permit: order.bytes("permit")?,
        metadata: order.bytes("metadata")?,
        bridge: order.bridge()?,
    })
}

fn read_twap_buy(value: &Json) -> Result<TWAPBuyOrder, String> {
    let order = Members { json: value, path: "order" };
    Ok(TWAPBuyOrder {
        owner: order.address("owner")?,
        beneficiary: order.address("beneficiary")?,
        srcToken: order.address("srcToken")?,
        destToken: order.address("destToken")?,
        nonce: order.decimal("nonce")?,
        partnerAndFee: order.decimal("partnerAndFee")?,
        deadline: order.number("deadline")?,
        interval: order.number("interval")?,
        numSlices: order.slices()?,
        totalDestAmount: order.decimal("totalDestAmount")?,
        maxSrcAmount: order.decimal("maxSrcAmount")?,
        permit: order.bytes("permit")?,
        metadata: order.bytes("metadata")?,
        bridge: order.bridge()?,
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

    fn kind(&self) -> Result<u8, String> {
        let kind = u8::try_from(self.number("kind")?).ok().filter(|kind| *kind < 2);
        kind.ok_or_else(|| format!("{}.kind must be 0 or 1", self.path))
    }

    fn slices(&self) -> Result<u32, String> {
        let slices = u32::try_from(self.number("numSlices")?).ok().filter(|slices| *slices > 1);
        slices.ok_or_else(|| format!("{}.numSlices must be at least 2, in 32 bits", self.path))
    }

    fn bridge(&self) -> Result<Bridge, String> {
        let bridge = Members { json: self.get("bridge")?, path: "order.bridge" };
        let selector = bridge.bytes("protocolSelector")?;
        Ok(Bridge {
            protocolSelector: selector
                .as_ref()
                .try_into()
                .map_err(|_| "order.bridge.protocolSelector must have 4 bytes")?,
            destinationChainId: U256::from(bridge.number("destinationChainId")?),
            outputToken: bridge.address("outputToken")?,
            scalingFactor: bridge.small_integer("scalingFactor")?,
            protocolData: bridge.bytes("protocolData")?,
        })
    }
}
