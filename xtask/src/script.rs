//! Commands that prepare what a Node script needs and run it on this terminal.

use std::os::unix::process::CommandExt;

use crate::build;
use crate::failure::Failure;
use crate::flags;
use crate::process::run_shown;
use crate::setup::{self, Need};
use crate::workspace::Workspace;

/// The needs of trying the page; the script finds the browsers.
const PAGE: [Need; 3] = [Need::Page, Need::Sandbox, Need::Contracts];

/// Packs `verified-swap`, and with it the sandbox's packages unless it is wanted `alone`; lists what is in them.
pub fn package(workspace: &Workspace, alone: bool) -> Result<(), Failure> {
    let needs = [Need::Tarball, Need::SandboxTarballs];
    setup::require(workspace, if alone { &needs[..1] } else { &needs })?;
    let mut tarballs = if alone { Vec::new() } else { build::packed_in(&workspace.sandbox_tarballs())? };
    tarballs.push(build::packed(workspace)?);
    run_shown(workspace.command("node").arg("xtask/node/describe-tarball.mjs").args(tarballs))
}

pub fn size(workspace: &Workspace) -> Result<(), Failure> {
    setup::require(workspace, &[Need::Package])?;
    let mut script = workspace.command("node");
    script
        .args(["xtask/node/size.mjs", "25"])
        .arg(workspace.binder(true).join("wasm-bindgen"))
        .arg(workspace.compiled_module());
    run_shown(script.args(flags::WASM_OPT).args(flags::FEATURES))
}

pub fn probe(workspace: &Workspace, options: &[String]) -> Result<(), Failure> {
    setup::require(workspace, &[Need::Package])?;
    run_shown(workspace.command("node").arg("tests/probe/probe.mjs").args(options))
}

/// Becomes the script, which asks the person at this terminal, and ends as that wants it to on Ctrl-C.
pub fn live(workspace: &Workspace, options: &[String]) -> Result<(), Failure> {
    setup::require(workspace, &[Need::Package])?;
    let error = workspace.command("node").arg("tests/live/live.mjs").args(options).exec();
    Err(Failure::because(format!("node could not be started: {error}.")))
}

pub fn bench(workspace: &Workspace, options: &[String]) -> Result<(), Failure> {
    setup::require(workspace, &[&PAGE[..], &[Need::Browser]].concat())?;
    let mut script = workspace.command("node");
    run_shown(script.arg("tests/bench/run.mjs").args(options).envs(setup::locations(workspace)))
}

pub fn tables(workspace: &Workspace, folder: Option<&str>) -> Result<(), Failure> {
    run_shown(workspace.command("node").arg("xtask/node/tables.mjs").args(folder))
}

/// Writes the site, and prints what its pages load; fails above their budget.
pub fn site(workspace: &Workspace) -> Result<(), Failure> {
    setup::require(workspace, &[Need::Site])?;
    run_shown(workspace.command("node").arg("xtask/node/site-size.mjs"))
}

pub fn faults(workspace: &Workspace) -> Result<(), Failure> {
    setup::require(workspace, &[Need::Package, Need::Sandbox, Need::Contracts])?;
    run_shown(workspace.command("node").arg("tests/faults/write.mjs").envs(setup::locations(workspace)))
}

/// Takes the README's pictures into a folder, by default docs; or with `states` pictures of every state of the
/// page, in these views, or in all if none is named.
pub fn screenshots(workspace: &Workspace, into: Option<&str>, states: Option<&[String]>) -> Result<(), Failure> {
    setup::require(workspace, &[&PAGE[..], &[Need::Browser]].concat())?;
    let mut command = workspace.command("node");
    match states {
        None => command.arg("tests/e2e/screenshots.mjs").args(into),
        Some(views) => command.args(["tests/e2e/pictures.mjs", "target/pictures"]).args(views),
    };
    run_shown(command.envs(setup::locations(workspace)))
}

/// Tries the page in these browsers, or in all if none is named.
pub fn engines(workspace: &Workspace, browsers: &[String]) -> Result<(), Failure> {
    setup::require(workspace, &PAGE)?;
    run_shown(workspace.command("node").arg("tests/engines/run.mjs").args(browsers).envs(setup::locations(workspace)))
}
