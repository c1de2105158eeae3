//! An order that is signed while its approval is on its way: posted after that very approval, or when somebody submits it
//! again, and at no other time.

use super::fake_host::{DELTA, Moment, RFQ, Rig, SELL, SRC, World, approval_log, at, json, set, text};
use super::otc::OFFER;
use alloy_primitives::{Address, U256};
use std::fmt::Write as _;
use verify::internal::error::{Error, ErrorCode};
use verify::internal::json::Json;

const SIGN: &str = "eth_signTypedData_v4";
const SEND: &str = "eth_sendTransaction";
const SENT: &str = r#"{"until":"sent"}"#;

fn key(spender: &str) -> (Address, Address) {
    (SRC.parse().unwrap(), spender.parse().unwrap())
}

/// A browser with a storage, where nothing is approved, and whose chain is slow: no receipt before `looks`.
pub fn page(looks: u32) -> Rig {
    let world = World::new();
    world.browser.has_storage.set(true);
    let rig = Rig::in_world(world, |_, _| {});
    let mut chain = rig.world.chain.borrow_mut();
    let node = chain.node(8453);
    node.allowances.clear();
    (node.keeps_blocks, node.pending_for) = (true, looks);
    drop(chain);
    rig
}

fn reload(rig: &Rig) -> Rig {
    Rig::in_world(rig.world.clone(), |_, _| {})
}

/// The build of an order, whose approval was sent.
fn approving(rig: &Rig) -> Json {
    let build = rig.built(SELL).unwrap();
    rig.approve(at(&build, "approval"), SENT).unwrap();
    build
}

fn trades(rig: &Rig, call: &str) -> Vec<Json> {
    let Json::Array(all) = rig.call(call, &json("{}"), "{}").unwrap() else { panic!() };
    all.into_iter().filter(|trade| text(trade, "kind") != "transaction").collect()
}

fn state(rig: &Rig) -> String {
    let all = trades(rig, "trades.list");
    assert_eq!(all.len(), 1, "{all:?}");
    text(&all[0], "state").into()
}

/// At the first pause, and at each one with `again`.
fn in_pause(rig: &Rig, mut then: impl FnMut(&World) + 'static) {
    rig.world.at_each(move |world, moment| {
        if moment == Moment::Sleep {
            then(world);
        }
    });
}

