//! A maker takes orders back, on chain: afterwards nobody can fill them.

use super::passed::passed;
use super::sentence;
use crate::client::Client;
use crate::domain::chain::{Path, named};
use crate::domain::otc::calls;
use crate::domain::text::ToText;
use crate::domain::verify::{Checks, report};
use crate::error::Result;
use crate::host::Host;
use crate::json::{At, Json};
use crate::trade::orders::who;
use crate::trade::transaction::{Transaction, transaction_build};
use crate::wallet::reads::Chain;
use alloy_primitives::{B256, U256};

/// Builds the transaction that cancels orders of the client's account. Returns the `TransactionBuild`.
///
/// # Errors
/// INVALID_INPUT; VERIFY_MISMATCH where an order is another maker's (the contract would take such a call, and change
/// nothing), or is filled or cancelled already; the RPC's failure.
pub async fn build_otc_cancellation<H: Host>(client: &Client<H>, orders: &Json, signal: &H::Signal) -> Result<String> {
    let mut passed = passed(client, orders, false, signal).await?;
    let maker = who(client, &At::input(&Json::Null, "account"), signal).await?;
    let rfq = passed.known.0.rfq;
    passed.read(&Chain::need(client, passed.chain_id, signal).await?, false).await?;
    let mut checks = Checks::default();
    checks.holds("transaction.to", true, &named(&passed.known, Path::Otc), &rfq.text());
    for one in &passed.orders {
        let at = |member: &str| [&one.name, ".", member].concat();
        checks.same(&at("orderHash"), &one.hash, &one.signed.hash);
        checks.same(&at("maker"), &maker, &one.maker);
        let is_over = one.remaining == U256::from(1);
        let state = if is_over { "filled or cancelled" } else { "open" };
        checks.same(&at("remaining"), &"open", &state);
    }
    let hashes: Vec<B256> = passed.orders.iter().map(|one| one.hash).collect();
    let (data, method) = calls::cancel(&hashes);
    checks.same("transaction.data", &method, &method);
    let transaction = Transaction {
        chain_id: passed.chain_id,
        owner: maker,
        to: rfq,
        value: U256::ZERO,
        data,
        pays: None,
        decimals: vec![],
    };
    let sentence = sentence::cancel(passed.chain_id, hashes.len(), maker);
    transaction_build(client, "cancel", &transaction, &report(&sentence, &checks.finish()?, None), signal).await
}
