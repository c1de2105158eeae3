//! Contracts that accounts with a key delegate to (EIP-7702, <https://eips.ethereum.org/EIPS/eip-7702>), by name.
//!
//! A name identifies the contract, and does not mean that it is safe. Each address stands in at least two public
//! sources, which docs/wallets.md names.

use crate::domain::verify::{Checks, Verdict};
use crate::value::text::Concat;
use alloy_primitives::{Address, address};

/// The known delegates, each with its name.
const DELEGATES: [(Address, &str); 6] = [
    (address!("0x000000009B1D0aF20D8C6d0A44e162d11F9b8f00"), "Uniswap Calibur"),
    (address!("0x4Cd241E8d1510e30b2076397afc7508Ae59C66c9"), "Simple7702Account of eth-infinitism"),
    (address!("0x5A7FC11397E9a8AD41BF10bf13F22B0a63f96f6d"), "AmbireAccount7702"),
    (address!("0x63c0c19a282a1B52b07dD5a65b58948A07DAE32B"), "MetaMask EIP7702StatelessDeleGator"),
    (address!("0x69007702764179f14F51cdce752f4f775d74E139"), "Alchemy Modular Account"),
    (address!("0x7702cb554e6bFb442cb743A7dF23154544a7176C"), "Coinbase EIP7702Proxy"),
];

/// The first bytes of the code of a delegating account (EIP-7702); the delegate's address follows.
const PREFIX: [u8; 3] = [0xef, 0x01, 0x00];

/// The delegate that an account's code names; `None` if it is no delegation.
///
/// ```
/// use verified_swap_verify::internal::domain::delegates::delegate;
/// let code = [&[0xef, 1, 0][..], &[7; 20]].concat();
/// assert_eq!(delegate(&code).unwrap(), [7; 20]);
/// assert!([&code[..22], &code[1..], &[], &[&code[..], &[0]].concat()].iter().all(|code| delegate(code).is_none()));
/// ```
pub fn delegate(code: &[u8]) -> Option<Address> {
    let address = code.strip_prefix(&PREFIX)?;
    <[u8; 20]>::try_from(address).ok().map(Address::from)
}

/// Notes in `field` what code an account has; `None` if it was not read.
pub fn note_code(checks: &mut Checks, field: &str, code: Option<&[u8]>) {
    let expected = "none, or a known delegate's";
    let Some(code) = code else { return checks.note(field, &expected, &"not read", Verdict::Unknown) };
    let Some(found) = delegate(code) else {
        return match code.is_empty() {
            true => checks.note(field, &expected, &"none", Verdict::Ok),
            false => checks.note(field, &expected, &"a contract's", Verdict::Opaque),
        };
    };
    match DELEGATES.iter().find(|(address, _)| *address == found) {
        Some((_, name)) => checks.note(field, &expected, &Concat(&[&"of ", name, &" ", &found]), Verdict::Ok),
        None => checks.note(field, &expected, &Concat(&[&"of ", &found, &", which no table has"]), Verdict::Opaque),
    }
}
