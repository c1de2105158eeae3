//! Faults: errors, broken bodies, dropped connections and delays.

use std::collections::VecDeque;

use serde::Deserialize;

use crate::service::Endpoint;

/// What the next answers of an endpoint do.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Fault {
    /// An endpoint's name, or `*`.
    endpoint: String,
    #[serde(default = "once")]
    times: u32,
    pub status: Option<u16>,
    pub error_type: Option<String>,
    pub details: Option<String>,
    #[serde(default)]
    pub delay_ms: u64,
    #[serde(default)]
    pub html: bool,
    #[serde(default)]
    pub cut_body: bool,
    #[serde(default)]
    pub drop_after_accept: bool,
    #[serde(default)]
    pub drop_before: bool,
    /// The request takes effect, and only then goes wrong.
    #[serde(default)]
    pub after_accept: bool,
    #[serde(default)]
    pub no_cors: bool,
    pub body: Option<String>,
}

fn once() -> u32 {
    1
}

impl Fault {
    /// # Errors
    /// A sentence that names the member.
    pub fn check(&self) -> Result<(), String> {
        if self.endpoint != "*" && Endpoint::named(&self.endpoint).is_none() {
            return Err(format!("endpoint {} is not one of the names, nor *", self.endpoint));
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

/// Faults to come, in the order they were set.
#[derive(Debug, Default)]
pub struct Faults(VecDeque<Fault>);

impl Faults {
    /// `times` 0 clears the faults of that endpoint.
    pub fn add(&mut self, fault: Fault) {
        if fault.times == 0 {
            self.0.retain(|waiting| waiting.endpoint != fault.endpoint);
        } else {
            self.0.push_back(fault);
        }
    }

    pub fn next(&mut self, endpoint: Endpoint) -> Option<Fault> {
        let concerns = |fault: &Fault| fault.endpoint == "*" || fault.endpoint == endpoint.name();
        let index = self.0.iter().position(concerns)?;
        let fault = self.0.get_mut(index)?;
        fault.times -= 1;
        if fault.times == 0 { self.0.remove(index) } else { Some(fault.clone()) }
    }
}

#[cfg(test)]
mod tests {
    use super::{Fault, Faults};
    use crate::service::Endpoint;

    fn fault(text: &str) -> Fault {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn faults_come_in_the_order_they_were_set_and_as_often_as_asked() {
        let mut faults = Faults::default();
        faults.add(fault(r#"{"endpoint":"quote","times":2,"status":500}"#));
        faults.add(fault(r#"{"endpoint":"*","status":503}"#));
        assert_eq!(faults.next(Endpoint::Build).unwrap().status, Some(503));
        assert_eq!(faults.next(Endpoint::Quote).unwrap().status, Some(500));
        assert_eq!(faults.next(Endpoint::Quote).unwrap().status, Some(500));
        assert!(faults.next(Endpoint::Quote).is_none());
    }

    #[test]
    fn an_unknown_endpoint_or_member_is_refused() {
        assert!(fault(r#"{"endpoint":"qoute"}"#).check().is_err());
        assert!(serde_json::from_str::<Fault>(r#"{"endpoint":"quote","stauts":500}"#).is_err());
    }
}
