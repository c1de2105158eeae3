//! JavaScript: decode, call, encode. No rule of the trade is decided here.

mod abort;
mod client;
mod decode;
mod error;
mod host;
mod memory;
mod options;
mod promise;
mod provider;
mod pure;

// For the tests in a browser, which are programs of their own.
pub use client::{Client, open_client};

#[global_allocator]
static ALLOCATOR: memory::Blocks = memory::Blocks::new();
