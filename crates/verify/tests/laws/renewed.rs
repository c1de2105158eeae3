//! Laws of the answers that a renewed build takes over: a bound that is no worse carries the answers about its price, a
//! worse one or one that is not known carries none, and an answer about the data of one build stays with that build.

use proptest::prelude::*;
use std::string::ToString;
use verified_swap_verify::internal::domain::verify::renewed::{carries_over, is_no_worse};
use verified_swap_verify::internal::json::{Json, JsonAt, parse};

/// The bounds of a build: the most spent, the least received, and where it arrives on another chain the least there;
/// `None` is a promise alone.
type Bounds = (u64, u64, Option<(Option<u64>, u64)>);

fn any_bounds() -> impl Strategy<Value = Bounds> {
    let there = proptest::option::of((proptest::option::of(0_u64..4), 0_u64..4));
    (0_u64..4, 0_u64..4, there)
}

fn build((most, least, there): Bounds, questions: &str) -> String {
    let there = there.map(|(least, expected)| {
        let least = least.map_or("null".into(), |least| format!(r#""{least}""#));
        format!(r#", "destination": {{"minReceived": {least}, "expected": "{expected}"}}"#)
    });
    let request = r#"{"chainId": 1, "amount": "7", "side": "SELL"}"#;
    let report = format!(r#"{{"questions": [{questions}]}}"#);
    let bounds = format!(r#""maxSpent": "{most}", "minReceived": "{least}"{}"#, there.unwrap_or_default());
    format!(r#"{{"kind": "delta", "owner": "0x1", "request": {request}, {bounds}, "report": {report}}}"#)
}

fn question(id: &str, reason: &str, field: &str, below: Option<i64>) -> String {
    let below = below.map(|bps| format!(r#", "belowBps": {bps}"#)).unwrap_or_default();
    format!(r#"{{"id": "{id}", "reason": "{reason}", "field": "{field}"{below}}}"#)
}

fn read(text: &str) -> Json {
    parse(text).unwrap()
}

fn carried(answered: &str, next: &str, before: &str) -> Vec<String> {
    let (answered, next) = (read(&format!("[{answered}]")), read(next));
    let ids = carries_over(&JsonAt::input(&answered, "questions"), &next, &read(before)).unwrap();
    ids.into_iter().map(ToString::to_string).collect()
}

/// The rule in other words: each pair of bounds is no worse, and a promise takes the place of a promise only.
fn rule((most, least, there): Bounds, (most_then, least_then, there_then): Bounds) -> bool {
    let arrives = match (there, there_then) {
        (None, None) => true,
        (Some((Some(now), _)), Some((then, expected))) => now >= then.unwrap_or(expected),
        (Some((None, now)), Some((None, then))) => now >= then,
        _ => false,
    };
    most <= most_then && least >= least_then && arrives
}

proptest! {
    #[test]
    fn no_worse_is_no_more_spent_and_no_less_received(next in any_bounds(), before in any_bounds()) {
        let asked = |id| question(id, "noReference", "quote.price", None);
        let (now, then) = (build(next, &asked("b")), build(before, &asked("a")));
        prop_assert_eq!(is_no_worse(&read(&now), &read(&then)), rule(next, before));
        prop_assert_eq!(carried(&asked("a"), &now, &then), if rule(next, before) { vec!["b"] } else { vec![] });
    }

    #[test]
    fn it_is_an_order_of_builds(one in any_bounds(), two in any_bounds(), three in any_bounds()) {
        let [a, b, c] = [one, two, three].map(|bounds| read(&build(bounds, "")));
        prop_assert!(is_no_worse(&a, &a));
        prop_assert!(!(is_no_worse(&a, &b) && is_no_worse(&b, &c)) || is_no_worse(&a, &c));
    }

    #[test]
    fn a_price_further_below_the_references_is_asked_about_again(
        now in proptest::option::of(-20_i64..20), then in proptest::option::of(-20_i64..20),
    ) {
        let before = question("a", "referencesDisagree", "quote.price", then);
        let next = question("b", "referencesDisagree", "quote.price", now);
        let bounds = (3, 3, None);
        let is_carried = match (now, then) {
            (None, None) => true,
            (Some(now), Some(then)) => now <= then,
            _ => false,
        };
        prop_assert_eq!(carried(&before, &build(bounds, &next), &build(bounds, &before)).is_empty(), !is_carried);
    }

    /// One member is replaced: a value that cannot be read is not as good as one that was read.
    #[test]
    fn an_unknown_bound_carries_nothing(
        which in 0..MEMBERS.len(), is_next in any::<bool>(),
        value in prop_oneof![Just("null"), Just("7"), Just(r#""07""#), Just(r#""-1""#), Just("{}"), Just(r#""""#)],
    ) {
        let asked = question("a", "noReference", "quote.price", None);
        let known = build((3, 3, Some((Some(3), 3))), &asked);
        let (name, was) = MEMBERS[which];
        let unknown = known.replacen(&[name, was].concat(), &[name, value].concat(), 1);
        prop_assert_ne!(&unknown, &known);
        let (next, before) = if is_next { (&unknown, &known) } else { (&known, &unknown) };
        // A bound that takes the place of a promise is compared with what was promised.
        let is_promise_before = name.contains("destination") && !is_next;
        prop_assert_eq!(is_no_worse(&read(next), &read(before)), is_promise_before);
        let renamed = next.replace(r#""id": "a""#, r#""id": "b""#);
        prop_assert_eq!(carried(&asked, &renamed, before).is_empty(), !is_promise_before);
    }
}

/// The members by which builds are compared, and their values in the test.
const MEMBERS: [(&str, &str); 6] = [
    (r#""kind": "#, r#""delta""#),
    (r#""owner": "#, r#""0x1""#),
    (r#""amount": "#, r#""7""#),
    (r#""maxSpent": "#, r#""3""#),
    (r#""minReceived": "#, r#""3""#),
    (r#""destination": {"minReceived": "#, r#""3""#),
];

#[test]
fn an_answer_stays_with_its_payload_its_reason_and_its_field() {
    let asked = |id, reason, field| question(id, reason, field, None);
    let cases = [
        // The same payload, whatever it binds.
        ("a", "receiverUnbound", "order.bridge.protocolData", (9, 0, None), true),
        ("b", "receiverUnbound", "order.bridge.protocolData", (3, 3, None), false),
        ("b", "mayHaveBeenSent", "transaction", (3, 3, None), false),
        ("b", "unlimitedPermit", "permit", (3, 3, None), false),
        ("b", "of a later version", "quote.price", (3, 3, None), false),
        ("b", "noReference", "quote.price", (3, 3, None), true),
        ("b", "gasUnjudged", "quote.price", (3, 3, None), true),
    ];
    for (id, reason, field, bounds, is_carried) in cases {
        let before = asked("a", reason, field);
        let next = build(bounds, &asked(id, reason, field));
        let ids = carried(&before, &next, &build((3, 3, None), &before));
        assert_eq!(ids, if is_carried { vec![id] } else { vec![] }, "{id} {reason}");
    }
    let before = asked("a", "noReference", "quote.price");
    for other in [asked("b", "referenceSilent", "quote.price"), asked("b", "noReference", "order.bridgeInput.price")] {
        assert!(carried(&before, &build((3, 3, None), &other), &build((3, 3, None), &before)).is_empty(), "{other}");
    }
    assert!(
        carried("", &build((3, 3, None), &before), &build((3, 3, None), &before)).is_empty(),
        "nothing was answered"
    );
}

#[test]
fn only_gasless_and_market_builds_of_one_kind_owner_and_request_are_compared() {
    let known = build((3, 3, None), "");
    assert!(is_no_worse(&read(&known), &read(&known)));
    for (was, is) in [("delta", "market"), ("0x1", "0x2"), ("SELL", "BUY"), (r#""request""#, r#""asked""#)] {
        assert!(!is_no_worse(&read(&known.replace(was, is)), &read(&known)), "{is}");
    }
    let otc = read(&known.replace("delta", "otc"));
    assert!(!is_no_worse(&otc, &otc));
}
