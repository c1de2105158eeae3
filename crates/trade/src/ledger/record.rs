//! A record: everything that is known of one trade. The part that a crash must not lose is its entry in the journal.
//!
//! An entry is written before each step that cannot be taken back, and read again by any tab of the same origin. "The
//! journal" in docs/verification.md states how far an entry is trusted: nothing in it opens a prompt by itself.

use super::orders::{KnownOrder, RememberedOrder};
use alloy_primitives::{Address, B256};
use std::rc::Rc;
use verify::internal::domain::delta::status::FOREIGN;
use verify::internal::domain::fields::{Fields, members};
use verify::internal::domain::input::{MAX_EXACT, chain_id, one_of};
use verify::internal::domain::transaction::{Sent, SentCall, Transaction};
use verify::internal::error::{Error, Result};
use verify::internal::json::{Json, JsonAt, ObjectWriter, parse};
use verify::internal::value::text::ToText;

/// The version of the stored form. An entry of another version is left as it is, for the code that wrote it.
pub const VERSION: u64 = 1;

/// The status of an order that was signed and that the user gave up.
pub const ABANDONED: &str = "ABANDONED";

/// How long calls that were sent together show nothing new before the user decides about them, in milliseconds.
const FORGOTTEN_AFTER_MS: u64 = 300_000;

/// The stage of a trade.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stage {
    /// The prompt is open. No answer has arrived.
    #[default]
    Asking,
    /// The wallet signed. The signature is known only here.
    Signed,
    /// The wallet signed while the approval that the order needs was on its way: see [`Entry::awaits`]. It is not posted
    /// before that, or before the user submits it again.
    Waiting,
    /// The approval that the signed order waited for failed, allowed too little or was replaced. Only who submits it again
    /// posts it.
    Unapproved,
    /// The signed order is on its way to the service, which may have it.
    Posting,
    /// The service has the order.
    Posted,
    /// The wallet sent the transaction.
    Sent,
    /// Nothing more happens: see the entry's status.
    Ended,
}

impl Stage {
    /// Every stage with its name in JavaScript.
    pub const ALL: [(Stage, &str); 8] = [
        (Stage::Asking, "asking"),
        (Stage::Signed, "signed"),
        (Stage::Waiting, "waiting"),
        (Stage::Unapproved, "unapproved"),
        (Stage::Posting, "posting"),
        (Stage::Posted, "posted"),
        (Stage::Sent, "sent"),
        (Stage::Ended, "ended"),
    ];

    /// Reads a stage by its name.
    ///
    /// # Errors
    /// INVALID_INPUT for any other text.
    pub fn read(at: &JsonAt<'_>) -> Result<Stage> {
        one_of(at, &Stage::ALL, "a stage")
    }

    /// Its name in JavaScript.
    pub fn name(self) -> &'static str {
        Stage::ALL.iter().find(|(stage, _)| *stage == self).map_or("", |(_, name)| name)
    }
}

/// The kind of a trade.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TradeKind {
    /// A Delta order.
    #[default]
    Delta,
    /// A maker's OTC order.
    Otc,
    /// A transaction: a Market trade, a fill, an approval, a cancellation.
    Transaction,
}

impl TradeKind {
    const ALL: [(TradeKind, &str); 3] =
        [(TradeKind::Delta, "delta"), (TradeKind::Otc, "otc"), (TradeKind::Transaction, "transaction")];

    /// Reads a kind by its name.
    ///
    /// # Errors
    /// INVALID_INPUT for any other text.
    pub fn read(at: &JsonAt<'_>) -> Result<TradeKind> {
        one_of(at, &TradeKind::ALL, "delta, otc or transaction")
    }

    /// Its name in JavaScript.
    pub fn name(self) -> &'static str {
        TradeKind::ALL.iter().find(|(kind, _)| *kind == self).map_or("", |(_, name)| name)
    }
}

