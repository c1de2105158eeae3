//! Signed orders: their typed data, their hash, their signature, and where they are in their life.

mod book;
mod fee;
mod format;
mod kind;
mod part;
mod reading;
mod signature;
mod signed;
mod status;
mod stored;
mod typed_data;

pub use book::{Book, Change, Filter};
pub use fee::{ANON, MAX_FEE_BPS, PartnerFee, purchase_total};
pub use format::{read_struct, types_of, write_struct};
pub use kind::OrderKind;
pub use part::{Part, Trading};
pub use reading::read_signed;
pub use signature::{compact, recover_owner};
pub use signed::{SignedOrder, Terms};
pub use status::Status;
pub use stored::{Arrival, Refund, Settlement, StoredOrder};
pub use typed_data::{cancellation_types, delta_domain, digest_of, order_hash, order_types, value_json};
