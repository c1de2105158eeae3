//! Further parameters of a price (the `market` and `delta` members of a request), from JavaScript's names and values to
//! those of the service's query. docs/sandbox.md, "Market", explains them.

use crate::domain::bps::Bps;
use crate::domain::input::known;
use crate::domain::token;
use crate::error::Result;
use crate::json::{JsonAt, truth};
use crate::value::text::{ToText, joined};

/// The kind of value that a parameter takes.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// `true` or `false`.
    Flag,
    /// An array of names; the query joins them by commas.
    Names,
    /// An array of 2 to 4 tokens; the query joins them by dashes.
    Route,
    /// Basis points, 0 to 10 000.
    Bps,
}

/// A parameter: its name in JavaScript, its name in the query, its kind of value.
pub type Parameter = (&'static str, &'static str, Shape);

/// The parameters that a Market price takes.
pub const MARKET: [Parameter; 14] = [
    ("otherExchangePrices", "otherExchangePrices", Shape::Flag),
    ("includeDexs", "includeDEXS", Shape::Names),
    ("excludeDexs", "excludeDEXS", Shape::Names),
    ("excludePools", "excludePools", Shape::Names),
    ("excludeRfq", "excludeRFQ", Shape::Flag),
    ("includeContractMethods", "includeContractMethods", Shape::Names),
    ("excludeContractMethods", "excludeContractMethods", Shape::Names),
    ("excludeContractMethodsWithoutFeeModel", "excludeContractMethodsWithoutFeeModel", Shape::Flag),
    ("route", "route", Shape::Route),
    ("srcTransferFeeBps", "srcTokenTransferFee", Shape::Bps),
    ("destTransferFeeBps", "destTokenTransferFee", Shape::Bps),
    ("srcDexTransferFeeBps", "srcTokenDexTransferFee", Shape::Bps),
    ("destDexTransferFeeBps", "destTokenDexTransferFee", Shape::Bps),
    ("ignoreBadUsdPrice", "ignoreBadUsdPrice", Shape::Flag),
];

/// The parameters that a Delta price takes.
pub const DELTA: [Parameter; 6] = [
    ("includeAgents", "includeAgents", Shape::Names),
    ("excludeAgents", "excludeAgents", Shape::Names),
    ("includeBridges", "includeBridges", Shape::Names),
    ("excludeBridges", "excludeBridges", Shape::Names),
    ("allowBridgeAndSwap", "allowBridgeAndSwap", Shape::Flag),
    ("degenMode", "degenMode", Shape::Flag),
];

/// The highest number of tokens in a route, source and destination included.
const MAX_ROUTE: usize = 4;

/// The members of the query for the options at that place.
///
/// # Errors
/// INVALID_INPUT with the option that is unknown or malformed.
pub fn query(at: &JsonAt<'_>, options: &[Parameter]) -> Result<Vec<(&'static str, Option<String>)>> {
    let mut names = Vec::new();
    for (name, ..) in options {
        names.push(*name);
    }
    known(at, &names)?;
    let mut found = Vec::new();
    for (name, parameter, shape) in options {
        if let Some(at) = at.get(name).some() {
            found.push((*parameter, Some(value(&at, *shape)?)));
        }
    }
    Ok(found)
}

/// Reads the value of a parameter into the query's text.
fn value(at: &JsonAt<'_>, shape: Shape) -> Result<String> {
    Ok(match shape {
        Shape::Flag => truth(at.bool()?).into(),
        Shape::Bps => at.integer(10_000)?.text(),
        Shape::Names => list(at, name, ",")?,
        Shape::Route if !(2..=MAX_ROUTE).contains(&at.items()?.len()) => {
            return Err(at.fault("2 to 4 tokens, source and destination included"));
        }
        // The service takes the placeholder only in its checksum casing.
        Shape::Route => list(at, |at| Ok(token::read(at)?.text()), "-")?,
    })
}

/// Reads an array of values, joined by `between`.
fn list(at: &JsonAt<'_>, read: fn(&JsonAt<'_>) -> Result<String>, between: &str) -> Result<String> {
    let mut texts = Vec::new();
    for item in at.items()? {
        texts.push(read(&item)?);
    }
    Ok(joined(&texts, between))
}

/// Reads a name that is not empty and has no comma, which would make it two.
fn name(at: &JsonAt<'_>) -> Result<String> {
    match at.text()? {
        "" => Err(at.fault("a name")),
        name if name.contains(',') => Err(at.fault("a name without commas")),
        name => Ok(name.into()),
    }
}

/// `destTransferFeeBps`: the share that the destination token keeps of its transfer to the beneficiary, by the caller's
/// word; 0 if it is absent.
pub fn destination_tax(at: &JsonAt<'_>) -> Bps {
    at.get("destTransferFeeBps").integer(10_000).ok().and_then(Bps::new).unwrap_or_default()
}

/// The shares of both tokens that their transfers keep, by the caller's word, in bps together; at most 10,000.
pub fn transfer_taxes(at: &JsonAt<'_>) -> u16 {
    let names = ["srcTransferFeeBps", "destTransferFeeBps", "srcDexTransferFeeBps", "destDexTransferFeeBps"];
    let all = names.iter().filter_map(|name| at.get(name).integer(10_000).ok()).fold(0, u64::saturating_add);
    u16::try_from(all.min(10_000)).unwrap_or_default()
}
