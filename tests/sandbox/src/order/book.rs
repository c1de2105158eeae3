//! Every order the service accepted.

use std::collections::HashMap;
use std::time::Instant;

use alloy_primitives::{Address, B256, Bytes, U256};

use super::{Arrival, OrderKind, Refund, Settlement, Status, StoredOrder};

/// Which orders a list shows. Empty lists let everything pass.
#[derive(Clone, Debug)]
pub struct Filter {
    pub owner: Address,
    pub chain_ids: Vec<u64>,
    /// As they are written; not each has orders.
    pub statuses: Vec<String>,
    pub market_type: Option<String>,
    pub on_chain_order_type: Option<String>,
}

/// A change of an order.
#[derive(Clone, Debug)]
pub struct Change {
    /// The status it had when this was found.
    pub from: Status,
    pub to: Status,
    /// All transactions, if there are new ones.
    pub settlements: Option<Vec<Settlement>>,
    /// Unix seconds, by the chain's clock.
    pub at: u64,
}

/// All orders, oldest first; and what was built, by its hash.
#[derive(Debug, Default)]
pub struct Book {
    orders: Vec<StoredOrder>,
    built: HashMap<B256, OrderKind>,
    /// For crosschain orders that were built: their quotes' expected arrival.
    expected: HashMap<B256, U256>,
    /// For external orders that were built: the receiver, whom the order itself does not name.
    beneficiaries: HashMap<B256, Address>,
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

    pub fn note_beneficiary(&mut self, hash: B256, who: Address) {
        self.beneficiaries.insert(hash, who);
    }

    /// The named receiver of an external order's proceeds.
    pub fn beneficiary(&self, hash: B256) -> Option<Address> {
        self.beneficiaries.get(&hash).copied()
    }

    pub fn note_expected(&mut self, hash: B256, arrival: U256) {
        self.expected.insert(hash, arrival);
    }

    pub fn expected(&self, hash: B256) -> Option<U256> {
        self.expected.get(&hash).copied()
    }

    /// Crosschain orders with a transfer that neither arrived nor was refunded.
    pub fn on_their_way(&self) -> Vec<StoredOrder> {
        let is_under_way = |order: &&StoredOrder| {
            order.is_crosschain() && order.settlements.len() > order.arrivals.len() + order.refunds.len()
        };
        self.orders.iter().filter(is_under_way).cloned().collect()
    }

    pub fn begin_refund(&mut self, hash: B256, at: u64) {
        self.change(hash, at, |order| order.status = Status::Refunding);
    }

    pub fn arrive(&mut self, hash: B256, arrival: Arrival, at: u64) {
        self.change(hash, at, |order| order.arrivals.push(arrival));
    }

    pub fn give_back(&mut self, hash: B256, refund: Refund, at: u64) {
        self.change(hash, at, |order| order.refunds.push(refund));
    }

    /// Changes an order that is bridging. When no transfer is pending any more, it has arrived or was refunded.
    fn change(&mut self, hash: B256, at: u64, change: impl FnOnce(&mut StoredOrder)) {
        let Some(order) = self.orders.iter_mut().find(|order| order.hash == hash) else { return };
        change(order);
        order.conclude();
        order.updated_at = at;
        order.since = Instant::now();
    }

    /// The kind built with that hash, if anything.
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

    /// Orders of a chain that are not final.
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

    /// Updates an order. Findings about a status it no longer has are ignored, except what happened on chain.
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
            order.conclude();
        }
        order.updated_at = change.at;
        order.since = Instant::now();
    }

    /// Takes the signature of an order that was posted without one; whether there is such an order.
    pub fn sign(&mut self, hash: B256, signature: &Bytes, at: u64) -> bool {
        let order = self.orders.iter_mut().find(|order| order.hash == hash);
        let Some(order) = order.filter(|order| order.status == Status::AwaitingSignature) else { return false };
        order.signature = signature.clone();
        order.status = Status::Pending;
        order.updated_at = at;
        order.since = Instant::now();
        true
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
