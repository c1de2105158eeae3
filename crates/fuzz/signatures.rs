//! Signatures: only one form of each is taken, and who signed is who the curve's own crate says.

use alloy_primitives::{Address, B256, U256, keccak256};
use k256::ecdsa::{RecoveryId, Signature, SigningKey, VerifyingKey};
use verify::internal::domain::signature::{compact, plain, recover};

pub fn run(data: &[u8]) {
    let (digest, bytes) = data.split_at(data.len().min(32));
    let digest = keccak256(digest);
    if let Ok(form) = compact(bytes) {
        assert_eq!(recover(&form, digest).ok(), elsewhere(&form, digest));
        assert_eq!(compact(&form), Ok(form));
        assert_eq!(compact(&plain(&form)), Ok(form));
    }
    // A real one, with what is left of the input laid over it.
    let key = SigningKey::from_slice(keccak256(bytes).as_slice()).expect("a key");
    let (signature, parity) = key.sign_prehash_recoverable(digest.as_slice()).expect("a signature");
    let mut signed = [&signature.to_bytes()[..], &[27 + parity.to_byte()]].concat();
    let honest = compact(&signed).expect("of 65 bytes");
    assert_eq!(recover(&honest, digest), Ok(address(key.verifying_key())));
    for (byte, change) in signed.iter_mut().zip(bytes) {
        *byte ^= change;
    }
    if let Ok(form) = compact(&signed) {
        let signer = recover(&form, digest);
        assert_eq!(signer.ok(), elsewhere(&form, digest));
        assert_eq!(signer == Ok(address(key.verifying_key())), form == honest, "one signature has one form");
    }
}

fn address(key: &VerifyingKey) -> Address {
    Address::from_raw_public_key(&key.to_encoded_point(false).as_bytes()[1..])
}

/// The signer, by the curve's own crate.
fn elsewhere(compact: &[u8; 64], digest: B256) -> Option<Address> {
    let mut plain = *compact;
    plain[32] &= 0x7F;
    let signature = Signature::from_slice(&plain).ok()?;
    let id = RecoveryId::new(U256::from_be_slice(&compact[32..]).bit(255), false);
    VerifyingKey::recover_from_prehash(digest.as_slice(), &signature, id).ok().map(|key| address(&key))
}
