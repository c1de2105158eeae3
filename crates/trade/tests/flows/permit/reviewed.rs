//! A permit for a build that was reviewed: for what that spends, and for a second build that differs in nothing else.

use super::{Bank, Token, bank, dai, options, quote_of};
use crate::fake_host::{BUY, DELTA, METHODS, ROUTER, Rig, SELL, at, json, set, text, verdicts, with};
use crate::kinds::{Kind, kinds};
use crate::market::market;
use alloy_dyn_abi::DynSolValue;
use alloy_primitives::{Address, B256, U256, hex};
use alloy_sol_types::SolCall;
use std::collections::BTreeSet;
use verify::internal::domain::permit::PermitKind;
use verify::internal::error::{ErrorCode, Result};
use verify::internal::json::Json;

/// The permits of a path.
fn permits(is_market: bool) -> Vec<(PermitKind, &'static str)> {
    let is_short = |kind| matches!(kind, PermitKind::Permit2Allowance | PermitKind::Permit2Existing);
    PermitKind::ALL.into_iter().filter(|(kind, _)| !is_market || !is_short(*kind)).collect()
}

/// A token that takes each of them.
fn token() -> Token {
    Token { granted: (200_000_000, 1_800_001_200, 0), ..Token::default() }
}

/// A bank whose router takes every call, and whose service uses that method.
fn bank_of(token: Token, method: usize) -> Bank {
    let bank = bank(token);
    let router: Address = ROUTER.parse().unwrap();
    let any = |_: &Json| Ok(Json::String("0x".into()));
    bank.rig.world.chain.borrow_mut().node(8453).contracts.insert(router, Box::new(any));
    bank.rig.world.service.borrow_mut().market.method = method;
    bank
}

/// Signs for a build.
fn sign(bank: &Bank, build: &Json, label: &str) -> Result<Json> {
    bank.sign(build, &options(label))
}

