//! Reads OTC orders from the service, and their remaining amounts from the contract.
//!
//! An order that does not hash to its own hash is refused. One that cannot be hashed here, for tokens with an id or for
//! an unknown contract, is marked `unverified`.

use crate::client::{Client, Shared};
use crate::flows::call::CallArgs;
use crate::flows::chain::balances::find_account;
use crate::flows::chain::deployment::known_contracts;
use crate::flows::chain::lens::expect_head;
use crate::flows::delta::reported::annotate;
use crate::flows::otc::orders_input::{read_orders, read_remaining};
use crate::flows::page::write_page;
use crate::host::Host;
use crate::service::otc;
use crate::wallet::chain::Chain;
use alloy_primitives::{Address, B256};
use verify::internal::domain::chain::Protocol;
use verify::internal::domain::input::{MAX_EXACT, account, chain_id, known, one_of, optional};
use verify::internal::domain::otc::fill::left;
use verify::internal::domain::otc::order;
use verify::internal::domain::typed_struct::{TypedStruct, members};
use verify::internal::error::{Error, Result};
use verify::internal::json::{Json, JsonAt, array, parse, quoted, truth};
use verify::internal::value::text::ToText;
use verify::internal::wire;

/// The call `otc.order`: one order by its hash. Returns the `OtcOrder` as JSON text.
///
/// # Errors
/// INVALID_INPUT if it is no hash; those of the service, SERVICE_REJECTED with status 404 for an unknown order;
/// SERVICE_MALFORMED if the answer is another order.
pub async fn otc_order<H: Host>(client: &Client<H>, call: &CallArgs<'_, H>) -> Result<String> {
    let hash = JsonAt::input(call.data, "orderHash").fixed::<32>()?.into();
    // A fill reads its references at older blocks, too, and counts them from the latest one.
    expect_head(client, call.signal);
    let text = otc::read(&client.shared, hash, call.signal).await?;
    let order = verify_stored(&client.shared, &parse(&text).map_err(Error::not_json)?, hash)?;
    client.shared.ledger.report(hash, &order).await;
    client.shared.ledger.tell(hash, order.get("state").and_then(Json::as_text)).await;
    Ok(order.write())
}

/// The order in an answer of the service, for the app. Refuses an order with another hash than `hash`.
///
/// # Errors
/// SERVICE_MALFORMED with the member that does not match or is missing.
pub fn verify_stored<H: Host>(shared: &Shared<H>, answer: &Json, hash: B256) -> Result<Json> {
    let at = JsonAt::service(wire::otc::find_order(answer), "order");
    let place = at.get("orderHash");
    if place.fixed::<32>()? != hash.0 {
        return Err(place.fault(&hash.text()));
    }
    at.get("state").text()?;
    let chain_id = at.get("chainId").integer(MAX_EXACT).ok();
    verify_members(shared, &at, chain_id)
}

/// An order for the app. Refuses one whose members do not have its hash in the domain of any known RFQ contract: it
/// would show other terms than the signed ones.
///
/// # Errors
/// SERVICE_MALFORMED with `orderHash`.
fn verify_members<H: Host>(shared: &Shared<H>, at: &JsonAt<'_>, chain_id: Option<u64>) -> Result<Json> {
    let Some(json) = at.json() else { return Err(at.fault("an order")) };
    let place = at.get("orderHash");
    let chain_id = chain_id.unwrap_or_default();
    let rfqs: Vec<Address> =
        known_contracts(shared, chain_id).iter().filter_map(|known| known.of(Protocol::Otc)).collect();
    // Orders for tokens with an id (NFTs) are of a type that is not known here.
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

/// Refuses an order that does not belong on a list: of another chain, or of another maker. A taker's list has the
/// orders that name this taker, as `taker` or in `nonceAndMeta`, and those that anybody may fill.
///
/// # Errors
/// SERVICE_MALFORMED with the member.
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

/// The call `otc.remaining`: an order's remaining amount by the RFQ contract, in raw units of the maker's asset, as a
/// JSON string; for a list of orders an array, in the same order.
///
/// # Errors
/// INVALID_INPUT with the member; VERIFY_MISMATCH if an order does not hash to its own hash; UNSUPPORTED_CHAIN; the
/// RPC's failure.
pub async fn otc_remaining<H: Host>(client: &Client<H>, call: &CallArgs<'_, H>) -> Result<String> {
    let mut input = read_orders(client, call.data, false, call.signal).await?;
    let chain = Chain::need(client, input.chain_id, call.signal).await?;
    read_remaining(&mut input, &chain).await?;
    let mut all = Vec::new();
    for one in &input.orders {
        one.check_hash()?;
        all.push(quoted(&left(&one.signed.order, one.remaining).text()));
    }
    Ok(if matches!(call.data, Json::Array(_)) { array(&all) } else { all.concat() })
}

/// The call `otc.orders`: a page of a maker's orders, or of those for a taker. An order of another account or another
/// chain, or one that does not hash to its own hash, fails the whole page: without it, the page would hide an order.
///
/// # Errors
/// INVALID_INPUT with the filter's member; SERVICE_MALFORMED with the order; those of the service.
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
    let text = otc::list(&client.shared, chain_id, role, named, &query, signal).await?;
    write_page(&text, "orders", &["limit", "offset", "total"], &|at| {
        check_listed(at, chain_id, role, named)?;
        verify_members(&client.shared, at, Some(chain_id))
    })
}

/// The parameters of the filter as the service's query; `None` for the absent ones.
///
/// # Errors
/// INVALID_INPUT with the member.
fn query(at: &JsonAt<'_>) -> Result<[(&'static str, Option<String>); 5]> {
    let mut query = ["type", "limit", "offset", "orderBy", "hideSmallBalances"].map(|name| (name, None));
    for (name, value) in &mut query {
        if let Some(at) = at.get(name).some() {
            *value = Some(match *name {
                "type" => one_of(&at, &["P2P", "LIMIT"].map(itself), "P2P or LIMIT")?.into(),
                "orderBy" => one_of(&at, &ORDERS_BY.map(itself), "createdAt, updatedAt or expiry")?.into(),
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

/// The members by which the service sorts a list.
const ORDERS_BY: [&str; 3] = ["createdAt", "updatedAt", "expiry"];

/// A word that goes to the service as it is, for [`one_of`].
fn itself(word: &'static str) -> (&'static str, &'static str) {
    (word, word)
}
