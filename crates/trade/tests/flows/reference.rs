//! The worth of a trade by others than the service: pools and feeds on the chain, the application, the caller.

use super::fake_host::Node;
use super::fake_host::{BRIDGED, BUY, DEST, NATIVE, Place, Rig, SELL, SRC, at, failure, json, set, text, with};
use super::kinds::kinds;
use super::market::{market, prepare};
use super::otc::desk_in;
use alloy_primitives::{Address, U256};
use verify::internal::domain::reference::sources::{Feed, Sources};
use verify::internal::error::{Error, ErrorCode};
use verify::internal::json::Json;

/// A feed of dollars for each of the two, and for what enters a bridge.
const FEEDS: [&str; 3] = [
    "0x00000000000000000000000000000000000000f1",
    "0x00000000000000000000000000000000000000F2",
    "0x00000000000000000000000000000000000000f3",
];
/// The tick at which 1 DEST is 2,500 SRC, which is the price of the service here.
pub const FAIR: i64 = 198_084;
/// 30 million dollars on either side.
pub const DEEP: u64 = 600_000_000_000_000_000;
/// Unix seconds on the chain.
const NOW: u64 = 1_800_000_000;

/// SRC is a dollar, and DEST the native token's wrapped form.
fn sources() -> Sources {
    let [src, dest] = [SRC, DEST].map(|token| token.parse::<Address>().unwrap());
    let [src_feed, dest_feed, bridged_feed] = FEEDS.map(|feed| feed.parse().unwrap());
    let feed = |token, feed| Feed { token, feed, decimals: 8, heartbeat_secs: 3_600 };
    Sources {
        wrapped: dest,
        dollars: vec![(src, 6)],
        feeds: vec![feed(src, src_feed), feed(dest, dest_feed), feed(BRIDGED.parse().unwrap(), bridged_feed)],
        ..Sources::pinned(1).unwrap()
    }
}

/// Nobody testifies yet, on either chain.
pub fn rig() -> Rig {
    Rig::with(|shared, _| {
        shared.settings.given_sources = vec![(8453, sources()), (10, sources())];
        shared.settings.rpc.push((10, Place::Node(10)));
    })
}

/// The answer of a pool whose tick was `long` for half an hour but for the last five minutes, and `recent` since.
pub fn pool_says(window: u64, long: i64, recent: i64, liquidity: u64) -> Vec<U256> {
    let sum = |ticks: i64| if ticks < 0 { U256::from(ticks.unsigned_abs()).wrapping_neg() } else { U256::from(ticks) };
    let seconds = |secs: u64| (U256::from(secs) << 128) / U256::from(liquidity);
    let (before, now) = (long * (window as i64 - 300), long * (window as i64 - 300) + recent * 300);
    let ticks = [sum(0), sum(before), sum(now)];
    [
        vec![U256::from(window), sum(recent), U256::from(liquidity)],
        ticks.to_vec(),
        [0, window - 300, window].map(seconds).to_vec(),
    ]
    .concat()
}

fn tell(rig: &Rig, address: Address, said: Vec<U256>) {
    for chain in [8453, 10] {
        rig.world.chain.borrow_mut().node(chain).told.insert(address, said.clone());
    }
}

/// The pool of the two tokens with that fee says so.
pub fn pool(rig: &Rig, fee: u32, said: Vec<U256>) {
    let [src, dest] = [SRC, DEST].map(|token| token.parse().unwrap());
    tell(rig, sources().pool(src, dest, fee), said);
}

/// The feeds say a dollar, and that many cents; written so many seconds ago.
fn feeds(rig: &Rig, cents: u64, ago: u64) {
    for (feed, cents) in FEEDS.iter().zip([100, cents, cents]) {
        let said = [9, cents * 1_000_000, NOW - ago].map(U256::from).to_vec();
        tell(rig, feed.parse().unwrap(), said);
    }
}

/// A tick at which so many hundredths of a percent more of DEST are got for SRC than the service gives.
fn more(bps: i64) -> i64 {
    FAIR + ((1.0 + bps as f64 / 10_000.0).ln() / 1.0001_f64.ln()).round() as i64
}

fn price(build: &Json) -> (String, i64) {
    let price = at(build, "report.price");
    let below = match at(price, "belowBps") {
        Json::Number(text) => text.parse().unwrap(),
        _ => i64::MAX,
    };
    (text(price, "verdict").into(), below)
}

fn is_refused(error: &Error) {
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::VerifyMismatch, Some("quote.price")), "{error:?}");
}

