//! wasm-bindgen's programs: the project's own copies under `target/tools`.

use std::fs;

use super::Job;
use crate::failure::Failure;
use crate::process::printed;
use crate::workspace::Workspace;

/// Compiles into a folder that stays, so that an interrupted run goes on where it was; hardly optimised, because these
/// programs work for a second and are compiled for minutes.
pub fn install(workspace: &Workspace, job: &Job<'_>) -> Result<(), Failure> {
    // The bindings and the tool that writes them must be of one version.
    let wanted = locked_version(&fs::read_to_string(workspace.path("Cargo.lock"))?, "wasm-bindgen")
        .ok_or_else(|| Failure::because("Cargo.lock does not list wasm-bindgen: run `cargo generate-lockfile`."))?;
    let found = printed(workspace.command(workspace.tool("wasm-bindgen")).arg("--version"));
    let is_current = found.is_some_and(|line| line.split_whitespace().nth(1) == Some(&wanted));
    if is_current && workspace.tool("wasm-bindgen-test-runner").exists() {
        return Ok(());
    }
    let mut command = workspace.command("cargo");
    command
        .args(["install", "wasm-bindgen-cli", "--version", &wanted, "--force", "--root"])
        .arg(workspace.tools())
        .env("CARGO_TARGET_DIR", workspace.tools().join("build"))
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1")
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
        .env("CARGO_PROFILE_RELEASE_DEBUG", "0")
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS");
    job.run(&mut command)
}

fn locked_version(lock: &str, package: &str) -> Option<String> {
    let (_, rest) = lock.split_once(&format!("name = \"{package}\"\nversion = \""))?;
    Some(rest.split_once('"')?.0.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_that_of_the_package_and_not_of_one_whose_name_begins_alike() {
        let lock = "[[package]]\nname = \"wasm-bindgen-macro\"\nversion = \"9.9.9\"\n\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\nsource = \"x\"\n";
        assert_eq!(locked_version(lock, "wasm-bindgen").as_deref(), Some("0.2.130"));
        assert_eq!(locked_version(lock, "wasm"), None);
    }
}
