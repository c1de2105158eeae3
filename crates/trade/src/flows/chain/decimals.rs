//! The decimals stated by a caller, compared with the tokens' own.
//!
//! Amounts are passed in raw units and shown in units. With wrong decimals, the shown amounts are off by powers of ten,
//! and so are the prices that are checked. A token of the table has its own decimals already
//! ([`Token::settle_decimals`]): no node is asked.

use crate::client::Client;
use crate::host::Host;
use crate::wallet::chain::Chain;
use crate::wallet::reads::Read;
use alloy_primitives::U256;
use verify::internal::domain::asset;
use verify::internal::domain::delta::terms::Terms;
use verify::internal::domain::input::chain_id;
use verify::internal::domain::intent::{Intent, Token};
use verify::internal::domain::token::own_decimals;
use verify::internal::error::Result;
use verify::internal::json::{JsonAt, ObjectWriter, array};
use verify::internal::value::text::ToText;

/// Compares the caller's decimals with `src` and `dest`, the tokens' own on the source chain.
///
/// # Errors
/// INVALID_INPUT with `request.srcDecimals` or `request.destDecimals`.
pub fn check_decimals(intent: &Intent, src: &U256, dest: &U256) -> Result<()> {
    check_token("srcDecimals", &intent.src, src)?;
    // Crosschain, `dest` is the bridge input, not the destination token.
    if intent.is_crosschain() { Ok(()) } else { check_token("destDecimals", &intent.dest, dest) }
}

/// Compares the decimals of one token; `member` is the request's member that states them.
fn check_token(member: &str, token: &Token, own: &U256) -> Result<()> {
    own_decimals(&["request.", member].concat(), token.decimals, own)
}

/// Compares the decimals of the destination token with its own, for a trade across chains whose destination can be
/// read. Returns whether they are known: if the chain cannot be read, those of a token in no table are the caller's
/// word only.
///
/// # Errors
/// INVALID_INPUT with `request.destDecimals`; the RPC's failure.
pub async fn check_arriving_decimals<H: Host>(client: &Client<H>, intent: &Intent, signal: &H::Signal) -> Result<bool> {
    if !intent.is_crosschain() || asset::decimals(intent.dest_chain_id, intent.dest.address).is_some() {
        return Ok(true);
    }
    let Some(chain) = Chain::find(client, intent.dest_chain_id, signal).await? else { return Ok(false) };
    let own = chain.read(Read::decimals(intent.dest_chain_id, &intent.dest.address)).await?;
    check_token("destDecimals", &intent.dest, &own)?;
    Ok(true)
}

/// Writes the bridge input's decimals into the terms, as the token states them on the source chain.
///
/// # Errors
/// INVALID_INPUT with `options.advanced.bridgeInputDecimals` if the caller stated others.
pub fn adopt_bridge_input_decimals(terms: &mut Terms, own: &U256) -> Result<()> {
    let field = "options.advanced.bridgeInputDecimals";
    let least = u8::try_from(*own).unwrap_or(u8::MAX);
    own_decimals(field, terms.bridge_input.decimals.unwrap_or(least), own)?;
    terms.bridge_input.decimals = Some(least);
    Ok(())
}

/// Writes the chains that could not be read into the build, to be sealed with it.
pub fn write_unread(out: &mut ObjectWriter, chains: &[u64]) {
    if !chains.is_empty() {
        let chains: Vec<String> = chains.iter().map(|chain_id| chain_id.text()).collect();
        out.raw("unread", &array(&chains));
    }
}

/// The chains that [`write_unread`] wrote into the object `inside`.
///
/// # Errors
/// INVALID_INPUT if it is no list of chains.
pub fn read_unread(inside: &JsonAt<'_>) -> Result<Vec<u64>> {
    let chains = inside.get("unread");
    if chains.is_absent() { Ok(vec![]) } else { chains.items()?.map(|at| chain_id(&at)).collect() }
}
