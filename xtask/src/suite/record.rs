//! What need not run again: each suite's last pass. And what `--all` publishes: each suite's last result.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use super::Suite;
use super::count::Count;
use super::sources::{self, TABLE};
use crate::failure::Failure;
use crate::fingerprint;
use crate::process::printed;
use crate::workspace::Workspace;

const TITLE: &str = "# The last full test\n\n";
const HEAD: &str = "

`cargo xtask test --all` writes this page. A suite that has passed is not run again while all sources are the same.

| suite | passed | failed | seconds | date | commit |
|---|---:|---:|---:|---|---|
";

/// The results of the sources as a run found them. A record is a file: the fingerprint of sources, and the row of the table.
///
/// In target/test-passed is each suite's last pass, with the fingerprint of what it reads. In target/test-all is each
/// suite's last result with `--all`, with that of the whole checkout: those published are of one commit.
pub struct Records<'a> {
    workspace: &'a Workspace,
    all: bool,
    whole: Option<String>,
    /// By suite.
    own: BTreeMap<&'static str, Option<String>>,
    date: String,
    /// The commit's id; ends in `+` if the sources differ from it.
    commit: String,
}

impl<'a> Records<'a> {
    /// Of the sources as they are now.
    pub fn open(workspace: &'a Workspace, all: bool, suites: &[&'static Suite]) -> Self {
        let said = |command: &mut Command| printed(command).unwrap_or_default();
        let git = |arguments: &[&str]| said(workspace.command("git").args(arguments));
        let changes = git(&["status", "--porcelain", "--", ".", &format!(":!{TABLE}")]);
        let commit = git(&["rev-parse", "--short", "HEAD"]) + if changes.is_empty() { "" } else { "+" };
        let date = said(workspace.command("date").args(["-u", "+%Y-%m-%d"]));
        let own = suites.iter().map(|suite| (suite.name, sources::fingerprint(workspace, &sources::of(suite))));
        let whole = sources::fingerprint(workspace, &[".".into()]);
        Records { workspace, all, whole, own: own.collect(), date, commit }
    }

    /// The count of a suite that has passed on these sources.
    pub fn passed(&self, suite: &Suite) -> Option<Count> {
        let (file, sources) = match self.all {
            true => (self.result(suite.name), &self.whole),
            false => (self.pass(suite.name), self.own.get(suite.name)?),
        };
        passed_on(sources.as_ref()?, &fs::read_to_string(file).ok()?)
    }

    /// Keeps the result of a suite. Where they were changed meanwhile, nobody knows of which sources it is.
    pub fn keep(&self, suite: &Suite, count: Count, time: Duration) -> Result<(), Failure> {
        let now = sources::fingerprint(self.workspace, &sources::of(suite));
        let same = now.filter(|now| self.own.get(suite.name).is_some_and(|before| before.as_ref() == Some(now)));
        let row = self.row(suite.name, count, time);
        let pass = self.pass(suite.name);
        match &same {
            Some(sources) if count.failed == 0 => fingerprint::write(&pass, &format!("{sources}\n{row}"))?,
            _ if pass.exists() => fs::remove_file(pass)?,
            _ => {}
        }
        if self.all {
            let whole = same.and(self.whole.as_deref()).unwrap_or("unknown");
            fingerprint::write(&self.result(suite.name), &format!("{whole}\n{row}"))?;
        }
        Ok(())
    }

    fn row(&self, suite: &str, Count { passed, failed }: Count, time: Duration) -> String {
        let Records { date, commit, .. } = self;
        let seconds = time.as_secs();
        format!("| {suite} | {passed} | {failed} | {seconds} | {date} | {commit} |\n")
    }

    /// Writes the table of all suites that have a result, in this order, below the commits of the results.
    pub fn write_table(&self, suites: impl Iterator<Item = &'static str>) -> Result<(), Failure> {
        let row = |suite| Some(fs::read_to_string(self.result(suite)).ok()?.split_once('\n')?.1.to_owned());
        let rows: Vec<(&str, Option<String>)> = suites.map(|suite| (suite, row(suite))).collect();
        let table: String = rows.iter().filter_map(|(_, row)| row.as_deref()).collect();
        fingerprint::write(&self.workspace.path(TABLE), &format!("{TITLE}{}{HEAD}{table}", verdict(&rows)))
    }

    fn pass(&self, suite: &str) -> PathBuf {
        self.workspace.path("target/test-passed").join(suite)
    }

    fn result(&self, suite: &str) -> PathBuf {
        self.workspace.path("target/test-all").join(suite)
    }
}

/// The count of a record that is of these sources and has no failure.
fn passed_on(sources: &str, record: &str) -> Option<Count> {
    let row = record.strip_prefix(sources)?.strip_prefix('\n')?;
    let mut figures = row.split('|').skip(2).map(|figure| figure.trim().parse().ok());
    let count = Count { passed: figures.next()??, failed: figures.next()?? };
    (count.failed == 0).then_some(count)
}

