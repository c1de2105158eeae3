//! The shapes in which a wallet is asked: JSON-RPC requests, Snaps' two callbacks, raw transactions.

use super::answer::Answer;
use super::calls::explain_call;
use super::message::explain_message;
use super::said::{Call, Said, is_rounded, word_of};
use super::scope::{Scope, text_value};
use super::typed_data::explain_typed_data;
use super::words::*;
use super::wrapped::{
    check_chain, check_gas, explain_delegation, explain_unreadable, safe_hash, start_unreadable, user_operation,
};
use super::{permissions, raw};
use crate::domain::typed_struct::Value;
use crate::domain::visible::visible;
use crate::json::{Json, JsonAt};
use crate::value::amount::parse_uint;
use alloy_primitives::{Address, B256, U256, keccak256};

/// Who asks, by a Snap's callback.
pub fn origin(call: &Json) -> Option<&str> {
    let root = JsonAt::input(call, "call");
    let name = |shape, name| root.get(shape).some().map(|_| name);
    let name = name("signature", "signatureOrigin").or_else(|| name("transaction", "transactionOrigin"))?;
    call.get(name)?.as_text()
}

/// Explains a request.
pub fn explain_request(scope: &Scope<'_>, call: &Json) -> Answer {
    let root = JsonAt::input(call, "call");
    let shapes = ["method", "raw", "signature", "transaction"];
    let count = shapes.iter().filter(|name| root.get(name).some().is_some()).count();
    let answer = if count > 1 {
        explain_unreadable(scope, (REQUEST, "The request"), (CALL_DECOY, "call", ""), 0)
    } else if let Some(raw) = root.get("raw").some() {
        explain_raw(scope, raw.bytes().unwrap_or_default().as_slice())
    } else if let Some(signature) = root.get("signature").some() {
        // Snaps' `onSignature`.
        let method = signature.get("signatureMethod").text().unwrap_or_default();
        let (data, from) = (signature.get("data"), signature.get("from"));
        explain_signature(scope, method, data.json(), from.address().ok())
    } else if let Some(transaction) = root.get("transaction").some() {
        // Snaps' `onTransaction`, with the chain in the form of CAIP-2.
        match read(&root.get("chainId"), caip2_chain) {
            Some(chain_id) => explain_transaction(scope, &transaction, chain_id),
            None => unreadable(scope, TRANSACTION, "The transaction", "chainId"),
        }
    } else {
        explain_method(scope, &root)
    };
    let mut answer = answer;
    if let Some(origin) = &scope.context().origin {
        answer.fact("origin", &visible(origin));
    }
    answer
}

fn explain_method(scope: &Scope<'_>, root: &JsonAt<'_>) -> Answer {
    let method = root.get("method").text().unwrap_or_default();
    let params = root.get("params");
    let list: Vec<JsonAt<'_>> = params.items().map(Iterator::collect).unwrap_or_default();
    let at = |index: usize| list.get(index).and_then(JsonAt::json);
    let address = |index: usize| list.get(index).and_then(|at| at.address().ok());
    let object = list.first().copied().unwrap_or(params);
    // Where the account stands, if it stands in one place only.
    let (is_first, is_second) = (address(0).is_some(), address(1).is_some());
    let (is_ahead, is_behind) = (is_first && !is_second, is_second && !is_first);
    match method {
        // Some applications exchange the two, and the first version of typed data has them the other way round.
        "eth_signTypedData" | "eth_signTypedData_v3" | "eth_signTypedData_v4" | "eth_sign" if !is_behind => {
            explain_signature(scope, method, at(1), address(0))
        }
        "personal_sign" if is_ahead => explain_signature(scope, method, at(1), address(0)),
        "eth_signTypedData" | "eth_signTypedData_v3" | "eth_signTypedData_v4" | "eth_sign" | "personal_sign" => {
            explain_signature(scope, method, at(0), address(1))
        }
        "eth_sendTransaction" | "eth_signTransaction" | "wallet_sendTransaction" => {
            explain_transaction(scope, &object, None)
        }
        "eth_sendRawTransaction" | "wallet_sendRawTransaction" => {
            explain_raw(scope, object.bytes().unwrap_or_default().as_slice())
        }
        "wallet_sendCalls" => explain_calls(scope, &object),
        "eth_sendUserOperation" => explain_user_operation(scope, &object, address(1)),
        _ if method.ends_with("signAuthorization") || method.ends_with("signAuthorizations") => {
            explain_authorizations(scope, if list.is_empty() { vec![object] } else { list })
        }
        "wallet_grantPermissions" | "wallet_requestExecutionPermissions" => {
            permissions::explain_permissions(scope, &list)
        }
        "wallet_addEthereumChain" => permissions::explain_chain(scope, &object),
        "wallet_watchAsset" => permissions::explain_token(scope, &object),
        _ => {
            let mut answer = start_unreadable(scope, (REQUEST, "The request"), "params", 0);
            answer.find(METHOD_UNKNOWN, "method", &[text_value("text", method)]);
            answer
        }
    }
}

