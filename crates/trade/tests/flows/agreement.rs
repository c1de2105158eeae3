//! The agreement of the application about its partner's share: what it states is accepted, what it does not state is not,
//! and the error has what to state.

use super::fake_host::{BUY, Rig, SELL, at, json, set, text};
use super::market::{allowed, market};
use alloy_primitives::U256;
use verify::internal::domain::agreement::Agreement;
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::{Json, JsonAt};

const SHOP: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const OTHER: &str = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
const NOBODY: &str = "0x0000000000000000000000000000000000000000";

fn agreed(text: &str) -> Agreement {
    Agreement::read(&JsonAt::input(&json(text), "agreement")).unwrap()
}

/// The partner's share in an order or a transaction.
#[derive(Clone, Copy, Debug)]
struct Share {
    fee_bps: u16,
    partner: &'static str,
    takes: bool,
    capped: bool,
    referral: bool,
}

const FEE: Share = Share { fee_bps: 30, partner: SHOP, takes: false, capped: true, referral: false };
const NOTHING: Share = Share { fee_bps: 0, ..FEE };

impl Share {
    /// Packed as Delta has it, or as the router does.
    fn word(&self, is_market: bool) -> U256 {
        let partner = U256::from_str_radix(&self.partner[2..], 16).unwrap() << 96;
        let flag = |set: bool, delta: usize, router: usize| {
            U256::from(u8::from(set)) << if is_market { router } else { delta }
        };
        assert!(is_market || !self.referral, "Delta has no such bit");
        partner
            | U256::from(self.fee_bps)
            | flag(self.capped, 9, 92)
            | flag(self.takes, 8, 95)
            | if is_market { flag(self.referral, 0, 94) } else { U256::ZERO }
    }
}

