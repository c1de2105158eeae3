//! The module's [`Host`]: a browser's page or worker, or Node. It uses `fetch`, `crypto` and timers of the global object,
//! and the application's objects: wallets, providers, listeners.

use crate::abort::{Abort, Ended, Wait};
use crate::decode::millis;
use crate::early::Early;
use crate::http::exchange;
use crate::provider::{Provider, read_answer};
use crate::tabs::{Held, Tabs};
use js_sys::{Function, Promise};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::any::Any;
use std::rc::Rc;
use trade::flows::Parts;
use trade::host::{
    Changes, Event, Host, HttpAnswer, HttpFailure, HttpRequest, LockFailure, StorageFailure, WalletFailure,
};
use verify::internal::error::Error;
use verify::internal::json::Json;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::AbortController;

#[wasm_bindgen]
extern "C" {
    /// Fills `bytes` from the browser's cryptographic generator.
    #[wasm_bindgen(js_namespace = crypto, js_name = getRandomValues)]
    fn fill_random(bytes: &mut [u8]);
}

/// The host of a client.
pub struct Browser {
    /// The application's `onEvent`, called for each request, RPC call, wallet prompt and verification.
    pub on_event: Option<Function>,
    /// Storage, locks and messages shared with other tabs. Closed with the host.
    pub tabs: Tabs,
    /// The request that was sent while the module was loading.
    pub early: Option<Early>,
    /// Takes a number, loads the package's files up to that one, and returns the promise that they are attached.
    pub load: Option<Function>,
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.tabs.close();
    }
}

/// The `ClientEvent` that `onEvent` gets. It is serialized as a map, because for structs serde-wasm-bindgen brings a
/// table of member names.
struct EventView {
    event: Event,
    /// Milliseconds that the step took.
    ms: u64,
}

impl Serialize for EventView {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Event { kind, name, status, code, .. } = self.event;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("type", kind)?;
        map.serialize_entry("name", name)?;
        map.serialize_entry("ok", &code.is_none())?;
        map.serialize_entry("ms", &u32::try_from(self.ms).unwrap_or(u32::MAX))?;
        if let Some(status) = status {
            map.serialize_entry("status", &u32::from(status))?;
        }
        if let Some(code) = code {
            map.serialize_entry("code", code.name())?;
        }
        map.end()
    }
}

impl Host for Browser {
    type Signal = Abort;
    type Provider = Provider;
    /// The promise that [`Provider::ask`] returns: it never rejects, and may be awaited again.
    type Prompt = Promise;
    type Lock = Held;
    type Inbox = Held;

    /// If a signal or the timer ends the wait, the request is aborted too.
    async fn fetch(&self, request: HttpRequest, timeout_ms: u32, signal: &Abort) -> Result<HttpAnswer, HttpFailure> {
        let failed = |cause: JsValue| HttpFailure::Network(Some(Rc::new(cause)));
        let controller = AbortController::new().map_err(failed)?;
        let wait = Wait::new(signal, Some(timeout_ms));
        let early = self.early.as_ref().filter(|early| early.is(&request));
        let answer = early.map(|early| early.take(&controller.signal()));
        let outcome = wait.until(exchange(request, &controller, answer, self.tabs.takes_cache())).await;
        outcome.unwrap_or_else(|ended| {
            controller.abort();
            Err(if ended == Ended::Aborted { HttpFailure::Aborted } else { HttpFailure::Timeout })
        })
    }

    fn is_sent(&self, request: &HttpRequest) -> bool {
        self.early.as_ref().is_some_and(|early| early.is(request))
    }

    fn may_switch(&self, provider: &Provider) -> bool {
        matches!(provider, Provider::Eip1193 { .. })
    }

    fn ask(&self, provider: &Provider, method: &'static str, params: &str) -> Promise {
        provider.ask(method, params)
    }

    /// If a signal or the timer ends the wait, the prompt stays open: a wallet cannot be made to drop it.
    async fn answer(&self, prompt: &Promise, limit_ms: Option<u32>, signal: &Abort) -> Result<Json, WalletFailure> {
        let ended = match Wait::new(signal, limit_ms).until(JsFuture::from(prompt.clone())).await {
            Ok(Ok(value)) => return read_answer(&value),
            Ok(Err(_)) => Ended::Aborted,
            Err(ended) => ended,
        };
        Err(WalletFailure {
            code: None,
            message: "no answer in time".into(),
            words: String::new(),
            data: None,
            cause: None,
            aborted: ended == Ended::Aborted,
            unreachable: ended == Ended::TimedOut,
            status: None,
        })
    }

    async fn sleep(&self, ms: u32, signal: &Abort) {
        let _ = Wait::new(signal, Some(ms)).until(std::future::pending::<()>()).await;
    }

    fn page(&self) -> u64 {
        0
    }

    fn is_visible(&self) -> bool {
        self.tabs.is_visible().unwrap_or(true)
    }

    async fn load(&self, prefix: &str, limit_ms: u32) -> Result<Vec<(String, String)>, StorageFailure> {
        self.tabs.entries(prefix, limit_ms).await
    }

    async fn changes(&self, prefix: &str, since: u32, limit_ms: u32) -> Result<Changes, StorageFailure> {
        self.tabs.news(prefix, since, limit_ms).await
    }

    async fn store(
        &self,
        key: &str,
        value: Option<&str>,
        is_durable: bool,
        limit_ms: u32,
    ) -> Result<(), StorageFailure> {
        self.tabs.keep(key, value, is_durable, limit_ms).await
    }

    async fn lock(&self, name: &str, limit_ms: u32) -> Result<Held, LockFailure> {
        self.tabs.take(name, limit_ms).await
    }

    fn publish(&self, topic: &'static str, message: &str) {
        let _ = self.tabs.tell(topic, message);
    }

    fn hears_tabs(&self) -> bool {
        self.tabs.hears().unwrap_or_default()
    }

    fn inbox(&self, topic: &'static str) -> Held {
        self.tabs.listen(topic)
    }

    fn next_message(&self, inbox: &Held) -> Option<String> {
        inbox.next_message()
    }

    async fn quorum(&self, signal: &Abort) -> Result<&'static dyn Any, Error> {
        let rest = self.rest(signal).await?;
        Ok(rest.quorum)
    }

    fn monotonic_ms(&self) -> u64 {
        self.tabs.now().map_or_else(|_| unix_ms(), millis)
    }

    fn unix_ms(&self) -> u64 {
        unix_ms()
    }

    fn random(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        fill_random(&mut bytes);
        bytes
    }

    /// Does nothing without a listener.
    fn event(&self, event: Event, ms: u64) {
        let Some(listener) = &self.on_event else { return };
        let plain = serde_wasm_bindgen::Serializer::json_compatible();
        if let Ok(value) = (EventView { event, ms }).serialize(&plain) {
            // A listener that throws does not stop the trade.
            let _ = listener.call1(&JsValue::UNDEFINED, &value);
        }
    }
}

/// Unix milliseconds by this machine's clock.
fn unix_ms() -> u64 {
    millis(js_sys::Date::now())
}
