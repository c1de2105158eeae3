//! Posting a signed order until it is known whether the service has it.
//!
//! The same bytes are posted each time, never another signature: two signed orders could both be filled. After every
//! answer that is not the order, the order is looked up by its hash. See "Readings of what is not documented" in
//! docs/verification.md.

use crate::client::Shared;
use crate::domain::text::ToText;
use crate::error::{Error, ErrorCode, Result};
use crate::host::{Host, Signal};
use crate::json::{Json, parse};
use crate::service::call;
use crate::trade::signed::submission::Submission;

/// How often a post is sent at most.
const TRIES: u32 = 5;
/// The first pause between two posts, in milliseconds; each is twice the one before.
const PAUSE_MS: u32 = 1_000;

/// Posts the order, and looks it up, until the service returns it. Returns it as the service reports it, verified.
///
/// # Errors
/// The service's refusal, or its last failure after five posts. The message then says until when the order can be
/// filled nevertheless, because its signature has left this machine.
pub async fn post_until_known<H: Host>(
    shared: &Shared<H>,
    submission: &Submission<H>,
    signature: &[u8],
) -> Result<Json> {
    if submission.was_posted
        && let Some(order) = look_up(shared, submission).await
    {
        return Ok(order);
    }
    let never = H::Signal::never();
    let mut pause = PAUSE_MS;
    for left in (0..TRIES).rev() {
        let failed = match request_order(shared, submission, Some(signature)).await {
            Ok(order) => return Ok(order),
            Err(error) => error,
        };
        // Whatever the answer was, the service may have the order: the connection broke afterwards, or it is a
        // duplicate.
        if failed.code != ErrorCode::RateLimited
            && let Some(order) = look_up(shared, submission).await
        {
            return Ok(order);
        }
        let refused = failed.status.is_some_and(|status| (400..500).contains(&status) && status != 408);
        let refused = refused && failed.code != ErrorCode::RateLimited;
        if refused || left == 0 {
            return Err(explain_open_order(failed, refused, submission));
        }
        let stated = failed.retry_after_secs.and_then(|secs| u32::try_from(secs.saturating_mul(1_000)).ok());
        shared.host.sleep(stated.unwrap_or(pause).clamp(pause, 30_000), &never).await;
        pause = pause.saturating_mul(2);
    }
    Err(Error::unreachable())
}

/// The order, if the service has it. Asked up to three times while the service limits requests.
async fn look_up<H: Host>(shared: &Shared<H>, submission: &Submission<H>) -> Option<Json> {
    for pause in [PAUSE_MS, PAUSE_MS.saturating_mul(2), 0] {
        match request_order(shared, submission, None).await {
            Ok(order) => return Some(order),
            Err(error) if pause > 0 && error.code == ErrorCode::RateLimited => {
                shared.host.sleep(pause, &H::Signal::never()).await;
            }
            Err(_) => return None,
        }
    }
    None
}

/// Posts the order with that signature, or without one looks it up. Returns the answer, if it is this order.
///
/// # Errors
/// The service's failure; SERVICE_MALFORMED if the answer is another order.
async fn request_order<H: Host>(
    shared: &Shared<H>,
    submission: &Submission<H>,
    signature: Option<&[u8]>,
) -> Result<Json> {
    let order = &submission.order;
    let request = signature.map_or_else(|| order.look_up(), |signature| order.post(signature));
    // Not aborted by the caller's signal: nobody could tell whether it arrived.
    let answer = call(shared, request, &H::Signal::never()).await?;
    order.recognise(shared, &parse(&answer).map_err(Error::not_json)?)
}

/// Adds to the message what can still happen with the signed order. Also one that the service `refused` may be filled.
fn explain_open_order<H: Host>(mut failed: Error, refused: bool, submission: &Submission<H>) -> Error {
    let (so_far, advice) = match refused {
        true => ("could still be filled until ", ": do not sign this trade again before"),
        false => ("may have arrived, good until ", ": submit the signed order again, sign no other"),
    };
    let until = submission.facts.deadline.map_or("it is cancelled".into(), |deadline| deadline.text());
    failed.message = [&failed.message, "; the order is signed and ", so_far, &until, advice].concat();
    failed
}