/// A client with that agreement, of a service that gives the partner that share and says so in the price.
fn shop(agreement: &str, share: Share, is_market: bool) -> Rig {
    let rig = if is_market { allowed(u64::MAX) } else { Rig::default() };
    let world = rig.world.clone();
    let rig = Rig::in_world(world, |shared, _| {
        shared.settings.partner = Some("shop".into());
        shared.settings.agreement = agreed(agreement);
    });
    let mut service = rig.world.service.borrow_mut();
    let word = share.word(is_market);
    let percent = format!("{}.{:02}", share.fee_bps / 100, share.fee_bps % 100);
    if is_market {
        service.market.route_lie = Some(Box::new(move |route| set(route, "partnerFee", &percent)));
        service.market.argument_lie = Some(Box::new(move |path, _| {
            (path == "partnerAndFee").then_some(alloy_dyn_abi::DynSolValue::Uint(word, 256))
        }));
    } else {
        service.fee_bps = share.fee_bps;
        service.build_lie =
            Some(Box::new(move |build| set(build, "toSign.value.partnerAndFee", &format!(r#""{word}""#))));
    }
    drop(service);
    rig
}

fn asking(members: &str, is_market: bool) -> String {
    let request = SELL.replacen('{', &format!("{{{members}"), 1);
    if is_market { market(&request) } else { request }
}

fn built(rig: &Rig, members: &str, options: &str, is_market: bool) -> Result<Json> {
    let build = rig.built_as(&asking(members, is_market), &format!(r#"{{"slippageBps":50{options}}}"#));
    rig.world.assert_untouched();
    if let Ok(build) = &build {
        rig.submit(build).unwrap();
    }
    build
}

/// Where it ends: nowhere, in the quote, or at that part of the word.
fn ends(outcome: &Result<Json>) -> &str {
    let Err(error) = outcome else { return "" };
    assert_eq!(error.code, ErrorCode::VerifyMismatch, "{error:?}");
    error.field.as_deref().unwrap().rsplit('.').next().unwrap()
}

#[test]
fn only_what_was_agreed_on_is_accepted() {
    let uncapped = Share { takes: true, capped: false, ..NOTHING };
    let takes = Share { takes: true, ..NOTHING };
    let referral = Share { referral: true, ..NOTHING };
    for (agreement, share, end) in [
        // Nothing stated: no more than the service takes of anybody.
        ("{}", NOTHING, ""),
        ("{}", Share { fee_bps: 1, ..FEE }, ""),
        ("{}", Share { fee_bps: 2, ..FEE }, "fee"),
        ("{}", Share { fee_bps: 200, ..FEE }, "fee"),
        ("{}", takes, "takeSurplus"),
        ("{}", referral, "referral"),
        (r#"{"feeBps":30}"#, FEE, ""),
        (r#"{"feeBps":30}"#, NOTHING, ""),
        (r#"{"feeBps":30}"#, Share { fee_bps: 31, ..FEE }, "fee"),
        (r#"{"feeBps":0}"#, Share { fee_bps: 1, ..FEE }, "fee"),
        (r#"{"feeBps":30}"#, takes, "takeSurplus"),
        // Where somebody is named, it is paid, and nobody else.
        (r#"{"feeBps":30,"feeAddress":"SHOP"}"#, FEE, ""),
        (r#"{"feeBps":30,"feeAddress":"SHOP"}"#, Share { partner: OTHER, ..FEE }, "partner"),
        (r#"{"feeAddress":"SHOP","takesSurplus":true}"#, Share { partner: OTHER, ..takes }, "partner"),
        (r#"{"feeAddress":"SHOP","referral":true}"#, Share { partner: OTHER, ..referral }, "partner"),
        (r#"{"feeAddress":"SHOP"}"#, Share { partner: OTHER, ..NOTHING }, ""),
        (r#"{"takesSurplus":true}"#, takes, ""),
        (r#"{"takesSurplus":true}"#, NOTHING, ""),
        (r#"{"takesSurplus":false}"#, takes, "takeSurplus"),
        (r#"{"takesSurplus":true}"#, uncapped, "capSurplus"),
        (r#"{"takesSurplus":true,"capSurplus":true}"#, uncapped, "capSurplus"),
        (r#"{"takesSurplus":true,"capSurplus":false}"#, uncapped, ""),
        (r#"{"takesSurplus":true,"capSurplus":false}"#, takes, ""),
        (r#"{"capSurplus":false}"#, uncapped, "takeSurplus"),
        (r#"{"referral":true}"#, referral, ""),
        (r#"{"referral":false}"#, referral, "referral"),
        (r#"{"referral":true}"#, takes, "takeSurplus"),
    ] {
        for is_market in [false, true] {
            if share.referral && !is_market {
                continue;
            }
            let rig = shop(&agreement.replace("SHOP", SHOP), share, is_market);
            let outcome = built(&rig, "", "", is_market);
            assert_eq!(ends(&outcome), end, "{agreement} {share:?} {is_market}");
            // The request's own goes before the client's.
            let request = format!(r#""agreement":{},"#, agreement.replace("SHOP", SHOP));
            let own = built(&shop("{}", share, is_market), &request, "", is_market);
            assert_eq!(ends(&own), end, "{agreement} {share:?} {is_market}");
        }
    }
    // Also where it says that nothing was agreed on.
    let rig = shop(r#"{"feeBps":30}"#, FEE, false);
    assert_eq!(ends(&built(&rig, r#""agreement":{},"#, "", false)), "fee");
}

#[test]
fn the_agreement_holds_for_the_partner_anon_too() {
    for is_market in [false, true] {
        let share = Share { fee_bps: 31, takes: true, ..FEE };
        let of =
            |agreement: &str, share| built(&shop(agreement, share, is_market), r#""partner":"anon","#, "", is_market);
        of(r#"{"feeBps":30,"takesSurplus":true}"#, share).unwrap();
        assert_eq!(ends(&of(r#"{"feeBps":30,"takesSurplus":true}"#, Share { fee_bps: 32, ..share })), "fee");
        assert_eq!(ends(&of(r#"{"feeBps":30}"#, share)), "takeSurplus");
    }
}

#[test]
fn request_and_build_options_override_the_agreement() {
    let all = format!(r#"{{"feeBps":30,"feeAddress":"{SHOP}","takesSurplus":true,"capSurplus":false}}"#);
    let takes = Share { takes: true, ..FEE };
    for is_market in [false, true] {
        for (request, options, share, end) in [
            (r#""maxFeeBps":29,"#, "", FEE, "fee"),
            (r#""maxFeeBps":31,"#, "", Share { fee_bps: 31, ..FEE }, ""),
            (r#""partnerFeeBps":29,"#, "", FEE, "fee"),
            (r#""partnerFeeBps":31,"#, "", Share { fee_bps: 31, ..FEE }, ""),
            (r#""partnerAddress":"OTHER","#, "", FEE, "partner"),
            (r#""partnerAddress":"OTHER","#, "", NOTHING, "partner"),
            (r#""partnerAddress":"OTHER","#, "", Share { partner: NOBODY, ..FEE }, "partner"),
            (r#""partnerAddress":"OTHER","#, "", Share { partner: NOBODY, ..NOTHING }, ""),
            (r#""partnerAddress":"OTHER","#, "", Share { partner: OTHER, ..FEE }, ""),
            ("", r#","advanced":{"takeSurplus":false}"#, takes, "takeSurplus"),
            ("", r#","advanced":{"capSurplus":true}"#, Share { capped: false, ..takes }, "capSurplus"),
            ("", r#","advanced":{"takeSurplus":true}"#, takes, ""),
        ] {
            let outcome = built(&shop(&all, share, is_market), &request.replace("OTHER", OTHER), options, is_market);
            assert_eq!(ends(&outcome), end, "{request} {options} {share:?} {is_market}");
        }
    }
}

#[test]
fn only_the_referrer_named_in_the_build_is_accepted() {
    let referral = Share { referral: true, ..NOTHING };
    let agreed = format!(r#"{{"feeBps":30,"feeAddress":"{SHOP}"}}"#);
    for (referrer, share, end) in [
        ("a friend", Share { partner: SHOP, ..referral }, ""),
        (OTHER, Share { partner: OTHER, ..referral }, ""),
        (OTHER, Share { partner: SHOP, ..referral }, "partner"),
        // It excuses nothing else.
        (OTHER, FEE, ""),
        (OTHER, Share { partner: OTHER, ..FEE }, "partner"),
        (OTHER, Share { partner: OTHER, referral: true, ..FEE }, "partner"),
        (OTHER, Share { partner: OTHER, takes: true, ..referral }, "partner"),
        ("a friend", Share { takes: true, ..referral }, "takeSurplus"),
    ] {
        let options = format!(r#","advanced":{{"referrer":"{referrer}"}}"#);
        let outcome = built(&shop(&agreed, share, true), "", &options, true);
        assert_eq!(ends(&outcome), end, "{referrer} {share:?}");
    }
}

/// The agreement that an error offers, as an application would paste it.
fn offered(error: &Error) -> Agreement {
    let (_, source) = error.message.split_once("agreement: ").unwrap_or_else(|| panic!("{error:?}"));
    let mut text = String::from(source);
    for name in Agreement::MEMBERS {
        text = text.replace(&format!("{name}:"), &format!("\"{name}\":"));
    }
    agreed(&text)
}

#[test]
fn what_the_error_offers_is_what_the_next_build_needs() {
    for is_market in [false, true] {
        for referral in [false, is_market] {
            for (takes, capped) in [(false, true), (false, false), (true, true), (true, false)] {
                for fee_bps in [0, 2, 200] {
                    for known in ["{}".into(), format!(r#"{{"feeAddress":"{OTHER}"}}"#), r#"{"feeBps":7}"#.into()] {
                        let share = Share { fee_bps, takes, capped, referral, ..FEE };
                        let mut agreement = known;
                        // The share of the price comes first, the order's after it.
                        for round in 0.. {
                            let rig = shop(&agreement, share, is_market);
                            match built(&rig, "", "", is_market) {
                                Ok(_) => break,
                                Err(error) => {
                                    let offer = offered(&error);
                                    // Delta has nothing to cap where the partner has no share.
                                    let is_needed = !capped && (takes || is_market);
                                    assert!(!offer.uncapped || is_needed, "{error:?}");
                                    agreement = offer.write();
                                }
                            }
                            assert!(round < 2, "{share:?}: {agreement}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn the_error_says_what_was_taken_and_offers_no_more_than_that() {
    for is_market in [false, true] {
        for (fee_bps, fee) in [(0, ""), (1, "feeBps: 1, ")] {
            let error =
                built(&shop("{}", Share { fee_bps, takes: true, ..FEE }, is_market), "", "", is_market).unwrap_err();
            let offer = format!(r#"agreement: {{ {fee}feeAddress: "{SHOP}", takesSurplus: true }}"#);
            assert!(error.message.ends_with(&offer), "{error:?}");
            assert_eq!((error.expected.as_deref(), error.actual.as_deref()), (Some("not set"), Some("set")));
        }
    }
}

#[test]
fn an_error_that_no_agreement_would_help_offers_none() {
    // More than what the price states, more than contracts take, a partner whom the request names, a bit nobody knows.
    let rig = shop("{}", FEE, false);
    rig.world.service.borrow_mut().fee_bps = 1;
    let more = built(&rig, "", "", false).unwrap_err();
    let beyond = built(&shop("{}", Share { fee_bps: 201, ..FEE }, false), "", "", false).unwrap_err();
    let rig = Rig::default();
    rig.world.service.borrow_mut().building.flags = 1 << 10;
    let unknown = rig.built(SELL).unwrap_err();
    for error in [more, beyond, unknown] {
        assert!(!error.message.contains("agreement"), "{error:?}");
    }
}

#[test]
fn the_agreement_is_sealed_with_the_request() {
    for is_market in [false, true] {
        let agreement = format!(r#"{{"feeBps":30,"feeAddress":"{SHOP}"}}"#);
        let rig = shop(&agreement, FEE, is_market);
        let quote = rig.quote(&asking("", is_market)).unwrap();
        let whole = agreement.replace('}', r#","takesSurplus":false,"capSurplus":true,"referral":false}"#);
        assert_eq!(at(&quote, "request.agreement"), &json(&whole));
        assert_eq!(text(&quote, "request.maxFeeBps"), "30");
        // As it was understood, it can be asked for again.
        let again = rig.quote(&at(&quote, "request").write()).unwrap();
        assert_eq!(at(&again, "request"), at(&quote, "request"));
    }
}

#[test]
fn an_invalid_agreement_is_refused_by_its_member() {
    for (agreement, field) in [
        (r#""agreement":7,"#, "request.agreement"),
        (r#""agreement":{"feeBps":201},"#, "request.agreement.feeBps"),
        (r#""agreement":{"feeBps":"lots"},"#, "request.agreement.feeBps"),
        (r#""agreement":{"feeAddress":"me"},"#, "request.agreement.feeAddress"),
        (r#""agreement":{"takesSurplus":1},"#, "request.agreement.takesSurplus"),
        (r#""agreement":{"capSurplus":"no"},"#, "request.agreement.capSurplus"),
        (r#""agreement":{"referral":0},"#, "request.agreement.referral"),
        (r#""agreement":{"takeSurplus":true},"#, "request.agreement.takeSurplus"),
    ] {
        let rig = Rig::default();
        let error = rig.quote(&asking(agreement, false)).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(field)));
        assert!(rig.world.requests.borrow().is_empty());
    }
}

#[test]
fn a_quote_without_a_fee_is_counted_with_the_agreed_one() {
    let of = |agreement: &str| {
        let rig = shop(agreement, NOTHING, false);
        rig.world.service.borrow_mut().quote_lie = Some(Box::new(|quote| set(quote, "delta.partner", "null")));
        rig.quote(SELL).unwrap()
    };
    for (agreement, least) in [("{}", "39996000000000000"), (r#"{"feeBps":30}"#, "39880000000000000")] {
        let text = verified_swap_trade::flows::compute("minReceived", &of(agreement), &json("0")).unwrap();
        assert_eq!(json(&text).as_text(), Some(least), "{agreement}");
    }
    let rig = shop(r#"{"feeBps":30}"#, FEE, false);
    rig.built(BUY).unwrap();
}
