//! The service's endpoints.

mod beside;
mod bridges;
mod build;
pub(crate) mod call;
mod cancel;
mod commitments;
mod crosschain;
mod endpoint;
mod funding;
mod market;
mod members;
mod offering;
mod older;
mod orders;
mod otc;
mod owner;
mod post;
mod price;
mod quote;
mod refusal;
mod resources;
mod route;
mod usd;

pub use call::{Call, Query};
pub use endpoint::Endpoint;
pub use market::{Method, PriceRoutes, change_arguments};
pub use price::{Price, Trade};
pub use refusal::Refusal;
pub use route::{ROUTE_LIFE_SECS, Routes};

use crate::app::App;
use crate::json::Json;

/// Answers a request as an honest service does.
///
/// # Errors
/// The refusal, with its status.
pub async fn answer(app: &App, call: &Call) -> Result<Json, Refusal> {
    match call.endpoint {
        Endpoint::Quote => quote::unified(app, call).await,
        Endpoint::Prices => quote::bare(app, call).await,
        Endpoint::Build => build::build(app, call).await,
        Endpoint::Post => post::post(app, call).await,
        Endpoint::Orders => orders::list(app, call),
        Endpoint::Order => orders::by_id(app, call),
        Endpoint::OrderByHash => orders::by_hash(app, call),
        Endpoint::BuildCancellation => cancel::build(app, call),
        Endpoint::Cancel => cancel::cancel(app, call).await,
        Endpoint::FillableBalance => commitments::fillable_balance(app, call),
        Endpoint::Agents => commitments::agents(app, call),
        Endpoint::Strategies => commitments::strategies(app, call),
        Endpoint::OtcPost => otc::post(app, call).await,
        Endpoint::OtcOrder => otc::by_hash(app, call).await,
        Endpoint::OtcMaker => otc::of_maker(app, call).await,
        Endpoint::OtcTaker => otc::for_taker(app, call).await,
        Endpoint::OtcFillableBalance => otc::fillable_balance(app, call).await,
        Endpoint::MarketPrices => market::prices(app, call).await,
        Endpoint::Transactions => market::transactions(app, call).await,
        Endpoint::Swap => market::swap(app, call).await,
        Endpoint::AdaptersList => market::exchanges(app, call),
        Endpoint::Contracts => resources::contracts(app, call),
        Endpoint::ContractsResource => resources::contracts_resource(app),
        Endpoint::Chains => Ok(resources::chains(app)),
        Endpoint::Tokens => resources::tokens(app, call),
        Endpoint::FiatTokens => resources::fiat_tokens(app, call),
        Endpoint::TokenCategories => resources::token_categories(app),
        Endpoint::BridgeRoutes => bridges::routes(app, call),
        Endpoint::BridgeProtocols => Ok(bridges::protocols()),
        Endpoint::IsTokenSupported => resources::is_token_supported(app, call),
        Endpoint::OlderPrices => older::prices(app, call).await,
        Endpoint::PartnerFee => older::partner_fee(app, call),
        Endpoint::OlderPost => older::post(app, call).await,
        Endpoint::OlderOrder => older::by_id(app, call),
        Endpoint::OlderCancel => older::cancel(app, call).await,
    }
}

/// Notes the routes an answer hands out: exactly these bytes will be taken back. Called with what the service sends.
pub async fn hand_out(app: &App, call: &Call, answer: &Json) {
    let price_route = match call.endpoint {
        Endpoint::Quote => answer.at("/market"),
        Endpoint::MarketPrices | Endpoint::Swap => answer.get("priceRoute"),
        _ => None,
    };
    if let Some(price_route) = price_route {
        let id = call.query.get("network").or_else(|| call.query.get("chainId")).and_then(|id| id.parse().ok());
        let Some(chain) = id.and_then(|id| app.chain(id)) else { return };
        if let Ok(now) = chain.shown_now().await {
            app.price_routes().hand_out(price_route.to_string(), chain.id, now);
        }
        return;
    }
    let block = match call.endpoint {
        Endpoint::Quote => answer.get("delta"),
        Endpoint::Prices => Some(answer),
        _ => return,
    };
    let Some(chain) = call.query.get("chainId").and_then(|id| app.chain(id.parse().ok()?)) else { return };
    let (Some(block), Ok(now)) = (block, chain.shown_now().await) else { return };
    let alternatives = match block.get("alternatives") {
        Some(Json::Array(routes)) => &routes[..],
        _ => &[],
    };
    let is_sell = call.query.get("side").is_none_or(|side| side == "SELL");
    for route in block.get("route").into_iter().chain(alternatives) {
        app.routes().hand_out(route.to_string(), chain.id, is_sell, now);
    }
}
