//! Moves orders on: to the solver, onto the chain, or past their deadline.

mod fill;
mod life;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use alloy_primitives::B256;
use tokio::time::MissedTickBehavior;

pub use fill::fill_now;

use crate::app::App;
use crate::chain::Chain;

/// The agent that trades in the pool.
pub const TRADING_AGENT: &str = "sandbox-solver";
/// And one that never bids.
pub const IDLE_AGENT: &str = "sandbox-idle";

/// How often open orders are looked at.
const PERIOD: Duration = Duration::from_millis(150);

/// Serves one chain's orders until the program ends.
pub async fn run(app: Arc<App>, chain: Arc<Chain>) {
    let mut ticks = tokio::time::interval(PERIOD);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    // Why an order did not settle: logged once, however often it is retried.
    let mut said: HashMap<B256, String> = HashMap::new();
    loop {
        ticks.tick().await;
        let open = app.book().open(chain.id);
        for order in open {
            match life::next(&app, &chain, &order).await {
                Ok(Some(change)) => app.book().advance(order.hash, change),
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