/// The stored part of a trade. Its members are those of JavaScript's `Trade`, and some that only the journal needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// The order's hash, or the key of the transaction's build. One entry has it.
    pub key: B256,
    /// The kind of the trade.
    pub kind: TradeKind,
    /// The purpose of a transaction: `market`, `fill`, `approval`.
    pub purpose: Option<String>,
    /// The stage of the trade.
    pub stage: Stage,
    /// The same for every order or transaction that makes the same trade; `None` if any number of them may be made.
    pub intent: Option<B256>,
    /// The URL of the service for which it was made.
    pub base_url: String,
    /// The chain on which it is settled.
    pub chain_id: u64,
    /// The account that signs or sends.
    pub owner: Address,
    /// When the wallet was first asked, unix milliseconds by this machine's clock.
    pub started_at: u64,
    /// When the entry was written last, unix milliseconds by this machine's clock.
    pub changed_at: u64,
    /// When the wallet's signature arrived, unix milliseconds by this machine's clock.
    pub signed_at: Option<u64>,
    /// The last second in which an order can be filled; `None` for no limit.
    pub deadline: Option<u64>,
    /// The summary shown to the user, as a JSON object: sentence, request, amounts.
    pub summary: String,
    /// The argument of `submit`, as JSON text: a build until it is signed, then the `SignedOrder`. For a transaction
    /// the call passed to the wallet. `None` once it is no longer needed.
    pub payload: Option<String>,
    /// The permit that an OTC maker posts with the order, as JSON text.
    pub permit: Option<String>,
    /// The key of the approval that was on its way when the order's prompt opened, and that it needs.
    pub awaits: Option<B256>,
    /// The service's id of a Delta order.
    pub order_id: Option<String>,
    /// The last status seen, or the trade's end: see `Trade.status` in the published types.
    pub status: Option<String>,
    /// The hash of the transaction that was sent.
    pub transaction: Option<B256>,
    /// The wallet's id of calls that are sent together; empty while only the wallet has it.
    pub batch: Option<String>,
    /// How many transactions of the account were mined when the wallet was asked to send this one. Its own nonce is
    /// that, or a later one.
    pub mined_before: Option<u64>,
    /// The nonce up to which the account's transactions were compared with this one, and are others.
    pub looked_at: Option<u64>,
    /// The nonce of the sent transaction, once a node reported it.
    pub nonce: Option<u64>,
    /// The owner is known to have had code when the wallet was asked: then others may send for it.
    pub has_code: bool,
    /// The wallet's answer in place of a hash or an id, if it may have sent all the same.
    pub said: Option<String>,
    /// When it answered so, unix milliseconds by this machine's clock.
    pub said_at: Option<u64>,
    /// It was signed, sent or found, and no call has returned what became of it: the app would make the trade once
    /// more. Only [`super::step::Event::AppInformed`] ends that.
    pub is_untold: bool,
    /// When a call last returned something new of it to the app, or the chain was seen to have used the nonce of an
    /// open order: the app that asked for a price of the same trade before did not mean another one. Unix milliseconds
    /// by this machine's clock.
    pub told_at: Option<u64>,
    /// The chain shows that the order cannot be filled any more.
    pub is_over: bool,
    /// The chain shows that the order's nonce is used.
    pub is_spent: bool,
    /// The app cancelled the order, or built its cancellation.
    pub is_cancelling: bool,
    /// The hash of the order that this transaction cancels once it is mined.
    pub cancels: Option<B256>,
}

