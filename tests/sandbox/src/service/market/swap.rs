//! GET /swap: a price and its transaction at once.

use super::issued::PriceRoute;
use super::members::{Members, body_of};
use super::request::PriceRequest;
use super::terms::Terms;
use super::transaction::{Options, envelope, proposal};
use crate::app::App;
use crate::json::Json;
use crate::service::Refusal;
use crate::service::call::Call;

/// Prices a trade and makes its transaction. Nothing is checked on chain, and no gas limit is given.
pub async fn swap(app: &App, call: &Call) -> Result<Json, Refusal> {
    let mut body = body_of(&call.query);
    call.query.required("userAddress")?;
    if call.query.get("slippage").is_none() {
        return Err(Refusal::invalid("slippage is required"));
    }
    let request = PriceRequest::read(app, &call.query, true)?;
    let price = request.price().await?;
    let route = request.price_route(&price).await?;
    let now = request.chain.now().await?;
    let taken = PriceRoute::read(&route, now)?;
    if let Json::Object(members) = &mut body {
        let name = if request.is_sell { "srcAmount" } else { "destAmount" };
        members.push((name.to_owned(), Json::string(&request.amount.to_string())));
    }
    let terms = Terms::read(app, &request.chain, &Members(&body), &taken, now)?;
    let proposal = proposal(&request.chain, &taken, &terms).await?;
    let options = Options::read(&call.query)?;
    let transaction = envelope(&request.chain, &proposal, &options, false).await?;
    Ok(Json::Object(vec![("priceRoute".into(), route), ("txParams".into(), transaction)]))
}
