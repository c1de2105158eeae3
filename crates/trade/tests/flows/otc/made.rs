//! A maker's order: built here, signed once, posted once.

use super::{DEST, OFFER, RFQ, Rig, SRC, address, otc_hash, unread};
use crate::fake_host::{Signer, answer, at, json, set, text};
use crate::journal::note;
use alloy_primitives::{Address, U256, hex, keccak256};
use verify::internal::domain::otc::order::ORDER;
use verify::internal::error::ErrorCode;
use verify::internal::json::Json;

const TAKER: &str = "0x4444444444444444444444444444444444444444";

pub fn allowed() -> Rig {
    let rig = Rig::default();
    let key = (address(SRC), address(RFQ));
    rig.world.chain.borrow_mut().node(8453).allowances.insert(key, U256::from(100_000_000));
    rig
}

pub fn offered(rig: &Rig, request: &str) -> Json {
    rig.call("otc.build", &json(request), "{}").unwrap()
}

fn submit(rig: &Rig, build: &Json) -> Result<Json, verify::internal::error::Error> {
    rig.call("submit", build, "{}")
}

#[test]
fn the_type_is_the_one_the_contract_was_deployed_with() {
    let deployed = "0x95afddf5e4bb9f692716b7fdff640e6b8a0d2869597405c6e9d35857ed19a150";
    assert_eq!(keccak256(ORDER).to_string(), deployed);
}

#[test]
fn an_order_is_signed_once_and_posted_as_it_is() {
    let rig = allowed();
    let build = offered(&rig, OFFER);
    let maker = rig.owner();
    let order = submit(&rig, &build).unwrap();
    // 96 bits drawn at random, above 160 bits that name nobody.
    let nonce = U256::from_be_slice(&[2; 12]) << 160;
    let signature = Signer::new(crate::fake_host::OWNER_KEY).sign(otc_hash(&order));
    let signature = hex::encode_prefixed(signature);
    let body = format!(
        r#"{{"nonceAndMeta":"{nonce}","expiry":1800003600,"makerAsset":"{SRC}","takerAsset":"{DEST}","maker":"{maker}","taker":"{}","makerAmount":"100000000","takerAmount":"40000000000000000","signature":"{signature}"}}"#,
        Address::ZERO
    );
    let sent = rig.world.sent("otcPost");
    assert_eq!((sent.len(), sent[0].url.as_str()), (1, "https://service.test/ft/p2p/8453/"));
    assert_eq!(sent[0].body.as_deref(), Some(body.as_str()));
    assert_eq!((rig.world.prompts(), rig.world.requests.borrow().len()), (1, 1));
    assert_eq!(text(&order, "orderHash"), text(&build, "orderHash"));
    assert_eq!((text(&order, "state"), text(&order, "extra")), ("PENDING", "Café"));
    assert_eq!(rig.step_names(), ["checking", "signing", "signed", "posting", "posted"]);
    assert_eq!(at(&build, "approval"), &Json::Null);
}

