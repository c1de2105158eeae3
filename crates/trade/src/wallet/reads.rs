//! Reads of a chain, and their answers.
//!
//! A [`Read`] is a request with the type of its answer. Several go into a [`Batch`], are sent together
//! ([`super::chain::Chain::ask`]), and are answered in the time of one. An answer of an unexpected form is an error,
//! never a zero.

use super::account::{big_quantity, hex_quantity, quantity};
use alloy_primitives::{Address, B256, U256};
use verify::internal::domain::asset;
use verify::internal::domain::erc20;
use verify::internal::domain::token::is_native;
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::{Json, JsonAt, ObjectWriter, array, quoted};
use verify::internal::value::text::{ToText, contains, replace};

/// How long an answer that only warns is fresh, in milliseconds: a block of the slowest chain.
pub(super) const RECENT_MS: u64 = 12_000;
/// How long a simulated transaction need not be simulated again, nor read what an approval depends on, in milliseconds: a
/// block of a fast chain.
const TRIED_MS: u64 = 2_000;
/// How long an answer that hardly ever changes counts, in milliseconds: an hour, in which a prompt may be open.
pub(super) const LASTING_MS: u64 = 3_600_000;
/// The name of a transaction that is tried, for errors.
pub(super) const SIMULATION: &str = "simulation";
/// The most that the clocks of two nodes may differ, in seconds.
pub(super) const CLOCKS_APART_SECS: u64 = 60;
/// The block parameter for the state after the latest block.
const LATEST: &str = r#""latest""#;

/// A request to a node, and the function that reads its answer.
#[derive(Clone, Debug)]
pub struct Read<T> {
    /// `None` if the answer is known without a request.
    pub(super) request: Option<Request>,
    answer: Answer<T>,
}

/// The source of an answer.
#[derive(Clone, Debug)]
enum Answer<T> {
    /// Reads the node's answer.
    Told(fn(&Json) -> Result<T>),
    /// It is known without a request.
    Known(T),
}

/// A JSON-RPC request.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) method: &'static str,
    /// A JSON array.
    pub(super) params: String,
    /// A revert counts as an answer of no bytes. Otherwise it is an error.
    pub(super) may_revert: bool,
    /// A failure counts as the answer `null`, and no other node is asked.
    pub(super) may_fail: bool,
    /// How many milliseconds after the request an answer counts; 0 if it is never kept.
    pub(super) max_age_ms: u64,
    /// The name of the read value, for errors.
    pub(super) name: &'static str,
    /// No check depends on it: one node will do.
    pub(super) informs: bool,
    /// Merges the answers of two nodes, `None` if they contradict each other; without it, they have to be equal.
    pub(super) merged: Option<Merge>,
}

/// Merges two answers; `None` if they contradict each other.
pub type Merge = fn(&Json, &Json) -> Option<Json>;

impl Request {
    pub(super) fn new(method: &'static str, params: &[&str]) -> Request {
        let name = match method {
            "eth_getBlockByNumber" => "time",
            "eth_getCode" => "code",
            "eth_getBalance" => "balance",
            "eth_getTransactionCount" => "transactionCount",
            "eth_getTransactionByHash" => "transaction",
            "eth_getTransactionReceipt" => "receipt",
            _ => method,
        };
        let (informs, merged) = (false, None);
        let params = array(params);
        Request { method, params, may_revert: false, may_fail: false, max_age_ms: 0, name, informs, merged }
    }

    /// The same on the state after the block of that number, if it is about the latest; never kept.
    pub(super) fn at(&self, block: u64) -> Request {
        Request { params: replace(&self.params, LATEST, &at_block(block)), max_age_ms: 0, ..self.clone() }
    }
}

