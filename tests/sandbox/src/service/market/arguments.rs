//! The arguments of a call to the router: shown as JSON, and changed by name.

use alloy_dyn_abi::{DynSolType, DynSolValue, JsonAbiExt, Specifier};
use alloy_json_abi::{Function, Param};
use alloy_primitives::{Bytes, U256, hex};
use serde_json::{Value, json};

use super::abi::IRouter;
use crate::json::{Json, read_address};

/// The arguments as an array, in the order of the ABI: amounts as decimal strings, the rest as hex.
pub fn arguments_json(data: &[u8]) -> Option<Json> {
    let (_, values) = decoded(data)?;
    Some(Json::from(Value::Array(values.iter().map(shown).collect())))
}

/// Calldata with arguments changed, encoded anew. A path is names and indexes with dots between them
/// (`swapData.beneficiary`, `orders.0.signature`); a name alone is found wherever it is. `selector` replaces the first
/// four bytes. A value is what the argument becomes, or of a number `{num, den}`, `{plus}`, `{minus}`, or
/// `{low: address}` for its low 160 bits.
///
/// # Errors
/// A sentence that names the path.
pub fn change_arguments<'a>(
    data: &[u8],
    changes: impl IntoIterator<Item = (&'a String, &'a Value)>,
) -> Result<Bytes, String> {
    let (function, mut values) = decoded(data).ok_or("the data is no call to the router")?;
    let mut selector = data[..4].to_vec();
    for (path, value) in changes {
        if path == "selector" {
            selector = value
                .as_str()
                .and_then(|text| hex::decode(text).ok())
                .filter(|bytes| bytes.len() == 4)
                .ok_or("selector must be 4 bytes")?;
            continue;
        }
        let steps: Vec<&str> = path.split('.').collect();
        let (place, kind) = find(&function.inputs, &mut values, &steps)
            .ok_or_else(|| format!("{} has no argument {path}", function.name))?;
        *place = changed(place, &kind, value).ok_or_else(|| format!("{path}: {value} is no {kind}"))?;
    }
    let arguments = function.abi_encode_input_raw(&values).map_err(|error| error.to_string())?;
    Ok([selector, arguments].concat().into())
}

fn decoded(data: &[u8]) -> Option<(Function, Vec<DynSolValue>)> {
    let selector = data.get(..4)?;
    let function = IRouter::abi::functions().into_values().flatten().find(|known| known.selector() == selector)?;
    let values = function.abi_decode_input(&data[4..]).ok()?;
    Some((function, values))
}

type Place<'v> = (&'v mut DynSolValue, DynSolType);

fn find<'v>(params: &[Param], values: &'v mut [DynSolValue], steps: &[&str]) -> Option<Place<'v>> {
    let index = params.iter().position(|param| Some(&param.name.as_str()) == steps.first());
    if let Some(index) = index {
        return descend(params.get(index)?, values.get_mut(index)?, &steps[1..]);
    }
    // A name that is not here may be further down.
    if steps.len() != 1 {
        return None;
    }
    params.iter().zip(values).find_map(|(param, value)| match value {
        DynSolValue::Tuple(values) => find(&param.components, values, steps),
        _ => None,
    })
}

fn descend<'v>(param: &Param, value: &'v mut DynSolValue, steps: &[&str]) -> Option<Place<'v>> {
    let kind = param.resolve().ok()?;
    match (steps, value) {
        ([], value) => Some((value, kind)),
        (steps, DynSolValue::Tuple(values)) => find(&param.components, values, steps),
        ([index, steps @ ..], DynSolValue::Array(items)) => {
            let item = Param { ty: param.ty.strip_suffix("[]")?.to_owned(), ..param.clone() };
            descend(&item, items.get_mut(index.parse::<usize>().ok()?)?, steps)
        }
        _ => None,
    }
}

fn changed(before: &DynSolValue, kind: &DynSolType, value: &Value) -> Option<DynSolValue> {
    let Some(operation) = value.as_object() else { return kind.coerce_json(value).ok() };
    let (number, bits) = before.as_uint()?;
    let read = |name: &str| -> Option<U256> {
        let value = operation.get(name)?;
        value.as_str().map_or_else(|| value.as_u64().map(U256::from), |text| text.parse().ok())
    };
    let mut number = number;
    if let Some(address) = operation.get("low") {
        let address = read_address(address.as_str()?)?;
        number = ((number >> 160usize) << 160usize) | U256::from_be_slice(address.as_slice());
    }
    if let (Some(num), Some(den)) = (read("num"), read("den")) {
        number = number.checked_mul(num)?.checked_div(den)?;
    }
    number = number.checked_add(read("plus").unwrap_or_default())?.checked_sub(read("minus").unwrap_or_default())?;
    Some(DynSolValue::Uint(number, bits))
}

fn shown(value: &DynSolValue) -> Value {
    match value {
        DynSolValue::Uint(number, _) => json!(number.to_string()),
        DynSolValue::Address(address) => json!(address),
        DynSolValue::Bytes(bytes) => json!(hex::encode_prefixed(bytes)),
        DynSolValue::FixedBytes(word, size) => json!(hex::encode_prefixed(&word[..*size])),
        DynSolValue::Bool(flag) => json!(flag),
        DynSolValue::Tuple(values) | DynSolValue::Array(values) | DynSolValue::FixedArray(values) => {
            Value::Array(values.iter().map(shown).collect())
        }
        other => json!(format!("{other:?}")),
    }
}
