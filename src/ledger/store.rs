//! Writes the journal: notes of one trade, and the lock under which a tab works on it.

use super::record::{Entry, Stage, TradeKind};
use super::unread::{insist, unreadable};
use super::{JOURNAL, KEPT, Ledger};
use crate::domain::delta::status::{FOREIGN, is_terminal};
use crate::domain::input::MAX_EXACT;
use crate::domain::transaction::Sent;
use crate::error::{Error, ErrorCode, Result};
use crate::host::{Host, STORAGE_LIMIT_MS, StorageFailure};
use crate::json::Json;
use crate::value::text::ToText;
use alloy_primitives::{B256, keccak256};
use std::rc::Rc;

/// The prefix of an entry's key in the storage.
pub const PREFIX: &str = "trade/";

/// The name of an entry in the storage.
pub fn name(key: B256) -> String {
    [PREFIX, &key.text()].concat()
}

/// The prefix of an intent in the storage, for the nonce of its next order.
pub const NONCES: &str = "nonce/";

/// The storage name for the nonce of an intent's next order.
pub fn nonce_name(intent: B256) -> String {
    [NONCES, &intent.text()].concat()
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

/// How many milliseconds a call that has ended may still hold its lock.
const ENDED_MS: u32 = 100;

impl<H: Host> Ledger<H> {
    /// The entry with that key.
    pub fn trade(&self, key: B256) -> Option<Entry> {
        self.trades.borrow().iter().find(|entry| entry.key == key).cloned()
    }

    /// Writes an entry, in place of the one with its key. Returns whether the storage has it: otherwise only this page
    /// knows it. Other clients are notified.
    pub async fn note(&self, entry: Entry, is_durable: bool) -> bool {
        self.write(entry, &async |name, text| self.host.store(name, Some(text), is_durable, STORAGE_LIMIT_MS).await)
            .await
            .is_ok()
    }

    /// Writes the entry of a prompt that is about to open, in place of the one with its key. Without a storage only
    /// this page has it. If the storage refuses it, the journal stays as it was.
    ///
    /// # Errors
    /// JOURNAL_UNREADABLE, unless the call goes on all the same: `without_journal`.
    pub async fn note_before(&self, entry: Entry, without_journal: bool, signal: &H::Signal) -> Result<()> {
        let (key, before) = (entry.key, self.trade(entry.key));
        let store = async |name: &str, text: &str| {
            insist(&*self.host, signal, &async |limit_ms| self.host.store(name, Some(text), true, limit_ms).await).await
        };
        let Err(StorageFailure::Unreadable(why)) = self.write(entry, &store).await else { return Ok(()) };
        if without_journal {
            return Ok(());
        }
        match before {
            Some(before) => _ = self.note(before, false).await,
            // The write may still reach the storage.
            None => self.remove_entry(key).await,
        }
        Err(unreadable(&why, signal))
    }

    /// Keeps an entry in memory and has it stored by `store`, which is given its name and text. Other clients are
    /// notified.
    ///
    /// # Errors
    /// The failure of `store`.
    async fn write(
        &self,
        mut entry: Entry,
        store: &impl AsyncFn(&str, &str) -> core::result::Result<(), StorageFailure>,
    ) -> core::result::Result<(), StorageFailure> {
        // A clock that was set back must not make it older than the entry it replaces.
        let known = self.trades.borrow().iter().find(|known| known.key == entry.key).map(|known| known.changed_at);
        let after = known.map_or(0, |changed_at| changed_at.saturating_add(1));
        entry.changed_at = self.host.unix_ms().max(after).min(MAX_EXACT);
        if entry.started_at == 0 {
            entry.started_at = entry.changed_at;
        }
        let dropped = self.keep(entry.clone());
        let is_unread = self.unread.borrow().iter().any(|unread| unread.key == entry.key);
        let stored = match is_unread {
            true => Err(StorageFailure::Unreadable("an entry of a newer version stands there".into())),
            false => store(&name(entry.key), &entry.write()).await,
        };
        if let Some(dropped) = dropped {
            self.delete_entry(&dropped).await;
        }
        if stored.is_ok() {
            self.host.publish(JOURNAL, &entry.key.text());
        }
        stored
    }

    /// Keeps an entry in memory, in place of the one with its key. Returns the one that made room: the oldest that
    /// ended, or else that the service has. An entry known only here is never dropped.
    pub fn keep(&self, entry: Entry) -> Option<Entry> {
        let mut trades = self.trades.borrow_mut();
        if let Some(known) = trades.iter_mut().find(|known| known.key == entry.key) {
            *known = entry;
            return None;
        }
        trades.push(entry);
        if trades.len() <= KEPT {
            return None;
        }
        let old = trades.iter().enumerate().filter(|(_, known)| matches!(known.stage, Stage::Ended | Stage::Posted));
        let first = old.min_by_key(|(_, known)| (known.stage != Stage::Ended, known.changed_at)).map(|(at, _)| at);
        first.map(|at| trades.remove(at))
    }

    /// Deletes an entry from the storage, and the nonce that tabs share for its intent: a tab that no longer knows
    /// whether that nonce was used draws another.
    pub async fn delete_entry(&self, entry: &Entry) {
        if let Some(intent) = entry.intent {
            self.delete(&nonce_name(intent)).await;
        }
        self.delete(&name(entry.key)).await;
    }

    /// Deletes what is stored under a name. Returns whether it is deleted.
    pub async fn delete(&self, name: &str) -> bool {
        self.host.store(name, None, false, STORAGE_LIMIT_MS).await.is_ok()
    }

    /// Changes an entry, if there is one and `change` returns true. Not durable: a lost change is read again.
    pub async fn update_entry(&self, key: B256, change: impl FnOnce(&mut Entry) -> bool) {
        let Some(mut entry) = self.trade(key) else { return };
        if change(&mut entry) {
            self.note(entry, false).await;
        }
    }

    /// Removes an entry: the user refused, so nothing was signed or sent.
    pub async fn remove_entry(&self, key: B256) {
        let is_known = {
            let mut trades = self.trades.borrow_mut();
            let before = trades.len();
            trades.retain(|entry| entry.key != key);
            trades.len() < before
        };
        if is_known && self.delete(&name(key)).await {
            self.host.publish(JOURNAL, &key.text());
        }
    }

    /// Removes an entry whose prompt was not answered: see [`Shared::remove_entry`].
    pub async fn remove_asking(&self, key: B256) {
        if self.trade(key).is_some_and(|entry| entry.stage == Stage::Asking) {
            self.remove_entry(key).await;
        }
    }

    /// Notes a signed order's id and status as the service reports them; the caller passes them on to the app.
    pub async fn note_status(&self, hash: B256, order: &Json) {
        let text = |name| order.get(name).and_then(Json::as_text).map(String::from);
        let (id, status) = (text("id"), text("status").or(text("state")));
        // FULFILLED is an OTC order's final status.
        let ends = status.as_deref().is_some_and(|status| is_terminal(status) || status == "FULFILLED");
        if ends {
            self.tell_end(hash);
        }
        self.update_entry(hash, |entry| {
            let stage = if ends { Stage::Ended } else { Stage::Posted };
            let changed = entry.status != status || entry.stage != stage;
            entry.order_id = id.or(entry.order_id.take());
            (entry.status, entry.stage) = (status, stage);
            changed
        })
        .await;
    }

    /// Notes that the chain shows an order to be over, and that its nonce is used if `is_spent`.
    pub async fn note_over(&self, hash: B256, is_spent: bool) {
        self.settle(hash, is_spent);
        self.update_entry(hash, |entry| {
            let changed = (entry.is_over, entry.is_spent) != (true, is_spent);
            (entry.is_over, entry.is_spent) = (true, is_spent);
            changed
        })
        .await;
    }

    /// Notes that a call reports to the app a transaction that was found on the chain.
    pub async fn tell_found(&self, key: B256) {
        self.update_entry(key, |entry| core::mem::take(&mut entry.is_untold)).await;
    }

    /// Whether a trade was made for the service of this client, as far as that was noted.
    pub fn is_own(&self, entry: &Entry) -> bool {
        entry.base_url.as_ref() == Some(&self.base_url)
    }

    /// The entry of a sent transaction or batch.
    pub fn entry_of(&self, sent: &Sent) -> Option<Entry> {
        let is_it = |entry: &&Entry| match sent.batch.as_deref() {
            // Ids that wallets choose are not unique.
            Some(id) => {
                let is_theirs = (entry.chain_id, entry.owner) == (sent.chain_id, sent.from);
                is_theirs && !id.is_empty() && entry.batch.as_deref() == Some(id)
            }
            None => sent.hash.is_some() && entry.transaction == sent.hash,
        };
        let trades = self.trades.borrow();
        // Wallets that choose ids may reuse one.
        let mut found: Vec<&Entry> = trades.iter().filter(is_it).collect();
        found.sort_by_key(|entry| (entry.stage != Stage::Ended, entry.started_at));
        found.last().copied().cloned()
    }

    /// Notes the wallet's name for the transaction that it sent: a hash, or an id. Returns whether the storage has it;
    /// `None` without an entry.
    pub async fn note_name(&self, key: B256, sent: &Sent) -> Option<bool> {
        let mut entry = self.trade(key)?;
        (entry.stage, entry.transaction, entry.status) = (Stage::Sent, sent.hash, None);
        entry.batch.clone_from(&sent.batch);
        Some(self.note(entry, true).await)
    }

    /// Notes the outcome of a sent transaction, and its nonce.
    pub async fn note_sent(&self, sent: &Sent) {
        let Some(Entry { key, .. }) = self.entry_of(sent) else { return };
        self.update_entry(key, |entry| {
            if sent.status == FOREIGN && entry.is_abandoned() {
                return false;
            }
            let (nonce, hash) = (sent.nonce.or(entry.nonce), sent.hash.or(entry.transaction));
            // A reorganization of the chain takes an end back. Another account's transaction ends nothing.
            let is_end = is_terminal(sent.status) && sent.status != FOREIGN;
            let stage = if is_end { Stage::Ended } else { Stage::Sent };
            let changed = entry.status.as_deref() != Some(sent.status)
                || (entry.nonce, entry.transaction, entry.stage) != (nonce, hash, stage);
            (entry.status, entry.nonce, entry.transaction) = (Some(sent.status.into()), nonce, hash);
            entry.stage = stage;
            changed
        })
        .await;
    }

    /// Takes the lock of a trade, which no other tab may have, for the order or transaction of that key. Other calls of
    /// this client for the same key share it, and with `consents` those for another.
    ///
    /// # Errors
    /// ALREADY_SIGNED if a call here or in another tab works on this trade, or has a prompt open for it.
    pub async fn hold(&self, intent: B256, key: B256, consents: bool) -> Result<Rc<H::Lock>> {
        // A call that has just ended may have its lock for a moment.
        self.hold_within(intent, key, consents, ENDED_MS).await
    }

    /// [`Shared::hold`] that waits at most `limit_ms` for another tab to give the lock back.
    ///
    /// # Errors
    /// Same as [`Shared::hold`].
    async fn hold_within(&self, intent: B256, key: B256, consents: bool, limit_ms: u32) -> Result<Rc<H::Lock>> {
        let name = name(intent);
        let mut held = self.held(&name);
        if held.is_none() {
            if let Some(lock) = self.host.lock(&name, limit_ms).await {
                let lock = Rc::new(lock);
                let mut locks = self.locks.borrow_mut();
                locks.retain(|(_, _, lock)| lock.strong_count() > 0);
                locks.push((name, key, Rc::downgrade(&lock)));
                return Ok(lock);
            }
            // Another call of this client may have got it meanwhile.
            held = self.held(&name);
        }
        match held {
            Some((of, lock)) if consents || of == key => Ok(lock),
            Some((of, _)) => Err(self.busy("a call of this page", "under way", of)),
            None => {
                let trades = self.trades.borrow();
                let same = trades.iter().rev().find(|entry| entry.intent.unwrap_or(entry.key) == intent);
                Err(self.busy("another tab", "in another tab", same.map(|entry| entry.key).unwrap_or_default()))
            }
        }
    }

    /// [`Shared::hold`], but `None` if another call of this client has the lock, or another tab for longer than
    /// `limit_ms`.
    pub async fn try_lock(&self, intent: B256, key: B256, limit_ms: u32) -> Option<Rc<H::Lock>> {
        match self.held(&name(intent)) {
            Some(_) => None,
            None => self.hold_within(intent, key, false, limit_ms).await.ok(),
        }
    }

    /// The lock of that name, and the key it is held for, if a call of this client has it.
    fn held(&self, name: &str) -> Option<(B256, Rc<H::Lock>)> {
        let locks = self.locks.borrow();
        locks.iter().find_map(|(known, of, lock)| Some((*of, lock.upgrade().filter(|_| known == name)?)))
    }

    /// The error for a trade that another call or tab works on. Its order is named if the journal has it.
    fn busy(&self, who: &str, how: &str, key: B256) -> Error {
        let words = [who, r#" is at work on this trade: see there, or trade again with existing: "keepBoth""#];
        let mut error = Error::new(ErrorCode::AlreadySigned, &words.concat());
        error.actual = Some(how.into());
        let trade = self.trade(key).filter(|entry| entry.kind != TradeKind::Transaction);
        error.order_hash = trade.map(|entry| entry.key);
        error
    }
}
