//! JSON trees: a place in one, by path.

use verify::internal::json::{Json, parse};

pub fn json(text: &str) -> Json {
    parse(text).unwrap_or_else(|why| panic!("{why:?} in {text}"))
}

/// The value at a path, with dots.
pub fn at<'a>(tree: &'a Json, path: &str) -> &'a Json {
    path.split('.').fold(tree, |tree, name| match tree {
        Json::Array(items) => &items[name.parse::<usize>().unwrap()],
        _ => tree.get(name).unwrap_or_else(|| panic!("no {name} of {path}")),
    })
}

/// The text of a string, or of a number.
pub fn text<'a>(tree: &'a Json, path: &str) -> &'a str {
    match at(tree, path) {
        Json::String(text) | Json::Number(text) => text,
        other => panic!("{path} is {other:?}"),
    }
}

/// The verdicts of a build's report about a field.
pub fn verdicts<'a>(build: &'a Json, field: &str) -> Vec<&'a str> {
    let Json::Array(checks) = at(build, "report.checks") else { panic!() };
    checks.iter().filter(|check| text(check, "field") == field).map(|check| text(check, "verdict")).collect()
}

/// Puts the members of an object into another one. A member that is an object in both has the members of both.
pub fn merge(tree: &mut Json, more: Json) {
    let (Json::Object(members), Json::Object(more)) = (tree, more) else { panic!("no objects") };
    for (name, value) in more {
        match members.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known @ Json::Object(_))) => merge(known, value),
            Some((_, known)) => *known = value,
            None => members.push((name, value)),
        }
    }
}

/// Puts a value, written as JSON, where the path says; a member that is not there is added.
pub fn set(tree: &mut Json, path: &str, value: &str) {
    let (first, rest) = path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)));
    let place = match tree {
        Json::Array(items) => &mut items[first.parse::<usize>().unwrap()],
        Json::Object(members) => {
            if !members.iter().any(|(name, _)| name == first) {
                members.push((first.into(), Json::Object(vec![])));
            }
            &mut members.iter_mut().find(|(name, _)| name == first).unwrap().1
        }
        other => panic!("{other:?} has no {path}"),
    };
    match rest {
        Some(rest) => set(place, rest, value),
        None => *place = json(value),
    }
}
