//! A transaction for the owner's wallet to send, and one that it has sent.
//!
//! One type for every use: Market trades, OTC fills, cancellations and withdrawals. The reads of the chain before the
//! prompt (balance, allowance, decimals) follow from its members alone.

use super::chain::Protocol;
use super::delta::status::{TERMINAL, TERMINAL_SENT};
use super::erc20::without_approved_amount;
use super::input::{MAX_EXACT, chain_id, optional};
use super::intent::Token;
use super::permit::PermitUse;
use crate::error::{Error, ErrorCode, Result};
use crate::json::{Json, JsonAt, ObjectWriter};
use crate::value::text::ToText;
use alloy_primitives::{Address, B256, U256};

/// A verified transaction, ready for the wallet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transaction {
    /// The chain of the transaction.
    pub chain_id: u64,
    /// The account that sends and pays.
    pub owner: Address,
    /// The contract that is called. It is also the spender of the tokens in `pays`.
    pub to: Address,
    /// The native token sent along, in wei.
    pub value: U256,
    /// The calldata, selector first.
    pub data: Vec<u8>,
    /// The tokens that it takes from the owner; `None` if it takes none, or only the native token.
    pub pays: Option<Payment>,
    /// The decimals that the caller stated, which are compared with the chain before the prompt.
    pub decimals: Vec<StatedDecimals>,
}

/// A token with the decimals that the caller stated for it, and their path in the input.
pub type StatedDecimals = (Token, String);

/// Tokens that a transaction takes from its owner, by allowance or permit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Payment {
    /// The protocol whose contract takes them.
    pub protocol: Protocol,
    /// The token; never the native one.
    pub token: Address,
    /// The most that it takes, raw units.
    pub amount: U256,
    /// The permit in the order or the calldata; with it no allowance is needed.
    pub permit: Option<PermitUse>,
}

impl Transaction {
    /// The transaction as JSON text, with the members that wallets and libraries expect.
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

/// A transaction as it was passed to the wallet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentCall {
    /// The account that sent it.
    pub from: Address,
    /// The contract that is called.
    pub to: Address,
    /// The native token sent along, in wei.
    pub value: U256,
    /// The calldata, selector first.
    pub data: Vec<u8>,
}

impl SentCall {
    /// Reads the text of [`Transaction::write`].
    ///
    /// # Errors
    /// INVALID_INPUT with the member.
    pub fn read(at: &JsonAt<'_>) -> Result<SentCall> {
        Ok(SentCall {
            from: at.get("from").address()?,
            to: at.get("to").address()?,
            value: at.get("value").uint()?,
            data: at.get("data").bytes()?,
        })
    }

    /// Whether a transaction, as a node describes it, calls the same contract, from any account.
    pub fn is_to(&self, transaction: &Json) -> bool {
        JsonAt::input(transaction, "transaction").get("to").address().is_ok_and(|to| to == self.to)
    }

    /// Whether a transaction, as a node describes it, is the requested one. Wallets append bytes to the calldata, which
    /// earn them a fee; the approved amount is the user's choice.
    pub fn is(&self, transaction: &Json) -> bool {
        let at = JsonAt::input(transaction, "transaction");
        at.get("from").address().is_ok_and(|from| from == self.from)
            && self.is_to(transaction)
            && at.get("input").bytes().is_ok_and(|data| data.starts_with(without_approved_amount(&self.data)))
    }
}

/// The description of a transaction with the status `FOREIGN`.
pub const NOT_ASKED_FOR: &str = "of another account, or not what was asked for: look into the wallet";

