//! `cargo xtask release`: checks everything that has to hold before the package is published. It publishes nothing.

use std::path::Path;
use std::process::Command;

use crate::build::{packed, packed_in};
use crate::deny;
use crate::failure::Failure;
use crate::fingerprint;
use crate::process::{printed, run_shown};
use crate::reproduce;
use crate::script;
use crate::setup::{self, Need};
use crate::terminal::say;
use crate::workspace::Workspace;

const MODULES: &str = "package/verified_swap_";

pub fn run(
    workspace: &Workspace,
    base_url: &str,
    chains: &[u64],
    dry_run: bool,
    with_builds: bool,
) -> Result<(), Failure> {
    let mut gate = Gate { dry_run, open: Vec::new() };
    let manifest = std::fs::read_to_string(workspace.path("Cargo.toml"))?;
    let version = of_package(&manifest, "version").unwrap_or_default();
    gate.demand(of_package(&manifest, "repository").is_some(), || {
        "Cargo.toml does not say where the package comes from: set `repository = \"https://HOST/OWNER/NAME\"` below [package]."
            .into()
    })?;

    let promises = std::fs::read_to_string(workspace.path("docs/versioning.md"))?;
    gate.demand(!promises.contains("TO BE FILLED IN"), || {
        "docs/versioning.md names no security contact: fill it in, there and in SECURITY.md.".into()
    })?;

    title("What the live service answers");
    if dry_run {
        gate.demand(false, || "The live service was not probed: this is a dry run.".into())?;
    } else {
        if !base_url.starts_with("https://") {
            return Err(Failure::because(format!("{base_url} is no live service: it is not https.")));
        }
        let chains = chains.iter().flat_map(|chain| ["--chain".to_owned(), chain.to_string()]);
        let options = ["--release", "--base-url", base_url].map(str::to_owned).into_iter().chain(chains);
        script::probe(workspace, &options.collect::<Vec<_>>())?;
    }

    title("Work tree, version and changelog");
    let uncommitted = printed(workspace.command("git").args(["status", "--porcelain"])).unwrap_or_default();
    gate.demand(uncommitted.is_empty(), || format!("The work tree is not as committed:\n{uncommitted}"))?;
    let changelog = std::fs::read_to_string(workspace.path("CHANGELOG.md"))?;
    let complaint = complaint(&changelog, version);
    gate.demand(complaint.is_none(), || complaint.unwrap_or_default())?;

    title("Tarball");
    setup::require(workspace, &[Need::Tarball, Need::CargoDeny])?;
    let tarball = packed(workspace)?;
    for mut lint in lints(workspace, &tarball) {
        run_shown(&mut lint)?;
    }
    title("Size");
    script::size(workspace)?;
    script::package(workspace, false)?;

    title("Two builds from clean clones");
    let own = reproduce::digests(workspace, &tarball)?;
    if with_builds {
        let builds = reproduce::builds(workspace, run_shown)?;
        let differing = reproduce::differing(&builds[0], &builds[1]);
        if !differing.is_empty() {
            return Err(Failure::because(format!("The builds differ in {differing}.")));
        }
        let differing = reproduce::differing(&own, &builds[0]);
        gate.demand(differing.is_empty(), || {
            format!("What is packed is not what the last commit gives:\n{differing}")
        })?;
    } else {
        gate.demand(false, || "Nothing was built from clean clones.".into())?;
    }

    title("Licences, origins and known vulnerabilities");
    for mut check in deny::checks(workspace) {
        run_shown(&mut check)?;
    }
    if dry_run {
        gate.demand(false, || "Known vulnerabilities were not asked for: this is a dry run.".into())?;
    } else {
        deny::advisories(workspace)?;
    }

    title("Release notes, also in target/package/release-notes.md");
    let notes = notes(version, changes(&changelog, version).or(changes(&changelog, "Unreleased")), &own);
    fingerprint::write(&workspace.tarballs().join("release-notes.md"), &notes)?;
    say(&notes);

    title(&format!("Nothing was published. Next: git tag v{version}; in CI, which vouches for it:"));
    for file in packed_in(&workspace.sandbox_tarballs())?.iter().chain([&tarball]) {
        say(&publication(version, file.strip_prefix(workspace.root()).unwrap_or(file)));
    }
    gate.close()
}

