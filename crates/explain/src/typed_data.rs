//! Typed data by the `encodeType` of its root: one table of types, each with the domain that its contract hashes.

use super::answer::Answer;
use super::payload_fields::{PayloadFields, word_of};
use super::scope::{Scope, hash_value, is_native_or_zero, text_value};
use super::words::*;
use super::wrapped::{SAFE_TX, check_chain, explain_unreadable, start_unreadable};
use super::{allowances, elsewhere, permissions, trades, wrapped};
use alloy_primitives::Address;
use verify::internal::domain::chain::Protocol;
use verify::internal::domain::delta::cancellation::ORDER_CANCELLATIONS;
use verify::internal::domain::delta::order::{self as delta, DOMAIN_TYPE};
use verify::internal::domain::eip712::{Types, digest};
use verify::internal::domain::otc::order as otc;
use verify::internal::domain::permit::PERMIT2;
use verify::internal::domain::permit::typed::{ALLOWANCE, DAI, EIP2612, TRANSFER};
use verify::internal::domain::sentence::part::Sink;
use verify::internal::domain::typed_struct;
use verify::internal::json::{Json, JsonAt, MAX_HASHED, TOO_MANY_VALUES, TWICE, parse};
use verify::internal::value::text::{ToText, joined, split_once};
use verify::{details, permissions};

/// The contract in whose domain a type is signed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Home {
    /// A protocol's contract.
    Service(Protocol),
    /// The contract Permit2.
    Permit2,
    /// A token of its own.
    Token,
    /// A Safe, or another contract account.
    Account,
    /// Another service's contract with a name that begins so.
    Elsewhere(&'static str),
}

/// Explains a message of one type.
type Does = fn(&mut Answer, &Scope<'_>, &PayloadFields<'_>);

const DELTA: Home = Home::Service(Protocol::Delta);

/// Permit2's types that the package itself does not sign.
const BATCH: &str = concat!("PermitBatch(PermitDetails[] details,address spender,uint256 sigDeadline)", details!());
const BATCH_TRANSFER: &str = concat!(
    "PermitBatchTransferFrom(TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline)",
    permissions!()
);
/// The beginnings of Permit2's types with a witness, whose own type follows.
const WITNESS: [&str; 2] = [
    "PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,",
    "PermitBatchWitnessTransferFrom(TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline,",
];
const USER_OPERATION_TYPE: &str = concat!(
    "PackedUserOperation(address sender,uint256 nonce,bytes initCode,bytes callData,bytes32 accountGasLimits,",
    "uint256 preVerificationGas,bytes32 gasFees,bytes paymasterAndData)"
);
/// The types of EIP-3009: a transfer by signature, and its cancellation.
const TRANSFER_BY: &str = "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)";
const RECEIVE_BY: &str = "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)";
const CANCEL_BY: &str = "CancelAuthorization(address authorizer,bytes32 nonce)";
/// ERC-7710, as the Delegation Framework signs it.
const RIGHTS_TYPE: &str = "Delegation(address delegate,address delegator,bytes32 authority,Caveat[] caveats,uint256 salt)Caveat(address enforcer,bytes terms)";
const COW_ORDER: &str = "Order(address sellToken,address buyToken,address receiver,uint256 sellAmount,uint256 buyAmount,uint32 validTo,bytes32 appData,uint256 feeAmount,string kind,bool partiallyFillable,string sellTokenBalance,string buyTokenBalance)";
const INCH_ORDER: &str = "Order(uint256 salt,address maker,address receiver,address makerAsset,address takerAsset,uint256 makingAmount,uint256 takingAmount,uint256 makerTraits)";
/// The root type of ERC-7739, which has the signed contents inside.
const NESTED: &str = "TypedDataSign";

