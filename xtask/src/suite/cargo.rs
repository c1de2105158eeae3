//! Suites that cargo runs: the package natively and in the browser, its examples, the sandbox, these commands.

use std::fs;
use std::io::Write;
use std::process::Command;

use super::Trial;
use super::count::{self, Count};
use crate::failure::Failure;
use crate::process::open_log;
use crate::setup;
use crate::workspace::Workspace;

pub fn tools(trial: &Trial<'_>) -> Result<Count, Failure> {
    total(&mut test(trial, "xtask"), trial)
}

pub fn native(trial: &Trial<'_>) -> Result<Count, Failure> {
    let mut command = test(trial, "verified-swap");
    command.args(["--package", "verified-swap-verify", "--lib"]);
    name_programs(&mut command, trial, "tests")?;
    name_programs(&mut command, trial, "crates/verify/tests")?;
    total(&mut command, trial)
}

/// Tests of the fuzz targets, with their seeds and inputs made from these.
pub fn fuzz(trial: &Trial<'_>) -> Result<Count, Failure> {
    total(test(trial, "verified-swap-fuzz").arg("--lib"), trial)
}

pub fn doc(trial: &Trial<'_>) -> Result<Count, Failure> {
    total(test(trial, "verified-swap").args(["--package", "verified-swap-verify", "--doc"]), trial)
}

pub fn sandbox(trial: &Trial<'_>) -> Result<Count, Failure> {
    let mut command = test(trial, "sandbox");
    command.arg("--lib").envs(setup::locations(trial.workspace));
    name_programs(&mut command, trial, "tests/sandbox/tests")?;
    total(&mut command, trial)
}

/// The test program of [`model`], which is a suite of its own.
const MODEL: &str = "model";

/// The ledger's functions, by a model checker; optimized.
pub fn model(trial: &Trial<'_>) -> Result<Count, Failure> {
    let mut command = test(trial, "verified-swap");
    command.args(["--profile", MODEL, "--test", MODEL]);
    if trial.all {
        command.env("MODEL_ALL", "1");
    }
    total(&mut command, trial)
}

/// The property tests with 200 times the cases of `.cargo/config.toml`.
pub fn laws(trial: &Trial<'_>) -> Result<Count, Failure> {
    let mut command = test(trial, "verified-swap");
    command
        .args(["--package", "verified-swap-verify"])
        .args(["--release", "--test", "*_laws", "--test", "json_tree", "--test", "order_type"])
        .env("PROPTEST_CASES", "100000")
        // Cases to which a law does not apply; as a number, not as a share.
        .env("PROPTEST_MAX_GLOBAL_REJECTS", "1000000");
    total(&mut command, trial)
}

/// `crates/wasm/tests/boundary`, compiled into the module's crate. The runner passes over a program that is not set up for the
/// browser and calls that a success, so that it must show a count.
pub fn browser(trial: &Trial<'_>) -> Result<Count, Failure> {
    let workspace = trial.workspace;
    let mut command = test(trial, "verified-swap-wasm");
    // In one file: what the splitter is still to fill in, no browser can load.
    command.args(["--target", "wasm32-unknown-unknown", "--lib", "--no-default-features"]);
    let browser = setup::find_browser().ok_or_else(|| Failure::because("there is no browser"))?;
    let capabilities = workspace.path("target/webdriver.json");
    fs::write(&capabilities, chrome_options(&browser.chrome.to_string_lossy()))?;
    command
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

fn test(trial: &Trial<'_>, package: &str) -> Command {
    let mut command = trial.workspace.command("cargo");
    command.args(["test", "--no-fail-fast", "--package", package]);
    command
}

/// Names the test programs to run: all, or all but the long ones.
fn name_programs(command: &mut Command, trial: &Trial<'_>, folder: &str) -> Result<(), Failure> {
    let is_wanted = |name: &&String| *name != MODEL && (trial.all || !name.starts_with("all_"));
    for name in programs(trial.workspace, folder)?.iter().filter(is_wanted) {
        command.args(["--test", name]);
    }
    Ok(())
}

/// The test programs that cargo finds in a folder: `NAME.rs` and `NAME/main.rs`.
fn programs(workspace: &Workspace, folder: &str) -> Result<Vec<String>, Failure> {
    let entries = fs::read_dir(workspace.path(folder))?.collect::<Result<Vec<_>, _>>()?;
    let mut programs: Vec<String> = entries
        .iter()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs") || path.join("main.rs").exists())
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect();
    programs.sort();
    Ok(programs)
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

/// Runs cargo and adds up what its test programs say. Cargo failing without a failed test is a failure too: something
/// did not compile, or crashed.
fn total(command: &mut Command, trial: &Trial<'_>) -> Result<Count, Failure> {
    let passes = trial.passes(command)?;
    let mut count = Count::default();
    for program in count::cargo(&trial.output()) {
        count += program.count.unwrap_or_default();
    }
    Ok(count.or_failed(passes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_program_is_a_file_or_a_folder_with_a_main_one() {
        let found = programs(&Workspace::locate(), "tests").expect("the folder");
        let has = |name: &str| found.iter().any(|found| found == name);
        assert!(has("trade") && has("house"));
        assert!(!has("e2e") && !has("shared"));
    }
}
