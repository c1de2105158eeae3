//! Attempts of a page, a node or the service beside the plain lies: parts that fit one another, but not the user.

use super::fake_host::{DELTA, DEST, Rig, SELL, World, answer, at, json, native_sale, otc_hash, set, text, with};
use super::journal::note;
use super::permit::{Token, bank};
use super::{market, otc};
use alloy_primitives::{Address, U256, hex};
use std::rc::Rc;
use verified_swap_trade::host::HttpAnswer;
use verify::internal::error::ErrorCode;
use verify::internal::json::{Json, quoted};

const SEND: &str = "eth_sendTransaction";
const ANOTHER: &str = "0x7777777777777777777777777777777777777777";

/// Two pages: they share the world, not their secrets.
fn two_pages() -> (Rig, Rig) {
    let world = World::new();
    (Rig::in_world(Rc::clone(&world), |_, _| {}), Rig::in_world(world, |_, _| {}))
}

/// The service takes any signature, and waits for the deposit of every order.
fn waits_for_deposit(world: &World) {
    let mut chain = world.chain.borrow_mut();
    chain.node(8453).contracts.insert(DELTA.parse().unwrap(), Box::new(|_| Ok(json(r#""0x""#))));
    chain.node(8453).balance = U256::ZERO;
    let mut service = world.service.borrow_mut();
    service.takes = Some(Box::new(|_| true));
    for _ in 0..4 {
        service.accepts_but(|said: HttpAnswer| {
            let mut order = json(&said.body);
            set(&mut order, "status", r#""AWAITING_SIGNATURE""#);
            answer(200, order.write())
        });
    }
}

fn signed(build: &Json, signature: &str) -> Json {
    let mut signed = json(r#"{"kind":"signedOrder"}"#);
    for name in ["chainId", "owner", "orderHash", "deadline", "sealed"] {
        set(&mut signed, name, &at(build, name).write());
    }
    set(&mut signed, "signature", &quoted(signature));
    signed
}

#[test]
fn a_signed_order_of_a_stranger_is_posted_and_nothing_is_deposited_for_it_unless_it_was_asked_for() {
    let (first, second) = two_pages();
    let build = first.built(&native_sale()).unwrap();
    waits_for_deposit(&second.world);
    // The node says that the owner has code, and that the code takes any signature.
    let owner = first.owner();
    let mut chain = second.world.chain.borrow_mut();
    chain.node(8453).code.insert(owner, vec![0x60]);
    let yes = format!("0x1626ba7e{}", "0".repeat(56));
    chain.node(8453).contracts.insert(owner, Box::new(move |_| Ok(Json::String(yes.clone()))));
    drop(chain);
    let signed = signed(&build, "0x1234");
    let order = second.submit(&signed).unwrap();
    assert_eq!(text(&order, "status"), "AWAITING_SIGNATURE");
    assert!(second.world.wallet_was_asked(SEND).is_empty(), "a deposit for an order that nobody here asked for");
    let more = format!(r#""account":"{owner}","minReceived":"1","srcSymbol""#);
    let request = native_sale().replace(r#""srcSymbol""#, &more);
    let error = second.submit_with(&signed, &format!(r#"{{"request":{}}}"#, request.replace("000000\"", "000001\"")));
    assert_eq!(error.unwrap_err().field.as_deref(), Some("options.request.amount"));
    assert!(second.world.wallet_was_asked(SEND).is_empty());
    second.submit_with(&signed, &format!(r#"{{"request":{request}}}"#)).unwrap();
    assert_eq!(second.world.wallet_was_asked(SEND).len(), 1);
}

#[test]
fn nothing_is_deposited_for_an_order_that_has_expired() {
    let rig = Rig::default();
    let build = rig.built(&native_sale()).unwrap();
    rig.world.service.borrow_mut().next_is("post", 400, r#"{"errorType":"Broken"}"#);
    let error = rig.submit(&build).unwrap_err();
    waits_for_deposit(&rig.world);
    rig.world.chain.borrow_mut().node(8453).time = 1_800_001_200;
    rig.world.age_reads();
    let error = rig.submit(&json(error.signed_order.as_ref().unwrap())).unwrap_err();
    assert_eq!(error.code, ErrorCode::QuoteExpired, "{error:?}");
    assert!(error.signed_order.is_some() && rig.world.wallet_was_asked(SEND).is_empty());
}

/// The sealed text says of its request that another account made it.
fn as_if_asked_by(build: &Json, who: &str, owner: Address) -> Json {
    let sealed = text(build, "sealed");
    let from = format!(r#""side":"SELL","account":"{owner}""#);
    assert!(sealed.contains(&from), "{sealed}");
    let mut build = json(&format!(r#"{{"kind":"delta","chainId":8453,"orderHash":"{}"}}"#, text(build, "orderHash")));
    set(&mut build, "sealed", &quoted(&sealed.replacen(&from, &format!(r#""side":"SELL","account":"{who}""#), 1)));
    build
}

#[test]
fn the_owner_of_a_noted_order_is_the_account_that_the_request_names() {
    let more = format!(r#""account":"{ANOTHER}","minReceived":"1","srcSymbol""#);
    let options = format!(r#"{{"request":{}}}"#, SELL.replace(r#""srcSymbol""#, &more));
    let rig = Rig::default();
    rig.world.signer.borrow_mut().accounts.push(ANOTHER.parse().unwrap());
    let build = as_if_asked_by(&rig.built(SELL).unwrap(), ANOTHER, rig.owner());
    note(&rig, &build);
    let error = rig.submit_with(&build, &options).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::VerifyMismatch, Some("order.owner")));
    rig.world.assert_untouched();
}

/// SRC for DEST, by the maker at the wallet.
const OFFER: &str = r#"{"chainId":8453,"makerAsset":"0x1111111111111111111111111111111111111111","takerAsset":"0x2222222222222222222222222222222222222222","makerAmount":"100000000","takerAmount":"40000000000000000","makerDecimals":6,"takerDecimals":18,"expiry":0}"#;

#[test]
fn another_orders_permit_is_not_posted_with_an_order() {
    let bank = bank(Token::default());
    let build = bank.rig.call("otc.build", &json(OFFER), "{}").unwrap();
    let quote = bank.rig.quote(SELL).unwrap();
    let hash = text(&build, "orderHash").parse().unwrap();
    let signature = hex::encode_prefixed(bank.rig.world.signer.borrow().sign(hash));
    let mut signed = json(r#"{"kind":"signedOtcOrder"}"#);
    for name in ["chainId", "orderHash", "sealed"] {
        set(&mut signed, name, &at(&build, name).write());
    }
    set(&mut signed, "signature", &quoted(&signature));
    for (subject, options, field) in [
        (&build, r#"{"kind":"eip2612","amount":"99999999"}"#, "permit.amount"),
        (&quote, r#"{"kind":"eip2612"}"#, "permit.spender"),
    ] {
        let permit = bank.sign(subject, options).unwrap().write();
        let with = [
            (&build, format!(r#"{{"permit":{permit},"signature":"{signature}"}}"#)),
            (&signed, format!(r#"{{"permit":{permit}}}"#)),
        ];
        for (passed, options) in with {
            let error = bank.rig.call("submit", passed, &options).expect_err(field);
            assert_eq!((error.code, error.field.as_deref()), (ErrorCode::VerifyMismatch, Some(field)));
        }
    }
    assert!(bank.rig.world.sent("otcPost").is_empty());
    let permit = bank.sign(&build, r#"{"kind":"eip2612"}"#).unwrap().write();
    bank.rig.call("submit", &signed, &format!(r#"{{"permit":{permit}}}"#)).unwrap();
}

#[test]
fn a_node_whose_clock_is_ahead_makes_no_permit_good_for_years() {
    for kind in ["eip2612", "permit2Transfer", "permit2Allowance"] {
        let bank = bank(Token::default());
        let quote = bank.rig.quote(SELL).unwrap();
        bank.rig.world.chain.borrow_mut().node(8453).time = 1_800_003_601;
        let error = bank.sign(&quote, &format!(r#"{{"kind":"{kind}"}}"#)).expect_err(kind);
        assert_eq!(
            (error.code, error.expected.as_deref()),
            (ErrorCode::InvalidInput, Some("a node whose clock is right"))
        );
        assert_eq!(bank.rig.world.prompts(), 0);
        bank.rig.world.chain.borrow_mut().node(8453).time = 1_800_003_600;
        bank.sign(&quote, &format!(r#"{{"kind":"{kind}"}}"#)).unwrap();
    }
}

#[test]
fn decimals_that_are_not_the_tokens_own_are_found_before_a_permit_is_signed() {
    let bank = bank(Token::default());
    let wrong = SELL.replace("\"srcDecimals\":6", "\"srcDecimals\":18");
    let quote = bank.rig.quote(&wrong).unwrap();
    let error = bank.sign(&quote, r#"{"kind":"eip2612"}"#).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("request.srcDecimals")));
    assert_eq!(bank.rig.world.prompts(), 0);
}

#[test]
fn a_permit_is_not_signed_for_a_quote_that_was_edited() {
    let bank = bank(Token::default());
    let quote = bank.rig.quote(SELL).unwrap();
    for (path, value) in [
        ("srcAmount", r#""1000000000000""#),
        ("request.srcToken", &quoted(DEST)),
        ("request.chainId", "1"),
        ("request.account", &quoted(ANOTHER)),
    ] {
        let mut edited = quote.clone();
        set(&mut edited, path, value);
        let error = bank.sign(&edited, r#"{"kind":"eip2612"}"#).expect_err(path);
        let top = path.split('.').next().unwrap();
        assert_eq!(error.code, ErrorCode::InvalidInput, "{path}: {error:?}");
        assert_eq!(error.field, Some(format!("quote.{top}")), "{error:?}");
    }
    assert_eq!(bank.rig.world.prompts(), 0);
    bank.rig.world.pass(40_000);
    bank.sign(&quote, r#"{"kind":"eip2612"}"#).unwrap();
}

#[test]
fn of_an_order_no_more_is_taken_than_was_offered_whatever_the_contract_is_said_to_have_left() {
    for said in [U256::from(200_000_001), U256::from(1_u128 << 100), U256::MAX] {
        let desk = otc::desk();
        let order = desk.order(&[]);
        let key = (desk.maker.accounts[0], otc_hash(&order));
        desk.market.borrow_mut().remaining.insert(key, said);
        let build = desk.fill(&order, "").unwrap();
        assert!(
            text(&build, "report.sentence").starts_with(
                "Give 0.04 WETX (0x222222222222...222222222222) for 100 USDX (0x111111111111...111111111111) of "
            ),
            "{said}"
        );
        let error = desk.fill(&order, r#","takerAmount":"40000000000000001""#).expect_err("more than was offered");
        assert!([ErrorCode::InvalidInput, ErrorCode::VerifyMismatch].contains(&error.code));
    }
}

#[test]
fn a_market_build_is_not_sent_after_its_deadline_which_nothing_in_the_calldata_says() {
    for (more, until) in
        [("", 1_800_001_200), (r#","validForSecs":30"#, 1_800_000_030), (r#","deadline":1800000040"#, 1_800_000_040)]
    {
        let rig = market::allowed(u64::MAX);
        let quote = rig.quote(&market::market(SELL)).unwrap();
        let build = rig.build(&quote, &format!(r#"{{"slippageBps":50{more}}}"#)).unwrap();
        rig.world.chain.borrow_mut().node(8453).time = until;
        rig.world.age_reads();
        let error = rig.call("submit", &build, "{}").unwrap_err();
        assert_eq!(error.code, ErrorCode::QuoteExpired, "{more}: {error:?}");
        rig.world.assert_untouched();
        rig.world.chain.borrow_mut().node(8453).time = until - 1;
        rig.world.age_reads();
        rig.call("submit", &build, "{}").unwrap();
    }
}

#[test]
fn a_wallet_on_another_chain_is_switched_before_the_clock_is_read_by_it() {
    let world = market::allowed(u64::MAX).world;
    let rig = Rig::in_world(world, |shared, bound| {
        shared.settings.rpc.clear();
        bound.may_switch = true;
    });
    rig.world.signer.borrow_mut().chain_id = 10;
    rig.world.signer.borrow_mut().known_chains.push(10);
    // Nobody could read the chain for the price, so a bound of the caller's answers for it.
    let quote = rig.quote(&market::market(SELL)).unwrap();
    let build = rig.build(&quote, r#"{"slippageBps":50,"minReceived":"39000000000000000"}"#).unwrap();
    rig.call("submit", &build, "{}").unwrap();
    assert_eq!(rig.world.wallet_was_asked(SEND).len(), 1);
}

#[test]
fn slippage_on_a_single_unit_does_not_give_everything_for_nothing() {
    let rig = Rig::without_references();
    let one = |quote: &mut Json| {
        for place in ["origin.output", "destination.input", "destination.output"] {
            set(quote, &format!("delta.route.{place}.amount"), r#""1""#);
        }
    };
    rig.world.service.borrow_mut().quote_lie = Some(Box::new(one));
    rig.world.service.borrow_mut().build_lie = Some(Box::new(|build| {
        for member in ["destAmount", "expectedAmount"] {
            set(build, &format!("toSign.value.{member}"), if member == "destAmount" { r#""0""# } else { r#""1""# });
        }
    }));
    let error = rig.built(SELL).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::VerifyMismatch, Some("order.destAmount")));
    rig.world.service.borrow_mut().build_lie = Some(Box::new(|build| {
        for member in ["destAmount", "expectedAmount"] {
            set(build, &format!("toSign.value.{member}"), r#""1""#);
        }
    }));
    rig.built(SELL).unwrap();
}

#[test]
fn full_slippage_is_accepted_as_given() {
    let rig = Rig::default();
    rig.world.service.borrow_mut().build_lie = Some(Box::new(|build| set(build, "toSign.value.destAmount", r#""0""#)));
    let quote = rig.quote(SELL).unwrap();
    let error = rig.build(&quote, r#"{"slippageBps":9999}"#).unwrap_err();
    assert_eq!(error.field.as_deref(), Some("order.destAmount"));
    rig.build(&quote, r#"{"slippageBps":10000}"#).unwrap();
}

#[test]
fn a_last_slice_much_larger_than_the_others_is_refused() {
    let quoted = |total: u64, slices: u64, more: &str| {
        let slices = format!(r#""numSlices":{slices},"intervalSecs":60{more},"srcSymbol""#);
        let request = SELL.replace("100000000", &total.to_string()).replace(r#""srcSymbol""#, &slices);
        Rig::default().quote(&request).map(|_| ()).map_err(|error| (error.code, error.field.clone()))
    };
    let refused = Err((ErrorCode::InvalidInput, Some("request.amount".into())));
    // 99 of 199 would be sold for nothing at worst; 3 of 20 are 15 %.
    assert_eq!(quoted(199, 100, ""), refused);
    assert_eq!(quoted(19, 16, ""), refused);
    quoted(20, 17, "").unwrap();
    quoted(199, 100, r#","maxLossBps":5000"#).unwrap();
    assert_eq!(quoted(20, 17, r#","maxLossBps":1499"#), refused);
}

#[test]
fn an_owner_with_code_says_who_receives_on_another_chain() {
    let bridge = |more: &str| with(SELL, &format!(r#""destChainId":10{more}"#));
    let submitted = |request: &str, code: Vec<u8>| {
        let rig = Rig::default();
        let build = rig.built(request).unwrap();
        let owner = rig.owner();
        rig.world.chain.borrow_mut().node(8453).code.insert(owner, code);
        let yes = format!("0x1626ba7e{}", "0".repeat(56));
        let contract = move |_: &Json| Ok(Json::String(yes.clone()));
        rig.world.chain.borrow_mut().node(8453).contracts.insert(owner, Box::new(contract));
        rig.world.service.borrow_mut().takes = Some(Box::new(|_| true));
        let outcome = rig.submit(&build);
        (outcome.map(|_| ()).map_err(|error| (error.code, error.field.clone())), rig.world.prompts())
    };
    let refused = Err((ErrorCode::InvalidInput, Some("request.beneficiary".into())));
    assert_eq!(submitted(&bridge(""), vec![0x60; 24]), (refused, 0));
    let owner = Rig::default().owner();
    for (request, code) in [
        (bridge(&format!(r#","beneficiary":"{owner}""#)), vec![0x60; 24]),
        (bridge(&format!(r#","beneficiary":"{ANOTHER}""#)), vec![0x60; 24]),
        // A key's account that delegates is the same on every chain, and on one chain any is.
        (bridge(""), vec![0xEF; 23]),
        (SELL.into(), vec![0x60; 24]),
    ] {
        assert_eq!(submitted(&request, code), (Ok(()), 1), "{request}");
    }
}

#[test]
fn a_permit_is_not_signed_for_an_offer_that_was_edited_or_made_elsewhere() {
    let bank = bank(Token::default());
    let build = bank.rig.call("otc.build", &json(OFFER), "{}").unwrap();
    for (member, value) in [("makerAmount", r#""100000000000""#), ("makerAsset", &quoted(DEST))] {
        let mut edited = build.clone();
        set(&mut edited, member, value);
        let error = bank.sign(&edited, r#"{"kind":"eip2612"}"#).expect_err(member);
        assert_eq!((error.code, error.field.clone()), (ErrorCode::InvalidInput, Some(format!("build.{member}"))));
    }
    let stranger = Rig::in_world(bank.rig.world.clone(), |shared, _| shared.settings.secret = [0xAB; 32]);
    let elsewhere = stranger.call("otc.build", &json(OFFER), "{}").unwrap();
    let error = bank.sign(&elsewhere, r#"{"kind":"eip2612"}"#).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("build")));
    assert_eq!(bank.rig.world.prompts(), 0);
    bank.sign(&build, r#"{"kind":"eip2612"}"#).unwrap();
}

#[test]
fn a_strangers_order_without_a_signature_brings_no_approval_along() {
    let (first, second) = two_pages();
    let world = Rc::clone(&first.world);
    world.service.borrow_mut().takes = Some(Box::new(|_| true));
    let build = first.built(SELL).unwrap();
    world.chain.borrow_mut().node(8453).allowances.clear();
    let refuses = || world.service.borrow_mut().next_is("post", 400, r#"{"errorType":"InsufficientAllowance"}"#);
    refuses();
    let error = second.submit(&signed(&build, "0x")).unwrap_err();
    assert_eq!((error.code, &error.approval), (ErrorCode::InsufficientAllowance, &None));
    // By the client that was asked for it, it is explained.
    refuses();
    let error = first.submit(&signed(&build, "0x")).unwrap_err();
    assert!(error.approval.is_some(), "{error:?}");
}
