//! Finds a transaction that a wallet may have sent, without its hash: by the account's transaction count.
//!
//! A page that was reloaded while the wallet's prompt was open never gets the answer. The node can report how many
//! transactions the account has in blocks. If there are more than before the prompt, the new ones are looked at, from
//! the oldest on, each once: a later look goes on where this one ended. The block of each is found by the account's
//! transaction count after earlier blocks. The same search finds the replacement of a transaction whose fee was raised
//! in the wallet.

use crate::client::Client;
use crate::domain::transaction::{Sent, SentCall};
use crate::error::{Error, Result};
use crate::host::Host;
use crate::json::{Json, JsonAt, parse};
use crate::ledger::record::{Entry, Stage};
use crate::ledger::step::Event;
use crate::trade::chain::pending::Pending;
use crate::wallet::account::{big_quantity, quantity};
use crate::wallet::chain::Chain;
use crate::wallet::reads::{Batch, Read};
use alloy_primitives::{Address, B256};

/// The number of reads after which no further transaction of an account is looked for, until the next look.
const MAX_QUESTIONS: u32 = 24;

/// The hash and nonce of a mined transaction that makes the requested call, among the account's transactions from the
/// nonce `from` on, before the nonce `until`, and that no other entry of the journal has; and the nonce up to which all
/// were looked at. `None` if there is none so far: after [`MAX_QUESTIONS`] reads no further one is looked for.
///
/// # Errors
/// The RPC's failure, also if the node does not keep the old states needed.
async fn find_sent<H: Host>(
    chain: &Chain<'_, H>,
    asked: &SentCall,
    (from, until): (u64, u64),
) -> Result<(Option<(B256, u64)>, u64)> {
    let ledger = &chain.client.shared.ledger;
    let mut batch = Batch::default();
    let (latest, count) = (batch.add(Read::block_number()), batch.add(Read::transaction_count(&asked.from)));
    let answers = chain.ask(batch).await?;
    let (top, mined) = (answers.get(latest)?, answers.get(count)?);
    let (mut next, mut floor, mut questions) = (from, 0, 0);
    while next < mined.min(until) && questions < MAX_QUESTIONS {
        let (block, after) = find_block(chain, &asked.from, (next, mined), (floor, top), &mut questions).await?;
        let transactions = chain.read(Read::block_transactions(block)).await?;
        for item in JsonAt::input(&transactions, "transactions").items()? {
            let does_same =
                |found: &&Json| asked.is(found) && found.get("value").and_then(big_quantity) == Some(asked.value);
            let Some(found) = item.json().filter(does_same) else { continue };
            let number = found.get("nonce").and_then(quantity).filter(|number| *number >= from);
            let hash = item.get("hash").fixed::<32>().ok().map(B256::from);
            let is_known = |hash: &B256| !ledger.trades(|entry| entry.transaction == Some(*hash)).is_empty();
            if let Some(found) = hash.filter(|hash| !is_known(hash)).zip(number) {
                return Ok((Some(found), next));
            }
        }
        (next, floor) = (after.max(next.saturating_add(1)), block);
    }
    Ok((None, next))
}

/// The block of the account's transaction with that nonce, `number`, while its count is `mined`: after `floor`, if that
/// is not 0, at most `top`; and the account's count after that block. The steps back are doubled, then halved, and
/// counted in `questions`.
///
/// # Errors
/// The RPC's failure.
async fn find_block<H: Host>(
    chain: &Chain<'_, H>,
    account: &Address,
    (number, mined): (u64, u64),
    (floor, top): (u64, u64),
    questions: &mut u32,
) -> Result<(u64, u64)> {
    let (mut low, mut high, mut after, mut step) = (floor, top, mined, Some(1_u64));
    while high.saturating_sub(low) > 1 {
        let back = step.map(|step| top.saturating_sub(step)).filter(|back| *back > low);
        let looked_at = back.unwrap_or(low.midpoint(high));
        *questions = questions.saturating_add(1);
        let count = chain.read(Read::transaction_count_at(account, looked_at)).await?;
        step = step.filter(|_| back.is_some() && count > number).map(|step| step.saturating_mul(2));
        if count > number {
            (high, after) = (looked_at, count);
        } else {
            low = looked_at;
        }
    }
    Ok((high, after))
}

