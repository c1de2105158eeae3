//! How a maker's funds are shared among the maker's open orders.

use alloy_primitives::{B256, U256};

use super::state::{State, is_live, unfilled};
use super::{PostedOrder, Trails};

/// How far a maker's funds cover one order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cover {
    /// Claimed by the maker's older orders that can be filled.
    pub reserved: U256,
    /// The rest for this one: never more than is unfilled of it.
    pub swappable: U256,
}

/// Goes through a maker's orders of one asset, the oldest first: each that the rest of `funds` covers claims what is
/// unfilled of it.
///
/// `orders` are the maker's of that asset. Returns the cover of the order of that hash, and what all live orders
/// claim, covered or not.
pub fn cover(orders: &[&PostedOrder], trails: &Trails, funds: U256, now: u64, hash: B256) -> (Cover, U256) {
    let (mut rest, mut reserved, mut claimed, mut found) = (funds, U256::ZERO, U256::ZERO, Cover::default());
    for posted in orders {
        let trail = trails.get(&(posted.order.maker, posted.hash)).copied().unwrap_or_default();
        let live = is_live(&posted.order, &trail, now);
        let left = unfilled(&posted.order, &trail);
        if posted.hash == hash {
            found = Cover { reserved, swappable: if live { left.min(rest) } else { U256::ZERO } };
        }
        if !live {
            continue;
        }
        claimed = claimed.saturating_add(left);
        if State::of(&posted.order, &trail, now, rest) == State::Pending {
            rest = rest.saturating_sub(left);
            reserved = reserved.saturating_add(left);
        }
    }
    (found, claimed)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use alloy_primitives::{B256, U256};

    use super::super::{RfqOrder, Trail};
    use super::{Cover, PostedOrder, cover};

    fn orders(amounts: &[u64]) -> Vec<PostedOrder> {
        let posted = |(index, amount): (usize, &u64)| {
            let order = RfqOrder {
                nonceAndMeta: U256::ZERO,
                expiry: 0,
                makerAsset: alloy_primitives::Address::ZERO,
                takerAsset: alloy_primitives::Address::ZERO,
                maker: alloy_primitives::Address::ZERO,
                taker: alloy_primitives::Address::ZERO,
                makerAmount: U256::from(*amount),
                takerAmount: U256::from(1),
            };
            PostedOrder::new(1, order, B256::with_last_byte(index.try_into().unwrap()), Default::default(), None, 0)
        };
        amounts.iter().enumerate().map(posted).collect()
    }

    #[test]
    fn older_orders_are_served_first_and_one_that_is_not_covered_claims_nothing() {
        let orders = orders(&[60, 70, 30]);
        let list: Vec<_> = orders.iter().collect();
        let of = |index: u8| cover(&list, &HashMap::new(), U256::from(100), 5, B256::with_last_byte(index));
        let cover =
            |reserved: u64, swappable: u64| Cover { reserved: U256::from(reserved), swappable: U256::from(swappable) };
        assert_eq!(of(0), (cover(0, 60), U256::from(160)));
        assert_eq!(of(1).0, cover(60, 40));
        assert_eq!(of(2).0, cover(60, 30));
    }

    #[test]
    fn filled_or_cancelled_amounts_are_not_claimed_any_more() {
        let orders = orders(&[60, 70, 30]);
        let list: Vec<_> = orders.iter().collect();
        let maker = orders[0].order.maker;
        let trails = HashMap::from([
            ((maker, orders[0].hash), Trail { filled: U256::from(50), ..Trail::default() }),
            ((maker, orders[2].hash), Trail { is_cancelled: true, ..Trail::default() }),
        ]);
        let (second, claimed) = cover(&list, &trails, U256::from(100), 5, orders[1].hash);
        assert_eq!((second.reserved, second.swappable, claimed), (U256::from(10), U256::from(70), U256::from(80)));
    }
}
