//! ERC-2098 compact signatures.

use alloy_primitives::{Address, B256, Bytes, Signature, U256, b256};

/// Half the order of secp256k1: the largest s that is accepted (EIP-2).
const HALF_ORDER: B256 = b256!("7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0");

/// Signer of `digest`: r, then s with the parity of y in its top bit.
///
/// # Errors
/// When the signature has not exactly 64 bytes, its s is in the upper half, or no key belongs to it.
pub fn recover_owner(digest: B256, signature: &[u8]) -> Result<Address, String> {
    let (r, tail) = signature
        .split_first_chunk::<32>()
        .filter(|_| signature.len() == 64)
        .ok_or_else(|| format!("a compact signature (ERC-2098) has 64 bytes, this one {}", signature.len()))?;
    let y_parity_and_s = U256::from_be_slice(tail);
    let y_is_odd = y_parity_and_s.bit(255);
    let s = y_parity_and_s & (U256::MAX >> 1);
    if s > U256::from_be_bytes(HALF_ORDER.0) {
        return Err("s is in the upper half".into());
    }
    Signature::new(U256::from_be_bytes(*r), s, y_is_odd)
        .recover_address_from_prehash(&digest)
        .map_err(|error| error.to_string())
}

/// 65 bytes as wallets give them, in 64; anything else as it is.
pub fn compact(signature: Bytes) -> Bytes {
    let Ok(bytes) = <[u8; 65]>::try_from(signature.as_ref()) else { return signature };
    let y_is_odd = match bytes[64] {
        0 | 27 => 0,
        1 | 28 => 0x80,
        _ => return signature,
    };
    let mut short = bytes[..64].to_vec();
    short[32] |= y_is_odd;
    short.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_s_in_the_upper_half_is_refused_at_its_first_value() {
        let with_s = |s: U256| [&[1; 32][..], &s.to_be_bytes::<32>()].concat();
        let half = U256::from_be_bytes(HALF_ORDER.0);
        let refused = |s| recover_owner(B256::repeat_byte(2), &with_s(s)).is_err_and(|why| why.contains("upper half"));
        assert!(refused(half + U256::from(1)) && !refused(half));
        // The top bit is the parity, and no part of it.
        assert!(!refused(half | U256::from(1) << 255));
    }
}
