//! wasm-pack, and wasm-bindgen's programs: the project's own copies under `target/tools`.

use std::fs;

use super::cargo_tools::{compile, version_of};
use crate::failure::Failure;
use crate::job::Job;
use crate::workspace::Workspace;

const WASM_PACK: &str = "0.15.1";

pub fn wasm_pack(workspace: &Workspace, job: &Job<'_>) -> Result<(), Failure> {
    if version_of(workspace, "wasm-pack", &[]).as_deref() == Some(WASM_PACK) {
        return Ok(());
    }
    compile(workspace, job, &["wasm-pack", "--version", WASM_PACK, "--locked"])
}

/// The programs of wasm-bindgen itself: for the tests in the browser, and for a build without `xtask/bind`.
pub fn wasm_bindgen(workspace: &Workspace, job: &Job<'_>) -> Result<(), Failure> {
    // The bindings and the tool that writes them must be of one version.
    let version = locked_version(&fs::read_to_string(workspace.path("Cargo.lock"))?, "wasm-bindgen")
        .ok_or_else(|| Failure::because("Cargo.lock does not list wasm-bindgen: run `cargo generate-lockfile`."))?;
    let has_runner = workspace.tool("wasm-bindgen-test-runner").exists();
    if has_runner && version_of(workspace, "wasm-bindgen", &[]).as_ref() == Some(&version) {
        return Ok(());
    }
    let programs = ["--bin", "wasm-bindgen", "--bin", "wasm-bindgen-test-runner"];
    // Without TLS: the driver of the browser is on this machine.
    compile(
        workspace,
        job,
        &[&["wasm-bindgen-cli", "--version", &version, "--no-default-features"][..], &programs].concat(),
    )
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
