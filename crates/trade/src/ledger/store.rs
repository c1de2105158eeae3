//! The shell around [`super::step`]: it writes and deletes entries by the commands, and permits prompts and posts. And
//! the lock under which a tab works on a trade.

use super::record::{Entry, Stage, TradeKind};
use super::step::{Command, Event};
use super::unread::{insist, unopened, unreadable};
use super::{JOURNAL, KEPT, Ledger};
use crate::host::{Host, LockFailure, STORAGE_LIMIT_MS, StorageFailure};
use alloy_primitives::{B256, U256, keccak256};
use std::rc::Rc;
use verify::internal::domain::transaction::Sent;
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::Json;
use verify::internal::value::text::ToText;

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

/// A nonce as it is stored with its name. An empty text is one that cannot be unsealed.
pub fn read_nonce(stored: Option<&(String, String)>) -> Option<U256> {
    stored.filter(|(_, text)| !text.is_empty()).and_then(|(_, text)| text.parse().ok())
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
/// How often a browser that does not answer is asked for a lock before a prompt: for 10 s.
const LOCK_TRIES: u32 = 5;

/// The journal has the trade of that key, so its prompt may open. Only the ledger makes one.
#[derive(Debug)]
pub struct PromptJournaled(B256);

impl PromptJournaled {
    /// Whether it is for the trade of that key.
    pub fn is_for(&self, key: B256) -> bool {
        self.0 == key
    }
}

/// Permission to post a signed order. Only the ledger makes one.
#[derive(Debug)]
pub struct PostPermission(());

impl<H: Host> Ledger<H> {
    /// An event that may always happen, and what follows from it. Returns whether the storage has it, if it was written:
    /// otherwise only this page has it. Other clients are notified.
    pub async fn apply(&self, key: B256, event: Event) -> Option<bool> {
        let commands = self.record(key, event).unwrap_or_default();
        self.carry_out(key, &commands).await
    }

    /// Notes that the prompt of a trade is about to open. Without a storage only this page has it. If the storage refuses
    /// it, the journal stays as it was. If it happened already, so that it is signed or sent: its entry in place of the
    /// permission.
    ///
    /// # Errors
    /// JOURNAL_UNREADABLE, unless the call goes on all the same: `without_journal`.
    pub async fn ask(
        &self,
        key: B256,
        event: Event,
        without_journal: bool,
        signal: &H::Signal,
    ) -> Result<core::result::Result<PromptJournaled, Box<Entry>>> {
        let stored = || Box::new(self.known(key).unwrap_or_default());
        let Ok(commands) = self.record(key, event) else { return Ok(Err(stored())) };
        if commands.contains(&Command::WriteFirst) {
            let store = async |name: &str, text: &str| {
                insist(&*self.host, signal, &async |limit_ms| self.host.store(name, Some(text), true, limit_ms).await)
                    .await
            };
            if let Err(StorageFailure::Unreadable(why)) = self.write(key, &store).await
                && !without_journal
            {
                // The write may still reach the storage.
                self.apply(key, Event::NotWritten).await;
                return Err(if self.has_opaque(Some(key)) { unopened(key) } else { unreadable(&why, signal) });
            }
        }
        Ok(if commands.contains(&Command::Prompt) { Ok(PromptJournaled(key)) } else { Err(stored()) })
    }

    /// Notes that a signed order leaves for the service.
    pub async fn post(&self, key: B256, event: Event) -> Option<PostPermission> {
        let commands = self.record(key, event).unwrap_or_default();
        self.carry_out(key, &commands).await;
        commands.contains(&Command::Post).then_some(PostPermission(()))
    }

    /// Carries out what the storage has to do. Returns whether it has the entry, if that was written.
    async fn carry_out(&self, key: B256, commands: &[Command]) -> Option<bool> {
        let mut is_stored = None;
        for command in commands {
            match *command {
                Command::Write { is_durable } => {
                    let store = async |name: &str, text: &str| {
                        self.host.store(name, Some(text), is_durable, STORAGE_LIMIT_MS).await
                    };
                    is_stored = Some(self.write(key, &store).await.is_ok());
                }
                Command::Delete => self.delete_entry(key, None).await,
                Command::DeleteWithNonce(intent) => self.delete_entry(key, intent).await,
                Command::WriteFirst | Command::Prompt | Command::Post => {}
            }
        }
        is_stored
    }

    /// Has the entry of that key stored by `store`, which is given its name and text. Other clients are notified.
    ///
    /// # Errors
    /// The failure of `store`.
    async fn write(
        &self,
        key: B256,
        store: &impl AsyncFn(&str, &str) -> core::result::Result<(), StorageFailure>,
    ) -> core::result::Result<(), StorageFailure> {
        let Some(entry) = self.trade(key) else { return Ok(()) };
        let stored = match self.is_unread(key) {
            true => Err(StorageFailure::Unreadable("an entry that cannot be read stands there".into())),
            false => store(&name(key), &entry.write()).await,
        };
        if let Some(old) = self.surplus(key) {
            let _ = self.record(old.key, Event::EntryDropped);
            self.drop_stored(&old).await;
        }
        if stored.is_ok() {
            self.host.publish(JOURNAL, &key.text());
        }
        stored
    }

    /// The entry that makes room for the one of that key, if the journal has too many: the oldest that ended, or else
    /// that the service has. An entry known only here is never dropped.
    fn surplus(&self, key: B256) -> Option<Entry> {
        let all = self.trades(|_| true);
        let old = all.iter().filter(|known| known.key != key && matches!(known.stage, Stage::Ended | Stage::Posted));
        let first = old.min_by_key(|known| (known.stage != Stage::Ended, known.changed_at));
        first.filter(|_| all.len() > KEPT).cloned()
    }

    /// Deletes an entry from the storage; and the nonce that tabs share for its intent: a tab that can no longer tell
    /// whether that nonce was used draws another.
    async fn delete_entry(&self, key: B256, intent: Option<B256>) {
        if let Some(intent) = intent {
            self.delete(&nonce_name(intent)).await;
        }
        if !self.is_unread(key) && self.delete(&name(key)).await {
            self.host.publish(JOURNAL, &key.text());
        }
    }

    /// The stored nonce of the next order for an intent; `None` if there is none that can be read.
    pub async fn stored_nonce(&self, intent: B256) -> Option<U256> {
        read_nonce(self.host.load(&nonce_name(intent), STORAGE_LIMIT_MS).await.ok()?.first())
    }

    /// Deletes the entry of that key, which cannot be read: the user lets go of it.
    ///
    /// # Errors
    /// JOURNAL_UNREADABLE if the storage still has it; ABORTED.
    pub async fn let_go(&self, key: B256, signal: &H::Signal) -> Result<()> {
        // Before it is deleted: that calls those that watch the journal, and they list what is known then.
        self.unread.borrow_mut().retain(|unread| unread.key != key);
        if !self.delete(&name(key)).await {
            // The next reading finds it again.
            self.journal_reading.set(0);
            self.is_journal_read.set(false);
            return Err(unreadable("the entry is not deleted", signal));
        }
        self.host.publish(JOURNAL, &key.text());
        Ok(())
    }

    /// Deletes what is stored under a name. Returns whether it is deleted: a nonce is not, while an order that cannot be
    /// read may have it.
    pub async fn delete(&self, name: &str) -> bool {
        let stays = name.starts_with(NONCES) && self.has_opaque(None);
        !stays && self.host.store(name, None, false, STORAGE_LIMIT_MS).await.is_ok()
    }

    /// Deletes an entry that is no longer kept, as the storage has it.
    pub async fn drop_stored(&self, entry: &Entry) {
        self.delete_entry(entry.key, entry.intent).await;
    }

    /// Notes a signed order's id and status as the service reports them; the caller passes them on to the app.
    pub async fn report(&self, hash: B256, order: &Json) {
        let text = |name| order.get(name).and_then(Json::as_text).map(String::from);
        let (id, status) = (text("id"), text("status").or(text("state")));
        self.apply(hash, Event::ServiceReported { id, status }).await;
    }

    /// Notes that the app cancels the order of that hash or id, if it is known here.
    pub async fn record_cancelling(&self, name: &str) {
        if let Some(hash) = self.order_named(name) {
            self.apply(hash, Event::AppCancels).await;
        }
    }

    /// The call that reports that order or transaction to the app, with that status, is about to return: its last act.
    /// Later changes by another call or tab are not reported by it.
    pub async fn tell(&self, key: B256, status: Option<&str>) {
        self.tell_since(key, status, self.host.unix_ms()).await;
    }

    /// [`Ledger::tell`] for what the app got at `shown_at`, unix milliseconds, and has taken in since: a price that it
    /// asked for meanwhile was asked for with that knowledge.
    pub async fn tell_since(&self, key: B256, status: Option<&str>, shown_at: u64) {
        if self.known(key).is_some_and(|entry| entry.status.as_deref() == status) {
            let at = shown_at.min(self.host.unix_ms());
            let commands = self.record_at(key, Event::AppInformed, at).unwrap_or_default();
            self.carry_out(key, &commands).await;
        }
    }

    /// The call that posts or sends it is about to return, and by that reports it.
    pub async fn tell_now(&self, key: B256) {
        self.apply(key, Event::AppInformed).await;
    }

    /// Notes the outcome of a sent transaction, and its nonce.
    pub async fn record_sent(&self, sent: &Sent) {
        if let Some(entry) = self.entry_of(sent) {
            self.apply(entry.key, Event::ChainReported(sent.clone())).await;
        }
    }

    /// Takes the lock of a trade, which no other tab may have, for the order or transaction of that key. Other calls of
    /// this client for the same key share it, and with `consents` those for another.
    ///
    /// # Errors
    /// ALREADY_SIGNED if a call here or in another tab works on this trade, or has a prompt open for it;
    /// JOURNAL_UNREADABLE if the browser does not answer for 10 s.
    pub async fn hold(&self, intent: B256, key: B256, consents: bool) -> Result<Rc<H::Lock>> {
        let mut tries = LOCK_TRIES;
        loop {
            tries = tries.saturating_sub(1);
            // A call that has just ended may have its lock for a moment.
            match self.hold_within(intent, key, consents, ENDED_MS).await {
                Err(error) if error.code == ErrorCode::JournalUnreadable && tries > 0 => {}
                outcome => return outcome,
            }
        }
    }

    /// [`Ledger::hold`] that waits at most `limit_ms` for another tab to give the lock back.
    ///
    /// # Errors
    /// Same as [`Ledger::hold`], as soon as the browser has not answered once.
    async fn hold_within(&self, intent: B256, key: B256, consents: bool, limit_ms: u32) -> Result<Rc<H::Lock>> {
        let name = name(intent);
        let mut held = self.held(&name);
        if held.is_none() {
            match self.host.lock(&name, limit_ms).await {
                Ok(lock) => {
                    let lock = Rc::new(lock);
                    let mut locks = self.locks.borrow_mut();
                    locks.retain(|(_, _, lock)| lock.strong_count() > 0);
                    locks.push((name, key, Rc::downgrade(&lock)));
                    return Ok(lock);
                }
                Err(LockFailure::Silent) => return Err(silent_locks()),
                Err(LockFailure::Taken) => {}
            }
            // Another call of this client may have got it meanwhile.
            held = self.held(&name);
        }
        match held {
            Some((of, lock)) if consents || of == key => Ok(lock),
            Some((of, _)) => Err(self.busy("a call of this page", "under way", of)),
            None => {
                let same = self.trades(|entry| entry.intent.unwrap_or(entry.key) == intent);
                Err(self.busy("another tab", "in another tab", same.last().map(|entry| entry.key).unwrap_or_default()))
            }
        }
    }

    /// [`Ledger::hold`], but `None` if another call of this client has the lock, or another tab for longer than
    /// `limit_ms`.
    ///
    /// # Errors
    /// JOURNAL_UNREADABLE if the browser does not answer.
    pub async fn try_lock(&self, intent: B256, key: B256, limit_ms: u32) -> Result<Option<Rc<H::Lock>>> {
        if self.held(&name(intent)).is_some() {
            return Ok(None);
        }
        match self.hold_within(intent, key, false, limit_ms).await {
            Err(error) if error.code == ErrorCode::JournalUnreadable => Err(error),
            lock => Ok(lock.ok()),
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

/// JOURNAL_UNREADABLE for a browser whose locks do not answer: another tab may be at work on the same trade.
fn silent_locks() -> Error {
    let message = "the browser does not answer whether another tab is at work on this trade: reload the page";
    let mut error = Error::new(ErrorCode::JournalUnreadable, message);
    error.expected = Some("an answer about the lock".into());
    error.actual = Some("locks".into());
    error
}
