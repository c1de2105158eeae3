//! The package as JavaScript sees it, and JavaScript as the package does: what is passed in is decoded, the call made, its
//! answer encoded. No rule of the trade is decided here.

mod abort;
mod client;
mod decode;
mod ending;
mod error;
mod host;
mod http;
mod options;
mod promise;
mod provider;
mod pure;
mod settings;
mod submissions;

// For the tests in a browser, which are programs of their own.
pub use client::{Client, open_client};
pub use pure::compute;

/// Smaller than the default allocator by a few kilobytes.
#[global_allocator]
// SAFETY: wasm without threads: the allocator is only ever entered by one.
static ALLOCATOR: talc::TalckWasm = unsafe { talc::TalckWasm::new_global() };
