//! The next status of an open order.

use std::time::{Duration, Instant};

use alloy_primitives::U256;

use super::fill::{self, Offer};
use crate::app::App;
use crate::chain::{Chain, Filled, RpcError};
use crate::order::{Change, OrderKind, Settlement, Status, StoredOrder};

/// The order's next status and fills; none if nothing changes.
pub(super) async fn next(app: &App, chain: &Chain, order: &StoredOrder) -> Result<Option<Change>, RpcError> {
    if matches!(order.status, Status::Bridging | Status::Refunding) {
        // The relayer moves these on.
        return Ok(None);
    }
    let now = chain.now().await?;
    let to = |to: Status| Ok(Some(Change { from: order.status, to, settlements: None, at: now }));
    let terms = &order.terms;
    // Before the fills: a fill that lands between the two reads would look like a nonce that something else used.
    let is_nonce_used = chain.is_nonce_used(terms.owner, terms.nonce).await?;
    let filled = chain.filled(order.hash).await?;
    if usize::try_from(filled.fills).unwrap_or(usize::MAX) > order.settlements.len() {
        // By this solver, or by another.
        return settled(chain, order, &filled).await.map(Some);
    }
    // Orders that are filled in parts are counted by their hash.
    if order.kind() != OrderKind::Fillable && is_nonce_used {
        // By another order, or by the owner: with its deposit, or by the nonce alone.
        return to(if chain.is_cancelled(order.hash).await? { Status::Cancelled } else { Status::Failed });
    }
    if order.kind() == OrderKind::Fillable && chain.is_cancelled(order.hash).await? {
        return to(Status::Cancelled);
    }
    if U256::from(now) > terms.deadline {
        return to(Status::Expired);
    }
    match order.status {
        Status::AwaitingSignature if fill::is_ready(app, chain, order).await? => to(Status::Active),
        Status::Pending => to(Status::Active),
        Status::Cancelling if order.in_flight.is_none() => to(Status::Cancelled),
        Status::Active | Status::Suspended if order.rests() && order.in_flight.is_none() => {
            let needed = terms.left_of_source(filled.filled);
            match (order.status, fill::is_covered(app, chain, order, needed).await?) {
                (Status::Active, false) => to(Status::Suspended),
                (Status::Suspended, true) => to(Status::Active),
                (Status::Active, true) => trade(app, chain, order, &filled, now).await,
                _ => Ok(None),
            }
        }
        Status::Active | Status::Cancelling => trade(app, chain, order, &filled, now).await,
        _ => Ok(None),
    }
}

/// Sends what is due, at a price the owner signed for.
async fn trade(
    app: &App,
    chain: &Chain,
    order: &StoredOrder,
    filled: &Filled,
    now: u64,
) -> Result<Option<Change>, RpcError> {
    let settings = app.control.settings();
    let offer = match order.in_flight {
        None => {
            let waits = order.since.elapsed() < Duration::from_millis(settings.settle_delay_ms);
            if !settings.solving || waits || !order.is_offered || !fill::is_due(order, filled, now) {
                return Ok(None);
            }
            let Some(offer) =
                Offer::affordable(chain, order, filled, settings.fill_percent, settings.gas_price_wei).await
            else {
                return Ok(None);
            };
            if order.kind() == OrderKind::External && !offer.would_settle(chain, order).await? {
                let failed = Change { from: order.status, to: Status::Failed, settlements: None, at: now };
                return Ok(Some(failed).filter(|_| !order.rests()));
            }
            if !fill::is_covered(app, chain, order, offer.taken).await? {
                let to = if order.rests() { Status::Suspended } else { Status::Failed };
                return Ok(Some(Change { from: order.status, to, settlements: None, at: now }));
            }
            if !app.book().take_off(order.hash) || settings.flight_ms > 0 {
                return Ok(None);
            }
            Some(offer)
        }
        Some(since) if is_flying(since, settings.flight_ms) => return Ok(None),
        Some(_) => Offer::affordable(chain, order, filled, settings.fill_percent, settings.gas_price_wei).await,
    };
    let landed = match &offer {
        Some(offer) => offer.settle(app, chain, order).await,
        None => Err(RpcError { method: "fill".into(), message: "the price is gone".into(), refused: true }),
    };
    if let Err(error) = landed {
        // The cause of a refusal may pass; the deadline ends it.
        app.book().abort(order.hash, now);
        return Err(error);
    }
    settled(chain, order, &chain.filled(order.hash).await?).await.map(Some)
}

fn is_flying(since: Instant, flight_ms: u64) -> bool {
    since.elapsed() < Duration::from_millis(flight_ms)
}

/// An order's settlements as the chain has them. Where something is left, the order goes on, or is cancelled where its
/// owner wanted that meanwhile.
pub(super) async fn settled(chain: &Chain, order: &StoredOrder, filled: &Filled) -> Result<Change, RpcError> {
    let found = chain.settlements_of(order.hash).await?;
    let settlements = found.into_iter().map(|(transaction, settled)| Settlement {
        transaction,
        spent: settled.spent,
        received: settled.received,
    });
    let to = match order.status {
        _ if filled.filled >= order.terms.fixed() && order.is_crosschain() => Status::Bridging,
        _ if filled.filled >= order.terms.fixed() => Status::Completed,
        Status::Cancelling => Status::Cancelled,
        Status::Pending | Status::AwaitingSignature => Status::Active,
        status => status,
    };
    Ok(Change { from: order.status, to, settlements: Some(settlements.collect()), at: chain.now().await? })
}
