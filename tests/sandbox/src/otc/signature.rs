//! Whether a maker signed.

use alloy_primitives::{Address, B256, Signature};

use super::abi::IEip1271;
use crate::chain::{Chain, RpcError};
use crate::order::recover_owner;

/// A contract's answer to a valid signature (EIP-1271).
const MAGIC: [u8; 4] = [0x16, 0x26, 0xba, 0x7e];

/// By the maker's key in 64 or 65 bytes, else by the maker's code.
///
/// # Errors
/// When the node does not answer.
pub async fn is_makers(chain: &Chain, maker: Address, digest: B256, signature: &[u8]) -> Result<bool, RpcError> {
    if recovered(digest, signature) == Some(maker) {
        return Ok(true);
    }
    if !chain.has_code(maker).await? {
        return Ok(false);
    }
    let call = IEip1271::isValidSignatureCall { digest, signature: signature.to_vec().into() };
    match chain.read(maker, call).await {
        Ok(answer) => Ok(answer.0 == MAGIC),
        // It reverted, or answered with something else than four bytes.
        Err(_) => Ok(false),
    }
}

fn recovered(digest: B256, signature: &[u8]) -> Option<Address> {
    if signature.len() == 64 {
        return recover_owner(digest, signature).ok();
    }
    // The contract accepts 27 or 28 as the last byte, not 0 or 1.
    let (65, 27 | 28) = (signature.len(), signature.last()?) else { return None };
    let signature = Signature::from_raw(signature).ok().filter(|signature| signature.normalize_s().is_none())?;
    signature.recover_address_from_prehash(&digest).ok()
}
