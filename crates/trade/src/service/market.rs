//! The Market path: GET /prices for a price route, POST /transactions/{chainId} for the transaction from it, and GET
//! /swap for both in one (docs/coverage.md has each parameter; docs/sandbox.md, "Market", the service's rules).

use super::call::{ServiceRequest, call};
use super::query::Query;
use crate::client::Shared;
use crate::host::Host;
use alloy_primitives::Address;
use verify::internal::domain::intent::Intent;
use verify::internal::domain::market::terms::MarketTerms;
use verify::internal::domain::side::Side;
use verify::internal::error::Result;
use verify::internal::json::ObjectWriter;
use verify::internal::value::text::ToText;

/// Further members of a query, by the service's names; those without a value are left out.
type Members = Vec<(&'static str, Option<String>)>;

/// Requests a price route, with `more` in the query; returns the answer's text.
///
/// # Errors
/// The errors of [`call`].
pub async fn prices<H: Host>(shared: &Shared<H>, intent: &Intent, more: Members, signal: &H::Signal) -> Result<String> {
    let path = priced(intent, &more).behind("/prices");
    call(shared, ServiceRequest { name: "prices", path, body: None }, signal).await
}

/// Requests a price route and the transaction from it; returns the answer's text. The service then leaves out the
/// orders of market makers, and checks no balance.
///
/// # Errors
/// The errors of [`call`].
pub async fn swap<H: Host>(
    shared: &Shared<H>,
    intent: &Intent,
    terms: &MarketTerms,
    more: Members,
    signal: &H::Signal,
) -> Result<String> {
    let path = swapped(intent, terms, &more).behind("/swap");
    call(shared, ServiceRequest { name: "swap", path, body: None }, signal).await
}

/// The query of GET /swap.
fn swapped(intent: &Intent, terms: &MarketTerms, more: &Members) -> Query {
    let mut query = priced(intent, more);
    query.put("slippage", &terms.slippage.get());
    query.maybe("partnerAddress", &intent.partner_address);
    query.maybe("partnerFeeBps", &intent.partner_fee_bps);
    query.maybe("isCapSurplus", &terms.cap_surplus);
    query.maybe("takeSurplus", &terms.take_surplus);
    query.maybe("isSurplusToUser", &terms.surplus_to_user);
    query.maybe("isDirectFeeTransfer", &terms.direct_fee_transfer);
    query
}

/// The query of GET /prices.
fn priced(intent: &Intent, more: &Members) -> Query {
    let mut query = Query::default();
    // In EIP-55 casing: the service refuses the native token's placeholder in any other.
    query.put("srcToken", &intent.src.address);
    query.put("destToken", &intent.dest.address);
    query.put("amount", &intent.amount);
    query.put("srcDecimals", &intent.src.decimals);
    query.put("destDecimals", &intent.dest.decimals);
    query.put("side", &intent.side.name());
    query.put("network", &intent.chain_id);
    query.maybe("userAddress", &intent.account);
    query.put("partner", &intent.partner);
    if intent.beneficiary != intent.account {
        query.maybe("receiver", &intent.beneficiary);
    }
    query.maybe("maxImpact", &intent.pricing.max_impact_percent);
    query.maybe("maxUSDImpact", &intent.pricing.max_usd_impact);
    // The service's default is an older router.
    query.put("version", &"6.2");
    query.all(more);
    query
}

/// The input for a Market transaction.
pub struct Building<'a> {
    /// The price route as it was quoted, byte for byte.
    pub route: &'a str,
    /// The trade as it was requested.
    pub intent: &'a Intent,
    /// The options of the build: slippage, deadline and so on.
    pub terms: &'a MarketTerms,
    /// The account that calls the router, and pays.
    pub owner: Address,
    /// A signed permit, encoded for the router, in place of an approval.
    pub permit: Option<&'a [u8]>,
    /// The service does not check balance and allowance. This package checks them itself before it sends.
    pub ignore_checks: bool,
}

/// Has the service build a transaction; returns the answer's text.
///
/// # Errors
/// The errors of [`call`].
pub async fn build<H: Host>(shared: &Shared<H>, asked: &Building<'_>, signal: &H::Signal) -> Result<String> {
    let Building { route, intent, terms, owner, permit, ignore_checks } = asked;
    let mut out = ObjectWriter::object();
    out.raw("priceRoute", route);
    out.value("srcToken", &intent.src.address);
    out.value("destToken", &intent.dest.address);
    out.number("srcDecimals", intent.src.decimals.into());
    out.number("destDecimals", intent.dest.decimals.into());
    out.value(if intent.side == Side::Sell { "srcAmount" } else { "destAmount" }, &intent.amount);
    // Always stated, and never together with the amount of the other side, which would be a second bound.
    out.number("slippage", terms.slippage.get().into());
    out.value("userAddress", owner);
    let receiver = intent.beneficiary.filter(|who| who != owner);
    out.maybe("txOrigin", &terms.tx_origin);
    out.maybe("receiver", &receiver);
    out.maybe("partnerAddress", &intent.partner_address);
    out.text("partner", &intent.partner);
    out.maybe("partnerFeeBps", &intent.partner_fee_bps);
    if let Some(permit) = permit {
        out.bytes("permit", permit);
    }
    out.maybe("referrer", &terms.referrer);
    if let Some(deadline) = terms.deadline {
        out.number("deadline", deadline);
    }
    out.flags(&[
        ("isCapSurplus", terms.cap_surplus),
        ("takeSurplus", terms.take_surplus),
        ("isSurplusToUser", terms.surplus_to_user),
        ("isDirectFeeTransfer", terms.direct_fee_transfer),
    ]);
    let mut query = Query::default();
    query.maybe("ignoreChecks", &Some(true).filter(|_| *ignore_checks));
    query.maybe("ignoreAllowance", &terms.ignore_allowance.filter(|ignore| *ignore));
    query.maybe("ignoreGasEstimate", &terms.ignore_gas_estimate.filter(|ignore| *ignore));
    query.maybe("eip1559", &terms.eip1559.filter(|wanted| *wanted));
    query.maybe("gasPrice", &terms.gas_price);
    let path = query.behind(&["/transactions/", &intent.chain_id.text()].concat());
    call(shared, ServiceRequest { name: "transactions", path, body: Some(out.close()) }, signal).await
}
