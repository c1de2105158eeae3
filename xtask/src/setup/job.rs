//! One step at work: what it says on the terminal, and where its output goes.

use std::cell::Cell;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::Step;
use crate::failure::Failure;
use crate::process;
use crate::signal;
use crate::terminal::{duration, say};
use crate::workspace::Workspace;

/// A step that takes less is not worth a line.
const WORTH_A_LINE: Duration = Duration::from_millis(400);
/// How often a step that is still at work says so.
const STILL_AT_WORK: Duration = Duration::from_secs(30);

/// A step at work.
pub struct Job<'a> {
    label: String,
    expect: &'static str,
    announced: Cell<bool>,
    log: PathBuf,
    /// Set when the work is no longer wanted.
    halt: &'a AtomicBool,
}

/// Does one step, and says what is going on where there is something to do.
pub fn take(
    workspace: &Workspace,
    step: &Step,
    (number, of): (usize, usize),
    halt: &AtomicBool,
) -> Result<(), Failure> {
    if signal::interrupted() || halt.load(Ordering::SeqCst) {
        return Err(Failure::Interrupted);
    }
    if (step.done)(workspace)? {
        return Ok(());
    }
    let label = format!("[{number}/{of}] {}", step.title);
    let log = workspace.log(&step.title.replace([' ', '\''], "-"));
    if log.exists() {
        fs::remove_file(&log)?;
    }
    let start = Instant::now();
    let job = Job { label: label.clone(), expect: step.expect, announced: Cell::new(false), log, halt };
    let outcome = (step.make)(workspace, &job);
    match &outcome {
        Ok(()) if !job.announced.get() => {}
        Ok(()) => say(&format!("{label}: done in {}", duration(start.elapsed()))),
        Err(Failure::Interrupted) => {}
        Err(_) => say(&format!("{label}: failed after {}", duration(start.elapsed()))),
    }
    outcome
}

impl Job<'_> {
    /// Runs one command of the step with its output in the step's log; from time to time says what it is at.
    pub fn run(&self, command: &mut Command) -> Result<(), Failure> {
        let mut next = STILL_AT_WORK;
        let status = process::run_logged(command, &self.log, Duration::from_secs(3600), |elapsed| {
            if self.halt.load(Ordering::SeqCst) {
                return Err(Failure::Interrupted);
            }
            if elapsed >= WORTH_A_LINE && !self.announced.replace(true) {
                say(&format!("{}, {}", self.label, self.expect));
            }
            if elapsed >= next {
                let at = process::tail(&self.log, 1);
                let at: String = at.trim().chars().take(80).collect();
                say(&format!("{}: {} so far ({at})", self.label, duration(elapsed)));
                next += STILL_AT_WORK;
            }
            Ok(())
        })?;
        if status.success() {
            return Ok(());
        }
        let program = command.get_program().to_string_lossy().into_owned();
        Err(Failure::because(format!(
            "{}: {program} ended with {status}. From {}:\n{}",
            self.label,
            self.log.display(),
            process::telling_lines(&self.log, 30)
        )))
    }
}
