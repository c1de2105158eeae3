//! Mutation testing: each change that cargo-mutants makes to the code has to fail a test (`.cargo/mutants.toml`).

use crate::failure::Failure;
use crate::process::run_shown;
use crate::setup::{self, Need};
use crate::workspace::Workspace;

/// Mutates these files, or all that decide what is signed and sent. The findings are in target/mutants.out.
pub fn run(workspace: &Workspace, files: &[String]) -> Result<(), Failure> {
    setup::require(workspace, &[Need::CargoMutants])?;
    let mut command = workspace.command(workspace.tool("cargo-mutants"));
    command.args(["mutants", "--output", "target"]).args(files.iter().flat_map(|file| ["--file", file]));
    // Compiled several hundred times: without debug information.
    run_shown(command.env("CARGO_PROFILE_DEV_DEBUG", "0").env("CARGO_PROFILE_TEST_DEBUG", "0"))
}
