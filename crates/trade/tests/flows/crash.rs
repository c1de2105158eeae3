//! The page dies at any moment of a trade. An answer of the wallet that arrived is not lost, no prompt comes twice for
//! what is known to be signed, and no trade is made twice.

use super::fake_host::{DELTA, Rig, SELL, World, at, json, native_sale, set, text};
use super::market;
use super::otc::OFFER;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;
use verify::internal::error::{ErrorCode, Result};
use verify::internal::json::Json;

const SEND: &str = "eth_sendTransaction";

/// A trade that a user makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trade {
    Delta,
    Otc,
    Market,
    /// The service wants a deposit, and gets it.
    Deposit,
    /// The owner consents on chain.
    PreSign,
    /// The approval of an order's token comes first.
    Approval,
    /// The order is signed while its approval is on its way.
    Waiting,
}

/// The payload of the panic of a dying page.
struct Died;

impl Trade {
    /// A browser with a storage, and a world in which this trade goes through.
    fn world(self) -> Rc<World> {
        let world = World::new();
        world.browser.has_storage.set(true);
        let rig = open(&world);
        match self {
            Trade::Market => market::prepare(&rig, 8453, super::fake_host::SRC, u64::MAX),
            Trade::PreSign => {
                has_contract(&world);
                world.service.borrow_mut().takes = Some(Box::new(|signature| signature == "0x"));
            }
            Trade::Deposit => {
                has_contract(&world);
                let mut service = world.service.borrow_mut();
                let is_signature = Rc::new(Cell::new(false));
                let shown = is_signature.clone();
                service.takes = Some(Box::new(move |signature| {
                    shown.set(signature.len() > 2);
                    true
                }));
                service.order_lie = Some(Box::new(move |order| {
                    if is_signature.get() {
                        set(order, "status", r#""AWAITING_SIGNATURE""#);
                    }
                }));
            }
            Trade::Otc => {
                let key = (super::fake_host::SRC.parse().unwrap(), super::fake_host::RFQ.parse().unwrap());
                world.chain.borrow_mut().node(8453).allowances.insert(key, alloy_primitives::U256::MAX);
            }
            Trade::Approval => world.chain.borrow_mut().node(8453).allowances.clear(),
            Trade::Waiting => {
                let mut chain = world.chain.borrow_mut();
                chain.node(8453).allowances.clear();
                chain.node(8453).pending_for = 3;
            }
            Trade::Delta => {}
        }
        let mut chain = world.chain.borrow_mut();
        chain.node(8453).keeps_blocks = true;
        if self == Trade::Deposit {
            chain.node(8453).balance = alloy_primitives::U256::ZERO;
        }
        drop(chain);
        world
    }

    /// The user makes it.
    fn make(self, rig: &Rig) -> Result<Json> {
        match self {
            Trade::Delta => rig.submit(&rig.built(SELL)?),
            Trade::Deposit => rig.submit(&rig.built(&native_sale())?),
            Trade::PreSign => rig.submit_with(&rig.built(SELL)?, r#"{"preSign":true}"#),
            Trade::Otc => rig.submit(&rig.call("otc.build", &json(OFFER), "{}")?),
            Trade::Market => market::submit(rig, &market::built(rig, SELL)?),
            Trade::Approval => match at(&rig.built(SELL)?, "approval") {
                Json::Null => Ok(Json::Null),
                need => rig.approve(need, "{}"),
            },
            Trade::Waiting => {
                let build = rig.built(SELL)?;
                if let Some(need @ Json::Object(_)) = build.get("approval") {
                    rig.approve(need, r#"{"until":"sent"}"#)?;
                }
                rig.submit(&build)
            }
        }
    }
}

/// The chain has a Delta contract that takes consent.
fn has_contract(world: &World) {
    let contract = Box::new(|_: &Json| Ok(json(r#""0x""#)));
    world.chain.borrow_mut().node(8453).contracts.insert(DELTA.parse().unwrap(), contract);
}

/// A page that was just opened in that browser.
fn open(world: &Rc<World>) -> Rig {
    Rig::in_world(world.clone(), |_, _| {})
}

/// Lets the page die at the moment of that number; returns whether it came to that.
fn dies_at(world: &Rc<World>, number: usize, work: impl FnOnce()) -> bool {
    let left = Cell::new(number);
    world.at_each(move |_, _| match left.get() {
        0 => resume_unwind(Box::new(Died)),
        more => left.set(more - 1),
    });
    let died = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(()) => false,
        Err(cause) if cause.is::<Died>() => true,
        Err(cause) => resume_unwind(cause),
    };
    world.at_each(|_, _| {});
    died
}

/// The journal as a page finds it.
fn trades(rig: &Rig) -> Vec<Json> {
    let Json::Array(trades) = rig.call("trades.list", &json("{}"), "{}").unwrap() else { panic!() };
    trades
}

/// The different orders that reached the service.
fn orders(world: &World) -> BTreeSet<String> {
    let posts = world.sent("post").into_iter().chain(world.sent("otcPost"));
    let order = |body: Json| body.get("order").unwrap_or(&body).write();
    posts.map(|request| order(json(&request.body.unwrap()))).collect()
}

/// Whether the wallet's answer had reached the storage.
fn is_kept(trade: Trade, world: &World) -> bool {
    let stored = world.browser.stored.borrow();
    let answered = ["signed", "waiting", "posting", "posted", "sent"];
    let mut entries = stored.iter().filter(|(key, _)| key.starts_with("trade/")).map(|(_, entry)| json(entry));
    // An approval's is not the order's.
    let counts = |entry: &Json| trade != Trade::Waiting || text(entry, "kind") != "transaction";
    entries.any(|entry| counts(&entry) && answered.contains(&text(&entry, "state")))
}

/// A page that finds what the last one left, and whose user then wants the trade again, as users do.
fn reload(trade: Trade, world: &Rc<World>, kept: bool) {
    let (prompts, sends) = (world.prompts(), world.wallet_was_asked(SEND).len());
    let page = open(world);
    page.call("trades.resume", &json("{}"), "{}").unwrap();
    assert_eq!((world.prompts(), world.wallet_was_asked(SEND).len()), (prompts, sends), "resume opens no prompt");
    let is_transaction = [Trade::Market, Trade::Approval].contains(&trade);
    if kept {
        let all = trades(&page);
        let own: Vec<&Json> =
            all.iter().filter(|entry| (text(entry, "kind") == "transaction") == is_transaction).collect();
        assert_eq!(own.len(), 1, "{trade:?}: {all:?}");
        let state = text(own[0], "state");
        assert!(["posted", "sent", "ended"].contains(&state), "{trade:?}: {state}");
    }
    // Every offer and every transaction is one of its own: who sees it in the list does not make it again.
    if [Trade::Otc, Trade::Market].contains(&trade)
        && trades(&page).iter().any(|entry| text(entry, "state") != "asking")
    {
        return;
    }
    match trade.make(&page) {
        // The very same order: what was signed is posted again.
        Ok(_) if is_transaction => {
            assert!(!kept || world.wallet_was_asked(SEND).len() == sends, "{trade:?}: sent twice")
        }
        Ok(_) => assert!(!kept || world.prompts() == prompts, "{trade:?}: asked for what is signed"),
        Err(error) => assert_eq!(error.code, ErrorCode::AlreadySigned, "{trade:?}: {error:?}"),
    }
}

/// The claims that hold after all of it.
fn assert_once(trade: Trade, world: &World, number: usize) {
    let orders = orders(world);
    assert!(orders.len() <= 1, "{trade:?}, died at {number}: {orders:?}");
    let sends = world.wallet_was_asked(SEND);
    assert!(sends.len() <= 1, "{trade:?}, died at {number}: {sends:?}");
}

/// How many moments the trade has.
fn moments(trade: Trade) -> usize {
    let world = trade.world();
    let count = Rc::new(Cell::new(0));
    let seen = count.clone();
    world.at_each(move |_, _| seen.set(seen.get() + 1));
    trade.make(&open(&world)).unwrap();
    count.get()
}

/// Lets the page die at every moment of the trade, in turn, and looks at what the next page finds.
fn dies_at_every_moment(trade: Trade) {
    let moments = moments(trade);
    assert!(moments > 25, "{trade:?}: {moments}");
    for number in 0..moments {
        let world = trade.world();
        let died = dies_at(&world, number, || drop(trade.make(&open(&world))));
        assert!(died, "{trade:?}, {number}");
        let kept = is_kept(trade, &world);
        reload(trade, &world, kept);
        assert_once(trade, &world, number);
    }
}

#[test]
fn a_page_that_dies_at_any_moment_of_an_order_loses_nothing_and_trades_once() {
    dies_at_every_moment(Trade::Delta);
}

#[test]
fn a_page_that_dies_at_any_moment_of_an_offer_loses_nothing_and_trades_once() {
    dies_at_every_moment(Trade::Otc);
}

#[test]
fn a_page_that_dies_at_any_moment_of_a_market_trade_loses_nothing_and_trades_once() {
    dies_at_every_moment(Trade::Market);
}

#[test]
fn a_page_that_dies_at_any_moment_of_a_deposit_loses_nothing_and_trades_once() {
    dies_at_every_moment(Trade::Deposit);
}

#[test]
fn a_page_that_dies_at_any_moment_of_a_pre_signature_loses_nothing_and_trades_once() {
    dies_at_every_moment(Trade::PreSign);
}

#[test]
fn a_page_that_dies_at_any_moment_of_an_order_that_waits_for_its_approval_trades_once() {
    dies_at_every_moment(Trade::Waiting);
}

#[test]
fn a_page_that_dies_at_any_moment_of_an_approval_approves_once() {
    dies_at_every_moment(Trade::Approval);
}

/// The page dies, and the next one dies while it resumes, each at every moment.
#[test]
fn pages_that_die_twice_lose_nothing_and_trade_once() {
    // Every moment with `--all`, else one of each stretch.
    let stride = if std::env::var_os("VERIFIED_SWAP_TEST_ALL").is_some() { 1 } else { 11 };
    for trade in
        [Trade::Delta, Trade::Otc, Trade::Market, Trade::Deposit, Trade::PreSign, Trade::Approval, Trade::Waiting]
    {
        for number in (0..moments(trade)).step_by(stride) {
            for later in (0..).step_by(stride) {
                let world = trade.world();
                dies_at(&world, number, || drop(trade.make(&open(&world))));
                let kept = is_kept(trade, &world);
                let died = dies_at(&world, later, || drop(open(&world).call("trades.resume", &json("{}"), "{}")));
                reload(trade, &world, kept);
                assert_once(trade, &world, number);
                if !died {
                    break;
                }
            }
        }
    }
}
