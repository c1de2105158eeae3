//! Transactions of a wallet that were not asked for: from another account, to another contract, or something else.

use super::fake_host::{DELTA, Moment, Rig, SELL, SRC, Signer, at, json, set, text};
use super::journal::{code, list, next, tab};
use super::market;
use super::market_followed::statuses;
use alloy_primitives::{Address, U256, hex};
use verify::internal::error::ErrorCode;
use verify::internal::json::Json;

const SEND: &str = "eth_sendTransaction";
const OTHER: &str = r#""0x00000000000000000000000000000000000000ff""#;

/// A tab whose wallet sent a Market trade otherwise than it was asked, and the transaction.
fn sent_otherwise(member: &str, value: &str) -> (Rig, Json) {
    let rig = tab();
    market::prepare(&rig, 8453, SRC, u64::MAX);
    let build = market::built(&rig, SELL).unwrap();
    let sent = rig.submit(&build).unwrap();
    set(&mut rig.world.chain.borrow_mut().node(8453).mined_here[0], member, value);
    (rig, sent)
}

/// The one trade in the journal.
fn trade(rig: &Rig) -> Json {
    list(rig, "trades.list").remove(0)
}

fn prompts(rig: &Rig) -> usize {
    rig.world.wallet_was_asked(SEND).len()
}

