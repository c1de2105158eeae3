//! Takes orders through their life: to the solvers, onto the chain, or past their deadline.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use alloy_primitives::{B256, U256};
use tokio::time::MissedTickBehavior;

use crate::app::App;
use crate::chain::{Chain, OrderSettled, RpcError};
use crate::order::{Settlement, Status, StoredOrder, purchase_total};
use crate::service::{Price, Trade};

/// How often open orders are looked at.
const PERIOD: Duration = Duration::from_millis(150);

/// Serves one chain's orders, for ever.
pub async fn run(app: Arc<App>, chain: Arc<Chain>) {
    let mut ticks = tokio::time::interval(PERIOD);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    // Why orders did not settle: said once, however often it is tried again.
    let mut said: HashMap<B256, String> = HashMap::new();
    loop {
        ticks.tick().await;
        let open = app.book().open(chain.id);
        for order in open {
            match next(&app, &chain, &order).await {
                Ok(Some((status, settlement, now))) => app.book().advance(order.hash, status, settlement, now),
                Ok(None) => {}
                Err(error) => {
                    let reason = error.to_string();
                    if said.get(&order.hash) != Some(&reason) {
                        eprintln!("sandbox: order {} on chain {}: {reason}", order.id, chain.id);
                        said.insert(order.hash, reason);
                    }
                }
            }
        }
    }
}

type Step = Option<(Status, Option<Settlement>, u64)>;

/// What happens to an order now; none where it stays as it is.
async fn next(app: &App, chain: &Chain, order: &StoredOrder) -> Result<Step, RpcError> {
    let now = chain.now().await?;
    let signed = &order.order;
    if chain.is_nonce_used(signed.owner, signed.nonce).await? {
        // By its own settlement, by that of another order, or by the owner.
        let settlement = settlement(chain, order).await?;
        let status = if settlement.is_some() { Status::Completed } else { Status::Failed };
        return Ok(Some((status, settlement, now)));
    }
    if U256::from(now) > signed.deadline {
        return Ok(Some((Status::Expired, None, now)));
    }
    if order.status == Status::Pending {
        return Ok(Some((Status::Active, None, now)));
    }
    let settings = app.control.settings();
    if !settings.solving || order.since.elapsed() < Duration::from_millis(settings.settle_delay_ms) {
        return Ok(None);
    }
    let Some(price) = affordable(chain, order).await else { return Ok(None) };
    if !is_covered(chain, order, &price).await? {
        return Ok(Some((Status::Failed, None, now)));
    }
    // What makes the contract refuse may pass; the deadline ends it.
    chain.settle(signed, &order.signature, price.spend, price.trade_in, price.promised).await?;
    Ok(Some((Status::Completed, settlement(chain, order).await?, chain.now().await?)))
}

/// What the chain says of the order's settlement.
async fn settlement(chain: &Chain, order: &StoredOrder) -> Result<Option<Settlement>, RpcError> {
    let found = chain.settlement_of(order.hash).await?;
    let settlement = |(transaction, settled): (_, OrderSettled)| Settlement {
        transaction,
        spent: settled.spent,
        received: settled.received,
    };
    Ok(found.map(settlement))
}

/// The pool's price now, where it is one the owner signed for.
async fn affordable(chain: &Chain, order: &StoredOrder) -> Option<Price> {
    let signed = &order.order;
    let amount = if order.is_sell() { signed.srcAmount } else { signed.destAmount };
    let trade = Trade { src: signed.srcToken, dest: signed.destToken, is_sell: order.is_sell(), amount };
    let price = trade.price(chain).await.ok()?;
    let good =
        if order.is_sell() { price.promised >= signed.destAmount } else { taken(order, &price) <= signed.srcAmount };
    good.then_some(price)
}

/// All that leaves the owner at that price.
fn taken(order: &StoredOrder, price: &Price) -> U256 {
    let signed = &order.order;
    if order.is_sell() {
        signed.srcAmount
    } else {
        purchase_total(signed.partnerAndFee, price.spend, signed.expectedAmount)
    }
}

/// Whether the owner still has, and still allows, what the order takes.
async fn is_covered(chain: &Chain, order: &StoredOrder, price: &Price) -> Result<bool, RpcError> {
    let (token, owner) = (order.order.srcToken, order.order.owner);
    let (balance, allowance) = tokio::join!(chain.balance(token, owner), chain.allowance(token, owner));
    let needed = taken(order, price);
    Ok(balance? >= needed && allowance? >= needed)
}
