//! ECDSA signatures over a digest: 65 bytes as wallets give them, 64 in the compact form of ERC-2098.

use alloy_primitives::{Address, B256, Signature, U256};

/// Half the order of secp256k1: signatures with a larger `s` are refused (EIP-2), as the contract does.
const HALF_ORDER: U256 =
    U256::from_limbs([0xDFE9_2F46_681B_20A0, 0x5D57_6E73_57A4_501D, 0xFFFF_FFFF_FFFF_FFFF, 0x7FFF_FFFF_FFFF_FFFF]);

/// Why bytes are not a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignatureError {
    /// No bytes: the wallet did not sign.
    Empty,
    /// Neither 64 nor 65 bytes.
    Length,
    /// `v` is none of 0, 1, 27, 28.
    Parity,
    /// `s` in the upper half of the curve's order.
    HighS,
    /// No key signs like that.
    Unrecoverable,
}

impl SignatureError {
    /// What was expected, to be read by a person.
    pub fn expected(self) -> &'static str {
        match self {
            SignatureError::Empty => "a signature (the wallet did not sign)",
            SignatureError::Length => "64 or 65 bytes",
            SignatureError::Parity => "v of 0, 1, 27 or 28",
            SignatureError::HighS => "s in the lower half of the curve's order",
            SignatureError::Unrecoverable => "a signature that a key can have made",
        }
    }
}

/// A signature of a known form with `s` in the lower half, in the compact form of ERC-2098: `r`, then `s` with the
/// parity in its top bit.
///
/// # Errors
/// [`SignatureError`].
pub fn compact(bytes: &[u8]) -> Result<[u8; 64], SignatureError> {
    if bytes.is_empty() {
        return Err(SignatureError::Empty);
    }
    let (body, odd) = match (<[u8; 64]>::try_from(bytes), bytes.split_last()) {
        (Ok(body), _) => (body, None),
        (_, Some((v, body))) => {
            let body = <[u8; 64]>::try_from(body).map_err(|_| SignatureError::Length)?;
            match v {
                0 | 27 => (body, Some(false)),
                1 | 28 => (body, Some(true)),
                _ => return Err(SignatureError::Parity),
            }
        }
        _ => return Err(SignatureError::Length),
    };
    let mut compact = body;
    if let (Some(odd), Some(top)) = (odd, compact.get_mut(32)) {
        if *top & 0x80 != 0 {
            return Err(SignatureError::HighS);
        }
        *top |= u8::from(odd) << 7;
    }
    if split(&compact).1 > HALF_ORDER {
        return Err(SignatureError::HighS);
    }
    Ok(compact)
}

/// Who signed the digest.
///
/// # Errors
/// [`SignatureError::Unrecoverable`].
pub fn recover(compact: &[u8; 64], digest: B256) -> Result<Address, SignatureError> {
    let (r, s, odd) = split(compact);
    Signature::new(r, s, odd).recover_address_from_prehash(&digest).map_err(|_| SignatureError::Unrecoverable)
}

fn split(compact: &[u8; 64]) -> (U256, U256, bool) {
    let r = U256::try_from_be_slice(compact.first_chunk::<32>().map_or(&[], |r| r)).unwrap_or_default();
    let vs = U256::try_from_be_slice(compact.last_chunk::<32>().map_or(&[], |s| s)).unwrap_or_default();
    let odd = vs.bit(255);
    let mut s = vs;
    s.set_bit(255, false);
    (r, s, odd)
}
