//! Whether the package is the same whoever builds it: two builds from two clean clones, in folders of other names.

use std::fs;
use std::process::Command;

use crate::build::packed;
use crate::failure::Failure;
use crate::process::{printed, run_shown};
use crate::setup::{self, Need};
use crate::terminal::say;
use crate::workspace::Workspace;

/// Where the clones are made: the name of the folder is in paths that are shorter here and longer there.
const CLONES: [&str; 2] = ["target/reproduce/one", "target/reproduce/another/with a longer name"];

pub fn run(workspace: &Workspace) -> Result<(), Failure> {
    let differing = differing(workspace, run_shown)?;
    if differing.is_empty() { Ok(()) } else { Err(Failure::because(format!("The builds differ in {differing}."))) }
}

/// Builds the last commit twice, prints the digest of each file and of the tarball; returns the files that differ. Tools and
/// npm packages, which both lock files pin, are those of this checkout.
pub fn differing(workspace: &Workspace, run: impl Fn(&mut Command) -> Result<(), Failure>) -> Result<String, Failure> {
    setup::require(workspace, &[Need::NpmPackages, Need::WasmTarget, Need::WasmTools])?;
    let mut digests = Vec::new();
    for folder in CLONES {
        let clone = workspace.at(folder);
        if clone.root().exists() {
            fs::remove_dir_all(clone.root())?;
        }
        run(workspace.command("git").args(["clone", "--quiet", "."]).arg(clone.root()))?;
        fs::create_dir_all(clone.path("target"))?;
        std::os::unix::fs::symlink(workspace.tools(), clone.tools())?;
        std::os::unix::fs::symlink(workspace.path("node_modules"), clone.path("node_modules"))?;
        run(clone.command("cargo").args(["xtask", "package"]).env_remove("CARGO_TARGET_DIR"))?;
        let printed = printed(workspace.command("node").arg("xtask/node/digests.mjs").arg(packed(&clone)?));
        digests.push(printed.ok_or_else(|| Failure::because("the tarball cannot be read"))?);
    }
    say(&digests[0]);
    let [one, other] = [0, 1].map(|build: usize| digests[build].lines().collect::<Vec<_>>());
    let differing =
        one.iter().filter(|line| !other.contains(line)).chain(other.iter().filter(|line| !one.contains(line)));
    Ok(differing.copied().collect::<Vec<_>>().join("\n"))
}
