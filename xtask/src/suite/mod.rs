//! `cargo xtask test`: every suite in order, each with its count, and at the end `N passed, N failed`.
//!
//! With `--all` the long part of each suite runs, too: `tests/*/all/*.test.mjs` for Node, the test programs `all_*` for
//! cargo. `VERIFIED_SWAP_TEST_ALL=1` tells the tests. Tests that seldom run rot, so each has a short part in every run.
//!
//! A suite that has passed is not run again while what it reads is the same, unless it is named.

mod cargo;
mod check;
mod count;
mod node;
mod record;
mod sources;

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::failure::Failure;
use crate::process::{self, interrupted};
use crate::setup::{self, Need, Prepared};
use crate::terminal::{duration, say};
use crate::workspace::Workspace;
use clap::builder::PossibleValue;
use count::Count;
use record::Records;

/// A suite: one line of the run.
struct Suite {
    name: &'static str,
    about: &'static str,
    needs: &'static [Need],
    /// What it reads beside the sources of its needs, its own folder and [`sources::EVERY`], as git's glob pathspecs.
    reads: &'static [&'static str],
    run: fn(&Trial<'_>) -> Result<Count, Failure>,
    /// For a suite that runs only with `--all` or by its name: the suite of every run that has the same tests, shorter.
    shorter: Option<&'static str>,
}

const fn suite(
    name: &'static str,
    about: &'static str,
    needs: &'static [Need],
    reads: &'static [&'static str],
    run: fn(&Trial<'_>) -> Result<Count, Failure>,
) -> Suite {
    Suite { name, about, needs, reads, run, shorter: None }
}

const fn long(shorter: &'static str, suite: Suite) -> Suite {
    Suite { shorter: Some(shorter), ..suite }
}

const SANDBOX: &[Need] = &[Need::Package, Need::Sandbox, Need::Contracts];
const BROWSED: &[Need] = &[Need::Package, Need::Sandbox, Need::Contracts, Need::Browser];
const DOCS: &[Need] = &[Need::Package, Need::DocsPackages, Need::Sandbox, Need::Contracts, Need::Browser];
const PAGE: &[Need] = &[Need::Page, Need::Sandbox, Need::Contracts, Need::Browser];
const COMMANDS: &[Need] = &[Need::Page, Need::DocsPackages, Need::Sandbox, Need::Contracts, Need::Browser, Need::Lints];
const RELEASE: &[Need] = &[Need::Tarball, Need::CargoDeny];

/// What cargo compiles.
const RUST: &[&str] = &["**/*.rs", "rustfmt.toml"];
/// What the package's own test programs are made of and look at.
const NATIVE: &[&str] = &[
    "src",
    "crates",
    "tests/*",
    "tests/commands",
    "tests/proptest-regressions",
    "tests/published_types",
    "tests/shared",
    "tests/trade",
    "tests/vectors",
    "pkg-template",
    "www-example",
    "examples/review-components",
    "docs",
    "CONTRIBUTING.md",
];
const FUZZED: &[&str] = &["src", "crates/verify/src", "tests/shared/*.rs", "tests/shared/early.json", "tests/trade"];
/// Whole trades against the sandbox in Node, and what they are made with.
const TRADED: &[&str] =
    &["tests/coverage", "tests/shared", "tests/vectors", "docs", "www-example/src/sandbox/batches.js"];
/// What is measured, and what that trades with.
const MEASURED: &[&str] = &[
    "tests/bench",
    "tests/commands",
    "tests/coverage/world.mjs",
    "tests/e2e/sandbox.mjs",
    "tests/package/trade.mjs",
    "tests/vectors",
];

