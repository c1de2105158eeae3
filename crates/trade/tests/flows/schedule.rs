//! When requests to the service leave, and which do not: in one tab and in several, all at the same time.

use super::fake_host::{Moment, Rig, SELL, Stop, Task, World, answer, json};
use pollster::block_on;
use std::cell::RefCell;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::Rc;
use verified_swap_trade::client::rate_limit::RateLimit;
use verified_swap_trade::host::{Host, HttpAnswer, HttpFailure, Signal};
use verified_swap_trade::service::token_bucket::TokenBucket;
use verified_swap_trade::service::{ServiceRequest, call, count_sent};
use verify::internal::error::{ErrorCode, Result};
use verify::internal::json::Json;

/// Pages of one browser, with a service that limits requests; when each request left.
struct Pages(Vec<Rig>, Rc<RefCell<Vec<(u64, &'static str)>>>);

impl Pages {
    fn new(count: usize) -> Pages {
        let first = World::new();
        let others = (1..count).map(|_| first.another_tab()).collect::<Vec<_>>();
        let left = Rc::new(RefCell::new(Vec::new()));
        let worlds = [first].into_iter().chain(others);
        let pages = worlds.map(|world| {
            let log = left.clone();
            world.at_each(move |world, moment| {
                if let Moment::Fetch(name) = moment {
                    log.borrow_mut().push((world.timeline.now(), name));
                }
            });
            limited(world, RateLimit::default())
        });
        Pages(pages.collect(), left)
    }

    fn run<T>(&self, tasks: Vec<Task<'_, T>>) -> Vec<T> {
        self.0[0].world.timeline.clone().run(tasks)
    }

    fn left_at(&self) -> Vec<u64> {
        self.1.borrow().iter().map(|(at, _)| *at).collect()
    }
}

/// Another client of a page.
fn limited(world: Rc<World>, limit: RateLimit) -> Rig {
    Rig::in_world(world, |shared, _| shared.settings.rate_limit = limit)
}

/// A quote of a trade of its own, asked for after so many milliseconds.
fn quote<'a>(rig: &'a Rig, after_ms: u64, number: usize, options: &'a str) -> Task<'a, (u64, Result<Json>)> {
    let request = json(&SELL.replace("100000000", &format!("{}", 100_000_000 + number)));
    Box::pin(async move {
        rig.world.timeline.wait(after_ms, || false).await;
        let outcome = rig.beside("quote", &request, options, &rig.signal).await;
        (rig.world.timeline.now(), outcome)
    })
}

/// A request of that name.
fn request<'a>(rig: &'a Rig, after_ms: u64, name: &'static str, signal: &'a Stop) -> Task<'a, Result<String>> {
    let (path, body) = match name {
        "chains" => ("/chains", None),
        "quote" => ("/v2/quote", None),
        "prices" => ("/prices", None),
        "build" => ("/v2/delta/orders/build", Some("{}".into())),
        "post" => ("/v2/delta/orders", Some("{}".into())),
        "cancel" => ("/v2/delta/orders/cancel", Some("{}".into())),
        _ => panic!("{name}"),
    };
    Box::pin(async move {
        rig.world.timeline.wait(after_ms, || false).await;
        call(&rig.client.shared, ServiceRequest { name, path: path.into(), body }, signal).await
    })
}

fn code<T>(outcome: &Result<T>) -> Option<ErrorCode> {
    outcome.as_ref().err().map(|error| error.code)
}

