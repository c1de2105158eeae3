//! The calls of tokens and of Permit2 that a permit needs: those for the domain and the nonce, and the call that
//! simulates a permit before a trade relies on it.

use super::{Grant, PermitKind};
use crate::domain::abi::{Part, call};
use alloy_primitives::{Address, U256};
use alloy_sol_types::{SolCall, sol};

// Only for the selectors.
mod token {
    super::sol! {
        function DOMAIN_SEPARATOR() view returns (bytes32);
        function PERMIT_TYPEHASH() view returns (bytes32);
        function eip712Domain() view returns (bytes1, string, string, uint256, address, bytes32, uint256[]);
        function name() view returns (string);
        function version() view returns (string);
        function nonces(address owner) view returns (uint256);
        function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s);
    }
}
mod permit2 {
    super::sol! {
        struct PermitDetails { address token; uint160 amount; uint48 expiration; uint48 nonce; }
        struct PermitSingle { PermitDetails details; address spender; uint256 sigDeadline; }
        struct TokenPermissions { address token; uint256 amount; }
        struct PermitTransferFrom { TokenPermissions permitted; uint256 nonce; uint256 deadline; }
        struct TransferDetails { address to; uint256 requestedAmount; }

        function nonceBitmap(address owner, uint256 word) view returns (uint256);
        function allowance(address owner, address token, address spender) view returns (uint160, uint48, uint48);
        function approve(address token, address spender, uint160 amount, uint48 expiration);
        function permit(address owner, PermitSingle permitSingle, bytes signature);
        function permitTransferFrom(
            PermitTransferFrom permit, TransferDetails transferDetails, address owner, bytes signature
        );
    }
}

/// The selector of `DOMAIN_SEPARATOR()` (EIP-2612).
pub const DOMAIN_SEPARATOR: [u8; 4] = token::DOMAIN_SEPARATORCall::SELECTOR;
/// The selector of `eip712Domain()` (EIP-5267, <https://eips.ethereum.org/EIPS/eip-5267>).
pub const EIP712_DOMAIN: [u8; 4] = token::eip712DomainCall::SELECTOR;
/// The selector of `name()`: many tokens use it as the name of their domain.
pub const NAME: [u8; 4] = token::nameCall::SELECTOR;
/// The selector of `version()`, which some tokens have for their domain.
pub const VERSION: [u8; 4] = token::versionCall::SELECTOR;
/// The selector of `PERMIT_TYPEHASH()`, which distinguishes other permits, such as DAI's, from EIP-2612's.
pub const PERMIT_TYPEHASH: [u8; 4] = token::PERMIT_TYPEHASHCall::SELECTOR;

/// Calldata of `nonces(owner)` (EIP-2612): the nonce that the owner's next permit must have.
pub fn nonces(owner: Address) -> Vec<u8> {
    call(token::noncesCall::SELECTOR, &[owner.into()])
}

/// Calldata of Permit2's `nonceBitmap(owner, word)`: a set bit is a used nonce of a permit for one transfer.
pub fn nonce_bitmap(owner: Address, word: U256) -> Vec<u8> {
    call(permit2::nonceBitmapCall::SELECTOR, &[owner.into(), word.into()])
}

/// Calldata of Permit2's `allowance(owner, token, spender)`, which answers amount, expiration and nonce.
pub fn allowance(owner: Address, token: Address, spender: Address) -> Vec<u8> {
    call(permit2::allowanceCall::SELECTOR, &[owner.into(), token.into(), spender.into()])
}

/// Calldata of Permit2's `approve(token, spender, 0, 0)`: the spender may take nothing of the token any more.
pub fn revoke(token: Address, spender: Address) -> Vec<u8> {
    let nothing = || U256::ZERO.into();
    call(permit2::approveCall::SELECTOR, &[token.into(), spender.into(), nothing(), nothing()])
}

/// Calldata of Permit2's `permitTransferFrom`: moves `requested` raw units from the owner to the spender.
pub fn transfer(grant: &Grant, requested: U256, signature: &[u8]) -> Vec<u8> {
    let (token, amount, nonce) = (grant.token.into(), grant.amount.into(), grant.nonce.into());
    let (until, to, owner) = (U256::from(grant.deadline).into(), grant.spender.into(), grant.owner.into());
    let parts = [token, amount, nonce, until, to, requested.into(), owner, Part::Bytes(signature)];
    call(permit2::permitTransferFromCall::SELECTOR, &parts)
}

/// Calldata that uses a permit of these bytes and this signature, and whether only the spender can call it. `None` if
/// nothing is signed. Simulated by `eth_call`, it shows whether the contract accepts the permit.
pub fn use_permit(grant: &Grant, bytes: &[u8], signature: &[u8]) -> Option<(Vec<u8>, bool)> {
    let deadline = U256::from(grant.deadline);
    let (owner, token, spender) = (grant.owner.into(), grant.token.into(), Part::from(grant.spender));
    let (amount, nonce, until) = (grant.amount.into(), grant.nonce.into(), Part::from(deadline));
    Some(match grant.kind {
        PermitKind::Eip2612 => ([&token::permitCall::SELECTOR, bytes].concat(), false),
        PermitKind::Permit2Allowance => {
            let parts = [owner, token, amount, until, nonce, spender, deadline.into(), Part::Bytes(signature)];
            (call(permit2::permitCall::SELECTOR, &parts), false)
        }
        // A transfer of nothing is enough: Permit2 checks the signature before it moves tokens.
        PermitKind::Permit2Transfer => (transfer(grant, U256::ZERO, signature), true),
        PermitKind::Permit2Existing => return None,
    })
}
