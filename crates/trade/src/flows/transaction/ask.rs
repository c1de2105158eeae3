//! Asks the wallet to send, and notes it in the journal before and after.

use crate::client::Client;
use crate::host::Host;
use crate::ledger::record::Entry;
use crate::ledger::step::Event;
use crate::wallet::confirm::AppConsent;
use crate::wallet::prompt::is_asked;
use crate::wallet::sending::{WalletCalls, send};
use verify::internal::domain::transaction::Sent;
use verify::internal::error::{ErrorCode, Result};

/// Notes the entry of the calls to send, whose prompt was agreed to, and asks the wallet; without one only joins the
/// open prompt. A refused call is no trade: its entry is removed. Any other answer without a hash is noted, because the
/// wallet may have sent; and a prompt whose answer never came stays noted, even if the wallet does not take it once more.
/// `None` if the prompt to join is gone, or another attempt has sent it: the caller starts over.
///
/// # Errors
/// The errors of [`send`]; JOURNAL_UNREADABLE if the note cannot be stored.
pub async fn ask_journaled<H: Host>(
    client: &Client<H>,
    outgoing: &WalletCalls<'_>,
    asks: Option<(Entry, AppConsent)>,
    signal: &H::Signal,
    opened: &dyn Fn(),
) -> Result<Option<Sent>> {
    let (shared, key) = (&client.shared, outgoing.key);
    let permission = match asks {
        None => None,
        Some((entry, consent)) => {
            let base_url = shared.settings.base_url.clone();
            let event = Event::AskTransaction(Entry { batch: outgoing.id.clone(), base_url, ..entry });
            match shared.ledger.ask(key, event, shared.without_journal(), signal).await? {
                // Another attempt has sent it meanwhile, which the caller finds; or the chain shows it again.
                Err(known) => return Ok(shared.ledger.sent(key).is_none().then(|| known.named_sent())),
                Ok(journaled) => Some(consent.for_trade(&journaled)?),
            }
        }
    };
    if shared.ledger.sent(key).is_some() {
        return Ok(None);
    }
    let sent = send(client, outgoing, permission, signal, opened).await;
    let is_over = match &sent {
        Ok(sent) => sent.is_none(),
        Err(error) => error.may_be_sent.is_none(),
    };
    if let Some(said) = sent.as_ref().err().and_then(|error| error.may_be_sent.as_ref()) {
        shared.ledger.apply(key, Event::WalletUnclear(said.clone(), shared.host.unix_ms())).await;
    }
    if is_over && !is_asked(shared, key) {
        let is_refused = sent.as_ref().is_err_and(|error| error.code == ErrorCode::UserRejected);
        shared.ledger.apply(key, Event::WalletDidNotSend { is_refused, is_repeated: outgoing.repeats }).await;
    }
    sent
}
