//! The subjects of commits, by the rule of CONTRIBUTING.md.

use std::path::Path;
use std::process::Command;

/// The characters of a subject, at most.
const MOST: usize = 72;
/// The first day of the rule: some subjects before it are longer.
const SINCE: &str = "2026-11-27T00:00:00Z";

/// The fault of a subject, if it has one.
fn fault(subject: &str) -> Option<String> {
    let count = subject.chars().count();
    (subject.trim().is_empty() || count > MOST).then(|| format!("{count} characters: {subject}"))
}

/// Merges, whose subjects git writes, do not count. A copy of the sources without git has no commits, a shallow clone a few.
#[test]
fn subjects_have_at_most_72_characters_and_are_not_empty() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let rule = format!("at most {MOST} characters");
    let guide = include_str!("../../CONTRIBUTING.md").split_once("\n## Commits\n").unwrap().1;
    assert!(guide.split("\n## ").next().unwrap().contains(&rule), "CONTRIBUTING.md does not say {rule}");
    if root.join(".git").exists() {
        let log = ["log", "--no-merges", "--since", SINCE, "--format=%s"];
        let listed = Command::new("git").current_dir(root).args(log).output().unwrap();
        assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
        let faults: Vec<String> = String::from_utf8(listed.stdout).unwrap().lines().filter_map(fault).collect();
        assert_eq!(faults, [""; 0]);
    }
    assert_eq!(
        ["", " ", &"x".repeat(73), &"é".repeat(72)].map(|subject| fault(subject).is_some()),
        [true, true, true, false]
    );
}
