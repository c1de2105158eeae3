//! An order of either protocol that its owner signs and the service stores, and its state in `submit`.
//!
//! The trait [`Signable`] covers the differences between Delta orders and OTC orders. Everything else, from the checks
//! before the prompt to the post, is the same code for both, so that no check can be forgotten for one of them.

use crate::client::{Client, Shared};
use crate::flows::chain::funding::Funding;
use crate::host::Host;
use crate::ledger::asked::Asked;
use crate::ledger::orders::KnownOrder;
use crate::ledger::record::{Entry, TradeKind};
use crate::ledger::second::ExistingOrder;
use crate::ledger::step::{Event, OrderEntry};
use crate::ledger::store::PromptJournaled;
use crate::service::ServiceRequest;
use alloy_primitives::{Address, B256};
use std::cell::Cell;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use verify::internal::domain::approval::ApprovalNeed;
use verify::internal::domain::chain::Deployment;
use verify::internal::domain::transaction::Transaction;
use verify::internal::domain::typed_struct::TypedText;
use verify::internal::error::{Error, Result};
use verify::internal::json::{Json, ObjectWriter};

/// A future of a trait's method. It is boxed because the kind of order is known only at run time.
pub type Work<'a, T> = Pin<Box<dyn Future<Output = Result<T>> + 'a>>;

/// An order that its owner signs and the service stores. An implementation has the differences of its protocol.
pub trait Signable<H: Host> {
    /// The facts that `submit` needs.
    fn facts(&self) -> OrderFacts;

    /// The typed data for the owner's wallet to sign (EIP-712).
    fn typed(&self) -> &TypedText;

    /// The owner's balance and allowance that the order needs; only allowances that `approve` can raise.
    fn funding(&self) -> Funding<'_>;

    /// The app's view of the build, without `approval` and seal, as an object's text that is still open.
    fn view(&mut self) -> &mut ObjectWriter;

    /// Writes the first members of its `SignedOrder`: `kind`, and those that only this protocol has.
    fn begin_signed(&self, out: &mut ObjectWriter);

    /// Compares an order that the journal noted, or that was signed elsewhere, with the request that the caller states
    /// again, with its bounds. Refuses one for another request, or beyond the bounds.
    ///
    /// # Errors
    /// INVALID_INPUT with the member that is missing or differs; VERIFY_MISMATCH with the member beyond its bound.
    fn verify_restated(&self, client: &Client<H>, is_signed: bool, request: Option<&Json>) -> Result<()>;

    /// Judges the price of a noted order by this client's reference prices: anything may have written those in the
    /// journal's text. `request` is the caller's. Returns the view with the new judgement; `None` if nothing is judged.
    ///
    /// # Errors
    /// VERIFY_MISMATCH with `quote.price` or `order.bridgeInput.price`; INVALID_INPUT; the RPC's failure.
    fn judge_anew<'a>(
        &'a self,
        _client: &'a Client<H>,
        _sealed: (&'a str, &'a Deployment),
        _request: Option<&'a Json>,
        _signal: &'a H::Signal,
    ) -> Work<'a, Option<Json>> {
        Box::pin(async { Ok(None) })
    }

    /// Refuses an order that cannot be filled now, before its owner is asked to sign: deadline, decimals, balance,
    /// allowance, permit. If it `is_signed` or its prompt is open, only the checks that still matter are made.
    ///
    /// # Errors
    /// INVALID_INPUT, QUOTE_EXPIRED, INSUFFICIENT_BALANCE, INSUFFICIENT_ALLOWANCE, VERIFY_MISMATCH; the RPC's failure.
    fn preflight<'a>(&'a self, client: &'a Client<H>, is_signed: bool, signal: &'a H::Signal) -> Work<'a, ()>;

    /// The request that posts it with that signature; without bytes if it is pre-signed on chain.
    fn post(&self, signature: &[u8]) -> ServiceRequest;

    /// The request that reads it from the service, by its hash.
    fn look_up(&self) -> ServiceRequest;

    /// The order in the service's answer to either request, for the app. Refuses another order than this one.
    ///
    /// # Errors
    /// SERVICE_MALFORMED with the member that does not match.
    fn recognise(&self, shared: &Shared<H>, answer: &Json) -> Result<Json>;

    /// The order as the ledger has it, so that the user signs no second order for the same trade without consent.
    /// `None` for a protocol whose orders are independent.
    fn known(&self) -> Option<Rc<KnownOrder>> {
        None
    }

    /// The transaction that pre-signs it; its value is the deposit, if one is needed. `None` if the protocol has no
    /// pre-signatures.
    ///
    /// # Errors
    /// The errors of the service; the RPC's failure.
    fn pre_signature<'a>(&'a self, _client: &'a Client<H>, _signal: &'a H::Signal) -> Work<'a, Option<Transaction>> {
        Box::pin(async { Ok(None) })
    }
}

