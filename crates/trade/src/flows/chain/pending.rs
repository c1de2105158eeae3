//! Follows a transaction that a wallet sent: to its receipt, or until it can no longer get one. It is known by its
//! hash, which the wallet states, and by the sender's nonce, which shows when another transaction replaced it.

use crate::client::{Client, Shared};
use crate::flows::chain::signature_check::is_contract;
use crate::host::Host;
use crate::ledger::record::Stage;
use crate::ledger::step::Event;
use crate::wallet::account::{await_answer, quantity, wallet};
use crate::wallet::batch::{CallsStatus, read_status};
use crate::wallet::chain::Chain;
use crate::wallet::reads::{Batch, Pending as PendingRead, Read, succeeded};
use alloy_primitives::B256;
use verify::internal::domain::delta::status::FOREIGN;
use verify::internal::domain::reference::pinned::blocks_of;
use verify::internal::domain::transaction::Sent;
use verify::internal::error::Result;
use verify::internal::json::{Json, JsonAt, array, quoted};
use verify::internal::value::text::ToText;

/// How many milliseconds no node may have a transaction, while its nonce is unused, before it counts as dropped.
const DROPPED_AFTER_MS: u64 = 60_000;
/// The same for a transaction that no node ever had, in milliseconds: wallets hold some back, or send them past the
/// public pool.
const NEVER_SEEN_AFTER_MS: u64 = 300_000;
/// How many looks in a row have to find its nonce used and no receipt before the transaction of that nonce is read: the
/// nodes behind one endpoint are not always at the same block.
const OVERTAKEN_AFTER: u32 = 3;

/// Milliseconds between the first two looks for a receipt that a trade waits for, while the transaction is still on its way
/// to the node. The further ones are [`receipt_pause_ms`].
pub const FIRST_PAUSE_MS: u32 = 250;
/// The time of a block where it is not known, in milliseconds.
const UNKNOWN_BLOCK_MS: u64 = 4_000;

/// Milliseconds between two looks for a receipt that a trade waits for: an eighth of the time in which the chain makes a
/// block, but 250 to 1,000.
pub fn receipt_pause_ms(chain_id: u64) -> u32 {
    let block_ms = blocks_of(chain_id).map_or(UNKNOWN_BLOCK_MS, |(_, block_ms)| block_ms);
    u32::try_from((block_ms / 8).clamp(FIRST_PAUSE_MS.into(), 1_000)).unwrap_or(FIRST_PAUSE_MS)
}
/// The number of failures in a row after which a node's failure is reported.
pub const MAX_FAILURES: u32 = 8;

/// The pause between looks at a transaction whose nonce is used, in milliseconds.
const PAUSE_MS: u32 = 1_000;

/// Reads the nonce of the transaction that was sent last, if it is not known: with it a replacement is noticed, also
/// after a reload. Nothing waits for it, and if it cannot be read now, the follower of the transaction reads it.
pub async fn learn_number<H: Host>(client: &Client<H>, signal: &H::Signal) {
    let last = client.shared.ledger.trades(|entry| entry.stage == Stage::Sent).pop();
    let Some(entry) = last.filter(|last| last.nonce.is_none() && last.batch.is_none()) else { return };
    let Some(hash) = entry.transaction else { return };
    let mut pending = Pending::new(Sent::new(entry.chain_id, entry.owner, hash));
    let Ok(Some(chain)) = Chain::find(client, entry.chain_id, signal).await else { return };
    if pending.ask(&chain, true).await.is_ok()
        && let Some(nonce) = pending.sent.nonce
    {
        // The follower of the transaction reads whether it has ended.
        client.shared.ledger.apply(entry.key, Event::NodeReportedNonce(nonce)).await;
    }
}

/// The sender of a transaction that the wallet named.
enum Whose {
    /// The owner, or nothing proves otherwise.
    Owner,
    /// Another account, or the transaction is not the requested one.
    Foreign,
    /// The transaction is in a block, and no node has described it.
    Untold,
}

