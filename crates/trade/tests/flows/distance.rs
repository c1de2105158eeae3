//! How far what is guaranteed lies from the price: told with every build, also where the bound is the application's own.

use super::fake_host::{BUY, Rig, SELL, at, text, verdicts, with};
use super::kinds::kinds;
use super::market::{allowed, built};
use verify::internal::json::Json;

fn bps(build: &Json) -> u128 {
    text(build, "report.distanceBps").parse().unwrap()
}

#[test]
fn every_build_reports_the_distance() {
    for kind in kinds() {
        let build = kind.built(&kind.rig()).unwrap();
        let verdict = if kind.options.contains("slippageBps") { "ok" } else { "unusual" };
        match (bps(&build), verdicts(&build, "order.distance").as_slice()) {
            // Half a percent of slippage, and a hundredth of fee.
            (found, ["ok"]) if verdict == "ok" => assert!((50..=51).contains(&found), "{} {found}", kind.options),
            // Limits and caps of the tests lie within three percent, or on the better side.
            (found, ["ok"]) => assert!(found <= 300, "{} {found}", kind.options),
            (found, ["unusual"]) => assert!(found > 300 && verdict == "unusual", "{} {found}", kind.options),
            other => panic!("{other:?}"),
        }
    }
    for (request, method) in [(SELL, 0), (BUY, 1)] {
        let rig = allowed(u64::MAX);
        rig.world.service.borrow_mut().market.method = method;
        let build = built(&rig, request).unwrap();
        assert!((50..=52).contains(&bps(&build)), "{}", bps(&build));
        assert_eq!(verdicts(&build, "transaction.distance"), ["ok"]);
    }
}

#[test]
fn a_callers_bound_far_from_the_price_is_unusual_and_not_refused() {
    // 0.04 is quoted; 3 % less, after a fee of a hundredth of a percent.
    for (request, limit, expected, verdict) in [
        (SELL, "38803880388038804", 300, "ok"),
        (SELL, "38803880388038800", 301, "unusual"),
        (SELL, "4000000000000000", 9_001, "unusual"),
        (SELL, "50000000000000000", 0, "ok"),
        (BUY, "103000000", 300, "ok"),
        (BUY, "103000001", 301, "unusual"),
        (BUY, "1000000000", 90_000, "unusual"),
        (BUY, "90000000", 0, "ok"),
    ] {
        let rig = Rig::default();
        let build = rig.built_as(request, &format!(r#"{{"limitAmount":"{limit}"}}"#)).unwrap();
        assert_eq!((bps(&build), verdicts(&build, "order.distance")), (expected, vec![verdict]), "{limit}");
        assert_ne!(at(&build, "report.sentence"), &Json::Null);
    }
}

#[test]
fn a_cap_on_slices_is_held_against_the_price_of_all_of_them() {
    let request = with(BUY, r#""numSlices":3,"intervalSecs":600"#);
    for (cap, expected) in [("100000000", 0..=1), ("101000000", 100..=101), ("300000000", 20_000..=20_001)] {
        let rig = Rig::default();
        let build = rig.built_as(&request, &format!(r#"{{"maxSrcAmount":"{cap}"}}"#)).unwrap();
        assert!(expected.contains(&bps(&build)), "{cap}: {}", bps(&build));
    }
}
