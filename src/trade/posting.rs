//! Posting what is signed until it is known whether the service has it. The same bytes each time: never another signature.

use crate::error::{Error, ErrorCode, Result};
use crate::host::{Host, Signal};
use std::future::Future;
use std::pin::Pin;

/// How often an unanswered post is sent again.
const TRIES: u32 = 5;
/// The first pause between two of them.
const PAUSE_MS: u32 = 1_000;

/// An answer of the service on its way: the order's text, where it is the one that was posted.
pub type Answer<'a> = Pin<Box<dyn Future<Output = Result<String>> + 'a>>;

/// Posts with `post`, and looks with `read`, until one of them finds the order. `until` says how long the signature is good
/// for, to be read by a person.
///
/// # Errors
/// The service's refusal, or its silence after several tries, with what the signature that is out there can still do.
pub async fn until_known<'a, H: Host>(
    host: &H,
    post: &dyn Fn() -> Answer<'a>,
    read: &dyn Fn() -> Answer<'a>,
    until: &str,
) -> Result<String> {
    let never = H::Signal::never();
    let mut pause = PAUSE_MS;
    for left in (0..TRIES).rev() {
        let failed = match post().await {
            Ok(order) => return Ok(order),
            Err(error) => error,
        };
        // Whatever the answer was, the order may be there: accepted before the connection broke, or a duplicate.
        if failed.code != ErrorCode::RateLimited
            && let Some(order) = looked_up(host, read).await
        {
            return Ok(order);
        }
        let refused = failed.status.is_some_and(|status| (400..500).contains(&status) && ![408, 429].contains(&status));
        if refused || left == 0 {
            return Err(given_up(failed, refused, until));
        }
        let stated = failed.retry_after_secs.and_then(|secs| u32::try_from(secs.saturating_mul(1_000)).ok());
        host.sleep(stated.unwrap_or(pause).clamp(pause, 30_000), &never).await;
        pause = pause.saturating_mul(2);
    }
    Err(Error::new(ErrorCode::Internal, "no try left"))
}

/// The order, where the service has it. Asked again where the limit on requests, or the network, is in the way: only an
/// answer tells.
async fn looked_up<'a, H: Host>(host: &H, read: &dyn Fn() -> Answer<'a>) -> Option<String> {
    for pause in [PAUSE_MS, PAUSE_MS.saturating_mul(2), 0] {
        match read().await {
            Ok(order) => return Some(order),
            Err(error) if pause > 0 && error.code == ErrorCode::RateLimited => {
                host.sleep(pause, &H::Signal::never()).await;
            }
            Err(_) => return None,
        }
    }
    None
}

/// Says what the signature that is out there can still do.
fn given_up(mut failed: Error, refused: bool, until: &str) -> Error {
    let (so_far, advice) = match refused {
        true => ("could still be filled until ", ": do not sign this trade again before"),
        false => ("may have arrived, good until ", ": submit the signed order again, sign no other"),
    };
    failed.message = [&failed.message, "; the order is signed and ", so_far, until, advice].concat();
    failed
}
