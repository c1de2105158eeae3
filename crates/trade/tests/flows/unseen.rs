//! An order that the service handed out and then does not find, as while its reads lag behind: it exists.

use super::fake_host::{Moment, Rig, SELL, Watched, answer, at, json, text};
use super::journal::{next, tab};
use verify::internal::error::{Error, ErrorCode};
use verify::internal::json::Json;

const NOT_FOUND: &str = r#"{"errorType":"NotFound"}"#;
const HOUR: u64 = 3_600_000;

/// The service finds no order, until [`found`].
fn lost(rig: &Rig) {
    for endpoint in ["order", "orderByHash"] {
        rig.world.service.borrow_mut().always_is(endpoint, 404, NOT_FOUND);
    }
}

/// It has been lost, and is found from that time on, in unix milliseconds.
fn found_at(rig: &Rig, at: u64, status: &'static str) {
    lost(rig);
    rig.world.at_each(move |world, moment| {
        if moment == Moment::Sleep && world.unix_ms.get() >= at {
            let mut service = world.service.borrow_mut();
            service.recovers();
            service.statuses = [status].into();
        }
    });
}

fn posted() -> (Rig, Json) {
    let rig = Rig::default();
    let order = rig.submit(&rig.built(SELL).unwrap()).unwrap();
    (rig, order)
}

fn follow(what: &Json) -> Watched {
    Watched::of(what)
}

fn one(rig: &Rig, follow: &mut Watched) -> Result<Option<Json>, Error> {
    follow.one(rig)
}

/// Status, `ended`, and whether it is unseen, of all that is yielded.
fn all(rig: &Rig, what: &Json) -> Vec<String> {
    let mut follow = follow(what);
    let said = |order: Json| {
        let ended = order.get("ended").and_then(Json::as_text).unwrap_or_default();
        let unseen = if order.get("unseenSince").is_some() { "unseen" } else { "" };
        [text(&order, "status"), ended, unseen].join(" ").trim().replace("  ", " ")
    };
    std::iter::from_fn(|| one(rig, &mut follow).unwrap()).map(said).collect()
}

fn string(text: &str) -> Json {
    Json::String(text.into())
}

#[test]
fn an_order_that_was_posted_is_waited_for_however_it_is_named() {
    let name = |order: &Json, how: usize| match how {
        0 => order.clone(),
        1 => string(text(order, "id")),
        2 => string(text(order, "orderHash")),
        // By who shouts.
        3 => string(&text(order, "id").to_uppercase()),
        _ => panic!(),
    };
    for how in 0..4 {
        let (rig, order) = posted();
        let began = rig.world.unix_ms.get();
        found_at(&rig, began + 10 * 60_000, "COMPLETED");
        let what = name(&order, how);
        let first = one(&rig, &mut follow(&what)).unwrap().unwrap();
        assert_eq!(text(&first, "unseenSince"), began.to_string());
        assert_eq!((text(&first, "status"), text(&first, "orderHash")), ("PENDING", text(&order, "orderHash")));
        assert_eq!(first.get("unverified"), None);
        rig.world.service.borrow_mut().statuses = ["PENDING"].into();
        assert_eq!(all(&rig, &what), ["PENDING unseen", "COMPLETED"], "{how}");
    }
}

#[test]
fn an_order_that_the_application_kept_or_the_journal_has_is_waited_for() {
    // Another client, as after a reload without a storage: the application still has it.
    let (rig, order) = posted();
    let other = Rig::in_world(rig.world.clone(), |_, _| {});
    found_at(&other, other.world.unix_ms.get() + 90_000, "FAILED");
    assert_eq!(all(&other, &order), ["PENDING unseen", "FAILED"]);
    // By its name alone, from the journal.
    for member in ["id", "orderHash"] {
        let rig = tab();
        let order = rig.submit(&rig.built(SELL).unwrap()).unwrap();
        let page = next(&rig);
        found_at(&page, page.world.unix_ms.get() + 90_000, "FAILED");
        let first = one(&page, &mut follow(&string(text(&order, member)))).unwrap().unwrap();
        for name in ["id", "status", "orderHash", "input.chainId", "onChainOrderType"] {
            assert_eq!(text(&first, name), text(&order, name));
        }
        assert_eq!(at(&first, "transactions"), &Json::Array(vec![]));
        assert_eq!(first.get("unverified"), None, "its struct is known: {first:?}");
        // The last status in the journal stays.
        assert_eq!(all(&page, &string(text(&order, member))), ["PENDING unseen", "FAILED"]);
        let page = next(&rig);
        lost(&page);
        assert_eq!(all(&page, &string(text(&order, member))), ["FAILED unseen"]);
    }
}

