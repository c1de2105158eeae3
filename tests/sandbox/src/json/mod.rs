//! JSON as text: numbers, escapes and member order stay as they were written.

mod patch;
mod tree;

pub use patch::{Operation, apply};
pub use tree::Json;
