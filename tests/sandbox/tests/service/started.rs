//! One sandbox for all tests. They take turns, each from the settings of the start.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};

use crate::client::{Answer, request};

/// A running sandbox, and what its config has.
pub struct Sandbox {
    url: String,
    config: Value,
    /// Its standard input is open as long as this is here; when the tests end, it ends.
    _process: Child,
}

/// The sandbox, reset, and reserved for the test that asked.
pub fn sandbox() -> MutexGuard<'static, Sandbox> {
    static SANDBOX: OnceLock<Mutex<Sandbox>> = OnceLock::new();
    let sandbox = SANDBOX.get_or_init(|| Mutex::new(Sandbox::start()));
    // A test that failed while it held the sandbox left nothing behind that is not cleared here.
    let sandbox = sandbox.lock().unwrap_or_else(PoisonError::into_inner);
    sandbox.post("/sandbox/reset", &json!({})).ok();
    sandbox.settings(json!({"solving": false}));
    for round in 0.. {
        if !sandbox.has_open_orders() {
            break;
        }
        assert!(round < 100, "orders stay open past their deadline");
        sandbox.advance(1_000);
        std::thread::sleep(Duration::from_millis(50));
    }
    sandbox.post("/sandbox/reset", &json!({})).ok();
    sandbox
}

impl Sandbox {
    fn start() -> Self {
        let mut process = command(&[]).spawn().unwrap();
        let url = ready_line(&mut process)["url"].as_str().unwrap().to_owned();
        let config = request(&url, "GET", "/sandbox/config", &[], "").unwrap().ok();
        Self { url, config, _process: process }
    }

