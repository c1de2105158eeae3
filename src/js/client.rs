//! The client as JavaScript holds it: each call decoded, made, and answered as a promise.

use super::abort::Abort;
use super::decode::{decode, encode};
use super::error::thrown;
use super::host::Browser;
use super::options::Options;
use super::promise::promise;
use super::provider::Provider;
use super::settings::{read_binding, read_settings};
use super::submissions::{Phase, SubmissionKey, Submissions};
use crate::error::{Error, Result};
use crate::json::{Json, JsonAt, ObjectWriter};
use crate::trade::{self, CallArgs, FOLLOW_OPTIONS, Follow, FollowPace, Progress, Shared, WalletBinding};
use js_sys::{Function, Promise};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::AbortController;

type Method = trade::Method<Browser>;

/// A client bound to a wallet.
#[wasm_bindgen(skip_typescript)]
pub struct Client {
    bound: WalletBinding<Provider>,
    state: Rc<State>,
}

/// What all bindings of a client have in common. A page may never let go of one, so that `close` frees what is in here.
struct State {
    /// `None` once the client is closed.
    shared: RefCell<Option<Rc<Shared<Browser>>>>,
    /// Aborts every call when the client is closed.
    closing: AbortController,
    submissions: Submissions,
}

/// Makes a client of its `ClientOptions`.
///
/// # Errors
/// INVALID_INPUT with the option that is unknown or not as it must be.
#[wasm_bindgen(js_name = openClient, skip_typescript)]
pub fn open_client(options: &JsValue) -> core::result::Result<Client, JsValue> {
    let open = || {
        let (shared, bound) = read_settings(options)?;
        let closing = AbortController::new().map_err(|_| Error::input("globalThis", "AbortController", "nothing"))?;
        let shared = RefCell::new(Some(Rc::new(shared)));
        Ok(Client { bound, state: Rc::new(State { shared, closing, submissions: Submissions::default() }) })
    };
    open().map_err(thrown)
}

/// One call, decoded: what is needed to make it once this function has returned to JavaScript.
struct JsCall {
    trade: trade::Client<Browser>,
    data: Json,
    options: Options,
    /// Fires with the caller's signal, and when the client is closed.
    signal: Abort,
}

#[wasm_bindgen]
impl Client {
    /// The same client for another wallet, of its `WalletBinding`.
    #[wasm_bindgen(js_name = withWallet)]
    pub fn with_wallet(&self, binding: &JsValue) -> core::result::Result<Client, JsValue> {
        let bound = read_binding(binding).map_err(thrown)?;
        Ok(Client { bound, state: self.state.clone() })
    }

    /// Makes the call of that name. A second `submit` for an order that is on its way, or there, gets the first one's
    /// promise.
    pub fn invoke(&self, name: &str, data: &JsValue, options: &JsValue) -> Promise {
        // A promise is what the caller expects, whatever is wrong with the arguments.
        self.start(name, data, options).unwrap_or_else(|error| Promise::reject(&thrown(error)))
    }

    /// Follows an order, or a transaction that was sent: see [`Follow`].
    pub fn follow(&self, order: &JsValue, options: &JsValue) -> core::result::Result<Watch, JsValue> {
        let follow = || {
            let call = self.decode_call(order, "order", options, &FOLLOW_OPTIONS)?;
            let follow = Follow::new(&call.data, FollowPace::read(&call.options.at("options"))?)?;
            Ok(Watch(Rc::new((call, RefCell::new(follow)))))
        };
        follow().map_err(thrown)
    }

    /// Aborts every call, and forgets all that is remembered. What was posted is not affected.
    pub fn close(&self) {
        self.state.closing.abort();
        self.state.shared.take();
        self.state.submissions.clear();
    }
}

impl Client {
    /// Decodes a call's argument, which errors call `argument`, and its options; `names` are the plain ones it takes.
    fn decode_call(&self, data: &JsValue, argument: &str, options: &JsValue, names: &[&str]) -> Result<JsCall> {
        let data = decode(data, argument)?;
        let options = Options::read(options, "options", &["signal", "onProgress"], names)?;
        let signal = options.signal(&self.state.closing.signal())?;
        let shared = self.state.shared.borrow().clone().ok_or_else(Error::aborted)?;
        Ok(JsCall { trade: trade::Client { shared, bound: self.bound.clone() }, data, options, signal })
    }

    fn start(&self, name: &str, data: &JsValue, options: &JsValue) -> Result<Promise> {
        let method = Method::named(name)?;
        let call = self.decode_call(data, method.argument, options, method.options)?;
        let Some(consent_options) = method.once_by else { return Ok(promise(run(method, call, Rc::default()))) };
        let options = call.options.at("options");
        let mut consent = String::new();
        for name in consent_options {
            if let Some(stated) = options.get(name).json().filter(|stated| **stated != Json::Bool(false)) {
                consent.push_str(&stated.write());
            }
        }
        // What is visible may have been edited, or left out; the sealed text beside it is what is submitted. Where there is
        // none, the call says what is wrong.
        let sealed = JsonAt::input(&call.data, method.argument).get("sealed").text().unwrap_or_default().to_owned();
        let (key, signal) = (SubmissionKey { sealed, consent }, call.signal.clone());
        Ok(self.state.submissions.join_or(key, &signal, |phase| promise(run(method, call, phase))))
    }
}

/// Makes a call, and keeps its phase up to date.
async fn run(method: Method, call: JsCall, phase: Rc<Cell<Phase>>) -> core::result::Result<JsValue, JsValue> {
    let answer = call.answer(&method, &|| phase.set(Phase::Posting)).await;
    answer.map_err(|error| {
        phase.set(Phase::Failed);
        thrown(error)
    })
}

impl JsCall {
    /// Makes the call. `posting` is told when an abort no longer ends it.
    async fn answer(&self, method: &Method, posting: &dyn Fn()) -> Result<JsValue> {
        let JsCall { trade, data, options, signal } = self;
        let listener = options.function("onProgress")?;
        let progress = |progress: Progress| emit(listener.as_ref(), &progress);
        let args = CallArgs { data, options: &options.data, signal, progress: &progress, posting };
        Ok(encode(&method.call(trade, &args).await?))
    }
}

/// Tells `onProgress` of a step.
fn emit(listener: Option<&Function>, progress: &Progress) {
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

/// An order, or a transaction, being followed.
#[wasm_bindgen(skip_typescript)]
pub struct Watch(Rc<(JsCall, RefCell<Follow>)>);

#[wasm_bindgen]
impl Watch {
    /// A promise of the order when it has changed; of `null` after its terminal status.
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