/// The failures that stop a release. A dry run goes on, and prints all of them at the end.
struct Gate {
    dry_run: bool,
    open: Vec<String>,
}

impl Gate {
    fn demand(&mut self, holds: bool, sentence: impl FnOnce() -> String) -> Result<(), Failure> {
        match (holds, self.dry_run) {
            (true, _) => Ok(()),
            (false, true) => {
                self.open.push(sentence());
                Ok(())
            }
            (false, false) => Err(Failure::Because(sentence())),
        }
    }

    fn close(self) -> Result<(), Failure> {
        for sentence in self.open {
            say(&format!("A release stops here: {sentence}"));
        }
        Ok(())
    }
}

/// The command that publishes a tarball. A candidate is not what `npm install` takes by itself; npm refuses it without a tag.
fn publication(version: &str, file: &Path) -> String {
    let tag = if version.contains('-') { " --tag next" } else { "" };
    format!("npm publish{tag} {}", file.display())
}

fn title(text: &str) {
    say(&format!("\n== {text}\n"));
}

/// The checks of the tarball by publint and attw. They fail for anything that is not excluded here.
pub fn lints(workspace: &Workspace, tarball: &Path) -> [Command; 2] {
    let node = |script: &str| {
        let mut command = workspace.command("node");
        command.arg(script);
        command
    };
    let mut publint = node("node_modules/publint/src/cli.js");
    publint.arg("run").arg(tarball).arg("--strict");
    let mut attw = node("node_modules/@arethetypeswrong/cli/dist/index.js");
    attw.arg(tarball).args(["--no-definitely-typed", "--no-summary", "--no-emoji", "--format", "ascii"]);
    // The WebAssembly modules are neither of the two kinds of scripts, and bundlers decide what their import gives.
    attw.args(["--exclude-entrypoints", "./wasm", "./verified_swap_bg.wasm"]);
    attw.args(["./verify/wasm", "./verified_swap_verify.wasm"]);
    // TypeScript's oldest resolution reads no `exports`, and there is no such folder.
    attw.arg("./verify/inline");
    [publint, attw]
}

/// A member of a Cargo.toml's `[package]`.
fn of_package<'a>(manifest: &'a str, member: &str) -> Option<&'a str> {
    let (_, package) = manifest.split_once("[package]\n")?;
    let lines = package.lines().take_while(|line| !line.starts_with('['));
    lines
        .filter_map(|line| line.split_once(" = "))
        .find(|(name, _)| *name == member)
        .map(|(_, value)| value.trim_matches('"'))
}

/// The reason why a version cannot be released.
fn complaint(changelog: &str, version: &str) -> Option<String> {
    if changes(changelog, version).is_none() {
        return Some(format!("CHANGELOG.md has no section `## [{version}] - YYYY-MM-DD`, the version in Cargo.toml."));
    }
    let unreleased = changes(changelog, "Unreleased").unwrap_or_default();
    (!unreleased.is_empty()).then(|| format!("CHANGELOG.md has changes that are not in {version}, below [Unreleased]."))
}

/// The changes below a version's heading, which has a date: `## [0.1.0] - 2026-11-23`. `Unreleased` has none.
fn changes<'a>(changelog: &'a str, version: &str) -> Option<&'a str> {
    changelog.split("\n## [").skip(1).find_map(|section| {
        let (heading, changes) = section.split_once('\n')?;
        let (name, date) = heading.split_once(']')?;
        let date_fits = if version == "Unreleased" { date.is_empty() } else { is_date(date.strip_prefix(" - ")?) };
        (name == version && date_fits).then_some(changes.trim())
    })
}