#[test]
fn what_the_wallet_sees_hashes_to_the_order() {
    let rig = allowed();
    let build = offered(&rig, &OFFER.replace(r#""expiry""#, &format!(r#""taker":"{TAKER}","nonce":"5","expiry""#)));
    submit(&rig, &build).unwrap();
    let params = json(&rig.world.wallet_was_asked("eth_signTypedData_v4")[0]);
    assert_eq!(text(&params, "0"), rig.owner().to_string());
    let given = json(text(&params, "1"));
    assert!(given.same_as(at(&build, "typedData")));
    assert_eq!(text(&given, "primaryType"), "Order");
    assert_eq!(
        at(&given, "domain"),
        &json(&format!(r#"{{"name":"AUGUSTUS RFQ","version":"1","chainId":8453,"verifyingContract":"{RFQ}"}}"#))
    );
    let meta: U256 = text(&given, "message.nonceAndMeta").parse().unwrap();
    assert_eq!(meta, (U256::from(5) << 160) + U256::from_str_radix(&TAKER[2..], 16).unwrap());
    assert_eq!(text(&given, "message.taker"), TAKER);
    assert_eq!(text(&build, "orderHash"), otc_hash(at(&given, "message")).to_string());
    assert_eq!(text(&build, "report.digest"), text(&build, "orderHash"));
}

#[test]
fn the_sentence_says_the_offer() {
    let rig = allowed();
    let build = offered(&rig, OFFER);
    let expected = "Offer 100 USDX (0x111111111111...111111111111) for 0.04 WETX (0x222222222222...222222222222) on Base to anybody; open until 2027-01-15 09:00 UTC";
    assert_eq!(text(&build, "report.sentence"), expected);
    let build = offered(&rig, &OFFER.replace("1800003600", &format!(r#"0,"taker":"{TAKER}""#)));
    let expected = format!(
        "Offer 100 USDX (0x111111111111...111111111111) for 0.04 WETX (0x222222222222...222222222222) on Base to {TAKER}; open until filled or cancelled"
    );
    assert_eq!(text(&build, "report.sentence"), expected);
}

#[test]
fn what_has_to_be_approved_is_what_is_offered_to_the_rfq_contract() {
    let rig = Rig::default();
    let build = offered(&rig, OFFER);
    let approval = at(&build, "approval");
    assert_eq!((text(approval, "path"), text(approval, "spender")), ("otc", RFQ));
    assert_eq!((text(approval, "token"), text(approval, "amount")), (SRC, "100000000"));
    let error = submit(&rig, &build).unwrap_err();
    assert_eq!((error.code, error.actual.as_deref()), (ErrorCode::InsufficientAllowance, Some("0")));
    rig.world.assert_untouched();
    rig.approve(approval, "{}").unwrap();
    submit(&rig, &build).unwrap();
}

#[test]
fn a_balance_or_allowance_that_is_short_by_one_is_said_before_the_prompt() {
    let rig = allowed();
    let build = offered(&rig, OFFER);
    let key = (address(SRC), address(RFQ));
    let short = U256::from(99_999_999);
    rig.world.chain.borrow_mut().node(8453).allowances.insert(key, short);
    rig.world.age_reads();
    assert_eq!(submit(&rig, &build).unwrap_err().code, ErrorCode::InsufficientAllowance);
    rig.world.chain.borrow_mut().node(8453).allowances.insert(key, short + U256::from(1));
    rig.world.chain.borrow_mut().node(8453).balance = short;
    rig.world.age_reads();
    assert_eq!(submit(&rig, &build).unwrap_err().code, ErrorCode::InsufficientBalance);
    rig.world.assert_untouched();
    rig.world.chain.borrow_mut().node(8453).balance = short + U256::from(1);
    submit(&rig, &build).unwrap();
}

#[test]
fn decimals_are_held_against_the_tokens_own() {
    for (wrong, field) in
        [("makerDecimals\":6", "request.makerDecimals"), ("takerDecimals\":18", "request.takerDecimals")]
    {
        let request = OFFER.replace(wrong, &wrong.replace("6", "7").replace("18", "17"));
        let error = allowed().call("otc.build", &json(&request), "{}").unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(field)));
        // Allowances that could not be read while building are read before the prompt.
        let rig = unread();
        let build = offered(&rig, &request);
        rig.world.signer.borrow_mut().chain_id = 8453;
        assert_eq!(submit(&rig, &build).unwrap_err().field.as_deref(), Some(field));
        rig.world.assert_untouched();
    }
}

#[test]
fn an_order_expires_by_the_chains_clock_after_its_last_second() {
    let rig = allowed();
    let build = offered(&rig, OFFER);
    rig.world.chain.borrow_mut().node(8453).time = 1_800_003_601;
    rig.world.age_reads();
    let error = submit(&rig, &build).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("build.expiry")));
    let error = rig.call("otc.build", &json(OFFER), "{}").unwrap_err();
    assert_eq!(error.field.as_deref(), Some("request.expiry"));
    rig.world.assert_untouched();
    rig.world.chain.borrow_mut().node(8453).time = 1_800_003_600;
    submit(&rig, &build).unwrap();
}

#[test]
fn invalid_input_is_refused_by_name() {
    let me = Rig::default().owner().to_string();
    for (from, to, field) in [
        ("8453", "0", "request.chainId"),
        ("0x1111111111111111111111111111111111111111", "0x22", "request.makerAsset"),
        ("0x1111111111111111111111111111111111111111", "native", "request.makerAsset"),
        (
            "0x2222222222222222222222222222222222222222",
            "0x1111111111111111111111111111111111111111",
            "request.takerAsset",
        ),
        ("\"100000000\"", "\"0\"", "request.makerAmount"),
        ("\"100000000\"", "100000000", "request.makerAmount"),
        ("\"40000000000000000\"", "\"1e3\"", "request.takerAmount"),
        ("1800003600", "\"soon\"", "request.expiry"),
        ("\"expiry\":1800003600", "\"until\":1800003600", "request.until"),
        ("\"expiry\"", "\"taker\":\"0x1111111111111111111111111111111111111111\",\"expiry\"", "request.taker"),
        ("\"expiry\"", &format!("\"taker\":\"{me}\",\"expiry\""), "request.taker"),
        ("\"expiry\"", "\"nonce\":\"79228162514264337593543950336\",\"expiry\"", "request.nonce"),
        ("\"makerDecimals\":6", "\"makerDecimals\":78", "request.makerDecimals"),
    ] {
        let rig = allowed();
        let error = rig.call("otc.build", &json(&OFFER.replacen(from, to, 1)), "{}").unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(field)), "{to}");
    }
    let largest = "\"nonce\":\"79228162514264337593543950335\",\"expiry\"";
    offered(&allowed(), &OFFER.replace("\"expiry\"", largest));
    // The zero address says what leaving it out says.
    let nobody = format!("\"taker\":\"{}\",\"expiry\"", Address::ZERO);
    assert_eq!(text(&offered(&allowed(), &OFFER.replace("\"expiry\"", &nobody)), "taker"), Address::ZERO.to_string());
}

#[test]
fn every_visible_member_that_was_edited_is_refused_by_name() {
    let rig = allowed();
    let build = offered(&rig, OFFER);
    let Json::Object(members) = &build else { panic!() };
    for (name, _) in members.iter().filter(|(name, _)| !["sealed", "kind", "approval"].contains(&name.as_str())) {
        let mut edited = build.clone();
        set(&mut edited, name, r#""0x7777777777777777777777777777777777777777""#);
        let error = submit(&rig, &edited).unwrap_err();
        assert_eq!((error.code, error.field.clone()), (ErrorCode::InvalidInput, Some(format!("build.{name}"))));
    }
    rig.world.assert_untouched();
}

#[test]
fn a_noted_offer_is_asked_for_again_only_with_the_request_it_is_for() {
    let rig = allowed();
    let build = offered(&Rig::with(|shared, _| shared.settings.secret = [9; 32]), OFFER);
    note(&rig, &build);
    let error = submit(&rig, &build).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("options.request")));
    let maker = format!("\"maker\":\"{}\",\"expiry\"", rig.owner());
    let request = OFFER.replace("\"expiry\"", &maker);
    for (from, to, field) in [
        ("\"100000000\"", "\"100000001\"", "options.request.makerAmount"),
        ("\"40000000000000000\"", "\"39999999999999999\"", "options.request.takerAmount"),
        ("1800003600", "1800003601", "options.request.expiry"),
        ("\"expiry\"", &format!("\"taker\":\"{TAKER}\",\"expiry\""), "options.request.taker"),
    ] {
        let options = format!(r#"{{"request":{}}}"#, request.replacen(from, to, 1));
        let error = rig.call("submit", &build, &options).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(field)));
    }
    rig.world.assert_untouched();
    let options = format!(r#"{{"request":{request}}}"#);
    rig.call("submit", &build, &options).unwrap();
}

