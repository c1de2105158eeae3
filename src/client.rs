//! The client as JavaScript holds it. `invoke` makes any call of the table in `trade::calls`: it decodes the arguments,
//! runs the use case, and answers with a promise.
//!
//! One entry instead of a method for each call, because each exported function brings conversions of its own on both
//! sides. `pkg-template/src/entry.ts` makes the methods.

use crate::abort::Abort;
use crate::decode::{decode, encode};
use crate::early::Early;
use crate::error::thrown;
use crate::host::Browser;
use crate::options::Options;
use crate::promise::promise;
use crate::provider::Provider;
use crate::settings::{read_binding, read_settings};
use crate::submissions::{Phase, SubmissionKey, Submissions};
use crate::tabs::Tabs;
use js_sys::{Function, Promise};
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;
use trade::flows::{
    self, CallArgs, FOLLOW_OPTIONS, Following, Method, Parts, Progress, PromptGate, Rest, Shared, WAIT, WalletBinding,
};
use trade::service;
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::{Json, JsonAt, ObjectWriter, parse};
use wasm_bindgen::prelude::*;
use web_sys::{AbortController, AbortSignal};

/// The options of every call that are used as they are.
const LIVE: [&str; 2] = ["signal", "onProgress"];

/// A client, bound to a wallet or to none.
#[wasm_bindgen(skip_typescript)]
pub struct Client {
    /// The wallet of this binding.
    binding: WalletBinding<Provider>,
    /// Aborts every call of this binding when it is closed.
    closing: AbortController,
    /// The signals of the clients from which this binding was made. Each fires when its client is closed.
    above: Vec<AbortSignal>,
    /// The state that all bindings share.
    state: Rc<State>,
}

/// The state that all bindings of a client share. A page may keep a binding for ever, so `close` of the first client
/// frees this memory.
struct State {
    /// Settings and memory; `None` once the client is closed.
    shared: RefCell<Option<Rc<Shared<Browser>>>>,
    /// The submissions, so that a second `submit` joins the first.
    submissions: Submissions,
}

/// Makes a client from `ClientOptions`, and opens its [`Tabs`]. Sends nothing to the network or the wallet. `early` is
/// a request that left before; `load` takes a number, and returns the promise of the package's files up to that one, or
/// with `true` behind it has them loaded once the page is idle.
///
/// # Errors
/// INVALID_INPUT with the option that is unknown or wrong.
#[wasm_bindgen(js_name = openClient, skip_typescript)]
pub fn open_client(
    options: &JsValue,
    tabs: Tabs,
    early: Option<Early>,
    load: Option<Function>,
) -> core::result::Result<Client, JsValue> {
    let open = || {
        let is_early = early.is_some();
        let (shared, binding) = read_settings(options, (tabs, early, load))?;
        if is_early {
            service::count_sent(&shared);
        }
        let shared = RefCell::new(Some(Rc::new(shared)));
        Client::bind(binding, Vec::new(), Rc::new(State { shared, submissions: Submissions::default() }))
    };
    open().map_err(thrown)
}

/// A call with its arguments decoded. It owns all its data, because it runs on after `invoke` has returned.
struct JsCall {
    /// The client with its wallet, as use cases take it.
    trade: flows::Client<Browser>,
    /// The argument of the call.
    data: Json,
    /// The options of the call.
    options: Options,
    /// The signals that end the call: the caller's, and those that close the client.
    signal: Abort,
}

#[wasm_bindgen]
impl Client {
    /// The same client for another wallet, from a `WalletBinding`. It shares settings and memory, and closes with this
    /// client.
    ///
    /// # Errors
    /// INVALID_INPUT with the member that is unknown or wrong.
    #[wasm_bindgen(js_name = withWallet)]
    pub fn with_wallet(&self, binding: &JsValue) -> core::result::Result<Client, JsValue> {
        let binding = read_binding(binding).map_err(thrown)?;
        let above = [&self.above[..], &[self.closing.signal()]].concat();
        Client::bind(binding, above, self.state.clone()).map_err(thrown)
    }