/// It is asked about, with both prices.
fn is_disputed(build: &Json) {
    let (verdict, below) = price(build);
    assert!(
        verdict == "unknown" && (5_020..5_030).contains(&below),
        "half of what one of them asks: {verdict} {below}"
    );
    assert_eq!(text(build, "report.questions.0.reason"), "referencesDisagree");
    assert_eq!(at(build, "report.questions.0.belowBps").write(), below.to_string());
    let question = text(build, "report.questions.0.text");
    assert!(question.starts_with("The reference prices disagree (pools 0.000"), "{question}");
    assert!(
        question.contains("This is 50.2") && question.ends_with(" % below the one that asks for more."),
        "{question}"
    );
    assert!(text(build, "report.sentence").ends_with("; reference prices disagree"));
    assert!(
        text(build, "report.price.text")
            .ends_with(" % below the reference price that asks for more, of several that disagree")
    );
}

#[test]
fn what_pools_and_feeds_confirm_is_said_to_be_confirmed() {
    let rig = rig();
    pool(&rig, 500, pool_says(1_800, FAIR, FAIR, DEEP));
    feeds(&rig, 250_000, 0);
    let quote = rig.quote(SELL).unwrap();
    assert_eq!(text(&quote, "reference.verdict"), "ok");
    let build = rig.build(&quote, r#"{"slippageBps":50}"#).unwrap();
    assert_eq!(price(&build), ("ok".into(), 51), "slippage and fee");
    let said = "0.51 % below the 30-minute price of 1 pool (depth held 50 s) and price feeds";
    assert_eq!(text(&build, "report.price.text"), said);
    assert!(!text(&build, "report.sentence").contains("not judged"));
    let references = at(&build, "report.price.references");
    assert_eq!(
        ["0.by", "0.price", "0.windowSecs", "1.by", "1.price"].map(|path| at(references, path).write()),
        [r#""pools""#, r#""0.000400173""#, "1800", r#""feeds""#, r#""0.000399999""#]
    );
    rig.submit(&build).unwrap();
}

#[test]
fn a_price_beyond_the_bound_is_refused_on_every_path_and_one_within_is_not() {
    // Less than what slippage, fee and gas take, up to a price of a hundredth.
    for (bps, is_accepted) in
        [(-900, true), (0, true), (300, true), (620, false), (1_000, false), (10_000, false), (100_000, false)]
    {
        // Nothing is said of the native token's price in this world.
        for kind in kinds().into_iter().filter(|kind| !kind.request.contains(NATIVE)) {
            let rig = rig();
            rig.world.service.borrow_mut().building.fillable = kind.fillable;
            rig.world.service.borrow_mut().building.native = kind.native;
            pool(&rig, 500, pool_says(1_800, more(bps), more(bps), DEEP));
            // An amount that enters a bridge is known; one that is only promised to arrive is still judged by the pool.
            feeds(&rig, 250_000, 0);
            tell(&rig, FEEDS[1].parse().unwrap(), vec![U256::ZERO]);
            let built = kind.built(&rig);
            let is_named = ["limitAmount", "maxSrcAmount"].iter().any(|name| kind.options.contains(name));
            match built {
                Ok(build) => {
                    let (verdict, _) = price(&build);
                    assert!(is_accepted || is_named, "{bps} {} {} {verdict}", kind.request, kind.options);
                    assert!(is_named || verdict == "ok", "{bps} {} {} {verdict}", kind.request, kind.options);
                    rig.submit(&build).unwrap();
                }
                Err(error) => {
                    assert!(!is_accepted && !is_named, "{bps} {} {} {error:?}", kind.request, kind.options);
                    is_refused(&error);
                    rig.world.assert_untouched();
                }
            }
        }
        for request in [SELL, BUY] {
            let rig = rig();
            prepare(&rig, 8453, SRC, u64::MAX);
            rig.world.service.borrow_mut().market.method = (request == BUY).into();
            pool(&rig, 500, pool_says(1_800, more(bps), more(bps), DEEP));
            let quote = rig.quote(&market(request)).unwrap();
            match rig.build(&quote, r#"{"slippageBps":50}"#) {
                Ok(_) => assert!(is_accepted, "{bps}"),
                Err(error) => is_refused(&error),
            }
        }
    }
}

/// The outcome of the usual sale after such answers.
fn sold(said: impl FnOnce(&Rig)) -> Result<Json, Error> {
    sold_as(SELL, said)
}

fn sold_as(request: &str, said: impl FnOnce(&Rig)) -> Result<Json, Error> {
    let rig = rig();
    said(&rig);
    rig.built(request)
}

/// The answers that this package takes for twice the price, over half an hour and of late.
fn lie() -> Vec<U256> {
    pool_says(1_800, more(10_000), more(10_000), DEEP)
}

#[test]
fn who_cannot_be_trusted_does_not_testify() {
    // A feed is pinned for both here, so it has to answer; a pool may be or not.
    let is_there = true;
    let unjudged = |said: &dyn Fn(&Rig), why: &str| {
        let build = sold(|rig| said(rig)).unwrap();
        assert_eq!(price(&build).0, "unknown", "{why}");
        assert!(text(&build, "report.sentence").ends_with("; price not judged"), "{why}");
        assert_eq!(
            text(&build, "report.questions.0.reason"),
            if is_there { "referenceSilent" } else { "noReference" },
            "{why}"
        );
        let required = with(SELL, r#""requireReference":true"#);
        is_refused(&sold_as(&required, |rig| said(rig)).unwrap_err());
    };
    let twice = more(10_000);
    unjudged(&|_| (), "nobody");
    // 50,000 dollars move a pool by 2 % that has five million on a side.
    unjudged(&|rig| pool(rig, 500, pool_says(1_800, twice, twice, DEEP / 9)), "thin");
    let narrow = || {
        let mut said = pool_says(1_800, twice, twice, DEEP);
        said[2] = U256::from(DEEP / 200);
        said
    };
    unjudged(&|rig| pool(rig, 500, narrow()), "all of it in one tick, where it costs nearly nothing");
    unjudged(&|rig| pool(rig, 500, [vec![U256::from(1_800)], vec![U256::from(7); 8]].concat()), "no time passed");
    unjudged(&|rig| pool(rig, 500, pool_says(1_800, -900_000, -900_000, DEEP)), "no such tick");
    unjudged(&|rig| feeds(rig, 500_000, 4_501), "stale");
    unjudged(&|rig| feeds(rig, 0, 0), "no price");
    unjudged(
        &|rig| {
            feeds(rig, 500_000, 0);
            tell(rig, FEEDS[1].parse().unwrap(), [19, 500_000_000_000, NOW].map(U256::from).to_vec());
        },
        "other decimals than it has to have",
    );
    unjudged(
        &|rig| tell(rig, FEEDS[1].parse().unwrap(), vec![U256::from(9), U256::MAX, U256::from(NOW)]),
        "below zero",
    );
    unjudged(
        &|rig| {
            pool(rig, 500, lie());
            rig.world.chain.borrow_mut().node(8453).no_lens = true;
        },
        "a node that does not call what is not there",
    );
    // All of these count as soon as they are right.
    is_refused(&sold(|rig| pool(rig, 500, lie())).unwrap_err());
    is_refused(&sold(|rig| feeds(rig, 125_000, 4_500)).unwrap_err());
}

/// A pool that is deep, and cannot tell its past.
fn silent_pool(tick: i64, liquidity: u64) -> Vec<U256> {
    [&[U256::from(1)], &pool_says(1_800, tick, tick, liquidity)[1..3]].concat()
}

#[test]
fn who_cannot_tell_its_past_is_not_silenced_and_judges_nobody() {
    let require = with(SELL, r#""requireReference":true"#);
    // No feed is pinned here.
    let bare = |request: &str, said: &dyn Fn(&Rig)| {
        let rig = Rig::with(|shared, _| {
            shared.settings.given_sources = vec![(8453, Sources { feeds: vec![], ..sources() })];
        });
        said(&rig);
        rig.built(request)
    };
    for (bps, reason, times) in [(0, "noReference", "1 times"), (10_000, "referenceSilent", "2.01 times")] {
        let said = |rig: &Rig| pool(rig, 500, silent_pool(more(bps), DEEP));
        let build = bare(SELL, &said).unwrap();
        assert_eq!(price(&build), ("unknown".into(), i64::MAX));
        assert_eq!(text(&build, "report.questions.0.reason"), reason);
        let question = text(&build, "report.questions.0.text");
        assert!(question.contains("pools: none that can tell its past"), "{question}");
        let shown = format!("The pool's price now would give {times} this; anybody may have moved it.");
        assert!(question.ends_with(&shown), "{question}");
        assert!(text(&build, "report.price.priceNow").starts_with("0.000"));
        let unanswered = at(&build, "report.price.unanswered");
        assert_eq!([text(unanswered, "0.by"), text(unanswered, "0.why")], ["pools", "noHistory"]);
        is_refused(&bare(&require, &said).unwrap_err());
        // Where somebody else testifies, that judges: a feed, or another pool.
        let fed = |cents: u64| {
            sold_as(&require, |rig| {
                said(rig);
                feeds(rig, cents, 0);
            })
        };
        assert_eq!(price(&fed(250_000).unwrap()).0, "ok");
        is_refused(&fed(125_000).unwrap_err());
        let besides = |tick: i64| {
            bare(&require, &|rig| {
                said(rig);
                pool(rig, 3_000, pool_says(1_800, tick, tick, DEEP / 3));
            })
        };
        assert_eq!(price(&besides(FAIR).unwrap()).0, "ok");
        is_refused(&besides(more(10_000)).unwrap_err());
    }
    // Nor is it hidden by a deeper one that agrees with the service for a block.
    let build = bare(SELL, &|rig| {
        pool(rig, 500, silent_pool(more(10_000), DEEP));
        pool(rig, 3_000, silent_pool(FAIR, DEEP * 9));
    });
    assert_eq!(text(&build.unwrap(), "report.questions.0.reason"), "referenceSilent");
    // One that is dead says nothing, at whatever price.
    let build = bare(SELL, &|rig| pool(rig, 500, silent_pool(more(10_000), DEEP / 9_000))).unwrap();
    assert_eq!(at(&build, "report.price.priceNow"), &Json::Null);
    assert!(text(&build, "report.questions.0.text").contains("pools: none for this pair"));
}

#[test]
fn depth_counts_as_it_held() {
    let address = |rig: &Rig| {
        pool(rig, 500, lie());
        let [src, dest] = [SRC, DEST].map(|token| token.parse().unwrap());
        sources().pool(src, dest, 500)
    };
    let require = with(SELL, r#""requireReference":true"#);
    let node = |rig: &Rig, change: fn(&mut Node, Address)| {
        let address = address(rig);
        change(rig.world.chain.borrow_mut().node(8453), address);
    };
    // Deep in this block alone: as if it could not tell its past.
    let thin: fn(&mut Node, Address) = |node, address| {
        let mut before = node.told.clone();
        before.get_mut(&address).unwrap()[2] = U256::from(DEEP / 200);
        node.told_before = Some(before);
    };
    let absent: fn(&mut Node, Address) = |node, address| {
        let mut before = node.told.clone();
        before.remove(&address);
        node.told_before = Some(before);
    };
    for change in [thin, absent] {
        let build = sold(|rig| node(rig, change)).unwrap();
        assert_eq!(text(&build, "report.questions.0.reason"), "referenceSilent");
        is_refused(&sold_as(&require, |rig| node(rig, change)).unwrap_err());
    }
    // Seen now only: it counts, but nobody relies on it.
    let pruned: fn(&mut Node, Address) = |node, _| node.is_pruned = true;
    is_refused(&sold(|rig| node(rig, pruned)).unwrap_err());
    let fair = |rig: &Rig| {
        node(rig, pruned);
        pool(rig, 500, pool_says(1_800, FAIR, FAIR, DEEP));
    };
    let build = sold(fair).unwrap();
    assert!(text(&build, "report.price.text").contains("1 pool (depth seen now only)"));
    assert_eq!(at(&build, "report.price.references.0.heldSecs").write(), "0");
    let error = sold_as(&require, fair).unwrap_err();
    is_refused(&error);
    assert!(error.message.contains("pools only if their depth lasted"), "{error:?}");
    let with_feeds = sold_as(&require, |rig| {
        fair(rig);
        feeds(rig, 250_000, 0);
    });
    assert_eq!(price(&with_feeds.unwrap()).0, "ok");
}

#[test]
fn a_pool_testifies_to_the_price_at_which_it_was_deep() {
    let [src, dest] = [SRC, DEST].map(|token| token.parse().unwrap());
    let address = sources().pool(src, dest, 500);
    let asked = |now: i64, before: i64| {
        sold(|rig| {
            let said = |tick: i64| {
                let mut said = pool_says(300, FAIR, FAIR, DEEP);
                said[1] = pool_says(300, tick, tick, DEEP)[1];
                said
            };
            pool(rig, 500, said(now));
            rig.world.chain.borrow_mut().node(8453).told_before = Some([(address, said(before))].into());
        })
        .unwrap()
    };
    let twice = more(10_000);
    // The price of one block raises no question.
    for now in [FAIR, twice] {
        assert_eq!(price(&asked(now, FAIR)).0, "ok");
    }
    // Its mean agrees with the service; it was never seen to be there, or was not deep there.
    for (now, before) in [(twice, twice), (FAIR, twice)] {
        let build = asked(now, before);
        assert_eq!(price(&build).0, "unknown", "{now} {before}");
        assert_ne!(at(&build, "report.questions").write(), "[]");
    }
}

#[test]
fn nobody_outvotes_others_by_pools_of_his_own() {
    let own = |tick: i64| pool_says(1_800, tick, tick, DEEP * 3);
    let between = |tick: i64| pool_says(1_800, tick, tick, DEEP);
    // The honest one asks for twice as much as the service gives; two deeper ones agree with it. And the other way round.
    for [deepest, second, honest] in [
        [more(0), more(-1_000), more(10_000)],
        [more(10_000), more(13_000), more(0)],
        [more(13_000), more(10_000), more(0)],
    ] {
        let build = sold(|rig| {
            pool(rig, 100, own(deepest));
            pool(rig, 500, between(second));
            pool(rig, 3_000, between(honest));
        });
        assert_eq!(text(&build.unwrap(), "report.questions.0.reason"), "referencesDisagree");
    }
}

#[test]
fn pools_that_cannot_be_read_are_not_absent() {
    let [src, dest] = [SRC, DEST].map(|token| token.parse().unwrap());
    let said = |rig: &Rig| {
        pool(rig, 500, pool_says(1_800, FAIR, FAIR, DEEP));
        pool(rig, 3_000, lie());
        rig.world.chain.borrow_mut().node(8453).broken_pool = Some(sources().pool(src, dest, 3_000));
    };
    assert_eq!(text(&sold(said).unwrap(), "report.questions.0.reason"), "referenceSilent");
    let build = sold(|rig| {
        said(rig);
        feeds(rig, 250_000, 0);
    });
    assert_eq!(price(&build.unwrap()).0, "ok");
}

#[test]
fn pools_that_take_all_gas_take_nobody_along() {
    for (most, is_heard) in [(4, true), (2, true), (1, false)] {
        for liar in [false, true] {
            let said = |rig: &Rig| {
                pool(rig, 500, if liar { lie() } else { pool_says(1_800, FAIR, FAIR, DEEP) });
                feeds(rig, 250_000, 0);
                rig.world.chain.borrow_mut().node(8453).most_pools = Some(most);
            };
            let build = sold(said).unwrap();
            let by = at(&build, "report.price.references").write();
            assert!(by.contains(r#""by":"feeds""#) && by.contains(r#""by":"pools""#) == is_heard, "{most}: {by}");
            assert_eq!(price(&build).0, if liar && is_heard { "unknown" } else { "ok" }, "{most}");
        }
        // Without feeds nobody else knows it.
        let said = |rig: &Rig| {
            pool(rig, 500, lie());
            rig.world.chain.borrow_mut().node(8453).most_pools = Some(most);
        };
        match sold(said) {
            Ok(build) => assert!(!is_heard && text(&build, "report.questions.0.reason") == "referenceSilent", "{most}"),
            Err(error) => {
                assert!(is_heard, "{most}");
                is_refused(&error);
            }
        }
    }
}

#[test]
fn what_moved_for_a_moment_refuses_nobody() {
    // Prices that were so at each look are asked about.
    for (long, recent, verdict) in [(more(0), more(2_000), "unknown"), (more(10_000), more(0), "ok")] {
        let build = sold(|rig| pool(rig, 500, pool_says(1_800, long, recent, DEEP))).unwrap();
        assert_eq!(price(&build).0, verdict);
    }
    is_refused(&sold(|rig| pool(rig, 500, pool_says(300, more(10_000), more(10_000), DEEP))).unwrap_err());
}

#[test]
fn the_deepest_pool_speaks_and_each_source_has_one_vote() {
    // Three pools of liars are one vote, against that of the feeds: neither is believed alone.
    let build = sold(|rig| {
        [100, 500, 3_000].iter().for_each(|fee| pool(rig, *fee, lie()));
        feeds(rig, 250_000, 0);
    });
    is_disputed(&build.unwrap());
    // Two deep pools: neither.
    for deep in [DEEP * 2, DEEP / 2] {
        let build = sold(|rig| {
            pool(rig, 100, pool_says(1_800, FAIR, FAIR, deep));
            pool(rig, 500, lie());
        });
        is_disputed(&build.unwrap());
        // Both ask for more than the service gives.
        let build = sold(|rig| {
            pool(rig, 100, pool_says(1_800, more(2_000), more(2_000), deep));
            pool(rig, 500, lie());
        });
        is_refused(&build.unwrap_err());
        // And what meets the one that asks for more needs nobody's word.
        let build = sold(|rig| {
            pool(rig, 100, pool_says(1_800, FAIR, FAIR, deep));
            pool(rig, 500, pool_says(1_800, more(-5_000), more(-5_000), DEEP));
        });
        assert_eq!(price(&build.unwrap()).0, "ok");
    }
    // Three of them: two decide.
    let rig = with_application(r#""0.00081""#);
    pool(&rig, 500, lie());
    feeds(&rig, 250_000, 0);
    is_refused(&rig.built(SELL).unwrap_err());
}

/// An application whose own reference says so.
fn with_application(answer: &str) -> Rig {
    with_application_beside(answer, sources())
}

fn with_application_beside(answer: &str, sources: Sources) -> Rig {
    let rig = Rig::with(|shared, _| {
        shared.settings.given_sources = vec![(8453, sources)];
        shared.settings.app_reference = Some(Place::Node(999));
    });
    // Answers that it refuses are asked for once more.
    for _ in 0..3 {
        rig.world.chain.borrow_mut().node(999).next.push_back(("reference", Ok(json(answer))));
    }
    rig
}

#[test]
fn the_applications_reference_is_asked_once_and_has_a_vote() {
    for (answer, verdict) in [(r#""0.0004""#, "ok"), ("0.0004", "ok"), ("null", "unknown")] {
        let rig = with_application(answer);
        let quote = rig.quote(SELL).unwrap();
        let build = rig.build(&quote, r#"{"slippageBps":50}"#).unwrap();
        assert_eq!((price(&build).0.as_str(), rig.build(&quote, r#"{"slippageBps":50}"#).is_ok()), (verdict, true));
        assert_eq!(rig.world.chain.borrow_mut().node(999).next.len(), 2, "asked once");
    }
    // Without a price of the native token gas may be the reason, which is asked, but not for more than a loss may be.
    for (price, reason) in [("0.00045", Some("gasUnjudged")), ("0.0008", None)] {
        let built =
            with_application_beside(price, Sources { wrapped: BRIDGED.parse().unwrap(), ..sources() }).built(SELL);
        assert_eq!(built.as_ref().ok().map(|build| text(build, "report.questions.0.reason")), reason);
    }
    for answer in [r#""-1""#, r#""0""#, "true", "{}"] {
        let error = with_application(answer).built(SELL).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("reference")), "{answer}");
    }
    let rig = with_application("0.0008");
    rig.world.chain.borrow_mut().node(999).next[0].1 = Err(failure(0, "it threw"));
    let quote = rig.quote(SELL).unwrap();
    assert_eq!(text(&quote, "reference.verdict"), "unknown");
    // That is no answer, so the next one counts.
    let build = rig.build(&quote, r#"{"slippageBps":50,"minReceived":"1"}"#);
    is_refused(&build.unwrap_err());
}

#[test]
fn the_callers_own_prices_refuse_and_silence_nobody() {
    let own = with(SELL, r#""advanced":{"srcPriceUsd":"1","destPriceUsd":"2500"}"#);
    // An app has its prices of the service: they lower nothing that a pool asks.
    is_refused(&sold_as(&own, |rig| pool(rig, 500, lie())).unwrap_err());
    let fair = || pool_says(1_800, FAIR, FAIR, DEEP);
    is_refused(&sold_as(&own.replace("2500", "2300"), |rig| pool(rig, 500, fair())).unwrap_err());
    let build = sold_as(&own, |rig| pool(rig, 500, fair())).unwrap();
    let by = ["0.by", "1.by"].map(|path| text(at(&build, "report.price.references"), path));
    assert_eq!(by, ["pools", "prices"]);
    // Alone they are the caller's bound.
    let required = with(&own, r#""requireReference":true"#);
    let build = sold_as(&required, |_| ()).unwrap();
    assert_eq!((price(&build).0.as_str(), at(&build, "report.questions")), ("ok", &Json::Array(vec![])));
    let error = sold_as(&required.replace("2500", "2000"), |_| ()).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::VerifyMismatch, Some("quote.loss")));
}

#[test]
fn an_application_can_do_without() {
    let rig = Rig::with(|shared, _| {
        shared.settings.given_sources = vec![(8453, sources())];
        shared.settings.has_no_references = true;
    });
    pool(&rig, 500, lie());
    let quote = rig.quote(SELL).unwrap();
    let build = rig.build(&quote, r#"{"slippageBps":50}"#).unwrap();
    // That consents to nothing.
    assert_eq!(price(&build).0, "unknown");
    assert!(text(&build, "report.sentence").ends_with("; price not judged"));
    assert_eq!(text(&build, "report.questions.0.reason"), "noReference");
    assert_eq!(rig.submit(&build).unwrap_err().code, ErrorCode::PriceUnjudged);
    assert_eq!(rig.world.chain.borrow_mut().node(8453).lens_asked, 0);
    rig.world.assert_untouched();
}

#[test]
fn the_bound_is_the_callers_to_the_basis_point() {
    let asked = |bps: u64| with(SELL, &format!(r#""maxPriceDeviationBps":{bps}"#));
    for off in [700, 3_000, 9_000] {
        // Slippage, fee and gas included; what is accepted beside the slippage leaves out fee and gas.
        let said = |rig: &Rig| pool(rig, 500, pool_says(1_800, more(off), more(off), DEEP));
        let (_, below) = price(&sold_as(&asked(9_999), said).unwrap());
        let first = (below - 60..below).find(|bps| sold_as(&asked(*bps as u64), said).is_ok()).unwrap();
        // The part that is kept beside it is kept of the rest.
        let expected = 10_000 - (10_000 - below) * 10_000 / 9_950;
        assert!((expected - 4..=expected + 1).contains(&first), "{off}: {below} {first}");
    }
}

#[test]
fn a_node_that_is_behind_says_what_was() {
    for (behind, is_refused) in [(0, true), (299, true), (300, false), (3_600, false), (3_601, true)] {
        let rig = rig();
        pool(&rig, 500, lie());
        rig.world.pass(behind * 1_000);
        assert_eq!(rig.built(SELL).is_err(), is_refused, "{behind}");
    }
}

#[test]
fn references_are_asked_once_for_a_pair_in_a_minute() {
    let rig = rig();
    feeds(&rig, 250_000, 0);
    let asked = || rig.world.chain.borrow_mut().node(8453).lens_asked;
    let quote = rig.quote(SELL).unwrap();
    rig.build(&quote, r#"{"slippageBps":50}"#).unwrap();
    rig.quote(SELL).unwrap();
    assert_eq!(asked(), 2, "feeds, pools");
    rig.quote(&SELL.replace("100000000", "200000000")).unwrap();
    assert_eq!(asked(), 2, "the amount does not matter");
    rig.world.pass(60_001);
    rig.quote(SELL).unwrap();
    assert_eq!(asked(), 4);
    // A pool that testifies is read in two older blocks, too; which ones is known the next time, without a wait.
    pool(&rig, 500, pool_says(1_800, FAIR, FAIR, DEEP));
    rig.world.pass(60_001);
    for (round, count) in [(0, 8), (1, 8), (2, 12)] {
        rig.world.pass(if round == 2 { 60_001 } else { 0 });
        let quote = rig.quote(SELL).unwrap();
        rig.build(&quote, r#"{"slippageBps":50}"#).unwrap();
        assert_eq!(asked(), count);
    }
}

#[test]
fn a_fill_of_an_offer_is_judged_like_any_other_trade() {
    // DEST is given for SRC here.
    for (bps, options, is_accepted) in [
        (0, "", true),
        (-450, "", true),
        (600, "", false),
        (600, r#","maxPriceDeviationBps":700"#, true),
        (100, r#","requireReference":true"#, true),
    ] {
        let desk = desk_in(rig());
        pool(&desk.rig, 500, pool_says(1_800, more(-bps), more(-bps), DEEP));
        match desk.fill(&desk.order(&[]), options) {
            Ok(build) => assert!(is_accepted && price(&build).0 == "ok", "{bps}"),
            Err(error) => {
                assert!(!is_accepted, "{bps} {error:?}");
                is_refused(&error);
            }
        }
    }
    let desk = desk_in(rig());
    is_refused(&desk.fill(&desk.order(&[]), r#","requireReference":true"#).unwrap_err());
}

#[test]
fn a_small_trade_that_costs_explain_accuses_nobody_and_stated_ones_alone_explain_nothing() {
    // A tenth is missing. The gas of today is a tenth of it, a hundredth, or not known; the route states as much, or nearly
    // none.
    let nine = r#"{"token":{"chainId":8453,"address":"0x2222222222222222222222222222222222222222"},"amount":"4400000000000000","amountUSD":"9"}"#;
    let none = nine.replace("4400000000000000", "44").replace(r#""9""#, r#""0.01""#);
    for (gas_price, stated, expected) in [
        (4_000_000_000_u64, nine, Ok("unusual")),
        (4_000_000_000, &none, Err(ErrorCode::LossTooHigh)),
        (400_000, nine, Err(ErrorCode::VerifyMismatch)),
        (400_000, &none, Err(ErrorCode::VerifyMismatch)),
    ] {
        let rig = rig();
        pool(&rig, 500, pool_says(1_800, more(1_000), more(1_000), DEEP));
        rig.world.chain.borrow_mut().node(8453).gas_price = gas_price;
        let stated = stated.to_owned();
        rig.world.service.borrow_mut().quote_lie =
            Some(Box::new(move |quote| set(quote, "delta.route.fees.gas", &stated)));
        match (rig.built(SELL), expected) {
            (Ok(build), Ok(verdict)) => {
                assert_eq!(price(&build).0, verdict);
                assert!(text(&build, "report.sentence").ends_with("; 9.6 % below the reference price"));
            }
            (Err(error), Err(code)) => {
                assert_eq!((error.code, error.field.as_deref()), (code, Some("quote.price")), "{error:?}");
            }
            (outcome, _) => panic!("{gas_price} {stated:?}: {outcome:?}", stated = "stated"),
        }
    }
}

#[test]
fn a_bridge_that_is_not_there_explains_nothing() {
    let fee = r#"[{"token":{"chainId":8453,"address":"0x2222222222222222222222222222222222222222"},"amount":"1","amountUSD":"60"}]"#;
    let rig = rig();
    pool(&rig, 500, lie());
    rig.world.service.borrow_mut().quote_lie = Some(Box::new(move |quote| set(quote, "delta.route.fees.bridge", fee)));
    is_refused(&rig.built(SELL).unwrap_err());
}

#[test]
fn gas_excuses_no_more_than_a_loss_may_be_whoever_states_it() {
    // In a hundred slices a million units each explain everything.
    for (lost_bps, expected) in
        [(1_200, Ok(())), (2_000, Err(ErrorCode::LossTooHigh)), (6_000, Err(ErrorCode::LossTooHigh))]
    {
        let rig = rig();
        pool(&rig, 500, pool_says(1_800, more(lost_bps), more(lost_bps), DEEP));
        rig.world.chain.borrow_mut().node(8453).gas_price = 20_000_000_000;
        let sliced = with(SELL, r#""numSlices":100,"intervalSecs":600"#);
        let outcome = rig.built_as(&sliced, r#"{"slippageBps":50}"#).map(|_| ()).map_err(|error| error.code);
        assert_eq!(outcome, expected, "{lost_bps}");
    }
}

#[test]
fn gas_is_an_excuse_only_as_far_as_the_node_says_it_costs() {
    // A tenth of what is sold, by a million units.
    for (gas_price, is_accepted) in [(100_000, false), (4_000_000_000, true)] {
        let rig = rig();
        pool(&rig, 500, pool_says(1_800, more(1_000), more(1_000), DEEP));
        rig.world.chain.borrow_mut().node(8453).gas_price = gas_price;
        assert_eq!(rig.built(SELL).is_ok(), is_accepted, "{gas_price}");
        prepare(&rig, 8453, SRC, u64::MAX);
        // The owner of a transaction pays its gas besides.
        let quote = rig.quote(&market(SELL)).unwrap();
        is_refused(&rig.build(&quote, r#"{"slippageBps":50}"#).unwrap_err());
    }
}

#[test]
fn nobody_is_refused_by_what_references_said_before() {
    for protocol in ["", "market"] {
        let rig = rig();
        prepare(&rig, 8453, SRC, u64::MAX);
        feeds(&rig, 125_000, 0);
        let quote = rig.quote(&if protocol.is_empty() { SELL.into() } else { market(SELL) }).unwrap();
        assert_eq!(text(&quote, "reference.verdict"), "mismatch");
        // The market fell, and the feed has seen it by now.
        feeds(&rig, 250_000, 0);
        let build = rig.build(&quote, r#"{"slippageBps":50}"#).unwrap();
        assert_eq!((price(&build).0.as_str(), rig.world.chain.borrow_mut().node(8453).lens_asked), ("ok", 4));
    }
}
