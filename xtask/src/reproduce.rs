//! Checks that the package does not depend on who builds it: two builds from two clean clones, in folders of other
//! names.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::build::packed;
use crate::failure::Failure;
use crate::process::{printed, run_shown};
use crate::setup::{self, Need};
use crate::terminal::say;
use crate::workspace::Workspace;

/// The folders of the clones: their names differ in length, and are part of paths.
const CLONES: [&str; 2] = ["target/reproduce/one", "target/reproduce/another/with a longer name"];

pub fn run(workspace: &Workspace) -> Result<(), Failure> {
    let [one, other] = builds(workspace, run_shown)?;
    let differing = differing(&one, &other);
    if differing.is_empty() { Ok(()) } else { Err(Failure::because(format!("The builds differ in {differing}."))) }
}

/// Builds the last commit twice; prints the digests, and returns both builds'. Tools and npm packages, which the lock
/// files pin, are this checkout's.
pub fn builds(
    workspace: &Workspace,
    run: impl Fn(&mut Command) -> Result<(), Failure>,
) -> Result<[String; 2], Failure> {
    setup::require(workspace, &[Need::NpmPackages, Need::WasmTarget, Need::WasmPack])?;
    // Both clones at once: a commit that is made meanwhile is in neither.
    let clones = CLONES.map(|folder| workspace.at(folder));
    for clone in &clones {
        if clone.root().exists() {
            fs::remove_dir_all(clone.root())?;
        }
        run(workspace.command("git").args(["clone", "--quiet", "."]).arg(clone.root()))?;
        fs::create_dir_all(clone.path("target"))?;
        std::os::unix::fs::symlink(workspace.tools(), clone.tools())?;
        std::os::unix::fs::symlink(workspace.path("node_modules"), clone.path("node_modules"))?;
    }
    let build = |clone: &Workspace| {
        run(clone.command("cargo").args(["xtask", "package", "--alone"]).env_remove("CARGO_TARGET_DIR"))?;
        digests(workspace, &packed(clone)?)
    };
    let builds = [build(&clones[0])?, build(&clones[1])?];
    say(&builds[0]);
    Ok(builds)
}

/// The digest of each file in a tarball, and of the tarball, a line each.
pub fn digests(workspace: &Workspace, tarball: &Path) -> Result<String, Failure> {
    printed(workspace.command("node").arg("xtask/node/digests.mjs").arg(tarball))
        .ok_or_else(|| Failure::because("the tarball cannot be read"))
}

/// The lines that only one of the two has.
pub fn differing(one: &str, other: &str) -> String {
    let [one, other] = [one, other].map(|digests| digests.lines().collect::<Vec<_>>());
    let differing =
        one.iter().filter(|line| !other.contains(line)).chain(other.iter().filter(|line| !one.contains(line)));
    differing.copied().collect::<Vec<_>>().join("\n")
}
