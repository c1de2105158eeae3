//! The typed data by which an owner cancels orders without gas.

use crate::domain::typed_struct::{TypedStruct, Value};

/// The encoded type of a cancellation.
pub const ORDER_CANCELLATIONS: &str = "OrderCancellations(string[] orderIds)";

/// The most orders one cancellation names.
pub const MAX_ORDERS: usize = 100;

/// The cancellation of orders, by the service's ids.
pub fn cancellation(ids: &[String]) -> TypedStruct {
    TypedStruct::of(ORDER_CANCELLATIONS, vec![Value::Texts(ids.to_vec())])
}
