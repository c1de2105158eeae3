//! One watcher for all orders of an owner: what it costs, and that nothing escapes it.

use super::fake_host::{
    Book, FakeHost, Moment, OWNER, Rig, SELL, Service, Sort, Stop, Task, Timeline, World, answer, book_id, json, text,
};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use verified_swap_trade::client::rate_limit::RateLimit;
use verified_swap_trade::flows::{Client, Follow, FollowPace};
use verified_swap_trade::host::HttpRequest;
use verify::internal::error::{Error, ErrorCode};
use verify::internal::json::{Json, JsonAt};

const HOUR: u64 = 3_600_000;
const DAY: u64 = 24 * HOUR;

/// A tab, and the book that the service has.
pub struct Tab {
    pub rig: Rig,
    pub book: Rc<Book>,
}

impl Tab {
    pub fn new() -> Tab {
        let world = World::new();
        let book = Book::new(&world.timeline);
        Tab::of(world, book)
    }

    pub fn of(world: Rc<World>, book: Rc<Book>) -> Tab {
        world.service.borrow_mut().book = Some(book.clone());
        let rig = Rig::in_world(world, |shared, _| shared.settings.rate_limit = RateLimit::default());
        Tab { rig, book }
    }

    /// Another tab of the same browser, and the same service.
    pub fn another(&self) -> Tab {
        Tab::of(self.rig.world.another_tab(), self.book.clone())
    }

    pub fn clock(&self) -> Rc<Timeline> {
        self.rig.world.timeline.clone()
    }

    /// So many orders, open.
    pub fn with_open(count: usize) -> Tab {
        let tab = Tab::new();
        for _ in 0..count {
            tab.book.post("ACTIVE", "");
        }
        tab
    }

    /// Follows until it ends, or that time has come; notes what it yields: when, which order, its status.
    pub fn follow(&self, what: String, until_ms: u64) -> Task<'_, Seen> {
        let signal = Stop(Rc::default());
        Box::pin(async move {
            let clock = self.clock();
            let mut watching = std::pin::pin!(watch(&self.rig.client, &what, &clock, &signal));
            let mut ended = std::pin::pin!(clock.wait(until_ms.saturating_sub(clock.now()), || false));
            std::future::poll_fn(|context| {
                if !signal.0.get() && ended.as_mut().poll(context).is_ready() {
                    signal.0.set(true);
                }
                watching.as_mut().poll(context)
            })
            .await
        })
    }

    pub fn run<T>(&self, tasks: Vec<Task<'_, T>>) -> Vec<T> {
        self.clock().run(tasks)
    }

    /// Follows alone.
    pub fn followed(&self, what: &str, until_ms: u64) -> Seen {
        self.run(vec![self.follow(what.into(), until_ms)]).remove(0)
    }
}

/// What a watch yielded, and how it ended.
#[derive(Default)]
pub struct Seen {
    /// When, which, its status, and `ended`.
    pub changes: Vec<(u64, String, String)>,
    pub orders: Vec<Json>,
    pub error: Option<Error>,
    pub at_ms: u64,
}

impl Seen {
    /// The statuses of an order, one after the other.
    pub fn of(&self, index: usize) -> Vec<&str> {
        self.changes.iter().filter(|(_, id, _)| *id == book_id(index)).map(|(_, _, status)| status.as_str()).collect()
    }

    /// When each order was seen in a status, by its id.
    pub fn when(&self, status: &str) -> BTreeMap<String, u64> {
        let all = self.changes.iter().filter(|(_, _, seen)| seen == status);
        all.map(|(at, id, _)| (id.clone(), *at)).collect()
    }

    pub fn assert_aborted(&self) {
        assert_eq!(self.error.as_ref().map(|error| error.code), Some(ErrorCode::Aborted), "{:?}", self.error);
    }
}

pub fn followed(what: &str) -> Follow {
    let options = json("{}");
    Follow::new(&json(what), FollowPace::read(&JsonAt::input(&options, "options")).unwrap()).unwrap()
}

