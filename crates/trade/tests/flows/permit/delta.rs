//! Permits in gasless orders: the bytes that were signed, and nothing but what they were signed for.

use super::{Bank, Token, bank, options, quote_of};
use crate::fake_host::{BUY, Moment, Rig, SELL, at, json, set, text};
use crate::journal::note;
use alloy_primitives::{Address, U256};
use std::cell::RefCell;
use std::rc::Rc;
use verify::internal::domain::permit::PermitKind;
use verify::internal::error::{Error, ErrorCode};
use verify::internal::json::Json;

/// Signs, and builds with what was signed.
fn built(bank: &Bank, request: &str, signed: &str, more: &str) -> Result<Json, Error> {
    let quote = quote_of(bank, request);
    let permit = bank.sign(&quote, signed)?;
    bank.rig.build(&quote, &format!(r#"{{"slippageBps":50,"permit":{}{more}}}"#, permit.write()))
}

#[test]
fn every_kind_goes_into_an_order_that_needs_no_approval() {
    for (kind, label) in PermitKind::ALL {
        // One transfer is signed over the order's own deadline.
        let (bytes, deadline) = match kind {
            PermitKind::Eip2612 => (224, ""),
            PermitKind::Permit2Transfer => (96, r#","deadline":1800000900"#),
            PermitKind::Permit2Allowance => (192, ""),
            PermitKind::Permit2Existing => (1, ""),
        };
        let bank = bank(Token { granted: (100_000_000, 1_800_001_200, 0), ..Token::default() });
        let signed = format!(r#"{{"kind":"{label}"{deadline}}}"#);
        let build = built(&bank, SELL, &signed, deadline).unwrap();
        assert_eq!(at(&build, "approval"), &Json::Null, "{label}");
        assert_eq!(text(&build, "typedData.message.permit").len(), 2 + 2 * bytes, "{label}");
        bank.rig.submit(&build).unwrap();
        assert!(bank.rig.world.posts()[0].contains(text(&build, "typedData.message.permit")), "{label}");
        let asked = json(bank.rig.world.sent("build")[0].body.as_ref().unwrap());
        assert_eq!(text(&asked, "permit"), text(&build, "typedData.message.permit"), "{label}");
    }
}

#[test]
fn a_purchase_by_one_transfer_covers_what_the_order_takes_exactly() {
    let bank = bank(Token::default());
    let deadline = r#","deadline":1800000900"#;
    let signed = format!(r#"{{"kind":"permit2Transfer","slippageBps":50,"maxSpent":"100500000"{deadline}}}"#);
    built(&bank, BUY, &signed, deadline).unwrap();
    for amount in ["100499999", "100500001"] {
        let signed = format!(r#"{{"kind":"permit2Transfer","amount":"{amount}"{deadline}}}"#);
        let error = built(&bank, BUY, &signed, deadline).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::VerifyMismatch, Some("permit.amount")));
    }
}

#[test]
fn a_permit_for_less_or_for_another_deadline_is_refused() {
    for (signed, more, field) in [
        (r#"{"kind":"eip2612","amount":"99999999"}"#, "", "options.permit.amount"),
        (r#"{"kind":"permit2Allowance","amount":"99999999"}"#, "", "options.permit.amount"),
        (r#"{"kind":"permit2Transfer","deadline":1800000900}"#, r#","deadline":1800000901"#, "options.deadline"),
        (r#"{"kind":"permit2Transfer","deadline":1800000900}"#, r#","validForSecs":901"#, "options.validForSecs"),
        (
            r#"{"kind":"permit2Transfer","amount":"100000001","deadline":1800000900}"#,
            r#","deadline":1800000900"#,
            "options.permit.amount",
        ),
    ] {
        let bank = bank(Token::default());
        let error = built(&bank, SELL, signed, more).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(field)), "{signed}");
        assert!(bank.rig.world.sent("build").is_empty(), "the service was not asked");
        if !more.is_empty() && field != "options.permit.amount" {
            assert_eq!(error.expected.as_deref(), Some("none, or the permit's: 1800000900"), "{signed}");
        }
    }
    let more = bank(Token::default());
    built(&more, SELL, r#"{"kind":"eip2612","amount":"100000001"}"#, "").unwrap();
}

/// The deadline of a transfer that is signed is the order's, whether or not it is named again.
#[test]
fn an_order_has_the_deadline_of_the_transfer_that_pays_for_it() {
    for (signed, more) in [
        ("", ""),
        (r#","deadline":1800000900"#, ""),
        (r#","deadline":1800000900"#, r#","validForSecs":900"#),
        (r#","deadline":1800000900"#, r#","deadline":1800000900"#),
        // Longer than any order that counts from now.
        (r#","deadline":1800200000"#, ""),
    ] {
        let bank = bank(Token::default());
        let quote = quote_of(&bank, SELL);
        let permit = bank.sign(&quote, &format!(r#"{{"kind":"permit2Transfer"{signed}}}"#)).unwrap();
        let with = |more: &str| format!(r#"{{"slippageBps":50,"permit":{}{more}}}"#, permit.write());
        let build = bank.rig.build(&quote, &with(more)).unwrap();
        assert_eq!(at(&build, "deadline"), at(&permit, "deadline"), "{signed} {more}");
        assert_eq!(at(&build, "typedData.message.deadline").as_text(), Some(&*at(&permit, "deadline").write()));
        bank.rig.submit(&build).unwrap();
    }
    // Once it has run out it is for nothing any more.
    let bank = bank(Token::default());
    let permit = bank.sign(&quote_of(&bank, SELL), r#"{"kind":"permit2Transfer","deadline":1800000900}"#).unwrap();
    bank.rig.world.age_reads();
    bank.rig.world.chain.borrow_mut().node(8453).time = 1_800_000_900;
    let with = format!(r#"{{"slippageBps":50,"permit":{}}}"#, permit.write());
    let error = bank.rig.build(&quote_of(&bank, SELL), &with).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("options.permit.deadline")));
}

#[test]
fn a_permit_that_ends_before_the_order_does_is_refused() {
    let bank = bank(Token::default());
    let quote = quote_of(&bank, SELL);
    let permit = bank.sign(&quote, r#"{"kind":"eip2612","deadline":1800001205}"#).unwrap();
    let options = format!(r#"{{"slippageBps":50,"permit":{}}}"#, permit.write());
    let at_second = |time| bank.rig.world.chain.borrow_mut().node(8453).time = time;
    at_second(1_800_000_005);
    bank.rig.build(&quote, &options).unwrap();
    at_second(1_800_000_006);
    bank.rig.world.age_reads();
    // The same order, for the same price.
    bank.rig.build(&quote, &options).unwrap();
    bank.rig.world.pass(1);
    let error = bank.rig.build(&quote_of(&bank, SELL), &options).unwrap_err();
    assert_eq!(error.field.as_deref(), Some("permit.deadline"));
}

#[test]
fn a_permit_is_used_by_one_order() {
    let bank = bank(Token::default());
    let quote = quote_of(&bank, SELL);
    let permit = bank.sign(&quote, &options("eip2612")).unwrap();
    let options = format!(r#"{{"slippageBps":50,"permit":{}}}"#, permit.write());
    let (first, second) =
        (bank.rig.build(&quote, &options).unwrap(), bank.rig.build(&quote_of(&bank, SELL), &options).unwrap());
    // A post that was refused leaves it to the next.
    bank.rig.world.service.borrow_mut().next_is("post", 400, "{}");
    let signed = json(bank.rig.submit(&first).unwrap_err().signed_order.as_ref().unwrap());
    bank.rig.submit(&signed).unwrap();
    let error = bank.rig.build(&quote_of(&bank, SELL), &options).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("options.permit")));
    assert_eq!(text(&second, "orderHash"), text(&first, "orderHash"), "the same order: it is there already");
}

#[test]
fn an_allowance_that_permit2_has_is_used_more_than_once_and_may_have_no_end() {
    for until in [1_800_001_200, (1 << 48) - 1] {
        let bank = bank(Token { granted: (100_000_000, until, 0), ..Token::default() });
        for _ in 0..2 {
            bank.rig.submit(&built(&bank, SELL, r#"{"kind":"permit2Existing"}"#, "").unwrap()).unwrap();
        }
    }
}

/// Two builds with one permit.
fn two_with_one_permit(bank: &Bank) -> [Json; 2] {
    let quote = quote_of(bank, SELL);
    let permit = bank.sign(&quote, &options("eip2612")).unwrap();
    ["", r#","deadline":1800000777"#].map(|more| {
        let with = format!(r#"{{"slippageBps":50,"permit":{}{more}}}"#, permit.write());
        bank.rig.build(&quote, &with).unwrap()
    })
}

/// The chain shows that this permit was used, or is void.
fn use_up(bank: &Bank, kind: PermitKind, permit: &Json) {
    let mut token = bank.token.borrow_mut();
    match kind {
        PermitKind::Eip2612 => token.nonce += 1,
        PermitKind::Permit2Transfer => token.transferred.push(text(permit, "nonce").parse().unwrap()),
        PermitKind::Permit2Allowance => token.granted.2 += 1,
        PermitKind::Permit2Existing => {}
    }
}

#[test]
fn a_permit_that_was_used_elsewhere_is_refused_before_the_prompt() {
    for (kind, label) in PermitKind::ALL {
        for allowance in [99_999_999, 100_000_000_u64] {
            let deadline = if kind == PermitKind::Permit2Transfer { r#","deadline":1800000900"# } else { "" };
            let bank = bank(Token {
                granted: (100_000_000, 1_800_001_200, 0),
                allowance: U256::from(allowance),
                ..Token::default()
            });
            let quote = quote_of(&bank, SELL);
            let permit = bank.sign(&quote, &format!(r#"{{"kind":"{label}"{deadline}}}"#)).unwrap();
            let with = format!(r#"{{"slippageBps":50,"permit":{}{deadline}}}"#, permit.write());
            let build = bank.rig.build(&quote, &with).unwrap();
            if kind == PermitKind::Permit2Transfer {
                // Another one of the same word.
                let other = text(&permit, "nonce").parse::<U256>().unwrap() ^ U256::from(1);
                bank.token.borrow_mut().transferred.push(other);
            }
            use_up(&bank, kind, &permit);
            let prompts = bank.rig.world.prompts();
            if kind == PermitKind::Permit2Existing {
                bank.rig.submit(&build).unwrap();
                continue;
            }
            let error = bank.rig.submit(&build).unwrap_err();
            assert_eq!(
                (error.code, error.field.as_deref()),
                (ErrorCode::InvalidInput, Some("build.permit")),
                "{label}"
            );
            let action = json(&error.write());
            let expected = if allowance == 100_000_000 { ("rebuild", "build again") } else { ("none", "sign another") };
            assert_eq!(text(&action, "action"), expected.0, "{label}");
            assert!(error.message.contains("used") && error.message.contains(expected.1), "{error:?}");
            assert_eq!((bank.rig.world.prompts(), bank.rig.world.posts().len()), (prompts, 0), "{label}");
            // Nothing of it is noted: the same trade is built without it.
            if allowance == 100_000_000 {
                bank.rig.submit(&bank.rig.built(SELL).unwrap()).unwrap();
            }
        }
    }
}

#[test]
fn a_permit_that_was_used_between_the_prompt_and_the_post_is_named() {
    for (allowance, is_used, expected) in [
        (99_999_999_u64, true, "sign another"),
        (100_000_000, true, "build again without it"),
        (99_999_999, false, "Permit refused"),
    ] {
        let bank = bank(Token { allowance: U256::from(allowance), ..Token::default() });
        let build = built(&bank, SELL, &options("eip2612"), "").unwrap();
        let token = bank.token.clone();
        let mut signed = false;
        bank.rig.world.at_each(move |_, moment| {
            if moment == Moment::Answer("eth_signTypedData_v4") && !std::mem::replace(&mut signed, true) {
                token.borrow_mut().nonce += u64::from(is_used);
            }
        });
        bank.rig.world.service.borrow_mut().always_is("post", 400, r#"{"errorType":"X","details":"Permit refused"}"#);
        let error = bank.rig.submit(&build).unwrap_err();
        assert!(error.message.contains(expected) && error.message.contains("could still be filled"), "{error:?}");
        assert_eq!(error.details.as_deref(), Some("Permit refused"));
        assert!(error.signed_order.is_some(), "{error:?}");
        let code = if is_used { ErrorCode::InvalidInput } else { ErrorCode::ServiceRejected };
        assert_eq!((error.code, error.field.as_deref()), (code, is_used.then_some("build.permit")), "{error:?}");
    }
}

#[test]
fn a_permit_whose_nonce_cannot_be_read_opens_no_prompt() {
    let bank = bank(Token::default());
    let build = built(&bank, SELL, &options("eip2612"), "").unwrap();
    let nonces = alloy_primitives::hex!("7ecebe00");
    bank.token.borrow_mut().busy = Some(nonces.to_vec());
    assert_eq!(bank.rig.submit(&build).unwrap_err().code, ErrorCode::RateLimited);
    assert_eq!((bank.rig.world.prompts(), bank.rig.world.posts().len()), (1, 0));
}

#[test]
fn a_build_whose_permit_was_used_meanwhile_is_not_signed() {
    let bank = bank(Token::default());
    let [first, second] = two_with_one_permit(&bank);
    bank.rig.submit(&first).unwrap();
    let error = bank.rig.submit(&second).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("build.permit")));
    assert_eq!(bank.rig.world.prompts(), 2, "the permit and the first order");
}

/// Those two builds; what becomes of the second while the first one's prompt is open.
fn at_once(before: impl FnOnce(&Bank)) -> (Rc<Bank>, Json, Result<Json, Error>, Error) {
    let bank = Rc::new(bank(Token::default()));
    let [first, second] = two_with_one_permit(&bank);
    before(&bank);
    let (again, copy, told) = (Rc::clone(&bank), second.clone(), Rc::new(RefCell::new(None)));
    let tell = Rc::clone(&told);
    bank.rig.world.once(Moment::Answer("eth_signTypedData_v4"), move |_| {
        // With consent it is not held up by the first.
        *tell.borrow_mut() = Some(again.rig.submit_with(&copy, r#"{"existing":"replace"}"#).unwrap_err());
    });
    let outcome = bank.rig.submit(&first);
    let told = told.borrow_mut().take().unwrap();
    (bank, second, outcome, told)
}

#[test]
fn a_permit_is_used_by_one_order_at_a_time_and_is_free_again_if_that_fails() {
    let (bank, second, outcome, told) = at_once(|_| {});
    outcome.unwrap();
    assert_eq!((told.code, told.field.as_deref()), (ErrorCode::InvalidInput, Some("build.permit")), "{told:?}");
    assert_eq!(bank.rig.submit(&second).unwrap_err().field.as_deref(), Some("build.permit"));
    assert_eq!((bank.rig.world.prompts(), bank.rig.world.posts().len()), (2, 1), "the permit and the first order");
    for fails in [true, false] {
        let (bank, second, outcome, told) = at_once(|bank| match fails {
            true => bank.rig.world.signer.borrow_mut().next_fails("eth_signTypedData_v4", 4001),
            false => bank.rig.world.service.borrow_mut().next_is("post", 400, "{}"),
        });
        outcome.unwrap_err();
        assert_eq!(told.field.as_deref(), Some("build.permit"));
        let again = if fails { "{}" } else { r#"{"existing":"replace"}"# };
        bank.rig.submit_with(&second, again).unwrap();
    }
}

#[test]
fn a_signed_order_whose_permit_was_used_meanwhile_is_not_posted() {
    let bank = bank(Token::default());
    let [first, second] = two_with_one_permit(&bank);
    let stop = bank.rig.signal.0.clone();
    bank.rig.world.once(Moment::Answer("eth_signTypedData_v4"), move |_| stop.set(true));
    assert_eq!(bank.rig.submit(&first).unwrap_err().code, ErrorCode::Aborted);
    bank.rig.signal.0.set(false);
    bank.rig.world.wallet_waits.set(true);
    bank.rig.submit(&second).unwrap();
    // The wallet has the first one's signature by now.
    let error = bank.rig.submit(&first).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("build.permit")));
    assert_eq!(bank.rig.world.posts().len(), 1);
    // The order that went out with it is returned and posted again all the same.
    bank.rig.submit(&second).unwrap();
    assert_eq!(bank.rig.submit(&first).unwrap_err().field.as_deref(), Some("build.permit"));
}

#[test]
fn a_noted_order_brings_no_permit_but_is_posted_where_it_is_signed() {
    let bank = bank(Token::default());
    let build = built(&bank, SELL, &options("eip2612"), "").unwrap();
    let signer = bank.rig.owner();
    // Whether it went out before, and whether it is the one that was signed, its own client knows.
    let stranger = Rig::in_world(bank.rig.world.clone(), |shared, _| shared.settings.secret = [9; 32]);
    note(&stranger, &build);
    let request = SELL.replacen('{', &format!(r#"{{"account":"{signer}","minReceived":"1","#), 1);
    let error = stranger.submit_with(&build, &format!(r#"{{"request":{request}}}"#)).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("build.permit")), "{error:?}");
    assert_eq!(bank.rig.world.prompts(), 1, "the permit");
    bank.rig.world.service.borrow_mut().next_is("post", 400, "{}");
    let signed = json(bank.rig.submit(&build).unwrap_err().signed_order.as_ref().unwrap());
    stranger.submit(&signed).unwrap();
    assert_eq!(bank.rig.world.prompts(), 2, "the permit and the order");
}

#[test]
fn limits_and_slices_outlive_a_permit() {
    let bank = bank(Token::default());
    let quote = quote_of(&bank, SELL);
    let permit = bank.sign(&quote, &options("eip2612")).unwrap();
    let options = format!(r#"{{"limitAmount":"1","permit":{}}}"#, permit.write());
    let error = bank.rig.build(&quote, &options).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("options.permit")));
    assert!(bank.rig.world.sent("build").is_empty());
}

#[test]
fn bytes_that_the_service_changed_are_refused() {
    for lie in [r#""0x""#.to_string(), format!(r#""0x{}""#, "11".repeat(224))] {
        let bank = bank(Token::default());
        bank.rig.world.service.borrow_mut().build_lie =
            Some(Box::new(move |build| set(build, "toSign.value.permit", &lie)));
        let error = built(&bank, SELL, &options("eip2612"), "").unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::VerifyMismatch, Some("order.permit")));
    }
}

#[test]
fn the_balance_still_has_to_be_there() {
    let bank = bank(Token::default());
    let build = built(&bank, SELL, &options("eip2612"), "").unwrap();
    let poor = |_: &Json| Ok(Json::String(crate::fake_host::hex_word(U256::from(6))));
    let token: Address = crate::fake_host::SRC.parse().unwrap();
    bank.rig.world.chain.borrow_mut().node(8453).contracts.insert(token, Box::new(poor));
    assert_eq!(bank.rig.submit(&build).unwrap_err().code, ErrorCode::InsufficientBalance);
}