/// A transaction that a wallet has sent, and its outcome: JavaScript's `SentTransaction`.
#[derive(Clone, Debug)]
pub struct Sent {
    /// The chain on which it was sent.
    pub chain_id: u64,
    /// The account that sent it.
    pub from: Address,
    /// Its hash, as the wallet returned it; for calls that were sent together, the last transaction's, `None` while
    /// there is none.
    pub hash: Option<B256>,
    /// The wallet's id of calls that were sent together (EIP-5792, <https://eips.ethereum.org/EIPS/eip-5792>).
    pub batch: Option<String>,
    /// The sender's nonce in it, once a node reported it. Another transaction with this nonce replaces it.
    pub nonce: Option<u64>,
    /// `PENDING`, `COMPLETED`, `FAILED`, `REPLACED`, `DROPPED`, `FOREIGN`, and for calls that were sent together
    /// `PARTIAL`.
    pub status: &'static str,
    /// The number of its block, once there is one.
    pub block_number: Option<u64>,
    /// How many earlier nonces of the sender are in no block yet, if there are any: they go first.
    pub waits_for: Option<u64>,
}

impl Sent {
    /// A transaction that was just sent: `PENDING`, nothing else known.
    pub fn new(chain_id: u64, from: Address, hash: B256) -> Sent {
        let (hash, status) = (Some(hash), "PENDING");
        Sent { chain_id, from, hash, batch: None, nonce: None, status, block_number: None, waits_for: None }
    }

    /// Calls that were sent together, under the wallet's id.
    pub fn batch(chain_id: u64, from: Address, id: String) -> Sent {
        Sent { hash: None, batch: Some(id), ..Sent::new(chain_id, from, B256::ZERO) }
    }

    /// The status of an ended entry of the journal: `COMPLETED`, `FAILED`, and so on.
    pub fn status_named(text: Option<&str>) -> &'static str {
        let known = TERMINAL.iter().chain(&TERMINAL_SENT).find(|known| Some(**known) == text);
        known.copied().unwrap_or("PENDING")
    }

    /// Its name in messages: its hash, else the wallet's id.
    pub fn name(&self) -> String {
        let hash = self.hash.map(|hash| hash.text());
        hash.or(self.batch.clone()).unwrap_or_default()
    }

    /// WALLET_FAILED for a transaction with the status `FOREIGN`.
    pub fn not_asked_for(&self) -> Error {
        Error::new(ErrorCode::WalletFailed, &["the transaction ", &self.name(), " is ", NOT_ASKED_FOR].concat())
    }

    /// Reads a `SentTransaction` that the application passed back. Its status and block are ignored: they are read from
    /// the chain again.
    ///
    /// # Errors
    /// INVALID_INPUT with the member that is missing or malformed.
    pub fn read(at: &JsonAt<'_>) -> Result<Sent> {
        let (chain_id, from) = (chain_id(&at.get("chainId"))?, at.get("from").address()?);
        let nonce = optional(&at.get("nonce"), |at| at.integer(MAX_EXACT))?;
        if let Some(id) = optional(&at.get("batch"), |at| at.text())? {
            let hash = optional(&at.get("hash"), |at| at.fixed::<32>())?.map(B256::from);
            return Ok(Sent { hash, ..Sent::batch(chain_id, from, id.into()) });
        }
        Ok(Sent { nonce, ..Sent::new(chain_id, from, at.get("hash").fixed::<32>()?.into()) })
    }

    /// The transaction as JavaScript's `SentTransaction`.
    pub fn json(&self) -> Json {
        let text = |text: &dyn ToText| Json::String(text.text());
        let number = |number: Option<u64>| number.map_or(Json::Null, |number| Json::Number(number.text()));
        let members = [
            ("kind", text(&"sent")),
            ("chainId", number(Some(self.chain_id))),
            ("from", text(&self.from)),
            ("hash", self.hash.as_ref().map_or(Json::Null, |hash| text(hash))),
            ("batch", self.batch.as_ref().map_or(Json::Null, |id| text(id))),
            ("status", text(&self.status)),
            ("nonce", number(self.nonce)),
            ("blockNumber", number(self.block_number)),
        ];
        let waits = self.waits_for.map(|count| ("waitsFor", number(Some(count))));
        Json::Object(members.into_iter().chain(waits).map(|(name, value)| (name.into(), value)).collect())
    }
}
