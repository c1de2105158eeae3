//! Programs that cannot be installed into the project's own folders: Node and a C compiler. One sentence reports each
//! that is missing.

use std::process::Command;

use crate::failure::Failure;
use crate::process::printed;
use crate::workspace::Workspace;

/// The oldest Node 20 that the page's bundler runs on.
const NODE_AT_LEAST: (u32, u32) = (20, 19);

/// Checks all of them, and names every one that is missing.
pub fn check(workspace: &Workspace) -> Result<(), Failure> {
    let missing: Vec<String> =
        [node(workspace), npm(workspace), c_compiler(workspace)].into_iter().filter_map(Result::err).collect();
    if missing.is_empty() { Ok(()) } else { Err(Failure::because(missing.join("\n"))) }
}

fn node(workspace: &Workspace) -> Result<(), String> {
    let (major, minor) = NODE_AT_LEAST;
    let remedy = format!("install Node {major}.{minor} or newer from https://nodejs.org or your package manager");
    let Some(version) = printed(workspace.command("node").arg("--version")) else {
        return Err(format!("Node is missing: {remedy}."));
    };
    if parse(&version).is_some_and(|found| found >= NODE_AT_LEAST) {
        Ok(())
    } else {
        Err(format!("Node {version} is too old: {remedy}."))
    }
}

fn npm(workspace: &Workspace) -> Result<(), String> {
    match printed(workspace.command("npm").arg("--version")) {
        Some(_) => Ok(()),
        None => Err("npm is missing: it comes with Node from https://nodejs.org (Debian: apt install npm).".into()),
    }
}

fn c_compiler(workspace: &Workspace) -> Result<(), String> {
    let named = std::env::var("CC").ok().filter(|named| !named.trim().is_empty());
    let compiler = named.unwrap_or_else(|| "cc".into());
    // It may come with arguments, or behind another program: `ccache gcc`.
    let mut words = compiler.split_whitespace();
    let mut command: Command = workspace.command(words.next().unwrap_or_default());
    match printed(command.args(words).arg("--version")) {
        Some(_) => Ok(()),
        None => Err(format!(
            "A C compiler ({compiler}) is missing: Debian and Ubuntu: apt install build-essential; macOS: xcode-select --install."
        )),
    }
}

/// `v20.20.2` is (20, 20).
fn parse(version: &str) -> Option<(u32, u32)> {
    let mut parts = version.trim_start_matches('v').split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_versions_compare_by_number() {
        assert_eq!(parse("v20.20.2"), Some((20, 20)));
        assert!(parse("v20.9.0").is_some_and(|old| old < NODE_AT_LEAST));
        assert!(parse("v24.0.0").is_some_and(|new| new > NODE_AT_LEAST));
        assert_eq!(parse("unknown"), None);
    }
}
