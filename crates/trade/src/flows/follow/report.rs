//! An order of an answer: compared with what is known of it, and as the app gets it.

use super::GRACE_SECS;
use crate::client::Client;
use crate::flows::delta::orders::verify_answer;
use crate::flows::delta::reported::Wanted;
use crate::flows::delta::settled::settlement;
use crate::host::Host;
use crate::wallet::account::quantity;
use alloy_primitives::{B256, U256, keccak256};
use verify::internal::domain::delta::status::{COMPLETED, WAITING, is_terminal};
use verify::internal::domain::input::MAX_EXACT;
use verify::internal::domain::member::{Members, member};
use verify::internal::error::{Error, Result};
use verify::internal::json::{Json, JsonAt, ObjectWriter, parse, quoted, sorted};
use verify::internal::value::text::ToText;
use verify::internal::wire::order::read_order;

/// An order that an answer may be about, as the schedule passes it.
#[derive(Debug, Default)]
pub struct Asked {
    /// The identity that each report of it must have.
    pub wanted: Wanted,
    /// The order as the app passed it in.
    pub given: Option<String>,
    /// The [`digest`] of its last report.
    digest: Option<B256>,
    /// Until when it may be filled by an earlier report, unix seconds.
    deadline: Option<u64>,
    /// It has a status that no longer changes, and stays as it is.
    is_ended: bool,
}

impl Asked {
    /// Reads what the schedule passes.
    ///
    /// # Errors
    /// INVALID_INPUT for anything else.
    pub fn read(at: &JsonAt<'_>) -> Result<Asked> {
        Ok(Asked {
            wanted: Wanted::read(at)?,
            given: at.get("given").text().ok().map(String::from),
            digest: at.get("digest").fixed::<32>().ok().map(B256::from),
            deadline: at.get("deadline").integer(MAX_EXACT).ok(),
            is_ended: at.get("isEnded").bool().unwrap_or_default(),
        })
    }
}

/// The same for two orders that differ in nothing but the sequence of their members.
fn digest(order: &Json) -> B256 {
    keccak256(in_sequence(order).write())
}

fn in_sequence(json: &Json) -> Json {
    match json {
        Json::Array(items) => Json::Array(items.iter().map(in_sequence).collect()),
        // Either of two members of one name may count: they stay where they are.
        Json::Object(members) => Json::Object(
            sorted(members, |(name, _)| name)
                .unwrap_or_else(|| members.iter().collect())
                .into_iter()
                .map(|(name, value)| (name.clone(), in_sequence(value)))
                .collect(),
        ),
        json => json.clone(),
    }
}

/// The entry of an answer about an order, `Told` of the schedule. `index` is its place among the orders of the round.
///
/// # Errors
/// SERVICE_MALFORMED with the member that contradicts what is known of it, if it `has_to_agree`; otherwise that is noted.
pub fn tell<H: Host>(
    client: &Client<H>,
    at: &JsonAt<'_>,
    (index, asked): (Option<usize>, &Asked),
    has_to_agree: bool,
) -> Result<String> {
    // An item that is no order may be one that cannot be read.
    let json = at.json().unwrap_or(&Json::Null);
    let (stated, status) = (read_order(at), at.get("status").text().unwrap_or_default());
    let digest = digest(json);
    let is_same = asked.is_ended || asked.digest == Some(digest);
    let report = if is_same { Ok(None) } else { write_report(client, at, asked, digest).map(Some) };
    let mut out = ObjectWriter::object();
    out.number_or_null("index", index.and_then(|index| u64::try_from(index).ok()));
    out.text("id", stated.id.unwrap_or_default());
    out.flag("isEnded", is_terminal(status));
    out.number_or_null("chainId", stated.chain_id);
    out.text("updatedAt", at.get("updatedAt").text().unwrap_or_default());
    let is_contradiction = report.is_err();
    match report {
        Err(error) if has_to_agree => return Err(error),
        report => out.raw("reported", report.ok().flatten().as_deref().unwrap_or("null")),
    }
    let mut contradiction = ObjectWriter::object();
    contradiction.text("place", &at.path());
    contradiction.text("text", &json.write());
    out.raw("contradiction", &if is_contradiction { contradiction.close() } else { "null".into() });
    Ok(out.close())
}

