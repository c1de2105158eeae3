//! The library as the WebAssembly module that ships, and nothing else.
//!
//! A crate of its own: the library's own build also serves other crates, and keeps everything public, whether
//! JavaScript can reach it or not. That is 6 KB of the download.

extern crate verified_swap as _;
