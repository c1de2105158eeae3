//! A Market trade priced and built in one request: held to the caller's own bound, because nobody has seen its price.

use super::fake_host::{BUY, ROUTER, Rig, SELL, SRC, other, selling_native, set, text, with};
use super::market::{allowed, market};
use verify::internal::error::{Error, ErrorCode};
use verify::internal::json::Json;

const LEAST: &str = r#"{"slippageBps":50,"minReceived":"39796020000000000"}"#;

fn swap(rig: &Rig, request: &str, options: &str) -> Result<Json, Error> {
    rig.build(&super::fake_host::json(&market(request)), options)
}

#[test]
fn one_request_prices_builds_and_is_sent() {
    let rig = allowed(u64::MAX);
    let build = swap(&rig, SELL, LEAST).unwrap();
    assert_eq!((text(&build, "kind"), text(&build, "minReceived")), ("market", "39796020000000000"));
    assert_eq!(text(&build, "suggestedGas.gasPrice"), "99999999999");
    assert_eq!(rig.world.requests.borrow().len(), 1);
    let sent = rig.call("submit", &build, "{}").unwrap();
    assert_eq!(text(&sent, "kind"), "sent");
    assert!(
        !rig.world.wallet_was_asked("eth_sendTransaction")[0].contains("gas"),
        "the service's gas is not passed on"
    );
    let rig = allowed(u64::MAX);
    rig.world.service.borrow_mut().market.method = 1;
    swap(&rig, BUY, r#"{"slippageBps":50,"maxSpent":"100500000"}"#).unwrap();
    let native = selling_native(SELL);
    swap(&allowed(0), &native, LEAST).unwrap();
}

#[test]
fn every_parameter_of_swap_is_sent_as_documented() {
    let rig = allowed(u64::MAX);
    let partner = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    let members = format!(
        r#"{{"partner":"shop","partnerFeeBps":1,"beneficiary":"{partner}","partnerAddress":"{partner}","advanced":{{"market":{{"excludeDexs":["A"]}}}},"#
    );
    let options = r#"{"slippageBps":50,"minReceived":"1","advanced":{"capSurplus":true,"takeSurplus":false,"surplusToUser":true,"directFeeTransfer":false}}"#;
    swap(&rig, &SELL.replacen('{', &members, 1), options).unwrap();
    let url = rig.world.sent("swap")[0].url.clone();
    let owner = rig.owner();
    assert_eq!(
        url.split_once("/swap?").unwrap().1,
        format!(
            "srcToken={SRC}&destToken=0x2222222222222222222222222222222222222222&amount=100000000&srcDecimals=6&destDecimals=18&side=SELL&network=8453&userAddress={owner}&partner=shop&receiver={partner}&version=6.2&excludeDEXS=A&slippage=50&partnerAddress={partner}&partnerFeeBps=1&isCapSurplus=true&takeSurplus=false&isSurplusToUser=true&isDirectFeeTransfer=false"
        )
    );
}

#[test]
fn a_swap_needs_a_bound_and_is_held_to_it() {
    for (request, options, field) in [
        (SELL, r#"{"slippageBps":50}"#, "options.minReceived"),
        (BUY, r#"{"slippageBps":50,"minReceived":"1"}"#, "options.maxSpent"),
        (SELL, r#"{"minReceived":"1"}"#, "options.slippageBps"),
        (SELL, r#"{"slippageBps":50,"minReceived":"1","permit":{}}"#, "options.permit"),
        // A transaction sells at once, and tokens that the router receives are lost.
        (&with(SELL, r#""numSlices":4,"intervalSecs":3600"#), LEAST, "request.mode"),
        (&with(SELL, &format!(r#""beneficiary":"{ROUTER}""#)), LEAST, "request.beneficiary"),
    ] {
        let rig = allowed(u64::MAX);
        let error = swap(&rig, request, options).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(field)), "{error:?}");
        assert!(!error.message.contains("another client"), "{error:?}");
        assert!(rig.world.requests.borrow().is_empty());
    }
    let error = swap(&allowed(0), SELL, r#"{"slippageBps":50}"#).unwrap_err();
    assert_eq!(error.expected.as_deref(), Some("a bound of your own (this price is not shown before)"));
    let error = swap(&allowed(0), SELL, &LEAST.replace("020", "021")).unwrap_err();
    assert_eq!(error.field.as_deref(), Some("transaction.minReceived"), "{error:?}");
    let rig = allowed(0);
    for mode in ["DELTA", "ALL", "market"] {
        let request = with(SELL, &format!(r#""mode":"{mode}""#));
        let error = rig.build(&super::fake_host::json(&request), LEAST).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("quote")), "{error:?}");
        assert_eq!(error.actual.as_deref(), Some("a request: quote(request) comes first"));
    }
    // Its mode alone decides: another fault has its own name.
    let error = rig.build(&super::fake_host::json(r#"{"mode":"MARKET"}"#), LEAST).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("request.srcToken")), "{error:?}");
    assert!(rig.world.requests.borrow().is_empty());
    let fee = with(SELL, r#""partner":"shop","partnerFeeBps":25"#);
    let error =
        swap(&rig, &fee, r#"{"slippageBps":50,"minReceived":"1","advanced":{"takeSurplus":true}}"#).unwrap_err();
    assert_eq!(error.field.as_deref(), Some("options.advanced.takeSurplus"), "{error:?}");
}

#[test]
fn a_swap_answer_is_checked_like_a_quote_and_a_build() {
    let bad = r#""0x00000000000000000000000000000000000bad00""#;
    for (path, value, field) in [
        ("srcToken", bad, "quote.srcToken"),
        ("contractAddress", bad, "quote.contractAddress"),
        ("srcAmount", r#""1""#, "quote.srcAmount"),
        ("destUSD", r#""1""#, "quote.loss"),
    ] {
        let rig = allowed(u64::MAX);
        rig.world.service.borrow_mut().market.route_lie = Some(Box::new(move |route| set(route, path, value)));
        let error = swap(&rig, SELL, LEAST).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::VerifyMismatch, Some(field)), "{error:?}");
    }
    for (name, field) in [
        ("beneficiary", "transaction.data.beneficiary"),
        ("destToken", "transaction.data.destToken"),
        ("permit", "transaction.data.permit"),
        ("quotedAmount", "transaction.data.quotedAmount"),
    ] {
        let rig = allowed(u64::MAX);
        rig.world.service.borrow_mut().market.argument_lie =
            Some(Box::new(move |path, honest| path.ends_with(name).then(|| other(honest))));
        let error = swap(&rig, SELL, LEAST).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::VerifyMismatch, Some(field)), "{error:?}");
        rig.world.assert_untouched();
    }
    let rig = allowed(u64::MAX);
    rig.world.service.borrow_mut().market.envelope_lie = Some(Box::new(move |envelope| set(envelope, "to", bad)));
    let error = swap(&rig, SELL, LEAST).unwrap_err();
    assert_eq!(error.field.as_deref(), Some("transaction.to"), "{error:?}");
}

#[test]
fn what_is_missing_is_approved_for_the_router() {
    let rig = allowed(0);
    let build = swap(&rig, SELL, LEAST).unwrap();
    assert_eq!(text(&build, "approval.spender").to_ascii_lowercase(), ROUTER);
    assert_eq!(text(&build, "approval.amount"), "100000000");
}

#[test]
fn parameters_of_the_transaction_alone_are_sent_with_it() {
    let rig = allowed(u64::MAX);
    let quote = rig.quote(&market(SELL)).unwrap();
    let options = r#"{"slippageBps":50,"advanced":{"ignoreChecks":true,"ignoreGasEstimate":true,"eip1559":true,"gasPriceWei":"7"}}"#;
    rig.build(&quote, options).unwrap();
    let url = rig.world.sent("transactions")[0].url.clone();
    let query = url.split_once("/transactions/8453?").unwrap().1;
    assert_eq!(query, "ignoreChecks=true&ignoreGasEstimate=true&eip1559=true&gasPrice=7");
}

#[test]
fn an_allowance_that_is_not_there_is_left_out_of_the_services_checks_alone() {
    for (allowance, options, query) in [
        (u64::MAX, "", ""),
        (0, "", "?ignoreChecks=true"),
        (0, r#","advanced":{"ignoreAllowance":true}"#, "?ignoreAllowance=true"),
        (0, r#","advanced":{"ignoreAllowance":false}"#, "?ignoreChecks=true"),
        (0, r#","advanced":{"ignoreAllowance":true,"ignoreChecks":true}"#, "?ignoreChecks=true&ignoreAllowance=true"),
    ] {
        let rig = allowed(allowance);
        rig.build(&rig.quote(&market(SELL)).unwrap(), &format!(r#"{{"slippageBps":50{options}}}"#)).unwrap();
        let url = rig.world.sent("transactions")[0].url.clone();
        assert_eq!(url.split_once("/transactions/8453").unwrap().1, query, "{options}");
    }
    // Without the balance nothing could be checked.
    let rig = allowed(0);
    rig.world.chain.borrow_mut().node(8453).balance = alloy_primitives::U256::ZERO;
    rig.build(&rig.quote(&market(SELL)).unwrap(), r#"{"slippageBps":50,"advanced":{"ignoreAllowance":true}}"#).unwrap();
    assert!(rig.world.sent("transactions")[0].url.ends_with("?ignoreChecks=true&ignoreAllowance=true"));
}

#[test]
fn a_referrer_is_never_dropped_silently() {
    let rig = allowed(u64::MAX);
    let error = swap(&rig, SELL, r#"{"slippageBps":50,"minReceived":"1","advanced":{"referrer":"shop"}}"#).unwrap_err();
    assert_eq!(error.field.as_deref(), Some("options.advanced.referrer"), "{error:?}");
}
