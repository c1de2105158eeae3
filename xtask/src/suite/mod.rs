//! `cargo xtask test`: every suite in order, each with its count, and at the end `N passed, N failed`.

mod cargo;
mod check;
mod count;
mod node;

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::failure::Failure;
use crate::process;
use crate::setup::{self, Need, Prepared};
use crate::signal;
use crate::terminal::{duration, say};
use crate::verb::nearest_hint;
use crate::workspace::Workspace;
use count::Count;

/// A suite that is still running after this hangs.
const LIMIT: Duration = Duration::from_secs(30 * 60);

/// One line of the run.
struct Suite {
    name: &'static str,
    /// What it is about, for the list.
    about: &'static str,
    needs: &'static [Need],
    run: fn(&Workspace, &Trial) -> Result<Count, Failure>,
}

/// A suite at work: where its output goes.
struct Trial {
    log: PathBuf,
}

const SUITES: [Suite; 14] = [
    Suite { name: "fmt", about: "rustfmt", needs: &[Need::Lints], run: check::fmt },
    Suite { name: "clippy", about: "lints, native", needs: &[Need::Lints], run: check::clippy },
    Suite {
        name: "clippy-wasm",
        about: "lints, in the browser's build",
        needs: &[Need::Lints, Need::WasmTarget],
        run: check::clippy_wasm,
    },
    Suite { name: "tools", about: "these commands", needs: &[], run: cargo::tools },
    Suite { name: "native", about: "the package, natively", needs: &[], run: cargo::native },
    Suite { name: "doc", about: "the examples in the documentation", needs: &[], run: cargo::doc },
    Suite {
        name: "browser",
        about: "the package's boundary, in Chromium",
        needs: &[Need::WasmTarget, Need::WasmBindgen, Need::Browser],
        run: cargo::browser,
    },
    Suite {
        name: "sandbox",
        about: "the service, against real nodes",
        needs: &[Need::Contracts, Need::NpmPackages],
        run: cargo::sandbox,
    },
    Suite {
        name: "vectors",
        about: "hashes and signatures against other libraries",
        needs: &[Need::Package, Need::NpmPackages, Need::Sandbox, Need::Contracts],
        run: node::vectors,
    },
    Suite {
        name: "coverage",
        about: "every parameter of the service, by the package",
        needs: &[Need::Package, Need::NpmPackages, Need::Sandbox, Need::Contracts],
        run: node::coverage,
    },
    Suite { name: "types", about: "the TypeScript declarations", needs: &[Need::Package], run: check::types },
    Suite {
        name: "package",
        about: "the tarball inside consumer apps",
        needs: &[Need::Tarball, Need::Sandbox, Need::Contracts, Need::Browser],
        run: node::package,
    },
    Suite {
        name: "e2e",
        about: "the page in Chromium",
        needs: &[Need::Page, Need::Sandbox, Need::Contracts, Need::Browser],
        run: node::e2e,
    },
    Suite {
        name: "size",
        about: "what it costs to download, recorded",
        needs: &[Need::Package, Need::NpmPackages],
        run: check::size,
    },
];

/// `cargo xtask test [NAME...]`
pub fn run(workspace: &Workspace, names: &[String]) -> Result<(), Failure> {
    let chosen = choose(names)?;
    let start = Instant::now();
    let mut needs: Vec<Need> = chosen.iter().flat_map(|suite| suite.needs.iter().copied()).collect();
    needs.dedup();
    let prepared = match setup::attempt(workspace, &needs) {
        Ok(prepared) => prepared,
        Err(Failure::Because(sentence)) => {
            say(&sentence);
            say(&format!("\n0 passed, {} failed", chosen.len()));
            return Err(Failure::Reported);
        }
        Err(failure) => return Err(failure),
    };
    let mut total = Count::default();
    for suite in &chosen {
        total += attempt(workspace, suite, &prepared)?;
    }
    say(&format!("\nAll of it took {}.\n{} passed, {} failed", duration(start.elapsed()), total.passed, total.failed));
    if total.failed == 0 { Ok(()) } else { Err(Failure::Reported) }
}

fn choose(names: &[String]) -> Result<Vec<&'static Suite>, Failure> {
    if let Some(unknown) = names.iter().find(|name| SUITES.iter().all(|suite| suite.name != name.as_str())) {
        let mut sentence =
            format!("There is no suite `{unknown}`.{}\n", nearest_hint(unknown, SUITES.iter().map(|suite| suite.name)));
        for suite in &SUITES {
            sentence.push_str(&format!("\n  {:<12} {}", suite.name, suite.about));
        }
        return Err(Failure::because(sentence));
    }
    Ok(SUITES.iter().filter(|suite| names.is_empty() || names.iter().any(|name| name == suite.name)).collect())
}

/// Runs one suite and prints its line. Only an interruption is a failure of the whole run.
fn attempt(workspace: &Workspace, suite: &Suite, prepared: &Prepared) -> Result<Count, Failure> {
    if signal::interrupted() {
        return Err(Failure::Interrupted);
    }
    let start = Instant::now();
    let trial = Trial { log: workspace.path("target/test-logs").join(format!("{}.log", suite.name)) };
    if trial.log.exists() {
        fs::remove_file(&trial.log)?;
    }
    let outcome = prepared.all_of(suite.needs).and_then(|()| (suite.run)(workspace, &trial));
    let (count, reason) = match outcome {
        Ok(count) if count.passed + count.failed == 0 => (Count::failed(1), Some("it ran no tests".to_owned())),
        Ok(count) => (count, None),
        Err(Failure::Interrupted) => return Err(Failure::Interrupted),
        Err(failure) => (Count::failed(1), Some(failure.to_string())),
    };
    let verdict = if count.failed == 0 { "ok    " } else { "FAILED" };
    let time = duration(start.elapsed());
    say(&format!("{verdict} {:<12} {} passed, {} failed, {time}", suite.name, count.passed, count.failed));
    if count.failed > 0 {
        let end = process::telling_lines(&trial.log, 60);
        let reason = reason.map_or(String::new(), |reason| format!("{reason}\n"));
        let told = format!("{reason}{end}").lines().map(|line| format!("       {line}\n")).collect::<String>();
        say(&format!("{told}       (all of it: {})", trial.log.display()));
    }
    Ok(count)
}

impl Trial {
    /// Runs a command with its output in the suite's log; whether it succeeded.
    fn passes(&self, command: &mut std::process::Command) -> Result<bool, Failure> {
        Ok(process::run_logged(command, &self.log, LIMIT, |_| Ok(()))?.success())
    }

    fn output(&self) -> String {
        fs::read(&self.log).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_name_every_suite_runs_and_with_names_only_those() {
        let names = |chosen: Vec<&Suite>| chosen.iter().map(|suite| suite.name).collect::<Vec<_>>();
        let all = choose(&[]).map(names);
        assert_eq!(all.map(|names| names.len()), Ok(SUITES.len()));
        assert_eq!(choose(&["size".into(), "fmt".into()]).map(names), Ok(vec!["fmt", "size"]));
    }

    #[test]
    fn an_unknown_suite_is_answered_with_the_nearest_and_the_list() {
        let Err(Failure::Because(sentence)) = choose(&["browsers".into()]) else { panic!("there is no such suite") };
        assert!(sentence.contains("Did you mean `browser`?") && sentence.contains("clippy-wasm"));
    }
}
