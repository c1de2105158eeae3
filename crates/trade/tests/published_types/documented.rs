//! What is published is documented, and what is documented is published.

use crate::declarations::Declarations;
use crate::{assert_same, source};
use std::collections::BTreeMap;
use verified_swap_trade::client::rate_limit::RateLimit;
use verify::internal::json::{JsonAt, parse};

const PAGES: [&str; 10] = [
    "README.md",
    "docs/guides/quick-start.md",
    "pkg-template/README.md",
    "docs/api.md",
    "docs/architecture.md",
    "docs/decisions.md",
    "docs/errors.md",
    "docs/verification.md",
    "docs/wallets.md",
    "CONTRIBUTING.md",
];

/// What the default entry declares.
fn declared() -> BTreeMap<String, bool> {
    declared_by("index")
}

/// What an entry declares, `name` or `interface.member`, and whether a comment stands before one of its declarations.
fn declared_by(entry: &str) -> BTreeMap<String, bool> {
    let (mut found, mut owner) = (BTreeMap::new(), String::new());
    let (mut in_comment, mut commented) = (false, false);
    for line in source(&format!("pkg-template/{entry}.d.ts")).lines() {
        let text = line.trim();
        if in_comment || text.starts_with("/**") {
            in_comment = !text.ends_with("*/");
            commented = true;
            continue;
        }
        let exported = line.strip_prefix("export ").and_then(|rest| rest.split_once(' '));
        let name = match (exported, line.strip_prefix("  ")) {
            (Some((kind, rest)), _) => {
                // What follows in a function are its parameters.
                owner = if kind == "function" { String::new() } else { word(rest).into() };
                word(rest).into()
            }
            (None, Some(member))
                if !owner.is_empty()
                    && !word(member).is_empty()
                    && member[word(member).len()..].starts_with(['?', ':', '(']) =>
            {
                [&owner, ".", word(member)].concat()
            }
            _ => {
                // The members of what is not exported are those of nothing published.
                if line.starts_with(char::is_alphabetic) {
                    owner.clear();
                }
                String::new()
            }
        };
        *found.entry(name).or_default() |= commented;
        commented = false;
    }
    found.remove("");
    found
}

/// The name at the beginning of a text; empty where there is none.
fn word(text: &str) -> &str {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next().unwrap_or_default()
}

/// The name of a call at the beginning of a text, with its group; empty where there is none.
fn call(text: &str) -> &str {
    text.split(|letter: char| !letter.is_alphanumeric() && !"_.".contains(letter)).next().unwrap_or_default()
}

/// The code in a text, between single backticks.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The client's calls, each with its group and the text that declares it.
fn methods(types: &str) -> Vec<(String, &str)> {
    let declared = Declarations::read();
    let groups = [vec![("", "")], declared.groups()].concat();
    let of_group = |(group, _): (&str, &str)| {
        let (_, calls) = types.split_once(&declared.interface_with(&[group, "."].concat())).unwrap();
        let lines = calls.split_once("\n}").unwrap().0.lines().filter_map(|line| line.strip_prefix("  "));
        let prefix = if group.is_empty() { String::new() } else { [group, "."].concat() };
        let calls = lines.filter(|line| !word(line).is_empty() && line[word(line).len()..].starts_with(['(', '<']));
        calls.map(|line| ([&prefix, word(line)].concat(), line)).collect::<Vec<_>>()
    };
    groups.into_iter().flat_map(of_group).collect()
}

/// The names of exported functions and constants, and of the client's calls.
fn callable() -> Vec<String> {
    let types = source("pkg-template/index.d.ts");
    let exports = types.lines().filter_map(|line| line.strip_prefix("export "));
    let exports = exports.filter_map(|line| line.strip_prefix("function ").or(line.strip_prefix("const ")));
    let methods = methods(&types).into_iter().map(|(name, _)| name);
    methods.chain(exports.map(|text| word(text).into())).collect()
}

/// The names of the arguments in the first parentheses of a text; one that is taken apart in braces is empty.
fn arguments(text: &str) -> Vec<&str> {
    let inside = text.split_once('(').unwrap().1;
    let (mut depth, mut start, mut names) = (0, 0, Vec::new());
    for (at, letter) in inside.char_indices() {
        match letter {
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' if depth > 0 => depth -= 1,
            ',' | ')' if depth == 0 => {
                names.push(word(inside[start..at].trim()));
                start = at + 1;
                if letter == ')' {
                    break;
                }
            }
            _ => {}
        }
    }
    names
}

/// The entries of docs/api.md: what is explained, and the text that explains it.
fn entries() -> Vec<(String, String)> {
    let page = source("docs/api.md").replace("\n  ", " ");
    let entries = page.lines().filter_map(|line| line.strip_prefix("- `")?.split_once('`'));
    entries.map(|(name, text)| (call(name).into(), text.into())).collect()
}

