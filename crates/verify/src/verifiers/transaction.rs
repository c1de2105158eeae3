//! `verifyTransaction`: a transaction from another source, against the user's request.
//!
//! A swap's calldata is read, because the service chooses its route. The calldata of all others follows from the request:
//! it is written here again, and the transaction has to be that one.

use super::given::Given;
use super::typed_data::normalize;
use crate::domain::approval::ApprovalNeed;
use crate::domain::chain::{Deployment, Protocol, Source, name as chain_name};
use crate::domain::delta::calls::{
    cancel_and_withdraw, deposit_and_pre_sign, invalidate_nonce, pre_sign, withdraw_native,
};
use crate::domain::delta::order::{DeltaOrder, FILLABLE_ORDER, domain, known_type};
use crate::domain::eip712::Types;
use crate::domain::erc20;
use crate::domain::input::{account, amount_input, chain_id, known, known_in, one_of, optional};
use crate::domain::intent::{Defaults, Intent};
use crate::domain::market::terms::{MARKET_ONLY, MARKET_OPTIONS, MarketTerms};
use crate::domain::member::{Members, member};
use crate::domain::otc::calls as otc_calls;
use crate::domain::permit::{PERMIT2, Permit};
use crate::domain::sentence;
use crate::domain::token::{self, NATIVE, is_native};
use crate::domain::typed_struct::TypedStruct;
use crate::domain::verify::market_expectation::MarketExpectation;
use crate::domain::verify::market_transaction::{Envelope, Verified, verify};
use crate::domain::verify::price::Judgement;
use crate::domain::verify::question::write_questions;
use crate::domain::verify::{Checks, Priced, market_quote, report, report_of_trade};
use crate::error::{Error, Result};
use crate::json::{Json, JsonAt, parse};
use crate::value::text::ToText;
use crate::wire::price_route::read_route;
use alloy_primitives::{Address, B256, U256, hex, keccak256};

/// The kinds of transactions, by their names in JavaScript.
const KINDS: [(Kind, &str); 7] = [
    (Kind::Swap, "swap"),
    (Kind::Approval, "approval"),
    (Kind::Revocation, "revocation"),
    (Kind::Cancellation, "cancellation"),
    (Kind::OtcCancellation, "otcCancellation"),
    (Kind::PreSignature, "preSignature"),
    (Kind::Withdrawal, "withdrawal"),
];

/// The kind of a transaction.
#[derive(Clone, Copy)]
enum Kind {
    Swap,
    Approval,
    Revocation,
    Cancellation,
    OtcCancellation,
    PreSignature,
    Withdrawal,
}

/// A transaction that follows from a request alone.
pub struct Expected {
    /// The chain of the transaction.
    pub chain_id: u64,
    /// The account that sends it.
    pub owner: Address,
    /// The contract that is called.
    pub to: Address,
    /// The native token sent along, in wei.
    pub value: U256,
    /// The calldata, in each form that does what was asked for.
    pub data: Vec<Vec<u8>>,
    /// Its effect, for a person.
    pub sentence: String,
}

/// Verifies `{ kind, request, transaction, .. }`. `machine` is unix seconds by this machine's clock. Returns the report as
/// JSON text.
///
/// # Errors
/// INVALID_INPUT with the member; VERIFY_MISMATCH with the first that differs; SERVICE_MALFORMED; UNSUPPORTED_CHAIN.
pub fn verify_transaction(input: &Json, machine: u64) -> Result<String> {
    let names = ["kind", "transaction", "quote", "reference"];
    let mut given = Given::read(input, &names, &["srcDecimals", "destDecimals"], machine)?;
    let expected = "swap, approval, revocation, cancellation, otcCancellation, preSignature or withdrawal";
    let kind = one_of(&given.at.get("kind"), &KINDS, expected)?;
    let envelope = given.envelope()?;
    let at = given.request();
    let expected = match kind {
        Kind::Swap => return verify_swap(given, &envelope),
        Kind::Approval => approval(&given, &at)?,
        Kind::Revocation => revocation(&at)?,
        Kind::Cancellation => cancellation(&given, &at)?,
        Kind::OtcCancellation => otc_cancellation(&given, &at)?,
        Kind::PreSignature => pre_signature(&given, &at)?,
        Kind::Withdrawal => withdrawal(&given, &at)?,
    };
    let mut checks = Checks::default();
    check_sent(&mut checks, &envelope, &expected);
    Ok(given.finish(&report(&expected.sentence, &checks.finish()?, None)))
}

