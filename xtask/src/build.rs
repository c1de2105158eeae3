//! Builds contracts, sandbox, package, page and tarball from the sources.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::fingerprint;
use crate::flags;
use crate::job::Job;
use crate::process::printed;
use crate::workspace::Workspace;

/// The sandbox's Solidity contracts, by npm's solc.
pub fn contracts(workspace: &Workspace, job: &Job<'_>) -> Result<(), Failure> {
    let sources = ["tests/sandbox/contracts", "node_modules/solc/package.json"].map(|source| workspace.path(source));
    fingerprint::unless_made(&workspace.stamp("contracts"), &workspace.contracts(), &sources, || {
        job.run(workspace.command("node").arg("tests/sandbox/contracts/compile.mjs").arg(workspace.contracts()))
    })
}

/// Cargo knows best whether anything has changed; asking it takes a fraction of a second.
pub fn sandbox(workspace: &Workspace, job: &Job<'_>) -> Result<(), Failure> {
    job.run(workspace.command("cargo").args(["build", "--package", "sandbox"]))
}

/// What the WebAssembly module and its glue are made from.
const MODULE_SOURCES: [&str; 11] = [
    "src",
    "crates/verify/Cargo.toml",
    "crates/verify/src",
    "crates/verify-wasm",
    "crates/wasm",
    "xtask/bind",
    "xtask/src/flags.rs",
    "Cargo.toml",
    "Cargo.lock",
    "rust-toolchain.toml",
    "node_modules/binaryen/package.json",
];

/// The files that the package adds to the module.
const WRAPPING: [&str; 9] = [
    "pkg-template",
    "docs",
    "CHANGELOG.md",
    "SECURITY.md",
    "LICENSE-MIT",
    "LICENSE-APACHE",
    "node_modules/esbuild/package.json",
    "node_modules/idb/package.json",
    "xtask/node",
];

/// Builds the module and its glue if the Rust side has changed, then the hand-written part around them.
pub fn package(workspace: &Workspace, job: &Job<'_>) -> Result<(), Failure> {
    let module_sources = MODULE_SOURCES.map(|source| workspace.path(source));
    let all_sources = [&module_sources[..], &WRAPPING.map(|source| workspace.path(source))].concat();
    let built = workspace.path("target/module");
    let manifest = workspace.package().join("package.json");
    fingerprint::unless_made(&workspace.stamp("package"), &manifest, &all_sources, || {
        fingerprint::unless_made(&workspace.stamp("module"), &built, &module_sources, || {
            modules(workspace, job, &built)
        })?;
        let mut assemble = workspace.command("node");
        assemble.arg("xtask/node/assemble.mjs");
        assemble.args([&built, &workspace.path("pkg-template"), &workspace.package()]);
        job.run(&mut assemble)
    })?;
    link(workspace)
}

/// The modules in wasm-pack's output folder: all code in one, and the same code in parts.
pub const MODULES: [&str; 5] = [
    "verified_swap_bg.wasm",
    "verified_swap_first_bg.wasm",
    "verified_swap_shared.wasm",
    "verified_swap_trade.wasm",
    "verified_swap_rest.wasm",
];

/// The module of `verified-swap/verify`, which comes in one file.
const VERIFY_MODULE: &str = "verified_swap_verify_bg.wasm";

/// The client's modules, [`MODULES`], with their glue, `verified_swap.js`, and the one of `verified-swap/verify`.
/// For the client's, wasm-pack calls `xtask/bind` as `wasm-bindgen`.
fn modules(workspace: &Workspace, job: &Job<'_>, folder: &Path) -> Result<(), Failure> {
    job.run(workspace.command("cargo").args(["build", "--package", "bind"]))?;
    let stand_in = workspace.path("target/bind");
    fs::create_dir_all(&stand_in)?;
    fs::copy(workspace.path("target/debug/bind"), stand_in.join("wasm-bindgen"))?;
    compile(workspace, job, "crates/verify-wasm", "verified_swap_verify", folder, &[], &[VERIFY_MODULE])?;
    // Last, because a test and the size gate ask for the client's own compiled module.
    compile(workspace, job, "crates/wasm", "verified_swap", folder, &[stand_in], &MODULES)
}

