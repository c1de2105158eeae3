//! Every call that a client takes, by name. One row each says what it is passed, which options it knows, and which use
//! case answers it.
//!
//! It is the only list of calls: `src/js` makes them from it, and `tests/published_types` compares it with
//! `index.d.ts`. What needs neither client nor network is in `pure.rs`.

use crate::client::{Asking, Client};
use crate::domain::delta::terms::BUILD_OPTIONS;
use crate::domain::input::{joined, optional, short_text};
use crate::domain::market::terms::MARKET_ONLY;
use crate::error::{Error, Result};
use crate::host::Host;
use crate::json::{Json, JsonAt};
use crate::service;
use crate::service::resources::{RESOURCES, Resource};
use crate::trade::allowances::{allowances, build_revoke};
use crate::trade::approve::{APPROVE_OPTIONS, approve};
use crate::trade::argument_kind::Accepted;
use crate::trade::call::CallArgs;
use crate::trade::chain::balances::{allowance, balance, capabilities};
use crate::trade::chain::early::warm;
use crate::trade::delta::cancel::cancel;
use crate::trade::delta::orders::{order, orders};
use crate::trade::delta::withdrawal::{build_cancellation, build_withdrawal};
use crate::trade::journal::list::{abandon, forget, list_trades};
use crate::trade::journal::resume::resume;
use crate::trade::market;
use crate::trade::otc::{
    FILL_OPTIONS, OTC_BUILD_OPTIONS, build_fill, build_otc, build_otc_cancellation, otc_order, otc_orders,
    otc_remaining,
};
use crate::trade::permit::{PERMIT_OPTIONS, sign_permit};
use crate::trade::quote::build::build;
use crate::trade::quote::request::{quote, quote_twap};
use crate::trade::quote::withdraw::{WITHDRAW_OPTIONS, withdraw_quote};
use crate::trade::resources::{allowance_needed, resource};
use crate::trade::signed;
use crate::trade::signed::prepare::SUBMIT_OPTIONS;
use crate::trade::transaction::send;
use std::future::Future;
use std::pin::Pin;

/// The options of a build: those of a Delta order, and those that only a Market transaction has.
const BUILDS: [&str; BUILD_OPTIONS.len() + MARKET_ONLY.len()] = joined(&BUILD_OPTIONS, &MARKET_ONLY);

/// The options of `submit` that change what the owner is asked for: a signature made elsewhere, a pre-signature on
/// chain, consent to a second order, answers to questions, a journal that is not read.
const CONSENT_OPTIONS: [&str; 5] = ["signature", "preSign", "again", "accept", WITHOUT_JOURNAL];

/// The option of every call.
pub const WAIT: &str = "waitForBudget";
/// The option of calls that open a prompt beside a journal that cannot be read.
const WITHOUT_JOURNAL: &str = "withoutJournal";
/// The option of calls that ask for a price.
const FORM: [&str; 1] = ["form"];

/// A call that runs; its answer is JSON text. Each is boxed: one future for all of them would be as large as the
/// largest.
type Work<'a> = Pin<Box<dyn Future<Output = Result<String>> + 'a>>;

/// A use case as a function.
type UseCase<H> = for<'a> fn(&'a Client<H>, &'a CallArgs<'a, H>) -> Work<'a>;

/// What answers a call; `F` is a [`UseCase`].
#[derive(Clone, Copy)]
enum Handler<F> {
    /// A use case of this layer.
    UseCase(F),
    /// A read of one of the service's lists.
    Resource(&'static Resource),
}

/// A call that a client takes and that ends with plain data; `watch` and `wait`, which go on, are in `follow.rs`.
pub struct Method<H: Host> {
    /// Its name in JavaScript.
    pub name: &'static str,
    /// The name of its argument in errors.
    pub argument: &'static str,
    /// The plain options that it takes. Every call also takes `signal` and `onProgress`.
    pub options: &'static [&'static str],
    /// For a call that runs once for one sealed build, however often it is made (a double click): the options in which
    /// two calls must agree to count as one. `None` if every call runs.
    pub once_by: Option<&'static [&'static str]>,
    /// Which kinds of object its argument may be.
    accepted: &'static Accepted,
    /// What answers it.
    handler: Handler<UseCase<H>>,
}

