//! Prompts of the wallet: each opens once, however often what it is for is asked.

use super::account::{answered, wallet};
use crate::client::{Client, Shared};
use crate::error::{Error, ErrorCode, Result};
use crate::host::{Host, Signal};
use crate::json::Json;
use alloy_primitives::B256;

/// A failure that a joined prompt answers with sooner than this was there before anybody joined: the user's answer to an
/// attempt that was given up.
const AT_ONCE_MS: u64 = 50;

/// Something a wallet is asked.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// What it is known by: of two questions with one key, one is put.
    pub key: B256,
    /// The wallet's method.
    pub method: &'static str,
    /// JSON text.
    pub params: &'a str,
}

/// Whether the wallet was asked for this already, and neither refused nor was forgotten.
pub fn is_asked<H: Host>(shared: &Shared<H>, key: B256) -> bool {
    shared.prompts.borrow().iter().any(|(known, _)| *known == key)
}

/// The next attempt asks again.
pub fn forget<H: Host>(client: &Client<H>, key: B256) {
    client.shared.prompts.borrow_mut().retain(|(known, _)| *known != key);
}

/// Opens the wallet's prompt, or joins the one that is open, and calls `opened`. What was answered stays until it is
/// forgotten. Whoever came to join one, and so checked nothing, says that it `may_open` none: where there is none to join any
/// more, there is no answer, and the caller starts over.
///
/// # Errors
/// ABORTED, with which the prompt stays: what is done there is found by the next attempt. USER_REJECTED and the wallet's
/// other failures.
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
        let outcome = answered(client, "wallet", method, &prompt, signal).await;
        if outcome.as_ref().is_err_and(|error| error.code != ErrorCode::Aborted) {
            forget(client, key);
            if joined && host.monotonic_ms().saturating_sub(since) < AT_ONCE_MS {
                continue;
            }
        }
        return outcome.map(Some);
    }
}
