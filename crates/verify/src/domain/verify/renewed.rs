//! A renewed build of a trade beside the one that the user read: whether it is no worse, and which answers to the
//! questions of the earlier one ([`super::question`]) it takes over.
//!
//! Both are views as an app holds them. Nothing is refused here: an answer that does not carry over is asked for again.

use super::question::Reason;
use crate::error::Result;
use crate::json::{Json, JsonAt};
use crate::value::amount::parse_uint;
use alloy_primitives::U256;

/// The questions about a price, which is what a bound of a build bounds. Any other is about the data of one build, such
/// as a bridge's, which may name another receiver in the next.
const OF_PRICES: [Reason; 4] =
    [Reason::NoReference, Reason::ReferenceSilent, Reason::ReferencesDisagree, Reason::GasUnjudged];

/// Whether `next` binds its owner to nothing worse than `before`: a gasless or Market build of the same kind, request
/// and owner, which spends no more, pays out no less, and on another chain lets no less arrive. A member that one of
/// them lacks, or that is no amount of raw units, is not known to be as good.
///
/// ```
/// use verified_swap_verify::internal::domain::verify::renewed::is_no_worse;
/// use verified_swap_verify::internal::json::parse;
/// let build = |least: &str| {
///     let bounds = format!(r#""maxSpent": "5", "minReceived": "{least}""#);
///     parse(&format!(r#"{{"kind": "market", "owner": "0x1", "request": {{"side": "SELL"}}, {bounds}}}"#)).unwrap()
/// };
/// assert!(is_no_worse(&build("7"), &build("7")));
/// assert!(!is_no_worse(&build("6"), &build("7")));
/// ```
pub fn is_no_worse(next: &Json, before: &Json) -> bool {
    let same = |name| next.get(name).zip(before.get(name)).is_some_and(|(now, then)| now.same_as(then));
    let spends = |build| amount_in(build, "maxSpent");
    let receives = |build| amount_in(build, "minReceived");
    is_priced(next)
        && same("kind")
        && same("owner")
        && same("request")
        && spends(next).zip(spends(before)).is_some_and(|(now, then)| now <= then)
        && receives(next).zip(receives(before)).is_some_and(|(now, then)| now >= then)
        && arrives_as_good(next, before)
}

/// The ids of the questions of `next` that are answered by `answered`, those of `before` that the user accepted.
/// A question with the same id is about the same bytes. One about a price carries over to a build that
/// [is no worse](is_no_worse), unless the price is further below the references, or how far is no longer known.
///
/// # Errors
/// INVALID_INPUT if `answered` is no list.
pub fn carries_over<'a>(answered: &JsonAt<'_>, next: &'a Json, before: &Json) -> Result<Vec<&'a str>> {
    let mut carried = Vec::new();
    let is_as_good = is_no_worse(next, before);
    let Some(Json::Array(questions)) = next.get("report").and_then(|report| report.get("questions")) else {
        return Ok(carried);
    };
    for question in questions {
        let Some(id) = question.get("id").and_then(Json::as_text) else { continue };
        for one in answered.items()? {
            let Some(one) = one.json() else { continue };
            let is_same = one.get("id").and_then(Json::as_text) == Some(id);
            if is_same || (is_as_good && asks_no_more(question, one)) {
                carried.push(id);
                break;
            }
        }
    }
    Ok(carried)
}

/// Whether a question asks about a price as another did before, at no greater distance from the references.
fn asks_no_more(now: &Json, then: &Json) -> bool {
    let same = |name| now.get(name).zip(then.get(name)).is_some_and(|(now, then)| now == then);
    let reason = now.get("reason").and_then(Json::as_text);
    let is_of_price = OF_PRICES.iter().any(|one| reason == Some(one.name()));
    let is_no_further = match (now.get("belowBps"), then.get("belowBps")) {
        (None, None) => true,
        (Some(Json::Number(now)), Some(Json::Number(then))) => {
            now.parse::<i32>().ok().zip(then.parse::<i32>().ok()).is_some_and(|(now, then)| now <= then)
        }
        _ => false,
    };
    is_of_price && same("reason") && same("field") && is_no_further
}

/// Whether it is a build whose bounds are read here.
fn is_priced(build: &Json) -> bool {
    build.get("kind").and_then(Json::as_text).is_some_and(|kind| ["delta", "market"].contains(&kind))
}

/// Whether no less arrives on another chain. A promise of a bridge is no bound: it takes the place of none, and is
/// compared with the promise before.
fn arrives_as_good(next: &Json, before: &Json) -> bool {
    let (next, before) = match (destination(next), destination(before)) {
        (None, None) => return true,
        (Some(next), Some(before)) => (next, before),
        _ => return false,
    };
    let bound = |there: &Json| amount_in(there, "minReceived");
    let least = |there: &Json| bound(there).or_else(|| amount_in(there, "expected"));
    (bound(next).is_some() || bound(before).is_none())
        && least(next).zip(least(before)).is_some_and(|(now, then)| now >= then)
}

/// Where a build arrives on another chain.
fn destination(build: &Json) -> Option<&Json> {
    build.get("destination").filter(|there| **there != Json::Null)
}

/// A member in raw units; `None` if it is absent or no amount.
fn amount_in(object: &Json, name: &str) -> Option<U256> {
    object.get(name).and_then(Json::as_text).and_then(|text| parse_uint(text).ok())
}
