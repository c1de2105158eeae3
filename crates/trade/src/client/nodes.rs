//! Cached reads of chains and wallets, and requests in flight.

use crate::host::Host;
use crate::ledger::request_cache::RequestCache;
use alloy_primitives::Address;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use verify::internal::domain::chain::Contracts;
use verify::internal::domain::reference::chain_prices::ChainPrices;
use verify::internal::domain::reference::lens::LensCall;
use verify::internal::domain::reference::past::{Past, PastState};
use verify::internal::domain::reference::pools::{Block, HELD_BLOCKS};
use verify::internal::domain::transaction::Transaction;

/// Cached reads of chains and wallets, and requests in flight.
pub struct Nodes<H: Host> {
    /// Answers of the application's own reference, by the request as JSON text.
    pub app_answers: RequestCache<String, H::Prompt, 16>,
    /// The recent queries to references, by chain id and the two tokens.
    pub reference_queries: RequestCache<(u64, [Address; 2]), Rc<ReferenceQuery>, 16>,
    /// The requests for the capabilities of a wallet, for an account on a chain; `None` once the wallet refused calls
    /// that it had claimed to take.
    pub capabilities: RequestCache<(H::Provider, Address, u64), Option<H::Prompt>>,
    /// Contracts that the service named, by chain id, and when: milliseconds of [`Host::monotonic_ms`].
    pub service_contracts: RefCell<Vec<(u64, Contracts, u64)>>,
    /// Entries of `rpc` whose chain's id was checked: (chain id, place among that chain's nodes), the one in use first.
    pub checked_rpc: RefCell<Vec<(u64, usize)>>,
    /// The account that a wallet offered last. It may be another one by now.
    pub last_account: Cell<Option<Address>>,
    /// How many reads were sent to nodes.
    pub questions_put: Cell<u64>,
    /// The highest block that a receipt has shown, by chain id: no state before it refuses anything.
    pub shown_blocks: RefCell<Vec<(u64, u64)>>,
    /// The transactions that were built while they lacked an approval, by chain id, owner, token and spender.
    pub unapproved: RequestCache<(u64, [Address; 3]), Rc<Transaction>, 8>,
    /// The reads whose answers still count.
    pub questions: RequestCache<ReadKey, SentRead<H::Prompt>>,
}

/// A read of a node.
#[derive(PartialEq, Eq)]
pub struct ReadKey {
    /// The chain's id.
    pub chain_id: u64,
    /// Whether the wallet is asked, not the application's node.
    pub by_wallet: bool,
    /// The node's place among the chain's nodes.
    pub place: usize,
    /// The JSON-RPC method.
    pub method: &'static str,
    /// Its parameters, a JSON array.
    pub params: String,
}

/// A read that was sent to a node. Its answer may be awaited at any time.
#[derive(Clone)]
pub struct SentRead<P> {
    /// How many reads were sent before it.
    pub number: u64,
    /// Whether its answer can change.
    pub is_passing: bool,
    /// The handle for its answer.
    pub prompt: P,
}

/// The query to the references of a chain for two tokens.
pub struct ReferenceQuery {
    /// The call that reads them.
    pub question: LensCall,
    /// The pools that counted the last time, and the older blocks at which they were read.
    pub past: RefCell<Option<Past>>,
}

impl ReferenceQuery {
    /// Adds the older blocks of its pools to a reading, and remembers them. `read_ms` is when the reading was made, in
    /// milliseconds by the monotonic clock.
    pub fn hold(&self, reading: &mut ChainPrices, mut past: Past, blocks: [Block; HELD_BLOCKS], read_ms: u64) {
        reading.hold(&past.places, &blocks);
        if let Some(latest) = reading.pools_read {
            past.learn(blocks, latest, read_ms);
        }
        *self.past.borrow_mut() = Some(past);
    }

    /// Remembers for a minute that the node has no such blocks.
    pub fn refuse(&self, mut past: Past) {
        past.known = PastState::Refused;
        *self.past.borrow_mut() = Some(past);
    }
}

impl<H: Host> Default for Nodes<H> {
    fn default() -> Nodes<H> {
        Nodes {
            app_answers: RequestCache::default(),
            reference_queries: RequestCache::default(),
            capabilities: RequestCache::default(),
            service_contracts: RefCell::default(),
            checked_rpc: RefCell::default(),
            last_account: Cell::default(),
            questions_put: Cell::default(),
            shown_blocks: RefCell::default(),
            unapproved: RequestCache::default(),
            questions: RequestCache::default(),
        }
    }
}

impl<H: Host> Nodes<H> {
    /// Forgets what was read of that chain and can change: it is read anew.
    pub fn forget_state(&self, chain_id: u64) {
        self.forget_before(Some(chain_id), u64::MAX);
    }

    /// Forgets what was read before that read, by its number, and can change: of that chain, else of any. Returns
    /// whether there was anything.
    pub fn forget_before(&self, chain_id: Option<u64>, number: u64) -> bool {
        let is_there = |read: &ReadKey| chain_id.is_none_or(|chain_id| read.chain_id == chain_id);
        self.questions.forget(|key, read| is_there(key) && read.number < number && read.is_passing)
    }

    /// Remembers the block in which a receipt has shown a transaction.
    pub fn show_block(&self, chain_id: u64, block: u64) {
        let mut all = self.shown_blocks.borrow_mut();
        match all.iter_mut().find(|(chain, _)| *chain == chain_id) {
            Some((_, shown)) => *shown = block.max(*shown),
            None => all.push((chain_id, block)),
        }
    }

    /// The highest block that a receipt has shown on that chain, if it is later than `block`.
    pub fn shown_after(&self, chain_id: u64, block: Option<u64>) -> Option<u64> {
        let all = self.shown_blocks.borrow();
        all.iter()
            .find(|(chain, shown)| *chain == chain_id && block.is_some_and(|block| block < *shown))
            .map(|known| known.1)
    }
}
