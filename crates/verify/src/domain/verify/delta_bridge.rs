//! The bridge of a crosschain order: its input, against the sold token and the request (docs/verification.md, "Across
//! chains").
//!
//! Refuses another destination chain or token, a bridge input worth less than the sold amount, and an order whose
//! arrival is only promised unless the caller consented to that. The effect of the bridge's own selector and data
//! cannot be judged here, and the report states that.

use crate::domain::asset;
use crate::domain::bps::Bps;
use crate::domain::decimal::{bps_as_percent, bps_of, loses_more_than, scaled};
use crate::domain::delta::bridge_terms::BridgeTerms;
use crate::domain::delta::order::DeltaOrder;
use crate::domain::delta::price::{self, Price};
use crate::domain::delta::terms::Terms;
use crate::domain::intent::Intent;
use crate::domain::member::{Members, member};
use crate::domain::side::Side;
use crate::domain::token::{is_native, own_decimals};
use crate::domain::verify::delta_amounts::OrderAmounts;
use crate::domain::verify::delta_expectation::{DeltaExpectation, same};
use crate::domain::verify::loss::by_prices;
use crate::domain::verify::question::{Question, Reason};
use crate::domain::verify::report::{Checks, Verdict};
use crate::error::{Error, Result};
use crate::value::text::{Concat, ToText};
use alloy_primitives::{Address, FixedBytes, U256};

/// The longest `protocolData` that is accepted, in bytes.
const MAX_PROTOCOL_DATA: usize = 4_096;

/// Refuses a crosschain order whose arrival is only promised, unless the caller consented to that: by `minBridgeInput`,
/// by prices of its own, or by `acceptUnguaranteedArrival`.
///
/// # Errors
/// INVALID_INPUT with the option that is missing (also `bridgeInputDecimals`, if nothing else states them, or if the
/// token has others), or with the side of a BUY.
pub fn check_consent(intent: &Intent, terms: &Terms, price: &Price<'_>) -> Result<()> {
    let Some(bridge) = BridgeTerms::of(intent, terms, price, 0) else { return Ok(()) };
    let token = bridge.bridge_input.address;
    if let (Some(stated), Some(own)) = (terms.bridge_input.decimals, asset::decimals(intent.chain_id, token)) {
        own_decimals("options.advanced.bridgeInputDecimals", stated, &U256::from(own))?;
    }
    let undecided = || {
        let expected = ["the decimals of ", &token.text(), ", which enters the bridge: no node told them"].concat();
        Err(Error::input("options.advanced.bridgeInputDecimals", &expected, "nothing"))
    };
    if bridge.is_guaranteed {
        return if bridge.has_decimals { Ok(()) } else { undecided() };
    }
    if intent.side == Side::Buy {
        let expected =
            "SELL, or tokens that advanced.bridgeTokens lists: what arrives for this one is only the bridge's promise";
        return Err(Error::input("request.side", expected, "BUY"));
    }
    if terms.bridge_input.least.is_some() || terms.bridge_input.accepts_promise {
        return Ok(());
    }
    if is_priced(intent, terms, &bridge) {
        // Without decimals the prices do not apply to raw units.
        return if bridge.has_decimals { Ok(()) } else { undecided() };
    }
    let expected = [
        "one of three, because what arrives is promised by the bridge and not by the order: minBridgeInput { token: ",
        &token.text(),
        ", amount }, the least that enters the bridge; your own prices of what is sold and of what enters it \
         (advanced.srcPriceUsd and advanced.destPriceUsd of the request, advanced.bridgeInputPriceUsd); or acceptUnguaranteedArrival: true",
    ];
    Err(Error::input("options.acceptUnguaranteedArrival", &expected.concat(), "none of them"))
}

/// Whether the caller's own prices bound the loss on the way to the bridge: a price above 0 of the sold token, one of
/// the bridge input, and `maxLossBps` below 100 %.
fn is_priced(intent: &Intent, terms: &Terms, bridge: &BridgeTerms) -> bool {
    let src = intent.pricing.src_price_usd.as_deref().and_then(scaled).is_some_and(|price| !price.is_zero());
    let bridge_input = terms.bridge_input.price_usd.is_some() || bridge.bridge_input.address == intent.src.address;
    src && bridge_input && intent.max_loss_bps < Bps::WHOLE
}

