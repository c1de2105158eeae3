//! The source of a token's decimals: the table, else the token itself on its chain, else the caller alone, and then it is
//! said.

use super::fake_host::{BRIDGED, DEST, NATIVE, Place, Rig, SELL, SRC, json, set, text, verdicts, with};
use super::journal::note;
use super::market::market;
use super::otc::{OFFER, desk, unread};
use super::verify_order::verified;
use alloy_primitives::{Address, U256};
use verify::internal::domain::asset::ASSETS;
use verify::internal::domain::intent::{Defaults, Intent};
use verify::internal::error::{Error, ErrorCode};
use verify::internal::json::{Json, JsonAt};

const USDC_BASE: &str = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const USDC_BNB: &str = "0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d";
const RAW: &str = " by the app's decimals (";

#[track_caller]
fn assert_input(outcome: Result<Json, Error>, field: &str, own: u8) {
    let Err(error) = outcome else { panic!("{field} was accepted") };
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(field)), "{error:?}");
    assert_eq!(error.expected, Some(format!("the token's own {own}")), "{field}");
}

/// A request with another member, or without it.
fn stating(request: &str, member: &str, value: Option<u8>) -> String {
    let Json::Object(mut members) = json(request) else { panic!() };
    members.retain(|(name, _)| name != member);
    members.extend(value.map(|value| (member.to_owned(), Json::Number(value.to_string()))));
    Json::Object(members).write()
}

