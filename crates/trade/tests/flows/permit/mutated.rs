//! Every member of every kind of permit changed alone, wherever permits are used: under the seal it had, and under one
//! that is right. Members and kinds are the package's own lists: for a new member, its changes have to be named here.

use super::otc::{OFFER, desk, fill};
use super::{Bank, Token, bank, quote_of};
use crate::fake_host::{DELTA, RFQ, ROUTER, SELL, SRC, json, set, text};
use crate::market::market;
use alloy_primitives::{U256, hex};
use verified_swap_trade::flows::write_permit;
use verify::internal::domain::chain::Protocol;
use verify::internal::domain::permit::{Grant, Permit, PermitKind, layout};
use verify::internal::error::{ErrorCode, Result};
use verify::internal::json::{Json, JsonAt};

const NOW: u64 = 1_800_000_000;
/// The deadline of the order; the permit's is the same.
const DEADLINE: u64 = 1_800_000_900;
/// The amount that every use takes.
const SPENT: u64 = 100_000_000;

/// Where a permit is used.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Use {
    Order,
    Transaction,
    Fill,
    Offer,
}

impl Use {
    const ALL: [Use; 4] = [Use::Order, Use::Transaction, Use::Fill, Use::Offer];

    fn spender(self) -> &'static str {
        match self {
            Use::Order => DELTA,
            Use::Transaction => ROUTER,
            Use::Fill | Use::Offer => RFQ,
        }
    }

    fn path(self) -> Protocol {
        match self {
            Use::Order => Protocol::Delta,
            Use::Transaction => Protocol::Market,
            Use::Fill | Use::Offer => Protocol::Otc,
        }
    }

    /// Whether its contract takes what the token takes, and nothing of Permit2's.
    fn is_of_the_token(self) -> bool {
        self.path() == Protocol::Otc
    }

    /// The refusal of a member that is not for this; where a permit is for something to build, before that is built.
    fn says(self, member: &str) -> (ErrorCode, String) {
        match self {
            Use::Order | Use::Transaction if member != "deadline" => {
                (ErrorCode::InvalidInput, format!("options.permit.{member}"))
            }
            _ => (ErrorCode::VerifyMismatch, format!("permit.{member}")),
        }
    }

    /// The refusal where its contract does not take that kind.
    fn takes_not(self, kind: PermitKind) -> Option<(ErrorCode, &'static str)> {
        let short = matches!(kind, PermitKind::Permit2Allowance | PermitKind::Permit2Existing);
        match self {
            Use::Fill | Use::Offer if kind.by_permit2() => Some((ErrorCode::VerifyMismatch, "permit.kind")),
            Use::Transaction if short => Some((ErrorCode::InvalidInput, "options.permit.kind")),
            _ => None,
        }
    }

    fn bank(self) -> Bank {
        if self.is_of_the_token() { desk() } else { bank(Token::default()) }
    }

    /// Uses it. Returns what goes out with it.
    fn go(self, bank: &Bank, permit: &str) -> Result<String> {
        let options = format!(r#"{{"slippageBps":50,"deadline":{DEADLINE},"permit":{permit}}}"#);
        let built = |request: &str, path: &str| {
            let build = bank.rig.build(&quote_of(bank, request), &options)?;
            Ok(text(&build, path).to_owned())
        };
        match self {
            Use::Order => built(SELL, "typedData.message.permit"),
            Use::Transaction => built(&market(SELL), "transaction.data"),
            Use::Fill => Ok(text(&fill(&bank.rig, &json(permit), "")?, "transaction.data").to_owned()),
            Use::Offer => {
                let build = bank.rig.call("otc.build", &json(OFFER), "{}")?;
                bank.rig.call("submit", &build, &format!(r#"{{"permit":{permit}}}"#))?;
                Ok(bank.rig.world.sent("otcPost")[0].body.clone().unwrap_or_default())
            }
        }
    }
}

/// A permit that is all it should be.
fn honest(place: Use, kind: PermitKind, bank: &Bank) -> Permit {
    let grant = Grant {
        kind,
        chain_id: 8453,
        token: SRC.parse().unwrap(),
        owner: bank.rig.owner(),
        spender: place.spender().parse().unwrap(),
        amount: U256::from(SPENT),
        deadline: DEADLINE,
        nonce: U256::from(3),
    };
    let bytes = layout::encode(&grant, &[0x55; 64], place.path());
    Permit { grant, bytes }
}

/// The values that a member may become, as JSON, and whether it must not.
fn changes(place: Use, permit: &Permit, member: &str) -> Vec<(String, bool)> {
    let kind = permit.grant.kind;
    // One transfer is signed over the amount and the deadline that the order has. The router is told both in the permit.
    let last = kind == PermitKind::Permit2Transfer && place == Use::Order;
    let number = |value: u64| value.to_string();
    let quoted = |value: u64| format!(r#""{value}""#);
    match member {
        // Which kinds a place takes is said by `expected`.
        "kind" => {
            let others = PermitKind::ALL.into_iter().filter(|(other, _)| *other != kind);
            others.map(|(_, label)| (format!(r#""{label}""#), false)).collect()
        }
        "chainId" => vec![(number(1), true), (number(8454), true)],
        "token" | "owner" | "spender" => vec![(r#""0x7777777777777777777777777777777777777777""#.into(), true)],
        "amount" => vec![(quoted(0), true), (quoted(SPENT - 1), true), (quoted(SPENT + 1), last)],
        "deadline" => {
            // An order is filled up to its last second; what is sent is used at once.
            let needed = if place == Use::Order { DEADLINE } else { NOW };
            [NOW - 1, NOW, DEADLINE - 1, DEADLINE + 1].map(|secs| (number(secs), secs < needed || last)).to_vec()
        }
        // The contract that takes it knows its number and reads its bytes; they go there as they are.
        "nonce" => vec![(quoted(4), false)],
        "bytes" => {
            let mut other = permit.bytes.clone();
            *other.last_mut().unwrap() ^= 1;
            vec![(format!(r#""{}""#, hex::encode_prefixed(other)), false)]
        }
        unknown => panic!("say what {unknown} may become, and what finds it"),
    }
}

/// Uses a permit whose seal is right.
fn judged(place: Use, bank: &Bank, permit: &Permit, refused: Option<(ErrorCode, &str)>, case: &str) {
    let expected = place.takes_not(permit.grant.kind).or(refused);
    let outcome = place.go(bank, &write_permit(permit, &bank.rig.client.shared.settings.secret));
    match (outcome, expected) {
        (Ok(sent), None) => assert!(sent.contains(&hex::encode(&permit.bytes)), "{case}: {sent}"),
        (Err(error), Some((code, field))) => {
            assert_eq!((error.code, error.field.as_deref()), (code, Some(field)), "{case}");
            assert_eq!(bank.rig.world.prompts(), 0, "{case}: nobody was asked to sign");
            assert!(["post", "otcPost"].iter().all(|place| bank.rig.world.sent(place).is_empty()), "{case}: posted");
        }
        (outcome, _) => panic!("{case}: {outcome:?}, and not {expected:?}"),
    }
}

#[test]
fn a_permit_is_used_only_for_the_trade_it_was_signed_for() {
    for (place, (kind, label)) in Use::ALL.into_iter().flat_map(|place| PermitKind::ALL.map(|kind| (place, kind))) {
        let bank = place.bank();
        judged(place, &bank, &honest(place, kind, &bank), None, &format!("{label} in {place:?} as it is"));
        for member in Permit::MEMBERS {
            for (value, refused) in changes(place, &honest(place, kind, &bank), member) {
                let bank = place.bank();
                let secret = bank.rig.client.shared.settings.secret;
                let mut edited: Json = json(&write_permit(&honest(place, kind, &bank), &secret));
                set(&mut edited, member, &value);
                let permit = Permit::read(&JsonAt::input(&edited, "permit")).unwrap();
                // Before a signature the chain is asked for its number.
                let is_void = place == Use::Offer && permit.grant.nonce != U256::from(3);
                let (code, field) = match (permit.ends_with_order(), place) {
                    _ if is_void => (ErrorCode::InvalidInput, "options.permit".into()),
                    // The order is to have the deadline that was signed.
                    (Some(_), Use::Order) if member == "deadline" => {
                        (ErrorCode::InvalidInput, "options.deadline".into())
                    }
                    _ => place.says(member),
                };
                let case = format!("{label} in {place:?}, {member} {value}");
                judged(place, &bank, &permit, (refused || is_void).then_some((code, &field[..])), &case);
            }
        }
    }
}

#[test]
fn a_permit_that_was_edited_is_not_used_whichever_member_it_was() {
    for (place, (kind, label)) in Use::ALL.into_iter().flat_map(|place| PermitKind::ALL.map(|kind| (place, kind))) {
        let bank = place.bank();
        let secret = bank.rig.client.shared.settings.secret;
        let signed = json(&write_permit(&honest(place, kind, &bank), &secret));
        let Json::Object(members) = &signed else { panic!() };
        let names: Vec<&str> = members.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, [&Permit::MEMBERS[..], &["sealed"]].concat());
        for member in Permit::MEMBERS {
            // An allowance that is there has no number: what is put in its place is not read.
            if (kind, member) == (PermitKind::Permit2Existing, "nonce") {
                continue;
            }
            for (value, _) in changes(place, &honest(place, kind, &bank), member) {
                let mut edited = signed.clone();
                set(&mut edited, member, &value);
                let error = place.go(&bank, &edited.write()).expect_err(member);
                let case = format!("{label} in {place:?}, {member} {value}");
                let field = format!("options.permit.{member}");
                assert_eq!((error.code, error.field.clone()), (ErrorCode::InvalidInput, Some(field)), "{case}");
            }
        }
        assert_eq!(bank.rig.world.prompts(), 0);
    }
}
