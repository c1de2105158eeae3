//! Posts a signed order until it is known whether the service has it.
//!
//! The same bytes are posted each time, never another signature: two signed orders could both be filled. After every
//! answer that is not the order, the order is looked up by its hash. See "Readings of what is not documented" in
//! docs/verification.md.

use crate::client::{Client, Shared};
use crate::flows::chain::approval::recent_approval;
use crate::flows::submission::Submission;
use crate::host::{Host, Signal};
use crate::ledger::store::PostPermission;
use crate::service::{call_once, limit_ms};
use crate::wallet::chain::Chain;
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::{Json, parse};
use verify::internal::value::text::ToText;
use verify::internal::wire::failure::says_it_exists;

/// The most times that a post is sent.
const TRIES: u32 = 5;
/// The first pause between two posts, in milliseconds; each is twice the one before.
const PAUSE_MS: u32 = 1_000;

/// How long a missing allowance counts as one that the service's node does not show yet, in milliseconds.
const LAG_MS: u64 = 30_000;
/// The longest pause meanwhile, in milliseconds.
const LAG_PAUSE_MS: u32 = 4_000;

/// How long an order is looked up after the time limit, in milliseconds: the page slept while its post was on its way.
const LOOK_UP_MS: u64 = 10_000;

/// Posts the order, with the ledger's permission, and looks it up, until the service returns it. Returns it as the service
/// reports it, verified.
///
/// # Errors
/// The service's refusal, that of an allowance which this client's own approval set only after 30 s; INVALID_INPUT with a
/// permit that is used, if it was refused; or its last failure
/// after five posts, or after [`limit_ms`]. The message then states until when
/// the order can be filled nevertheless, because its signature has left this machine.
pub async fn post_until_known<H: Host>(
    client: &Client<H>,
    submission: &Submission<H>,
    signature: &[u8],
    _permission: &PostPermission,
) -> Result<Json> {
    let (shared, never) = (&client.shared, H::Signal::never());
    let end = shared.host.monotonic_ms().saturating_add(limit_ms(shared));
    if submission.was_posted
        && let Some(order) = look_up(shared, submission, end).await
    {
        return Ok(order);
    }
    let mut pause = PAUSE_MS;
    // The failure of a post that the service may have accepted.
    let mut unanswered = None;
    let need = submission.order.funding().need(None);
    let is_approved = need.is_some_and(|need| recent_approval(shared, &need).is_some());
    let lags_until = if is_approved { shared.host.monotonic_ms().saturating_add(LAG_MS).min(end) } else { 0 };
    let mut left = TRIES;
    loop {
        left = left.saturating_sub(1);
        let failed = match request_order(shared, submission, Some(signature), end).await {
            Ok(order) => return Ok(order),
            Err(error) => error,
        };
        // The service may have the order after any answer: the connection broke afterwards, or it is a duplicate.
        if failed.code != ErrorCode::RateLimited
            && let Some(order) = look_up(shared, submission, end).await
        {
            return Ok(order);
        }
        let refused = failed.status.is_some_and(|status| (400..500).contains(&status) && status != 408);
        let refused = refused && failed.code != ErrorCode::RateLimited;
        if refused
            && failed.code == ErrorCode::InsufficientAllowance
            && shared.host.monotonic_ms().saturating_add(pause.into()) < lags_until
        {
            // The chain has shown the approval: the service's node is behind.
            shared.host.sleep(pause, &never).await;
            (pause, left) = (pause.saturating_mul(2).min(LAG_PAUSE_MS), left.saturating_add(1));
            continue;
        }
        let exists = refused && says_it_exists(&failed);
        if exists || (refused && (unanswered.is_some() || submission.was_posted)) {
            // The refusal proves nothing about the post before it.
            return match look_up_until(shared, submission, end).await {
                Some(order) => Ok(order),
                None => Err(explain_open_order(unanswered.filter(|_| exists).unwrap_or(failed), false, submission)),
            };
        }
        // The next request waits for the service's rate limit before it is sent.
        let pause_ms = if failed.code == ErrorCode::RateLimited { 0 } else { pause };
        let is_late = shared.host.monotonic_ms().saturating_add(pause_ms.into()) >= end;
        if refused || left == 0 || is_late {
            let failed = if refused { name_used_permit(client, submission, failed).await } else { failed };
            return Err(explain_open_order(failed, refused, submission));
        }
        if failed.code != ErrorCode::RateLimited {
            unanswered = Some(failed);
        }
        if pause_ms > 0 {
            shared.host.sleep(pause_ms, &never).await;
        }
        pause = pause.saturating_mul(2);
    }
}

