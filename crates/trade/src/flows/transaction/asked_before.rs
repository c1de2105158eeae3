//! A wallet that was asked to send, and answered with neither hash nor refusal: the transaction that it may have sent
//! blocks the trade, until nothing indicates it any more and the user was asked. See "A wallet that gave no hash" in
//! docs/wallets.md.

use crate::flows::chain::signature_check::has_code;
use crate::flows::journal::locate::look_for;
use crate::host::Host;
use crate::ledger::record::Entry;
use crate::wallet::chain::Chain;
use crate::wallet::confirm::PromptGate;
use crate::wallet::reads::{Read, is_not_kept};
use alloy_primitives::{Address, B256, keccak256};
use verify::internal::domain::transaction::NOT_ASKED_FOR;
use verify::internal::domain::verify::question::check_unsent;
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::{JsonAt, quoted};
use verify::internal::value::text::ToText;

/// How long after the wallet's answer the nodes' word counts that its transaction does not exist, in milliseconds.
const SETTLED_MS: u64 = 60_000;

/// Whether the wallet may be asked for the same trade once more, under that `key`, after an answer to `entry` that is
/// neither a hash nor a refusal. Returns the nonce that the next transaction has to have, so that only one of the two
/// is mined; `None` if the account's nonce proves nothing, as a contract's.
///
/// # Errors
/// ALREADY_SIGNED: with the hash if it was sent; before the minute is over, or if a nonce has moved; with the question
/// (`mayHaveBeenSent`) if `accept` does not answer it, unless the `gate` asks it. The RPC's failure.
pub async fn check_asked_before<H: Host>(
    chain: &Chain<'_, H>,
    entry: &Entry,
    key: B256,
    accept: &JsonAt<'_>,
    gate: &PromptGate<H>,
) -> Result<Option<u64>> {
    let shared = &chain.client.shared;
    if let Some(sent) = look_for(chain.client, entry, chain.signal).await? {
        return match sent.status {
            "FAILED" | "REPLACED" => Ok(None),
            status => Err(in_the_way(&["was sent as ", &sent.name(), " and is ", status].concat())),
        };
    }
    let (Some(said), Some(said_at)) = (&entry.said, entry.said_at) else {
        return Err(in_the_way(
            "was asked for in the wallet; whether it was sent is not known (trades.abandon lets go)",
        ));
    };
    let left = SETTLED_MS.saturating_sub(shared.host.unix_ms().saturating_sub(said_at));
    let asked = ["was asked for in the wallet, which said ", &quoted(said)].concat();
    if left > 0 {
        let words =
            [&asked, "; whether it was sent can be read from the chain in ", &left.div_ceil(1_000).text(), " s"];
        return Err(in_the_way(&words.concat()));
    }
    let mut number = None;
    if entry.batch.is_none() && !has_code(chain, entry.owner).await? {
        number = unmoved(chain, entry).await?;
        if number.is_none() {
            return Err(in_the_way(&[&asked, "; the account has sent something since, or is about to"].concat()));
        }
    }
    let subject = keccak256([key.as_slice(), entry.key.as_slice(), &said_at.to_be_bytes()].concat());
    gate.defer_questions(chain.client, check_unsent(said, &subject, accept))?;
    Ok(number)
}

/// The account's next nonce, if no node has a transaction that it has sent since: neither in a block nor pending.
///
/// # Errors
/// The RPC's failure.
async fn unmoved<H: Host>(chain: &Chain<'_, H>, entry: &Entry) -> Result<Option<u64>> {
    let known = entry.mined_before;
    let counts = || vec![Read::transaction_count(&entry.owner), Read::pending_count(&entry.owner)];
    let said = match chain.ask_everywhere(counts).await {
        // No node keeps what is pending. The nonce still lets only one of the two be mined.
        Err(error) if is_not_kept(&error) => {
            chain.ask_everywhere(|| vec![Read::transaction_count(&entry.owner)]).await?
        }
        said => said?,
    };
    Ok(known.filter(|known| said.iter().flatten().all(|count| count == known)))
}

/// ALREADY_SIGNED for a trade of that account for which its wallet named another account's transaction, or one that was
/// not requested.
pub fn foreign(owner: &Address, name: &str) -> Error {
    let asked = ["was asked for from ", &owner.text(), ", and the wallet named ", name].concat();
    let mut error = in_the_way(&[&asked, ", which is ", NOT_ASKED_FOR].concat());
    error.actual = Some("another was sent".into());
    error
}

/// ALREADY_SIGNED for a transaction for the same trade that may still be mined, or was.
pub fn in_the_way(what: &str) -> Error {
    let words = ["a transaction for the same trade ", what, r#": for both, submit(build, { existing: "keepBoth" })"#];
    let mut error = Error::new(ErrorCode::AlreadySigned, &words.concat());
    error.actual = Some("may still be mined".into());
    error
}
