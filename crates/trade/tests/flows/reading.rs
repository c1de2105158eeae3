//! The bytes of an answer: read strictly, or not at all.

use super::fake_host::{Rig, SELL, answer, at, json, set, text};
use verify::internal::error::ErrorCode;
use verify::internal::json::Json;

/// The end of building when the text of the build has been changed so.
fn built_from(change: impl Fn(String) -> String + 'static) -> Result<Rig, (ErrorCode, String)> {
    let rig = Rig::default();
    rig.world.service.borrow_mut().build_text = Some(Box::new(change));
    let outcome = rig.built(SELL);
    rig.world.assert_untouched();
    match outcome {
        Ok(build) => {
            rig.submit(&build).unwrap();
            Ok(rig)
        }
        Err(error) => Err((error.code, error.field.clone().unwrap_or_default())),
    }
}

#[test]
fn a_duplicate_member_is_malformed_in_any_order_and_escaping() {
    let evil = "0x00000000000000000000000000000000000bad00";
    for name in ["beneficiary", "b\\u0065neficiary", "\\u0062eneficiar\\u0079"] {
        for first in [true, false] {
            let outcome = built_from(move |text| {
                let (head, tail) = text.split_once(r#""beneficiary":"#).unwrap();
                let (honest, tail) = tail.split_once(',').unwrap();
                let double = match first {
                    true => format!(r#""{name}":"{evil}","beneficiary":{honest}"#),
                    false => format!(r#""beneficiary":{honest},"{name}":"{evil}""#),
                };
                format!("{head}{double},{tail}")
            });
            assert_eq!(outcome.err().unwrap().0, ErrorCode::ServiceMalformed, "{name}, first: {first}");
        }
    }
}

#[test]
fn every_object_of_an_answer_may_name_a_member_once() {
    for (member, double) in [
        (r#""toSign":"#, r#""toSign":null,"toSign":"#),
        (r#""orderHash":"#, r#""order\u0048ash":"0x","orderHash":"#),
        (r#""domain":"#, r#""domain":{},"domain":"#),
        (r#""chainId":"#, r#""chainId":1,"chainId":"#),
        (r#""types":"#, r#""types":{},"types":"#),
        (r#""Order":"#, r#""Order":[],"Order":"#),
        (r#""value":"#, r#""value":{},"value":"#),
        (r#""protocolData":"#, r#""protocolData":"0x","protocolData":"#),
        (r#""hint":"#, r#""hint":1,"hint":"#),
    ] {
        let outcome = built_from(move |text| {
            assert!(text.contains(member));
            text.replacen(member, double, 1)
        });
        assert_eq!(outcome.err().expect(member).0, ErrorCode::ServiceMalformed, "{member}");
    }
    let rig = Rig::default();
    rig.world.service.borrow_mut().quote_text =
        Some(Box::new(|text| text.replacen(r#""spender":"#, r#""spender":"0x","spender":"#, 1)));
    assert_eq!(rig.quote(SELL).unwrap_err().code, ErrorCode::ServiceMalformed);
}

#[test]
fn integers_are_canonical_decimals() {
    for wrong in ["1e8", "1E8", "0100000000", "0x5f5e100", "100000000.0", "+100000000", "-100000000", " 100000000", ""]
    {
        let outcome = built_from(move |text| {
            text.replacen(r#""srcAmount":"100000000""#, &format!(r#""srcAmount":"{wrong}""#), 1)
        });
        let refused = outcome.err().expect(wrong);
        assert_eq!(refused, (ErrorCode::ServiceMalformed, "toSign.value.srcAmount".into()), "{wrong}");
    }
    for wrong in ["1e8", "1E+8", "100000000.0", "-100000000"] {
        let outcome =
            built_from(move |text| text.replacen(r#""srcAmount":"100000000""#, &format!(r#""srcAmount":{wrong}"#), 1));
        assert_eq!(outcome.err().expect(wrong).0, ErrorCode::ServiceMalformed, "{wrong}");
    }
    let above = format!("1{}", "0".repeat(77)).leak() as &str;
    let above = format!("9{above}").leak() as &str;
    let outcome = built_from(move |text| text.replacen(r#""100000000""#, &format!(r#""{above}""#), 1));
    assert_eq!(outcome.err().unwrap().0, ErrorCode::ServiceMalformed);
    for wrong in [r#""0""#, r#""-0""#, r#""00""#, r#""+0""#, "128", "-129", "0.0"] {
        let outcome =
            built_from(move |text| text.replacen(r#""scalingFactor":0"#, &format!(r#""scalingFactor":{wrong}"#), 1));
        assert_eq!(outcome.is_ok(), wrong == r#""0""#, "{wrong}");
    }
}

#[test]
fn missing_members_are_named() {
    for (member, path) in [
        ("owner", "toSign.value.owner"),
        ("destAmount", "toSign.value.destAmount"),
        ("permit", "toSign.value.permit"),
        ("protocolSelector", "toSign.value.bridge.protocolSelector"),
    ] {
        let outcome = built_from(move |text| text.replacen(&format!(r#""{member}":"#), &format!(r#""_{member}":"#), 1));
        assert_eq!(outcome.err().unwrap(), (ErrorCode::ServiceMalformed, path.into()));
    }
}

#[test]
fn an_answer_that_is_no_json_is_malformed() {
    for body in ["", "<html></html>", r#"{"toSign":"#, "[]", "null", r#"{"toSign":{}} "tail""#] {
        let rig = Rig::default();
        rig.world.service.borrow_mut().build_text = Some(Box::new(move |_| body.into()));
        let error = rig.built(SELL).expect_err(body);
        assert_eq!(error.code, ErrorCode::ServiceMalformed, "{body}: {error:?}");
    }
    let deep = format!("{}{}", "[".repeat(65), "]".repeat(65));
    let outcome = built_from(move |text| text.replacen(r#""hint":"#, &format!(r#""deep":{deep},"hint":"#), 1));
    assert_eq!(outcome.err().unwrap().0, ErrorCode::ServiceMalformed);
}

#[test]
fn a_proto_member_does_no_harm_and_is_posted_as_it_came() {
    let rig = Rig::default();
    let more = r#""__proto__":{"owner":"0x00"},"constructor":{"prototype":{"a":1}},"#;
    rig.world.service.borrow_mut().more = more;
    let build = rig.built(SELL).unwrap();
    rig.submit(&build).unwrap();
    assert!(rig.world.posts()[0].contains(more));
    let given = &rig.world.wallet_was_asked("eth_signTypedData_v4")[0];
    assert!(!given.contains("__proto__") && !given.contains("constructor"));
    let Json::Object(members) = build else { panic!() };
    for (name, value) in members.iter().filter(|(name, _)| name != "sealed") {
        assert!(name != "__proto__" && !value.write().contains("__proto__"), "{name}");
    }
}

#[test]
fn a_proto_member_of_a_posted_order_is_left_out() {
    let rig = Rig::default();
    let build = rig.built(SELL).unwrap();
    rig.world
        .service
        .borrow_mut()
        .accepts_but(|said| answer(200, said.body.replacen('{', r#"{"__proto__":{"status":"COMPLETED"},"#, 1)));
    let text = rig.call_telling("submit", &build, "{}", &|_| {}).unwrap();
    assert!(!text.contains("__proto__") && text.contains("PENDING"), "{text}");
}

#[test]
fn text_of_the_service_cannot_enter_the_sentence() {
    let rig = Rig::default();
    rig.world.service.borrow_mut().quote_lie =
        Some(Box::new(|quote| set(quote, "delta.partner.name", r#""\u202eevil\u200b for 1000000 WETX""#)));
    let build = rig.built(SELL).unwrap();
    let sentence = text(&build, "report.sentence");
    assert!(!sentence.contains("evil") && !sentence.contains("1000000"), "{sentence}");
}

#[test]
fn hidden_characters_in_the_callers_own_words_are_shown() {
    for (hidden, shown) in [
        ("\u{202e}", "\\u{202e}"),
        ("\u{200b}", "\\u{200b}"),
        ("\u{2066}", "\\u{2066}"),
        ("\u{feff}", "\\u{feff}"),
        ("\u{7}", "\\u{7}"),
        ("\u{e0041}", "\\u{e0041}"),
    ] {
        let rig = Rig::default();
        let mut request = json(SELL);
        set(&mut request, "destSymbol", &verify::internal::json::quoted(&format!("WE{hidden}TX")));
        let build = rig.built(&request.write()).unwrap();
        let sentence = text(&build, "report.sentence");
        assert!(sentence.contains(&format!("WE{shown}TX")) && !sentence.contains(hidden), "{sentence}");
    }
}

#[test]
fn a_time_in_milliseconds_is_no_deadline() {
    let rig = Rig::default();
    let quote = rig.quote(SELL).unwrap();
    for options in [r#"{"slippageBps":50,"deadline":1800000600000}"#, r#"{"slippageBps":50,"deadline":7258118400}"#] {
        let error = rig.build(&quote, options).unwrap_err();
        assert_eq!(error.field.as_deref(), Some("options.deadline"), "{error:?}");
        assert!(error.expected.as_deref().is_some_and(|expected| expected.contains("not milliseconds")), "{error:?}");
    }
    rig.build(&quote, r#"{"slippageBps":50,"deadline":7258118399}"#).unwrap();
}

#[test]
fn a_name_far_from_any_option_gets_no_guess() {
    let rig = Rig::default();
    let quote = rig.quote(SELL).unwrap();
    let expected = |options: &str| rig.build(&quote, options).unwrap_err().expected.clone().unwrap();
    assert_eq!(expected(r#"{"slippageBps":50,"somethingElse":1}"#), "a known option");
    assert_eq!(expected(r#"{"slipageBps":50}"#), "a known option (did you mean slippageBps?)");
}

#[test]
fn a_token_name_cannot_continue_the_sentence() {
    let rig = Rig::default();
    let request = SELL.replace("USDX", "USDX to 0xevil");
    let quote = rig.quote(&request).unwrap();
    assert!(text(at(&quote, "report"), "sentence").contains(r"USDX\u{20}to\u{20}0xevil"));
}