/// Looks for a transaction of the journal on its chain: by its hash, or without one among those that the account has
/// sent since. Notes its outcome. `None` if it was not found: whether the wallet sent it is not known.
///
/// # Errors
/// The RPC's failure.
pub async fn look_for<H: Host>(client: &Client<H>, entry: &Entry, signal: &H::Signal) -> Result<Option<Sent>> {
    let shared = &client.shared;
    let chain = Chain::need(client, entry.chain_id, signal).await?;
    if let Some(id) = &entry.batch {
        return look_for_batch(&chain, entry, id).await;
    }
    let mut hash = entry.transaction;
    if hash.is_none() {
        let payload = parse(entry.payload.as_deref().unwrap_or("null")).map_err(Error::not_json)?;
        let asked = SentCall::read(&JsonAt::input(&payload, "entry"))?;
        // Without the count before the prompt, an earlier transaction that does the same could be taken for this one.
        let mut looked_at = entry.looked_at.max(entry.mined_before);
        if let Some(from) = looked_at.filter(|_| entry.mined_before.is_some()) {
            let (found, next) = find_sent(&chain, &asked, (from, u64::MAX)).await?;
            (hash, looked_at) = (found.map(|(hash, _)| hash), Some(next));
        }
        let Some(hash) = hash else {
            shared.ledger.apply(entry.key, Event::NotFound(looked_at)).await;
            return Ok(None);
        };
        let found = Sent::new(entry.chain_id, entry.owner, hash);
        shared.ledger.apply(entry.key, Event::Found(found)).await;
    }
    look_at(&chain, Sent::new(entry.chain_id, entry.owner, hash.unwrap_or_default())).await.map(Some)
}

/// Looks for calls of the journal that the wallet was asked to send together: the wallet is asked by their `id`, and if
/// it does not know them, the chain for the transaction that it named. `None` if neither knows: whether the wallet sent
/// them is not known, as its prompt may still be open.
///
/// # Errors
/// The errors of wallet and RPC.
async fn look_for_batch<H: Host>(chain: &Chain<'_, H>, entry: &Entry, id: &str) -> Result<Option<Sent>> {
    let shared = &chain.client.shared;
    let sent = Sent { hash: entry.transaction, ..Sent::batch(entry.chain_id, entry.owner, id.into()) };
    let is_open = entry.stage == Stage::Asking || entry.status.as_deref() == Some("UNSIGNED");
    if entry.stage == Stage::Ended && !is_open {
        // Wallets forget: an outcome that was seen stays.
        return Ok(Some(Sent { status: Sent::status_named(entry.status.as_deref()), ..sent }));
    }
    let mut pending = Pending::new(sent);
    let is_known = !id.is_empty() && pending.look_by_id(chain, id).await?;
    if is_open && !is_known {
        if entry.stage == Stage::Asking {
            shared.ledger.apply(entry.key, Event::NotFound(entry.looked_at)).await;
        }
        return Ok(None);
    }
    if is_open {
        shared.ledger.apply(entry.key, Event::Found(pending.sent.clone())).await;
    }
    shared.ledger.note_sent(&pending.sent).await;
    Ok(Some(pending.sent))
}

/// Looks at a transaction that was sent earlier, or its replacement, and notes the outcome. It proves nothing that a
/// node does not know it: wallets hold some back, and other nodes may have it.
///
/// # Errors
/// The RPC's failure.
pub async fn look_at<H: Host>(chain: &Chain<'_, H>, sent: Sent) -> Result<Sent> {
    let mut pending = Pending::new(sent);
    look_once(chain, &mut pending).await?;
    Ok(pending.sent)
}

/// [`look_at`] by somebody who looks again: one that no node knows for long is `DROPPED`.
///
/// # Errors
/// The RPC's failure.
pub async fn look_once<H: Host>(chain: &Chain<'_, H>, pending: &mut Pending) -> Result<()> {
    pending.look_until_sure(chain).await?;
    if pending.sent.status == "REPLACED" {
        find_replacement(chain, pending).await;
    }
    chain.client.shared.ledger.note_sent(&pending.sent).await;
    Ok(())
}

/// Looks for the replacement of a transaction that this client sent. One that does the same, because its fee was raised
/// in the wallet, is followed from then on; another one, such as a cancellation, leaves it REPLACED, and so does a node
/// that cannot find it.
pub async fn find_replacement<H: Host>(chain: &Chain<'_, H>, pending: &mut Pending) {
    let shared = &chain.client.shared;
    let Some((entry, number)) = shared.ledger.entry_of(&pending.sent).zip(pending.sent.nonce) else { return };
    let Some(asked) = entry.asked() else { return };
    if let Ok((Some((hash, found)), _)) = find_sent(chain, &asked, (number, number.saturating_add(1))).await
        && found == number
    {
        let sent = Sent { nonce: Some(number), ..Sent::new(entry.chain_id, entry.owner, hash) };
        shared.ledger.apply(entry.key, Event::Renamed(sent.clone())).await;
        *pending = Pending::new(sent);
        // After a failure here, the next look tries again.
        let _ = pending.look(chain).await;
    }
}
