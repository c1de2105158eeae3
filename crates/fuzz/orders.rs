//! Delta orders: quotes and builds with changes. Whatever the service says, the wallet is asked to sign only what the user
//! asked for, by an independent reading of what the wallet is given.

use super::edits::{apply, edits};
use super::fake_host::{BRIDGED, BUY, DELTA, DEST, NATIVE, Rig, SELL, SRC, WRAPPED, json, native_sale, text, with};
use alloy_dyn_abi::TypedData;
use alloy_primitives::U256;
use arbitrary::{Result, Unstructured};
use serde_json::Value;
use verify::internal::json::{Json, parse};

const TYPES: [&str; 4] = ["Order", "FillableOrder", "TWAPOrder", "TWAPBuyOrder"];

/// The order that is asked for: the request, the options, and the names of the order's amounts.
fn wish(bytes: &mut Unstructured<'_>) -> Result<(String, &'static str)> {
    let (half, limit) = (r#"{"slippageBps":50}"#, r#"{"limitAmount":"41000000000000000","validForSecs":3600}"#);
    Ok(match bytes.int_in_range(0..=6)? {
        0 | 1 => (SELL.into(), half),
        2 => (BUY.into(), half),
        3 => (SELL.into(), limit),
        4 => (native_sale(), half),
        5 => (with(SELL, r#""destChainId":10"#), half),
        _ => (with(SELL, r#""numSlices":4,"intervalSecs":60"#), half),
    })
}

pub fn run(data: &[u8]) {
    // An input that ends early has said less.
    let _ = trade(&mut Unstructured::new(data));
}

fn trade(bytes: &mut Unstructured<'_>) -> Result<()> {
    let (request, options) = wish(bytes)?;
    // Mostly in one place: after two changes in two places one of them is found, and the other one not tried.
    let place = bytes.int_in_range(0..=7)?;
    let mut at = |places: &[u8]| edits(bytes, places.contains(&place));
    let (quote_edits, signed_edits, order_edits, build_edits) =
        (at(&[1, 7])?, at(&[2, 7])?, at(&[3, 4, 5])?, at(&[6, 7])?);
    let rig = Rig::default();
    let mut service = rig.world.service.borrow_mut();
    service.quote_lie = Some(Box::new(move |tree| apply(&quote_edits, tree)));
    // The hash stated is that of the changed order.
    service.build_lie = Some(Box::new(move |tree| {
        let Json::Object(members) = tree else { return };
        for (_, to_sign) in members {
            let mut changed = to_sign.clone();
            apply(&signed_edits, &mut changed);
            if let Json::Object(parts) = &mut changed {
                parts.iter_mut().filter(|(name, _)| name == "value").for_each(|(_, order)| apply(&order_edits, order));
            }
            // Two members of one name have no hash; they come with the other edits.
            if parse(&changed.write()).is_ok() {
                *to_sign = changed;
            }
        }
    }));
    service.build_text = Some(Box::new(move |text| {
        let mut tree = json(&text);
        apply(&build_edits, &mut tree);
        // As the service wrote it, where nothing is changed.
        if build_edits.is_empty() { text } else { tree.write() }
    }));
    drop(service);
    let outcome = swap(&rig, &request, options);
    assert!(outcome || place > 0, "an honest order is refused");
    Ok(())
}

/// Quote, build and submission; whether an order was posted.
pub fn swap(rig: &Rig, request: &str, options: &str) -> bool {
    let Ok(quote) = rig.quote(request) else {
        rig.world.assert_untouched();
        return false;
    };
    let Ok(build) = rig.build(&quote, options) else {
        rig.world.assert_untouched();
        return false;
    };
    rig.world.assert_untouched();
    let submitted = rig.submit(&build);
    let asked = rig.world.wallet_was_asked("eth_signTypedData_v4");
    let posts = rig.world.posts();
    assert!(asked.len() <= 1 && posts.iter().all(|post| *post == posts[0]), "something else is signed or posted, too");
    for params in &asked {
        check(rig, params, &json(request), &json(options), &quote, &build);
    }
    submitted.is_ok()
}

/// The order that the wallet was asked to sign, read by another library, against request and options.
fn check(rig: &Rig, params: &str, request: &Json, options: &Json, quote: &Json, build: &Json) {
    let params: Value = serde_json::from_str(params).expect("JSON");
    let owner = rig.owner().to_string().to_lowercase();
    let typed = params[1].as_str().expect("typed data");
    let hash = serde_json::from_str::<TypedData>(typed).expect("typed data").eip712_signing_hash().expect("a hash");
    assert_eq!(text(build, "orderHash"), hash.to_string());
    let typed: Value = serde_json::from_str(typed).expect("JSON");
    let said = |value: &Value| value.as_str().map_or(value.to_string(), str::to_lowercase);
    let order = |name: &str| said(&typed["message"][name]);
    let number = |name: &str| order(name).parse::<U256>().unwrap_or_else(|_| panic!("{name} {}", order(name)));
    let domain = &typed["domain"];
    assert_eq!(said(&params[0]), owner);
    assert_eq!((domain["name"].as_str(), domain["version"].as_str()), (Some("Portikus"), Some("2.0.0")));
    assert_eq!((said(&domain["chainId"]).as_str(), said(&domain["verifyingContract"]).as_str()), ("8453", DELTA));
    assert!(TYPES.contains(&typed["primaryType"].as_str().expect("a type")));
    assert_eq!((order("owner"), order("beneficiary"), order("permit")), (owner.clone(), owner, "0x".into()));
    assert_eq!(order("nonce"), text(build, "nonce"));
    let fee = number("partnerAndFee");
    assert!(fee & U256::from(0xFF) <= U256::from(200) && !fee.bit(8), "{fee}");

    let (is_native, is_sliced) = (text(request, "srcToken") == "native", request.get("numSlices").is_some());
    let sources = if is_native { vec![NATIVE, WRAPPED] } else { vec![SRC] };
    assert!(sources.iter().any(|token| token.to_lowercase() == order("srcToken")), "{}", order("srcToken"));
    let is_bridged = request.get("destChainId").is_some();
    assert!(order("destToken") == DEST || (is_bridged && order("destToken") == BRIDGED));
    let bridge = &typed["message"]["bridge"];
    let there = (said(&bridge["destinationChainId"]), said(&bridge["outputToken"]));
    let nowhere = ("0".to_owned(), format!("0x{}", "0".repeat(40)));
    assert_eq!(there, if is_bridged { ("10".into(), DEST.into()) } else { nowhere });

    let amount = |of: &Json, name: &str| text(of, name).parse::<U256>().expect("an amount");
    let (asked, whole, kept) = (amount(request, "amount"), U256::from(10_000), U256::from(9_950));
    let (sold, bought) = if is_sliced { ("totalSrcAmount", "destAmountPerSlice") } else { ("srcAmount", "destAmount") };
    if request.get("side").is_some() {
        assert_eq!(number("destAmount"), asked);
        assert!(number("srcAmount") <= amount(quote, "srcAmount") * (whole + whole - kept) / whole);
        assert!(number("expectedAmount") <= number("srcAmount"));
    } else {
        assert_eq!(number(sold), asked);
        // The amount that enters a bridge is in units of its own; the one that has to arrive is in the report alone.
        let least = match options.get("limitAmount") {
            Some(limit) => limit.as_text().expect("a number").parse().expect("a number"),
            None if is_bridged => U256::from(1),
            None => amount(quote, "destAmount") * kept / whole,
        };
        assert!(number(bought) >= least, "{} of {least}", number(bought));
        assert!(is_sliced || number("expectedAmount") >= number(bought));
    }
    let (deadline, now) = (number("deadline"), U256::from(1_800_000_000));
    assert!(deadline > now && deadline <= now + U256::from(3_600), "{deadline}");
    assert!(is_sliced || order("kind") == if request.get("side").is_some() { "1" } else { "0" });
    assert!(!is_sliced || (order("numSlices"), order("interval")) == ("4".into(), "60".into()));
}
