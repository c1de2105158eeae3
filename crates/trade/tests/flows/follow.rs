//! Following an order to its end.

use super::fake_host::{Moment, Rig, SELL, Service, json, text};
use pollster::block_on;
use verified_swap_trade::flows::{Follow, FollowPace};
use verified_swap_trade::host::HttpFailure;
use verify::internal::domain::delta::status::{TERMINAL, is_terminal};
use verify::internal::error::{ErrorCode, Result};
use verify::internal::json::{Json, JsonAt};

/// A posted order whose next readings have these statuses.
fn posted(statuses: &[&'static str]) -> (Rig, Json) {
    let rig = Rig::default();
    let order = rig.submit(&rig.built(SELL).unwrap()).unwrap();
    rig.world.service.borrow_mut().statuses = statuses.iter().copied().collect();
    (rig, order)
}

fn follow(order: &Json, options: &str) -> Follow {
    Follow::new(order, FollowPace::read(&JsonAt::input(&json(options), "options")).unwrap()).unwrap()
}

fn next(rig: &Rig, follow: &mut Follow) -> Result<Option<String>> {
    let next = block_on(follow.next(&rig.client, &rig.signal))?;
    Ok(next.map(|order| text(&json(&order), "status").to_owned()))
}

fn all(rig: &Rig, follow: &mut Follow) -> Vec<String> {
    std::iter::from_fn(|| next(rig, follow).unwrap()).collect()
}

#[test]
fn only_changes_are_yielded_and_the_final_status_ends_the_watch() {
    let (rig, order) = posted(&["PENDING", "PENDING", "ACTIVE", "ACTIVE", "ACTIVE", "COMPLETED"]);
    let mut follow = follow(&order, "{}");
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
        assert_eq!(all(&rig, &mut follow(&order, "{}")), [status]);
    }
    let open = ["PENDING", "AWAITING_SIGNATURE", "ACTIVE", "SUSPENDED", "CANCELLING", "BRIDGING", "REFUNDING"];
    for status in open.into_iter().chain(["EXECUTING", "completed", "SOMETHING_NEW", ""]) {
        assert!(!is_terminal(status), "{status}");
        let (rig, order) = posted(&[status, "FAILED"]);
        assert_eq!(all(&rig, &mut follow(&order, "{}")), [status, "FAILED"]);
    }
}

#[test]
fn temporary_failures_are_retried() {
    let (rig, order) = posted(&["PENDING", "COMPLETED"]);
    let mut follow = follow(&order, "{}");
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
    let mut follow = follow(&order, "{}");
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
fn permanent_failures_end_the_watch() {
    let (rig, order) = posted(&["PENDING"]);
    let refuse = |times: usize| {
        for _ in 0..times {
            rig.world.service.borrow_mut().next_is("order", 403, r#"{"errorType":"Forbidden"}"#);
        }
    };
    refuse(1);
    let mut unknown = follow(&order, "{}");
    let error = next(&rig, &mut unknown).unwrap_err();
    assert_eq!((error.code, error.status), (ErrorCode::ServiceRejected, Some(403)));
    assert_eq!(error.order_hash.map(|hash| hash.to_string()).as_deref(), Some(text(&order, "orderHash")));
    // And can be taken up again. What was there once may be refused by one of the service's machines.
    assert_eq!(next(&rig, &mut unknown).unwrap().as_deref(), Some("PENDING"));
    refuse(2);
    rig.world.service.borrow_mut().statuses = ["ACTIVE"].into();
    assert_eq!(next(&rig, &mut unknown).unwrap().as_deref(), Some("ACTIVE"));
    refuse(3);
    assert_eq!(next(&rig, &mut unknown).unwrap_err().status, Some(403));
}

#[test]
fn an_order_is_followed_by_id_hash_or_itself() {
    let (rig, order) = posted(&["COMPLETED"]);
    let (id, hash) = (text(&order, "id").to_owned(), text(&order, "orderHash").to_owned());
    for key in [order, Json::String(id), Json::String(hash)] {
        assert_eq!(all(&rig, &mut follow(&key, "{}")), ["COMPLETED"]);
    }
    assert_eq!((rig.world.sent("order").len(), rig.world.sent("orderByHash").len()), (2, 1));
}

#[test]
fn an_abort_ends_the_wait() {
    let (rig, order) = posted(&["PENDING"]);
    let mut follow = follow(&order, "{}");
    next(&rig, &mut follow).unwrap();
    let signal = rig.signal.0.clone();
    rig.world.once(Moment::Sleep, move |_| signal.set(true));
    assert_eq!(next(&rig, &mut follow).unwrap_err().code, ErrorCode::Aborted);
    assert_eq!(rig.world.sent("order").len(), 1);
}
