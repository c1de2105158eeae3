//! Payloads that contain others: Safes, batches, contract accounts, user operations, delegations.
//!
//! Each hands its calls to [`Shared::read_call`](super::scope::Shared::read_call), so that nesting is bounded in one
//! place.

use super::answer::{Answer, Kept};
use super::context::Safe;
use super::message::{explain_message, without_prefix};
use super::payload_fields::{Call, PayloadFields};
use super::scope::{MAX_INNER, Scope, at_most, hash_value};
use super::words::*;
use alloy_primitives::{Address, B256, U256};
use std::borrow::Cow;
use verify::internal::domain::eip712::Digest;
use verify::internal::domain::market::calldata::Arguments;
use verify::internal::domain::sentence::part::{Sink, amount};
use verify::internal::domain::typed_struct::{TypedStruct, Value};
use verify::internal::value::text::ToText;

/// A Safe's transaction, as its owners sign it since version 1.0.0.
pub const SAFE_TX: &str = concat!(
    "SafeTx(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,",
    "address gasToken,address refundReceiver,uint256 nonce)"
);

/// Explains a call inside of another payload.
fn nest(answer: &mut Answer, scope: &Scope<'_>, actor: Option<Address>, call: &Call<'_>, is_part: bool) {
    answer.inner_wei = answer.inner_wei.saturating_add(call.value);
    match scope.inside(answer, actor) {
        Some(inside) => answer.nest((scope.shared.read_call)(&inside, call), is_part),
        None => answer.unread("inner", call.data.len()),
    }
}

/// Explains a batch of calls, each of (contract, value, calldata). One more than is read shows that there are too many.
fn nest_all<'a>(
    answer: &mut Answer,
    scope: &Scope<'_>,
    actor: Option<Address>,
    count: usize,
    call: &dyn Fn(usize) -> (Address, U256, Cow<'a, [u8]>),
) {
    for index in 0..count.min(MAX_INNER.saturating_add(1)) {
        let (to, value, data) = call(index);
        nest(answer, scope, actor, &Call { to: Some(to), value, data: &data, is_delegate: false }, true);
    }
}

/// The hash of a Safe's transaction by the context; `None` for a version without a rule in this package.
pub fn safe_hash(safe: &Safe, chain_id: u64, value: &dyn Fn(&str) -> Option<Value>) -> Option<B256> {
    let mut numbers = safe.version.split(['.', '+', '-']).map(|number| number.parse::<u64>().ok());
    let (major, minor) = (numbers.next()??, numbers.next()??);
    let domain = match (major, minor) {
        (0, _) => return None,
        (1, 0..=2) => TypedStruct::of("EIP712Domain(address verifyingContract)", vec![safe.address.into()]),
        _ => TypedStruct::of(
            "EIP712Domain(uint256 chainId,address verifyingContract)",
            vec![chain_id.into(), safe.address.into()],
        ),
    };
    let message = TypedStruct::made(SAFE_TX, &|name, _| match name {
        "nonce" => safe.nonce.into(),
        _ => value(name).unwrap_or(U256::ZERO.into()),
    });
    Some(Digest::join(domain.hash(), message.hash()).digest)
}

/// A Safe's transaction: typed data that an owner signs, or the call that runs it.
pub fn safe_transaction(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    let (safe, data) = (fields.contract, fields.bytes("data"));
    answer.say(SAFE, &[scope.who(safe), scope.chain()]);
    answer.fact("owner", &safe);
    if fields.is_signed() {
        answer.fact("nonce", &fields.word("nonce"));
    }
    if let Some(own) = &scope.context().safe {
        if own.address != safe {
            answer.find(SAFE_OTHER, "contract", &[scope.who(safe), scope.who(own.address)]);
        } else {
            let hash = safe_hash(own, scope.chain_id, &|name| {
                Some(match name {
                    "data" => Value::Bytes(data.to_vec()),
                    "to" | "gasToken" | "refundReceiver" => fields.address(name).into(),
                    _ => fields.word(name).into(),
                })
            });
            if let Some(hash) = hash {
                answer.digest("safeTxHash", hash);
            }
        }
    }
    if !fields.word("gasPrice").is_zero() {
        // Without a receiver the Safe pays the sender of the transaction.
        let to = fields.address("refundReceiver");
        let to = if to.is_zero() { Scope::receiver(None) } else { scope.who(to) };
        let price = amount::<Answer>(fields.word("gasPrice"), &scope.token(fields.address("gasToken")));
        answer.find(SAFE_REFUND, &fields.field("gasPrice"), &[to, price, Kept::number(&fields.word("baseGas"))]);
    }
    let operation = fields.word("operation");
    if operation > U256::from(1) {
        answer.find(OPERATION_UNKNOWN, &fields.field("operation"), &[Kept::number(&operation)]);
        answer.unread(&fields.field("operation"), 0);
    }
    // Every operation but zero may run with the rights of the account: the worst case.
    let is_delegate = !operation.is_zero();
    let call = Call { to: Some(fields.address("to")), value: fields.word("value"), data: &data, is_delegate };
    nest(answer, &Scope { safe: fields.is_signed().then_some(safe), ..*scope }, Some(safe), &call, true);
}

