//! Decides whether an order may be signed, given the orders already signed for the same trade.
//!
//! It is checked twice before a prompt: first with a read of the chain, and right before the prompt once more from
//! memory, because another attempt may have had its order signed in between. The rules are in `existing.rs`.

use crate::client::{Client, Shared};
use crate::error::{Error, Result};
use crate::host::Host;
use crate::ledger::orders::RememberedOrder;
use crate::trade::delta::existing::{
    ExistingOrder, already_filled, already_signed, ask_service, check_replaceable, ended_unseen, ended_untold,
    is_in_parts, may_be_under_way, nonce_to_replace, refresh_orders, remedy,
};
use crate::trade::signed::submission::Submission;
use crate::value::text::ToText;

impl<H: Host> Submission<H> {
    /// Refuses a second order for the same trade, after reading from the chain whether the earlier ones were filled.
    ///
    /// # Errors
    /// Same as [`Submission::check_no_other_known`]; ABORTED.
    pub async fn check_no_other(&self, client: &Client<H>, signal: &H::Signal) -> Result<()> {
        if let Some(agreed) = self.order.known().filter(|_| !self.is_signed) {
            refresh_orders(client, agreed.intent, Some(self.facts.hash), signal).await?;
        }
        let Err(mut error) = self.check_no_other_known(&client.shared) else { return Ok(()) };
        // The outcome of its post was not reported yet.
        if let Some(hash) = error.order_hash.filter(|_| error.signed_order.is_some()) {
            let entry = client.shared.ledger.trade(hash);
            let elsewhere = entry
                .as_ref()
                .and_then(|entry| entry.base_url.as_ref().filter(|_| !client.shared.ledger.is_own(entry)));
            match elsewhere {
                Some(url) => error.message.push_str(&["; it was signed for the service at ", url].concat()),
                None => error.message.push_str(&ask_service(client, hash, signal).await),
            }
            // An order that the user gave up is not offered for posting.
            if entry.is_some_and(|entry| entry.is_abandoned()) {
                error.signed_order = None;
            }
        }
        Err(error)
    }

    /// Refuses a second order for the same trade by the remembered ones, unless `existing` consents to it:
    ///
    /// - `replace` needs a build with the nonce of the first order, and a kind that the nonce binds;
    /// - `keepBoth` needs a build with another nonce.
    ///
    /// An order that is itself signed already may always be submitted. A nonce that is used cannot be used again.
    ///
    /// # Errors
    /// ALREADY_SIGNED; INVALID_INPUT with `options.existing` if it does not fit the kind, or the nonce of the build.
    pub fn check_no_other_known(&self, shared: &Shared<H>) -> Result<()> {
        let Some(own) = self.order.known().filter(|_| !self.is_signed) else { return Ok(()) };
        check_replaceable(self.existing, own.kind)?;
        let now = shared.host.unix_ms() / 1_000;
        let orders = shared.ledger.orders();
        if orders.iter().any(|order| order.signed.hash == self.facts.hash && order.is_signed && !order.is_over) {
            return Ok(());
        }
        let others =
            || orders.iter().rev().filter(|order| order.intent == own.intent && order.signed.hash != self.facts.hash);
        if let Some(spent) = others().find(|order| order.is_spent && order.nonce == own.nonce) {
            return Err(match self.existing {
                None if ended_untold(shared, spent) => ended_unseen(spent, now),
                existing => already_filled(spent, existing),
            });
        }
        if self.existing.is_none()
            && let Some(untold) = others().find(|order| ended_untold(shared, order))
        {
            return Err(ended_unseen(untold, now));
        }
        // An open prompt for an order of the same nonce does no harm: only one of the two can be filled.
        let may_fill = |order: &&RememberedOrder| {
            let is_free = order.nonce != own.nonce || is_in_parts(own.kind);
            !order.is_over && (order.is_signed || (is_free && may_be_under_way(shared, order.signed.hash)))
        };
        let Some(first) = others().find(may_fill) else {
            // A build made to replace another has that one's nonce already.
            return match self.existing {
                Some(ExistingOrder::Replace) if !self.is_replacement => {
                    nonce_to_replace(shared, own.intent).map(|_| ())
                }
                _ => Ok(()),
            };
        };
        let has_its_nonce = others().filter(may_fill).any(|order| order.nonce == own.nonce);
        match self.existing {
            None => {
                let place = if first.is_signed { ") is signed" } else { ") is in the wallet" };
                let remedy = match has_its_nonce || is_in_parts(own.kind) {
                    true => remedy(own.kind),
                    // To replace the order, the build needs its nonce, but has another.
                    false => {
                        r#"for one to take its place, or for both, build(quote, { ..., existing: "replace" }) or "keepBoth""#
                    }
                };
                let words = [
                    "an order for the same trade (",
                    &first.signed.hash.text(),
                    place,
                    " and may still be filled: ",
                    remedy,
                ];
                Err(already_signed(first, &words, "may still be filled"))
            }
            // The nonce is part of the build, so `submit` cannot choose between the two.
            Some(existing) if has_its_nonce != (existing == ExistingOrder::Replace) => {
                let expected =
                    ["a build with the same option: build(quote, { ..., existing: \"", existing.name(), "\" })"]
                        .concat();
                let got =
                    if has_its_nonce { "a build with the earlier order's nonce" } else { "a build of another nonce" };
                Err(Error::input("options.existing", &expected, got))
            }
            _ => Ok(()),
        }
    }
}
