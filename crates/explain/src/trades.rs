//! Orders of the service, and the calls of its contracts.

use super::allowances::{few, pay_unread};
use super::answer::{Answer, Kept};
use super::payload_fields::PayloadFields;
use super::scope::{Scope, at_most, hash_value, is_native_or_zero, text_value};
use super::words::*;
use alloy_primitives::{Address, U256};
use verify::internal::domain::asset;
use verify::internal::domain::chain::Protocol;
use verify::internal::domain::delta::bridge_terms::BridgeTerms;
use verify::internal::domain::delta::partner_fee::PartnerFee;
use verify::internal::domain::delta::terms::Terms;
use verify::internal::domain::fee::{CAP_BPS, after_fee, paid_by_router};
use verify::internal::domain::intent::{Intent, Token};
use verify::internal::domain::market::method::{
    APPROVE_BIT, BENEFICIARY_BITS, Method, ORDERS_FLAGS, PSM_BUY_BIT, Venue,
};
use verify::internal::domain::market::partner_fee::{CAP_SURPLUS, RouterFee, TAKE_SURPLUS};
use verify::internal::domain::market::pools::{path_ends, vault_ends};
use verify::internal::domain::market::psm;
use verify::internal::domain::otc::fill::share;
use verify::internal::domain::otc::order::from_words;
use verify::internal::domain::otc::request::Request;
use verify::internal::domain::sentence::otc::{cancel_parts, fill_parts, offer_parts};
use verify::internal::domain::sentence::part::{Sink, amount, share as share_of};
use verify::internal::domain::sentence::{end_of_order, enters, swap, trade};
use verify::internal::domain::side::Side;
use verify::internal::domain::token::NATIVE;
use verify::internal::domain::twap::Twap;
use verify::internal::domain::verify::delta_amounts::OrderAmounts;
use verify::internal::json::ObjectWriter;
use verify::internal::value::amount::parse_units;
use verify::internal::value::text::ToText;

/// The lengths of permits whose layout is known ([`verify::internal::domain::permit::layout`]).
const PERMITS: [usize; 6] = [0, 1, 96, 192, 224, 256];

/// A permit inside of an order or of calldata: all known ones are for the contract that takes them.
fn check_permit(answer: &mut Answer, fields: &PayloadFields<'_>, path: &str) {
    let length = fields.bytes(path).len();
    if !PERMITS.contains(&length) {
        answer.opaque(&fields.field(path), length);
    }
}

/// The fee of a trade. Beyond `surplus` the partner takes a share, unless it is `None`.
fn check_fee(
    answer: &mut Answer,
    scope: &Scope<'_>,
    field: &str,
    (partner, bps): (Address, u16),
    (surplus, is_capped): (Option<Kept>, bool),
) {
    let mut fees = ObjectWriter::object();
    fees.value("partner", &partner);
    fees.number("bps", bps.into());
    if let Some(beyond) = &surplus {
        fees.raw("surplusBeyond", beyond.json());
    }
    if is_capped {
        fees.raw("capSurplus", "true");
    }
    answer.fact_json("fees", fees.close());
    if let Some(beyond) = surplus {
        answer.find(FEE_SURPLUS, field, &[scope.who(partner), beyond]);
    }
    if bps > CAP_BPS {
        answer.find(FEE_HIGH, field, &[share_of::<Answer>(bps)]);
    }
}

/// A trade as the sentences take it.
pub fn intent(chains: (u64, u64), tokens: (&Token, &Token), side: Side, twap: Option<Twap>) -> Box<Intent> {
    let mut intent = Box::<Intent>::default();
    (intent.chain_id, intent.dest_chain_id) = chains;
    (intent.src, intent.dest) = (tokens.0.clone(), tokens.1.clone());
    (intent.side, intent.twap) = (side, twap);
    intent
}

/// A number of 64 bits, or the highest one.
pub fn small(word: U256) -> u64 {
    u64::try_from(word).unwrap_or(u64::MAX)
}

/// A Delta order of any type.
pub fn delta_order(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    explain_order(answer, scope, fields, false);
}

/// A Delta order that is filled in parts.
pub fn fillable_order(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    explain_order(answer, scope, fields, true);
}