/// A change of a Safe's owners, modules, guard or fallback handler.
pub fn control(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    let (account, who) = (scope.who(fields.contract), fields.address("who"));
    let method = fields.method;
    let whom = if fields.has("who") { scope.who(who) } else { Kept::number(&fields.word("threshold")) };
    answer.say(CONTROL_CHANGE, &[account.clone(), Kept::word(method), whom, scope.chain()]);
    answer.find(CONTROL, "data", &[account]);
    scope.look(answer, &fields.field("who"), who);
}

/// `approveHash` of a Safe: as good as an owner's signature of whatever it stands for.
pub fn approve_hash(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    say_hash(answer, scope, fields);
    answer.find(HASH_RAW, &fields.field("hash"), &[]);
    answer.unread(&fields.field("hash"), 32);
}

/// `commit` of the names' registrars: nothing comes of it but that its contents can be shown later.
pub fn commit(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    say_hash(answer, scope, fields);
    answer.find(HASH_UNREAD, &fields.field("hash"), &[hash_value(fields.hash("hash"))]);
    answer.opaque(&fields.field("hash"), 32);
}

fn say_hash(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    let values =
        [Kept::word(fields.method), hash_value(fields.hash("hash")), scope.who(fields.contract), scope.chain()];
    answer.say(WITH_HASH, &values);
}

/// A message that a Safe signs.
pub fn safe_message(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    answer.say(SAFE_MESSAGE, &[scope.who(fields.contract), scope.chain()]);
    let bytes = fields.bytes("message");
    answer.nest(explain_message(scope, &bytes, false), true);
}

/// A text that a contract account signs (ERC-7739).
pub fn personal_sign(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    answer.say(ACCOUNT_SIGNS, &[scope.who(fields.contract), scope.chain()]);
    let bytes = fields.bytes("prefixed");
    match without_prefix(&bytes) {
        Some(text) => answer.nest(explain_message(scope, text, false), true),
        // Without the prefix no account takes it for a text.
        None => answer.unread(&fields.field("prefixed"), bytes.len()),
    }
}

/// Safe's `multiSend`: operation, contract, value, length and calldata of each call, packed.
pub fn multi_send(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    let bytes = fields.bytes("transactions");
    let mut rest: &[u8] = &bytes;
    let mut calls = Vec::new();
    while let Some((head, behind)) = rest.split_at_checked(85) {
        let (Some(operation), Some(to), Some(value), Some(length)) =
            (head.first(), head.get(1..21), head.get(21..53), head.get(53..85))
        else {
            break;
        };
        let length = U256::try_from_be_slice(length).and_then(|length| usize::try_from(length).ok());
        let Some((data, behind)) = length.and_then(|length| behind.split_at_checked(length)) else { break };
        let value = U256::try_from_be_slice(value).unwrap_or_default();
        calls.push(Call { to: Some(Address::from_slice(to)), value, data, is_delegate: *operation != 0 });
        rest = behind;
    }
    scope.say_batch(answer, calls.len());
    if !fields.is_delegate {
        answer.find(BATCH_CALLED, &fields.field("transactions"), &[scope.who(fields.contract)]);
    }
    let actor = (!fields.is_delegate).then_some(fields.contract);
    for call in &calls {
        nest(answer, scope, actor, call, true);
    }
    if !rest.is_empty() {
        answer.find(CALL_MALFORMED, &fields.field("transactions"), &[Kept::word("multiSend")]);
        answer.unread(&fields.field("transactions"), rest.len());
    }
}

