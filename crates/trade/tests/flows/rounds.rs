//! No call goes round: whatever the journal, the chain and the service have of a trade, and although all of them answer
//! at once, each call ends after a bounded number of requests, and the event loop gets its turn.

use super::fake_host::{Moment, Place, Rig, SELL, SRC, json, text};
use super::journal::{list, tab};
use super::market::{self, SEND};
use super::market_followed::statuses;
use std::cell::Cell;
use verified_swap_trade::ledger::record::Stage;
use verify::internal::error::ErrorCode;
use verify::internal::json::Json;

/// The most requests of a call: five posts, each with its look-ups, and the reads of a search are fewer.
const MOST: u32 = 150;

/// The most questions in a row to a wallet in the page, whose answers may keep the event loop from its turn: timers, and
/// answers of the network, are turns.
const MOST_IN_A_ROW: u32 = 12;

/// Makes a call of the page. Fails if it makes more than [`MOST`] requests, or [`MOST_IN_A_ROW`] without a turn.
fn bounded<T>(page: &Rig, what: &str, call: impl FnOnce() -> T) -> T {
    let (count, row, what) = (Cell::new(0), Cell::new(0), what.to_owned());
    page.world.at_each(move |_, moment| {
        count.set(count.get() + u32::from(matches!(moment, Moment::Fetch(_) | Moment::Ask(..) | Moment::Sleep)));
        assert!(count.get() <= MOST, "{what} goes round");
        match moment {
            Moment::Sleep | Moment::Fetch(_) | Moment::Ask(Place::Node(_), _) => row.set(0),
            Moment::Ask(..) => row.set(row.get() + 1),
            _ => {}
        }
        assert!(row.get() <= MOST_IN_A_ROW, "{what} keeps the event loop from its turn");
    });
    let outcome = call();
    page.world.at_each(|_, _| {});
    outcome
}

/// The browser's next page, which opens what the page before it sealed.
fn reloaded(rig: &Rig) -> Rig {
    let secret = rig.client.shared.settings.secret;
    Rig::in_world(rig.world.clone(), move |shared, _| shared.settings.secret = secret)
}

/// The browser's next page, where the wallet reads the chain.
fn by_wallet(rig: &Rig) -> Rig {
    Rig::in_world(rig.world.clone(), |shared, _| shared.settings.rpc.clear())
}

/// The only entry of the journal has that state and status.
fn edit(rig: &Rig, state: &str, status: &str) {
    let mut stored = rig.world.browser.stored.borrow_mut();
    let (_, entry) = stored.iter_mut().find(|(key, _)| key.starts_with("trade/")).unwrap();
    let mut edited = json(entry);
    super::fake_host::set(&mut edited, "state", &format!("\"{state}\""));
    super::fake_host::set(&mut edited, "status", status);
    *entry = edited.write();
}

#[test]
fn a_dropped_transaction_that_comes_back_into_the_pool_is_sent_already() {
    let rig = tab();
    market::prepare(&rig, 8453, SRC, u64::MAX);
    let build = market::built(&rig, SELL).unwrap();
    rig.world.chain.borrow_mut().node(8453).pending_for = 1;
    let sent = rig.submit(&build).unwrap();
    rig.learn_number();
    let forget = |forgets| {
        let mut chains = rig.world.chain.borrow_mut();
        (chains.node(8453).pending_for, chains.node(8453).forgets) = (u32::MAX, forgets);
    };
    forget(true);
    assert_eq!(statuses(&rig, &sent), ["PENDING", "DROPPED"]);
    forget(false);
    let page = reloaded(&rig);
    for _ in 0..2 {
        let again = bounded(&page, "submit", || page.submit(&build)).unwrap();
        assert_eq!(text(&again, "hash"), text(&sent, "hash"));
    }
    assert_eq!(page.world.wallet_was_asked(SEND).len(), 1);
}

#[test]
fn no_call_about_a_transaction_goes_round() {
    // How often it is not in a block yet, whether nodes forget it, whether it reverts, how many transactions are mined.
    let chains = [
        (0, false, false, 7),
        (u32::MAX, false, false, 7),
        (u32::MAX, true, false, 7),
        (0, false, true, 8),
        (u32::MAX, true, false, 9),
    ];
    for (_, state) in Stage::ALL {
        for status in ["null", r#""DROPPED""#, r#""REPLACED""#, r#""COMPLETED""#, r#""UNCERTAIN""#, r#""FOREIGN""#] {
            for (pending_for, forgets, reverts, count) in chains {
                let rig = tab();
                market::prepare(&rig, 8453, SRC, u64::MAX);
                let build = market::built(&rig, SELL).unwrap();
                rig.submit(&build).unwrap();
                edit(&rig, state, status);
                {
                    let mut chains = rig.world.chain.borrow_mut();
                    let node = chains.node(8453);
                    (node.pending_for, node.forgets, node.reverts) = (pending_for, forgets, reverts);
                    node.transaction_count = count;
                }
                rig.world.pass(61_000);
                for page in [reloaded(&rig), by_wallet(&rig)] {
                    let what = |call| format!("{call} of {state} {status} {pending_for} {forgets} {reverts} {count}");
                    let _ = bounded(&page, &what("the build"), || page.submit(&build));
                    bounded(&page, &what("resume"), || list(&page, "trades.resume"));
                    let _ = bounded(&page, &what("the same trade"), || page.submit(&market::built(&page, SELL)?));
                }
            }
        }
    }
}

#[test]
fn no_call_about_an_order_goes_round() {
    for (_, state) in Stage::ALL {
        for status in ["null", r#""FAILED""#, r#""ABANDONED""#] {
            for (is_known, now, is_filled) in [
                (true, "PENDING", false),
                (true, "COMPLETED", true),
                (false, "PENDING", false),
                (false, "FAILED", true),
            ] {
                let rig = tab();
                let build = rig.built(SELL).unwrap();
                rig.submit(&build).unwrap();
                let signed = list(&rig, "trades.list").remove(0);
                edit(&rig, state, status);
                rig.world.service.borrow_mut().statuses = [now].into();
                if !is_known {
                    rig.world.service.borrow_mut().always_is("orderByHash", 404, "{}");
                }
                if is_filled {
                    rig.fill(&build);
                }
                rig.world.pass(20_000);
                for page in [reloaded(&rig), by_wallet(&rig)] {
                    let what = |call| format!("{call} of {state} {status} {is_known} {now} {is_filled}");
                    let _ = bounded(&page, &what("the build"), || page.submit(&build));
                    bounded(&page, &what("resume"), || list(&page, "trades.resume"));
                    let signed = super::fake_host::at(&signed, "signedOrder");
                    if *signed != Json::Null {
                        let _ = bounded(&page, &what("the signed order"), || page.submit(signed));
                    }
                    let again = bounded(&page, &what("the same trade"), || page.submit(&page.built(SELL)?));
                    assert!(again.err().is_none_or(|error| error.code != ErrorCode::Internal), "{}", what("again"));
                }
            }
        }
    }
}
