//! The token bucket of the rate limit: arithmetic on times that the caller states, all in unix milliseconds.
//!
//! It is kept as one number ("virtual scheduling" of the generic cell rate algorithm, ITU-T I.371): the time at which a
//! whole burst would be available again. The state is small and is all that tabs share.

use crate::client::rate_limit::RateLimit;
use verify::internal::value::text::{ToText, joined};

/// The length of a day, and of the memory of a refusal.
const DAY_MS: u64 = 86_400_000;
/// How far ahead requests that are never held may push the others.
const MAX_DEBT_MS: u64 = 60_000;
/// The longest pause, whatever the service names: its clock or its number may be wrong.
const MAX_PAUSE_MS: u64 = 300_000;
/// The longest pause for posts: a signed order can be filled for a short time only.
const MAX_POST_PAUSE_MS: u64 = 60_000;
/// How long a slot is reserved for the class that waits for it. If its tab is gone, the others go on then.
const MARK_MS: u64 = 2_000;

/// The requests sent, and the service's refusals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TokenBucket {
    /// When a whole burst may leave again.
    full_at: u64,
    /// The day (UTC, counted from 1970) that `sent` counts.
    day: u64,
    /// Requests of that day.
    sent: u64,
    /// Nothing but posts leaves before, because the service refused a request.
    limited_until: u64,
    /// Until then requests leave one by one, because the service refused one within a day.
    strict_until: u64,
    /// No post leaves before, because the service refused one.
    posts_until: u64,
    /// When it was last changed; 0 if that is not known. If the clock was set back since, all times are shifted by
    /// that.
    changed_at: u64,
    /// The most urgent class that waits in any tab: the smallest number.
    urgent: u64,
    /// Until then the next slot is reserved for that class.
    urgent_until: u64,
}

impl TokenBucket {
    /// The requests that may leave at once, and the milliseconds between those after them. After a refusal it is one
    /// request. If it is one, the pause is 5 % longer than agreed: requests that leave evenly do not arrive evenly, and
    /// no burst makes up for it.
    pub fn pace(&self, limit: &RateLimit, now: u64) -> (u64, u64) {
        let interval = 1_000_u64.div_ceil(limit.per_second.max(1));
        let burst = if now < self.strict_until { 1 } else { limit.burst };
        let spare = if burst == 1 { interval.div_ceil(20) } else { 0 };
        (burst, interval.saturating_add(spare))
    }

    /// Milliseconds until the next request may leave; 0 is now.
    ///
    /// ```
    /// use verified_swap_trade::client::rate_limit::RateLimit;
    /// use verified_swap_trade::service::token_bucket::TokenBucket;
    /// let (limit, mut bucket) = (RateLimit { per_second: 1, burst: 2, per_day: 3 }, TokenBucket::default());
    /// for wait in [0, 0, 1_000] {
    ///     assert_eq!(bucket.wait_ms(&limit, 5_000), wait);
    ///     bucket.spend(&limit, 5_000);
    /// }
    /// assert_eq!(bucket.wait_ms(&limit, 50_000), 86_350_000);
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

    /// Counts a request that leaves now, allowed or not.
    pub fn spend(&mut self, limit: &RateLimit, now: u64) {
        let (_, interval) = self.pace(limit, now);
        let full_at = self.full_at.max(now).saturating_add(interval);
        self.full_at = full_at.min(now.saturating_add(MAX_DEBT_MS));
        self.sent = self.sent_today(now).saturating_add(1);
        (self.day, self.changed_at) = (day(now), now);
    }

    /// Notes that the service refused a request, and takes the next after that pause.
    pub fn refuse(&mut self, now: u64, pause_ms: u64) {
        self.limited_until = self.limited_until.max(now.saturating_add(pause_ms.min(MAX_PAUSE_MS)));
        self.strict_until = now.saturating_add(DAY_MS);
    }

    /// [`TokenBucket::refuse`] for a post. No other refusal holds posts: reads may have a limit of their own, for which
    /// a signed order should not wait.
    pub fn refuse_posts(&mut self, now: u64, pause_ms: u64) {
        self.refuse(now, pause_ms);
        self.posts_until = self.posts_until.max(now.saturating_add(pause_ms.min(MAX_POST_PAUSE_MS)));
    }

    /// When the service takes requests again that are no posts; `None` if it does now.
    pub fn limited_until(&self, now: u64) -> Option<u64> {
        Some(self.limited_until).filter(|until| *until > now)
    }

