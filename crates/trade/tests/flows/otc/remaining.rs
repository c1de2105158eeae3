//! The rest of an order by the contract's own word.

use super::{DEST, desk, unread};
use crate::fake_host::set;
use verify::internal::error::ErrorCode;
use verify::internal::json::Json;

#[test]
fn the_contracts_word_is_told_as_a_plain_amount() {
    // Nobody touched it; filled or cancelled; one unit left; all but one; and never more than was offered.
    for (said, left) in [(0, "100000000"), (1, "0"), (2, "1"), (100_000_000, "99999999"), (100_000_002, "100000000")] {
        let desk = desk();
        let order = desk.order(&[("fillableBalance", r#""77""#)]);
        desk.leaves(&order, said);
        let found = desk.rig.call("otc.remaining", &order, "{}").unwrap();
        assert_eq!(found, Json::String(left.into()), "{said}");
    }
}

#[test]
fn each_of_a_list_is_told_also_of_different_tokens() {
    let desk = desk();
    let swapped = desk.order(&[
        ("makerAsset", &format!(r#""{DEST}""#)),
        ("takerAsset", r#""0x1111111111111111111111111111111111111111""#),
    ]);
    let touched = desk.order(&[]);
    desk.leaves(&touched, 8);
    let both = Json::Array(vec![touched.clone(), swapped]);
    assert_eq!(desk.rig.call("otc.remaining", &both, "{}").unwrap().write(), r#"["7","100000000"]"#);
    let one = Json::Array(vec![touched]);
    assert_eq!(desk.rig.call("otc.remaining", &one, "{}").unwrap().write(), r#"["7"]"#, "a list stays one");
}

#[test]
fn an_order_that_is_not_the_one_of_its_hash_is_not_asked_about() {
    let desk = desk();
    let mut order = desk.order(&[]);
    set(&mut order, "maker", r#""0x4444444444444444444444444444444444444444""#);
    let error = desk.rig.call("otc.remaining", &order, "{}").unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::VerifyMismatch, Some("order.orderHash")));
}

#[test]
fn without_a_way_to_read_the_chain_it_is_an_error() {
    let order = desk().order(&[]);
    let error = unread().call("otc.remaining", &order, "{}").unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("rpc.8453")));
    let hash = Json::String("0x12".into());
    let error = desk().rig.call("otc.remaining", &hash, "{}").unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("order")));
}
