//! Sends a transaction: checked, simulated by `eth_call`, sent once, and remembered by its hash.
//!
//! The transaction was verified when it was built, and is in the seal that the app passes back, so an edited one is never
//! sent. The service's gas values are not passed on.

use crate::client::Client;
use crate::flows::call::{CallArgs, Progress};
use crate::flows::chain::approval::{expect_approval, preceding, shown_approval};
use crate::flows::chain::funding::Funding;
use crate::flows::chain::signature_check::{knows_code, needs_batch};
use crate::flows::journal::locate::{look_again, look_for};
use crate::flows::journal::sync::{sync, sync_now};
use crate::flows::seal::{of_another_client, seal};
use crate::flows::sealed_permit::take_permit;
use crate::flows::transaction::ask::ask_journaled;
use crate::flows::transaction::asked_before::{check_asked_before, foreign, in_the_way};
use crate::flows::transaction::sealed::{check_sent, read_transaction, write_terms};
use crate::host::{Host, Signal};
use crate::ledger::asked::Asked;
use crate::ledger::record::{Entry, Stage, summary, transaction_entry};
use crate::ledger::second::{ExistingOrder, WantedTransaction, is_decided, may_be_under_way};
use crate::ledger::step::{Event, OrderEntry};
use crate::wallet::account::ensure_ready;
use crate::wallet::batch::{Together, ask_early, find_allowed};
use crate::wallet::chain::{Chain, retry_fresh};
use crate::wallet::confirm::{AppConsent, Payload, PromptContent, Purpose};
use crate::wallet::prompt::{is_asked, is_own_asked};
use crate::wallet::sending::WalletCalls;
use crate::wallet::transaction::{Message, simulate_together};
use alloy_primitives::{B256, hex, keccak256};
use verify::internal::domain::approval::{ApprovalNeed, approval_sentence};
use verify::internal::domain::delta::status::FOREIGN;
use verify::internal::domain::input::{one_of, optional};
use verify::internal::domain::transaction::{Sent, Transaction};
use verify::internal::domain::verify::question::check_answers;
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::{Json, JsonAt, ObjectWriter, parse};
use verify::internal::value::text::ToText;

/// Has the application's node simulate it now, as it may be submitted at once: the answer counts for 2 s. If it `lacks` an
/// approval, that is done with the approval's receipt.
pub fn simulate_early<H: Host>(transaction: &Transaction, lacks: bool, client: &Client<H>) {
    if lacks {
        let need = Funding::of(transaction).need(None);
        need.iter().for_each(|need| expect_approval(&client.shared, need, transaction));
    } else if let Some(chain) = Chain::given(client, transaction.chain_id, &H::Signal::never()) {
        check_early(transaction, &chain);
    }
}

/// Asks the wallet whether it takes several calls together, and awaits nothing.
pub fn ask_wallet_early<H: Host>(transaction: &Transaction, client: &Client<H>) {
    if !client.shared.settings.never_batches {
        ask_early(client, transaction.owner, transaction.chain_id);
    }
}

/// Starts the reads of [`check_sendable`], and awaits nothing.
pub fn check_early<H: Host>(transaction: &Transaction, chain: &Chain<'_, H>) {
    Funding::of(transaction).read_early(chain);
    Message::of(transaction).simulate_early(chain);
}