/// A transaction on its way, and what was seen of it so far.
#[derive(Clone, Debug)]
pub struct Pending {
    /// The transaction, with its status at the last look.
    pub sent: Sent,
    /// Since when no node has it, in milliseconds by the monotonic clock.
    gone_since: Option<u64>,
    /// How many looks in a row found its nonce used.
    overtaken: u32,
}

impl Pending {
    /// A transaction before its first look.
    pub fn new(sent: Sent) -> Pending {
        Pending { sent, gone_since: None, overtaken: 0 }
    }

    /// Reads it from the chain, and updates its status. That it has ended is read from all nodes that have to agree: an
    /// end allows the next trade.
    ///
    /// # Errors
    /// The RPC's failure; NODES_DISAGREE.
    pub async fn look<H: Host>(&mut self, chain: &Chain<'_, H>) -> Result<()> {
        let shared = &chain.client.shared;
        if let Some(id) = self.sent.batch.clone() {
            self.look_by_id(chain, &id).await?;
            return Ok(());
        }
        if self.sent.nonce.is_none() {
            // A node may have reported it before a reload.
            self.sent.nonce = shared.ledger.entry_of(&self.sent).and_then(|entry| entry.nonce);
        }
        let before = self.clone();
        self.ask(chain, true).await?;
        if self.sent.status != "PENDING" && chain.has_quorum() {
            *self = before;
            self.ask(chain, false).await?;
        }
        if self.gone_since.is_some() && self.sent.nonce.is_none() {
            self.ask_contracts_wallet(chain).await?;
        }
        self.show(shared);
        Ok(())
    }

    /// Reads it from the chain: from one node if the answer only `informs`.
    async fn ask<H: Host>(&mut self, chain: &Chain<'_, H>, informs: bool) -> Result<()> {
        let (mut batch, hash) = (Batch::default(), self.sent.hash.unwrap_or_default());
        let count = batch.add(Read::transaction_count(&self.sent.from));
        let transaction = batch.add(Read::transaction(&hash));
        // Last, so that a transaction mined between these reads has its receipt here.
        let receipt = batch.add(Read::receipt(&hash));
        let answers = chain.ask(if informs { batch.informing() } else { batch }).await?;
        let (transaction, receipt) = (answers.get(transaction)?, answers.get(receipt)?);
        let now = chain.client.shared.host.monotonic_ms();
        match self.judge(chain, &transaction, &receipt).await? {
            Whose::Foreign => (self.sent.status, self.gone_since) = (FOREIGN, None),
            Whose::Untold => (self.gone_since, self.overtaken) = (None, 0),
            Whose::Owner => self.learn(answers.get(count).ok(), &transaction, &receipt, now),
        }
        Ok(())
    }

    /// The sender of the transaction that the node describes under the wallet's hash. An account without code sends its
    /// requested transaction itself. For one with code others may send; and an account that got its code by this very
    /// transaction did not send it: but a third party that calls the contract instead does so for itself.
    ///
    /// # Errors
    /// The RPC's failure.
    async fn judge<H: Host>(&self, chain: &Chain<'_, H>, transaction: &Json, receipt: &Json) -> Result<Whose> {
        let entry =
            chain.client.shared.ledger.entry_of(&self.sent).filter(|entry| entry.batch.is_none() && !entry.has_code);
        let Some(asked) = entry.and_then(|entry| entry.asked()) else { return Ok(Whose::Owner) };
        Ok(match transaction {
            // A transaction with a known nonce was described before.
            Json::Null if self.sent.nonce.is_some() => Whose::Owner,
            Json::Null if *receipt == Json::Null => Whose::Owner,
            transaction if asked.is(transaction) => Whose::Owner,
            transaction if asked.is_to(transaction) => Whose::Foreign,
            _ if chain.read(Read::code_size(&asked.from)).await? != 0 => Whose::Owner,
            Json::Null => Whose::Untold,
            _ => Whose::Foreign,
        })
    }

