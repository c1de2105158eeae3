//! Reads the body of a post. `expiry` is a number, amounts and `nonceAndMeta` are decimal strings.

use alloy_primitives::{Address, Bytes, U256};
use serde_json::Value;

use super::RfqOrder;

/// A posted order before anything of it was checked but its form.
#[derive(Clone, Debug)]
pub struct Draft {
    pub order: RfqOrder,
    pub signature: Bytes,
    /// For the maker's asset; the service keeps it and gives it back.
    pub permit_maker_asset: Option<Bytes>,
}

/// # Errors
/// A sentence that names the member.
pub fn read_draft(body: &Value) -> Result<Draft, String> {
    let permit = &body["permitMakerAsset"];
    Ok(Draft {
        order: RfqOrder {
            nonceAndMeta: amount(body, "nonceAndMeta")?,
            expiry: body["expiry"].as_u64().map(u128::from).ok_or("expiry must be a whole number of unix seconds")?,
            makerAsset: address(body, "makerAsset")?,
            takerAsset: address(body, "takerAsset")?,
            maker: address(body, "maker")?,
            taker: address(body, "taker")?,
            makerAmount: amount(body, "makerAmount")?,
            takerAmount: amount(body, "takerAmount")?,
        },
        signature: hex(body, "signature")?,
        permit_maker_asset: if permit.is_null() { None } else { Some(hex(body, "permitMakerAsset")?) },
    })
}

fn text<'a>(body: &'a Value, name: &str, what: &str) -> Result<&'a str, String> {
    body[name].as_str().ok_or_else(|| format!("{name} must be {what}"))
}

fn address(body: &Value, name: &str) -> Result<Address, String> {
    let text = text(body, name, "an address")?;
    let digits = text.strip_prefix("0x").filter(|digits| digits.len() == 40);
    digits.and_then(|digits| digits.parse().ok()).ok_or_else(|| format!("{name} must be an address"))
}

fn amount(body: &Value, name: &str) -> Result<U256, String> {
    let what = "a decimal string of at most 256 bits";
    let text = text(body, name, what)?;
    let is_canonical = text == "0" || (!text.starts_with('0') && text.bytes().all(|digit| digit.is_ascii_digit()));
    let number = if is_canonical && !text.is_empty() { U256::from_str_radix(text, 10).ok() } else { None };
    number.ok_or_else(|| format!("{name} must be {what}"))
}

fn hex(body: &Value, name: &str) -> Result<Bytes, String> {
    let text = text(body, name, "0x-prefixed hex")?;
    let bytes = text.strip_prefix("0x").and_then(|digits| digits.parse().ok());
    bytes.ok_or_else(|| format!("{name} must be 0x-prefixed hex"))
}
