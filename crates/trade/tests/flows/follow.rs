//! The meaning of the answers about followed orders, one round at a time. The times of the requests are the schedule's
//! (`tests/package/watch.test.mjs`).

use super::fake_host::{Moment, Rig, SELL, Service, Watched, answer, at, json, set, text};
use pollster::block_on;
use verified_swap_trade::host::{Host, HttpAnswer, HttpFailure, HttpRequest};
use verify::internal::domain::delta::status::{TERMINAL, is_terminal};
use verify::internal::error::{ErrorCode, Result};
use verify::internal::json::{Json, quoted};

/// A posted order whose next readings have these statuses.
fn posted(statuses: &[&'static str]) -> (Rig, Json) {
    let rig = Rig::default();
    let order = rig.submit(&rig.built(SELL).unwrap()).unwrap();
    rig.world.service.borrow_mut().statuses = statuses.iter().copied().collect();
    (rig, order)
}

fn next(rig: &Rig, follow: &mut Watched) -> Result<Option<String>> {
    Ok(follow.one(rig)?.map(|order| text(&order, "status").to_owned()))
}

fn all(rig: &Rig, follow: &mut Watched) -> Vec<String> {
    std::iter::from_fn(|| next(rig, follow).unwrap()).collect()
}

#[test]
fn only_changes_are_yielded_and_the_final_status_ends_the_watch() {
    let (rig, order) = posted(&["PENDING", "PENDING", "ACTIVE", "ACTIVE", "ACTIVE", "COMPLETED"]);
    let mut follow = Watched::of(&order);
    assert_eq!(all(&rig, &mut follow), ["PENDING", "ACTIVE", "COMPLETED"]);
    let reads = rig.world.sent("order").len();
    assert_eq!(reads, 6);
    assert_eq!(next(&rig, &mut follow).unwrap(), None);
    assert_eq!(rig.world.sent("order").len(), reads, "nobody asks after the end");
}

#[test]
fn every_terminal_status_is_an_end_and_no_other() {
    assert_eq!(TERMINAL, ["COMPLETED", "FAILED", "EXPIRED", "CANCELLED", "REFUNDED"]);
    for status in TERMINAL {
        let (rig, order) = posted(&[status]);
        assert_eq!(all(&rig, &mut Watched::of(&order)), [status]);
    }
    let open = ["PENDING", "AWAITING_SIGNATURE", "ACTIVE", "SUSPENDED", "CANCELLING", "BRIDGING", "REFUNDING"];
    for status in open.into_iter().chain(["EXECUTING", "completed", "SOMETHING_NEW", ""]) {
        assert!(!is_terminal(status), "{status}");
        let (rig, order) = posted(&[status, "FAILED"]);
        assert_eq!(all(&rig, &mut Watched::of(&order)), [status, "FAILED"]);
    }
}

#[test]
fn temporary_failures_are_retried() {
    let (rig, order) = posted(&["PENDING", "COMPLETED"]);
    let mut follow = Watched::of(&order);
    assert_eq!(next(&rig, &mut follow).unwrap().as_deref(), Some("PENDING"));
    {
        let mut service = rig.world.service.borrow_mut();
        service.next_is_lost("order");
        service.next_is("order", 500, "");
        service.next_is("order", 503, r#"{"errorType":"Down"}"#);
        service.next_is("order", 429, "");
        service.next_is("order", 200, "<html>");
        service.next_is("order", 200, "{}");
        service.next_is_lost("order");
    }
    assert_eq!(next(&rig, &mut follow).unwrap().as_deref(), Some("COMPLETED"));
}

#[test]
fn a_service_that_is_away_for_an_hour_does_not_end_the_watch() {
    let (rig, order) = posted(&["PENDING", "COMPLETED"]);
    let mut follow = Watched::of(&order);
    assert_eq!(next(&rig, &mut follow).unwrap().as_deref(), Some("PENDING"));
    let back = rig.world.unix_ms.get() + 3_600_000;
    let kinds: [&dyn Fn(&mut Service); 5] = [
        &|service| service.next_is_lost("order"),
        &|service| service.next_is("order", 502, "<html>"),
        &|service| service.next_is("order", 200, "<html>"),
        &|service| service.next_is("order", 429, ""),
        &|service| service.next("order", |_, _| Err(HttpFailure::Timeout)),
    ];
    for fails in kinds.iter().cycle().take(100) {
        fails(&mut rig.world.service.borrow_mut());
    }
    rig.world.at_each(move |world, moment| {
        if moment == Moment::Sleep && world.unix_ms.get() >= back {
            world.service.borrow_mut().forgive();
        }
    });
    assert_eq!(next(&rig, &mut follow).unwrap().as_deref(), Some("COMPLETED"));
    let reads = rig.world.sent("order").len();
    assert!((60..125).contains(&reads), "{reads} requests in an hour");
    let codes: Vec<_> =
        rig.world.events.borrow().iter().filter(|event| event.name == "order").map(|event| event.code).collect();
    assert!(codes.contains(&Some(ErrorCode::RateLimited)) && codes.contains(&Some(ErrorCode::Network)));
}

#[test]
fn a_refusal_names_the_order() {
    let (rig, order) = posted(&["PENDING"]);
    rig.world.service.borrow_mut().next_is("order", 403, r#"{"errorType":"Forbidden"}"#);
    let error = next(&rig, &mut Watched::of(&order)).unwrap_err();
    assert_eq!((error.code, error.status), (ErrorCode::ServiceRejected, Some(403)));
    assert_eq!(error.order_hash.map(|hash| hash.to_string()).as_deref(), Some(text(&order, "orderHash")));
}

#[test]
fn an_order_is_followed_by_id_hash_or_itself() {
    let (rig, order) = posted(&["COMPLETED"]);
    let (id, hash) = (text(&order, "id").to_owned(), text(&order, "orderHash").to_owned());
    for key in [order, Json::String(id), Json::String(hash)] {
        assert_eq!(all(&rig, &mut Watched::of(&key)), ["COMPLETED"]);
    }
    assert_eq!((rig.world.sent("order").len(), rig.world.sent("orderByHash").len()), (2, 1));
}

/// A round of a watch: its answer.
fn call(rig: &Rig, what: &Json, name: &str, data: &str) -> Result<Json> {
    block_on(Watched::of(what).call(&rig.client, name, data, &rig.signal))
}

/// The round that asks for one order.
fn single(asked: &str) -> String {
    format!(r#"{{"orders":[{}],"index":0}}"#, quoted(asked))
}

/// The first page of the open orders of an account, with an order that is followed; `more` are members of the round.
fn page(rig: &Rig, order: &Json, more: &str) -> Result<Json> {
    let (id, owner) = (text(order, "id"), text(order, "owner"));
    let page = format!(r#"{{"owner":"{owner}","isEnded":false,"page":1,"limit":50}}"#);
    let asked = format!(r#"{{"id":"{id}","owner":"{owner}","isEnded":false}}"#);
    call(rig, order, "round", &format!(r#"{{"orders":[{}],"page":{page}{more}}}"#, quoted(&asked)))
}

/// An order of SELL, posted by a client, in a service that lists it.
fn listed() -> (Rig, Json) {
    let (rig, order) = posted(&["PENDING"]);
    rig.world.service.borrow_mut().lists = true;
    (rig, order)
}

#[test]
fn a_lie_in_a_list_is_believed_no_more_than_one_about_a_single_order() {
    let stranger = r#""0x00000000000000000000000000000000000bad00""#;
    for (path, value) in
        [("owner", stranger), ("beneficiary", stranger), ("output.token", stranger), ("input.amount", r#""7""#)]
    {
        let (rig, order) = listed();
        rig.world.service.borrow_mut().order_lie = Some(Box::new(move |order| set(order, path, value)));
        let told = page(&rig, &order, "").unwrap();
        assert_eq!(at(&told, "told.0.reported"), &Json::Null, "{path}");
        assert_eq!(text(&told, "told.0.contradiction.place"), "page.data.0");
        // The owner of an order that is not followed is known.
        let told = page(&rig, &order, r#","takesNew":true"#).unwrap();
        let lie = at(&told, "told.0.contradiction").write();
        let refused =
            call(&rig, &order, "refuse", &lie.replacen('{', &format!(r#"{{"owner":"{}","#, text(&order, "owner")), 1));
        let error = refused.unwrap_err();
        assert_eq!(error.code, ErrorCode::ServiceMalformed);
        assert!(error.field.as_deref().is_some_and(|field| field.starts_with("page.data.0.") && field.ends_with(path)));
    }
    let (rig, order) = listed();
    let told = page(&rig, &order, "").unwrap();
    assert_eq!(
        (at(&told, "told.0.contradiction"), text(&told, "told.0.reported.known.id")),
        (&Json::Null, text(&order, "id"))
    );
}

#[test]
fn a_page_is_read_without_its_frame_and_nothing_in_it_is_passed_over() {
    let (rig, order) = listed();
    let other = r#"{"id":"7","status":"ACTIVE"}"#;
    rig.world.service.borrow_mut().always_is("orders", 200, format!("[{},{other}]", order.write()));
    let told = page(&rig, &order, "").unwrap();
    let Json::Array(followed) = at(&told, "told") else { panic!("{told:?}") };
    assert_eq!(followed.len(), 1, "only what is followed");
    for (name, value) in [("count", "2"), ("size", "50"), ("total", "null"), ("hasMore", "null")] {
        assert_eq!(at(&told, &format!("page.{name}")).write(), value);
    }
    let told = page(&rig, &order, r#","takesNew":true"#).unwrap();
    assert_eq!(
        (at(&told, "told.1.index"), text(&told, "told.1.reported.known.owner").to_lowercase()),
        (&Json::Null, text(&order, "owner").to_lowercase())
    );
    // An item that is no order may be one that cannot be read.
    rig.world.service.borrow_mut().always_is("orders", 200, format!("[{},null]", order.write()));
    let told = page(&rig, &order, r#","takesNew":true"#).unwrap();
    assert_eq!(text(&told, "told.1.contradiction.text"), "null");
    rig.world.service.borrow_mut().always_is("orders", 200, r#"{"data":7}"#);
    assert_eq!(page(&rig, &order, "").unwrap_err().field.as_deref(), Some("page.data"));
}

#[test]
fn members_in_another_order_are_no_change_and_an_end_stays() {
    let (rig, order) = listed();
    let known = |members: &str| single(&format!(r#"{{"id":"{}",{members}}}"#, text(&order, "id")));
    let told = call(&rig, &order, "round", &known(r#""isEnded":false"#)).unwrap();
    let digest = format!(r#""isEnded":false,"digest":"{}""#, text(&told, "told.0.reported.digest"));
    rig.world.service.borrow_mut().order_lie = Some(Box::new(|order| {
        let Json::Object(members) = order else { panic!() };
        members.rotate_left(1);
    }));
    let told = call(&rig, &order, "round", &known(&digest)).unwrap();
    assert_eq!(at(&told, "told.0.reported"), &Json::Null);
    rig.world.service.borrow_mut().statuses = ["ACTIVE", "ACTIVE"].into();
    let told = call(&rig, &order, "round", &known(&digest)).unwrap();
    assert_ne!(at(&told, "told.0.reported"), &Json::Null);
    let told = call(&rig, &order, "round", &known(r#""isEnded":true"#)).unwrap();
    assert_eq!((at(&told, "told.0.reported"), at(&told, "told.0.contradiction")), (&Json::Null, &Json::Null));
}

#[test]
fn another_tab_gets_the_answer_and_verifies_it_like_its_own() {
    let (rig, order) = listed();
    let tab = Rig::in_world(rig.world.another_tab(), |_, _| {});
    let inbox = tab.client.shared.host.inbox("orders");
    let heard = |message: &str| {
        let asked = format!(r#"{{"id":"{}","owner":"{}","isEnded":false}}"#, text(&order, "id"), text(&order, "owner"));
        let data = format!(r#"{{"orders":[{}],"lists":[],"message":{}}}"#, quoted(&asked), quoted(message));
        call(&tab, &order, "hear", &data).unwrap()
    };
    page(&rig, &order, "").unwrap();
    let sent = tab.client.shared.host.next_message(&inbox).unwrap();
    let told = heard(&sent);
    let owner = |told: &Json, path: &str| text(told, path).eq_ignore_ascii_case(text(&order, "owner"));
    assert!(owner(&told, "page.owner") && text(&told, "told.0.id") == text(&order, "id"));
    let lie = heard(&sent.replace(r#""amount":"100000000""#, r#""amount":"7""#));
    assert_eq!(at(&lie, "told.0.reported"), &Json::Null);
    for part in [r#""isEnded":false,"#, r#""page":1,"#, r#""limit":50,"#] {
        assert!(sent.contains(part));
        assert_eq!(heard(&sent.replacen(part, "", 1)), Json::Null, "{part}");
    }
    for foreign in [sent.replace("service.test", "elsewhere.test"), "nonsense".into(), "{}".into()] {
        assert_eq!(heard(&foreign), Json::Null, "{foreign}");
    }
    // A single order, of which its owner is told.
    call(&rig, &order, "round", &single(&format!(r#"{{"id":"{}"}}"#, text(&order, "id")))).unwrap();
    let told = heard(&tab.client.shared.host.next_message(&inbox).unwrap());
    assert!(owner(&told, "owner") && text(&told, "told.0.id") == text(&order, "id"));
}

#[test]
fn a_page_has_the_orders_that_are_followed_by_their_hash() {
    let (rig, order) = listed();
    let round = format!(
        r#"{{"orders":[{}],"page":{{"owner":"{}","isEnded":false,"page":1,"limit":50}}}}"#,
        quoted(&format!(r#"{{"hash":"{}"}}"#, text(&order, "orderHash"))),
        text(&order, "owner")
    );
    let told = call(&rig, &order, "round", &round).unwrap();
    assert_eq!(text(&told, "told.0.reported.known.id"), text(&order, "id"));
}

#[test]
fn a_failure_says_whether_waiting_or_a_smaller_page_helps() {
    let (rig, order) = listed();
    for (more, outcome) in [(r#","mayShrink":true"#, true), ("", false)] {
        rig.world.service.borrow_mut().next("orders", |_, _| Err(HttpFailure::TooLarge));
        let told = page(&rig, &order, more);
        assert_eq!(told.is_ok_and(|told| at(&told, "isTooLarge") == &Json::Bool(true)), outcome);
    }
    for _ in 0..3 {
        let busy = || Ok(HttpAnswer { status: 503, body: String::new(), retry_after_secs: Some(100) });
        rig.world.service.borrow_mut().next("orders", move |_, _| busy());
    }
    assert_eq!(at(&page(&rig, &order, "").unwrap(), "retryMs").write(), "100000");
    rig.world.service.borrow_mut().always_is("orders", 403, r#"{"errorType":"Forbidden"}"#);
    assert_eq!(page(&rig, &order, "").unwrap_err().status, Some(403));
    rig.signal.0.set(true);
    assert_eq!(page(&rig, &order, "").unwrap_err().code, ErrorCode::Aborted);
}

#[test]
fn a_service_that_does_not_know_what_executes_is_asked_without_it() {
    let (rig, order) = listed();
    let refuses = |_: &mut Service, request: &HttpRequest| match request.url.contains("EXECUTING") {
        true => answer(400, r#"{"errorType":"InvalidInput"}"#),
        false => answer(200, "[]"),
    };
    for _ in 0..3 {
        rig.world.service.borrow_mut().next("orders", refuses);
    }
    page(&rig, &order, "").unwrap();
    page(&rig, &order, "").unwrap();
    let asked: Vec<bool> = rig.world.sent("orders").iter().map(|sent| sent.url.contains("EXECUTING")).collect();
    assert_eq!(asked, [true, false, false]);
    // One that refuses both ways is asked for it again.
    let (rig, order) = listed();
    for _ in 0..2 {
        rig.world.service.borrow_mut().next("orders", |_, _| answer(400, r#"{"errorType":"InvalidInput"}"#));
    }
    page(&rig, &order, "").unwrap_err();
    assert!(!rig.client.shared.service.refuses_executing.get());
}

#[test]
fn only_an_order_that_waits_for_its_fill_lapses_an_hour_after_its_deadline() {
    for (status, lapses) in
        [("ACTIVE", true), ("BRIDGING", false), ("REFUNDING", false), ("CANCELLING", false), ("ODD", false)]
    {
        let (rig, order) = posted(&[status]);
        let round = single(&format!(r#"{{"id":"{}"}}"#, text(&order, "id")));
        let told = call(&rig, &order, "round", &round).unwrap();
        let deadline: u64 = at(&told, "told.0.reported.deadline").write().parse().unwrap();
        let end = if lapses { (deadline + 3_600).to_string() } else { "null".into() };
        assert_eq!(at(&told, "told.0.reported.lapsesAt").write(), end, "{status}");
    }
}

#[test]
fn the_argument_and_the_pauses_are_read_within_their_bounds() {
    let order = json(r#"{"id":"7","status":"ACTIVE"}"#);
    let rig = Rig::default();
    for (options, expected) in [
        ("{}", (2_000, 55_000)),
        (r#"{"intervalMs":0,"maxIntervalMs":0}"#, (50, 50)),
        (r#"{"intervalMs":49,"maxIntervalMs":51}"#, (50, 51)),
        (r#"{"intervalMs":100000}"#, (100_000, 100_000)),
        (r#"{"intervalMs":3600000,"maxIntervalMs":3600000}"#, (3_600_000, 3_600_000)),
    ] {
        let watched = Watched::new(&order, options).unwrap();
        let plan = block_on(watched.call(&rig.client, "plan", "{}", &rig.signal)).unwrap();
        let number = |name| at(&plan, name).write().parse::<u32>().unwrap();
        assert_eq!((number("intervalMs"), number("maxIntervalMs")), expected, "{options}");
        assert_eq!(text(&plan, "lockPrefix"), "watch/https://service.test/");
    }
    for (options, field) in [
        (r#"{"intervalMs":3600001}"#, "options.intervalMs"),
        (r#"{"maxIntervalMs":3600001}"#, "options.maxIntervalMs"),
        (r#"{"interval":1}"#, "options.interval"),
    ] {
        assert_eq!(Watched::new(&order, options).unwrap_err().field.as_deref(), Some(field));
    }
    let account = |more: &str| json(&format!(r#"{{"account":"{}"{more}}}"#, rig.owner()));
    for (chains, expected) in [("", "[]"), (r#","chainId":8453"#, "[8453]"), (r#","chainId":[8453,1]"#, "[8453,1]")] {
        let plan = call(&rig, &account(chains), "plan", "{}").unwrap();
        assert_eq!((at(&plan, "chains").write(), at(&plan, "orders").write()), (expected.into(), "[]".into()));
    }
    for (what, field) in [
        (account(r#","chain":1"#), "order.chain"),
        (account(r#","chainId":"one""#), "order.chainId"),
        (account(r#","chainId":[1,-1]"#), "order.chainId.1"),
        (json("7"), "order"),
        (json("[7]"), "order.0"),
    ] {
        let error = Watched::new(&what, "{}").unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(field)), "{what:?}");
    }
}

#[test]
fn an_end_is_told_once_the_app_came_back_and_as_of_when_it_was_shown() {
    let (rig, order) = posted(&["COMPLETED"]);
    let hash = text(&order, "orderHash").parse().unwrap();
    let told_at = || rig.client.shared.ledger.trade(hash).unwrap().told_at;
    let before = told_at();
    let mut watched = Watched::of(&order);
    watched.one(&rig).unwrap().unwrap();
    assert_eq!(told_at(), before, "the app has it in hand, and may not come back");
    let shown = rig.world.unix_ms.get();
    rig.world.pass(5_000);
    watched.one(&rig).unwrap();
    assert_eq!(told_at(), Some(shown));
}
