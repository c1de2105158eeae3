//! The law of absence at the verify entry: every member that it reads has a row in docs/verification.md, "Absent members", and
//! each published vector, also at worse prices, is judged again without each of its members.

use crate::absence_law::{Answer, Kind, Level, Row, broken, changed, names_in, names_of, path_of, row_of, table};
use crate::pointers::pointers;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use verified_swap_verify::internal::error::Error;
use verified_swap_verify::internal::json::parse;
use verified_swap_verify::internal::verifiers::VERIFIERS;

struct Vector {
    name: String,
    verifier: String,
    input: Value,
    is_honest: bool,
}

/// The time of the vectors.
const NOW: u64 = 1_800_000_000;

fn vectors() -> Vec<Vector> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../pkg-template/vectors.json");
    let all: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    assert_eq!(all["now"], NOW);
    let vectors = all["vectors"].as_array().unwrap().iter().map(|vector| Vector {
        name: text(&vector["name"]),
        verifier: text(&vector["verifier"]),
        input: vector["input"].clone(),
        is_honest: vector["expected"]["verdict"] != "refused",
    });
    vectors.collect()
}

fn run(verifier: &str, input: &Value) -> Result<Value, Error> {
    let (_, verify) = VERIFIERS.iter().find(|(name, _)| *name == verifier).unwrap();
    let report = verify(&parse(&input.to_string()).unwrap(), NOW)?;
    Ok(serde_json::from_str(&report).unwrap())
}

/// The answer of a verifier, as the law compares it, and its sentence or its error.
fn heard(verifier: &str, input: &Value) -> (Answer, String) {
    let texts = |list: &Value, name: &str| -> Vec<String> {
        list.as_array().into_iter().flatten().map(|one| one[name].as_str().unwrap_or_default().to_owned()).collect()
    };
    match run(verifier, input) {
        Err(error) => {
            let text = format!("{:?} {:?}", error.code, error.field);
            (Answer { level: Level::Refused, open: error.field.clone().into_iter().collect() }, text)
        }
        Ok(report) => {
            let checks = report["checks"].as_array().unwrap();
            let of = |verdict: &str| checks.iter().filter(|check| check["verdict"] == verdict).cloned().collect();
            let (unknown, unusual): (Value, Value) = (of("unknown"), of("unusual"));
            let questions = texts(&report["questions"], "reason");
            let level = match (questions.is_empty(), unusual.as_array().unwrap().is_empty()) {
                (false, _) => Level::Asked,
                (_, false) => Level::Unusual,
                _ => Level::Calm,
            };
            let unread =
                report["unread"].as_array().into_iter().flatten().map(|name| name.as_str().unwrap().to_owned());
            let open = questions.into_iter().chain(texts(&unknown, "field")).chain(unread).collect();
            (Answer { level, open }, report["sentence"].as_str().unwrap().to_owned())
        }
    }
}

/// Whether a place is beside the signed struct, whose members its type has, and beside an order to cancel.
fn is_beside_the_struct(place: &str) -> bool {
    let inside = |of: &str| place.strip_prefix(of).is_some_and(|rest| rest.matches('/').count() > 0);
    !inside("/toSign/") && !place.contains("/bridgeTokens/") && !place.contains("/order/")
}

/// Whether a verifier does not refuse a member of that name, at that place of an honest input.
fn is_known(verifier: &str, input: &Value, place: &str) -> bool {
    let name = place.rsplit('/').next();
    let refused = run(verifier, &changed(input, place, Some(Value::Null))).err();
    refused.and_then(|error| error.field.clone()).is_none_or(|field| field.rsplit('.').next() != name)
}

