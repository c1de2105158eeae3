//! Allowances, permits, transfers and the wrapping of the native token.

use super::answer::{Answer, Kept, NEVER};
use super::payload_fields::PayloadFields;
use super::scope::{Scope, at_most, hash_value, is_any, is_native_or_zero, is_unlimited, text_value};
use super::words::*;
use alloy_primitives::{Address, U256};
use verify::internal::domain::intent::Token;
use verify::internal::domain::sentence::part::{EXPIRES, Sink, amount, time};

/// A permission for a spender to take tokens.
struct Allowance<'a> {
    spender: (Address, String),
    token: &'a Token,
    amount: U256,
    /// Until when, unless forever.
    until: Option<(U256, String)>,
}

fn allow(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>, one: &Allowance<'_>) {
    let (who, chain) = (scope.who(one.spender.0), scope.chain());
    if is_nothing(answer, scope, fields) {
        return;
    }
    let unlimited = is_unlimited(one.amount);
    // An approval of 0 at a contract of items is one of the item 0. A transfer of nothing takes no allowance back.
    let is_inside = fields.has("token");
    let is_item = !is_inside && fields.method == "approve" && !is_known(one.token);
    let is_transfer = is_inside && !fields.has("spender") && !fields.has("expiration");
    if is_inside {
        scope.look(answer, &fields.field("token"), one.token.address);
    }
    if one.amount.is_zero() && !is_item && !is_transfer {
        answer.say(ALLOW_NONE, &[who, scope.token_name(one.token), chain]);
        answer.fact("spender", &one.spender.0);
    } else {
        let shown = scope.allowed(one.amount, one.token);
        answer.gives(&shown);
        match is_any(one.amount) {
            true => answer.say(ALLOW_ALL, &[who, scope.token_name(one.token), chain]),
            false => answer.say(ALLOW, &[who, shown, chain]),
        }
        // One of several tokens has a field of its own; the spender is that of all.
        let (field, item) = (&*one.spender.1, fields.field("amount"));
        let amount_field = if fields.is_item() { &*item } else { field };
        if one.amount.is_zero() {
            answer.fact("spender", &one.spender.0);
        } else {
            let judged = (unlimited, fields.is_signed());
            scope.check_spender(answer, (field, amount_field), (one.spender.0, one.token), judged);
        }
    }
    if fields.is_signed() {
        answer.say(BY_SIGNATURE, &[]);
    }
    if let Some((until, field)) = &one.until {
        if let Some(until) = u64::try_from(*until).ok().filter(|until| *until < NEVER) {
            // The allowance of a token's own permit outlives the signature.
            answer.say(if fields.has("expiration") { EXPIRES } else { USABLE_UNTIL }, &[time::<Answer>(until)]);
        }
        scope.check_deadline(answer, field, Some(*until));
    }
}

/// Notes a contract that is no known token: of one of single items, as ERC-721 has them, the same call is about one item.
fn check_token(answer: &mut Answer, scope: &Scope<'_>, token: &Token) {
    if !is_known(token) {
        answer.find(TOKEN_UNKNOWN, "to", &[scope.who(token.address)]);
    }
}

fn is_known(token: &Token) -> bool {
    token.decimals != u8::MAX || token.symbol.is_some()
}

/// Whether Permit2 is given the native token, which is none that it can move: by its addresses nothing is.
fn is_nothing(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) -> bool {
    let (token, field) = (fields.address("token"), fields.field("token"));
    let is_nothing = fields.has("token") && is_native_or_zero(token);
    if is_nothing {
        answer.say(UNREAD, &[Kept::word("An allowance of the native token")]);
        scope.check_contract(answer, &field, token);
        answer.unread(&field, 32);
    }
    is_nothing
}

fn spender(fields: &PayloadFields<'_>, path: &str) -> (Address, String) {
    (fields.address(path), fields.field(path))
}

/// Explains `approve`: a spender may take up to that amount.
pub fn approve(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    let token = scope.token(fields.contract);
    check_token(answer, scope, &token);
    let one =
        Allowance { spender: spender(fields, "spender"), token: &token, amount: fields.word("amount"), until: None };
    allow(answer, scope, fields, &one);
}