/// The known types.
const ROWS: [(&str, Kind, Home, Does); 23] = [
    (delta::ORDER, DELTA_ORDER, DELTA, trades::delta_order),
    (delta::FILLABLE_ORDER, DELTA_FILLABLE, DELTA, trades::fillable_order),
    (delta::TWAP_ORDER, DELTA_TWAP, DELTA, trades::delta_order),
    (delta::TWAP_BUY_ORDER, DELTA_TWAP_BUY, DELTA, trades::delta_order),
    (delta::EXTERNAL_ORDER, DELTA_EXTERNAL, DELTA, trades::delta_order),
    (ORDER_CANCELLATIONS, DELTA_CANCELLATION, DELTA, trades::delta_cancellation),
    (otc::ORDER, OTC_ORDER, Home::Service(Protocol::Otc), trades::otc_order),
    (EIP2612, PERMIT, Home::Token, allowances::permit),
    (DAI, PERMIT_DAI, Home::Token, allowances::permit_dai),
    (ALLOWANCE, PERMIT2_ALLOWANCE, Home::Permit2, allowances::permit2),
    (BATCH, PERMIT2_ALLOWANCE, Home::Permit2, allowances::permit2),
    (TRANSFER, PERMIT2_TRANSFER, Home::Permit2, allowances::permit2_transfer),
    (BATCH_TRANSFER, PERMIT2_TRANSFER, Home::Permit2, allowances::permit2_transfer),
    (SAFE_TX, SAFE_TRANSACTION, Home::Account, wrapped::safe_transaction),
    ("SafeMessage(bytes message)", SAFE_TEXT, Home::Account, wrapped::safe_message),
    ("PersonalSign(bytes prefixed)", ACCOUNT_SIGNATURE, Home::Account, wrapped::personal_sign),
    (USER_OPERATION_TYPE, USER_OPERATIONS, Home::Account, wrapped::user_operation),
    (TRANSFER_BY, SIGNED_TRANSFER, Home::Token, allowances::authorized_transfer),
    (RECEIVE_BY, SIGNED_TRANSFER, Home::Token, allowances::authorized_transfer),
    (CANCEL_BY, SIGNED_TRANSFER, Home::Token, allowances::end_authorization),
    (RIGHTS_TYPE, RIGHTS, Home::Elsewhere("DelegationManager"), permissions::delegate),
    (COW_ORDER, SERVICE_TRADE, Home::Elsewhere("CoW settlement"), elsewhere::trade),
    (INCH_ORDER, SERVICE_TRADE, Home::Elsewhere("1inch router v6"), elsewhere::trade),
];

/// Explains typed data that may be JSON text, or an object.
pub fn explain_typed_data(scope: &Scope<'_>, given: &Json) -> Answer {
    match given {
        Json::String(text) => match parse(text) {
            Ok(json) => explain_parsed(scope, &json),
            Err(why) => explain_refused(scope, why.reason, text.len()),
        },
        json => explain_parsed(scope, json),
    }
}

/// Data that this package does not parse: two readers could read it in two ways, or it is too large.
pub fn explain_refused(scope: &Scope<'_>, reason: &'static str, bytes: usize) -> Answer {
    let warning = if reason == TWICE { JSON_DUPLICATE } else { JSON_REFUSED };
    explain_unreadable(scope, (TYPED_DATA, "The data"), (warning, "", reason), bytes)
}

