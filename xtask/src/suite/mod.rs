//! `cargo xtask test`: the suites of one part in order, each with its count, and at the end `N passed, N failed`.
//!
//! The first part has each claim of docs/properties.md once, in minutes; the second has the rest of what CI runs; with
//! `--all` what takes hours runs, too. A test that seldom runs rots, so what is long has something short in a part before it.
//!
//! A suite that has passed is not run again while what it reads is the same, unless it is named.

mod cargo;
mod check;
mod count;
mod node;
mod record;
mod sources;
mod table;

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::failure::Failure;
use crate::process::{self, interrupted};
use crate::setup::{self, Need, Prepared, prerequisites};
use crate::terminal::{duration, say};
use crate::workspace::Workspace;
use clap::builder::PossibleValue;
use count::Count;
use record::Records;
use table::SUITES;

/// The parts in which tests run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    First,
    More,
    /// Both, and what takes long beside them.
    All,
}

/// A suite: one line of the run.
struct Suite {
    name: &'static str,
    about: &'static str,
    /// The first part that it is in.
    part: Part,
    /// Whether it measures, waits for something by the clock, or writes what others read: then nothing runs beside it
    /// in the second part.
    alone: bool,
    needs: &'static [Need],
    /// The needs of what it has in the second part, if it begins in the first and has something there.
    more: Option<&'static [Need]>,
    /// Paths read beside the sources of its needs, its own folder and [`sources::EVERY`], as git's glob pathspecs.
    reads: &'static [&'static str],
    run: fn(&Trial<'_>) -> Result<Count, Failure>,
}

impl Suite {
    /// The part of this suite that runs in a part of the whole, or by its name: a suite of the second part has none in
    /// the first.
    fn part(&self, part: Part) -> Part {
        if part == Part::First { self.part } else { part }
    }

    fn needs(&self, part: Part) -> &'static [Need] {
        self.more.filter(|_| part != Part::First).unwrap_or(self.needs)
    }
}

/// The names of the suites, for the command line.
pub fn names() -> impl Iterator<Item = PossibleValue> {
    SUITES.iter().map(|suite| PossibleValue::new(suite.name).help(suite.about))
}

/// A running suite.
struct Trial<'a> {
    workspace: &'a Workspace,
    /// The file that gets the suite's output.
    log: PathBuf,
    part: Part,
}

impl Trial<'_> {
    /// Runs a command with its output in the suite's log, and returns whether it succeeded.
    fn passes(&self, command: &mut Command) -> Result<bool, Failure> {
        // A command that still runs after this time hangs.
        let limit = Duration::from_secs(if self.part == Part::All { 6 * 60 * 60 } else { 30 * 60 });
        if self.part == Part::All {
            command.env("VERIFIED_SWAP_TEST_ALL", "1");
        }
        Ok(process::run_logged(command, &self.log, limit, |_| Ok(()))?.success())
    }

    /// This program, with the arguments of another of its commands.
    fn itself(&self, words: &[&str]) -> Result<Command, Failure> {
        let mut command = self.workspace.command(std::env::current_exe()?);
        command.args(words);
        Ok(command)
    }

    fn output(&self) -> String {
        fs::read(&self.log).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
    }
}

/// `cargo xtask test [--more | --all] [--again] [SUITE...]`
pub fn run(workspace: &Workspace, part: Part, again: bool, names: &[String]) -> Result<(), Failure> {
    let start = Instant::now();
    let mut total = Count::default();
    let mut chosen = choose(part, names);
    let records = Records::open(workspace, part);
    let runs_again = again || !names.is_empty() || std::env::var_os("CI").is_some();
    chosen.retain(|suite| match records.passed(suite) {
        Some(count) if !runs_again => {
            say(&format!("ok     {:<12} {count}, on the same sources, before", suite.name));
            total += count;
            false
        }
        _ => true,
    });
    let needs: Vec<Need> = chosen.iter().flat_map(|suite| suite.needs(part).iter().copied()).collect();
    let number = chosen.len();
    let walks = chosen.iter().any(|suite| suite.name == node::PAGE);
    match prerequisites::check(workspace).and_then(|()| run_all(workspace, chosen, part, &needs, &records)) {
        Ok(count) => total += count,
        Err(Failure::Because(sentence)) => {
            say(&format!("{sentence}\n\n0 passed, {number} failed"));
            return Err(Failure::Reported);
        }
        Err(failure) => return Err(failure),
    }
    if walks {
        let build = if part == Part::First { "the demo's" } else { "the release" };
        say(&format!("\nThe page's walks ran on {build} build of the package."));
    }
    if part == Part::First && names.is_empty() {
        say(&left_out(workspace)?);
    }
    say(&format!("\nAll of it took {}.\n{total}", duration(start.elapsed())));
    if total.failed == 0 { Ok(()) } else { Err(Failure::Reported) }
}

