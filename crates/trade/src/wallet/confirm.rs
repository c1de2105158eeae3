//! The one gate before every prompt that signs or sends: the application is asked (`onPrompt`), after all checks and
//! before the journal has an entry.
//!
//! The wallet opens no such prompt without a [`PromptPermission`]: only [`PromptGate::pass`] leads there, and behind
//! it the ledger, where a trade has to be in the journal. While the application is asked, no lock is held, so anything
//! may change: accounts, chains, prices, orders signed in other tabs. So an answer opens nothing. The caller starts
//! over with all its checks, and passes with the same prompt; one that has become another, or that comes later than a
//! second, is asked about anew. Without `onPrompt` the gate is open.

use super::transaction::Message;
use crate::client::Client;
use crate::host::Host;
use crate::ledger::Ledger;
use crate::ledger::store::PromptJournaled;
use alloy_primitives::{Address, B256, U256, keccak256};
use std::cell::RefCell;
use std::rc::{Rc, Weak};
use verify::internal::domain::approval::approved_by;
use verify::internal::domain::delta::calls::pre_signed;
use verify::internal::domain::eip712::hardware_view;
use verify::internal::domain::paymaster::Paymaster;
use verify::internal::domain::verify::{Checks, Verdict, report};
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::{Json, JsonAt, ObjectWriter, array, parse};
use verify::internal::value::text::joined;

/// How long after the answer a prompt may open, in milliseconds: browsers let a wallet open its window for about a
/// second after the user's click.
const CLICK_MS: u64 = 1_000;
/// How often the same prompt is asked about, if what follows takes longer than [`CLICK_MS`] each time: a wallet that is
/// far away is never faster.
const ROUNDS: u32 = 2;
/// The member of the errors for a callback that does not answer.
const FIELD: &str = "onPrompt";

/// The purpose of a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The signature of a Delta order.
    Order,
    /// The signature of a maker's OTC order.
    OtcOrder,
    /// The signature of a permit.
    Permit,
    /// The signature that asks the service to cancel orders.
    CancelOrders,
    /// The transaction of an approval.
    Approve,
    /// A Market trade.
    Market,
    /// A fill of OTC orders.
    Fill,
    /// A transaction that ends an order on chain.
    Cancel,
    /// A withdrawal from the Delta contract.
    Withdraw,
    /// The end of an allowance.
    Revoke,
    /// The transaction that pre-signs a Delta order.
    PreSign,
}

impl Purpose {
    /// Each with its name in JavaScript, in the journal and in a `TransactionBuild`.
    pub const ALL: [(Purpose, &str); 11] = [
        (Purpose::Order, "order"),
        (Purpose::OtcOrder, "otc"),
        (Purpose::Permit, "permit"),
        (Purpose::CancelOrders, "cancelOrders"),
        (Purpose::Approve, "approve"),
        (Purpose::Market, "market"),
        (Purpose::Fill, "fill"),
        (Purpose::Cancel, "cancel"),
        (Purpose::Withdraw, "withdraw"),
        (Purpose::Revoke, "revoke"),
        (Purpose::PreSign, "presign"),
    ];

    /// The name of the purpose in JavaScript.
    pub fn name(self) -> &'static str {
        Purpose::ALL.iter().find(|(one, _)| *one == self).map_or("", |(_, name)| name)
    }

    /// Whether the journal has an entry of it before the prompt opens: all but signatures that make no trade.
    fn is_journaled(self) -> bool {
        !matches!(self, Purpose::Permit | Purpose::CancelOrders)
    }
}

/// The application's consent to the prompt of that key, for one opening.
#[derive(Debug)]
pub struct AppConsent(B256, Purpose);

impl AppConsent {
    /// The permission to open the prompt of a trade, which the journal has.
    ///
    /// # Errors
    /// INTERNAL if the journaled trade is another one.
    pub fn for_trade(self, journaled: &PromptJournaled) -> Result<PromptPermission> {
        if journaled.is_for(self.0) { Ok(PromptPermission(self.0)) } else { Err(Error::unreachable()) }
    }

    /// The permission to open a prompt that makes no trade.
    ///
    /// # Errors
    /// INTERNAL if it makes one, which has to be in the journal.
    pub fn without_trade(self) -> Result<PromptPermission> {
        if self.1.is_journaled() { Err(Error::unreachable()) } else { Ok(PromptPermission(self.0)) }
    }
}

/// Permission to open the wallet's prompt of that key: the application agreed, and the journal has its trade.
#[derive(Debug)]
pub struct PromptPermission(B256);

impl PromptPermission {
    /// Whether it is for the request of that key.
    pub fn is_for(&self, key: B256) -> bool {
        self.0 == key
    }
}