    /// A contract's wallet may name its transaction before its owners agreed to it, hours ahead, by a hash that no node
    /// ever has (a Safe does that). So it is never lost, and the wallet is asked under which hash it was sent.
    ///
    /// # Errors
    /// The RPC's failure.
    async fn ask_contracts_wallet<H: Host>(&mut self, chain: &Chain<'_, H>) -> Result<()> {
        const METHOD: &str = "eth_getTransactionReceipt";
        let client = chain.client;
        // An account may have got its code by this very transaction.
        self.show(&client.shared);
        if !is_contract(chain, self.sent.from).await? {
            return Ok(());
        }
        self.sent.status = "PENDING";
        let Some(hash) = self.sent.hash.filter(|_| !client.binding.local) else { return Ok(()) };
        let Ok(wallet) = wallet(client) else { return Ok(()) };
        let prompt = client.shared.host.ask(wallet, METHOD, &array(&[&quoted(&hash.text())]));
        // A wallet that is on another chain, or has no answer, is asked again at the next look.
        let Ok(receipt) = await_answer(client, "rpc", METHOD, &prompt, chain.signal).await else { return Ok(()) };
        let found = JsonAt::input(&receipt, "receipt").get("transactionHash").fixed::<32>().map(B256::from);
        if let Some(found) = found.ok().filter(|found| *found != hash) {
            let entry = client.shared.ledger.entry_of(&self.sent);
            *self = Pending::new(Sent::new(self.sent.chain_id, self.sent.from, found));
            if let Some(entry) = entry {
                client.shared.ledger.apply(entry.key, Event::IdentifierChanged(self.sent.clone())).await;
            }
            self.ask(chain, false).await?;
        }
        Ok(())
    }

    /// Asks the wallet for the status of calls that were sent together, and reads the transactions that it names from
    /// the chain: before the chain shows them they are PENDING, and one that reverted there did, whatever the wallet
    /// reports. If the wallet does not have the calls (any more), the transaction counts that it named before. Returns
    /// whether either is known.
    ///
    /// # Errors
    /// The errors of wallet and RPC; NODES_DISAGREE.
    pub async fn look_by_id<H: Host>(&mut self, chain: &Chain<'_, H>, id: &str) -> Result<bool> {
        let client = chain.client;
        let said = read_status(client, id, chain.signal).await?;
        let known = CallsStatus { status: "COMPLETED", hashes: self.sent.hash.into_iter().collect() };
        let is_forgotten = said.is_none();
        let CallsStatus { status, hashes } = said.unwrap_or(known);
        if is_forgotten && hashes.is_empty() {
            return Ok(false);
        }
        self.sent.hash = hashes.last().copied().or(self.sent.hash);
        let mut batch = Batch::default();
        let receipts = batch.add_all(hashes.iter().map(Read::receipt));
        let (mut is_missing, mut fine, mut reverted) = (false, false, false);
        for receipt in chain.ask(batch).await?.get_all(receipts)? {
            match succeeded(&receipt) {
                None => is_missing = true,
                Some(false) => reverted = true,
                Some(true) => fine = true,
            }
            let block = receipt.get("blockNumber").and_then(quantity);
            self.sent.block_number = self.sent.block_number.max(block);
        }
        self.sent.status = match status {
            "COMPLETED" | "PARTIAL" if is_missing => "PENDING",
            "COMPLETED" if reverted && fine => "PARTIAL",
            "COMPLETED" if reverted => "FAILED",
            _ => status,
        };
        self.show(&client.shared);
        Ok(true)
    }

    /// Remembers the block that its receipt has shown. Once it has ended, the state that it changed is read anew.
    fn show<H: Host>(&self, shared: &Shared<H>) {
        if self.sent.status != "PENDING" {
            shared.nodes.forget_state(self.sent.chain_id);
        }
        if let Some(block) = self.sent.block_number {
            shared.nodes.show_block(self.sent.chain_id, block);
        }
    }

