//! The records, and look-ups in them: whether something has already happened.

use super::orders::{RememberedOrder, SignedOrder};
use super::record::{Entry, Record, Stage};
use super::second::known_nonce;
use super::step::{Command, Event, Refusal, step};
use super::{KEPT, Ledger};
use crate::host::Host;
use alloy_primitives::{B256, U256};
use verify::internal::domain::delta::status::COMPLETED;
use verify::internal::domain::transaction::Sent;
use verify::internal::json::Json;
use verify::internal::value::text::ToText;

impl<H: Host> Ledger<H> {
    /// The next state of a trade after an event, from now on. Returns the commands that follow from it.
    ///
    /// # Errors
    /// [`Refusal`]: the event must not happen.
    pub fn record(&self, key: B256, event: Event) -> Result<Vec<Command>, Refusal> {
        self.record_at(key, event, self.host.unix_ms())
    }

    /// [`Ledger::record`] for an event of that time, unix milliseconds.
    ///
    /// # Errors
    /// The refusal; then nothing changes.
    pub fn record_at(&self, key: B256, event: Event, at: u64) -> Result<Vec<Command>, Refusal> {
        let mut records = self.records.borrow_mut();
        let place = records.iter().position(|record| record.entry.key == key);
        let known = place.and_then(|place| records.get(place)).cloned();
        let fresh = || Record { entry: Entry { key, ..Entry::default() }, ..Record::default() };
        let known = known.unwrap_or_else(fresh);
        let is_over = known.entry.is_over;
        let (next, commands) = step(&known, event, at)?;
        if next.entry.is_over
            && !is_over
            && let Some(order) = &next.order
        {
            // No later order gets that nonce.
            self.nonces.borrow_mut().retain(|(_, nonce)| *nonce != order.nonce);
        }
        match place.and_then(|place| records.get_mut(place)) {
            // The one that was journaled last stands last.
            Some(old) if known.is_journaled || !next.is_journaled => *old = next,
            _ => {
                records.retain(|record| record.entry.key != key);
                records.push(next);
            }
        }
        records.retain(|record| record.entry.key != key || !record.is_empty());
        self.make_room(&mut records, key);
        Ok(commands)
    }

    /// Drops the oldest [settled](Record::is_settled) records that only this memory has, if there are more than
    /// [`KEPT`]; not the one of that key, nor one whose prompt is open.
    fn make_room(&self, records: &mut Vec<Record>, key: B256) {
        let prompts = self.prompts.borrow();
        let may_go = |record: &Record| {
            let is_asked = || prompts.iter().any(|open| open.key == record.entry.key);
            !record.is_journaled && record.is_settled() && record.entry.key != key && !is_asked()
        };
        while records.iter().filter(|record| !record.is_journaled).count() > KEPT {
            let Some(oldest) = records.iter().position(may_go) else { return };
            records.remove(oldest);
        }
    }

    /// The result of `read` for the record of that key, if there is one.
    fn of<T>(&self, key: B256, read: impl FnOnce(&Record) -> Option<T>) -> Option<T> {
        self.records.borrow().iter().find(|record| record.entry.key == key).and_then(read)
    }

    /// The entry with that key, if the journal has it.
    pub fn trade(&self, key: B256) -> Option<Entry> {
        self.of(key, |record| record.is_journaled.then(|| record.entry.clone()))
    }

    /// The entry with that key, also one that the user deleted from the journal: this client keeps what it had signed.
    pub fn known(&self, key: B256) -> Option<Entry> {
        self.of(key, |record| Some(record.entry.clone()))
    }

    /// The entries of the journal that fit, the last one last.
    pub fn trades(&self, fits: impl Fn(&Entry) -> bool) -> Vec<Entry> {
        let records = self.records.borrow();
        records
            .iter()
            .filter(|record| record.is_journaled && fits(&record.entry))
            .map(|one| one.entry.clone())
            .collect()
    }

    /// The entry of a sent transaction or batch.
    pub fn entry_of(&self, sent: &Sent) -> Option<Entry> {
        let is_it = |entry: &Entry| match sent.batch.as_deref() {
            // Ids that wallets choose are not unique.
            Some(id) => {
                let is_theirs = (entry.chain_id, entry.owner) == (sent.chain_id, sent.from);
                is_theirs && !id.is_empty() && entry.batch.as_deref() == Some(id)
            }
            None => sent.hash.is_some() && entry.transaction == sent.hash,
        };
        // Wallets that choose ids may reuse one.
        self.trades(is_it).into_iter().max_by_key(|entry| (entry.stage != Stage::Ended, entry.started_at))
    }