/// The facts about an order of either protocol that `submit` needs.
pub struct OrderFacts {
    /// The chain whose contract settles it.
    pub chain_id: u64,
    /// The account that signs, and pays the source amount.
    pub owner: Address,
    /// The order's hash: the EIP-712 digest to sign, and the name of the order at service and contract.
    pub hash: B256,
    /// The last second in which it can be filled, unix seconds; `None` if it can be filled until it is cancelled.
    pub deadline: Option<u64>,
    /// The permit in it: its hash, and the name of the input that it was passed in, for errors.
    pub permit: Option<(B256, &'static str)>,
    /// Whether the contract tries a signature as a key's before it calls the owner's code, as the RFQ contract does.
    pub is_key_first: bool,
    /// Whether the service may want a deposit before it accepts the order: it sells the native token.
    pub may_need_deposit: bool,
    /// The option `existing` of the build.
    pub existing: Option<ExistingOrder>,
}

/// The way in which the owner authorizes an order.
pub enum Authorization {
    /// A signature that the wallet is asked for.
    Wallet,
    /// This signature, which was made elsewhere or earlier.
    Given(Vec<u8>),
    /// A transaction that the wallet is asked for.
    OnChain,
    /// A transaction that was sent earlier.
    Sent,
}

/// The argument of `submit`, opened and verified: ready to be signed, or signed.
pub struct Submission<H: Host> {
    /// The order, opened and verified.
    pub order: Box<dyn Signable<H>>,
    /// Its [`Signable::facts`], read once.
    pub facts: OrderFacts,
    /// The sealed text of its build: it is part of the `SignedOrder`, which can so be verified again.
    pub sealed: String,
    /// The way in which its owner authorizes it.
    pub authorization: Authorization,
    /// Whether this caller requested it: by a build of this client, or by stating the request again. Otherwise it is
    /// a signed order that was handed over: it is posted, and no deposit is made for it.
    pub is_asked_for: bool,
    /// Whether it was passed in as a signed order.
    pub is_signed: bool,
    /// Consent to a second order for the same trade: the option of `submit`, else that of this client's build.
    pub existing: Option<ExistingOrder>,
    /// When the app asked for the price of its build; `None` for one of another page.
    pub asked: Option<Asked>,
    /// Whether this client built it to replace another order, whose nonce it has.
    pub is_replacement: bool,
    /// Its signature was found in the journal, not passed in: if it is invalid, the wallet is asked for one.
    pub is_journaled: bool,
    /// By the journal the service had it: it is looked up before it is posted again.
    pub was_posted: bool,
    /// The permit that an OTC maker passed to `submit`, as JSON text: posting the order later needs it too.
    pub permit: Option<String>,
    /// Its summary as shown to the owner, for the journal.
    pub summary: String,
    /// Its report, as shown to the owner.
    pub report: Json,
    /// The approval as shown to the owner, if one was missing.
    pub approval: Option<ApprovalNeed>,
    /// The key of the approval that it waits for, which was on its way when the prompt opened.
    pub awaits: Cell<Option<B256>>,
    /// `resume` continues it: the app does not submit it anew.
    pub is_resumed: bool,
    /// Whether the journal was read under the lock of this trade; else the failure.
    pub read: Result<()>,
}

impl<H: Host> Submission<H> {
    /// Its `SignedOrder`, as JSON text, which `submit` takes back. An empty signature means that it is pre-signed on
    /// chain.
    pub fn signed_order(&self, signature: &[u8]) -> String {
        write_signed_order(&*self.order, &self.facts, &self.sealed, signature)
    }

