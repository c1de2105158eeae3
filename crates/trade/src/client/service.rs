//! Requests to the service in flight, and cached answers.

use crate::ledger::request_cache::RequestCache;
use alloy_primitives::{Address, B256, U256};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::task::Waker;
use verify::internal::domain::intent::Intent;
use verify::internal::error::Result;

/// Requests to the service in flight, and cached answers.
#[derive(Default)]
pub struct ServiceMemory {
    /// Reads of the service that are under way, by path and options.
    pub in_flight: RequestCache<String, Rc<InFlight>>,
    /// Answers of the service that are shown for a while, by path.
    pub lists: RequestCache<String, String, 8>,
    /// Decimals that requests stated for their source token, by chain id and token. `approve` compares them with the
    /// token's own.
    pub stated_decimals: RequestCache<(u64, Address), u8>,
    /// How many quotes were sealed: each has its number inside, so that no two have the same text.
    pub quotes: Cell<u64>,
    /// Why quotes may not be built any more, by a hash of the sealed text. The oldest that is dropped has expired,
    /// because the service takes no 256 requests in that time.
    pub withdrawn: RequestCache<B256, String>,
    /// The service's last builds, by a hash of the request: two equal builds are one order. Enough for a user's double
    /// clicks.
    pub answers: RequestCache<B256, Rc<BuiltOrder>, 8>,
    /// Ids of the chains on which the service wanted the native token deposited: an order there is no longer tried on a
    /// signature alone.
    pub deposits: RefCell<Vec<u64>>,
    /// The service refused a list of orders for the status `EXECUTING` in its filter.
    pub refuses_executing: Cell<bool>,
}

/// A read of the service that is under way, and the other callers that wait for its answer.
#[derive(Default)]
pub struct InFlight {
    /// Its outcome, once there is one.
    pub outcome: RefCell<Option<Result<String>>>,
    /// It ended without an outcome that others could use: its caller gave up.
    pub is_abandoned: Cell<bool>,
    /// The wakers of the callers that wait for it.
    pub wakers: RefCell<Vec<Waker>>,
}

/// An order as the service built it, not verified.
pub struct BuiltOrder {
    /// The nonce of the request.
    pub nonce: U256,
    /// The deadline of the request, unix seconds.
    pub deadline: u64,
    /// The service's answer, byte for byte.
    pub text: String,
}

impl ServiceMemory {
    /// Remembers the decimals that a request stated for its source token, in place of earlier ones.
    pub fn remember_decimals(&self, intent: &Intent) {
        self.stated_decimals.keep((intent.chain_id, intent.src.address), intent.src.decimals);
    }

    /// Remembers that a quote may not be built any more, by the hash of its sealed text. The first reason stays.
    pub fn withdraw(&self, quote: B256, reason: String) {
        if self.withdrawal(quote).is_none() {
            self.withdrawn.keep(quote, reason);
        }
    }

    /// Why a quote may not be built any more; `None` if it may.
    pub fn withdrawal(&self, quote: B256) -> Option<String> {
        self.withdrawn.find(&quote).map(|(_, reason)| reason)
    }
}
