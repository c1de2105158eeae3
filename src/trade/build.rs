//! The service builds the typed data; it is held against what was asked for before anybody sees it.

use super::approve::read_approval;
use super::client::Client;
use super::quote::reopen;
use super::sealed_build::{Parts, open_build};
use crate::domain::address::checksummed;
use crate::domain::intent::{BuildOptions, Intent, Terms};
use crate::domain::text::ToText;
use crate::error::{Error, ErrorCode, Result};
use crate::host::{Event, Host};
use crate::join::join;
use crate::json::{At, Fault, Json, members};
use crate::service::orders;
use crate::wallet::account::current;
use crate::wallet::reads::Chain;
use crate::wallet::rpc::reader;
use alloy_primitives::{Address, U256};

/// Builds and verifies an order for a quote. Returns the build as JavaScript sees it.
///
/// # Errors
/// INVALID_INPUT, QUOTE_EXPIRED, VERIFY_MISMATCH, and those of the service.
pub async fn build<H: Host>(client: &Client<H>, quote: &Json, options: &Json, signal: &H::Signal) -> Result<Json> {
    let at = At::root(options, "options");
    let options_read = BuildOptions::read(at).map_err(Error::input)?;
    let request = at.get("request");
    let (opened, known) = reopen(client, quote, request.json(), signal).await?;
    let mut intent = opened.intent;
    let owner = owner(client, &intent, &options_read, signal).await?;
    intent.account = Some(owner);
    let chain = reader(client, intent.chain_id, signal).await?.map(|rpc| Chain { client, rpc, signal });
    let now = now(client, chain.as_ref()).await?;
    let deadline = options_read.deadline.unwrap_or_else(|| now.saturating_add(options_read.valid_for_secs));
    if deadline <= now {
        return Err(Error::input(at.get("deadline").fault(&["unix seconds after ", &now.text()].concat())));
    }
    let terms = Terms {
        owner,
        slippage: options_read.slippage,
        deadline,
        nonce: Some(client.shared.nonce_for(&intent, owner)),
        min_received: options_read.min_received,
        max_spent: options_read.max_spent,
    };
    let answer = orders::build(&client.shared, opened.route, &intent, &terms, signal).await?;
    let parts = members(&answer).map_err(Error::not_json)?;
    let part = |name: &str| {
        let raw = parts.iter().find(|(n, _)| n == name).map(|(_, raw)| *raw);
        raw.ok_or_else(|| Error::malformed(Fault::new(name, "the typed data of an order", "nothing")))
    };
    let (to_sign, order_hash) = (part("toSign")?, part("orderHash")?);
    let started = client.shared.host.monotonic_ms();
    let sealed_text = |approval: Json| {
        Parts { intent: &intent, terms: &terms, now, delta: opened.delta, to_sign, order_hash, approval }.text()
    };
    let verdict = open_build(&sealed_text(Json::Null), &known);
    let ms = client.shared.host.monotonic_ms().saturating_sub(started);
    let code = verdict.as_ref().err().map(|error| error.code.name());
    client.shared.host.event(Event { kind: "verify", name: "order", ok: verdict.is_ok(), ms, status: None, code });
    let verified = verdict?.verified;
    let spent = verified.order.srcAmount;
    let approval = match &chain {
        Some(chain) => {
            let read = read_approval(chain, intent.chain_id, intent.src.address, owner, known.0.delta, spent);
            let (approval, decimals) = join(read, check_decimals(chain, &intent)).await;
            decimals?;
            Json::or_null(approval?.map(|need| need.write()))
        }
        None => super::approve::ApprovalNeed {
            chain_id: intent.chain_id,
            token: intent.src.address,
            owner,
            spender: known.0.delta,
            amount: spent,
            current: None,
            reset_first: false,
        }
        .write(),
    };
    let text = sealed_text(approval);
    Ok(open_build(&text, &known)?.sealed(client, &text))
}

/// Who signs: the one named here, in the request, by the client, or the wallet's first account.
async fn owner<H: Host>(
    client: &Client<H>,
    intent: &Intent,
    options: &BuildOptions,
    signal: &H::Signal,
) -> Result<Address> {
    let stated = match (options.account, intent.account) {
        (Some(here), Some(there)) if here != there => {
            let fault = Fault::new("options.account", checksummed(there), checksummed(here));
            return Err(Error::input(fault));
        }
        (here, there) => here.or(there),
    };
    let owner = match stated {
        Some(owner) => Some(owner),
        None => current(client, signal).await?,
    };
    owner.ok_or_else(|| Error::input(Fault::new("options.account", "the account that will sign", "nothing")))
}

/// Unix seconds: the chain's, where it can be read.
pub(super) async fn now<H: Host>(client: &Client<H>, chain: Option<&Chain<'_, H>>) -> Result<u64> {
    match chain {
        Some(chain) => chain.time().await,
        None => Ok(client.shared.host.unix_ms().saturating_div(1_000)),
    }
}

/// Compares the caller's decimals with the tokens' own. A wrong one turns 1 into a million before anybody notices.
///
/// # Errors
/// INVALID_INPUT with the member.
pub(super) async fn check_decimals<H: Host>(chain: &Chain<'_, H>, intent: &Intent) -> Result<()> {
    let read = |token: Address| chain.decimals(intent.chain_id, token);
    let (src, dest) = join(read(intent.src.address), read(intent.dest.address)).await;
    for (field, token, own) in [("srcDecimals", &intent.src, src?), ("destDecimals", &intent.dest, dest?)] {
        if own != U256::from(token.decimals) {
            let field = ["request.", field].concat();
            let expected = ["the token's own ", &own.text()].concat();
            return Err(Error::input(Fault::new(field, expected, token.decimals.text())));
        }
    }
    Ok(())
}

/// Refuses owners that a signature alone can not bind on this chain yet.
///
/// # Errors
/// UNSUPPORTED_ACCOUNT.
pub(super) async fn check_code<H: Host>(chain: &Chain<'_, H>, owner: Address) -> Result<()> {
    if chain.code(owner).await?.is_empty() {
        return Ok(());
    }
    let message = [
        &checksummed(owner),
        " has code (a smart account or a delegated account); only accounts without code can own an order here",
    ];
    Err(Error::new(ErrorCode::UnsupportedAccount, message.concat()))
}
