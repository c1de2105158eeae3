//! The checks made and their results: the report that a page can show, and the error of a refusal.
//!
//! Values of the service are in both, so they are made visible and cut to length here (see [`crate::value::visible`]).

use crate::domain::decimal::bps_as_percent;
use crate::domain::gas::plausible;
use crate::domain::intent::Token;
use crate::domain::typed_struct::TypedText;
use crate::error::{Error, ErrorCode, Result};
use crate::json::ObjectWriter;
use crate::value::text::{Concat, ToText};
use crate::value::visible::visible;
use alloy_primitives::U256;

/// The result of a check. The names in a report are those of docs/verification.md, in lower case. Only one of them
/// refuses, because a person who is shown warnings every day stops to read them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The value is as requested.
    Ok,
    /// The value is not as requested: the call is refused.
    Mismatch,
    /// It cannot be judged from outside. Mostly another check bounds its effect (docs/verification.md lists the
    /// exceptions).
    Opaque,
    /// It cannot be judged, because data is missing.
    Unknown,
    /// The value is as requested, but far from the price, or not what a trial showed: shown, not refused.
    Unusual,
}

impl Verdict {
    /// Its name in a report.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Ok => "ok",
            Verdict::Mismatch => "mismatch",
            Verdict::Opaque => "opaque",
            Verdict::Unknown => "unknown",
            Verdict::Unusual => "unusual",
        }
    }
}

/// The field of the check of a price's loss.
pub const LOSS: &str = "quote.loss";

/// The checks of one payload as JSON text, in the order in which they were made, and the error of the first that
/// failed.
///
/// ```
/// use verified_swap_verify::internal::domain::verify::Checks;
/// let mut checks = Checks::default();
/// checks.same("order.owner", &"alice", &"alice");
/// checks.same("order.beneficiary", &"alice", &"mallory");
/// let error = checks.finish().unwrap_err();
/// assert_eq!((error.field.as_deref(), error.actual.as_deref()), (Some("order.beneficiary"), Some("mallory")));
/// ```
#[derive(Default)]
pub struct Checks {
    prefix: String,
    out: String,
    failed: Option<Error>,
    /// Whether only failures are of interest.
    is_unwritten: bool,
}

impl Checks {
    /// Checks that are not shown: only the error of the first failure is of interest, and nothing is written.
    pub fn unwritten() -> Checks {
        Checks { is_unwritten: true, ..Checks::default() }
    }

    /// Puts `path`, such as `order.`, before the fields of all further checks.
    pub fn set_prefix(&mut self, path: &str) {
        self.prefix = path.into();
    }

    /// Notes a check with its result. The first mismatch becomes the error.
    pub fn note(&mut self, field: &str, expected: &dyn ToText, actual: &dyn ToText, verdict: Verdict) {
        if self.is_unwritten && verdict != Verdict::Mismatch {
            return;
        }
        let mut out = ObjectWriter::object();
        let field = &visible(&[&self.prefix, field].concat());
        let (mut expected, mut actual) = (expected.text(), actual.text());
        let same = expected.bytes().zip(actual.bytes()).take_while(|(left, right)| left == right).count();
        // Cut to length, they would look alike.
        if verdict == Verdict::Mismatch && same >= MAX_SHOWN {
            let same = expected.floor_char_boundary(same);
            for text in [&mut expected, &mut actual] {
                *text = ["...", text.get(same..).unwrap_or_default()].concat();
            }
        }
        // The service may write anything into its values: they are shown as they are, never as they want to look.
        let (expected, actual) = (&shown(&expected), &shown(&actual));
        out.text("field", field);
        out.text("expected", expected);
        out.text("actual", actual);
        out.text("verdict", verdict.name());
        if !self.out.is_empty() {
            self.out.push(',');
        }
        self.out.push_str(&out.close());
        if verdict == Verdict::Mismatch && self.failed.is_none() {
            let subject = "not what was asked for: ";
            self.failed = Some(Error::at(ErrorCode::VerifyMismatch, subject, field, expected, actual));
        }
    }

    /// Whether no check has failed so far.
    pub fn all_hold(&self) -> bool {
        self.failed.is_none()
    }

    /// Adds a remedy to the error's message, if it failed after a point at which all of them still `held`
    /// ([`Checks::all_hold`]).
    pub fn remedy(&mut self, held: bool, remedy: &dyn ToText) {
        if let Some(error) = self.failed.as_mut().filter(|_| held) {
            error.message = [&error.message, "; ", &remedy.text()].concat();
        }
    }

    /// Notes a check: `ok`, or a mismatch.
    pub fn holds(&mut self, field: &str, ok: bool, expected: &dyn ToText, actual: &dyn ToText) {
        self.note(field, expected, actual, if ok { Verdict::Ok } else { Verdict::Mismatch });
    }

    /// Notes a check: `ok`, or opaque if the caller vouches for it, or a mismatch. Only for `allowSelectors`: no other
    /// option makes a mismatch acceptable.
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

    /// Notes whether both are the same address, hash, number or name, by their text.
    pub fn same(&mut self, field: &str, expected: &dyn ToText, actual: &dyn ToText) {
        let (expected, actual) = (expected.text(), actual.text());
        self.holds(field, expected == actual, &expected, &actual);
    }

    /// Notes decimals that only the caller states, in `field` of the input.
    pub fn note_decimals(&mut self, field: &str, token: &Token) {
        if token.is_by_app {
            let stated = [&u64::from(token.decimals).text(), ", by the app"].concat();
            self.note(
                field,
                &"the token's own: no table has it, and its chain was not read",
                &stated,
                Verdict::Unknown,
            );
        }
    }

