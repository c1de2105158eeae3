//! What is built from the sources: the sandbox, the package, its tarball, the page.

use std::fs;
use std::path::PathBuf;

use crate::failure::Failure;
use crate::fingerprint;
use crate::process::printed;
use crate::setup::Job;
use crate::workspace::Workspace;

/// Cargo knows best whether anything has changed; asking it takes a fraction of a second.
pub fn sandbox(workspace: &Workspace, job: &Job<'_>) -> Result<(), Failure> {
    job.run(workspace.command("cargo").args(["build", "--package", "sandbox"]))
}

pub fn package_is_current(workspace: &Workspace) -> Result<bool, Failure> {
    link(workspace)?;
    let complete = workspace.package().join("package.json").exists();
    Ok(complete && fingerprint::matches(&workspace.stamp("package"), &package_sources(workspace)?))
}

/// wasm-pack's build, where the Rust side has changed, then the hand-written part around it.
pub fn package(workspace: &Workspace, job: &Job<'_>) -> Result<(), Failure> {
    let sources = package_sources(workspace)?;
    let built = workspace.path("target/wasm-pack");
    let module_sources = fingerprint::of(&MODULE_SOURCES.map(|source| workspace.path(source)))?;
    let module_stamp = workspace.stamp("module");
    if !built.join("verified_swap_bg.wasm").exists() || !fingerprint::matches(&module_stamp, &module_sources) {
        let mut wasm_pack = workspace.command(workspace.tool("wasm-pack"));
        wasm_pack
            .args(["build", "--mode", "no-install", "--target", "web", "--release", "--no-typescript"])
            .args(["--out-name", "verified_swap", "--out-dir"])
            .arg(&built)
            .args(["xtask/module", "--", "-Zbuild-std=std,panic_abort"])
            .env("RUSTC_BOOTSTRAP", "1")
            .env("CARGO_ENCODED_RUSTFLAGS", module_flags(workspace));
        job.run(&mut wasm_pack)?;
        fingerprint::keep(&module_stamp, &module_sources)?;
    }
    job.run(workspace.command("node").arg("xtask/node/assemble.mjs").args([
        &built,
        &workspace.path("pkg-template"),
        &workspace.package(),
    ]))?;
    link(workspace)?;
    fingerprint::keep(&workspace.stamp("package"), &sources)
}

/// How the module is compiled.
///
/// The standard library is built along with it, so that a panic is a trap and nothing else: the library that comes with
/// the toolchain formats a message first, which nobody can read in a browser and which is a tenth of the download. Both
/// flags are unstable; the compiler is pinned, and the module is tested as it is built.
///
/// Panics name source files. Whoever builds the package has them in folders of their own, and those are neither anyone's
/// business nor the same twice, so that the names are cut to what is behind them.
fn module_flags(workspace: &Workspace) -> String {
    let sysroot = printed(workspace.command("rustc").args(["--print", "sysroot"])).unwrap_or_default();
    let home = std::env::home_dir().unwrap_or_default();
    let cargo_home = std::env::var_os("CARGO_HOME").map_or_else(|| home.join(".cargo"), PathBuf::from);
    let crates = cargo_home.join("registry/src");
    // The last that matches counts.
    let mut prefixes = vec![(workspace.root().to_path_buf(), ""), (crates.clone(), "")];
    if let Ok(registries) = fs::read_dir(crates) {
        prefixes.extend(registries.flatten().map(|registry| (registry.path(), "")));
    }
    let library = PathBuf::from(sysroot).join("lib/rustlib/src/rust/library");
    // A toolchain may be a link to another.
    prefixes.extend(fs::canonicalize(&library).map(|resolved| (resolved, "std")));
    prefixes.push((library, "std"));
    let remapped = prefixes.iter().map(|(path, short)| format!("--remap-path-prefix={}={short}", path.display()));
    let flags = [
        "-Zunstable-options".into(),
        "-Cpanic=immediate-abort".into(),
        // A quarter of the usual: everything behind it has a shorter address.
        "-Clink-arg=-zstack-size=262144".into(),
        format!("-Cllvm-args={}", LLVM_ARGUMENTS.join(" ")),
    ];
    let flags = flags.into_iter().chain(remapped);
    // The separator cargo splits them at: a folder's name may contain blanks.
    flags.collect::<Vec<_>>().join("\u{1f}")
}

/// What the compiler's back end does otherwise than by default. Each was measured by what is left of it after compression:
/// a value that is computed again in the same words costs less there than one that is kept in a local of its own.
const LLVM_ARGUMENTS: [&str; 7] = [
    // Hashes, amounts and strings are moved by one instruction of WebAssembly's instead of word by word: a fourteenth of
    // the download, and no slower.
    "--max-store-memcpy=1",
    "--max-store-memset=1",
    "--max-store-memmove=1",
    // Nothing is computed, or loaded, earlier than it is needed, to save that later: 2 KB.
    "--enable-pre=false",
    "--enable-load-pre=false",
    // Loops count by what their source counts: 1 KB, with the next.
    "--disable-lsr",
    "--disable-machine-cse",
];

/// What the WebAssembly module and its glue are made from.
const MODULE_SOURCES: [&str; 6] =
    ["src", "xtask/module", "Cargo.toml", "Cargo.lock", "rust-toolchain.toml", "node_modules/binaryen/package.json"];

/// What is put around them.
const WRAPPING: [&str; 8] = [
    "pkg-template",
    "README.md",
    "LICENSE-MIT",
    "LICENSE-APACHE",
    "node_modules/esbuild/package.json",
    "xtask/node/assemble.mjs",
    "xtask/node/short-names.mjs",
    "xtask/node/third-party.mjs",
];

fn package_sources(workspace: &Workspace) -> Result<String, Failure> {
    let sources: Vec<PathBuf> = MODULE_SOURCES.iter().chain(&WRAPPING).map(|source| workspace.path(source)).collect();
    fingerprint::of(&sources)
}

/// The page and the tests import the package by its name, as every app does.
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

pub fn page_is_current(workspace: &Workspace) -> Result<bool, Failure> {
    let complete = workspace.page().join("index.html").exists();
    Ok(complete && fingerprint::matches(&workspace.stamp("page"), &page_sources(workspace)?))
}

pub fn page(workspace: &Workspace, job: &Job<'_>) -> Result<(), Failure> {
    let sources = page_sources(workspace)?;
    let mut vite = workspace.command("node");
    vite.args(["node_modules/vite/bin/vite.js", "build", "www-example", "--emptyOutDir", "--outDir"]);
    job.run(vite.arg(workspace.page()))?;
    fingerprint::keep(&workspace.stamp("page"), &sources)
}

fn page_sources(workspace: &Workspace) -> Result<String, Failure> {
    fingerprint::of(&[
        workspace.path("www-example"),
        workspace.package(),
        workspace.path("node_modules/vite/package.json"),
    ])
}

/// The file that `npm publish` would send.
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

/// The commit this is built from, for what is printed beside measurements.
pub fn revision(workspace: &Workspace) -> String {
    printed(workspace.command("git").args(["rev-parse", "--short", "HEAD"])).unwrap_or_else(|| "no commit".into())
}
