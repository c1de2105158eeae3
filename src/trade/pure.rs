//! The functions that need nothing of their surroundings, by name.

use crate::domain::address::{self, AddressError};
use crate::domain::amount::{self, AmountError};
use crate::domain::delta::status;
use crate::domain::delta::twap::schedule;
use crate::domain::input::unix_secs;
use crate::domain::market::rank::rank;
use crate::domain::signature::{self, SignatureError};
use crate::domain::text::ToText;
use crate::domain::{eip712, token};
use crate::error::{Error, Result};
use crate::json::{Json, JsonAt, parse, quoted, truth};
use crate::trade::delta::verify_order::verify_order;
use crate::trade::quote::bound::{QuoteBound, bound};
use alloy_primitives::{B256, hex};

/// Runs the pure function of that name on one or two values; its answer as JSON text. `now` is unix seconds.
///
/// # Errors
/// INVALID_INPUT with the argument; for `verifyOrder` those of [`verify_order`].
pub fn compute(name: &str, first: &Json, second: &Json, now: u64) -> Result<String> {
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
        "minReceived" => amount::text(bound(first, second, QuoteBound::MinReceived)?),
        "maxSpent" => amount::text(bound(first, second, QuoteBound::MaxSpent)?),
        "rank" => return rank(first, second),
        "comparable" => return comparable(first),
        "verifyOrder" => return verify_order(first, now),
        "twapSchedule" => {
            return schedule(&JsonAt::input(first, "plan"), unix_secs(&JsonAt::input(second, "startSecs"))?);
        }
        "isAddress" => return Ok(truth(first.as_text().is_some_and(|text| address::parse(text).is_ok())).into()),
        "isTerminal" => return Ok(truth(first.as_text().is_some_and(status::is_terminal)).into()),
        _ => return Err(Error::input("name", "a function's name", name)),
    };
    Ok(quoted(&text))
}

/// Which path to ask is not for the caller of `compare` to say: it asks both.
fn comparable(mode: &Json) -> Result<String> {
    let mode = JsonAt::input(mode, "request.mode");
    if mode.is_absent() { Ok("null".into()) } else { Err(mode.fault("nothing: compare asks for both paths")) }
}

/// Reads an argument as a string and hands it on; what was expected instead is said of `name`.
fn on_text(
    value: &Json,
    name: &str,
    work: &dyn Fn(&str) -> core::result::Result<String, &'static str>,
) -> Result<String> {
    let at = JsonAt::input(value, name);
    work(at.text()?).map_err(|expected| at.fault(expected))
}

fn places(value: &Json) -> Result<u8> {
    let decimals = JsonAt::input(value, "decimals").integer(amount::MAX_DECIMALS.into())?;
    Ok(u8::try_from(decimals).unwrap_or(amount::MAX_DECIMALS))
}

/// Typed data: an object, or its JSON text.
fn digest(value: &Json) -> Result<B256> {
    let parsed;
    let json = match value {
        Json::String(text) => {
            parsed = parse(text).map_err(|what| Error::input("typedData", "JSON text", what.reason))?;
            &parsed
        }
        other => other,
    };
    eip712::digest(json).map(|digest| digest.digest)
}

fn compact(value: &Json) -> Result<[u8; 64]> {
    let at = JsonAt::input(value, "signature");
    signature::compact(&at.bytes()?).map_err(|why| at.fault(why.expected()))
}
