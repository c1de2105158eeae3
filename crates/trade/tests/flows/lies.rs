//! A service that lies in one place, and is consistent everywhere else: only that place's own check can refuse it.

use super::fake_host::{BUY, DELTA, DEST, Rig, SELL, SRC, at, json, set, text, with};
use verify::internal::domain::delta::order::ORDER;
use verify::internal::domain::typed_struct::{members, part};
use verify::internal::error::{Error, ErrorCode};
use verify::internal::json::{Json, quoted};

/// The outcome of a build in which that place has that value.
fn built_with(request: &str, path: &'static str, value: String) -> Result<Json, Error> {
    let rig = Rig::default();
    rig.world.service.borrow_mut().build_lie = Some(Box::new(move |build| set(build, path, &value)));
    let outcome = rig.built(request);
    rig.world.assert_untouched();
    outcome
}

fn quoted_with(request: &str, path: &'static str, value: String) -> Result<Json, Error> {
    let rig = Rig::default();
    rig.world.service.borrow_mut().quote_lie = Some(Box::new(move |quote| set(quote, path, &value)));
    let outcome = rig.quote(request);
    rig.world.assert_untouched();
    outcome
}

#[track_caller]
fn assert_refused(outcome: Result<Json, Error>, field: &str) {
    let error = outcome.expect_err(field);
    assert_eq!(error.code, ErrorCode::VerifyMismatch, "{error:?}");
    assert_eq!(error.field.as_deref(), Some(field), "{error:?}");
    let report = json(error.report.as_ref().expect("a report"));
    assert!(text(&report, "sentence").starts_with("Refused: "));
    let Json::Array(checks) = at(&report, "checks") else { panic!() };
    let wrong = checks.iter().find(|check| text(check, "verdict") == "mismatch").unwrap();
    assert_eq!((text(wrong, "field"), text(wrong, "actual")), (field, error.actual.as_deref().unwrap()));
}

