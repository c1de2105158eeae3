//! Market trades: prices, calldata and envelopes with changes. Whatever the service says, the wallet is asked to send only
//! what the user asked for, by another library's reading of the calldata.

use super::edits::{apply, edits, words};
use super::fake_host::{BUY, DEST, METHODS, ROUTER, Rig, SELL, SRC, function, json, text, with};
use alloy_dyn_abi::{DynSolValue, JsonAbiExt};
use alloy_json_abi::Param;
use alloy_primitives::{Address, U256, hex};
use arbitrary::{Result, Unstructured};
use verify::internal::json::Json;

pub fn run(data: &[u8]) {
    // An input that ends early has said less.
    let _ = trade(&mut Unstructured::new(data));
}

fn trade(bytes: &mut Unstructured<'_>) -> Result<()> {
    // The stability modules' method is the last but two, and of other tokens.
    let method = *bytes.choose(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13])?;
    let place: u8 = bytes.int_in_range(0..=5)?;
    let (prices, envelope) = (edits(bytes, [1, 5].contains(&place))?, edits(bytes, [2, 5].contains(&place))?);
    let data = words(bytes, place > 2)?;
    let rig = Rig::default();
    let mut service = rig.world.service.borrow_mut();
    service.market.method = method;
    service.market.batches = bytes.arbitrary()?;
    service.market.route_lie = Some(Box::new(move |tree| apply(&prices, tree)));
    service.market.envelope_lie = Some(Box::new(move |tree| apply(&envelope, tree)));
    service.market.data_lie = Some(Box::new(move |calldata| {
        for (place, word) in &data {
            let at = 4 + 32 * (place % (calldata.len() / 32).max(1));
            if let Some(old) = calldata.get_mut(at..at + 32) {
                old.copy_from_slice(word);
            }
        }
    }));
    drop(service);
    let router: Address = ROUTER.parse().expect("an address");
    let mut chains = rig.world.chain.borrow_mut();
    chains.node(8453).allowances.insert((SRC.parse().expect("an address"), router), U256::MAX);
    chains.node(8453).contracts.insert(router, Box::new(|_| Ok(Json::String("0x".into()))));
    drop(chains);
    let request = if METHODS[method].contains("AmountOut") { BUY } else { SELL };
    let sent = send(&rig, &with(request, r#""mode":"MARKET""#));
    assert!(sent || place > 0, "an honest trade is refused");
    Ok(())
}

/// Quote, build and submission; whether a transaction was sent.
fn send(rig: &Rig, request: &str) -> bool {
    let Ok(quote) = rig.quote(request) else {
        rig.world.assert_untouched();
        return false;
    };
    let Ok(build) = rig.build(&quote, r#"{"slippageBps":50}"#) else {
        rig.world.assert_untouched();
        return false;
    };
    rig.world.assert_untouched();
    let submitted = rig.submit(&build);
    assert_eq!(rig.world.prompts(), 0);
    let asked = rig.world.wallet_was_asked("eth_sendTransaction");
    assert!(asked.len() <= 1);
    for params in &asked {
        check(rig, &json(params), &json(request), &quote);
    }
    submitted.is_ok()
}

/// The transaction that the wallet was asked to send against the request.
fn check(rig: &Rig, params: &Json, request: &Json, quote: &Json) {
    let address = |text: &str| text.parse::<Address>().expect("an address");
    assert_eq!(address(text(params, "0.from")), rig.owner());
    assert_eq!(address(text(params, "0.to")), address(ROUTER));
    assert_eq!((text(params, "0.value"), text(params, "0.chainId")), ("0x0", "0x2105"));
    let data = hex::decode(text(params, "0.data")).expect("calldata");
    let called = METHODS.iter().map(|signature| function(signature)).find(|called| *called.selector() == data[..4]);
    let called = called.expect("a published method");
    let values = called.abi_decode_input(&data[4..]).expect("its arguments");
    let mut found = Vec::new();
    called.inputs.iter().zip(&values).for_each(|(param, value)| leaves(param, value, &mut found));

    let buys = request.get("side").is_some();
    let amount = |of: &Json, name: &str| text(of, name).parse::<U256>().expect("an amount");
    let (asked, whole, kept) = (amount(request, "amount"), U256::from(10_000), U256::from(9_950));
    for (name, value) in found {
        let number = || value.as_uint().expect("a number").0;
        match name {
            "srcToken" | "takerAsset" => assert_eq!(value.as_address(), Some(address(SRC))),
            "destToken" | "makerAsset" => assert_eq!(value.as_address(), Some(address(DEST))),
            "fromAmount" if buys => assert!(number() <= amount(quote, "srcAmount") * (whole + whole - kept) / whole),
            "fromAmount" => assert_eq!(number(), asked),
            "toAmount" if buys => assert_eq!(number(), asked),
            "toAmount" => assert!(number() >= amount(quote, "destAmount") * kept / whole),
            "quotedAmount" => assert_eq!(number(), amount(quote, if buys { "srcAmount" } else { "destAmount" })),
            "beneficiary" | "beneficiaryAndApproveFlag" => {
                let word = value.as_word().expect("a word");
                assert!([Address::ZERO, rig.owner()].contains(&Address::from_word(word)), "{word}");
            }
            "permit" => assert_eq!(value.as_bytes(), Some(&[][..])),
            // The fee, and whether the partner takes surplus.
            "partnerAndFee" => {
                assert!(number() & U256::from(0x3FFF) <= U256::from(200) && !number().bit(95), "{}", number())
            }
            _ => {}
        }
    }
}

/// The arguments by their own names, without those of the structs around them.
fn leaves<'a>(param: &'a Param, value: &'a DynSolValue, found: &mut Vec<(&'a str, &'a DynSolValue)>) {
    match value {
        DynSolValue::Tuple(values) => {
            param.components.iter().zip(values).for_each(|(param, value)| leaves(param, value, found));
        }
        DynSolValue::Array(values) => values.iter().for_each(|value| leaves(param, value, found)),
        leaf => found.push((&param.name, leaf)),
    }
}
