//! Two signed orders for one trade fill at most once: they have one nonce.

use super::fake_host::{BUY, Rig, SELL, text, with};

#[test]
fn a_trade_that_is_built_again_keeps_its_nonce_until_it_is_filled() {
    let rig = Rig::default();
    let nonce = |request: &str| text(&rig.built(request).unwrap(), "nonce").to_owned();
    let first = nonce(SELL);
    rig.world.pass(60_000);
    assert_eq!(nonce(SELL), first);
    // Other bounds and names make no other trade of it.
    assert_eq!(nonce(&SELL.replace("USDX", "Dollars")), first);
    let build = rig.built(SELL).unwrap();
    rig.submit(&build).unwrap();
    rig.world.pass(1);
    assert_eq!(nonce(SELL), first);
    rig.fill(&build);
    assert_ne!(nonce(SELL), first);
}

#[test]
fn another_trade_has_another_nonce() {
    let rig = Rig::default();
    let nonce = |request: &str| text(&rig.built(request).unwrap(), "nonce").to_owned();
    let all = [
        nonce(SELL),
        nonce(BUY),
        nonce(&SELL.replace("100000000", "200000000")),
        nonce(&with(SELL, r#""beneficiary":"0x4444444444444444444444444444444444444444""#)),
        nonce(&SELL.replace(super::fake_host::DEST, "native")),
    ];
    for (index, one) in all.iter().enumerate() {
        assert!(!all[..index].contains(one), "{index}: {all:?}");
    }
}

#[test]
fn an_order_that_was_not_accepted_keeps_its_nonce() {
    let rig = Rig::default();
    let build = rig.built(SELL).unwrap();
    rig.world.service.borrow_mut().next_is("post", 400, r#"{"errorType":"InvalidInput"}"#);
    rig.submit(&build).unwrap_err();
    assert_eq!(text(&rig.built(SELL).unwrap(), "nonce"), text(&build, "nonce"));
}
