//! The kind of object that the app passes in.
//!
//! Quotes, builds, approvals and orders are plain objects that look alike, and one is easily passed where another is
//! meant. Each call states which kinds it takes; the error for another kind names the call that would take it. This is
//! only for better errors: what an object contains is verified by the call itself.

use verify::internal::error::{Error, Result};
use verify::internal::json::{Json, JsonAt};

/// A kind of object that a call returns or takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Request,
    MarketRequest,
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
    /// The kind of an object by its `kind`, else by a member that only this kind has; `None` if it has neither.
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
            _ if data.get("mode").and_then(Json::as_text) == Some("MARKET") => Kind::MarketRequest,
            _ if has("srcToken") => Kind::Request,
            _ => return None,
        })
    }

    /// Names an object of this kind and the call that takes it: the `actual` of the error when `accepted` were
    /// expected.
    fn description(self, accepted: &[Kind]) -> &'static str {
        match self {
            Kind::OtcOrder if accepted.contains(&Kind::Sent) => {
                "an OTC order, which is not followed: ask otc.order(hash) or otc.remaining(order)"
            }
            // All calls that take Delta orders cancel them.
            Kind::OtcOrder if accepted.contains(&Kind::Order) => {
                "an OTC order: otc.buildCancellation(order) cancels it"
            }
            Kind::Request | Kind::MarketRequest => "a request: quote(request) comes first",
            Kind::Quote => "a quote: build(quote) makes a build of it",
            Kind::Build => "a build: submit(build) takes it",
            Kind::Signed => "a signed order: submit(signedOrder) takes it",
            Kind::Approval => "an approval: approve(approval) takes it",
            Kind::Permit => "a permit: pass it as an option of build, otc.buildFill or submit",
            Kind::Sent => "a transaction that was sent: wait(sent) follows it",
            Kind::Order => "an order that the service has",
            Kind::OtcOrder => "an OTC order: otc.buildFill(order) makes a build of it",
        }
    }
}

/// Whether it is a request for a Market price.
pub fn is_market_request(data: &Json) -> bool {
    Kind::of(data) == Some(Kind::MarketRequest)
}

/// Whether it is a build, and not the quote of the same `kind`.
pub fn is_build(data: &Json) -> bool {
    Kind::of(data) == Some(Kind::Build)
}

/// The argument of `build`, in the words of errors.
pub const PRICE: &str = "a quote, a Market request, or a build and its permit";

/// The argument that a call accepts.
pub struct Accepted {
    /// The expected argument, in the words of the error.
    expected: &'static str,
    /// The accepted kinds. If there are none, anything is accepted: the call reads each member and refuses unknown
    /// ones.
    kinds: &'static [Kind],
    /// Whether a list of them is accepted as well.
    lists: bool,
}

impl Accepted {
    /// A request, a query or a filter: the call refuses unknown members.
    pub const ANYTHING: Accepted = Accepted::one("", &[]);
    /// The argument of `build`: a Market request is priced with it, a build is built anew with a permit.
    pub const PRICE: Accepted = Accepted::one(PRICE, &[Kind::Quote, Kind::Build, Kind::MarketRequest]);
    /// The payment that a permit is signed for.
    pub const PAYMENT: Accepted =
        Accepted::one("a build, a quote or an OTC order", &[Kind::Build, Kind::Quote, Kind::OtcOrder]);
    /// The argument of `approve`.
    pub const APPROVAL: Accepted = Accepted::one("an approval, as build.approval has it", &[Kind::Approval]);
    /// The argument of `submit`.
    pub const SUBMISSION: Accepted = Accepted::one("a build or a signed order", &[Kind::Build, Kind::Signed]);
    /// The argument of `buildCancellation`.
    pub const ORDER: Accepted = Accepted::one("an order", &[Kind::Order, Kind::Signed]);
    /// The argument of `cancel`.
    pub const ORDERS: Accepted =
        Accepted { expected: "an order or a list of orders", kinds: &[Kind::Order], lists: true };
    /// The argument of the calls that fill, cancel or read OTC orders on the RFQ contract.
    pub const OTC_ORDERS: Accepted =
        Accepted { expected: "an OTC order or a list of them", kinds: &[Kind::OtcOrder], lists: true };
    /// The argument of `watch` and `wait`, if it is an object.
    pub const FOLLOWED: Accepted =
        Accepted::one("an order, its id or hash, or a transaction that was sent", &[Kind::Order, Kind::Sent]);

    /// One object of these kinds, no list.
    const fn one(expected: &'static str, kinds: &'static [Kind]) -> Accepted {
        Accepted { expected, kinds, lists: false }
    }

    /// Refuses an object of another kind, and anything that is no object, such as an id. An object of no known kind
    /// passes: the call then names the missing member.
    ///
    /// # Errors
    /// INVALID_INPUT with `argument`, the name that the call has for it.
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
