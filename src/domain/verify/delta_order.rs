//! The typed data of a Delta order against what was asked for.

use super::report::{Checks, Verdict};
use crate::domain::chain::{Contracts, Path, Source, named};
use crate::domain::delta::order::{self, DOMAIN_NAME, DOMAIN_TYPE, DOMAIN_VERSION};
use crate::domain::delta::partner_fee::{CAP_BPS, PartnerFee};
use crate::domain::delta::price::{Price, after_fee};
use crate::domain::eip712::{Digest, Types};
use crate::domain::intent::{ANONYMOUS, Intent, Terms};
use crate::domain::side::Side;
use crate::domain::text::ToText;
use crate::domain::token::NATIVE;
use crate::domain::typed_struct::{TypedStruct, members};
use crate::error::{Error, Result};
use alloy_primitives::{Address, B256, FixedBytes, U256};

/// Longest metadata that is signed unread.
pub const MAX_METADATA: usize = 1024;
/// How far ahead a deadline may be that nobody named.
const MAX_UNNAMED_SECS: u64 = 86_400;

/// `toSign`, read but not believed.
pub struct Payload<'a> {
    /// The struct types.
    pub types: Types<'a>,
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
    pub order: Option<TypedStruct>,
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
    pub order: TypedStruct,
    /// The domain it is signed in.
    pub domain: TypedStruct,
    /// Its hashes.
    pub digest: Digest,
    /// What was checked, for a report.
    pub checks: String,
    /// The figures in it.
    pub figures: Figures,
}

/// The figures of an order that says what was asked for.
#[derive(Clone, Copy, Debug)]
pub struct Figures {
    /// Who signs and pays.
    pub owner: Address,
    /// Who receives.
    pub beneficiary: Address,
    /// The most that leaves the owner.
    pub spent: U256,
    /// The least the order pays out, before the fee.
    pub paid_out: U256,
    /// The least that arrives, after the fee.
    pub received: U256,
    /// Unix seconds.
    pub deadline: u64,
    /// Used up by the first order that fills with it.
    pub nonce: U256,
    /// The fee inside.
    pub fee_bps: u16,
}

impl Figures {
    fn of(order: &TypedStruct, fee: &PartnerFee) -> Figures {
        let paid_out = order.uint("destAmount");
        Figures {
            owner: order.address("owner"),
            beneficiary: order.address("beneficiary"),
            spent: order.uint("srcAmount"),
            paid_out,
            received: after_fee(paid_out, fee.fee_bps),
            deadline: u64::try_from(order.uint("deadline")).unwrap_or(u64::MAX),
            nonce: order.uint("nonce"),
            fee_bps: fee.fee_bps,
        }
    }
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
    checks.holds("types", payload.order.is_some(), order::TYPES[0], &seen);
    domain(&mut checks, &payload, asked);
    let Some(order) = payload.order else {
        // The check of the types has failed.
        return checks.finish().and(Err(Error::unread()));
    };
    parties(&mut checks, &order, asked);
    amounts(&mut checks, &order, asked);
    timing(&mut checks, &order, asked);
    let fee = PartnerFee::unpack(order.uint("partnerAndFee"));
    fees(&mut checks, &fee, asked);
    let figures = Figures::of(&order, &fee);
    if let Some(least) = &asked.terms.min_received {
        checks.at_least("order.minReceived", least, &figures.received);
    }
    if let Some(most) = &asked.terms.max_spent {
        checks.at_most("order.maxSpent", most, &figures.spent);
    }
    riders(&mut checks, &order);
    let domain = order::domain(asked.intent.chain_id, delta);
    let digest = order.digest(&domain);
    checks.same("orderHash", &digest.digest, &payload.order_hash);
    Ok(Verified { order, domain, digest, checks: checks.finish()?, figures })
}

fn domain(checks: &mut Checks, payload: &Payload<'_>, asked: &Asked<'_>) {
    checks.holds("domain.name", payload.name == DOMAIN_NAME, DOMAIN_NAME, payload.name);
    checks.holds("domain.version", payload.version == DOMAIN_VERSION, DOMAIN_VERSION, payload.version);
    checks.same("domain.chainId", &asked.intent.chain_id, &payload.chain_id);
    let contract = payload.verifying_contract;
    let same = contract == asked.contracts.0.delta;
    checks.holds("domain.verifyingContract", same, &named(asked.contracts, Path::Delta), &contract.text());
    let only_known = payload.domain_members.iter().all(|name| members(DOMAIN_TYPE).any(|(known, _)| known == *name));
    checks.holds("domain", only_known, "name, version, chainId, verifyingContract", &payload.domain_members.join(", "));
}

