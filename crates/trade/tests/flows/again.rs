//! A second order for one intent is signed only where the caller says so, or where the first cannot be filled any more by
//! the chain. The service's word on its end is a claim.

use super::fake_host::{DELTA, Moment, RFQ, Rig, SELL, SRC, failure, json, text, with};
use super::journal::note;
use super::kinds::{Kind, kinds};
use super::otc;
use alloy_primitives::{Address, U256};
use std::rc::Rc;
use verify::internal::domain::delta::order::{EXTERNAL_ORDER, ORDER};
use verify::internal::error::{Error, ErrorCode};
use verify::internal::json::Json;

pub(super) const REPLACE: &str = r#"{"existing":"replace"}"#;
pub(super) const ANOTHER: &str = r#"{"existing":"keepBoth"}"#;
pub(super) const PARTS: &str = r#"{"limitAmount":"41000000000000000","partiallyFillable":true}"#;

impl Kind {
    pub(super) fn is_in_parts(&self) -> bool {
        ![ORDER, EXTERNAL_ORDER].contains(&self.encoded) || self.options.contains("partiallyFillable")
    }

    /// An owner who can pay for it, and has signed and posted one.
    pub(super) fn posted(&self) -> (Rig, Json) {
        let rig = self.rig();
        rig.world.chain.borrow_mut().node(8453).balance = U256::from(10).pow(U256::from(24));
        let build = self.built(&rig).unwrap();
        rig.submit(&build).unwrap_or_else(|error| panic!("{}: {error:?}", self.request));
        (rig, build)
    }

    /// The same trade once more, some time later.
    pub(super) fn once_more(&self, rig: &Rig, more: &str) -> Json {
        rig.world.pass(10_000);
        let options = if more.is_empty() { self.options.into() } else { with(self.options, more) };
        rig.built_as(&self.request, &options).unwrap()
    }
}

/// Nothing was asked of the wallet, and nothing posted, since there were that many of each.
#[track_caller]
pub(super) fn assert_refused(rig: &Rig, error: &Error, first: &Json, before: (usize, usize)) {
    assert_eq!(error.code, ErrorCode::AlreadySigned, "{error:?}");
    assert_eq!(error.order_hash.unwrap().to_string(), text(first, "orderHash"));
    assert!(error.message.contains(text(first, "orderHash")), "{error:?}");
    assert_eq!(text(&json(&error.write()), "orderHash"), text(first, "orderHash"));
    assert_eq!((rig.world.prompts(), rig.world.posts().len()), before);
}

pub(super) fn hash(build: &Json) -> String {
    text(build, "orderHash").into()
}

/// An order that is signed and posted, and a build for the same trade some time later.
pub(super) fn signed_and_built() -> (Rig, Json, Json) {
    let rig = Rig::default();
    let first = rig.built(SELL).unwrap();
    rig.submit(&first).unwrap();
    rig.world.pass(1_000);
    let second = rig.built(SELL).unwrap();
    (rig, first, second)
}

