//! `approvals.list`: the tokens to read, and how much of each can be taken.

use crate::client::{Client, Shared};
use crate::flows::allowances::logged::add_logged;
use crate::flows::allowances::queries::{AllowanceQueries, MAX_TOKENS};
use crate::flows::allowances::spenders::find_spenders;
use crate::flows::call::CallArgs;
use crate::flows::chain::balances::find_account;
use crate::flows::journal::sync::sync;
use crate::host::Host;
use crate::wallet::chain::Chain;
use alloy_primitives::Address;
use verify::internal::domain::asset::{ASSETS, wrapped_native};
use verify::internal::domain::input::{account, chain_id, known, optional};
use verify::internal::error::Result;
use verify::internal::json::{JsonAt, ObjectWriter, array, parse, quoted};
use verify::internal::value::text::ToText;

/// The call `approvals.list`: the allowances that an account has given the service's contracts, old ones too. Returns the
/// `Allowances` as JSON text.
///
/// # Errors
/// INVALID_INPUT with the query's member, or if the chain cannot be read; UNSUPPORTED_CHAIN if no contract of it is
/// known; the RPC's failure.
pub async fn allowances<H: Host>(client: &Client<H>, call: &CallArgs<'_, H>) -> Result<String> {
    let (at, signal) = (JsonAt::input(call.data, "query"), call.signal);
    known(&at, &["chainId", "account", "tokens"])?;
    let chain_id = chain_id(&at.get("chainId"))?;
    let given = optional(&at.get("tokens"), tokens)?;
    let owner = find_account(client, &at.get("account"), signal).await?;
    let spenders = find_spenders(client, chain_id, signal).await?;
    let chain = Chain::need(client, chain_id, signal).await?;
    let (mut list, mut from) = (AllowanceQueries::default(), None);
    match given {
        Some(given) => list.add_tokens(given, spenders.len()),
        None => {
            sync(client, signal).await?;
            list.add_tokens(known_tokens(&client.shared, chain_id, owner), spenders.len());
            from = add_logged(&chain, owner, &spenders, &mut list).await?;
        }
    }
    let (batch, asked) = list.questions(owner, &spenders);
    let answers = chain.ask(batch).await?;
    let machine = client.shared.host.unix_ms() / 1_000;
    let found = list.found(&asked.take(&answers, chain_id, machine)?, (chain_id, owner), &spenders);
    let mut out = ObjectWriter::object();
    out.number("chainId", chain_id);
    out.value("account", &owner);
    out.number_or_null("fromBlock", from);
    out.raw("allowances", &array(&found));
    let unread: Vec<String> = list.unread.iter().map(|token| quoted(&token.text())).collect();
    out.raw("unread", &array(&unread));
    Ok(out.close())
}

/// The tokens that a query names.
///
/// # Errors
/// INVALID_INPUT if it is no list of addresses, or too long a one.
fn tokens(at: &JsonAt<'_>) -> Result<Vec<Address>> {
    let items = at.items()?;
    if items.len() > MAX_TOKENS {
        return Err(at.fault(&["at most ", &MAX_TOKENS.text(), " tokens"].concat()));
    }
    let mut tokens = Vec::with_capacity(items.len());
    for item in items {
        tokens.push(account(&item)?);
    }
    Ok(tokens)
}

/// The tokens of a chain that this package has by itself, and those that the owner's trades in the journal gave or
/// approved.
fn known_tokens<H: Host>(shared: &Shared<H>, chain_id: u64, owner: Address) -> Vec<Address> {
    let mut tokens: Vec<Address> = Vec::new();
    for asset in &ASSETS {
        for (chain, token, _) in asset.tokens {
            if *chain == chain_id {
                tokens.push(*token);
            }
        }
    }
    tokens.extend(wrapped_native(chain_id));
    for entry in shared.ledger.trades(|entry| (entry.chain_id, entry.owner) == (chain_id, owner)) {
        let Ok(summary) = parse(&entry.summary) else { continue };
        let at = JsonAt::input(&summary, "summary");
        let request = at.get("request");
        let named = [request.get("srcToken"), request.get("makerAsset"), at.get("approval").get("token")];
        for token in &named {
            tokens.extend(token.address().ok());
        }
    }
    tokens
}
