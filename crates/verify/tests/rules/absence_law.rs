//! The law of absence: the table of docs/verification.md, "Absent members", and its rule for one removal.

// Each suite takes what it needs.
#![allow(dead_code)]

use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// The kinds of members, by their names in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Its absence is an error.
    Identity,
    /// A statement that is judged: in an honest input it excuses nothing.
    Subject,
    /// It judges: its absence turns nothing that was refused or asked about into a calm answer.
    Evidence,
    /// It makes an answer milder: its absence never does.
    Excuse,
    /// The caller's bound: its absence is its default.
    Bound,
    /// A name or a figure that is only shown.
    Neutral,
}

const KINDS: [(&str, Kind); 6] = [
    ("identity", Kind::Identity),
    ("subject", Kind::Subject),
    ("evidence", Kind::Evidence),
    ("excuse", Kind::Excuse),
    ("bound", Kind::Bound),
    ("neutral", Kind::Neutral),
];

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// A row: the end of a member's path, its kind, and the default of a bound, JSON or a path of the input.
pub struct Row {
    pub member: String,
    pub kind: Kind,
    pub default: Option<String>,
}

/// The table of the page.
pub fn table() -> Vec<Row> {
    let page = std::fs::read_to_string(root().join("docs/verification.md")).unwrap();
    let (_, after) = page.split_once("<!-- absence -->").expect("the table");
    let mut rows = Vec::new();
    for line in after.lines().skip(1).take_while(|line| line.starts_with('|')) {
        let cells: Vec<_> = line.split('|').map(str::trim).collect();
        let Some((_, kind)) = KINDS.iter().find(|(name, _)| *name == cells[1]) else { continue };
        for member in cells[3].split(", ") {
            let (name, default) = member.split_once(' ').unwrap_or((member, ""));
            let default = default.strip_prefix('(').map(|rest| rest.trim_end_matches(')').replace('`', ""));
            rows.push(Row { member: name.trim_matches('`').into(), kind: *kind, default });
        }
    }
    rows
}

/// The row of a member: by the longest end of its path that has one, else of the nearest one that it is a part of.
pub fn row_of<'a>(rows: &'a [Row], path: &str) -> Option<&'a Row> {
    let fits = |path: &str, row: &&Row| path == row.member || path.ends_with(&format!(".{}", row.member));
    let own = |path: &str| rows.iter().filter(|row| fits(path, row)).max_by_key(|row| row.member.len());
    let holder =
        || path.match_indices('.').rev().find_map(|(at, _)| own(&path[..at])).filter(|row| row.kind != Kind::Identity);
    let all = || own(&format!("{}.*", path.rsplit_once('.')?.0));
    own(path).or_else(all).or_else(holder)
}

/// The path of a pointer, with `*` for what is not a name: an index, a chain, a hash.
pub fn path_of(pointer: &str) -> String {
    let names = pointer.split('/').skip(1);
    let names: Vec<_> =
        names.map(|name| if name.starts_with(|c: char| c.is_ascii_digit()) { "*" } else { name }).collect();
    names.join(".")
}

/// How strictly a door answered, and what it left open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub level: Level,
    /// The reasons of questions, the fields that are unknown, the readings that were not brought; the field of a refusal.
    pub open: BTreeSet<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Calm,
    Unusual,
    Asked,
    Refused,
}

/// The part of the law that the answer without a member breaks, if any. A member that refused is said to be missing where the
/// field of that refusal is `unknown`.
pub fn broken(kind: Kind, with: &Answer, without: &Answer, is_honest: bool) -> Option<&'static str> {
    let is_said = with.level == Level::Refused && with.open.is_subset(&without.open);
    match kind {
        Kind::Identity if without.level < Level::Refused => Some("its absence is no error"),
        Kind::Excuse if without.level < with.level => Some("milder without the excuse"),
        Kind::Evidence if with.level >= Level::Asked && without.level < Level::Asked && !is_said => {
            Some("calm without the evidence")
        }
        Kind::Neutral if (without.level, &without.open) != (with.level, &with.open) => Some("says another thing"),
        Kind::Subject if is_honest && without.level < with.level => Some("milder without what is judged"),
        _ => None,
    }
}

/// Every text of the crate's sources that may be a member's name.
pub fn names_in(path: &Path, found: &mut BTreeSet<String>) {
    if path.is_dir() {
        std::fs::read_dir(path).unwrap().for_each(|entry| names_in(&entry.unwrap().path(), found));
        return;
    }
    let text = std::fs::read_to_string(path).unwrap();
    found.extend(names_of(&text));
}

/// The same of one text.
pub fn names_of(text: &str) -> impl Iterator<Item = String> + '_ {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.flat_map(|line| line.split('"').skip(1).step_by(2)).flat_map(|text| text.split('.')).filter_map(|name| {
        let is_name = name.len() < 40
            && name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric());
        is_name.then(|| name.to_owned())
    })
}

/// The value with that place replaced, or left out.
pub fn changed(value: &Value, pointer: &str, by: Option<Value>) -> Value {
    let mut value = value.clone();
    let (holder, name) = pointer.rsplit_once('/').unwrap();
    match (value.pointer_mut(holder).unwrap(), by) {
        (Value::Object(members), None) => drop(members.remove(name)),
        (Value::Array(items), None) => drop(items.remove(name.parse().unwrap())),
        (Value::Object(members), Some(by)) => drop(members.insert(name.into(), by)),
        (Value::Array(items), Some(by)) => items[name.parse::<usize>().unwrap()] = by,
        _ => unreachable!(),
    }
    value
}
