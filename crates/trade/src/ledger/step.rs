//! The steps of a trade, one event at a time: a pure function from a record and an event to the next record, and to the
//! commands that follow. Nothing else changes a record, and the shell (`store`) only carries out the commands.

use super::orders::KnownOrder;
use super::record::{ABANDONED, Entry, Record, Stage, TradeKind};
use alloy_primitives::B256;
use std::rc::Rc;
use verify::internal::domain::delta::status::{FOREIGN, is_terminal};
use verify::internal::domain::input::MAX_EXACT;
use verify::internal::domain::transaction::Sent;
use verify::internal::json::Json;

/// An order that is about to be signed, or was: what the journal needs of it.
#[derive(Clone, Debug)]
pub struct OrderEntry {
    /// Its entry, whose payload is the build or the `SignedOrder`. The stage does not count.
    pub entry: Entry,
    /// The order itself, for the rules about a second one; `None` for an OTC order.
    pub order: Option<Rc<KnownOrder>>,
    /// Whether the caller requested it. Otherwise it only passes through here: it is journaled only if it already is.
    pub is_asked_for: bool,
}

/// An event of a trade: it happened, or is about to. Its name begins with its source, where there is one.
#[derive(Clone, Debug)]
pub enum Event {
    /// The permit of that hash is submitted with it.
    PermitTaken(B256),
    /// The attempt that submitted a permit with it failed.
    PermitFreed,
    /// The prompt for an order's signature is about to open.
    AskSignature(OrderEntry),
    /// The prompt for a transaction is about to open.
    AskTransaction(Entry),
    /// The storage did not take what was to be written before the prompt, which does not open.
    NotWritten,
    /// The prompt for a signature was refused, or never opened: nothing is signed.
    WalletDidNotSign,
    /// The prompt for a transaction is closed, and nothing was sent: by a refusal, or by a wallet that takes no such calls.
    WalletDidNotSend {
        /// The user refused.
        is_refused: bool,
        /// It was asked for under the same id before.
        is_repeated: bool,
    },
    /// The user approved the prompt after its call had given up.
    WalletAnsweredLate,
    /// The wallet's signature arrived, or the order came with one.
    SignatureReceived(OrderEntry),
    /// The allowance suffices: by the approval that the order waits for, or, with `true`, for a user who submits it.
    AllowanceSuffices(bool),
    /// The approval that the order waits for failed, allows too little, or was replaced.
    NotApproved,
    /// The signature is not the owner's, or the transaction in its place reverted.
    NotAuthorized,
    /// The owner's transaction that authorizes the order was found: the `SignedOrder`, and when its prompt opened, unix
    /// milliseconds.
    PreSigned(String, u64),
    /// The signed order leaves for the service, which may have it from now on.
    Posting(OrderEntry),
    /// The service's answer to the post.
    ServiceAnswered(Json),
    /// The service's id of the order.
    ServiceAssignedId(String),
    /// The service reports the order: its id and status. A call passes them on to the app.
    ServiceReported {
        /// The service's id of the order.
        id: Option<String>,
        /// The order's status.
        status: Option<String>,
    },
    /// The service lists an order of the owner that is not in this client's memory.
    ServiceListed(Box<Entry>, Rc<KnownOrder>),
    /// The chain shows that the order cannot be filled any more; with `true` that its nonce is used.
    ChainUnfillable(bool),
    /// The app cancels the order, or builds its cancellation.
    AppCancels,
    /// Nothing more happens to the order, which has that status.
    Ended(&'static str),
    /// The user gives the trade up; with `true` the user saw that its outcome was never reported.
    UserAbandoned(bool),
    /// The wallet returned the hash or id of the transaction that it sent.
    WalletSent(Sent),
    /// The transaction has another hash or id: its fee was raised in the wallet, or a contract's owners agreed to it.
    /// An approval, which may be sent any number of times, gets its first one so.
    IdentifierChanged(Sent),
    /// It was sent before a reload, or in another tab.
    SentBefore(Sent),
    /// The transaction failed or was dropped: another may be sent.
    TransactionFailed,
    /// The wallet answered with neither hash nor refusal, and may have sent: its answer, and when.
    WalletUnclear(String, u64),
    /// The transaction was looked for, up to that nonce of the account, and not found.
    NotFoundOnChain(Option<u64>),
    /// The transaction was found under that hash or id.
    FoundOnChain(Sent),
    /// The call that reports it to the app is about to return.
    AppInformed,
    /// The same trade was refused because of this one: the error informed the app, and so the user.
    AppInformedByRefusal,
    /// A node reported the transaction's nonce.
    NodeReportedNonce(u64),
    /// The transaction as the chain shows it.
    ChainReported(Sent),
    /// The user declares that the wallet did not send it, or that another account's transaction ended it.
    UserDeclared,
    /// The entry was read from the storage: another tab wrote it, or an earlier page.
    StorageRead(Box<Entry>, Option<Rc<KnownOrder>>),
    /// Another tab removed it: its user refused.
    OtherTabRemoved,
    /// The user deletes it from the journal, or the journal is full.
    EntryDropped,
}

/// A command that the shell carries out, in the order of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Writes the entry; if it is durable, goes on once a crash does not lose it.
    Write {
        /// A crash of the machine must not lose it.
        is_durable: bool,
    },
    /// Writes the entry, or stops: nothing that follows happens without it.
    WriteFirst,
    /// Deletes the entry.
    Delete,
    /// Deletes the entry, and the nonce that tabs share for that intent.
    DeleteWithNonce(Option<B256>),
    /// Opens the wallet's prompt.
    Prompt,
    /// Posts the signed order, after a look whether the service has it if it may.
    Post,
}

