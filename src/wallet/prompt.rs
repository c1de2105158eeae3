//! Prompts of the wallet. Each opens once: a second attempt joins the one that is open.
//!
//! A wallet cannot be made to close a prompt. An attempt that was aborted leaves its prompt behind, and the user may
//! still answer it. If the next attempt opened another, the user could sign twice; so a prompt and its answer are
//! remembered by the key of the question, until it failed or was forgotten.

use super::account::{await_answer, wallet};
use crate::client::{Client, Shared};
use crate::error::{Error, ErrorCode, Result};
use crate::host::{Host, Signal};
use crate::json::Json;
use alloy_primitives::B256;

/// If a joined prompt fails within so many milliseconds, the failure is older than the attempt that joined: the user
/// refused an earlier one, which had been given up. The prompt is then opened again.
const AT_ONCE_MS: u64 = 50;

/// A question to the wallet.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// What is asked for, as a hash: an order's or permit's digest, or the key of a build. The same key is the same
    /// question.
    pub key: B256,
    /// The JSON-RPC method.
    pub method: &'static str,
    /// Its parameters, a JSON array.
    pub params: &'a str,
}

/// Whether the wallet has a prompt for that key, open or answered. One that failed, or was forgotten, does not count.
pub fn is_asked<H: Host>(shared: &Shared<H>, key: B256) -> bool {
    shared.prompts.borrow().iter().any(|(known, _)| *known == key)
}

/// Forgets the prompt of that key: the next attempt opens another.
pub fn forget<H: Host>(client: &Client<H>, key: B256) {
    client.shared.prompts.borrow_mut().retain(|(known, _)| *known != key);
}

/// Opens the wallet's prompt, or joins the one with that key; calls `opened`, and awaits the answer, which stays until
/// [`forget`].
///
/// A caller that found a prompt open has not made the checks that precede one. It passes `may_open: false`, and gets
/// `None` if that prompt is gone by now: then it has to start over, with the checks.
///
/// # Errors
/// ABORTED: the prompt stays open, and the next attempt finds what the user does there. USER_REJECTED and other
/// failures of the wallet: the prompt is forgotten.
pub async fn once<H: Host>(
    client: &Client<H>,
    question: &Question<'_>,
    may_open: bool,
    signal: &H::Signal,
    opened: &dyn Fn(),
) -> Result<Option<Json>> {
    let Question { key, method, params } = *question;
    let (host, prompts) = (&client.shared.host, &client.shared.prompts);
    loop {
        let open = prompts.borrow().iter().find(|(known, _)| *known == key).map(|(_, prompt)| prompt.clone());
        let joined = open.is_some();
        let prompt = match open {
            Some(prompt) => prompt,
            None if !may_open => return Ok(None),
            None => {
                if signal.is_aborted() {
                    return Err(Error::aborted());
                }
                let prompt = host.ask(wallet(client)?, method, params);
                prompts.borrow_mut().push((key, prompt.clone()));
                prompt
            }
        };
        opened();
        let since = host.monotonic_ms();
        let outcome = await_answer(client, "wallet", method, &prompt, signal).await;
        if outcome.as_ref().is_err_and(|error| error.code != ErrorCode::Aborted) {
            forget(client, key);
            if joined && host.monotonic_ms().saturating_sub(since) < AT_ONCE_MS {
                continue;
            }
        }
        return outcome.map(Some);
    }
}
