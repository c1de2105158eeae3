//! What `cargo xtask test --all` goes on with, and what it publishes: each suite's last result.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use super::count::Count;
use crate::failure::Failure;
use crate::fingerprint;
use crate::process::printed;
use crate::workspace::Workspace;

/// What is published: docs/full-test.md, which is committed by hand.
const TABLE: &str = "full-test.md";
const TITLE: &str = "# The last full test

`cargo xtask test --all` writes this page. A suite that has passed is not run again while the sources are the same.

| suite | passed | failed | seconds | date | commit |
|---|---:|---:|---:|---|---|
";

/// The results of one state of the sources.
pub struct Records<'a> {
    workspace: &'a Workspace,
    fingerprint: String,
    date: String,
    commit: String,
}

/// One suite's result: a line of a file in target/test-all.
#[derive(Debug, PartialEq)]
pub struct Record {
    fingerprint: String,
    count: Count,
    seconds: u64,
    date: String,
    /// Ends in `+` where the sources were not as committed.
    commit: String,
}

impl<'a> Records<'a> {
    /// Of the sources as they are now.
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
        let record = Record::read(self.workspace, suite)?;
        (record.fingerprint == self.fingerprint && record.count.failed == 0).then_some(record.count)
    }

    pub fn keep(&self, suite: &str, count: Count, time: Duration) -> Result<(), Failure> {
        let record = Record {
            fingerprint: self.fingerprint.clone(),
            count,
            seconds: time.as_secs(),
            date: self.date.clone(),
            commit: self.commit.clone(),
        };
        fingerprint::write(&file(self.workspace, suite), &record.line())
    }
}

impl Record {
    /// Writes the table of all suites that have a result, in this order.
    pub fn write_table(workspace: &Workspace, suites: impl Iterator<Item = &'static str>) -> Result<(), Failure> {
        let rows = suites.filter_map(|suite| Some(Record::read(workspace, suite)?.row(suite)));
        fingerprint::write(&workspace.path("docs").join(TABLE), &format!("{TITLE}{}", rows.collect::<String>()))
    }

    fn read(workspace: &Workspace, suite: &str) -> Option<Self> {
        Self::parse(&fs::read_to_string(file(workspace, suite)).ok()?)
    }

    fn line(&self) -> String {
        let Record { fingerprint, count: Count { passed, failed }, seconds, date, commit } = self;
        format!("{fingerprint} {passed} {failed} {seconds} {date} {commit}")
    }

    fn parse(line: &str) -> Option<Self> {
        let [fingerprint, passed, failed, seconds, date, commit] =
            line.split(' ').collect::<Vec<_>>().try_into().ok()?;
        Some(Record {
            fingerprint: fingerprint.into(),
            count: Count { passed: passed.parse().ok()?, failed: failed.parse().ok()? },
            seconds: seconds.parse().ok()?,
            date: date.into(),
            commit: commit.into(),
        })
    }

    fn row(&self, suite: &str) -> String {
        let Record { count: Count { passed, failed }, seconds, date, commit, .. } = self;
        format!("| {suite} | {passed} | {failed} | {seconds} | {date} | {commit} |\n")
    }
}

fn file(workspace: &Workspace, suite: &str) -> PathBuf {
    workspace.path("target/test-all").join(suite)
}

/// Everything in the checkout that is not made, but for the table itself.
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
    fn a_record_reads_as_it_was_written_and_anything_else_is_none() {
        let record = Record {
            fingerprint: "00ff".into(),
            count: Count { passed: 3, failed: 0 },
            seconds: 61,
            date: "2026-11-22".into(),
            commit: "750fba8+".into(),
        };
        assert_eq!(record.row("e2e"), "| e2e | 3 | 0 | 61 | 2026-11-22 | 750fba8+ |\n");
        assert_eq!(Record::parse(&record.line()).as_ref(), Some(&record));
        assert_eq!(Record::parse("00ff 3 0"), None);
    }

    #[test]
    fn the_sources_have_no_place_for_what_a_run_writes() {
        let sources = sources(&Workspace::locate()).expect("a checkout");
        let has = |end: &str| sources.iter().any(|path| path.ends_with(end));
        assert!(has("src") && has("tests") && has("docs/errors.md") && has("Cargo.lock"));
        assert!(!has("docs/full-test.md") && !has("target") && !has("docs"));
    }
}
