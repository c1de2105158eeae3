//! The pool's prices, and settlements.

use alloy_primitives::{Address, B256, Bytes, U256};
use alloy_sol_types::SolEvent;
use serde::Deserialize;
use serde_json::json;

use super::abi::IPool;
use super::transaction::transact;
use super::{Chain, RpcError};
use super::{Filled, IDelta, OrderSettled};

/// A pair's funds, seen from a trade.
#[derive(Clone, Copy, Debug)]
pub struct Reserves {
    pub src: U256,
    pub dest: U256,
}

impl Chain {
    /// Zero where there is no such pair.
    ///
    /// # Errors
    /// When the node does not answer.
    pub async fn reserves(&self, src: Address, dest: Address) -> Result<Reserves, RpcError> {
        let (of_src, of_dest) = tokio::join!(
            self.read(self.pool, IPool::reserveCall { of: src, pairedWith: dest }),
            self.read(self.pool, IPool::reserveCall { of: dest, pairedWith: src }),
        );
        Ok(Reserves { src: of_src?, dest: of_dest? })
    }

    /// Proceeds of `sold` of `src` now.
    ///
    /// # Errors
    /// When the pool refuses (no such pair), or the node does not answer.
    pub async fn amount_out(&self, src: Address, dest: Address, sold: U256) -> Result<U256, RpcError> {
        self.read(self.pool, IPool::amountOutCall { src, dest, sold }).await
    }

    /// Cost of `wanted` of `dest` now.
    ///
    /// # Errors
    /// When the pool refuses (no such pair, not enough of it), or the node does not answer.
    pub async fn amount_in(&self, src: Address, dest: Address, wanted: U256) -> Result<U256, RpcError> {
        self.read(self.pool, IPool::amountInCall { src, dest, wanted }).await
    }

    /// Trades in the pool, with tokens made for it. Returns its proceeds.
    ///
    /// # Errors
    /// When the pool refuses (no such pair), or the node does not answer.
    pub async fn trade_in_pool(&self, src: Address, dest: Address, amount: U256) -> Result<U256, RpcError> {
        let deployer = self.deployer();
        let received = self.amount_out(src, dest, amount).await?;
        // The pool may take what the deployer has since it was filled.
        self.give(src, deployer, amount).await?;
        let swap = IPool::swapCall { src, dest, amount, minOut: received, to: deployer };
        self.write(deployer, self.pool, swap).await?;
        Ok(received)
    }

    /// Settles (a part of) an order by a transaction of the solver, whose call data this is.
    ///
    /// # Errors
    /// When the contract refuses in a dry run, and nothing was sent; or when the node does not answer, and it is unknown
    /// what became of it.
    pub async fn settle(&self, call: Bytes) -> Result<(), RpcError> {
        // A dry run gives the reason of a refusal, and costs no gas.
        let dry_run = json!([{"from": self.solver(), "to": self.delta, "data": call}, "pending"]);
        let _passed: Bytes = self.rpc.call("eth_call", dry_run).await?;
        transact(&self.rpc, self.solver(), Some(self.delta), call, U256::ZERO).await.map(drop)
    }

    /// How much of an order is settled.
    ///
    /// # Errors
    /// When the node does not answer.
    pub async fn filled(&self, order_hash: B256) -> Result<Filled, RpcError> {
        self.read(self.delta, IDelta::progressCall { orderHash: order_hash }).await
    }

    /// Lets an order that was signed under the name `Order` be filled in parts.
    ///
    /// # Errors
    /// When the node does not answer.
    pub async fn note_fillable(&self, order_hash: B256) -> Result<(), RpcError> {
        self.write(self.deployer(), self.delta, IDelta::noteFillableCall { hash: order_hash }).await.map(drop)
    }

    /// The transactions that settled (parts of) the order of that hash, and what moved.
    ///
    /// # Errors
    /// When the node does not answer.
    pub async fn settlements_of(&self, order_hash: B256) -> Result<Vec<(B256, OrderSettled)>, RpcError> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Log {
            topics: Vec<B256>,
            data: Bytes,
            transaction_hash: B256,
        }
        let topics = json!([OrderSettled::SIGNATURE_HASH, order_hash]);
        let filter = json!([{"address": self.delta, "fromBlock": "earliest", "topics": topics}]);
        let logs: Vec<Log> = self.rpc.call("eth_getLogs", filter).await?;
        let settlement = |log: Log| {
            let settled = OrderSettled::decode_raw_log(log.topics, &log.data).ok()?;
            Some((log.transaction_hash, settled))
        };
        Ok(logs.into_iter().filter_map(settlement).collect())
    }
}