#[test]
fn nobody_knows_an_order_that_only_the_application_names() {
    let rig = Rig::default();
    let hash = format!("0x{}", "ab".repeat(32));
    for what in [string("0b1e6a9c-0000-4000-8000-000000000001"), string(&hash), json(r#"{"id":"7"}"#)] {
        lost(&rig);
        let error = one(&rig, &mut follow(&what)).unwrap_err();
        assert_eq!((error.code, error.status), (ErrorCode::ServiceRejected, Some(404)));
    }
    // Nor one that contradicts what this client knows.
    let (rig, order) = posted();
    let mut other = order.clone();
    super::fake_host::set(&mut other, "owner", r#""0x00000000000000000000000000000000000bad00""#);
    lost(&rig);
    assert_eq!(one(&rig, &mut follow(&other)).unwrap_err().status, Some(404));
}

#[test]
fn it_is_given_up_an_hour_after_its_deadline() {
    let (rig, order) = posted();
    lost(&rig);
    let end = rig.world.unix_ms.get() + 20 * 60_000 + HOUR;
    let mut follow = follow(&order);
    assert!(one(&rig, &mut follow).unwrap().is_some());
    let error = one(&rig, &mut follow).unwrap_err();
    assert_eq!((error.code, error.status), (ErrorCode::ServiceRejected, Some(404)));
    assert_eq!(error.order_hash.map(|hash| hash.to_string()).as_deref(), Some(text(&order, "orderHash")));
    assert!((end..end + 60_000).contains(&rig.world.unix_ms.get()));
}

#[test]
fn what_a_service_says_itself_of_that_is_dropped() {
    let (rig, order) = posted();
    rig.world.service.borrow_mut().order_lie =
        Some(Box::new(|order| super::fake_host::set(order, "unseenSince", "17")));
    rig.world.service.borrow_mut().statuses = ["COMPLETED"].into();
    assert_eq!(all(&rig, &order), ["COMPLETED"]);
}

#[test]
fn after_an_own_cancellation_the_chain_says_what_the_service_does_not() {
    for is_spent in [true, false] {
        let (rig, order) = posted();
        rig.world.service.borrow_mut().next("cancel", |_, _| answer(200, r#"{"success":true}"#));
        rig.call("cancel", &order, "{}").unwrap();
        found_at(&rig, rig.world.unix_ms.get() + 120_000, "CANCELLED");
        if is_spent {
            rig.fill(&order_nonce(&order));
            assert_eq!(all(&rig, &order), ["PENDING chain unseen"]);
        } else {
            // The nonce tells nothing of what only the service dropped.
            assert_eq!(all(&rig, &order), ["PENDING unseen", "CANCELLED"]);
        }
    }
    // On chain.
    let (rig, order) = posted();
    let cancellation = rig.call("buildCancellation", &order, "{}").unwrap();
    let send = |_: &Json| Ok(string("0x"));
    let delta = super::fake_host::DELTA.parse().unwrap();
    rig.world.chain.borrow_mut().node(8453).contracts.insert(delta, Box::new(send));
    rig.call("submit", &cancellation, "{}").unwrap();
    rig.fill(&order_nonce(&order));
    lost(&rig);
    assert_eq!(all(&rig, &order), ["PENDING chain unseen"]);
    // The chain is not asked about an order that was not cancelled: it may have been filled by now.
    let (rig, order) = posted();
    rig.fill(&order_nonce(&order));
    found_at(&rig, rig.world.unix_ms.get() + 120_000, "COMPLETED");
    assert_eq!(all(&rig, &order), ["PENDING unseen", "COMPLETED"]);
}

/// The part of a build that [`Rig::fill`] reads.
fn order_nonce(order: &Json) -> Json {
    json(&format!(r#"{{"nonce":"{}"}}"#, text(order, "order.nonce")))
}
