//! An accepted order, and how reads answer it.

use std::time::Instant;

use alloy_primitives::{Address, B256, Bytes, U256};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::{OrderKind, SignedOrder, Status, Terms};
use crate::bridge::scaled;
use crate::json::Json;

/// An accepted order.
#[derive(Clone, Debug)]
pub struct StoredOrder {
    pub id: String,
    pub chain_id: u64,
    pub order: SignedOrder,
    pub terms: Terms,
    /// The order as it was posted.
    pub value: Json,
    /// Empty where the owner signs on chain.
    pub signature: Bytes,
    pub hash: B256,
    pub partner: String,
    /// `MARKET` or `LIMIT`.
    pub market_type: &'static str,
    /// Whether an agent that trades may take it.
    pub is_offered: bool,
    pub status: Status,
    /// In the order they happened.
    pub settlements: Vec<Settlement>,
    /// Those that arrived on the other chain, or came back; an order that stays has neither.
    pub arrivals: Vec<Arrival>,
    pub refunds: Vec<Refund>,
    /// Crosschain: what the quote expected to arrive, where it is known.
    pub arrival_expected: Option<U256>,
    /// Where the order itself names no receiver.
    pub beneficiary: Option<Address>,
    /// Since when a fill is under way.
    pub in_flight: Option<Instant>,
    /// Unix seconds, by the chain's clock.
    pub created_at: u64,
    pub updated_at: u64,
    /// Since when it has its status, for delays in real time.
    pub since: Instant,
}

/// The chain's work for an order in one transaction, in raw units.
#[derive(Clone, Debug)]
pub struct Settlement {
    pub transaction: B256,
    pub spent: U256,
    pub received: U256,
}

/// A bridge's payment.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    /// The settlement that sent it.
    pub origin: B256,
    /// On the other chain.
    pub transaction: B256,
    /// In the output token.
    pub received: U256,
}

/// A bridge's refund.
#[derive(Clone, Copy, Debug)]
pub struct Refund {
    /// The settlement that sent it.
    pub origin: B256,
    pub transaction: B256,
    pub token: Address,
    pub amount: U256,
}

impl StoredOrder {
    pub fn is_crosschain(&self) -> bool {
        !self.terms.bridge.destinationChainId.is_zero()
    }

    /// Whether what a settlement sent arrived or came back.
    pub fn is_delivered(&self, settlement: B256) -> bool {
        self.arrivals.iter().any(|arrival| arrival.origin == settlement)
            || self.refunds.iter().any(|refund| refund.origin == settlement)
    }

    pub fn kind(&self) -> OrderKind {
        self.order.kind()
    }

    /// Ends an order that waits for its bridge when nothing is under way any more.
    pub(super) fn conclude(&mut self) {
        let is_waiting = matches!(self.status, Status::Bridging | Status::Refunding);
        if is_waiting && self.arrivals.len() + self.refunds.len() >= self.settlements.len() {
            self.status = if self.refunds.is_empty() { Status::Completed } else { Status::Refunded };
        }
    }

    /// Waits for balance, allowance and price to come back, in place of failing.
    pub fn rests(&self) -> bool {
        self.market_type == "LIMIT" || self.kind().is_twap()
    }

    /// On the side whose amount is fixed.
    pub fn filled(&self) -> U256 {
        let part = |settlement: &Settlement| if self.terms.is_sell { settlement.spent } else { settlement.received };
        self.settlements.iter().map(part).fold(U256::ZERO, U256::saturating_add)
    }

    /// The order as reads and the post answer it; `bounds`: with the signed limits beside the amounts.
    pub fn json(&self, bounds: bool) -> Json {
        let json = json!({
            "id": self.id,
            "status": self.status.text(),
            "side": if self.terms.is_sell { "SELL" } else { "BUY" },
            "type": self.market_type,
            "onChainOrderType": self.kind().text(),
            "input": self.input(bounds),
            "output": self.output(bounds),
            "owner": self.terms.owner,
            "beneficiary": self.beneficiary.unwrap_or(self.terms.beneficiary),
            "orderHash": self.hash,
            "partner": self.partner,
            "transactions": self.transactions(),
            "refunds": self.refunds.iter().map(|refund| self.refund_json(refund)).collect::<Vec<_>>(),
            "createdAt": iso_time(self.created_at),
            "updatedAt": iso_time(self.updated_at),
            "expiresAt": iso_time(u64::try_from(self.terms.deadline).unwrap_or(u64::MAX)),
        });
        Json::from(json).with("order", self.value.clone())
    }

