//! Suites that Node runs.

use std::fs;
use std::path::PathBuf;

use super::count::{self, Count};
use super::{Part, Trial};
use crate::build;
use crate::failure::Failure;
use crate::setup;
use crate::workspace::Workspace;

/// Runs the files of a suite.
///
/// They are named one by one, because `node --test FOLDER` runs other files in other versions of Node.
pub fn tests(trial: &Trial<'_>, suite: &str) -> Result<Count, Failure> {
    let workspace = trial.workspace;
    let files = files(workspace, suite, trial.part)?;
    let report = trial.log.with_extension("tap");
    if report.exists() {
        fs::remove_file(&report)?;
    }
    // Milliseconds, above the time of any test file: ends only files that hang.
    let limit = if trial.part == Part::All { 7_200_000 } else { 600_000 };
    let mut command = workspace.command("node");
    command
        .args(["--test", "--test-reporter=spec", "--test-reporter-destination=stdout", "--test-reporter=tap"])
        .arg(format!("--test-reporter-destination={}", report.display()))
        .arg(format!("--test-timeout={limit}"))
        .args(files)
        .envs(setup::locations(workspace));
    if let Some(browser) = setup::find_browser() {
        command.env("CHROME", browser.headless);
    }
    if suite == PAGE && trial.part == Part::First {
        command.env("WWW_DIR", workspace.demo_page());
    }
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

/// The files of a folder of tests: in the first part the `*.test.mjs` of the folder itself, in the second those of its
/// folder `more`, with `--all` also those of its folder `all`. The walks through the page run again in the second part: on
/// the page as it ships.
pub fn files(workspace: &Workspace, suite: &str, part: Part) -> Result<Vec<PathBuf>, Failure> {
    let folder = workspace.path("tests").join(suite);
    let of = |more: &str| test_files(folder.join(more));
    let mut files = Vec::new();
    if part != Part::More || suite == PAGE || !folder.join("more").is_dir() {
        files.extend(of("")?);
    }
    if part != Part::First {
        files.extend(of("more")?);
    }
    if part == Part::All {
        files.extend(of("all")?);
    }
    Ok(files)
}

/// Counts one line for each check, and one for each browser that is missing. The same walk goes through Chromium in
/// every run, so that it is known to be right if the others are not installed.
pub fn engines(trial: &Trial<'_>) -> Result<Count, Failure> {
    let mut command = trial.itself(&["engines"])?;
    if trial.part != Part::All {
        command.arg("Chromium");
    }
    let passes = trial.passes(&mut command)?;
    Ok(count::tried(&trial.output()).or_failed(passes))
}

/// Counts one line for each check; without `--all` with few of everything.
pub fn soak(trial: &Trial<'_>) -> Result<Count, Failure> {
    let mut command = trial.workspace.command("node");
    let few: &[&str] = if trial.part == Part::All { &[] } else { &["--once"] };
    command.arg("tests/soak/run.mjs").args(few).envs(setup::locations(trial.workspace));
    let passes = trial.passes(&mut command)?;
    Ok(count::tried(&trial.output()).or_failed(passes))
}

/// The suite that walks through the page.
pub const PAGE: &str = "e2e";

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
