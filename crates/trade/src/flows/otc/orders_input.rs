//! OTC orders as the app passes them in, looked up on the contract.

use crate::client::Client;
use crate::flows::chain::clock::chain_time;
use crate::flows::chain::deployment::find_deployment;
use crate::flows::chain::signature_check::DELEGATION_CODE_SIZE;
use crate::host::Host;
use crate::wallet::chain::Chain;
use crate::wallet::reads::{Batch, Pending, Read};
use alloy_primitives::{Address, U256};
use verify::internal::domain::chain::Protocol;
use verify::internal::domain::otc::calls;
use verify::internal::error::{Error, Result};
use verify::internal::json::Json;
use verify::internal::value::text::ToText;
use verify::internal::verifiers::orders::{OrdersInput, SignedOtcOrder, chain_of, places};

/// Reads an order or a list of them. With `one_pair`, all have to trade the same two assets in the same direction.
///
/// # Errors
/// INVALID_INPUT with the member that is missing, does not fit, or differs from the first order's; UNSUPPORTED_CHAIN.
pub async fn read_orders<H: Host>(
    client: &Client<H>,
    orders: &Json,
    one_pair: bool,
    signal: &H::Signal,
) -> Result<OrdersInput> {
    let all = places(orders, "order")?;
    let chain_id = chain_of(&all)?;
    let deployment = find_deployment(&client.shared, chain_id, Protocol::Otc, signal).await?;
    OrdersInput::read(&all, chain_id, deployment, one_pair)
}

/// Refuses an asset that has no code of its own, named by its member: a transfer of it would succeed and move nothing.
/// The code of an account that delegates (EIP-7702) does not count.
///
/// # Errors
/// INVALID_INPUT with the member; the RPC's failure.
pub async fn check_are_tokens<H: Host>(chain: &Chain<'_, H>, assets: &[(&str, &Address)]) -> Result<()> {
    let (batch, sizes) = code_questions(assets);
    let answers = chain.ask(batch).await?;
    for ((member, asset), size) in assets.iter().zip(answers.get_all(sizes)?) {
        if size == 0 || size == DELEGATION_CODE_SIZE {
            let actual = [&asset.text(), ", which has no code of its own"].concat();
            return Err(Error::input(member, "a token's contract", &actual));
        }
    }
    Ok(())
}

/// The reads of [`check_are_tokens`].
pub fn code_questions(assets: &[(&str, &Address)]) -> (Batch, Vec<Pending<u64>>) {
    let mut batch = Batch::default();
    let sizes = batch.add_all(assets.iter().map(|(_, asset)| Read::code_size(asset).lasting()));
    (batch, sizes)
}

/// Reads the remaining amounts of the orders in one batch. Returns the time on the chain, unix seconds.
///
/// # Errors
/// The RPC's failure.
pub async fn read_remaining<H: Host>(input: &mut OrdersInput, chain: &Chain<'_, H>) -> Result<u64> {
    let mut batch = Batch::default();
    let time = batch.add(Read::time());
    let left = batch.add_all(input.orders.iter().map(|one| left(input, one)));
    let answers = chain.ask(batch).await?;
    for (one, remaining) in input.orders.iter_mut().zip(answers.get_all(left)?) {
        one.remaining = remaining;
    }
    Ok(chain_time(input.chain_id, answers.get(time)?, chain.client.shared.host.unix_ms() / 1_000))
}

/// The read of an order's remaining amount.
fn left(input: &OrdersInput, one: &SignedOtcOrder) -> Read<U256> {
    let remaining = calls::remaining(one.maker, one.hash);
    Read::word(&input.deployment.contracts.rfq, &remaining).named("remaining")
}

/// [`read_remaining`] with the makers' balances and allowances. Answers of the last 12 s are reused.
///
/// # Errors
/// The RPC's failure.
pub async fn read_for_fill<H: Host>(input: &mut OrdersInput, chain: &Chain<'_, H>) -> Result<u64> {
    let (batch, time, places) = fill_questions(input);
    let answers = chain.ask(batch).await?;
    for (one, [remaining, balance, allowance]) in input.orders.iter_mut().zip(places) {
        one.remaining = answers.get(remaining)?;
        one.maker_funds = (answers.get(balance)?, answers.get(allowance)?);
    }
    Ok(chain_time(input.chain_id, answers.get(time)?, chain.client.shared.host.unix_ms() / 1_000))
}

/// Starts the reads of [`read_for_fill`], and awaits nothing.
pub fn read_early<H: Host>(input: &OrdersInput, chain: &Chain<'_, H>) {
    chain.put_early(fill_questions(input).0);
}

/// The reads of a fill: the time, and for each order its remaining amount, and its maker's balance and allowance.
fn fill_questions(input: &OrdersInput) -> (Batch, Pending<u64>, Vec<[Pending<U256>; 3]>) {
    let (rfq, asset) = (input.deployment.contracts.rfq, input.pair.0);
    let mut batch = Batch::default();
    let time = batch.add(Read::time().recent());
    let mut places = Vec::new();
    for one in &input.orders {
        places.push([
            batch.add(left(input, one).recent()),
            batch.add(Read::balance(&asset, &one.maker).recent()),
            batch.add(Read::allowance(&asset, &one.maker, &rfq).recent()),
        ]);
    }
    (batch, time, places)
}