/// A chain whose Delta contract takes every call, and a service that takes every signature.
pub(super) fn consenting() -> Rig {
    let rig = Rig::default();
    let contract = Box::new(|_: &Json| Ok(json(r#""0x""#)));
    rig.world.chain.borrow_mut().node(8453).contracts.insert(DELTA.parse().unwrap(), contract);
    rig.world.service.borrow_mut().takes = Some(Box::new(|_| true));
    rig
}

#[test]
fn whatever_the_service_claims_the_same_trade_is_not_signed_twice_unasked() {
    for kind in kinds() {
        for claim in ["FAILED", "CANCELLED"] {
            let (rig, first) = kind.posted();
            let before = (rig.world.prompts(), rig.world.posts().len());
            rig.world.service.borrow_mut().statuses = [claim].into();
            rig.call("order", &Json::String(hash(&first)), "{}").unwrap();
            let second = kind.once_more(&rig, "");
            assert_ne!(hash(&second), hash(&first));
            for options in ["{}", r#"{"preSign":true}"#] {
                let error = rig.submit_with(&second, options).unwrap_err();
                assert_refused(&rig, &error, &first, before);
            }
            assert!(rig.world.wallet_was_asked("eth_sendTransaction").is_empty());
        }
    }
}

#[test]
fn an_order_whose_nonce_is_used_blocks_no_other() {
    for kind in kinds() {
        let (rig, first) = kind.posted();
        rig.fill(&first);
        let second = kind.once_more(&rig, "");
        assert_ne!(text(&second, "nonce"), text(&first, "nonce"), "{}", kind.request);
        let outcome = rig.submit(&second);
        // One filled in parts is counted by its hash: that its nonce is used says nothing.
        match kind.options.contains("partiallyFillable") {
            true => assert_eq!(outcome.unwrap_err().code, ErrorCode::AlreadySigned),
            false => assert_eq!(text(&outcome.unwrap(), "orderHash"), hash(&second)),
        }
    }
}

#[test]
fn a_deadline_that_has_passed_by_the_chains_clock_ends_every_order() {
    for kind in kinds() {
        let (rig, first) = kind.posted();
        let deadline: u64 = super::fake_host::at(&first, "deadline").write().parse().unwrap();
        for (time, is_over) in [(deadline, false), (deadline + 1, true)] {
            // The time of a node counts as far as this machine's clock agrees with it.
            rig.world.chain.borrow_mut().node(8453).time = time;
            rig.world.unix_ms.set(time * 1_000);
            let second = kind.once_more(&rig, "");
            let outcome = rig.submit(&second);
            assert_eq!(outcome.is_ok(), is_over, "{}: {outcome:?}", kind.request);
        }
    }
}

#[test]
fn a_nonce_that_was_used_is_not_drawn_again_however_long_ago() {
    // Whether or not the chain can tell that it was.
    for no_nonces in [false, true] {
        let rig = Rig::default();
        let first = rig.built(SELL).unwrap();
        rig.submit(&first).unwrap();
        rig.fill(&first);
        rig.world.chain.borrow_mut().node(8453).time += 5_000;
        rig.world.chain.borrow_mut().node(8453).no_nonces = no_nonces;
        rig.world.pass(5_000_000);
        for _ in 0..2 {
            let second = rig.built(SELL).unwrap();
            assert_ne!(text(&second, "nonce"), text(&first, "nonce"));
            rig.world.pass(1_000);
        }
    }
}

#[test]
fn a_node_whose_clock_is_ahead_ends_no_order() {
    let (rig, first, second) = signed_and_built();
    rig.world.chain.borrow_mut().node(8453).time = 1_800_100_000;
    assert_refused(&rig, &rig.submit(&second).unwrap_err(), &first, (1, 1));
}

#[test]
fn a_chain_that_cannot_answer_leaves_an_order_unsettled() {
    let fail = |rig: &Rig, what: &str| {
        let mut chains = rig.world.chain.borrow_mut();
        let node = chains.node(8453);
        match what {
            "node" => node.unreachable = true,
            "function" => node.no_nonces = true,
            _ => {
                node.no_nonces = true;
                node.contracts.insert(DELTA.parse().unwrap(), Box::new(|_| Err(failure(3, "execution reverted"))));
            }
        }
    };
    for what in ["node", "function", "revert"] {
        let (rig, first, second) = signed_and_built();
        rig.fill(&first);
        fail(&rig, what);
        assert_refused(&rig, &rig.submit(&second).unwrap_err(), &first, (1, 1));
    }
}

#[test]
fn with_replace_one_nonce_is_signed_twice_and_parts_are_told_what_to_do() {
    for kind in kinds() {
        let (rig, first) = kind.posted();
        if kind.is_in_parts() {
            let second = kind.once_more(&rig, "");
            let error = rig.submit_with(&second, REPLACE).unwrap_err();
            assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("options.existing")));
            assert_words_in_parts(text(&first, "orderKind"), error.expected.as_deref().unwrap());
            let asked = with(kind.options, r#""existing":"replace""#);
            let error = rig.built_as(&kind.request, &asked).unwrap_err();
            assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("options.existing")));
            continue;
        }
        // Said to either call, to one build or another.
        for (more, options) in [("", REPLACE), (r#""existing":"replace""#, "{}")] {
            let second = kind.once_more(&rig, more);
            assert_eq!(text(&second, "nonce"), text(&first, "nonce"));
            assert_eq!(text(&rig.submit_with(&second, options).unwrap(), "orderHash"), hash(&second));
        }
    }
}

/// The words about an order that no longer stands in the way, with `existing` and without.
#[track_caller]
pub(super) fn assert_words_once_spent(error: &Error, first: &Json, says_again: bool) {
    assert_eq!(error.code, ErrorCode::AlreadySigned, "{error:?}");
    assert_eq!(error.order_hash.unwrap().to_string(), text(first, "orderHash"));
    assert_eq!(error.actual.as_deref(), Some("filled or cancelled"));
    let words = match says_again {
        true => {
            "was filled or cancelled meanwhile: there is nothing to replace; to trade once more build without `existing`"
        }
        false => {
            "was filled or cancelled meanwhile, and this build has its nonce: to trade once more, quote and build again"
        }
    };
    assert_eq!(error.message, format!("the order {} {words}", text(first, "orderHash")));
}

/// The words that are offered in place of a replacement.
#[track_caller]
fn assert_words_in_parts(kind: &str, words: &str) {
    assert!(words.contains(r#"existing: "keepBoth""#) && !words.contains("replace\""), "{words}");
    let stays = words.contains("it stays fillable until its deadline, whoever has its signature");
    let ends = words.contains("cancel it on chain (buildCancellation)");
    assert_eq!((stays, ends), (kind == "FillableOrder", kind != "FillableOrder"), "{kind}: {words}");
}

#[test]
fn a_filled_order_is_not_replaced_and_a_plain_build_goes_on() {
    for kind in kinds().into_iter().filter(|kind| !kind.is_in_parts()) {
        let (rig, first) = kind.posted();
        let early = [kind.once_more(&rig, ""), kind.once_more(&rig, r#""existing":"replace""#)];
        rig.fill(&first);
        let asked = rig.world.sent("build").len();
        let error = rig.built_as(&kind.request, &with(kind.options, r#""existing":"replace""#)).unwrap_err();
        assert_words_once_spent(&error, &first, true);
        assert_eq!(rig.world.sent("build").len(), asked);
        let later = kind.once_more(&rig, "");
        for build in early.iter().chain([&later]) {
            assert_words_once_spent(&rig.submit_with(build, REPLACE).unwrap_err(), &first, true);
        }
        for (build, says_again) in early.iter().zip([false, true]) {
            assert_words_once_spent(&rig.submit(build).unwrap_err(), &first, says_again);
        }
        assert_eq!((rig.world.prompts(), rig.world.posts().len()), (1, 1));
        rig.submit(&later).unwrap();
        // That one is there to be replaced.
        let third = kind.once_more(&rig, r#""existing":"replace""#);
        assert_eq!(text(&third, "nonce"), text(&later, "nonce"));
        rig.submit(&third).unwrap();
    }
}

#[test]
fn nothing_is_replaced_where_nothing_is_signed() {
    for kind in kinds().into_iter().filter(|kind| !kind.is_in_parts()) {
        let rig = kind.rig();
        rig.world.chain.borrow_mut().node(8453).balance = U256::from(10).pow(U256::from(24));
        let build = kind.built(&rig).unwrap();
        let asked = with(kind.options, r#""existing":"replace""#);
        for error in [rig.built_as(&kind.request, &asked).unwrap_err(), rig.submit_with(&build, REPLACE).unwrap_err()] {
            assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("options.existing")));
            let words = "there is no order for this trade to replace";
            assert!(error.message.contains(words), "{error:?}");
        }
        rig.world.assert_untouched();
        rig.submit(&build).unwrap();
    }
}

#[test]
fn what_was_built_to_replace_goes_on_where_the_first_came_to_nothing() {
    for is_rejected in [true, false] {
        let rig = Rig::default();
        rig.world.wallet_waits.set(is_rejected);
        let first = rig.built(SELL).unwrap();
        if is_rejected {
            rig.world.signer.borrow_mut().next_fails("eth_signTypedData_v4", 4001);
            rig.give_up(&first);
        } else {
            rig.submit(&first).unwrap();
        }
        rig.world.pass(1_000);
        let second = r#"{"slippageBps":50,"validForSecs":80000,"existing":"replace"}"#;
        let second = rig.built_as(SELL, second).unwrap();
        assert_eq!(text(&second, "nonce"), text(&first, "nonce"));
        rig.world.wallet_waits.set(false);
        if !is_rejected {
            let over: u64 = super::fake_host::at(&first, "deadline").write().parse().unwrap();
            rig.world.chain.borrow_mut().node(8453).time = over + 1;
            rig.world.unix_ms.set((over + 1) * 1_000);
        }
        rig.submit(&second).unwrap();
    }
}

#[test]
fn an_unsigned_nonce_replaces_nothing() {
    for kind in kinds().into_iter().filter(|kind| !kind.is_in_parts()) {
        let (rig, first) = kind.posted();
        let other = kind.once_more(&rig, r#""existing":"keepBoth""#);
        // The wallet was asked for it, and refused.
        rig.world.signer.borrow_mut().next_fails("eth_signTypedData_v4", 4001);
        assert_eq!(rig.submit(&other).unwrap_err().code, ErrorCode::UserRejected);
        for (more, options) in [(r#""existing":"replace""#, "{}"), ("", REPLACE)] {
            let build = kind.once_more(&rig, more);
            assert_eq!(text(&build, "nonce"), text(&first, "nonce"));
            rig.submit_with(&build, options).unwrap();
        }
    }
}

impl Rig {
    /// Submits it, and waits for the wallet no more once it was asked.
    pub(super) fn give_up(&self, build: &Json) {
        let stop = self.signal.0.clone();
        self.world.once(Moment::Answer("eth_signTypedData_v4"), move |_| stop.set(true));
        assert_eq!(self.submit(build).unwrap_err().code, ErrorCode::Aborted);
        self.signal.0.set(false);
    }
}

#[test]
fn an_order_still_in_the_wallet_can_be_replaced() {
    let (rig, replace) = (Rig::default(), r#"{"slippageBps":50,"existing":"replace"}"#);
    rig.world.wallet_waits.set(true);
    let first = rig.built(SELL).unwrap();
    rig.give_up(&first);
    // Nobody submits this one.
    let another = || rig.built_as(SELL, r#"{"slippageBps":50,"existing":"keepBoth"}"#).unwrap();
    assert_ne!(text(&another(), "nonce"), text(&first, "nonce"));
    rig.world.pass(1_000);
    assert_eq!(text(&rig.built_as(SELL, replace).unwrap(), "nonce"), text(&first, "nonce"));
    // One of two orders with one nonce is filled: the one in the wallet cannot be.
    let rig = Rig::default();
    let first = rig.built(SELL).unwrap();
    rig.submit(&first).unwrap();
    rig.world.pass(1_000);
    rig.world.wallet_waits.set(true);
    rig.give_up(&rig.built_as(SELL, replace).unwrap());
    rig.fill(&first);
    rig.world.pass(1_000);
    assert_words_once_spent(&rig.built_as(SELL, replace).unwrap_err(), &first, true);
}

#[test]
fn a_build_that_is_shared_replaces_what_may_still_be_filled() {
    let rig = Rig::default();
    let first = rig.built_as(SELL, r#"{"slippageBps":50,"validForSecs":30}"#).unwrap();
    rig.submit(&first).unwrap();
    let quote = rig.quote(SELL).unwrap();
    let replace = || rig.build(&quote, r#"{"slippageBps":50,"validForSecs":3000,"existing":"replace"}"#).unwrap();
    assert_eq!(text(&replace(), "nonce"), text(&first, "nonce"));
    let other = rig.built_as(SELL, r#"{"slippageBps":50,"validForSecs":3000,"existing":"keepBoth"}"#).unwrap();
    rig.submit(&other).unwrap();
    let over: u64 = super::fake_host::at(&first, "deadline").write().parse().unwrap();
    rig.world.chain.borrow_mut().node(8453).time = over + 1;
    rig.world.unix_ms.set((over + 1) * 1_000);
    assert_eq!(text(&replace(), "nonce"), text(&other, "nonce"));
    rig.submit(&replace()).unwrap();
    // Nothing is replaced once their time is over.
    rig.world.chain.borrow_mut().node(8453).time += 5_000;
    rig.world.pass(5_000_000);
    let error = rig.built_as(SELL, r#"{"slippageBps":50,"existing":"replace"}"#).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("options.existing")));
}

#[test]
fn the_error_offers_only_what_the_kind_accepts() {
    for kind in kinds() {
        let (rig, first) = kind.posted();
        let message = rig.submit(&kind.once_more(&rig, "")).unwrap_err().message.clone();
        let words = format!("an order for the same trade ({}) is signed and may still be filled: ", hash(&first));
        let remedy = message.strip_prefix(&words).unwrap_or_else(|| panic!("{message}"));
        if kind.is_in_parts() {
            assert_words_in_parts(text(&first, "orderKind"), remedy);
            continue;
        }
        let both = r#"for both, build(quote, { ..., existing: "keepBoth" })"#;
        let words = format!(r#"for this one to take its place, submit(build, {{ existing: "replace" }}); {both}"#);
        assert_eq!(remedy, words);
    }
    // A build of another nonce cannot take its place.
    let rig = Rig::default();
    rig.submit(&rig.built(SELL).unwrap()).unwrap();
    let elsewhere = Rig::in_world(Rc::clone(&rig.world), |shared, _| shared.settings.secret = [9; 32]);
    let build = elsewhere.built(SELL).unwrap();
    let request = with(SELL, &format!(r#""minReceived":"1","account":"{}""#, rig.owner()));
    note(&rig, &build);
    let error = rig.submit_with(&build, &format!(r#"{{"request":{request}}}"#)).unwrap_err();
    assert!(error.message.contains(r#"build(quote, { ..., existing: "replace" })"#), "{error:?}");
}

#[test]
fn with_another_two_nonces_are_signed() {
    for kind in kinds() {
        let (rig, first) = kind.posted();
        if !kind.is_in_parts() {
            // The nonce is the build's.
            let error = rig.submit_with(&kind.once_more(&rig, ""), ANOTHER).unwrap_err();
            assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("options.existing")));
            assert!(
                error.expected.as_ref().unwrap().contains(r#"build(quote, { ..., existing: "keepBoth" })"#),
                "{error:?}"
            );
            assert_eq!(error.actual.as_deref(), Some("a build with the earlier order's nonce"));
        }
        let second = kind.once_more(&rig, r#""existing":"keepBoth""#);
        assert_ne!(text(&second, "nonce"), text(&first, "nonce"));
        // It does not replace.
        let error = rig.submit_with(&second, REPLACE).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("options.existing")));
        rig.submit(&second).unwrap();
        // Each further one is said again.
        let third = kind.once_more(&rig, "");
        assert_eq!(rig.submit(&third).unwrap_err().order_hash.unwrap().to_string(), hash(&second));
        let third = kind.once_more(&rig, r#""existing":"keepBoth""#);
        let nonces = [&first, &second, &third].map(|build| text(build, "nonce").to_owned());
        assert!(nonces[2] != nonces[0] && nonces[2] != nonces[1], "{nonces:?}");
        rig.submit(&third).unwrap();
    }
}

#[test]
fn another_trade_is_another_intent() {
    for native in [None, Some(super::fake_host::WRAPPED)] {
        let mut seen = Vec::new();
        let (rig, _) = kinds().into_iter().find(|kind| kind.native == native).unwrap().posted();
        let mut all = kinds();
        all.retain(|kind| kind.native == native && kind.fillable == "FillableOrder");
        // By another route of the bridge, or with another consent to it, it is the same trade.
        all.retain(|kind| !kind.options.contains("route") && !kind.options.contains("acceptUnguaranteedArrival"));
        for kind in all.iter().skip(1) {
            rig.world.pass(1_000);
            let build = kind.built(&rig).unwrap();
            rig.submit(&build).unwrap_or_else(|error| panic!("{} {}: {error:?}", kind.request, kind.options));
            assert!(!seen.contains(&text(&build, "nonce").to_owned()), "{} {}", kind.request, kind.options);
            seen.push(text(&build, "nonce").to_owned());
        }
        assert!(!seen.is_empty());
    }
    // The account that a handler acts for is part of it.
    let rig = Rig::default();
    for data in ["0x01", "0x02"] {
        let external = format!(r#"{{"handler":"{}","data":"{data}"}}"#, super::fake_host::WRAPPED);
        let options = with(r#"{"slippageBps":50}"#, &format!(r#""advanced":{{"external":{external}}}"#));
        rig.submit(&rig.built_as(SELL, &options).unwrap()).unwrap();
    }
}

#[test]
fn other_names_bounds_or_times_are_the_same_trade() {
    for (request, options) in [
        (SELL.replace("USDX", "Dollars"), r#"{"slippageBps":50}"#),
        (SELL.into(), r#"{"slippageBps":51}"#),
        (SELL.into(), r#"{"slippageBps":50,"validForSecs":60}"#),
        (SELL.into(), r#"{"slippageBps":50,"minReceived":"1"}"#),
        (SELL.into(), r#"{"slippageBps":50,"advanced":{"metadata":"0x01"}}"#),
        (with(SELL, r#""partner":"other""#), r#"{"slippageBps":50}"#),
    ] {
        let rig = Rig::default();
        let first = rig.built(SELL).unwrap();
        rig.submit(&first).unwrap();
        rig.world.pass(1_000);
        let second = rig.built_as(&request, options).unwrap();
        assert_refused(&rig, &rig.submit(&second).unwrap_err(), &first, (1, 1));
    }
}

#[test]
fn again_is_one_of_two_words_and_of_a_gasless_order() {
    let rig = Rig::default();
    for (build, submit) in [(r#""yes""#, r#"{"existing":true}"#), ("1", r#"{"existing":"Replace"}"#)] {
        let error = rig.built_as(SELL, &with(r#"{"slippageBps":50}"#, &format!(r#""existing":{build}"#))).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("options.existing")));
        let error = rig.submit_with(&rig.built(SELL).unwrap(), submit).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("options.existing")));
    }
    let key: (Address, Address) = (SRC.parse().unwrap(), RFQ.parse().unwrap());
    rig.world.chain.borrow_mut().node(8453).allowances.insert(key, U256::MAX);
    let offer = rig.call("otc.build", &json(otc::OFFER), "{}").unwrap();
    let error = rig.submit_with(&offer, ANOTHER).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("options.existing")));
    rig.world.assert_untouched();
    // Where nothing is signed it asks for nothing.
    rig.submit_with(&rig.built_as(SELL, r#"{"slippageBps":50,"existing":"keepBoth"}"#).unwrap(), ANOTHER).unwrap();
}
