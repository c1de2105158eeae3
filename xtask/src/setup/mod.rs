//! The preparations of a command: each step is made once, and goes on where it was interrupted.

mod browser;
mod cargo_tools;
mod debian;
mod npm;
mod prerequisites;
mod python;
mod rust;
mod wasm_tools;

pub use browser::find as find_browser;

use browser::Browser;
use std::fs::{self, File, TryLockError};
use std::path::PathBuf;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::build;
use crate::failure::Failure;
use crate::job::Job;
use crate::process::{self, interrupted};
use crate::terminal::{duration, say};
use crate::workspace::Workspace;

/// Something a command or a suite needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    WasmTarget,
    Lints,
    NpmPackages,
    DocsPackages,
    WasmTools,
    CargoDeny,
    CargoMutants,
    Contracts,
    Sandbox,
    Package,
    Page,
    Tarball,
    Browser,
    Python,
}

/// One step, which meets one need.
struct Step {
    need: Need,
    /// The title on the terminal.
    title: &'static str,
    /// The expected time if the step has work to do, e.g. `first time only, about 3 min`.
    expect: &'static str,
    /// The needs that must be met first.
    after: &'static [Need],
    /// Makes the step's output, unless it is there and up to date.
    make: fn(&Workspace, &Job<'_>) -> Result<(), Failure>,
}

const fn step(
    need: Need,
    title: &'static str,
    expect: &'static str,
    after: &'static [Need],
    make: fn(&Workspace, &Job<'_>) -> Result<(), Failure>,
) -> Step {
    Step { need, title, expect, after, make }
}

/// The tools that compile the module.
const COMPILER: &[Need] = &[Need::WasmTarget, Need::NpmPackages, Need::WasmTools];

/// All steps; each comes after the steps that it waits for.
const STEPS: [Step; 14] = [
    step(Need::WasmTarget, "Rust's WebAssembly target", "first time only, about 20 s", &[], rust::wasm_target),
    step(Need::Lints, "rustfmt and clippy", "first time only, about 20 s", &[], rust::lints),
    step(Need::NpmPackages, "npm packages, into node_modules", "first time only, about 1 min", &[], npm::packages),
    step(
        Need::DocsPackages,
        "TypeDoc and others, into target/docs-packages",
        "first time only, about 20 s",
        &[],
        npm::documentation,
    ),
    step(Need::Browser, "Chromium and chromedriver", "first time only, about 1 min", &[], browser::install),
    step(Need::Python, "Python", "first time only, about 20 s", &[], python::install),
    step(Need::Contracts, "contracts", "about 10 s", &[Need::NpmPackages], build::contracts),
    step(
        Need::WasmTools,
        "wasm-bindgen and wasm-pack, into target/tools",
        "first time only, about 5 min",
        &[],
        wasm_tools::install,
    ),
    step(Need::CargoDeny, "cargo-deny, into target/tools", "first time only, about 2 min", &[], cargo_tools::deny),
    step(
        Need::CargoMutants,
        "cargo-mutants, into target/tools",
        "first time only, about 2 min",
        &[],
        cargo_tools::mutants,
    ),
    step(Need::Package, "package", "the first time about 2 min", COMPILER, build::package),
    step(Need::Page, "page", "about 5 s", &[Need::NpmPackages, Need::Package], build::page),
    step(Need::Tarball, "tarball", "about 2 s", &[Need::Package], build::tarball),
    step(Need::Sandbox, "sandbox", "the first time about 4 min", &[], build::sandbox),
];

/// The outcome of each step.
pub struct Prepared(Vec<(Need, Result<(), Failure>)>);

impl Prepared {
    /// The first failure among `needs`.
    pub fn all_of(&self, needs: &[Need]) -> Result<(), Failure> {
        let failed = self.0.iter().find(|(need, outcome)| needs.contains(need) && outcome.is_err());
        failed.map_or(Ok(()), |(_, outcome)| outcome.clone())
    }

    /// The first failure of any step: a step that failed may be what a need waits for.
    fn all(self) -> Result<(), Failure> {
        self.0.into_iter().try_for_each(|(_, outcome)| outcome)
    }
}

/// Meets all `needs`, up to the first step that fails.
pub fn require(workspace: &Workspace, needs: &[Need]) -> Result<(), Failure> {
    take_all(workspace, needs, true)?.all()
}

/// Meets `needs` as far as possible: if a step fails, so do the steps that wait for it, and no others.
pub fn attempt(workspace: &Workspace, needs: &[Need]) -> Result<Prepared, Failure> {
    take_all(workspace, needs, false)
}

fn take_all(workspace: &Workspace, needs: &[Need], all_or_nothing: bool) -> Result<Prepared, Failure> {
    prerequisites::check(workspace)?;
    let _turn = lock(workspace)?;
    let steps = steps_for(needs);
    let mut prepared = Prepared(Vec::new());
    for (index, step) in steps.iter().enumerate() {
        let label = format!("[{}/{}] {}", index + 1, steps.len(), step.title);
        let outcome = prepared.all_of(step.after).and_then(|()| take(workspace, step, label));
        if interrupted() {
            return Err(Failure::Interrupted);
        }
        let last = all_or_nothing && outcome.is_err();
        prepared.0.push((step.need, outcome));
        if last {
            break;
        }
    }
    Ok(prepared)
}

/// The environment variables by which tests, benchmarks and screenshots find programs and folders.
pub fn locations(workspace: &Workspace) -> Vec<(&'static str, PathBuf)> {
    let mut locations = vec![
        ("SANDBOX_BIN", workspace.sandbox_binary()),
        ("SANDBOX_ANVIL", workspace.anvil()),
        ("SANDBOX_ARTIFACTS", workspace.contracts()),
        ("WWW_DIR", workspace.page()),
        ("PACKAGE_DIR", workspace.package()),
    ];
    if let Some(Browser { chrome, driver }) = browser::find() {
        locations.extend([("CHROME", chrome), ("CHROMEDRIVER", driver)]);
    }
    locations
}

/// The steps that meet `needs`, with the steps they wait for, in their order.
fn steps_for(needs: &[Need]) -> Vec<&'static Step> {
    let mut all = needs.to_vec();
    let mut steps: Vec<&Step> = STEPS.iter().rev().collect();
    steps.retain(|step| {
        let needed = all.contains(&step.need);
        if needed {
            all.extend(step.after);
        }
        needed
    });
    steps.reverse();
    steps
}

/// Lets only one command at a time make things; the next finds them made. The lock ends with the value, or the process.
fn lock(workspace: &Workspace) -> Result<File, Failure> {
    let file = process::open_log(&workspace.path("target/set-up.lock"))?;
    let mut said = false;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::Error(error)) => return Err(error.into()),
            Err(TryLockError::WouldBlock) if interrupted() => return Err(Failure::Interrupted),
            Err(TryLockError::WouldBlock) if said => sleep(Duration::from_millis(100)),
            Err(TryLockError::WouldBlock) => {
                say("Another `cargo xtask` is building in this folder; waiting for it.");
                said = true;
            }
        }
    }
}

