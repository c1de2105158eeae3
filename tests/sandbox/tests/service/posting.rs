//! The posts that are accepted, and those that are not.

use serde_json::{Value, json};

use crate::started::sandbox;
use crate::trade::{Signed, Swap, changed_members, flip, sign, sign_typed_data, wait_for};
use crate::{external, in_parts, twap};

#[test]
fn only_what_the_owner_signed_is_taken() {
    let sandbox = sandbox();
    sandbox.settings(json!({"solving": false}));
    let (sale, purchase) = (twap::sale(100_000_000, 2), twap::purchase(100 * 10_u128.pow(18), 2));
    for swap in [Swap::default(), in_parts::sale(), external::sale(&sandbox, "0x"), sale, purchase] {
        swap.approve(&sandbox);
        let signed = swap.signed(&sandbox);
        // Bit 256 is the parity of y.
        for bit in [0, 100, 255, 256, 257, 400, 511] {
            let changed = Signed { signature: flip(&signed.signature, bit), ..signed.clone() };
            swap.post(&sandbox, &changed).refused(400, "InvalidSignature");
        }
        for (_, order) in changed_members(&sandbox, &signed.order) {
            swap.post(&sandbox, &Signed { order, ..signed.clone() }).refused(400, "InvalidSignature");
        }
        swap.post(&sandbox, &signed).ok();
    }
}

#[test]
fn a_wallets_own_bytes_are_taken_where_the_switch_says_so() {
    let sandbox = sandbox();
    sandbox.settings(json!({"signatureForm": "any"}));
    let swap = Swap::default();
    swap.approve(&sandbox);
    let built = swap.try_build(&sandbox, &swap.quote(&sandbox).route).ok();
    let whole = sign_typed_data(&sandbox, &sandbox.account(0), &built["toSign"]);
    let compact = sign(&sandbox, &sandbox.account(0), &built);
    let forms = |v: [&str; 2]| {
        let odd = whole.ends_with("1c");
        format!("{}{}", &whole[..130], v[usize::from(odd)])
    };
    for wrong in [flip(&whole, 300), format!("{}1d", &whole[..130]), format!("{whole}00")] {
        swap.post(&sandbox, &Signed { signature: wrong, ..compact.clone() }).refused(400, "InvalidSignature");
    }
    let posted = swap.post(&sandbox, &Signed { signature: forms(["1b", "1c"]), ..compact.clone() }).ok();
    for same in [forms(["00", "01"]), compact.signature.clone()] {
        assert_eq!(swap.post(&sandbox, &Signed { signature: same, ..compact.clone() }).ok()["id"], posted["id"]);
    }
    wait_for(&sandbox, &posted["id"], "COMPLETED");
}

#[test]
fn only_compact_signatures_are_accepted() {
    let sandbox = sandbox();
    let swap = Swap::default();
    swap.approve(&sandbox);
    let signed = swap.signed(&sandbox);
    for signature in [format!("{}1b", signed.signature), "0x00".into(), signed.signature[2..].into(), "0xzz".into()] {
        let changed = Signed { signature, ..signed.clone() };
        swap.post(&sandbox, &changed).refused(400, "InvalidSignature");
    }
}

#[test]
fn an_order_whose_shape_is_not_that_of_a_build_is_refused_by_name() {
    let sandbox = sandbox();
    let swap = Swap::default();
    swap.approve(&sandbox);
    let signed = swap.signed(&sandbox);
    let wrong: [(&str, Value); 12] = [
        ("owner", json!("0x12")),
        ("srcAmount", json!(100_000_000)),
        ("srcAmount", json!("0100000000")),
        ("srcAmount", json!("1e8")),
        ("deadline", json!(signed.order["deadline"].to_string())),
        ("kind", json!(2)),
        ("kind", json!("0")),
        ("nonce", json!(format!("1{}", "0".repeat(78)))),
        ("permit", json!("")),
        ("metadata", Value::Null),
        ("bridge", json!({})),
        ("partnerAndFee", json!("-1")),
    ];
    for (member, value) in wrong {
        let mut changed = signed.clone();
        changed.order[member] = value;
        let details = swap.post(&sandbox, &changed).refused(400, "InvalidInput");
        assert!(details.contains(&format!("order.{member}")), "{details}");
    }
    for (member, value) in [
        ("protocolSelector", json!("0x000000")),
        ("destinationChainId", json!("0")),
        ("outputToken", json!("0x")),
        ("scalingFactor", json!(128)),
        ("scalingFactor", json!("0")),
        ("protocolData", json!("0x0")),
    ] {
        let mut changed = signed.clone();
        changed.order["bridge"][member] = value;
        let details = swap.post(&sandbox, &changed).refused(400, "InvalidInput");
        assert!(details.contains(&format!("order.bridge.{member}")), "{details}");
    }
}

