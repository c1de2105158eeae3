//! Tokens, and amounts of them, as a person reads them.

use crate::domain::asset;
use crate::domain::intent::{Intent, Token};
use crate::domain::side::Side;
use crate::domain::token::is_native;
use crate::error::Error;
use crate::value::address::checksummed;
use crate::value::amount::format_units;
use crate::value::text::ToText;
use crate::value::visible;
use alloy_primitives::U256;

/// An amount, raw units, in whole units of a token: `1.5 USDC`, `1.5 FOO (0x8AC76a51cc95...d97B32Cd580d)`. If only the
/// caller states its decimals, the raw units are added: `1.5 FOO (0x...) by the app's decimals (1500000 raw units)`. With
/// more decimals than an amount can have, there are only the raw units: `15 raw units FOO (0x...)`.
pub fn quantity(amount: U256, token: &Token) -> String {
    let figure = format_units(amount, token.decimals).unwrap_or_else(|_| [&*amount.text(), " raw units"].concat());
    let raw = match token.is_by_app {
        true => [" by the app's decimals (", &*amount.text(), " raw units)"].concat(),
        false => String::new(),
    };
    [&figure, " ", &unit(token), &raw].concat()
}

/// The error, with the amount that was asked for if the service refuses it, in raw and in whole units: the likeliest reason
/// is that one was meant for the other.
pub fn with_amount(mut error: Error, intent: &Intent) -> Error {
    if error.action == Some("changeAmount") {
        let fixed = if intent.side == Side::Sell { &intent.src } else { &intent.dest };
        let amount = intent.priced_amount();
        let asked = [&*amount.text(), " raw units: ", &quantity(amount, fixed)].concat();
        error.message = [&error.message, "; asked for ", &asked].concat();
        error.actual = Some(asked);
    }
    error
}

/// The unit shown after an amount: `USDC`, `of token 0x...`. The symbol of the pinned table stands alone, and only for
/// the very token of the table; the caller's symbol stands beside the address, because it can be any text; without
/// either, the address is the name.
pub fn unit(token: &Token) -> String {
    let whole = checksummed(token.address);
    if token.is_wrapped {
        return ["of the wrapped native token ", &whole].concat();
    }
    let (own, native) = (asset::name(token.chain_id, token.address), is_native(token.address));
    match (&token.symbol, own) {
        (Some(symbol), own) if own.as_ref() != Some(symbol) => {
            let ends = || Some([whole.get(..14)?, "...", whole.get(30..)?].concat());
            let place = if native { "the native token".into() } else { ends().unwrap_or_default() };
            [&visible::name(symbol), " (", &place, ")"].concat()
        }
        (_, Some(own)) => own,
        _ if native => "of the native token".into(),
        _ => ["of token ", &whole].concat(),
    }
}