async fn watch(client: &Client<FakeHost>, what: &str, clock: &Timeline, signal: &Stop) -> Seen {
    let (mut follow, mut seen) = (followed(what), Seen::default());
    loop {
        match follow.next(client, signal).await {
            Ok(Some(order)) => {
                let order = json(&order);
                seen.changes.push((clock.now(), text(&order, "id").into(), text(&order, "status").into()));
                seen.orders.push(order);
                continue;
            }
            Ok(None) => {}
            Err(error) => seen.error = Some(error),
        }
        seen.at_ms = clock.now();
        return seen;
    }
}

pub fn account() -> String {
    format!(r#"{{"account":"{OWNER}"}}"#)
}

pub fn named(ids: impl Iterator<Item = usize>) -> String {
    let ids: Vec<String> =
        ids.map(|index| format!(r#"{{"id":"{}","owner":"{OWNER}","status":"PENDING"}}"#, book_id(index))).collect();
    format!("[{}]", ids.join(","))
}

#[test]
fn an_order_that_no_list_has_is_told_as_unseen_and_again_once_it_is_there() {
    let tab = Tab::with_open(6);
    let what = named((0..6).chain([6]));
    let later = Box::pin(async {
        tab.clock().wait(90_000, || false).await;
        tab.book.post("ACTIVE", "");
        Seen::default()
    });
    let seen = tab.run(vec![tab.follow(what, 300_000), later]).remove(0);
    assert_eq!(seen.of(6), ["PENDING", "ACTIVE"]);
    assert_eq!(seen.orders.iter().filter(|order| order.get("unseenSince").is_some()).count(), 1);
}

#[test]
fn an_order_that_executes_is_open_whether_or_not_the_service_knows_the_word_in_a_filter() {
    for is_strict in [false, true] {
        let tab = Tab::with_open(8);
        tab.book.is_strict.set(is_strict);
        tab.book.change_at(20_000, 0, "EXECUTING");
        tab.book.change_at(200_000, 0, "COMPLETED");
        let seen = tab.followed(&named(0..8), 400_000);
        seen.assert_aborted();
        assert_eq!(seen.of(0), ["ACTIVE", "EXECUTING", "COMPLETED"]);
        let asked = tab.book.asked.borrow();
        let count = |part: &str| asked.iter().filter(|(_, path)| path.contains(part)).count();
        // A list has it until its end, or it is asked for by itself; who was refused once asks so no more.
        let (alone, pages) = (count(&book_id(0)), count("status=PENDING"));
        assert_eq!((alone > 1, count("EXECUTING")), (is_strict, if is_strict { 1 } else { pages }));
    }
}

#[test]
fn a_service_that_refuses_another_part_of_a_filter_is_still_asked_for_what_executes() {
    let tab = Tab::with_open(8);
    let refuses = |_: &mut Service, _: &HttpRequest| answer(400, r#"{"errorType":"InvalidInput"}"#);
    for _ in 0..2 {
        tab.rig.world.service.borrow_mut().next("orders", refuses);
    }
    tab.followed(&account(), 120_000);
    let shared = &tab.rig.client.shared;
    assert!(!shared.service.refuses_executing.get());
}

/// Numbers that look random, the same each time.
fn random(seed: u64) -> impl Iterator<Item = u64> {
    let mut state = seed;
    std::iter::from_fn(move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        Some(state >> 33)
    })
}

#[test]
fn a_thousand_open_orders_cost_no_more_than_one() {
    let cost = |count: usize, what: String| {
        let tab = Tab::with_open(count);
        let seen = tab.followed(&what, 6 * HOUR);
        seen.assert_aborted();
        assert_eq!(seen.changes.len(), count);
        tab.book.count()
    };
    let one = cost(1, account());
    let named_one = cost(1, named(0..1));
    for count in [2, 50, 51, 1_000] {
        for (what, least) in [(account(), one), (named(0..count), named_one)] {
            let many = cost(count, what);
            assert!(many <= least, "{many} for {count}, {least} for one");
        }
    }
    assert!(named_one < 430, "{named_one}: one in 55 s, more at the beginning");
}

#[test]
fn a_thousand_orders_of_a_day_are_seen_to_end_within_a_minute_and_three_thousand_requests() {
    // The dearest way to sort, and pages that do not take all.
    let tab = Tab::with_open(1_000);
    tab.book.sort.set(Sort::Newest);
    tab.book.largest_page.set(500);
    tab.rig.world.latency_ms.set(300);
    let ends = ["COMPLETED", "CANCELLED", "EXPIRED", "FAILED"];
    let times: Vec<u64> = random(7).map(|number| number % DAY).take(1_000).collect();
    for (index, at) in times.iter().enumerate() {
        tab.book.change_at(*at, index, ends[index % ends.len()]);
    }
    let seen = tab.followed(&named(0..1_000), DAY + HOUR);
    assert!(seen.error.is_none(), "{:?}", seen.error);
    let when: Vec<_> = ends.iter().map(|end| seen.when(end)).collect();
    let late =
        times.iter().enumerate().map(|(index, at)| when[index % ends.len()][&book_id(index)].saturating_sub(*at));
    let worst = late.max().unwrap();
    let count = tab.book.asked.borrow().iter().filter(|(at, _)| *at < DAY).count();
    assert!(worst < 60_000 && count < 3_000, "{worst} ms, {count} requests");
}

#[test]
fn eight_tabs_follow_a_thousand_orders_and_ask_for_prices_within_the_rate_limit_of_one() {
    let first = Tab::with_open(1_000);
    first.rig.world.browser.has_storage.set(true);
    first.book.sort.set(Sort::Newest);
    first.book.largest_page.set(500);
    let others: Vec<Tab> = (1..8).map(|_| first.another()).collect();
    let tabs: Vec<&Tab> = [&first].into_iter().chain(&others).collect();
    let left = Rc::new(RefCell::new(Vec::new()));
    for tab in &tabs {
        let (world, log) = (&tab.rig.world, left.clone());
        world.latency_ms.set(300);
        // One is in view.
        world.hidden.set(!Rc::ptr_eq(world, &first.rig.world));
        world.at_each(move |world, moment| {
            if let Moment::Fetch(name) = moment {
                log.borrow_mut().push((world.timeline.now(), name));
            }
        });
    }
    let times: Vec<u64> = random(7).map(|number| number % (2 * HOUR)).take(100).collect();
    for (index, at) in times.iter().enumerate() {
        first.book.change_at(*at, index, "COMPLETED");
    }
    let mut tasks: Vec<Task<'_, Seen>> = Vec::new();
    for (number, tab) in tabs.iter().enumerate() {
        tasks.push(tab.follow(named(0..1_000), 2 * HOUR + 60_000));
        for quote in 0..200 {
            tasks.push(Box::pin(async move {
                tab.clock().wait(HOUR + 10 * quote, || false).await;
                let request = json(&SELL.replace("100000000", &format!("10{number:03}{quote:04}")));
                let outcome = tab.rig.beside("quote", &request, r#"{"form":"swap"}"#, &tab.rig.signal).await;
                Seen { error: outcome.err(), ..Seen::default() }
            }));
        }
    }
    let ends = first.run(tasks);
    let (watched, quoted): (Vec<_>, Vec<_>) = ends.into_iter().partition(|seen| !seen.changes.is_empty());
    assert!(watched.iter().all(|seen| seen.when("COMPLETED").len() == 100));
    let when = watched[0].when("COMPLETED");
    let worst = times.iter().enumerate().map(|(index, at)| when[&book_id(index)].saturating_sub(*at)).max().unwrap();
    let left = left.borrow();
    let quotes = left.iter().filter(|(_, name)| *name == "quote").count();
    // Of each tab the last one, and what there was room for while they were asked for.
    let answered = quoted.iter().filter(|seen| seen.error.is_none()).count();
    assert!((8..=8 + 6).contains(&quotes) && answered == quotes, "{quotes} left, {answered} were answered");
    // 3,000 a day, of which twelve are two hours.
    assert!(worst < 60_000 && left.len() < 3_000 / 12 + quotes, "{worst} ms, {} requests", left.len());
    assert!(left.windows(4).all(|four| four[3].0 - four[0].0 >= 1_000), "more than a burst of three");
    println!("{worst} ms at most, {} requests in two hours, {quotes} of {} quotes left", left.len(), quoted.len());
}

#[test]
fn a_thousand_filled_orders_fit_into_answers_of_two_megabytes() {
    let tab = Tab::new();
    let fills =
        format!(r#","transactions":[{}]"#, vec![format!(r#"{{"originTx":"0x{}"}}"#, "ab".repeat(32)); 50].join(","));
    for _ in 0..1_000 {
        tab.book.post("ACTIVE", &fills);
    }
    for index in 0..1_000 {
        tab.book.change_at(HOUR + index as u64, index, "COMPLETED");
    }
    let seen = tab.followed(&named(0..1_000), 2 * HOUR);
    assert!(seen.error.is_none(), "{:?}", seen.error);
    assert_eq!(seen.when("COMPLETED").len(), 1_000);
    assert!(seen.at_ms < HOUR + 61_000, "{}", seen.at_ms);
    assert!(tab.book.count() < 150, "{}", tab.book.count());
}

#[test]
fn fifty_watches_ask_less_than_once_a_second() {
    let tab = Tab::with_open(50);
    for (index, at) in random(3).map(|number| number % 170_000).take(50).enumerate() {
        tab.book.change_at(at, index, "BRIDGING");
        tab.book.change_at(at + 5_000, index, "COMPLETED");
    }
    let tasks = (0..50).map(|index| {
        let name = named(index..index + 1);
        let tab = &tab;
        let task: Task<'_, Seen> = Box::pin(async move {
            tab.clock().wait(index as u64 * 97, || false).await;
            tab.follow(name[1..name.len() - 1].into(), HOUR).await
        });
        task
    });
    for (index, seen) in tab.run(tasks.collect()).into_iter().enumerate() {
        assert!(seen.error.is_none(), "{:?}", seen.error);
        assert_eq!(seen.of(index).last(), Some(&"COMPLETED"));
    }
    let asked = tab.book.asked.borrow();
    let most = (0..180).map(|second| asked.iter().filter(|(at, _)| at / 10_000 == second / 10).count()).max().unwrap();
    assert!(asked.len() < 180 && most <= 12, "{} requests in all, {most} in ten seconds", asked.len());
}

#[test]
fn an_end_between_two_pages_is_not_lost() {
    for sort in [Sort::Newest, Sort::Oldest, Sort::LastChanged] {
        let tab = Tab::with_open(300);
        tab.book.sort.set(sort);
        tab.book.largest_page.set(60);
        let (mut page, mut next) = (0, 0);
        tab.book.after_page(move |book| {
            page += 1;
            // Now at the front of the list, now at its end, while it is read.
            if page > 4 && next < 150 {
                book.change(next, "COMPLETED");
                book.change(299 - next, "CANCELLED");
                next += 1;
            }
        });
        let seen = tab.followed(&named(0..300), 3 * DAY);
        assert!(seen.error.is_none(), "{:?}", seen.error);
        assert_eq!((seen.when("COMPLETED").len(), seen.when("CANCELLED").len()), (150, 150), "{sort:?}");
        assert!((0..300).all(|index| tab.book.has_ended(index)));
    }
}

#[test]
fn all_orders_of_an_account_have_new_ones_in_them_and_no_history() {
    for open in [3, 120] {
        let tab = Tab::with_open(open);
        for _ in 0..30 {
            let old = tab.book.post("ACTIVE", "");
            tab.book.change(old, "COMPLETED");
        }
        let clock = tab.clock();
        let posting: Task<'_, Seen> = Box::pin(async {
            clock.wait(20 * 60_000, || false).await;
            let stays = tab.book.post("PENDING", "");
            // Never seen while it was open.
            let passes = tab.book.post("PENDING", "");
            tab.book.change(passes, "COMPLETED");
            clock.wait(20 * 60_000, || false).await;
            tab.book.change(stays, "CANCELLED");
            Seen::default()
        });
        let seen = tab.run(vec![tab.follow(account(), HOUR), posting]).remove(0);
        seen.assert_aborted();
        assert_eq!(seen.changes.len(), open + 3, "{open}");
        let (stays, passes) = (open + 30, open + 31);
        assert_eq!(seen.of(stays), ["PENDING", "CANCELLED"]);
        assert_eq!(seen.of(passes), ["COMPLETED"]);
        let late = seen.when("COMPLETED")[&book_id(passes)] - 20 * 60_000;
        assert!(late < 120_000, "{late}");
    }
}

#[test]
fn a_status_that_nobody_knows_is_followed_in_a_list_too() {
    let tab = Tab::with_open(5);
    tab.book.change_at(60_000, 2, "SETTLING");
    tab.book.change_at(600_000, 2, "COMPLETED");
    let seen = tab.followed(&named(0..5), HOUR);
    assert_eq!(seen.of(2), ["ACTIVE", "SETTLING", "COMPLETED"]);
}

#[test]
fn lists_that_are_away_for_an_hour_end_nothing() {
    for count in [3, 80] {
        let tab = Tab::with_open(count);
        let clock = tab.clock();
        let outage: Task<'_, Seen> = Box::pin(async {
            clock.wait(HOUR, || false).await;
            tab.book.is_away.set(true);
            for index in 0..count {
                tab.book.change(index, "COMPLETED");
            }
            clock.wait(HOUR, || false).await;
            tab.book.is_away.set(false);
            Seen::default()
        });
        let seen = tab.run(vec![tab.follow(named(0..count), DAY), outage]).remove(0);
        assert!(seen.error.is_none(), "{:?}", seen.error);
        assert_eq!(seen.when("COMPLETED").len(), count);
        assert!(seen.at_ms < 2 * HOUR + 70_000, "{}", seen.at_ms);
    }
}

