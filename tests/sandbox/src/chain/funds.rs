//! Balances, allowances, and the faucet's ways to change them.

use alloy_primitives::{Address, U256};
use serde_json::json;

use super::transaction::transact;
use super::{Chain, NATIVE, RpcError, TokenKind};
use super::{IDelta, IToken};

impl Chain {
    /// Balance of `owner` in a token, or in the native token.
    ///
    /// # Errors
    /// When the node does not answer.
    pub async fn balance(&self, token: Address, owner: Address) -> Result<U256, RpcError> {
        if token == NATIVE {
            return self.rpc.call("eth_getBalance", json!([owner, "latest"])).await;
        }
        self.read(token, IToken::balanceOfCall { owner }).await
    }

    /// The Delta contract's allowance of a token from `owner`.
    ///
    /// # Errors
    /// When the node does not answer.
    pub async fn allowance(&self, token: Address, owner: Address) -> Result<U256, RpcError> {
        self.allowance_for(token, owner, self.delta).await
    }

    /// Allowance of a token from `owner` to `spender`.
    ///
    /// # Errors
    /// When the node does not answer.
    pub async fn allowance_for(&self, token: Address, owner: Address, spender: Address) -> Result<U256, RpcError> {
        self.read(token, IToken::allowanceCall { owner, spender }).await
    }

    /// Whether an order with this nonce was settled or cancelled on chain.
    ///
    /// # Errors
    /// When the node does not answer.
    pub async fn is_nonce_used(&self, owner: Address, nonce: U256) -> Result<bool, RpcError> {
        self.read(self.delta, IDelta::isNonceUsedCall { owner, nonce }).await
    }

    /// Mints a token; for the native token, sets the balance.
    ///
    /// # Errors
    /// When the node does not answer.
    pub async fn give(&self, token: Address, to: Address, amount: U256) -> Result<(), RpcError> {
        let deployer = self.deployer();
        if token == NATIVE {
            self.set_native_balance(to, amount).await
        } else if token == self.wrapped_native {
            let held = self.balance(NATIVE, deployer).await?;
            self.set_native_balance(deployer, held.saturating_add(amount)).await?;
            let deposit = alloy_sol_types::SolCall::abi_encode(&IToken::depositToCall { to });
            transact(&self.rpc, deployer, Some(token), deposit.into(), amount).await.map(drop)
        } else {
            self.write(deployer, token, IToken::mintCall { to, value: amount }).await.map(drop)
        }
    }

    /// Sets what `spender` may take from `owner`, for any owner.
    ///
    /// # Errors
    /// When the token refuses, or the node does not answer.
    pub async fn approve(
        &self,
        token: Address,
        owner: Address,
        spender: Address,
        amount: U256,
    ) -> Result<(), RpcError> {
        let native = self.balance(NATIVE, owner).await?;
        let _done: Option<serde_json::Value> = self.rpc.call("anvil_impersonateAccount", json!([owner])).await?;
        self.set_native_balance(owner, native.saturating_add(U256::from(10).pow(U256::from(18)))).await?;
        let approved = self.approve_as(token, owner, spender, amount).await;
        // The owner did not send this transaction and must not pay its gas.
        self.set_native_balance(owner, native).await?;
        if !self.accounts.contains(&owner) {
            let _done: Option<serde_json::Value> =
                self.rpc.call("anvil_stopImpersonatingAccount", json!([owner])).await?;
        }
        approved
    }

    async fn approve_as(&self, token: Address, owner: Address, spender: Address, amount: U256) -> Result<(), RpcError> {
        let needs_reset = self.token(token).is_some_and(|token| token.kind == TokenKind::Usdt);
        if needs_reset && !amount.is_zero() && !self.allowance_for(token, owner, spender).await?.is_zero() {
            self.write(owner, token, IToken::approveCall { spender, value: U256::ZERO }).await?;
        }
        self.write(owner, token, IToken::approveCall { spender, value: amount }).await.map(drop)
    }

    pub(super) async fn set_native_balance(&self, account: Address, amount: U256) -> Result<(), RpcError> {
        let _done: Option<serde_json::Value> = self.rpc.call("anvil_setBalance", json!([account, amount])).await?;
        Ok(())
    }

    /// Moves the clock forward and mines a block that shows it.
    ///
    /// # Errors
    /// When the node does not answer.
    pub async fn advance(&self, seconds: u64) -> Result<(), RpcError> {
        let _moved: serde_json::Value = self.rpc.call("evm_increaseTime", json!([seconds])).await?;
        let _mined: serde_json::Value = self.rpc.call("evm_mine", json!([])).await?;
        Ok(())
    }
}
