//! An application's agreement with the service's operator about the partner's share of a trade.
//!
//! The service looks it up by the partner's name and writes it into orders by itself. Here it counts only as far as the
//! application states it too: an order that takes a larger share than stated is refused, with a message that shows the
//! `agreement` that would accept it (docs/errors.md, "A mismatch that need not be a lie").

use super::fee::{CAP_BPS, fee_bps};
use super::fields::{Fields, members};
use super::input::{account, known};
use crate::error::Result;
use crate::json::{JsonAt, ObjectWriter};
use crate::value::text::{ToText, joined};
use alloy_primitives::Address;

/// The agreement, as `createClient` or a request states it. A share that it does not mention is not accepted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// The highest fee of each trade that the partner may get, in bps, 0 to 200. `None`: no fee was agreed on.
    pub fee_bps: Option<u16>,
    /// The required receiver of the partner's share. `None`: any account that the service names.
    pub fee_address: Option<Address>,
    /// Whether the partner may keep half of the surplus: the yield of a trade beyond the expected amount.
    pub takes_surplus: bool,
    /// Whether the kept surplus may exceed the contract's cap. JavaScript has the opposite, `capSurplus`.
    pub uncapped: bool,
    /// Whether a Market trade may count as referred by the partner (the router's `referral` bit).
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

    /// Reads the application's `agreement`; every member may be absent.
    ///
    /// # Errors
    /// INVALID_INPUT with the member that is unknown, malformed or out of range.
    pub fn read(at: &JsonAt<'_>) -> Result<Agreement> {
        known(at, &Agreement::MEMBERS)?;
        let mut agreement = Agreement::default();
        let mut fields = Fields::of(at);
        Agreement::read_members(&mut fields, &mut agreement);
        fields.finish()?;
        Ok(agreement)
    }

    /// The agreement as JSON text that [`Agreement::read`] reads back, every default filled in.
    pub fn write(&self) -> String {
        let mut out = ObjectWriter::object();
        Agreement::write_members(&mut out, self);
        out.close()
    }

    /// This agreement extended by the share of `other`: the application would have to state it for that share to be
    /// accepted. `None` if nothing has to be added, or if `other` takes a fee above the contract's cap, which no
    /// agreement allows.
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

    /// The agreement as JavaScript source for an error's message: `agreement: { feeBps: 30 }`.
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
