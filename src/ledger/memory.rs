//! A client's memory between calls: each method records a fact or looks one up. It keeps one trade from happening
//! twice: an order is signed once, posted once, a transaction sent once, a permit used once. Most memories hold
//! [`KEPT`] entries, and drop the oldest first.

use super::orders::{BuiltTransaction, RememberedOrder, SignedOrder};
use super::{KEPT, Ledger, recall, remember, shrink};
use crate::domain::transaction::Sent;
use crate::host::Host;
use crate::json::Json;
use alloy_primitives::{B256, U256, keccak256};
use std::rc::Rc;

impl<H: Host> Ledger<H> {
    /// The key of the order or transaction that carries a permit, by the permit's hash; `None` if none was submitted.
    pub fn permit_carrier(&self, permit: B256) -> Option<B256> {
        self.used_permits.borrow().iter().find(|(known, _)| *known == permit).map(|(_, key)| *key)
    }

    /// Remembers that the order or transaction of that key carries the permit. No other may.
    pub fn use_permit(&self, permit: B256, key: B256) {
        let mut used = self.used_permits.borrow_mut();
        used.push((permit, key));
        shrink(&mut used);
    }

    /// Frees the permit of an order or transaction that failed, unless an earlier attempt sent or posted it.
    pub fn free_permit(&self, key: B256) {
        if !self.is_done(key) {
            self.used_permits.borrow_mut().retain(|(_, by)| *by != key);
        }
    }

    /// Remembers a transaction that was built. The oldest one makes room, but none that was sent or has an open prompt:
    /// it could then be sent a second time.
    pub fn remember_built(&self, built: BuiltTransaction) {
        let mut all = self.built.borrow_mut();
        while all.len() >= KEPT
            && let Some(oldest) = all.iter().position(|built| !self.is_under_way(keccak256(&built.name)))
        {
            all.remove(oldest);
        }
        all.push(Rc::new(built));
    }

    /// Whether the transaction of that key was sent, or the wallet was asked to send it.
    fn is_under_way(&self, key: B256) -> bool {
        self.sent(key).is_some() || self.prompts.borrow().iter().any(|open| open.key == key)
    }

    /// The transaction that was built under that name.
    pub fn built(&self, name: &str) -> Option<Rc<BuiltTransaction>> {
        self.built.borrow().iter().find(|built| built.name == name).cloned()
    }

    /// The transaction sent for the build of that key.
    pub fn sent(&self, key: B256) -> Option<Sent> {
        recall(&self.sent, key)
    }

    /// Remembers the transaction sent for a build, in place of an earlier one.
    pub fn remember_sent(&self, key: B256, sent: Sent) {
        remember(&self.sent, key, sent);
    }

    /// Forgets the transaction sent for a build: it failed or was dropped, and may be sent again.
    pub fn forget_sent(&self, key: B256) {
        self.sent.borrow_mut().retain(|(known, _)| *known != key);
    }

    /// The service's answer to the post of an order, by its hash; `None` until it was posted.
    pub fn posted(&self, hash: B256) -> Option<Json> {
        recall(&self.posted, hash)
    }

    /// Remembers the service's answer to the post of an order.
    pub fn remember_posted(&self, hash: B256, order: Json) {
        remember(&self.posted, hash, order);
    }

    /// Whether the transaction of that key was sent, or the order of that hash posted.
    pub fn is_done(&self, key: B256) -> bool {
        let sent = self.sent.borrow().iter().any(|(known, _)| *known == key);
        sent || self.posted.borrow().iter().any(|(known, _)| *known == key)
    }

    /// Remembers the service's id of a signed order.
    pub fn remember_id(&self, hash: B256, id: &str) {
        if let Some(known) = self.orders.borrow_mut().iter_mut().find(|known| known.signed.hash == hash) {
            known.signed.id = Some(id.into());
        }
    }

    /// The order that was signed here, found by its hash, else by the service's id (in any casing).
    pub fn signed(&self, hash: Option<B256>, id: Option<&str>) -> Option<SignedOrder> {
        let orders = self.orders.borrow();
        let all = || orders.iter().map(|known| &known.signed);
        let by_id = |known: &&SignedOrder| {
            known.id.as_deref().zip(id).is_some_and(|(known, id)| known.eq_ignore_ascii_case(id))
        };
        all().find(|known| Some(known.hash) == hash).or_else(|| all().find(by_id)).cloned()
    }

