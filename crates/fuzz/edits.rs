//! Changes to honest answers, as the input says.

use super::fake_host::{BRIDGED, DELTA, DEST, NATIVE, ROUTER, SRC, WRAPPED};
use arbitrary::{Result, Unstructured};
use verify::internal::json::{Json, parse};

/// The values that a member becomes, besides those made of itself.
const VALUES: [&str; 40] = [
    "null",
    "true",
    "false",
    "0",
    "1",
    "-1",
    "1.0",
    "2",
    "10",
    "8453",
    "1e3",
    "[]",
    "{}",
    r#""""#,
    r#""0""#,
    r#""1""#,
    r#""0x""#,
    r#""0x00""#,
    r#""99999999""#,
    r#""100000001""#,
    r#""100500000""#,
    r#""100500001""#,
    r#""39799999999999999""#,
    r#""39800000000000000""#,
    r#""40000000000000000""#,
    r#""40000000000000001""#,
    r#""115792089237316195423570985008687907853269984665640564039457584007913129639935""#,
    r#""115792089237316195423570985008687907853269984665640564039457584007913129639936""#,
    "1800000000",
    "1800086400",
    "1800086401",
    r#""Order""#,
    r#""FillableOrder""#,
    r#""Bridge""#,
    r#""EIP712Domain""#,
    r#""address""#,
    r#""uint256""#,
    r#""0x7777777777777777777777777777777777777777""#,
    r#""0x0000000000000000000000000000000000000000""#,
    r#""0x0000000000000000000000000000000000000000000000000000000000000000""#,
];
const ADDRESSES: [&str; 7] = [SRC, DEST, DELTA, ROUTER, WRAPPED, NATIVE, BRIDGED];

/// One change to a tree.
#[derive(Clone, Debug)]
pub struct Edit {
    /// Which value, counted through the tree.
    place: usize,
    change: Change,
}

#[derive(Clone, Debug)]
enum Change {
    Value(Json),
    /// A number, as text or not, becomes another one.
    Add(i64),
    /// A character of a text becomes another one.
    Character(usize, char),
    /// The value of that place instead.
    Copy(usize),
    /// An object or a list has a part fewer.
    Remove(usize),
    /// An object has a part more, or another name for one.
    Name(usize, String),
}

/// One change, or up to three; none unless they are wanted.
pub fn edits(bytes: &mut Unstructured<'_>, wanted: bool) -> Result<Vec<Edit>> {
    let count = if wanted { *bytes.choose(&[1, 1, 1, 2, 3])? } else { 0 };
    (0..count).map(|_| edit(bytes)).collect()
}

fn edit(bytes: &mut Unstructured<'_>) -> Result<Edit> {
    let place = bytes.int_in_range(0..=255_u8)?.into();
    let change = match bytes.int_in_range(0..=8)? {
        0..=1 => Change::Value(parse(bytes.choose(&VALUES)?).expect("JSON")),
        2 | 8 => Change::Value(Json::String((*bytes.choose(&ADDRESSES)?).into())),
        3 => Change::Value(parse(&String::from_utf8_lossy(bytes.arbitrary()?)).unwrap_or(Json::Null)),
        4 => Change::Add(bytes.arbitrary()?),
        5 => Change::Character(bytes.arbitrary::<u8>()?.into(), bytes.arbitrary()?),
        6 => Change::Copy(bytes.arbitrary::<u8>()?.into()),
        _ if bytes.arbitrary()? => Change::Remove(bytes.arbitrary::<u8>()?.into()),
        _ => Change::Name(bytes.arbitrary::<u8>()?.into(), bytes.arbitrary::<&str>()?.into()),
    };
    Ok(Edit { place, change })
}

/// Makes the changes, each where there is something to change.
pub fn apply(edits: &[Edit], tree: &mut Json) {
    for edit in edits {
        let copied = match edit.change {
            Change::Copy(from) => nth(tree, &mut (from % count(tree))).cloned(),
            _ => None,
        };
        let mut place = edit.place % count(tree);
        if let Some(value) = nth(tree, &mut place) {
            change(value, &edit.change, copied);
        }
    }
}

fn change(value: &mut Json, change: &Change, copied: Option<Json>) {
    match (change, &mut *value) {
        (Change::Value(other), _) => *value = other.clone(),
        (Change::Copy(_), _) => *value = copied.unwrap_or(Json::Null),
        (Change::Add(more), Json::String(text) | Json::Number(text)) => {
            if let Ok(number) = text.parse::<i128>() {
                *text = (number + i128::from(*more)).to_string();
            }
        }
        (Change::Character(at, other), Json::String(text)) => {
            let at = at % (text.chars().count() + 1);
            *text = text.chars().enumerate().map(|(place, c)| if place == at { *other } else { c }).collect();
        }
        (Change::Remove(at), Json::Array(items)) if !items.is_empty() => drop(items.remove(at % items.len())),
        (Change::Remove(at), Json::Object(members)) if !members.is_empty() => drop(members.remove(at % members.len())),
        (Change::Name(at, name), Json::Object(members)) => {
            let at = at % (members.len() + 1);
            match members.get_mut(at) {
                Some((old, _)) => *old = name.clone(),
                None => members.push((name.clone(), Json::Null)),
            }
        }
        _ => {}
    }
}

/// How many values a tree is made of.
fn count(tree: &Json) -> usize {
    1 + match tree {
        Json::Array(items) => items.iter().map(count).sum::<usize>(),
        Json::Object(members) => members.iter().map(|(_, value)| count(value)).sum(),
        _ => 0,
    }
}

/// The value of that place, counted from the top.
fn nth<'a>(tree: &'a mut Json, place: &mut usize) -> Option<&'a mut Json> {
    if *place == 0 {
        return Some(tree);
    }
    *place -= 1;
    match tree {
        Json::Array(items) => items.iter_mut().find_map(|item| nth(item, place)),
        Json::Object(members) => members.iter_mut().find_map(|(_, value)| nth(value, place)),
        _ => None,
    }
}

/// The words of calldata that change, each with its place and what it becomes.
pub fn words(bytes: &mut Unstructured<'_>, wanted: bool) -> Result<Vec<(usize, [u8; 32])>> {
    let count = if wanted { *bytes.choose(&[1, 1, 1, 2, 3])? } else { 0 };
    (0..count)
        .map(|_| {
            let place = bytes.arbitrary::<u8>()?.into();
            let word = match bytes.int_in_range(0..=2)? {
                0 => [&[0; 12][..], &alloy_primitives::hex::decode(bytes.choose(&ADDRESSES)?).expect("hex")].concat(),
                1 => [&[0; 30][..], &bytes.arbitrary::<[u8; 2]>()?].concat(),
                _ => bytes.arbitrary::<[u8; 32]>()?.to_vec(),
            };
            Ok((place, word.try_into().expect("32 bytes")))
        })
        .collect()
}
