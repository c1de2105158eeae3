//! What has to be there before a verb can do its work: each step is made once, and goes on where it was interrupted.

mod browser;
mod cargo_tools;
mod contracts;
mod job;
mod npm;
mod plan;
mod prerequisites;
mod rust;
mod turn;

pub use browser::find as find_browser;
pub use job::Job;
pub use plan::{Prepared, attempt, require};

use crate::build;
use crate::failure::Failure;
use crate::workspace::Workspace;

/// Something a verb needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    WasmTarget,
    Lints,
    NpmPackages,
    WasmBindgen,
    WasmPack,
    Contracts,
    Sandbox,
    Package,
    Page,
    Tarball,
    Browser,
}

/// How one need is met.
pub struct Step {
    pub need: Need,
    /// What it is called on the terminal.
    pub title: &'static str,
    /// What to expect when it has to be made, e.g. `first time only, about 3 min`.
    pub expect: &'static str,
    /// What must be there first.
    pub after: &'static [Need],
    /// Whether it is there and up to date.
    pub done: fn(&Workspace) -> Result<bool, Failure>,
    pub make: fn(&Workspace, &Job<'_>) -> Result<(), Failure>,
}

/// Every step, those that keep a processor busy longest first.
pub const STEPS: [Step; 11] = [
    Step {
        need: Need::WasmTarget,
        title: "Rust's WebAssembly target",
        expect: "first time only, about 20 s",
        after: &[],
        done: rust::has_wasm_target,
        make: rust::add_wasm_target,
    },
    Step {
        need: Need::NpmPackages,
        title: "npm packages",
        expect: "first time only, about 1 min",
        after: &[],
        done: npm::is_installed,
        make: npm::install,
    },
    Step {
        need: Need::Lints,
        title: "rustfmt and clippy",
        expect: "first time only, about 20 s",
        after: &[],
        done: rust::has_lints,
        make: rust::add_lints,
    },
    Step {
        need: Need::WasmBindgen,
        title: "wasm-bindgen",
        expect: "first time only, about 3 min",
        after: &[],
        done: cargo_tools::has_wasm_bindgen,
        make: cargo_tools::install_wasm_bindgen,
    },
    Step {
        need: Need::Contracts,
        title: "contracts",
        expect: "about 10 s",
        after: &[Need::NpmPackages],
        done: contracts::are_compiled,
        make: contracts::compile,
    },
    Step {
        need: Need::Sandbox,
        title: "sandbox",
        expect: "the first time about 4 min",
        after: &[],
        done: |_| Ok(false),
        make: build::sandbox,
    },
    Step {
        need: Need::WasmPack,
        title: "wasm-pack and wasm-opt",
        expect: "first time only, about 2 min",
        after: &[Need::WasmBindgen],
        done: cargo_tools::has_wasm_pack,
        make: cargo_tools::install_wasm_pack,
    },
    Step {
        need: Need::Package,
        title: "package",
        expect: "the first time about 1 min",
        after: &[Need::WasmTarget, Need::NpmPackages, Need::WasmBindgen, Need::WasmPack],
        done: build::package_is_current,
        make: build::package,
    },
    Step {
        need: Need::Page,
        title: "page",
        expect: "about 5 s",
        after: &[Need::NpmPackages, Need::Package],
        done: build::page_is_current,
        make: build::page,
    },
    Step {
        need: Need::Tarball,
        title: "tarball",
        expect: "about 2 s",
        after: &[Need::Package],
        done: |_| Ok(false),
        make: build::tarball,
    },
    Step {
        need: Need::Browser,
        title: "Chromium and chromedriver",
        expect: "first time only, about 1 min",
        after: &[],
        done: browser::is_installed,
        make: browser::install,
    },
];