    /// The key shared by all orders for the same trade, of which one tab works on one at a time. An order with
    /// `keepBoth` has a key of its own.
    pub fn intent(&self) -> B256 {
        let intent = self.order.known().map(|order| order.intent);
        intent.filter(|_| self.existing != Some(ExistingOrder::KeepBoth)).unwrap_or(self.facts.hash)
    }

    /// Its entry in the journal, as its `SignedOrder` if it is `signed`.
    pub fn entry(&self, shared: &Shared<H>, signed: Option<&str>) -> OrderEntry {
        let order = self.order.known();
        let kind = if order.is_some() { TradeKind::Delta } else { TradeKind::Otc };
        let payload = signed.map(String::from).unwrap_or_else(|| {
            let mut build = ObjectWriter::object();
            build.text("kind", kind.name());
            build.number("chainId", self.facts.chain_id);
            build.text("sealed", &self.sealed);
            build.close()
        });
        let entry = Entry {
            key: self.facts.hash,
            kind,
            intent: Some(self.intent()),
            // A caller who submits it here means this service, whichever it was signed for.
            base_url: shared.settings.base_url.clone(),
            chain_id: self.facts.chain_id,
            owner: self.facts.owner,
            deadline: self.facts.deadline,
            summary: self.summary.clone(),
            permit: self.permit.clone(),
            awaits: self.awaits.get(),
            payload: Some(payload),
            ..Entry::default()
        };
        OrderEntry { entry, order, is_asked_for: self.is_asked_for }
    }

    /// Notes that its signature, or the transaction in its place, is there. Returns whether the storage has it; `None` for
    /// an order that only passes through here.
    pub async fn record_signed(&self, shared: &Shared<H>, signed_order: &str) -> Option<bool> {
        shared.ledger.apply(self.facts.hash, Event::SignatureReceived(self.entry(shared, Some(signed_order)))).await
    }

    /// Notes that the owner's prompt is about to open: see [`crate::ledger::Ledger::ask`]. `None` if it is signed
    /// already: then the journal has its signature, which the next attempt takes.
    ///
    /// # Errors
    /// Same as [`crate::ledger::Ledger::ask`].
    pub async fn ask(&self, shared: &Shared<H>, signal: &H::Signal) -> Result<Option<PromptJournaled>> {
        let event = Event::AskSignature(self.entry(shared, None));
        Ok(shared.ledger.ask(self.facts.hash, event, shared.without_journal(), signal).await?.ok())
    }

    /// Adds the `SignedOrder` to the error if it has none yet: with it the app can post the order later.
    pub fn with_signed_order(&self, mut error: Error, signature: &[u8]) -> Error {
        error.signed_order.get_or_insert_with(|| self.signed_order(signature));
        error
    }
}

/// The `SignedOrder` of an order with that signature, as JSON text: see [`Submission::signed_order`].
pub fn write_signed_order<H: Host>(
    order: &dyn Signable<H>,
    facts: &OrderFacts,
    sealed: &str,
    signature: &[u8],
) -> String {
    let mut out = ObjectWriter::object();
    order.begin_signed(&mut out);
    out.number("chainId", facts.chain_id);
    out.value("orderHash", &facts.hash);
    out.bytes("signature", signature);
    out.text("sealed", sealed);
    out.close()
}
