//! What is read from a chain before anybody is asked to sign.

use super::rpc::{Rpc, quantity, request};
use crate::domain::erc20;
use crate::domain::text::ToText;
use crate::domain::token::is_native;
use crate::error::{Error, ErrorCode, Result};
use crate::host::Host;
use crate::json::{At, Fault, Json};
use crate::trade::Client;
use alloy_primitives::{Address, Bytes, U256, hex};

/// A chain that can be read.
pub struct Chain<'a, H: Host> {
    /// Whose reading it is.
    pub client: &'a Client<H>,
    /// Where.
    pub rpc: Rpc<H::Provider>,
    /// Ends it early.
    pub signal: &'a H::Signal,
}

impl<H: Host> Chain<'_, H> {
    async fn request(&self, method: &'static str, params: Vec<Json>) -> Result<Json> {
        request(self.client, &self.rpc, method, Json::Array(params), self.signal).await
    }

    /// `eth_call` of `to` with `data`, as from `from`.
    ///
    /// # Errors
    /// WALLET_FAILED where it reverts, or the RPC's failure.
    pub async fn call(&self, from: Option<Address>, to: Address, data: Bytes) -> Result<Bytes> {
        let mut call = vec![
            (String::from("to"), Json::text(to.text())),
            (String::from("data"), Json::text(hex::encode_prefixed(&data))),
        ];
        call.extend(from.map(|from| (String::from("from"), Json::text(from.text()))));
        let answer = self.request("eth_call", vec![Json::Object(call), Json::text("latest")]).await?;
        At::root(&answer, "eth_call").bytes().map_err(unreadable)
    }

    /// The code at an address; empty for an account without code.
    ///
    /// # Errors
    /// The RPC's failure.
    pub async fn code(&self, account: Address) -> Result<Bytes> {
        let params = vec![Json::text(account.text()), Json::text("latest")];
        let answer = self.request("eth_getCode", params).await?;
        At::root(&answer, "eth_getCode").bytes().map_err(unreadable)
    }

    /// The chain's clock, unix seconds.
    ///
    /// # Errors
    /// The RPC's failure.
    pub async fn time(&self) -> Result<u64> {
        let answer = self.request("eth_getBlockByNumber", vec![Json::text("latest"), Json::Bool(false)]).await?;
        let time = answer.get("timestamp").and_then(quantity);
        time.ok_or_else(|| Error::new(ErrorCode::Network, "the RPC's block has no timestamp"))
    }

    /// Raw units that `account` holds.
    ///
    /// # Errors
    /// INVALID_INPUT where the token is none, or the RPC's failure.
    pub async fn balance(&self, token: Address, account: Address) -> Result<U256> {
        if is_native(token) {
            let params = vec![Json::text(account.text()), Json::text("latest")];
            let answer = self.request("eth_getBalance", params).await?;
            let wei = answer.as_text().and_then(|text| U256::from_str_radix(text.strip_prefix("0x")?, 16).ok());
            return wei.ok_or_else(|| Error::new(ErrorCode::Network, "the RPC's balance is not a quantity"));
        }
        self.word(token, erc20::balance_of(account)).await
    }

    /// Raw units that `spender` may take from `owner`.
    ///
    /// # Errors
    /// As [`Chain::balance`].
    pub async fn allowance(&self, token: Address, owner: Address, spender: Address) -> Result<U256> {
        self.word(token, erc20::allowance(owner, spender)).await
    }

    /// The token's own decimals, remembered.
    ///
    /// # Errors
    /// As [`Chain::balance`].
    pub async fn decimals(&self, chain_id: u64, token: Address) -> Result<U256> {
        if is_native(token) {
            return Ok(U256::from(18));
        }
        let known = &self.client.shared.decimals;
        let found = known.borrow().iter().find(|(id, t, _)| *id == chain_id && *t == token).map(|(_, _, d)| *d);
        if let Some(decimals) = found {
            return Ok(decimals);
        }
        let decimals = self.word(token, erc20::decimals()).await?;
        known.borrow_mut().push((chain_id, token, decimals));
        Ok(decimals)
    }

    async fn word(&self, token: Address, data: Bytes) -> Result<U256> {
        let answer = self.call(None, token, data).await?;
        erc20::word(&answer).ok_or_else(|| {
            let message = [&token.text(), " does not answer like a token on this chain"].concat();
            Error::new(ErrorCode::InvalidInput, message)
        })
    }
}

fn unreadable(fault: Box<Fault>) -> Error {
    Error::at(ErrorCode::Network, "the RPC's answer, ", fault)
}
