//! Every call that a client takes, by name. One row each states its argument, its options, and the use case behind it.
//! A price is requested from here; all other calls go through the tables [`Trade`] and [`Rest`].
//!
//! It is the only list of calls: `src` makes them from it, and `crates/trade/tests/published_types.rs` compares it
//! with the published types. Functions that need neither client nor network are in `pure.rs`.

use crate::client::{Client, RequestOptions};
use crate::flows::allowances::{allowances, build_revoke};
use crate::flows::approve::{APPROVE_OPTIONS, approve};
use crate::flows::argument_kind::Accepted;
use crate::flows::building;
use crate::flows::building::by_protocol::build;
use crate::flows::call::{CallArgs, Work};
use crate::flows::chain::balances::{allowance, balance, capabilities};
use crate::flows::chain::early::{read_early, warm};
use crate::flows::chain::pending::learn_number;
use crate::flows::chain::reference::prefetch_references;
use crate::flows::delta::cancel::cancel;
use crate::flows::delta::existing::refresh_orders;
use crate::flows::delta::orders::{order, orders};
use crate::flows::follow::Follow;
use crate::flows::journal::list::{abandon, forget, list_trades};
use crate::flows::market;
use crate::flows::otc::{
    OTC_BUILD_OPTIONS, build_fill, build_otc, build_otc_cancellation, otc_order, otc_orders, otc_remaining,
};
use crate::flows::parts::{Parts, Rest, Trade};
use crate::flows::permit::{rebuild, sign_permit};
use crate::flows::pure::compute_late;
use crate::flows::quote::fields::judge_fields;
use crate::flows::request::quote;
use crate::flows::resources::{allowance_needed, resource};
use crate::flows::resume::resume;
use crate::flows::seal::{open, open_sealed};
use crate::flows::signed;
use crate::flows::signed::prepare::SUBMIT_OPTIONS;
use crate::flows::transaction::send;
use crate::flows::transaction::withdrawal::{build_cancellation, build_withdrawal};
use crate::host::Host;
use crate::service;
use crate::service::resources::RESOURCES;
use crate::wallet::chain::Quorum;
use std::future::ready;
use std::iter::once;
use verify::internal::domain::delta::terms::BUILD_OPTIONS;
use verify::internal::domain::input::{joined, optional, short_text};
use verify::internal::domain::market::terms::MARKET_ONLY;
use verify::internal::domain::transaction::Sent;
use verify::internal::domain::verify::permit_request::PERMIT_OPTIONS;
use verify::internal::error::{Error, Result};
use verify::internal::json::{Json, JsonAt};
use verify::internal::verifiers::fill::FILL_OPTIONS;

/// The options of a build: those of a Delta order, and the Market-only ones.
const BUILDS: [&str; BUILD_OPTIONS.len() + MARKET_ONLY.len()] = joined(&BUILD_OPTIONS, &MARKET_ONLY);

/// The options of `submit` that change the request to the owner: a signature made elsewhere, a pre-signature on chain,
/// consent to a second order, accepted questions, a journal that is not read.
const CONSENT_OPTIONS: [&str; 5] = ["signature", "preSign", "existing", "accept", WITHOUT_JOURNAL];

/// The calls that open a prompt that signs or sends: they take `onPrompt`.
const PROMPTING: [&str; 4] = ["submit", "approve", "signPermit", "cancel"];
/// The option of every call.
pub const WAIT: &str = "waitForRateLimit";
/// The option of calls that open a prompt although the journal cannot be read.
const WITHOUT_JOURNAL: &str = "withoutJournal";
/// The option of calls that request a price.
const FORM: [&str; 1] = ["form"];

/// A call that a client takes and that ends with plain data; `watch` and `wait`, which go on, are in `follow`.
#[derive(Clone, Copy)]
pub struct Method {
    /// Its name in JavaScript.
    pub name: &'static str,
    /// The name of its argument in errors.
    pub argument: &'static str,
    /// The plain options that it takes. Every call also takes `signal` and `onProgress`, and those
    /// of [`Method::prompts`] `onPrompt`.
    pub options: &'static [&'static str],
    /// For a call that runs once for one sealed build, however often it is made (a double click): the options in which
    /// two calls must agree to count as one. `None` if every call runs.
    pub once_by: Option<&'static [&'static str]>,
}

/// The call for prices.
const PRICE: Method = row("quote", "request", &FORM);