impl<T> Read<T> {
    fn new(method: &'static str, params: &[&str], answer: fn(&Json) -> Result<T>) -> Read<T> {
        Read { request: Some(Request::new(method, params)), answer: Answer::Told(answer) }
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
    /// The same read, whose failure fails nothing else: it then has no answer.
    pub fn or_nothing(self) -> Read<T> {
        self.with(|request| request.may_fail = true)
    }

    /// The same read, for a warning: an answer that is up to 12 s old will do. Before it refuses anything it is read
    /// again ([`super::chain::retry_fresh`]).
    pub fn recent(self) -> Read<T> {
        self.kept_for(RECENT_MS)
    }

    /// The same read, for a simulated transaction or an approval: an answer of 2 s ago will do, so that it may be sent
    /// with earlier reads.
    pub fn tried(self) -> Read<T> {
        self.kept_for(TRIED_MS)
    }

    /// The same read, for a value that hardly ever changes, such as the code of an account or token: an answer of an
    /// hour ago will do, as after a prompt.
    pub fn lasting(self) -> Read<T> {
        self.kept_for(LASTING_MS)
    }

    /// The same read, for which an answer so many milliseconds old will do, and whose failure fails nothing else.
    pub fn within(self, max_age_ms: u64) -> Read<T> {
        self.kept_for(max_age_ms).or_nothing()
    }

    /// The same read, on which no check depends: with `rpcQuorum`, too, one node is asked.
    pub fn informing(self) -> Read<T> {
        self.with(|request| request.informs = true)
    }

    /// The same read, with that name in errors.
    pub fn named(self, name: &'static str) -> Read<T> {
        self.with(|request| request.name = name)
    }

    /// The same read, for a value that changes with every block: the answers of two nodes need not be equal.
    pub fn merged(self, merged: Merge) -> Read<T> {
        self.with(|request| request.merged = Some(merged))
    }

    fn kept_for(self, max_age_ms: u64) -> Read<T> {
        self.with(|request| request.max_age_ms = max_age_ms)
    }

    fn with(mut self, change: impl FnOnce(&mut Request)) -> Read<T> {
        self.request.as_mut().map(change);
        self
    }
}

impl Read<u64> {
    /// The chain's id (EIP-155), which shows whether a node is the right one.
    pub fn chain_id() -> Read<u64> {
        Read::new("eth_chainId", &[], number)
    }

    /// The timestamp of the latest block, unix seconds: the clock that contracts compare deadlines with.
    pub fn time() -> Read<u64> {
        let timestamp = |json: &Json| json.get("timestamp").and_then(quantity).ok_or_else(|| unlike(json));
        Read::new("eth_getBlockByNumber", &[LATEST, "false"], timestamp).merged(earlier)
    }

    /// The size of an account's code in bytes: 0 for one that signs by its own key alone. One that delegates by
    /// EIP-7702 (<https://eips.ethereum.org/EIPS/eip-7702>) has 23.
    pub fn code_size(account: &Address) -> Read<u64> {
        Read::new("eth_getCode", &[&quoted(&account.text()), LATEST], |json| Ok(bytes(json)?.len() as u64))
    }

    /// The number of the latest block.
    pub fn block_number() -> Read<u64> {
        Read::new("eth_blockNumber", &[], number)
    }

    /// [`Read::transaction_count`] after the block of that number. The node needs the state of that block.
    pub fn transaction_count_at(account: &Address, block: u64) -> Read<u64> {
        Read::new("eth_getTransactionCount", &[&quoted(&account.text()), &at_block(block)], number)
    }

    /// [`Read::transaction_count`] with the pending ones that the node has.
    pub fn pending_count(account: &Address) -> Read<u64> {
        Read::new("eth_getTransactionCount", &[&quoted(&account.text()), r#""pending""#], number)
    }

    /// How many transactions an account has in blocks, which is the nonce of its next one.
    pub fn transaction_count(account: &Address) -> Read<u64> {
        Read::new("eth_getTransactionCount", &[&quoted(&account.text()), LATEST], number)
    }
}

impl Read<Head> {
    /// The latest block: the other answers of the batch are of it, or of a later one. The same request as
    /// [`Read::time`].
    pub fn head() -> Read<Head> {
        let head = |json: &Json| {
            let time = json.get("timestamp").and_then(quantity).ok_or_else(|| unlike(json))?;
            Ok(Head { number: json.get("number").and_then(quantity), time })
        };
        Read::new("eth_getBlockByNumber", &[LATEST, "false"], head).merged(earlier)
    }
}

/// A block, as a node reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// Its number, if the node reports it.
    pub number: Option<u64>,
    /// Its timestamp, unix seconds.
    pub time: u64,
}

impl Read<U256> {
    /// An account's balance of a token, in raw units; in wei for the native token's placeholder.
    pub fn balance(token: &Address, account: &Address) -> Read<U256> {
        match is_native(*token) {
            true => Read::native_balance(account, LATEST),
            false => Read::word(token, &erc20::balance_of(*account)).named("balance"),
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
        Read::word(token, &erc20::allowance(*owner, *spender)).named("allowance")
    }

    /// A token's decimals by its own contract, which never change: read once. For a token of the table, and the native
    /// one, they are known without a request.
    pub fn decimals(chain_id: u64, token: &Address) -> Read<U256> {
        let read = match asset::decimals(chain_id, *token) {
            Some(known) => Read { request: None, answer: Answer::Known(U256::from(known)) },
            None => Read::word(token, &erc20::decimals()),
        };
        read.kept_for(u64::MAX).named("decimals")
    }

    /// The 32-byte word that a contract's view function returns, as a number; `data` is the calldata.
    pub fn word(contract: &Address, data: &[u8]) -> Read<U256> {
        Read::call(contract, data, LATEST, word)
    }

    /// [`Read::word`] on the state after the block of that number.
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
        Read::new("eth_call", &[&out.close(), LATEST], |json| Ok(erc20::approved(&bytes(json)?))).named("approve")
    }
}

impl Read<Vec<u8>> {
    /// The bytes that a contract's view function returns; none if it reverts, or if there is no contract.
    pub fn view(contract: &Address, data: &[u8]) -> Read<Vec<u8>> {
        Read::call(contract, data, LATEST, bytes).with(|request| request.may_revert = true)
    }
}

impl Read<Option<Vec<u8>>> {
    /// An account's code; `None` if the node gives no answer. The same request as [`Read::code_size`].
    pub fn code_if_any(account: &Address) -> Read<Option<Vec<u8>>> {
        let read = Read::new("eth_getCode", &[&quoted(&account.text()), LATEST], |json| if_any(json, bytes));
        read.or_nothing()
    }