/// Ten thousand dollars become a hundred millionth of one where the app has its decimals from the service.
#[test]
fn another_number_than_the_tables_ends_at_the_quote_also_on_a_chain_that_nobody_reads() {
    let request = SELL.replace(SRC, USDC_BASE).replace(DEST, USDC_BNB).replace("100000000", "10000000000");
    let request = with(&request, r#""destChainId":56"#).replace(r#""destDecimals":18"#, r#""destDecimals":6"#);
    let rig = Rig::default();
    assert_input(rig.quote(&request), "request.destDecimals", 18);
    assert!(rig.world.sent("quote").is_empty(), "the service was asked");
    rig.quote(&stating(&request, "destDecimals", None)).unwrap();
}

#[test]
fn each_token_of_the_table_has_its_own_number_wherever_it_stands() {
    let read = |request: &str| Intent::read(&JsonAt::input(&json(request), "request"), &Defaults::default());
    for (chain, token, own) in ASSETS.iter().flat_map(|asset| asset.tokens) {
        let (chain, address) = (&chain.to_string(), token.to_string());
        let abroad =
            || with(&SELL.replace("8453", "100").replace(DEST, &address), &format!(r#""destChainId":{chain}"#));
        for (member, request) in [
            ("srcDecimals", SELL.replace("8453", chain).replace(SRC, &address)),
            ("destDecimals", SELL.replace("8453", chain).replace(DEST, &address)),
            ("destDecimals", abroad()),
        ] {
            for stated in [None, Some(*own)] {
                let intent = read(&stating(&request, member, stated)).unwrap();
                let token = if member == "srcDecimals" { &intent.src } else { &intent.dest };
                assert_eq!(token.decimals, *own);
            }
            for wrong in [0, own - 1, own + 1, 77] {
                let outcome = read(&stating(&request, member, Some(wrong))).map(|_| Json::Null);
                assert_input(outcome, &format!("request.{member}"), *own);
            }
        }
    }
    // Decimals of another token have to be stated.
    for member in ["srcDecimals", "destDecimals"] {
        let error = read(&stating(SELL, member, None)).unwrap_err();
        assert_eq!((error.code, error.field.clone()), (ErrorCode::InvalidInput, Some(format!("request.{member}"))));
    }
}

/// The decimals of a request that is stated again for a noted order, and of one without a client.
#[test]
fn a_request_that_is_stated_again_is_held_to_the_table_too() {
    let request = SELL.replace(SRC, USDC_BASE);
    let first = Rig::default();
    let second = Rig::in_world(first.world.clone(), |_, _| {});
    let build = first.built(&request).unwrap();
    note(&second, &build);
    let wrong = stating(&request, "srcDecimals", Some(18));
    let options = format!(r#"{{"request":{}}}"#, with(&wrong, r#""minReceived":"1""#));
    assert_input(second.submit_with(&build, &options), "options.request.srcDecimals", 6);
    let input = json(&format!(r#"{{"request":{wrong},"quote":{{}},"toSign":{{}},"orderHash":"0x"}}"#));
    assert_input(verified(&input), "request.srcDecimals", 6);
}

#[test]
fn otc_offers_and_fills_are_held_to_the_table() {
    let rig = Rig::default();
    for (asset, member, own) in [(SRC, "makerDecimals", 6), (DEST, "takerDecimals", 6)] {
        let request = OFFER.replace(asset, USDC_BASE);
        let built = |stated| rig.call("otc.build", &json(&stating(&request, member, stated)), "{}");
        rig.world.chain.borrow_mut().node(8453).code.insert(USDC_BASE.parse().unwrap(), vec![0x60; 64]);
        assert_eq!(text(&built(None).unwrap(), &format!("request.{member}")), "6");
        assert_input(built(Some(18)), &format!("request.{member}"), own);
    }
    let desk = desk();
    desk.rig.world.chain.borrow_mut().node(8453).code.insert(USDC_BASE.parse().unwrap(), vec![0x60; 64]);
    for (member, asset) in [("makerDecimals", "makerAsset"), ("takerDecimals", "takerAsset")] {
        let order = desk.order(&[(asset, &format!(r#""{USDC_BASE}""#))]);
        let filled = |stated| {
            let options = stating(r#"{"makerDecimals":6,"takerDecimals":18}"#, member, stated);
            desk.rig.call("otc.buildFill", &order, &options)
        };
        assert_input(filled(Some(18)), &format!("options.{member}"), 6);
        // The failure behind it is one of means.
        let error = filled(None).map_or_else(|error| error.field.clone().unwrap_or_default(), |_| String::new());
        assert!(!error.contains("Decimals"), "{error}");
    }
}

#[test]
fn what_enters_a_bridge_is_held_to_the_table_also_where_no_node_tells() {
    let request = with(&SELL.replace(SRC, USDC_BASE), r#""destChainId":10,"advanced":{"bridgeTokens":[]}"#);
    let blind = || {
        let rig = Rig::with(|shared, bound| {
            shared.settings.rpc.clear();
            bound.wallet = None;
            bound.account = Some("0x7777777777777777777777777777777777777777".parse().unwrap());
        });
        rig.world.service.borrow_mut().quote_lie = Some(Box::new(|quote| {
            set(quote, "delta.route.origin.output.token.address", &format!("\"{USDC_BASE}\""));
            set(quote, "delta.route.origin.output.amount", "\"99500000\"");
        }));
        rig
    };
    for rig in [Rig::default(), blind()] {
        rig.world.service.borrow_mut().quote_lie = blind().world.service.borrow_mut().quote_lie.take();
        let built = |more: &str| {
            rig.built_as(&request, &format!(r#"{{"slippageBps":50,"acceptUnguaranteedArrival":true{more}}}"#))
        };
        assert_input(built(r#","advanced":{"bridgeInputDecimals":18}"#), "options.advanced.bridgeInputDecimals", 6);
        assert_eq!(text(&built("").unwrap(), "destination.bridgeInput.decimals"), "6");
        built(r#","advanced":{"bridgeInputDecimals":6}"#).unwrap();
    }
}

/// A node that lies about a token of the table is not believed, and not asked.
#[test]
fn no_node_is_asked_for_what_the_table_has() {
    let rig = Rig::with(|shared, _| shared.settings.rpc.push((56, Place::Node(56))));
    {
        let mut chain = rig.world.chain.borrow_mut();
        for (id, token) in [(8453, USDC_BASE), (56, USDC_BNB)] {
            chain.node(id).decimals.insert(token.parse().unwrap(), 9);
        }
        let delta = super::fake_host::DELTA.parse().unwrap();
        chain.node(8453).allowances.insert((USDC_BASE.parse().unwrap(), delta), U256::MAX);
    }
    rig.world.service.borrow_mut().quote_lie = Some(Box::new(|quote| {
        set(quote, "delta.route.origin.output.token.address", &format!("\"{USDC_BASE}\""));
        set(quote, "delta.route.origin.output.amount", "\"99500000\"");
        set(quote, "delta.route.bridge.contractParams.scalingFactor", "12");
        set(quote, "delta.route.destination.output.amount", "\"99000000000000000000\"");
    }));
    let request = with(&SELL.replace(SRC, USDC_BASE).replace(DEST, USDC_BNB), r#""destChainId":56"#);
    let build = rig.built_as(&request, r#"{"slippageBps":50}"#).unwrap();
    let sentence = text(&build, "report.sentence");
    assert!(sentence.contains("for at least 98.") && !sentence.contains(RAW), "{sentence}");
    assert!(verdicts(&build, "request.destDecimals").is_empty());
    rig.submit(&build).unwrap();
    let is_lie = |(_, _, params): &(Place, &str, String)| params.contains(r#""0x313ce567""#);
    assert_eq!(rig.world.questions.borrow().iter().find(|question| is_lie(question)), None);
}

/// A token of no table, on a chain that nobody reads.
#[test]
fn what_only_the_caller_states_is_shown_with_the_raw_units_and_stays_so() {
    let bridge = with(SELL, r#""destChainId":10"#);
    let said = |rig: &Rig| {
        let build = rig.built_as(&bridge, r#"{"slippageBps":50}"#).unwrap();
        (text(&build, "report.sentence").to_owned(), build)
    };
    let blind = Rig::with(|shared, _| shared.settings.rpc.retain(|(chain, _)| *chain == 8453));
    let (sentence, build) = said(&blind);
    let expected = "for at least 0.03979602 WETX (0x222222222222...222222222222) by the app's decimals \
                    (39796020000000000 raw units) on Optimism";
    assert!(sentence.contains(expected), "{sentence}");
    assert_eq!(sentence.matches(RAW).count(), 1, "{sentence}");
    assert_eq!(verdicts(&build, "request.destDecimals"), ["unknown"]);
    assert!(
        verdicts(&build, "request.srcDecimals").is_empty()
            && verdicts(&build, "options.advanced.bridgeInputDecimals").is_empty()
    );
    // It is sealed: who opens it again, here or elsewhere, knows the same.
    let mut edited = build.clone();
    set(
        &mut edited,
        "report.sentence",
        &verify::internal::json::quoted(&sentence.replace(" by the app's decimals", "")),
    );
    assert_eq!(blind.submit(&edited).unwrap_err().field.as_deref(), Some("build.report"));
    // A price by it is a question, which no bound in such units answers.
    let quote = blind.quote(&bridge).unwrap();
    let bounded = blind.build(&quote, r#"{"slippageBps":50,"minReceived":"1"}"#).unwrap();
    for build in [&build, &bounded] {
        assert_eq!(blind.submit(build).unwrap_err().code, ErrorCode::PriceUnjudged);
    }
    let id = text(&build, "report.questions.0.id");
    assert!(id.starts_with("noReference-"), "{id}");
    blind.submit_with(&build, &format!(r#"{{"accept":["{id}"]}}"#)).unwrap();
    // A node of that chain tells.
    let reading = Rig::with(|shared, _| shared.settings.rpc.push((10, Place::Node(10))));
    let (sentence, build) = said(&reading);
    assert!(!sentence.contains(RAW), "{sentence}");
    assert!(verdicts(&build, "request.destDecimals").is_empty());
}

#[test]
fn so_is_what_is_sold_where_the_source_chain_was_not_read() {
    for request in [SELL.into(), market(SELL), with(SELL, r#""destChainId":10"#)] {
        let rig = unread();
        let options = if request.contains("destChainId") { r#","advanced":{"bridgeInputDecimals":24}"# } else { "" };
        let build = rig.built_as(&request, &format!(r#"{{"slippageBps":50{options}}}"#)).unwrap();
        let sentence = text(&build, "report.sentence");
        assert_eq!(sentence.matches(RAW).count(), 2, "{sentence}");
        for field in ["request.srcDecimals", "request.destDecimals"] {
            assert_eq!(verdicts(&build, field), ["unknown"], "{request}");
        }
        assert_eq!(verdicts(&build, "options.advanced.bridgeInputDecimals").len(), usize::from(!options.is_empty()));
        // Tokens that the table and every chain know stay as they are.
        let native = request.replace(SRC, NATIVE).replace(r#""srcDecimals":6"#, r#""srcDecimals":18"#);
        let build = rig.built_as(&native, &format!(r#"{{"slippageBps":50{options}}}"#)).unwrap();
        assert_eq!(text(&build, "report.sentence").matches(RAW).count(), 1);
        assert!(verdicts(&build, "request.srcDecimals").is_empty());
    }
    let rig = unread();
    let build = rig.call("otc.build", &json(OFFER), "{}").unwrap();
    assert_eq!(text(&build, "report.sentence").matches(RAW).count(), 2);
    assert_eq!(verdicts(&build, "request.makerDecimals"), ["unknown"]);
    assert_eq!(verdicts(&build, "request.takerDecimals"), ["unknown"]);
    let build = Rig::default().call("otc.build", &json(OFFER), "{}").unwrap();
    assert!(!text(&build, "report.sentence").contains(RAW));
}

/// The token that enters is not the one that is sold, and the chain was not read.
#[test]
fn what_is_said_to_enter_a_bridge_is_shown_with_its_raw_units() {
    let request = with(SELL, r#""destChainId":10,"advanced":{"bridgeTokens":[]}"#);
    let options = r#"{"slippageBps":50,"acceptUnguaranteedArrival":true,"advanced":{"bridgeInputDecimals":24}}"#;
    let build = unread().built_as(&request, options).unwrap();
    let bridged: Address = BRIDGED.parse().unwrap();
    let (sentence, whole) = (text(&build, "report.sentence"), bridged.to_checksum(None));
    let expected =
        format!("of token {whole} by the app's decimals (39796020000000000000000 raw units) enters the bridge");
    assert!(sentence.contains(&expected), "{sentence}");
    assert_eq!(verdicts(&build, "options.advanced.bridgeInputDecimals"), ["unknown"]);
}

#[test]
fn a_list_of_allowances_has_the_tables_decimals() {
    let rig = Rig::default();
    let (usdc, delta): (Address, Address) = (USDC_BASE.parse().unwrap(), super::fake_host::DELTA.parse().unwrap());
    {
        let mut chain = rig.world.chain.borrow_mut();
        chain.node(8453).decimals.insert(usdc, 18);
        chain.node(8453).allowances.insert((usdc, delta), U256::from(5));
    }
    let asked = json(&format!(r#"{{"chainId":8453,"tokens":["{USDC_BASE}"]}}"#));
    let answer = rig.call("approvals.list", &asked, "{}").unwrap();
    assert_eq!(text(&answer, "allowances.0.decimals"), "6");
}