/// Whether these are the results of one commit, and of all suites; and which of them failed.
fn verdict(rows: &[(&str, Option<String>)]) -> String {
    let has_failed = |row: &String| row.split('|').nth(3).is_none_or(|failed| failed.trim() != "0");
    let failed: Vec<&str> =
        rows.iter().filter(|(_, row)| row.as_ref().is_some_and(has_failed)).map(|(suite, _)| *suite).collect();
    let failed = if failed.is_empty() { String::new() } else { format!(" **Failed: {}.**", failed.join(", ")) };
    let commit =
        |row: &String| row.trim_end().trim_end_matches('|').rsplit('|').next().map(|commit| commit.trim().to_owned());
    let commits: BTreeSet<String> = rows.iter().filter_map(|(_, row)| commit(row.as_ref()?)).collect();
    let missing: Vec<&str> = rows.iter().filter(|(_, row)| row.is_none()).map(|(suite, _)| *suite).collect();
    let commits = commits.into_iter().collect::<Vec<_>>().join(", ");
    if missing.is_empty() && !commits.contains([',', '+']) {
        return format!("All suites on commit {commits}.{failed}");
    }
    let missing = if missing.is_empty() { "none".into() } else { missing.join(", ") };
    format!(
        "**Not all suites on one commit.** Commits: {commits} (`+`: with changes that are not in it). Suites without a \
         result: {missing}.{failed}"
    )
}

#[cfg(test)]
mod tests {
    use super::super::suite;
    use super::*;

    #[test]
    fn only_what_passed_on_the_same_sources_has_passed() {
        let record = |failed| format!("00ff\n| e2e | 3 | {failed} | 61 | 2026-11-22 | 750fba8+ |\n");
        assert_eq!(passed_on("00ff", &record(0)), Some(Count { passed: 3, failed: 0 }));
        for (sources, record) in [("0fff", &*record(0)), ("00ff", &record(1)), ("00ff", "00ff"), ("", &record(0))] {
            assert_eq!(passed_on(sources, record), None, "{sources} {record}");
        }
    }

    /// The checkout of a suite that reads a folder, and the runs in it.
    #[test]
    fn a_pass_is_of_what_the_suite_reads_and_with_all_of_everything() {
        static ONE: Suite = suite("one", "", &[], &["read"], |_| unreachable!());
        let folder = std::env::temp_dir().join(format!("xtask-record-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder in the temporary one");
        let workspace = Workspace::locate().at(folder.to_str().expect("its name is text"));
        let write = |file: &str, text: &str| fingerprint::write(&workspace.path(file), text).expect("writable");
        for file in ["read/a", "read/b", "other"] {
            write(file, "");
        }
        write(".gitignore", "target\n*.log\n");
        let open = |all| Records::open(&workspace, all, &[&ONE]);
        let keep = |records: &Records<'_>, failed| {
            records.keep(&ONE, Count { passed: 3, failed }, Duration::ZERO).expect("kept")
        };
        let passed = || [false, true].map(|all| open(all).passed(&ONE).is_some());

        keep(&open(true), 0);
        assert_eq!(passed(), [false, false], "without git");
        assert!(printed(workspace.command("git").args(["init", "--quiet"])).is_some());
        keep(&open(false), 0);
        assert_eq!(passed(), [true, false], "a short pass is none with --all");
        keep(&open(true), 0);
        assert_eq!(passed(), [true, true], "one with --all is a short one, too");
        write("read/a.log", "ignored");
        write("docs/full-test.md", "written by a run");
        assert_eq!(passed(), [true, true]);
        write("other", "changed");
        assert_eq!(passed(), [true, false]);
        write("read/new", "");
        assert_eq!(passed(), [false, false], "not committed");
        keep(&open(true), 0);
        fs::rename(workspace.path("read/b"), workspace.path("read/c")).expect("renamed");
        assert_eq!(passed(), [false, false], "its name");
        let records = open(true);
        write("read/c", "changed meanwhile");
        keep(&records, 0);
        assert_eq!(passed(), [false, false]);
        keep(&open(true), 0);
        assert_eq!(passed(), [true, true]);
        keep(&open(true), 1);
        assert_eq!(passed(), [false, false], "it has failed since");
        fs::remove_dir_all(folder).expect("the folder made above");
    }

    #[test]
    fn the_page_says_whether_all_suites_ran_on_one_commit() {
        let row = |commit: &str| Some(format!("| x | 3 | 0 | 61 | 2026-11-22 | {commit} |\n"));
        let said = |commits: [Option<String>; 2]| verdict(&["fmt", "e2e"].into_iter().zip(commits).collect::<Vec<_>>());
        assert_eq!(said([row("750fba8"), row("750fba8")]), "All suites on commit 750fba8.");
        let failed = Some("| x | 3 | 1 | 61 | 2026-11-22 | 750fba8 |\n".into());
        assert_eq!(said([row("750fba8"), failed]), "All suites on commit 750fba8. **Failed: e2e.**");
        for (commits, end) in [
            (
                [row("750fba8"), row("1234567")],
                "Commits: 1234567, 750fba8 (`+`: with changes that are not in it). Suites without a result: none.",
            ),
            (
                [row("750fba8+"), row("750fba8+")],
                "Commits: 750fba8+ (`+`: with changes that are not in it). Suites without a result: none.",
            ),
            (
                [row("750fba8"), None],
                "Commits: 750fba8 (`+`: with changes that are not in it). Suites without a result: e2e.",
            ),
        ] {
            assert_eq!(said(commits), format!("**Not all suites on one commit.** {end}"));
        }
    }
}
