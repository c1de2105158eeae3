//! The typed data of a Delta order against what was asked for.

use super::report::{Checks, Verdict};
use crate::domain::chain::{Contracts, Path, Source, named};
use crate::domain::delta::order::{self, DOMAIN_FIELDS, DOMAIN_NAME, DOMAIN_VERSION, ORDER_TYPE, Order};
use crate::domain::delta::partner_fee::{CAP_BPS, PartnerFee};
use crate::domain::delta::price::{Price, after_fee};
use crate::domain::eip712::{Digest, Types};
use crate::domain::intent::{ANONYMOUS, Intent, Terms};
use crate::domain::side::Side;
use crate::domain::text::ToText;
use crate::domain::token::NATIVE;
use crate::error::{Error, Result};
use alloy_primitives::{Address, B256, FixedBytes, U256, hex};

/// Longest metadata that is signed unread.
pub const MAX_METADATA: usize = 1024;
/// How far ahead a deadline may be that nobody named.
const MAX_UNNAMED_SECS: u64 = 86_400;

/// `toSign`, read but not believed.
pub struct Payload<'a> {
    /// The struct types.
    pub types: Types<'a>,
    /// The root type, where the payload names it.
    pub primary_type: Option<&'a str>,
    /// Names of the domain's members.
    pub domain_members: Vec<&'a str>,
    /// `domain.name`.
    pub name: &'a str,
    /// `domain.version`.
    pub version: &'a str,
    /// `domain.chainId`.
    pub chain_id: U256,
    /// `domain.verifyingContract`.
    pub verifying_contract: Address,
    /// `value`; `None` where the types are not an order's.
    pub order: Option<Order>,
    /// The hash the service states.
    pub order_hash: B256,
}

/// Everything a payload is held against.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// The trade.
    pub intent: &'a Intent,
    /// The build's options.
    pub terms: &'a Terms,
    /// The price it was built from.
    pub price: &'a Price<'a>,
    /// The chain's contracts.
    pub contracts: &'a (Contracts, Source),
    /// Unix seconds, by the chain's clock where it can be read.
    pub now: u64,
    /// Whether the caller named the deadline in `terms`; otherwise it is only bounded.
    pub deadline_named: bool,
}

/// What is known of an order that says what was asked for.
pub struct Verified {
    /// The order.
    pub order: Order,
    /// Its hashes.
    pub digest: Digest,
    /// What was checked, for a report.
    pub checks: String,
    /// The fee inside.
    pub fee_bps: u16,
    /// The least that arrives after the fee.
    pub min_received: U256,
}

/// Whether the types are an order's, to the letter. Only then can `value` be read as one.
pub fn has_order_types(types: &Types<'_>, primary_type: Option<&str>) -> bool {
    let root = types.root();
    root == Some("Order")
        && primary_type.is_none_or(|name| root == Some(name))
        && types.encode_type("Order").is_some_and(|text| text == ORDER_TYPE)
        && order::is_domain(types)
        && types.names().all(|name| ["Order", "Bridge", "EIP712Domain"].contains(&name))
}

/// Holds the payload against what was asked for.
///
/// # Errors
/// VERIFY_MISMATCH with the first field that is not as asked for.
pub fn verify(payload: Payload<'_>, asked: &Asked<'_>) -> Result<Verified> {
    let mut checks = Checks::default();
    let delta = asked.contracts.0.delta;
    let seen = payload.types.root().and_then(|root| payload.types.encode_type(root));
    let seen = seen.unwrap_or_else(|| "no single root type".into());
    checks.holds("types", payload.order.is_some(), ORDER_TYPE, &seen);
    domain(&mut checks, &payload, asked);
    let Some(order) = payload.order else {
        // The check of the types has failed.
        return checks.finish().and(Err(Error::unread()));
    };
    parties(&mut checks, &order, asked);
    amounts(&mut checks, &order, asked);
    timing(&mut checks, &order, asked);
    let fee = PartnerFee::unpack(order.partnerAndFee);
    fees(&mut checks, &fee, asked);
    let min_received = after_fee(order.destAmount, fee.fee_bps);
    if let Some(least) = &asked.terms.min_received {
        checks.at_least("order.minReceived", least, &min_received);
    }
    if let Some(most) = &asked.terms.max_spent {
        checks.at_most("order.maxSpent", most, &order.srcAmount);
    }
    riders(&mut checks, &order);
    let digest = order::digest(&order, asked.intent.chain_id, delta);
    checks.same("orderHash", &digest.digest, &payload.order_hash);
    Ok(Verified { order, digest, checks: checks.finish()?, fee_bps: fee.fee_bps, min_received })
}

fn domain(checks: &mut Checks, payload: &Payload<'_>, asked: &Asked<'_>) {
    checks.holds("domain.name", payload.name == DOMAIN_NAME, DOMAIN_NAME, payload.name);
    checks.holds("domain.version", payload.version == DOMAIN_VERSION, DOMAIN_VERSION, payload.version);
    checks.same("domain.chainId", &asked.intent.chain_id, &payload.chain_id);
    let contract = payload.verifying_contract;
    let same = contract == asked.contracts.0.delta;
    checks.holds("domain.verifyingContract", same, &named(asked.contracts, Path::Delta), &contract.text());
    let known = DOMAIN_FIELDS.map(|(name, _)| name);
    let only_known = payload.domain_members.iter().all(|name| known.contains(name));
    checks.holds("domain", only_known, &known.join(", "), &payload.domain_members.join(", "));
}