/// Turns the rows of a part into its list of [`Method`]s, and into the function that runs one of them by name.
macro_rules! calls {
    ($(#[$what:meta])* $list:ident, $run:ident;
     $($name:literal($argument:literal, $accepted:ident, $options:expr) => $use_case:path;)*) => {
        $(#[$what])*
        const $list: &[Method] = &[$(row($name, $argument, $options)),*];

        /// Makes the call of that name; `None` if there is none.
        ///
        /// # Errors
        /// INVALID_INPUT if the argument is of a kind that another call takes.
        fn $run<'a, H: Parts>(
            name: &str,
            client: &'a Client<H>,
            call: &'a CallArgs<'a, H>,
        ) -> Result<Option<Work<'a>>> {
            Ok(Some(match name {
                $($name => {
                    Accepted::$accepted.check($argument, call.data)?;
                    Box::pin($use_case(client, call))
                })*
                _ => return Ok(None),
            }))
        }
    };
}

calls! {
    /// The calls of a gasless trade up to its review.
    OF_TRADES, run_of_trade;
    "build"("quote", PRICE, &BUILDS) => build;
    "warm"("pair", ANYTHING, &[]) => warm;
}

calls! {
    /// All other calls except those of the service's resources. Each that opens a prompt is here, beside the code that
    /// follows and cancels: a page that is open while its site is deployed anew may not get it, and what is signed there
    /// could be neither followed nor cancelled.
    OTHERS, run_other;
    "submit"("build", SUBMISSION, &SUBMIT_OPTIONS) => submit;
    "approve"("approval", APPROVAL, &APPROVE_OPTIONS) => approve;
    "order"("idOrHash", ANYTHING, &[]) => order;
    "orders"("filter", ANYTHING, &[]) => orders;
    "trades.resume"("options", ANYTHING, &[]) => resume;
    "trades.list"("filter", ANYTHING, &[]) => list_trades;
    "trades.forget"("ids", ANYTHING, &[]) => forget;
    "trades.abandon"("id", ANYTHING, &[]) => abandon;
    "info.capabilities"("query", ANYTHING, &[]) => capabilities;
    "info.balance"("query", ANYTHING, &[]) => balance;
    "approvals.allowance"("query", ANYTHING, &[]) => allowance;
    "approvals.list"("query", ANYTHING, &[]) => allowances;
    "approvals.buildRevoke"("allowance", ANYTHING, &[]) => build_revoke;
    "cancel"("orders", ORDERS, &[]) => cancel;
    "buildCancellation"("order", ORDER, &[]) => build_cancellation;
    "buildWithdrawal"("query", ANYTHING, &[]) => build_withdrawal;
    "approvals.needed"("query", ANYTHING, &[]) => allowance_needed;
    "signPermit"("quote", PAYMENT, &PERMIT_OPTIONS) => sign_permit;
    "otc.build"("request", ANYTHING, &OTC_BUILD_OPTIONS) => build_otc;
    "otc.order"("orderHash", ANYTHING, &[]) => otc_order;
    "otc.orders"("filter", ANYTHING, &[]) => otc_orders;
    "otc.remaining"("order", OTC_ORDERS, &[]) => otc_remaining;
    "otc.buildFill"("order", OTC_ORDERS, &FILL_OPTIONS) => build_fill;
    "otc.buildCancellation"("order", OTC_ORDERS, &[]) => build_otc_cancellation;
    "info.rateLimit"("query", ANYTHING, &[]) => rate_limit;
}

impl Method {
    /// All calls: the use cases, and one for each of the service's resources (`service/resources.rs`).
    pub fn all() -> impl Iterator<Item = Method> {
        const RESOURCE_CALLS: [Method; RESOURCES.len()] = resource_calls();
        once(&PRICE).chain(OF_TRADES).chain(OTHERS).chain(&RESOURCE_CALLS).copied().map(|method| match method.name {
            "submit" => Method { once_by: Some(&CONSENT_OPTIONS), ..method },
            _ => method,
        })
    }

    /// Whether it opens a prompt that signs or sends, and takes `onPrompt`.
    pub fn prompts(&self) -> bool {
        PROMPTING.contains(&self.name)
    }

    /// The call of that name.
    ///
    /// # Errors
    /// INVALID_INPUT with `name` if there is none.
    pub fn named(name: &str) -> Result<Method> {
        Method::all().find(|method| method.name == name).ok_or_else(|| Error::input("name", "a call's name", name))
    }

    /// Makes the call, once its code is there. Returns its answer as JSON text.
    ///
    /// # Errors
    /// INVALID_INPUT if the argument is of a kind that another call takes; those of [`take_request_options`], of
    /// [`Parts`] and of the use case.
    pub async fn call<H: Parts>(&self, client: &Client<H>, call: &CallArgs<'_, H>) -> Result<String> {
        let (request_options, options) = take_request_options(call.options)?;
        let call = CallArgs { options: &options, ..*call };
        let work: Work<'_> = match self.name {
            "quote" => Box::pin(quote(client, &call)),
            name if OF_TRADES.iter().any(|method| method.name == name) => {
                (client.shared.host.trade(call.signal).await?.call)(name, client, &call)
            }
            name => (client.shared.host.rest(call.signal).await?.call)(name, client, &call),
        };
        client.shared.with_request_options(request_options, work).await
    }
}

