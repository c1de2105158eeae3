//! The checks alone, between another SDK's build and sign: every kind of order that the client builds.

use super::fake_host::{DELTA, DEST, NATIVE, Rig, SRC, at, json, merge, raw, set, text, verdicts};
use super::kinds::{Kind, kinds};
use verify::internal::error::{Error, ErrorCode};
use verify::internal::json::{Json, quoted};
use verify::internal::verifiers::VERIFIERS;

const NOW: u64 = 1_800_000_000;

/// The input that another SDK has once it has built: the request with the options beside it, the price, the typed data.
fn input(kind: &Kind, rig: &Rig) -> Json {
    let mut request = json(&kind.request);
    merge(&mut request, json(kind.options));
    if kind.request.contains("destChainId") {
        merge(&mut request, json(r#"{"advanced":{"bridgeInputDecimals":24}}"#));
    }
    set(&mut request, "account", &format!("\"{}\"", rig.owner()));
    let mut input = Json::Object(vec![("request".into(), request)]);
    let answer = rig.world.said("build");
    set(&mut input, "quote", raw(&rig.world.said("quote"), "delta"));
    set(&mut input, "toSign", raw(&answer, "toSign"));
    set(&mut input, "orderHash", raw(&answer, "orderHash"));
    input
}

pub fn verified(input: &Json) -> Result<Json, Error> {
    let (_, verify) = VERIFIERS.iter().find(|(name, _)| *name == "verifyOrder").unwrap();
    verify(input, NOW).map(|text| json(&text))
}

/// A sentence without what it says of decimals that nobody but the caller states.
fn unqualified(sentence: &str) -> String {
    let mut parts = sentence.split(" by the app's decimals (");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |said, part| said + part.split_once(" raw units)").unwrap().1)
}

#[test]
fn every_kind_is_verified_without_a_client() {
    for kind in kinds() {
        let rig = kind.rig();
        let build = kind.built(&rig).unwrap();
        let mut input = input(&kind, &rig);
        let report = verified(&input).unwrap_or_else(|error| panic!("{}: {error:?}", kind.options));
        for hash in ["domainSeparator", "structHash", "digest"] {
            assert_eq!(text(&report, hash), text(&build, &format!("report.{hash}")));
        }
        assert_eq!(text(&report, "digest"), text(&build, "orderHash"));
        // Nobody is asked here, which is told as a question, unless a limit answers it.
        let judged = text(&report, "sentence").strip_suffix("; price not judged").unwrap();
        let built = text(&build, "report.sentence").split("; price not judged").next().unwrap();
        let is_named = ["limitAmount", "maxSrcAmount"].iter().any(|name| kind.options.contains(name));
        let Json::Array(questions) = at(&report, "questions") else { panic!() };
        assert_eq!(
            questions.is_empty(),
            // Amounts that arrive elsewhere are in units that were not read.
            is_named && !kind.request.contains("destChainId"),
            "{}",
            kind.options
        );
        // It reads no chain: of these tokens, which no table has, only the caller says the decimals.
        assert_eq!(unqualified(judged), unqualified(built));
        for (field, token) in [("request.srcDecimals", "srcToken"), ("request.destDecimals", "destToken")] {
            let is_known = ["native", NATIVE].contains(&text(&input, &format!("request.{token}")));
            assert_eq!(
                verdicts(&json(&format!(r#"{{"report":{}}}"#, report.write())), field).len(),
                usize::from(!is_known)
            );
        }
        // A deadline that was named is held to, one that was not is bounded.
        let deadline = text(&build, "deadline").to_owned();
        set(&mut input, "request.deadline", &deadline);
        verified(&input).unwrap();
        let later = deadline.parse::<u64>().unwrap() + 1;
        set(&mut input, "request.deadline", &later.to_string());
        assert_eq!(verified(&input).unwrap_err().field.as_deref(), Some("order.deadline"));
    }
}

#[test]
fn an_order_that_differs_from_the_request_is_refused() {
    for kind in kinds() {
        let rig = kind.rig();
        kind.built(&rig).unwrap();
        let mut input = input(&kind, &rig);
        set(&mut input, "toSign.value.srcToken", r#""0x00000000000000000000000000000000000bad00""#);
        let error = verified(&input).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::VerifyMismatch, Some("order.srcToken")));
        assert!(at(&json(error.report.as_ref().unwrap()), "checks") != &Json::Null);
    }
}

#[test]
fn what_a_partner_agreed_on_is_said_with_the_request() {
    let kind = kinds().into_iter().next().unwrap();
    let rig = kind.rig();
    kind.built(&rig).unwrap();
    let mut input = input(&kind, &rig);
    set(&mut input, "request.partner", r#""shop""#);
    set(&mut input, "quote.partner.feePercent", "0.3");
    assert_eq!(verified(&input).unwrap_err().field.as_deref(), Some("quote.fee"));
    set(&mut input, "request.agreement", r#"{"feeBps":30}"#);
    verified(&input).unwrap();
}

/// Addresses at which what arrives is nobody's.
const NOBODY: [&str; 4] = [SRC, DEST, NATIVE, DELTA];

#[test]
fn an_order_pays_nobody_who_cannot_have_it_also_where_the_request_says_so() {
    for kind in kinds().into_iter().filter(|kind| kind.encoded.contains("address beneficiary")) {
        // The contract by name; and each of them as the owner, who receives where nobody is named.
        for (who, members) in
            [(DELTA, &["beneficiary"][..])].into_iter().chain(NOBODY.map(|who| (who, &["owner", "beneficiary"][..])))
        {
            if [SRC, DEST].contains(&who) && !kind.request.contains(who) {
                continue;
            }
            let rig = kind.rig();
            rig.world.service.borrow_mut().build_lie = Some(Box::new(move |build| {
                members.iter().for_each(|member| set(build, &format!("toSign.value.{member}"), &quoted(who)));
            }));
            kind.built(&rig).unwrap_err();
            let mut input = input(&kind, &rig);
            let asked = if members.len() == 1 { "request.beneficiary" } else { "request.account" };
            set(&mut input, asked, &quoted(who));
            let error = verified(&input).expect_err(who);
            assert_eq!((error.code, error.field.as_deref()), (ErrorCode::VerifyMismatch, Some("order.beneficiary")));
            assert_eq!(error.expected.as_deref(), Some("an account that can receive"));
            let report = json(error.report.as_ref().unwrap());
            let Json::Array(checks) = at(&report, "checks") else { panic!() };
            let wrong: Vec<&Json> = checks.iter().filter(|check| text(check, "verdict") == "mismatch").collect();
            assert_eq!(wrong.len(), 1, "{} to {who}: {wrong:?}", kind.options);
        }
    }
}

#[test]
fn an_order_without_slippage_or_limit_is_not_judged() {
    for kind in kinds().iter().filter(|kind| kind.options.contains("slippageBps")) {
        let rig = kind.rig();
        kind.built(&rig).unwrap();
        let mut input = input(kind, &rig);
        set(&mut input, "request.slippageBps", "null");
        let error = verified(&input).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("request.slippageBps")));
    }
}

#[test]
fn another_contracts_order_is_for_no_other_chain_and_says_nothing_of_who_receives() {
    let kind = kinds().into_iter().rfind(|kind| kind.options.contains("external")).unwrap();
    let rig = kind.rig();
    kind.built(&rig).unwrap();
    let input = input(&kind, &rig);
    verified(&input).unwrap();
    let mut named = input.clone();
    set(&mut named, "request.beneficiary", r#""0x7777777777777777777777777777777777777777""#);
    let report = verified(&named).unwrap();
    assert!(report.write().contains(
        r#"handler decides who receives","actual":"0x7777777777777777777777777777777777777777","verdict":"opaque""#
    ));
    for (member, value) in [("destChainId", "10")] {
        let mut lie = input.clone();
        set(&mut lie, &format!("request.{member}"), value);
        if member == "destChainId" {
            for place in ["quote.route.destination.output.token.chainId", "quote.outputToken.chainId"] {
                set(&mut lie, place, value);
            }
        }
        let error = verified(&lie).expect_err(member);
        assert_eq!(
            (error.code, error.field.as_deref()),
            (ErrorCode::InvalidInput, Some("request.advanced.external")),
            "{error:?}"
        );
    }
}

/// The outcome of orders of that kind so long before their deadlines, which the request does not name.
fn assert_time(kind: &Kind, cases: [(u64, bool); 4]) {
    for (secs, passes) in cases {
        let rig = kind.rig();
        let deadline = (NOW + secs).to_string();
        rig.world.service.borrow_mut().build_lie =
            Some(Box::new(move |build| set(build, "toSign.value.deadline", &deadline)));
        // The client named one, and refuses any other.
        assert_eq!(kind.built(&rig).unwrap_err().field.as_deref(), Some("order.deadline"));
        let found = verified(&input(kind, &rig)).map(|_| ()).map_err(|error| error.field.clone());
        assert_eq!(found, if passes { Ok(()) } else { Err(Some("order.deadline".into())) }, "{} {secs}", kind.options);
    }
}

#[test]
fn an_order_whose_deadline_nobody_named_is_not_over_and_ends_within_a_day() {
    for kind in kinds().into_iter().filter(|kind| !kind.request.contains("numSlices")) {
        assert_time(&kind, [(0, false), (1, true), (86_400, true), (86_401, false)]);
    }
}

#[test]
fn a_twap_deadline_leaves_time_for_every_slice_and_at_most_a_day_more() {
    for kind in kinds().into_iter().filter(|kind| kind.request.contains("numSlices")) {
        // Three slices, one every 600 s; not more than a day beyond that.
        assert_time(&kind, [(1_799, false), (1_800, true), (88_200, true), (88_201, false)]);
    }
}

#[test]
fn what_nobody_asked_for_and_a_chain_without_a_contract_are_refused_by_name() {
    let kind = &kinds()[0];
    let rig = kind.rig();
    kind.built(&rig).unwrap();
    for (member, value, field) in [
        ("more", "1", "more"),
        ("contracts", r#"{"8453":{}}"#, "contracts.8453.delta"),
        (
            "contracts",
            r#"{"8453":{"wrappedNative":"0x2222222222222222222222222222222222222222"}}"#,
            "contracts.8453.delta",
        ),
        ("contracts", r#"{"8453":{"other":"0x2222222222222222222222222222222222222222"}}"#, "contracts.8453.other"),
        ("request.more", "1", "request.more"),
        ("request.account", "null", "request.account"),
    ] {
        let mut input = input(kind, &rig);
        set(&mut input, member, value);
        let error = verified(&input).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(field)));
    }
    let mut input = input(kind, &rig);
    set(&mut input, "contracts", &format!(r#"{{"8453":{{"delta":"{DELTA}"}}}}"#));
    verified(&input).unwrap();
}

#[test]
fn an_arrival_that_only_the_bridge_promises_needs_consent_here_too() {
    for kind in kinds().iter().filter(|kind| kind.options.contains("acceptUnguaranteedArrival")) {
        let rig = kind.rig();
        kind.built(&rig).unwrap();
        let mut input = input(kind, &rig);
        set(&mut input, "request.acceptUnguaranteedArrival", "false");
        assert_eq!(verified(&input).unwrap_err().code, ErrorCode::InvalidInput, "{}", kind.options);
    }
}