impl Entry {
    members! { MEMBERS of entry: Entry;
        "key": required(|at| Ok(B256::from(at.fixed::<32>()?)), entry.key), value(&entry.key);
        "kind": required(TradeKind::read, entry.kind), text(entry.kind.name());
        "purpose": optional(text, entry.purpose), text_or_null(entry.purpose.as_deref());
        "state": required(Stage::read, entry.stage), text(entry.stage.name());
        "intent": optional(|at| Ok(B256::from(at.fixed::<32>()?)), entry.intent), value_or_null(entry.intent.as_ref());
        "baseUrl": required(text, entry.base_url), text(&entry.base_url);
        "chainId": required(chain_id, entry.chain_id), number(entry.chain_id);
        "owner": required(JsonAt::address, entry.owner), value(&entry.owner);
        "startedAt": required(time, entry.started_at), number(entry.started_at);
        "changedAt": required(time, entry.changed_at), number(entry.changed_at);
        "signedAt": optional(time, entry.signed_at), number_or_null(entry.signed_at);
        "deadline": optional(|at| at.integer(u64::MAX), entry.deadline), number_or_null(entry.deadline);
        "summary": required(text, entry.summary), text(&entry.summary);
        "payload": optional(text, entry.payload), text_or_null(entry.payload.as_deref());
        "permit": optional(text, entry.permit), text_or_null(entry.permit.as_deref());
        "awaits": optional(|at| Ok(B256::from(at.fixed::<32>()?)), entry.awaits), value_or_null(entry.awaits.as_ref());
        "orderId": optional(text, entry.order_id), text_or_null(entry.order_id.as_deref());
        "status": optional(text, entry.status), text_or_null(entry.status.as_deref());
        "transaction": optional(|at| Ok(B256::from(at.fixed::<32>()?)), entry.transaction),
            value_or_null(entry.transaction.as_ref());
        "batch": optional(text, entry.batch), text_or_null(entry.batch.as_deref());
        "minedBefore": optional(|at| at.integer(u64::MAX), entry.mined_before), number_or_null(entry.mined_before);
        "lookedAt": optional(|at| at.integer(u64::MAX), entry.looked_at), number_or_null(entry.looked_at);
        "nonce": optional(|at| at.integer(u64::MAX), entry.nonce), number_or_null(entry.nonce);
        "hasCode": optional(JsonAt::bool, entry.has_code), flag(entry.has_code);
        "said": optional(text, entry.said), text_or_null(entry.said.as_deref());
        "saidAt": optional(time, entry.said_at), number_or_null(entry.said_at);
        "isUntold": optional(JsonAt::bool, entry.is_untold), flag(entry.is_untold);
        "toldAt": optional(time, entry.told_at), number_or_null(entry.told_at);
        "isOver": required(JsonAt::bool, entry.is_over), flag(entry.is_over);
        "isSpent": required(JsonAt::bool, entry.is_spent), flag(entry.is_spent);
        "isCancelling": optional(JsonAt::bool, entry.is_cancelling), flag(entry.is_cancelling);
        "cancels": optional(|at| Ok(B256::from(at.fixed::<32>()?)), entry.cancels), value_or_null(entry.cancels.as_ref());
    }

    /// Reads an entry as it was stored.
    ///
    /// # Errors
    /// INVALID_INPUT if it cannot be read, or is of another version.
    pub fn read(text: &str) -> Result<Entry> {
        let json = parse(text).map_err(|_| Error::input("entry", "JSON", "something else"))?;
        let at = JsonAt::input(&json, "entry");
        if at.get("version").integer(MAX_EXACT)? != VERSION {
            return Err(at.get("version").fault(&VERSION.text()));
        }
        let mut entry = Entry::default();
        let mut fields = Fields::of(&at);
        Entry::read_members(&mut fields, &mut entry);
        fields.finish()?;
        for text in [Some(&entry.summary), entry.payload.as_ref(), entry.permit.as_ref()].into_iter().flatten() {
            parse(text).map_err(|_| Error::input("entry", "JSON in its members", "something else"))?;
        }
        Ok(entry)
    }

    /// The entry as it is stored.
    pub fn write(&self) -> String {
        let mut out = ObjectWriter::object();
        out.number("version", VERSION);
        Entry::write_members(&mut out, self);
        out.close()
    }

    /// Whether the user gave it up after it was signed, and it may have been filled since.
    pub fn is_abandoned(&self) -> bool {
        self.stage == Stage::Ended && self.status.as_deref() == Some(ABANDONED) && self.payload.is_some()
    }