/// `increaseAllowance` and `decreaseAllowance`.
pub fn change(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    let (more, token) = (fields.has("addedValue"), scope.token(fields.contract));
    let by = fields.word(if more { "addedValue" } else { "subtractedValue" });
    let to = fields.address("spender");
    let shown = scope.allowed(by, &token);
    answer.say(if more { ALLOW_MORE } else { ALLOW_LESS }, &[scope.who(to), shown.clone(), scope.chain()]);
    if more {
        answer.gives(&shown);
        let field = fields.field("spender");
        scope.check_spender(answer, (&field, &field), (to, &token), (is_unlimited(by), false));
    }
}

/// A permit by EIP-2612: of the token's own, signed or used.
pub fn permit(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    scope.check_owner(answer, &fields.field("owner"), fields.address("owner"));
    let (token, until) = (scope.token(fields.contract), Some((fields.word("deadline"), fields.field("deadline"))));
    allow(
        answer,
        scope,
        fields,
        &Allowance { spender: spender(fields, "spender"), token: &token, amount: fields.word("value"), until },
    );
}

/// DAI's permit: all or nothing. An expiry of 0 is none.
pub fn permit_dai(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    scope.check_owner(answer, &fields.field("holder"), fields.address("holder"));
    let (token, expiry) = (scope.token(fields.contract), fields.word("expiry"));
    let amount = if fields.word("allowed").is_zero() { U256::ZERO } else { U256::MAX };
    let until = (!expiry.is_zero()).then(|| (expiry, fields.field("expiry")));
    if until.is_none() {
        scope.check_deadline(answer, &fields.field("expiry"), None);
    }
    allow(answer, scope, fields, &Allowance { spender: spender(fields, "spender"), token: &token, amount, until });
}

/// Permit2's allowances, one or several: each of `details`.
pub fn permit2(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    let inside = ["permitSingle", "permitBatch"].iter().find(|path| fields.has(&[path, ".spender"].concat()));
    let permit = inside.map_or_else(|| fields.clone(), |path| fields.sub(path));
    if fields.has("owner") {
        scope.check_owner(answer, &fields.field("owner"), fields.address("owner"));
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

fn allow_until(answer: &mut Answer, scope: &Scope<'_>, details: &PayloadFields<'_>, spender: (Address, String)) {
    let token = scope.token(details.address("token"));
    // Permit2 takes 0 as the time of the block that the permit is used in.
    let until = Some((details.word("expiration"), details.field("expiration"))).filter(|(until, _)| !until.is_zero());
    // Permit2 counts the highest amount of 160 bits as unlimited.
    allow(answer, scope, details, &Allowance { spender, token: &token, amount: details.word("amount"), until });
}

/// `approve(token, spender, amount, expiration)` of Permit2.
pub fn permit2_approve(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    let (token, amount) = (scope.token(fields.address("token")), fields.word("amount"));
    // Permit2 takes 0 as the time of the block.
    let until = Some((fields.word("expiration"), fields.field("expiration")));
    let until = until.filter(|(until, _)| !amount.is_zero() && !until.is_zero());
    allow(answer, scope, fields, &Allowance { spender: spender(fields, "spender"), token: &token, amount, until });
}

/// Permit2's transfers by signature, one or several tokens, with or without a witness.
pub fn permit2_transfer(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    for (index, one) in each(answer, fields, "permitted").iter().enumerate() {
        if index > 0 {
            answer.say(AND, &[]);
        }
        let (token, until) =
            (scope.token(one.address("token")), Some((fields.word("deadline"), fields.field("deadline"))));
        allow(
            answer,
            scope,
            one,
            &Allowance { spender: spender(fields, "spender"), token: &token, amount: one.word("amount"), until },
        );
    }
}

/// The struct at a path, or each of an array's: at most 64.
fn each<'a>(answer: &mut Answer, fields: &PayloadFields<'a>, path: &str) -> Vec<PayloadFields<'a>> {
    if fields.has(&[path, ".token"].concat()) {
        return vec![fields.sub(path)];
    }
    (0..few(answer, fields, path)).map(|index| fields.sub(&PayloadFields::item(path, index))).collect()
}

