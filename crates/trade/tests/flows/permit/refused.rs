//! Permits that would not be taken, or that were signed for something else.

use super::{Token, bank, dai_token, eip2612, options, quote_of, token_domain};
use crate::fake_host::{BUY, SELL, SRC, Signer, at, set, text};
use alloy_primitives::{Address, B256, U256, hex, keccak256};
use alloy_sol_types::SolCall;
use verify::internal::domain::permit::calls;
use verify::internal::error::ErrorCode;

fn untouched(token: Token, options: &str) -> verify::internal::error::Error {
    let bank = bank(token);
    let error = bank.sign(&quote_of(&bank, SELL), options).unwrap_err();
    bank.rig.world.assert_untouched();
    error
}

#[test]
fn the_short_forms_of_permit2_are_not_the_routers_and_nobody_is_asked_to_sign_one() {
    for kind in ["permit2Allowance", "permit2Existing"] {
        let bank = bank(Token { granted: (100_000_000, 1_900_000_000, 5), ..Token::default() });
        let market = quote_of(&bank, &crate::market::market(SELL));
        let error = bank.sign(&market, &options(kind)).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("options.kind")), "{kind}");
        // Signed for another path, it does not get as far as the service.
        let permit = bank.sign(&quote_of(&bank, SELL), &options(kind)).unwrap();
        let prompts = bank.rig.world.prompts();
        let with = format!(r#"{{"slippageBps":50,"permit":{}}}"#, permit.write());
        let error = bank.rig.build(&market, &with).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("options.permit.kind")));
        assert!(bank.rig.world.sent("transactions").is_empty());
        assert_eq!(bank.rig.world.prompts(), prompts);
    }
}

#[test]
fn a_transfer_for_the_router_is_good_for_twenty_minutes_at_most() {
    let bank = bank(Token::default());
    let market = quote_of(&bank, &crate::market::market(SELL));
    let error = bank.sign(&market, r#"{"kind":"permit2Transfer","deadline":1800001201}"#).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("options.deadline")));
    assert_eq!(bank.rig.world.prompts(), 0);
    bank.sign(&market, r#"{"kind":"permit2Transfer","deadline":1800001200}"#).unwrap();
}

#[test]
fn a_domain_that_cannot_be_proved_is_not_signed_for() {
    for (case, token) in [
        ("no separator", Token { separator: false, ..Token::default() }),
        ("another name", Token { domain: token_domain("USD Y", Some("2")), ..Token::default() }),
        ("another version", Token { domain: token_domain("USD X", Some("3")), ..Token::default() }),
    ] {
        let error = untouched(token, &options("eip2612"));
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("options.kind")), "{case}");
        assert!(error.expected.as_ref().unwrap().ends_with("approve instead"), "{case}");
    }
    // For another chain, or for each on which the token has this address: it is approved instead.
    let other = B256::from(U256::from(1));
    for (version, chain, salt) in [
        (Some("2"), Some(1), None),
        (Some("2"), None, None),
        (None, None, None),
        (Some("2"), None, Some(other)),
        (Some("2"), None, Some(B256::ZERO)),
    ] {
        let domain = super::Eip712Domain::new(
            Some("USD X".into()),
            version.map(Into::into),
            chain.map(U256::from),
            token_domain("", None).verifying_contract,
            salt,
        );
        let error = untouched(Token { domain, tells: true, ..Token::default() }, &options("eip2612"));
        assert_eq!(error.field.as_deref(), Some("options.kind"), "{version:?} {chain:?} {salt:?}");
        assert!(error.expected.as_ref().unwrap().ends_with("approve instead"), "{version:?} {chain:?} {salt:?}");
    }
}

#[test]
fn a_token_that_signs_another_kind_is_found_out_before_the_prompt() {
    let error = untouched(dai_token(), &options("eip2612"));
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("options.kind")));
    assert_eq!(error.actual.as_deref(), Some("its PERMIT_TYPEHASH() is of another kind of permit"));
    let hash = Some(keccak256("Permit(address owner)"));
    let error = untouched(Token { type_hash: hash, ..Token::default() }, &options("eip2612"));
    assert_eq!(error.actual.as_deref(), Some("its PERMIT_TYPEHASH() is of another kind of permit"));
}

#[test]
fn dai_is_approved_like_a_token_without_a_permit_of_its_own() {
    let bank = bank(dai_token());
    let build = bank.rig.built(SELL).unwrap();
    let approval = at(&build, "approval");
    assert_eq!((text(approval, "token"), text(approval, "amount")), (SRC, "100000000"));
    let error = bank.sign(&build, &options("dai")).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("options.kind")));
    let kinds = "one of eip2612, permit2Transfer, permit2Allowance, permit2Existing";
    assert_eq!(error.expected.as_deref(), Some(kinds));
    bank.rig.world.assert_untouched();
    bank.sign(&build, &options("permit2Transfer")).unwrap();
}

#[test]
fn a_permit_the_token_would_not_take_is_not_handed_out() {
    // It says nothing of its kind: only trying it tells.
    for token in [Token { type_hash: None, ..dai_token() }, Token { refuses: true, ..Token::default() }] {
        let bank = bank(token);
        let error = bank.sign(&quote_of(&bank, SELL), &options("eip2612")).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("options.kind")));
    }
    for kind in ["permit2Transfer", "permit2Allowance"] {
        let bank = bank(Token { refuses: true, ..Token::default() });
        let error = bank.sign(&quote_of(&bank, SELL), &options(kind)).unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidInput, "{kind}");
    }
}