fn explain_order(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>, is_fillable: bool) {
    let (owner, receiver) = (fields.address("owner"), fields.address("beneficiary"));
    // A deposit of the native token is what an order sells under this name.
    let deposited = scope.contracts().and_then(|(here, _)| here.wrapped_native);
    let sold = Some(fields.address("srcToken")).filter(|token| Some(*token) != deposited).unwrap_or(NATIVE);
    let (src, dest) = (scope.token(sold), scope.token(fields.address("destToken")));
    scope.check_owner(answer, &fields.field("owner"), owner);
    scope.look(answer, &fields.field("srcToken"), src.address);
    scope.look(answer, &fields.field("destToken"), dest.address);
    let fee = PartnerFee::unpack(fields.word("partnerAndFee"));
    let left = |amount: U256| after_fee(amount, fee.fee_bps);
    let twap = fields.has("numSlices").then(|| Twap {
        num_slices: u32::try_from(fields.word("numSlices")).unwrap_or_default(),
        interval_secs: small(fields.word("interval")),
    });
    let is_purchase = fields.has("totalDestAmount") || fields.word("kind") == U256::from(1);
    // The expected amount is what is bought, or, of a purchase, what is sold.
    let expected = fields
        .has("expectedAmount")
        .then(|| amount::<Answer>(fields.word("expectedAmount"), if is_purchase { &src } else { &dest }));
    let packed = fields.field("partnerAndFee");
    if !fee.unknown.is_zero() || (fee.take_surplus && expected.is_none()) {
        answer.find(FEE_UNKNOWN, &packed, &[Kept::word("partnerAndFee")]);
        answer.opaque(&packed, 32);
    }
    let surplus = expected.filter(|_| fee.take_surplus);
    check_fee(answer, scope, &packed, (fee.partner, fee.fee_bps), (surplus, fee.cap_surplus));
    if fields.word("kind") > U256::from(1) {
        answer.find(MEMBER_UNREAD, &fields.field("kind"), &[Kept::word("kind")]);
        answer.unread(&fields.field("kind"), 32);
    }
    let (spent, received) = match &twap {
        Some(twap) if is_purchase => {
            let (slice, last) = twap.slices(fields.word("totalDestAmount"));
            (fields.word("maxSrcAmount"), twap.sum(left(slice), left(last)).unwrap_or_default())
        }
        Some(twap) => {
            let each = left(fields.word("destAmountPerSlice"));
            (fields.word("totalSrcAmount"), twap.sum(each, each).unwrap_or_default())
        }
        None => (fields.word("srcAmount"), left(fields.word("destAmount"))),
    };
    let (bridge_chain, data) = (fields.word("bridge.destinationChainId"), fields.bytes("bridge.protocolData"));
    let is_bridged = !bridge_chain.is_zero() || !fields.word("bridge.protocolSelector").is_zero();
    let there = if is_bridged { small(bridge_chain) } else { scope.chain_id };
    let side = if is_purchase { Side::Buy } else { Side::Sell };
    let intent = intent((scope.chain_id, there), (&src, &dest), side, twap);
    let handler = fields.has("handler").then(|| fields.address("handler"));
    let mut terms = Box::<Terms>::default();
    terms.external = handler.map(|handler| (handler, vec![]));
    terms.partially_fillable = is_fillable;
    let bridge = BridgeTerms {
        bridge_input: dest.clone(),
        has_decimals: dest.decimals != u8::MAX,
        is_guaranteed: false,
        expected: U256::ZERO,
        is_at_quote: false,
    };
    let amounts = OrderAmounts {
        owner,
        beneficiary: receiver,
        spent,
        paid_out: received,
        received,
        arrives: Some(received),
        unrounded: None,
        deadline: small(fields.word("deadline")),
        nonce: fields.word("nonce"),
        fee_bps: fee.fee_bps,
        bridge: None,
        has_bridge_data: !data.is_empty(),
        quoted: U256::ZERO,
    };
    let is_bound = if is_bridged {
        enters(answer, &intent, spent, (received, &bridge));
        let output = scope.token_on(there, fields.address("bridge.outputToken"));
        answer.say(BRIDGED, &[scope.token_name(&output)]);
        answer.fact_json("destChainId", there.text());
        answer.fact("destToken", &output.address);
        scope.look(answer, &fields.field("bridge.outputToken"), output.address);
        check_factor(answer, scope, fields, (&dest, &output))
    } else {
        trade(answer, &intent, spent, received, None);
        true
    };
    end_of_order(answer, &terms, &amounts);
    answer.fact("nonce", &amounts.nonce);
    scope.check_price(answer, &fields.field("destAmount"), (spent, &src), (received, &dest));
    if !is_bound {
        answer.enters_bridge();
    }
    scope.check_deadline(answer, &fields.field("deadline"), Some(fields.word("deadline")));
    match handler {
        Some(handler) => {
            answer.fact("to", &handler);
            scope.look(answer, &fields.field("handler"), handler);
            let warning = if scope.book(handler).is_some() { RECEIVER_NAMED } else { HANDLER_UNKNOWN };
            answer.find(warning, &fields.field("handler"), &[scope.who(handler)]);
        }
        None => scope.check_receiver(answer, &fields.field("beneficiary"), receiver),
    }
    if !data.is_empty() {
        answer.find(RECEIVER_UNBOUND, &fields.field("bridge.protocolData"), &[]);
    }
    check_permit(answer, fields, "permit");
    for path in ["metadata", "data", "bridge.protocolData"] {
        let length = fields.bytes(path).len();
        if length > 0 {
            answer.opaque(&fields.field(path), length);
        }
    }
}

