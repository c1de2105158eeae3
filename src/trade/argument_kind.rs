//! What it is that the application passes in: things of this package and of the service look alike, and one is easily
//! passed where another is meant.

use crate::error::{Error, Result};
use crate::json::{Json, JsonAt};

/// A kind of thing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Request,
    Quote,
    Build,
    Signed,
    Approval,
    Permit,
    Sent,
    Order,
    OtcOrder,
}

impl Kind {
    /// What a thing says it is, or what it must be by a member that only this kind has.
    fn of(data: &Json) -> Option<Kind> {
        let has = |name: &str| data.get(name).is_some();
        Some(match data.get("kind").and_then(Json::as_text) {
            Some("delta" | "market") if has("receivedAtMs") => Kind::Quote,
            Some("delta" | "market" | "transaction" | "otc") => Kind::Build,
            Some("signedOrder" | "signedOtcOrder") => Kind::Signed,
            Some("sent") => Kind::Sent,
            _ if has("resetFirst") => Kind::Approval,
            _ if has("makerAsset") && has("orderHash") => Kind::OtcOrder,
            _ if has("status") => Kind::Order,
            _ if has("bytes") => Kind::Permit,
            _ if has("srcToken") => Kind::Request,
            _ => return None,
        })
    }

    /// In words, with what it is for; where that call has a sister for it, with that one.
    fn name(self, call: &str) -> &'static str {
        match self {
            Kind::OtcOrder if call == "watch" => {
                "an OTC order, which is not followed: ask otcOrder(hash) or otcRemaining(order)"
            }
            Kind::OtcOrder if ["cancel", "buildCancellation"].contains(&call) => {
                "an OTC order: buildOtcCancellation(order) cancels it"
            }
            Kind::Request => "a request: quote(request) comes first",
            Kind::Quote => "a quote: build(quote) makes one of it",
            Kind::Build => "a build: submit(build) takes it",
            Kind::Signed => "a signed order: submit(signedOrder) takes it",
            Kind::Approval => "an approval: approve(approval) takes it",
            Kind::Permit => "a permit: an option of build, buildFill and submit",
            Kind::Sent => "a transaction that was sent: wait(sent) follows it",
            Kind::Order => "an order: it is at the service",
            Kind::OtcOrder => "an OTC order: buildFill(order) makes a build of it",
        }
    }
}

/// Refuses an id, or anything else that has no members, where a thing is passed on as a whole; and a thing of another kind
/// than the call of that name is for.
///
/// # Errors
/// INVALID_INPUT with the argument.
pub fn check_kind(call: &str, data: &Json) -> Result<()> {
    let (argument, expected, kinds): (_, _, &[Kind]) = match call {
        "build" => ("quote", "a quote", &[Kind::Quote]),
        "signPermit" => ("quote", "a quote or an OTC order", &[Kind::Quote, Kind::OtcOrder, Kind::Build]),
        "approve" => ("approval", "an approval, as build.approval has it", &[Kind::Approval]),
        "submit" => ("build", "a build or a signed order", &[Kind::Build, Kind::Signed]),
        "cancel" => ("orders", "an order or a list of orders", &[Kind::Order]),
        "watch" => ("order", "an order, its id or hash, or a transaction that was sent", &[Kind::Order, Kind::Sent]),
        "buildCancellation" => ("order", "an order", &[Kind::Order]),
        "otcRemaining" | "buildFill" | "buildOtcCancellation" => {
            ("order", "an OTC order or a list of them", &[Kind::OtcOrder])
        }
        _ => return Ok(()),
    };
    let at = JsonAt::input(data, argument);
    let fits = |at: &JsonAt<'_>| match at.json().and_then(Kind::of) {
        Some(kind) if !kinds.contains(&kind) => Err(Error::input(&at.path(), expected, kind.name(call))),
        _ => Ok(()),
    };
    match data {
        Json::Object(_) => fits(&at),
        Json::Array(_) if expected.contains("list") => at.items()?.try_for_each(|at| fits(&at)),
        _ => Err(at.fault(expected)),
    }
}