#[test]
fn an_answer_that_got_lost_is_looked_up_by_the_hash() {
    let rig = allowed();
    let build = offered(&rig, OFFER);
    rig.world.service.borrow_mut().next("otcPost", |service, request| {
        service.honest(request)?;
        Err(verified_swap_trade::host::HttpFailure::Network(None))
    });
    let order = submit(&rig, &build).unwrap();
    let asked = rig.world.sent("otcOrder");
    assert_eq!(asked[0].url, format!("https://service.test/ft/order/{}", text(&build, "orderHash")));
    assert_eq!(text(&order, "orderHash"), text(&build, "orderHash"));
    assert_eq!((rig.world.prompts(), rig.world.sent("otcPost").len()), (1, 1));
}

#[test]
fn a_wrapped_answer_is_an_answer() {
    let rig = allowed();
    rig.world.service.borrow_mut().otc.wraps = true;
    let order = submit(&rig, &offered(&rig, OFFER)).unwrap();
    assert_eq!(text(&order, "state"), "PENDING");
}

#[test]
fn an_answer_with_another_orders_hash_is_refused() {
    let rig = allowed();
    let build = offered(&rig, OFFER);
    for endpoint in ["otcPost", "otcOrder"] {
        for _ in 0..5 {
            let other = format!(r#"{{"orderHash":"0x{}","state":"PENDING"}}"#, "7".repeat(64));
            rig.world.service.borrow_mut().next(endpoint, move |_, _| answer(200, other));
        }
    }
    let error = submit(&rig, &build).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::ServiceMalformed, Some("order.orderHash")));
    let signed = json(error.signed_order.as_ref().unwrap());
    assert_eq!(text(&signed, "kind"), "signedOtcOrder");
    // A signed offer is not lost: it is posted again, without a second signature.
    let order = submit(&rig, &signed).unwrap();
    assert_eq!(text(&order, "orderHash"), text(&build, "orderHash"));
    assert_eq!(rig.world.prompts(), 1);
}

