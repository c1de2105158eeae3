//! Fees, as a quote states them and as a packed word has them.

use super::report::{Checks, Verdict};
use crate::domain::decimal::bps_as_percent;
use crate::domain::intent::Intent;
use crate::domain::text::Phrase;
use alloy_primitives::{Address, U256};

/// Holds the fee that a quote states (percent as decimal text, and the same in bps) against the highest that is accepted.
pub fn stated(checks: &mut Checks, percent: Option<&str>, bps: Option<u16>, most: u16) {
    let expected = ["at most ", &bps_as_percent(most), " %"].concat();
    match percent {
        None => checks.note("quote.fee", &expected, &"not stated", Verdict::Unknown),
        Some(percent) => {
            let ok = bps.is_some_and(|bps| bps <= most);
            checks.holds("quote.fee", ok, &expected, &Phrase(&[&percent, &" %"]));
        }
    }
}

/// Holds fee and partner of a packed word against what was asked for. `unpaid`: nobody need be named.
pub fn packed(checks: &mut Checks, intent: &Intent, most: u16, fee_bps: u16, partner: Address, unpaid: bool) {
    checks.at_most("feeBps", &U256::from(most), &U256::from(fee_bps));
    match &intent.partner_address {
        Some(_) if unpaid => {}
        Some(named) => checks.same("partner", named, &partner),
        None => checks.note("partner", &"chosen by the service", &partner, Verdict::Ok),
    }
}

/// Holds a flag of a packed word against the only value that is right, where there is only one.
pub fn flag(checks: &mut Checks, name: &str, wanted: Option<bool>, is: bool) {
    let said = |set: bool| if set { "set" } else { "not set" };
    checks.holds(name, wanted.is_none_or(|wanted| wanted == is), &wanted.map_or("either", said), &said(is));
}
