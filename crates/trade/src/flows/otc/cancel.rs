//! `otc.buildCancellation`: a maker cancels orders on chain. Afterwards they cannot be filled, even with their
//! signatures.

use crate::client::Client;
use crate::flows::call::CallArgs;
use crate::flows::chain::balances::find_account;
use crate::flows::otc::orders_input::{read_orders, read_remaining};
use crate::flows::transaction::send::transaction_build;
use crate::host::Host;
use crate::wallet::chain::Chain;
use crate::wallet::confirm::Purpose;
use alloy_primitives::{Address, U256};
use verify::internal::domain::chain::Protocol;
use verify::internal::domain::otc::calls;
use verify::internal::domain::sentence::otc as sentence;
use verify::internal::domain::transaction::Transaction;
use verify::internal::domain::verify::{Checks, report};
use verify::internal::error::Result;
use verify::internal::json::{Json, JsonAt};
use verify::internal::value::text::ToText;
use verify::internal::verifiers::orders::OrdersInput;

/// Builds the transaction that cancels orders of the client's account. Returns the `TransactionBuild` as JSON text.
///
/// # Errors
/// INVALID_INPUT with the member; VERIFY_MISMATCH if an order is another maker's (the contract would accept the call
/// and change nothing), is filled or cancelled already, or does not hash to its own hash; the RPC's failure.
pub async fn build_otc_cancellation<H: Host>(client: &Client<H>, call: &CallArgs<'_, H>) -> Result<String> {
    let signal = call.signal;
    let mut input = read_orders(client, call.data, false, signal).await?;
    let maker = find_account(client, &JsonAt::input(&Json::Null, "account"), signal).await?;
    let chain = Chain::need(client, input.chain_id, signal).await?;
    read_remaining(&mut input, &chain).await?;
    let (transaction, report) = build_transaction(&input, maker)?;
    transaction_build(client, Purpose::Cancel, &transaction, &report, None, signal).await
}

/// The transaction, and its report as JSON text. Every order has to be the maker's, and open.
///
/// # Errors
/// VERIFY_MISMATCH with the order's member.
fn build_transaction(input: &OrdersInput, maker: Address) -> Result<(Transaction, String)> {
    let (chain_id, rfq) = (input.chain_id, input.deployment.contracts.rfq);
    let mut checks = Checks::default();
    checks.holds("transaction.to", true, &input.deployment.describe(Protocol::Otc), &rfq.text());
    let mut hashes = Vec::new();
    for one in &input.orders {
        let at = |member: &str| [&one.name, ".", member].concat();
        checks.same(&at("orderHash"), &one.hash, &one.signed.hash);
        checks.same(&at("maker"), &maker, &one.maker);
        let is_over = one.remaining == U256::from(1);
        let state = if is_over { "filled or cancelled" } else { "open" };
        checks.same(&at("remaining"), &"open", &state);
        hashes.push(one.hash);
    }
    let (data, method) = calls::cancel(&hashes);
    checks.same("transaction.data", &method, &method);
    let sentence = [&sentence::cancel(chain_id, hashes.len(), maker), input.deployment.source.caveat()].concat();
    let report = report(&sentence, &checks.finish()?, None);
    let (value, decimals) = (U256::ZERO, vec![]);
    Ok((Transaction { chain_id, owner: maker, to: rfq, value, data, pays: None, decimals }, report))
}
