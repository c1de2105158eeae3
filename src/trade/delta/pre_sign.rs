//! Consent on chain: an order's hash set by its owner's transaction, for accounts that can not sign here, and for the
//! native coin, which has to be deposited before it can be taken.

use crate::client::Client;
use crate::domain::chain::Protocol;
use crate::domain::delta::calls::{deposit_and_pre_sign, pre_sign};
use crate::domain::text::ToText;
use crate::domain::token::{NATIVE, is_native};
use crate::error::{Error, ErrorCode, Result};
use crate::host::Host;
use crate::json::{Json, JsonAt, parse};
use crate::service::orders;
use crate::trade::call::{CallArgs, Progress};
use crate::trade::chain::deployment::find_deployment;
use crate::trade::delta::again::consent_name;
use crate::trade::delta::preflight::preflight;
use crate::trade::delta::sealed::OpenBuild;
use crate::trade::follow::{Follow, FollowPace};
use crate::trade::resources::claimed;
use crate::trade::signed::submission::{Order, Submission};
use crate::trade::transaction::send::{Transaction, send_once};
use crate::wallet::reads::{Chain, Read};
use alloy_primitives::{Address, B256, U256, keccak256};
use std::cell::Cell;

/// The statuses in which an order waits to take what it gives.
const OPEN: &str = "PENDING,AWAITING_SIGNATURE,ACTIVE,SUSPENDED,CANCELLING";

/// How often a transaction is looked for.
const PACE: FollowPace = FollowPace { interval_ms: 1_000, max_interval_ms: 5_000 };

/// Has the owner's wallet set the order's hash on the Delta contract, and waits until that is in a block. An order that
/// sells the native coin brings the coins along, unless the owner has as many deposited that no other order claims. Returns
/// what is posted in place of a signature: nothing.
///
/// # Errors
/// Those of the checks and of the wallet; WALLET_FAILED where the transaction reverted or was dropped. From the point on
/// where the transaction is on its way, the order may come to be signed whatever happens here: then the error carries it,
/// and before that the order as it was `shown` to the service, where it was.
pub async fn pre_sign_on_chain<H: Host>(
    client: &Client<H>,
    submission: &Submission,
    shown: Option<&[u8]>,
    call: &CallArgs<'_, H>,
) -> Result<Vec<u8>> {
    let sent = Cell::new(false);
    let call = CallArgs { posting: &|| sent.set(true), ..*call };
    match send_pre_signature(client, submission, &call).await {
        Ok(()) => Ok(vec![]),
        Err(error) if sent.get() => Err(submission.with_signed_order(error, &[])),
        Err(error) => Err(match shown {
            Some(shown) => submission.with_signed_order(error, shown),
            None => error,
        }),
    }
}

async fn send_pre_signature<H: Host>(
    client: &Client<H>,
    submission: &Submission,
    call: &CallArgs<'_, H>,
) -> Result<()> {
    let CallArgs { signal, progress, .. } = *call;
    let Submission { order: Order::Delta(build), hash, .. } = submission else { return Ok(()) };
    submission.is_alone(client, signal).await?;
    preflight(client, build, signal).await?;
    progress(Progress::step("presigning"));
    let deposit = deposit(client, build, signal).await?;
    submission.may_be_signed(&client.shared)?;
    submission.remember(&client.shared, false, None);
    let transaction = Transaction {
        chain_id: submission.chain_id,
        owner: submission.owner,
        to: build.spender,
        value: deposit.unwrap_or_default(),
        data: if deposit.is_some() { deposit_and_pre_sign(*hash) } else { pre_sign(*hash) },
        pays: None,
        decimals: vec![],
    };
    let key = consent_name(*hash);
    let answer = parse(&send_once(client, &transaction, None, &key, call).await?).map_err(Error::not_json)?;
    // Also where it was sent before.
    (call.posting)();
    let transaction = B256::from(JsonAt::input(&answer, "sent").get("hash").fixed::<32>()?);
    let signed_order = Some(submission.signed_order(&[]));
    progress(Progress { step: "confirming", transaction: Some(transaction), signed_order });
    let mut follow = Follow::new(&answer, PACE)?;
    while follow.next(client, signal).await?.is_some() {}
    match follow.status() {
        // A wallet replaces a transaction by a faster one of the same content. Whether that one did it, the service knows.
        Some("COMPLETED" | "REPLACED") => Ok(()),
        status => {
            // The next attempt sends another.
            client.shared.sent.borrow_mut().retain(|(known, _)| *known != keccak256(&key));
            // What was undone in a block is over; what was lost may come back.
            if status != Some("FAILED") {
                submission.remember(&client.shared, true, Some(&submission.signed_order(&[])));
            }
            let advice = "; should it be sent after all, submit the signed order then";
            let message = ["the transaction ", &transaction.text(), " is ", status.unwrap_or("lost"), advice].concat();
            Err(Error::new(ErrorCode::WalletFailed, &message))
        }
    }
}

