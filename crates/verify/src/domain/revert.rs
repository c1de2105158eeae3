//! The reason of a reverted call, from its return data. Shown, never decided by: a contract returns what it likes.

use super::abi;
use crate::value::text::ToText;
use alloy_primitives::{hex, keccak256};
use alloy_sol_types::{Panic, Revert, SolError};

/// Errors without arguments that the Market router declares, by name.
const NAMED: [&str; 12] = [
    "CallbackTransferFailed",
    "ContractPaused",
    "IncorrectEthAmount",
    "InsufficientBalanceToPayFees",
    "InsufficientReturnAmount",
    "InvalidCaller",
    "InvalidOrdersLength",
    "InvalidQuotedAmount",
    "InvalidSelector",
    "InvalidToAmount",
    "Permit2Failed",
    "UnauthorizedUser",
];

/// The reason of a revert: the text of `Error(string)`, the code of `Panic(uint256)`, the name of a known error of the
/// router, or else the bytes in hex. `None` if fewer than four bytes were returned.
///
/// ```
/// use verified_swap_verify::internal::domain::revert::reason;
/// assert_eq!(reason(&[0x93, 0x5a, 0xa2, 0x37]).unwrap(), "0x935aa237");
/// ```
pub fn reason(data: &[u8]) -> Option<String> {
    let (selector, arguments) = data.split_first_chunk::<4>()?;
    let said = match *selector {
        Revert::SELECTOR => abi::string_at(arguments, 0),
        Panic::SELECTOR => abi::word_at(arguments, 0).map(|code| ["panic ", &code.text()].concat()),
        _ => {
            let known = NAMED.iter().find(|name| keccak256([name, "()"].concat()).starts_with(selector));
            known.map(|name| (*name).into())
        }
    };
    Some(said.unwrap_or_else(|| hex::encode_prefixed(data)))
}
