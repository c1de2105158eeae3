//! The members that quotes of both protocols have.

use crate::domain::intent::Intent;
use crate::domain::sentence;
use crate::domain::verify::report;
use crate::json::ObjectWriter;
use alloy_primitives::{Address, U256};

/// The values of these members, as the service states them and after they were compared with the request.
pub struct QuoteFields<'a> {
    /// What is given, in raw units of the source token; for a Delta order in slices, of one slice.
    pub src_amount: &'a U256,
    /// What arrives, in raw units of the destination token.
    pub dest_amount: &'a U256,
    /// What the service says these two are worth, in USD as decimal text.
    pub usd: [Option<&'a str>; 2],
    /// The fee that the amounts contain, in basis points, if the service states it.
    pub fee_bps: Option<u16>,
    /// The partner's name, as the service has it.
    pub partner: Option<&'a str>,
    /// The contract that takes what is given: it has to be approved.
    pub spender: &'a Address,
    /// The checks, as the items of a JSON array.
    pub checks: &'a str,
}

impl QuoteFields<'_> {
    /// Writes them, and the report, into a quote.
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
