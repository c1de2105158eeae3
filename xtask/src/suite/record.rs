//! Each suite's last result: `cargo xtask test --all` goes on from it, and publishes it.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use super::count::Count;
use crate::failure::Failure;
use crate::fingerprint;
use crate::process::printed;
use crate::workspace::Workspace;

/// The published table: docs/full-test.md, which is committed by hand.
const TABLE: &str = "full-test.md";
const TITLE: &str = "# The last full test\n\n";
const HEAD: &str = "

`cargo xtask test --all` writes this page. A suite that has passed is not run again while the sources are the same.

| suite | passed | failed | seconds | date | commit |
|---|---:|---:|---:|---|---|
";

/// The results for one state of the sources. Each suite's last result is a file in target/test-all: the fingerprint of
/// the sources, and the row of the table.
pub struct Records<'a> {
    workspace: &'a Workspace,
    fingerprint: String,
    date: String,
    /// The commit's id; ends in `+` if the sources differ from it.
    commit: String,
}

impl<'a> Records<'a> {
    /// The results for the current sources.
    pub fn open(workspace: &'a Workspace) -> Result<Self, Failure> {
        let said = |command: &mut Command| printed(command).unwrap_or_default();
        let git = |arguments: &[&str]| said(workspace.command("git").args(arguments));
        let changes = git(&["status", "--porcelain", "--", ".", &format!(":!docs/{TABLE}")]);
        let commit = git(&["rev-parse", "--short", "HEAD"]) + if changes.is_empty() { "" } else { "+" };
        let date = said(workspace.command("date").args(["-u", "+%Y-%m-%d"]));
        Ok(Records { workspace, fingerprint: fingerprint::of(&sources(workspace)?)?, date, commit })
    }

    /// The count of a suite that has passed on these sources.
    pub fn passed(&self, suite: &str) -> Option<Count> {
        self.passed_by(&fs::read_to_string(self.file(suite)).ok()?)
    }

    fn passed_by(&self, record: &str) -> Option<Count> {
        let row = record.strip_prefix(&self.fingerprint)?;
        let mut figures = row.split('|').skip(2).map(|figure| figure.trim().parse().ok());
        let count = Count { passed: figures.next()??, failed: figures.next()?? };
        (count.failed == 0).then_some(count)
    }

    /// Keeps the result of a suite.
    pub fn keep(&self, suite: &str, count: Count, time: Duration) -> Result<(), Failure> {
        fingerprint::write(&self.file(suite), &self.record(suite, count, time))
    }

    fn record(&self, suite: &str, Count { passed, failed }: Count, time: Duration) -> String {
        let Records { fingerprint, date, commit, .. } = self;
        let seconds = time.as_secs();
        format!("{fingerprint}\n| {suite} | {passed} | {failed} | {seconds} | {date} | {commit} |\n")
    }

    /// Writes the table of all suites that have a result, in this order, below the commits of the results.
    pub fn write_table(&self, suites: impl Iterator<Item = &'static str>) -> Result<(), Failure> {
        let row = |suite| Some(fs::read_to_string(self.file(suite)).ok()?.split_once('\n')?.1.to_owned());
        let rows: Vec<(&str, Option<String>)> = suites.map(|suite| (suite, row(suite))).collect();
        let table: String = rows.iter().filter_map(|(_, row)| row.as_deref()).collect();
        fingerprint::write(&self.workspace.path("docs").join(TABLE), &format!("{TITLE}{}{HEAD}{table}", verdict(&rows)))
    }

    fn file(&self, suite: &str) -> PathBuf {
        self.workspace.path("target/test-all").join(suite)
    }
}

/// A sentence: whether these are the results of one commit, and of all suites; and which of them failed.
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

/// Every source file in the checkout, except the table itself.
fn sources(workspace: &Workspace) -> Result<Vec<PathBuf>, Failure> {
    let within = |folder: &str| -> Result<Vec<PathBuf>, Failure> {
        let entries = fs::read_dir(workspace.path(folder))?.collect::<Result<Vec<_>, _>>()?;
        Ok(entries.iter().map(|entry| entry.path()).collect())
    };
    let mut sources = within("docs")?;
    sources.extend(within("")?);
    let made = ["docs", "target", "node_modules", ".git", TABLE];
    sources.retain(|path| path.file_name().is_some_and(|name| made.iter().all(|made| name != *made)));
    sources.sort();
    Ok(sources)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_passed_on_the_same_sources_has_passed() {
        let workspace = Workspace::locate();
        let records = |fingerprint: &str| Records {
            workspace: &workspace,
            fingerprint: fingerprint.into(),
            date: "2026-11-22".into(),
            commit: "750fba8+".into(),
        };
        let [passed, failed] = [0, 1].map(|failed| Count { passed: 3, failed });
        let record = records("00ff").record("e2e", passed, Duration::from_secs(61));
        assert_eq!(record, "00ff\n| e2e | 3 | 0 | 61 | 2026-11-22 | 750fba8+ |\n");
        assert_eq!(records("00ff").passed_by(&record), Some(passed));
        assert_eq!(records("0fff").passed_by(&record), None);
        let record = records("00ff").record("e2e", failed, Duration::ZERO);
        assert_eq!(records("00ff").passed_by(&record), None);
        assert_eq!(records("00ff").passed_by("00ff"), None);
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

    #[test]
    fn the_sources_have_no_place_for_what_a_run_writes() {
        let sources = sources(&Workspace::locate()).expect("a checkout");
        let has = |end: &str| sources.iter().any(|path| path.ends_with(end));
        assert!(has("src") && has("tests") && has("docs/errors.md") && has("Cargo.lock"));
        assert!(!has("docs/full-test.md") && !has("target") && !has("docs"));
    }
}