#[test]
fn what_another_account_sent_or_does_something_else_stands_in_the_way_until_the_user_decides() {
    for (member, value) in [("from", OTHER), ("to", OTHER), ("to", "null"), ("input", r#""0x01020304""#)] {
        for (is_pending, is_reloaded) in [(false, false), (true, false), (false, true)] {
            let (rig, sent) = sent_otherwise(member, value);
            rig.world.chain.borrow_mut().node(8453).pending_for = if is_pending { u32::MAX } else { 0 };
            let page = if is_reloaded { next(&rig) } else { rig };
            if is_reloaded {
                let found = list(&page, "trades.resume").remove(0);
                assert_eq!((text(&found, "status"), text(&found, "needs")), ("FOREIGN", "decision"), "{member}");
            } else {
                assert_eq!(statuses(&page, &sent), ["FOREIGN"], "{member}");
            }
            assert_eq!((text(&trade(&page), "state"), text(&trade(&page), "status")), ("sent", "FOREIGN"));
            assert_eq!(at(&sent, "nonce"), &Json::Null, "another account's numbers are not the owner's");
            let build = market::built(&page, SELL).unwrap();
            let error = page.submit(&build).unwrap_err();
            assert_eq!((error.code, error.actual.as_deref()), (ErrorCode::AlreadySigned, Some("another was sent")));
            assert!(error.message.contains(text(&sent, "hash")), "{error:?}");
            assert_eq!(prompts(&page), 1);
            page.submit_with(&build, r#"{"existing":"keepBoth"}"#).unwrap();
            // The user has decided about the first one.
            page.world.chain.borrow_mut().node(8453).pending_for = 0;
            page.submit(&market::built(&page, SELL).unwrap()).unwrap();
            assert_eq!(prompts(&page), 3);
        }
    }
}

#[test]
fn the_next_click_reads_who_sent_it_also_if_nobody_waited() {
    let (rig, _) = sent_otherwise("from", OTHER);
    let build = market::built(&rig, SELL).unwrap();
    assert_eq!(code(rig.submit(&build)), ErrorCode::AlreadySigned);
    assert_eq!((prompts(&rig), text(&trade(&rig), "status")), (1, "FOREIGN"));
}

#[test]
fn after_a_reload_it_is_not_built_and_sent_again_unasked() {
    let rig = tab();
    market::prepare(&rig, 8453, SRC, u64::MAX);
    let build = market::built(&rig, SELL).unwrap();
    rig.submit(&build).unwrap();
    set(&mut rig.world.chain.borrow_mut().node(8453).mined_here[0], "from", OTHER);
    let page = next(&rig);
    assert_eq!(code(page.submit(&build)), ErrorCode::InvalidInput);
    let build = market::built(&page, SELL).unwrap();
    assert_eq!(code(page.submit(&build)), ErrorCode::AlreadySigned);
    assert_eq!(prompts(&page), 1);
    page.submit_with(&build, r#"{"existing":"keepBoth"}"#).unwrap();
    assert_eq!(prompts(&page), 2);
}

#[test]
fn what_the_user_abandons_is_in_the_way_no_more() {
    let (rig, sent) = sent_otherwise("from", OTHER);
    statuses(&rig, &sent);
    let id = at(&trade(&rig), "id").clone();
    let given_up = rig.call("trades.abandon", &id, "{}").unwrap();
    assert_eq!((text(&given_up, "state"), text(&given_up, "status")), ("ended", "ABANDONED"));
    // Another look does not bring it back.
    assert_eq!(statuses(&rig, &sent), ["FOREIGN"]);
    let page = next(&rig);
    assert!(list(&page, "trades.resume").is_empty());
    page.submit(&market::built(&page, SELL).unwrap()).unwrap();
    // The owner's own transactions are not abandoned.
    let own = list(&page, "trades.list").into_iter().find(|trade| text(trade, "state") == "sent").unwrap();
    assert_eq!(code(page.call("trades.abandon", at(&own, "id"), "{}")), ErrorCode::InvalidInput);
}

#[test]
fn bytes_that_a_wallet_appends_change_nothing() {
    for is_heard in [true, false] {
        let rig = tab();
        market::prepare(&rig, 8453, SRC, u64::MAX);
        rig.world.chain.borrow_mut().node(8453).keeps_blocks = true;
        let build = market::built(&rig, SELL).unwrap();
        if !is_heard {
            rig.world.wallet_waits.set(true);
            let signal = rig.signal.0.clone();
            rig.world.once(Moment::Answer(SEND), move |_| signal.set(true));
        }
        let outcome = rig.submit(&build);
        assert_eq!(outcome.is_ok(), is_heard);
        {
            let mut chains = rig.world.chain.borrow_mut();
            let mined = &mut chains.node(8453).mined_here[0];
            let longer = format!(r#""{}{}""#, text(mined, "input"), hex::encode("referral"));
            set(mined, "input", &longer);
        }
        assert_eq!(text(&list(&next(&rig), "trades.resume")[0], "status"), "COMPLETED");
    }
}

#[test]
fn what_others_send_for_an_account_with_code_counts_by_its_hash() {
    // Known to have had code when it was asked; and one that got it by this very transaction.
    for is_before in [true, false] {
        let rig = tab();
        market::prepare(&rig, 8453, SRC, u64::MAX);
        let delegate = |rig: &Rig| {
            rig.world.chain.borrow_mut().node(8453).code.insert(rig.owner(), [vec![0xef, 1, 0], vec![1; 20]].concat())
        };
        if is_before {
            delegate(&rig);
            // A price for a known account has its code asked for.
            rig.call(
                "warm",
                &json(SELL.split(r#","amount""#).next().map(|pair| format!("{pair}}}")).unwrap().as_str()),
                "{}",
            )
            .unwrap();
        }
        let sent = rig.submit(&market::built(&rig, SELL).unwrap()).unwrap();
        {
            let mut chains = rig.world.chain.borrow_mut();
            let mined = &mut chains.node(8453).mined_here[0];
            for (member, value) in [("from", OTHER), ("to", OTHER), ("input", r#""0x01""#)] {
                set(mined, member, value);
            }
            if is_before {
                // The code that it has since does not count.
                chains.node(8453).code.clear();
            }
        }
        if !is_before {
            delegate(&rig);
        }
        assert_eq!(statuses(&rig, &sent), ["COMPLETED"], "{is_before}");
    }
}

#[test]
fn a_receipt_alone_does_not_say_what_was_sent() {
    let (rig, sent) = sent_otherwise("from", OTHER);
    rig.world.chain.borrow_mut().node(8453).forgets = true;
    let began = rig.world.monotonic_ms.get();
    rig.world.at_each(move |world, moment| {
        if moment == Moment::Sleep && world.monotonic_ms.get() > began + 600_000 {
            world.chain.borrow_mut().node(8453).forgets = false;
        }
    });
    assert_eq!(statuses(&rig, &sent), ["PENDING", "FOREIGN"]);
}

#[test]
fn a_deposit_that_another_account_made_is_no_consent() {
    let rig = tab();
    let contract = Box::new(|_: &Json| Ok(json(r#""0x""#)));
    rig.world.chain.borrow_mut().node(8453).contracts.insert(DELTA.parse().unwrap(), contract);
    let build = rig.built(SELL).unwrap();
    rig.world.at_each(|world, moment| {
        if moment == Moment::Answer(SEND) {
            set(&mut world.chain.borrow_mut().node(8453).mined_here[0], "from", OTHER);
        }
    });
    let error = rig.submit_with(&build, r#"{"preSign":true}"#).unwrap_err();
    assert_eq!(error.code, ErrorCode::WalletFailed);
    assert!(error.message.contains("another account"), "{error:?}");
    assert!(rig.world.posts().is_empty());
    let page = next(&rig);
    list(&page, "trades.resume");
    assert!(page.world.posts().is_empty(), "nothing consents to it");
}

#[test]
fn an_approval_of_another_account_allows_nothing() {
    for is_reloaded in [false, true] {
        let rig = tab();
        rig.world.chain.borrow_mut().node(8453).allowances.clear();
        let build = rig.built(SELL).unwrap();
        rig.world.at_each(|world, moment| {
            if moment == Moment::Answer(SEND) {
                let mut chains = world.chain.borrow_mut();
                let node = chains.node(8453);
                set(&mut node.mined_here[0], "from", &format!(r#""{}""#, Signer::new([8; 32]).accounts[0]));
                node.pending_for = 1;
            }
        });
        let error = rig.approve(at(&build, "approval"), "{}").unwrap_err();
        assert_eq!(error.code, ErrorCode::WalletFailed, "{error:?}");
        assert!(error.message.contains("another account"), "{error:?}");
        rig.world.at_each(|_, _| {});
        let page = if is_reloaded { next(&rig) } else { rig };
        list(&page, "trades.resume");
        assert_eq!(text(&trade(&page), "status"), "FOREIGN");
        // An approval is no trade: the right account may approve at once.
        page.world
            .chain
            .borrow_mut()
            .node(8453)
            .allowances
            .insert((SRC.parse().unwrap(), DELTA.parse().unwrap()), U256::ZERO);
        page.approve(at(&page.built(SELL).unwrap(), "approval"), "{}").unwrap();
        assert_eq!(prompts(&page), 2);
    }
}

#[test]
fn the_amount_of_an_approval_is_the_users_and_nothing_else_of_it() {
    let spend = |amount: u64, spender: &str| {
        let mut data = hex::decode("095ea7b3000000000000000000000000").unwrap();
        data.extend(spender.parse::<Address>().unwrap());
        data.extend(U256::from(amount).to_be_bytes::<32>());
        format!(r#""{}""#, hex::encode_prefixed(data))
    };
    let other = Signer::new([8; 32]).accounts[0].to_string();
    for (amount, spender, status) in
        [(99, DELTA, "COMPLETED"), (u64::MAX, DELTA, "COMPLETED"), (100_000_000, &*other, "FOREIGN")]
    {
        let rig = tab();
        rig.world.chain.borrow_mut().node(8453).allowances.clear();
        let build = rig.built(SELL).unwrap();
        let edited = spend(amount, spender);
        rig.world.at_each(move |world, moment| {
            if moment == Moment::Answer(SEND) {
                let mut chains = world.chain.borrow_mut();
                let node = chains.node(8453);
                set(&mut node.mined_here[0], "input", &edited);
                node.pending_for = 1;
            }
        });
        let outcome = rig.approve(at(&build, "approval"), "{}").map_err(|error| error.code);
        assert_eq!(outcome.err(), (status == "FOREIGN").then_some(ErrorCode::WalletFailed), "{amount}");
        assert_eq!(text(&trade(&rig), "status"), status);
        assert_eq!(at(&trade(&rig), "needs") == &Json::Null, status == "COMPLETED");
    }
}
