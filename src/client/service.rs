//! What the service was asked, and answered.

use crate::domain::intent::Intent;
use crate::error::Result;
use crate::ledger::joined::Joined;
use crate::ledger::{recall, remember, shrink};
use alloy_primitives::{Address, B256, U256};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::task::Waker;

/// How many of the service's builds are held: enough for a user's double clicks.
const KEPT_BUILDS: usize = 8;

/// What the service was asked, and answered.
#[derive(Default)]
pub struct ServiceMemory {
    /// Reads of the service that are under way, by path and options.
    pub in_flight: Joined<String, Rc<InFlight>>,
    /// Answers of the service that are shown for a while, by path.
    pub lists: Joined<String, String, 8>,
    /// Decimals that requests stated for their source token: (chain id, token, decimals). `approve` compares them with
    /// the token's own.
    pub stated_decimals: RefCell<Vec<(u64, Address, u8)>>,
    /// How many quotes were sealed: each has its number inside, so that no two have the same text.
    pub quotes: Cell<u64>,
    /// Quotes that may not be built any more, and why: (hash of the sealed text, reason). The oldest that is dropped
    /// has expired, because the service takes no 256 requests in that time.
    pub withdrawn: RefCell<Vec<(B256, String)>>,
    /// The service's last builds, by a hash of the request: two equal builds are one order.
    pub answers: RefCell<Vec<(B256, Rc<BuiltOrder>)>>,
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
        let mut stated = self.stated_decimals.borrow_mut();
        stated.retain(|(chain, token, _)| (*chain, *token) != (intent.chain_id, intent.src.address));
        stated.push((intent.chain_id, intent.src.address, intent.src.decimals));
        shrink(&mut stated);
    }

    /// Remembers that a quote may not be built any more, by the hash of its sealed text. The first reason stays.
    pub fn withdraw(&self, quote: B256, reason: String) {
        if self.withdrawal(quote).is_none() {
            remember(&self.withdrawn, quote, reason);
        }
    }

    /// Why a quote may not be built any more; `None` if it may.
    pub fn withdrawal(&self, quote: B256) -> Option<String> {
        recall(&self.withdrawn, quote)
    }

    /// The service's build for a request, by the request's hash.
    pub fn answer_to(&self, asked: B256) -> Option<Rc<BuiltOrder>> {
        self.answers.borrow().iter().find(|(known, _)| *known == asked).map(|(_, answer)| answer.clone())
    }

    /// Remembers the service's build for a request, in place of an earlier one.
    pub fn remember_answer(&self, asked: B256, answer: Rc<BuiltOrder>) {
        let mut answers = self.answers.borrow_mut();
        answers.retain(|(known, _)| *known != asked);
        answers.push((asked, answer));
        let surplus = answers.len().saturating_sub(KEPT_BUILDS);
        answers.drain(..surplus);
    }
}
