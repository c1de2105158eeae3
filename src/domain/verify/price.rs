//! The amounts that a payload guarantees against what its witnesses say they are worth (docs/verification.md, "A second
//! witness of the price").
//!
//! The one check that a service which lies about prices and dollars alike does not write both sides of. It refuses or
//! informs, and loosens nothing: every other bound holds besides.

use crate::domain::amount::format_units;
use crate::domain::bps::Bps;
use crate::domain::decimal::{SCALE, bps_as_percent, bps_of, scaled, sum};
use crate::domain::intent::{Intent, Token};
use crate::domain::text::{Concat, ToText, joined};
use crate::domain::verify::report::{Checks, Verdict};
use crate::domain::witness::real::Real;
use crate::domain::witness::testimony::{Testimony, describe, whole_units};
use crate::error::Error;
use crate::json::{ObjectWriter, array};
use alloy_primitives::U256;

/// The field of the check of the price itself.
pub const PRICE: &str = "quote.price";
/// The field of the check of what enters a bridge.
pub const ENTERING_PRICE: &str = "order.entering.price";
/// How many digits of a price are shown.
const DIGITS: usize = 6;

/// What is given and got at least, and what may be missing from it.
pub struct Deal<'a> {
    /// The token that is given.
    pub src: &'a Token,
    /// The token that is got.
    pub dest: &'a Token,
    /// The most that is given, raw units.
    pub spent: U256,
    /// The least that is got, raw units, after fee and taxes.
    pub received: U256,
    /// What takes a part of it with the caller's consent, in bps: the fee, and taxes that the caller states.
    pub taken_bps: u16,
    /// How far it may lie below the witnesses in bps: `maxPriceDeviationBps` and the slippage.
    pub limit_bps: u16,
    /// What may be lost at all, in bps: `maxLossBps`.
    pub loss_bps: u16,
    /// Whether the service pays the gas, out of what is got.
    pub has_gas: bool,
    /// How many transactions settle it, each of which pays gas.
    pub fills: u64,
    /// Whether the caller named the price, so that nobody can lie about it.
    pub is_named: bool,
    /// Whether it is refused if nobody testifies.
    pub needs_witness: bool,
    /// What service and bridge say they take, in dollars, and what they say is given is worth; decimal texts.
    pub costs: (&'a [&'a str], Option<&'a str>),
}

impl<'a> Deal<'a> {
    /// A deal at the intent's tokens and limits, with nothing taken from it.
    pub fn of(intent: &'a Intent, (spent, received): (U256, U256), slippage: Option<Bps>) -> Deal<'a> {
        Deal {
            src: &intent.src,
            dest: &intent.dest,
            spent,
            received,
            taken_bps: 0,
            limit_bps: intent.max_price_deviation_bps.saturating_add(slippage.unwrap_or_default().get()),
            loss_bps: intent.max_loss_bps,
            has_gas: false,
            fills: 1,
            is_named: false,
            needs_witness: intent.require_witness,
            costs: (&[], None),
        }
    }
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// Whether what is got is worth what is given.
    pub verdict: Verdict,
    /// By how many bps it is below the witnesses, rounded up, or above, below zero; `None` without a witness.
    below_bps: Option<i32>,
    /// In words: `0.4 % below the 30-minute price of 2 pools`.
    text: String,
    /// The object that a page is shown, as JSON text.
    pub json: String,
}

impl Judgement {
    /// What the sentence before a prompt adds; empty if the price was judged.
    pub fn caveat(&self) -> &'static str {
        if self.below_bps.is_none() { "; price not judged" } else { "" }
    }
}

/// Judges a deal.
pub fn judge(testimony: &Testimony, deal: &Deal<'_>) -> Judgement {
    let (worth, received) = (testimony.price().map(|price| price.times(Real::of(deal.spent))), Real::of(deal.received));
    let below_bps = worth.and_then(|worth| below(worth, received));
    let whole = Real::of(U256::from(Bps::WHOLE));
    let kept = |bps: u16| Real::of(U256::from(Bps::WHOLE.saturating_sub(bps))).over(whole);
    let gas = gas_of(testimony, deal);
    let is_missed = |bps: u16| {
        let due = worth.map(|worth| worth.times(kept(deal.taken_bps)).minus(gas.unwrap_or(Real::ZERO)));
        due.is_some_and(|due| received < due.times(kept(bps)))
    };
    let verdict = match below_bps {
        None if deal.needs_witness && !deal.is_named => Verdict::Mismatch,
        None => Verdict::Unknown,
        Some(_) if !is_missed(deal.limit_bps) => Verdict::Ok,
        // Gas that nobody knows the price of may explain it, as far as a loss is accepted.
        Some(_) if deal.is_named || (gas.is_none() && !is_missed(deal.limit_bps.max(deal.loss_bps))) => {
            Verdict::Unusual
        }
        Some(_) => Verdict::Mismatch,
    };
    let text = match below_bps {
        None => "price not judged: no witness".into(),
        Some(bps) => [&*distance(bps), " ", &describe(testimony)].concat(),
    };
    let json = write(testimony, deal, verdict, below_bps, &text);
    Judgement { verdict, below_bps, text, json }
}

