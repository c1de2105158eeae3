//! A step of a command's preparation.

use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::failure::Failure;
use crate::process;

/// A running step: its title, and the log of its output.
pub struct Job<'a> {
    title: &'a str,
    log: PathBuf,
    /// Set once another step has failed, where one failure ends them all.
    given_up: &'a AtomicBool,
    ran: AtomicBool,
}

impl<'a> Job<'a> {
    pub fn new(title: &'a str, log: PathBuf, given_up: &'a AtomicBool) -> Job<'a> {
        Job { title, log, given_up, ran: AtomicBool::new(false) }
    }

    /// Whether the step had something to do.
    pub fn has_run(&self) -> bool {
        self.ran.load(Ordering::Relaxed)
    }

    /// Runs one command of the step with its output in the step's log.
    pub fn run(&self, command: &mut Command) -> Result<(), Failure> {
        self.ran.store(true, Ordering::Relaxed);
        let program = command.get_program().display().to_string();
        let status = process::run_logged(command, &self.log, Duration::from_secs(3600), |_| {
            if self.given_up.load(Ordering::Relaxed) { Err(Failure::Interrupted) } else { Ok(()) }
        })?;
        if status.success() {
            return Ok(());
        }
        Err(Failure::because(match remedy(&process::tail(&self.log, 200)) {
            Some(remedy) => format!("{}: {remedy} (all of it: {})", self.title, self.log.display()),
            None => format!(
                "{}: {program} ended with {status}. From {}:\n{}",
                self.title,
                self.log.display(),
                process::telling_lines(&self.log, 30)
            ),
        }))
    }
}

/// The words of cargo, rustup, npm, apt and the system for what the project is not to blame for, and what helps.
const REMEDIES: [(&[&str], &str); 2] = [
    (
        &["No space left on device", "ENOSPC"],
        "the disk is full. Free some space, and type the same command: it goes on where it stopped.",
    ),
    (
        &[
            "Could not resolve host",
            "Couldn't resolve host",
            "Could not connect to server",
            "Failed to connect to",
            "Temporary failure resolving",
            "failed to download",
            "download of config.json failed",
            "could not download file",
            "npm error code ENOTFOUND",
            "npm error code EAI_AGAIN",
            "npm error code ECONNREFUSED",
            "npm error code ECONNRESET",
            "npm error code ETIMEDOUT",
        ],
        "there is no network, or a registry does not answer. Type the same command once it is there: it goes on where it stopped.",
    ),
];

fn remedy(output: &str) -> Option<&'static str> {
    REMEDIES.iter().find(|(words, _)| words.iter().any(|word| output.contains(word))).map(|(_, remedy)| *remedy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_outside_the_project_is_one_sentence() {
        let full = "error: failed to write `x`\n\nCaused by:\n  No space left on device (os error 28)";
        assert!(remedy(full).is_some_and(|said| said.starts_with("the disk is full")));
        assert!(remedy("npm error code ENOTFOUND\nnpm error network").is_some_and(|said| said.contains("no network")));
        assert_eq!(remedy("error[E0308]: mismatched types"), None);
    }
}
