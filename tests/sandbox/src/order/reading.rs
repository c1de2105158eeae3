//! Reads a posted order. Strict: every member there, each in the JSON type the service builds it in.

use super::SignedOrder;
use super::format::read_struct;
use crate::json::Json;

/// Reads an order of whichever kind its members are of. `in_parts`: whether by the posting it may be filled so.
///
/// # Errors
/// A sentence that names the member.
pub fn read_signed(value: &Json, in_parts: bool) -> Result<SignedOrder, String> {
    // Recognised by a member that only one kind has.
    let has = |name: &str| value.get(name).is_some();
    Ok(if has("totalDestAmount") {
        SignedOrder::TwapBuy(read_struct(value, "order")?)
    } else if has("totalSrcAmount") || has("numSlices") {
        SignedOrder::Twap(read_struct(value, "order")?)
    } else if has("handler") {
        SignedOrder::External(read_struct(value, "order")?)
    } else if in_parts {
        SignedOrder::Fillable(read_struct(value, "order")?)
    } else {
        SignedOrder::Order(read_struct(value, "order")?)
    })
}
