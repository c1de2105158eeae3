//! The journal: every trade that opened a wallet's prompt, written down before each step that cannot be taken back.
//!
//! `client/journal` defines an entry. Here it is written to the storage that all tabs of the origin share, and read
//! back into the memory of the client, so that a reload or another tab has what was signed. Orders are opened and
//! verified again when they are read. `trade/resume` continues unfinished trades. See "The journal" in docs/verification.md.

pub mod list;
pub mod locate;
pub mod sync;
