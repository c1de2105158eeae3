//! Asks a wallet to send: a transaction, or several calls together. Each is requested once, under a key.

use super::batch::{Atomic, Together, has_refused, read_status};
use super::chain::Chain;
use super::confirm::PromptPermission;
use super::failure::DUPLICATE_ID;
use super::prompt::{PromptRequest, forget, is_own, once};
use super::reads::Read;
use super::transaction::Message;
use crate::client::{Client, Shared};
use crate::host::Host;
use crate::ledger::record::{Entry, Stage};
use alloy_primitives::{Address, B256, hex};
use verify::internal::domain::transaction::Sent;
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::{Json, JsonAt};
use verify::internal::value::text::ToText;

/// The calls for the wallet to send in one prompt.
pub struct WalletCalls<'a> {
    /// The key of the prompt: the same key is the same request.
    pub key: B256,
    /// The account that sends the calls.
    pub owner: Address,
    /// The chain on which the calls are sent.
    pub chain_id: u64,
    /// The calls. Several only if they go together.
    pub calls: Vec<Message<'a>>,
    /// The form in which the wallet takes them together; `NEVER` for a transaction.
    pub together: Together<'a>,
    /// The id of calls that go together; empty if the wallet chooses it, `None` for a transaction.
    pub id: Option<String>,
    /// It was requested under that id before, and no answer came.
    pub repeats: bool,
    /// The nonce that a transaction has to have; `None` if the wallet chooses it.
    pub number: Option<u64>,
}

impl<'a> WalletCalls<'a> {
    /// The calls of one account under a key. `known` is the journal's entry of an earlier request: calls that may still
    /// be sent keep their id. With `is_once` the id is the same each time, unless it failed: a wallet that has it
    /// reports that, and sends nothing twice.
    pub fn new<H: Host>(
        shared: &Shared<H>,
        (key, owner, chain_id): (B256, Address, u64),
        (together, calls): (Together<'a>, Vec<Message<'a>>),
        (known, is_once): (Option<&Entry>, bool),
    ) -> WalletCalls<'a> {
        let open = known.filter(|entry| entry.stage == Stage::Asking).and_then(|entry| entry.batch.clone());
        let open = open.filter(|id| !id.is_empty());
        let has_failed = known.is_some_and(|entry| matches!(entry.status.as_deref(), Some("FAILED" | "PARTIAL")));
        let is_new = || !is_once || has_failed || shared.ledger.spent_ids.borrow().contains(&key.text());
        let (id, repeats) = match (together.atomic, open) {
            (Atomic::Unsupported, _) => (None, false),
            (Atomic::SupportedV1, _) => (Some(String::new()), false),
            (_, Some(id)) => (Some(id), true),
            (_, None) if is_new() => (Some(hex::encode_prefixed(shared.host.random())), false),
            (_, None) => (Some(key.text()), false),
        };
        WalletCalls { key, owner, chain_id, calls, together, id, repeats, number: None }
    }
}

