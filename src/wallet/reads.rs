//! Reading a chain: through the application's RPC for it, or through the wallet while it is on that chain.

use super::account::{answered, big_quantity, hex_quantity, quantity};
use crate::client::Client;
use crate::domain::erc20;
use crate::domain::text::ToText;
use crate::domain::token::is_native;
use crate::error::{Error, ErrorCode, Result};
use crate::host::Host;
use crate::json::{Json, JsonAt, ObjectWriter, array, quoted};
use alloy_primitives::{Address, B256, U256};

const LATEST: &str = r#""latest""#;

/// A question to a node, and how its answer is read.
#[derive(Clone, Debug)]
pub struct Read<T> {
    /// `None` where the answer is known without asking.
    request: Option<Request>,
    answer: fn(&Json) -> Result<T>,
}

/// A request of JSON-RPC.
#[derive(Clone, Debug)]
struct Request {
    method: &'static str,
    /// As JSON text.
    params: String,
    /// Whether a call that reverts has answered, with no bytes.
    may_revert: bool,
}

impl<T> Read<T> {
    fn new(method: &'static str, params: &[&str], answer: fn(&Json) -> Result<T>) -> Read<T> {
        Read { request: Some(Request { method, params: array(params), may_revert: false }), answer }
    }

    /// A call of a contract that changes nothing, at that block.
    fn call(contract: &Address, data: &[u8], block: &str, answer: fn(&Json) -> Result<T>) -> Read<T> {
        let mut out = ObjectWriter::object();
        out.value("to", contract);
        out.bytes("data", data);
        Read::new("eth_call", &[&out.close(), block], answer)
    }
}

impl Read<u64> {
    /// The id of the chain behind the RPC.
    pub fn chain_id() -> Read<u64> {
        Read::new("eth_chainId", &[], number)
    }

    /// The chain's clock: the time of its last block, unix seconds.
    pub fn time() -> Read<u64> {
        let timestamp = |json: &Json| json.get("timestamp").and_then(quantity).ok_or_else(|| unlike(json));
        Read::new("eth_getBlockByNumber", &[LATEST, "false"], timestamp)
    }

    /// How many bytes of code an account has.
    pub fn code_size(account: &Address) -> Read<u64> {
        Read::new("eth_getCode", &[&quoted(&account.text()), LATEST], |json| Ok(bytes(json)?.len() as u64))
    }

    /// How many transactions of an account are in blocks.
    pub fn transaction_count(account: &Address) -> Read<u64> {
        Read::new("eth_getTransactionCount", &[&quoted(&account.text()), LATEST], number)
    }
}

impl Read<U256> {
    /// Raw units of a token, or of the native token, that an account holds.
    pub fn balance(token: &Address, account: &Address) -> Read<U256> {
        match is_native(*token) {
            true => Read::native_balance(account, LATEST),
            false => Read::word(token, &erc20::balance_of(*account)),
        }
    }

    /// Wei that an account held after that block.
    pub fn native_balance_at(account: &Address, block: u64) -> Read<U256> {
        Read::native_balance(account, &at_block(block))
    }

    fn native_balance(account: &Address, block: &str) -> Read<U256> {
        let wei = |json: &Json| big_quantity(json).ok_or_else(|| unlike(json));
        Read::new("eth_getBalance", &[&quoted(&account.text()), block], wei)
    }

    /// Raw units of a token that `owner` lets `spender` take.
    pub fn allowance(token: &Address, owner: &Address, spender: &Address) -> Read<U256> {
        Read::word(token, &erc20::allowance(*owner, *spender))
    }

    /// A token's own decimals. The native token has 18 everywhere, and nobody is asked.
    pub fn decimals(token: &Address) -> Read<U256> {
        match is_native(*token) {
            true => Read { request: None, answer: |_| Ok(U256::from(18)) },
            false => Read::word(token, &erc20::decimals()),
        }
    }

