//! Raw transactions, signed or not: RLP (Ethereum's recursive length prefix), legacy and of the types 1, 2 and 4
//! (EIP-2718, <https://eips.ethereum.org/EIPS/eip-2718>).

use alloy_primitives::{Address, U256, keccak256};
use verify::internal::domain::signature::{compact, recover};

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
    /// The delegations of type 4: (chain, delegate, the account that signed it).
    pub delegations: Vec<(U256, Address, Option<Address>)>,
    /// The signer of a signed one; `Some(None)` if no key can have signed it.
    pub signer: Option<Option<Address>>,
}

/// Reads a raw transaction; `None` if it is none of these types to the letter.
pub fn read(bytes: &[u8]) -> Option<Raw<'_>> {
    let (kind, body) = match bytes.split_first()? {
        (kind @ (1 | 2 | 4), rest) => (*kind, rest),
        _ => (0, bytes),
    };
    let (true, content, []) = head(body)? else { return None };
    let (items, ends) = list(content, 0)?;
    let count = items.len();
    // Where `to` stands, and how many members an unsigned transaction has.
    let (at, unsigned): (usize, usize) = match kind {
        0 => (3, 6),
        1 => (4, 8),
        2 => (5, 9),
        _ => (5, 10),
    };
    let has_signature = count == unsigned.checked_add(3)?;
    if count != unsigned && !has_signature {
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
    // Unsigned a legacy one has its chain, with two zeros behind it; signed it has `v` (EIP-155).
    let is_signed = has_signature && (kind != 0 || number(7) != Some(U256::ZERO));
    let chain_id = match (kind, number(6)) {
        (0, Some(v)) if is_signed => Some(v.saturating_sub(U256::from(35)).wrapping_shr(1)),
        (0, id) => id,
        _ => Some(number(0)?),
    };
    let chain_id = chain_id.filter(|id| !id.is_zero());
    let signer = || {
        let [v, r, s] = [0, 1, 2].map(|more| number(unsigned.checked_add(more)?));
        let is_odd = match kind {
            0 if chain_id.is_some() => !v?.bit(0),
            0 => v?.checked_sub(U256::from(27))?.bit(0),
            _ => v?.bit(0),
        };
        let mut signed = content.get(..*ends.get(unsigned.checked_sub(1)?)?)?.to_vec();
        if let Some(id) = chain_id.filter(|_| kind == 0) {
            write(&mut signed, 0x80, &id.to_be_bytes_trimmed_vec());
            signed.extend([0x80, 0x80]);
        }
        recovered(kind, &signed, is_odd, [r?, s?])
    };
    Some(Raw {
        signer: is_signed.then(signer),
        chain_id,
        to: if to.is_empty() { None } else { Some(Address::from(<[u8; 20]>::try_from(to).ok()?)) },
        value: number(at.checked_add(1)?)?,
        data: bytes(at.checked_add(2)?)?,
        gas,
        delegations: if kind == 4 { delegations(items.get(9)?)? } else { vec![] },
    })
}

/// The account whose key signed a list of that content behind its type.
fn recovered(kind: u8, content: &[u8], is_odd: bool, [r, s]: [U256; 2]) -> Option<Address> {
    let mut whole = if kind == 0 { vec![] } else { vec![kind] };
    write(&mut whole, 0xC0, content);
    let signature = [&r.to_be_bytes::<32>()[..], &s.to_be_bytes::<32>(), &[is_odd.into()]].concat();
    recover(&compact(&signature).ok()?, keccak256(whole)).ok()
}

fn delegations(item: &Item<'_>) -> Option<Vec<(U256, Address, Option<Address>)>> {
    let Item::List(all) = item else { return None };
    let mut found = Vec::new();
    for one in all {
        let Item::List(members) = one else { return None };
        match members.as_slice() {
            [Item::Bytes(chain), Item::Bytes(address), Item::Bytes(nonce), rest @ ..] => {
                let signer = match rest {
                    [Item::Bytes(odd), Item::Bytes(r), Item::Bytes(s)] => {
                        let mut signed = Vec::new();
                        for part in [chain, address, nonce] {
                            write(&mut signed, 0x80, part);
                        }
                        // This byte comes before what is signed (EIP-7702).
                        recovered(5, &signed, number(odd)?.bit(0), [number(r)?, number(s)?])
                    }
                    _ => None,
                };
                found.push((number(chain)?, Address::from(<[u8; 20]>::try_from(*address).ok()?), signer));
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

/// Appends an item of bytes (`base` 0x80) or a list (0xC0) by its content.
fn write(out: &mut Vec<u8>, base: u8, content: &[u8]) {
    match (base, content) {
        (0x80, [one]) if *one < 0x80 => {}
        _ if content.len() <= 55 => {
            out.push(base.saturating_add(u8::try_from(content.len()).unwrap_or_default()));
        }
        _ => {
            let length = U256::from(content.len()).to_be_bytes_trimmed_vec();
            out.push(base.saturating_add(55).saturating_add(u8::try_from(length.len()).unwrap_or_default()));
            out.extend(length);
        }
    }
    out.extend(content);
}

/// Whether an item is a list, its content, and what follows it. Only the shortest form of each length is read.
fn head(bytes: &[u8]) -> Option<(bool, &[u8], &[u8])> {
    let (first, rest) = bytes.split_first()?;
    let first = usize::from(*first);
    if first < 0x80 {
        return Some((false, bytes.get(..1)?, rest));
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
    let is_shortest = is_list || !matches!(content, [one] if *one < 0x80);
    is_shortest.then_some((is_list, content, rest))
}

/// The items of a list, and where each ends in its content.
fn list(content: &[u8], depth: usize) -> Option<(Vec<Item<'_>>, Vec<usize>)> {
    if depth > MAX_DEPTH {
        return None;
    }
    let (mut items, mut ends, mut open) = (Vec::new(), Vec::new(), content);
    while !open.is_empty() {
        let (is_list, inner, behind) = head(open)?;
        items.push(if is_list { Item::List(list(inner, depth.saturating_add(1))?.0) } else { Item::Bytes(inner) });
        ends.push(content.len().saturating_sub(behind.len()));
        open = behind;
    }
    Some((items, ends))
}
