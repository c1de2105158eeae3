//! What was checked, and how it turned out.

use crate::domain::address::checksummed;
use crate::domain::eip712::Digest;
use crate::domain::text::ToText;
use crate::json::{Json, object};
use alloy_primitives::{Address, U256};

/// How a check turned out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// As asked for.
    Ok,
    /// Not as asked for: the operation ends.
    Mismatch,
    /// Nobody outside can judge it; another check bounds what it can do.
    Opaque,
    /// Could not be judged for lack of data.
    Unknown,
}

impl Verdict {
    fn name(self) -> &'static str {
        match self {
            Verdict::Ok => "ok",
            Verdict::Mismatch => "mismatch",
            Verdict::Opaque => "opaque",
            Verdict::Unknown => "unknown",
        }
    }
}

/// One field held against what it must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// Where: `order.beneficiary`.
    pub field: &'static str,
    /// What it must be.
    pub expected: String,
    /// What it is.
    pub actual: String,
    /// The outcome.
    pub verdict: Verdict,
}

/// The checks of one payload, in the order they were made.
#[derive(Clone, Debug, Default)]
pub struct Checks(Vec<Check>);

/// A payload that is not what was asked for: the first check that failed, and all of them.
#[derive(Clone, Debug)]
pub struct Mismatch {
    /// The one to tell the user about.
    pub first: Check,
    /// Every check.
    pub all: Vec<Check>,
}

impl Checks {
    /// Notes an outcome.
    pub fn note(
        &mut self,
        field: &'static str,
        expected: impl Into<String>,
        actual: impl Into<String>,
        verdict: Verdict,
    ) {
        self.0.push(Check { field, expected: expected.into(), actual: actual.into(), verdict });
    }

    /// Holds where `ok` does.
    pub fn holds(&mut self, field: &'static str, ok: bool, expected: impl Into<String>, actual: impl Into<String>) {
        self.note(field, expected, actual, if ok { Verdict::Ok } else { Verdict::Mismatch });
    }

    /// The same address.
    pub fn address(&mut self, field: &'static str, expected: Address, actual: Address) {
        self.holds(field, expected == actual, checksummed(expected), checksummed(actual));
    }

    /// The same number.
    pub fn number(&mut self, field: &'static str, expected: U256, actual: U256) {
        self.holds(field, expected == actual, expected.text(), actual.text());
    }

    /// Not below.
    pub fn at_least(&mut self, field: &'static str, least: U256, actual: U256) {
        self.holds(field, actual >= least, ["at least ", &least.text()].concat(), actual.text());
    }

    /// Not above.
    pub fn at_most(&mut self, field: &'static str, most: U256, actual: U256) {
        self.holds(field, actual <= most, ["at most ", &most.text()].concat(), actual.text());
    }

    /// Ends with a mismatch: the first one noted, else this.
    pub fn refuse(mut self, field: &'static str, expected: &str, actual: &str) -> Box<Mismatch> {
        let last = Check { field, expected: expected.into(), actual: actual.into(), verdict: Verdict::Mismatch };
        self.0.push(last.clone());
        let first = self.0.iter().find(|check| check.verdict == Verdict::Mismatch).cloned().unwrap_or(last);
        Box::new(Mismatch { first, all: self.0 })
    }

    /// The checks, if none failed.
    ///
    /// # Errors
    /// The first that failed, with all the others.
    pub fn finish(self) -> Result<Vec<Check>, Box<Mismatch>> {
        match self.0.iter().find(|check| check.verdict == Verdict::Mismatch) {
            Some(first) => Err(Box::new(Mismatch { first: first.clone(), all: self.0 })),
            None => Ok(self.0),
        }
    }
}

/// What an interface can show as it is.
#[derive(Clone, Debug)]
pub struct Report {
    /// One sentence a person would say.
    pub sentence: String,
    /// Everything that was checked.
    pub checks: Vec<Check>,
    /// The hashes, once there is typed data.
    pub digest: Option<Digest>,
}

impl Report {
    /// As JavaScript sees it.
    pub fn write(&self) -> Json {
        let mut members = vec![
            ("sentence".into(), Json::text(self.sentence.as_str())),
            ("checks".into(), write_checks(&self.checks)),
        ];
        if let Some(digest) = &self.digest {
            members.push(("domainSeparator".into(), Json::text(digest.domain_separator.text())));
            members.push(("structHash".into(), Json::text(digest.struct_hash.text())));
            members.push(("digest".into(), Json::text(digest.digest.text())));
        }
        Json::Object(members)
    }
}

fn write_checks(checks: &[Check]) -> Json {
    let check = |check: &Check| {
        object([
            ("field", Json::text(check.field)),
            ("expected", Json::text(check.expected.as_str())),
            ("actual", Json::text(check.actual.as_str())),
            ("verdict", Json::text(check.verdict.name())),
        ])
    };
    Json::Array(checks.iter().map(check).collect())
}

impl Mismatch {
    /// A report of what was found, for the error.
    pub fn report(&self) -> Json {
        let sentence = ["Refused: ", self.first.field, " is not what was asked for."].concat();
        Report { sentence, checks: self.all.clone(), digest: None }.write()
    }
}
