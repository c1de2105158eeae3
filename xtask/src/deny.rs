//! What may be compiled in: licences, origins, versions (`.cargo/deny.toml`).

use std::process::Command;

use crate::failure::Failure;
use crate::process::run_shown;
use crate::setup::{self, Need};
use crate::workspace::Workspace;

/// Of everything in Cargo.lock, by the database of known vulnerabilities. It is a git repository, not in any registry, so
/// that this is no suite: whoever has the network asks it before a release.
pub fn advisories(workspace: &Workspace) -> Result<(), Failure> {
    setup::require(workspace, &[Need::CargoDeny])?;
    run_shown(deny(workspace).args(["--workspace", "--all-features", "check", "advisories"]))
}

/// Licences and origins of all crates, tools and tests included; then that no crate is in the module in two versions. Both
/// are told without the network.
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
