//! A trade as it should be.

use super::fake_host::{BUY, DELTA, DEST, Rig, SELL, SRC, at, json, raw, set, text};
use alloy_primitives::{U256, hex};
use verify::internal::domain::delta::order::ORDER;
use verify::internal::domain::eip712;
use verify::internal::domain::typed_struct::members;
use verify::internal::error::ErrorCode;
use verify::internal::json::Json;

fn nonce(drawn: u8) -> U256 {
    U256::from_be_bytes([drawn; 32])
}

#[test]
fn a_sale_is_quoted_built_signed_once_and_posted() {
    let rig = Rig::default();
    let (world, owner) = (&rig.world, rig.owner());
    let quote = rig.quote(SELL).unwrap();
    let build = rig.build(&quote, r#"{"slippageBps":50}"#).unwrap();
    let order = rig.submit(&build).unwrap();

    let url = format!(
        "https://service.test/v2/quote?chainId=8453&srcToken={SRC}&destToken={DEST}&amount=100000000&srcDecimals=6&destDecimals=18&mode=DELTA&side=SELL&partner=anon"
    );
    assert_eq!(world.sent("quote")[0].url, url);
    assert_eq!(world.sent("quote")[0].body, None);

    let answer = world.said("quote");
    let route = raw(raw(&answer, "delta"), "route");
    assert!(route.contains(r#""2":1.0,"serial":12345678901234567890"#) && route.contains(r#""Caf\u00e9","10""#));
    let sent = world.sent("build").remove(0);
    assert_eq!(sent.url, "https://service.test/v2/delta/orders/build");
    assert_eq!(
        sent.body.unwrap(),
        format!(
            r#"{{"route":{route},"owner":"{owner}","beneficiary":"{owner}","side":"SELL","deadline":1800001200,"slippage":50,"partner":"anon","nonce":"{}"}}"#,
            nonce(2)
        )
    );

    let answer = world.said("build");
    let value = raw(raw(&answer, "toSign"), "value");
    assert!(value.contains(r#""hint":"Caf\u00e9","10":1.0,"serial":12345678901234567890"#));
    let signer = super::fake_host::Signer::new(super::fake_host::OWNER_KEY);
    let digest = text(&build, "orderHash").parse().unwrap();
    let signed = signer.sign(digest);
    let mut compact = [0; 64];
    compact.copy_from_slice(&signed[..64]);
    compact[32] |= (signed[64] - 27) << 7;
    assert_eq!(
        world.posts(),
        [format!(
            r#"{{"order":{value},"signature":"{}","type":"MARKET","chainId":8453,"partner":"anon"}}"#,
            hex::encode_prefixed(compact)
        )]
    );
    assert_eq!(world.sent("post")[0].url, "https://service.test/v2/delta/orders");
    assert_eq!(world.prompts(), 1);
    assert_eq!(rig.step_names(), ["checking", "signing", "signed", "posting", "posted"]);
    assert_eq!(text(&order, "orderHash"), text(&build, "orderHash"));
    assert_eq!(text(&order, "extra"), "Café");
    assert_eq!(world.requests.borrow().len(), 3, "quote, build, post and nothing else");
}

#[test]
fn a_purchase_states_its_maximum_cost() {
    let rig = Rig::default();
    let quote = rig.quote(BUY).unwrap();
    assert_eq!(text(&quote, "srcAmount"), "100000000");
    let build = rig.build(&quote, r#"{"slippageBps":50}"#).unwrap();
    assert_eq!(text(&build, "maxSpent"), "100500000");
    assert_eq!(text(&build, "minDestAmount"), "40000000000000000");
    assert_eq!(text(&build, "minReceived"), "39996000000000000");
    assert_eq!(text(&build, "typedData.message.kind"), "1");
    rig.submit(&build).unwrap();
    let body = json(rig.world.sent("build")[0].body.as_ref().unwrap());
    assert_eq!(text(&body, "side"), "BUY");
    assert!(rig.world.sent("quote")[0].url.contains("&amount=40000000000000000&"));
    assert!(rig.world.sent("quote")[0].url.contains("&side=BUY&"));
    assert_eq!((rig.world.prompts(), rig.world.posts().len()), (1, 1));
}

#[test]
fn every_parameter_of_a_request_arrives() {
    let partner_address = "0x3333333333333333333333333333333333333333";
    let beneficiary = "0x4444444444444444444444444444444444444444";
    let rig = Rig::with(|shared, _| shared.settings.partner = Some("client's".into()));
    let owner = rig.owner();
    rig.world.service.borrow_mut().fee_bps = 25;
    rig.world.service.borrow_mut().build_lie = Some(Box::new(move |build| {
        let word = U256::from_str_radix(&partner_address[2..], 16).unwrap() << 96 | U256::from(25);
        super::fake_host::set(build, "toSign.value.partnerAndFee", &format!(r#""{word}""#));
    }));
    let request = SELL.replace(
        r#""srcSymbol""#,
        &format!(
            r#""account":"{owner}","beneficiary":"{beneficiary}","partner":"shop & sons","partnerFeeBps":25,"partnerAddress":"{partner_address}","srcSymbol""#
        ),
    );
    let quote = rig.quote(&request).unwrap();
    let build = rig.build(&quote, r#"{"slippageBps":0,"deadline":1800000999}"#).unwrap();
    rig.submit(&build).unwrap();
    let url = &rig.world.sent("quote")[0].url;
    let tail = format!(
        "&mode=DELTA&side=SELL&userAddress={owner}&beneficiary={beneficiary}&partner=shop%20%26%20sons&partnerFeeBps=25"
    );
    assert!(url.ends_with(&tail), "{url}");
    let body = rig.world.sent("build")[0].body.clone().unwrap();
    let tail = format!(
        r#","owner":"{owner}","beneficiary":"{beneficiary}","side":"SELL","deadline":1800000999,"slippage":0,"partner":"shop & sons","nonce":"{}","partnerAddress":"{partner_address}","partnerFeeBps":25}}"#,
        nonce(2)
    );
    assert!(body.ends_with(&tail), "{body}");
    assert!(rig.world.posts()[0].ends_with(r#""type":"MARKET","chainId":8453,"partner":"shop & sons"}"#));
    // 25 bps of 0.04.
    assert_eq!(text(&build, "minReceived"), "39900000000000000");
}

#[test]
fn the_wallet_sees_the_order_and_nothing_else() {
    let rig = Rig::default();
    let build = rig.built(SELL).unwrap();
    rig.submit(&build).unwrap();
    let params = json(&rig.world.wallet_was_asked("eth_signTypedData_v4")[0]);
    assert_eq!(text(&params, "0"), rig.owner().to_string());
    let given = text(&params, "1");
    let typed_data = json(given);
    for unknown in ["hint", "serial", "Caf"] {
        assert!(!given.contains(unknown), "{unknown} is shown");
        assert!(rig.world.posts()[0].contains(unknown), "{unknown} is not posted");
    }
    assert!(typed_data.same_as(at(&build, "typedData")), "what the build shows is what the wallet is given");
    assert_eq!(at(&typed_data, "domain.chainId"), &Json::Number("8453".into()));
    assert_eq!(text(&typed_data, "domain.verifyingContract").to_ascii_lowercase(), DELTA);
    assert_eq!(text(&typed_data, "types.EIP712Domain.3.name"), "verifyingContract");
    assert_eq!(text(&typed_data, "primaryType"), "Order");
    for (name, kind) in members(ORDER).filter(|(_, kind)| kind.starts_with("uint")) {
        let Json::String(digits) = at(&typed_data, &["message.", name].concat()) else { panic!("{name}: {kind}") };
        assert!(digits.bytes().all(|byte| byte.is_ascii_digit()), "{name}");
    }
    let Json::Object(message) = at(&typed_data, "message") else { panic!() };
    let names: Vec<&str> = message.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, members(ORDER).map(|(name, _)| name).collect::<Vec<_>>());
    let digest = eip712::digest(&typed_data).unwrap().digest.to_string();
    assert_eq!(digest, text(&build, "orderHash"));
    assert_eq!(digest, text(&build, "report.digest"));
}

#[test]
fn the_sentence_states_the_trade() {
    let rig = Rig::default();
    let build = rig.built(SELL).unwrap();
    let expected = format!(
        "Sell 100 USDX (0x111111111111...111111111111) on Base for at least 0.03979602 WETX (0x222222222222...222222222222) to {}; expires 2027-01-15 08:20 UTC; fee 0.01 % included",
        rig.owner()
    );
    assert_eq!(text(&build, "report.sentence"), expected);
    let build = rig.built(BUY).unwrap();
    assert!(
        text(&build, "report.sentence").starts_with("Buy at least 0.039996 WETX (0x222222222222...222222222222) on Base for at most 100.5 USDX (0x111111111111...111111111111) to")
    );
}

#[test]
fn the_native_token_is_asked_for_by_its_exact_placeholder() {
    let native = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";
    for spelling in [native, "native", "0x0", "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"] {
        let rig = Rig::default();
        let build = rig.built(&SELL.replace(DEST, spelling)).unwrap();
        assert!(rig.world.sent("quote")[0].url.contains(&format!("&destToken={native}&")), "{spelling}");
        assert_eq!(text(&build, "request.destToken"), native);
        rig.submit(&build).unwrap();
    }
}

#[test]
fn events_carry_neither_addresses_nor_signatures() {
    let rig = Rig::default();
    rig.submit(&rig.built(SELL).unwrap()).unwrap();
    let events = rig.world.events.borrow();
    let names: Vec<&str> = events.iter().map(|event| event.name).collect();
    for name in ["quote", "build", "post", "order", "eth_signTypedData_v4", "eth_call"] {
        assert!(names.contains(&name), "{name} of {names:?}");
    }
    let shown = format!("{events:?}").to_ascii_lowercase();
    assert!(!shown.contains("0x"), "{shown}");
}

#[test]
fn each_verdict_is_told() {
    let rig = Rig::default();
    rig.built(SELL).unwrap();
    rig.world.service.borrow_mut().quote_lie = Some(Box::new(|quote| set(quote, "delta.side", r#""BUY""#)));
    rig.quote(SELL).unwrap_err();
    let events = rig.world.events.borrow();
    let verdicts: Vec<_> =
        events.iter().filter(|event| event.kind == "verify").map(|event| (event.name, event.code)).collect();
    assert_eq!(verdicts, [("quote", None), ("order", None), ("quote", Some(ErrorCode::VerifyMismatch))]);
}
