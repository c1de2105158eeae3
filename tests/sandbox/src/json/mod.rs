//! JSON as text: numbers, escapes and member order stay as they were written.

mod patch;
mod scalar;
mod tree;

pub use patch::{Operation, apply};
pub use scalar::{read_address, read_amount, read_hex};
pub use tree::Json;
