//! How many requests may still leave: arithmetic on times that the caller states, all in unix milliseconds.
//!
//! A token bucket, kept as one number ("virtual scheduling" of the generic cell rate algorithm, ITU-T I.371): the time
//! at which a whole burst would be there again. The state is small and is all that tabs share.

use crate::domain::rate_limit::RateLimit;
use crate::domain::text::{ToText, joined};

/// The length of a day, and for how long a refusal is remembered.
const DAY_MS: u64 = 86_400_000;
/// How far ahead requests that are never held may push the others.
const MAX_DEBT_MS: u64 = 60_000;

/// What was sent, and what the service refused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// When a whole burst may leave again.
    full_at: u64,
    /// The day (UTC, counted from 1970) that `sent` is about.
    day: u64,
    /// Requests of that day.
    sent: u64,
    /// The service takes nothing before.
    limited_until: u64,
    /// Until then requests leave one by one, because the service refused one within a day.
    strict_until: u64,
}

impl Budget {
    /// The requests that may leave at once, and the milliseconds between those after them. Behind a refusal that is
    /// one. Where it is one, the pause is 5 % longer than agreed: what leaves evenly does not arrive evenly, and no burst
    /// makes up for it.
    pub fn pace(&self, limit: &RateLimit, now: u64) -> (u64, u64) {
        let interval = 1_000_u64.div_ceil(limit.per_second.max(1));
        let burst = if now < self.strict_until { 1 } else { limit.burst };
        let spare = if burst == 1 { interval.div_ceil(20) } else { 0 };
        (burst, interval.saturating_add(spare))
    }

    /// Milliseconds until the next request may leave; 0 is now.
    ///
    /// ```
    /// use verified_swap::{domain::rate_limit::RateLimit, service::budget::Budget};
    /// let (limit, mut budget) = (RateLimit { per_second: 1, burst: 2, per_day: 3 }, Budget::default());
    /// for wait in [0, 0, 1_000] {
    ///     assert_eq!(budget.wait_ms(&limit, 5_000), wait);
    ///     budget.spend(&limit, 5_000);
    /// }
    /// assert_eq!(budget.wait_ms(&limit, 50_000), 86_350_000);
    /// ```
    pub fn wait_ms(&self, limit: &RateLimit, now: u64) -> u64 {
        let (burst, interval) = self.pace(limit, now);
        let at_once = interval.saturating_mul(burst.saturating_sub(1));
        let mut turn = self.full_at.saturating_sub(at_once).max(self.limited_until);
        if self.left_today(limit, now) == 0 {
            turn = turn.max(day(now).saturating_add(1).saturating_mul(DAY_MS));
        }
        turn.saturating_sub(now)
    }

    /// Counts a request that leaves now, whether it was its turn or not.
    pub fn spend(&mut self, limit: &RateLimit, now: u64) {
        let (_, interval) = self.pace(limit, now);
        self.full_at = self.full_at.max(now).saturating_add(interval).min(now.saturating_add(MAX_DEBT_MS));
        self.sent = self.sent_today(now).saturating_add(1);
        self.day = day(now);
    }

    /// The service refused a request, and takes the next after that pause.
    pub fn refuse(&mut self, now: u64, pause_ms: u64) {
        self.limited_until = self.limited_until.max(now.saturating_add(pause_ms.min(DAY_MS)));
        self.strict_until = now.saturating_add(DAY_MS);
    }

    /// When the service takes requests again; `None` if it does now.
    pub fn limited_until(&self, now: u64) -> Option<u64> {
        Some(self.limited_until).filter(|until| *until > now)
    }

    /// Requests that may still leave today.
    pub fn left_today(&self, limit: &RateLimit, now: u64) -> u64 {
        limit.per_day.saturating_sub(self.sent_today(now))
    }

    fn sent_today(&self, now: u64) -> u64 {
        if self.day == day(now) { self.sent } else { 0 }
    }

    /// What another tab wrote, with the refusals that this one knows of.
    pub fn with_refusals_of(self, own: &Budget) -> Budget {
        Budget {
            limited_until: self.limited_until.max(own.limited_until),
            strict_until: self.strict_until.max(own.strict_until),
            ..self
        }
    }

    /// The state as text, for [`Budget::read`].
    pub fn text(&self) -> String {
        joined(&[self.full_at, self.day, self.sent, self.limited_until, self.strict_until].map(|n| n.text()), " ")
    }

    /// Reads what [`Budget::text`] wrote, as it is [at](Budget::at) that time. `None` for another text.
    pub fn read(text: &str, now: u64) -> Option<Budget> {
        let mut numbers = text.split(' ').map(|number| number.parse::<u64>().ok());
        let mut next = || numbers.next().flatten();
        let [full_at, day, sent] = [next()?, next()?, next()?];
        Some(Budget { full_at, day, sent, limited_until: next()?, strict_until: next()? }.at(now))
    }

    /// The state without times that are further ahead than any can be: a clock that was wrong made them. A refusal that
    /// is still to come is none: nobody can say when its pause ends.
    pub fn at(self, now: u64) -> Budget {
        let ahead = |at: u64, most: u64| if at > now.saturating_add(most) { 0 } else { at };
        let strict_until = ahead(self.strict_until, DAY_MS);
        Budget {
            full_at: ahead(self.full_at, MAX_DEBT_MS),
            limited_until: self.limited_until.min(strict_until),
            strict_until,
            ..self
        }
    }
}

/// The day (UTC) of a time, counted from 1970.
fn day(now: u64) -> u64 {
    now.div_euclid(DAY_MS)
}
