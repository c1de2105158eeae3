//! OTC orders at the service: taken in if they are signed by their maker, told as they came.

use super::service::{Answer, answer};
use super::signer::recovered;
use super::tree::{json, text};
use alloy_primitives::{B256, hex};
use std::collections::HashMap;
use verify::internal::domain::eip712;
use verify::internal::json::Json;

/// The pinned RFQ contract of chain 8453.
pub const RFQ: &str = "0xa003dFBA51C9e1e56C67ae445b852bdEd7aC5EEd";

#[derive(Default)]
pub struct OtcBook {
    orders: HashMap<String, String>,
    /// The answer to a post is wrapped as `{ order }`.
    pub wraps: bool,
    /// Signatures are taken as they are.
    pub trusts: bool,
}

/// The hash of an order's members on chain 8453, by the routine for any typed data.
pub fn otc_hash(order: &Json) -> B256 {
    let kinds = ["uint256", "uint128", "address", "address", "address", "address", "uint256", "uint256"];
    let names = ["nonceAndMeta", "expiry", "makerAsset", "takerAsset", "maker", "taker", "makerAmount", "takerAmount"];
    let fields = names.iter().zip(kinds).map(|(name, kind)| format!(r#"{{"name":"{name}","type":"{kind}"}}"#));
    let fields = fields.collect::<Vec<_>>().join(",");
    let domain = format!(r#"{{"name":"AUGUSTUS RFQ","version":"1","chainId":8453,"verifyingContract":"{RFQ}"}}"#);
    let message = order.write();
    let typed = format!(r#"{{"types":{{"Order":[{fields}]}},"domain":{domain},"message":{message}}}"#);
    eip712::digest(&json(&typed)).unwrap().digest
}

impl OtcBook {
    pub fn post(&mut self, body: &str) -> Answer {
        let order = json(body);
        let hash = otc_hash(&order);
        let signature = hex::decode(text(&order, "signature")).unwrap();
        let maker = text(&order, "maker").to_ascii_lowercase();
        if !self.trusts && recovered(&signature, hash).is_none_or(|signer| signer != maker) {
            let details = "Order signature does not recover to maker";
            return answer(400, format!(r#"{{"errorType":"InvalidSignature","details":"{details}"}}"#));
        }
        let own = body.trim_end_matches('}');
        let permit = if body.contains("permitMakerAsset") { "" } else { r#","permitMakerAsset":null"# };
        let stored =
            format!(r#"{own},"chainId":8453,"orderHash":"{hash}","state":"PENDING"{permit},"extra":"Caf\u00e9"}}"#);
        self.orders.insert(hash.to_string(), stored.clone());
        answer(200, if self.wraps { format!(r#"{{"order":{stored}}}"#) } else { stored })
    }

    pub fn read(&self, hash: &str) -> Answer {
        match self.orders.get(&hash.to_ascii_lowercase()) {
            Some(order) => answer(200, order.clone()),
            None => answer(404, r#"{"errorType":"NotFound"}"#),
        }
    }

    pub fn page(&self) -> Answer {
        let orders: Vec<&str> = self.orders.values().map(String::as_str).collect();
        let (count, orders) = (orders.len(), orders.join(","));
        answer(
            200,
            format!(r#"{{"orders":[{orders}],"limit":100,"offset":0,"total":{count},"hasMore":false,"odd":1}}"#),
        )
    }
}
