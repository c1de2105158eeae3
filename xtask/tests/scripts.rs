//! The package's scripts, `pkg-template/src/*.ts`: what the compiler takes on trust is in one file, with the reason.

use std::fs;
use std::path::{Path, PathBuf};

/// The only script that may assert a type.
const BOUNDARY: &str = "module.ts";

/// The scripts, by name. Folders below hold published types, which also describe objects of other libraries.
fn scripts() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../pkg-template/src");
    let is_script = |path: &PathBuf| {
        let name = path.to_string_lossy();
        name.ends_with(".ts") && !name.ends_with(".d.ts")
    };
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(is_script);
    let read = |path: PathBuf| (path.file_name().unwrap().to_string_lossy().into(), fs::read_to_string(path).unwrap());
    let mut scripts: Vec<_> = paths.map(read).collect();
    scripts.sort();
    scripts
}

/// The code of a script, line by line: without comments, and with empty strings, templates and regular expressions.
fn code_of(text: &str) -> String {
    let mut code = String::new();
    let mut rest = text;
    // For each template that is open, how many braces are open in its expression.
    let mut templates: Vec<usize> = vec![];
    while let Some(first) = rest.chars().next() {
        let before = code.trim_end().chars().next_back();
        let ends_value = before.is_some_and(|one| one.is_alphanumeric() || "_$)]".contains(one));
        let is_operand = ends_value && !code.trim_end().ends_with("return");
        let skipped = match first {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '"' | '\'' => end_of(rest, |at| rest[at..].starts_with(first)),
            '/' if !is_operand => end_of_pattern(rest),
            '`' => end_of_template(rest, &mut templates),
            '}' if templates.last() == Some(&0) => {
                templates.pop();
                end_of_template(rest, &mut templates)
            }
            _ => 0,
        };
        if skipped == 0 {
            match (first, templates.last_mut()) {
                ('{', Some(open)) => *open += 1,
                ('}', Some(open)) => *open -= 1,
                _ => {}
            }
            code.push(first);
            rest = &rest[first.len_utf8()..];
        } else {
            code.push_str(if rest.starts_with("//") || rest.starts_with("/*") { "" } else { "0 " });
            code.extend(rest[..skipped].chars().filter(|one| *one == '\n'));
            rest = &rest[skipped..];
        }
    }
    code
}

/// The place behind the first place that `ends` a literal, escaped ones left out.
fn end_of(rest: &str, ends: impl Fn(usize) -> bool) -> usize {
    let mut is_escaped = true;
    for (at, one) in rest.char_indices() {
        if !is_escaped && ends(at) {
            return at + one.len_utf8();
        }
        // The first character begins the literal.
        is_escaped = at > 0 && one == '\\' && !is_escaped;
    }
    rest.len()
}

/// The end of a regular expression: a slash that is not in a class.
fn end_of_pattern(rest: &str) -> usize {
    let is_in_class = |at: usize| rest[1..at].rfind('[').is_some_and(|open| !rest[1 + open..at].contains(']'));
    end_of(rest, |at| at > 0 && rest[at..].starts_with('/') && !is_in_class(at))
}

/// The end of a template, or the start of its next expression.
fn end_of_template(rest: &str, templates: &mut Vec<usize>) -> usize {
    let end = end_of(rest, |at| at > 0 && (rest[at..].starts_with('`') || rest[at..].starts_with("${")));
    if rest[..end].ends_with('$') {
        templates.push(0);
        return end + 1;
    }
    end
}

/// The word of a line of code that takes something on trust.
fn trusted(line: &str) -> Option<&'static str> {
    let is_name = |one: char| one.is_alphanumeric() || one == '_' || one == '$';
    let words: Vec<&str> = line.split(|one| !is_name(one)).filter(|word| !word.is_empty()).collect();
    let is_import = ["import ", "export *", "export type *"].iter().any(|start| line.trim_start().starts_with(start));
    let is_asserted = |pair: &[&str]| pair[0] == "as" && pair[1] != "const";
    if words.contains(&"any") {
        return Some("any");
    }
    if !is_import && (words.windows(2).any(is_asserted) || line.trim_end().ends_with(" as")) {
        return Some("as");
    }
    let is_assertion = |(at, _): (usize, &str)| {
        let (before, after) = (&line[..at], &line[at + 1..]);
        before.ends_with(|one: char| is_name(one) || one == ')' || one == ']') && !after.starts_with('=')
    };
    line.match_indices('!').any(is_assertion).then_some("!")
}

#[test]
fn types_are_asserted_at_the_boundary_alone() {
    let mut found = vec![];
    for (name, text) in scripts() {
        let marks = text.lines().enumerate().filter(|(_, line)| line.contains("@ts-"));
        found.extend(marks.map(|(at, line)| format!("{name}:{}: {}", at + 1, line.trim())));
        let lines: Vec<&str> = text.lines().collect();
        for (at, what) in code_of(&text).lines().enumerate().filter_map(|(at, line)| Some((at, trusted(line)?))) {
            let has_reason = at > 0 && lines[at - 1].trim_start().starts_with("//");
            if !(what == "as" && name == BOUNDARY && has_reason) {
                found.push(format!("{name}:{}: {what}", at + 1));
            }
        }
    }
    assert!(found.is_empty(), "held to no type, or without a reason in the line above:\n{}", found.join("\n"));
}

#[test]
fn an_assertion_is_found_wherever_it_stands() {
    let ways = [
        ("const one = two as Three;", Some("as")),
        ("call(<any>one)", Some("any")),
        ("one!.two", Some("!")),
        ("list[0]!;", Some("!")),
        ("if (!one || one !== two) {}", None),
        ("const one = [1, 2] as const;", None),
        ("import * as one from \"./any.ts\";", None),
        ("import { one as other } from \"./one.ts\";", None),
        ("const one = \"two as any\"; // as any", None),
        ("const one = `${two as Three}`;", Some("as")),
        ("const one = `as ${`any ${!two}`} any`;", None),
        ("const one = /[/\"]as any/.test(two);", None),
        ("/* as any */ const one = '\\' as any';", None),
    ];
    for (line, expected) in ways {
        assert_eq!(trusted(&code_of(line)), expected, "{line}");
    }
    let text = "/*\n\n*/ const one = `\n${two}\n`;\n";
    assert_eq!(code_of(text).lines().count(), text.lines().count());
}
