//! Tools from crates.io: the project's own copies under `target/tools`, each of one version.

use crate::failure::Failure;
use crate::job::Job;
use crate::process::printed;
use crate::workspace::Workspace;

const CARGO_DENY: &str = "0.20.2";
const CARGO_MUTANTS: &str = "27.1.0";

pub fn deny(workspace: &Workspace, job: &Job<'_>) -> Result<(), Failure> {
    if version_of(workspace, "cargo-deny", &[]).as_deref() == Some(CARGO_DENY) {
        return Ok(());
    }
    compile(workspace, job, &["cargo-deny", "--version", CARGO_DENY, "--locked"])
}

pub fn mutants(workspace: &Workspace, job: &Job<'_>) -> Result<(), Failure> {
    if version_of(workspace, "cargo-mutants", &["mutants"]).as_deref() == Some(CARGO_MUTANTS) {
        return Ok(());
    }
    compile(workspace, job, &["cargo-mutants", "--version", CARGO_MUTANTS, "--locked"])
}

/// The output of `TOOL [COMMAND] --version`, without the tool's name.
pub fn version_of(workspace: &Workspace, tool: &str, command: &[&str]) -> Option<String> {
    let line = printed(workspace.command(workspace.tool(tool)).args(command).arg("--version"))?;
    line.split_whitespace().nth(1).map(str::to_owned)
}

/// Compiles into a folder that stays, so that an interrupted run goes on where it was; not optimised, because these
/// programs work for seconds and are compiled for minutes.
pub fn compile(workspace: &Workspace, job: &Job<'_>, package: &[&str]) -> Result<(), Failure> {
    let name = package.first().copied().unwrap_or_default();
    let mut command = workspace.command("cargo");
    command
        .arg("install")
        .args(package)
        .args(["--force", "--root"])
        .arg(workspace.tools())
        .env("CARGO_TARGET_DIR", workspace.tools().join("build").join(name))
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
        .env("CARGO_PROFILE_RELEASE_DEBUG", "0")
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS");
    job.run(&mut command)
}
