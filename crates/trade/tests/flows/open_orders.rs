//! Open orders keep their share of the allowance: what an approval covers by default, and what a second order may spend.

use super::fake_host::{DELTA, Moment, Rig, SELL, SRC, World, at, json, text};
use alloy_primitives::{Address, U256};
use verify::internal::error::ErrorCode;
use verify::internal::json::Json;

const BOTH: &str = r#"{"slippageBps":50,"existing":"keepBoth"}"#;

fn key() -> (Address, Address) {
    (SRC.parse().unwrap(), DELTA.parse().unwrap())
}

fn allow(rig: &Rig, amount: u64) {
    rig.world.chain.borrow_mut().node(8453).allowances.insert(key(), U256::from(amount));
}

/// An owner whose order of 100 is open, and has its allowance.
fn with_open_order() -> (Rig, Json) {
    let world = World::new();
    world.browser.has_storage.set(true);
    let rig = Rig::in_world(world, |_, _| {});
    allow(&rig, 100_000_000);
    let build = rig.built(SELL).unwrap();
    rig.submit(&build).unwrap();
    (rig, build)
}

/// The amounts of an approval: all, for how many open orders, how much for them, and by the service's word.
fn parts(approval: &Json) -> [String; 4] {
    ["amount", "openOrders", "forOpenOrders", "claimed"].map(|name| text(approval, name).to_owned())
}

fn approval(rig: &Rig, options: &str) -> Json {
    at(&rig.built_as(SELL, options).unwrap(), "approval").clone()
}

#[test]
fn an_open_order_keeps_its_share_of_the_next_approval() {
    let (rig, _) = with_open_order();
    let pages = [&rig, &Rig::in_world(rig.world.clone(), |_, _| {})];
    for page in pages {
        // After a reload, too.
        let need = approval(page, BOTH);
        assert_eq!(parts(&need), ["200000000", "1", "100000000", "0"]);
    }
    let need = approval(&rig, BOTH);
    rig.approve(&need, "{}").unwrap();
    assert_eq!(rig.world.chain.borrow_mut().node(8453).allowances[&key()], U256::from(200_000_000));
    let all = rig.call("trades.list", &json("{}"), "{}").unwrap();
    let Json::Array(all) = all else { panic!() };
    let sentence = all.iter().find(|one| text(one, "kind") == "transaction").map(|one| text(one, "summary.sentence"));
    assert!(sentence.unwrap().ends_with(": 100000000 for this order, 100000000 for 1 open order"), "{sentence:?}");
}

