//! The orders or the transaction of one `watch`, and the next change.

use crate::client::Client;
use crate::flows::call::Work;
use crate::flows::chain::pending::Pending;
use crate::flows::follow::orders::Orders;
use crate::flows::follow::pace::{FollowPace, is_passing};
use crate::flows::journal::locate::find_replacement;
use crate::host::{Host, Signal};
use crate::wallet::chain::Chain;
use std::cell::RefCell;
use verify::internal::domain::delta::status::is_terminal;
use verify::internal::domain::transaction::Sent;
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::{Json, JsonAt};

/// The number of failures in a row that ends a wait inside another call, which cannot go on for ever.
const MAX_FAILURES: u32 = 8;

/// A transaction that is followed.
#[derive(Clone, Debug)]
struct FollowedTransaction {
    pending: Pending,
    /// The last returned state.
    last: Option<Json>,
    /// The pause before the next look; none before the first.
    pause_ms: u32,
    /// When it last changed, milliseconds of the monotonic clock.
    changed_ms: u64,
    /// Whether it is followed however long the node is unavailable.
    is_patient: bool,
}

/// The followed orders or transaction, and their state.
#[derive(Clone, Debug)]
enum Followed {
    Orders(Orders),
    Transaction(FollowedTransaction),
}

/// The interface to [`Follow`] for code that is loaded without it ([`crate::flows::Parts`]).
pub trait Following<H: Host> {
    /// Calls [`Follow::next`]. Only one may be awaited at a time.
    fn next<'a>(&'a self, client: &'a Client<H>, signal: &'a H::Signal) -> Work<'a, Option<String>>;
}

impl<H: Host> Following<H> for RefCell<Follow> {
    fn next<'a>(&'a self, client: &'a Client<H>, signal: &'a H::Signal) -> Work<'a, Option<String>> {
        Box::pin(async {
            // A copy, so that nothing is borrowed while it waits.
            let mut follow = self.borrow().clone();
            let next = follow.next(client, signal).await;
            self.replace(follow);
            next
        })
    }
}

/// Orders or a transaction being followed.
#[derive(Clone, Debug)]
pub struct Follow {
    followed: Followed,
    pace: FollowPace,
}

impl Follow {
    /// Follows an order, given as the order itself, its id or its hash; a list of these; all orders of an account,
    /// given as `{ account, chainId? }`; or a `SentTransaction`.
    ///
    /// # Errors
    /// INVALID_INPUT if it is none of them.
    pub fn new(what: &Json, pace: FollowPace) -> Result<Follow> {
        let at = JsonAt::input(what, "order");
        if at.get("kind").text().is_ok_and(|kind| kind == "sent") {
            return Ok(Follow::of(Sent::read(&at)?, pace, true));
        }
        Ok(Follow { followed: Followed::Orders(Orders::read(&at)?), pace })
    }

    /// Follows a transaction that this client has just sent, inside another call.
    pub fn of_sent(sent: Sent, pace: FollowPace) -> Follow {
        Follow::of(sent, pace, false)
    }

    fn of(sent: Sent, pace: FollowPace, is_patient: bool) -> Follow {
        let pending = Pending::new(sent);
        let transaction = FollowedTransaction { pending, last: None, pause_ms: 0, changed_ms: 0, is_patient };
        Follow { followed: Followed::Transaction(transaction), pace }
    }

    /// The transaction's status at the last look; `None` before, and for orders.
    pub fn status(&self) -> Option<&str> {
        match &self.followed {
            Followed::Transaction(transaction) => transaction.last.as_ref()?.get("status")?.as_text(),
            Followed::Orders(_) => None,
        }
    }

    /// Waits until something differs from its last returned state. Returns the order or transaction as JSON text;
    /// `None` once all have ended.
    ///
    /// # Errors
    /// ABORTED; the failure to read, if waiting does not help.
    pub async fn next<H: Host>(&mut self, client: &Client<H>, signal: &H::Signal) -> Result<Option<String>> {
        match &mut self.followed {
            Followed::Orders(orders) => orders.next(client, self.pace, signal).await,
            Followed::Transaction(transaction) => transaction.next(client, self.pace, signal).await,
        }
    }
}

impl FollowedTransaction {
    /// [`Follow::next`] for a transaction.
    async fn next<H: Host>(
        &mut self,
        client: &Client<H>,
        pace: FollowPace,
        signal: &H::Signal,
    ) -> Result<Option<String>> {
        let host = &client.shared.host;
        if self.last.is_some() && is_terminal(self.pending.sent.status) {
            return Ok(None);
        }
        let mut failures: u32 = 0;
        loop {
            if self.pause_ms > 0 {
                host.pause(self.pause_ms, signal).await;
            }
            if signal.is_aborted() {
                return Err(Error::aborted());
            }
            match self.look(client, signal).await {
                Ok(sent) if self.last.as_ref().is_none_or(|last| !last.same_as(&sent)) => {
                    (self.pause_ms, self.changed_ms) = (pace.interval_ms, host.monotonic_ms());
                    let text = sent.write();
                    self.last = Some(sent);
                    if let Some(entry) = client.shared.ledger.entry_of(&self.pending.sent) {
                        client.shared.ledger.tell(entry.key, Some(self.pending.sent.status)).await;
                    }
                    return Ok(Some(text));
                }
                Ok(_) => failures = 0,
                Err(error) => {
                    failures = failures.saturating_add(1);
                    // INVALID_INPUT after the first look means that the wallet is on another chain for a while.
                    let is_elsewhere = self.last.is_some() && error.code == ErrorCode::InvalidInput;
                    let is_enough = failures >= MAX_FAILURES && !self.is_patient;
                    if is_enough || !(is_passing(&error) || is_elsewhere) {
                        return Err(error);
                    }
                }
            }
            self.pause_ms = pace.slower(self.pause_ms, host.monotonic_ms().saturating_sub(self.changed_ms));
        }
    }

    /// Looks for the transaction once.
    async fn look<H: Host>(&mut self, client: &Client<H>, signal: &H::Signal) -> Result<Json> {
        let chain = Chain::need(client, self.pending.sent.chain_id, signal).await?;
        self.pending.look(&chain).await?;
        find_replacement(&chain, &mut self.pending).await;
        client.shared.ledger.record_sent(&self.pending.sent).await;
        Ok(self.pending.sent.json())
    }
}
