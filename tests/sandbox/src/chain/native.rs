//! Orders that sell the native token: deposits with Delta, held as a token.

use alloy_primitives::{Address, B256, U256};
use alloy_sol_types::{SolCall, sol};
use serde_json::{Value, json};

use super::IDelta;
use super::transaction::transact;
use super::{Chain, NATIVE, RpcError};

sol! {
    /// See `contracts/tokens/DelegatedNative.sol`.
    interface IDelegatedNative {
        function setDelegate(address contractWithAccess) external;
        function depositNative() external payable;
        function withdrawNative(uint256 amount, address owner, address receiver) external;
    }
}

impl Chain {
    /// Whether an order with that source token sells the native token.
    pub fn sells_native(&self, src_token: Address) -> bool {
        src_token == NATIVE || src_token == self.delegated_native
    }

    /// An owner's deposit with Delta.
    ///
    /// # Errors
    /// When the node does not answer.
    pub async fn deposited(&self, owner: Address) -> Result<U256, RpcError> {
        self.balance(self.delegated_native, owner).await
    }

    /// Whether an order was cancelled on chain together with its deposit.
    ///
    /// # Errors
    /// When the node does not answer.
    pub async fn is_cancelled(&self, order_hash: B256) -> Result<bool, RpcError> {
        self.read(self.delta, IDelta::isCancelledCall { orderHash: order_hash }).await
    }

    /// Deposits what an owner is short of, for any owner.
    ///
    /// # Errors
    /// When the owner's balance is too small, or the node does not answer.
    pub async fn deposit_for(&self, owner: Address, needed: U256) -> Result<(), RpcError> {
        let short = needed.saturating_sub(self.deposited(owner).await?);
        let native = self.balance(NATIVE, owner).await?;
        if short.is_zero() || native < short {
            return Ok(());
        }
        let _done: Option<Value> = self.rpc.call("anvil_impersonateAccount", json!([owner])).await?;
        self.set_native_balance(owner, native.saturating_add(U256::from(10).pow(U256::from(18)))).await?;
        let data = IDelegatedNative::depositNativeCall {}.abi_encode();
        let deposited = transact(&self.rpc, owner, Some(self.delegated_native), data.into(), short).await;
        // The owner did not send this transaction and must not pay its gas.
        let paid = if deposited.is_ok() { short } else { U256::ZERO };
        self.set_native_balance(owner, native - paid).await?;
        if !self.accounts.contains(&owner) {
            let _done: Option<Value> = self.rpc.call("anvil_stopImpersonatingAccount", json!([owner])).await?;
        }
        deposited.map(drop)
    }
}
