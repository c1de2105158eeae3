//! The effect of a Market transaction on balances, when it is tried: the node's answer is read for what it is, and never
//! for more.

use super::fake_host::{BUY, DEST, ROUTER, Rig, SELL, SRC, at, failure, json, selling_native, text, verdicts, with};
use super::market::{allowed, market, submit};
use alloy_primitives::{Address, U256, hex};
use std::cell::RefCell;
use std::rc::Rc;
use verify::internal::json::Json;

const OPTIONS: &str = r#"{"slippageBps":50,"tryOutcome":true}"#;
const MARK: &[u8; 31] = b"verified-swap: calls in one ask";
const SPENT: u64 = 100_000_000;
const RECEIVED: u64 = 39_796_020_000_000_000;

/// A call, as the contract in the account's place reads it.
struct Call {
    to: Address,
    value: U256,
    data: Vec<u8>,
}

fn calls(mut packed: &[u8]) -> Vec<Call> {
    let mut all = vec![];
    while !packed.is_empty() {
        let size = usize::try_from(U256::from_be_slice(&packed[52..84])).unwrap();
        let (to, value) = (Address::from_slice(&packed[..20]), U256::from_be_slice(&packed[20..52]));
        all.push(Call { to, value, data: packed[84..84 + size].to_vec() });
        packed = &packed[84 + size..];
    }
    all
}

fn address(text: &str) -> Address {
    text.parse().unwrap()
}

fn marked(done: usize) -> Vec<u8> {
    [&MARK[..], &[u8::try_from(done).unwrap()]].concat()
}

fn word(number: u64) -> Vec<u8> {
    U256::from(number).to_be_bytes::<32>().to_vec()
}

/// The answers of an honest chain: before it every account has twice what is paid, the transaction pays what it states,
/// and the receiver's transfer moves it.
fn honest(calls: &[Call]) -> Vec<Vec<u8>> {
    let (mut is_sent, mut is_moved, mut allowance) = (false, false, 5);
    let answer = |call: &Call| {
        let selector = call.data.get(..4).unwrap_or_default();
        if call.to == address(ROUTER) {
            is_sent = true;
            return marked(0);
        }
        match (selector, call.to) {
            ([0x70, 0xa0, 0x82, 0x31], token) if is_moved => word(if token == address(DEST) { RECEIVED } else { 0 }),
            ([0x70, 0xa0, 0x82, 0x31], token) if token == address(SRC) => word(if is_sent { SPENT } else { 2 * SPENT }),
            ([0x70, 0xa0, 0x82, 0x31], _) => word(if is_sent { 3 * RECEIVED } else { 2 * RECEIVED }),
            ([0xdd, 0x62, 0xed, 0x3e], _) => word(if is_sent { 0 } else { allowance }),
            ([0x09, 0x5e, 0xa7, 0xb3], _) => {
                allowance = 0;
                word(1)
            }
            (_, Address::ZERO) => word(7),
            _ => {
                is_moved = true;
                marked(1)
            }
        }
    };
    calls.iter().map(answer).collect()
}

/// The tries of a rig: the calls of the last one, and what is made of the honest answer.
#[derive(Clone, Default)]
struct Node(Rc<RefCell<Vec<Call>>>);

type Change = dyn Fn(&[Call], Vec<Vec<u8>>) -> Result<Vec<u8>, verified_swap_trade::host::WalletFailure>;

impl Node {
    fn of(rig: &Rig, account: Address, change: Box<Change>) -> Node {
        let node = Node::default();
        let seen = node.clone();
        let answer = move |call: &Json| {
            let asked = calls(&hex::decode(text(call, "data")).unwrap());
            let words = honest(&asked);
            *seen.0.borrow_mut() = asked;
            change(&seen.0.borrow(), words).map(|bytes| Json::String(hex::encode_prefixed(bytes)))
        };
        rig.world.chain.borrow_mut().node(8453).contracts.insert(account, Box::new(answer));
        node
    }

    /// The number of the transaction among the calls.
    fn sent(&self) -> usize {
        sent(&self.0.borrow())
    }
}

fn sent(calls: &[Call]) -> usize {
    calls.iter().position(|call| call.to == address(ROUTER)).unwrap()
}

