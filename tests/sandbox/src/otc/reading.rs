//! Reads the body of a post. `expiry` is a number, amounts and `nonceAndMeta` are decimal strings.

use alloy_primitives::Bytes;

use super::RfqOrder;
use crate::json::{Json, read_hex};
use crate::order::read_struct;

/// A posted order, of which only the form is checked.
#[derive(Clone, Debug)]
pub struct Draft {
    pub order: RfqOrder,
    pub signature: Bytes,
    /// For the maker's asset; the service keeps it and gives it back.
    pub permit_maker_asset: Option<Bytes>,
}

/// # Errors
/// A sentence that names the member.
pub fn read_draft(body: &Json) -> Result<Draft, String> {
    let hex = |name: &str| {
        let Some(value) = body.get(name).filter(|value| **value != Json::null()) else { return Ok(None) };
        let bytes = value.as_str().and_then(|text| read_hex(&text));
        bytes.map(Some).ok_or_else(|| format!("{name} must be 0x-prefixed hex"))
    };
    Ok(Draft {
        order: read_struct(body, "")?,
        signature: hex("signature")?.ok_or("signature is missing")?,
        permit_maker_asset: hex("permitMakerAsset")?,
    })
}
