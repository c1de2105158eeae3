//! Following an order, or a transaction that was sent, to its end.

use crate::client::Client;
use crate::domain::delta::status::is_terminal;
use crate::domain::input::{known, optional};
use crate::domain::transaction::Sent;
use crate::error::{Error, ErrorCode, Result};
use crate::host::{Host, Signal};
use crate::json::{Json, JsonAt};
use crate::service::orders::OrderKey;
use crate::trade::argument_kind::Accepted;
use crate::trade::delta::orders::read_order;
use crate::trade::delta::reported::Wanted;
use crate::trade::transaction::follow::Pending;
use crate::wallet::reads::Chain;

/// The plain options of a follower.
pub const FOLLOW_OPTIONS: [&str; 2] = ["intervalMs", "maxIntervalMs"];

/// Failures in a row that are sat out.
const MAX_FAILURES: u32 = 8;

/// How often an order is read.
#[derive(Clone, Copy, Debug)]
pub struct FollowPace {
    /// The first pause.
    pub interval_ms: u32,
    /// The longest.
    pub max_interval_ms: u32,
}

impl FollowPace {
    /// Reads the options.
    ///
    /// # Errors
    /// Names the member that is unknown or not as it must be.
    pub fn read(at: &JsonAt<'_>) -> Result<FollowPace> {
        known(at, &FOLLOW_OPTIONS)?;
        let ms = |name| optional(&at.get(name), |at| at.integer(3_600_000));
        let narrow = |ms: u64| u32::try_from(ms).unwrap_or(u32::MAX).max(50);
        let interval_ms = narrow(ms("intervalMs")?.unwrap_or(2_000));
        Ok(FollowPace { interval_ms, max_interval_ms: narrow(ms("maxIntervalMs")?.unwrap_or(15_000)).max(interval_ms) })
    }
}

/// Whether what reading failed with may be over the next time. What was read before can be asked for: a wallet is on another
/// chain for a while.
fn is_passing(error: &Error, was_read: bool) -> bool {
    error.status.is_some_and(|status| status >= 500)
        || matches!(
            error.code,
            ErrorCode::Network
                | ErrorCode::Timeout
                | ErrorCode::RateLimited
                | ErrorCode::ServiceMalformed
                | ErrorCode::WalletFailed
        )
        || (was_read && error.code == ErrorCode::InvalidInput)
}

/// What is followed.
#[derive(Clone, Debug)]
enum Followed {
    Order(OrderKey, Wanted),
    Transaction(Pending),
}

/// An order or a transaction being followed.
#[derive(Clone, Debug)]
pub struct Follow {
    key: Followed,
    pace: FollowPace,
    last: Option<Json>,
    pause_ms: u32,
}

impl Follow {
    /// Follows an order, what is known by that id or hash, or a transaction that was sent.
    ///
    /// # Errors
    /// INVALID_INPUT where it is none of them.
    pub fn new(order: &Json, pace: FollowPace) -> Result<Follow> {
        let at = JsonAt::input(order, "order");
        if let Json::Object(_) = order {
            Accepted::FOLLOWED.check("order", order)?;
        }
        let key = match order {
            Json::String(_) => {
                let key = OrderKey::read(&at)?;
                let wanted = key.wanted();
                Followed::Order(key, wanted)
            }
            _ if at.get("kind").text().is_ok_and(|kind| kind == "sent") => {
                Followed::Transaction(Pending::new(Sent::read(&at)?))
            }
            _ => Followed::Order(OrderKey::id(&at.get("id"))?, Wanted::from_order(&at)?),
        };
        Ok(Follow { key, pace, last: None, pause_ms: 0 })
    }

    /// Follows a transaction that was sent here.
    pub fn of_sent(sent: Sent, pace: FollowPace) -> Follow {
        Follow { key: Followed::Transaction(Pending::new(sent)), pace, last: None, pause_ms: 0 }
    }

    /// Where it stood when it was last read.
    pub fn status(&self) -> Option<&str> {
        self.last.as_ref().and_then(|order| order.get("status")).and_then(Json::as_text)
    }

    /// The order as soon as it differs from the last one; `None` after its terminal status.
    ///
    /// # Errors
    /// ABORTED; what reading failed with, once it failed several times in a row or will not get better.
    pub async fn next<H: Host>(&mut self, client: &Client<H>, signal: &H::Signal) -> Result<Option<String>> {
        if self.status().is_some_and(is_terminal) {
            return Ok(None);
        }
        let mut failures: u32 = 0;
        loop {
            if self.pause_ms > 0 {
                client.shared.host.sleep(self.pause_ms, signal).await;
            }
            if signal.is_aborted() {
                return Err(Error::aborted());
            }
            match self.read(client, signal).await {
                Ok(order) if self.last.as_ref().is_none_or(|last| !last.same_as(&order)) => {
                    self.pause_ms = self.pace.interval_ms;
                    let text = order.write();
                    self.last = Some(order);
                    return Ok(Some(text));
                }
                Ok(_) => failures = 0,
                Err(error) => {
                    failures = failures.saturating_add(1);
                    if failures >= MAX_FAILURES || !is_passing(&error, self.last.is_some()) {
                        return Err(error);
                    }
                }
            }
            self.slow_down();
        }
    }

    fn slow_down(&mut self) {
        let slower = self.pause_ms.max(self.pace.interval_ms).saturating_mul(3).saturating_div(2);
        self.pause_ms = slower.min(self.pace.max_interval_ms);
    }

    async fn read<H: Host>(&mut self, client: &Client<H>, signal: &H::Signal) -> Result<Json> {
        match &mut self.key {
            Followed::Order(key, wanted) => {
                let order = read_order(client, key, wanted, signal).await?;
                // From now on it is this very one.
                wanted.learn(&JsonAt::service(&order, "order"));
                Ok(order)
            }
            Followed::Transaction(pending) => {
                pending.look(&Chain::need(client, pending.sent.chain_id, signal).await?).await?;
                Ok(pending.sent.json())
            }
        }
    }
}
