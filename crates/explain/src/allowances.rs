//! Allowances, permits, transfers and the wrapping of the native token.

use super::answer::{Answer, Kept, NEVER};
use super::said::Said;
use super::scope::{Scope, at_most, hash_value, is_unlimited, text_value};
use super::words::*;
use alloy_primitives::{Address, U256};
use verify::internal::domain::intent::Token;
use verify::internal::domain::sentence::part::{EXPIRES, Sink, amount, time};

/// What lets a spender take tokens.
struct Allowance<'a> {
    spender: (Address, String),
    token: &'a Token,
    amount: U256,
    /// Until when, unless forever.
    until: Option<(U256, String)>,
}

fn allow(answer: &mut Answer, scope: &Scope<'_>, said: &Said<'_>, one: &Allowance<'_>) {
    let (who, chain) = (scope.who(one.spender.0), scope.chain());
    let unlimited = is_unlimited(one.amount);
    if said.has("token") {
        scope.look(answer, &said.field("token"), one.token.address);
    }
    if one.amount.is_zero() {
        answer.say(ALLOW_NONE, &[who, scope.token_name(one.token), chain]);
        answer.fact("spender", &one.spender.0);
    } else {
        let shown = amount::<Answer>(one.amount, one.token);
        answer.gives(&shown);
        match unlimited {
            true => answer.say(ALLOW_ALL, &[who, scope.token_name(one.token), chain]),
            false => answer.say(ALLOW, &[who, shown, chain]),
        }
        // One of several tokens has a field of its own; the spender is that of all.
        let (field, item) = (&*one.spender.1, said.field("amount"));
        let amount_field = if said.is_item() { &*item } else { field };
        scope.check_spender(answer, (field, amount_field), (one.spender.0, one.token), (unlimited, said.is_signed()));
    }
    if said.is_signed() {
        answer.say(BY_SIGNATURE, &[]);
    }
    if let Some((until, field)) = &one.until {
        if let Some(until) = u64::try_from(*until).ok().filter(|until| *until < NEVER) {
            // The allowance of a token's own permit outlives the signature.
            answer.say(if said.has("expiration") { EXPIRES } else { USABLE_UNTIL }, &[time::<Answer>(until)]);
        }
        scope.check_deadline(answer, field, Some(*until));
    }
}

/// Notes a contract that is no known token: of one of single items, as ERC-721 has them, the same call is about one item.
fn check_token(answer: &mut Answer, scope: &Scope<'_>, token: &Token) {
    let is_known = token.decimals != u8::MAX || token.symbol.is_some();
    if !is_known {
        answer.find(TOKEN_UNKNOWN, "to", &[scope.who(token.address)]);
    }
}

fn spender(said: &Said<'_>, path: &str) -> (Address, String) {
    (said.address(path), said.field(path))
}

/// `approve`.
pub fn approve(answer: &mut Answer, scope: &Scope<'_>, said: &Said<'_>) {
    let token = scope.token(said.contract);
    check_token(answer, scope, &token);
    let one = Allowance { spender: spender(said, "spender"), token: &token, amount: said.word("amount"), until: None };
    allow(answer, scope, said, &one);
}

/// `increaseAllowance` and `decreaseAllowance`.
pub fn change(answer: &mut Answer, scope: &Scope<'_>, said: &Said<'_>) {
    let (more, token) = (said.has("addedValue"), scope.token(said.contract));
    let by = said.word(if more { "addedValue" } else { "subtractedValue" });
    let to = said.address("spender");
    let shown = amount::<Answer>(by, &token);
    answer.say(if more { ALLOW_MORE } else { ALLOW_LESS }, &[scope.who(to), shown.clone(), scope.chain()]);
    if more {
        answer.gives(&shown);
        let field = said.field("spender");
        scope.check_spender(answer, (&field, &field), (to, &token), (is_unlimited(by), false));
    }
}

/// A permit by EIP-2612: of the token's own, signed or used.
pub fn permit(answer: &mut Answer, scope: &Scope<'_>, said: &Said<'_>) {
    scope.check_owner(answer, &said.field("owner"), said.address("owner"));
    let (token, until) = (scope.token(said.contract), Some((said.word("deadline"), said.field("deadline"))));
    allow(
        answer,
        scope,
        said,
        &Allowance { spender: spender(said, "spender"), token: &token, amount: said.word("value"), until },
    );
}

