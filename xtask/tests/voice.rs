//! The voice of comments: each names the thing that it documents.

use std::fs;
use std::path::{Path, PathBuf};

/// The words that begin a comment, or a sentence of it, and avoid its noun.
const OPENINGS: [&str; 5] = ["What", "Who", "Whose", "Whoever", "Of"];

const FOLDERS: [&str; 8] = ["crates", "examples", "pkg-template", "src", "tests", "www-example", "www-site", "xtask"];
const EXTENSIONS: [&str; 7] = ["rs", "ts", "tsx", "mjs", "js", "css", "sol"];

#[test]
fn no_comment_begins_without_its_noun() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut open: Vec<PathBuf> = FOLDERS.iter().map(|folder| root.join(folder)).collect();
    let (mut found, mut comments) = (Vec::new(), 0);
    while let Some(path) = open.pop() {
        if path.is_dir() && !path.ends_with("node_modules") {
            open.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        }
        if path.is_dir() || path.extension().is_none_or(|extension| !EXTENSIONS.iter().any(|one| *one == extension)) {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        for (line, comment) in text.lines().enumerate().filter_map(|(line, text)| Some((line + 1, comment(text)?))) {
            comments += 1;
            if begins_without_noun(comment) {
                found.push(format!("{}:{line}: {comment}", path.strip_prefix(root).unwrap().display()));
            }
        }
    }
    assert!(comments > 5_000, "only {comments} lines of comments were found");
    assert_eq!(found, Vec::<String>::new(), "name the thing: \"The account that pays\", not \"Who pays\"");
}

/// The text of a line that is a comment.
fn comment(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let text = ["//", "/*", "* "].iter().find_map(|mark| line.strip_prefix(mark))?;
    Some(text.trim_start_matches(['/', '!', '*']).trim_start())
}

/// Whether the line, or a sentence that begins in it, opens with one of the words.
fn begins_without_noun(comment: &str) -> bool {
    let mut sentences = comment.split(['.', ':', '?']).filter_map(|rest| rest.strip_prefix(' '));
    let opens =
        |text: &str| OPENINGS.iter().any(|word| text.split(|sign: char| !sign.is_alphabetic()).next() == Some(word));
    opens(comment) || sentences.any(opens)
}

#[test]
fn openings_are_found() {
    let cases = [
        ("/// What is asked.", true),
        ("    // Of two, the first.", true),
        ("//! A page: its forms. Who signs it pays.", true),
        ("/* What it shows. */", true),
        ("/// `Of` an order.", false),
        ("/// The account that signs. Whole units.", false),
        ("/// Offers of makers.", false),
        ("/// As of a block. What.", true),
    ];
    for (line, is_found) in cases {
        assert_eq!(begins_without_noun(comment(line).unwrap()), is_found, "{line}");
    }
    assert_eq!(comment("let page = \"https://eips.ethereum.org\";"), None);
}
