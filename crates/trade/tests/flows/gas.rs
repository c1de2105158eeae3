//! Gas that nobody can value: where only the app's own reference says what a trade is worth, what lies beyond the bound is
//! refused, or asked about, in whatever way the gas is stated.

use super::fake_host::{Place, Rig, at, json, set, text, with};
use super::kinds::{Kind, kinds};
use verify::internal::error::ErrorCode;
use verify::internal::json::Json;

/// Ways to state gas: what stands in the route, and its part of what is given; `None` if its token has no known price.
fn forms() -> Vec<(&'static str, Option<f64>)> {
    let foreign = r#"{"token":{"chainId":8453,"address":"0x9999999999999999999999999999999999999999"},"amount":"1","amountUSD":"0.01"}"#;
    vec![("null", Some(0.0)), ("0", Some(0.0)), ("1", Some(0.0)), ("all", Some(1.0)), (foreign, None)]
}

/// A rig of that kind whose service states its gas so, and whose app knows a price of which the service gives `1 - off`.
fn rig(kind: &Kind, form: &str, off: f64, max_loss_bps: u64) -> (Rig, String) {
    let request = with(&kind.request, &format!(r#""maxLossBps":{max_loss_bps}"#));
    let quote = kind.rig().quote(&request).unwrap();
    let whole = |amount: &str, decimals: &str| {
        let Json::Number(places) = at(&json(&request), decimals).clone() else { panic!() };
        text(&quote, amount).parse::<f64>().unwrap() / 10_f64.powi(places.parse().unwrap())
    };
    let price = whole("destAmount", "destDecimals") / whole("srcAmount", "srcDecimals") / (1.0 - off);
    let rig = Rig::with(|shared, _| shared.settings.app_reference = Some(Place::Node(999)));
    rig.world.service.borrow_mut().building.fillable = kind.fillable;
    rig.world.service.borrow_mut().building.native = kind.native;
    for chain in [8453, 10] {
        let mut chains = rig.world.chain.borrow_mut();
        let node = chains.node(chain);
        node.told.clear();
        // A million units are a fifth of what the native token's sale gives.
        node.gas_price = 20;
    }
    for _ in 0..3 {
        let said = json(&format!(r#""{price:.18}""#));
        rig.world.chain.borrow_mut().node(999).next.push_back(("reference", Ok(said)));
    }
    let (form, route) = (form.to_owned(), if kind.options.contains("route") { "alternatives.0" } else { "route" });
    rig.world.service.borrow_mut().quote_lie = Some(Box::new(move |quote| match &*form {
        "all" => {}
        "0" | "1" => set(quote, &format!("delta.{route}.fees.gas.amount"), &format!(r#""{form}""#)),
        gas => set(quote, &format!("delta.{route}.fees.gas"), gas),
    }));
    (rig, request)
}

#[test]
fn what_lies_beyond_the_bound_is_asked_about_or_refused_where_nobody_can_value_gas() {
    let mut seen = [0; 4];
    let is_named = |kind: &Kind| ["limitAmount", "maxSrcAmount"].iter().any(|name| kind.options.contains(name));
    for kind in kinds().into_iter().filter(|kind| !is_named(kind)) {
        // The trade's own price is that of the native token, and the node says what gas costs.
        let is_native = kind.request.contains(super::fake_host::NATIVE);
        for (form, stated) in forms() {
            for max_loss_bps in if form == "all" { &[1_500, 3_000, 9_000][..] } else { &[9_000] } {
                for off in [0.0, 0.06, 0.14, 0.2, 0.89] {
                    let case = format!("{} {} {form} {max_loss_bps} {off}", kind.request, kind.options);
                    let (rig, request) = rig(&kind, form, off, *max_loss_bps);
                    let max_loss = *max_loss_bps as f64 / 1e4;
                    let quote = rig.quote(&request).unwrap();
                    let built = rig.build(&quote, kind.options);
                    let is_explained = stated.is_none_or(|stated| stated > 0.0);
                    let expected = match () {
                        () if off == 0.0 => 0,
                        () if is_native && stated == Some(1.0) && off < max_loss.min(0.5) => 1,
                        () if !is_native && is_explained && off < 0.15 => 2,
                        () => 3,
                    };
                    seen[expected] += 1;
                    if !kind.options.contains("route") {
                        let verdict = ["ok", "unusual", "unknown", "mismatch"][expected];
                        assert_eq!(text(&quote, "reference.verdict"), verdict, "{case}");
                    }
                    let Ok(build) = built else {
                        let error = built.unwrap_err();
                        assert!(
                            [ErrorCode::VerifyMismatch, ErrorCode::LossTooHigh].contains(&error.code),
                            "{case}: {error:?}"
                        );
                        assert_eq!((error.field.as_deref(), expected), (Some("quote.price"), 3), "{case}");
                        rig.world.assert_untouched();
                        continue;
                    };
                    let questions = at(&build, "report.questions").write();
                    let is_asked = questions.contains(r#""reason":"gasUnjudged","field":"quote.price""#);
                    let verdict = text(&build, "report.price.verdict");
                    assert_eq!(
                        (verdict, is_asked),
                        [("ok", false), ("unusual", false), ("unknown", true), ("", false)][expected],
                        "{case}"
                    );
                    if !is_asked || form != "all" {
                        continue;
                    }
                    let sentence = text(&build, "report.sentence");
                    assert!(sentence.contains(" % below the reference price, gas not judged"), "{sentence}");
                    let refused = rig.submit(&build).unwrap_err();
                    assert_eq!(refused.code, ErrorCode::PriceUnjudged, "{case}");
                    rig.world.assert_untouched();
                    let ids = refused.expected.clone().unwrap().replace(", ", r#"",""#);
                    rig.submit_with(&build, &format!(r#"{{"accept":["{ids}"]}}"#)).unwrap();
                }
            }
        }
    }
    assert!(seen.iter().all(|count| *count > 10), "{seen:?}");
}

#[test]
fn a_bound_of_the_callers_answers_and_prices_of_the_callers_do_not() {
    let kind = &kinds()[0];
    let own = r#""advanced":{"srcPriceUsd":"1","destPriceUsd":"2250"}"#;
    for (options, more, is_open) in [
        (r#"{"slippageBps":50}"#, None, true),
        (r#"{"slippageBps":50,"minReceived":"39000000000000000"}"#, None, false),
        (r#"{"limitAmount":"41000000000000000"}"#, None, false),
        (r#"{"slippageBps":50}"#, Some(own), true),
    ] {
        let (rig, request) = rig(kind, "all", 0.1, 1_500);
        let request = more.map_or(request.clone(), |more| with(&request, more));
        let build = rig.built_as(&request, options).unwrap();
        let submitted = rig.submit(&build).map(|_| ()).map_err(|error| error.code);
        assert_eq!(submitted, if is_open { Err(ErrorCode::PriceUnjudged) } else { Ok(()) }, "{options} {more:?}");
    }
}
