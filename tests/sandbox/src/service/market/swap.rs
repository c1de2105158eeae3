//! GET /swap: a price and its transaction at once.

use super::issued::PriceRoute;
use super::request::PriceRequest;
use super::terms::Terms;
use super::transaction::{Options, envelope, proposal};
use crate::app::App;
use crate::json::Json;
use crate::service::Refusal;
use crate::service::call::Call;
use crate::service::members::{Members, body_of};

/// Prices a trade and makes its transaction. Nothing is checked on chain, and no gas limit is given.
pub async fn swap(app: &App, call: &Call) -> Result<Json, Refusal> {
    let body = body_of(&call.query);
    call.query.required("userAddress")?;
    if call.query.get("slippage").is_none() {
        return Err(Refusal::missing("slippage"));
    }
    let request = PriceRequest::read(app, &call.query, true)?;
    let price = request.price().await?;
    let mut route = request.price_route(&price).await?;
    app.control.worsen(&mut route);
    let now = request.chain.now().await?;
    let taken = PriceRoute::read(&route, now)?;
    let name = if request.is_sell { "srcAmount" } else { "destAmount" };
    let body = body.with(name, Json::string(&request.amount.to_string()));
    let terms = Terms::read(app, &request.chain, &Members(&body), &taken, now)?;
    let proposal = proposal(&request.chain, &taken, &terms).await?;
    let options = Options::read(&call.query)?;
    let transaction = envelope(&request.chain, &proposal, &options, false).await?;
    Ok(Json::object([("priceRoute", route), ("txParams", transaction)]))
}
