//! Keeps the relocations in the module that `xtask/bind` cuts. Not by rustc's flags: the code below the module is then
//! the same for both modules of the package, and is compiled once.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var_os("CARGO_FEATURE_SPLIT").is_some() {
        println!("cargo:rustc-cdylib-link-arg=--emit-relocs");
    }
}
