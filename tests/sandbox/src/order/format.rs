//! Reads and writes signed structs as the service's JSON, by their members' types.

use alloy_dyn_abi::{DynSolType, DynSolValue, Resolver};
use alloy_primitives::{B256, I256, U256};
use alloy_sol_types::{SolStruct, SolValue};
use serde_json::{Value, json};

use crate::json::{Json, read_address, read_amount, read_hex};

/// Whether a number is written as one: amounts, nonces and fees are decimal strings.
fn is_number(name: &str, bits: usize) -> bool {
    bits < 256 || matches!(name, "deadline" | "destinationChainId")
}

/// The types a struct is signed over, as the service sends them: no `EIP712Domain`, no primary type.
pub fn types_of<S: SolStruct>() -> Value {
    json!(Resolver::from_struct::<S>())
}

/// A struct as the service writes it, with its tokens in lowercase.
pub fn write_struct<S: SolStruct + SolValue>(value: &S) -> Value {
    let value = layout::<S>().and_then(|layout| layout.abi_decode(&SolValue::abi_encode(value)).ok());
    value.map_or(Value::Null, |value| written("", &value))
}

/// Reads the members of a struct, each in the JSON type the service writes it in. Others are left alone: they are not
/// part of what is signed. `path` is what the struct is called in errors; nothing where its members stand alone.
///
/// # Errors
/// A sentence that names the member.
pub fn read_struct<S: SolStruct>(json: &Json, path: &str) -> Result<S, String> {
    let layout = layout::<S>().ok_or_else(|| format!("{} has no layout", S::NAME))?;
    let value = read(&layout, json, "", path)?;
    S::abi_decode(&value.abi_encode()).map_err(|error| error.to_string())
}

fn layout<S: SolStruct>() -> Option<DynSolType> {
    Resolver::from_struct::<S>().resolve(S::NAME).ok()
}

fn written(name: &str, value: &DynSolValue) -> Value {
    match value {
        DynSolValue::CustomStruct { prop_names, tuple, .. } => {
            prop_names.iter().zip(tuple).map(|(name, value)| (name.clone(), written(name, value))).collect()
        }
        DynSolValue::Address(address) if name.ends_with("Token") => format!("{address:#x}").into(),
        DynSolValue::Address(address) => json!(address),
        DynSolValue::Uint(number, bits) if is_number(name, *bits) => number.saturating_to::<u64>().into(),
        DynSolValue::Uint(number, _) => number.to_string().into(),
        DynSolValue::Int(number, _) => number.as_i64().into(),
        DynSolValue::FixedBytes(word, size) => json!(alloy_primitives::hex::encode_prefixed(&word[..*size])),
        DynSolValue::Bytes(bytes) => json!(alloy_primitives::hex::encode_prefixed(bytes)),
        _ => Value::Null,
    }
}

fn read(layout: &DynSolType, json: &Json, name: &str, path: &str) -> Result<DynSolValue, String> {
    let text = || json.as_str().unwrap_or_default();
    let (value, what) = match layout {
        DynSolType::CustomStruct { name, prop_names, tuple } => {
            let member = |(member, layout): (&String, &DynSolType)| {
                let path = if path.is_empty() { member.clone() } else { format!("{path}.{member}") };
                read(layout, json.get(member).ok_or_else(|| format!("{path} is missing"))?, member, &path)
            };
            let tuple = prop_names.iter().zip(tuple).map(member).collect::<Result<_, _>>()?;
            let (name, prop_names) = (name.clone(), prop_names.clone());
            return Ok(DynSolValue::CustomStruct { name, prop_names, tuple });
        }
        DynSolType::Address => (read_address(&text()).map(DynSolValue::Address), "an address".into()),
        DynSolType::Uint(bits) if is_number(name, *bits) => {
            let (least, most) = match name {
                "kind" => (0, 1),
                "numSlices" => (2, u64::from(u32::MAX)),
                _ => (0, u64::MAX),
            };
            let number = json.as_u64().filter(|number| (least..=most).contains(number));
            let value = number.map(|number| DynSolValue::Uint(U256::from(number), *bits));
            (value, if most == 1 { "0 or 1".into() } else { format!("at least {least}, in {} bits", bits.min(&64)) })
        }
        DynSolType::Uint(bits) => {
            let text = text();
            let number = read_amount(&text).filter(|number| number.to_string() == text);
            (number.map(|number| DynSolValue::Uint(number, *bits)), "a decimal string of at most 256 bits".into())
        }
        DynSolType::Int(bits) => {
            let number = json.as_scalar::<i8>().and_then(|number| I256::try_from(number).ok());
            (number.map(|number| DynSolValue::Int(number, *bits)), format!("an {bits}-bit integer"))
        }
        DynSolType::FixedBytes(size) => {
            let bytes = read_hex(&text()).filter(|bytes| bytes.len() == *size);
            let value = bytes.map(|bytes| DynSolValue::FixedBytes(B256::right_padding_from(&bytes), *size));
            (value, format!("{size} bytes in 0x-prefixed hex"))
        }
        _ => (read_hex(&text()).map(|bytes| DynSolValue::Bytes(bytes.into())), "0x-prefixed hex".into()),
    };
    value.ok_or_else(|| format!("{path} must be {what}"))
}
