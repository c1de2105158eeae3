//! The settings of a client, and its memory between calls.
//!
//! This memory judges nothing: `memory` records facts and looks them up, and the use cases in `trade` decide what
//! follows. `trade::journal` writes what a reload must not lose to the storage, and reads it back into this memory.

pub mod endpoint;
pub mod followed;
pub mod journal;
mod memory;
pub mod rate_limit;

use self::followed::Followed;
use crate::client::journal::Entry;
use crate::client::rate_limit::RateLimit;
use crate::domain::agreement::Agreement;
use crate::domain::bridge_tokens::BridgeTokens;
use crate::domain::chain::Contracts;
use crate::domain::delta::order::DeltaOrder;
use crate::domain::intent::Defaults;
use crate::domain::reference::chain_prices::ChainPrices;
use crate::domain::reference::lens::LensCall;
use crate::domain::reference::past::{Known, Past};
use crate::domain::reference::pools::{Block, HELD_BLOCKS};
use crate::domain::reference::sources::Sources;
use crate::domain::transaction::{Sent, Transaction};
use crate::error::Result;
use crate::host::{Event, Host};
use crate::json::Json;
use alloy_primitives::{Address, B256, U256};
use std::cell::{Cell, RefCell};
use std::future::{Future, poll_fn};
use std::mem;
use std::pin::Pin;
use std::rc::{Rc, Weak};
use std::task::Waker;

/// A client as a call sees it: the state that all of its bindings share, and the wallet of this one.
pub struct Client<H: Host> {
    /// Settings and memory, one for all bindings of the client.
    pub shared: Rc<Shared<H>>,
    /// The wallet of this call.
    pub binding: WalletBinding<H::Provider>,
}

