//! What an order must hold besides the intent: the build's options.

use super::limit::amount_at;
use crate::domain::bps::Bps;
use crate::domain::fields::{Fields, members};
use crate::domain::input::{
    account, amount_input, decimals_input, joined, known, known_in, one_of, optional, refuse, slippage, unix_secs,
};
use crate::domain::intent::Intent;
use crate::domain::market::terms::MARKET_ONLY;
use crate::domain::permit::Permit;
use crate::domain::permit::PermitKind::Permit2Transfer;
use crate::domain::pricing::decimal_text;
use crate::domain::side::Side;
use crate::domain::text::ToText;
use crate::domain::token;
use crate::error::Result;
use crate::json::{JsonAt, ObjectWriter};
use alloy_primitives::{Address, U256, hex};

/// How long an order is good for, unless said otherwise.
const VALID_FOR_SECS: u64 = 1_200;
/// Above this only by an explicit deadline.
const MAX_VALID_FOR_SECS: u64 = 86_400;
/// Longest metadata, passed in or chosen by the service.
pub const MAX_METADATA: usize = 1024;

/// The terms of an order. Owner and deadline are zero until they are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// Who signs and pays.
    pub owner: Address,
    /// Unix seconds.
    pub deadline: u64,
    /// How far below (SELL) or above (BUY) the quote the order may settle; `None` where a limit says it.
    pub slippage: Option<Bps>,
    /// The order's nonce; `None` only where somebody else built the order.
    pub nonce: Option<U256>,
    /// The caller's own floor of what arrives.
    pub min_received: Option<U256>,
    /// The caller's own cap of what is spent.
    pub max_spent: Option<U256>,
    /// The order rests until its price is reached.
    pub rests: bool,
    /// SELL: the least out, BUY: the most in; of one slice, where there are several.
    pub limit: Option<U256>,
    /// May be filled in parts.
    pub partially_fillable: bool,
    /// The most that all slices of a BUY together may spend.
    pub max_src_amount: Option<U256>,
    /// Which of the quote's other routes.
    pub alternative: Option<usize>,
    /// A signed permit in place of an approval.
    pub permit: Option<Permit>,
    /// Bytes carried in the order.
    pub metadata: Option<Vec<u8>>,
    /// The partner may keep half of what exceeds the expected amount.
    pub take_surplus: Option<bool>,
    /// What is kept of it is capped.
    pub cap_surplus: Option<bool>,
    /// Whoever brought the user: told with the post, nowhere in the order.
    pub referrer: Option<Address>,
    /// Another contract handles the order, and is passed these bytes.
    pub external: Option<(Address, Vec<u8>)>,
    /// What that contract needs of the owner, as the caller says: held against the chain, nowhere in the order.
    pub prerequisite: Option<Prerequisite>,
    /// Crosschain: what enters the bridge.
    pub entering: Entering,
}

/// A token that the owner has to have, and to let somebody take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prerequisite {
    /// An ERC-20 token.
    pub token: Address,
    /// Who takes it.
    pub spender: Address,
    /// Raw units.
    pub amount: U256,
}

/// What the caller says of a token that enters a bridge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entering {
    /// The least of it that has to enter, after the fee, raw units.
    pub least: Option<(Address, U256)>,
    /// What one whole unit of it is worth in dollars, decimal text.
    pub price_usd: Option<String>,
    /// Its decimals: stated, or read on the source chain.
    pub decimals: Option<u8>,
    /// What arrives may be the bridge's promise, which the order does not hold it to.
    pub accepts_promise: bool,
}

/// The member that only somebody else's order is held against.
const NONCE: &str = "nonce";
/// The member for who is told beside the order.
const REFERRER: &str = "referrerAddress";

/// The members of terms that an order can be held against.
pub const TERMS: [&str; Terms::STATED.len() + 1] = joined(&Terms::STATED, &[NONCE]);
/// The plain members the build's options may have.
pub const BUILD_OPTIONS: [&str; Terms::STATED.len() + 7] = joined(
    &Terms::STATED,
    &["validForSecs", "limitPrice", "productive", "coverOpenOrders", "request", REFERRER, "again"],
);