/// A report that contradicts nothing, `Reported` of the schedule.
///
/// # Errors
/// SERVICE_MALFORMED with the member that contradicts what is known of the order.
fn write_report<H: Host>(client: &Client<H>, at: &JsonAt<'_>, asked: &Asked, digest: B256) -> Result<String> {
    let reported = verify_answer(client, at, &asked.wanted)?;
    let mut wanted = asked.wanted.clone();
    wanted.learn(at);
    let deadline = reported.signed.map(|signed| signed.order.uint(member!("deadline")));
    let deadline = deadline.map(|deadline: U256| u64::try_from(deadline).unwrap_or(u64::MAX)).or(asked.deadline);
    let deadline = deadline.map(|deadline| deadline.min(MAX_EXACT));
    let is_waiting = at.get("status").text().is_ok_and(|status| WAITING.contains(&status));
    let mut out = ObjectWriter::object();
    out.raw("known", &wanted.write());
    out.text("text", &reported.json.write());
    out.value("digest", &digest);
    out.number_or_null("deadline", deadline);
    out.number_or_null("lapsesAt", deadline.filter(|_| is_waiting).map(|end| end.saturating_add(GRACE_SECS)));
    Ok(out.close())
}

/// The error for an order of a list that contradicts: the schedule has counted as many as are an error.
///
/// # Errors
/// SERVICE_MALFORMED with the member that contradicts.
pub fn refuse<H: Host>(client: &Client<H>, at: &JsonAt<'_>) -> Result<String> {
    let order = parse(at.get("text").text()?).map_err(Error::not_json)?;
    let wanted = Wanted { owner: at.get("owner").address().ok(), ..Wanted::default() };
    verify_answer(client, &JsonAt::service(&order, at.get("place").text()?), &wanted)?;
    Err(Error::unreachable())
}

/// A change as the app gets it: the order, and what is [noted](note_told) once the app has it.
///
/// # Errors
/// SERVICE_MALFORMED if the order contradicts what this client has learnt meanwhile.
pub async fn show<H: Host>(client: &Client<H>, at: &JsonAt<'_>, signal: &H::Signal) -> Result<String> {
    let wanted = Wanted::read(&at.get("known"))?;
    let order = parse(at.get("text").text()?).map_err(Error::not_json)?;
    let unseen_since = at.get("unseenSince").integer(MAX_EXACT).ok();
    // The balances that the order changed are read anew.
    if let Some(chain_id) = order.get("input").and_then(|input| input.get("chainId")).and_then(quantity) {
        client.shared.nodes.forget_state(chain_id);
    }
    let reported = verify_answer(client, &JsonAt::service(&order, "order"), &wanted)?;
    let status = order.get("status").and_then(Json::as_text).unwrap_or_default();
    let settled = if status == COMPLETED { Some(settlement(client, &reported, signal).await) } else { None };
    let mut order = reported.json(settled);
    let mut out = ObjectWriter::object();
    if let (Some(signed), None) = (&reported.signed, unseen_since) {
        client.shared.ledger.report(signed.hash, &order).await;
        out.raw("told", &write_told(client, signed.hash, status));
    }
    if let Json::Object(members) = &mut order {
        members.extend(unseen_since.map(|since| ("unseenSince".into(), Json::Number(since.text()))));
        let ended = at.get("ended").text().ok();
        members.extend(ended.map(|why| ("ended".into(), Json::String(why.into()))));
    }
    out.raw("order", &order.write());
    Ok(out.close())
}

/// The event that the app has a trade with that status from now on.
pub fn write_told<H: Host>(client: &Client<H>, key: B256, status: &str) -> String {
    let mut out = ObjectWriter::object();
    out.value("key", &key);
    out.text("status", status);
    out.number("at", client.shared.host.unix_ms());
    out.close()
}

/// Notes that the app has what it was shown: its callback has returned.
///
/// # Errors
/// INVALID_INPUT for anything else than [`write_told`] writes.
pub async fn note_told<H: Host>(client: &Client<H>, at: &JsonAt<'_>) -> Result<String> {
    let (key, shown_at) = (at.get("key").fixed::<32>()?.into(), at.get("at").integer(MAX_EXACT)?);
    client.shared.ledger.tell_since(key, Some(at.get("status").text()?), shown_at).await;
    Ok(quoted(""))
}
