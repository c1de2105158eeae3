//! Taking back on chain: an order that is not to be filled any more, coins that were deposited for one.

use super::contracts::contracts;
use super::orders::who;
use super::outlay::enough;
use super::transaction::{Transaction, transaction_build};
use crate::client::Client;
use crate::domain::amount::format_units;
use crate::domain::chain::{Contracts, Path, Source, name as chain_name};
use crate::domain::delta::calls::{cancel_and_withdraw, invalidate_nonce, withdraw_native};
use crate::domain::delta::order::{FILLABLE_ORDER, TYPES, domain};
use crate::domain::delta::status::is_terminal;
use crate::domain::input::{amount_input, chain_id, known};
use crate::domain::text::ToText;
use crate::domain::token::NATIVE;
use crate::domain::typed_struct::{TypedStruct, name};
use crate::domain::verify::{Checks, report};
use crate::error::{Error, ErrorCode, Result};
use crate::host::Host;
use crate::json::{At, Json};
use crate::wallet::reads::{Chain, Read};
use alloy_primitives::{Address, B256, U256};

/// A transaction of the owner that makes an order void. Where it sells the native coin, what was deposited comes back.
///
/// # Errors
/// INVALID_INPUT; VERIFY_MISMATCH where the struct in the order is not the one its hash is of; UNSUPPORTED_CHAIN.
pub async fn build_cancellation<H: Host>(client: &Client<H>, passed: &Json, signal: &H::Signal) -> Result<String> {
    let at = At::input(passed, "order");
    let status = at.get("status");
    if status.text().is_ok_and(is_terminal) {
        return Err(status.fault("an order that is still open"));
    }
    let chain_id = chain_id(&at.get("input").get("chainId"))?;
    let owner = at.get("owner").address()?;
    let (contracts, source) = contracts(&client.shared, chain_id, Path::Delta, signal).await?;
    let (data, ends, report) = cancelling(&at, &contracts, source, chain_id, &owner)?;
    let build = transaction_build(client, "cancel", &call(chain_id, &owner, &contracts, data), &report, signal).await?;
    if let Some(hash) = ends {
        client.shared.remember_cancellation(hash, &build)?;
    }
    Ok(build)
}

/// What makes an order void, the hash of what it ends for certain, and the report.
fn cancelling(
    at: &At<'_>,
    contracts: &Contracts,
    source: Source,
    chain_id: u64,
    owner: &Address,
) -> Result<(Vec<u8>, Option<B256>, String)> {
    let stated = B256::from(at.get("orderHash").fixed::<32>()?);
    // Which type was signed is not stated: it is the one that gives the hash.
    let (value, domain) = (at.get("order"), domain(chain_id, contracts.delta));
    let read = |encoded| TypedStruct::read(encoded, &value).ok();
    let order = TYPES.into_iter().filter_map(read).find(|order| order.digest(&domain).digest == stated);
    let mut checks = Checks::default();
    let found = if order.is_some() { stated.text() } else { "a struct of another hash".into() };
    checks.holds("order.orderHash", order.is_some(), &stated.text(), &found);
    let Some(order) = order else { return checks.finish().and(Err(Error::unread())) };
    checks.same("order.owner", owner, &order.address("owner"));
    let checks = checks.finish()?;
    let native = [Some(NATIVE), contracts.wrapped_native].contains(&Some(order.address("srcToken")));
    let mut ends = Some(stated);
    let (data, what) = match native.then(|| cancel_and_withdraw(&order)).flatten() {
        Some(data) => (data, " and withdraw what was deposited for it"),
        None if order.encoded() == FILLABLE_ORDER => {
            let expected =
                "an order that its nonce ends: one filled in parts is counted by its hash, cancel it by signature";
            return Err(at.get("onChainOrderType").fault(expected));
        }
        // Whether an order in parts that was signed under the plain name is counted by its hash, too, is not documented.
        None if at.get("onChainOrderType").text().is_ok_and(|said| said == name(FILLABLE_ORDER)) => {
            ends = None;
            (invalidate_nonce(order.uint("nonce")), " by its nonce, which may not end an order in parts")
        }
        None => (invalidate_nonce(order.uint("nonce")), ""),
    };
    let sentence = ["Cancel order ", &stated.text(), " on ", &chain_name(chain_id), what, source.caveat()].concat();
    Ok((data, ends, report(&sentence, &checks, None)))
}

/// A transaction that turns the owner's wrapped native token of Delta back into the coin.
///
/// # Errors
/// INVALID_INPUT; INSUFFICIENT_BALANCE; UNSUPPORTED_CHAIN.
pub async fn build_withdrawal<H: Host>(client: &Client<H>, passed: &Json, signal: &H::Signal) -> Result<String> {
    let at = At::input(passed, "query");
    known(&at, &["chainId", "amount", "account"])?;
    let chain_id = chain_id(&at.get("chainId"))?;
    let amount = amount_input(&at.get("amount"))?;
    let owner = who(client, &at.get("account"), signal).await?;
    let (contracts, source) = contracts(&client.shared, chain_id, Path::Delta, signal).await?;
    if let (Some(wrapped), Some(chain)) = (&contracts.wrapped_native, Chain::find(client, chain_id, signal).await?) {
        let deposited = chain.read(Read::Balance(wrapped, &owner)).await?;
        enough(ErrorCode::InsufficientBalance, "balance", &amount, &deposited)?;
    }
    let figure = format_units(amount, 18).unwrap_or_default();
    let sentence = ["Withdraw ", &figure, " of the native coin on ", &chain_name(chain_id), " from Delta"].concat();
    let sentence = [&sentence, source.caveat()].concat();
    let transaction = call(chain_id, &owner, &contracts, withdraw_native(amount));
    transaction_build(client, "withdraw", &transaction, &report(&sentence, "", None), signal).await
}

/// A call to the Delta contract without coins.
fn call(chain_id: u64, owner: &Address, contracts: &Contracts, data: Vec<u8>) -> Transaction {
    let (to, value) = (contracts.delta, U256::ZERO);
    Transaction { chain_id, owner: *owner, to, value, data, pays: None, decimals: vec![] }
}
