//! The statements about itself of the contract that takes a permit: the token, or Permit2.
//!
//! Tokens differ in the domain that they sign for. EIP-5267 (<https://eips.ethereum.org/EIPS/eip-5267>) lets a token
//! state it; most do not, so candidates are hashed until one gives the token's `DOMAIN_SEPARATOR()`.

use super::domain::{DomainFields, contract, find_domain};
use super::{Grant, PermitKind, typed};
use crate::domain::erc20::word;
use crate::domain::typed_struct::TypedStruct;
use crate::error::{Error, ErrorCode, Result};
use crate::value::text::ToText;
use alloy_primitives::{B256, U256, keccak256};

/// The contract's answers to its view functions, as ABI bytes; empty if it does not have the function, or it was not
/// called.
#[derive(Default)]
pub struct TokenAnswers {
    /// `nonces(owner)`; for Permit2 `allowance(owner, token, spender)`: amount, expiration, nonce.
    pub number: Vec<u8>,
    /// The answer of `DOMAIN_SEPARATOR()` (EIP-2612).
    pub separator: Vec<u8>,
    /// The answer of `PERMIT_TYPEHASH()`.
    pub type_hash: Vec<u8>,
    /// The answer of `eip712Domain()` (EIP-5267).
    pub domain: Vec<u8>,
    /// The answer of `name()`.
    pub name: Vec<u8>,
    /// The answer of `version()`.
    pub version: Vec<u8>,
}

impl TokenAnswers {
    /// Writes the nonce that the contract expects next into the grant; for an allowance that Permit2 has already, its
    /// amount and its end. `now` is unix seconds.
    ///
    /// # Errors
    /// INVALID_INPUT with `options.kind` if the contract has no such permits; INSUFFICIENT_ALLOWANCE if Permit2's
    /// allowance is too low or has ended.
    pub fn settle_nonce(&self, grant: &mut Grant, now: u64) -> Result<()> {
        let part = |index: usize| self.number.get(index.saturating_mul(32)..).and_then(word);
        let none = || refused("this token has no such permits (no nonces()), or Permit2 is not on that chain");
        match grant.kind {
            // The nonce is random: any unused one will do.
            PermitKind::Permit2Transfer => {}
            PermitKind::Permit2Allowance => grant.nonce = part(2).ok_or_else(none)?,
            PermitKind::Eip2612 => grant.nonce = part(0).ok_or_else(none)?,
            PermitKind::Permit2Existing => {
                let (amount, until) = (part(0).ok_or_else(none)?, part(1).ok_or_else(none)?);
                let until = u64::try_from(until).unwrap_or(u64::MAX);
                if amount < grant.amount || until < now {
                    let expected = [&grant.amount.text(), " until after ", &now.text()].concat();
                    let actual = [&amount.text(), " until ", &until.text()].concat();
                    let subject = "Permit2 has no such allowance: ";
                    let code = ErrorCode::InsufficientAllowance;
                    return Err(Error::at(code, subject, "allowance", &expected, &actual));
                }
                (grant.amount, grant.deadline, grant.nonce) = (amount, until, U256::ZERO);
            }
        }
        Ok(())
    }

    /// The domain to sign for: the candidate that hashes to the contract's `DOMAIN_SEPARATOR()`. Refuses a contract
    /// that states the type hash of another kind of permit.
    ///
    /// # Errors
    /// INVALID_INPUT with `options.kind`: approve instead.
    pub fn prove_domain(&self, grant: &Grant) -> Result<TypedStruct> {
        let fields = match grant.kind.by_permit2() {
            true => DomainFields::permit2(),
            false => {
                let expected = typed::type_text(grant.kind).map(keccak256).unwrap_or_default();
                if self.type_hash.len() == 32 && self.type_hash != expected.as_slice() {
                    return Err(refused("its PERMIT_TYPEHASH() is of another kind of permit"));
                }
                DomainFields::of([&self.domain, &self.name, &self.version])
            }
        };
        let separator =
            B256::try_from(self.separator.as_slice()).map_err(|_| refused("it has no DOMAIN_SEPARATOR()"))?;
        let found = find_domain(separator, &fields, grant.chain_id, contract(grant.kind, grant.token));
        found.ok_or_else(|| refused("its DOMAIN_SEPARATOR() is of no known domain"))
    }
}

/// The error for a token that takes no such permit, or of which it cannot be proven.
pub fn refused(why: &str) -> Error {
    Error::input("options.kind", "a permit that the token can be shown to take: approve instead", why)
}
