//! Suites that cargo runs: the package natively and in the browser, its examples, the sandbox, these commands.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use super::Trial;
use super::count::{self, Count, Program};
use crate::failure::Failure;
use crate::setup;
use crate::workspace::Workspace;

pub fn tools(workspace: &Workspace, trial: &Trial) -> Result<Count, Failure> {
    total(workspace.command("cargo").args(["test", "--package", "xtask"]), trial).map(|(count, _)| count)
}

pub fn native(workspace: &Workspace, trial: &Trial) -> Result<Count, Failure> {
    let mut command = workspace.command("cargo");
    command.args(["test", "--package", "verified-swap", "--no-fail-fast", "--lib", "--tests"]);
    total(&mut command, trial).map(|(count, _)| count)
}

pub fn doc(workspace: &Workspace, trial: &Trial) -> Result<Count, Failure> {
    total(workspace.command("cargo").args(["test", "--package", "verified-swap", "--doc"]), trial)
        .map(|(count, _)| count)
}

pub fn sandbox(workspace: &Workspace, trial: &Trial) -> Result<Count, Failure> {
    let mut command = workspace.command("cargo");
    command.args(["test", "--package", "sandbox", "--no-fail-fast"]).envs(workspace.locations());
    total(&mut command, trial).map(|(count, _)| count)
}

/// The files `tests/wasm_*.rs`, each in a browser of its own. The runner passes over a file that is not set up for the
/// browser and calls that a success, so that every file must show a count.
pub fn browser(workspace: &Workspace, trial: &Trial) -> Result<Count, Failure> {
    let files = browser_files(workspace)?;
    let mut command = workspace.command("cargo");
    command.args(["test", "--package", "verified-swap", "--target", "wasm32-unknown-unknown", "--no-fail-fast"]);
    for file in &files {
        command.args(["--test", file]);
    }
    if files.is_empty() {
        return Ok(Count::default());
    }
    let browser = setup::find_browser().ok_or_else(|| Failure::because("there is no browser"))?;
    let capabilities = workspace.path("target/webdriver.json");
    fs::write(&capabilities, chrome_options(&browser.chrome.to_string_lossy()))?;
    command
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", workspace.tool("wasm-bindgen-test-runner"))
        .env("CHROMEDRIVER", browser.driver)
        .env("WASM_BINDGEN_USE_BROWSER", "1")
        .env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", capabilities)
        .env("WASM_BINDGEN_TEST_TIMEOUT", "300");
    let (mut count, programs) = total(&mut command, trial)?;
    for file in &files {
        let source = format!("tests/{file}.rs");
        let ran = programs.iter().any(|program| program.source == source && shows_tests(program));
        if !ran {
            append(trial, &format!("{source} ran no test in the browser"))?;
            count += Count::failed(1);
        }
    }
    Ok(count)
}

/// The names of `tests/wasm_*.rs`.
pub fn browser_files(workspace: &Workspace) -> Result<Vec<String>, Failure> {
    let names = fs::read_dir(workspace.path("tests"))?.collect::<Result<Vec<_>, _>>()?;
    let mut files: Vec<String> = names
        .iter()
        .filter_map(|entry| Some(entry.file_name().to_str()?.strip_suffix(".rs")?.to_owned()))
        .filter(|name| name.starts_with("wasm_"))
        .collect();
    files.sort();
    Ok(files)
}

fn shows_tests(program: &Program) -> bool {
    program.count.is_some_and(|count| count.passed + count.failed > 0)
}

/// What the driver starts the browser with. Without a sandbox of its own where root could not have one.
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
fn total(command: &mut Command, trial: &Trial) -> Result<(Count, Vec<Program>), Failure> {
    let passes = trial.passes(command)?;
    let programs = count::cargo(&trial.output());
    let mut count = Count::default();
    for program in &programs {
        count += program.count.unwrap_or_default();
    }
    if !passes && count.failed == 0 {
        count += Count::failed(1);
    }
    Ok((count, programs))
}

fn append(trial: &Trial, line: &str) -> Result<(), Failure> {
    use std::io::Write;
    let path: &PathBuf = &trial.log;
    Ok(writeln!(crate::process::open_log(path)?, "{line}")?)
}
