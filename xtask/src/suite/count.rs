//! The number of tests that passed and failed, read from the output of cargo's and Node's test runners.

use std::fmt;
use std::ops::AddAssign;

/// Tests of a suite. One that was skipped or ignored proves nothing and counts as failed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Count {
    pub passed: u32,
    pub failed: u32,
}

impl Count {
    pub fn failed(failed: u32) -> Self {
        Count { passed: 0, failed }
    }

    pub fn of(passed: bool) -> Self {
        Count { passed: u32::from(passed), failed: u32::from(!passed) }
    }

    /// A program that fails without a failed test fails, too: it crashed, or did not compile.
    pub fn or_failed(self, passes: bool) -> Self {
        if passes || self.failed > 0 { self } else { Count { failed: 1, ..self } }
    }
}

impl fmt::Display for Count {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} passed, {} failed", self.passed, self.failed)
    }
}

impl AddAssign for Count {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

/// One test program of `cargo test`: its source as cargo names it, and its count (None: it ended without one).
#[derive(Debug, PartialEq)]
pub struct Program {
    pub source: String,
    pub count: Option<Count>,
}

/// Reads the output of `cargo test`, in a browser or not: `Running tests/a.rs (...)` and, after it,
/// `test result: ok. 3 passed; 0 failed; 0 ignored; ...`.
pub fn cargo(output: &str) -> Vec<Program> {
    let mut programs: Vec<Program> = Vec::new();
    for line in output.lines().map(str::trim) {
        if let Some(source) = started(line) {
            programs.push(Program { source, count: None });
        } else if let Some(count) = result(line) {
            match programs.last_mut() {
                Some(Program { count: slot @ None, .. }) => *slot = Some(count),
                _ => programs.push(Program { source: String::new(), count: Some(count) }),
            }
        }
    }
    programs
}

fn started(line: &str) -> Option<String> {
    if let Some(rest) = line.strip_prefix("Running ")
        && line.ends_with(')')
    {
        let (source, _) = rest.split_once(" (")?;
        return Some(source.strip_prefix("unittests ").unwrap_or(source).to_owned());
    }
    line.strip_prefix("Doc-tests ").map(|name| format!("doc {name}"))
}

fn result(line: &str) -> Option<Count> {
    let (_, numbers) = line.strip_prefix("test result: ")?.split_once(". ")?;
    let number = |name: &str| {
        numbers.split(';').find_map(|part| part.trim().strip_suffix(name)?.trim().parse::<u32>().ok()).unwrap_or(0)
    };
    Some(Count { passed: number("passed"), failed: number("failed") + number("ignored") })
}

/// Reads the TAP report of `node --test`. None: it has no summary, so the runner did not finish.
///
/// Node reports a file that registers no test as one that passed, under the file's own name: it counts as failed.
pub fn node(tap: &str) -> Option<Count> {
    let total = |name: &str| {
        tap.lines().rev().find_map(|line| line.strip_prefix("# ")?.strip_prefix(name)?.trim().parse::<u32>().ok())
    };
    let empty_files =
        u32::try_from(tap.lines().filter(|line| line.starts_with("ok ") && names_a_file(line)).count()).ok()?;
    let passed = total("pass ")?.checked_sub(empty_files)?;
    let failed = total("fail ")? + total("cancelled ")? + total("skipped ")? + total("todo ")? + empty_files;
    Some(Count { passed, failed })
}

fn names_a_file(line: &str) -> bool {
    line.split_once(" - ").is_some_and(|(_, name)| name.starts_with('/') && name.ends_with(".test.mjs"))
}

/// Reads what `tests/engines` prints: `Firefox 140.0  swap     ok      ...`, and which browsers are not there to be tried;
/// and `tests/soak`: `memory       ok      ...`.
pub fn tried(output: &str) -> Count {
    let lines =
        |mark: &str| u32::try_from(output.lines().filter(|line| line.contains(mark)).count()).unwrap_or(u32::MAX);
    Count { passed: lines("  ok      "), failed: lines("  FAILED  ") + lines(" and not tried ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_program_of_a_cargo_run_keeps_its_own_count() {
        let output = "\
     Running unittests src/lib.rs (target/debug/deps/a-1)
test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
     Running tests/boundary (target/wasm32-unknown-unknown/debug/deps/b.wasm)
no tests to run!
     Running tests/orders.rs (target/debug/deps/c-1)
test result: FAILED. 3 passed; 1 failed; 2 ignored; 0 measured; 0 filtered out; finished in 0.00s
   Doc-tests verified_swap
test result: ok. 4 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out
";
        let program = |source: &str, count| Program { source: source.into(), count };
        assert_eq!(
            cargo(output),
            vec![
                program("src/lib.rs", Some(Count { passed: 12, failed: 0 })),
                program("tests/boundary", None),
                program("tests/orders.rs", Some(Count { passed: 3, failed: 3 })),
                program("doc verified_swap", Some(Count { passed: 4, failed: 0 })),
            ]
        );
    }

    #[test]
    fn a_run_that_did_not_compile_has_no_programs() {
        assert_eq!(cargo("error[E0432]: unresolved import\nerror: could not compile `x`\n"), vec![]);
    }

    const SUMMARY: &str = "1..3\n# tests 8\n# suites 1\n# pass 5\n# fail 1\n# cancelled 0\n# skipped 1\n# todo 1\n";

    #[test]
    fn skipped_and_todo_tests_of_node_count_as_failed() {
        assert_eq!(node(SUMMARY), Some(Count { passed: 5, failed: 3 }));
    }

    #[test]
    fn a_file_without_tests_is_not_a_passed_test() {
        let tap = format!(
            "ok 1 - quotes\nok 2 - /checkout/tests/empty.test.mjs\nnot ok 3 - /checkout/tests/crash.test.mjs\n{SUMMARY}"
        );
        assert_eq!(node(&tap), Some(Count { passed: 4, failed: 4 }));
    }

    #[test]
    fn a_browser_that_is_not_there_has_not_passed() {
        let printed = "WebKitGTK is not installed and not tried (Debian: apt install x).\n\
                       Firefox 140.0  swap     ok      done\nFirefox 140.0  refusal  FAILED  a sentence\n";
        assert_eq!(tried(printed), Count { passed: 1, failed: 2 });
        assert_eq!(tried("").or_failed(false), Count::failed(1));
    }

    #[test]
    fn a_report_without_a_summary_is_no_result() {
        assert_eq!(node("TAP version 13\nok 1 - quotes\n"), None);
    }
}
