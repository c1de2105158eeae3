//! Every call a client takes, by name: one row each says what it is passed, which options it knows, and what answers it.

use crate::client::Client;
use crate::domain::delta::terms::BUILD_OPTIONS;
use crate::domain::input::joined;
use crate::domain::market::terms::MARKET_ONLY;
use crate::error::{Error, Result};
use crate::host::Host;
use crate::json::Json;
use crate::service::resources::{RESOURCES, Resource};
use crate::trade::approve::{APPROVE_OPTIONS, approve};
use crate::trade::argument_kind::Accepted;
use crate::trade::call::CallArgs;
use crate::trade::delta::cancel::cancel;
use crate::trade::delta::orders::{allowance, balance, order, orders};
use crate::trade::delta::withdrawal::{build_cancellation, build_withdrawal};
use crate::trade::market;
use crate::trade::otc::{
    FILL_OPTIONS, OTC_BUILD_OPTIONS, build_fill, build_otc, build_otc_cancellation, otc_order, otc_orders,
    otc_remaining,
};
use crate::trade::permit::{PERMIT_OPTIONS, sign_permit};
use crate::trade::quote::build::build;
use crate::trade::quote::request::{quote, quote_twap};
use crate::trade::resources::{allowance_needed, resource};
use crate::trade::signed;
use crate::trade::signed::prepare::SUBMIT_OPTIONS;
use crate::trade::transaction::send;
use std::future::Future;
use std::pin::Pin;

/// The options of a build on either path: those of an order, and those only a Market transaction has.
const BUILDS: [&str; BUILD_OPTIONS.len() + MARKET_ONLY.len()] = joined(&BUILD_OPTIONS, &MARKET_ONLY);

/// The options by which a submission asks for consent in another way than by the wallet's prompt.
const CONSENT_OPTIONS: [&str; 3] = ["signature", "preSign", "again"];

/// A call under way: its answer as JSON text. Boxed, each one: together they would be one future as large as all of them.
type Work<'a> = Pin<Box<dyn Future<Output = Result<String>> + 'a>>;

type UseCase<H> = for<'a> fn(&'a Client<H>, &'a CallArgs<'a, H>) -> Work<'a>;

/// What answers a call; `F` is a [`UseCase`].
#[derive(Clone, Copy)]
enum Handler<F> {
    UseCase(F),
    /// A small read of the service.
    Resource(&'static Resource),
}

/// A call that a client takes, and that ends with plain data.
pub struct Method<H: Host> {
    /// As JavaScript calls it.
    pub name: &'static str,
    /// What errors call its argument.
    pub argument: &'static str,
    /// The plain options it takes. `signal` and `onProgress` are taken by each.
    pub options: &'static [&'static str],
    /// Of a call that is made once for one sealed build, however often it is asked for: the options in which two calls
    /// must agree to be the same one. `None` where each call is one of its own.
    pub once_by: Option<&'static [&'static str]>,
    accepted: &'static Accepted,
    handler: Handler<UseCase<H>>,
}

/// A use case as a row has it.
macro_rules! run {
    ($use_case:path) => {
        |client, call| Box::pin($use_case(client, call))
    };
}

impl<H: Host> Clone for Method<H> {
    fn clone(&self) -> Method<H> {
        *self
    }
}

impl<H: Host> Copy for Method<H> {}

