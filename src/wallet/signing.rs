//! Asking a wallet to sign typed data, once for each digest.

use super::account::{answered, wallet};
use crate::domain::text::ToText;
use crate::error::{Error, ErrorCode, Result};
use crate::host::{Host, Signal};
use crate::json::{At, Json, array, quoted};
use crate::trade::Client;
use alloy_primitives::{Address, B256};

const METHOD: &str = "eth_signTypedData_v4";

/// Something to be signed.
#[derive(Clone, Copy, Debug)]
pub struct ToSign<'a> {
    /// Whose signature it is.
    pub signer: Address,
    /// What the signature is over.
    pub digest: B256,
    /// The text the wallet is given.
    pub typed_data: &'a str,
}

/// Whether the wallet was asked for this already, and neither refused nor was forgotten.
pub fn is_asked<H: Host>(client: &Client<H>, digest: B256) -> bool {
    client.shared.prompts.borrow().iter().any(|(known, _)| *known == digest)
}

/// The next attempt asks again.
pub fn forget<H: Host>(client: &Client<H>, digest: B256) {
    client.shared.prompts.borrow_mut().retain(|(known, _)| *known != digest);
}

/// Opens the wallet's prompt, or joins the one that is open for that digest, and calls `opened`. Returns the bytes the
/// wallet answered with: none where it did not sign (`null`, an empty text, `0x`), one where it said something else.
///
/// # Errors
/// ABORTED, with which the prompt stays: what is signed there is kept for the next attempt. USER_REJECTED and the wallet's
/// other failures.
pub async fn signature<H: Host>(
    client: &Client<H>,
    asked: &ToSign<'_>,
    signal: &H::Signal,
    opened: &dyn Fn(),
) -> Result<Vec<u8>> {
    let prompts = &client.shared.prompts;
    let open = prompts.borrow().iter().find(|(known, _)| *known == asked.digest).map(|(_, prompt)| prompt.clone());
    let prompt = match open {
        Some(prompt) => prompt,
        None => {
            if signal.is_aborted() {
                return Err(Error::aborted());
            }
            let params = array(&[&quoted(&asked.signer.text()), &quoted(asked.typed_data)]);
            let prompt = client.shared.host.ask(wallet(client)?, METHOD, &params);
            prompts.borrow_mut().push((asked.digest, prompt.clone()));
            prompt
        }
    };
    opened();
    match answered(client, "wallet", METHOD, &prompt, signal).await {
        Ok(Json::Null) => Ok(vec![]),
        Ok(Json::String(text)) if text.is_empty() => Ok(vec![]),
        Ok(answer) => Ok(At::input(&answer, "signature").bytes().unwrap_or_else(|_| vec![0])),
        Err(error) => {
            if error.code != ErrorCode::Aborted {
                forget(client, asked.digest);
            }
            Err(error)
        }
    }
}
