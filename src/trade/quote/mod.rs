//! Quotes: asked for, opened again when they come back, and what the application is shown of them.

pub mod bound;
pub mod build;
pub mod fields;
pub mod request;
