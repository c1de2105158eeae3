//! The terms that a price route's user wants for the transaction.

use alloy_primitives::{Address, Bytes, U256};

use super::issued::PriceRoute;
use super::partner::partner_and_fee;
use crate::app::App;
use crate::chain::{Chain, NATIVE, NATIVE_TEXT};
use crate::control::Placeholder;
use crate::json::read_address;
use crate::service::Refusal;
use crate::service::members::Members;

/// Read, and checked against the route.
#[derive(Clone, Debug)]
pub struct Terms {
    pub user: Address,
    /// Zero where the user receives.
    pub beneficiary: Address,
    /// SELL: exactly; BUY: the most.
    pub from_amount: U256,
    /// SELL: the least; BUY: exactly.
    pub to_amount: U256,
    pub permit: Bytes,
    pub partner_and_fee: U256,
}

impl Terms {
    /// # Errors
    /// InvalidInput by the member's name.
    pub fn read(
        app: &App,
        chain: &Chain,
        members: &Members<'_>,
        route: &PriceRoute,
        now: u64,
    ) -> Result<Self, Refusal> {
        for (name, token) in [("srcToken", route.src), ("destToken", route.dest)] {
            require_token(app, chain, members, name, token)?;
        }
        for (name, token) in [("srcDecimals", route.src), ("destDecimals", route.dest)] {
            let expected = chain.token(token).map(|token| u64::from(token.decimals));
            if members.number(name, 255)?.is_some_and(|decimals| Some(decimals) != expected) {
                return Err(Refusal::invalid(format!("{name} must be priceRoute's")));
            }
        }
        let user = members.address("userAddress")?.ok_or_else(|| Refusal::missing("userAddress"))?;
        members.address("txOrigin")?;
        let receiver = members.address("receiver")?.filter(|receiver| *receiver != user);
        if members.number_or_amount("deadline")?.is_some_and(|deadline| deadline < U256::from(now)) {
            return Err(Refusal::invalid("deadline must be in the future"));
        }
        let (from_amount, to_amount) = amounts(members, route)?;
        Ok(Self {
            user,
            beneficiary: receiver.unwrap_or_default(),
            from_amount,
            to_amount,
            permit: members.bytes("permit")?.unwrap_or_default(),
            partner_and_fee: partner_and_fee(app, members)?,
        })
    }
}

/// (the most or exact in, the least or exact out). The amount of the route's fixed side is the route's; the other is
/// given, or comes of the slippage, rounded down.
fn amounts(members: &Members<'_>, route: &PriceRoute) -> Result<(U256, U256), Refusal> {
    let (fixed, free) = if route.is_sell { ("srcAmount", "destAmount") } else { ("destAmount", "srcAmount") };
    let expected = if route.is_sell { route.src_amount } else { route.dest_amount };
    match members.number_or_amount(fixed)? {
        None => return Err(Refusal::missing(fixed)),
        Some(amount) if amount != expected => {
            return Err(Refusal::invalid(format!("{fixed} must be priceRoute.{fixed}, {expected}")));
        }
        Some(_) => {}
    }
    let slippage = members.number("slippage", 10_000)?;
    let bound = match (members.number_or_amount(free)?, slippage) {
        (Some(amount), _) if amount.is_zero() => return Err(Refusal::invalid(format!("{free} must be positive"))),
        (Some(amount), _) => amount,
        (None, Some(bps)) if route.is_sell => share(route.dest_amount, 10_000 - bps)?,
        // The fee comes on top of what a purchase costs.
        (None, Some(bps)) => share(route.after_fee, 10_000 + bps)?,
        (None, None) => return Err(Refusal::invalid(format!("slippage or {free} is required"))),
    };
    Ok(if route.is_sell { (expected, bound) } else { (bound, expected) })
}

fn share(amount: U256, bps: u64) -> Result<U256, Refusal> {
    let product =
        amount.checked_mul(U256::from(bps)).ok_or_else(|| Refusal::invalid("priceRoute: amount too large"))?;
    Ok(product / U256::from(10_000))
}

fn require_token(
    app: &App,
    chain: &Chain,
    members: &Members<'_>,
    name: &str,
    expected: Address,
) -> Result<(), Refusal> {
    let text = members.text(name)?.ok_or_else(|| Refusal::missing(name))?;
    let by_symbol = chain.tokens.iter().find(|token| token.symbol.eq_ignore_ascii_case(&text));
    let token = read_address(&text).or(by_symbol.map(|token| token.address));
    let lenient = app.control.settings().placeholder == Placeholder::Any;
    let is_well_written = token != Some(NATIVE) || by_symbol.is_some() || text == NATIVE_TEXT || lenient;
    if token.is_none() || !is_well_written {
        return Err(Refusal::invalid(format!("Invalid {name}")));
    }
    if token != Some(expected) {
        return Err(Refusal::invalid(format!("{name} must be priceRoute.{name}")));
    }
    Ok(())
}
