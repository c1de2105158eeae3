//! The reads of the chain for a build: all of it at once, and nothing that is known without asking.

use super::fake_host::{Moment, Place, Rig, SELL, SRC};
use std::cell::Cell;
use std::rc::Rc;

/// The questions to the node for a build, and how many of them before the first answer was waited for.
fn asked(request: &str) -> (Vec<&'static str>, usize) {
    let node = |(place, method, _): &(Place, &'static str, String)| (*place == Place::Node(8453)).then_some(*method);
    let (rig, at_once) = (Rig::default(), Rc::new(Cell::new(0)));
    let seen = at_once.clone();
    rig.world.once(Moment::Answer("eth_getBlockByNumber"), move |world| {
        seen.set(world.questions.borrow().iter().filter_map(node).count());
    });
    rig.built(request).unwrap();
    let methods = rig.world.questions.borrow().iter().filter_map(node).collect();
    (methods, at_once.get())
}

#[test]
fn reads_travel_together() {
    let reads =
        vec!["eth_chainId", "eth_getBlockByNumber", "eth_call", "eth_call", "eth_gasPrice", "eth_call", "eth_call"];
    assert_eq!(asked(SELL), (reads, 7));
}

#[test]
fn of_the_native_token_neither_decimals_nor_an_allowance_are_read() {
    let native = SELL.replace(SRC, "native").replace(r#""srcDecimals":6"#, r#""srcDecimals":18"#);
    assert_eq!(
        asked(&native),
        (vec!["eth_chainId", "eth_getBlockByNumber", "eth_call", "eth_gasPrice", "eth_call"], 5)
    );
}
