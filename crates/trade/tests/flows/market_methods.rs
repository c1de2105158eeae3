//! The arguments of a method's call beside the amounts: pools, makers' orders, stability modules; and its calldata's layout.

use super::fake_host::{BUY, DAI, DEST, Market, NATIVE, SELL, SRC, USDC, at, text, verdicts, way};
use super::market::{allowed, market};
use super::market_lies::{arguing, assert_refused, built_with, request, sides};
use alloy_dyn_abi::DynSolValue;
use alloy_primitives::{Address, U256, hex};
use verify::internal::error::{Error, ErrorCode};
use verify::internal::json::Json;

/// A stablecoin that one of them gives for USDC.
const USDS: &str = "0xdC035D45d973E3EC169d2276DDab16f1e407384F";

#[test]
fn pools_lead_from_what_is_given_to_what_is_wanted() {
    let (src, dest): (Address, Address) = (SRC.parse().unwrap(), DEST.parse().unwrap());
    let bad = Address::repeat_byte(0xBA);
    for (method, request, hop) in [(2, SELL, 64), (3, BUY, 64), (4, SELL, 96), (5, BUY, 96)] {
        let buys = request == BUY;
        let with = |bytes: Vec<u8>| {
            built_with(request, move |market| {
                market.method = method;
                market.argument_lie =
                    Some(Box::new(move |path, _| path.ends_with("pools").then(|| DynSolValue::Bytes(bytes.clone()))));
            })
        };
        let honest = way(src, dest, hop, buys);
        // The second hop begins, or ends, at another token than the one between them.
        let mut gap = honest.clone();
        let middle = gap[hop..].windows(20).position(|part| part == [0x33; 20]).unwrap();
        gap[hop + middle..][..20].fill(0x44);
        with(honest.clone()).unwrap();
        for wrong in [
            way(src, bad, hop, buys),
            way(bad, dest, hop, buys),
            way(dest, src, hop, buys),
            // The other way round, a part, none, a gap in the middle.
            honest[..hop].to_vec(),
            honest[..hop + 1].to_vec(),
            vec![],
            gap,
        ] {
            assert_refused(with(wrong), "transaction.data.pools");
        }
        // Packed for the other side. Version 2 goes through the pools of a purchase from its start.
        let turned = with(way(src, dest, hop, !buys));
        match method {
            3 => assert!(turned.is_ok(), "{turned:?}"),
            _ => assert_refused(turned, "transaction.data.pools"),
        }
        // A direction that is neither one, which the router may read as either.
        for (place, byte) in [(63, 2), (63, 3), (63, 0xFF), (40, 1), (62, 1)].into_iter().filter(|_| hop == 64) {
            let mut vague = honest.clone();
            vague[place] = byte;
            assert_refused(with(vague), "transaction.data.pools");
        }
    }
}

#[test]
fn the_vault_is_asked_for_the_two_tokens_where_the_router_looks_for_them() {
    let word = |bytes: &mut [u8], at: usize, value: u64| {
        bytes[4 + at..][..32].copy_from_slice(&U256::from(value).to_be_bytes::<32>())
    };
    type Change = Box<dyn Fn(&mut Vec<u8>)>;
    let changes: [(bool, Change); 8] = [
        (false, Box::new(|call| call[..4].copy_from_slice(&hex!("deadbeef")))),
        (false, Box::new(|call| call[4 + 288 + 31] ^= 1)),
        (false, Box::new(|call| call[4 + 320 + 31] ^= 1)),
        (false, Box::new(|call| call[4 + 288] ^= 1)),
        // By the ABI its swap stands elsewhere, where the router does not look.
        (false, Box::new(move |call| word(call, 0, 256))),
        (false, Box::new(|call| call.truncate(300))),
        (true, Box::new(move |call| word(call, 0, 1))),
        (true, Box::new(move |call| word(call, 64, u64::MAX))),
    ];
    for (batches, change) in changes {
        let outcome = built_with(SELL, move |market| {
            market.method = 8;
            market.batches = batches;
            market.argument_lie = Some(Box::new(move |path, honest| match honest {
                DynSolValue::Bytes(bytes) if path == "data" => {
                    let mut bytes = bytes.clone();
                    change(&mut bytes);
                    Some(DynSolValue::Bytes(bytes))
                }
                _ => None,
            }));
        });
        assert_refused(outcome, "transaction.data.data");
    }
}

