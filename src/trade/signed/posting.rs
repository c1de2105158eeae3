//! Posting what is signed until it is known whether the service has it. The same bytes each time: never another signature.

use crate::client::Shared;
use crate::domain::text::ToText;
use crate::error::{Error, ErrorCode, Result};
use crate::host::{Host, Signal};
use crate::json::{JsonAt, parse};
use crate::service::call;
use crate::service::orders::{self, OrderKey};
use crate::service::otc;
use crate::trade::delta::reported::{Wanted, reported};
use crate::trade::otc::stored;
use crate::trade::signed::submission::{Order, Submission};
use crate::wire;

/// How often an unanswered post is sent again.
const TRIES: u32 = 5;
/// The first pause between two of them.
const PAUSE_MS: u32 = 1_000;

/// Posts, and looks for the order, until one of them finds it. Returns it as the service tells it.
///
/// # Errors
/// The service's refusal, or its silence after several tries, with what the signature that is out there can still do.
pub async fn until_known<H: Host>(shared: &Shared<H>, submission: &Submission, signature: &[u8]) -> Result<String> {
    let never = H::Signal::never();
    let mut pause = PAUSE_MS;
    for left in (0..TRIES).rev() {
        let failed = match asked(shared, submission, Some(signature)).await {
            Ok(order) => return Ok(order),
            Err(error) => error,
        };
        // Whatever the answer was, the order may be there: accepted before the connection broke, or a duplicate.
        if failed.code != ErrorCode::RateLimited
            && let Some(order) = looked_up(shared, submission).await
        {
            return Ok(order);
        }
        let refused = failed.status.is_some_and(|status| (400..500).contains(&status) && status != 408);
        let refused = refused && failed.code != ErrorCode::RateLimited;
        if refused || left == 0 {
            return Err(given_up(failed, refused, submission));
        }
        let stated = failed.retry_after_secs.and_then(|secs| u32::try_from(secs.saturating_mul(1_000)).ok());
        shared.host.sleep(stated.unwrap_or(pause).clamp(pause, 30_000), &never).await;
        pause = pause.saturating_mul(2);
    }
    Err(Error::new(ErrorCode::Internal, "no try left"))
}

/// The order, where the service has it. Asked again where the limit on requests, or the network, is in the way: only an
/// answer tells.
async fn looked_up<H: Host>(shared: &Shared<H>, submission: &Submission) -> Option<String> {
    for pause in [PAUSE_MS, PAUSE_MS.saturating_mul(2), 0] {
        match asked(shared, submission, None).await {
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
async fn asked<H: Host>(shared: &Shared<H>, submission: &Submission, signature: Option<&[u8]>) -> Result<String> {
    let hash = submission.hash;
    let request = match (&submission.order, signature) {
        (Order::Delta(build), Some(signature)) => orders::posting(&build.value, &build.intent, &build.terms, signature),
        (Order::Delta(_), None) => orders::reading(&OrderKey::Hash(hash)),
        (Order::Otc(offer, permit), Some(signature)) => {
            let permit = permit.as_ref().map(|permit| permit.bytes.as_slice());
            otc::posting(submission.chain_id, &offer.order, signature, permit)
        }
        (Order::Otc(..), None) => otc::reading(hash),
    };
    // Once this is on its way it is not called back: an abort could not tell whether it arrived.
    expect_same_order(shared, &call(shared, request, &H::Signal::never()).await?, submission)
}

/// The order in an answer, if it is the one that was posted.
fn expect_same_order<H: Host>(shared: &Shared<H>, text: &str, submission: &Submission) -> Result<String> {
    let json = parse(text).map_err(Error::not_json)?;
    if let Order::Otc(..) = submission.order {
        return stored(shared, &json, submission.hash);
    }
    let at = JsonAt::service(wire::order::order(&json), "order");
    wire::order::named(&at)?;
    let wanted = Wanted { hash: Some(submission.hash), owner: Some(submission.owner), ..Wanted::default() };
    let told = reported(shared, &at, &wanted, ErrorCode::ServiceMalformed)?;
    shared.name_signed(submission.hash, at.get("id").text()?);
    Ok(told.json(None).write())
}

/// Says what the signature that is out there can still do.
fn given_up(mut failed: Error, refused: bool, submission: &Submission) -> Error {
    let (so_far, advice) = match refused {
        true => ("could still be filled until ", ": do not sign this trade again before"),
        false => ("may have arrived, good until ", ": submit the signed order again, sign no other"),
    };
    let until = match &submission.order {
        Order::Delta(build) => build.terms.deadline.text(),
        Order::Otc(offer, _) if offer.request.expiry == 0 => "it is cancelled".into(),
        Order::Otc(offer, _) => offer.request.expiry.text(),
    };
    failed.message = [&failed.message, "; the order is signed and ", so_far, &until, advice].concat();
    failed
}
