//! The questions of `trade` to the module: which prompts a build opens, and whether a chosen word is one.

use crate::fake_host::json;
use verified_swap_trade::flows::compute;

#[test]
fn a_build_lacks_an_allowance_that_is_too_low_for_it_alone() {
    let facts = |approval: &str, token: &str| {
        let build = format!(r#"{{"maxSpent":"7","approval":{approval},"request":{{"srcToken":"{token}"}}}}"#);
        compute("promptFacts", &json(&build), &json("null"))
    };
    let token = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
    for (approval, lacks) in [
        ("null", false),
        (r#"{"current":null}"#, true),
        (r#"{"current":"6"}"#, true),
        (r#"{"current":"7"}"#, false),
        (r#"{"current":"8","amount":"9"}"#, false),
    ] {
        let expected = format!(r#"{{"lacksAllowance":{lacks},"sellsNative":false}}"#);
        assert_eq!(facts(approval, token).unwrap(), expected, "{approval}");
    }
    assert_eq!(facts(r#"{"current":"-1"}"#, token).unwrap_err().field.as_deref(), Some("build.approval.current"));
    for native in ["0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE", "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"] {
        assert!(facts("null", native).unwrap().contains(r#""sellsNative":true"#));
    }
}

#[test]
fn a_choice_that_is_none_is_refused_by_its_name() {
    let refused = |choices: &str| {
        let error = compute("checkChoices", &json(choices), &json(r#""onFailure""#)).err();
        error.map(|error| (error.code.name(), error.field.clone().unwrap_or_default()))
    };
    for right in [
        "{}",
        r#"{"preSign":null,"batch":null,"existing":null}"#,
        r#"{"preSign":true,"withoutJournal":false,"batch":"never","existing":"keepBoth","slippageBps":"50"}"#,
        r#"{"permit":"permit2Existing","slippageBps":10000,"batch":"auto","existing":"replace"}"#,
    ] {
        assert_eq!(refused(right), None, "{right}");
    }
    for (name, wrong) in [
        ("preSign", r#""yes""#),
        ("withoutJournal", "1"),
        ("batch", "true"),
        ("batch", r#""no""#),
        ("existing", r#""both""#),
        ("permit", r#""dai""#),
        ("permit", "5"),
        ("slippageBps", "0.5"),
        ("slippageBps", "10001"),
    ] {
        let expected = Some(("INVALID_INPUT", format!("onFailure.{name}")));
        assert_eq!(refused(&format!(r#"{{"{name}":{wrong}}}"#)), expected, "{name}: {wrong}");
    }
}

#[test]
fn answers_carry_over_by_their_ids() {
    let build = |id: &str, least: &str| {
        let question = format!(r#"{{"id":"{id}","reason":"noReference","field":"quote.price"}}"#);
        let bounds = format!(r#""kind":"market","owner":"0x1","request":{{}},"maxSpent":"5","minReceived":"{least}""#);
        (format!(r#"{{{bounds},"report":{{"questions":[{question}]}}}}"#), question)
    };
    let (before, question) = build("a", "7");
    for (least, ids, is_no_worse) in [("7", r#"["b"]"#, "true"), ("6", "[]", "false")] {
        let (next, _) = build("b", least);
        let asked = json(&format!(r#"{{"questions":[{question}],"next":{next}}}"#));
        assert_eq!(compute("carriesOver", &asked, &json(&before)).unwrap(), ids);
        assert_eq!(compute("isNoWorse", &json(&next), &json(&before)).unwrap(), is_no_worse);
    }
    let error =
        compute("carriesOver", &json(r#"{"questions":7,"next":{"report":{"questions":[{"id":"a"}]}}}"#), &json("{}"));
    assert_eq!(error.unwrap_err().field.as_deref(), Some("questions"));
}
