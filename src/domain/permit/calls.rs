//! The calls of tokens and of Permit2 that a permit needs.

use super::{Grant, PermitKind};
use crate::domain::abi::{Part, call};
use alloy_primitives::{Address, U256};

/// `DOMAIN_SEPARATOR()`.
pub const DOMAIN_SEPARATOR: [u8; 4] = [0x36, 0x44, 0xe5, 0x15];
/// `eip712Domain()` (EIP-5267).
pub const EIP712_DOMAIN: [u8; 4] = [0x84, 0xb0, 0x19, 0x6e];
/// `name()`.
pub const NAME: [u8; 4] = [0x06, 0xfd, 0xde, 0x03];
/// `version()`.
pub const VERSION: [u8; 4] = [0x54, 0xfd, 0x4d, 0x50];
/// `PERMIT_TYPEHASH()`.
pub const PERMIT_TYPEHASH: [u8; 4] = [0x30, 0xad, 0xf8, 0x1f];

/// `nonces(owner)`.
pub fn nonces(owner: Address) -> Vec<u8> {
    call([0x7e, 0xce, 0xbe, 0x00], &[owner.into()])
}

/// Permit2's `allowance(owner, token, spender)`: amount, expiration, nonce.
pub fn allowance(owner: Address, token: Address, spender: Address) -> Vec<u8> {
    call([0x92, 0x7d, 0xa1, 0x05], &[owner.into(), token.into(), spender.into()])
}

/// Permit2's `permitTransferFrom`: moves that much to the spender.
pub fn transfer(grant: &Grant, requested: U256, signature: &[u8]) -> Vec<u8> {
    let (token, amount, nonce) = (grant.token.into(), grant.amount.into(), grant.nonce.into());
    let (until, to, owner) = (U256::from(grant.deadline).into(), grant.spender.into(), grant.owner.into());
    let parts = [token, amount, nonce, until, to, requested.into(), owner, Part::Bytes(signature)];
    call([0x30, 0xf2, 0x8b, 0x7a], &parts)
}

/// The call that uses a permit of these bytes with that signature, and whether it is the spender's to make; `None` where
/// there is nothing to use.
pub fn using(grant: &Grant, bytes: &[u8], signature: &[u8]) -> Option<(Vec<u8>, bool)> {
    let deadline = U256::from(grant.deadline);
    let (owner, token, spender) = (grant.owner.into(), grant.token.into(), Part::from(grant.spender));
    let (amount, nonce, until) = (grant.amount.into(), grant.nonce.into(), Part::from(deadline));
    Some(match grant.kind {
        PermitKind::Eip2612 => ([&[0xd5, 0x05, 0xac, 0xcf], bytes].concat(), false),
        PermitKind::Dai => ([&[0x8f, 0xcb, 0xaf, 0x0c], bytes].concat(), false),
        PermitKind::Permit2Allowance => {
            let parts = [owner, token, amount, until, nonce, spender, deadline.into(), Part::Bytes(signature)];
            (call([0x2b, 0x67, 0xb5, 0x70], &parts), false)
        }
        // Of nothing: the signature is checked before tokens are moved.
        PermitKind::Permit2Transfer => (transfer(grant, U256::ZERO, signature), true),
        PermitKind::Permit2Existing => return None,
    })
}
