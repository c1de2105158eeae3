//! What a caller passes in, read strictly: each kind of value in one place.

use super::address;
use super::amount::{self, MAX_DECIMALS};
use super::bps::Bps;
use crate::error::{Error, Result};
use crate::json::{Json, JsonAt};
use alloy_primitives::{Address, U256};

/// The largest integer that JavaScript holds exactly.
pub const MAX_EXACT: u64 = (1 << 53) - 1;

/// The last second of the year 2199. What lies beyond was meant in milliseconds, and would be good for ever.
const LAST_SECOND: u64 = 7_258_118_399;

/// A time in unix seconds, or a number of them.
///
/// # Errors
/// Not an integer, or beyond the year 2199.
pub fn unix_secs(at: &JsonAt<'_>) -> Result<u64> {
    match at.integer(MAX_EXACT)? {
        secs if secs > LAST_SECOND => Err(at.fault("seconds before the year 2200 (not milliseconds)")),
        secs => Ok(secs),
    }
}

/// The id of a chain.
///
/// # Errors
/// Zero, or not an integer that JavaScript can hold.
pub fn chain_id(at: &JsonAt<'_>) -> Result<u64> {
    match at.integer(MAX_EXACT)? {
        0 => Err(at.fault("a chain id above 0")),
        id => Ok(id),
    }
}

/// Slippage in basis points, 0 to 10 000.
///
/// # Errors
/// Absent or out of range.
pub fn slippage(at: &JsonAt<'_>) -> Result<Bps> {
    let bps = at.integer(Bps::WHOLE.into())?;
    Bps::new(bps).ok_or_else(|| at.fault("0 to 10000"))
}

/// Raw units as the caller passes them in: a decimal string (which a BigInt has become by here), above 0.
///
/// # Errors
/// A number (it loses digits above 2^53), zero, or not a canonical decimal integer.
pub fn amount_input(at: &JsonAt<'_>) -> Result<U256> {
    let text = at.text().map_err(|_| at.fault("raw units as a bigint or a decimal string"))?;
    let amount = amount::parse_uint(text).map_err(|why| at.fault(why.expected()))?;
    if amount.is_zero() { Err(at.fault("an amount above 0")) } else { Ok(amount) }
}

/// An address of somebody: not zero.
///
/// # Errors
/// Not an address, a wrong checksum, or zero.
pub fn account(at: &JsonAt<'_>) -> Result<Address> {
    let address = address::parse(at.text()?).map_err(|why| at.fault(why.expected()))?;
    if address.is_zero() { Err(at.fault(address::AddressError::Zero.expected())) } else { Ok(address) }
}

/// A name.
///
/// # Errors
/// Empty, or above 64 characters.
pub fn short_text(at: &JsonAt<'_>) -> Result<String> {
    let text = at.text()?;
    if text.is_empty() || text.char_indices().nth(64).is_some() {
        Err(at.fault("1 to 64 characters"))
    } else {
        Ok(text.into())
    }
}

/// Reads a place unless it is absent.
///
/// # Errors
/// Those of `read`.
pub fn optional<'a, T>(at: &JsonAt<'a>, read: fn(&JsonAt<'a>) -> Result<T>) -> Result<Option<T>> {
    at.some().map(|at| read(&at)).transpose()
}

/// Both lists as one, `N` names long.
pub const fn joined<const N: usize>(these: &[&'static str], those: &[&'static str]) -> [&'static str; N] {
    let mut all = [""; N];
    let (first, rest) = all.split_at_mut(these.len());
    first.copy_from_slice(these);
    rest.copy_from_slice(those);
    all
}

/// The longest name that may be one misspelt, in bytes.
const MAX_MISSPELT: usize = 64;

/// Refuses members that are not among `names`, and says which of them may have been meant.
///
/// # Errors
/// The first unknown member.
pub fn known(at: &JsonAt<'_>, names: &[&str]) -> Result<()> {
    known_in(at, &[names])
}

/// As [`known`], with the names in several lists.
///
/// # Errors
/// As [`known`].
pub fn known_in(at: &JsonAt<'_>, lists: &[&[&str]]) -> Result<()> {
    match at.json() {
        Some(Json::Object(_)) => {}
        _ => return Err(at.fault("an object")),
    }
    for name in at.names() {
        if !lists.iter().any(|names| names.contains(&name)) {
            let (mut nearest, mut least) = ("", usize::MAX);
            // What is much longer than any of them is no slip of the finger.
            for known in lists.iter().copied().flatten().filter(|_| name.len() <= MAX_MISSPELT) {
                let far = distance(name, known);
                if far < least {
                    (nearest, least) = (known, far);
                }
            }
            // Further away it is no slip of the finger, and a guess would mislead.
            let close = least <= 3 && least < name.len();
            let hint = if close { [" (did you mean ", nearest, "?)"].concat() } else { String::new() };
            return Err(at.get(name).fault(&["a known option", &hint].concat()));
        }
    }
    Ok(())
}

/// One of several things, by its name.
///
/// # Errors
/// None of them.
pub fn one_of<T: Copy>(at: &JsonAt<'_>, names: &[(T, &str)], expected: &str) -> Result<T> {
    let text = at.text()?;
    let found = names.iter().find(|(_, name)| *name == text);
    found.map(|(one, _)| *one).ok_or_else(|| at.fault(expected))
}

/// Refuses what does not go together: members by name with what was expected there, each with whether it is wrong.
///
/// # Errors
/// The first that is.
pub fn refuse(at: &JsonAt<'_>, refusals: &[(bool, &str, &str)]) -> Result<()> {
    match refusals.iter().find(|(wrong, ..)| *wrong) {
        Some((_, name, expected)) => Err(at.get(name).fault(expected)),
        None => Ok(()),
    }
}

/// Edit distance, letter case ignored.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.to_ascii_lowercase(), b.to_ascii_lowercase());
    let mut row = vec![0];
    for index in 0..b.len() {
        row.push(index.saturating_add(1));
    }
    for (i, left) in a.bytes().enumerate() {
        let mut diagonal = i;
        let mut previous = i.saturating_add(1);
        for (cell, right) in row.iter_mut().skip(1).zip(b.bytes()) {
            let cost = usize::from(left != right);
            let best = diagonal.saturating_add(cost).min(previous.saturating_add(1)).min(cell.saturating_add(1));
            diagonal = *cell;
            *cell = best;
            previous = best;
        }
        if let Some(first) = row.first_mut() {
            *first = i.saturating_add(1);
        }
    }
    row.last().copied().unwrap_or_default()
}

/// The longest key of an application.
const MAX_KEY: usize = 256;

/// What the service knows an application by: fit for a header, and never repeated in an error.
///
/// # Errors
/// Anything else.
pub fn api_key(at: &JsonAt<'_>) -> Result<String> {
    let fits = |key: &&str| (1..=MAX_KEY).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic());
    let key = at.json().and_then(Json::as_text).filter(fits);
    let expected = "a key of 1 to 256 printable ASCII characters, without blanks";
    key.map(String::from).ok_or_else(|| Error::input(&at.path(), expected, "something else"))
}

/// A token's decimals.
///
/// # Errors
/// Above 77.
pub fn decimals_input(at: &JsonAt<'_>) -> Result<u8> {
    Ok(u8::try_from(at.integer(MAX_DECIMALS.into())?).unwrap_or(MAX_DECIMALS))
}
