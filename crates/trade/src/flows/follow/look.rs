//! One look at a transaction that was sent, and the wait for its end inside another call.

use super::report::write_told;
use super::{Follow, is_passing};
use crate::client::Client;
use crate::flows::chain::pending::{FIRST_PAUSE_MS, MAX_FAILURES, Pending, receipt_pause_ms};
use crate::flows::journal::locate::find_replacement;
use crate::host::{Host, Signal};
use crate::wallet::chain::Chain;
use verify::internal::domain::delta::status::is_terminal;
use verify::internal::domain::transaction::Sent;
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::{JsonAt, ObjectWriter};

impl Follow {
    /// Looks at the transaction once, `Look` of the schedule.
    ///
    /// # Errors
    /// ABORTED; the failure to read it, if waiting does not help.
    pub(super) async fn look<H: Host>(
        &self,
        client: &Client<H>,
        at: &JsonAt<'_>,
        signal: &H::Signal,
    ) -> Result<String> {
        let Some(pending) = &self.pending else { return Err(Error::unreachable()) };
        // A copy, so that nothing is borrowed while it waits.
        let mut copy = pending.borrow().clone();
        let looked = look(client, &mut copy, signal).await;
        pending.replace(copy);
        let sent = &pending.borrow().sent;
        if let Err(error) = looked {
            // INVALID_INPUT after the first look means that the wallet is on another chain for a while.
            let is_elsewhere = error.code == ErrorCode::InvalidInput && at.get("isSeen").bool().is_ok_and(|is| is);
            return if is_passing(&error) || is_elsewhere { Ok("{}".into()) } else { Err(error) };
        }
        let mut out = ObjectWriter::object();
        out.raw("sent", &sent.json().write());
        out.flag("isEnded", is_terminal(sent.status));
        let entry = client.shared.ledger.entry_of(sent);
        out.maybe_raw("told", entry.map(|entry| write_told(client, entry.key, sent.status)));
        Ok(out.close())
    }
}

/// Looks for a transaction once.
async fn look<H: Host>(client: &Client<H>, pending: &mut Pending, signal: &H::Signal) -> Result<()> {
    let chain = Chain::need(client, pending.sent.chain_id, signal).await?;
    pending.look(&chain).await?;
    find_replacement(&chain, pending).await;
    client.shared.ledger.record_sent(&pending.sent).await;
    Ok(())
}

/// Waits for the end of a transaction that this client has just sent. Returns its status.
///
/// # Errors
/// ABORTED; the eighth failure in a row, or one that does not pass.
pub async fn await_end<H: Host>(client: &Client<H>, sent: Sent, signal: &H::Signal) -> Result<&'static str> {
    let (mut pending, mut failures, mut pause_ms) = (Pending::new(sent), 0_u32, FIRST_PAUSE_MS);
    loop {
        if signal.is_aborted() {
            return Err(Error::aborted());
        }
        match look(client, &mut pending, signal).await {
            Ok(()) if is_terminal(pending.sent.status) => return Ok(pending.sent.status),
            Ok(()) => failures = 0,
            Err(error) => {
                failures = failures.saturating_add(1);
                if failures >= MAX_FAILURES || !is_passing(&error) {
                    return Err(error);
                }
            }
        }
        client.shared.host.sleep(pause_ms, signal).await;
        pause_ms = receipt_pause_ms(pending.sent.chain_id);
    }
}
