//! GET /prices, POST /transactions/{chainId}, and GET /swap, which is both in one: prices of the Market path, and
//! transactions from them (service, 4.1, 4.2).

use super::call::{Call, call};
use super::query::query;
use crate::client::Shared;
use crate::domain::address::checksummed;
use crate::domain::intent::Intent;
use crate::domain::market::terms::MarketTerms;
use crate::domain::side::Side;
use crate::domain::text::ToText;
use crate::error::Result;
use crate::host::Host;
use crate::json::{Out, truth};
use alloy_primitives::Address;

/// Members of a query.
type Members = Vec<(&'static str, Option<String>)>;

/// Asks for a price route; `more` are the query's further members. Returns the answer's text.
///
/// # Errors
/// Those of [`call`].
pub async fn prices<H: Host>(shared: &Shared<H>, intent: &Intent, more: Members, signal: &H::Signal) -> Result<String> {
    let path = ["/prices", &query(&priced(intent, more))].concat();
    call(shared, Call { name: "prices", path, body: None }, signal).await
}

/// Asks for a price route and the transaction from it in one. Makers' orders are left out there, and nobody's balance is
/// looked at.
///
/// # Errors
/// Those of [`call`].
pub async fn swap<H: Host>(
    shared: &Shared<H>,
    intent: &Intent,
    terms: &MarketTerms,
    more: Members,
    signal: &H::Signal,
) -> Result<String> {
    let mut members = priced(intent, more);
    let flag = |flag: Option<bool>| flag.map(|flag| truth(flag).into());
    members.extend([
        ("slippage", Some(terms.slippage.get().text())),
        ("partnerAddress", intent.partner_address.map(checksummed)),
        ("partnerFeeBps", intent.partner_fee_bps.map(|bps| bps.text())),
        ("isCapSurplus", flag(terms.cap_surplus)),
        ("takeSurplus", flag(terms.take_surplus)),
        ("isSurplusToUser", flag(terms.surplus_to_user)),
        ("isDirectFeeTransfer", flag(terms.direct_fee_transfer)),
    ]);
    call(shared, Call { name: "swap", path: ["/swap", &query(&members)].concat(), body: None }, signal).await
}

fn priced(intent: &Intent, more: Members) -> Members {
    let receiver = intent.beneficiary.filter(|who| Some(*who) != intent.account);
    let mut members = vec![
        // The native coin's checksum casing is the one the service takes.
        ("srcToken", Some(checksummed(intent.src.address))),
        ("destToken", Some(checksummed(intent.dest.address))),
        ("amount", Some(intent.amount.text())),
        ("srcDecimals", Some(intent.src.decimals.text())),
        ("destDecimals", Some(intent.dest.decimals.text())),
        ("side", Some(intent.side.name().into())),
        ("network", Some(intent.chain_id.text())),
        ("userAddress", intent.account.map(checksummed)),
        ("partner", Some(intent.partner.clone())),
        ("receiver", receiver.map(checksummed)),
        ("maxImpact", intent.pricing.max_impact_percent.clone()),
        ("maxUSDImpact", intent.pricing.max_usd_impact.clone()),
        // The service's default is the legacy router.
        ("version", Some("6.2".into())),
    ];
    members.extend(more);
    members
}

/// What the service is asked to build.
pub struct Building<'a> {
    /// The price route, byte for byte.
    pub route: &'a str,
    /// The trade.
    pub intent: &'a Intent,
    /// The build's options.
    pub terms: &'a MarketTerms,
    /// Who calls the router.
    pub owner: Address,
    /// A signed permit's bytes, where there is one.
    pub permit: Option<&'a [u8]>,
    /// The service leaves out its own checks of balance and allowance.
    pub ignore_checks: bool,
}

/// Has the service build a transaction.
///
/// # Errors
/// Those of [`call`].
pub async fn build<H: Host>(shared: &Shared<H>, asked: &Building<'_>, signal: &H::Signal) -> Result<String> {
    let Building { route, intent, terms, owner, permit, ignore_checks } = asked;
    let mut out = Out::object();
    out.raw("priceRoute", route);
    out.value("srcToken", &intent.src.address);
    out.value("destToken", &intent.dest.address);
    out.number("srcDecimals", intent.src.decimals.into());
    out.number("destDecimals", intent.dest.decimals.into());
    out.value(if intent.side == Side::Sell { "srcAmount" } else { "destAmount" }, &intent.amount);
    // Always explicit, and never together with the other amount, which would be a second bound.
    out.number("slippage", terms.slippage.get().into());
    out.value("userAddress", owner);
    let receiver = intent.beneficiary.filter(|who| who != owner);
    out.values(&[("txOrigin", terms.tx_origin), ("receiver", receiver), ("partnerAddress", intent.partner_address)]);
    out.text("partner", &intent.partner);
    out.values(&[("partnerFeeBps", intent.partner_fee_bps)]);
    if let Some(permit) = permit {
        out.bytes("permit", permit);
    }
    if let Some(deadline) = terms.deadline {
        out.number("deadline", deadline);
    }
    out.flags(&[
        ("isCapSurplus", terms.cap_surplus),
        ("takeSurplus", terms.take_surplus),
        ("isSurplusToUser", terms.surplus_to_user),
        ("isDirectFeeTransfer", terms.direct_fee_transfer),
    ]);
    let flag = |flag: Option<bool>| flag.filter(|flag| *flag).map(|_| String::from("true"));
    let query = query(&[
        ("ignoreChecks", flag(Some(*ignore_checks))),
        ("ignoreGasEstimate", flag(terms.ignore_gas_estimate)),
        ("eip1559", flag(terms.eip1559)),
        ("gasPrice", terms.gas_price.map(|price| price.text())),
    ]);
    let path = ["/transactions/", &intent.chain_id.text(), &query].concat();
    call(shared, Call { name: "transactions", path, body: Some(out.close()) }, signal).await
}
