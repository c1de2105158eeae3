//! The client as JavaScript holds it.

use super::abort::Abort;
use super::decode::{decode, encode};
use super::error::{invalid, thrown};
use super::host::Browser;
use super::options::{self, Options};
use super::provider::Provider;
use crate::domain::endpoint;
use crate::domain::intent::{account, known, optional};
use crate::domain::text::ToText;
use crate::error::Result;
use crate::host::Signal;
use crate::json::{At, Fault, Json};
use crate::trade::{self, ApproveOptions, Bound, Follow, FollowPace, Progress, Shared, SubmitOptions};
use js_sys::{Function, Promise};
use std::cell::{Cell, RefCell};
use std::future::Future;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;
use web_sys::AbortController;

/// How long a request may take, unless said otherwise.
const TIMEOUT_MS: u64 = 15_000;
/// Submissions that are remembered.
const KEPT: usize = 256;

/// A client.
#[wasm_bindgen(skip_typescript)]
pub struct Client {
    trade: Rc<trade::Client<Browser>>,
    state: Rc<State>,
}

/// What all bindings of a client share on this side.
struct State {
    closing: AbortController,
    submissions: RefCell<Vec<InFlight>>,
}

/// A submission: the promise its caller has, and how far it is.
struct InFlight {
    order_hash: String,
    promise: Promise,
    signal: Abort,
    posting: Rc<Cell<bool>>,
}

const CLIENT_LIVE: [&str; 3] = ["wallet", "rpc", "onEvent"];

/// Makes a client.
#[wasm_bindgen(js_name = openClient, skip_typescript)]
pub fn open_client(value: &JsValue) -> core::result::Result<Client, JsValue> {
    opened(value).map_err(invalid)
}

fn opened(value: &JsValue) -> core::result::Result<Client, Box<Fault>> {
    let options = Options::read(value, "options", &CLIENT_LIVE)?;
    let at = options.at("");
    let mut names = CLIENT_LIVE.to_vec();
    names.extend(["baseUrl", "partner", "account", "contracts", "timeoutMs", "switchChain"]);
    known(at, &names)?;
    let base = at.get("baseUrl");
    let base_url =
        base.text().and_then(|url| endpoint::base_url(url).ok_or_else(|| options::not_secure("baseUrl", url)))?;
    let wallet = options.live("wallet").map(|wallet| options::provider(wallet, "wallet")).transpose()?;
    let timeout = optional(at.get("timeoutMs"), |at| at.integer(600_000))?.unwrap_or(TIMEOUT_MS);
    let shared = Shared::new(
        Browser { on_event: options.function("onEvent")? },
        base_url,
        optional(at.get("partner"), |at| at.text().map(String::from))?,
        options::rpc(options.live("rpc"))?,
        options::contracts(at.get("contracts"))?,
        u32::try_from(timeout).unwrap_or(u32::MAX),
    );
    let bound = Bound {
        wallet,
        account: optional(at.get("account"), account)?,
        local: false,
        may_switch: optional(at.get("switchChain"), |at| at.bool())?.unwrap_or(false),
    };
    let closing = AbortController::new().map_err(|_| Fault::new("globalThis", "AbortController", "nothing"))?;
    let state = State { closing, submissions: RefCell::default() };
    Ok(Client { trade: Rc::new(trade::Client { shared: Rc::new(shared), bound }), state: Rc::new(state) })
}

/// A promise of what the future resolves to.
fn promise(work: impl Future<Output = Result<JsValue>> + 'static) -> Promise {
    future_to_promise(async move { work.await.map_err(|error| thrown(&error)) })
}

fn refused(fault: Box<Fault>) -> Promise {
    Promise::reject(&invalid(fault))
}

/// `value` or returns a rejected promise: an async function does not throw where it is called.
macro_rules! attempt {
    ($outcome:expr) => {
        match $outcome {
            Ok(value) => value,
            Err(fault) => return refused(fault),
        }
    };
}

#[wasm_bindgen]
impl Client {
    /// The same client for another wallet.
    #[wasm_bindgen(js_name = withWallet)]
    pub fn with_wallet(&self, binding: &JsValue) -> core::result::Result<Client, JsValue> {
        let bound: Bound<Provider> = options::binding(binding).map_err(invalid)?;
        let trade = trade::Client { shared: self.trade.shared.clone(), bound };
        Ok(Client { trade: Rc::new(trade), state: self.state.clone() })
    }

