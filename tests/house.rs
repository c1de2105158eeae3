//! What the build does not check by itself: that each layer knows only those below it, and that the published types say
//! what the code says.

use std::fs;
use std::path::{Path, PathBuf};
use verified_swap::domain::delta::status::TERMINAL;
use verified_swap::domain::delta::terms::BUILD_OPTIONS;
use verified_swap::domain::intent::Intent;
use verified_swap::domain::market::price_options::{DELTA, MARKET};
use verified_swap::domain::market::terms::MARKET_ONLY;
use verified_swap::error::ErrorCode;
use verified_swap::trade::CALLS;

fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut open = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            found.push((path, text));
        }
    }
    assert!(!found.is_empty(), "{folder} has no sources");
    found
}

fn none_mentions(folder: &str, words: &[&str], except: &str) {
    for (path, text) in sources(folder) {
        let place = path.to_string_lossy().into_owned();
        if !except.is_empty() && place.contains(except) {
            continue;
        }
        for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
            let word = words.iter().find(|word| line.contains(**word));
            assert!(word.is_none(), "{place} mentions {}: {line}", word.unwrap());
        }
    }
}

#[test]
fn javascript_is_named_in_its_own_room_only() {
    none_mentions("src", &["wasm_bindgen", "js_sys", "web_sys", "gloo_net", "serde"], "/js/");
}

#[test]
fn each_layer_knows_only_those_below_it() {
    let above = [
        "crate::js::",
        "crate::trade",
        "crate::service",
        "crate::wallet",
        "crate::client",
        "crate::wire",
        "crate::host",
    ];
    none_mentions("src/domain", &above, "");
    none_mentions("src/json", &above, "");
    none_mentions("src/wire", &above[..5], "");
    none_mentions("src/client.rs", &above[..4], "");
    none_mentions("src/service", &["crate::js::", "crate::trade", "crate::wallet"], "");
    none_mentions("src/wallet", &["crate::js::", "crate::trade", "crate::service"], "");
    none_mentions("src/trade", &above[..1], "");
}

#[test]
fn money_never_passes_through_a_float() {
    none_mentions("src", &["f64", "f32", "as_f64"], "/js/");
}

/// The text between a declaration's name and the brace that closes it.
fn declaration<'a>(types: &'a str, start: &str) -> &'a str {
    let from = types.find(start).unwrap_or_else(|| panic!("index.d.ts has no {start}"));
    let body = &types[from + start.len()..];
    &body[..body.find("\n}").unwrap()]
}

/// The members of an interface: `name:` or `name?:` at the first level.
fn members(body: &str) -> Vec<&str> {
    let lines = body.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = lines.filter_map(|line| line.trim().split_once(':').map(|(name, _)| name.trim_end_matches('?')));
    names.filter(|name| name.chars().all(char::is_alphanumeric)).collect()
}

fn sorted(mut names: Vec<&str>) -> Vec<&str> {
    names.sort_unstable();
    names
}

#[test]
fn the_published_types_have_the_members_the_code_reads() {
    let types = include_str!("../pkg-template/index.d.ts");
    let mut request = members(declaration(types, "export interface QuoteRequest {"));
    request.extend(members(declaration(types, "export interface TwapRequest extends QuoteRequest {")));
    assert_eq!(sorted(request), sorted(Intent::MEMBERS.to_vec()));
    let options = members(declaration(types, "export interface BuildOptions extends CallOptions {"));
    assert_eq!(sorted(options), sorted(BUILD_OPTIONS.to_vec()));
}

#[test]
fn the_published_types_have_the_options_of_prices_and_transactions() {
    let types = include_str!("../pkg-template/index.d.ts");
    for (interface, known) in [("DeltaPriceOptions", &DELTA[..]), ("MarketPriceOptions", &MARKET[..])] {
        let published = members(declaration(types, &format!("export interface {interface} {{")));
        assert_eq!(sorted(published), sorted(known.iter().map(|(name, ..)| *name).collect()));
    }
    let published = members(declaration(types, "export interface MarketBuildOptions extends CallOptions {"));
    assert!(MARKET_ONLY.iter().all(|name| published.contains(name)), "{published:?}");
}

#[test]
fn every_call_is_published_and_has_its_method() {
    let types = include_str!("../pkg-template/index.d.ts");
    let client = declaration(types, "export interface Client {");
    let entry = include_str!("../pkg-template/entry.js");
    for (name, ..) in CALLS {
        assert!(client.contains(&format!("\n  {name}(")), "index.d.ts does not have {name}");
        assert!(entry.contains(&format!("\"{name}\"")), "entry.js does not have {name}");
    }
}

#[test]
fn the_published_types_have_every_code_and_action() {
    let types = include_str!("../pkg-template/index.d.ts");
    let quoted = |from: &str| {
        let text = &types[types.find(from).unwrap()..];
        let text = &text[..text.find(';').unwrap()];
        text.split('"').skip(1).step_by(2).map(String::from).collect::<Vec<_>>()
    };
    let codes: Vec<String> = ErrorCode::ALL.iter().map(|(_, name, _)| (*name).into()).collect();
    assert_eq!(quoted("export type ErrorCode ="), codes);
    let actions = quoted("export type ErrorAction =");
    assert!(ErrorCode::ALL.iter().all(|(_, _, action)| actions.iter().any(|known| known == action)));
    let statuses = quoted("export type OrderStatus =");
    assert!(TERMINAL.iter().all(|status| statuses.iter().any(|known| known == status)));
}

#[test]
fn every_code_is_documented() {
    let errors = include_str!("../docs/errors.md");
    for (_, name, _) in ErrorCode::ALL {
        assert!(errors.contains(&format!("`{name}`")), "docs/errors.md does not have {name}");
    }
}
