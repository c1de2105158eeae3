//! The rules that `pkg-template/src/early.ts` copies of this package, because it asks for a first price before there is a module: how the
//! request is written, and how it is counted. `WRITE=1 cargo test --test flows early` writes what the package does in each
//! case to a table; without it, that is compared. `tests/package/more/early.test.mjs` holds the copy to the same table.

use super::fake_host::{Moment, Rig, World, json};
use serde_json::{Value, json as value};
use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use verified_swap_trade::client::rate_limit::RateLimit;
use verify::internal::json::JsonAt;

const NOW: u64 = 1_800_000_000_000;
const DAY: u64 = NOW / 86_400_000;
const BASE_URL: &str = "https://service.test";
/// With letters: their casing is its checksum.
const SRC: &str = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
const DEST: &str = "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2";
const ACCOUNT: &str = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";

struct Case {
    what: &'static str,
    /// The settings, but for the URL.
    options: Value,
    /// The request, but for what [`request`] has.
    request: Value,
    /// The text in the storage.
    stored: Option<String>,
    /// Whether the copy asks; where it cannot be sure it need not.
    leaves: bool,
}

fn request(more: &Value) -> Value {
    let mut request = value!({ "chainId": 8453, "srcToken": SRC, "destToken": DEST, "amount": "100000000", "srcDecimals": 6, "destDecimals": 18 });
    request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    request
}

fn cases() -> Vec<Case> {
    let asking = |what, options, request, leaves| Case { what, options, request, stored: None, leaves };
    let counting = |what, options, stored: String, leaves| Case {
        what,
        options,
        request: value!({}),
        stored: Some(stored),
        leaves,
    };
    vec![
        asking("a plain price", value!({}), value!({}), true),
        asking(
            "all that a plain price has",
            value!({ "partner": "some-app" }),
            value!({ "account": ACCOUNT, "mode": "ALL", "side": "BUY" }),
            true,
        ),
        asking("the account of the client", value!({ "account": ACCOUNT }), value!({ "mode": "MARKET" }), true),
        asking(
            "names, which are not sent",
            value!({}),
            value!({ "srcSymbol": "USDC", "destSymbol": "WETH", "advanced": { "chainName": "Base", "destChainName": "Base" } }),
            true,
        ),
        asking(
            "another count",
            value!({ "advanced": { "rateLimit": { "perSecond": 7, "burst": 2, "perDay": 9 } } }),
            value!({}),
            true,
        ),
        asking("an impact", value!({}), value!({ "advanced": { "maxImpactPercent": "1" } }), false),
        asking("a token without a checksum", value!({}), value!({ "srcToken": SRC.to_lowercase() }), false),
        asking("another chain", value!({}), value!({ "destChainId": 10 }), false),
        asking("no burst", value!({ "advanced": { "rateLimit": { "burst": 1 } } }), value!({}), false),
        counting("some sent today", value!({}), format!("{NOW} {DAY} 5 0 0 0 {NOW} 0 0"), true),
        counting("a text of five numbers", value!({}), format!("{NOW} {DAY} 5 0 0"), false),
        counting(
            "a day later",
            value!({}),
            format!("{} {} 3000 0 0 0 {} 0 0", NOW - 5_000, DAY - 1, NOW - 9_000),
            true,
        ),
        counting(
            "a refusal of long ago",
            value!({}),
            format!("{} {DAY} 5 {} {} {} {} 2 {}", NOW - 5_000, NOW - 7, NOW - 1, NOW - 9, NOW - 9_000, NOW - 6_000),
            true,
        ),
        counting("a clock that was set back", value!({}), format!("{NOW} {DAY} 5 0 0 0 {} 0 0", NOW + 1_000), true),
        counting("a burst under way", value!({}), format!("{} {DAY} 5 0 0 0 {NOW} 0 0", NOW + 1), false),
        counting("the last of today", value!({}), format!("{NOW} {DAY} 2999 0 0 0 {NOW} 0 0"), true),
        counting("all of today's sent", value!({}), format!("{NOW} {DAY} 3000 0 0 0 {NOW} 0 0"), false),
        counting(
            "a pause of the service",
            value!({}),
            format!("{NOW} {DAY} 5 {} {} 0 {NOW} 0 0", NOW + 1, NOW + 1_000),
            false,
        ),
        counting("a refusal of today", value!({}), format!("{} {DAY} 5 0 {} 0 {NOW} 0 0", NOW - 5_000, NOW + 1), false),
        counting("something more urgent waits", value!({}), format!("{NOW} {DAY} 5 0 0 0 {NOW} 1 {}", NOW + 1), false),
    ]
}

/// The package's acts: the URL that it asks at once, its requests to lock and storage, and the entry that is stored then.
fn done(case: &Case) -> Value {
    let world = World::new();
    world.unix_ms.set(NOW);
    world.browser.has_storage.set(true);
    let key = ["rateLimit/", BASE_URL].concat();
    if let Some(stored) = &case.stored {
        world.browser.stored.borrow_mut().insert(key.clone(), stored.clone());
    }
    let seen = Rc::new(RefCell::new(None));
    let log = seen.clone();
    world.at_each(move |world, moment| {
        let is_first = matches!(moment, Moment::Fetch("quote")) && log.borrow().is_none();
        if is_first && world.unix_ms.get() == NOW {
            let counted =
                world.asked_of_tabs.borrow().iter().filter(|(_, name)| *name == key).cloned().collect::<Vec<_>>();
            *log.borrow_mut() = Some((counted, world.browser.stored.borrow().get(&key).cloned()));
        }
    });
    let options = json(&case.options.to_string());
    let at = JsonAt::input(&options, "options");
    let rig = Rig::in_world(world, |shared, bound| {
        shared.settings.base_url = BASE_URL.into();
        shared.settings.partner = at.get("partner").text().ok().map(Into::into);
        shared.settings.rate_limit =
            at.option("advanced.rateLimit").some().map_or_else(RateLimit::default, |at| RateLimit::read(&at).unwrap());
        bound.account = at.get("account").address().ok();
    });
    // Whatever becomes of the answer.
    let _ = rig.quote(&request(&case.request).to_string());
    let Some((counted, stored)) = seen.take() else { return Value::Null };
    value!({ "url": rig.world.requests.borrow()[0].url, "counted": counted, "stored": stored })
}

#[test]
fn the_table_has_what_the_package_does() {
    let cases = cases().into_iter().map(|case| {
        let done = done(&case);
        assert!(!done.is_null() || !case.leaves, "{}: nothing left", case.what);
        let (options, request) = (&case.options, request(&case.request));
        value!({ "what": case.what, "options": options, "request": request, "stored": case.stored, "leaves": case.leaves, "done": done })
    });
    let table = value!({ "now": NOW, "baseUrl": BASE_URL, "cases": cases.collect::<Vec<_>>() });
    let given = serde_json::to_string_pretty(&table).unwrap() + "\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/shared/early.json");
    if std::env::var_os("WRITE").is_some() {
        std::fs::write(&path, &given).unwrap();
    }
    assert_eq!(std::fs::read_to_string(path).unwrap(), given, "WRITE=1 cargo test --test flows early");
}