    /// See [`trade::quote`].
    pub fn quote(&self, request: &JsValue, options: &JsValue) -> Promise {
        let request = attempt!(decode(request, "request"));
        let (_, signal) = attempt!(self.options(options, &[]));
        let trade = self.trade.clone();
        promise(async move { Ok(encode(&trade::quote(&trade, &request, &signal).await?)) })
    }

    /// See [`trade::build`].
    pub fn build(&self, quote: &JsValue, options: &JsValue) -> Promise {
        let quote = attempt!(decode(quote, "quote"));
        let options = attempt!(Options::read(options, "options", &["signal"]));
        let signal = attempt!(self.signal(&options));
        let trade = self.trade.clone();
        promise(async move { Ok(encode(&trade::build(&trade, &quote, &options.data, &signal).await?)) })
    }

    /// See [`trade::approve`].
    pub fn approve(&self, approval: &JsValue, options: &JsValue) -> Promise {
        let approval = attempt!(decode(approval, "approval"));
        let options = attempt!(Options::read(options, "options", &["signal", "onProgress"]));
        let signal = attempt!(self.signal(&options));
        let listener = attempt!(options.function("onProgress"));
        let approve = attempt!(ApproveOptions::read(options.at("options")));
        let trade = self.trade.clone();
        promise(async move {
            let tell = |progress: Progress| tell(listener.as_ref(), &progress);
            Ok(encode(&trade::approve(&trade, &approval, &approve, &signal, &tell).await?))
        })
    }

    /// See [`trade::submit`]. A second call for an order that is on its way, or there, gets the first one's promise.
    pub fn submit(&self, build: &JsValue, options: &JsValue) -> Promise {
        let build = attempt!(decode(build, "build"));
        let options = attempt!(Options::read(options, "options", &["signal", "onProgress"]));
        let signal = attempt!(self.signal(&options));
        let listener = attempt!(options.function("onProgress"));
        let submit = attempt!(SubmitOptions::read(options.at("options")));
        let order_hash = attempt!(At::root(&build, "build").get("orderHash").text()).to_lowercase();
        if let Some(first) = self.in_flight(&order_hash) {
            return first;
        }
        let posting = Rc::new(Cell::new(false));
        let (trade, state) = (self.trade.clone(), self.state.clone());
        let (own, hash, flag) = (signal.clone(), order_hash.clone(), posting.clone());
        let promise = promise(async move {
            let outcome = submitted(&trade, &build, &submit, &own, listener.as_ref(), &flag).await;
            if outcome.is_err() {
                state
                    .submissions
                    .borrow_mut()
                    .retain(|one| !(one.order_hash == hash && Rc::ptr_eq(&one.posting, &flag)));
            }
            Ok(encode(&outcome?))
        });
        let mut submissions = self.state.submissions.borrow_mut();
        submissions.retain(|one| one.order_hash != order_hash);
        let surplus = submissions.len().saturating_sub(KEPT);
        submissions.drain(..surplus);
        submissions.push(InFlight { order_hash, promise: promise.clone(), signal, posting });
        promise
    }

    /// See [`trade::Follow`].
    pub fn follow(&self, order: &JsValue, options: &JsValue) -> core::result::Result<Watch, JsValue> {
        let order = decode(order, "order").map_err(invalid)?;
        let (options, signal) = self.options(options, &["intervalMs", "maxIntervalMs"]).map_err(invalid)?;
        let pace = FollowPace::read(options.at("options")).map_err(invalid)?;
        let follow = Follow::new(&order, pace).map_err(invalid)?;
        Ok(Watch { trade: self.trade.clone(), signal, follow: Rc::new(RefCell::new(follow)) })
    }

    /// See [`trade::order`].
    pub fn order(&self, id_or_hash: &JsValue, options: &JsValue) -> Promise {
        let key = attempt!(decode(id_or_hash, "idOrHash"));
        let key = attempt!(At::root(&key, "idOrHash").text()).to_owned();
        let (_, signal) = attempt!(self.options(options, &[]));
        let trade = self.trade.clone();
        promise(async move { Ok(encode(&trade::order(&trade, &key, &signal).await?)) })
    }

