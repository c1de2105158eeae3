//! The client as JavaScript holds it.

use super::abort::Abort;
use super::decode::{decode, encode};
use super::error::thrown;
use super::host::Browser;
use super::options::{self, Options};
use super::promise::promise;
use super::provider::Provider;
use crate::domain::agreement::Agreement;
use crate::domain::bridge_tokens::read_pairs;
use crate::domain::endpoint;
use crate::domain::input::{account, api_key, optional, short_text};
use crate::error::{Error, Result};
use crate::host::Signal;
use crate::json::{Json, JsonAt, ObjectWriter};
use crate::trade::{self, CALLS, Follow, FollowPace, Progress, Shared, WalletBinding};
use js_sys::{Function, Promise};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::AbortController;

/// How long a request may take, unless said otherwise.
const TIMEOUT_MS: u64 = 15_000;
/// Submissions that are remembered.
const KEPT: usize = 256;

/// A client.
#[wasm_bindgen(skip_typescript)]
pub struct Client {
    bound: WalletBinding<Provider>,
    state: Rc<State>,
}

/// What all bindings of a client share. A page need not have let go of any of them for it to be freed.
struct State {
    /// Nothing once it is closed.
    shared: RefCell<Option<Rc<Shared<Browser>>>>,
    closing: AbortController,
    submissions: RefCell<Vec<InFlight>>,
}

/// A submission: the promise its caller has, and how far it is.
struct InFlight {
    /// Its sealed text.
    key: String,
    /// The way of consenting that was asked for in place of the wallet's prompt, as JSON text; nothing for that.
    consent: String,
    promise: Promise,
    signal: Abort,
    phase: Rc<Cell<Phase>>,
}

/// How far a submission is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// An abort ends it.
    Waiting,
    /// It is on its way, or there.
    Posting,
    /// It ended with an error.
    Failed,
}

impl InFlight {
    /// Whether it has neither failed nor been given up.
    fn goes_on(&self) -> bool {
        match self.phase.get() {
            Phase::Waiting => !self.signal.is_aborted(),
            Phase::Posting => true,
            Phase::Failed => false,
        }
    }
}

const CLIENT_LIVE: [&str; 3] = ["wallet", "rpc", "onEvent"];

/// Makes a client.
#[wasm_bindgen(js_name = openClient, skip_typescript)]
pub fn open_client(value: &JsValue) -> core::result::Result<Client, JsValue> {
    opened(value).map_err(thrown)
}

fn opened(value: &JsValue) -> Result<Client> {
    let names = [
        "baseUrl",
        "partner",
        "apiKey",
        "agreement",
        "account",
        "contracts",
        "allowServiceContracts",
        "bridgeTokens",
        "timeoutMs",
        "switchChain",
    ];
    let options = Options::read(value, "options", &CLIENT_LIVE, &names)?;
    let at = options.at("");
    let url = at.get("baseUrl").text()?;
    let base_url = endpoint::base_url(url).ok_or_else(|| options::not_secure("baseUrl", url))?;
    let wallet = options.live("wallet").map(|wallet| options::provider(wallet, "wallet")).transpose()?;
    let timeout = optional(&at.get("timeoutMs"), |at| match at.integer(600_000)? {
        0 => Err(at.fault("at least one millisecond")),
        ms => Ok(ms),
    })?;
    let mut shared = Shared::new(
        Browser { on_event: options.function("onEvent")? },
        base_url,
        optional(&at.get("partner"), short_text)?,
        options::rpc(options.live("rpc"))?,
        options::contracts(&at.get("contracts"))?,
        u32::try_from(timeout.unwrap_or(TIMEOUT_MS)).unwrap_or(u32::MAX),
    );
    shared.bridge_tokens = optional(&at.get("bridgeTokens"), read_pairs)?.unwrap_or_default();
    shared.api_key = optional(&at.get("apiKey"), api_key)?;
    shared.agreement = optional(&at.get("agreement"), Agreement::read)?.unwrap_or_default();
    shared.allow_service_contracts = optional(&at.get("allowServiceContracts"), |at| at.bool())?.unwrap_or(false);
    let bound = WalletBinding {
        wallet,
        account: optional(&at.get("account"), account)?,
        local: false,
        may_switch: optional(&at.get("switchChain"), |at| at.bool())?.unwrap_or(false),
    };
    let closing = AbortController::new().map_err(|_| Error::input("globalThis", "AbortController", "nothing"))?;
    let shared = RefCell::new(Some(Rc::new(shared)));
    Ok(Client { bound, state: Rc::new(State { shared, closing, submissions: RefCell::default() }) })
}

