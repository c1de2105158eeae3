//! Two commands in one folder: a second demo beside the first.

use std::fs::{File, TryLockError};
use std::time::Duration;

use crate::failure::Failure;
use crate::process;
use crate::signal;
use crate::terminal::say;
use crate::workspace::Workspace;

/// Only one command at a time makes things; the next finds them made. The lock ends with the value, or the process.
pub fn take(workspace: &Workspace) -> Result<File, Failure> {
    let file = process::open_log(&workspace.path("target/set-up.lock"))?;
    let mut said = false;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::Error(error)) => return Err(error.into()),
            Err(TryLockError::WouldBlock) => {}
        }
        if signal::interrupted() {
            return Err(Failure::Interrupted);
        }
        if !said {
            say("Another `cargo xtask` is building in this folder; waiting for it.");
            said = true;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}
