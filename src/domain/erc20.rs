//! The calls of ERC-20 that a trade needs.

use super::abi;
use alloy_primitives::{Address, U256};
use alloy_sol_types::{SolCall, sol};

// Their selectors; encoding them is the table-driven writer's affair, which all other calls go through, too.
sol! {
    function approve(address spender, uint256 amount) returns (bool);
    function allowance(address owner, address spender) returns (uint256);
    function balanceOf(address account) returns (uint256);
    function decimals() returns (uint8);
}

/// Calldata of `approve(spender, amount)`.
pub fn approve(spender: Address, amount: U256) -> Vec<u8> {
    abi::call(approveCall::SELECTOR, &[spender.into(), amount.into()])
}

/// Calldata of `allowance(owner, spender)`.
pub fn allowance(owner: Address, spender: Address) -> Vec<u8> {
    abi::call(allowanceCall::SELECTOR, &[owner.into(), spender.into()])
}

/// Calldata of `balanceOf(account)`.
pub fn balance_of(account: Address) -> Vec<u8> {
    abi::call(balanceOfCall::SELECTOR, &[account.into()])
}

/// Calldata of `decimals()`.
pub fn decimals() -> Vec<u8> {
    abi::call(decimalsCall::SELECTOR, &[])
}

/// The one word a read answers with; `None` for anything else, as from an address without code.
pub fn word(answer: &[u8]) -> Option<U256> {
    abi::word(answer, 0)
}

/// Whether an `approve` that did not revert succeeded: nothing returned (tokens like USDT), or `true`.
pub fn approved(answer: &[u8]) -> bool {
    answer.is_empty() || word(answer).is_some_and(|word| word == U256::from(1))
}
