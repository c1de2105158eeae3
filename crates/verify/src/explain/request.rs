//! The shapes in which a wallet is asked: JSON-RPC requests, Snaps' two callbacks, raw transactions.

use super::answer::{Answer, Kept};
use super::calls::explain_call;
use super::message::explain_message;
use super::raw;
use super::said::{Call, Said, word_of};
use super::scope::{Scope, text_value};
use super::typed_data::explain_typed_data;
use super::words::*;
use super::wrapped::{check_chain, explain_delegation, safe_hash, user_operation};
use crate::domain::sentence::part::{Sink, count};
use crate::domain::typed_struct::Value;
use crate::json::{Json, JsonAt};
use alloy_primitives::{Address, B256, U256, keccak256};

/// Explains a request.
pub fn explain_request(scope: &Scope<'_>, call: &Json) -> Answer {
    let root = JsonAt::input(call, "call");
    let mut origin = scope.context().origin.clone();
    let answer = if let Some(raw) = root.get("raw").some() {
        explain_raw(scope, raw.bytes().unwrap_or_default().as_slice())
    } else if let Some(signature) = root.get("signature").some() {
        // Snaps' `onSignature`.
        origin = root.get("signatureOrigin").text().ok().map(String::from).or(origin);
        let method = signature.get("signatureMethod").text().unwrap_or_default();
        let (data, from) = (signature.get("data"), signature.get("from"));
        explain_signature(scope, method, data.json(), from.address().ok())
    } else if let Some(transaction) = root.get("transaction").some() {
        // Snaps' `onTransaction`, with the chain in the form of CAIP-2.
        origin = root.get("transactionOrigin").text().ok().map(String::from).or(origin);
        let chain = root.get("chainId").text().ok().and_then(|text| text.strip_prefix("eip155:"));
        explain_transaction(scope, &transaction, chain.and_then(|id| id.parse().ok()))
    } else {
        explain_method(scope, &root)
    };
    let mut answer = answer;
    if let Some(origin) = origin {
        answer.fact("origin", &text_value("text", &origin).display);
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
    match method {
        "eth_signTypedData" | "eth_signTypedData_v3" | "eth_signTypedData_v4" => {
            explain_signature(scope, method, at(1), address(0))
        }
        // Some applications exchange the two.
        "personal_sign" if address(0).is_some() && address(1).is_none() => {
            explain_signature(scope, method, at(1), address(0))
        }
        "personal_sign" => explain_signature(scope, method, at(0), address(1)),
        "eth_sign" => explain_signature(scope, method, at(1), address(0)),
        "eth_sendTransaction" | "eth_signTransaction" | "wallet_sendTransaction" => {
            explain_transaction(scope, &object, None)
        }
        "eth_sendRawTransaction" | "wallet_sendRawTransaction" => {
            explain_raw(scope, object.bytes().unwrap_or_default().as_slice())
        }
        "wallet_sendCalls" => explain_calls(scope, &object),
        "eth_sendUserOperation" => explain_user_operation(scope, &object),
        _ if method.ends_with("signAuthorization") || method.ends_with("signAuthorizations") => {
            let (delegate, chain) = authorization(&object);
            explain_delegation(scope, delegate, u64::try_from(chain).unwrap_or(u64::MAX))
        }
        _ => {
            let mut answer = Answer::of(REQUEST);
            let shown = text_value("text", method);
            check_chain(&mut answer, scope, "chainId", scope.chain_id);
            answer.say(UNREAD, core::slice::from_ref(&shown));
            answer.find(METHOD_UNKNOWN, "method", &[shown]);
            answer.fields.total = 1;
            answer.opaque("params", 0);
            answer.unread();
            answer
        }
    }
}

/// A request for a signature.
fn explain_signature(scope: &Scope<'_>, method: &str, data: Option<&Json>, from: Option<Address>) -> Answer {
    let inside = Scope { actor: None, ..*scope };
    let mut answer = match (method, data) {
        // The first version has no types: it is signed as a hash of names and values.
        ("eth_signTypedData", Some(Json::Array(_))) | (_, None) => {
            let mut answer = Answer::of(TYPED_DATA);
            check_chain(&mut answer, scope, "chainId", scope.chain_id);
            answer.say(UNREAD, &[text_value("text", method)]);
            answer.find(METHOD_UNKNOWN, "method", &[text_value("text", method)]);
            answer.fields.total = 1;
            answer.opaque("data", 0);
            answer.unread();
            answer
        }
        ("personal_sign" | "eth_sign", Some(data)) => {
            let at = JsonAt::input(data, "data");
            let text = data.as_text().unwrap_or_default();
            let bytes = at.bytes().unwrap_or_else(|_| text.as_bytes().to_vec());
            explain_message(&inside, &bytes, method == "eth_sign")
        }
        (_, Some(data)) => explain_typed_data(&inside, data),
    };
    if let Some(from) = from {
        answer.fact("from", &from);
        if !scope.is_own(from) {
            answer.find(SENDER_OTHER, "from", &[scope.who(from)]);
        }
    }
    answer
}

/// A number as JSON-RPC has it: in hex, or in decimal.
fn number(at: &JsonAt<'_>) -> Option<U256> {
    at.json().map(word_of)
}

/// A transaction in the form of `eth_sendTransaction`.
fn explain_transaction(scope: &Scope<'_>, at: &JsonAt<'_>, chain_id: Option<u64>) -> Answer {
    let stated = number(&at.get("chainId")).map(|id| u64::try_from(id).unwrap_or(u64::MAX));
    let chain_id = chain_id.or(stated).unwrap_or(scope.chain_id);
    let (from, to) = (at.get("from").address().ok(), at.get("to"));
    let inside = Scope { chain_id, actor: from.or_else(|| scope.context().accounts.first().copied()), ..*scope };
    // Wallets take either name; two that differ are read by each in its own way.
    let (input, data) = (at.get("input"), at.get("data"));
    let read = |at: &JsonAt<'_>| at.some().map(|at| at.bytes());
    let bytes = match (read(&input), read(&data)) {
        (Some(Ok(input)), Some(Ok(data))) if input != data => None,
        (Some(Err(_)), _) | (_, Some(Err(_))) => None,
        (Some(Ok(bytes)), _) | (None, Some(Ok(bytes))) => Some(bytes),
        (None, None) => Some(vec![]),
    };
    let address = to.some().map(|at| at.address());
    let (Some(bytes), None | Some(Ok(_))) = (bytes, &address) else {
        let mut answer = Answer::of(TRANSACTION);
        check_chain(&mut answer, &inside, "chainId", chain_id);
        answer.say(UNREAD, &[Kept::new("text", "transaction".into(), "The transaction".into(), "")]);
        let reason =
            Kept::new("text", "data".into(), "to, data or input is no hex, or data and input differ".into(), "");
        answer.find(JSON_REFUSED, "data", &[reason]);
        answer.fields.total = 1;
        answer.opaque("data", 0);
        answer.unread();
        return answer;
    };
    let value = number(&at.get("value")).unwrap_or_default();
    let call = Call { to: address.and_then(Result::ok), value, data: &bytes, is_delegate: false };
    let delegations: Vec<_> =
        at.get("authorizationList").items().into_iter().flatten().map(|one| authorization(&one)).collect();
    explain_sent(&inside, &call, from, &delegations)
}

/// A transaction with its delegations.
fn explain_sent(scope: &Scope<'_>, call: &Call<'_>, from: Option<Address>, delegations: &[(Address, U256)]) -> Answer {
    let mut answer = explain_call(scope, call);
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
    if let Some(from) = from {
        answer.fact("from", &from);
        if !(Scope { actor: None, ..*scope }).is_own(from) {
            answer.find(SENDER_OTHER, "from", &[scope.who(from)]);
        }
    }
    for (delegate, chain_id) in delegations {
        let Some(inside) = scope.inside(&mut answer, None) else { break };
        let chain_id = u64::try_from(*chain_id).unwrap_or(u64::MAX);
        answer.nest(explain_delegation(&inside, *delegate, chain_id), false);
    }
    answer
}

/// `{ address | contractAddress, chainId }` of EIP-7702.
fn authorization(at: &JsonAt<'_>) -> (Address, U256) {
    let address = at.get("address").address().or_else(|_| at.get("contractAddress").address());
    (address.unwrap_or_default(), number(&at.get("chainId")).unwrap_or_default())
}

/// `wallet_sendCalls` (EIP-5792).
fn explain_calls(scope: &Scope<'_>, at: &JsonAt<'_>) -> Answer {
    let mut answer = Answer::of(CALLS);
    let chain_id = number(&at.get("chainId")).map_or(scope.chain_id, |id| u64::try_from(id).unwrap_or(u64::MAX));
    let from = at.get("from").address().ok();
    let inside = Scope { chain_id, actor: from.or_else(|| scope.context().accounts.first().copied()), ..*scope };
    check_chain(&mut answer, &inside, "chainId", chain_id);
    if let Some(from) = from {
        answer.fact("from", &from);
        if !scope.is_own(from) {
            answer.find(SENDER_OTHER, "from", &[scope.who(from)]);
        }
    }
    let calls: Vec<JsonAt<'_>> = at.get("calls").items().map(Iterator::collect).unwrap_or_default();
    let number = count::<Answer>(u64::try_from(calls.len()).unwrap_or(u64::MAX));
    answer.say(BATCH, &[number, inside.chain()]);
    for call in &calls {
        let Some(inner) = inside.inside(&mut answer, None) else { break };
        let one = explain_transaction(&inner, call, Some(chain_id));
        answer.nest(one, false);
    }
    answer
}

/// `eth_sendUserOperation`: the operation as a bundler takes it.
fn explain_user_operation(scope: &Scope<'_>, at: &JsonAt<'_>) -> Answer {
    let mut answer = Answer::of(USER_OPERATIONS);
    check_chain(&mut answer, scope, "chainId", scope.chain_id);
    let Some(json) = at.json() else {
        answer.unread();
        return answer;
    };
    let said = Said::typed(json, Address::ZERO);
    for path in ["callData", "initCode", "paymasterAndData", "factoryData", "paymasterData"] {
        let length = said.bytes(path).len();
        (answer.bytes.read, answer.bytes.total) =
            (answer.bytes.read.saturating_add(length), answer.bytes.total.saturating_add(length));
        let is_some = usize::from(length > 0);
        (answer.fields.read, answer.fields.total) =
            (answer.fields.read.saturating_add(is_some), answer.fields.total.saturating_add(is_some));
    }
    let sender = said.address("sender");
    user_operation(&mut answer, scope, &said);
    if !scope.is_own(sender) {
        answer.find(SENDER_OTHER, "sender", &[scope.who(sender)]);
    }
    answer
}

/// A raw transaction.
fn explain_raw(scope: &Scope<'_>, bytes: &[u8]) -> Answer {
    let Some(raw) = raw::read(bytes) else {
        let mut answer = Answer::of(TRANSACTION);
        check_chain(&mut answer, scope, "chainId", scope.chain_id);
        answer.say(UNREAD, &[Kept::new("text", "raw".into(), "The raw transaction".into(), "")]);
        let reason = Kept::new("text", "raw".into(), "no transaction of type 0, 1, 2 or 4".into(), "");
        answer.find(JSON_REFUSED, "raw", &[reason]);
        answer.bytes.total = bytes.len();
        answer.fields.total = 1;
        answer.opaque("raw", bytes.len());
        answer.unread();
        return answer;
    };
    let chain_id = raw.chain_id.map(|id| u64::try_from(id).unwrap_or(u64::MAX));
    let actor = scope.context().accounts.first().copied();
    let inside = Scope { chain_id: chain_id.unwrap_or(scope.chain_id), actor, ..*scope };
    let call = Call { to: raw.to, value: raw.value, data: raw.data, is_delegate: false };
    let delegations: Vec<_> = raw.delegations.iter().map(|(chain, delegate)| (*delegate, *chain)).collect();
    let mut answer = explain_sent(&inside, &call, None, &delegations);
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
