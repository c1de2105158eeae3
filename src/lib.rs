//! The JavaScript side, on wasm32 only: decodes arguments, makes the call, encodes its answer. No rule of a trade is
//! decided here.
//!
//! | file | contents |
//! |---|---|
//! | `client` | the exported class: one entry for all calls, and `follow` |
//! | `pure` | the exported entry of the pure functions |
//! | `settings`, `options` | `ClientOptions`, `WalletBinding` and the options of a call |
//! | `decode` | values to trees, by `pkg-template/src/plain.ts`; text to values |
//! | `submissions` | a second `submit` of the same build joins the first |
//! | `host`, `http`, `early`, `tabs` | the [`Host`](::trade::host::Host): clocks, `fetch`, other tabs |
//! | `provider`, `node` | wallets and nodes |
//! | `parts` | the code that may be in a file of its own |
//! | `promise`, `abort`, `ending` | futures as promises, abort signals, and what promises and streams end with |
//! | `error` | `TradeError` |
//!
//! Applications do not see this class, but the one in `pkg-template/src/entry.ts`, which wraps it.

#![cfg(target_arch = "wasm32")]

mod abort;
mod client;
mod decode;
mod early;
mod ending;
mod error;
mod host;
mod http;
mod node;
mod options;
mod parts;
mod promise;
mod provider;
mod pure;
mod settings;
mod submissions;
mod tabs;

/// The module's allocator, a few kilobytes smaller than the default one.
#[global_allocator]
// SAFETY: the module is compiled without threads, so no two calls into the allocator overlap.
static ALLOCATOR: talc::TalckWasm = unsafe { talc::TalckWasm::new_global() };

#[cfg(test)]
#[allow(clippy::restriction)]
#[path = "../tests/boundary/mod.rs"]
mod boundary;