/// A prompt that is about to open. In JavaScript, with the questions: `Prompt`.
pub struct PromptContent<'a> {
    /// The key of its request.
    pub key: B256,
    /// The purpose of the prompt.
    pub purpose: Purpose,
    /// The report of what is signed or sent: its sentence and its checks.
    pub report: &'a Json,
    /// The payload that the wallet gets.
    pub payload: Payload<'a>,
    /// A member of the prompt beside these, read from its typed data, as JSON text: `permit`, `orderIds`.
    pub detail: Option<(&'static str, String)>,
}

/// The payload of a prompt: what the wallet gets.
pub enum Payload<'a> {
    /// Typed data as JSON text, and the account that signs it. Its digest is the key of the request.
    Signed(Address, &'a str),
    /// Calls to send on a chain, each with its own sentence, and the service that is asked to pay for their gas. The last
    /// call is what the purpose names.
    Sent(u64, &'a [(Message<'a>, String)], Option<&'a Paymaster>),
}

/// A prompt that the application agreed to, and when.
struct AppAnswer {
    /// The prompt, as [`PromptContent::write`] has it.
    prompt: String,
    /// The time of the answer, milliseconds of [`Host::monotonic_ms`].
    at: u64,
    /// How often it was asked about this prompt.
    rounds: u32,
}

/// The gate of a call: the application's callback, its answers, and the locks that are given back meanwhile.
pub struct PromptGate<H: Host> {
    /// The call's `onPrompt`; without it the client's counts.
    own: Option<H::Provider>,
    answered: RefCell<Option<AppAnswer>>,
    /// The answer by which the caller was let through last.
    passed: RefCell<Option<AppAnswer>>,
    /// The questions that the next prompt asks, each with the error that is returned if it is left open.
    open: RefCell<Vec<Error>>,
    /// The ids of the questions that were answered with yes.
    accepted: RefCell<Vec<String>>,
    held: RefCell<Vec<Weak<Held<H>>>>,
}

/// The lock of a trade, held for a call until it is dropped, but for the time in which the application is asked.
pub struct Held<H: Host> {
    intent: B256,
    key: B256,
    consents: bool,
    lock: RefCell<Option<Rc<H::Lock>>>,
}

impl<H: Host> Held<H> {
    async fn take(&self, ledger: &Ledger<H>) -> Result<()> {
        let lock = ledger.hold(self.intent, self.key, self.consents).await?;
        self.lock.replace(Some(lock));
        Ok(())
    }
}

impl<H: Host> PromptGate<H> {
    /// The gate of a call with that `onPrompt`.
    pub fn new(own: Option<H::Provider>) -> PromptGate<H> {
        PromptGate {
            own,
            answered: RefCell::default(),
            passed: RefCell::default(),
            open: RefCell::default(),
            accepted: RefCell::default(),
            held: RefCell::default(),
        }
    }

    /// The callback to ask; `None` if prompts open without it.
    pub fn app<'a>(&'a self, client: &'a Client<H>) -> Option<&'a H::Provider> {
        self.own.as_ref().or(client.shared.settings.on_prompt.as_ref())
    }

    /// [`Ledger::hold`] until what it returns is dropped.
    ///
    /// # Errors
    /// Same as [`Ledger::hold`].
    pub async fn hold(&self, ledger: &Ledger<H>, intent: B256, key: B256, consents: bool) -> Result<Rc<Held<H>>> {
        let held = Rc::new(Held { intent, key, consents, lock: RefCell::default() });
        held.take(ledger).await?;
        let mut all = self.held.borrow_mut();
        all.retain(|known| known.strong_count() > 0);
        all.push(Rc::downgrade(&held));
        Ok(held)
    }

    /// Defers the questions of an error to the prompt, if the application is asked about that. Only for a check that a
    /// prompt follows, or [`PromptGate::check_settled`].
    ///
    /// # Errors
    /// The error, if it has no questions, or there is no `onPrompt` to ask.
    pub fn defer_questions(&self, client: &Client<H>, checked: Result<()>) -> Result<()> {
        let Err(error) = checked else { return Ok(()) };
        let ids = question_ids(&error);
        let is_answered = |id: &String| self.accepted.borrow().contains(id);
        if !ids.is_empty() && ids.iter().all(is_answered) {
            return Ok(());
        }
        if ids.is_empty() || self.app(client).is_none() {
            return Err(error);
        }
        let mut open = self.open.borrow_mut();
        open.retain(|known| known.questions != error.questions);
        open.push(error);
        Ok(())
    }

    /// Whether the application was asked, and its answer opened nothing yet.
    pub fn was_asked(&self) -> bool {
        self.answered.borrow().is_some()
    }

    /// The wallet opened nothing for the last [`AppConsent`]: the answer still counts for that prompt.
    pub fn keep_answer(&self) {
        self.answered.replace(self.passed.take());
    }

