//! Each suite's last pass, so that it need not run again on the same sources: a file with their fingerprint and its count.

use std::fs;
use std::path::PathBuf;

use super::count::Count;
use super::sources;
use super::{Part, Suite};
use crate::failure::Failure;
use crate::fingerprint;
use crate::workspace::Workspace;

/// The passes of a part of the suites.
pub struct Records<'a> {
    workspace: &'a Workspace,
    part: Part,
}

impl<'a> Records<'a> {
    pub fn open(workspace: &'a Workspace, part: Part) -> Self {
        Records { workspace, part }
    }

    /// The fingerprint of the sources that a suite reads. None outside a checkout of git.
    pub fn sources(&self, suite: &Suite) -> Option<String> {
        sources::fingerprint(self.workspace, &sources::of(suite, self.part))
    }

    /// The count of a suite that has passed on the sources as they are now.
    pub fn passed(&self, suite: &Suite) -> Option<Count> {
        let record = fs::read_to_string(self.file(suite)).ok()?;
        let (sources, passed) = record.split_once(' ')?;
        (sources == self.sources(suite)?).then(|| Some(Count { passed: passed.parse().ok()?, failed: 0 }))?
    }

    /// Keeps a pass, if the sources are still those of `before`; else it is unknown which ones have passed.
    pub fn keep(&self, suite: &Suite, count: Count, before: Option<String>) -> Result<(), Failure> {
        let file = self.file(suite);
        match before {
            Some(sources) if count.failed == 0 && self.sources(suite).as_ref() == Some(&sources) => {
                fingerprint::write(&file, &format!("{sources} {}", count.passed))
            }
            _ if file.exists() => Ok(fs::remove_file(file)?),
            _ => Ok(()),
        }
    }

    fn file(&self, suite: &Suite) -> PathBuf {
        self.workspace.path("target/test-passed").join(format!("{}-{:?}", suite.name, suite.part(self.part)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::suite;
    use super::*;
    use crate::process::printed;

    /// The checkout of a suite that reads a folder, and the runs in it.
    #[test]
    fn a_pass_is_of_what_the_suite_reads() {
        static ONE: Suite = suite("one", "", &[], &["read"], |_| unreachable!());
        let folder = std::env::temp_dir().join(format!("xtask-record-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder in the temporary one");
        let workspace = Workspace::locate().at(folder.to_str().expect("its name is text"));
        let write = |file: &str, text: &str| fingerprint::write(&workspace.path(file), text).expect("writable");
        for file in ["read/a", "read/b", "other"] {
            write(file, "");
        }
        write(".gitignore", "target\n*.log\n");
        let open = |part| Records::open(&workspace, part);
        let run = |failed, meanwhile: &str| {
            let records = open(Part::First);
            let before = records.sources(&ONE);
            write("read/a", meanwhile);
            records.keep(&ONE, Count { passed: 3, failed }, before).expect("kept");
        };
        let passed = || open(Part::First).passed(&ONE).is_some();

        run(0, "");
        assert!(!passed(), "without git");
        assert!(printed(workspace.command("git").args(["init", "--quiet"])).is_some());
        run(0, "");
        assert!(passed() && open(Part::All).passed(&ONE).is_none(), "a short pass is none with --all");
        write("read/a.log", "ignored");
        write("other", "changed");
        assert!(passed());
        write("read/new", "");
        assert!(!passed(), "not committed");
        run(0, "");
        fs::rename(workspace.path("read/b"), workspace.path("read/c")).expect("renamed");
        assert!(!passed(), "its name");
        run(0, "changed meanwhile");
        assert!(!passed());
        run(0, "changed meanwhile");
        assert!(passed());
        run(1, "changed meanwhile");
        assert!(!passed(), "it has failed since");
        fs::remove_dir_all(folder).expect("the folder made above");
    }
}
