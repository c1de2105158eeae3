//! Follows orders, and transactions that were sent: what each answer about them means. When the service and the nodes are
//! asked is the schedule's, `pkg-template/src/watch.ts`, which makes the calls of [`Following::call`].
//!
//! | file | what is in it |
//! |---|---|
//! | `plan` | the argument and options of `watch` |
//! | `round` | one request to the service, and its verified answer; or another tab's |
//! | `report` | an order of an answer, compared with what is known of it; as the app gets it |
//! | `unseen` | an order that the service handed out and does not find |
//! | `look` | one look at a transaction |

mod look;
mod plan;
mod report;
mod round;
mod unseen;

use crate::client::Client;
use crate::flows::call::Work;
use crate::flows::chain::pending::Pending;
use crate::host::Host;
use std::cell::RefCell;
use verify::internal::error::{Error, ErrorCode};
use verify::internal::json::{Json, JsonAt};

pub use look::await_end;
pub use plan::FOLLOW_OPTIONS;

/// How long after its deadline an order is followed that still waits to be filled, or that the service does not find,
/// in seconds: the most that this machine's clock may be wrong.
const GRACE_SECS: u64 = 3_600;

/// Orders or a transaction being followed.
#[derive(Debug)]
pub struct Follow {
    /// The argument and options of `watch`, as JSON text for the schedule.
    plan: String,
    /// The transaction as last seen; `None` for orders.
    pending: Option<RefCell<Pending>>,
}

/// The interface to [`Follow`] for code that is loaded without it ([`crate::flows::Parts`]).
pub trait Following<H: Host> {
    /// Makes the schedule's call of that name, one round: `plan`, `round`, `hear`, `refuse`, `show`, `told` or `look`.
    /// `data` and the answer are of the types in `pkg-template/src/watch.ts`.
    fn call<'a>(&'a self, client: &'a Client<H>, name: &'a str, data: &'a Json, signal: &'a H::Signal) -> Work<'a>;
}

impl<H: Host> Following<H> for Follow {
    fn call<'a>(&'a self, client: &'a Client<H>, name: &'a str, data: &'a Json, signal: &'a H::Signal) -> Work<'a> {
        Box::pin(async move {
            let at = JsonAt::input(data, "round");
            match name {
                "plan" => Ok(self.plan(&client.shared)),
                "round" => round::ask(client, &at, signal).await,
                "hear" => round::hear(client, &at),
                "refuse" => report::refuse(client, &at),
                "show" => report::show(client, &at, signal).await,
                "told" => report::note_told(client, &at).await,
                _ => self.look(client, &at, signal).await,
            }
        })
    }
}

/// Whether a later read may succeed: the network, the service or a node is unavailable, the rate limit is exceeded, or
/// nodes differ for a while. An answer that contradicts what is known of an order is none of these.
fn is_passing(error: &Error) -> bool {
    error.status.is_some_and(|status| status >= 500)
        || matches!(
            error.code,
            ErrorCode::Network
                | ErrorCode::Timeout
                | ErrorCode::RateLimited
                | ErrorCode::WalletFailed
                | ErrorCode::NodesDisagree
        )
        || (error.code == ErrorCode::ServiceMalformed && error.field.is_none() && !error.is_too_large())
}
