//! Everything that was asked, and every member that was served.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::json::Json;
use crate::service::Endpoint;

/// One request, as it was received.
#[derive(Clone, Debug, Serialize)]
pub struct Request {
    pub endpoint: &'static str,
    pub method: String,
    pub path: String,
    pub query: BTreeMap<String, String>,
    pub body: String,
    /// Of the answer; 0 where the connection was dropped in place of one.
    pub status: u16,
    /// Unix milliseconds of the machine's clock.
    pub at: u64,
}

#[derive(Debug, Default, Serialize)]
pub struct Record {
    pub requests: Vec<Request>,
    pub served: BTreeMap<&'static str, BTreeSet<String>>,
}

impl Record {
    pub fn note_served(&mut self, endpoint: Endpoint, answer: &Json) {
        self.served.entry(endpoint.name()).or_default().extend(answer.member_paths());
    }
}
