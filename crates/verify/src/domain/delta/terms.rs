//! The terms of a Delta order besides the intent: the options of `build`, read strictly, and refused if two of them
//! contradict each other or the trade.

use super::limit::amount_at;
use crate::domain::bps::Bps;
use crate::domain::fields::{Fields, Places, Writers, members};
use crate::domain::input::{
    account, amount_input, decimals_input, joined, known, known_in, one_of, optional, refuse, slippage, unix_secs,
};
use crate::domain::intent::Intent;
use crate::domain::market::terms::{MARKET_ONLY, REQUIRE_BALANCE};
use crate::domain::permit::Permit;
use crate::domain::permit::PermitKind::Permit2Transfer;
use crate::domain::pricing::decimal_text;
use crate::domain::side::Side;
use crate::domain::token;
use crate::domain::twap::SPARE_SECS;
use crate::error::Result;
use crate::json::{JsonAt, ObjectWriter};
use crate::value::text::ToText;
use alloy_primitives::{Address, U256, hex};

/// How long an order is valid by default, in seconds: 20 minutes.
const VALID_FOR_SECS: u64 = 1_200;
/// The longest `validForSecs`, a day; an order that is valid longer has to name its `deadline`.
const MAX_VALID_FOR_SECS: u64 = 86_400;
/// The longest metadata of an order in bytes, passed in or chosen by the service.
pub const MAX_METADATA: usize = 1024;

/// The terms of an order: what [`Terms::read_options`] reads. Owner and deadline are zero until they are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// The account that signs and pays.
    pub owner: Address,
    /// The last second in which the order can be filled, in unix seconds by the chain's clock.
    pub deadline: u64,
    /// How far below (SELL) or above (BUY) the quote the order may settle; `None` if a limit or `max_src_amount` bounds
    /// it.
    pub slippage: Option<Bps>,
    /// The order's nonce, drawn by this package; `None` if another SDK built the order, and its caller names none.
    pub nonce: Option<U256>,
    /// The caller's own floor of the received amount after the fee, raw units, of all slices together.
    pub min_received: Option<U256>,
    /// The caller's own cap of the spent amount, raw units, of all slices together.
    pub max_spent: Option<U256>,
    /// Whether it is a LIMIT order, which rests until its price is reached; otherwise a MARKET one.
    pub rests: bool,
    /// The limit, raw units: for a SELL the least that comes out, for a BUY the most that goes in; of one slice, if
    /// there are several.
    pub limit: Option<U256>,
    /// Whether the order may be filled in parts.
    pub partially_fillable: bool,
    /// For a BUY in slices: the most that all of them together may spend, raw units.
    pub max_src_amount: Option<U256>,
    /// The index of the alternative route to build, 0 to 255; `None` for the quote's main one.
    pub alternative: Option<usize>,
    /// A signed permit in place of an approval.
    pub permit: Option<Permit>,
    /// The order's `metadata`, at most [`MAX_METADATA`] bytes; `None`: the service chooses it.
    pub metadata: Option<Vec<u8>>,
    /// Whether the partner may keep half of what exceeds the expected amount; `None`: as agreed on.
    pub take_surplus: Option<bool>,
    /// Whether the surplus kept by the partner must be capped; `None`: unless agreed otherwise.
    pub cap_surplus: Option<bool>,
    /// The account that referred the user. Sent to the service with the order, not part of the signed struct.
    pub referrer: Option<Address>,
    /// The handler of an `ExternalOrder`, and the bytes that it is passed.
    pub external: Option<(Address, Vec<u8>)>,
    /// The handler's needs of the owner, as the caller states them. Compared with the chain, not part of the signed
    /// struct.
    pub prerequisite: Option<Prerequisite>,
    /// Crosschain: the caller's statements about the bridge input.
    pub bridge_input: BridgeInput,
}

/// A balance and an allowance that the handler of an `ExternalOrder` needs the owner to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prerequisite {
    /// An ERC-20 token.
    pub token: Address,
    /// The account that needs the allowance.
    pub spender: Address,
    /// The amount, raw units.
    pub amount: U256,
}