/// The error for a permit that was used elsewhere after the prompt, with the service's own words; another refusal as it
/// is. No order of the permit has left before this post, so none of them used it.
async fn name_used_permit<H: Host>(client: &Client<H>, submission: &Submission<H>, failed: Error) -> Error {
    let (funding, never) = (submission.order.funding(), H::Signal::never());
    if submission.facts.permit.is_none() {
        return failed;
    }
    client.shared.nodes.forget_state(funding.chain_id);
    let Ok(Some(chain)) = Chain::find(client, funding.chain_id, &never).await else { return failed };
    let Ok(found) = funding.read(&chain).await else { return failed };
    match funding.check_covered(&found) {
        Err(mut used) if used.code == ErrorCode::InvalidInput => {
            used.message = [&*used.message, "; the service refused: ", &failed.message].concat();
            (used.status, used.error_type, used.details) =
                (failed.status, failed.error_type.clone(), failed.details.clone());
            used
        }
        _ => failed,
    }
}

/// The order, once the service reports that it has it; it is looked up again after ever longer pauses, the last time at
/// `end`, milliseconds of [`Host::monotonic_ms`].
async fn look_up_until<H: Host>(shared: &Shared<H>, submission: &Submission<H>, end: u64) -> Option<Json> {
    let mut pause = PAUSE_MS;
    loop {
        let left = end.saturating_sub(shared.host.monotonic_ms());
        if left == 0 {
            return None;
        }
        shared.host.sleep(u32::try_from(left).unwrap_or(u32::MAX).min(pause), &H::Signal::never()).await;
        if let Some(order) = look_up(shared, submission, end).await {
            return Some(order);
        }
        pause = pause.saturating_mul(2);
    }
}

/// The order, if the service reports it before `end`, milliseconds of [`Host::monotonic_ms`]; if `end` is over, within
/// [`LOOK_UP_MS`].
async fn look_up<H: Host>(shared: &Shared<H>, submission: &Submission<H>, end: u64) -> Option<Json> {
    let now = shared.host.monotonic_ms();
    let end = if now < end { end } else { now.saturating_add(LOOK_UP_MS) };
    loop {
        match request_order(shared, submission, None, end).await {
            // A refusal by the service has its status; the next request waits before it is sent.
            Err(error) if error.code == ErrorCode::RateLimited && error.status.is_some() => {}
            outcome => return outcome.ok(),
        }
    }
}

/// Posts the order with that signature, or looks it up if there is none, until `end`. Returns the answer, if it is this
/// order.
///
/// # Errors
/// The service's failure; SERVICE_MALFORMED if the answer is another order.
async fn request_order<H: Host>(
    shared: &Shared<H>,
    submission: &Submission<H>,
    signature: Option<&[u8]>,
    end: u64,
) -> Result<Json> {
    let order = &submission.order;
    let request = signature.map_or_else(|| order.look_up(), |signature| order.post(signature));
    // Not aborted by the caller's signal: it would be unknown whether the post arrived.
    let answer = call_once(shared, &request, end, &H::Signal::never()).await?;
    let order = order.recognise(shared, &parse(&answer).map_err(Error::not_json)?)?;
    // Once it is filled the owner's balance is lower. The time of the fill is not reported.
    shared.nodes.forget_state(submission.facts.chain_id);
    Ok(order)
}

/// Adds to the message what can still happen to the signed order. An order that the service `refused` may be filled,
/// too.
fn explain_open_order<H: Host>(mut failed: Error, refused: bool, submission: &Submission<H>) -> Error {
    let (so_far, advice) = match refused {
        true => ("could still be filled until ", ": do not sign this trade again before"),
        false => ("may have arrived, good until ", ": submit the signed order again, sign no other"),
    };
    let until = submission.facts.deadline.map_or("it is cancelled".into(), |deadline| deadline.text());
    failed.message = [&failed.message, "; the order is signed and ", so_far, &until, advice].concat();
    failed
}
