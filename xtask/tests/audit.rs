//! docs/audit.md: the files behind each door, and where an auditor finds each member of an order.

mod graph;

use graph::{Imports, imports_of, module, root, script_imports, sources};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use verify::internal::domain::delta::order::TYPES;

/// The doors, where something is judged, signed or sent: each with the room at which it begins.
const DOORS: [(&str, &str); 15] = [
    ("`verifyOrder`", "verify::verifiers::order"),
    ("`verifyTransaction`", "verify::verifiers::transaction"),
    ("`verifyOtc`", "verify::verifiers::otc"),
    ("`verifyFill`", "verify::verifiers::fill"),
    ("`verifyPermit`", "verify::verifiers::permit"),
    ("`verifyCancellation`", "verify::verifiers::cancellation"),
    ("`explain`, `guard` without a request", "explain"),
    ("a hardware wallet's display", "verify::domain::eip712"),
    ("`quote`", "trade::flows::request"),
    ("`build`", "trade::flows::building"),
    ("`submit`, gasless or OTC", "trade::flows::signed"),
    ("`submit`, a transaction", "trade::flows::transaction"),
    ("`approve`", "trade::flows::approve"),
    ("`signPermit`", "trade::flows::permit"),
    ("`cancel`", "trade::flows::delta::cancel"),
];
/// Scripts around them, each with the file at which it begins.
const SCRIPTS: [(&str, &str); 2] = [
    ("scripts of `verified-swap/verify`", "pkg-template/src/verify.ts"),
    ("scripts of `verified-swap`", "pkg-template/src/index.ts"),
];

/// Lines of code: without comments, blank lines and tests.
fn code_lines(text: &str) -> usize {
    let code = text.lines().take_while(|line| !line.starts_with("#[cfg(test)]")).map(str::trim);
    code.filter(|line| !line.is_empty() && !line.starts_with("//")).count()
}

/// The files that begin with `start`, and all that they import.
fn reach(imports: &Imports, is_start: impl Fn(&str) -> bool) -> BTreeSet<&str> {
    let mut open: Vec<&str> = imports.keys().map(String::as_str).filter(|file| is_start(file)).collect();
    let mut found = BTreeSet::new();
    while let Some(file) = open.pop() {
        if found.insert(file) {
            open.extend(imports.get(file).into_iter().flatten().map(String::as_str));
        }
    }
    found
}

/// The imports of the crates, also those of a file that passes on what is in its children; and each module's file.
fn crates_imports() -> (Imports, BTreeMap<String, PathBuf>) {
    let folders = ["crates/trade/src", "crates/explain/src", "crates/verify/src"];
    let mut imports = imports_of(&folders);
    let files: Vec<_> = folders.into_iter().flat_map(sources).map(|(path, text)| (module(&path), path, text)).collect();
    for (own, _, text) in &files {
        let is_passed_on = |one: &str| {
            let child = one.strip_prefix(own.as_str()).and_then(|rest| rest.strip_prefix("::"));
            child.is_some_and(|child| !child.contains("::") && text.contains(&format!("{child}::")))
        };
        let children = files.iter().map(|(name, ..)| name).filter(|name| is_passed_on(name)).cloned();
        imports.entry(own.clone()).or_default().extend(children);
    }
    (imports, files.into_iter().map(|(own, path, _)| (own, path)).collect())
}

