//! Asking a wallet to send: a transaction, or several calls together. Each is asked for once, under a key.

use super::batch::{Atomic, has_refused, read_status};
use super::failure::as_lost;
use super::prompt::{Question, forget, once};
use super::transaction::Message;
use crate::client::{Client, Shared};
use crate::domain::journal::Entry;
use crate::domain::transaction::Sent;
use crate::error::{Error, ErrorCode, Result};
use crate::host::Host;
use crate::json::{Json, JsonAt};
use alloy_primitives::{Address, B256, hex};

/// The wallet has calls of that id already.
const DUPLICATE_ID: i64 = 5720;

/// What the wallet is asked to send in one prompt.
pub struct Outgoing<'a> {
    /// The key of the prompt: the same key is the same question.
    pub key: B256,
    /// Who sends it.
    pub owner: Address,
    /// The chain.
    pub chain_id: u64,
    /// The calls. Several only if they go together.
    pub calls: Vec<Message<'a>>,
    /// How the wallet takes them together; `Unsupported` for a transaction.
    pub atomic: Atomic,
    /// The id of calls that go together: see [`choose_id`].
    pub id: Option<String>,
}

/// The id under which calls are asked for; empty if the wallet chooses it, `None` for a transaction. What was asked for
/// before, and did not fail, keeps its id: if the wallet has it, it says so, and sends nothing twice.
pub fn choose_id<H: Host>(shared: &Shared<H>, atomic: Atomic, known: Option<&Entry>) -> Option<String> {
    match atomic {
        Atomic::Unsupported => return None,
        Atomic::SupportedV1 => return Some(String::new()),
        Atomic::Ready | Atomic::Supported => {}
    }
    let has_failed = |entry: &&Entry| matches!(entry.status.as_deref(), Some("FAILED" | "PARTIAL"));
    let known = known.filter(|entry| !has_failed(entry)).and_then(|entry| entry.batch.clone());
    let known = known.filter(|id| !id.is_empty());
    Some(known.unwrap_or_else(|| hex::encode_prefixed(shared.host.random())))
}

/// Asks the wallet to send it, or joins the prompt of that key, whatever that is for: see [`once`], which explains
/// `may_open` and `opened`. `None` if the prompt to join is gone, or the wallet takes no calls together after all: the
/// caller starts over, with the checks.
///
/// # Errors
/// Those of [`once`]; WALLET_PENDING if the wallet has these calls, and nobody has answered it; WALLET_FAILED for an answer
/// without hash or id. After the last two it may still send.
pub async fn send<H: Host>(
    client: &Client<H>,
    outgoing: &Outgoing<'_>,
    may_open: bool,
    signal: &H::Signal,
    opened: &dyn Fn(),
) -> Result<Option<Sent>> {
    let Outgoing { key, owner, chain_id, .. } = *outgoing;
    let open = client.shared.prompts.borrow().iter().find(|open| open.key == key).map(|open| open.batch.clone());
    let batch = open.unwrap_or_else(|| outgoing.id.clone());
    let (method, params) = match (&batch, outgoing.calls.last()) {
        (Some(id), _) => ("wallet_sendCalls", outgoing.atomic.params(chain_id, id, &outgoing.calls)),
        (None, call) => ("eth_sendTransaction", call.map(|call| call.params(chain_id)).unwrap_or_default()),
    };
    let question = Question { key, method, params: &params, batch: batch.as_deref() };
    let (answer, batch) = match (once(client, &question, may_open, signal, opened).await, &batch) {
        (Ok(Some(found)), _) => found,
        (Ok(None), _) => return Ok(None),
        (Err(error), Some(id)) if error.wallet_code == Some(DUPLICATE_ID) => {
            if read_status(client, id, signal).await?.is_some() {
                return Ok(Some(Sent::batch(chain_id, owner, id.clone())));
            }
            let message = "the wallet was asked for these calls before: answer it there";
            return Err(as_lost(Error::new(ErrorCode::WalletPending, message).caused_by(error.cause.clone())));
        }
        (Err(error), Some(_)) if has_refused(client, &error, owner, chain_id) => return Ok(None),
        (Err(error), _) => return Err(error),
    };
    forget(client, key);
    match batch {
        Some(id) => match answer.get("id").unwrap_or(&answer).as_text().unwrap_or(&id) {
            "" => Err(no_name("id", &answer)),
            id => Ok(Some(Sent::batch(chain_id, owner, id.into()))),
        },
        None => match JsonAt::input(&answer, "hash").fixed::<32>() {
            Ok(hash) => Ok(Some(Sent::new(chain_id, owner, hash.into()))),
            Err(_) => Err(no_name("transaction hash", &answer)),
        },
    }
}

/// WALLET_FAILED for an answer that does not name what was sent, if anything was.
fn no_name(what: &str, answer: &Json) -> Error {
    let message = ["the wallet's answer is no ", what, ": ", &answer.excerpt(80)].concat();
    as_lost(Error::new(ErrorCode::WalletFailed, &message))
}