/// The use case of a row: an `async fn` whose future is boxed.
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
    /// All calls but those of the service's resources.
    const USE_CASES: &'static [Method<H>] = &[
        row("quote", "request", &Accepted::ANYTHING, &FORM, run!(quote)),
        row("quoteTwap", "request", &Accepted::ANYTHING, &FORM, run!(quote_twap)),
        row("withdrawQuote", "quote", &Accepted::QUOTE, &WITHDRAW_OPTIONS, run!(withdraw_quote)),
        row("build", "quote", &Accepted::PRICE, &BUILDS, run!(build)),
        row("swap", "request", &Accepted::ANYTHING, &BUILDS, run!(market::swap)),
        row("approve", "approval", &Accepted::APPROVAL, &APPROVE_OPTIONS, run!(approve)),
        Method {
            once_by: Some(&CONSENT_OPTIONS),
            ..row("submit", "build", &Accepted::SUBMISSION, &SUBMIT_OPTIONS, submit)
        },
        row("order", "idOrHash", &Accepted::ANYTHING, &[], run!(order)),
        row("orders", "filter", &Accepted::ANYTHING, &[], run!(orders)),
        row("resume", "options", &Accepted::ANYTHING, &[], run!(resume)),
        row("listTrades", "filter", &Accepted::ANYTHING, &[], run!(list_trades)),
        row("forget", "ids", &Accepted::ANYTHING, &[], run!(forget)),
        row("abandon", "id", &Accepted::ANYTHING, &[], run!(abandon)),
        row("capabilities", "query", &Accepted::ANYTHING, &[], run!(capabilities)),
        row("balance", "query", &Accepted::ANYTHING, &[], run!(balance)),
        row("allowance", "query", &Accepted::ANYTHING, &[], run!(allowance)),
        row("allowances", "query", &Accepted::ANYTHING, &[], run!(allowances)),
        row("buildRevoke", "allowance", &Accepted::ANYTHING, &[], run!(build_revoke)),
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
        row("warm", "pair", &Accepted::ANYTHING, &[], run!(warm)),
        row("budget", "query", &Accepted::ANYTHING, &[], budget),
    ];

    /// All calls: the use cases, and one for each of the service's resources (`service/resources.rs`).
    pub fn all() -> impl Iterator<Item = Method<H>> {
        Method::USE_CASES.iter().copied().chain(RESOURCES.iter().map(Method::of))
    }

    /// The call of that name.
    ///
    /// # Errors
    /// INVALID_INPUT with `name` if there is none.
    pub fn named(name: &str) -> Result<Method<H>> {
        Method::all().find(|method| method.name == name).ok_or_else(|| Error::input("name", "a call's name", name))
    }

    /// Makes the call. Returns its answer as JSON text.
    ///
    /// # Errors
    /// INVALID_INPUT if the argument is of a kind that another call takes; those of [`take_request_options`] and of the
    /// use case.
    pub async fn call(&self, client: &Client<H>, call: &CallArgs<'_, H>) -> Result<String> {
        self.accepted.check(self.argument, call.data)?;
        let (asking, options) = take_request_options(call.options)?;
        let call = CallArgs { options: &options, ..*call };
        let work: Work<'_> = match self.handler {
            Handler::UseCase(run) => run(client, &call),
            Handler::Resource(of) => Box::pin(resource(client, of, &call)),
        };
        client.shared.asking(asking, work).await
    }

    /// The call of a resource, which says itself what its `query` has.
    const fn of(resource: &'static Resource) -> Method<H> {
        let handler = Handler::Resource(resource);
        let (name, accepted) = (resource.name, &Accepted::ANYTHING);
        Method { name, argument: "query", accepted, options: &[], once_by: None, handler }
    }
}

/// How a call wants its requests to the service made, by its options; and the other options.
///
/// # Errors
/// INVALID_INPUT with the option.
pub fn take_request_options(options: &Json) -> Result<(Asking, Json)> {
    let at = JsonAt::input(options, "options");
    let asking = Asking {
        waits: optional(&at.get(WAIT), |at| at.bool())?.unwrap_or(false),
        form: optional(&at.get(FORM[0]), short_text)?.map(Into::into),
        until: None,
        without_journal: optional(&at.get(WITHOUT_JOURNAL), |at| at.bool())?.unwrap_or(false),
    };
    let mut options = options.clone();
    if let Json::Object(members) = &mut options {
        members.retain(|(name, _)| name != WAIT && !FORM.contains(&name.as_str()));
    }
    Ok((asking, options))
}

/// The row of a use case that runs at every call.
const fn row<H: Host>(
    name: &'static str,
    argument: &'static str,
    accepted: &'static Accepted,
    options: &'static [&'static str],
    run: UseCase<H>,
) -> Method<H> {
    Method { name, argument, accepted, options, once_by: None, handler: Handler::UseCase(run) }
}

/// Submits a build, by its `kind`: a transaction (fill, cancellation, withdrawal), a Market trade, else an order, which
/// is signed and posted.
fn submit<'a, H: Host>(client: &'a Client<H>, call: &'a CallArgs<'a, H>) -> Work<'a> {
    match call.data.get("kind").and_then(Json::as_text) {
        Some("transaction") => Box::pin(send::submit(client, call)),
        Some("market") => Box::pin(market::submit(client, call)),
        _ => Box::pin(signed::submit::submit(client, call)),
    }
}

/// What is left of the budget for requests to the service.
fn budget<'a, H: Host>(client: &'a Client<H>, _: &'a CallArgs<'a, H>) -> Work<'a> {
    Box::pin(async { Ok(service::read_budget(&client.shared).await) })
}
