//! A gasless order that the service built, against the user's request.

use crate::domain::chain::{Contracts, Deployment, Protocol, deployment};
use crate::domain::delta::price::Price;
use crate::domain::delta::terms::{EXTERNAL, TERMS, Terms};
use crate::domain::input::{account, known};
use crate::domain::intent::{Defaults, Intent};
use crate::domain::reference::trade_references::TradeReferences;
use crate::domain::sentence;
use crate::domain::verify::delta_expectation::DeltaExpectation;
use crate::domain::verify::delta_order::{self, verify};
use crate::domain::verify::question::Question;
use crate::domain::verify::{Checks, delta_quote, report_of_trade};
use crate::error::{Error, Result};
use crate::json::{Json, JsonAt, parse};
use crate::wire;
use alloy_primitives::{Address, B256, U256};

/// The user's request, read and found complete.
#[derive(Clone)]
pub struct Request {
    /// The trade that the user asked for.
    pub(crate) intent: Intent,
    /// The options that the order is built with.
    pub(crate) terms: Terms,
    /// Whether the user named the deadline.
    deadline_named: bool,
}

impl Request {
    /// Reads a request as JSON text: `chainId`, `srcToken`, `destToken`, `srcDecimals`, `destDecimals`, `amount` (raw
    /// units, as text), `side`, `account`, `slippageBps` or `limitAmount`, and the others of `VerifyOrderInput.request`
    /// in the package's `verify.d.ts`. `requireReference` refuses nothing here, since no reference price is read: see
    /// [`Report::questions`].
    ///
    /// # Errors
    /// `INVALID_INPUT` with the member that is missing, unknown or malformed; with `request` if the text is not JSON.
    pub fn from_json(text: &str) -> Result<Request> {
        let json = parse(text).map_err(|_| Error::input("request", "JSON", "a text that is not"))?;
        Request::read(&JsonAt::input(&json, "request"))
    }

    /// Reads a request of the caller's.
    ///
    /// # Errors
    /// As [`Request::from_json`].
    #[doc(hidden)]
    pub fn read(at: &JsonAt<'_>) -> Result<Request> {
        let mut names = Intent::MEMBERS.to_vec();
        names.extend(TERMS);
        known(at, &names)?;
        let mut intent = Intent::read_known(at, &Defaults::default())?;
        intent.note_unread(vec![intent.chain_id, intent.dest_chain_id]);
        // No reference is read here, so a price without one is a question, not a refusal.
        intent.require_reference = false;
        account(&at.get("account"))?;
        let terms = Terms::read(at)?;
        terms.check_consistency(at, &intent)?;
        if terms.external.is_some() && intent.is_crosschain() {
            return Err(at.option(EXTERNAL).fault("for a request on one chain"));
        }
        Ok(Request { intent, terms, deadline_named: !at.get("deadline").is_absent() })
    }

    /// The chain of the request: where the order is settled.
    pub fn chain_id(&self) -> u64 {
        self.intent.chain_id
    }
}

/// The service's price, as it came: the `delta` block of its answer, with `route`, `spender` and `partner`.
pub struct Quote(Json);

impl Quote {
    /// Reads the block as JSON text. It is judged with the order.
    ///
    /// # Errors
    /// `SERVICE_MALFORMED` if it is not JSON.
    pub fn from_json(text: &str) -> Result<Quote> {
        parse(text).map(Quote).map_err(|what| Error::not_json_at("quote", what))
    }
}

/// The order to sign, as the service built it.
pub struct Payload {
    to_sign: Json,
    order_hash: Json,
}

impl Payload {
    /// Reads the service's `toSign` (`{ domain, types, value }`) as JSON text. `order_hash` is the hash that the service
    /// states, `0x` and 64 hex digits.
    ///
    /// # Errors
    /// `SERVICE_MALFORMED` if it is not JSON.
    pub fn from_json(to_sign: &str, order_hash: &str) -> Result<Payload> {
        let to_sign = parse(to_sign).map_err(|what| Error::not_json_at("toSign", what))?;
        Ok(Payload { to_sign, order_hash: Json::String(order_hash.into()) })
    }
}

/// Facts that are neither the user's nor the service's.
#[derive(Clone, Copy, Debug, Default)]
pub struct Context {
    /// The time now, unix seconds. An order whose deadline is not after it is refused.
    pub now: u64,
    /// The contracts of the request's chain, in place of those compiled in. Never take them from the service: the order is
    /// signed for them.
    pub contracts: Option<Contracts>,
    /// The decimals of the source token by its own contract (`decimals()`). Without them those of a token that is in no
    /// table count as the request's word alone, by which no price is judged.
    pub src_decimals: Option<u8>,
    /// The same of the destination token.
    pub dest_decimals: Option<u8>,
}

