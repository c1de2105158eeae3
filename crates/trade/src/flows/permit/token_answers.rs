//! The reads of the contract that takes a permit: the token, or Permit2.

use crate::host::Host;
use crate::wallet::chain::Chain;
use crate::wallet::reads::{Batch, Read};
use verify::internal::domain::permit::domain::contract;
use verify::internal::domain::permit::token_answers::TokenAnswers;
use verify::internal::domain::permit::{Grant, calls};
use verify::internal::error::Result;

/// Calls all these functions of the contract in one batch.
///
/// # Errors
/// The RPC's failure; a function that reverts is an empty answer.
pub async fn read_token_answers<H: Host>(chain: &Chain<'_, H>, grant: &Grant) -> Result<TokenAnswers> {
    let (mut batch, to) = (Batch::default(), contract(grant.kind, grant.token));
    let mut ask = |name, data: &[u8]| batch.add(Read::view(&to, data).named(name));
    let by_permit2 = grant.kind.by_permit2();
    let number = ask(
        "nonce",
        &match by_permit2 {
            true => calls::allowance(grant.owner, grant.token, grant.spender),
            false => calls::nonces(grant.owner),
        },
    );
    let separator = ask("domainSeparator", &calls::DOMAIN_SEPARATOR);
    // Permit2's domain and types are known.
    let mut ask_token = |data: &[u8]| (!by_permit2).then(|| ask("domain", data));
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
