//! Python, for an example that calls the package's program. Its standard library is all that the example needs.

use super::debian;
use crate::failure::Failure;
use crate::job::Job;
use crate::process::printed;
use crate::workspace::Workspace;

/// The oldest one that is still maintained.
const AT_LEAST: &str = "3.10";

pub fn install(workspace: &Workspace, job: &Job<'_>) -> Result<(), Failure> {
    if is_there(workspace) || debian::install(workspace, job, &["python3"])? && is_there(workspace) {
        return Ok(());
    }
    Err(Failure::because(format!(
        "Python {AT_LEAST} or newer is missing: Debian and Ubuntu: apt install python3; elsewhere: https://www.python.org."
    )))
}

fn is_there(workspace: &Workspace) -> bool {
    let told = format!("import sys; print(sys.version_info >= ({}))", AT_LEAST.replace('.', ", "));
    printed(workspace.command("python3").args(["-c", &told])).as_deref() == Some("True")
}
