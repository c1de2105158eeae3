//! The effect of an OTC order or fill, in one sentence for the user. It is written from verified amounts and addresses,
//! and from names of tokens, as in [`super`]: it has no text of the service.

use crate::domain::intent::Token;
use crate::domain::otc::request::Request;
use crate::domain::sentence::part::{self, Raw, Sink, account, amount, chain, count, time};
use crate::value::text::{ToText, joined};
use alloy_primitives::{Address, U256};

/// The sentence of an offer: `Offer 100 USDC for 0.04 WETH on Base to anybody; open until 2026-11-20 14:05 UTC`.
pub fn offer(request: &Request) -> String {
    let mut out = String::new();
    offer_parts(&mut out, request);
    out
}

/// The parts of [`offer`].
pub fn offer_parts<S: Sink>(out: &mut S, request: &Request) {
    let give = amount::<S>(request.maker_amount, &request.maker_asset);
    let want = amount::<S>(request.taker_amount, &request.taker_asset);
    out.say(part::OFFER, &[give, want, chain::<S>(request.chain_id, request.chain_name.as_deref())]);
    match request.taker.is_zero() {
        true => out.say(part::TO_ANYBODY, &[]),
        false => out.say(part::TO, &[account::<S>(request.taker)]),
    }
    match request.expiry {
        0 => out.say(part::OPEN, &[]),
        expiry => out.say(part::OPEN_UNTIL, &[time::<S>(expiry)]),
    }
}

/// The sentence of a fill: `Give 0.04 WETH for 100 USDC of 0x... on Base to 0x...`.
pub fn fill(chain_id: u64, give: (U256, &Token), get: (U256, &Token), makers: &[Address], receiver: Address) -> String {
    let mut out = String::new();
    fill_parts(&mut out, chain_id, give, get, makers, account::<String>(receiver));
    out
}

/// The parts of [`fill`].
pub fn fill_parts<S: Sink>(
    out: &mut S,
    chain_id: u64,
    give: (U256, &Token),
    get: (U256, &Token),
    makers: &[Address],
    receiver: S::Value,
) {
    let texts: Vec<_> = makers.iter().map(|maker| maker.text()).collect();
    let makers = S::keep(joined(&texts, ", "), Raw::Accounts(makers));
    out.say(part::GIVE, &[amount::<S>(give.0, give.1), amount::<S>(get.0, get.1), makers]);
    out.say(part::ON, &[chain::<S>(chain_id, None)]);
    out.say(part::TO, &[receiver]);
}

/// The sentence of a cancellation: `Cancel 2 OTC orders of 0x... on Base`.
pub fn cancel(chain_id: u64, count: usize, maker: Address) -> String {
    let mut out = String::new();
    cancel_parts(&mut out, chain_id, count, account::<String>(maker));
    out
}

/// The parts of [`cancel`].
pub fn cancel_parts<S: Sink>(out: &mut S, chain_id: u64, orders: usize, maker: S::Value) {
    let values = [count::<S>(u64::try_from(orders).unwrap_or(u64::MAX)), maker, chain::<S>(chain_id, None)];
    out.say(if orders == 1 { part::CANCEL_ONE } else { part::CANCEL }, &values);
}
