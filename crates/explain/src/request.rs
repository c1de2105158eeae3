//! The shapes in which a wallet is asked: JSON-RPC requests, Snaps' two callbacks, raw transactions.

use super::answer::{Answer, Kept};
use super::calls::explain_call;
use super::message::{explain_message, read_message};
use super::payload_fields::{Call, PayloadFields};
use super::scope::{Scope, text_value};
use super::typed_data::{explain_refused, explain_typed_data};
use super::words::*;
use super::wrapped::{
    check_chain, explain_delegation, explain_unreadable, note_parts, safe_hash, start_unreadable, user_operation,
};
use super::{permissions, raw};
use alloy_primitives::{Address, B256, U256, hex, keccak256};
use verify::internal::domain::gas;
use verify::internal::domain::paymaster::Paymaster;
use verify::internal::domain::sent_members::{Form, Members, SENT, SENT_CALLS, SENT_OPERATION, quantity, written};
use verify::internal::domain::sentence::part::{GAS_PAID, Sink};
use verify::internal::domain::typed_struct::Value;
use verify::internal::json::{Json, JsonAt, ascii, parse, quoted};
use verify::internal::value::amount::parse_uint;
use verify::internal::value::text::ToText;
use verify::internal::value::visible::visible;

/// The origin of a request, as a Snap's callback names it.
pub fn origin(call: &Json) -> Option<&str> {
    let root = JsonAt::input(call, "call");
    let name = |shape, name| root.get(shape).some().map(|_| name);
    let name = name("signature", "signatureOrigin").or_else(|| name("transaction", "transactionOrigin"))?;
    call.get(name)?.as_text()
}

