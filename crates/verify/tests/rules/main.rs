//! The rules of what judges, case by case: published vectors, tables of the documentation, each member absent or changed.

#![allow(clippy::restriction, clippy::cast_possible_truncation)]

mod absence;
mod absence_law;
mod bound;
mod clear_signing;
mod gas;
mod guide;
mod held;
mod hidden_characters;
mod pointers;
mod published_vectors;
mod typed_data;
mod verifiers;