/// Judges a deal, and notes the result as a check of `field`. Refuses one that is worth too little; if what service and
/// bridge say they take explains it, as LOSS_TOO_HIGH.
pub fn note_price(checks: &mut Checks, field: &'static str, testimony: &Testimony, deal: &Deal<'_>) -> Judgement {
    let judgement = judge(testimony, deal);
    let limit = bps_as_percent(deal.limit_bps);
    let mut expected = match (judgement.below_bps, deal.is_named) {
        (None, _) => "a price that somebody else confirms".into(),
        (_, true) => "your own price".into(),
        _ => ["at most ", &limit, " % below the witnesses"].concat(),
    };
    if let Some(gas) =
        gas_of(testimony, deal).filter(|gas| !gas.is_zero() && !deal.is_named && judgement.below_bps.is_some())
    {
        let units = gas.times(Real::ten_to(0_i32.saturating_sub(deal.dest.decimals.into())));
        let symbol = deal.dest.symbol.as_deref().unwrap_or("destToken");
        expected = [&*expected, ", and gas of at most ", &units.digits(DIGITS), " ", symbol].concat();
    }
    let held = checks.all_hold();
    checks.note(field, &expected, &Concat(&[&judgement.text, &said(testimony, deal)]), judgement.verdict);
    if judgement.verdict == Verdict::Mismatch && held {
        match (judgement.below_bps.and_then(|bps| explained(bps, deal)), judgement.below_bps) {
            (Some(loss), _) => checks.excuse(field, loss, "maxPriceDeviationBps"),
            (None, None) => checks.remedy(held, &"no node or feed knows it: see requireWitness"),
            (None, Some(_)) => {
                checks.remedy(held, &"if the market is that thin, ask the user, and raise maxPriceDeviationBps")
            }
        }
    }
    judgement
}

/// The most that gas may take of a deal, raw units of what is got; nothing where the owner pays it besides.
fn gas_of(testimony: &Testimony, deal: &Deal<'_>) -> Option<Real> {
    let fills = Real::of(U256::from(deal.fills));
    if deal.has_gas { testimony.gas.map(|gas| gas.times(fills)) } else { Some(Real::ZERO) }
}

/// Whether it is by the word of witnesses that something was refused.
pub fn is_about_price(error: &Error) -> bool {
    [PRICE, ENTERING_PRICE].map(Some).contains(&error.field.as_deref())
}

/// The loss and the stated costs in bps, if those explain what is missing.
fn explained(below_bps: i32, deal: &Deal<'_>) -> Option<(u64, u64)> {
    let (costs, worth) = deal.costs;
    let (lost, cost) = (u64::try_from(below_bps).ok()?, bps_of(sum(costs), scaled(worth?)?)?.min(10_000));
    let allowed = u64::from(deal.limit_bps).saturating_add(deal.taken_bps.into()).saturating_add(cost);
    (lost <= allowed).then_some((lost, cost.min(lost)))
}

/// By how many bps `received` is below `worth`, rounded up; below zero if it is above. `None` if nothing is worth
/// anything.
fn below(worth: Real, received: Real) -> Option<i32> {
    let bps = |part: Real| {
        let bps = part.over(worth).times(Real::of(U256::from(Bps::WHOLE)));
        let floor = i32::try_from(bps.floor()).unwrap_or(i32::MAX);
        (floor, Real::of(bps.floor()) < bps)
    };
    if worth.is_zero() {
        return None;
    }
    Some(match received < worth {
        true => {
            let (floor, has_rest) = bps(worth.minus(received));
            floor.saturating_add(has_rest.into())
        }
        false => 0_i32.saturating_sub(bps(received.minus(worth)).0),
    })
}

/// `0.4 % below`, `0.2 % above`.
fn distance(below_bps: i32) -> String {
    let percent = format_units(U256::from(below_bps.unsigned_abs()), 2).unwrap_or_default();
    [&*percent, if below_bps < 0 { " % above " } else { " % below " }].concat().trim_end().into()
}

/// What each witness says, and what the deal makes, for an error: ` (pools 3001.25, of late 3002; this 2400)`.
fn said(testimony: &Testimony, deal: &Deal<'_>) -> String {
    let units = whole_units(deal.src, deal.dest);
    let mut all = Vec::new();
    for vote in &testimony.votes {
        let (long, recent) =
            (vote.price.long.times(units).digits(DIGITS), vote.price.recent.times(units).digits(DIGITS));
        let late = if long == recent { String::new() } else { [", of late ", &*recent].concat() };
        all.push([vote.by.name(), " ", &*long, &late].concat());
    }
    let this = Real::of(deal.received).over(Real::of(deal.spent)).times(units).digits(DIGITS);
    if all.is_empty() { String::new() } else { [" (", &*joined(&all, "; "), "; this ", &this, ")"].concat() }
}

/// The object that a page is shown, as JSON text.
fn write(testimony: &Testimony, deal: &Deal<'_>, verdict: Verdict, below_bps: Option<i32>, text: &str) -> String {
    let units = whole_units(deal.src, deal.dest);
    let mut votes = Vec::new();
    for vote in &testimony.votes {
        let mut out = ObjectWriter::object();
        out.text("by", vote.by.name());
        out.text("price", &vote.price.long.times(units).digits(DIGITS));
        out.text("recentPrice", &vote.price.recent.times(units).digits(DIGITS));
        out.number("windowSecs", vote.window_secs);
        out.number("pools", vote.pools.into());
        votes.push(out.close());
    }
    let mut out = ObjectWriter::object();
    out.text("verdict", verdict.name());
    let signed = below_bps.map(|bps| [if bps < 0 { "-" } else { "" }, &u64::from(bps.unsigned_abs()).text()].concat());
    out.raw("belowBps", signed.as_deref().unwrap_or("null"));
    out.number("limitBps", deal.limit_bps.into());
    out.raw("witnesses", &array(&votes));
    out.text("text", text);
    out.close()
}

/// The dollars of a decimal price text as a number; `None` for no decimal.
pub fn decimal_price(text: &str) -> Option<Real> {
    Some(Real::of(scaled(text)?).over(Real::ten_to(SCALE.into())))
}
