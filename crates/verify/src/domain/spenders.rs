//! Contracts that took users' tokens by allowance, and that the service's operator no longer uses. An allowance
//! outlives its contract's use: a token approved years ago can still be taken by an attacker who finds a fault in it,
//! as happened to version 6.0 of the router.
//!
//! Each address stands in at least two public sources. docs/spenders.md names them, and explains the omissions;
//! `tests/vectors/spenders.test.mjs` compares table and page. A wrong address could have a user take back another
//! contract's allowance; it could not let anyone take tokens.

use alloy_primitives::{Address, address};

/// The chains that had a router of version 5 and 6 before today's, except [`BASE`].
const SHARED: [u64; 6] = [1, 10, 56, 137, 42161, 43114];
/// The chain on which version 5 has other addresses than elsewhere.
const BASE: u64 = 8453;

/// The operator's old contracts: address, name, whether the chains of [`SHARED`] have it, another chain that has it (0
/// for none). Version 5 took tokens through its proxy; approvals of the router itself were mistakes.
const OLD: [(Address, &str, bool, u64); 7] = [
    (address!("0x000dB803A70511E09dA650D4C0506d0000100000"), "Augustus v6.1", true, BASE),
    (address!("0x00000000FdAC7708D0D360BDDc1bc7d097F47439"), "Augustus v6.0", true, BASE),
    (address!("0x216B4B4Ba9F3e719726886d34a177484278Bfcae"), "proxy of Augustus v5", true, 0),
    (address!("0x93aAAe79a53759cD164340E4C8766E4Db5331cD7"), "proxy of Augustus v5", false, BASE),
    (address!("0xDEF171Fe48CF0115B1d80b88dc8eAB59176FEe57"), "Augustus v5", true, 0),
    (address!("0x59C7C832e96D2568bea6db468C1aAdcbbDa08A52"), "Augustus v5", false, BASE),
    (address!("0xb70Bc06D2c9Bf03b3373799606dc7d39346c06B3"), "proxy of Augustus v4", false, 1),
];

/// The old contracts of a chain, the newest first, each with its name.
///
/// ```
/// use verified_swap_verify::internal::domain::spenders::old;
/// let names = |chain_id| old(chain_id).map(|(_, name)| name).collect::<Vec<_>>();
/// assert_eq!(names(10), ["Augustus v6.1", "Augustus v6.0", "proxy of Augustus v5", "Augustus v5"]);
/// assert_eq!(names(8453), names(10));
/// assert_eq!(names(1).last(), Some(&"proxy of Augustus v4"));
/// assert!(names(100).is_empty());
/// ```
pub fn old(chain_id: u64) -> impl Iterator<Item = (Address, &'static str)> {
    let shared = SHARED.contains(&chain_id);
    let here = OLD.iter().filter(move |(_, _, is_shared, other)| (*is_shared && shared) || *other == chain_id);
    here.map(|(address, name, ..)| (*address, *name))
}
