//! The router's `partnerAndFee`: another layout than that of Delta's orders.

use alloy_primitives::{Address, U256};

use crate::app::App;
use crate::chain::FEE_VAULT;
use crate::json::read_address;
use crate::order::{ANON, MAX_FEE_BPS, PartnerFee};
use crate::service::Refusal;
use crate::service::members::Members;

const SURPLUS_TO_USER: usize = 90;
const DIRECT_TRANSFER: usize = 91;
const CAP_SURPLUS: usize = 92;
const REFERRAL: usize = 94;
const TAKE_SURPLUS: usize = 95;

/// Reads who is paid what, and writes it as the router reads it. The partner is zero where none gets anything.
///
/// # Errors
/// InvalidInput by the member's name.
pub fn partner_and_fee(app: &App, members: &Members<'_>) -> Result<U256, Refusal> {
    let name = members.text("partner")?.unwrap_or_else(|| ANON.into());
    let asked = members.number_or_amount("partnerFeeBps")?.unwrap_or_default();
    let asked = u64::try_from(asked).ok().filter(|bps| *bps <= MAX_FEE_BPS);
    let asked =
        asked.ok_or_else(|| Refusal::invalid(format!("partnerFeeBps must be an integer from 0 to {MAX_FEE_BPS}")))?;
    let payee = members.address("partnerAddress")?.unwrap_or(FEE_VAULT);
    // Any text; one that is an address takes part in the call.
    let referrer = members.text("referrer")?.and_then(|name| read_address(&name));
    let flag = |name: &str, otherwise: bool| Ok::<_, Refusal>(members.flag(name)?.unwrap_or(otherwise));
    let to_user = flag("isSurplusToUser", false)?;
    let direct = flag("isDirectFeeTransfer", false)?;
    let cap = flag("isCapSurplus", true)?;
    let takes = flag("takeSurplus", false)?;
    let fee = PartnerFee::new(&name, asked, app.control.settings().fee_bps).map_err(Refusal::invalid)?;
    let bit = |set: bool, index: usize| U256::from(u8::from(set)) << index;
    let common = bit(to_user, SURPLUS_TO_USER) | bit(cap, CAP_SURPLUS);
    let partner = |address: Address| U256::from_be_slice(address.as_slice()) << 96usize;
    // A fee and a share of surplus exclude each other; the fee wins.
    Ok(if fee.bps > 0 {
        partner(payee) | common | bit(direct, DIRECT_TRANSFER) | U256::from(fee.bps)
    } else if takes {
        partner(payee) | common | bit(direct, DIRECT_TRANSFER) | bit(true, TAKE_SURPLUS)
    } else if let Some(referrer) = referrer {
        partner(referrer) | common | bit(true, REFERRAL)
    } else {
        common
    })
}
