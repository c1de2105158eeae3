//! Reading a chain: through the application's RPC for it, or through the wallet while it is on that chain.
//!
//! A [`Read`] is a question with the type of its answer. Several go into a [`Batch`], are asked together, and are
//! answered in the time of one. An answer of another form than was asked for is an error, never a zero.

use super::account::{await_answer, big_quantity, hex_quantity, quantity};
use crate::client::Client;
use crate::domain::erc20;
use crate::domain::text::ToText;
use crate::domain::token::is_native;
use crate::error::{Error, ErrorCode, Result};
use crate::host::{Host, Signal};
use crate::json::{Json, JsonAt, ObjectWriter, array, quoted};
use alloy_primitives::{Address, B256, U256};

/// The block parameter for the state after the latest block.
const LATEST: &str = r#""latest""#;

/// A question to a node, and how its answer is read.
#[derive(Clone, Debug)]
pub struct Read<T> {
    /// `None` if the answer is known without asking.
    request: Option<Request>,
    /// Reads the node's answer.
    answer: fn(&Json) -> Result<T>,
}

/// A JSON-RPC request.
#[derive(Clone, Debug)]
struct Request {
    method: &'static str,
    /// A JSON array.
    params: String,
    /// A revert counts as an answer of no bytes. Otherwise it is an error.
    may_revert: bool,
    /// A failure counts as the answer `null`, and no other node is asked.
    may_fail: bool,
    /// The answer never changes: it is asked for once.
    is_constant: bool,
}

impl<T> Read<T> {
    fn new(method: &'static str, params: &[&str], answer: fn(&Json) -> Result<T>) -> Read<T> {
        Read {
            request: Some(Request {
                method,
                params: array(params),
                may_revert: false,
                may_fail: false,
                is_constant: false,
            }),
            answer,
        }
    }

    /// An `eth_call` of a contract, on the state after `block`.
    fn call(contract: &Address, data: &[u8], block: &str, answer: fn(&Json) -> Result<T>) -> Read<T> {
        let mut out = ObjectWriter::object();
        out.value("to", contract);
        out.bytes("data", data);
        Read::new("eth_call", &[&out.close(), block], answer)
    }
}

impl<T> Read<T> {
    /// The same read, whose failure fails nothing else: there is then no answer to be read.
    pub fn or_nothing(mut self) -> Read<T> {
        if let Some(request) = &mut self.request {
            request.may_fail = true;
        }
        self
    }
}

impl Read<u64> {
    /// The chain's id (EIP-155), by which a node is checked to be the right one.
    pub fn chain_id() -> Read<u64> {
        Read::new("eth_chainId", &[], number)
    }

    /// The timestamp of the latest block, unix seconds: the clock that contracts compare deadlines with.
    pub fn time() -> Read<u64> {
        let timestamp = |json: &Json| json.get("timestamp").and_then(quantity).ok_or_else(|| unlike(json));
        Read::new("eth_getBlockByNumber", &[LATEST, "false"], timestamp)
    }

    /// How many bytes of code an account has: 0 for one that signs by its own key alone. One that delegates by EIP-7702
    /// (<https://eips.ethereum.org/EIPS/eip-7702>) has 23.
    pub fn code_size(account: &Address) -> Read<u64> {
        Read::new("eth_getCode", &[&quoted(&account.text()), LATEST], |json| Ok(bytes(json)?.len() as u64))
    }

    /// The number of the latest block.
    pub fn block_number() -> Read<u64> {
        Read::new("eth_blockNumber", &[], number)
    }

    /// As [`Read::transaction_count`], after the block of that number. The node needs the state of that block.
    pub fn transaction_count_at(account: &Address, block: u64) -> Read<u64> {
        Read::new("eth_getTransactionCount", &[&quoted(&account.text()), &at_block(block)], number)
    }

    /// How many transactions an account has in blocks, which is the nonce of its next one.
    pub fn transaction_count(account: &Address) -> Read<u64> {
        Read::new("eth_getTransactionCount", &[&quoted(&account.text()), LATEST], number)
    }
}

impl Read<U256> {
    /// What an account holds of a token, in raw units; in wei for the native token's placeholder.
    pub fn balance(token: &Address, account: &Address) -> Read<U256> {
        match is_native(*token) {
            true => Read::native_balance(account, LATEST),
            false => Read::word(token, &erc20::balance_of(*account)),
        }
    }

