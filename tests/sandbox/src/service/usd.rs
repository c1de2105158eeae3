//! The worth of amounts in dollars, by the pool.

use alloy_primitives::{Address, U256};

use crate::chain::{Chain, RpcError};

/// Digits after the point.
const DIGITS: usize = 10;

/// The dollar value of an amount as decimal text: dollar tokens at one dollar, the native token at the pool's price.
///
/// # Errors
/// When the node does not answer.
pub async fn value_of(chain: &Chain, token: Address, amount: U256) -> Result<String, RpcError> {
    let asset = chain.asset(token);
    let scale = U256::from(10).pow(U256::from(DIGITS));
    let decimals = |token: Address| chain.token(token).map_or(18, |token| token.decimals);
    let unit = |token: Address| U256::from(10).pow(U256::from(decimals(token)));
    let (numerator, denominator) = if asset == chain.wrapped_native {
        let dollar = chain.tokens[0].address;
        let reserves = chain.reserves(asset, dollar).await?;
        (reserves.dest * scale, reserves.src * unit(dollar))
    } else {
        (scale, unit(asset))
    };
    let value = amount.saturating_mul(numerator) / denominator.max(U256::from(1));
    let padded = format!("{value:0>width$}", width = DIGITS + 1);
    let (whole, fraction) = padded.split_at(padded.len() - DIGITS);
    Ok(format!("{whole}.{fraction}"))
}

/// By how many dollars the second value is below the first.
pub fn loss(from: &str, to: &str) -> f64 {
    match (from.parse::<f64>(), to.parse::<f64>()) {
        (Ok(from), Ok(to)) => from - to,
        _ => 0.0,
    }
}
