//! Trades and loans at other services: the terms that their contracts enforce. Other data is not read; where it decides
//! the outcome, the trade counts as unread.

use super::allowances::pay_unread;
use super::answer::{Answer, Kept};
use super::payload_fields::PayloadFields;
use super::scope::{Scope, at_most, is_native_or_zero, is_unlimited};
use super::trades::{check_value, intent, small};
use super::words::*;
use alloy_primitives::{Address, U256};
use verify::internal::domain::sentence::part::{IF_DELIVERED, IN_PARTS, Sink, TO, account, amount};
use verify::internal::domain::sentence::trade as say_trade;
use verify::internal::domain::side::Side;
use verify::internal::domain::token::NATIVE;
use verify::internal::value::text::ToText;

/// In the traits of a 1inch order: where its expiry begins, whether what is received is unwrapped, whether there is an
/// extension, which may lower what is received, and whether it is filled as a whole only.
const TRAITS: (usize, usize, usize, usize) = (80, 247, 249, 255);

/// The structs of these services' arguments.
const STRUCTS: [&str; 6] = ["", "params.", "desc.", "execution.desc.", "tokenInfo.", "_swapData."];

/// The conventions of these services, in bits: the address zero, or 0xEeee..., stands for the native token in a call; native
/// token that comes along is wrapped, if it is enough; a receiver of zero is the sender; 1 is the sender, and 2 the router.
const WAYS: [(&str, u8); 7] = [
    ("1inch", ZERO_IS_NATIVE | E_IS_NATIVE | ZERO_IS_SENDER),
    ("KyberSwap", E_IS_NATIVE | ZERO_IS_SENDER),
    ("CoW", E_IS_NATIVE | ZERO_IS_SENDER),
    ("0x", E_IS_NATIVE),
    ("Odos", ZERO_IS_NATIVE),
    ("Across", WRAPS),
    ("Uniswap", WRAPS | NUMBERS),
];
const ZERO_IS_NATIVE: u8 = 1;
const E_IS_NATIVE: u8 = 2;
const WRAPS: u8 = 4;
const ZERO_IS_SENDER: u8 = 8;
const NUMBERS: u8 = 16;

