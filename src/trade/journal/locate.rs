//! Finding a transaction that a wallet may have sent, without its hash: by the account's transaction numbers.
//!
//! A page that was reloaded while the wallet's prompt was open never hears the answer. What the node can tell is how
//! many transactions the account has in blocks. If there are more than before the prompt, the new ones are looked at, from
//! the newest on; the block of each is found by the account's number of transactions after earlier blocks. The same finds
//! what replaced a transaction whose fee was raised in the wallet.

use crate::client::Client;
use crate::domain::journal::{Entry, Stage};
use crate::domain::transaction::{Asked, Sent};
use crate::error::{Error, Result};
use crate::host::Host;
use crate::json::{Json, JsonAt, parse};
use crate::trade::transaction::follow::Pending;
use crate::wallet::account::{big_quantity, quantity};
use crate::wallet::chain::Chain;
use crate::wallet::reads::{Batch, Read};
use alloy_primitives::{Address, B256};

/// How many of the account's newer transactions are looked at.
const MAX_LOOKED_AT: u64 = 16;

/// The hash and number of a mined transaction that does what was asked, among those that the account has sent since it
/// had `mined_before` in blocks, and that no other entry of the journal has. `None` if there is none.
///
/// # Errors
/// The RPC's failure, as that of a node that does not keep the states to find it.
pub async fn find_sent<H: Host>(chain: &Chain<'_, H>, asked: &Asked, mined_before: u64) -> Result<Option<(B256, u64)>> {
    let trades = &chain.client.shared.trades;
    let mut batch = Batch::default();
    let (latest, count) = (batch.add(Read::block_number()), batch.add(Read::transaction_count(&asked.from)));
    let answers = chain.ask(batch).await?;
    let (mut top, mut mined) = (answers.get(latest)?, answers.get(count)?);
    for _ in 0..MAX_LOOKED_AT {
        if mined <= mined_before {
            break;
        }
        let (block, before) = find_block(chain, &asked.from, mined, top).await?;
        let transactions = chain.read(Read::block_transactions(block)).await?;
        for item in JsonAt::input(&transactions, "transactions").items()? {
            let does_same =
                |found: &&Json| asked.is(found) && found.get("value").and_then(big_quantity) == Some(asked.value);
            let Some(found) = item.json().filter(does_same) else { continue };
            let number = found.get("nonce").and_then(quantity).filter(|number| *number >= mined_before);
            let hash = item.get("hash").fixed::<32>().ok().map(B256::from);
            let is_known = |hash: &B256| trades.borrow().iter().any(|entry| entry.transaction == Some(*hash));
            if let Some(found) = hash.filter(|hash| !is_known(hash)).zip(number) {
                return Ok(Some(found));
            }
        }
        (mined, top) = (before, block);
    }
    Ok(None)
}

/// The block in which the account's number of transactions became `mined`, at most `top`, and their number before that
/// block. The steps back are doubled, then halved.
///
/// # Errors
/// The RPC's failure.
async fn find_block<H: Host>(chain: &Chain<'_, H>, account: &Address, mined: u64, top: u64) -> Result<(u64, u64)> {
    let (mut high, mut step) = (top, 1_u64);
    let (mut low, mut before) = loop {
        let low = top.saturating_sub(step);
        let count = chain.read(Read::transaction_count_at(account, low)).await?;
        if count < mined || low == 0 {
            break (low, count);
        }
        (high, step) = (low, step.saturating_mul(2));
    };
    while high.saturating_sub(low) > 1 {
        let middle = low.midpoint(high);
        let count = chain.read(Read::transaction_count_at(account, middle)).await?;
        if count >= mined {
            high = middle;
        } else {
            (low, before) = (middle, count);
        }
    }
    Ok((high, before))
}