/// Runs one step, and prints its progress if there is something to do.
fn take(workspace: &Workspace, step: &Step, label: String) -> Result<(), Failure> {
    let log = workspace.log(&format!("{:?}", step.need));
    if log.exists() {
        fs::remove_file(&log)?;
    }
    let start = Instant::now();
    let job = Job::new(&label, step.expect, log);
    let outcome = (step.make)(workspace, &job);
    let time = duration(start.elapsed());
    match &outcome {
        Ok(()) if job.is_announced() => say(&format!("{label}: done in {time}")),
        Ok(()) | Err(Failure::Interrupted) => {}
        Err(_) => say(&format!("{label}: failed after {time}")),
    }
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_demo_needs_no_browser_and_everything_its_page_is_made_of() {
        let needs: Vec<Need> =
            steps_for(&[Need::Page, Need::Sandbox, Need::Contracts]).iter().map(|step| step.need).collect();
        for need in [Need::NpmPackages, Need::WasmTarget, Need::WasmTools, Need::Package] {
            assert!(needs.contains(&need), "{need:?}");
        }
        assert!(!needs.contains(&Need::Browser));
    }

    #[test]
    fn a_step_waits_only_for_steps_listed_before_it() {
        for (index, step) in STEPS.iter().enumerate() {
            for need in step.after {
                let listed = STEPS[..index].iter().any(|earlier| earlier.need == *need);
                assert!(listed, "{} waits for {need:?}", step.title);
            }
        }
    }

    #[test]
    fn a_failure_is_told_to_those_that_need_what_failed_and_to_no_others() {
        let failure = Err(Failure::because("no network"));
        let prepared = Prepared(vec![(Need::Sandbox, Ok(())), (Need::NpmPackages, failure.clone())]);
        assert_eq!(prepared.all_of(&[Need::Sandbox, Need::NpmPackages]), failure);
        assert_eq!(prepared.all_of(&[Need::Sandbox]), Ok(()));
    }

    #[test]
    fn what_is_required_fails_with_a_step_it_waits_for() {
        let failure = Err(Failure::because("the linker is missing"));
        // The steps end with the first failure; the package that was asked for is not among them.
        let prepared = Prepared(vec![(Need::NpmPackages, Ok(())), (Need::WasmTools, failure.clone())]);
        assert_eq!(prepared.all(), failure);
    }
}
