//! ECDSA signatures over a digest: 65 bytes as wallets return them, 64 in the compact form of ERC-2098
//! (<https://eips.ethereum.org/EIPS/eip-2098>), and the recovery of their signer.
//!
//! Recovery is written here on the bare curve: the library's layer for it verifies a second time and brings DER
//! encoding, 25 KB. Nothing here is secret, so nothing needs constant time. Signatures of accounts with code (EIP-1271)
//! are another matter: the account judges them on the chain, and they have any length.

use crate::error::{Error, ErrorCode};
use crate::value::text::ToText;
use alloy_primitives::{Address, B256, Keccak256, U256, hex};
use k256::elliptic_curve::ops::Reduce;
use k256::elliptic_curve::point::{AffineCoordinates, DecompressPoint};
use k256::elliptic_curve::{PrimeField, group::prime::PrimeCurveAffine};
use k256::{AffinePoint, FieldElement, ProjectivePoint, Scalar};
use std::ops::{Add, Mul, Neg};

/// Half the order of secp256k1. A signature with a larger `s` is refused, as the contracts do: each signature has a
/// twin with the other `s`, which EIP-2 (<https://eips.ethereum.org/EIPS/eip-2>) rules out.
const HALF_ORDER: U256 =
    U256::from_limbs([0xDFE9_2F46_681B_20A0, 0x5D57_6E73_57A4_501D, 0xFFFF_FFFF_FFFF_FFFF, 0x7FFF_FFFF_FFFF_FFFF]);

/// Why bytes are refused as a signature of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignatureError {
    /// No bytes at all: the wallet did not sign.
    Empty,
    /// Neither 64 nor 65 bytes: perhaps a signature of an account with code.
    Length,
    /// The last byte, `v`, is none of 0, 1, 27, 28.
    Parity,
    /// `s` is in the upper half of the curve's order.
    HighS,
    /// No key can have made it: `r` or `s` is zero or out of range, or `r` is on no point of the curve.
    Unrecoverable,
}

impl SignatureError {
    /// The right form, in words for the `expected` of an error.
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

/// Reads a signature of 64 or 65 bytes into the compact form of ERC-2098: `r`, then `s` with the parity of `R`'s
/// y-coordinate in its top bit.
///
/// # Errors
/// Any [`SignatureError`] but [`SignatureError::Unrecoverable`].
///
/// ```
/// use verified_swap_verify::internal::domain::signature::{SignatureError, compact, plain};
/// let mut wallets = [1; 65];
/// wallets[64] = 28;
/// let short = compact(&wallets).unwrap();
/// assert_eq!((short[32], plain(&short)), (0x81, wallets));
/// assert_eq!(compact(&[0xFF; 65]), Err(SignatureError::Parity));
/// ```
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
    if is_high(&compact) {
        return Err(SignatureError::HighS);
    }
    Ok(compact)
}

/// A compact signature in the form of 65 bytes: `r`, `s`, and `v` of 27 or 28. The reverse of [`compact`].
pub fn plain(compact: &[u8; 64]) -> [u8; 65] {
    let mut plain = [27; 65];
    for (to, from) in plain.iter_mut().zip(compact) {
        *to = *from;
    }
    let odd = plain.get(32).is_some_and(|top| top & 0x80 != 0);
    for (place, value) in [(32, plain.get(32).copied().unwrap_or_default() & 0x7F), (64, if odd { 28 } else { 27 })] {
        if let Some(byte) = plain.get_mut(place) {
            *byte = value;
        }
    }
    plain
}

/// The signer of the digest `z`: the address of the key `Q = (s R - z G) / r`, where `R` is the curve point with
/// x-coordinate `r`. Any well-formed signature recovers to some address, so the caller compares it with the owner.
///
/// # Errors
/// [`SignatureError::Unrecoverable`], if no key can have made it.
pub fn recover(compact: &[u8; 64], digest: B256) -> Result<Address, SignatureError> {
    point(compact, digest).and_then(address).ok_or(SignatureError::Unrecoverable)
}

