//! Why a call reverts, from the bytes it returns.

use super::abi;
use super::text::ToText;
use alloy_primitives::{hex, keccak256};
use alloy_sol_types::{Panic, Revert, SolError};

/// Errors without arguments that the Market router declares.
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

/// The reason in words where it is one: the text of `Error(string)`, the number of `Panic(uint256)`, the name of an error
/// that is known; otherwise the bytes in hex. `None` where there are none.
///
/// ```
/// use verified_swap::domain::revert::reason;
/// assert_eq!(reason(&[0x93, 0x5a, 0xa2, 0x37]).unwrap(), "0x935aa237");
/// ```
pub fn reason(data: &[u8]) -> Option<String> {
    let (selector, arguments) = data.split_first_chunk::<4>()?;
    let said = match *selector {
        Revert::SELECTOR => abi::text(arguments, 0),
        Panic::SELECTOR => abi::word(arguments, 0).map(|code| ["panic ", &code.text()].concat()),
        _ => {
            let known = NAMED.iter().find(|name| keccak256([name, "()"].concat()).starts_with(selector));
            known.map(|name| (*name).into())
        }
    };
    Some(said.unwrap_or_else(|| hex::encode_prefixed(data)))
}