/// DAI's permit: all or nothing. An expiry of 0 is none.
pub fn permit_dai(answer: &mut Answer, scope: &Scope<'_>, said: &Said<'_>) {
    scope.check_owner(answer, &said.field("holder"), said.address("holder"));
    let (token, expiry) = (scope.token(said.contract), said.word("expiry"));
    let amount = if said.word("allowed").is_zero() { U256::ZERO } else { U256::MAX };
    let until = (!expiry.is_zero()).then(|| (expiry, said.field("expiry")));
    if until.is_none() {
        scope.check_deadline(answer, &said.field("expiry"), None);
    }
    allow(answer, scope, said, &Allowance { spender: spender(said, "spender"), token: &token, amount, until });
}

/// Permit2's allowances, one or several: each of `details`.
pub fn permit2(answer: &mut Answer, scope: &Scope<'_>, said: &Said<'_>) {
    let inside = ["permitSingle", "permitBatch"].iter().find(|path| said.has(&[path, ".spender"].concat()));
    let permit = inside.map_or_else(|| said.clone(), |path| said.sub(path));
    if said.has("owner") {
        scope.check_owner(answer, &said.field("owner"), said.address("owner"));
    }
    // The signature's own time first: what lasts is the allowance.
    scope.check_deadline(answer, &permit.field("sigDeadline"), Some(permit.word("sigDeadline")));
    for (index, details) in each(answer, &permit, "details").iter().enumerate() {
        if index > 0 {
            answer.say(AND, &[]);
        }
        allow_until(answer, scope, details, spender(&permit, "spender"));
    }
}

fn allow_until(answer: &mut Answer, scope: &Scope<'_>, details: &Said<'_>, spender: (Address, String)) {
    let token = scope.token(details.address("token"));
    // Permit2 takes 0 as the time of the block that the permit is used in.
    let until = Some((details.word("expiration"), details.field("expiration"))).filter(|(until, _)| !until.is_zero());
    // Permit2 counts the highest amount of 160 bits as unlimited.
    allow(answer, scope, details, &Allowance { spender, token: &token, amount: details.word("amount"), until });
}

/// `approve(token, spender, amount, expiration)` of Permit2.
pub fn permit2_approve(answer: &mut Answer, scope: &Scope<'_>, said: &Said<'_>) {
    let (token, amount) = (scope.token(said.address("token")), said.word("amount"));
    // Permit2 takes 0 as the time of the block.
    let until = Some((said.word("expiration"), said.field("expiration")));
    let until = until.filter(|(until, _)| !amount.is_zero() && !until.is_zero());
    allow(answer, scope, said, &Allowance { spender: spender(said, "spender"), token: &token, amount, until });
}

/// Permit2's transfers by signature, one or several tokens, with or without a witness.
pub fn permit2_transfer(answer: &mut Answer, scope: &Scope<'_>, said: &Said<'_>) {
    for (index, one) in each(answer, said, "permitted").iter().enumerate() {
        if index > 0 {
            answer.say(AND, &[]);
        }
        let (token, until) = (scope.token(one.address("token")), Some((said.word("deadline"), said.field("deadline"))));
        allow(
            answer,
            scope,
            one,
            &Allowance { spender: spender(said, "spender"), token: &token, amount: one.word("amount"), until },
        );
    }
}

/// The struct at a path, or each of an array's: at most 64.
fn each<'a>(answer: &mut Answer, said: &Said<'a>, path: &str) -> Vec<Said<'a>> {
    if said.has(&[path, ".token"].concat()) {
        return vec![said.sub(path)];
    }
    (0..few(answer, said, path)).map(|index| said.sub(&Said::item(path, index))).collect()
}

/// How many items of an array are read. Of none, nothing could be said.
pub fn few(answer: &mut Answer, said: &Said<'_>, path: &str) -> usize {
    let count = at_most(answer, said, path, 64);
    if count == 0 {
        answer.say(UNREAD, &[Kept::word("A list of nothing")]);
        answer.unread(&said.field(path), 0);
    }
    count
}

/// Permit2's `lockdown`: takes allowances back.
pub fn lockdown(answer: &mut Answer, scope: &Scope<'_>, said: &Said<'_>) {
    for (index, one) in each(answer, said, "approvals").iter().enumerate() {
        if index > 0 {
            answer.say(AND, &[]);
        }
        let token = scope.token(one.address("token"));
        let none = Allowance { spender: spender(one, "spender"), token: &token, amount: U256::ZERO, until: None };
        allow(answer, scope, one, &none);
    }
}

/// Permit2's `invalidateNonces`: ends signed allowances that nobody has used.
pub fn end_allowances(answer: &mut Answer, scope: &Scope<'_>, said: &Said<'_>) {
    let (nonce, token) = (Kept::number(&said.word("newNonce")), scope.token(said.address("token")));
    let values = [nonce, scope.who(said.address("spender")), scope.token_name(&token), scope.chain()];
    answer.say(END_ALLOWANCES, &values);
}