/// Why an event may not happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The order is signed, posted or under way already: no prompt opens for it.
    Signed,
    /// The transaction was sent already.
    Sent,
    /// The order waits for its approval, or had none.
    Waiting,
}

/// The record after an event, and the commands that follow. `now` is unix milliseconds by this machine's clock.
///
/// # Errors
/// [`Refusal`]: the event must not happen, and nothing changes.
pub fn step(record: &Record, event: Event, now: u64) -> Result<(Record, Vec<Command>), Refusal> {
    let mut next = record.clone();
    let entry = &mut next.entry;
    let commands = match event {
        Event::PermitTaken(permit) => {
            next.permit = Some(permit);
            vec![]
        }
        Event::PermitFreed => {
            next.permit = next.permit.filter(|_| record.is_done());
            vec![]
        }
        Event::AskSignature(_) if record.entry.stage != Stage::Ended && record.entry.signature().is_some() => {
            return Err(Refusal::Signed);
        }
        Event::AskSignature(facts) => {
            next.before = record.is_journaled.then(|| Box::new(record.entry.clone()));
            take_facts(&mut next, facts, Stage::Asking);
            write_if_journaled(&next, &[Command::WriteFirst, Command::Prompt], &[Command::Prompt])
        }
        Event::AskTransaction(_) if record.sent.is_some() || is_on_its_way(&record.entry) => return Err(Refusal::Sent),
        Event::AskTransaction(asked) => {
            next.before = record.is_journaled.then(|| Box::new(record.entry.clone()));
            let changed_at = entry.changed_at;
            *entry = Entry { stage: Stage::Asking, changed_at, ..asked };
            next.is_journaled = true;
            vec![Command::WriteFirst, Command::Prompt]
        }
        Event::NotWritten | Event::WalletDidNotSign | Event::WalletDidNotSend { .. }
            if record.entry.stage != Stage::Asking =>
        {
            vec![]
        }
        Event::NotWritten => match next.before.take() {
            Some(before) => restore(&mut next, *before, false),
            None => remove(&mut next),
        },
        Event::WalletDidNotSign => match next.before.take().filter(|before| before.is_signed()) {
            Some(before) => restore(&mut next, *before, false),
            None => remove(&mut next),
        },
        Event::WalletDidNotSend { is_refused, is_repeated } => {
            match next.before.take().filter(|before| before.stage == Stage::Asking) {
                // An earlier prompt without a common id may have sent: a refusal of this one proves nothing about it.
                Some(before) if !is_refused || (before.said.is_some() && !is_repeated) => {
                    restore(&mut next, *before, true)
                }
                _ => remove(&mut next),
            }
        }
        Event::WalletAnsweredLate => {
            next.was_answered = true;
            vec![]
        }
        // The very signature that left for the service, which may have it.
        Event::SignatureReceived(facts) if record.entry.is_signed() && record.entry.payload == facts.entry.payload => {
            next.order = facts.order.or(next.order);
            vec![]
        }
        Event::SignatureReceived(mut facts) => {
            // A call that joined the prompt did not look for an approval.
            let asked = record.entry.awaits.filter(|_| record.entry.stage == Stage::Asking);
            facts.entry.awaits = facts.entry.awaits.or(asked);
            let stage = if facts.entry.awaits.is_some() { Stage::Waiting } else { Stage::Signed };
            take_facts(&mut next, facts, stage);
            next.entry.signed_at.get_or_insert(now);
            write_if_journaled(&next, &[Command::Write { is_durable: true }], &[])
        }
        Event::AllowanceSuffices(false) if record.entry.stage == Stage::Unapproved => return Err(Refusal::Waiting),
        Event::AllowanceSuffices(_) if !record.entry.waits() => vec![],
        Event::AllowanceSuffices(_) => {
            (entry.stage, entry.awaits) = (Stage::Signed, None);
            write_if_journaled(&next, &[Command::Write { is_durable: false }], &[])
        }
        Event::NotApproved if record.entry.stage != Stage::Waiting => vec![],
        Event::NotApproved => {
            (entry.stage, entry.awaits) = (Stage::Unapproved, None);
            write_if_journaled(&next, &[Command::Write { is_durable: true }], &[])
        }
        Event::NotAuthorized => remove(&mut next),
        Event::PreSigned(signed_order, asked_at) => {
            (entry.stage, entry.signed_at, entry.payload) = (Stage::Signed, Some(asked_at), Some(signed_order));
            entry.is_untold = true;
            vec![Command::Write { is_durable: true }]
        }
        Event::Posting(_) if record.entry.waits() => return Err(Refusal::Waiting),
        Event::Posting(facts) => {
            take_facts(&mut next, facts, Stage::Posting);
            next.entry.signed_at.get_or_insert(now);
            // Posting may be repeated, so this stage need not be on the disk before it begins.
            write_if_journaled(&next, &[Command::Write { is_durable: false }, Command::Post], &[Command::Post])
        }
        Event::ServiceAnswered(answer) => {
            next.answer = Some(answer);
            vec![]
        }
        Event::ServiceAssignedId(id) => {
            entry.order_id = Some(id);
            vec![]
        }
        Event::ServiceReported { id, status } => {
            // FULFILLED is an OTC order's final status.
            let ends = status.as_deref().is_some_and(|status| is_terminal(status) || status == "FULFILLED");
            // The entry of its signature was lost.
            entry.is_untold |=
                entry.stage == Stage::Asking && entry.kind != TradeKind::Transaction && record.is_journaled;
            entry.order_id = id.or(entry.order_id.take());
            (entry.status, entry.stage) = (status, if ends { Stage::Ended } else { Stage::Posted });
            next.has_news |= ends && record.entry.stage != Stage::Ended;
            write_changed(record, &next)
        }
        Event::ServiceListed(known, order) => {
            if next.order.is_none() {
                (next.entry, next.order) = (Entry { stage: Stage::Posted, ..*known }, Some(order));
            }
            vec![]
        }
        Event::ChainUnfillable(is_spent) => {
            (entry.is_over, entry.is_spent) = (true, is_spent);
            if is_spent && !record.entry.is_spent && entry.stage != Stage::Ended {
                // Nothing filled it after its deadline.
                let last = entry.deadline.map_or(u64::MAX, |deadline| deadline.saturating_mul(1_000));
                entry.told_at = Some(now.min(last));
            }
            write_changed(record, &next)
        }
        Event::AppCancels => {
            entry.is_cancelling = true;
            write_changed(record, &next)
        }
        Event::Ended(status) => {
            let status = if entry.is_signed() { status } else { "UNSIGNED" };
            (entry.stage, entry.status) = (Stage::Ended, Some(status.into()));
            write_if_journaled(&next, &[Command::Write { is_durable: false }], &[])
        }
        Event::UserAbandoned(lets_go) => {
            entry.status = Some(if entry.is_signed() { ABANDONED } else { "UNSIGNED" }.into());
            entry.stage = Stage::Ended;
            if lets_go {
                // The user who does this knows that the outcome was never reported.
                (entry.payload, entry.is_untold) = (None, false);
            }
            vec![Command::Write { is_durable: true }]
        }
        Event::WalletSent(sent) => {
            name_sent(entry, &sent);
            entry.is_untold = true;
            next.sent = Some(sent);
            write_if_journaled(&next, &[Command::Write { is_durable: true }], &[])
        }
        Event::IdentifierChanged(sent) => {
            name_sent(entry, &sent);
            next.sent = next.sent.map(|_| sent);
            write_if_journaled(&next, &[Command::Write { is_durable: true }], &[])
        }
        Event::SentBefore(sent) => {
            next.sent = Some(sent);
            vec![]
        }
        Event::TransactionFailed => {
            next.sent = None;
            vec![]
        }
        Event::WalletUnclear(said, at) => {
            (entry.said, entry.said_at) = (Some(said), Some(at));
            write_if_journaled(&next, &[Command::Write { is_durable: false }], &[])
        }
        Event::NotFoundOnChain(looked_at) => {
            let is_new = entry.status.replace("UNCERTAIN".into()).is_none() || entry.looked_at != looked_at;
            entry.looked_at = looked_at;
            if is_new { write_if_journaled(&next, &[Command::Write { is_durable: false }], &[]) } else { vec![] }
        }
        Event::FoundOnChain(sent) => {
            name_sent(entry, &sent);
            entry.is_untold = true;
            write_if_journaled(&next, &[Command::Write { is_durable: true }], &[])
        }
        // A report that an order waits, or was given up, does not include its end.
        Event::AppInformed
            if entry.kind != TradeKind::Transaction
                && next.answer.is_none()
                && (entry.stage != Stage::Ended || entry.is_abandoned()) =>
        {
            vec![]
        }
        Event::AppInformed => {
            if entry.is_untold || next.has_news {
                entry.told_at = Some(now);
            }
            (entry.is_untold, next.has_news) = (false, false);
            write_changed(record, &next)
        }
        Event::AppInformedByRefusal => {
            entry.told_at = None;
            vec![]
        }
        Event::NodeReportedNonce(nonce) => {
            entry.nonce = Some(nonce);
            write_changed(record, &next)
        }
        Event::ChainReported(sent) if (sent.status == FOREIGN || !is_terminal(sent.status)) && entry.is_abandoned() => {
            vec![]
        }
        Event::ChainReported(sent) => {
            // A reorganization of the chain takes an end back. Another account's transaction ends nothing.
            let is_end = is_terminal(sent.status) && sent.status != FOREIGN;
            entry.stage = if is_end { Stage::Ended } else { Stage::Sent };
            (entry.nonce, entry.transaction) = (sent.nonce.or(entry.nonce), sent.hash.or(entry.transaction));
            entry.status = Some(sent.status.into());
            next.has_news |= is_end && record.entry.stage != Stage::Ended;
            write_changed(record, &next)
        }
        Event::UserDeclared if record.entry.is_foreign() => {
            (entry.stage, entry.status) = (Stage::Ended, Some(ABANDONED.into()));
            vec![Command::Write { is_durable: false }]
        }
        Event::UserDeclared => remove(&mut next),
        Event::StorageRead(stored, order) => {
            if !record.is_journaled || record.entry.changed_at < stored.changed_at {
                // A signature that this client has seen stays, though another client wrote an older state.
                next.was_answered |= record.is_signed() && !stored.is_signed();
                (next.entry, next.is_journaled, next.order) = (*stored, true, order.or(next.order));
            }
            return Ok((next, vec![]));
        }
        Event::OtherTabRemoved => {
            let _ = remove(&mut next);
            return Ok((next, vec![]));
        }
        Event::EntryDropped => {
            next.is_journaled = false;
            vec![Command::DeleteWithNonce(entry.intent)]
        }
    };
    if commands.iter().any(|command| matches!(command, Command::Write { .. } | Command::WriteFirst)) {
        stamp(&mut next.entry, now);
    }
    Ok((next, commands))
}

