//! Approvals: exactly what the order may spend, for exactly one spender.

use super::client::Client;
use super::contracts::contracts;
use super::submit::Progress;
use crate::domain::address::checksummed;
use crate::domain::erc20;
use crate::domain::intent::{account, amount_input, known};
use crate::domain::text::ToText;
use crate::error::{Error, ErrorCode, Result};
use crate::host::{Host, Signal};
use crate::json::{At, Fault, Json, Read, object};
use crate::wallet::account::ready;
use crate::wallet::reads::Chain;
use crate::wallet::rpc::{Rpc, reader};
use crate::wallet::transaction::{confirm, send};
use alloy_primitives::{Address, B256, U256};

/// An allowance that is needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApprovalNeed {
    /// The chain.
    pub chain_id: u64,
    /// The token.
    pub token: Address,
    /// Who approves.
    pub owner: Address,
    /// Who may spend.
    pub spender: Address,
    /// How much, raw units.
    pub amount: U256,
    /// What is allowed now, where that could be read.
    pub current: Option<U256>,
    /// The token takes a new allowance only after a zero one.
    pub reset_first: bool,
}

impl ApprovalNeed {
    /// As JavaScript sees it.
    pub fn write(&self) -> Json {
        object([
            ("chainId", Json::number(self.chain_id)),
            ("token", Json::text(checksummed(self.token))),
            ("owner", Json::text(checksummed(self.owner))),
            ("spender", Json::text(checksummed(self.spender))),
            ("amount", Json::text(self.amount.text())),
            ("current", Json::or_null(self.current.map(|amount| Json::text(amount.text())))),
            ("resetFirst", Json::Bool(self.reset_first)),
        ])
    }

    fn read(at: At<'_>) -> Read<ApprovalNeed> {
        known(at, &["chainId", "token", "owner", "spender", "amount", "current", "resetFirst"])?;
        Ok(ApprovalNeed {
            chain_id: at.get("chainId").integer(u64::MAX)?,
            token: account(at.get("token"))?,
            owner: account(at.get("owner"))?,
            spender: account(at.get("spender"))?,
            amount: amount_input(at.get("amount"))?,
            current: None,
            reset_first: false,
        })
    }
}

/// What `approve` may be told besides.
#[derive(Clone, Copy, Debug)]
pub struct ApproveOptions {
    /// More than what is needed.
    pub amount: Option<U256>,
}

impl ApproveOptions {
    /// Reads the options; `"unlimited"` is all there can be.
    ///
    /// # Errors
    /// Names the member that is unknown or not as it must be.
    pub fn read(at: At<'_>) -> Read<ApproveOptions> {
        known(at, &["amount"])?;
        let amount = at.get("amount").some().map(|at| match at.text() {
            Ok("unlimited") => Ok(U256::MAX),
            _ => amount_input(at),
        });
        Ok(ApproveOptions { amount: amount.transpose()? })
    }
}

/// What is missing of an allowance; `None` where it suffices.
///
/// # Errors
/// The RPC's failure.
pub async fn read_approval<H: Host>(
    chain: &Chain<'_, H>,
    chain_id: u64,
    token: Address,
    owner: Address,
    spender: Address,
    amount: U256,
) -> Result<Option<ApprovalNeed>> {
    let current = chain.allowance(token, owner, spender).await?;
    if current >= amount {
        return Ok(None);
    }
    let reset_first = !current.is_zero() && !would_approve(chain, token, owner, spender, amount).await?;
    Ok(Some(ApprovalNeed { chain_id, token, owner, spender, amount, current: Some(current), reset_first }))
}

/// Whether the token would take that allowance now. Found out by simulation: there is no list of such tokens to trust.
async fn would_approve<H: Host>(
    chain: &Chain<'_, H>,
    token: Address,
    owner: Address,
    spender: Address,
    amount: U256,
) -> Result<bool> {
    match chain.call(Some(owner), token, erc20::approve(spender, amount)).await {
        Ok(answer) => Ok(erc20::approved(&answer)),
        Err(error) if error.code == ErrorCode::WalletFailed => Ok(false),
        Err(error) => Err(error),
    }
}

