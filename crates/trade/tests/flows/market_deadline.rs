//! The time until which a Market build is sent.

use super::fake_host::{SELL, at, json, set, verdicts};
use super::market::{allowed, built, market, submit};
use verify::internal::error::ErrorCode;
use verify::internal::json::Json;

#[test]
fn an_edited_build_is_refused_by_the_name_of_what_was_edited() {
    let rig = allowed(u64::MAX);
    let honest = built(&rig, SELL).unwrap();
    let Json::Object(members) = &honest else { panic!() };
    for (name, value) in
        members.iter().filter(|(name, value)| name != "sealed" && name != "kind" && *value != Json::Null)
    {
        let mut edited = honest.clone();
        set(&mut edited, name, if *value == Json::Number("1".into()) { "2" } else { "1" });
        let error = submit(&rig, &edited).unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidInput, "{name}: {error:?}");
        if name != "chainId" {
            assert_eq!(error.field.as_deref(), Some(format!("build.{name}").as_str()), "{error:?}");
        }
    }
    let mut edited = honest.clone();
    set(&mut edited, "transaction.to", r#""0x00000000000000000000000000000000000bAd00""#);
    assert_eq!(submit(&rig, &edited).unwrap_err().field.as_deref(), Some("build.transaction"));
    rig.world.assert_untouched();
    submit(&rig, &honest).unwrap();
}

#[test]
fn a_build_shows_until_when_it_is_sent() {
    let rig = allowed(u64::MAX);
    let quote = rig.quote(&market(SELL)).unwrap();
    for (stated, deadline) in [
        ("", 1_800_001_200_u64),
        (r#","validForSecs":60"#, 1_800_000_060),
        (r#","deadline":1800000777"#, 1_800_000_777),
    ] {
        let build = rig.build(&quote, &format!(r#"{{"slippageBps":50{stated}}}"#)).unwrap();
        assert_eq!(at(&build, "deadline"), &Json::Number(deadline.to_string()), "{stated}");
        // The router's call carries none, and the report of who asked for one says so.
        let told = if stated.is_empty() { &[][..] } else { &["unknown"] };
        assert_eq!(verdicts(&build, "transaction.deadline"), told, "{stated}");
        let mut later = build.clone();
        set(&mut later, "deadline", "1800009999");
        assert_eq!(submit(&rig, &later).unwrap_err().field.as_deref(), Some("build.deadline"), "{stated}");
    }
    rig.world.assert_untouched();
}

#[test]
fn a_deadline_in_the_past_is_refused_by_its_option() {
    let rig = allowed(u64::MAX);
    let quote = rig.quote(&market(SELL)).unwrap();
    for (option, field, expected) in [
        (r#""deadline":1800000000"#, "options.deadline", "unix seconds after 1800000000"),
        (r#""validForSecs":0"#, "options.validForSecs", "at least 1"),
    ] {
        let error = rig.build(&quote, &format!(r#"{{"slippageBps":50,{option}}}"#)).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(field)));
        assert_eq!(error.expected.as_deref(), Some(expected));
    }
}

#[test]
fn a_deadline_is_stated_once() {
    let options = r#"{"slippageBps":50,"minReceived":"1","deadline":1800000777,"validForSecs":60}"#;
    let rig = allowed(u64::MAX);
    let asked = json(&market(SELL));
    let outcomes = [
        rig.build(&rig.quote(&market(SELL)).unwrap(), options),
        rig.build(&asked, options),
        rig.build(&rig.quote(SELL).unwrap(), options),
    ];
    for outcome in outcomes {
        let error = outcome.unwrap_err();
        assert_eq!(
            (error.code, error.field.as_deref()),
            (ErrorCode::InvalidInput, Some("options.deadline")),
            "{error:?}"
        );
        assert_eq!(error.expected.as_deref(), Some("either deadline or validForSecs"));
    }
    assert!(rig.world.sent("transactions").is_empty() && rig.world.sent("swap").is_empty());
}