    /// Notes whether `actual` is not below `least`.
    pub fn at_least(&mut self, field: &str, least: &U256, actual: &U256) {
        self.holds(field, actual >= least, &Concat(&[&"at least ", least]), actual);
    }

    /// Notes whether `actual` is not above `most`.
    pub fn at_most(&mut self, field: &str, most: &U256, actual: &U256) {
        self.holds(field, actual <= most, &Concat(&[&"at most ", most]), actual);
    }

    /// Turns a failure of that field alone into LOSS_TOO_HIGH, if the costs explain it: the service is then not accused
    /// of a lie. The payload is refused all the same, because the service could overstate its costs. `loss` is (loss,
    /// costs) in basis points; see [`crate::error::Facts::loss`]. `option` would accept it. A failure of any other
    /// check stays as it is.
    pub fn excuse(&mut self, field: &str, loss: (u64, u64), option: &str) {
        let percent = |bps: u64| bps_as_percent(u16::try_from(bps).unwrap_or(u16::MAX));
        let message = [
            "gas, and a bridge where there is one, take more of this amount than is accepted: ",
            &percent(loss.0),
            " % of it is lost. Trade more at once, or ask the user and raise ",
            option,
        ];
        if let Some(error) = self.excuse_as(field, &message.concat()) {
            error.loss = Some(loss);
        }
    }

    /// Turns a failure of that field alone into LOSS_TOO_HIGH with that message. Returns the error, if it was one.
    pub fn excuse_as(&mut self, field: &str, message: &str) -> Option<&mut Error> {
        let error = self.failed.as_mut().filter(|error| error.field.as_deref() == Some(field))?;
        error.code = ErrorCode::LossTooHigh;
        error.message = message.into();
        Some(error)
    }

    /// Notes whether a transaction is for that chain; unknown if it names none.
    pub fn chain(&mut self, expected: u64, stated: Option<u64>) {
        match stated {
            Some(stated) => self.same("chainId", &expected, &stated),
            None => self.note("chainId", &expected, &"not stated: the wallet's own", Verdict::Unknown),
        }
    }

    /// Notes what the gas of a transaction of that chain may cost, in wei, where its price is stated; `given` as of
    /// [`plausible`]. Too much is refused, and is no accusation: the network may be as dear as that.
    pub fn note_gas(&mut self, chain_id: u64, cost: Option<U256>, given: U256) {
        let Some(cost) = cost else { return };
        self.at_most("gas", &plausible(chain_id, given), &cost);
        let message =
            "its gas may cost more than is accepted without a word: lower the price of gas, or trade more at once";
        self.excuse_as("transaction.gas", message);
    }

    /// Notes as unknown a deadline that was counted from a node's clock that is `ahead` seconds of this machine's.
    pub fn note_clock(&mut self, field: &str, ahead: u64) {
        if ahead > 0 {
            let actual = Concat(&[&"counted from the node's clock, ", &ahead, &" s ahead of this machine's"]);
            self.note(field, &"counted from a clock that is right", &actual, Verdict::Unknown);
        }
    }

    /// The checks as JSON text for a [`report`], if none failed.
    ///
    /// # Errors
    /// VERIFY_MISMATCH with the first that failed, or LOSS_TOO_HIGH if it was excused; either with a report of all.
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

/// The highest number of shown characters of a value.
const MAX_SHOWN: usize = 600;

/// A value as shown: hidden characters escaped, cut to [`MAX_SHOWN`] characters.
fn shown(text: &str) -> String {
    match Some(text).filter(|text| text.len() > MAX_SHOWN).and_then(|text| text.char_indices().nth(MAX_SHOWN)) {
        Some((end, _)) => [&visible(text.get(..end).unwrap_or_default()), "..."].concat(),
        None => visible(text),
    }
}

/// A report as JSON text, which a page can show as it is: a sentence, `checks` (from [`Checks::finish`]), and, once
/// there is typed data, its hashes and the hardware wallet's view of it.
///
/// ```
/// use verified_swap_verify::internal::domain::verify::{Checks, report};
/// let mut checks = Checks::default();
/// checks.same("chainId", &1_u64, &1_u64);
/// let shown = report("Sell 1 ETH.", &checks.finish().unwrap(), None);
/// let check = r#"{"field":"chainId","expected":"1","actual":"1","verdict":"ok"}"#;
/// assert_eq!(shown, [r#"{"sentence":"Sell 1 ETH.","checks":["#, check, r#"],"questions":[]}"#].concat());
/// ```
pub fn report(sentence: &str, checks: &str, typed: Option<&TypedText>) -> String {
    report_of_trade(sentence, checks, typed, &Priced::default())
}

/// The report's members about the price of a trade.
#[derive(Default)]
pub struct Priced {
    /// The distance of the guaranteed amount from the quote, in basis points.
    pub distance_bps: Option<u64>,
    /// The judgement by references, as JSON text.
    pub judged: Option<String>,
    /// The questions that follow, as a JSON array.
    pub questions: Option<String>,
}

/// [`report`] for a trade that was built from a price.
pub fn report_of_trade(sentence: &str, checks: &str, typed: Option<&TypedText>, priced: &Priced) -> String {
    let mut out = ObjectWriter::object();
    out.text("sentence", sentence);
    out.raw("checks", &["[", checks, "]"].concat());
    if let Some(bps) = priced.distance_bps {
        out.number("distanceBps", bps);
    }
    if let Some(judged) = &priced.judged {
        out.raw("price", judged);
    }
    out.raw("questions", priced.questions.as_deref().unwrap_or("[]"));
    if let Some(TypedText { digest, hardware, .. }) = typed {
        out.value("domainSeparator", &digest.domain_separator);
        out.value("structHash", &digest.struct_hash);
        out.value("digest", &digest.digest);
        out.raw("hardware", hardware);
    }
    out.close()
}
