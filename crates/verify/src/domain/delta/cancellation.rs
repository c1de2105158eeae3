//! The typed data with which an owner asks the service to drop orders, without gas. It binds no contract: a holder of
//! an order's signature can still have it filled until its deadline (docs/verification.md, "A second order for one
//! intent").

use crate::domain::typed_struct::{TypedStruct, Value};

/// The encoded type (EIP-712) of a cancellation.
pub const ORDER_CANCELLATIONS: &str = "OrderCancellations(string[] orderIds)";

/// The highest number of orders in one cancellation.
pub const MAX_ORDERS: usize = 100;

/// The struct that is signed to cancel the orders of these ids of the service.
pub fn cancellation(ids: &[String]) -> TypedStruct {
    TypedStruct::of(ORDER_CANCELLATIONS, vec![Value::Texts(ids.to_vec())])
}