const SUITES: [Suite; 30] = [
    suite("fmt", "rustfmt", &[Need::Lints], RUST, check::fmt),
    suite("clippy", "lints, native", &[Need::Lints], RUST, check::clippy),
    suite("clippy-wasm", "lints, in the browser's build", &[Need::Lints, Need::WasmTarget], RUST, check::clippy_wasm),
    suite("deny", "licences, origins and versions of crates", &[Need::CargoDeny], &[], check::deny),
    suite("tools", "these commands", &[], &["."], cargo::tools),
    suite("native", "the package, natively", &[], NATIVE, cargo::native),
    suite(
        "model",
        "the ledger, in every order of events; within wider bounds with --all",
        &[],
        &["src/ledger", "tests/model"],
        cargo::model,
    ),
    suite("fuzz", "hostile input, for a moment", &[], FUZZED, cargo::fuzz),
    suite(
        "crate",
        "the crate for Rust, as it is documented and packed",
        &[],
        &["crates/verify/src"],
        check::rust_crate,
    ),
    suite("doc", "the examples in the documentation", &[], &["src", "crates/verify/src"], cargo::doc),
    suite(
        "browser",
        "the package's boundary, in Chromium",
        &[Need::WasmTarget, Need::WasmTools, Need::Browser],
        &["src", "crates/verify/src", "crates/wasm"],
        cargo::browser,
    ),
    suite(
        "sandbox",
        "the service, against real nodes",
        &[Need::Contracts, Need::NpmPackages],
        &["tests/shared/*.rs"],
        cargo::sandbox,
    ),
    suite(
        "vectors",
        "hashes and signatures against other libraries",
        SANDBOX,
        &["tests/coverage/attacks.mjs", "docs"],
        |trial| node::tests(trial, "vectors"),
    ),
    suite("coverage", "every parameter of the service, by the package", SANDBOX, TRADED, |trial| {
        node::tests(trial, "coverage")
    }),
    suite("faults", "what every fault at every endpoint ends in", BROWSED, TRADED, |trial| {
        node::tests(trial, "faults")
    }),
    suite("requests", "how many requests a trade takes", BROWSED, MEASURED, |trial| node::tests(trial, "requests")),
    suite(
        "types",
        "the TypeScript declarations",
        &[Need::Tarball],
        &["www-example", "examples/review-components"],
        check::types,
    ),
    suite(
        "package",
        "the tarball inside consumer apps",
        &[Need::Tarball, Need::Sandbox, Need::Contracts, Need::Browser],
        &["tests/consumers/shared", "tests/docs/snippets.mjs", "tests/probe", "tests/shared/early.json"],
        |trial| node::tests(trial, "package"),
    ),
    suite(
        "examples",
        "the examples, as somebody copies them",
        &[Need::Tarball, Need::Sandbox, Need::Contracts, Need::Browser, Need::Python],
        &["examples", "tests/package/app.mjs", "tests/consumers/shared", "docs/doors.md"],
        |trial| node::tests(trial, "examples"),
    ),
    suite(
        "consumers",
        "the tarball in bundlers and runtimes, a trade in each",
        &[Need::Tarball, Need::Sandbox, Need::Contracts, Need::Browser],
        &["tests/package/trade.mjs"],
        |trial| node::tests(trial, "consumers"),
    ),
    suite("crash", "a page that dies at every step of a trade", BROWSED, TRADED, |trial| node::tests(trial, "crash")),
    suite("e2e", "the page in Chromium, with the wallet", PAGE, &["tests/vectors/delta-types.mjs"], |trial| {
        node::tests(trial, "e2e")
    }),
    suite("engines", "the page by a WebDriver; Firefox and WebKitGTK with --all", PAGE, &["tests/e2e"], node::engines),
    suite(
        "docs",
        "every snippet, link and table of the documentation",
        DOCS,
        &["examples", "tests", "www-example", "docs", "*.md"],
        |trial| node::tests(trial, "docs"),
    ),
    suite("size", "what it costs to download, recorded", &[Need::Package], &[], check::size),
    suite("commands", "these commands, as they are typed", COMMANDS, &["."], |trial| node::tests(trial, "commands")),
    suite("bench", "each benchmark, once", PAGE, MEASURED, |trial| node::tests(trial, "bench")),
    suite("soak", "memory and load; over 20,000 trades and in real time with --all", BROWSED, MEASURED, node::soak),
    suite(
        "release",
        "a release without the network; with --all two builds, which are the same",
        RELEASE,
        &["."],
        check::release,
    ),
    long("native", suite("laws", "the laws, with many more cases", &[], NATIVE, cargo::laws)),
];

/// The names of the suites, for the command line.
pub fn names() -> impl Iterator<Item = PossibleValue> {
    SUITES.iter().map(|suite| PossibleValue::new(suite.name).help(suite.about))
}

/// A running suite.
struct Trial<'a> {
    workspace: &'a Workspace,
    /// The file that gets the suite's output.
    log: PathBuf,
    /// Whether the long part runs, too.
    all: bool,
}

impl Trial<'_> {
    /// Runs a command with its output in the suite's log, and returns whether it succeeded.
    fn passes(&self, command: &mut Command) -> Result<bool, Failure> {
        // A command that still runs after this time hangs.
        let limit = Duration::from_secs(if self.all { 6 * 60 * 60 } else { 30 * 60 });
        if self.all {
            command.env("VERIFIED_SWAP_TEST_ALL", "1");
        }
        Ok(process::run_logged(command, &self.log, limit, |_| {})?.success())
    }

    /// This program, with the arguments of another of its commands.
    fn itself(&self, words: &[&str]) -> Result<Command, Failure> {
        let mut command = self.workspace.command(std::env::current_exe()?);
        command.args(words);
        Ok(command)
    }

    fn output(&self) -> String {
        fs::read(&self.log).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
    }
}