/// Refuses a transaction that could not be sent now, or not before `until`. If the wallet takes several calls together,
/// a missing allowance is no reason to refuse. Everything is read in one round.
///
/// # Errors
/// QUOTE_EXPIRED; those of [`Funding::read`], [`Funding::check_covered`] and [`Message::simulate`].
async fn check_sendable<'a, H: Host>(
    transaction: &Transaction,
    client: &Client<H>,
    (context, together): (&SendContext<'_>, Together<'a>),
    emit: &impl Fn(&'static str),
    signal: &H::Signal,
) -> Result<PreparedSend<'a>> {
    let chain = Chain::need(client, transaction.chain_id, signal).await?;
    check_early(transaction, &chain);
    let (mut calls, mut block) = (Vec::new(), None);
    for funding in [Some(Funding::of(transaction)), context.order].into_iter().flatten() {
        let found = funding.read(&chain).await?;
        if context.until.is_some_and(|until| until <= found.now) {
            let message = "this build has expired by the chain's clock: quote and build again";
            return Err(Error::new(ErrorCode::QuoteExpired, message));
        }
        let covered = funding.check_covered(&found);
        let is_missing = covered.as_ref().is_err_and(|error| error.code == ErrorCode::InsufficientAllowance);
        // An approval that an older state does not show yet is not asked for again.
        let is_old = client.shared.nodes.shown_after(transaction.chain_id, found.block).is_some();
        let is_sendable = is_missing && !is_old && together.is_possible();
        if let Some(need) = funding.need(None).filter(|_| is_sendable) {
            match preceding(need.covering(context.approval.as_ref()), &chain).await {
                // A contract that this package does not approve to.
                Err(error) if error.code == ErrorCode::VerifyMismatch => covered?,
                preceding => calls.extend(preceding?),
            }
        } else {
            covered?;
        }
        block = found.block;
    }
    calls.push(transaction.clone());
    emit("simulating");
    let tried = match &*calls {
        [_] => Message::of(transaction).simulate(&chain).await,
        calls => simulate_together(&chain, &messages(calls)).await,
    };
    let mined_before = tried.map_err(|error| error.as_of(block))?;
    let is_together = calls.len() > 1 || needs_batch(&chain, transaction.owner, together).await;
    let (together, has_code) =
        (if is_together { together } else { Together::NEVER }, knows_code(&chain, transaction.owner).await);
    Ok(PreparedSend { together, calls, mined_before, has_code })
}

/// A transaction that passed its checks, in the form in which it goes to the wallet.
struct PreparedSend<'a> {
    /// All calls that are sent, the transaction last.
    calls: Vec<Transaction>,
    /// How the wallet takes them together; `NEVER` for a single transaction.
    together: Together<'a>,
    /// How many transactions the sender has in blocks; `None` if the node does not report it.
    mined_before: Option<u64>,
    /// The sender is known to have code.
    has_code: bool,
}

/// The calls that the wallet is asked to send, each with its sentence: approvals, and what they are for.
fn sentences<'a>(calls: &'a [Transaction], context: &SendContext<'_>) -> Vec<(Message<'a>, String)> {
    let own = context.report.get("sentence").and_then(Json::as_text).unwrap_or_default();
    let last = calls.len().saturating_sub(1);
    let sentence = |(at, call)| (Message::of(call), if at == last { own.into() } else { approval_sentence(call) });
    calls.iter().enumerate().map(sentence).collect()
}

/// The messages that the wallet is asked to send.
fn messages(calls: &[Transaction]) -> Vec<Message<'_>> {
    calls.iter().map(Message::of).collect()
}

/// Seals a transaction that was built here. Returns its `TransactionBuild` as JSON text, with the missing approval. `report` is JSON text; `cancels` is the hash of the order that this transaction cancels.
///
/// # Errors
/// INVALID_INPUT if stated decimals are not the token's own; the RPC's failure.
pub async fn transaction_build<H: Host>(
    client: &Client<H>,
    purpose: Purpose,
    transaction: &Transaction,
    report: &str,
    cancels: Option<B256>,
    signal: &H::Signal,
) -> Result<String> {
    let asked = Asked::now(&*client.shared.host);
    ask_wallet_early(transaction, client);
    let judged = parse(report).map_err(Error::not_json)?;
    let approval = Funding::of(transaction).approval(client, (&judged, None), signal).await?.0;
    simulate_early(transaction, approval != "null", client);
    let mut view = ObjectWriter::object();
    view.text("kind", "transaction");
    view.text("purpose", purpose.name());
    view.number("chainId", transaction.chain_id);
    view.value("owner", &transaction.owner);
    view.raw("transaction", &transaction.write());
    view.raw("report", report);
    view.raw("approval", &approval);
    let mut inside = view.clone();
    // A random id, because two builds of the same call are two transactions.
    inside.text("id", &hex::encode(client.shared.host.random()));
    write_terms(transaction, &mut inside);
    inside.value_or_null("cancels", cancels.as_ref());
    inside.raw("asked", &asked.write());
    view.text("sealed", &seal(&client.shared.settings.secret, &inside.close()));
    Ok(view.close())
}

