//! Builds contracts, sandbox, package, page and tarball from the sources.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use crate::failure::Failure;
use crate::fingerprint;
use crate::flags;
use crate::job::Job;
use crate::process::printed;
use crate::setup::rust;
use crate::workspace::Workspace;

/// The sandbox's Solidity contracts, by npm's solc.
pub fn contracts(workspace: &Workspace, job: &Job<'_>) -> Result<(), Failure> {
    let sources = ["tests/sandbox/contracts", "node_modules/solc/package.json"].map(|source| workspace.path(source));
    fingerprint::unless_made(&workspace.stamp("contracts"), &workspace.contracts(), &sources, || {
        job.run(workspace.command("node").arg("tests/sandbox/contracts/compile.mjs").arg(workspace.contracts()))
    })
}

/// Cargo itself is the best judge of whether anything has changed; asking it takes a fraction of a second.
pub fn sandbox(workspace: &Workspace, job: &Job<'_>) -> Result<(), Failure> {
    job.run(workspace.command("cargo").args(["build", "--package", "sandbox"]))
}

/// The program that wasm-pack calls as `wasm-bindgen`, by that name in a folder of its own.
pub fn binder(workspace: &Workspace, job: &Job<'_>) -> Result<(), Failure> {
    make_binder(workspace, job, false)
}

/// The same, or the one that also cuts the module.
fn make_binder(workspace: &Workspace, job: &Job<'_>, splits: bool) -> Result<(), Failure> {
    let features: &[&str] = if splits { &["--features", "split"] } else { &[] };
    job.run(workspace.command("cargo").args(["build", "--package", "bind"]).args(features))?;
    let folder = workspace.binder(splits);
    fs::create_dir_all(&folder)?;
    fs::copy(workspace.binder_binary(), folder.join("wasm-bindgen"))?;
    Ok(())
}

/// The sources of the WebAssembly module and its glue.
const MODULE_SOURCES: [&str; 15] = [
    "build.rs",
    "src",
    "crates/explain/Cargo.toml",
    "crates/explain/src",
    "crates/trade/Cargo.toml",
    "crates/trade/src",
    "crates/verify/Cargo.toml",
    "crates/verify/src",
    "crates/verify-wasm",
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
        job.run(&mut assemble(workspace, &built, &workspace.package()))
    })?;
    link(workspace)
}

/// The modules in wasm-pack's output folder: all of the client's code in one, the same code in parts, and the module of
/// `verified-swap/verify`, which comes in one file.
const MODULES: [&str; 6] = [
    "verified_swap_bg.wasm",
    "verified_swap_first_bg.wasm",
    "verified_swap_shared.wasm",
    "verified_swap_trade.wasm",
    "verified_swap_rest.wasm",
    "verified_swap_verify_bg.wasm",
];

/// [`MODULES`], with their glue.
fn modules(workspace: &Workspace, job: &Job<'_>, folder: &Path) -> Result<(), Failure> {
    make_binder(workspace, job, true)?;
    compile(workspace, job, VERIFY, folder, &shipped(workspace, false))?;
    compile(workspace, job, CLIENT, folder, &shipped(workspace, true))?;
    optimise(workspace, job, folder)
}

