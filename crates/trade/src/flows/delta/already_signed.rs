//! Decides whether an order may be signed, given the orders already signed for the same trade.
//!
//! It is checked twice before a prompt: first with a read of the chain, and right before the prompt once more from
//! memory, because another attempt may have had its order signed in between. The rules are in `existing.rs`.

use crate::client::{Client, Shared};
use crate::flows::delta::existing::{
    already_filled, already_signed, ask_service, check_replaceable, ended_unseen, may_be_under_way, nothing_to_replace,
    refresh_orders, remedy,
};
use crate::flows::delta::learn::learn_open_orders;
use crate::flows::submission::Submission;
use crate::host::Host;
use crate::ledger::second::{ExistingOrder, Obstacle, OrderToSign, find_obstacle, is_in_parts};
use verify::internal::error::{Error, Result};
use verify::internal::value::text::ToText;

impl<H: Host> Submission<H> {
    /// Refuses to open a prompt for it while the journal, by its last `read`, may have more of the same trade. If the
    /// caller goes on without the journal, the service's list of the owner's orders is remembered instead.
    ///
    /// # Errors
    /// JOURNAL_UNREADABLE; those of service and wallet.
    pub async fn check_read(&self, client: &Client<H>, read: &Result<()>, signal: &H::Signal) -> Result<()> {
        let (shared, order) = (&client.shared, self.order.known());
        let adds = match order.as_ref().filter(|_| shared.ledger.has_opaque(None)) {
            // An entry that cannot be opened had the nonce that the storage has, if it is an order of the same trade.
            Some(order) if self.existing != Some(ExistingOrder::KeepBoth) => {
                is_in_parts(order.kind) || shared.ledger.stored_nonce(order.intent).await != Some(order.nonce)
            }
            _ => false,
        };
        if shared.check_read(read, (Some(self.intent()), self.facts.hash, adds))? && order.is_some() {
            learn_open_orders(client, signal).await?;
        }
        Ok(())
    }

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
            match entry.as_ref().filter(|entry| !client.shared.ledger.is_own(entry)) {
                Some(elsewhere) => {
                    error.message.push_str(&["; it was signed for the service at ", &elsewhere.base_url].concat());
                }
                None => error.message.push_str(&ask_service(client, hash, signal).await),
            }
            // An order that the user gave up is not offered for posting.
            if entry.is_some_and(|entry| entry.is_abandoned()) {
                error.signed_order = None;
            }
        }
        Err(error)
    }

    /// Refuses a second order for the same trade by the remembered ones: see [`find_obstacle`]. `replace` needs a kind
    /// that the nonce binds.
    ///
    /// # Errors
    /// ALREADY_SIGNED; INVALID_INPUT with `options.existing` if it does not fit the kind, or the nonce of the build.
    pub fn check_no_other_known(&self, shared: &Shared<H>) -> Result<()> {
        let Some(own) = self.order.known().filter(|_| !self.is_signed) else { return Ok(()) };
        check_replaceable(self.existing, own.kind)?;
        let wanted = OrderToSign { order: &own, existing: self.existing, is_replacement: self.is_replacement };
        let may_be_asked = |hash| may_be_under_way(shared, hash);
        match find_obstacle(&shared.ledger.orders(), &wanted, &may_be_asked) {
            None => {
                let asked = self.asked.filter(|_| self.existing.is_none());
                shared.ledger.check_told(own.intent, own.signed.hash, asked)
            }
            Some(obstacle) => Err(explain(obstacle, &wanted, shared.host.unix_ms() / 1_000)),
        }
    }
}

/// The error for what stands in the way of an order. `now` is unix seconds.
fn explain(obstacle: Obstacle, wanted: &OrderToSign<'_>, now: u64) -> Error {
    let (kind, existing) = (wanted.order.kind, wanted.existing);
    match obstacle {
        Obstacle::Spent(order) => already_filled(&order, existing),
        Obstacle::Untold(order) => ended_unseen(&order, now),
        Obstacle::NothingToReplace(spent) => nothing_to_replace(spent),
        Obstacle::Open { order, has_its_nonce } => {
            let place = if order.is_signed { ") is signed" } else { ") is in the wallet" };
            let remedy = match has_its_nonce || is_in_parts(kind) {
                true => remedy(kind),
                // To replace the order, the build needs its nonce, but has another.
                false => {
                    r#"for one to take its place, or for both, build(quote, { ..., existing: "replace" }) or "keepBoth""#
                }
            };
            let hash = order.signed.hash.text();
            let words = ["an order for the same trade (", &hash, place, " and may still be filled: ", remedy];
            already_signed(&order, &words, "may still be filled")
        }
        Obstacle::WrongNonce(has_its_nonce) => {
            let name = existing.map(ExistingOrder::name).unwrap_or_default();
            let expected = ["a build with the same option: build(quote, { ..., existing: \"", name, "\" })"].concat();
            let got = if has_its_nonce { "a build with the earlier order's nonce" } else { "a build of another nonce" };
            Error::input("options.existing", &expected, got)
        }
    }
}
