//! What is asked of the service for orders that are followed, and when: request by request.

use super::fake_host::{FakeHost, Moment, OWNER, Rig, SELL, Sort, Task, answer, at, book_id, json, text};
use super::watcher::{Seen, Tab, account, named};
use pollster::block_on;
use std::cell::RefCell;
use std::rc::Rc;
use verified_swap_trade::flows::{Follow, FollowPace};
use verified_swap_trade::host::{Host, HttpAnswer};
use verify::internal::error::{ErrorCode, Result};
use verify::internal::json::{Json, JsonAt};

/// The requests so far: when, in milliseconds, and what for.
fn log(tab: &Tab) -> Vec<(u64, String)> {
    tab.book.asked.borrow().iter().map(|(at, path)| (*at, what(path))).collect()
}

/// `3` for an order, `open 1/50` for a page of a list.
fn what(path: &str) -> String {
    let Some(query) = path.strip_prefix('?') else { return path[25..].parse::<u32>().unwrap().to_string() };
    let value = |name: &str| query.split('&').find_map(|pair| pair.strip_prefix(name)).unwrap().to_owned();
    let list = if value("status=").contains("COMPLETED") { "ended" } else { "open" };
    format!("{list} {}/{}", value("page="), value("limit="))
}

/// The same in lines: those of one time together, and as one line what is repeated at the same distance.
fn lines(tab: &Tab) -> String {
    let mut times: Vec<(u64, Vec<String>)> = vec![];
    for (at, what) in log(tab) {
        match times.last_mut() {
            Some((last, all)) if *last == at => all.push(what),
            _ => times.push((at, vec![what])),
        }
    }
    let mut lines = String::new();
    let mut index = 0;
    while index < times.len() {
        let (at, all) = &times[index];
        let step = times.get(index + 1).map(|next| next.0 - at);
        let mut last = index;
        while times.get(last + 1).is_some_and(|next| Some(next.0 - times[last].0) == step && next.1 == *all) {
            last += 1;
        }
        let run = if last >= index + 2 { last } else { index };
        let until = if run > index { format!("..{} by {}", times[run].0, step.unwrap()) } else { String::new() };
        lines += &format!("{at}{until}: {}\n", all.join(", "));
        index = run + 1;
    }
    lines
}

/// Orders of which so many are open, and so many ended long ago.
fn book(open: usize, ended: usize) -> Tab {
    let tab = Tab::with_open(open);
    for _ in 0..ended {
        let old = tab.book.post("ACTIVE", "");
        tab.book.change(old, "COMPLETED");
    }
    tab
}

/// Follows, and is held to these requests.
#[track_caller]
fn assert_asks(tab: &Tab, what: &str, until_ms: u64, expected: &str) -> Seen {
    let seen = tab.followed(what, until_ms);
    let lines = lines(tab);
    let trimmed: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(lines.lines().collect::<Vec<_>>(), trimmed, "{lines}");
    seen
}

/// When orders are looked at that change at these times: the pause is 2 s after a change, by half more each time up to
/// 15 s, and from five minutes after it up to 55 s.
fn looks(changes: &[u64], until_ms: u64) -> Vec<u64> {
    let (mut at, mut pause, mut changed, mut looks) = (0, 0, 0, vec![]);
    while at < until_ms {
        let is_new = at == 0 || changes.iter().any(|change| (looks[looks.len() - 1]..at).contains(&(change - 1)));
        (pause, changed) = if is_new { (2_000, at) } else { (pause * 3 / 2, changed) };
        pause = pause.min(if at - changed < 300_000 { 15_000 } else { 55_000 });
        looks.push(at);
        at += pause;
    }
    looks
}

fn times(tab: &Tab) -> Vec<u64> {
    log(tab).into_iter().map(|(at, _)| at).collect()
}

#[test]
fn up_to_fifty_orders_are_asked_for_at_once_and_the_more_rarely_the_longer_nothing_changed() {
    for (count, request) in [(1, "0"), (2, "open 1/50"), (4, "open 1/50"), (50, "open 1/50")] {
        let tab = Tab::with_open(count);
        let changes = [100_000, 700_000, 1_005_000];
        for (at, status) in changes.iter().zip(["SUSPENDED", "BRIDGING", "REFUNDING"]) {
            tab.book.change_at(*at, 0, status);
        }
        let seen = tab.followed(&named(0..count), 3_000_000);
        assert_eq!(seen.of(0), ["ACTIVE", "SUSPENDED", "BRIDGING", "REFUNDING"]);
        assert!(log(&tab).iter().all(|(_, what)| what == request), "{count}: {}", lines(&tab));
        assert_eq!(times(&tab), looks(&changes, 3_000_000), "{count}");
    }
}

#[test]
fn all_orders_of_an_account_are_looked_for_among_the_open_ones_and_those_that_ended_in_turn() {
    let tab = book(3, 4);
    tab.followed(&account(), 1_000_000);
    let log = log(&tab);
    assert!(log.iter().enumerate().all(|(index, (_, what))| *what == ["open 1/50", "ended 1/10"][index % 2]));
    // The first two at once.
    assert_eq!(times(&tab)[..8], [0, 0, 3_000, 7_500, 14_250, 24_375, 39_375, 54_375]);
}