    /// Whether an order of an earlier test may still settle, and move balances while this one looks at them.
    fn has_open_orders(&self) -> bool {
        const OPEN: &str = "PENDING,AWAITING_SIGNATURE,ACTIVE,SUSPENDED,CANCELLING";
        let has_open = |account: &Value| {
            let account = account.as_str().unwrap();
            let target = format!("/v2/delta/orders?userAddress={account}&status={OPEN}&limit=1");
            request(&self.url, "GET", &target, &[], "").is_none_or(|answer| answer.json()["total"] != 0)
        };
        self.config["accounts"].as_array().unwrap().iter().any(has_open)
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    pub fn get(&self, target: &str) -> Answer {
        request(&self.url, "GET", target, &[], "").expect("an answer")
    }

    pub fn post(&self, target: &str, body: &Value) -> Answer {
        self.post_text(target, &body.to_string()).expect("an answer")
    }

    pub fn post_text(&self, target: &str, body: &str) -> Option<Answer> {
        request(&self.url, "POST", target, &[("content-type", "application/json")], body)
    }

    /// Calls the node of the first chain.
    pub fn rpc(&self, method: &str, params: Value) -> Value {
        let reply = self.try_rpc(method, params);
        assert!(reply.get("error").is_none(), "{method}: {reply}");
        reply["result"].clone()
    }

    pub fn try_rpc(&self, method: &str, params: Value) -> Value {
        self.post("/rpc/31337", &json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})).ok()
    }

    /// Sends a transaction of an unlocked account, and waits until it was mined and went well.
    pub fn send(&self, transaction: &Value) {
        let hash = self.rpc("eth_sendTransaction", json!([transaction]));
        loop {
            let receipt = self.rpc("eth_getTransactionReceipt", json!([hash]));
            if !receipt.is_null() {
                return assert_eq!(receipt["status"], "0x1");
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// The first chain.
    pub fn chain(&self) -> &Value {
        &self.config["chains"][0]
    }

    pub fn config(&self) -> &Value {
        &self.config
    }

    pub fn text(&self, member: &str) -> &str {
        self.chain()[member].as_str().unwrap()
    }

    pub fn token(&self, symbol: &str) -> String {
        self.token_entry(symbol)["address"].as_str().unwrap().to_owned()
    }

    pub fn decimals(&self, symbol: &str) -> u64 {
        self.token_entry(symbol)["decimals"].as_u64().unwrap()
    }

    fn token_entry(&self, symbol: &str) -> &Value {
        let tokens = self.chain()["tokens"].as_array().unwrap();
        tokens.iter().find(|token| token["symbol"] == symbol).unwrap()
    }

    /// A user's address.
    pub fn account(&self, index: usize) -> String {
        self.config["accounts"][index].as_str().unwrap().to_owned()
    }

    /// An account's balance; of `ETH` its native balance.
    pub fn balance(&self, symbol: &str, owner: &str) -> u128 {
        if symbol == "ETH" {
            return hex_number(&self.rpc("eth_getBalance", json!([owner, "latest"])));
        }
        let data = format!("0x70a08231{:0>64}", owner.trim_start_matches("0x"));
        hex_number(&self.rpc("eth_call", json!([{"to": self.token(symbol), "data": data}, "latest"])))
    }

    pub fn approve(&self, symbol: &str, owner: &str, amount: u128) {
        let body = json!({"chainId": 31337, "token": self.token(symbol), "owner": owner, "amount": amount.to_string()});
        assert_eq!(self.post("/sandbox/approve", &body).ok()["allowance"], amount.to_string());
    }

    pub fn settings(&self, settings: Value) {
        self.post("/sandbox/settings", &settings).ok();
    }

    pub fn advance(&self, seconds: u64) {
        self.post("/sandbox/time", &json!({"advanceSecs": seconds})).ok();
    }

    /// The chain's clock, in unix seconds.
    pub fn now(&self) -> u64 {
        let block = self.rpc("eth_getBlockByNumber", json!(["pending", false]));
        u64::try_from(hex_number(&block["timestamp"])).unwrap()
    }
}

/// The program with node and contracts, ready to be started.
pub fn command(more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sandbox"));
    command.arg("--anvil").arg(anvil()).arg("--artifacts").arg(artifacts()).args(more);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    command
}

/// The one line the program prints when it is ready.
pub fn ready_line(process: &mut Child) -> Value {
    let mut line = String::new();
    BufReader::new(process.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    // Code that waits for it recognises it by how it begins.
    assert!(line.is_empty() || line.starts_with(r#"{"ready":true,"url":"http://127.0.0.1:"#), "{line}");
    serde_json::from_str(&line).unwrap_or_else(|_| panic!("the sandbox did not start: {:?}", process.wait()))
}

pub fn hex_number(value: &Value) -> u128 {
    let digits = value.as_str().unwrap().trim_start_matches("0x").trim_start_matches('0');
    u128::from_str_radix(if digits.is_empty() { "0" } else { digits }, 16).unwrap()
}

pub fn repository() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The node's program: `SANDBOX_ANVIL`, else the one npm installed for this platform.
fn anvil() -> PathBuf {
    if let Some(path) = std::env::var_os("SANDBOX_ANVIL") {
        return path.into();
    }
    let system = if cfg!(target_os = "macos") { "darwin" } else { "linux" };
    let machine = if cfg!(target_arch = "aarch64") { "arm64" } else { "amd64" };
    let path = repository().join(format!("node_modules/@foundry-rs/anvil-{system}-{machine}/bin/anvil"));
    assert!(path.is_file(), "{} is not there: run `npm ci`, or set SANDBOX_ANVIL", path.display());
    path
}

/// The compiled contracts: `SANDBOX_ARTIFACTS`, else compiled now.
pub fn artifacts() -> PathBuf {
    static COMPILED: OnceLock<PathBuf> = OnceLock::new();
    if let Some(path) = std::env::var_os("SANDBOX_ARTIFACTS") {
        return path.into();
    }
    COMPILED
        .get_or_init(|| {
            let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("contracts");
            let script = concat!(env!("CARGO_MANIFEST_DIR"), "/contracts/compile.mjs");
            let compiled = Command::new("node").arg(script).arg(&folder).status();
            assert!(
                compiled.as_ref().is_ok_and(std::process::ExitStatus::success),
                "the contracts were not compiled ({compiled:?}): install Node and run `npm ci`, or set SANDBOX_ARTIFACTS"
            );
            folder
        })
        .clone()
}
