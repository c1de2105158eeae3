//! Objects that travel through the application: they come back as they went out, or they count for nothing.

use super::fake_host::{Rig, SELL, World, at, json, set, text, with};
use super::journal::note;
use std::rc::Rc;
use verify::internal::error::{Error, ErrorCode};
use verify::internal::json::{Json, quoted};

/// Another value of the same kind.
fn other(value: &Json) -> String {
    match value {
        Json::Null => "1".into(),
        Json::Bool(value) => (!value).to_string(),
        Json::Number(text) if text == "0" => "1".into(),
        Json::Number(text) => format!("{text}1"),
        Json::String(text) => quoted(&format!("{text}1")),
        Json::Array(items) if items.is_empty() => "[1]".into(),
        Json::Array(items) => Json::Array(items[1..].to_vec()).write(),
        Json::Object(members) => Json::Object(members[1..].to_vec()).write(),
    }
}

/// Every member of a tree but the seal, by path.
pub fn places(tree: &Json, path: &str, found: &mut Vec<String>) {
    let step = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match tree {
        Json::Object(members) => {
            for (name, value) in members.iter().filter(|(name, _)| name != "sealed") {
                found.push(step(name));
                places(value, &step(name), found);
            }
        }
        Json::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                places(value, &step(&index.to_string()), found);
            }
        }
        _ => {}
    }
}

#[track_caller]
fn assert_edited(error: &Error, root: &str, path: &str) {
    assert_eq!(error.code, ErrorCode::InvalidInput, "{path}: {error:?}");
    let top = path.split('.').next().unwrap();
    assert_eq!(error.field.as_deref(), Some(format!("{root}.{top}").as_str()), "{path}: {error:?}");
}

#[test]
fn every_visible_member_of_a_build_is_as_it_was_returned_or_refused() {
    let rig = Rig::default();
    // An approval is needed, so that there is one to edit.
    rig.world.chain.borrow_mut().node(8453).allowances.clear();
    let build = rig.built(SELL).unwrap();
    let mut all = Vec::new();
    places(&build, "", &mut all);
    assert!(all.len() > 80 && all.contains(&"approval.spender".to_owned()), "{all:?}");
    for path in all {
        let was = at(&build, &path);
        // Absent and null are the same to whoever passes it on.
        if *was == Json::Null {
            continue;
        }
        let mut edited = build.clone();
        set(&mut edited, &path, &other(was));
        let error = rig.submit(&edited).expect_err(&path);
        assert_edited_build(&error, &path);
    }
    rig.world.assert_untouched();
}

/// The kind and the chain are read before the seal is opened.
fn assert_edited_build(error: &Error, path: &str) {
    if path == "chainId" {
        assert!(
            [ErrorCode::UnsupportedChain, ErrorCode::InvalidInput, ErrorCode::VerifyMismatch].contains(&error.code)
        );
    } else {
        assert_edited(error, "build", path);
    }
}