#[test]
fn of_more_than_fifty_the_number_that_ended_is_asked_for_and_all_every_ten_minutes() {
    let changed = |tab: &Tab| tab.book.change_at(1_000, 7, "BRIDGING");
    let tab = Tab::with_open(51);
    changed(&tab);
    let seen = assert_asks(
        &tab,
        &named(0..51),
        1_400_000,
        "0: ended 1/10
        55000: open 1/1000
        110000..605000 by 55000: ended 1/10
        660000: open 1/1000
        715000..1210000 by 55000: ended 1/10
        1265000: open 1/1000
        1320000: ended 1/10
        1375000: ended 1/10",
    );
    assert_eq!(seen.of(7), ["BRIDGING"]);
    assert_asks(
        &Tab::with_open(60),
        &account(),
        700_000,
        "0: open 1/50, ended 1/10
        3000: open 1/1000, ended 1/10
        58000..553000 by 55000: ended 1/10
        608000: open 1/1000
        663000: ended 1/10",
    );
}

#[test]
fn of_four_or_fewer_of_many_each_is_asked_for_by_itself() {
    assert_asks(
        &Tab::with_open(60),
        &named(0..4),
        23_000,
        "0: open 1/50, 0, 1
        1000: 2
        2000: 3
        3000: 0
        4000: 1
        5000: 2
        6000: 3
        7000: 0
        8500: 1
        11750: 2
        16125: 3
        22000: 0",
    );
    let tab = Tab::with_open(60);
    tab.book.change_at(200_000, 0, "COMPLETED");
    assert_asks(
        &tab,
        &named(0..5),
        240_000,
        "0: open 1/50, ended 1/10
        3000: open 1/1000
        5000: ended 1/10
        8000: ended 1/10
        12500: ended 1/10
        19250: ended 1/10
        29375..209375 by 15000: ended 1/10
        224375: 1, 2, 3
        225375: 4
        239375: 1, 2, 3",
    );
}

/// Sixty orders, and so many that ended before; some more end after 200 s. No page takes more than ten.
fn paged(ended: usize, sort: Sort, gone: usize) -> (Tab, Seen) {
    let tab = book(60, ended);
    tab.book.sort.set(sort);
    tab.book.largest_page.set(10);
    for index in 0..gone {
        tab.book.change_at(200_000, index * 3, "COMPLETED");
    }
    let seen = tab.followed(&named(0..60), 290_000);
    seen.assert_aborted();
    assert_eq!(seen.when("COMPLETED").len(), gone);
    (tab, seen)
}

#[track_caller]
fn assert_paged(tab: &Tab, expected: &str) {
    let lines = lines(tab);
    // An answer that is too large is asked for again with half as many orders a page.
    let begin = "0: ended 1/10
        55000: open 1/1000, open 1/500, open 1/250
        56000: open 1/125
        57000: open 1/63
        58000: open 1/32
        59000: open 1/16
        60000: open 1/10
        61000: open 1/10
        62000: open 2/10
        63000: open 3/10
        64000: open 4/10
        65000: open 5/10
        66000: open 6/10";
    let expected = [begin, expected].join("\n");
    assert_eq!(lines.lines().collect::<Vec<_>>(), expected.lines().map(str::trim).collect::<Vec<_>>(), "{lines}");
}

#[test]
fn an_end_among_many_is_looked_for_where_fewer_pages_have_it() {
    // The last ones that ended are told along with their number.
    for sort in [Sort::Oldest, Sort::LastChanged] {
        for gone in [1, 9] {
            assert_paged(
                &paged(if sort == Sort::Oldest { 0 } else { 71 }, sort, gone).0,
                "121000..286000 by 55000: ended 1/10",
            );
        }
    }
    // Seven pages of those that ended; or six of those that are open, and a request for what is not among them.
    let ended = "121000: ended 1/10
        176000: ended 1/10
        231000: ended 1/10, ended 1/10, ended 2/10
        232000: ended 3/10
        233000: ended 4/10
        234000: ended 5/10
        235000: ended 6/10
        236000: ended 7/10";
    assert_paged(&paged(69, Sort::Newest, 1).0, ended);
    let open = "121000: ended 1/10
        176000: ended 1/10
        231000: ended 1/10, open 1/10, open 2/10
        232000: open 3/10
        233000: open 4/10
        234000: open 5/10
        235000: open 6/10
        236000: 0";
    assert_paged(&paged(70, Sort::Newest, 1).0, open);
    assert_paged(&paged(78, Sort::Newest, 2).0, &[ended, "\n237000: ended 8/10"].concat());
    assert_paged(&paged(79, Sort::Newest, 2).0, &[open, "\n237000: 3"].concat());
}

#[test]
fn what_a_list_of_open_orders_lost_is_asked_for_by_itself_or_in_the_pages_of_those_that_ended() {
    let tab = Tab::with_open(9);
    for (at, ends) in [(100_000, 0..1), (200_000, 1..3), (300_000, 3..5), (400_000, 5..8)] {
        ends.for_each(|index| tab.book.change_at(at, index, "CANCELLED"));
    }
    let seen = tab.followed(&named(0..9), 500_000);
    assert_eq!(seen.when("CANCELLED").len(), 8);
    let of_ends: Vec<_> = log(&tab).into_iter().filter(|(_, what)| what != "open 1/50").collect();
    let expected = [
        (101_375, "0"),
        // None of those that ended was known.
        (206_375, "ended 1/1000"),
        // As many requests as the one page, and one more.
        (311_375, "3"),
        (311_375, "4"),
        (418_250, "ended 1/1000"),
        (473_250, "8"),
    ];
    assert_eq!(of_ends, expected.map(|(at, what)| (at, what.to_owned())));
}

