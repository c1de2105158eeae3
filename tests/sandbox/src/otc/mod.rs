//! OTC orders: a maker signs and posts, a taker fills on chain. All that the service has beyond the signed
//! order it reads from the chain.

#[path = "../../../shared/otc_abi.rs"]
mod abi;
mod book;
mod claims;
mod posted;
mod reading;
mod signature;
mod state;
mod trail;
mod typed_data;

pub use abi::{IRfq, Order as RfqOrder, OrderCancelled, OrderFilled, OrderInfo};
pub use book::OtcBook;
pub use claims::{Cover, cover};
pub use posted::{Condition, PostedOrder};
pub use reading::{Draft, read_draft};
pub use signature::is_makers;
pub use state::{Kind, State, unfilled};
pub use trail::{Trail, Trails, read_trails};
pub use typed_data::{rfq_domain, rfq_hash, rfq_types};
