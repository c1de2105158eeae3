//! What becomes of a token that enters a bridge: the same asset arrives on the other chain, or another one that
//! somebody buys there.
//!
//! In the first case the order itself determines how much arrives, in the second only the bridge's promise does. The
//! table of assets or the application decides which case it is; never a number of the service (docs/verification.md,
//! "Across chains").

use super::price::Price;
use super::terms::Terms;
use crate::domain::asset;
use crate::domain::intent::{Intent, Token};
use alloy_primitives::{Address, U256};

/// What enters the bridge of a crosschain order, and what the quote says arrives.
#[derive(Clone, Debug)]
pub struct BridgeTerms {
    /// The token that enters, with its name for sentences: the caller's, or the table's.
    pub bridge_input: Token,
    /// Whether the decimals of `bridge_input` are known; they are 0 otherwise.
    pub has_decimals: bool,
    /// Whether the order itself guarantees what arrives, because it is the same asset; otherwise the bridge only
    /// promises it.
    pub is_guaranteed: bool,
    /// What the quote says arrives, of all slices together, raw units of the destination token.
    pub expected: U256,
    /// Whether the order is made at the quoted price. A limit is not, and may get more than the quote says.
    pub is_at_quote: bool,
}

impl BridgeTerms {
    /// What enters the bridge at this price; `None` on one chain.
    pub fn of(intent: &Intent, terms: &Terms, price: &Price<'_>) -> Option<BridgeTerms> {
        let (token, arrives) = (price.origin_output.token, price.destination_output.amount);
        let known = asset::decimals(intent.chain_id, token);
        let is_sold = token == intent.src.address;
        let sold = Some(intent.src.decimals).filter(|_| is_sold);
        // The table comes before what a node said of the token.
        let decimals = known.or(terms.bridge_input.decimals).or(sold);
        let mut bridge_input = Token {
            chain_id: intent.chain_id,
            address: token,
            decimals: decimals.unwrap_or_default(),
            symbol: intent.src.symbol.clone().filter(|_| is_sold).or(asset::name(intent.chain_id, token)),
            ..Token::default()
        };
        if decimals.is_some() {
            bridge_input.note_unread(&intent.unread);
        }
        let expected = intent.twap.map_or(Some(arrives), |twap| twap.sum(arrives, arrives)).unwrap_or(U256::MAX);
        let is_guaranteed = is_guaranteed(intent, token);
        intent.is_crosschain().then_some(BridgeTerms {
            bridge_input,
            has_decimals: decimals.is_some(),
            is_guaranteed,
            expected,
            is_at_quote: terms.limit.is_none(),
        })
    }

    /// `quote.arrival` in JavaScript: `guaranteed` by the order, or `promised` by the bridge.
    pub fn arrival(&self) -> &'static str {
        if self.is_guaranteed { "guaranteed" } else { "promised" }
    }
}

/// Whether what arrives is the same asset that enters the bridge, so that the order itself bounds how much arrives.
/// Always so on one chain, where what the swap pays out is what arrives.
pub fn is_guaranteed(intent: &Intent, bridge_input: Address) -> bool {
    let (from, to) = ((intent.chain_id, bridge_input), (intent.dest_chain_id, intent.dest.address));
    !intent.is_crosschain() || asset::is_same(from, to) || intent.bridge_tokens.contains(&(from, to))
}