#[test]
fn watches_of_single_orders_are_asked_for_by_a_page_once_there_are_five() {
    for count in [4, 5] {
        let tab = Tab::with_open(count);
        let tasks = (0..count).map(|index| {
            let tab = &tab;
            let task: Task<'_, Seen> = Box::pin(async move {
                tab.clock().wait(index as u64 * 17_000, || false).await;
                tab.follow(named(index..index + 1), 100_000).await
            });
            task
        });
        tab.run(tasks.collect());
        let expected = "0: 0
2000: 0
5000: 0
9500: 0
16250: 0
17000: 1
19000: 1
22000: open 1/50
26500: 1
33250: open 1/50
34000: 2
36000: 2
39000: open 1/50
43500: 2
50250: open 1/50
51000: 3
53000: 3
56000: open 1/50
60500: 3
";
        let then = match count {
            4 => "67250: open 1/50\n77375: open 1/50\n92375: open 1/50\n",
            _ => {
                "67250..71250 by 2000: open 1/50\n74250: open 1/50\n78750: open 1/50\n85500: open 1/50\n95625: open 1/50\n"
            }
        };
        assert_eq!(lines(&tab), [expected, then].concat(), "{count}");
    }
}

#[test]
fn tabs_that_follow_other_orders_of_one_owner_ask_for_a_page() {
    let tab = Tab::with_open(2);
    let other = tab.another();
    let late: Task<'_, Seen> = Box::pin(async {
        tab.clock().wait(20_000, || false).await;
        other.follow(named(1..2), 100_000).await
    });
    tab.run(vec![tab.follow(named(0..1), 400_000), late]);
    let expected = "0: 0
2000: 0
5000: 0
9500: 0
16250: 0
20000: 1
22000: 1
25000: 1
26375: open 1/50
33125: open 1/50
43250..103250 by 15000: open 1/50
118250..313250 by 15000: 0
335750: 0
369500: 0
";
    assert_eq!(lines(&tab), expected);
}

#[test]
fn a_lock_that_another_tab_does_not_give_back_is_waited_for_for_half_a_minute() {
    let tab = Tab::with_open(2);
    let other = tab.another();
    let holding: Task<'_, Seen> = Box::pin(async {
        let name = format!("watch/https://service.test/{}", OWNER.parse::<alloy_primitives::Address>().unwrap());
        let hold = async |ms| {
            let _held = other.rig.client.shared.host.lock(&name, 0).await.unwrap();
            tab.clock().wait(ms, || false).await;
        };
        hold(60_500).await;
        tab.clock().wait(400_000, || false).await;
        // An answer of that tab begins the half minute anew.
        let _held = other.rig.client.shared.host.lock(&name, 0).await.unwrap();
        tab.clock().wait(60_000, || false).await;
        other.rig.client.shared.host.publish("orders", "{}");
        tab.clock().wait(100_000, || false).await;
        Seen::default()
    });
    tab.run(vec![holding, tab.follow(named(0..2), 600_000)]);
    let expected = "30000: open 1/50
32000: open 1/50
35000: open 1/50
39500: open 1/50
46250: open 1/50
56375..341375 by 15000: open 1/50
363875: open 1/50
397625: open 1/50
448250: open 1/50
550500: open 1/50
";
    assert_eq!(lines(&tab), expected);
}

#[test]
fn a_list_that_is_refused_is_asked_for_no_more_and_the_orders_each_by_itself() {
    let refused = || {
        let tab = Tab::with_open(3);
        tab.rig.world.service.borrow_mut().always_is("orders", 403, r#"{"errorType":"Forbidden"}"#);
        tab
    };
    let tab = refused();
    let seen = tab.followed(&named(0..3), 30_000);
    assert_eq!((seen.changes.len(), tab.rig.world.sent("orders").len()), (3, 1));
    let expected = "3000: 0, 1, 2
5000: 0, 1
6000: 2
8000: 0
9500: 1
12750: 2
18125: 0
24500: 1
27750: 2
";
    assert_eq!(lines(&tab), expected);
    // New orders are found in no other way.
    let tab = refused();
    let error = tab.followed(&account(), 100_000).error.unwrap();
    assert_eq!((error.status, tab.rig.world.sent("orders").len()), (Some(403), 1));
    // Which is also said to who follows all of them after that.
    let tab = refused();
    let late: Task<'_, Seen> = Box::pin(async {
        tab.clock().wait(10_000, || false).await;
        tab.follow(account(), 100_000).await
    });
    let error = tab.run(vec![tab.follow(named(0..3), 50_000), late]).remove(1).error.unwrap();
    assert_eq!(error.status, Some(403));
    // Neither does it help to ask for fewer and fewer.
    let tab = Tab::with_open(60);
    tab.book.largest_page.set(9);
    let error = tab.followed(&account(), 400_000).error;
    assert_eq!(error.unwrap().code, ErrorCode::ServiceMalformed);
    let asked = "0: open 1/50, open 1/25, open 1/13
1000: open 1/10
4000: open 1/10
8500: open 1/10
15250: open 1/10
25375..70375 by 15000: open 1/10
";
    assert_eq!(lines(&tab), asked);
    let tab = Tab::with_open(60);
    tab.book.largest_page.set(9);
    let seen = tab.followed(&named(0..60), 1_200_000);
    assert_eq!(seen.when("ACTIVE").len(), 60, "{}", lines(&tab));
}