/// An answer about a request whose member at `field` is not of its form.
fn unreadable(scope: &Scope<'_>, kind: Kind, subject: &'static str, field: &'static str) -> Answer {
    explain_unreadable(scope, (kind, subject), (JSON_REFUSED, field, "a member is missing, or not of its form"), 0)
}

/// A request for a signature.
fn explain_signature(scope: &Scope<'_>, method: &str, data: Option<&Json>, from: Option<Address>) -> Answer {
    let inside = Scope { actor: None, ..*scope };
    let text = data.and_then(Json::as_text);
    let mut answer = match (method, data) {
        // The first version has no types: it is signed as a hash of names and values.
        ("eth_signTypedData", Some(Json::Array(_))) => {
            let mut answer = start_unreadable(scope, (TYPED_DATA, "The data"), "data", 0);
            answer.find(METHOD_UNKNOWN, "method", &[text_value("text", method)]);
            answer
        }
        ("personal_sign" | "eth_sign", data) => match (text, data) {
            (Some(text), Some(data)) => {
                let bytes = JsonAt::input(data, "data").bytes().unwrap_or_else(|_| text.as_bytes().to_vec());
                explain_message(&inside, &bytes, method == "eth_sign")
            }
            _ => unreadable(scope, MESSAGE, "The message", "data"),
        },
        (_, Some(data)) => explain_typed_data(&inside, data),
        _ => unreadable(scope, TYPED_DATA, "The data", "data"),
    };
    scope.check_sender(&mut answer, from);
    answer
}

/// Delegations: one of them is what is asked, several are a batch.
fn explain_authorizations(scope: &Scope<'_>, mut list: Vec<JsonAt<'_>>) -> Answer {
    // `[[{ .. }, { .. }]]`, too.
    if let [one] = &list[..]
        && let Ok(inner) = one.items()
    {
        list = inner.collect();
    }
    let read: Option<Vec<_>> = list.iter().map(authorization).collect();
    match read.as_deref() {
        Some([(delegate, chain_id)]) => explain_delegation(scope, *delegate, *chain_id),
        Some(all) if !all.is_empty() => {
            let mut answer = Answer::of(AUTHORIZATION);
            check_chain(&mut answer, scope, "chainId", scope.chain_id);
            scope.say_batch(&mut answer, all.len());
            for (delegate, chain_id) in all {
                match scope.inside(&mut answer, None) {
                    Some(inside) => answer.nest(explain_delegation(&inside, *delegate, *chain_id), false),
                    None => answer.unread("params", 0),
                }
            }
            answer
        }
        _ => unreadable(scope, AUTHORIZATION, "The delegation", "params"),
    }
}

/// A member that may be absent: `None` if it is there in another form.
fn read<T>(at: &JsonAt<'_>, form: impl FnOnce(&JsonAt<'_>) -> Option<T>) -> Option<Option<T>> {
    match at.some() {
        Some(at) => form(&at).map(Some),
        None => Some(None),
    }
}

/// A number as JSON-RPC has it: in hex, or in decimal.
fn number(at: &JsonAt<'_>) -> Option<U256> {
    at.json().filter(|json| !matches!(json, Json::Bool(_))).and_then(word_of)
}

/// A chain's id; beyond 64 bits there is none.
fn chain(at: &JsonAt<'_>) -> Option<u64> {
    number(at).map(|id| u64::try_from(id).unwrap_or(u64::MAX))
}

/// A chain's id in the form of CAIP-2, `eip155:1`: decimal, as the form has it.
fn caip2_chain(at: &JsonAt<'_>) -> Option<u64> {
    u64::try_from(parse_uint(at.text().ok()?.strip_prefix("eip155:")?).ok()?).ok()
}

