//! The amounts of a Delta order against the price and the terms (docs/verification.md, "Typed data against quote and
//! request").
//!
//! Refuses an order that takes more or guarantees less than the price allows at the accepted slippage, and an
//! `expectedAmount` that would give the protocol a share of the user's amount.

use crate::domain::delta::bridge_terms::BridgeTerms;
use crate::domain::delta::order::{DeltaKinds, DeltaOrder};
use crate::domain::delta::partner_fee::PartnerFee;
use crate::domain::fee::after_fee;
use crate::domain::member::{Member, Members, member};
use crate::domain::product::product;
use crate::domain::side::Side;
use crate::domain::twap::Twap;
use crate::domain::verify::delta_expectation::{DeltaExpectation, same};
use crate::domain::verify::report::Checks;
use crate::value::amount::div_rem;
use crate::value::text::{Concat, ToText};
use alloy_primitives::{Address, U256};

/// The amounts of an order, of all slices together: for the sentence, the caller's own bounds and the preflight.
#[derive(Clone, Debug)]
pub struct OrderAmounts {
    /// The account that signs and pays.
    pub owner: Address,
    /// The receiver of the order's payment.
    pub beneficiary: Address,
    /// The most that leaves the owner, raw units of the source token.
    pub spent: U256,
    /// The least that the order pays out before the fee, raw units of the order's `destToken`.
    pub paid_out: U256,
    /// The least of `paid_out` after the fee.
    pub received: U256,
    /// The least to be received, raw units of the requested token; crosschain, if the bridge delivers at the quoted
    /// cost. `None` if the destination token is another asset than the bridge input, because then only the bridge
    /// promises the amount.
    pub arrives: Option<U256>,
    /// `arrives` before the bridge input was rounded down to its own units, which may be coarser.
    pub unrounded: Option<U256>,
    /// The last second in which the order can be filled, unix seconds.
    pub deadline: u64,
    /// The order's nonce, which the first order that fills uses up.
    pub nonce: U256,
    /// The fee in the order, in bps.
    pub fee_bps: u16,
    /// The bridge input; `None` on one chain.
    pub bridge: Option<BridgeTerms>,
    /// Whether the bridge gets data, which only the bridge understands: it may name another receiver.
    pub has_bridge_data: bool,
    /// The quoted amount of the side that is not fixed, raw units, before fee and slippage.
    pub quoted: U256,
}

impl OrderAmounts {
    /// The amounts of an order, unchecked.
    pub fn of(order: &DeltaOrder, fee: &PartnerFee, asked: &DeltaExpectation<'_>) -> OrderAmounts {
        let DeltaExpectation { intent, terms, price, .. } = asked;
        let bridge = BridgeTerms::of(intent, terms, price, fee.fee_bps);
        let left = |amount: U256| after_fee(amount, fee.fee_bps);
        let (spent, paid_out, received, arrives, unrounded) = match (&intent.twap, intent.side) {
            (Some(twap), Side::Buy) => {
                let total = order.find(member!("totalDestAmount")).unwrap_or_default();
                let (slice, last) = twap.slices(total);
                let received = twap.sum(left(slice), left(last));
                (order.find(member!("maxSrcAmount")).unwrap_or_default(), Some(total), received, received, received)
            }
            (twap, _) => {
                let all = |each: U256| twap.map_or(Some(each), |twap| twap.sum(each, each));
                let (spent, each) = match twap {
                    Some(_) => (member!("totalSrcAmount"), member!("destAmountPerSlice")),
                    None => (member!("srcAmount"), member!("destAmount")),
                };
                let (spent, each) = (order.find(spent).unwrap_or_default(), order.find(each).unwrap_or_default());
                let received = left(each);
                let (arrives, unrounded) = match &bridge {
                    None => (Some(received), Some(received)),
                    // Slippage and fee were rounded down, each by less than a unit.
                    Some(bridge) if bridge.is_guaranteed => {
                        (price.arriving(received), price.arriving(received.saturating_add(U256::from(2))))
                    }
                    Some(_) => (None, None),
                };
                (spent, all(each), all(received), arrives.and_then(all), unrounded.and_then(all))
            }
        };
        let each = match intent.side {
            Side::Sell => price.origin_output.amount,
            Side::Buy => price.origin_input.amount,
        };
        // A BUY's last slice gets more, and costs more in proportion.
        let quoted = match (&intent.twap, intent.side) {
            (None, _) => Some(each),
            (Some(twap), Side::Sell) => twap.sum(each, each),
            (Some(_), Side::Buy) => product(&[&each, &intent.amount])
                .number()
                .and_then(|all| div_rem(all, intent.priced_amount()))
                .map(|(cost, _)| cost),
        };
        let owner = order.address(member!("owner"));
        OrderAmounts {
            owner,
            // A handler decides by itself; this beneficiary was passed to it.
            beneficiary: order.find(member!("beneficiary")).or(intent.beneficiary).unwrap_or(owner),
            spent,
            paid_out: paid_out.unwrap_or(U256::MAX),
            received: received.unwrap_or(U256::MAX),
            arrives,
            unrounded,
            deadline: u64::try_from(order.uint(member!("deadline"))).unwrap_or(u64::MAX),
            nonce: order.uint(member!("nonce")),
            fee_bps: fee.fee_bps,
            has_bridge_data: bridge.is_some()
                && order.find_bytes(member!("bridge.protocolData")).is_some_and(|data| !data.is_empty()),
            bridge,
            quoted: quoted.unwrap_or_default(),
        }
    }
}

