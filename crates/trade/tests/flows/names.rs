//! Which token a name means: the sentence tells it from others of that name, and the report has its whole address, whatever
//! is built.

use super::fake_host::{DEST, METHODS, NATIVE, Place, Rig, SELL, SRC, at, json, set, text};
use super::kinds::kinds;
use super::market::{allowed, built, market};
use super::market_lies::{request, sides};
use super::otc::{OFFER, desk};
use alloy_primitives::U256;
use verify::internal::domain::intent::{Defaults, Intent};
use verify::internal::domain::sentence;
use verify::internal::json::{Json, JsonAt};

/// DAI on Base.
const DAI: &str = "0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb";

/// All that a report says of what was compared.
fn compared(build: &Json) -> String {
    let Json::Array(checks) = at(build, "report.checks") else { panic!() };
    checks.iter().map(|check| format!("{} {}\n", text(check, "expected"), text(check, "actual"))).collect()
}

#[track_caller]
fn assert_whole(build: &Json, tokens: [&str; 2]) {
    let said = compared(build).to_ascii_lowercase();
    for token in tokens.into_iter().filter(|token| *token != NATIVE) {
        assert!(said.contains(&token.to_ascii_lowercase()), "{token} in {said}");
    }
}

#[test]
fn each_report_has_the_whole_address_of_both_tokens() {
    for kind in kinds() {
        let build = kind.built(&kind.rig()).unwrap();
        let asked = json(&kind.request);
        assert_whole(
            &build,
            [text(&asked, "srcToken"), text(&asked, "destToken")].map(|token| match token {
                "native" => NATIVE,
                token => token,
            }),
        );
    }
    for method in 0..METHODS.len() {
        for buys in sides(method) {
            let (rig, request) = (allowed(u64::MAX), request(method, buys));
            rig.world.service.borrow_mut().market.method = method;
            let asked = json(&request);
            assert_whole(&built(&rig, &request).unwrap(), [text(&asked, "srcToken"), text(&asked, "destToken")]);
        }
    }
    let (rig, quoted) = (allowed(u64::MAX), market(SELL));
    rig.world.service.borrow_mut().market.data_lie = Some(Box::new(|data| data[..4].copy_from_slice(&[9; 4])));
    let unread =
        rig.build(&rig.quote(&quoted).unwrap(), r#"{"slippageBps":50,"advanced":{"allowSelectors":["0x09090909"]}}"#);
    assert_whole(&unread.unwrap(), [SRC, DEST]);
    assert_whole(&Rig::default().call("otc.build", &json(OFFER), "{}").unwrap(), [SRC, DEST]);
    let desk = desk();
    let mut orders = vec![desk.order(&[]), desk.order(&[("nonceAndMeta", r#""8""#)])];
    assert_whole(&desk.fill(&orders[0], "").unwrap(), [SRC, DEST]);
    let build = desk.fill(&Json::Array(std::mem::take(&mut orders)), "").unwrap();
    assert_whole(&build, [SRC, DEST]);
}

#[test]
fn a_name_stands_alone_only_for_the_token_that_the_table_means() {
    let rig = Rig::default();
    rig.world.chain.borrow_mut().node(8453).decimals.insert(DAI.parse().unwrap(), 18);
    for (symbol, address, expected) in [
        ("DAI", DAI, "for at least 0.03979602 DAI to"),
        ("USDC", DEST, "for at least 0.03979602 USDC (0x222222222222...222222222222) to"),
        ("USDT", DAI, "for at least 0.03979602 USDT (0x50c5725949A6...049A917DB0Cb) to"),
        ("950USDC", DEST, r#"for at least 0.03979602 "950USDC" (0x222222222222...222222222222) to"#),
        ("USD\u{20ae}0", DEST, r#"for at least 0.03979602 "USD\u{20ae}0" (0x222222222222...222222222222) to"#),
        ("ETH", NATIVE, "for at least 0.03979602 ETH to"),
        ("USDC", NATIVE, "for at least 0.03979602 USDC (the native token) to"),
    ] {
        let mut request = json(&SELL.replace(DEST, address));
        set(&mut request, "destSymbol", &verify::internal::json::quoted(symbol));
        let build = rig.built(&request.write()).unwrap();
        let said = text(&build, "report.sentence");
        assert!(said.contains(expected), "{said}");
    }
}

#[test]
fn a_chain_has_the_callers_name_beside_its_id_only_where_the_package_knows_none() {
    let elsewhere = || {
        let rig = Rig::with(|shared, _| {
            let known = verify::internal::domain::chain::pinned(8453).unwrap();
            shared.settings.given_contracts = vec![(31337, known)];
            shared.settings.rpc.push((31337, Place::Node(31337)));
        });
        rig.world.chain.borrow_mut().node(31337).id = 31337;
        rig.world.signer.borrow_mut().chain_id = 31337;
        rig
    };
    let far = SELL.replace("8453", "31337");
    for (rig, request, name, expected) in [
        (elsewhere(), &*far, "Linea", " on Linea (chain 31337) for "),
        (elsewhere(), &far, "Base", r#" on "Base" (chain 31337) for "#),
        (elsewhere(), &far, "BNB Smart Chain", r#" on "BNB Smart Chain" (chain 31337) for "#),
        (elsewhere(), &far, "1 ETH", r#" on "1 ETH" (chain 31337) for "#),
        (elsewhere(), &far, "Base\u{202e}", r#" on "Base\u{202e}" (chain 31337) for "#),
        (Rig::default(), SELL, "Ethereum", " on Base for "),
    ] {
        let mut asked = json(request);
        set(&mut asked, "advanced.chainName", &verify::internal::json::quoted(name));
        let quote = rig.quote(&asked.write()).unwrap();
        assert_eq!(text(&quote, "request.advanced.chainName"), name);
        let build = rig.build(&quote, r#"{"slippageBps":50}"#).unwrap();
        let said = text(&build, "report.sentence");
        assert!(said.contains(expected), "{said}");
    }
    // The other chain has a name of its own.
    let mut asked = json(SELL);
    set(&mut asked, "destChainId", "59144");
    set(&mut asked, "advanced.chainName", r#""Lineb""#);
    set(&mut asked, "advanced.destChainName", r#""Linea""#);
    let intent = Intent::read(&JsonAt::input(&asked, "request"), &Defaults::default()).unwrap();
    let said = sentence::quote(&intent, U256::from(1), U256::from(1));
    assert!(said.contains(" on Base for ") && said.ends_with(" on Linea (chain 59144)"), "{said}");
    for name in [String::new(), "x".repeat(65)] {
        let mut asked = json(SELL);
        set(&mut asked, "advanced.destChainName", &verify::internal::json::quoted(&name));
        let error = Rig::default().quote(&asked.write()).unwrap_err();
        assert_eq!(error.field.as_deref(), Some("request.advanced.destChainName"));
    }
}