/// `submit` of a `TransactionBuild`, of which this client sealed `inside`. Returns the sent transaction; the same one for a build that was sent already.
///
/// # Errors
/// INSUFFICIENT_BALANCE, INSUFFICIENT_ALLOWANCE; WALLET_FAILED with the reason if it would revert; the wallet's failures.
pub async fn submit<H: Host>(client: &Client<H>, call: &CallArgs<'_, H>, inside: &Json) -> Result<Sent> {
    let (at, sealed) = (JsonAt::input(inside, "build"), JsonAt::input(call.data, "build").get("sealed").text()?);
    let (purpose, transaction) = (one_of(&at.get("purpose"), &Purpose::ALL, "a purpose")?, read_transaction(&at)?);
    call.gate.defer_questions(client, check_answers(inside, &JsonAt::input(call.options, "options").get("accept")))?;
    // The same orders filled twice are two fills; any other transaction may be sent twice without harm.
    let intent = (purpose == Purpose::Fill).then(|| keccak256(&transaction.data));
    let context = SendContext {
        purpose,
        intent,
        asked: optional(&at.get("asked"), Asked::read)?,
        cancels: optional(&at.get("cancels"), |at| at.fixed::<32>())?.map(B256::from),
        report: inside.get("report").unwrap_or(&Json::Null),
        first: None,
        summary: &summary(inside),
        until: None,
        order: None,
        approval: shown_approval(client, inside),
        sealed,
    };
    send_once(client, &transaction, &context, call).await
}

/// The circumstances of a transaction to be sent.
pub struct SendContext<'a> {
    /// The purpose of the transaction.
    pub purpose: Purpose,
    /// The key shared by all transactions that make the same trade; `None` if any number of them may be sent.
    pub intent: Option<B256>,
    /// When the app asked for the build, or its price; `None` if that is not known.
    pub asked: Option<Asked>,
    /// The hash of the order that it cancels.
    pub cancels: Option<B256>,
    /// The report of what is sent, as shown to the user.
    pub report: &'a Json,
    /// The entry of the order that it consents to: noted before its own.
    pub first: Option<OrderEntry>,
    /// The summary shown to the user, for the journal: a JSON object's text.
    pub summary: &'a str,
    /// It is sent before this time, unix seconds by the chain's clock; `None` for no limit.
    pub until: Option<u64>,
    /// The payment of the order that it consents to, beside its own.
    pub order: Option<Funding<'a>>,
    /// The approval as shown to the user, if one was missing.
    pub approval: Option<ApprovalNeed>,
    /// The sealed text of its build: each is sent once.
    pub sealed: &'a str,
}

/// Sends a transaction, unless one for the same sealed text was sent already: then returns that one. Takes its permit,
/// and frees it if the transaction was not sent.
///
/// # Errors
/// Same as [`submit`]; QUOTE_EXPIRED; INVALID_INPUT with `build.permit` if something else uses its permit;
/// ALREADY_SIGNED if one for the same trade may be on its way.
pub async fn send_once<H: Host>(
    client: &Client<H>,
    transaction: &Transaction,
    context: &SendContext<'_>,
    call: &CallArgs<'_, H>,
) -> Result<Sent> {
    loop {
        if let Some(sent) = attempt(client, transaction, context, call).await? {
            return Ok(sent);
        }
    }
}

