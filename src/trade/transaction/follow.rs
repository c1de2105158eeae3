//! Following a transaction that a wallet sent: to its receipt, or to the point where it can have none any more.

use crate::domain::input::{MAX_EXACT, chain_id, optional};
use crate::error::Result;
use crate::host::Host;
use crate::json::{Json, JsonAt, ObjectWriter};
use crate::wallet::account::quantity;
use crate::wallet::reads::{Batch, Chain, Read};
use alloy_primitives::{Address, B256};

/// How long a node may not know a transaction whose number is unused before it counts as dropped.
const DROPPED_AFTER_MS: u64 = 60_000;
/// The same where no node ever knew it: wallets hold some back, or send them past the public pool.
const NEVER_SEEN_AFTER_MS: u64 = 300_000;
/// Looks in a row that find its number used and no receipt before another transaction counts as having taken it: the
/// machines behind one endpoint are not always at the same block.
const REPLACED_AFTER: u32 = 3;

/// A transaction on its way.
#[derive(Clone, Debug)]
pub struct Sent {
    /// The chain.
    pub chain_id: u64,
    /// Who sent it.
    pub from: Address,
    /// Its hash.
    pub hash: B256,
    /// The sender's transaction number, once it could be read.
    pub nonce: Option<u64>,
    /// `PENDING`, `COMPLETED`, `FAILED`, `REPLACED`, `DROPPED`.
    pub status: &'static str,
    /// Where it was mined.
    pub block_number: Option<u64>,
    /// Since when no node knows it, on the monotonic clock.
    gone_since: Option<u64>,
    /// Looks in a row that found its number used.
    overtaken: u32,
}

impl Sent {
    /// One that was just sent.
    pub fn new(chain_id: u64, from: Address, hash: B256) -> Sent {
        let (nonce, block_number, gone_since) = (None, None, None);
        Sent { chain_id, from, hash, nonce, status: "PENDING", block_number, gone_since, overtaken: 0 }
    }

    /// Reads a `SentTransaction` that the application passed back.
    ///
    /// # Errors
    /// INVALID_INPUT with the member.
    pub fn read(at: &JsonAt<'_>) -> Result<Sent> {
        let (chain_id, from) = (chain_id(&at.get("chainId"))?, at.get("from").address()?);
        let mut sent = Sent::new(chain_id, from, B256::from(at.get("hash").fixed::<32>()?));
        sent.nonce = optional(&at.get("nonce"), |at| at.integer(MAX_EXACT))?;
        Ok(sent)
    }

    /// As JavaScript sees it.
    pub fn write(&self) -> String {
        let mut out = ObjectWriter::object();
        out.text("kind", "sent");
        out.number("chainId", self.chain_id);
        out.value("from", &self.from);
        out.value("hash", &self.hash);
        out.text("status", self.status);
        for (name, number) in [("nonce", self.nonce), ("blockNumber", self.block_number)] {
            out.number_or_null(name, number);
        }
        out.close()
    }

    /// Looks where it is now.
    ///
    /// # Errors
    /// The RPC's failure.
    pub async fn look<H: Host>(&mut self, chain: &Chain<'_, H>) -> Result<()> {
        let mut batch = Batch::default();
        let count = batch.add(Read::transaction_count(&self.from));
        let transaction = batch.add(Read::transaction(&self.hash));
        // Last: what was mined between the questions has its receipt here.
        let receipt = batch.add(Read::receipt(&self.hash));
        let answers = chain.ask(batch).await?;
        let (transaction, receipt) = (answers.get(transaction)?, answers.get(receipt)?);
        let now = chain.client.shared.host.monotonic_ms();
        self.learn(answers.get(count).ok(), &transaction, &receipt, now);
        Ok(())
    }

    /// What three answers say of it.
    fn learn(&mut self, count: Option<u64>, transaction: &Json, receipt: &Json, now: u64) {
        let number = |json: &Json, name| json.get(name).and_then(quantity);
        self.nonce = number(transaction, "nonce").or(self.nonce);
        if let Some(outcome) = number(receipt, "status") {
            self.block_number = number(receipt, "blockNumber");
            self.status = if outcome == 1 { "COMPLETED" } else { "FAILED" };
            return;
        }
        if *transaction != Json::Null {
            (self.gone_since, self.overtaken) = (None, 0);
            return;
        }
        let used = self.nonce.zip(count).is_some_and(|(nonce, count)| nonce < count);
        self.overtaken = if used { self.overtaken.saturating_add(1) } else { 0 };
        let since = *self.gone_since.get_or_insert(now);
        let patience = if self.nonce.is_some() { DROPPED_AFTER_MS } else { NEVER_SEEN_AFTER_MS };
        if self.overtaken >= REPLACED_AFTER {
            self.status = "REPLACED";
        } else if !used && now.saturating_sub(since) >= patience {
            self.status = "DROPPED";
        }
    }
}
