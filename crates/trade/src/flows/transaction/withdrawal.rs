//! `buildCancellation` and `buildWithdrawal`: the owner's transactions that end an order on chain, and that bring back
//! native token deposited for one.
//!
//! Two calls end an order. `invalidateNonce` uses its nonce up, and ends every order of that nonce. `cancelAndWithdraw`
//! ends an order that sells the native token by its hash, and pays back its deposit.
//!
//! Unlike a gasless cancellation they need no cooperation of the service. They end the nonce that was signed, whatever
//! nonce the service reports ("An order as it is reported" in docs/verification.md).

use crate::client::Client;
use crate::flows::call::CallArgs;
use crate::flows::chain::balances::find_account;
use crate::flows::chain::deployment::find_deployment;
use crate::flows::chain::funding::require_amount;
use crate::flows::chain::open_orders::{NEEDED, name_open_orders};
use crate::flows::delta::reported::{Wanted, verify_reported};
use crate::flows::journal::sync::sync_best_effort;
use crate::flows::transaction::send::transaction_build;
use crate::host::Host;
use crate::ledger::orders::KnownOrder;
use crate::wallet::chain::Chain;
use crate::wallet::confirm::Purpose;
use crate::wallet::reads::Read;
use alloy_primitives::{Address, B256, U256};
use verify::internal::domain::chain::{Contracts, Deployment, Protocol, name as chain_name};
use verify::internal::domain::delta::calls::{cancel_and_withdraw, invalidate_nonce, withdraw_native};
use verify::internal::domain::delta::order::{DeltaOrder, FILLABLE_ORDER};
use verify::internal::domain::delta::status::is_terminal;
use verify::internal::domain::input::{amount_input, chain_id, known};
use verify::internal::domain::member::{Members, member};
use verify::internal::domain::sentence;
use verify::internal::domain::token::NATIVE;
use verify::internal::domain::transaction::Transaction;
use verify::internal::domain::typed_struct::name;
use verify::internal::domain::verify::delta_reported::{contradiction, most_spent};
use verify::internal::domain::verify::{Checks, Verdict, report};
use verify::internal::error::{ErrorCode, Result};
use verify::internal::json::JsonAt;
use verify::internal::value::amount::format_units;
use verify::internal::value::text::{Concat, ToText};

/// Builds the transaction that voids an order. If the order sells the native token, the same transaction pays back its
/// deposit. Returns the `TransactionBuild` as JSON text.
///
/// # Errors
/// INVALID_INPUT with the member, also if the order has ended or is in parts; VERIFY_MISMATCH if the order contradicts
/// its hash or this client's memory, or would pay another account; UNSUPPORTED_CHAIN.
pub async fn build_cancellation<H: Host>(client: &Client<H>, call: &CallArgs<'_, H>) -> Result<String> {
    let (at, signal) = (JsonAt::input(call.data, "order"), call.signal);
    let status = at.get("status");
    if status.text().is_ok_and(is_terminal) {
        return Err(status.fault("an order that is still open"));
    }
    // A signed order, which the service may not have, has its own `chainId`.
    let chain_id = chain_id(&at.get("chainId").some().unwrap_or(at.get("input").get("chainId")))?;
    let owner = at.get("owner").address()?;
    let hash = B256::from(at.get("orderHash").fixed::<32>()?);
    let Deployment { mut contracts, source } =
        find_deployment(&client.shared, chain_id, Protocol::Delta, signal).await?;
    let reported = verify_reported(&client.shared, &at, &Wanted::default(), ErrorCode::VerifyMismatch)?;
    if let Some(signed) = &reported.signed {
        if signed.chain_id != chain_id {
            return Err(contradiction(&at.get("chainId"), &signed.chain_id.text(), ErrorCode::VerifyMismatch));
        }
        // The contract it was signed for, which may have moved since: a call to another one would void nothing.
        contracts.delta = signed.delta;
    }
    let mut checks = Checks::default();
    let nonce = match &reported.signed {
        Some(signed) => signed.order.uint(member!("nonce")),
        None => at.get("order").get("nonce").uint()?,
    };
    // The nonce is in the struct, and the struct has the order's hash. Only the client that had the order signed can
    // vouch that it is the one the user means.
    let known = if reported.is_signed_here { Verdict::Ok } else { Verdict::Unknown };
    checks.note("order.nonce", &"the one that was signed", &nonce, known);
    let mut sentence = ["Cancel order ", &hash.text(), " on ", &chain_name(chain_id)].concat();
    let order = reported.signed.as_ref().map(|signed| &signed.order);
    let is_native = |order: &&DeltaOrder| {
        [Some(NATIVE), contracts.wrapped_native].contains(&Some(order.address(member!("srcToken"))))
    };
    let data = match order.filter(is_native).and_then(|order| Some((order, cancel_and_withdraw(order)?))) {
        Some((order, data)) => {
            let left = most_spent(order).saturating_sub(spent_by_fills(&at));
            let deposited = read_deposit(client, &contracts, chain_id, &owner, signal).await?;
            let (most, payee) =
                (deposited.map_or(left, |deposited| deposited.min(left)), order.address(member!("owner")));
            checks.same("withdrawal.payee", &owner, &payee);
            let read = if deposited.is_some() { Verdict::Ok } else { Verdict::Unknown };
            checks.note("withdrawal.amount", &Concat(&[&"at most ", &left]), &most, read);
            let figure = format_units(most, 18).unwrap_or_default();
            let what = [" and pay back at most ", &figure, " of the native token deposited for it, to ", &payee.text()];
            sentence.push_str(&what.concat());
            data
        }
        None => {
            let stated = at.get("onChainOrderType");
            if order.is_some_and(|order| order.encoded() == FILLABLE_ORDER) {
                let expected = "an order that its nonce ends: what an order in parts has filled is counted by its hash, cancel it by signature";
                return Err(stated.fault(expected));
            }
            // Whether an order in parts that was signed as `Order` is counted by its hash as well is not documented.
            if stated.text().is_ok_and(|kind| kind == name(FILLABLE_ORDER)) {
                sentence.push_str(" by its nonce, which may not end an order in parts");
            }
            invalidate_nonce(nonce)
        }
    };
    match &reported.signed {
        Some(_) if reported.is_signed_here => {}
        Some(_) => {
            sentence.push_str("; this client did not sign it: that it is the order you mean is the service's word")
        }
        None => sentence.push_str("; this client cannot hash it: that this is its nonce is the service's word"),
    }
    sync_best_effort(client, signal).await;
    let is_same = |known: &KnownOrder| {
        let of = (known.signed.chain_id, known.signed.delta, known.signed.order.address(member!("owner")));
        of == (chain_id, contracts.delta, owner) && known.nonce == nonce && known.signed.hash != hash
    };
    sentence.push_str(&name_open_orders(&client.shared, is_same, ("and with it ", ["", ""])));
    sentence.push_str(source.caveat());
    let report = report(&sentence, &checks.finish()?, None);
    let transaction = delta_call(chain_id, &owner, &contracts, data);
    client.shared.ledger.record_cancelling(&hash.text()).await;
    transaction_build(client, Purpose::Cancel, &transaction, &report, Some(hash), signal).await
}

