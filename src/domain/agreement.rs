//! What an application and the service agreed on about the partner's share. The service knows it by the partner's name and
//! writes it into orders unasked; here it counts as far as the application states it.

use super::fee::{CAP_BPS, fee_bps};
use super::fields::{Fields, members};
use super::input::{account, known};
use super::text::{ToText, joined};
use crate::error::Result;
use crate::json::{JsonAt, ObjectWriter};
use alloy_primitives::Address;

/// An agreement. What is not stated is not accepted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// The most the partner gets of each trade, bps.
    pub fee_bps: Option<u16>,
    /// Who gets it; whoever the service names where none is stated.
    pub fee_address: Option<Address>,
    /// Whether the partner may keep half of what exceeds the expected amount.
    pub takes_surplus: bool,
    /// Whether what is kept of it need not be capped.
    pub uncapped: bool,
    /// Whether a Market trade may count as referred by the partner.
    pub referral: bool,
}

impl Agreement {
    members! { MEMBERS of agreement: Agreement;
        "feeBps": optional(fee_bps, agreement.fee_bps), number_or_null(agreement.fee_bps);
        "feeAddress": optional(account, agreement.fee_address), value_or_null(agreement.fee_address.as_ref());
        "takesSurplus": optional(JsonAt::bool, agreement.takes_surplus), flag(agreement.takes_surplus);
        "capSurplus": optional(|at| at.bool().map(|caps| !caps), agreement.uncapped), flag(!agreement.uncapped);
        "referral": optional(JsonAt::bool, agreement.referral), flag(agreement.referral);
    }

    /// Reads one; every member may be absent.
    ///
    /// # Errors
    /// Names the member that is unknown or not as it must be.
    pub fn read(at: &JsonAt<'_>) -> Result<Agreement> {
        known(at, &Agreement::MEMBERS)?;
        let mut agreement = Agreement::default();
        let mut fields = Fields::of(at);
        Agreement::read_members(&mut fields, &mut agreement);
        fields.finish()?;
        Ok(agreement)
    }

    /// The agreement as [`Agreement::read`] reads it, every default filled in.
    pub fn write(&self) -> String {
        let mut out = ObjectWriter::object();
        Agreement::write_members(&mut out, self);
        out.close()
    }

    /// This one and what an order or a transaction needs of `other`, where that can be agreed on.
    pub fn with(&self, other: &Agreement) -> Option<Agreement> {
        let agreement = Agreement {
            fee_bps: self.fee_bps.max(other.fee_bps),
            fee_address: other.fee_address.or(self.fee_address),
            takes_surplus: self.takes_surplus || other.takes_surplus,
            uncapped: self.uncapped || other.uncapped,
            referral: self.referral || other.referral,
        };
        Some(agreement).filter(|agreement| agreement != self && agreement.fee_bps.is_none_or(|bps| bps <= CAP_BPS))
    }

    /// As it stands in the source of an application: `agreement: { feeBps: 30, feeAddress: "0x..." }`.
    pub fn source(&self) -> String {
        let fee = self.fee_bps.map(|bps| ["feeBps: ", &bps.text()].concat());
        let address = self.fee_address.map(|address| ["feeAddress: \"", &address.text(), "\""].concat());
        let mut members: Vec<String> = fee.into_iter().chain(address).collect();
        for (is, text) in [
            (self.takes_surplus, "takesSurplus: true"),
            (self.uncapped, "capSurplus: false"),
            (self.referral, "referral: true"),
        ] {
            if is {
                members.push(text.into());
            }
        }
        ["agreement: { ", &joined(&members, ", "), " }"].concat()
    }
}