/// Looks for a transaction of the journal on its chain: by its hash, or without one among those that the account has
/// sent since. Notes what became of it. `None` if it was not found: whether the wallet sent it is not known.
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
        let asked = Asked::read(&JsonAt::input(&payload, "entry"))?;
        // Without the number of before, an earlier transaction that does the same could be taken for this one.
        if let Some(mined_before) = entry.mined_before {
            hash = find_sent(&chain, &asked, mined_before).await?.map(|(hash, _)| hash);
        }
        let Some(hash) = hash else {
            shared.amend(entry.key, |entry| entry.status.replace("UNCERTAIN".into()).is_none()).await;
            return Ok(None);
        };
        let found = Entry { transaction: Some(hash), stage: Stage::Sent, is_untold: true, ..entry.clone() };
        shared.note(found, true).await;
    }
    look_at(&chain, Sent::new(entry.chain_id, entry.owner, hash.unwrap_or_default())).await.map(Some)
}

/// Looks for calls of the journal that the wallet was asked to send together: it is asked by their `id`, and where it
/// does not know them the chain for the transaction that it named. `None` if neither does: whether it sent them is not
/// known, as its prompt may still be open.
///
/// # Errors
/// Those of wallet and RPC.
async fn look_for_batch<H: Host>(chain: &Chain<'_, H>, entry: &Entry, id: &str) -> Result<Option<Sent>> {
    let shared = &chain.client.shared;
    let sent = Sent { hash: entry.transaction, ..Sent::batch(entry.chain_id, entry.owner, id.into()) };
    let is_open = entry.stage == Stage::Asking || entry.status.as_deref() == Some("UNSIGNED");
    if entry.stage == Stage::Ended && !is_open {
        // Wallets forget. What was seen of it stays so.
        return Ok(Some(Sent { status: Sent::status_named(entry.status.as_deref()), ..sent }));
    }
    let mut pending = Pending::new(sent);
    let is_known = !id.is_empty() && pending.look_by_id(chain, id).await?;
    if is_open && !is_known {
        shared
            .amend(entry.key, |entry| {
                entry.stage == Stage::Asking && entry.status.replace("UNCERTAIN".into()).is_none()
            })
            .await;
        return Ok(None);
    }
    if is_open {
        shared.note_name(entry.key, &pending.sent).await;
        shared.amend(entry.key, |entry| !core::mem::replace(&mut entry.is_untold, true)).await;
    }
    shared.note_sent(&pending.sent).await;
    Ok(Some(pending.sent))
}

/// Looks at a transaction that was sent earlier, or what replaced it, and notes what became of it. That a node does not
/// know it tells nothing: wallets hold some back, and other nodes may have it.
///
/// # Errors
/// The RPC's failure.
pub async fn look_at<H: Host>(chain: &Chain<'_, H>, sent: Sent) -> Result<Sent> {
    let mut pending = Pending::new(sent);
    pending.look_until_sure(chain).await?;
    if pending.sent.status == "REPLACED" {
        find_replacement(chain, &mut pending).await;
    }
    chain.client.shared.note_sent(&pending.sent).await;
    Ok(pending.sent)
}

/// Looks for what replaced a transaction that this client sent. One that does the same, because its fee was raised in the
/// wallet, is followed from then on; another one, such as a cancellation, leaves it REPLACED, and so does a node that
/// cannot tell.
pub async fn find_replacement<H: Host>(chain: &Chain<'_, H>, pending: &mut Pending) {
    let shared = &chain.client.shared;
    let Some((entry, number)) = shared.entry_of(&pending.sent).zip(pending.sent.nonce) else { return };
    let Some(asked) = entry.asked() else { return };
    if let Ok(Some((hash, found))) = find_sent(chain, &asked, number).await
        && found == number
    {
        let sent = Sent { nonce: Some(number), ..Sent::new(entry.chain_id, entry.owner, hash) };
        shared.note_name(entry.key, &sent).await;
        *pending = Pending::new(sent);
        // What fails here is looked for again like anything else.
        let _ = pending.look(chain).await;
    }
}
