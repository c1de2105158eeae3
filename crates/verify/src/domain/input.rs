//! The caller's input, read strictly: one reader for each kind of value.
//!
//! A number in JavaScript is a float, a misspelt option is silently absent, and milliseconds look like seconds. The
//! readers here refuse each of these with the member's path and the expected form, instead of trading on a guess. All
//! errors are INVALID_INPUT.

use super::bps::Bps;
use crate::error::{Error, Result};
use crate::json::{ADVANCED, Json, JsonAt};
use crate::value::address;
use crate::value::amount::{self, MAX_DECIMALS};
use alloy_primitives::{Address, U256};

/// The largest integer that JavaScript's numbers hold exactly, with all integers below it: 2^53 - 1.
pub const MAX_EXACT: u64 = (1 << 53) - 1;

/// The last second of the year 2199. A later time was meant in milliseconds, and as seconds would never pass.
const LAST_SECOND: u64 = 7_258_118_399;

/// A point in time, or a length of time, in unix seconds.
///
/// # Errors
/// Not an integer from 0, or after the year 2199.
pub fn unix_secs(at: &JsonAt<'_>) -> Result<u64> {
    match at.integer(MAX_EXACT)? {
        secs if secs > LAST_SECOND => Err(at.fault("seconds before the year 2200 (not milliseconds)")),
        secs => Ok(secs),
    }
}

/// A chain id (EIP-155, <https://eips.ethereum.org/EIPS/eip-155>).
///
/// # Errors
/// Not an integer from 1 to [`MAX_EXACT`].
pub fn chain_id(at: &JsonAt<'_>) -> Result<u64> {
    match at.integer(MAX_EXACT)? {
        0 => Err(at.fault("a chain id above 0")),
        id => Ok(id),
    }
}

/// Slippage in basis points, 0 to 10 000.
///
/// # Errors
/// Absent, or not an integer of that range: a fraction was meant in percent.
pub fn slippage(at: &JsonAt<'_>) -> Result<Bps> {
    let bps = at.integer(Bps::WHOLE.into()).ok().and_then(Bps::new);
    bps.ok_or_else(|| at.fault("basis points from 0 to 10000 (50 is 0.5 %)"))
}

/// An amount in raw units, above 0, as a decimal string. A `BigInt` has become one before it gets here.
///
/// # Errors
/// A JavaScript number, which loses digits above 2^53; zero; or no canonical decimal integer of 256 bits.
pub fn amount_input(at: &JsonAt<'_>) -> Result<U256> {
    let text = at.text().map_err(|_| at.fault("raw units as a bigint or a decimal string"))?;
    let amount = amount::parse_uint(text).map_err(|why| at.fault(why.expected()))?;
    if amount.is_zero() { Err(at.fault("an amount above 0")) } else { Ok(amount) }
}

/// The address of an account or contract: not zero.
///
/// # Errors
/// The errors of [`address::parse`], and the zero address.
pub fn account(at: &JsonAt<'_>) -> Result<Address> {
    let address = address::parse(at.text()?).map_err(|why| at.fault(why.expected()))?;
    if address.is_zero() { Err(at.fault(address::AddressError::Zero.expected())) } else { Ok(address) }
}

/// A name or symbol of 1 to 64 characters.
///
/// # Errors
/// Not a string of that length.
pub fn short_text(at: &JsonAt<'_>) -> Result<String> {
    let text = at.text()?;
    if text.is_empty() || text.char_indices().nth(64).is_some() {
        Err(at.fault("1 to 64 characters"))
    } else {
        Ok(text.into())
    }
}

/// Reads a member with `read` unless it is absent or `null`.
///
/// # Errors
/// The errors of `read`.
pub fn optional<'a, T>(at: &JsonAt<'a>, read: fn(&JsonAt<'a>) -> Result<T>) -> Result<Option<T>> {
    at.some().map(|at| read(&at)).transpose()
}

/// Both lists of names as one, when compiled; `N` is the sum of their lengths.
pub const fn joined<const N: usize>(these: &[&'static str], those: &[&'static str]) -> [&'static str; N] {
    let mut all = [""; N];
    let (first, rest) = all.split_at_mut(these.len());
    first.copy_from_slice(these);
    rest.copy_from_slice(those);
    all
}

/// Names that other libraries have for an option: in each line the option's own, and behind it the others'. No edit
/// distance leads from one to the other.
const SYNONYMS: &str = "\
baseUrl url apiUrl endpoint
wallet provider signer walletClient
account user userAddress owner
beneficiary receiver recipient to
srcToken fromToken tokenIn sellToken
destToken toToken tokenOut buyToken
amount sellAmount fromAmount
chainId network fromChainId
destChainId toChainId
slippageBps slippageTolerance
validForSecs ttl
minReceived minAmountOut
";

/// The option that a name of another library means; `None` if it is in no line of [`SYNONYMS`].
fn meant(name: &str) -> Option<&'static str> {
    let line = SYNONYMS.split('\n').find(|line| line.split(' ').skip(1).any(|other| other.eq_ignore_ascii_case(name)));
    line?.split(' ').next()
}

