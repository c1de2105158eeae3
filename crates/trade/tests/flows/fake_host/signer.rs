//! The wallet: a real key, and answers that can be replaced one by one.

use super::chain::{Chain, hex_word};
use super::tree::{json, text};
use alloy_primitives::{Address, B256};
use k256::ecdsa::{RecoveryId, Signature, SigningKey, VerifyingKey};
use std::collections::VecDeque;
use verified_swap_trade::host::WalletFailure;
use verify::internal::domain::eip712;
use verify::internal::json::{Json, quoted};

type Outcome = Result<Json, WalletFailure>;
type Scripted = Box<dyn FnOnce(&Signer, B256) -> Outcome>;

/// Where a wallet differs from what it should do.
#[derive(Default)]
pub struct Quirks {
    /// It never answers these.
    pub silent: Vec<&'static str>,
    /// It refuses, without a prompt, typed data in which this finds a fault.
    pub refuses: Option<fn(&Json) -> bool>,
    /// It tells a chain that it does not have by this failure.
    pub unknown_chain: Option<WalletFailure>,
    /// After it has added a chain, it is on it.
    pub switches_with_add: bool,
    /// It sends on the chain that it is on, whatever it is asked.
    pub sends_where_it_is: bool,
}

pub struct Signer {
    pub key: SigningKey,
    pub accounts: Vec<Address>,
    pub chain_id: u64,
    /// Chains it can switch to.
    pub known_chains: Vec<u64>,
    /// Approves at most this, whatever it is asked for.
    pub approves_at_most: Option<alloy_primitives::U256>,
    /// How it sends calls together: `supported`, `ready`, or `1.0`. By default it does not know the methods.
    pub atomic: Option<&'static str>,
    /// The wallet's report about paymasters, as JSON text; nothing by default.
    pub paymasters: Option<&'static str>,
    /// The status of calls that it is asked to send from now on.
    pub calls_status: u64,
    /// Calls that it was asked to send together, by their id.
    pub batches: Vec<Sending>,
    pub quirks: Quirks,
    scripted: VecDeque<(&'static str, Scripted)>,
}

/// Calls that were sent together.
#[derive(Clone)]
pub struct Sending {
    pub id: String,
    /// As in EIP-5792.
    pub status: u64,
    /// The transactions that they are in.
    pub hashes: Vec<String>,
}

pub fn failure(code: i64, message: &str) -> WalletFailure {
    WalletFailure {
        code: Some(code),
        message: message.into(),
        words: message.into(),
        data: None,
        cause: None,
        aborted: false,
        unreachable: false,
        status: None,
    }
}

/// The chain that a question is about.
fn chain_of(params: &str) -> u64 {
    let wanted = text(&json(params), "0.chainId").to_owned();
    u64::from_str_radix(wanted.trim_start_matches("0x"), 16).unwrap()
}

/// The signer, by another library's recovery, from 65 bytes or 64.
pub fn recovered(signature: &[u8], hash: B256) -> Option<String> {
    let mut plain = <[u8; 64]>::try_from(signature.get(..64)?).ok()?;
    let odd = match signature.get(64) {
        Some(v) => *v == 28,
        None => plain[32] >> 7 == 1,
    };
    if signature.len() == 64 {
        plain[32] &= 0x7F;
    }
    let (signature, id) = (Signature::from_slice(&plain).ok()?, RecoveryId::new(odd, false));
    let key = VerifyingKey::recover_from_prehash(hash.as_slice(), &signature, id).ok()?;
    Some(address(&key).to_string().to_ascii_lowercase())
}

pub fn address(key: &VerifyingKey) -> Address {
    Address::from_raw_public_key(&key.to_encoded_point(false).as_bytes()[1..])
}

impl Signer {
    pub fn new(key: [u8; 32]) -> Signer {
        let key = SigningKey::from_slice(&key).unwrap();
        let account = address(key.verifying_key());
        Signer {
            key,
            accounts: vec![account],
            chain_id: 8453,
            known_chains: vec![8453],
            approves_at_most: None,
            atomic: None,
            paymasters: None,
            calls_status: 200,
            batches: vec![],
            quirks: Quirks::default(),
            scripted: VecDeque::new(),
        }
    }

    /// r, s and v (27 or 28).
    pub fn sign(&self, digest: B256) -> [u8; 65] {
        let (signature, id) = self.key.sign_prehash_recoverable(digest.as_slice()).unwrap();
        let mut bytes = [0; 65];
        bytes[..64].copy_from_slice(&signature.to_bytes());
        bytes[64] = 27 + id.to_byte();
        bytes
    }

    /// The next such question is answered by `outcome`, which is given the digest where one is signed.
    pub fn next(&mut self, method: &'static str, outcome: impl FnOnce(&Signer, B256) -> Outcome + 'static) {
        self.scripted.push_back((method, Box::new(outcome)));
    }

    /// The next such question fails.
    pub fn next_fails(&mut self, method: &'static str, code: i64) {
        self.next(method, move |_, _| Err(failure(code, "the wallet's words")));
    }

    /// The next signature is this JSON text.
    pub fn next_signature(&mut self, answer: impl FnOnce(&Signer, B256) -> String + 'static) {
        self.next("eth_signTypedData_v4", move |signer, digest| Ok(json(&answer(signer, digest))));
    }

