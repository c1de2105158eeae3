//! The distance of a trade's guaranteed amount from the price that it was built from. Every other check accepts the
//! caller's values, so this shows an application's own mistake (a limit with a digit less). Noted, never refused.

use crate::domain::bps::Bps;
use crate::domain::decimal::bps_as_percent;
use crate::domain::product::product;
use crate::domain::side::Side;
use crate::domain::verify::report::{Checks, Verdict};
use crate::value::amount::div_rem;
use crate::value::text::{Concat, ToText};
use alloy_primitives::U256;

/// The basis points beyond the accepted slippage that are still usual: 3 %, more than the highest fee.
const USUAL_BPS: u16 = 300;

/// Notes by how many basis points, rounded up, `bound` is worse than `quoted`: the guaranteed amount below it (SELL),
/// or the most to be spent above it (BUY). 0 if it is better; `None`, without a note, if `quoted` is 0 or too large.
pub fn note_distance(
    checks: &mut Checks,
    field: &str,
    side: Side,
    slippage: Option<Bps>,
    quoted: U256,
    bound: U256,
) -> Option<u64> {
    let (further, word) = match side {
        Side::Sell => (quoted.saturating_sub(bound), "below"),
        Side::Buy => (bound.saturating_sub(quoted), "above"),
    };
    let (floor, rest) = div_rem(product(&[&further, &U256::from(Bps::WHOLE)]).number()?, quoted)?;
    let bps = u64::try_from(floor).unwrap_or(u64::MAX).saturating_add(u64::from(!rest.is_zero()));
    let usual = slippage.unwrap_or_default().get().saturating_add(USUAL_BPS);
    let expected = ["usually at most ", &bps_as_percent(usual), " % ", word, " the quote"].concat();
    let verdict = if bps > u64::from(usual) { Verdict::Unusual } else { Verdict::Ok };
    checks.note(field, &expected, &Concat(&[&bps.text(), &" bps ", &word, &" it"]), verdict);
    Some(bps)
}
