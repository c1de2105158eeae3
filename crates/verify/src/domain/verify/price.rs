//! The guaranteed amounts of a payload against reference prices (docs/verification.md, "Reference prices").
//!
//! The one check in which a service that lies about prices and dollars alike does not write both sides. It refuses or
//! informs, and loosens nothing: every other bound still holds.

use crate::domain::bps::Bps;
use crate::domain::decimal::{bps_as_percent, bps_of, scaled, sum};
use crate::domain::display::unit;
use crate::domain::intent::{Intent, MAX_LOSS_BPS, Token};
use crate::domain::reference::pools::is_apart;
use crate::domain::reference::price_float::PriceFloat;
use crate::domain::reference::sources::Why;
use crate::domain::reference::trade_references::{
    PriceReferences, ReferenceKind, describe, describe_unanswered, whole_units,
};
use crate::domain::side::Side;
use crate::domain::verify::question::{Question, Reason, signed};
use crate::domain::verify::report::{Checks, Verdict};
use crate::error::Error;
use crate::json::{ObjectWriter, array};
use crate::value::amount::format_units;
use crate::value::text::{Concat, joined};
use alloy_primitives::U256;

/// The field of the check of the price itself.
pub const PRICE: &str = "quote.price";
/// The field of the check of a bridge input.
pub const BRIDGE_INPUT_PRICE: &str = "order.bridgeInput.price";
/// The number of digits of a price that are shown.
const DIGITS: usize = 6;

/// The amounts of a trade, with the deductions that may explain a difference.
pub struct Deal<'a> {
    /// The source token.
    pub src: &'a Token,
    /// The destination token.
    pub dest: &'a Token,
    /// The most that is spent, raw units.
    pub spent: U256,
    /// The least that is received, raw units, after fee and taxes.
    pub received: U256,
    /// The quoted source and destination amounts, raw units, before slippage, fee and taxes.
    pub quoted: (U256, U256),
    /// The deductions that the caller accepted, in bps: the fee, and taxes that the caller states.
    pub taken_bps: u16,
    /// The most that it may lie below the references, in bps: `maxPriceDeviationBps` and the slippage.
    pub limit_bps: u16,
    /// The slippage among them, in bps, and whether it is of the source amount: of the one that is not fixed.
    pub slippage_bps: u16,
    pub is_purchase: bool,
    /// The most of the quoted price that may be lost for any reason, in bps: `maxLossBps`.
    pub loss_bps: u16,
    /// Whether the service pays the gas, out of the destination amount.
    pub has_gas: bool,
    /// The number of transactions that settle it, each of which pays gas.
    pub fills: u64,
    /// The gas of one of them as the route states it, raw units of the destination token: zero if it states none, `None`
    /// if the price of its token is not known.
    pub stated_gas: Option<PriceFloat>,
    /// Whether the caller stated the price, so that the service cannot lie about it.
    pub is_named: bool,
    /// Whether a bound of the caller's own holds, too, which replaces a missing judgement.
    pub is_bound: bool,
    /// Whether a price without a judgement raises a question.
    pub asks: bool,
    /// Whether it is refused without a reference.
    pub needs_reference: bool,
    /// The costs of bridges and of gas, and the value of the source amount, as the service states them; dollars,
    /// decimal texts.
    pub costs: Costs<'a>,
}

/// The service's figures for the costs of bridges and of gas, and for the value of the source amount: dollars, decimal
/// texts.
pub type Costs<'a> = (&'a [&'a str], Option<&'a str>, Option<&'a str>);

impl<'a> Deal<'a> {
    /// A deal at the intent's tokens and limits, without deductions.
    pub fn of(intent: &'a Intent, (spent, received): (U256, U256), slippage: Option<Bps>) -> Deal<'a> {
        Deal {
            src: &intent.src,
            dest: &intent.dest,
            spent,
            received,
            quoted: (spent, received),
            taken_bps: 0,
            limit_bps: intent.max_price_deviation_bps.saturating_add(slippage.unwrap_or_default().get()),
            slippage_bps: slippage.unwrap_or_default().get(),
            is_purchase: intent.side == Side::Buy,
            loss_bps: intent.max_loss_bps,
            has_gas: false,
            fills: 1,
            stated_gas: Some(PriceFloat::ZERO),
            is_named: false,
            is_bound: false,
            asks: true,
            needs_reference: intent.require_reference,
            costs: (&[], None, None),
        }
    }
}

impl Deal<'_> {
    /// The part that is kept within the limit.
    fn kept(&self) -> PriceFloat {
        let deviation = kept(self.limit_bps.saturating_sub(self.slippage_bps));
        let all = PriceFloat::of(U256::from(Bps::WHOLE));
        match self.is_purchase {
            true => deviation.times(all).over(PriceFloat::of(U256::from(Bps::WHOLE.saturating_add(self.slippage_bps)))),
            false => deviation.times(kept(self.slippage_bps)),
        }
    }
}

/// The judgement of a deal by its references.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// Whether the destination amount is worth the source amount.
    pub verdict: Verdict,
    /// By how many bps it is below the references, rounded up; negative if above; `None` without a reference.
    below_bps: Option<i32>,
    /// The loss and the current gas in bps, if that gas would explain a refused price.
    by_gas: Option<(u64, u64)>,
    /// Whether gas excuses the difference.
    is_excused: bool,
    /// Whether references disagree, and only the lower one is met.
    is_disputed: bool,
    /// Whether the difference is gas, if the service is right: how much it costs is not known.
    is_open: bool,
    /// Whether a reliable reference is required, and there is none.
    is_missing: bool,
    /// The question to the user, because no reference judged the price.
    pub question: Option<Question>,
    /// The result in words: `0.4 % below the 30-minute price of 2 pools`.
    text: String,
    /// The object for a page, as JSON text.
    pub json: String,
}