/// The objects of an input that refuse members that are not in their list, by the kind of input.
fn objects_of_options() -> Vec<(String, String, Value, String)> {
    let mut all = BTreeMap::new();
    for Vector { verifier, input, .. } in vectors().into_iter().filter(|vector| vector.is_honest) {
        let mut full = input.clone();
        full["contracts"] = json!({ "8453": {} });
        let is_swap = input["kind"] == "swap";
        if verifier == "verifyOrder" || is_swap {
            let (mode, options) = if is_swap { ("MARKET", "market") } else { ("DELTA", "delta") };
            full["request"]["mode"] = json!(mode);
            full["request"]["advanced"]["agreement"] = json!({});
            full["request"]["advanced"][options] = json!({});
        }
        if full["readings"].is_null() {
            full["readings"] = json!({});
        }
        for input in [input, full] {
            let mut places = vec![String::new()];
            pointers(&input, "", &mut places);
            for place in places.into_iter().filter(|place| is_beside_the_struct(place)) {
                let Some(Value::Object(there)) = input.pointer(&place) else { continue };
                let is_by_id = there.keys().next().is_some_and(|name| name.starts_with(|c: char| c.is_ascii_digit()));
                if !is_by_id
                    && !place.starts_with("/toSign")
                    && !is_known(&verifier, &input, &format!("{place}/noSuchMember"))
                {
                    let key = (verifier.clone(), input["kind"].to_string(), path_of(&place));
                    all.entry(key).or_insert_with(|| (verifier.clone(), input.clone(), place));
                }
            }
        }
    }
    all.into_iter().map(|((.., path), (verifier, input, place))| (verifier, place, input, path)).collect()
}

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Every member that a verifier takes or a reader of answers reads: found in the sources by its name, and by what
/// refuses it.
fn members() -> BTreeSet<String> {
    let sources = sources();
    let (mut names, mut found) = (BTreeSet::new(), BTreeSet::new());
    names_in(&sources, &mut names);
    for (verifier, place, input, path) in objects_of_options() {
        let there = input.pointer(&place).unwrap();
        for name in &names {
            if there.get(name).is_some() || is_known(&verifier, &input, &format!("{place}/{name}")) {
                found.insert(format!("{verifier}.{path}.{name}").replace("..", "."));
            }
        }
    }
    for (file, inside) in [("quote", "quote"), ("price_route", "quote"), ("otc", "orders.*")] {
        let text = std::fs::read_to_string(sources.join("wire").join(file).with_extension("rs")).unwrap();
        let (text, sent) = text.split_once("pub fn read_envelope").unwrap_or((&text, ""));
        found.extend(names_of(text).map(|name| format!("{inside}.{name}")));
        found.extend(names_of(sent).map(|name| format!("transaction.{name}")));
    }
    found
}

#[test]
fn each_member_has_a_row_of_absence_and_each_row_a_member() {
    let (rows, mut found) = (table(), members());
    for Vector { verifier, input, .. } in vectors() {
        let mut places = Vec::new();
        pointers(&input, "", &mut places);
        let is_name = |place: &String| !place.ends_with(|c: char| c.is_ascii_digit()) && is_beside_the_struct(place);
        found
            .extend(places.iter().filter(|place| is_name(place)).map(|place| format!("{verifier}.{}", path_of(place))));
    }
    let without: Vec<_> = found.iter().filter(|path| row_of(&rows, path).is_none()).collect();
    assert!(without.is_empty(), "no row in docs/verification.md: {without:?}");
    let once: BTreeSet<_> = rows.iter().map(|row| &row.member).collect();
    assert_eq!(once.len(), rows.len(), "a member with two rows");
    let mut names = BTreeSet::new();
    names_in(&sources(), &mut names);
    // The table has the members of `explain`, too.
    names_in(&sources().join("../../explain/src"), &mut names);
    let is_stale =
        |row: &&Row| row.member.split('.').any(|name| name != "*" && !names.contains(name) && name != "context");
    let stale: Vec<_> = rows.iter().filter(is_stale).map(|row| &row.member).collect();
    assert!(stale.is_empty(), "no such member: {stale:?}");
}

