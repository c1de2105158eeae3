//! What a client knows, and what it remembers.

use crate::domain::agreement::Agreement;
use crate::domain::bridge_tokens::BridgeTokens;
use crate::domain::chain::Contracts;
use crate::domain::delta::order::DeltaOrder;
use crate::domain::intent::{Defaults, Intent};
use crate::domain::transaction::{Sent, Transaction};
use crate::error::Result;
use crate::host::{Event, Host};
use crate::json::Json;
use alloy_primitives::{Address, B256, U256, keccak256};
use std::cell::RefCell;
use std::rc::Rc;

/// A client: the shared part, and the wallet it is bound to.
pub struct Client<H: Host> {
    /// Shared by all bindings of one client.
    pub shared: Rc<Shared<H>>,
    /// The wallet.
    pub bound: WalletBinding<H::Provider>,
}

/// A wallet and how it may be used.
#[derive(Clone)]
pub struct WalletBinding<P> {
    /// Asked to sign and send.
    pub wallet: Option<P>,
    /// The account that owns, signs and pays.
    pub account: Option<Address>,
    /// The wallet is a local account: it signs and sends, but has no chain to read.
    pub local: bool,
    /// It may be asked to switch chains.
    pub may_switch: bool,
}

/// Settings and memory of a client.
pub struct Shared<H: Host> {
    /// The surroundings.
    pub host: H,
    /// Without a slash at the end.
    pub base_url: String,
    /// Attribution.
    pub partner: Option<String>,
    /// What the service knows the application by.
    pub api_key: Option<String>,
    /// The agreement about the partner's share, where a request does not state another.
    pub agreement: Agreement,
    /// Per chain.
    pub rpc: Vec<(u64, H::Provider)>,
    /// Contracts the application named.
    pub given_contracts: Vec<(u64, Contracts)>,
    /// Where neither that nor this package names one, the service may.
    pub allow_service_contracts: bool,
    /// Tokens that the application says are one asset on two chains.
    pub bridge_tokens: Vec<BridgeTokens>,
    /// Per HTTP request.
    pub timeout_ms: u32,
    /// Key of the seals; drawn at random, never leaves.
    pub secret: [u8; 32],
    /// Contracts the service named, by chain.
    pub service_contracts: RefCell<Vec<(u64, Contracts)>>,
    /// Chains whose RPC was found to be theirs.
    pub checked_rpc: RefCell<Vec<u64>>,
    /// Decimals that callers stated, by chain and token, for approvals.
    pub stated_decimals: RefCell<Vec<(u64, Address, u8)>>,
    /// The nonce of the next order for each intent.
    pub nonces: RefCell<Vec<(B256, U256)>>,
    /// Orders whose owner was asked to agree to them: of two for one intent only one is signed unasked, and what is
    /// told of them later is held against what was signed.
    pub orders: RefCell<Vec<Agreed>>,
    /// What the service built last, by what it was asked: asked the same twice, it is one order.
    pub answers: RefCell<Vec<(B256, Rc<Answered>)>>,
    /// Cancellations on chain that were built: of which order, and what the transaction is known by.
    pub cancellations: RefCell<Vec<(B256, B256)>>,
    /// Chains on which the service wanted a deposit of the native coin: a signature alone is not tried there again.
    pub deposits: RefCell<Vec<u64>>,
    /// What wallets were asked to sign and have not been posted: an order is asked for once.
    pub prompts: RefCell<Vec<(B256, H::Prompt)>>,
    /// Permits that go out, or went, by their hash, each with the key of the order or transaction: in that one alone.
    pub used_permits: RefCell<Vec<(B256, B256)>>,
    /// Transactions that were built: what is passed back names one of them.
    pub built: RefCell<Vec<Rc<Built>>>,
    /// Transactions that were sent, by what was sealed: each is sent once.
    pub sent: RefCell<Vec<(B256, Sent)>>,
    /// Orders that were posted, by their hash, as the service told them: each is posted once.
    pub posted: RefCell<Vec<(B256, Json)>>,
}