#[test]
fn after_a_failure_nothing_is_asked_for_until_the_service_said_so_or_the_next_pause_is_over() {
    let tab = Tab::with_open(1);
    tab.followed(&named(0..1), 1);
    for (after_secs, pause) in [(Some(100), 100_000), (Some(1), 3_000), (None, 3_000)] {
        let left = Rc::new(RefCell::new(vec![]));
        let noted = left.clone();
        tab.rig.world.at_each(move |world, moment| {
            if moment == Moment::Fetch("order") {
                noted.borrow_mut().push(world.timeline.now());
            }
        });
        // A call tries three times.
        for _ in 0..3 {
            tab.rig.world.service.borrow_mut().next("order", move |_, _| {
                Ok(HttpAnswer { status: 503, body: String::new(), retry_after_secs: after_secs })
            });
        }
        tab.followed(&named(0..1), tab.clock().now() + 200_000);
        let left = left.borrow();
        assert_eq!((left[3] - left[2], left[4] - left[3]), (pause, 2_000), "{left:?}");
    }
}

#[test]
fn a_hidden_page_waits_four_times_as_long() {
    let tab = Tab::with_open(2);
    tab.rig.world.hidden.set(true);
    let back: Task<'_, Seen> = Box::pin(async {
        tab.clock().wait(100_000, || false).await;
        tab.rig.world.hidden.set(false);
        Seen::default()
    });
    tab.run(vec![tab.follow(named(0..2), 150_000), back]);
    let expected = "0: open 1/50
8000: open 1/50
20000: open 1/50
38000: open 1/50
65000: open 1/50
100000..145000 by 15000: open 1/50
";
    assert_eq!(lines(&tab), expected);
}

#[test]
fn a_page_that_does_not_say_how_many_there_are_is_no_end_of_the_list() {
    let all: [&[&str]; 5] =
        [&["total"], &["hasMore"], &["limit"], &["total", "hasMore"], &["total", "hasMore", "limit"]];
    for silent in all {
        for (count, what) in [(3, account()), (50, account()), (120, account()), (60, named(0..60))] {
            for sort in [Sort::Newest, Sort::Oldest] {
                let tab = book(count, 30);
                tab.book.sort.set(sort);
                tab.book.silent.set(silent);
                tab.book.largest_page.set(50);
                tab.book.change_at(200_000, 1, "COMPLETED");
                let seen = tab.followed(&what, 400_000);
                seen.assert_aborted();
                let told = format!("{silent:?} {count} {sort:?} {}", lines(&tab));
                assert_eq!(seen.when("ACTIVE").len(), count, "{told}");
                assert_eq!(seen.when("COMPLETED").len(), 1, "{told}");
                assert!(seen.when("COMPLETED")[&book_id(1)] < 260_000 && tab.book.count() < 80, "{told}");
            }
        }
    }
}

#[test]
fn a_list_that_became_short_is_read_whole_again_though_its_length_is_not_told() {
    let tab = Tab::with_open(51);
    tab.book.silent.set(&["total"]);
    (0..11).for_each(|index| tab.book.change_at(100_000, index, "COMPLETED"));
    tab.book.change_at(900_000, 20, "BRIDGING");
    let seen = tab.followed(&named(0..51), 990_000);
    assert!(seen.when("BRIDGING")[&book_id(20)] < 960_000, "{}", lines(&tab));
}

