//! Owners with code: smart accounts, and accounts of a key that delegate to one. The account itself says what it takes.

use super::fake_host::{Rig, SELL, Signer, failure, json, text};
use alloy_primitives::{B256, hex};
use std::cell::RefCell;
use std::rc::Rc;
use verified_swap_trade::host::WalletFailure;
use verify::internal::error::ErrorCode;
use verify::internal::json::Json;

const YES: &str = "0x1626ba7e00000000000000000000000000000000000000000000000000000000";
const NO: &str = "0xffffffff00000000000000000000000000000000000000000000000000000000";

/// The questions to an account: the hash, and the bytes of the signature.
type Questions = Rc<RefCell<Vec<(String, Vec<u8>)>>>;

/// The owner has code that answers `isValidSignature` so.
fn with_code(rig: &Rig, mut answer: impl FnMut(&[u8]) -> Result<&'static str, WalletFailure> + 'static) -> Questions {
    let questions = Questions::default();
    let log = questions.clone();
    let owner = rig.owner();
    let mut chain = rig.world.chain.borrow_mut();
    let node = chain.node(8453);
    node.code.insert(owner, [&[0xef, 1, 0][..], &[7; 20]].concat());
    node.contracts.insert(
        owner,
        Box::new(move |call| {
            let data = hex::decode(text(call, "data")).unwrap();
            assert_eq!(data[..4], [0x16, 0x26, 0xba, 0x7e]);
            assert_eq!(data[36..68], B256::with_last_byte(64), "where the bytes begin");
            let length = usize::from(data[99]) + 256 * usize::from(data[98]);
            assert_eq!(data.len(), 100 + length.div_ceil(32) * 32, "whole words");
            let bytes = data[100..100 + length].to_vec();
            log.borrow_mut().push((hex::encode_prefixed(&data[4..36]), bytes.clone()));
            answer(&bytes).map(|text| Json::String(text.into()))
        }),
    );
    rig.world.service.borrow_mut().takes = Some(Box::new(|_| true));
    questions
}

fn full(build: &Json) -> Vec<u8> {
    let signer = Signer::new(super::fake_host::OWNER_KEY);
    signer.sign(text(build, "orderHash").parse().unwrap()).to_vec()
}

fn compact(build: &Json) -> Vec<u8> {
    let mut bytes = full(build);
    let v = bytes.pop().unwrap();
    bytes[32] |= (v - 27) << 7;
    bytes
}

fn posted(rig: &Rig) -> Vec<u8> {
    hex::decode(text(&json(&rig.world.posts().pop().unwrap()), "signature")).unwrap()
}

/// A signature no key makes: 300 bytes.
fn long() -> Vec<u8> {
    (0..300_u16).map(|index| index.to_be_bytes()[1]).collect()
}