fn all(words: Vec<Vec<u8>>) -> Vec<u8> {
    [marked(words.len()), words.concat()].concat()
}

/// All went through, and a word is missing.
fn few(words: Vec<Vec<u8>>) -> Vec<u8> {
    [marked(words.len()), words[1..].concat()].concat()
}

fn tried(allowance: u64, request: &str, change: Box<Change>) -> (Rig, Node, Json) {
    let rig = allowed(allowance);
    let node = Node::of(&rig, rig.owner(), change);
    let build = rig.build(&rig.quote(&market(request)).unwrap(), OPTIONS).unwrap();
    (rig, node, build)
}

/// The fields of the outcome that have that verdict, without `outcome.`.
fn fields(build: &Json, verdict: &str) -> Vec<String> {
    let Json::Array(checks) = at(build, "report.checks") else { panic!() };
    let of = |check: &Json| text(check, "field").strip_prefix("outcome.").map(str::to_owned);
    checks.iter().filter(|check| text(check, "verdict") == verdict).filter_map(of).collect()
}

fn actual(build: &Json, field: &str) -> String {
    let Json::Array(checks) = at(build, "report.checks") else { panic!() };
    text(checks.iter().find(|check| text(check, "field") == field).unwrap(), "actual").to_owned()
}

#[test]
fn the_unit_of_a_purchase_that_the_router_keeps_is_nothing_unusual() {
    for (kept, verdict) in [(0, "ok"), (1, "ok"), (2, "unusual")] {
        let change = move |_: &[Call], words: Vec<Vec<u8>>| {
            let arrived = word(2 * RECEIVED + 40_000_000_000_000_000 - kept);
            let words = words.into_iter().map(|one| if one == word(3 * RECEIVED) { arrived.clone() } else { one });
            Ok(all(words.collect()))
        };
        let rig = allowed(SPENT);
        rig.world.service.borrow_mut().market.method = 1;
        Node::of(&rig, rig.owner(), Box::new(change));
        let build = rig.build(&rig.quote(&market(BUY)).unwrap(), OPTIONS).unwrap();
        assert_eq!(verdicts(&build, "outcome.received"), [verdict], "{kept} kept");
    }
}

const ALL: [&str; 7] = ["received", "spent", "otherwiseTaken", "allowanceLeft", "movedOn", "transferTax", "ownerCode"];

#[test]
fn an_honest_trade_is_tried_in_one_call_and_nothing_is_said_against_it() {
    for (allowance, approvals) in [(SPENT, 0), (0, 1), (5, 2)] {
        let (rig, node, build) = tried(allowance, SELL, Box::new(|_, words| Ok(all(words))));
        assert_eq!(fields(&build, "ok"), ALL, "{allowance}");
        assert!(fields(&build, "unusual").is_empty() && fields(&build, "unknown").is_empty());
        assert_eq!(actual(&build, "outcome.received"), RECEIVED.to_string());
        // Approvals lie between the reads and the transaction, which is the build's.
        let calls = node.0.borrow();
        let sent = node.sent();
        assert_eq!(hex::encode_prefixed(&calls[sent].data), text(&build, "transaction.data"));
        let made: Vec<_> =
            calls[..sent].iter().filter(|call| call.data.starts_with(&[0x09, 0x5e, 0xa7, 0xb3])).collect();
        assert_eq!(made.len(), approvals);
        let amounts: Vec<_> = made.iter().map(|call| U256::from_be_slice(&call.data[36..])).collect();
        assert_eq!(amounts, [U256::ZERO, U256::from(SPENT)][2 - approvals..]);
        // In one question, with the code in the account's place.
        let questions = rig.world.questions.borrow();
        let tries: Vec<_> = questions.iter().filter(|(.., params)| params.contains("\"code\"")).collect();
        assert_eq!(tries.len(), 1);
        let params = json(&tries[0].2);
        assert_eq!((text(&params, "0.from"), text(&params, "0.to")), (text(&build, "owner"), text(&build, "owner")));
    }
}

