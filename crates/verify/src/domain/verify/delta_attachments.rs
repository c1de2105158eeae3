//! The further members of a Delta order, besides parties, amounts and times: fee, permit, metadata, bridge, or the
//! handler of an `ExternalOrder`.
//!
//! Refuses a fee for another account or a higher one, bytes that were not passed in, and a bridge on an order for one
//! chain, which would move the tokens to an unexpected chain.

use crate::domain::delta::order::{DeltaKinds, DeltaOrder};
use crate::domain::delta::partner_fee::PartnerFee;
use crate::domain::delta::terms::MAX_METADATA;
use crate::domain::fee::CAP_BPS;
use crate::domain::member::{Any, Member, Members, member};
use crate::domain::permit::Spending;
use crate::domain::verify::delta_amounts::OrderAmounts;
use crate::domain::verify::delta_bridge::check_bridge;
use crate::domain::verify::delta_expectation::{DeltaExpectation, same};
use crate::domain::verify::fees::{self, Packed};
use crate::domain::verify::report::{Checks, Verdict};
use alloy_primitives::{Address, FixedBytes, U256, hex};

/// Notes whether `partnerAndFee` takes no more than requested, quoted and agreed on. Refuses a higher fee, another
/// partner, a share of the surplus that was not granted, and unknown bits.
pub fn check_fees(checks: &mut Checks, fee: &PartnerFee, asked: &DeltaExpectation<'_>) {
    let DeltaExpectation { intent, terms, price, .. } = asked;
    let stated = price.fee_bps().unwrap_or(intent.max_fee_bps);
    let most = intent.max_fee_bps.min(stated).min(CAP_BPS);
    let word = Packed {
        fee_bps: fee.fee_bps,
        partner: fee.partner,
        take_surplus: fee.take_surplus,
        // Without a share of the surplus for the partner there is nothing to cap: either value is right.
        cap_surplus: fee.cap_surplus || !fee.take_surplus,
        referral: false,
    };
    checks.set_prefix("order.partnerAndFee.");
    let held = checks.all_hold();
    fees::check_packed(checks, intent, most, &word);
    // A requested share need not be granted.
    let may_take = terms.take_surplus.unwrap_or(intent.agreement.takes_surplus);
    fees::check_flag(checks, "takeSurplus", Some(false).filter(|_| !may_take), fee.take_surplus);
    let capped = Some(true).filter(|_| fee.take_surplus && !intent.agreement.uncapped);
    fees::check_flag(checks, "capSurplus", terms.cap_surplus.or(capped), fee.cap_surplus);
    if fee.fee_bps <= stated {
        fees::advise_agreement(checks, held, intent, &word.wants());
    }
    checks.same("unknownBits", &U256::ZERO, &fee.unknown);
    checks.set_prefix("");
}

/// Checks a member against the bytes that the caller passed in.
fn same_bytes(checks: &mut Checks, order: &DeltaOrder, member: Member<DeltaKinds, Any>, passed: &[u8]) {
    same(checks, order, member, &hex::encode_prefixed(passed));
}

/// Notes whether permit, metadata, handler and bridge match the request. Refuses a permit that was not passed in or
/// does not fit the order, other bytes for the handler than the caller's, and metadata too long to be shown. The
/// beneficiary of an `ExternalOrder` is opaque: the signed struct does not name it.
pub fn check_attachments(
    checks: &mut Checks,
    order: &DeltaOrder,
    amounts: &OrderAmounts,
    asked: &DeltaExpectation<'_>,
) {
    let terms = asked.terms;
    let bytes = terms.permit.as_ref().map_or(&[][..], |permit| &permit.bytes);
    same_bytes(checks, order, member!("permit"), bytes);
    if let Some(permit) = &terms.permit {
        let spending = Spending {
            chain_id: asked.intent.chain_id,
            token: asked.intent.src.address,
            owner: terms.owner,
            spender: asked.deployment.contracts.delta,
            amount: amounts.spent,
            deadline: Some(amounts.deadline),
            now: asked.now,
        };
        permit.verify(checks, &spending);
    }
    match &terms.metadata {
        Some(metadata) => same_bytes(checks, order, member!("metadata"), metadata),
        None => {
            let fits = order.bytes(member!("metadata")).len() <= MAX_METADATA;
            let verdict = if fits { Verdict::Opaque } else { Verdict::Mismatch };
            checks.note("order.metadata", &"at most 1024 bytes, not judged", &order.text(member!("metadata")), verdict);
        }
    }
    if let Some((handler, data)) = &terms.external {
        same(checks, order, member!("handler"), handler);
        same_bytes(checks, order, member!("data"), data);
        let who = asked.intent.beneficiary.unwrap_or(terms.owner);
        checks.note(
            "order.beneficiary",
            &"not in what is signed: the handler decides who receives",
            &who,
            Verdict::Opaque,
        );
    } else if asked.intent.is_crosschain() {
        check_bridge(checks, order, amounts, asked);
    } else {
        check_no_bridge(checks, order);
    }
}

/// Checks that an order on one chain has an empty bridge. Refuses one that would send the proceeds to another chain.
fn check_no_bridge(checks: &mut Checks, order: &DeltaOrder) {
    same(checks, order, member!("bridge.protocolSelector"), &FixedBytes::<4>::ZERO);
    same(checks, order, member!("bridge.destinationChainId"), &U256::ZERO);
    same(checks, order, member!("bridge.outputToken"), &Address::ZERO);
    same(checks, order, member!("bridge.scalingFactor"), &0_u8);
    same(checks, order, member!("bridge.protocolData"), &"0x");
}
