//! Every member of a permit changed alone, under a seal that is right: refused by its own check, wherever it is used.

use super::{Bank, Token, bank, quote_of};
use crate::fake_host::{SELL, json, text};
use alloy_primitives::U256;
use verified_swap::domain::permit::{Permit, PermitKind};
use verified_swap::error::ErrorCode;
use verified_swap::json::{At, Json};
use verified_swap::trade::write_permit;

/// A change, and the check that finds it; none where it may be so.
type Change = (&'static str, fn(&mut Permit), Option<&'static str>);

fn refused(bank: &Bank, kind: &str, changes: &[Change]) {
    let quote = quote_of(bank, SELL);
    let deadline = r#","deadline":1800000900"#;
    let signed = bank.sign(&quote, &format!(r#"{{"kind":"{kind}"{deadline}}}"#)).unwrap();
    let honest = Permit::read(&At::input(&signed, "permit")).unwrap();
    let prompts = bank.rig.world.prompts();
    for (name, change, field) in changes {
        let mut permit = honest.clone();
        change(&mut permit);
        let sealed: Json = json(&write_permit(&permit, &bank.rig.client.shared.secret));
        let options = format!(r#"{{"slippageBps":50,"permit":{}{deadline}}}"#, sealed.write());
        match (bank.rig.build(&quote, &options), field) {
            (Ok(build), None) => {
                assert_eq!(text(&build, "typedData.message.permit").len(), 2 + 2 * permit.bytes.len());
            }
            (Err(error), Some(field)) => {
                assert_eq!(
                    (error.code, error.field.as_deref()),
                    (ErrorCode::VerifyMismatch, Some(*field)),
                    "{kind} {name}"
                );
            }
            (outcome, _) => panic!("{kind} {name}: {outcome:?}"),
        }
    }
    assert_eq!(bank.rig.world.prompts(), prompts, "nobody was asked to sign an order");
}

const PARTIES: [Change; 6] = [
    ("nothing", |_| {}, None),
    ("chain", |permit| permit.grant.chain_id += 1, Some("permit.chainId")),
    ("token", |permit| permit.grant.token.0[19] ^= 1, Some("permit.token")),
    ("owner", |permit| permit.grant.owner.0[19] ^= 1, Some("permit.owner")),
    ("spender", |permit| permit.grant.spender.0[19] ^= 1, Some("permit.spender")),
    ("less", |permit| permit.grant.amount -= U256::from(1), Some("permit.amount")),
];

#[test]
fn a_permit_says_for_whom_and_how_much_it_is() {
    for (kind, label) in PermitKind::ALL {
        if kind == PermitKind::Dai {
            continue;
        }
        let bank = bank(Token { granted: (100_000_000, 1_800_000_900, 0), ..Token::default() });
        refused(&bank, label, &PARTIES);
    }
}

#[test]
fn an_allowance_may_be_larger_and_lasts_to_the_orders_last_second() {
    let more: [Change; 3] = [
        ("more", |permit| permit.grant.amount += U256::from(1), None),
        ("the order's last second", |permit| permit.grant.deadline = 1_800_000_900, None),
        ("a second before it", |permit| permit.grant.deadline = 1_800_000_899, Some("permit.deadline")),
    ];
    refused(&bank(Token::default()), "eip2612", &more);
    refused(&bank(Token::default()), "permit2Allowance", &more);
}

#[test]
fn one_transfer_is_of_that_amount_at_that_deadline_and_no_other() {
    let others: [Change; 3] = [
        ("more", |permit| permit.grant.amount += U256::from(1), Some("permit.amount")),
        ("later", |permit| permit.grant.deadline += 1, Some("permit.deadline")),
        ("earlier", |permit| permit.grant.deadline -= 1, Some("permit.deadline")),
    ];
    refused(&bank(Token::default()), "permit2Transfer", &others);
}
