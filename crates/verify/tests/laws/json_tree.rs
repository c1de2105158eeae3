//! The JSON tree: nothing is lost, nothing is read two ways, and no text whatsoever makes the reader panic.

use proptest::prelude::*;
use serde::de::IgnoredAny;
use verified_swap_verify::internal::json::{Json, MAX_DEPTH, MAX_MEMBERS, items, members, parse};

/// Any number JSON can write, as text.
const NUMBER: &str = "-?(0|[1-9][0-9]{0,30})(\\.[0-9]{1,20})?([eE][+-]?[0-9]{1,3})?";

fn json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::Bool),
        NUMBER.prop_map(Json::Number),
        any::<String>().prop_map(Json::String),
    ];
    leaf.prop_recursive(5, 40, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Json::Array),
            prop::collection::vec((any::<String>(), inner), 0..5).prop_map(|members| {
                let mut unique: Vec<(String, Json)> = Vec::new();
                for (name, value) in members {
                    if name != "__proto__" && !unique.iter().any(|(earlier, _)| *earlier == name) {
                        unique.push((name, value));
                    }
                }
                Json::Object(unique)
            }),
        ]
    })
}

fn string(text: impl Into<String>) -> Json {
    Json::String(text.into())
}

/// Whether another reader takes the text for JSON, whatever it makes of it.
fn is_json(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// The text with every character of every string written as an escape, which means the same.
fn escaped(json: &Json) -> String {
    let text = |text: &str| {
        let units: String = text.encode_utf16().map(|unit| format!("\\u{unit:04X}")).collect();
        ["\"", &units, "\""].concat()
    };
    match json {
        Json::String(value) => text(value),
        Json::Array(items) => ["[", &items.iter().map(escaped).collect::<Vec<_>>().join(" , "), "]"].concat(),
        Json::Object(members) => {
            let members = members.iter().map(|(name, value)| [&text(name), "\n:\t", &escaped(value)].concat());
            ["{", &members.collect::<Vec<_>>().join(","), " }"].concat()
        }
        other => other.write(),
    }
}

proptest! {
    #[test]
    fn written_json_reads_back_to_the_same_tree(json in json()) {
        let text = json.write();
        prop_assert!(is_json(&text), "{}", text);
        prop_assert_eq!(parse(&text), Ok(json));
    }

    #[test]
    fn escapes_and_blanks_change_nothing(json in json()) {
        prop_assert_eq!(parse(&escaped(&json)), Ok(json));
    }

    #[test]
    fn a_number_keeps_its_text(number in NUMBER) {
        prop_assert_eq!(parse(&number), Ok(Json::Number(number.clone())));
        let array = ["[", &number, "]"].concat();
        prop_assert_eq!(parse(&array).unwrap().write(), array);
    }

    #[test]
    fn members_keep_their_original_text(values in prop::collection::vec((json(), " {0,2}", any::<bool>()), 1..6)) {
        let raw: Vec<String> = values.iter().map(|(json, _, plain)| if *plain { json.write() } else { escaped(json) }).collect();
        let parts = raw.iter().zip(&values).enumerate();
        let parts = parts.map(|(index, (raw, (_, blank, _)))| format!("\"m{index}\"{blank}:{blank}{raw}{blank}"));
        let text = format!(" {{{}}} ", parts.collect::<Vec<_>>().join(","));
        let found = members(&text).unwrap();
        prop_assert_eq!(found.len(), raw.len());
        for (index, ((name, slice), raw)) in found.iter().zip(&raw).enumerate() {
            prop_assert_eq!(name, &format!("m{index}"));
            prop_assert_eq!(slice, raw);
        }
    }

    #[test]
    fn duplicate_members_are_refused_however_they_are_escaped(
        name in any::<String>(), between in 0usize..4, first_escaped in any::<bool>(), second_escaped in any::<bool>(), deep in 0usize..5,
    ) {
        let spelled = |escape: bool| if escape { escaped(&string(name.clone())) } else { string(name.clone()).write() };
        let others: String = (0..between).map(|index| format!("\"other {index}\":{index},")).collect();
        let object = format!("{{{}:1,{others}{}:1}}", spelled(first_escaped), spelled(second_escaped));
        prop_assert!(is_json(&object), "{}", object);
        let text = ["[".repeat(deep), object.clone(), "]".repeat(deep)].concat();
        prop_assert!(parse(&text).is_err(), "{}", text);
        prop_assert!(members(&object).is_err(), "{}", object);
        let outer = format!("{{\"outer\":{object}}}");
        prop_assert!(members(&outer).is_err(), "{}", outer);
    }

    #[test]
    fn damaged_text_is_refused_or_read_like_any_other_reader_does(
        json in json(), edits in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(BYTES.to_vec()), 0u8..3), 1..4),
    ) {
        let mut bytes = json.write().into_bytes();
        for (at, byte, kind) in edits {
            let at = at.index(bytes.len().max(1)).min(bytes.len().saturating_sub(1));
            match kind {
                0 if !bytes.is_empty() => bytes[at] = byte,
                1 if !bytes.is_empty() => { bytes.remove(at); }
                _ => bytes.insert(at, byte),
            }
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        match parse(&text) {
            Ok(tree) => {
                prop_assert!(is_json(&text), "accepted: {}", text);
                prop_assert_eq!(parse(&tree.write()).map(|again| again.write()), Ok(tree.write()));
            }
            Err(error) => {
                let may_be_json = ["two members of one name", "nested too deeply", "too many members"].contains(&error.reason);
                prop_assert!(may_be_json || !is_json(&text), "refused as {:?}: {}", error, text);
                prop_assert!(error.at <= text.len());
            }
        }
    }

    #[test]
    fn no_text_makes_it_panic(text in any::<String>(), jsonish in "[\\[\\]{}\",:\\\\ntfu0-9eE+.\\- \\x00-\\x1f\u{e9}]{0,40}") {
        for text in [&text, &jsonish] {
            let _ = members(text);
            let accepted = parse(text).is_ok();
            prop_assert!(!accepted || is_json(text), "{}", text);
        }
    }
}

