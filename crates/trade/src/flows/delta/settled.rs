//! Looks up on the chain whether an order was filled. The service's COMPLETED alone is a claim: it could hide that
//! nothing was paid out. "An order as it is reported" in docs/verification.md lists what has to be seen.
//!
//! Receipts are read from the app's RPC, or through the wallet while it is on that chain. A missing, malformed or
//! unreadable one leaves the order `claimed`: nothing here is an error for the app.

use crate::client::Client;
use crate::flows::delta::reported::Reported;
use crate::host::Host;
use crate::ledger::orders::SignedOrder;
use crate::wallet::account::quantity;
use crate::wallet::chain::Chain;
use crate::wallet::reads::{Batch, Read};
use alloy_primitives::{Address, B256, U256};
use alloy_sol_types::{SolEvent, sol};
use verify::internal::domain::abi::word_at;
use verify::internal::domain::delta::calls::is_nonce_used;
use verify::internal::domain::member::{Members, member};
use verify::internal::domain::token::is_native;
use verify::internal::domain::verify::delta_reported::bridged_to;
use verify::internal::error::Result;
use verify::internal::json::{Json, JsonAt};

sol! {
    event Transfer(address indexed from, address indexed to, uint256 value);
}

/// The most fills that are read; an order with more stays `claimed`.
const MAX_FILLS: usize = 32;

/// `seen` if the chain shows all of this: each fill's transaction succeeded; the Delta contract logged the order in it,
/// or the order's nonce was used in its block; and the beneficiary received at least the guaranteed amount. Else
/// `claimed`, also if the chain cannot be read.
pub async fn settlement<H: Host>(client: &Client<H>, reported: &Reported<'_>, signal: &H::Signal) -> &'static str {
    let Some(signed) = &reported.signed else { return "claimed" };
    match find_on_chain(client, signed, reported.json, signal).await {
        Ok(Some(())) => "seen",
        _ => "claimed",
    }
}

/// `Some` if the chain shows that the order was filled; `None` if it does not, or if the expected payment is not known.
///
/// # Errors
/// The RPC's failure.
async fn find_on_chain<H: Host>(
    client: &Client<H>,
    signed: &SignedOrder,
    reported: &Json,
    signal: &H::Signal,
) -> Result<Option<()>> {
    let SignedOrder { order, chain_id, .. } = signed;
    // An order with a handler has no beneficiary in its struct: the handler's payment is not known.
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
            let receipts = read_receipts(&there, &arrivals).await?;
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

/// The hashes under that name in an order's fills, each once; `None` if a fill has none, or there are more than
/// [`MAX_FILLS`].
fn fill_hashes(fills: &JsonAt<'_>, name: &'static str) -> Option<Vec<B256>> {
    let mut all = Vec::new();
    for fill in fills.items().ok()?.take(MAX_FILLS.saturating_add(1)) {
        let hash = B256::from(fill.get(name).fixed::<32>().ok()?);
        if !all.contains(&hash) {
            all.push(hash);
        }
    }
    (1..=MAX_FILLS).contains(&all.len()).then_some(all)
}

/// The receipts of these transactions; `null` for one that is not mined.
async fn read_receipts<H: Host>(chain: &Chain<'_, H>, hashes: &[B256]) -> Result<Vec<Json>> {
    let mut batch = Batch::default();
    let receipts = batch.add_all(hashes.iter().map(Read::receipt));
    chain.ask(batch).await?.get_all(receipts)
}

/// Whether all of these transactions are mined and succeeded.
fn all_succeeded(receipts: &[Json]) -> bool {
    receipts.iter().all(|receipt| receipt.get("status").and_then(quantity) == Some(1))
}

/// Whether all of these transactions filled that order: the Delta contract logged its hash in each; or, for a single
/// one, the order's nonce was unused before its block and used after it. Refuses fills of another order.
async fn all_fill_order<H: Host>(chain: &Chain<'_, H>, receipts: &[Json], signed: &SignedOrder) -> Result<bool> {
    let names_it = |log: &Log| log.address == signed.delta && log.words.contains(&signed.hash);
    if receipts.iter().all(|receipt| logs(receipt).iter().any(names_it)) {
        return Ok(true);
    }
    let [receipt] = receipts else { return Ok(false) };
    let data = is_nonce_used(signed.order.address(member!("owner")), signed.order.uint(member!("nonce")));
    let used =
        read_around_blocks(chain, &[receipt], &|block| Read::word_at(&signed.delta, &data, block).named("isNonceUsed"))
            .await?;
    Ok(used == [(U256::ZERO, U256::from(1))])
}

/// The amount of a token that an account received in these transactions together, in raw units, by the token's Transfer
/// events. The native token has no events: the growth of the account's balance over each block counts.
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
        // Three topics, then the amount. A transfer to oneself brings nothing.
        if let [Transfer::SIGNATURE_HASH, from, receiver, amount] = log.words.as_slice()
            && *receiver == to.into_word()
            && from != receiver
        {
            sum = sum.saturating_add((*amount).into());
        }
    }
    Ok(Some(sum))
}

/// Reads a value twice for each receipt: after the block before it, and after its own block.
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

/// An event of a receipt.
struct Log {
    /// The contract that logged it.
    address: Address,
    /// Its topics, then its data in words of 32 bytes; an incomplete last word is left out.
    words: Vec<B256>,
}

/// The events of a receipt; those that cannot be read are left out.
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
        while let Some(next) = word_at(&data, place) {
            words.push(next.into());
            place = place.saturating_add(32);
        }
        all.push(Log { address, words });
    }
    all
}
