//! A maker's order against the maker's request (docs/verification.md, "An OTC order, and its fill").

use crate::domain::chain::{Deployment, Protocol};
use crate::domain::member::{Members, member};
use crate::domain::otc::order::OtcOrder;
use crate::domain::otc::request::Request;
use crate::domain::verify::report::Checks;
use crate::error::Result;
use crate::value::text::ToText;

/// The checks, as JSON text, of `order`, which is signed for the RFQ contract of `deployment`: its contract and assets, and who
/// stated the assets' decimals.
///
/// # Errors
/// VERIFY_MISMATCH with the report.
pub fn check_offer(request: &Request, order: &OtcOrder, deployment: &Deployment) -> Result<String> {
    let mut checks = Checks::default();
    let contract = deployment.contracts.rfq.text();
    checks.holds("domain.verifyingContract", true, &deployment.describe(Protocol::Otc), &contract);
    for (member, token) in
        [(member!("makerAsset"), &request.maker_asset), (member!("takerAsset"), &request.taker_asset)]
    {
        checks.same(&["order.", member.path()].concat(), &token.address, &order.address(member));
    }
    checks.note_decimals("request.makerDecimals", &request.maker_asset);
    checks.note_decimals("request.takerDecimals", &request.taker_asset);
    checks.finish()
}