/// The bytes that texts are damaged with: JSON's own signs first.
const BYTES: &[u8] = b"{}[]\",:\\0129-+.eEtfnu /\x00\x1f\x7f\xc3\xff";

#[test]
fn nesting_is_read_up_to_the_limit_and_not_beyond() {
    let nested = |depth: usize| ["[".repeat(depth), "0".into(), "]".repeat(depth)].concat();
    assert!(parse(&nested(MAX_DEPTH)).is_ok());
    assert_eq!(parse(&nested(MAX_DEPTH + 1)).unwrap_err().reason, "nested too deeply");
    assert!(parse(&nested(1_000_000)).is_err());
    assert!(parse(&"[".repeat(1_000_000)).is_err());
    assert!(members(&format!("{{\"a\":{}}}", nested(1_000_000))).is_err());
    let objects = |depth: usize| ["{\"a\":".repeat(depth), "0".into(), "}".repeat(depth)].concat();
    assert!(parse(&objects(MAX_DEPTH)).is_ok());
    assert!(parse(&objects(MAX_DEPTH + 1)).is_err());
}

#[test]
fn an_object_may_have_members_up_to_the_limit_and_not_beyond() {
    let wide = |count: usize| {
        let members: Vec<String> = (0..count).map(|index| format!("\"{index}\":{index}")).collect();
        format!("{{{}}}", members.join(","))
    };
    assert!(parse(&wide(MAX_MEMBERS)).is_ok());
    assert_eq!(parse(&wide(MAX_MEMBERS + 1)).unwrap_err().reason, "too many members");
}

#[test]
fn what_a_round_trip_through_a_float_would_change_stays() {
    for text in [
        "[1.0,9007199254740993,1e400,-0,0.10,12345678901234567890]",
        "{\"10\":1,\"2\":2,\"a\":3}",
        "{\"b\":1,\"a\":{\"z\":[],\"y\":{}}}",
    ] {
        assert_eq!(parse(text).unwrap().write(), text);
    }
}

#[test]
fn a_proto_member_is_not_written() {
    let tree = parse("{\"a\":1,\"__proto__\":{\"x\":1},\"b\":{\"__proto__\":2}}").unwrap();
    assert_eq!(tree.write(), "{\"a\":1,\"b\":{}}");
    let escaped = parse("{\"\\u005f_proto__\":1}").unwrap();
    assert_eq!(escaped.write(), "{}");
}

#[test]
fn text_that_is_almost_json_is_refused() {
    for text in [
        "",
        " ",
        "nul",
        "nulll",
        "True",
        "01",
        "-",
        "+1",
        "1.",
        ".5",
        "1e",
        "1e+",
        "0x1",
        "NaN",
        "Infinity",
        "'a'",
        "\"a",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\u12g4\"",
        "\"\n\"",
        "\"\t\"",
        "[1,]",
        "[,1]",
        "[1 2]",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{a:1}",
        "{\"a\":1 \"b\":2}",
        "1 1",
        "[1]]",
        "{}{}",
        "//\n1",
        "/**/1",
        "\u{feff}1",
        "1\u{a0}",
        "\u{b}1",
    ] {
        assert!(parse(text).is_err(), "{text:?} was read");
        assert!(!is_json(text), "{text:?} is JSON after all");
    }
}

#[test]
fn a_lone_surrogate_becomes_the_replacement_character_and_a_pair_one_character() {
    assert_eq!(parse("\"\\ud83d\\ude00\""), Ok(string("\u{1f600}")));
    for (text, read) in [
        ("\"\\ud83d\"", "\u{fffd}"),
        ("\"\\ude00\"", "\u{fffd}"),
        ("\"\\ud83dx\"", "\u{fffd}x"),
        ("\"\\ud83d\\u0041\"", "\u{fffd}A"),
        ("\"\\ud83d\\n\"", "\u{fffd}\n"),
        ("\"\\ud83d\\ud83d\\ude00\"", "\u{fffd}\u{1f600}"),
        ("\"\\ude00\\ud83d\"", "\u{fffd}\u{fffd}"),
    ] {
        assert_eq!(parse(text), Ok(string(read)), "{text}");
    }
}

#[test]
fn items_keep_their_original_text() {
    assert_eq!(
        items(r#" [ {"a":1.0, "b":[1,2]} ,"x,]" , 3 ] "#).unwrap(),
        [r#"{"a":1.0, "b":[1,2]}"#, r#""x,]""#, "3"]
    );
    assert_eq!(items("[]").unwrap(), Vec::<&str>::new());
    for wrong in ["", "{}", "[1", "[1,]", "[,1]", "[1 2]", "[1]x", r#"[{"a":1,"a":2}]"#, "null"] {
        assert!(items(wrong).is_err(), "{wrong}");
    }
}
