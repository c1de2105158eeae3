//! OTC orders as the service stores them, and as one party passes them to another (docs/coverage.md, "POST
//! /ft/p2p/{chainId}"). The struct, hash and signature are read strictly; the rest reaches the application unread.

use crate::domain::fields::Fields;
use crate::domain::input::MAX_EXACT;
use crate::domain::otc::order::{self, OtcOrder};
use crate::error::Result;
use crate::json::{Json, JsonAt};
use alloy_primitives::B256;

/// A signed order as it was received. Neither hash nor signature is checked yet: `trade::otc::orders_input` does both.
#[derive(Clone, Debug)]
pub struct Signed {
    /// The id of the order's chain, if it is stated.
    pub chain_id: Option<u64>,
    /// The struct that the maker signed.
    pub order: OtcOrder,
    /// The EIP-712 hash, as it is stated.
    pub hash: B256,
    /// The maker's signature, in any form.
    pub signature: Vec<u8>,
    /// The maker's permit in place of an approval; empty if there is none, as in most orders.
    pub maker_permit: Vec<u8>,
}

/// Reads a signed order.
///
/// # Errors
/// The error names the member that is missing or malformed.
pub fn read_signed(at: &JsonAt<'_>) -> Result<Signed> {
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

/// The order in an answer, which is the order itself or `{ order }`.
pub fn find_order(answer: &Json) -> &Json {
    answer.get("order").filter(|inner| inner.get("orderHash").is_some()).unwrap_or(answer)
}
