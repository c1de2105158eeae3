//! Records requests, the member paths of answers, and every value of some members.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::{Value, json};

use crate::json::Json;
use crate::service::Endpoint;

/// One request, as it was received.
#[derive(Clone, Debug, Serialize)]
pub struct Request {
    /// An endpoint's name, or a JSON-RPC method.
    pub endpoint: String,
    /// The sender, if its path began with `/as/{tenant}`.
    pub tenant: Option<String>,
    pub method: String,
    pub path: String,
    pub query: BTreeMap<String, String>,
    pub body: String,
    /// The header `X-API-KEY`, if sent.
    #[serde(rename = "apiKey")]
    pub api_key: Option<String>,
    /// HTTP status of the answer; 0 before it, and if the connection was dropped.
    pub status: u16,
    /// When it arrived: unix milliseconds of the machine's clock.
    pub at: u64,
    /// When it was answered or dropped, likewise; 0 before.
    pub end: u64,
    /// How many requests were received before it.
    pub serial: u64,
}

/// Members of answers whose every value is recorded: an order's state and kind.
const TOLD: [&str; 3] = ["status", "state", "onChainOrderType"];

/// A kind of error that was served, and where.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Refused {
    pub endpoint: &'static str,
    pub status: u16,
    pub error_type: String,
    /// Member paths of the envelope.
    pub members: Vec<String>,
}

#[derive(Debug, Default, Serialize)]
pub struct Record {
    /// To the service.
    pub requests: Vec<Request>,
    /// To the nodes, through `/rpc`.
    pub reads: Vec<Request>,
    /// By browsers, to both.
    pub preflights: Vec<Request>,
    #[serde(skip)]
    received: u64,
    pub served: BTreeMap<&'static str, BTreeSet<String>>,
    /// By the member's name, over all endpoints.
    pub said: BTreeMap<&'static str, BTreeSet<String>>,
    pub errors: BTreeSet<Refused>,
}

impl Record {
    /// Notes a request; its serial number.
    pub fn note_request(&mut self, request: Request) -> u64 {
        let serial = self.received;
        self.received += 1;
        let list = match request.method.as_str() {
            "OPTIONS" => &mut self.preflights,
            _ if request.path.starts_with("/rpc/") => &mut self.reads,
            _ => &mut self.requests,
        };
        list.push(Request { serial, ..request });
        serial
    }

    /// Nothing happens if the record was emptied since.
    pub fn note_end(&mut self, serial: u64, status: u16, end: u64) {
        let mut requests = self.requests.iter_mut().chain(&mut self.reads).chain(&mut self.preflights).rev();
        if let Some(request) = requests.find(|request| request.serial == serial) {
            (request.status, request.end) = (status, end);
        }
    }

    /// One tenant's requests.
    pub fn of_tenant(&self, tenant: &str) -> Value {
        let of = |list: &[Request]| -> Value {
            list.iter()
                .filter(|request| request.tenant.as_deref() == Some(tenant))
                .map(|request| json!(request))
                .collect()
        };
        json!({"requests": of(&self.requests), "reads": of(&self.reads), "preflights": of(&self.preflights)})
    }

    /// Without requests, but serial numbers go on.
    pub fn empty(&mut self) {
        *self = Self { received: self.received, ..Self::default() };
    }

    /// Notes an answer as it is sent.
    pub fn note_answer(&mut self, endpoint: Endpoint, status: u16, answer: &Json) {
        if let Some(error_type) = answer.get("errorType").and_then(Json::as_str).filter(|_| status != 200) {
            let members = answer.member_paths();
            self.errors.insert(Refused { endpoint: endpoint.name(), status, error_type, members });
        } else {
            self.served.entry(endpoint.name()).or_default().extend(answer.member_paths());
            for name in TOLD {
                let values = answer.values_of(name);
                if !values.is_empty() {
                    self.said.entry(name).or_default().extend(values);
                }
            }
        }
    }
}