/// An order that matches the user's request.
pub struct Report {
    /// The order in a sentence, for a person.
    pub sentence: String,
    /// The account that signs.
    pub owner: Address,
    /// The most that leaves the owner, raw units of the source token, of all slices together.
    pub max_spent: U256,
    /// The least to be received after the fee, raw units; crosschain of the bridge input, not of what arrives.
    pub min_received: U256,
    /// The last second in which the order can be filled, unix seconds.
    pub deadline: u64,
    /// The digest to sign ([EIP-712](https://eips.ethereum.org/EIPS/eip-712)), computed here: the order's hash. Not before
    /// `questions` is empty, or a person has answered each of them.
    pub digest: B256,
    /// The typed data for a wallet (`eth_signTypedData_v4`), as JSON text, written here from the verified struct.
    pub typed_data: String,
    /// The open questions, which only the user can answer. An order with one is not refused, and not agreed to.
    pub questions: Vec<Question>,
    /// All checks, each with what was expected and what is there: `Report` of the package's `index.d.ts`, as JSON text.
    pub json: String,
}

/// Verifies an order: the price against the request, the typed data against both, and the hash that the service states
/// against the one computed here. No network is asked, so a token's decimals but for those of the context, the owner's
/// balance and allowance and the price on other markets are not judged; the last is among the `questions`, and so is the
/// receiver over a bridge with data.
///
/// Sign [`Report::digest`] only if [`Report::questions`] is empty, or a person has answered each of them. If the
/// request has no `deadline`, one of up to 24 hours ahead passes; if it has no `nonce`, any. Whether the same trade
/// was signed before is not known here: each signed order with a nonce of its own may be filled. Post the typed data's
/// `value` unchanged.
///
/// ```
/// use verified_swap_verify::{Context, ErrorCode, Payload, Quote, Request, verify_order};
///
/// let request = Request::from_json(
///     r#"{
///         "chainId": 8453, "side": "SELL", "amount": "1000000", "slippageBps": 50,
///         "srcToken": "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", "srcDecimals": 6,
///         "destToken": "0x4200000000000000000000000000000000000006", "destDecimals": 18,
///         "account": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
///     }"#,
/// )?;
/// let (quote, payload) = (Quote::from_json("{}")?, Payload::from_json("{}", "0x")?);
/// // Neither is what the service answers, so nothing is signed.
/// let refusal = verify_order(&request, &quote, &payload, &Context { now: 1_800_000_000, ..Context::default() });
/// assert_eq!(refusal.err().map(|refusal| refusal.code), Some(ErrorCode::ServiceMalformed));
/// # Ok::<(), verified_swap_verify::Refusal>(())
/// ```
///
/// # Errors
/// `VERIFY_MISMATCH` with the first member that differs from the request; `LOSS_TOO_HIGH` if stated costs explain why the
/// price is too low; `UNSUPPORTED_CHAIN` for a chain without
/// contracts; `SERVICE_MALFORMED` if price or typed data cannot be read; `INVALID_INPUT` if the request needs one more
/// consent.
pub fn verify_order(request: &Request, quote: &Quote, payload: &Payload, context: &Context) -> Result<Report> {
    let deployment = deployment(request.chain_id(), Protocol::Delta, context.contracts)?;
    let price = wire::quote::read_price(&JsonAt::service(&quote.0, "quote"), request.terms.alternative)?;
    let hash = JsonAt::input(&payload.order_hash, "orderHash");
    let payload = wire::to_sign::read_payload(&JsonAt::service(&payload.to_sign, "toSign"), Some(&hash))?;
    let mut references = TradeReferences::default();
    let mut request = request.clone();
    for (field, token, own) in [
        ("request.srcDecimals", &mut request.intent.src, context.src_decimals),
        ("request.destDecimals", &mut request.intent.dest, context.dest_decimals),
    ] {
        own.map_or(Ok(()), |own| token.confirm_decimals(field, own.into()))?;
    }
    references.price.add_own(&request.intent);
    verify_read(&request, &price, payload, &deployment, context.now, &references)
}

/// As [`verify_order`], of parts that are read: with the contracts, the time in unix seconds, and reference prices that the
/// caller brings.
///
/// # Errors
/// `VERIFY_MISMATCH`, `LOSS_TOO_HIGH` and `INVALID_INPUT` as [`verify_order`].
pub(crate) fn verify_read(
    request: &Request,
    price: &Price<'_>,
    payload: delta_order::Payload<'_>,
    deployment: &Deployment,
    now: u64,
    references: &TradeReferences,
) -> Result<Report> {
    let Request { intent, terms, deadline_named } = request;
    let intent = intent.arriving_as(price.destination_output.token);
    let quoted = delta_quote::verify(price, &intent, deployment, Checks::default())?;
    let expected = DeltaExpectation {
        intent: &intent,
        terms,
        price,
        deployment,
        now,
        ahead: 0,
        references,
        bound: None,
        deadline_named: *deadline_named,
    };
    let verified = verify(payload, &expected)?;
    let checks = [&quoted, ",", &verified.checks].concat();
    let sentence = [sentence::order(&intent, terms, &verified.amounts), verified.caveat()].concat();
    let typed = verified.order.to_sign(&verified.domain)?;
    let json = report_of_trade(&sentence, &checks, Some(&typed), &verified.priced());
    let questions = verified.questions();
    Ok(Report {
        sentence,
        owner: verified.amounts.owner,
        max_spent: verified.amounts.spent,
        min_received: verified.amounts.received,
        deadline: verified.amounts.deadline,
        digest: typed.digest.digest,
        typed_data: typed.text,
        questions,
        json,
    })
}
