//! A transaction in the form for a wallet, simulated by `eth_call` before.

use super::account::hex_quantity;
use super::chain::Chain;
use super::reads::{Batch, Pending, Read};
use crate::host::{Host, Signal};
use alloy_primitives::{Address, U256, hex};
use verify::internal::domain::revert::reason;
use verify::internal::domain::together::{Call, Tried, pack, read};
use verify::internal::domain::transaction::Transaction;
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::{Json, JsonAt, ObjectWriter, array};

/// A contract call. It has no gas limit and no gas price: the wallet chooses both, and the service's values are not
/// passed on.
#[derive(Clone, Copy, Debug)]
pub struct Message<'a> {
    /// The account that sends it and pays for gas.
    pub from: Address,
    /// The contract that is called.
    pub to: Address,
    /// The native token sent along, in wei.
    pub value: U256,
    /// The calldata, selector first.
    pub data: &'a [u8],
}

impl<'a> Message<'a> {
    /// The message of a transaction that the wallet is asked to send.
    pub fn of(transaction: &'a Transaction) -> Message<'a> {
        let Transaction { owner, to, value, data, .. } = transaction;
        Message { from: *owner, to: *to, value: *value, data }
    }
}

impl Message<'_> {
    /// The transaction object of JSON-RPC, to which members may be added.
    fn open(&self) -> ObjectWriter {
        let mut out = ObjectWriter::object();
        out.value("from", &self.from);
        out.value("to", &self.to);
        out.bytes("data", self.data);
        out.text("value", &hex_quantity(self.value));
        out
    }

    /// The parameters of `eth_sendTransaction`. With the chain id in it, a wallet that is on another chain by now
    /// refuses. `number` is the nonce that the transaction has to have, so that only one of two with it is mined.
    pub fn params(&self, chain_id: u64, number: Option<u64>) -> String {
        let mut out = self.open();
        out.text("chainId", &hex_quantity(U256::from(chain_id)));
        if let Some(number) = number {
            out.text("nonce", &hex_quantity(U256::from(number)));
        }
        array(&[&out.close()])
    }

    /// Starts the reads of [`Message::simulate`]: an answer counts for 2 s.
    pub fn simulate_early<H: Host>(&self, chain: &Chain<'_, H>) {
        chain.put_early(self.trial().0);
    }

    /// The reads of [`Message::simulate`].
    fn trial(&self) -> (Batch, Pending<u64>) {
        let mut batch = Batch::default();
        batch.add(self.attempt());
        let count = batch.add(Read::transaction_count(&self.from).tried().or_nothing());
        (batch, count)
    }

    /// The first of them. If it reverts, that is not kept.
    pub fn attempt(&self) -> Read<Json> {
        Read::simulation(&self.open().close()).tried()
    }

    /// Runs it on the chain's latest state, without sending it. Returns how many transactions its sender has in blocks;
    /// `None` if the node does not report it.
    ///
    /// # Errors
    /// WALLET_FAILED with `reverted`, and the contract's reason in `actual`, if it would revert; else the RPC's
    /// failure.
    pub async fn simulate<H: Host>(&self, chain: &Chain<'_, H>) -> Result<Option<u64>> {
        let (batch, count) = self.trial();
        chain.ask(batch).await.map(|answers| answers.get(count).ok()).map_err(|error| {
            if !error.reverted {
                return error;
            }
            would_revert(error.actual.as_deref().unwrap_or(&error.message)).caused_by(error.cause.clone())
        })
    }
}

/// WALLET_FAILED for a call that would revert, and why.
fn would_revert(why: &str) -> Error {
    let (subject, expected) = ("it would revert: ", "one that goes through");
    let mut error = Error::at(ErrorCode::WalletFailed, subject, "transaction", expected, why);
    error.reverted = true;
    error
}

/// The compiled `tests/sandbox/contracts/accounts/Together.yul`, which documents input and output.
/// `tests/vectors/pinned.test.mjs` compares it with the compiler's output.
const TOGETHER: [u8; 172] = hex!(
    "32330360aa5760207f76657269666965642d737761703a2063616c6c7320696e206f6e652061736b005f5b368110603657505f525ff35b60"
    "348101359083813560601c836054840161100037801560955790836110006020936014860135905af1156086576054600192602092833d10"
    "607f575b0101930191019091602a565b8587526073565b825f523d5f60203e3d6020015ff35b505060546001926020926110005131875260"
    "73565b00"
);

/// Runs several calls of one account, one after the other, on the chain's latest state, without sending them. A node
/// that cannot replace the account's code proves nothing. Returns how many transactions the account has in blocks;
/// `None` if the node does not report it.
///
/// # Errors
/// WALLET_FAILED with `reverted`, and the contract's reason in `actual`, if one of them would revert; else the RPC's
/// failure.
pub async fn simulate_together<H: Host>(chain: &Chain<'_, H>, calls: &[Message<'_>]) -> Result<Option<u64>> {
    let from = calls.first().map(|call| call.from).unwrap_or_default();
    let packed = pack(calls.iter().map(|Message { to, value, data, .. }| Call { to: *to, value: *value, data }));
    let message = Message { from, to: from, value: U256::ZERO, data: &packed };
    let mut batch = Batch::default();
    let tried = batch.add(Read::simulation_with_code(&message.open().close(), &[from], &TOGETHER));
    let count = batch.add(Read::transaction_count(&from).or_nothing());
    let answers = chain.ask(batch).await?;
    let tried = answers.get(tried).ok().and_then(|answer| JsonAt::input(&answer, "simulation").bytes().ok());
    if let Tried::Stopped(_, why) = tried.as_deref().map_or(Tried::Untried, |answer| read(answer, calls.len())) {
        return Err(would_revert(reason(why).as_deref().unwrap_or("no reason")));
    }
    Ok(answers.get(count).ok())
}

/// Runs `calls`, as [`pack`] writes them, from `owner`, with the same code in the place of the receiver. Returns its
/// answer, and the code that the owner has; `None` without an answer.
///
/// # Errors
/// ABORTED.
pub async fn try_outcome<H: Host>(
    chain: &Chain<'_, H>,
    (owner, receiver): (Address, Address),
    calls: &[u8],
) -> Result<[Option<Vec<u8>>; 2]> {
    let message = Message { from: owner, to: owner, value: U256::ZERO, data: calls };
    let accounts = if owner == receiver { vec![owner] } else { vec![owner, receiver] };
    let mut batch = Batch::default();
    let tried = batch.add(Read::simulation_with_code(&message.open().close(), &accounts, &TOGETHER));
    let code = batch.add(Read::code_if_any(&owner));
    let answers = chain.ask(batch).await;
    if chain.signal.is_aborted() {
        return Err(Error::aborted());
    }
    let Ok(answers) = answers else { return Ok([None, None]) };
    let tried = answers.get(tried).ok().and_then(|answer| JsonAt::input(&answer, "simulation").bytes().ok());
    Ok([tried, answers.get(code).ok().flatten()])
}