    /// Refuses to go on without a prompt while a question is open.
    ///
    /// # Errors
    /// That of the first question.
    pub fn check_settled(&self) -> Result<()> {
        self.open.borrow().first().cloned().map_or(Ok(()), Err)
    }

    /// The consent to a prompt, after all its checks, before its entry in the journal. `None` if the application was
    /// asked and agrees: the caller reads the journal, makes all its checks once more, and passes again.
    ///
    /// # Errors
    /// USER_REJECTED; the error of a question that the answer leaves open; INVALID_INPUT with `onPrompt` if it is no
    /// answer; INTERNAL if the callback threw; ABORTED; ALREADY_SIGNED if another call or tab works on this trade by now.
    pub async fn pass(
        &self,
        client: &Client<H>,
        content: &PromptContent<'_>,
        signal: &H::Signal,
    ) -> Result<Option<AppConsent>> {
        match self.app(client) {
            None => self.check_settled().map(|()| Some(AppConsent(content.key, content.purpose))),
            Some(app) => Box::pin(ask(self, (client, app), content, signal)).await,
        }
    }
}

/// [`PromptGate::pass`] where the application is asked.
///
/// # Errors
/// Same as [`PromptGate::pass`].
async fn ask<H: Host>(
    gate: &PromptGate<H>,
    (client, app): (&Client<H>, &H::Provider),
    content: &PromptContent<'_>,
    signal: &H::Signal,
) -> Result<Option<AppConsent>> {
    let host = &client.shared.host;
    let mut prompt = content.write()?;
    let text = prompt.closed();
    let before = gate.answered.take().filter(|before| before.prompt == text);
    let rounds = before.as_ref().map_or(0, |before| before.rounds);
    let is_fresh =
        |before: &AppAnswer| before.rounds >= ROUNDS || host.monotonic_ms().saturating_sub(before.at) <= CLICK_MS;
    if gate.open.borrow().is_empty() && before.as_ref().is_some_and(is_fresh) {
        gate.passed.replace(before);
        return Ok(Some(AppConsent(content.key, content.purpose)));
    }
    let open = gate.open.take();
    let all: Vec<_> = open.iter().flat_map(questions).map(|one| one.write()).collect();
    prompt.raw("questions", &array(&all));
    prompt.flag("isRepeated", rounds > 0);
    let held: Vec<_> = gate.held.borrow().iter().filter_map(Weak::upgrade).collect();
    for one in &held {
        one.lock.take();
    }
    let asked = host.ask(app, FIELD, &array(&[&prompt.close()]));
    let answer = host.answer(&asked, None, signal).await.map_err(|failure| match failure.cause {
        _ if failure.aborted => Error::aborted(),
        None => no_answer(&failure.message),
        cause => {
            Error::new(ErrorCode::Internal, "a function that the page passed in threw: see the cause").caused_by(cause)
        }
    })?;
    let accept = read_answer(&answer)?;
    for mut error in open {
        let ids = question_ids(&error);
        if !ids.iter().all(|id| accept.contains(id)) {
            error.actual = Some(if accept.is_empty() { "nothing".into() } else { joined(&accept, ", ") });
            return Err(error);
        }
        gate.accepted.borrow_mut().extend(ids);
    }
    let at = host.monotonic_ms();
    gate.answered.replace(Some(AppAnswer { prompt: text, at, rounds: rounds.saturating_add(1) }));
    for one in &held {
        one.take(&client.shared.ledger).await?;
    }
    Ok(None)
}

/// The ids that an answer of the application accepts: none for `true`.
///
/// # Errors
/// USER_REJECTED for `false`; INVALID_INPUT if it is no answer.
fn read_answer(answer: &Json) -> Result<Vec<String>> {
    let at = JsonAt::input(answer, FIELD);
    match answer {
        Json::Bool(true) => Ok(vec![]),
        Json::Bool(false) => Err(Error::new(ErrorCode::UserRejected, "the user declined what was to be signed")),
        Json::Object(_) => at.get("accept").items()?.map(|id| id.text().map(String::from)).collect(),
        other => Err(no_answer(&other.excerpt(80))),
    }
}

/// INVALID_INPUT for a callback that returned something else than an answer: it counts as no consent.
fn no_answer(actual: &str) -> Error {
    Error::input(FIELD, "a function that returns the user's answer: true, false or { accept }", actual)
}

/// The questions of an error.
fn questions(error: &Error) -> Vec<Json> {
    match error.questions.as_deref().map(parse) {
        Some(Ok(Json::Array(all))) => all,
        _ => vec![],
    }
}

/// The ids of the questions of an error.
fn question_ids(error: &Error) -> Vec<String> {
    questions(error).iter().filter_map(|one| one.get("id")?.as_text().map(String::from)).collect()
}

