//! The input of every verifier: the request, the payload, and the caller's context.

use super::typed_data::{MESSAGE, normalize};
use crate::domain::chain::{Deployment, Protocol, application_contracts, deployment};
use crate::domain::eip712::DOMAIN_MEMBERS;
use crate::domain::gas;
use crate::domain::input::{known, optional, unix_secs};
use crate::domain::intent::{Intent, Token};
use crate::domain::paymaster::Paymaster;
use crate::domain::reference::price_float::{PriceFloat, decimal_price};
use crate::domain::reference::trade_references::{PriceReferences, ReferenceKind, ReferencePrice, TradeReferences};
use crate::domain::sent_members::{Form, SENT, quantity};
use crate::domain::token::{self, NATIVE};
use crate::domain::verify::Checks;
use crate::domain::verify::market_transaction::Envelope;
use crate::error::{Error, Result};
use crate::json::{Json, JsonAt, array, parse, quoted};
use crate::value::text::{ToText, split_once};
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
    /// The highest cost of the transaction's gas, in wei, if it states a price.
    gas_at_most: Option<U256>,
    /// The service that is asked to pay for the transaction's gas.
    paymaster: Option<Paymaster>,
}

/// Refuses a number that programs read in different ways: what is signed or sent could be another one. Members of which
/// `keeps` is false are neither.
///
/// # Errors
/// SERVICE_MALFORMED with its place.
fn refuse_rounded(json: &Json, name: &str, keeps: &dyn Fn(&str) -> bool) -> Result<()> {
    let rounded = JsonAt::service(json, name).find(keeps, Json::is_rounded);
    rounded.map_or(Ok(()), |at| Err(at.fault("an integer below 2^53, or its digits in quotes")))
}

/// Reads `{ src, dest, price }`: the price of one whole `src` in `dest`, for these two tokens and no others.
fn read_price(at: &JsonAt<'_>, src: Address, dest: Address) -> Result<PriceFloat> {
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
        let mut given = Given { at, now, unread: Vec::new(), gas_at_most: None, paymaster: None };
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
            token.confirm_decimals(field, own)?;
        }
        Ok(())
    }

    /// The reference prices that the caller brings: `reference`, one source token in destination tokens with the pair that it
    /// is for, and the prices in the request.
    ///
    /// # Errors
    /// INVALID_INPUT with `reference` if it is no price, or one of another pair.
    pub fn references(&mut self, intent: &Intent) -> Result<TradeReferences> {
        let price = self.at.get("reference").some();
        let price = price.map(|at| read_price(&at, intent.src.address, intent.dest.address)).transpose()?;
        let mut references = PriceReferences::unasked();
        match price {
            Some(price) => {
                references.answered.push(ReferencePrice::whole(ReferenceKind::App, price, &intent.src, &intent.dest));
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
            let raw = PriceFloat::ten_to(i32::from(dest.decimals).saturating_sub(18));
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

    /// The part of the payload of that name: as it is, or parsed if it is JSON text, as wallets take it. `what` names
    /// the value to pass.
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
    /// INVALID_INPUT with `toSign`; SERVICE_MALFORMED for a text that is not JSON, or with a number that is rounded.
    pub fn to_sign(&self) -> Result<Json> {
        let typed = self.payload("toSign", "the typed data as it was built: { domain, types, value }")?;
        let types = JsonAt::service(&typed, "toSign").get("types");
        let mut signed = Vec::new();
        for fields in types.names().filter_map(|name| types.get(name).items().ok()) {
            signed.extend(fields.filter_map(|field| Some(String::from(field.get("name").json()?.as_text()?))));
        }
        let is_outer = |name: &str| ["domain", "primaryType"].contains(&name) || MESSAGE.contains(&name);
        let is_of_domain = |name: &str| DOMAIN_MEMBERS.iter().any(|(known, _)| *known == name);
        refuse_rounded(&typed, "toSign", &|name| {
            signed.iter().any(|known| known == name) || is_outer(name) || is_of_domain(name)
        })?;
        normalize(typed, "toSign")
    }

    /// The transaction that was built: what else a wallet would do, or would do in place of `data`, is refused.
    ///
    /// # Errors
    /// INVALID_INPUT if there is none; VERIFY_MISMATCH with a member that has anything else happen; SERVICE_MALFORMED with the
    /// member that is not of its form.
    pub fn envelope(&mut self) -> Result<Envelope> {
        let transaction = self.payload("transaction", "the transaction as it was built: { from, to, value, data }")?;
        let at = JsonAt::service(&transaction, "transaction");
        refuse_rounded(&transaction, "transaction", &|_| true)?;
        let Json::Object(members) = &transaction else { return Err(at.fault("an object")) };
        let (mut checks, data) = (Checks::default(), at.get("data").some());
        checks.set_prefix("transaction.");
        let mut plain = Vec::new();
        for (name, json) in members.iter().filter(|(_, json)| *json != Json::Null) {
            let (value, form) = (at.get(name), Form::of(name, SENT));
            // A Safe pays at this price, and a wallet at its own.
            let is_zero = form == Some(Form::Zero) || name == "gasPrice" && !at.get("operation").is_absent();
            let is_second = name == "input" && data.is_some_and(|data| data.bytes().ok() != value.bytes().ok());
            let expected = match form {
                // The batch's, of which it is a call.
                None if name == "capabilities" => {
                    self.paymaster = Paymaster::of_capabilities(&value);
                    Some("nothing, or a paymaster's").filter(|_| self.paymaster.is_none())
                }
                None => Some("nothing"),
                _ if is_zero => Some("0").filter(|_| Form::Zero.written(&value).is_none()),
                _ => Some("the same as data, or nothing").filter(|_| is_second),
            };
            if let Some(expected) = expected {
                checks.holds(name, false, &expected, &json.excerpt(80));
            }
            let name = if name == "input" && data.is_none() { "data" } else { name };
            plain.push((
                name.into(),
                match form {
                    Some(Form::Quantity | Form::Chain) => {
                        let number = quantity(json).ok_or_else(|| value.fault("a number, in hex or decimal"))?;
                        Json::Number(number.text())
                    }
                    _ => json.clone(),
                },
            ));
        }
        checks.finish()?;
        let mut envelope = read_envelope(&JsonAt::service(&Json::Object(plain), "transaction"))?;
        envelope.gas = gas::cost(&at, &envelope.data);
        self.gas_at_most = envelope.gas;
        Ok(envelope)
    }

    /// A report of typed data with `toSign`, the text that a wallet is to be given.
    pub fn finish_signed(&self, report: &str, text: &str) -> String {
        let report = self.finish(report);
        [report.strip_suffix('}').unwrap_or(&report), ",\"toSign\":", &quoted(text), "}"].concat()
    }

    /// A finished report: the paymaster ends its sentence; with `gasAtMost`, and `unread`, the readings that were not
    /// brought.
    pub fn finish(&self, report: &str) -> String {
        const END: &str = "\",\"checks\":[";
        let clause = self.paymaster.as_ref().map(Paymaster::clause).unwrap_or_default();
        let (head, checks) = split_once(report, END).unwrap_or((report, ""));
        let report = if checks.is_empty() { report.into() } else { [head, &clause, END, checks].concat() };
        let names: Vec<String> = self.unread.iter().map(|name| quoted(name)).collect();
        let gas = self.gas_at_most.map_or_else(String::new, |wei| [",\"gasAtMost\":", &quoted(&wei.text())].concat());
        [report.strip_suffix('}').unwrap_or(&report), &gas, ",\"unread\":", &array(&names), "}"].concat()
    }
}
