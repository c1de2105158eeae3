//! OTC orders as the service stores them (service, 2.6). What this package acts on is read; the rest passes through.

use crate::domain::fields::Fields;
use crate::domain::input::MAX_EXACT;
use crate::domain::otc::order::{self, OtcOrder};
use crate::error::Result;
use crate::json::{Json, JsonAt};
use alloy_primitives::B256;

/// A signed order as somebody passes it on.
#[derive(Clone, Debug)]
pub struct Signed {
    /// The chain, where it is stated.
    pub chain_id: Option<u64>,
    /// What the maker signed.
    pub order: OtcOrder,
    /// The hash that is stated.
    pub hash: B256,
    /// The maker's signature.
    pub signature: Vec<u8>,
    /// Stands in for the maker's approval; mostly empty.
    pub maker_permit: Vec<u8>,
}

/// Reads a signed order's own members.
///
/// # Errors
/// Names the member that is missing or does not fit.
pub fn signed(at: &JsonAt<'_>) -> Result<Signed> {
    let order = order::read(at)?;
    let mut signed = Signed { chain_id: None, order, hash: B256::ZERO, signature: vec![], maker_permit: vec![] };
    let mut fields = Fields::of(at);
    fields.optional("chainId", |at| at.integer(MAX_EXACT), &mut signed.chain_id);
    fields.required("orderHash", JsonAt::fixed::<32>, &mut signed.hash);
    fields.required("signature", JsonAt::bytes, &mut signed.signature);
    fields.optional("permitMakerAsset", JsonAt::bytes, &mut signed.maker_permit);
    fields.finish()?;
    Ok(signed)
}

/// The order in an answer, bare or as `{ order }`.
pub fn stored(answer: &Json) -> &Json {
    answer.get("order").filter(|inner| inner.get("orderHash").is_some()).unwrap_or(answer)
}
