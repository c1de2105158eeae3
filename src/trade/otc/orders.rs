//! Reading OTC orders.

use crate::client::Client;
use crate::domain::input::{MAX_EXACT, account, chain_id, known, optional};
use crate::domain::text::{ToText, joined};
use crate::error::{Error, Result};
use crate::host::Host;
use crate::json::{At, Json, parse, truth};
use crate::service::otc;
use crate::trade::orders::{page, who};
use crate::wire;

/// One order, by its hash.
///
/// # Errors
/// INVALID_INPUT; those of the service; SERVICE_REJECTED with status 404 for an unknown one.
pub async fn otc_order<H: Host>(client: &Client<H>, hash: &Json, signal: &H::Signal) -> Result<String> {
    let hash = At::input(hash, "orderHash").fixed::<32>()?.into();
    let text = otc::one(&client.shared, hash, signal).await?;
    wire::otc::stored(&parse(&text).map_err(Error::not_json)?, hash)
}

/// A page of the orders of a maker, or of those for a taker.
///
/// # Errors
/// INVALID_INPUT; those of the service.
pub async fn otc_orders<H: Host>(client: &Client<H>, filter: &Json, signal: &H::Signal) -> Result<String> {
    let at = At::input(filter, "filter");
    known(&at, &["chainId", "maker", "taker", "type", "limit", "offset", "orderBy", "hideSmallBalances"])?;
    let query = query(&at)?;
    let chain_id = chain_id(&at.get("chainId"))?;
    let (maker, taker) = (at.get("maker"), at.get("taker"));
    let (role, named) = match optional(&taker, account)? {
        Some(_) if !maker.is_absent() => return Err(taker.fault("either maker or taker")),
        Some(taker) => ("taker", taker),
        None => ("maker", who(client, &maker, signal).await?),
    };
    let text = otc::page(&client.shared, chain_id, role, named, &query, signal).await?;
    page(&text, "orders", &["limit", "offset", "total"])
}

/// The members of the query, those that are there.
fn query(at: &At<'_>) -> Result<[(&'static str, Option<String>); 5]> {
    let mut query = ["type", "limit", "offset", "orderBy", "hideSmallBalances"].map(|name| (name, None));
    for (name, value) in &mut query {
        if let Some(at) = at.get(name).some() {
            *value = Some(match *name {
                "type" => word(&at, &["P2P", "LIMIT"])?,
                "orderBy" => word(&at, &["createdAt", "updatedAt", "expiry"])?,
                "hideSmallBalances" => truth(at.bool()?).into(),
                name => match at.integer(MAX_EXACT)? {
                    0 if name == "limit" => return Err(at.fault("at least 1")),
                    number => number.text(),
                },
            });
        }
    }
    Ok(query)
}

fn word(at: &At<'_>, words: &[&str]) -> Result<String> {
    match at.text() {
        Ok(text) if words.contains(&text) => Ok(text.into()),
        _ => Err(at.fault(&["one of ", &joined(words, ", ")].concat())),
    }
}
