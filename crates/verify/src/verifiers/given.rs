//! What every verifier is given: the request, the payload, and what the caller knows beside them.

use super::typed_data::normalize;
use crate::domain::chain::{Deployment, Protocol, application_contracts, deployment};
use crate::domain::input::{known, optional, unix_secs};
use crate::domain::intent::{Intent, Token};
use crate::domain::reference::soft_float::{SoftFloat, decimal_price};
use crate::domain::reference::trade_references::{PriceReferences, ReferenceKind, ReferencePrice, TradeReferences};
use crate::domain::token::{self, NATIVE, own_decimals};
use crate::domain::verify::market_transaction::Envelope;
use crate::error::{Error, Result};
use crate::json::{Json, JsonAt, array, parse, quoted};
use crate::value::text::ToText;
use crate::wire::price_route::read_envelope;
use alloy_primitives::{Address, U256};

/// The members that every verifier takes.
const SHARED: [&str; 4] = ["request", "contracts", "now", "readings"];

/// The input of a verifier.
pub struct Given<'a> {
    /// The whole input.
    pub at: JsonAt<'a>,
    /// The time by which it judges, unix seconds: the reading of the chain's clock, else `now`, else this machine's.
    pub now: u64,
    /// The names of the readings that would judge more and were not brought.
    unread: Vec<&'static str>,
}

/// A quantity as JSON-RPC has it, `0x` and hex digits, in decimal.
fn hex_quantity(text: &str) -> Option<String> {
    let digits = text.strip_prefix("0x").filter(|digits| (1..=64).contains(&digits.len()))?;
    U256::from_str_radix(digits, 16).ok().map(|number| number.text())
}

/// Reads `{ src, dest, price }`: the price of one whole `src` in `dest`, for these two tokens and no others.
fn read_price(at: &JsonAt<'_>, src: Address, dest: Address) -> Result<SoftFloat> {
    known(at, &["src", "dest", "price"])?;
    for (name, expected) in [("src", src), ("dest", dest)] {
        if token::read(&at.get(name))? != expected {
            return Err(at.get(name).fault(&expected.text()));
        }
    }
    let price = at.get("price").number_or_text().and_then(decimal_price).filter(|price| !price.is_zero());
    price.ok_or_else(|| at.get("price").fault("the price of one src in dest, a decimal as text"))
}

impl<'a> Given<'a> {
    /// Reads the members that all verifiers have. `own` are those of this one, `readings` the names of the readings that
    /// it takes beside `time`; `machine` is unix seconds by this machine's clock.
    ///
    /// # Errors
    /// INVALID_INPUT with the member that is unknown or malformed.
    pub fn read(input: &'a Json, own: &[&str], readings: &[&str], machine: u64) -> Result<Given<'a>> {
        if !matches!(input, Json::Object(_)) {
            return Err(JsonAt::input(input, "input").fault("an object"));
        }
        let at = JsonAt::input(input, "");
        known(&at, &[&SHARED, own].concat())?;
        let now = optional(&at.get("now"), unix_secs)?.unwrap_or(machine);
        let brought = at.get("readings");
        if !brought.is_absent() {
            known(&brought, &[&["time"], readings].concat())?;
        }
        let mut given = Given { at, now, unread: Vec::new() };
        given.now = given.reading("time", unix_secs)?.unwrap_or(now);
        Ok(given)
    }

    /// The user's request.
    pub fn request(&self) -> JsonAt<'a> {
        self.at.get("request")
    }