/// `multicall`: calls of the same contract.
pub fn multicall(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    let count = fields.count("data");
    scope.say_batch(answer, count);
    let call = |index| (fields.contract, U256::ZERO, fields.bytes(&PayloadFields::item("data", index)));
    // The calls of this router share all that comes along.
    let (is_router, purse) = (scope.is_service(fields.contract, "Uniswap SwapRouter02"), &scope.shared.purse);
    if is_router {
        purse.set(purse.get().max(fields.value));
    }
    nest_all(answer, scope, None, count, &call);
    if is_router && !fields.value.is_zero() {
        answer.inner_wei = fields.value.saturating_sub(purse.take());
    }
}

/// The calls in an array of structs. With `is_own` the zero address stands for the account that runs them (ERC-7821).
fn run_calls(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>, is_own: bool) {
    nest_all(answer, scope, Some(fields.contract), fields.count("calls"), &|index| {
        let one = fields.sub(&PayloadFields::item("calls", index));
        let to = one.address("to");
        (if is_own && to.is_zero() { fields.contract } else { to }, one.word("value"), one.bytes("data"))
    });
}

/// Multicall3's `aggregate3`, and an account's `executeBatch`.
pub fn run_batch(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    scope.say_batch(answer, fields.count("calls"));
    if fields.method.starts_with("aggregate") && !scope.is_own(fields.contract) {
        answer.find(BATCH_CALLED, &fields.field("calls"), &[scope.who(fields.contract)]);
    }
    let fails = |index| !fields.word(&[&*PayloadFields::item("calls", index), ".allowFailure"].concat()).is_zero();
    note_parts(answer, &fields.field("calls"), (0..fields.count("calls")).any(fails));
    run_calls(answer, scope, fields, false);
}

/// Notes that one call of a batch may fail alone.
pub fn note_parts(answer: &mut Answer, field: &str, is_apart: bool) {
    if is_apart {
        answer.find(BATCH_PARTS, field, &[]);
    }
}

/// `executeBatch` with one array for contracts, one for values and one for calldata.
pub fn run_arrays(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    let count = fields.count("to");
    scope.say_batch(answer, count);
    // An empty `value` list means zero for each call. If lengths differ, the behaviour is undefined: unread.
    for path in ["value", "data"] {
        let length = fields.count(path);
        if length != count && (path == "data" || length > 0) {
            answer.unread(&fields.field(path), 0);
        }
    }
    nest_all(answer, scope, Some(fields.contract), count, &|index| {
        let item = |path| PayloadFields::item(path, index);
        (fields.address(&item("to")), fields.word(&item("value")), fields.bytes(&item("data")))
    });
}

/// A contract account's `execute`.
pub fn run_one(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    scope.say_runs(answer, fields.contract);
    let data = fields.bytes("data");
    let call = Call { to: Some(fields.address("to")), value: fields.word("value"), data: &data, is_delegate: false };
    nest(answer, scope, Some(fields.contract), &call, true);
}

/// `execute` of ERC-7579 and ERC-7821: the first byte of the mode is how the calls are packed, the second one whether one
/// may fail alone, its bytes 6 to 9 whether that holds. ERC-7821 has a batch of batches, too.
pub fn run_mode(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    scope.say_runs(answer, fields.contract);
    let (mode, bytes) = (fields.hash("mode"), fields.bytes("executionCalldata"));
    let kind = mode.first().copied().unwrap_or_default();
    let head = if kind == 0 { 52 } else { 20 };
    let is_own = mode.get(6..10) == Some(&[0x78, 0x21, 0, 1]);
    let is_known = is_own || mode.get(6..10) == Some(&[0; 4]);
    note_parts(answer, &fields.field("mode"), kind == 1 && mode.get(1) == Some(&1));
    if !is_known || mode.get(1) > Some(&1) {
        // Another reader may find something else in it.
    } else if kind == 1 {
        // Behind the calls, ERC-7821 may have data for the account itself.
        let calls = "f((address to,uint256 value,bytes data)[] calls)";
        let with_data = "f((address to,uint256 value,bytes data)[] calls,bytes opData)";
        let read = Arguments::read(calls, &bytes).or_else(|| Arguments::read(with_data, &bytes));
        if let Some(arguments) = read {
            let inner = PayloadFields::call(&arguments, fields.contract, fields.value);
            run_calls(answer, scope, &inner, is_own);
            let rest = arguments.unread.saturating_add(inner.bytes("opData").len());
            if rest > 0 {
                answer.opaque(&fields.field("executionCalldata"), rest);
            }
            return;
        }
    } else if let (0 | 0xFF, Some((packed, data))) = (kind, bytes.split_at_checked(head)) {
        let (to, value) = packed.split_at_checked(20).unwrap_or_default();
        let call = Call {
            to: Some(Address::from_slice(if to.len() == 20 { to } else { &[0; 20] })),
            value: U256::try_from_be_slice(value).unwrap_or_default(),
            data,
            is_delegate: kind == 0xFF,
        };
        return nest(answer, scope, Some(fields.contract), &call, true);
    }
    answer.unread(&fields.field("executionCalldata"), bytes.len());
}