/// The caller's statements about, and consent to, a bridge input (docs/verification.md, "Across chains").
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BridgeInput {
    /// `minBridgeInput`: the token, and the least of it that must enter after the fee, raw units.
    pub least: Option<(Address, U256)>,
    /// The caller's price of one whole unit in dollars, decimal text.
    pub price_usd: Option<String>,
    /// The token's decimals: stated, or read on the source chain.
    pub decimals: Option<u8>,
    /// `acceptUnguaranteedArrival`: the caller accepts that the destination amount is only the bridge's promise.
    pub accepts_promise: bool,
}

/// The member that is stated only for an order that another SDK built.
const NONCE: &str = "nonce";
/// The member for [`Terms::referrer`].
const REFERRER: &str = "advanced.referrerAddress";
/// The member that asks for an order of which nothing is published: it is always refused.
const PRODUCTIVE: &str = "advanced.productive";
/// The member for [`Terms::external`].
pub const EXTERNAL: &str = "advanced.external";

/// The members of terms that an order can be compared with.
pub const TERMS: [&str; Terms::STATED.len() + 1] = joined(&Terms::STATED, &[NONCE]);
/// The members that the options of `build` may have for an order.
pub const BUILD_OPTIONS: [&str; Terms::STATED.len() + 7] = joined(
    &Terms::STATED,
    &["validForSecs", "limitPrice", PRODUCTIVE, "coverOpenOrders", REQUIRE_BALANCE, REFERRER, "existing"],
);

impl Terms {
    // The members of both TERMS and BUILD_OPTIONS.
    members! { STATED of terms: Terms;
        "advanced.external": optional(external, terms.external), maybe_raw(terms.write_external());
        "limitAmount": optional(amount_input, terms.limit), maybe(&terms.limit);
        "account": optional(account, terms.owner), value(&terms.owner);
        "deadline": optional(unix_secs, terms.deadline), number(terms.deadline);
        "slippageBps": optional(slippage, terms.slippage), maybe_raw(terms.slippage.map(|slippage| slippage.get().text()));
        "minReceived": optional(amount_input, terms.min_received), maybe(&terms.min_received);
        "maxSpent": optional(amount_input, terms.max_spent), maybe(&terms.max_spent);
        "type": optional(rests, terms.rests), text(terms.type_name());
        "partiallyFillable": optional(JsonAt::bool, terms.partially_fillable), maybe_raw(if_set(terms.partially_fillable));
        "maxSrcAmount": optional(amount_input, terms.max_src_amount), maybe(&terms.max_src_amount);
        "advanced.route": optional(index, terms.alternative), maybe(&terms.alternative);
        "permit": optional(Permit::read, terms.permit),
            maybe_raw(terms.permit.as_ref().map(|permit| permit.open().close()));
        "advanced.metadata": optional(metadata, terms.metadata),
            maybe(&terms.metadata.as_ref().map(hex::encode_prefixed));
        "advanced.takeSurplus": optional(JsonAt::bool, terms.take_surplus),
            maybe_raw(terms.take_surplus.map(|may| may.text()));
        "advanced.capSurplus": optional(JsonAt::bool, terms.cap_surplus),
            maybe_raw(terms.cap_surplus.map(|is| is.text()));
        "minBridgeInput": optional(min_bridge_input, terms.bridge_input.least), maybe_raw(terms.bridge_input.write_least());
        "advanced.bridgeInputPriceUsd": optional(decimal_text, terms.bridge_input.price_usd),
            maybe(&terms.bridge_input.price_usd);
        "advanced.bridgeInputDecimals": optional(decimals_input, terms.bridge_input.decimals),
            maybe_raw(terms.bridge_input.decimals.map(|decimals| decimals.text()));
        "acceptUnguaranteedArrival": optional(JsonAt::bool, terms.bridge_input.accepts_promise),
            maybe_raw(if_set(terms.bridge_input.accepts_promise));
    }

