//! The checks of the tree that the build lacks: each layer knows only those below it, no file is in a circle, each folder is on
//! the page of the architecture, and every error is documented.
mod graph;

use graph::{Imports, imports_of, root, script_imports, sources};
use std::collections::BTreeSet;
use std::fs;
use verify::internal::error::ErrorCode;

/// The layers of docs/architecture.md from top to bottom, by crate: between crates the compiler holds them. Those on one
/// row do not know each other, but `json` and `error`.
const LAYERS: [(&str, &[&[&str]]); 2] = [
    ("crates/trade/src", &[&["flows"], &["service", "wallet"], &["client"], &["ledger"], &["host"]]),
    ("crates/verify/src", &[&["verifiers"], &["order"], &["wire"], &["domain"], &["json", "error"], &["value"]]),
];

#[test]
fn each_layer_knows_only_those_below_it() {
    for (folder, layers) in LAYERS {
        let place = |file: &str| {
            let room = file.split("::").nth(1).unwrap().to_owned();
            let layer = layers.iter().position(|rooms| rooms.contains(&room.as_str()));
            (layer.unwrap_or_else(|| panic!("{file} is in no layer")), room)
        };
        for (file, imports) in
            imports_of(&[folder]).iter().filter(|(file, _)| file.contains("::") && !file.ends_with("::internal"))
        {
            for import in imports {
                let ((from, own), (to, other)) = (place(file), place(import));
                let is_beside = from == to && (own == other || layers[to].contains(&"json"));
                assert!(from < to || is_beside, "{file} imports {import}");
            }
        }
    }
}

/// Each prompt that signs or sends passes the one gate: its permission is a type that only `wallet/confirm.rs` makes, and nothing else
/// asks a wallet for such a thing.
#[test]
fn prompts_open_at_one_place() {
    const PROMPTS: [&str; 2] = ["wallet/sending.rs", "wallet/signing.rs"];
    let mut seen = BTreeSet::new();
    for (path, text) in sources("crates/trade/src") {
        let code: String = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        let file = path.strip_prefix(root().join("crates/trade/src")).unwrap().to_str().unwrap();
        let is_prompt = PROMPTS.contains(&file);
        // `failure.rs` reads what a wallet says of them.
        let named =
            ["\"eth_sign", "\"eth_send", "\"personal_sign", "\"wallet_send"].iter().any(|name| code.contains(name));
        assert!(!named || is_prompt || file == "wallet/failure.rs", "{file} names a prompt");
        assert!(
            !is_prompt || !["host.ask(", " ask(", "account::ask"].iter().any(|asks| code.contains(asks)),
            "{file} asks"
        );
        assert!(
            !code.replace("send_once(", "").contains("once(client") || is_prompt || file == "wallet/prompt.rs",
            "{file} opens a prompt"
        );
        assert!(!code.contains("PromptPermission(") || file == "wallet/confirm.rs", "{file} makes a permission");
        assert!(
            !code.contains("PromptJournaled(") || file == "ledger/store.rs",
            "{file} says that it is in the journal"
        );
        seen.extend(is_prompt.then(|| file.to_owned()));
    }
    assert_eq!(seen, PROMPTS.map(String::from).into());
}

/// Intl throws for what is no tag of a language, and a browser may say that: one function asks Intl first.
#[test]
fn the_languages_of_the_browser_are_read_in_one_place() {
    let scripts = [script_imports("www-example/src"), script_imports("pkg-template")];
    let readers = scripts.iter().flat_map(Imports::keys);
    let readers: Vec<_> = readers.filter(|path| fs::read_to_string(path).unwrap().contains("navigator.lang")).collect();
    assert!(readers.len() == 1 && readers[0].ends_with("element/format.ts"), "{readers:?}");
}

#[test]
fn money_never_passes_through_a_float() {
    for (path, text) in ["crates/trade/src", "crates/explain/src", "crates/verify/src"].into_iter().flat_map(sources) {
        let mut code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let float = code.find(|line| line.contains("f64") || line.contains("f32"));
        assert_eq!(float, None, "{}", path.display());
    }
}

#[test]
fn every_code_is_documented_with_its_action() {
    let errors = include_str!("../../docs/errors.md");
    for (_, name, action) in ErrorCode::ALL {
        let row = errors.lines().find(|line| line.starts_with(&format!("| `{name}` |")));
        let row = row.unwrap_or_else(|| panic!("docs/errors.md does not have {name}"));
        let stated = row.trim_end_matches([' ', '|']).rsplit('|').next().unwrap().trim();
        assert!(stated.starts_with(action), "{name}: {stated}, not {action}");
    }
}

/// The table is where a search for a rule of the trade begins.
#[test]
fn every_module_of_the_domain_is_in_its_table() {
    let text = include_str!("../../crates/verify/src/domain/mod.rs");
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("//! | ")).collect();
    let modules: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';')).collect();
    assert!(modules.len() > 30, "{modules:?}");
    for module in modules {
        // `mod@` where a primitive type has the same name.
        let links = [format!("[`{module}`]"), format!("[`mod@{module}`]")];
        let rows = rows.iter().filter(|row| links.iter().any(|link| row.contains(link))).count();
        assert_eq!(rows, 1, "{module}");
    }
}

