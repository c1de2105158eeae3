//! The client as JavaScript holds it.

use super::abort::Abort;
use super::decode::{decode, encode};
use super::error::thrown;
use super::host::Browser;
use super::options::{self, Options};
use crate::domain::endpoint;
use crate::domain::intent::{account, known, optional};
use crate::error::{Error, Result};
use crate::host::Signal;
use crate::json::{At, Json, Out, quoted};
use crate::trade::{self, ApproveOptions, Bound, Follow, FollowPace, Progress, Shared, SubmitOptions};
use js_sys::{Function, Promise};
use std::cell::{Cell, RefCell};
use std::future::Future;
use std::pin::Pin;
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
    opened(value).map_err(thrown)
}

fn opened(value: &JsValue) -> Result<Client> {
    let options = Options::read(value, "options", &CLIENT_LIVE)?;
    let at = options.at("");
    let names = ["baseUrl", "partner", "account", "contracts", "timeoutMs", "switchChain"];
    known(&at, &names)?;
    let url = at.get("baseUrl").text()?;
    let base_url = endpoint::base_url(url).ok_or_else(|| options::not_secure("baseUrl", url))?;
    let wallet = options.live("wallet").map(|wallet| options::provider(wallet, "wallet")).transpose()?;
    let timeout = at.get("timeoutMs").some().map(|at| at.integer(600_000)).transpose()?.unwrap_or(TIMEOUT_MS);
    let shared = Shared::new(
        Browser { on_event: options.function("onEvent")? },
        base_url,
        at.get("partner").some().map(|at| at.text()).transpose()?.map(String::from),
        options::rpc(options.live("rpc"))?,
        options::contracts(&at.get("contracts"))?,
        u32::try_from(timeout).unwrap_or(u32::MAX),
    );
    let bound = Bound {
        wallet,
        account: optional(&at.get("account"), account)?,
        local: false,
        may_switch: at.get("switchChain").some().map(|at| at.bool()).transpose()?.unwrap_or(false),
    };
    let closing = AbortController::new().map_err(|_| Error::input("globalThis", "AbortController", "nothing"))?;
    let state = State { closing, submissions: RefCell::default() };
    Ok(Client { trade: Rc::new(trade::Client { shared: Rc::new(shared), bound }), state: Rc::new(state) })
}

/// A promise of the plain data whose JSON text the future ends with.
fn promise(work: impl Future<Output = Result<String>> + 'static) -> Promise {
    // Boxed: one copy of what drives a future, instead of one for each kind of call.
    let work: Pin<Box<dyn Future<Output = Result<String>>>> = Box::pin(work);
    future_to_promise(async move { work.await.map(|json| encode(&json)).map_err(thrown) })
}

/// An async function does not throw where it is called.
fn rejected(outcome: Result<Promise>) -> Promise {
    outcome.unwrap_or_else(|error| Promise::reject(&thrown(error)))
}

/// One call by its parts: the plain argument, the options, the signal, and the client to work with.
struct Call {
    trade: Rc<trade::Client<Browser>>,
    data: Json,
    options: Options,
    signal: Abort,
}

#[wasm_bindgen]
impl Client {
    /// The same client for another wallet.
    #[wasm_bindgen(js_name = withWallet)]
    pub fn with_wallet(&self, binding: &JsValue) -> core::result::Result<Client, JsValue> {
        let bound = options::binding(binding).map_err(thrown)?;
        let trade = trade::Client { shared: self.trade.shared.clone(), bound };
        Ok(Client { trade: Rc::new(trade), state: self.state.clone() })
    }

    /// See [`trade::quote`].
    pub fn quote(&self, request: &JsValue, options: &JsValue) -> Promise {
        rejected(
            self.call(request, "request", options, &[])
                .map(|call| promise(async move { trade::quote(&call.trade, &call.data, &call.signal).await })),
        )
    }

    /// See [`trade::build`].
    pub fn build(&self, quote: &JsValue, options: &JsValue) -> Promise {
        rejected(self.call(quote, "quote", options, &trade::BUILD_OPTIONS).map(|call| {
            promise(async move { trade::build(&call.trade, &call.data, &call.options.data, &call.signal).await })
        }))
    }

    /// See [`trade::approve`].
    pub fn approve(&self, approval: &JsValue, options: &JsValue) -> Promise {
        rejected(self.call(approval, "approval", options, &["amount"]).and_then(|call| {
            let approve = ApproveOptions::read(&call.options.at("options"))?;
            let listener = call.options.function("onProgress")?;
            Ok(promise(async move {
                let tell = |progress: Progress| tell(listener.as_ref(), &progress);
                trade::approve(&call.trade, &call.data, &approve, &call.signal, &tell).await
            }))
        }))
    }

    /// See [`trade::submit`]. A second call for an order that is on its way, or there, gets the first one's promise.
    pub fn submit(&self, build: &JsValue, options: &JsValue) -> Promise {
        rejected(self.call(build, "build", options, &["signature", "request"]).and_then(|call| self.submitted(call)))
    }

