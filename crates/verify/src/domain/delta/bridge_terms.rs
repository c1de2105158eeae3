//! The fate of a bridge input: the same asset arrives on the other chain, or another one that is bought there.
//!
//! In the first case the order itself determines the destination amount, in the second it is only the bridge's promise.
//! The table of assets or the application decides which case it is; never a number of the service
//! (docs/verification.md, "Across chains").

use super::price::Price;
use super::terms::Terms;
use crate::domain::asset;
use crate::domain::fee::after_fee;
use crate::domain::intent::{Intent, Token};
use alloy_primitives::{Address, U256};

/// The bridge input of a crosschain order, and the destination amount that the quote states.
#[derive(Clone, Debug)]
pub struct BridgeTerms {
    /// The token that enters the bridge, with its name for sentences: the caller's, or the table's.
    pub bridge_input: Token,
    /// Whether the decimals of `bridge_input` are known; they are 0 otherwise.
    pub has_decimals: bool,
    /// Whether the order itself guarantees the destination amount, because it is the same asset; otherwise the bridge
    /// only promises it.
    pub is_guaranteed: bool,
    /// The destination amount of the quote after the fee, for all slices together, raw units of the destination token.
    pub expected: U256,
    /// Whether the order is made at the quoted price. A limit order is not, and may get more than quoted.
    pub is_at_quote: bool,
}

impl BridgeTerms {
    /// The bridge input at this price, with that fee in bps; `None` on one chain.
    pub fn of(intent: &Intent, terms: &Terms, price: &Price<'_>, fee_bps: u16) -> Option<BridgeTerms> {
        let (token, arrives) = (price.origin_output.token, after_fee(price.destination_output.amount, fee_bps));
        let known = asset::decimals(intent.chain_id, token);
        let is_sold = token == intent.src.address;
        let sold = Some(intent.src.decimals).filter(|_| is_sold);
        // The table has precedence over a node's answer.
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

/// Whether the destination token is the same asset as the bridge input, so that the order itself bounds the destination
/// amount. Always true on one chain, where the swap pays out the destination token.
pub fn is_guaranteed(intent: &Intent, bridge_input: Address) -> bool {
    let (from, to) = ((intent.chain_id, bridge_input), (intent.dest_chain_id, intent.dest.address));
    !intent.is_crosschain() || asset::is_same(from, to) || intent.bridge_tokens.contains(&(from, to))
}