    /// Wei that an account held after the block of that number. The node needs the state of that block.
    pub fn native_balance_at(account: &Address, block: u64) -> Read<U256> {
        Read::native_balance(account, &at_block(block))
    }

    fn native_balance(account: &Address, block: &str) -> Read<U256> {
        let wei = |json: &Json| big_quantity(json).ok_or_else(|| unlike(json));
        Read::new("eth_getBalance", &[&quoted(&account.text()), block], wei)
    }

    /// Raw units of a token that `spender` may take from `owner`.
    pub fn allowance(token: &Address, owner: &Address, spender: &Address) -> Read<U256> {
        Read::word(token, &erc20::allowance(*owner, *spender))
    }

    /// A token's decimals by its own contract, asked once for each client. The native token has 18 on every chain; no
    /// node is asked.
    pub fn decimals(token: &Address) -> Read<U256> {
        let mut read = Read::word(token, &erc20::decimals());
        if is_native(*token) {
            read = Read { request: None, answer: |_| Ok(U256::from(18)) };
        }
        if let Some(request) = &mut read.request {
            request.is_constant = true;
        }
        read
    }

    /// The 32-byte word that a contract's view function returns, as a number; `data` is the calldata.
    pub fn word(contract: &Address, data: &[u8]) -> Read<U256> {
        Read::call(contract, data, LATEST, word)
    }

    /// As [`Read::word`], on the state after the block of that number.
    pub fn word_at(contract: &Address, data: &[u8], block: u64) -> Read<U256> {
        Read::call(contract, data, &at_block(block), word)
    }
}

impl Read<bool> {
    /// Whether `approve` of that amount would succeed now, sent by `owner`. Tokens such as USDT return nothing, which
    /// counts as success; they refuse to change an allowance that is not zero.
    pub fn approve(token: &Address, owner: &Address, spender: &Address, amount: &U256) -> Read<bool> {
        let mut out = ObjectWriter::object();
        out.value("from", owner);
        out.value("to", token);
        out.bytes("data", &erc20::approve(*spender, *amount));
        Read::new("eth_call", &[&out.close(), LATEST], |json| Ok(erc20::approved(&bytes(json)?)))
    }
}

impl Read<Vec<u8>> {
    /// The bytes that a contract's view function returns; none if it reverts, or if there is no contract.
    pub fn view(contract: &Address, data: &[u8]) -> Read<Vec<u8>> {
        let mut read = Read::call(contract, data, LATEST, bytes);
        if let Some(request) = &mut read.request {
            request.may_revert = true;
        }
        read
    }
}

impl Read<Json> {
    /// A transaction by its hash, as the node describes it; `null` if the node does not know it.
    pub fn transaction(hash: &B256) -> Read<Json> {
        Read::new("eth_getTransactionByHash", &[&quoted(&hash.text())], raw)
    }

    /// The transactions of the block of that number, as the node describes them; empty if there is no such block.
    pub fn block_transactions(block: u64) -> Read<Json> {
        let transactions = |json: &Json| Ok(json.get("transactions").cloned().unwrap_or(Json::Array(vec![])));
        Read::new("eth_getBlockByNumber", &[&at_block(block), "true"], transactions)
    }

    /// A transaction's receipt, as the node describes it; `null` while it is in no block.
    pub fn receipt(hash: &B256) -> Read<Json> {
        Read::new("eth_getTransactionReceipt", &[&quoted(&hash.text())], raw)
    }

    /// What a transaction would return if it were sent now. `transaction` is a transaction object, as JSON text.
    pub fn simulation(transaction: &str) -> Read<Json> {
        Read::new("eth_call", &[transaction, LATEST], raw)
    }
}

/// The block parameter for the state after the block of that number.
fn at_block(number: u64) -> String {
    quoted(&hex_quantity(U256::from(number)))
}

fn raw(json: &Json) -> Result<Json> {
    Ok(json.clone())
}

fn bytes(json: &Json) -> Result<Vec<u8>> {
    JsonAt::input(json, "answer").bytes().map_err(|_| unlike(json))
}

fn number(json: &Json) -> Result<u64> {
    quantity(json).ok_or_else(|| unlike(json))
}