    /// Reads the options of `build`; `limitPrice` becomes the limit. Owner and deadline may be absent.
    ///
    /// # Errors
    /// INVALID_INPUT with the option that is missing, unknown, malformed, or contradicts another or the trade.
    pub fn read_options(at: &JsonAt<'_>, intent: &Intent) -> Result<Terms> {
        // Options for a Market build are accepted: with mode ALL the caller does not know which one it will be.
        known_in(at, &[&BUILD_OPTIONS, &MARKET_ONLY])?;
        if let Some(productive) = at.option(PRODUCTIVE).some() {
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

    /// Reads terms that [`Terms::write`] wrote, or a part of them. Does not look for contradictions.
    ///
    /// # Errors
    /// INVALID_INPUT with the member that is malformed.
    pub fn read(at: &JsonAt<'_>) -> Result<Terms> {
        let mut terms = Terms::default();
        let mut fields = Fields::of(at);
        Terms::read_members(&mut fields, &mut terms);
        fields.optional(NONCE, JsonAt::uint, &mut terms.nonce);
        fields.optional(REFERRER, account, &mut terms.referrer);
        fields.finish()?;
        terms.prerequisite = optional(&at.option(EXTERNAL).get("prerequisite"), prerequisite)?;
        terms.rests |= terms.limit.is_some();
        Ok(terms)
    }

    /// Refuses options that contradict each other or the trade.
    ///
    /// # Errors
    /// INVALID_INPUT with the first of them, or with `slippageBps` if nothing bounds the price.
    pub fn check_consistency(&self, at: &JsonAt<'_>, intent: &Intent) -> Result<()> {
        let slices = intent.twap.is_some();
        let buys_slices = slices && intent.side == Side::Buy;
        let limited = self.limit.is_some();
        let priced = !at.get("limitPrice").is_absent();
        let fee = intent.partner_fee_bps.is_some_and(|bps| bps > 0);
        let is_market = at.get("type").text().is_ok_and(|name| name == "MARKET");
        let elsewhere = self.rests || slices || intent.is_crosschain();
        let limit = if priced { "limitPrice" } else { "limitAmount" };
        let refusals = [
            (
                limited && self.slippage.is_some(),
                "slippageBps",
                "no slippage beside a limit, which is the bound itself",
            ),
            (
                buys_slices && self.max_src_amount.is_some() && self.slippage.is_some(),
                "slippageBps",
                "no slippage beside maxSrcAmount, which is the bound itself",
            ),
            (limited && is_market, "type", "LIMIT, because a limit is given"),
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
                "required for a BUY in slices: the most that all of them may spend, raw units, as the user says it",
            ),
            (
                self.partially_fillable
                    && self.permit.as_ref().is_some_and(|permit| permit.grant.kind == Permit2Transfer),
                "permit",
                "another kind, or an approval: one transfer pays for a whole order",
            ),
            (self.permit.is_some() && (self.rests || slices), "permit", "an approval: this order outlives a permit"),
            (
                self.take_surplus == Some(true) && fee,
                "advanced.takeSurplus",
                "no share of the surplus beside partnerFeeBps: the contract would take the fee alone",
            ),
            (self.external.is_some() && elsewhere, EXTERNAL, "an order of type MARKET on one chain, not in slices"),
            (priced && intent.is_crosschain(), "limitPrice", "limitAmount, in units of what leaves the source chain"),
            (
                self.bridge_input.least.is_some() && !intent.is_crosschain(),
                "minBridgeInput",
                "minReceived: on one chain nothing enters a bridge",
            ),
        ];
        refuse(at, &refusals)?;
        // There is no default slippage: any value would cost some user unknowingly.
        if self.slippage.is_none() && !limited && !buys_slices {
            slippage(&at.get("slippageBps"))?;
        }
        Ok(())
    }

    /// How long the order is valid, in seconds: `validForSecs`, else the time of all slices and
    /// [`SPARE_SECS`], else 20 minutes.
    ///
    /// # Errors
    /// INVALID_INPUT if `validForSecs` is not 1 to 86 400, or is passed beside a `deadline`.
    pub fn valid_for_secs(&self, at: &JsonAt<'_>, intent: &Intent) -> Result<u64> {
        let valid = optional(&at.get("validForSecs"), |at| match at.integer(MAX_VALID_FOR_SECS) {
            Ok(0) => Err(at.fault("at least one second")),
            Ok(secs) => Ok(secs),
            Err(_) => Err(at.fault("an integer from 1 to 86400; longer: deadline")),
        })?;
        if let (Some(_), Some(deadline)) = (valid, at.get("deadline").some()) {
            return Err(deadline.fault("either deadline or validForSecs"));
        }
        let default = intent.twap.map_or(VALID_FOR_SECS, |twap| twap.duration_secs().saturating_add(SPARE_SECS));
        Ok(valid.unwrap_or(default))
    }

    /// The service's `type` of the order: `MARKET` or `LIMIT`.
    pub fn type_name(&self) -> &'static str {
        if self.rests { "LIMIT" } else { "MARKET" }
    }

