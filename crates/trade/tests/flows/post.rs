//! From the signature to the order the service reports: nothing signed is lost, nothing is signed twice.

use super::fake_host::{Moment, Rig, SELL, answer, at, json, set, text};
use verified_swap_trade::host::{HttpAnswer, HttpFailure};
use verify::internal::error::ErrorCode;
use verify::internal::json::Json;

/// One order, one prompt, the same bytes each time.
#[track_caller]
fn assert_one_order(rig: &Rig, order: &Json, build: &Json, posts: usize) {
    assert_eq!(text(order, "orderHash"), text(build, "orderHash"));
    assert_eq!(rig.world.prompts(), 1);
    let posted = rig.world.posts();
    assert_eq!(posted.len(), posts);
    assert!(posted.iter().all(|body| *body == posted[0]), "other bytes the second time");
}

#[test]
fn an_accepted_order_is_found_whatever_the_answer_was() {
    type Said = fn(HttpAnswer) -> Result<HttpAnswer, HttpFailure>;
    let cases: [(&str, Said); 11] = [
        ("wrapped", |said| answer(201, format!(r#"{{"order":{}}}"#, said.body))),
        ("a broken connection", |_| Err(HttpFailure::Network(None))),
        ("500", |_| answer(500, "")),
        ("502 of a proxy", |_| answer(502, "<html>Bad Gateway</html>")),
        ("timeout", |_| Err(HttpFailure::Timeout)),
        ("too large", |_| Err(HttpFailure::TooLarge)),
        ("409", |_| answer(409, r#"{"errorType":"DuplicateOrder"}"#)),
        ("400", |_| answer(400, r#"{"errorType":"InvalidInput","details":"order exists"}"#)),
        ("200 without an id", |mut said| {
            said.body = said.body.replacen(r#""id""#, r#""_id""#, 1);
            Ok(said)
        }),
        ("a cut body", |mut said| {
            said.body.truncate(40);
            Ok(said)
        }),
        ("a list", |_| answer(200, "[]")),
    ];
    for (name, said) in cases {
        let rig = Rig::default();
        let build = rig.built(SELL).unwrap();
        rig.world.service.borrow_mut().accepts_but(said);
        let order = rig.submit(&build).unwrap_or_else(|error| panic!("{name}: {error:?}"));
        assert_one_order(&rig, &order, &build, 1);
        let url = format!("https://service.test/v2/delta/orders/hash/{}", text(&build, "orderHash"));
        let looked_up: Vec<String> = rig.world.sent("orderByHash").iter().map(|sent| sent.url.clone()).collect();
        assert!(if name == "wrapped" { looked_up.is_empty() } else { looked_up == [url] }, "{name}: {looked_up:?}");
    }
}

#[test]
fn an_order_that_is_not_visible_at_once_is_not_given_up() {
    let rig = Rig::default();
    let build = rig.built(SELL).unwrap();
    {
        let mut service = rig.world.service.borrow_mut();
        service.accepts_but(|_| Err(HttpFailure::Network(None)));
        service.next_is("orderByHash", 404, r#"{"errorType":"NotFound"}"#);
        service.next_is("post", 409, r#"{"errorType":"DuplicateOrder"}"#);
    }
    let order = rig.submit(&build).unwrap();
    assert_one_order(&rig, &order, &build, 2);
}

#[test]
fn an_answer_with_another_order_is_not_believed() {
    for (member, value) in [
        ("orderHash", format!("0x{}", "ab".repeat(32))),
        ("owner", "0x00000000000000000000000000000000000bad00".into()),
    ] {
        // Twice: in the answer to the post, and where it is looked up.
        for lookup_lies in [false, true] {
            let rig = Rig::default();
            let build = rig.built(SELL).unwrap();
            let lie = |value: String| {
                move |said: HttpAnswer| {
                    let mut order = json(&said.body);
                    set(&mut order, member, &format!(r#""{value}""#));
                    answer(200, order.write())
                }
            };
            rig.world.service.borrow_mut().accepts_but(lie(value.clone()));
            if lookup_lies {
                let lie = lie(value.clone());
                rig.world
                    .service
                    .borrow_mut()
                    .next("orderByHash", move |service, request| lie(service.honest(request).ok().unwrap()));
            }
            let order = rig.submit(&build).unwrap();
            assert_one_order(&rig, &order, &build, 1 + usize::from(lookup_lies));
            assert_eq!(text(&order, "owner").to_ascii_lowercase(), rig.owner().to_string().to_ascii_lowercase());
        }
    }
}

#[test]
fn an_order_that_got_lost_is_posted_again_and_never_signed_again() {
    let rig = Rig::default();
    let build = rig.built(SELL).unwrap();
    for _ in 0..4 {
        rig.world.service.borrow_mut().next_is_lost("post");
    }
    let order = rig.submit(&build).unwrap();
    assert_one_order(&rig, &order, &build, 5);
    assert_eq!(*rig.world.sleeps.borrow(), [1_000, 2_000, 4_000, 8_000]);
}

#[test]
fn an_unreachable_service_ends_with_the_signed_order() {
    let rig = Rig::default();
    let build = rig.built(SELL).unwrap();
    for _ in 0..5 {
        rig.world.service.borrow_mut().next_is_lost("post");
        rig.world.service.borrow_mut().next_is_lost("orderByHash");
    }
    let error = rig.submit(&build).unwrap_err();
    assert_eq!(error.code, ErrorCode::Network);
    assert!(error.message.contains("sign no other"), "{}", error.message);
    let signed = json(error.signed_order.as_ref().unwrap());
    let order = rig.submit(&signed).unwrap();
    assert_one_order(&rig, &order, &build, 6);
}

#[test]
fn a_refused_order_comes_back_signed_and_is_taken_without_a_prompt() {
    let rig = Rig::default();
    let build = rig.built(SELL).unwrap();
    rig.world.service.borrow_mut().next_is("post", 400, r#"{"errorType":"InvalidInput","details":"not now"}"#);
    let error = rig.submit(&build).unwrap_err();
    assert_eq!((error.code, error.status), (ErrorCode::ServiceRejected, Some(400)));
    assert_eq!(error.details.as_deref(), Some("not now"));
    assert!(error.message.contains("do not sign this trade again before") && error.message.contains("1800001200"));
    assert_eq!(rig.world.posts().len(), 1, "a refusal is not argued with");
    let signed = json(error.signed_order.as_ref().unwrap());
    for (name, expected) in [("kind", "signedOrder"), ("deadline", "1800001200"), ("chainId", "8453")] {
        assert_eq!(text(&signed, name), expected);
    }
    let order = rig.submit(&json(&signed.write())).unwrap();
    assert_one_order(&rig, &order, &build, 2);
}

#[test]
fn a_signed_order_is_taken_by_another_page_without_a_wallet() {
    let rig = Rig::default();
    let build = rig.built(SELL).unwrap();
    rig.world.service.borrow_mut().next_is("post", 400, "");
    let signed = json(rig.submit(&build).unwrap_err().signed_order.as_ref().unwrap());
    let other = Rig::in_world(rig.world.clone(), |_, bound| bound.wallet = None);
    let order = other.submit(&signed).unwrap();
    assert_one_order(&rig, &order, &build, 2);
}

#[test]
fn an_edited_signed_order_is_refused() {
    let rig = Rig::default();
    let build = rig.built(SELL).unwrap();
    rig.world.service.borrow_mut().next_is("post", 400, "");
    let signed = json(rig.submit(&build).unwrap_err().signed_order.as_ref().unwrap());
    for (member, value) in [
        ("owner", r#""0x00000000000000000000000000000000000bad00""#.to_owned()),
        ("orderHash", format!(r#""0x{}""#, "ab".repeat(32))),
        ("deadline", "1800001201".into()),
    ] {
        let mut edited = signed.clone();
        set(&mut edited, member, &value);
        let error = rig.submit(&edited).expect_err(member);
        assert_eq!(error.code, ErrorCode::InvalidInput, "{error:?}");
        assert_eq!(error.field, Some(format!("signedOrder.{member}")));
    }
    let mut forged = signed.clone();
    set(&mut forged, "signature", &format!(r#""0x{}""#, "11".repeat(64)));
    assert_eq!(rig.submit(&forged).unwrap_err().code, ErrorCode::SignatureMismatch);
    assert_eq!(rig.world.posts().len(), 1);
}

#[test]
fn a_rate_limit_is_waited_for() {
    let rig = Rig::default();
    let build = rig.built(SELL).unwrap();
    rig.world
        .service
        .borrow_mut()
        .next("post", |_, _| Ok(HttpAnswer { status: 429, body: String::new(), retry_after_secs: Some(7) }));
    rig.world.service.borrow_mut().next_is("post", 429, "");
    // Words alone tell it, too.
    rig.world.service.borrow_mut().next_is("post", 403, r#"{"errorType":"RateLimitExceeded"}"#);
    let order = rig.submit(&build).unwrap();
    assert_one_order(&rig, &order, &build, 4);
    assert_eq!(*rig.world.sleeps.borrow(), [7_000, 2_000, 4_000]);
    assert!(rig.world.sent("orderByHash").is_empty(), "a question more would be one too many");
}

#[test]
fn a_timeout_that_the_service_tells_is_no_refusal() {
    let rig = Rig::default();
    let build = rig.built(SELL).unwrap();
    rig.world.service.borrow_mut().next_is("post", 408, "");
    let order = rig.submit(&build).unwrap();
    assert_one_order(&rig, &order, &build, 2);
}

#[test]
fn the_signed_order_is_reported_before_it_is_posted() {
    let rig = Rig::default();
    let build = rig.built(SELL).unwrap();
    rig.submit(&build).unwrap();
    let steps = rig.steps.borrow();
    let signed = steps.iter().find(|step| step.step == "signed").unwrap();
    let signed = json(signed.signed_order.as_ref().unwrap());
    assert_eq!(text(&signed, "orderHash"), text(&build, "orderHash"));
    assert!(at(&signed, "sealed").as_text().is_some());
}

#[test]
fn a_refusal_after_a_post_without_an_answer_says_nothing_about_that_post() {
    // Lists and reads lag: the order is seen at the seventh look, 31 s later at most.
    for (status, words) in [
        (409, r#"{"errorType":"DuplicateOrder"}"#),
        (400, r#"{"errorType":"InvalidInput","details":"the order exists already"}"#),
        (400, r#"{"errorType":"InvalidInput","details":"not now"}"#),
        (422, ""),
    ] {
        let rig = Rig::default();
        let build = rig.built(SELL).unwrap();
        {
            let mut service = rig.world.service.borrow_mut();
            service.accepts_but(|_| Err(HttpFailure::Network(None)));
            (0..6).for_each(|_| service.next_is("orderByHash", 404, r#"{"errorType":"NotFound"}"#));
            service.next_is("post", status, words);
        }
        let order = rig.submit(&build).unwrap();
        assert_one_order(&rig, &order, &build, 2);
        assert_eq!(rig.world.sent("orderByHash").len(), 7);
        // To the end of the time, and not beyond.
        assert_eq!(rig.world.sleeps.borrow().iter().sum::<u32>(), 1_000 + 29_000, "{status} {words}");
    }
}

#[test]
fn an_order_that_the_service_says_it_has_is_looked_up_also_after_the_first_post() {
    let rig = Rig::default();
    let build = rig.built(SELL).unwrap();
    {
        let mut service = rig.world.service.borrow_mut();
        // A browser repeats a post by itself on a connection that was reset.
        service.accepts_but(|_| answer(409, r#"{"errorType":"Conflict"}"#));
        (0..3).for_each(|_| service.next_is("orderByHash", 404, r#"{"errorType":"NotFound"}"#));
    }
    let order = rig.submit(&build).unwrap();
    assert_one_order(&rig, &order, &build, 1);
}

#[test]
fn what_became_of_a_post_without_an_answer_stays_unknown_whatever_its_repeat_is_told() {
    let rig = Rig::default();
    let build = rig.built(SELL).unwrap();
    {
        let mut service = rig.world.service.borrow_mut();
        service.accepts_but(|_| Err(HttpFailure::Network(None)));
        service.next_is("post", 409, r#"{"errorType":"DuplicateOrder"}"#);
        service.always_is("orderByHash", 404, r#"{"errorType":"NotFound"}"#);
    }
    let error = rig.submit(&build).unwrap_err();
    assert_eq!(error.code, ErrorCode::Network, "{error:?}");
    assert!(error.message.contains("may have arrived"), "{}", error.message);
    assert!(error.signed_order.is_some());
    rig.world.service.borrow_mut().recovers();
    let order = rig.submit(&json(error.signed_order.as_ref().unwrap())).unwrap();
    assert_one_order(&rig, &order, &build, 3);
}

#[test]
fn a_page_that_slept_looks_once_more() {
    let rig = Rig::default();
    let build = rig.built(SELL).unwrap();
    rig.world.service.borrow_mut().accepts_but(|_| Err(HttpFailure::Network(None)));
    rig.world.once(Moment::Fetched("post"), |world| world.pass(72_000));
    let order = rig.submit(&build).unwrap();
    assert_one_order(&rig, &order, &build, 1);
    assert_eq!(rig.world.sent("orderByHash").len(), 1);

    // One that is not there is still said to be unknown.
    let rig = Rig::default();
    let build = rig.built(SELL).unwrap();
    rig.world.service.borrow_mut().next_is_lost("post");
    rig.world.once(Moment::Fetched("post"), |world| world.pass(72_000));
    let error = rig.submit(&build).unwrap_err();
    assert_eq!((error.code, rig.world.sent("orderByHash").len()), (ErrorCode::Network, 1));
    assert!(error.message.contains("may have arrived") && error.signed_order.is_some());
}