#[test]
fn an_invalid_order_is_refused_even_when_it_is_signed() {
    let sandbox = sandbox();
    let nobody = json!("0x0000000000000000000000000000000000000000");
    let whole = Swap::default();
    let sliced = twap::sale(100_000_000, 2);
    let rules: [(&Swap, &str, Value, &str); 13] = [
        (&whole, "partnerAndFee", json!("201"), "order.partnerAndFee carries more than 200 bps"),
        (&whole, "permit", json!("0x0101"), "permit must have 0, 1, 96, 192 or 224 bytes"),
        (&whole, "bridge/scalingFactor", json!(-12), "order.bridge is none"),
        (&whole, "srcToken", json!("0x00000000000000000000000000000000000f12e4"), "Token not supported"),
        (&whole, "destToken", json!("0x00000000000000000000000000000000000f12e4"), "Token not supported"),
        (&whole, "destToken", json!(sandbox.token("USDC")), "order.destToken must differ"),
        (&whole, "srcAmount", json!("0"), "order.srcAmount and order.destAmount must be positive"),
        (&whole, "destAmount", json!("0"), "order.srcAmount and order.destAmount must be positive"),
        (&whole, "beneficiary", nobody, "order.beneficiary must not be zero"),
        (&sliced, "interval", json!(59), "order.interval must be at least 60"),
        (&sliced, "numSlices", json!(1), "order.numSlices must be at least 2"),
        (&sliced, "numSlices", json!(4_294_967_296_u64), "order.numSlices must be at least 2, in 32 bits"),
        (&sliced, "totalSrcAmount", json!("1"), "totalSrcAmount must be >= numSlices"),
    ];
    for (swap, member, value, why) in rules {
        let honest = swap.try_build(&sandbox, &swap.quote(&sandbox).route).ok();
        let patch = json!([{"op": "replace", "path": format!("/toSign/value/{member}"), "value": value}]);
        sandbox.post("/sandbox/tamper", &json!({"target": "build", "rehash": true, "patch": patch})).ok();
        let lying = swap.try_build(&sandbox, &swap.quote(&sandbox).route).ok();
        // A value without room in its type cannot even be signed.
        let fits = member != "numSlices" || value.as_u64() < Some(1 << 32);
        let signed = sign(&sandbox, &sandbox.account(swap.owner), if fits { &lying } else { &honest });
        let signed = Signed { order: lying["toSign"]["value"].clone(), ..signed };
        let details = swap.post(&sandbox, &signed).refused(400, "InvalidInput");
        assert!(details.contains(why), "{member} = {value}: {details}");
    }
}

#[test]
fn the_members_beside_the_order_are_required() {
    let sandbox = sandbox();
    let swap = Swap::default();
    swap.approve(&sandbox);
    let body = swap.post_body(&swap.signed(&sandbox));
    for member in ["order", "signature", "chainId", "partner"] {
        let mut without = body.clone();
        without.as_object_mut().unwrap().remove(member);
        let details = sandbox.post("/v2/delta/orders", &without).refused(400, "InvalidInput");
        assert!(details.contains(member), "{details}");
    }
    let mut elsewhere = body.clone();
    elsewhere["chainId"] = json!(1);
    sandbox.post("/v2/delta/orders", &elsewhere).refused(422, "UnsupportedChain");
    elsewhere["chainId"] = json!(31338);
    // The same order on the other chain: another domain, another signer.
    sandbox.post("/v2/delta/orders", &elsewhere).refused(400, "InvalidSignature");
    sandbox.post_text("/v2/delta/orders", "{").unwrap().refused(400, "InvalidInput");
}