    /// The terms as JSON text that [`Terms::read`] reads back. Absent optional terms are left out.
    pub fn write(&self) -> String {
        let mut out = Writers::object();
        Terms::write_members(&mut out, self);
        out.place(NONCE).0.maybe(NONCE, &self.nonce);
        let (place, name) = out.place(REFERRER);
        place.maybe(name, &self.referrer);
        out.close()
    }

    /// The JSON text that [`external`] and [`prerequisite`] read back.
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

impl BridgeInput {
    /// The JSON text that [`min_bridge_input`] reads back.
    fn write_least(&self) -> Option<String> {
        let (token, amount) = self.least.as_ref()?;
        let mut out = ObjectWriter::object();
        out.value("token", token);
        out.value("amount", amount);
        Some(out.close())
    }
}

/// `true` as text; nothing if the flag is not set.
fn if_set(is: bool) -> Option<String> {
    is.then(|| is.text())
}

/// Reads `type`: whether it is `LIMIT`.
fn rests(at: &JsonAt<'_>) -> Result<bool> {
    one_of(at, &[(true, "LIMIT"), (false, "MARKET")], "MARKET or LIMIT")
}

/// Reads `route`, the index of an alternative route, 0 to 255.
fn index(at: &JsonAt<'_>) -> Result<usize> {
    Ok(usize::try_from(at.integer(255)?).unwrap_or(255))
}

/// Reads the handler and its bytes from `external`; `prerequisite` reads the rest.
fn external(at: &JsonAt<'_>) -> Result<(Address, Vec<u8>)> {
    known(at, &["handler", "data", "prerequisite"])?;
    Ok((account(&at.get("handler"))?, at.get("data").bytes()?))
}

/// Reads `external.prerequisite`: an ERC-20 token, its spender, and the amount.
fn prerequisite(at: &JsonAt<'_>) -> Result<Prerequisite> {
    known(at, &["token", "spender", "amount"])?;
    let token = token::read(&at.get("token"))?;
    if token::is_native(token) {
        return Err(at.get("token").fault("an ERC-20 token: the native token has no allowance"));
    }
    Ok(Prerequisite { token, spender: account(&at.get("spender"))?, amount: amount_input(&at.get("amount"))? })
}

/// Reads `minBridgeInput`, `{ token, amount }`: a token and raw units of it, above 0.
///
/// # Errors
/// INVALID_INPUT with the member that is missing, unknown or malformed.
pub fn min_bridge_input(at: &JsonAt<'_>) -> Result<(Address, U256)> {
    known(at, &["token", "amount"])?;
    Ok((token::read(&at.get("token"))?, amount_input(&at.get("amount"))?))
}

/// Reads bytes of at most [`MAX_METADATA`].
fn metadata(at: &JsonAt<'_>) -> Result<Vec<u8>> {
    let bytes = at.bytes()?;
    if bytes.len() > MAX_METADATA {
        Err(at.fault(&["at most ", &MAX_METADATA.text(), " bytes"].concat()))
    } else {
        Ok(bytes)
    }
}
