//! Questions that only the user can answer: about a verified payload whose price no reference judged
//! (docs/verification.md, "Questions"), and about a permit that allows everything.
//!
//! A question is not a refusal, and no answer is not consent: `submit` goes on only if the caller names the question of
//! that very build. No option of a client answers one.

use crate::domain::bps::Bps;
use crate::domain::decimal::bps_as_percent;
use crate::domain::input::short_text;
use crate::domain::side::Side;
use crate::error::{Error, ErrorCode, Result};
use crate::json::{Json, JsonAt, ObjectWriter, array, parse, quoted};
use crate::value::text::{ToText, joined};
use alloy_primitives::{Address, B256, hex, keccak256};

/// The reason of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// No reference that was read has a price of this pair.
    NoReference,
    /// A reference is pinned or exists, and did not answer.
    ReferenceSilent,
    /// References are further apart than the limit, and only the lower one is met.
    ReferencesDisagree,
    /// The price is too low unless gas takes the rest, and how much gas costs is not known.
    GasUnjudged,
    /// The requested permit allows everything, for ever.
    UnlimitedPermit,
    /// The wallet was asked for this trade before, gave no hash, and may have sent it.
    MayHaveBeenSent,
    /// The signature is not of the maker's key, and the maker's code was not asked.
    SignatureUnread,
    /// A bridge's data was not read, and may name another receiver than the order.
    ReceiverUnbound,
    /// The accepted slippage is above 5 %.
    SlippageHigh,
    /// The signed domain does not name a chain: the permit counts on each chain where the token has this address.
    PermitChainUnbound,
}

impl Reason {
    /// Its name in JavaScript.
    pub fn name(self) -> &'static str {
        match self {
            Reason::NoReference => "noReference",
            Reason::ReferenceSilent => "referenceSilent",
            Reason::ReferencesDisagree => "referencesDisagree",
            Reason::GasUnjudged => "gasUnjudged",
            Reason::UnlimitedPermit => "unlimitedPermit",
            Reason::MayHaveBeenSent => "mayHaveBeenSent",
            Reason::SignatureUnread => "signatureUnread",
            Reason::ReceiverUnbound => "receiverUnbound",
            Reason::SlippageHigh => "slippageHigh",
            Reason::PermitChainUnbound => "permitChainUnbound",
        }
    }
}

/// The highest slippage in bps without a question, 5 %: up to it the price at the end lies within what a pair without
/// depth may move while a trade is signed, above it a mistyped number or a percentage of 10,000 is the likelier reason.
const USUAL_SLIPPAGE_BPS: u16 = 500;

/// A question about one payload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The reason of the question.
    pub reason: Reason,
    /// The field of the check that could not be made.
    pub field: &'static str,
    /// The question, for a person.
    pub text: String,
    /// By how many bps a price is below the prices seen; `None` without any.
    pub below_bps: Option<i32>,
}

/// The questions of a build as a JSON array. `build` is a hash of the signed or sent payload: an id holds for it alone,
/// and for one reason.
pub fn write_questions(questions: &[Question], build: &B256) -> String {
    let mut all = Vec::new();
    for Question { reason, field, text, below_bps } in questions {
        let name = reason.name();
        let mark = keccak256([&*build.text(), " ", name, " ", field].concat());
        let mut out = ObjectWriter::object();
        out.text("id", &[name, "-", &hex::encode(mark.get(..8).unwrap_or_default())].concat());
        out.text("reason", name);
        out.text("field", field);
        out.text("text", text);
        if let Some(bps) = below_bps {
            out.raw("belowBps", &signed(*bps));
        }
        all.push(out.close());
    }
    array(&all)
}

/// Basis points with their sign, as a JSON number.
pub fn signed(bps: i32) -> String {
    [if bps < 0 { "-" } else { "" }, &u64::from(bps.unsigned_abs()).text()].concat()
}

/// Refuses a build whose questions are not all answered. `view` is the app's verified view; `accept` is the option with
/// the ids that the user answered. Ids of other builds answer nothing.
///
/// # Errors
/// PRICE_UNJUDGED with the questions that are open; INVALID_INPUT with the option.
pub fn check_answers(view: &Json, accept: &JsonAt<'_>) -> Result<()> {
    check_carried(&carry_questions(view.get("report").unwrap_or(&Json::Null)), accept)
}

/// The questions of a report, for what is approved or signed before its build: a JSON array.
pub fn carry_questions(report: &Json) -> String {
    report.get("questions").map_or_else(|| "[]".into(), Json::write)
}

