//! A transaction that somebody is to send.

use super::chain::Protocol;
use crate::json::ObjectWriter;
use alloy_primitives::{Address, B256, U256};

/// A transaction that says what was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transaction {
    /// The chain.
    pub chain_id: u64,
    /// Who sends it.
    pub owner: Address,
    /// The contract that is called; the spender of what is paid, too.
    pub to: Address,
    /// Wei.
    pub value: U256,
    /// Calldata.
    pub data: Vec<u8>,
    /// The tokens it takes from the owner; none where it takes only coins.
    pub pays: Option<Payment>,
    /// Decimals that the caller stated.
    pub decimals: Vec<StatedDecimals>,
}

/// Decimals that a caller stated of a token, and the input they stand in: held against the token's own.
pub type StatedDecimals = (Address, u8, String);

/// Tokens that a contract takes from their owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Payment {
    /// Whose contract takes them.
    pub path: Protocol,
    /// The token, never the native coin.
    pub token: Address,
    /// The most that is taken, raw units.
    pub amount: U256,
    /// The hash of the permit that goes along, where there is one: then no allowance is needed.
    pub permit: Option<B256>,
}

impl Transaction {
    /// As JavaScript sees it.
    pub fn write(&self) -> String {
        let mut out = ObjectWriter::object();
        out.value("from", &self.owner);
        out.value("to", &self.to);
        out.value("value", &self.value);
        out.bytes("data", &self.data);
        out.number("chainId", self.chain_id);
        out.close()
    }
}