    /// The one word with which a contract answers a call that changes nothing, by the call's data.
    pub fn word(contract: &Address, data: &[u8]) -> Read<U256> {
        Read::call(contract, data, LATEST, word)
    }

    /// The same, after that block.
    pub fn word_at(contract: &Address, data: &[u8], block: u64) -> Read<U256> {
        Read::call(contract, data, &at_block(block), word)
    }
}

impl Read<bool> {
    /// Whether a token would let `owner` approve that amount for `spender` now.
    pub fn approve(token: &Address, owner: &Address, spender: &Address, amount: &U256) -> Read<bool> {
        let mut out = ObjectWriter::object();
        out.value("from", owner);
        out.value("to", token);
        out.bytes("data", &erc20::approve(*spender, *amount));
        Read::new("eth_call", &[&out.close(), LATEST], |json| Ok(erc20::approved(&bytes(json)?)))
    }
}

impl Read<Vec<u8>> {
    /// The bytes with which a contract answers a call that changes nothing; none where that reverts.
    pub fn view(contract: &Address, data: &[u8]) -> Read<Vec<u8>> {
        let mut read = Read::call(contract, data, LATEST, bytes);
        if let Some(request) = &mut read.request {
            request.may_revert = true;
        }
        read
    }
}

impl Read<Json> {
    /// A transaction; `null` where the node does not know it.
    pub fn transaction(hash: &B256) -> Read<Json> {
        Read::new("eth_getTransactionByHash", &[&quoted(&hash.text())], raw)
    }

    /// A transaction's receipt; `null` while it is in no block.
    pub fn receipt(hash: &B256) -> Read<Json> {
        Read::new("eth_getTransactionReceipt", &[&quoted(&hash.text())], raw)
    }

    /// What a transaction would return now. `transaction` is JSON text.
    pub fn simulation(transaction: &str) -> Read<Json> {
        Read::new("eth_call", &[transaction, LATEST], raw)
    }
}

fn at_block(number: u64) -> String {
    quoted(&hex_quantity(U256::from(number)))
}

fn raw(json: &Json) -> Result<Json> {
    Ok(json.clone())
}

fn bytes(json: &Json) -> Result<Vec<u8>> {
    JsonAt::input(json, "answer").bytes()
}

fn number(json: &Json) -> Result<u64> {
    quantity(json).ok_or_else(|| unlike(json))
}

fn word(json: &Json) -> Result<U256> {
    erc20::word(&bytes(json)?).ok_or_else(|| unlike(json))
}

fn unlike(json: &Json) -> Error {
    let message = ["the chain's answer is not one of a token or node: ", &json.write()].concat();
    Error::new(ErrorCode::InvalidInput, &message)
}

/// Reads that travel together.
#[derive(Default)]
pub struct Batch(Vec<Request>);

impl Batch {
    /// Adds a read. What it comes to is found by what is returned, once the batch was asked.
    pub fn add<T>(&mut self, read: Read<T>) -> Pending<T> {
        let place = self.0.len();
        self.0.extend(read.request);
        Pending { place, answer: read.answer }
    }

    /// Adds several reads of one kind.
    pub fn add_all<T>(&mut self, reads: impl Iterator<Item = Read<T>>) -> Vec<Pending<T>> {
        let mut all = Vec::new();
        for read in reads {
            all.push(self.add(read));
        }
        all
    }
}

/// A read of a batch.
pub struct Pending<T> {
    place: usize,
    answer: fn(&Json) -> Result<T>,
}

/// What a node answered to a batch.
pub struct Answers(Vec<Json>);

impl Answers {
    /// What was read.
    ///
    /// # Errors
    /// INVALID_INPUT where the answer is not one of a token or a node.
    pub fn get<T>(&self, read: Pending<T>) -> Result<T> {
        (read.answer)(self.0.get(read.place).unwrap_or(&Json::Null))
    }

    /// What several reads came to, in their order.
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

