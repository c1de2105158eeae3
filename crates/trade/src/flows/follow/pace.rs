//! The pauses between requests for orders and transactions.

use verify::internal::domain::input::{known, optional};
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::JsonAt;

/// The plain options of `watch` and `wait`: see [`FollowPace`].
pub const FOLLOW_OPTIONS: [&str; 2] = ["intervalMs", "maxIntervalMs"];

/// The longest pause while something changed within [`LIVELY_MS`], in milliseconds.
const LIVELY_PAUSE_MS: u32 = 15_000;
/// For how long after a change the pauses stay short, in milliseconds.
const LIVELY_MS: u64 = 300_000;
/// The longest pause by default, in milliseconds. The rate limit of a minute has room for one request and those that
/// follow from it; the limit of a day, for 1,571 of them.
const LONGEST_PAUSE_MS: u32 = 55_000;

/// How long after its deadline an order is followed that still waits to be filled, or that the service does not find,
/// in seconds: the most that this machine's clock may be wrong.
pub const GRACE_SECS: u64 = 3_600;

/// How often the order or the transaction is read. The pause grows by half with each read that shows no change.
///
/// ```
/// use verified_swap_trade::flows::FollowPace;
/// use verify::internal::json::{JsonAt, parse};
/// let options = parse(r#"{ "intervalMs": 500 }"#).unwrap();
/// let pace = FollowPace::read(&JsonAt::input(&options, "options")).unwrap();
/// assert_eq!((pace.interval_ms, pace.max_interval_ms), (500, 55_000));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct FollowPace {
    /// The pause after a change, in milliseconds; 50 to 3,600,000, else 2,000.
    pub interval_ms: u32,
    /// The longest pause, in milliseconds; at least `interval_ms`, up to 3,600,000, else 55,000. In the five minutes
    /// after a change it is 15,000 at most, unless `interval_ms` is longer.
    pub max_interval_ms: u32,
}

impl FollowPace {
    /// Reads the options. Pauses shorter than 50 ms are raised to 50 ms.
    ///
    /// # Errors
    /// INVALID_INPUT with the option that is unknown or no such number.
    pub fn read(at: &JsonAt<'_>) -> Result<FollowPace> {
        known(at, &FOLLOW_OPTIONS)?;
        let ms = |name| optional(&at.get(name), |at| at.integer(3_600_000));
        let narrow = |ms: u64| u32::try_from(ms).unwrap_or(u32::MAX).max(50);
        let interval_ms = narrow(ms("intervalMs")?.unwrap_or(2_000));
        let max_interval_ms = ms("maxIntervalMs")?.map_or(LONGEST_PAUSE_MS, narrow).max(interval_ms);
        Ok(FollowPace { interval_ms, max_interval_ms })
    }

    /// The pause after one of `pause_ms` that showed no change, the last change being `quiet_ms` ago.
    pub fn slower(&self, pause_ms: u32, quiet_ms: u64) -> u32 {
        let longest = if quiet_ms < LIVELY_MS { LIVELY_PAUSE_MS.max(self.interval_ms) } else { u32::MAX };
        let slower = pause_ms.max(self.interval_ms).saturating_mul(3).saturating_div(2);
        slower.min(longest).min(self.max_interval_ms)
    }
}

/// Whether a later read may succeed: the network, the service or a node is unavailable, the rate limit is exceeded, or
/// nodes differ for a while. An answer that contradicts what is known of an order is none of these.
pub fn is_passing(error: &Error) -> bool {
    error.status.is_some_and(|status| status >= 500)
        || matches!(
            error.code,
            ErrorCode::Network
                | ErrorCode::Timeout
                | ErrorCode::RateLimited
                | ErrorCode::WalletFailed
                | ErrorCode::NodesDisagree
        )
        || (error.code == ErrorCode::ServiceMalformed && error.field.is_none())
}