    /// See [`trade::Follow`].
    pub fn follow(&self, order: &JsValue, options: &JsValue) -> core::result::Result<Watch, JsValue> {
        let follow = || {
            let call = self.call(order, "order", options, &["intervalMs", "maxIntervalMs"])?;
            let follow = Follow::new(&call.data, FollowPace::read(&call.options.at("options"))?)?;
            Ok(Watch { trade: call.trade, signal: call.signal, follow: Rc::new(RefCell::new(follow)) })
        };
        follow().map_err(thrown)
    }

    /// See [`trade::order`].
    pub fn order(&self, id_or_hash: &JsValue, options: &JsValue) -> Promise {
        rejected(self.call(id_or_hash, "idOrHash", options, &[]).and_then(|call| {
            At::input(&call.data, "idOrHash").text()?;
            Ok(promise(async move {
                trade::order(&call.trade, call.data.as_text().unwrap_or_default(), &call.signal).await
            }))
        }))
    }

    /// See [`trade::orders`].
    pub fn orders(&self, filter: &JsValue, options: &JsValue) -> Promise {
        rejected(
            self.call(filter, "filter", options, &[])
                .map(|call| promise(async move { trade::orders(&call.trade, &call.data, &call.signal).await })),
        )
    }

    /// See [`trade::balance`].
    pub fn balance(&self, query: &JsValue, options: &JsValue) -> Promise {
        rejected(self.call(query, "query", options, &[]).map(|call| {
            promise(
                async move { trade::balance(&call.trade, &call.data, &call.signal).await.map(|text| quoted(&text)) },
            )
        }))
    }

    /// See [`trade::allowance`].
    pub fn allowance(&self, query: &JsValue, options: &JsValue) -> Promise {
        rejected(self.call(query, "query", options, &[]).map(|call| {
            promise(
                async move { trade::allowance(&call.trade, &call.data, &call.signal).await.map(|text| quoted(&text)) },
            )
        }))
    }

    /// Ends what waits. What was posted is not affected.
    pub fn close(&self) {
        self.state.closing.abort();
    }
}

impl Client {
    /// Reads a call's arguments, once. `names` are the plain options it takes.
    fn call(&self, data: &JsValue, name: &str, options: &JsValue, names: &[&str]) -> Result<Call> {
        let data = decode(data, name)?;
        let options = Options::read(options, "options", &["signal", "onProgress"])?;
        known(&options.at("options"), names)?;
        let signal = options.signal(&self.state.closing.signal())?;
        Ok(Call { trade: self.trade.clone(), data, options, signal })
    }

    fn submitted(&self, call: Call) -> Result<Promise> {
        let submit = SubmitOptions::read(&call.options.at("options"))?;
        let listener = call.options.function("onProgress")?;
        let order_hash = At::input(&call.data, "build").get("orderHash").text()?.to_ascii_lowercase();
        if let Some(first) = self.in_flight(&order_hash) {
            return Ok(first);
        }
        let posting = Rc::new(Cell::new(false));
        let (state, signal, hash, flag) =
            (self.state.clone(), call.signal.clone(), order_hash.clone(), posting.clone());
        let promise = promise(async move {
            let Call { trade, data, signal, .. } = &call;
            let outcome = match trade::prepare(trade, data, &submit, signal).await {
                Ok(submission) => {
                    let tell = |progress: Progress| tell(listener.as_ref(), &progress);
                    trade::submit(trade, &submission, signal, &tell, &|| flag.set(true)).await
                }
                Err(error) => Err(error),
            };
            if outcome.is_err() {
                state.submissions.borrow_mut().retain(|one| one.order_hash != hash || !Rc::ptr_eq(&one.posting, &flag));
            }
            outcome
        });
        let mut submissions = self.state.submissions.borrow_mut();
        submissions.retain(|one| one.order_hash != order_hash);
        let surplus = submissions.len().saturating_sub(KEPT);
        submissions.drain(..surplus);
        submissions.push(InFlight { order_hash, promise: promise.clone(), signal, posting });
        Ok(promise)
    }

    /// The promise of a submission that has not been given up.
    fn in_flight(&self, order_hash: &str) -> Option<Promise> {
        let submissions = self.state.submissions.borrow();
        let first = submissions.iter().find(|one| one.order_hash == order_hash)?;
        (first.posting.get() || !first.signal.is_aborted()).then(|| first.promise.clone())
    }
}

fn tell(listener: Option<&Function>, progress: &Progress) {
    let Some(listener) = listener else { return };
    let mut out = Out::object();
    out.text("step", progress.step);
    if let Some(hash) = &progress.transaction {
        out.value("transaction", hash);
    }
    if let Some(signed) = &progress.signed_order {
        out.raw("signedOrder", signed);
    }
    // A listener that throws is the application's affair, not the trade's.
    let _ = listener.call1(&JsValue::UNDEFINED, &encode(&out.close()));
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
    /// The order when it changed; `null` after its end.
    pub fn next(&self) -> Promise {
        let (trade, signal, cell) = (self.trade.clone(), self.signal.clone(), self.follow.clone());
        promise(async move {
            // Taken out while it waits: no borrow is held across an await.
            let mut follow = cell.borrow().clone();
            let next = follow.next(&trade, &signal).await;
            cell.replace(follow);
            Ok(next?.unwrap_or_else(|| "null".into()))
        })
    }
}
