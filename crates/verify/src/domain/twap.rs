//! TWAP (time-weighted average price): one order that is traded in equal slices, one every interval. A slice is
//! floor(total / slices); the last one also takes the remainder (docs/sandbox.md, "The service": slices).

use crate::domain::side::Side;
use crate::error::Result;
use crate::json::{JsonAt, ObjectWriter, array};
use crate::value::amount::{div_rem, times};
use crate::value::text::ToText;
use alloy_primitives::U256;

/// The shortest interval between slices, in seconds.
pub const MIN_INTERVAL_SECS: u64 = 60;
/// The lowest number of slices.
pub const MIN_SLICES: u64 = 2;
/// The spare time in a deadline that was not stated, after the time of all slices, in seconds.
pub const SPARE_SECS: u64 = 600;

/// The split of a total over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Twap {
    /// The number of slices, 2 to 2^32 - 1 (the order's `uint32`).
    pub num_slices: u32,
    /// The time from one slice to the next in seconds, 60 to 2^53 - 1.
    pub interval_secs: u64,
}

impl Twap {
    /// Reads `numSlices` and `intervalSecs` of a trade of `total` raw units; `None` if both are absent.
    ///
    /// # Errors
    /// INVALID_INPUT with the one that is missing or out of range, or with `amount` if there are more slices than raw
    /// units.
    pub fn read(at: &JsonAt<'_>, total: U256) -> Result<Option<Twap>> {
        let (slices, interval) = (at.get("numSlices"), at.get("intervalSecs"));
        if slices.is_absent() && interval.is_absent() {
            return Ok(None);
        }
        let twap = Twap {
            num_slices: u32::try_from(bounded(&slices, MIN_SLICES, u32::MAX.into())?).unwrap_or(u32::MAX),
            interval_secs: bounded(&interval, MIN_INTERVAL_SECS, (1 << 53) - 1)?,
        };
        if total < U256::from(twap.num_slices) {
            return Err(at
                .get("amount")
                .fault(&["at least ", &u64::from(twap.num_slices).text(), ", one for each slice"].concat()));
        }
        Ok(Some(twap))
    }

    /// The amounts of a total, raw units: of each slice except the last, and of the last, which takes the remainder.
    ///
    /// ```
    /// use alloy_primitives::U256;
    /// use verified_swap_verify::internal::domain::twap::Twap;
    /// let twap = Twap { num_slices: 3, interval_secs: 60 };
    /// assert_eq!(twap.slices(U256::from(100)), (U256::from(33), U256::from(34)));
    /// ```
    pub fn slices(&self, total: U256) -> (U256, U256) {
        let (slice, rest) = div_rem(total, U256::from(self.num_slices)).unwrap_or_default();
        (slice, slice.saturating_add(rest))
    }

    /// The duration of all slices, in seconds: slices times interval.
    pub fn duration_secs(&self) -> u64 {
        u64::from(self.num_slices).saturating_mul(self.interval_secs)
    }

    /// The sum of all slices, if the last one is `last` and each other `slice`. `None` above 256 bits.
    pub fn sum(&self, slice: U256, last: U256) -> Option<U256> {
        times(slice, self.num_slices.saturating_sub(1))?.checked_add(last)
    }

    /// The plan of a total as JSON text, in the form of `quote.twap` and [`schedule`].
    pub fn write(&self, total: U256) -> String {
        let (slice, last) = self.slices(total);
        let mut out = ObjectWriter::object();
        out.number("numSlices", self.num_slices.into());
        out.number("intervalSecs", self.interval_secs);
        out.value("total", &total);
        out.value("sliceAmount", &slice);
        out.value("lastSliceAmount", &last);
        out.close()
    }
}

/// The name of the member that has the fixed total of a TWAP order, in the request to build it and in the order.
pub fn total_member(side: Side) -> &'static str {
    match side {
        Side::Sell => "totalSrcAmount",
        Side::Buy => "totalDestAmount",
    }
}

/// Reads an integer from `least` to `most`.
fn bounded(at: &JsonAt<'_>, least: u64, most: u64) -> Result<u64> {
    let value = at.integer(most)?;
    if value < least { Err(at.fault(&["at least ", &least.text()].concat())) } else { Ok(value) }
}

/// The highest number of slices that a schedule lists.
const MAX_LISTED: u32 = 10_000;

/// The slices of a plan (`numSlices`, `intervalSecs`, `total` in raw units) that starts at `start_secs`, unix seconds,
/// as JSON text: `[{ index, notBefore, amount }]`.
///
/// # Errors
/// INVALID_INPUT with the member that is missing or malformed, or if there are more than 10 000 slices to list.
///
/// ```
/// use verified_swap_verify::internal::{domain::twap::schedule, json::{JsonAt, parse}};
/// let plan = parse(r#"{"numSlices":2,"intervalSecs":60,"total":"7"}"#).unwrap();
/// let slices = schedule(&JsonAt::input(&plan, "plan"), 1_000).unwrap();
/// assert!(slices.ends_with(r#"{"index":1,"notBefore":1060,"amount":"4"}]"#));
/// ```
pub fn schedule(plan: &JsonAt<'_>, start_secs: u64) -> Result<String> {
    let total = plan.get("total").uint()?;
    let slices = plan.get("numSlices");
    let twap = Twap::read(plan, total)?.ok_or_else(|| slices.fault("a number of slices"))?;
    if twap.num_slices > MAX_LISTED {
        return Err(slices.fault("at most 10000 slices to list"));
    }
    let (slice, last) = twap.slices(total);
    let mut all = Vec::new();
    for index in 0..twap.num_slices {
        let mut out = ObjectWriter::object();
        out.number("index", index.into());
        out.number("notBefore", start_secs.saturating_add(u64::from(index).saturating_mul(twap.interval_secs)));
        out.value("amount", if index.saturating_add(1) == twap.num_slices { &last } else { &slice });
        all.push(out.close());
    }
    Ok(array(&all))
}