/// The amount that fills have taken of an order so far, in raw units, by the service's word.
fn spent_by_fills(at: &JsonAt<'_>) -> U256 {
    let mut sum = U256::ZERO;
    for fill in at.get("transactions").items().into_iter().flatten() {
        sum = sum.saturating_add(fill.get("spentAmount").uint().unwrap_or_default());
    }
    sum
}

/// The owner's deposit with Delta, in wei; `None` if its wrapped token is not known or the chain cannot be read.
///
/// # Errors
/// The RPC's failure.
async fn read_deposit<H: Host>(
    client: &Client<H>,
    contracts: &Contracts,
    chain_id: u64,
    owner: &Address,
    signal: &H::Signal,
) -> Result<Option<U256>> {
    match (&contracts.wrapped_native, Chain::find(client, chain_id, signal).await?) {
        (Some(wrapped), Some(chain)) => Ok(Some(chain.read(Read::balance(wrapped, owner)).await?)),
        _ => Ok(None),
    }
}

/// Builds the transaction that turns the owner's wrapped native token of Delta back into native token. Returns the
/// `TransactionBuild` as JSON text.
///
/// # Errors
/// INVALID_INPUT with the query's member; INSUFFICIENT_BALANCE if less is deposited; UNSUPPORTED_CHAIN.
pub async fn build_withdrawal<H: Host>(client: &Client<H>, call: &CallArgs<'_, H>) -> Result<String> {
    let (at, signal) = (JsonAt::input(call.data, "query"), call.signal);
    known(&at, &["chainId", "amount", "account"])?;
    let chain_id = chain_id(&at.get("chainId"))?;
    let amount = amount_input(&at.get("amount"))?;
    let owner = find_account(client, &at.get("account"), signal).await?;
    let Deployment { contracts, source } = find_deployment(&client.shared, chain_id, Protocol::Delta, signal).await?;
    if let Some(deposited) = read_deposit(client, &contracts, chain_id, &owner, signal).await? {
        require_amount(&contracts.wrapped_native.unwrap_or_default(), None, ("", None), &amount, &deposited)?;
    }
    sync_best_effort(client, signal).await;
    let is_paid = |known: &KnownOrder| {
        let of = (known.signed.chain_id, known.signed.delta, known.signed.order.address(member!("owner")));
        of == (chain_id, contracts.delta, owner) && known.is_native
    };
    let ends = name_open_orders(&client.shared, is_paid, NEEDED);
    let sentence = [&*sentence::withdrawal(amount, chain_id), &ends, source.caveat()].concat();
    let transaction = delta_call(chain_id, &owner, &contracts, withdraw_native(amount));
    transaction_build(client, Purpose::Withdraw, &transaction, &report(&sentence, "", None), None, signal).await
}

/// A transaction to the Delta contract that sends no native token.
fn delta_call(chain_id: u64, owner: &Address, contracts: &Contracts, data: Vec<u8>) -> Transaction {
    let (to, value) = (contracts.delta, U256::ZERO);
    Transaction { chain_id, owner: *owner, to, value, data, pays: None, decimals: vec![] }
}
