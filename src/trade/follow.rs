//! Following an order, or a transaction that was sent, until its status no longer changes: `watch` and `wait`.
//!
//! Orders are polled at the service and compared each time with what is known of them (`delta/reported.rs`);
//! transactions are polled on their chain (`transaction/follow.rs`).

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

/// The plain options of `watch` and `wait`: see [`FollowPace`].
pub const FOLLOW_OPTIONS: [&str; 2] = ["intervalMs", "maxIntervalMs"];

/// The failure in a row that ends it, if the failures are of a passing kind.
const MAX_FAILURES: u32 = 8;

/// How often the order or the transaction is read. The pause grows by half with each read that shows no change.
///
/// ```
/// use verified_swap::{json::{JsonAt, parse}, trade::FollowPace};
/// let options = parse(r#"{ "intervalMs": 500 }"#).unwrap();
/// let pace = FollowPace::read(&JsonAt::input(&options, "options")).unwrap();
/// assert_eq!((pace.interval_ms, pace.max_interval_ms), (500, 15_000));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct FollowPace {
    /// The pause after a change, in milliseconds; 50 to 3,600,000, else 2,000.
    pub interval_ms: u32,
    /// The longest pause, in milliseconds; at least `interval_ms`, up to 3,600,000, else 15,000.
    pub max_interval_ms: u32,
}

impl FollowPace {
    /// Reads the options. Shorter pauses than 50 ms are raised to that.
    ///
    /// # Errors
    /// INVALID_INPUT with the option that is unknown or no such number.
    pub fn read(at: &JsonAt<'_>) -> Result<FollowPace> {
        known(at, &FOLLOW_OPTIONS)?;
        let ms = |name| optional(&at.get(name), |at| at.integer(3_600_000));
        let narrow = |ms: u64| u32::try_from(ms).unwrap_or(u32::MAX).max(50);
        let interval_ms = narrow(ms("intervalMs")?.unwrap_or(2_000));
        Ok(FollowPace { interval_ms, max_interval_ms: narrow(ms("maxIntervalMs")?.unwrap_or(15_000)).max(interval_ms) })
    }
}

/// Whether the next read may succeed. INVALID_INPUT counts as passing once a read has succeeded: it then means that the
/// wallet is on another chain for a while.
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

/// What is followed, and what is known of it.
#[derive(Clone, Debug)]
enum Followed {
    /// By which key it is read, and what the answer has to say.
    Order(OrderKey, Wanted),
    /// A transaction that a wallet sent.
    Transaction(Pending),
}

/// An order or a transaction being followed.
#[derive(Clone, Debug)]
pub struct Follow {
    key: Followed,
    pace: FollowPace,
    /// What was returned last.
    last: Option<Json>,
    /// The pause before the next read; none before the first.
    pause_ms: u32,
}

impl Follow {
    /// Follows an order, given as the order itself, its id or its hash; or a `SentTransaction`.
    ///
    /// # Errors
    /// INVALID_INPUT if it is none of them.
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

    /// Follows a transaction that this client has just sent.
    pub fn of_sent(sent: Sent, pace: FollowPace) -> Follow {
        Follow { key: Followed::Transaction(Pending::new(sent)), pace, last: None, pause_ms: 0 }
    }

    /// Its status when it was last read; `None` before the first read.
    pub fn status(&self) -> Option<&str> {
        self.last.as_ref().and_then(|order| order.get("status")).and_then(Json::as_text)
    }

    /// Waits until the order or transaction differs from the last one returned. Returns it as JSON text; `None` after a
    /// status that is final.
    ///
    /// # Errors
    /// ABORTED; what reading failed with, if it failed eight times in a row or the failure is not a passing one.
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

    /// Makes the next pause half as long again, up to the longest.
    fn slow_down(&mut self) {
        let slower = self.pause_ms.max(self.pace.interval_ms).saturating_mul(3).saturating_div(2);
        self.pause_ms = slower.min(self.pace.max_interval_ms);
    }

    /// Reads the order or the transaction once.
    async fn read<H: Host>(&mut self, client: &Client<H>, signal: &H::Signal) -> Result<Json> {
        match &mut self.key {
            Followed::Order(key, wanted) => {
                let order = read_order(client, key, wanted, signal).await?;
                // From now on the service cannot answer with another order.
                wanted.learn(&JsonAt::service(&order, "order"));
                Ok(order)
            }
            Followed::Transaction(pending) => {
                pending.look(&Chain::need(client, pending.sent.chain_id, signal).await?).await?;
                client.shared.note_sent(&pending.sent).await;
                Ok(pending.sent.json())
            }
        }
    }
}
