//! The loss of a trade in dollars: by the values of the quote itself, or by the caller's own prices.
//!
//! Refuses a price that is far off by its own values, such as one into a worthless token. [`super::price`] handles a
//! service that lies about both price and value.

use crate::domain::decimal::{SCALE, bps_as_percent, bps_of, loses_more_than, scaled, sum};
use crate::domain::intent::Intent;
use crate::domain::product::product;
use crate::domain::verify::report::{Checks, LOSS, Verdict};
use crate::value::amount::{MAX_DECIMALS, div_rem, format_units, parse_units};
use crate::value::text::{Concat, ToText};
use alloy_primitives::U256;

/// Notes whether a price loses more than the intent accepts. `amounts` are raw units in and out, `usd` the quote's own
/// dollar values of them, decimal text; the caller's prices count instead, if there are any. A loss explained by
/// `costs` (the service's figures for gas and bridge) is refused as LOSS_TOO_HIGH: the trade is too small for them.
pub fn note_loss(
    checks: &mut Checks,
    intent: &Intent,
    amounts: (&U256, &U256),
    usd: (Option<&str>, Option<&str>),
    costs: &[&str],
) {
    let limit = ["a loss of at most ", &bps_as_percent(intent.max_loss_bps), " % by "].concat();
    let prices = (&intent.pricing.src_price_usd, &intent.pricing.dest_price_usd);
    let (by, mut actual, lost, worth) = match prices {
        (Some(src), Some(dest)) => {
            let actual = Concat(&[amounts.0, &" at ", src, &" USD for ", amounts.1, &" at ", dest, &" USD"]).text();
            let given = (amounts.0, src.as_str(), intent.src.decimals);
            let taken = (amounts.1, dest.as_str(), intent.dest.decimals);
            let lost = by_prices(intent.max_loss_bps, given, taken);
            ("the caller's prices", actual, lost, dollars(given).zip(dollars(taken)))
        }
        _ => {
            let (from, to) = (usd.0.unwrap_or("?"), usd.1.unwrap_or("?"));
            let actual = [from, " USD in, ", to, " USD out"].concat();
            let worth = scaled(from).zip(scaled(to));
            let lost = worth.and_then(|(from, to)| loses_more_than(from, to, intent.max_loss_bps));
            ("the quote's USD values", actual, lost, worth)
        }
    };
    let verdict = match lost {
        None => Verdict::Unknown,
        Some(true) => Verdict::Mismatch,
        Some(false) => Verdict::Ok,
    };
    let cost = sum(costs);
    let excuse = worth.filter(|_| verdict == Verdict::Mismatch).and_then(|(from, to)| {
        let excused = loses_more_than(from, to.saturating_add(cost), intent.max_loss_bps) == Some(false);
        let lost = from.saturating_sub(to);
        Some((bps_of(lost, from)?, bps_of(lost.min(cost), from)?)).filter(|_| excused)
    });
    if excuse.is_some() {
        let cost = format_units(cost, SCALE).unwrap_or_default();
        actual = [&actual, ", costs of ", &cost, " USD between them"].concat();
    }
    checks.note(LOSS, &Concat(&[&limit, &by]), &actual, verdict);
    if let Some(loss) = excuse {
        checks.excuse(LOSS, loss, "maxLossBps");
    }
}

/// An amount in raw units, the price of one whole unit in decimal text, and the token's decimals.
pub type Priced<'a> = (&'a U256, &'a str, u8);

/// Its dollar value, times 10^18 as in [`scaled`], rounded down; `None` if it cannot be computed.
fn dollars((amount, price, decimals): Priced<'_>) -> Option<U256> {
    let unit = parse_units("1", decimals.min(MAX_DECIMALS)).ok()?;
    Some(div_rem(product(&[amount, &scaled(price)?]).number()?, unit)?.0)
}

/// Whether the value of `taken` is below that of `given` by more than `max_loss_bps`. Exact: both sides are multiplied
/// by the other token's unit instead of divided by their own. `None` if a price is no decimal, or that of `given` is 0.
pub fn by_prices(max_loss_bps: u16, given: Priced<'_>, taken: Priced<'_>) -> Option<bool> {
    let unit = |decimals: u8| parse_units("1", decimals.min(MAX_DECIMALS)).ok();
    let price = scaled(given.1)?;
    let kept = U256::from(10_000_u16.saturating_sub(max_loss_bps));
    let least = product(&[given.0, &price, &unit(taken.2)?, &kept]);
    let found = product(&[taken.0, &scaled(taken.1)?, &unit(given.2)?, &U256::from(10_000)]);
    (!price.is_zero()).then_some(found < least)
}
