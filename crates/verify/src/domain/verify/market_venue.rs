//! The tokens of a call to the Market router: in its arguments, and in the venue of its method (pools, the vault's
//! call, makers' orders, a stability module).
//!
//! Refuses a trade of other tokens, and the cases where the router does not compare the result with `toAmount`: a
//! purchase of the native token from makers, and an unknown stability module.

use crate::domain::market::calldata::Arguments;
use crate::domain::market::method::{Method, ORDERS_FLAGS, ORDERS_WRAP_MASK, Venue, maker_orders};
use crate::domain::market::pools::{path_ends, vault_ends};
use crate::domain::market::psm;
use crate::domain::member::{Members, member};
use crate::domain::side::Side;
use crate::domain::token::{NATIVE, is_native};
use crate::domain::verify::market_expectation::MarketExpectation;
use crate::domain::verify::report::Checks;
use crate::value::amount::parse_units;
use crate::value::text::{Concat, ToText};
use alloy_primitives::{Address, U256};

/// The highest number of makers' orders in one call.
const MAX_ORDERS: usize = 64;

/// Notes whether the call trades the two requested tokens, wherever it names them. Refuses pools, a vault's call or
/// makers' orders that end in another token: some methods name the tokens nowhere else. For a stability module, also
/// refuses a factor or toll that would have the router request less than `toAmount`.
pub fn check_tokens(checks: &mut Checks, method: &Method<'_>, asked: &MarketExpectation<'_>) {
    let MarketExpectation { intent, .. } = asked;
    let (src, dest) = (intent.src.address, intent.dest.address);
    let arguments = &method.arguments;
    let vouched = asked.terms.vouches(method.selector);
    for (member, token) in [(member!("srcToken"), src), (member!("destToken"), dest)] {
        if let Some(found) = arguments.find::<Address>(member) {
            checks.same(member.path(), &token, &found);
        }
    }
    match method.venue {
        Venue::Opaque => {}
        Venue::Pools(version) => {
            // Pools hold the native token wrapped, in a contract that the router chooses: that end is left open.
            let same = |token: &Address, end: &Address| is_native(*token) || token == end;
            let pools = arguments.find_bytes(member!("pools")).unwrap_or_default();
            let found = path_ends(pools, version, method.side == Side::Buy);
            let ok = found.as_ref().is_some_and(|(first, last)| same(&src, first) && same(&dest, last));
            check_ends(checks, "pools", ok, &(src, dest), found.as_ref(), "no path through pools");
        }
        Venue::Vault => {
            let named = |token: Address| if token.is_zero() { NATIVE } else { token };
            let found = vault_ends(arguments.find_bytes(member!("data")).unwrap_or_default())
                .map(|(from, to)| (named(from), named(to)));
            let wanted = (src, dest);
            let ok = found.as_ref() == Some(&wanted);
            check_ends(checks, "data", ok, &wanted, found.as_ref(), "no swap of the vault");
        }
        Venue::Orders => {
            check_orders(checks, arguments, src, dest);
            // The router unwraps whatever wrapped native token it holds then, not the makers' payment.
            let right = method.side == Side::Sell || !is_native(dest);
            checks.holds_or_trusted("orders", right, vouched, &"no purchase of the native token", &method.side.name());
        }
        Venue::Psm => {
            let exchange = arguments.find(member!("exchange")).unwrap_or_default();
            let sells = psm::sells(src, dest);
            let right = sells && psm::trades(intent.chain_id, exchange, src, dest);
            let expected = if sells {
                "a known stability module for these two tokens"
            } else {
                "another method: the router cannot sell USDS to a stability module"
            };
            checks.holds_or_trusted("exchange", right, sells && vouched, &expected, &exchange);
            let factor = arguments.find(member!("to18ConversionFactor")).unwrap_or_default();
            let unit = parse_units("1", intent.src.decimals.abs_diff(intent.dest.decimals)).unwrap_or_default();
            checks.same("to18ConversionFactor", &unit, &factor);
            let (from, to, toll) = (
                arguments.uint(member!("fromAmount")),
                arguments.uint(member!("toAmount")),
                arguments.find(member!("toll")).unwrap_or_default(),
            );
            let right = method.side == Side::Buy || psm::suffices(src, &from, &to, toll, &factor);
            checks.holds("toll", right, &"one that leaves toAmount", &toll);
        }
    }
}

/// Checks the two ends of a trade; if nothing was `found`, the report shows `none`.
fn check_ends(
    checks: &mut Checks,
    field: &str,
    ok: bool,
    wanted: &(Address, Address),
    found: Option<&(Address, Address)>,
    none: &'static str,
) {
    let text = |(from, to): &(Address, Address)| Concat(&[from, &" to ", to]).text();
    checks.holds(field, ok, &text(wanted), &found.map_or_else(|| none.into(), text));
}

/// Checks that there are makers' orders, all of them for these two tokens, and that the native token is wrapped exactly
/// when it is traded.
fn check_orders(checks: &mut Checks, arguments: &Arguments<'_>, src: Address, dest: Address) {
    let orders = maker_orders(arguments);
    checks.holds("orders", (1..=MAX_ORDERS).contains(&orders.len()), &"1 to 64 orders", &orders.len());
    let flags: U256 = arguments.find(member!("wrapApproveDirection")).unwrap_or_default();
    let expected = U256::from(u8::from(is_native(src)) | (u8::from(is_native(dest)) << 1));
    checks.same("wrapApproveDirection", &expected, &(flags & U256::from(ORDERS_WRAP_MASK)));
    checks.same("wrapApproveDirection", &U256::ZERO, &flags.wrapping_shr(ORDERS_FLAGS));
    for order in orders.take(MAX_ORDERS) {
        for (asset, token) in [(member!("takerAsset"), src), (member!("makerAsset"), dest)] {
            if !is_native(token) {
                checks.same(&[&order.path, ".", asset.path()].concat(), &token, &order.address(asset));
            }
        }
    }
}
