//! The project's commands: `cargo xtask demo`, `cargo xtask test`, and so on.
//!
//! Every command gets its needs by itself, into the project's own `target/` and `node_modules/`, never anywhere else.

mod build;
mod deny;
mod failure;
mod fingerprint;
mod flags;
mod fuzz;
mod job;
mod mutants;
mod process;
mod release;
mod reproduce;
mod script;
mod service;
mod setup;
mod suite;
mod terminal;
mod workspace;

use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use clap::{Parser, Subcommand};
use failure::Failure;
use suite::Part;
use workspace::Workspace;

#[derive(Parser)]
#[command(bin_name = "cargo xtask", about = "The project's commands.", disable_help_subcommand = true)]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Build everything, start page and service, print the URL; Ctrl-C ends it
    Demo {
        /// Where the page is served; a free port otherwise
        #[arg(long)]
        port: Option<u16>,
    },
    /// Run the first part of the suites, or those named; last line: N passed, N failed
    ///
    /// Without a name, a suite that has passed is not run again while the sources that it reads are the same.
    Test {
        /// Run the second part instead: what CI runs beside the first
        #[arg(long, conflicts_with = "all")]
        more: bool,
        /// Run everything, also what takes long; goes on after an interruption
        #[arg(long)]
        all: bool,
        /// Run what has passed on the same sources, too; as where CI is set
        #[arg(long)]
        again: bool,
        #[arg(value_parser = PossibleValuesParser::new(suite::names()))]
        suites: Vec<String>,
    },
    /// Start the service and its chains alone, to develop an app against
    Sandbox {
        /// Where the service listens; a free port otherwise
        #[arg(long)]
        port: Option<u16>,
        /// The least time of a request to the service, and of one to a node
        #[arg(long, value_name = "MS,MS")]
        delay: Option<String>,
    },
    /// Make the npm tarballs, of the package and of the sandbox for this platform, and list what is in them
    Package {
        /// The package alone
        #[arg(long)]
        alone: bool,
    },
    /// Measure sizes and speeds beside those of the usual alternatives
    Bench {
        #[arg(
            trailing_var_arg = true,
            allow_hyphen_values = true,
            value_name = "--sizes | --network | --cold | --page | --no-chromium | --rounds N | --once"
        )]
        options: Vec<String>,
    },
    /// Print the size of the package's download, by function and by folder
    Size,
    /// Ask a live service, signing nothing
    Probe {
        #[arg(
            trailing_var_arg = true,
            allow_hyphen_values = true,
            value_name = "--base-url URL [--chain ID]... [--orders-of ADDRESS] [--burst N] [--release]"
        )]
        options: Vec<String>,
    },
    /// Trade a little with a key against a live service, each prompt after a typed "yes"
    Live {
        #[arg(
            trailing_var_arg = true,
            allow_hyphen_values = true,
            value_name = "--base-url URL --rpc URL --key-file FILE [--chain ID] [--usdc AMOUNT] [--until STEP] [--no-probe]"
        )]
        options: Vec<String>,
    },
    /// Write the site into target/site, for any static host: documentation, paste box, lies; print what each page loads
    Site,
    /// Write docs/faults.md: the outcome of every fault at every endpoint
    Faults,
    /// Fuzz one target of crates/fuzz, or all; in CONTRIBUTING.md
    Fuzz {
        target: Option<String>,
        /// Minutes for each target
        #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
        minutes: u32,
    },
    /// Change the code in small ways, and see which change no test notices
    Mutants {
        /// Only these files; by default all that decide what is signed and sent
        files: Vec<String>,
    },
    /// Compare the compiled-in tables with their sources, which a person brings; in docs/tables.md
    Tables {
        /// The folder of the sources; without it only whether each row has one
        folder: Option<String>,
    },
    /// Ask which crates have known vulnerabilities; needs the network
    Deny,
    /// Build the package in two clean clones and compare
    Reproduce,
    /// Check everything that has to hold before the package is published; publishes nothing
    Release {
        /// The live service, which is probed first
        #[arg(long, default_value = "https://api.velora.xyz")]
        base_url: String,
        /// The chain of the probe; Base by default
        #[arg(long = "chain", value_name = "ID")]
        chains: Vec<u64>,
        /// Without the network, and past failures that would stop a release
        #[arg(long)]
        dry_run: bool,
        /// In a dry run, skip the two builds from clean clones, which take minutes
        #[arg(long, requires = "dry_run")]
        no_builds: bool,
    },
    /// Take the picture of the README, or those of every state of the page
    Screenshots {
        /// Put the picture into this folder instead of docs
        #[arg(long, conflicts_with = "states")]
        into: Option<String>,
        /// Every state, into target/pictures; open index.html there. In every view, or only in these
        #[arg(long, value_name = "VIEW", num_args = 0..)]
        states: Option<Vec<String>>,
    },
    /// Try the page in Chromium, Firefox and WebKitGTK, where they are installed
    Engines {
        /// Only in these browsers
        #[arg(value_name = "Chromium | Firefox | WebKitGTK", value_parser = ["Chromium", "Firefox", "WebKitGTK"])]
        browsers: Vec<String>,
    },
}

