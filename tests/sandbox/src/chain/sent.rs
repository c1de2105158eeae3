//! Transactions by sender.

use alloy_primitives::{Address, B256, Bytes, U256};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Chain, RpcError};

/// A transaction in a block.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Sent {
    pub hash: B256,
    pub from: Address,
    pub to: Option<Address>,
    pub nonce: U256,
    pub input: Bytes,
}

/// The transactions of all blocks before `next`, in their order.
#[derive(Debug, Default)]
pub struct Blocks {
    next: u64,
    sent: Vec<Sent>,
}

impl Chain {
    /// The transactions that an account sent, in their order; also those sent in its name from outside.
    ///
    /// # Errors
    /// When the node does not answer.
    pub async fn sent_by(&self, account: Address) -> Result<Vec<Sent>, RpcError> {
        #[derive(Deserialize)]
        struct Block {
            transactions: Vec<Sent>,
        }
        let mut blocks = self.blocks.lock().await;
        while let Some(block) =
            self.rpc.call::<Option<Block>>("eth_getBlockByNumber", json!([U256::from(blocks.next), true])).await?
        {
            blocks.next += 1;
            blocks.sent.extend(block.transactions);
        }
        Ok(blocks.sent.iter().filter(|sent| sent.from == account).cloned().collect())
    }
}