    /// Whether a trade was made for the service of this client.
    pub fn is_own(&self, entry: &Entry) -> bool {
        entry.base_url == self.base_url
    }

    /// The key of the order or transaction that carries a permit, by the permit's hash; `None` if none was submitted.
    pub fn permit_carrier(&self, permit: B256) -> Option<B256> {
        self.records.borrow().iter().find(|record| record.permit == Some(permit)).map(|record| record.entry.key)
    }

    /// The transaction sent for the build of that key.
    pub fn sent(&self, key: B256) -> Option<Sent> {
        self.of(key, |record| record.sent.clone())
    }

    /// The transactions that were sent to cancel the order of that hash.
    pub fn cancellations(&self, order: B256) -> Vec<Entry> {
        let records = self.records.borrow();
        let is_it = |entry: &&Entry| entry.cancels == Some(order) && entry.stage != Stage::Asking;
        records.iter().map(|record| &record.entry).filter(is_it).cloned().collect()
    }

    /// The service's answer to the post of an order, by its hash; `None` until it was posted.
    pub fn posted(&self, hash: B256) -> Option<Json> {
        self.of(hash, |record| record.answer.clone())
    }

    /// Whether the transaction of that key was sent, or the order of that hash posted.
    pub fn is_done(&self, key: B256) -> bool {
        self.of(key, |record| record.is_done().then_some(())).is_some()
    }

    /// The Delta orders that their owners were asked to sign, the last one last.
    pub fn orders(&self) -> Vec<RememberedOrder> {
        let mut orders: Vec<RememberedOrder> = self.records.borrow().iter().filter_map(Record::remembered).collect();
        let is_mined = |entry: &Entry| entry.status.as_deref() == Some(COMPLETED) && entry.transaction.is_some();
        for order in &mut orders {
            order.is_cancelled = self.cancellations(order.signed.hash).iter().any(is_mined);
        }
        orders
    }

    /// The order that was signed here, found by its hash, else by the service's id (in any casing).
    pub fn signed(&self, hash: Option<B256>, id: Option<&str>) -> Option<SignedOrder> {
        let records = self.records.borrow();
        let all = || records.iter().filter(|record| record.order.is_some());
        let by_id = |record: &&Record| {
            record.entry.order_id.as_deref().zip(id).is_some_and(|(known, id)| known.eq_ignore_ascii_case(id))
        };
        let found = all().find(|record| Some(record.entry.key) == hash).or_else(|| all().find(by_id))?;
        Some(SignedOrder { id: found.entry.order_id.clone(), ..found.order.as_ref()?.signed.clone() })
    }

    /// The hash of the order of that name: its hash, or the service's id (in any casing).
    pub fn order_named(&self, name: &str) -> Option<B256> {
        let is_it = |record: &&Record| {
            record.entry.key.text().eq_ignore_ascii_case(name)
                || record.entry.order_id.as_deref().is_some_and(|id| id.eq_ignore_ascii_case(name))
        };
        self.records.borrow().iter().find(is_it).map(|record| record.entry.key)
    }

    /// Whether the app cancelled the order of that hash, or built its cancellation.
    pub fn is_cancelling(&self, hash: B256) -> bool {
        self.of(hash, |record| record.entry.is_cancelling.then_some(())).is_some()
    }

    /// Whether the owner is known to have authorized the order of that hash.
    pub fn is_signed(&self, hash: B256) -> bool {
        self.of(hash, |record| record.is_signed().then_some(())).is_some()
    }

    /// The nonce of the next order for an intent. It stays the same until it is used on chain, so that only one of two
    /// orders can be filled. With `another`, no order for this intent has it, so that both can be.
    pub fn nonce_for(&self, intent: B256, another: bool) -> U256 {
        let (orders, mut nonces) = (self.orders(), self.nonces.borrow_mut());
        let drawn = nonces.iter().find(|(known, _)| *known == intent).map(|(_, nonce)| *nonce);
        if let Some(nonce) = known_nonce(&orders, drawn, intent, another) {
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
}
