//! Tries a transaction and estimates its gas without sending it.

use alloy_primitives::{Address, Bytes, U256};
use serde_json::json;

use super::{Chain, RpcError};

/// A transaction that an account could send.
#[derive(Clone, Debug)]
pub struct Proposal {
    pub from: Address,
    pub to: Address,
    pub data: Bytes,
    pub value: U256,
}

impl Chain {
    /// Runs it without sending it.
    ///
    /// # Errors
    /// When it would revert, or the node does not answer.
    pub async fn dry_run(&self, proposal: &Proposal) -> Result<(), RpcError> {
        let _answer: Bytes = self.rpc.call("eth_call", json!([proposal.json(), "pending"])).await?;
        Ok(())
    }

    /// The gas it would use.
    ///
    /// # Errors
    /// When it would revert, or the node does not answer.
    pub async fn gas_for(&self, proposal: &Proposal) -> Result<U256, RpcError> {
        self.rpc.call("eth_estimateGas", json!([proposal.json(), "pending"])).await
    }

    /// The price of a unit of gas now, in wei.
    ///
    /// # Errors
    /// When the node does not answer.
    pub async fn gas_price(&self) -> Result<U256, RpcError> {
        self.rpc.call("eth_gasPrice", json!([])).await
    }
}

impl Proposal {
    fn json(&self) -> serde_json::Value {
        // Without a gas price, an account that holds just the value is not refused for its gas.
        json!({"from": self.from, "to": self.to, "data": self.data, "value": self.value})
    }
}
