//! POST /v2/delta/orders/build: the service makes the typed data of a Delta order (docs/coverage.md has each member of
//! the body). Every member is stated rather than left to a default, because the answer is compared with it.

use super::call::{ServiceRequest, call};
use crate::client::Shared;
use crate::host::Host;
use verify::internal::domain::delta::order::kind_name;
use verify::internal::domain::delta::terms::Terms;
use verify::internal::domain::intent::Intent;
use verify::internal::domain::twap::total_member;
use verify::internal::error::Result;
use verify::internal::json::ObjectWriter;

/// Has the service build the typed data; returns the answer's text. `route` is the quote's, byte for byte: the service
/// refuses any other.
///
/// # Errors
/// The errors of [`call`].
pub async fn build<H: Host>(
    shared: &Shared<H>,
    route: &str,
    intent: &Intent,
    terms: &Terms,
    signal: &H::Signal,
) -> Result<String> {
    let path = "/v2/delta/orders/build".into();
    call(shared, ServiceRequest { name: "build", path, body: Some(body(route, intent, terms)) }, signal).await
}

fn body(route: &str, intent: &Intent, terms: &Terms) -> String {
    let mut out = ObjectWriter::object();
    out.raw("route", route);
    out.value("owner", &terms.owner);
    // An external order does not contain it; it is passed on to the handler if the request states one.
    if terms.external.is_none() || intent.beneficiary.is_some() {
        out.value("beneficiary", &intent.beneficiary.unwrap_or(terms.owner));
    }
    out.text("side", intent.side.name());
    out.number("deadline", terms.deadline);
    // Stated unless a limit takes its place: the service's default is documented both as 0 and as 1 %.
    if let Some(slippage) = terms.slippage {
        out.number("slippage", slippage.get().into());
    }
    out.text("partner", &intent.partner);
    out.maybe("nonce", &terms.nonce);
    out.maybe("limitAmount", &terms.limit);
    out.maybe("maxSrcAmount", &terms.max_src_amount);
    out.maybe("partnerAddress", &intent.partner_address);
    if let Some(bps) = intent.partner_fee_bps {
        out.number("partnerFeeBps", bps.into());
    }
    out.flags(&[
        ("partiallyFillable", terms.partially_fillable.then_some(true)),
        ("partnerTakesSurplus", terms.take_surplus),
        ("capSurplus", terms.cap_surplus),
    ]);
    if let Some(permit) = &terms.permit {
        out.bytes("permit", &permit.bytes);
    }
    if let Some(metadata) = &terms.metadata {
        out.bytes("metadata", metadata);
    }
    let kind = kind_name(intent, terms);
    if let Some((handler, data)) = &terms.external {
        out.text("orderType", kind);
        out.value("handler", handler);
        out.bytes("data", data);
    }
    if let Some(twap) = &intent.twap {
        out.text("orderType", kind);
        out.number("interval", twap.interval_secs);
        out.number("numSlices", twap.num_slices.into());
        out.value(total_member(intent.side), &intent.amount);
    }
    out.close()
}
