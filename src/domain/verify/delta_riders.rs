//! What rides along in a Delta order: fee, permit, metadata, the bridge, another contract's handling.

use super::delta_amounts::Figures;
use super::delta_order::{Asked, same};
use super::fees;
use super::report::{Checks, Verdict};
use crate::domain::delta::partner_fee::PartnerFee;
use crate::domain::delta::price::{BRIDGE_PARAMS, scaled};
use crate::domain::delta::terms::MAX_METADATA;
use crate::domain::fee::CAP_BPS;
use crate::domain::intent::ANONYMOUS;
use crate::domain::permit::Spending;
use crate::domain::text::Phrase;
use crate::domain::token::is_native;
use crate::domain::typed_struct::{TypedStruct, members};
use alloy_primitives::{Address, FixedBytes, U256, hex};

/// Holds the fee word against what was asked for.
pub fn fees(checks: &mut Checks, fee: &PartnerFee, asked: &Asked<'_>) {
    let Asked { intent, terms, price, .. } = asked;
    let stated = price.fee_bps().unwrap_or(intent.max_fee_bps);
    let most = intent.max_fee_bps.min(stated).min(CAP_BPS);
    checks.within("order.partnerAndFee.");
    fees::packed(checks, intent, most, fee.fee_bps, fee.partner, false);
    // Who asks for a share need not get it; who left it open to a named partner has agreed to what that one agreed to.
    let may_take = terms.take_surplus.unwrap_or(intent.partner != ANONYMOUS);
    fees::flag(checks, "takeSurplus", if may_take { None } else { Some(false) }, fee.take_surplus);
    fees::flag(checks, "capSurplus", terms.cap_surplus, fee.cap_surplus);
    checks.same("unknownBits", &U256::ZERO, &fee.unknown);
    checks.within("");
}

/// A member of bytes that were passed in.
fn same_bytes(checks: &mut Checks, order: &TypedStruct, member: &str, passed: &[u8]) {
    same(checks, order, member, &hex::encode_prefixed(passed));
}

/// Holds the rest against what was asked for.
pub fn riders(checks: &mut Checks, order: &TypedStruct, figures: &Figures, asked: &Asked<'_>) {
    let terms = asked.terms;
    let bytes = terms.permit.as_ref().map_or(&[][..], |permit| &permit.bytes);
    same_bytes(checks, order, "permit", bytes);
    if let Some(permit) = &terms.permit {
        let spending = Spending {
            chain_id: asked.intent.chain_id,
            token: asked.intent.src.address,
            owner: terms.owner,
            spender: asked.contracts.0.delta,
            amount: figures.spent,
            deadline: Some(figures.deadline),
            now: asked.now,
        };
        permit.verify(checks, &spending);
    }
    match &terms.metadata {
        Some(metadata) => same_bytes(checks, order, "metadata", metadata),
        None => {
            let fits = order.bytes("metadata").len() <= MAX_METADATA;
            let verdict = if fits { Verdict::Opaque } else { Verdict::Mismatch };
            checks.note("order.metadata", &"at most 1024 bytes, not judged", &order.text("metadata"), verdict);
        }
    }
    if let Some((handler, data)) = &terms.external {
        same(checks, order, "handler", handler);
        same_bytes(checks, order, "data", data);
    } else if asked.intent.is_crosschain() {
        bridge(checks, order, asked);
    } else {
        no_bridge(checks, order);
    }
}

/// A crosschain order's bridge. Selector and data are the bridge's own language: what they bring about, nobody here can
/// tell, and the report says so.
fn bridge(checks: &mut Checks, order: &TypedStruct, asked: &Asked<'_>) {
    let Asked { intent, price, .. } = asked;
    same(checks, order, "bridge.destinationChainId", &intent.dest_chain_id);
    let output = order.address("bridge.outputToken");
    // The native coin of another chain is written either way.
    let native = is_native(intent.dest.address) && output.is_zero();
    let expected = if native { output } else { intent.dest.address };
    same(checks, order, "bridge.outputToken", &expected);
    let params = price.bridge.as_ref().and_then(|bridge| bridge.params.as_ref());
    for (member, of) in members(BRIDGE_PARAMS) {
        let path = ["bridge.", member].concat();
        let (field, actual) = (["order.", &path].concat(), order.text(&path));
        if let Some(params) = params {
            checks.same(&field, &params.text(member), &actual);
        }
        if of.starts_with("bytes") {
            checks.note(&field, &"not judged: delivery rests on the bridge", &actual, Verdict::Opaque);
        }
    }
    let (from, to) = (&price.origin_output.amount, &price.destination_output.amount);
    if price.is_only_bridged() {
        let arrives = scaled(*from, scaling_factor(order)).unwrap_or(U256::MAX);
        let expected = Phrase(&[&"one by which ", from, &" is at least ", to]);
        checks.holds("order.bridge.scalingFactor", arrives >= *to, &expected, &order.text("bridge.scalingFactor"));
    } else {
        let expected = "not judged: another token leaves the bridge than arrives";
        checks.note("order.bridge.scalingFactor", &expected, &order.text("bridge.scalingFactor"), Verdict::Opaque);
    }
}

/// The order's power of ten from units of the token that enters the bridge to units of the one that leaves it.
fn scaling_factor(order: &TypedStruct) -> i8 {
    let [.., last] = order.word("bridge.scalingFactor").0;
    i8::from_be_bytes([last])
}

fn no_bridge(checks: &mut Checks, order: &TypedStruct) {
    same(checks, order, "bridge.protocolSelector", &FixedBytes::<4>::ZERO);
    same(checks, order, "bridge.destinationChainId", &U256::ZERO);
    same(checks, order, "bridge.outputToken", &Address::ZERO);
    same(checks, order, "bridge.scalingFactor", &0_u8);
    same(checks, order, "bridge.protocolData", &"0x");
}
