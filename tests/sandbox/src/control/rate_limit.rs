//! The free tier: 1 request per second, 3,000 per day. In real time: it guards a server, not a chain.

use std::time::{Duration, Instant};

const PER_DAY: usize = 3_000;
const DAY: Duration = Duration::from_secs(86_400);

/// The times of the accepted requests.
#[derive(Debug, Default)]
pub struct RateLimit {
    last: Option<Instant>,
    day_began: Option<Instant>,
    today: usize,
}

impl RateLimit {
    /// Whether a request at that time is accepted.
    pub fn admits(&mut self, now: Instant) -> bool {
        if self.day_began.is_none_or(|began| now.duration_since(began) >= DAY) {
            (self.day_began, self.today) = (Some(now), 0);
        }
        let too_soon = self.last.is_some_and(|last| now.duration_since(last) < Duration::from_secs(1));
        if too_soon || self.today >= PER_DAY {
            return false;
        }
        self.last = Some(now);
        self.today += 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::RateLimit;

    #[test]
    fn one_request_a_second_is_let_through() {
        let (mut rate, start) = (RateLimit::default(), Instant::now());
        let at = |millis| start + Duration::from_millis(millis);
        assert_eq!(
            [0, 999, 1_000, 1_500, 2_000].map(|millis| rate.admits(at(millis))),
            [true, false, true, false, true]
        );
    }

    #[test]
    fn three_thousand_a_day_are_let_through() {
        let (mut rate, start) = (RateLimit::default(), Instant::now());
        let admitted = (0..4_000).filter(|second| rate.admits(start + Duration::from_secs(*second))).count();
        assert_eq!(admitted, 3_000);
        assert!(rate.admits(start + Duration::from_secs(86_400)));
    }
}