#[test]
fn every_field_of_the_domain_has_a_check_of_its_own() {
    for (field, value) in [
        ("name", r#""Portiku5""#.to_string()),
        ("version", r#""2.0.1""#.into()),
        ("chainId", "8454".into()),
        ("verifyingContract", r#""0x00000000000000000000000000000000000bad00""#.into()),
    ] {
        let path = format!("toSign.domain.{field}").leak();
        assert_refused(built_with(SELL, path, value), &format!("domain.{field}"));
    }
    let salt = format!(r#""0x{}""#, "00".repeat(32));
    assert_refused(built_with(SELL, "toSign.domain.salt", salt), "domain");
}

#[test]
fn types_are_an_orders_to_the_letter() {
    let honest = json(&{
        let rig = Rig::default();
        rig.built(SELL).unwrap();
        rig.world.said("build")
    });
    let mut lies: Vec<(String, String)> = Vec::new();
    for name in ["Order", "Bridge"] {
        for (index, (field, kind)) in members(part(ORDER, name).unwrap()).enumerate() {
            let place = format!("toSign.types.{name}.{index}");
            lies.push((format!("{place}.name"), quoted(&format!("{field}s"))));
            let kind = if kind == "uint256" { "uint128" } else { "uint256" };
            lies.push((format!("{place}.type"), quoted(kind)));
        }
        // A field more, a field less, two fields exchanged.
        let Json::Array(fields) = at(&honest, &format!("toSign.types.{name}")) else { panic!() };
        let mut longer = fields.clone();
        longer.push(json(r#"{"name":"extra","type":"uint256"}"#));
        let mut exchanged = fields.clone();
        exchanged.swap(0, 1);
        for changed in [longer, fields[1..].to_vec(), exchanged] {
            lies.push((format!("toSign.types.{name}"), Json::Array(changed).write()));
        }
    }
    let domain = r#"[{"name":"name","type":"string"},{"name":"version","type":"string"}]"#;
    lies.push(("toSign.types.EIP712Domain".into(), domain.into()));
    lies.push(("toSign.types.Unused".into(), r#"[{"name":"a","type":"uint256"}]"#.into()));
    lies.push(("toSign.primaryType".into(), r#""Bridge""#.into()));
    assert!(lies.len() > 40);
    for (path, value) in lies {
        let outcome = built_with(SELL, path.clone().leak(), value.clone());
        let error = outcome.expect_err(&path);
        assert_eq!(error.code, ErrorCode::VerifyMismatch, "{path} = {value}: {error:?}");
        assert_eq!(error.field.as_deref(), Some("types"), "{path} = {value}: {error:?}");
    }
}

#[test]
fn a_domain_type_written_out_and_a_primary_type_are_honest() {
    let domain = r#"[{"name":"name","type":"string"},{"name":"version","type":"string"},{"name":"chainId","type":"uint256"},{"name":"verifyingContract","type":"address"}]"#;
    built_with(SELL, "toSign.types.EIP712Domain", domain.into()).unwrap();
    built_with(SELL, "toSign.primaryType", r#""Order""#.into()).unwrap();
    built_with(SELL, "toSign.domain.chainId", r#""8453""#.into()).unwrap();
    built_with(SELL, "toSign.value.deadline", r#""1800001200""#.into()).unwrap();
}

#[test]
fn a_hash_that_is_not_the_orders_is_refused() {
    let rig = Rig::default();
    rig.world.service.borrow_mut().build_text = Some(Box::new(|text| {
        let (head, _) = text.rsplit_once("\"orderHash\":").unwrap();
        format!(r#"{head}"orderHash":"0x{}"}}"#, "ab".repeat(32))
    }));
    assert_refused(rig.built(SELL), "orderHash");
    rig.world.assert_untouched();
}

#[test]
fn a_receiver_who_cannot_receive_is_refused() {
    for nobody in [SRC, DEST, DELTA, "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE"] {
        let request = with(SELL, &format!(r#""beneficiary":"{nobody}""#));
        let rig = Rig::default();
        let error = rig.built(&request).unwrap_err();
        let named = error.field.as_deref().unwrap();
        assert!(named.ends_with("beneficiary"), "{error:?}");
        rig.world.assert_untouched();
    }
}

#[test]
fn every_part_of_a_quote_has_a_check_of_its_own() {
    let address = || r#""0x00000000000000000000000000000000000bad00""#.to_string();
    let of = |field: &str| format!("delta.{field}");
    let mut lies = vec![
        (of("side"), r#""BUY""#.to_string(), "quote.side"),
        (of("inputToken.address"), address(), "quote.inputToken"),
        (of("inputToken.chainId"), "1".into(), "quote.inputToken"),
        (of("outputToken.address"), address(), "quote.outputToken"),
        (of("outputToken.chainId"), "1".into(), "quote.outputToken"),
        (of("spender"), address(), "quote.spender"),
        (of("partner.feePercent"), "0.011".into(), "quote.fee"),
        (of("route.bridge"), "{}".into(), "quote.bridge"),
        (of("route.origin.input.token.chainId"), "1".into(), "quote.srcChain"),
        (of("route.origin.input.token.address"), address(), "quote.srcToken"),
        (of("route.origin.input.amount"), r#""100000001""#.into(), "quote.srcAmount"),
        (of("route.origin.input.amountUSD"), r#""200.00""#.into(), "quote.loss"),
        (of("route.destination.output.token.chainId"), "1".into(), "quote.destChain"),
        (of("route.destination.output.token.address"), address(), "quote.destToken"),
        (of("route.destination.output.amountUSD"), r#""1.00""#.into(), "quote.loss"),
    ];
    // On one chain the steps in between are the last step.
    for (place, field) in [("origin.output", "quote.origin.output"), ("destination.input", "quote.destination.input")] {
        lies.push((of(&format!("route.{place}.token.chainId")), "1".into(), field));
        lies.push((of(&format!("route.{place}.token.address")), address(), field));
        lies.push((of(&format!("route.{place}.amount")), r#""1""#.into(), field));
    }
    for (path, value, field) in lies {
        assert_refused(quoted_with(SELL, path.leak(), value), field);
    }
    let bought = "delta.route.destination.output.amount";
    assert_refused(quoted_with(BUY, bought, r#""39999999999999999""#.into()), "quote.destAmount");
    assert_refused(quoted_with(BUY, "delta.route.origin.input.amount", r#""0""#.into()), "quote.srcAmount");
}

/// A price a hundred times worse, in the quote and so in the build, its USD values replaced by `usd`.
fn hundred_times_worse(usd: Option<(&'static str, &'static str)>) -> Rig {
    let rig = Rig::without_references();
    rig.world.service.borrow_mut().quote_lie = Some(Box::new(move |quote| {
        for place in ["origin.output", "destination.input", "destination.output"] {
            set(quote, &format!("delta.route.{place}.amount"), r#""400000000000000""#);
            let usd = usd.map_or("null".into(), |(_, to)| quoted(to));
            set(quote, &format!("delta.route.{place}.amountUSD"), &usd);
        }
        set(quote, "delta.route.origin.input.amountUSD", &usd.map_or("null".into(), |(from, _)| quoted(from)));
    }));
    rig
}

#[test]
fn a_price_a_hundred_times_worse_is_refused_by_its_own_usd_values() {
    let rig = hundred_times_worse(Some(("100.00", "1.00")));
    assert_refused(rig.quote(SELL), "quote.loss");
    rig.world.assert_untouched();
}

#[test]
fn a_price_a_hundred_times_worse_is_refused_by_the_callers_own_minimum() {
    for usd in [None, Some(("100.00", "99.90"))] {
        let rig = hundred_times_worse(usd);
        let quote = rig.quote(SELL).unwrap();
        let outcome = rig.build(&quote, r#"{"slippageBps":50,"minReceived":"39000000000000000"}"#);
        assert_refused(outcome, "order.minReceived");
        rig.world.assert_untouched();
    }
}

#[test]
fn without_values_and_minimum_a_price_is_shown_as_unknown_and_not_judged() {
    let rig = hundred_times_worse(None);
    let quote = rig.quote(SELL).unwrap();
    let Json::Array(checks) = at(&quote, "report.checks") else { panic!() };
    let loss = checks.iter().find(|check| text(check, "field") == "quote.loss").unwrap();
    assert_eq!(text(loss, "verdict"), "unknown");
    rig.build(&quote, r#"{"slippageBps":50}"#).unwrap();
}
