//! An order that was signed while the approval it needs was on its way: it is posted once that approval is in a block.
//!
//! An order whose approval failed, or was replaced by another transaction, stays signed and unposted. Neither `resume` nor a
//! later approval posts it: only whoever submits it again.

use crate::client::Client;
use crate::error::{Error, ErrorCode, Result};
use crate::host::{Host, Signal};
use crate::trade::call::{CallArgs, Progress};
use crate::trade::chain::pending::{FIRST_PAUSE_MS, MAX_FAILURES, RECEIPT_PAUSE_MS};
use crate::trade::journal::list::is_late;
use crate::trade::journal::locate::look_for;
use crate::trade::submission::Submission;
use alloy_primitives::B256;

/// Waits until the approval of that key is in a block. `signature` is the order's.
///
/// # Errors
/// WALLET_FAILED if it reverted, was replaced, or is another account's; INSUFFICIENT_ALLOWANCE if it is not known any more, or
/// took longer than `resume` posts an order without asking; ABORTED; the RPC's failure, after eight in a row.
pub async fn await_approval<H: Host>(
    client: &Client<H>,
    submission: &Submission<H>,
    (key, signature): (B256, &[u8]),
    call: &CallArgs<'_, H>,
) -> Result<()> {
    let (ledger, host) = (&client.shared.ledger, &client.shared.host);
    let (mut failures, mut pause_ms, mut is_told) = (0_u32, FIRST_PAUSE_MS, false);
    loop {
        let order = ledger.trade(submission.facts.hash);
        let is_over = submission.is_resumed && order.is_none_or(|order| is_late(&order, host.unix_ms()));
        let Some(entry) = ledger.trade(key).filter(|_| !is_over) else {
            let message = "the approval that the order waits for is not in a block: submit the signed order once it is";
            return Err(Error::new(ErrorCode::InsufficientAllowance, message));
        };
        if !core::mem::replace(&mut is_told, true) {
            let (transaction, batch) = (entry.transaction, entry.batch.clone());
            let signed_order = Some(submission.signed_order(signature));
            (call.progress)(Progress { transaction, batch, signed_order, ..Progress::step("confirming") });
        }
        match look_for(client, &entry, call.signal).await {
            Ok(sent) => {
                failures = 0;
                match sent.as_ref().map_or("PENDING", |sent| sent.status) {
                    "COMPLETED" => return Ok(()),
                    // Wallets hold some back.
                    "PENDING" | "DROPPED" => {}
                    status => {
                        let name = sent.map(|sent| sent.name()).unwrap_or_default();
                        let advice =
                            ": the order is signed and not posted; approve again, then submit the signed order";
                        let message = ["the approval ", &name, " is ", status, advice].concat();
                        return Err(Error::new(ErrorCode::WalletFailed, &message));
                    }
                }
            }
            Err(error) => {
                failures = failures.saturating_add(1);
                if call.signal.is_aborted() || failures >= MAX_FAILURES {
                    return Err(error);
                }
            }
        }
        if call.signal.is_aborted() {
            return Err(Error::aborted());
        }
        host.sleep(pause_ms, call.signal).await;
        pause_ms = pause_ms.saturating_mul(2).min(RECEIPT_PAUSE_MS);
    }
}