/// The most that the gas of an operation or a transaction may cost without a word, in wei: 0.5 of the native token.
const MOST_GAS_WEI: u64 = 500_000_000_000_000_000;

/// The most that a user operation may cost its account, and the part of it that it costs for certain, in wei. An entry
/// point of version 0.6 counts the gas of the check three times if a paymaster is named.
fn gas_of(fields: &PayloadFields<'_>) -> (U256, U256) {
    let low = U256::from(u128::MAX);
    let halves = |word: U256| [word.wrapping_shr(128), word & low];
    let paymaster = fields.bytes("paymasterAndData");
    let is_packed = fields.has("accountGasLimits");
    let theirs = paymaster.get(20..52).filter(|_| is_packed).and_then(U256::try_from_be_slice).unwrap_or_default();
    let packed = [halves(fields.word("accountGasLimits")), halves(theirs)].into_iter().flatten();
    let word = |name| fields.word(name);
    let check = word("verificationGasLimit").saturating_mul(U256::from(if paymaster.is_empty() { 1 } else { 3 }));
    let [call, their_check, after] =
        ["callGasLimit", "paymasterVerificationGasLimit", "paymasterPostOpGasLimit"].map(word);
    let certain = word("preVerificationGas");
    let unpacked = [check, call, their_check, after].into_iter().fold(certain, U256::saturating_add);
    // If an operation has both forms, it is undefined which one is followed: the larger counts.
    let all = packed.fold(certain, U256::saturating_add).max(unpacked);
    let fee = (word("gasFees") & low).max(word("maxFeePerGas"));
    (all.saturating_mul(fee), certain.saturating_mul(fee))
}

/// Judges what may be paid for gas, and what of it in any case, which counts tenfold; in wei.
pub fn check_gas(
    answer: &mut Answer,
    scope: &Scope<'_>,
    (warning, field): (&Warning, &str),
    (gas, certain): (U256, U256),
) {
    let shown = scope.native(gas);
    answer.fact_value("gasAtMost", &shown);
    if gas.max(certain.saturating_mul(U256::from(10))) > U256::from(MOST_GAS_WEI) {
        answer.find(warning, field, &[shown]);
    }
}

/// A user operation (ERC-4337): in calldata, signed, or sent to a bundler.
pub fn user_operation(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    let (sender, data) = (fields.address("sender"), fields.bytes("callData"));
    scope.say_runs(answer, sender);
    scope.check_owner(answer, &fields.field("sender"), sender);
    check_gas(answer, scope, (GAS_HIGH, &fields.field("preVerificationGas")), gas_of(fields));
    // Without calldata nothing is called but the account's own code.
    if !data.is_empty() {
        let call = Call { to: Some(sender), value: U256::ZERO, data: &data, is_delegate: false };
        nest(answer, scope, Some(sender), &call, true);
    }
    check_helpers(answer, scope, fields, sender);
}

/// Whether this stands in place of a factory for the account's own code (EIP-7702): two bytes, or twenty.
fn is_own_code(head: &[u8]) -> bool {
    head.strip_prefix(&[0x77, 0x02]).is_some_and(|rest| rest.iter().all(|byte| *byte == 0))
}

/// Judges who sets the account of a user operation up, and who pays: each is a member of its own with one for its data,
/// or the first 20 bytes of a packed one.
fn check_helpers(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>, sender: Address) {
    for (path, data) in
        [("factory", "factoryData"), ("initCode", ""), ("paymaster", "paymasterData"), ("paymasterAndData", "")]
    {
        let (whole, apart) = (fields.bytes(path), fields.bytes(data).len());
        let (head, behind) = whole.split_at_checked(20).unwrap_or((&whole, &[]));
        let is_own = is_own_code(head);
        if head.len() == 20 && !is_own {
            scope.check_contract(answer, &fields.field(path), Address::from_slice(head));
        }
        let (field, length) = match apart {
            0 if data.is_empty() => (path, whole.len()),
            0 => (path, 0),
            _ => (data, apart),
        };
        // Without data the account's own code is not called, only named.
        let is_only_named = is_own && behind.is_empty() && apart == 0;
        let is_setup = ["factory", "initCode"].contains(&path) && !whole.is_empty();
        if is_setup && !is_only_named {
            answer.find(USER_OPERATION_INIT, &fields.field(path), &[scope.who(sender)]);
            answer.unread(&fields.field(field), length);
        } else if length > 0 {
            answer.find(USER_OPERATION, &fields.field(field), &[]);
            answer.opaque(&fields.field(field), length);
        }
    }
}

