//! A service that lies in one argument of the router's call, encoded anew: only that argument's own check can refuse it.

use super::fake_host::{
    BUY, DAI, DEST, METHODS, Market, Rig, SELL, SRC, USDC, at, json, other, paths, selling_native, set, text, with,
};
use super::market::{allowed, built, market};
use alloy_dyn_abi::DynSolValue;
use alloy_primitives::{Address, U256, hex};
use verify::internal::error::{Error, ErrorCode};
use verify::internal::json::Json;

/// The outcome of a build whose service is changed so.
pub fn built_with(request: &str, change: impl FnOnce(&mut Market)) -> Result<Json, Error> {
    let rig = allowed(u64::MAX);
    change(&mut rig.world.service.borrow_mut().market);
    let outcome = built(&rig, request);
    rig.world.assert_untouched();
    outcome
}

#[track_caller]
pub fn assert_refused(outcome: Result<Json, Error>, field: &str) {
    let error = outcome.expect_err(field);
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::VerifyMismatch, Some(field)), "{error:?}");
    let report = json(error.report.as_ref().expect("a report"));
    let Json::Array(checks) = at(&report, "checks") else { panic!() };
    let wrong = checks.iter().find(|check| text(check, "verdict") == "mismatch").unwrap();
    assert_eq!(text(wrong, "field"), field);
}

/// A trade that the method makes; stablecoins for Maker's module, which is on chain 1.
pub fn request(method: usize, buys: bool) -> String {
    let request = if buys { BUY } else { SELL };
    match METHODS[method].contains("PSM") {
        true => {
            let request = request.replace(SRC, USDC).replace(DEST, DAI).replace("8453", "1");
            request.replace("40000000000000000", "40000000000000000000")
        }
        false => request.into(),
    }
}

pub fn sides(method: usize) -> Vec<bool> {
    let signature = METHODS[method];
    match () {
        () if signature.contains("TryBatchFill") || signature.contains("PSM") => vec![false, true],
        () => vec![signature.contains("AmountOut")],
    }
}

/// Arguments that cannot be judged from outside: accepted, and listed as such.
const OPAQUE: [&str; 9] =
    ["executor", "executorData", "metadata", "curveData", "curveAssets", "i", "j", "poolAddress", "gemJoinAddress"];

#[test]
fn every_argument_of_every_method_has_a_check_of_its_own_or_is_listed_as_opaque() {
    let (mut judged, mut opaque) = (0, 0);
    for (method, signature) in METHODS.iter().enumerate() {
        for path in paths(method) {
            // The toll counts only where DAI is sold: see there.
            for buys in sides(method).into_iter().filter(|_| !path.ends_with("toll")) {
                let name = path.rsplit('.').next().unwrap().to_owned();
                let lie = path.clone();
                let rest = name.clone();
                let outcome = built_with(&request(method, buys), move |market| {
                    market.method = method;
                    market.argument_lie = Some(Box::new(move |path, honest| {
                        let wrong = match (rest.as_str(), honest) {
                            // Bounds pass one way: the lie goes the other.
                            ("toAmount", DynSolValue::Uint(number, bits)) => {
                                DynSolValue::Uint(number - U256::from(1), *bits)
                            }
                            // The bytes behind the vault's call are not looked at.
                            ("data", DynSolValue::Bytes(bytes)) => {
                                DynSolValue::Bytes(bytes.iter().map(|byte| !byte).collect())
                            }
                            _ => other(honest),
                        };
                        (path == lie).then_some(wrong)
                    }));
                });
                let in_orders = path.starts_with("orders.") && !["makerAsset", "takerAsset"].contains(&name.as_str());
                if OPAQUE.contains(&name.as_str()) || in_orders {
                    let build = outcome.unwrap_or_else(|error| panic!("{path} of {signature}: {error:?}"));
                    let Json::Array(checks) = at(&build, "report.checks") else { panic!() };
                    let field = if in_orders { "orders" } else { name.as_str() };
                    let field = format!("transaction.data.{field}");
                    let mut check = checks.iter().rev().filter(|check| text(check, "field") == field);
                    assert!(check.next().is_some_and(|check| text(check, "verdict") == "opaque"), "{path}");
                    opaque += 1;
                    continue;
                }
                let field = match name.as_str() {
                    "partnerAndFee" => "partnerAndFee.feeBps",
                    "beneficiaryAndApproveFlag" | "beneficiaryDirectionApproveFlag" => "beneficiary",
                    "makerAsset" | "takerAsset" => &path.replace(".order.", "."),
                    name => name,
                };
                assert_refused(outcome, &format!("transaction.data.{field}"));
                judged += 1;
            }
        }
    }
    assert!(judged > 90 && opaque > 40, "{judged} {opaque}");
}

