//! The answers of a wallet: the owner's signature, or nothing that is posted.

use super::fake_host::{OWNER_KEY, Rig, SELL, Signer, json, text};
use alloy_primitives::{B256, U256, hex};
use verify::internal::error::ErrorCode;

/// The order of secp256k1's group.
const GROUP: &str = "115792089237316195423570985008687907852837564279074904382605163141518161494337";

fn shown(bytes: &[u8]) -> String {
    format!(r#""{}""#, hex::encode_prefixed(bytes))
}

/// The owner's signature with another v.
fn with_v(v: impl Fn(u8) -> u8 + 'static) -> impl FnOnce(&Signer, B256) -> String {
    move |signer, digest| {
        let mut bytes = signer.sign(digest);
        bytes[64] = v(bytes[64] - 27);
        shown(&bytes)
    }
}

fn high_s(signer: &Signer, digest: B256) -> String {
    let mut bytes = signer.sign(digest);
    let s = U256::try_from_be_slice(&bytes[32..64]).unwrap();
    let mirrored = GROUP.parse::<U256>().unwrap() - s;
    bytes[32..64].copy_from_slice(&mirrored.to_be_bytes::<32>());
    bytes[64] = 27 + (28 - bytes[64]);
    shown(&bytes)
}

fn compact(signer: &Signer, digest: B256) -> [u8; 64] {
    let signed = signer.sign(digest);
    let mut compact = [0; 64];
    compact.copy_from_slice(&signed[..64]);
    compact[32] |= (signed[64] - 27) << 7;
    compact
}

#[test]
fn both_spellings_of_v_the_compact_form_and_the_forms_of_wallets_are_signatures() {
    type Form = Box<dyn FnOnce(&Signer, B256) -> String>;
    let quoted = |signer: &Signer, digest| shown(&signer.sign(digest)).trim_matches('"').to_owned();
    let forms: [Form; 6] = [
        Box::new(move |signer, digest| format!(r#""\"{}\"""#, quoted(signer, digest))),
        Box::new(move |signer, digest| format!(r#""{}""#, &quoted(signer, digest)[2..])),
        Box::new(|signer, digest| format!(r#"{{"result":{}}}"#, shown(&signer.sign(digest)))),
        Box::new(with_v(|parity| parity)),
        Box::new(with_v(|parity| parity + 27)),
        Box::new(|signer, digest| shown(&compact(signer, digest))),
    ];
    for form in forms {
        let rig = Rig::default();
        let build = rig.built(SELL).unwrap();
        rig.world.signer.borrow_mut().next_signature(form);
        rig.submit(&build).unwrap();
        let posted = json(&rig.world.posts()[0]);
        let digest = text(&build, "orderHash").parse().unwrap();
        let expected = hex::encode_prefixed(compact(&Signer::new(OWNER_KEY), digest));
        assert_eq!(text(&posted, "signature"), expected);
    }
}

#[test]
fn what_is_not_the_owners_signature_is_not_posted_and_asked_for_again() {
    type Form = Box<dyn FnOnce(&Signer, B256) -> String>;
    let fixed = |text: &'static str| -> Form { Box::new(move |_, _| text.into()) };
    let forms: Vec<(&str, Form)> = vec![
        ("null", fixed("null")),
        ("empty", fixed(r#""""#)),
        ("0x", fixed(r#""0x""#)),
        ("garbage", fixed(r#""signed!""#)),
        ("an object", fixed(r#"{"signature":"0x"}"#)),
        ("a number", fixed("65")),
        ("zeros", Box::new(|_, _| shown(&[0; 65]))),
        ("63 bytes", Box::new(|signer, digest| shown(&compact(signer, digest)[..63]))),
        ("66 bytes", Box::new(|signer, digest| shown(&[&signer.sign(digest)[..], &[0]].concat()))),
        ("v of 2", Box::new(with_v(|parity| parity + 2))),
        ("v of 29", Box::new(with_v(|parity| parity + 29))),
        ("the other v", Box::new(with_v(|parity| 28 - parity))),
        ("high s", Box::new(high_s)),
        ("another key", Box::new(|_, digest| shown(&Signer::new([9; 32]).sign(digest)))),
        ("another digest", Box::new(|signer, _| shown(&signer.sign(B256::repeat_byte(1))))),
    ];
    for (name, form) in forms {
        let rig = Rig::default();
        let build = rig.built(SELL).unwrap();
        rig.world.signer.borrow_mut().next_signature(form);
        let error = rig.submit(&build).expect_err(name);
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::SignatureMismatch, Some("signature")), "{name}");
        assert!(error.signed_order.is_none(), "{name}");
        assert!(rig.world.posts().is_empty(), "{name}");
        rig.submit(&build).unwrap();
        assert_eq!((rig.world.prompts(), rig.world.posts().len()), (2, 1), "{name}");
    }
}

#[test]
fn a_wallet_that_did_not_sign_is_told_from_one_that_signed_something_else() {
    let expected = |answer: &'static str| {
        let rig = Rig::default();
        let build = rig.built(SELL).unwrap();
        rig.world.signer.borrow_mut().next_signature(move |_, _| answer.into());
        rig.submit(&build).unwrap_err().expected.clone().unwrap()
    };
    let unsigned = expected("null");
    assert_eq!(expected(r#""""#), unsigned);
    assert_eq!(expected(r#""0x""#), unsigned);
    assert_ne!(expected(r#""0x01""#), unsigned);
    assert_ne!(expected(r#""signed!""#), unsigned);
}

#[test]
fn a_signature_made_elsewhere_is_checked_and_posted_without_a_wallet() {
    let owner = Rig::default().owner();
    let rig = Rig::with(|_, bound| (bound.wallet, bound.account) = (None, Some(owner)));
    let build = rig.built(SELL).unwrap();
    let digest = text(&build, "orderHash").parse().unwrap();
    let by = |key: [u8; 32]| format!(r#"{{"signature":{}}}"#, shown(&Signer::new(key).sign(digest)));
    let error = rig.submit_with(&build, &by([9; 32])).unwrap_err();
    assert_eq!(error.code, ErrorCode::SignatureMismatch);
    assert!(rig.world.posts().is_empty());
    let error = rig.submit_with(&build, r#"{"signature":"0x1"}"#).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("options.signature")));
    rig.submit_with(&build, &by(OWNER_KEY)).unwrap();
    assert_eq!((rig.world.prompts(), rig.world.posts().len()), (0, 1));
}