/// The question about a bridge that gets data, which cannot be read here and may name another receiver; `None` without data.
pub fn ask_receiver(amounts: &OrderAmounts) -> Option<Question> {
    let bridge = amounts.bridge.as_ref().filter(|_| amounts.has_bridge_data)?;
    let amount = if bridge.is_guaranteed { "" } else { ", nor how much of the other token arrives" };
    let text = [
        "The order goes over a bridge by data that cannot be read here: it does not bind that ",
        &*amounts.beneficiary.text(),
        " receives on the other chain",
        amount,
        ". Only the bridge, and the service that made the data, promise that.",
    ];
    let field = "order.bridge.protocolData";
    Some(Question { reason: Reason::ReceiverUnbound, field, text: text.concat(), below_bps: None })
}

/// Notes whether the bridge of a crosschain order, and its input, match the request. Only the bridge understands
/// selector and data: they are compared with the route and noted as opaque.
///
/// Refuses another destination chain or token; an order without a bridge, whose tokens would stay behind; for a
/// guaranteed arrival, a scaling factor that is not the difference of decimals, which could deliver less of the same
/// asset; and a bridge input below `minBridgeInput`.
pub fn check_bridge(checks: &mut Checks, order: &DeltaOrder, amounts: &OrderAmounts, asked: &DeltaExpectation<'_>) {
    let DeltaExpectation { intent, terms, price, .. } = asked;
    let Some(bridge) = &amounts.bridge else { return };
    same(checks, order, member!("bridge.destinationChainId"), &intent.dest_chain_id);
    let output: Address = order.find(member!("bridge.outputToken")).unwrap_or_default();
    // The native token of another chain has two spellings.
    let native = is_native(intent.dest.address) && output.is_zero();
    let expected = if native { output } else { intent.dest.address };
    same(checks, order, member!("bridge.outputToken"), &expected);
    let selector = order.text(member!("bridge.protocolSelector"));
    let is_some = selector != FixedBytes::<4>::ZERO.text();
    checks.holds("order.bridge.protocolSelector", is_some, &"a bridge's selector", &selector);
    let length = order.find_bytes(member!("bridge.protocolData")).map_or(0, <[u8]>::len);
    let (most, bytes) = (U256::from(MAX_PROTOCOL_DATA), U256::from(length));
    checks.at_most("order.bridge.protocolData.length", &most, &bytes);
    let params = price.bridge.as_ref().and_then(|bridge| bridge.params.as_ref());
    for (inside, stated, is_opaque) in [
        (member!("bridge.protocolSelector"), member!("protocolSelector"), true),
        (member!("bridge.outputToken"), member!("outputToken"), false),
        (member!("bridge.scalingFactor"), member!("scalingFactor"), false),
        (member!("bridge.protocolData"), member!("protocolData"), true),
    ] {
        let (field, actual) = (["order.", inside.path()].concat(), order.text(inside));
        if let Some(params) = params {
            checks.same(&field, &params.text(stated), &actual);
        }
        if is_opaque {
            checks.note(&field, &"not judged: delivery rests on the bridge", &actual, Verdict::Opaque);
        }
    }
    if bridge.is_guaranteed {
        let shift = i16::from(intent.dest.decimals).saturating_sub(bridge.bridge_input.decimals.into());
        let factor = i8::try_from(shift).unwrap_or(i8::MAX);
        same(checks, order, member!("bridge.scalingFactor"), &factor);
        let enters = price::scale(price.origin_output.amount, factor).unwrap_or(U256::MAX);
        checks.at_most("quote.destination.output", &enters, &price.destination_output.amount);
        check_cost(checks, intent, enters, price.destination_output.amount);
    } else {
        let (expected, actual) = ("not judged: another asset arrives", order.text(member!("bridge.scalingFactor")));
        checks.note("order.bridge.scalingFactor", &expected, &actual, Verdict::Opaque);
        let expected = terms.min_received.map_or("any amount".into(), |least| ["at least ", &least.text()].concat());
        let actual = Concat(&[&bridge.expected, &" expected, promised by the bridge"]);
        checks.note("order.minReceived", &expected, &actual, Verdict::Opaque);
    }
    note_worth(checks, amounts, bridge, asked);
    if let Some((token, least)) = &terms.bridge_input.least {
        checks.same("order.minBridgeInput.token", token, &bridge.bridge_input.address);
        checks.at_least("order.minBridgeInput", least, &amounts.received);
    }
}

