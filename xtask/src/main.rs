//! The project's commands: `cargo xtask demo`, `cargo xtask test`, and so on.
//!
//! Every verb gets what it needs by itself, into the project's own `target/` and `node_modules/`, never anywhere else.

mod build;
mod demo;
mod failure;
mod fingerprint;
mod process;
mod script;
mod service;
mod setup;
mod signal;
mod suite;
mod terminal;
mod verb;
mod workspace;

use std::process::ExitCode;

use failure::Failure;
use verb::Verb;
use workspace::Workspace;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((name, rest)) = arguments.split_first() else {
        println!("{}", verb::overview());
        return ExitCode::SUCCESS;
    };
    if matches!(name.as_str(), "help" | "-h" | "--help") {
        println!("{}", verb::overview());
        return ExitCode::SUCCESS;
    }
    let Some(verb) = Verb::named(name) else {
        eprintln!("{}", verb::unknown(name));
        return ExitCode::from(2);
    };

    signal::watch();
    let workspace = Workspace::locate();
    let outcome = match verb {
        Verb::Demo => demo::run(&workspace, rest),
        Verb::Test => suite::run(&workspace, rest),
        Verb::Sandbox => service::run(&workspace, rest),
        Verb::Package => script::package(&workspace, rest),
        Verb::Bench => script::bench(&workspace, rest),
        Verb::Size => script::size(&workspace, rest),
        Verb::Probe => script::probe(&workspace, rest),
        Verb::Screenshots => script::screenshots(&workspace, rest),
        Verb::Engines => script::engines(&workspace, rest),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Interrupted) => {
            eprintln!("Stopped.");
            ExitCode::from(130)
        }
        // The tally above has said it already.
        Err(Failure::Reported) => ExitCode::FAILURE,
        Err(Failure::Because(sentence)) => {
            eprintln!("\n{sentence}");
            ExitCode::FAILURE
        }
    }
}
