//! How the module is compiled: every flag that is not a default, with what it takes off the download (brotli). Figures are
//! those of the day each was measured; `cargo xtask size` before and after tells today's.
//!
//! The flags of rustc and LLVM are unstable, allowed by `RUSTC_BOOTSTRAP` for this one build: the compiler is pinned, and
//! the module is tested as it is built.

/// The profile, as cargo takes it after `--config`.
pub const PROFILE: [&str; 10] = [
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
];

/// The standard library is built along with the module, so that a panic is a trap and nothing else: the library that comes
/// with the toolchain formats a message first, which nobody can read in a browser. With `PANIC` 9.4 KB. The compiler's
/// version in rust-toolchain.toml is the library's, too.
pub const STANDARD_LIBRARY: &str = "-Zbuild-std=std,panic_abort";

/// For rustc.
pub const PANIC: [&str; 2] = ["-Zunstable-options", "-Cpanic=immediate-abort"];

/// For rustc. A quarter of the usual: everything behind the stack has a shorter address.
pub const STACK: &str = "-Clink-arg=-zstack-size=262144";

/// For rustc. What refers to what stays in the module, so that it can be cut in parts (`xtask/bind`).
pub const RELOCATIONS: &str = "-Clink-arg=--emit-relocs";

/// For the compiler's back end. A value that is computed again in the same words costs less, compressed, than one that is
/// kept in a local of its own.
pub const LLVM: [&str; 9] = [
    // Only what asks for it is inlined: 1.6 KB, for a tenth more time to recover a signer (40 us).
    "--inline-threshold=0",
    // And of that only what is small: 0.4 KB, and no slower.
    "--inlinehint-threshold=20",
    // Hashes, amounts and strings are moved by one instruction of WebAssembly's instead of word by word: 12.4 KB, and no
    // slower.
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

/// What of WebAssembly the module may use, for wasm-opt: in all browsers for years (docs/architecture.md).
pub const FEATURES: [&str; 6] = [
    "--enable-bulk-memory",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-reference-types",
    "--enable-multivalue",
];

/// For wasm-opt. The pass left out makes the module smaller, and what is left of it after compression larger: 1.2 KB. Not
/// taken for 0.4 KB together: merge-similar-functions, simplify-locals and merge-blocks left out likewise,
/// `--one-caller-inline-max-function-size=0` and `--traps-never-happen`.
pub const WASM_OPT: [&str; 2] = ["-Oz", "--skip-pass=local-cse"];

/// For rustc, to fuzz: libFuzzer counts which branches an input takes, and sees what is compared. Overflows are failures,
/// though the module has code for none.
pub const FUZZING: [&str; 7] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Cdebug-assertions=on",
    "-Coverflow-checks=on",
];