/// Whether the wallet named the transaction of an entry, of which there may be one, and no end of it was seen.
fn is_on_its_way(entry: &Entry) -> bool {
    entry.stage == Stage::Sent && !entry.is_foreign() && entry.intent.is_some()
}

/// Takes over the current facts about an order. The other members of a journaled one stay.
fn take_facts(record: &mut Record, facts: OrderEntry, stage: Stage) {
    let OrderEntry { entry: new, order, is_asked_for } = facts;
    let old = &mut record.entry;
    if record.is_journaled {
        (old.payload, old.base_url, old.awaits) = (new.payload, new.base_url, new.awaits);
    } else {
        let Entry { is_over, is_spent, is_cancelling, changed_at, .. } = *old;
        let order_id = old.order_id.take().or(new.order_id.clone());
        *old = Entry { is_over, is_spent, is_cancelling, changed_at, order_id, ..new };
    }
    (old.stage, old.status, old.is_untold) = (stage, None, stage != Stage::Asking);
    record.is_journaled |= is_asked_for;
    record.order = order.or(record.order.take());
}

fn name_sent(entry: &mut Entry, sent: &Sent) {
    (entry.stage, entry.transaction, entry.status) = (Stage::Sent, sent.hash, None);
    entry.batch.clone_from(&sent.batch);
}

