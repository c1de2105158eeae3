//! The unreadable part of the journal: a storage that fails or does not answer, an entry of a newer version of this
//! package, or one that cannot be opened. It may hide a trade: no prompt opens beside it, unless the caller allows that
//! for one call. See "A journal that cannot be read" in docs/verification.md.

use super::record::{Entry, Stage, TradeKind};
use super::{Ledger, UnreadTrade};
use crate::host::{Host, JOURNAL_LIMIT_MS, Signal, StorageFailure};
use alloy_primitives::B256;
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::value::text::ToText;

/// The pause before a failed storage is tried once more, in milliseconds; the next one is twice as long.
const PAUSE_MS: u32 = 100;

/// The browser's name for the failure to open a database of a newer version.
const NEWER: &str = "VersionError";

/// Failures by their names (`pkg-template/src/storage.ts`): whether it is of no use to ask again, and the advice.
const ADVICE: [(&str, bool, &str); 3] = [
    ("HungError", true, "reload the page"),
    ("LostKeyError", true, "trades.list() has what it sealed, and trades.abandon(id) lets go of it"),
    ("QuotaExceededError", false, "make room on this device, and try again"),
];

/// Whether it is of no use to ask again after a failure with those words, and the advice.
fn advice(why: &str) -> (bool, &'static str) {
    let other = (false, "try again, and close other tabs of this site if that does not help");
    ADVICE.iter().find(|(name, ..)| why.starts_with(name)).map_or(other, |(_, lasts, advice)| (*lasts, *advice))
}

/// Tries the storage, with the milliseconds that it may take, until it answers or [`JOURNAL_LIMIT_MS`] are over.
///
/// # Errors
/// Its last failure.
pub async fn insist<H: Host, T>(
    host: &H,
    signal: &H::Signal,
    ask: &impl AsyncFn(u32) -> core::result::Result<T, StorageFailure>,
) -> core::result::Result<T, StorageFailure> {
    let end = host.monotonic_ms().saturating_add(JOURNAL_LIMIT_MS.into());
    let left = || u32::try_from(end.saturating_sub(host.monotonic_ms())).unwrap_or_default();
    let mut pause = PAUSE_MS;
    loop {
        let outcome = ask(left()).await;
        let Err(StorageFailure::Unreadable(why)) = &outcome else { return outcome };
        if why.starts_with(NEWER) || advice(why).0 || left() <= pause || signal.is_aborted() {
            return outcome;
        }
        host.sleep(pause, signal).await;
        pause = pause.saturating_mul(2);
    }
}

/// JOURNAL_UNREADABLE for a storage that failed with `why`; ABORTED if the caller no longer waits.
pub fn unreadable<S: Signal>(why: &str, signal: &S) -> Error {
    match why.starts_with(NEWER) {
        _ if signal.is_aborted() => Error::aborted(),
        true => newer("the journal of trades"),
        false => {
            refusal(&["the journal of trades cannot be read or written (", why, "): ", advice(why).1].concat(), why)
        }
    }
}

/// JOURNAL_UNREADABLE for something that this version of the package cannot read, and a newer one may have written.
fn newer(what: &str) -> Error {
    refusal(&[what, " cannot be read by this version of the page: reload the page"].concat(), "newer")
}

/// JOURNAL_UNREADABLE for the entry of that key, which cannot be opened.
pub fn unopened(key: B256) -> Error {
    let key = key.text();
    let what = ["an entry of the journal cannot be read, and may be this trade (", &key, "): trades.abandon(\""];
    refusal(&[&what.concat(), &key, "\") lets go of it"].concat(), &key)
}

/// JOURNAL_UNREADABLE with the remedy.
fn refusal(what: &str, actual: &str) -> Error {
    let way_on = "; the same call goes on without it with { withoutJournal: true }";
    let mut error = Error::new(ErrorCode::JournalUnreadable, &[what, way_on].concat());
    error.expected = Some("a journal that can be read".into());
    error.actual = Some(actual.into());
    error
}

impl<H: Host> Ledger<H> {
    /// Whether the entry of that key cannot be read: it is neither written over nor deleted.
    pub fn is_unread(&self, key: B256) -> bool {
        self.unread.borrow().iter().any(|unread| unread.key == key)
    }

    /// Whether an entry is there of which the name alone is known: that of the key, or any if there is none.
    pub fn has_opaque(&self, key: Option<B256>) -> bool {
        self.unread.borrow().iter().any(|unread| unread.is_opaque && key.is_none_or(|key| unread.key == key))
    }

    /// Refuses the prompt for a trade, by its intent and key, if the journal was not `read`, or has an entry of a newer
    /// version for the same trade, or one that cannot be opened; the latter only if the trade `adds` to one that is the
    /// same: no nonce of both prevents it. Returns whether the caller's `withoutJournal` overrides that.
    ///
    /// # Errors
    /// JOURNAL_UNREADABLE, unless the caller's `withoutJournal` overrides it.
    pub fn check_read(
        &self,
        read: &Result<()>,
        (intent, key, adds): (Option<B256>, B256, bool),
        without_journal: bool,
    ) -> Result<bool> {
        let may_be_same = |trade: &&UnreadTrade| {
            trade.key == key || (trade.is_opaque && adds) || (trade.intent.is_some() && trade.intent == intent)
        };
        // A signed order that cannot be opened here is known only to the journal.
        let is_shut = |entry: &Entry| {
            let is_open =
                entry.kind == TradeKind::Delta && entry.is_signed() && entry.stage != Stage::Ended && !entry.is_over;
            is_open && entry.intent == intent && entry.key != key && self.signed(Some(entry.key), None).is_none()
        };
        let shut = || self.trades(is_shut).first().map(|entry| entry.key);
        let newer_one = |key: B256| newer(&["the journal has the same trade (", &key.text(), "), which"].concat());
        let word = |trade: &UnreadTrade| if trade.is_opaque { unopened(trade.key) } else { newer_one(trade.key) };
        let unread = self.unread.borrow().iter().find(may_be_same).map(word).or_else(|| shut().map(newer_one));
        match read.clone().err().or(unread) {
            None => Ok(false),
            Some(_) if without_journal => Ok(true),
            Some(error) => Err(error),
        }
    }
}