fn explain_parsed(scope: &Scope<'_>, json: &Json) -> Answer {
    if json.count() > MAX_HASHED {
        return explain_refused(scope, TOO_MANY_VALUES, 0);
    }
    let root = JsonAt::input(json, "");
    let hashed = match digest(json) {
        Ok(hashed) => hashed,
        Err(why) => {
            let text = |of: &Option<String>| of.clone().unwrap_or_default();
            let (field, expected) = (text_value("text", &text(&why.field)), text_value("text", &text(&why.expected)));
            let mut answer = start_unreadable(scope, (TYPED_DATA, "The data"), "", 0);
            answer.find(UNHASHABLE, &text(&why.field), &[field, expected]);
            if let Some(number) = root.find(&|_| true, Json::is_rounded) {
                answer.find(NUMBER_FORM, &number.path(), &[text_value("text", &number.path())]);
            }
            return answer;
        }
    };
    let mut answer = Answer::of(TYPED_DATA);
    answer.digest("eip712", hashed.digest);
    answer.digest("domainSeparator", hashed.domain_separator);
    answer.digest("structHash", hashed.struct_hash);
    let Ok(types) = Types::read(&root.get("types")) else {
        answer.unread("types", 0);
        return answer;
    };
    let primary = root.get("primaryType").text().ok().or_else(|| types.root()).unwrap_or_default();
    let encoded = types.encode_type(primary).unwrap_or_default();
    let message = root.get("message").some().unwrap_or_else(|| root.get("value"));
    let domain = root.get("domain");
    // A member of the domain that its type does not have is not signed.
    let is_typed =
        |name: &str| types.fields("EIP712Domain").is_none_or(|all| all.iter().any(|(known, _)| *known == name));
    let chain_id = domain.get("chainId").json().filter(|_| is_typed("chainId")).and_then(word_of);
    let inside =
        Scope { chain_id: chain_id.map_or(scope.chain_id, |id| u64::try_from(id).unwrap_or(u64::MAX)), ..*scope };
    let contract = domain.get("verifyingContract").address().ok().filter(|_| is_typed("verifyingContract"));
    let contract = contract.unwrap_or_default();
    if contract.is_zero() && inside.chain_id != scope.context().chain_id {
        // No contract of that chain is asked: for some applications it is a number like any other.
        answer.fact_json("chainId", inside.chain_id.text());
        let values = [inside.chain(), scope.chain_of(scope.context().chain_id)];
        answer.find(CHAIN_NAMED, "domain.chainId", &values);
    } else {
        check_chain(&mut answer, scope, "domain.chainId", inside.chain_id);
    }
    if !contract.is_zero() {
        answer.fact("contract", &contract);
    }
    // Without it, libraries refuse the data, and others take it for any type.
    if root.get("primaryType").is_absent() {
        answer.find(UNHASHABLE, "primaryType", &[text_value("text", "primaryType"), text_value("text", "named")]);
    }
    // Wallets take no type for an empty one, libraries for one of the members that are there.
    if types.fields("EIP712Domain").is_none() && domain.names().next().is_some() {
        let values = [text_value("text", "types.EIP712Domain"), text_value("text", "the domain's type")];
        answer.find(UNHASHABLE, "types.EIP712Domain", &values);
    }
    // One is hashed, and another program may show the other.
    if !root.get("message").is_absent() && !root.get("value").is_absent() {
        answer.find(MEMBER_EXTRA, "value", &[text_value("text", "value")]);
    }
    let mut walk = Walk { types: &types, answer: &mut answer, path: vec!["domain"], extra: 0 };
    walk.domain(&domain);
    walk.path = vec!["message"];
    walk.value(primary, message.json(), 0);
    let known = ["EIP712Domain", NESTED];
    for name in types.names().filter(|name| !known.contains(name)) {
        let is_inside = encoded.split_inclusive(')').any(|part| typed_struct::name(part) == name);
        if !is_inside {
            answer.find(MEMBER_EXTRA, "types", &[text_value("text", name)]);
        }
    }
    // It may stand for a chain.
    if chain_id.is_none() && is_typed("salt") && !domain.get("salt").is_absent() {
        answer.opaque("domain.salt", 32);
    }
    let Some(message) = message.json().map(|message| signed_part(&types, primary, message, 0)) else {
        close_unknown(&mut answer, &inside, primary, contract);
        return answer;
    };
    let message = &message;
    if primary == NESTED {
        explain_nested(&mut answer, &inside, json, message, &encoded);
        return answer;
    }
    let is_witness = WITNESS.iter().any(|start| encoded.starts_with(start));
    let row = ROWS.iter().find(|(known, ..)| *known == encoded);
    // As a contract account, or by EIP-7702, it takes what it signed as a command.
    if scope.is_own(contract) && !row.is_some_and(|(.., home, _)| *home == Home::Account) {
        answer.find(DOMAIN_OWN, "domain.verifyingContract", &[scope.who(contract)]);
    }
    let (kind, home, does) = match row {
        Some((_, kind, home, does)) => (*kind, *home, *does),
        None if is_witness => (PERMIT2_TRANSFER, Home::Permit2, allowances::permit2_transfer as Does),
        None => {
            // A message for no contract, such as a vote or a login, names neither contract nor chain.
            if chain_id.is_none() && !contract.is_zero() {
                answer.find(CHAINLESS, "domain", &[]);
            }
            close_unknown(&mut answer, &inside, primary, contract);
            return answer;
        }
    };
    answer.is(kind);
    if chain_id.is_none() {
        answer.find(CHAINLESS, "domain", &[]);
    }
    check_domain(&mut answer, &inside, home, &domain, types.encode_type("EIP712Domain").as_deref());
    // A delegation hands over the account by any contract that the account's code asks.
    let is_elsewhere = matches!(home, Home::Elsewhere(name) if !scope.is_service(contract, name));
    if (home == Home::Token && is_native_or_zero(contract)) || (is_elsewhere && kind != RIGHTS) {
        close_unknown(&mut answer, &inside, primary, contract);
        return answer;
    }
    does(&mut answer, &inside, &PayloadFields::typed(message, contract));
    if let Some(stated) = answer.digest_named("safeTxHash").filter(|stated| *stated != hashed.digest) {
        answer.find(SAFE_HASH, "message.nonce", &[hash_value(stated), hash_value(hashed.digest)]);
    }
    if is_witness {
        // It decides what comes out, and is not read.
        answer.unread("message.witness", 32);
    }
    answer
}