/// One attempt of [`send_once`]. `None` if the application was asked meanwhile, and agrees: the caller starts over with
/// checks of its own, and attempts it again.
///
/// # Errors
/// Same as [`send_once`].
pub async fn attempt<H: Host>(
    client: &Client<H>,
    transaction: &Transaction,
    context: &SendContext<'_>,
    call: &CallArgs<'_, H>,
) -> Result<Option<Sent>> {
    let key = keccak256(context.sealed);
    let alone = intent_alone(context, call)?;
    // The lock is held until the call ends: no other call opens a prompt for the same trade meanwhile.
    let _lock = call.gate.hold(&client.shared.ledger, alone.unwrap_or(key), key, false).await?;
    let read = sync_now(client, call.signal).await;
    find_sent(client, context, key, call.signal).await?;
    take_permit(
        &client.shared,
        transaction.pays.and_then(|pays| pays.permit).map(|permit| permit.hash),
        key,
        "build.permit",
    )?;
    let sent = loop {
        // Another attempt may have sent it meanwhile.
        if let Some(known) = client.shared.ledger.sent(key) {
            call.gate.check_settled()?;
            client.shared.ledger.tell_now(key).await;
            return Ok(Some(known));
        }
        match ask_to_send(client, transaction, context, (key, alone, &read), call).await {
            Ok(Some(sent)) => break sent,
            Ok(None) if call.gate.was_asked() => return Ok(None),
            // The prompt to join is gone, or the wallet takes the calls not together, or not under that id: each once.
            Ok(None) => {}
            Err(error) => {
                // The permit stays taken while a prompt is open, or if its answer never came: the transaction may still
                // be sent.
                let is_journaled = client.shared.ledger.trade(key).is_some_and(|entry| entry.stage != Stage::Ended);
                if !is_asked(&client.shared, key) && !is_journaled {
                    client.shared.ledger.apply(key, Event::PermitFreed).await;
                }
                return Err(Funding::of(transaction)
                    .with_approval(client, error, (context.report, None), call.signal)
                    .await);
            }
        }
    };
    (call.posting)();
    let is_stored = client.shared.ledger.apply(key, Event::WalletSent(sent.clone())).await;
    let (transaction, batch) = (sent.hash, sent.batch.clone());
    (call.progress)(Progress { transaction, batch, is_stored, ..Progress::step("sent") });
    client.shared.ledger.tell_now(key).await;
    Ok(Some(sent))
}

/// Remembers the transaction of that key if by the journal it was sent: before a reload, or in another tab; or
/// if it was not lost after all.
///
/// # Errors
/// The RPC's failure.
async fn find_sent<H: Host>(
    client: &Client<H>,
    context: &SendContext<'_>,
    key: B256,
    signal: &H::Signal,
) -> Result<()> {
    if let Some(entry) = client.shared.ledger.trade(key).filter(|_| !is_own_asked(client, key))
        && client.shared.ledger.sent(key).is_none()
        && let Some(sent) = look_for(client, &entry, signal).await?
        && counts_as_sent(&sent, &entry, context.intent)
    {
        client.shared.ledger.apply(key, Event::SentBefore(sent)).await;
    }
    Ok(())
}

/// Whether a transaction that was found is in a block, or on its way, so that the build is not sent again. `intent` is
/// that of the trade.
fn counts_as_sent(sent: &Sent, entry: &Entry, intent: Option<B256>) -> bool {
    sent.status == "COMPLETED"
        || (sent.status == "PENDING" && (entry.stage != Stage::Ended || sent.batch.is_some()))
        // The trade may have gone through, and only the calls after it not.
        || (sent.status == "PARTIAL" && intent.is_some())
}

/// The transaction that a page before a reload sent for the build at that place.
///
/// # Errors
/// INVALID_INPUT with the build, if nothing was sent for it or that failed; ALREADY_SIGNED if the wallet was asked for
/// it and whether it was sent is not known; JOURNAL_UNREADABLE; the RPC's failure.
pub async fn find_sent_before<H: Host>(client: &Client<H>, at: &JsonAt<'_>, signal: &H::Signal) -> Result<Sent> {
    sync(client, signal).await?;
    let (ledger, key) = (&client.shared.ledger, keccak256(at.get("sealed").text()?));
    let Some(entry) = ledger.trade(key) else { return Err(of_another_client("build")) };
    check_sent(at, Some(&entry))?;
    if let Some(sent) = ledger.sent(key) {
        return Ok(sent);
    }
    // One that was dropped, replaced or reverted is over: another look would find it pending.
    if entry.stage == Stage::Ended && ![Some("COMPLETED"), Some("PARTIAL")].contains(&entry.status.as_deref()) {
        return Err(of_another_client("build"));
    }
    match look_for(client, &entry, signal).await? {
        Some(sent) if counts_as_sent(&sent, &entry, entry.intent) => {
            ledger.apply(key, Event::SentBefore(sent.clone())).await;
            ledger.tell_now(key).await;
            Ok(sent)
        }
        // The same trade built again may be another transaction, which nothing would stop.
        None => Err(in_the_way("was asked for before a reload, and whether the wallet sent it is not known")),
        _ => Err(of_another_client("build")),
    }
}