/// The number of suites that run at once: a suite that waits for a chain leaves half of two cores idle.
const AT_ONCE: usize = 2;

/// The suites that wait, and what they wait for.
struct Queue {
    waiting: Vec<&'static Suite>,
    /// The number of suites that run.
    running: usize,
    /// Whether one of them runs alone.
    is_taken: bool,
    prepared: Prepared,
    total: Count,
}

/// Runs suites in their order, each as soon as what it needs is there: what needs nothing runs while the rest is built.
fn run_all(
    workspace: &Workspace,
    waiting: Vec<&'static Suite>,
    part: Part,
    needs: &[Need],
    records: &Records<'_>,
) -> Result<Count, Failure> {
    let queue = Mutex::new(Queue {
        waiting,
        running: 0,
        is_taken: false,
        prepared: Prepared::default(),
        total: Count::default(),
    });
    let changed = Condvar::new();
    let lock = || queue.lock().unwrap_or_else(PoisonError::into_inner);
    let next = || {
        let mut queue = lock();
        loop {
            if interrupted() {
                return Err(Failure::Interrupted);
            }
            let is_free = |suite: &&Suite| match part {
                Part::First => true,
                _ if suite.alone => queue.running == 0,
                _ => !queue.is_taken,
            };
            let at = queue.waiting.iter().position(|suite| queue.prepared.has(suite.needs(part)) && is_free(suite));
            if let Some(at) = at {
                let suite = queue.waiting.remove(at);
                (queue.running, queue.is_taken) = (queue.running + 1, suite.alone);
                return Ok(Some((suite, queue.prepared.clone())));
            }
            if queue.waiting.is_empty() {
                return Ok(None);
            }
            queue = changed.wait_timeout(queue, Duration::from_secs(1)).unwrap_or_else(PoisonError::into_inner).0;
        }
    };
    let work = || {
        while let Some((suite, prepared)) = next()? {
            let before = records.sources(suite);
            let count = attempt(workspace, suite, part, &prepared);
            let mut queue = lock();
            (queue.running, queue.is_taken) = (queue.running - 1, false);
            changed.notify_all();
            let count = count?;
            queue.total += count;
            drop(queue);
            records.keep(suite, count, before)?;
        }
        Ok(())
    };
    thread::scope(|scope| {
        let lanes: Vec<_> = (0..AT_ONCE).map(|_| scope.spawn(work)).collect();
        let made = setup::attempt(workspace, needs, |need, outcome| {
            lock().prepared.add(need, outcome);
            changed.notify_all();
        });
        if made.is_err() {
            // Their needs will never be met.
            lock().waiting.clear();
        }
        lanes.into_iter().try_for_each(|lane| lane.join().unwrap_or(Err(Failure::Reported)))?;
        made
    })?;
    Ok(lock().total)
}

/// The suites of this part, or those that are named.
fn choose(part: Part, names: &[String]) -> Vec<&'static Suite> {
    let is_chosen = |suite: &&Suite| match part {
        _ if !names.is_empty() => names.iter().any(|name| name == suite.name),
        Part::First => suite.part == Part::First,
        Part::More => suite.part == Part::More || suite.more.is_some(),
        Part::All => true,
    };
    SUITES.iter().filter(is_chosen).collect()
}