/// `cargo xtask test [--all] [--again] [SUITE...]`
pub fn run(workspace: &Workspace, all: bool, again: bool, names: &[String]) -> Result<(), Failure> {
    let start = Instant::now();
    let mut total = Count::default();
    let mut chosen = choose(all, names);
    let records = Records::open(workspace, all, &chosen);
    let runs_again = again || !names.is_empty() || std::env::var_os("CI").is_some();
    chosen.retain(|suite| match records.passed(suite) {
        Some(count) if !runs_again => {
            say(&format!("ok     {:<12} {count}, on the same sources, before", suite.name));
            total += count;
            false
        }
        _ => true,
    });
    let needs: Vec<Need> = chosen.iter().flat_map(|suite| suite.needs.iter().copied()).collect();
    let prepared = match setup::attempt(workspace, &needs) {
        Ok(prepared) => prepared,
        Err(Failure::Because(sentence)) => {
            say(&format!("{sentence}\n\n0 passed, {} failed", chosen.len()));
            return Err(Failure::Reported);
        }
        Err(failure) => return Err(failure),
    };
    for suite in &chosen {
        let start = Instant::now();
        let count = attempt(workspace, suite, all, &prepared)?;
        total += count;
        records.keep(suite, count, start.elapsed())?;
        if all {
            records.write_table(SUITES.iter().map(|suite| suite.name))?;
        }
    }
    say(&format!("\nAll of it took {}.\n{total}", duration(start.elapsed())));
    if total.failed == 0 { Ok(()) } else { Err(Failure::Reported) }
}

/// The named suites; without a name all, or all but the long ones.
fn choose(all: bool, names: &[String]) -> Vec<&'static Suite> {
    let named = |suite: &Suite| names.iter().any(|name| name == suite.name);
    SUITES.iter().filter(|suite| if names.is_empty() { all || suite.shorter.is_none() } else { named(suite) }).collect()
}

/// Runs one suite and prints its line. Only an interruption is a failure of the whole run.
fn attempt(workspace: &Workspace, suite: &Suite, all: bool, prepared: &Prepared) -> Result<Count, Failure> {
    if interrupted() {
        return Err(Failure::Interrupted);
    }
    let start = Instant::now();
    let log = workspace.path("target/test-logs").join(format!("{}.log", suite.name));
    if log.exists() {
        fs::remove_file(&log)?;
    }
    let trial = Trial { workspace, log, all };
    let outcome = prepared.all_of(suite.needs).and_then(|()| (suite.run)(&trial));
    let (count, reason) = match outcome {
        Ok(count) if count.passed + count.failed == 0 => (Count::failed(1), "it ran no tests\n".to_owned()),
        Ok(count) => (count, String::new()),
        Err(Failure::Interrupted) => return Err(Failure::Interrupted),
        Err(failure) => (Count::failed(1), format!("{failure}\n")),
    };
    let verdict = if count.failed == 0 { "ok    " } else { "FAILED" };
    say(&format!("{verdict} {:<12} {count}, {}", suite.name, duration(start.elapsed())));
    if count.failed > 0 {
        let told = format!("{reason}{}", process::telling_lines(&trial.log, 60));
        let told: String = told.lines().map(|line| format!("       {line}\n")).collect();
        say(&format!("{told}       (all of it: {})", trial.log.display()));
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_long_suites_run_with_all_or_by_name() {
        let names = |all, names: &[&str]| -> Vec<&str> {
            let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
            choose(all, &names).iter().map(|suite| suite.name).collect()
        };
        assert_eq!(names(true, &[]).len(), SUITES.len());
        assert!(!names(false, &[]).contains(&"laws") && names(false, &[]).contains(&"e2e"));
        assert_eq!(names(false, &["laws", "fmt"]), ["fmt", "laws"]);
        assert_eq!(names(true, &["size"]), ["size"]);
    }

    #[test]
    fn what_runs_with_all_alone_has_a_shorter_suite_in_every_run() {
        let every = choose(false, &[]);
        for suite in &SUITES {
            let shorter = suite.shorter.unwrap_or(suite.name);
            assert!(every.iter().any(|one| one.name == shorter), "{}", suite.name);
        }
        // A suite that has more with `--all` also has something without it.
        let folders = fs::read_dir(Workspace::locate().path("tests")).expect("the folder");
        for folder in folders.map(|entry| entry.expect("an entry").path()).filter(|path| path.join("all").is_dir()) {
            assert!(!node::test_files(folder.clone()).expect("its files").is_empty(), "{}", folder.display());
        }
    }
}
