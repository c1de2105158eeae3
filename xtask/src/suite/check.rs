//! Suites that check one question each: formatting, lints, types, measurements.

use super::count::Count;
use super::{Part, Trial, node};
use crate::build;
use crate::deny;
use crate::failure::Failure;
use crate::release;

pub fn fmt(trial: &Trial<'_>) -> Result<Count, Failure> {
    trial.passes(trial.workspace.command("cargo").args(["fmt", "--all", "--check"])).map(Count::of)
}

pub fn clippy(trial: &Trial<'_>) -> Result<Count, Failure> {
    let mut command = trial.workspace.command("cargo");
    trial.passes(command.args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])).map(Count::of)
}

/// Native tests are left out: their dependencies do not compile for the browser.
pub fn clippy_wasm(trial: &Trial<'_>) -> Result<Count, Failure> {
    let mut command = trial.workspace.command("cargo");
    command.args([
        "clippy",
        "--package",
        "verified-swap",
        "--package",
        "verified-swap-verify-wasm",
        "--target",
        "wasm32-unknown-unknown",
        "--all-targets",
    ]);
    trial.passes(command.args(["--", "-D", "warnings"])).map(Count::of)
}

/// Checks the package's declarations and what has to be refused by them, the page that is written against them, the
/// report of the surface, then the tarball with publint and attw.
pub fn types(trial: &Trial<'_>) -> Result<Count, Failure> {
    let mut count = node::tests(trial, "types")?;
    for project in ["pkg-template", "tests/types", "www-example", "www-site"] {
        let mut tsc = trial.workspace.command("node");
        tsc.args(["node_modules/typescript/bin/tsc", "--noEmit", "--project", project]);
        count += Count::of(trial.passes(&mut tsc)?);
    }
    for mut lint in release::lints(trial.workspace, &build::packed(trial.workspace)?) {
        count += Count::of(trial.passes(&mut lint)?);
    }
    Ok(count)
}

pub fn size(trial: &Trial<'_>) -> Result<Count, Failure> {
    trial.passes(trial.workspace.command("node").arg("xtask/node/size.mjs")).map(Count::of)
}

pub fn deny(trial: &Trial<'_>) -> Result<Count, Failure> {
    let mut count = Count::default();
    for mut check in deny::checks(trial.workspace) {
        count += Count::of(trial.passes(&mut check)?);
    }
    Ok(count)
}

/// The crates for Rust: the documentation of both has no broken link, and the checks compile from what cargo would publish of
/// them. `explain` depends on the checks by their version, and packs only once they are in a registry.
pub fn rust_crate(trial: &Trial<'_>) -> Result<Count, Failure> {
    let cargo = |words: &[&str]| {
        let mut command = trial.workspace.command("cargo");
        command.args(words).args(["--package", "verified-swap-verify"]);
        command
    };
    let mut documented = cargo(&["doc", "--no-deps", "--package", "verified-swap-explain"]);
    let mut count = Count::of(trial.passes(documented.env("RUSTDOCFLAGS", "-Dwarnings"))?);
    let package = ["package", "--allow-dirty", "--target-dir", "target/crate"];
    count += Count::of(trial.passes(&mut cargo(&package))?);
    Ok(count)
}

/// Everything in a release that needs no network; with `--all` also two builds from clean clones.
pub fn release(trial: &Trial<'_>) -> Result<Count, Failure> {
    let mut command = trial.itself(&["release", "--dry-run"])?;
    if trial.part != Part::All {
        command.arg("--no-builds");
    }
    trial.passes(&mut command).map(Count::of)
}
