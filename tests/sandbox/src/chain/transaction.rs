//! Calls and transactions of unlocked accounts.

use std::time::Duration;

use alloy_primitives::{Address, B256, Bytes, U256};
use alloy_sol_types::SolCall;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Chain, Rpc, RpcError};

/// A mined transaction.
#[derive(Clone, Debug)]
pub(super) struct Receipt {
    pub transaction: B256,
    pub created: Option<Address>,
}

impl Chain {
    /// Reads from a contract, at the latest block.
    pub(crate) async fn read<C: SolCall>(&self, contract: Address, call: C) -> Result<C::Return, RpcError> {
        let params = json!([{"to": contract, "data": Bytes::from(call.abi_encode())}, "latest"]);
        let answer: Bytes = self.rpc.call("eth_call", params).await?;
        C::abi_decode_returns(&answer).map_err(|_| RpcError::malformed("eth_call", &json!(answer)))
    }

    /// Sends a call from an unlocked account and waits until it is mined.
    pub(super) async fn write<C: SolCall>(&self, from: Address, to: Address, call: C) -> Result<Receipt, RpcError> {
        transact(&self.rpc, from, Some(to), call.abi_encode().into(), U256::ZERO).await
    }
}

/// Sends a transaction (a creation without `to`) and waits until it is mined.
///
/// # Errors
/// When it would revert (nothing is sent then), did revert, or the node cannot be asked.
pub(super) async fn transact(
    rpc: &Rpc,
    from: Address,
    to: Option<Address>,
    data: Bytes,
    value: U256,
) -> Result<Receipt, RpcError> {
    let mut transaction = json!({"from": from, "data": data, "value": value});
    if let Some(to) = to {
        transaction["to"] = json!(to);
    }
    mined(rpc, rpc.send(transaction).await?).await
}

/// Waits until a transaction is mined.
///
/// # Errors
/// When it reverted, or the node cannot be asked.
pub(super) async fn mined(rpc: &Rpc, hash: B256) -> Result<Receipt, RpcError> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Mined {
        status: U256,
        contract_address: Option<Address>,
    }
    let failed = |message: String| RpcError { method: "eth_getTransactionReceipt".into(), message, refused: true };
    for _ in 0..2_500 {
        let answer: Value = rpc.call("eth_getTransactionReceipt", json!([hash])).await?;
        if answer.is_null() {
            tokio::time::sleep(Duration::from_millis(4)).await;
            continue;
        }
        let mined: Mined = serde_json::from_value(answer).map_err(|error| failed(error.to_string()))?;
        if mined.status.is_zero() {
            return Err(failed(format!("{hash} reverted")));
        }
        return Ok(Receipt { transaction: hash, created: mined.contract_address });
    }
    Err(failed(format!("{hash} was not mined within 10 s")))
}