/// A call or an order that trades at another service's contract. Each has names of its own for the same terms.
pub fn trade(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    let find = |names: &str| {
        let mut all = names.split(' ').flat_map(|name| STRUCTS.map(|inside| [inside, name].concat()));
        all.find(|path| fields.has(path))
    };
    let named = |names: &str| find(names).unwrap_or_else(|| "path".into());
    let ways = WAYS.iter().find(|(name, _)| scope.is_service(fields.contract, name)).map_or(0, |(_, ways)| *ways);
    let has_way = |way: u8| ways & way != 0;
    // Uniswap's path is read from its front: tokens of 20 bytes, with 3 for a pool in between.
    let path = fields.bytes("params.path");
    let last = path.len().checked_sub(20).filter(|last| *last > 0 && last % 23 == 0);
    let end = |part: Option<&[u8]>| part.map(Address::from_slice).unwrap_or_default();
    let [from, to] = [
        "tokenIn srcToken inputToken sendingAssetId sellToken makerAsset path",
        "tokenOut dstToken outputToken receivingAssetId buyToken takerAsset path",
    ]
    .map(named);
    let (give, get) = match fields.count("path").checked_sub(1) {
        Some(last) => (fields.address("path.0"), fields.address(&PayloadFields::item("path", last))),
        None if path.is_empty() => (fields.address(&from), fields.address(&to)),
        None => (end(last.and(path.get(..20))), end(last.and_then(|last| path.get(last..)))),
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
    // Methods of LI.FI that sell all that comes along, or pay out the native token, whatever tokens they name.
    let (is_all, is_paid) = (fields.method.ends_with("NativeToERC20"), fields.method.ends_with("ToNative"));
    let is_none = |token: Address, may_be: bool| {
        is_native_or_zero(token) && !(may_be && has_way(if token.is_zero() { ZERO_IS_NATIVE } else { E_IS_NATIVE }))
    };
    let is_no_source = !is_all && is_none(give, !fields.is_signed());
    let is_no_target = !is_paid && is_none(get, !fields.has("maker"));
    // Nothing or the highest number stands for everything.
    let is_everything = [U256::ZERO, U256::MAX].contains(&given);
    let is_said = !(is_no_source || is_no_target || is_everything);
    let is_misnamed = [is_all && !give.is_zero(), is_paid && !get.is_zero(), is_all && given != fields.value];
    // Calls in a batch share what comes along.
    let purse = &scope.shared.purse;
    let all = fields.value.max(purse.get());
    let is_wrapped = is_said && has_way(WRAPS) && scope.is_wrapped_native(give) && all >= given;
    let is_shared = is_wrapped && fields.value < given;
    if is_shared {
        purse.set(all.saturating_sub(given));
    }
    let value = if is_shared { given } else { fields.value };
    let given = if is_all { value } else { given };
    let is_unwrapped = is_paid || (traits.bit(TRAITS.1) && scope.is_wrapped_native(get));
    let give = scope.token(if is_wrapped || is_all { NATIVE } else { give });
    let get = scope.token_on(there, if is_unwrapped { NATIVE } else { get });
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
    if is_said {
        say_trade(answer, &intent((scope.chain_id, there), (&give, &get), side, None), given, got, delivery);
        scope.check_price(answer, &fields.field(&least), (given, &give), (got, &get));
        check_value(answer, scope, value, &give, given);
        if is_lowered {
            answer.say(UNLESS_LOWERED, &[]);
            answer.gets_unknown();
        }
    } else {
        answer.say(UNREAD, &[Kept::word("The trade")]);
        pay_unread(answer, scope, value);
    }
    if fields.has("maker") {
        scope.check_owner(answer, &fields.field("maker"), fields.address("maker"));
    }
    // An amount that is not delivered goes back to the depositor.
    if fields.has("depositor") {
        check_repaid(answer, scope, &fields.field("depositor"), fields.address("depositor"));
    }
    let receiver_path = find("recipient to dstReceiver outputReceiver _receiver receiver");
    let field = receiver_path.as_deref().map_or("from".into(), |path| fields.field(path));
    let named = receiver_path.as_deref().map(|path| fields.address(path));
    let is = |byte| named == Some(Address::with_last_byte(byte));
    let is_sender = if has_way(NUMBERS) { is(1) } else { is(0) && has_way(ZERO_IS_SENDER) };
    let owner = if fields.has("maker") { Some(fields.address("maker")) } else { scope.actor };
    let is_held = has_way(NUMBERS) && is(2);
    // Without a receiver the signer gets it.
    if let Some(receiver) = named.filter(|_| !is_sender).or(owner).filter(|_| !is_held) {
        if is_said {
            answer.say(TO, &[account::<Answer>(receiver)]);
        }
        scope.check_receiver(answer, &field, receiver);
    }
    answer.say(SERVICE, &[scope.who(fields.contract)]);
    let is_whole = !fields.has("maker") || traits.bit(TRAITS.3);
    if !is_whole || !fields.word("partiallyFillable").is_zero() {
        answer.say(IN_PARTS, &[]);
    }
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
    // Pools and fees take a part of the source amount. A router's balance is the next call's. Balances inside of a vault are
    // no tokens of an account.
    let is_inside = |path: &str| fields.has(path) && fields.text(path) != "erc20";
    let [sold, bought] = ["sellTokenBalance", "buyTokenBalance"];
    let receiver_path = receiver_path.unwrap_or_default();
    for (path, is_odd, warning) in [
        (&*from, is_misnamed[0], Some(ROUTE_ARGUMENT)),
        (&*to, is_misnamed[1], Some(ROUTE_ARGUMENT)),
        (&*given_path, is_misnamed[2], Some(ROUTE_ARGUMENT)),
        ("execution.desc.srcAmounts", parts > given, Some(ROUTE_ARGUMENT)),
        (&*from, is_no_source, Some(MEMBER_UNREAD)),
        (&*to, is_no_target, Some(MEMBER_UNREAD)),
        (&*given_path, is_everything, Some(MEMBER_UNREAD)),
        (sold, is_inside(sold), Some(MEMBER_UNREAD)),
        (bought, is_inside(bought), Some(MEMBER_UNREAD)),
        (&*flags, is_open, None),
        ("makerTraits", traits.bit(TRAITS.2), None),
        (&*receiver_path, is_held, None),
    ] {
        let field = fields.field(path);
        if let Some(warning) = warning.filter(|_| is_odd) {
            answer.find(warning, &field, &[Kept::word(path)]);
        }
        if is_odd && warning.is_none_or(|warning| warning.severity != Severity::Danger) {
            answer.unread(&field, 32);
        }
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
    if is_native_or_zero(fields.address("asset")) {
        answer.say(UNREAD, &[Kept::word("The loan")]);
        return answer.unread(&fields.field("asset"), 32);
    }
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
        "repay" => check_repaid(answer, scope, &field, who),
        _ => scope.check_receiver(answer, &field, who),
    }
}

/// Judges whose debt is paid back, or who gets back what was not delivered.
fn check_repaid(answer: &mut Answer, scope: &Scope<'_>, field: &str, account: Address) {
    answer.fact("to", &account);
    scope.look(answer, field, account);
    if scope.book(account).is_none() {
        scope.note_stranger(answer, REPAID_OTHER, field, account);
    }
}
