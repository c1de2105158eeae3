//! The pure functions.

use super::decode::{decode, encode};
use super::error::thrown;
use super::host::Browser;
use crate::domain::address::{self, AddressError};
use crate::domain::amount::{self, AmountError};
use crate::domain::delta::status;
use crate::domain::signature::{self, SignatureError};
use crate::domain::text::ToText;
use crate::domain::{eip712, token};
use crate::error::{Error, Result};
use crate::host::Host;
use crate::json::{At, Json, parse};
use crate::trade::{self, QuoteBound};
use alloy_primitives::{B256, hex};
use wasm_bindgen::prelude::*;

/// Runs the pure function of that name, as JavaScript has it: one entry instead of a dozen, each with its own way in and
/// out.
#[wasm_bindgen(skip_typescript)]
pub fn compute(name: &str, first: &JsValue, second: &JsValue) -> core::result::Result<JsValue, JsValue> {
    computed(name, first, second).map_err(thrown)
}

fn computed(name: &str, first: &JsValue, second: &JsValue) -> Result<JsValue> {
    let text = match name {
        "parseAddress" => on_text(first, "address", &|text| {
            address::parse(text).map(address::checksummed).map_err(AddressError::expected)
        })?,
        // The placeholder's own checksum casing is the one the service takes.
        "normalizeToken" => on_text(first, "token", &|text| {
            token::parse(text).map(address::checksummed).map_err(AddressError::expected)
        })?,
        "parseUnits" => {
            let places = places(second)?;
            on_text(first, "text", &|text| {
                amount::parse_units(text, places).map(amount::text).map_err(AmountError::expected)
            })?
        }
        "formatUnits" => {
            let places = places(second)?;
            on_text(first, "amount", &|text| {
                let formatted = amount::parse_uint(text).and_then(|amount| amount::format_units(amount, places));
                formatted.map_err(AmountError::expected)
            })?
        }
        "hashTypedData" => digest(first)?.text(),
        "compactSignature" => hex::encode_prefixed(compact(first)?),
        "recoverTypedDataSigner" => {
            let digest = digest(first)?;
            let signer = signature::recover(&compact(second)?, digest);
            let unknown = |why: SignatureError| Error::input("signature", why.expected(), "another");
            address::checksummed(signer.map_err(unknown)?)
        }
        "minReceived" => bound(first, second, QuoteBound::MinReceived)?,
        "maxSpent" => bound(first, second, QuoteBound::MaxSpent)?,
        "verifyOrder" => {
            let now = Browser { on_event: None }.unix_ms() / 1_000;
            return trade::verify_order(&decode(first, "")?, now).map(|report| encode(&report));
        }
        "isAddress" => return Ok(first.as_string().is_some_and(|text| address::parse(&text).is_ok()).into()),
        "isTerminalStatus" => return Ok(first.as_string().is_some_and(|text| status::is_terminal(&text)).into()),
        _ => return Err(Error::input("name", "a function's name", name)),
    };
    Ok(text.into())
}

/// Reads an argument as a string and hands it on; what was expected instead is said of `name`.
fn on_text(
    value: &JsValue,
    name: &str,
    work: &dyn Fn(&str) -> core::result::Result<String, &'static str>,
) -> Result<String> {
    let json = decode(value, name)?;
    let at = At::input(&json, name);
    work(at.text()?).map_err(|expected| at.fault(expected))
}

fn places(value: &JsValue) -> Result<u8> {
    let decimals = At::input(&decode(value, "decimals")?, "decimals").integer(amount::MAX_DECIMALS.into())?;
    Ok(u8::try_from(decimals).unwrap_or(amount::MAX_DECIMALS))
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

fn compact(value: &JsValue) -> Result<[u8; 64]> {
    let json = decode(value, "signature")?;
    let at = At::input(&json, "signature");
    signature::compact(&at.bytes()?).map_err(|why| at.fault(why.expected()))
}

fn bound(quote: &JsValue, slippage_bps: &JsValue, which: QuoteBound) -> Result<String> {
    trade::bound(&decode(quote, "quote")?, &decode(slippage_bps, "slippageBps")?, which).map(amount::text)
}
