//! Asking a wallet to sign typed data, once for each digest.

use super::prompt::{Question, once};
use crate::client::Client;
use crate::domain::text::ToText;
use crate::error::Result;
use crate::host::Host;
use crate::json::{Json, JsonAt, array, quoted};
use alloy_primitives::{Address, B256};

pub use super::prompt::{forget, is_asked};

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

/// Opens the wallet's prompt where that is allowed, or joins the one that is open for that digest, and calls `opened`.
/// Returns the bytes the wallet answered with: none where it did not sign (`null`, an empty text, `0x`), one where it said
/// something else. `None` where there was nothing to join, as [`once`].
///
/// # Errors
/// ABORTED, with which the prompt stays: what is signed there is kept for the next attempt. USER_REJECTED and the wallet's
/// other failures.
pub async fn signature<H: Host>(
    client: &Client<H>,
    asked: &ToSign<'_>,
    may_open: bool,
    signal: &H::Signal,
    opened: &dyn Fn(),
) -> Result<Option<Vec<u8>>> {
    let params = array(&[&quoted(&asked.signer.text()), &quoted(asked.typed_data)]);
    let question = Question { key: asked.digest, method: METHOD, params: &params };
    let answer = once(client, &question, may_open, signal, opened).await?;
    Ok(answer.map(|answer| match answer {
        Json::Null => vec![],
        Json::String(text) if text.is_empty() => vec![],
        answer => JsonAt::input(&answer, "signature").bytes().unwrap_or_else(|_| vec![0]),
    }))
}
