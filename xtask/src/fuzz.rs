//! libFuzzer on the targets of `crates/fuzz`. It needs a C++ compiler, and no other toolchain than the pinned one.

use std::fs;

use crate::failure::Failure;
use crate::flags;
use crate::process::{printed, run_shown};
use crate::workspace::Workspace;

/// Fuzzes one target, or all in turn, each for this many minutes. Stops at the first finding.
pub fn run(workspace: &Workspace, target: Option<&str>, minutes: u32) -> Result<(), Failure> {
    let targets = targets(workspace)?;
    let chosen: Vec<&String> = targets.iter().filter(|name| target.is_none_or(|target| target == *name)).collect();
    if chosen.is_empty() {
        return Err(Failure::because(format!("There is no such target; there are {}.", targets.join(", "))));
    }
    let version = printed(workspace.command("rustc").arg("-vV")).unwrap_or_default();
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or_default();
    let mut build = workspace.command("cargo");
    build
        .args(["build", "--release", "--package", "verified-swap-fuzz", "--features", "libfuzzer", "--bins"])
        // If a target is named, code that runs during the build is compiled without these flags.
        .args(["--target", host, "--target-dir", "target/fuzz"])
        .env("CARGO_ENCODED_RUSTFLAGS", flags::FUZZING.join("\u{1f}"));
    run_shown(&mut build)?;
    for name in chosen {
        let [found, findings] = ["corpus", "findings"].map(|kind| format!("target/fuzz/{kind}/{name}/"));
        fs::create_dir_all(workspace.path(&found))?;
        fs::create_dir_all(workspace.path(&findings))?;
        let mut fuzzer = workspace.command(workspace.path(&format!("target/fuzz/{host}/release/{name}")));
        fuzzer.args([found, format!("crates/fuzz/seeds/{name}"), format!("-artifact_prefix={findings}")]);
        fuzzer.args([format!("-max_total_time={}", minutes * 60)]);
        fuzzer.args(["-max_len=4096", "-timeout=10", "-print_final_stats=1"]);
        run_shown(&mut fuzzer).map_err(|failure| match failure {
            Failure::Reported => Failure::because(format!(
                "{name} has failed; the input is in {findings}. What is mended stays as a seed in crates/fuzz/seeds/{name}."
            )),
            other => other,
        })?;
    }
    Ok(())
}

/// The names of all targets.
fn targets(workspace: &Workspace) -> Result<Vec<String>, Failure> {
    let entries = fs::read_dir(workspace.path("crates/fuzz/targets"))?.collect::<Result<Vec<_>, _>>()?;
    let mut names: Vec<String> =
        entries.iter().filter_map(|entry| Some(entry.path().file_stem()?.to_str()?.to_owned())).collect();
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_is_a_program_and_has_a_short_run() {
        let workspace = Workspace::locate();
        let read = |file: &str| fs::read_to_string(workspace.path(file)).expect("a source of crates/fuzz");
        let (manifest, library) = (read("crates/fuzz/Cargo.toml"), read("crates/fuzz/lib.rs"));
        let targets = targets(&workspace).expect("the folder");
        assert!(!targets.is_empty());
        for name in &targets {
            let program = format!("name = \"{name}\"\npath = \"targets/{name}.rs\"");
            assert!(manifest.contains(&program) && library.contains(&format!("(\"{name}\", {name}::run)")), "{name}");
        }
        assert_eq!(library.matches("::run)").count(), targets.len());
    }
}
