//! The decimals that a caller states, against the tokens' own: a wrong one turns 1 into a million before anybody
//! notices.

use crate::client::Client;
use crate::domain::delta::terms::Terms;
use crate::domain::intent::{Intent, Token};
use crate::domain::token::own_decimals;
use crate::error::Result;
use crate::host::Host;
use crate::wallet::reads::{Chain, Read};
use alloy_primitives::U256;

/// Compares the caller's decimals with the tokens' own.
///
/// # Errors
/// INVALID_INPUT with the member.
pub fn check_decimals(intent: &Intent, src: &U256, dest: &U256) -> Result<()> {
    check_token("srcDecimals", &intent.src, src)?;
    // What arrives on another chain is not read here, but what enters the bridge.
    if intent.is_crosschain() { Ok(()) } else { check_token("destDecimals", &intent.dest, dest) }
}

fn check_token(member: &str, token: &Token, own: &U256) -> Result<()> {
    own_decimals(&["request.", member].concat(), token.decimals, own)
}

/// Compares the decimals of a token on another chain with its own, where that chain can be read.
///
/// # Errors
/// INVALID_INPUT with the member; the RPC's failure.
pub async fn check_arriving_decimals<H: Host>(client: &Client<H>, intent: &Intent, signal: &H::Signal) -> Result<()> {
    if intent.is_crosschain()
        && let Some(chain) = Chain::find(client, intent.dest_chain_id, signal).await?
    {
        let own = chain.read(Read::decimals(&intent.dest.address)).await?;
        check_token("destDecimals", &intent.dest, &own)?;
    }
    Ok(())
}

/// Takes over the own decimals of what enters the bridge, as the source chain says them.
///
/// # Errors
/// INVALID_INPUT where the caller stated others.
pub fn adopt_entering_decimals(terms: &mut Terms, own: &U256) -> Result<()> {
    let field = "options.enteringDecimals";
    let least = u8::try_from(*own).unwrap_or(u8::MAX);
    own_decimals(field, terms.entering.decimals.unwrap_or(least), own)?;
    terms.entering.decimals = Some(least);
    Ok(())
}
