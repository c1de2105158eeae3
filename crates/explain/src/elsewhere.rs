//! Trades and loans at other services: the terms that their contracts enforce. Other data is not read; where it decides
//! the outcome, the trade counts as unread.

use super::answer::{Answer, Kept};
use super::payload_fields::PayloadFields;
use super::scope::{Scope, at_most, is_unlimited};
use super::trades::{check_value, intent, small};
use super::words::*;
use alloy_primitives::{Address, U256};
use verify::internal::domain::sentence::part::{IF_DELIVERED, Sink, TO, account, amount};
use verify::internal::domain::sentence::trade as say_trade;
use verify::internal::domain::side::Side;
use verify::internal::domain::token::NATIVE;
use verify::internal::value::text::ToText;

/// In the traits of a 1inch order: where its expiry begins, whether what is received is unwrapped, and whether there is an
/// extension, which may lower what is received.
const TRAITS: (usize, usize, usize) = (80, 247, 249);

/// The structs of these services' arguments.
const STRUCTS: [&str; 6] = ["", "params.", "desc.", "execution.desc.", "tokenInfo.", "_swapData."];

/// A call or an order that trades at another service's contract. Each has names of its own for the same terms.
pub fn trade(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    let find = |names: &str| {
        let mut all = names.split(' ').flat_map(|name| STRUCTS.map(|inside| [inside, name].concat()));
        all.find(|path| fields.has(path))
    };
    let named = |names: &str| find(names).unwrap_or_default();
    let path = fields.bytes("params.path");
    let end = |part: Option<&[u8]>| part.map(Address::from_slice).unwrap_or_default();
    let [from, to] = [
        "tokenIn srcToken inputToken sendingAssetId sellToken makerAsset path",
        "tokenOut dstToken outputToken receivingAssetId buyToken takerAsset path",
    ]
    .map(named);
    let (give, get) = match fields.count("path").checked_sub(1) {
        Some(last) => (fields.address("path.0"), fields.address(&PayloadFields::item("path", last))),
        None if path.is_empty() => (fields.address(&from), fields.address(&to)),
        None => (end(path.get(..20)), end(path.len().checked_sub(20).and_then(|from| path.get(from..)))),
    };
    let [given_path, least] = [
        "amountIn amount inputAmount inputTokenAmount fromAmount sellAmount makingAmount",
        concat!(
            "amountOutMinimum amountOutMin minReturnAmount outputMin minOutputTokenAmount _minAmountOut outputAmount ",
            "buyAmount takingAmount"
        ),
    ]
    .map(named);
    let (given, got) = (fields.word(&given_path).saturating_add(fields.word("feeAmount")), fields.word(&least));
    let traits = fields.word("makerTraits");
    let destination = "destinationChainId";
    let there = if fields.has(destination) { small(fields.word(destination)) } else { scope.chain_id };
    // Native token that is sent along is wrapped on the way.
    let is_wrapped = !fields.value.is_zero() && scope.is_wrapped_native(give);
    let give = scope.token(if is_wrapped { NATIVE } else { give });
    let get = scope.token_on(there, if traits.bit(TRAITS.1) { NATIVE } else { get });
    for (path, token) in [(&from, &give), (&to, &get)] {
        scope.look(answer, &fields.field(path), token.address);
    }
    let side = if fields.text("kind") == "buy" { Side::Buy } else { Side::Sell };
    let flags = find("flags").unwrap_or_default();
    // Bit 0: a part may be filled for a part of the price. Bit 6: fees may be taken from the received amount. An
    // extension may lower the price.
    let is_open = fields.word(&flags).bit(0) || fields.word(&flags).bit(6);
    let is_lowered = is_open || traits.bit(TRAITS.2);
    let delivery = (there != scope.chain_id).then_some(IF_DELIVERED);
    say_trade(answer, &intent((scope.chain_id, there), (&give, &get), side, None), given, got, delivery);
    if is_lowered {
        answer.say(UNLESS_LOWERED, &[]);
    }
    if fields.has("maker") {
        scope.check_owner(answer, &fields.field("maker"), fields.address("maker"));
    }
    // An amount that is not delivered goes back to the depositor.
    if fields.has("depositor") {
        scope.check_receiver(answer, &fields.field("depositor"), fields.address("depositor"));
    }
    // SwapRouter02 takes the address 1 for the sender, and 2 for itself, others none or zero for the sender.
    let receiver_path = find("recipient to dstReceiver outputReceiver _receiver receiver");
    let field = receiver_path.as_deref().map_or("from".into(), |path| fields.field(path));
    let named = receiver_path.map_or(Address::ZERO, |path| fields.address(&path));
    let is_first = scope.is_service(fields.contract, "Uniswap");
    let [sender, router] = if is_first { [1, 2] } else { [0, 0] }.map(Address::with_last_byte);
    let owner = if fields.has("maker") { Some(fields.address("maker")) } else { scope.actor };
    let is_held = is_first && named == router;
    // Without a receiver the signer gets it.
    if let Some(receiver) = if named == sender { owner } else { Some(named) }.filter(|_| !is_held) {
        answer.say(TO, &[account::<Answer>(receiver)]);
        scope.check_receiver(answer, &field, receiver);
    }
    answer.say(SERVICE, &[scope.who(fields.contract)]);
    scope.check_price(answer, &fields.field(&least), (given, &give), (got, &get));
    if is_lowered {
        answer.gets_unknown();
    }
    check_value(answer, scope, fields, &give, given);
    if there != scope.chain_id {
        answer.fact_json("destChainId", there.text());
    }
    if let Some(path) = find("validTo fillDeadline makerTraits") {
        let expiry = traits.wrapping_shr(TRAITS.0) & U256::from(u64::MAX >> 24);
        let until = if fields.has("maker") { expiry } else { fields.word(&path) };
        scope.check_deadline(answer, &fields.field(&path), (!fields.has("maker") || !until.is_zero()).then_some(until));
    }
    let mut parts = U256::ZERO;
    for list in ["execution.desc.srcAmounts", "execution.desc.feeAmounts"] {
        for index in 0..at_most(answer, fields, list, 64) {
            parts = parts.saturating_add(fields.word(&PayloadFields::item(list, index)));
        }
    }
    // Pools and fees take a part of the source amount.
    if parts > given {
        answer.find(ROUTE_ARGUMENT, &fields.field("execution.desc.srcAmounts"), &[Kept::word("srcAmounts")]);
    }
    // An amount of zero stands for the whole balance. A router's balance is the next call's.
    let odd = [
        (fields.field(&flags), is_open),
        (fields.field("makerTraits"), traits.bit(TRAITS.2)),
        (fields.field(&given_path), given.is_zero()),
        (field, is_held),
        (fields.field(&to), there != scope.chain_id && get.address == NATIVE),
    ];
    for (field, _) in odd.into_iter().filter(|(_, is_odd)| *is_odd) {
        answer.unread(&field, 32);
    }
    // Steps in between, and calls of solvers in their own name: the result is compared.
    let handed = "data execution.targetData _swapData.callData params.path permit appData pathDefinition message";
    for path in handed.split(' ') {
        let length = fields.bytes(path).len();
        if length > 0 {
            answer.opaque(&fields.field(path), length);
        }
    }
}

/// Loans at a pool: what is put in, taken out, borrowed and paid back, and on whose account.
pub fn lend(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    let path = if fields.has("to") { "to" } else { "onBehalfOf" };
    let (token, who, field) = (scope.token(fields.address("asset")), fields.address(path), fields.field(path));
    let (given, is_all) = (fields.word("amount"), is_unlimited(fields.word("amount")));
    let shown = if is_all { scope.token_name(&token) } else { amount::<Answer>(given, &token) };
    let method = [fields.method, if is_all { " all" } else { "" }].concat();
    let values = [Kept::word(&method), shown.clone(), scope.who(fields.contract), scope.who(who), scope.chain()];
    answer.say(LENDING, &values);
    scope.look(answer, &fields.field("asset"), token.address);
    match fields.method {
        "withdraw" | "borrow" => answer.gets(&shown),
        _ => answer.gives(&shown),
    }
    // A loan goes to the sender, on the account that delegated the credit.
    match fields.method {
        "borrow" => scope.check_owner(answer, &field, who),
        _ => scope.check_receiver(answer, &field, who),
    }
}
