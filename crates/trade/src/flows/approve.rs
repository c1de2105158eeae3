//! ERC-20 approvals (<https://eips.ethereum.org/EIPS/eip-20>): exactly what the trade may spend, for exactly one
//! spender.
//!
//! [`approve`] takes back the need that a build stated, and refuses an edited one. The spender is compared once more
//! with the contract of its chain, whatever its source ("A quote against the request" in docs/verification.md).

use crate::client::Client;
use crate::flows::call::{CallArgs, Progress};
use crate::flows::chain::approval::{
    add_effect, allowance, approval_on_its_way, find_reset, open_approval, read_current, recent_approval, reset_trial,
};
use crate::flows::chain::deployment::find_deployment;
use crate::flows::chain::pending::{FIRST_PAUSE_MS, MAX_FAILURES, Pending, receipt_pause_ms};
use crate::flows::chain::signature_check::{has_code, knows_code, needs_batch};
use crate::flows::journal::locate::{look_for, look_once};
use crate::flows::journal::sync::sync_best_effort;
use crate::flows::transaction::ask::ask_journaled;
use crate::host::{Host, Signal};
use crate::ledger::record::{Entry, Stage, transaction_entry};
use crate::ledger::step::Event;
use crate::wallet::account::ensure_ready;
use crate::wallet::batch::{Together, find_allowed};
use crate::wallet::chain::Chain;
use crate::wallet::confirm::{Payload, PromptContent, PromptGate, Purpose, own_report};
use crate::wallet::prompt::is_own_asked;
use crate::wallet::reads::{Batch, Read};
use crate::wallet::sending::WalletCalls;
use crate::wallet::transaction::{Message, simulate_together};
use alloy_primitives::{B256, U256, keccak256};
use verify::internal::domain::approval::{ApprovalNeed, Step};
use verify::internal::domain::chain::{Deployment, Source};
use verify::internal::domain::delta::status::FOREIGN;
use verify::internal::domain::input::{amount_input, known, one_of, optional};
use verify::internal::domain::permit::PERMIT2;
use verify::internal::domain::token::own_decimals;
use verify::internal::domain::transaction::Sent;
use verify::internal::domain::verify::question::check_carried;
use verify::internal::domain::verify::{Checks, Verdict};
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::{Json, JsonAt, ObjectWriter, array, quoted};
use verify::internal::value::text::ToText;

/// The words of the option `until`: whether the call returns once the approval was sent.
const UNTIL: [(bool, &str); 2] = [(false, "allowed"), (true, "sent")];

/// After so many looks for a receipt the transaction's nonce is looked at, too.
const LOOKS: u32 = 10;

/// The plain options of [`approve`]: `accept` (the answered questions of its build), `amount` (raw units or `"unlimited"`, to approve more than needed), whether calls may
/// be sent together, and `until` when the call lasts (`"allowed"`, or `"sent"` where an order can be signed meanwhile).
pub const APPROVE_OPTIONS: [&str; 5] = ["accept", "amount", "batch", "until", "withoutJournal"];

/// The amount in the options, in raw units; `"unlimited"` is 2^256 - 1.
///
/// # Errors
/// INVALID_INPUT with the unknown option, or with an amount that cannot be read.
fn read_amount(options: &JsonAt<'_>) -> Result<Option<U256>> {
    known(options, &APPROVE_OPTIONS)?;
    let amount = options.get("amount").some().map(|at| match at.text() {
        Ok("unlimited") => Ok(U256::MAX),
        _ => amount_input(&at),
    });
    amount.transpose()
}