impl PromptContent<'_> {
    /// The prompt's text, still open: all but the questions, and whether it is repeated.
    ///
    /// # Errors
    /// INTERNAL if the typed data is not what the key names.
    fn write(&self) -> Result<ObjectWriter> {
        let mut out = ObjectWriter::object();
        out.text("purpose", self.purpose.name());
        let (findings, verdict) = findings(self.report);
        out.text("verdict", verdict.name());
        let sentence = self.report.get("sentence").and_then(Json::as_text).unwrap_or_default();
        let paymaster = if let Payload::Sent(_, _, paymaster) = self.payload { paymaster } else { None };
        out.text("sentence", &[sentence, &*paymaster.map(Paymaster::clause).unwrap_or_default()].concat());
        out.raw("capabilities", paymaster.map_or("null", |paymaster| &paymaster.capabilities));
        out.raw("findings", &array(&findings));
        if let Some(hash) = self.order_hash() {
            out.value("orderHash", &hash);
        }
        if let Some((name, text)) = &self.detail {
            out.raw(name, text);
        }
        let (mut digests, mut parts, mut hardware) = (ObjectWriter::object(), vec![], None);
        match &self.payload {
            Payload::Signed(signer, typed_data) => {
                let (digest, view) = hardware_view(&parse(typed_data).map_err(Error::not_json)?)?;
                if digest.digest != self.key {
                    return Err(Error::unreachable());
                }
                let mut part = ObjectWriter::object();
                part.text("sentence", sentence);
                part.value("from", signer);
                part.raw("typedData", typed_data);
                parts.push(part.close());
                digests.value("eip712", &digest.digest);
                digests.value("domainSeparator", &digest.domain_separator);
                digests.value("structHash", &digest.struct_hash);
                hardware = Some(view);
            }
            Payload::Sent(chain_id, calls, _) => {
                for (index, (call, sentence)) in calls.iter().enumerate() {
                    let mut part = ObjectWriter::object();
                    part.text("sentence", sentence);
                    part.number("chainId", *chain_id);
                    part.value("from", &call.from);
                    part.value("to", &call.to);
                    part.value("value", &call.value);
                    part.bytes("data", call.data);
                    // Before the call that the purpose names there are only approvals.
                    let approves = self.purpose == Purpose::Approve || index.saturating_add(1) < calls.len();
                    if let Some((spender, amount)) = approved_by(call.data).filter(|_| approves) {
                        let mut approval = ObjectWriter::object();
                        approval.value("token", &call.to);
                        approval.value("spender", &spender);
                        approval.value("amount", &amount);
                        part.raw("approval", &approval.close());
                    }
                    parts.push(part.close());
                }
                // As in the draft ERC-8213.
                let data = calls.last().map(|(call, _)| call.data).unwrap_or_default();
                digests.value("calldata", &keccak256([&U256::from(data.len()).to_be_bytes::<32>(), data].concat()));
            }
        }
        out.raw("parts", &array(&parts));
        out.raw("digests", &digests.close());
        out.raw("hardware", hardware.as_deref().unwrap_or("null"));
        Ok(out)
    }

    /// The order that is signed, or consented to; by the very bytes that the wallet gets.
    fn order_hash(&self) -> Option<B256> {
        match (self.purpose, &self.payload) {
            (Purpose::Order | Purpose::OtcOrder, _) => Some(self.key),
            (Purpose::PreSign, Payload::Sent(_, calls, _)) => pre_signed(calls.last()?.0.data),
            _ => None,
        }
    }
}

/// The checks of a report that a person should see, and the gravest of their verdicts: what could not be judged is
/// worse than what is unusual.
fn findings(report: &Json) -> (Vec<String>, Verdict) {
    let (mut found, mut gravest) = (vec![], 0);
    const GRAVE: [Verdict; 4] = [Verdict::Ok, Verdict::Unusual, Verdict::Opaque, Verdict::Unknown];
    let Some(Json::Array(checks)) = report.get("checks") else { return (found, Verdict::Unknown) };
    for check in checks {
        let said = check.get("verdict").and_then(Json::as_text);
        let place = GRAVE.iter().position(|one| Some(one.name()) == said).unwrap_or(GRAVE.len().saturating_sub(1));
        if place > 0 {
            found.push(check.write());
        }
        gravest = place.max(gravest);
    }
    (found, GRAVE.get(gravest).copied().unwrap_or(Verdict::Unknown))
}

/// The report of a prompt that has no build.
///
/// # Errors
/// VERIFY_MISMATCH with the first check that failed.
pub fn own_report(sentence: &str, checks: Checks) -> Result<Json> {
    parse(&report(sentence, &checks.finish()?, None)).map_err(Error::not_json)
}
