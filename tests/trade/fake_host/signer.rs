//! The wallet: a real key, and answers that can be replaced one by one.

use super::chain::{Chain, hex_word};
use super::tree::{json, text};
use alloy_primitives::{Address, B256};
use k256::ecdsa::{RecoveryId, Signature, SigningKey, VerifyingKey};
use std::collections::VecDeque;
use verified_swap::domain::eip712;
use verified_swap::host::WalletFailure;
use verified_swap::json::{Json, quoted};

type Outcome = Result<Json, WalletFailure>;
type Scripted = Box<dyn FnOnce(&Signer, B256) -> Outcome>;

pub struct Signer {
    pub key: SigningKey,
    pub accounts: Vec<Address>,
    pub chain_id: u64,
    /// Chains it can switch to.
    pub known_chains: Vec<u64>,
    /// Approves at most this, whatever it is asked for.
    pub approves_at_most: Option<alloy_primitives::U256>,
    scripted: VecDeque<(&'static str, Scripted)>,
}

pub fn failure(code: i64, message: &str) -> WalletFailure {
    WalletFailure {
        code: Some(code),
        message: message.into(),
        data: None,
        cause: None,
        aborted: false,
        unreachable: false,
        status: None,
    }
}

/// Who signed, by another library's recovery, from 65 bytes or 64.
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
                let wanted = text(&json(params), "0.chainId").to_owned();
                let wanted = u64::from_str_radix(wanted.trim_start_matches("0x"), 16).unwrap();
                if !self.known_chains.contains(&wanted) {
                    return Err(failure(4902, "unknown chain"));
                }
                self.chain_id = wanted;
                Ok(Json::Null)
            }
            "eth_signTypedData_v4" => {
                let asked = text(&json(params), "0").to_owned();
                assert_eq!(asked.parse::<Address>().unwrap(), address(self.key.verifying_key()), "another's signature");
                Ok(Json::String(alloy_primitives::hex::encode_prefixed(self.sign(digest))))
            }
            "eth_sendTransaction" => {
                let hash = chain.node(self.chain_id).send(&json(params), self.approves_at_most);
                Ok(Json::String(hex_word(hash)))
            }
            // While it is on that chain, the wallet reads it.
            _ => chain.node(self.chain_id).answer(method, params),
        }
    }
}
