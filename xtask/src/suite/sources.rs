//! Files a suite reads, as git's pathspecs with glob magic: what is ignored is not in it, and what is not committed is.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::{Part, Suite};
use crate::fingerprint;
use crate::process::printed;
use crate::setup::Need;
use crate::workspace::Workspace;

/// Files by which every suite is built and run.
pub const EVERY: [&str; 9] = [
    ".cargo",
    "rust-toolchain.toml",
    "Cargo.lock",
    "**/Cargo.toml",
    ".npmrc",
    "package.json",
    "package-lock.json",
    "xtask",
    // A doctest of `crates/verify`.
    "docs/guides/verify-rust.md",
];

/// The sources of what is made before a suite runs, with how Node's tests start it. The texts in the package
/// are for those that look at them.
fn made_from(need: Need) -> &'static [&'static str] {
    match need {
        Need::Package => &["build.rs", "src", "crates/*/src/**", "pkg-template", "LICENSE-*"],
        Need::Page | Need::DemoPage => {
            &["build.rs", "src", "crates/*/src/**", "pkg-template", "LICENSE-*", "www-example"]
        }
        Need::Site => {
            &["build.rs", "src", "crates/*/src/**", "pkg-template", "LICENSE-*", "www-site", "docs", "examples", "*.md"]
        }
        Need::Tarball => &["build.rs", "src", "crates/*/src/**", "pkg-template", "LICENSE-*", "docs", "*.md"],
        Need::Contracts => &["tests/sandbox/contracts"],
        Need::Sandbox => &[
            "tests/sandbox",
            "tests/shared/*.rs",
            "tests/package/locations.mjs",
            "tests/package/sandbox.mjs",
            "pkg-template",
        ],
        Need::SandboxTarballs => &["tests/sandbox", "docs", "LICENSE-*"],
        Need::Browser => &["tests/package/page.mjs", "tests/package/locations.mjs"],
        Need::WasmTarget
        | Need::Lints
        | Need::NpmPackages
        | Need::DocsPackages
        | Need::WasmPack
        | Need::WasmBindgen
        | Need::Binder
        | Need::CargoDeny
        | Need::CargoMutants => &[],
    }
}

/// All that this part of a suite can read.
pub fn of(suite: &Suite, part: Part) -> Vec<String> {
    let made = suite.needs(part).iter().flat_map(|&need| made_from(need));
    let mut all: Vec<String> = EVERY.iter().chain(made).chain(suite.reads).map(|&spec| spec.into()).collect();
    all.push(format!("tests/{}", suite.name));
    all
}

/// The files that these pathspecs name, from the top of the checkout.
fn files(workspace: &Workspace, specs: &[String]) -> BTreeSet<PathBuf> {
    let mut git = workspace.command("git");
    git.args(["--glob-pathspecs", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"]);
    let listed = printed(git.args(specs)).unwrap_or_default();
    listed.split('\0').map(PathBuf::from).filter(|file| workspace.root().join(file).is_file()).collect()
}

/// The hash of these files. None outside a checkout of git.
pub fn fingerprint(workspace: &Workspace, specs: &[String]) -> Option<String> {
    let files = files(workspace, specs);
    (!files.is_empty()).then(|| fingerprint::of_files(workspace.root(), &files).ok())?
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Component, Path};

    use super::super::SUITES;
    use super::*;

    fn found(specs: &[String]) -> BTreeSet<PathBuf> {
        files(&Workspace::locate(), specs)
    }

    #[test]
    fn everything_that_a_suite_reads_is_there() {
        let needed = SUITES.iter().flat_map(|suite| suite.needs).flat_map(|&need| made_from(need));
        let read = SUITES.iter().flat_map(|suite| suite.reads);
        for &spec in EVERY.iter().chain(needed).chain(read) {
            assert!(!found(&[spec.to_owned()]).is_empty(), "{spec} is not there");
        }
        let e2e =
            SUITES.iter().find(|suite| suite.name == "e2e").map(|suite| of(suite, Part::First)).expect("the suite");
        let files = found(&e2e);
        let has = |file: &str| files.contains(Path::new(file));
        assert!(has("tests/e2e/rig.mjs") && has("src/lib.rs") && has("www-example/index.html") && has("Cargo.lock"));
        assert!(has("pkg-template/element/review/review.tsx"));
        assert!(!has("docs/errors.md") && !has("tests/bench/run.mjs"));
    }

    /// Each file that a source names between quotes, from where it is itself or from the top of the checkout; and those of
    /// a folder within a folder that it names.
    fn named<'a>(file: &Path, text: &str, all: &'a BTreeSet<PathBuf>) -> Vec<&'a PathBuf> {
        let code =
            text.lines().filter(|line| !["//", "/*", "*"].iter().any(|mark| line.trim_start().starts_with(mark)));
        let quoted = code.flat_map(|line| line.split(['"', '\'', '`'])).filter(|text| text.contains('/'));
        let beside = |text: &str| resolved(&file.parent()?.join(text));
        let paths = quoted.flat_map(|text| [beside(text), resolved(Path::new(text))]).flatten();
        let is_there = |path: &PathBuf| all.contains(path) || path.components().count() > 1;
        paths.filter(is_there).flat_map(|path| within(all, path)).collect()
    }

    fn within(all: &BTreeSet<PathBuf>, path: PathBuf) -> impl Iterator<Item = &PathBuf> {
        all.range(path.clone()..).take_while(move |file| file.starts_with(&path))
    }

    fn resolved(path: &Path) -> Option<PathBuf> {
        let mut place = PathBuf::new();
        for part in path.components() {
            match part {
                Component::CurDir => {}
                Component::ParentDir => drop(place.pop().then_some(())?),
                Component::Normal(name) => place.push(name),
                _ => return None,
            }
        }
        Some(place)
    }

    #[test]
    fn what_a_suite_reads_is_closed_under_imports() {
        let workspace = Workspace::locate();
        let all = found(&[".".into()]);
        let is_code = |file: &Path| {
            let extension = file.extension().and_then(|extension| extension.to_str());
            extension.is_some_and(|extension| ["mjs", "js", "ts", "tsx", "rs"].contains(&extension))
        };
        let code = all.iter().filter(|file| is_code(file) && !file.starts_with("xtask"));
        let names: Vec<(&PathBuf, Vec<&PathBuf>)> = code
            .map(|file| {
                let text = fs::read_to_string(workspace.root().join(file)).expect("text");
                (file, named(file, &text, &all))
            })
            .collect();
        assert!(names.iter().map(|(_, others)| others.len()).sum::<usize>() > 500, "the imports were not read");
        let mut open = Vec::new();
        // To compile, or to look at the form, is to read no file that a source names.
        for suite in SUITES.iter().filter(|suite| !["fmt", "clippy", "clippy-wasm"].contains(&suite.name)) {
            let read = found(&of(suite, Part::All));
            let own = Path::new("tests").join(suite.name);
            let is_run = |file: &Path| file.starts_with(&own) || !file.to_string_lossy().ends_with(".test.mjs");
            for (file, others) in names.iter().filter(|(file, _)| read.contains(*file) && is_run(file)) {
                // The tests of the boundary are compiled into the module's crate, but not into what ships.
                let ships = |other: &Path| !other.starts_with("tests/boundary") || suite.name == "browser";
                for other in others.iter().filter(|other| !read.contains(**other) && ships(other)) {
                    open.push(format!("{}: {} names {}", suite.name, file.display(), other.display()));
                }
            }
        }
        assert!(open.is_empty(), "{}", open.join("\n"));
    }
}