/// The key that made the signature, as a point of the curve; `None` if there is none.
fn point(compact: &[u8; 64], digest: B256) -> Option<AffinePoint> {
    let (r_bytes, mut s_bytes) = (*compact.first_chunk::<32>()?, *compact.last_chunk::<32>()?);
    let top = s_bytes.first_mut()?;
    let odd = *top >> 7;
    *top &= 0x7F;
    let nonzero = |bytes: [u8; 32]| {
        let scalar = Option::<Scalar>::from(Scalar::from_repr(bytes.into()))?;
        (!bool::from(scalar.is_zero())).then_some(scalar)
    };
    let (r, s) = (nonzero(r_bytes)?, nonzero(s_bytes)?);
    let z = <Scalar as Reduce<k256::U256>>::reduce_bytes(&digest.0.into());
    let on_curve = Option::<AffinePoint>::from(AffinePoint::decompress(&r_bytes.into(), odd.into()))?;
    let inverse = Option::<Scalar>::from(r.invert())?;
    let (by_generator, by_point) = (inverse.mul(&z).neg(), inverse.mul(&s));
    let q = sum_of_multiples(&by_generator, on_curve.into(), &by_point).to_affine();
    (!bool::from(q.is_identity())).then_some(q)
}

/// `a G + b R`, two bits of both numbers at a time. The numbers are public, so constant time is not needed; the
/// library's constant-time code is three times the size.
fn sum_of_multiples(a: &Scalar, point: ProjectivePoint, b: &Scalar) -> ProjectivePoint {
    // At 4 j + i: i G + j R.
    let mut sums = vec![ProjectivePoint::IDENTITY];
    for index in 1..16_usize {
        let (step, back) = if index % 4 == 0 { (point, 4) } else { (ProjectivePoint::GENERATOR, 1) };
        let before = sums.get(index.saturating_sub(back)).copied().unwrap_or_default();
        sums.push(before.add(&step));
    }
    let mut total = ProjectivePoint::IDENTITY;
    for (a, b) in a.to_bytes().into_iter().zip(b.to_bytes()) {
        for shift in [6, 4, 2, 0] {
            total = total.double().double();
            let index = usize::from((a >> shift) & 3 | ((b >> shift) & 3) << 2);
            if let Some(sum) = sums.get(index).filter(|_| index > 0) {
                total = total.add(sum);
            }
        }
    }
    total
}

/// The address of a key: the last 20 bytes of the hash of its coordinates. The second is computed from the first,
/// because the library's function for it links the encodings of key files, three times this function.
fn address(key: AffinePoint) -> Option<Address> {
    let x_bytes = key.x();
    let x = Option::<FieldElement>::from(FieldElement::from_bytes(&x_bytes))?;
    let square = x.square().mul(&x).add(&FieldElement::from_u64(7)).normalize();
    let root = Option::<FieldElement>::from(square.sqrt())?.normalize();
    let same = bool::from(root.is_odd()) == bool::from(key.y_is_odd());
    let y = if same { root } else { root.negate(1).normalize() };
    let mut hasher = Keccak256::new();
    hasher.update(x_bytes);
    hasher.update(y.to_bytes());
    Some(Address::from_word(hasher.finalize()))
}

/// Whether `s`, without the parity in its top bit, is above half the curve's order.
fn is_high(compact: &[u8; 64]) -> bool {
    let s = compact.last_chunk::<32>().copied().unwrap_or_default();
    let s = U256::from_be_bytes(s) & U256::MAX.wrapping_shr(1);
    s > HALF_ORDER
}

/// The compact form of a signature, if it recovers to `owner`.
///
/// # Errors
/// SIGNATURE_MISMATCH, also if the bytes are no signature at all.
pub fn verify_key_signature(owner: Address, digest: B256, bytes: &[u8]) -> crate::error::Result<[u8; 64]> {
    let form = compact(bytes).map_err(|why| broken(bytes, why))?;
    let signer = recover(&form, digest).map_err(|why| broken(bytes, why))?;
    if signer != owner {
        return Err(refused(&["one by ", &owner.text()].concat(), &["one by ", &signer.text()].concat()));
    }
    Ok(form)
}

/// The error for bytes that are no signature, or one that EIP-2 forbids (`s` in the upper half).
fn broken(bytes: &[u8], why: SignatureError) -> Error {
    refused(why.expected(), &hex::encode_prefixed(bytes))
}

/// The error for a signature that is not the owner's.
pub fn refused(expected: &str, actual: &str) -> Error {
    Error::at(ErrorCode::SignatureMismatch, "the wallet's ", "signature", expected, actual)
}
