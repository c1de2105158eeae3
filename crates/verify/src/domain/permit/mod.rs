//! Permits: signatures in place of an approval. Each binds a token, a spender, an amount and a deadline
//! (docs/verification.md, "A permit").
//!
//! This file defines a permit's permission and whether it fits a trade; `verify/permit.rs` checks that it covers one.
//! [`typed`] has the signed struct, [`domain`] its domain, [`layout`] the bytes that orders and calldata carry,
//! [`calls`] the calls of tokens and of Permit2.

pub mod calls;
pub mod domain;
pub mod layout;
pub mod token_answers;
pub mod typed;

use super::chain::Protocol;
use crate::domain::erc20::word;
use crate::domain::fields::{Fields, members};
use crate::domain::input::{MAX_EXACT, chain_id, known_in, one_of};
use crate::error::Result;
use crate::json::{JsonAt, ObjectWriter};
use crate::value::text::ToText;
use alloy_primitives::{Address, B256, U256, address, keccak256};

/// The Permit2 contract: one address on every chain that has it.
pub const PERMIT2: Address = address!("0x000000000022D473030F116dDEE9F6B43aC78BA3");

/// The form of a permit's signature, and the contract that verifies it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PermitKind {
    /// The token itself verifies it, for an amount (EIP-2612, <https://eips.ethereum.org/EIPS/eip-2612>).
    #[default]
    Eip2612,
    /// Permit2 verifies it, for one transfer of exactly that amount.
    Permit2Transfer,
    /// Permit2 verifies it, as an allowance that expires.
    Permit2Allowance,
    /// An allowance that Permit2 has already recorded: nothing is signed.
    Permit2Existing,
}

impl PermitKind {
    /// Every kind with its name in JavaScript.
    pub const ALL: [(PermitKind, &str); 4] = [
        (PermitKind::Eip2612, "eip2612"),
        (PermitKind::Permit2Transfer, "permit2Transfer"),
        (PermitKind::Permit2Allowance, "permit2Allowance"),
        (PermitKind::Permit2Existing, "permit2Existing"),
    ];

    /// Reads a kind by its name in JavaScript.
    ///
    /// # Errors
    /// INVALID_INPUT for any other text.
    pub fn read(at: &JsonAt<'_>) -> Result<PermitKind> {
        let expected = "one of eip2612, permit2Transfer, permit2Allowance, permit2Existing";
        one_of(at, &PermitKind::ALL, expected)
    }

    /// The kind's name in JavaScript.
    pub fn label(self) -> &'static str {
        PermitKind::ALL.iter().find(|(kind, _)| *kind == self).map_or("", |(_, label)| label)
    }

    /// The kinds to use instead on this protocol, in words for an error; `None` if its contract takes this kind.
    pub fn instead_on(self, protocol: Protocol) -> Option<&'static str> {
        let (taken, kinds) = match protocol {
            Protocol::Delta => (true, ""),
            Protocol::Market => (
                !matches!(self, PermitKind::Permit2Allowance | PermitKind::Permit2Existing),
                "eip2612 or permit2Transfer, on this path",
            ),
            Protocol::Otc => (!self.by_permit2(), "eip2612, on this path"),
        };
        (!taken).then_some(kinds)
    }

    /// Whether Permit2 verifies it; otherwise the token does.
    pub fn by_permit2(self) -> bool {
        self != PermitKind::Eip2612
    }
}

/// The permission of a permit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grant {
    /// The form of its signature.
    pub kind: PermitKind,
    /// The chain on which it counts.
    pub chain_id: u64,
    /// The token that may be taken.
    pub token: Address,
    /// The account that signed it, and owns the tokens.
    pub owner: Address,
    /// The account that may take the tokens.
    pub spender: Address,
    /// The amount that may be taken, raw units.
    pub amount: U256,
    /// Until when it can be used, unix seconds.
    pub deadline: u64,
    /// The signed nonce, which lets it be used once; 0 if nothing is signed.
    pub nonce: U256,
}

impl Grant {
    /// The nonce, if one is signed.
    fn signed_nonce(&self) -> Option<&U256> {
        Some(&self.nonce).filter(|_| self.kind != PermitKind::Permit2Existing)
    }
}

/// A grant with the bytes that go into an order or calldata.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Permit {
    /// The grant that the bytes encode.
    pub grant: Grant,
    /// Its bytes in the form of [`layout`].
    pub bytes: Vec<u8>,
}

/// A permit in an order or in calldata, with what shows whether it is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PermitUse {
    /// The hash of its bytes: see [`Permit::hash`].
    pub hash: B256,
    /// The form of its signature.
    pub kind: PermitKind,
    /// The signed nonce; 0 if nothing is signed.
    pub nonce: U256,
}

impl PermitUse {
    /// Its members as a JSON object.
    pub fn write(&self) -> String {
        let mut out = ObjectWriter::object();
        out.value("hash", &self.hash);
        out.text("kind", self.kind.label());
        out.value("nonce", &self.nonce);
        out.close()
    }

    /// Reads what [`PermitUse::write`] wrote.
    ///
    /// # Errors
    /// INVALID_INPUT with the member.
    pub fn read(at: &JsonAt<'_>) -> Result<PermitUse> {
        let kind = PermitKind::read(&at.get("kind"))?;
        Ok(PermitUse { hash: at.get("hash").fixed::<32>()?.into(), kind, nonce: at.get("nonce").uint()? })
    }