/// [`check_answers`] of what [`carry_questions`] returned.
///
/// # Errors
/// As [`check_answers`].
pub fn check_carried(questions: &str, accept: &JsonAt<'_>) -> Result<()> {
    check_answered(&parse(questions).map_err(Error::not_json)?, accept, &|texts| {
        let message = [
            "only the user can answer this: ",
            texts,
            " Pass the ids of the questions that he accepts ({ accept }). About a price, a bound of your own (minReceived, for a \
             BUY maxSpent) or prices of your own answer, too: build again",
        ];
        Error::new(ErrorCode::PriceUnjudged, &message.concat())
    })
}

/// The question about a slippage above 5 %; `None` up to it, and for a limit in its place.
pub fn ask_slippage(side: Side, slippage: Option<Bps>) -> Option<Question> {
    let bps = slippage.map(Bps::get).filter(|bps| *bps > USUAL_SLIPPAGE_BPS)?;
    let outcome = if side == Side::Sell { " % less than quoted may arrive" } else { " % more than quoted may be paid" };
    let text = ["The accepted slippage is high: up to ", &*bps_as_percent(bps), outcome, "."].concat();
    Some(Question { reason: Reason::SlippageHigh, field: "options.slippageBps", text, below_bps: None })
}

/// The question about orders of these makers: only their code can decide whether they signed. `None` without any.
pub fn unread_signatures(mut makers: Vec<String>) -> Option<Question> {
    makers.dedup();
    let who = joined(&makers, ", ");
    let text = ["Whether ", &*who, " signed is not known: not by key, and their code was not asked."].concat();
    let question = Question { reason: Reason::SignatureUnread, field: "orders.signature", text, below_bps: None };
    (!makers.is_empty()).then_some(question)
}

/// The question about a permit of DAI's kind, for a person.
pub fn unlimited(token: &Address, owner: &Address, spender: &Address) -> String {
    let [token, owner, spender] = [token, owner, spender].map(ToText::text);
    let text =
        ["A permit of this token has no amount and no end: with it ", &spender, " may take all of token ", &token];
    [&text.concat(), " that ", &owner, " has or will have, until that is revoked. Sign it?"].concat()
}

/// The question about a permit whose domain does not name its chain, for a person.
pub fn chain_unbound(token: &Address) -> String {
    let text =
        "Nothing in this permit says for which chain it is: it counts on each chain where a token with the address ";
    [text, &*token.text(), " takes such permits. Sign it?"].concat()
}

/// Refuses to ask the wallet once more for a transaction that it may have sent, unless the question is answered. `said`
/// is the wallet's answer, `subject` a hash of the request now and of that answer.
///
/// # Errors
/// ALREADY_SIGNED with the question; INVALID_INPUT with the option.
pub fn check_unsent(said: &str, subject: &B256, accept: &JsonAt<'_>) -> Result<()> {
    let text = ["your wallet said ", &quoted(said), ": no transaction of it is known; look into it first"].concat();
    let question = Question { reason: Reason::MayHaveBeenSent, field: "transaction", text, below_bps: None };
    let questions = parse(&write_questions(&[question], subject)).map_err(Error::not_json)?;
    let refused = check_answered(&questions, accept, &|text| {
        let remedy = ". If nothing is there, pass the id of the question: submit(build, { accept })";
        Error::new(ErrorCode::AlreadySigned, &[text, remedy].concat())
    });
    refused.map_err(|mut error| {
        if error.code == ErrorCode::AlreadySigned {
            error.actual = Some("may still be mined".into());
        }
        error
    })
}

/// Refuses with the questions that `accept` does not answer. `error` makes the error of their texts.
///
/// # Errors
/// That error; INVALID_INPUT with the option.
fn check_answered(questions: &Json, accept: &JsonAt<'_>, error: &dyn Fn(&str) -> Error) -> Result<()> {
    let mut answered = Vec::new();
    if let Some(accept) = accept.some() {
        for id in accept.items()? {
            answered.push(short_text(&id)?);
        }
    }
    let (mut open, mut ids, mut texts) = (Vec::new(), Vec::new(), Vec::new());
    if let Json::Array(questions) = questions {
        for question in questions {
            let member = |name| question.get(name).and_then(Json::as_text).unwrap_or_default();
            let id = String::from(member("id"));
            if !answered.contains(&id) {
                texts.push(String::from(member("text")));
                open.push(question.write());
                ids.push(id);
            }
        }
    }
    if open.is_empty() {
        return Ok(());
    }
    let mut error = error(&joined(&texts, " "));
    error.field = Some(accept.path());
    error.expected = Some(joined(&ids, ", "));
    error.actual = Some(if answered.is_empty() { "nothing".into() } else { joined(&answered, ", ") });
    error.questions = Some(array(&open));
    Err(error)
}
