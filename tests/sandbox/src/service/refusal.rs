//! The service's error envelope.

use serde_json::json;

use crate::chain::RpcError;
use crate::json::Json;

/// An answer that is an error.
#[derive(Clone, Debug)]
pub struct Refusal {
    pub status: u16,
    pub error_type: String,
    pub details: String,
}

impl Refusal {
    pub fn new(status: u16, error_type: &str, details: impl Into<String>) -> Self {
        Self { status, error_type: error_type.to_owned(), details: details.into() }
    }

    /// InvalidInput: a parameter or member that was left out.
    pub fn missing(name: &str) -> Self {
        Self::invalid(format!("{name} is required"))
    }

    pub fn invalid(details: impl Into<String>) -> Self {
        Self::new(400, "InvalidInput", details)
    }

    pub fn pricing(details: impl Into<String>) -> Self {
        Self::new(400, "PricingError", details)
    }

    pub fn unsupported_chain(chain_id: impl std::fmt::Display) -> Self {
        Self::new(422, "UnsupportedChain", format!("Unsupported chain {chain_id}"))
    }

    pub fn not_found(what: &str) -> Self {
        Self::new(404, "NotFound", format!("{what} not found"))
    }

    pub fn json(&self) -> Json {
        json!({"errorType": self.error_type, "details": self.details}).into()
    }
}

impl From<RpcError> for Refusal {
    fn from(error: RpcError) -> Self {
        Self::new(500, "InternalError", error.to_string())
    }
}
