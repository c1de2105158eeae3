//! What was checked, and how it turned out.

use crate::domain::decimal::bps_as_percent;
use crate::domain::eip712::Digest;
use crate::domain::text::{Concat, ToText};
use crate::domain::visible::visible;
use crate::error::{Error, ErrorCode, Result};
use crate::json::ObjectWriter;
use alloy_primitives::U256;

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
    /// As asked for, and far from what such trades are like: to be looked at, not refused.
    Unusual,
}

/// The check of what a price loses.
pub const LOSS: &str = "quote.loss";

/// The checks of one payload, in the order they were made, as JSON text; and the first that failed.
#[derive(Default)]
pub struct Checks {
    prefix: String,
    out: String,
    failed: Option<Error>,
}

impl Checks {
    /// From here on fields are told with this in front of them: `order.`.
    pub fn set_prefix(&mut self, path: &str) {
        self.prefix = path.into();
    }

    /// Notes an outcome.
    pub fn note(&mut self, field: &str, expected: &dyn ToText, actual: &dyn ToText, verdict: Verdict) {
        let mut out = ObjectWriter::object();
        let field = &[&self.prefix, field].concat();
        // The service may write anything into what it states: shown as it is, never as it wants to look.
        let (expected, actual) = (&shown(&expected.text()), &shown(&actual.text()));
        out.text("field", field);
        out.text("expected", expected);
        out.text("actual", actual);
        let name = match verdict {
            Verdict::Ok => "ok",
            Verdict::Mismatch => "mismatch",
            Verdict::Opaque => "opaque",
            Verdict::Unknown => "unknown",
            Verdict::Unusual => "unusual",
        };
        out.text("verdict", name);
        if !self.out.is_empty() {
            self.out.push(',');
        }
        self.out.push_str(&out.close());
        if verdict == Verdict::Mismatch && self.failed.is_none() {
            let subject = "not what was asked for: ";
            self.failed = Some(Error::at(ErrorCode::VerifyMismatch, subject, field, expected, actual));
        }
    }

    /// Whether all of them hold so far.
    pub fn all_hold(&self) -> bool {
        self.failed.is_none()
    }

    /// Adds to the error what would help, if it is of a check that failed since they `held`.
    pub fn remedy(&mut self, held: bool, remedy: &dyn ToText) {
        if let Some(error) = self.failed.as_mut().filter(|_| held) {
            error.message = [&error.message, "; ", &remedy.text()].concat();
        }
    }

    /// Holds where `ok` does.
    pub fn holds(&mut self, field: &str, ok: bool, expected: &dyn ToText, actual: &dyn ToText) {
        self.note(field, expected, actual, if ok { Verdict::Ok } else { Verdict::Mismatch });
    }

    /// Holds where `ok` does; otherwise nobody judges it where the caller vouches for it.
    pub fn holds_or_trusted(
        &mut self,
        field: &str,
        ok: bool,
        vouched: bool,
        expected: &dyn ToText,
        actual: &dyn ToText,
    ) {
        let verdict = if vouched { Verdict::Opaque } else { Verdict::Mismatch };
        self.note(field, expected, actual, if ok { Verdict::Ok } else { verdict });
    }

    /// The same address, hash or number: the same text.
    pub fn same(&mut self, field: &str, expected: &dyn ToText, actual: &dyn ToText) {
        self.holds(field, expected.text() == actual.text(), expected, actual);
    }

    /// Not below.
    pub fn at_least(&mut self, field: &str, least: &U256, actual: &U256) {
        self.holds(field, actual >= least, &Concat(&[&"at least ", least]), actual);
    }

    /// Not above.
    pub fn at_most(&mut self, field: &str, most: &U256, actual: &U256) {
        self.holds(field, actual <= most, &Concat(&[&"at most ", most]), actual);
    }

    /// What failed is the loss alone, and its costs make up for it: nobody is accused. See
    /// [`crate::error::Facts::loss`].
    pub fn excuse_loss(&mut self, loss: (u64, u64)) {
        if let Some(error) = self.failed.as_mut().filter(|error| error.field.as_deref() == Some(LOSS)) {
            error.code = ErrorCode::LossTooHigh;
            let percent = |bps: u64| bps_as_percent(u16::try_from(bps).unwrap_or(u16::MAX));
            let message = [
                "gas, and a bridge where there is one, take more of this amount than is accepted: ",
                &percent(loss.0),
                " % of it is lost. Trade more at once, or ask the user and raise maxLossBps",
            ];
            error.message = message.concat();
            error.loss = Some(loss);
        }
    }

    /// Notes a deadline that was counted from a node's clock, where that is `ahead` of this machine's, seconds.
    pub fn note_clock(&mut self, field: &str, ahead: u64) {
        if ahead > 0 {
            let actual = Concat(&[&"counted from the node's clock, ", &ahead, &" s ahead of this machine's"]);
            self.note(field, &"counted from a clock that is right", &actual, Verdict::Unknown);
        }
    }

    /// The checks, if none failed, for a [`report`].
    ///
    /// # Errors
    /// VERIFY_MISMATCH with the first that failed, LOSS_TOO_HIGH where that was excused, and a report of all.
    pub fn finish(self) -> Result<String> {
        match self.failed {
            None => Ok(self.out),
            Some(mut error) => {
                let field = error.field.clone().unwrap_or_default();
                let sentence = match error.code {
                    ErrorCode::LossTooHigh => ["Not used: ", &error.message, "."].concat(),
                    _ => ["Refused: ", &field, " is not what was asked for."].concat(),
                };
                error.report = Some(report(&sentence, &self.out, None));
                Err(error)
            }
        }
    }
}

/// The most characters of a value that are shown.
const MAX_SHOWN: usize = 600;

fn shown(text: &str) -> String {
    match text.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => [&visible(text.get(..end).unwrap_or_default()), "..."].concat(),
        None => visible(text),
    }
}

/// What an interface can show as it is: a sentence, the checks, and the hashes once there is typed data. JSON text.
pub fn report(sentence: &str, checks: &str, digest: Option<&Digest>) -> String {
    report_of_trade(sentence, checks, digest, None)
}

/// The same of a trade that was built from a price: with how far from it, in basis points, what is guaranteed lies.
pub fn report_of_trade(sentence: &str, checks: &str, digest: Option<&Digest>, distance_bps: Option<u64>) -> String {
    let mut out = ObjectWriter::object();
    out.text("sentence", sentence);
    out.raw("checks", &["[", checks, "]"].concat());
    if let Some(bps) = distance_bps {
        out.number("distanceBps", bps);
    }
    if let Some(digest) = digest {
        out.value("domainSeparator", &digest.domain_separator);
        out.value("structHash", &digest.struct_hash);
        out.value("digest", &digest.digest);
    }
    out.close()
}