/// Checks that the bridge takes no more of its input than the accepted loss: between equal assets any difference is a
/// cost, whatever its name, so this needs no price. `enters` is in units of the destination token.
fn check_cost(checks: &mut Checks, intent: &Intent, enters: U256, arrives: U256) {
    let (lost, field) = (enters.saturating_sub(arrives), "quote.bridge.cost");
    let expected = ["at most ", &bps_as_percent(intent.max_loss_bps), " % of what enters"].concat();
    let is_kept = loses_more_than(enters, arrives, intent.max_loss_bps) == Some(false);
    checks.holds(field, is_kept, &expected, &Concat(&[&lost, &" of ", &enters]));
    let loss = bps_of(lost, enters).unwrap_or_else(|| Bps::WHOLE.into());
    checks.excuse(field, (loss, loss), "maxLossBps");
}

/// Notes whether the bridge input, as quoted, is worth the sold amount. The order's amounts are compared with the
/// quoted ones elsewhere, less slippage and fee. Refuses a worthless bridge input in place of a good one.
fn note_worth(checks: &mut Checks, amounts: &OrderAmounts, bridge: &BridgeTerms, asked: &DeltaExpectation<'_>) {
    let DeltaExpectation { intent, terms, price, .. } = asked;
    let (sold, enters) = ((intent.chain_id, intent.src.address), (intent.chain_id, bridge.bridge_input.address));
    let dollar = |(chain_id, token)| asset::of(chain_id, token).filter(|(asset, _)| asset.is_dollar).map(|_| "1");
    let prices = match sold == enters || asset::is_same(sold, enters) {
        true => (Some("1"), Some("1")),
        false => {
            // The destination token is the same asset, so its price is the other's.
            let arriving = intent.pricing.dest_price_usd.as_deref().filter(|_| bridge.is_guaranteed);
            let bridge_input = terms.bridge_input.price_usd.as_deref().or(arriving);
            (intent.pricing.src_price_usd.as_deref().or(dollar(sold)), bridge_input.or(dollar(enters)))
        }
    };
    let by_prices_alone =
        !bridge.is_guaranteed && terms.bridge_input.least.is_none() && !terms.bridge_input.accepts_promise;
    let (given, taken) = match terms.limit.is_some() && by_prices_alone {
        // A limit is in units of a token that the service chose, so the prices must hold for the limit too.
        true => (amounts.spent, amounts.paid_out.min(amounts.quoted)),
        false => (price.origin_input.amount, price.origin_output.amount),
    };
    let expected = ["worth at most ", &bps_as_percent(intent.max_loss_bps), " % less than what is sold"].concat();
    let (verdict, actual) = match prices {
        (Some(src), Some(bridge_input)) if bridge.has_decimals => {
            let decimals = (intent.src.decimals, bridge.bridge_input.decimals);
            let lost = by_prices(intent.max_loss_bps, (&given, src, decimals.0), (&taken, bridge_input, decimals.1));
            let actual = Concat(&[&taken, &" at ", &bridge_input, &" for ", &given, &" at ", &src]).text();
            (lost.map_or(Verdict::Unknown, |lost| if lost { Verdict::Mismatch } else { Verdict::Ok }), actual)
        }
        _ => (Verdict::Unknown, Concat(&[&taken, &" of ", &bridge.bridge_input.address, &", no price known"]).text()),
    };
    checks.note("order.bridgeInput", &expected, &actual, verdict);
}
