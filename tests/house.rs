//! What the build does not check by itself: that each layer knows only those below it, and that every error is documented.
//! The published types have tests of their own, in `published_types`.

use std::fs;
use std::path::{Path, PathBuf};
use verified_swap::error::ErrorCode;

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

#[test]
fn every_code_is_documented_with_its_action() {
    let errors = include_str!("../docs/errors.md");
    for (_, name, action) in ErrorCode::ALL {
        let row = errors.lines().find(|line| line.starts_with(&format!("| `{name}` |")));
        let row = row.unwrap_or_else(|| panic!("docs/errors.md does not have {name}"));
        let stated = row.trim_end_matches([' ', '|']).rsplit('|').next().unwrap().trim();
        assert!(stated.starts_with(action), "{name}: {stated}, not {action}");
    }
}
