//! What a trade loses by dollar values: the quote's own, or by the prices the caller brings.

use super::report::{Checks, Verdict};
use crate::domain::amount::{MAX_DECIMALS, parse_units};
use crate::domain::decimal::{bps_as_percent, loses_more_than, scaled};
use crate::domain::intent::Intent;
use crate::domain::product::product;
use crate::domain::text::{Phrase, ToText};
use alloy_primitives::U256;

/// Notes whether a price loses more than the intent accepts. The dollar values are the quote's own, decimal text; the
/// caller's prices, where there are such, count instead.
pub fn loss(checks: &mut Checks, intent: &Intent, amounts: (&U256, &U256), usd: (Option<&str>, Option<&str>)) {
    let limit = ["a loss of at most ", &bps_as_percent(intent.max_loss_bps), " % by "].concat();
    let prices = (&intent.pricing.src_price_usd, &intent.pricing.dest_price_usd);
    let (by, actual, lost) = match prices {
        (Some(src), Some(dest)) => {
            let actual = Phrase(&[amounts.0, &" at ", src, &" USD for ", amounts.1, &" at ", dest, &" USD"]).text();
            let given = (amounts.0, src.as_str(), intent.src.decimals);
            let taken = (amounts.1, dest.as_str(), intent.dest.decimals);
            ("the caller's prices", actual, by_prices(intent.max_loss_bps, given, taken))
        }
        _ => {
            let (from, to) = (usd.0.unwrap_or("?"), usd.1.unwrap_or("?"));
            let actual = [from, " USD in, ", to, " USD out"].concat();
            ("the quote's USD values", actual, loses_more_than(from, to, intent.max_loss_bps))
        }
    };
    let verdict = match lost {
        None => Verdict::Unknown,
        Some(true) => Verdict::Mismatch,
        Some(false) => Verdict::Ok,
    };
    checks.note("quote.loss", &Phrase(&[&limit, &by]), &actual, verdict);
}

/// An amount, raw units; the price of one whole unit, decimal text; how many decimals that has.
pub type Priced<'a> = (&'a U256, &'a str, u8);

/// Whether what comes out is worth less than what goes in by more than that loss. Exact: both sides are multiplied by the
/// other token's unit instead of being divided by their own. `None` where it cannot be said.
pub fn by_prices(max_loss_bps: u16, given: Priced<'_>, taken: Priced<'_>) -> Option<bool> {
    let unit = |decimals: u8| parse_units("1", decimals.min(MAX_DECIMALS)).ok();
    let price = scaled(given.1)?;
    let kept = U256::from(10_000_u16.saturating_sub(max_loss_bps));
    let least = product(&[given.0, &price, &unit(taken.2)?, &kept]);
    let found = product(&[taken.0, &scaled(taken.1)?, &unit(given.2)?, &U256::from(10_000)]);
    (!price.is_zero()).then_some(found < least)
}
