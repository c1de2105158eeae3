//! What the contract that would take a permit says of itself.

use crate::domain::erc20::word;
use crate::domain::permit::domain::{DomainFields, contract, proved};
use crate::domain::permit::{Grant, PermitKind, calls, typed};
use crate::domain::text::ToText;
use crate::domain::typed_struct::TypedStruct;
use crate::error::{Error, ErrorCode, Result};
use alloy_primitives::{Address, B256, U256, keccak256};

/// What to ask it, in the order of [`TokenAnswers`].
pub fn questions(grant: &Grant) -> Vec<(Address, Vec<u8>)> {
    let to = contract(grant.kind, grant.token);
    let by_permit2 = grant.kind.by_permit2();
    let number = match by_permit2 {
        true => calls::allowance(grant.owner, grant.token, grant.spender),
        false => calls::nonces(grant.owner),
    };
    let mut questions = vec![(to, number), (to, calls::DOMAIN_SEPARATOR.to_vec())];
    // Permit2 is known by name.
    if !by_permit2 {
        for question in [calls::PERMIT_TYPEHASH, calls::EIP712_DOMAIN, calls::NAME, calls::VERSION] {
            questions.push((to, question.to_vec()));
        }
    }
    questions
}

/// The answers; empty where it has none.
pub struct TokenAnswers(pub Vec<Vec<u8>>);

impl TokenAnswers {
    fn get(&self, index: usize) -> &[u8] {
        self.0.get(index).map_or(&[], Vec::as_slice)
    }

    /// Fills in the number that the contract expects next; of an allowance that is there, how far it goes.
    ///
    /// # Errors
    /// INVALID_INPUT where it has none; INSUFFICIENT_ALLOWANCE.
    pub fn number(&self, grant: &mut Grant, now: u64) -> Result<()> {
        let part = |index: usize| self.get(0).get(index.saturating_mul(32)..).and_then(word);
        let none = || refused("this token has no such permits (no nonces()), or Permit2 is not on that chain");
        match grant.kind {
            // Drawn at random: any number that was not used will do.
            PermitKind::Permit2Transfer => {}
            PermitKind::Permit2Allowance => grant.nonce = part(2).ok_or_else(none)?,
            PermitKind::Eip2612 => grant.nonce = part(0).ok_or_else(none)?,
            PermitKind::Dai => {
                grant.nonce = part(0).ok_or_else(none)?;
                // It knows all or nothing.
                grant.amount = U256::MAX;
            }
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

    /// The domain, proved; and that the contract takes that kind of permit, where it says so.
    ///
    /// # Errors
    /// INVALID_INPUT: approve instead.
    pub fn domain(&self, grant: &Grant) -> Result<TypedStruct> {
        let said = match grant.kind.by_permit2() {
            true => DomainFields::permit2(),
            false => {
                let expected = typed::encoded(grant.kind).map(keccak256).unwrap_or_default();
                let type_hash = self.get(2);
                if type_hash.len() == 32 && type_hash != expected.as_slice() {
                    return Err(refused("it signs another kind"));
                }
                DomainFields::of([self.get(3), self.get(4), self.get(5)])
            }
        };
        let separator = B256::try_from(self.get(1)).map_err(|_| refused("it has no DOMAIN_SEPARATOR()"))?;
        let found = proved(separator, &said, grant.chain_id, contract(grant.kind, grant.token));
        found.ok_or_else(|| refused("its DOMAIN_SEPARATOR() is of no known domain"))
    }
}

/// The token takes no such permit, or cannot be shown to.
pub fn refused(why: &str) -> Error {
    Error::input("options.kind", "a permit that the token can be shown to take: approve instead", why)
}
