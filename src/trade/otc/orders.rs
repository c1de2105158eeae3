//! Reading OTC orders, and what is left of them.

use crate::client::{Client, Shared};
use crate::domain::chain::Protocol;
use crate::domain::input::{MAX_EXACT, account, chain_id, known, optional};
use crate::domain::otc::fill::left;
use crate::domain::otc::order;
use crate::domain::text::{ToText, joined};
use crate::domain::typed_struct::{TypedStruct, members};
use crate::error::{Error, Result};
use crate::host::Host;
use crate::json::{Json, JsonAt, array, parse, quoted, truth};
use crate::service::otc;
use crate::trade::call::CallArgs;
use crate::trade::chain::deployment::known_contracts;
use crate::trade::delta::orders::{find_account, write_page};
use crate::trade::delta::reported::annotate;
use crate::trade::otc::orders_input::read_orders;
use crate::wallet::reads::Chain;
use crate::wire;
use alloy_primitives::{Address, B256};

/// One order, by its hash.
///
/// # Errors
/// INVALID_INPUT; those of the service; SERVICE_REJECTED with status 404 for an unknown one; SERVICE_MALFORMED where
/// the answer is about another one.
pub async fn otc_order<H: Host>(client: &Client<H>, call: &CallArgs<'_, H>) -> Result<String> {
    let hash = JsonAt::input(call.data, "orderHash").fixed::<32>()?.into();
    let text = otc::one(&client.shared, hash, call.signal).await?;
    Ok(verify_stored(&client.shared, &parse(&text).map_err(Error::not_json)?, hash)?.write())
}

/// The order in an answer, if it has that hash and a state.
///
/// # Errors
/// SERVICE_MALFORMED with the member that says something else.
pub fn verify_stored<H: Host>(shared: &Shared<H>, answer: &Json, hash: B256) -> Result<Json> {
    let at = JsonAt::service(wire::otc::stored(answer), "order");
    let place = at.get("orderHash");
    if place.fixed::<32>()? != hash.0 {
        return Err(place.fault(&hash.text()));
    }
    at.get("state").text()?;
    let chain_id = at.get("chainId").integer(MAX_EXACT).ok();
    verify_members(shared, &at, chain_id)
}

/// An order whose members, where they can be hashed here, are those of its hash.
///
/// # Errors
/// SERVICE_MALFORMED where they are not.
fn verify_members<H: Host>(shared: &Shared<H>, at: &JsonAt<'_>, chain_id: Option<u64>) -> Result<Json> {
    let Some(json) = at.json() else { return Err(at.fault("an order")) };
    let place = at.get("orderHash");
    let chain_id = chain_id.unwrap_or_default();
    let rfqs: Vec<Address> =
        known_contracts(shared, chain_id).iter().filter_map(|known| known.of(Protocol::Otc)).collect();
    // An order for tokens with an id of their own is of a type that is not known here.
    let is_known = ["makerAssetId", "takerAssetId"].iter().all(|name| at.get(name).is_absent())
        && members(order::ORDER).all(|(name, _)| !at.get(name).is_absent());
    if !is_known || rfqs.is_empty() || place.is_absent() {
        return Ok(annotate(json, false, None));
    }
    let (order, hash) = (TypedStruct::read(order::ORDER, at)?, place.fixed::<32>()?);
    if rfqs.iter().any(|rfq| order.digest(&order::domain(chain_id, *rfq)).digest.0 == hash) {
        return Ok(annotate(json, true, None));
    }
    Err(place.fault("the hash of the order's members"))
}

/// Whether an order is on that list. For a taker are those that name him, as who fills or as who is meant, and those
/// that anybody may fill.
fn check_listed(at: &JsonAt<'_>, chain_id: u64, role: &str, named: Address) -> Result<()> {
    let chain = at.get("chainId");
    if !chain.is_absent() && chain.integer(MAX_EXACT)? != chain_id {
        return Err(chain.fault(&chain_id.text()));
    }
    let party = at.get(if role == "maker" { "maker" } else { "taker" });
    let Some(place) = party.some() else { return Ok(()) };
    let found = place.address()?;
    let meant = Address::from_word(at.get("nonceAndMeta").uint().unwrap_or_default().into());
    let is_on_it = match role {
        "maker" => found == named,
        _ => found == named || meant == named || found.is_zero(),
    };
    if is_on_it { Ok(()) } else { Err(place.fault(&named.text())) }
}

/// What the RFQ contract says is left of an order, raw units of the maker's asset; of each of a list, in its order.
///
/// # Errors
/// INVALID_INPUT; VERIFY_MISMATCH where an order's hash is not that of its members; UNSUPPORTED_CHAIN; the RPC's
/// failure.
pub async fn otc_remaining<H: Host>(client: &Client<H>, call: &CallArgs<'_, H>) -> Result<String> {
    let mut input = read_orders(client, call.data, false, call.signal).await?;
    input.read(&Chain::need(client, input.chain_id, call.signal).await?, false).await?;
    let mut all = Vec::new();
    for one in &input.orders {
        one.check_hash()?;
        all.push(quoted(&left(&one.signed.order, one.remaining).text()));
    }
    Ok(if matches!(call.data, Json::Array(_)) { array(&all) } else { all.concat() })
}

/// A page of the orders of a maker, or of those for a taker. One of somebody else, or of another chain, or one that is
/// not what its own hash says, makes the page another one than was asked for.
///
/// # Errors
/// INVALID_INPUT; those of the service.
pub async fn otc_orders<H: Host>(client: &Client<H>, call: &CallArgs<'_, H>) -> Result<String> {
    let (at, signal) = (JsonAt::input(call.data, "filter"), call.signal);
    known(&at, &["chainId", "maker", "taker", "type", "limit", "offset", "orderBy", "hideSmallBalances"])?;
    let query = query(&at)?;
    let chain_id = chain_id(&at.get("chainId"))?;
    let (maker, taker) = (at.get("maker"), at.get("taker"));
    let (role, named) = match optional(&taker, account)? {
        Some(_) if !maker.is_absent() => return Err(taker.fault("either maker or taker")),
        Some(taker) => ("taker", taker),
        None => ("maker", find_account(client, &maker, signal).await?),
    };
    let text = otc::page(&client.shared, chain_id, role, named, &query, signal).await?;
    write_page(&text, "orders", &["limit", "offset", "total"], &|at| {
        check_listed(at, chain_id, role, named)?;
        verify_members(&client.shared, at, Some(chain_id))
    })
}

/// The members of the query, those that are there.
fn query(at: &JsonAt<'_>) -> Result<[(&'static str, Option<String>); 5]> {
    let mut query = ["type", "limit", "offset", "orderBy", "hideSmallBalances"].map(|name| (name, None));
    for (name, value) in &mut query {
        if let Some(at) = at.get(name).some() {
            *value = Some(match *name {
                "type" => read_word(&at, &["P2P", "LIMIT"])?,
                "orderBy" => read_word(&at, &["createdAt", "updatedAt", "expiry"])?,
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

fn read_word(at: &JsonAt<'_>, words: &[&str]) -> Result<String> {
    match at.text() {
        Ok(text) if words.contains(&text) => Ok(text.into()),
        _ => Err(at.fault(&["one of ", &joined(words, ", ")].concat())),
    }
}
