//! The ledger's rules, one by one: what [`step`] makes of a record and an event, and the pure functions beside it. Each
//! row has the whole difference that its event makes, so that a rule put wrongly, or a member lost, changes a row.

#![allow(clippy::restriction, clippy::cast_possible_truncation)]

use alloy_primitives::{Address, B256, U256};
use std::rc::Rc;
use verified_swap_trade::ledger::orders::{KnownOrder, SignedOrder};
use verified_swap_trade::ledger::record::{ABANDONED, Entry, Record, Stage, TradeKind};
use verified_swap_trade::ledger::second::{WantedTransaction, is_decided, may_be_under_way};
use verified_swap_trade::ledger::step::{Command, Event, OrderEntry, Refusal, step};
use verify::internal::domain::delta::order::DeltaOrder;
use verify::internal::domain::delta::status::FOREIGN;
use verify::internal::domain::transaction::Sent;
use verify::internal::json::{Json, JsonAt, parse};

const BUILD: &str = "{}";
const SIGNATURE: &str = r#"{"signature":"0x01"}"#;
/// A time after every time of the records below, and one before them, as by a clock that was set back.
const TIMES: [u64; 2] = [1_000, 100];

fn number(number: u8) -> B256 {
    B256::with_last_byte(number)
}

fn order() -> Rc<KnownOrder> {
    let zero = format!("{:#x}", Address::ZERO);
    let text = format!(
        r#"{{"owner":"{zero}","beneficiary":"{zero}","srcToken":"{zero}","destToken":"{zero}","srcAmount":"1","destAmount":"1","expectedAmount":"1","deadline":1,"kind":0,"nonce":"1","partnerAndFee":"0","permit":"0x","metadata":"0x","bridge":{{"protocolSelector":"0x00000000","destinationChainId":0,"outputToken":"{zero}","scalingFactor":0,"protocolData":"0x"}}}}"#
    );
    let order = DeltaOrder::read(&JsonAt::service(&parse(&text).unwrap(), "value")).unwrap();
    let signed = SignedOrder { id: None, hash: number(1), chain_id: 1, delta: Address::ZERO, order, arrives: None };
    Rc::new(KnownOrder {
        signed,
        intent: number(10),
        kind: "Order",
        nonce: U256::from(1),
        deadline: u64::MAX,
        rests: false,
        is_in_parts: false,
        is_native: false,
    })
}

/// A record that the journal has, changed as `how` says.
fn at(stage: Stage, how: impl FnOnce(&mut Record)) -> Record {
    let is_signed = stage != Stage::Asking;
    let entry = Entry {
        key: number(1),
        stage,
        intent: Some(number(10)),
        chain_id: 1,
        started_at: 400,
        changed_at: 500,
        signed_at: is_signed.then_some(450),
        // No call reported it, if it is signed.
        is_untold: is_signed,
        summary: "{}".into(),
        payload: Some(if is_signed { SIGNATURE } else { BUILD }.into()),
        ..Entry::default()
    };
    let mut record = Record { entry, is_journaled: true, ..Record::default() };
    how(&mut record);
    record
}

/// A transaction that the journal has, changed as `how` says.
fn transaction(stage: Stage, how: impl FnOnce(&mut Record)) -> Record {
    at(stage, |record| {
        let entry = &mut record.entry;
        (entry.kind, entry.signed_at, entry.payload) = (TradeKind::Transaction, None, Some(BUILD.into()));
        entry.is_untold = false;
        how(record);
    })
}

/// A call reported the order.
fn tell(record: &mut Record) {
    record.entry.is_untold = false;
}

/// A call reports it now.
fn told() -> Event {
    Event::AppInformed
}

/// An entry as [`at`] has it.
fn entry(stage: Stage, how: impl FnOnce(&mut Entry)) -> Entry {
    at(stage, |record| how(&mut record.entry)).entry
}

/// A record that was asked about again, after it was `before`.
fn asked_after(before: Entry) -> Record {
    at(Stage::Asking, |record| record.before = Some(Box::new(Entry { changed_at: 300, ..before })))
}

fn fresh() -> Record {
    Record {
        entry: Entry { key: number(1), chain_id: 1, summary: "{}".into(), ..Entry::default() },
        ..Record::default()
    }
}