impl Terms {
    // Those that both have.
    members! { STATED of terms: Terms;
        "external": optional(external, terms.external), maybe_raw(terms.write_external());
        "limitAmount": optional(amount_input, terms.limit), maybe(&terms.limit);
        "account": optional(account, terms.owner), value(&terms.owner);
        "deadline": optional(unix_secs, terms.deadline), number(terms.deadline);
        "slippageBps": optional(slippage, terms.slippage), maybe_raw(terms.slippage.map(|slippage| slippage.get().text()));
        "minReceived": optional(amount_input, terms.min_received), maybe(&terms.min_received);
        "maxSpent": optional(amount_input, terms.max_spent), maybe(&terms.max_spent);
        "type": optional(rests, terms.rests), text(terms.type_name());
        "partiallyFillable": optional(JsonAt::bool, terms.partially_fillable), maybe_raw(if_set(terms.partially_fillable));
        "maxSrcAmount": optional(amount_input, terms.max_src_amount), maybe(&terms.max_src_amount);
        "route": optional(index, terms.alternative), maybe(&terms.alternative);
        "permit": optional(Permit::read, terms.permit),
            maybe_raw(terms.permit.as_ref().map(|permit| permit.open().close()));
        "metadata": optional(metadata, terms.metadata), maybe(&terms.metadata.as_ref().map(hex::encode_prefixed));
        "takeSurplus": optional(JsonAt::bool, terms.take_surplus), maybe_raw(terms.take_surplus.map(|may| may.text()));
        "capSurplus": optional(JsonAt::bool, terms.cap_surplus), maybe_raw(terms.cap_surplus.map(|is| is.text()));
        "minEntering": optional(min_entering, terms.entering.least), maybe_raw(terms.entering.write_least());
        "enteringPriceUsd": optional(decimal_text, terms.entering.price_usd), maybe(&terms.entering.price_usd);
        "enteringDecimals": optional(decimals_input, terms.entering.decimals),
            maybe_raw(terms.entering.decimals.map(|decimals| decimals.text()));
        "acceptUnguaranteedArrival": optional(JsonAt::bool, terms.entering.accepts_promise),
            maybe_raw(if_set(terms.entering.accepts_promise));
    }

