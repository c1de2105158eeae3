//! wasm-bindgen, wasm-pack and wasm-opt: the project's own copies under `target/tools`.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use super::Job;
use crate::failure::Failure;
use crate::process::printed;
use crate::workspace::Workspace;

const WASM_PACK: &str = "0.15.1";

/// npm's binaryen is wasm-opt compiled to JavaScript: current, and the same on every platform.
const WASM_OPT: &str =
    "#!/bin/sh\nexec node \"$(dirname \"$0\")/../../../node_modules/binaryen/bin/wasm-opt\" \"$@\"\n";

pub fn has_wasm_bindgen(workspace: &Workspace) -> Result<bool, Failure> {
    let wanted = wasm_bindgen_version(workspace)?;
    let runner = workspace.tool("wasm-bindgen-test-runner").exists();
    Ok(runner && version_of(workspace, "wasm-bindgen").as_deref() == Some(&wanted))
}

pub fn install_wasm_bindgen(workspace: &Workspace, job: &Job<'_>) -> Result<(), Failure> {
    install(workspace, job, "wasm-bindgen-cli", &wasm_bindgen_version(workspace)?, &[])
}

pub fn has_wasm_pack(workspace: &Workspace) -> Result<bool, Failure> {
    let shim = workspace.tool("wasm-opt");
    let shim_is_current = fs::read_to_string(&shim).is_ok_and(|text| text == WASM_OPT);
    Ok(shim_is_current && version_of(workspace, "wasm-pack").as_deref() == Some(WASM_PACK))
}

pub fn install_wasm_pack(workspace: &Workspace, job: &Job<'_>) -> Result<(), Failure> {
    if version_of(workspace, "wasm-pack").as_deref() != Some(WASM_PACK) {
        install(workspace, job, "wasm-pack", WASM_PACK, &["--locked"])?;
    }
    let shim = workspace.tool("wasm-opt");
    fs::write(&shim, WASM_OPT)?;
    Ok(fs::set_permissions(&shim, fs::Permissions::from_mode(0o755))?)
}

/// The bindings and the tool that writes them must be of one version: the one in Cargo.lock.
fn wasm_bindgen_version(workspace: &Workspace) -> Result<String, Failure> {
    locked_version(&fs::read_to_string(workspace.path("Cargo.lock"))?, "wasm-bindgen")
        .ok_or_else(|| Failure::because("Cargo.lock does not list wasm-bindgen: run `cargo generate-lockfile`."))
}

fn locked_version(lock: &str, package: &str) -> Option<String> {
    let (_, rest) = lock.split_once(&format!("name = \"{package}\"\nversion = \""))?;
    Some(rest.split_once('"')?.0.to_owned())
}

fn version_of(workspace: &Workspace, tool: &str) -> Option<String> {
    let line = printed(workspace.command(workspace.tool(tool)).arg("--version"))?;
    line.split_whitespace().nth(1).map(str::to_owned)
}

/// Compiles into a folder that stays, so that an interrupted run goes on where it was; hardly optimised, because these
/// programs work for a second and are compiled for minutes.
fn install(workspace: &Workspace, job: &Job<'_>, name: &str, version: &str, more: &[&str]) -> Result<(), Failure> {
    let build: PathBuf = workspace.tools().join("build");
    let mut command = workspace.command("cargo");
    command
        .args(["install", name, "--version", version, "--force", "--root"])
        .arg(workspace.tools())
        .args(more)
        .env("CARGO_TARGET_DIR", build)
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1")
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
        .env("CARGO_PROFILE_RELEASE_DEBUG", "0")
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS");
    job.run(&mut command)
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