#[test]
fn makers_orders_wrap_the_native_token_exactly_where_it_is_traded() {
    let wraps = |bits: u64| move |word: U256| (word & U256::from(0xFC)) | U256::from(bits);
    for bits in [1, 2, 3] {
        let outcome = built_with(SELL, arguing(10, "wrapApproveDirection", wraps(bits)));
        assert_refused(outcome, "transaction.data.wrapApproveDirection");
    }
    let high = |word: U256| word | U256::from(16);
    assert_refused(
        built_with(SELL, arguing(10, "wrapApproveDirection", high)),
        "transaction.data.wrapApproveDirection",
    );
    let bought = SELL.replace(DEST, NATIVE);
    built_with(&bought, arguing(10, "wrapApproveDirection", wraps(2))).unwrap();
    assert_refused(
        built_with(&bought, arguing(10, "wrapApproveDirection", wraps(0))),
        "transaction.data.wrapApproveDirection",
    );
}

#[test]
fn a_purchase_of_the_native_token_from_makers_is_made_only_where_the_caller_vouches_for_it() {
    // The router gives on what it has of the wrapped native token, whatever the makers gave, and compares it with nothing.
    let bought = BUY.replace(DEST, NATIVE);
    let from_makers = |market: &mut Market| {
        market.method = 10;
        market.argument_lie = Some(Box::new(|path, _| {
            path.ends_with("makerAsset").then_some(DynSolValue::Address(Address::repeat_byte(0xBA)))
        }));
    };
    assert_refused(built_with(&bought, from_makers), "transaction.data.orders");
    assert_refused(built_with(&bought, |market| market.method = 10), "transaction.data.orders");
    let rig = allowed(u64::MAX);
    from_makers(&mut rig.world.service.borrow_mut().market);
    let quote = rig.quote(&market(&bought)).unwrap();
    rig.build(&quote, r#"{"slippageBps":50,"advanced":{"allowSelectors":["0xda35bb0d"]}}"#).unwrap();
}

#[test]
fn makers_orders_are_one_to_sixty_four() {
    // The last of the honest orders, that many times, in place of all of them.
    let orders = |count: usize| {
        move |data: &mut Vec<u8>| {
            let (list, permit) = (word_at(data, 5 * 32), word_at(data, 6 * 32));
            let last = list + 32 + word_at(data, list + 32 * word_at(data, list));
            let (order, behind) = (data[4 + last..4 + permit].to_vec(), data[4 + permit..].to_vec());
            data.truncate(4 + list);
            put(data, 6 * 32, list);
            data.extend_from_slice(&behind);
            let place = data.len() - 4;
            data.resize(data.len() + 32 * (count + 1), 0);
            put(data, 5 * 32, place);
            put(data, place, count);
            for index in 0..count {
                put(data, place + 32 * (index + 1), 32 * count + order.len() * index);
                data.extend_from_slice(&order);
            }
        }
    };
    for count in [1, 64] {
        rewritten(10, orders(count)).unwrap();
    }
    for count in [0, 65] {
        assert_refused(rewritten(10, orders(count)), "transaction.data.orders");
    }
}

fn expected(outcome: &Result<Json, Error>) -> &str {
    outcome.as_ref().err().and_then(|error| error.expected.as_deref()).unwrap_or_default()
}

#[test]
fn a_stability_module_nobody_knows_is_used_only_where_the_caller_vouches_for_it() {
    let lie = || arguing(11, "exchange", |_| U256::from(0xBAD));
    let outcome = built_with(&request(11, false), lie());
    assert_eq!(expected(&outcome), "a known stability module for these two tokens");
    assert_refused(outcome, "transaction.data.exchange");
    // A module that is known, on a chain where it is not, or for another stablecoin.
    assert_refused(built_with(SELL, |market| market.method = 11), "transaction.data.exchange");
    let usds = request(11, false).replace(DAI, USDS);
    assert_refused(built_with(&usds, |market| market.method = 11), "transaction.data.exchange");
    let rig = allowed(u64::MAX);
    lie()(&mut rig.world.service.borrow_mut().market);
    let quote = rig.quote(&market(&request(11, false))).unwrap();
    rig.build(&quote, r#"{"slippageBps":50,"advanced":{"allowSelectors":["0x987e7d8e"]}}"#).unwrap();
}

#[test]
fn usds_is_bought_from_its_stability_module_and_never_sold_to_it() {
    let module = || arguing(11, "exchange", |_| U256::from_be_slice(&hex!("A188EEC8F81263234dA3622A406892F3D630f98c")));
    built_with(&request(11, false).replace(DAI, USDS), module()).unwrap();
    let sale = request(11, false).replace(USDC, USDS).replace(DAI, USDC);
    let sale = sale.replace(r#""srcDecimals":6"#, r#""srcDecimals":18"#);
    let sale = sale.replace(r#""destDecimals":18"#, r#""destDecimals":6"#);
    let outcome = built_with(&sale, module());
    assert_eq!(expected(&outcome), "another method: the router cannot sell USDS to a stability module");
    assert_refused(outcome, "transaction.data.exchange");
    // Nobody can vouch for what no module does.
    let rig = allowed(u64::MAX);
    module()(&mut rig.world.service.borrow_mut().market);
    let quote = rig.quote(&market(&sale)).unwrap();
    let outcome = rig.build(&quote, r#"{"slippageBps":50,"advanced":{"allowSelectors":["0x987e7d8e"]}}"#);
    assert_refused(outcome, "transaction.data.exchange");
}

#[test]
fn dai_is_sold_to_a_stability_module_by_figures_that_leave_the_least_amount() {
    // The router asks the module for floor(100 x 10^36 / ((10^18 + toll) x factor)), and compares that with nothing.
    let sale = request(11, false).replace(USDC, "?").replace(DAI, USDC).replace('?', DAI);
    let sale = sale.replace(r#""100000000""#, r#""100000000000000000000""#);
    let sale = sale.replace(r#""srcDecimals":6"#, r#""srcDecimals":18"#);
    let sale = sale.replace(r#""destDecimals":18"#, r#""destDecimals":6"#);
    let with = |name, value: u64| built_with(&sale, arguing(11, name, move |_| U256::from(value)));
    assert_eq!(text(&built_with(&sale, |market| market.method = 11).unwrap(), "minReceived"), "99500000");
    for factor in [999_999_999_999, 1_000_000_000_001, 10_u64.pow(18), 0] {
        assert_refused(with("to18ConversionFactor", factor), "transaction.data.to18ConversionFactor");
    }
    // 99.5 for 100: 0.5025... %.
    with("toll", 5_025_125_628_140_703).unwrap();
    assert_refused(with("toll", 5_025_125_628_140_704), "transaction.data.toll");
    assert_refused(built_with(&sale, arguing(11, "toll", |_| U256::MAX)), "transaction.data.toll");
    // The module has the price of what is bought in the other direction, not the toll.
    built_with(&request(11, false), arguing(11, "toll", |_| U256::from(10).pow(U256::from(17)))).unwrap();
}

#[test]
fn an_unknown_method_is_refused_unless_the_caller_names_it() {
    let unknown =
        |market: &mut Market| market.data_lie = Some(Box::new(|data| data[..4].copy_from_slice(&hex!("0badc0de"))));
    assert_refused(built_with(SELL, unknown), "transaction.data");
    let rig = allowed(u64::MAX);
    unknown(&mut rig.world.service.borrow_mut().market);
    let quote = rig.quote(&market(SELL)).unwrap();
    let build = |options: &str| rig.build(&quote, &format!(r#"{{"slippageBps":50,{options}}}"#));
    assert_refused(build(r#""advanced":{"allowSelectors":["0x0badc0df"]}"#), "transaction.data");
    let build_allowed = build(r#""advanced":{"allowSelectors":["0x00000000","0x0badc0de"]}"#).unwrap();
    assert_eq!((text(&build_allowed, "contractMethod"), text(&build_allowed, "minReceived")), ("0x0badc0de", "0"));
    assert_eq!(at(&build_allowed, "report").get("distanceBps"), None);
    assert!(verdicts(&build_allowed, "transaction.data.permit").is_empty());
    // Nothing can be said of what arrives: a bound of the caller's own is not met by it.
    assert_refused(
        build(r#""advanced":{"allowSelectors":["0x0badc0de"]},"minReceived":"1""#),
        "transaction.minReceived",
    );
    rig.world.assert_untouched();
}

/// The outcome of the honest call of a method when its bytes behind the selector are changed.
fn rewritten(method: usize, change: impl Fn(&mut Vec<u8>) + 'static) -> Result<Json, Error> {
    built_with(&request(method, sides(method)[0]), move |market| {
        market.method = method;
        market.data_lie = Some(Box::new(change));
    })
}

fn word_at(data: &[u8], at: usize) -> usize {
    usize::try_from(U256::from_be_slice(&data[4 + at..][..32])).unwrap()
}

fn put(data: &mut [u8], at: usize, value: usize) {
    data[4 + at..][..32].copy_from_slice(&U256::from(value).to_be_bytes::<32>());
}

#[test]
fn arguments_are_read_where_their_offsets_point_and_not_where_they_usually_are() {
    // swapExactAmountIn: nine words of values, then the offsets of permit and executorData.
    const PERMIT: usize = 9 * 32;
    // An honest permit stays where it was; the offset points to another behind it.
    let outcome = rewritten(0, |data| {
        let end = data.len() - 4;
        put(data, PERMIT, end);
        data.extend(U256::from(1).to_be_bytes::<32>());
        data.extend([0x66; 32]);
    });
    assert_refused(outcome, "transaction.data.permit");
    // Moved as it is, it is as honest as before; what lies in between is read by nobody, and said so.
    let build = rewritten(0, |data| {
        let end = data.len() - 4;
        put(data, PERMIT, end);
        data.extend([0; 32]);
    })
    .unwrap();
    let Json::Array(checks) = at(&build, "report.checks") else { panic!() };
    let unread = checks.iter().find(|check| text(check, "field") == "transaction.data.unread").unwrap();
    assert_eq!((text(unread, "actual"), text(unread, "verdict")), ("32 bytes", "opaque"));
}

#[test]
fn calldata_that_is_not_laid_out_as_its_signature_says_is_refused() {
    const PERMIT: usize = 9 * 32;
    type Change = Box<dyn Fn(&mut Vec<u8>)>;
    let changes: Vec<Change> = vec![
        Box::new(|data| data.truncate(data.len() - 60)),
        Box::new(|data| data.truncate(4 + 100)),
        // Offsets and lengths out of bounds, or so large that sums overflow.
        Box::new(|data| put(data, PERMIT, 1 << 40)),
        Box::new(|data| data[4 + PERMIT..][..32].fill(0xFF)),
        Box::new(|data| {
            let at = word_at(data, PERMIT);
            put(data, at, 1 << 30);
        }),
        Box::new(|data| {
            let at = word_at(data, PERMIT);
            data[4 + at..][..32].fill(0xFF);
        }),
        // Two arguments at one place; one inside the values.
        Box::new(|data| {
            let at = word_at(data, PERMIT);
            put(data, PERMIT + 32, at);
        }),
        Box::new(|data| put(data, PERMIT, 0)),
        // An address with something in front of it.
        Box::new(|data| data[4 + 32] = 1),
    ];
    for (index, change) in changes.into_iter().enumerate() {
        let error = rewritten(0, change).expect_err(&index.to_string());
        assert_eq!(
            (error.code, error.field.as_deref()),
            (ErrorCode::VerifyMismatch, Some("transaction.data")),
            "{index}: {error:?}"
        );
        // The selector and where it begins to differ: 64 bytes, to compare by eye.
        let actual = error.actual.as_deref().unwrap();
        assert!(actual.starts_with("0xe3ead59e") && actual.len() == 2 + 2 * 64, "{actual}");
    }
    // An order's offset among the makers' orders, and their number.
    for change in [1_usize << 40, 100_000] {
        let orders = move |data: &mut Vec<u8>| {
            let at = word_at(data, 5 * 32);
            put(data, at, change);
        };
        assert_refused(rewritten(10, orders), "transaction.data");
    }
}

#[test]
fn a_short_suffix_of_calldata_is_accepted_and_a_long_one_is_not() {
    rewritten(0, |data| data.extend([7; 1024])).unwrap();
    assert_refused(rewritten(0, |data| data.extend([7; 1025])), "transaction.data.unread");
}