/// Notes whether the order keeps the caller's own bounds: `least` to be received, `most` to be spent. Refuses an order
/// that slippage would allow and the caller's bound does not.
pub fn check_bounds(checks: &mut Checks, amounts: &OrderAmounts, least: Option<&U256>, most: Option<&U256>) {
    if let Some(least) = least {
        match (&amounts.unrounded, &amounts.bridge) {
            (Some(arrives), _) => checks.at_least("order.minReceived", least, arrives),
            // No bound of the order holds a promise, which is noted with the bridge. But an amount below the bound is
            // not even a promise.
            (None, Some(bridge)) if bridge.is_at_quote && bridge.expected < *least => {
                checks.at_least("order.minReceived", least, &bridge.expected);
            }
            _ => {}
        }
    }
    if let Some(most) = most {
        checks.at_most("order.maxSpent", most, &amounts.spent);
    }
}

/// Notes whether the amounts match the request: the fixed one exactly, the other within slippage or at the limit.
/// Refuses an order that sells more, buys less, or settles further from the quote than the caller accepted.
pub fn check_amounts(checks: &mut Checks, order: &DeltaOrder, asked: &DeltaExpectation<'_>) {
    match &asked.intent.twap {
        Some(twap) => check_slices(checks, order, asked, twap),
        None => check_whole(checks, order, asked),
    }
}

/// An amount that some of the order types have.
type Amount = Member<DeltaKinds, Option<U256>>;

/// Checks the least payment of a SELL: exactly the limit, or at least the quote less slippage.
fn check_least_out(checks: &mut Checks, order: &DeltaOrder, asked: &DeltaExpectation<'_>, member: Amount) {
    let DeltaExpectation { terms, price, .. } = asked;
    let (field, amount) = (["order.", member.path()].concat(), order.find(member).unwrap_or_default());
    match &terms.limit {
        Some(limit) => checks.same(&field, limit, &amount),
        None => {
            // For a small amount slippage can round the least payment down to zero, and an order for nothing is never
            // meant.
            let slippage = terms.slippage.unwrap_or_default();
            let least = price.least_output(Side::Sell, slippage).max(slippage.least_unit());
            checks.at_least(&field, &least, &amount);
        }
    }
}

/// Checks `kind` and the amounts of an order that is not in slices. Refuses an `expectedAmount` that is not the quoted
/// one or the limit, or worse than the guaranteed amount: the protocol would share in the difference.
fn check_whole(checks: &mut Checks, order: &DeltaOrder, asked: &DeltaExpectation<'_>) {
    let DeltaExpectation { intent, terms, price, .. } = asked;
    same(checks, order, member!("kind"), &intent.side.kind());
    let amount = |member: Amount| order.find(member).unwrap_or_default();
    let (src, dest) = (amount(member!("srcAmount")), amount(member!("destAmount")));
    let expected = amount(member!("expectedAmount"));
    let free = match intent.side {
        Side::Sell => {
            same(checks, order, member!("srcAmount"), &intent.amount);
            check_least_out(checks, order, asked, member!("destAmount"));
            price.origin_output.amount
        }
        Side::Buy => {
            match &terms.limit {
                Some(limit) => same(checks, order, member!("srcAmount"), limit),
                None => {
                    let most = price.most_input(Side::Buy, terms.slippage.unwrap_or_default());
                    checks.at_most("order.srcAmount", &most, &src);
                }
            }
            same(checks, order, member!("destAmount"), &price.origin_output.amount);
            price.origin_input.amount
        }
    };
    // The protocol shares in the surplus over the expected amount: below the minimum it would take the user's own.
    let limit = terms.limit.map(|limit| [" or ", &limit.text()].concat()).unwrap_or_default();
    let ok = expected == free || Some(expected) == terms.limit;
    checks.holds("order.expectedAmount", ok, &Concat(&[&free, &limit]), &expected);
    match intent.side {
        Side::Sell => checks.at_least("order.expectedAmount", &dest, &expected),
        Side::Buy => checks.at_most("order.expectedAmount", &src, &expected),
    }
}

/// Checks the plan and the amounts of an order in slices. Refuses other slices or intervals, another total, and a
/// deadline before the last slices.
fn check_slices(checks: &mut Checks, order: &DeltaOrder, asked: &DeltaExpectation<'_>, twap: &Twap) {
    let DeltaExpectation { intent, terms, .. } = asked;
    same(checks, order, member!("interval"), &twap.interval_secs);
    same(checks, order, member!("numSlices"), &u64::from(twap.num_slices));
    match intent.side {
        Side::Sell => {
            same(checks, order, member!("totalSrcAmount"), &intent.amount);
            check_least_out(checks, order, asked, member!("destAmountPerSlice"));
        }
        Side::Buy => {
            same(checks, order, member!("totalDestAmount"), &intent.amount);
            same(checks, order, member!("maxSrcAmount"), &terms.max_src_amount.unwrap_or_default());
        }
    }
    let least = U256::from(asked.now.saturating_add(twap.duration_secs()));
    checks.at_least("order.deadline", &least, &order.uint(member!("deadline")));
}
