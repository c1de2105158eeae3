//! What the quotes of both paths have in common.

use crate::domain::intent::Intent;
use crate::domain::sentence;
use crate::domain::verify::report;
use crate::json::ObjectWriter;
use alloy_primitives::{Address, U256};

/// What the quotes of both paths state.
pub struct QuoteFields<'a> {
    /// What is given, raw units.
    pub src_amount: &'a U256,
    /// What comes out, raw units.
    pub dest_amount: &'a U256,
    /// What the service says these are worth, decimal text.
    pub usd: [Option<&'a str>; 2],
    /// The fee inside.
    pub fee_bps: Option<u16>,
    /// The partner's name, as the service has it.
    pub partner: Option<&'a str>,
    /// The contract that would take what is given.
    pub spender: &'a Address,
    /// What was checked.
    pub checks: &'a str,
}

impl QuoteFields<'_> {
    /// Adds it to a quote.
    pub fn write(&self, intent: &Intent, out: &mut ObjectWriter) {
        let (src, dest) = (self.src_amount, self.dest_amount);
        out.value("destToken", &intent.dest.address);
        for (name, amount) in [("srcAmount", src), ("destAmount", dest)] {
            out.value(name, amount);
        }
        let [src_usd, dest_usd] = self.usd;
        for (name, text) in [("srcUsd", src_usd), ("destUsd", dest_usd), ("partnerName", self.partner)] {
            out.text_or_null(name, text);
        }
        out.number_or_null("feeBps", self.fee_bps);
        out.value("spender", self.spender);
        out.raw("report", &report(&sentence::quote(intent, *src, *dest), self.checks, None));
    }
}