#[test]
fn an_order_of_somebody_else_is_in_no_list_of_an_account() {
    let tab = Tab::with_open(1);
    let order =
        format!(r#"{{"id":"{}","status":"ACTIVE","owner":"0x00000000000000000000000000000000000bad00"}}"#, book_id(0));
    tab.rig.world.service.borrow_mut().always_is("orders", 200, format!(r#"{{"data":[{order}],"total":1}}"#));
    let seen = tab.followed(&account(), 1_000_000);
    assert!(seen.changes.is_empty());
    assert_eq!(seen.error.as_ref().and_then(|error| error.field.as_deref()), Some("page.data.0.owner"));
}

#[test]
fn an_answer_is_told_at_once_to_all_who_wait_for_it() {
    let tab = Tab::with_open(1);
    tab.rig.world.latency_ms.set(300);
    tab.book.change_at(30_000, 0, "COMPLETED");
    let seen = in_tabs(&[(&tab, named(0..1)), (&tab, named(0..1))], 100_000);
    assert_eq!(seen[0].when("COMPLETED")[&book_id(0)], 43_475);
    assert_eq!(seen[0].changes, seen[1].changes);
}

/// Follows in several tabs at the same time, polled in this order.
fn in_tabs(tabs: &[(&Tab, String)], until_ms: u64) -> Vec<Seen> {
    tabs[0].0.run(tabs.iter().map(|(tab, what)| tab.follow(what.clone(), until_ms)).collect())
}

#[test]
fn two_tabs_ask_for_the_same_as_one() {
    for (count, ended, what) in [(2, 0, named(0..1)), (5, 0, named(0..5)), (60, 30, named(0..60)), (60, 30, account())]
    {
        let ends = |tab: &Tab| {
            tab.rig.world.latency_ms.set(300);
            // How much fits on a page each tab finds out by itself.
            tab.book.largest_page.set(if what == account() { 1_000 } else { 50 });
            if count > 1 {
                tab.book.change_at(200_000, 1, "COMPLETED");
            }
        };
        let alone = book(count, ended);
        ends(&alone);
        alone.followed(&what, 800_000);
        let tab = book(count, ended);
        ends(&tab);
        let other = tab.another();
        ends(&other);
        let seen = in_tabs(&[(&tab, what.clone()), (&other, what.clone())], 800_000);
        assert_eq!(lines(&tab), lines(&alone), "{what}");
        assert_eq!(seen[0].changes, seen[1].changes);
    }
}

#[test]
fn a_second_watch_of_an_account_has_what_the_first_one_knows() {
    let tab = book(3, 1);
    tab.book.change_at(20_000, 0, "COMPLETED");
    let late: Task<'_, Seen> = Box::pin(async {
        tab.clock().wait(41_000, || false).await;
        tab.follow(account(), 100_000).await
    });
    let seen = tab.run(vec![tab.follow(account(), 100_000), late]);
    assert_eq!((seen[0].changes.len(), seen[1].changes.len()), (4, 2));
    assert!(seen[1].changes.iter().all(|(told, _, status)| (*told, status.as_str()) == (41_000, "ACTIVE")));
}

#[test]
fn an_end_is_seen_though_another_tab_always_asks_first() {
    for count in [4, 60] {
        let tab = Tab::with_open(count);
        tab.book.largest_page.set(20);
        tab.book.change_at(200_000, 0, "COMPLETED");
        // A list that the second tab never asks for.
        let seen = in_tabs(&[(&tab, named(1..count)), (&tab.another(), named(0..1))], 300_000);
        assert!(seen[1].when("COMPLETED")[&book_id(0)] < 260_000, "{count}");
    }
}

#[test]
fn of_two_ends_the_one_that_is_told_along_does_not_hide_the_other() {
    for what in [account(), named(0..60)] {
        let tab = book(60, 20);
        // The newest two, which are told along with the number of those that ended.
        tab.book.post("ACTIVE", "");
        tab.book.post("ACTIVE", "");
        let held = named(80..81);
        tab.book.change_at(100_000, 80, "COMPLETED");
        for (at, index) in [(300_000, 3), (500_000, 4)] {
            tab.book.change_at(at, index, "COMPLETED");
        }
        tab.book.change_at(500_000, 81, "CANCELLED");
        // Somebody else still has the first one.
        let mut other = follow(&json(&held[1..held.len() - 1]));
        let signal = tab.rig.signal.clone();
        let first: Task<'_, Seen> = Box::pin(async {
            other.next(&tab.rig.client, &signal).await.unwrap();
            Seen::default()
        });
        let seen = tab.run(vec![first, tab.follow(what, 590_000)]).remove(1);
        for (at, index) in [(300_000, 3), (500_000, 4)] {
            assert!(
                seen.when("COMPLETED").get(&book_id(index)).is_some_and(|told| *told < at + 62_000),
                "{index} {}",
                lines(&tab)
            );
        }
        drop(other);
    }
}

#[test]
fn an_end_that_is_looked_for_does_not_put_off_the_next_look_at_all() {
    let tab = book(60, 20);
    tab.book.change_at(200_000, 0, "COMPLETED");
    assert_asks(
        &tab,
        &named(0..60),
        700_000,
        "0: ended 1/10
        55000: open 1/1000
        110000: ended 1/10
        165000: ended 1/10
        220000: ended 1/10, ended 1/1000
        275000..605000 by 55000: ended 1/10
        660000: open 1/1000",
    );
}

#[test]
fn an_order_that_is_not_found_is_asked_for_less_often_than_the_list_that_lacks_it() {
    let tab = Tab::with_open(6);
    tab.followed(&named((0..6).chain([99])), 600_000);
    let of_it: Vec<u64> = log(&tab).into_iter().filter(|(_, what)| what == "99").map(|(at, _)| at).collect();
    let expected = [0, 2_000, 5_000, 11_750, 26_750, 41_750, 56_750];
    assert_eq!(of_it[..7], expected);
    // From a minute on, with the first page that comes 55 s later.
    assert_eq!(of_it[7..], [116_750, 176_750, 236_750, 296_750, 368_000, 473_625, 528_625, 583_625]);
}

#[test]
fn what_ended_before_is_history_however_the_service_sorts() {
    for sort in [Sort::Newest, Sort::LastChanged] {
        let tab = book(3, 9);
        tab.book.sort.set(sort);
        for index in 3..12 {
            tab.book.change_at(1_000 * index as u64, index, "CANCELLED");
        }
        let late: Task<'_, Seen> = Box::pin(async {
            tab.clock().wait(100_000, || false).await;
            tab.follow(account(), 400_000).await
        });
        let passing: Task<'_, Seen> = Box::pin(async {
            tab.clock().wait(200_000, || false).await;
            let passes = tab.book.post("PENDING", "");
            tab.book.change(passes, "FAILED");
            Seen::default()
        });
        let seen = tab.run(vec![late, passing]).remove(0);
        let told: Vec<&str> = seen.changes.iter().map(|(_, _, status)| status.as_str()).collect();
        assert_eq!(told, ["ACTIVE", "ACTIVE", "ACTIVE", "FAILED"], "{sort:?}");
    }
}