/// The longest name for which a correction is suggested, in bytes: the search takes time by its length.
const MAX_MISSPELT: usize = 64;

/// Refuses an object with a member that is not among `names`: a misspelt bound would otherwise be no bound.
///
/// # Errors
/// No object, or the first unknown member, with the name that was probably meant.
pub fn known(at: &JsonAt<'_>, names: &[&str]) -> Result<()> {
    known_in(at, &[names])
}

/// [`known`] for names in several lists. Names that begin with `advanced.` are of members of `advanced`
/// ([`JsonAt::option`]).
///
/// # Errors
/// The errors of [`known`]; for a member that belongs to the other of the two places, with the path where it belongs.
pub fn known_in(at: &JsonAt<'_>, lists: &[&[&str]]) -> Result<()> {
    let has_advanced = lists.iter().copied().flatten().any(|name| name.starts_with(ADVANCED));
    known_at(at, "", at, lists, has_advanced)?;
    match at.get("advanced").some().filter(|_| has_advanced) {
        Some(advanced) => known_at(&advanced, ADVANCED, at, lists, false),
        None => Ok(()),
    }
}

/// Refuses a member at `here` whose name, behind `prefix`, is not in the lists. The lists' names are of `whole`.
/// `has_advanced`: whether `here` may have a member `advanced`.
fn known_at(here: &JsonAt<'_>, prefix: &str, whole: &JsonAt<'_>, lists: &[&[&str]], has_advanced: bool) -> Result<()> {
    match here.json() {
        Some(Json::Object(_)) => {}
        _ => return Err(here.fault("an object")),
    }
    let names = || lists.iter().copied().flatten().copied();
    for name in here.names().filter(|name| !(has_advanced && *name == "advanced")) {
        let same = || names().filter(|known| known.strip_prefix(ADVANCED).unwrap_or(known) == name);
        if same().any(|known| known.len() == prefix.len().saturating_add(name.len())) {
            continue;
        }
        if let Some(known) = same().next() {
            return Err(here.get(name).fault(&whole.option(known).path()));
        }
        let (mut nearest, mut least) = ("", usize::MAX);
        // A name much longer than all of them is no typing mistake.
        for known in names().filter(|_| name.len() <= MAX_MISSPELT) {
            let far = distance(name, known.strip_prefix(ADVANCED).unwrap_or(known));
            if far < least {
                (nearest, least) = (known, far);
            }
        }
        // Further away it is no typing mistake, and a suggestion would mislead.
        let close = least <= 3 && least < name.len();
        let nearest = meant(name).filter(|own| names().any(|known| known == *own)).or(close.then_some(nearest));
        let hint = nearest.map_or_else(String::new, |nearest| [" (did you mean ", nearest, "?)"].concat());
        return Err(here.get(name).fault(&["a known option", &hint].concat()));
    }
    Ok(())
}

/// The value whose name the caller passed in. Each word that a caller chooses from a list is read here, in the spelling of
/// the published types alone: letter case counts.
///
/// # Errors
/// A text that is none of `names`; `expected` lists them for the message.
pub fn one_of<T: Copy>(at: &JsonAt<'_>, names: &[(T, &str)], expected: &str) -> Result<T> {
    let text = at.text()?;
    let found = names.iter().find(|(_, name)| *name == text);
    found.map(|(one, _)| *one).ok_or_else(|| at.fault(expected))
}

/// Refuses members that contradict each other. A row is (whether it is wrong, the member to name, the expected value).
///
/// # Errors
/// The first row that is wrong.
pub fn refuse(at: &JsonAt<'_>, refusals: &[(bool, &str, &str)]) -> Result<()> {
    match refusals.iter().find(|(wrong, ..)| *wrong) {
        Some((_, name, expected)) => Err(at.option(name).fault(expected)),
        None => Ok(()),
    }
}

/// The edit distance (Levenshtein) of two names, in bytes; letter case is ignored.
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

/// The longest API key, in bytes.
const MAX_KEY: usize = 256;

/// The key that identifies an application at the service: printable ASCII without blanks, so that it fits an HTTP
/// header.
///
/// # Errors
/// Any other value. The error does not repeat it, because errors are logged.
pub fn api_key(at: &JsonAt<'_>) -> Result<String> {
    let fits = |key: &&str| (1..=MAX_KEY).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic());
    let key = at.json().and_then(Json::as_text).filter(fits);
    let expected = "a key of 1 to 256 printable ASCII characters, without blanks";
    key.map(String::from).ok_or_else(|| Error::input(&at.path(), expected, "something else"))
}

/// A token's decimals as the caller states them, 0 to [`MAX_DECIMALS`].
///
/// # Errors
/// Not an integer of that range.
pub fn decimals_input(at: &JsonAt<'_>) -> Result<u8> {
    Ok(u8::try_from(at.integer(MAX_DECIMALS.into())?).unwrap_or(MAX_DECIMALS))
}
