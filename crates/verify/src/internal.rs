//! The parts, for the package's own crates: outside semver.

#[path = "domain/mod.rs"]
pub mod domain;
#[path = "error.rs"]
pub mod error;
#[path = "json/mod.rs"]
pub mod json;
#[path = "value/mod.rs"]
pub mod value;
#[path = "verifiers/mod.rs"]
pub mod verifiers;
#[path = "wire/mod.rs"]
pub mod wire;