/// Opens the wallet's prompt after all checks, or joins the one that is open for this very transaction. Returns the
/// sent transaction; `None` if the prompt to join is gone, another attempt has sent it, or the application was asked: the caller starts over.
///
/// # Errors
/// The errors of [`send_once`].
async fn ask_to_send<H: Host>(
    client: &Client<H>,
    transaction: &Transaction,
    context: &SendContext<'_>,
    (key, alone, read): (B256, Option<B256>, &Result<()>),
    call: &CallArgs<'_, H>,
) -> Result<Option<Sent>> {
    let emit = |step| (call.progress)(Progress::step(step));
    let (owner, chain_id, signal) = (transaction.owner, transaction.chain_id, call.signal);
    let id_of = (key, owner, chain_id);
    if is_own_asked(client, key) {
        call.gate.check_settled()?;
        let joining = WalletCalls::new(&client.shared, id_of, (Together::NEVER, vec![]), (None, false));
        return ask_journaled(client, &joining, None, signal, &|| emit("sending")).await;
    }
    // A second approval or cancellation changes nothing.
    let adds = context.intent.is_some() || !transaction.value.is_zero();
    client.shared.check_read(read, (alone, key, adds))?;
    emit("checking");
    ensure_ready(client, owner, chain_id, signal).await?;
    let at = JsonAt::input(call.options, "options");
    let together = find_allowed(client, &at, (owner, chain_id), signal).await?;
    let check = async || check_sendable(transaction, client, (context, together), &emit, signal).await;
    let prepared = retry_fresh(&client.shared, chain_id, signal, check).await?;
    // With the option `existing: "keepBoth"` it is another transaction.
    let is_once = alone == context.intent;
    let known = client.shared.ledger.trade(key).filter(|_| is_once);
    let calls = (prepared.together, messages(&prepared.calls));
    let mut outgoing = WalletCalls::new(&client.shared, id_of, calls, (known.as_ref(), is_once));
    let (pays_twice, repeats) = (context.intent.is_none() && !transaction.value.is_zero(), outgoing.repeats);
    let wanted = WantedTransaction { key, alone, pays_twice, repeats, is_open: is_own_asked(client, key) };
    let (number, others) = check_no_other(client, wanted, context.asked, call).await?;
    outgoing.number = number.filter(|_| outgoing.id.is_none());
    let parts = sentences(&prepared.calls, context);
    let payload = Payload::Sent(chain_id, &parts, prepared.together.paymaster);
    let content = PromptContent { key, purpose: context.purpose, report: context.report, payload, detail: None };
    let Some(consent) = call.gate.pass(client, &content, signal).await? else { return Ok(None) };
    let Some(sent) = record_and_send(client, transaction, context, (&prepared, &outgoing), consent, call).await? else {
        call.gate.keep_answer();
        return Ok(None);
    };
    // The user looked into the wallet: none of them is there.
    let decided = |entry: &Entry| others.contains(&entry.key) || is_decided(entry, alone, context.intent);
    for other in client.shared.ledger.trades(|entry| entry.key != key && decided(entry)) {
        client.shared.ledger.apply(other.key, Event::UserDeclared).await;
    }
    Ok(Some(sent))
}

/// Notes the transaction that the application agreed to, behind the order that it consents to, and opens the prompt:
/// see [`ask_to_send`].
///
/// # Errors
/// The errors of the wallet; JOURNAL_UNREADABLE.
async fn record_and_send<H: Host>(
    client: &Client<H>,
    transaction: &Transaction,
    context: &SendContext<'_>,
    (prepared, outgoing): (&PreparedSend<'_>, &WalletCalls<'_>),
    consent: AppConsent,
    call: &CallArgs<'_, H>,
) -> Result<Option<Sent>> {
    let (shared, key, signal) = (&client.shared, outgoing.key, call.signal);
    // Once more: the checks took time, and wallets change account and chain at a click.
    ensure_ready(client, transaction.owner, transaction.chain_id, signal).await?;
    // An open prompt was noted with its own count: a later count of mined transactions could hide that it was sent.
    let is_free = !is_own_asked(client, key) && shared.ledger.sent(key).is_none();
    if let Some(order) = context.first.clone().filter(|_| is_free) {
        let _ =
            shared.ledger.ask(order.entry.key, Event::AskSignature(order), shared.without_journal(), signal).await?;
    }
    let entry = transaction_entry(context.purpose.name(), transaction, key, prepared.mined_before, context.summary);
    let entry = Entry { intent: context.intent, cancels: context.cancels, has_code: prepared.has_code, ..entry };
    let asks = is_free.then_some((entry, consent));
    ask_journaled(client, outgoing, asks, signal, &|| (call.progress)(Progress::step("sending"))).await
}