impl Judgement {
    /// Whether a reference judged the price.
    pub fn is_judged(&self) -> bool {
        self.below_bps.is_some() && !self.is_disputed
    }

    /// The addition to the sentence before a prompt; empty for a usual price that was judged.
    pub fn caveat(&self) -> String {
        match self.below_bps {
            None => "; price not judged".into(),
            _ if self.is_disputed => "; reference prices disagree".into(),
            Some(bps) if self.is_excused => ["; ", &*distance(bps), " the reference price"].concat(),
            Some(bps) if self.is_open => ["; ", &*distance(bps), " the reference price, gas not judged"].concat(),
            _ => String::new(),
        }
    }
}

/// Judges a deal; `field` is the check's, for its question.
pub fn judge(field: &'static str, references: &PriceReferences, deal: &Deal<'_>) -> Judgement {
    // With decimals that only the app states, a price proves nothing; nor does a bound in units that cannot be
    // verified.
    let is_by_app = deal.src.is_by_app || deal.dest.is_by_app;
    let is_elsewhere = deal.dest.is_by_app && deal.dest.chain_id != deal.src.chain_id;
    let prices = references.prices(deal.limit_bps).filter(|_| !is_by_app);
    let gas = Gas::of(references, deal);
    let lower = prices.map(|(price, _)| Compared::of(price, gas, deal));
    // References that are no further apart than the limit agree: the lower one counts.
    let upper = prices.filter(|(less, more)| is_apart(*less, *more, deal.limit_bps));
    let upper = upper.map(|(_, price)| Compared::of(price, gas, deal));
    let by_lower = lower.as_ref().map_or(Standing::Missed, |lower| lower.standing);
    let is_accepted = by_lower < Standing::Missed && !deal.is_named;
    let disputed = upper.filter(|upper| is_accepted && upper.standing > by_lower.max(Standing::Excused));
    let compared = disputed.as_ref().or(lower.as_ref());
    let below_bps = compared.and_then(|compared| below(compared.worth, PriceFloat::of(deal.received)));
    let is_held = (deal.is_named || deal.is_bound) && !is_elsewhere;
    // The caller's own prices answer for what meets them.
    let own = references.answered.iter().find(|reference| reference.by == ReferenceKind::Prices);
    let own = own.map(|own| Compared::of(own.price.long, gas, deal).standing);
    let answered = is_held || !is_by_app && own.is_some_and(|own| own <= Standing::Excused);
    let is_missing = deal.needs_reference && !answered && !(prices.is_some() && references.is_lasting());
    let is_excused = by_lower == Standing::Excused && !deal.is_named;
    let is_open = by_lower == Standing::Open && is_accepted && disputed.is_none();
    let verdict = match &lower {
        Some(_) if by_lower == Standing::Missed && !deal.is_named => Verdict::Mismatch,
        _ if is_missing => Verdict::Mismatch,
        _ if disputed.is_some() || is_open => Verdict::Unknown,
        None => Verdict::Unknown,
        Some(_) if by_lower == Standing::Met => Verdict::Ok,
        Some(_) => Verdict::Unusual,
    };
    let by_gas = lower.as_ref().zip(gas.plausible).filter(|_| verdict == Verdict::Mismatch && !is_missing);
    let by_gas = by_gas.filter(|(lower, gas)| !lower.misses(*gas, deal)).and_then(|(lower, gas)| {
        let lost = u64::try_from(below_bps?).ok()?;
        let cost = u64::try_from(gas.over(lower.worth).times(PriceFloat::of(U256::from(Bps::WHOLE))).floor());
        Some((lost, cost.unwrap_or(u64::MAX).min(lost)))
    });
    let text = match below_bps {
        None => ["price not judged (", &*unjudged(references, is_by_app), ")"].concat(),
        Some(bps) if disputed.is_some() => {
            [&*distance(bps), " the reference price that asks for more, of several that disagree"].concat()
        }
        Some(bps) => [&*distance(bps), " ", &describe(references)].concat(),
    };
    let is_asked = if by_lower == Standing::Open { !is_held } else { deal.asks && !answered };
    let reason = if is_open { Reason::GasUnjudged } else { Reason::ReferencesDisagree };
    let question = (verdict == Verdict::Unknown && is_asked).then(|| match below_bps {
        Some(bps) => missed(reason, field, references, deal, bps),
        None => question(field, references, deal, is_by_app, gas),
    });
    let json = write(references, deal, verdict, below_bps, &text);
    let is_disputed = disputed.is_some();
    Judgement { verdict, below_bps, by_gas, is_excused, is_disputed, is_open, is_missing, question, text, json }
}

