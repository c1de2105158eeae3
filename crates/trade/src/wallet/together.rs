//! Several futures at once.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;

/// A future of the caller's.
pub type Work<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// Runs all futures at once. Returns the outcomes in the same order.
pub async fn all_of<T>(work: Vec<Work<'_, T>>) -> Vec<T> {
    let mut all: Vec<(Work<'_, T>, Option<T>)> = work.into_iter().map(|one| (one, None)).collect();
    poll_fn(|context| {
        let mut is_done = true;
        for (work, outcome) in &mut all {
            if outcome.is_none() {
                match work.as_mut().poll(context) {
                    Poll::Ready(done) => *outcome = Some(done),
                    Poll::Pending => is_done = false,
                }
            }
        }
        if is_done { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    all.into_iter().filter_map(|(_, outcome)| outcome).collect()
}
