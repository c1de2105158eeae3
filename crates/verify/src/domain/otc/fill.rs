//! The amounts that the taker of an OTC order pays and gets, computed exactly as the contract does.

use super::order::OtcOrder;
use crate::domain::member::{Members, member};
use crate::value::amount::div_rem;
use alloy_primitives::U256;

/// The amounts of one fill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// The taker's payment, raw units of the taker's asset.
    pub give: U256,
    /// The amount that the taker gets, raw units of the maker's asset: at the order's price, rounded down.
    pub get: U256,
}

/// The remaining amount of an order, raw units of the maker's asset, by the contract's `remaining`: 0 stands for an
/// untouched order, 1 for one that is filled or cancelled, any other number for the remaining amount plus one. Never
/// more than the offered amount, so that a lying node cannot have a taker pay for more.
pub fn left(order: &OtcOrder, remaining: U256) -> U256 {
    let all = order.uint(member!("makerAmount"));
    remaining.checked_sub(U256::from(1)).map_or(all, |left| left.min(all))
}

/// The fill that pays `give` raw units; `None` if the contract's own arithmetic would overflow or divide by zero.
///
/// ```
/// use alloy_primitives::U256;
/// use verified_swap_verify::internal::domain::otc::{fill::share, order::from_words};
/// // 100 of the maker's asset for 30 of the taker's.
/// let order = from_words([0, 0, 0, 0, 0, 0, 100, 30].map(U256::from));
/// assert_eq!(share(&order, U256::from(10)).unwrap().get, U256::from(33));
/// ```
pub fn share(order: &OtcOrder, give: U256) -> Option<Share> {
    let (get, _) = div_rem(give.checked_mul(order.uint(member!("makerAmount")))?, order.uint(member!("takerAmount")))?;
    Some(Share { give, get })
}

/// The fill that takes as much of `left` as raw units of the taker's asset can pay for, and pays no unit too many.
/// `None` in the cases of [`share`].
pub fn rest(order: &OtcOrder, left: U256) -> Option<Share> {
    if left == order.uint(member!("makerAmount")) {
        return Some(Share { give: order.uint(member!("takerAmount")), get: left });
    }
    let (least, over) =
        div_rem(left.checked_mul(order.uint(member!("takerAmount")))?, order.uint(member!("makerAmount")))?;
    if over.is_zero() {
        return share(order, least);
    }
    // Between two units of the taker's asset: the upper one, unless it would get more than the remaining amount.
    let upper = share(order, least.checked_add(U256::from(1))?)?;
    if upper.get <= left { Some(upper) } else { share(order, least) }
}
