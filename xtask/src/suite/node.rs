//! Suites that Node's test runner runs.

use std::fs;
use std::path::{Path, PathBuf};

use super::Trial;
use super::count::{self, Count};
use crate::build;
use crate::failure::Failure;
use crate::setup;
use crate::workspace::Workspace;

pub fn vectors(workspace: &Workspace, trial: &Trial) -> Result<Count, Failure> {
    run(workspace, trial, "tests/vectors", &[])
}

pub fn coverage(workspace: &Workspace, trial: &Trial) -> Result<Count, Failure> {
    run(workspace, trial, "tests/coverage", &[])
}

pub fn package(workspace: &Workspace, trial: &Trial) -> Result<Count, Failure> {
    run(workspace, trial, "tests/package", &[("PACKAGE_TARBALL", build::packed(workspace)?)])
}

pub fn e2e(workspace: &Workspace, trial: &Trial) -> Result<Count, Failure> {
    run(workspace, trial, "tests/e2e", &[])
}

/// Runs every `*.test.mjs` of a folder. The files are named one by one: what `node --test FOLDER` runs differs between
/// versions of Node.
fn run(workspace: &Workspace, trial: &Trial, folder: &str, more: &[(&str, PathBuf)]) -> Result<Count, Failure> {
    let files = test_files(&workspace.path(folder))?;
    if files.is_empty() {
        return Ok(Count::default());
    }
    let report = trial.log.with_extension("tap");
    if report.exists() {
        fs::remove_file(&report)?;
    }
    let mut command = workspace.command("node");
    command
        .args([
            "--test",
            // By default one file less than there are cores; a page and its sandbox leave most of a core idle.
            "--test-concurrency=2",
            // Above anything a test does: only what hangs is ended by it.
            "--test-timeout=600000",
            "--test-reporter=spec",
            "--test-reporter-destination=stdout",
            "--test-reporter=tap",
        ])
        .arg(format!("--test-reporter-destination={}", report.display()))
        .args(files)
        .envs(workspace.locations())
        .envs(more.iter().map(|(name, path)| (name, path)));
    if let Some(browser) = setup::find_browser() {
        command.env("CHROME", browser.chrome);
    }
    let passes = trial.passes(&mut command)?;
    let counted = count::node(&fs::read_to_string(&report).unwrap_or_default());
    let mut count = counted.ok_or_else(|| Failure::because("Node's test runner did not finish"))?;
    if !passes && count.failed == 0 {
        count += Count::failed(1);
    }
    Ok(count)
}

fn test_files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?.iter().map(|entry| entry.path()).collect();
    files.retain(|path| path.to_string_lossy().ends_with(".test.mjs"));
    files.sort();
    Ok(files)
}
