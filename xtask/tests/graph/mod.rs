//! Which file imports which: of the crates, whose modules name each other by `crate::`, and of scripts.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The top of the checkout.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// The Rust files of a folder, each with its text.
pub fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut open = vec![root().join(folder)];
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

/// Each file with those it imports.
pub type Imports = BTreeMap<String, BTreeSet<String>>;

/// The name of a file as a module: its crate's folder, and what is behind `src`.
pub fn module(path: &Path) -> String {
    let path = path.strip_prefix(root()).unwrap().with_extension("");
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    let source = parts.iter().position(|part| part == "src").unwrap();
    let name = source.checked_sub(1).map_or("src", |place| &parts[place]).replace('-', "_");
    let inside = parts[source + 1..].iter().filter(|part| !["mod", "lib", "main"].contains(&part.as_str()));
    std::iter::once(name).chain(inside.cloned()).collect::<Vec<_>>().join("::")
}

/// The modules of the crates in these folders that a source names, by `use` or in its code: `a::b::c` for the longest path that is a file.
/// A `mod.rs` that only lists and passes on its own children is not their user.
pub fn imports_of(folders: &[&str]) -> Imports {
    let files: Vec<_> = folders.iter().flat_map(|folder| sources(folder)).collect();
    let known: BTreeSet<String> = files.iter().map(|(path, _)| module(path)).collect();
    let mut imports = Imports::new();
    for (path, text) in &files {
        let own = module(path);
        let parents: Vec<&str> = own.split("::").collect();
        let names = ["crate::", "super::", "verify::internal::", "trade::", "verified_swap_explain::"];
        let code: String =
            text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join(" ");
        let found = imports.entry(own.clone()).or_default();
        for (start, _) in names.into_iter().flat_map(|name| code.match_indices(name)) {
            // The middle of a longer path is no beginning of one.
            if code[..start].ends_with(|before: char| before.is_alphanumeric() || before == '_' || before == ':') {
                continue;
            }
            for path in named(&code[start..], &[]) {
                let up = path.iter().take_while(|part| *part == "super").count();
                let base = match path[0].as_str() {
                    "super" => &parents[..parents.len() - up],
                    "crate" => &parents[..1],
                    "verified_swap_explain" => &["explain"],
                    other => &[other],
                };
                let rest = path.iter().skip(up.max(1)).map(String::as_str).filter(|part| *part != "internal");
                let full: Vec<&str> = base.iter().copied().chain(rest).collect();
                let longest = (1..=full.len()).rev().map(|end| full[..end].join("::")).find(|one| known.contains(one));
                found.extend(longest.filter(|one| *one != own && !one.starts_with(&format!("{own}::"))));
            }
        }
    }
    imports
}

/// The paths in the text of a path, which may end in a list of others: `a::{b, c::d}`.
fn named(text: &str, before: &[String]) -> Vec<Vec<String>> {
    let mut path = before.to_vec();
    let mut rest = text;
    loop {
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        path.push(rest[..end].into());
        rest = &rest[end..];
        match rest.strip_prefix("::") {
            Some(list) if list.starts_with('{') => {
                let mut depth = 0;
                let mut starts = vec![1];
                for (place, c) in list.char_indices() {
                    depth += i32::from(c == '{') - i32::from(c == '}');
                    if c == ',' && depth == 1 {
                        starts.push(place + 1);
                    }
                    if depth == 0 {
                        break;
                    }
                }
                return starts.into_iter().flat_map(|start| named(list[start..].trim_start(), &path)).collect();
            }
            Some(more) if more.starts_with(|c: char| c.is_alphanumeric() || c == '_') => rest = more,
            _ => return vec![path],
        }
    }
}

/// The files of a folder that a script or a page is made of, by the relative paths they import from.
pub fn script_imports(folder: &str) -> Imports {
    let root = root().join(folder);
    let mut imports = Imports::new();
    let mut open = vec![root];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|extension| extension == "ts" || extension == "tsx" || extension == "js")
        {
            let text = fs::read_to_string(&path).unwrap();
            let from = text.split("from \"").skip(1).map(|rest| rest.split('"').next().unwrap());
            let targets = from.filter(|target| target.starts_with('.')).map(|target| {
                let mut place = path.parent().unwrap().to_path_buf();
                for part in target.split('/') {
                    match part {
                        "." => {}
                        ".." => drop(place.pop()),
                        name => place.push(name),
                    }
                }
                // The components to copy name their files as most apps do.
                let named = ["ts", "tsx"].map(|extension| PathBuf::from(format!("{}.{extension}", place.display())));
                let place = named.into_iter().find(|file| file.exists()).unwrap_or(place);
                place.to_string_lossy().into_owned()
            });
            imports.insert(path.to_string_lossy().into_owned(), targets.collect());
        }
    }
    assert!(!imports.is_empty(), "{folder} has no scripts");
    imports
}
