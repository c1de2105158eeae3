//! The pool's prices, and settlements.

use alloy_primitives::{Address, B256, Bytes, U256};
use alloy_sol_types::{SolCall, SolEvent, SolValue};
use serde::Deserialize;
use serde_json::json;

use super::abi::{IDelta, IPool, Order, OrderSettled};
use super::{Chain, RpcError};

/// What a pair holds, seen from a trade.
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

    /// What `sold` of `src` buys now.
    ///
    /// # Errors
    /// When the pool refuses (no such pair), or the node does not answer.
    pub async fn amount_out(&self, src: Address, dest: Address, sold: U256) -> Result<U256, RpcError> {
        self.read(self.pool, IPool::amountOutCall { src, dest, sold }).await
    }

    /// What `wanted` of `dest` costs now.
    ///
    /// # Errors
    /// When the pool refuses (no such pair, not enough of it), or the node does not answer.
    pub async fn amount_in(&self, src: Address, dest: Address, wanted: U256) -> Result<U256, RpcError> {
        self.read(self.pool, IPool::amountInCall { src, dest, wanted }).await
    }

    /// Settles an order by a transaction of the solver: hands it `spend`, of which it trades `trade_in` and delivers
    /// `promised`.
    ///
    /// # Errors
    /// When the contract refuses in a dry run, and nothing was sent; or when the node does not answer, and it is unknown
    /// what became of it.
    pub async fn settle(
        &self,
        order: &Order,
        signature: &Bytes,
        spend: U256,
        trade_in: U256,
        promised: U256,
    ) -> Result<(), RpcError> {
        let call = IDelta::settleCall {
            order: order.clone(),
            signature: signature.clone(),
            spend,
            executor: self.executor,
            executorData: (trade_in, promised).abi_encode_params().into(),
        };
        // A dry run gives the reason of a refusal, and costs no gas.
        let dry_run =
            json!([{"from": self.solver(), "to": self.delta, "data": Bytes::from(call.abi_encode())}, "pending"]);
        let _passed: Bytes = self.rpc.call("eth_call", dry_run).await?;
        self.write(self.solver(), self.delta, call).await.map(drop)
    }

    /// The transaction that settled the order of that hash, and what moved; none where none did.
    ///
    /// # Errors
    /// When the node does not answer.
    pub async fn settlement_of(&self, order_hash: B256) -> Result<Option<(B256, OrderSettled)>, RpcError> {
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
        Ok(logs.into_iter().find_map(settlement))
    }
}