    pub fn answer(&mut self, chain: &mut Chain, method: &'static str, params: &str) -> Outcome {
        let digest = match method {
            "eth_signTypedData_v4" => {
                let typed_data = json(text(&json(params), "1"));
                eip712::digest(&typed_data).expect("typed data that can be hashed").digest
            }
            _ => B256::ZERO,
        };
        if let Some(index) = self.scripted.iter().position(|(name, _)| *name == method) {
            let (_, scripted) = self.scripted.remove(index).unwrap();
            return scripted(self, digest);
        }
        match method {
            "eth_accounts" => {
                let all: Vec<String> = self.accounts.iter().map(|one| quoted(&format!("{one:#x}"))).collect();
                Ok(json(&format!("[{}]", all.join(","))))
            }
            "eth_chainId" => Ok(Json::String(format!("{:#x}", self.chain_id))),
            "wallet_switchEthereumChain" => {
                let wanted = chain_of(params);
                if !self.known_chains.contains(&wanted) {
                    return Err(self.quirks.unknown_chain.clone().unwrap_or(failure(4902, "unknown chain")));
                }
                self.chain_id = wanted;
                Ok(Json::Null)
            }
            "wallet_addEthereumChain" => {
                self.known_chains.push(chain_of(params));
                if self.quirks.switches_with_add {
                    self.chain_id = chain_of(params);
                }
                Ok(Json::Null)
            }
            "eth_signTypedData_v4" => {
                if self.quirks.refuses.is_some_and(|finds| finds(super::at(&json(params), "1"))) {
                    return Err(failure(-32602, "invalid typed data"));
                }
                let asked = text(&json(params), "0").to_owned();
                assert_eq!(asked.parse::<Address>().unwrap(), address(self.key.verifying_key()), "another's signature");
                Ok(Json::String(alloy_primitives::hex::encode_prefixed(self.sign(digest))))
            }
            "eth_sendTransaction" => {
                let mut asked = json(params);
                if self.quirks.sends_where_it_is {
                    super::set(&mut asked, "0.chainId", &format!(r#""{:#x}""#, self.chain_id));
                    let to = text(&asked, "0.to").parse().unwrap();
                    chain.node(self.chain_id).contracts.entry(to).or_insert_with(|| Box::new(|_| Ok(Json::Null)));
                }
                let hash = chain.node(self.chain_id).send(&asked, self.approves_at_most);
                Ok(Json::String(hex_word(hash)))
            }
            "wallet_getCapabilities" | "wallet_sendCalls" | "wallet_getCallsStatus" => {
                self.answer_calls(chain, method, &json(params))
            }
            // While it is on that chain, the wallet reads it.
            _ => chain.node(self.chain_id).answer(method, params),
        }
    }

    /// The methods of EIP-5792.
    fn answer_calls(&mut self, chain: &mut Chain, method: &str, params: &Json) -> Outcome {
        let Some(atomic) = self.atomic else { return Err(failure(-32601, "no such method")) };
        let is_first = atomic == "1.0";
        if method == "wallet_getCapabilities" {
            let said = match is_first {
                true => r#""atomicBatch":{"supported":true}"#.to_owned(),
                false => format!(r#""atomic":{{"status":"{atomic}"}}"#),
            };
            let paymasters = self.paymasters.map(|said| format!(r#","paymasterService":{said}"#)).unwrap_or_default();
            let said = format!("{{{said}{paymasters}}}");
            return Ok(json(&format!(r#"{{"{}":{said}}}"#, text(params, "1.0"))));
        }
        if method == "wallet_getCallsStatus" {
            let known = self.batches.iter().find(|sent| sent.id == text(params, "0"));
            let Some(Sending { status, hashes, .. }) = known else { return Err(failure(5730, "no such calls")) };
            let fine = u8::from(*status < 300);
            let receipt = |hash| format!(r#"{{"transactionHash":"{hash}","status":"{fine:#x}"}}"#);
            let receipts = hashes.iter().map(receipt).collect::<Vec<_>>().join(",");
            let status = match (is_first, status) {
                (false, status) => status.to_string(),
                (true, 100) => r#""PENDING""#.into(),
                (true, _) => r#""CONFIRMED""#.into(),
            };
            return Ok(json(&format!(r#"{{"status":{status},"receipts":[{receipts}]}}"#)));
        }
        let chain_id = text(params, "0.chainId").to_owned();
        assert_eq!(chain_id, format!("{:#x}", self.chain_id));
        assert_eq!(text(params, "0.version"), if is_first { "1.0" } else { "2.0.0" });
        let id = match is_first {
            true => format!("own-{}", self.batches.len()),
            false => text(params, "0.id").to_owned(),
        };
        if self.batches.iter().any(|sent| sent.id == id) {
            return Err(failure(5720, "duplicate id"));
        }
        let Json::Array(calls) = super::at(params, "0.calls") else { panic!("no calls") };
        let node = chain.node(self.chain_id);
        let mut hashes = vec![];
        for call in calls.iter().filter(|_| self.calls_status < 400) {
            let mut members = super::at(params, "0").clone();
            for name in ["to", "data", "value"] {
                super::set(&mut members, name, &call.get(name).unwrap().write());
            }
            let hash = node.send(&Json::Array(vec![members]), self.approves_at_most);
            node.mine();
            hashes.push(hex_word(hash));
        }
        // All of them are in one transaction.
        let hashes = if self.calls_status == 200 { hashes.pop().into_iter().collect() } else { vec![] };
        self.batches.push(Sending { id: id.clone(), status: self.calls_status, hashes });
        Ok(if is_first { Json::String(id) } else { json(&format!(r#"{{"id":"{id}"}}"#)) })
    }
}
