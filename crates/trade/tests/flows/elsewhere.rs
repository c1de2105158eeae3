//! One browser, two services: what was signed for the one is not posted to the other unasked, and stands in the way.

use super::fake_host::{Rig, SELL, at, json, set, text};
use super::journal::{left_signed, list, next, tab};
use verify::internal::error::ErrorCode;

const OTHER: &str = r#""http://localhost:4001""#;

/// The entries as a page of that service wrote them.
fn made_for(rig: &Rig, service: &str) -> Rig {
    for (_, text) in rig.world.browser.stored.borrow_mut().iter_mut().filter(|(name, _)| name.starts_with("trade/")) {
        let mut entry = json(text);
        set(&mut entry, "baseUrl", service);
        *text = entry.write();
    }
    next(rig)
}

#[test]
fn what_was_signed_for_another_service_is_listed_and_in_the_way_and_posted_only_by_the_user() {
    let first = left_signed();
    let page = made_for(&first, OTHER);
    let (posts, asked) = (page.world.posts().len(), page.world.sent("orderByHash").len());
    let trade = list(&page, "trades.resume")[0].clone();
    assert_eq!((text(&trade, "state"), text(&trade, "needs")), ("posting", "decision"), "{trade:?}");
    assert_eq!(text(&trade, "baseUrl"), "http://localhost:4001");
    assert_eq!((page.world.sent("orderByHash").len(), page.world.posts().len()), (asked, posts));
    let build = page.built(SELL).unwrap();
    assert_eq!(text(&build, "nonce"), nonce(&first));
    let error = page.submit(&build).unwrap_err();
    assert_eq!(error.code, ErrorCode::AlreadySigned);
    assert!(error.message.contains("it was signed for the service at http://localhost:4001"), "{error:?}");
    page.submit(at(&trade, "signedOrder")).unwrap();
    assert_eq!(page.world.posts().len(), posts + 1);
    let all = list(&page, "trades.list");
    assert_eq!((text(&all[0], "state"), text(&all[0], "baseUrl")), ("posted", &*page.client.shared.settings.base_url));
}

/// The nonce of the only order that was signed.
fn nonce(rig: &Rig) -> String {
    let stored = rig.world.browser.stored.borrow();
    let (_, text) = stored.iter().find(|(name, _)| name.starts_with("nonce/")).unwrap();
    text.clone()
}

#[test]
fn what_another_service_has_is_not_asked_of_this_one() {
    let first = tab();
    first.submit(&first.built(SELL).unwrap()).unwrap();
    let page = made_for(&first, OTHER);
    page.world.service.borrow_mut().always_is("orderByHash", 404, "{}");
    let asked = page.world.sent("orderByHash").len();
    assert_eq!(text(&list(&page, "trades.resume")[0], "state"), "posted");
    assert_eq!(page.world.sent("orderByHash").len(), asked);
}

#[test]
fn a_tab_that_hears_no_other_reads_again_what_they_wrote() {
    let page = tab();
    page.world.browser.is_deaf.set(true);
    assert!(list(&page, "trades.list").is_empty());
    let other = next(&page);
    other.submit(&other.built(SELL).unwrap()).unwrap();
    assert_eq!(list(&page, "trades.list").len(), 1);
}

#[test]
fn how_an_order_for_another_service_ended_is_not_told_by_this_one() {
    for secs in [120, 100_000] {
        let first = left_signed();
        let page = made_for(&first, OTHER);
        // It was posted there after all, and filled.
        page.world.chain.borrow_mut().node(8453).used_nonces.push(nonce(&first).parse().unwrap());
        page.world.pass(secs * 1_000);
        page.mine_now(8453);
        let trade = list(&page, "trades.resume")[0].clone();
        assert_eq!((text(&trade, "state"), text(&trade, "needs")), ("posting", "decision"), "{trade:?}");
        for page in [&page, &next(&page)] {
            let error = page.submit(&page.built(SELL).unwrap()).unwrap_err();
            assert_eq!((error.code, error.actual.as_deref()), (ErrorCode::AlreadySigned, Some("filled or cancelled")));
        }
        // The way on is that of any order of which nobody was told.
        page.call("trades.abandon", at(&trade, "id"), "{}").unwrap();
        assert_eq!(page.submit(&page.built(SELL).unwrap()).is_err(), secs == 120);
    }
}
