//! The library as the WebAssembly module that ships, and nothing else.
//!
//! A crate of its own, because the library's own build is one that other crates can use, too: it keeps everything public,
//! whether JavaScript can reach it or not, which is 6 KB of the download.

extern crate verified_swap as _;