/// Raises the allowance if it is too low, after a reset if the token wants one. Returns `{ transactions, allowance }`:
/// the hashes of the sent transactions, and the allowance read afterwards, in raw units.
///
/// # Errors
/// INVALID_INPUT if the approval was edited, another client made it, or the decimals stated in the request are not the
/// token's; PRICE_UNJUDGED while a question of its build is open; VERIFY_MISMATCH if the spender is not the chain's contract for that protocol; INSUFFICIENT_ALLOWANCE
/// if less was approved in the wallet; WALLET_PENDING if another tab asks for the same; the wallet's and the RPC's failures.
pub async fn approve<H: Host>(client: &Client<H>, call: &CallArgs<'_, H>) -> Result<String> {
    let (signal, options) = (call.signal, JsonAt::input(call.options, "options"));
    let stated = read_amount(&options)?;
    let returns = optional(&options.get("until"), |at| one_of(at, &UNTIL, "allowed or sent"))?.unwrap_or(false);
    let mut need = open_approval(&JsonAt::input(call.data, "approval"), &client.shared.settings.secret)?;
    let amount = need.amount_to_approve(stated)?;
    let deployment = find_deployment(&client.shared, need.chain_id, need.protocol, signal).await?;
    let said = client.shared.service.stated_decimals.find(&(need.chain_id, need.token)).map(|(_, said)| said);
    need.check_spender(&deployment)?;
    call.gate.defer_questions(client, check_carried(&need.questions, &options.get("accept")))?;
    let report = report_approval(&need, &amount, &deployment)?;
    (call.progress)(Progress::step("checking"));
    ensure_ready(client, need.owner, need.chain_id, signal).await?;
    let chain = Chain::need(client, need.chain_id, signal).await?;
    let state = read_state(&chain, &mut need, (said, returns)).await?;
    // A key signs before its approval is in a block; the answer of an account's code may depend on it.
    let returns = returns && !has_code(&chain, need.owner).await?;
    // Another tab may have sent it.
    sync_best_effort(client, signal).await;
    let (hashes, is_on_its_way) = raise(&chain, &mut need, amount, (state, returns, &report), call).await?;
    if !is_on_its_way {
        need.check_sufficient()?;
        (call.progress)(Progress::step("approved"));
    }
    let mut out = ObjectWriter::object();
    out.raw("transactions", &array(&hashes));
    out.value_or_null("allowance", need.current.as_ref());
    Ok(out.close())
}

/// The state read before an approval.
struct State {
    /// How many transactions the owner has in blocks; `None` if the node does not report it.
    mined_before: Option<u64>,
    /// Whether the token accepts the new allowance in place of the old one, if that was tried.
    accepts: Option<bool>,
}

/// Reads the allowance into `need`, and what else an approval needs. `said` are the decimals that the request stated; with
/// `returns` it is read whether the owner has code, too. Answers of the last 2 s are reused, as for a simulation.
///
/// # Errors
/// INVALID_INPUT with the decimals if they are not the token's: the amount is not the one that the user meant; the RPC's
/// failure.
async fn read_state<H: Host>(
    chain: &Chain<'_, H>,
    need: &mut ApprovalNeed,
    (said, returns): (Option<u8>, bool),
) -> Result<State> {
    let nodes = &chain.client.shared.nodes;
    let mut batch = Batch::default();
    // A transaction was sent before: it may be this very approval, and its block has to be read with the allowance.
    let is_shown = nodes.shown_after(need.chain_id, Some(0)).is_some();
    let current = if is_shown { allowance(need) } else { allowance(need).tried() };
    let (current, decimals) = (batch.add(current), batch.add(Read::decimals(need.chain_id, &need.token)));
    let mined = batch.add(Read::transaction_count(&need.owner).tried().or_nothing());
    if returns {
        batch.add(Read::code_size(&need.owner).lasting().or_nothing());
    }
    // Simulated from the allowance of the build, which mostly still holds. If the simulation reverts, it is repeated
    // alone.
    let trial = reset_trial(need).map(|trial| batch.add(trial.or_nothing()));
    let head = is_shown.then(|| batch.add(Read::head()));
    let answers = chain.ask(batch).await?;
    let decimals = answers.get(decimals)?;
    need.current = Some(answers.get(current)?);
    let block = answers.get_if_asked(head)?.and_then(|head| head.number);
    if need.is_missing() && nodes.shown_after(need.chain_id, block).is_some() {
        read_current(need, chain).await?;
    }
    said.map_or(Ok(()), |said| own_decimals("request.srcDecimals", said, &decimals))?;
    let accepts = trial.and_then(|trial| answers.get(trial).ok());
    Ok(State { mined_before: answers.get(mined).ok(), accepts })
}

