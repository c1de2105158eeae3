//! A JSON document that writes back exactly what it read, apart from blanks.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use indexmap::IndexMap;
use serde_json::Value;
use serde_json::value::RawValue;

/// A node. Scalars keep their text: `1.0`, a 20-digit integer and `"\u00e9"` survive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Json {
    Scalar(String),
    Array(Vec<Json>),
    Object(IndexMap<String, Json>),
}

impl Json {
    /// Reads a whole document. The last of duplicate members counts.
    ///
    /// # Errors
    /// The fault in the text, and where; too deep a nesting too.
    pub fn parse(text: &str) -> Result<Self, serde_json::Error> {
        // Raw values have no limit to how deep they are nested; values have one.
        let _: Value = serde_json::from_str(text)?;
        Self::from_raw(serde_json::from_str(text)?)
    }

    pub fn null() -> Self {
        Self::Scalar("null".into())
    }

    pub fn string(text: &str) -> Self {
        Self::Scalar(Value::from(text).to_string())
    }

    pub fn object<'n>(members: impl IntoIterator<Item = (&'n str, Self)>) -> Self {
        Self::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    }

    /// An object with a member added or replaced.
    pub fn with(mut self, name: &str, value: Self) -> Self {
        if let Self::Object(members) = &mut self {
            members.insert(name.to_owned(), value);
        }
        self
    }

    /// The member of that name.
    pub fn get(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Object(members) => members.get(name),
            _ => None,
        }
    }

    /// The node at an RFC 6901 pointer.
    pub fn at(&self, pointer: &str) -> Option<&Self> {
        steps(pointer)?.iter().try_fold(self, |node, step| match node {
            Self::Array(items) => items.get(step.parse::<usize>().ok()?),
            node => node.get(step),
        })
    }

    pub(super) fn at_mut(&mut self, steps: &[String]) -> Option<&mut Self> {
        steps.iter().try_fold(self, |node, step| match node {
            Self::Array(items) => items.get_mut(step.parse::<usize>().ok()?),
            Self::Object(members) => members.get_mut(step),
            Self::Scalar(_) => None,
        })
    }

    /// The text of a string node, unescaped.
    pub fn as_str(&self) -> Option<String> {
        match self {
            Self::Scalar(text) if text.starts_with('"') => serde_json::from_str(text).ok(),
            _ => None,
        }
    }

    /// A number or a boolean.
    pub fn as_scalar<T: FromStr>(&self) -> Option<T> {
        match self {
            Self::Scalar(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// A plain JSON integer: digits only.
    pub fn as_u64(&self) -> Option<u64> {
        self.as_scalar()
    }

    /// Whether it is the same document to a parser of JSON: members in any order, texts and numbers however written, these
    /// as floats.
    pub fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Array(items), Self::Array(others)) => {
                items.len() == others.len() && items.iter().zip(others).all(|(item, other)| item.is_like(other))
            }
            (Self::Object(members), Self::Object(others)) => {
                members.len() == others.len()
                    && members.iter().all(|(name, value)| other.get(name).is_some_and(|other| value.is_like(other)))
            }
            (Self::Scalar(text), Self::Scalar(other_text)) => {
                let number = |text: &str| text.parse::<f64>().ok();
                match (number(text), number(other_text)) {
                    (Some(one), Some(other)) => one.partial_cmp(&other) == Some(Ordering::Equal),
                    _ => text == other_text || (self.as_str().is_some() && self.as_str() == other.as_str()),
                }
            }
            _ => false,
        }
    }

    /// The texts of every string member of that name, at any depth.
    pub fn values_of(&self, name: &str) -> Vec<String> {
        match self {
            Self::Scalar(_) => Vec::new(),
            Self::Array(items) => items.iter().flat_map(|item| item.values_of(name)).collect(),
            Self::Object(members) => {
                let own = members.get(name).and_then(Self::as_str);
                own.into_iter().chain(members.values().flat_map(|value| value.values_of(name))).collect()
            }
        }
    }

    /// Paths of every member and item, `/` between names, `[]` for the items of an array.
    pub fn member_paths(&self) -> Vec<String> {
        let mut paths = Vec::new();
        self.collect_paths("", &mut paths);
        paths
    }

    fn collect_paths(&self, prefix: &str, paths: &mut Vec<String>) {
        match self {
            Self::Scalar(_) => {}
            Self::Array(items) => {
                let path = format!("{prefix}[]");
                for item in items {
                    item.collect_paths(&path, paths);
                    paths.push(path.clone());
                }
            }
            Self::Object(members) => {
                for (name, value) in members {
                    let path = if prefix.is_empty() { name.clone() } else { format!("{prefix}/{name}") };
                    value.collect_paths(&path, paths);
                    paths.push(path);
                }
            }
        }
    }

    fn from_raw(raw: &RawValue) -> Result<Self, serde_json::Error> {
        let text = raw.get();
        match text.as_bytes().first() {
            Some(b'{') => {
                let members: IndexMap<String, &RawValue> = serde_json::from_str(text)?;
                let read = |(name, value): (String, &RawValue)| Ok((name, Self::from_raw(value)?));
                members.into_iter().map(read).collect::<Result<_, _>>().map(Self::Object)
            }
            Some(b'[') => {
                let items: Vec<&RawValue> = serde_json::from_str(text)?;
                items.into_iter().map(Self::from_raw).collect::<Result<_, _>>().map(Self::Array)
            }
            _ => Ok(Self::Scalar(text.to_owned())),
        }
    }
}

