//! Each kind of permit, as the contract that takes it sees it.

use super::{
    Bank, PERMIT2, Token, bank, delta, eip2612, options, permitCall, permitTransferFromCall, quote_of, token_domain,
};
use crate::fake_host::{BUY, ROUTER, SELL, SRC, at, json, text};
use crate::market::market;
use alloy_primitives::{U256, address, b256, keccak256};
use alloy_sol_types::{SolCall, SolStruct};
use verify::internal::domain::permit::{PermitKind, typed};
use verify::internal::json::Json;

fn word(bytes: &[u8], index: usize) -> U256 {
    U256::from_be_slice(&bytes[32 * index..32 * index + 32])
}

#[test]
fn an_eip_2612_permit_is_the_words_of_the_tokens_own_call() {
    let bank = bank(Token::default());
    let permit = bank.sign(&quote_of(&bank, SELL), &options("eip2612")).unwrap();
    let bytes = Bank::bytes(&permit);
    assert_eq!(bytes.len(), 224);
    let call = eip2612::permitCall::abi_decode(&bank.token.borrow().used[0]).unwrap();
    assert_eq!(eip2612::permitCall::abi_encode(&call)[4..], bytes[..]);
    assert_eq!((call.owner, call.spender), (bank.rig.owner(), delta()));
    assert_eq!((call.value, call.deadline), (U256::from(100_000_000), U256::from(1_800_001_800)));
    for (member, value) in [
        ("kind", "eip2612"),
        ("token", SRC),
        ("amount", "100000000"),
        ("nonce", "3"),
        ("deadline", "1800001800"),
        ("chainId", "8453"),
    ] {
        assert_eq!(text(&permit, member), value);
    }
    assert_eq!(text(&permit, "owner"), bank.rig.owner().to_string());
    assert_eq!(text(&permit, "spender"), delta().to_string());
    assert_eq!(bank.rig.step_names(), ["checking", "signing", "signed"]);
    assert_eq!(bank.rig.world.prompts(), 1);
}

#[test]
fn a_transfer_of_permit2_is_a_nonce_and_a_signature() {
    let bank = bank(Token::default());
    let named = r#"{"kind":"permit2Transfer","amount":"7","deadline":1800000009}"#;
    let permit = bank.sign(&quote_of(&bank, SELL), named).unwrap();
    let bytes = Bank::bytes(&permit);
    assert_eq!(bytes.len(), 96);
    let call = permitTransferFromCall::abi_decode(&bank.token.borrow().used[0]).unwrap();
    assert_eq!((call.permit.nonce, &call.signature[..]), (word(&bytes, 0), &bytes[32..]));
    assert_eq!((call.permit.permitted.amount, call.permit.deadline), (U256::from(7), U256::from(1_800_000_009)));
    assert_eq!(call.permit.permitted.token.to_string(), SRC);
    assert_eq!(call.details.requestedAmount, U256::ZERO, "nothing is moved to try it");
    assert_eq!(text(&permit, "nonce"), word(&bytes, 0).to_string());
    // Another one has another number.
    let again = bank.sign(&quote_of(&bank, SELL), named).unwrap();
    assert_ne!(text(&again, "nonce"), text(&permit, "nonce"));
}