#[test]
fn allowance_and_balance_are_looked_up_on_chain() {
    let sandbox = sandbox();
    let owner = sandbox.account(3);
    let swap = Swap { owner: 3, ..Swap::default() };
    sandbox.approve("USDC", &owner, 99_999_999);
    let signed = swap.signed(&sandbox);
    swap.post(&sandbox, &signed).refused(400, "InsufficientAllowance");
    let rich = Swap { owner: 3, amount: sandbox.balance("USDC", &owner) + 1, ..Swap::default() };
    rich.approve(&sandbox);
    let too_much = rich.signed(&sandbox);
    rich.post(&sandbox, &too_much).refused(400, "InsufficientBalance");
    sandbox.approve("USDC", &owner, 100_000_000);
    let order = swap.post(&sandbox, &signed).ok();
    wait_for(&sandbox, &order["id"], "COMPLETED");
}

#[test]
fn an_expired_order_is_refused() {
    let sandbox = sandbox();
    let swap = Swap { valid_for_secs: 100, ..Swap::default() };
    swap.approve(&sandbox);
    let signed = swap.signed(&sandbox);
    sandbox.advance(200);
    assert_eq!(swap.post(&sandbox, &signed).refused(400, "OrderExpired"), "Order expired");
}

#[test]
fn the_same_signed_order_again_is_never_a_second_order() {
    let sandbox = sandbox();
    let swap = Swap { owner: 2, ..Swap::default() };
    let total = || sandbox.get(&format!("/v2/delta/orders?userAddress={}", sandbox.account(2))).ok()["total"].clone();
    let before = total().as_u64().unwrap();
    let (signed, order) = swap.posted(&sandbox);
    assert_eq!(swap.post(&sandbox, &signed).ok()["id"], order["id"]);
    for status in [400, 409] {
        sandbox.settings(json!({"duplicateStatus": status}));
        swap.post(&sandbox, &signed).refused(status, "OrderAlreadyExists");
    }
    wait_for(&sandbox, &order["id"], "COMPLETED");
    sandbox.settings(json!({"duplicateStatus": 200}));
    let again = swap.post(&sandbox, &signed).ok();
    assert_eq!((&again["id"], &again["status"]), (&order["id"], &json!("COMPLETED")));
    assert_eq!(total(), before + 1);
}

#[test]
fn the_same_signed_order_posted_at_once_is_one_order() {
    let sandbox = sandbox();
    let swap = Swap { owner: 2, ..Swap::default() };
    swap.approve(&sandbox);
    let body = swap.post_body(&swap.signed(&sandbox)).to_string();
    let ids: Vec<Value> = std::thread::scope(|scope| {
        let posts: Vec<_> =
            (0..8).map(|_| scope.spawn(|| sandbox.post_text("/v2/delta/orders", &body).unwrap().ok())).collect();
        posts.into_iter().map(|post| post.join().unwrap()["id"].clone()).collect()
    });
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
}

#[test]
fn an_owner_whose_code_knows_no_signatures_is_refused() {
    let sandbox = sandbox();
    let swap = Swap { owner: 4, ..Swap::default() };
    let owner = sandbox.account(4);
    swap.approve(&sandbox);
    let signed = swap.signed(&sandbox);
    sandbox.rpc("anvil_setCode", json!([owner, "0x00"]));
    let answer = swap.post(&sandbox, &signed);
    sandbox.rpc("anvil_setCode", json!([owner, "0x"]));
    answer.refused(400, "InvalidSignature");
    swap.post(&sandbox, &signed).ok();
}

#[test]
fn a_cancelled_nonce_is_refused() {
    let sandbox = sandbox();
    let nonce = sandbox.now() + 7;
    let swap = Swap { build: json!({"nonce": nonce.to_string()}), ..Swap::default() };
    swap.approve(&sandbox);
    let signed = swap.signed(&sandbox);
    let data = format!("0xb70e36f0{nonce:0>64x}");
    sandbox.send(&json!({"from": sandbox.account(0), "to": sandbox.text("delta"), "data": data}));
    assert_eq!(swap.post(&sandbox, &signed).refused(400, "InvalidInput"), "order.nonce is used");
}