impl From<Value> for Json {
    fn from(value: Value) -> Self {
        match value {
            Value::Array(items) => Self::Array(items.into_iter().map(Self::from).collect()),
            Value::Object(members) => {
                Self::Object(members.into_iter().map(|(name, value)| (name, Self::from(value))).collect())
            }
            scalar => Self::Scalar(scalar.to_string()),
        }
    }
}

impl fmt::Display for Json {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scalar(text) => out.write_str(text),
            Self::Array(items) => {
                out.write_str("[")?;
                for (index, item) in items.iter().enumerate() {
                    write!(out, "{}{item}", if index == 0 { "" } else { "," })?;
                }
                out.write_str("]")
            }
            Self::Object(members) => {
                out.write_str("{")?;
                for (index, (name, value)) in members.iter().enumerate() {
                    let comma = if index == 0 { "" } else { "," };
                    write!(out, "{comma}{}:{value}", Value::from(name.as_str()))?;
                }
                out.write_str("}")
            }
        }
    }
}

/// Splits an RFC 6901 pointer into unescaped steps; none where it is malformed.
pub(super) fn steps(pointer: &str) -> Option<Vec<String>> {
    if pointer.is_empty() {
        return Some(Vec::new());
    }
    let rest = pointer.strip_prefix('/')?;
    Some(rest.split('/').map(|step| step.replace("~1", "/").replace("~0", "~")).collect())
}

#[cfg(test)]
mod tests {
    use super::Json;

    #[test]
    fn text_that_parse_and_stringify_would_change_is_kept() {
        let text = r#"{"b":1.0,"a":[9007199254740993,-0,1e3,"\u00e9\/"],"10":{},"c":null}"#;
        assert_eq!(Json::parse(text).unwrap().to_string(), text);
    }

    #[test]
    fn depth_has_a_limit() {
        let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        assert!(Json::parse(&nested(64)).is_ok());
        assert!(Json::parse(&nested(1_000_000)).is_err());
        assert!(Json::parse(&format!(r#"["{}\\\"["]"#, "[".repeat(100))).is_ok(), "in a string they do not count");
    }

    #[test]
    fn members_items_and_values_are_found_at_any_depth() {
        let json = Json::parse(r#"[{"status":"A","of":{"status":"B"},"at":[1]},{"status":null}]"#).unwrap();
        assert_eq!(json.values_of("status"), ["A", "B"]);
        let paths: std::collections::BTreeSet<String> = json.member_paths().into_iter().collect();
        assert_eq!(Vec::from_iter(paths), ["[]", "[]/at", "[]/at[]", "[]/of", "[]/of/status", "[]/status"]);
        assert_eq!(Json::parse("[\"x\"]").unwrap().member_paths(), ["[]"]);
    }

    #[test]
    fn what_a_parser_cannot_tell_apart_is_equal() {
        let alike = |one: &str, other: &str| {
            let (one, other) = (Json::parse(one).unwrap(), Json::parse(other).unwrap());
            assert_eq!(one.is_like(&other), other.is_like(&one));
            one.is_like(&other)
        };
        assert!(alike(r#"{"b":1.0,"10":[-0,1e3,"\u00e9"],"a":null}"#, r#"{"10":[0,1000,"é"],"a":null,"b":1}"#));
        assert!(alike("[12345678901234567890]", "[12345678901234567000]"));
        for (one, other) in [
            (r#"{"a":1}"#, r#"{"a":1,"b":1}"#),
            (r#"{"a":1}"#, r#"{"b":1}"#),
            ("[1,2]", "[2,1]"),
            (r#"["1"]"#, "[1]"),
            ("[null]", "[false]"),
            ("[]", "{}"),
            (r#"["NaN"]"#, r#"["nan"]"#),
        ] {
            assert!(!alike(one, other), "{one} {other}");
        }
    }

    #[test]
    fn a_pointer_finds_members_items_and_escaped_names() {
        let json = Json::parse(r#"{"a/b":[{"c":"x"}],"~":2}"#).unwrap();
        assert_eq!(json.at("/a~1b/0/c").unwrap().as_str().unwrap(), "x");
        assert_eq!(json.at("/~0").unwrap().as_u64(), Some(2));
        assert_eq!(json.at("/a~1b/1"), None);
    }
}