fn is_date(text: &str) -> bool {
    let form: String = text.chars().map(|letter| if letter.is_ascii_digit() { '0' } else { letter }).collect();
    form == "0000-00-00"
}

/// `digests` has a line for each file of the tarball, and for the tarball.
fn notes(version: &str, changes: Option<&str>, digests: &str) -> String {
    let is_stated = |line: &&str| line.ends_with(".wasm") && line.contains(MODULES) || line.ends_with(".tgz");
    let stated: Vec<&str> = digests.lines().filter(is_stated).collect();
    format!(
        "# {version}\n\n{}\n\n## SHA-256\n\n```\n{}\n```\n\n`sha256sum node_modules/verified-swap/verified_swap_*.wasm` \
         tells those of what is installed (SECURITY.md).\n",
        changes.unwrap_or_default(),
        stated.join("\n").replace("package/", "")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str =
        "# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-11-23\n\n### Added\n\n- More.\n\n## [0.1.0]\n\n- First.\n";

    #[test]
    fn a_version_is_released_with_a_dated_section_and_nothing_left_over() {
        assert_eq!(complaint(LOG, "0.2.0"), None);
        assert_eq!(changes(LOG, "0.2.0"), Some("### Added\n\n- More."));
        for version in ["0.1.0", "0.3.0", "0.2"] {
            assert!(
                complaint(LOG, version).is_some_and(|said| said.contains(&format!("`## [{version}] - "))),
                "{version}"
            );
        }
        let left_over = LOG.replace("## [Unreleased]\n", "## [Unreleased]\n\n- Later.\n");
        assert!(complaint(&left_over, "0.2.0").is_some_and(|said| said.contains("[Unreleased]")));
    }

    #[test]
    fn a_candidate_is_released_like_any_version_and_published_beside_the_newest() {
        let log = LOG.replace("0.2.0", "0.2.0-rc.1");
        assert_eq!(complaint(&log, "0.2.0-rc.1"), None);
        assert!(complaint(&log, "0.2.0").is_some());
        let file = Path::new("target/package/verified-swap-0.2.0-rc.1.tgz");
        assert_eq!(publication("0.2.0-rc.1", file), format!("npm publish --tag next {}", file.display()));
        assert_eq!(publication("0.2.0", Path::new("a.tgz")), "npm publish a.tgz");
    }

    #[test]
    fn a_setting_is_the_packages_own() {
        let manifest = "[workspace.package]\nrepository = \"no\"\n\n[package]\nname = \"a\"\nversion = \"1.2.3\"\n\n[lints]\nlicense = \"no\"\n";
        assert_eq!(of_package(manifest, "version"), Some("1.2.3"));
        assert_eq!(of_package(manifest, "repository"), None);
        assert_eq!(of_package(manifest, "license"), None);
    }

    #[test]
    fn a_release_stops_at_the_first_open_demand_and_a_dry_run_at_none() {
        let mut gate = Gate { dry_run: false, open: Vec::new() };
        assert_eq!(gate.demand(true, || unreachable!()), Ok(()));
        assert_eq!(gate.demand(false, || "no".into()), Err(Failure::because("no")));
        let mut gate = Gate { dry_run: true, open: Vec::new() };
        assert_eq!(gate.demand(false, || "no".into()), Ok(()));
        assert_eq!(gate.open, ["no"]);
    }

    #[test]
    fn the_notes_state_module_and_tarball() {
        let digests = "aa  package/README.md\nbb  package/verified_swap_bg.wasm\ndd  package/verified_swap_rest.wasm\ncc  verified-swap-0.2.0.tgz";
        let notes = notes("0.2.0", changes(LOG, "0.2.0"), digests);
        assert!(notes.starts_with("# 0.2.0\n\n### Added\n\n- More.\n\n## SHA-256"), "{notes}");
        assert!(
            notes.contains("\nbb  verified_swap_bg.wasm\ndd  verified_swap_rest.wasm\ncc  verified-swap-0.2.0.tgz\n")
                && !notes.contains("README")
        );
    }
}