/// Notes whether a transaction is the expected one.
pub fn check_sent(checks: &mut Checks, envelope: &Envelope, expected: &Expected) {
    checks.set_prefix("transaction.");
    checks.same("from", &expected.owner, &envelope.from);
    checks.same("to", &expected.to, &envelope.to);
    checks.same("value", &expected.value, &envelope.value);
    checks.chain(expected.chain_id, envelope.chain_id);
    let first = expected.data.first().map(hex::encode_prefixed).unwrap_or_default();
    checks.holds("data", expected.data.contains(&envelope.data), &first, &hex::encode_prefixed(&envelope.data));
    checks.note_gas(expected.chain_id, envelope.gas, U256::ZERO);
    checks.set_prefix("");
}

/// A swap: the route against the request, the transaction against both.
fn verify_swap(mut given: Given<'_>, envelope: &Envelope) -> Result<String> {
    let at = given.request();
    known_in(&at, &[&Intent::MEMBERS, &MARKET_OPTIONS, &MARKET_ONLY])?;
    let mut intent = Intent::read_known(&at, &Defaults::default())?;
    if intent.twap.is_some() {
        return Err(at.get("numSlices").fault("nothing: only gasless orders come in slices"));
    }
    // Without one, the price is a question.
    intent.require_reference = false;
    let terms = MarketTerms::read_known(&at)?;
    let Some(owner) = intent.account else {
        return Err(at.get("account").fault("the account that sends"));
    };
    let permit = optional(&at.get("permit"), Permit::read)?;
    let deployment = given.deployment(intent.chain_id, Protocol::Market)?;
    given.settle_decimals(&mut intent)?;
    let references = given.references(&intent)?;
    let quote = given.payload("quote", "the service's `priceRoute`")?;
    let quote = JsonAt::service(&quote, "quote");
    let inner = ["priceRoute", "market"].into_iter().find(|name| !quote.get(name).is_absent());
    if let Some(inner) = inner {
        return Err(given.at.get("quote").fault(&["its `", inner, "`"].concat()));
    }
    let route = read_route(&quote)?;
    let arriving = intent.arriving_as(route.dest_token);
    let quoted = market_quote::verify(&route, &arriving, &deployment, Checks::default())?;
    let verified = verify(
        envelope,
        &MarketExpectation {
            intent: &arriving,
            terms: &terms,
            owner,
            permit: permit.as_ref(),
            route: &route,
            deployment: &deployment,
            reference: &references.price,
            now: given.now,
            ahead: 0,
        },
    )?;
    for name in ["balance", "allowance", "earlierTransactions"] {
        given.leave_unread(name);
    }
    if terms.try_outcome == Some(true) {
        given.leave_unread("outcome");
    }
    let beneficiary = intent.beneficiary.unwrap_or(owner);
    let checks = [&quoted, ",", &verified.checks].concat();
    let text = market_report(&verified, &checks, &arriving, beneficiary, deployment.source, &keccak256(&envelope.data));
    Ok(given.finish(&text))
}