/// Permit2's `invalidateUnorderedNonces`: ends signed transfers.
pub fn end_transfers(answer: &mut Answer, scope: &Scope<'_>, said: &Said<'_>) {
    let [mask, word] = ["mask", "wordPos"].map(|path| Kept::number(&said.word(path)));
    answer.say(END_TRANSFERS, &[mask, word, scope.who(said.contract), scope.chain()]);
}

/// A transfer out of the sender's tokens.
fn send(answer: &mut Answer, scope: &Scope<'_>, field: &str, receiver: Address, shown: Kept) {
    answer.gives(&shown);
    answer.say(SEND, &[shown, scope.who(receiver), scope.chain()]);
    check_out(answer, scope, field, receiver, false);
}

/// Judges who receives what is given away: with `is_signed` without a transaction of the owner's.
fn check_out(answer: &mut Answer, scope: &Scope<'_>, field: &str, receiver: Address, is_signed: bool) {
    answer.fact("to", &receiver);
    scope.look(answer, field, receiver);
    if !scope.is_own(receiver) && scope.book(receiver).is_none() {
        let is_stranger = is_signed && scope.contract_name(receiver).is_none();
        answer.find(if is_stranger { SENT_SIGNED } else { SENT_AWAY }, field, &[scope.who(receiver)]);
    }
}

/// `transfer`.
pub fn transfer(answer: &mut Answer, scope: &Scope<'_>, said: &Said<'_>) {
    let token = scope.token(said.contract);
    send(answer, scope, &said.field("to"), said.address("to"), amount::<Answer>(said.word("amount"), &token));
}

/// The native token, sent without calldata.
pub fn pay(answer: &mut Answer, scope: &Scope<'_>, to: Address, value: U256) {
    answer.is(NATIVE_TRANSFER);
    send(answer, scope, "to", to, scope.native(value));
}

/// A transfer by signature (EIP-3009): signed, or brought to the token.
pub fn authorized_transfer(answer: &mut Answer, scope: &Scope<'_>, said: &Said<'_>) {
    answer.fact("nonce", &said.hash("nonce"));
    scope.check_owner(answer, &said.field("from"), said.address("from"));
    take(answer, scope, said, amount::<Answer>(said.word("value"), &scope.token(said.contract)));
    if said.is_signed() {
        answer.say(BY_SIGNATURE, &[]);
    }
    let [from, until] = ["validAfter", "validBefore"].map(|path| u64::try_from(said.word(path)).unwrap_or(NEVER));
    let parts =
        [(NOT_BEFORE, from, from > scope.context().now.unwrap_or_default()), (USABLE_UNTIL, until, until < NEVER)];
    for (part, secs, _) in parts.into_iter().filter(|(.., is_said)| *is_said) {
        answer.say(part, &[time::<Answer>(secs.min(NEVER))]);
    }
    scope.check_deadline(answer, &said.field("validBefore"), Some(said.word("validBefore")));
}

/// The end of a transfer by signature that was not used (EIP-3009).
pub fn end_authorization(answer: &mut Answer, scope: &Scope<'_>, said: &Said<'_>) {
    scope.check_owner(answer, &said.field("authorizer"), said.address("authorizer"));
    let token = scope.token_name(&scope.token(said.contract));
    answer.say(END_AUTHORIZATION, &[hash_value(said.hash("nonce")), token, scope.chain()]);
}

/// `transferFrom`, also Permit2's.
pub fn transfer_from(answer: &mut Answer, scope: &Scope<'_>, said: &Said<'_>) {
    let token = scope.token(if said.has("token") { said.address("token") } else { said.contract });
    check_token(answer, scope, &token);
    take(answer, scope, said, amount::<Answer>(said.word("amount"), &token));
}

fn take(answer: &mut Answer, scope: &Scope<'_>, said: &Said<'_>, shown: Kept) {
    let (from, to) = (said.address("from"), said.address("to"));
    // Whoever acts, an account or a Safe, gives what is its own.
    if scope.is_own(from) || scope.actor == Some(from) {
        answer.gives(&shown);
    }
    answer.say(TAKE, &[shown, scope.who(from), scope.who(to), scope.chain()]);
    check_out(answer, scope, &said.field("to"), to, said.is_signed());
}