#[test]
fn what_is_sealed_of_it_counts_when_it_is_sent() {
    let (rig, _, build) = tried(SPENT, SELL, Box::new(|_, words| Ok(all(words))));
    submit(&rig, &build).unwrap();
    // Words that were not in the report when it was built are an edit.
    let (rig, _, build) = tried(SPENT, SELL, Box::new(|_, words| Ok(few(words))));
    let edited = build.write().replace("not tried, or the node does not say", "it can");
    assert_ne!(edited, build.write());
    assert!(submit(&rig, &json(&edited)).is_err());
    submit(&rig, &build).unwrap();
}

#[test]
fn each_lie_is_named_by_its_field_and_refuses_nothing() {
    // A word counted from the transaction, the number there, and what is said of it.
    let plus = |at: isize, number: u64| (at, word(number));
    for (field, (place, number), says) in [
        ("received", plus(2, 3 * RECEIVED - 1), (RECEIVED - 1).to_string()),
        ("received", plus(2, 2 * RECEIVED - 1), "0".into()),
        ("spent", plus(1, SPENT - 1), (SPENT + 1).to_string()),
        (
            "otherwiseTaken",
            plus(3, 6),
            format!("1 of 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE of {}", Rig::default().owner()),
        ),
        ("allowanceLeft", plus(4, 6), "6".into()),
        ("movedOn", (5, marked(0)), "it cannot be moved on: the transfer reverts".into()),
        ("movedOn", (6, word(0)), "it cannot be moved on: the transfer moves nothing".into()),
        ("transferTax", (6, word(RECEIVED - 1)), (RECEIVED - 1).to_string()),
    ] {
        let change = move |calls: &[Call], mut words: Vec<Vec<u8>>| {
            words[sent(calls).checked_add_signed(place).unwrap()] = number.clone();
            Ok(all(words))
        };
        let (rig, _, build) = tried(SPENT, SELL, Box::new(change));
        assert_eq!(
            (fields(&build, "unusual"), actual(&build, &format!("outcome.{field}"))),
            (vec![field.into()], says)
        );
        submit(&rig, &build).unwrap();
    }
}

#[test]
fn what_cannot_be_read_is_said_and_not_ok() {
    // A token that returns less than a word, where its balance is asked for.
    for (place, said) in [
        (1, ["spent"].as_slice()),
        (2, &["received", "movedOn"]),
        (3, &["otherwiseTaken"]),
        (4, &["allowanceLeft"]),
        (6, &["movedOn"]),
    ] {
        let change = move |calls: &[Call], mut words: Vec<Vec<u8>>| {
            words[sent(calls) + place] = marked(sent(calls) + place);
            Ok(all(words))
        };
        let (_, _, build) = tried(SPENT, SELL, Box::new(change));
        assert_eq!(
            (fields(&build, "unknown"), fields(&build, "unusual")),
            (said.iter().map(|name| name.to_string()).collect(), vec![])
        );
    }
    // The receiver's code answered something else: nothing was sent on.
    let change = |calls: &[Call], mut words: Vec<Vec<u8>>| {
        words[sent(calls) + 5] = word(1);
        Ok(all(words))
    };
    assert_eq!(fields(&tried(SPENT, SELL, Box::new(change)).2, "unknown"), ["movedOn"]);
}

#[test]
fn what_was_not_tried_is_unknown_as_a_whole() {
    let reason = "08c379a0".to_owned() + &format!("{:064x}{:064x}{:0<64}", 32, 3, hex::encode("low"));
    let reason = hex::decode(reason).unwrap();
    let reverted = reason.clone();
    let cases: [(Box<Change>, &str); 7] = [
        (Box::new(|_, _| Ok(vec![])), "not tried, or the node does not say"),
        (Box::new(|_, _| Ok(word(1))), "not tried, or the node does not say"),
        (Box::new(|_, _| Err(failure(-32602, "no overrides"))), "not tried, or the node does not say"),
        // Too few words, too many, and some of one.
        (Box::new(|_, words| Ok(few(words))), "not tried, or the node does not say"),
        (
            Box::new(|_, words| Ok([marked(words.len()), words.concat(), word(1)].concat())),
            "not tried, or the node does not say",
        ),
        (Box::new(move |calls, _| Ok([marked(sent(calls)), reverted.clone()].concat())), "not tried: it reverted: low"),
        (
            Box::new(move |_, _| Ok([marked(0), reason.clone()].concat())),
            "not tried: an approval, or the read of a balance, reverted",
        ),
    ];
    for (change, says) in cases {
        let (_, _, build) = tried(SPENT, SELL, change);
        assert_eq!((fields(&build, "unknown"), &*actual(&build, "outcome.trial")), (vec!["trial".into()], says));
        assert_eq!((fields(&build, "ok"), fields(&build, "unusual")), (vec!["ownerCode".into()], vec![]));
    }
}