    /// Makes the call with this name, and returns a promise of its answer. A second `submit` of a build that is being
    /// submitted, or was submitted, gets the promise of the first.
    ///
    /// It never throws: wrong arguments reject the promise.
    pub fn invoke(&self, name: &str, data: &JsValue, options: &JsValue) -> Promise {
        self.start(name, data, options).unwrap_or_else(|error| Promise::reject(&thrown(error)))
    }

    /// Follows an order, or a sent transaction. Nothing is requested before [`Watch::call`], which also reports a wrong
    /// argument if the code for following is not loaded yet.
    ///
    /// # Errors
    /// INVALID_INPUT with the argument or option that is wrong.
    pub fn follow(&self, order: &JsValue, options: &JsValue) -> core::result::Result<Watch, JsValue> {
        let follow = || {
            let call = self.decode_call(order, "order", options, (&LIVE, &FOLLOW_OPTIONS))?;
            // Following slows down by itself.
            let (_, options) = flows::take_request_options(&call.options.data)?;
            let followed = Followed { call, options, follow: OnceCell::new() };
            if let Some(rest) = followed.call.trade.shared.host.rest_if_there() {
                followed.begin(rest)?;
            }
            Ok(Watch(Rc::new(followed)))
        };
        follow().map_err(thrown)
    }

    /// Refuses from now on to build the quote with that sealed text, for `reason`: its page has taken it back. Does
    /// nothing once the client is closed.
    pub fn withdraw(&self, sealed: &str, reason: &str) {
        if let Some(shared) = &*self.state.shared.borrow() {
            flows::withdraw(shared, sealed, reason);
        }
    }

    /// Aborts every call of this binding and of the bindings made from it. The first client also clears its memory.
    /// Posted orders and sent transactions stay as they are. Later calls are ABORTED.
    pub fn close(&self) {
        self.closing.abort();
        if self.above.is_empty() {
            self.state.shared.take();
            self.state.submissions.clear();
        }
    }
}

impl Client {
    /// A client for this wallet.
    ///
    /// # Errors
    /// INVALID_INPUT if there is no `AbortController`.
    fn bind(binding: WalletBinding<Provider>, above: Vec<AbortSignal>, state: Rc<State>) -> Result<Client> {
        let closing = AbortController::new().map_err(|_| Error::input("globalThis", "AbortController", "nothing"))?;
        Ok(Client { binding, closing, above, state })
    }

    /// Decodes the options of a call and its argument, which errors name `argument`. `live` and `names` are its options
    /// beside `waitForRateLimit`: those that are used as they are, and those of plain data.
    ///
    /// # Errors
    /// INVALID_INPUT with what is wrong; ABORTED if the client is closed.
    fn decode_call(
        &self,
        data: &JsValue,
        argument: &str,
        options: &JsValue,
        (live, names): (&[&str], &[&str]),
    ) -> Result<JsCall> {
        let data = decode(data, argument)?;
        let options = Options::read(options, "options", live, &[names, &[WAIT]].concat())?;
        let signal = options.signal([&self.above[..], &[self.closing.signal()]].concat())?;
        let shared = self.state.shared.borrow().clone().ok_or_else(closed)?;
        Ok(JsCall { trade: flows::Client { shared, binding: self.binding.clone() }, data, options, signal })
    }

    /// Starts the call with this name, or joins the submission that is under way.
    fn start(&self, name: &str, data: &JsValue, options: &JsValue) -> Result<Promise> {
        let method = Method::named(name)?;
        let live = if method.prompts() { &[LIVE[0], LIVE[1], "onPrompt"][..] } else { &LIVE };
        let call = self.decode_call(data, method.argument, options, (live, method.options))?;
        let Some(consent_options) = method.once_by else { return Ok(promise(run(method, call, Rc::default()))) };
        let options = call.options.at("options");
        let mut consent = String::new();
        for name in consent_options {
            if let Some(stated) = options.get(name).json().filter(|stated| **stated != Json::Bool(false)) {
                consent.push_str(&stated.write());
            }
        }
        // The sealed text is what is submitted; the members beside it may have been edited or left out. If it is
        // missing, the call itself reports what is wrong.
        let sealed = JsonAt::input(&call.data, method.argument).get("sealed").text().unwrap_or_default().to_owned();
        let (key, signal) = (SubmissionKey { sealed, consent }, call.signal.clone());
        Ok(self.state.submissions.join_or(key, &signal, |phase| promise(run(method, call, phase))))
    }
}

