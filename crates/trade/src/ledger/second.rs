//! A second order for one trade: while the first can still be filled, the user signs another only with consent.
//!
//! Otherwise a service could call the first order failed, have a second one signed, and fill both. So the service's
//! report of the first does not count, only the chain does. See "A second order for one intent" in
//! docs/verification.md. Here are the rules, which are pure: what was read before is in the orders. Those for a second
//! transaction are below.

use super::orders::{KnownOrder, RememberedOrder};
use super::record::{Entry, Stage};
use alloy_primitives::{B256, U256};
use verify::internal::domain::delta::status::COMPLETED;
use verify::internal::domain::input::{one_of, optional};
use verify::internal::error::Result;
use verify::internal::json::JsonAt;

/// The caller's consent to a second order while the first can still be filled: the option `existing`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExistingOrder {
    /// `replace`: the second has the nonce of the first, so the contract fills only one of them.
    Replace,
    /// `keepBoth`: both may be filled.
    KeepBoth,
}

impl ExistingOrder {
    /// Reads the option `existing`; `None` if it is absent.
    ///
    /// # Errors
    /// INVALID_INPUT with the option if it is neither word.
    pub fn read(at: &JsonAt<'_>) -> Result<Option<ExistingOrder>> {
        optional(&at.get("existing"), |at| {
            let all = [ExistingOrder::Replace, ExistingOrder::KeepBoth].map(|one| (one, one.name()));
            one_of(at, &all, "replace or keepBoth")
        })
    }

    /// The option's value in JavaScript.
    pub fn name(self) -> &'static str {
        if self == ExistingOrder::Replace { "replace" } else { "keepBoth" }
    }
}

/// Whether orders of that kind are filled in parts. Their nonce is not used until the last part, or never, so two
/// orders of one nonce may both be filled.
pub fn is_in_parts(kind: &str) -> bool {
    !["Order", "ExternalOrder"].contains(&kind)
}

/// The reason why another order for the same trade may not be signed.
#[derive(Clone, Debug)]
pub enum Obstacle {
    /// The order was filled or cancelled, and the other one has its nonce.
    Spent(RememberedOrder),
    /// The order [ended untold](ended_untold).
    Untold(RememberedOrder),
    /// The order may still be filled, and the caller does not consent.
    Open {
        /// The order that may be filled.
        order: RememberedOrder,
        /// An open order for the trade has the nonce of the other one.
        has_its_nonce: bool,
    },
    /// The nonce of the other one does not fit the caller's consent: it is that of an open order if this is `true`.
    WrongNonce(bool),
    /// There is no order that it could replace: the last one was filled or cancelled, or there was none.
    NothingToReplace(Option<RememberedOrder>),
}

/// An order that its owner is about to authorize.
#[derive(Clone, Debug)]
pub struct OrderToSign<'a> {
    /// The order, opened and verified.
    pub order: &'a KnownOrder,
    /// The caller's consent.
    pub existing: Option<ExistingOrder>,
    /// It was built to replace another order, whose nonce it has.
    pub is_replacement: bool,
}

/// The obstacle to an order, by the `orders` that their owners were asked to authorize, the last one last:
///
/// - `replace` needs a build with the nonce of the first order;
/// - `keepBoth` needs a build with another nonce.
///
/// An order that is itself signed already may always be submitted. A nonce that is used cannot be used again.
/// `may_be_asked` returns for an order's hash whether its prompt may be open.
pub fn find_obstacle(
    orders: &[RememberedOrder],
    wanted: &OrderToSign<'_>,
    may_be_asked: &impl Fn(B256) -> bool,
) -> Option<Obstacle> {
    let (own, hash) = (wanted.order, wanted.order.signed.hash);
    if orders.iter().any(|order| order.signed.hash == hash && order.is_signed && !order.is_over) {
        return None;
    }
    let others = || orders.iter().rev().filter(|order| order.intent == own.intent && order.signed.hash != hash);
    if let Some(spent) = others().find(|order| order.is_spent && order.nonce == own.nonce) {
        let is_untold = wanted.existing.is_none() && ended_untold(orders, spent);
        return Some(if is_untold { Obstacle::Untold(spent.clone()) } else { Obstacle::Spent(spent.clone()) });
    }
    if wanted.existing.is_none()
        && let Some(untold) = others().find(|order| ended_untold(orders, order))
    {
        return Some(Obstacle::Untold(untold.clone()));
    }
    // An open prompt for an order of the same nonce does no harm: only one of the two can be filled.
    let may_fill = |order: &&RememberedOrder| {
        let is_free = order.nonce != own.nonce || is_in_parts(own.kind);
        !order.is_over && (order.is_signed || (is_free && may_be_asked(order.signed.hash)))
    };
    let Some(first) = others().find(may_fill) else {
        // A build made to replace another has that one's nonce already.
        return match wanted.existing {
            Some(ExistingOrder::Replace) if !wanted.is_replacement => {
                nonce_to_replace(orders, own.intent, may_be_asked).err().map(Obstacle::NothingToReplace)
            }
            _ => None,
        };
    };
    let has_its_nonce = others().filter(may_fill).any(|order| order.nonce == own.nonce);
    match wanted.existing {
        None => Some(Obstacle::Open { order: first.clone(), has_its_nonce }),
        // The nonce is part of the build, so `submit` cannot choose between the two.
        Some(existing) if has_its_nonce != (existing == ExistingOrder::Replace) => {
            Some(Obstacle::WrongNonce(has_its_nonce))
        }
        Some(_) => None,
    }
}