/// An order, as its owner signs it.
#[derive(Clone, Debug)]
pub struct SignedOrder {
    /// The service's id, once it told one.
    pub id: Option<String>,
    /// What it is known by on chain.
    pub hash: B256,
    /// The source chain.
    pub chain_id: u64,
    /// The contract it was signed for.
    pub delta: Address,
    /// What was signed.
    pub order: DeltaOrder,
    /// The least that arrives, raw units of the token that was asked for; `None` where nobody can say.
    pub arrives: Option<U256>,
}

/// An order that its owner was asked to agree to. Plain data.
#[derive(Clone, Debug)]
pub struct Agreed {
    /// The order.
    pub signed: SignedOrder,
    /// What it has in common with every order for the same trade.
    pub intent: B256,
    /// What the service calls orders of its kind.
    pub kind: &'static str,
    /// Used on chain once it is filled or cancelled, unless it is filled in parts.
    pub nonce: U256,
    /// Unix seconds.
    pub deadline: u64,
    /// Whether the owner agreed, as far as is known: by a signature, or on chain. Else a prompt may be open.
    pub is_signed: bool,
    /// By the chain it cannot be filled any more.
    pub is_over: bool,
    /// Nor can another one of its nonce, which is used.
    pub is_spent: bool,
    /// What is signed and was not posted yet, as JSON text.
    pub signed_order: Option<String>,
}

/// An order as the service built it.
pub struct Answered {
    /// Its nonce.
    pub nonce: U256,
    /// Unix seconds.
    pub deadline: u64,
    /// The service's answer.
    pub text: String,
}

/// A transaction that was built here.
pub struct Built {
    /// What it is known by: drawn at random.
    pub name: String,
    /// What JavaScript was given of it, as JSON text, beside the name.
    pub view: String,
    /// What is sent.
    pub transaction: Transaction,
}

/// Entries a memory keeps at most; the oldest goes first.
const KEPT: usize = 256;
/// The service's answers that are kept: enough for the clicks that a user may double.
const ANSWERS: usize = 8;

impl<H: Host> Shared<H> {
    /// A client's shared part with nothing allowed or remembered.
    pub fn new(
        host: H,
        base_url: String,
        partner: Option<String>,
        rpc: Vec<(u64, H::Provider)>,
        given_contracts: Vec<(u64, Contracts)>,
        timeout_ms: u32,
    ) -> Shared<H> {
        let secret = host.random();
        Shared {
            host,
            base_url,
            partner,
            api_key: None,
            agreement: Agreement::default(),
            rpc,
            given_contracts,
            allow_service_contracts: false,
            bridge_tokens: vec![],
            timeout_ms,
            secret,
            service_contracts: RefCell::default(),
            checked_rpc: RefCell::default(),
            stated_decimals: RefCell::default(),
            nonces: RefCell::default(),
            orders: RefCell::default(),
            answers: RefCell::default(),
            cancellations: RefCell::default(),
            deposits: RefCell::default(),
            prompts: RefCell::default(),
            used_permits: RefCell::default(),
            built: RefCell::default(),
            sent: RefCell::default(),
            posted: RefCell::default(),
        }
    }

    /// Tells the application how something went.
    pub fn emit(&self, event: Event) {
        self.host.event(event, self.host.monotonic_ms().saturating_sub(event.started));
    }

    /// Tells the application how a check went that began at `started`, on the monotonic clock.
    pub fn checked<T>(&self, name: &'static str, started: u64, verdict: &Result<T>) {
        let code = verdict.as_ref().err().map(|error| error.code);
        self.emit(Event { kind: "verify", name, started, status: None, code });
    }

    /// Remembers what decimals a caller stated for the source token of an intent.
    pub fn remember_decimals(&self, intent: &Intent) {
        let mut stated = self.stated_decimals.borrow_mut();
        stated.retain(|(chain, token, _)| (*chain, *token) != (intent.chain_id, intent.src.address));
        stated.push((intent.chain_id, intent.src.address, intent.src.decimals));
        shrink(&mut stated);
    }

