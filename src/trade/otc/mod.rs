//! OTC orders: the maker builds, signs and posts; the taker fills on chain.

mod build;
mod cancel;
mod fill;
mod orders;
mod orders_input;
mod request;
mod sentence;

pub use build::{OtcOffer, build_otc, opened, recognised};
pub use cancel::build_otc_cancellation;
pub use fill::{FILL_OPTIONS, build_fill};
pub use orders::{otc_order, otc_orders, otc_remaining, stored};
pub use orders_input::SignedOtcOrder;
pub use request::Request;
