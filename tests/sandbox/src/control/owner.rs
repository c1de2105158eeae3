//! All there is of an account, despite faults.

use alloy_primitives::Address;
use serde_json::{Value, json};

use crate::app::App;
use crate::order::Filter;
use crate::service::Refusal;

/// An account's Delta orders, OTC orders and transactions, on all chains. Orders that share a nonce are of one trade:
/// one of them fills at most.
pub async fn owner(app: &App, account: &str) -> Result<Value, Refusal> {
    let owner: Address = account.parse().map_err(|_| Refusal::invalid(format!("{account} is not an address")))?;
    let filter =
        Filter { owner, chain_ids: Vec::new(), statuses: Vec::new(), market_type: None, on_chain_order_type: None };
    let mut transactions = Vec::new();
    for chain in &app.chains {
        transactions.extend(chain.sent_by(owner).await?.into_iter().map(|sent| {
            json!({"chainId": chain.id, "hash": sent.hash, "to": sent.to, "nonce": sent.nonce.to_string(),
                   "data": sent.input})
        }));
    }
    let book = app.book();
    let delta = book.select(&filter).into_iter().map(|order| {
        let status: &str = order.status.into();
        json!({"chainId": order.chain_id, "id": order.id, "orderHash": order.hash, "status": status,
               "nonce": order.terms.nonce.to_string(), "signature": order.signature})
    });
    let offers = app.otc();
    let made = app.chains.iter().flat_map(|chain| offers.of_maker(chain.id, owner));
    let otc = made.map(|posted| {
        json!({"chainId": posted.chain_id, "orderHash": posted.hash,
               "nonceAndMeta": posted.order.nonceAndMeta.to_string(), "signature": posted.signature})
    });
    Ok(json!({"delta": delta.collect::<Value>(), "otc": otc.collect::<Value>(), "transactions": transactions}))
}