fn word(json: &Json) -> Result<U256> {
    let bytes = bytes(json)?;
    // The contract's answer, not the node's: none at all comes from an address without code.
    let message = "the address does not answer as a token does: is it one, and on this chain?";
    erc20::word(&bytes).ok_or_else(|| Error::new(ErrorCode::InvalidInput, message))
}

/// Whether an answer has the form that the method's answers have.
fn is_answer_to(method: &str, json: &Json) -> bool {
    match method {
        "eth_call" | "eth_getCode" => bytes(json).is_ok(),
        "eth_getBalance" => big_quantity(json).is_some(),
        "eth_getBlockByNumber" => json.get("timestamp").and_then(quantity).is_some(),
        "eth_getTransactionByHash" | "eth_getTransactionReceipt" => matches!(json, Json::Object(_) | Json::Null),
        _ => quantity(json).is_some(),
    }
}

/// WALLET_FAILED, which is also the code for nodes that fail: the answer has another form than the question's.
fn unlike(json: &Json) -> Error {
    let message = ["the node's answer has another form than was asked for: ", &json.excerpt(80)].concat();
    Error::new(ErrorCode::WalletFailed, &message)
}

/// Reads that are asked together, by [`Chain::ask`].
#[derive(Default)]
pub struct Batch(Vec<Request>);

impl Batch {
    /// Adds a read. What is returned finds its answer in the batch's [`Answers`].
    pub fn add<T>(&mut self, read: Read<T>) -> Pending<T> {
        let place = self.0.len();
        self.0.extend(read.request);
        Pending { place, answer: read.answer }
    }

    /// Adds several reads that have answers of one type.
    pub fn add_all<T>(&mut self, reads: impl Iterator<Item = Read<T>>) -> Vec<Pending<T>> {
        let mut all = Vec::new();
        for read in reads {
            all.push(self.add(read));
        }
        all
    }
}

/// A read whose answer is still to come: its place in the batch, and how its answer is read. It belongs to that batch
/// alone.
pub struct Pending<T> {
    place: usize,
    answer: fn(&Json) -> Result<T>,
}

/// The node's answers to a batch, in the order of its reads.
pub struct Answers(Vec<Json>);

impl Answers {
    /// The answer to a read.
    ///
    /// # Errors
    /// INVALID_INPUT if a contract answered, or none was there, but not with a number; WALLET_FAILED if the node's answer
    /// has another form than the question asks for.
    pub fn get<T>(&self, read: Pending<T>) -> Result<T> {
        (read.answer)(self.0.get(read.place).unwrap_or(&Json::Null))
    }

    /// The answers to several reads, in the order in which they were added.
    ///
    /// # Errors
    /// As [`Answers::get`].
    pub fn get_all<T>(&self, reads: Vec<Pending<T>>) -> Result<Vec<T>> {
        let mut all = Vec::with_capacity(reads.len());
        for read in reads {
            all.push(self.get(read)?);
        }
        Ok(all)
    }

    /// The answer to a read that may not have been added; then `None`.
    ///
    /// # Errors
    /// As [`Answers::get`].
    pub fn get_if_asked<T>(&self, read: Option<Pending<T>>) -> Result<Option<T>> {
        read.map(|read| self.get(read)).transpose()
    }

    /// The answer to a read that may not have been added; then zero, `false` or the like.
    ///
    /// # Errors
    /// As [`Answers::get`].
    pub fn get_or_default<T: Default>(&self, read: Option<Pending<T>>) -> Result<T> {
        Ok(self.get_if_asked(read)?.unwrap_or_default())
    }
}

/// INVALID_INPUT at `rpc.<chainId>`: the application has to name another node, or one at all.
fn wrong_rpc(chain_id: u64, expected: &str, actual: &str) -> Error {
    Error::input(&["rpc.", &chain_id.text()].concat(), expected, actual)
}

/// A chain, with something that can read it.
pub struct Chain<'a, H: Host> {
    /// The client for which it is read.
    pub client: &'a Client<H>,
    /// The application's first node for the chain, else the wallet.
    first: H::Provider,
    /// The application's other nodes for it.
    others: Vec<H::Provider>,
    /// The chain's id, by which the application's nodes are checked; `None` if the wallet reads, which was checked.
    checked_by: Option<u64>,
    /// The caller's signal, which ends every read.
    pub signal: &'a H::Signal,
}

