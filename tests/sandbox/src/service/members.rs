//! Strict readings of what a build or a transaction is asked for with. A member that is null counts as left out.

use alloy_primitives::{Address, Bytes, U256};

use super::{Query, Refusal};
use crate::json::{Json, read_address, read_amount, read_hex};

/// Members that are text in a query, and a number or a switch in a body.
const NUMBERS: [&str; 3] = ["slippage", "srcDecimals", "destDecimals"];
const FLAGS: [&str; 4] = ["isCapSurplus", "takeSurplus", "isSurplusToUser", "isDirectFeeTransfer"];

/// A body, or a query read as one.
#[derive(Clone, Copy, Debug)]
pub struct Members<'a>(pub &'a Json);

/// A query as the body it stands for.
pub fn body_of(query: &Query) -> Json {
    let member = |(name, text): (&str, &str)| {
        let is_number = NUMBERS.contains(&name) && !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
        let is_flag = FLAGS.contains(&name) && ["true", "false"].contains(&text);
        let value = if is_number || is_flag { Json::Scalar(text.to_owned()) } else { Json::string(text) };
        (name.to_owned(), value)
    };
    Json::Object(query.pairs().map(member).collect())
}

impl Members<'_> {
    fn get(&self, name: &str) -> Option<&Json> {
        self.0.get(name).filter(|value| **value != Json::null())
    }

    fn read<T>(&self, name: &str, what: &str, read: impl Fn(&Json) -> Option<T>) -> Result<Option<T>, Refusal> {
        let Some(value) = self.get(name) else { return Ok(None) };
        read(value).map(Some).ok_or_else(|| Refusal::invalid(format!("{name} must be {what}")))
    }

    pub fn text(&self, name: &str) -> Result<Option<String>, Refusal> {
        self.read(name, "a string", Json::as_str)
    }

    pub fn address(&self, name: &str) -> Result<Option<Address>, Refusal> {
        self.read(name, "an address", |value| read_address(&value.as_str()?).filter(|address| !address.is_zero()))
    }

    /// Digits, as a string.
    pub fn amount(&self, name: &str) -> Result<Option<U256>, Refusal> {
        self.read(name, "a decimal string", |value| read_amount(&value.as_str()?))
    }

    /// Digits, as a string or as a number: both are sent.
    pub fn number_or_amount(&self, name: &str) -> Result<Option<U256>, Refusal> {
        self.read(name, "a decimal string", |value| match value.as_str() {
            Some(text) => read_amount(&text),
            None => value.as_u64().map(U256::from),
        })
    }

    pub fn number(&self, name: &str, most: u64) -> Result<Option<u64>, Refusal> {
        let within = |value: &Json| value.as_u64().filter(|number| *number <= most);
        self.read(name, &format!("an integer from 0 to {most}"), within)
    }

    pub fn flag(&self, name: &str) -> Result<Option<bool>, Refusal> {
        self.read(name, "true or false", Json::as_scalar)
    }

    pub fn bytes(&self, name: &str) -> Result<Option<Bytes>, Refusal> {
        let hex = |value: &Json| read_hex(&value.as_str()?);
        self.read(name, "0x-prefixed hex", hex)
    }
}