    /// The view function that shows whether it is used: the contract, and the calldata. `None` if nothing is signed.
    pub fn nonce_call(&self, owner: Address, token: Address, spender: Address) -> Option<(Address, Vec<u8>)> {
        let data = match self.kind {
            PermitKind::Eip2612 => calls::nonces(owner),
            PermitKind::Permit2Transfer => calls::nonce_bitmap(owner, self.nonce.wrapping_shr(8)),
            PermitKind::Permit2Allowance => calls::allowance(owner, token, spender),
            PermitKind::Permit2Existing => return None,
        };
        Some((domain::contract(self.kind, token), data))
    }

    /// Whether the answer to [`PermitUse::nonce_call`] shows that it can be used. An answer that cannot be read shows nothing.
    pub fn is_unused(&self, answer: &[u8]) -> bool {
        let part = |index: usize| answer.get(index.saturating_mul(32)..).and_then(word);
        match self.kind {
            PermitKind::Eip2612 => part(0) == Some(self.nonce),
            PermitKind::Permit2Transfer => part(0).is_some_and(|bits| !bits.bit(usize::from(self.nonce.byte(0)))),
            PermitKind::Permit2Allowance => part(2) == Some(self.nonce),
            PermitKind::Permit2Existing => true,
        }
    }
}

/// The payment that a trade is about to take by a permit.
#[derive(Clone, Copy, Debug)]
pub struct Spending {
    /// The chain of the trade.
    pub chain_id: u64,
    /// The token that is taken.
    pub token: Address,
    /// The owner of the tokens.
    pub owner: Address,
    /// The contract that takes them.
    pub spender: Address,
    /// The most that is taken, raw units.
    pub amount: U256,
    /// The order's deadline in unix seconds, which a permit for one transfer must share; `None` for a transaction.
    pub deadline: Option<u64>,
    /// The time by the chain's clock, unix seconds.
    pub now: u64,
}

impl Permit {
    members! { MEMBERS of permit: Permit;
        "kind": required(PermitKind::read, permit.grant.kind), text(permit.grant.kind.label());
        "chainId": required(chain_id, permit.grant.chain_id), number(permit.grant.chain_id);
        "token": required(JsonAt::address, permit.grant.token), value(&permit.grant.token);
        "owner": required(JsonAt::address, permit.grant.owner), value(&permit.grant.owner);
        "spender": required(JsonAt::address, permit.grant.spender), value(&permit.grant.spender);
        "amount": required(JsonAt::uint, permit.grant.amount), value(&permit.grant.amount);
        "deadline": required(|at| at.integer(MAX_EXACT), permit.grant.deadline), number(permit.grant.deadline);
        "nonce": optional(JsonAt::uint, permit.grant.nonce), value_or_null(permit.grant.signed_nonce());
        "bytes": required(JsonAt::bytes, permit.bytes), bytes(&permit.bytes);
    }

    /// The permit as a JSON object that is not closed yet: a seal is added for JavaScript.
    pub fn open(&self) -> ObjectWriter {
        let mut out = ObjectWriter::object();
        Permit::write_members(&mut out, self);
        out
    }

    /// Reads a permit. Its own statements are trusted, so the caller has to check its seal.
    ///
    /// # Errors
    /// INVALID_INPUT with the member that is missing, unknown or malformed.
    pub fn read(at: &JsonAt<'_>) -> Result<Permit> {
        known_in(at, &[&Permit::MEMBERS, &["sealed"]])?;
        let mut permit = Permit::default();
        let mut fields = Fields::of(at);
        Permit::read_members(&mut fields, &mut permit);
        fields.finish()?;
        Ok(permit)
    }

    /// The hash of its bytes: a client remembers it once the permit was submitted, because it can be used only once.
    pub fn hash(&self) -> B256 {
        keccak256(&self.bytes)
    }

    /// Its use in an order or in calldata.
    pub fn in_use(&self) -> PermitUse {
        PermitUse { hash: self.hash(), kind: self.grant.kind, nonce: self.grant.nonce }
    }

    /// The deadline that an order with this permit must have, in unix seconds: that of a permit for one transfer.
    /// `None` for the other kinds.
    pub fn ends_with_order(&self) -> Option<u64> {
        Some(self.grant.deadline).filter(|_| self.grant.kind == PermitKind::Permit2Transfer)
    }

    /// Refuses a permit, passed in at `at`, that was signed for another trade, as far as the trade is known before it
    /// is built; an `amount` of 0 stands for an unknown one.
    ///
    /// # Errors
    /// INVALID_INPUT with the member that does not fit.
    pub fn check_fits(&self, at: &JsonAt<'_>, protocol: Protocol, spending: &Spending) -> Result<()> {
        let grant = &self.grant;
        if let Some(kinds) = grant.kind.instead_on(protocol) {
            return Err(at.get("kind").fault(kinds));
        }
        let is_exact = protocol == Protocol::Delta && grant.kind == PermitKind::Permit2Transfer;
        let is_enough = grant.amount >= spending.amount && (grant.amount == spending.amount || !is_exact);
        let members: [(&str, bool, &dyn ToText); 5] = [
            ("chainId", grant.chain_id == spending.chain_id, &spending.chain_id),
            ("token", grant.token == spending.token, &spending.token),
            ("owner", grant.owner == spending.owner, &spending.owner),
            ("spender", grant.spender == spending.spender, &spending.spender),
            ("amount", is_enough || spending.amount.is_zero(), &spending.amount),
        ];
        for (name, fits, expected) in members {
            if !fits {
                return Err(at.get(name).fault(&[&expected.text(), ", as this trade needs it: sign another"].concat()));
            }
        }
        Ok(())
    }
}
