//! Sending a transaction, and waiting for it.

use super::account::{hex_quantity, quantity};
use super::prompt::{Question, forget, is_asked, once};
use super::reads::{Chain, Read};
use crate::domain::text::ToText;
use crate::error::{Error, ErrorCode, Result};
use crate::host::{Host, Signal};
use crate::json::{Json, JsonAt, ObjectWriter, array};
use alloy_primitives::{Address, B256, U256, keccak256};

/// Pause between two looks for a receipt.
const RECEIPT_PAUSE_MS: u32 = 1_000;
/// Failures in a row that are sat out.
const PATIENCE: u32 = 8;

/// The method that has a wallet send.
pub const SEND: &str = "eth_sendTransaction";

/// A call to a contract. Gas and its price are the wallet's business: what the service says of them is never passed on.
#[derive(Clone, Copy, Debug)]
pub struct Message<'a> {
    /// Who sends and pays.
    pub from: Address,
    /// The contract.
    pub to: Address,
    /// Wei.
    pub value: U256,
    /// Calldata.
    pub data: &'a [u8],
}

impl Message<'_> {
    fn open(&self) -> ObjectWriter {
        let mut out = ObjectWriter::object();
        out.value("from", &self.from);
        out.value("to", &self.to);
        out.bytes("data", self.data);
        out.text("value", &hex_quantity(self.value));
        out
    }

    /// The parameters of [`SEND`].
    pub fn params(&self, chain_id: u64) -> String {
        let mut out = self.open();
        out.text("chainId", &hex_quantity(U256::from(chain_id)));
        array(&[&out.close()])
    }

    /// Runs it without sending it.
    ///
    /// # Errors
    /// WALLET_FAILED with the reason in `actual` where it would revert; the RPC's failure.
    pub async fn simulate<H: Host>(&self, chain: &Chain<'_, H>) -> Result<()> {
        let outcome = chain.read(Read::simulation(&self.open().close())).await;
        outcome.map(|_| ()).map_err(|error| {
            if !error.reverted {
                return error;
            }
            let why = error.actual.as_deref().unwrap_or(&error.message);
            let (subject, expected) = ("it would revert: ", "one that goes through");
            let mut told = Error::at(error.code, subject, "transaction", expected, why);
            told.reverted = true;
            told.caused_by(error.cause.clone())
        })
    }
}

/// Asks the wallet to send a call; once, where the same call is asked for again before the wallet has answered. Also says
/// whether that was asked before: then it may be long since that it was sent.
///
/// # Errors
/// USER_REJECTED and the wallet's other failures.
pub async fn send<H: Host>(chain: &Chain<'_, H>, chain_id: u64, message: &Message<'_>) -> Result<(B256, bool)> {
    let params = message.params(chain_id);
    let question = Question { key: keccak256(&params), method: SEND, params: &params };
    let joins = is_asked(&chain.client.shared, question.key);
    let answer = once(chain.client, &question, true, chain.signal, &|| {}).await?;
    forget(chain.client, question.key);
    Ok((sent_hash(&answer.unwrap_or(Json::Null))?, joins))
}

/// The hash of what a wallet sent.
///
/// # Errors
/// WALLET_FAILED where the answer is none.
pub fn sent_hash(answer: &Json) -> Result<B256> {
    let hash = JsonAt::input(answer, "hash").fixed::<32>();
    hash.map(B256::from).map_err(|_| {
        Error::new(ErrorCode::WalletFailed, &["the wallet's answer is no transaction hash: ", &answer.write()].concat())
    })
}

/// Waits until the transaction is in a block, or what it was to bring about has come about: wallets replace transactions,
/// and the one that was sent then never is. A node that fails to answer now and then is asked again.
///
/// # Errors
/// WALLET_FAILED where it reverted; ABORTED; the RPC's failure, once it failed several times in a row.
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
                if chain.signal.is_aborted() || failures >= PATIENCE {
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