/// Raises the allowance where that is needed, after a reset where the token wants one. Returns
/// `{ transactions, allowance }`.
///
/// # Errors
/// VERIFY_MISMATCH where the spender is not the chain's Delta contract; INSUFFICIENT_ALLOWANCE where the wallet approved
/// less; the wallet's and the RPC's failures.
pub async fn approve<H: Host>(
    client: &Client<H>,
    approval: &Json,
    options: &ApproveOptions,
    signal: &H::Signal,
    progress: &dyn Fn(Progress),
) -> Result<Json> {
    let need = ApprovalNeed::read(At::root(approval, "approval")).map_err(Error::input)?;
    let amount = options.amount.unwrap_or(need.amount);
    if amount < need.amount {
        let fault = Fault::new("options.amount", ["at least ", &need.amount.text()].concat(), amount.text());
        return Err(Error::input(fault));
    }
    let (contracts, source) = contracts(&client.shared, need.chain_id, signal).await?;
    if need.spender != contracts.delta {
        let expected = [&checksummed(contracts.delta), " (", source.name(), ")"].concat();
        let fault = Fault::new("approval.spender", expected, checksummed(need.spender));
        return Err(Error::at(ErrorCode::VerifyMismatch, "not the contract that settles orders: ", fault));
    }
    progress(Progress::step("checking"));
    ready(client, need.owner, need.chain_id, signal).await?;
    let chain = chain(client, need.chain_id, signal).await?;
    check_stated_decimals(&chain, &need).await?;
    let mut transactions = Vec::new();
    if let Some(found) = read_approval(&chain, need.chain_id, need.token, need.owner, need.spender, need.amount).await?
    {
        if found.reset_first {
            transactions.push(step(&chain, &need, U256::ZERO, "resetting", progress).await?);
        }
        transactions.push(step(&chain, &need, amount, "approving", progress).await?);
    }
    let allowance = chain.allowance(need.token, need.owner, need.spender).await?;
    if allowance < need.amount {
        let fault = Fault::new("allowance", ["at least ", &need.amount.text()].concat(), allowance.text());
        return Err(Error::at(ErrorCode::InsufficientAllowance, "after the approval, the ", fault));
    }
    progress(Progress::step("approved"));
    let hashes = transactions.iter().map(|hash| Json::text(hash.text())).collect();
    Ok(object([("transactions", Json::Array(hashes)), ("allowance", Json::text(allowance.text()))]))
}

/// The chain through the application's RPC, or through the wallet, which is on it by now.
pub(super) async fn chain<'a, H: Host>(
    client: &'a Client<H>,
    chain_id: u64,
    signal: &'a H::Signal,
) -> Result<Chain<'a, H>> {
    let rpc: Option<Rpc<H::Provider>> = reader(client, chain_id, signal).await?;
    let missing = || {
        let field = ["rpc.", &chain_id.text()].concat();
        Error::input(Fault::new(field, "a URL or provider: without one the chain can not be read", "nothing"))
    };
    Ok(Chain { client, rpc: rpc.ok_or_else(missing)?, signal })
}

async fn check_stated_decimals<H: Host>(chain: &Chain<'_, H>, need: &ApprovalNeed) -> Result<()> {
    let stated = &chain.client.shared.stated_decimals;
    let found = stated.borrow().iter().find(|(id, t, _)| (*id, *t) == (need.chain_id, need.token)).map(|(_, _, d)| *d);
    let Some(stated) = found else { return Ok(()) };
    let own = chain.decimals(need.chain_id, need.token).await?;
    if own == U256::from(stated) {
        return Ok(());
    }
    let expected = ["the token's own ", &own.text()].concat();
    Err(Error::input(Fault::new("request.srcDecimals", expected, stated.text())))
}

async fn step<H: Host>(
    chain: &Chain<'_, H>,
    need: &ApprovalNeed,
    amount: U256,
    name: &'static str,
    progress: &dyn Fn(Progress),
) -> Result<B256> {
    ready(chain.client, need.owner, need.chain_id, chain.signal).await?;
    if chain.signal.is_aborted() {
        return Err(Error::aborted());
    }
    progress(Progress::step(name));
    let data = erc20::approve(need.spender, amount);
    let hash = send(chain, need.chain_id, need.owner, need.token, &data).await?;
    progress(Progress { step: "confirming", transaction: Some(hash), signed_order: None });
    confirm(chain, hash).await?;
    Ok(hash)
}