fn close_unknown(answer: &mut Answer, scope: &Scope<'_>, primary: &str, contract: Address) {
    let shown = text_value("text", primary);
    if contract.is_zero() {
        answer.say(TYPED_NOWHERE, core::slice::from_ref(&shown));
    } else {
        answer.say(TYPED, &[shown.clone(), scope.who(contract)]);
        scope.check_contract(answer, "domain.verifyingContract", contract);
    }
    answer.find(TYPE_UNKNOWN, "primaryType", &[shown]);
    let bytes = answer.bytes.total;
    answer.unread("message", bytes);
    answer.fields.read = 0;
}

/// Judges the domain by what the contract of this home hashes.
fn check_domain(answer: &mut Answer, scope: &Scope<'_>, home: Home, domain: &JsonAt<'_>, encoded: Option<&str>) {
    let contract = domain.get("verifyingContract").address().unwrap_or_default();
    let stated = |name: &'static str| domain.get(name).text().unwrap_or_default();
    let here = scope.contracts().map(|(here, _)| here);
    let (expected, name, version) = match home {
        Home::Token | Home::Account => return scope.look(answer, "domain.verifyingContract", contract),
        Home::Elsewhere(_) => return scope.check_contract(answer, "domain.verifyingContract", contract),
        Home::Permit2 => (Some(PERMIT2), "Permit2", ""),
        Home::Service(Protocol::Otc) => {
            (here.and_then(|here| here.of(Protocol::Otc)), otc::DOMAIN_NAME, otc::DOMAIN_VERSION)
        }
        Home::Service(protocol) => (here.and_then(|here| here.of(protocol)), delta::DOMAIN_NAME, delta::DOMAIN_VERSION),
    };
    match expected {
        None => scope.check_contract(answer, "domain.verifyingContract", contract),
        Some(expected) if expected == contract => {}
        Some(expected) => {
            scope.look(answer, "domain.verifyingContract", contract);
            let values = [scope.who(contract), scope.who(expected)];
            answer.find(DOMAIN_CONTRACT, "domain.verifyingContract", &values);
        }
    }
    if let Home::Service(protocol) = home {
        trades::note_spender(answer, contract, protocol);
    }
    // Without the type, it is made of the members that are there.
    let has = |name: &'static str| !domain.get(name).is_absent();
    let permit2 = "EIP712Domain(string name,uint256 chainId,address verifyingContract)";
    let wanted = if home == Home::Permit2 { permit2 } else { DOMAIN_TYPE };
    let fits = match encoded {
        Some(encoded) => encoded == wanted,
        None => has("name") && has("chainId") && has("version") == (home != Home::Permit2) && !has("salt"),
    };
    if !fits || stated("name") != name || (stated("version") != version && home != Home::Permit2) {
        let text = |name: &str, version: &str| text_value("text", [name, " ", version].concat().trim_end());
        let values = [text(stated("name"), stated("version")), text(name, version)];
        answer.find(DOMAIN_FOREIGN, "domain", &values);
    }
}

/// The contents that a contract account signs for an application (ERC-7739): typed data of their own in that domain.
fn explain_nested(answer: &mut Answer, scope: &Scope<'_>, json: &Json, message: &Json, encoded: &str) {
    answer.is(ACCOUNT_SIGNATURE);
    let fields = PayloadFields::typed(message, Address::ZERO);
    let account = fields.address("verifyingContract");
    answer.say(ACCOUNT_SIGNS, &[scope.who(account), scope.chain()]);
    scope.check_owner(answer, "message.verifyingContract", account);
    let chain_id = u64::try_from(fields.word("chainId")).unwrap_or(u64::MAX);
    if chain_id != scope.chain_id {
        answer.find(CHAIN_OTHER, "message.chainId", &[scope.chain_of(chain_id), scope.chain()]);
    }
    let kind = encoded.split_once('(').and_then(|(_, rest)| split_once(rest, " contents"));
    let (Some((kind, _)), Some(contents), Some(Json::Object(types))) =
        (kind, message.get("contents"), json.get("types"))
    else {
        return answer.unread("message.contents", 0);
    };
    let types = types.iter().filter(|(name, _)| name != NESTED).cloned().collect();
    let mut members = vec![
        ("types".to_owned(), Json::Object(types)),
        ("primaryType".to_owned(), Json::String(kind.into())),
        ("message".to_owned(), contents.clone()),
    ];
    members.extend(json.get("domain").map(|domain| ("domain".to_owned(), domain.clone())));
    match scope.inside(answer, Some(account)) {
        Some(inside) => answer.nest((scope.shared.read_typed)(&inside, &Json::Object(members)), true),
        None => answer.unread("message.contents", 0),
    }
}

