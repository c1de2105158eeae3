//! Contracts that only the service names: none without the application's word, all of them told, no permit for any. And
//! contracts that it names otherwise than they are known.

use super::fake_host::{DELTA, DEST, Place, RFQ, ROUTER, Rig, SELL, answer, json, set, text};
use super::market::market;
use super::otc::OFFER;
use verify::internal::domain::chain::{Contracts, Protocol};
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::Json;

const NEW: &str = "0x5555555555555555555555555555555555555555";
const CAVEAT: &str = "; for a contract that only the service vouches for";

/// A chain that is not pinned, where the service names all three contracts.
fn elsewhere(allowed: bool, given: Contracts) -> Rig {
    let rig = Rig::with(|shared, _| {
        shared.settings.rpc = vec![(31337, Place::Node(31337))];
        shared.settings.allow_service_contracts = allowed;
        shared.settings.given_contracts = vec![(31337, given)];
    });
    for _ in Protocol::ALL {
        rig.world.service.borrow_mut().next("resource", |_, _| {
            let contracts = format!(r#"{{"delta":"{DELTA}","augustusV6_2":"{ROUTER}","augustusRFQ":"{RFQ}"}}"#);
            answer(200, format!(r#"{{"chains":{{"31337":{contracts}}}}}"#))
        });
    }
    rig
}

fn there(request: &str) -> String {
    request.replace("8453", "31337")
}

/// One of the ways to trade there, up to what is signed or sent.
fn made(rig: &Rig, path: Protocol) -> Result<Json> {
    match path {
        Protocol::Delta => rig.built(&there(SELL)),
        Protocol::Market => rig.built(&market(&there(SELL))),
        Protocol::Otc => rig.call("otc.build", &json(&there(OFFER)), "{}"),
    }
}

fn given() -> Contracts {
    let [delta, router, rfq] = [DELTA, ROUTER, RFQ].map(|text| text.parse().unwrap());
    Contracts { delta, router, rfq, wrapped_native: None }
}

#[test]
fn without_the_option_the_service_is_not_asked_for_a_contract() {
    for ((path, _), member) in Protocol::ALL.into_iter().zip(["delta", "router", "rfq"]) {
        let rig = elsewhere(false, Contracts::default());
        let error = made(&rig, path).unwrap_err();
        assert_eq!(error.code, ErrorCode::UnsupportedChain, "{member}");
        let named = format!("contracts: {{ 31337: {{ {member}: \"0x...\" }} }}");
        assert!(error.message.contains(&named) && error.message.contains("allowServiceContracts: true"), "{error:?}");
        assert!(rig.world.requests.borrow().is_empty(), "{member}");
    }
    // The one that is missing on a chain that is pinned otherwise.
    for chain in [100_u64, 43114] {
        let rig = Rig::with(|shared, _| shared.settings.rpc = vec![(chain, Place::Node(chain))]);
        let error = rig.quote(&SELL.replace("8453", &chain.to_string())).unwrap_err();
        assert_eq!(error.code, ErrorCode::UnsupportedChain, "{chain}");
        rig.quote(&market(&SELL.replace("8453", &chain.to_string()))).unwrap();
        assert!(rig.world.sent("adapters").is_empty() && rig.world.sent("resource").is_empty());
    }
}

#[test]
fn the_sentence_says_that_only_the_service_names_the_contract() {
    for (path, label) in Protocol::ALL {
        let vouched = made(&elsewhere(true, Contracts::default()), path).unwrap();
        let sentence = text(&vouched, "report.sentence");
        assert!(sentence.contains(CAVEAT), "{label}: {sentence}");
        let known = made(&elsewhere(true, given()), path).unwrap();
        assert_eq!(sentence.replace(CAVEAT, ""), text(&known, "report.sentence"), "{label}");
    }
    let rig = elsewhere(true, Contracts::default());
    let withdrawal = rig.call("buildWithdrawal", &json(r#"{"chainId":31337,"amount":"1"}"#), "{}").unwrap();
    assert!(text(&withdrawal, "report.sentence").ends_with(CAVEAT));
}

#[test]
fn no_permit_is_signed_for_a_contract_that_only_the_service_names() {
    for (path, member) in [(Protocol::Delta, "delta"), (Protocol::Market, "router"), (Protocol::Otc, "rfq")] {
        let rig = elsewhere(true, Contracts::default());
        let subject = match path {
            Protocol::Delta => rig.quote(&there(SELL)),
            Protocol::Market => rig.quote(&market(&there(SELL))),
            Protocol::Otc => made(&rig, path),
        };
        let subject = subject.unwrap();
        for kind in ["eip2612", "permit2Allowance", "permit2Existing"] {
            // Neither of the other two contracts takes these at all.
            if path != Protocol::Delta && kind.starts_with("permit2") {
                continue;
            }
            let error = rig.call("signPermit", &subject, &format!(r#"{{"kind":"{kind}"}}"#)).unwrap_err();
            let field = format!("contracts.31337.{member}");
            assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(&*field)), "{kind}");
        }
        rig.world.assert_untouched();
    }
}

/// The error of a trade on a pinned chain, or on one whose contracts the application gave, when the service names another.
fn contradicted(chain: u64, field: &'static str) -> Error {
    let rig = Rig::with(|shared, _| {
        shared.settings.rpc = vec![(chain, Place::Node(chain))];
        shared.settings.given_contracts = vec![(31337, given())];
    });
    let lie = |path: &'static str| Box::new(move |tree: &mut Json| set(tree, path, &format!(r#""{NEW}""#)));
    let mut service = rig.world.service.borrow_mut();
    match field {
        "quote.spender" => service.quote_lie = Some(lie("delta.spender")),
        "domain.verifyingContract" => service.build_lie = Some(lie("toSign.domain.verifyingContract")),
        "quote.contractAddress" => service.market.route_lie = Some(lie("contractAddress")),
        "quote.tokenTransferProxy" => service.market.route_lie = Some(lie("tokenTransferProxy")),
        _ => service.market.envelope_lie = Some(lie("to")),
    }
    drop(service);
    let is_market = !matches!(field, "quote.spender" | "domain.verifyingContract");
    let request = SELL.replace("8453", &chain.to_string());
    let error = rig.built(&if is_market { market(&request) } else { request }).unwrap_err();
    rig.world.assert_untouched();
    error
}

#[test]
fn a_contract_that_the_service_contradicts_is_refused_with_advice() {
    for (field, member) in [
        ("quote.spender", "delta"),
        ("domain.verifyingContract", "delta"),
        ("quote.contractAddress", "router"),
        ("quote.tokenTransferProxy", "router"),
        ("transaction.to", "router"),
    ] {
        for chain in [8453, 31337] {
            let error = contradicted(chain, field);
            assert_eq!((error.code, error.field.as_deref()), (ErrorCode::VerifyMismatch, Some(field)));
            assert_eq!(error.actual.as_deref().unwrap().to_ascii_lowercase(), NEW);
            let remedy = format!("contracts: {{ {chain}: {{ {member}: \"0x...\" }} }}");
            assert!(error.message.contains("has moved, or this is a lie"), "{error:?}");
            // The service's own value is never the one to be pasted.
            assert!(error.message.ends_with(&remedy), "{error:?}");
        }
    }
}

#[test]
fn a_contract_that_only_the_service_names_gets_no_advice() {
    let rig = elsewhere(true, Contracts::default());
    rig.world.service.borrow_mut().quote_lie =
        Some(Box::new(|quote| set(quote, "delta.spender", &format!(r#""{NEW}""#))));
    let error = made(&rig, Protocol::Delta).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::VerifyMismatch, Some("quote.spender")));
    assert!(!error.message.contains("moved"), "{error:?}");
}

#[test]
fn an_earlier_failure_gets_no_advice_about_the_contract() {
    let rig = Rig::default();
    rig.world.service.borrow_mut().quote_lie = Some(Box::new(|quote| {
        set(quote, "delta.route.origin.input.token.address", &format!(r#""{DEST}""#));
        set(quote, "delta.spender", &format!(r#""{NEW}""#));
    }));
    let error = rig.quote(SELL).unwrap_err();
    assert_eq!(error.field.as_deref(), Some("quote.srcToken"));
    assert!(!error.message.contains("moved"), "{error:?}");
}
