//! Typed data: what is hashed here has the hash that another library computes.

use alloy_dyn_abi::TypedData;
use arbitrary::{Result, Unstructured};
use verify::internal::domain::eip712::hardware_view;
use verify::internal::json::{parse, quoted};

const ATOMS: [&str; 17] = [
    "address", "bool", "bytes", "string", "uint8", "uint24", "uint64", "uint256", "int8", "int128", "int256", "bytes1",
    "bytes4", "bytes32", "uint", "uint7", "bytes33",
];
const STRUCTS: [&str; 4] = ["Order", "Bridge", "Leg", "bytes5"];
const DOMAIN: [(&str, &str, &str); 5] = [
    ("name", "string", r#""Portikus""#),
    ("version", "string", r#""2.0.0""#),
    ("chainId", "uint256", "8453"),
    ("verifyingContract", "address", r#""0x0000000000bbf5c5fd284e657f01bd000933c96d""#),
    ("salt", "bytes32", r#""0x1111111111111111111111111111111111111111111111111111111111111111""#),
];
/// Values that fit one type or the other.
const VALUES: [&str; 24] = [
    "null",
    "true",
    "false",
    "0",
    "1",
    "255",
    "256",
    "-1",
    "-128",
    "-129",
    "1.0",
    "1e3",
    "18446744073709551616",
    "[]",
    "{}",
    r#""""#,
    r#""0x""#,
    r#""0x00""#,
    r#""0x0""#,
    r#""Café""#,
    r#""-1""#,
    r#""01""#,
    r#""115792089237316195423570985008687907853269984665640564039457584007913129639935""#,
    r#""0x1111111111111111111111111111111111111111""#,
];

pub fn run(data: &[u8]) {
    hash(&String::from_utf8_lossy(data));
    if let Ok(text) = text(&mut Unstructured::new(data)) {
        hash(&text);
    }
}

fn hash(text: &str) {
    let Ok(tree) = parse(text) else { return };
    let Ok((found, shown)) = hardware_view(&tree) else { return };
    serde_json::from_str::<serde_json::Value>(&shown).expect("what is shown is JSON");
    // Data that another library refuses, or reads with numbers rounded, proves nothing.
    let Ok(typed) = serde_json::from_str::<TypedData>(text) else { return };
    if let Ok(hash) = typed.eip712_signing_hash() {
        assert_eq!(found.digest, hash, "{text}");
    }
}

/// Typed data: up to three structs, and a value that fits them as often as not.
fn text(bytes: &mut Unstructured<'_>) -> Result<String> {
    let mut types: Vec<(&str, Vec<(String, String)>)> = Vec::new();
    for (place, name) in STRUCTS.iter().enumerate().take(bytes.int_in_range(1..=STRUCTS.len())?) {
        let count = bytes.int_in_range(0..=4)?;
        let members =
            (0..count).map(|member| Ok((format!("m{member}"), kind(place, bytes)?))).collect::<Result<_>>()?;
        types.push((name, members));
    }
    let present: u8 = bytes.arbitrary()?;
    let domain: Vec<_> = (0..).zip(DOMAIN).filter(|(at, _)| present >> at & 1 == 1).map(|(_, member)| member).collect();
    let value = object(&types, types[0].0, 0, bytes)?;
    let written = |members: &[(String, String)]| {
        let members =
            members.iter().map(|(name, kind)| format!(r#"{{"name":{},"type":{}}}"#, quoted(name), quoted(kind)));
        members.collect::<Vec<_>>().join(",")
    };
    let mut all: Vec<String> =
        types.iter().map(|(name, members)| format!(r#""{name}":[{}]"#, written(members))).collect();
    if present & 128 == 0 {
        let members: Vec<_> = domain.iter().map(|(name, kind, _)| ((*name).into(), (*kind).into())).collect();
        all.push(format!(r#""EIP712Domain":[{}]"#, written(&members)));
    }
    let domain: Vec<String> = domain.iter().map(|(name, _, value)| format!(r#""{name}":{value}"#)).collect();
    Ok(format!(
        r#"{{"types":{{{}}},"primaryType":"{}","domain":{{{}}},"message":{value}}}"#,
        all.join(","),
        types[0].0,
        domain.join(",")
    ))
}

/// A type for a member: of a struct mostly one that comes later, so that most have an end.
fn kind(place: usize, bytes: &mut Unstructured<'_>) -> Result<String> {
    let base = match bytes.int_in_range(0..=7)? {
        0 => *bytes.choose(&STRUCTS)?,
        1..=2 => STRUCTS.get(place + 1).copied().unwrap_or("uint256"),
        _ => *bytes.choose(&ATOMS)?,
    };
    let list = *bytes.choose(&["", "", "", "", "[]", "[2]", "[][]", "[1][]", "[0]", "[01]"])?;
    Ok([base, list].concat())
}

fn object(
    types: &[(&str, Vec<(String, String)>)],
    name: &str,
    depth: usize,
    bytes: &mut Unstructured<'_>,
) -> Result<String> {
    let Some((_, members)) = types.iter().find(|(known, _)| *known == name).filter(|_| depth < 5) else {
        return atom(name, bytes);
    };
    let members =
        members.iter().map(|(name, kind)| Ok(format!("{}:{}", quoted(name), value(types, kind, depth, bytes)?)));
    Ok(format!("{{{}}}", members.collect::<Result<Vec<_>>>()?.join(",")))
}

fn value(
    types: &[(&str, Vec<(String, String)>)],
    kind: &str,
    depth: usize,
    bytes: &mut Unstructured<'_>,
) -> Result<String> {
    if bytes.ratio(1, 24)? {
        return Ok((*bytes.choose(&VALUES)?).into());
    }
    match kind.strip_suffix(']').and_then(|rest| rest.rsplit_once('[')) {
        None => object(types, kind, depth, bytes),
        Some((inner, length)) => {
            let length = length.parse().map_or_else(|_| bytes.int_in_range(0..=3), Ok)?;
            let items = (0..length).map(|_| value(types, inner, depth + 1, bytes));
            Ok(format!("[{}]", items.collect::<Result<Vec<_>>>()?.join(",")))
        }
    }
}

fn atom(kind: &str, bytes: &mut Unstructured<'_>) -> Result<String> {
    let hex = |size: usize, bytes: &mut Unstructured<'_>| {
        let digits: String = bytes.bytes(size)?.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(format!(r#""0x{digits}""#))
    };
    let size = |from: &str| kind.strip_prefix(from).and_then(|size| size.parse::<usize>().ok());
    Ok(match kind {
        "bool" => bytes.arbitrary::<bool>()?.to_string(),
        "address" => hex(20, bytes)?,
        "string" => quoted(bytes.arbitrary::<&str>()?),
        "bytes" => hex(bytes.int_in_range(0..=40)?, bytes)?,
        _ => match (size("uint").or(size("int")), size("bytes")) {
            (Some(_), _) if bytes.ratio(1, 4)? => (*bytes.choose(&VALUES)?).into(),
            (Some(bits), _) => hex((bits / 8).max(1), bytes)?,
            (_, Some(size)) => hex(size, bytes)?,
            _ => (*bytes.choose(&VALUES)?).into(),
        },
    })
}
