//! State that the tabs of one origin share, from `pkg-template/src/tabs.ts`. If a call there throws, the feature counts as
//! missing, and the storage as unreadable.

use crate::decode::millis;
use js_sys::{Array, Promise};
use trade::host::{Changes, LockFailure, StorageFailure};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen]
extern "C" {
    /// The tabs of one client. Made before the client, and opened with it.
    #[derive(Clone)]
    pub type Tabs;
    /// Starts to listen. `storage` is the application's, `false` or `undefined`; `limit_ms` is the time that the
    /// browser's storage may take to open.
    #[wasm_bindgen(method, catch)]
    pub fn open(this: &Tabs, storage: &JsValue, limit_ms: u32) -> Result<(), JsValue>;
    /// Stops listening, and gives back locks and inboxes. A second call does nothing.
    #[wasm_bindgen(method, catch)]
    pub fn close(this: &Tabs) -> Result<(), JsValue>;
    /// Whether this runtime's `fetch` supports the option `cache`.
    #[wasm_bindgen(method, getter, catch, js_name = takesCache)]
    fn cache(this: &Tabs) -> Result<JsValue, JsValue>;
    /// Unix milliseconds on a clock that only goes forward.
    #[wasm_bindgen(method, catch)]
    pub fn now(this: &Tabs) -> Result<f64, JsValue>;
    /// Whether the user sees the page.
    #[wasm_bindgen(method, catch, js_name = isVisible)]
    pub fn is_visible(this: &Tabs) -> Result<bool, JsValue>;
    /// A promise of a list of pairs; of a text, the reason why there is no answer; or of `null`, if there is no
    /// storage.
    #[wasm_bindgen(method, catch)]
    fn load(this: &Tabs, prefix: &str, limit_ms: u32) -> Result<JsValue, JsValue>;
    /// Same as `load`, but the promise is of a number and a list of pairs. The second item of a pair may be `null`.
    #[wasm_bindgen(method, catch)]
    fn changes(this: &Tabs, prefix: &str, since: u32, limit_ms: u32) -> Result<JsValue, JsValue>;
    /// Same as `load`, but the promise is of `true` once the value is stored; `null` deletes the entry.
    #[wasm_bindgen(method, catch)]
    fn store(this: &Tabs, key: &str, value: &JsValue, is_durable: bool, limit_ms: u32) -> Result<JsValue, JsValue>;
    /// Requests a lock, and waits for it up to `limit_ms`.
    #[wasm_bindgen(method, catch)]
    fn lock(this: &Tabs, name: &str, limit_ms: u32) -> Result<Opened, JsValue>;
    /// Sends a message to the other tabs.
    #[wasm_bindgen(method, catch)]
    pub fn tell(this: &Tabs, topic: &str, message: &str) -> Result<(), JsValue>;
    /// Whether messages of other tabs arrive.
    #[wasm_bindgen(method, getter, catch)]
    pub fn hears(this: &Tabs) -> Result<bool, JsValue>;
    /// Opens an inbox for the messages of a topic.
    #[wasm_bindgen(method, catch)]
    fn inbox(this: &Tabs, topic: &str) -> Result<Opened, JsValue>;

    /// A lock or an inbox, as JavaScript holds it.
    type Opened;
    /// For a lock: a promise of whether it was taken; of `null` if the browser does not answer.
    #[wasm_bindgen(method, getter, catch)]
    fn got(this: &Opened) -> Result<JsValue, JsValue>;
    /// For an inbox: its oldest message, or `undefined`.
    #[wasm_bindgen(method, catch)]
    fn next(this: &Opened) -> Result<JsValue, JsValue>;
    /// Gives the lock back, or stops waiting for it; or drops the messages.
    #[wasm_bindgen(method, catch, js_name = close)]
    fn end(this: &Opened) -> Result<(), JsValue>;
}

/// A requested lock, or an inbox. It ends when it is dropped.
pub struct Held(Option<Opened>);

impl Drop for Held {
    fn drop(&mut self) {
        let _ = self.0.as_ref().map(Opened::end);
    }
}