/// The gas of a deal, of all transactions that settle it: raw units of the destination token, zero if the owner pays it
/// separately.
#[derive(Clone, Copy)]
struct Gas {
    /// The gas that the route states; `None` if the price of its token is not known.
    stated: Option<PriceFloat>,
    /// The most that it may cost today; `None` if the price of gas or of the native token is not known.
    plausible: Option<PriceFloat>,
}

impl Gas {
    fn of(references: &PriceReferences, deal: &Deal<'_>) -> Gas {
        let fills = PriceFloat::of(U256::from(if deal.has_gas { deal.fills } else { 0 }));
        let all = |gas: Option<PriceFloat>| if deal.has_gas { Some(gas?.times(fills)) } else { Some(PriceFloat::ZERO) };
        Gas { stated: all(deal.stated_gas), plausible: all(references.gas) }
    }

    /// The gas that excuses a price: no more than is stated, and no more than it may cost. Unknown gas excuses nothing.
    fn proven(self) -> PriceFloat {
        self.stated.zip(self.plausible).map_or(PriceFloat::ZERO, |(stated, plausible)| stated.min(plausible))
    }
}

/// The standing of a deal against one price, the best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    /// Within the limit.
    Met,
    /// Within the limit and the proven gas.
    Excused,
    /// Within the limit and the stated gas, and how much gas may cost is not known.
    Open,
    /// Below the price without an explanation.
    Missed,
}

/// The result of a deal against one price.
struct Compared {
    /// The value of the source amount at that price, raw units of the destination token.
    worth: PriceFloat,
    /// The deal's standing.
    standing: Standing,
}

impl Compared {
    /// Compares a deal with a price.
    fn of(price: PriceFloat, gas: Gas, deal: &Deal<'_>) -> Compared {
        let mut compared = Compared { worth: price.times(PriceFloat::of(deal.spent)), standing: Standing::Missed };
        let quoted_worth = price.times(PriceFloat::of(deal.quoted.0));
        let loses = |bps: u16| unrounded(deal.quoted.1) < quoted_worth.times(kept(bps));
        let misses = |gas: PriceFloat| compared.misses(gas, deal);
        // No excuse exceeds `maxLossBps`, from any source; raised, it allows no more of what is not proven.
        let is_open = gas.plausible.is_none() && gas.stated.is_none_or(|stated| !misses(stated));
        compared.standing = match () {
            () if !misses(PriceFloat::ZERO) => Standing::Met,
            () if !misses(gas.proven()) && !loses(deal.loss_bps) => Standing::Excused,
            () if is_open && !loses(deal.loss_bps.min(MAX_LOSS_BPS)) => Standing::Open,
            () => Standing::Missed,
        };
        compared
    }

    /// Whether less is received than the limit allows below the price, and below that much gas.
    fn misses(&self, gas: PriceFloat, deal: &Deal<'_>) -> bool {
        let due = self.worth.times(kept(deal.taken_bps)).minus(gas);
        unrounded(deal.received) < due.times(deal.kept())
    }
}

/// The part of one that is kept after so many bps.
fn kept(bps: u16) -> PriceFloat {
    PriceFloat::of(U256::from(Bps::WHOLE.saturating_sub(bps))).over(PriceFloat::of(U256::from(Bps::WHOLE)))
}