impl<H: Parts> Trade<H> {
    /// Every entry of the table.
    pub const ALL: Trade<H> = Trade {
        call: |name, client, call| match run_of_trade(name, client, call) {
            Ok(Some(work)) => work,
            Ok(None) => failed(Error::unreachable()),
            Err(error) => failed(error),
        },
        compute: compute_late,
        read_early,
        prefetch_references: |client, intent, signal| {
            Box::pin(async { Ok(prefetch_references(client, intent, signal).await?.write()) })
        },
        judge: judge_fields,
    };
}

impl<H: Parts> Rest<H> {
    /// Every entry of the table.
    pub const ALL: Rest<H> = Rest {
        call: |name, client, call| match run_other(name, client, call) {
            Ok(Some(work)) => work,
            Ok(None) => Box::pin(resource(client, name, call)),
            Err(error) => failed(error),
        },
        build_market: |client, opened, at, signal| Box::pin(building::market::build(client, opened, at, signal)),
        swap: |client, call| Box::pin(building::swap(client, call)),
        rebuild: |client, call| Box::pin(rebuild(client, call)),
        refresh_orders: |client, intent, signal| Box::pin(refresh_orders(client, intent, None, signal)),
        follow: |what, options| Ok(Box::new(Follow::new(what, options)?)),
        quorum: &Quorum::ALL,
        learn_number: |client, signal| {
            Box::pin(async {
                learn_number(client, signal).await;
                Ok(())
            })
        },
    };
}

/// A call that has failed.
fn failed<'a>(error: Error) -> Work<'a> {
    Box::pin(ready(Err(error)))
}

/// The calls of resources, each of which checks its `query` itself.
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "the compiler runs it")]
const fn resource_calls() -> [Method; RESOURCES.len()] {
    let mut calls = [row("", "query", &[]); RESOURCES.len()];
    let mut at = 0;
    while at < RESOURCES.len() {
        calls[at].name = RESOURCES[at].name;
        at += 1;
    }
    calls
}

/// Splits a call's options: how its requests to the service are made, and the other options.
///
/// # Errors
/// INVALID_INPUT with the option.
pub fn take_request_options(options: &Json) -> Result<(RequestOptions, Json)> {
    let at = JsonAt::input(options, "options");
    let request_options = RequestOptions {
        waits: optional(&at.get(WAIT), |at| at.bool())?.unwrap_or(false),
        form: optional(&at.get(FORM[0]), short_text)?.map(Into::into),
        until: None,
        without_journal: optional(&at.get(WITHOUT_JOURNAL), |at| at.bool())?.unwrap_or(false),
    };
    let mut options = options.clone();
    if let Json::Object(members) = &mut options {
        members.retain(|(name, _)| name != WAIT && !FORM.contains(&name.as_str()));
    }
    Ok((request_options, options))
}

/// A call that runs each time it is made.
const fn row(name: &'static str, argument: &'static str, options: &'static [&'static str]) -> Method {
    Method { name, argument, options, once_by: None }
}

/// Submits a build by its `kind`: a transaction (fill, cancellation, withdrawal), a Market trade, else an order, which
/// is signed and posted. Returns the `SentTransaction`, or the `Order`, as JSON text.
async fn submit<H: Host>(client: &Client<H>, call: &CallArgs<'_, H>) -> Result<String> {
    match call.data.get("kind").and_then(Json::as_text) {
        Some("transaction" | "market") => Ok(submit_transaction(client, call).await?.json().write()),
        _ => Ok(signed::submit::submit(client, call).await?.write()),
    }
}

/// Submits a `MarketBuild` or a `TransactionBuild` of this client. For one from before a reload it returns the transaction
/// that the journal has: it was sent already, and is not sent twice.
///
/// # Errors
/// Those of [`send::find_sent_before`] for one from before a reload; of either `submit` for another.
async fn submit_transaction<H: Host>(client: &Client<H>, call: &CallArgs<'_, H>) -> Result<Sent> {
    let (at, secret) = (JsonAt::input(call.data, "build"), &client.shared.settings.secret);
    if !open(secret, &at.get("sealed"))?.1 {
        return send::find_sent_before(client, &at, call.signal).await;
    }
    match call.data.get("kind").and_then(Json::as_text) {
        Some("market") => market::submit(client, call).await,
        _ => send::submit(client, call, &open_sealed(secret, &at)?).await,
    }
}

/// The call `info.rateLimit`: the requests that the service still grants.
async fn rate_limit<H: Host>(client: &Client<H>, _: &CallArgs<'_, H>) -> Result<String> {
    Ok(service::read_rate_limit(&client.shared).await)
}
