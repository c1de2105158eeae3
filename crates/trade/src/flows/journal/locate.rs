//! Finds a transaction that a wallet may have sent, without its hash: by the account's transaction count.
//!
//! A page that was reloaded while the wallet's prompt was open never gets the answer. The node can report how many
//! transactions the account has in blocks. If there are more than before the prompt, the new ones are looked at, from
//! the oldest on, each once: a later look goes on where this one ended. The block of each is found by the account's
//! transaction count after earlier blocks. The same search finds the replacement of a transaction whose fee was raised
//! in the wallet.

use crate::client::Client;
use crate::flows::chain::pending::Pending;
use crate::host::Host;
use crate::ledger::record::{Entry, Stage};
use crate::ledger::step::Event;
use crate::wallet::account::{big_quantity, quantity};
use crate::wallet::chain::Chain;
use crate::wallet::reads::{Batch, Read, is_not_kept};
use alloy_primitives::{Address, B256};
use verify::internal::domain::transaction::{Sent, SentCall};
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::{Json, JsonAt, parse};

/// The number of reads after which no further transaction of an account is looked for, until the next look.
const MAX_QUESTIONS: u32 = 24;

/// The hash of a mined transaction that makes the requested call, among the account's transactions from the nonce `from`
/// on, and that no other entry of the journal has; and the nonce up to which all were looked at. `None` if there is none so
/// far: after [`MAX_QUESTIONS`] reads no further one is looked for, nor where no node keeps the old states or blocks.
///
/// # Errors
/// The RPC's failure.
async fn find_sent<H: Host>(chain: &Chain<'_, H>, asked: &SentCall, from: u64) -> Result<(Option<B256>, u64)> {
    let (top, mined) = read_top(chain, &asked.from).await?;
    let (mut next, mut floor, mut questions) = (from, 0, 0);
    while next < mined && questions < MAX_QUESTIONS {
        let found = read_block(chain, &asked.from, (next, mined), (floor, top), &mut questions).await?;
        let Some((transactions, block, after)) = found else { break };
        for found in &transactions {
            let is_new = found.get("nonce").and_then(quantity).is_some_and(|number| number >= from);
            if let Some(hash) = hash_of(found).filter(|hash| is_new && is_unknown_same(chain, asked, found, hash)) {
                return Ok((Some(hash), next));
            }
        }
        (next, floor) = (after.max(next.saturating_add(1)), block);
    }
    Ok((None, next))
}

/// The number of the latest block, and how many transactions of the account are in blocks.
///
/// # Errors
/// The RPC's failure.
async fn read_top<H: Host>(chain: &Chain<'_, H>, account: &Address) -> Result<(u64, u64)> {
    let mut batch = Batch::default();
    let (latest, count) = (batch.add(Read::block_number()), batch.add(Read::transaction_count(account)));
    let answers = chain.ask(batch).await?;
    Ok((answers.get(latest)?, answers.get(count)?))
}

/// The hash of a transaction, as a node describes it.
fn hash_of(transaction: &Json) -> Option<B256> {
    JsonAt::input(transaction, "transaction").get("hash").fixed::<32>().ok().map(B256::from)
}

/// Whether a mined transaction of that hash makes the requested call, and no entry of the journal has it.
fn is_unknown_same<H: Host>(chain: &Chain<'_, H>, asked: &SentCall, found: &Json, hash: &B256) -> bool {
    asked.is(found)
        && found.get("value").and_then(big_quantity) == Some(asked.value)
        && chain.client.shared.ledger.trades(|entry| entry.transaction == Some(*hash)).is_empty()
}

/// The transactions of the block that [`find_block`] finds, its number, and the account's count after it; `None` if no node
/// keeps that block, or the states that lead to it.
///
/// # Errors
/// The RPC's failure.
async fn read_block<H: Host>(
    chain: &Chain<'_, H>,
    account: &Address,
    numbers: (u64, u64),
    blocks: (u64, u64),
    questions: &mut u32,
) -> Result<Option<(Vec<Json>, u64, u64)>> {
    let read = async {
        let (block, after) = find_block(chain, account, numbers, blocks, questions).await?;
        Ok::<_, Error>((chain.read(Read::block_transactions(block)).await?, block, after))
    };
    match read.await {
        Err(error) if is_not_kept(&error) => Ok(None),
        found => found.map(Some),
    }
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
            let (found, next) = find_sent(&chain, &asked, from).await?;
            (hash, looked_at) = (found, Some(next));
        }
        let Some(hash) = hash else {
            shared.ledger.apply(entry.key, Event::NotFoundOnChain(looked_at)).await;
            return Ok(None);
        };
        let found = Sent::new(entry.chain_id, entry.owner, hash);
        shared.ledger.apply(entry.key, Event::FoundOnChain(found)).await;
    }
    look_at(&chain, Sent::new(entry.chain_id, entry.owner, hash.unwrap_or_default())).await.map(Some)
}

