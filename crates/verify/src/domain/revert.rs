//! The reason of a reverted call, from its return data. Shown, never decided by: a contract returns what it likes.

use super::abi;
use crate::value::text::ToText;
use alloy_primitives::{hex, keccak256};
use alloy_sol_types::{Panic, Revert, SolError};

/// Errors by their signatures, a space between two: those that the Market router declares, then those of permits, by
/// tokens (<https://docs.openzeppelin.com/contracts/5.x/api/token/erc20#ERC20Permit>, Solady) and by Permit2
/// (<https://github.com/Uniswap/permit2>).
const NAMED: &str = "CallbackTransferFailed() ContractPaused() IncorrectEthAmount() InsufficientBalanceToPayFees() \
    InsufficientReturnAmount() InvalidCaller() InvalidOrdersLength() InvalidQuotedAmount() InvalidSelector() \
    InvalidToAmount() Permit2Failed() UnauthorizedUser() TokenTransferFailed(address) PermitFailed() \
    ERC2612ExpiredSignature(uint256) ERC2612InvalidSigner(address,address) InvalidAccountNonce(address,uint256) \
    ECDSAInvalidSignature() InvalidPermit() PermitExpired() AllowanceExpired(uint256) InsufficientAllowance(uint256) \
    InvalidAmount(uint256) InvalidContractSignature() InvalidNonce() InvalidSignature() InvalidSigner() \
    SignatureExpired(uint256)";

/// The reason of a revert: the text of `Error(string)`, the code of `Panic(uint256)`, the name of a known error of
/// router, token or Permit2, or else the bytes in hex. `None` if fewer than four bytes were returned.
///
/// ```
/// use verified_swap_verify::internal::domain::revert::reason;
/// assert_eq!(reason(&[0x93, 0x5a, 0xa2, 0x37]).unwrap(), "0x935aa237");
/// // With its arguments, whatever they are.
/// assert_eq!(reason(&[0x4b, 0x80, 0x0e, 0x46, 0, 0]).unwrap(), "ERC2612InvalidSigner");
/// assert_eq!(reason(&[0xcd, 0x21, 0xdb, 0x4f]).unwrap(), "SignatureExpired");
/// ```
pub fn reason(data: &[u8]) -> Option<String> {
    let (selector, arguments) = data.split_first_chunk::<4>()?;
    let said = match *selector {
        Revert::SELECTOR => abi::string_at(arguments, 0),
        Panic::SELECTOR => abi::word_at(arguments, 0).map(|code| ["panic ", &code.text()].concat()),
        _ => {
            let known = NAMED.split(' ').find(|signature| keccak256(signature).starts_with(selector));
            known.and_then(|signature| signature.split('(').next()).map(String::from)
        }
    };
    Some(said.unwrap_or_else(|| hex::encode_prefixed(data)))
}