    /// [`Read::view`]; `None` if the node gives no answer.
    pub fn view_if_any(contract: &Address, data: &[u8]) -> Read<Option<Vec<u8>>> {
        let read = Read::call(contract, data, LATEST, |json| if_any(json, bytes));
        read.or_nothing().with(|request| request.may_revert = true)
    }
}

impl Read<CallOutcome> {
    /// The return data of a contract's creation code: an `eth_call` without `to`. Not every node supports that.
    pub fn creation(code: &[u8]) -> Read<CallOutcome> {
        Read::creation_on(code, LATEST)
    }

    /// [`Read::creation`] on the state after the block of that number.
    pub fn creation_at(code: &[u8], block: u64) -> Read<CallOutcome> {
        Read::creation_on(code, &at_block(block))
    }

    fn creation_on(code: &[u8], block: &str) -> Read<CallOutcome> {
        let mut out = ObjectWriter::object();
        out.bytes("data", code);
        let outcome = |json: &Json| match if_any(json, bytes)? {
            Some(bytes) => Ok(CallOutcome::Bytes(bytes)),
            None if *json == Json::Null => Ok(CallOutcome::Refused),
            None => Ok(CallOutcome::Failed),
        };
        Read::new("eth_call", &[&out.close(), block], outcome).named("references")
    }
}

impl Read<Option<U256>> {
    /// The node's current gas price in wei. `None` without an answer.
    pub fn gas_price() -> Read<Option<U256>> {
        Read::new("eth_gasPrice", &[], |json| if_any(json, |json| big_quantity(json).ok_or_else(|| unlike(json))))
            .merged(cheaper)
    }
}

impl Read<Option<Json>> {
    /// The logs that match a filter, a JSON object without blocks, from the block of that number on. `None` without an
    /// answer: a node that takes only a shorter range refuses.
    pub fn logs(filter: ObjectWriter, from: u64) -> Read<Option<Json>> {
        let mut filter = filter;
        filter.raw("fromBlock", &at_block(from));
        filter.raw("toBlock", LATEST);
        Read::new("eth_getLogs", &[&filter.close()], |json| if_any(json, raw)).or_nothing()
    }
}

/// The answer of a read whose failure fails nothing else: see [`no_answer`].
fn if_any<T>(json: &Json, read: fn(&Json) -> Result<T>) -> Result<Option<T>> {
    if matches!(json, Json::Null | Json::Bool(false)) { Ok(None) } else { read(json).map(Some) }
}

/// The outcome of a read that may fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallOutcome {
    /// The bytes that the code returned.
    Bytes(Vec<u8>),
    /// The node does not support such a read.
    Refused,
    /// It may answer another time.
    Failed,
}

impl CallOutcome {
    /// Whether the node may answer another time. Empty bytes are the answer of a node that does not run creation code.
    pub fn may_change(&self) -> bool {
        match self {
            CallOutcome::Bytes(bytes) => !bytes.is_empty(),
            other => *other == CallOutcome::Failed,
        }
    }
}

impl Read<Vec<Json>> {
    /// The transactions of the block of that number, as the node describes them.
    pub fn block_transactions(block: u64) -> Read<Vec<Json>> {
        let transactions = |json: &Json| transactions(json).map(<[Json]>::to_vec).ok_or_else(|| unlike(json));
        Read::new("eth_getBlockByNumber", &[&at_block(block), "true"], transactions).named("block")
    }
}

impl Read<Json> {
    /// A transaction by its hash, as the node describes it; `null` if the node does not have it.
    pub fn transaction(hash: &B256) -> Read<Json> {
        Read::new("eth_getTransactionByHash", &[&quoted(&hash.text())], raw).merged(known)
    }

