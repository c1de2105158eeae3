//! The verbs, their one-line descriptions, and the nearest name for a mistyped one.

/// A command of `cargo xtask`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verb {
    Demo,
    Test,
    Sandbox,
    Package,
    Bench,
    Size,
    Probe,
    Screenshots,
    Engines,
}

const VERBS: [(Verb, &str, &str); 9] = [
    (Verb::Demo, "demo", "build everything, start page and service, print the URL; Ctrl-C ends it"),
    (Verb::Test, "test", "every suite, or only those named after it: cargo xtask test [NAME...]"),
    (Verb::Sandbox, "sandbox", "the service and its chains alone, to develop a dApp against"),
    (Verb::Package, "package", "the npm tarball, with what is in it"),
    (Verb::Bench, "bench", "sizes and speeds beside what one would use instead"),
    (Verb::Size, "size", "what the package costs to download, and its largest functions"),
    (
        Verb::Probe,
        "probe",
        "ask a live service, signing nothing: cargo xtask probe --base-url URL [--chain ID]... [--orders-of ADDRESS]",
    ),
    (Verb::Screenshots, "screenshots", "the two pictures of the README"),
    (Verb::Engines, "engines", "the page in Firefox and WebKitGTK, where they are installed"),
];

impl Verb {
    pub fn named(name: &str) -> Option<Self> {
        VERBS.iter().find(|(_, known, _)| *known == name).map(|(verb, _, _)| *verb)
    }
}

/// All verbs, one line each.
pub fn overview() -> String {
    let mut text = String::from("cargo xtask VERB\n");
    for (_, name, description) in VERBS {
        text.push_str(&format!("\n  {name:<12} {description}"));
    }
    text
}

/// What to say to a verb that does not exist.
pub fn unknown(name: &str) -> String {
    format!(
        "There is no verb `{name}`.{}\n\n{}",
        nearest_hint(name, VERBS.iter().map(|(_, known, _)| *known)),
        overview()
    )
}

/// ` Did you mean ...?` with the nearest of `known`, or nothing where none is near.
pub fn nearest_hint<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    match known.map(|known| (distance(name, known), known)).min() {
        Some((distance, nearest)) if distance * 2 <= nearest.len() => format!(" Did you mean `{nearest}`?"),
        _ => String::new(),
    }
}

/// Levenshtein distance: how many letters must be added, dropped or replaced.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (line, letter) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = line + 1;
        for (column, other) in right.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != *other);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verb_is_found_by_its_name_and_listed() {
        for (verb, name, description) in VERBS {
            assert_eq!(Verb::named(name), Some(verb));
            assert!(overview().contains(description));
        }
    }

    #[test]
    fn a_mistyped_verb_is_answered_with_the_nearest_one() {
        assert!(unknown("dmeo").contains("Did you mean `demo`?"));
        assert!(unknown("screenshot").contains("Did you mean `screenshots`?"));
        assert!(!unknown("xyzzyplugh").contains("Did you mean"));
    }

    #[test]
    fn the_distance_counts_single_letter_edits() {
        assert_eq!(distance("", "size"), 4);
        assert_eq!(distance("size", "size"), 0);
        assert_eq!(distance("sizes", "size"), 1);
        assert_eq!(distance("tset", "test"), 2);
    }
}
