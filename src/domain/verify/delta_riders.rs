//! What rides along in a Delta order: fee, permit, metadata, the bridge, another contract's handling.

use super::delta_order::{Asked, same};
use super::report::{Checks, Verdict};
use crate::domain::delta::partner_fee::{CAP_BPS, PartnerFee};
use crate::domain::delta::terms::MAX_METADATA;
use crate::domain::intent::ANONYMOUS;
use crate::domain::text::ToText;
use crate::domain::typed_struct::TypedStruct;
use alloy_primitives::{Address, FixedBytes, U256, hex};

/// Holds the fee word against what was asked for.
pub fn fees(checks: &mut Checks, fee: &PartnerFee, asked: &Asked<'_>) {
    let Asked { intent, terms, price, .. } = asked;
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
    // Who asks for a share need not get it; who left it open to a named partner has agreed to what that one agreed to.
    let may_take = terms.take_surplus.unwrap_or(intent.partner != ANONYMOUS);
    flag(checks, "order.partnerAndFee.takeSurplus", if may_take { None } else { Some(false) }, fee.take_surplus);
    flag(checks, "order.partnerAndFee.capSurplus", terms.cap_surplus, fee.cap_surplus);
    checks.same("order.partnerAndFee.unknownBits", &U256::ZERO, &fee.unknown);
}

fn flag(checks: &mut Checks, field: &str, asked: Option<bool>, is: bool) {
    let name = |set: bool| if set { "set" } else { "not set" };
    checks.holds(field, asked.is_none_or(|asked| asked == is), asked.map_or("either", name), name(is));
}

/// Holds the rest against what was asked for.
pub fn riders(checks: &mut Checks, order: &TypedStruct, asked: &Asked<'_>) {
    let terms = asked.terms;
    let permit = terms.permit_bytes().unwrap_or("0x").to_ascii_lowercase();
    checks.holds("order.permit", order.text("permit") == permit, &permit, &order.text("permit"));
    match &terms.metadata {
        Some(metadata) => {
            let expected = hex::encode_prefixed(metadata);
            checks.holds("order.metadata", order.bytes("metadata") == metadata, &expected, &order.text("metadata"));
        }
        None => {
            let fits = order.bytes("metadata").len() <= MAX_METADATA;
            let verdict = if fits { Verdict::Opaque } else { Verdict::Mismatch };
            checks.note("order.metadata", "at most 1024 bytes, not judged", &order.text("metadata"), verdict);
        }
    }
    if let Some((handler, data)) = &terms.external {
        same(checks, order, "handler", handler);
        checks.holds("order.data", order.bytes("data") == data, &hex::encode_prefixed(data), &order.text("data"));
    } else {
        no_bridge(checks, order);
    }
}

fn no_bridge(checks: &mut Checks, order: &TypedStruct) {
    same(checks, order, "bridge.protocolSelector", &FixedBytes::<4>::ZERO);
    same(checks, order, "bridge.destinationChainId", &U256::ZERO);
    same(checks, order, "bridge.outputToken", &Address::ZERO);
    same(checks, order, "bridge.scalingFactor", &0_u8);
    let data = order.text("bridge.protocolData");
    checks.holds("order.bridge.protocolData", data == "0x", "0x", &data);
}
