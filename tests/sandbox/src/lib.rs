//! The trading service, run locally: quotes, orders and settlements against a real EVM node.
//!
//! `docs/sandbox.md` describes what it serves. It shares no code with the package that is tested against it.

pub mod bridge;
pub mod chain;
pub mod control;
pub mod http;
pub mod json;
pub mod order;
pub mod otc;
pub mod service;

mod app;
mod options;
mod random;
mod run;
mod solver;
mod trouble;

pub use app::App;
pub use options::Options;
pub use run::{Running, start};
pub use trouble::Trouble;
