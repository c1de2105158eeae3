//! Programs of Debian's packages, which root alone can install.

use std::env;
use std::path::PathBuf;

use crate::failure::Failure;
use crate::job::Job;
use crate::process::printed;
use crate::workspace::Workspace;

/// The program of that name in one of the folders of `PATH`.
pub fn on_path(name: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).map(|folder| folder.join(name)).find(|program| program.is_file())
}

/// Installs these packages, where that is possible without asking anybody.
pub fn install(workspace: &Workspace, job: &Job<'_>, packages: &[&str]) -> Result<(), Failure> {
    if !is_debian() || !is_root(workspace) {
        return Ok(());
    }
    let apt = |arguments: &[&str]| {
        job.run(workspace.command("apt-get").args(arguments).env("DEBIAN_FRONTEND", "noninteractive"))
    };
    apt(&["update", "-qq"])?;
    apt(&[&["install", "-y", "-qq", "--no-install-recommends"][..], packages].concat())
}

fn is_debian() -> bool {
    std::fs::read_to_string("/etc/os-release").is_ok_and(|text| text.lines().any(|line| line == "ID=debian"))
}

fn is_root(workspace: &Workspace) -> bool {
    printed(workspace.command("id").arg("-u")).as_deref() == Some("0")
}
