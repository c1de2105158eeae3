//! A price that nobody but the service knows is a question, and silence is no answer to it.

use super::confirm::{saying, told};
use super::fake_host::{BRIDGED, BUY, DEST, NATIVE, Rig, SELL, SRC, at, failure, feeds, json, set, text, with};
use super::journal::note;
use super::kinds::kinds;
use super::market::{market, prepare};
use super::otc::desk_in;
use super::permit::{Token, bank};
use verified_swap_trade::host::WalletFailure;
use verify::internal::error::{Error, ErrorCode};
use verify::internal::json::Json;

fn ids(build: &Json) -> Vec<String> {
    let Json::Array(questions) = at(build, "report.questions") else { panic!() };
    questions.iter().map(|question| text(question, "id").to_owned()).collect()
}

fn accepting(ids: &[String]) -> String {
    format!(r#"{{"accept":{}}}"#, Json::Array(ids.iter().cloned().map(Json::String).collect()).write())
}

fn is_unjudged(error: &Error) {
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::PriceUnjudged, Some("options.accept")), "{error:?}");
    assert!(error.questions.as_ref().is_some_and(|questions| questions.contains(r#""reason""#)), "{error:?}");
}

/// Refused until the question of this very build is answered.
fn is_asked(rig: &Rig, build: &Json, reason: &str, case: &str) {
    let ids = ids(build);
    assert_eq!(ids.len(), 1, "{case}");
    assert_eq!(text(build, "report.questions.0.reason"), reason, "{case}");
    is_unjudged(&rig.submit(build).unwrap_err());
    // The answer to another build, another reason, and all that are no ids.
    let (another, end) = ids[0].split_at(ids[0].len() - 1);
    let other_reason = ids[0].replace(reason, if reason == "noReference" { "referenceSilent" } else { "noReference" });
    for wrong in [
        vec![],
        vec![reason.to_owned()],
        vec![[another, if end == "0" { "1" } else { "0" }].concat()],
        vec![other_reason],
    ] {
        is_unjudged(&rig.submit_with(build, &accepting(&wrong)).unwrap_err());
    }
    for wrong in ["true", "\"all\"", "[true]", "[\"\"]", "{}"] {
        let error = rig.submit_with(build, &format!(r#"{{"accept":{wrong}}}"#)).unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidInput, "{case} {wrong}");
    }
    rig.world.assert_untouched();
    rig.submit_with(build, &accepting(&ids)).unwrap_or_else(|error| panic!("{case}: {error:?}"));
}

#[test]
fn nothing_is_signed_at_a_price_that_nobody_judged_unless_that_build_was_answered() {
    for kind in kinds() {
        let case = [&kind.request, kind.options].concat();
        let rig = kind.rig();
        rig.world.chain.borrow_mut().node(8453).told.clear();
        let build = kind.built(&rig).unwrap();
        let is_named = ["limitAmount", "maxSrcAmount"].iter().any(|name| kind.options.contains(name));
        // A limit is in units of a token that the service chose, where another one arrives.
        let is_promised = kind.request.contains(r#""advanced":{"bridgeTokens":[]}"#);
        match is_named && !is_promised {
            true => assert!(ids(&build).is_empty() && rig.submit(&build).is_ok(), "{case}"),
            // The feeds are there, and say nothing.
            false => is_asked(&rig, &build, "referenceSilent", &case),
        }
    }
    for request in [SELL, BUY] {
        let rig = Rig::without_references();
        prepare(&rig, 8453, SRC, u64::MAX);
        rig.world.service.borrow_mut().market.method = (request == BUY).into();
        let build = rig.build(&rig.quote(&market(request)).unwrap(), r#"{"slippageBps":50}"#).unwrap();
        is_asked(&rig, &build, "noReference", request);
    }
    let desk = desk_in(Rig::without_references());
    is_asked(&desk.rig, &desk.fill(&desk.order(&[]), "").unwrap(), "noReference", "a fill");
}

#[test]
fn a_bound_of_the_callers_answers_where_it_binds() {
    let bounds = [r#""minReceived":"39000000000000000""#, r#""maxSpent":"101000000""#];
    for required in [false, true] {
        for (request, binds) in [(SELL, 0), (BUY, 1)] {
            for (at, bound) in bounds.iter().enumerate() {
                for mode in ["DELTA", "MARKET"] {
                    let rig = Rig::without_references();
                    prepare(&rig, 8453, SRC, u64::MAX);
                    rig.world.service.borrow_mut().market.method = (request == BUY).into();
                    let request = with(request, &format!(r#""mode":"{mode}","requireReference":{required}"#));
                    let quote = rig.quote(&request).unwrap();
                    let built = rig.build(&quote, &with(r#"{"slippageBps":50}"#, bound));
                    match (at == binds, required) {
                        (true, _) => assert!(rig.submit(&built.unwrap()).is_ok()),
                        (false, false) => is_unjudged(&rig.submit(&built.unwrap()).unwrap_err()),
                        (false, true) => assert_eq!(built.unwrap_err().field.as_deref(), Some("quote.price")),
                    }
                }
            }
        }
    }
    // An amount that is only promised to arrive binds nothing; one that enters does.
    for (options, is_answered) in [
        (r#""acceptUnguaranteedArrival":true,"minReceived":"39000000000000000""#.to_owned(), false),
        (format!(r#""minBridgeInput":{{"token":"{BRIDGED}","amount":"39000000000000000000000"}}"#), true),
    ] {
        let rig = Rig::without_references();
        let quote = rig.quote(&with(SELL, r#""destChainId":10,"advanced":{"bridgeTokens":[]}"#)).unwrap();
        let build = rig.build(&quote, &with(r#"{"slippageBps":50}"#, &options)).unwrap();
        assert_eq!(rig.submit(&build).is_ok(), is_answered, "{options}");
    }
}

#[test]
fn an_answer_is_for_one_build_and_not_for_the_next() {
    let rig = Rig::without_references();
    prepare(&rig, 8453, SRC, u64::MAX);
    for request in [SELL.to_owned(), market(SELL)] {
        let built = || rig.build(&rig.quote(&request).unwrap(), r#"{"slippageBps":50}"#).unwrap();
        let first = built();
        rig.world.pass(1_000);
        let second = built();
        assert_ne!(ids(&first), ids(&second));
        is_unjudged(&rig.submit_with(&second, &accepting(&ids(&first))).unwrap_err());
    }
    rig.world.assert_untouched();
}

/// Answers in which a node says nothing of what it is asked, each with whether it may answer another time.
fn silences() -> Vec<(&'static str, Result<Json, WalletFailure>, bool)> {
    let said = |text: &str| Ok(Json::String(text.into()));
    vec![
        ("refused", Err(failure(-32_602, "missing value for required argument")), false),
        ("not there", Err(failure(-32_601, "the method does not exist")), false),
        ("reverted", Err(failure(3, "execution reverted")), false),
        ("empty", said("0x"), false),
        ("limited", Err(WalletFailure { status: Some(429), ..failure(-32_005, "too many requests") }), true),
        ("timed out", Err(failure(-32_000, "execution timeout")), true),
        ("no answer", Err(WalletFailure { unreachable: true, ..failure(0, "no answer") }), true),
        ("null", Ok(Json::Null), true),
        ("cut", said("0x0000000000000000000000000000000000000000000000000000000000000001ab"), true),
        ("text", said("no hex"), true),
        ("a number", Ok(json("7")), true),
    ]
}

/// A node that answers calls of contracts so, for what `is_meant` of the call.
fn silenced(rig: &Rig, answer: Result<Json, WalletFailure>, is_meant: impl Fn(&Json) -> bool + 'static) {
    rig.world.chain.borrow_mut().liar = Some((
        8453,
        Box::new(move |method, params, known| match method {
            "eth_call" if is_meant(at(params, "0")) => answer.clone(),
            _ => known,
        }),
    ));
}

#[test]
fn feeds_judge_where_a_node_does_not_answer_for_all_references_at_once() {
    for (case, answer, _) in silences() {
        for (worse, is_refused) in [(1, false), (2, true)] {
            let rig = Rig::default();
            silenced(&rig, answer.clone(), |call| call.get("to").is_none());
            feeds::answer(&mut rig.world.chain.borrow_mut().node(8453).contracts, worse);
            match rig.built(SELL) {
                Ok(build) => {
                    assert!(!is_refused && ids(&build).is_empty(), "{case}");
                    assert_eq!(text(&build, "report.price.verdict"), "ok", "{case}");
                    rig.submit(&build).unwrap();
                }
                Err(error) => assert!(is_refused && error.field.as_deref() == Some("quote.price"), "{case} {error:?}"),
            }
        }
    }
}

#[test]
fn a_node_that_answers_nothing_is_asked_again_or_asked_about() {
    for (case, answer, is_passing) in silences() {
        let rig = Rig::default();
        silenced(&rig, answer, |call| {
            call.get("to").is_none_or(|to| to.as_text().is_some_and(|to| feeds::is_feed(to.parse().unwrap())))
        });
        match rig.built(SELL) {
            Ok(build) => {
                assert!(!is_passing, "{case}");
                is_asked(&rig, &build, "referenceSilent", case);
            }
            Err(error) => assert!(is_passing && error.code == ErrorCode::Network, "{case} {error:?}"),
        }
    }
    // A hiccup is over by the second time.
    let rig = Rig::default();
    for _ in 0..2 {
        let late = Err(WalletFailure { unreachable: true, ..failure(0, "no answer") });
        rig.world.chain.borrow_mut().node(8453).next.push_back(("eth_call", late));
    }
    let build = rig.built(SELL).unwrap();
    assert_eq!(text(&build, "report.price.verdict"), "ok");
}

#[test]
fn a_noted_order_is_judged_anew() {
    // It was built where nothing gave a price; here there is one, good or bad.
    for (worse, is_refused) in [(1, false), (2, true)] {
        let there = Rig::without_references();
        let here = Rig::with(|shared, _| shared.settings.secret = [9; 32]);
        let build = there.build(&there.quote(SELL).unwrap(), r#"{"slippageBps":50}"#).unwrap();
        feeds::tell(&mut here.world.chain.borrow_mut().node(8453).told, worse);
        here.world.service.replace(there.world.service.take());
        note(&here, &build);
        let stated = with(SELL, &format!(r#""minReceived":"1","account":"{}""#, here.owner()));
        let outcome = here.submit_with(&build, &format!(r#"{{"request":{stated}}}"#));
        match is_refused {
            false => assert!(outcome.is_ok(), "{outcome:?}"),
            true => {
                let error = outcome.unwrap_err();
                assert_eq!((error.code, error.field.as_deref()), (ErrorCode::VerifyMismatch, Some("quote.price")));
                here.world.assert_untouched();
            }
        }
    }
}

#[test]
fn prices_read_before_a_reload_are_not_used() {
    // It read the other chain, or says so; here nobody can.
    let (there, here) = (
        Rig::default(),
        Rig::with(|shared, _| {
            shared.settings.secret = [9; 32];
            shared.settings.rpc.retain(|(chain, _)| *chain == 8453);
        }),
    );
    let request = with(SELL, r#""destChainId":10"#);
    let build = there.built(&request).unwrap();
    assert!(ids(&build).is_empty());
    here.world.service.replace(there.world.service.take());
    note(&here, &build);
    let stated = with(&request, &format!(r#""minReceived":"1","account":"{}""#, here.owner()));
    is_unjudged(&here.submit_with(&build, &format!(r#"{{"request":{stated}}}"#)).unwrap_err());
    here.world.assert_untouched();
}

#[test]
fn what_enters_a_bridge_is_asked_about_by_its_name() {
    // The service lets a hundredth enter, of a token that is no hub, with dollars to match.
    let rig = Rig::default();
    rig.world.service.borrow_mut().quote_lie = Some(Box::new(|quote| {
        set(quote, "delta.route.origin.output.amount", r#""400000000000000000000""#);
    }));
    let request = with(SELL, r#""destChainId":10,"advanced":{"bridgeTokens":[]}"#);
    let options = r#"{"slippageBps":50,"acceptUnguaranteedArrival":true}"#;
    let error = rig.build(&rig.quote(&request).unwrap(), options).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::VerifyMismatch, Some("order.bridgeInput.price")));
}

#[test]
fn a_bridge_keeps_no_more_of_one_asset_than_may_be_lost() {
    for (arrives, is_accepted) in
        [("34000000000000000", true), ("33999999999999999", false), ("400000000000000", false)]
    {
        let rig = Rig::default();
        let arrives = format!(r#""{arrives}""#);
        rig.world.service.borrow_mut().quote_lie = Some(Box::new(move |quote| {
            set(quote, "delta.route.destination.output.amount", &arrives);
        }));
        // However far the price may be off by others.
        let quote = rig.quote(&with(SELL, r#""destChainId":10,"maxPriceDeviationBps":9999"#)).unwrap();
        match rig.build(&quote, r#"{"slippageBps":50}"#) {
            Ok(build) => {
                assert!(is_accepted);
                rig.submit(&build).unwrap();
            }
            Err(error) => {
                // A cost that the quote itself shows is no lie.
                assert!(!is_accepted, "{error:?}");
                assert_eq!((error.code, error.field.as_deref()), (ErrorCode::LossTooHigh, Some("quote.bridge.cost")));
            }
        }
    }
}

#[test]
fn native_and_dollar_pairs_are_judged_through_a_wallet_alone() {
    for request in [SELL.to_owned(), SELL.replace(DEST, NATIVE)] {
        let rig = Rig::with(|shared, _| shared.settings.rpc.clear());
        rig.world.chain.borrow_mut().node(8453).no_lens = true;
        feeds::answer(&mut rig.world.chain.borrow_mut().node(8453).contracts, 1);
        let build = rig.built(&request).unwrap();
        assert!(ids(&build).is_empty(), "{build:?}");
        assert_eq!(text(&build, "report.price.verdict"), "ok");
    }
}

/// A rig whose owner approved nothing.
fn unapproved(rig: Rig) -> Rig {
    for chain_id in [1, 8453] {
        rig.world.chain.borrow_mut().node(chain_id).allowances.clear();
    }
    rig
}

/// A build with an open question, and what it lacks.
type Asking = (String, Rig, Json);

/// One of each kind that needs an approval.
fn asking_and_unapproved() -> Vec<Asking> {
    let mut all = Vec::new();
    for kind in kinds() {
        let rig = unapproved(kind.rig());
        rig.world.chain.borrow_mut().node(8453).told.clear();
        rig.world.service.borrow_mut().bridge.data = "BEEF";
        let build = kind.built(&rig).unwrap();
        all.push(([&kind.request, kind.options].concat(), rig, build));
    }
    for request in [SELL, BUY] {
        let rig = Rig::without_references();
        prepare(&rig, 8453, SRC, u64::MAX);
        let rig = unapproved(rig);
        rig.world.service.borrow_mut().market.method = (request == BUY).into();
        let build = rig.build(&rig.quote(&market(request)).unwrap(), r#"{"slippageBps":50}"#).unwrap();
        all.push((market(request), rig, build));
    }
    let desk = desk_in(Rig::without_references());
    let build = desk.fill(&desk.order(&[]), "").unwrap();
    all.push(("a fill".into(), unapproved(desk.rig), build));
    all.retain(|(_, _, build)| at(build, "approval") != &Json::Null && !ids(build).is_empty());
    all
}

#[test]
fn nothing_is_approved_for_a_build_whose_question_is_open() {
    let all = asking_and_unapproved();
    assert!(all.len() > 12, "{}", all.len());
    for (case, rig, build) in all {
        let (approval, ids) = (at(&build, "approval"), ids(&build));
        assert_eq!(at(approval, "questions"), at(&build, "report.questions"), "{case}");
        for wrong in [vec![], vec!["noReference-0123456789abcdef".into()], ids[1..].to_vec()] {
            let error = rig.approve(approval, &accepting(&wrong)).unwrap_err();
            is_unjudged(&error);
            assert_eq!(error.expected.as_deref().map(|open| open.contains(&*ids[0])), Some(true), "{case}");
        }
        // The questions that the app shows of it are the sealed ones.
        let mut edited = approval.clone();
        set(&mut edited, "questions", "[]");
        assert_eq!(rig.approve(&edited, "{}").unwrap_err().field.as_deref(), Some("approval.questions"), "{case}");
        // Nor if all of it is left to the prompt, and that is answered without a word about the question.
        let rig = saying(rig, "true");
        is_unjudged(&rig.approve(approval, "{}").unwrap_err());
        let prompt = told(&rig).pop().unwrap();
        assert_eq!(
            (text(&prompt, "purpose"), at(&prompt, "questions")),
            ("approve", at(approval, "questions")),
            "{case}"
        );
        rig.world.assert_untouched();
        let accept: &'static str = accepting(&ids).leak();
        let rig = saying(rig, accept);
        rig.approve(approval, "{}").unwrap_or_else(|error| panic!("{case}: {error:?}"));
    }
    for (case, rig, build) in asking_and_unapproved() {
        // The approval that `submit` misses asks the same.
        let error = rig.submit_with(&build, &accepting(&ids(&build))).unwrap_err();
        let missing = json(error.approval.as_ref().unwrap_or_else(|| panic!("{case}: {error:?}")));
        assert_eq!(at(&missing, "questions"), at(&build, "report.questions"), "{case}");
        is_unjudged(&rig.approve(&missing, "{}").unwrap_err());
        rig.world.assert_untouched();
        rig.approve(at(&build, "approval"), &accepting(&ids(&build)))
            .unwrap_or_else(|error| panic!("{case}: {error:?}"));
    }
    // Without an open question there is none to answer.
    let rig = unapproved(Rig::default());
    let build = rig.built(SELL).unwrap();
    assert_eq!(at(&build, "approval.questions"), &Json::Array(vec![]));
    rig.approve(at(&build, "approval"), "{}").unwrap();
}

#[test]
fn no_permit_is_signed_for_a_build_whose_question_is_open() {
    for request in [SELL.to_owned(), market(SELL)] {
        let bank = bank(Token::default());
        bank.rig.world.chain.borrow_mut().node(8453).told.clear();
        prepare(&bank.rig, 8453, SRC, u64::MAX);
        let build = bank.rig.build(&bank.rig.quote(&request).unwrap(), r#"{"slippageBps":50}"#).unwrap();
        let ids = ids(&build);
        assert_eq!(ids.len(), 1);
        is_unjudged(&bank.sign(&build, r#"{"kind":"eip2612"}"#).unwrap_err());
        bank.rig.world.assert_untouched();
        let options = with(&accepting(&ids), r#""kind":"eip2612""#);
        bank.sign(&build, &options).unwrap();
    }
}

#[test]
fn who_receives_over_a_bridge_whose_data_nobody_reads_is_a_question() {
    let mut promised = 0;
    for kind in kinds() {
        let rig = kind.rig();
        rig.world.service.borrow_mut().bridge.data = "BEEF";
        let (case, build) = ([&kind.request, kind.options].concat(), kind.built(&rig).unwrap());
        if !kind.request.contains("destChainId") {
            assert!(ids(&build).is_empty(), "{case}");
            continue;
        }
        is_asked(&rig, &build, "receiverUnbound", &case);
        let asked = text(&build, "report.questions.0.text");
        assert!(asked.contains(text(&build, "beneficiary")), "{asked}");
        // One question, whether the amount is bound or not.
        assert_eq!(asked.contains("how much"), text(&build, "destination.arrival") == "promised", "{case}: {asked}");
        promised += usize::from(asked.contains("how much"));
        // Without data the order itself names the receiver.
        let rig = kind.rig();
        let build = kind.built(&rig).unwrap();
        assert!(ids(&build).is_empty(), "{case}");
        rig.submit(&build).unwrap_or_else(|error| panic!("{case}: {error:?}"));
    }
    assert_eq!(promised, 3);
    // No bound of the caller's own answers: a bound is of amounts.
    let rig = Rig::default();
    rig.world.service.borrow_mut().bridge.data = "01";
    let pair = r#""destChainId":10,"advanced":{"bridgeTokens":[]}"#;
    let bound = format!(r#"{{"slippageBps":50,"minBridgeInput":{{"token":"{BRIDGED}","amount":"1"}}}}"#);
    let built = || rig.build(&rig.quote(&with(SELL, pair)).unwrap(), &bound).unwrap();
    let first = built();
    rig.world.pass(1_000);
    // And the answer is for one build.
    let second = built();
    is_unjudged(&rig.submit_with(&second, &accepting(&ids(&first))).unwrap_err());
    is_asked(&rig, &second, "receiverUnbound", "bound");
}
