//! The pure functions.

use super::decode::{decode, encode};
use super::error::{invalid, thrown};
use crate::domain::delta::status;
use crate::domain::text::ToText;
use crate::domain::{address, amount, eip712, signature, token};
use crate::error::Error;
use crate::json::{At, Fault, Json, parse};
use crate::trade::{self, QuoteBound};
use alloy_primitives::{U256, hex};
use wasm_bindgen::prelude::*;

type Thrown<T> = Result<T, JsValue>;

fn input(value: &JsValue, name: &str) -> Thrown<Json> {
    decode(value, name).map_err(invalid)
}

fn text(value: &JsValue, name: &str) -> Thrown<String> {
    let json = input(value, name)?;
    At::root(&json, name).text().map(String::from).map_err(invalid)
}

fn places(value: &JsValue) -> Thrown<u8> {
    let json = input(value, "decimals")?;
    let decimals = At::root(&json, "decimals").integer(amount::MAX_DECIMALS.into()).map_err(invalid)?;
    Ok(u8::try_from(decimals).unwrap_or(amount::MAX_DECIMALS))
}

/// The address with its EIP-55 checksum.
#[wasm_bindgen(js_name = parseAddress, skip_typescript)]
pub fn parse_address(value: &JsValue) -> Thrown<String> {
    let text = text(value, "address")?;
    let parsed = address::parse(&text).map(address::checksummed);
    parsed.map_err(|why| invalid(Fault::new("address", why.expected(), text)))
}

/// Whether [`parse_address`] would take it.
#[wasm_bindgen(js_name = isAddress, skip_typescript)]
pub fn is_address(value: &JsValue) -> bool {
    value.as_string().is_some_and(|text| address::parse(&text).is_ok())
}

/// The token as it is sent.
#[wasm_bindgen(js_name = normalizeToken, skip_typescript)]
pub fn normalize_token(value: &JsValue) -> Thrown<String> {
    let text = text(value, "token")?;
    let parsed = token::parse(&text).map(|token| match token::is_native(token) {
        true => token::NATIVE_TEXT.into(),
        false => address::checksummed(token),
    });
    parsed.map_err(|why| invalid(Fault::new("token", why.expected(), text)))
}

/// Raw units of a decimal amount.
#[wasm_bindgen(js_name = parseUnits, skip_typescript)]
pub fn parse_units(value: &JsValue, decimals: &JsValue) -> Thrown<String> {
    let text = text(value, "text")?;
    let parsed = amount::parse_units(&text, places(decimals)?).map(|amount| amount.text());
    parsed.map_err(|why| invalid(Fault::new("text", why.expected(), text)))
}

/// The decimal amount of raw units.
#[wasm_bindgen(js_name = formatUnits, skip_typescript)]
pub fn format_units(value: &JsValue, decimals: &JsValue) -> Thrown<String> {
    let text = text(value, "amount")?;
    let decimals = places(decimals)?;
    let parsed = amount::parse_uint(&text).and_then(|amount| amount::format_units(amount, decimals));
    parsed.map_err(|why| invalid(Fault::new("amount", why.expected(), text)))
}

/// Typed data: an object, or its JSON text.
fn digest(value: &JsValue) -> Thrown<alloy_primitives::B256> {
    let json = match value.as_string() {
        Some(text) => {
            let fault = |_| invalid(Fault::new("typedData", "typed data or its JSON text", "text that is not JSON"));
            parse(&text).map_err(fault)?
        }
        None => input(value, "typedData")?,
    };
    eip712::digest(&json).map(|digest| digest.digest).map_err(invalid)
}

/// EIP-712.
#[wasm_bindgen(js_name = hashTypedData, skip_typescript)]
pub fn hash_typed_data(value: &JsValue) -> Thrown<String> {
    digest(value).map(|digest| digest.text())
}

fn compact(value: &JsValue) -> Thrown<[u8; 64]> {
    let json = input(value, "signature")?;
    let bytes = At::root(&json, "signature").bytes().map_err(invalid)?;
    signature::compact(&bytes)
        .map_err(|why| invalid(Fault::new("signature", why.expected(), hex::encode_prefixed(&bytes))))
}

/// ERC-2098.
#[wasm_bindgen(js_name = compactSignature, skip_typescript)]
pub fn compact_signature(value: &JsValue) -> Thrown<String> {
    compact(value).map(hex::encode_prefixed)
}

/// Who signed.
#[wasm_bindgen(js_name = recoverTypedDataSigner, skip_typescript)]
pub fn recover_typed_data_signer(typed_data: &JsValue, value: &JsValue) -> Thrown<String> {
    let digest = digest(typed_data)?;
    let signer = signature::recover(&compact(value)?, digest);
    let fault = |why: signature::SignatureError| invalid(Fault::new("signature", why.expected(), "another"));
    signer.map(address::checksummed).map_err(fault)
}

fn bound(quote: &JsValue, slippage_bps: &JsValue, which: QuoteBound) -> Thrown<String> {
    let (quote, slippage) = (input(quote, "quote")?, input(slippage_bps, "slippageBps")?);
    trade::bound(&quote, &slippage, which).map(|amount: U256| amount.text()).map_err(invalid)
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

/// Whether an order, or a status, is at its end.
#[wasm_bindgen(js_name = isTerminal, skip_typescript)]
pub fn is_terminal(order: &JsValue) -> bool {
    let status = order.as_string().or_else(|| {
        order.is_object().then(|| js_sys::Reflect::get(order, &"status".into()).ok()).flatten()?.as_string()
    });
    status.is_some_and(|status| status::is_terminal(&status))
}

/// The checks alone.
#[wasm_bindgen(js_name = verifyOrder, skip_typescript)]
pub fn verify_order(value: &JsValue) -> Thrown<JsValue> {
    let json = input(value, "")?;
    let now = crate::host::Host::unix_ms(&super::host::Browser { on_event: None }).saturating_div(1_000);
    let report = trade::verify_order(&json, now).map_err(|error: Error| thrown(&error))?;
    Ok(encode(&report))
}
