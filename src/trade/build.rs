//! The service builds the typed data; it is held against what was asked for before anybody sees it.

use super::approve::{approval_need, missing};
use super::client::Client;
use super::quote::reopen;
use super::seal::{Parts, seal};
use super::sealed_build::{open_build, write_terms};
use crate::domain::intent::{BuildOptions, Intent, Terms};
use crate::domain::text::ToText;
use crate::error::{Error, ErrorCode, Result};
use crate::host::{Event, Host};
use crate::json::{At, Json, Out};
use crate::service::orders;
use crate::wallet::account::current;
use crate::wallet::reads::{Chain, Read};
use alloy_primitives::{Address, U256};

/// Builds and verifies an order for a quote. Returns the build as JavaScript sees it.
///
/// # Errors
/// INVALID_INPUT, QUOTE_EXPIRED, VERIFY_MISMATCH, and those of the service.
pub async fn build<H: Host>(client: &Client<H>, quote: &Json, options: &Json, signal: &H::Signal) -> Result<String> {
    let shared = &client.shared;
    let at = At::input(options, "options");
    let options = BuildOptions::read(&at)?;
    let opened = reopen(client, quote, at.get("request").json(), signal).await?;
    let mut intent = opened.intent;
    let owner = owner(client, &intent, &options, signal).await?;
    intent.account = Some(owner);
    let chain = Chain::find(client, intent.chain_id, signal).await?;
    let mut now = shared.host.unix_ms() / 1_000;
    let mut allowance = None;
    if let Some(chain) = &chain {
        let spender = opened.known.0.delta;
        let read = [
            Read::Time,
            Read::CodeSize(owner),
            Read::Decimals(intent.src.address),
            Read::Decimals(intent.dest.address),
            Read::Allowance(intent.src.address, owner, spender),
        ];
        let found: [U256; 5] = chain.read_all(&read).await?.try_into().unwrap_or_default();
        let [time, code, src, dest, allowed] = found;
        check_account(owner, code)?;
        check_decimals(&intent, src, dest)?;
        now = u64::try_from(time).unwrap_or(now);
        allowance = Some(allowed);
    }
    let deadline = options.deadline.unwrap_or_else(|| now.saturating_add(options.valid_for_secs));
    if deadline <= now {
        return Err(at.get("deadline").fault(&["unix seconds after ", &now.text()].concat()));
    }
    let terms = Terms {
        owner,
        slippage: options.slippage,
        deadline,
        nonce: Some(shared.nonce_for(&intent, owner)),
        min_received: options.min_received,
        max_spent: options.max_spent,
    };
    let answer = orders::build(shared, opened.route, &intent, &terms, signal).await?;
    let parts = Parts::of(&answer)?;
    let started = shared.host.monotonic_ms();
    let mut out = Out::object();
    out.raw("request", &intent.write());
    out.raw("terms", &write_terms(&terms));
    out.number("now", now);
    out.raw("delta", opened.delta);
    out.raw("toSign", parts.raw("toSign")?);
    out.raw("orderHash", parts.raw("orderHash")?);
    let unapproved = [out.text_so_far(), "}"].concat();
    let verdict = open_build(&unapproved, &opened.known);
    let code = verdict.as_ref().err().map(|error| error.code);
    shared.told(Event { kind: "verify", name: "order", started, status: None, code });
    let order = verdict?.order;
    let need = approval_need(&intent, &order, opened.known.0.delta, allowance);
    let need = match (&chain, need) {
        (Some(chain), Some(need)) => Some(missing(chain, need).await?),
        (_, need) => need,
    };
    if let Some(need) = need {
        out.raw("approval", &need.write());
    }
    let text = out.close();
    let mut view = open_build(&text, &opened.known)?.view;
    view.text("sealed", &seal(&shared.secret, &text));
    Ok(view.close())
}

/// Who signs: the one named here, in the request, by the client, or the wallet's first account.
async fn owner<H: Host>(
    client: &Client<H>,
    intent: &Intent,
    options: &BuildOptions,
    signal: &H::Signal,
) -> Result<Address> {
    if let (Some(here), Some(there)) = (&options.account, &intent.account)
        && here != there
    {
        return Err(Error::input("options.account", &there.text(), &here.text()));
    }
    let owner = match options.account.or(intent.account) {
        None => current(client, signal).await?,
        stated => stated,
    };
    owner.ok_or_else(|| Error::input("options.account", "the account that will sign", "nothing"))
}

/// Refuses an owner with code: a signature alone does not bind it here yet.
///
/// # Errors
/// UNSUPPORTED_ACCOUNT.
pub(super) fn check_account(owner: Address, code_size: U256) -> Result<()> {
    if code_size.is_zero() {
        return Ok(());
    }
    let message = [&owner.text(), " has code: only accounts without code can own an order here yet"].concat();
    Err(Error::new(ErrorCode::UnsupportedAccount, &message))
}

/// Compares the caller's decimals with the tokens' own. A wrong one turns 1 into a million before anybody notices.
///
/// # Errors
/// INVALID_INPUT with the member.
pub(super) fn check_decimals(intent: &Intent, src: U256, dest: U256) -> Result<()> {
    for (field, token, own) in [("srcDecimals", &intent.src, src), ("destDecimals", &intent.dest, dest)] {
        if own != U256::from(token.decimals) {
            let field = ["request.", field].concat();
            return Err(Error::input(&field, &["the token's own ", &own.text()].concat(), &token.decimals.text()));
        }
    }
    Ok(())
}