/// The coins that have to come along.
async fn deposit<H: Host>(client: &Client<H>, build: &OpenBuild, signal: &H::Signal) -> Result<Option<U256>> {
    let (intent, figures) = (&build.intent, &build.verified.figures);
    if !pays_coins(build) {
        return Ok(None);
    }
    let Some(wrapped) =
        find_deployment(&client.shared, intent.chain_id, Protocol::Delta, signal).await?.contracts.wrapped_native
    else {
        return Ok(Some(figures.spent));
    };
    let chain = Chain::need(client, intent.chain_id, signal).await?;
    let mut free = chain.read(Read::balance(&wrapped, &figures.owner)).await?;
    if free >= figures.spent {
        // What other orders wait to take of it can not be this one's. Which name they have for it is not documented.
        let (chain_id, names) = (intent.chain_id, [wrapped, NATIVE]);
        let mut claimed = claimed(client, Protocol::Delta, chain_id, figures.owner, &names, signal).await?;
        if free.saturating_sub(claimed) < figures.spent {
            let filter = [
                ("userAddress", Some(figures.owner.text())),
                ("chainId", Some(chain_id.text())),
                ("status", Some(OPEN.into())),
            ];
            let page = parse(&orders::page(&client.shared, &filter, signal).await?).map_err(Error::not_json)?;
            let most = claimed_by_others(&JsonAt::service(&page, "page"), build.verified.digest.digest, &names);
            claimed = claimed.min(most.unwrap_or(U256::MAX));
        }
        free = free.saturating_sub(claimed);
    }
    Ok((free < figures.spent).then_some(figures.spent))
}

/// The most that the other orders of a page claim of these tokens, where the order of that hash is in it as well, and the
/// page is the whole list. Whether the service counts what that one claims itself is not documented.
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

/// Whether the service is known not to take this order on a signature alone: it wanted a deposit before, on this chain.
///
/// # Errors
/// The RPC's failure.
pub async fn wants_deposit<H: Host>(client: &Client<H>, submission: &Submission, signal: &H::Signal) -> Result<bool> {
    let known = client.shared.deposits.borrow().contains(&submission.chain_id);
    match &submission.order {
        Order::Delta(build) if known => Ok(deposit(client, build, signal).await?.is_some()),
        _ => Ok(false),
    }
}

/// Whether the service's answer to a signed order means that its coins, or its consent on chain, are still missing. Which
/// words it uses for that is not documented.
pub fn is_missing(submission: &Submission, outcome: &Result<String>) -> bool {
    let missing = match outcome {
        Ok(order) => {
            parse(order).is_ok_and(|order| order.get("status").and_then(Json::as_text) == Some("AWAITING_SIGNATURE"))
        }
        Err(error) => [ErrorCode::SignatureMismatch, ErrorCode::InsufficientBalance, ErrorCode::InsufficientAllowance]
            .contains(&error.code),
    };
    missing && matches!(&submission.order, Order::Delta(build) if pays_coins(build))
}

/// Whether the order's coins have to be on Delta: where another contract handles it, Delta takes nothing of its owner.
fn pays_coins(build: &OpenBuild) -> bool {
    is_native(build.intent.src.address) && build.terms.external.is_none()
}
