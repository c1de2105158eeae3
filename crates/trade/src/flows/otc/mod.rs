//! OTC orders, settled by the RFQ contract: a maker builds, signs and posts an order, a taker fills it on chain.
//!
//! The service only stores them. A maker's order is built here from the request (`build`), and the order to fill is
//! compared with its shown form and with the chain (`fill`). See "An OTC order, and its fill" in docs/verification.md.

mod build;
mod cancel;
mod fill;
mod orders;
mod orders_input;
mod signable;

pub use build::{OTC_BUILD_OPTIONS, build_otc, check_own_build};
pub use cancel::build_otc_cancellation;
pub use fill::build_fill;
pub use orders::{otc_order, otc_orders, otc_remaining, verify_stored};
pub use signable::open_signable;