/// The members of a transaction that are read, or say nothing but gas and order.
const TRANSACTION_MEMBERS: [&str; 15] = [
    "chainId",
    "from",
    "to",
    "value",
    "data",
    "input",
    "authorizationList",
    "gas",
    "gasLimit",
    "gasPrice",
    "maxFeePerGas",
    "maxPriorityFeePerGas",
    "nonce",
    "type",
    "accessList",
];

/// A transaction's members, each in its form.
struct Sent {
    chain_id: Option<u64>,
    from: Option<Address>,
    to: Option<Address>,
    value: U256,
    data: Vec<u8>,
    delegations: Vec<(Address, u64)>,
    /// What its gas may cost, in wei, if both its amount and its price are stated.
    gas: Option<U256>,
}

/// Reads the form of `eth_sendTransaction`; `None` if a member that counts is not of its form.
fn read_transaction(at: &JsonAt<'_>) -> Option<Sent> {
    at.json().filter(|json| matches!(json, Json::Object(_)))?;
    // Wallets take either name; two that differ are read by each in its own way.
    let bytes = |name| read(&at.get(name), |at| at.bytes().ok());
    let (input, data) = (bytes("input")?, bytes("data")?);
    if input.is_some() && data.is_some() && input != data {
        return None;
    }
    let address = |name| read(&at.get(name), |at| at.address().ok());
    // Of two names for the same, programs read one or the other.
    let most = |names: [&str; 2]| {
        let [one, other] = names.map(|name| read(&at.get(name), number));
        Some(one?.max(other?))
    };
    let (gas, price) = (most(["gas", "gasLimit"])?, most(["gasPrice", "maxFeePerGas"])?);
    let mut delegations = Vec::new();
    if let Some(list) = at.get("authorizationList").some() {
        for one in list.items().ok()? {
            delegations.push(authorization(&one)?);
        }
    }
    Some(Sent {
        chain_id: read(&at.get("chainId"), chain)?,
        from: address("from")?,
        to: address("to")?,
        value: read(&at.get("value"), number)?.unwrap_or_default(),
        data: data.or(input).unwrap_or_default(),
        delegations,
        gas: gas.zip(price).map(|(gas, price)| gas.saturating_mul(price)),
    })
}

/// A transaction in the form of `eth_sendTransaction`.
fn explain_transaction(scope: &Scope<'_>, at: &JsonAt<'_>, chain_id: Option<u64>) -> Answer {
    let Some(sent) = read_transaction(at) else {
        return unreadable(scope, TRANSACTION, "The transaction", "transaction");
    };
    let chain_id = chain_id.or(sent.chain_id).unwrap_or(scope.chain_id);
    let actor = sent.from.or(scope.actor).or_else(|| scope.context().accounts.first().copied());
    let inside = Scope { chain_id, actor, ..*scope };
    let call = Call { to: sent.to, value: sent.value, data: &sent.data, is_delegate: false };
    let mut answer = explain_sent(&inside, &call, sent.from, &sent.delegations, sent.gas);
    note_members(&mut answer, at, &TRANSACTION_MEMBERS);
    note_forms(&mut answer, at, &["chainId", "value"]);
    if sent.chain_id.is_some_and(|stated| stated != chain_id) {
        let stated = sent.chain_id.unwrap_or_default();
        answer.find(CHAIN_OTHER, "transaction.chainId", &[inside.chain_of(stated), inside.chain_of(chain_id)]);
    }
    answer
}

