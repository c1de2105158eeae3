//! The body of a build, and strict readings of its members.

use alloy_primitives::{Address, Bytes, U256};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::super::Refusal;
use super::super::call::{read_address, read_amount};

/// Members this endpoint reads. Others are ignored, as the service does.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[derive(Default)]
pub struct Body<'a> {
    /// Kept as text, to be compared with what was handed out.
    #[serde(borrow)]
    pub route: Option<&'a RawValue>,
    pub owner: Value,
    pub beneficiary: Value,
    pub deadline: Value,
    pub side: Value,
    pub nonce: Value,
    pub permit: Value,
    pub metadata: Value,
    pub slippage: Value,
    pub limit_amount: Value,
    pub partner: Value,
    pub partner_address: Value,
    pub partner_fee_bps: Value,
    pub partner_takes_surplus: Value,
    pub cap_surplus: Value,
    pub partially_fillable: Value,
    pub order_type: Value,
    pub interval: Value,
    pub num_slices: Value,
    pub total_src_amount: Value,
    pub total_dest_amount: Value,
    pub max_src_amount: Value,
    pub handler: Value,
    pub data: Value,
    pub strategy: Value,
}

/// A member that may be left out; null counts as left out.
pub fn optional<'v, T>(
    value: &'v Value,
    name: &str,
    what: &str,
    read: impl Fn(&'v Value) -> Option<T>,
) -> Result<Option<T>, Refusal> {
    if value.is_null() {
        return Ok(None);
    }
    read(value).map(Some).ok_or_else(|| Refusal::invalid(format!("{name} must be {what}")))
}

pub fn required<'v, T>(
    value: &'v Value,
    name: &str,
    what: &str,
    read: impl Fn(&'v Value) -> Option<T>,
) -> Result<T, Refusal> {
    optional(value, name, what, read)?.ok_or_else(|| Refusal::invalid(format!("{name} is required")))
}

pub fn address(value: &Value) -> Option<Address> {
    value.as_str().and_then(read_address).filter(|address| !address.is_zero())
}

pub fn amount(value: &Value) -> Option<U256> {
    value.as_str().and_then(read_amount)
}

pub fn hex(value: &Value) -> Option<Bytes> {
    value.as_str().filter(|text| text.starts_with("0x"))?.parse().ok()
}
