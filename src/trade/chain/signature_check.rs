//! Whether a signature is its owner's, and in which form the owner's account takes it.
//!
//! An account without code has a key. One with code, a smart account or a key's account that delegates to one
//! (EIP-7702), is asked itself (EIP-1271): the contract that settles asks it the same question with the very bytes that
//! are posted.

use crate::client::Client;
use crate::domain::abi::{Part, call};
use crate::domain::signature::{self, SignatureError};
use crate::domain::text::ToText;
use crate::error::{Error, ErrorCode, Result};
use crate::host::Host;
use crate::wallet::reads::{Chain, Read};
use alloy_primitives::{Address, B256, U256, hex};
use alloy_sol_types::{SolCall, sol};

// Its selector is also the answer that means yes (EIP-1271).
sol! {
    function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4);
}

/// Bytes of code of a key's account that delegates (EIP-7702): its key still signs, on every chain.
pub const DELEGATION_CODE_SIZE: u64 = 23;
/// What an account that is not there yet ends its signatures with (ERC-6492).
const ERC6492_SUFFIX: [u8; 32] = hex!("6492649264926492649264926492649264926492649264926492649264926492");

/// The form in which a signature is passed on. For Delta: the compact one (ERC-2098) where the owner has no code; where
/// it has, the wallet's own bytes, else the compact ones, whichever the owner's code accepts. The RFQ contract looks
/// for a key first: with `key_first` 65 bytes of a key, else the bytes as they are, if the owner's code accepts them.
///
/// # Errors
/// SIGNATURE_MISMATCH where it is not the owner's; UNSUPPORTED_ACCOUNT where it is one of an account that has yet to be
/// deployed; the RPC's failure where only the chain could tell.
pub async fn accepted_form<H: Host>(
    client: &Client<H>,
    chain_id: u64,
    owner: Address,
    digest: B256,
    bytes: &[u8],
    key_first: bool,
    signal: &H::Signal,
) -> Result<Vec<u8>> {
    let by_key = verify_key_signature(owner, digest, bytes);
    match &by_key {
        Ok(compact) if key_first => return Ok(signature::plain(compact).to_vec()),
        Err(error) if bytes.is_empty() => return Err(error.clone()),
        _ => {}
    }
    let place = match Chain::need(client, chain_id, signal).await {
        Ok(chain) => chain.read(Read::code_size(&owner)).await.map(|size| (chain, size)),
        Err(error) => Err(error),
    };
    let (chain, size) = match (place, &by_key) {
        (Ok(found), _) => found,
        // A key's signature is one whether or not the chain can be read.
        (Err(_), Ok(compact)) => return Ok(compact.to_vec()),
        (Err(error), Err(_)) => return Err(error),
    };
    if size == 0 {
        if bytes.ends_with(&ERC6492_SUFFIX) {
            let message =
                [&owner.text(), " is not deployed yet, and nothing here can wait for that: send its first transaction"];
            return Err(Error::new(ErrorCode::UnsupportedAccount, &message.concat()));
        }
        return by_key.map(|compact| compact.to_vec());
    }
    let mut cause = None;
    let compact = by_key.as_ref().ok().map(|compact| &compact[..]).filter(|compact| *compact != bytes);
    for form in [Some(bytes), compact].into_iter().flatten() {
        match ask_owner_code(&chain, owner, digest, form).await {
            Ok(true) => return Ok(form.to_vec()),
            Ok(false) => {}
            // Code that does not know the question reverts, or answers with nothing. A node that is out of breath says
            // neither.
            Err(error) if error.reverted || error.code == ErrorCode::InvalidInput => {
                cause = error.cause.clone();
            }
            Err(error) => return Err(error),
        }
    }
    let expected = match key_first {
        true => "one that the owner's code accepts (EIP-1271)",
        false => "one that the owner's code accepts (EIP-1271); submit with preSign asks it on chain instead",
    };
    Err(refused(expected, &hex::encode_prefixed(bytes)).caused_by(cause))
}

/// The compact form of a signature by the owner's key.
pub fn verify_key_signature(owner: Address, digest: B256, bytes: &[u8]) -> Result<[u8; 64]> {
    let compact = signature::compact(bytes).map_err(|why| broken(bytes, why))?;
    let signer = signature::recover(&compact, digest).map_err(|why| broken(bytes, why))?;
    if signer != owner {
        return Err(refused(&["one by ", &owner.text()].concat(), &["one by ", &signer.text()].concat()));
    }
    Ok(compact)
}

/// Asks the owner's code.
async fn ask_owner_code<H: Host>(chain: &Chain<'_, H>, owner: Address, digest: B256, form: &[u8]) -> Result<bool> {
    let data = call(isValidSignatureCall::SELECTOR, &[Part::Word(digest), Part::Bytes(form)]);
    let yes = U256::from_be_bytes(B256::right_padding_from(&isValidSignatureCall::SELECTOR).0);
    Ok(chain.read(Read::word(&owner, &data)).await? == yes)
}

fn broken(bytes: &[u8], why: SignatureError) -> Error {
    refused(why.expected(), &hex::encode_prefixed(bytes))
}

fn refused(expected: &str, actual: &str) -> Error {
    Error::at(ErrorCode::SignatureMismatch, "the wallet's ", "signature", expected, actual)
}