    /// Whether the chain contradicts the reported end of the order without a fill: its nonce is used, and this app did
    /// not cancel it.
    pub fn is_contradicted(&self) -> bool {
        let is_unfilled = match self.status.as_deref() {
            Some("FAILED" | "EXPIRED" | "VOID") => true,
            Some("CANCELLED") => !self.is_cancelling,
            _ => false,
        };
        self.is_spent && is_unfilled
    }

    /// Whether it ended, and nothing was traded. An order that is not `whole` may have been filled in part before it
    /// expired, failed or was cancelled.
    pub fn made_no_trade(&self, whole: bool) -> bool {
        let ended = self.status.as_deref().filter(|_| self.stage == Stage::Ended);
        ended.is_some_and(|status| match status {
            "DROPPED" | "REPLACED" | "UNSIGNED" | ABANDONED => true,
            "FAILED" | "EXPIRED" | "CANCELLED" | "REFUNDED" | "VOID" => whole,
            _ => false,
        })
    }

    /// The signature of an order, without bytes if its owner consented on chain; `None` until there is one.
    pub fn signature(&self) -> Option<Vec<u8>> {
        let payload = parse(self.payload.as_deref().filter(|_| self.is_signed())?).ok()?;
        JsonAt::input(&payload, "entry").get("signature").bytes().ok()
    }

    /// How an order ended that its service does not have, by the chain: it `has_expired`, its nonce `is_used` (`None` if
    /// that is not known, or does not end it), and it was signed, or asked for, so long ago that it `is_late`. `None` if
    /// it may still be filled.
    pub fn ends_as(&self, has_expired: bool, is_used: Option<bool>, is_late: bool) -> Option<&'static str> {
        match is_used {
            _ if has_expired => Some("EXPIRED"),
            // If this order was posted and filled, the service has it, though perhaps not at once. A crash may have lost
            // that it was posted.
            Some(true) if is_late => Some("VOID"),
            _ => None,
        }
    }

    /// The call passed to the wallet; `None` for an order.
    pub fn asked(&self) -> Option<SentCall> {
        let payload = parse(self.payload.as_deref().filter(|_| self.kind == TradeKind::Transaction)?).ok()?;
        SentCall::read(&JsonAt::input(&payload, "entry")).ok()
    }

    /// The hash or id that the wallet returned, as a sent transaction.
    pub fn named_sent(&self) -> Sent {
        let sent = Sent::new(self.chain_id, self.owner, self.transaction.unwrap_or_default());
        Sent { hash: self.transaction, batch: self.batch.clone(), ..sent }
    }

    /// Whether its transaction counts as dropped: a node may show it again.
    pub fn is_dropped(&self) -> bool {
        self.stage == Stage::Ended && self.status.as_deref() == Some("DROPPED")
    }

    /// Whether its wallet named another transaction than the requested one: that one ended, and the trade did not.
    pub fn is_foreign(&self) -> bool {
        self.stage == Stage::Sent && self.status.as_deref() == Some(FOREIGN)
    }

    /// Whether calls that went together showed nothing new for so long, at `now` in unix ms, that the user decides.
    pub fn is_forgotten(&self, now: u64) -> bool {
        self.stage == Stage::Sent && self.batch.is_some() && now.abs_diff(self.changed_at) > FORGOTTEN_AFTER_MS
    }

    /// Whether it is signed, and may not be posted before the allowance is there.
    pub fn waits(&self) -> bool {
        matches!(self.stage, Stage::Waiting | Stage::Unapproved)
    }

    /// Whether the owner is known to have authorized it.
    pub fn is_signed(&self) -> bool {
        !matches!(self.stage, Stage::Asking) && self.status.as_deref() != Some("UNSIGNED")
    }
}

