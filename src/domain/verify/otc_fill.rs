//! A maker's order against what a taker was shown, and against what the chain says of it.

use super::report::Checks;
use crate::domain::otc::fill::{Share, left, rest, share};
use crate::domain::otc::order::has_expired;
use crate::domain::text::ToText;
use crate::domain::typed_struct::TypedStruct;
use alloy_primitives::{Address, B256, U256};

/// An order somebody wants to fill, and what the chain says of it.
pub struct Offered<'a> {
    /// How the order is called in what is noted of it: `order`, `orders.0`.
    pub name: &'a str,
    /// Its members as they were shown.
    pub order: &'a TypedStruct,
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
        self.remaining.is_zero() && share.give == self.order.uint("takerAmount")
    }

    /// Notes whether that share can be filled by that taker now.
    pub fn verify(&self, checks: &mut Checks, share: &Share, taker: Address, now: U256) {
        let order = self.order;
        let at = |member: &str| [self.name, ".", member].concat();
        checks.same(&at("orderHash"), &self.hash, &self.stated_hash);
        let maker = order.address("maker");
        checks.holds(&at("maker"), maker != taker, "somebody else than the taker", &maker.text());
        let signed = if self.is_signed { "the maker's" } else { "another" };
        checks.holds(&at("signature"), self.is_signed, "the maker's", signed);
        let named = order.address("taker");
        let expected = [&taker.text(), ", or zero for anybody"].concat();
        checks.holds(&at("taker"), named == taker || named.is_zero(), &expected, &named.text());
        let expiry = order.uint("expiry");
        let expected = ["after ", &now.text(), ", or 0"].concat();
        checks.holds(&at("expiry"), !has_expired(expiry, now), &expected, &expiry.text());
        let needed = share.get.max(U256::from(1));
        checks.at_least(&at("remaining"), &needed, &left(order, self.remaining));
        checks.at_least(&at("makerBalance"), &needed, &self.balance);
        checks.at_least(&at("makerAllowance"), &needed, &self.allowance);
    }
}