/// Prints the files of each door, and holds the sums of docs/audit.md to them: files within two, lines within a tenth.
#[test]
fn doors_are_as_wide_as_the_audit_states() {
    let root = root();
    let (imports, places) = crates_imports();
    let scripts = script_imports("pkg-template");
    let of_crates = DOORS.map(|(door, start)| {
        let is_start = |file: &str| file == start || file.starts_with(&format!("{start}::"));
        let files = reach(&imports, is_start).into_iter().map(|one| places[one].clone()).collect::<Vec<_>>();
        (door, start, files)
    });
    let of_scripts = SCRIPTS.map(|(door, start)| {
        // The module's own glue is made by the build, and not there yet.
        let files = reach(&scripts, |file| Path::new(file) == root.join(start)).into_iter().map(PathBuf::from);
        // Types are erased: nothing of them runs.
        let runs = |file: &PathBuf| {
            let name = file.to_string_lossy();
            file.exists() && !name.ends_with(".d.ts") && !name.contains("pkg-template/src/types")
        };
        (door, start, files.filter(runs).collect::<Vec<_>>())
    });
    let mut rows = Vec::new();
    for (door, start, files) in of_crates.into_iter().chain(of_scripts) {
        assert!(!files.is_empty(), "{start} is not there");
        println!("{door}");
        let [mut all, mut judging, mut checks] = [0; 3];
        for file in &files {
            let lines = code_lines(&fs::read_to_string(file).unwrap());
            let file = file.strip_prefix(root).unwrap();
            println!("  {lines:5} {}", file.display());
            all += lines;
            judging +=
                if file.starts_with("crates/verify/src") || file.starts_with("crates/explain/src") { lines } else { 0 };
            checks += if file.starts_with("crates/verify/src/domain/verify") { lines } else { 0 };
        }
        rows.push((format!("{door} | `{start}`"), [files.len(), all, judging, checks]));
    }
    let page = root.join("docs/audit.md");
    let text = fs::read_to_string(&page).unwrap();
    let (before, rest) = text.split_once("<!-- doors -->\n").unwrap();
    let (table, after) = rest.split_once("<!-- end -->").unwrap();
    if std::env::var_os("WRITE").is_some() {
        let head = "| door | begins at | files | lines | in `crates/verify` and `crates/explain` | in `domain/verify` |\n|---|---|--:|--:|--:|--:|\n";
        let row = |(door, [files, lines @ ..]): &(String, [usize; 4])| {
            let hundreds = lines.map(|count| (count.div_ceil(100) * 100).to_string()).join(" | ");
            format!("| {door} | {files} | {hundreds} |\n")
        };
        let table: String = rows.iter().map(row).collect();
        fs::write(&page, format!("{before}<!-- doors -->\n\n{head}{table}\n<!-- end -->{after}")).unwrap();
        return;
    }
    let stated: Vec<&str> = table.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
    assert_eq!(stated.len(), rows.len(), "WRITE=1 cargo test -p xtask --test audit doors");
    for (line, (door, counts)) in stated.into_iter().zip(rows) {
        let cells = line.strip_prefix(&format!("| {door} | ")).unwrap_or_else(|| panic!("{door} is not {line}"));
        let numbers = cells.trim_end_matches(" |").split(" | ").map(|cell| cell.parse::<usize>().unwrap());
        for (place, (stated, is)) in numbers.zip(counts).enumerate() {
            let slack = if place == 0 { 2 } else { 100 + is / 10 };
            assert!(
                stated.abs_diff(is) <= slack,
                "{door}: {stated} stated, {is} are. WRITE=1 cargo test -p xtask --test audit doors"
            );
        }
    }
}

/// An auditor finds each member of an order where it says what it is compared with.
#[test]
fn each_member_of_an_order_is_in_the_page_of_checks() {
    let page =
        include_str!("../../docs/verification.md").split_once("\n## Typed data against quote and request\n").unwrap().1;
    let section = page.split("\n## ").next().unwrap();
    for (_, members) in TYPES.iter().flat_map(|kind| kind.split(')')).filter_map(|part| part.split_once('(')) {
        for (_, name) in
            members.split(',').filter_map(|member| member.split_once(' ')).filter(|(_, name)| *name != "bridge")
        {
            let is_named =
                [format!("`{name}`"), format!("`order.{name}`"), format!("`order.{name}."), format!(".{name}`")];
            assert!(is_named.iter().any(|name| section.contains(name)), "{name}");
        }
    }
}