#[test]
fn a_refused_order_is_not_signed_again_unasked() {
    let rig = allowed();
    let build = offered(&rig, OFFER);
    let body = r#"{"errorType":"InvalidSignature","details":"Order signature does not recover to maker"}"#;
    rig.world.service.borrow_mut().next_is("otcPost", 400, body);
    let error = submit(&rig, &build).unwrap_err();
    assert_eq!((error.code, error.error_type.as_deref()), (ErrorCode::SignatureMismatch, Some("InvalidSignature")));
    assert!(error.message.contains("1800003600"), "{}", error.message);
    assert!(error.signed_order.is_some());
    submit(&rig, &build).unwrap();
    assert_eq!(rig.world.prompts(), 1, "the signature was kept");
}

#[test]
fn a_signed_order_that_was_edited_or_signed_by_another_is_refused() {
    let rig = allowed();
    let build = offered(&rig, OFFER);
    rig.world.service.borrow_mut().next_is("otcPost", 400, "{}");
    let signed = json(submit(&rig, &build).unwrap_err().signed_order.as_ref().unwrap());
    let other = hex::encode_prefixed(Signer::new([8; 32]).sign(text(&signed, "orderHash").parse().unwrap()));
    for (member, value, code) in [
        ("orderHash", format!("0x{}", "1".repeat(64)), ErrorCode::InvalidInput),
        ("signature", other, ErrorCode::SignatureMismatch),
        ("signature", "0x".into(), ErrorCode::SignatureMismatch),
    ] {
        let mut edited = signed.clone();
        set(&mut edited, member, &format!(r#""{value}""#));
        assert_eq!(submit(&rig, &edited).unwrap_err().code, code, "{member}");
    }
    assert_eq!(rig.world.sent("otcPost").len(), 1);
}

#[test]
fn a_signature_in_any_form_is_posted_in_one() {
    let build_hash = {
        let rig = allowed();
        let build = offered(&rig, OFFER);
        submit(&rig, &build).unwrap();
        json(rig.world.sent("otcPost")[0].body.as_ref().unwrap())
    };
    let rig = allowed();
    let build = offered(&rig, OFFER);
    rig.world.signer.borrow_mut().next_signature(|signer, digest| {
        let signed = signer.sign(digest);
        let mut compact = signed[..64].to_vec();
        compact[32] |= (signed[64] - 27) << 7;
        format!(r#""{}""#, hex::encode_prefixed(compact))
    });
    submit(&rig, &build).unwrap();
    let posted = json(rig.world.sent("otcPost")[0].body.as_ref().unwrap());
    assert_eq!(text(&posted, "signature"), text(&build_hash, "signature"));
}

#[test]
fn a_maker_with_code_signs_as_its_code_says() {
    let yes = format!("0x1626ba7e{}", "0".repeat(56));
    for (answer, taken) in [(yes, true), (format!("0x{}", "0".repeat(64)), false), ("0x".into(), false)] {
        let rig = allowed();
        let build = offered(&rig, OFFER);
        let maker = rig.owner();
        rig.world.chain.borrow_mut().node(8453).code.insert(maker, vec![0x60]);
        let contract = move |_: &Json| Ok(Json::String(answer.clone()));
        rig.world.chain.borrow_mut().node(8453).contracts.insert(maker, Box::new(contract));
        rig.world.service.borrow_mut().otc.trusts = true;
        rig.world.signer.borrow_mut().next_signature(|_, _| r#""0x1234""#.into());
        match submit(&rig, &build) {
            Ok(_) => assert!(taken && rig.world.sent("otcPost")[0].body.as_ref().unwrap().contains(r#""0x1234""#)),
            Err(error) => assert!(!taken && error.code == ErrorCode::SignatureMismatch, "{error:?}"),
        }
    }
}

#[test]
fn a_signature_made_elsewhere_is_posted_without_a_prompt() {
    let rig = allowed();
    let build = offered(&rig, OFFER);
    let signature = Signer::new(crate::fake_host::OWNER_KEY).sign(text(&build, "orderHash").parse().unwrap());
    let options = format!(r#"{{"signature":"{}"}}"#, hex::encode_prefixed(signature));
    let order = rig.call("submit", &build, &options).unwrap();
    assert_eq!((text(&order, "state"), rig.world.prompts()), ("PENDING", 0));
    let other = Signer::new([8; 32]).sign(text(&build, "orderHash").parse().unwrap());
    let options = format!(r#"{{"signature":"{}"}}"#, hex::encode_prefixed(other));
    assert_eq!(rig.call("submit", &build, &options).unwrap_err().code, ErrorCode::SignatureMismatch);
    let error = rig.call("submit", &build, r#"{"preSign":true}"#).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("options.preSign")));
}

#[test]
fn a_signature_is_kept_while_nobody_can_say_whether_the_makers_code_takes_it() {
    let rig = allowed();
    let build = offered(&rig, OFFER);
    let maker = rig.owner();
    rig.world.chain.borrow_mut().node(8453).code.insert(maker, vec![0x60]);
    rig.world
        .chain
        .borrow_mut()
        .node(8453)
        .contracts
        .insert(maker, Box::new(|_| Ok(Json::String(format!("0x1626ba7e{}", "0".repeat(56))))));
    rig.world.service.borrow_mut().otc.trusts = true;
    rig.world.signer.borrow_mut().next_signature(|_, _| r#""0x1234""#.into());
    let signing = crate::fake_host::Moment::Answer("eth_signTypedData_v4");
    rig.world.once(signing, |world| world.chain.borrow_mut().node(8453).unreachable = true);
    let error = submit(&rig, &build).unwrap_err();
    assert_eq!(error.code, ErrorCode::Network);
    let signed = json(error.signed_order.as_ref().unwrap());
    rig.world.chain.borrow_mut().node(8453).unreachable = false;
    submit(&rig, &signed).unwrap();
    assert_eq!(rig.world.prompts(), 1);
}

#[test]
fn an_abort_before_the_prompt_opens_none_and_after_it_keeps_what_is_signed() {
    let rig = allowed();
    let build = offered(&rig, OFFER);
    rig.signal.0.set(true);
    assert_eq!(submit(&rig, &build).unwrap_err().code, ErrorCode::Aborted);
    rig.world.assert_untouched();
    rig.signal.0.set(false);
    let stop = rig.signal.clone();
    rig.world.once(crate::fake_host::Moment::Answer("eth_signTypedData_v4"), move |_| stop.0.set(true));
    assert_eq!(submit(&rig, &build).unwrap_err().code, ErrorCode::Aborted);
    rig.signal.0.set(false);
    submit(&rig, &build).unwrap();
    assert_eq!((rig.world.prompts(), rig.world.sent("otcPost").len()), (1, 1));
}