impl Held {
    /// Takes the oldest message out of an inbox.
    pub fn next_message(&self) -> Option<String> {
        self.0.as_ref()?.next().ok()?.as_string()
    }
}

/// The value of a promise; `undefined` if it rejects, or the call threw.
async fn answer(promise: Result<JsValue, JsValue>) -> JsValue {
    JsFuture::from(Promise::resolve(&promise.unwrap_or_default())).await.unwrap_or_default()
}

/// The storage's answer, from its promise.
///
/// # Errors
/// The reason why there is no answer.
async fn stored(promise: Result<JsValue, JsValue>) -> Result<JsValue, StorageFailure> {
    let answer = answer(promise).await;
    match answer.as_string() {
        Some(why) => Err(StorageFailure::Unreadable(why)),
        None if answer.is_null() => Err(StorageFailure::Absent),
        None => Ok(answer),
    }
}

/// The failure for an answer of no known form.
fn unknown() -> StorageFailure {
    StorageFailure::Unreadable("an unknown answer".into())
}

/// Reads a list of pairs: a name, and a text or `null`.
fn pairs(list: JsValue) -> Option<Vec<(String, Option<String>)>> {
    let list: Array = list.dyn_into().ok()?;
    let read = |pair: JsValue| {
        let pair: Array = pair.dyn_into().ok()?;
        Some((pair.get(0).as_string()?, pair.get(1).as_string()))
    };
    Some(list.iter().filter_map(read).collect())
}

impl Tabs {
    /// Whether requests may name the option `cache`.
    pub fn takes_cache(&self) -> bool {
        self.cache().is_ok_and(|takes| takes.is_truthy())
    }

    /// Implements [`trade::host::Host::load`].
    pub async fn entries(&self, prefix: &str, limit_ms: u32) -> Result<Vec<(String, String)>, StorageFailure> {
        let pairs = pairs(stored(self.load(prefix, limit_ms)).await?).ok_or_else(unknown)?;
        Ok(pairs.into_iter().filter_map(|(name, text)| Some((name, text?))).collect())
    }

    /// Implements [`trade::host::Host::changes`].
    pub async fn news(&self, prefix: &str, since: u32, limit_ms: u32) -> Result<Changes, StorageFailure> {
        let found = stored(self.changes(prefix, since, limit_ms)).await?;
        let read = |found: Array| Some((millis(found.get(0).as_f64()?).try_into().ok()?, pairs(found.get(1))?));
        found.dyn_into().ok().and_then(read).ok_or_else(unknown)
    }

    /// Implements [`trade::host::Host::store`].
    pub async fn keep(
        &self,
        key: &str,
        value: Option<&str>,
        is_durable: bool,
        limit_ms: u32,
    ) -> Result<(), StorageFailure> {
        let value = value.map_or(JsValue::NULL, JsValue::from_str);
        let is_stored = stored(self.store(key, &value, is_durable, limit_ms)).await? == JsValue::TRUE;
        is_stored.then_some(()).ok_or_else(unknown)
    }

    /// Implements [`trade::host::Host::lock`]. Only `false` means that another tab has it. A wait that is dropped ends,
    /// and still gives back a lock that it gets.
    ///
    /// # Errors
    /// Same as [`trade::host::Host::lock`].
    pub async fn take(&self, name: &str, limit_ms: u32) -> Result<Held, LockFailure> {
        // If this throws, nothing is shared with other tabs, and a trade goes on without a lock.
        let held = Held(self.lock(name, limit_ms).ok());
        let got = match &held.0 {
            Some(opened) => answer(opened.got()).await,
            None => JsValue::UNDEFINED,
        };
        match got {
            got if got == JsValue::FALSE => Err(LockFailure::Taken),
            got if got.is_null() => Err(LockFailure::Silent),
            _ => Ok(held),
        }
    }

    /// Implements [`trade::host::Host::inbox`]. If it throws, the inbox stays empty.
    pub fn listen(&self, topic: &str) -> Held {
        Held(self.inbox(topic).ok())
    }
}
