//! A transaction that somebody is to send, or has sent.

use super::chain::Protocol;
use super::input::{MAX_EXACT, chain_id, optional};
use super::text::ToText;
use crate::error::Result;
use crate::json::{Json, JsonAt, ObjectWriter};
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
    /// The tokens it takes from the owner; none where it takes only the native token.
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
    /// The token, never the native one.
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

/// A transaction that a wallet sent.
#[derive(Clone, Debug)]
pub struct Sent {
    /// The chain.
    pub chain_id: u64,
    /// Who sent it.
    pub from: Address,
    /// Its hash.
    pub hash: B256,
    /// The sender's transaction number, once it could be read.
    pub nonce: Option<u64>,
    /// `PENDING`, `COMPLETED`, `FAILED`, `REPLACED`, `DROPPED`.
    pub status: &'static str,
    /// Where it was mined.
    pub block_number: Option<u64>,
}

impl Sent {
    /// One that was just sent.
    pub fn new(chain_id: u64, from: Address, hash: B256) -> Sent {
        Sent { chain_id, from, hash, nonce: None, status: "PENDING", block_number: None }
    }

    /// Reads a `SentTransaction` that the application passed back. What became of it is read on the chain.
    ///
    /// # Errors
    /// INVALID_INPUT with the member.
    pub fn read(at: &JsonAt<'_>) -> Result<Sent> {
        let (chain_id, from) = (chain_id(&at.get("chainId"))?, at.get("from").address()?);
        let nonce = optional(&at.get("nonce"), |at| at.integer(MAX_EXACT))?;
        Ok(Sent { nonce, ..Sent::new(chain_id, from, at.get("hash").fixed::<32>()?.into()) })
    }

    /// As JavaScript sees it.
    pub fn json(&self) -> Json {
        let text = |text: &dyn ToText| Json::String(text.text());
        let number = |number: Option<u64>| number.map_or(Json::Null, |number| Json::Number(number.text()));
        let members = [
            ("kind", text(&"sent")),
            ("chainId", number(Some(self.chain_id))),
            ("from", text(&self.from)),
            ("hash", text(&self.hash)),
            ("status", text(&self.status)),
            ("nonce", number(self.nonce)),
            ("blockNumber", number(self.block_number)),
        ];
        Json::Object(members.map(|(name, value)| (name.into(), value)).into())
    }
}