/// Rounding down by a unit is no loss: for a small amount it is a large part. Nothing at all is one.
fn unrounded(amount: U256) -> PriceFloat {
    PriceFloat::of(if amount.is_zero() { amount } else { amount.saturating_add(U256::from(1)) })
}

/// Why no reference judged a price.
fn unjudged(references: &PriceReferences, is_by_app: bool) -> String {
    match is_by_app {
        true => "only the app says a token's decimals, and the chain was not asked".into(),
        false => describe_unanswered(references),
    }
}

/// The question about a price that no reference judged. The pools' prices at this moment judge nothing, because anybody
/// may have moved them; but they are shown.
fn question(field: &'static str, references: &PriceReferences, deal: &Deal<'_>, is_by_app: bool, gas: Gas) -> Question {
    let now = references.now.filter(|_| !is_by_app);
    let now = now.map(|price| Compared::of(price, gas, deal));
    let is_silent = !is_by_app && references.unanswered.iter().any(|(_, why)| *why >= Why::Silent);
    let is_far = now.as_ref().is_some_and(|now| now.standing > Standing::Excused);
    let (reason, why) = match is_silent || is_far {
        true => (Reason::ReferenceSilent, "A source of reference prices did not answer, so nobody"),
        false => (Reason::NoReference, "Nobody"),
    };
    let what = if field == BRIDGE_INPUT_PRICE { "the token that enters the bridge" } else { "this" };
    let mut text =
        [why, " but whoever offers it says what ", what, " is worth (", &unjudged(references, is_by_app), ")."]
            .concat();
    let received = PriceFloat::of(deal.received);
    if let Some(now) = &now {
        let times = now.worth.over(received).digits(3);
        text =
            [&*text, " The pool's price now would give ", &times, " times this; anybody may have moved it."].concat();
    }
    Question { reason, field, text, below_bps: now.and_then(|now| below(now.worth, received)) }
}

/// The question about a price that misses one of the references, or all of them unless gas takes the rest.
fn missed(
    reason: Reason,
    field: &'static str,
    references: &PriceReferences,
    deal: &Deal<'_>,
    below_bps: i32,
) -> Question {
    let what = if field == BRIDGE_INPUT_PRICE { "What enters the bridge" } else { "This" };
    let (distance, said) = (distance(below_bps), said(references, deal));
    let text = match reason {
        Reason::GasUnjudged => {
            let by_gas = ". By the service's word gas takes the rest; how much gas costs now is not known.";
            [what, " is ", &*distance, " the reference price", &*said, by_gas].concat()
        }
        _ => {
            let disagree = ["The reference prices disagree", &*said, ". "].concat();
            [&*disagree, what, " is ", &*distance, " the one that asks for more."].concat()
        }
    };
    Question { reason, field, text, below_bps: Some(below_bps) }
}

/// Judges a deal, and notes the result as a check of `field`. Refuses one that is worth too little; as LOSS_TOO_HIGH if
/// gas, or the stated cost of bridges, explains it.
pub fn note_price(
    checks: &mut Checks,
    field: &'static str,
    references: &PriceReferences,
    deal: &Deal<'_>,
) -> Judgement {
    let judgement = judge(field, references, deal);
    let limit = bps_as_percent(deal.limit_bps);
    let mut expected = match (judgement.below_bps, deal.is_named) {
        (None, _) => "a price that somebody else confirms".into(),
        _ if judgement.is_missing => "a price that somebody else confirms, pools only if their depth lasted".into(),
        (_, true) => "your own price".into(),
        _ => ["at most ", &limit, " % below the reference prices"].concat(),
    };
    let gas = Gas::of(references, deal).proven();
    if !gas.is_zero() && !deal.is_named && judgement.below_bps.is_some() {
        let units = gas.times(PriceFloat::ten_to(0_i32.saturating_sub(deal.dest.decimals.into())));
        let symbol = unit(deal.dest);
        let loss = bps_as_percent(deal.loss_bps);
        let gas = [", and gas of at most ", &*units.digits(DIGITS), " ", &*symbol, "; ", &*loss, " % in all"].concat();
        expected = [&*expected, &gas].concat();
    }
    let held = checks.all_hold();
    checks.note(field, &expected, &Concat(&[&judgement.text, &said(references, deal)]), judgement.verdict);
    if judgement.verdict == Verdict::Mismatch && held {
        match (judgement.below_bps.filter(|_| !judgement.is_missing), judgement.by_gas) {
            (None, _) => checks.remedy(held, &"nobody else knows it for long enough: see requireReference"),
            (Some(_), Some(loss)) => checks.excuse(field, loss, "maxLossBps and maxPriceDeviationBps"),
            (Some(bps), None) => match explained(bps, references, deal) {
                Some(loss) => checks.excuse(field, loss, "maxPriceDeviationBps"),
                None => {
                    checks.remedy(held, &"if the market is that thin, ask the user, and raise maxPriceDeviationBps");
                }
            },
        }
    }
    judgement
}

