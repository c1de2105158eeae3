//! The amount that enters a bridge: held to what is sold for it and to what was asked for, whatever the service states.

use super::fake_host::{BETWEEN, BRIDGED, BUY, DEST, Rig, SELL, SRC, at, json, set, text, verdicts, with};
use super::journal::note;
use verify::internal::error::{Error, ErrorCode};
use verify::internal::json::Json;

const OTHER: &str = "0x00000000000000000000000000000000000bad00";
const USDC_BASE: &str = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const USDC_OPTIMISM: &str = "0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85";
const SLICES: &str = r#""numSlices":4,"intervalSecs":600"#;
const CONSENT: &str = r#""acceptUnguaranteedArrival":true"#;

/// 100 USDX (0x111111111111...111111111111) to another chain; `pairs` are the tokens that the application says are one asset.
fn bridge(request: &str, pairs: &str) -> String {
    with(request, &format!(r#""destChainId":10,"advanced":{{"bridgeTokens":{pairs}}}"#))
}

fn listed() -> String {
    format!(r#"[{{"from":{{"chainId":8453,"token":"{BRIDGED}"}},"to":{{"chainId":10,"token":"{DEST}"}}}}]"#)
}

/// Every way to sell or buy across chains where the bridge brings what enters it: request, options.
fn same_asset() -> Vec<(String, &'static str)> {
    let (sell, buy) = (bridge(SELL, &listed()), bridge(BUY, &listed()));
    vec![
        (sell.clone(), r#"{"slippageBps":50}"#),
        (sell.clone(), r#"{"limitAmount":"41000000000000000000000"}"#),
        (sell.clone(), r#"{"limitAmount":"41000000000000000000000","partiallyFillable":true}"#),
        (with(&sell, SLICES), r#"{"slippageBps":50}"#),
        (with(&sell, SLICES), r#"{"limitAmount":"10000000000000000000000"}"#),
        (buy.clone(), r#"{"slippageBps":50}"#),
        (buy, r#"{"limitAmount":"99000000"}"#),
    ]
}

/// Every way to sell across chains where another asset arrives than enters: request, options without a consent.
fn bridge_and_swap() -> Vec<(String, &'static str)> {
    let sell = bridge(SELL, "[]");
    vec![
        (sell.clone(), r#"{"slippageBps":50}"#),
        (sell.clone(), r#"{"limitAmount":"41000000000000000000000"}"#),
        (sell.clone(), r#"{"limitAmount":"41000000000000000000000","partiallyFillable":true}"#),
        (with(&sell, SLICES), r#"{"slippageBps":50}"#),
        (with(&sell, SLICES), r#"{"limitAmount":"10000000000000000000000"}"#),
    ]
}

fn and(options: &str, more: &str) -> String {
    with(options, more)
}

/// A route that the service changes before it is priced, built and hashed by it: nothing but a check of its own tells.
fn lying(quote: impl Fn(&mut Json) + 'static, build: impl Fn(&mut Json) + 'static) -> Rig {
    let rig = Rig::default();
    rig.world.service.borrow_mut().quote_lie = Some(Box::new(quote));
    rig.world.service.borrow_mut().build_lie = Some(Box::new(build));
    rig
}

fn refusal(outcome: Result<Json, Error>) -> (ErrorCode, String) {
    outcome
        .map_or_else(|error| (error.code, error.field.clone().unwrap_or_default()), |build| panic!("{}", build.write()))
}

fn scale(json: &mut Json, path: &str, by: fn(u128) -> u128) {
    let amount: u128 = text(json, path).parse().unwrap();
    set(json, path, &format!("\"{}\"", by(amount)));
}

/// A hundred thousandth enters, and the power of ten makes up for it: in the route, in the order, and in both.
#[test]
fn a_wrong_scaling_factor_cannot_hide_a_tiny_amount() {
    for (request, options) in same_asset() {
        for of in [(true, false), (false, true), (true, true)] {
            let quoted = move |quote: &mut Json| {
                scale(quote, "delta.route.origin.output.amount", |amount| amount / 100_000);
                if of.0 {
                    set(quote, "delta.route.bridge.contractParams.scalingFactor", "-1");
                }
            };
            let built = move |build: &mut Json| {
                if of.1 {
                    set(build, "toSign.value.bridge.scalingFactor", "-1");
                }
            };
            let rig = lying(quoted, built);
            let (code, field) = refusal(rig.built_as(&request, options));
            assert_eq!(code, ErrorCode::VerifyMismatch, "{options}");
            let known =
                ["order.bridge.scalingFactor", "quote.destination.output", "order.expectedAmount", "order.bridgeInput"];
            assert!(known.contains(&field.as_str()), "{options} {of:?}: {field}");
            rig.world.assert_untouched();
        }
    }
}

#[test]
fn the_power_of_ten_is_the_difference_of_decimals_and_no_other() {
    for (request, options) in same_asset() {
        for factor in ["-128", "-7", "-5", "0", "6", "127"] {
            let quoted = move |quote: &mut Json| {
                set(quote, "delta.route.bridge.contractParams.scalingFactor", factor);
            };
            let rig = lying(quoted, |_| {});
            let (code, field) = refusal(rig.built_as(&request, options));
            assert_eq!((code, field.as_str()), (ErrorCode::VerifyMismatch, "order.bridge.scalingFactor"), "{factor}");
        }
        Rig::default().built_as(&request, options).unwrap();
    }
}

/// A worthless token enters: no pair of the application's, so that what arrives is nobody's word but the bridge's.
#[test]
fn a_token_that_is_not_the_same_asset_guarantees_nothing() {
    for (request, options) in same_asset() {
        let rig = lying(|quote| set(quote, "delta.route.origin.output.token.address", &format!("\"{OTHER}\"")), |_| {});
        rig.world.chain.borrow_mut().node(8453).decimals.insert(OTHER.parse().unwrap(), 24);
        let (code, field) = refusal(rig.built_as(&request, &and(options, r#""minReceived":"39000000000000000""#)));
        let expected = if request.contains("BUY") { "request.side" } else { "options.acceptUnguaranteedArrival" };
        assert_eq!((code, field.as_str()), (ErrorCode::InvalidInput, expected));
        assert!(rig.world.sent("build").is_empty(), "the service was asked to build it");
    }
}

#[test]
fn an_unguaranteed_arrival_needs_one_of_three_consents() {
    for (request, options) in bridge_and_swap() {
        let rig = Rig::default();
        let error = rig.built_as(&request, options).unwrap_err();
        assert_eq!(
            (error.code, error.field.as_deref()),
            (ErrorCode::InvalidInput, Some("options.acceptUnguaranteedArrival"))
        );
        for consent in ["minBridgeInput", "bridgeInputPriceUsd", "acceptUnguaranteedArrival: true"] {
            assert!(error.expected.as_ref().unwrap().contains(consent), "{consent}");
        }
        let build = rig.built_as(&request, &and(options, CONSENT)).unwrap();
        assert_eq!(text(&build, "destination.arrival"), "promised");
        assert_eq!(at(&build, "destination.minReceived"), &Json::Null);
        assert!(text(&build, "report.sentence").contains(", promised by the bridge, not by this order"));
        assert_eq!(verdicts(&build, "order.minReceived"), ["opaque"]);
        assert_eq!(verdicts(&build, "order.bridge.scalingFactor").last(), Some(&"opaque"));
        rig.submit(&build).unwrap();
        // To the unit.
        let least = text(&build, "destination.bridgeInput.least").parse::<u128>().unwrap();
        for (token, amount, refused) in [
            (BRIDGED, least, None),
            (BRIDGED, least + 1, Some("order.minBridgeInput")),
            (SRC, least, Some("order.minBridgeInput.token")),
        ] {
            let consent = format!(r#""minBridgeInput":{{"token":"{token}","amount":"{amount}"}}"#);
            let outcome = Rig::default().built_as(&request, &and(options, &consent));
            assert_eq!(outcome.err().and_then(|error| error.field.clone()).as_deref(), refused, "{options}");
        }
        // 100 USDX (0x111111111111...111111111111) at a dollar; at most 15 % of that may be lost before slippage.
        let priced = with(&request, r#""advanced":{"srcPriceUsd":"1","destPriceUsd":"2500"}"#);
        for (price, refused) in [("2500", None), ("2125", None), ("2124.99", Some("order.bridgeInput"))] {
            let consent = format!(r#""advanced":{{"bridgeInputPriceUsd":"{price}"}}"#);
            let outcome = Rig::default().built_as(&priced, &and(options, &consent));
            let found = outcome.err().and_then(|error| error.field.clone());
            assert_eq!(found.as_deref(), refused, "{options} {price}");
        }
        // A price of what is sold alone says nothing of what enters.
        assert!(Rig::default().built_as(&priced, options).is_err());
    }
}

#[test]
fn a_purchase_across_chains_is_of_what_enters_the_bridge_alone() {
    let rig = Rig::default();
    let error = rig.built_as(&bridge(BUY, "[]"), &and(r#"{"slippageBps":50}"#, CONSENT)).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("request.side")));
}

#[test]
fn the_sentence_tells_what_enters_and_what_is_only_expected() {
    let request = bridge(SELL, "[]").replace(SRC, USDC_BASE).replace("USDX", "USDC");
    let source_enters = |quote: &mut Json| {
        set(quote, "delta.route.origin.output.token.address", &format!("\"{USDC_BASE}\""));
        set(quote, "delta.route.origin.output.amount", "\"99500000\"");
        set(quote, "delta.route.bridge.contractParams.scalingFactor", "0");
        // As the service writes such routes: what the bridge brings is said to be what arrives.
        set(quote, "delta.route.destination.input.amount", "\"40000000000000000\"");
    };
    let rig = lying(source_enters, |_| {});
    {
        let mut chain = rig.world.chain.borrow_mut();
        let node = chain.node(8453);
        let (usdc, delta) = (USDC_BASE.parse().unwrap(), super::fake_host::DELTA.parse().unwrap());
        node.decimals.insert(usdc, 6);
        node.allowances.insert((usdc, delta), alloy_primitives::U256::MAX);
    }
    let quote = rig.quote(&request).unwrap();
    assert_eq!(text(&quote, "arrival"), "promised");
    assert_eq!(at(&quote, "bridgeInput"), &json(&format!(r#"{{"token":"{USDC_BASE}","amount":"99500000"}}"#)));
    let build = rig.build(&quote, &and(r#"{"slippageBps":50}"#, CONSENT)).unwrap();
    let expected = "Sell 100 USDC on Base: at least 98.992599 USDC enters the bridge to Optimism; 0.039996 WETX (0x222222222222...222222222222) expected there, promised by the bridge, not by this order; to 0x4a62316623ad457F02cDC5D997deD67a383EC569; expires";
    assert!(text(&build, "report.sentence").starts_with(expected), "{}", text(&build, "report.sentence"));
    // The token that is sold is the one that enters: no price is needed to compare them.
    assert_eq!(verdicts(&build, "order.bridgeInput"), ["ok"]);
    rig.submit(&build).unwrap();
    // Its own price alone is the second consent, then.
    let priced = with(&request, r#""advanced":{"srcPriceUsd":"1","destPriceUsd":"2500"}"#);
    rig.built_as(&priced, r#"{"slippageBps":50}"#).unwrap();
    // A sixth less enters than was sold: no consent covers that.
    let rig = lying(
        move |quote| {
            source_enters(quote);
            set(quote, "delta.route.origin.output.amount", "\"84999999\"");
        },
        |_| {},
    );
    rig.world.chain.borrow_mut().node(8453).decimals.insert(USDC_BASE.parse().unwrap(), 6);
    let error = rig.built_as(&request, &and(r#"{"slippageBps":50}"#, CONSENT)).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::VerifyMismatch, Some("order.bridgeInput")));
}

#[test]
fn tokens_of_the_asset_table_are_one_asset_by_default() {
    let dest = USDC_OPTIMISM;
    let request = SELL
        .replace(DEST, dest)
        .replace(r#""destDecimals":18"#, r#""destDecimals":6"#)
        .replace(r#""srcSymbol""#, r#""destChainId":10,"srcSymbol""#);
    for (amount, factor, refused) in [
        ("99500000", "0", None),
        // A dollar less than was quoted to arrive, and a power of ten that would make it more.
        ("99500000", "5", Some("order.bridge.scalingFactor")),
        ("1000", "5", Some("order.bridge.scalingFactor")),
        ("1000", "0", Some("quote.destination.output")),
    ] {
        let rig = lying(
            move |quote| {
                for (path, value) in [
                    ("origin.output.token.address", format!("\"{USDC_BASE}\"")),
                    ("origin.output.amount", format!("\"{amount}\"")),
                    ("destination.output.amount", "\"99000000\"".into()),
                    ("bridge.contractParams.scalingFactor", factor.into()),
                ] {
                    set(quote, &format!("delta.route.{path}"), &value);
                }
            },
            |_| {},
        );
        rig.world.chain.borrow_mut().node(8453).decimals.insert(USDC_BASE.parse().unwrap(), 6);
        let outcome = rig.built_as(&request, r#"{"slippageBps":50,"minReceived":"98000000"}"#);
        let found = outcome.as_ref().err().and_then(|error| error.field.clone());
        assert_eq!(found.as_deref(), refused);
        if let Ok(build) = outcome {
            assert_eq!(text(&build, "destination.arrival"), "guaranteed");
        }
    }
}

/// Each member of bridge and route by itself, on every kind: refused, or of no consequence for who gets how much.
#[test]
fn every_member_of_bridge_and_route_has_its_check() {
    let long = format!("\"0x{}\"", "00".repeat(4_097));
    let other = format!("\"{OTHER}\"");
    let built: [(&str, &str, &str); 6] = [
        ("bridge.protocolSelector", "\"0x00000000\"", "order.bridge.protocolSelector"),
        ("bridge.destinationChainId", "11", "order.bridge.destinationChainId"),
        ("bridge.outputToken", &other, "order.bridge.outputToken"),
        ("bridge.scalingFactor", "-5", "order.bridge.scalingFactor"),
        ("bridge.protocolData", &long, "order.bridge.protocolData.length"),
        ("destToken", &other, "order.destToken"),
    ];
    let consented = bridge_and_swap().into_iter().map(|(request, options)| (request, and(options, CONSENT)));
    let all = same_asset().into_iter().map(|(request, options)| (request, options.into())).chain(consented);
    for (request, options) in all {
        for (path, value, field) in built {
            let (path, value) = (path.to_owned(), value.to_owned());
            // Told in the route as well, so that the two agree.
            let route = format!("delta.route.bridge.contractParams.{}", path.trim_start_matches("bridge."));
            let (stated, agrees) = (value.clone(), path.starts_with("bridge.p"));
            let rig = lying(
                move |quote| {
                    if agrees {
                        set(quote, &route, &stated);
                    }
                },
                move |build| set(build, &format!("toSign.value.{path}"), &value),
            );
            let (code, found) = refusal(rig.built_as(&request, &options));
            assert_eq!((code, found.as_str()), (ErrorCode::VerifyMismatch, field), "{options}");
            rig.world.assert_untouched();
        }
        for (path, value, field) in [
            ("destination.input.token.chainId", "11", "quote.destination.input.chain"),
            ("origin.output.token.chainId", "10", "quote.origin.output.chain"),
        ] {
            let rig = lying(move |quote| set(quote, &format!("delta.route.{path}"), value), |_| {});
            let (code, found) = refusal(rig.built_as(&request, &options));
            assert_eq!((code, found.as_str()), (ErrorCode::VerifyMismatch, field), "{options}");
        }
        // Which token the bridge is said to bring decides nothing.
        let brought =
            |quote: &mut Json| set(quote, "delta.route.destination.input.token.address", &format!("\"{BETWEEN}\""));
        lying(brought, |_| {}).built_as(&request, &options).unwrap();
    }
}

#[test]
fn the_decimals_of_what_enters_are_the_tokens_own() {
    let request = bridge(SELL, &listed());
    let rig = Rig::default();
    let error = rig.built_as(&request, r#"{"slippageBps":50,"advanced":{"bridgeInputDecimals":18}}"#).unwrap_err();
    assert_eq!(
        (error.code, error.field.as_deref()),
        (ErrorCode::InvalidInput, Some("options.advanced.bridgeInputDecimals"))
    );
    let build = rig.built_as(&request, r#"{"slippageBps":50,"advanced":{"bridgeInputDecimals":24}}"#).unwrap();
    // Looked at once more before the prompt.
    rig.client.shared.nodes.questions.forget(|_, _| true);
    rig.world.chain.borrow_mut().node(8453).decimals.insert(BRIDGED.parse().unwrap(), 23);
    let error = rig.submit(&build).unwrap_err();
    assert_eq!(
        (error.code, error.field.as_deref()),
        (ErrorCode::InvalidInput, Some("options.advanced.bridgeInputDecimals"))
    );
    rig.world.assert_untouched();
    // Nobody to read them from: they have to be said.
    let blind = Rig::with(|shared, bound| {
        shared.settings.rpc.clear();
        bound.wallet = None;
        bound.account = Some("0x7777777777777777777777777777777777777777".parse().unwrap());
    });
    let error = blind.built_as(&request, r#"{"slippageBps":50}"#).unwrap_err();
    assert_eq!(error.field.as_deref(), Some("options.advanced.bridgeInputDecimals"));
    blind.built_as(&request, r#"{"slippageBps":50,"advanced":{"bridgeInputDecimals":24}}"#).unwrap();
}

/// An order from before a reload brings no consent along: its caller gives one, or it ends there.
#[test]
fn a_consent_inside_a_noted_build_does_not_count() {
    let request = bridge(SELL, "[]");
    let rig = Rig::default();
    let build = rig.built_as(&request, &and(r#"{"slippageBps":50}"#, CONSENT)).unwrap();
    note(&rig, &build);
    let again = |more: &str| {
        let stated = with(&request, &format!(r#""account":"{}","minReceived":"1"{more}"#, rig.owner()));
        let other = Rig::in_world(rig.world.clone(), |shared, _| shared.settings.secret = [9; 32]);
        other.submit_with(&build, &format!(r#"{{"request":{stated}}}"#))
    };
    let error = again("").unwrap_err();
    assert_eq!(error.field.as_deref(), Some("options.request.acceptUnguaranteedArrival"));
    let least = text(&build, "destination.bridgeInput.least").parse::<u128>().unwrap();
    let bridge_input =
        |token: &str, least: u128| format!(r#","minBridgeInput":{{"token":"{token}","amount":"{least}"}}"#);
    for (token, least, field) in
        [(BRIDGED, least + 1, "order.minBridgeInput"), (SRC, least, "order.minBridgeInput.token")]
    {
        let error = again(&bridge_input(token, least)).unwrap_err();
        assert_eq!(error.field.as_deref(), Some(field));
    }
    rig.world.assert_untouched();
    again(&bridge_input(BRIDGED, least)).unwrap();
}

/// The caller's own prices are a consent only where they can be held against what enters: in raw units of a token of unknown
/// decimals, or against a price of nothing, they say nothing.
#[test]
fn prices_that_cannot_be_compared_are_no_consent() {
    for (request, options) in bridge_and_swap() {
        let blind = || {
            Rig::with(|shared, bound| {
                shared.settings.rpc.clear();
                bound.wallet = None;
                bound.account = Some("0x7777777777777777777777777777777777777777".parse().unwrap());
            })
        };
        let priced = with(&request, r#""advanced":{"srcPriceUsd":"1","destPriceUsd":"2500"}"#);
        let by_prices = and(options, r#""advanced":{"bridgeInputPriceUsd":"2500"}"#);
        let error = blind().built_as(&priced, &by_prices).unwrap_err();
        assert_eq!(
            (error.code, error.field.as_deref()),
            (ErrorCode::InvalidInput, Some("options.advanced.bridgeInputDecimals"))
        );
        blind().built_as(&priced, &and(&by_prices, r#""advanced":{"bridgeInputDecimals":24}"#)).unwrap();
        // Another consent needs no decimals; the prices judge nothing then.
        let build = blind().built_as(&priced, &and(&by_prices, CONSENT)).unwrap();
        assert_eq!(verdicts(&build, "order.bridgeInput"), ["unknown"]);
        for (nothing, field) in [
            (r#""advanced":{"srcPriceUsd":"0.0","destPriceUsd":"2500"}"#, "request.advanced.srcPriceUsd"),
            (
                r#""advanced":{"srcPriceUsd":"1","destPriceUsd":"2500"},"maxLossBps":10000"#,
                "options.acceptUnguaranteedArrival",
            ),
        ] {
            let rig = Rig::default();
            let quoted = rig.quote(&with(&request, nothing)).and_then(|quote| rig.build(&quote, &by_prices));
            assert_eq!(quoted.unwrap_err().field.as_deref(), Some(field), "{nothing}");
        }
    }
}

/// A limit is in units of what enters, which the service chooses: that of a dollar's six decimals is dust of one with eighteen.
#[test]
fn a_limit_in_wrong_units_is_refused() {
    let request = with(&bridge(SELL, "[]"), r#""advanced":{"srcPriceUsd":"1","destPriceUsd":"2500"}"#);
    for (request, options) in [
        (request.clone(), r#"{"limitAmount":"41000000000","advanced":{"bridgeInputPriceUsd":"2500"}}"#),
        (with(&request, SLICES), r#"{"limitAmount":"10000000000","advanced":{"bridgeInputPriceUsd":"2500"}}"#),
    ] {
        let (code, field) = refusal(Rig::default().built_as(&request, options));
        assert_eq!((code, field.as_str()), (ErrorCode::VerifyMismatch, "order.bridgeInput"));
        // Callers who name the token know its units; those who accept whatever arrives see how far off it is.
        for consent in [CONSENT, &format!(r#""minBridgeInput":{{"token":"{BRIDGED}","amount":"1"}}"#)] {
            let options = and(options, consent);
            let build = Rig::without_references().built_as(&request, &options).unwrap();
            assert_eq!(verdicts(&build, "order.distance"), ["unusual"]);
            // Where somebody knows what enters, that is refused as well.
            assert_eq!(refusal(Rig::default().built_as(&request, &options)).1, "order.bridgeInput.price");
        }
    }
    // Where the same asset arrives it is in units of that, and may be below any price.
    let request = with(&bridge(SELL, &listed()), r#""advanced":{"srcPriceUsd":"1","destPriceUsd":"2500"}"#);
    let build = Rig::default().built_as(&request, r#"{"limitAmount":"30000000000000000000000"}"#).unwrap();
    assert_eq!(verdicts(&build, "order.bridgeInput"), ["ok"]);
}

/// A token of no list: what is sold of it and enters the bridge as it is has one price, whatever that is.
#[test]
fn what_enters_as_it_was_sold_is_compared_without_a_price() {
    for (amount, verdict) in [("99500000", Some("ok")), ("84999999", None)] {
        let quoted = move |quote: &mut Json| {
            set(quote, "delta.route.origin.output.token.address", &format!("\"{SRC}\""));
            set(quote, "delta.route.origin.output.amount", &format!("\"{amount}\""));
        };
        let options = and(r#"{"slippageBps":50}"#, CONSENT);
        let outcome = lying(quoted, |_| {}).built_as(&bridge(SELL, "[]"), &options);
        match verdict {
            Some(verdict) => assert_eq!(verdicts(&outcome.unwrap(), "order.bridgeInput"), [verdict]),
            None => assert_eq!(refusal(outcome).1, "order.bridgeInput"),
        }
    }
}

/// A node that lies about a token of the table, with a service that lies along: a thousandth of a dollar as a hundred.
#[test]
fn decimals_of_the_asset_table_are_not_read_from_a_node() {
    let request = SELL
        .replace(DEST, USDC_OPTIMISM)
        .replace(r#""destDecimals":18"#, r#""destDecimals":6"#)
        .replace(r#""srcSymbol""#, r#""destChainId":10,"srcSymbol""#);
    let rig = lying(
        |quote| {
            for (path, value) in [
                ("origin.output.token.address", format!("\"{USDC_BASE}\"")),
                ("origin.output.amount", "\"1000\"".into()),
                ("destination.output.amount", "\"99000000\"".into()),
                ("bridge.contractParams.scalingFactor", "5".into()),
            ] {
                set(quote, &format!("delta.route.{path}"), &value);
            }
        },
        |_| {},
    );
    rig.world.chain.borrow_mut().node(8453).decimals.insert(USDC_BASE.parse().unwrap(), 1);
    let (code, field) = refusal(rig.built_as(&request, r#"{"slippageBps":50,"minReceived":"98000000"}"#));
    assert_eq!((code, field.as_str()), (ErrorCode::VerifyMismatch, "order.bridge.scalingFactor"));
}

/// A promise of a bridge is never held to be right, but one of less than the caller's floor is refused.
#[test]
fn a_promise_below_the_callers_floor_is_refused() {
    for (request, options) in bridge_and_swap() {
        let build = Rig::default().built_as(&request, &and(options, CONSENT)).unwrap();
        let expected = text(&build, "destination.expected").parse::<u128>().unwrap();
        // A limit is a price of its own: what the quote promises says nothing of it.
        let beyond = Some("order.minReceived").filter(|_| !options.contains("limitAmount"));
        for (least, refused) in [(expected, None), (expected + 1, beyond)] {
            let floor = format!(r#"{CONSENT},"minReceived":"{least}""#);
            let outcome = Rig::default().built_as(&request, &and(options, &floor));
            if let Ok(build) = &outcome {
                assert_eq!(verdicts(build, "order.minReceived"), ["opaque"]);
            }
            assert_eq!(outcome.err().and_then(|error| error.field.clone()).as_deref(), refused, "{options}");
        }
    }
}