#[test]
fn every_published_name_has_a_comment() {
    for (entry, least) in [("index", 400), ("react", 5), ("viem", 5), ("testing", 5), ("preload", 2)] {
        let declared = declared_by(entry);
        assert!(declared.len() >= least, "{declared:?}");
        let bare: Vec<_> = declared.iter().filter(|(_, commented)| !**commented).map(|(name, _)| name).collect();
        assert!(bare.is_empty(), "{entry}.d.ts says nothing about {bare:?}");
    }
}

#[test]
fn every_function_is_in_the_api_and_every_name_there_exists() {
    let published = callable().into_iter().map(|name| (name, false)).collect();
    let mut explained: Vec<String> = entries().into_iter().map(|(name, _)| name).collect();
    explained.retain(|name| !name.starts_with(char::is_uppercase) || name.contains('_'));
    assert_same("docs/api.md", &published, &explained);
}

#[test]
fn the_api_calls_arguments_as_the_declarations_do() {
    let (types, page, mut seen) = (source("pkg-template/index.d.ts"), source("docs/api.md"), 0);
    for entry in page.lines().filter_map(|line| line.strip_prefix("- `")) {
        let name = call(entry);
        if !entry[name.len()..].starts_with('(') {
            continue;
        }
        let exported = types.lines().filter_map(|line| line.strip_prefix("export function "));
        let exported = exported.map(|line| (String::from(word(line)), line));
        let all = exported.chain(methods(&types)).filter(|(declared, _)| declared == name);
        let overloads: Vec<_> = all.map(|(_, line)| arguments(line)).collect();
        for (index, argument) in arguments(entry).into_iter().enumerate().filter(|(_, argument)| !argument.is_empty()) {
            let is_declared = overloads.iter().any(|declared| declared.get(index) == Some(&argument));
            assert!(is_declared, "docs/api.md: {name}: {argument}, not as in {overloads:?}");
            seen += 1;
        }
    }
    assert!(seen > 40, "{seen}");
}

#[test]
fn every_option_is_in_the_api_and_every_option_there_exists() {
    let declared = declared();
    let entries: BTreeMap<String, String> = entries().into_iter().collect();
    let taken = ["Options", "Request", "Query", "Filter", "OrderInput", "Terms", "Agreement", "ChainContracts"];
    let taken = declared.keys().filter(|name| taken.iter().any(|end| name.ends_with(end)));
    // What no call takes as it is.
    for name in taken.filter(|name| !["NormalizedRequest", "CallOptions"].contains(&name.as_str())) {
        let members = declared.keys().filter_map(|known| known.strip_prefix(name)?.strip_prefix('.'));
        let members = members.map(|member| (member.into(), false)).collect();
        let text = entries.get(name).unwrap_or_else(|| panic!("docs/api.md does not have {name}"));
        let listed: Vec<&str> = code(text).filter(|code| !code.starts_with(char::is_uppercase)).collect();
        assert_same(name, &members, &listed);
    }
    for name in entries.keys().filter(|name| name.starts_with(char::is_uppercase)) {
        assert!(declared.contains_key(name), "docs/api.md explains {name}, which is not published");
    }
}

#[test]
fn every_call_that_a_page_names_exists() {
    let (known, declared) = (callable(), declared());
    let mut seen = 0;
    for page in PAGES {
        let text = source(page);
        for called in text.split("client.").skip(1).filter(|rest| rest[call(rest).len()..].starts_with('(')) {
            let name = call(called);
            assert!(known.iter().any(|known| known == name), "{page} calls client.{name}");
            seen += 1;
        }
        let imports = text.split("import { ").skip(1).filter_map(|rest| rest.split_once(" } from \"verified-swap\""));
        for name in imports.flat_map(|(names, _)| names.split(", ")) {
            assert!(declared.contains_key(name), "{page} imports {name}");
        }
        // Elsewhere contracts are quoted, too.
        for code in code(&text).filter(|_| page.ends_with("README.md") || page.ends_with("api.md")) {
            let called = call(code).trim_start_matches("client.");
            let is_call = !called.is_empty() && code[call(code).len()..].starts_with('(');
            assert!(!is_call || known.iter().any(|name| name == called), "{page} names {code}");
        }
    }
    assert!(seen > 5, "the pages were not read");
}

#[test]
fn each_plan_of_the_operator_is_a_rate_limit_that_the_client_takes() {
    let page = source("docs/api.md");
    let (_, plans) = page.split_once("\n## Plans\n").unwrap();
    let mut seen = 0;
    for limit in plans.lines().filter_map(|line| line.strip_suffix("` |")?.split_once(" | `{")) {
        let text =
            ["{", limit.1].concat().replace('_', "").replace("{ ", "{\"").replace(", ", ",\"").replace(": ", "\":");
        let json = parse(&text).unwrap();
        let RateLimit { per_second, burst, per_day } = RateLimit::read(&JsonAt::input(&json, "rateLimit")).unwrap();
        // No member is the default: the least of the plans grants more than no key.
        let least = RateLimit::default();
        assert!(least.per_second < per_second && per_second < burst && least.per_day < per_day, "{text}");
        seen += 1;
    }
    assert_eq!(seen, 5);
}
