//! The keeper of an allowance: the token, or Permit2.

use alloy_primitives::{Address, U256};
use verify::internal::domain::abi::word_at;
use verify::internal::domain::erc20;
use verify::internal::domain::input::one_of;
use verify::internal::domain::permit::{PERMIT2, calls};
use verify::internal::error::Result;
use verify::internal::json::JsonAt;

/// The keeper of an allowance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AllowanceHolder {
    /// The token itself.
    Token,
    /// Permit2, which the token was approved for; it lets others take the token until a time.
    Permit2,
}

impl AllowanceHolder {
    /// Both keepers with their names in JavaScript.
    pub const ALL: [(AllowanceHolder, &str); 2] =
        [(AllowanceHolder::Token, "erc20"), (AllowanceHolder::Permit2, "permit2")];

    /// Its name in JavaScript.
    pub fn label(self) -> &'static str {
        AllowanceHolder::ALL.iter().find(|(holder, _)| *holder == self).map_or("", |(_, label)| label)
    }

    /// Reads a keeper by its name in JavaScript.
    ///
    /// # Errors
    /// INVALID_INPUT for any other text.
    pub fn read(at: &JsonAt<'_>) -> Result<AllowanceHolder> {
        one_of(at, &AllowanceHolder::ALL, "erc20 or permit2")
    }

    /// The contract that keeps allowances of a token.
    pub fn contract(self, token: Address) -> Address {
        if self == AllowanceHolder::Token { token } else { PERMIT2 }
    }

    /// Calldata that asks [`AllowanceHolder::contract`] how much of `owner`'s tokens `spender` may take.
    pub fn question(self, token: Address, owner: Address, spender: Address) -> Vec<u8> {
        match self {
            AllowanceHolder::Token => erc20::allowance(owner, spender),
            AllowanceHolder::Permit2 => calls::allowance(owner, token, spender),
        }
    }

    /// The amount that may be taken according to `answer`, and until when (unix seconds; `None` for ever). The amount
    /// is zero if the answer cannot be read or the allowance ended before `now`.
    pub fn amount(self, answer: &[u8], now: u64) -> (U256, Option<u64>) {
        let amount = word_at(answer, 0).unwrap_or_default();
        if self == AllowanceHolder::Token {
            return (amount, None);
        }
        let until = word_at(answer, 32).and_then(|until| u64::try_from(until).ok()).unwrap_or_default();
        (if until < now { U256::ZERO } else { amount }, Some(until))
    }

    /// Whether wallets approve this amount as unlimited. Most tokens count it down, some have only 96 bits for it.
    pub fn is_unlimited(self, amount: U256) -> bool {
        match self {
            AllowanceHolder::Token => amount.bit_len() == 256 || amount == U256::MAX.wrapping_shr(160),
            AllowanceHolder::Permit2 => amount == U256::MAX.wrapping_shr(96),
        }
    }
}