fn facts(payload: &str, awaits: Option<B256>, is_asked_for: bool) -> OrderEntry {
    let new = Entry {
        payload: Some(payload.into()),
        awaits,
        signed_at: None,
        started_at: 0,
        ..at(Stage::Asking, |_| ()).entry
    };
    OrderEntry { entry: Entry { changed_at: 0, ..new }, order: None, is_asked_for }
}

fn sent(hash: u8) -> Sent {
    Sent::new(1, Address::ZERO, number(hash))
}

/// The members of a record, each with its name, as short as a table needs them.
fn members(record: &Record) -> Vec<(String, String)> {
    let json: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&record.entry.write()).unwrap();
    let short = |value: &serde_json::Value| match value {
        serde_json::Value::Null => "-".into(),
        serde_json::Value::String(text) if text == SIGNATURE => "signature".into(),
        serde_json::Value::String(text) if text == BUILD => "build".into(),
        serde_json::Value::String(text) if text.len() == 66 => {
            format!("#{}", U256::from_str_radix(&text[2..], 16).unwrap())
        }
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    // The times have rules of their own, and what was told of an order is in `unposted`.
    let is_order = record.entry.kind != TradeKind::Transaction;
    let mut all: Vec<_> = json
        .iter()
        .filter(|(name, _)| !["startedAt", "changedAt", "isUntold", "toldAt"].contains(&name.as_str()))
        .map(|(name, value)| (name.clone(), short(value)))
        .collect();
    all.push(("untold".into(), (!is_order && record.entry.is_untold).to_string()));
    let hash = |hash: Option<B256>| hash.map_or("-".into(), |hash| format!("#{}", hash[31]));
    for (name, value) in [
        ("noted", record.is_journaled.to_string()),
        ("answered", record.was_answered.to_string()),
        ("unposted", record.unposted().is_some_and(|_| is_order).to_string()),
        ("answer", record.answer.is_some().to_string()),
        ("order", record.order.is_some().to_string()),
        ("sent", hash(record.sent.as_ref().and_then(|sent| sent.hash))),
        ("permit", hash(record.permit)),
        ("before", record.before.as_ref().map_or("-", |before| before.stage.name()).into()),
    ] {
        all.push((name.into(), value));
    }
    all
}

/// The difference that an event makes, and what the shell has to do.
fn outcome(record: &Record, event: Event, now: u64) -> String {
    let (next, commands) = match step(record, event.clone(), now) {
        Err(Refusal::Signed) => return "refused: signed".into(),
        Err(Refusal::Sent) => return "refused: sent".into(),
        Err(Refusal::Waiting) => return "refused: waiting".into(),
        Ok(stepped) => stepped,
    };
    let name = |command: &Command| match command {
        Command::Write { is_durable: true } => "write durably",
        Command::Write { is_durable: false } => "write",
        Command::WriteFirst => "write first",
        Command::Delete => "delete",
        Command::DeleteWithNonce(_) => "delete with its nonce",
        Command::Prompt => "prompt",
        Command::Post => "post",
    };
    // The times: an entry that is written is newer than before, by any clock; no other is.
    let is_written = commands.iter().any(|command| matches!(command, Command::Write { .. } | Command::WriteFirst));
    let (old, new) =
        ((record.entry.started_at, record.entry.changed_at), (next.entry.started_at, next.entry.changed_at));
    if is_written {
        let changed = now.max(old.1 + 1);
        // A transaction that is asked for once more is another prompt.
        let is_first = old.0 == 0 || matches!(event, Event::AskTransaction(_));
        assert_eq!(new, (if is_first { changed } else { old.0 }, changed), "{event:?}");
    } else if !matches!(event, Event::StorageRead(..) | Event::ServiceListed(..)) && record.is_journaled {
        assert_eq!(new, old, "{event:?}");
    }
    let mut all: Vec<String> = members(record)
        .iter()
        .zip(members(&next))
        .filter(|(old, new)| *old != new)
        .map(|(_, (name, value))| format!("{name}={value}"))
        .collect();
    if !commands.is_empty() {
        all.push(format!("[{}]", commands.iter().map(name).collect::<Vec<_>>().join(", ")));
    }
    all.join(" ")
}

type Row = (&'static str, Record, Event, &'static str);

