//! Suites that check one question each: formatting, lints, types, measurements.

use super::count::Count;
use super::{Part, Trial};
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

/// Checks the package's declarations, then its scripts and the page that are written against them, then the tarball with publint
/// and attw. `xtask/tests/scripts.rs` holds that the scripts assert types in one file alone.
pub fn types(trial: &Trial<'_>) -> Result<Count, Failure> {
    let tsc = || {
        let mut command = trial.workspace.command("node");
        command.args(["node_modules/typescript/bin/tsc", "--noEmit"]);
        command
    };
    let mut declarations = tsc();
    declarations
        .args(["--strict", "--skipLibCheck", "false", "--exactOptionalPropertyTypes", "--lib", "es2022,dom"])
        .args(["--target", "es2022", "--module", "esnext", "--moduleResolution", "bundler", "--ignoreConfig"])
        .args(["--types", ""])
        .arg("target/pkg/index.d.ts");
    let mut count = Count::of(trial.passes(&mut declarations)?);
    for project in ["pkg-template", "www-example"] {
        count += Count::of(trial.passes(tsc().args(["--project", project]))?);
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

/// The crate for Rust: its documentation has no broken link, and it compiles from what cargo would publish of it.
pub fn rust_crate(trial: &Trial<'_>) -> Result<Count, Failure> {
    let cargo = |words: &[&str]| {
        let mut command = trial.workspace.command("cargo");
        command.args(words).args(["--package", "verified-swap-verify"]);
        command
    };
    let mut count = Count::of(trial.passes(cargo(&["doc", "--no-deps"]).env("RUSTDOCFLAGS", "-Dwarnings"))?);
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
