//! Orders and transactions as the ledger has them.

use alloy_primitives::{Address, B256, U256};
use std::ops::Deref;
use std::rc::Rc;
use verify::internal::domain::delta::order::DeltaOrder;

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

/// The immutable part of a Delta order that its owner was asked to sign.
#[derive(Clone, Debug)]
pub struct KnownOrder {
    /// The order itself.
    pub signed: SignedOrder,
    /// The intent's key: the same for every order that makes the same trade (docs/errors.md, `ALREADY_SIGNED`).
    pub intent: B256,
    /// The service's name for orders of this kind, such as `Order` or `TWAPOrder`.
    pub kind: &'static str,
    /// Whether it is a limit order, which waits for its price.
    pub rests: bool,
    /// Whether it may be filled in part, as far as that is known.
    pub is_in_parts: bool,
    /// Whether it sells the native token, out of a deposit and not by an allowance, as far as that is known.
    pub is_native: bool,
    /// The order's nonce. The contract uses it up when the order is filled or cancelled, but not if it is filled in
    /// parts.
    pub nonce: U256,
    /// When it expires, unix seconds.
    pub deadline: u64,
}

/// An order that its owner was asked to sign, and its state now.
#[derive(Clone, Debug)]
pub struct RememberedOrder {
    /// Its immutable part.
    pub known: Rc<KnownOrder>,
    /// The owner is known to have agreed, by a signature or on chain. If `false`, a prompt may be open.
    pub is_signed: bool,
    /// The chain shows that this order cannot be filled any more.
    pub is_over: bool,
    /// The chain shows that its nonce is used, so no other order with that nonce can be filled either.
    pub is_spent: bool,
    /// The signed order as JSON text, until a call reported that it was posted, or how it ended.
    pub signed_order: Option<String>,
    /// Its status in the journal.
    pub status: Option<String>,
    /// The chain [contradicts](super::record::Entry::is_contradicted) that status.
    pub is_contradicted: bool,
    /// The chain shows that a transaction of this client cancelled it.
    pub is_cancelled: bool,
}

impl Deref for RememberedOrder {
    type Target = KnownOrder;

    fn deref(&self) -> &KnownOrder {
        &self.known
    }
}
