//! The transaction that pre-signs an order on the Delta contract, with a deposit of the native token if needed.
//!
//! The contract cannot take native token by a signature, so the sold amount has to be deposited as its wrapped token.
//! An existing deposit counts, less the claims of other open orders ("Readings of what is not documented" in
//! docs/verification.md).

use crate::client::Client;
use crate::flows::chain::deployment::find_deployment;
use crate::flows::delta::sealed::OpenBuild;
use crate::flows::resources::claimed_by_open_orders;
use crate::host::Host;
use crate::service::orders;
use crate::wallet::chain::Chain;
use crate::wallet::reads::Read;
use alloy_primitives::{Address, B256, U256};
use verify::internal::domain::chain::Protocol;
use verify::internal::domain::delta::calls::{deposit_and_pre_sign, pre_sign};
use verify::internal::domain::delta::status::FILLABLE;
use verify::internal::domain::token::{NATIVE, is_native};
use verify::internal::domain::transaction::Transaction;
use verify::internal::error::{Error, Result};
use verify::internal::json::{JsonAt, parse};
use verify::internal::value::text::ToText;

/// The owner's transaction that pre-signs the order: `setPreSignature`, or `depositNativeAndPreSign` with the deposit
/// as its value, unless enough is deposited that no other order claims.
///
/// # Errors
/// UNSUPPORTED_CHAIN; those of the service; the RPC's failure.
pub async fn build_pre_signature<H: Host>(
    client: &Client<H>,
    build: &OpenBuild,
    signal: &H::Signal,
) -> Result<Transaction> {
    let deposit = deposit_needed(client, build, signal).await?;
    let hash = build.verified.digest.digest;
    Ok(Transaction {
        chain_id: build.intent.chain_id,
        owner: build.verified.amounts.owner,
        to: build.spender,
        value: deposit.unwrap_or_default(),
        data: if deposit.is_some() { deposit_and_pre_sign(hash) } else { pre_sign(hash) },
        pays: None,
        decimals: vec![],
    })
}

/// The deposit needed with the pre-signature, in wei: all that the order sells, or nothing (`None`).
///
/// The free deposit is the balance of the wrapped token less the claims of other open orders. Those claims are the
/// service's word: at worst the amount is deposited once more, and `buildWithdrawal` brings it back.
///
/// # Errors
/// Same as [`build_pre_signature`].
async fn deposit_needed<H: Host>(client: &Client<H>, build: &OpenBuild, signal: &H::Signal) -> Result<Option<U256>> {
    let (intent, amounts) = (&build.intent, &build.verified.amounts);
    if !sells_native(build) {
        return Ok(None);
    }
    let Some(wrapped) =
        find_deployment(&client.shared, intent.chain_id, Protocol::Delta, signal).await?.contracts.wrapped_native
    else {
        return Ok(Some(amounts.spent));
    };
    let chain = Chain::need(client, intent.chain_id, signal).await?;
    let mut free = chain.read(Read::balance(&wrapped, &amounts.owner)).await?;
    if free >= amounts.spent {
        // Claims of other orders are not free. It is not documented under which of the two tokens the service lists
        // them.
        let (chain_id, names) = (intent.chain_id, [wrapped, NATIVE]);
        let mut claimed =
            claimed_by_open_orders(client, Protocol::Delta, chain_id, amounts.owner, &names, signal).await?;
        if free.saturating_sub(claimed) < amounts.spent {
            let filter = [("userAddress", Some(amounts.owner.text())), ("chainId", Some(chain_id.text()))];
            let page = orders::list_with(&client.shared, &filter, &FILLABLE, signal).await?;
            let page = parse(&page).map_err(Error::not_json)?;
            let most = claimed_by_others(&JsonAt::service(&page, "page"), build.verified.digest.digest, &names);
            claimed = claimed.min(most.unwrap_or(U256::MAX));
        }
        free = free.saturating_sub(claimed);
    }
    Ok((free < amounts.spent).then_some(amounts.spent))
}

/// The most that the other orders of a page claim of these tokens, in raw units. `None` unless the page is complete and
/// has the order of that hash: otherwise the service's sum may or may not include that order.
fn claimed_by_others(page: &JsonAt<'_>, hash: B256, tokens: &[Address]) -> Option<U256> {
    if page.get("hasMore").bool().ok()? {
        return None;
    }
    let (mut is_there, mut sum) = (false, U256::ZERO);
    for order in page.get("data").items().ok()? {
        if order.get("orderHash").fixed::<32>().ok()? == hash.0 {
            is_there = true;
        } else if tokens.contains(&order.get("input").get("token").address().ok()?) {
            sum = sum.saturating_add(order.get("order").get("srcAmount").uint().ok()?);
        }
    }
    is_there.then_some(sum)
}

/// Whether the order sells the native token through Delta itself. For an `ExternalOrder` another contract takes the
/// sold tokens, and nothing is deposited.
pub fn sells_native(build: &OpenBuild) -> bool {
    is_native(build.intent.src.address) && build.terms.external.is_none()
}