/// The most decimals that a token may have, for what a bridge multiplies by to be possible.
const MOST_DECIMALS: u8 = 36;

/// Judges what a bridge multiplies by. Returns whether that binds what arrives: of the same asset, by the table, it is
/// exactly the difference of the decimals.
fn check_factor(
    answer: &mut Answer,
    scope: &Scope<'_>,
    fields: &PayloadFields<'_>,
    (enters, output): (&Token, &Token),
) -> bool {
    let path = "bridge.scalingFactor";
    let (field, factor) = (fields.field(path), i8::from_be_bytes([fields.word(path).byte(0)]));
    let is_same = asset::is_same((enters.chain_id, enters.address), (output.chain_id, output.address));
    let apart = i16::from(output.decimals).saturating_sub(enters.decimals.into());
    let fits = if is_same { apart == factor.into() } else { factor.unsigned_abs() <= MOST_DECIMALS };
    if !fits {
        answer.find(BRIDGE_FACTOR, &field, &[Kept::number(&factor)]);
    }
    if !is_same {
        answer.find(BRIDGE_UNJUDGED, &field, &[scope.token_name(output)]);
    }
    is_same && fits
}

/// The most bytes of orders' ids that are shown: those of a hundred need half of it.
const MOST_IDS: usize = 8_000;

/// A request to the service to drop orders.
pub fn delta_cancellation(answer: &mut Answer, _: &Scope<'_>, fields: &PayloadFields<'_>) {
    let count = fields.count("orderIds");
    let mut all = String::new();
    for index in 0..at_most(answer, fields, "orderIds", 100) {
        all.push_str(if index > 0 { ", " } else { "" });
        all.push_str(text_value("text", fields.text(&PayloadFields::item("orderIds", index))).display());
        if all.len() > MOST_IDS {
            answer.find(INNER_TOO_MANY, &fields.field("orderIds"), &[]);
            answer.unread(&fields.field("orderIds"), 0);
            break;
        }
    }
    let shown = Kept::new("text", all.clone(), all, "payload");
    let count = verify::internal::domain::sentence::part::count::<Answer>(u64::try_from(count).unwrap_or(u64::MAX));
    answer.say(CANCEL_AT_SERVICE, &[count, shown]);
}

/// An order of this struct, as the RFQ contract has it.
fn otc_words(fields: &PayloadFields<'_>) -> [U256; 8] {
    ["nonceAndMeta", "expiry", "makerAsset", "takerAsset", "maker", "taker", "makerAmount", "takerAmount"].map(|path| {
        match path {
            "makerAsset" | "takerAsset" | "maker" | "taker" => fields.address(path).into_word().into(),
            _ => fields.word(path),
        }
    })
}

