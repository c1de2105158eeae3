//! /ft: posts and reads OTC orders (docs/coverage.md has each parameter; docs/sandbox.md, "OTC", the service's rules).

use super::call::{ServiceRequest, call};
use super::query::query;
use crate::client::Shared;
use crate::host::Host;
use alloy_primitives::{Address, B256};
use verify::internal::domain::otc::order::{self, OtcOrder};
use verify::internal::error::Result;
use verify::internal::json::ObjectWriter;
use verify::internal::value::text::ToText;

/// The request that posts a signed order. `permit` is the maker's signed permit for the order's maker asset, in place
/// of an approval.
pub fn post_request(chain_id: u64, order: &OtcOrder, signature: &[u8], permit: Option<&[u8]>) -> ServiceRequest {
    let mut out = ObjectWriter::object();
    order::write(order, &mut out);
    out.bytes("signature", signature);
    if let Some(permit) = permit {
        out.bytes("permitMakerAsset", permit);
    }
    ServiceRequest { name: "otc.post", path: ["/ft/p2p/", &chain_id.text(), "/"].concat(), body: Some(out.close()) }
}

/// The request that reads one order, by its EIP-712 hash.
pub fn read_request(hash: B256) -> ServiceRequest {
    ServiceRequest { name: "otc.order", path: ["/ft/order/", &hash.text()].concat(), body: None }
}

/// Reads one order by its EIP-712 hash; returns the answer's text.
///
/// # Errors
/// The errors of [`call`]; an unknown order is SERVICE_REJECTED with status 404.
pub async fn read<H: Host>(shared: &Shared<H>, hash: B256, signal: &H::Signal) -> Result<String> {
    call(shared, read_request(hash), signal).await
}

/// Reads one page of the orders that `account` made or may take; returns the answer's text. `role` is `maker` or
/// `taker`, `filter` are members of the query.
///
/// # Errors
/// The errors of [`call`].
pub async fn list<H: Host>(
    shared: &Shared<H>,
    chain_id: u64,
    role: &str,
    account: Address,
    filter: &[(&str, Option<String>)],
    signal: &H::Signal,
) -> Result<String> {
    let path = ["/ft/p2p/", &chain_id.text(), "/", role, "/", &account.text(), &query(filter)].concat();
    call(shared, ServiceRequest { name: "otc.orders", path, body: None }, signal).await
}
