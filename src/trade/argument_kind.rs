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

    /// In words, with the call it is for: passed where `accepted` are wanted, it is the wrong one.
    fn description(self, accepted: &[Kind]) -> &'static str {
        match self {
            Kind::OtcOrder if accepted.contains(&Kind::Sent) => {
                "an OTC order, which is not followed: ask otcOrder(hash) or otcRemaining(order)"
            }
            // What takes Delta's orders cancels them.
            Kind::OtcOrder if accepted.contains(&Kind::Order) => "an OTC order: buildOtcCancellation(order) cancels it",
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

/// What a call accepts as its argument.
pub struct Accepted {
    /// In words, for the error.
    expected: &'static str,
    /// Anything where there are none: the call reads each member of it, and refuses what it does not know.
    kinds: &'static [Kind],
    /// Whether it may be a list of them.
    lists: bool,
}

impl Accepted {
    pub const ANYTHING: Accepted = Accepted::one("", &[]);
    pub const QUOTE: Accepted = Accepted::one("a quote", &[Kind::Quote]);
    /// What a permit is signed for; an OTC order of one's own is a build.
    pub const PAYMENT: Accepted = Accepted::one("a quote or an OTC order", &[Kind::Quote, Kind::OtcOrder, Kind::Build]);
    pub const APPROVAL: Accepted = Accepted::one("an approval, as build.approval has it", &[Kind::Approval]);
    pub const SUBMISSION: Accepted = Accepted::one("a build or a signed order", &[Kind::Build, Kind::Signed]);
    pub const ORDER: Accepted = Accepted::one("an order", &[Kind::Order]);
    pub const ORDERS: Accepted =
        Accepted { expected: "an order or a list of orders", kinds: &[Kind::Order], lists: true };
    pub const OTC_ORDERS: Accepted =
        Accepted { expected: "an OTC order or a list of them", kinds: &[Kind::OtcOrder], lists: true };
    /// What has a status that changes.
    pub const FOLLOWED: Accepted =
        Accepted::one("an order, its id or hash, or a transaction that was sent", &[Kind::Order, Kind::Sent]);

    const fn one(expected: &'static str, kinds: &'static [Kind]) -> Accepted {
        Accepted { expected, kinds, lists: false }
    }

    /// Refuses what is of another kind, and what has no members at all, as an id. What is of no known kind passes: the
    /// call says what it lacks.
    ///
    /// # Errors
    /// INVALID_INPUT with `argument`, which is what the call names it.
    pub fn check(&self, argument: &str, data: &Json) -> Result<()> {
        if self.kinds.is_empty() {
            return Ok(());
        }
        let at = JsonAt::input(data, argument);
        let fits = |at: &JsonAt<'_>| match at.json().and_then(Kind::of) {
            Some(kind) if !self.kinds.contains(&kind) => {
                Err(Error::input(&at.path(), self.expected, kind.description(self.kinds)))
            }
            _ => Ok(()),
        };
        match data {
            Json::Object(_) => fits(&at),
            Json::Array(_) if self.lists => at.items()?.try_for_each(|at| fits(&at)),
            _ => Err(at.fault(self.expected)),
        }
    }
}
