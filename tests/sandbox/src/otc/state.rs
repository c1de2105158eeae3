//! The state and the type of an OTC order.

use alloy_primitives::{Address, U256};
use strum::IntoStaticStr;

use super::{RfqOrder, Trail};

/// The states of the service. `DRAFT` is not among them: nothing here is kept before it is signed.
#[derive(Clone, Copy, Debug, Eq, IntoStaticStr, PartialEq)]
#[strum(serialize_all = "UPPERCASE")]
pub enum State {
    /// Can be filled.
    Pending,
    /// The maker's balance or allowance does not cover what is left of it.
    Suspended,
    Fulfilled,
    Cancelled,
    Expired,
}

impl State {
    pub fn text(self) -> &'static str {
        self.into()
    }

    /// From the chain's events; `covered` is the part of the maker's funds that is left for this order.
    pub fn of(order: &RfqOrder, trail: &Trail, now: u64, covered: U256) -> Self {
        let left = unfilled(order, trail);
        if trail.is_cancelled {
            Self::Cancelled
        } else if left.is_zero() {
            Self::Fulfilled
        } else if is_expired(order, now) {
            Self::Expired
        } else if covered < left {
            Self::Suspended
        } else {
            Self::Pending
        }
    }
}

/// The unfilled part of the maker's amount.
pub fn unfilled(order: &RfqOrder, trail: &Trail) -> U256 {
    order.makerAmount.saturating_sub(trail.filled)
}

/// Whether it may still be filled, regardless of the maker's funds.
pub fn is_live(order: &RfqOrder, trail: &Trail, now: u64) -> bool {
    !trail.is_cancelled && !is_expired(order, now) && !unfilled(order, trail).is_zero()
}

fn is_expired(order: &RfqOrder, now: u64) -> bool {
    order.expiry != 0 && u128::from(now) > order.expiry
}

/// The filter of lists: an order that names its taker, or one for anyone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    P2p,
    Limit,
}

impl Kind {
    pub fn of(order: &RfqOrder) -> Self {
        if order.taker.is_zero() && taker_from_meta(order).is_zero() { Self::Limit } else { Self::P2p }
    }

    pub fn text(self) -> &'static str {
        match self {
            Self::P2p => "P2P",
            Self::Limit => "LIMIT",
        }
    }
}

/// The low 160 bits of `nonceAndMeta`: the taker the maker had in mind; zero is none.
pub fn taker_from_meta(order: &RfqOrder) -> Address {
    Address::from_slice(&order.nonceAndMeta.to_be_bytes::<32>()[12..])
}