    /// A transaction's receipt, as the node describes it, its status readable; `null` while it is in no block.
    pub fn receipt(hash: &B256) -> Read<Json> {
        Read::new("eth_getTransactionReceipt", &[&quoted(&hash.text())], raw)
    }

    /// The return data of a transaction if it were sent now. `transaction` is a transaction object, as JSON text. Two
    /// nodes' answers need not be equal, but neither may revert alone.
    pub fn simulation(transaction: &str) -> Read<Json> {
        Read::new("eth_call", &[transaction, LATEST], raw).named(SIMULATION).merged(|ours, _| Some(ours.clone()))
    }

    /// The same with other code in these accounts, if the node supports that. A node that does not answers as it likes.
    pub fn simulation_with_code(transaction: &str, accounts: &[Address], code: &[u8]) -> Read<Json> {
        let mut overridden = ObjectWriter::object();
        overridden.bytes("code", code);
        let mut overrides = ObjectWriter::object();
        let overridden = overridden.close();
        for account in accounts {
            overrides.raw(&account.text(), &overridden);
        }
        let read = Read::new("eth_call", &[transaction, LATEST, &overrides.close()], raw);
        read.named(SIMULATION).merged(|ours, _| Some(ours.clone())).or_nothing()
    }
}

/// The block parameter for the state after the block of that number.
fn at_block(number: u64) -> String {
    quoted(&hex_quantity(U256::from(number)))
}

/// The timestamp of a block, unix seconds.
pub(super) fn timestamp(block: &Json) -> u64 {
    block.get("timestamp").and_then(quantity).unwrap_or_default()
}

/// The earlier of two blocks, if they are at most a minute apart.
fn earlier(ours: &Json, theirs: &Json) -> Option<Json> {
    let [our_time, their_time] = [ours, theirs].map(timestamp);
    let is_near = our_time.abs_diff(their_time) <= CLOCKS_APART_SECS;
    is_near.then(|| if our_time <= their_time { ours } else { theirs }.clone())
}

/// The lower of two prices of gas; of one, that.
fn cheaper(ours: &Json, theirs: &Json) -> Option<Json> {
    let is_ours = match (big_quantity(ours), big_quantity(theirs)) {
        (Some(ours), Some(theirs)) => ours <= theirs,
        (ours, _) => ours.is_some(),
    };
    Some(if is_ours { ours } else { theirs }.clone())
}

/// A transaction that at least one of two nodes has: one that is not mined yet is not known to all.
fn known(ours: &Json, theirs: &Json) -> Option<Json> {
    let nonce = |json: &Json| json.get("nonce").and_then(quantity);
    let rest =
        |json: &Json| ["from", "to", "input"].map(|name| json.get(name).map(|of| of.write().to_ascii_lowercase()));
    match (ours, theirs) {
        (Json::Null, known) | (known, Json::Null) => Some(known.clone()),
        _ => (nonce(ours) == nonce(theirs) && rest(ours) == rest(theirs)).then(|| ours.clone()),
    }
}

fn raw(json: &Json) -> Result<Json> {
    Ok(json.clone())
}

fn bytes(json: &Json) -> Result<Vec<u8>> {
    JsonAt::input(json, "answer").bytes().map_err(|_| unlike(json))
}

pub(super) fn number(json: &Json) -> Result<u64> {
    quantity(json).ok_or_else(|| unlike(json))
}

pub(super) fn word(json: &Json) -> Result<U256> {
    let bytes = bytes(json)?;
    // The contract's answer, not the node's: empty bytes come from an address without code.
    let message = "the address does not answer as a token does: is it one, and on this chain?";
    erc20::word(&bytes).ok_or_else(|| Error::new(ErrorCode::InvalidInput, message))
}

/// The transactions of a block; `None` if they are missing, or hashes alone.
fn transactions(block: &Json) -> Option<&[Json]> {
    let Some(Json::Array(all)) = block.get("transactions") else { return None };
    all.iter().all(|one| matches!(one, Json::Object(_))).then_some(all)
}

/// Whether the transaction of a receipt succeeded; `None` if its status cannot be read. `true` and `false` stand for 1 and
/// 0. Every block since Byzantium (EIP-658, <https://eips.ethereum.org/EIPS/eip-658>) has one of the two.
pub fn succeeded(receipt: &Json) -> Option<bool> {
    match receipt.get("status")? {
        Json::Bool(status) => Some(*status),
        status => quantity(status).filter(|status| *status <= 1).map(|status| status == 1),
    }
}

/// Whether an answer has the form of the request's answers.
pub(super) fn is_answer_to(request: &Request, json: &Json) -> bool {
    match request.method {
        "eth_call" | "eth_getCode" => bytes(json).is_ok(),
        "eth_getBalance" => big_quantity(json).is_some(),
        "eth_getLogs" => matches!(json, Json::Array(_)),
        "eth_getBlockByNumber" if request.params.ends_with("true]") => transactions(json).is_some(),
        "eth_getBlockByNumber" => json.get("timestamp").and_then(quantity).is_some(),
        "eth_getTransactionByHash" => {
            *json == Json::Null || JsonAt::input(json, "answer").get("from").address().is_ok()
        }
        "eth_getTransactionReceipt" => *json == Json::Null || succeeded(json).is_some(),
        _ => quantity(json).is_some(),
    }
}

/// NETWORK, as without an answer: the node's has an unexpected form.
pub(super) fn unlike(json: &Json) -> Error {
    let message = ["the node's answer has another form than was asked for: ", &json.excerpt(80)].concat();
    let mut error = Error::new(ErrorCode::Network, &message);
    error.is_unreadable = true;
    error
}

/// Whether a node that failed so may answer another time: a time-out, a limit, an answer that was cut.
pub fn is_passing(error: &Error) -> bool {
    let words = error.message.to_ascii_lowercase();
    let is_late = ["timeout", "timed out"].iter().any(|late| contains(&words, late));
    let is_limited = matches!(error.code, ErrorCode::Network | ErrorCode::RateLimited | ErrorCode::Timeout);
    is_limited || is_late
}

/// Whether a node that failed so may not keep that state or block: it refused, or answered with nothing readable.
pub fn is_not_kept(error: &Error) -> bool {
    error.code == ErrorCode::WalletFailed || error.is_unreadable
}

/// The placeholder for an answer if a failure fails nothing else: `null` if the node refuses for good, `false` if it
/// may answer another time.
pub(super) fn no_answer(error: &Error) -> Json {
    if is_passing(error) { Json::Bool(false) } else { Json::Null }
}

/// Reads that are sent together.
#[derive(Default)]
pub struct Batch(pub(super) Vec<Request>);

impl Batch {
    /// The same reads, on which no check depends: see [`Read::informing`].
    pub fn informing(mut self) -> Batch {
        self.0.iter_mut().for_each(|request| request.informs = true);
        self
    }