#[test]
fn a_transfer_for_the_router_is_the_arguments_of_permit2s_own_call() {
    for (request, named, amount) in
        [(SELL, "", 100_000_000_u64), (BUY, r#","slippageBps":50,"maxSpent":"100500000""#, 100_500_000)]
    {
        let bank = bank(Token::default());
        let quote = quote_of(&bank, &market(request));
        let permit = bank.sign(&quote, &format!(r#"{{"kind":"permit2Transfer"{named}}}"#)).unwrap();
        let bytes = Bank::bytes(&permit);
        let call = permitTransferFromCall::abi_decode_raw(&bytes).unwrap();
        assert_eq!(call.abi_encode()[4..], bytes[..]);
        assert!(bytes.len() > 256, "by which the router knows it");
        assert_eq!(call.signature.len(), 65);
        assert_eq!(
            (call.permit.nonce.to_string(), call.permit.deadline),
            (text(&permit, "nonce").into(), U256::from(1_800_001_200))
        );
        assert_eq!(call.permit.permitted.token.to_string(), SRC);
        assert_eq!(call.permit.permitted.amount, U256::from(amount));
        // The router writes its own over these.
        let router: alloy_primitives::Address = ROUTER.parse().unwrap();
        assert_eq!((call.details.to, call.owner), (router, bank.rig.owner()));
        assert_eq!(call.details.requestedAmount, U256::from(amount));
        // Tried from the router, without moving anything, with the very signature.
        let tried = permitTransferFromCall::abi_decode(&bank.token.borrow().used[0]).unwrap();
        assert_eq!((tried.details.requestedAmount, tried.signature), (U256::ZERO, call.signature));
    }
}

#[test]
fn a_purchases_permit_covers_the_fee_that_the_router_takes_on_top() {
    let bank = bank(Token::default());
    let after = |route: &mut Json| {
        let Json::Object(members) = route else { panic!() };
        members.push(("srcAmountAfterFee".into(), json(r#""100010001""#)));
    };
    bank.rig.world.service.borrow_mut().market.method = 1;
    bank.rig.world.service.borrow_mut().market.route_lie = Some(Box::new(after));
    bank.rig
        .world
        .chain
        .borrow_mut()
        .node(8453)
        .contracts
        .insert(ROUTER.parse().unwrap(), Box::new(|_| Ok(Json::String("0x".into()))));
    for kind in ["eip2612", "permit2Transfer"] {
        let quote = quote_of(&bank, &market(BUY));
        let permit =
            bank.sign(&quote, &format!(r#"{{"kind":"{kind}","slippageBps":50,"maxSpent":"100510052"}}"#)).unwrap();
        // 100.010001 and half a percent, rounded up.
        assert_eq!(text(&permit, "amount"), "100510052", "{kind}");
        bank.rig.build(&quote, &format!(r#"{{"slippageBps":50,"permit":{}}}"#, permit.write())).unwrap();
    }
}

#[test]
fn an_allowance_of_permit2_is_four_words_and_a_signature() {
    let bank = bank(Token::default());
    let permit = bank.sign(&quote_of(&bank, SELL), &options("permit2Allowance")).unwrap();
    let bytes = Bank::bytes(&permit);
    assert_eq!(bytes.len(), 192);
    let call = permitCall::abi_decode(&bank.token.borrow().used[0]).unwrap();
    let until = U256::from(1_800_001_800);
    assert_eq!([0, 1, 2, 3].map(|index| word(&bytes, index)), [U256::from(100_000_000), U256::from(5), until, until]);
    assert_eq!(&call.signature[..], &bytes[128..]);
    assert_eq!((call.permit.spender, call.permit.sigDeadline), (delta(), until));
}

#[test]
fn an_existing_permit2_allowance_needs_no_signature() {
    let bank = bank(Token { granted: (100_000_000, 1_800_000_000, 5), ..Token::default() });
    let permit = bank.sign(&quote_of(&bank, SELL), &options("permit2Existing")).unwrap();
    assert_eq!((text(&permit, "bytes"), at(&permit, "nonce")), ("0x01", &Json::Null));
    assert_eq!(text(&permit, "deadline"), "1800000000");
    assert_eq!(bank.rig.world.prompts(), 0);
}

#[test]
fn a_purchase_covers_what_it_may_cost_with_slippage() {
    let bank = bank(Token::default());
    let quote = quote_of(&bank, BUY);
    let permit = bank.sign(&quote, r#"{"kind":"eip2612","slippageBps":50,"maxSpent":"100500000"}"#).unwrap();
    assert_eq!(text(&permit, "amount"), "100500000");
    let error = bank.sign(&quote, r#"{"kind":"eip2612","maxSpent":"100500000"}"#).unwrap_err();
    assert_eq!(error.field.as_deref(), Some("options.slippageBps"));
    let permit = bank.sign(&quote, r#"{"kind":"eip2612","amount":"9"}"#).unwrap();
    assert_eq!(text(&permit, "amount"), "9");
}

#[test]
fn a_domain_is_found_in_each_form_that_tokens_have() {
    let named = |name, version| Token { name, version, ..Token::default() };
    for (case, token) in [
        ("by name() and version()", named(Some("USD X"), Some("2"))),
        ("by name() and a usual version", named(Some("USD X"), None)),
        ("by EIP-5267 alone", Token { tells: true, ..named(None, None) }),
        ("where name() says something else than the domain", Token { tells: true, ..named(Some("USDX"), Some("9")) }),
        ("without a version", Token { domain: token_domain("USD X", None), ..named(Some("USD X"), None) }),
        (
            "with a version that is not a number",
            Token { domain: token_domain("USD X", Some("one")), ..named(Some("USD X"), Some("one")) },
        ),
    ] {
        let bank = bank(token);
        assert!(bank.sign(&quote_of(&bank, SELL), &options("eip2612")).is_ok(), "{case}");
        assert_eq!(bank.token.borrow().used.len(), 1, "{case}");
    }
}

#[test]
fn what_the_wallet_sees_is_what_the_permit_says() {
    let bank = bank(Token::default());
    bank.sign(&quote_of(&bank, SELL), &options("permit2Allowance")).unwrap();
    let params = json(&bank.rig.world.wallet_was_asked("eth_signTypedData_v4")[0]);
    let given = json(text(&params, "1"));
    assert_eq!(text(&given, "primaryType"), "PermitSingle");
    assert_eq!(
        at(&given, "domain").write(),
        format!(r#"{{"name":"Permit2","chainId":8453,"verifyingContract":"{PERMIT2}"}}"#)
    );
    assert_eq!(
        at(&given, "message").write(),
        format!(
            r#"{{"details":{{"token":"{SRC}","amount":"100000000","expiration":"1800001800","nonce":"5"}},"spender":"{}","sigDeadline":"1800001800"}}"#,
            delta()
        )
    );
}

#[test]
fn the_types_are_the_published_ones() {
    let by_standard = b256!("6e71edae12b1b97f4d1f60370fef10105fa2faae0126114a169c64845d6126c9");
    assert_eq!(keccak256(typed::EIP2612), by_standard);
    // DAI's own constant on mainnet.
    let dai_constant = b256!("ea2aa0a1be11a07ed86d755c93467f4f82362b452371d1ba94d1715123511acb");
    assert_eq!(keccak256(typed::DAI), dai_constant);
    let nobody = address!("0000000000000000000000000000000000000000");
    let permitted = super::TokenPermissions { token: nobody, amount: U256::ZERO };
    let transfer = super::PermitTransferFrom { permitted, spender: nobody, nonce: U256::ZERO, deadline: U256::ZERO };
    assert_eq!(keccak256(typed::TRANSFER), transfer.eip712_type_hash());
    assert_eq!(keccak256(typed::ALLOWANCE), super::PermitSingle::default_type_hash());
    assert_eq!(PermitKind::ALL.map(|(kind, _)| typed::type_text(kind).is_some()), [true, true, true, false]);
}

impl super::PermitSingle {
    fn default_type_hash() -> alloy_primitives::B256 {
        let details = super::PermitDetails {
            token: Default::default(),
            amount: Default::default(),
            expiration: Default::default(),
            nonce: Default::default(),
        };
        super::PermitSingle { details, spender: Default::default(), sigDeadline: U256::ZERO }.eip712_type_hash()
    }
}
