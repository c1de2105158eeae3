//! Makes accounts with code, for tests.

use alloy_primitives::{Address, U256};
use serde::Deserialize;
use serde_json::{Value, json};

use super::actions::chain;
use crate::app::App;
use crate::chain::{Chain, TokenKind};
use crate::service::Refusal;

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    /// A smart account with its own address.
    Contract,
    /// The owner's account itself, delegating.
    Delegated,
    /// The owner's account without code again.
    Plain,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Wallet {
    chain_id: u64,
    owner: Address,
    kind: Kind,
    /// Whether it takes signatures of 64 bytes, too.
    #[serde(default)]
    compact: bool,
    /// Whether it gets the tokens that users start with.
    #[serde(default)]
    fund: bool,
}

/// Makes an account with code that the owner's key controls; its address.
pub async fn wallet(app: &App, wallet: Wallet) -> Result<Value, Refusal> {
    let chain = chain(app, wallet.chain_id)?;
    let code = &chain.account_code;
    let delegated = match wallet.kind {
        Kind::Contract => None,
        Kind::Delegated if wallet.compact => Some(Some(code.compact_delegate)),
        Kind::Delegated => Some(Some(code.delegate)),
        Kind::Plain => Some(None),
    };
    let address = match delegated {
        None => chain.create_wallet(wallet.owner, wallet.compact).await?,
        Some(delegate) if chain.delegate(wallet.owner, delegate).await? => wallet.owner,
        Some(_) => return Err(Refusal::invalid("owner: only the node's own accounts can be made to delegate")),
    };
    if wallet.fund {
        fund(chain, address).await?;
    }
    Ok(json!({"address": address.to_string(), "hasCode": chain.has_code(address).await?}))
}

async fn fund(chain: &Chain, account: Address) -> Result<(), Refusal> {
    for token in chain.tokens.iter().filter(|token| token.kind != TokenKind::Native) {
        let whole = if token.address == chain.wrapped_native { 5 } else { 10_000 };
        let unit = U256::from(10).pow(U256::from(token.decimals));
        chain.give(token.address, account, U256::from(whole) * unit).await?;
    }
    Ok(())
}
