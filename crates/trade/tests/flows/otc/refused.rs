//! Orders that are not what was shown, or cannot be filled: each refused by its own check, nobody asked.

use super::{Desk, OFFER, Signer, address, desk, otc_hash, set};
use crate::fake_host::{DEST, SRC, failure, json, text, verdicts};
use alloy_primitives::{U256, hex};
use verify::internal::domain::otc::order::ORDER;
use verify::internal::domain::typed_struct::members;
use verify::internal::error::ErrorCode;
use verify::internal::json::Json;

fn refused(desk: &Desk, order: &Json, more: &str) -> Option<String> {
    let error = desk.fill(order, more).unwrap_err();
    desk.rig.world.assert_untouched();
    assert_eq!(error.code, ErrorCode::VerifyMismatch, "{error:?}");
    let report = json(error.report.as_ref().unwrap());
    assert!(text(&report, "sentence").starts_with("Refused: "));
    error.field.clone()
}

/// A different value of that member.
fn changed(order: &Json, name: &str, kind: &str) -> String {
    match kind {
        "address" => r#""0x6666666666666666666666666666666666666666""#.into(),
        _ => format!("{}", text(order, name).parse::<U256>().unwrap() + U256::from(1)),
    }
}

#[test]
fn any_changed_member_is_found_by_the_hash_or_the_signature() {
    for (name, kind) in members(ORDER) {
        let desk = desk();
        let mut order = desk.order(&[]);
        let value = changed(&order, name, kind);
        set(
            &mut order,
            name,
            &if value.starts_with('"') || name == "expiry" { value } else { format!(r#""{value}""#) },
        );
        // The asset is another token: its decimals could not be read here.
        if name == "makerAsset" || name == "takerAsset" {
            let other = address("0x6666666666666666666666666666666666666666");
            let mut chain = desk.rig.world.chain.borrow_mut();
            let answer = chain.node(8453).contracts.remove(&address(SRC)).unwrap();
            chain.node(8453).contracts.insert(other, answer);
            chain.node(8453).code.insert(other, vec![0x60; 64]);
        }
        assert_eq!(refused(&desk, &order, "").as_deref(), Some("order.orderHash"), "{name}");
        // With the hash of what stands there, only the signature is wrong.
        let hash = otc_hash(&order);
        set(&mut order, "orderHash", &format!(r#""{hash}""#));
        assert_eq!(refused(&desk, &order, "").as_deref(), Some("order.signature"), "{name}");
    }
}

#[test]
fn another_signature_is_refused_in_every_form() {
    let desk = desk();
    let honest = desk.order(&[]);
    let hash = otc_hash(&honest);
    let bytes = hex::decode(text(&honest, "signature")).unwrap();
    let other = Signer::new([8; 32]).sign(hash).to_vec();
    let mut high = bytes.clone();
    high[32] |= 0x80;
    for wrong in [other, bytes[..63].to_vec(), vec![], high] {
        let mut order = honest.clone();
        set(&mut order, "signature", &format!(r#""{}""#, hex::encode_prefixed(wrong)));
        assert_eq!(refused(&desk, &order, "").as_deref(), Some("order.signature"));
    }
    let mut compact = bytes[..64].to_vec();
    compact[32] |= (bytes[64] - 27) << 7;
    let mut order = honest;
    set(&mut order, "signature", &format!(r#""{}""#, hex::encode_prefixed(compact)));
    desk.fill(&order, "").unwrap();
}

#[test]
fn a_signature_is_not_checked_again_after_the_first_fill() {
    // A maker's code may have changed its mind since; the contract does not ask it twice.
    let yes = Ok(Json::String(format!("0x1626ba7e{}", "0".repeat(56))));
    let no = Ok(Json::String(format!("0xffffffff{}", "0".repeat(56))));
    let reverts = Err(failure(3, "execution reverted"));
    let fails = Err(failure(-32000, "out of gas"));
    // The answer of the maker's code; the ends of a fill of an untouched order, and of a part.
    let answers = [
        (Some(yes), Ok("ok"), Ok("ok")),
        (Some(no), Err(ErrorCode::VerifyMismatch), Ok("opaque")),
        (Some(reverts), Err(ErrorCode::VerifyMismatch), Ok("opaque")),
        (Some(fails), Err(ErrorCode::WalletFailed), Ok("opaque")),
        // Its code is gone.
        (None, Err(ErrorCode::VerifyMismatch), Ok("opaque")),
    ];
    for (answer, whole, rest) in answers {
        for (remaining, expected) in [(0, whole), (1, Err(ErrorCode::VerifyMismatch)), (60_000_001, rest)] {
            let desk = desk();
            let mut order = desk.order(&[]);
            set(&mut order, "signature", r#""0x1234""#);
            desk.leaves(&order, remaining);
            if let Some(answer) = answer.clone() {
                let (maker, mut chain) = (desk.maker.accounts[0], desk.rig.world.chain.borrow_mut());
                chain.node(8453).code.insert(maker, vec![0x60; 64]);
                chain.node(8453).contracts.insert(maker, Box::new(move |_| answer.clone()));
            }
            let outcome = desk.fill(&order, "");
            let name = format!("{whole:?}, {remaining} left");
            match (outcome, expected) {
                (Err(error), Err(code)) if remaining == 1 => {
                    assert!([code, ErrorCode::WalletFailed].contains(&error.code), "{name}");
                }
                (outcome, Err(code)) => assert_eq!(outcome.expect_err(&name).code, code, "{name}"),
                (outcome, Ok(verdict)) => {
                    let build = outcome.expect(&name);
                    assert_eq!(verdicts(&build, "order.signature"), [verdict], "{name}");
                    let said = text(&build, "report.sentence").contains("its maker no longer confirms the signature");
                    assert_eq!(said, verdict == "opaque", "{name}");
                    assert!(hex::encode(desk.sent(&build)).contains("021234"));
                }
            }
        }
    }
}

#[test]
fn an_order_for_somebody_else_is_refused() {
    let desk = desk();
    let order = desk.order(&[("taker", r#""0x6666666666666666666666666666666666666666""#)]);
    assert_eq!(refused(&desk, &order, "").as_deref(), Some("order.taker"));
}

#[test]
fn ones_own_order_is_not_filled() {
    let desk = desk();
    *desk.rig.world.signer.borrow_mut() = Signer::new(super::MAKER_KEY);
    assert_eq!(refused(&desk, &desk.order(&[]), "").as_deref(), Some("order.maker"));
}

#[test]
fn an_order_expires_by_the_chains_clock_after_its_last_second() {
    let desk = desk();
    let order = desk.order(&[]);
    desk.rig.world.chain.borrow_mut().node(8453).time = 1_800_003_600;
    desk.fill(&order, "").unwrap();
    desk.rig.world.chain.borrow_mut().node(8453).time = 1_800_003_601;
    desk.rig.world.age_reads();
    assert_eq!(refused(&desk, &order, "").as_deref(), Some("order.expiry"));
    desk.fill(&desk.order(&[("expiry", "0")]), "").unwrap();
}

#[test]
fn an_order_that_is_filled_or_cancelled_is_refused() {
    let desk = desk();
    let order = desk.order(&[]);
    desk.leaves(&order, 1);
    assert_eq!(refused(&desk, &order, "").as_deref(), Some("order.remaining"));
    // One unit is left.
    desk.leaves(&order, 2);
    desk.fill(&order, "").unwrap();
}

#[test]
fn a_maker_without_funds_is_found_before_the_taker_pays_gas() {
    let short = U256::from(99_999_999);
    let desk = desk();
    let order = desk.order(&[]);
    let key = (address(SRC), desk.maker.accounts[0]);
    desk.market.borrow_mut().balances.insert(key, short);
    assert_eq!(refused(&desk, &order, "").as_deref(), Some("order.makerBalance"));
    desk.market.borrow_mut().balances.insert(key, short + U256::from(1));
    desk.market.borrow_mut().allowances.insert(key, short);
    assert_eq!(refused(&desk, &order, "").as_deref(), Some("order.makerAllowance"));
    desk.market.borrow_mut().allowances.insert(key, short + U256::from(1));
    desk.fill(&order, "").unwrap();
}

#[test]
fn a_makers_permit_stands_in_for_the_allowance_only_where_there_is_none() {
    let desk = desk();
    let order = desk.order(&[("permitMakerAsset", &format!(r#""0x{}""#, "11".repeat(224)))]);
    assert_eq!(desk.sent(&desk.fill(&order, "").unwrap())[..4], [0x98, 0xf9, 0xb4, 0x6b]);
    desk.market.borrow_mut().allowances.remove(&(address(SRC), desk.maker.accounts[0]));
    assert_eq!(desk.sent(&desk.fill(&order, "").unwrap())[..4], [0xda, 0x6b, 0x84, 0xaf]);
}

#[test]
fn bytes_of_no_permit_length_replace_no_allowance() {
    for length in [1, 96, 192, 223, 225, 257] {
        let desk = desk();
        desk.market.borrow_mut().allowances.remove(&(address(SRC), desk.maker.accounts[0]));
        let order = desk.order(&[("permitMakerAsset", &format!(r#""0x{}""#, "11".repeat(length)))]);
        assert_eq!(refused(&desk, &order, "").as_deref(), Some("order.makerAllowance"), "{length}");
    }
}

#[test]
fn amounts_the_contract_could_not_multiply_are_refused() {
    let desk = desk();
    let most = format!(r#""{}""#, U256::MAX);
    let order = desk.order(&[("makerAmount", &most)]);
    assert_eq!(refused(&desk, &order, "").as_deref(), Some("order.makerBalance"));
    let zero = desk.order(&[("takerAmount", r#""0""#)]);
    assert_eq!(desk.fill(&zero, "").unwrap_err().field.as_deref(), Some("order.takerAmount"));
}

#[test]
fn an_asset_that_is_no_contract_is_not_traded() {
    // Nothing there, or a key's account that delegates to code (EIP-7702).
    for code in [vec![], vec![0xEF; 23]] {
        for (asset, member) in [(SRC, "makerAsset"), (DEST, "takerAsset")] {
            let desk = desk();
            let order = desk.order(&[]);
            desk.rig.world.chain.borrow_mut().node(8453).code.insert(address(asset), code.clone());
            let error = desk.fill(&order, "").unwrap_err();
            let field = format!("order.{member}");
            assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(&*field)), "{error:?}");
            let error = desk.rig.call("otc.build", &json(OFFER), "{}").unwrap_err();
            let field = format!("request.{member}");
            assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(&*field)), "{error:?}");
            desk.rig.world.assert_untouched();
        }
    }
    let desk = desk();
    desk.fill(&desk.order(&[]), "").unwrap();
}