/// How many answers that never change are kept; the oldest is dropped first.
const MAX_CONSTANTS: usize = 255;
/// The pause before a node is asked once more, in milliseconds, and at most half as much more.
const PAUSE_MS: u32 = 1_000;
/// A node that took longer than that to fail is not asked again, in milliseconds: it does not work at all.
const HICCUP_MS: u64 = 5_000;

impl<'a, H: Host> Chain<'a, H> {
    /// The chain of that id; `None` if the application names no RPC for it and the wallet is on another one, or is a
    /// local account. The RPC's chain id is read once, the wallet's each time: the user may switch.
    ///
    /// # Errors
    /// INVALID_INPUT if the application's RPC is on another chain; else the failure of RPC or wallet. If there are
    /// several RPCs, one that works is enough.
    pub async fn find(client: &'a Client<H>, chain_id: u64, signal: &'a H::Signal) -> Result<Option<Chain<'a, H>>> {
        let given = client.shared.rpc.iter().filter(|(id, _)| *id == chain_id);
        let mut given = given.map(|(_, provider)| provider.clone());
        if let Some(first) = given.next() {
            let chain = Chain { client, first, others: given.collect(), checked_by: Some(chain_id), signal };
            if chain.in_use().is_none() {
                let started = client.shared.host.monotonic_ms();
                if let Err(failed) = chain.ask_at(0, None).await {
                    chain.try_others(0, None, failed, started).await?;
                }
            }
            return Ok(Some(chain));
        }
        let Some(first) = client.binding.wallet.clone().filter(|_| !client.binding.local) else { return Ok(None) };
        let chain = Chain { client, first, others: vec![], checked_by: None, signal };
        Ok((chain.read(Read::chain_id()).await? == chain_id).then_some(chain))
    }

    /// The chain of that id, for calls that cannot do without it.
    ///
    /// # Errors
    /// Those of [`Chain::find`]; INVALID_INPUT if nothing can read it.
    pub async fn need(client: &'a Client<H>, chain_id: u64, signal: &'a H::Signal) -> Result<Chain<'a, H>> {
        let found = Chain::find(client, chain_id, signal).await?;
        let expected = "a URL or provider: without one the chain cannot be read";
        found.ok_or_else(|| wrong_rpc(chain_id, expected, "nothing"))
    }

    /// Asks one read, and awaits its answer.
    ///
    /// # Errors
    /// Those of [`Chain::ask`] and [`Answers::get`].
    pub async fn read<T>(&self, what: Read<T>) -> Result<T> {
        let mut batch = Batch::default();
        let read = batch.add(what);
        self.ask(batch).await?.get(read)
    }

    /// Asks all reads of a batch at once, then awaits the answers. Where the node fails, the next one is asked, and all
    /// of them once more after a pause.
    ///
    /// # Errors
    /// The failure of the first read that failed: WALLET_FAILED with `reverted` if its call reverts, else the RPC's
    /// failure.
    pub async fn ask(&self, batch: Batch) -> Result<Answers> {
        let place = self.in_use().unwrap_or_default();
        let started = self.client.shared.host.monotonic_ms();
        let mut asked = Vec::with_capacity(batch.0.len());
        for request in batch.0 {
            let prompt = self.put(place, &request);
            asked.push((request, prompt));
        }
        let mut answers = Vec::with_capacity(asked.len());
        for (request, prompt) in asked {
            answers.push(match self.await_answer(&request, &prompt).await {
                Err(failed) if request.may_fail && failed.code != ErrorCode::Aborted => Json::Null,
                Err(failed) => self.try_others(place, Some(&request), failed, started).await?,
                Ok(answer) => answer,
            });
        }
        Ok(Answers(answers))
    }

    /// Which of the application's nodes is in use; `None` as long as none was checked.
    fn in_use(&self) -> Option<usize> {
        let checked = self.client.shared.checked_rpc.borrow();
        checked.iter().find(|(chain, _)| Some(*chain) == self.checked_by).map(|(_, place)| *place)
    }

    /// Puts a question to the provider at that place; one whose answer never changes only if it was not put before. A
    /// wallet may change its chain between two questions, so nothing of its is kept.
    fn put(&self, place: usize, request: &Request) -> H::Prompt {
        let shared = &self.client.shared;
        let kept_for = self.checked_by.filter(|_| request.is_constant);
        let is_known =
            |(chain, params, _): &&(u64, String, H::Prompt)| Some(*chain) == kept_for && *params == request.params;
        if let Some((_, _, prompt)) = shared.constants.borrow().iter().find(is_known) {
            return prompt.clone();
        }
        let provider = place.checked_sub(1).and_then(|other| self.others.get(other)).unwrap_or(&self.first);
        shared.host.ask(provider, request.method, &request.params)
    }

    /// Asks the provider at that place, once it is known to be one of this chain. Without a request, only makes that
    /// known.
    ///
    /// # Errors
    /// INVALID_INPUT if it is one of another chain; its failure.
    async fn ask_at(&self, place: usize, request: Option<&Request>) -> Result<Json> {
        let (shared, mut answer) = (&self.client.shared, Json::Null);
        let is_checked = |chain_id| shared.checked_rpc.borrow().contains(&(chain_id, place));
        if let Some(chain_id) = self.checked_by.filter(|chain_id| !is_checked(*chain_id)) {
            let question = Request {
                method: "eth_chainId",
                params: "[]".into(),
                may_revert: false,
                may_fail: false,
                is_constant: false,
            };
            let seen = number(&self.await_answer(&question, &self.put(place, &question)).await?)?;
            if seen != chain_id {
                return Err(wrong_rpc(chain_id, &["an RPC of chain ", &chain_id.text()].concat(), &seen.text()));
            }
        }
        if let Some(request) = request {
            answer = self.await_answer(request, &self.put(place, request)).await?;
        }
        // What answered last is in use.
        if let Some(chain_id) = self.checked_by {
            let mut checked = shared.checked_rpc.borrow_mut();
            checked.retain(|known| *known != (chain_id, place));
            checked.insert(0, (chain_id, place));
        }
        Ok(answer)
    }

    /// Awaits the answer to a request, and keeps one that never changes.
    ///
    /// # Errors
    /// The provider's failure; WALLET_FAILED for an answer of another form.
    async fn await_answer(&self, request: &Request, prompt: &H::Prompt) -> Result<Json> {
        let shared = &self.client.shared;
        let answer = match await_answer(self.client, "rpc", request.method, prompt, self.signal).await {
            Err(error) if error.reverted && request.may_revert => Json::String("0x".into()),
            outcome => outcome?,
        };
        if !is_answer_to(request.method, &answer) {
            return Err(unlike(&answer));
        }
        if let Some(chain_id) = self.checked_by.filter(|_| request.is_constant && word(&answer).is_ok()) {
            let mut constants = shared.constants.borrow_mut();
            constants.retain(|(chain, params, _)| (*chain, params) != (chain_id, &request.params));
            constants.truncate(MAX_CONSTANTS);
            constants.insert(0, (chain_id, request.params.clone(), prompt.clone()));
        }
        Ok(answer)
    }

    /// After the provider at `place` `failed`, asks the others, and all of them once more after a pause. `started` is
    /// when it was asked, by [`Host::monotonic_ms`].
    ///
    /// # Errors
    /// What it failed with, if that is not the node's fault or no other does better; ABORTED.
    async fn try_others(&self, place: usize, request: Option<&Request>, failed: Error, started: u64) -> Result<Json> {
        let shared = &self.client.shared;
        let count = self.others.len().saturating_add(1);
        let all = || (0..count).cycle().skip(place.saturating_add(1));
        let is_lasting = failed.code == ErrorCode::InvalidInput;
        if !is_fault_of_node(&failed) {
            return Err(failed);
        }
        for next in all().take(count.saturating_mul(2).saturating_sub(1)) {
            if next == place {
                if is_lasting || shared.host.monotonic_ms().saturating_sub(started) > HICCUP_MS {
                    break;
                }
                shared.host.sleep(shared.jittered(PAUSE_MS), self.signal).await;
            }
            if self.signal.is_aborted() {
                return Err(Error::aborted());
            }
            match self.ask_at(next, request).await {
                Err(error) if is_fault_of_node(&error) => {}
                outcome => return outcome,
            }
        }
        Err(failed)
    }
}

/// Whether another node may answer what this one did not: it gave no answer, or one of another form, takes no more
/// requests, failed in another way than by the call's own revert, or is of another chain.
fn is_fault_of_node(error: &Error) -> bool {
    match error.code {
        ErrorCode::Network | ErrorCode::RateLimited | ErrorCode::InvalidInput => true,
        code => code == ErrorCode::WalletFailed && !error.reverted,
    }
}
