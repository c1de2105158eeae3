//! Whether the owner of an order signed.

use alloy_primitives::{Address, B256, Bytes, Signature};

use super::Refusal;
use crate::chain::Chain;
use crate::json::read_hex;
use crate::order::recover_owner;

/// Forms taken from owners without code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// 64 bytes, as the contract wants them.
    Compact,
    /// 65 bytes too: nothing on chain will see them.
    Any,
}

/// `0x`-prefixed hex.
pub fn read(text: &str) -> Result<Bytes, Refusal> {
    read_hex(text).ok_or_else(|| refusal("it is not 0x-prefixed hex"))
}

/// Owners without code are known by their key; owners with code are asked (EIP-1271) with the bytes as they came.
pub async fn require_signature(
    chain: &Chain,
    owner: Address,
    hash: B256,
    signature: &Bytes,
    form: Form,
) -> Result<(), Refusal> {
    if chain.has_code(owner).await? {
        let signed = chain.is_contracts_signature(owner, hash, signature).await?;
        return if signed { Ok(()) } else { Err(refusal("the owner's code does not know it (EIP-1271)")) };
    }
    let signer = match form {
        Form::Any if signature.len() == 65 => Signature::from_raw(signature)
            .and_then(|signature| signature.recover_address_from_prehash(&hash))
            .map_err(|error| refusal(&error.to_string()))?,
        _ => recover_owner(hash, signature).map_err(|error| refusal(&error))?,
    };
    if signer == owner { Ok(()) } else { Err(refusal("it does not recover to the owner")) }
}

fn refusal(why: &str) -> Refusal {
    Refusal::new(400, "InvalidSignature", format!("Invalid signature: {why}"))
}
