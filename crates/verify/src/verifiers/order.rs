//! `verifyOrder`: a Delta order that the service or its SDK built, against the user's request.
//!
//! It reads the price as the service answers it, as an SDK passes it on, and in the flat form of the older interface; and
//! the typed data in each of the forms in which libraries spell it.

use super::given::Given;
use crate::domain::chain::Protocol;
use crate::error::Result;
use crate::json::{Json, JsonAt};
use crate::order::{Request, verify_read};
use crate::wire;

/// The members beside the shared ones.
const OWN: [&str; 4] = ["quote", "toSign", "orderHash", "reference"];
/// The readings beside `time`.
const READINGS: [&str; 6] =
    ["srcDecimals", "destDecimals", "gasPrice", "nativePrice", "destGasPrice", "destNativePrice"];
/// Where answers have their price: GET /v2/quote, and GET /delta/prices of the older interface.
const ANSWERED: [&str; 2] = ["delta", "price"];
/// The value to pass as `quote`, for errors.
const QUOTE: &str = "the service's price: its `delta` block, or the SDK's DeltaPrice";

/// Verifies `{ request, quote, toSign, orderHash?, reference?, readings? }`. `machine` is unix seconds by this machine's
/// clock. Returns the report as JSON text.
///
/// # Errors
/// INVALID_INPUT with the member; those of [`crate::verify_order`].
pub fn verify_order(input: &Json, machine: u64) -> Result<String> {
    let mut given = Given::read(input, &OWN, &READINGS, machine)?;
    let mut request = Request::read(&given.request())?;
    let deployment = given.deployment(request.chain_id(), Protocol::Delta)?;
    given.settle_decimals(&mut request.intent)?;
    let mut references = given.references(&request.intent)?;
    given.price_gas(&request.intent, &mut references.price)?;
    let quote = given.payload("quote", QUOTE)?;
    let passed = JsonAt::input(&quote, "quote");
    if let Some(inner) = ANSWERED.iter().find(|name| !passed.get(name).is_absent()) {
        return Err(passed.fault(&["its `", inner, "`"].concat()));
    }
    let to_sign = given.to_sign()?;
    let chain_id = request.chain_id();
    let quote = JsonAt::service(&quote, "quote");
    let price = wire::quote::read_passed_price(&quote, request.terms.alternative, chain_id)?;
    let hash = given.at.get("orderHash").some();
    let payload = wire::to_sign::read_payload(&JsonAt::service(&to_sign, "toSign"), hash.as_ref())?;
    for name in ["balance", "allowance", "earlierOrders"] {
        given.leave_unread(name);
    }
    let report = verify_read(&request, &price, payload, &deployment, given.now, &references)?;
    Ok(given.finish_signed(&report.json, &report.typed_data))
}