    /// Reads only its sender, whether it is in a block, and whether it reverted there. Returns the chain's answer to
    /// the read that `more` adds, if there is one: anew, and after the receipt, so that its answer is not older.
    ///
    /// # Errors
    /// Same as [`Pending::look`].
    pub async fn confirm<H: Host, T>(
        &mut self,
        chain: &Chain<'_, H>,
        more: impl FnOnce(&mut Batch) -> PendingRead<T>,
    ) -> Result<Option<T>> {
        chain.client.shared.nodes.forget_state(self.sent.chain_id);
        let mut batch = Batch::default();
        let Some(hash) = self.sent.hash.filter(|_| self.sent.batch.is_none()) else {
            self.look(chain).await?;
            let more = more(&mut batch);
            return Ok(chain.ask(batch).await.and_then(|answers| answers.get(more)).ok());
        };
        let (transaction, receipt) = (batch.add(Read::transaction(&hash)), batch.add(Read::receipt(&hash)));
        let more = more(&mut batch);
        let answers = chain.ask(batch).await?;
        let (transaction, receipt) = (answers.get(transaction)?, answers.get(receipt)?);
        let whose = self.judge(chain, &transaction, &receipt).await?;
        self.sent.block_number = receipt.get("blockNumber").and_then(quantity);
        self.show(&chain.client.shared);
        self.sent.status = match (whose, succeeded(&receipt)) {
            (Whose::Foreign, _) => FOREIGN,
            (Whose::Owner, Some(true)) => "COMPLETED",
            (Whose::Owner, Some(false)) => "FAILED",
            _ => self.sent.status,
        };
        Ok(answers.get(more).ok())
    }

    /// [`Pending::look`], repeated after a pause as long as its nonce is used and it has no receipt: until it has one,
    /// or the transaction of that nonce is to be read.
    ///
    /// # Errors
    /// Same as [`Pending::look`].
    pub async fn look_until_sure<H: Host>(&mut self, chain: &Chain<'_, H>) -> Result<()> {
        loop {
            self.look(chain).await?;
            if self.overtaken == 0 || self.overtaken >= OVERTAKEN_AFTER || self.sent.status != "PENDING" {
                return Ok(());
            }
            chain.client.shared.host.sleep(PAUSE_MS, chain.signal).await;
        }
    }

    /// Its nonce, if that was used for so many looks that its transaction is to be read. They are then counted anew.
    pub fn take_overtaken(&mut self) -> Option<u64> {
        if self.overtaken < OVERTAKEN_AFTER || self.sent.status != "PENDING" {
            return None;
        }
        self.overtaken = 0;
        self.sent.nonce
    }

    /// Updates it by three answers: COMPLETED or FAILED by its receipt; DROPPED if no node has it for long and its
    /// nonce is unused. `now` is milliseconds by the monotonic clock.
    fn learn(&mut self, count: Option<u64>, transaction: &Json, receipt: &Json, now: u64) {
        let number = |json: &Json, name| json.get(name).and_then(quantity);
        self.sent.nonce = number(transaction, "nonce").or(self.sent.nonce);
        self.sent.waits_for = None;
        if let Some(is_fine) = succeeded(receipt) {
            self.sent.block_number = number(receipt, "blockNumber");
            self.sent.status = if is_fine { "COMPLETED" } else { "FAILED" };
            return;
        }
        if *transaction != Json::Null {
            (self.gone_since, self.overtaken) = (None, 0);
            let before = self.sent.nonce.zip(count).map(|(nonce, count)| nonce.saturating_sub(count));
            self.sent.waits_for = before.filter(|before| *before > 0);
            return;
        }
        let used = self.sent.nonce.zip(count).is_some_and(|(nonce, count)| nonce < count);
        self.overtaken = if used { self.overtaken.saturating_add(1) } else { 0 };
        let since = *self.gone_since.get_or_insert(now);
        let patience = if self.sent.nonce.is_some() { DROPPED_AFTER_MS } else { NEVER_SEEN_AFTER_MS };
        if !used && now.saturating_sub(since) >= patience {
            self.sent.status = "DROPPED";
        }
    }
}