    /// The nonce of the next order for an intent. It stays the same until it is used on chain, so that only one of two
    /// orders can be filled. With `another`, no order for this intent has it, so that both can be.
    pub fn nonce_for(&self, intent: B256, another: bool) -> U256 {
        let (orders, mut nonces) = (self.orders.borrow(), self.nonces.borrow_mut());
        let same = || orders.iter().rev().filter(|order| order.intent == intent && (!order.is_over || order.is_spent));
        let is_free = |nonce: &U256| !same().any(|order| order.nonce == *nonce && (another || order.is_spent));
        let kept = nonces.iter().find(|(known, _)| *known == intent).map(|(_, nonce)| *nonce);
        // The nonce of a signed order has precedence over one that was only drawn.
        let signed = same().filter(|order| order.is_signed).map(|order| order.nonce);
        if let Some(nonce) = signed.chain(kept).chain(same().map(|order| order.nonce)).find(is_free) {
            return nonce;
        }
        let nonce = U256::from_be_bytes(self.host.random());
        nonces.retain(|(known, _)| *known != intent);
        nonces.push((intent, nonce));
        nonce
    }

    /// Forgets the oldest nonces that a memory has no room for; returns their intents.
    pub fn drop_surplus_nonces(&self) -> Vec<B256> {
        let mut nonces = self.nonces.borrow_mut();
        let surplus = nonces.len().saturating_sub(KEPT);
        nonces.drain(..surplus).map(|(intent, _)| intent).collect()
    }

    /// Takes over the nonce that the tabs of this origin share for the next order of an intent, unless one is known.
    pub fn suggest_nonce(&self, intent: B256, nonce: U256) {
        let mut nonces = self.nonces.borrow_mut();
        if nonces.iter().all(|(known, _)| *known != intent) {
            nonces.push((intent, nonce));
        }
    }

    /// Remembers an order that its owner is asked to sign, or signed. A signed one never becomes unsigned again.
    pub fn remember_order(&self, order: RememberedOrder) {
        let mut orders = self.orders.borrow_mut();
        match orders.iter_mut().find(|known| known.signed.hash == order.signed.hash) {
            Some(known) if order.is_signed => {
                let id = known.signed.id.take();
                *known = order;
                known.signed.id = id;
            }
            Some(_) => {}
            None => {
                // An order that may still be filled, or whose end was not reported yet, is not dropped.
                let is_settled = |known: &RememberedOrder| known.is_over && known.signed_order.is_none();
                if orders.len() >= KEPT
                    && let Some(first) = orders.iter().position(|known| !known.is_signed || is_settled(known))
                {
                    orders.remove(first);
                }
                orders.push(order);
            }
        }
    }

    /// Whether the owner is known to have authorized the order of that hash.
    pub fn is_signed(&self, hash: B256) -> bool {
        self.orders.borrow().iter().any(|order| order.signed.hash == hash && order.is_signed)
    }

    /// Notes that the wallet's answer was not the owner's signature: the order is not signed after all.
    pub fn unsign(&self, hash: B256) {
        if let Some(order) = self.orders.borrow_mut().iter_mut().find(|order| order.signed.hash == hash) {
            (order.is_signed, order.signed_order) = (false, None);
        }
    }

    /// Remembers that a call reported how an order ended: it no longer blocks another one for that reason.
    pub fn tell_end(&self, hash: B256) {
        if let Some(order) = self.orders.borrow_mut().iter_mut().find(|order| order.signed.hash == hash) {
            order.signed_order = None;
        }
    }

    /// Remembers that the chain shows an order to be over, and that its nonce is used if `is_spent`. No later order
    /// gets that nonce.
    pub fn settle(&self, hash: B256, is_spent: bool) {
        if let Some(order) = self.orders.borrow_mut().iter_mut().find(|order| order.signed.hash == hash) {
            (order.is_over, order.is_spent) = (true, is_spent);
            self.nonces.borrow_mut().retain(|(_, nonce)| *nonce != order.nonce);
        }
    }

    /// Whether an order for that intent with that nonce is known to have used it up.
    pub fn is_spent(&self, intent: B256, nonce: U256) -> bool {
        self.orders.borrow().iter().any(|order| order.is_spent && order.intent == intent && order.nonce == nonce)
    }

    /// Remembers that a built transaction cancels an order: the order's hash, and the transaction's key.
    pub fn remember_cancellation(&self, order: B256, key: B256) {
        let mut all = self.cancellations.borrow_mut();
        all.push((order, key));
        shrink(&mut all);
    }
}
