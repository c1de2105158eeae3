//! What becomes of a token that enters a bridge: the same asset on the other chain, or another one that somebody buys
//! there. A table, or the application, decides which; never a number of the service
//! (docs/verification.md, "Across chains").

use super::price::Price;
use super::terms::Terms;
use crate::domain::asset;
use crate::domain::intent::{Intent, Token};
use alloy_primitives::{Address, U256};

/// What enters the bridge of a crosschain order, and what is said to arrive.
#[derive(Clone, Debug)]
pub struct Crossing {
    /// The token that enters, as a sentence has it.
    pub entering: Token,
    /// Whether its decimals are known; they are zero otherwise.
    pub has_decimals: bool,
    /// Whether the order itself says what arrives: the same asset. Otherwise that is the bridge's promise.
    pub is_guaranteed: bool,
    /// What the quote says arrives, of all slices together, raw units.
    pub expected: U256,
    /// Whether the order is made at the quote: a limit has a price of its own, which may promise more.
    pub is_at_quote: bool,
}

impl Crossing {
    /// That of a price; `None` on one chain.
    pub fn of(intent: &Intent, terms: &Terms, price: &Price<'_>) -> Option<Crossing> {
        let (token, arrives) = (price.origin_output.token, price.destination_output.amount);
        let known = asset::of(intent.chain_id, token);
        let is_sold = token == intent.src.address;
        let sold = Some(intent.src.decimals).filter(|_| is_sold);
        // What the table knows is no node's word.
        let decimals = known.map(|(_, decimals)| decimals).or(terms.entering.decimals).or(sold);
        let name = known.map(|(asset, _)| asset.symbol.into());
        let entering = Token {
            address: token,
            decimals: decimals.unwrap_or_default(),
            is_wrapped: false,
            symbol: intent.src.symbol.clone().filter(|_| is_sold).or(name),
        };
        let expected = intent.twap.map_or(Some(arrives), |twap| twap.sum(arrives, arrives)).unwrap_or(U256::MAX);
        let is_guaranteed = is_guaranteed(intent, token);
        intent.is_crosschain().then_some(Crossing {
            entering,
            has_decimals: decimals.is_some(),
            is_guaranteed,
            expected,
            is_at_quote: terms.limit.is_none(),
        })
    }

    /// As JavaScript has it: `guaranteed` by the order, or `promised` by the bridge.
    pub fn arrival(&self) -> &'static str {
        if self.is_guaranteed { "guaranteed" } else { "promised" }
    }
}

/// Whether what arrives is the very asset that enters the bridge, so that the order itself says how much of it.
/// On one chain nothing enters a bridge: what the swap gives is what arrives.
pub fn is_guaranteed(intent: &Intent, entering: Address) -> bool {
    let (from, to) = ((intent.chain_id, entering), (intent.dest_chain_id, intent.dest.address));
    !intent.is_crosschain() || asset::is_same(from, to) || intent.bridge_tokens.contains(&(from, to))
}
