//! The calls of ERC-20 that a trade needs.

use super::abi;
use alloy_primitives::{Address, U256};

/// Calldata of `approve(spender, amount)`.
pub fn approve(spender: Address, amount: U256) -> Vec<u8> {
    abi::call([0x09, 0x5e, 0xa7, 0xb3], &[spender.into(), amount.into()])
}

/// Calldata of `allowance(owner, spender)`.
pub fn allowance(owner: Address, spender: Address) -> Vec<u8> {
    abi::call([0xdd, 0x62, 0xed, 0x3e], &[owner.into(), spender.into()])
}

/// Calldata of `balanceOf(account)`.
pub fn balance_of(account: Address) -> Vec<u8> {
    abi::call([0x70, 0xa0, 0x82, 0x31], &[account.into()])
}

/// Calldata of `decimals()`.
pub fn decimals() -> Vec<u8> {
    abi::call([0x31, 0x3c, 0xe5, 0x67], &[])
}

/// The one word a read answers with; `None` for anything else, as from an address without code.
pub fn word(answer: &[u8]) -> Option<U256> {
    abi::word(answer, 0)
}

/// Whether an `approve` that did not revert succeeded: nothing returned (tokens like USDT), or `true`.
pub fn approved(answer: &[u8]) -> bool {
    answer.is_empty() || word(answer).is_some_and(|word| word == U256::from(1))
}
