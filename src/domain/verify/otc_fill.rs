//! A maker's order against what a taker was shown, and against what the chain says of it.

use crate::domain::member::{Members, member};
use crate::domain::otc::fill::{Share, left, rest, share};
use crate::domain::otc::order::{OtcOrder, has_expired};
use crate::domain::text::Concat;
use crate::domain::verify::report::Checks;
use alloy_primitives::{Address, B256, U256};

/// An order somebody wants to fill, and what the chain says of it.
pub struct Offered<'a> {
    /// How the order is called in what is noted of it: `order`, `orders.0`.
    pub name: &'a str,
    /// Its members as they were shown.
    pub order: &'a OtcOrder,
    /// The hash that was shown.
    pub stated_hash: B256,
    /// Its hash, from the members.
    pub hash: B256,
    /// Whether the signature is the maker's.
    pub is_signed: bool,
    /// The contract's `remaining`.
    pub remaining: U256,
    /// What the maker has of the asset, and has not promised to an earlier order of the same fill.
    pub balance: U256,
    /// What the contract may take of it; as much as there is, where the maker's permit says so.
    pub allowance: U256,
}

impl Offered<'_> {
    /// What a taker can get of it for at most that much of the taker's asset; all that is left, where nothing is said.
    /// Nothing, where the contract itself could not compute it.
    pub fn share(&self, most: Option<U256>) -> Share {
        let all = rest(self.order, left(self.order, self.remaining));
        let found = match most {
            Some(most) if all.is_none_or(|all| most < all.give) => share(self.order, most),
            _ => all,
        };
        found.unwrap_or(Share { give: U256::ZERO, get: U256::ZERO })
    }

    /// Whether nobody has touched the order, and that share is all of it.
    pub fn is_whole(&self, share: &Share) -> bool {
        self.remaining.is_zero() && share.give == self.order.uint(member!("takerAmount"))
    }

    /// Notes whether that share can be filled by that taker now.
    pub fn verify(&self, checks: &mut Checks, share: &Share, taker: Address, now: U256) {
        let order = self.order;
        checks.set_prefix(&[self.name, "."].concat());
        checks.same("orderHash", &self.hash, &self.stated_hash);
        let maker = order.address(member!("maker"));
        checks.holds("maker", maker != taker, &"somebody else than the taker", &maker);
        checks.same("signature", &"the maker's", &if self.is_signed { "the maker's" } else { "another" });
        let named = order.address(member!("taker"));
        let expected = Concat(&[&taker, &", or zero for anybody"]);
        checks.holds("taker", named == taker || named.is_zero(), &expected, &named);
        let expiry = order.uint(member!("expiry"));
        let expected = Concat(&[&"after ", &now, &", or 0"]);
        checks.holds("expiry", !has_expired(expiry, now), &expected, &expiry);
        let needed = share.get.max(U256::from(1));
        checks.at_least("remaining", &needed, &left(order, self.remaining));
        checks.at_least("makerBalance", &needed, &self.balance);
        checks.at_least("makerAllowance", &needed, &self.allowance);
        checks.set_prefix("");
    }
}
