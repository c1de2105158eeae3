//! A client in a world of its own, and the steps of a trade.

use super::tree::{json, merge};
use super::{BRIDGED, FakeHost, Place, Stop, World, feeds};
use pollster::block_on;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use verified_swap_trade::client::rate_limit::RateLimit;
use verified_swap_trade::flows::{CallArgs, Client, Method, Progress, PromptGate, Shared, WalletBinding};
use verified_swap_trade::host::Signal;
use verify::internal::error::Result;
use verify::internal::json::Json;

/// The token that is sold: six decimals.
pub const SRC: &str = "0x1111111111111111111111111111111111111111";
/// The token that is bought: eighteen.
pub const DEST: &str = "0x2222222222222222222222222222222222222222";
/// The native token's placeholder.
pub const NATIVE: &str = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";
/// The pinned Delta contract of chain 8453.
pub const DELTA: &str = "0x0000000000bbf5c5fd284e657f01bd000933c96d";
/// Its wrapped native token.
pub const WRAPPED: &str = "0x0a0d53b6684c7b32b4cbef5fe8483bfcc8406742";
pub const OWNER_KEY: [u8; 32] = [7; 32];

/// 100 of SRC for 0.04 of DEST.
pub const SELL: &str = r#"{"chainId":8453,"srcToken":"0x1111111111111111111111111111111111111111","destToken":"0x2222222222222222222222222222222222222222","amount":"100000000","srcDecimals":6,"destDecimals":18,"srcSymbol":"USDX","destSymbol":"WETX"}"#;
/// The same trade with the other side fixed.
pub const BUY: &str = r#"{"chainId":8453,"srcToken":"0x1111111111111111111111111111111111111111","destToken":"0x2222222222222222222222222222222222222222","amount":"40000000000000000","srcDecimals":6,"destDecimals":18,"side":"BUY","srcSymbol":"USDX","destSymbol":"WETX"}"#;