#[test]
fn every_visible_member_of_a_quote_is_as_it_was_returned_or_refused() {
    let rig = Rig::default();
    let quote = rig.quote(SELL).unwrap();
    let mut all = Vec::new();
    places(&quote, "", &mut all);
    for path in all {
        let was = at(&quote, &path);
        if *was == Json::Null {
            continue;
        }
        let mut edited = quote.clone();
        set(&mut edited, &path, &other(was));
        let error = rig.build(&edited, r#"{"slippageBps":50}"#).expect_err(&path);
        assert_edited(&error, "quote", &path);
    }
    assert!(rig.world.sent("build").is_empty());
}

#[test]
fn a_stored_build_still_works_with_members_added() {
    let rig = Rig::default();
    let mut quote = json(&rig.quote(SELL).unwrap().write());
    // Stored with its members in another order, and with a note of the application's.
    if let Json::Object(members) = &mut quote {
        members.reverse();
        members.push(("shownAt".into(), Json::Number("1".into())));
    }
    let mut build = rig.build(&quote, r#"{"slippageBps":50}"#).unwrap();
    if let Json::Object(members) = &mut build {
        members.reverse();
        members.push(("note".into(), Json::Bool(true)));
    }
    rig.submit(&json(&build.write())).unwrap();
    assert_eq!(rig.world.posts().len(), 1);
}

/// Each place of a sealed text that says how much, to whom or until when, changed in it.
fn tampered(build: &Json, from: &str, to: &str) -> Json {
    let sealed = text(build, "sealed");
    assert!(sealed.contains(from), "{from} is not in {sealed}");
    let mut changed = build.clone();
    set(&mut changed, "sealed", &quoted(&sealed.replace(from, to)));
    changed
}

#[test]
fn an_altered_sealed_text_is_not_this_clients() {
    let rig = Rig::default();
    let build = rig.built(SELL).unwrap();
    let owner = rig.owner().to_string();
    let evil = "0x00000000000000000000000000000000000bad00";
    for (from, to) in [(owner.as_str(), evil), ("1800001200", "1800001201"), ("39800000000000000", "1"), ("{", "{ ")] {
        let error = rig.submit(&tampered(&build, from, to)).expect_err(from);
        assert!(
            [ErrorCode::InvalidInput, ErrorCode::VerifyMismatch, ErrorCode::ServiceMalformed].contains(&error.code),
            "{from}: {error:?}"
        );
    }
    // Altered so that it reads the same: the text is whole, but it is not this client's any more.
    let error = rig.submit(&tampered(&build, r#","toSign""#, r#", "toSign""#)).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("build")));
    let mut unsealed = build.clone();
    set(&mut unsealed, "sealed", r#""nothing""#);
    let error = rig.submit(&unsealed).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("build.sealed")));
    rig.world.assert_untouched();
}

/// Two pages: they share the world, not their secrets.
fn two_pages() -> (Rig, Rig) {
    let world = World::new();
    let first = Rig::in_world(world.clone(), |_, _| {});
    let second = Rig::in_world(Rc::clone(&world), |_, _| {});
    (first, second)
}

/// The request of SELL as it is stated again for a noted order.
fn said_again(owner: &str, members: &str) -> String {
    let request = SELL.replace(r#""srcSymbol""#, &format!(r#""account":"{owner}",{members}"srcSymbol""#));
    format!(r#"{{"request":{request}}}"#)
}

#[test]
fn what_is_no_sealed_text_is_the_callers_mistake() {
    let rig = Rig::default();
    let (mut quote, mut build) = (rig.quote(SELL).unwrap(), rig.built(SELL).unwrap());
    let sealed = text(&quote, "sealed").to_owned();
    let (mark, inside) = sealed.split_once('.').unwrap();
    let asked = rig.world.sent("build").len();
    for broken in ["", "x", "x.y", "x.", "x.1", r#"x.["a"]"#, &format!("{mark}.{}", &inside[1..]), inside] {
        set(&mut quote, "sealed", &quoted(broken));
        set(&mut build, "sealed", &quoted(broken));
        let quoted = rig.build(&quote, r#"{"slippageBps":50}"#).unwrap_err();
        for (error, field) in [(quoted, "quote.sealed"), (rig.submit(&build).unwrap_err(), "build.sealed")] {
            assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(field)), "{broken}");
        }
    }
    assert_eq!(rig.world.sent("build").len(), asked);
}

#[test]
fn a_noted_order_is_asked_for_again_only_with_the_request_it_is_for() {
    let (first, second) = two_pages();
    let build = first.built(SELL).unwrap();
    let owner = first.owner().to_string();
    note(&second, &build);
    let refused = |options: &str| {
        let error = second.submit_with(&build, options).unwrap_err();
        second.world.assert_untouched();
        (error.code, error.field.clone().unwrap_or_default())
    };
    assert_eq!(refused("{}"), (ErrorCode::InvalidInput, "options.request".into()));
    // How little it may come to has to be said.
    assert_eq!(refused(&said_again(&owner, "")), (ErrorCode::InvalidInput, "options.request.minReceived".into()));
    let bounded = r#""minReceived":"39796020000000000","#;
    let another = said_again(&owner, bounded).replace("100000000", "100000001");
    assert_eq!(refused(&another), (ErrorCode::InvalidInput, "options.request.amount".into()));
    let another = said_again(&owner, &format!(r#""beneficiary":"{}","#, super::fake_host::WRAPPED));
    assert_eq!(refused(&another), (ErrorCode::InvalidInput, "options.request.beneficiary".into()));
    let more = said_again(&owner, r#""minReceived":"39796020000000001","#);
    assert_eq!(refused(&more), (ErrorCode::VerifyMismatch, "order.minReceived".into()));
    let sooner = said_again(&owner, &format!(r#"{bounded}"deadline":1800001199,"#));
    assert_eq!(refused(&sooner), (ErrorCode::VerifyMismatch, "order.deadline".into()));
    let same = said_again(&owner, &format!(r#"{bounded}"deadline":1800001200,"#));
    second.submit_with(&build, &same).unwrap();
    assert_eq!((second.world.prompts(), second.world.posts().len()), (1, 1));
}

/// As at the build: the wallet's account, where the request names none. An order of another account stays one.
#[test]
fn a_restated_request_need_not_name_the_wallets_account() {
    const STRANGER: &str = "0x7777777777777777777777777777777777777777";
    let rig = Rig::default();
    let build = rig.built(SELL).unwrap();
    note(&rig, &build);
    let submit = |account: Option<&str>, more: &str| {
        let other = Rig::in_world(Rc::clone(&rig.world), |shared, bound| {
            shared.settings.secret = [9; 32];
            bound.account = account.map(|account| account.parse().unwrap());
        });
        let request = with(SELL, &format!(r#""minReceived":"1"{more}"#));
        other.call("submit", &build, &format!(r#"{{"request":{request}}}"#))
    };
    for (account, more) in [(Some(STRANGER), ""), (None, r#","account":"0x7777777777777777777777777777777777777777""#)]
    {
        let error = submit(account, more).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("options.request.account")));
    }
    rig.world.assert_untouched();
    submit(None, r#","account":null"#).unwrap();
}

#[test]
fn an_option_in_only_one_of_two_requests_is_a_difference() {
    for (member, name) in [
        (r#""destChainId":10"#, "destChainId"),
        (r#""advanced":{"maxImpactPercent":"1"}"#, "advanced.maxImpactPercent"),
        (r#""advanced":{"srcPriceUsd":"1","destPriceUsd":"2500"}"#, "advanced.srcPriceUsd"),
    ] {
        let more = with(SELL, member);
        let field = format!("options.request.{name}");
        for (made, said) in [(SELL, more.as_str()), (more.as_str(), SELL)] {
            let (first, second) = two_pages();
            let build = first.built(made).unwrap();
            note(&second, &build);
            let request = with(said, r#""minReceived":"1""#);
            let error = second.submit_with(&build, &format!(r#"{{"request":{request}}}"#)).expect_err(member);
            assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(field.as_str())));
            second.world.assert_untouched();
        }
    }
}

#[test]
fn a_noted_order_pays_nobody_that_the_request_does_not_name() {
    for terms in [
        r#""advanced":{"external":{"handler":"0x5555555555555555555555555555555555555555","data":"0x"}}"#,
        r#""advanced":{"takeSurplus":true}"#,
    ] {
        let (first, second) = two_pages();
        let quote = first.quote(SELL).unwrap();
        let build = first.build(&quote, &format!(r#"{{"slippageBps":50,{terms}}}"#)).unwrap();
        note(&second, &build);
        let said = said_again(&first.owner().to_string(), r#""minReceived":"1","#);
        let error = second.submit_with(&build, &said).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("build")), "{terms}");
        second.world.assert_untouched();
        first.submit(&build).unwrap();
    }
}

#[test]
fn a_quote_is_good_for_thirty_seconds() {
    let build = |ms: u64| {
        let rig = Rig::default();
        let quote = rig.quote(SELL).unwrap();
        rig.world.pass(ms);
        (rig.build(&quote, r#"{"slippageBps":50}"#).map_err(|error| error.code), rig.world.sent("build").len())
    };
    assert!(build(30_000).0.is_ok());
    assert_eq!(build(30_001), (Err(ErrorCode::QuoteExpired), 0));
}

#[test]
fn a_quote_from_the_future_counts_as_expired() {
    let rig = Rig::default();
    let quote = rig.quote(SELL).unwrap();
    rig.world.monotonic_ms.set(rig.world.monotonic_ms.get() - 1);
    let error = rig.build(&quote, r#"{"slippageBps":50}"#).unwrap_err();
    assert_eq!(error.code, ErrorCode::QuoteExpired, "{error:?}");
    assert_eq!(error.message, "this price has no known age");
    // The machine's own clock may be set to anything.
    let rig = Rig::default();
    let quote = rig.quote(SELL).unwrap();
    rig.world.unix_ms.set(1_900_000_000_000);
    rig.build(&quote, r#"{"slippageBps":50}"#).unwrap();
}