/// Removes an entry from the journal: nothing was signed or sent.
fn remove(record: &mut Record) -> Vec<Command> {
    let was_journaled = record.is_journaled;
    (record.is_journaled, record.was_answered) = (false, false);
    let entry = &mut record.entry;
    (entry.stage, entry.status, entry.payload, entry.said, entry.awaits) = (Stage::Asking, None, None, None, None);
    if was_journaled { vec![Command::Delete] } else { vec![] }
}

/// The entry is again what it was before the wallet was asked.
fn restore(record: &mut Record, before: Entry, is_durable: bool) -> Vec<Command> {
    record.entry = Entry { changed_at: record.entry.changed_at, ..before };
    vec![Command::Write { is_durable }]
}

/// The commands for a record that the journal has; else for one that it has not.
fn write_if_journaled(record: &Record, journaled: &[Command], else_: &[Command]) -> Vec<Command> {
    if record.is_journaled { journaled.to_vec() } else { else_.to_vec() }
}

/// Writes what differs. Not durable: a lost change is read again.
fn write_changed(before: &Record, after: &Record) -> Vec<Command> {
    // An id alone comes with each report.
    let id = after.entry.order_id.clone();
    let is_same = Entry { order_id: id, ..before.entry.clone() } == after.entry;
    if is_same { vec![] } else { write_if_journaled(after, &[Command::Write { is_durable: false }], &[]) }
}

/// The times of an entry that is written at `now`. A clock that was set back must not make it older than before.
fn stamp(entry: &mut Entry, now: u64) {
    entry.changed_at = now.max(entry.changed_at.saturating_add(1)).min(MAX_EXACT);
    if entry.started_at == 0 {
        entry.started_at = entry.changed_at;
    }
}