    /// A reading that the caller brought. One that it did not is named in the report.
    ///
    /// # Errors
    /// The errors of `read`.
    pub fn reading<T>(&mut self, name: &'static str, read: fn(&JsonAt<'a>) -> Result<T>) -> Result<Option<T>> {
        let found = optional(&self.at.get("readings").get(name), read)?;
        if found.is_none() {
            self.leave_unread(name);
        }
        Ok(found)
    }

    /// Names in the report what this verifier cannot judge.
    pub fn leave_unread(&mut self, name: &'static str) {
        self.unread.push(name);
    }

    /// The contracts of a chain: the caller's, else the pinned ones.
    ///
    /// # Errors
    /// UNSUPPORTED_CHAIN if neither has the protocol's contract; INVALID_INPUT with the member of `contracts`.
    pub fn deployment(&self, chain_id: u64, protocol: Protocol) -> Result<Deployment> {
        let named = optional(&self.at.get("contracts").get(&chain_id.text()), application_contracts)?;
        deployment(chain_id, protocol, named)
    }

    /// Settles both tokens' decimals by the readings: a token of no table counts as stated by the app alone, unless its
    /// own decimals were brought.
    ///
    /// # Errors
    /// INVALID_INPUT with the request's member if the token has other decimals.
    pub fn settle_decimals(&mut self, intent: &mut Intent) -> Result<()> {
        intent.note_unread(vec![intent.chain_id, intent.dest_chain_id]);
        self.settle_token("srcDecimals", "request.srcDecimals", &mut intent.src)?;
        self.settle_token("destDecimals", "request.destDecimals", &mut intent.dest)
    }

    /// The same for one token, whose decimals stand in `field` of the input.
    ///
    /// # Errors
    /// INVALID_INPUT with `field`.
    pub fn settle_token(&mut self, name: &'static str, field: &str, token: &mut Token) -> Result<()> {
        if token.is_by_app
            && let Some(own) = self.reading(name, |at| at.integer(u8::MAX.into()))?
        {
            own_decimals(field, token.decimals, &U256::from(own))?;
            token.is_by_app = false;
        }
        Ok(())
    }

    /// The reference prices that the caller brings: `reference`, one source token in destination tokens, and the prices
    /// in the request.
    ///
    /// # Errors
    /// INVALID_INPUT with `reference` if it is no price.
    pub fn references(&mut self, intent: &Intent) -> Result<TradeReferences> {
        let price = optional(&self.at.get("reference"), |at| {
            let price = at.number_or_text().and_then(decimal_price).filter(|price| !price.is_zero());
            price.ok_or_else(|| at.fault("the price of one srcToken in destToken, a decimal as text"))
        })?;
        let mut references = PriceReferences::unasked();
        match price {
            Some(price) => {
                references.votes.push(ReferencePrice::whole(ReferenceKind::App, price, &intent.src, &intent.dest));
            }
            None => self.leave_unread("reference"),
        }
        references.add_own(intent);
        Ok(TradeReferences { price: references, bridge_input: None })
    }

    /// Values the gas of an order by the readings `gasPrice`, wei for a unit, and `nativePrice`, the native token's in
    /// `destToken`; across chains also by `destGasPrice` and `destNativePrice`.
    ///
    /// # Errors
    /// INVALID_INPUT with the reading.
    pub fn price_gas(&mut self, intent: &Intent, references: &mut PriceReferences) -> Result<()> {
        let (dest, chain_id) = (&intent.dest, intent.chain_id);
        let there = intent.is_crosschain().then_some((intent.dest_chain_id, "destGasPrice", "destNativePrice"));
        let mut chains = Vec::new();
        for (chain, by_gas, by_native) in [(chain_id, "gasPrice", "nativePrice")].into_iter().chain(there) {
            let gas_price = self.reading(by_gas, JsonAt::uint)?;
            let stated = self.at.get("readings").get(by_native).some();
            let stated = stated.map(|at| read_price(&at, NATIVE, dest.address)).transpose()?;
            let raw = SoftFloat::ten_to(i32::from(dest.decimals).saturating_sub(18));
            let own = references.wei_of((chain, None), (chain_id, &intent.src), (intent.dest_chain_id, dest, None));
            let wei = own.or(stated.map(|price| price.times(raw)));
            if wei.is_none() {
                self.leave_unread(by_native);
            }
            chains.push((gas_price, wei));
        }
        references.set_gas(chains.into_iter());
        Ok(())
    }

    /// The part of the payload of that name: as it is, or parsed if it is JSON text, as wallets take it. `what` says which
    /// value to pass.
    ///
    /// # Errors
    /// INVALID_INPUT if it is absent; SERVICE_MALFORMED if the text is not JSON.
    pub fn payload(&self, name: &'static str, what: &str) -> Result<Json> {
        let at = self.at.get(name);
        match at.json() {
            None | Some(Json::Null) => Err(at.fault(what)),
            Some(Json::String(text)) => parse(text).map_err(|what| Error::not_json_at(name, what)),
            Some(json) => Ok(json.clone()),
        }
    }

    /// The typed data that was built, in one form.
    ///
    /// # Errors
    /// INVALID_INPUT with `toSign`; SERVICE_MALFORMED for a text that is not JSON.
    pub fn to_sign(&self) -> Result<Json> {
        normalize(self.payload("toSign", "the typed data as it was built: { domain, types, value }")?, "toSign")
    }

    /// The transaction that was built.
    ///
    /// # Errors
    /// INVALID_INPUT if there is none; SERVICE_MALFORMED with the member.
    pub fn envelope(&self) -> Result<Envelope> {
        let transaction = self.payload("transaction", "the transaction as it was built: { from, to, value, data }")?;
        let at = JsonAt::service(&transaction, "transaction");
        // What else a wallet would do, or would do in place of `data`.
        let (data, input) = (at.get("data").some(), at.get("input").some());
        if let Some(input) = input.filter(|input| data.is_some_and(|data| data.text().ok() != input.text().ok())) {
            return Err(input.fault("the same as data, or nothing"));
        }
        if let Some(list) = at.get("authorizationList").some() {
            return Err(list.fault("nothing: a delegation is another matter"));
        }
        let Json::Object(members) = &transaction else { return Err(at.fault("an object")) };
        let member = |(name, value): &(String, Json)| {
            let name = if name == "input" && data.is_none() { "data" } else { name };
            let quantity = |form: fn(String) -> Json| value.as_text().and_then(hex_quantity).map(form);
            let value = match name {
                "value" => quantity(Json::String),
                "chainId" => quantity(Json::Number),
                _ => None,
            }
            .unwrap_or_else(|| value.clone());
            (name.into(), value)
        };
        let plain = Json::Object(members.iter().map(member).collect());
        read_envelope(&JsonAt::service(&plain, "transaction"))
    }

    /// A finished report with `unread`: the readings that were not brought.
    pub fn finish(&self, report: &str) -> String {
        let names: Vec<String> = self.unread.iter().map(|name| quoted(name)).collect();
        [report.strip_suffix('}').unwrap_or(report), ",\"unread\":", &array(&names), "}"].concat()
    }
}
