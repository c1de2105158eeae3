//! A transaction: tried by `eth_call`, sent through the wallet, and awaited.

use super::account::{hex_quantity, quantity};
use super::chain::Chain;
use super::prompt::{Question, forget, is_asked, once};
use super::reads::{Batch, Pending, Read};
use crate::domain::text::ToText;
use crate::error::{Error, ErrorCode, Result};
use crate::host::{Host, Signal};
use crate::json::{Json, JsonAt, ObjectWriter, array};
use alloy_primitives::{Address, B256, U256, keccak256};

/// Milliseconds between two looks for a receipt.
const RECEIPT_PAUSE_MS: u32 = 1_000;
/// After so many failures in a row a node's failure is reported.
const MAX_FAILURES: u32 = 8;

/// The method by which a wallet signs and sends a transaction.
pub const SEND: &str = "eth_sendTransaction";

/// A contract call. It has no gas limit and no gas price: the wallet chooses both, and what the service says about them
/// is not passed on.
#[derive(Clone, Copy, Debug)]
pub struct Message<'a> {
    /// The account that sends it and pays for gas.
    pub from: Address,
    /// The contract that is called.
    pub to: Address,
    /// Wei of the native token that go with it.
    pub value: U256,
    /// The calldata.
    pub data: &'a [u8],
}

impl Message<'_> {
    /// The transaction object of JSON-RPC, to which members may be added.
    fn open(&self) -> ObjectWriter {
        let mut out = ObjectWriter::object();
        out.value("from", &self.from);
        out.value("to", &self.to);
        out.bytes("data", self.data);
        out.text("value", &hex_quantity(self.value));
        out
    }

    /// The parameters of [`SEND`]. With the chain id in it, a wallet that is on another chain by now refuses.
    pub fn params(&self, chain_id: u64) -> String {
        let mut out = self.open();
        out.text("chainId", &hex_quantity(U256::from(chain_id)));
        array(&[&out.close()])
    }

    /// What [`Message::simulate`] will ask, asked now: an answer counts for 2 s.
    pub fn simulate_early<H: Host>(&self, chain: &Chain<'_, H>) {
        chain.put_early(self.trial().0);
    }

    /// The questions of [`Message::simulate`].
    fn trial(&self) -> (Batch, Pending<u64>) {
        let mut batch = Batch::default();
        batch.add(Read::simulation(&self.open().close()).tried());
        let count = batch.add(Read::transaction_count(&self.from).tried().or_nothing());
        (batch, count)
    }

    /// Runs it on the chain's latest state, without sending it. Returns how many transactions its sender has in blocks;
    /// `None` if the node does not say.
    ///
    /// # Errors
    /// WALLET_FAILED with `reverted`, and the contract's reason in `actual`, if it would revert; else the RPC's
    /// failure.
    pub async fn simulate<H: Host>(&self, chain: &Chain<'_, H>) -> Result<Option<u64>> {
        let (batch, count) = self.trial();
        chain.ask(batch).await.map(|answers| answers.get(count).ok()).map_err(|error| {
            if !error.reverted {
                return error;
            }
            let why = error.actual.as_deref().unwrap_or(&error.message);
            let (subject, expected) = ("it would revert: ", "one that goes through");
            let mut reverts = Error::at(error.code, subject, "transaction", expected, why);
            reverts.reverted = true;
            reverts.caused_by(error.cause.clone())
        })
    }
}

/// The key of the prompt for a call: the same call is the same question.
pub fn call_key(chain_id: u64, message: &Message<'_>) -> B256 {
    keccak256(message.params(chain_id))
}

/// Asks the wallet to send a call. While the prompt for the same call is open, no second one opens. Returns the
/// transaction's hash, and whether an earlier prompt was joined: then it may have been sent long ago.
///
/// # Errors
/// USER_REJECTED and the wallet's other failures; WALLET_FAILED if its answer is no hash.
pub async fn send<H: Host>(chain: &Chain<'_, H>, chain_id: u64, message: &Message<'_>) -> Result<(B256, bool)> {
    let params = message.params(chain_id);
    let question = Question { key: call_key(chain_id, message), method: SEND, params: &params };
    let joins = is_asked(&chain.client.shared, question.key);
    let answer = once(chain.client, &question, true, chain.signal, &|| {}).await?;
    forget(chain.client, question.key);
    Ok((sent_hash(&answer.unwrap_or(Json::Null))?, joins))
}

/// The transaction hash in a wallet's answer to [`SEND`].
///
/// # Errors
/// WALLET_FAILED if the answer is no hash.
pub fn sent_hash(answer: &Json) -> Result<B256> {
    let hash = JsonAt::input(answer, "hash").fixed::<32>();
    hash.map(B256::from).map_err(|_| {
        Error::new(ErrorCode::WalletFailed, &["the wallet's answer is no transaction hash: ", &answer.write()].concat())
    })
}

/// Waits until the transaction is in a block, or until `is_there` accepts what `effect` reads. The second is for
/// transactions that the user replaced in the wallet: the one that was sent then never gets a receipt.
///
/// # Errors
/// WALLET_FAILED if it reverted; ABORTED; the RPC's failure, once it failed eight times in a row.
pub async fn confirm<H: Host>(
    chain: &Chain<'_, H>,
    hash: B256,
    effect: Read<U256>,
    is_there: &dyn Fn(&U256) -> bool,
) -> Result<()> {
    let mut failures = 0_u32;
    loop {
        match chain.read(Read::receipt(&hash)).await {
            Ok(receipt) => {
                failures = 0;
                match receipt.get("status").map(quantity) {
                    Some(Some(1)) => return Ok(()),
                    Some(_) => {
                        let message = ["the transaction ", &hash.text(), " reverted"].concat();
                        return Err(Error::new(ErrorCode::WalletFailed, &message));
                    }
                    None => {}
                }
            }
            Err(error) => {
                failures = failures.saturating_add(1);
                if chain.signal.is_aborted() || failures >= MAX_FAILURES {
                    return Err(error);
                }
            }
        }
        if chain.signal.is_aborted() {
            return Err(Error::aborted());
        }
        if chain.read(effect.clone()).await.is_ok_and(|found| is_there(&found)) {
            return Ok(());
        }
        chain.client.shared.host.sleep(RECEIPT_PAUSE_MS, chain.signal).await;
    }
}