/// One sentence about the tests that the first part does not run.
fn left_out(workspace: &Workspace) -> Result<String, Failure> {
    let longer = choose(Part::More, &[]);
    let mut files = 0;
    for suite in &longer {
        files += node::files(workspace, suite.name, Part::More)?.len();
    }
    let names: Vec<&str> = longer.iter().map(|suite| suite.name).collect();
    Ok(format!(
        "Left out: {files} files of tests, and more of cargo's, in {} suites ({}). `cargo xtask test --more` runs them.",
        names.len(),
        names.join(", ")
    ))
}

/// Runs one suite and prints its line. Only an interruption is a failure of the whole run.
fn attempt(workspace: &Workspace, suite: &Suite, part: Part, prepared: &Prepared) -> Result<Count, Failure> {
    if interrupted() {
        return Err(Failure::Interrupted);
    }
    let start = Instant::now();
    let log = workspace.path("target/test-logs").join(format!("{}.log", suite.name));
    if log.exists() {
        fs::remove_file(&log)?;
    }
    let trial = Trial { workspace, log, part: suite.part(part) };
    let outcome = prepared.all_of(suite.needs(part)).and_then(|()| (suite.run)(&trial));
    let (count, reason) = match outcome {
        Ok(count) if count.passed + count.failed == 0 => (Count::failed(1), "it ran no tests\n".to_owned()),
        Ok(count) => (count, String::new()),
        Err(Failure::Interrupted) => return Err(Failure::Interrupted),
        Err(failure) => (Count::failed(1), format!("{failure}\n")),
    };
    let verdict = if count.failed == 0 { "ok    " } else { "FAILED" };
    say(&format!("{verdict} {:<12} {count}, {}", suite.name, duration(start.elapsed())));
    if count.failed > 0 {
        let told = format!("{reason}{}", process::telling_lines(&trial.log, 60));
        let told: String = told.lines().map(|line| format!("       {line}\n")).collect();
        say(&format!("{told}       (all of it: {})", trial.log.display()));
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suite_runs_in_its_part_or_by_its_name() {
        let names = |part, names: &[&str]| -> Vec<&str> {
            let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
            choose(part, &names).iter().map(|suite| suite.name).collect()
        };
        assert_eq!(names(Part::All, &[]).len(), SUITES.len());
        let (first, more) = (names(Part::First, &[]), names(Part::More, &[]));
        assert!(first.contains(&"e2e") && more.contains(&"e2e") && !first.contains(&"crash") && !more.contains(&"fmt"));
        assert!(!first.contains(&"laws") && !more.contains(&"laws"));
        assert_eq!(names(Part::First, &["laws", "fmt"]), ["fmt", "laws"]);
        assert_eq!(names(Part::All, &["size"]), ["size"]);
    }

    #[test]
    fn the_guide_has_each_suite_with_its_part() {
        let guide = fs::read_to_string(Workspace::locate().path("CONTRIBUTING.md")).expect("the guide");
        let rows = guide.lines().filter(|line| line.starts_with("| `"));
        let listed: Vec<(&str, &str)> = rows
            .filter_map(|row| {
                let mut cells = row.trim_matches('|').split(" | ").map(|cell| cell.trim_matches([' ', '`']));
                Some((cells.next()?, cells.next()?))
            })
            .filter(|(_, part)| ["first", "more", "first, more", "all"].contains(part))
            .collect();
        let part = |suite: &Suite| match (suite.part, suite.more) {
            (Part::First, None) => "first",
            (Part::First, Some(_)) => "first, more",
            (Part::More, _) => "more",
            (Part::All, _) => "all",
        };
        assert_eq!(listed, SUITES.iter().map(|suite| (suite.name, part(suite))).collect::<Vec<_>>());
    }

    #[test]
    fn what_is_long_has_something_short_before_it() {
        let folders = fs::read_dir(Workspace::locate().path("tests")).expect("the folder");
        for folder in folders.map(|entry| entry.expect("an entry").path()) {
            for longer in ["more", "all"].map(|part| folder.join(part)).iter().filter(|longer| longer.is_dir()) {
                assert!(!node::test_files(folder.clone()).expect("its files").is_empty(), "{}", longer.display());
            }
            let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let has_more = SUITES.iter().any(|suite| suite.name == name && suite.more.is_some());
            assert!(!folder.join("more").is_dir() || has_more, "{name} has tests that no part runs");
        }
    }
}
