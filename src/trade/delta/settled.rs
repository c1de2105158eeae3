//! Whether the chain shows that an order was settled. The service's COMPLETED alone is a claim.

use crate::client::{Client, SignedOrder};
use crate::domain::abi::word;
use crate::domain::delta::calls::is_nonce_used;
use crate::domain::member::{Members, member};
use crate::domain::token::is_native;
use crate::domain::verify::delta_reported::bridged_to;
use crate::error::Result;
use crate::host::Host;
use crate::json::{Json, JsonAt};
use crate::trade::delta::reported::Reported;
use crate::wallet::account::quantity;
use crate::wallet::reads::{Batch, Chain, Read};
use alloy_primitives::{Address, B256, U256};
use alloy_sol_types::{SolEvent, sol};

sol! {
    event Transfer(address indexed from, address indexed to, uint256 value);
}

/// The most fills that are looked at.
const MOST_FILLS: usize = 32;

/// `seen` where the chain shows all of it: that each fill's transaction succeeded, that Delta's contract logged the
/// order in it or used the order's nonce up in its block, and that the beneficiary received at least the least that the
/// order guarantees. `claimed` otherwise, also where the chain cannot be read: then nobody knows.
pub async fn settlement<H: Host>(client: &Client<H>, reported: &Reported<'_>, signal: &H::Signal) -> &'static str {
    let Some(signed) = &reported.signed else { return "claimed" };
    match find_on_chain(client, signed, reported.json, signal).await {
        Ok(Some(())) => "seen",
        _ => "claimed",
    }
}

/// Something, where the chain shows it.
async fn find_on_chain<H: Host>(
    client: &Client<H>,
    signed: &SignedOrder,
    reported: &Json,
    signal: &H::Signal,
) -> Result<Option<()>> {
    let SignedOrder { order, chain_id, .. } = signed;
    // Where a handler has the proceeds, what becomes of them is its own affair.
    let (Some(least), Some(beneficiary)) = (signed.arrives, order.find(member!("beneficiary"))) else {
        return Ok(None);
    };
    let fills = JsonAt::service(reported, "order").get("transactions");
    let Some(origins) = fill_hashes(&fills, "originTx") else { return Ok(None) };
    let Some(here) = Chain::find(client, *chain_id, signal).await? else { return Ok(None) };
    let receipts = read_receipts(&here, &origins).await?;
    if !all_succeeded(&receipts) || !all_fill_order(&here, &receipts, signed).await? {
        return Ok(None);
    }
    let received = match bridged_to(order) {
        None => amount_received(&here, &receipts, order.address(member!("destToken")), beneficiary).await?,
        Some(elsewhere) => {
            let Some(arrivals) = fill_hashes(&fills, "destinationTx") else { return Ok(None) };
            let Some(there) = Chain::find(client, elsewhere, signal).await? else { return Ok(None) };
            let receipts = self::read_receipts(&there, &arrivals).await?;
            match all_succeeded(&receipts) {
                true => {
                    amount_received(
                        &there,
                        &receipts,
                        order.find(member!("bridge.outputToken")).unwrap_or_default(),
                        beneficiary,
                    )
                    .await?
                }
                false => None,
            }
        }
    };
    Ok(received.filter(|received| *received >= least).map(|_| ()))
}

/// The transactions of an order's fills, each once; nothing, where one is missing, or there are too many to look at.
fn fill_hashes(fills: &JsonAt<'_>, name: &'static str) -> Option<Vec<B256>> {
    let mut all = Vec::new();
    for fill in fills.items().ok()?.take(MOST_FILLS.saturating_add(1)) {
        let hash = B256::from(fill.get(name).fixed::<32>().ok()?);
        if !all.contains(&hash) {
            all.push(hash);
        }
    }
    (1..=MOST_FILLS).contains(&all.len()).then_some(all)
}

async fn read_receipts<H: Host>(chain: &Chain<'_, H>, hashes: &[B256]) -> Result<Vec<Json>> {
    let mut batch = Batch::default();
    let receipts = batch.add_all(hashes.iter().map(Read::receipt));
    chain.ask(batch).await?.get_all(receipts)
}

/// Whether all of them are there, and succeeded.
fn all_succeeded(receipts: &[Json]) -> bool {
    receipts.iter().all(|receipt| receipt.get("status").and_then(quantity) == Some(1))
}

/// Whether all of them are fills of that order: by what the contract logged, or of a single one by the order's nonce,
/// which was unused before its block and used after it.
async fn all_fill_order<H: Host>(chain: &Chain<'_, H>, receipts: &[Json], signed: &SignedOrder) -> Result<bool> {
    let names_it = |log: &Log| log.address == signed.delta && log.words.contains(&signed.hash);
    if receipts.iter().all(|receipt| logs(receipt).iter().any(names_it)) {
        return Ok(true);
    }
    let [receipt] = receipts else { return Ok(false) };
    let data = is_nonce_used(signed.order.address(member!("owner")), signed.order.uint(member!("nonce")));
    let used = read_around_blocks(chain, &[receipt], &|block| Read::word_at(&signed.delta, &data, block)).await?;
    Ok(used == [(U256::ZERO, U256::from(1))])
}

/// What a token's transfers brought somebody in these transactions, raw units. The native token leaves no log: what its
/// holder had after a block counts, less what was there before.
async fn amount_received<H: Host>(
    chain: &Chain<'_, H>,
    receipts: &[Json],
    token: Address,
    to: Address,
) -> Result<Option<U256>> {
    let mut sum = U256::ZERO;
    if is_native(token) || token.is_zero() {
        let mut blocks: Vec<&Json> = Vec::new();
        for receipt in receipts {
            if blocks.iter().all(|known| known.get("blockNumber") != receipt.get("blockNumber")) {
                blocks.push(receipt);
            }
        }
        for (before, after) in read_around_blocks(chain, &blocks, &|block| Read::native_balance_at(&to, block)).await? {
            sum = sum.saturating_add(after.saturating_sub(before));
        }
        return Ok(Some(sum));
    }
    for log in receipts.iter().flat_map(logs).filter(|log| log.address == token) {
        // Topics, then the amount. What somebody sends to himself brings nothing.
        if let [Transfer::SIGNATURE_HASH, from, receiver, amount] = log.words.as_slice()
            && *receiver == to.into_word()
            && from != receiver
        {
            sum = sum.saturating_add((*amount).into());
        }
    }
    Ok(Some(sum))
}

/// What is read after the block before each of these, and after that block.
async fn read_around_blocks<H: Host>(
    chain: &Chain<'_, H>,
    receipts: &[&Json],
    read: &dyn Fn(u64) -> Read<U256>,
) -> Result<Vec<(U256, U256)>> {
    let (mut batch, mut reads) = (Batch::default(), Vec::new());
    for receipt in receipts {
        let block = receipt.get("blockNumber").and_then(quantity).unwrap_or_default();
        reads.push((batch.add(read(block.saturating_sub(1))), batch.add(read(block))));
    }
    let answers = chain.ask(batch).await?;
    let mut found = Vec::new();
    for (before, after) in reads {
        found.push((answers.get(before)?, answers.get(after)?));
    }
    Ok(found)
}

/// An event: who logged it, its topics and then the words of its data.
struct Log {
    address: Address,
    words: Vec<B256>,
}

fn logs(receipt: &Json) -> Vec<Log> {
    let mut all = Vec::new();
    let at = JsonAt::input(receipt, "receipt");
    let Ok(items) = at.get("logs").items() else { return all };
    for item in items {
        let mut words = Vec::new();
        let Ok(address) = item.get("address").address() else { continue };
        for topic in item.get("topics").items().into_iter().flatten() {
            words.extend(topic.fixed::<32>().map(B256::from));
        }
        let data = item.get("data").bytes().unwrap_or_default();
        let mut place = 0_usize;
        while let Some(next) = word(&data, place) {
            words.push(next.into());
            place = place.saturating_add(32);
        }
        all.push(Log { address, words });
    }
    all
}