fn parties(checks: &mut Checks, order: &Order, asked: &Asked<'_>) {
    let Asked { intent, terms, contracts: (contracts, _), .. } = asked;
    checks.same("order.owner", &terms.owner, &order.owner);
    checks.same("order.beneficiary", &intent.beneficiary.unwrap_or(terms.owner), &order.beneficiary);
    let nobody = [Address::ZERO, NATIVE, intent.src.address, intent.dest.address, contracts.delta];
    let reachable = !nobody.contains(&order.beneficiary);
    checks.holds("order.beneficiary", reachable, "somebody who can receive", &order.beneficiary.text());
    let src = match contracts.wrapped_native {
        Some(wrapped) if intent.src.address == NATIVE && order.srcToken == wrapped => wrapped,
        _ => intent.src.address,
    };
    checks.same("order.srcToken", &src, &order.srcToken);
    checks.same("order.destToken", &asked.price.origin_output.token, &order.destToken);
}

fn amounts(checks: &mut Checks, order: &Order, asked: &Asked<'_>) {
    let Asked { intent, terms, price, .. } = asked;
    checks.same("order.kind", &intent.side.kind(), &order.kind);
    let (spent, received) = (&price.origin_input.amount, &price.origin_output.amount);
    match intent.side {
        Side::Sell => {
            checks.same("order.srcAmount", &intent.amount, &order.srcAmount);
            checks.at_least("order.destAmount", &price.least_output(Side::Sell, terms.slippage), &order.destAmount);
            checks.same("order.expectedAmount", received, &order.expectedAmount);
            // The protocol shares in what exceeds the expected amount: below the minimum it would take the user's own.
            checks.at_least("order.expectedAmount", &order.destAmount, &order.expectedAmount);
        }
        Side::Buy => {
            checks.at_most("order.srcAmount", &price.most_input(Side::Buy, terms.slippage), &order.srcAmount);
            checks.same("order.destAmount", received, &order.destAmount);
            checks.same("order.expectedAmount", spent, &order.expectedAmount);
            checks.at_most("order.expectedAmount", &order.srcAmount, &order.expectedAmount);
        }
    }
}

fn timing(checks: &mut Checks, order: &Order, asked: &Asked<'_>) {
    let now = U256::from(asked.now);
    if asked.deadline_named {
        checks.same("order.deadline", &asked.terms.deadline, &order.deadline);
    } else {
        let latest = U256::from(asked.now.saturating_add(MAX_UNNAMED_SECS));
        checks.at_most("order.deadline", &latest, &order.deadline);
    }
    checks.holds("order.deadline", order.deadline > now, &["after ", &now.text()].concat(), &order.deadline.text());
    match &asked.terms.nonce {
        Some(nonce) => checks.same("order.nonce", nonce, &order.nonce),
        None => checks.note("order.nonce", "chosen by the service", &order.nonce.text(), Verdict::Unknown),
    }
}

fn fees(checks: &mut Checks, fee: &PartnerFee, asked: &Asked<'_>) {
    let Asked { intent, price, .. } = asked;
    let stated = price.fee_bps().unwrap_or(intent.max_fee_bps);
    let most = intent.max_fee_bps.min(stated).min(CAP_BPS);
    checks.at_most("order.partnerAndFee.feeBps", &U256::from(most), &U256::from(fee.fee_bps));
    match &intent.partner_address {
        Some(partner) => checks.same("order.partnerAndFee.partner", partner, &fee.partner),
        None => {
            let actual = fee.partner.text();
            checks.note("order.partnerAndFee.partner", "chosen by the service", &actual, Verdict::Ok);
        }
    }
    let may_take = intent.partner != ANONYMOUS;
    let yes_no = |yes: bool| if yes { "set" } else { "not set" };
    let expected = if may_take { "either" } else { "not set" };
    checks.holds("order.partnerAndFee.takeSurplus", may_take || !fee.take_surplus, expected, yes_no(fee.take_surplus));
    checks.note("order.partnerAndFee.capSurplus", "either", yes_no(fee.cap_surplus), Verdict::Ok);
    checks.same("order.partnerAndFee.unknownBits", &U256::ZERO, &fee.unknown);
}

/// What rides along: permit, metadata, bridge.
fn riders(checks: &mut Checks, order: &Order) {
    let shown = |bytes: &[u8]| hex::encode_prefixed(bytes.get(..64).unwrap_or(bytes));
    checks.holds("order.permit", order.permit.is_empty(), "0x", &shown(&order.permit));
    let metadata = if order.metadata.len() > MAX_METADATA { Verdict::Mismatch } else { Verdict::Opaque };
    checks.note("order.metadata", "at most 1024 bytes, not judged", &shown(&order.metadata), metadata);
    let bridge = &order.bridge;
    checks.same("order.bridge.protocolSelector", &FixedBytes::<4>::ZERO, &bridge.protocolSelector);
    checks.same("order.bridge.destinationChainId", &U256::ZERO, &bridge.destinationChainId);
    checks.same("order.bridge.outputToken", &Address::ZERO, &bridge.outputToken);
    checks.same("order.bridge.scalingFactor", &0_u8, &bridge.scalingFactor);
    checks.holds("order.bridge.protocolData", bridge.protocolData.is_empty(), "0x", &shown(&bridge.protocolData));
}
