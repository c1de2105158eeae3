//! The router's calldata: what is read is what another library reads.

use super::fake_host::{METHODS, function, way};
use alloy_dyn_abi::{DynSolType, DynSolValue, JsonAbiExt, Specifier};
use alloy_primitives::{Address, B256, U256};
use arbitrary::{Result, Unstructured};
use verify::internal::domain::market::method::Method;
use verify::internal::domain::market::pools::{UniswapVersion, path_ends, vault_ends};
use verify::internal::domain::member::Argument;

pub fn run(data: &[u8]) {
    read(data);
    vault_ends(data);
    for version in [UniswapVersion::V2, UniswapVersion::V3] {
        let found = path_ends(data, version, data.len().is_multiple_of(64));
        assert!(found.is_none() || data.len().is_multiple_of(version.hop_bytes()));
    }
    if let Ok(calldata) = edited(&mut Unstructured::new(data)) {
        read(&calldata);
    }
}

/// A call that another library has encoded, with some words changed.
fn edited(bytes: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let called = function(METHODS[bytes.choose_index(METHODS.len())?]);
    let kinds = called.inputs.iter().map(|input| input.resolve().expect("known types"));
    let values = kinds.map(|kind| value(&kind, bytes)).collect::<Result<Vec<_>>>()?;
    let mut data = called.abi_encode_input(&values).expect("values of these types");
    for _ in 0..bytes.int_in_range(0..=3)? {
        let word = 4 + 32 * bytes.choose_index((data.len() - 4) / 32)?;
        let small = U256::from(bytes.int_in_range(0..=40_u64)? * if bytes.ratio(1, 4)? { 1 } else { 32 });
        data[word..word + 32].copy_from_slice(&small.to_be_bytes::<32>());
    }
    data.truncate(data.len() - usize::from(bytes.int_in_range(0..=40_u8)?.saturating_sub(20)));
    Ok(data)
}

fn value(kind: &DynSolType, bytes: &mut Unstructured<'_>) -> Result<DynSolValue> {
    Ok(match kind {
        DynSolType::Address => DynSolValue::Address(Address::from(bytes.arbitrary::<[u8; 20]>()?)),
        DynSolType::Uint(bits) => {
            let number = U256::from_be_bytes::<32>(bytes.arbitrary()?);
            DynSolValue::Uint(number.wrapping_shr(256 - *bits), *bits)
        }
        DynSolType::FixedBytes(size) => DynSolValue::FixedBytes(B256::from(bytes.arbitrary::<[u8; 32]>()?), *size),
        DynSolType::Bytes if bytes.ratio(1, 2)? => {
            DynSolValue::Bytes(way(Address::repeat_byte(1), Address::repeat_byte(2), 64, true))
        }
        DynSolType::Bytes => DynSolValue::Bytes(bytes.arbitrary::<Vec<u8>>()?),
        DynSolType::Tuple(kinds) => {
            DynSolValue::Tuple(kinds.iter().map(|kind| value(kind, bytes)).collect::<Result<_>>()?)
        }
        DynSolType::Array(kind) => {
            let count = bytes.int_in_range(0..=3)?;
            DynSolValue::Array((0..count).map(|_| value(kind, bytes)).collect::<Result<_>>()?)
        }
        other => panic!("no method has {other:?}"),
    })
}

fn read(calldata: &[u8]) {
    let Ok(Some(method)) = Method::read(calldata) else { return };
    let is_called = |signature: &&&str| function(signature).selector() == *method.selector;
    let called = function(METHODS.iter().find(is_called).expect("a published method"));
    let values = called.abi_decode_input(&calldata[4..]).expect("calldata that another library reads, too");
    let mut words = Vec::new();
    values.iter().for_each(|value| leaves(value, &mut words));
    let found: Vec<Vec<u8>> = method
        .arguments
        .iter()
        .map(|(_, argument)| match argument {
            Argument::Word(word) => word.to_vec(),
            Argument::Bytes(bytes) => [&b"bytes"[..], bytes].concat(),
        })
        .collect();
    assert_eq!(found, words, "{}", method.name);
    assert!(method.arguments.unread + covered(&values) <= calldata.len() - 4);
}

/// The values without their structs, each list followed by its length.
fn leaves(value: &DynSolValue, words: &mut Vec<Vec<u8>>) {
    match value {
        DynSolValue::Tuple(values) => values.iter().for_each(|value| leaves(value, words)),
        DynSolValue::Array(values) => {
            values.iter().for_each(|value| leaves(value, words));
            words.push(U256::from(values.len()).to_be_bytes_vec());
        }
        DynSolValue::Bytes(bytes) => words.push([&b"bytes"[..], bytes].concat()),
        word => words.push(word.as_word().expect("a word").to_vec()),
    }
}

/// How many bytes of calldata these values take, at least.
fn covered(values: &[DynSolValue]) -> usize {
    let size = |value: &DynSolValue| match value {
        DynSolValue::Tuple(values) | DynSolValue::Array(values) => covered(values),
        DynSolValue::Bytes(bytes) => 32 + bytes.len(),
        _ => 32,
    };
    values.iter().map(size).sum()
}