#[test]
fn only_what_is_signed_open_and_held_widens_an_approval() {
    // At most what the owner holds.
    let (rig, _) = with_open_order();
    rig.world.chain.borrow_mut().node(8453).balance = U256::from(150_000_000);
    rig.world.age_reads();
    let need = approval(&rig, BOTH);
    assert_eq!(
        (parts(&need), text(&need, "unfunded")),
        (["150000000", "1", "50000000", "0"].map(String::from), "50000000")
    );
    rig.approve(&need, "{}").unwrap();
    let all = rig.call("trades.list", &json("{}"), "{}").unwrap();
    let less = ", 50000000 for 1 open order (the account holds 50000000 less than all of that takes)";
    assert!(all.write().contains(less), "{}", all.write());
    let (rig, _) = with_open_order();
    rig.world.chain.borrow_mut().node(8453).balance = U256::from(150_000_000);
    rig.world.age_reads();
    // An order that takes the place of the open one needs no more than that one did.
    assert_eq!(approval(&rig, r#"{"slippageBps":50,"existing":"replace"}"#), Json::Null);
    // An order that has expired by the chain's clock, or whose nonce is used.
    let (rig, build) = with_open_order();
    rig.world.pass(30 * 24 * 3_600_000);
    rig.mine_now(8453);
    assert_eq!(approval(&rig, BOTH), Json::Null);
    assert!(!text(&build, "orderHash").is_empty());
    let (rig, build) = with_open_order();
    rig.fill(&build);
    assert_eq!(approval(&rig, BOTH), Json::Null);
    // An order whose signature is not the owner's: the storage is not believed.
    let (rig, _) = with_open_order();
    let forged = |text: &str| {
        let place = text.find(r#"\"signature\":\"0x"#).map(|at| at + r#"\"signature\":\"0x"#.len() + 8)?;
        let other = if text.as_bytes()[place] == b'1' { "2" } else { "1" };
        Some([&text[..place], other, &text[place + 1..]].concat())
    };
    let stored: Vec<(String, String)> = rig.world.browser.stored.borrow().clone().into_iter().collect();
    let mut changed = 0;
    for (name, text) in stored {
        if let Some(other) = forged(&text) {
            rig.world.browser.stored.borrow_mut().insert(name, other);
            changed += 1;
        }
    }
    assert_eq!(changed, 1);
    assert_eq!(approval(&Rig::in_world(rig.world.clone(), |_, _| {}), BOTH), Json::Null);
}

#[test]
fn the_services_figure_is_added_only_when_asked_for_and_named() {
    let (rig, _) = with_open_order();
    let lie =
        format!(r#"{{"{SRC}":"115792089237316195423570985008687907853269984665640564039457584007913129639935"}}"#);
    rig.world.service.borrow_mut().always_is("fillableBalance", 200, &lie);
    assert_eq!(parts(&approval(&rig, BOTH)), ["200000000", "1", "100000000", "0"]);
    assert!(rig.world.sent("fillableBalance").is_empty());
    rig.world.chain.borrow_mut().node(8453).balance = U256::from(700_000_000);
    rig.world.age_reads();
    let need = approval(&rig, r#"{"slippageBps":50,"existing":"keepBoth","coverOpenOrders":true}"#);
    assert_eq!(parts(&need), ["700000000", "1", "100000000", "500000000"]);
}

#[test]
fn what_waits_for_an_approval_has_spent_its_share_of_it() {
    let rig = super::waiting::page(u32::MAX);
    let first = rig.built(SELL).unwrap();
    let second = rig.built_as(&SELL.replace(r#""100000000""#, r#""99999999""#), r#"{"slippageBps":50}"#).unwrap();
    rig.approve(at(&first, "approval"), r#"{"until":"sent"}"#).unwrap();
    // Nobody waits for the first any more, and it is not posted.
    let stop = rig.signal.0.clone();
    rig.world.at_each(move |_, moment| {
        if moment == Moment::Sleep {
            stop.set(true);
        }
    });
    assert_eq!(rig.submit(&first).unwrap_err().code, ErrorCode::Aborted);
    rig.signal.0.set(false);
    let signed = rig.world.wallet_was_asked("eth_signTypedData_v4").len();
    let error = rig.submit(&second).unwrap_err();
    assert_eq!(error.code, ErrorCode::InsufficientAllowance, "{error:?}");
    assert_eq!(rig.world.wallet_was_asked("eth_signTypedData_v4").len(), signed);
}

#[test]
fn what_a_revocation_ends_is_named_and_what_open_orders_need_can_be_asked() {
    let (rig, build) = with_open_order();
    let owner = rig.owner();
    let query =
        |amount| json(&format!(r#"{{"chainId":8453,"token":"{SRC}","amount":"{amount}","account":"{owner}"}}"#));
    let needed = |amount| rig.call("approvals.needed", &query(amount), "{}").unwrap();
    rig.world.service.borrow_mut().always_is("fillableBalance", 200, "{}");
    assert_eq!([needed("0"), needed("5")].map(|all| all.write()), [r#""100000000""#, r#""100000005""#]);
    let allowance =
        format!(r#"{{"chainId":8453,"account":"{owner}","token":"{SRC}","spender":"{DELTA}","kind":"erc20"}}"#);
    let sentence = || {
        let revoke = rig.call("approvals.buildRevoke", &json(&allowance), "{}").unwrap();
        text(&revoke, "report.sentence").to_owned()
    };
    let named = format!(", which the open order {} needs", text(&build, "orderHash"));
    assert!(sentence().ends_with(&named), "{}", sentence());
    // Not once it has expired.
    rig.world.pass(30 * 24 * 3_600_000);
    rig.mine_now(8453);
    assert!(!sentence().contains("open order"));
}

/// The needs of each gasless order in a list, and whether it is known to have all.
fn health(rig: &Rig, call: &str) -> Vec<[String; 2]> {
    health_of(&rig.call(call, &json("{}"), "{}").unwrap())
}

fn health_of(list: &Json) -> Vec<[String; 2]> {
    let Json::Array(all) = list else { panic!() };
    let said = |one: &Json, name| one.get(name).map_or("absent".into(), Json::write).replace('"', "");
    let orders = all.iter().filter(|one| text(one, "kind") == "delta");
    orders.map(|one| [said(one, "needs"), said(one, "funded")]).collect()
}

#[test]
fn an_open_order_states_what_it_needs_where_the_chain_shows_it() {
    let (rig, build) = with_open_order();
    let set = |allowance: u64, balance: u64| {
        allow(&rig, allowance);
        rig.world.chain.borrow_mut().node(8453).balance = U256::from(balance);
        rig.world.age_reads();
    };
    for (allowance, balance, expected) in [
        (100_000_000, 100_000_000, ["null", "true"]),
        (99_999_999, 100_000_000, ["approval", "false"]),
        (0, 700_000_000, ["approval", "false"]),
        (100_000_000, 99_999_999, ["balance", "false"]),
        (0, 0, ["balance", "false"]),
    ] {
        set(allowance, balance);
        for page in [&rig, &Rig::in_world(rig.world.clone(), |_, _| {})] {
            for call in ["trades.list", "trades.resume"] {
                assert_eq!(health(page, call), [expected], "{call}: {allowance} of {balance}");
            }
        }
    }
    // An answer that does not come says nothing, nor does a chain for which there is no node.
    set(0, 0);
    rig.world.chain.borrow_mut().node(8453).unreachable = true;
    assert_eq!(health(&rig, "trades.list"), [["null", "absent"]]);
    let alone = Rig::in_world(rig.world.clone(), |shared, binding| {
        shared.settings.rpc.clear();
        binding.wallet = None;
    });
    assert_eq!(health(&alone, "trades.list"), [["null", "absent"]]);
    rig.world.chain.borrow_mut().node(8453).unreachable = false;
    // Nor does the allowance of an order whose nonce is used, or cannot be read: it may have been filled with it.
    set(0, 700_000_000);
    rig.world.chain.borrow_mut().node(8453).unreachable = false;
    let page = Rig::in_world(rig.world.clone(), |_, _| {});
    for (used, is_unknown) in [(true, false), (false, true)] {
        let nonces = if used { vec![text(&build, "nonce").parse().unwrap()] } else { vec![] };
        {
            let mut chain = rig.world.chain.borrow_mut();
            (chain.node(8453).used_nonces, chain.node(8453).no_nonces) = (nonces, is_unknown);
        }
        rig.world.age_reads();
        assert_eq!(health(&page, "trades.list"), [["null", "absent"]], "{used}");
    }
    rig.world.chain.borrow_mut().node(8453).no_nonces = false;
    // A wallet that does not answer is not waited for: the list comes without it.
    let waiting = Rig::in_world(rig.world.clone(), |shared, _| shared.settings.rpc.clear());
    rig.world.signer.borrow_mut().quirks.silent = vec!["eth_chainId", "eth_call"];
    let (timeline, filter) = (rig.world.timeline.clone(), json("{}"));
    let list = async {
        let all = waiting.beside("trades.list", &filter, "{}", &waiting.signal).await.unwrap();
        (health_of(&all), timeline.now())
    };
    let (found, now) = timeline.run(vec![Box::pin(list)]).pop().unwrap();
    assert_eq!((found, now < 5_000), (vec![["null".into(), "absent".into()]], true), "{now}");
    rig.world.signer.borrow_mut().quirks.silent.clear();
    // Nor does one that cannot be filled any more need anything.
    rig.world.pass(30 * 24 * 3_600_000);
    rig.mine_now(8453);
    assert_eq!(health(&rig, "trades.list"), [["null", "absent"]]);
}

#[test]
fn open_orders_of_one_token_share_its_allowance_and_one_batch() {
    let (rig, _) = with_open_order();
    allow(&rig, 200_000_000);
    rig.world.age_reads();
    let second = rig.built_as(SELL, BOTH).unwrap();
    rig.submit(&second).unwrap();
    assert_eq!(health(&rig, "trades.list"), [["null", "true"], ["null", "true"]]);
    allow(&rig, 199_999_999);
    rig.world.age_reads();
    assert_eq!(health(&rig, "trades.list"), [["approval", "false"], ["approval", "false"]]);
    // Each can be filled, though not both: only what is there has to be allowed.
    rig.world.chain.borrow_mut().node(8453).balance = U256::from(150_000_000);
    rig.world.age_reads();
    assert_eq!(health(&rig, "trades.list"), [["null", "true"], ["null", "true"]]);
}

#[test]
fn an_order_that_may_be_filled_in_part_needs_nothing_that_is_in_doubt() {
    let world = World::new();
    world.browser.has_storage.set(true);
    let rig = Rig::in_world(world, |_, _| {});
    allow(&rig, 100_000_000);
    let options = super::again::PARTS;
    rig.submit(&rig.built_as(SELL, options).unwrap()).unwrap();
    for (allowance, expected) in
        [(100_000_000, ["null", "true"]), (40_000_000, ["null", "absent"]), (0, ["approval", "false"])]
    {
        allow(&rig, allowance);
        rig.world.age_reads();
        assert_eq!(health(&rig, "trades.list"), [expected], "{allowance}");
    }
}

#[test]
fn an_open_order_that_is_submitted_again_asks_for_the_approval_that_it_lost() {
    let (rig, build) = with_open_order();
    let page = Rig::in_world(rig.world.clone(), |_, _| {});
    let Json::Array(all) = page.call("trades.list", &json("{}"), "{}").unwrap() else { panic!() };
    let signed = at(&all[0], "signedOrder").clone();
    let prompts = rig.world.prompts();
    let set = |allowance| {
        allow(&rig, allowance);
        rig.world.age_reads();
    };
    for (page, argument) in [(&rig, &build), (&page, &signed)] {
        set(100_000_000);
        let order = page.submit(argument).unwrap();
        set(99_999_999);
        let error = page.submit(argument).unwrap_err();
        assert_eq!(error.code, ErrorCode::InsufficientAllowance, "{error:?}");
        assert_eq!(rig.world.prompts(), prompts);
        let approval = json(error.approval.as_deref().unwrap());
        assert_eq!(parts(&approval), ["100000000", "0", "0", "0"]);
        // It is open as before, and needs no other signature.
        set(100_000_000);
        assert_eq!(text(&page.submit(argument).unwrap(), "id"), text(&order, "id"));
        assert_eq!(rig.world.prompts(), prompts);
    }
    // An order that was filled has used its allowance.
    rig.fill(&build);
    for (page, argument) in [(&rig, &build), (&page, &signed)] {
        set(0);
        page.submit(argument).unwrap();
    }
    assert_eq!(rig.world.prompts(), prompts);
}

/// A second order beside the open one, whose approval is on its way.
fn with_approval_on_its_way(reverts: bool) -> (Rig, Json) {
    let (rig, _) = with_open_order();
    {
        let mut chain = rig.world.chain.borrow_mut();
        let node = chain.node(8453);
        (node.keeps_blocks, node.pending_for, node.reverts) = (true, u32::MAX, reverts);
    }
    let second = rig.built_as(SELL, BOTH).unwrap();
    rig.approve(at(&second, "approval"), r#"{"until":"sent"}"#).unwrap();
    (rig, second)
}

#[test]
fn an_order_is_not_posted_on_the_allowance_of_another_open_one() {
    // The approval is in a block after some looks, and may revert there.
    for (reverts, allowance) in [(false, 200_000_000), (true, 100_000_000)] {
        let (rig, second) = with_approval_on_its_way(reverts);
        let posts = rig.world.posts().len();
        let sleeps = std::cell::Cell::new(0);
        rig.world.at_each(move |world, moment| {
            sleeps.set(sleeps.get() + u32::from(moment == Moment::Sleep));
            assert!(sleeps.get() < 50, "it goes round");
            if moment == Moment::Sleep && sleeps.get() == 3 {
                assert_eq!(world.posts().len(), posts, "posted before its approval");
                let mut chain = world.chain.borrow_mut();
                let node = chain.node(8453);
                node.pending_for = 0;
                node.allowances.insert(key(), U256::from(allowance));
            }
        });
        let outcome = rig.submit(&second);
        assert_eq!(outcome.is_err(), reverts, "{outcome:?}");
        assert_eq!(rig.world.posts().len(), posts + usize::from(!reverts));
        let steps = rig.step_names();
        assert!(steps.contains(&"confirming"), "{steps:?}");
    }
}
