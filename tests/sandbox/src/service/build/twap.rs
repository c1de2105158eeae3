//! Orders that settle slice by slice.

use alloy_primitives::U256;

use super::super::Refusal;
use super::super::members::Members;
use super::super::route::Route;
use super::Draft;
use crate::chain::{TWAPBuyOrder, TWAPOrder};
use crate::json::Json;
use crate::order::SignedOrder;

/// Slices that follow each other faster are refused.
const SHORTEST_INTERVAL_SECS: u64 = 60;

/// When the slices settle.
struct Schedule {
    interval: u64,
    slices: u32,
    deadline: u64,
}

impl Schedule {
    fn read(body: &Members<'_>, draft: &Draft, now: u64) -> Result<Self, String> {
        let number = |name: &str, least: u64| {
            let number = body.0.get(name).and_then(Json::as_u64).filter(|number| *number >= least);
            number.ok_or(format!("{name} must be an integer of at least {least}"))
        };
        let interval = number("interval", SHORTEST_INTERVAL_SECS)?;
        let slices = number("numSlices", 2)?;
        let slices = u32::try_from(slices).map_err(|_| "numSlices must be an integer of at most 32 bits")?;
        let deadline = u64::try_from(draft.deadline).unwrap_or(u64::MAX);
        if deadline < now.saturating_add(interval.saturating_mul(u64::from(slices))) {
            return Err("deadline must allow enough time for all slices to execute".into());
        }
        Ok(Self { interval, slices, deadline })
    }

    /// A total that every slice has at least one unit of.
    fn total(&self, body: &Members<'_>, name: &str) -> Result<U256, String> {
        let total = body.amount(name).map_err(|refusal| refusal.details)?;
        let total = total.ok_or(format!("{name} must be a decimal string of raw units"))?;
        if total < U256::from(self.slices) {
            return Err(format!("{name} must be >= numSlices"));
        }
        Ok(total)
    }
}

/// A sale in slices: `slippage` or `limitAmount` make the least of each.
pub fn sale(body: &Members<'_>, draft: Draft, route: &Route, now: u64) -> Result<SignedOrder, Refusal> {
    let refuse = |why: String| Refusal::new(400, "InvalidTWAPParams", why);
    if !route.is_sell {
        return Err(refuse("side: a TWAPOrder sells, quote its slice as a SELL".into()));
    }
    let schedule = Schedule::read(body, &draft, now).map_err(refuse)?;
    let total = schedule.total(body, "totalSrcAmount").map_err(refuse)?;
    if route.src_amount != total / U256::from(schedule.slices) {
        let details = "route.origin.input.amount must equal floor(totalSrcAmount / numSlices)";
        return Err(Refusal::new(400, "InvalidTWAPSrcAmount", details));
    }
    let (_, per_slice, _) = super::amounts(body, route)?;
    Ok(SignedOrder::Twap(TWAPOrder {
        owner: draft.owner,
        beneficiary: draft.beneficiary,
        srcToken: route.src_token,
        destToken: route.dest_token,
        nonce: draft.nonce,
        partnerAndFee: draft.partner_and_fee,
        deadline: schedule.deadline,
        interval: schedule.interval,
        numSlices: schedule.slices,
        destAmountPerSlice: per_slice,
        totalSrcAmount: total,
        permit: draft.permit,
        metadata: draft.metadata,
        bridge: route.bridge(),
    }))
}

/// A purchase in slices: `maxSrcAmount` is the limit, nothing else.
pub fn purchase(body: &Members<'_>, draft: Draft, route: &Route, now: u64) -> Result<SignedOrder, Refusal> {
    let refuse = |why: String| Refusal::new(400, "InvalidTWAPBuyParams", why);
    if route.is_sell {
        return Err(refuse("side: a TWAPBuyOrder buys, quote its slice as a BUY".into()));
    }
    let schedule = Schedule::read(body, &draft, now).map_err(refuse)?;
    let total = schedule.total(body, "totalDestAmount").map_err(refuse)?;
    let most = schedule.total(body, "maxSrcAmount").map_err(refuse)?;
    if body.amount("limitAmount")?.is_some() {
        return Err(refuse("limitAmount: the limit of a TWAPBuyOrder is maxSrcAmount".into()));
    }
    if route.dest_amount != total / U256::from(schedule.slices) {
        let details = "route.origin.output.amount must equal floor(totalDestAmount / numSlices)";
        return Err(Refusal::new(400, "InvalidTWAPBuyDestAmount", details));
    }
    Ok(SignedOrder::TwapBuy(TWAPBuyOrder {
        owner: draft.owner,
        beneficiary: draft.beneficiary,
        srcToken: route.src_token,
        destToken: route.dest_token,
        nonce: draft.nonce,
        partnerAndFee: draft.partner_and_fee,
        deadline: schedule.deadline,
        interval: schedule.interval,
        numSlices: schedule.slices,
        totalDestAmount: total,
        maxSrcAmount: most,
        permit: draft.permit,
        metadata: draft.metadata,
        bridge: route.bridge(),
    }))
}