/// A maker's offer.
pub fn otc_order(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    let expiry = fields.word("expiry");
    let request = Request {
        chain_id: scope.chain_id,
        maker_asset: scope.token(fields.address("makerAsset")),
        taker_asset: scope.token(fields.address("takerAsset")),
        maker_amount: fields.word("makerAmount"),
        taker_amount: fields.word("takerAmount"),
        taker: fields.address("taker"),
        expiry: small(expiry),
        ..Request::default()
    };
    offer_parts(answer, &request);
    scope.check_owner(answer, &fields.field("maker"), fields.address("maker"));
    answer.fact("to", &fields.address("maker"));
    answer.fact("taker", &request.taker);
    scope.look(answer, &fields.field("makerAsset"), request.maker_asset.address);
    scope.look(answer, &fields.field("takerAsset"), request.taker_asset.address);
    scope.check_deadline(answer, &fields.field("expiry"), (!expiry.is_zero()).then_some(expiry));
    let (give, get) = ((request.maker_amount, &request.maker_asset), (request.taker_amount, &request.taker_asset));
    scope.check_price(answer, &fields.field("takerAmount"), give, get);
}

/// A fill of one offer or several; `paths` are those of the orders, each with that of its amount.
fn otc_fills(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>, orders: &[PayloadFields<'_>]) {
    let (mut gives, mut gets, mut makers) = (U256::ZERO, U256::ZERO, Vec::new());
    let (mut assets, mut is_sum) = (None, true);
    for one in orders {
        let words = otc_words(&one.sub("order"));
        let order = from_words(words);
        let [_, expiry, get_asset, give_asset, maker, _, all, whole] = words;
        let given = if one.has("takerTokenFillAmount") { one.word("takerTokenFillAmount") } else { whole };
        let got = if given == whole { all } else { share(&order, given).map_or(U256::ZERO, |share| share.get) };
        (gives, gets) = (gives.saturating_add(given), gets.saturating_add(got));
        makers.push(Address::from_word(maker.into()));
        let pair = (Address::from_word(give_asset.into()), Address::from_word(get_asset.into()));
        if *assets.get_or_insert(pair) != pair {
            is_sum = false;
            answer.unread(&one.field("order"), 256);
        }
        scope.check_deadline(answer, &one.field("order.expiry"), (!expiry.is_zero()).then_some(expiry));
        check_permit(answer, one, "permitTakerAsset");
        check_permit(answer, one, "permitMakerAsset");
    }
    let (give, get) = assets.unwrap_or_default();
    let (give, get) = (scope.token(give), scope.token(get));
    let (path, target) = match fields.has("target") {
        true => (fields.field("target"), Some(fields.address("target"))),
        false => ("from".into(), scope.actor),
    };
    scope.check_receiver(answer, &path, target);
    // Amounts of several tokens are no sum.
    if !is_sum {
        return answer.say(UNREAD, &[Kept::word("A fill of several tokens")]);
    }
    fill_parts(answer, scope.chain_id, (gives, &give), (gets, &get), &makers, Scope::receiver(target));
    scope.check_price(answer, &fields.field("order"), (gives, &give), (gets, &get));
}

/// `fillOrder` and its kin.
pub fn otc_fill(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    otc_fills(answer, scope, fields, core::slice::from_ref(fields));
}

/// Explains `batchFillOrderWithTarget`: fills of several OTC orders.
pub fn otc_batch(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    let count = few(answer, fields, "orderInfos");
    let orders: Vec<_> = (0..count).map(|index| fields.sub(&PayloadFields::item("orderInfos", index))).collect();
    if count > 0 {
        otc_fills(answer, scope, fields, &orders);
    }
}

/// `cancelOrder` and `cancelOrders`.
pub fn otc_cancel(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    let count = if fields.has("orderHash") { 1 } else { fields.count("orderHashes") };
    cancel_parts(answer, scope.chain_id, count, Scope::receiver(scope.actor));
}

/// Explains `setPreSignature`: the owner authorizes an order by a transaction, or takes that back.
pub fn pre_sign(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    let (hash, is_set) = (fields.hash("orderHash"), !fields.word("preSigned").is_zero());
    let values = [hash_value(hash), scope.who(fields.contract), scope.chain()];
    answer.say(if is_set { PRE_SIGN } else { PRE_SIGN_NONE }, &values);
    if is_set {
        note_hash(answer, fields, "orderHash");
    }
}

fn note_hash(answer: &mut Answer, fields: &PayloadFields<'_>, path: &str) {
    answer.find(HASH_UNREAD, &fields.field(path), &[hash_value(fields.hash(path))]);
    answer.opaque(&fields.field(path), 32);
}

/// Explains `depositNativeAndPreSign`: a deposit, and the authorization of the order that spends it.
pub fn deposit_and_pre_sign(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    answer.say(PRE_SIGN, &[hash_value(fields.hash("orderHash")), scope.who(fields.contract), scope.chain()]);
    answer.say(DEPOSIT, &[scope.native(fields.value)]);
    answer.gives(&scope.native(fields.value));
    note_hash(answer, fields, "orderHash");
}

/// Explains `invalidateNonce`: no order of that nonce can be filled any more.
pub fn invalidate_nonce(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    answer.say(INVALIDATE, &[Kept::number(&fields.word("nonce")), scope.who(fields.contract), scope.chain()]);
}

/// Explains `withdrawNative`: the owner takes a deposit back.
pub fn withdraw_native(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    let out = scope.native(fields.word("amount"));
    answer.gets(&out);
    answer.say(WITHDRAW, &[out, scope.who(fields.contract), scope.chain()]);
    if let Some(actor) = scope.actor {
        answer.fact("to", &actor);
    }
    scope.check_actor(answer);
}

/// `cancelAndWithdraw` and its kin.
pub fn cancel_order(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    answer.say(CANCEL_ORDER, &[scope.who(fields.contract), scope.chain()]);
    let order = fields.sub("order");
    scope.check_owner(answer, &order.field("owner"), order.address("owner"));
    // The bytes are a part of the order's hash, and do nothing here.
}

/// A swap at the Market router.
pub fn market(answer: &mut Answer, scope: &Scope<'_>, method: &Method<'_>, fields: &PayloadFields<'_>) {
    let purchase = method.side == Side::Buy;
    let pair = match method.venue {
        Venue::Vault => vault_ends(&fields.bytes("data")),
        Venue::Orders => fields
            .has("orders.0.takerAsset")
            .then(|| (fields.address("orders.0.takerAsset"), fields.address("orders.0.makerAsset"))),
        _ => Some((fields.address("srcToken"), fields.address("destToken"))),
    };
    let packed = fields.has("beneficiaryAndFlags");
    let path = if packed { "beneficiaryAndFlags" } else { "beneficiary" };
    let named = Address::from_word(fields.word(path).into());
    // The router pays the sender if the beneficiary is zero.
    let receiver = Some(named).filter(|named| !named.is_zero()).or(scope.actor);
    scope.check_receiver(answer, &fields.field(path), receiver);
    let Some((mut from, mut to)) = pair else {
        let field = fields.field(if method.venue == Venue::Vault { "data" } else { "orders" });
        answer.say(UNREAD, &[Kept::word("What is traded")]);
        answer.find(TOKENS_OTHER, &field, &[]);
        answer.unread(&field, fields.bytes("data").len());
        return pay_unread(answer, scope, fields.value);
    };
    let flags = fields.word("wrapApproveDirection");
    let mut is_odd = false;
    if method.venue == Venue::Orders {
        let orders = at_most(answer, fields, "orders", 64);
        let asset = |index, name| fields.address(&[&*PayloadFields::item("orders", index), name].concat());
        if (0..orders).any(|index| (asset(index, ".takerAsset"), asset(index, ".makerAsset")) != (from, to)) {
            answer.find(TOKENS_OTHER, &fields.field("orders"), &[]);
        }
        // Only a wrapped native token can be wrapped. A purchase unwraps all that the router holds by then.
        let may_wrap = |token: Address| asset::wrapped_native(scope.chain_id).is_none_or(|known| known == token);
        let (wraps, unwraps) = (flags.bit(0) && may_wrap(from), flags.bit(1) && may_wrap(to) && !purchase);
        is_odd = !flags.wrapping_shr(ORDERS_FLAGS).is_zero() || (wraps, unwraps) != (flags.bit(0), flags.bit(1));
        (from, to) = (if wraps { NATIVE } else { from }, if unwraps { NATIVE } else { to });
    }
    if let Venue::Pools(hop) = method.venue {
        let same = |token: Address, end: Address| is_native_or_zero(token) || token == end;
        let found = path_ends(&fields.bytes("pools"), hop, purchase);
        if !found.is_some_and(|(first, last)| same(from, first) && same(to, last)) {
            answer.find(TOKENS_OTHER, &fields.field("pools"), &[]);
        }
    }
    let (src, dest) = (scope.token(from), scope.token(to));
    scope.look(answer, &fields.field("srcToken"), src.address);
    scope.look(answer, &fields.field("destToken"), dest.address);
    let (toll, factor) = (fields.word("toll"), fields.word("to18ConversionFactor"));
    // The router asks a stability module for the stated amount, and does not check the amount that came.
    let is_module = method.venue == Venue::Psm;
    if is_module && !psm::trades(scope.chain_id, fields.address("exchange"), from, to) {
        answer.find(MODULE_UNKNOWN, &fields.field("exchange"), &[scope.who(fields.address("exchange"))]);
    }
    let fee = RouterFee::unpack(fields.word("partnerAndFee"));
    let (spent, received) =
        (fields.word("fromAmount"), paid_by_router(method.side, fields.word("toAmount"), fee.fee_bps));
    let mut unknown = fields.word("beneficiaryAndFlags").wrapping_shr(BENEFICIARY_BITS);
    for bit in [APPROVE_BIT, if is_module { PSM_BUY_BIT } else { APPROVE_BIT }] {
        unknown.set_bit(bit.saturating_sub(BENEFICIARY_BITS), false);
    }
    let unit = parse_units("1", src.decimals.abs_diff(dest.decimals)).ok();
    // Arguments that are refused with any request.
    for (path, is_odd) in [
        ("wrapApproveDirection", is_odd),
        ("beneficiaryAndFlags", !unknown.is_zero()),
        ("partnerAndFee", !fee.unknown().is_zero()),
        ("toll", is_module && !purchase && !psm::suffices(from, &spent, &fields.word("toAmount"), toll, &factor)),
        ("to18ConversionFactor", is_module && unit.is_some_and(|unit| unit != factor)),
    ] {
        if is_odd {
            answer.find(ROUTE_ARGUMENT, &fields.field(path), &[Kept::word(path)]);
        }
    }
    let intent = intent((scope.chain_id, scope.chain_id), (&src, &dest), method.side, None);
    swap(answer, &intent, (spent, received), Scope::receiver(receiver), fee.fee_bps);
    let quoted = fields.has("quotedAmount") && fee.has(TAKE_SURPLUS);
    let surplus = quoted.then(|| amount::<Answer>(fields.word("quotedAmount"), if purchase { &src } else { &dest }));
    let field = fields.field("partnerAndFee");
    check_fee(answer, scope, &field, (fee.partner, fee.fee_bps), (surplus, fee.has(CAP_SURPLUS)));
    scope.check_price(answer, &fields.field("toAmount"), (spent, &src), (received, &dest));
    check_value(answer, scope, fields.value, &src, spent);
    check_permit(answer, fields, "permit");
    // The steps between are not read: the router compares the result with `toAmount`.
    for path in ["executorData", "data", "pools"] {
        let length = fields.bytes(path).len();
        if length > 0 {
            answer.opaque(&fields.field(path), length);
        }
    }
}

/// Judges the native token sent along with a trade that sells `src`.
pub fn check_value(answer: &mut Answer, scope: &Scope<'_>, value: U256, src: &Token, spent: U256) {
    let is_native = is_native_or_zero(src.address);
    if value != if is_native { spent } else { U256::ZERO } {
        let values = [scope.native(value), amount::<Answer>(spent, src)];
        answer.find(VALUE_OTHER, "value", &values);
        if let ([shown, _], false) = (&values, is_native) {
            answer.gives(shown);
        }
    }
}

/// The contract of a protocol by which orders are settled, as the facts' spender.
pub fn note_spender(answer: &mut Answer, contract: Address, protocol: Protocol) {
    if protocol != Protocol::Market {
        answer.fact("spender", &contract);
    }
}
