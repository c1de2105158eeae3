//! Prompts of the wallet. Each opens once: a second attempt joins the one that is open.
//!
//! A wallet cannot be made to close a prompt. An attempt that was aborted leaves its prompt behind, and the user may
//! still answer it. If the next attempt opened another, the user could sign twice; so a prompt and its answer are
//! remembered by the key of the request, until it failed or was forgotten.

use super::account::{await_answer, wallet};
use super::confirm::PromptPermission;
use crate::client::{Client, Shared};
use crate::host::{Host, Signal};
use crate::ledger::OpenPrompt;
use alloy_primitives::B256;
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::Json;

/// If a joined prompt fails within so many milliseconds, the failure is older than the attempt that joined: the user
/// refused an earlier attempt, which had been given up. The prompt is then opened again.
const AT_ONCE_MS: u64 = 50;

/// A request to the wallet.
#[derive(Clone, Copy, Debug)]
pub struct PromptRequest<'a> {
    /// A hash of the request: an order's or permit's digest, or the key of a build. The same key is the same request.
    pub key: B256,
    /// The JSON-RPC method.
    pub method: &'static str,
    /// Its parameters, a JSON array.
    pub params: &'a str,
    /// The id of calls that are sent together, empty if the wallet chooses it; `None` for any other request.
    pub batch: Option<&'a str>,
}

/// Whether the wallet has a prompt for that key, open or answered. One that failed, or was forgotten, does not count.
pub fn is_asked<H: Host>(shared: &Shared<H>, key: B256) -> bool {
    shared.ledger.prompts.borrow().iter().any(|open| open.key == key)
}

/// [`is_asked`] for this client's own wallet: only its prompt can be joined. Another wallet's may be dead, for instance
/// after its extension was reloaded.
pub fn is_own_asked<H: Host>(client: &Client<H>, key: B256) -> bool {
    client.shared.ledger.prompts.borrow().iter().any(|open| is_own(client, open, key))
}

/// Whether it is the prompt of this client's wallet for that key.
pub fn is_own<H: Host>(client: &Client<H>, open: &OpenPrompt<H::Prompt, H::Provider>, key: B256) -> bool {
    open.key == key && Some(&open.wallet) == client.binding.wallet.as_ref()
}

/// Forgets this client's prompt of that key: the next attempt opens another.
pub fn forget<H: Host>(client: &Client<H>, key: B256) {
    client.shared.ledger.prompts.borrow_mut().retain(|open| !is_own(client, open, key));
}

/// Opens the wallet's prompt, or joins the one with that key; calls `opened`, and awaits the answer, which stays until
/// [`forget`]. It comes with the id of the calls: a prompt that is joined may be for other ones than the caller's.
///
/// A caller that found a prompt open has not made the checks that precede one, and has no [`PromptPermission`]. It
/// gets `None` if that prompt is gone by now: then it has to start over, with the checks.
///
/// # Errors
/// ABORTED: the prompt stays open, and the next attempt finds the user's answer. USER_REJECTED and other failures of
/// the wallet: the prompt is forgotten. INTERNAL if the permission is for another request.
pub async fn once<H: Host>(
    client: &Client<H>,
    question: &PromptRequest<'_>,
    permission: Option<PromptPermission>,
    signal: &H::Signal,
    opened: &dyn Fn(),
) -> Result<Option<(Json, Option<String>)>> {
    let PromptRequest { key, method, params, batch } = *question;
    let (host, prompts) = (&client.shared.host, &client.shared.ledger.prompts);
    loop {
        let open = prompts
            .borrow()
            .iter()
            .find(|open| is_own(client, open, key))
            .map(|open| (open.prompt.clone(), open.batch.clone()));
        let joined = open.is_some();
        let (prompt, batch) = match open {
            Some(open) => open,
            None => {
                let Some(permission) = &permission else { return Ok(None) };
                if !permission.is_for(key) {
                    return Err(Error::unreachable());
                }
                if signal.is_aborted() {
                    return Err(Error::aborted());
                }
                let wallet = wallet(client)?;
                let prompt = host.ask(wallet, method, params);
                let (wallet, batch) = (wallet.clone(), batch.map(String::from));
                prompts.borrow_mut().push(OpenPrompt { key, wallet, batch: batch.clone(), prompt: prompt.clone() });
                (prompt, batch)
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
        return outcome.map(|answer| Some((answer, batch)));
    }
}