/// Has the wallet approve as long as the allowance is too low, and nothing that suffices is on its way. Returns the hashes of
/// what was sent, and whether the approval is on its way: only with `returns`, which does not wait for it.
///
/// # Errors
/// Those of [`approve`] from the prompt on.
async fn raise<H: Host>(
    chain: &Chain<'_, H>,
    need: &mut ApprovalNeed,
    amount: U256,
    (mut state, returns, report): (State, bool, &Json),
    call: &CallArgs<'_, H>,
) -> Result<(Vec<String>, bool)> {
    let CallArgs { signal, progress, gate, .. } = *call;
    let (client, options) = (chain.client, JsonAt::input(call.options, "options"));
    let mut together = find_allowed(client, &options, (need.owner, need.chain_id), signal).await?;
    let is_by_id = needs_batch(chain, need.owner, together).await;
    let mut hashes = Vec::new();
    // Once more if an earlier attempt's transaction was found: its allowance may have been used since.
    let (mut again, mut looks) = (true, true);
    while again && need.is_missing() {
        again = false;
        let mut is_seen = false;
        if core::mem::take(&mut looks) {
            if is_sent_already(chain, need, (returns, progress)).await? {
                return Ok((hashes, true));
            }
            if !need.is_missing() {
                break;
            }
        }
        match state.accepts.take() {
            Some(accepts) => need.reset_first = reset_trial(need).is_some() && !accepts,
            None => find_reset(chain, need).await?,
        }
        let steps = need.steps(amount);
        let is_together = together.is_possible() && (is_by_id || steps.len() > 1);
        for steps in if is_together { vec![&*steps] } else { steps.chunks(1).collect() } {
            let how = if is_together { together } else { Together::NEVER };
            let Some((hash, earlier, seen)) =
                send_steps(chain, need, steps, (how, state.mined_before, returns), (gate, report, progress)).await?
            else {
                // The prompt that was joined is gone, another call sent it, or the wallet does not take the calls together.
                together = find_allowed(client, &options, (need.owner, need.chain_id), signal).await?;
                (again, looks) = (true, true);
                break;
            };
            hashes.extend(hash.map(|hash| quoted(&hash.text())));
            if returns && approval_on_its_way(&client.shared, need).is_some() {
                return Ok((hashes, true));
            }
            again |= earlier;
            (need.current, is_seen) = (seen.or(need.current), seen.is_some());
        }
        if !is_seen {
            read_current(need, chain).await?;
        }
    }
    Ok((hashes, false))
}

/// The report for the prompt of an approval of that amount.
///
/// # Errors
/// VERIFY_MISMATCH with a check that failed.
fn report_approval(need: &ApprovalNeed, amount: &U256, deployment: &Deployment) -> Result<Json> {
    let mut checks = Checks::default();
    let is_vouched = deployment.source != Source::Service || need.spender == PERMIT2;
    let verdict = if is_vouched { Verdict::Ok } else { Verdict::Opaque };
    let known = if need.spender == PERMIT2 { "Permit2".into() } else { deployment.describe(need.protocol) };
    checks.note("approval.spender", &known, &need.spender, verdict);
    let verdict = if *amount > need.amount { Verdict::Unusual } else { Verdict::Ok };
    checks.note("approval.amount", &need.amount, amount, verdict);
    own_report(&need.sentence(amount), checks)
}