/// A lie about one argument, by what it becomes.
pub fn arguing(method: usize, name: &'static str, wrong: impl Fn(U256) -> U256 + 'static) -> impl FnOnce(&mut Market) {
    move |market| {
        market.method = method;
        market.argument_lie = Some(Box::new(move |path, honest| {
            let found = path.rsplit('.').next() == Some(name);
            match honest {
                DynSolValue::Uint(number, bits) if found => Some(DynSolValue::Uint(wrong(*number), *bits)),
                DynSolValue::Address(who) if found => {
                    let number = wrong(U256::from_be_slice(who.as_slice()));
                    Some(DynSolValue::Address(Address::from_word(number.into())))
                }
                _ => None,
            }
        }));
    }
}

#[test]
fn nothing_is_called_opaque_that_is_judged_and_nothing_unread_that_is_not_there() {
    for (method, signature) in METHODS.iter().enumerate() {
        let build = built_with(&request(method, sides(method)[0]), |market| market.method = method).unwrap();
        let Json::Array(checks) = at(&build, "report.checks") else { panic!() };
        let opaque = checks.iter().filter(|check| text(check, "verdict") == "opaque");
        let mut told: Vec<&str> =
            opaque.map(|check| text(check, "field").strip_prefix("transaction.data.").unwrap()).collect();
        let paths = paths(method);
        let names = paths.iter().filter(|path| !path.contains('.') || !path.starts_with("orders."));
        let mut expected: Vec<&str> =
            names.map(|path| path.rsplit('.').next().unwrap()).filter(|name| OPAQUE.contains(name)).collect();
        if signature.contains(" orders,") {
            expected.push("orders");
        }
        told.sort_unstable();
        expected.sort_unstable();
        assert_eq!(told, expected, "{signature}");
    }
}

#[test]
fn amounts_hold_at_their_bounds_and_not_one_unit_beyond() {
    let exactly = |number: u64| move |_: U256| U256::from(number);
    for method in [0, 2, 4, 6, 7, 8, 10] {
        built_with(SELL, arguing(method, "toAmount", exactly(39_800_000_000_000_000))).unwrap();
        assert_refused(
            built_with(SELL, arguing(method, "toAmount", exactly(39_799_999_999_999_999))),
            "transaction.data.toAmount",
        );
        assert_refused(
            built_with(SELL, arguing(method, "fromAmount", exactly(99_999_999))),
            "transaction.data.fromAmount",
        );
    }
    for method in [1, 3, 5, 9, 10] {
        // The most that leaves the owner is what the calldata says.
        for most in [100_400_000, 100_500_000] {
            let build = built_with(BUY, arguing(method, "fromAmount", exactly(most))).unwrap();
            assert_eq!(text(&build, "maxSpent"), most.to_string());
        }
        assert_refused(
            built_with(BUY, arguing(method, "fromAmount", exactly(100_500_001))),
            "transaction.data.fromAmount",
        );
        assert_refused(
            built_with(BUY, arguing(method, "toAmount", exactly(40_000_000_000_000_001))),
            "transaction.data.toAmount",
        );
    }
}

