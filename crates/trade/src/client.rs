//! A client: its settings, what it reads and asks, and the ledger of what has happened.
//!
//! Everything here is kept, and nothing decided: the use cases in `trade` decide what follows.

pub mod endpoint;
pub mod nodes;
pub mod rate_limit;
pub mod service;
pub mod settings;

use self::nodes::Nodes;
use self::service::ServiceMemory;
use self::settings::Settings;
use crate::host::{Event, Host};
use crate::ledger::Ledger;
use alloy_primitives::{Address, B256};
use std::cell::RefCell;
use std::future::{Future, poll_fn};
use std::mem;
use std::pin::Pin;
use std::rc::Rc;
use verify::internal::domain::chain::Contracts;
use verify::internal::domain::intent::Defaults;
use verify::internal::error::Result;

/// A client as a call sees it: the state that all of its bindings share, and the wallet of this one.
pub struct Client<H: Host> {
    /// Settings and memory, one for all bindings of the client.
    pub shared: Rc<Shared<H>>,
    /// The wallet of this call.
    pub binding: WalletBinding<H::Provider>,
}

/// A wallet, its account, and its permitted uses.
#[derive(Clone)]
pub struct WalletBinding<P> {
    /// The wallet that signs and sends. Without one, the client only quotes and reads.
    pub wallet: Option<P>,
    /// The account that owns, signs and pays. `None`: the first that the wallet offers.
    pub account: Option<Address>,
    /// The wallet is an account object of a library such as viem: it signs and may send, but has no `eth_accounts`, no
    /// chain of its own, and reads nothing.
    pub local: bool,
    /// The wallet may be asked to switch chains. Otherwise another chain is WRONG_CHAIN.
    pub may_switch: bool,
}

/// A client: its settings, and its memory between calls.
pub struct Shared<H: Host> {
    /// Network, clocks and randomness.
    pub host: Rc<H>,
    /// The settings that the application chose.
    pub settings: Settings<H>,
    /// Cached reads of chains and wallets.
    pub nodes: Nodes<H>,
    /// Requests to the service in flight, and cached answers.
    pub service: ServiceMemory,
    /// The record of each order and transaction: each is signed, posted or sent once.
    pub ledger: Ledger<H>,
    /// The request options of the call that runs at this moment: see [`Shared::with_request_options`].
    pub request_options: RefCell<RequestOptions>,
}

/// The options of a call for its requests to the service.
#[derive(Clone, Debug, Default)]
pub struct RequestOptions {
    /// A request may wait for the rate limit for any time, instead of failing.
    pub waits: bool,
    /// The form that the price is for: one that still waits is replaced by a newer one.
    pub form: Option<Rc<str>>,
    /// Until when a build may be requested, milliseconds of [`Host::monotonic_ms`]: as long as its price is valid.
    /// `None` for no limit.
    pub until: Option<u64>,
    /// A prompt may open though the journal cannot be read, or its entry not be stored.
    pub without_journal: bool,
}

impl<H: Host> Shared<H> {
    /// Settings that allow nothing optional, and an empty memory. Members that are not arguments here are set
    /// afterwards.
    pub fn new(
        host: H,
        base_url: String,
        partner: Option<String>,
        rpc: Vec<(u64, H::Provider)>,
        given_contracts: Vec<(u64, Contracts)>,
        timeout_ms: u32,
    ) -> Shared<H> {
        let host = Rc::new(host);
        let settings = Settings::new(base_url, partner, rpc, given_contracts, timeout_ms, host.random());
        let ledger = Ledger::new(host.clone(), settings.base_url.clone());
        Shared {
            host,
            settings,
            nodes: Nodes::default(),
            service: ServiceMemory::default(),
            ledger,
            request_options: RefCell::default(),
        }
    }

    /// Runs a call with its request options. Several calls run at once, but only one at a moment: its options are in
    /// place whenever it goes on.
    pub async fn with_request_options<T>(
        &self,
        mut request_options: RequestOptions,
        mut work: Pin<Box<dyn Future<Output = T> + '_>>,
    ) -> T {
        poll_fn(|context| {
            mem::swap(&mut *self.request_options.borrow_mut(), &mut request_options);
            let polled = work.as_mut().poll(context);
            mem::swap(&mut *self.request_options.borrow_mut(), &mut request_options);
            polled
        })
        .await
    }

    /// Whether the call that runs now goes on though the journal cannot be read, or its entry not be stored.
    pub fn without_journal(&self) -> bool {
        self.request_options.borrow().without_journal
    }

    /// [`Ledger::check_read`] for the call that runs now.
    ///
    /// # Errors
    /// JOURNAL_UNREADABLE, unless the call's `withoutJournal` overrides it.
    pub fn check_read(&self, read: &Result<()>, trade: (Option<B256>, B256, bool)) -> Result<bool> {
        self.ledger.check_read(read, trade, self.without_journal())
    }

    /// A pause of that many milliseconds and a random part of up to half as much more: clients that failed together do
    /// not come back together.
    pub fn jittered(&self, ms: u32) -> u32 {
        let more = u32::from(self.host.random().first().copied().unwrap_or_default()).saturating_mul(ms) >> 9;
        ms.saturating_add(more)
    }

    /// Passes an event on to the application, with the time since it started.
    pub fn emit(&self, event: Event) {
        self.host.event(event, self.host.monotonic_ms().saturating_sub(event.started));
    }

    /// Passes on the result of a verification that began at `started`, milliseconds of [`Host::monotonic_ms`].
    pub fn checked<T>(&self, name: &'static str, started: u64, verdict: &Result<T>) {
        let code = verdict.as_ref().err().map(|error| error.code);
        self.emit(Event { kind: "verify", name, started, status: None, code });
    }
}

impl<H: Host> Client<H> {
    /// The defaults for members that a request leaves out.
    pub fn defaults(&self) -> Defaults {
        let Settings { partner, agreement, bridge_tokens, .. } = &self.shared.settings;
        Defaults {
            partner: partner.clone(),
            account: self.binding.account,
            agreement: agreement.clone(),
            bridge_tokens: bridge_tokens.clone(),
        }
    }
}