/// The number of items of an array to read. An empty array is reported as unread.
pub fn few(answer: &mut Answer, fields: &PayloadFields<'_>, path: &str) -> usize {
    let count = at_most(answer, fields, path, 64);
    if count == 0 {
        answer.say(UNREAD, &[Kept::word("A list of nothing")]);
        answer.unread(&fields.field(path), 0);
    }
    count
}

/// Permit2's `lockdown`: takes allowances back.
pub fn lockdown(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    for (index, one) in each(answer, fields, "approvals").iter().enumerate() {
        if index > 0 {
            answer.say(AND, &[]);
        }
        let token = scope.token(one.address("token"));
        let none = Allowance { spender: spender(one, "spender"), token: &token, amount: U256::ZERO, until: None };
        allow(answer, scope, one, &none);
    }
}

/// Permit2's `invalidateNonces`: ends signed allowances that are not used yet.
pub fn end_allowances(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    let (nonce, token) = (Kept::number(&fields.word("newNonce")), scope.token(fields.address("token")));
    let values = [nonce, scope.who(fields.address("spender")), scope.token_name(&token), scope.chain()];
    answer.say(END_ALLOWANCES, &values);
}

/// Permit2's `invalidateUnorderedNonces`: ends signed transfers.
pub fn end_transfers(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    let [mask, word] = ["mask", "wordPos"].map(|path| Kept::number(&fields.word(path)));
    answer.say(END_TRANSFERS, &[mask, word, scope.who(fields.contract), scope.chain()]);
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
        let is_stranger = is_signed && scope.has_accounts() && scope.contract_name(receiver).is_none();
        answer.find(if is_stranger { SENT_SIGNED } else { SENT_AWAY }, field, &[scope.who(receiver)]);
    }
}

/// Explains `transfer`: the actor sends tokens.
pub fn transfer(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    let token = scope.token(fields.contract);
    check_token(answer, scope, &token);
    send(answer, scope, &fields.field("to"), fields.address("to"), amount::<Answer>(fields.word("amount"), &token));
}

/// The native token, sent without calldata.
pub fn pay(answer: &mut Answer, scope: &Scope<'_>, to: Address, value: U256) {
    answer.is(NATIVE_TRANSFER);
    send(answer, scope, "to", to, scope.native(value));
}

/// A transfer by signature (EIP-3009): signed, or brought to the token.
pub fn authorized_transfer(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    answer.fact("nonce", &fields.hash("nonce"));
    scope.check_owner(answer, &fields.field("from"), fields.address("from"));
    take(answer, scope, fields, amount::<Answer>(fields.word("value"), &scope.token(fields.contract)));
    if fields.is_signed() {
        answer.say(BY_SIGNATURE, &[]);
    }
    let [from, until] = ["validAfter", "validBefore"].map(|path| u64::try_from(fields.word(path)).unwrap_or(NEVER));
    let parts =
        [(NOT_BEFORE, from, from > scope.context().now.unwrap_or_default()), (USABLE_UNTIL, until, until < NEVER)];
    for (part, secs, _) in parts.into_iter().filter(|(.., is_said)| *is_said) {
        answer.say(part, &[time::<Answer>(secs.min(NEVER))]);
    }
    scope.check_deadline(answer, &fields.field("validBefore"), Some(fields.word("validBefore")));
}

/// The end of a transfer by signature that was not used (EIP-3009).
pub fn end_authorization(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    scope.check_owner(answer, &fields.field("authorizer"), fields.address("authorizer"));
    let token = scope.token_name(&scope.token(fields.contract));
    answer.say(END_AUTHORIZATION, &[hash_value(fields.hash("nonce")), token, scope.chain()]);
}

/// `transferFrom`, also Permit2's.
pub fn transfer_from(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    if is_nothing(answer, scope, fields) {
        return;
    }
    let token = scope.token(if fields.has("token") { fields.address("token") } else { fields.contract });
    check_token(answer, scope, &token);
    take(answer, scope, fields, amount::<Answer>(fields.word("amount"), &token));
}

