//! /ft: OTC orders (service, 4.6).

use super::call::{ServiceRequest, call};
use super::query::query;
use crate::client::Shared;
use crate::domain::otc::order::{self, OtcOrder};
use crate::domain::text::ToText;
use crate::error::Result;
use crate::host::Host;
use crate::json::ObjectWriter;
use alloy_primitives::{Address, B256};

/// The post of a signed order, with the maker's permit where there is one.
pub fn posting(chain_id: u64, order: &OtcOrder, signature: &[u8], permit: Option<&[u8]>) -> ServiceRequest {
    let mut out = ObjectWriter::object();
    order::write(order, &mut out);
    out.bytes("signature", signature);
    if let Some(permit) = permit {
        out.bytes("permitMakerAsset", permit);
    }
    ServiceRequest { name: "otcPost", path: ["/ft/p2p/", &chain_id.text(), "/"].concat(), body: Some(out.close()) }
}

/// The question for one order.
pub fn reading(hash: B256) -> ServiceRequest {
    ServiceRequest { name: "otcOrder", path: ["/ft/order/", &hash.text()].concat(), body: None }
}

/// Reads one order.
///
/// # Errors
/// Those of [`call`]; an unknown order is SERVICE_REJECTED with status 404.
pub async fn one<H: Host>(shared: &Shared<H>, hash: B256, signal: &H::Signal) -> Result<String> {
    call(shared, reading(hash), signal).await
}

/// Reads a page of the orders of a `maker`, or of those for a `taker`: `role` says which. `filter` are query members.
///
/// # Errors
/// Those of [`call`].
pub async fn page<H: Host>(
    shared: &Shared<H>,
    chain_id: u64,
    role: &str,
    account: Address,
    filter: &[(&str, Option<String>)],
    signal: &H::Signal,
) -> Result<String> {
    let path = ["/ft/p2p/", &chain_id.text(), "/", role, "/", &account.text(), &query(filter)].concat();
    call(shared, ServiceRequest { name: "otcOrders", path, body: None }, signal).await
}
