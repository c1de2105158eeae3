//! The requests to the Market endpoints, to the byte.

use super::fake_host::{BUY, DEST, Rig, SELL, SRC, json, raw, text, with};
use super::market::{allowed, market};
use verify::internal::error::ErrorCode;
use verify::internal::value::address::checksummed;

const OTHER: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

/// The query of GET /prices for these options of a sale.
fn prices(members: &str, options: &str) -> String {
    let rig = Rig::default();
    let request = with(&market(SELL), &format!(r#""advanced":{{"market":{{{options}}}}}"#));
    let request = if members.is_empty() { request } else { with(&request, members) };
    rig.quote(&request).unwrap_or_else(|error| panic!("{options}: {error:?}"));
    let url = rig.world.sent("prices")[0].url.clone();
    url.split_once("/prices?").unwrap().1.into()
}

const PLAIN: &str = "srcToken=0x1111111111111111111111111111111111111111&destToken=0x2222222222222222222222222222222222222222&amount=100000000&srcDecimals=6&destDecimals=18&side=SELL&network=8453&partner=anon&version=6.2";

#[test]
fn every_parameter_of_prices_is_sent_as_documented() {
    for (option, parameter) in [
        ("", ""),
        (r#""otherExchangePrices":true"#, "&otherExchangePrices=true"),
        (r#""includeDexs":["UniswapV3","CurveV2"]"#, "&includeDEXS=UniswapV3,CurveV2"),
        (r#""excludeDexs":["A&B"]"#, "&excludeDEXS=A%26B"),
        (r#""excludeRfq":false"#, "&excludeRFQ=false"),
        (r#""excludePools":["0xAb","UniswapV3_1"]"#, "&excludePools=0xAb,UniswapV3_1"),
        (r#""includeContractMethods":["swapExactAmountIn"]"#, "&includeContractMethods=swapExactAmountIn"),
        (r#""excludeContractMethods":["a","b"]"#, "&excludeContractMethods=a,b"),
        (r#""excludeContractMethodsWithoutFeeModel":true"#, "&excludeContractMethodsWithoutFeeModel=true"),
        (r#""srcTransferFeeBps":100"#, "&srcTokenTransferFee=100"),
        (r#""destTransferFeeBps":10000"#, "&destTokenTransferFee=10000"),
        (r#""srcDexTransferFeeBps":0"#, "&srcTokenDexTransferFee=0"),
        (r#""destDexTransferFeeBps":"7""#, "&destTokenDexTransferFee=7"),
        (r#""ignoreBadUsdPrice":true"#, "&ignoreBadUsdPrice=true"),
        (
            r#""route":["0x1111111111111111111111111111111111111111","native","0x2222222222222222222222222222222222222222"]"#,
            "&route=0x1111111111111111111111111111111111111111-0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE-0x2222222222222222222222222222222222222222",
        ),
    ] {
        assert_eq!(prices("", option), [PLAIN, parameter].concat());
    }
    let members = format!(
        r#""account":"{OTHER}","beneficiary":"{}","advanced":{{"maxImpactPercent":"12.5","maxUsdImpact":"100"}}"#,
        "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"
    );
    assert_eq!(
        prices(&members, ""),
        PLAIN.replace("&partner=anon", &format!("&userAddress={OTHER}&partner=anon&receiver=0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359&maxImpact=12.5&maxUSDImpact=100"))
    );
    // The receiver is left out where that is the account.
    let same = format!(r#""account":"{OTHER}","beneficiary":"{OTHER}""#);
    assert!(!prices(&same, "").contains("receiver"));
}

#[test]
fn bounds_of_parameters_are_checked_before_anything_is_sent() {
    let token = format!("\"{SRC}\"");
    let five = [token.as_str(); 5].join(",");
    for (option, field) in [
        (r#""srcTransferFeeBps":10001"#.to_string(), "request.advanced.market.srcTransferFeeBps"),
        (r#""destTransferFeeBps":-1"#.into(), "request.advanced.market.destTransferFeeBps"),
        (r#""srcDexTransferFeeBps":1.5"#.into(), "request.advanced.market.srcDexTransferFeeBps"),
        (r#""destDexTransferFeeBps":"x""#.into(), "request.advanced.market.destDexTransferFeeBps"),
        (r#""includeDexs":"UniswapV3""#.into(), "request.advanced.market.includeDexs"),
        (r#""excludeDexs":["a,b"]"#.into(), "request.advanced.market.excludeDexs.0"),
        (r#""excludeDexs":[""]"#.into(), "request.advanced.market.excludeDexs.0"),
        (r#""excludePools":"0xAb""#.into(), "request.advanced.market.excludePools"),
        (r#""excludePools":["a,b"]"#.into(), "request.advanced.market.excludePools.0"),
        (r#""excludeRfq":"true""#.into(), "request.advanced.market.excludeRfq"),
        (format!(r#""route":[{five}]"#), "request.advanced.market.route"),
        (format!(r#""route":[{token}]"#), "request.advanced.market.route"),
        (format!(r#""route":[{token},"0x12"]"#), "request.advanced.market.route.1"),
        (r#""version":"5""#.into(), "request.advanced.market.version"),
        (r#""excludeDex":["a"]"#.into(), "request.advanced.market.excludeDex"),
    ] {
        let rig = Rig::default();
        let request = market(SELL).replacen('{', &format!(r#"{{"advanced":{{"market":{{{option}}}}},"#), 1);
        let error = rig.quote(&request).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(field)), "{error:?}");
        assert!(rig.world.requests.borrow().is_empty());
    }
    let four = [token.as_str(); 4].join(",");
    prices("", &format!(r#""route":[{four}]"#));
}

#[test]
fn impact_limits_travel_with_any_quote() {
    let rig = Rig::default();
    rig.quote(&with(SELL, r#""advanced":{"maxImpactPercent":"3","maxUsdImpact":"50.5"}"#)).unwrap();
    assert!(rig.world.sent("quote")[0].url.ends_with("&partner=anon&maxImpact=3&maxUSDImpact=50.5"));
    rig.quote(&market(SELL)).unwrap();
    assert!(rig.world.sent("quote")[1].url.contains("&mode=MARKET&side=SELL&"));
}

/// The body of POST /transactions for these members and options; without the route.
fn body(request: &str, options: &str) -> (Rig, String) {
    let rig = allowed(u64::MAX);
    let side = usize::from(request.contains("BUY"));
    rig.world.service.borrow_mut().market.method = side;
    let quote = rig.quote(request).unwrap();
    // Whether the answer passes is another question.
    let _ = rig.build(&quote, options);
    let body = rig.world.sent("transactions")[0].body.clone().unwrap();
    let route = raw(&body, "priceRoute").to_owned();
    let said = rig.world.said(if request.contains(r#""market":{"#) { "prices" } else { "quote" });
    assert!(said.contains(&route), "the route goes back byte for byte");
    assert!(route.contains(r#""2":1.0"#) && route.contains(r"Caf\u00e9") && route.contains("12345678901234567890"));
    let rest = body.split_once(&route).unwrap().1.strip_prefix(',').unwrap().to_owned();
    (rig, rest)
}

#[test]
fn a_sale_and_a_purchase_are_built_with_the_fixed_amount_and_explicit_slippage() {
    for (request, amount) in [(SELL, r#""srcAmount":"100000000""#), (BUY, r#""destAmount":"40000000000000000""#)] {
        for request in [market(request), with(&market(request), r#""advanced":{"market":{}}"#)] {
            let (rig, body) = body(&request, r#"{"slippageBps":0}"#);
            let owner = checksummed(rig.owner());
            assert_eq!(
                body,
                format!(
                    r#""srcToken":"{SRC}","destToken":"{DEST}","srcDecimals":6,"destDecimals":18,{amount},"slippage":0,"userAddress":"{owner}","partner":"anon"}}"#
                )
            );
        }
    }
}

#[test]
fn every_member_of_the_transaction_body_is_sent_as_documented() {
    let plain = body(&market(SELL), r#"{"slippageBps":50}"#).1;
    for (options, members) in [
        (
            r#""advanced":{"txOrigin":"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"}"#,
            r#""txOrigin":"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed","partner":"anon""#,
        ),
        (r#""deadline":1800000500"#, r#""partner":"anon","deadline":1800000500"#),
        (r#""advanced":{"capSurplus":true}"#, r#""partner":"anon","isCapSurplus":true"#),
        (r#""advanced":{"takeSurplus":true}"#, r#""partner":"anon","takeSurplus":true"#),
        (r#""advanced":{"surplusToUser":true}"#, r#""partner":"anon","isSurplusToUser":true"#),
        (r#""advanced":{"directFeeTransfer":false}"#, r#""partner":"anon","isDirectFeeTransfer":false"#),
        (r#""advanced":{"referrer":"shop '& söns"}"#, r#""partner":"anon","referrer":"shop '& söns""#),
    ] {
        let (_, body) = body(&market(SELL), &format!(r#"{{"slippageBps":50,{options}}}"#));
        assert_eq!(body, plain.replace(r#""partner":"anon""#, members));
    }
    let request = market(SELL).replacen(
        '{',
        &format!(r#"{{"partner":"shop & sons","partnerFeeBps":25,"partnerAddress":"{OTHER}","beneficiary":"{OTHER}","#),
        1,
    );
    let (_, body) = body(&request, r#"{"slippageBps":50}"#);
    let members =
        format!(r#""receiver":"{OTHER}","partnerAddress":"{OTHER}","partner":"shop & sons","partnerFeeBps":"25""#);
    assert_eq!(body, plain.replace(r#""partner":"anon""#, &members));
}

#[test]
fn options_of_a_market_build_are_checked_before_anything_is_sent() {
    for (options, field) in [
        ("{}", "options.slippageBps"),
        (r#"{"slippageBps":10001}"#, "options.slippageBps"),
        (r#"{"slippageBps":50,"minReceived":0}"#, "options.minReceived"),
        (r#"{"slippageBps":50,"advanced":{"txOrigin":"0x00"}}"#, "options.advanced.txOrigin"),
        (r#"{"slippageBps":50,"advanced":{"allowSelectors":["0x12"]}}"#, "options.advanced.allowSelectors.0"),
        (r#"{"slippageBps":50,"advanced":{"takeSurplus":1}}"#, "options.advanced.takeSurplus"),
        (r#"{"slippageBps":50,"advanced":{"referrer":""}}"#, "options.advanced.referrer"),
        (r#"{"slippageBps":50,"advanced":{"referrer":7}}"#, "options.advanced.referrer"),
        (r#"{"slippageBps":50,"advanced":{"ignoreAllowance":"yes"}}"#, "options.advanced.ignoreAllowance"),
        (r#"{"slippageBps":50,"limitAmount":"1"}"#, "options.limitAmount"),
        (r#"{"slippageBps":50,"ignoreCheck":true}"#, "options.ignoreCheck"),
    ] {
        let rig = allowed(u64::MAX);
        let quote = rig.quote(&market(SELL)).unwrap();
        let error = rig.build(&quote, options).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(field)), "{error:?}");
        assert!(rig.world.sent("transactions").is_empty());
    }
    // The fee would win, silently.
    let rig = allowed(u64::MAX);
    let request = with(&market(SELL), r#""partner":"shop","partnerFeeBps":25"#);
    let quote = rig.quote(&request).unwrap();
    let error = rig.build(&quote, r#"{"slippageBps":50,"advanced":{"takeSurplus":true}}"#).unwrap_err();
    assert_eq!(error.field.as_deref(), Some("options.advanced.takeSurplus"), "{error:?}");
}

#[test]
fn an_altered_route_is_refused_by_the_service_and_not_sent_again() {
    let rig = allowed(u64::MAX);
    let quote = rig.quote(&market(SELL)).unwrap();
    rig.world.service.borrow_mut().next_is(
        "transactions",
        400,
        r#"{"errorType":"InvalidInput","details":"Invalid hmac"}"#,
    );
    let error = rig.build(&quote, r#"{"slippageBps":50}"#).unwrap_err();
    assert_eq!(error.code, ErrorCode::QuoteExpired);
    assert_eq!(text(&json(&error.write()), "details"), "Invalid hmac");
    assert_eq!(rig.world.sent("transactions").len(), 1);
}

#[test]
fn options_of_either_path_may_be_passed_to_both() {
    let options = r#"{"slippageBps":50,"type":"MARKET","validForSecs":600,"advanced":{"directFeeTransfer":false,"ignoreChecks":true}}"#;
    let rig = allowed(u64::MAX);
    let build = rig.build(&rig.quote(SELL).unwrap(), options).unwrap();
    assert_eq!(text(&build, "deadline"), "1800000600");
    rig.build(&rig.quote(&market(SELL)).unwrap(), options).unwrap();
    let body = rig.world.sent("transactions")[0].body.clone().unwrap();
    assert!(body.ends_with(r#","deadline":1800000600,"isDirectFeeTransfer":false}"#), "{body}");
    // A limit would be lost.
    let error = rig.build(&rig.quote(&market(SELL)).unwrap(), r#"{"slippageBps":50,"type":"LIMIT"}"#).unwrap_err();
    assert_eq!(error.field.as_deref(), Some("options.type"), "{error:?}");
    let error =
        rig.build(&rig.quote(&market(SELL)).unwrap(), r#"{"slippageBps":50,"deadline":1800000000}"#).unwrap_err();
    assert_eq!(error.field.as_deref(), Some("options.deadline"), "{error:?}");
}

#[test]
fn refusals_of_the_market_are_told_apart() {
    use ErrorCode::{
        InsufficientAllowance, InsufficientBalance, NoRoute, QuoteExpired, RateLimited, ServiceRejected,
        UnsupportedChain,
    };
    for (status, body, code) in [
        (400, r#"{"errorType":"PricingError","details":"Error getting price data"}"#, NoRoute),
        (400, r#"{"errorType":"GasCostExceedsTradeAmount"}"#, NoRoute),
        (400, r#"{"error":"No routes found with enough liquidity"}"#, NoRoute),
        (422, r#"{"errorType":"UnsupportedChain"}"#, UnsupportedChain),
        (422, r#"{"errorType":"InvalidInput","details":"Unsupported chain"}"#, UnsupportedChain),
        (400, r#"{"errorType":"InvalidInput","details":"Invalid srcToken"}"#, ServiceRejected),
        (500, r#"{"errorType":"InternalError"}"#, ServiceRejected),
        (429, "<html>slow down</html>", RateLimited),
    ] {
        for market_options in ["", r#""advanced":{"market":{}},"#] {
            let rig = Rig::default();
            let endpoint = if market_options.is_empty() { "quote" } else { "prices" };
            rig.world.service.borrow_mut().always_is(endpoint, status, body);
            let error = rig.quote(&market(SELL).replacen('{', &format!("{{{market_options}"), 1)).unwrap_err();
            assert_eq!((error.code, error.status), (code, Some(status)), "{body}: {error:?}");
        }
    }
    for (status, body, code) in [
        (400, r#"{"errorType":"StalePriceRoute","details":"Route expired"}"#, QuoteExpired),
        (400, r#"{"errorType":"InvalidInput","details":"Invalid priceRoute"}"#, QuoteExpired),
        (400, r#"{"errorType":"InvalidInput","details":"Stale priceRoute"}"#, QuoteExpired),
        (400, r#"{"errorType":"InsufficientBalance"}"#, InsufficientBalance),
        (400, r#"{"errorType":"InsufficientAllowance"}"#, InsufficientAllowance),
        (400, r#"{"errorType":"EstimationFailed","details":"0x"}"#, ServiceRejected),
        (422, r#"{"errorType":"InvalidInput","details":"Partner not allowed"}"#, ServiceRejected),
    ] {
        let rig = allowed(u64::MAX);
        let quote = rig.quote(&market(SELL)).unwrap();
        rig.world.service.borrow_mut().next_is("transactions", status, body);
        let error = rig.build(&quote, r#"{"slippageBps":50}"#).unwrap_err();
        assert_eq!((error.code, error.status), (code, Some(status)), "{body}: {error:?}");
        let kept = json(&error.write());
        assert_eq!(text(&kept, "errorType"), text(&json(body), "errorType"));
        assert_eq!(kept.get("requote").is_some(), code == QuoteExpired);
        rig.world.assert_untouched();
    }
}