/// `handleOps` of an entry point.
pub fn handle_ops(answer: &mut Answer, scope: &Scope<'_>, fields: &PayloadFields<'_>) {
    scope.say_batch(answer, fields.count("ops"));
    answer.fact("to", &fields.address("beneficiary"));
    for index in 0..at_most(answer, fields, "ops", MAX_INNER) {
        let Some(inside) = scope.inside(answer, None) else { break };
        let mut one = Answer::of(USER_OPERATIONS);
        user_operation(&mut one, &inside, &fields.sub(&PayloadFields::item("ops", index)));
        answer.nest(one, true);
    }
}

/// An account's delegation (EIP-7702): to that code, or to none; chain 0 means every chain. `account` is the one that signed
/// it, if that is known.
pub fn explain_delegation(scope: &Scope<'_>, delegate: Address, chain_id: u64, account: Option<Address>) -> Answer {
    let mut answer = Answer::of(AUTHORIZATION);
    answer.fact_json("chainId", chain_id.text());
    answer.fact("delegate", &delegate);
    (answer.bytes.read, answer.bytes.total) = (52, 52);
    (answer.fields.read, answer.fields.total) = (3, 3);
    let (who, chain) = (scope.who(delegate), scope.chain_of(chain_id));
    scope.look(&mut answer, "address", delegate);
    let other = account.filter(|account| !scope.is_own(*account));
    let is_strange = other.is_some() && scope.has_accounts();
    let find = |answer: &mut Answer, warning, who| {
        if !is_strange {
            answer.find(warning, "address", who);
        }
    };
    if delegate.is_zero() {
        let every = || Kept::new("chain", chain_id.text(), "every chain".into(), "");
        answer.say(DELEGATE_NONE, &[if chain_id == 0 { every() } else { chain }]);
        find(&mut answer, DELEGATION_NONE, &[]);
    } else if chain_id == 0 {
        answer.say(DELEGATE_EVERYWHERE, core::slice::from_ref(&who));
        find(&mut answer, DELEGATION_EVERYWHERE, &[who]);
    } else {
        answer.say(DELEGATE, &[who.clone(), chain.clone()]);
        find(&mut answer, DELEGATION, &[who]);
        if chain_id != scope.context().chain_id {
            answer.find(CHAIN_OTHER, "chainId", &[chain, scope.chain_of(scope.context().chain_id)]);
        }
    }
    if let Some(other) = other {
        answer.say(DELEGATOR, &[scope.who(other)]);
        scope.note_stranger(&mut answer, SENDER_OTHER, "signature", other);
    }
    answer
}

/// An answer about what cannot be read at all, with `subject` in words, and the first finding.
pub fn explain_unreadable(
    scope: &Scope<'_>,
    (kind, subject): (Kind, &'static str),
    (warning, field, reason): (&Warning, &'static str, &'static str),
    bytes: usize,
) -> Answer {
    let mut answer = start_unreadable(scope, (kind, subject), field, bytes);
    answer.find(warning, field, &[Kept::word(reason)]);
    answer
}

/// [`explain_unreadable`] without a finding yet.
pub fn start_unreadable(
    scope: &Scope<'_>,
    (kind, subject): (Kind, &'static str),
    field: &'static str,
    bytes: usize,
) -> Answer {
    let mut answer = Answer::of(kind);
    check_chain(&mut answer, scope, "chainId", scope.chain_id);
    answer.say(UNREAD, &[Kept::word(subject)]);
    (answer.bytes.read, answer.bytes.total) = (bytes, bytes);
    (answer.fields.read, answer.fields.total) = (1, 1);
    answer.unread(field, bytes);
    answer
}

/// Whether an answer is for another chain than the context's, noted.
pub fn check_chain(answer: &mut Answer, scope: &Scope<'_>, field: &str, chain_id: u64) {
    answer.fact_json("chainId", chain_id.text());
    if chain_id != scope.context().chain_id {
        answer.find(CHAIN_OTHER, field, &[scope.chain_of(chain_id), scope.chain_of(scope.context().chain_id)]);
    }
}
