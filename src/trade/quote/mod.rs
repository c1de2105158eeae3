//! Quotes: requested and compared with the request, shown, and opened again when the app passes them back to `build`.

pub mod bound;
pub mod build;
pub mod fields;
pub mod opened;
pub mod request;
pub mod withdraw;
