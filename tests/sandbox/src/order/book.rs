//! Every order the service accepted.

use std::time::Instant;

use alloy_primitives::{B256, Bytes, U256};
use serde_json::{Value, json};

use super::Status;
use crate::chain::Order;
use crate::iso_time;
use crate::json::Json;

/// An accepted order.
#[derive(Clone, Debug)]
pub struct StoredOrder {
    pub id: String,
    pub chain_id: u64,
    pub order: Order,
    /// The order as it was posted.
    pub value: Json,
    pub signature: Bytes,
    pub hash: B256,
    pub partner: String,
    /// `MARKET` or `LIMIT`.
    pub market_type: &'static str,
    pub status: Status,
    pub settlement: Option<Settlement>,
    /// Unix seconds, by the chain's clock.
    pub created_at: u64,
    pub updated_at: u64,
    /// Since when it has its status, for delays in real time.
    pub since: Instant,
}

/// What the chain did for an order, in raw units.
#[derive(Clone, Debug)]
pub struct Settlement {
    pub transaction: B256,
    pub spent: U256,
    pub received: U256,
}

impl StoredOrder {
    pub fn is_sell(&self) -> bool {
        self.order.kind == 0
    }

    /// The order as reads and the post answer it.
    pub fn json(&self) -> Json {
        let order = &self.order;
        let side = |token: alloy_primitives::Address| json!({"chainId": self.chain_id, "token": format!("{token:#x}")});
        let text = |amount: U256| Value::from(amount.to_string());
        let spent = self.settlement.as_ref().map(|settlement| settlement.spent.to_string());
        let received = self.settlement.as_ref().map(|settlement| settlement.received.to_string());
        let (mut input, mut output) = (side(order.srcToken), side(order.destToken));
        if self.is_sell() {
            input["amount"] = text(order.srcAmount);
            output["expectedAmount"] = text(order.expectedAmount);
            output["minAmount"] = text(order.destAmount);
            output["executedAmount"] = json!(received);
        } else {
            input["expectedAmount"] = text(order.expectedAmount);
            input["maxAmount"] = text(order.srcAmount);
            input["executedAmount"] = json!(spent);
            output["amount"] = text(order.destAmount);
        }
        let transactions: Vec<Value> = self.settlement.iter().map(transaction_json).collect();
        let json = json!({
            "id": self.id,
            "status": self.status.text(),
            "side": if self.is_sell() { "SELL" } else { "BUY" },
            "type": self.market_type,
            "onChainOrderType": "Order",
            "input": input,
            "output": output,
            "owner": order.owner,
            "beneficiary": order.beneficiary,
            "orderHash": self.hash,
            "partner": self.partner,
            "order": null,
            "transactions": transactions,
            "refunds": [],
            "createdAt": iso_time(self.created_at),
            "updatedAt": iso_time(self.updated_at),
            "expiresAt": iso_time(u64::try_from(order.deadline).unwrap_or(u64::MAX)),
        });
        let mut json = Json::from(json);
        if let Json::Object(members) = &mut json {
            members.iter_mut().filter(|(name, _)| name == "order").for_each(|(_, value)| *value = self.value.clone());
        }
        json
    }
}

/// On one chain the whole fill is one transaction, and nothing arrives elsewhere.
fn transaction_json(settlement: &Settlement) -> Value {
    json!({
        "originTx": settlement.transaction,
        "destinationTx": null,
        "filledPercent": 100,
        "spentAmount": settlement.spent.to_string(),
        "receivedAmount": settlement.received.to_string(),
    })
}

/// Which orders a list shows. Empty lists let everything pass.
#[derive(Clone, Debug)]
pub struct Filter {
    pub owner: alloy_primitives::Address,
    pub chain_ids: Vec<u64>,
    pub statuses: Vec<String>,
    pub market_type: Option<String>,
    pub on_chain_order_type: Option<String>,
}

/// All orders, oldest first.
#[derive(Debug, Default)]
pub struct Book {
    orders: Vec<StoredOrder>,
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

    pub fn by_id(&self, id: &str) -> Option<&StoredOrder> {
        self.orders.iter().find(|order| order.id == id)
    }

    pub fn by_hash(&self, hash: B256) -> Option<&StoredOrder> {
        self.orders.iter().find(|order| order.hash == hash)
    }

    /// The newest first.
    pub fn select(&self, filter: &Filter) -> Vec<&StoredOrder> {
        let matches = |order: &&StoredOrder| {
            order.order.owner == filter.owner
                && (filter.chain_ids.is_empty() || filter.chain_ids.contains(&order.chain_id))
                && (filter.statuses.is_empty() || filter.statuses.iter().any(|status| status == order.status.text()))
                && filter.market_type.as_ref().is_none_or(|wanted| wanted == order.market_type)
                && filter.on_chain_order_type.as_ref().is_none_or(|wanted| wanted == "Order")
        };
        self.orders.iter().rev().filter(matches).collect()
    }

    /// Orders of a chain that something can still happen to.
    pub fn open(&self, chain_id: u64) -> Vec<StoredOrder> {
        let open = |order: &&StoredOrder| order.chain_id == chain_id && !order.status.is_final();
        self.orders.iter().filter(open).cloned().collect()
    }

    /// Moves an order on.
    pub fn advance(&mut self, hash: B256, status: Status, settlement: Option<Settlement>, now: u64) {
        if let Some(order) = self.orders.iter_mut().find(|order| order.hash == hash) {
            order.status = status;
            order.settlement = settlement.or(order.settlement.take());
            order.updated_at = now;
            order.since = Instant::now();
        }
    }
}