/// The nonce of the order that `replace` replaces: the last one for that intent that can still be filled.
///
/// # Errors
/// The order that was filled or cancelled instead; `None` if there is none.
pub fn nonce_to_replace(
    orders: &[RememberedOrder],
    intent: B256,
    may_be_asked: &impl Fn(B256) -> bool,
) -> core::result::Result<U256, Option<RememberedOrder>> {
    let same = || orders.iter().rev().filter(|order| order.intent == intent);
    let open = || same().filter(|order| !order.is_over && !is_spent(orders, intent, order.nonce));
    let last = open().find(|order| order.is_signed).or_else(|| open().find(|order| may_be_asked(order.signed.hash)));
    last.map(|order| order.nonce).ok_or_else(|| same().find(|order| order.is_spent).cloned())
}

/// Whether an order is over, may have been filled, and no call ever reported it: its post had no answer, and nothing
/// looked it up since; or it was reported to have ended otherwise, which the chain contradicts. A user without the news
/// that it went through would make the same trade twice.
pub fn ended_untold(orders: &[RememberedOrder], order: &RememberedOrder) -> bool {
    // An order that expired with its nonce unused was not filled, unless its kind is filled in parts.
    let may_be_filled = order.is_spent || is_in_parts(order.kind);
    let is_unsaid = order.signed_order.is_some() || order.is_contradicted;
    order.is_signed && order.is_over && is_unsaid && may_be_filled && !is_explained(orders, order)
}

/// Whether the used nonce of an order is explained without a fill of that order: only one of those that share a nonce is
/// filled, and another one's fill was reported; none if the owner's own cancellation used it up.
pub fn is_explained(orders: &[RememberedOrder], order: &RememberedOrder) -> bool {
    let mut same = orders.iter().filter(|other| other.nonce == order.nonce && other.intent == order.intent);
    let is_filled =
        |other: &RememberedOrder| other.status.as_deref() == Some(COMPLETED) && other.signed.hash != order.signed.hash;
    !is_in_parts(order.kind) && same.any(|other| other.is_cancelled || is_filled(other))
}

/// Whether an order for that intent with that nonce is known to have used it up.
pub fn is_spent(orders: &[RememberedOrder], intent: B256, nonce: U256) -> bool {
    orders.iter().any(|order| order.is_spent && order.intent == intent && order.nonce == nonce)
}

/// The nonce of the next order for an intent, if there is one: it stays the same until it is used on chain, so that only
/// one of two orders can be filled. With `another`, no order for this intent has it, so that both can be. `drawn` is the
/// one that was drawn before.
pub fn known_nonce(orders: &[RememberedOrder], drawn: Option<U256>, intent: B256, another: bool) -> Option<U256> {
    let same = || orders.iter().rev().filter(|order| order.intent == intent && (!order.is_over || order.is_spent));
    let is_free = |nonce: &U256| !same().any(|order| order.nonce == *nonce && (another || order.is_spent));
    // The nonce of a signed order has precedence over one that was only drawn.
    let signed = same().filter(|order| order.is_signed).map(|order| order.nonce);
    signed.chain(drawn).chain(same().map(|order| order.nonce)).find(is_free)
}

/// A transaction that its owner is about to be asked to send.
#[derive(Clone, Copy, Debug)]
pub struct WantedTransaction {
    /// The key of its prompt and its entry.
    pub key: B256,
    /// The trade of which no other transaction may be on its way; `None` if any number of them may be sent.
    pub alone: Option<B256>,
    /// It makes no trade and pays native tokens, as a deposit does: it is not sent once more while it may be under way.
    pub pays_twice: bool,
    /// It is requested under the id of its earlier request.
    pub repeats: bool,
    /// Its own prompt is open, and is joined.
    pub is_open: bool,
}

/// Whether a transaction of the journal may be on its way and does what the wanted one does: it was sent and is in no
/// block, was mined and is not reported yet, or was requested in a prompt whose answer never came or named no hash, which
/// may be for the wanted one itself, unless that repeats it by its id.
pub fn may_be_under_way(entry: &Entry, wanted: &WantedTransaction) -> bool {
    let is_itself = entry.key == wanted.key;
    match entry.stage {
        Stage::Asking if wanted.pays_twice => is_itself && entry.said.is_some() && !wanted.repeats,
        _ if wanted.alone.is_none() || entry.intent != wanted.alone => false,
        Stage::Asking => !is_itself || !(wanted.repeats || wanted.is_open),
        Stage::Sent => !is_itself || entry.is_foreign(),
        _ => entry.is_untold,
    }
}

/// Whether the user who has sent a transaction for that `intent` beside any other (`alone` is `None`) has decided about
/// this one: another account sent something else for it.
pub fn is_decided(entry: &Entry, alone: Option<B256>, intent: Option<B256>) -> bool {
    alone.is_none() && entry.is_foreign() && intent.is_some() && entry.intent == intent
}