fn again(bank: &Bank, build: &Json, permit: &Json) -> Result<Json> {
    bank.rig.build(build, &format!(r#"{{"permit":{}}}"#, permit.write()))
}

/// Whether a permit can pay for it: nothing native, no limit, no slices.
fn takes_permit(kind: &Kind) -> bool {
    let words = ["limit", "LIMIT", "maxSrcAmount"];
    let outlives = kind.request.contains("numSlices") || words.iter().any(|word| kind.options.contains(word));
    !outlives && !kind.request.contains("0xEeee")
}

#[test]
fn what_was_reviewed_is_built_again_with_the_permit_and_nothing_else_changes() {
    let mut tried = 0;
    for order in kinds().into_iter().filter(takes_permit) {
        for (kind, label) in permits(false) {
            // One transfer pays for a whole order.
            if kind == PermitKind::Permit2Transfer && order.options.contains("partiallyFillable") {
                continue;
            }
            let (bank, case) = (bank_of(token(), 0), format!("{label}: {} {}", order.request, order.options));
            bank.rig.world.service.borrow_mut().building.fillable = order.fillable;
            let build = order.built(&bank.rig).unwrap();
            // Somebody reads a review for longer than a price is good.
            bank.rig.world.pass(60_000);
            let permit = sign(&bank, &build, label).unwrap_or_else(|error| panic!("{case}: {error:?}"));
            if kind != PermitKind::Permit2Existing {
                assert_eq!(at(&permit, "amount"), at(&build, "maxSpent"), "{case}");
                assert_eq!(at(&permit, "deadline"), at(&build, "deadline"), "{case}");
            }
            assert_eq!(text(&permit, "spender").to_ascii_lowercase(), DELTA, "{case}");
            let rebuilt = again(&bank, &build, &permit).unwrap_or_else(|error| panic!("{case}: {error:?}"));
            assert_eq!(at(&rebuilt, "approval"), &Json::Null, "{case}");
            assert_eq!(text(&rebuilt, "typedData.message.permit"), text(&permit, "bytes"), "{case}");
            // Its hash is another; all else that is shown is the same.
            let mut expected = build.clone();
            for path in ["typedData.message.permit", "orderHash", "sealed", "approval", "report"] {
                set(&mut expected, path, &at(&rebuilt, path).write());
            }
            assert!(rebuilt.same_as(&expected), "{case}: {} {}", rebuilt.write(), expected.write());
            for path in ["report.sentence", "report.price", "report.questions", "report.distanceBps"] {
                assert_eq!(at(&rebuilt, path), at(&build, path), "{case}: {path}");
            }
            let [first, second] = [0, 1].map(|index| json(bank.rig.world.sent("build")[index].body.as_ref().unwrap()));
            let mut asked = first.clone();
            for (path, value) in [("permit", &permit), ("metadata", &build)] {
                let from = if path == "permit" { "bytes" } else { "typedData.message.metadata" };
                set(&mut asked, path, &at(value, from).write());
            }
            assert!(second.same_as(&asked), "{case}: asked for the same");
            bank.rig.submit(&rebuilt).unwrap_or_else(|error| panic!("{case}: {error:?}"));
            tried += 1;
        }
    }
    assert!(tried >= 30, "{tried}");
}

#[test]
fn a_transaction_is_built_again_with_the_permit_and_nothing_else_changes() {
    for (method, signature) in METHODS.into_iter().enumerate().filter(|(_, signature)| !signature.contains("PSM")) {
        let request = if signature.starts_with("swapExactAmountOut") { BUY } else { SELL };
        for (_, label) in permits(true) {
            let (bank, case) = (bank_of(token(), method), format!("{label} {signature}"));
            let build = bank.rig.build(&quote_of(&bank, &market(request)), r#"{"slippageBps":50}"#).unwrap();
            bank.rig.world.pass(60_000);
            let permit = sign(&bank, &build, label).unwrap_or_else(|error| panic!("{case}: {error:?}"));
            assert_eq!(at(&permit, "amount"), at(&build, "maxSpent"), "{case}");
            // Makers and venues may sign anew for each build.
            bank.rig.world.service.borrow_mut().market.argument_lie =
                Some(Box::new(|path, _| path.contains("executorData").then(|| DynSolValue::Bytes(vec![7; 90]))));
            let rebuilt = again(&bank, &build, &permit).unwrap_or_else(|error| panic!("{case}: {error:?}"));
            let mut expected = build.clone();
            for path in ["transaction.data", "sealed", "approval", "report"] {
                set(&mut expected, path, &at(&rebuilt, path).write());
            }
            assert!(rebuilt.same_as(&expected), "{case}");
            assert_eq!(at(&rebuilt, "report.questions"), at(&build, "report.questions"), "{case}");
            assert!(text(&rebuilt, "transaction.data").contains(&text(&permit, "bytes")[2..]), "{case}");
            bank.rig.submit(&rebuilt).unwrap_or_else(|error| panic!("{case}: {error:?}"));
        }
    }
}

/// The trial was of another calldata.
#[test]
fn what_was_tried_without_the_permit_does_not_count_with_it() {
    let bank = bank_of(Token::default(), 0);
    let options = r#"{"slippageBps":50,"tryOutcome":true}"#;
    let build = bank.rig.build(&quote_of(&bank, &market(SELL)), options).unwrap();
    assert_eq!(verdicts(&build, "outcome.ownerCode"), ["ok"]);
    let rebuilt = again(&bank, &build, &sign(&bank, &build, "eip2612").unwrap()).unwrap();
    assert_eq!(verdicts(&rebuilt, "outcome.ownerCode"), ["unknown"]);
    bank.rig.submit(&rebuilt).unwrap();
}

#[test]
fn a_question_that_was_answered_for_the_review_is_answered_for_the_permit() {
    for request in [SELL.to_owned(), market(SELL)] {
        let mut bank = bank_of(Token::default(), 0);
        let world = bank.rig.world.clone();
        bank.rig = Rig::in_world(world, |shared, _| shared.settings.given_sources.clear());
        let build = bank.rig.build(&quote_of(&bank, &request), r#"{"slippageBps":50}"#).unwrap();
        let id = at(&build, "report.questions.0.id").write();
        let permit = bank.sign(&build, &format!(r#"{{"kind":"eip2612","accept":[{id}]}}"#)).unwrap();
        let rebuilt = again(&bank, &build, &permit).unwrap();
        assert_eq!(bank.rig.submit(&rebuilt).unwrap_err().code, ErrorCode::PriceUnjudged);
        bank.rig.submit_with(&rebuilt, &format!(r#"{{"accept":[{id}]}}"#)).unwrap();
    }
}

/// Differences that the second build may not have, whatever the request would allow: each member of each kind, by one.
#[test]
fn an_order_that_differs_in_more_than_the_permit_is_refused_by_the_member() {
    let mut found = BTreeSet::new();
    for order in kinds().into_iter().filter(takes_permit) {
        for (field, of) in order.fields().into_iter().filter(|(field, _)| field != "permit") {
            let (bank, case) = (bank_of(Token::default(), 0), format!("{} {}: {field}", order.request, order.options));
            let build = order.built(&bank.rig).unwrap();
            let permit = sign(&bank, &build, "eip2612").unwrap();
            let was = at(&build, &format!("typedData.message.{field}")).clone();
            let one = U256::from(1);
            let values: Vec<String> = match of {
                "address" => vec![r#""0x00000000000000000000000000000000000bad00""#.into()],
                "bytes4" => vec![r#""0x00000001""#.into()],
                "int8" => vec!["3".into()],
                "bytes" => vec![r#""0x0103""#.into(), r#""0x""#.into()],
                _ => {
                    let was: U256 = was.as_text().unwrap().parse().unwrap();
                    [was + one, was.saturating_sub(one)].map(|value| format!(r#""{value}""#)).to_vec()
                }
            };
            for value in values.into_iter().filter(|value| json(value) != was) {
                let path = format!("toSign.value.{field}");
                bank.rig.world.service.borrow_mut().build_lie = Some(Box::new(move |build| set(build, &path, &value)));
                let error = again(&bank, &build, &permit).expect_err(&case);
                assert_eq!(error.code, ErrorCode::VerifyMismatch, "{case}: {error:?}");
                found.insert(error.field.clone().unwrap());
            }
            bank.rig.world.service.borrow_mut().build_lie = None;
            again(&bank, &build, &permit).unwrap_or_else(|error| panic!("{case}: {error:?}"));
        }
    }
    // These the request would have let pass: the order says as much, or more than it has to.
    for field in ["order.metadata", "order.destAmount", "order.srcAmount", "order.bridge", "order.partnerAndFee"] {
        assert!(found.iter().any(|one| one.starts_with(field)), "{field} of {found:?}");
    }
}

#[test]
fn a_transaction_that_differs_in_what_bounds_it_is_refused_by_the_argument() {
    let own = ["fromAmount", "toAmount", "quotedAmount", "beneficiary", "partnerAndFee", "srcToken", "destToken"];
    for (method, request) in [(0, SELL), (1, BUY), (4, SELL), (8, SELL), (10, SELL)] {
        for argument in own {
            for up in [true, false] {
                let bank = bank_of(Token::default(), method);
                let build = bank.rig.build(&quote_of(&bank, &market(request)), r#"{"slippageBps":50}"#).unwrap();
                let permit = sign(&bank, &build, "eip2612").unwrap();
                let lie = move |path: &str, honest: &DynSolValue| {
                    let named = path.split('.').any(|name| name.starts_with(argument)) && !path.contains("orders");
                    let one = U256::from(1);
                    named.then(|| match honest {
                        DynSolValue::Uint(value, bits) => {
                            DynSolValue::Uint(if up { *value + one } else { *value - one }, *bits)
                        }
                        DynSolValue::Address(_) => DynSolValue::Address(Address::repeat_byte(u8::from(up) + 0x40)),
                        other => other.clone(),
                    })
                };
                bank.rig.world.service.borrow_mut().market.argument_lie = Some(Box::new(lie));
                let outcome = again(&bank, &build, &permit);
                let (is_there, case) = (METHODS[method].contains(argument), format!("{method} {argument} {up}"));
                match outcome {
                    Err(error) => {
                        assert!(is_there, "{case}: {error:?}");
                        assert_eq!(error.code, ErrorCode::VerifyMismatch, "{case}");
                        let field = error.field.clone().unwrap();
                        assert!(field.starts_with("transaction."), "{case}: {field}");
                    }
                    Ok(_) => assert!(!is_there, "{case}"),
                }
            }
        }
    }
    for (member, value) in [("value", r#""1""#), ("to", &format!(r#""{DELTA}""#)), ("from", &format!(r#""{DELTA}""#))] {
        let bank = bank_of(Token::default(), 0);
        let build = bank.rig.build(&quote_of(&bank, &market(SELL)), r#"{"slippageBps":50}"#).unwrap();
        let permit = sign(&bank, &build, "eip2612").unwrap();
        let (member, value) = (member.to_owned(), value.to_owned());
        let field = format!("transaction.{member}");
        bank.rig.world.service.borrow_mut().market.envelope_lie =
            Some(Box::new(move |envelope| set(envelope, &member, &value)));
        assert_eq!(again(&bank, &build, &permit).unwrap_err().field, Some(field));
    }
    // Another method that would do the same.
    let bank = bank_of(Token::default(), 0);
    let build = bank.rig.build(&quote_of(&bank, &market(SELL)), r#"{"slippageBps":50}"#).unwrap();
    let permit = sign(&bank, &build, "eip2612").unwrap();
    bank.rig.world.service.borrow_mut().market.method = 12;
    assert_eq!(again(&bank, &build, &permit).unwrap_err().field.as_deref(), Some("transaction.data.method"));
}

/// DAI's form lets everything be taken, and the contracts know it by its length alone.
#[test]
fn a_permit_of_dais_form_in_the_services_answer_is_none_that_was_asked_for() {
    let form = |bank: &Bank, spender: &str| {
        let (nonce, expiry, half) = (U256::from(3), U256::from(1_800_001_200), B256::repeat_byte(0x55));
        let (holder, spender) = (bank.rig.owner(), spender.parse().unwrap());
        dai::permitCall { holder, spender, nonce, expiry, allowed: true, v: 27, r: half, s: half }.abi_encode()[4..]
            .to_vec()
    };
    let assert_refused = |outcome: Result<Json>, field: &str, case: &str| {
        let error = outcome.expect_err(case);
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::VerifyMismatch, Some(field)), "{case}");
    };
    for (method, signature) in METHODS.into_iter().enumerate().filter(|(_, signature)| !signature.contains("PSM")) {
        let bank = bank_of(Token::default(), method);
        let quote = quote_of(&bank, &market(if signature.starts_with("swapExactAmountOut") { BUY } else { SELL }));
        let options = r#"{"slippageBps":50}"#;
        let build = bank.rig.build(&quote, options).unwrap();
        let permit = sign(&bank, &build, "eip2612").unwrap();
        let bytes = form(&bank, ROUTER);
        assert_eq!(bytes.len(), 256);
        bank.rig.world.service.borrow_mut().market.argument_lie =
            Some(Box::new(move |path, _| (path == "permit").then(|| DynSolValue::Bytes(bytes.clone()))));
        assert_refused(bank.rig.build(&quote, options), "transaction.data.permit", signature);
        assert_refused(again(&bank, &build, &permit), "transaction.data.permit", signature);
    }
    for is_reviewed in [false, true] {
        let bank = bank_of(Token::default(), 0);
        let reviewed = is_reviewed.then(|| {
            let build = bank.rig.built(SELL).unwrap();
            let permit = sign(&bank, &build, "eip2612").unwrap();
            (build, permit)
        });
        let bytes = format!(r#""{}""#, hex::encode_prefixed(form(&bank, DELTA)));
        bank.rig.world.service.borrow_mut().build_lie =
            Some(Box::new(move |build| set(build, "toSign.value.permit", &bytes)));
        let outcome = reviewed.map_or_else(|| bank.rig.built(SELL), |(build, permit)| again(&bank, &build, &permit));
        assert_refused(outcome, "order.permit", "an order");
    }
}

#[test]
fn a_build_says_what_it_spends_of_whom_and_until_when() {
    for (given, field) in [
        (r#""amount":"1""#, "options.amount"),
        (r#""slippageBps":50"#, "options.slippageBps"),
        (r#""account":"0x00000000000000000000000000000000000bad00""#, "options.account"),
        (r#""deadline":1800001199"#, "options.deadline"),
        (r#""maxSpent":"99999999""#, "permit.amount"),
    ] {
        let bank = bank_of(Token::default(), 0);
        let build = bank.rig.built(SELL).unwrap();
        let error = bank.sign(&build, &format!(r#"{{"kind":"eip2612",{given}}}"#)).unwrap_err();
        assert_eq!(error.field.as_deref(), Some(field), "{given}");
        bank.rig.world.assert_untouched();
    }
    let bank = bank_of(Token::default(), 0);
    let build = bank.rig.built(SELL).unwrap();
    assert_eq!(at(&build, "deadline").write(), "1800001200");
    let error = bank.sign(&build, r#"{"kind":"permit2Transfer","deadline":1800001201}"#).unwrap_err();
    assert_eq!(error.field.as_deref(), Some("options.deadline"), "one transfer has the order's deadline");
    let named = format!(
        r#"{{"kind":"eip2612","deadline":1800001201,"maxSpent":"100000000","account":"{}"}}"#,
        bank.rig.owner()
    );
    let permit = bank.sign(&build, &named).unwrap();
    again(&bank, &build, &permit).unwrap();
    // The router's transfers are good for twenty minutes, however long the build is.
    let bank = bank_of(Token::default(), 0);
    let build = bank.rig.build(&quote_of(&bank, &market(SELL)), r#"{"slippageBps":50,"validForSecs":9000}"#).unwrap();
    let permit = sign(&bank, &build, "permit2Transfer").unwrap();
    assert_eq!(
        (at(&build, "deadline").write(), at(&permit, "deadline").write()),
        ("1800009000".into(), "1800001200".into())
    );
    again(&bank, &build, &permit).unwrap();
}

#[test]
fn only_a_build_that_was_reviewed_here_and_can_be_paid_by_a_permit_is_signed_for() {
    let bank = bank_of(Token::default(), 0);
    let build = bank.rig.built(SELL).unwrap();
    let refused = |bank: &Bank, build: &Json, field: &str| {
        for outcome in [sign(bank, build, "eip2612"), bank.rig.build(build, r#"{"permit":{}}"#)] {
            let error = outcome.unwrap_err();
            assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(field)), "{error:?}");
        }
    };
    for (member, value) in [("maxSpent", r#""1""#), ("owner", &format!(r#""{DELTA}""#)), ("report.sentence", r#""no""#)]
    {
        let mut edited = build.clone();
        set(&mut edited, member, value);
        refused(&bank, &edited, &format!("build.{}", member.split('.').next().unwrap()));
    }
    let stranger = Rig::in_world(bank.rig.world.clone(), |shared, _| shared.settings.secret = [9; 32]);
    let theirs = stranger.built(SELL).unwrap();
    refused(&bank, &theirs, "build");
    for kind in kinds().into_iter().filter(|kind| !takes_permit(kind) && !kind.request.contains("0xEeee")) {
        let bank = bank_of(Token::default(), 0);
        bank.rig.world.service.borrow_mut().building.fillable = kind.fillable;
        let build = kind.built(&bank.rig).unwrap();
        let slices = kind.request.contains("numSlices") && !kind.options.contains("limit");
        refused(&bank, &build, if slices { "build.twap" } else { "build.type" });
    }
    bank.rig.world.assert_untouched();
    // Once is enough.
    let permit = sign(&bank, &build, "eip2612").unwrap();
    let rebuilt = again(&bank, &build, &permit).unwrap();
    refused(&bank, &rebuilt, "build");
    for (options, field) in [
        ("{}".to_owned(), "quote"),
        (format!(r#"{{"slippageBps":50,"permit":{}}}"#, permit.write()), "options.slippageBps"),
    ] {
        assert_eq!(bank.rig.build(&build, &options).unwrap_err().field.as_deref(), Some(field));
    }
}

#[test]
fn a_permit_that_does_not_fit_the_build_does_not_leave_for_the_service() {
    for (signed, is_other, field) in [
        (r#"{"kind":"eip2612","amount":"99999999"}"#, false, "options.permit.amount"),
        (r#"{"kind":"eip2612","deadline":1800001199}"#, false, "options.permit.deadline"),
        (r#"{"kind":"permit2Transfer","deadline":1800001201}"#, false, "options.permit.deadline"),
        (r#"{"kind":"permit2Transfer","amount":"100000001","deadline":1800001200}"#, false, "options.permit.amount"),
        (r#"{"kind":"eip2612"}"#, true, "options.permit.spender"),
    ] {
        let bank = bank_of(Token::default(), 0);
        let quote = quote_of(&bank, &if is_other { market(SELL) } else { SELL.to_owned() });
        let build = bank.rig.built(SELL).unwrap();
        let permit = bank.sign(&quote, signed).unwrap();
        let error = again(&bank, &build, &permit).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(field)), "{signed}");
        assert_eq!(bank.rig.world.sent("build").len(), 1, "{signed}");
    }
}

/// The cost of a purchase is the service's word, and no bound of a permit.
#[test]
fn a_purchase_for_everything_there_is_gets_no_permit() {
    for (mode, method) in [("DELTA", 0), ("MARKET", 1)] {
        let bank = bank_of(Token::default(), method);
        let most = U256::from(10).pow(U256::from(30)).to_string();
        let dear = most.clone();
        bank.rig.world.service.borrow_mut().quote_lie = Some(Box::new(move |quote| {
            set(quote, "delta.route.origin.input.amount", &format!(r#""{dear}""#));
            for path in ["origin.input", "origin.output", "destination.input", "destination.output"] {
                set(quote, &format!("delta.route.{path}.amountUSD"), r#""1000000000000000000000000""#);
            }
        }));
        let dear = most.clone();
        bank.rig.world.service.borrow_mut().market.route_lie = Some(Box::new(move |route| {
            set(route, "srcAmount", &format!(r#""{dear}""#));
        }));
        let quote = bank.rig.quote(&with(BUY, &format!(r#""mode":"{mode}""#))).unwrap();
        assert_eq!(text(&quote, "srcAmount"), most);
        let error = bank.sign(&quote, r#"{"kind":"eip2612","slippageBps":50}"#).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("options.maxSpent")), "{mode}");
        // Nor is there a build of it that could be signed for.
        let error = bank.rig.build(&quote, r#"{"slippageBps":50}"#).map(|_| ()).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::VerifyMismatch, Some("quote.price")), "{mode}");
        bank.rig.world.assert_untouched();
    }
}

/// The token's own permit sets the allowance, from which an open order takes as well.
#[test]
fn a_permit_that_sets_the_allowance_covers_own_open_orders() {
    let bank = bank_of(token(), 0);
    bank.token.borrow_mut().allowance = U256::from(100_000_000);
    bank.rig.submit(&bank.rig.built(SELL).unwrap()).unwrap();
    let built =
        |existing| bank.rig.built_as(SELL, &format!(r#"{{"slippageBps":50,"existing":"{existing}"}}"#)).unwrap();
    let bounded = r#"{"kind":"eip2612","maxSpent":"100000000"}"#.to_owned();
    for (existing, options, amount) in [
        ("keepBoth", options("eip2612"), "200000000"),
        // The caller's own bound holds, and Permit2's allowances are other ones.
        ("keepBoth", bounded, "100000000"),
        ("keepBoth", options("permit2Transfer"), "100000000"),
        // Only one of the two can be filled.
        ("replace", options("eip2612"), "100000000"),
    ] {
        let permit = bank.sign(&built(existing), &options).unwrap();
        assert_eq!(text(&permit, "amount"), amount, "{existing} {options}");
    }
    // The order that carries it is the one that was reviewed.
    let build = built("keepBoth");
    let permit = sign(&bank, &build, "eip2612").unwrap();
    bank.rig.submit(&again(&bank, &build, &permit).unwrap()).unwrap();
}
