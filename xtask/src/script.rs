//! Verbs that prepare what a Node script needs and run it on this terminal.

use std::process::Command;

use crate::build;
use crate::failure::Failure;
use crate::process::run_shown;
use crate::setup::{self, Need};
use crate::workspace::Workspace;

/// `cargo xtask package`
pub fn package(workspace: &Workspace, arguments: &[String]) -> Result<(), Failure> {
    no_arguments(arguments)?;
    setup::require(workspace, &[Need::Tarball])?;
    let tarball = build::packed(workspace)?;
    shown(workspace.command("node").arg("xtask/node/describe-tarball.mjs").arg(tarball))
}

/// `cargo xtask size`
pub fn size(workspace: &Workspace, arguments: &[String]) -> Result<(), Failure> {
    no_arguments(arguments)?;
    setup::require(workspace, &[Need::Package, Need::NpmPackages])?;
    shown(workspace.command("node").arg("xtask/node/size.mjs").args(["--largest", "25"]))
}

/// `cargo xtask probe --base-url URL [--chain ID]... [--orders-of ADDRESS]`
pub fn probe(workspace: &Workspace, arguments: &[String]) -> Result<(), Failure> {
    setup::require(workspace, &[Need::Package, Need::NpmPackages])?;
    shown(workspace.command("node").arg("tests/probe/probe.mjs").args(arguments))
}

/// `cargo xtask bench`
pub fn bench(workspace: &Workspace, arguments: &[String]) -> Result<(), Failure> {
    in_browser(workspace, "tests/bench/run.mjs", arguments)
}

/// `cargo xtask screenshots`
pub fn screenshots(workspace: &Workspace, arguments: &[String]) -> Result<(), Failure> {
    in_browser(workspace, "tests/e2e/screenshots.mjs", arguments)
}

/// `cargo xtask engines`
pub fn engines(workspace: &Workspace, arguments: &[String]) -> Result<(), Failure> {
    no_arguments(arguments)?;
    setup::require(workspace, &[Need::Page, Need::Sandbox, Need::Contracts])?;
    shown(workspace.command("node").arg("tests/engines/run.mjs").envs(workspace.locations()))
}

fn in_browser(workspace: &Workspace, script: &str, arguments: &[String]) -> Result<(), Failure> {
    setup::require(workspace, &[Need::Page, Need::Sandbox, Need::Contracts, Need::Browser])?;
    let mut command = workspace.command("node");
    command.arg(script).args(arguments).envs(workspace.locations()).env("REVISION", build::revision(workspace));
    if let Some(browser) = setup::find_browser() {
        command.env("CHROME", browser.chrome);
    }
    shown(&mut command)
}

fn shown(command: &mut Command) -> Result<(), Failure> {
    if run_shown(command)?.success() { Ok(()) } else { Err(Failure::Reported) }
}

fn no_arguments(arguments: &[String]) -> Result<(), Failure> {
    if arguments.is_empty() {
        return Ok(());
    }
    Err(Failure::because(format!("Not understood: {}. This verb takes nothing more.", arguments.join(" "))))
}
