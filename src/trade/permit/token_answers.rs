//! What the contract that would take a permit says of itself.

use crate::domain::erc20::word;
use crate::domain::permit::domain::{DomainFields, contract, proved};
use crate::domain::permit::{Grant, PermitKind, calls, typed};
use crate::domain::text::ToText;
use crate::domain::typed_struct::TypedStruct;
use crate::error::{Error, ErrorCode, Result};
use crate::host::Host;
use crate::wallet::reads::{Batch, Chain, Read};
use alloy_primitives::{B256, U256, keccak256};

/// The answers to its view functions, as ABI bytes; empty where it has none, or was not asked.
#[derive(Default)]
pub struct TokenAnswers {
    /// `nonces(owner)`; of Permit2 `allowance(owner, token, spender)`.
    number: Vec<u8>,
    separator: Vec<u8>,
    type_hash: Vec<u8>,
    domain: Vec<u8>,
    name: Vec<u8>,
    version: Vec<u8>,
}

impl TokenAnswers {
    /// Asks it.
    ///
    /// # Errors
    /// The RPC's failure.
    pub async fn read<H: Host>(chain: &Chain<'_, H>, grant: &Grant) -> Result<TokenAnswers> {
        let (mut batch, to) = (Batch::default(), contract(grant.kind, grant.token));
        let mut ask = |data: &[u8]| batch.add(Read::view(&to, data));
        let by_permit2 = grant.kind.by_permit2();
        let number = ask(&match by_permit2 {
            true => calls::allowance(grant.owner, grant.token, grant.spender),
            false => calls::nonces(grant.owner),
        });
        let separator = ask(&calls::DOMAIN_SEPARATOR);
        // Permit2 is known by name.
        let mut ask_token = |data: &[u8]| (!by_permit2).then(|| ask(data));
        let type_hash = ask_token(&calls::PERMIT_TYPEHASH);
        let domain = ask_token(&calls::EIP712_DOMAIN);
        let (name, version) = (ask_token(&calls::NAME), ask_token(&calls::VERSION));
        let answers = chain.ask(batch).await?;
        let mut found = TokenAnswers::default();
        for (place, read) in [
            (&mut found.number, Some(number)),
            (&mut found.separator, Some(separator)),
            (&mut found.type_hash, type_hash),
            (&mut found.domain, domain),
            (&mut found.name, name),
            (&mut found.version, version),
        ] {
            *place = answers.get_or_default(read)?;
        }
        Ok(found)
    }

    /// Fills in the number that the contract expects next; of an allowance that is there, how far it goes.
    ///
    /// # Errors
    /// INVALID_INPUT where it has none; INSUFFICIENT_ALLOWANCE.
    pub fn settle_nonce(&self, grant: &mut Grant, now: u64) -> Result<()> {
        let part = |index: usize| self.number.get(index.saturating_mul(32)..).and_then(word);
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
    pub fn prove_domain(&self, grant: &Grant) -> Result<TypedStruct> {
        let said = match grant.kind.by_permit2() {
            true => DomainFields::permit2(),
            false => {
                let expected = typed::encoded(grant.kind).map(keccak256).unwrap_or_default();
                if self.type_hash.len() == 32 && self.type_hash != expected.as_slice() {
                    return Err(refused("it signs another kind"));
                }
                DomainFields::of([&self.domain, &self.name, &self.version])
            }
        };
        let separator =
            B256::try_from(self.separator.as_slice()).map_err(|_| refused("it has no DOMAIN_SEPARATOR()"))?;
        let found = proved(separator, &said, grant.chain_id, contract(grant.kind, grant.token));
        found.ok_or_else(|| refused("its DOMAIN_SEPARATOR() is of no known domain"))
    }
}

/// The token takes no such permit, or cannot be shown to.
pub fn refused(why: &str) -> Error {
    Error::input("options.kind", "a permit that the token can be shown to take: approve instead", why)
}