fn take(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>, shown: Kept) {
    let (from, to) = (fields.address("from"), fields.address("to"));
    // The actor, an account or a Safe, gives its own tokens.
    let is_given = scope.is_own(from) || scope.actor == Some(from);
    if is_given {
        answer.gives(&shown);
    }
    answer.say(TAKE, &[shown, scope.who(from), scope.who(to), scope.chain()]);
    if !is_given && !fields.has("validBefore") {
        answer.say(IF_ALLOWED, &[]);
    }
    check_out(answer, scope, &fields.field("to"), to, fields.is_signed());
}

/// The transfers of ERC-721 and ERC-1155: items by their numbers, of the latter several of each.
pub fn transfer_items(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    let item = |id, count| Kept::item(id, count, fields.contract, scope.chain_id);
    if fields.has("id") {
        let count = if fields.has("amount") { fields.word("amount") } else { U256::from(1) };
        take(answer, scope, fields, item(fields.word("id"), count));
    } else if fields.count("ids") != fields.count("amounts") {
        answer.say(UNREAD, &[Kept::word("The list of items")]);
        answer.unread(&fields.field("ids"), 0);
    } else {
        for index in 0..few(answer, fields, "ids") {
            if index > 0 {
                answer.say(AND, &[]);
            }
            let [id, count] = ["ids", "amounts"].map(|path| fields.word(&PayloadFields::item(path, index)));
            take(answer, scope, fields, item(id, count));
        }
    }
    note_bytes(answer, fields, "data");
}

/// Notes bytes that go on to another contract.
fn note_bytes(answer: &mut Answer, fields: &PayloadFields<'_>, path: &str) {
    let length = fields.bytes(path).len();
    if length > 0 {
        answer.opaque(&fields.field(path), length);
    }
}

/// `register` of the names' registrars (ENS): the owner gets the name, the resolver maps it to an address.
pub fn register(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    let one = if fields.has("registration.owner") { fields.sub("registration") } else { fields.clone() };
    let owner = one.address("owner");
    let values = [name(&one), scope.who(owner), seconds(&one), scope.who(fields.contract), scope.chain()];
    answer.say(REGISTER, &values);
    pay_along(answer, scope, fields.value);
    scope.check_receiver(answer, &one.field("owner"), owner);
    if one.has("resolver") {
        scope.check_contract(answer, &one.field("resolver"), one.address("resolver"));
    }
    for index in 0..one.count("data") {
        note_bytes(answer, &one, &PayloadFields::item("data", index));
    }
}

/// `renew` of the names' registrars.
pub fn renew(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    answer.say(RENEW, &[name(fields), seconds(fields), scope.who(fields.contract), scope.chain()]);
    pay_along(answer, scope, fields.value);
}

fn name(fields: &PayloadFields<'_>) -> Kept {
    text_value("text", &String::from_utf8_lossy(&fields.bytes("name")))
}

fn seconds(fields: &PayloadFields<'_>) -> Kept {
    Kept::number(&fields.word("duration"))
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

/// Explains `setApprovalForAll`: an operator may take all tokens of a contract, or no longer.
pub fn operator(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    let (to, is_set) = (fields.address("operator"), !fields.word("approved").is_zero());
    let values = [scope.who(to), scope.who(fields.contract), scope.chain()];
    answer.fact("spender", &to);
    scope.look(answer, &fields.field("operator"), to);
    answer.say(if is_set { OPERATOR } else { OPERATOR_NONE }, &values);
    if is_set {
        answer.find(OPERATOR_ALL, &fields.field("operator"), values.get(..2).unwrap_or_default());
    }
}

/// `deposit` of a wrapped native token.
pub fn wrap(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    let value = scope.native(fields.value);
    answer.gives(&value);
    answer.gets(&amount::<Answer>(fields.value, &scope.token(fields.contract)));
    scope.check_actor(answer);
    answer.say(WRAP, &[value, scope.token_name(&scope.token(fields.contract)), scope.chain()]);
}

/// `withdraw` of a wrapped native token.
pub fn unwrap(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    let (given, token) = (fields.word("amount"), scope.token(fields.contract));
    let shown = amount::<Answer>(given, &token);
    answer.gives(&shown);
    answer.gets(&scope.native(given));
    scope.check_actor(answer);
    answer.say(UNWRAP, &[shown, scope.token_name(&token), scope.chain()]);
}