/// A value with the members of its type alone: members that are not signed have no effect.
fn signed_part(types: &Types<'_>, kind: &str, value: &Json, depth: usize) -> Json {
    let below = depth.saturating_add(1);
    match (value, types.fields(kind)) {
        _ if depth >= 64 => Json::Null,
        (Json::Array(items), None) => {
            let item = kind.rsplit_once('[').map_or(kind, |(item, _)| item);
            Json::Array(items.iter().map(|one| signed_part(types, item, one, below)).collect())
        }
        (Json::Object(members), Some(fields)) => {
            let kept = members.iter().filter_map(|(name, value)| {
                let (_, kind) = fields.iter().find(|(known, _)| known == name)?;
                Some((name.clone(), signed_part(types, kind, value, below)))
            });
            Json::Object(kept.collect())
        }
        _ => value.clone(),
    }
}

/// Counts the values of typed data, and notes members that its types do not have.
struct Walk<'w, 'a> {
    types: &'w Types<'a>,
    answer: &'w mut Answer,
    /// The names down to the value. A path is made only for what is noted: a long name may have many values below it.
    path: Vec<&'a str>,
    /// How many of them were noted.
    extra: usize,
}

impl<'a> Walk<'_, 'a> {
    /// The domain, whose type may be left out.
    fn domain(&mut self, domain: &JsonAt<'a>) {
        if self.types.fields("EIP712Domain").is_some() {
            return self.value("EIP712Domain", domain.json(), 0);
        }
        let known = ["name", "version", "chainId", "verifyingContract", "salt"];
        for name in domain.names() {
            match known.contains(&name) {
                true => self.count(32),
                false => self.note(MEMBER_EXTRA, Some(name)),
            }
        }
    }

    fn count(&mut self, bytes: usize) {
        let Answer { bytes: share, fields, .. } = &mut *self.answer;
        (share.read, share.total) = (share.read.saturating_add(bytes), share.total.saturating_add(bytes));
        (fields.read, fields.total) = (fields.read.saturating_add(1), fields.total.saturating_add(1));
    }

    /// Notes what is wrong with a value, or with a member that it has.
    fn note(&mut self, warning: &Warning, member: Option<&'a str>) {
        self.extra = self.extra.saturating_add(1);
        if self.extra <= 16 {
            self.path.extend(member);
            let path = joined(&self.path, ".");
            self.path.truncate(self.path.len().saturating_sub(usize::from(member.is_some())));
            self.answer.find(warning, &path, &[text_value("text", &path)]);
        }
    }

    /// A value of that type, which fits it: it was hashed before.
    fn value(&mut self, kind: &str, value: Option<&'a Json>, depth: usize) {
        // As deep as what is hashed.
        let Some(value) = value.filter(|_| depth < 64) else { return };
        let below = depth.saturating_add(1);
        if let (Some((item, _)), Json::Array(items)) =
            (kind.strip_suffix(']').and_then(|kind| kind.rsplit_once('[')), value)
        {
            for one in items {
                self.value(item, Some(one), below);
            }
            return;
        }
        let types = self.types;
        let (Some(fields), Json::Object(members)) = (types.fields(kind), value) else {
            if value.is_rounded() {
                self.note(NUMBER_FORM, None);
            }
            let text = value.as_text().unwrap_or_default();
            return self.count(match kind {
                "string" => text.len(),
                "bytes" => text.len().saturating_sub(2) / 2,
                _ => 32,
            });
        };
        for (name, value) in members {
            match fields.iter().find(|(known, _)| known == name) {
                Some((_, kind)) => {
                    self.path.push(name);
                    self.value(kind, Some(value), below);
                    self.path.pop();
                }
                None => self.note(MEMBER_EXTRA, Some(name)),
            }
        }
    }
}