/// A command that nobody runs is broken one day, and nobody knows since when.
#[test]
fn every_command_is_run_by_a_test_or_has_a_reason_not_to_be() {
    let own = include_str!("../src/main.rs").split_once("enum Verb {").unwrap().1;
    let variants = own.split("\n}").next().unwrap().lines().filter_map(|line| {
        let name =
            line.strip_prefix("    ").filter(|line| line.starts_with(|first: char| first.is_ascii_uppercase()))?;
        Some(name.split(|end: char| !end.is_alphanumeric()).next()?.to_lowercase())
    });
    let commands: BTreeSet<String> = variants.collect();
    assert!(commands.contains("demo") && commands.contains("engines"), "the commands were not read: {commands:?}");
    let suites: String = sources("xtask/src/suite").into_iter().map(|(_, text)| text).collect();
    let typed = include_str!("../../tests/commands/commands.test.mjs");
    let is_run =
        |name: &str| typed.contains(&format!("xtask(\"{name}\"")) || suites.contains(&format!("itself(&[\"{name}\""));
    let guide = include_str!("../../CONTRIBUTING.md");
    let reasons = guide.split_once("\n## What no test runs\n").unwrap().1.split("\n## ").next().unwrap();
    let mut open: BTreeSet<&str> = reasons.lines().filter_map(|line| line.strip_prefix("- `cargo xtask ")).collect();
    for name in &commands {
        assert!(guide.contains(&format!("| `cargo xtask {name}")), "CONTRIBUTING.md does not list {name}");
        let reason = open
            .iter()
            .copied()
            .find(|line| line.split_once("`: ").is_some_and(|(of, why)| of == name && !why.is_empty()));
        assert!(
            is_run(name) != reason.is_some(),
            "{name} is run by {}",
            if is_run(name) { "a test, and excused" } else { "no test" }
        );
        open.retain(|line| Some(*line) != reason);
    }
    assert!(open.is_empty(), "no commands: {open:?}");
}

/// The first file that comes back to itself, with the way.
fn circle(imports: &Imports) -> Option<Vec<String>> {
    fn walk(imports: &Imports, at: &str, way: &mut Vec<String>, done: &mut BTreeSet<String>) -> Option<Vec<String>> {
        if let Some(start) = way.iter().position(|one| one == at) {
            return Some(way[start..].to_vec());
        }
        if !done.insert(at.into()) {
            return None;
        }
        way.push(at.into());
        let found = imports.get(at).into_iter().flatten().find_map(|next| walk(imports, next, way, done));
        way.pop();
        found
    }
    let mut done = BTreeSet::new();
    imports.keys().find_map(|start| walk(imports, start, &mut vec![], &mut done))
}

/// A page for a real chain is the page without that folder, and without its lines in one script.
#[test]
fn the_parts_of_the_sandbox_are_imported_by_the_script_of_the_page_alone() {
    let imports = script_imports("www-example/src");
    assert!(imports.len() > 5, "the imports of the page were not read");
    for (file, imports) in imports.iter().filter(|(file, _)| !file.contains("/src/sandbox/")) {
        let own = imports.iter().find(|import| import.contains("/src/sandbox/"));
        assert!(own.is_none() || file.ends_with("/src/main.ts"), "{file} imports {own:?}");
    }
}

/// The rooms of a layer (its folders, and files beside them), each with those it imports.
fn rooms(imports: &Imports, layer: &str) -> Imports {
    let room = |file: &str| Some(file.strip_prefix(layer)?.strip_prefix("::")?.split("::").next()?.to_owned());
    let mut rooms = Imports::new();
    for (file, others) in imports {
        let Some(own) = room(file) else { continue };
        let others = others.iter().filter_map(|other| room(other)).filter(|to| *to != own);
        rooms.entry(own.clone()).or_default().extend(others);
    }
    rooms
}

#[test]
fn no_room_is_in_a_circle() {
    assert_eq!(circle(&rooms(&imports_of(&["crates/verify/src"]), "verify::domain")), None);
    let way = |from: &str, to: &str| (String::from(from), BTreeSet::from([String::from(to)]));
    let tangled = Imports::from([
        way("x::a::one", "x::b"),
        way("x::b", "x::a::two"),
        way("x::a::two", "x::c"),
        way("x::d", "x::a"),
    ]);
    assert_eq!(circle(&rooms(&tangled, "x")), Some(["a", "b"].map(String::from).into()));
}

