//! The npm packages of package-lock.json, platform packages included, none of their scripts run.

use std::fs;

use super::Job;
use crate::failure::Failure;
use crate::process::printed;
use crate::workspace::Workspace;

/// Prints one line for each package that is missing or of another version.
const STATE: &str = "xtask/node/npm-state.mjs";

pub fn is_installed(workspace: &Workspace) -> Result<bool, Failure> {
    Ok(missing(workspace)?.is_empty() && workspace.anvil().exists())
}

/// Platform packages (esbuild, the EVM node, ...) are asked for by kind: npm may be set to omit them.
pub fn install(workspace: &Workspace, job: &Job) -> Result<(), Failure> {
    if !missing(workspace)?.is_empty() {
        job.run(workspace.command("npm").args(["ci", "--ignore-scripts", "--include=dev", "--include=optional"]))?;
    }
    let missing = missing(workspace)?;
    if !missing.is_empty() {
        return Err(Failure::because(format!(
            "npm has not installed {}: run `npm ci --include=optional` in {} and look at what it says.",
            missing.join(", "),
            workspace.root().display()
        )));
    }
    if workspace.anvil().exists() { Ok(()) } else { fetch_anvil(workspace, job) }
}

fn missing(workspace: &Workspace) -> Result<Vec<String>, Failure> {
    let printed = printed(workspace.command("node").arg(workspace.path(STATE)))
        .ok_or_else(|| Failure::because("package-lock.json cannot be read."))?;
    Ok(printed.lines().map(str::to_owned).collect())
}

/// A lock file lists only the platforms that the registry had when it was written. The node of any other one is
/// fetched by itself, in the version of the package that it belongs to.
fn fetch_anvil(workspace: &Workspace, job: &Job) -> Result<(), Failure> {
    let manifest = fs::read_to_string(workspace.path("node_modules/@foundry-rs/anvil/package.json"))?;
    let version = manifest
        .split_once("\"version\": \"")
        .and_then(|(_, rest)| rest.split_once('"'))
        .map(|(version, _)| version.to_owned())
        .ok_or_else(|| Failure::because("node_modules/@foundry-rs/anvil/package.json names no version."))?;
    let package = format!("{}@{version}", Workspace::anvil_package());
    let folder = workspace.tools().join("anvil");
    fs::create_dir_all(&folder)?;
    let fetched = job.run(
        workspace
            .command("npm")
            .args(["install", "--ignore-scripts", "--no-save", "--prefix"])
            .arg(&folder)
            .arg(&package),
    );
    if fetched.is_ok() && workspace.anvil().exists() {
        return Ok(());
    }
    if fetched == Err(Failure::Interrupted) {
        return fetched;
    }
    Err(Failure::because(format!(
        "The EVM node for this platform, npm's {package}, cannot be fetched: try \
         `npm install --no-save --prefix {} {package}` and look at what it says.",
        folder.display()
    )))
}
