//! Every OTC order that was posted, and the last word of the chains' events.

use std::collections::HashMap;

use alloy_primitives::{Address, B256};

use super::state::{State, taker_from_meta};
use super::{PostedOrder, Trail, Trails};

/// All orders, oldest first.
#[derive(Debug, Default)]
pub struct OtcBook {
    orders: Vec<PostedOrder>,
    trails: HashMap<u64, Trails>,
}

impl OtcBook {
    /// Adds an order; false when one of that hash was posted before, and stays.
    pub fn add(&mut self, posted: PostedOrder) -> bool {
        let is_new = self.by_hash(posted.hash).is_none();
        if is_new {
            self.orders.push(posted);
        }
        is_new
    }

    pub fn by_hash(&self, hash: B256) -> Option<&PostedOrder> {
        self.orders.iter().find(|posted| posted.hash == hash)
    }

    pub fn of_maker(&self, chain_id: u64, maker: Address) -> Vec<&PostedOrder> {
        self.orders.iter().filter(|posted| posted.chain_id == chain_id && posted.order.maker == maker).collect()
    }

    /// Orders that name the taker, in the signed member or in `nonceAndMeta`.
    pub fn for_taker(&self, chain_id: u64, taker: Address) -> Vec<&PostedOrder> {
        let names = |posted: &&PostedOrder| {
            posted.chain_id == chain_id && (posted.order.taker == taker || taker_from_meta(&posted.order) == taker)
        };
        self.orders.iter().filter(names).collect()
    }

    pub fn trails(&self, chain_id: u64) -> Option<&Trails> {
        self.trails.get(&chain_id)
    }

    pub fn set_trails(&mut self, chain_id: u64, trails: Trails) {
        self.trails.insert(chain_id, trails);
    }

    /// Notes what an order was found to be, and returns it as it is now.
    pub fn see(&mut self, hash: B256, state: State, trail: Trail, now: u64) -> Option<PostedOrder> {
        let posted = self.orders.iter_mut().find(|posted| posted.hash == hash)?;
        posted.see(state, trail, now);
        Some(posted.clone())
    }
}
