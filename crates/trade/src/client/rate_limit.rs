//! The service's rate limit for one application.

use verify::internal::domain::input::{known, optional};
use verify::internal::error::Result;
use verify::internal::json::JsonAt;

/// The rate limit. The default is the one without a key (docs/api.md, "Requests to the service").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLimit {
    /// Requests a second, for ever: 1 to 1,000.
    pub per_second: u64,
    /// Requests that may leave at once after a pause, until the service refuses one: 1 to 1,000.
    pub burst: u64,
    /// Requests a day (UTC): 1 to 1,000,000,000.
    pub per_day: u64,
}

impl Default for RateLimit {
    fn default() -> RateLimit {
        RateLimit { per_second: 1, burst: 3, per_day: 3_000 }
    }
}

impl RateLimit {
    /// Reads `rateLimit`; absent members have the default.
    ///
    /// # Errors
    /// INVALID_INPUT with the member that is unknown, or not an integer of its range.
    ///
    /// ```
    /// use verified_swap_trade::client::rate_limit::RateLimit;
    /// use verify::internal::json::{JsonAt, parse};
    /// let json = parse(r#"{ "perSecond": 10 }"#).unwrap();
    /// let limit = RateLimit::read(&JsonAt::input(&json, "rateLimit")).unwrap();
    /// assert_eq!((limit.per_second, limit.burst, limit.per_day), (10, 3, 3_000));
    /// ```
    pub fn read(at: &JsonAt<'_>) -> Result<RateLimit> {
        known(at, &["perSecond", "burst", "perDay"])?;
        let RateLimit { per_second, burst, per_day } = RateLimit::default();
        let number = |name, max, default| {
            let number = optional(&at.get(name), |at| match at.integer(1_000_000_000)? {
                0 => Err(at.fault("at least 1")),
                number => Ok(number),
            })?;
            match number {
                Some(number) if number > max => Err(at.get(name).fault("at most 1000")),
                number => Ok(number.unwrap_or(default)),
            }
        };
        Ok(RateLimit {
            per_second: number("perSecond", 1_000, per_second)?,
            burst: number("burst", 1_000, burst)?,
            per_day: number("perDay", u64::MAX, per_day)?,
        })
    }
}