/// ABORTED: the call came after the client was closed.
fn closed() -> Error {
    Error::new(ErrorCode::Aborted, "the client is closed")
}

/// Runs a call, and keeps `phase` up to date.
async fn run(method: Method, call: JsCall, phase: Rc<Cell<Phase>>) -> core::result::Result<JsValue, JsValue> {
    let answer = call.answer(&method, &|| phase.set(Phase::Posting)).await;
    let is_sent = ["transaction", "market"].map(Some).contains(&call.data.get("kind").and_then(Json::as_text));
    if answer.is_ok() && method.once_by.is_some() && is_sent {
        let _ = promise(async move {
            if let Some(rest) = call.trade.shared.host.rest_if_there() {
                let _ = (rest.learn_number)(&call.trade, &call.signal).await;
            }
            Ok(JsValue::UNDEFINED)
        });
    }
    answer.map_err(|error| {
        phase.set(Phase::Failed);
        thrown(error)
    })
}

impl JsCall {
    /// Runs the use case, and encodes its answer. Calls `posting` once an abort no longer ends it.
    async fn answer(&self, method: &Method, posting: &dyn Fn()) -> Result<JsValue> {
        let JsCall { trade, data, options, signal } = self;
        let listener = options.function("onProgress")?;
        let progress = |progress: Progress| emit(listener.as_ref(), &progress);
        let gate = PromptGate::new(options.function("onPrompt")?.map(Provider::Function));
        let args = CallArgs { data, options: &options.data, signal, progress: &progress, gate: &gate, posting };
        Ok(encode(&method.call(trade, &args).await?))
    }
}

/// Calls `onProgress`, if the application passed one, with a step as plain data.
fn emit(listener: Option<&Function>, progress: &Progress) {
    let Some(listener) = listener else { return };
    let mut out = ObjectWriter::object();
    out.text("step", progress.step);
    if let Some(id) = &progress.batch {
        out.text("batch", id);
    }
    if let Some(hash) = &progress.transaction {
        out.value("transaction", hash);
    }
    if let Some(signed) = &progress.signed_order {
        out.raw("signedOrder", signed);
    }
    if let Some(is_stored) = progress.is_stored {
        out.text("journal", if is_stored { "stored" } else { "memory" });
    }
    if let Some(hardware) = &progress.hardware {
        out.raw("hardware", hardware);
    }
    // A listener that throws does not stop the trade.
    let _ = listener.call1(&JsValue::UNDEFINED, &encode(&out.close()));
}

/// An order or transaction that is followed, on the schedule of `pkg-template/src/watch.ts`.
#[wasm_bindgen(skip_typescript)]
pub struct Watch(Rc<Followed>);

/// A call of `follow`, and its follower.
struct Followed {
    /// The order or transaction.
    call: JsCall,
    /// The options of `watch`.
    options: Json,
    /// The follower, once its code is loaded.
    follow: OnceCell<Box<dyn Following<Browser>>>,
}

impl Followed {
    /// The follower, made at the first call.
    ///
    /// # Errors
    /// INVALID_INPUT with the argument or option that is wrong.
    fn begin(&self, rest: &Rest<Browser>) -> Result<&dyn Following<Browser>> {
        if self.follow.get().is_none() {
            let follow = (rest.follow)(&self.call.data, &JsonAt::input(&self.options, "options"))?;
            let _ = self.follow.set(follow);
        }
        self.follow.get().map(|follow| &**follow).ok_or_else(Error::unreachable)
    }
}

#[wasm_bindgen]
impl Watch {
    /// Makes one of the calls of [`Following`], with JSON text. A promise of its answer.
    pub fn call(&self, name: String, data: String) -> Promise {
        promise(call(self.0.clone(), name, data))
    }
}

async fn call(watch: Rc<Followed>, name: String, data: String) -> core::result::Result<JsValue, JsValue> {
    let JsCall { trade, signal, .. } = &watch.call;
    let answer = async {
        let data = parse(&data).map_err(Error::not_json)?;
        let rest = trade.shared.host.rest(signal).await?;
        watch.begin(rest)?.call(trade, &name, &data, signal).await
    };
    answer.await.map(|answer| encode(&answer)).map_err(thrown)
}