/// Asks the wallet to send, or joins the prompt of that key, whatever it is for: see [`once`], which explains
/// `permission` and `opened`. `None` if the prompt to join is gone, or the wallet takes no calls together after all:
/// the caller starts over, with the checks.
///
/// # Errors
/// The errors of [`once`]; WALLET_PENDING if the wallet has these calls, and they are unanswered; WALLET_FAILED for an
/// answer without hash or id. After the last two it may still send.
pub async fn send<H: Host>(
    client: &Client<H>,
    outgoing: &WalletCalls<'_>,
    permission: Option<PromptPermission>,
    signal: &H::Signal,
    opened: &dyn Fn(),
) -> Result<Option<Sent>> {
    let WalletCalls { key, owner, chain_id, .. } = *outgoing;
    let open = client
        .shared
        .ledger
        .prompts
        .borrow()
        .iter()
        .find(|open| is_own(client, open, key))
        .map(|open| open.batch.clone());
    // The joined prompt may be for other calls: it is not opened again for these.
    let permission = permission.filter(|_| open.is_none());
    let batch = open.unwrap_or_else(|| outgoing.id.clone());
    let (method, params) = match (&batch, outgoing.calls.last()) {
        (Some(id), _) => ("wallet_sendCalls", outgoing.together.params(chain_id, id, &outgoing.calls)),
        (None, call) => {
            ("eth_sendTransaction", call.map(|call| call.params(chain_id, outgoing.number)).unwrap_or_default())
        }
    };
    // The state that it changes is read anew.
    let is_sent = |sent| {
        client.shared.nodes.forget_state(chain_id);
        Ok(Some(sent))
    };
    let question = PromptRequest { key, method, params: &params, batch: batch.as_deref() };
    let (answer, batch) = match (once(client, &question, permission, signal, opened).await, &batch) {
        (Ok(Some(found)), _) => found,
        (Ok(None), _) => return Ok(None),
        (Err(error), Some(id)) if error.wallet_code == Some(DUPLICATE_ID) => {
            if read_status(client, id, signal).await.map_err(|error| may_be_sent(error, "nothing"))?.is_some() {
                return is_sent(Sent::batch(chain_id, owner, id.clone()));
            }
            // Another id is random: a wallet that has that one, too, has every id.
            if !outgoing.repeats && *id == key.text() {
                client.shared.ledger.spent_ids.borrow_mut().push(id.clone());
                return Ok(None);
            }
            let message = "the wallet was asked for these calls before: answer it there";
            let pending = Error::new(ErrorCode::WalletPending, message).caused_by(error.cause.clone());
            return Err(may_be_sent(pending, &error.message));
        }
        // Its refusal proves nothing about an earlier request.
        (Err(error), Some(_)) if has_refused(client, &error, owner, chain_id) && !outgoing.repeats => return Ok(None),
        (Err(error), _) => return Err(confirm_revert(client, outgoing, error, signal).await),
    };
    forget(client, key);
    match batch {
        Some(_) => match answer.get("id").unwrap_or(&answer).as_text().filter(|id| !id.is_empty()) {
            Some(id) => is_sent(Sent::batch(chain_id, owner, id.into())),
            None => Err(no_name("id", &answer)),
        },
        None => match JsonAt::input(&answer, "hash").fixed::<32>() {
            Ok(hash) => is_sent(Sent::new(chain_id, owner, hash.into())),
            Err(_) => Err(no_name("transaction hash", &answer)),
        },
    }
}

/// Tries the call that the wallet or its node calls reverted, and may have sent all the same: nodes report by the same
/// codes a transaction that they have. Only if it reverts now, too, and no node counts another transaction of the account
/// than before the prompt, nothing was sent: one that was mined may have used up the allowance. The count of an account
/// whose calls go together proves nothing.
async fn confirm_revert<H: Host>(
    client: &Client<H>,
    outgoing: &WalletCalls<'_>,
    error: Error,
    signal: &H::Signal,
) -> Error {
    let before = client.shared.ledger.trade(outgoing.key).and_then(|entry| entry.mined_before);
    let (Some(before), [call], None) = (before, &outgoing.calls[..], &outgoing.id) else { return error };
    if !error.reverted || error.may_be_sent.is_none() {
        return error;
    }
    client.shared.nodes.forget_state(outgoing.chain_id);
    let Ok(chain) = Chain::need(client, outgoing.chain_id, signal).await else { return error };
    let now = match call.simulate(&chain).await {
        Err(now) if now.reverted => now,
        _ => return error,
    };
    let counts = || vec![Read::transaction_count(&outgoing.owner), Read::pending_count(&outgoing.owner)];
    match chain.ask_everywhere(counts).await {
        Ok(counts) if counts.iter().flatten().all(|count| *count == before) => now.caused_by(error.cause.clone()),
        _ => error,
    }
}

/// WALLET_FAILED for an answer without a hash or id, whether or not anything was sent.
fn no_name(what: &str, answer: &Json) -> Error {
    let said = answer.excerpt(80);
    let message = ["the wallet's answer is no ", what, ": ", &said].concat();
    may_be_sent(Error::new(ErrorCode::WalletFailed, &message), &said)
}

/// The error of a wallet that answered with `said`, and may still send.
fn may_be_sent(mut error: Error, said: &str) -> Error {
    error.may_be_sent = Some(said.into());
    error
}