/// The intent of which no other transaction may be on its way; `None` if any number of them may be sent, or the option
/// `existing: "keepBoth"` consents to both.
///
/// # Errors
/// INVALID_INPUT with `options.existing`.
fn intent_alone<H: Host>(context: &SendContext<'_>, call: &CallArgs<'_, H>) -> Result<Option<B256>> {
    let Some(intent) = context.intent else { return Ok(None) };
    match ExistingOrder::read(&JsonAt::input(call.options, "options"))? {
        Some(ExistingOrder::KeepBoth) => Ok(None),
        Some(ExistingOrder::Replace) => {
            let expected = "keepBoth (a transaction is replaced in the wallet: speed up, or cancel)";
            Err(Error::input("options.existing", expected, "replace"))
        }
        None => Ok(Some(intent)),
    }
}

/// Looks once more for transactions of the same trade that counted as dropped: a node may show again what all had
/// forgotten.
///
/// # Errors
/// ALREADY_SIGNED if one is there; the RPC's failure.
async fn find_dropped<H: Host>(client: &Client<H>, wanted: &WantedTransaction, signal: &H::Signal) -> Result<()> {
    let is_dropped = |entry: &Entry| {
        let is_same = wanted.alone.is_some() && entry.intent == wanted.alone && entry.key != wanted.key;
        is_same && entry.is_dropped()
    };
    for entry in client.shared.ledger.trades(is_dropped) {
        if look_again(client, &entry, signal).await? {
            let name = entry.transaction.unwrap_or_default().text();
            return Err(in_the_way(&["was sent as ", &name, ", seemed dropped, and is there again"].concat()));
        }
    }
    Ok(())
}

/// Refuses a transaction while one [`may_be_under_way`] that does the same. Returns the nonce that it has to have, and the
/// keys of those that the caller declares unsent.
///
/// # Errors
/// ALREADY_SIGNED, with a question if the user can decide; the RPC's failure; ABORTED.
async fn check_no_other<H: Host>(
    client: &Client<H>,
    wanted: WantedTransaction,
    asked: Option<Asked>,
    call: &CallArgs<'_, H>,
) -> Result<(Option<u64>, Vec<B256>)> {
    let shared = &client.shared;
    find_dropped(client, &wanted, call.signal).await?;
    let others = shared.ledger.trades(|entry| may_be_under_way(entry, &wanted));
    let (mut number, mut unsent) = (None, vec![]);
    let accept = JsonAt::input(call.options, "options").get("accept");
    for other in others {
        let name = other.transaction.map(|hash| hash.text()).or(other.batch.clone()).unwrap_or_default();
        if other.is_untold {
            return Err(in_the_way(
                &["was sent as ", &name, ", and no call has said so: trades.resume() does"].concat(),
            ));
        }
        if other.stage == Stage::Asking && other.transaction.is_none() {
            let chain = Chain::need(client, other.chain_id, call.signal).await?;
            number = check_asked_before(&chain, &other, wanted.key, &accept, call.gate).await?.or(number);
            unsent.push(other.key);
        } else if let Some(sent) = look_for(client, &other, call.signal).await? {
            match sent.status {
                "PENDING" => {
                    let how = match other.is_forgotten(shared.host.unix_ms()) {
                        true => ", and whether it is in a block is not known (trades.abandon lets go)",
                        false => " and is in no block yet",
                    };
                    let count = sent.waits_for.map_or(String::new(), |count| count.text());
                    let first = if count.is_empty() { "" } else { "; earlier nonces of the account that go first: " };
                    return Err(in_the_way(&["was sent as ", &name, how, first, &count].concat()));
                }
                FOREIGN => return Err(foreign(&other.owner, &name)),
                _ => {}
            }
        }
    }
    wanted.alone.map_or(Ok(()), |intent| shared.ledger.check_told(intent, wanted.key, asked))?;
    Ok((number, unsent))
}