    /// Adds a read. The returned value finds its answer in the batch's [`Answers`].
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

/// A read before its answer: its place in the batch, and the function that reads its answer. It belongs to that batch
/// alone.
pub struct Pending<T> {
    place: usize,
    answer: Answer<T>,
}

/// The node's answers to a batch, in the order of its reads.
pub struct Answers(pub(super) Vec<Json>);

impl Answers {
    /// The answer to a read.
    ///
    /// # Errors
    /// INVALID_INPUT if a contract answered, or none was there, but not with a number; NETWORK if the node's answer has
    /// another form than the request's.
    pub fn get<T>(&self, read: Pending<T>) -> Result<T> {
        match read.answer {
            Answer::Known(answer) => Ok(answer),
            Answer::Told(read_answer) => read_answer(self.0.get(read.place).unwrap_or(&Json::Null)),
        }
    }

    /// The answers to several reads, in the order in which they were added.
    ///
    /// # Errors
    /// Same as [`Answers::get`].
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
    /// Same as [`Answers::get`].
    pub fn get_if_asked<T>(&self, read: Option<Pending<T>>) -> Result<Option<T>> {
        read.map(|read| self.get(read)).transpose()
    }

    /// The answer to a read that may not have been added; then zero, `false` or the like.
    ///
    /// # Errors
    /// Same as [`Answers::get`].
    pub fn get_or_default<T: Default>(&self, read: Option<Pending<T>>) -> Result<T> {
        Ok(self.get_if_asked(read)?.unwrap_or_default())
    }
}
