//! A page with a client in it, and JavaScript at hand.

use crate::client::{Client, open_client};
use crate::parts::attach_parts;
use alloy_primitives::{B256, hex};
use js_sys::{Function, Object, Promise, Reflect};
use k256::elliptic_curve::PrimeField;
use k256::elliptic_curve::ops::Reduce;
use k256::elliptic_curve::point::AffineCoordinates;
use k256::{ProjectivePoint, Scalar};
use verify::internal::domain::{eip712, signature};
use verify::internal::json::parse;
use verify::internal::value::text::ToText;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

pub const SIGN: &str = "eth_signTypedData_v4";
pub const SEND: &str = "eth_sendTransaction";
pub const POST: &str = "POST /v2/delta/orders";

/// A promise that never settles, so that only an abort can end what waits for it.
pub const NEVER: &str = "() => new Promise(() => {})";

/// The outcome of a call: a value, or what it rejects with.
pub type Settled = Result<JsValue, JsValue>;

/// Evaluates an expression.
pub fn js(expression: &str) -> JsValue {
    let text = ["return (", expression, ");"].concat();
    Function::new_no_args(&text).call0(&JsValue::UNDEFINED).unwrap_or_else(|why| panic!("{expression}: {why:?}"))
}

/// The member at a path, with dots.
pub fn get(value: &JsValue, path: &str) -> JsValue {
    path.split('.').fold(value.clone(), |value, name| Reflect::get(&value, &name.into()).unwrap())
}

pub fn text(value: &JsValue, path: &str) -> String {
    let found = get(value, path);
    found.as_string().unwrap_or_else(|| panic!("{path} is {found:?}"))
}

/// `function(value)`, where the function is an expression.
pub fn apply(function: &str, value: &JsValue) -> JsValue {
    let function: Function = js(function).unchecked_into();
    function.call1(&JsValue::UNDEFINED, value).unwrap_or_else(|why| panic!("{function:?}: {why:?}"))
}

pub async fn settled(promise: Promise) -> Settled {
    JsFuture::from(promise).await
}

/// Time for what waits to go on.
pub async fn moment() {
    settled(js("new Promise((resolve) => setTimeout(resolve, 20))").unchecked_into()).await.unwrap();
}

/// The key of the account that signs here.
const KEY: [u8; 32] = [7; 32];

/// r, s and v over a digest. The secret number comes from the digest: fit for tests only.
fn sign(digest: B256) -> [u8; 65] {
    let scalar = |bytes: [u8; 32]| <Scalar as Reduce<k256::U256>>::reduce_bytes(&bytes.into());
    let secret = scalar(alloy_primitives::keccak256(digest).0);
    let point = (ProjectivePoint::GENERATOR * secret).to_affine();
    let r = scalar(point.x().into());
    let s = secret.invert().unwrap() * (scalar(digest.0) + r * scalar(KEY));
    let mut odd = bool::from(point.y_is_odd());
    // In the lower half, as wallets give it.
    let mut bytes: [u8; 32] = s.to_repr().into();
    if bytes[0] >> 7 == 1 {
        bytes = (-s).to_repr().into();
        odd = !odd;
    }
    let mut all = [0; 65];
    all[..32].copy_from_slice(&<[u8; 32]>::from(r.to_repr()));
    all[32..64].copy_from_slice(&bytes);
    all[64] = 27 + u8::from(odd);
    all
}

/// The page: its surroundings, and the client in it.
pub struct Page {
    pub world: JsValue,
    pub client: Client,
}

/// Members put over those of a client's usual options.
pub fn page_with(options: &str) -> Page {
    let hash = Closure::<dyn Fn(String) -> String>::new(|text: String| {
        eip712::digest(&parse(&text).unwrap()).unwrap().digest.text()
    });
    let signer =
        Closure::<dyn Fn(String) -> String>::new(|digest: String| hex::encode_prefixed(sign(digest.parse().unwrap())));
    let digest = B256::repeat_byte(1);
    let owner = signature::recover(&signature::compact(&sign(digest)).unwrap(), digest).unwrap();
    let make: Function = js(include_str!("world.js").trim_end_matches([';', '\n'])).unchecked_into();
    let (hash, signer) = (hash.into_js_value(), signer.into_js_value());
    let world = make.call3(&JsValue::UNDEFINED, &hash, &signer, &owner.text().into()).unwrap();
    let base = Object::new();
    Reflect::set(&base, &"baseUrl".into(), &"https://service.test".into()).unwrap();
    Reflect::set(&base, &"wallet".into(), &get(&world, "wallet")).unwrap();
    let (given, advanced) = (js(options), Object::new());
    Reflect::set(&advanced, &"references".into(), &js(FEEDS)).unwrap();
    Object::assign(&advanced, get(&given, "advanced").unchecked_ref());
    Object::assign(&base, given.unchecked_ref());
    Reflect::set(&base, &"advanced".into(), &advanced).unwrap();
    Page { client: open(&base).unwrap_or_else(|why| panic!("{why:?}")), world }
}

