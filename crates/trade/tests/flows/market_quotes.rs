//! Market quotes: which path answers, what the route may say, what the loss is judged by, and which quote is the better.

use super::fake_host::{BUY, DEST, NATIVE, Rig, SELL, SRC, at, json, set, text, verdicts, with};
use super::market::{allowed, market};
use verified_swap_trade::flows::{QuoteBound, bound};
use verify::internal::domain::market::rank::rank;
use verify::internal::error::{Error, ErrorCode};
use verify::internal::json::{Json, quoted};

fn all(request: &str) -> String {
    with(request, r#""mode":"ALL""#)
}

#[test]
fn mode_all_takes_either_and_says_why_it_fell_back() {
    let rig = Rig::default();
    let quote = rig.quote(&all(SELL)).unwrap();
    assert_eq!(text(&quote, "kind"), "delta");
    assert!(rig.world.sent("quote")[0].url.contains("&mode=ALL&"));
    rig.build(&quote, r#"{"slippageBps":50}"#).unwrap();
    rig.world.service.borrow_mut().market.falls_back = true;
    let quote = rig.quote(&all(SELL)).unwrap();
    assert_eq!(text(&quote, "kind"), "market");
    assert_eq!(text(&quote, "fallbackReason.errorType"), "GasCostExceedsTradeAmount");
    assert_eq!(text(&quote, "fallbackReason.details"), "Gas cost exceeds trade amount");
    rig.build(&quote, r#"{"slippageBps":50}"#).unwrap();
}

#[test]
fn an_answer_of_another_path_or_of_none_is_no_route() {
    for (mode, answer) in [
        ("MARKET", r#"{"advanced":{"delta":{}}}"#),
        ("DELTA", r#"{"advanced":{"market":{}}}"#),
        ("MARKET", r#"{"advanced":{"market":null}}"#),
        ("ALL", r#"{"fallbackReason":{"errorType":"PricingError","details":"none"}}"#),
        ("ALL", r#"{"advanced":{"delta":null,"market":null}}"#),
    ] {
        let rig = Rig::default();
        rig.world.service.borrow_mut().next_is("quote", 200, answer);
        let error = rig.quote(&SELL.replacen('{', &format!(r#"{{"mode":"{mode}","#), 1)).unwrap_err();
        assert_eq!(error.code, ErrorCode::NoRoute, "{mode} {answer}: {error:?}");
    }
}

#[test]
fn on_a_chain_without_delta_the_market_answers() {
    let rig = Rig::default();
    let request = SELL.replace("8453", "100");
    assert_eq!(rig.quote(&request).unwrap_err().code, ErrorCode::UnsupportedChain);
    rig.quote(&market(&request)).unwrap();
    rig.world.service.borrow_mut().market.falls_back = true;
    rig.quote(&all(&request)).unwrap();
}

fn quoted_with(request: &str, path: &'static str, value: String) -> Result<Json, Error> {
    let rig = Rig::default();
    rig.world.service.borrow_mut().market.route_lie = Some(Box::new(move |route| set(route, path, &value)));
    rig.quote(&market(request))
}

#[track_caller]
fn assert_refused(outcome: Result<Json, Error>, field: &str) {
    let error = outcome.expect_err(field);
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::VerifyMismatch, Some(field)), "{error:?}");
}

#[test]
fn every_part_of_a_route_has_a_check_of_its_own() {
    let address = r#""0x00000000000000000000000000000000000bad00""#;
    for (path, value, field) in [
        ("network", "1", "quote.network"),
        ("srcToken", address, "quote.srcToken"),
        ("destToken", address, "quote.destToken"),
        ("side", r#""BUY""#, "quote.side"),
        ("srcAmount", r#""100000001""#, "quote.srcAmount"),
        ("destAmount", r#""0""#, "quote.destAmount"),
        ("version", r#""5""#, "quote.version"),
        ("version", "6.20", "quote.version"),
        ("contractAddress", address, "quote.contractAddress"),
        ("tokenTransferProxy", address, "quote.tokenTransferProxy"),
        ("partnerFee", "0.011", "quote.fee"),
        ("partnerFee", r#""-1""#, "quote.fee"),
        ("destUSD", r#""84.99""#, "quote.loss"),
        // 1 bps of the amount is the most that the fee may be.
        ("destAmountAfterFee", r#""39995999999999999""#, "quote.destAmountAfterFee"),
        ("srcAmountAfterFee", r#""100010003""#, "quote.srcAmountAfterFee"),
    ] {
        assert_refused(quoted_with(SELL, path, value.into()), field);
    }
    assert_refused(quoted_with(BUY, "destAmount", r#""39999999999999999""#.into()), "quote.destAmount");
    assert_refused(quoted_with(BUY, "srcAmount", r#""0""#.into()), "quote.srcAmount");
}

#[test]
fn honest_routes_pass_in_every_form() {
    for (path, value) in [
        ("version", "6.2"),
        ("tokenTransferProxy", "null"),
        ("srcUSD", "null"),
        ("partnerFee", "0"),
        ("destUSD", r#""85""#),
        ("destAmountAfterFee", r#""39996000000000000""#),
        ("destAmountAfterFee", "null"),
        ("gasCost", "180000"),
        ("side", r#""SELL""#),
        ("serial", "1e3"),
    ] {
        quoted_with(SELL, path, value.into()).unwrap_or_else(|error| panic!("{path} {value}: {error:?}"));
    }
    // A fee of 1 bps on top of the amount, or the amount what is left of it.
    for most in [r#""100010000""#, r#""100010002""#] {
        quoted_with(BUY, "srcAmountAfterFee", most.into()).unwrap();
    }
}

#[test]
fn an_impact_beyond_the_limit_is_surfaced() {
    for (reached, verdict) in [(false, "ok"), (true, "unknown")] {
        let quote = quoted_with(SELL, "maxImpactReached", reached.to_string()).unwrap();
        assert_eq!(at(&quote, "maxImpactReached"), &Json::Bool(reached));
        assert_eq!(verdicts(&quote, "quote.maxImpactReached"), [verdict]);
    }
}

#[test]
fn the_callers_own_prices_count_instead_of_the_quotes() {
    for mode in ["DELTA", "MARKET"] {
        let priced = |src: &str, dest: &str| {
            let more = format!(r#"{{"mode":"{mode}","advanced":{{"srcPriceUsd":"{src}","destPriceUsd":"{dest}"}},"#);
            Rig::default().quote(&SELL.replacen('{', &more, 1))
        };
        // 100 of a dollar each for 0.04: 85 % of the value is the limit, to the last digit.
        priced("1", "2500").unwrap();
        priced("1", "2125").unwrap();
        assert_refused(priced("1", "2124.999999999999999999"), "quote.loss");
        assert_refused(priced("1.000000000000000001", "2125"), "quote.loss");
        let error = priced("0", "1").unwrap_err();
        assert_eq!(error.field.as_deref(), Some("request.advanced.srcPriceUsd"), "a price of nothing");
    }
    // As large as numbers get.
    let most = "9".repeat(59);
    let request =
        market(SELL).replacen('{', &format!(r#"{{"advanced":{{"srcPriceUsd":"{most}","destPriceUsd":"{most}"}},"#), 1);
    assert_refused(Rig::default().quote(&request), "quote.loss");
}

#[test]
fn prices_come_in_pairs_and_as_decimal_text() {
    for (members, field) in [
        (r#""advanced":{"srcPriceUsd":"1"}"#, "request.advanced.destPriceUsd"),
        (r#""advanced":{"destPriceUsd":"1"}"#, "request.advanced.srcPriceUsd"),
        (r#""advanced":{"srcPriceUsd":1,"destPriceUsd":"1"}"#, "request.advanced.srcPriceUsd"),
        (r#""advanced":{"srcPriceUsd":"-1","destPriceUsd":"1"}"#, "request.advanced.srcPriceUsd"),
        (r#""advanced":{"srcPriceUsd":"1e2","destPriceUsd":"1"}"#, "request.advanced.srcPriceUsd"),
        (r#""advanced":{"maxImpactPercent":15}"#, "request.advanced.maxImpactPercent"),
        (r#""advanced":{"maxUsdImpact":"a"}"#, "request.advanced.maxUsdImpact"),
        (r#""mode":"market""#, "request.mode"),
        (r#""advanced":{"market":{}}"#, "request.advanced.market"),
    ] {
        let error = Rig::default().quote(&SELL.replacen('{', &format!("{{{members},"), 1)).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(field)), "{error:?}");
    }
}

#[test]
fn a_market_quote_is_good_for_thirty_seconds() {
    let rig = allowed(u64::MAX);
    let quote = rig.quote(&market(SELL)).unwrap();
    rig.world.pass(30_000);
    rig.build(&quote, r#"{"slippageBps":50}"#).unwrap();
    rig.world.pass(1);
    assert_eq!(rig.build(&quote, r#"{"slippageBps":50}"#).unwrap_err().code, ErrorCode::QuoteExpired);
    let rig = allowed(u64::MAX);
    let quote = rig.quote(&market(SELL)).unwrap();
    rig.world.service.borrow_mut().next_is("transactions", 400, r#"{"errorType":"StalePriceRoute"}"#);
    assert_eq!(rig.build(&quote, r#"{"slippageBps":50}"#).unwrap_err().code, ErrorCode::QuoteExpired);
}

#[test]
fn the_bounds_shown_are_those_a_build_holds() {
    for (request, method) in [(SELL, 0), (BUY, 1)] {
        for route in ["", r#""destAmountAfterFee":"39996000000000000","srcAmountAfterFee":"100010000","#] {
            let rig = allowed(u64::MAX);
            rig.world.service.borrow_mut().market.method = method;
            rig.world.service.borrow_mut().market.more = route;
            let quote = rig.quote(&market(request)).unwrap();
            let shown = |which| bound(&quote, &json("50"), which).unwrap().to_string();
            let (least, most) = (shown(QuoteBound::MinReceived), shown(QuoteBound::MaxSpent));
            let options = format!(r#"{{"slippageBps":50,"minReceived":"{least}","maxSpent":"{most}"}}"#);
            let build = rig.build(&quote, &options).unwrap_or_else(|error| panic!("{request} {route}: {error:?}"));
            assert_eq!([text(&build, "minReceived"), text(&build, "maxSpent")], [&least, &most], "{request} {route}");
        }
    }
}

#[test]
fn the_least_that_is_shown_is_left_by_the_fee_and_the_tax_that_were_asked_for() {
    // GET /prices takes no fee: its route states none of what is asked for with the transaction.
    for (asked, fee_bps, least) in [
        (r#""advanced":{"market":{"destTransferFeeBps":100}}"#, 1, "39398059800000000"),
        (r#""advanced":{"market":{}},"partnerFeeBps":100"#, 101, "39398020000000000"),
        (r#""advanced":{"market":{}},"partner":"shop","partnerFeeBps":100"#, 100, "39402000000000000"),
        (r#""advanced":{"market":{}},"partner":"shop","partnerFeeBps":100,"maxFeeBps":50"#, 50, "39601000000000000"),
    ] {
        let rig = allowed(u64::MAX);
        rig.world.service.borrow_mut().market.fee_bps = fee_bps;
        let quote = rig.quote(&market(SELL).replacen('{', &format!("{{{asked},"), 1)).unwrap();
        let shown = bound(&quote, &json("50"), QuoteBound::MinReceived).unwrap().to_string();
        assert_eq!(shown, least);
        let build = rig.build(&quote, &format!(r#"{{"slippageBps":50,"minReceived":"{shown}"}}"#)).unwrap();
        assert_eq!(text(&build, "minReceived"), least);
    }
}

#[test]
fn prices_of_other_exchanges_are_passed_on_from_either_place() {
    let request = with(&market(SELL), r#""advanced":{"market":{"otherExchangePrices":true}}"#);
    let rig = Rig::default();
    rig.world.service.borrow_mut().market.others = Some(r#"{"X":{"exchange":"X"}}"#);
    let quote = rig.quote(&request).unwrap();
    assert_eq!(text(&quote, "others.X.exchange"), "X");
    rig.build(&quote, r#"{"slippageBps":50}"#).unwrap();
    let rig = Rig::default();
    rig.world.service.borrow_mut().market.more = r#""others":[{"exchange":"Y"}],"#;
    assert_eq!(text(&rig.quote(&request).unwrap(), "others.0.exchange"), "Y");
}

/// A Delta quote and a Market one with these amounts; the other side is fixed.
fn ranked(side: &str, delta: &str, market: &str, gas: &str) -> (Json, Json) {
    let quote = |amount: &str, more: &str| {
        json(&format!(
            r#"{{"request":{{"side":"{side}"}},"srcAmount":"{amount}","destAmount":"{amount}","feeBps":0,"srcUsd":"100","destUsd":"100"{more}}}"#
        ))
    };
    let outcome = rank(&quote(delta, ""), &quote(market, &format!(r#","gasCostUsd":{gas}"#))).unwrap();
    let outcome = json(&outcome);
    (at(&outcome, "best").clone(), at(&outcome, "differenceBps").clone())
}

#[test]
fn the_better_quote_is_the_one_that_leaves_more_after_gas() {
    let best = |name: &str| Json::String(name.into());
    let bps = |bps: &str| Json::Number(bps.into());
    for (side, delta, market, gas, expected) in [
        ("SELL", "1000", "1000", r#""0""#, ("delta", "0")),
        // 1000 less a tenth is 900.
        ("SELL", "900", "1000", r#""10""#, ("delta", "0")),
        ("SELL", "901", "1000", r#""10""#, ("delta", "11")),
        ("SELL", "800", "1000", r#""10""#, ("market", "1250")),
        ("SELL", "1100", "1000", r#""10""#, ("delta", "2222")),
        // 1000 and a tenth is 1100.
        ("BUY", "1100", "1000", r#""10""#, ("delta", "0")),
        ("BUY", "1200", "1000", r#""10""#, ("market", "833")),
        ("BUY", "990", "1000", r#""10""#, ("delta", "1000")),
    ] {
        assert_eq!(ranked(side, delta, market, gas), (best(expected.0), bps(expected.1)), "{side} {delta} {market}");
    }
    // Where gas cannot be valued, only what it cannot change is said.
    assert_eq!(ranked("SELL", "1000", "1000", "null"), (best("delta"), Json::Null));
    assert_eq!(ranked("SELL", "999", "1000", "null"), (Json::Null, Json::Null));
    assert_eq!(ranked("BUY", "1001", "1000", "null"), (Json::Null, Json::Null));
    let delta = json(r#"{"request":{"side":"SELL"},"destAmount":"1"}"#);
    assert_eq!(rank(&delta, &Json::Null).unwrap(), r#"{"best":"delta","differenceBps":null}"#);
    assert_eq!(rank(&Json::Null, &Json::Null).unwrap(), r#"{"best":null,"differenceBps":null}"#);
}

#[test]
fn fees_count_in_the_ranking() {
    let quote = |more: &str| json(&format!(r#"{{"request":{{"side":"SELL"}},"destAmount":"10000"{more}}}"#));
    let market = quote(r#","feeBps":100,"destAmountAfterFee":"9950","destUsd":"1","gasCostUsd":"0""#);
    let outcome = rank(&quote(r#","feeBps":100"#), &market).unwrap();
    assert_eq!(outcome, r#"{"best":"market","differenceBps":50}"#);
}

#[test]
fn real_quotes_are_ranked_by_the_call_the_entry_makes() {
    let rig = Rig::default();
    let (delta, routed) = (rig.quote(SELL).unwrap(), rig.quote(&market(SELL)).unwrap());
    // Equal amounts and fees: the gas decides, 25 cents of 99.90.
    let outcome = verified_swap_trade::flows::compute("rank", &delta, &routed).unwrap();
    assert_eq!(outcome, r#"{"best":"delta","differenceBps":25}"#);
}

#[test]
fn a_beneficiary_who_is_the_router_is_refused() {
    let request = market(SELL).replacen('{', &format!(r#"{{"beneficiary":{},"#, quoted(super::fake_host::ROUTER)), 1);
    let error = Rig::default().quote(&request).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("request.beneficiary")));
}

/// Chains with what people hold their native token wrapped as.
const WRAPPED: [(u64, &str); 9] = [
    (1, "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"),
    (10, "0x4200000000000000000000000000000000000006"),
    (56, "0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c"),
    (100, "0xe91D153E0b41518A2Ce8Dd3D7944Fa863463a97d"),
    (130, "0x4200000000000000000000000000000000000006"),
    (137, "0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270"),
    (8453, "0x4200000000000000000000000000000000000006"),
    (42161, "0x82aF49447D8a07e3bd95BD0d56f35241523fBab1"),
    (43114, "0xB31f66AA3C1e785363F0875A1B74E27b85FD66c7"),
];

/// A world whose service has another token arrive.
fn arriving(token: &str) -> Rig {
    let rig = allowed(u64::MAX);
    rig.world.chain.borrow_mut().node(8453).decimals.insert(token.parse().unwrap(), 18);
    let text = format!(r#""{token}""#);
    rig.world.service.borrow_mut().market.route_lie = Some(Box::new(move |route| set(route, "destToken", &text)));
    rig
}

#[test]
fn the_wrapped_native_token_arrives_in_place_of_the_native_one_only_where_that_is_accepted() {
    for (chain, wrapped) in WRAPPED {
        let request = market(&SELL.replace(DEST, NATIVE).replace("8453", &chain.to_string()));
        let accepting = |value: &str| request.replacen('{', &format!(r#"{{"acceptWrapped":{value},"#), 1);
        for refused in [request.clone(), accepting("false")] {
            assert_refused(arriving(wrapped).quote(&refused), "quote.destToken");
        }
        for accepted in ["true".to_owned(), format!(r#""{wrapped}""#)] {
            let quote = arriving(wrapped).quote(&accepting(&accepted)).unwrap();
            assert_eq!(text(&quote, "destToken"), wrapped);
            assert_eq!((text(&quote, "request.destToken"), text(&quote, "request.acceptWrapped")), (NATIVE, wrapped));
            assert!(text(&quote, "report.sentence").contains(&format!("of the wrapped native token {wrapped}")));
        }
        // The native one is still what it is; any other token is not.
        let rig = Rig::default();
        let quote = rig.quote(&accepting("true")).unwrap();
        assert_eq!(text(&quote, "destToken"), NATIVE);
        assert!(!text(&quote, "report.sentence").contains("wrapped"));
        assert_refused(arriving(DEST).quote(&accepting("true")), "quote.destToken");
    }
    // Callers who ask for a token, or give the wrapped one, get nothing in its place.
    let token = with(&market(SELL), r#""acceptWrapped":true"#);
    assert_refused(arriving(WRAPPED[6].1).quote(&token), "quote.destToken");
    let own =
        token.replace(DEST, NATIVE).replace(SRC, WRAPPED[6].1).replace(r#""srcDecimals":6"#, r#""srcDecimals":18"#);
    assert_refused(arriving(WRAPPED[6].1).quote(&own), "quote.destToken");
    for (chain, value) in [("31337", "true"), ("8453", r#""weth""#), ("8453", "1")] {
        let request = SELL.replace("8453", chain).replacen('{', &format!(r#"{{"acceptWrapped":{value},"#), 1);
        let error = Rig::default().quote(&request).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("request.acceptWrapped")));
    }
}

#[test]
fn the_build_delivers_the_token_that_the_quote_names() {
    let wrapped = WRAPPED[6].1;
    let request = with(&market(&SELL.replace(DEST, NATIVE)), r#""acceptWrapped":true"#);
    let rig = arriving(wrapped);
    let quote = rig.quote(&request).unwrap();
    let build = rig.build(&quote, r#"{"slippageBps":50}"#).unwrap();
    let sentence = text(&build, "report.sentence");
    assert!(
        sentence.contains(&format!("for at least 0.03979602 of the wrapped native token {wrapped} to")),
        "{sentence}"
    );
    assert_eq!(text(&build, "request.destToken"), NATIVE);
    rig.call("submit", &build, "{}").unwrap();
    // The router is told the same, and nothing else passes.
    for other in [NATIVE, SRC] {
        let rig = arriving(wrapped);
        rig.world.service.borrow_mut().market.argument_lie = Some(Box::new(move |path, _| {
            path.ends_with("destToken").then(|| alloy_dyn_abi::DynSolValue::Address(other.parse().unwrap()))
        }));
        let quote = rig.quote(&request).unwrap();
        assert_refused(rig.build(&quote, r#"{"slippageBps":50}"#), "transaction.data.destToken");
    }
}

#[test]
fn a_gasless_order_may_bring_the_wrapped_native_token_too() {
    let wrapped = WRAPPED[6].1;
    let request = SELL.replace(DEST, NATIVE);
    // `outputToken` may repeat what was asked for.
    let lying = |echo: &str| {
        let rig = Rig::default();
        let (text, echo) = (format!(r#""{wrapped}""#), format!(r#""{echo}""#));
        rig.world.service.borrow_mut().quote_lie = Some(Box::new(move |quote| {
            set(quote, "delta.outputToken.address", &echo);
            for leg in ["origin.output", "destination.input", "destination.output"] {
                set(quote, &format!("delta.route.{leg}.token.address"), &text);
            }
        }));
        rig
    };
    let accepting = with(&request, r#""acceptWrapped":true"#);
    assert_refused(lying(SRC).quote(&accepting), "quote.outputToken");
    for echo in [wrapped, NATIVE] {
        assert_refused(lying(echo).quote(&request), "quote.destToken");
        let rig = lying(echo);
        let quote = rig.quote(&accepting).unwrap();
        assert_eq!(text(&quote, "destToken"), wrapped);
        let build = rig.build(&quote, r#"{"slippageBps":50}"#).unwrap();
        assert_eq!(text(&build, "typedData.message.destToken"), wrapped);
        assert!(text(&build, "report.sentence").contains(&format!("of the wrapped native token {wrapped}")));
        rig.submit(&build).unwrap();
    }
}

/// A gasless quote whose route was changed.
fn gasless(request: &str, changes: &'static [(&str, &str)]) -> Result<Json, Error> {
    let rig = Rig::default();
    rig.world.service.borrow_mut().quote_lie = Some(Box::new(move |quote| {
        for (path, value) in changes {
            set(quote, &format!("delta.route.{path}"), value);
        }
    }));
    rig.quote(request)
}

#[test]
fn on_one_chain_the_destination_may_mirror_the_origin_and_nothing_else() {
    const MIRRORED: [(&str, &str); 2] = [
        ("destination.input.token.address", r#""0x1111111111111111111111111111111111111111""#),
        ("destination.input.amount", r#""100000000""#),
    ];
    for request in [SELL, BUY] {
        gasless(request, &MIRRORED).unwrap();
    }
    let rig = Rig::default();
    rig.world.service.borrow_mut().quote_lie = Some(Box::new(|quote| {
        for (path, value) in MIRRORED {
            set(quote, &format!("delta.route.{path}"), value);
        }
    }));
    let build = rig.build(&rig.quote(SELL).unwrap(), r#"{"slippageBps":50}"#).unwrap();
    rig.submit(&build).unwrap();
    const TOKEN_ALONE: [(&str, &str); 1] = [MIRRORED[0]];
    const AMOUNT_ALONE: [(&str, &str); 1] = [MIRRORED[1]];
    const OTHER_AMOUNT: [(&str, &str); 2] = [MIRRORED[0], ("destination.input.amount", r#""100000001""#)];
    const OTHER_CHAIN: [(&str, &str); 3] = [MIRRORED[0], MIRRORED[1], ("destination.input.token.chainId", "1")];
    for wrong in [&TOKEN_ALONE[..], &AMOUNT_ALONE, &OTHER_AMOUNT, &OTHER_CHAIN] {
        assert_refused(gasless(SELL, wrong), "quote.destination.input");
    }
}

#[test]
fn inconsistent_gas_figures_are_shown_as_the_services_word() {
    // 100 USDX are stated to be worth 100.00.
    for (amount, usd, verdict) in [
        ("250000", r#""0.25""#, "ok"),
        ("250000", r#""0.262""#, "ok"),
        ("1", r#""0.00""#, "ok"),
        ("5000000", r#""5.26""#, "ok"),
        ("5000000", r#""5.27""#, "unknown"),
        ("5000000", r#""4.73""#, "unknown"),
        ("250000000000", r#""0.25""#, "unknown"),
        ("0", r#""0.25""#, "unknown"),
        ("250000", "null", "unknown"),
    ] {
        let rig = Rig::default();
        let (raw, dollars) = (format!(r#""{amount}""#), usd.to_owned());
        rig.world.service.borrow_mut().quote_lie = Some(Box::new(move |quote| {
            set(quote, "delta.route.fees.gas.amount", &raw);
            set(quote, "delta.route.fees.gas.amountUSD", &dollars);
        }));
        let quote = rig.quote(SELL).unwrap();
        assert_eq!(verdicts(&quote, "quote.gasFee"), [verdict], "{amount} {usd}");
        assert_eq!(text(&quote, "gasFee.amount"), amount);
        rig.build(&quote, r#"{"slippageBps":50}"#).unwrap();
    }
}
