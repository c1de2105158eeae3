//! Suites that cargo runs: the package natively and in the browser, its examples, the sandbox, these commands.

use std::fs;
use std::io::Write;
use std::process::Command;

use super::count::{self, Count};
use super::{Part, Trial};
use crate::failure::Failure;
use crate::process::open_log;
use crate::setup;

/// All tests that need nothing but Rust: those of `cargo test`, the fuzz targets' and these commands'.
pub fn native(trial: &Trial<'_>) -> Result<Count, Failure> {
    let mut command = trial.workspace.command("cargo");
    command.args(["test", "--no-fail-fast", "--workspace", "--exclude", "sandbox", "--exclude", "bind"]);
    total(&mut command, trial)
}

/// Needs the EVM node. In the first part the tests of these modules alone: a trade from its price to its settlement.
pub fn sandbox(trial: &Trial<'_>) -> Result<Count, Failure> {
    let mut command = test(trial, "sandbox");
    if trial.part == Part::First {
        command.args(["--", "quoting", "building", "posting", "settling"]);
    }
    total(command.envs(setup::locations(trial.workspace)), trial)
}

/// The ledger's functions, by a model checker; optimized.
pub fn model(trial: &Trial<'_>) -> Result<Count, Failure> {
    let mut command = test(trial, "verified-swap-trade");
    let bounds = if trial.part == Part::All { "wide" } else { "usual" };
    total(command.args(["--profile", "model", "--test", "model"]).env("MODEL_BOUNDS", bounds), trial)
}

/// The property tests with 200 times the cases of `.cargo/config.toml`.
pub fn laws(trial: &Trial<'_>) -> Result<Count, Failure> {
    let mut command = test(trial, "verified-swap-trade");
    command
        .args(["--package", "verified-swap-verify"])
        .args(["--release", "--test", "laws"])
        .env("PROPTEST_CASES", "100000")
        // Cases to which a law does not apply; as a number, not as a share.
        .env("PROPTEST_MAX_GLOBAL_REJECTS", "1000000");
    total(&mut command, trial)
}

/// `tests/boundary`, compiled into the module's crate. The runner passes over a program that is not set up for the
/// browser and calls that a success, so that it must show a count.
pub fn browser(trial: &Trial<'_>) -> Result<Count, Failure> {
    let workspace = trial.workspace;
    let mut command = test(trial, "verified-swap");
    command.args(["--target", "wasm32-unknown-unknown", "--lib"]);
    let browser = setup::find_browser().ok_or_else(|| Failure::because("there is no browser"))?;
    let capabilities = workspace.path("target/webdriver.json");
    fs::write(&capabilities, chrome_options(&browser.chrome.to_string_lossy()))?;
    command
        .env("BOUNDARY_READER", reader(trial)?)
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", workspace.tool("wasm-bindgen-test-runner"))
        .env("CHROMEDRIVER", browser.driver)
        .env("WASM_BINDGEN_USE_BROWSER", "1")
        .env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", capabilities)
        .env("WASM_BINDGEN_TEST_TIMEOUT", "300");
    let count = total(&mut command, trial)?;
    if count.passed + count.failed == 0 {
        writeln!(open_log(&trial.log)?, "no test ran in the browser")?;
        return Ok(Count::failed(1));
    }
    Ok(count)
}

/// The package's reader of values, as one script for the tests of the boundary.
fn reader(trial: &Trial<'_>) -> Result<String, Failure> {
    let mut command = trial.workspace.command("node");
    command.args(["node_modules/esbuild/bin/esbuild", "pkg-template/src/plain.ts", "--bundle"]);
    let output = command.args(["--format=iife", "--global-name=plain"]).output()?;
    String::from_utf8(output.stdout)
        .ok()
        .filter(|script| output.status.success() && !script.is_empty())
        .ok_or_else(|| Failure::because("pkg-template/src/plain.ts is no script"))
}

fn test(trial: &Trial<'_>, package: &str) -> Command {
    let mut command = trial.workspace.command("cargo");
    command.args(["test", "--no-fail-fast", "--package", package]);
    command
}

/// The options with which the driver starts the browser. No browser sandbox: root could not have one.
fn chrome_options(chrome: &str) -> String {
    let arguments =
        ["headless", "no-sandbox", "disable-gpu", "disable-quic", "no-first-run", "disable-background-networking"]
            .map(|argument| format!("\"--{argument}\""))
            .join(", ");
    let binary = chrome.replace('\\', "\\\\").replace('"', "\\\"");
    format!("{{\"goog:chromeOptions\": {{\"binary\": \"{binary}\", \"args\": [{arguments}]}}}}\n")
}

/// Runs cargo and adds up what its test programs print. Cargo failing without a failed test is a failure too: something
/// did not compile, or crashed.
fn total(command: &mut Command, trial: &Trial<'_>) -> Result<Count, Failure> {
    let passes = trial.passes(command)?;
    let mut count = Count::default();
    for program in count::cargo(&trial.output()) {
        count += program.count.unwrap_or_default();
    }
    Ok(count.or_failed(passes))
}
