//! Functions without a client.

use super::page::{assert_error, js, read_by_the_package};
use crate::pure::compute;
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;

/// A pure function's answer to two arguments, written in JavaScript.
fn computed(name: &str, first: &str, second: &str) -> Result<JsValue, JsValue> {
    read_by_the_package();
    compute(name, &js(first), &js(second))
}

#[wasm_bindgen_test]
fn a_pure_function_takes_strings_and_bigints_and_small_numbers() {
    let one = ["1", &"0".repeat(77)].concat();
    for (name, first, second, expected) in [
        ("parseUnits", "'1.5'", "6", "1500000"),
        ("parseUnits", "'1.5'", "'6'", "1500000"),
        ("parseUnits", "'1.5'", "6n", "1500000"),
        ("parseUnits", "15n", "0", "15"),
        ("parseUnits", "'7'", "-0", "7"),
        ("parseUnits", "'7'", "6.0", "7000000"),
        ("parseUnits", "'1'", "77", one.as_str()),
        ("parseUnits", "'0'.repeat(100000) + '1'", "0", "1"),
        ("formatUnits", "'1500000'", "6", "1.5"),
        ("formatUnits", "10n ** 30n", "18", "1000000000000"),
        (
            "formatUnits",
            "2n ** 256n - 1n",
            "0",
            "115792089237316195423570985008687907853269984665640564039457584007913129639935",
        ),
        (
            "parseAddress",
            "'0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'",
            "undefined",
            "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
        ),
    ] {
        let answer = computed(name, first, second).unwrap();
        assert_eq!(answer.as_string().as_deref(), Some(expected), "{name}({first}, {second})");
    }
}

#[wasm_bindgen_test]
fn a_pure_function_names_the_argument_that_is_none() {
    for (name, first, second, field) in [
        ("parseUnits", "15", "6", "text"),
        ("parseUnits", "''", "6", "text"),
        ("parseUnits", "'\\ud800'", "6", "text"),
        ("parseUnits", "'1\\udc00'", "6", "text"),
        ("parseUnits", "'9'.repeat(1000000)", "6", "text"),
        ("parseUnits", "null", "6", "text"),
        ("parseUnits", "undefined", "6", "text"),
        ("parseUnits", "true", "6", "text"),
        ("parseUnits", "new String('1')", "6", "argument"),
        ("parseUnits", "({ toString: () => '1' })", "6", "argument.toString"),
        ("parseUnits", "['1']", "6", "text"),
        ("parseUnits", "() => '1'", "6", "argument"),
        ("parseUnits", "Symbol('1')", "6", "argument"),
        ("parseUnits", "'1'", "undefined", "decimals"),
        ("parseUnits", "'1'", "-1", "decimals"),
        ("parseUnits", "'1'", "0.5", "decimals"),
        ("parseUnits", "'1'", "78", "decimals"),
        ("parseUnits", "'1'", "2 ** 32", "decimals"),
        ("parseUnits", "'1'", "2 ** 32 + 6", "decimals"),
        ("parseUnits", "'1'", "1e21", "decimals"),
        ("parseUnits", "'1'", "NaN", "argument"),
        ("parseUnits", "'1'", "Infinity", "argument"),
        ("parseUnits", "'1'", "'6.0'", "decimals"),
        ("parseUnits", "'1'", "({})", "decimals"),
        ("formatUnits", "1500000", "6", "amount"),
        ("formatUnits", "-1n", "6", "amount"),
        ("formatUnits", "2n ** 256n", "6", "argument"),
        ("formatUnits", "'1.5'", "6", "amount"),
        ("parseAddress", "'0x833589fcd6edb6e08f4c7c32d4f71b54bda0291\\ud83d'", "undefined", "address"),
        ("parseAddress", "7", "undefined", "address"),
        ("nothing", "1", "undefined", "name"),
    ] {
        assert_error(computed(name, first, second), "INVALID_INPUT", Some(field));
    }
}
