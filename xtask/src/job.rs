//! A step of a command's preparation.

use std::cell::Cell;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use crate::failure::Failure;
use crate::process;
use crate::terminal::{duration, say};

/// A running step: its line on the terminal, and the log of its output.
pub struct Job<'a> {
    label: &'a str,
    expect: &'static str,
    announced: Cell<bool>,
    log: PathBuf,
}

impl<'a> Job<'a> {
    /// A step. `expect` is its expected time, e.g. `about 3 min`; `log` gets its output.
    pub fn new(label: &'a str, expect: &'static str, log: PathBuf) -> Job<'a> {
        Job { label, expect, announced: Cell::new(false), log }
    }

    /// Whether a line about the step was printed.
    pub fn is_announced(&self) -> bool {
        self.announced.get()
    }

    /// Runs one command of the step with its output in the step's log; prints its progress from time to time.
    pub fn run(&self, command: &mut Command) -> Result<(), Failure> {
        /// A step that takes less is not worth a line.
        const WORTH_A_LINE: Duration = Duration::from_millis(400);
        const STILL_AT_WORK: Duration = Duration::from_secs(30);
        let program = command.get_program().display().to_string();
        let mut next = STILL_AT_WORK;
        let status = process::run_logged(command, &self.log, Duration::from_secs(3600), |elapsed| {
            if elapsed >= WORTH_A_LINE && !self.announced.replace(true) {
                say(&format!("{}, {}", self.label, self.expect));
            }
            if elapsed >= next {
                let at: String = process::tail(&self.log, 1).trim().chars().take(80).collect();
                say(&format!("{}: {} so far ({at})", self.label, duration(elapsed)));
                next += STILL_AT_WORK;
            }
        })?;
        if status.success() {
            return Ok(());
        }
        Err(Failure::because(format!(
            "{}: {program} ended with {status}. From {}:\n{}",
            self.label,
            self.log.display(),
            process::telling_lines(&self.log, 30)
        )))
    }
}
