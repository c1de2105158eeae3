//! A request, and strict readings of its parameters.

use std::collections::HashMap;

use alloy_primitives::{Address, U256};
use serde_json::value::RawValue;

use super::{Endpoint, Refusal};
use crate::chain::{NATIVE, NATIVE_TEXT};
use crate::json::{Json, read_address, read_amount};

/// A request to the service.
#[derive(Clone, Debug)]
pub struct Call {
    pub endpoint: Endpoint,
    /// The variable part of the path: an id, a hash, a chain.
    pub subject: Option<String>,
    pub query: Query,
    pub body: String,
}

impl Call {
    /// The body, read.
    pub fn json(&self) -> Result<Json, Refusal> {
        Json::parse(&self.body).map_err(not_json)
    }

    /// A member of the body as it was written, to be compared with what was handed out.
    pub fn verbatim(&self, name: &str) -> Result<&str, Refusal> {
        let mut members: HashMap<String, Option<&RawValue>> = serde_json::from_str(&self.body).map_err(not_json)?;
        members.remove(name).flatten().map(RawValue::get).ok_or_else(|| Refusal::missing(name))
    }
}

fn not_json(error: serde_json::Error) -> Refusal {
    Refusal::invalid(format!("the body is not JSON: {error}"))
}

/// The parameters after `?`, decoded.
#[derive(Clone, Debug)]
pub struct Query(Vec<(String, String)>);

impl Query {
    pub fn parse(text: &str) -> Self {
        Self(form_urlencoded::parse(text.as_bytes()).into_owned().collect())
    }

    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// With the native token's placeholder in its own casing, in whichever it came.
    pub fn recased(mut self) -> Self {
        for (_, value) in &mut self.0 {
            if value.eq_ignore_ascii_case(NATIVE_TEXT) {
                NATIVE_TEXT.clone_into(value);
            }
        }
        self
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.pairs().find(|(key, _)| *key == name).map(|(_, value)| value)
    }

    pub fn required(&self, name: &str) -> Result<&str, Refusal> {
        self.get(name).filter(|value| !value.is_empty()).ok_or_else(|| Refusal::missing(name))
    }

    /// A whole number within bounds; none where it was left out.
    pub fn number(&self, name: &str, least: u64, most: u64) -> Result<Option<u64>, Refusal> {
        let Some(text) = self.get(name) else { return Ok(None) };
        let digits = Some(text).filter(|text| text.bytes().all(|digit| digit.is_ascii_digit()));
        match digits.and_then(|digits| digits.parse().ok()).filter(|number| (least..=most).contains(number)) {
            Some(number) => Ok(Some(number)),
            None => Err(Refusal::invalid(format!("{name} must be an integer from {least} to {most}"))),
        }
    }

    /// A boolean; none where it was left out.
    pub fn flag(&self, name: &str) -> Result<Option<bool>, Refusal> {
        match self.get(name) {
            None => Ok(None),
            Some("true") => Ok(Some(true)),
            Some("false") => Ok(Some(false)),
            Some(_) => Err(Refusal::invalid(format!("{name} must be true or false"))),
        }
    }

    /// A percentage of 0 to 100; none where it was left out.
    pub fn percent(&self, name: &str) -> Result<Option<f64>, Refusal> {
        let Some(text) = self.get(name) else { return Ok(None) };
        let percent = text.parse::<f64>().ok().filter(|percent| (0.0..=100.0).contains(percent));
        percent.map(Some).ok_or_else(|| Refusal::invalid(format!("{name} must be a percentage")))
    }

    /// A number of dollars; none where it was left out.
    pub fn dollars(&self, name: &str) -> Result<Option<f64>, Refusal> {
        let Some(text) = self.get(name) else { return Ok(None) };
        let dollars = text.parse::<f64>().ok().filter(|dollars| dollars.is_finite() && *dollars >= 0.0);
        dollars.map(Some).ok_or_else(|| Refusal::invalid(format!("{name} must be a number of dollars")))
    }

    /// A comma-joined list; empty where it was left out.
    pub fn list(&self, name: &str) -> Vec<&str> {
        self.get(name).unwrap_or_default().split(',').filter(|item| !item.is_empty()).collect()
    }

    /// A token: an address, or the native token by its placeholder in the one casing that is accepted.
    pub fn token(&self, name: &str) -> Result<Address, Refusal> {
        let text = self.required(name)?;
        read_address(text)
            .filter(|address| !address.is_zero() && (*address != NATIVE || text == NATIVE_TEXT))
            .ok_or_else(|| Refusal::invalid(format!("Invalid {name}")))
    }

    /// An account; none where it was left out.
    pub fn account(&self, name: &str) -> Result<Option<Address>, Refusal> {
        let Some(text) = self.get(name) else { return Ok(None) };
        read_address(text).map(Some).ok_or_else(|| Refusal::invalid(format!("Invalid {name}")))
    }

    /// A positive amount in raw units.
    pub fn amount(&self, name: &str) -> Result<U256, Refusal> {
        read_amount(self.required(name)?)
            .filter(|amount| !amount.is_zero())
            .ok_or_else(|| Refusal::invalid(format!("{name} must be a positive integer of raw units")))
    }
}

#[cfg(test)]
mod tests {
    use super::Query;

    #[test]
    fn the_native_token_is_known_by_one_spelling_only() {
        let token = |text: &str| Query::parse(&format!("srcToken={text}")).token("srcToken");
        assert!(token("0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE").is_ok());
        for refused in [
            "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee",
            "0xEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEE",
            "0x0",
            "0x0000000000000000000000000000000000000000",
            "ETH",
            "",
        ] {
            assert_eq!(token(refused).unwrap_err().status, 400, "{refused}");
        }
        assert_eq!(token("0x0").unwrap_err().details, "Invalid srcToken");
    }

    #[test]
    fn amounts_are_digits_and_positive() {
        let amount = |text: &str| Query::parse(&format!("amount={text}")).amount("amount").is_ok();
        assert!(amount("1"));
        assert!(["0", "", "-1", "1.0", "1e3", "0x1", "%2B1", "+1"].iter().all(|text| !amount(text)));
    }
}