    /// What was read, where that was asked.
    ///
    /// # Errors
    /// As [`Answers::get`].
    pub fn get_if_asked<T>(&self, read: Option<Pending<T>>) -> Result<Option<T>> {
        read.map(|read| self.get(read)).transpose()
    }

    /// What was read, or nothing of it where that was not asked.
    ///
    /// # Errors
    /// As [`Answers::get`].
    pub fn get_or_default<T: Default>(&self, read: Option<Pending<T>>) -> Result<T> {
        Ok(self.get_if_asked(read)?.unwrap_or_default())
    }
}

fn not_read(chain_id: u64, expected: &str, actual: &str) -> Error {
    Error::input(&["rpc.", &chain_id.text()].concat(), expected, actual)
}

/// A chain that can be read.
pub struct Chain<'a, H: Host> {
    /// Whose reading it is.
    pub client: &'a Client<H>,
    /// Where.
    pub provider: H::Provider,
    /// Ends it early.
    pub signal: &'a H::Signal,
}

impl<'a, H: Host> Chain<'a, H> {
    /// A way to read that chain, or `None`. An RPC is asked once whether it is the chain it is said to be.
    ///
    /// # Errors
    /// INVALID_INPUT where the application's RPC is on another chain; what the RPC failed with otherwise.
    pub async fn find(client: &'a Client<H>, chain_id: u64, signal: &'a H::Signal) -> Result<Option<Chain<'a, H>>> {
        let shared = &client.shared;
        let given = shared.rpc.iter().find(|(id, _)| *id == chain_id).map(|(_, provider)| provider);
        let Some(provider) = given.or(client.bound.wallet.as_ref().filter(|_| !client.bound.local)) else {
            return Ok(None);
        };
        let chain = Chain { client, provider: provider.clone(), signal };
        let is_known = given.is_some() && shared.checked_rpc.borrow().contains(&chain_id);
        if !is_known {
            let seen = chain.read(Read::chain_id()).await?;
            let is_there = seen == chain_id;
            match given {
                None => return Ok(is_there.then_some(chain)),
                Some(_) if is_there => shared.checked_rpc.borrow_mut().push(chain_id),
                Some(_) => {
                    return Err(not_read(chain_id, &["an RPC of chain ", &chain_id.text()].concat(), &seen.text()));
                }
            }
        }
        Ok(Some(chain))
    }

    /// As [`Chain::find`], where the chain has to be read.
    ///
    /// # Errors
    /// As [`Chain::find`], and INVALID_INPUT where nothing can read it.
    pub async fn need(client: &'a Client<H>, chain_id: u64, signal: &'a H::Signal) -> Result<Chain<'a, H>> {
        let found = Chain::find(client, chain_id, signal).await?;
        let expected = "a URL or provider: without one the chain can not be read";
        found.ok_or_else(|| not_read(chain_id, expected, "nothing"))
    }

    /// Reads one thing.
    ///
    /// # Errors
    /// WALLET_FAILED where the call reverts, INVALID_INPUT where the token is none, or the RPC's failure.
    pub async fn read<T>(&self, what: Read<T>) -> Result<T> {
        let mut batch = Batch::default();
        let read = batch.add(what);
        self.ask(batch).await?.get(read)
    }

    /// Asks all reads of a batch at once, then awaits the answers.
    ///
    /// # Errors
    /// The first failure.
    pub async fn ask(&self, batch: Batch) -> Result<Answers> {
        let host = &self.client.shared.host;
        let mut asked = Vec::with_capacity(batch.0.len());
        for request in batch.0 {
            let prompt = host.ask(&self.provider, request.method, &request.params);
            asked.push((request, prompt));
        }
        let mut answers = Vec::with_capacity(asked.len());
        for (request, prompt) in asked {
            answers.push(match answered(self.client, "rpc", request.method, &prompt, self.signal).await {
                Err(error) if error.reverted && request.may_revert => Json::String("0x".into()),
                outcome => outcome?,
            });
        }
        Ok(Answers(answers))
    }
}
