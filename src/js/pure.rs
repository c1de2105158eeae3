//! The pure functions.

use super::decode::{decode, encode};
use super::error::thrown;
use super::host::Browser;
use crate::domain::delta::status;
use crate::domain::text::ToText;
use crate::domain::{address, amount, eip712, signature, token};
use crate::error::{Error, Result};
use crate::host::Host;
use crate::json::{At, Json, parse};
use crate::trade::{self, QuoteBound};
use alloy_primitives::{B256, hex};
use wasm_bindgen::prelude::*;

type Thrown<T> = core::result::Result<T, JsValue>;

/// Reads an argument as a string and hands it on; what is wrong with it is said of `name`.
fn on_text<W: Copy>(
    value: &JsValue,
    name: &str,
    work: impl FnOnce(&str) -> core::result::Result<String, W>,
    expected: fn(W) -> &'static str,
) -> Thrown<String> {
    let read = || {
        let json = decode(value, name)?;
        let at = At::input(&json, name);
        work(at.text()?).map_err(|why| at.fault(expected(why)))
    };
    read().map_err(thrown)
}

fn places(value: &JsValue) -> Thrown<u8> {
    let read = || At::input(&decode(value, "decimals")?, "decimals").integer(amount::MAX_DECIMALS.into());
    read().map_err(thrown).map(|decimals| u8::try_from(decimals).unwrap_or(amount::MAX_DECIMALS))
}

/// The address with its EIP-55 checksum.
#[wasm_bindgen(js_name = parseAddress, skip_typescript)]
pub fn parse_address(value: &JsValue) -> Thrown<String> {
    let work = |text: &str| address::parse(text).map(address::checksummed);
    on_text(value, "address", work, address::AddressError::expected)
}

/// Whether [`parse_address`] would take it.
#[wasm_bindgen(js_name = isAddress, skip_typescript)]
pub fn is_address(value: &JsValue) -> bool {
    value.as_string().is_some_and(|text| address::parse(&text).is_ok())
}

/// The token as it is sent.
#[wasm_bindgen(js_name = normalizeToken, skip_typescript)]
pub fn normalize_token(value: &JsValue) -> Thrown<String> {
    // The placeholder's own checksum casing is the one the service takes.
    let work = |text: &str| token::parse(text).map(address::checksummed);
    on_text(value, "token", work, address::AddressError::expected)
}

/// Raw units of a decimal amount.
#[wasm_bindgen(js_name = parseUnits, skip_typescript)]
pub fn parse_units(value: &JsValue, decimals: &JsValue) -> Thrown<String> {
    let places = places(decimals)?;
    let work = |text: &str| amount::parse_units(text, places).map(amount::text);
    on_text(value, "text", work, amount::AmountError::expected)
}

/// The decimal amount of raw units.
#[wasm_bindgen(js_name = formatUnits, skip_typescript)]
pub fn format_units(value: &JsValue, decimals: &JsValue) -> Thrown<String> {
    let places = places(decimals)?;
    let work = |text: &str| amount::format_units(amount::parse_uint(text)?, places);
    on_text(value, "amount", work, amount::AmountError::expected)
}

/// Typed data: an object, or its JSON text.
fn digest(value: &JsValue) -> Result<B256> {
    let json = decode(value, "typedData")?;
    let json = match json {
        Json::String(text) => parse(&text).map_err(|what| Error::input("typedData", "JSON text", what.reason))?,
        other => other,
    };
    eip712::digest(&json).map(|digest| digest.digest)
}

/// EIP-712.
#[wasm_bindgen(js_name = hashTypedData, skip_typescript)]
pub fn hash_typed_data(value: &JsValue) -> Thrown<String> {
    digest(value).map(|digest| digest.text()).map_err(thrown)
}

fn compact(value: &JsValue) -> Result<[u8; 64]> {
    let json = decode(value, "signature")?;
    let at = At::input(&json, "signature");
    signature::compact(&at.bytes()?).map_err(|why| at.fault(why.expected()))
}

/// ERC-2098.
#[wasm_bindgen(js_name = compactSignature, skip_typescript)]
pub fn compact_signature(value: &JsValue) -> Thrown<String> {
    compact(value).map(hex::encode_prefixed).map_err(thrown)
}

/// Who signed.
#[wasm_bindgen(js_name = recoverTypedDataSigner, skip_typescript)]
pub fn recover_typed_data_signer(typed_data: &JsValue, value: &JsValue) -> Thrown<String> {
    let recover = || {
        let digest = digest(typed_data)?;
        let signer = signature::recover(&compact(value)?, digest);
        signer.map_err(|why| Error::input("signature", why.expected(), "another"))
    };
    recover().map(address::checksummed).map_err(thrown)
}

fn bound(quote: &JsValue, slippage_bps: &JsValue, which: QuoteBound) -> Thrown<String> {
    let bound = || trade::bound(&decode(quote, "quote")?, &decode(slippage_bps, "slippageBps")?, which);
    bound().map(amount::text).map_err(thrown)
}

/// The least that arrives.
#[wasm_bindgen(js_name = minReceived, skip_typescript)]
pub fn min_received(quote: &JsValue, slippage_bps: &JsValue) -> Thrown<String> {
    bound(quote, slippage_bps, QuoteBound::MinReceived)
}

/// The most that is spent.
#[wasm_bindgen(js_name = maxSpent, skip_typescript)]
pub fn max_spent(quote: &JsValue, slippage_bps: &JsValue) -> Thrown<String> {
    bound(quote, slippage_bps, QuoteBound::MaxSpent)
}

/// Whether a status is a terminal one.
#[wasm_bindgen(js_name = isTerminalStatus, skip_typescript)]
pub fn is_terminal_status(status: &str) -> bool {
    status::is_terminal(status)
}

/// The checks alone.
#[wasm_bindgen(js_name = verifyOrder, skip_typescript)]
pub fn verify_order(value: &JsValue) -> Thrown<JsValue> {
    let now = Browser { on_event: None }.unix_ms() / 1_000;
    let report = decode(value, "").and_then(|json| trade::verify_order(&json, now));
    report.map(|report| encode(&report)).map_err(thrown)
}
