//! Signed orders: their typed data, their hash, their signature, and where they are in their life.

mod book;
mod fee;
mod reading;
mod signature;
mod status;
mod typed_data;

pub use book::{Book, Filter, Settlement, StoredOrder};
pub use fee::{ANON, MAX_FEE_BPS, PartnerFee, purchase_total};
pub use reading::read_order;
pub use signature::recover_owner;
pub use status::Status;
pub use typed_data::{delta_domain, digest_of, order_hash, order_types, value_json};