    fn input(&self, bounds: bool) -> Value {
        let mut input = self.side(self.terms.src_token);
        if self.terms.is_sell {
            input["amount"] = text(self.terms.src_amount);
            return input;
        }
        input["expectedAmount"] = text(self.terms.expected);
        input["executedAmount"] = self.executed(|settlement| settlement.spent);
        if bounds {
            input["maxAmount"] = text(self.terms.src_amount);
        }
        input
    }

    fn refund_json(&self, refund: &Refund) -> Value {
        json!({
            "tx": refund.transaction,
            "chainId": self.chain_id,
            "token": format!("{:#x}", refund.token),
            "amount": refund.amount.to_string(),
        })
    }

    /// The amount that arrives on the other chain. The order guarantees nothing of it but the tokens' scale.
    fn output_elsewhere(&self, bounds: bool) -> Value {
        let bridge = &self.terms.bridge;
        let on_origin = if self.terms.is_sell { self.terms.expected } else { self.terms.dest_amount };
        let expected = self.arrival_expected.unwrap_or_else(|| scaled(on_origin, bridge.scalingFactor));
        let mut output = json!({
            "chainId": u64::try_from(bridge.destinationChainId).unwrap_or(u64::MAX),
            "token": format!("{:#x}", bridge.outputToken),
        });
        if !self.terms.is_sell {
            output["amount"] = text(expected);
            return output;
        }
        output["expectedAmount"] = text(expected);
        output["executedAmount"] = match self.status {
            Status::Completed => text(self.arrivals.iter().map(|arrival| arrival.received).sum()),
            _ => Value::Null,
        };
        if bounds {
            output["minAmount"] = Value::Null;
        }
        output
    }

    fn output(&self, bounds: bool) -> Value {
        if self.is_crosschain() {
            return self.output_elsewhere(bounds);
        }
        let mut output = self.side(self.terms.dest_token);
        if !self.terms.is_sell {
            output["amount"] = text(self.terms.dest_amount);
            return output;
        }
        output["expectedAmount"] = text(self.terms.expected);
        output["executedAmount"] = self.executed(|settlement| settlement.received);
        if bounds {
            // Slices have a least amount each, their sum has none of its own.
            output["minAmount"] = if self.kind().is_twap() { Value::Null } else { text(self.terms.dest_amount) };
        }
        output
    }

    fn side(&self, token: Address) -> Value {
        json!({"chainId": self.chain_id, "token": format!("{token:#x}")})
    }

    /// Stated when all of it is done.
    fn executed(&self, amount: impl Fn(&Settlement) -> U256) -> Value {
        if self.status != Status::Completed {
            return Value::Null;
        }
        text(self.settlements.iter().map(amount).fold(U256::ZERO, U256::saturating_add))
    }

    /// A settlement is one transaction; what arrives elsewhere arrives by another. The percentages have two digits
    /// after the point and add up to what is filled.
    fn transactions(&self) -> Vec<Value> {
        let (mut filled, mut told) = (U256::ZERO, 0);
        let whole = self.terms.fixed().max(U256::from(1));
        let entry = |settlement: &Settlement| {
            filled += if self.terms.is_sell { settlement.spent } else { settlement.received };
            let hundredths: u32 = super::signed::in_proportion(U256::from(10_000), filled, whole).saturating_to();
            let percent = hundredths - told;
            told = hundredths;
            let arrival = self.arrivals.iter().find(|arrival| arrival.origin == settlement.transaction);
            let received =
                if self.is_crosschain() { arrival.map(|arrival| arrival.received) } else { Some(settlement.received) };
            json!({
                "originTx": settlement.transaction,
                "destinationTx": arrival.map(|arrival| arrival.transaction),
                "filledPercent": number(percent),
                "spentAmount": settlement.spent.to_string(),
                "receivedAmount": received.map(|received| received.to_string()),
            })
        };
        self.settlements.iter().map(entry).collect()
    }
}

/// Unix seconds as `2026-11-20T18:34:58.000Z`.
fn iso_time(unix_secs: u64) -> String {
    let time = i64::try_from(unix_secs).ok().and_then(|secs| Timestamp::from_second(secs).ok());
    format!("{:.3}", time.unwrap_or(Timestamp::MAX))
}

fn text(amount: U256) -> Value {
    amount.to_string().into()
}

/// Hundredths as a JSON number: `50`, `33.33`.
fn number(hundredths: u32) -> Value {
    if hundredths.is_multiple_of(100) { (hundredths / 100).into() } else { (f64::from(hundredths) / 100.0).into() }
}
