//! The parts of the pinned Rust toolchain that rustup may not have installed with it.

use std::path::Path;

use crate::failure::Failure;
use crate::job::Job;
use crate::process::printed;
use crate::workspace::Workspace;

const TARGET: &str = "wasm32-unknown-unknown";

/// The target, and the library's sources: the module is built with its own standard library (flags.rs).
pub fn wasm_target(workspace: &Workspace, job: &Job<'_>) -> Result<(), Failure> {
    let sysroot = printed(workspace.command("rustc").args(["--print", "sysroot"])).unwrap_or_default();
    let library = Path::new(&sysroot).join("lib/rustlib/src/rust/library/Cargo.lock");
    target(workspace, job, TARGET)?;
    if library.exists() { Ok(()) } else { rustup(workspace, job, &["component", "add", "rust-src"]) }
}

/// The target of the sandbox's program as it is packed: musl on Linux, else this machine's own.
pub fn sandbox_target(workspace: &Workspace, job: &Job<'_>) -> Result<String, Failure> {
    let (system, processor) = (std::env::consts::OS, std::env::consts::ARCH);
    let name = match system {
        "macos" => format!("{processor}-apple-darwin"),
        _ => format!("{processor}-unknown-linux-musl"),
    };
    target(workspace, job, &name).map(|()| name)
}

/// The standard library of a target.
fn target(workspace: &Workspace, job: &Job<'_>, name: &str) -> Result<(), Failure> {
    let folder = printed(workspace.command("rustc").args(["--print", "target-libdir", "--target", name]));
    let is_there = folder.is_some_and(|folder| Path::new(&folder).is_dir());
    if is_there { Ok(()) } else { rustup(workspace, job, &["target", "add", name]) }
}

pub fn lints(workspace: &Workspace, job: &Job<'_>) -> Result<(), Failure> {
    let has = |tool: &str| printed(workspace.command("cargo").args([tool, "--version"])).is_some();
    if has("fmt") && has("clippy") {
        return Ok(());
    }
    rustup(workspace, job, &["component", "add", "rustfmt", "clippy"])
}

/// Inside the checkout rustup acts on the toolchain that rust-toolchain.toml pins.
fn rustup(workspace: &Workspace, job: &Job<'_>, arguments: &[&str]) -> Result<(), Failure> {
    if printed(workspace.command("rustup").arg("--version")).is_none() {
        return Err(Failure::because(format!(
            "rustup is not here to run `rustup {}`: install Rust from https://rustup.rs.",
            arguments.join(" ")
        )));
    }
    job.run(workspace.command("rustup").args(arguments))
}
