//! Orders that another contract handles: its needs are its own.

use super::fake_host::{DELTA, Rig, SELL, at, json, selling_native, set, text, with};
use alloy_primitives::{Address, U256};
use verify::internal::error::ErrorCode;
use verify::internal::json::Json;

const HANDLER: &str = "0x5555555555555555555555555555555555555555";
const DEPOSIT: &str = "0x2222222222222222222222222222222222222222";

fn options(more: &str) -> String {
    format!(r#"{{"slippageBps":50,"advanced":{{"external":{{"handler":"{HANDLER}","data":"0x"{more}}}}}}}"#)
}

/// Nobody has, or allows, anything.
fn poor() -> Rig {
    let rig = Rig::default();
    rig.world.chain.borrow_mut().node(8453).allowances.clear();
    rig.world.chain.borrow_mut().node(8453).balance = U256::ZERO;
    rig
}

#[test]
fn neither_balance_nor_allowance_of_the_source_token_is_asked_for() {
    for sold in [SELL.to_owned(), SELL.replace(r#""amount":"100000000""#, r#""amount":"1000000000000""#)] {
        let rig = poor();
        let build = rig.built_as(&sold, &options("")).unwrap();
        assert_eq!(at(&build, "approval"), &Json::Null);
        rig.submit(&build).unwrap();
        assert_eq!(rig.world.prompts(), 1);
    }
    // Any other order of this owner is stopped.
    let rig = poor();
    let build = rig.built(SELL).unwrap();
    let error = rig.submit(&build).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InsufficientBalance, Some("balance")));
    assert!(error.message.contains(" USDX (0x1111"), "{}", error.message);
}

#[test]
fn what_the_caller_says_the_handler_needs_is_held_against_the_chain() {
    let needs = format!(r#","prerequisite":{{"token":"{DEPOSIT}","spender":"{HANDLER}","amount":"500"}}"#);
    let key = |spender: &str| (DEPOSIT.parse::<Address>().unwrap(), spender.parse::<Address>().unwrap());
    for (balance, spender, allowed, refused) in [
        (499, HANDLER, 500, Some(ErrorCode::InsufficientBalance)),
        (500, HANDLER, 499, Some(ErrorCode::InsufficientAllowance)),
        // Allowed to Delta, it is nothing to the handler.
        (500, DELTA, 500, Some(ErrorCode::InsufficientAllowance)),
        (500, HANDLER, 500, None),
    ] {
        let rig = poor();
        let build = rig.built_as(SELL, &options(&needs)).unwrap();
        assert_eq!(at(&build, "approval"), &Json::Null);
        rig.world.chain.borrow_mut().node(8453).balance = U256::from(balance);
        rig.world.chain.borrow_mut().node(8453).allowances.insert(key(spender), U256::from(allowed));
        match (rig.submit(&build), refused) {
            (Err(error), Some(code)) => {
                assert_eq!((error.code, &error.approval), (code, &None), "{error:?}");
                let name = if code == ErrorCode::InsufficientBalance { "balance" } else { "allowance" };
                let field = format!("options.advanced.external.prerequisite.{name}");
                let told = json(&error.write());
                assert_eq!((text(&told, "field"), text(&told, "action")), (field.as_str(), "none"));
                assert!(error.message.contains("takes 0.0000000000000005 WETX (0x2222"), "{}", error.message);
                assert_eq!(error.message.contains(HANDLER), name == "allowance", "{}", error.message);
                rig.world.assert_untouched();
            }
            (outcome, expected) => assert!(outcome.is_ok() && expected.is_none(), "{expected:?}"),
        }
        assert!(!rig.world.sent("build")[0].body.clone().unwrap().contains("prerequisite"));
    }
}

#[test]
fn an_invalid_prerequisite_is_refused_by_name() {
    for (needs, field) in [
        ("7", "options.advanced.external.prerequisite.token"),
        (
            r#"{"token":"native","spender":"0x5555555555555555555555555555555555555555","amount":"1"}"#,
            "options.advanced.external.prerequisite.token",
        ),
        (
            r#"{"token":"0x2222222222222222222222222222222222222222","amount":"1"}"#,
            "options.advanced.external.prerequisite.spender",
        ),
        (
            r#"{"token":"0x2222222222222222222222222222222222222222","spender":"0x5555555555555555555555555555555555555555","amount":"0"}"#,
            "options.advanced.external.prerequisite.amount",
        ),
        (r#"{"tokens":[]}"#, "options.advanced.external.prerequisite.tokens"),
    ] {
        let rig = poor();
        let error = rig.built_as(SELL, &options(&format!(r#","prerequisite":{needs}"#))).unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidInput, "{needs}");
        assert!(error.field.as_deref() == Some(field) || needs == "7", "{needs}: {error:?}");
    }
}

#[test]
fn the_beneficiary_is_sent_to_the_service_but_not_guaranteed() {
    const FRIEND: &str = "0x7777777777777777777777777777777777777777";
    let named = with(SELL, &format!(r#""beneficiary":"{FRIEND}""#));
    for (request, who) in [(SELL.to_owned(), None), (named, Some(FRIEND))] {
        let rig = Rig::default();
        let build = rig.built_as(&request, &options("")).unwrap();
        let body = json(&rig.world.sent("build")[0].body.clone().unwrap());
        assert_eq!(body.get("beneficiary").and_then(Json::as_text), who);
        let Json::Array(checks) = at(&build, "report.checks") else { panic!() };
        let told = checks.iter().find(|check| text(check, "field") == "order.beneficiary").unwrap();
        let owner = rig.owner().to_string();
        assert_eq!((text(told, "verdict"), text(told, "actual")), ("opaque", who.unwrap_or(&owner)));
        assert!(text(&build, "report.sentence").contains(", handled by the contract 0x5555"));
        rig.submit(&build).unwrap();
    }
}

/// Delta takes nothing of its owner: a deposit made for it would stay there.
#[test]
fn whatever_the_service_waits_for_nothing_is_deposited_for_it() {
    let request = selling_native(SELL);
    for (told, how, consents) in [
        (r#"{"errorType":"InsufficientBalance"}"#, "{}", 0),
        (r#"{"errorType":"InvalidSignature"}"#, "{}", 0),
        ("AWAITING_SIGNATURE", "{}", 0),
        // Asked for by the caller.
        ("AWAITING_SIGNATURE", r#"{"preSign":true}"#, 1),
    ] {
        let rig = Rig::default();
        rig.world.chain.borrow_mut().node(8453).balance = U256::MAX;
        let contract = Box::new(|_: &Json| Ok(json(r#""0x""#)));
        rig.world.chain.borrow_mut().node(8453).contracts.insert(DELTA.parse().unwrap(), contract);
        rig.world.service.borrow_mut().takes = Some(Box::new(|_| true));
        let build = rig.built_as(&request, &options("")).unwrap();
        if told.starts_with('{') {
            rig.world.service.borrow_mut().next_is("post", 400, told);
        } else {
            let waits = |order: &mut Json| set(order, "status", r#""AWAITING_SIGNATURE""#);
            rig.world.service.borrow_mut().order_lie = Some(Box::new(waits));
        }
        let _ = rig.submit_with(&build, how);
        let sent = rig.world.wallet_was_asked("eth_sendTransaction");
        assert_eq!(sent.len(), consents, "{told}: {sent:?}");
        assert!(
            sent.iter()
                .all(|params| at(&json(params), "0").get("value").is_none_or(|value| *value == json(r#""0x0""#))),
            "{sent:?}"
        );
    }
}
