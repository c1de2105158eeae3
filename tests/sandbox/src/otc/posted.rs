//! An accepted OTC order.

use alloy_primitives::{B256, Bytes, U256};
use serde_json::{Value, json};

use super::state::{Kind, State, taker_from_meta, unfilled};
use super::{Cover, RfqOrder, Trail};

/// A maker's order, as stored. Its state is read from the chain; here is only when it last changed.
#[derive(Clone, Debug)]
pub struct PostedOrder {
    pub chain_id: u64,
    pub order: RfqOrder,
    pub hash: B256,
    pub signature: Bytes,
    pub permit_maker_asset: Option<Bytes>,
    /// Unix seconds, by the chain's clock.
    pub created_at: u64,
    pub updated_at: u64,
    /// Its state at the last look; a change moves `updated_at`.
    seen: Option<(State, Trail)>,
}

/// An order's state now by the chain and the maker's funds.
#[derive(Clone, Copy, Debug)]
pub struct Condition {
    pub state: State,
    pub trail: Trail,
    pub cover: Cover,
    /// The lesser of the maker's balance and allowance.
    pub funds: U256,
}

impl PostedOrder {
    pub fn new(
        chain_id: u64,
        order: RfqOrder,
        hash: B256,
        signature: Bytes,
        permit_maker_asset: Option<Bytes>,
        now: u64,
    ) -> Self {
        Self { chain_id, order, hash, signature, permit_maker_asset, created_at: now, updated_at: now, seen: None }
    }

    /// Notes what it is now.
    pub fn see(&mut self, state: State, trail: Trail, now: u64) {
        if self.seen.is_some_and(|seen| seen != (state, trail)) {
            self.updated_at = now;
        }
        self.seen = Some((state, trail));
    }

    /// The order as the service answers it.
    pub fn json(&self, condition: &Condition) -> Value {
        let order = &self.order;
        let left = unfilled(order, &condition.trail);
        let fillable = if condition.state == State::Cancelled { U256::ZERO } else { left };
        let lower = |address: alloy_primitives::Address| format!("{address:#x}");
        json!({
            "chainId": self.chain_id,
            "nonceAndMeta": order.nonceAndMeta.to_string(),
            "expiry": u64::try_from(order.expiry).unwrap_or(u64::MAX),
            "maker": lower(order.maker),
            "taker": lower(order.taker),
            "takerFromMeta": lower(taker_from_meta(order)),
            "makerAsset": lower(order.makerAsset),
            "takerAsset": lower(order.takerAsset),
            "makerAmount": order.makerAmount.to_string(),
            "takerAmount": order.takerAmount.to_string(),
            "signature": self.signature,
            "permitMakerAsset": self.permit_maker_asset,
            "orderHash": self.hash,
            "state": condition.state.text(),
            "type": Kind::of(order).text(),
            "makerBalance": condition.funds.min(fillable).to_string(),
            "fillableBalance": fillable.to_string(),
            "reservedBalance": condition.cover.reserved.to_string(),
            "swappableBalance": condition.cover.swappable.to_string(),
            "transactionHash": condition.trail.transaction,
            "createdAt": self.created_at,
            "updatedAt": self.updated_at,
        })
    }
}
