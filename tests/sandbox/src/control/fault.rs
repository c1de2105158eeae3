//! Faults: errors, broken bodies, dropped connections, delays and answers that never come.

use std::collections::VecDeque;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::sync::oneshot;

use crate::service::Endpoint;

/// The faults that have a name, as the members they stand for.
const KINDS: [(&str, &str); 19] = [
    ("429 JSON", r#"{"status":429,"errorType":"RateLimitExceeded"}"#),
    ("429 HTML", r#"{"status":429,"html":true}"#),
    ("429 Retry-After", r#"{"status":429,"errorType":"RateLimitExceeded","retryAfter":"12"}"#),
    (
        "429 JSON-RPC",
        r#"{"body":"{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32005,\"message\":\"rate limited\"}}"}"#,
    ),
    ("500", r#"{"status":500}"#),
    ("502 HTML", r#"{"status":502,"html":true,"afterAccept":true}"#),
    ("empty", r#"{"body":"","afterAccept":true}"#),
    ("null", r#"{"body":"null","afterAccept":true}"#),
    ("{}", r#"{"body":"{}","afterAccept":true}"#),
    ("cut JSON", r#"{"cutJson":true}"#),
    ("cut TCP", r#"{"cutBody":true}"#),
    ("reset after accept", r#"{"dropAfterAccept":true,"reset":true}"#),
    ("30 s delay", r#"{"delayMs":30000}"#),
    ("hang", r#"{"hold":true}"#),
    ("hang after accept", r#"{"hold":true,"afterAccept":true}"#),
    ("redirect", r#"{"status":307,"redirect":"/as/elsewhere"}"#),
    ("wrong content type", r#"{"contentType":"text/html"}"#),
    ("10 MB", r#"{"padTo":10000000}"#),
    ("no CORS", r#"{"noCors":true}"#),
];

/// The kinds, each with the members it stands for.
pub fn kinds() -> Value {
    let members = |text| serde_json::from_str::<Value>(text).unwrap_or_default();
    KINDS.iter().map(|(kind, text)| json!({"kind": kind, "members": members(text)})).collect()
}

/// A fault of an endpoint's next answers.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Fault {
    /// An endpoint's name, or `*` for any; a JSON-RPC method, or `rpc` for any.
    endpoint: String,
    /// Only requests under `/as/{tenant}`.
    tenant: Option<String>,
    /// How many answers; -1 all until cleared, 0 clears.
    #[serde(default = "once")]
    times: i64,
    pub status: Option<u16>,
    pub error_type: Option<String>,
    pub details: Option<String>,
    /// The header Retry-After.
    pub retry_after: Option<String>,
    #[serde(default)]
    pub delay_ms: u64,
    /// No answer before `/sandbox/release`.
    #[serde(default)]
    pub hold: bool,
    #[serde(default)]
    pub html: bool,
    pub content_type: Option<String>,
    /// Half of the body, as if it were the whole.
    #[serde(default)]
    pub cut_json: bool,
    #[serde(default)]
    pub cut_body: bool,
    /// Blanks behind the body, up to that many bytes.
    #[serde(default)]
    pub pad_to: usize,
    #[serde(default)]
    pub drop_after_accept: bool,
    #[serde(default)]
    pub drop_before: bool,
    /// A dropped connection is reset, not closed.
    #[serde(default)]
    pub reset: bool,
    /// The request takes effect, and only then goes wrong.
    #[serde(default)]
    pub after_accept: bool,
    /// A redirection to the same path behind this one.
    pub redirect: Option<String>,
    #[serde(default)]
    pub no_cors: bool,
    pub body: Option<String>,
}

fn once() -> i64 {
    1
}

impl Fault {
    /// Reads a fault; `kind` stands for members, which others of that name replace.
    ///
    /// # Errors
    /// A sentence that names the member.
    pub fn read(mut given: Map<String, Value>) -> Result<Self, String> {
        let mut members = match given.remove("kind") {
            None => Map::new(),
            Some(kind) => {
                let named = KINDS.iter().find(|(name, _)| kind == *name);
                let (_, text) = named.ok_or_else(|| format!("kind {kind} is not one of GET /sandbox/fault"))?;
                serde_json::from_str(text).map_err(|error| error.to_string())?
            }
        };
        members.extend(given);
        let fault: Self = serde_json::from_value(members.into()).map_err(|error| error.to_string())?;
        fault.check().map(|()| fault)
    }

    fn check(&self) -> Result<(), String> {
        let endpoint = &self.endpoint;
        if !["*", "rpc"].contains(&endpoint.as_str()) && !is_method(endpoint) && Endpoint::named(endpoint).is_none() {
            return Err(format!("endpoint {endpoint} is not one of the names, nor *, rpc or a JSON-RPC method"));
        }
        if self.status.is_some_and(|status| !(200..=599).contains(&status)) {
            return Err("status must be from 200 to 599".into());
        }
        Ok(())
    }

    /// Whether it replaces the answer.
    pub fn replaces_answer(&self) -> bool {
        self.status.is_some() || self.error_type.is_some() || self.html || self.body.is_some()
    }
}

/// Whether a name is a JSON-RPC method; an endpoint has no such letter.
fn is_method(name: &str) -> bool {
    name.contains('_')
}

/// A request's subject: an endpoint's name or the JSON-RPC methods in it, and who sent it.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    pub name: &'a str,
    pub tenant: Option<&'a str>,
}

impl Subject<'_> {
    fn is_of(self, endpoint: &str, tenant: Option<&str>) -> bool {
        let any = if is_method(self.name) { "rpc" } else { "*" };
        (endpoint == any || self.name.split(' ').any(|name| name == endpoint))
            && (tenant.is_none() || tenant == self.tenant)
    }
}

/// Faults to come, in the order they were set.
#[derive(Debug, Default)]
pub struct Faults(VecDeque<Fault>);

impl Faults {
    /// `times` 0 clears the faults of that endpoint and tenant.
    pub fn add(&mut self, fault: Fault) {
        if fault.times == 0 {
            self.0.retain(|waiting| (&waiting.endpoint, &waiting.tenant) != (&fault.endpoint, &fault.tenant));
        } else {
            self.0.push_back(fault);
        }
    }

    pub fn next(&mut self, subject: Subject<'_>) -> Option<Fault> {
        let index = self.0.iter().position(|fault| subject.is_of(&fault.endpoint, fault.tenant.as_deref()))?;
        let fault = self.0.get_mut(index)?;
        if fault.times > 0 {
            fault.times -= 1;
        }
        if fault.times == 0 { self.0.remove(index) } else { Some(fault.clone()) }
    }
}

/// Which held requests go on. Without `endpoint` and `tenant` all do.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Release {
    endpoint: Option<String>,
    tenant: Option<String>,
    /// Ends them without an answer, and without effect if they had none.
    #[serde(default)]
    drop: bool,
}

/// A request that waits for its release.
#[derive(Debug)]
struct HeldRequest {
    name: String,
    tenant: Option<String>,
    /// Carries whether it may go on.
    go: oneshot::Sender<bool>,
}

#[derive(Debug, Default)]
pub struct HeldRequests(Vec<HeldRequest>);

impl HeldRequests {
    /// Resolves to whether the request may go on; never, if it never may.
    pub fn add(&mut self, subject: Subject<'_>) -> oneshot::Receiver<bool> {
        let (go, gone) = oneshot::channel();
        self.0.push(HeldRequest { name: subject.name.into(), tenant: subject.tenant.map(Into::into), go });
        gone
    }

    /// Those that wait, the oldest first.
    pub fn list(&self) -> Value {
        self.0.iter().map(|held| json!({"endpoint": held.name, "tenant": held.tenant})).collect()
    }

    /// Lets go of those meant; how many.
    pub fn release(&mut self, release: &Release) -> usize {
        let is_meant = |held: &mut HeldRequest| {
            let subject = Subject { name: &held.name, tenant: held.tenant.as_deref() };
            let endpoint = release.endpoint.as_deref().unwrap_or(&held.name);
            subject.is_of(endpoint, release.tenant.as_deref())
        };
        let released = self.0.extract_if(.., is_meant).map(|held| held.go.send(!release.drop));
        released.filter(Result::is_ok).count()
    }
}

#[cfg(test)]
mod tests {
    use super::{Fault, Faults, KINDS, Subject};

    fn fault(text: &str) -> Fault {
        Fault::read(serde_json::from_str(text).unwrap()).unwrap()
    }

    fn of(name: &str) -> Subject<'_> {
        Subject { name, tenant: None }
    }

    #[test]
    fn faults_come_in_the_order_they_were_set_and_as_often_as_asked() {
        let mut faults = Faults::default();
        faults.add(fault(r#"{"endpoint":"quote","times":2,"status":500}"#));
        faults.add(fault(r#"{"endpoint":"*","status":503}"#));
        assert_eq!(faults.next(of("build")).unwrap().status, Some(503));
        assert_eq!(faults.next(of("quote")).unwrap().status, Some(500));
        assert_eq!(faults.next(of("quote")).unwrap().status, Some(500));
        assert!(faults.next(of("quote")).is_none());
    }

    #[test]
    fn a_fault_for_good_stays_until_it_is_cleared() {
        let mut faults = Faults::default();
        faults.add(fault(r#"{"endpoint":"rpc","times":-1,"status":500}"#));
        assert!((0..3).all(|_| faults.next(of("eth_call")).is_some()));
        assert!(faults.next(of("quote")).is_none());
        faults.add(fault(r#"{"endpoint":"rpc","times":0}"#));
        assert!(faults.next(of("eth_call")).is_none());
    }

    #[test]
    fn a_tenants_fault_concerns_that_tenant_alone() {
        let mut faults = Faults::default();
        faults.add(fault(r#"{"endpoint":"eth_call","tenant":"a","status":500}"#));
        assert!(faults.next(of("eth_call")).is_none());
        assert!(faults.next(Subject { name: "eth_call", tenant: Some("b") }).is_none());
        assert!(faults.next(Subject { name: "eth_call", tenant: Some("a") }).is_some());
    }

    #[test]
    fn every_kind_can_be_read_and_changed() {
        for (kind, _) in KINDS {
            fault(&format!(r#"{{"endpoint":"quote","kind":"{kind}"}}"#));
        }
        assert_eq!(fault(r#"{"endpoint":"quote","kind":"30 s delay"}"#).delay_ms, 30_000);
        assert_eq!(fault(r#"{"endpoint":"quote","kind":"30 s delay","delayMs":5}"#).delay_ms, 5);
    }

    #[test]
    fn an_unknown_endpoint_member_or_kind_is_refused() {
        for text in [
            r#"{"endpoint":"qoute"}"#,
            r#"{"endpoint":"quote","stauts":500}"#,
            r#"{"endpoint":"quote","kind":"flood"}"#,
        ] {
            assert!(Fault::read(serde_json::from_str(text).unwrap()).is_err(), "{text}");
        }
    }
}