/// A read that was sent to a node. Its answer may be awaited at any time.
pub struct SentRead<H: Host> {
    /// The chain's id.
    pub chain_id: u64,
    /// Whether the wallet was asked, not the application's node.
    pub by_wallet: bool,
    /// The node's place among the chain's nodes.
    pub place: usize,
    /// The method, and its parameters as a JSON array.
    pub question: (&'static str, String),
    /// When it was sent: milliseconds of [`Host::monotonic_ms`].
    pub put_at: u64,
    /// How many reads were sent before it.
    pub number: u64,
    /// Whether its answer can change.
    pub is_passing: bool,
    /// The handle for its answer.
    pub prompt: H::Prompt,
}

/// A prompt of the wallet.
pub struct OpenPrompt<P, W> {
    /// The key of the request.
    pub key: B256,
    /// The wallet of the prompt.
    pub wallet: W,
    /// The id of calls that are sent together, empty if the wallet chooses it; `None` for any other request.
    pub batch: Option<String>,
    /// The handle for its answer.
    pub prompt: P,
}

/// A request for the capabilities of a wallet, for an account on a chain: sent once for all callers.
pub struct AskedCapability<H: Host> {
    /// The provider that is asked to sign and to send (EIP-1193).
    pub wallet: H::Provider,
    /// The account that signs and pays.
    pub account: Address,
    /// The chain's id.
    pub chain_id: u64,
    /// When it was sent: milliseconds of [`Host::monotonic_ms`].
    pub put_at: u64,
    /// The handle for the answer; `None` once the wallet refused calls that it had claimed to take.
    pub prompt: Option<H::Prompt>,
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

/// Settings and memory of a client.
pub struct Shared<H: Host> {
    /// Network, clocks and randomness.
    pub host: H,
    /// The service's URL, without a slash at the end.
    pub base_url: String,
    /// The partner's name, to which the service attributes trades; `None` is `anon`.
    pub partner: Option<String>,
    /// The application's key at the service, sent with each request to it.
    pub api_key: Option<String>,
    /// The agreement of application and service about the partner's share, unless a request states another.
    pub agreement: Agreement,
    /// The nodes for reading chains, by chain id, the first of a chain first; without one the wallet is used.
    pub rpc: Vec<(u64, H::Provider)>,
    /// How many nodes of a chain in `rpc` have to agree before a refusal or a prompt depends on their answer.
    pub rpc_quorum: usize,
    /// Contracts that the application named, by chain id. They have precedence over the pinned ones.
    pub given_contracts: Vec<(u64, Contracts)>,
    /// The service may name the contracts of a chain for which neither application nor package does.
    pub allow_service_contracts: bool,
    /// Pairs of tokens on two chains that the application declares to be one asset.
    pub bridge_tokens: Vec<BridgeTokens>,
    /// References of prices that the application named, by chain id. They have precedence over the pinned ones.
    pub given_sources: Vec<(u64, Sources)>,
    /// No reference prices are read (`reference: false`).
    pub has_no_references: bool,
    /// The application's own reference.
    pub app_reference: Option<H::Provider>,
    /// Its answers: (request as JSON text, when by [`Host::monotonic_ms`], the handle for the answer).
    pub app_answers: RefCell<Vec<(String, u64, H::Prompt)>>,
    /// The recent queries to references.
    pub reference_queries: RefCell<Vec<Rc<ReferenceQuery>>>,
    /// The chains that a wallet may have to add first, by chain id: parameters as JSON text.
    pub chains_to_add: Vec<(u64, String)>,
    /// Milliseconds that one HTTP request, or one read of a chain, may take.
    pub timeout_ms: u32,
    /// The service's rate limit.
    pub rate_limit: RateLimit,
    /// The request options of the call that runs at this moment: see [`Shared::with_request_options`].
    pub request_options: RefCell<RequestOptions>,
    /// Reads of the service that are under way.
    pub in_flight: RefCell<Vec<Rc<InFlight>>>,
    /// Answers of the service that are shown for a while: (path, when it came by [`Host::monotonic_ms`], answer).
    pub lists: RefCell<Vec<(String, u64, String)>>,
    /// The key of the seals on quotes and builds. Drawn at random for each client; it never leaves the module.
    pub secret: [u8; 32],
    /// No two calls are sent in one prompt, unless a call's own option says so.
    pub never_batches: bool,
    /// The requests for wallets' capabilities.
    pub capabilities: RefCell<Vec<AskedCapability<H>>>,
    /// Ids of calls that a wallet does not take a second time, though it sent none of them: the user had refused.
    pub spent_ids: RefCell<Vec<String>>,
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
    /// The reads whose answers still count, the last one first.
    pub questions: RefCell<Vec<SentRead<H>>>,
    /// Decimals that requests stated for their source token: (chain id, token, decimals). `approve` compares them with
    /// the token's own.
    pub stated_decimals: RefCell<Vec<(u64, Address, u8)>>,
    /// The nonce that the next order for an intent gets, by the intent's key.
    pub nonces: RefCell<Vec<(B256, U256)>>,
    /// Orders that their owner was asked to sign. A second one for the same intent is refused unless the user was
    /// asked, and later reports of the service about an order are compared with the signed one.
    pub orders: RefCell<Vec<RememberedOrder>>,
    /// How many quotes were sealed: each has its number inside, so that no two have the same text.
    pub quotes: Cell<u64>,
    /// Quotes that may not be built any more, and why: (hash of the sealed text, reason). The oldest that is dropped
    /// has expired, because the service takes no 256 requests in that time.
    pub withdrawn: RefCell<Vec<(B256, String)>>,
    /// The service's last builds, by a hash of the request: two equal builds are one order.
    pub answers: RefCell<Vec<(B256, Rc<BuiltOrder>)>>,
    /// Cancellations on chain that were built: (hash of the order, key of the transaction).
    pub cancellations: RefCell<Vec<(B256, B256)>>,
    /// Ids of the chains on which the service wanted the native token deposited: an order there is no longer tried on a
    /// signature alone.
    pub deposits: RefCell<Vec<u64>>,
    /// The service refused a list of orders for the status `EXECUTING` in its filter.
    pub refuses_executing: Cell<bool>,
    /// Open prompts, and answered ones whose answer is still needed, by the key of the request: each is opened once.
    pub prompts: RefCell<Vec<OpenPrompt<H::Prompt, H::Provider>>>,
    /// Permits that were submitted: (hash of the permit, key of the one order or transaction that may carry it).
    pub used_permits: RefCell<Vec<(B256, B256)>>,
    /// Transactions that were built here, the oldest first.
    pub built: RefCell<Vec<Rc<BuiltTransaction>>>,
    /// Transactions that were sent, by the key of the build: each is sent once.
    pub sent: RefCell<Vec<(B256, Sent)>>,
    /// Orders that were posted, by their hash, with the service's answer: each is posted once.
    pub posted: RefCell<Vec<(B256, Json)>>,
    /// The journal: every trade that opened a prompt, as `trade::journal` keeps it in the storage.
    pub trades: RefCell<Vec<Entry>>,
    /// The entries that this version cannot read and that have not ended.
    pub unread: RefCell<Vec<UnreadTrade>>,
    /// Whether `trades` has what the storage has, except for the messages in `journal_inbox`.
    pub is_journal_read: Cell<bool>,
    /// The number of the last storage reading that `trades` has completely.
    pub journal_reading: Cell<u32>,
    /// The messages of other clients of this origin about their writes to the journal since it was read.
    pub journal_inbox: H::Inbox,
    /// Locks among tabs that a call of this client holds, by name, with the key of its order or transaction.
    pub locks: RefCell<Vec<HeldLock<H::Lock>>>,
    /// The orders that are followed.
    pub followed: Followed<H::Inbox>,
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

/// A trade of the journal that a newer version of this package wrote, and that has not ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadTrade {
    /// Its entry's key.
    pub key: B256,
    /// The same for every order or transaction that makes the same trade.
    pub intent: Option<B256>,
}

/// A read of the service that is under way, and the other callers that wait for its answer.
#[derive(Default)]
pub struct InFlight {
    /// Its path and options.
    pub key: String,
    /// Its outcome, once there is one.
    pub outcome: RefCell<Option<Result<String>>>,
    /// It ended without an outcome that others could use: its caller gave up.
    pub is_abandoned: Cell<bool>,
    /// The wakers of the callers that wait for it.
    pub wakers: RefCell<Vec<Waker>>,
}

/// A Delta order that its owner signed, or is about to sign.
#[derive(Clone, Debug)]
pub struct SignedOrder {
    /// The service's id, known once it was posted.
    pub id: Option<String>,
    /// Its EIP-712 hash, which is its name on chain.
    pub hash: B256,
    /// Id of the source chain.
    pub chain_id: u64,
    /// The Delta contract it was signed for: the `verifyingContract`.
    pub delta: Address,
    /// The struct to sign.
    pub order: DeltaOrder,
    /// The least to be received, in raw units of the destination token; `None` if it is not known, as beyond some
    /// bridges.
    pub arrives: Option<U256>,
}

/// An order that its owner was asked to sign, and its state.
#[derive(Clone, Debug)]
pub struct RememberedOrder {
    /// The order itself.
    pub signed: SignedOrder,
    /// The intent's key: the same for every order that makes the same trade (docs/errors.md, `ALREADY_SIGNED`).
    pub intent: B256,
    /// The service's name for orders of this kind, such as `Order` or `TWAPOrder`.
    pub kind: &'static str,
    /// The order's nonce. The contract uses it up when the order is filled or cancelled, but not if it is filled in
    /// parts.
    pub nonce: U256,
    /// When it expires, unix seconds.
    pub deadline: u64,
    /// The owner is known to have agreed, by a signature or on chain. If `false`, a prompt may be open.
    pub is_signed: bool,
    /// The chain shows that this order cannot be filled any more.
    pub is_over: bool,
    /// The chain shows that its nonce is used, so no other order with that nonce can be filled either.
    pub is_spent: bool,
    /// The signed order as JSON text, until a call reported that it was posted, or how it ended.
    pub signed_order: Option<String>,
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

/// A transaction that was built and verified here: a fill, a cancellation, a withdrawal. To send it, the application
/// passes back its copy, which is compared with this one.
pub struct BuiltTransaction {
    /// A random name, which the application's copy carries.
    pub name: String,
    /// The application's copy as JSON text, without the name.
    pub view: String,
    /// The transaction for the wallet.
    pub transaction: Transaction,
}

/// The query to the references of a chain for two tokens.
pub struct ReferenceQuery {
    /// The chain's id.
    pub chain_id: u64,
    /// The two tokens whose price is asked.
    pub tokens: [Address; 2],
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
        past.known = Known::Refused;
        *self.past.borrow_mut() = Some(past);
    }
}

/// A lock among tabs: its name, the key that it is held for, and the lock while it is held.
pub type HeldLock<L> = (String, B256, Weak<L>);

/// The topic on which clients notify each other of writes to the journal.
pub const JOURNAL: &str = "journal";
/// How many entries a memory holds; the oldest is dropped first.
pub const KEPT: usize = 256;

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
        let secret = host.random();
        let journal_inbox = host.inbox(JOURNAL);
        Shared {
            host,
            base_url,
            partner,
            api_key: None,
            agreement: Agreement::default(),
            rpc,
            rpc_quorum: 1,
            given_contracts,
            allow_service_contracts: false,
            bridge_tokens: vec![],
            given_sources: vec![],
            has_no_references: false,
            app_reference: None,
            app_answers: RefCell::default(),
            chains_to_add: vec![],
            reference_queries: RefCell::default(),
            timeout_ms,
            rate_limit: RateLimit::default(),
            request_options: RefCell::default(),
            in_flight: RefCell::default(),
            lists: RefCell::default(),
            secret,
            never_batches: false,
            capabilities: RefCell::default(),
            spent_ids: RefCell::default(),
            service_contracts: RefCell::default(),
            checked_rpc: RefCell::default(),
            last_account: Cell::default(),
            questions_put: Cell::default(),
            shown_blocks: RefCell::default(),
            questions: RefCell::default(),
            stated_decimals: RefCell::default(),
            nonces: RefCell::default(),
            orders: RefCell::default(),
            quotes: Cell::default(),
            withdrawn: RefCell::default(),
            answers: RefCell::default(),
            cancellations: RefCell::default(),
            deposits: RefCell::default(),
            refuses_executing: Cell::default(),
            prompts: RefCell::default(),
            used_permits: RefCell::default(),
            built: RefCell::default(),
            sent: RefCell::default(),
            posted: RefCell::default(),
            trades: RefCell::default(),
            unread: RefCell::default(),
            is_journal_read: Cell::new(false),
            journal_reading: Cell::new(0),
            journal_inbox,
            locks: RefCell::default(),
            followed: Followed::default(),
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
        let Shared { partner, agreement, bridge_tokens, .. } = &*self.shared;
        Defaults {
            partner: partner.clone(),
            account: self.binding.account,
            agreement: agreement.clone(),
            bridge_tokens: bridge_tokens.clone(),
        }
    }
}
