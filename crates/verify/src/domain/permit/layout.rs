//! A permit as bytes in an order or in calldata. The contract recognises its kind by the length alone (docs/sandbox.md,
//! "The service" and "Market": permit).
//!
//! | bytes | content |
//! |---|---|
//! | 1 | `0x01`: use the allowance that Permit2 has |
//! | 96 | nonce, compact signature; the contract takes the rest of the signed struct from the order |
//! | 192 | amount, nonce, expiration, signature deadline, compact signature |
//! | 224 | EIP-2612: owner, spender, value, deadline, v, r, s |
//! | more | the router alone: arguments of Permit2's `permitTransferFrom`, in place of the 96 |

use super::{Grant, PermitKind, calls};
use crate::domain::chain::Protocol;
use crate::domain::signature::plain;
use alloy_primitives::{Address, U256};

/// The bytes of a permit for the contract of a protocol, with its signature in compact form (ERC-2098).
///
/// ```
/// use verified_swap_verify::internal::domain::chain::Protocol;
/// use verified_swap_verify::internal::domain::permit::{Grant, PermitKind, layout::encode};
/// let length = |kind| encode(&Grant { kind, ..Grant::default() }, &[0; 64], Protocol::Delta).len();
/// assert_eq!([length(PermitKind::Permit2Transfer), length(PermitKind::Eip2612)], [96, 224]);
/// ```
pub fn encode(grant: &Grant, compact: &[u8; 64], protocol: Protocol) -> Vec<u8> {
    if grant.kind == PermitKind::Permit2Transfer && protocol == Protocol::Market {
        // The router overwrites recipient, amount and owner.
        return calls::transfer(grant, grant.amount, &plain(compact)).split_off(4);
    }
    let deadline = &U256::from(grant.deadline);
    let (owner, spender) = (&word(grant.owner), &word(grant.spender));
    let words: &[&U256] = match grant.kind {
        PermitKind::Permit2Existing => return vec![1],
        PermitKind::Permit2Transfer => &[&grant.nonce],
        PermitKind::Permit2Allowance => &[&grant.amount, &grant.nonce, deadline, deadline],
        PermitKind::Eip2612 => &[owner, spender, &grant.amount, deadline],
    };
    let mut bytes = Vec::new();
    for word in words {
        bytes.extend_from_slice(&word.to_be_bytes::<32>());
    }
    if !grant.kind.by_permit2() {
        let signature = plain(compact);
        let (body, v) = signature.split_at(64);
        bytes.extend_from_slice(&[0; 31]);
        bytes.extend_from_slice(v);
        bytes.extend_from_slice(body);
    } else {
        bytes.extend_from_slice(compact);
    }
    bytes
}

/// An address as a word.
fn word(address: Address) -> U256 {
    U256::from_be_bytes(address.into_word().0)
}
