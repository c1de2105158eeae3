//! The next part of an order, and the call that settles it.

use alloy_primitives::{Address, Bytes, U256};
use alloy_sol_types::{SolCall, SolValue};

use super::SignedOrder;
use super::signed::in_proportion;
use crate::chain::{Execution, Filled, IDelta};

/// A whole order, a slice or a part of one. Raw units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// On the side that is fixed.
    pub amount: U256,
    /// SELL: the least that comes in; BUY: the most that goes out.
    pub limit: U256,
    /// The expected amount for surplus; zero where there is none.
    pub expected: U256,
}

/// The solver's work with a part.
#[derive(Clone, Copy, Debug)]
pub struct Trading {
    pub executor: Address,
    /// The amount it asks for.
    pub spend: U256,
    /// How much of that it trades.
    pub trade_in: U256,
    /// The amount it delivers.
    pub promised: U256,
}

impl SignedOrder {
    /// The next part. An order that may be filled in parts settles at most `percent` of the whole at once.
    pub fn next_part(&self, filled: &Filled, percent: u64) -> Part {
        let terms = self.terms();
        let whole = terms.fixed();
        match self {
            Self::Order(_) | Self::External(_) => Part {
                amount: whole,
                limit: if terms.is_sell { terms.dest_amount } else { terms.src_amount },
                expected: terms.expected,
            },
            Self::Fillable(_) => {
                let most = in_proportion(whole, U256::from(percent), U256::from(100)).max(U256::from(1));
                let amount = most.min(whole.saturating_sub(filled.filled));
                // The least is rounded up, the most down.
                let limit = if terms.is_sell {
                    terms.dest_amount - in_proportion(terms.dest_amount, whole - amount, whole)
                } else {
                    in_proportion(terms.src_amount, amount, whole)
                };
                Part { amount, limit, expected: in_proportion(terms.expected, amount, whole) }
            }
            Self::Twap(order) => {
                Part { amount: terms.slice(whole, filled.fills), limit: order.destAmountPerSlice, expected: U256::ZERO }
            }
            Self::TwapBuy(order) => Part {
                amount: terms.slice(whole, filled.fills),
                limit: terms.slice(order.maxSrcAmount, filled.fills),
                expected: U256::ZERO,
            },
        }
    }

    /// The call to the Delta contract that settles `part`.
    pub fn settlement(&self, signature: &Bytes, part: &Part, trading: &Trading) -> Bytes {
        let execution = Execution {
            spend: trading.spend,
            executor: trading.executor,
            data: (trading.trade_in, trading.promised).abi_encode_params().into(),
        };
        let signature = signature.clone();
        let data = match self.clone() {
            Self::Order(order) => IDelta::settleCall { order, signature, execution }.abi_encode(),
            Self::Fillable(order) => {
                IDelta::settleFillableCall { order, signature, amount: part.amount, execution }.abi_encode()
            }
            Self::External(order) => {
                IDelta::settleExternalCall { order, signature, execution, lent: trading.promised }.abi_encode()
            }
            Self::Twap(order) => IDelta::settleTWAPCall { order, signature, execution }.abi_encode(),
            Self::TwapBuy(order) => IDelta::settleTWAPBuyCall { order, signature, execution }.abi_encode(),
        };
        data.into()
    }
}
