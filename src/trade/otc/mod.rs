//! OTC orders: the maker builds, signs and posts; the taker fills on chain.

mod build;
mod cancel;
mod fill;
mod orders;
mod orders_input;
mod request;
mod sentence;
mod signable;

pub use build::{OTC_BUILD_OPTIONS, build_otc, check_own_build, open_offer};
pub use cancel::build_otc_cancellation;
pub use fill::{FILL_OPTIONS, build_fill};
pub use orders::{otc_order, otc_orders, otc_remaining};
pub use orders_input::SignedOtcOrder;
pub use request::Request;