#[test]
fn two_tabs_ask_as_much_as_one_and_one_goes_on_when_the_other_is_closed() {
    let alone = |until| {
        let tab = Tab::with_open(80);
        tab.book.change_at(HOUR + 60_000, 40, "COMPLETED");
        tab.followed(&account(), until);
        tab.book.count()
    };
    let tab = Tab::with_open(80);
    tab.book.change_at(HOUR + 60_000, 40, "COMPLETED");
    tab.rig.world.latency_ms.set(300);
    let other = tab.another();
    other.rig.world.latency_ms.set(300);
    // The first is closed after an hour.
    let seen = tab.run(vec![tab.follow(account(), HOUR), other.follow(account(), 2 * HOUR)]);
    assert_eq!((seen[0].changes.len(), seen[1].changes.len()), (80, 81));
    assert_eq!(seen[1].of(40), ["ACTIVE", "COMPLETED"]);
    let (both, one) = (tab.book.count(), alone(2 * HOUR));
    assert!(both <= one + 8, "{both} requests of two tabs, {one} of one");
    let first = tab.rig.world.requests.borrow().len();
    assert!(first > 0 && first < both, "{first} of {both}");
}

/// An order of SELL, posted by a client, and what the service tells of it otherwise.
fn posted() -> (Rig, Json) {
    let rig = Rig::default();
    let order = rig.submit(&rig.built(super::fake_host::SELL).unwrap()).unwrap();
    rig.world.service.borrow_mut().lists = true;
    (rig, order)
}

