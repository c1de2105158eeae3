//! Chains with ERC-20 tokens, behind JSON-RPC.

use super::signer::failure;
use super::tree::{json, set, text};
use alloy_primitives::{Address, B256, U256, hex};
use std::collections::{HashMap, VecDeque};
use verified_swap_trade::host::WalletFailure;
use verify::internal::domain::reference::lens::LENS;
use verify::internal::json::Json;

pub type Outcome = Result<Json, WalletFailure>;
/// A contract under a test's control: what it answers a call with, given the call.
pub type Contract = Box<dyn FnMut(&Json) -> Outcome>;

/// The answer of a node, from the method, the parameters and the honest answer.
type Lie = Box<dyn FnMut(&str, &Json, Outcome) -> Outcome>;

/// Chains by the id that somebody believes them to have.
#[derive(Default)]
pub struct Chain {
    nodes: HashMap<u64, Node>,
    /// Nodes that know what another one knows.
    pub mirrors: HashMap<u64, u64>,
    /// A node that says something else than it knows.
    pub liar: Option<(u64, Lie)>,
}

impl Chain {
    pub fn node(&mut self, id: u64) -> &mut Node {
        let id = self.mirrors.get(&id).copied().unwrap_or(id);
        self.nodes.entry(id).or_insert_with(|| Node::of(id))
    }

    /// The answer of that node.
    pub fn say(&mut self, id: u64, method: &str, params: &str) -> Outcome {
        let known = self.node(id).answer(method, params);
        match &mut self.liar {
            Some((liar, lie)) if *liar == id => lie(method, &json(params), known),
            _ => known,
        }
    }
}

