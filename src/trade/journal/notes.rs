//! Writing the journal: notes of one trade, and the lock under which a tab works on it.

use crate::client::{JOURNAL, KEPT, Shared};
use crate::domain::delta::status::is_terminal;
use crate::domain::journal::{Entry, Stage, TradeKind};
use crate::domain::text::ToText;
use crate::domain::transaction::Sent;
use crate::error::{Error, ErrorCode};
use crate::host::Host;
use crate::json::Json;
use alloy_primitives::{B256, keccak256};
use std::rc::Rc;

/// What stands before an entry's key in the storage.
pub const PREFIX: &str = "trade/";

/// The name of an entry in the storage.
fn name(key: B256) -> String {
    [PREFIX, &key.text()].concat()
}

/// The key of all trades for which these parts are the same.
pub fn trade_key(parts: &[&dyn ToText]) -> B256 {
    let mut key = String::new();
    for part in parts {
        key.push_str(&part.text());
        key.push(' ');
    }
    keccak256(key)
}

impl<H: Host> Shared<H> {
    /// The entry of that key.
    pub fn trade(&self, key: B256) -> Option<Entry> {
        self.trades.borrow().iter().find(|entry| entry.key == key).cloned()
    }

    /// Writes an entry, in place of the one with its key. Returns whether the storage has it: otherwise only this page
    /// knows it. Other clients are told.
    pub async fn note(&self, mut entry: Entry, is_durable: bool) -> bool {
        entry.changed_at = self.host.unix_ms();
        if entry.started_at == 0 {
            entry.started_at = entry.changed_at;
        }
        let dropped = self.keep(entry.clone());
        let is_stored = self.host.store(&name(entry.key), Some(&entry.write()), is_durable).await;
        if let Some(key) = dropped {
            self.host.store(&name(key), None, false).await;
        }
        if is_stored {
            self.host.tell(JOURNAL, &entry.key.text());
        }
        is_stored
    }

    /// Keeps an entry in memory, in place of the one with its key. Returns the key of the one that made room: one that
    /// ended, or else the oldest.
    pub fn keep(&self, entry: Entry) -> Option<B256> {
        let mut trades = self.trades.borrow_mut();
        if let Some(known) = trades.iter_mut().find(|known| known.key == entry.key) {
            *known = entry;
            return None;
        }
        trades.push(entry);
        (trades.len() > KEPT).then(|| {
            let first = trades.iter().position(|known| known.stage == Stage::Ended).unwrap_or_default();
            trades.remove(first).key
        })
    }

    /// Changes an entry, if there is one and `change` says that it did. Not durable: what is lost is read again.
    pub async fn amend(&self, key: B256, change: impl FnOnce(&mut Entry) -> bool) {
        let Some(mut entry) = self.trade(key) else { return };
        if change(&mut entry) {
            self.note(entry, false).await;
        }
    }

    /// Removes an entry: the user refused, so nothing was signed or sent.
    pub async fn unnote(&self, key: B256) {
        let is_known = {
            let mut trades = self.trades.borrow_mut();
            let before = trades.len();
            trades.retain(|entry| entry.key != key);
            trades.len() < before
        };
        if is_known && self.host.store(&name(key), None, false).await {
            self.host.tell(JOURNAL, &key.text());
        }
    }

    /// Removes an entry whose wallet was asked and did not answer: see [`Shared::unnote`].
    pub async fn unnote_asking(&self, key: B256) {
        if self.trade(key).is_some_and(|entry| entry.stage == Stage::Asking) {
            self.unnote(key).await;
        }
    }

    /// Notes what the service says of a signed order: its id and status.
    pub async fn note_status(&self, hash: B256, order: &Json) {
        let text = |name| order.get(name).and_then(Json::as_text).map(String::from);
        let (id, status) = (text("id"), text("status").or(text("state")));
        self.amend(hash, |entry| {
            // FULFILLED is an OTC order's.
            let ends = status.as_deref().is_some_and(|status| is_terminal(status) || status == "FULFILLED");
            let stage = if ends { Stage::Ended } else { Stage::Posted };
            let changed = entry.status != status || entry.stage != stage || (id.is_some() && entry.order_id != id);
            entry.order_id = id.or(entry.order_id.take());
            (entry.status, entry.stage) = (status, stage);
            changed
        })
        .await;
    }

    /// Notes that the chain shows an order to be over, and that its nonce is used if `is_spent`.
    pub async fn note_over(&self, hash: B256, is_spent: bool) {
        self.settle(hash, is_spent);
        self.amend(hash, |entry| {
            let changed = (entry.is_over, entry.is_spent) != (true, is_spent);
            (entry.is_over, entry.is_spent) = (true, is_spent);
            changed
        })
        .await;
    }

    /// Notes the hash of a transaction that the wallet sent. Returns whether the storage has it; `None` without an entry.
    pub async fn note_hash(&self, key: B256, hash: B256) -> Option<bool> {
        let mut entry = self.trade(key)?;
        (entry.stage, entry.transaction) = (Stage::Sent, Some(hash));
        Some(self.note(entry, true).await)
    }

    /// Notes what became of a transaction that was sent.
    pub async fn note_sent(&self, sent: &Sent) {
        let key = self.trades.borrow().iter().find(|entry| entry.transaction == Some(sent.hash)).map(|entry| entry.key);
        let Some(key) = key else { return };
        self.amend(key, |entry| {
            let changed = entry.status.as_deref() != Some(sent.status);
            entry.status = Some(sent.status.into());
            if is_terminal(sent.status) {
                (entry.stage, entry.payload) = (Stage::Ended, None);
            }
            changed
        })
        .await;
    }

    /// Takes the lock of a trade, which no other tab may have; a call of this client that has it shares it. `None` if
    /// another tab has it: it is at work on this trade, or has a prompt open for it.
    pub async fn hold(&self, intent: B256) -> Option<Rc<H::Lock>> {
        let name = name(intent);
        if let Some(lock) = self.held(&name) {
            return Some(lock);
        }
        match self.host.lock(&name, 0).await {
            Some(lock) => {
                let lock = Rc::new(lock);
                let mut locks = self.locks.borrow_mut();
                locks.retain(|(_, lock)| lock.strong_count() > 0);
                locks.push((name, Rc::downgrade(&lock)));
                Some(lock)
            }
            // Another call of this client may have got it meanwhile.
            None => self.held(&name),
        }
    }

    /// As [`Shared::hold`], but `None` also if another call of this client has it.
    pub async fn hold_alone(&self, intent: B256) -> Option<Rc<H::Lock>> {
        if self.held(&name(intent)).is_some() { None } else { self.hold(intent).await }
    }

    /// The lock of that name, if a call of this client has it.
    fn held(&self, name: &str) -> Option<Rc<H::Lock>> {
        let locks = self.locks.borrow();
        locks.iter().find(|(known, _)| known == name).and_then(|(_, lock)| lock.upgrade())
    }
}

/// The error for a trade that another tab is at work on. Its order or transaction is named if the journal has it.
pub fn busy_elsewhere<H: Host>(shared: &Shared<H>, intent: B256) -> Error {
    let message = "another tab is at work on this trade: see there, or trade again with again: \"another\"";
    let mut error = Error::new(ErrorCode::AlreadySigned, message);
    error.actual = Some("in another tab".into());
    let trades = shared.trades.borrow();
    let same = trades.iter().rev().find(|entry| entry.intent.unwrap_or(entry.key) == intent);
    error.order_hash = same.filter(|entry| entry.kind != TradeKind::Transaction).map(|entry| entry.key);
    error
}