    /// Reads what a build is asked for; `limitPrice` becomes the limit. Owner and deadline may be absent.
    ///
    /// # Errors
    /// Names the member that is missing, unknown, not as it must be, or does not go with another.
    pub fn read_options(at: &JsonAt<'_>, intent: &Intent) -> Result<Terms> {
        // Options for the other path are left alone: one call may build either.
        known_in(at, &[&BUILD_OPTIONS, &MARKET_ONLY])?;
        if let Some(productive) = at.get("productive").some() {
            return Err(productive.fault("no such order: the typed data of a ProductiveOrder is not public"));
        }
        let mut terms = Terms::read(at)?;
        let price = at.get("limitPrice");
        if let Some(price) = price.some() {
            if terms.limit.is_some() {
                return Err(price.fault("either limitPrice or limitAmount"));
            }
            let (src, dest) = (intent.src.decimals, intent.dest.decimals);
            let limit =
                price.text().ok().and_then(|text| amount_at(text, intent.side, intent.priced_amount(), src, dest));
            terms.rests = true;
            terms.limit = Some(limit.ok_or_else(|| price.fault(r#"a decimal above 0 as text, e.g. "1.01""#))?);
        }
        terms.check_consistency(at, intent)?;
        Ok(terms)
    }

    /// Reads terms as they are written, in whole or in part. What belongs together is not looked at.
    ///
    /// # Errors
    /// Names the member that is not as it must be.
    pub fn read(at: &JsonAt<'_>) -> Result<Terms> {
        let mut terms = Terms::default();
        let mut fields = Fields::of(at);
        Terms::read_members(&mut fields, &mut terms);
        fields.optional(NONCE, JsonAt::uint, &mut terms.nonce);
        fields.optional(REFERRER, account, &mut terms.referrer);
        fields.finish()?;
        terms.prerequisite = optional(&at.get("external").get("prerequisite"), prerequisite)?;
        terms.rests |= terms.limit.is_some();
        Ok(terms)
    }

    /// Refuses what does not go together.
    fn check_consistency(&self, at: &JsonAt<'_>, intent: &Intent) -> Result<()> {
        let slices = intent.twap.is_some();
        let buys_slices = slices && intent.side == Side::Buy;
        let limited = self.limit.is_some();
        let priced = !at.get("limitPrice").is_absent();
        let fee = intent.partner_fee_bps.is_some_and(|bps| bps > 0);
        let is_market = at.get("type").text().is_ok_and(|name| name == "MARKET");
        let elsewhere = self.rests || slices || intent.is_crosschain();
        let limit = if priced { "limitPrice" } else { "limitAmount" };
        let refusals = [
            (limited && self.slippage.is_some(), "slippageBps", "nothing: the limit says it"),
            (limited && is_market, "type", "LIMIT, for a limit"),
            (limited && buys_slices, limit, "maxSrcAmount in its place: the limit of all slices together"),
            (
                self.partially_fillable && (slices || self.external.is_some()),
                "partiallyFillable",
                "an order that is neither in slices nor another contract's",
            ),
            (self.max_src_amount.is_some() && !buys_slices, "maxSrcAmount", "nothing: it is for a BUY in slices"),
            (
                self.max_src_amount.is_none() && buys_slices,
                "maxSrcAmount",
                "required for a BUY in slices: the most all slices may spend, e.g. maxSpent(quote, 50)",
            ),
            (
                self.partially_fillable
                    && self.permit.as_ref().is_some_and(|permit| permit.grant.kind == Permit2Transfer),
                "permit",
                "another kind, or an approval: one transfer pays for a whole order",
            ),
            (self.permit.is_some() && (self.rests || slices), "permit", "an approval: this order outlives a permit"),
            (self.take_surplus == Some(true) && fee, "takeSurplus", "either it or partnerFeeBps: the fee would win"),
            (self.external.is_some() && elsewhere, "external", "an order of type MARKET on one chain, not in slices"),
            (priced && intent.is_crosschain(), "limitPrice", "limitAmount, in units of what leaves the source chain"),
            (
                self.entering.least.is_some() && !intent.is_crosschain(),
                "minEntering",
                "minReceived: on one chain nothing enters a bridge",
            ),
        ];
        refuse(at, &refusals)?;
        // A silent default is a silent loss.
        if self.slippage.is_none() && !limited && !buys_slices {
            slippage(&at.get("slippageBps"))?;
        }
        Ok(())
    }

    /// How long the order is to be good for: by name, by the slices, or by default.
    ///
    /// # Errors
    /// Names the option that is not as it must be.
    pub fn valid_for_secs(&self, at: &JsonAt<'_>, intent: &Intent) -> Result<u64> {
        let valid = optional(&at.get("validForSecs"), |at| match at.integer(MAX_VALID_FOR_SECS) {
            Ok(0) => Err(at.fault("at least one second")),
            Ok(secs) => Ok(secs),
            Err(_) => Err(at.fault("an integer from 1 to 86400; longer: deadline")),
        })?;
        if let (Some(_), Some(deadline)) = (valid, at.get("deadline").some()) {
            return Err(deadline.fault("either deadline or validForSecs"));
        }
        let default =
            intent.twap.map_or(VALID_FOR_SECS, |twap| twap.duration_secs().saturating_add(super::twap::SPARE_SECS));
        Ok(valid.unwrap_or(default))
    }

    /// `MARKET` or `LIMIT`, as the service has it.
    pub fn type_name(&self) -> &'static str {
        if self.rests { "LIMIT" } else { "MARKET" }
    }

    /// The terms as text, which [`Terms::read`] reads. Only what was asked for is there.
    pub fn write(&self) -> String {
        let mut out = ObjectWriter::object();
        Terms::write_members(&mut out, self);
        out.maybe(NONCE, &self.nonce);
        out.maybe(REFERRER, &self.referrer);
        out.close()
    }

    /// What [`external`] and [`prerequisite`] read.
    fn write_external(&self) -> Option<String> {
        let (handler, data) = self.external.as_ref()?;
        let mut out = ObjectWriter::object();
        out.value("handler", handler);
        out.bytes("data", data);
        if let Some(Prerequisite { token, spender, amount }) = &self.prerequisite {
            let mut needs = ObjectWriter::object();
            needs.value("token", token);
            needs.value("spender", spender);
            needs.value("amount", amount);
            out.raw("prerequisite", &needs.close());
        }
        Some(out.close())
    }
}

impl Entering {
    /// What [`min_entering`] reads.
    fn write_least(&self) -> Option<String> {
        let (token, amount) = self.least.as_ref()?;
        let mut out = ObjectWriter::object();
        out.value("token", token);
        out.value("amount", amount);
        Some(out.close())
    }
}

fn if_set(is: bool) -> Option<String> {
    is.then(|| is.text())
}

fn rests(at: &JsonAt<'_>) -> Result<bool> {
    one_of(at, &[(true, "LIMIT"), (false, "MARKET")], "MARKET or LIMIT")
}

fn index(at: &JsonAt<'_>) -> Result<usize> {
    Ok(usize::try_from(at.integer(255)?).unwrap_or(255))
}

fn external(at: &JsonAt<'_>) -> Result<(Address, Vec<u8>)> {
    known(at, &["handler", "data", "prerequisite"])?;
    Ok((account(&at.get("handler"))?, at.get("data").bytes()?))
}

fn prerequisite(at: &JsonAt<'_>) -> Result<Prerequisite> {
    known(at, &["token", "spender", "amount"])?;
    let token = token::read(&at.get("token"))?;
    if token::is_native(token) {
        return Err(at.get("token").fault("an ERC-20 token: the native token has no allowance"));
    }
    Ok(Prerequisite { token, spender: account(&at.get("spender"))?, amount: amount_input(&at.get("amount"))? })
}

/// Reads `{ token, amount }`.
///
/// # Errors
/// Names the member that is missing, unknown or not as it must be.
pub fn min_entering(at: &JsonAt<'_>) -> Result<(Address, U256)> {
    known(at, &["token", "amount"])?;
    Ok((token::read(&at.get("token"))?, amount_input(&at.get("amount"))?))
}

fn metadata(at: &JsonAt<'_>) -> Result<Vec<u8>> {
    let bytes = at.bytes()?;
    if bytes.len() > MAX_METADATA {
        Err(at.fault(&["at most ", &MAX_METADATA.text(), " bytes"].concat()))
    } else {
        Ok(bytes)
    }
}
