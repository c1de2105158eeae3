//! Following orders, and transactions that were sent, until their statuses no longer change: `watch` and `wait`.
//!
//! | file | what is in it |
//! |---|---|
//! | `watch` | what one `watch` follows, and its next change |
//! | `orders` | the orders of one `watch`: what changed, and for how long it waits |
//! | `ask` | which one request tells the most: an order, a page of the open ones, the number of those that ended |
//! | `answer` | what an answer tells, this tab's or another's |
//! | `unseen` | an order that the service handed out and does not find |
//! | `pace` | how often is asked |
//!
//! Nothing runs in the background. What is known is in `client/followed.rs`, one for all watches of a client; whoever
//! waits and is due first asks for all of them, and tells the other tabs what the service answered. They verify it
//! themselves, and then are not due. So there is no leader that could be frozen, and none to be elected.

mod answer;
mod ask;
mod orders;
mod pace;
mod unseen;
mod watch;

pub use pace::{FOLLOW_OPTIONS, FollowPace};
pub use watch::{Follow, Following};