    /// How long the service takes no posts, or nothing else, in milliseconds.
    pub fn pause_ms(&self, now: u64, is_post: bool) -> u64 {
        if is_post { self.posts_until } else { self.limited_until }.saturating_sub(now)
    }

    /// Notes that a request of that class waits, and may leave in so many milliseconds: no less urgent one takes that
    /// slot.
    pub fn mark(&mut self, class: u64, wait_ms: u64, now: u64) {
        let turn = now.saturating_add(wait_ms.min(MAX_DEBT_MS));
        let is_marked = self.urgent == class && turn < self.urgent_until;
        if !is_marked && !self.is_behind(class, now) {
            (self.urgent, self.urgent_until, self.changed_at) = (class, turn.saturating_add(MARK_MS), now);
        }
    }

    /// Whether a more urgent class than that waits for the next slot.
    pub fn is_behind(&self, class: u64, now: u64) -> bool {
        now < self.urgent_until && self.urgent < class
    }

    /// Notes that a request of that class leaves: other waiting requests mark the next slot anew.
    pub fn unmark(&mut self, class: u64) {
        if class <= self.urgent {
            self.urgent_until = 0;
        }
    }

    /// Requests that may still leave today.
    pub fn left_today(&self, limit: &RateLimit, now: u64) -> u64 {
        limit.per_day.saturating_sub(self.sent_today(now))
    }

    fn sent_today(&self, now: u64) -> u64 {
        if self.day == day(now) { self.sent } else { 0 }
    }

    /// Another tab's state, with the refusals that this one has.
    pub fn with_refusals_of(self, own: &TokenBucket) -> TokenBucket {
        TokenBucket {
            limited_until: self.limited_until.max(own.limited_until),
            strict_until: self.strict_until.max(own.strict_until),
            posts_until: self.posts_until.max(own.posts_until),
            ..self
        }
    }

    /// The state as text, for [`TokenBucket::read`].
    pub fn text(&self) -> String {
        let TokenBucket { full_at, day, sent, limited_until, strict_until, .. } = *self;
        let TokenBucket { posts_until, changed_at, urgent, urgent_until, .. } = *self;
        let older = [full_at, day, sent, limited_until, strict_until];
        let added = [posts_until, changed_at, urgent, urgent_until];
        [joined(&older.map(|n| n.text()), " "), joined(&added.map(|n| n.text()), " ")].join(" ")
    }

    /// The state of this page beside a text that cannot be read: how many requests other tabs sent is not known, so
    /// requests leave one by one, and those of this page count on.
    pub fn unread(self, now: u64) -> TokenBucket {
        let full_at = self.full_at.max(now.saturating_add(1_000));
        TokenBucket { full_at, strict_until: now.saturating_add(DAY_MS), changed_at: now, ..self }
    }

    /// Reads the text of [`TokenBucket::text`], also of a newer version, as it is [at](TokenBucket::at) that time. `None`
    /// for another text.
    pub fn read(text: &str, now: u64) -> Option<TokenBucket> {
        let mut numbers = text.split(' ').map(|number| number.parse::<u64>().ok());
        let mut next = || numbers.next().flatten();
        let bucket = TokenBucket {
            full_at: next()?,
            day: next()?,
            sent: next()?,
            limited_until: next()?,
            strict_until: next()?,
            posts_until: next()?,
            changed_at: next()?,
            urgent: next()?,
            urgent_until: next()?,
        };
        Some(bucket.at(now))
    }

    /// The state without times that are further ahead than possible: they come from a wrong clock. A refusal in the future
    /// does not count: the end of its pause is unknown. Times known to come from a clock that was set back stay as far
    /// ahead as they were.
    pub fn at(self, now: u64) -> TokenBucket {
        let ahead = |at: u64, most: u64| if at > now.saturating_add(most) { 0 } else { at };
        let set_back = self.changed_at.saturating_sub(now);
        let strict_until = ahead(self.strict_until, DAY_MS);
        TokenBucket {
            full_at: ahead(self.full_at.saturating_sub(set_back), MAX_DEBT_MS),
            limited_until: ahead(self.limited_until, MAX_PAUSE_MS).min(strict_until),
            strict_until,
            posts_until: ahead(self.posts_until, MAX_POST_PAUSE_MS).min(strict_until),
            changed_at: self.changed_at.min(now),
            urgent_until: ahead(self.urgent_until.saturating_sub(set_back), MAX_DEBT_MS.saturating_add(MARK_MS)),
            ..self
        }
    }
}

/// The day (UTC) of a time, counted from 1970.
fn day(now: u64) -> u64 {
    now.div_euclid(DAY_MS)
}
