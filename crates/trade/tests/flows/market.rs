//! A Market trade, from the quote to the mined transaction.

use super::fake_host::{
    BUY, DAI, DEST, METHODS, Moment, Place, ROUTER, Rig, SELL, SRC, USDC, at, failure, function, json, selling_native,
    set, text, verdicts, with,
};
use alloy_primitives::{Address, U256, hex};
use verified_swap_trade::flows::write_permit;
use verified_swap_trade::host::WalletFailure;
use verify::internal::domain::market::calldata;
use verify::internal::domain::permit::{Grant, Permit, PermitKind};
use verify::internal::error::ErrorCode;
use verify::internal::json::Json;

pub const SEND: &str = "eth_sendTransaction";

pub fn market(request: &str) -> String {
    with(request, r#""mode":"MARKET""#)
}

/// An owner whose allowance for the router is that, and a chain that lets every call of the router through.
pub fn allowed(allowance: u64) -> Rig {
    let rig = Rig::default();
    prepare(&rig, 8453, SRC, allowance);
    rig
}

pub fn prepare(rig: &Rig, chain: u64, token: &str, allowance: u64) {
    let mut chains = rig.world.chain.borrow_mut();
    let node = chains.node(chain);
    let router: Address = ROUTER.parse().unwrap();
    node.allowances.insert((token.parse().unwrap(), router), U256::from(allowance));
    node.contracts.insert(router, Box::new(|_| Ok(Json::String("0x".into()))));
}

pub fn built(rig: &Rig, request: &str) -> verify::internal::error::Result<Json> {
    rig.build(&rig.quote(&market(request))?, r#"{"slippageBps":50}"#)
}

pub fn submit(rig: &Rig, build: &Json) -> verify::internal::error::Result<Json> {
    rig.call("submit", build, "{}")
}

#[test]
fn a_sale_goes_from_the_quote_to_the_mined_transaction() {
    let rig = allowed(100_000_000);
    let quote = rig.quote(&market(SELL)).unwrap();
    assert_eq!(text(&quote, "kind"), "market");
    assert_eq!((text(&quote, "srcAmount"), text(&quote, "destAmount")), ("100000000", "40000000000000000"));
    assert_eq!(text(&quote, "spender").to_ascii_lowercase(), ROUTER);
    assert_eq!((text(&quote, "gasCost"), text(&quote, "gasCostUsd")), ("180000", "0.25"));
    assert_eq!(text(&quote, "contractMethod"), "swapExactAmountIn");
    assert_eq!(at(&quote, "fallbackReason"), &Json::Null);
    let build = rig.build(&quote, r#"{"slippageBps":50}"#).unwrap();
    assert_eq!(at(&build, "approval"), &Json::Null);
    assert!(verdicts(&build, "unread").is_empty());
    // 0.5 % below the quote, and 1 bps of that.
    assert_eq!(text(&build, "minReceived"), "39796020000000000");
    assert_eq!((text(&build, "maxSpent"), text(&build, "feeBps")), ("100000000", "1"));
    assert_eq!(
        text(&build, "report.sentence"),
        format!(
            "Sell 100 USDX (0x111111111111...111111111111) on Base for at least 0.03979602 WETX (0x222222222222...222222222222) to {}; fee 0.01 % included, gas not",
            rig.owner()
        )
    );
    let sent = submit(&rig, &build).unwrap();
    assert_eq!((text(&sent, "kind"), text(&sent, "status")), ("sent", "PENDING"));
    assert_eq!((text(&sent, "chainId"), at(&sent, "nonce")), ("8453", &Json::Null));
    assert_eq!(rig.step_names(), ["checking", "simulating", "sending", "sent"]);
    // Exactly what was verified, and nothing of the service's gas.
    let params = json(&rig.world.wallet_was_asked(SEND)[0]);
    let Json::Object(members) = at(&params, "0") else { panic!() };
    let names: Vec<&str> = members.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["from", "to", "data", "value", "chainId"]);
    assert_eq!(text(&params, "0.data"), text(&build, "transaction.data"));
    assert_eq!((text(&params, "0.value"), text(&params, "0.chainId")), ("0x0", "0x2105"));
    assert_eq!(rig.world.prompts(), 0);
}

#[test]
fn every_method_of_the_router_is_read_and_trades() {
    for (index, signature) in METHODS.iter().enumerate() {
        let rig = allowed(u64::MAX);
        rig.world.service.borrow_mut().market.method = index;
        let psm = signature.contains("PSM");
        let request = |request: &str| match psm {
            true => {
                let request = request.replace(SRC, USDC).replace(DEST, DAI).replace("8453", "1");
                request.replace("40000000000000000", "40000000000000000000")
            }
            false => request.into(),
        };
        if psm {
            prepare(&rig, 1, USDC, u64::MAX);
            rig.world.signer.borrow_mut().chain_id = 1;
            let mut chains = rig.world.chain.borrow_mut();
            let decimals = [(USDC.parse().unwrap(), 6), (DAI.parse().unwrap(), 18)];
            chains.node(1).decimals.extend(decimals);
        }
        let both = signature.contains("TryBatchFill") || psm;
        let sides = match () {
            () if both => vec![SELL, BUY],
            () if signature.contains("AmountOut") => vec![BUY],
            () => vec![SELL],
        };
        for side in sides {
            let build = built(&rig, &request(side)).unwrap_or_else(|error| panic!("{signature}: {error:?}"));
            let name = signature.split('(').next().unwrap();
            assert_eq!(text(&build, "contractMethod"), name);
            assert_eq!(verdicts(&build, "transaction.data.method"), ["ok"], "{signature}");
            submit(&rig, &build).unwrap_or_else(|error| panic!("{signature}: {error:?}"));
        }
    }
}

#[test]
fn another_method_than_the_route_names_is_judged_by_what_it_says_itself_and_told() {
    let rig = allowed(u64::MAX);
    let name = r#""swapExactAmountInOnUniswapV3""#;
    rig.world.service.borrow_mut().market.route_lie = Some(Box::new(move |route| set(route, "contractMethod", name)));
    let build = built(&rig, SELL).unwrap();
    assert_eq!(text(&build, "contractMethod"), "swapExactAmountIn");
    assert_eq!(verdicts(&build, "transaction.data.method"), ["ok", "unknown"]);
    submit(&rig, &build).unwrap();
}

#[test]
fn the_methods_are_those_of_the_published_router() {
    let published = [
        "e3ead59e", "7f457675", "e8bb3b6c", "a76f4eb6", "876a02f6", "5e94e28d", "1a01c532", "e37ed256", "d85ca173",
        "d6ed22e6", "da35bb0d", "987e7d8e", "0d893d62", "44224add",
    ];
    let mut read = Vec::new();
    for (signature, selector) in METHODS.iter().zip(published) {
        assert_eq!(hex::encode(function(signature).selector()), selector, "{signature}");
        read.push(selector.to_owned());
    }
    let known = verify::internal::domain::market::method::METHODS
        .iter()
        .map(|method| hex::encode(calldata::selector(method.signature)));
    read.sort();
    let mut known: Vec<String> = known.collect();
    known.sort();
    assert_eq!(known, read);
}

#[test]
fn the_vaults_batches_are_read_too() {
    for (method, request) in [(8, SELL), (9, BUY)] {
        let rig = allowed(u64::MAX);
        rig.world.service.borrow_mut().market.method = method;
        rig.world.service.borrow_mut().market.batches = true;
        built(&rig, request).unwrap();
    }
}

#[test]
fn a_purchase_spends_at_most_its_bound() {
    let rig = allowed(u64::MAX);
    rig.world.service.borrow_mut().market.method = 1;
    let build = built(&rig, BUY).unwrap();
    assert_eq!(text(&build, "maxSpent"), "100500000");
    // The router takes the fee of a purchase out of the source tokens that are left: all of it arrives.
    assert_eq!(text(&build, "minReceived"), "40000000000000000");
    assert!(
        text(&build, "report.sentence").starts_with("Buy at least 0.04 WETX (0x222222222222...222222222222) on Base for at most 100.5 USDX (0x111111111111...111111111111) to")
    );
    submit(&rig, &build).unwrap();
}

#[test]
fn the_native_token_is_sent_along_and_needs_no_approval() {
    for (method, request, value) in [
        (0, SELL, "0x5f5e100"),
        (1, BUY, "0x5fd8220"),
        (2, SELL, "0x5f5e100"),
        (5, BUY, "0x5fd8220"),
        (8, SELL, "0x5f5e100"),
        (10, SELL, "0x5f5e100"),
    ] {
        let rig = allowed(0);
        rig.world.service.borrow_mut().market.method = method;
        let request = selling_native(request);
        let build = built(&rig, &request).unwrap();
        assert_eq!(at(&build, "approval"), &Json::Null);
        submit(&rig, &build).unwrap();
        assert_eq!(text(&json(&rig.world.wallet_was_asked(SEND)[0]), "0.value"), value);
        rig.world.chain.borrow_mut().node(8453).native_balance = U256::from(99_999_999);
        let error = submit(&rig, &built(&rig, &request).unwrap()).unwrap_err();
        assert_eq!(error.code, ErrorCode::InsufficientBalance, "{error:?}");
    }
}

#[test]
fn what_is_missing_is_approved_for_the_router_alone_and_then_sent() {
    let rig = allowed(0);
    let build = built(&rig, SELL).unwrap();
    assert!(rig.world.sent("transactions")[0].url.ends_with("/transactions/8453?ignoreChecks=true"));
    let error = submit(&rig, &build).unwrap_err();
    assert_eq!(error.code, ErrorCode::InsufficientAllowance, "{error:?}");
    rig.world.assert_untouched();
    let approval = at(&build, "approval");
    assert_eq!((text(approval, "path"), text(approval, "amount")), ("market", "100000000"));
    assert_eq!(text(approval, "spender").to_ascii_lowercase(), ROUTER);
    rig.approve(approval, "{}").unwrap();
    submit(&rig, &build).unwrap();
    assert_eq!(rig.world.wallet_was_asked(SEND).len(), 2);
}

#[test]
fn less_than_the_trade_may_spend_opens_no_prompt() {
    let rig = allowed(u64::MAX);
    let build = built(&rig, SELL).unwrap();
    rig.world.chain.borrow_mut().node(8453).balance = U256::from(99_999_999);
    rig.world.age_reads();
    let error = submit(&rig, &build).unwrap_err();
    assert_eq!(error.code, ErrorCode::InsufficientBalance, "{error:?}");
    assert_eq!((error.expected.as_deref(), error.actual.as_deref()), (Some("100000000"), Some("99999999")));
    rig.world.assert_untouched();
}

/// A permit for the router, as `signPermit` returns it, with other members where that is wanted.
pub fn permit(rig: &Rig, change: impl FnOnce(&mut Grant)) -> String {
    let mut grant = Grant {
        kind: PermitKind::Eip2612,
        chain_id: 8453,
        token: SRC.parse().unwrap(),
        owner: rig.owner(),
        spender: ROUTER.parse().unwrap(),
        amount: U256::from(100_000_000),
        deadline: 1_800_000_100,
        nonce: U256::ZERO,
    };
    change(&mut grant);
    let permit = Permit { grant, bytes: vec![0x77; 224] };
    write_permit(&permit, &rig.client.shared.settings.secret)
}

#[test]
fn a_permit_stands_in_for_the_allowance_and_is_used_once() {
    let rig = allowed(0);
    let options = format!(r#"{{"slippageBps":50,"permit":{}}}"#, permit(&rig, |_| {}));
    let quote = rig.quote(&market(SELL)).unwrap();
    let build = rig.build(&quote, &options).unwrap();
    assert_eq!(at(&build, "approval"), &Json::Null);
    let body = rig.world.sent("transactions")[0].body.clone().unwrap();
    assert!(body.contains(&format!(r#","permit":"0x{}""#, "77".repeat(224))), "{body}");
    assert!(text(&build, "transaction.data").contains(&"77".repeat(224)));
    let sent = submit(&rig, &build).unwrap();
    assert!(submit(&rig, &build).unwrap().same_as(&sent));
    let error = rig.build(&quote, &options).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("options.permit")), "{error:?}");
}

#[test]
fn a_permit_whose_nonce_is_used_is_refused_in_words_before_the_prompt() {
    for (allowance, action) in [(0, "none"), (100_000_000, "rebuild")] {
        let rig = allowed(allowance);
        let options = format!(r#"{{"slippageBps":50,"permit":{}}}"#, permit(&rig, |grant| grant.nonce = U256::from(1)));
        let build = rig.build(&rig.quote(&market(SELL)).unwrap(), &options).unwrap();
        let error = submit(&rig, &build).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("build.permit")), "{error:?}");
        assert_eq!(text(&json(&error.write()), "action"), action);
        assert!(rig.world.wallet_was_asked(SEND).is_empty());
    }
}

/// Two builds with one permit, of which the first was submitted and given up while its prompt is open.
fn of_one_permit(answer: impl FnOnce(&Rig)) -> (Rig, Json, Json) {
    let rig = allowed(0);
    let options = format!(r#"{{"slippageBps":50,"permit":{}}}"#, permit(&rig, |_| {}));
    let quote = rig.quote(&market(SELL)).unwrap();
    let [first, second] = [(); 2].map(|()| rig.build(&quote, &options).unwrap());
    answer(&rig);
    let stop = rig.signal.0.clone();
    rig.world.once(Moment::Answer(SEND), move |_| stop.set(true));
    assert_eq!(submit(&rig, &first).unwrap_err().code, ErrorCode::Aborted);
    rig.signal.0.set(false);
    (rig, first, second)
}

#[test]
fn a_permit_is_asked_for_in_one_transaction_at_a_time() {
    let (rig, first, second) = of_one_permit(|_| {});
    let error = submit(&rig, &second).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("build.permit")), "{error:?}");
    submit(&rig, &first).unwrap();
    assert_eq!(submit(&rig, &second).unwrap_err().code, ErrorCode::InvalidInput);
    assert_eq!(rig.world.wallet_was_asked(SEND).len(), 1);
    // A transaction that was rejected leaves it to the next.
    let (rig, first, second) = of_one_permit(|rig| rig.world.signer.borrow_mut().next_fails(SEND, 4001));
    rig.world.once(Moment::Answer(SEND), |world| world.pass(1_000));
    assert_eq!(submit(&rig, &first).unwrap_err().code, ErrorCode::UserRejected);
    submit(&rig, &second).unwrap();
    // So does one that was stopped before its prompt.
    let rig = allowed(0);
    let options = format!(r#"{{"slippageBps":50,"permit":{}}}"#, permit(&rig, |_| {}));
    let quote = rig.quote(&market(SELL)).unwrap();
    let [first, second] = [(); 2].map(|()| rig.build(&quote, &options).unwrap());
    let stop = rig.signal.0.clone();
    rig.world.once(Moment::Ask(Place::Wallet, "eth_chainId"), move |_| stop.set(true));
    assert_eq!(submit(&rig, &first).unwrap_err().code, ErrorCode::Aborted);
    rig.signal.0.set(false);
    submit(&rig, &second).unwrap();
}

#[test]
fn a_permit_for_somebody_or_something_else_is_refused() {
    let other = Address::repeat_byte(0xBA);
    type Change = fn(&mut Grant, Address);
    let cases: [(&str, Change); 6] = [
        ("options.permit.chainId", |grant, _| grant.chain_id = 1),
        ("options.permit.token", |grant, other| grant.token = other),
        ("options.permit.owner", |grant, other| grant.owner = other),
        ("options.permit.spender", |grant, other| grant.spender = other),
        ("options.permit.amount", |grant, _| grant.amount = U256::from(99_999_999)),
        ("permit.deadline", |grant, _| grant.deadline = 1_799_999_999),
    ];
    // In a call that nobody here reads, as in those that are read (`permit::mutated`).
    let vouched = |change: &dyn Fn(&mut Grant)| {
        let rig = allowed(0);
        let permit = permit(&rig, change);
        let options =
            format!(r#"{{"slippageBps":50,"permit":{permit},"advanced":{{"allowSelectors":["0x0badc0de"]}}}}"#);
        let unknown = |data: &mut Vec<u8>| data[..4].copy_from_slice(&[0x0b, 0xad, 0xc0, 0xde]);
        rig.world.service.borrow_mut().market.data_lie = Some(Box::new(unknown));
        let outcome = rig.build(&rig.quote(&market(SELL)).unwrap(), &options);
        rig.world.assert_untouched();
        outcome
    };
    for (field, change) in cases {
        let error = vouched(&|grant| change(grant, other)).unwrap_err();
        assert_eq!(error.field.as_deref(), Some(field), "{error:?}");
    }
    assert_eq!(verdicts(&vouched(&|_| {}).unwrap(), "transaction.data.permit"), ["opaque"]);
    // Another permit than the one that was passed in, or none.
    for wrong in [vec![0x78; 224], vec![]] {
        let rig = allowed(0);
        let options = format!(r#"{{"slippageBps":50,"permit":{}}}"#, permit(&rig, |_| {}));
        rig.world.service.borrow_mut().market.argument_lie =
            Some(Box::new(move |path, _| (path == "permit").then(|| alloy_dyn_abi::DynSolValue::Bytes(wrong.clone()))));
        let error = rig.build(&rig.quote(&market(SELL)).unwrap(), &options).unwrap_err();
        assert_eq!(error.field.as_deref(), Some("transaction.data.permit"), "{error:?}");
    }
}

#[test]
fn with_an_allowance_the_service_checks_too_unless_told_not_to() {
    let rig = allowed(u64::MAX);
    built(&rig, SELL).unwrap();
    assert!(rig.world.sent("transactions")[0].url.ends_with("/transactions/8453"));
    let quote = rig.quote(&market(SELL)).unwrap();
    rig.build(&quote, r#"{"slippageBps":50,"advanced":{"ignoreChecks":true}}"#).unwrap();
    assert!(rig.world.sent("transactions")[1].url.ends_with("?ignoreChecks=true"));
}

#[test]
fn what_would_revert_opens_no_prompt_and_says_why() {
    let word = |number: u64| U256::from(number).to_be_bytes::<32>();
    let said = [&hex!("08c379a0")[..], &word(32), &word(9), b"too late!", &[0; 23]].concat();
    let odd = hex!("935aa23700000001").to_vec();
    for (data, why) in [
        (said, "too late!"),
        ([&hex!("4e487b71")[..], &word(17)].concat(), "panic 17"),
        (alloy_primitives::keccak256("InsufficientReturnAmount()")[..4].to_vec(), "InsufficientReturnAmount"),
        (alloy_primitives::keccak256("Permit2Failed()")[..4].to_vec(), "Permit2Failed"),
        (odd, "0x935aa23700000001"),
        // A length that leads out of the data.
        ([&hex!("08c379a0")[..], &word(32), &word(u64::MAX)].concat(), "0x08c379a0"),
    ] {
        let rig = allowed(u64::MAX);
        let build = built(&rig, SELL).unwrap();
        let router = ROUTER.parse().unwrap();
        let reverts = move |call: &Json| {
            assert!(text(call, "data").starts_with("0xe3ead59e"));
            Err(WalletFailure { data: Some(data.clone()), ..failure(3, "execution reverted") })
        };
        rig.world.chain.borrow_mut().node(8453).contracts.insert(router, Box::new(reverts));
        rig.world.age_reads();
        let error = submit(&rig, &build).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::WalletFailed, Some("transaction")), "{error:?}");
        assert!(error.actual.as_deref().unwrap().starts_with(why), "{error:?}");
        rig.world.assert_untouched();
    }
}

#[test]
fn a_node_that_cannot_try_a_transaction_does_not_say_that_it_would_revert() {
    for (code, message) in [(-32603, "busy"), (-32005, "limit exceeded"), (-32000, "too many requests")] {
        let rig = allowed(u64::MAX);
        let build = built(&rig, SELL).unwrap();
        rig.world.age_reads();
        let busy = move |_: &Json| Err(failure(code, message));
        rig.world.chain.borrow_mut().node(8453).contracts.insert(ROUTER.parse().unwrap(), Box::new(busy));
        let error = submit(&rig, &build).unwrap_err();
        assert_eq!(
            (error.code, error.field.as_deref()),
            (if code == -32603 { ErrorCode::WalletFailed } else { ErrorCode::RateLimited }, None),
            "{error:?}"
        );
        assert_eq!(error.message, format!("eth_call: {message}"));
        rig.world.assert_untouched();
    }
}

#[test]
fn account_and_chain_are_read_again_right_before_the_prompt() {
    let rig = allowed(u64::MAX);
    let build = built(&rig, SELL).unwrap();
    rig.world.once(Moment::Told("eth_call"), |world| world.signer.borrow_mut().chain_id = 1);
    assert_eq!(submit(&rig, &build).unwrap_err().code, ErrorCode::WrongChain);
    rig.world.assert_untouched();
    let rig = allowed(u64::MAX);
    let build = built(&rig, SELL).unwrap();
    rig.world.once(Moment::Told("eth_call"), |world| world.signer.borrow_mut().accounts = vec![Address::ZERO]);
    assert_eq!(submit(&rig, &build).unwrap_err().code, ErrorCode::WrongAccount);
    rig.world.assert_untouched();
}

#[test]
fn wrong_decimals_are_found_before_anything_is_signed() {
    for (from, to, field) in [
        (r#""srcDecimals":6"#, r#""srcDecimals":8"#, "request.srcDecimals"),
        (r#""destDecimals":18"#, r#""destDecimals":6"#, "request.destDecimals"),
    ] {
        let rig = allowed(u64::MAX);
        let error = built(&rig, &SELL.replace(from, to)).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(field)), "{error:?}");
    }
}
