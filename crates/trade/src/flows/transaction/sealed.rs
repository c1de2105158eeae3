//! A transaction in the seal of its build: as the wallet gets it, and beside it what it costs its owner.

use crate::ledger::record::Entry;
use verify::internal::domain::approval::ApprovalNeed;
use verify::internal::domain::input::{chain_id, decimals_input, optional, short_text};
use verify::internal::domain::intent::Token;
use verify::internal::domain::permit::PermitUse;
use verify::internal::domain::transaction::{Payment, SentCall, Transaction};
use verify::internal::error::{Error, Result};
use verify::internal::json::{JsonAt, ObjectWriter, array};

/// Writes what the text of [`Transaction::write`] lacks.
pub fn write_terms(transaction: &Transaction, out: &mut ObjectWriter) {
    if let Some(Payment { protocol, token, amount, permit }) = &transaction.pays {
        let (owner, to) = (&transaction.owner, &transaction.to);
        let need = ApprovalNeed::new(*protocol, transaction.chain_id, token, owner, to, amount, None);
        out.raw("pays", &need.begin().close());
        out.maybe_raw("permit", permit.map(|permit| permit.write()));
    }
    let stated = transaction.decimals.iter().map(|(token, field)| {
        let mut stated = ObjectWriter::object();
        stated.value("token", &token.address);
        stated.number("decimals", token.decimals.into());
        stated.text_or_null("symbol", token.symbol.as_deref());
        stated.text("field", field);
        stated.close()
    });
    out.raw("stated", &array(&stated.collect::<Vec<_>>()));
}

/// Reads a transaction: the text of [`Transaction::write`] at `transaction`, and what [`write_terms`] wrote beside it.
///
/// # Errors
/// INVALID_INPUT with the member.
pub fn read_transaction(at: &JsonAt<'_>) -> Result<Transaction> {
    let place = at.get("transaction");
    let (SentCall { from, to, value, data }, chain_id) = (SentCall::read(&place)?, chain_id(&place.get("chainId"))?);
    let mut decimals = Vec::new();
    for one in at.get("stated").items()? {
        let token = Token {
            chain_id,
            address: one.get("token").address()?,
            decimals: decimals_input(&one.get("decimals"))?,
            symbol: optional(&one.get("symbol"), short_text)?,
            ..Token::default()
        };
        decimals.push((token, one.get("field").text()?.into()));
    }
    let permit = optional(&at.get("permit"), PermitUse::read)?;
    let pays = optional(&at.get("pays"), ApprovalNeed::read)?;
    let pays = pays.map(|need| Payment { protocol: need.protocol, token: need.token, amount: need.amount, permit });
    Ok(Transaction { chain_id, owner: from, to, value, data, pays, decimals })
}

/// Refuses a build that is not the one that was sent: its sealed text was put into another one.
///
/// # Errors
/// INVALID_INPUT with `build.transaction`.
pub fn check_sent(at: &JsonAt<'_>, sent: Option<&Entry>) -> Result<()> {
    let (at, call) = (at.get("transaction"), sent.and_then(Entry::asked));
    let is_it = call.is_some_and(|call| {
        at.get("to").address().is_ok_and(|to| to == call.to)
            && at.get("data").bytes().is_ok_and(|data| data == call.data)
    });
    if is_it { Ok(()) } else { Err(Error::input(&at.path(), "the transaction as it was returned", "another one")) }
}