/// Looks once more for a transaction that counted as dropped: a node may show again what all had forgotten. Returns
/// whether one does, and then notes what became of it.
///
/// # Errors
/// The RPC's failure.
pub async fn look_again<H: Host>(client: &Client<H>, entry: &Entry, signal: &H::Signal) -> Result<bool> {
    let Some(hash) = entry.transaction else { return Ok(false) };
    let chain = Chain::need(client, entry.chain_id, signal).await?;
    let shown = chain.ask_everywhere(|| vec![Read::transaction(&hash)]).await?;
    let is_there = shown.iter().flatten().any(|shown| *shown != Json::Null);
    if is_there {
        look_for(client, entry, signal).await?;
    }
    Ok(is_there)
}

/// Looks for calls of the journal that the wallet was asked to send together: the wallet is asked by their `id`, and
/// if it does not have them, the chain for the transaction that it named. `None` if neither has it: whether the wallet
/// sent them is not known, as its prompt may still be open.
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
    let is_forgotten = entry.is_forgotten(shared.host.unix_ms());
    let looked = if id.is_empty() { Ok(false) } else { pending.look_by_id(chain, id).await };
    let is_known = match looked {
        // The user decides, whatever the wallet answers.
        Err(error) if error.code != ErrorCode::Aborted && is_forgotten => false,
        known => known?,
    };
    if is_open && !is_known {
        if entry.stage == Stage::Asking {
            shared.ledger.apply(entry.key, Event::NotFoundOnChain(entry.looked_at)).await;
        }
        return Ok(None);
    }
    if is_open {
        shared.ledger.apply(entry.key, Event::FoundOnChain(pending.sent.clone())).await;
    }
    // A look that shows nothing new is not noted: the time since the last news goes on.
    if !is_forgotten || pending.sent.status != "PENDING" || pending.sent.hash != entry.transaction {
        shared.ledger.record_sent(&pending.sent).await;
    }
    Ok(Some(pending.sent))
}

/// Looks at a transaction that was sent earlier, or its replacement, and notes the outcome. It proves nothing that a
/// node does not have it: wallets hold some back, and other nodes may have it.
///
/// # Errors
/// The RPC's failure.
pub async fn look_at<H: Host>(chain: &Chain<'_, H>, sent: Sent) -> Result<Sent> {
    let mut pending = Pending::new(sent);
    look_once(chain, &mut pending).await?;
    Ok(pending.sent)
}

/// [`look_at`], repeated: a transaction unknown to all nodes for long is `DROPPED`.
///
/// # Errors
/// The RPC's failure.
pub async fn look_once<H: Host>(chain: &Chain<'_, H>, pending: &mut Pending) -> Result<()> {
    pending.look_until_sure(chain).await?;
    find_replacement(chain, pending).await;
    chain.client.shared.ledger.record_sent(&pending.sent).await;
    Ok(())
}

/// Reads the mined transaction that has the nonce of one without a receipt. One that does the same, because its fee was
/// raised in the wallet, is followed from then on; another one, such as a cancellation, makes it REPLACED. If it is that
/// transaction itself, or no node shows one, it stays PENDING: nodes find receipts by an index, which may be behind the
/// count.
pub async fn find_replacement<H: Host>(chain: &Chain<'_, H>, pending: &mut Pending) {
    let ledger = &chain.client.shared.ledger;
    let Some(number) = pending.take_overtaken() else { return };
    let Ok(Some(found)) = read_numbered(chain, &pending.sent.from, number).await else { return };
    let Some(hash) = hash_of(&found).filter(|hash| pending.sent.hash != Some(*hash)) else { return };
    let entry = ledger.entry_of(&pending.sent);
    let same = entry.filter(|entry| entry.asked().is_some_and(|asked| is_unknown_same(chain, &asked, &found, &hash)));
    let Some(entry) = same else {
        pending.sent.status = "REPLACED";
        return chain.client.shared.nodes.forget_state(chain.id());
    };
    let sent = Sent { nonce: Some(number), ..Sent::new(entry.chain_id, entry.owner, hash) };
    ledger.apply(entry.key, Event::IdentifierChanged(sent.clone())).await;
    *pending = Pending::new(sent);
    // After a failure here, the next look tries again.
    let _ = pending.look(chain).await;
}

/// The account's mined transaction with that nonce, as the node describes it; `None` if no node shows it.
///
/// # Errors
/// The RPC's failure.
async fn read_numbered<H: Host>(chain: &Chain<'_, H>, account: &Address, number: u64) -> Result<Option<Json>> {
    let (top, mined) = read_top(chain, account).await?;
    if mined <= number {
        return Ok(None);
    }
    let block = read_block(chain, account, (number, mined), (0, top), &mut 0).await?;
    let is_it = |found: &Json| {
        found.get("nonce").and_then(quantity) == Some(number)
            && JsonAt::input(found, "transaction").get("from").address().is_ok_and(|from| from == *account)
    };
    Ok(block.and_then(|(transactions, ..)| transactions.into_iter().find(is_it)))
}
