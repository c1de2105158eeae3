//! `bridgeTokens`: pairs of tokens that the application declares to be one asset on two chains, in addition to the
//! table in [`super::asset`]. Such a pair counts as the table does (docs/verification.md, "Across chains").

use super::fields::Fields;
use super::input::{chain_id, known};
use super::token;
use crate::error::Result;
use crate::json::{JsonAt, ObjectWriter, array};
use alloy_primitives::Address;

/// A token of a chain: chain id, address.
pub type Place = (u64, Address);

/// Two tokens that are one asset: the bridge input, and the token that the bridge delivers on the other chain. The pair
/// counts in this direction only.
pub type BridgeTokens = (Place, Place);

/// The highest number of pairs that are accepted.
const MAX_PAIRS: usize = 1_024;

/// Reads `[{ from: { chainId, token }, to: { chainId, token } }]`.
///
/// # Errors
/// INVALID_INPUT with the member that is missing, unknown or malformed, or if there are more than 1024 pairs.
pub fn read_pairs(at: &JsonAt<'_>) -> Result<Vec<BridgeTokens>> {
    let mut pairs = Vec::new();
    for pair in at.items()? {
        known(&pair, &["from", "to"])?;
        pairs.push((place(&pair.get("from"))?, place(&pair.get("to"))?));
        if pairs.len() > MAX_PAIRS {
            return Err(at.fault("at most 1024 pairs"));
        }
    }
    Ok(pairs)
}

/// Reads `{ chainId, token }`.
fn place(at: &JsonAt<'_>) -> Result<Place> {
    known(at, &["chainId", "token"])?;
    let mut place = Place::default();
    let mut fields = Fields::of(at);
    fields.required("chainId", chain_id, &mut place.0);
    fields.required("token", token::read, &mut place.1);
    fields.finish()?;
    Ok(place)
}

/// The pairs as JSON text that [`read_pairs`] reads back.
pub fn write_pairs(pairs: &[BridgeTokens]) -> String {
    let mut all = Vec::new();
    for (from, to) in pairs {
        let mut out = ObjectWriter::object();
        for (name, (chain_id, token)) in [("from", from), ("to", to)] {
            let mut place = ObjectWriter::object();
            place.number("chainId", *chain_id);
            place.value("token", token);
            out.raw(name, &place.close());
        }
        all.push(out.close());
    }
    array(&all)
}
