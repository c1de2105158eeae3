//! `verifyCancellation`: the typed data with which an owner asks the service to drop orders, against their ids.

use super::given::Given;
use super::typed_data::{View, check_typed_data};
use crate::domain::chain::{Protocol, name as chain_name};
use crate::domain::delta::cancellation::{MAX_ORDERS, cancellation};
use crate::domain::delta::order::domain;
use crate::domain::input::{chain_id, known, short_text};
use crate::domain::verify::{Checks, report};
use crate::error::Result;
use crate::json::Json;
use crate::value::text::{ToText, joined};
use crate::value::visible::visible;

/// Verifies `{ request: { chainId, orderIds }, toSign, .. }`. `machine` is unix seconds by this machine's clock. Returns
/// the report as JSON text.
///
/// # Errors
/// INVALID_INPUT with the member; VERIFY_MISMATCH with the first that differs; SERVICE_MALFORMED; UNSUPPORTED_CHAIN.
pub fn verify_cancellation(input: &Json, machine: u64) -> Result<String> {
    let mut given = Given::read(input, &["toSign"], &[], machine)?;
    let at = given.request();
    known(&at, &["chainId", "orderIds"])?;
    let chain_id = chain_id(&at.get("chainId"))?;
    let mut ids = Vec::new();
    for id in at.get("orderIds").items()? {
        ids.push(short_text(&id)?);
    }
    if ids.is_empty() || ids.len() > MAX_ORDERS {
        return Err(at.get("orderIds").fault(&["1 to ", &MAX_ORDERS.text(), " ids"].concat()));
    }
    let deployment = given.deployment(chain_id, Protocol::Delta)?;
    let to_sign = given.to_sign()?;
    let mut checks = Checks::default();
    let expected = (&domain(chain_id, deployment.contracts.delta), &cancellation(&ids));
    let typed = check_typed_data(&mut checks, "cancellation", expected, &View::of(&to_sign)?)?;
    // A holder of an order's signature can have it filled until its deadline: only the chain ends it.
    given.leave_unread("orders");
    let orders = visible(&joined(&ids, ", "));
    let sentence = ["Ask the service to drop ", &orders, " on ", &chain_name(chain_id)].concat();
    Ok(given.finish_signed(&report(&sentence, &checks.finish()?, Some(&typed)), &typed.text))
}
