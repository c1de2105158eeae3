//! How much a fill gives and gets.

use super::order::OtcOrder;
use crate::domain::amount::div_rem;
use crate::domain::member::{Members, member};
use alloy_primitives::U256;

/// One fill: what the taker gives, and what the contract pays out for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Raw units of the taker's asset.
    pub give: U256,
    /// Raw units of the maker's asset: the order's price, rounded down as the contract does.
    pub get: U256,
}

/// What the contract's `remaining` says is left of an order, in the maker's asset: 0 stands for an order nobody has
/// touched, 1 for one that is filled or cancelled, anything else for one unit more than is left. Never more than was
/// offered: a node that says so would have a taker pay for more.
pub fn left(order: &OtcOrder, remaining: U256) -> U256 {
    let all = order.uint(member!("makerAmount"));
    remaining.checked_sub(U256::from(1)).map_or(all, |left| left.min(all))
}

/// What that much of the taker's asset gets; `None` where the contract itself could not compute it.
pub fn share(order: &OtcOrder, give: U256) -> Option<Share> {
    let (get, _) = div_rem(give.checked_mul(order.uint(member!("makerAmount")))?, order.uint(member!("takerAmount")))?;
    Some(Share { give, get })
}

/// The fill that takes as much of what is left as whole units of the taker's asset can pay for, and gives no unit too
/// many.
pub fn rest(order: &OtcOrder, left: U256) -> Option<Share> {
    if left == order.uint(member!("makerAmount")) {
        return Some(Share { give: order.uint(member!("takerAmount")), get: left });
    }
    let (least, over) =
        div_rem(left.checked_mul(order.uint(member!("takerAmount")))?, order.uint(member!("makerAmount")))?;
    if over.is_zero() {
        return share(order, least);
    }
    // Between two units of the taker's asset: the upper one, unless it would get more than there is.
    let upper = share(order, least.checked_add(U256::from(1))?)?;
    if upper.get <= left { Some(upper) } else { share(order, least) }
}
