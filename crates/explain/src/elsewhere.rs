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

/// A call or an order that trades at another service's contract. The arguments of calls have these names in the table of
/// methods; orders of CoW Protocol and of 1inch have their own.
pub fn trade(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    let find = |names: &str| {
        let all =
            names.split(' ').flat_map(|name| ["", "one.", "execution.one."].map(|inside| [inside, name].concat()));
        all.into_iter().find(|path| fields.has(path)).unwrap_or_else(|| names.into())
    };
    let path = fields.bytes("one.path");
    let end = |part: Option<&[u8]>| part.map(Address::from_slice).unwrap_or_default();
    let (give, get) = match fields.count("path").checked_sub(1) {
        Some(last) => (fields.address("path.0"), fields.address(&PayloadFields::item("path", last))),
        None if path.is_empty() => {
            (fields.address(&find("give sellToken makerAsset")), fields.address(&find("get buyToken takerAsset")))
        }
        None => (end(path.get(..20)), end(path.len().checked_sub(20).and_then(|from| path.get(from..)))),
    };
    let (given, got) = (find("giveAmount sellAmount makingAmount"), find("getAmount buyAmount takingAmount"));
    let (given, got) = (fields.word(&given).saturating_add(fields.word("feeAmount")), fields.word(&got));
    let traits = fields.word("makerTraits");
    let there = if fields.has("destChain") { small(fields.word("destChain")) } else { scope.chain_id };
    // Native token that is sent along is wrapped on the way.
    let is_wrapped = !fields.value.is_zero() && scope.is_wrapped_native(give);
    let give = scope.token(if is_wrapped { NATIVE } else { give });
    let get = scope.token_on(there, if traits.bit(TRAITS.1) { NATIVE } else { get });
    for token in [&give, &get] {
        scope.look(answer, &fields.field("token"), token.address);
    }
    let side = if fields.text("kind") == "buy" { Side::Buy } else { Side::Sell };
    let delivery = (there != scope.chain_id).then_some(IF_DELIVERED);
    say_trade(answer, &intent((scope.chain_id, there), (&give, &get), side, None), given, got, delivery);
    if fields.has("maker") {
        scope.check_owner(answer, &fields.field("maker"), fields.address("maker"));
    }
    // An amount that is not delivered goes back to the depositor.
    if fields.has("depositor") {
        scope.check_receiver(answer, &fields.field("depositor"), fields.address("depositor"));
    }
    // SwapRouter02 takes the address 1 for the sender, and 2 for itself, others none or zero for the sender.
    let (is_first, named) = (scope.is_service(fields.contract, "Uniswap"), fields.address(&find("receiver")));
    let field = fields.field(&find("receiver"));
    let [sender, router] = if is_first { [1, 2] } else { [0, 0] }.map(Address::with_last_byte);
    let owner = if fields.has("maker") { Some(fields.address("maker")) } else { scope.actor };
    let is_held = is_first && named == router;
    // Without a receiver the signer gets it.
    if let Some(receiver) = if named == sender { owner } else { Some(named) }.filter(|_| !is_held) {
        answer.say(TO, &[account::<Answer>(receiver)]);
        scope.check_receiver(answer, &field, receiver);
    }
    answer.say(SERVICE, &[scope.who(fields.contract)]);
    scope.check_price(answer, &field, (given, &give), (got, &get));
    check_value(answer, scope, fields, &give, given);
    if there != scope.chain_id {
        answer.fact_json("destChainId", there.text());
    }
    if fields.is_signed() || fields.has("deadline") {
        let expiry = traits.wrapping_shr(TRAITS.0) & U256::from(u64::MAX >> 24);
        let until = if fields.has("maker") { expiry } else { fields.word(&find("validTo deadline")) };
        scope.check_deadline(
            answer,
            &fields.field("deadline"),
            (!fields.has("maker") || !until.is_zero()).then_some(until),
        );
    }
    let flags = find("flags");
    let mut parts = U256::ZERO;
    for list in ["execution.one.srcAmounts", "execution.one.feeAmounts"] {
        for index in 0..at_most(answer, fields, list, 64) {
            parts = parts.saturating_add(fields.word(&PayloadFields::item(list, index)));
        }
    }
    // Pools and fees take a part of the source amount.
    if parts > given {
        answer.find(ROUTE_ARGUMENT, &fields.field("execution.one.srcAmounts"), &[Kept::word("srcAmounts")]);
    }
    // Bit 0: a part may be filled for a part of the price. Bit 6: fees may be taken from the received amount. An
    // extension may lower the price. An amount of zero stands for the whole balance. A router's balance is the next
    // call's.
    let odd = [
        ("flags", fields.word(&flags).bit(0) || fields.word(&flags).bit(6)),
        ("makerTraits", traits.bit(TRAITS.2)),
        ("amount", given.is_zero()),
        ("receiver", is_held || (there != scope.chain_id && get.address == NATIVE)),
    ];
    for (path, _) in odd.into_iter().filter(|(_, is_odd)| *is_odd) {
        answer.unread(&fields.field(path), 32);
    }
    // Steps in between, and calls of solvers in their own name: the result is compared.
    for path in ["executorData", "execution.executorData", "one.executorData", "one.path", "permit", "appData"] {
        let length = fields.bytes(path).len();
        if length > 0 {
            answer.opaque(&fields.field(path), length);
        }
    }
}

/// Loans at a pool: what is put in, taken out, borrowed and paid back, and on whose account.
pub fn lend(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    let (token, who, field) =
        (scope.token(fields.address("asset")), fields.address("account"), fields.field("account"));
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