/// A price of the caller's that is worse for the trade by so many percent: by a reference or by prices of both tokens; with
/// costs stated in every way, bounds that are raised, and readings of gas.
fn worse(of: &Vector) -> Vec<Vector> {
    // A price, or `{ src, dest, price }`.
    let place = if of.input["reference"].is_object() { "/reference/price" } else { "/reference" };
    let price = of.input.pointer(place).map(|price| price.as_str().map_or_else(|| price.to_string(), String::from));
    let Some(reference) = price.and_then(|text| text.parse::<f64>().ok()) else { return vec![] };
    let (is_order, is_fill) = (!of.input["quote"]["route"].is_null(), of.verifier == "verifyFill");
    let mut all = Vec::new();
    let mut add = |what: String, input: &Value| {
        let name = format!("{}: {what}", of.name);
        all.push(Vector { name, verifier: of.verifier.clone(), input: input.clone(), is_honest: false });
    };
    for percent in [10, 14, 40] {
        let fair = format!("{:.12}", reference * 100.0 / f64::from(100 - percent));
        let mut input = changed(&of.input, place, Some(json!(fair)));
        add(format!("{percent} % worse"), &input);
        if is_fill {
            continue;
        }
        if is_order {
            let mut costly = input.clone();
            let out = input["quote"]["route"]["destination"]["output"].clone();
            let amount = (out["amount"].as_str().unwrap().parse::<u128>().unwrap() * 3 / 10).to_string();
            costly["quote"]["route"]["fees"] = json!({ "bridge": [{ "amountUSD": "30.00" }],
                "gas": { "token": out["token"], "amount": amount, "amountUSD": "30.00" } });
            add(format!("{percent} % worse, at high costs"), &costly);
            costly["readings"] = json!({ "gasPrice": "1000000000", "destGasPrice": "1000000000" });
            for name in ["nativePrice", "destNativePrice"] {
                let price = if out["token"]["address"].as_str().unwrap().starts_with("0x42") { "1" } else { "2500" };
                costly["readings"][name] = json!({ "src": "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE",
                    "dest": input["request"]["destToken"], "price": price });
            }
            // Costs one gwei times a million of units: 2.5 of 100 dollars.
            let is_read = |error: Error| error.field.as_deref().is_some_and(|field| field.starts_with("readings."));
            if !run(&of.verifier, &costly).is_err_and(is_read) {
                add(format!("{percent} % worse, at high costs that are read"), &costly);
            }
        }
        input["request"]["maxLossBps"] = json!(9_000);
        add(format!("{percent} % worse, and any loss accepted"), &input);
        input.as_object_mut().unwrap().remove("reference");
        input["request"]["advanced"]["srcPriceUsd"] = json!(fair);
        input["request"]["advanced"]["destPriceUsd"] = json!("1");
        add(format!("{percent} % worse by prices of the caller's"), &input);
    }
    all
}

/// The input without those places.
fn without(input: &Value, places: &[&String]) -> Value {
    let mut left = input.clone();
    for place in places.iter().rev() {
        if left.pointer(place).is_some() {
            left = changed(&left, place, None);
        }
    }
    left
}

#[test]
fn no_absence_makes_an_answer_milder() {
    let (rows, mut all) = (table(), vectors());
    let worse: Vec<_> = all.iter().filter(|vector| vector.is_honest).flat_map(worse).collect();
    let count = all.len();
    assert!(worse.len() > 200, "{}", worse.len());
    all.extend(worse);
    let mut wrong = BTreeSet::new();
    for (index, Vector { name, verifier, input, is_honest }) in all.iter().enumerate() {
        let (with, said) = heard(verifier, input);
        let mut places = Vec::new();
        pointers(input, "", &mut places);
        let path_of = |place: &String| format!("{verifier}.{}", path_of(place));
        let kind_of = |place: &String| row_of(&rows, &path_of(place)).map(|row| row.kind);
        let judging = [Kind::Evidence, Kind::Excuse, Kind::Bound];
        // A generated case differs in what judges from the case that it was made of.
        places.retain(|place| {
            is_beside_the_struct(place) && (index < count || kind_of(place).is_some_and(|kind| judging.contains(&kind)))
        });
        for place in &places {
            let path = path_of(place);
            let Some(row) = row_of(&rows, &path) else { continue };
            let (without, other) = heard(verifier, &changed(input, place, None));
            if let Some(why) = broken(row.kind, &with, &without, *is_honest) {
                wrong.insert(format!("{path} ({:?}), {why}: {name}: {with:?} {without:?}", row.kind));
            }
            let (Kind::Bound, Some(default)) = (row.kind, &row.default) else { continue };
            let default = serde_json::from_str(default).ok().or_else(|| input.pointer(&format!("/{default}")).cloned());
            let stated = heard(verifier, &changed(input, place, Some(default.unwrap_or(Value::Null))));
            if stated != (without, other) {
                wrong.insert(format!("{path}: its absence is not its default: {name}: {said}"));
            }
        }
        for kind in [Kind::Evidence, Kind::Excuse] {
            let of: Vec<_> = places.iter().filter(|place| kind_of(place) == Some(kind)).collect();
            let (without, _) = heard(verifier, &without(input, &of));
            if broken(kind, &with, &without, *is_honest).is_some() {
                wrong.insert(format!("all {kind:?}: {name}: {with:?} {without:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} {wrong:#?}", wrong.len());
}
