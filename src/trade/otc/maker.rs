//! Whether a signature is the maker's, as the RFQ contract asks: a key's first, then the word of the maker's code.

use crate::client::Client;
use crate::domain::signature::plain;
use crate::error::{ErrorCode, Result};
use crate::host::Host;
use crate::trade::owner::{approves, by_key};
use crate::wallet::reads::{Chain, Read};
use alloy_primitives::{Address, B256};

/// The form in which a maker's signature is passed on: 65 bytes of a key, or what the maker's code takes as it is.
///
/// # Errors
/// SIGNATURE_MISMATCH where it is not the maker's; the RPC's failure where only the chain could tell.
pub async fn accepted<H: Host>(
    client: &Client<H>,
    chain_id: u64,
    maker: Address,
    digest: B256,
    bytes: &[u8],
    signal: &H::Signal,
) -> Result<Vec<u8>> {
    let refused = match by_key(maker, digest, bytes) {
        Ok(compact) => return Ok(plain(&compact).to_vec()),
        Err(error) if bytes.is_empty() => return Err(error),
        Err(error) => error,
    };
    let chain = Chain::need(client, chain_id, signal).await?;
    if chain.read(Read::CodeSize(&maker)).await?.is_zero() {
        return Err(refused);
    }
    match approves(&chain, maker, digest, bytes).await {
        Ok(true) => Ok(bytes.to_vec()),
        // Code that does not know the question answers with a failure, or with nothing.
        Ok(false) => Err(refused),
        Err(error) if [ErrorCode::WalletFailed, ErrorCode::InvalidInput].contains(&error.code) => Err(refused),
        Err(error) => Err(error),
    }
}