/// A crate that wasm-pack builds: its folder, its name, and the name of what comes of it.
type Crate = (&'static str, &'static str, &'static str);
const CLIENT: Crate = (".", "verified-swap", "verified_swap");
const VERIFY: Crate = ("crates/verify-wasm", "verified-swap-verify-wasm", "verified_swap_verify");

/// How a crate is compiled: arguments for wasm-pack and behind them for cargo, and the environment.
struct Compilation {
    wasm_pack: Vec<&'static str>,
    cargo: Vec<&'static str>,
    environment: Vec<(&'static str, String)>,
    splits: bool,
}

/// As it ships; if it `is_split`, with what `xtask/bind` needs to cut it.
fn shipped(workspace: &Workspace, is_split: bool) -> Compilation {
    let mut cargo = [&[flags::STANDARD_LIBRARY][..], &flags::settings()].concat();
    if is_split {
        cargo.extend(["--features", "split"]);
    }
    Compilation {
        wasm_pack: vec!["--release"],
        cargo,
        environment: vec![("RUSTC_BOOTSTRAP", "1".into()), ("CARGO_ENCODED_RUSTFLAGS", rustc_flags(workspace))],
        splits: is_split,
    }
}

/// As it is built soonest: by cargo's own profile for development, of which the browser's tests are made, too.
fn quick() -> Compilation {
    Compilation { wasm_pack: vec!["--dev"], cargo: Vec::new(), environment: Vec::new(), splits: false }
}

/// Runs wasm-pack on a crate, with `xtask/bind` in the place of wasm-bindgen.
fn compile(
    workspace: &Workspace,
    job: &Job<'_>,
    (at, package, name): Crate,
    folder: &Path,
    how: &Compilation,
) -> Result<(), Failure> {
    let mut path = vec![workspace.binder(how.splits)];
    path.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let path = std::env::join_paths(path).map_err(|error| Failure::because(error.to_string()))?;
    let mut wasm_pack = workspace.command(workspace.tool("wasm-pack"));
    wasm_pack.args(["build", "--mode", "no-install", "--target", "web", "--no-typescript"]).args(&how.wasm_pack);
    wasm_pack.args(["--out-name", name, "--out-dir"]).arg(folder).args([at, "--"]);
    // At the root cargo compiles all default members, of which wasm-pack takes the last one that cargo names.
    wasm_pack.args(["--package", package]).args(&how.cargo);
    job.run(wasm_pack.env("PATH", path).envs(how.environment.iter().map(|(name, value)| (name, value))))
}

/// Runs wasm-opt on each module in a folder; on all at once, because it uses one core.
fn optimise(workspace: &Workspace, job: &Job<'_>, folder: &Path) -> Result<(), Failure> {
    let optimise = |name: &str| {
        let module = folder.join(name);
        let mut optimise = workspace.command("node");
        optimise.arg("node_modules/binaryen/bin/wasm-opt").args(flags::WASM_OPT).args(flags::FEATURES);
        job.run(optimise.arg(&module).arg("-o").arg(&module))
    };
    thread::scope(|scope| {
        let running = MODULES.map(|name| scope.spawn(move || optimise(name)));
        running.into_iter().try_for_each(|one| one.join().unwrap_or(Err(Failure::Reported)))
    })
}

/// The flags of the module, [`remapped`] with them.
fn rustc_flags(workspace: &Workspace) -> String {
    let mut all: Vec<String> =
        flags::PANIC.iter().chain([&flags::STACK, &flags::GENERICS]).map(|&flag| flag.to_owned()).collect();
    all.push(format!("-Cllvm-args={}", flags::LLVM.join(" ")));
    all.extend(remapped(workspace));
    all.join(SEPARATOR)
}

/// The separator at which cargo splits flags: a folder's name may contain blanks.
const SEPARATOR: &str = "\u{1f}";

/// Shortens the names of source files in panics. The builder's folders are private and differ from machine to machine,
/// so their paths are cut off.
fn remapped(workspace: &Workspace) -> impl Iterator<Item = String> {
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
    prefixes.into_iter().map(|(path, short)| format!("--remap-path-prefix={}={short}", path.display()))
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

/// The hand-written part of the package around the modules in `built`.
fn assemble(workspace: &Workspace, built: &Path, package: &Path) -> Command {
    let mut assemble = workspace.command("node");
    assemble.arg("xtask/node/assemble.mjs").args([built, &workspace.path("pkg-template"), package]);
    assemble
}

/// The sources of the page, beside the package.
const PAGE_SOURCES: [&str; 2] = ["www-example", "node_modules/vite/package.json"];

pub fn page(workspace: &Workspace, job: &Job<'_>) -> Result<(), Failure> {
    let mut sources = PAGE_SOURCES.map(|source| workspace.path(source)).to_vec();
    sources.push(workspace.package());
    fingerprint::unless_made(&workspace.stamp("page"), &workspace.page().join("index.html"), &sources, || {
        job.run(&mut bundle(workspace, "www-example", &workspace.page()))
    })
}

/// The page on a package that is built soonest: one module, not optimised, with checks for overflows.
pub fn demo_page(workspace: &Workspace, job: &Job<'_>) -> Result<(), Failure> {
    let module_sources = MODULE_SOURCES.map(|source| workspace.path(source));
    let page_sources = PAGE_SOURCES.iter().chain(&["pkg-template", "xtask/node"]).map(|source| workspace.path(source));
    let all_sources: Vec<PathBuf> = module_sources.iter().cloned().chain(page_sources).collect();
    let page = workspace.demo_page();
    fingerprint::unless_made(&workspace.stamp("demo-page"), &page.join("index.html"), &all_sources, || {
        let [built, package] = ["target/demo/module", "target/demo/pkg"].map(|folder| workspace.path(folder));
        fingerprint::unless_made(&workspace.stamp("demo-module"), &built, &module_sources, || {
            compile(workspace, job, CLIENT, &built, &quick())
        })?;
        job.run(assemble(workspace, &built, &package).arg("--quick"))?;
        job.run(bundle(workspace, "www-example", &page).env("PACKAGE_DIR", package))
    })
}

/// The sources of the site, beside the package.
const SITE_SOURCES: [&str; 8] = [
    "www-site",
    "docs",
    "examples",
    "README.md",
    "CONTRIBUTING.md",
    "pkg-template/src",
    "xtask/node",
    "node_modules/vite/package.json",
];

/// The site: the pages of `www-site`, and below them the documentation. The changelog and the policy for reports are in the
/// package.
pub fn site(workspace: &Workspace, job: &Job<'_>) -> Result<(), Failure> {
    let mut sources = SITE_SOURCES.map(|source| workspace.path(source)).to_vec();
    sources.push(workspace.package());
    let site = workspace.path("target/site");
    fingerprint::unless_made(&workspace.stamp("site"), &site.join("docs/index.html"), &sources, || {
        job.run(&mut bundle(workspace, "www-site", &site))?;
        job.run(workspace.command("node").arg("xtask/node/docs/make.mjs").arg(site.join("docs")))
    })
}

/// Bundles pages.
fn bundle(workspace: &Workspace, from: &str, into: &Path) -> Command {
    let mut vite = workspace.command("node");
    vite.args(["node_modules/vite/bin/vite.js", "build", from, "--emptyOutDir", "--outDir"]).arg(into);
    vite
}

/// Packs the file that `npm publish` would send.
pub fn tarball(workspace: &Workspace, job: &Job<'_>) -> Result<(), Failure> {
    pack(workspace, job, &workspace.tarballs(), &[workspace.package()])
}

/// Packs `verified-swap-sandbox`, and the package that has the program for this platform. On Linux the program is linked
/// with musl, statically: it runs on any of them, whatever its C library.
pub fn sandbox_tarballs(workspace: &Workspace, job: &Job<'_>) -> Result<(), Failure> {
    let target = rust::sandbox_target(workspace, job)?;
    let flags = remapped(workspace).collect::<Vec<_>>().join(SEPARATOR);
    let mut cargo = workspace.command("cargo");
    cargo.args(["build", "--release", "--package", "sandbox", "--target", &target]).args(flags::program());
    job.run(cargo.env("CARGO_ENCODED_RUSTFLAGS", flags))?;
    let made = workspace.path("target/sandbox/made");
    let mut assemble = workspace.command("node");
    assemble.arg("xtask/node/assemble-sandbox.mjs").arg(workspace.released_sandbox(&target));
    job.run(assemble.arg(&target).args([&workspace.contracts(), &made]))?;
    let folders = fs::read_dir(&made)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>, Failure>>()?;
    pack(workspace, job, &workspace.sandbox_tarballs(), &folders)
}

/// Packs npm packages into a folder of their own.
fn pack(workspace: &Workspace, job: &Job<'_>, into: &Path, packages: &[PathBuf]) -> Result<(), Failure> {
    if into.exists() {
        fs::remove_dir_all(into)?;
    }
    fs::create_dir_all(into)?;
    job.run(workspace.command("npm").args(["pack", "--ignore-scripts", "--pack-destination"]).arg(into).args(packages))
}

/// The tarball that was packed last.
pub fn packed(workspace: &Workspace) -> Result<PathBuf, Failure> {
    packed_in(&workspace.tarballs())?.pop().ok_or_else(|| Failure::because("npm has packed nothing."))
}

/// The tarballs in a folder.
pub fn packed_in(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut files = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>, Failure>>()?;
    files.retain(|path| path.extension().is_some_and(|extension| extension == "tgz"));
    files.sort();
    Ok(files)
}
