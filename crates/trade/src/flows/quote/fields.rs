//! The members that quotes of both protocols have.

use alloy_primitives::{Address, U256};
use verify::internal::domain::delta::price::Price;
use verify::internal::domain::fee::CAP_BPS;
use verify::internal::domain::input::optional;
use verify::internal::domain::intent::Intent;
use verify::internal::domain::price_options::transfer_taxes;
use verify::internal::domain::reference::trade_references::PriceReferences;
use verify::internal::domain::sentence;
use verify::internal::domain::verify::delta_order::value_gas;
use verify::internal::domain::verify::price::{Deal, PRICE, judge};
use verify::internal::domain::verify::report;
use verify::internal::error::Result;
use verify::internal::json::{JsonAt, ObjectWriter, quoted};

/// The placeholder for reference prices that have not been read yet.
pub const PENDING: &str = "pending";

/// The values of these members, as the service states them and after they were compared with the request.
pub struct QuoteFields<'a> {
    /// The source amount, in raw units of the source token; for a Delta order in slices, of one slice.
    pub src_amount: &'a U256,
    /// The destination amount, in raw units of the destination token.
    pub dest_amount: &'a U256,
    /// The values of the two amounts according to the service, in USD as decimal text.
    pub usd: [Option<&'a str>; 2],
    /// The fee that the amounts contain, in basis points, if the service states it.
    pub fee_bps: Option<u16>,
    /// The partner's name, as the service has it.
    pub partner: Option<&'a str>,
    /// The contract that takes the source amount: it has to be approved.
    pub spender: &'a Address,
    /// The checks, as the items of a JSON array.
    pub checks: &'a str,
    /// The sealed reference prices, `pending`, or nothing.
    pub reference: JsonAt<'a>,
    /// The price of an order, whose gas the service pays out of the destination amount; `None` for a transaction.
    pub price: Option<&'a Price<'a>>,
}

/// Compares a price with its reference prices, as JSON text.
pub type Judge = fn(&QuoteFields<'_>, &Intent) -> Result<String>;

impl QuoteFields<'_> {
    /// Writes the members, and the report, into a quote. Without a judge there are no reference prices, either.
    ///
    /// # Errors
    /// INVALID_INPUT if the reference prices cannot be read.
    pub fn write(&self, intent: &Intent, judge: Option<Judge>, out: &mut ObjectWriter) -> Result<()> {
        let (src, dest) = (self.src_amount, self.dest_amount);
        out.value("destToken", &intent.dest.address);
        for (name, amount) in [("srcAmount", src), ("destAmount", dest)] {
            out.value(name, amount);
        }
        let [src_usd, dest_usd] = self.usd;
        for (name, text) in [("srcUsd", src_usd), ("destUsd", dest_usd), ("partnerName", self.partner)] {
            out.text_or_null(name, text);
        }
        out.number_or_null("feeBps", self.fee_bps);
        out.value("spender", self.spender);
        let judged = judge.filter(|_| self.reference.text().is_err()).map(|judge| judge(self, intent));
        out.raw("reference", &judged.unwrap_or_else(|| Ok(quoted(PENDING)))?);
        out.raw("report", &report(&sentence::quote(intent, *src, *dest), self.checks, None));
        Ok(())
    }
}

/// The [`Judge`]. It informs; `build` refuses.
///
/// # Errors
/// INVALID_INPUT if the reference prices cannot be read.
pub fn judge_fields(fields: &QuoteFields<'_>, intent: &Intent) -> Result<String> {
    let Some(references) = optional(&fields.reference, PriceReferences::read)? else { return Ok("null".into()) };
    let taxes = intent.pricing.market.as_ref().map(|json| transfer_taxes(&JsonAt::input(json, "market")));
    let fee = fields.fee_bps.unwrap_or(intent.max_fee_bps.min(CAP_BPS));
    let mut deal = Deal {
        taken_bps: fee.saturating_add(taxes.unwrap_or_default()),
        has_gas: fields.price.is_some(),
        needs_reference: false,
        ..Deal::of(intent, (*fields.src_amount, *fields.dest_amount), None)
    };
    if let Some(price) = fields.price {
        deal.stated_gas = value_gas(price, intent, &deal, intent.dest_chain_id, &references);
    }
    Ok(judge(PRICE, &references, &deal).json)
}
