//! The preparations of a command: each step is made once, and goes on where it was interrupted.

mod browser;
mod cargo_tools;
mod debian;
mod npm;
pub mod prerequisites;
pub mod rust;
mod wasm_tools;

pub use browser::find as find_browser;

use browser::Browser;
use std::fs::{self, File, TryLockError};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread::{self, sleep};
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
    WasmPack,
    WasmBindgen,
    CargoDeny,
    CargoMutants,
    Contracts,
    Sandbox,
    Binder,
    DemoPage,
    Package,
    Page,
    Site,
    Tarball,
    SandboxTarballs,
    Browser,
}

/// One step, which meets one need.
struct Step {
    need: Need,
    /// The title on the terminal.
    title: &'static str,
    /// The needs that must be met first.
    after: &'static [Need],
    /// Makes the step's output, unless it is there and up to date.
    make: fn(&Workspace, &Job<'_>) -> Result<(), Failure>,
}

const fn step(
    need: Need,
    title: &'static str,
    after: &'static [Need],
    make: fn(&Workspace, &Job<'_>) -> Result<(), Failure>,
) -> Step {
    Step { need, title, after, make }
}

/// The tools that compile the module.
const COMPILER: &[Need] = &[Need::WasmTarget, Need::NpmPackages, Need::WasmPack, Need::Binder];

/// All steps; each comes after the steps that it waits for.
const STEPS: [Step; 18] = [
    step(Need::WasmTarget, "Rust's WebAssembly target", &[], rust::wasm_target),
    step(Need::Lints, "rustfmt and clippy", &[], rust::lints),
    step(Need::NpmPackages, "npm packages", &[], npm::packages),
    step(Need::DocsPackages, "TypeDoc and others", &[], npm::documentation),
    step(Need::Browser, "Chromium and chromedriver", &[], browser::install),
    step(Need::Contracts, "contracts", &[Need::NpmPackages], build::contracts),
    step(Need::WasmPack, "wasm-pack", &[], wasm_tools::wasm_pack),
    step(Need::WasmBindgen, "wasm-bindgen", &[], wasm_tools::wasm_bindgen),
    step(Need::CargoDeny, "cargo-deny", &[], cargo_tools::deny),
    step(Need::CargoMutants, "cargo-mutants", &[], cargo_tools::mutants),
    step(Need::Binder, "binder", &[], build::binder),
    step(Need::Sandbox, "sandbox", &[], build::sandbox),
    step(Need::DemoPage, "page, on a quick build of the package", COMPILER, build::demo_page),
    step(Need::Package, "package", COMPILER, build::package),
    step(Need::Page, "page", &[Need::NpmPackages, Need::Package], build::page),
    step(Need::Site, "site", &[Need::DocsPackages, Need::Package], build::site),
    step(Need::Tarball, "tarball", &[Need::Package], build::tarball),
    step(Need::SandboxTarballs, "sandbox, to install", &[Need::Contracts], build::sandbox_tarballs),
];

/// The needs of the demo.
pub const DEMO: [Need; 3] = [Need::DemoPage, Need::Sandbox, Need::Contracts];

/// The outcome of each step that has ended.
#[derive(Clone, Default)]
pub struct Prepared(Vec<(Need, Result<(), Failure>)>);

impl Prepared {
    /// Whether each of the steps has ended, well or not.
    pub fn has(&self, needs: &[Need]) -> bool {
        needs.iter().all(|need| self.0.iter().any(|(done, _)| done == need))
    }

    pub fn add(&mut self, need: Need, outcome: Result<(), Failure>) {
        self.0.push((need, outcome));
    }

    /// The first failure among `needs`.
    pub fn all_of(&self, needs: &[Need]) -> Result<(), Failure> {
        let failed = self.0.iter().find(|(need, outcome)| needs.contains(need) && outcome.is_err());
        failed.map_or(Ok(()), |(_, outcome)| outcome.clone())
    }

    /// The first failure of any step: a step that failed may be what a need waits for. Steps that were ended because
    /// another one failed are no failures.
    fn all(self) -> Result<(), Failure> {
        let failures = self.0.into_iter().filter_map(|(_, outcome)| outcome.err());
        failures.reduce(|first, next| if first == Failure::Interrupted { next } else { first }).map_or(Ok(()), Err)
    }
}

/// Meets all `needs`, up to the first step that fails.
pub fn require(workspace: &Workspace, needs: &[Need]) -> Result<(), Failure> {
    prerequisites::check(workspace)?;
    take_all(workspace, needs, true, |_, _| {})?.all()
}

/// Meets `needs` as far as possible, and reports each as soon as its step has ended: if a step fails, so do the steps
/// that wait for it, and no others. `prerequisites::check` comes first.
pub fn attempt(
    workspace: &Workspace,
    needs: &[Need],
    ended: impl FnMut(Need, Result<(), Failure>),
) -> Result<(), Failure> {
    take_all(workspace, needs, false, ended).map(drop)
}

fn take_all(
    workspace: &Workspace,
    needs: &[Need],
    all_or_nothing: bool,
    mut ended: impl FnMut(Need, Result<(), Failure>),
) -> Result<Prepared, Failure> {
    let _turn = lock(workspace)?;
    let steps = steps_for(needs);
    let given_up = AtomicBool::new(false);
    let (sender, outcomes) = mpsc::channel();
    let mut prepared = Prepared::default();
    let mut waiting = steps.clone();
    let mut running: Vec<(&Step, Instant)> = Vec::new();
    thread::scope(|scope| {
        while prepared.0.len() < steps.len() {
            for step in waiting.extract_if(.., |step| prepared.has(step.after)) {
                running.push((step, Instant::now()));
                let (sender, given_up) = (sender.clone(), &given_up);
                let before = prepared.all_of(step.after);
                scope.spawn(move || {
                    let made =
                        before.map_or_else(|failure| (Err(failure), false), |()| take(workspace, step, given_up));
                    // The receiver outlives this scope.
                    let _ = sender.send((step, made));
                });
            }
            let Ok((step, (outcome, has_run))) = outcomes.recv_timeout(BETWEEN_LINES) else {
                say(&progress(workspace, prepared.0.len(), steps.len(), &running));
                continue;
            };
            if all_or_nothing && outcome.is_err() {
                given_up.store(true, Ordering::Relaxed);
            }
            ended(step.need, outcome.clone());
            prepared.add(step.need, outcome.clone());
            let at = running.iter().position(|(one, _)| one.need == step.need);
            let Some((_, start)) = at.map(|at| running.remove(at)).filter(|_| has_run) else { continue };
            let verdict = match outcome {
                Ok(()) => "done in",
                Err(Failure::Interrupted) => continue,
                Err(_) => "failed after",
            };
            let time = duration(start.elapsed());
            say(&format!("[{}/{}] {}: {verdict} {time}", prepared.0.len(), steps.len(), step.title));
        }
    });
    if interrupted() { Err(Failure::Interrupted) } else { Ok(prepared) }
}

/// The longest time without a line on the terminal.
const BETWEEN_LINES: Duration = Duration::from_secs(15);

/// One line about what runs: `[3/8] sandbox 41 s (Compiling axum v0.8.9); wasm-pack 41 s (Compiling ring v0.17.14)`.
fn progress(workspace: &Workspace, done: usize, all: usize, running: &[(&Step, Instant)]) -> String {
    let at = |(step, start): &(&Step, Instant)| {
        let last = process::tail(&log(workspace, step), 1);
        let last: String = last.trim().chars().take(40).collect();
        let time = duration(start.elapsed());
        if last.is_empty() { format!("{} {time}", step.title) } else { format!("{} {time} ({last})", step.title) }
    };
    format!("[{done}/{all}] {}", running.iter().map(at).collect::<Vec<_>>().join("; "))
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
    if let Some(Browser { chrome, driver, .. }) = browser::find() {
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

/// Makes one step's output. Returns also whether that is worth a line: to find that there is nothing to do is not.
fn take(workspace: &Workspace, step: &Step, given_up: &AtomicBool) -> (Result<(), Failure>, bool) {
    let log = log(workspace, step);
    let start = Instant::now();
    // It may not be there.
    let _ = fs::remove_file(&log);
    let job = Job::new(step.title, log, given_up);
    let outcome = (step.make)(workspace, &job);
    let is_quick = !job.has_run() || start.elapsed() < Duration::from_millis(400);
    let is_worth_a_line = outcome.is_err() || !is_quick;
    (outcome, is_worth_a_line)
}

fn log(workspace: &Workspace, step: &Step) -> PathBuf {
    workspace.log(&format!("{:?}", step.need))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_demo_needs_no_browser_and_everything_its_page_is_made_of() {
        let needs: Vec<Need> = steps_for(&DEMO).iter().map(|step| step.need).collect();
        for need in [Need::NpmPackages, Need::WasmTarget, Need::WasmPack, Need::Binder] {
            assert!(needs.contains(&need), "{need:?}");
        }
        assert!(!needs.contains(&Need::Browser) && !needs.contains(&Need::Package));
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
        // The steps end with the first failure, those that run too; the package that was asked for is not among them.
        let ended = Err(Failure::Interrupted);
        let prepared =
            Prepared(vec![(Need::NpmPackages, Ok(())), (Need::Sandbox, ended), (Need::WasmPack, failure.clone())]);
        assert_eq!(prepared.all(), failure);
    }
}