/// The whole state of one order or transaction in a client. There is one for each key, and nothing else remembers what
/// happened to it: [`super::step`] alone changes it.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// Its entry, as the journal has it if `is_journaled`; else the same members, in this memory alone.
    pub entry: Entry,
    /// The journal has it. Otherwise its prompt never opened, it only passed through here, or the user deleted it there.
    pub is_journaled: bool,
    /// The Delta order, opened and verified.
    pub order: Option<Rc<KnownOrder>>,
    /// The user approved its prompt after the call had given up: the next attempt finds the answer there.
    pub was_answered: bool,
    /// Its end is recorded, and no call has returned it to the app.
    pub has_news: bool,
    /// The service's answer to its post.
    pub answer: Option<Json>,
    /// The transaction that this client's wallet sent for it, unless that failed.
    pub sent: Option<Sent>,
    /// The hash of the permit that it carries. No other may carry that one.
    pub permit: Option<B256>,
    /// Its entry before the wallet was asked the last time.
    pub before: Option<Box<Entry>>,
}

impl Record {
    /// Whether its owner is known to have authorized it.
    pub fn is_signed(&self) -> bool {
        self.was_answered || self.entry.is_signed()
    }

    /// Whether it was sent or posted by this client.
    pub fn is_done(&self) -> bool {
        self.sent.is_some() || self.answer.is_some()
    }

    /// The `SignedOrder`, as JSON text, until a call reported that it was posted, or how it ended.
    pub fn unposted(&self) -> Option<&String> {
        self.entry.payload.as_ref().filter(|_| self.entry.is_signed() && self.entry.is_untold)
    }

    /// Whether nothing is known of it.
    pub fn is_empty(&self) -> bool {
        let has_none = self.order.is_none() && self.answer.is_none() && self.sent.is_none();
        has_none && !self.is_journaled && self.permit.is_none()
    }

    /// The Delta order and its state, if it is one.
    pub fn remembered(&self) -> Option<RememberedOrder> {
        Some(RememberedOrder {
            known: self.order.clone()?,
            is_signed: self.is_signed(),
            is_over: self.entry.is_over,
            is_spent: self.entry.is_spent,
            signed_order: self.unposted().cloned(),
            status: self.entry.status.clone(),
            is_contradicted: self.entry.is_contradicted(),
            is_cancelled: false,
        })
    }

    /// Whether it may be dropped: it is no order that may still be filled, or whose end was not reported.
    pub fn is_settled(&self) -> bool {
        self.order.is_none() || !self.is_signed() || (self.entry.is_over && self.unposted().is_none())
    }
}

/// The entry of a transaction whose prompt is about to open. `purpose` is one of those of JavaScript's `Trade`,
/// `summary` a JSON object's text, `mined_before` how many transactions the sender has in blocks, if that is known.
pub fn transaction_entry(
    purpose: &str,
    transaction: &Transaction,
    key: B256,
    mined_before: Option<u64>,
    summary: &str,
) -> Entry {
    Entry {
        key,
        kind: TradeKind::Transaction,
        purpose: Some(purpose.into()),
        chain_id: transaction.chain_id,
        owner: transaction.owner,
        summary: summary.into(),
        payload: Some(transaction.write()),
        mined_before,
        ..Entry::default()
    }
}

/// The summary of a build shown to the user, as a JSON object: the sentence, the request, the amounts. `view` is the
/// build.
pub fn summary(view: &Json) -> String {
    let mut out = ObjectWriter::object();
    let sentence = view.get("report").and_then(|report| report.get("sentence")).and_then(Json::as_text);
    out.text_or_null("sentence", sentence);
    for name in ["request", "orderKind", "type", "beneficiary", "maxSpent", "minReceived", "makerAmount", "takerAmount"]
    {
        if let Some(value) = view.get(name) {
            out.raw(name, &value.write());
        }
    }
    out.close()
}

fn text(at: &JsonAt<'_>) -> Result<String> {
    at.text().map(String::from)
}

fn time(at: &JsonAt<'_>) -> Result<u64> {
    at.integer(MAX_EXACT)
}