/// Whether an error is a refusal by reference prices.
pub fn is_about_price(error: &Error) -> bool {
    [PRICE, BRIDGE_INPUT_PRICE].map(Some).contains(&error.field.as_deref())
}

/// The loss and the stated costs in bps, if the costs explain the loss: those of bridges, and those of gas if no
/// reference values it.
fn explained(below_bps: i32, references: &PriceReferences, deal: &Deal<'_>) -> Option<(u64, u64)> {
    let (bridges, gas, worth) = deal.costs;
    let gas = gas.filter(|_| references.gas.is_none());
    let costs: Vec<&str> = bridges.iter().copied().chain(gas).collect();
    let (lost, cost) = (u64::try_from(below_bps).ok()?, bps_of(sum(&costs), scaled(worth?)?)?.min(10_000));
    let allowed = u64::from(deal.limit_bps).saturating_add(deal.taken_bps.into()).saturating_add(cost);
    (lost <= allowed).then_some((lost, cost.min(lost)))
}

/// By how many bps `received` is below `worth`, rounded up; negative if above. `None` if `worth` is zero.
fn below(worth: PriceFloat, received: PriceFloat) -> Option<i32> {
    let bps = |part: PriceFloat| {
        let bps = part.over(worth).times(PriceFloat::of(U256::from(Bps::WHOLE)));
        let floor = i32::try_from(bps.floor()).unwrap_or(i32::MAX);
        (floor, PriceFloat::of(bps.floor()) < bps)
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

/// The distance in words: `0.4 % below`, `0.2 % above`.
fn distance(below_bps: i32) -> String {
    let percent = format_units(U256::from(below_bps.unsigned_abs()), 2).unwrap_or_default();
    [&*percent, if below_bps < 0 { " % above " } else { " % below " }].concat().trim_end().into()
}

/// The reference prices and the deal's own, for an error: ` (pools 3001.25, of late 3002; this 2400)`.
fn said(references: &PriceReferences, deal: &Deal<'_>) -> String {
    let units = whole_units(deal.src, deal.dest);
    let mut all = Vec::new();
    for reference in &references.answered {
        let (long, recent) =
            (reference.price.long.times(units).digits(DIGITS), reference.price.recent.times(units).digits(DIGITS));
        let late = if long == recent { String::new() } else { [", of late ", &*recent].concat() };
        let (lowest, highest) = reference.range;
        let range = match is_apart(lowest, highest, deal.limit_bps) {
            true => {
                [", ways from ", &*lowest.times(units).digits(DIGITS), " to ", &*highest.times(units).digits(DIGITS)]
                    .concat()
            }
            false => String::new(),
        };
        all.push([reference.by.name(), " ", &*long, &late, &range].concat());
    }
    let this = PriceFloat::of(deal.received).over(PriceFloat::of(deal.spent)).times(units).digits(DIGITS);
    if all.is_empty() { String::new() } else { [" (", &*joined(&all, "; "), "; this ", &this, ")"].concat() }
}

/// The object for a page, as JSON text.
fn write(
    references: &PriceReferences,
    deal: &Deal<'_>,
    verdict: Verdict,
    below_bps: Option<i32>,
    text: &str,
) -> String {
    let units = whole_units(deal.src, deal.dest);
    let mut answered = Vec::new();
    for reference in &references.answered {
        let mut out = ObjectWriter::object();
        out.text("by", reference.by.name());
        out.text("price", &reference.price.long.times(units).digits(DIGITS));
        out.text("recentPrice", &reference.price.recent.times(units).digits(DIGITS));
        let (lowest, highest) = reference.range;
        out.text("lowestPrice", &lowest.times(units).digits(DIGITS));
        out.text("highestPrice", &highest.times(units).digits(DIGITS));
        out.number("windowSecs", reference.window_secs);
        out.number("heldSecs", reference.held_secs);
        out.number("pools", reference.pools.into());
        answered.push(out.close());
    }
    let mut out = ObjectWriter::object();
    out.text("verdict", verdict.name());
    out.raw("belowBps", below_bps.map(signed).as_deref().unwrap_or("null"));
    out.number("limitBps", deal.limit_bps.into());
    out.raw("references", &array(&answered));
    out.raw("unanswered", &references.write_unanswered());
    out.text_or_null("priceNow", references.now.map(|price| price.times(units).digits(DIGITS)).as_deref());
    out.text("text", text);
    out.close()
}