#[test]
fn a_failing_node_is_not_the_tokens_answer() {
    let all = [
        calls::nonces(Address::ZERO)[..4].to_vec(),
        calls::PERMIT_TYPEHASH.to_vec(),
        calls::EIP712_DOMAIN.to_vec(),
        calls::VERSION.to_vec(),
        eip2612::permitCall::SELECTOR.to_vec(),
    ];
    for busy in all {
        let bank = bank(Token { busy: Some(busy.clone()), ..Token::default() });
        let error = bank.sign(&quote_of(&bank, SELL), &options("eip2612")).unwrap_err();
        assert_eq!((error.code, error.message.as_str()), (ErrorCode::RateLimited, "eth_call: limit exceeded"));
        bank.token.borrow_mut().busy = None;
        bank.sign(&quote_of(&bank, SELL), &options("eip2612")).unwrap();
    }
}

#[test]
fn an_account_with_code_gives_a_permit_only_where_the_chain_takes_it() {
    let delegated = [&[0xef, 1, 0][..], &[7; 20]].concat();
    for (code, refuses, prompts) in [(vec![0x60; 40], false, 0), (delegated.clone(), true, 1)] {
        let bank = bank(Token { refuses, ..Token::default() });
        bank.rig.world.chain.borrow_mut().node(8453).code.insert(bank.rig.owner(), code);
        let error = bank.sign(&quote_of(&bank, SELL), &options("permit2Transfer")).unwrap_err();
        assert_eq!((error.code, bank.rig.world.prompts()), (ErrorCode::UnsupportedAccount, prompts));
    }
    let bank = bank(Token::default());
    bank.rig.world.chain.borrow_mut().node(8453).code.insert(bank.rig.owner(), delegated);
    bank.sign(&quote_of(&bank, SELL), &options("permit2Transfer")).unwrap();
}

#[test]
fn another_accounts_signature_is_not_a_permit() {
    let bank = bank(Token::default());
    bank.rig
        .world
        .signer
        .borrow_mut()
        .next_signature(|_, digest| format!(r#""{}""#, hex::encode_prefixed(Signer::new([8; 32]).sign(digest))));
    let error = bank.sign(&quote_of(&bank, SELL), &options("eip2612")).unwrap_err();
    assert_eq!(error.code, ErrorCode::SignatureMismatch);
    assert!(bank.token.borrow().used.is_empty());
    bank.rig.world.signer.borrow_mut().next_fails("eth_signTypedData_v4", 4001);
    let error = bank.sign(&quote_of(&bank, SELL), &options("eip2612")).unwrap_err();
    assert_eq!(error.code, ErrorCode::UserRejected);
    bank.sign(&quote_of(&bank, SELL), &options("eip2612")).unwrap();
}

#[test]
fn where_permit2_may_not_take_the_token_the_error_says_what_to_approve() {
    let short = U256::from(99_999_999);
    let bank = bank(Token { permit2_may_take: short, ..Token::default() });
    let error = bank.sign(&quote_of(&bank, SELL), &options("permit2Transfer")).unwrap_err();
    assert_eq!((error.code, error.code.action()), (ErrorCode::InsufficientAllowance, "approve"));
    let approval = crate::fake_host::json(error.approval.as_ref().unwrap());
    assert_eq!(
        (text(&approval, "spender"), text(&approval, "amount")),
        (super::PERMIT2.to_string().as_str(), "100000000")
    );
    bank.rig.world.assert_untouched();
    bank.token.borrow_mut().permit2_may_take = short + U256::from(1);
    bank.sign(&quote_of(&bank, SELL), &options("permit2Transfer")).unwrap();
}

#[test]
fn an_insufficient_or_expired_permit2_allowance_is_not_used() {
    for granted in [(99_999_999, 1_800_000_000, 0), (100_000_000, 1_799_999_999, 0)] {
        let error = untouched(Token { granted, ..Token::default() }, &options("permit2Existing"));
        assert_eq!(error.code, ErrorCode::InsufficientAllowance, "{granted:?}");
    }
}

#[test]
fn invalid_options_are_refused_by_name() {
    for (options, field) in [
        (r#"{}"#, "options.kind"),
        (r#"{"kind":"erc20"}"#, "options.kind"),
        (r#"{"kind":"eip2612","amount":"0"}"#, "options.amount"),
        (r#"{"kind":"eip2612","deadline":1800000000}"#, "options.deadline"),
        (r#"{"kind":"permit2Transfer","deadline":281474976710656}"#, "options.deadline"),
        (
            r#"{"kind":"permit2Allowance","amount":"1461501637330902918203684832716283019655932542976"}"#,
            "options.amount",
        ),
        (r#"{"kind":"eip2612","spender":"0x"}"#, "options.spender"),
        (r#"{"kind":"eip2612","accept":[1]}"#, "options.accept.0"),
    ] {
        let error = untouched(Token::default(), options);
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(field)), "{options}");
    }
    let bank = bank(Token::default());
    bank.sign(&quote_of(&bank, SELL), r#"{"kind":"eip2612","deadline":1800000001}"#).unwrap();
}

#[test]
fn what_is_not_a_trade_of_tokens_has_no_permit() {
    let bank = bank(Token::default());
    let quote = quote_of(&bank, BUY);
    for (member, value, field) in [
        ("request.srcToken", r#""0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE""#, "quote"),
        ("kind", r#""otc""#, "build.kind"),
        ("twap", r#"{"numSlices":2}"#, "quote.twap"),
    ] {
        let mut edited = quote.clone();
        set(&mut edited, member, value);
        let error = bank.sign(&edited, r#"{"kind":"eip2612","amount":"1"}"#).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(field)));
    }
    bank.rig.world.assert_untouched();
    assert!(at(&quote, "sealed") == at(&quote, "sealed"));
}