/// One call by its parts: the plain argument, the options, the signal, and the client to work with.
struct JsCall {
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
        Ok(Client { bound, state: self.state.clone() })
    }

    /// Starts one of [`CALLS`]. A second `submit` for an order that is on its way, or there, gets the first one's
    /// promise.
    pub fn invoke(&self, name: &str, data: &JsValue, options: &JsValue) -> Promise {
        // A promise is what the caller expects, whatever is wrong with the arguments.
        self.started(name, data, options).unwrap_or_else(|error| Promise::reject(&thrown(error)))
    }

    /// See [`trade::Follow`].
    pub fn follow(&self, order: &JsValue, options: &JsValue) -> core::result::Result<Watch, JsValue> {
        let follow = || {
            let call = self.call(order, "order", options, &["intervalMs", "maxIntervalMs"])?;
            let follow = Follow::new(&call.data, FollowPace::read(&call.options.at("options"))?)?;
            Ok(Watch(Rc::new((call, RefCell::new(follow)))))
        };
        follow().map_err(thrown)
    }

    /// Ends what waits, and lets go of what is remembered. What was posted is not affected.
    pub fn close(&self) {
        self.state.closing.abort();
        self.state.shared.take();
        self.state.submissions.take();
    }
}

impl Client {
    /// Reads a call's arguments, once. `names` are the plain options it takes.
    fn call(&self, data: &JsValue, name: &str, options: &JsValue, names: &[&str]) -> Result<JsCall> {
        let data = decode(data, name)?;
        let options = Options::read(options, "options", &["signal", "onProgress"], names)?;
        let signal = options.signal(&self.state.closing.signal())?;
        let shared = self.state.shared.borrow().clone().ok_or_else(Error::aborted)?;
        let trade = Rc::new(trade::Client { shared, bound: self.bound.clone() });
        Ok(JsCall { trade, data, options, signal })
    }

    fn started(&self, name: &str, data: &JsValue, options: &JsValue) -> Result<Promise> {
        let known = CALLS.iter().find(|(known, _, _)| *known == name);
        let (name, argument, names) = *known.ok_or_else(|| Error::input("name", "a call's name", name))?;
        let call = self.call(data, argument, options, names)?;
        let phase = Rc::new(Cell::new(Phase::Waiting));
        if name != "submit" {
            return Ok(promise(run(name, call, phase)));
        }
        let passed = JsonAt::input(&call.data, argument);
        // What is visible may have been edited, or left out; the sealed text beside it is what is submitted. Where there is
        // none, the call says what is wrong.
        let key = passed.get("sealed").text().unwrap_or_default().to_owned();
        let options = call.options.at("options");
        let mut consent = String::new();
        for name in ["signature", "preSign", "again"] {
            if let Some(stated) = options.get(name).json().filter(|stated| **stated != Json::Bool(false)) {
                consent.push_str(&stated.write());
            }
        }
        let mut submissions = self.state.submissions.borrow_mut();
        // Another way of consenting than by the prompt that may be open is another submission, until one of them posts.
        let joins = |one: &&InFlight| consent.is_empty() || one.consent == consent || one.phase.get() == Phase::Posting;
        let same = |one: &&InFlight| one.key == key && one.goes_on();
        if let Some(first) = submissions.iter().rev().filter(same).find(joins) {
            return Ok(first.promise.clone());
        }
        if submissions.len() >= KEPT {
            submissions.remove(0);
        }
        let signal = call.signal.clone();
        let promise = promise(run(name, call, phase.clone()));
        submissions.push(InFlight { key, consent, promise: promise.clone(), signal, phase });
        Ok(promise)
    }
}

/// Runs a call to its end.
async fn run(name: &'static str, call: JsCall, phase: Rc<Cell<Phase>>) -> core::result::Result<JsValue, JsValue> {
    worked(name, &call, &phase).await.map_err(|error| {
        phase.set(Phase::Failed);
        thrown(error)
    })
}

async fn worked(name: &'static str, call: &JsCall, phase: &Cell<Phase>) -> Result<JsValue> {
    let JsCall { trade, data, options, signal } = call;
    let listener = options.function("onProgress")?;
    let tell = |progress: Progress| tell(listener.as_ref(), &progress);
    let posting = || phase.set(Phase::Posting);
    let call = trade::CallArgs { data, options: &options.data, signal, progress: &tell, posting: &posting };
    Ok(encode(&trade::call(trade, name, &call).await?))
}

fn tell(listener: Option<&Function>, progress: &Progress) {
    let Some(listener) = listener else { return };
    let mut out = ObjectWriter::object();
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
pub struct Watch(Rc<(JsCall, RefCell<Follow>)>);

#[wasm_bindgen]
impl Watch {
    /// The order when it changed; `null` after its end.
    pub fn next(&self) -> Promise {
        promise(next(self.0.clone()))
    }
}

async fn next(watch: Rc<(JsCall, RefCell<Follow>)>) -> core::result::Result<JsValue, JsValue> {
    let (call, cell) = &*watch;
    // Taken out while it waits: no borrow is held across an await.
    let mut follow = cell.borrow().clone();
    let next = follow.next(&call.trade, &call.signal).await;
    cell.replace(follow);
    next.map(|order| order.map_or(JsValue::NULL, |order| encode(&order))).map_err(thrown)
}
