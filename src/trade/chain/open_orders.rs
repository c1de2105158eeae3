//! The account's own open gasless orders, and their share of an allowance: all orders of a token take from one.
//!
//! The journal is a storage that other scripts of the origin can write, so an amount widens an approval only if it is
//! that of an order whose signature verifies, and never beyond the owner's balance.

use crate::client::Shared;
use crate::domain::approval::ApprovalNeed;
use crate::domain::chain::Protocol;
use crate::domain::member::{Members, member};
use crate::error::Result;
use crate::host::Host;
use crate::ledger::orders::KnownOrder;
use crate::ledger::record::{Entry, Stage};
use crate::trade::chain::clock::chain_time;
use crate::trade::chain::signature_check::accepted_form;
use crate::wallet::chain::Chain;
use crate::wallet::reads::{Batch, Read};
use alloy_primitives::{Address, U256};
use std::rc::Rc;

/// The signed orders of the journal that have not ended and take from the need's allowance, with their entries. An
/// order with a permit or a handler takes from another one. The order `own` does not count, nor one of its nonce: only one of
/// the two can be filled.
pub fn open_orders<H: Host>(
    shared: &Shared<H>,
    need: &ApprovalNeed,
    own: Option<&KnownOrder>,
) -> Vec<(Entry, Rc<KnownOrder>)> {
    let is_it = |known: &KnownOrder| {
        let order = &known.signed.order;
        let handler: Option<Address> = order.find(member!("handler"));
        need.protocol == Protocol::Delta
            && (known.signed.chain_id, known.signed.delta) == (need.chain_id, need.spender)
            && (order.address(member!("owner")), order.address(member!("srcToken"))) == (need.owner, need.token)
            && own.is_none_or(|own| own.nonce != known.nonce)
            && handler.is_none()
            && order.bytes(member!("permit")).is_empty()
    };
    let orders = shared.ledger.orders().into_iter().filter(|order| order.is_signed && !order.is_over);
    let noted = |known: Rc<KnownOrder>| shared.ledger.trade(known.signed.hash).map(|entry| (entry, known));
    let open = orders.filter(|order| is_it(order)).filter_map(|order| noted(order.known));
    open.filter(|(entry, _)| entry.stage != Stage::Ended).collect()
}

/// The most that an order takes, in raw units: all of it, though it may be filled in part.
fn most_sold(known: &KnownOrder) -> U256 {
    let order = &known.signed.order;
    let total = order.find(member!("srcAmount")).or(order.find(member!("totalSrcAmount")));
    total.or(order.find(member!("maxSrcAmount"))).unwrap_or_default()
}

/// Raises a need by the share of the own open orders, and by what the service says beyond it that open orders have
/// `claimed`, in raw units: together to no more than the owner's balance. An order counts if its signature verifies and
/// its deadline has not passed by the chain's time. The service's figure is about orders that rest.
///
/// # Errors
/// The RPC's failure.
pub async fn cover<H: Host>(
    chain: &Chain<'_, H>,
    need: &mut ApprovalNeed,
    own: Option<&KnownOrder>,
    claimed: U256,
) -> Result<()> {
    let (client, known) = (chain.client, open_orders(&chain.client.shared, need, own));
    if known.is_empty() && claimed.is_zero() {
        return Ok(());
    }
    let mut batch = Batch::default();
    let (head, balance) =
        (batch.add(Read::head().recent()), batch.add(Read::balance(&need.token, &need.owner).recent()));
    let answers = chain.ask(batch).await?;
    let now = chain_time(need.chain_id, answers.get(head)?.time, client.shared.host.unix_ms() / 1_000);
    let free = answers.get(balance)?.saturating_sub(need.amount);
    let (mut open, mut resting) = (U256::ZERO, U256::ZERO);
    for (entry, known) in known.iter().filter(|(_, known)| known.deadline >= now) {
        let (hash, signature) = (known.signed.hash, entry.signature().unwrap_or_default());
        let is_theirs = accepted_form(client, need.chain_id, need.owner, hash, &signature, false, chain.signal).await;
        if is_theirs.is_ok() {
            need.open_orders = need.open_orders.saturating_add(1);
            open = open.saturating_add(most_sold(known));
            resting = resting.saturating_add(if known.rests { most_sold(known) } else { U256::ZERO });
        }
    }
    need.for_open_orders = open.min(free);
    need.claimed = claimed.saturating_sub(resting).min(free.saturating_sub(need.for_open_orders));
    need.amount = need.amount.saturating_add(need.for_open_orders).saturating_add(need.claimed);
    Ok(())
}

/// What orders that wait for an approval have spent of the allowance before this one, in raw units: they were signed
/// earlier, and are posted once it is there. At most what the `balance` leaves beside this one.
pub fn spent_by_waiting<H: Host>(
    shared: &Shared<H>,
    need: &ApprovalNeed,
    own: Option<&KnownOrder>,
    balance: U256,
) -> U256 {
    let signed_at = own.and_then(|own| shared.ledger.trade(own.signed.hash)).and_then(|entry| entry.signed_at);
    let is_before = |entry: &Entry| signed_at.is_none_or(|at| entry.signed_at.is_some_and(|other| other < at));
    let waiting = open_orders(shared, need, own).into_iter();
    let waiting = waiting.filter(|(entry, _)| entry.stage == Stage::Waiting && is_before(entry));
    let share = waiting.fold(U256::ZERO, |sum, (_, known)| sum.saturating_add(most_sold(&known)));
    share.min(balance.saturating_sub(need.amount))
}