#[test]
fn of_200_quotes_of_one_form_the_last_leaves_and_those_it_replaced_never_do() {
    let pages = Pages::new(1);
    let ask = |number| quote(&pages.0[0], 0, number, r#"{"form":"swap"}"#);
    let ends = pages.run((0..200).map(ask).collect());
    assert_eq!(pages.left_at(), [0, 0, 0, 1_000]);
    assert!(ends[..3].iter().chain(&ends[199..]).all(|(_, outcome)| outcome.is_ok()));
    for (at, outcome) in &ends[3..199] {
        let error = outcome.as_ref().unwrap_err();
        assert_eq!((*at, error.code), (0, ErrorCode::Aborted));
        assert!(error.message.contains("a newer quote"), "{error:?}");
    }
}

#[test]
fn who_types_on_and_on_gets_a_price_every_second() {
    let pages = Pages::new(1);
    let ask = |number: usize| quote(&pages.0[0], 50 * number as u64, number, r#"{"form":"swap"}"#);
    pages.run((0..200).map(ask).collect());
    assert_eq!(pages.left_at().len(), 3 + 9 + 1, "{:?}", pages.left_at());
}

#[test]
fn of_200_quotes_without_a_form_as_many_leave_as_half_a_minute_has_room_for() {
    let pages = Pages::new(1);
    let ends = pages.run((0..200).map(|number| quote(&pages.0[0], 0, number, "{}")).collect());
    let due: Vec<u64> = [0, 0].into_iter().chain((0..=30).map(|secs| 1_000 * secs)).collect();
    assert_eq!(pages.left_at(), due);
    for (at, outcome) in &ends[33..] {
        let error = outcome.as_ref().unwrap_err();
        assert_eq!((*at, error.code, error.status), (0, ErrorCode::RateLimited, None));
        assert_eq!(error.retry_after_secs, Some(31));
    }
}

#[test]
fn whoever_asked_to_wait_is_served_in_the_end() {
    let pages = Pages::new(1);
    let ask = |number| quote(&pages.0[0], 0, number, r#"{"waitForRateLimit":true}"#);
    let ends = pages.run((0..200).map(ask).collect());
    assert!(ends.iter().all(|(_, outcome)| outcome.is_ok()));
    assert_eq!(ends[199].0, 197_000);
}

#[test]
fn what_is_urgent_leaves_first_and_a_post_does_not_wait() {
    let pages = Pages::new(1);
    let rig = &pages.0[0];
    for name in ["chains", "quote", "prices", "build", "post"] {
        rig.world.service.borrow_mut().always_is(name, 200, "{}");
    }
    let signals: Vec<Stop> = (0..8).map(|_| Stop::never()).collect();
    let names = ["quote", "build", "build", "chains", "prices", "build", "post"];
    let ask = |(name, signal)| request(rig, 0, name, signal);
    pages.run(names.into_iter().zip(&signals).map(ask).collect());
    let left = pages.1.borrow().clone();
    // The post counts: what waits has to wait a second more.
    let due =
        [(0, "quote"), (0, "build"), (0, "build"), (0, "post"), (2_000, "build"), (3_000, "prices"), (4_000, "chains")];
    assert_eq!(left, due);
}

#[test]
fn who_gives_up_leaves_the_line_to_the_next() {
    let pages = Pages::new(1);
    let rig = &pages.0[0];
    rig.world.service.borrow_mut().always_is("build", 200, "{}");
    let (stop, go) = (Stop::never(), Stop::never());
    let mut tasks: Vec<_> = (0..3).map(|_| request(rig, 0, "build", &go)).collect();
    tasks.extend([request(rig, 0, "build", &stop), request(rig, 0, "build", &go)]);
    let (timeline, fired) = (rig.world.timeline.clone(), stop.0.clone());
    tasks.push(Box::pin(async move {
        timeline.wait(400, || false).await;
        fired.set(true);
        Ok(String::new())
    }));
    let ends = pages.run(tasks);
    assert_eq!(code(&ends[3]), Some(ErrorCode::Aborted));
    assert_eq!(pages.left_at(), [0, 0, 0, 1_000]);
}

#[test]
fn a_refusal_is_waited_for_and_then_requests_leave_one_by_one() {
    let said =
        |body: &'static str, secs| move || Ok(HttpAnswer { status: 429, body: body.into(), retry_after_secs: secs });
    type Said = Rc<dyn Fn() -> std::result::Result<HttpAnswer, HttpFailure>>;
    let cases: [(Said, u64); 4] = [
        (Rc::new(said(r#"{"errorType":"TooManyRequests"}"#, None)), 1_000),
        (Rc::new(said("<html>429</html>", None)), 1_000),
        (Rc::new(said("", Some(7))), 7_000),
        (Rc::new(|| answer(403, r#"{"errorType":"RateLimitExceeded"}"#)), 1_000),
    ];
    for (refusal, pause) in cases {
        for has_storage in [false, true] {
            let pages = Pages::new(2);
            let world = &pages.0[0].world;
            world.browser.has_storage.set(has_storage);
            let refusal = refusal.clone();
            world.service.borrow_mut().next("quote", move |_, _| refusal());
            let ends = pages.run((0..4).map(|number| quote(&pages.0[0], 0, number, "{}")).collect());
            assert!(ends.iter().all(|(_, outcome)| outcome.is_ok()));
            let first = pause.max(3_000);
            assert_eq!(pages.left_at(), [0, 0, 0, first, first + 1_050]);
            // The next client of this page knows, and so does another page if there is a storage.
            let next = limited(world.clone(), RateLimit::default());
            for (rig, knows) in [(&next, true), (&pages.0[1], has_storage)] {
                pages.1.borrow_mut().clear();
                let begun = world.timeline.now() + 10_000;
                pages.run((0..2).map(|number| quote(rig, 10_000, number, "{}")).collect());
                assert_eq!(pages.left_at(), [begun, begun + if knows { 1_050 } else { 0 }], "{has_storage}");
            }
        }
    }
}

#[test]
fn a_service_that_goes_on_refusing_is_asked_less_and_less_and_its_words_are_told() {
    let pages = Pages::new(1);
    let rig = &pages.0[0];
    rig.world.service.borrow_mut().always_is("quote", 429, r#"{"errorType":"DailyLimit"}"#);
    let ends = pages.run(vec![quote(rig, 0, 0, "{}"), quote(rig, 60_000, 0, "{}")]);
    assert_eq!(pages.left_at(), [0, 1_000, 3_000, 7_000, 15_000, 60_000]);
    for (_, outcome) in &ends {
        let error = outcome.as_ref().unwrap_err();
        assert_eq!((error.code, error.status), (ErrorCode::RateLimited, Some(429)));
        assert_eq!(error.error_type.as_deref(), Some("DailyLimit"));
        assert!(error.retry_after_secs.is_some_and(|secs| secs > 15));
    }
}

#[test]
fn a_post_waits_for_the_service_alone() {
    let pages = Pages::new(1);
    let rig = &pages.0[0];
    let stop = Stop::never();
    rig.world.service.borrow_mut().always_is("post", 200, "{}");
    rig.world.service.borrow_mut().always_is("build", 200, "{}");
    let limit = || Ok(HttpAnswer { status: 429, body: "".into(), retry_after_secs: Some(5) });
    rig.world.service.borrow_mut().next("build", move |_, _| limit());
    rig.world
        .service
        .borrow_mut()
        .next("post", move |_, _| Ok(HttpAnswer { status: 429, body: "".into(), retry_after_secs: Some(40) }));
    let posts = (0..10).map(|_| request(rig, 10, "post", &stop));
    let ends = pages.run([request(rig, 0, "build", &stop)].into_iter().chain(posts).collect());
    // None waits for what the refusal of the build named. Then one of them is refused itself.
    assert_eq!(pages.1.borrow()[..11].iter().filter(|(at, name)| (*at, *name) == (10, "post")).count(), 10);
    assert_eq!(ends.iter().filter(|end| code(end) == Some(ErrorCode::RateLimited)).count(), 2);
    // It would be too long to wait.
    let ends = pages.run(vec![request(rig, 0, "post", &stop)]);
    assert!(ends[0].as_ref().unwrap_err().retry_after_secs.is_some_and(|secs| secs > 30));
}

#[test]
fn against_a_pause_of_hours_a_post_is_tried_once_a_minute_and_a_read_every_five() {
    for (name, minutes) in [("post", 1), ("chains", 5)] {
        let pages = Pages::new(2);
        pages.0[0].world.browser.has_storage.set(true);
        for rig in &pages.0 {
            rig.world.service.borrow_mut().always(name, || refusal(Some(7_200)));
        }
        let stop = Stop::never();
        // Requests in the last half minute of a pause wait for its end.
        let each = (0..60).map(|number| request(&pages.0[number % 2], 20_000 * number as u64, name, &stop));
        let ends = pages.run(each.collect());
        assert!(ends.iter().all(|end| code(end) == Some(ErrorCode::RateLimited)));
        let mut left = pages.left_at();
        left.dedup();
        let due: Vec<_> = (0..=20 / minutes).map(|number| 60_000 * minutes * number).collect();
        assert_eq!(left, due, "{name}");
    }
}

#[test]
fn a_refused_read_holds_no_order_back_and_a_refused_post_asks_for_no_signature() {
    // With storage, another tab was refused.
    for (refused, is_here) in [("chains", true), ("chains", false), ("post", true), ("post", false), ("cancel", true)] {
        let pages = Pages::new(2);
        pages.0[0].world.browser.has_storage.set(true);
        let (rig, other) = (&pages.0[0], &pages.0[usize::from(!is_here)]);
        let build = rig.built(SELL).unwrap();
        let stop = Stop::never();
        other.world.service.borrow_mut().next(refused, |_, _| refusal(Some(3_600)));
        pages.run(vec![request(other, 0, refused, &stop)]).remove(0).unwrap_err();
        let posts = rig.world.posts().len();
        let begun = rig.world.timeline.now();
        let outcome = pages.run(vec![Box::pin(rig.beside("submit", &build, "{}", &rig.signal))]).remove(0);
        if refused == "chains" {
            outcome.unwrap();
            assert_eq!((rig.world.timeline.now() - begun, rig.world.prompts()), (0, 1));
            continue;
        }
        let error = outcome.unwrap_err();
        assert_eq!((error.code, error.retry_after_secs), (ErrorCode::RateLimited, Some(60)));
        assert!(error.signed_order.is_none());
        assert_eq!((rig.world.prompts(), rig.world.posts().len()), (0, posts));
        assert_eq!(rig.call("trades.list", &json("{}"), "{}").unwrap().write(), "[]", "nothing is noted");
        rig.world.pass(60_000);
        pages.run(vec![Box::pin(rig.world.timeline.wait(60_000, || false))]);
        rig.submit(&build).unwrap();
    }
}

#[test]
fn no_prompt_opens_for_a_cancellation_that_could_not_leave() {
    let rig = Rig::default();
    let orders = [100_000_000, 100_000_001]
        .map(|amount| rig.submit(&rig.built(&SELL.replace("100000000", &format!("{amount}"))).unwrap()).unwrap());
    let prompts = rig.world.prompts();
    rig.world.service.borrow_mut().always_is("cancel", 200, r#"{"success":true}"#);
    rig.world.service.borrow_mut().next("cancel", |_, _| refusal(Some(3_600)));
    for order in &orders {
        assert_eq!(code(&rig.call("cancel", order, "{}")), Some(ErrorCode::RateLimited));
        assert_eq!((rig.world.prompts(), rig.world.sent("cancel").len()), (prompts + 1, 1));
    }
    rig.world.pass(60_000);
    for (number, order) in orders.iter().enumerate() {
        rig.call("cancel", order, "{}").unwrap();
        assert_eq!(rig.world.prompts(), prompts + 1 + number, "what was signed is not asked for again");
    }
}

#[test]
fn a_clock_that_is_set_back_costs_nothing() {
    for has_storage in [true, false] {
        for back in [500, 5_000, 40_000, 400_000] {
            let rig = limited(World::new(), RateLimit::default());
            rig.world.browser.has_storage.set(has_storage);
            rig.world.service.borrow_mut().always_is("post", 200, "{}");
            let stop = Stop::never();
            // Requests that are not held count, too.
            for _ in 0..4 {
                let post = ServiceRequest { name: "post", path: "/v2/delta/orders".into(), body: Some("{}".into()) };
                block_on(call(&rig.client.shared, post, &stop)).unwrap();
            }
            rig.world.unix_ms.set(rig.world.unix_ms.get() - back);
            rig.quote(SELL).unwrap();
            let slept: u32 = rig.world.sleeps.borrow().iter().sum();
            assert_eq!(slept, 2_000, "{back}");
        }
    }
}

#[test]
fn a_trade_goes_before_the_prices_of_all_tabs_in_view() {
    let pages = Pages::new(5);
    pages.0[0].world.browser.has_storage.set(true);
    let stop = Stop::never();
    for rig in &pages.0 {
        rig.world.service.borrow_mut().always_is("build", 200, "{}");
        rig.world.service.borrow_mut().always_is("chains", 200, "[]");
    }
    let asked =
        |(tab, rig)| (0..8).map(move |number| quote(rig, 0, 100 * tab + number, r#"{"waitForRateLimit":true}"#));
    let prices = pages.0[..4].iter().enumerate().flat_map(asked);
    let builds: Vec<_> = (0..3).map(|number| request(&pages.0[4], 1_500 + number, "build", &stop)).collect();
    let timeline = pages.0[4].world.timeline.clone();
    let ends: RefCell<Vec<u64>> = RefCell::default();
    let builds = builds.into_iter().map(|build| -> Task<'_, (u64, Result<Json>)> {
        let (timeline, ends) = (&timeline, &ends);
        Box::pin(async move {
            build.await.unwrap();
            ends.borrow_mut().push(timeline.now());
            (timeline.now(), Ok(Json::Null))
        })
    });
    pages.run(prices.chain(builds).collect());
    // The next three slots are its own, and none is wasted.
    assert_eq!(*ends.borrow(), [2_000, 3_000, 4_000]);
    assert_eq!(pages.left_at().len(), 35);
    assert_eq!(pages.left_at()[34], 32_000);
}

#[test]
fn a_tab_that_died_while_it_waited_holds_the_others_for_seconds() {
    let pages = Pages::new(2);
    pages.0[0].world.browser.has_storage.set(true);
    let stop = Stop::never();
    pages.0[1].world.service.borrow_mut().always_is("build", 200, "{}");
    let timeline = &pages.0[1].world.timeline;
    let dies: Task<'_, (u64, Result<Json>)> = Box::pin(async {
        let mut builds: Vec<_> = (0..4).map(|_| request(&pages.0[1], 0, "build", &stop)).collect();
        let mut end = pin!(timeline.wait(100, || false));
        poll_fn(|context| {
            builds.retain_mut(|build| build.as_mut().poll(context).is_pending());
            end.as_mut().poll(context)
        })
        .await;
        (builds.len() as u64, Ok(Json::Null))
    });
    let ends = pages.run(vec![dies, quote(&pages.0[0], 200, 0, "{}"), quote(&pages.0[0], 200, 1, "{}")]);
    // Its turn would have been at 1,000.
    assert_eq!(ends.iter().map(|(at, _)| *at).collect::<Vec<_>>(), [1, 3_000, 3_000]);
}

#[test]
fn a_day_has_its_limit_and_ends_at_midnight() {
    let world = World::new();
    let rig = limited(world.clone(), RateLimit { per_second: 1_000, burst: 1_000, per_day: 5 });
    // Ten seconds before midnight.
    world.unix_ms.set(1_800_057_590_000);
    for number in 0..5 {
        rig.quote(&SELL.replace("100000000", &format!("{}", 100_000_000 + number))).unwrap();
    }
    let budget = || rig.call("info.rateLimit", &Json::Null, "{}").unwrap();
    assert_eq!(budget().write(), r#"{"perSecond":1000,"burst":1000,"remainingToday":0,"waiting":0,"nextInMs":10000}"#);
    // Half a minute is no time to wait; a day is.
    world.unix_ms.set(1_800_057_590_000 - 21_000);
    assert_eq!(rig.quote(SELL).unwrap_err().retry_after_secs, Some(31));
    world.unix_ms.set(1_800_057_590_000);
    rig.quote(SELL).unwrap();
    assert_eq!(*world.sleeps.borrow(), [10_000]);
    let left = |budget: Json| budget.get("remainingToday").unwrap().write();
    assert_eq!(left(budget()), "4");
    // Another key has its own.
    let keyed = Rig::in_world(world.clone(), |shared, _| {
        (shared.settings.rate_limit.per_day, shared.settings.api_key) = (5, Some("key".into()));
    });
    assert_eq!(left(keyed.call("info.rateLimit", &Json::Null, "{}").unwrap()), "5");
}

#[test]
fn eight_tabs_use_the_rate_limit_of_one() {
    let pages = Pages::new(8);
    pages.0[0].world.browser.has_storage.set(true);
    // In the background somebody has to wait longer, but gets on.
    pages.0[3].world.hidden.set(true);
    let asked = |(tab, rig)| {
        (0..12).map(move |number| quote(rig, 0, 100 * tab + number, r#"{"waitForRateLimit":true}"#)).collect::<Vec<_>>()
    };
    let ends = pages.run(pages.0.iter().enumerate().flat_map(asked).collect());
    assert!(ends.iter().all(|(_, outcome)| outcome.is_ok()));
    let left = pages.left_at();
    assert_eq!(left.len(), 96);
    for (index, at) in left.iter().enumerate().skip(3) {
        assert!(at - left[index - 3] >= 1_000, "more than a burst of three: {left:?}");
    }
    assert!(left[95] <= 100_000, "and none is wasted: {}", left[95]);
    // The one that nobody sees was the last.
    let (others, hidden): (Vec<_>, Vec<_>) = (0..96).partition(|number| number / 12 != 3);
    let at = |number: &usize| ends[*number].0;
    assert!(others.iter().map(at).max() < hidden.iter().map(at).min());
}

#[test]
fn a_lock_or_storage_that_hangs_holds_nobody_up() {
    let pages = Pages::new(2);
    let rig = &pages.0[0];
    rig.world.browser.has_storage.set(true);
    let lock = block_on(pages.0[1].client.shared.host.lock("rateLimit/https://service.test", 0));
    assert!(lock.is_ok());
    let ends = pages.run((0..4).map(|number| quote(rig, 0, number, "{}")).collect());
    assert!(ends.iter().all(|(_, outcome)| outcome.is_ok()));
    assert!(pages.left_at()[3] < 1_500, "{:?}", pages.left_at());
    drop(lock);
    // Requests that it sent alone count for all.
    pages.1.borrow_mut().clear();
    pages.run((0..3).map(|number| quote(&pages.0[1], 0, number, "{}")).collect());
    let stored = rig.world.browser.stored.borrow()["rateLimit/https://service.test"].clone();
    pages.run(vec![quote(rig, 0, 9, "{}")]);
    let after = rig.world.browser.stored.borrow()["rateLimit/https://service.test"].clone();
    let sent = |text: &str| text.split(' ').nth(2).unwrap().parse::<u32>().unwrap();
    assert_eq!((sent(&stored), sent(&after)), (3, 3 + 4 + 1));
}

#[test]
fn equal_reads_are_one_request_and_who_gives_up_ends_it_for_himself() {
    for gives_up in [false, true] {
        let pages = Pages::new(1);
        let rig = &pages.0[0];
        rig.world.latency_ms.set(500);
        rig.world.service.borrow_mut().always_is("chains", 200, "[1]");
        let (stop, go, late) = (Stop::never(), Stop::never(), Stop::never());
        let (timeline, fired) = (rig.world.timeline.clone(), stop.0.clone());
        let mut tasks: Vec<Task<'_, Result<String>>> = vec![
            request(rig, 0, "chains", &stop),
            request(rig, 100, "chains", &go),
            request(rig, 200, "chains", &late),
        ];
        let late_fired = late.0.clone();
        tasks.push(Box::pin(async move {
            timeline.wait(300, || false).await;
            fired.set(gives_up);
            late_fired.set(true);
            Ok(String::new())
        }));
        let ends = pages.run(tasks);
        assert_eq!(code(&ends[0]), gives_up.then_some(ErrorCode::Aborted));
        assert_eq!(ends[1].as_deref().unwrap(), "[1]");
        assert_eq!(code(&ends[2]), Some(ErrorCode::Aborted), "who only waits can give up, too");
        assert_eq!(pages.left_at(), if gives_up { vec![0, 300] } else { vec![0] });
    }
}

#[test]
fn a_read_that_began_before_a_post_does_not_tell_what_is_there_after_it() {
    let pages = Pages::new(1);
    let rig = &pages.0[0];
    rig.world.latency_ms.set(500);
    rig.world.service.borrow_mut().always_is("chains", 200, "[1]");
    rig.world.service.borrow_mut().always_is("post", 200, "{}");
    let go = Stop::never();
    pages.run(vec![request(rig, 0, "chains", &go), request(rig, 100, "post", &go), request(rig, 200, "chains", &go)]);
    assert_eq!(*pages.1.borrow(), [(0, "chains"), (100, "post"), (200, "chains")]);
}

#[test]
fn what_changes_nothing_is_tried_again_and_nothing_else() {
    type Fault = fn() -> std::result::Result<HttpAnswer, HttpFailure>;
    let faults: [Fault; 8] = [
        || Err(HttpFailure::Network(None)),
        || Err(HttpFailure::Timeout),
        || answer(500, ""),
        || answer(502, "<html>Bad Gateway</html>"),
        || answer(503, r#"{"errorType":"Down"}"#),
        || answer(408, ""),
        || answer(200, ""),
        || answer(200, r#"{"cut":"#),
    ];
    for fault in faults {
        for (name, tries) in [("quote", 2), ("chains", 2), ("build", 2), ("post", 1), ("cancel", 1)] {
            let pages = Pages::new(1);
            let rig = &pages.0[0];
            rig.world.service.borrow_mut().always_is(name, 200, "[7]");
            rig.world.service.borrow_mut().next(name, move |_, _| fault());
            let go = Stop::never();
            let ends = pages.run(vec![request(rig, 0, name, &go)]);
            let left = pages.left_at();
            assert_eq!(left.len(), tries, "{name}");
            // After 15 s, where there was no answer.
            assert!(left[1..].iter().all(|at| (1_000..=1_500).contains(&(at % 15_000))), "{name}: {left:?}");
            assert!(tries == 1 || ends[0].as_deref().unwrap() == "[7]", "{name}");
        }
    }
    // Three times at most, after pauses that grow.
    let pages = Pages::new(1);
    pages.0[0].world.service.borrow_mut().always_is("quote", 500, "");
    pages.run(vec![quote(&pages.0[0], 0, 0, "{}")]);
    let left = pages.left_at();
    assert!(left.len() == 3 && (2_000..=3_000).contains(&(left[2] - left[1])), "{left:?}");
    // Requests that would not pass are not tried again.
    for status in [400, 404, 422, 501] {
        let pages = Pages::new(1);
        pages.0[0].world.service.borrow_mut().always_is("quote", status, "");
        pages.run(vec![quote(&pages.0[0], 0, 0, "{}")]);
        assert_eq!(pages.left_at().len(), 1, "{status}");
    }
}

#[test]
fn a_service_that_hangs_ends_a_call_after_half_a_minute() {
    let pages = Pages::new(1);
    let rig = &pages.0[0];
    rig.world.service.borrow_mut().always("quote", || Err(HttpFailure::Timeout));
    let ends = pages.run(vec![quote(rig, 0, 0, "{}")]);
    assert_eq!(code(&ends[0].1), Some(ErrorCode::Timeout));
    assert!(ends[0].0 <= 30_000, "{}", ends[0].0);
}

#[test]
fn a_post_and_a_look_up_that_hang_end_after_half_a_minute_with_what_was_signed() {
    type Fault = fn() -> std::result::Result<HttpAnswer, HttpFailure>;
    let limited: Fault = || Ok(HttpAnswer { status: 429, body: String::new(), retry_after_secs: Some(100) });
    let faults: [(Fault, Fault, ErrorCode); 4] = [
        (|| Err(HttpFailure::Timeout), || Err(HttpFailure::Timeout), ErrorCode::Timeout),
        (|| answer(502, "<html>"), || Err(HttpFailure::Timeout), ErrorCode::ServiceRejected),
        (|| Err(HttpFailure::Timeout), || answer(404, ""), ErrorCode::Timeout),
        (limited, limited, ErrorCode::RateLimited),
    ];
    for (post, look_up, expected) in faults {
        let rig = Rig::default();
        let build = rig.built(SELL).unwrap();
        rig.world.service.borrow_mut().always("post", post);
        rig.world.service.borrow_mut().always("orderByHash", look_up);
        let begun = rig.world.monotonic_ms.get();
        let error = rig.submit(&build).unwrap_err();
        let took = rig.world.monotonic_ms.get() - begun;
        assert_eq!(error.code, expected);
        assert!(took <= 31_000, "{took}");
        assert!(error.signed_order.is_some() && error.message.contains("may have arrived"), "{error:?}");
        // The same bytes go on where the service is back.
        rig.world.pass(100_000);
        rig.world.service.borrow_mut().recovers();
        rig.submit(&json(error.signed_order.as_ref().unwrap())).unwrap();
        assert_eq!(rig.world.prompts(), 1);
    }
}

#[test]
fn lists_are_shown_again_for_a_while_and_failures_never() {
    let rig = Rig::default();
    let service = || rig.world.service.borrow_mut();
    for failed in ["null", "{}", "[", r#"{"errorType":"Down"}"#] {
        service().always_is("chains", 200, failed);
        assert_eq!(code(&rig.call("info.chains", &Json::Null, "{}")), Some(ErrorCode::ServiceMalformed));
    }
    service().always_is("chains", 200, "[1,10]");
    service().always_is("tokens", 200, r#"{"tokens":[]}"#);
    for (passed, sent) in [(0, 1), (599_999, 1), (1, 2)] {
        rig.world.pass(passed);
        let before = rig.world.sent("chains").len();
        assert_eq!(rig.call("info.chains", &Json::Null, "{}").unwrap().write(), "[1,10]");
        let asked = rig.world.sent("chains").len() - before;
        assert_eq!(asked, usize::from(passed != 599_999), "{sent}");
    }
    for chain in [1, 10, 1] {
        rig.call("info.tokens", &json(&format!(r#"{{"chainId":{chain}}}"#)), "{}").unwrap();
    }
    assert_eq!(rig.world.sent("tokens").len(), 2, "each list is one");
}

#[test]
fn what_a_limit_may_be_is_said_by_its_name() {
    let read = |text: &str| RateLimit::read(&verify::internal::json::JsonAt::input(&json(text), "rateLimit"));
    let own = RateLimit { per_second: 20, burst: 40, per_day: 100_000 };
    assert_eq!(read(r#"{"perSecond":20,"burst":40,"perDay":100000}"#).unwrap(), own);
    for (text, field) in [
        (r#"{"perSecond":0}"#, "rateLimit.perSecond"),
        (r#"{"perSecond":1001}"#, "rateLimit.perSecond"),
        (r#"{"perSecond":0.5}"#, "rateLimit.perSecond"),
        (r#"{"burst":0}"#, "rateLimit.burst"),
        (r#"{"perDay":-1}"#, "rateLimit.perDay"),
        (r#"{"perHour":1}"#, "rateLimit.perHour"),
    ] {
        let error = read(text).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(field)), "{text}");
    }
    let rig = Rig::default();
    for (options, field) in
        [(r#"{"waitForRateLimit":1}"#, "options.waitForRateLimit"), (r#"{"form":7}"#, "options.form")]
    {
        assert_eq!(rig.call("quote", &json(SELL), options).unwrap_err().field.as_deref(), Some(field));
    }
}

#[test]
fn a_build_whose_price_became_too_old_in_the_line_is_not_sent() {
    for (refused_secs, is_sent) in [(20, true), (45, false)] {
        let pages = Pages::new(1);
        let rig = &pages.0[0];
        let price = rig.quote(SELL).unwrap();
        // Something else is refused, and all that follows waits.
        rig.world.service.borrow_mut().next("cancel", move |_, _| {
            Ok(HttpAnswer { status: 429, body: String::new(), retry_after_secs: Some(refused_secs) })
        });
        pages.run(vec![request(rig, 0, "cancel", &Stop::never())]).remove(0).unwrap_err();
        let options = r#"{"slippageBps":50,"waitForRateLimit":true}"#;
        let built = pages.run(vec![Box::pin(rig.beside("build", &price, options, &rig.signal))]).remove(0);
        assert_eq!(
            code(&built),
            if is_sent { None } else { Some(ErrorCode::QuoteExpired) },
            "{refused_secs}: {built:?}"
        );
        assert_eq!(rig.world.sent("build").len(), usize::from(is_sent));
    }
}

/// A refusal that names so many seconds.
fn refusal(secs: Option<u64>) -> std::result::Result<HttpAnswer, HttpFailure> {
    Ok(HttpAnswer { status: 429, body: String::new(), retry_after_secs: secs })
}

#[test]
fn each_row_of_refusals_begins_with_a_second_and_those_of_one_burst_are_one() {
    let pages = Pages::new(1);
    let rig = &pages.0[0];
    rig.world.latency_ms.set(100);
    for _ in 0..3 {
        rig.world.service.borrow_mut().next("quote", |_, _| refusal(None));
    }
    pages.run((0..3).map(|number| quote(rig, 0, number, "{}")).collect());
    assert_eq!(pages.left_at()[..4], [0, 0, 0, 3_000]);
    for _ in 0..2 {
        pages.1.borrow_mut().clear();
        let begun = rig.world.timeline.now() + 60_000;
        rig.world.service.borrow_mut().next("quote", |_, _| refusal(None));
        pages.run(vec![quote(rig, 60_000, 0, "{}")]);
        assert_eq!(pages.left_at(), [begun, begun + 1_100]);
    }
}

#[test]
fn other_tabs_know_of_posts_and_refusals_at_once() {
    let pages = Pages::new(2);
    let (first, second) = (&pages.0[0], &pages.0[1]);
    first.world.browser.has_storage.set(true);
    first.world.service.borrow_mut().always_is("cancel", 200, "{}");
    let go = Stop::never();
    let left = |rig: &Rig| {
        let budget = rig.call("info.rateLimit", &Json::Null, "{}").unwrap();
        (
            3_000 - budget.get("remainingToday").unwrap().write().parse::<u32>().unwrap(),
            budget.get("limitedUntil").is_some(),
        )
    };
    pages.run(vec![quote(first, 0, 0, "{}")]);
    pages.run(vec![request(first, 0, "cancel", &go)]);
    pages.run(vec![quote(first, 0, 1, "{}")]);
    assert_eq!(left(second), (3, false));
    first.world.service.borrow_mut().next("cancel", |_, _| refusal(Some(20)));
    pages.run(vec![request(first, 0, "cancel", &go)]);
    assert_eq!(left(second), (4, true));
}

#[test]
fn a_newer_quote_takes_the_place_of_the_older_one() {
    let pages = Pages::new(1);
    let rig = &pages.0[0];
    let form = r#"{"form":"swap"}"#;
    let mut tasks: Vec<_> = (0..3).map(|number| quote(rig, 0, number, "{}")).collect();
    tasks.extend([quote(rig, 10, 3, form), quote(rig, 20, 4, "{}"), quote(rig, 30, 5, form)]);
    let ends = pages.run(tasks);
    assert_eq!(ends[3].0, 30);
    assert_eq!((ends[5].0, ends[4].0), (1_000, 2_000));
}

#[test]
fn reads_that_wait_in_another_way_are_not_the_same() {
    for (options, sent) in [(["{}", "{}"], 1), (["{}", r#"{"waitForRateLimit":true}"#], 2)] {
        let pages = Pages::new(1);
        pages.0[0].world.latency_ms.set(100);
        pages.run(options.iter().map(|options| quote(&pages.0[0], 0, 0, options)).collect());
        assert_eq!(pages.left_at().len(), sent, "{options:?}");
    }
}

#[test]
fn a_storage_that_is_slow_is_not_asked_for_a_minute_and_one_that_is_full_holds_nobody_up() {
    for (load_ms, is_alone) in [(250, false), (251, true)] {
        let pages = Pages::new(1);
        let rig = &pages.0[0];
        rig.world.browser.has_storage.set(true);
        rig.world.browser.load_ms.set(load_ms);
        let mut left = Vec::new();
        for after in [0, 30_000, 30_000] {
            let begun = rig.world.timeline.now() + after;
            pages.run(vec![quote(rig, after, 0, "{}")]);
            left.push(pages.left_at().pop().unwrap() - begun);
        }
        assert_eq!(left, [load_ms, if is_alone { 0 } else { load_ms }, load_ms]);
    }
    let pages = Pages::new(1);
    let rig = &pages.0[0];
    rig.world.browser.has_storage.set(true);
    for is_full in [false, true, true, false] {
        rig.world.browser.is_full.set(is_full);
        pages.run(vec![quote(rig, 0, 0, "{}")]);
    }
    let stored = rig.world.browser.stored.borrow()["rateLimit/https://service.test"].clone();
    assert_eq!(stored.split(' ').nth(2), Some("4"));
}

#[test]
fn what_a_clock_wrote_that_was_set_back_holds_up_nobody() {
    let (day, now) = (86_400_000, 1_800_000_000_000);
    let limit = RateLimit::default();
    let mut budget = TokenBucket::default();
    budget.spend(&limit, now + 2 * day);
    budget.refuse(now + 2 * day, 1_000);
    let budget = TokenBucket::read(&budget.text(), now).unwrap();
    assert_eq!((budget.wait_ms(&limit, now), budget.pace(&limit, now).0), (0, limit.burst));
}

#[test]
fn a_request_that_left_before_there_was_a_client_is_answered_at_once_and_counted_once() {
    let url = {
        let rig = Rig::with(|_, _| ());
        rig.quote(SELL).unwrap();
        rig.world.requests.borrow()[0].url.clone()
    };
    // The storage has it in its count, or there is none: a later request waits for one slot in both cases.
    for has_storage in [false, true] {
        let limit = RateLimit { burst: 2, ..RateLimit::default() };
        let rig = limited(World::new(), limit);
        rig.world.browser.has_storage.set(has_storage);
        if has_storage {
            let mut budget = TokenBucket::default();
            budget.spend(&limit, rig.world.timeline.now() + 1_800_000_000_000);
            let key = ["rateLimit/", &rig.client.shared.settings.base_url].concat();
            rig.world.browser.stored.borrow_mut().insert(key, budget.text());
        }
        count_sent(&rig.client.shared);
        rig.world.sent_early.replace(Some(url.clone()));
        let tasks = vec![quote(&rig, 0, 1, "{}"), quote(&rig, 0, 0, "{}"), quote(&rig, 0, 2, "{}")];
        let ends: Vec<_> =
            rig.world.timeline.clone().run(tasks).into_iter().map(|(at, quote)| (at, quote.is_ok())).collect();
        assert_eq!(ends, [(0, true), (0, true), (1_000, true)], "{has_storage}");
        let asked = rig.world.requests.borrow().iter().filter(|request| request.url == url).count();
        assert_eq!((asked, rig.world.requests.borrow().len()), (0, 2));
    }
}

#[test]
fn what_left_early_answers_no_other_request() {
    let rig = Rig::with(|_, _| ());
    rig.quote(SELL).unwrap();
    let url = rig.world.requests.borrow()[0].url.clone();
    for other in [url.replace("side=SELL", "side=BUY"), [&url, "&"].concat(), url.replace("https", "http")] {
        rig.world.sent_early.replace(Some(other.clone()));
        rig.quote(SELL).unwrap();
        assert_eq!(rig.world.requests.borrow().last().unwrap().url, url);
        assert_eq!(rig.world.sent_early.take(), Some(other));
    }
    let keyed = Rig::with(|shared, _| shared.settings.api_key = Some("key".into()));
    keyed.world.sent_early.replace(Some(url));
    keyed.quote(SELL).unwrap();
    assert!(keyed.world.sent_early.borrow().is_some());
}
