//! Every call a client takes, by name: what it is passed, which options it knows, what answers it.

use crate::client::Client;
use crate::domain::input::joined;
use crate::domain::market::terms::MARKET_ONLY;
use crate::error::{Error, Result};
use crate::host::Host;
use crate::json::{Json, JsonAt, quoted};
use crate::service::resources::named;
use crate::trade::ApproveOptions;
use crate::trade::BUILD_OPTIONS;
use crate::trade::SUBMIT_OPTIONS;
use crate::trade::argument_kind::check_kind;
use crate::trade::call::CallArgs;
use crate::trade::market;
use crate::trade::transaction::send;
use std::future::Future;
use std::pin::Pin;

/// The options of a build on either path: those of an order, and those only a Market transaction has.
const BUILDS: [&str; BUILD_OPTIONS.len() + MARKET_ONLY.len()] = joined(&BUILD_OPTIONS, &MARKET_ONLY);

/// The calls that end with plain data: name, what its argument is called, and the plain options it takes.
pub const CALLS: &[(&str, &str, &[&str])] = &[
    ("quote", "request", &[]),
    ("quoteTwap", "request", &[]),
    ("build", "quote", &BUILDS),
    ("swap", "request", &BUILDS),
    ("approve", "approval", &["amount"]),
    ("submit", "build", &SUBMIT_OPTIONS),
    ("order", "idOrHash", &[]),
    ("orders", "filter", &[]),
    ("balance", "query", &[]),
    ("allowance", "query", &[]),
    ("cancel", "orders", &[]),
    ("buildCancellation", "order", &[]),
    ("buildWithdrawal", "query", &[]),
    ("allowanceNeeded", "query", &[]),
    ("chains", "query", &[]),
    ("tokens", "query", &[]),
    ("tokenCategories", "query", &[]),
    ("isTokenSupported", "query", &[]),
    ("agents", "query", &[]),
    ("strategies", "query", &[]),
    ("bridgeRoutes", "query", &[]),
    ("bridgeProtocols", "query", &[]),
    ("fillableBalance", "query", &[]),
    ("otcFillableBalance", "query", &[]),
    ("signPermit", "quote", &crate::trade::PERMIT_OPTIONS),
    ("buildOtc", "request", &["coverOpenOrders"]),
    ("otcOrder", "orderHash", &[]),
    ("otcOrders", "filter", &[]),
    ("otcRemaining", "order", &[]),
    ("buildFill", "order", &crate::trade::FILL_OPTIONS),
    ("buildOtcCancellation", "order", &[]),
];

/// Runs one of [`CALLS`]; its answer as JSON text.
///
/// # Errors
/// Those of the call.
pub async fn call<H: Host>(client: &Client<H>, name: &str, call: &CallArgs<'_, H>) -> Result<String> {
    let CallArgs { data, options, signal, progress, .. } = call;
    check_kind(name, data)?;
    let at = JsonAt::input(options, "options");
    let approve;
    // Boxed, each one: together they would be one future as large as all of them.
    let work: Pin<Box<dyn Future<Output = Result<String>> + '_>> = match name {
        "quote" => Box::pin(super::quote(client, data, signal)),
        "quoteTwap" => Box::pin(super::quote_twap(client, data, signal)),
        "build" => Box::pin(super::build(client, data, options, signal)),
        "swap" => Box::pin(market::swap(client, data, options, signal)),
        "approve" => {
            approve = ApproveOptions::read(&at)?;
            Box::pin(super::approve(client, data, &approve, signal, progress))
        }
        "submit" => Box::pin(submit(client, call)),
        "order" => Box::pin(super::order(client, data, signal)),
        "orders" => Box::pin(super::orders(client, data, signal)),
        "balance" => Box::pin(super::balance(client, data, signal)),
        "allowance" => Box::pin(super::allowance(client, data, signal)),
        "cancel" => Box::pin(super::cancel(client, call)),
        "buildCancellation" => Box::pin(super::build_cancellation(client, data, signal)),
        "buildWithdrawal" => Box::pin(super::build_withdrawal(client, data, signal)),
        "allowanceNeeded" => Box::pin(super::allowance_needed(client, data, signal)),
        "signPermit" => Box::pin(super::sign_permit(client, call)),
        "buildOtc" => Box::pin(super::build_otc(client, data, options, signal)),
        "otcOrder" => Box::pin(super::otc_order(client, data, signal)),
        "otcOrders" => Box::pin(super::otc_orders(client, data, signal)),
        "otcRemaining" => Box::pin(super::otc_remaining(client, data, signal)),
        "buildFill" => Box::pin(super::build_fill(client, data, options, signal)),
        "buildOtcCancellation" => Box::pin(super::build_otc_cancellation(client, data, signal)),
        _ => {
            let resource = named(name).ok_or_else(|| Error::input("name", "a call's name", name))?;
            Box::pin(super::resource(client, resource, data, signal))
        }
    };
    let answer = work.await?;
    Ok(if ["balance", "allowance"].contains(&name) { quoted(&answer) } else { answer })
}

async fn submit<H: Host>(client: &Client<H>, call: &CallArgs<'_, H>) -> Result<String> {
    match call.data.get("kind").and_then(Json::as_text) {
        Some("transaction") => send::submit(client, call).await,
        Some("market") => market::submit(client, call).await,
        _ => super::submit(client, call).await,
    }
}
