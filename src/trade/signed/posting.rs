//! Posting what is signed until it is known whether the service has it. The same bytes each time: never another
//! signature.

use crate::client::Shared;
use crate::domain::text::ToText;
use crate::error::{Error, ErrorCode, Result};
use crate::host::{Host, Signal};
use crate::json::{Json, parse};
use crate::service::call;
use crate::trade::signed::submission::Submission;

/// How often an unanswered post is sent again.
const TRIES: u32 = 5;
/// The first pause between two of them.
const PAUSE_MS: u32 = 1_000;

/// Posts, and looks for the order, until one of them finds it. Returns it as the service tells it.
///
/// # Errors
/// The service's refusal, or its silence after several tries, with what the signature that is out there can still do.
pub async fn post_until_known<H: Host>(
    shared: &Shared<H>,
    submission: &Submission<H>,
    signature: &[u8],
) -> Result<Json> {
    let never = H::Signal::never();
    let mut pause = PAUSE_MS;
    for left in (0..TRIES).rev() {
        let failed = match request_order(shared, submission, Some(signature)).await {
            Ok(order) => return Ok(order),
            Err(error) => error,
        };
        // Whatever the answer was, the order may be there: accepted before the connection broke, or a duplicate.
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
    Err(Error::new(ErrorCode::Internal, "no try left"))
}

/// The order, where the service has it. Asked again where the limit on requests, or the network, is in the way: only an
/// answer tells.
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

/// The service's answer to a post with that signature, or to the question for the order, if it is the order.
async fn request_order<H: Host>(
    shared: &Shared<H>,
    submission: &Submission<H>,
    signature: Option<&[u8]>,
) -> Result<Json> {
    let order = &submission.order;
    let request = signature.map_or_else(|| order.look_up(), |signature| order.post(signature));
    // Once this is on its way it is not called back: an abort could not tell whether it arrived.
    let answer = call(shared, request, &H::Signal::never()).await?;
    order.recognise(shared, &parse(&answer).map_err(Error::not_json)?)
}

/// Says what the signature that is out there can still do.
fn explain_open_order<H: Host>(mut failed: Error, refused: bool, submission: &Submission<H>) -> Error {
    let (so_far, advice) = match refused {
        true => ("could still be filled until ", ": do not sign this trade again before"),
        false => ("may have arrived, good until ", ": submit the signed order again, sign no other"),
    };
    let until = submission.facts.deadline.map_or("it is cancelled".into(), |deadline| deadline.text());
    failed.message = [&failed.message, "; the order is signed and ", so_far, &until, advice].concat();
    failed
}