/// Explains a request.
pub fn explain_request(scope: &Scope<'_>, call: &Json) -> Answer {
    let root = JsonAt::input(call, "call");
    let shapes = ["method", "raw", "signature", "transaction", "kind"];
    let count = shapes.iter().filter(|name| root.get(name).some().is_some()).count();
    let answer = if count > 1 {
        explain_unreadable(scope, (REQUEST, "The request"), (CALL_DECOY, "call", ""), 0)
    } else if let Some(raw) = root.get("raw").some() {
        explain_raw(scope, raw.bytes().unwrap_or_default().as_slice())
    } else if let Some(signature) = root.get("signature").some() {
        // The form of `onSignature` of Snaps.
        let method = signature.get("signatureMethod").text().unwrap_or_default();
        explain_signature(scope, method, signature.get("data").json(), signature.get("from").some())
    } else if let Some(transaction) = root.get("transaction").some() {
        // Snaps' `onTransaction`, with the chain in the form of CAIP-2.
        match read(&root.get("chainId"), caip2_chain) {
            Some(chain_id) => explain_transaction(scope, &transaction, chain_id),
            None => unreadable(scope, TRANSACTION, "The transaction", "chainId"),
        }
    } else if let Some(kind) = root.get("kind").some() {
        // The bytes that a wallet holds after its own reading.
        match (kind.text(), root.get("bytes").bytes(), read(&root.get("account"), |at| at.address().ok())) {
            (Ok("message"), Ok(bytes), Some(account)) => explain_bytes(scope, "personal_sign", &bytes, account),
            _ => unreadable(scope, MESSAGE, "The message", "bytes"),
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
    let at = |index: usize| list.get(index).copied();
    let object = list.first().copied().unwrap_or(params);
    // Where the account stands, if it stands in one place only.
    let address = |index: usize| at(index).and_then(|at| at.address().ok());
    let [is_first, is_second] = [0, 1].map(|index| address(index).is_some());
    let (is_ahead, is_behind) = (is_first && !is_second, is_second && !is_first);
    let mut count = 1;
    let mut answer = match method {
        "eth_signTypedData" | "eth_signTypedData_v3" | "eth_signTypedData_v4" | "eth_sign" | "personal_sign" => {
            count = 2;
            // Some applications exchange the two, and the first version of typed data has them the other way round.
            let is_message = method == "personal_sign";
            let is_exchanged = if is_message { is_ahead } else { !is_behind };
            let (data, from) = if is_exchanged { (1, 0) } else { (0, 1) };
            let mut answer = explain_signature(scope, method, at(data).and_then(|at| at.json()), at(from));
            // A message of 20 bytes looks like an account, and is taken for one if it is the user's.
            let is_own = address(0).is_some_and(|first| scope.context().accounts.contains(&first));
            note_message_form(&mut answer, is_message && !is_behind && (is_own || !is_second));
            answer
        }
        "eth_sendTransaction" | "eth_signTransaction" | "wallet_sendTransaction" => {
            forwarded(explain_transaction(scope, &object, None), method, written(&object, SENT))
        }
        "eth_sendRawTransaction" | "wallet_sendRawTransaction" => {
            let bytes = object.bytes().ok();
            let answer = explain_raw(scope, bytes.as_deref().unwrap_or_default());
            forwarded(answer, method, Form::Bytes.written(&object))
        }
        "wallet_sendCalls" => forwarded(explain_calls(scope, &object), method, written(&object, SENT_CALLS)),
        "eth_sendUserOperation" => {
            count = 2;
            let entry_point = address(1);
            let mut answer = explain_user_operation(scope, &object, entry_point);
            if let Some((operation, entry_point)) = written(&object, SENT_OPERATION).zip(entry_point) {
                answer.forward(method, &[operation, quoted(&entry_point.text())]);
            }
            answer
        }
        _ if method.ends_with("signAuthorization") || method.ends_with("signAuthorizations") => {
            count = usize::MAX;
            let given = if list.is_empty() { vec![object] } else { list.clone() };
            as_given(explain_authorizations(scope, given), method, &list)
        }
        "wallet_grantPermissions" | "wallet_requestExecutionPermissions" => {
            count = usize::MAX;
            as_given(permissions::explain_permissions(scope, &list), method, &list)
        }
        "wallet_addEthereumChain" => as_given(permissions::explain_chain(scope, &object), method, &list),
        "wallet_watchAsset" => as_given(permissions::explain_token(scope, &object), method, &list),
        _ => {
            count = usize::MAX;
            let mut answer = start_unreadable(scope, (REQUEST, "The request"), "params", 0);
            answer.find(METHOD_UNKNOWN, "method", &[text_value("text", method)]);
            answer
        }
    };
    for (index, _) in list.iter().enumerate().skip(count).filter(|(_, more)| more.some().is_some()).take(16) {
        let field = ["params.", &index.text()].concat();
        answer.find(MEMBER_UNREAD, &field, &[text_value("text", &field)]);
        answer.unread(&field, 0);
    }
    answer
}

/// An answer with the call that was read, if the form of its parameter was.
fn forwarded(mut answer: Answer, method: &str, read: Option<String>) -> Answer {
    if let Some(read) = read {
        answer.forward(method, &[read]);
    }
    answer
}

/// An answer with the call as it was given, if each parameter is of one form.
fn as_given(mut answer: Answer, method: &str, list: &[JsonAt<'_>]) -> Answer {
    let given: Option<Vec<_>> = list.iter().map(|at| Form::Any.written(at)).collect();
    if let Some(given) = given.filter(|given| !given.is_empty()) {
        answer.forward(method, &given);
    }
    answer
}

/// Notes that programs read a message in different ways.
fn note_message_form(answer: &mut Answer, is_ambiguous: bool) {
    if is_ambiguous {
        answer.find(MESSAGE_FORM, "message", &[]);
    }
}

/// An answer about a request whose member at `field` is not of its form.
fn unreadable(scope: &Scope<'_>, kind: Kind, subject: &'static str, field: &'static str) -> Answer {
    explain_unreadable(scope, (kind, subject), (JSON_REFUSED, field, "a member is missing, or not of its form"), 0)
}

/// A request for a signature.
fn explain_signature(scope: &Scope<'_>, method: &str, data: Option<&Json>, from: Option<JsonAt<'_>>) -> Answer {
    let inside = Scope { actor: None, ..*scope };
    let account = from.and_then(|from| from.address().ok());
    let text = data.and_then(Json::as_text);
    let mut answer = match (method, data) {
        // The first version has no types: it is signed as a hash of names and values.
        ("eth_signTypedData", Some(Json::Array(_))) => {
            let mut answer = start_unreadable(scope, (TYPED_DATA, "The data"), "data", 0);
            answer.find(METHOD_UNKNOWN, "method", &[text_value("text", method)]);
            answer
        }
        ("personal_sign" | "eth_sign", _) => {
            let Some(text) = text else { return unreadable(scope, MESSAGE, "The message", "data") };
            let (bytes, is_plain) = read_message(text);
            let mut answer = explain_bytes(scope, method, &bytes, account);
            // MetaMask takes `0X`, too.
            note_message_form(&mut answer, !is_plain || from.is_some() && account.is_none());
            return answer;
        }
        (_, Some(data)) => match text.map(parse) {
            Some(Err(why)) => explain_refused(&inside, why.reason, text.map_or(0, str::len)),
            parsed => {
                let parsed = parsed.and_then(Result::ok);
                let data = parsed.as_ref().unwrap_or(data);
                let mut answer = explain_typed_data(&inside, data);
                if let Some(account) = account.filter(|_| answer.digest_named("eip712").is_some()) {
                    answer.forward(method, &[quoted(&account.text()), quoted(&ascii(&exact(data).write()))]);
                }
                answer
            }
        },
        _ => unreadable(scope, TYPED_DATA, "The data", "data"),
    };
    scope.check_sender(&mut answer, account);
    answer
}

/// A value with each number that some programs round in quotes, as all of them read it.
fn exact(json: &Json) -> Json {
    match json {
        Json::Number(text) if json.is_rounded() => Json::String(text.clone()),
        Json::Array(items) => Json::Array(items.iter().map(exact).collect()),
        Json::Object(all) => Json::Object(all.iter().map(|(name, value)| (name.clone(), exact(value))).collect()),
        other => other.clone(),
    }
}

/// Bytes that an account is to sign as a message.
fn explain_bytes(scope: &Scope<'_>, method: &str, bytes: &[u8], account: Option<Address>) -> Answer {
    let is_bare = method == "eth_sign";
    let mut answer = explain_message(&Scope { actor: None, ..*scope }, bytes, is_bare);
    // An empty message has no form that all wallets read: `0x` is a text to MetaMask, and it refuses an empty one.
    if let Some(account) = account.filter(|_| !bytes.is_empty()) {
        let mut params = [quoted(&hex::encode_prefixed(bytes)), quoted(&account.text())];
        if is_bare {
            params.reverse();
        }
        answer.forward(method, &params);
    }
    scope.check_sender(&mut answer, account);
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
        Some([(delegate, chain_id)]) => explain_delegation(scope, *delegate, *chain_id, None),
        Some(all) if !all.is_empty() => {
            let mut answer = Answer::of(AUTHORIZATION);
            check_chain(&mut answer, scope, "chainId", scope.chain_id);
            scope.say_batch(&mut answer, all.len());
            for (delegate, chain_id) in all {
                match scope.inside(&mut answer, None) {
                    Some(inside) => answer.nest(explain_delegation(&inside, *delegate, *chain_id, None), false),
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

/// A number as JSON-RPC has it, or in decimal.
fn number(at: &JsonAt<'_>) -> Option<U256> {
    at.json().and_then(quantity)
}

/// A chain's id; beyond 64 bits there is none.
fn chain(at: &JsonAt<'_>) -> Option<u64> {
    number(at).map(|id| u64::try_from(id).unwrap_or(u64::MAX))
}

/// A chain's id in the form of CAIP-2, `eip155:1`: decimal, as the form has it.
fn caip2_chain(at: &JsonAt<'_>) -> Option<u64> {
    u64::try_from(parse_uint(at.text().ok()?.strip_prefix("eip155:")?).ok()?).ok()
}

/// A delegation of a transaction: the code, the chain, and the account that signed it, if that is known.
type Delegation = (Address, u64, Option<Address>);

/// A transaction's members, each in its form.
struct Sent {
    chain_id: Option<u64>,
    from: Option<Address>,
    to: Option<Address>,
    value: U256,
    data: Vec<u8>,
    delegations: Vec<Delegation>,
    /// The highest cost of its gas, in wei, if its price is stated.
    gas: Option<U256>,
}

/// Reads the form of `eth_sendTransaction`; `None` if a member that counts is not of its form.
fn read_transaction(at: &JsonAt<'_>) -> Option<Sent> {
    // Each member in its form.
    written(at, SENT)?;
    let bytes = |name| read(&at.get(name), |at| at.bytes().ok());
    let data = bytes("data")?.or(bytes("input")?).unwrap_or_default();
    let address = |name| read(&at.get(name), |at| at.address().ok());
    let mut delegations = Vec::new();
    if let Some(list) = at.get("authorizationList").some() {
        for one in list.items().ok()? {
            let (delegate, chain_id) = authorization(&one)?;
            delegations.push((delegate, chain_id, None));
        }
    }
    Some(Sent {
        chain_id: read(&at.get("chainId"), chain)?,
        from: address("from")?,
        to: address("to")?,
        value: read(&at.get("value"), number)?.unwrap_or_default(),
        gas: gas::cost(at, &data),
        data,
        delegations,
    })
}

/// A transaction in the form of `eth_sendTransaction`.
fn explain_transaction(scope: &Scope<'_>, at: &JsonAt<'_>, chain_id: Option<u64>) -> Answer {
    let Some(sent) = read_transaction(at) else {
        let mut answer = unreadable(scope, TRANSACTION, "The transaction", "transaction");
        note_numbers(&mut answer, at, SENT);
        return answer;
    };
    let chain_id = chain_id.or(sent.chain_id).unwrap_or(scope.chain_id);
    let actor = sent.from.or(scope.actor).or_else(|| scope.context().accounts.first().copied());
    let inside = Scope { chain_id, actor, ..*scope };
    let call = Call { to: sent.to, value: sent.value, data: &sent.data, is_delegate: false };
    let mut answer = explain_sent(&inside, &call, sent.from, &sent.delegations, sent.gas);
    note_members(&mut answer, at, SENT, "authorizationList");
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
    delegations: &[Delegation],
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
        let shown = scope.native(gas);
        answer.fact_value("gasAtMost", &shown);
        // A payment gives no room for gas: nothing comes in return.
        let given = if answer.is_trade() { call.value } else { U256::ZERO };
        if gas > gas::plausible(scope.chain_id, given.max(answer.given_wei)) {
            answer.find(GAS_PRICE_HIGH, "gas", &[shown]);
        }
    }
    for (delegate, chain_id, account) in delegations {
        let Some(inside) = scope.inside(&mut answer, None) else {
            answer.unread("authorizationList", 0);
            break;
        };
        answer.nest(explain_delegation(&inside, *delegate, *chain_id, *account), false);
    }
    answer
}

/// `{ address | contractAddress, chainId }` of EIP-7702. Without a chain id it is valid on every chain, the worst case.
fn authorization(at: &JsonAt<'_>) -> Option<(Address, u64)> {
    let (one, other) = (at.get("address"), at.get("contractAddress"));
    // Libraries take either name; two that differ are read by each in its own way.
    if one.some().is_some() && other.some().is_some() && one.address().ok() != other.address().ok() {
        return None;
    }
    let address = one.address().or_else(|_| other.address());
    Some((address.ok()?, read(&at.get("chainId"), chain)?.unwrap_or_default()))
}

/// Explains `wallet_sendCalls` (EIP-5792).
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
    let capabilities = at.get("capabilities");
    let paymaster = Paymaster::of_capabilities(&capabilities);
    note_members(&mut answer, at, SENT_CALLS, paymaster.as_ref().map_or("", |_| "capabilities"));
    let calls: Vec<JsonAt<'_>> = calls.collect();
    inside.say_batch(&mut answer, calls.len());
    let is_whole = matches!(at.get("atomicRequired").json(), Some(Json::Bool(true)));
    note_parts(&mut answer, "atomicRequired", !is_whole && calls.len() > 1);
    if let Some(paymaster) = paymaster {
        answer.say(GAS_PAID, &[Kept::word(&paymaster.host)]);
        answer.fact("gasPaidBy", &paymaster.host);
        if capabilities.get("paymasterService").get("context").some().is_some() {
            answer.opaque("capabilities.paymasterService.context", 0);
        }
    }
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
    let is_read = ["sender", "callData"].iter().all(|name| at.get(name).some().is_some())
        && written(at, SENT_OPERATION).is_some();
    let Some(json) = at.json().filter(|_| is_read) else {
        return unreadable(scope, USER_OPERATIONS, "The user operation", "params");
    };
    let mut fields = PayloadFields::typed(json, Address::ZERO);
    fields.root = "";
    for path in bytes {
        let length = fields.bytes(path).len();
        (answer.bytes.read, answer.bytes.total) =
            (answer.bytes.read.saturating_add(length), answer.bytes.total.saturating_add(length));
        let is_some = usize::from(length > 0);
        (answer.fields.read, answer.fields.total) =
            (answer.fields.read.saturating_add(is_some), answer.fields.total.saturating_add(is_some));
    }
    user_operation(&mut answer, scope, &fields);
    note_members(&mut answer, at, SENT_OPERATION, "");
    match entry_point {
        Some(entry_point) => scope.check_contract(&mut answer, "params.1", entry_point),
        None => answer.find(ENTRY_POINT_UNKNOWN, "params.1", &[]),
    }
    for name in ["eip7702Auth", "authorization"] {
        let Some(stated) = at.get(name).some() else { continue };
        match (authorization(&stated), scope.inside(&mut answer, None)) {
            (Some((delegate, chain_id)), Some(inside)) => {
                answer.nest(explain_delegation(&inside, delegate, chain_id, None), false);
            }
            _ => answer.unread(name, 0),
        }
    }
    answer
}

/// Notes numbers that programs read in different ways.
fn note_numbers(answer: &mut Answer, at: &JsonAt<'_>, known: &Members) {
    let is_ambiguous = |name: &&str| {
        let form = Form::of(name, known).unwrap_or(Form::Any);
        at.get(name).json().is_some_and(|json| form.is_ambiguous(json))
    };
    for name in at.names().filter(is_ambiguous).take(16) {
        answer.find(NUMBER_FORM, name, &[text_value("text", name)]);
    }
}

/// Notes members that are asked for and not read, so that none vanishes, and numbers that programs read in different ways.
/// `also` is read beside those that are known.
fn note_members(answer: &mut Answer, at: &JsonAt<'_>, known: &Members, also: &str) {
    note_numbers(answer, at, known);
    let is_known = |name: &str| Form::of(name, known).is_some() || name == also;
    for name in at.names().filter(|name| !is_known(name)).take(16) {
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
    let signer = raw.signer.flatten();
    let actor = signer.or_else(|| scope.context().accounts.first().copied());
    let inside = Scope { chain_id: chain_id.unwrap_or(scope.chain_id), actor, ..*scope };
    let call = Call { to: raw.to, value: raw.value, data: raw.data, is_delegate: false };
    let delegations: Vec<_> = raw
        .delegations
        .iter()
        .map(|(chain, delegate, account)| (*delegate, u64::try_from(*chain).unwrap_or(u64::MAX), *account))
        .collect();
    let mut answer = explain_sent(&inside, &call, signer, &delegations, Some(raw.gas));
    if chain_id.is_none() {
        answer.find(CHAINLESS, "chainId", &[]);
    }
    match raw.signer {
        Some(Some(signer)) => answer.find(SIGNED, "raw", &[scope.who(signer)]),
        Some(None) => answer.find(SIGNER_UNKNOWN, "raw", &[]),
        None => {}
    }
    answer
}

/// The calldata digest of the draft ERC-8213: `keccak256(uint256(length) ‖ calldata)`. It does not cover contract, value or
/// chain, so it is never the transaction's.
pub fn calldata_digest(data: &[u8]) -> B256 {
    let length = U256::from(data.len()).to_be_bytes::<32>();
    keccak256([&length[..], data].concat())
}
