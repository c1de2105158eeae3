//! Reading OTC orders, and what is left of them.

use super::passed::passed;
use crate::client::Client;
use crate::domain::input::{MAX_EXACT, account, chain_id, known, optional};
use crate::domain::otc::fill::left;
use crate::domain::text::{ToText, joined};
use crate::error::{Error, Result};
use crate::host::Host;
use crate::json::{At, Json, array, parse, quoted, truth};
use crate::service::otc;
use crate::trade::orders::{page, who};
use crate::wallet::reads::Chain;
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

/// What the RFQ contract says is left of an order, raw units of the maker's asset; of each of a list, in its order.
///
/// # Errors
/// INVALID_INPUT; VERIFY_MISMATCH where an order's hash is not that of its members; UNSUPPORTED_CHAIN; the RPC's failure.
pub async fn otc_remaining<H: Host>(client: &Client<H>, orders: &Json, signal: &H::Signal) -> Result<String> {
    let mut passed = passed(client, orders, false, signal).await?;
    passed.read(&Chain::need(client, passed.chain_id, signal).await?, false).await?;
    let mut all = Vec::new();
    for one in &passed.orders {
        one.intact()?;
        all.push(quoted(&left(&one.signed.order, one.remaining).text()));
    }
    Ok(if matches!(orders, Json::Array(_)) { array(&all) } else { all.concat() })
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
