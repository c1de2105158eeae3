//! Checks of the compiled crates: licences, origins, versions (`.cargo/deny.toml`).

use std::process::Command;

use crate::failure::Failure;
use crate::process::run_shown;
use crate::setup::{self, Need};
use crate::workspace::Workspace;

/// Checks everything in Cargo.lock against the database of known vulnerabilities. That is a git repository, not a
/// registry, so this is no suite: it is run before a release, with the network.
pub fn advisories(workspace: &Workspace) -> Result<(), Failure> {
    setup::require(workspace, &[Need::CargoDeny])?;
    run_shown(deny(workspace).args(["--workspace", "--all-features", "check", "advisories"]))
}

/// Licences and origins of all crates, tools and tests included; then that no crate is in the module in two versions.
/// Both work without the network.
pub fn checks(workspace: &Workspace) -> [Command; 2] {
    let mut all = deny(workspace);
    all.args(["--locked", "--workspace", "--all-features", "check", "licenses", "sources"]);
    let mut module = deny(workspace);
    module.args(["--locked", "--exclude-dev", "--target", "wasm32-unknown-unknown", "check", "bans"]);
    [all, module]
}

fn deny(workspace: &Workspace) -> Command {
    workspace.command(workspace.tool("cargo-deny"))
}