#[test]
fn only_orders_of_the_chains_asked_for_are_told() {
    let chains = [r#","input":{"chainId":8453}"#, r#","input":{"chainId":10}"#, r#","input":{"chainId":1}"#, ""];
    for (filter, expected) in [
        ("", vec![0, 1, 2, 3]),
        (r#","chainId":8453"#, vec![0]),
        (r#","chainId":[8453,1]"#, vec![0, 2]),
        (r#","chainId":[]"#, vec![0, 1, 2, 3]),
    ] {
        let tab = Tab::new();
        for chain in chains {
            tab.book.post("ACTIVE", chain);
        }
        let seen = tab.followed(&account().replace('}', &format!("{filter}}}")), 20_000);
        let mut told: Vec<&str> = seen.changes.iter().map(|(_, id, _)| id.as_str()).collect();
        told.sort_unstable();
        assert_eq!(told, expected.iter().map(|index| book_id(*index)).collect::<Vec<_>>(), "{filter}");
    }
    for (what, field) in [
        (account().replace('}', r#","chain":1}"#), "order.chain"),
        (account().replace('}', r#","chainId":"one"}"#), "order.chainId"),
        (account().replace('}', r#","chainId":[1,-1]}"#), "order.chainId.1"),
        ("7".into(), "order"),
    ] {
        let pace = FollowPace { interval_ms: 2_000, max_interval_ms: 55_000 };
        let error = Follow::new(&json(&what), pace).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(field)), "{what}");
    }
}

/// One order of a client that knows what it signed, and what the service tells of it.
fn posted() -> (Rig, Json) {
    let rig = Rig::default();
    let order = rig.submit(&rig.built(SELL).unwrap()).unwrap();
    rig.world.service.borrow_mut().lists = true;
    (rig, order)
}

fn follow(what: &Json) -> Follow {
    Follow::new(what, FollowPace::read(&JsonAt::input(&json("{}"), "options")).unwrap()).unwrap()
}

fn next(rig: &Rig, follow: &mut Follow) -> Result<Option<Json>> {
    block_on(follow.next(&rig.client, &rig.signal)).map(|next| next.map(|order| json(&order)))
}

/// When an order is asked for, in milliseconds from now on; follows are aborted after that time.
fn fetches(rig: &Rig, until_ms: u64) -> Rc<RefCell<Vec<u64>>> {
    let (began, signal) = (rig.world.unix_ms.get(), rig.signal.0.clone());
    let fetches = Rc::new(RefCell::new(vec![]));
    let noted = fetches.clone();
    rig.world.at_each(move |world, moment| {
        let now = world.unix_ms.get() - began;
        if let Moment::Fetch("order" | "orderByHash") = moment {
            noted.borrow_mut().push(now);
        }
        signal.set(now > until_ms);
    });
    fetches
}

#[test]
fn around_its_deadline_an_order_is_asked_for_each_four_seconds_and_an_hour_later_no_more() {
    let (rig, order) = posted();
    let fetches = fetches(&rig, 10_000_000);
    let mut follow = follow(&order);
    assert_eq!(text(&next(&rig, &mut follow).unwrap().unwrap(), "status"), "PENDING");
    assert_eq!(text(&next(&rig, &mut follow).unwrap().unwrap(), "ended"), "deadline");
    assert_eq!(next(&rig, &mut follow).unwrap(), None);
    let fetches = fetches.borrow();
    let around: Vec<u64> = fetches.iter().copied().filter(|at| (1_100_000..1_500_000).contains(at)).collect();
    let mut expected = vec![1_133_250, 1_188_250];
    expected.extend((1_201_000..=1_261_000).step_by(4_000));
    expected.extend([1_267_000, 1_276_000, 1_289_500, 1_309_750, 1_340_125, 1_385_687, 1_440_687, 1_495_687]);
    assert_eq!(around, expected);
    assert_eq!(fetches.last(), Some(&4_850_687));
}

#[test]
fn a_status_that_is_final_stays_whatever_another_tab_tells() {
    let (rig, order) = posted();
    let other = FakeHost::of(rig.world.another_tab());
    let (mut first, mut second) = (follow(&order), follow(&order));
    for follow in [&mut first, &mut second] {
        assert_eq!(text(&next(&rig, follow).unwrap().unwrap(), "status"), "PENDING");
    }
    assert_eq!(rig.world.sent("order").len(), 1, "one request is for both");
    rig.world.service.borrow_mut().statuses = ["COMPLETED"].into();
    assert_eq!(text(&next(&rig, &mut first).unwrap().unwrap(), "status"), "COMPLETED");
    for status in ["ACTIVE", "CANCELLED"] {
        let told = order.write().replace(r#""status":"PENDING""#, &format!(r#""status":"{status}""#));
        other.publish("orders", &format!(r#"{{"baseUrl":"https://service.test","answer":{told}}}"#));
    }
    assert_eq!(text(&next(&rig, &mut second).unwrap().unwrap(), "status"), "COMPLETED");
    assert_eq!((next(&rig, &mut second).unwrap(), rig.world.sent("order").len()), (None, 2));
}

#[test]
fn members_in_another_order_are_no_change() {
    let (rig, order) = posted();
    let mut follow = follow(&order);
    next(&rig, &mut follow).unwrap();
    rig.world.service.borrow_mut().statuses = ["PENDING", "PENDING", "ACTIVE"].into();
    rig.world.service.borrow_mut().order_lie = Some(Box::new(|order| {
        let Json::Object(members) = order else { panic!() };
        members.rotate_left(1);
    }));
    assert_eq!(text(&next(&rig, &mut follow).unwrap().unwrap(), "status"), "ACTIVE");
    assert_eq!(rig.world.sent("order").len(), 4);
}

#[test]
fn one_answer_serves_who_follows_an_order_by_its_id_and_who_does_by_its_hash() {
    let (rig, order) = posted();
    for (named, other) in [("id", "orderHash"), ("orderHash", "id")] {
        let before = rig.world.requests.borrow().len();
        let mut follows = [named, other].map(|name| follow(&Json::String(text(&order, name).into())));
        // The second is followed from the time of the answer on.
        let both: Vec<Task<'_, Json>> = follows
            .iter_mut()
            .map(|follow| {
                let rig = &rig;
                let task: Task<'_, Json> =
                    Box::pin(async { json(&follow.next(&rig.client, &rig.signal).await.unwrap().unwrap()) });
                task
            })
            .collect();
        for told in rig.world.timeline.clone().run(both) {
            assert_eq!(text(&told, "orderHash"), text(&order, "orderHash"));
        }
        assert_eq!(rig.world.requests.borrow().len(), before + 1, "{named}");
    }
}

#[test]
fn the_eighth_answer_in_a_row_that_contradicts_is_an_error() {
    for (lies, is_error) in [(7, false), (8, true)] {
        for endpoint in ["order", "orders"] {
            let (rig, order) = posted();
            let account = json(&format!(r#"{{"account":"{}"}}"#, text(&order, "owner")));
            let mut follow = follow(if endpoint == "orders" { &account } else { &order });
            let lie = order.write().replacen(r#""amount":"100000000""#, r#""amount":"7""#, 1);
            let lie =
                if endpoint == "orders" { format!(r#"{{"data":[{lie}],"total":1,"hasMore":false}}"#) } else { lie };
            let tell = |times: usize| {
                for _ in 0..times {
                    let lie = lie.clone();
                    rig.world.service.borrow_mut().next(endpoint, move |_, _| answer(200, lie));
                }
            };
            tell(7);
            if endpoint == "orders" {
                // A page that can be read begins the row anew.
                rig.world
                    .service
                    .borrow_mut()
                    .next(endpoint, |_, _| answer(200, r#"{"data":[],"total":0,"hasMore":false}"#));
            } else {
                assert_eq!(text(&next(&rig, &mut follow).unwrap().unwrap(), "status"), "PENDING");
                rig.world.service.borrow_mut().statuses = ["ACTIVE"].into();
            }
            tell(lies);
            let told = next(&rig, &mut follow);
            assert_eq!(
                told.as_ref().err().map(|error| error.code),
                is_error.then_some(ErrorCode::ServiceMalformed),
                "{told:?}"
            );
            // It can be taken up again.
            assert!(next(&rig, &mut follow).is_ok() || !is_error);
        }
    }
}

#[test]
fn a_list_that_goes_on_for_ever_is_left_after_a_hundred_thousand_orders() {
    let tab = Tab::with_open(6);
    let id = book_id(0);
    tab.rig.world.service.borrow_mut().always("orders", move || {
        let order = format!(r#"{{"id":"{id}","status":"ACTIVE","owner":"{OWNER}"}}"#);
        answer(200, format!(r#"{{"data":[{order}],"total":9007199254740991,"limit":25000,"hasMore":true}}"#))
    });
    let seen = tab.followed(&named(0..6), 300_000);
    seen.assert_aborted();
    let asked: Vec<String> =
        tab.rig.world.sent("orders").iter().map(|request| what(request.url.split_once("orders").unwrap().1)).collect();
    // The last begins behind the hundred thousandth.
    let read = ["open 1/50", "ended 1/10", "open 1/1000", "open 2/1000", "open 3/1000", "open 4/1000", "open 5/1000"];
    assert_eq!(asked[..read.len()], read);
    assert!(asked[read.len()..].iter().all(|what| what == "ended 1/10"), "{asked:?}");
}

#[test]
fn what_another_tab_tells_without_the_page_it_is_from_is_not_heard() {
    let tab = Tab::with_open(3);
    let other = FakeHost::of(tab.rig.world.another_tab());
    let page = |members: &str| {
        let order = format!(r#"{{"id":"{}","status":"SUSPENDED","owner":"{OWNER}"}}"#, book_id(0));
        format!(
            r#"{{"baseUrl":"https://service.test",{members}"answer":{{"data":[{order}],"total":1,"hasMore":false}}}}"#
        )
    };
    let whole = format!(r#""owner":"{OWNER}","isEnded":false,"page":1,"limit":50,"#);
    for part in [r#""isEnded":false,"#, r#""page":1,"#, r#""limit":50,"#] {
        other.publish("orders", &page(&whole.replace(part, "")));
    }
    other.publish("orders", &page(&whole.replace(OWNER, "0x7")));
    let telling: Task<'_, Seen> = Box::pin(async {
        tab.clock().wait(10_000, || false).await;
        for part in [r#""isEnded":false,"#, r#""page":1,"#, r#""limit":50,"#] {
            other.publish("orders", &page(&whole.replace(part, "")));
        }
        other.publish("orders", &page(&whole.replace(OWNER, "0x7")));
        tab.clock().wait(1_000, || false).await;
        other.publish("orders", &page(&whole));
        Seen::default()
    });
    let seen = tab.run(vec![tab.follow(named(0..3), 15_000), telling]).remove(0);
    assert_eq!(seen.when("SUSPENDED")[&book_id(0)], 11_000);
}

#[test]
fn a_page_is_read_without_its_frame_and_nothing_in_it_is_passed_over() {
    let tab = Tab::with_open(1);
    let order = format!(r#"{{"id":"{}","status":"SUSPENDED","owner":"{OWNER}"}}"#, book_id(0));
    tab.rig.world.service.borrow_mut().always_is("orders", 200, format!("[{order}]"));
    let seen = tab.followed(&account(), 10_000);
    assert_eq!(seen.of(0), ["SUSPENDED"]);
    // What is no order may be one that cannot be read.
    tab.rig.world.service.borrow_mut().always_is("orders", 200, format!("[{order},null]"));
    let seen = tab.followed(&account(), 1_000_000);
    assert_eq!(seen.error.map(|error| error.code), Some(ErrorCode::ServiceMalformed));
}

#[test]
fn pauses_are_taken_within_their_bounds() {
    let read = |options: &str| {
        FollowPace::read(&JsonAt::input(&json(options), "options")).map(|pace| (pace.interval_ms, pace.max_interval_ms))
    };
    for (options, expected) in [
        ("{}", (2_000, 55_000)),
        (r#"{"intervalMs":0,"maxIntervalMs":0}"#, (50, 50)),
        (r#"{"intervalMs":49,"maxIntervalMs":51}"#, (50, 51)),
        (r#"{"intervalMs":100000}"#, (100_000, 100_000)),
        (r#"{"intervalMs":3600000,"maxIntervalMs":3600000}"#, (3_600_000, 3_600_000)),
    ] {
        assert_eq!(read(options).unwrap(), expected, "{options}");
    }
    for (options, field) in [
        (r#"{"intervalMs":3600001}"#, "options.intervalMs"),
        (r#"{"maxIntervalMs":3600001}"#, "options.maxIntervalMs"),
        (r#"{"interval":1}"#, "options.interval"),
    ] {
        assert_eq!(read(options).unwrap_err().field.as_deref(), Some(field));
    }
    // A long one by wish is not cut to 15 s.
    let (rig, order) = posted();
    let pace = FollowPace::read(&JsonAt::input(&json(r#"{"intervalMs":20000}"#), "options")).unwrap();
    let mut follow = Follow::new(&order, pace).unwrap();
    let fetches = fetches(&rig, 500_000);
    while next(&rig, &mut follow).is_ok() {}
    let mut expected: Vec<u64> = (0..=300_000).step_by(20_000).collect();
    expected.extend([330_000, 375_000, 430_000, 485_000]);
    assert_eq!(*fetches.borrow(), expected);
}

/// Five orders of one owner, of a client that signed them.
fn five() -> (Rig, Vec<Json>) {
    let rig = Rig::default();
    let request = |index: usize| SELL.replace("100000000", &(100_000_000 + index).to_string());
    let orders = (0..5).map(|index| rig.submit(&rig.built(&request(index)).unwrap()).unwrap()).collect();
    rig.world.service.borrow_mut().lists = true;
    (rig, orders)
}

#[test]
fn a_page_has_the_orders_that_are_followed_by_their_hash() {
    let (rig, orders) = five();
    let hashes = orders.iter().map(|order| at(order, "orderHash").clone()).collect();
    let mut follow = follow(&Json::Array(hashes));
    // Whose orders they are is told by the first answers.
    for status in ["PENDING", "ACTIVE"] {
        rig.world.service.borrow_mut().statuses = [status].into();
        for _ in 0..5 {
            assert_eq!(text(&next(&rig, &mut follow).unwrap().unwrap(), "status"), status);
        }
    }
    let asked = |name: &str| rig.world.sent(name).len();
    assert_eq!((asked("orderByHash"), asked("order"), asked("orders")), (5, 0, 1));
}

#[test]
fn orders_that_contradict_in_a_page_are_asked_for_each_by_itself() {
    let (rig, orders) = five();
    let told: Vec<String> =
        orders.iter().map(|order| order.write().replace(r#""amount":"10000000"#, r#""amount":"20000000"#)).collect();
    rig.world.service.borrow_mut().always_is("orders", 200, format!(r#"{{"data":[{}],"total":5}}"#, told.join(",")));
    let mut follow = follow(&Json::Array(orders));
    for _ in 0..5 {
        assert_eq!(text(&next(&rig, &mut follow).unwrap().unwrap(), "status"), "PENDING");
    }
    assert_eq!((rig.world.sent("order").len(), rig.world.sent("orders").len()), (5, 1));
}

#[test]
fn what_is_given_up_after_its_deadline_is_not_told_again_though_it_is_still_listed() {
    let (rig, order) = posted();
    let mut follow = follow(&json(&format!(r#"{{"account":"{}"}}"#, text(&order, "owner"))));
    let signal = rig.signal.0.clone();
    rig.world.at_each(move |world, _| signal.set(world.unix_ms.get() > 1_800_010_000_000));
    let mut told = vec![];
    while let Ok(Some(order)) = next(&rig, &mut follow) {
        told.push((text(&order, "status").to_owned(), order.get("ended").is_some()));
    }
    assert_eq!(told, [("PENDING".to_owned(), false), ("PENDING".to_owned(), true)]);
}
