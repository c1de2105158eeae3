//! Unsigned raw transactions: RLP (Ethereum's recursive length prefix), legacy and of the types 1, 2 and 4 (EIP-2718,
//! <https://eips.ethereum.org/EIPS/eip-2718>). Signed ones are read as well: the signature changes nothing.

use alloy_primitives::{Address, U256};

/// The deepest nesting of lists in a transaction.
const MAX_DEPTH: usize = 4;

/// An item of RLP.
#[derive(Debug)]
pub enum Item<'a> {
    /// A string of bytes.
    Bytes(&'a [u8]),
    /// A list of items.
    List(Vec<Item<'a>>),
}

/// A raw transaction.
#[derive(Debug, Default)]
pub struct Raw<'a> {
    /// Its chain; `None` if it is good on each.
    pub chain_id: Option<U256>,
    /// The contract; `None` creates one.
    pub to: Option<Address>,
    /// The native token sent along, in wei.
    pub value: U256,
    /// The calldata, selector first.
    pub data: &'a [u8],
    /// The most that its gas may cost, in wei.
    pub gas: U256,
    /// The delegations of type 4: (chain, delegate).
    pub delegations: Vec<(U256, Address)>,
}

/// Reads a raw transaction; `None` if it is none of these types to the letter.
pub fn read(bytes: &[u8]) -> Option<Raw<'_>> {
    let (kind, body) = match bytes.split_first()? {
        (kind @ (1 | 2 | 4), rest) => (*kind, rest),
        _ => (0, bytes),
    };
    let (item, rest) = item(body, 0)?;
    let Item::List(items) = item else { return None };
    let count = items.len();
    // Where `to` stands, and how many members an unsigned transaction has.
    let (at, unsigned) = match kind {
        0 => (3, 6),
        1 => (4, 8),
        2 => (5, 9),
        _ => (5, 10),
    };
    let is_known = count == unsigned || count == unsigned.checked_add(3)?;
    if !rest.is_empty() || !is_known {
        return None;
    }
    let bytes = |index: usize| match items.get(index) {
        Some(Item::Bytes(bytes)) => Some(*bytes),
        _ => None,
    };
    let number = |index: usize| number(bytes(index)?);
    for index in 0..at {
        number(index)?;
    }
    // The gas stands before the contract, and its highest price before the gas.
    let gas = number(at.checked_sub(1)?)?.saturating_mul(number(at.checked_sub(2)?)?);
    let to = bytes(at)?;
    let chain_id = match kind {
        // Unsigned it is the id, with two zeros behind it; signed it is `v` (EIP-155).
        0 => match (number(6), number(7)) {
            (Some(id), Some(r)) if r.is_zero() => Some(id),
            (Some(v), _) => Some(v.saturating_sub(U256::from(35)).wrapping_shr(1)),
            _ => None,
        },
        _ => Some(number(0)?),
    };
    Some(Raw {
        chain_id: chain_id.filter(|id| !id.is_zero()),
        to: if to.is_empty() { None } else { Some(Address::from(<[u8; 20]>::try_from(to).ok()?)) },
        value: number(at.checked_add(1)?)?,
        data: bytes(at.checked_add(2)?)?,
        gas,
        delegations: if kind == 4 { delegations(items.get(9)?)? } else { vec![] },
    })
}

fn delegations(item: &Item<'_>) -> Option<Vec<(U256, Address)>> {
    let Item::List(all) = item else { return None };
    let mut found = Vec::new();
    for one in all {
        let Item::List(members) = one else { return None };
        match members.as_slice() {
            [Item::Bytes(chain), Item::Bytes(address), Item::Bytes(_), ..] => {
                found.push((number(chain)?, Address::from(<[u8; 20]>::try_from(*address).ok()?)));
            }
            _ => return None,
        }
    }
    Some(found)
}

/// A number: no zeros in front, at most 32 bytes.
fn number(bytes: &[u8]) -> Option<U256> {
    if bytes.first() == Some(&0) { None } else { U256::try_from_be_slice(bytes) }
}

/// Reads one item, and returns what follows it. Only the shortest form of each length is read.
fn item(bytes: &[u8], depth: usize) -> Option<(Item<'_>, &[u8])> {
    let (first, rest) = bytes.split_first()?;
    let first = usize::from(*first);
    if first < 0x80 {
        return Some((Item::Bytes(bytes.get(..1)?), rest));
    }
    let is_list = first >= 0xC0;
    let base = if is_list { first.checked_sub(0xC0)? } else { first.checked_sub(0x80)? };
    let (length, rest) = match base.checked_sub(55) {
        None | Some(0) => (base, rest),
        Some(size) => {
            let (digits, rest) = rest.split_at_checked(size)?;
            let length = usize::try_from(number(digits)?).ok().filter(|length| *length > 55)?;
            (length, rest)
        }
    };
    let (content, rest) = rest.split_at_checked(length)?;
    if !is_list {
        let is_shortest = !matches!(content, [one] if *one < 0x80);
        return is_shortest.then_some((Item::Bytes(content), rest));
    }
    if depth > MAX_DEPTH {
        return None;
    }
    let (mut items, mut open) = (Vec::new(), content);
    while !open.is_empty() {
        let (one, behind) = item(open, depth.saturating_add(1))?;
        items.push(one);
        open = behind;
    }
    Some((Item::List(items), rest))
}
