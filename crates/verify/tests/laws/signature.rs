//! Laws of signatures: every form of one signature is the same compact one, and it recovers to who signed.

use alloy_primitives::{Address, B256, U256, keccak256};
use k256::ecdsa::{RecoveryId, Signature, SigningKey, VerifyingKey};
use proptest::prelude::*;
use verified_swap_verify::internal::domain::signature::{SignatureError, compact, recover};

/// The order of secp256k1.
const ORDER: U256 = U256::from_limbs([0xBFD2_5E8C_D036_4141, 0xBAAE_DCE6_AF48_A03B, 0xFFFF_FFFF_FFFF_FFFE, u64::MAX]);

fn key() -> impl Strategy<Value = SigningKey> {
    any::<[u8; 32]>().prop_filter_map("a key is below the curve's order", |bytes| SigningKey::from_slice(&bytes).ok())
}

/// `r ‖ s ‖ v` with v of 27 or 28, as wallets write it, made by the curve's own crate.
fn sign(key: &SigningKey, digest: B256) -> [u8; 65] {
    let (signature, parity) = key.sign_prehash_recoverable(digest.as_slice()).unwrap();
    let mut bytes = [0u8; 65];
    bytes[..64].copy_from_slice(&signature.to_bytes());
    bytes[64] = 27 + parity.to_byte();
    bytes
}

fn owner(key: &SigningKey) -> Address {
    address(key.verifying_key())
}

fn address(key: &VerifyingKey) -> Address {
    let point = key.to_encoded_point(false);
    Address::from_slice(&keccak256(&point.as_bytes()[1..])[12..])
}

/// The signer, by the curve's own crate.
fn recovered_elsewhere(compact: &[u8; 64], digest: B256) -> Option<Address> {
    let mut body = *compact;
    let odd = body[32] & 0x80 != 0;
    body[32] &= 0x7f;
    let signature = Signature::from_slice(&body).ok()?;
    let key = VerifyingKey::recover_from_prehash(digest.as_slice(), &signature, RecoveryId::new(odd, false)).ok()?;
    Some(address(&key))
}

/// Numbers at which arithmetic goes wrong first, and any others.
fn scalar() -> impl Strategy<Value = U256> {
    let near = |value: U256| prop_oneof![Just(value - U256::from(1)), Just(value), Just(value + U256::from(1))];
    prop_oneof![
        6 => any::<[u8; 32]>().prop_map(U256::from_be_bytes),
        1 => (0u64..5).prop_map(U256::from),
        1 => near(ORDER),
        1 => near(ORDER >> 1),
        1 => Just(U256::MAX),
    ]
}

proptest! {
    #[test]
    fn every_form_of_a_signature_recovers_to_the_signer(key in key(), digest in any::<[u8; 32]>()) {
        let digest = B256::from(digest);
        let full = sign(&key, digest);
        let short = compact(&full).unwrap();
        let mut zero_based = full;
        zero_based[64] -= 27;
        prop_assert_eq!(compact(&zero_based), Ok(short));
        prop_assert_eq!(compact(&short), Ok(short));
        prop_assert_eq!(recover(&short, digest), Ok(owner(&key)));
    }

    #[test]
    fn another_digest_another_parity_or_one_changed_bit_is_another_signer(
        key in key(), digest in any::<[u8; 32]>(), at in 0usize..64, bit in 0u32..8,
    ) {
        let digest = B256::from(digest);
        let short = compact(&sign(&key, digest)).unwrap();
        prop_assert_ne!(recover(&short, B256::from(U256::from_be_bytes(digest.0).wrapping_add(U256::from(1)))), Ok(owner(&key)));
        let mut changed = short;
        changed[at] ^= 1 << bit;
        if let Ok(form) = compact(&changed) {
            prop_assert_ne!(recover(&form, digest), Ok(owner(&key)));
        }
    }

    #[test]
    fn recovery_agrees_with_the_curves_own_crate(r in scalar(), s in scalar(), odd in any::<bool>(), digest in scalar()) {
        let mut bytes = [0u8; 65];
        bytes[..32].copy_from_slice(&r.to_be_bytes::<32>());
        bytes[32..64].copy_from_slice(&s.to_be_bytes::<32>());
        bytes[64] = u8::from(odd);
        let digest = B256::from(digest);
        match compact(&bytes) {
            Ok(form) => prop_assert_eq!(recover(&form, digest).ok(), recovered_elsewhere(&form, digest)),
            Err(error) => {
                prop_assert_eq!(error, SignatureError::HighS);
                prop_assert!(s > ORDER >> 1);
            }
        }
    }

    #[test]
    fn s_in_the_upper_half_is_refused_though_the_curve_would_take_it(key in key(), digest in any::<[u8; 32]>()) {
        let full = sign(&key, B256::from(digest));
        let s = U256::from_be_slice(&full[32..64]);
        let mut mirrored = full;
        mirrored[32..64].copy_from_slice(&(ORDER - s).to_be_bytes::<32>());
        mirrored[64] = if full[64] == 27 { 28 } else { 27 };
        prop_assert_eq!(compact(&mirrored), Err(SignatureError::HighS));
    }

    #[test]
    fn any_other_v_is_refused(key in key(), digest in any::<[u8; 32]>(), v in any::<u8>().prop_filter("a known v", |v| ![0, 1, 27, 28].contains(v))) {
        let mut full = sign(&key, B256::from(digest));
        full[64] = v;
        prop_assert_eq!(compact(&full), Err(SignatureError::Parity));
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), digest in any::<[u8; 32]>()) {
        match compact(&bytes) {
            Ok(form) => {
                let _ = recover(&form, B256::from(digest));
            }
            Err(error) if bytes.is_empty() => prop_assert_eq!(error, SignatureError::Empty),
            Err(error) => prop_assert_eq!(error == SignatureError::Length, ![64, 65].contains(&bytes.len())),
        }
    }
}

#[test]
fn s_of_half_the_order_passes_and_one_more_does_not() {
    let half: U256 = ORDER >> 1;
    let mut bytes = [1u8; 65];
    bytes[64] = 27;
    bytes[32..64].copy_from_slice(&half.to_be_bytes::<32>());
    assert!(compact(&bytes).is_ok());
    bytes[32..64].copy_from_slice(&(half + U256::from(1)).to_be_bytes::<32>());
    assert_eq!(compact(&bytes), Err(SignatureError::HighS));
    let mut short = [1u8; 64];
    short[32..].copy_from_slice(&(half + U256::from(1)).to_be_bytes::<32>());
    assert_eq!(compact(&short), Err(SignatureError::HighS));
}

#[test]
fn impossible_signatures_do_not_recover() {
    let digest = B256::repeat_byte(7);
    let mut zero_r = [1u8; 64];
    zero_r[..32].fill(0);
    let mut zero_s = [1u8; 64];
    zero_s[32..].fill(0);
    let mut large_r = [1u8; 64];
    large_r[..32].copy_from_slice(&ORDER.to_be_bytes::<32>());
    for bytes in [zero_r, zero_s, large_r] {
        assert_eq!(compact(&bytes).and_then(|form| recover(&form, digest)), Err(SignatureError::Unrecoverable));
    }
}
