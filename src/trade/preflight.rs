//! What can be read of an order before anybody is asked to sign it.

use super::build::{check_arrival, check_decimals, dest_decimals};
use super::contracts::contracts;
use super::owner::DELEGATION;
use super::permit::unused;
use super::sealed_build::OpenBuild;
use crate::client::Client;
use crate::domain::chain::Path;
use crate::domain::text::ToText;
use crate::domain::token::is_native;
use crate::error::{Error, ErrorCode, Result};
use crate::host::Host;
use crate::wallet::reads::{Chain, Read};
use alloy_primitives::U256;

/// Whether the order can be filled as things are: decimals, deadline, balance, allowance.
///
/// # Errors
/// INVALID_INPUT, QUOTE_EXPIRED, INSUFFICIENT_BALANCE, INSUFFICIENT_ALLOWANCE; the RPC's failure.
pub(super) async fn preflight<H: Host>(client: &Client<H>, build: &OpenBuild, signal: &H::Signal) -> Result<()> {
    let OpenBuild { intent, verified, spender, .. } = build;
    if let Some(permit) = &build.terms.permit {
        unused(&client.shared, &permit.hash(), "build.permit")?;
    }
    let chain = Chain::need(client, intent.chain_id, signal).await?;
    let (token, owner) = (&intent.src.address, &verified.figures.owner);
    let wrapped = contracts(&client.shared, intent.chain_id, Path::Delta, signal).await?.0.wrapped_native;
    let reads = [
        Read::Decimals(token),
        dest_decimals(intent),
        Read::Time,
        Read::Balance(token, owner),
        // The native coin has no allowance. What was deposited of it counts as it does itself.
        match (is_native(*token), &wrapped) {
            (false, _) => Read::Allowance(token, owner, spender),
            (true, Some(wrapped)) => Read::Balance(wrapped, owner),
            (true, None) => Read::Balance(token, owner),
        },
    ];
    settles(build, &chain.read_all(&reads).await?)?;
    if intent.is_crosschain() && intent.beneficiary.is_none() {
        let code = chain.read(Read::CodeSize(owner)).await?;
        // What has code of its own here may be nobody's there, or somebody else's.
        if !code.is_zero() && code != U256::from(DELEGATION) {
            let expected = "who receives on the other chain: an account with code may not be its owner's there";
            return Err(Error::input("request.beneficiary", expected, "nobody named"));
        }
    }
    check_arrival(client, intent, signal).await
}

fn settles(build: &OpenBuild, found: &[U256]) -> Result<()> {
    let [src_decimals, dest_decimals, now, balance, taken_from] = found else { return Err(Error::unread()) };
    let OpenBuild { intent, verified, .. } = build;
    let figures = &verified.figures;
    check_decimals(intent, src_decimals, dest_decimals)?;
    if U256::from(figures.deadline) <= *now {
        let message = "the order's deadline has passed by the chain's clock";
        return Err(Error::new(ErrorCode::QuoteExpired, message));
    }
    let until = build.terms.permit.as_ref().map_or(u64::MAX, |permit| permit.grant.deadline);
    if U256::from(until) < *now {
        return Err(Error::input("build.permit", "a permit that has not run out (sign another)", &until.text()));
    }
    let native = is_native(intent.src.address);
    let permitted = native || verified.order.has("permit") && !verified.order.bytes("permit").is_empty();
    let balance = if native { balance.max(taken_from) } else { balance };
    for (code, field, found) in [
        (ErrorCode::InsufficientBalance, "balance", balance),
        (ErrorCode::InsufficientAllowance, "allowance", if permitted { balance } else { taken_from }),
    ] {
        enough(code, field, &figures.spent, found)?;
    }
    Ok(())
}

/// Whether there is as much as is needed, raw units of both.
///
/// # Errors
/// That code with that field.
pub(super) fn enough(code: ErrorCode, field: &str, needed: &U256, found: &U256) -> Result<()> {
    if found < needed {
        return Err(Error::at(code, "not enough: ", field, &needed.text(), &found.text()));
    }
    Ok(())
}
