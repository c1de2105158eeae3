//! The calls of ERC-20 (<https://eips.ethereum.org/EIPS/eip-20>) that a trade needs, and how their answers are read.

use super::abi;
use alloy_primitives::{Address, U256};
use alloy_sol_types::{SolCall, sol};

// Only for the selectors: `abi` encodes the arguments, as it does for all other calls.
sol! {
    function approve(address spender, uint256 amount) returns (bool);
    function allowance(address owner, address spender) returns (uint256);
    function transfer(address to, uint256 amount) returns (bool);
    function balanceOf(address account) returns (uint256);
    function decimals() returns (uint8);
}

/// Calldata of `approve(spender, amount)`: the spender may then take that many raw units from the sender.
pub fn approve(spender: Address, amount: U256) -> Vec<u8> {
    abi::call(approveCall::SELECTOR, &[spender.into(), amount.into()])
}

/// The part of calldata that a wallet leaves unchanged: everything but the amount of an `approve`, which wallets let
/// their user edit. The zero amount that takes an allowance back must not be edited.
pub fn without_approved_amount(data: &[u8]) -> &[u8] {
    match data.split_at_checked(36) {
        Some((kept, amount)) if kept.starts_with(&approveCall::SELECTOR) && amount.iter().any(|byte| *byte != 0) => {
            kept
        }
        _ => data,
    }
}

/// Calldata of `allowance(owner, spender)`: how many raw units the spender may still take.
pub fn allowance(owner: Address, spender: Address) -> Vec<u8> {
    abi::call(allowanceCall::SELECTOR, &[owner.into(), spender.into()])
}

/// Calldata of `transfer(to, amount)`, in raw units.
pub fn transfer(to: Address, amount: U256) -> Vec<u8> {
    abi::call(transferCall::SELECTOR, &[to.into(), amount.into()])
}

/// Calldata of `balanceOf(account)`, in raw units.
pub fn balance_of(account: Address) -> Vec<u8> {
    abi::call(balanceOfCall::SELECTOR, &[account.into()])
}

/// Calldata of `decimals()`, which is optional in the standard: an answer that is no word is no number.
pub fn decimals() -> Vec<u8> {
    abi::call(decimalsCall::SELECTOR, &[])
}

/// The word in an answer; `None` for a shorter answer, such as the empty one of an address without code.
pub fn word(answer: &[u8]) -> Option<U256> {
    abi::word_at(answer, 0)
}

/// Whether an `approve` that did not revert succeeded: it returned `true`, or nothing (USDT and others that are older
/// than the standard).
pub fn approved(answer: &[u8]) -> bool {
    answer.is_empty() || word(answer).is_some_and(|word| word == U256::from(1))
}
