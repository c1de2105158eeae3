//! Fees, as a quote states them and as a packed word has them.

use crate::domain::agreement::Agreement;
use crate::domain::decimal::bps_as_percent;
use crate::domain::intent::Intent;
use crate::domain::text::Concat;
use crate::domain::verify::report::{Checks, Verdict};
use alloy_primitives::{Address, U256};

/// Holds the fee that a quote states (percent as decimal text, and the same in bps) against the highest that is
/// accepted.
pub fn check_stated(checks: &mut Checks, intent: &Intent, percent: Option<&str>, bps: Option<u16>) {
    let (held, most) = (checks.all_hold(), intent.max_fee_bps);
    let expected = ["at most ", &bps_as_percent(most), " %"].concat();
    match percent {
        None => checks.note("quote.fee", &expected, &"not stated", Verdict::Unknown),
        Some(percent) => {
            let ok = bps.is_some_and(|bps| bps <= most);
            checks.holds("quote.fee", ok, &expected, &Concat(&[&percent, &" %"]));
            advise_agreement(checks, held, intent, &Agreement { fee_bps: bps, ..Agreement::default() });
        }
    }
}

/// Tells with the error which agreement would accept what the service `wants`, if a check failed since they all `held`.
pub fn advise_agreement(checks: &mut Checks, held: bool, intent: &Intent, wants: &Agreement) {
    if let Some(agreement) = intent.agreement.with(wants) {
        let remedy = "if you agreed on that with the service, say so to createClient, where the request or the build does not \
                      say otherwise: ";
        checks.remedy(held, &Concat(&[&remedy, &agreement.source()]));
    }
}

/// The parts of a packed word that both paths have.
pub struct Packed {
    /// The fee inside.
    pub fee_bps: u16,
    /// Who gets it.
    pub partner: Address,
    /// The partner keeps half of what exceeds the expected amount.
    pub take_surplus: bool,
    /// What is kept of it is capped.
    pub cap_surplus: bool,
    /// The trade counts as referred by the partner.
    pub referral: bool,
}

impl Packed {
    /// Whether the partner gets anything.
    pub fn pays(&self) -> bool {
        self.fee_bps > 0 || self.take_surplus || self.referral
    }

    /// What would have to be agreed on for it.
    pub fn wants(&self) -> Agreement {
        Agreement {
            fee_bps: Some(self.fee_bps).filter(|bps| *bps > 0),
            fee_address: Some(self.partner).filter(|_| self.pays()),
            takes_surplus: self.take_surplus,
            uncapped: !self.cap_surplus,
            referral: self.referral,
        }
    }
}

/// Holds fee and partner of a packed word against what was asked for, else against what was agreed on.
pub fn check_packed(checks: &mut Checks, intent: &Intent, most: u16, word: &Packed) {
    checks.at_most("feeBps", &U256::from(most), &U256::from(word.fee_bps));
    match (&intent.partner_address, &intent.agreement.fee_address) {
        // Nobody is named where nobody gets anything.
        (Some(_), _) if word.partner.is_zero() && !word.pays() => {}
        (Some(named), _) => checks.same("partner", named, &word.partner),
        (None, Some(agreed)) if word.pays() => checks.same("partner", agreed, &word.partner),
        _ => checks.note("partner", &"chosen by the service", &word.partner, Verdict::Ok),
    }
}

/// Holds a flag of a packed word against the only value that is right, where there is only one.
pub fn check_flag(checks: &mut Checks, name: &str, wanted: Option<bool>, is: bool) {
    let said = |set: bool| if set { "set" } else { "not set" };
    checks.holds(name, wanted.is_none_or(|wanted| wanted == is), &wanted.map_or("either", said), &said(is));
}