/// The report of a verified Market transaction as JSON text. `build` is a hash that its questions' ids hold for.
pub fn market_report(
    verified: &Verified,
    checks: &str,
    arriving: &Intent,
    beneficiary: Address,
    source: Source,
    build: &B256,
) -> String {
    let (spent, received) = (verified.max_spent, verified.min_received);
    let sentence = sentence::transaction(arriving, spent, received, beneficiary, verified.fee_bps);
    let judgement = verified.judgement.as_ref();
    let sentence = [&*sentence, source.caveat(), &judgement.map_or_else(String::new, Judgement::caveat)].concat();
    let about_price = judgement.and_then(|judgement| judgement.question.clone());
    let questions: Vec<_> = about_price.into_iter().chain(verified.steep.clone()).collect();
    let priced = Priced {
        distance_bps: verified.distance_bps,
        judged: judgement.map(|judgement| judgement.json.clone()),
        questions: Some(write_questions(&questions, build)),
    };
    report_of_trade(&sentence, checks, None, &priced)
}

/// `approve` of a token for a protocol's contract, or for Permit2: exactly that amount.
fn approval(given: &Given<'_>, at: &JsonAt<'_>) -> Result<Expected> {
    known(at, &["chainId", "account", "path", "token", "amount", "spender"])?;
    let (chain_id, owner, protocol) =
        (chain_id(&at.get("chainId"))?, account(&at.get("account"))?, Protocol::read(&at.get("path"))?);
    let token = read_token(at)?;
    let deployment = given.deployment(chain_id, protocol)?;
    let contract = deployment.contracts.of(protocol).unwrap_or_default();
    let spender = optional(&at.get("spender"), account)?.unwrap_or(contract);
    if spender != contract && spender != PERMIT2 {
        let expected = ["none, ", &deployment.describe(protocol), " or Permit2"].concat();
        return Err(at.get("spender").fault(&expected));
    }
    let amount = match at.get("amount").text() {
        Ok("unlimited") => U256::MAX,
        _ => amount_input(&at.get("amount"))?,
    };
    let need = ApprovalNeed::new(protocol, chain_id, &token, &owner, &spender, &amount, None);
    let sentence = [&need.sentence(&amount), " on ", &chain_name(chain_id)].concat();
    let data = vec![erc20::approve(spender, amount)];
    Ok(Expected { chain_id, owner, to: token, value: U256::ZERO, data, sentence })
}

/// `approve` of zero: the spender may take nothing any more.
fn revocation(at: &JsonAt<'_>) -> Result<Expected> {
    known(at, &["chainId", "account", "token", "spender"])?;
    let (chain_id, owner) = (chain_id(&at.get("chainId"))?, account(&at.get("account"))?);
    let (token, spender) = (read_token(at)?, account(&at.get("spender"))?);
    let what = ["Take back what ", &*spender.text(), " may take of ", &token.text()].concat();
    let sentence = [&what, " on ", &chain_name(chain_id)].concat();
    let data = vec![erc20::approve(spender, U256::ZERO)];
    Ok(Expected { chain_id, owner, to: token, value: U256::ZERO, data, sentence })
}

/// A call that ends an order of Delta on chain: by its nonce, or by its hash, which pays its deposit back.
fn cancellation(given: &Given<'_>, at: &JsonAt<'_>) -> Result<Expected> {
    known(at, &["chainId", "account", "order"])?;
    let (chain_id, owner) = (chain_id(&at.get("chainId"))?, account(&at.get("account"))?);
    let deployment = given.deployment(chain_id, Protocol::Delta)?;
    let place = at.get("order");
    let order = read_order(&place)?;
    if order.address(member!("owner")) != owner {
        return Err(place.fault(&["an order of ", &*owner.text()].concat()));
    }
    let hash = order.digest(&domain(chain_id, deployment.contracts.delta)).digest;
    let source = order.address(member!("srcToken"));
    let has_deposit = [Some(NATIVE), deployment.contracts.wrapped_native].contains(&Some(source));
    let mut data = Vec::new();
    data.extend(cancel_and_withdraw(&order).filter(|_| has_deposit));
    // An order that is filled in parts is counted by its hash, which its nonce does not end.
    if order.encoded() != FILLABLE_ORDER {
        data.push(invalidate_nonce(order.uint(member!("nonce"))));
    }
    if data.is_empty() {
        return Err(place.fault("an order that a transaction can end: cancel one in parts by signature"));
    }
    let sentence = ["Cancel order ", &*hash.text(), " on ", &chain_name(chain_id)].concat();
    Ok(Expected { chain_id, owner, to: deployment.contracts.delta, value: U256::ZERO, data, sentence })
}