    /// What the permit of that hash goes out in, or went.
    pub fn user_of(&self, permit: B256) -> Option<B256> {
        self.used_permits.borrow().iter().find(|(known, _)| *known == permit).map(|(_, key)| *key)
    }

    /// From now on that permit goes out with what is known by that key.
    pub fn use_permit(&self, permit: B256, key: B256) {
        let mut used = self.used_permits.borrow_mut();
        used.push((permit, key));
        shrink(&mut used);
    }

    /// What is known by that key failed: unless it went out before, its permit is free again.
    pub fn free_permit(&self, key: B256) {
        if !self.is_done(key) {
            self.used_permits.borrow_mut().retain(|(_, by)| *by != key);
        }
    }

    /// Remembers a transaction that was built. One that the wallet was asked to send, or that was sent, is not forgotten for
    /// it.
    pub fn remember_built(&self, built: Built) {
        let mut all = self.built.borrow_mut();
        while all.len() >= KEPT
            && let Some(oldest) = all.iter().position(|built| !self.is_under_way(keccak256(&built.name)))
        {
            all.remove(oldest);
        }
        all.push(Rc::new(built));
    }

    fn is_under_way(&self, key: B256) -> bool {
        self.sent(key).is_some() || self.prompts.borrow().iter().any(|(known, _)| *known == key)
    }

    /// The transaction of that name.
    pub fn built(&self, name: &str) -> Option<Rc<Built>> {
        self.built.borrow().iter().find(|built| built.name == name).cloned()
    }

    /// What was sent for that sealed text.
    pub fn sent(&self, key: B256) -> Option<Sent> {
        recall(&self.sent, key)
    }

    /// Remembers what was sent for a sealed text.
    pub fn remember_sent(&self, key: B256, sent: Sent) {
        remember(&self.sent, key, sent);
    }

    /// What was sent for that sealed text counts no more: it may be sent again.
    pub fn forget_sent(&self, key: B256) {
        self.sent.borrow_mut().retain(|(known, _)| *known != key);
    }

    /// The order of that hash, once it was posted.
    pub fn posted(&self, hash: B256) -> Option<Json> {
        recall(&self.posted, hash)
    }

    /// Remembers an order that was posted.
    pub fn remember_posted(&self, hash: B256, order: Json) {
        remember(&self.posted, hash, order);
    }

    /// Whether what is known by that key went out: a transaction, or an order.
    pub fn is_done(&self, key: B256) -> bool {
        let sent = self.sent.borrow().iter().any(|(known, _)| *known == key);
        sent || self.posted.borrow().iter().any(|(known, _)| *known == key)
    }

    /// The service calls the order of that hash by that id.
    pub fn name_signed(&self, hash: B256, id: &str) {
        if let Some(known) = self.orders.borrow_mut().iter_mut().find(|known| known.signed.hash == hash) {
            known.signed.id = Some(id.into());
        }
    }

    /// The order of that hash, else the one of that id, as it was submitted here.
    pub fn signed(&self, hash: Option<B256>, id: Option<&str>) -> Option<SignedOrder> {
        let orders = self.orders.borrow();
        let all = || orders.iter().map(|known| &known.signed);
        let by_id = |known: &&SignedOrder| {
            known.id.as_deref().zip(id).is_some_and(|(known, id)| known.eq_ignore_ascii_case(id))
        };
        all().find(|known| Some(known.hash) == hash).or_else(|| all().find(by_id)).cloned()
    }