fn list_of(order: &Json) -> String {
    // Four more that nobody has, so that the list is asked for.
    let more = (0..4).map(|index| {
        let id = book_id(index);
        format!(r#"{{"id":"{id}","owner":"{}","status":"PENDING"}}"#, text(order, "owner"))
    });
    format!("[{},{}]", order.write(), more.collect::<Vec<_>>().join(","))
}

#[test]
fn a_lie_in_a_list_is_believed_no_more_than_one_about_a_single_order() {
    let stranger = r#""0x00000000000000000000000000000000000bad00""#;
    for (path, value) in
        [("owner", stranger), ("beneficiary", stranger), ("output.token", stranger), ("input.amount", r#""7""#)]
    {
        let (rig, order) = posted();
        rig.world.service.borrow_mut().order_lie =
            Some(Box::new(move |order| super::fake_host::set(order, path, value)));
        for what in [list_of(&order), format!(r#"{{"account":"{}"}}"#, text(&order, "owner"))] {
            let mut follow = followed(&what);
            let error = pollster::block_on(follow.next(&rig.client, &rig.signal)).unwrap_err();
            let field = error.field.as_deref().unwrap_or_default();
            // The four that nobody has are not found by themselves.
            let is_refused = error.code == ErrorCode::ServiceMalformed && field.ends_with(path);
            assert!(is_refused || error.status == Some(404), "{path}: {error:?}");
        }
    }
    // Told honestly, it is yielded.
    let (rig, order) = posted();
    let mut follow = followed(&list_of(&order));
    let yielded = pollster::block_on(follow.next(&rig.client, &rig.signal)).unwrap().unwrap();
    assert_eq!(text(&json(&yielded), "id"), text(&order, "id"));
    assert_eq!((rig.world.sent("orders").len(), rig.world.sent("order").len()), (1, 0));
}

#[test]
fn what_another_tab_passes_on_is_verified_like_an_answer() {
    use verified_swap_trade::host::Host;
    let (rig, order) = posted();
    let other = FakeHost::of(rig.world.another_tab());
    let mut follow = followed(&order.write());
    let mut next = || pollster::block_on(follow.next(&rig.client, &rig.signal)).map(|order| json(&order.unwrap()));
    assert_eq!(text(&next().unwrap(), "status"), "PENDING");
    let tell = |base: &str, status: &str, amount: &str| {
        let told = order.write().replace(r#""status":"PENDING""#, &format!(r#""status":"{status}""#));
        let told = told.replacen(r#""amount":"100000000""#, &format!(r#""amount":"{amount}""#), 1);
        other.publish("orders", &format!(r#"{{"baseUrl":"{base}","answer":{told}}}"#));
    };
    tell("https://service.test", "COMPLETED", "7");
    tell("https://elsewhere.test", "COMPLETED", "100000000");
    other.publish("orders", "nonsense");
    tell("https://service.test", "SUSPENDED", "100000000");
    assert_eq!(text(&next().unwrap(), "status"), "SUSPENDED");
    assert_eq!(rig.world.sent("order").len(), 1, "nobody asked");
}

#[test]
fn an_order_that_is_never_ended_is_followed_until_an_hour_after_its_deadline() {
    for (status, ends) in
        [("ACTIVE", true), ("BRIDGING", false), ("REFUNDING", false), ("CANCELLING", false), ("ODD", false)]
    {
        let (rig, order) = posted();
        rig.world.service.borrow_mut().statuses = [status].into();
        let mut follow = followed(&order.write());
        let mut next = || pollster::block_on(follow.next(&rig.client, &rig.signal));
        assert_eq!(text(&json(&next().unwrap().unwrap()), "status"), status);
        let (signal, deadline) = (rig.signal.0.clone(), 1_800_001_200);
        rig.world.at_each(move |world, _| signal.set(world.unix_ms.get() > (deadline + 7_200) * 1_000));
        if !ends {
            assert_eq!(next().unwrap_err().code, ErrorCode::Aborted, "{status}");
            continue;
        }
        let last = json(&next().unwrap().unwrap());
        assert_eq!((text(&last, "status"), text(&last, "ended")), (status, "deadline"));
        assert!(rig.world.unix_ms.get() / 1_000 < deadline + 3_700, "{}", rig.world.unix_ms.get());
        assert_eq!(next().unwrap(), None);
    }
}

#[test]
fn nothing_stays_when_the_last_watch_is_dropped() {
    let (rig, order) = posted();
    let mut follow = followed(&order.write());
    pollster::block_on(follow.next(&rig.client, &rig.signal)).unwrap();
    let of_client = &rig.client.shared.followed;
    assert_eq!(of_client.orders().len(), 1);
    let inbox = Rc::downgrade(&of_client.inbox(|| unreachable!("it is open")));
    drop(follow);
    assert!(inbox.upgrade().is_none() && of_client.orders().is_empty());
}
