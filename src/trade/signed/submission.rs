//! What is submitted: an order that its owner signs and the service takes, whichever protocol it belongs to.

use crate::client::{Agreed, Client, Shared};
use crate::domain::transaction::Transaction;
use crate::error::{Error, Result};
use crate::host::Host;
use crate::json::{Json, ObjectWriter};
use crate::service::ServiceRequest;
use crate::trade::chain::funding::Funding;
use crate::trade::delta::again::Again;
use alloy_primitives::{Address, B256};
use std::future::Future;
use std::pin::Pin;

/// What an order asks the chain or the service for. Boxed: which order it is, is known only when it runs.
pub type Work<'a, T> = Pin<Box<dyn Future<Output = Result<T>> + 'a>>;

/// An order that its owner signs and the service takes. An implementation says what is its protocol's own; the way from
/// a build to the order's post is the same for all.
pub trait Signable<H: Host> {
    /// What is known of it without asking anybody.
    fn facts(&self) -> OrderFacts;

    /// The text that the owner's wallet is given to sign.
    fn typed_data(&self) -> &str;

    /// What the owner has to have, and to allow to a contract that `approve` takes an approval for.
    fn funding(&self) -> Funding<'_>;

    /// The build as JavaScript sees it, without `approval` and its seal, still open.
    fn view(&mut self) -> &mut ObjectWriter;

    /// Begins its `SignedOrder`: `kind`, and what only this protocol's have.
    fn begin_signed(&self, out: &mut ObjectWriter);

    /// Holds a build of another client against the request that is stated again, as far as the protocol wants it
    /// stated.
    ///
    /// # Errors
    /// INVALID_INPUT, VERIFY_MISMATCH.
    fn verify_foreign(&self, client: &Client<H>, is_signed: bool, request: Option<&Json>) -> Result<()>;

    /// Whether the order can be filled as things are, as far as that matters of one that is signed, or being signed.
    ///
    /// # Errors
    /// INVALID_INPUT, QUOTE_EXPIRED, INSUFFICIENT_BALANCE, INSUFFICIENT_ALLOWANCE, VERIFY_MISMATCH; the RPC's failure.
    fn preflight<'a>(&'a self, client: &'a Client<H>, is_signed: bool, signal: &'a H::Signal) -> Work<'a, ()>;

    /// The post with that signature; an empty one where it is pre-signed on chain.
    fn post(&self, signature: &[u8]) -> ServiceRequest;

    /// The question for the order.
    fn look_up(&self) -> ServiceRequest;

    /// The order in the service's answer to either, as JavaScript sees it, if it is this one.
    ///
    /// # Errors
    /// SERVICE_MALFORMED with the member that says something else.
    fn recognise(&self, shared: &Shared<H>, answer: &Json) -> Result<Json>;

    /// What is remembered of it, so that nobody signs a second order for the same trade unasked. `None`: each is its
    /// own.
    fn to_remember(&self) -> Option<Agreed> {
        None
    }

    /// The transaction that pre-signs it, with the deposit as its value where one is needed. `None` where the protocol
    /// knows no such transaction.
    ///
    /// # Errors
    /// Those of the service; the RPC's failure.
    fn pre_signature<'a>(&'a self, _client: &'a Client<H>, _signal: &'a H::Signal) -> Work<'a, Option<Transaction>> {
        Box::pin(async { Ok(None) })
    }
}

/// What is known of an order without asking anybody.
pub struct OrderFacts {
    /// The chain whose contract settles it.
    pub chain_id: u64,
    /// Who signs.
    pub owner: Address,
    /// What it is known by: the digest that is signed.
    pub hash: B256,
    /// Until when it can be filled, unix seconds; `None` is until it is cancelled.
    pub deadline: Option<u64>,
    /// The permit that goes along: its hash, and the input it was passed in.
    pub permit: Option<(B256, &'static str)>,
    /// Whether the contract takes a signature as one of a key, before it asks the owner's code.
    pub is_key_first: bool,
    /// Whether the service may want a deposit before it takes the order.
    pub may_need_deposit: bool,
    /// What was said at the build to an order for the same trade that is signed.
    pub again: Option<Again>,
}

/// How the owner agrees to an order.
pub enum Authorization {
    /// The wallet is asked for a signature.
    Wallet,
    /// Here it is.
    Given(Vec<u8>),
    /// The wallet is asked for a transaction.
    OnChain,
    /// By a transaction that was sent before.
    Sent,
}

/// A build ready to be signed, or signed already.
pub struct Submission<H: Host> {
    pub order: Box<dyn Signable<H>>,
    pub facts: OrderFacts,
    pub sealed: String,
    pub authorization: Authorization,
    /// Whether it was asked for here: by a build of this client, or by the request said again. Otherwise it is
    /// somebody's signed order, which is posted, and no more.
    pub is_asked_for: bool,
    /// Whether it came as a signed order.
    pub is_signed: bool,
    /// What is said to an order for the same trade that is signed.
    pub again: Option<Again>,
    /// Whether it was built here to replace another, whose nonce it has.
    pub is_replacement: bool,
}

impl<H: Host> Submission<H> {
    /// What is signed, in a form that `submit` takes back. Without bytes it is signed on chain.
    pub fn signed_order(&self, signature: &[u8]) -> String {
        let mut out = ObjectWriter::object();
        self.order.begin_signed(&mut out);
        out.number("chainId", self.facts.chain_id);
        out.value("orderHash", &self.facts.hash);
        out.bytes("signature", signature);
        out.text("sealed", &self.sealed);
        out.close()
    }

    /// The error, with what is signed by then, unless it has it.
    pub fn with_signed_order(&self, mut error: Error, signature: &[u8]) -> Error {
        error.signed_order.get_or_insert_with(|| self.signed_order(signature));
        error
    }
}
