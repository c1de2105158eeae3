//! The module's compiler flags: every flag that is not a default, with its saving on the download (brotli). The figures
//! are from the day of each measurement; `cargo xtask size` gives today's.
//!
//! The flags of rustc and LLVM are unstable, allowed by `RUSTC_BOOTSTRAP` for this one build: the compiler is pinned,
//! and the module is tested as it is built.

/// The profile, as cargo takes it after `--config`.
pub const PROFILE: [&str; 12] = [
    // The package's own code: compiled for speed it takes a fifth less time, for 23 KB.
    "profile.release.opt-level='z'",
    "profile.release.lto='fat'",
    "profile.release.codegen-units=1",
    "profile.release.panic='abort'",
    // Stripping here would drop the target_features section and make the glue grow; wasm-opt strips the names.
    "profile.release.strip='none'",
    // Hot crates: full optimisation costs no size there and makes hashing four times faster.
    "profile.release.package.tiny-keccak.opt-level=3",
    "profile.release.package.alloy-primitives.opt-level=3",
    "profile.release.package.ruint.opt-level=3",
    "profile.release.package.const-hex.opt-level=3",
    "profile.release.package.talc.opt-level=3",
    "profile.release.package.core.opt-level=3",
    "profile.release.package.alloc.opt-level=3",
];

/// The sandbox's program, as it is packed: nothing waits for its code, only for its compiler.
const PROGRAM: [&str; 2] = ["profile.release.opt-level=1", "profile.release.strip=true"];

/// The profile as arguments of cargo.
pub fn settings() -> Vec<&'static str> {
    arguments(&PROFILE)
}

/// The profile of the sandbox's program as arguments of cargo.
pub fn program() -> Vec<&'static str> {
    arguments(&PROGRAM)
}

fn arguments(profile: &[&'static str]) -> Vec<&'static str> {
    profile.iter().flat_map(|&setting| ["--config", setting]).collect()
}

/// Builds the standard library along with the module, so that a panic is only a trap: the toolchain's own library first
/// formats a message, which cannot be read in a browser. With `PANIC` 9.4 KB. rust-toolchain.toml pins the library's
/// version with the compiler's.
pub const STANDARD_LIBRARY: &str = "-Zbuild-std=std,panic_abort";

/// For rustc: a panic is a trap.
pub const PANIC: [&str; 2] = ["-Zunstable-options", "-Cpanic=immediate-abort"];

/// For rustc: a quarter of the default stack, so that everything behind it has a shorter address.
pub const STACK: &str = "-Clink-arg=-zstack-size=262144";

/// For rustc: one copy of a generic function for all crates of the module, 0.4 KB.
pub const GENERICS: &str = "-Zshare-generics=yes";

/// For LLVM. Code that computes a value twice in the same way is smaller, compressed, than code that keeps it in a
/// local.
pub const LLVM: [&str; 9] = [
    // Only functions marked for it are inlined: 1.6 KB, for a tenth more time to recover a signer (40 us).
    "--inline-threshold=0",
    // Only small ones of these: 0.4 KB, and no slower.
    "--inlinehint-threshold=20",
    // One WebAssembly instruction moves hashes, amounts and strings, instead of one a word: 12.4 KB, and no slower.
    "--max-store-memcpy=1",
    "--max-store-memset=1",
    "--max-store-memmove=1",
    // No value is computed or loaded early to save work later: 2 KB.
    "--enable-pre=false",
    "--enable-load-pre=false",
    // Loops count as in their source: 1 KB, with the next flag.
    "--disable-lsr",
    "--disable-machine-cse",
];

/// The WebAssembly features that the module may use, for wasm-opt: all supported browsers have them (docs/bundlers.md).
pub const FEATURES: [&str; 6] = [
    "--enable-bulk-memory",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-reference-types",
    "--enable-multivalue",
];

/// For wasm-opt. The skipped pass makes the module smaller, but its compressed form larger: 1.2 KB. Not used, for 0.4
/// KB together: skipping merge-similar-functions, simplify-locals and merge-blocks,
/// `--one-caller-inline-max-function-size=0` and `--traps-never-happen`.
pub const WASM_OPT: [&str; 3] = ["-Oz", "-Oz", "--skip-pass=local-cse"];

/// For rustc, to fuzz: libFuzzer counts the branches that an input takes, and sees compared values. Overflows are
/// failures, though the module has no code for them.
pub const FUZZING: [&str; 7] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Cdebug-assertions=on",
    "-Coverflow-checks=on",
];