/// A transaction with its delegations; `gas` is what it may cost, in wei.
fn explain_sent(
    scope: &Scope<'_>,
    call: &Call<'_>,
    from: Option<Address>,
    delegations: &[(Address, u64)],
    gas: Option<U256>,
) -> Answer {
    // To send nothing to oneself is to bring the delegations along.
    let is_bare = call.data.is_empty() && call.value.is_zero() && call.to.is_some_and(|to| scope.actor == Some(to));
    let mut answer = match delegations {
        [_, ..] if is_bare => {
            let mut answer = Answer::of(AUTHORIZATION);
            check_chain(&mut answer, scope, "chainId", scope.chain_id);
            answer
        }
        _ => explain_call(scope, call),
    };
    if !call.data.is_empty() {
        answer.digest("calldata", calldata_digest(call.data));
    }
    let context = scope.context();
    if let Some(safe) = context.safe.as_ref().filter(|safe| from == Some(safe.address)) {
        let hash = safe_hash(safe, scope.chain_id, &|name| {
            Some(match name {
                "to" => call.to?.into(),
                "value" => call.value.into(),
                "data" => Value::Bytes(call.data.to_vec()),
                "gasToken" | "refundReceiver" => Address::ZERO.into(),
                _ => return None,
            })
        });
        if let Some(hash) = hash {
            answer.digest("safeTxHash", hash);
        }
    }
    scope.check_sender(&mut answer, from);
    if let Some(gas) = gas {
        check_gas(&mut answer, scope, (GAS_PRICE_HIGH, "gas"), (gas, U256::ZERO));
    }
    for (delegate, chain_id) in delegations {
        let Some(inside) = scope.inside(&mut answer, None) else {
            answer.unread("authorizationList", 0);
            break;
        };
        answer.nest(explain_delegation(&inside, *delegate, *chain_id), false);
    }
    answer
}

/// `{ address | contractAddress, chainId }` of EIP-7702. Without a chain it is for every chain: what nobody says is not
/// taken for less.
fn authorization(at: &JsonAt<'_>) -> Option<(Address, u64)> {
    let (one, other) = (at.get("address"), at.get("contractAddress"));
    // Libraries take either name; two that differ are read by each in its own way.
    if one.some().is_some() && other.some().is_some() && one.address().ok() != other.address().ok() {
        return None;
    }
    let address = one.address().or_else(|_| other.address());
    Some((address.ok()?, read(&at.get("chainId"), chain)?.unwrap_or_default()))
}

/// `wallet_sendCalls` (EIP-5792).
fn explain_calls(scope: &Scope<'_>, at: &JsonAt<'_>) -> Answer {
    let parts =
        (read(&at.get("chainId"), chain), read(&at.get("from"), |at| at.address().ok()), at.get("calls").items());
    let (Some(chain_id), Some(from), Ok(calls)) = parts else {
        return unreadable(scope, CALLS, "The batch", "calls");
    };
    let mut answer = Answer::of(CALLS);
    let chain_id = chain_id.unwrap_or(scope.chain_id);
    let inside = Scope { chain_id, actor: from.or_else(|| scope.context().accounts.first().copied()), ..*scope };
    check_chain(&mut answer, &inside, "chainId", chain_id);
    scope.check_sender(&mut answer, from);
    note_forms(&mut answer, at, &["chainId"]);
    note_members(&mut answer, at, &["version", "id", "from", "chainId", "calls", "atomicRequired"]);
    let calls: Vec<JsonAt<'_>> = calls.collect();
    inside.say_batch(&mut answer, calls.len());
    for call in &calls {
        let Some(inner) = inside.inside(&mut answer, None) else {
            answer.unread("calls", 0);
            break;
        };
        let one = explain_transaction(&inner, call, Some(chain_id));
        answer.nest(one, false);
        // A call of a batch has no sender of its own.
        if call.get("from").some().is_some() {
            answer.find(MEMBER_UNREAD, "calls.from", &[text_value("text", "calls.from")]);
            answer.unread("calls.from", 0);
        }
    }
    answer
}

/// `eth_sendUserOperation`: the operation as a bundler takes it.
fn explain_user_operation(scope: &Scope<'_>, at: &JsonAt<'_>, entry_point: Option<Address>) -> Answer {
    let mut answer = Answer::of(USER_OPERATIONS);
    check_chain(&mut answer, scope, "chainId", scope.chain_id);
    let bytes = ["callData", "initCode", "paymasterAndData", "factoryData", "paymasterData"];
    let is_read = at.get("sender").address().is_ok()
        && at.get("callData").bytes().is_ok()
        && bytes
            .iter()
            .chain(&["factory", "paymaster"])
            .all(|name| read(&at.get(name), |at| at.bytes().ok()).is_some())
        && USER_OPERATION_MEMBERS.iter().all(|name| !name.contains("Gas") || read(&at.get(name), number).is_some());
    let Some(json) = at.json().filter(|_| is_read) else {
        return unreadable(scope, USER_OPERATIONS, "The user operation", "params");
    };
    let said = Said::typed(json, Address::ZERO);
    for path in bytes {
        let length = said.bytes(path).len();
        (answer.bytes.read, answer.bytes.total) =
            (answer.bytes.read.saturating_add(length), answer.bytes.total.saturating_add(length));
        let is_some = usize::from(length > 0);
        (answer.fields.read, answer.fields.total) =
            (answer.fields.read.saturating_add(is_some), answer.fields.total.saturating_add(is_some));
    }
    user_operation(&mut answer, scope, &said);
    note_members(&mut answer, at, &USER_OPERATION_MEMBERS);
    if let Some(entry_point) = entry_point {
        scope.check_contract(&mut answer, "params.1", entry_point);
    }
    for name in ["eip7702Auth", "authorization"] {
        let Some(stated) = at.get(name).some() else { continue };
        match (authorization(&stated), scope.inside(&mut answer, None)) {
            (Some((delegate, chain_id)), Some(inside)) => {
                answer.nest(explain_delegation(&inside, delegate, chain_id), false);
            }
            _ => answer.unread(name, 0),
        }
    }
    answer
}

