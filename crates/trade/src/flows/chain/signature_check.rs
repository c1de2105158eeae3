//! Whether a signature is the owner's, and in which form the owner's account accepts it.
//!
//! An account without code has a key, and the signature has to recover to it. An account with code, a smart account or
//! one that delegates to it (EIP-7702, <https://eips.ethereum.org/EIPS/eip-7702>), is asked itself (EIP-1271,
//! <https://eips.ethereum.org/EIPS/eip-1271>): the settling contract makes the same call, with the very bytes that are
//! posted. This refuses the signature of a wallet that signs for another account, or something else than what it was
//! shown. See "Owners with code" in docs/verification.md.

use crate::client::Client;
use crate::host::Host;
use crate::wallet::batch::Together;
use crate::wallet::chain::{Chain, retry_fresh};
use crate::wallet::reads::Read;
use alloy_primitives::{Address, B256, U256, hex};
use alloy_sol_types::{SolCall, sol};
use verify::internal::domain::abi::{Part, call};
use verify::internal::domain::signature::{self, refused, verify_key_signature};
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::value::text::ToText;

// The function's selector is also the answer that means yes (EIP-1271).
sol! {
    function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4);
}

/// The code size of an account that delegates (EIP-7702): 0xef0100 and the delegate's address. Its key still signs, on
/// every chain.
pub const DELEGATION_CODE_SIZE: u64 = 23;
/// The last 32 bytes of a signature by an account that is not deployed yet (ERC-6492,
/// <https://eips.ethereum.org/EIPS/eip-6492>).
const ERC6492_SUFFIX: [u8; 32] = hex!("6492649264926492649264926492649264926492649264926492649264926492");

/// Verifies a signature of `digest`, and returns the bytes in which it is posted.
///
/// - Delta, owner without code: the compact form (EIP-2098, <https://eips.ethereum.org/EIPS/eip-2098>), 64 bytes.
/// - Delta, owner with code: the wallet's own bytes, else the compact form, whichever the code accepts.
/// - `key_first`, for the RFQ contract, which tries a key first: 65 bytes if the key is the owner's, else the bytes as
///   they are, if the owner's code accepts them.
///
/// If the chain cannot be read, a signature by the owner's key is still accepted.
///
/// # Errors
/// SIGNATURE_MISMATCH if it is not the owner's; UNSUPPORTED_ACCOUNT if the account that signed has yet to be deployed;
/// the RPC's failure if only the chain could decide.
pub async fn accepted_form<H: Host>(
    client: &Client<H>,
    chain_id: u64,
    owner: Address,
    digest: B256,
    bytes: &[u8],
    key_first: bool,
    signal: &H::Signal,
) -> Result<Vec<u8>> {
    // Uses the owner's code as read before the prompt, and reads it again before it refuses.
    retry_fresh(&client.shared, chain_id, signal, async || {
        let by_key = verify_key_signature(owner, digest, bytes);
        match &by_key {
            Ok(compact) if key_first => return Ok(signature::plain(compact).to_vec()),
            Err(error) if bytes.is_empty() => return Err(error.clone()),
            _ => {}
        }
        let place = match Chain::need(client, chain_id, signal).await {
            Ok(chain) => chain.read(Read::code_size(&owner).lasting()).await.map(|size| (chain, size)),
            Err(error) => Err(error),
        };
        let (chain, size) = match (place, &by_key) {
            (Ok(found), _) => found,
            // The key can be compared without the chain.
            (Err(_), Ok(compact)) => return Ok(compact.to_vec()),
            (Err(error), Err(_)) => return Err(error),
        };
        if size == 0 {
            if bytes.ends_with(&ERC6492_SUFFIX) {
                let message = [&owner.text(), " is not deployed yet: deploy it first, by its first transaction"];
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
                // Code without that function reverts, or answers with nothing. A node that fails does neither.
                Err(error) if error.reverted || error.code == ErrorCode::InvalidInput => cause = error.cause.clone(),
                Err(error) => return Err(error),
            }
        }
        Err(not_accepted(bytes, key_first).caused_by(cause))
    })
    .await
}

/// SIGNATURE_MISMATCH for a signature that the owner's code does not accept.
fn not_accepted(bytes: &[u8], key_first: bool) -> Error {
    let expected = match key_first {
        true => "one that the owner's code accepts (EIP-1271)",
        false => "one that the owner's code accepts (EIP-1271); submit with preSign asks it on chain instead",
    };
    refused(expected, &hex::encode_prefixed(bytes))
}

/// Whether an account has code: it is a contract, or its key delegates to one (EIP-7702), so others may send for it.
///
/// # Errors
/// The RPC's failure.
pub async fn has_code<H: Host>(chain: &Chain<'_, H>, account: Address) -> Result<bool> {
    Ok(chain.read(Read::code_size(&account).lasting()).await? != 0)
}

/// Whether an account is known to have code, from reads of the last hour. Reads nothing itself.
pub async fn knows_code<H: Host>(chain: &Chain<'_, H>, account: Address) -> bool {
    let code = Read::code_size(&account).lasting();
    chain.is_known(&code) && chain.read(code).await.is_ok_and(|size| size != 0)
}

/// Whether an account is a contract: it has code, and no key of its own sends for it.
///
/// # Errors
/// The RPC's failure.
pub async fn is_contract<H: Host>(chain: &Chain<'_, H>, account: Address) -> Result<bool> {
    let size = chain.read(Read::code_size(&account).lasting()).await?;
    Ok(size != 0 && size != DELEGATION_CODE_SIZE)
}

/// Whether a wallet that takes calls together gets even one alone in that form: a contract's, which can be asked for by
/// its id only, and one whose gas a paymaster is asked to pay.
pub async fn needs_batch<H: Host>(chain: &Chain<'_, H>, account: Address, together: Together<'_>) -> bool {
    together.is_possible() && (together.paymaster.is_some() || is_contract(chain, account).await.unwrap_or_default())
}

/// Asks the owner's code whether it accepts the signature: `isValidSignature`, EIP-1271.
///
/// # Errors
/// The RPC's failure, with `reverted` if the code reverts.
async fn ask_owner_code<H: Host>(chain: &Chain<'_, H>, owner: Address, digest: B256, form: &[u8]) -> Result<bool> {
    let data = call(isValidSignatureCall::SELECTOR, &[Part::Word(digest), Part::Bytes(form)]);
    let yes = U256::from_be_bytes(B256::right_padding_from(&isValidSignatureCall::SELECTOR).0);
    Ok(chain.read(Read::word(&owner, &data).named("isValidSignature")).await? == yes)
}
