//! Follows orders, and transactions that were sent, until their statuses no longer change: `watch` and `wait`.
//!
//! | file | what is in it |
//! |---|---|
//! | `watch` | the orders or the transaction of one `watch`, and the next change |
//! | `orders` | the orders of one `watch`: their changes, and the pauses between requests |
//! | `ask` | the one request that covers the most: an order, a page of the open ones, the number of those that ended |
//! | `answer` | the service's answers, this tab's or another's |
//! | `unseen` | an order that the service handed out and does not find |
//! | `pace` | the pauses between requests |
//!
//! Nothing runs in the background. The state is in `client/followed.rs`, one for all watches of a client; the first
//! waiting watch that is due sends the request for all of them, and passes the service's answer on to the other tabs.
//! They verify it themselves, and then are not due. So there is no leader that could be frozen, and none to be elected.

mod answer;
mod ask;
mod orders;
mod pace;
mod unseen;
mod watch;

pub use pace::{FOLLOW_OPTIONS, FollowPace};
pub use watch::{Follow, Following};
