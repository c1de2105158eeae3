//! Asks the wallet to send, and notes it in the journal before and after.

use crate::client::Client;
use crate::domain::transaction::Sent;
use crate::error::{ErrorCode, Result};
use crate::host::Host;
use crate::ledger::record::{Entry, Stage};
use crate::wallet::prompt::is_asked;
use crate::wallet::sending::{Outgoing, send};

/// Notes the `entry` of the calls to send, and asks the wallet; without an entry only joins the open prompt. A refused
/// call is no trade: its entry is removed. Any other answer without a hash is noted, because the wallet may have sent;
/// and a prompt whose answer never came stays noted, even if the wallet does not take it once more. `None`: the caller
/// starts over.
///
/// # Errors
/// The errors of [`send`]; JOURNAL_UNREADABLE if the note cannot be stored.
pub async fn ask_noted<H: Host>(
    client: &Client<H>,
    outgoing: &Outgoing<'_>,
    entry: Option<Entry>,
    signal: &H::Signal,
    opened: &dyn Fn(),
) -> Result<Option<Sent>> {
    let (shared, key) = (&client.shared, outgoing.key);
    let before = shared.ledger.trade(key).filter(|entry| entry.stage == Stage::Asking);
    let may_open = entry.is_some();
    if let Some(entry) = entry {
        let base_url = Some(shared.settings.base_url.clone());
        shared
            .ledger
            .note_before(Entry { batch: outgoing.id.clone(), base_url, ..entry }, shared.without_journal(), signal)
            .await?;
    }
    // Another attempt may have sent it meanwhile.
    if shared.ledger.sent(key).is_some() {
        return Ok(None);
    }
    let sent = send(client, outgoing, may_open, signal, opened).await;
    let is_over = match &sent {
        Ok(sent) => sent.is_none(),
        Err(error) => error.may_be_sent.is_none(),
    };
    if let Some(said) = sent.as_ref().err().and_then(|error| error.may_be_sent.as_ref()) {
        let said = (Some(said.clone()), Some(shared.host.unix_ms()));
        shared
            .ledger
            .update_entry(key, |entry| {
                (entry.said, entry.said_at) = said;
                true
            })
            .await;
    }
    if is_over && !is_asked(shared, key) {
        // If an earlier prompt without a common id may have sent, a refusal of this one proves nothing about it.
        let is_refused = sent.as_ref().is_err_and(|error| error.code == ErrorCode::UserRejected);
        let is_other = |before: &Entry| before.said.is_some() && !outgoing.repeats;
        match before.filter(|before| may_open && (!is_refused || is_other(before))) {
            Some(before) => _ = shared.ledger.note(before, true).await,
            None => shared.ledger.remove_asking(key).await,
        }
    }
    sent
}