/// Runs wasm-pack on a crate, with programs in the folders of `first` before those of the tools; then wasm-opt on each of
/// its `modules`.
fn compile(
    workspace: &Workspace,
    job: &Job<'_>,
    package: &str,
    name: &str,
    folder: &Path,
    first: &[PathBuf],
    modules: &[&str],
) -> Result<(), Failure> {
    let is_split = !first.is_empty();
    let mut path = first.to_vec();
    path.push(workspace.tools().join("bin"));
    path.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let path = std::env::join_paths(path).map_err(|error| Failure::because(error.to_string()))?;
    let mut wasm_pack = workspace.command(workspace.tool("wasm-pack"));
    wasm_pack
        .args(["build", "--mode", "no-install", "--target", "web", "--release", "--no-typescript"])
        .args(["--out-name", name, "--out-dir"])
        .arg(folder)
        .args([package, "--", flags::STANDARD_LIBRARY])
        .args(flags::PROFILE.iter().flat_map(|setting| ["--config", setting]))
        .env("PATH", path)
        .env("WASM_BINDGEN", workspace.tool("wasm-bindgen"))
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_ENCODED_RUSTFLAGS", rustc_flags(workspace, is_split));
    job.run(&mut wasm_pack)?;
    for module in modules.iter().map(|name| folder.join(name)) {
        let mut optimise = workspace.command("node");
        optimise.arg("node_modules/binaryen/bin/wasm-opt").args(flags::WASM_OPT).args(flags::FEATURES);
        job.run(optimise.arg(&module).arg("-o").arg(&module))?;
    }
    Ok(())
}

/// Shortens the names of source files in panics. The builder's folders are private and differ from machine to machine,
/// so their paths are cut off.
fn rustc_flags(workspace: &Workspace, is_split: bool) -> String {
    let sysroot = printed(workspace.command("rustc").args(["--print", "sysroot"])).unwrap_or_default();
    let home = std::env::home_dir().unwrap_or_default();
    let cargo_home = std::env::var_os("CARGO_HOME").map_or_else(|| home.join(".cargo"), PathBuf::from);
    let crates = cargo_home.join("registry/src");
    // The last match counts.
    let mut prefixes = vec![(workspace.root().to_path_buf(), ""), (crates.clone(), "")];
    if let Ok(registries) = fs::read_dir(crates) {
        prefixes.extend(registries.flatten().map(|registry| (registry.path(), "")));
    }
    let library = PathBuf::from(sysroot).join("lib/rustlib/src/rust/library");
    // A toolchain may be a link to another.
    prefixes.extend(fs::canonicalize(&library).map(|resolved| (resolved, "std")));
    prefixes.push((library, "std"));
    let remapped = prefixes.iter().map(|(path, short)| format!("--remap-path-prefix={}={short}", path.display()));
    let mut all: Vec<String> = flags::PANIC.iter().chain([&flags::STACK]).map(|&flag| flag.to_owned()).collect();
    if is_split {
        all.push(flags::RELOCATIONS.into());
    }
    all.push(format!("-Cllvm-args={}", flags::LLVM.join(" ")));
    all.extend(remapped);
    // The separator at which cargo splits the flags: a folder's name may contain blanks.
    all.join("\u{1f}")
}

/// Links the package by its name, by which page and tests import it, as every app does.
fn link(workspace: &Workspace) -> Result<(), Failure> {
    let link = workspace.path("node_modules/verified-swap");
    let target = PathBuf::from("../target/pkg");
    if fs::read_link(&link).is_ok_and(|there| there == target) || !workspace.path("node_modules").exists() {
        return Ok(());
    }
    if link.is_dir() && !link.is_symlink() {
        fs::remove_dir_all(&link)?;
    } else if link.is_symlink() || link.exists() {
        fs::remove_file(&link)?;
    }
    Ok(std::os::unix::fs::symlink(&target, &link)?)
}

pub fn page(workspace: &Workspace, job: &Job<'_>) -> Result<(), Failure> {
    let sources = [
        workspace.path("www-example"),
        workspace.path("examples/review-components/src"),
        workspace.path("examples/review-components/tsconfig.json"),
        workspace.package(),
        workspace.path("node_modules/vite/package.json"),
    ];
    fingerprint::unless_made(&workspace.stamp("page"), &workspace.page().join("index.html"), &sources, || {
        let mut vite = workspace.command("node");
        vite.args(["node_modules/vite/bin/vite.js", "build", "www-example", "--emptyOutDir", "--outDir"]);
        job.run(vite.arg(workspace.page()))
    })
}

/// Packs the file that `npm publish` would send.
pub fn tarball(workspace: &Workspace, job: &Job<'_>) -> Result<(), Failure> {
    let folder = workspace.tarballs();
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    job.run(
        workspace
            .command("npm")
            .args(["pack", "--ignore-scripts", "--pack-destination"])
            .args([&folder, &workspace.package()]),
    )
}

/// The tarball that was packed last.
pub fn packed(workspace: &Workspace) -> Result<PathBuf, Failure> {
    let entries = fs::read_dir(workspace.tarballs())?.collect::<Result<Vec<_>, _>>()?;
    entries
        .into_iter()
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|extension| extension == "tgz"))
        .ok_or_else(|| Failure::because("npm has packed nothing."))
}
