//! The calls of ERC-20 that a trade needs.

use alloy_primitives::{Address, U256};
use alloy_sol_types::{SolCall, sol};

sol! {
    function approve(address spender, uint256 amount) returns (bool);
    function allowance(address owner, address spender) returns (uint256);
    function balanceOf(address account) returns (uint256);
    function decimals() returns (uint8);
}

/// Calldata of `approve(spender, amount)`.
pub fn approve(spender: Address, amount: U256) -> Vec<u8> {
    approveCall { spender, amount }.abi_encode()
}

/// Calldata of `allowance(owner, spender)`.
pub fn allowance(owner: Address, spender: Address) -> Vec<u8> {
    allowanceCall { owner, spender }.abi_encode()
}

/// Calldata of `balanceOf(account)`.
pub fn balance_of(account: Address) -> Vec<u8> {
    balanceOfCall { account }.abi_encode()
}

/// Calldata of `decimals()`.
pub fn decimals() -> Vec<u8> {
    decimalsCall {}.abi_encode()
}

/// The one word a read answers with; `None` for anything else, as from an address without code.
pub fn word(answer: &[u8]) -> Option<U256> {
    answer.get(..32).and_then(U256::try_from_be_slice)
}

/// Whether an `approve` that did not revert succeeded: nothing returned (tokens like USDT), or `true`.
pub fn approved(answer: &[u8]) -> bool {
    answer.is_empty() || word(answer).is_some_and(|word| word == U256::from(1))
}
