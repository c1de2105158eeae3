//! Suites that Node runs.

use std::fs;
use std::path::PathBuf;

use super::Trial;
use super::count::{self, Count};
use crate::build;
use crate::failure::Failure;
use crate::setup;

/// Runs every `*.test.mjs` of a folder of tests, and with `--all` also those of its folder `all`.
///
/// The files are named one by one, because `node --test FOLDER` runs other files in other versions of Node.
pub fn tests(trial: &Trial<'_>, suite: &str) -> Result<Count, Failure> {
    let workspace = trial.workspace;
    let folder = workspace.path("tests").join(suite);
    let mut files = test_files(folder.clone())?;
    if trial.all {
        files.extend(test_files(folder.join("all"))?);
    }
    let report = trial.log.with_extension("tap");
    if report.exists() {
        fs::remove_file(&report)?;
    }
    // Milliseconds, above the time of any test file: ends only files that hang.
    let limit = if trial.all { 7_200_000 } else { 600_000 };
    let mut command = workspace.command("node");
    command
        .args([
            "--test",
            // By default one file less than there are cores; a page and its sandbox leave most of a core idle.
            "--test-concurrency=2",
            "--test-reporter=spec",
            "--test-reporter-destination=stdout",
            "--test-reporter=tap",
        ])
        .arg(format!("--test-reporter-destination={}", report.display()))
        .arg(format!("--test-timeout={limit}"))
        .args(files)
        .envs(setup::locations(workspace));
    if ["package", "consumers", "examples"].contains(&suite) {
        command.env("PACKAGE_TARBALL", build::packed(workspace)?);
    }
    if suite == "commands" {
        command.env("XTASK", std::env::current_exe()?);
    }
    let passes = trial.passes(&mut command)?;
    let counted = count::node(&fs::read_to_string(&report).unwrap_or_default());
    let count = counted.ok_or_else(|| Failure::because("Node's test runner did not finish"))?;
    Ok(count.or_failed(passes))
}

/// Counts one line for each check, and one for each browser that is missing. The same walk goes through Chromium in
/// every run, so that it is known to be right if the others are not installed.
pub fn engines(trial: &Trial<'_>) -> Result<Count, Failure> {
    let mut command = trial.itself(&["engines"])?;
    if !trial.all {
        command.arg("Chromium");
    }
    let passes = trial.passes(&mut command)?;
    Ok(count::tried(&trial.output()).or_failed(passes))
}

/// Counts one line for each check; without `--all` with few of everything.
pub fn soak(trial: &Trial<'_>) -> Result<Count, Failure> {
    let mut command = trial.workspace.command("node");
    let few: &[&str] = if trial.all { &[] } else { &["--once"] };
    command.arg("tests/soak/run.mjs").args(few).envs(setup::locations(trial.workspace));
    let passes = trial.passes(&mut command)?;
    Ok(count::tried(&trial.output()).or_failed(passes))
}

pub fn test_files(folder: PathBuf) -> Result<Vec<PathBuf>, Failure> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    let mut files: Vec<PathBuf> = entries.iter().map(|entry| entry.path()).collect();
    files.retain(|path| path.to_string_lossy().ends_with(".test.mjs"));
    files.sort();
    Ok(files)
}