/// The floors of docs/architecture.md, from top to bottom.
#[test]
fn each_room_of_the_flows_knows_only_lower_floors() {
    let text = include_str!("../../docs/architecture.md").split_once("\n### The floors of the flows\n").unwrap().1;
    let table = text.lines().skip_while(|line| !line.starts_with("|--")).skip(1);
    let rows = table.take_while(|line| line.starts_with("| "));
    let floors: Vec<Vec<&str>> = rows.map(|row| row.split('`').skip(1).step_by(2).collect()).collect();
    let rooms = rooms(&imports_of(&["crates/trade/src"]), "trade::flows");
    let mut listed: Vec<&str> = floors.concat();
    listed.sort_unstable();
    assert_eq!(listed, rooms.keys().collect::<Vec<_>>(), "the rooms, each once");
    let floor = |room: &str| floors.iter().position(|floor| floor.contains(&room)).unwrap();
    for (room, others) in &rooms {
        let wrong = others.iter().find(|other| floor(other) <= floor(room));
        assert_eq!(wrong, None, "imported by {room}, which is not above it");
    }
}

/// The folders in a folder, by their names; without hidden ones and what `.gitignore` names.
fn folders(of: &str) -> Vec<String> {
    let ignored = include_str!("../../.gitignore");
    let entries = fs::read_dir(root().join(of)).unwrap().map(|entry| entry.unwrap());
    let names = entries.filter(|entry| entry.path().is_dir()).map(|entry| entry.file_name().into_string().unwrap());
    names.filter(|name| !name.starts_with('.') && ignored.lines().all(|line| line.trim_matches('/') != name)).collect()
}

/// The paths of a page: names with a slash or the ending of a file, each in backticks or in its picture. Those that are not
/// below the folder in the heading are from the top. Only those that exist, and the others.
fn paths_of(page: &str) -> (BTreeSet<String>, Vec<String>) {
    let (mut there, mut missing) = (BTreeSet::new(), Vec::new());
    let (mut base, mut is_picture) = ("", false);
    for line in page.lines() {
        is_picture ^= line == "```";
        let names: Vec<&str> = match is_picture {
            true => line.split(' ').collect(),
            false => line.split('`').skip(1).step_by(2).collect(),
        };
        if line.starts_with('#') {
            base = names.first().copied().unwrap_or_default();
        }
        let is_file = |name: &str| [".rs", ".ts", ".md"].iter().any(|ending| name.ends_with(ending));
        for name in names.into_iter().filter(|name| name.contains('/') || is_file(name)) {
            let places = [format!("{base}{name}"), name.to_owned()];
            match places.into_iter().find(|place| root().join(place).exists()) {
                Some(place) => drop(there.insert(place.trim_end_matches('/').to_owned())),
                None => missing.push(name.to_owned()),
            }
        }
    }
    (there, missing)
}

/// The rooms of the flows are held by [`each_room_of_the_flows_knows_only_lower_floors`].
#[test]
fn the_page_of_the_architecture_has_each_folder_and_no_other() {
    let (named, missing) = paths_of(include_str!("../../docs/architecture.md"));
    assert!(named.len() > 60, "the paths were not read: {named:?}");
    assert_eq!(missing, [""; 0], "these are not there");
    let sources = folders("crates").into_iter().map(|name| format!("crates/{name}/src"));
    let inner = ["crates".to_owned(), "tests".to_owned()].into_iter().chain(sources);
    let inner = inner.filter(|of| root().join(of).is_dir());
    let below = inner.flat_map(|of| folders(&of).into_iter().map(move |name| format!("{of}/{name}")));
    for folder in folders("").into_iter().chain(below) {
        assert!(named.contains(&folder), "docs/architecture.md does not name {folder}");
    }
    let (there, missing) =
        paths_of("## `crates/`\n| `verify/src/` and `xtask/` | `quote`, `none/` |\n```\nsrc/ nothing/ \n```\n");
    assert_eq!(
        there,
        ["crates/", "crates/verify/src", "src", "xtask"].map(|path| path.trim_end_matches('/').into()).into()
    );
    assert_eq!(missing, ["none/", "nothing/"]);
}

#[test]
fn no_file_is_in_a_circle() {
    for (folder, imports) in [
        ("src", imports_of(&["src"])),
        ("crates/verify/src", imports_of(&["crates/verify/src"])),
        ("crates/trade/src", imports_of(&["crates/trade/src"])),
        ("crates/explain/src", imports_of(&["crates/explain/src"])),
        ("xtask/src", imports_of(&["xtask/src"])),
        ("pkg-template", script_imports("pkg-template")),
        ("www-example/src", script_imports("www-example/src")),
        ("www-site/src", script_imports("www-site/src")),
    ] {
        let edges: usize = imports.values().map(BTreeSet::len).sum();
        assert!(edges + 1 >= imports.len() / 2, "the imports of {folder} were not read");
        assert_eq!(circle(&imports), None, "{folder} has a circle");
    }
    let way = |from: &str, to: &str| (String::from(from), BTreeSet::from([String::from(to)]));
    assert_eq!(circle(&Imports::from([way("a", "b"), way("b", "c"), way("c", "b")])).map(|found| found.len()), Some(2));
}