/// Has the wallet send these steps, in the form of `together`, and waits until the chain shows the
/// allowance. Returns the transaction's hash, if it is known, whether an earlier attempt's prompt was joined
/// instead of opening one, and the allowance, if it was seen; `None` if the wallet takes no calls together.
/// `mined_before` is the number of the owner's transactions in blocks before; with `returns` it does not wait for the
/// approval.
async fn send_steps<H: Host>(
    chain: &Chain<'_, H>,
    need: &ApprovalNeed,
    steps: &[Step],
    (together, mined_before, returns): (Together<'_>, Option<u64>, bool),
    (gate, report, progress): (&PromptGate<H>, &Json, &dyn Fn(Progress)),
) -> Result<Option<(Option<B256>, bool, Option<U256>)>> {
    let (client, shared, chain_id) = (chain.client, &chain.client.shared, need.chain_id);
    let Some(last) = steps.last() else { return Ok(None) };
    let calls: Vec<Message<'_>> = steps.iter().map(|step| Message::of(&step.transaction)).collect();
    // The same calls are the same request, under whatever id and with whatever paymaster.
    let key = keccak256(match together.is_possible() {
        true => Together { paymaster: None, ..together }.params(chain_id, "", &calls),
        false => Message::of(&last.transaction).params(chain_id, None),
    });
    let parts: Vec<_> = calls.iter().copied().zip(steps.iter().map(|step| need.sentence(&step.allowance))).collect();
    let payload = Payload::Sent(chain_id, &parts, together.paymaster);
    let content = PromptContent { key, purpose: Purpose::Approve, report, payload, detail: None };
    // Two tabs do not ask for the same approval: the other one may have sent it before it gave the lock back.
    let lock = gate.hold(&shared.ledger, key, key, true).await.map_err(elsewhere)?;
    shared.ledger.is_journal_read.set(false);
    sync_best_effort(client, chain.signal).await;
    let (outgoing, consent) = loop {
        let joins = is_own_asked(client, key);
        let known = shared.ledger.trade(key);
        let calls = calls.clone();
        let outgoing =
            WalletCalls::new(shared, (key, need.owner, chain_id), (together, calls), (known.as_ref(), false));
        if outgoing.calls.len() > 1 && !joins {
            simulate_together(chain, &outgoing.calls).await?;
        }
        ensure_ready(client, need.owner, chain_id, chain.signal).await?;
        if joins {
            gate.check_settled()?;
            break (outgoing, None);
        }
        if let Some(consent) = gate.pass(client, &content, chain.signal).await? {
            // Another call may have sent it meanwhile.
            if approval_on_its_way(shared, need).is_some() {
                return Ok(None);
            }
            break (outgoing, Some(consent));
        }
    };
    let joins = consent.is_none();
    progress(Progress::step(last.name));
    if chain.signal.is_aborted() {
        return Err(Error::aborted());
    }
    let entry = transaction_entry(
        Purpose::Approve.name(),
        &last.transaction,
        key,
        mined_before,
        &need.summary(&last.allowance),
    );
    let entry = Entry { has_code: knows_code(chain, need.owner).await, ..entry };
    let asks = consent.map(|consent| (entry, consent));
    let sent = ask_journaled(client, &outgoing, asks, chain.signal, &|| {}).await;
    drop(lock);
    let Some(sent) = sent? else {
        if !joins {
            gate.keep_answer();
        }
        return Ok(None);
    };
    shared.ledger.apply(key, Event::IdentifierChanged(sent.clone())).await;
    if returns && !together.is_possible() && approval_on_its_way(shared, need).is_some() {
        progress(confirming(&sent));
        return Ok(Some((sent.hash, joins, None)));
    }
    let (hash, found) = follow(chain, sent, need, (last.allowance, progress)).await?;
    Ok(Some((hash, joins, found)))
}

/// WALLET_PENDING in place of ALREADY_SIGNED: another tab has the prompt of the same approval open.
fn elsewhere(error: Error) -> Error {
    match error.code {
        ErrorCode::AlreadySigned => {
            let message = "another tab of this site asks for the same approval in the wallet: answer it there";
            Error::new(ErrorCode::WalletPending, message)
        }
        _ => error,
    }
}

/// Whether an approval that suffices was sent before a reload, or by another call, and is on its way: the user does
/// not approve the same twice. Unless the caller `returns` meanwhile, it is waited for. The allowance is read anew
/// behind it, also if it was in a block a moment ago.
///
/// # Errors
/// The failure of RPC or wallet; ABORTED.
async fn is_sent_already<H: Host>(
    chain: &Chain<'_, H>,
    need: &mut ApprovalNeed,
    (returns, progress): (bool, &dyn Fn(Progress)),
) -> Result<bool> {
    let shared = &chain.client.shared;
    let Some(entry) = recent_approval(shared, need) else { return Ok(false) };
    let is_open = entry.stage == Stage::Sent;
    let is_pending =
        is_open && look_for(chain.client, &entry, chain.signal).await?.is_some_and(|sent| sent.status == "PENDING");
    // A fee may have been raised in the wallet.
    let entry = shared.ledger.trade(entry.key).filter(|_| is_pending);
    if returns && entry.is_some() {
        return Ok(true);
    }
    if let Some(entry) = entry {
        let outcome = follow(chain, entry.named_sent(), need, (need.amount, progress)).await;
        // If it did not go through, another one is sent.
        if approval_on_its_way(shared, need).is_some() {
            outcome?;
        }
    }
    read_current(need, chain).await?;
    Ok(false)
}

/// The wallet sent it, and a block is waited for.
fn confirming(sent: &Sent) -> Progress {
    Progress { transaction: sent.hash, batch: sent.batch.clone(), ..Progress::step("confirming") }
}

/// Waits for the approval of `wanted` to be in a block, and notes its outcome. Returns its hash, and the allowance if it was
/// seen to be that.
///
/// # Errors
/// Same as [`confirm`].
async fn follow<H: Host>(
    chain: &Chain<'_, H>,
    sent: Sent,
    need: &ApprovalNeed,
    (wanted, progress): (U256, &dyn Fn(Progress)),
) -> Result<(Option<B256>, Option<U256>)> {
    progress(confirming(&sent));
    let mut pending = Pending::new(sent);
    let outcome = confirm(chain, &mut pending, need, wanted).await;
    if outcome.is_ok() && ![FOREIGN, "REPLACED", "DROPPED"].contains(&pending.sent.status) {
        pending.sent.status = "COMPLETED";
    }
    chain.client.shared.ledger.record_sent(&pending.sent).await;
    outcome.map(|found| (pending.sent.hash, found))
}

/// Waits until the transaction is in a block, or until the chain shows the allowance `wanted`. The second is for a
/// transaction that the user replaced in the wallet, which then never gets a receipt, and for contracts that send it
/// under another hash. Returns the allowance, if it was seen to be that.
///
/// # Errors
/// WALLET_FAILED if it reverted, was replaced or dropped, or another account sent it; ABORTED; the failure of RPC or
/// wallet, after eight in a row.
async fn confirm<H: Host>(
    chain: &Chain<'_, H>,
    pending: &mut Pending,
    need: &ApprovalNeed,
    wanted: U256,
) -> Result<Option<U256>> {
    let is_there = |found: &U256| if wanted.is_zero() { found.is_zero() } else { *found >= wanted };
    let (mut failures, mut looks, mut pause_ms) = (0_u32, 0_u32, FIRST_PAUSE_MS);
    loop {
        looks = looks.saturating_add(1);
        // Each time with the reads that the trade needs next.
        let found = match pending.confirm(chain, |batch| add_effect(&chain.client.shared, need, batch)).await {
            Ok(found) => {
                failures = 0;
                found.filter(is_there)
            }
            Err(error) => {
                failures = failures.saturating_add(1);
                if chain.signal.is_aborted() || failures >= MAX_FAILURES {
                    return Err(error);
                }
                // A node that reports no transactions may still report the allowance.
                chain.read(allowance(need)).await.ok().filter(is_there)
            }
        };
        if looks > LOOKS && found.is_none() {
            // By its nonce, too: it may have been cancelled in the wallet, or dropped.
            let _ = look_once(chain, pending).await;
        }
        match pending.sent.status {
            "COMPLETED" => return Ok(found),
            status @ ("REPLACED" | "DROPPED") if found.is_none() => {
                let message = ["the transaction ", &pending.sent.name(), " is ", status].concat();
                return Err(Error::new(ErrorCode::WalletFailed, &message));
            }
            "FAILED" | "PARTIAL" => {
                let message = ["the transaction ", &pending.sent.name(), " reverted"].concat();
                return Err(Error::new(ErrorCode::WalletFailed, &message));
            }
            _ => {}
        }
        if chain.signal.is_aborted() {
            return Err(Error::aborted());
        }
        if found.is_some() {
            return Ok(found);
        }
        if pending.sent.status == FOREIGN {
            return Err(pending.sent.not_asked_for());
        }
        chain.client.shared.host.sleep(pause_ms, chain.signal).await;
        pause_ms = receipt_pause_ms(chain.id());
    }
}