/// The transfers of ERC-721 and ERC-1155: items by their numbers, of the latter several of each.
pub fn transfer_items(answer: &mut Answer, scope: &Scope<'_>, said: &Said<'_>) {
    let item = |id, count| Kept::item(id, count, said.contract, scope.chain_id);
    if said.has("id") {
        let count = if said.has("amount") { said.word("amount") } else { U256::from(1) };
        take(answer, scope, said, item(said.word("id"), count));
    } else if said.count("ids") != said.count("amounts") {
        answer.say(UNREAD, &[Kept::word("The list of items")]);
        answer.unread(&said.field("ids"), 0);
    } else {
        for index in 0..few(answer, said, "ids") {
            if index > 0 {
                answer.say(AND, &[]);
            }
            let [id, count] = ["ids", "amounts"].map(|path| said.word(&Said::item(path, index)));
            take(answer, scope, said, item(id, count));
        }
    }
    note_bytes(answer, said, "data");
}

/// Notes bytes that go on to another contract.
fn note_bytes(answer: &mut Answer, said: &Said<'_>, path: &str) {
    let length = said.bytes(path).len();
    if length > 0 {
        answer.opaque(&said.field(path), length);
    }
}

/// `register` of the names' registrars (ENS): the owner gets the name, the resolver says what it stands for.
pub fn register(answer: &mut Answer, scope: &Scope<'_>, said: &Said<'_>) {
    let one = if said.has("registration.owner") { said.sub("registration") } else { said.clone() };
    let owner = one.address("owner");
    let values = [name(&one), scope.who(owner), seconds(&one), scope.who(said.contract), scope.chain()];
    answer.say(REGISTER, &values);
    pay_along(answer, scope, said.value);
    scope.check_receiver(answer, &one.field("owner"), owner);
    if one.has("resolver") {
        scope.check_contract(answer, &one.field("resolver"), one.address("resolver"));
    }
    for index in 0..one.count("data") {
        note_bytes(answer, &one, &Said::item("data", index));
    }
}

/// `renew` of the names' registrars.
pub fn renew(answer: &mut Answer, scope: &Scope<'_>, said: &Said<'_>) {
    answer.say(RENEW, &[name(said), seconds(said), scope.who(said.contract), scope.chain()]);
    pay_along(answer, scope, said.value);
}

fn name(said: &Said<'_>) -> Kept {
    text_value("text", &String::from_utf8_lossy(&said.bytes("name")))
}

fn seconds(said: &Said<'_>) -> Kept {
    Kept::number(&said.word("duration"))
}

/// The native token that goes along, if any.
pub fn pay_along(answer: &mut Answer, scope: &Scope<'_>, wei: U256) -> Option<Kept> {
    let value = scope.native(wei);
    (!wei.is_zero()).then(|| {
        answer.say(AND_PAY, core::slice::from_ref(&value));
        answer.gives(&value);
        value
    })
}

/// The native token that goes along with a call that is not read.
pub fn pay_unread(answer: &mut Answer, scope: &Scope<'_>, wei: U256) {
    if let Some(value) = pay_along(answer, scope, wei) {
        answer.find(CALL_PAID, "value", &[value]);
    }
}

/// `setApprovalForAll`.
pub fn operator(answer: &mut Answer, scope: &Scope<'_>, said: &Said<'_>) {
    let (to, is_set) = (said.address("operator"), !said.word("approved").is_zero());
    let values = [scope.who(to), scope.who(said.contract), scope.chain()];
    answer.fact("spender", &to);
    scope.look(answer, &said.field("operator"), to);
    answer.say(if is_set { OPERATOR } else { OPERATOR_NONE }, &values);
    if is_set {
        answer.find(OPERATOR_ALL, &said.field("operator"), values.get(..2).unwrap_or_default());
    }
}

/// `deposit` of a wrapped native token.
pub fn wrap(answer: &mut Answer, scope: &Scope<'_>, said: &Said<'_>) {
    let value = scope.native(said.value);
    answer.gives(&value);
    answer.gets(&amount::<Answer>(said.value, &scope.token(said.contract)));
    scope.check_actor(answer);
    answer.say(WRAP, &[value, scope.token_name(&scope.token(said.contract)), scope.chain()]);
}

/// `withdraw` of a wrapped native token.
pub fn unwrap(answer: &mut Answer, scope: &Scope<'_>, said: &Said<'_>) {
    let (given, token) = (said.word("amount"), scope.token(said.contract));
    let shown = amount::<Answer>(given, &token);
    answer.gives(&shown);
    answer.gets(&scope.native(given));
    scope.check_actor(answer);
    answer.say(UNWRAP, &[shown, scope.token_name(&token), scope.chain()]);
}