/// A member that is as it was asked for: the same text.
fn same(checks: &mut Checks, order: &TypedStruct, member: &str, expected: &dyn ToText) {
    let (expected, actual) = (expected.text(), order.text(member));
    checks.holds(&["order.", member].concat(), expected == actual, &expected, &actual);
}

fn parties(checks: &mut Checks, order: &TypedStruct, asked: &Asked<'_>) {
    let Asked { intent, terms, contracts: (contracts, _), .. } = asked;
    same(checks, order, "owner", &terms.owner);
    same(checks, order, "beneficiary", &intent.beneficiary.unwrap_or(terms.owner));
    let nobody = [Address::ZERO, NATIVE, intent.src.address, intent.dest.address, contracts.delta];
    let beneficiary = order.address("beneficiary");
    let reachable = !nobody.contains(&beneficiary);
    checks.holds("order.beneficiary", reachable, "somebody who can receive", &beneficiary.text());
    let src = match contracts.wrapped_native {
        Some(wrapped) if intent.src.address == NATIVE && order.address("srcToken") == wrapped => wrapped,
        _ => intent.src.address,
    };
    same(checks, order, "srcToken", &src);
    same(checks, order, "destToken", &asked.price.origin_output.token);
}

fn amounts(checks: &mut Checks, order: &TypedStruct, asked: &Asked<'_>) {
    let Asked { intent, terms, price, .. } = asked;
    same(checks, order, "kind", &intent.side.kind());
    let (spent, received) = (&price.origin_input.amount, &price.origin_output.amount);
    let (src, dest, expected) = (order.uint("srcAmount"), order.uint("destAmount"), order.uint("expectedAmount"));
    match intent.side {
        Side::Sell => {
            same(checks, order, "srcAmount", &intent.amount);
            checks.at_least("order.destAmount", &price.least_output(Side::Sell, terms.slippage), &dest);
            same(checks, order, "expectedAmount", received);
            // The protocol shares in what exceeds the expected amount: below the minimum it would take the user's own.
            checks.at_least("order.expectedAmount", &dest, &expected);
        }
        Side::Buy => {
            checks.at_most("order.srcAmount", &price.most_input(Side::Buy, terms.slippage), &src);
            same(checks, order, "destAmount", received);
            same(checks, order, "expectedAmount", spent);
            checks.at_most("order.expectedAmount", &src, &expected);
        }
    }
}

fn timing(checks: &mut Checks, order: &TypedStruct, asked: &Asked<'_>) {
    let (now, deadline) = (U256::from(asked.now), order.uint("deadline"));
    if asked.deadline_named {
        same(checks, order, "deadline", &asked.terms.deadline);
    } else {
        let latest = U256::from(asked.now.saturating_add(MAX_UNNAMED_SECS));
        checks.at_most("order.deadline", &latest, &deadline);
    }
    checks.holds("order.deadline", deadline > now, &["after ", &now.text()].concat(), &deadline.text());
    match &asked.terms.nonce {
        Some(nonce) => same(checks, order, "nonce", nonce),
        None => checks.note("order.nonce", "chosen by the service", &order.text("nonce"), Verdict::Unknown),
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
fn riders(checks: &mut Checks, order: &TypedStruct) {
    checks.holds("order.permit", order.bytes("permit").is_empty(), "0x", &order.text("permit"));
    let metadata = if order.bytes("metadata").len() > MAX_METADATA { Verdict::Mismatch } else { Verdict::Opaque };
    checks.note("order.metadata", "at most 1024 bytes, not judged", &order.text("metadata"), metadata);
    same(checks, order, "bridge.protocolSelector", &FixedBytes::<4>::ZERO);
    same(checks, order, "bridge.destinationChainId", &U256::ZERO);
    same(checks, order, "bridge.outputToken", &Address::ZERO);
    same(checks, order, "bridge.scalingFactor", &0_u8);
    checks.holds(
        "order.bridge.protocolData",
        order.bytes("bridge.protocolData").is_empty(),
        "0x",
        &order.text("bridge.protocolData"),
    );
}