/// A request, or options, with these members more.
pub fn with(request: &str, members: &str) -> String {
    if [request, members].iter().all(|text| text.contains(r#""advanced":{"#)) {
        let mut both = json(request);
        merge(&mut both, json(&format!("{{{members}}}")));
        return both.write();
    }
    request.replacen('{', &format!("{{{members},"), 1)
}

/// The request with the native token in place of SRC.
pub fn selling_native(request: &str) -> String {
    request.replace(SRC, NATIVE).replace(r#""srcDecimals":6"#, r#""srcDecimals":18"#)
}

/// One native token, named by the package's own word, for 0.04 of DEST.
pub fn native_sale() -> String {
    selling_native(SELL).replace(NATIVE, "native").replace(r#""100000000""#, r#""1000000000000000000""#)
}

pub struct Rig {
    pub world: Rc<World>,
    pub client: Client<FakeHost>,
    /// The steps that `submit` and `approve` reported.
    pub steps: RefCell<Vec<Progress>>,
    /// How often a call said that what it does cannot be taken back any more.
    pub postings: Cell<u32>,
    /// The `onPrompt` of each call.
    pub on_prompt: Cell<Option<Place>>,
    pub signal: Stop,
}

impl Default for Rig {
    fn default() -> Rig {
        Rig::with(|_, _| {})
    }
}

impl Rig {
    /// A client whose settings are changed first.
    pub fn with(change: impl FnOnce(&mut Shared<FakeHost>, &mut WalletBinding<Place>)) -> Rig {
        Rig::in_world(World::new(), change)
    }

    /// A client that nobody but the service tells what anything is worth.
    pub fn without_references() -> Rig {
        Rig::with(|shared, _| shared.settings.given_sources.clear())
    }

    /// A block comes now on that chain.
    pub fn mine_now(&self, chain: u64) {
        self.world.chain.borrow_mut().node(chain).time = self.world.unix_ms.get() / 1_000;
    }

    /// A client in a world that is there already.
    pub fn in_world(world: Rc<World>, change: impl FnOnce(&mut Shared<FakeHost>, &mut WalletBinding<Place>)) -> Rig {
        let rpc = vec![(8453, Place::Node(8453)), (10, Place::Node(10))];
        let host = FakeHost::of(world.clone());
        let mut shared = Shared::new(host, "https://service.test".into(), None, rpc, vec![], 15_000);
        // Only the tests of limits want one.
        shared.settings.rate_limit = RateLimit { per_second: 1_000, burst: 1_000, per_day: 1_000_000 };
        // The tokens that the bridge takes here, and brings there: one asset, by the application's settings.
        shared.settings.bridge_tokens = vec![((8453, BRIDGED.parse().unwrap()), (10, DEST.parse().unwrap()))];
        let mut bound = WalletBinding { wallet: Some(Place::Wallet), account: None, local: false, may_switch: false };
        // Prices of all of them, from another source than the service.
        shared.settings.given_sources = [8453, 10, 31_337, 1].map(|chain| (chain, feeds::sources())).into();
        change(&mut shared, &mut bound);
        let client = Client { shared: Rc::new(shared), binding: bound };
        Rig {
            world,
            client,
            steps: RefCell::default(),
            postings: Cell::new(0),
            on_prompt: Cell::default(),
            signal: Stop::never(),
        }
    }

    /// A second node for chain 8453, number 2, which knows what the first one knows; both have to say the same.
    pub fn with_references(&mut self) {
        let shared = Rc::get_mut(&mut self.client.shared).unwrap();
        shared.settings.rpc.push((8453, Place::Node(2)));
        shared.settings.rpc_quorum = 2;
        self.world.chain.borrow_mut().mirrors.insert(2, 8453);
    }

    pub fn owner(&self) -> alloy_primitives::Address {
        super::Signer::new(OWNER_KEY).accounts[0]
    }

    pub fn quote(&self, request: &str) -> Result<Json> {
        self.call("quote", &json(request), "{}")
    }

    /// Quote and build in one.
    pub fn built_as(&self, request: &str, options: &str) -> Result<Json> {
        self.build(&self.quote(request)?, options)
    }

    pub fn build(&self, quote: &Json, options: &str) -> Result<Json> {
        self.call("build", quote, options)
    }

    /// Quote and build in one, with 0.5 % slippage.
    pub fn built(&self, request: &str) -> Result<Json> {
        self.build(&self.quote(request)?, r#"{"slippageBps":50}"#)
    }

    /// A call by its name, as the package's entry makes it.
    pub fn call(&self, name: &str, data: &Json, options: &str) -> Result<Json> {
        self.call_telling(name, data, options, &|step| self.steps.borrow_mut().push(step)).map(|text| json(&text))
    }

    /// A call by its name: its answer as text, its steps as they are told.
    pub fn call_telling(&self, name: &str, data: &Json, options: &str, progress: &dyn Fn(Progress)) -> Result<String> {
        let options = json(options);
        let posting = || self.postings.set(self.postings.get() + 1);
        let gate = PromptGate::new(self.on_prompt.get());
        let call = CallArgs { data, options: &options, signal: &self.signal, progress, gate: &gate, posting: &posting };
        block_on(Method::named(name)?.call(&self.client, &call))
    }

    /// A call that runs beside others, on the world's timeline, until `signal` fires.
    pub async fn beside(&self, name: &str, data: &Json, options: &str, signal: &Stop) -> Result<Json> {
        let options = json(options);
        let progress = |step| self.steps.borrow_mut().push(step);
        let gate = PromptGate::new(self.on_prompt.get());
        let call = CallArgs { data, options: &options, signal, progress: &progress, gate: &gate, posting: &|| {} };
        Method::named(name)?.call(&self.client, &call).await.map(|text| json(&text))
    }

    pub fn submit(&self, build: &Json) -> Result<Json> {
        self.submit_with(build, "{}")
    }

    /// The work behind a submission, for which no caller waits.
    pub fn learn_number(&self) {
        pollster::block_on(verified_swap_trade::flows::learn_number(&self.client, &self.signal));
    }

    pub fn submit_with(&self, build: &Json, options: &str) -> Result<Json> {
        self.call("submit", build, options)
    }

    /// The order is filled: its nonce is used.
    pub fn fill(&self, build: &Json) {
        let nonce = super::text(build, "nonce").parse().unwrap();
        self.world.chain.borrow_mut().node(8453).used_nonces.push(nonce);
    }

    pub fn approve(&self, approval: &Json, options: &str) -> Result<Json> {
        self.call("approve", approval, options)
    }

    pub fn step_names(&self) -> Vec<&'static str> {
        self.steps.borrow().iter().map(|step| step.step).collect()
    }
}
