//! Every order the service accepted.

use std::collections::HashMap;
use std::time::Instant;

use alloy_primitives::{Address, B256, U256};

use super::{OrderKind, Settlement, Status, StoredOrder};

/// Which orders a list shows. Empty lists let everything pass.
#[derive(Clone, Debug)]
pub struct Filter {
    pub owner: Address,
    pub chain_ids: Vec<u64>,
    pub statuses: Vec<String>,
    pub market_type: Option<String>,
    pub on_chain_order_type: Option<String>,
}

/// What happened to an order.
#[derive(Clone, Debug)]
pub struct Change {
    /// The status it had when that was found out.
    pub from: Status,
    pub to: Status,
    /// All of them, where there are new ones.
    pub settlements: Option<Vec<Settlement>>,
    /// Unix seconds, by the chain's clock.
    pub at: u64,
}

/// All orders, oldest first; and what was built, by its hash.
#[derive(Debug, Default)]
pub struct Book {
    orders: Vec<StoredOrder>,
    built: HashMap<B256, OrderKind>,
}

impl Book {
    /// Adds an order, unless one of that hash is there: then that one is returned as the error.
    ///
    /// # Errors
    /// The order that was there before.
    pub fn add(&mut self, order: StoredOrder) -> Result<(), Box<StoredOrder>> {
        if let Some(known) = self.by_hash(order.hash) {
            return Err(Box::new(known.clone()));
        }
        self.orders.push(order);
        Ok(())
    }

    pub fn note_built(&mut self, hash: B256, kind: OrderKind) {
        self.built.insert(hash, kind);
    }

    /// What was built with that hash, if anything.
    pub fn built(&self, hash: B256) -> Option<OrderKind> {
        self.built.get(&hash).copied()
    }

    pub fn by_id(&self, id: &str) -> Option<&StoredOrder> {
        self.orders.iter().find(|order| order.id == id)
    }

    pub fn by_hash(&self, hash: B256) -> Option<&StoredOrder> {
        self.orders.iter().find(|order| order.hash == hash)
    }

    /// The newest first.
    pub fn select(&self, filter: &Filter) -> Vec<&StoredOrder> {
        let matches = |order: &&StoredOrder| {
            order.terms.owner == filter.owner
                && (filter.chain_ids.is_empty() || filter.chain_ids.contains(&order.chain_id))
                && (filter.statuses.is_empty() || filter.statuses.iter().any(|status| status == order.status.text()))
                && filter.market_type.as_ref().is_none_or(|wanted| wanted == order.market_type)
                && filter.on_chain_order_type.as_ref().is_none_or(|wanted| wanted == order.kind().text())
        };
        self.orders.iter().rev().filter(matches).collect()
    }

    /// Orders of a chain that something can still happen to.
    pub fn open(&self, chain_id: u64) -> Vec<StoredOrder> {
        let open = |order: &&StoredOrder| order.chain_id == chain_id && !order.status.is_final();
        self.orders.iter().filter(open).cloned().collect()
    }

    /// By source token: what the open orders of `owner` that rest may still take.
    pub fn committed(&self, chain_id: u64, owner: Address) -> Vec<(Address, U256)> {
        let mut sums: Vec<(Address, U256)> = Vec::new();
        let rests = |order: &&StoredOrder| {
            order.chain_id == chain_id && order.terms.owner == owner && order.rests() && !order.status.is_final()
        };
        for order in self.orders.iter().filter(rests) {
            let (token, left) = (order.terms.src_token, order.terms.left_of_source(order.filled()));
            match sums.iter_mut().find(|(known, _)| *known == token) {
                Some((_, sum)) => *sum = sum.saturating_add(left),
                None => sums.push((token, left)),
            }
        }
        sums
    }

    /// Moves an order on. What was found out about a status it has no more is left alone; what the chain did is not.
    pub fn advance(&mut self, hash: B256, change: Change) {
        let Some(order) = self.orders.iter_mut().find(|order| order.hash == hash) else { return };
        if change.settlements.is_none() && order.status != change.from {
            return;
        }
        let was_cancelled = order.status == Status::Cancelling || order.status.is_final();
        if order.status == change.from || !was_cancelled || change.to.is_final() {
            order.status = change.to;
        }
        if let Some(settlements) = change.settlements {
            order.settlements = settlements;
            order.in_flight = None;
        }
        order.updated_at = change.at;
        order.since = Instant::now();
    }

    /// Marks that a fill of an active order begins; whether it may.
    pub fn take_off(&mut self, hash: B256) -> bool {
        let order = self.orders.iter_mut().find(|order| order.hash == hash);
        let Some(order) = order.filter(|order| order.status == Status::Active && order.in_flight.is_none()) else {
            return false;
        };
        order.in_flight = Some(Instant::now());
        true
    }

    /// A fill did not land: the order goes on, or is cancelled where its owner wanted that meanwhile.
    pub fn abort(&mut self, hash: B256, at: u64) {
        let Some(order) = self.orders.iter_mut().find(|order| order.hash == hash) else { return };
        order.in_flight = None;
        if order.status == Status::Cancelling {
            order.status = Status::Cancelled;
            order.updated_at = at;
        }
    }

    /// Cancels, as its owner signed; whether it could be cancelled. A fill under way may still land.
    pub fn cancel(&mut self, id: &str, at: u64) -> bool {
        let order = self.orders.iter_mut().find(|order| order.id == id);
        let Some(order) = order.filter(|order| order.status.is_cancellable()) else { return false };
        order.status = if order.in_flight.is_some() { Status::Cancelling } else { Status::Cancelled };
        order.updated_at = at;
        order.since = Instant::now();
        true
    }
}