fn gives(rig: &Rig, bytes: &[u8]) {
    let shown = format!(r#""{}""#, hex::encode_prefixed(bytes));
    rig.world.signer.borrow_mut().next_signature(move |_, _| shown);
}

#[test]
fn the_bytes_a_smart_accounts_wallet_gives_are_posted_as_they_are_once_the_account_takes_them() {
    let rig = Rig::default();
    let questions = with_code(&rig, |bytes| Ok(if bytes == long() { YES } else { NO }));
    let build = rig.built(SELL).unwrap();
    gives(&rig, &long());
    rig.submit(&build).unwrap();
    assert_eq!(posted(&rig), long());
    assert_eq!(*questions.borrow(), [(text(&build, "orderHash").to_owned(), long())]);
    assert_eq!((rig.world.prompts(), rig.world.posts().len()), (1, 1));
}

#[test]
fn a_delegated_account_gets_the_form_that_its_delegate_takes() {
    for (length, asked) in [(65, vec![65]), (64, vec![65, 64])] {
        let rig = Rig::default();
        let questions = with_code(&rig, move |bytes| Ok(if bytes.len() == length { YES } else { NO }));
        let build = rig.built(SELL).unwrap();
        rig.submit(&build).unwrap();
        let expected = if length == 65 { full(&build) } else { compact(&build) };
        assert_eq!(posted(&rig), expected);
        let lengths: Vec<usize> = questions.borrow().iter().map(|(_, bytes)| bytes.len()).collect();
        assert_eq!(lengths, asked, "the wallet's own form first");
    }
}

#[test]
fn the_compact_form_is_offered_only_of_the_owners_own_signature() {
    let rig = Rig::default();
    let questions = with_code(&rig, |bytes| Ok(if bytes.len() == 64 { YES } else { NO }));
    let build = rig.built(SELL).unwrap();
    rig.world
        .signer
        .borrow_mut()
        .next_signature(|_, digest| format!(r#""{}""#, hex::encode_prefixed(Signer::new([9; 32]).sign(digest))));
    assert_eq!(rig.submit(&build).unwrap_err().code, ErrorCode::SignatureMismatch);
    assert!(questions.borrow().iter().all(|asked| asked.1.len() == 65));
    assert!(rig.world.posts().is_empty());
}

#[test]
fn what_the_owners_code_does_not_take_is_not_posted_and_asked_for_again() {
    type Answer = fn(&[u8]) -> Result<&'static str, WalletFailure>;
    let answers: [(&str, Answer); 8] = [
        ("no", |_| Ok(NO)),
        ("nothing", |_| Ok("0x")),
        ("four bytes", |_| Ok("0x1626ba7e")),
        ("more than yes", |_| Ok("0x1626ba7e00000000000000000000000000000000000000000000000000000001")),
        ("yes as a number", |_| Ok("0x000000000000000000000000000000000000000000000000000000001626ba7e")),
        ("a revert", |_| Err(failure(3, "execution reverted"))),
        // Some nodes say it by the message alone where nothing was returned, and some by what was.
        ("a bare revert", |_| Err(failure(-32000, "execution reverted"))),
        ("data", |_| Err(WalletFailure { data: Some(vec![1; 4]), ..failure(-32603, "internal error") })),
    ];
    for (name, answer) in answers {
        let rig = Rig::default();
        with_code(&rig, answer);
        let build = rig.built(SELL).unwrap();
        let error = rig.submit(&build).expect_err(name);
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::SignatureMismatch, Some("signature")), "{name}");
        assert!(error.expected.as_ref().unwrap().contains("preSign"), "says the way on");
        assert!(error.signed_order.is_none() && rig.world.posts().is_empty(), "{name}");
        with_code(&rig, |_| Ok(YES));
        rig.submit(&build).unwrap();
        assert_eq!((rig.world.prompts(), rig.world.posts().len()), (2, 1), "{name}");
    }
}

#[test]
fn a_wallet_that_did_not_sign_is_reported_before_any_call() {
    for answer in ["null", r#""""#, r#""0x""#] {
        let rig = Rig::default();
        let questions = with_code(&rig, |_| Ok(YES));
        let build = rig.built(SELL).unwrap();
        rig.world.signer.borrow_mut().next_signature(move |_, _| answer.into());
        let error = rig.submit(&build).unwrap_err();
        assert_eq!(error.code, ErrorCode::SignatureMismatch);
        assert!(error.expected.as_ref().unwrap().contains("did not sign"), "{error:?}");
        assert!(questions.borrow().is_empty() && rig.world.posts().is_empty());
    }
}

#[test]
fn a_signature_of_an_account_that_is_not_deployed_yet_says_so() {
    let rig = Rig::default();
    let build = rig.built(SELL).unwrap();
    let wrapped = [&long()[..], &[0x64, 0x92].repeat(16)].concat();
    gives(&rig, &wrapped);
    let error = rig.submit(&build).unwrap_err();
    assert_eq!(error.code, ErrorCode::UnsupportedAccount);
    assert!(error.message.contains("not deployed"), "{error:?}");
    assert!(rig.world.posts().is_empty());
    // Deployed, its code is asked about the very same bytes.
    with_code(&rig, |_| Ok(YES));
    gives(&rig, &wrapped);
    rig.submit(&build).unwrap();
    assert_eq!(posted(&rig), wrapped);
}

#[test]
fn a_signature_of_any_length_survives_a_post_that_failed() {
    let rig = Rig::default();
    with_code(&rig, |bytes| Ok(if bytes == long() { YES } else { NO }));
    let build = rig.built(SELL).unwrap();
    gives(&rig, &long());
    rig.world.service.borrow_mut().next_is("post", 400, r#"{"errorType":"InvalidInput"}"#);
    let error = rig.submit(&build).unwrap_err();
    let signed = json(error.signed_order.as_ref().unwrap());
    assert_eq!(text(&signed, "signature"), hex::encode_prefixed(long()));
    rig.submit(&signed).unwrap();
    assert_eq!((rig.world.prompts(), rig.world.posts().len()), (1, 2));
    assert_eq!(rig.world.posts()[0], rig.world.posts()[1]);
    // In another client, as after a reload, the account is asked again.
    let other = Rig::in_world(rig.world.clone(), |_, bound| bound.wallet = None);
    with_code(&other, |_| Ok(NO));
    assert_eq!(other.submit(&signed).unwrap_err().code, ErrorCode::SignatureMismatch);
}

#[test]
fn a_signature_made_elsewhere_may_be_a_contracts() {
    let rig = Rig::default();
    with_code(&rig, |bytes| Ok(if bytes == long() { YES } else { NO }));
    let build = rig.built(SELL).unwrap();
    let options = |bytes: &[u8]| format!(r#"{{"signature":"{}"}}"#, hex::encode_prefixed(bytes));
    assert_eq!(rig.submit_with(&build, &options(&[1; 80])).unwrap_err().code, ErrorCode::SignatureMismatch);
    assert_eq!(rig.submit_with(&build, r#"{"signature":"0x"}"#).unwrap_err().code, ErrorCode::SignatureMismatch);
    assert!(rig.world.posts().is_empty());
    rig.submit_with(&build, &options(&long())).unwrap();
    assert_eq!((rig.world.prompts(), posted(&rig)), (0, long()));
}

#[test]
fn what_was_signed_is_kept_where_the_chain_could_not_be_asked() {
    let rig = Rig::default();
    let build = rig.built(SELL).unwrap();
    gives(&rig, &long());
    rig.world.at_each(|world, moment| {
        if moment == super::fake_host::Moment::Answer("eth_signTypedData_v4") {
            world.chain.borrow_mut().node(8453).unreachable = true;
        }
    });
    let error = rig.submit(&build).unwrap_err();
    assert_eq!(error.code, ErrorCode::Network);
    let signed = json(error.signed_order.as_ref().unwrap());
    rig.world.at_each(|_, _| {});
    rig.world.chain.borrow_mut().node(8453).unreachable = false;
    with_code(&rig, |_| Ok(YES));
    rig.submit(&signed).unwrap();
    assert_eq!((rig.world.prompts(), posted(&rig)), (1, long()));
}

#[test]
fn a_key_signature_is_checked_without_the_chain() {
    let rig = Rig::default();
    let build = rig.built(SELL).unwrap();
    let options = format!(r#"{{"signature":"{}"}}"#, hex::encode_prefixed(full(&build)));
    rig.world.chain.borrow_mut().node(8453).unreachable = true;
    rig.submit_with(&build, &options).unwrap();
    assert_eq!(posted(&rig), compact(&build));
    // Signatures that no key made have to be asked about.
    rig.world.age_reads();
    let build = rig.built(&SELL.replace("100000000", "100000001"));
    assert_eq!(build.unwrap_err().code, ErrorCode::Network);
}

#[test]
fn an_owner_with_code_approves_like_anybody() {
    let rig = Rig::default();
    with_code(&rig, |_| Ok(YES));
    rig.world.chain.borrow_mut().node(8453).allowances.clear();
    let build = rig.built(SELL).unwrap();
    let result = rig.approve(build.get("approval").unwrap(), "{}").unwrap();
    assert_eq!(text(&result, "allowance"), "100000000");
    rig.submit(&build).unwrap();
}

#[test]
fn a_failing_node_does_not_refuse_the_signature() {
    for (code, message, expected) in [
        (-32005, "limit exceeded", ErrorCode::RateLimited),
        (-32603, "internal error", ErrorCode::WalletFailed),
        (429, "too many requests", ErrorCode::RateLimited),
    ] {
        let rig = Rig::default();
        let mut asked = 0;
        with_code(&rig, move |_| {
            asked += 1;
            if asked <= 2 { Err(failure(code, message)) } else { Ok(YES) }
        });
        let build = rig.built(SELL).unwrap();
        gives(&rig, &long());
        let error = rig.submit(&build).unwrap_err();
        assert_eq!(error.code, expected, "{message}");
        assert!(error.message.contains(message), "{error:?}");
        let signed = json(error.signed_order.as_ref().unwrap());
        assert_eq!(text(&signed, "signature"), hex::encode_prefixed(long()));
        assert!(rig.world.posts().is_empty());
        rig.submit(&build).unwrap();
        assert_eq!(posted(&rig), long());
        assert_eq!((rig.world.prompts(), rig.world.posts().len()), (1, 1), "{message}");
    }
}