#[test]
fn another_receiver_is_watched_too_and_sends_it_on_itself() {
    const FRIEND: &str = "0x00000000000000000000000000000000000f12e4";
    let friend: Address = FRIEND.parse().unwrap();
    let (rig, node, build) =
        tried(SPENT, &with(SELL, &format!(r#""beneficiary":"{FRIEND}""#)), Box::new(|_, words| Ok(all(words))));
    let calls = node.0.borrow();
    // Source, destination and native token of both.
    let holders = calls[..6].iter().map(|call| Address::from_slice(&call.data[call.data.len() - 20..]));
    assert_eq!(holders.collect::<Vec<_>>(), [[rig.owner(); 3], [friend; 3]].concat());
    let onward = &calls[calls.len() - 2];
    assert_eq!((onward.to, onward.value), (friend, U256::ZERO));
    let inner = &self::calls(&onward.data)[0];
    assert_eq!(
        (inner.to, &inner.data[..4], U256::from_be_slice(&inner.data[36..])),
        (address(DEST), &[0xa9, 0x05, 0x9c, 0xbb][..], U256::from(RECEIVED))
    );
    let questions = rig.world.questions.borrow();
    let (.., params) = questions.iter().find(|(.., params)| params.contains("\"code\"")).unwrap();
    let Json::Object(overrides) = at(&json(params), "2").clone() else { panic!() };
    assert_eq!(overrides.len(), 2);
    // The honest chain pays the owner here as well, and takes from both.
    assert_eq!(fields(&build, "unusual"), ["otherwiseTaken"]);
}

#[test]
fn the_owners_delegate_is_named_and_no_other_code_is() {
    let metamask = address("0x63c0c19a282a1B52b07dD5a65b58948A07DAE32B");
    let delegating = |to: &[u8]| [&[0xef, 1, 0], to].concat();
    let stranger = address("0x63C0c19a282a1B52b07dd5A65B58948a07daE32C");
    for (code, verdict, says) in [
        (vec![], "ok", "none".into()),
        (delegating(metamask.as_slice()), "ok", format!("of MetaMask EIP7702StatelessDeleGator {metamask}")),
        (delegating(stranger.as_slice()), "opaque", format!("of {stranger}, which no table has")),
        (delegating(&metamask[1..]), "opaque", "a contract's".into()),
        (vec![0x60; 23], "opaque", "a contract's".into()),
    ] {
        let rig = allowed(SPENT);
        rig.world.chain.borrow_mut().node(8453).code.insert(rig.owner(), code);
        let build = rig.build(&rig.quote(&market(SELL)).unwrap(), OPTIONS).unwrap();
        assert_eq!((verdicts(&build, "outcome.ownerCode"), actual(&build, "outcome.ownerCode")), (vec![verdict], says));
    }
}

#[test]
fn nothing_is_tried_unless_it_is_asked_for_and_never_for_a_token_that_has_no_allowance() {
    let rig = allowed(SPENT);
    let build = rig.build(&rig.quote(&market(SELL)).unwrap(), r#"{"slippageBps":50}"#).unwrap();
    assert!(rig.world.questions.borrow().iter().all(|(.., params)| !params.contains("\"code\"")));
    assert!(verdicts(&build, "outcome.trial").is_empty() && fields(&build, "ok").is_empty());
    // The native token is sent along, and has no allowance.
    let (_, node, build) = tried(0, &selling_native(SELL), Box::new(|_, words| Ok(all(words))));
    assert!(!node.0.borrow().iter().any(|call| call.data.starts_with(&[0xdd, 0x62, 0xed, 0x3e])));
    assert!(!fields(&build, "ok").contains(&"allowanceLeft".to_owned()));
}
