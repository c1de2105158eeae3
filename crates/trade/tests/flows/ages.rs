//! How old an answer of a node may be that counts before a prompt: the table "Before the prompt, and after it" of
//! docs/verification.md. An answer as old as that is used, one that is a millisecond older is read again.

use super::fake_host::{DELTA, Place, Rig, SELL, SRC, at, json, with};
use super::journal::tab;
use super::market::{self, SEND, market, permit};
use super::otc::{DECIMALS, desk};
use alloy_primitives::U256;
use verify::internal::error::Result;
use verify::internal::json::Json;

/// A question to a node or the wallet.
type Asked = (Place, &'static str, String);
/// A rig in which something was read, and the call that needs it again.
type Read = (Rig, Box<dyn Fn(&Rig) -> Result<Json>>);

fn owned(rig: &Rig, request: &str) -> String {
    with(request, &format!(r#""account":"{}""#, rig.owner()))
}

fn priced() -> Read {
    let rig = Rig::default();
    rig.quote(&owned(&rig, SELL)).unwrap();
    (rig, Box::new(|rig| rig.quote(&owned(rig, SELL))))
}

fn signed() -> Read {
    let rig = Rig::default();
    let build = rig.built(&owned(&rig, SELL)).unwrap();
    (rig, Box::new(move |rig| rig.submit(&build)))
}

/// An allowance is there that is too low.
fn approved() -> Read {
    let rig = Rig::default();
    let key = (SRC.parse().unwrap(), DELTA.parse().unwrap());
    rig.world.chain.borrow_mut().node(8453).allowances.insert(key, U256::from(5));
    let build = rig.built(&owned(&rig, SELL)).unwrap();
    (rig, Box::new(move |rig| rig.approve(at(&build, "approval"), r#"{"until":"sent"}"#)))
}

fn sent() -> Read {
    let rig = market::allowed(u64::MAX);
    let build = market::built(&rig, SELL).unwrap();
    (rig, Box::new(move |rig| rig.submit(&build)))
}

/// Its prompt is opened twice.
fn permitted() -> Read {
    let rig = market::allowed(0);
    let options = format!(r#"{{"slippageBps":50,"permit":{}}}"#, permit(&rig, |_| {}));
    let build = rig.build(&rig.quote(&market(SELL)).unwrap(), &options).unwrap();
    rig.world.signer.borrow_mut().next_fails(SEND, 4001);
    rig.submit(&build).unwrap_err();
    (rig, Box::new(move |rig| rig.submit(&build)))
}

fn filled() -> Read {
    let desk = desk();
    let order = desk.order(&[]);
    desk.fill(&order, "").unwrap();
    (desk.rig, Box::new(move |rig| rig.call("otc.buildFill", &order, DECIMALS)))
}

fn listed() -> Read {
    let rig = tab();
    rig.submit(&rig.built(SELL).unwrap()).unwrap();
    let list = |rig: &Rig| rig.call("trades.list", &json("{}"), "{}");
    list(&rig).unwrap();
    (rig, Box::new(list))
}

/// The questions before the first prompt.
fn before_prompt(questions: &[Asked]) -> &[Asked] {
    let prompts = [SEND, "eth_signTypedData_v4"];
    let is_prompt = |(place, method, _): &Asked| *place == Place::Wallet && prompts.contains(method);
    &questions[..questions.iter().position(is_prompt).unwrap_or(questions.len())]
}

/// How often a node was asked that.
fn asked(questions: &[Asked], (method, data): (&str, &str)) -> usize {
    let is_it =
        |(place, asked, params): &&Asked| *place == Place::Node(8453) && *asked == method && params.contains(data);
    questions.iter().filter(is_it).count()
}

#[test]
fn each_answer_counts_until_it_is_as_old_as_in_the_table_and_no_longer() {
    const CALL: &str = "eth_call";
    const FOREVER: u64 = u64::MAX;
    type Row = (&'static str, u64, fn() -> Read, (&'static str, &'static str));
    let rows: [Row; 14] = [
        ("a token's decimals", FOREVER, approved, (CALL, "0x313ce567")),
        ("an account's code", 3_600_000, approved, ("eth_getCode", "")),
        ("pools and feeds", 60_000, priced, (CALL, r#"{"data":"0x6b31"#)),
        ("the price of gas", 60_000, priced, ("eth_gasPrice", "")),
        ("the latest block, with its time", 12_000, signed, ("eth_getBlockByNumber", "")),
        ("a balance", 12_000, signed, (CALL, "0x70a08231")),
        ("an allowance, for a trade", 12_000, signed, (CALL, "0xdd62ed3e")),
        ("the rest of a maker's order", 12_000, filled, (CALL, "0x0b57f091")),
        ("a permit's nonce", 12_000, permitted, (CALL, "0x7ecebe00")),
        ("an open order's nonce, for a list", 12_000, listed, (CALL, "0xcab7e8eb")),
        ("an allowance, for an approval", 2_000, approved, (CALL, "0xdd62ed3e")),
        ("an approval that is tried", 2_000, approved, (CALL, "0x095ea7b3")),
        ("a transaction that is tried", 2_000, sent, (CALL, r#"{"from""#)),
        ("an account's number of transactions", 2_000, sent, ("eth_getTransactionCount", "")),
    ];
    let page = std::fs::read_to_string("../../docs/verification.md").unwrap();
    for (what, ms, read, question) in rows {
        let age = match ms {
            FOREVER => "as long as the client lives".to_owned(),
            3_600_000 => "1 h".to_owned(),
            ms => format!("{} s", ms / 1_000),
        };
        assert!(page.contains(&format!("\n| {what} | {age} |\n")), "docs/verification.md: | {what} | {age} |");
        for (passed, is_kept) in [(ms.min(100 * 3_600_000), true), (ms.saturating_add(1), false)] {
            if passed == FOREVER {
                continue;
            }
            let (rig, call) = read();
            assert!(asked(&rig.world.questions.borrow(), question) > 0, "{what} is read");
            let before = rig.world.questions.borrow().len();
            rig.world.pass(passed);
            let outcome = call(&rig);
            let now = asked(before_prompt(&rig.world.questions.borrow()[before..]), question);
            assert_eq!(now == 0, is_kept, "{what} after {passed} ms: {:?}", outcome.err());
        }
    }
    let listed = page.split("| read | an answer counts for |").nth(1).unwrap().lines().skip(2);
    assert_eq!(listed.take_while(|line| line.starts_with('|')).count(), rows.len(), "no row more");
}
