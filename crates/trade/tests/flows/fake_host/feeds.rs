//! Price feeds of everything that is traded here, at the service's own prices: references that agree with it.

use super::chain::Contract;
use super::{BRIDGED, DEST, NATIVE, SRC, text};
use alloy_primitives::{Address, U256, hex};
use std::collections::HashMap;
use verify::internal::domain::reference::sources::{Feed, Sources};
use verify::internal::domain::token;
use verify::internal::json::Json;

/// The wrapped form by which the native token's feed is known.
const WRAPPED: &str = "0x00000000000000000000000000000000000000a9";
/// USDC and DAI of chain 1.
const DOLLARS: [&str; 2] = ["0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", "0x6B175474E89094C44Da98b954EedeAC495271d0F"];

/// Each token with its price in dollars. One wei of the native token buys as much as a millionth of SRC does.
const PRICES: [(&str, u64); 6] =
    [(SRC, 1), (DEST, 2_500), (BRIDGED, 2_500), (WRAPPED, 1_000_000_000_000), (DOLLARS[0], 1), (DOLLARS[1], 1)];

fn address(text: &str) -> Address {
    token::parse(text).unwrap()
}

/// The feed of a token: at the address before its own.
fn feed(token: Address) -> Address {
    Address::from_word((U256::from_be_bytes(token.into_word().0) - U256::from(1)).into())
}

/// The feeds with these prices, on any chain.
pub fn sources() -> Sources {
    let of = |(token, _): &(&str, u64)| Feed {
        token: address(token),
        feed: feed(address(token)),
        decimals: 8,
        heartbeat_secs: u32::MAX,
    };
    assert_ne!(address(NATIVE), address(WRAPPED));
    Sources { wrapped: address(WRAPPED), feeds: PRICES.iter().map(of).collect(), ..Sources::default() }
}

/// Whether that is one of them.
pub fn is_feed(contract: Address) -> bool {
    PRICES.iter().any(|(token, _)| feed(address(token)) == contract)
}

/// The answers of the feeds to the lens: one more than the decimals, the price, when it was written.
pub fn told() -> HashMap<Address, Vec<U256>> {
    let mut told = HashMap::new();
    tell(&mut told, 1);
    told
}

/// They say so, of SRC that it is worth so many times as much.
pub fn tell(told: &mut HashMap<Address, Vec<U256>>, times: u64) {
    for (token, dollars) in PRICES {
        let dollars = if token == SRC { dollars * times } else { dollars };
        let price = U256::from(dollars) * U256::from(100_000_000);
        told.insert(feed(address(token)), vec![U256::from(9), price, U256::from(1_800_000_000)]);
    }
}

/// They say the same to plain calls, as Chainlink's contracts do.
pub fn answer(contracts: &mut HashMap<Address, Contract>, times: u64) {
    let mut told = HashMap::new();
    tell(&mut told, times);
    for (feed, said) in told {
        let answer = move |call: &Json| {
            let words = match text(call, "data") {
                "0x313ce567" => vec![said[0] - U256::from(1)],
                "0xfeaf968c" => vec![U256::from(77), said[1], said[2], said[2], U256::from(77)],
                other => panic!("a feed is not asked {other}"),
            };
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes::<32>()).collect();
            Ok(Json::String(hex::encode_prefixed(bytes)))
        };
        contracts.insert(feed, Box::new(answer));
    }
}
