//! Delta: intents that solvers settle, so that the owner pays no gas.

pub mod calls;
pub mod cancellation;
pub mod crossing;
pub mod limit;
pub mod order;
pub mod partner_fee;
pub mod price;
pub mod status;
pub mod terms;
pub mod twap;