#[derive(Default)]
pub struct Node {
    pub id: u64,
    /// The chain as it was at an earlier block, for questions about that.
    pub before: Option<Box<Node>>,
    /// Unix seconds.
    pub time: u64,
    /// The balance of any token.
    pub balance: U256,
    /// Wei, of anybody.
    pub native_balance: U256,
    pub allowances: HashMap<(Address, Address), U256>,
    pub decimals: HashMap<Address, u8>,
    /// Accounts that have code; tokens have some unless it says otherwise.
    pub code: HashMap<Address, Vec<u8>>,
    /// Contracts other than tokens.
    pub contracts: HashMap<Address, Contract>,
    /// The tokens refuse to change an allowance that is not zero.
    pub reset_first: bool,
    /// The node's words where a token refuses, if not that it reverts.
    pub throws: Option<&'static str>,
    /// The next transaction reverts.
    pub reverts: bool,
    /// Looks for a receipt that find none yet.
    pub pending_for: u32,
    /// The node does not know transactions that were sent.
    pub forgets: bool,
    /// How many of the owner's transactions were mined; the one that is followed has number 7.
    pub transaction_count: u64,
    /// The node does not answer.
    pub unreachable: bool,
    /// Its answers to the next questions of a method, whatever they are.
    pub next: VecDeque<(&'static str, Outcome)>,
    /// Nonces of orders that were filled or cancelled.
    pub used_nonces: Vec<U256>,
    /// The Delta contract does not know the question for them.
    pub no_nonces: bool,
    /// Receipts of others' transactions, by hash.
    pub mined: HashMap<String, Json>,
    /// The balance of an account at the end of a block, wei.
    pub past_native_balances: HashMap<(Address, u64), U256>,
    /// From which block on the nonces of orders are used.
    pub nonces_used_from: Option<u64>,
    /// Each transaction is mined in a block of its own, the first one in block 17, and the node keeps the states of all.
    pub keeps_blocks: bool,
    /// Blocks without a transaction of the owner's, after those.
    pub quiet_blocks: u64,
    /// Transactions that were sent, as objects of JSON-RPC.
    pub mined_here: Vec<Json>,
    /// Wei for a unit of gas.
    pub gas_price: u64,
    /// The answers of pools and feeds to the lens, and the number of times that it was asked.
    pub told: HashMap<Address, Vec<U256>>,
    pub lens_asked: usize,
    /// The answers of pools in older blocks, if they are others.
    pub told_before: Option<HashMap<Address, Vec<U256>>>,
    /// It has no older states.
    pub is_pruned: bool,
    /// It answers nothing that is about this pool.
    pub broken_pool: Option<Address>,
    /// It has gas for so many pools in one call.
    pub most_pools: Option<u8>,
    /// Logs: the block, the contract, the topics.
    pub logs: Vec<(u64, Address, Vec<B256>)>,
    /// The longest range of blocks of which it has logs to tell.
    pub most_blocks: Option<u64>,
    /// It creates nothing, not even in a call.
    pub no_lens: bool,
    receipts: Vec<bool>,
    /// The log of each approval that went through, by the transaction's number.
    approvals: HashMap<usize, String>,
    /// An allowance that is there once the transaction is in a block.
    sent: Option<((Address, Address), U256)>,
}

/// The lens tells numbers of blocks from here on, so that there are older ones.
const FIRST_LENS_BLOCK: u64 = 1_000;

/// A word in hex.
pub fn hex_word(value: U256) -> String {
    hex::encode_prefixed(value.to_be_bytes::<32>())
}

/// The log of an approval, as a receipt has it.
pub fn approval_log(token: Address, owner: Address, spender: Address, amount: U256) -> String {
    let topic = "0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925";
    let [owner, spender] = [owner, spender].map(|account| account.into_word());
    let data = hex_word(amount);
    format!(r#"{{"address":"{token:#x}","topics":["{topic}","{owner}","{spender}"],"data":"{data}"}}"#)
}

/// The block of the first transaction, where the node keeps blocks.
const FIRST_BLOCK: u64 = 17;

/// The block that a question is about.
fn block(params: &Json) -> u64 {
    block_of(params, "1")
}

fn block_of(params: &Json, place: &str) -> u64 {
    match text(params, place) {
        "latest" => u64::MAX,
        number => u64::from_str_radix(number.trim_start_matches("0x"), 16).unwrap(),
    }
}

impl Node {
    /// A node of that chain that was told nothing.
    pub fn of(id: u64) -> Node {
        let token = |text: &str| text.parse::<Address>().unwrap();
        let delta = token(super::DELTA);
        Node {
            id,
            time: 1_800_000_000,
            balance: U256::from(1_000_000_000_000_u64),
            allowances: HashMap::from([((token(super::SRC), delta), U256::from(1_000_000_000_000_u64))]),
            decimals: HashMap::from([(token(super::SRC), 6), (token(super::DEST), 18), (token(super::BRIDGED), 24)]),
            native_balance: U256::from(10).pow(U256::from(21)),
            transaction_count: 7,
            gas_price: 1,
            told: super::feeds::told(),
            ..Node::default()
        }
    }

    /// The answer of the lens from those of pools and feeds, on the state after that block.
    fn lens(&mut self, data: &[u8], at: &str) -> Outcome {
        let input = data.strip_prefix(&LENS).expect("only the lens is asked without a contract");
        // On a chain that has older blocks they are its own.
        let shift = if self.head() < FIRST_LENS_BLOCK { FIRST_LENS_BLOCK } else { 0 };
        let latest = shift + self.head();
        // The content of a block is the same for all nodes.
        let (number, time, told) = match at.strip_prefix("0x").map(|hex| u64::from_str_radix(hex, 16).unwrap()) {
            None => (latest, self.time, &self.told),
            Some(number) if shift > 0 && number <= self.head() => {
                (FIRST_LENS_BLOCK + number, 1_800_000_000, &self.told)
            }
            Some(number) if number > latest => return Err(failure(-32000, "header not found")),
            Some(number) => {
                assert!(latest - number <= 120, "a node knows the state of 128 blocks");
                (number, self.time - 2 * (latest - number), self.told_before.as_ref().unwrap_or(&self.told))
            }
        };
        if number < latest && self.is_pruned {
            return Err(failure(-32000, "missing trie node"));
        }
        if self.most_pools.is_some_and(|most| input[0] > most) {
            return Err(failure(-32000, "out of gas"));
        }
        if input[1..].chunks(20).any(|address| self.broken_pool == Some(Address::from_slice(address))) {
            return Err(failure(-32000, "internal"));
        }
        let words = input[1..].chunks(20).map(|address| told.get(&Address::from_slice(address)));
        let words = words.flat_map(|told| told.cloned().unwrap_or_else(|| vec![U256::ZERO]));
        let block = [time, number].map(U256::from);
        let all: Vec<u8> = block.into_iter().chain(words).flat_map(|word| word.to_be_bytes::<32>()).collect();
        self.lens_asked += 1;
        Ok(Json::String(hex::encode_prefixed(all)))
    }

    /// The logs that fit a filter.
    fn logs(&self, filter: &Json) -> Outcome {
        let from = block_of(filter, "fromBlock");
        assert_eq!(text(filter, "toBlock"), "latest");
        if self.most_blocks.is_some_and(|most| self.head() + 1 - from > most) {
            return Err(failure(-32005, "the range of blocks is too large"));
        }
        let wanted = |place: usize, topic: Option<&B256>| match super::at(filter, "topics") {
            Json::Array(topics) => match topics.get(place) {
                None | Some(Json::Null) => true,
                Some(Json::Array(some)) => topic.is_some_and(|topic| some.contains(&Json::String(topic.to_string()))),
                Some(one) => topic.is_some_and(|topic| *one == Json::String(topic.to_string())),
            },
            _ => panic!("no topics"),
        };
        let of = filter.get("address").and_then(Json::as_text).map(|address| address.parse::<Address>().unwrap());
        let fits = |(block, address, topics): &&(u64, Address, Vec<B256>)| {
            *block >= from && of.is_none_or(|of| of == *address) && (0..4).all(|place| wanted(place, topics.get(place)))
        };
        let written = |(_, address, topics): &(u64, Address, Vec<B256>)| {
            let topics: Vec<String> = topics.iter().map(|topic| format!(r#""{topic}""#)).collect();
            json(&format!(r#"{{"address":"{address:#x}","topics":[{}],"data":"0x"}}"#, topics.join(",")))
        };
        Ok(Json::Array(self.logs.iter().filter(fits).map(written).collect()))
    }

    /// The number of its latest block.
    fn head(&self) -> u64 {
        FIRST_BLOCK - 1 + self.mined_here.len() as u64 + self.quiet_blocks
    }

    pub fn answer(&mut self, method: &str, params: &str) -> Outcome {
        if self.unreachable {
            return Err(WalletFailure { unreachable: true, ..failure(0, "no answer") });
        }
        if let Some(place) = self.next.iter().position(|(of, _)| *of == method) {
            return self.next.remove(place).unwrap().1;
        }
        if let Some(before) = &mut self.before
            && params.contains(&format!(r#""{:#x}""#, before.head()))
        {
            return before.answer(method, params);
        }
        let params = json(params);
        Ok(match method {
            "eth_chainId" => Json::String(format!("{:#x}", self.id)),
            "eth_blockNumber" => Json::String(format!("{:#x}", self.head())),
            "eth_getBlockByNumber" if self.keeps_blocks && text(&params, "0") != "latest" => {
                let number = block_of(&params, "0");
                let mined = self.mined_here.get(usize::try_from(number - FIRST_BLOCK).unwrap());
                let (mined, time) = (mined.map(Json::write).unwrap_or_default(), self.time);
                json(&format!(r#"{{"number":"{number:#x}","timestamp":"{time:#x}","transactions":[{mined}]}}"#))
            }
            "eth_getBlockByNumber" => {
                let number = block_of(&params, "0").min(self.head());
                json(&format!(r#"{{"number":"{number:#x}","timestamp":"{:#x}"}}"#, self.time))
            }
            "eth_getCode" => {
                let account = text(&params, "0").parse::<Address>().unwrap();
                let token: &[u8] = if self.decimals.contains_key(&account) { &[0x60; 64] } else { &[] };
                Json::String(hex::encode_prefixed(self.code.get(&account).map_or(token, Vec::as_slice)))
            }
            "eth_getTransactionReceipt" => {
                if let Some(receipt) = self.mined.get(text(&params, "0")) {
                    return Ok(receipt.clone());
                }
                if self.pending_for > 0 {
                    self.pending_for -= 1;
                    return Ok(Json::Null);
                }
                let number: U256 = text(&params, "0").parse().unwrap();
                let sent = usize::try_from(number).ok().and_then(|number| self.receipts.get(number).copied());
                let Some(fine) = sent else { return Ok(Json::Null) };
                self.allowances.extend(self.sent.take());
                let status = u8::from(fine);
                let logs = usize::try_from(number).ok().and_then(|number| self.approvals.get(&number));
                let logs = logs.map_or("", String::as_str);
                json(&format!(r#"{{"status":"{status:#x}","blockNumber":"0x10","logs":[{logs}]}}"#))
            }
            "eth_getTransactionByHash" if self.forgets => Json::Null,
            "eth_getTransactionByHash" => {
                let is_it = |known: &&Json| text(known, "hash") == text(&params, "0");
                self.mined_here.iter().find(is_it).cloned().unwrap_or(Json::Null)
            }
            "eth_getTransactionCount" if self.keeps_blocks => {
                let mined = match text(&params, "1") {
                    "latest" | "pending" => self.mined_here.len() as u64,
                    _ => (block_of(&params, "1") + 1).saturating_sub(FIRST_BLOCK).min(self.mined_here.len() as u64),
                };
                Json::String(format!("{:#x}", self.transaction_count + mined))
            }
            "eth_getTransactionCount" => Json::String(format!("{:#x}", self.transaction_count)),
            "eth_getBalance" if text(&params, "1") != "latest" => {
                let held = self.past_native_balances.get(&(text(&params, "0").parse().unwrap(), block(&params)));
                let now = if block(&params) == self.head() { self.native_balance } else { U256::ZERO };
                Json::String(format!("{:#x}", held.copied().unwrap_or(now)))
            }
            "eth_getBalance" => Json::String(format!("{:#x}", self.native_balance)),
            "eth_getLogs" => self.logs(super::at(&params, "0"))?,
            "eth_gasPrice" => Json::String(format!("{:#x}", self.gas_price)),
            "eth_call" if super::at(&params, "0").get("to").is_none() => {
                if self.no_lens {
                    return Err(failure(-32000, "to is missing"));
                }
                self.lens(&hex::decode(text(&params, "0.data")).unwrap(), text(&params, "1"))?
            }
            "eth_call" => {
                let token: Address = text(&params, "0.to").parse().unwrap();
                let data = hex::decode(text(&params, "0.data")).unwrap();
                if data[..4] == [0xca, 0xb7, 0xe8, 0xeb] && !self.no_nonces {
                    let nonce = U256::try_from_be_slice(&data[36..68]).unwrap();
                    let is_used = self.nonces_used_from.is_some_and(|from| block(&params) >= from);
                    return Ok(Json::String(hex_word(U256::from(is_used || self.used_nonces.contains(&nonce)))));
                }
                if let Some(contract) = self.contracts.get_mut(&token) {
                    return contract(super::at(&params, "0"));
                }
                let word = |index: usize| U256::try_from_be_slice(&data[4 + 32 * index..][..32]).unwrap();
                let who = |index: usize| Address::from_word(word(index).into());
                Json::String(match data[..4] {
                    [0x31, 0x3c, 0xe5, 0x67] => {
                        self.decimals.get(&token).map_or("0x".into(), |decimals| hex_word(U256::from(*decimals)))
                    }
                    [0x70, 0xa0, 0x82, 0x31] => hex_word(self.balance),
                    [0xdd, 0x62, 0xed, 0x3e] => hex_word(self.allowance(token, who(1))),
                    [0xca, 0xb7, 0xe8, 0xeb] => "0x".into(),
                    // No permit of a token was used.
                    [0x7e, 0xce, 0xbe, 0x00] => hex_word(U256::ZERO),
                    [0x09, 0x5e, 0xa7, 0xb3] if self.takes(token, who(0), word(1)) => hex_word(U256::from(1)),
                    [0x09, 0x5e, 0xa7, 0xb3] => {
                        return Err(self
                            .throws
                            .map_or(failure(3, "execution reverted"), |words| failure(-32000, words)));
                    }
                    // Unknown calls succeed by default.
                    _ => "0x".into(),
                })
            }
            _ => panic!("{method}"),
        })
    }

    /// Sent transactions are in a block.
    pub fn mine(&mut self) {
        self.allowances.extend(self.sent.take());
    }

    pub fn allowance(&self, token: Address, spender: Address) -> U256 {
        self.allowances.get(&(token, spender)).copied().unwrap_or_default()
    }

    fn takes(&self, token: Address, spender: Address, amount: U256) -> bool {
        !self.reset_first || amount.is_zero() || self.allowance(token, spender).is_zero()
    }

    /// Sends `approve`, or a call to a contract; returns the transaction's hash, which is its number.
    pub fn send(&mut self, params: &Json, at_most: Option<U256>) -> U256 {
        let token: Address = text(params, "0.to").parse().unwrap();
        let data = hex::decode(text(params, "0.data")).unwrap();
        assert_eq!(text(params, "0.chainId"), format!("{:#x}", self.id));
        let mut mined = super::at(params, "0").clone();
        set(&mut mined, "input", &super::at(params, "0.data").write());
        set(&mut mined, "nonce", &format!(r#""{:#x}""#, self.transaction_count + self.mined_here.len() as u64));
        set(&mut mined, "hash", &format!(r#""{}""#, hex_word(U256::from(self.receipts.len()))));
        self.mined_here.push(mined);
        if self.contracts.contains_key(&token) {
            self.receipts.push(!self.reverts);
            return U256::from(self.receipts.len() - 1);
        }
        assert_eq!(data[..4], [0x09, 0x5e, 0xa7, 0xb3], "only approvals are sent to tokens");
        assert_eq!(text(params, "0.value"), "0x0");
        let spender = Address::from_slice(&data[16..36]);
        let asked = U256::try_from_be_slice(&data[36..68]).unwrap();
        let amount = at_most.map_or(asked, |most| most.min(asked));
        if let Some(mined) = self.mined_here.last_mut().filter(|_| amount != asked) {
            let edited = [&data[..36], &amount.to_be_bytes::<32>()].concat();
            set(mined, "input", &format!(r#""{}""#, hex::encode_prefixed(edited)));
        }
        let fine = !self.reverts && self.takes(token, spender, amount);
        if fine {
            self.sent = Some(((token, spender), amount));
            let owner: Address = text(params, "0.from").parse().unwrap();
            self.approvals.insert(self.receipts.len(), approval_log(token, owner, spender, amount));
        }
        self.receipts.push(fine);
        U256::from(self.receipts.len() - 1)
    }
}
