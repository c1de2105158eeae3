//! The npm packages of package-lock.json, platform packages included, none of their scripts run.

use crate::failure::Failure;
use crate::job::Job;
use crate::process::printed;
use crate::workspace::Workspace;

/// Platform packages (esbuild, the EVM node, ...) are asked for by kind: npm may be set to omit them.
pub fn packages(workspace: &Workspace, job: &Job<'_>) -> Result<(), Failure> {
    if missing(workspace)?.is_empty() {
        return Ok(());
    }
    job.run(workspace.command("npm").args(["ci", "--ignore-scripts", "--include=dev", "--include=optional"]))?;
    let missing = missing(workspace)?;
    if missing.is_empty() {
        return Ok(());
    }
    Err(Failure::because(format!(
        "npm has not installed {}: run `npm ci --include=optional` in {} and look at what it says.",
        missing.join(", "),
        workspace.root().display()
    )))
}

/// The packages that make and check the documentation. The script checks whether they are there.
pub fn documentation(workspace: &Workspace, job: &Job<'_>) -> Result<(), Failure> {
    job.run(workspace.command("node").arg("xtask/node/docs/packages.mjs"))
}

fn missing(workspace: &Workspace) -> Result<Vec<String>, Failure> {
    let printed = printed(workspace.command("node").arg("xtask/node/npm-state.mjs"))
        .ok_or_else(|| Failure::because("package-lock.json cannot be read."))?;
    let mut missing: Vec<String> = printed.lines().map(str::to_owned).collect();
    if missing.is_empty() && !workspace.anvil().exists() {
        missing.push("the EVM node for this platform (@foundry-rs/anvil)".into());
    }
    Ok(missing)
}