#[test]
fn slippage_goes_by_the_worse_of_the_amounts_with_and_without_the_fee() {
    let after = r#""destAmountAfterFee":"39996000000000000","#;
    let with = |least: u64| {
        move |market: &mut Market| {
            market.more = after;
            arguing(0, "toAmount", move |_| U256::from(least))(market);
        }
    };
    built_with(SELL, with(39_796_020_000_000_000)).unwrap();
    assert_refused(built_with(SELL, with(39_796_019_999_999_999)), "transaction.data.toAmount");
    let after = r#""srcAmountAfterFee":"100010000","#;
    let with = |most: u64| {
        move |market: &mut Market| {
            market.more = after;
            arguing(1, "fromAmount", move |_| U256::from(most))(market);
        }
    };
    built_with(BUY, with(100_510_050)).unwrap();
    assert_refused(built_with(BUY, with(100_510_051)), "transaction.data.fromAmount");
}

#[test]
fn the_quoted_amount_may_be_either_of_those_stated_and_guards_the_minimum() {
    let after = r#""destAmountAfterFee":"39996000000000000","#;
    let with = |quoted: u64| {
        move |market: &mut Market| {
            market.more = after;
            arguing(0, "quotedAmount", move |_| U256::from(quoted))(market);
        }
    };
    built_with(SELL, with(40_000_000_000_000_000)).unwrap();
    built_with(SELL, with(39_996_000_000_000_000)).unwrap();
    assert_refused(built_with(SELL, with(39_996_000_000_000_001)), "transaction.data.quotedAmount");
    // A minimum above the quoted amount: what is between them would be shared.
    let high = |_: U256| U256::from(40_000_000_000_000_001_u64);
    assert_refused(built_with(SELL, arguing(0, "toAmount", high)), "transaction.data.quotedAmount");
}

