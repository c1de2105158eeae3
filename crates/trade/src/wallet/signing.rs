//! Asks a wallet to sign typed data (EIP-712, <https://eips.ethereum.org/EIPS/eip-712>), once for each digest.
//!
//! Whether the answer is a signature of the owner is not checked here: `domain::signature` and
//! `trade::chain::signature_check` do that.

use super::confirm::PromptPermission;
use super::prompt::{PromptRequest, once};
use crate::client::Client;
use crate::host::Host;
use alloy_primitives::{Address, B256, hex};
use verify::internal::error::Result;
use verify::internal::json::{Json, array, quoted};
use verify::internal::value::text::ToText;

pub use super::prompt::{forget, is_asked, is_own_asked};

const METHOD: &str = "eth_signTypedData_v4";

/// Typed data to be signed.
#[derive(Clone, Copy, Debug)]
pub struct ToSign<'a> {
    /// The account that signs.
    pub signer: Address,
    /// The EIP-712 digest, computed here, which is also the prompt's key.
    pub digest: B256,
    /// The typed data as JSON text, as the wallet shows and hashes it.
    pub typed_data: &'a str,
}

/// Requests a signature as [`once`] does, which explains `permission`, `opened` and `None`.
///
/// Returns the bytes of the wallet's answer, in the forms of wallets: hex, also quoted, without `0x`, or as `{ result }`. No
/// bytes if it did not sign (`null`, an empty string, `0x`), and a single one, which is no signature, for anything else.
///
/// # Errors
/// The errors of [`once`].
pub async fn signature<H: Host>(
    client: &Client<H>,
    asked: &ToSign<'_>,
    permission: Option<PromptPermission>,
    signal: &H::Signal,
    opened: &dyn Fn(),
) -> Result<Option<Vec<u8>>> {
    let params = array(&[&quoted(&asked.signer.text()), &quoted(asked.typed_data)]);
    let question = PromptRequest { key: asked.digest, method: METHOD, params: &params, batch: None };
    let answer = once(client, &question, permission, signal, opened).await?;
    Ok(answer.map(|(answer, _)| match answer.get("result").unwrap_or(&answer) {
        Json::Null => vec![],
        Json::String(text) => {
            let text = text.trim_matches('"');
            let digits = text.strip_prefix("0x").unwrap_or(text);
            hex::decode(digits).unwrap_or_else(|_| vec![0])
        }
        _ => vec![0],
    }))
}
