//! The checks of fees that both protocols share: as a quote states them, and in the packed `partnerAndFee`.

use crate::domain::agreement::Agreement;
use crate::domain::decimal::bps_as_percent;
use crate::domain::intent::Intent;
use crate::domain::verify::report::{Checks, Verdict};
use crate::value::text::Concat;
use alloy_primitives::{Address, U256};

/// Notes whether the fee that a quote states (in percent as decimal text, and the same in bps) is at most the highest
/// accepted one. Refuses a higher one; an unstated fee is `unknown`, because the order's own fee is checked later.
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

/// Adds to the error the agreement that would accept what the service `wants`, if a check failed since all of them
/// `held`: the operator may have an agreement with the partner that the application forgot to state.
pub fn advise_agreement(checks: &mut Checks, held: bool, intent: &Intent, wants: &Agreement) {
    if let Some(agreement) = intent.agreement.with(wants) {
        let remedy = "if you agreed on that with the service, say so in the request: ";
        checks.remedy(held, &Concat(&[&remedy, &agreement.source()]));
    }
}

/// The parts of `partnerAndFee` that Delta orders and Market trades both have.
pub struct Packed {
    /// The fee in bps.
    pub fee_bps: u16,
    /// The receiver of the partner's share; zero for none.
    pub partner: Address,
    /// Whether the partner takes half of the surplus over the expected amount.
    pub take_surplus: bool,
    /// Whether the taken surplus is capped.
    pub cap_surplus: bool,
    /// Whether the trade counts as referred by the partner.
    pub referral: bool,
}

impl Packed {
    /// Whether the partner gets anything.
    pub fn pays(&self) -> bool {
        self.fee_bps > 0 || self.take_surplus || self.referral
    }

    /// The agreement that this word would need.
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

/// Notes whether fee and partner match the request, else the agreement; `most` is the highest fee in bps. Refuses a
/// higher fee, and one that goes to another account.
pub fn check_packed(checks: &mut Checks, intent: &Intent, most: u16, word: &Packed) {
    checks.at_most("feeBps", &U256::from(most), &U256::from(word.fee_bps));
    match (&intent.partner_address, &intent.agreement.fee_address) {
        // Zero is right, too, if no fee is paid.
        (Some(_), _) if word.partner.is_zero() && !word.pays() => {}
        (Some(named), _) => checks.same("partner", named, &word.partner),
        (None, Some(agreed)) if word.pays() => checks.same("partner", agreed, &word.partner),
        _ => checks.note("partner", &"any: none was named", &word.partner, Verdict::Ok),
    }
}

/// Notes whether a flag has the value `wanted`; `None`: either is right.
pub fn check_flag(checks: &mut Checks, name: &str, wanted: Option<bool>, is: bool) {
    let said = |set: bool| if set { "set" } else { "not set" };
    checks.holds(name, wanted.is_none_or(|wanted| wanted == is), &wanted.map_or("either", said), &said(is));
}
