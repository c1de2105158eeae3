//! Reading Delta orders from the service.
//!
//! Every returned order was compared with the request, with the orders that this client signed and with its own hash
//! (`reported.rs`). A single order that is COMPLETED is also looked up on the chain (`settled.rs`); those of a page are
//! not.

use crate::client::Client;
use crate::flows::call::CallArgs;
use crate::flows::chain::balances::find_account;
use crate::flows::delta::reported::{Reported, Wanted, verify_reported};
use crate::flows::delta::settled::settlement;
use crate::flows::page::write_page;
use crate::host::Host;
use crate::service::orders::{self, OrderKey};
use verify::internal::domain::delta::status::COMPLETED;
use verify::internal::domain::input::{MAX_EXACT, known, one_of, optional};
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::{Json, JsonAt, parse};
use verify::internal::value::text::{ToText, joined};
use verify::internal::wire;

/// The call `order`: one order by its id or hash. Returns the `Order` as JSON text.
///
/// # Errors
/// INVALID_INPUT if it is neither; those of the service, SERVICE_REJECTED with status 404 for an unknown order;
/// SERVICE_MALFORMED if the answer is another order.
pub async fn order<H: Host>(client: &Client<H>, call: &CallArgs<'_, H>) -> Result<String> {
    let key = OrderKey::read(&JsonAt::input(call.data, "idOrHash"))?;
    let order = read_order(client, &key, &key.wanted(), call.signal).await?;
    let hash = order.get("orderHash").and_then(Json::as_text).and_then(|hash| client.shared.ledger.order_named(hash));
    if let Some(hash) = hash {
        client.shared.ledger.tell(hash, order.get("status").and_then(Json::as_text)).await;
    }
    Ok(order.write())
}

impl OrderKey {
    /// The members that an order read by this key must have.
    pub fn wanted(&self) -> Wanted {
        match self {
            OrderKey::Id(id) => Wanted { id: Some(id.clone()), ..Wanted::default() },
            OrderKey::Hash(hash) => Wanted { hash: Some(*hash), ..Wanted::default() },
        }
    }
}

/// Reads one order, and compares it with `wanted`. If it is COMPLETED, it is looked up on the chain.
///
/// # Errors
/// Same as [`order`].
pub async fn read_order<H: Host>(
    client: &Client<H>,
    key: &OrderKey,
    wanted: &Wanted,
    signal: &H::Signal,
) -> Result<Json> {
    let answer = parse(&orders::read(&client.shared, key, signal).await?).map_err(Error::not_json)?;
    let at = JsonAt::service(wire::order::find_order(&answer), "order");
    let reported = verify_answer(client, &at, wanted)?;
    let is_done = at.get("status").text().is_ok_and(|status| status == COMPLETED);
    let settled = if is_done { Some(settlement(client, &reported, signal).await) } else { None };
    let order = reported.json(settled);
    if let Some(signed) = &reported.signed {
        client.shared.ledger.report(signed.hash, &order).await;
    }
    Ok(order)
}

/// Verifies an order in the service's answer: it has id and status, and does not contradict what this client has of
/// it.
///
/// # Errors
/// SERVICE_MALFORMED with the member.
pub fn verify_answer<'a, H: Host>(client: &Client<H>, at: &JsonAt<'a>, wanted: &Wanted) -> Result<Reported<'a>> {
    wire::order::check_named(at)?;
    verify_reported(&client.shared, at, wanted, ErrorCode::ServiceMalformed)
}

/// The call `orders`: a page of an account's orders. An order of another owner or chain, or one that does not hash to
/// its own hash, fails the whole page: without it, the page would hide an order.
///
/// # Errors
/// INVALID_INPUT with the filter's member; SERVICE_MALFORMED with the order; those of the service.
pub async fn orders<H: Host>(client: &Client<H>, call: &CallArgs<'_, H>) -> Result<String> {
    let at = JsonAt::input(call.data, "filter");
    let query = filter_query(&at)?;
    let owner = find_account(client, &at.get("account"), call.signal).await?;
    let chains = at.get("chainId");
    let chains: Vec<u64> = match chains.items() {
        Ok(items) => items.filter_map(|at| at.integer(MAX_EXACT).ok()).collect(),
        Err(_) => chains.integer(MAX_EXACT).into_iter().collect(),
    };
    let wanted = Wanted { owner: Some(owner), chains, ..Wanted::default() };
    let mut members = vec![("userAddress", Some(owner.text()))];
    members.extend(query);
    let text = orders::list(&client.shared, &members, call.signal).await?;
    write_page(&text, "data", &["total", "page", "limit"], &|at| Ok(verify_answer(client, at, &wanted)?.json(None)))
}

/// Parameters of a URL's query; `None` is left out.
type Query = Vec<(&'static str, Option<String>)>;

/// The filter of `orders` as the service's query: numbers from 1 on, at most 1,000 orders per page; `chainId` and
/// `status` may be lists.
///
/// # Errors
/// INVALID_INPUT with the member.
fn filter_query(at: &JsonAt<'_>) -> Result<Query> {
    known(at, &["account", "chainId", "status", "type", "onChainOrderType", "page", "limit"])?;
    optional(&at.get("type"), |kind| one_of(kind, &[((), "MARKET"), ((), "LIMIT")], "MARKET or LIMIT"))?;
    let mut query = Vec::new();
    for (name, most) in [
        ("page", MAX_EXACT),
        ("limit", 1_000),
        ("chainId", MAX_EXACT),
        ("type", 0),
        ("status", 0),
        ("onChainOrderType", 0),
    ] {
        let mut values = Vec::new();
        let one = |at: JsonAt<'_>| match most {
            0 => at.text().map(String::from),
            _ => match at.integer(most)? {
                0 => Err(at.fault("at least 1")),
                number => Ok(number.text()),
            },
        };
        match at.get(name).items() {
            Ok(items) if ["chainId", "status"].contains(&name) => {
                for item in items {
                    values.push(one(item)?);
                }
            }
            _ => values.extend(at.get(name).some().map(one).transpose()?),
        }
        query.push((name, (!values.is_empty()).then(|| joined(&values, ","))));
    }
    Ok(query)
}
