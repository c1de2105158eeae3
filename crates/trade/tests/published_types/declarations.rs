//! Reading index.d.ts, as far as it goes: interfaces, and the parameters of the client's calls.

use crate::source;
use std::collections::BTreeMap;

/// Members by name, and whether they may be left out.
pub type Members = BTreeMap<String, bool>;

/// How the client's declaration begins.
pub const CLIENT: &str = "export interface Client extends Disposing {";

/// A call's name in its group.
pub fn own(call: &str) -> &str {
    call.rsplit('.').next().unwrap_or(call)
}

/// The declarations, without their comments.
pub struct Declarations(String);

impl Declarations {
    /// Those of the main entry.
    pub fn read() -> Declarations {
        Declarations::of("index")
    }

    /// Those of an entry.
    pub fn of(entry: &str) -> Declarations {
        let (mut text, published) = (String::new(), source(&format!("pkg-template/{entry}.d.ts")));
        let mut rest = published.as_str();
        while let Some((code, comment)) = rest.split_once("/*") {
            text.push_str(code);
            rest = comment.split_once("*/").expect("a comment that ends").1;
        }
        text.push_str(rest);
        Declarations(text)
    }

    /// What stands between a declaration's beginning and that end.
    pub fn after(&self, start: &str, end: &str) -> &str {
        let (_, body) = self.0.split_once(start).unwrap_or_else(|| panic!("index.d.ts has no {start}"));
        &body[..body.find(end).unwrap_or_else(|| panic!("{start} does not end"))]
    }

    /// The strings of a union of literals.
    pub fn literals(&self, start: &str) -> Vec<&str> {
        self.after(start, ";").split('"').skip(1).step_by(2).collect()
    }

    /// The members of an interface and of those it extends; those of its `advanced` as `advanced.NAME`.
    pub fn interface(&self, name: &str) -> Members {
        let head = self.after(&format!("export interface {name} "), "{");
        let body = self.after(&format!("export interface {name} {head}{{"), "\n}");
        let mut found = object(body);
        let advanced = body.split_once("  advanced?: ").and_then(|(_, kind)| kind.split_once(" | undefined;"));
        if let Some((advanced, _)) = advanced.filter(|(kind, _)| kind.starts_with("Advanced")) {
            found.remove("advanced");
            let inside = self.interface(advanced).into_iter();
            found.extend(inside.map(|(name, may_miss)| (format!("advanced.{name}"), may_miss)));
        }
        let parents = head.trim().trim_start_matches("extends ").split(',');
        // `Disposing` is a type that has a symbol alone.
        for parent in parents.filter(|parent| !parent.is_empty() && *parent != "Disposing") {
            found.extend(self.interface(parent.trim()));
        }
        found
    }

    /// The members of a type: an interface, an object, or several together.
    pub fn members(&self, kind: &str) -> Members {
        let mut found = Members::new();
        for part in split(&split(kind, '&').join("|"), '|') {
            if let Some(body) = part.strip_prefix('{') {
                found.extend(object(body.trim_end_matches('}')));
            } else if self.0.contains(&format!("export interface {part} ")) {
                found.extend(self.interface(part));
            }
        }
        found
    }

    /// The groups of the client's calls, and the interface of each.
    pub fn groups(&self) -> Vec<(&str, &str)> {
        let client = self.after(CLIENT, "\n}");
        client
            .lines()
            .filter_map(|line| line.trim_end_matches(';').strip_prefix("  readonly ")?.split_once(": "))
            .collect()
    }

    /// How the interface begins that declares a call.
    pub fn interface_with(&self, call: &str) -> String {
        let of = call.split_once('.').map(|(group, _)| group);
        let found = self.groups().into_iter().find(|(group, _)| of == Some(group));
        found.map_or(CLIENT.into(), |(_, interface)| format!("export interface {interface} {{"))
    }

    /// The types of a call's parameter of that name, in each of the call's declarations.
    pub fn parameter(&self, call: &str, name: &str) -> Vec<&str> {
        let (calls, own) = (self.after(&self.interface_with(call), "\n}"), own(call));
        let lines = calls.lines().filter_map(|line| line.strip_prefix("  ")?.strip_prefix(own)?.strip_prefix('('));
        let parameters = lines.flat_map(|line| split(&line[..close(line)], ','));
        let typed = parameters.filter_map(|parameter| parameter.split_once(':'));
        typed.filter(|(found, _)| found.trim_end_matches('?') == name).map(|(_, kind)| kind.trim()).collect()
    }

    /// All members that a call's parameter of that name may have.
    pub fn taken(&self, call: &str, name: &str) -> Members {
        let types = self.parameter(call, name);
        assert!(!types.is_empty(), "index.d.ts has no {call}({name})");
        types.into_iter().flat_map(|kind| self.members(kind)).collect()
    }
}

/// The members in the text between an object's braces.
fn object(body: &str) -> Members {
    let names = split(body, ';').into_iter().filter_map(|member| {
        let name = member[..member.find([':', '(', '<'])?].trim_start_matches("readonly ");
        (!name.starts_with('[')).then(|| (name.trim_end_matches('?').into(), name.ends_with('?')))
    });
    names.collect()
}

/// The parts between separators that stand in no bracket.
fn split(text: &str, separator: char) -> Vec<&str> {
    let (mut parts, mut depth, mut from, mut last) = (Vec::new(), 0_u32, 0, ' ');
    for (at, letter) in text.char_indices() {
        match letter {
            '(' | '[' | '{' | '<' => depth += 1,
            // Not the arrow's.
            '>' if last == '=' => {}
            ')' | ']' | '}' | '>' => depth -= 1,
            _ if letter == separator && depth == 0 => {
                parts.push(text[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
        last = letter;
    }
    parts.push(text[from..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

/// Where the bracket that is open at the beginning closes.
fn close(text: &str) -> usize {
    let mut depth = 1_u32;
    let at = text.find(|letter| {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    at.expect("a bracket that closes")
}