/// The members of a user operation that are read.
const USER_OPERATION_MEMBERS: [&str; 19] = [
    "sender",
    "nonce",
    "callData",
    "initCode",
    "factory",
    "factoryData",
    "paymaster",
    "paymasterData",
    "paymasterAndData",
    "paymasterVerificationGasLimit",
    "paymasterPostOpGasLimit",
    "callGasLimit",
    "verificationGasLimit",
    "preVerificationGas",
    "maxFeePerGas",
    "maxPriorityFeePerGas",
    "signature",
    "eip7702Auth",
    "authorization",
];

/// Notes numbers that are not in hex. Digits in quotes are read as hex by some; an amount without quotes is taken by some,
/// and refused by others.
fn note_forms(answer: &mut Answer, at: &JsonAt<'_>, names: &[&str]) {
    for name in names {
        let is_odd = match at.get(name).json() {
            Some(Json::Number(text)) => *name == "value" && text != "0",
            Some(json) => json.as_text().is_some_and(|text| !text.starts_with("0x") && text != "0"),
            None => false,
        };
        if is_odd {
            answer.find(NUMBER_FORM, name, &[text_value("text", name)]);
        }
    }
}

/// Notes members that are asked for and not read, so that none vanishes, and numbers that programs round.
fn note_members(answer: &mut Answer, at: &JsonAt<'_>, known: &[&str]) {
    for name in at.names().filter(|name| at.get(name).json().is_some_and(is_rounded)).take(16) {
        answer.find(NUMBER_ROUNDED, name, &[text_value("text", name)]);
    }
    for name in at.names().filter(|name| !known.contains(name)).take(16) {
        answer.find(MEMBER_UNREAD, name, &[text_value("text", name)]);
        answer.opaque(name, 0);
    }
}

/// A raw transaction.
fn explain_raw(scope: &Scope<'_>, bytes: &[u8]) -> Answer {
    let Some(raw) = raw::read(bytes) else {
        let what = (JSON_REFUSED, "raw", "no transaction of type 0, 1, 2 or 4");
        return explain_unreadable(scope, (TRANSACTION, "The raw transaction"), what, bytes.len());
    };
    let chain_id = raw.chain_id.map(|id| u64::try_from(id).unwrap_or(u64::MAX));
    let actor = scope.context().accounts.first().copied();
    let inside = Scope { chain_id: chain_id.unwrap_or(scope.chain_id), actor, ..*scope };
    let call = Call { to: raw.to, value: raw.value, data: raw.data, is_delegate: false };
    let delegations: Vec<_> = raw
        .delegations
        .iter()
        .map(|(chain, delegate)| (*delegate, u64::try_from(*chain).unwrap_or(u64::MAX)))
        .collect();
    let mut answer = explain_sent(&inside, &call, None, &delegations, Some(raw.gas));
    if chain_id.is_none() {
        answer.find(DOMAIN_CHAINLESS, "chainId", &[]);
    }
    answer
}

/// The calldata digest of the draft ERC-8213: `keccak256(uint256(length) ‖ calldata)`. It does not cover contract, value or
/// chain, so it is never the transaction's.
pub fn calldata_digest(data: &[u8]) -> B256 {
    let length = U256::from(data.len()).to_be_bytes::<32>();
    keccak256([&length[..], data].concat())
}
