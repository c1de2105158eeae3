//! A signed order of any kind, and what all kinds have in common.

use alloy_primitives::{Address, Bytes, U256};

use super::OrderKind;
use crate::chain::{Bridge, ExternalOrder, Funding, Order, TWAPBuyOrder, TWAPOrder};

/// The struct the owner signs.
#[derive(Clone, Debug)]
pub enum SignedOrder {
    Order(Order),
    Fillable(Order),
    External(ExternalOrder),
    Twap(TWAPOrder),
    TwapBuy(TWAPBuyOrder),
}

/// An order's terms, all slices together. Amounts in raw units, times in unix seconds.
#[derive(Clone, Debug)]
pub struct Terms {
    pub owner: Address,
    /// The receiver: of an external order its handler.
    pub beneficiary: Address,
    pub src_token: Address,
    pub dest_token: Address,
    pub is_sell: bool,
    /// SELL: exactly; BUY: at most.
    pub src_amount: U256,
    /// SELL: at least; BUY: exactly.
    pub dest_amount: U256,
    /// On the side that is not fixed.
    pub expected: U256,
    pub deadline: U256,
    pub nonce: U256,
    pub partner_and_fee: U256,
    pub permit: Bytes,
    pub bridge: Bridge,
    /// The number of slices; 1 where there are none.
    pub slices: u32,
    /// Seconds between slices.
    pub interval: u64,
}

impl SignedOrder {
    pub fn kind(&self) -> OrderKind {
        match self {
            Self::Order(_) => OrderKind::Order,
            Self::Fillable(_) => OrderKind::Fillable,
            Self::External(_) => OrderKind::External,
            Self::Twap(_) => OrderKind::Twap,
            Self::TwapBuy(_) => OrderKind::TwapBuy,
        }
    }

    pub fn terms(&self) -> Terms {
        match self {
            Self::Order(order) | Self::Fillable(order) => of_order(order),
            Self::External(order) => of_external(order),
            Self::Twap(order) => of_twap(order),
            Self::TwapBuy(order) => of_twap_buy(order),
        }
    }
}

impl Terms {
    /// How the Delta contract gets the source tokens; `is_used`: a part of them it has.
    pub fn funding(&self, is_used: bool) -> Funding<'_> {
        Funding {
            token: self.src_token,
            owner: self.owner,
            permit: &self.permit,
            signed_amount: self.src_amount,
            deadline: self.deadline,
            is_used,
        }
    }

    /// The amount of the side that is fixed: settlements are counted by it.
    pub fn fixed(&self) -> U256 {
        if self.is_sell { self.src_amount } else { self.dest_amount }
    }

    /// The most that may still leave the owner when that much of the fixed side is settled.
    pub fn left_of_source(&self, filled: U256) -> U256 {
        let left = self.fixed().saturating_sub(filled);
        if self.is_sell { left } else { in_proportion(self.src_amount, left, self.fixed()) }
    }

    /// Slice `index` of a total: equal parts, rounded down, and the last takes what is left.
    pub fn slice(&self, total: U256, index: u32) -> U256 {
        let share = total / U256::from(self.slices.max(1));
        if index.saturating_add(1) < self.slices { share } else { total - share * U256::from(index) }
    }
}

/// `of` x `part` / `whole`, rounded down.
pub fn in_proportion(of: U256, part: U256, whole: U256) -> U256 {
    let product = of.widening_mul::<256, 4, 512, 8>(part);
    let share = product / alloy_primitives::U512::from(whole.max(U256::from(1)));
    share.saturating_to()
}

fn of_order(order: &Order) -> Terms {
    Terms {
        owner: order.owner,
        beneficiary: order.beneficiary,
        src_token: order.srcToken,
        dest_token: order.destToken,
        is_sell: order.kind == 0,
        src_amount: order.srcAmount,
        dest_amount: order.destAmount,
        expected: order.expectedAmount,
        deadline: order.deadline,
        nonce: order.nonce,
        partner_and_fee: order.partnerAndFee,
        permit: order.permit.clone(),
        bridge: order.bridge.clone(),
        slices: 1,
        interval: 0,
    }
}

fn of_external(order: &ExternalOrder) -> Terms {
    Terms {
        owner: order.owner,
        beneficiary: order.handler,
        src_token: order.srcToken,
        dest_token: order.destToken,
        is_sell: order.kind == 0,
        src_amount: order.srcAmount,
        dest_amount: order.destAmount,
        expected: order.expectedAmount,
        deadline: order.deadline,
        nonce: order.nonce,
        partner_and_fee: order.partnerAndFee,
        permit: order.permit.clone(),
        bridge: Bridge::default(),
        slices: 1,
        interval: 0,
    }
}

fn of_twap(order: &TWAPOrder) -> Terms {
    let least = order.destAmountPerSlice.saturating_mul(U256::from(order.numSlices));
    Terms {
        owner: order.owner,
        beneficiary: order.beneficiary,
        src_token: order.srcToken,
        dest_token: order.destToken,
        is_sell: true,
        src_amount: order.totalSrcAmount,
        dest_amount: least,
        expected: least,
        deadline: U256::from(order.deadline),
        nonce: order.nonce,
        partner_and_fee: order.partnerAndFee,
        permit: order.permit.clone(),
        bridge: order.bridge.clone(),
        slices: order.numSlices,
        interval: order.interval,
    }
}

fn of_twap_buy(order: &TWAPBuyOrder) -> Terms {
    Terms {
        owner: order.owner,
        beneficiary: order.beneficiary,
        src_token: order.srcToken,
        dest_token: order.destToken,
        is_sell: false,
        src_amount: order.maxSrcAmount,
        dest_amount: order.totalDestAmount,
        expected: order.maxSrcAmount,
        deadline: U256::from(order.deadline),
        nonce: order.nonce,
        partner_and_fee: order.partnerAndFee,
        permit: order.permit.clone(),
        bridge: order.bridge.clone(),
        slices: order.numSlices,
        interval: order.interval,
    }
}

#[cfg(test)]
mod tests {
    use alloy_primitives::U256;

    use super::{Terms, in_proportion, of_twap};
    use crate::chain::TWAPOrder;

    fn of(total: u64, slices: u32) -> Terms {
        of_twap(&TWAPOrder {
            numSlices: slices,
            destAmountPerSlice: U256::from(5),
            totalSrcAmount: U256::from(total),
            ..Default::default()
        })
    }

    #[test]
    fn the_last_slice_takes_what_is_left() {
        let terms = of(1_003, 4);
        let slices: Vec<u64> = (0..4).map(|index| terms.slice(terms.src_amount, index).to()).collect();
        assert_eq!(slices, [250, 250, 250, 253]);
        assert_eq!(terms.dest_amount, U256::from(20));
    }

    #[test]
    fn a_share_of_the_largest_amount_does_not_overflow() {
        assert_eq!(in_proportion(U256::MAX, U256::from(1), U256::from(2)), U256::MAX >> 1);
        assert_eq!(in_proportion(U256::from(10), U256::from(1), U256::from(3)), U256::from(3));
    }
}
