//! The bridges' contracts on a chain.
#![expect(clippy::too_many_arguments, reason = "an event's members, in a function that sol! writes")]

use alloy_primitives::{Address, B256, Bytes, FixedBytes, U256};
use alloy_sol_types::{SolEvent, sol};
use serde::Deserialize;
use serde_json::json;

use super::{Chain, RpcError};

sol! {
    /// See `contracts/bridge/Gate.sol`.
    interface IGate {
        event Sent(
            uint256 indexed id,
            bytes32 indexed orderHash,
            address token,
            uint256 amount,
            uint256 destinationChainId,
            address outputToken,
            int8 scalingFactor,
            address beneficiary,
            bytes protocolData
        );
        event Delivered(bytes32 indexed key, address token, uint256 amount, address beneficiary);

        function claim(uint256 id) external;
        function refund(uint256 id) external;
        function deliver(bytes32 key, address token, uint256 amount, address to) external;
        function deliverSwapped(
            bytes32 key, address arrived, uint256 amount, address token, uint256 minOut, address to
        ) external;
    }
}

/// A bridge's contract on one chain.
#[derive(Clone, Copy, Debug)]
pub struct Gate {
    pub selector: FixedBytes<4>,
    pub address: Address,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Log {
    topics: Vec<B256>,
    data: Bytes,
    transaction_hash: B256,
}

impl Chain {
    pub fn gate(&self, selector: FixedBytes<4>) -> Option<Address> {
        self.gates.iter().find(|gate| gate.selector == selector).map(|gate| gate.address)
    }

    /// An order's passages over a bridge, by transaction.
    ///
    /// # Errors
    /// When the node does not answer.
    pub async fn sent(&self, gate: Address, order_hash: B256) -> Result<Vec<(B256, IGate::Sent)>, RpcError> {
        let topics = json!([IGate::Sent::SIGNATURE_HASH, null, order_hash]);
        let logs = self.gate_logs(gate, topics).await?;
        let sent = |log: Log| Some((log.transaction_hash, IGate::Sent::decode_raw_log(log.topics, &log.data).ok()?));
        Ok(logs.into_iter().filter_map(sent).collect())
    }

    /// Gives the sender's tokens to their carrier.
    ///
    /// # Errors
    /// When the node does not answer.
    pub async fn claim(&self, gate: Address, id: U256) -> Result<(), RpcError> {
        self.write(self.relayer(), gate, IGate::claimCall { id }).await.map(drop)
    }

    /// Gives the sender's tokens back; the transaction.
    ///
    /// # Errors
    /// When the node does not answer.
    pub async fn refund(&self, gate: Address, id: U256) -> Result<B256, RpcError> {
        Ok(self.write(self.relayer(), gate, IGate::refundCall { id }).await?.transaction)
    }

    /// Pays out what arrived: `amount` of `arrived`, or what that buys of `token`. The transaction, and what was paid.
    ///
    /// # Errors
    /// When the gate refuses (it was paid out before), or the node does not answer.
    pub async fn deliver(&self, gate: Address, delivery: &Delivery) -> Result<(B256, U256), RpcError> {
        let Delivery { key, arrived, token, amount, to } = *delivery;
        self.give(self.asset(arrived), gate, amount).await?;
        let receipt = if arrived == token {
            self.write(self.relayer(), gate, IGate::deliverCall { key, token, amount, to }).await?
        } else {
            let call = IGate::deliverSwappedCall { key, arrived, amount, token, minOut: U256::ZERO, to };
            self.write(self.relayer(), gate, call).await?
        };
        let logs = self.gate_logs(gate, json!([IGate::Delivered::SIGNATURE_HASH, key])).await?;
        let paid = logs.into_iter().find_map(|log| IGate::Delivered::decode_raw_log(log.topics, &log.data).ok());
        Ok((receipt.transaction, paid.map_or(U256::ZERO, |paid| paid.amount)))
    }

    async fn gate_logs(&self, gate: Address, topics: serde_json::Value) -> Result<Vec<Log>, RpcError> {
        let filter = json!([{"address": gate, "fromBlock": "earliest", "topics": topics}]);
        self.rpc.call("eth_getLogs", filter).await
    }
}

/// A payment on the destination chain.
#[derive(Clone, Copy, Debug)]
pub struct Delivery {
    /// Different for every transfer.
    pub key: B256,
    pub arrived: Address,
    pub token: Address,
    /// In `arrived`.
    pub amount: U256,
    pub to: Address,
}