    /// See [`trade::orders`].
    pub fn orders(&self, filter: &JsValue, options: &JsValue) -> Promise {
        let filter = attempt!(Options::read(filter, "filter", &[])).data;
        let (_, signal) = attempt!(self.options(options, &[]));
        let trade = self.trade.clone();
        promise(async move { Ok(encode(&trade::orders(&trade, &filter, &signal).await?)) })
    }

    /// See [`trade::balance`].
    pub fn balance(&self, query: &JsValue, options: &JsValue) -> Promise {
        let query = attempt!(decode(query, "query"));
        let (_, signal) = attempt!(self.options(options, &[]));
        let trade = self.trade.clone();
        promise(async move { Ok(trade::balance(&trade, &query, &signal).await?.into()) })
    }

    /// See [`trade::allowance`].
    pub fn allowance(&self, query: &JsValue, options: &JsValue) -> Promise {
        let query = attempt!(decode(query, "query"));
        let (_, signal) = attempt!(self.options(options, &[]));
        let trade = self.trade.clone();
        promise(async move { Ok(trade::allowance(&trade, &query, &signal).await?.into()) })
    }

    /// Ends what waits. What was posted is not affected.
    pub fn close(&self) {
        self.trade.shared.closed.set(true);
        self.state.closing.abort();
    }
}

impl Client {
    fn signal(&self, options: &Options) -> core::result::Result<Abort, Box<Fault>> {
        options.signal(&self.state.closing.signal())
    }

    /// Options of these plain members, beside `signal`.
    fn options(&self, value: &JsValue, names: &[&str]) -> core::result::Result<(Options, Abort), Box<Fault>> {
        let options = Options::read(value, "options", &["signal"])?;
        let mut all = names.to_vec();
        all.push("signal");
        known(options.at("options"), &all)?;
        let signal = self.signal(&options)?;
        Ok((options, signal))
    }

    /// The promise of a submission that has not been given up.
    fn in_flight(&self, order_hash: &str) -> Option<Promise> {
        let submissions = self.state.submissions.borrow();
        let first = submissions.iter().find(|one| one.order_hash == order_hash)?;
        (first.posting.get() || !first.signal.is_aborted()).then(|| first.promise.clone())
    }
}

async fn submitted(
    trade: &trade::Client<Browser>,
    build: &Json,
    options: &SubmitOptions,
    signal: &Abort,
    listener: Option<&Function>,
    posting: &Cell<bool>,
) -> Result<Json> {
    let submission = trade::prepare(trade, build, options, signal).await?;
    let tell = |progress: Progress| tell(listener, &progress);
    trade::submit(trade, &submission, signal, &tell, &|| posting.set(true)).await
}

fn tell(listener: Option<&Function>, progress: &Progress) {
    let Some(listener) = listener else { return };
    let mut members = vec![(String::from("step"), Json::text(progress.step))];
    members.extend(progress.transaction.map(|hash| ("transaction".into(), Json::text(hash.text()))));
    members.extend(progress.signed_order.clone().map(|signed| ("signedOrder".into(), signed)));
    // A listener that throws is the application's affair, not the trade's.
    let _ = listener.call1(&JsValue::UNDEFINED, &encode(&Json::Object(members)));
}

/// An order being followed.
#[wasm_bindgen(skip_typescript)]
pub struct Watch {
    trade: Rc<trade::Client<Browser>>,
    signal: Abort,
    follow: Rc<RefCell<Follow>>,
}

#[wasm_bindgen]
impl Watch {
    /// The order when it changed; `undefined` after its end.
    pub fn next(&self) -> Promise {
        let (trade, signal, cell) = (self.trade.clone(), self.signal.clone(), self.follow.clone());
        promise(async move {
            // Taken out while it waits: no borrow is held across an await.
            let mut follow = cell.borrow().clone();
            let next = follow.next(&trade, &signal).await;
            cell.replace(follow);
            Ok(next?.map_or(JsValue::UNDEFINED, |order| encode(&order)))
        })
    }
}
