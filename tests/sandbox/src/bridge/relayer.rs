//! Carries what orders sent over bridges to the other chain, or gives it back.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use alloy_primitives::{B256, U256, keccak256};
use alloy_sol_types::SolValue;
use tokio::time::MissedTickBehavior;

use super::{Protocol, arrives_as, fee_of, scaled};
use crate::app::App;
use crate::chain::{Chain, Delivery, IGate, RpcError};
use crate::control::Bridging;
use crate::order::{Arrival, Refund, Status, StoredOrder};

/// How often orders on their way are looked at.
const PERIOD: Duration = Duration::from_millis(100);
/// A purchase pays out exactly its amount if what arrived exceeds it by less than 1/1000: that is rounding.
const ROUNDING: u64 = 1_000;

/// Serves all bridges, forever.
pub async fn run(app: Arc<App>) {
    let mut ticks = tokio::time::interval(PERIOD);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    // By the transactions that sent something, and whether it is on its way back.
    let mut under_way: HashMap<(B256, bool), Instant> = HashMap::new();
    // Why an order did not travel on: logged once, however often it is retried.
    let mut said: HashMap<B256, String> = HashMap::new();
    loop {
        ticks.tick().await;
        let orders = app.book().on_their_way();
        for order in orders {
            if let Err(error) = carry(&app, &order, &mut under_way).await {
                let reason = error.to_string();
                if said.insert(order.hash, reason.clone()).as_ref() != Some(&reason) {
                    eprintln!("sandbox: the bridge of order {}: {reason}", order.id);
                }
            }
        }
    }
}

async fn carry(app: &App, order: &StoredOrder, under_way: &mut HashMap<(B256, bool), Instant>) -> Result<(), RpcError> {
    let bridge = &order.terms.bridge;
    let destination = u64::try_from(bridge.destinationChainId).ok().and_then(|id| app.chain(id));
    let (Some(from), Some(to)) = (app.chain(order.chain_id), destination) else { return Ok(()) };
    let Some(gate) = from.gate(bridge.protocolSelector) else { return Ok(()) };
    for (transaction, sent) in from.sent(gate, order.hash).await? {
        if order.is_delivered(transaction) {
            continue;
        }
        let settings = app.control.settings();
        let returns = order.status == Status::Refunding;
        let since = *under_way.entry((transaction, returns)).or_insert_with(Instant::now);
        if since.elapsed() < Duration::from_millis(settings.bridge_delay_ms) {
            continue;
        }
        match settings.bridge {
            Bridging::Hold => {}
            Bridging::Fill if !returns => deliver(app, order, (from, to), transaction, &sent).await?,
            _ if order.status == Status::Bridging => {
                let now = from.now().await?;
                app.book().begin_refund(order.hash, now);
            }
            _ => {
                let refund = Refund {
                    origin: transaction,
                    transaction: from.refund(gate, sent.id).await?,
                    token: sent.token,
                    amount: sent.amount,
                };
                let now = from.now().await?;
                app.book().give_back(order.hash, refund, now);
            }
        }
    }
    Ok(())
}

async fn deliver(
    app: &App,
    order: &StoredOrder,
    (from, to): (&Chain, &Chain),
    transaction: B256,
    sent: &IGate::Sent,
) -> Result<(), RpcError> {
    let selector = order.terms.bridge.protocolSelector;
    let ends = from.gate(selector).zip(to.gate(selector));
    let passage = arrives_as(from, to, sent.token, sent.outputToken);
    let (Some((origin, gate)), Some(passage), Some((fee_bps, exact))) =
        (ends, passage, Protocol::read_data(&sent.protocolData))
    else {
        return Ok(());
    };
    let net = scaled(sent.amount.saturating_sub(fee_of(sent.amount, fee_bps)), sent.scalingFactor);
    let is_exact = !exact.is_zero() && net >= exact && (net - exact).saturating_mul(U256::from(ROUNDING)) < exact;
    let delivery = Delivery {
        key: keccak256((U256::from(from.id), origin, sent.id).abi_encode()),
        arrived: passage.arrives,
        token: sent.outputToken,
        amount: if is_exact { exact } else { net },
        to: sent.beneficiary,
    };
    let (arrived, received) = to.deliver(gate, &delivery).await?;
    from.claim(origin, sent.id).await?;
    let arrival = Arrival { origin: transaction, transaction: arrived, received };
    let now = from.now().await?;
    app.book().arrive(order.hash, arrival, now);
    Ok(())
}