/// Fails with every row whose outcome is another one. A date is `now` in the row.
fn check(rows: Vec<Row>) {
    let mut wrong = vec![];
    for (rule, record, event, expected) in rows {
        for now in TIMES {
            let (found, wanted) = (outcome(&record, event.clone(), now), expected.replace("=now", &format!("={now}")));
            if found != wanted {
                wrong.push(format!("{rule}\n  expected: {wanted}\n  found:    {found}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_rule_of_an_order_holds() {
    let refused = |status: &str| entry(Stage::Ended, |entry| entry.status = Some(status.into()));
    let waiting = || at(Stage::Waiting, |record| record.entry.awaits = Some(number(7)));
    let reported = |id: Option<&str>, status: &str| Event::ServiceReported {
        id: id.map(String::from),
        status: Some(status.into()),
    };
    let stored = |entry: Entry, order: bool| Event::StorageRead(Box::new(entry), order.then(self::order));
    let later = |stage| entry(stage, |entry| entry.changed_at = 501);
    check(vec![
        (
            "a permit stays with the order that was posted",
            at(Stage::Posted, |record| {
                (record.permit, record.answer) = (Some(number(3)), Some(Json::Null));
            }),
            Event::PermitFreed,
            "",
        ),
        (
            "and with the transaction that was sent",
            at(Stage::Sent, |record| {
                (record.permit, record.sent) = (Some(number(3)), Some(sent(9)));
            }),
            Event::PermitFreed,
            "",
        ),
        (
            "and is free once the attempt failed",
            at(Stage::Asking, |record| record.permit = Some(number(3))),
            Event::PermitFreed,
            "permit=-",
        ),
        (
            "no prompt opens for a signed order",
            at(Stage::Signed, |_| ()),
            Event::AskSignature(facts(BUILD, None, true)),
            "refused: signed",
        ),
        (
            "one opens for an order that ended",
            at(Stage::Ended, |record| {
                record.entry.status = Some("FAILED".into());
            }),
            Event::AskSignature(facts(BUILD, None, true)),
            "payload=build state=asking status=- unposted=false before=ended [write first, prompt]",
        ),
        (
            "a new order is noted before its prompt",
            fresh(),
            Event::AskSignature(facts(BUILD, None, true)),
            "intent=#10 payload=build noted=true [write first, prompt]",
        ),
        (
            "an order that passes through is not",
            fresh(),
            Event::AskSignature(facts(BUILD, None, false)),
            "intent=#10 payload=build [prompt]",
        ),
        (
            "what the chain and the service have said of an order stays",
            Record {
                entry: Entry {
                    is_over: true,
                    is_spent: true,
                    is_cancelling: true,
                    order_id: Some("id".into()),
                    ..fresh().entry
                },
                order: Some(order()),
                ..fresh()
            },
            Event::AskSignature(facts(BUILD, None, true)),
            "intent=#10 payload=build noted=true [write first, prompt]",
        ),
        (
            "an entry that was not written is what it was before",
            asked_after(refused("FAILED")),
            Event::NotWritten,
            "payload=signature signedAt=450 state=ended status=FAILED unposted=true before=- [write]",
        ),
        ("or is none", at(Stage::Asking, |_| ()), Event::NotWritten, "payload=- noted=false [delete]"),
        (
            "a refused prompt leaves the order as it was signed",
            asked_after(refused("FAILED")),
            Event::WalletDidNotSign,
            "payload=signature signedAt=450 state=ended status=FAILED unposted=true before=- [write]",
        ),
        (
            "a refused prompt removes an order that was only asked for",
            asked_after(entry(Stage::Asking, |_| ())),
            Event::WalletDidNotSign,
            "payload=- noted=false before=- [delete]",
        ),
        (
            "one that was never signed is removed too",
            asked_after(refused("UNSIGNED")),
            Event::WalletDidNotSign,
            "payload=- noted=false before=- [delete]",
        ),
        ("a late refusal changes no signed order", at(Stage::Signed, |_| ()), Event::WalletDidNotSign, ""),
        ("nor does a failed write", at(Stage::Signed, |_| ()), Event::NotWritten, ""),
        (
            "an approval after its call gave up is known",
            at(Stage::Asking, |_| ()),
            Event::WalletAnsweredLate,
            "answered=true",
        ),
        (
            "a signature is written before all else",
            at(Stage::Asking, |_| ()),
            Event::SignatureReceived(facts(SIGNATURE, None, true)),
            "payload=signature signedAt=now state=signed unposted=true [write durably]",
        ),
        (
            "the call that joined the prompt did not look for an approval, and the order waits for it",
            at(Stage::Asking, |record| record.entry.awaits = Some(number(7))),
            Event::SignatureReceived(facts(SIGNATURE, None, true)),
            "payload=signature signedAt=now state=waiting unposted=true [write durably]",
        ),
        (
            "an order whose own call found one waits",
            at(Stage::Asking, |_| ()),
            Event::SignatureReceived(facts(SIGNATURE, Some(number(7)), true)),
            "awaits=#7 payload=signature signedAt=now state=waiting unposted=true [write durably]",
        ),
        (
            "a further signature needs what its own call found",
            waiting(),
            Event::SignatureReceived(facts(r#"{"signature":"0x02"}"#, None, true)),
            r#"awaits=- payload={"signature":"0x02"} state=signed [write durably]"#,
        ),
        (
            "the signature that the service may have stays where it is",
            at(Stage::Posting, |_| ()),
            Event::SignatureReceived(facts(SIGNATURE, None, true)),
            "",
        ),
        (
            "an order whose approval failed is not allowed by the look of a page",
            at(Stage::Unapproved, |_| ()),
            Event::AllowanceSuffices(false),
            "refused: waiting",
        ),
        (
            "but by the user who submits it",
            at(Stage::Unapproved, |_| ()),
            Event::AllowanceSuffices(true),
            "state=signed [write]",
        ),
        ("an order that waits is allowed", waiting(), Event::AllowanceSuffices(false), "awaits=- state=signed [write]"),
        ("one that does not wait stays", at(Stage::Posting, |_| ()), Event::AllowanceSuffices(true), ""),
        ("an approval that failed", waiting(), Event::NotApproved, "awaits=- state=unapproved [write durably]"),
        ("changes no other order", at(Stage::Posting, |_| ()), Event::NotApproved, ""),
        (
            "another's signature removes the order",
            at(Stage::Signed, |record| record.was_answered = true),
            Event::NotAuthorized,
            "payload=- state=asking noted=false answered=false unposted=false [delete]",
        ),
        (
            "an order of which nothing is left has neither words nor approval",
            at(Stage::Signed, |record| {
                let entry = &mut record.entry;
                (entry.said, entry.awaits, entry.status) = (Some("?".into()), Some(number(7)), Some("FAILED".into()));
            }),
            Event::NotAuthorized,
            "awaits=- payload=- said=- state=asking status=- noted=false unposted=false [delete]",
        ),
        (
            "what is not in the journal is not deleted there",
            at(Stage::Signed, |record| record.is_journaled = false),
            Event::NotAuthorized,
            "payload=- state=asking unposted=false",
        ),
        (
            "a transaction in place of the signature dates from its prompt",
            at(Stage::Asking, |_| ()),
            Event::PreSigned(SIGNATURE.into(), 300),
            "payload=signature signedAt=300 state=signed unposted=true [write durably]",
        ),
        ("no order leaves while it waits", waiting(), Event::Posting(facts(SIGNATURE, None, true)), "refused: waiting"),
        (
            "nor after its approval failed",
            at(Stage::Unapproved, |_| ()),
            Event::Posting(facts(SIGNATURE, None, true)),
            "refused: waiting",
        ),
        (
            "a signed order leaves once that is noted",
            at(Stage::Signed, |record| {
                (record.entry.status, record.order) = (Some("PENDING".into()), Some(order()));
                tell(record);
            }),
            Event::Posting(facts(SIGNATURE, None, true)),
            "state=posting status=- unposted=true [write, post]",
        ),
        (
            "an order that passes through is not noted, and dates from now",
            fresh(),
            Event::Posting(facts(SIGNATURE, None, false)),
            "intent=#10 payload=signature signedAt=now state=posting unposted=true [post]",
        ),
        (
            "an answer to the post is kept",
            at(Stage::Posting, |_| ()),
            Event::ServiceAnswered(Json::Null),
            "answer=true",
        ),
        ("a name is known", at(Stage::Posting, |_| ()), Event::ServiceAssignedId("id".into()), "orderId=id"),
        (
            "the service has it",
            at(Stage::Posting, |_| ()),
            reported(Some("id"), "PENDING"),
            "orderId=id state=posted status=PENDING [write]",
        ),
        (
            "a report without an id forgets none",
            at(Stage::Posted, |record| record.entry.order_id = Some("id".into())),
            reported(None, "PENDING"),
            "status=PENDING [write]",
        ),
        (
            "an id alone is not written",
            at(Stage::Posted, |record| record.entry.status = Some("PENDING".into())),
            reported(Some("id"), "PENDING"),
            "orderId=id",
        ),
        (
            "an end is noted",
            at(Stage::Posted, |_| ()),
            reported(None, "COMPLETED"),
            "state=ended status=COMPLETED [write]",
        ),
        (
            "that of an OTC order too",
            at(Stage::Posted, |_| ()),
            reported(None, "FULFILLED"),
            "state=ended status=FULFILLED [write]",
        ),
        (
            "an order of the service's list is known",
            fresh(),
            Event::ServiceListed(Box::new(entry(Stage::Asking, |_| ())), order()),
            "intent=#10 payload=build state=posted order=true",
        ),
        (
            "the list changes no order that was known",
            at(Stage::Signed, |record| record.order = Some(order())),
            Event::ServiceListed(Box::new(entry(Stage::Asking, |_| ())), order()),
            "",
        ),
        ("a used nonce", at(Stage::Posted, |_| ()), Event::ChainUnfillable(true), "isOver=true isSpent=true [write]"),
        ("a deadline", at(Stage::Posted, |_| ()), Event::ChainUnfillable(false), "isOver=true [write]"),
        ("a cancellation", at(Stage::Posted, |_| ()), Event::AppCancels, "isCancelling=true [write]"),
        (
            "an end that is found is noted",
            at(Stage::Signed, |_| ()),
            Event::Ended("VOID"),
            "state=ended status=VOID [write]",
        ),
        (
            "an order that was never signed has no other end",
            at(Stage::Asking, |_| ()),
            Event::Ended("VOID"),
            "state=ended status=UNSIGNED [write]",
        ),
        (
            "the user gives up an order that may be filled",
            at(Stage::Signed, |_| ()),
            Event::UserAbandoned(false),
            "state=ended status=ABANDONED [write durably]",
        ),
        (
            "and lets go of it",
            at(Stage::Signed, |_| ()),
            Event::UserAbandoned(true),
            "payload=- state=ended status=ABANDONED unposted=false [write durably]",
        ),
        (
            "or of one that was never signed",
            at(Stage::Asking, |_| ()),
            Event::UserAbandoned(false),
            "state=ended status=UNSIGNED [write durably]",
        ),
        (
            "an older entry of the storage has no news",
            at(Stage::Posted, |_| ()),
            stored(entry(Stage::Signed, |entry| entry.changed_at = 499), true),
            "",
        ),
        (
            "an order that another tab had signed was not told",
            at(Stage::Asking, tell),
            stored(later(Stage::Signed), false),
            "payload=signature signedAt=450 state=signed unposted=true",
        ),
        (
            "nor one that waits for its approval",
            at(Stage::Asking, tell),
            stored(later(Stage::Waiting), false),
            "payload=signature signedAt=450 state=waiting unposted=true",
        ),
        (
            "nor one whose approval failed",
            at(Stage::Asking, tell),
            stored(later(Stage::Unapproved), false),
            "payload=signature signedAt=450 state=unapproved unposted=true",
        ),
        (
            "nor one on its way",
            at(Stage::Signed, tell),
            stored(later(Stage::Posting), false),
            "state=posting unposted=true",
        ),
        (
            "nor one that was given up",
            at(Stage::Signed, tell),
            stored(Entry { status: Some(ABANDONED.into()), ..later(Stage::Ended) }, false),
            "state=ended status=ABANDONED unposted=true",
        ),
        (
            "what was posted is known",
            at(Stage::Posting, |_| ()),
            stored(later(Stage::Posted), true),
            "state=posted order=true",
        ),
        (
            "an order that was opened stays open",
            at(Stage::Signed, |record| record.order = Some(order())),
            stored(later(Stage::Posted), false),
            "state=posted",
        ),
        (
            "a signature that was seen stays seen",
            at(Stage::Signed, |_| ()),
            stored(later(Stage::Asking), false),
            "payload=build signedAt=- state=asking answered=true unposted=false",
        ),
        (
            "an entry that this client has not is taken over",
            fresh(),
            stored(later(Stage::Signed), true),
            "intent=#10 payload=signature signedAt=450 state=signed noted=true unposted=true order=true",
        ),
        (
            "a prompt that was refused in another tab",
            at(Stage::Asking, |_| ()),
            Event::OtherTabRemoved,
            "payload=- noted=false",
        ),
        (
            "an order that is forgotten stays known here, and its nonce is free",
            at(Stage::Posted, |_| ()),
            Event::EntryDropped,
            "noted=false [delete with its nonce]",
        ),
    ]);
}

#[test]
fn each_rule_of_a_transaction_holds() {
    let asks =
        || Event::AskTransaction(Entry { started_at: 0, changed_at: 0, ..transaction(Stage::Asking, |_| ()).entry });
    let said = |entry: &mut Entry| (entry.said, entry.said_at) = (Some("?".into()), Some(450));
    let odd = || transaction(Stage::Asking, |record| said(&mut record.entry)).entry;
    let after = |before: Entry| transaction(Stage::Asking, |record| record.before = Some(Box::new(before)));
    let unsent = |is_refused, is_repeated| Event::WalletDidNotSend { is_refused, is_repeated };
    let status = |status: &'static str, hash, nonce| Event::ChainReported(Sent { status, hash, nonce, ..sent(9) });
    let foreign = |record: &mut Record| record.entry.status = Some(FOREIGN.into());
    check(vec![
        (
            "a transaction that this client sent is not sent again",
            transaction(Stage::Asking, |record| {
                record.sent = Some(sent(9));
            }),
            asks(),
            "refused: sent",
        ),
        ("nor one that any page sent", transaction(Stage::Sent, |_| ()), asks(), "refused: sent"),
        (
            "another account's in its place does not count",
            transaction(Stage::Sent, foreign),
            asks(),
            "state=asking status=- before=sent [write first, prompt]",
        ),
        (
            "an approval may be sent any number of times",
            transaction(Stage::Sent, |record| record.entry.intent = None),
            asks(),
            "intent=#10 state=asking before=sent [write first, prompt]",
        ),
        (
            "one is noted before its prompt",
            fresh(),
            asks(),
            "intent=#10 kind=transaction payload=build noted=true [write first, prompt]",
        ),
        (
            "a refusal proves nothing about an earlier prompt of another id",
            after(odd()),
            unsent(true, false),
            "said=? saidAt=450 before=- [write durably]",
        ),
        ("but about one of the same id", after(odd()), unsent(true, true), "payload=- noted=false before=- [delete]"),
        (
            "or about one whose answer never came",
            after(transaction(Stage::Asking, |_| ()).entry),
            unsent(true, false),
            "payload=- noted=false before=- [delete]",
        ),
        (
            "calls that the wallet does not take leave the earlier prompt",
            after(transaction(Stage::Asking, |_| ()).entry),
            unsent(false, true),
            "before=- [write durably]",
        ),
        (
            "one that had ended is removed",
            after(transaction(Stage::Ended, |_| ()).entry),
            unsent(false, false),
            "payload=- noted=false before=- [delete]",
        ),
        ("a late refusal changes nothing that was sent", transaction(Stage::Sent, |_| ()), unsent(true, false), ""),
        (
            "a hash",
            transaction(Stage::Asking, |record| record.entry.status = Some("UNCERTAIN".into())),
            Event::WalletSent(sent(9)),
            "state=sent status=- transaction=#9 untold=true sent=#9 [write durably]",
        ),
        (
            "an id of calls",
            transaction(Stage::Asking, |_| ()),
            Event::WalletSent(Sent::batch(1, Address::ZERO, "id".into())),
            "batch=id state=sent untold=true [write durably]",
        ),
        (
            "a faster one is followed",
            transaction(Stage::Sent, |record| record.sent = Some(sent(8))),
            Event::IdentifierChanged(sent(9)),
            "transaction=#9 sent=#9 [write durably]",
        ),
        (
            "but was not sent here",
            transaction(Stage::Sent, |_| ()),
            Event::IdentifierChanged(sent(9)),
            "transaction=#9 [write durably]",
        ),
        ("one of an earlier page", transaction(Stage::Sent, |_| ()), Event::SentBefore(sent(9)), "sent=#9"),
        (
            "one that failed may be sent again",
            transaction(Stage::Ended, |record| record.sent = Some(sent(9))),
            Event::TransactionFailed,
            "sent=-",
        ),
        (
            "an answer without a hash",
            transaction(Stage::Asking, |_| ()),
            Event::WalletUnclear("?".into(), 900),
            "said=? saidAt=900 [write]",
        ),
        (
            "a look that finds nothing",
            transaction(Stage::Asking, |_| ()),
            Event::NotFoundOnChain(Some(5)),
            "lookedAt=5 status=UNCERTAIN [write]",
        ),
        (
            "the same look again",
            transaction(Stage::Asking, |record| {
                (record.entry.status, record.entry.looked_at) = (Some("UNCERTAIN".into()), Some(5));
            }),
            Event::NotFoundOnChain(Some(5)),
            "",
        ),
        (
            "one that is found is untold",
            transaction(Stage::Asking, |_| ()),
            Event::FoundOnChain(sent(9)),
            "state=sent transaction=#9 untold=true [write durably]",
        ),
        (
            "until a call tells it",
            transaction(Stage::Sent, |record| record.entry.is_untold = true),
            Event::AppInformed,
            "untold=false [write]",
        ),
        ("once", transaction(Stage::Sent, |_| ()), told(), ""),
        ("a nonce", transaction(Stage::Sent, |_| ()), Event::NodeReportedNonce(5), "nonce=5 [write]"),
        (
            "an outcome",
            transaction(Stage::Sent, |_| ()),
            status("COMPLETED", Some(number(9)), Some(5)),
            "nonce=5 state=ended status=COMPLETED transaction=#9 [write]",
        ),
        (
            "without hash and nonce loses neither",
            transaction(Stage::Sent, |record| {
                (record.entry.transaction, record.entry.nonce) = (Some(number(9)), Some(5));
            }),
            status("COMPLETED", None, None),
            "state=ended status=COMPLETED [write]",
        ),
        (
            "a reorganization takes it back",
            transaction(Stage::Ended, |record| record.entry.status = Some("COMPLETED".into())),
            status("PENDING", None, None),
            "state=sent status=PENDING [write]",
        ),
        (
            "another account's transaction ends nothing",
            transaction(Stage::Sent, |_| ()),
            status(FOREIGN, None, None),
            "status=FOREIGN [write]",
        ),
        (
            "and takes up none that was given up",
            transaction(Stage::Ended, |record| {
                record.entry.status = Some(ABANDONED.into());
            }),
            status(FOREIGN, None, None),
            "",
        ),
        (
            "the user gives it up",
            transaction(Stage::Sent, foreign),
            Event::UserDeclared,
            "state=ended status=ABANDONED [write]",
        ),
        (
            "one that the wallet did not send is none",
            transaction(Stage::Asking, |_| ()),
            Event::UserDeclared,
            "payload=- noted=false [delete]",
        ),
    ]);
}

#[test]
fn a_transaction_waits_for_those_that_may_make_the_same_trade() {
    let (own, other) = (number(1), number(2));
    let alone =
        |key| WantedTransaction { key, alone: Some(number(10)), pays_twice: false, repeats: false, is_open: false };
    let any = |key| WantedTransaction { alone: None, ..alone(key) };
    let deposit = |key| WantedTransaction { pays_twice: true, ..any(key) };
    let repeated = |wanted| WantedTransaction { repeats: true, ..wanted };
    let joined = |wanted| WantedTransaction { is_open: true, ..wanted };
    let of = |stage, how: fn(&mut Entry)| transaction(stage, |record| how(&mut record.entry)).entry;
    let asking = || of(Stage::Asking, |_| ());
    let odd = || of(Stage::Asking, |entry| entry.said = Some("?".into()));
    let elsewhere = || of(Stage::Asking, |entry| entry.intent = Some(number(11)));
    let sent = || of(Stage::Sent, |_| ());
    let foreign = || of(Stage::Sent, |entry| entry.status = Some(FOREIGN.into()));
    let untold = || of(Stage::Ended, |entry| entry.is_untold = true);
    let ended = || of(Stage::Ended, |_| ());
    for (rule, entry, wanted, expected) in [
        ("another prompt for the trade", asking(), alone(other), true),
        ("not for another trade", elsewhere(), alone(other), false),
        ("nor if any number may be sent", asking(), any(other), false),
        ("its own prompt, of which nothing is known", asking(), alone(own), true),
        ("not if it is requested by the same id", asking(), repeated(alone(own)), false),
        ("nor if it is joined", asking(), joined(alone(own)), false),
        ("another one by the same rule", asking(), repeated(joined(alone(other))), true),
        ("another that was sent", sent(), alone(other), true),
        ("not itself, which is found by its hash", sent(), alone(own), false),
        ("but if another account's took its place", foreign(), alone(own), true),
        ("one that was mined and not told", untold(), alone(other), true),
        ("not one that was told", ended(), alone(other), false),
        ("a deposit that may have been made", odd(), deposit(own), true),
        ("not one of whose prompt nothing was said", asking(), deposit(own), false),
        ("nor one that the wallet has by its id", odd(), repeated(deposit(own)), false),
        ("nor that for another order", odd(), deposit(other), false),
    ] {
        assert_eq!(may_be_under_way(&entry, &wanted), expected, "{rule}");
    }
    // The user who sends another beside it has decided about the one of another account.
    let trade = Some(number(10));
    assert!(is_decided(&foreign(), None, trade), "sent beside it");
    assert!(!is_decided(&foreign(), trade, trade), "it is still in the way");
    assert!(!is_decided(&sent(), None, trade), "the account's own goes on");
    assert!(!is_decided(&foreign(), None, Some(number(11))), "another trade");
}

#[test]
fn what_is_known_of_a_record_is_in_its_members() {
    let gave_up = |payload: Option<&str>| Entry {
        status: Some(ABANDONED.into()),
        payload: payload.map(String::from),
        ..entry(Stage::Ended, |_| ())
    };
    assert!(gave_up(Some(SIGNATURE)).is_abandoned(), "it may be filled");
    assert!(!gave_up(None).is_abandoned(), "the user let go of it");
    for (rule, has_expired, is_used, is_late, end) in [
        ("its deadline has passed", true, None, false, Some("EXPIRED")),
        ("its nonce is used, and the service has had time to tell a fill", false, Some(true), true, Some("VOID")),
        ("the service may tell a fill yet", false, Some(true), false, None),
        ("its nonce is free", false, Some(false), true, None),
        ("its nonce is not known", false, None, true, None),
    ] {
        assert_eq!(entry(Stage::Signed, |_| ()).ends_as(has_expired, is_used, is_late), end, "{rule}");
    }
    for (status, is_spent, is_cancelling, is_contradicted) in [
        ("FAILED", true, false, true),
        ("EXPIRED", true, false, true),
        ("VOID", true, false, true),
        ("CANCELLED", true, false, true),
        ("CANCELLED", true, true, false),
        ("COMPLETED", true, false, false),
        ("FAILED", false, false, false),
    ] {
        let ended = Entry { status: Some(status.into()), is_spent, is_cancelling, ..entry(Stage::Ended, |_| ()) };
        assert_eq!(ended.is_contradicted(), is_contradicted, "{status}");
    }
    let answered = at(Stage::Asking, |record| record.was_answered = true);
    assert!(answered.is_signed() && !answered.entry.is_signed(), "approved after its call had given up");
    let over = |is_told| {
        at(Stage::Posting, |record| {
            (record.order, record.entry.is_over) = (Some(order()), true);
            if is_told {
                tell(record);
            }
        })
    };
    assert!(over(true).is_settled() && !over(false).is_settled(), "its end was not reported");
    assert!(!at(Stage::Posted, |record| record.order = Some(order())).is_settled(), "it may be filled");
    assert!(at(Stage::Asking, |record| record.order = Some(order())).is_settled(), "nothing is signed");
    let permit = Record { permit: Some(number(3)), ..fresh() };
    assert!(fresh().is_empty() && !permit.is_empty(), "no other order may carry its permit");
}
