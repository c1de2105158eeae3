//! A maker's order against its form shown to the taker and against the chain (docs/verification.md, "An OTC order, and
//! its fill"). Refuses an order that is not the shown one, not signed by its maker, for another taker, expired, or that
//! the maker cannot pay for.

use crate::domain::member::{Members, member};
use crate::domain::otc::fill::{Share, left, rest, share};
use crate::domain::otc::order::{OtcOrder, has_expired};
use crate::domain::verify::report::{Checks, Verdict};
use crate::value::text::Concat;
use alloy_primitives::{Address, B256, U256};

/// The signer of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signature {
    /// The maker, by key or by the maker's code.
    Makers,
    /// The signature cannot be verified now, for instance because the maker's code changed. The contract accepted it
    /// when the order was filled in part, and does not check it again.
    AcceptedBefore,
    /// Not by the maker's key, and the maker's code was not asked.
    Unread,
    /// By another account than the maker.
    Anothers,
}

/// The addition to the sentence about an order whose maker no longer vouches for it.
pub const NO_LONGER_SIGNED: &str =
    "; its maker no longer confirms the signature, which the contract accepted at an earlier fill";

/// An order that a taker wants to fill, and its state on the chain.
pub struct Offered<'a> {
    /// The order's path in reports: `order`, `orders.0`.
    pub name: &'a str,
    /// The order as it was shown.
    pub order: &'a OtcOrder,
    /// The hash that was shown.
    pub stated_hash: B256,
    /// Its hash, computed from its members.
    pub hash: B256,
    /// The signer of the order.
    pub signature: Signature,
    /// The contract's answer to `remaining`, which [`left`] reads.
    pub remaining: U256,
    /// The maker's balance of its asset, raw units, less the amounts of earlier orders of the same fill.
    pub balance: U256,
    /// The maker's allowance for the contract, raw units; unlimited if the maker's permit replaces it.
    pub allowance: U256,
    /// Whether remaining amount, balance and allowance were read; else they are unknown, and the order counts as whole.
    pub is_read: bool,
}

impl Offered<'_> {
    /// The fill for at most `most` raw units of the taker's asset; of the whole remaining amount, if `most` is `None`
    /// or more. An empty fill if the contract's own arithmetic would fail.
    ///
    /// ```
    /// use alloy_primitives::{B256, U256};
    /// use verified_swap_verify::internal::domain::{otc::order::from_words, verify::otc_fill::{Offered, Signature}};
    /// let order = &from_words([0, 0, 0, 0, 0, 0, 100, 30].map(U256::from));
    /// let (name, is_read, hash, half) = ("order", true, B256::ZERO, U256::from(51)); // `remaining` is one more than is left
    /// let signature = Signature::Makers;
    /// let maker = Offered {
    ///     name, order, stated_hash: hash, hash, signature, remaining: half, balance: half, allowance: half, is_read,
    /// };
    /// assert_eq!(maker.share(None).give, U256::from(15));
    /// ```
    pub fn share(&self, most: Option<U256>) -> Share {
        let all = rest(self.order, left(self.order, self.remaining));
        let found = match most {
            Some(most) if all.is_none_or(|all| most < all.give) => share(self.order, most),
            _ => all,
        };
        found.unwrap_or(Share { give: U256::ZERO, get: U256::ZERO })
    }

    /// Whether the order is untouched, and this share is all of it.
    pub fn is_whole(&self, share: &Share) -> bool {
        self.remaining.is_zero() && share.give == self.order.uint(member!("takerAmount"))
    }

    /// Notes whether `taker` can fill this share at `now`, unix seconds.
    ///
    /// Refuses an order whose members do not have the shown hash, a signature that never was the maker's, an order that
    /// is meant for another taker or has expired, and a share that exceeds the order's remaining amount or the maker's
    /// balance or allowance: the transaction would revert, or fill less than shown.
    pub fn verify(&self, checks: &mut Checks, share: &Share, taker: Address, now: U256) {
        let order = self.order;
        checks.set_prefix(&[self.name, "."].concat());
        checks.same("orderHash", &self.hash, &self.stated_hash);
        let maker = order.address(member!("maker"));
        checks.holds("maker", maker != taker, &"somebody else than the taker", &maker);
        let (actual, verdict) = match self.signature {
            Signature::Makers => ("the maker's", Verdict::Ok),
            Signature::AcceptedBefore => ("accepted by the contract at an earlier fill", Verdict::Opaque),
            Signature::Unread => ("not of its key: only its code could tell", Verdict::Unknown),
            Signature::Anothers => ("another", Verdict::Mismatch),
        };
        checks.note("signature", &"the maker's", &actual, verdict);
        let named = order.address(member!("taker"));
        let expected = Concat(&[&taker, &", or zero for anybody"]);
        checks.holds("taker", named == taker || named.is_zero(), &expected, &named);
        let expiry = order.uint(member!("expiry"));
        let expected = Concat(&[&"after ", &now, &", or 0"]);
        checks.holds("expiry", !has_expired(expiry, now), &expected, &expiry);
        let needed = share.get.max(U256::from(1));
        let found = [
            ("remaining", left(order, self.remaining)),
            ("makerBalance", self.balance),
            ("makerAllowance", self.allowance),
        ];
        for (field, found) in found {
            match self.is_read {
                true => checks.at_least(field, &needed, &found),
                false => checks.note(field, &Concat(&[&"at least ", &needed]), &"not read", Verdict::Unknown),
            }
        }
        checks.set_prefix("");
    }
}
