//! Owners with code: whether they signed, and the accounts the control surface makes.

use alloy_primitives::{Address, B256, Bytes, U256};
use alloy_sol_types::{SolCall, SolValue};
use serde_json::json;

use super::IDelta;
use super::abi::IContractAccount;
use super::transaction::transact;
use super::{Chain, RpcError};

/// The code of accounts that the control surface makes.
#[derive(Clone, Debug)]
pub struct AccountCode {
    /// Creation code of a smart account, constructor arguments not included.
    pub wallet: Bytes,
    /// The delegates for an account with a key: one that takes signatures of 65 bytes only, one that takes
    /// compact ones too.
    pub delegate: Address,
    pub compact_delegate: Address,
}

impl Chain {
    /// Whether the account is a contract, or delegates to one.
    ///
    /// # Errors
    /// When the node does not answer.
    pub async fn has_code(&self, account: Address) -> Result<bool, RpcError> {
        let code: Bytes = self.rpc.call("eth_getCode", json!([account, "latest"])).await?;
        Ok(!code.is_empty())
    }

    /// Whether by its code an account has signed (EIP-1271). Code without that function, or that reverts,
    /// has not.
    ///
    /// # Errors
    /// When the node does not answer.
    pub async fn is_contracts_signature(
        &self,
        owner: Address,
        hash: B256,
        signature: &Bytes,
    ) -> Result<bool, RpcError> {
        let call = IContractAccount::isValidSignatureCall { hash, signature: signature.clone() };
        let params = json!([{"to": owner, "data": Bytes::from(call.abi_encode())}, "latest"]);
        match self.rpc.call::<Bytes>("eth_call", params).await {
            Ok(answer) => {
                let yes = B256::right_padding_from(&IContractAccount::isValidSignatureCall::SELECTOR);
                Ok(answer.as_ref() == yes.as_slice())
            }
            Err(error) if error.refused => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Whether the owner signed an order on chain.
    ///
    /// # Errors
    /// When the node does not answer.
    pub async fn is_pre_signed(&self, owner: Address, order_hash: B256) -> Result<bool, RpcError> {
        self.read(self.delta, IDelta::isPreSignedCall { owner, orderHash: order_hash }).await
    }

    /// Creates a smart account that `owner` controls. `compact`: whether it takes signatures of 64 bytes, too.
    ///
    /// # Errors
    /// When the node does not answer.
    pub async fn create_wallet(&self, owner: Address, compact: bool) -> Result<Address, RpcError> {
        let code = [self.account_code.wallet.as_ref(), &(owner, compact).abi_encode_params()].concat();
        let receipt = transact(&self.rpc, self.deployer(), None, code.into(), U256::ZERO).await?;
        receipt.created.ok_or_else(|| RpcError::malformed("eth_getTransactionReceipt", &json!(null)))
    }
}
