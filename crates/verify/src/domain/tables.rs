//! The tables that are compiled in, and the day on which each was last compared with its sources. docs/tables.md has the sources, and
//! `cargo xtask tables` compares.

use crate::json::ObjectWriter;

/// The tables: name, day.
pub const TABLES: [(&str, &str); 7] = [
    ("contracts", "2026-06-10"),
    ("assets", "2026-11-28"),
    ("factories", "2026-11-28"),
    ("feeds", "2026-11-28"),
    ("spenders", "2026-11-23"),
    ("delegates", "2026-11-28"),
    ("services", "2026-11-28"),
];

/// [`TABLES`] as JSON text: `{ contracts: "2026-06-10", .. }`.
///
/// ```
/// use verified_swap_verify::internal::domain::tables::write;
/// assert!(write().starts_with(r#"{"contracts":"2026-06-10","#));
/// ```
pub fn write() -> String {
    let mut out = ObjectWriter::object();
    for (name, day) in TABLES {
        out.text(name, day);
    }
    out.close()
}