/// The approval is gone: another transaction of the account has its nonce, and calls `input`.
fn replace(world: &World, input: &'static str) {
    let mut chain = world.chain.borrow_mut();
    let node = chain.node(8453);
    node.forgets = true;
    node.mined.insert(format!("0x{}", "0".repeat(64)), Json::Null);
    let mined = node.mined_here.last_mut().unwrap();
    set(mined, "input", &format!(r#""{input}""#));
    set(mined, "hash", r#""0x00000000000000000000000000000000000000000000000000000000000000aa""#);
}

/// Nothing was posted, and nothing is lost. A refused order no longer waits.
fn assert_kept(rig: &Rig, error: &Error, code: ErrorCode) -> Json {
    assert_eq!(error.code, code, "{error:?}");
    assert!(rig.world.posts().is_empty());
    let is_refused = matches!(code, ErrorCode::WalletFailed | ErrorCode::InsufficientAllowance);
    assert_eq!(state(rig), if is_refused { "unapproved" } else { "waiting" });
    json(error.signed_order.as_ref().unwrap())
}

#[test]
fn the_signature_does_not_wait_for_the_block_and_the_post_does() {
    let rig = page(7);
    let build = approving(&rig);
    assert_eq!(rig.step_names(), ["checking", "approving", "confirming"]);
    rig.steps.borrow_mut().clear();
    rig.world.once(Moment::Ask(super::fake_host::Place::Wallet, SIGN), |world| {
        assert_eq!(world.chain.borrow_mut().node(8453).pending_for, 7, "nobody waited");
    });
    rig.world.once(Moment::Fetch("post"), |world| {
        assert_eq!(world.chain.borrow_mut().node(8453).allowance(key(DELTA).0, key(DELTA).1), U256::from(100_000_000));
    });
    rig.submit(&build).unwrap();
    let steps = ["checking", "signing", "signed", "confirming", "approved", "posting", "posted"];
    assert_eq!(rig.step_names(), steps);
    assert!(rig.steps.borrow()[3].transaction.is_some() && rig.steps.borrow()[3].signed_order.is_some());
    assert_eq!((rig.world.wallet_was_asked(SEND).len(), rig.world.posts().len()), (1, 1));
    assert_eq!(state(&rig), "posted");
}

#[test]
fn a_makers_offer_is_signed_meanwhile_too() {
    let rig = page(7);
    let build = rig.call("otc.build", &json(OFFER), "{}").unwrap();
    rig.approve(at(&build, "approval"), SENT).unwrap();
    rig.world.once(Moment::Fetch("otcPost"), |world| {
        assert!(!world.chain.borrow_mut().node(8453).allowance(key(RFQ).0, key(RFQ).1).is_zero());
    });
    rig.submit(&build).unwrap();
    assert_eq!(rig.world.sent("otcPost").len(), 1);
}

#[test]
fn only_the_latest_approval_that_suffices_is_waited_for() {
    // Approvals of another client, or none: as ever.
    let rig = page(7);
    assert_eq!(rig.submit(&rig.built(SELL).unwrap()).unwrap_err().code, ErrorCode::InsufficientAllowance);
    // Less than the order takes.
    approving(&rig);
    let more = rig.built(&SELL.replace(r#""100000000""#, r#""100000001""#)).unwrap();
    assert_eq!(rig.submit(&more).unwrap_err().code, ErrorCode::InsufficientAllowance);
    // One that would do, and after it the user takes the allowance back.
    let rig = page(u32::MAX);
    rig.world.chain.borrow_mut().node(8453).allowances.insert(key(DELTA), U256::from(5));
    let build = approving(&rig);
    rig.world.pass(1);
    let allowance =
        format!(r#"{{"chainId":8453,"account":"{}","token":"{SRC}","spender":"{DELTA}","kind":"erc20"}}"#, rig.owner());
    rig.submit(&rig.call("approvals.buildRevoke", &json(&allowance), "{}").unwrap()).unwrap();
    assert_eq!(rig.submit(&build).unwrap_err().code, ErrorCode::InsufficientAllowance);
    assert!(rig.world.wallet_was_asked(SIGN).is_empty());
}

#[test]
fn the_same_is_not_approved_twice() {
    for options in [SENT, "{}"] {
        let rig = page(9);
        let build = approving(&rig);
        for page in [&rig, &reload(&rig)] {
            let again = page.built(SELL).unwrap();
            if at(&again, "approval") != &Json::Null {
                page.approve(at(&again, "approval"), options).unwrap();
            }
        }
        assert_eq!(rig.world.wallet_was_asked(SEND).len(), 1, "{options}");
        rig.submit(&build).unwrap();
    }
    // Nor by another tab, which has read the journal before.
    let rig = page(9);
    let other = Rig::in_world(rig.world.another_tab(), |_, _| {});
    other.world.chain.borrow_mut().node(8453).allowances.clear();
    let theirs = other.built(SELL).unwrap();
    approving(&rig);
    other.approve(at(&theirs, "approval"), SENT).unwrap();
    assert!(other.world.wallet_was_asked(SEND).is_empty());
    // One that failed is.
    let rig = page(2);
    rig.world.chain.borrow_mut().node(8453).reverts = true;
    let build = approving(&rig);
    rig.world.chain.borrow_mut().node(8453).reverts = false;
    rig.approve(at(&build, "approval"), "{}").unwrap();
    assert_eq!(rig.world.wallet_was_asked(SEND).len(), 2);
}

#[test]
fn two_tabs_open_one_prompt_for_the_same_approval() {
    let rig = page(9);
    let other = Rig::in_world(rig.world.another_tab(), |_, _| {});
    other.world.chain.borrow_mut().node(8453).allowances.clear();
    let [own, theirs] = [&rig, &other].map(|rig| at(&rig.built(SELL).unwrap(), "approval").clone());
    let (other, told) = (std::rc::Rc::new(other), std::rc::Rc::new(std::cell::RefCell::new(None)));
    let (asks, tells, wanted) = (other.clone(), told.clone(), theirs.clone());
    rig.world.once(Moment::Answer(SEND), move |_| *tells.borrow_mut() = asks.approve(&wanted, SENT).err());
    rig.approve(&own, SENT).unwrap();
    assert_eq!(told.take().map(|error| error.code), Some(ErrorCode::WalletPending));
    // It was answered: the other tab finds it on its way.
    other.approve(&theirs, SENT).unwrap();
    assert!(other.world.wallet_was_asked(SEND).is_empty());
    assert_eq!(rig.world.wallet_was_asked(SEND).len(), 1);
}

#[test]
fn an_approval_that_was_lost_is_made_again() {
    // Nobody hears of it for longer than transactions take.
    let rig = page(u32::MAX);
    let build = approving(&rig);
    rig.world.pass(300_001);
    assert_eq!(rig.submit(&build).unwrap_err().code, ErrorCode::InsufficientAllowance);
    rig.world.chain.borrow_mut().node(8453).pending_for = 0;
    let next = reload(&rig);
    let build = next.built_as(SELL, r#"{"slippageBps":50,"minReceived":"1"}"#).unwrap();
    next.approve(at(&build, "approval"), "{}").unwrap();
    assert_eq!(rig.world.wallet_was_asked(SEND).len(), 2);
}

#[test]
fn an_approval_that_the_wallet_replaced_by_something_else_ends_the_call() {
    let rig = page(u32::MAX);
    let build = rig.built(SELL).unwrap();
    let count = std::cell::Cell::new(0);
    in_pause(&rig, move |world| {
        count.set(count.get() + 1);
        if count.get() == 12 {
            replace(world, "0x");
        }
    });
    let error = rig.approve(at(&build, "approval"), "{}").unwrap_err();
    assert_eq!(error.code, ErrorCode::WalletFailed);
    assert!(error.message.contains("REPLACED"), "{error:?}");
    // And the next one is another one.
    rig.world.at_each(|_, _| {});
    let mut chain = rig.world.chain.borrow_mut();
    (chain.node(8453).forgets, chain.node(8453).pending_for) = (false, 0);
    drop(chain);
    rig.approve(at(&build, "approval"), "{}").unwrap();
    assert_eq!(rig.world.wallet_was_asked(SEND).len(), 2);
}

#[test]
fn an_order_whose_approval_no_node_knows_any_more_is_not_posted() {
    let rig = page(u32::MAX);
    let build = approving(&rig);
    in_pause(&rig, |world| {
        let mut chain = world.chain.borrow_mut();
        chain.node(8453).forgets = true;
        chain.node(8453).keeps_blocks = false;
    });
    let error = rig.submit(&build).unwrap_err();
    assert!(error.message.contains("DROPPED"), "{error:?}");
    assert_kept(&rig, &error, ErrorCode::WalletFailed);
}

#[test]
fn a_contract_signs_after_its_approval() {
    let rig = page(3);
    rig.world.chain.borrow_mut().node(8453).code.insert(rig.owner(), vec![0x60; 64]);
    let build = rig.built(SELL).unwrap();
    rig.approve(at(&build, "approval"), SENT).unwrap();
    assert_eq!(rig.step_names(), ["checking", "approving", "confirming", "approved"]);
    // Nor does another call sign meanwhile.
    let rig = page(u32::MAX);
    let build = approving(&rig);
    rig.world.chain.borrow_mut().node(8453).code.insert(rig.owner(), vec![0x60; 64]);
    rig.world.age_reads();
    let page = reload(&rig);
    let options = r#"{"request":{"minReceived":"1"}}"#;
    let error = page.submit_with(&page.built(SELL).unwrap(), "{}").unwrap_err();
    assert_eq!(error.code, ErrorCode::InsufficientAllowance, "{error:?}");
    assert!(page.submit_with(&build, options).is_err());
    assert!(rig.world.wallet_was_asked(SIGN).is_empty());
}

/// An order whose approval ended so is posted by nobody but whoever asks for it.
fn is_posted_only_when_asked(rig: &Rig, error: &Error) {
    let signed = assert_kept(rig, error, ErrorCode::WalletFailed);
    rig.world.at_each(|_, _| {});
    let prompts = rig.world.wallet_was_asked(SIGN).len();
    let next = reload(rig);
    trades(&next, "trades.resume");
    assert!(rig.world.posts().is_empty(), "by a reload");
    // Another trade of the same token is approved, and that approval goes through.
    {
        let mut chain = rig.world.chain.borrow_mut();
        let node = chain.node(8453);
        (node.pending_for, node.forgets, node.reverts) = (0, false, false);
    }
    let other = next.built(&SELL.replace(r#""100000000""#, r#""300000000""#)).unwrap();
    next.approve(at(&other, "approval"), "{}").unwrap();
    trades(&reload(rig), "trades.resume");
    trades(&next, "trades.resume");
    assert!(rig.world.posts().is_empty(), "by a later approval");
    assert_eq!(state(&next), "unapproved");
    next.submit(&signed).unwrap();
    assert_eq!((rig.world.posts().len(), rig.world.wallet_was_asked(SIGN).len()), (1, prompts), "asked for");
}

#[test]
fn an_order_whose_approval_reverted_is_posted_only_when_asked() {
    let rig = page(2);
    rig.world.chain.borrow_mut().node(8453).reverts = true;
    let build = approving(&rig);
    let error = rig.submit(&build).unwrap_err();
    assert!(error.message.contains("FAILED"), "{error:?}");
    is_posted_only_when_asked(&rig, &error);
}

#[test]
fn the_same_approval_once_more_for_another_trade_is_another_one() {
    let rig = page(2);
    rig.world.chain.borrow_mut().node(8453).reverts = true;
    let build = approving(&rig);
    assert_kept(&rig, &rig.submit(&build).unwrap_err(), ErrorCode::WalletFailed);
    rig.world.chain.borrow_mut().node(8453).reverts = false;
    rig.world.pass(1);
    // Its calldata is the very same.
    rig.approve(at(&build, "approval"), "{}").unwrap();
    assert_eq!(rig.world.wallet_was_asked(SEND).len(), 2);
    trades(&reload(&rig), "trades.resume");
    assert!(rig.world.posts().is_empty());
    assert_eq!(state(&rig), "unapproved");
}

#[test]
fn an_allowance_that_is_there_is_enough_for_who_waits() {
    // The wallet sent it under a hash that no node ever hears of.
    let rig = page(u32::MAX);
    rig.world.chain.borrow_mut().node(8453).forgets = true;
    let build = approving(&rig);
    in_pause(&rig, |world| world.chain.borrow_mut().node(8453).mine());
    rig.submit(&build).unwrap();
    assert_eq!(rig.world.posts().len(), 1);
}

#[test]
fn an_order_that_the_user_deleted_from_the_journal_is_posted_when_asked() {
    let rig = page(u32::MAX);
    let build = approving(&rig);
    let stop = rig.signal.0.clone();
    in_pause(&rig, move |_| stop.set(true));
    let signed = assert_kept(&rig, &rig.submit(&build).unwrap_err(), ErrorCode::Aborted);
    rig.world.at_each(|_, _| {});
    rig.signal.0.set(false);
    rig.call("trades.forget", &json("{}"), "{}").unwrap();
    rig.world.chain.borrow_mut().node(8453).mine();
    // The build, or what was signed.
    for passed in [&signed, &build] {
        rig.submit(passed).unwrap();
        assert_eq!((rig.world.posts().len(), rig.world.wallet_was_asked(SIGN).len()), (1, 1));
    }
}

#[test]
fn another_prompt_for_the_same_allowance_changes_nothing() {
    let rig = page(3);
    let build = approving(&rig);
    // Another trade's approval is refused.
    let more = rig.built(&SELL.replace(r#""100000000""#, r#""200000000""#)).unwrap();
    rig.world.signer.borrow_mut().next_fails(SEND, 4001);
    rig.approve(at(&more, "approval"), "{}").unwrap_err();
    rig.submit(&build).unwrap();
    assert_eq!(rig.world.posts().len(), 1);
}

#[test]
fn an_order_whose_approval_was_cancelled_in_the_wallet_is_posted_only_when_asked() {
    let rig = page(u32::MAX);
    let build = approving(&rig);
    in_pause(&rig, |world| replace(world, "0x"));
    let error = rig.submit(&build).unwrap_err();
    assert!(error.message.contains("REPLACED"), "{error:?}");
    is_posted_only_when_asked(&rig, &error);
}

#[test]
fn an_approval_whose_fee_was_raised_is_the_same_approval() {
    let rig = page(u32::MAX);
    let build = approving(&rig);
    in_pause(&rig, |world| {
        let mut chain = world.chain.borrow_mut();
        let node = chain.node(8453);
        if node.pending_for == 0 {
            return;
        }
        node.pending_for = 0;
        node.forgets = false;
        let other = r#""0x00000000000000000000000000000000000000000000000000000000000000aa""#;
        let mined = node.mined_here.last_mut().unwrap();
        set(mined, "hash", other);
        let receipt = json(r#"{"status":"0x1","blockNumber":"0x11","logs":[]}"#);
        node.mined.insert(other.trim_matches('"').into(), receipt);
        let gone = format!("0x{}", "0".repeat(64));
        node.mined.insert(gone, Json::Null);
        node.mine();
    });
    rig.submit(&build).unwrap();
    assert_eq!(rig.world.posts().len(), 1);
}

#[test]
fn an_approval_lowered_in_the_wallet_is_not_enough() {
    let rig = page(2);
    rig.world.signer.borrow_mut().approves_at_most = Some(U256::from(99_999_999));
    let build = approving(&rig);
    let error = rig.submit(&build).unwrap_err();
    let signed = assert_kept(&rig, &error, ErrorCode::InsufficientAllowance);
    // The rest is approved, and the same order goes on.
    rig.world.signer.borrow_mut().approves_at_most = None;
    rig.approve(&json(error.approval.as_ref().unwrap()), SENT).unwrap();
    rig.submit(&signed).unwrap();
    assert_eq!((rig.world.posts().len(), rig.world.wallet_was_asked(SIGN).len()), (1, 1));
}

#[test]
fn after_a_reload_the_post_waits_for_the_same_approval() {
    let rig = page(6);
    let build = approving(&rig);
    let stop = rig.signal.0.clone();
    in_pause(&rig, move |_| stop.set(true));
    assert_kept(&rig, &rig.submit(&build).unwrap_err(), ErrorCode::Aborted);
    rig.world.at_each(|_, _| {});
    let next = reload(&rig);
    rig.world.once(Moment::Fetch("post"), |world| {
        assert!(!world.chain.borrow_mut().node(8453).allowance(key(DELTA).0, key(DELTA).1).is_zero());
    });
    let all = trades(&next, "trades.resume");
    assert_eq!((text(&all[0], "state"), rig.world.posts().len()), ("posted", 1), "{all:?}");
    assert_eq!(rig.world.wallet_was_asked(SIGN).len(), 1);
}

#[test]
fn a_reload_does_not_wait_for_long() {
    let rig = page(u32::MAX);
    let build = approving(&rig);
    let stop = rig.signal.0.clone();
    in_pause(&rig, move |_| stop.set(true));
    assert_kept(&rig, &rig.submit(&build).unwrap_err(), ErrorCode::Aborted);
    rig.world.at_each(|_, _| {});
    // The block comes, and the user has turned to something else: an hour later nobody knows what is wanted.
    let all = trades(&reload(&rig), "trades.resume");
    assert_eq!(text(&all[0], "error.code"), "INSUFFICIENT_ALLOWANCE", "{all:?}");
    rig.world.pass(3_600_000);
    rig.world.chain.borrow_mut().node(8453).pending_for = 0;
    let all = trades(&reload(&rig), "trades.resume");
    assert_eq!((text(&all[0], "needs"), rig.world.posts().len()), ("decision", 0), "{all:?}");
}

#[test]
fn a_node_that_fails_loses_nothing() {
    let rig = page(u32::MAX);
    let build = approving(&rig);
    in_pause(&rig, |world| world.chain.borrow_mut().node(8453).unreachable = true);
    let signed = assert_kept(&rig, &rig.submit(&build).unwrap_err(), ErrorCode::Network);
    rig.world.at_each(|_, _| {});
    let mut chain = rig.world.chain.borrow_mut();
    (chain.node(8453).unreachable, chain.node(8453).pending_for) = (false, 0);
    drop(chain);
    rig.submit(&signed).unwrap();
    assert_eq!(rig.world.posts().len(), 1);
}

#[test]
fn the_option_has_two_words() {
    let rig = page(0);
    let build = rig.built(SELL).unwrap();
    let error = rig.approve(at(&build, "approval"), r#"{"until":"mined"}"#).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("options.until")));
    rig.world.assert_untouched();
    rig.approve(at(&build, "approval"), r#"{"until":"allowed"}"#).unwrap();
    assert_eq!(rig.step_names().last(), Some(&"approved"));
}

/// How an approval of 100 units ends, whatever the order hoped for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// Less was approved in the wallet.
    Lowered,
    /// Another approval, of less, has its number.
    ReplacedByLess,
    /// Something else has its number.
    Cancelled,
    Reverted,
    /// The owner took it back, in the same block or in a later one.
    Revoked,
    /// Part of it was taken.
    Used,
}

const ENDS: [End; 6] = [End::Lowered, End::ReplacedByLess, End::Cancelled, End::Reverted, End::Revoked, End::Used];

impl End {
    /// The same in words, as in docs/attacks.md.
    fn words(self) -> &'static str {
        match self {
            End::Lowered => "lowered in the wallet",
            End::ReplacedByLess => "replaced by a lower one",
            End::Cancelled => "replaced by something else",
            End::Reverted => "reverted",
            End::Revoked => "taken back, in the same block or a later one",
            End::Used => "used up in part by somebody else",
        }
    }

    /// Before the approval is sent.
    fn prepare(self, rig: &Rig) {
        match self {
            End::Lowered => rig.world.signer.borrow_mut().approves_at_most = Some(U256::from(99_999_998)),
            End::Reverted => rig.world.chain.borrow_mut().node(8453).reverts = true,
            _ => {}
        }
    }

    /// The chain gets there.
    fn happen(self, world: &World, owner: Address) {
        let less = "0x095ea7b30000000000000000000000000000000000bbf5c5fd284e657f01bd000933c96d0000000000000000000000000000000000000000000000000000000000000005";
        let mut chain = world.chain.borrow_mut();
        let node = chain.node(8453);
        if node.pending_for == 0 {
            return;
        }
        node.pending_for = 0;
        match self {
            End::Lowered | End::Reverted => node.mine(),
            End::Revoked | End::Used => {
                node.mine();
                let left = if self == End::Used { 99_999_998 } else { 0 };
                node.allowances.insert(key(DELTA), U256::from(left));
            }
            End::Cancelled | End::ReplacedByLess => {
                drop(chain);
                replace(world, if self == End::Cancelled { "0x" } else { less });
                let mut chain = world.chain.borrow_mut();
                let log = approval_log(key(DELTA).0, owner, key(DELTA).1, U256::from(5));
                let receipt = format!(r#"{{"status":"0x1","blockNumber":"0x11","logs":[{log}]}}"#);
                let hash = "0x00000000000000000000000000000000000000000000000000000000000000aa";
                chain.node(8453).mined.insert(hash.into(), json(&receipt));
                chain.node(8453).forgets = self == End::Cancelled;
            }
        }
    }
}

/// Whatever ended the approval, and whether a call saw it or the page was gone: what comes later posts nothing.
#[test]
fn an_order_that_was_given_up_is_posted_by_nothing_that_comes_later() {
    let (mut refused, mut table) = (0, String::new());
    for end in ENDS {
        let mut resumed = [0, 0];
        for (is_seen, looks_first) in [(true, true), (false, true), (false, false)] {
            // The approvals that the user gives later, here or elsewhere.
            for (later, is_here) in
                [("100000000", true), ("300000000", true), ("100000000", false), ("300000000", false)]
            {
                let is_untold = !is_seen && !looks_first;
                if is_untold && !is_here && later == "100000000" && matches!(end, End::Revoked | End::Used) {
                    // The very allowance that the order waited for is there, and no call has seen that it was not.
                    continue;
                }
                let case = format!("{end:?} {is_seen} {looks_first} {later} {is_here}");
                let rig = page(u32::MAX);
                end.prepare(&rig);
                let (build, owner, stop) = (approving(&rig), rig.owner(), rig.signal.0.clone());
                in_pause(&rig, move |world| match is_seen {
                    true => end.happen(world, owner),
                    false => stop.set(true),
                });
                let error = rig.submit(&build).unwrap_err();
                let signed = json(error.signed_order.as_ref().unwrap_or_else(|| panic!("{case}: {error:?}")));
                rig.signal.0.set(false);
                rig.world.at_each(|_, _| {});
                end.happen(&rig.world, owner);
                rig.world.signer.borrow_mut().approves_at_most = None;
                let resume = || drop(reload(&rig).call("trades.resume", &json("{}"), "{}").unwrap());
                if looks_first {
                    resume();
                }
                rig.world.pass(1);
                match is_here {
                    true => {
                        rig.world.chain.borrow_mut().node(8453).reverts = false;
                        rig.world.chain.borrow_mut().node(8453).allowances.clear();
                        let page = reload(&rig);
                        let other = page.built(&SELL.replace(r#""100000000""#, &format!("\"{later}\""))).unwrap();
                        page.approve(at(&other, "approval"), "{}").unwrap_or_else(|error| panic!("{case}: {error:?}"));
                    }
                    false => {
                        let amount = U256::from(later.parse::<u64>().unwrap());
                        rig.world.chain.borrow_mut().node(8453).allowances.insert(key(DELTA), amount);
                        rig.world.age_reads();
                    }
                }
                resume();
                resume();
                resumed[usize::from(!is_seen)] += rig.world.posts().len();
                assert!(rig.world.posts().is_empty(), "{case}");
                refused += 1;
                // A call that submits it has it posted, without another signature.
                let prompts = rig.world.wallet_was_asked(SIGN).len();
                let page = reload(&rig);
                page.submit(&signed).unwrap_or_else(|error| panic!("{case}: {error:?}"));
                assert_eq!((rig.world.posts().len(), rig.world.wallet_was_asked(SIGN).len()), (1, prompts), "{case}");
            }
        }
        let [seen, gone] = resumed;
        writeln!(table, "| {} | {seen} | {gone} | once, without a signature |", end.words()).unwrap();
    }
    assert!(refused > 60, "{refused}");
    let page = include_str!("../../../../docs/attacks.md");
    assert!(page.contains(&table), "docs/attacks.md has another table:\n{table}");
}