/// Reads an order as typed data, in any library's form.
fn read_order(at: &JsonAt<'_>) -> Result<DeltaOrder> {
    let json = at.json().cloned().unwrap_or(Json::Null);
    let json = match json.as_text() {
        Some(text) => parse(text).map_err(|what| Error::not_json_at("request.order", what))?,
        None => json,
    };
    let typed = normalize(json, "request.order")?;
    let root = JsonAt::input(&typed, "request.order");
    let wrong = || root.get("types").fault("those of an order");
    let encoded = known_type(&Types::read(&root.get("types"))?, None).map_err(|_| wrong())?;
    DeltaOrder::known(TypedStruct::read(encoded, &root.get("value"))?).ok_or_else(wrong)
}

/// A maker's cancellation of OTC orders, by their hashes.
fn otc_cancellation(given: &Given<'_>, at: &JsonAt<'_>) -> Result<Expected> {
    known(at, &["chainId", "account", "orderHashes"])?;
    let (chain_id, owner) = (chain_id(&at.get("chainId"))?, account(&at.get("account"))?);
    let Deployment { contracts, .. } = given.deployment(chain_id, Protocol::Otc)?;
    let mut hashes = Vec::new();
    for hash in at.get("orderHashes").items()? {
        hashes.push(B256::from(hash.fixed::<32>()?));
    }
    if hashes.is_empty() {
        return Err(at.get("orderHashes").fault("one hash or more"));
    }
    let sentence = sentence::otc::cancel(chain_id, hashes.len(), owner);
    let data = vec![otc_calls::cancel(&hashes).0];
    Ok(Expected { chain_id, owner, to: contracts.rfq, value: U256::ZERO, data, sentence })
}

/// An order's authorization on chain, with the native token that it sells if `deposit` states it.
fn pre_signature(given: &Given<'_>, at: &JsonAt<'_>) -> Result<Expected> {
    known(at, &["chainId", "account", "orderHash", "deposit"])?;
    let (chain_id, owner) = (chain_id(&at.get("chainId"))?, account(&at.get("account"))?);
    let Deployment { contracts, .. } = given.deployment(chain_id, Protocol::Delta)?;
    let hash = B256::from(at.get("orderHash").fixed::<32>()?);
    let deposit = optional(&at.get("deposit"), amount_input)?;
    let data = vec![if deposit.is_some() { deposit_and_pre_sign(hash) } else { pre_sign(hash) }];
    let sentence = ["Authorize order ", &*hash.text(), " on ", &chain_name(chain_id), ", whatever it says"].concat();
    Ok(Expected { chain_id, owner, to: contracts.delta, value: deposit.unwrap_or_default(), data, sentence })
}

/// A deposit's way back as native token.
fn withdrawal(given: &Given<'_>, at: &JsonAt<'_>) -> Result<Expected> {
    known(at, &["chainId", "account", "amount"])?;
    let (chain_id, owner, amount) =
        (chain_id(&at.get("chainId"))?, account(&at.get("account"))?, amount_input(&at.get("amount"))?);
    let Deployment { contracts, .. } = given.deployment(chain_id, Protocol::Delta)?;
    let sentence = sentence::withdrawal(amount, chain_id);
    let data = vec![withdraw_native(amount)];
    Ok(Expected { chain_id, owner, to: contracts.delta, value: U256::ZERO, data, sentence })
}

/// The request's token: an ERC-20 one.
fn read_token(at: &JsonAt<'_>) -> Result<Address> {
    let token = token::read(&at.get("token"))?;
    if is_native(token) { Err(at.get("token").fault("an ERC-20 token")) } else { Ok(token) }
}
