//! The sandbox's Solidity contracts, compiled by npm's solc.

use super::Job;
use crate::failure::Failure;
use crate::fingerprint;
use crate::workspace::Workspace;

const STAMP: &str = "contracts";

pub fn are_compiled(workspace: &Workspace) -> Result<bool, Failure> {
    let there = workspace.contracts().read_dir().is_ok_and(|mut entries| entries.next().is_some());
    Ok(there && fingerprint::matches(&workspace.stamp(STAMP), &sources(workspace)?))
}

pub fn compile(workspace: &Workspace, job: &Job<'_>) -> Result<(), Failure> {
    let sources = sources(workspace)?;
    job.run(workspace.command("node").arg("tests/sandbox/contracts/compile.mjs").arg(workspace.contracts()))?;
    fingerprint::keep(&workspace.stamp(STAMP), &sources)
}

fn sources(workspace: &Workspace) -> Result<String, Failure> {
    fingerprint::of(&[workspace.path("tests/sandbox/contracts"), workspace.path("node_modules/solc/package.json")])
}
