//! When the app asked for a price, and which trades of that kind went through without its knowledge.

use super::Ledger;
use super::record::{Entry, Stage, TradeKind};
use super::second::{is_explained, is_in_parts};
use super::step::Event;
use crate::host::Host;
use alloy_primitives::B256;
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::JsonAt;
use verify::internal::value::text::ToText;

/// The moment at which the app asked for a price, by both clocks: the machine's may be set back afterwards, and the
/// monotonic one may stop while the machine sleeps.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    monotonic_ms: u64,
    unix_ms: u64,
}

impl Asked {
    /// The current moment, by both clocks.
    pub fn now<H: Host>(host: &H) -> Asked {
        Asked { monotonic_ms: host.monotonic_ms(), unix_ms: host.unix_ms() }
    }

    /// The moment as it is sealed: the JSON text of an array.
    pub fn write(self) -> String {
        ["[", &self.monotonic_ms.text(), ",", &self.unix_ms.text(), "]"].concat()
    }

    /// Reads a sealed moment.
    ///
    /// # Errors
    /// INVALID_INPUT for anything else.
    pub fn read(at: &JsonAt<'_>) -> Result<Asked> {
        let mut times = at.items()?.map(|at| at.integer(u64::MAX));
        match (times.next(), times.next()) {
            (Some(monotonic_ms), Some(unix_ms)) => Ok(Asked { monotonic_ms: monotonic_ms?, unix_ms: unix_ms? }),
            _ => Err(at.fault("two times")),
        }
    }

    /// The earliest time at which that may have been, unix milliseconds by this machine's clock, which shows `now`.
    fn earliest(self, now: Asked) -> u64 {
        let age_ms = now.monotonic_ms.saturating_sub(self.monotonic_ms);
        self.unix_ms.min(now.unix_ms.saturating_sub(age_ms))
    }
}

impl<H: Host> Ledger<H> {
    /// Refuses, once, the trade of that `key`, whose price was `asked` for before it was known how another one of that
    /// intent went.
    ///
    /// # Errors
    /// ALREADY_SIGNED with the outcome.
    pub fn check_told(&self, intent: B256, key: B256, asked: Option<Asked>) -> Result<()> {
        let Some(asked) = asked.map(|asked| asked.earliest(Asked::now(&*self.host))) else { return Ok(()) };
        let orders = self.orders();
        let is_explained = |key| orders.iter().any(|one| one.signed.hash == key && is_explained(&orders, one));
        let is_whole =
            |key| orders.iter().any(|one| one.signed.hash == key && !one.is_in_parts && !is_in_parts(one.kind));
        let made_no_trade =
            |entry: &Entry| entry.made_no_trade(entry.kind == TradeKind::Transaction || is_whole(entry.key));
        let is_late = |entry: &Entry| {
            let is_told = entry.intent == Some(intent) && entry.told_at.is_some_and(|at| at > asked);
            is_told && entry.key != key && !made_no_trade(entry) && !is_explained(entry.key)
        };
        let late: Vec<Entry> =
            self.records.borrow().iter().map(|record| &record.entry).filter(|one| is_late(one)).cloned().collect();
        for entry in &late {
            let _ = self.record(entry.key, Event::AppInformedByRefusal);
        }
        let Some(told) = late.last() else { return Ok(()) };
        let name = told.transaction.filter(|_| told.kind == TradeKind::Transaction).unwrap_or(told.key).text();
        let status = match told.status.as_deref() {
            _ if told.stage != Stage::Ended && told.is_spent => "filled or cancelled, as its nonce shows",
            status => status.unwrap_or(told.stage.name()),
        };
        let words = ["the same trade (", &name, ") is ", status];
        let advice = ", which was not known when this price was asked for: to trade once more, submit again";
        let mut error = Error::new(ErrorCode::AlreadySigned, &[&words.concat(), advice].concat());
        error.actual = Some("filled or cancelled".into());
        error.order_hash = Some(told.key).filter(|_| told.kind != TradeKind::Transaction);
        Err(error)
    }
}