fn main() -> ExitCode {
    let Arguments { verb } = Arguments::parse();
    let outcome = process::note_interruptions().and_then(|()| run(&Workspace::locate(), verb));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Interrupted) => {
            eprintln!("Stopped.");
            ExitCode::from(130)
        }
        // The failure was printed already.
        Err(Failure::Reported) => ExitCode::FAILURE,
        Err(Failure::Because(sentence)) => {
            eprintln!("\n{sentence}");
            ExitCode::FAILURE
        }
    }
}

fn run(workspace: &Workspace, verb: Verb) -> Result<(), Failure> {
    match verb {
        Verb::Demo { port } => service::demo(workspace, port),
        Verb::Sandbox { port, delay } => service::sandbox(workspace, port, delay.as_deref()),
        Verb::Test { more, all, again, suites } => {
            let part = if all {
                Part::All
            } else if more {
                Part::More
            } else {
                Part::First
            };
            suite::run(workspace, part, again, &suites)
        }
        Verb::Package { alone } => script::package(workspace, alone),
        Verb::Size => script::size(workspace),
        Verb::Probe { options } => script::probe(workspace, &options),
        Verb::Live { options } => script::live(workspace, &options),
        Verb::Bench { options } => script::bench(workspace, &options),
        Verb::Site => script::site(workspace),
        Verb::Faults => script::faults(workspace),
        Verb::Fuzz { target, minutes } => fuzz::run(workspace, target.as_deref(), minutes),
        Verb::Mutants { files } => mutants::run(workspace, &files),
        Verb::Tables { folder } => script::tables(workspace, folder.as_deref()),
        Verb::Deny => deny::advisories(workspace),
        Verb::Reproduce => reproduce::run(workspace),
        Verb::Release { base_url, chains, dry_run, no_builds } => {
            release::run(workspace, &base_url, &chains, dry_run, !no_builds)
        }
        Verb::Screenshots { into, states } => script::screenshots(workspace, into.as_deref(), states.as_deref()),
        Verb::Engines { browsers } => script::engines(workspace, &browsers),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;
    use clap::error::ErrorKind;

    fn mistake(words: &str) -> clap::Error {
        let parsed = Arguments::try_parse_from(std::iter::once("xtask").chain(words.split_whitespace()));
        parsed.err().unwrap_or_else(|| panic!("{words} is accepted"))
    }

    #[test]
    fn the_commands_are_declared_soundly() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn a_mistyped_command_or_suite_is_answered_with_the_nearest_one() {
        for (words, nearest) in [("dmeo", "'demo'"), ("screenshot", "'screenshots'"), ("test browsr", "'browser'")] {
            let said = mistake(words).to_string();
            assert!(said.contains("similar") && said.contains(nearest), "{said}");
        }
    }

    #[test]
    fn a_port_is_a_number_that_fits_and_the_only_option_of_the_demo() {
        assert_eq!(mistake("demo --port 99999").kind(), ErrorKind::ValueValidation);
        assert_eq!(mistake("demo --open").kind(), ErrorKind::UnknownArgument);
        assert_eq!(mistake("package somewhere").kind(), ErrorKind::UnknownArgument);
    }
}