/// Tabs where nothing is shared: no storage, and all else throws.
const ALONE: &str = r#"new Proxy({}, { get(_, name) {
    if (["load", "changes", "store"].includes(name)) return () => null;
    throw new Error("broken");
} })"#;

/// The package's own reader of values, as `cargo xtask test` compiles it.
pub fn read_by_the_package() {
    let script = option_env!("BOUNDARY_READER").unwrap_or_else(|| panic!("cargo xtask test runs these tests"));
    let reader = "{ written: plain.readOnce, parted: plain.parted }";
    attach_parts(3, js(&format!("(() => {{ {script}; return {reader}; }})()")).unchecked_into());
}

/// A client that shares nothing with other tabs.
pub fn open(options: &JsValue) -> Result<Client, JsValue> {
    read_by_the_package();
    open_client(options, js(ALONE).unchecked_into(), None, None)
}

pub fn page() -> Page {
    page_with("{}")
}

/// Feeds for the two tokens of [`REQUEST`], beside the service's word.
pub const FEEDS: &str = r#"({ 8453: { feeds: [
    { token: "0x1111111111111111111111111111111111111111", feed: "0xfeed000000000000000000000000000000000001",
      decimals: 8, heartbeatSecs: 3600 },
    { token: "0x2222222222222222222222222222222222222222", feed: "0xfeed000000000000000000000000000000000002",
      decimals: 8, heartbeatSecs: 3600 } ] } })"#;

pub const REQUEST: &str = r#"{
    chainId: 8453, srcToken: "0x1111111111111111111111111111111111111111",
    destToken: "0x2222222222222222222222222222222222222222", amount: 100000000n, srcDecimals: 6, destDecimals: 18 }"#;

impl Page {
    pub fn start(&self, name: &str, argument: &JsValue, options: &JsValue) -> Promise {
        self.client.invoke(name, argument, options)
    }

    pub async fn call(&self, name: &str, argument: &JsValue) -> Settled {
        settled(self.start(name, argument, &JsValue::UNDEFINED)).await
    }

    pub async fn quote(&self) -> JsValue {
        self.call("quote", &js(REQUEST)).await.unwrap()
    }

    pub async fn built(&self) -> JsValue {
        let quote = self.quote().await;
        settled(self.start("build", &quote, &js("{ slippageBps: 50 }"))).await.unwrap()
    }

    /// Replaces an answer: `place` is `answers` (by path) or `wallets` (by method).
    pub fn answer(&self, place: &str, name: &str, function: &str) {
        Reflect::set(&get(&self.world, place), &name.into(), &js(function)).unwrap();
    }

    /// How often the wallet was asked that.
    pub fn asked(&self, method: &str) -> usize {
        let asked = js_sys::Array::from(&get(&self.world, "asked"));
        asked.iter().filter(|one| one.as_string().as_deref() == Some(method)).count()
    }

    /// The requests to that method and path.
    pub fn sent(&self, path: &str) -> Vec<JsValue> {
        let requests = js_sys::Array::from(&get(&self.world, "requests"));
        requests.iter().filter(|request| text(request, "path") == path).collect()
    }
}

pub fn is_error(value: &JsValue) -> bool {
    value.is_instance_of::<js_sys::Error>()
        && text(value, "name") == "TradeError"
        && apply("(e) => String(e.stack).length > 0 && String(e) === `TradeError: ${e.message}`", value).is_truthy()
}

#[track_caller]
pub fn assert_error(outcome: Settled, code: &str, field: Option<&str>) -> JsValue {
    let error = outcome.expect_err(code);
    assert!(is_error(&error), "{error:?}");
    assert_eq!(text(&error, "code"), code, "{error:?}");
    assert_eq!(get(&error, "field").as_string().as_deref(), field, "{error:?}");
    error
}