impl<H: Host + 'static> Method<H> {
    /// All but the service's resources.
    const USE_CASES: &'static [Method<H>] = &[
        row("quote", "request", &Accepted::ANYTHING, &[], run!(quote)),
        row("quoteTwap", "request", &Accepted::ANYTHING, &[], run!(quote_twap)),
        row("build", "quote", &Accepted::QUOTE, &BUILDS, run!(build)),
        row("swap", "request", &Accepted::ANYTHING, &BUILDS, run!(market::swap)),
        row("approve", "approval", &Accepted::APPROVAL, &APPROVE_OPTIONS, run!(approve)),
        Method {
            once_by: Some(&CONSENT_OPTIONS),
            ..row("submit", "build", &Accepted::SUBMISSION, &SUBMIT_OPTIONS, submit)
        },
        row("order", "idOrHash", &Accepted::ANYTHING, &[], run!(order)),
        row("orders", "filter", &Accepted::ANYTHING, &[], run!(orders)),
        row("balance", "query", &Accepted::ANYTHING, &[], run!(balance)),
        row("allowance", "query", &Accepted::ANYTHING, &[], run!(allowance)),
        row("cancel", "orders", &Accepted::ORDERS, &[], run!(cancel)),
        row("buildCancellation", "order", &Accepted::ORDER, &[], run!(build_cancellation)),
        row("buildWithdrawal", "query", &Accepted::ANYTHING, &[], run!(build_withdrawal)),
        row("allowanceNeeded", "query", &Accepted::ANYTHING, &[], run!(allowance_needed)),
        row("signPermit", "quote", &Accepted::PAYMENT, &PERMIT_OPTIONS, run!(sign_permit)),
        row("buildOtc", "request", &Accepted::ANYTHING, &OTC_BUILD_OPTIONS, run!(build_otc)),
        row("otcOrder", "orderHash", &Accepted::ANYTHING, &[], run!(otc_order)),
        row("otcOrders", "filter", &Accepted::ANYTHING, &[], run!(otc_orders)),
        row("otcRemaining", "order", &Accepted::OTC_ORDERS, &[], run!(otc_remaining)),
        row("buildFill", "order", &Accepted::OTC_ORDERS, &FILL_OPTIONS, run!(build_fill)),
        row("buildOtcCancellation", "order", &Accepted::OTC_ORDERS, &[], run!(build_otc_cancellation)),
    ];

    /// All calls: the use cases, and one for each of the service's resources.
    pub fn all() -> impl Iterator<Item = Method<H>> {
        Method::USE_CASES.iter().copied().chain(RESOURCES.iter().map(Method::of))
    }

    /// The call of that name.
    ///
    /// # Errors
    /// INVALID_INPUT where there is none.
    pub fn named(name: &str) -> Result<Method<H>> {
        Method::all().find(|method| method.name == name).ok_or_else(|| Error::input("name", "a call's name", name))
    }

    /// Makes the call; its answer as JSON text.
    ///
    /// # Errors
    /// INVALID_INPUT where the argument is of a kind that is for another call; those of the call.
    pub async fn call(&self, client: &Client<H>, call: &CallArgs<'_, H>) -> Result<String> {
        self.accepted.check(self.argument, call.data)?;
        let work: Work<'_> = match self.handler {
            Handler::UseCase(run) => run(client, call),
            Handler::Resource(of) => Box::pin(resource(client, of, call)),
        };
        work.await
    }

    /// A resource's call: what its `query` has, the resource says.
    const fn of(resource: &'static Resource) -> Method<H> {
        let handler = Handler::Resource(resource);
        let (name, accepted) = (resource.name, &Accepted::ANYTHING);
        Method { name, argument: "query", accepted, options: &[], once_by: None, handler }
    }
}

/// The row of a use case, each call of which is one of its own.
const fn row<H: Host>(
    name: &'static str,
    argument: &'static str,
    accepted: &'static Accepted,
    options: &'static [&'static str],
    run: UseCase<H>,
) -> Method<H> {
    Method { name, argument, accepted, options, once_by: None, handler: Handler::UseCase(run) }
}

/// Submits what was built: its `kind` says whether that is a transaction of any purpose, a Market trade, or an order, which is
/// signed.
fn submit<'a, H: Host>(client: &'a Client<H>, call: &'a CallArgs<'a, H>) -> Work<'a> {
    match call.data.get("kind").and_then(Json::as_text) {
        Some("transaction") => Box::pin(send::submit(client, call)),
        Some("market") => Box::pin(market::submit(client, call)),
        _ => Box::pin(signed::submit::submit(client, call)),
    }
}
