//! The effect of an OTC order or fill, in one sentence for the user. It is written from verified amounts and addresses,
//! and from names of tokens, as in [`super`]: it has no text of the service.

use crate::domain::chain;
use crate::domain::display::quantity;
use crate::domain::intent::Token;
use crate::domain::otc::request::Request;
use crate::domain::sentence::instant;
use crate::value::text::ToText;
use alloy_primitives::{Address, U256};

/// The sentence of an offer: `Offer 100 USDC for 0.04 WETH on Base to anybody; open until 2026-11-20 14:05 UTC`.
pub fn offer(request: &Request) -> String {
    let (give, want) =
        (quantity(request.maker_amount, &request.maker_asset), quantity(request.taker_amount, &request.taker_asset));
    let taker = if request.taker.is_zero() { "anybody".into() } else { request.taker.text() };
    let until = match request.expiry {
        0 => "filled or cancelled".into(),
        expiry => instant(expiry),
    };
    let chain = chain::named(request.chain_id, request.chain_name.as_deref());
    ["Offer ", &give, " for ", &want, " on ", &chain, " to ", &taker, "; open until ", &until].concat()
}

/// The sentence of a fill: `Give 0.04 WETH for 100 USDC of 0x... on Base to 0x...`.
pub fn fill(chain_id: u64, give: (U256, &Token), get: (U256, &Token), makers: &[Address], receiver: Address) -> String {
    let (give, get) = (quantity(give.0, give.1), quantity(get.0, get.1));
    let mut sentence = ["Give ", &give, " for ", &get, " of "].concat();
    for (index, maker) in makers.iter().enumerate() {
        sentence.push_str(if index > 0 { ", " } else { "" });
        sentence.push_str(&maker.text());
    }
    [&sentence, " on ", &chain::name(chain_id), " to ", &receiver.text()].concat()
}

/// The sentence of a cancellation: `Cancel 2 OTC orders of 0x... on Base`.
pub fn cancel(chain_id: u64, count: usize, maker: Address) -> String {
    let orders = if count == 1 { " OTC order of " } else { " OTC orders of " };
    ["Cancel ", &count.text(), orders, &maker.text(), " on ", &chain::name(chain_id)].concat()
}