    /// The nonce of the next order for an intent: the same until the chain has it used, so that one of two can fill, or
    /// for `another` one that no order has.
    pub fn nonce_for(&self, intent: B256, another: bool) -> U256 {
        let (orders, mut nonces) = (self.orders.borrow(), self.nonces.borrow_mut());
        let same = || orders.iter().rev().filter(|order| order.intent == intent && (!order.is_over || order.is_spent));
        let is_free = |nonce: &U256| !same().any(|order| order.nonce == *nonce && (another || order.is_spent));
        let kept = nonces.iter().find(|(known, _)| *known == intent).map(|(_, nonce)| *nonce);
        // What is signed binds more than what was drawn.
        let signed = same().filter(|order| order.is_signed).map(|order| order.nonce);
        if let Some(nonce) = signed.chain(kept).chain(same().map(|order| order.nonce)).find(is_free) {
            return nonce;
        }
        let nonce = U256::from_be_bytes(self.host.random());
        nonces.retain(|(known, _)| *known != intent);
        nonces.push((intent, nonce));
        shrink(&mut nonces);
        nonce
    }

    /// Remembers an order that its owner is being asked to agree to, or agreed to. What was agreed to stays so.
    pub fn remember_order(&self, order: Agreed) {
        let mut orders = self.orders.borrow_mut();
        match orders.iter_mut().find(|known| known.signed.hash == order.signed.hash) {
            Some(known) if order.is_signed => {
                let id = known.signed.id.take();
                *known = order;
                known.signed.id = id;
            }
            Some(_) => {}
            None => {
                // What is settled goes before what may still be filled.
                if orders.len() >= KEPT {
                    let first = orders.iter().position(|known| known.is_over).unwrap_or_default();
                    orders.remove(first);
                }
                orders.push(order);
            }
        }
    }

    /// By the chain the order of that hash cannot be filled any more, and nobody gets its nonce. Where that is spent,
    /// what was built with it meanwhile cannot be filled either.
    pub fn settle(&self, hash: B256, is_spent: bool) {
        if let Some(order) = self.orders.borrow_mut().iter_mut().find(|order| order.signed.hash == hash) {
            (order.is_over, order.is_spent) = (true, is_spent);
            self.nonces.borrow_mut().retain(|(_, nonce)| *nonce != order.nonce);
        }
    }

    /// Whether an order for that intent with that nonce was filled or cancelled.
    pub fn is_spent(&self, intent: B256, nonce: U256) -> bool {
        self.orders.borrow().iter().any(|order| order.is_spent && order.intent == intent && order.nonce == nonce)
    }

    /// Remembers that the build of a transaction, by the key it is sent under, cancels that order.
    pub fn remember_cancellation(&self, order: B256, key: B256) {
        let mut all = self.cancellations.borrow_mut();
        all.push((order, key));
        shrink(&mut all);
    }

    /// What the service built last when it was asked that.
    pub fn answer_to(&self, asked: B256) -> Option<Rc<Answered>> {
        self.answers.borrow().iter().find(|(known, _)| *known == asked).map(|(_, answer)| answer.clone())
    }

    /// Remembers what the service built when it was asked that.
    pub fn remember_answer(&self, asked: B256, answer: Rc<Answered>) {
        let mut answers = self.answers.borrow_mut();
        answers.retain(|(known, _)| *known != asked);
        answers.push((asked, answer));
        let surplus = answers.len().saturating_sub(ANSWERS);
        answers.drain(..surplus);
    }
}

fn recall<T: Clone>(memory: &RefCell<Vec<(B256, T)>>, key: B256) -> Option<T> {
    memory.borrow().iter().find(|(known, _)| *known == key).map(|(_, value)| value.clone())
}

fn remember<T>(memory: &RefCell<Vec<(B256, T)>>, key: B256, value: T) {
    let mut memory = memory.borrow_mut();
    memory.retain(|(known, _)| *known != key);
    memory.push((key, value));
    shrink(&mut memory);
}

fn shrink<T>(memory: &mut Vec<T>) {
    let surplus = memory.len().saturating_sub(KEPT);
    memory.drain(..surplus);
}

impl<H: Host> Client<H> {
    /// What requests need not say.
    pub fn defaults(&self) -> Defaults {
        let Shared { partner, agreement, bridge_tokens, .. } = &*self.shared;
        Defaults {
            partner: partner.clone(),
            account: self.bound.account,
            agreement: agreement.clone(),
            bridge_tokens: bridge_tokens.clone(),
        }
    }
}
