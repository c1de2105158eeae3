//! Market swaps: prices, and the router's transactions that the user sends and pays for.

mod abi;
mod arguments;
mod calldata;
mod choice;
mod issued;
mod maker;
mod method;
mod partner;
mod price;
mod price_route;
mod refused_call;
mod request;
mod swap;
mod taxes;
mod terms;
mod transaction;

pub use arguments::change_arguments;
pub use issued::PriceRoutes;
pub use method::Method;
pub use request::PriceRequest;
pub use swap::swap;
pub use transaction::transactions;

use serde_json::json;

use super::Refusal;
use super::call::Call;
use crate::app::App;
use crate::json::Json;

/// GET /prices.
pub async fn prices(app: &App, call: &Call) -> Result<Json, Refusal> {
    let request = PriceRequest::read(app, &call.query, false)?;
    let price = request.price().await?;
    Ok(Json::object([("priceRoute", request.price_route(&price).await?)]))
}

/// GET /adapters/list: the names of exchanges.
pub fn exchanges(app: &App, call: &Call) -> Result<Json, Refusal> {
    call.query.required("chainId")?;
    let id = call.query.number("chainId", 0, u64::MAX)?.unwrap_or_default();
    app.chain(id).ok_or_else(|| Refusal::unsupported_chain(id))?;
    Ok(json!(method::EXCHANGES).into())
}