#[test]
fn the_callers_own_bounds_hold_at_their_limit_and_not_one_beyond() {
    for (request, method, bounds, field) in [
        (
            SELL,
            0,
            [r#""minReceived":"39796020000000000""#, r#""minReceived":"39796020000000001""#],
            "transaction.minReceived",
        ),
        (BUY, 1, [r#""maxSpent":"100500000""#, r#""maxSpent":"100499999""#], "transaction.maxSpent"),
    ] {
        let rig = allowed(u64::MAX);
        rig.world.service.borrow_mut().market.method = method;
        let quote = rig.quote(&market(request)).unwrap();
        let build = |bound: &str| rig.build(&quote, &format!(r#"{{"slippageBps":50,{bound}}}"#));
        build(bounds[0]).unwrap();
        assert_refused(build(bounds[1]), field);
    }
}

#[test]
fn every_part_of_the_envelope_has_a_check_of_its_own() {
    let address = r#""0x00000000000000000000000000000000000bad00""#;
    for (path, value) in [
        ("from", address),
        ("to", address),
        ("chainId", "1"),
        ("value", r#""1""#),
        ("data", r#""0xdeadbeef""#),
        ("data", r#""0x""#),
    ] {
        let outcome = built_with(SELL, |market| {
            market.envelope_lie = Some(Box::new(move |envelope| set(envelope, path, value)));
        });
        assert_refused(outcome, &format!("transaction.{path}"));
    }
    let native = selling_native(SELL);
    for value in [r#""0""#, r#""99999999""#, r#""100000001""#] {
        let outcome = built_with(&native, |market| {
            market.envelope_lie = Some(Box::new(move |envelope| set(envelope, "value", value)));
        });
        assert_refused(outcome, "transaction.value");
    }
    built_with(SELL, |market| market.envelope_lie = Some(Box::new(|envelope| set(envelope, "chainId", "null"))))
        .unwrap();
}

#[test]
fn every_bit_of_the_fee_is_judged() {
    let place = |name: &str| format!("transaction.data.partnerAndFee.{name}");
    let bits = |low: u32| move |market: &mut Market| market.fee_bits = (U256::from(1) << 92) | (U256::from(1) << low);
    for bit in (14..90).step_by(5) {
        assert_refused(built_with(SELL, bits(bit)), &place("unknownBits"));
    }
    assert_refused(built_with(SELL, bits(94)), &place("referral"));
    assert_refused(built_with(SELL, bits(95)), &place("takeSurplus"));
    for harmless in [90, 91, 93] {
        built_with(SELL, bits(harmless)).unwrap();
    }
    assert_refused(built_with(SELL, |market| market.fee_bits = U256::ZERO), &place("capSurplus"));
    assert_refused(built_with(SELL, |market| market.fee_bps = 2), &place("feeBps"));
    assert_refused(built_with(SELL, |market| market.fee_bps = 0x3FFF), &place("feeBps"));
}

#[test]
fn surplus_is_taken_and_uncapped_only_where_that_was_asked_for() {
    let place = |name: &str| format!("transaction.data.partnerAndFee.{name}");
    let shop = with(&market(SELL), r#""partner":"shop""#);
    let build = |request: &str, options: &str, bits: U256| {
        let rig = allowed(u64::MAX);
        rig.world.service.borrow_mut().market.fee_bits = bits;
        rig.build(&rig.quote(request).unwrap(), &format!(r#"{{"slippageBps":50{options}}}"#))
    };
    let (cap, take) = (U256::from(1) << 92, U256::from(1) << 95);
    // A named partner may be registered with it: that is for the application to say.
    assert_refused(build(&shop, "", cap | take), &place("takeSurplus"));
    build(&shop, r#","advanced":{"takeSurplus":true}"#, cap | take).unwrap();
    assert_refused(build(&shop, r#","advanced":{"takeSurplus":false}"#, cap | take), &place("takeSurplus"));
    build(&shop, r#","advanced":{"capSurplus":false}"#, U256::ZERO).unwrap();
    assert_refused(build(&shop, r#","advanced":{"capSurplus":true}"#, U256::ZERO), &place("capSurplus"));
    build(&market(SELL), r#","advanced":{"takeSurplus":true}"#, cap | take).unwrap();
}

#[test]
fn a_fee_that_was_asked_for_is_held_to_what_was_asked() {
    let request = format!(
        r#"{{"partner":"shop","partnerFeeBps":25,"partnerAddress":"{}","maxFeeBps":30,"#,
        "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
    );
    let request = SELL.replacen('{', &request, 1);
    built_with(&request, |market| market.fee_bps = 25).unwrap();
    assert_refused(built_with(&request, |market| market.fee_bps = 26), "transaction.data.partnerAndFee.feeBps");
    // Nobody is paid nothing.
    built_with(&request, |market| {
        arguing(0, "partnerAndFee", |_| U256::from(1) << 92)(market);
    })
    .unwrap();
    let another = arguing(0, "partnerAndFee", |word| word ^ (U256::from(1) << 100));
    assert_refused(
        built_with(&request, |market| {
            market.fee_bps = 25;
            another(market);
        }),
        "transaction.data.partnerAndFee.partner",
    );
}

#[test]
fn the_receiver_is_the_one_asked_for_or_the_sender() {
    let owner = Rig::default().owner();
    let receiver: Address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed".parse().unwrap();
    let named = SELL.replacen('{', &format!(r#"{{"beneficiary":"{receiver}","#), 1);
    let of = |who: Address| move |_: U256| U256::from_be_slice(who.as_slice());
    for method in [0, 2, 10] {
        let lie = |who: Address| arguing(method, "beneficiary", of(who));
        built_with(&named, lie(receiver)).unwrap();
        assert_refused(built_with(&named, lie(Address::ZERO)), "transaction.data.beneficiary");
        assert_refused(built_with(&named, lie(owner)), "transaction.data.beneficiary");
        built_with(SELL, lie(Address::ZERO)).unwrap();
        built_with(SELL, lie(owner)).unwrap();
    }
    let flags = "transaction.data.beneficiaryAndFlags";
    for (method, bit) in [(8, 254), (8, 160), (8, 200), (11, 253), (11, 160)] {
        let outcome = built_with(
            &request(method, false),
            arguing(
                method,
                if method == 8 { "beneficiaryAndApproveFlag" } else { "beneficiaryDirectionApproveFlag" },
                move |word| word | (U256::from(1) << bit),
            ),
        );
        assert_refused(outcome, flags);
    }
    // Whether the router approves the venue is nobody's loss.
    built_with(SELL, arguing(8, "beneficiaryAndApproveFlag", |word| word ^ (U256::from(1) << 255))).unwrap();
}

#[test]
fn a_method_of_the_other_side_is_refused() {
    for (request, method) in [(SELL, 1), (SELL, 3), (BUY, 0), (BUY, 4), (SELL, 9), (BUY, 8), (BUY, 6)] {
        let error = built_with(request, |market| market.method = method).unwrap_err();
        assert_eq!(error.code, ErrorCode::VerifyMismatch, "{error:?}");
    }
    let turned = |word: U256| word ^ U256::from(8);
    assert_refused(built_with(SELL, arguing(10, "wrapApproveDirection", turned)), "transaction.data.method");
    let turned = |word: U256| word ^ (U256::from(1) << 254);
    let outcome = built_with(&request(11, false), arguing(11, "beneficiaryDirectionApproveFlag", turned));
    assert_refused(outcome, "transaction.data.method");
}

#[test]
fn a_minimum_is_the_quote_less_slippage_rounded_down_and_no_less() {
    for (amount, slippage) in [(100_000_001_u64, 50_u64), (100_000_000, 1), (99_999_999, 9_999), (3, 3_333)] {
        // Less slippage this is no whole number of units.
        let quoted = U256::from(amount) * U256::from(400_000_000) + U256::from(1);
        let (least, rest) = (quoted * U256::from(10_000 - slippage)).div_rem(U256::from(10_000));
        assert!(!rest.is_zero());
        let with = move |to: U256| {
            let rig = allowed(u64::MAX);
            {
                let market = &mut rig.world.service.borrow_mut().market;
                market.route_lie = Some(Box::new(move |route| set(route, "destAmount", &format!(r#""{quoted}""#))));
                market.argument_lie =
                    Some(Box::new(move |path, _| path.ends_with("toAmount").then_some(DynSolValue::Uint(to, 256))));
            }
            let request = SELL.replace("100000000", &amount.to_string());
            rig.build(&rig.quote(&market(&request)).unwrap(), &format!(r#"{{"slippageBps":{slippage}}}"#))
        };
        with(least).unwrap();
        with(least + U256::from(1)).unwrap();
        assert_refused(with(least - U256::from(1)), "transaction.data.toAmount");
    }
}

#[test]
fn a_vouched_native_purchase_sends_its_cost_rounded_either_way_and_no_more() {
    let request = selling_native(BUY);
    // A cost that half a percent does not divide: 100,000,001 quoted, 100,500,001.005 at most.
    let request = request.replace("40000000000000000", "40000000400000000");
    let with = |value: u64| {
        let rig = allowed(u64::MAX);
        let quote = {
            let market = &mut rig.world.service.borrow_mut().market;
            market.method = 1;
            market.data_lie = Some(Box::new(|data| data[..4].copy_from_slice(&hex!("0badc0de"))));
            market.envelope_lie = Some(Box::new(move |envelope| set(envelope, "value", &format!(r#""{value}""#))));
            crate::market::market(&request)
        };
        rig.build(&rig.quote(&quote).unwrap(), r#"{"slippageBps":50,"advanced":{"allowSelectors":["0x0badc0de"]}}"#)
    };
    for value in [100_500_001, 100_500_002] {
        assert_eq!(text(&with(value).unwrap(), "maxSpent"), value.to_string());
    }
    for value in [100_500_000, 100_500_003, 0] {
        assert_refused(with(value), "transaction.value");
    }
}

#[test]
fn a_tax_on_the_way_to_the_beneficiary_lowers_what_arrives() {
    let rig = allowed(u64::MAX);
    let request = with(&market(SELL), r#""advanced":{"market":{"destTransferFeeBps":100}}"#);
    let build = rig.build(&rig.quote(&request).unwrap(), r#"{"slippageBps":50}"#).unwrap();
    // 1 % of 39796020000000000.
    assert_eq!(text(&build, "minReceived"), "39398059800000000");
}
