//! Reading a chain: through the application's RPC for it, or through the wallet while it is on that chain.

use super::account::{answered, big_quantity, quantity};
use crate::client::Client;
use crate::domain::erc20;
use crate::domain::text::ToText;
use crate::domain::token::is_native;
use crate::error::{Error, ErrorCode, Result};
use crate::host::Host;
use crate::json::{Json, JsonAt, ObjectWriter, array, quoted};
use alloy_primitives::{Address, U256};

/// Something to be read.
#[derive(Clone, Copy, Debug)]
pub enum Read<'a> {
    /// The id of the chain behind the RPC.
    ChainId,
    /// The chain's clock, unix seconds.
    Time,
    /// How many bytes of code an account has.
    CodeSize(&'a Address),
    /// Raw units of a token that an account holds.
    Balance(&'a Address, &'a Address),
    /// Raw units of a token that (owner) lets (spender) take.
    Allowance(&'a Address, &'a Address, &'a Address),
    /// A token's own decimals.
    Decimals(&'a Address),
    /// The one word with which a contract answers a call that changes nothing, by the call's data.
    Word(&'a Address, &'a [u8]),
    /// Whether a token would let (owner) approve (spender, amount) now: 1 if so.
    Approve(&'a Address, &'a Address, &'a Address, &'a U256),
}

impl Read<'_> {
    fn request(self) -> (&'static str, String) {
        let at_latest = |first: &str| array(&[first, r#""latest""#]);
        let call = |from: Option<&Address>, to: &Address, data: &[u8]| {
            let mut out = ObjectWriter::object();
            if let Some(from) = from {
                out.value("from", from);
            }
            out.value("to", to);
            out.bytes("data", data);
            ("eth_call", at_latest(&out.close()))
        };
        match self {
            Read::ChainId => ("eth_chainId", "[]".into()),
            Read::Time => ("eth_getBlockByNumber", r#"["latest",false]"#.into()),
            Read::CodeSize(account) => ("eth_getCode", at_latest(&quoted(&account.text()))),
            Read::Balance(token, account) if is_native(*token) => {
                ("eth_getBalance", at_latest(&quoted(&account.text())))
            }
            Read::Balance(token, account) => call(None, token, &erc20::balance_of(*account)),
            Read::Allowance(token, owner, spender) => call(None, token, &erc20::allowance(*owner, *spender)),
            // The native coin has 18 everywhere; something is asked for it all the same, so that answers stay in step.
            Read::Decimals(token) if is_native(*token) => ("eth_chainId", "[]".into()),
            Read::Decimals(token) => call(None, token, &erc20::decimals()),
            Read::Word(contract, data) => call(None, contract, data),
            Read::Approve(token, owner, spender, amount) => {
                call(Some(owner), token, &erc20::approve(*spender, *amount))
            }
        }
    }

    fn answer(self, json: &Json) -> Result<U256> {
        let place = JsonAt::input(json, "answer");
        let bytes = || place.bytes();
        let found = match self {
            Read::Decimals(token) if is_native(*token) => Some(U256::from(18)),
            Read::ChainId => quantity(json).map(U256::from),
            Read::Time => json.get("timestamp").and_then(quantity).map(U256::from),
            Read::CodeSize(_) => Some(U256::from(bytes()?.len())),
            Read::Balance(token, _) if is_native(*token) => big_quantity(json),
            Read::Approve(..) => Some(U256::from(erc20::approved(&bytes()?))),
            _ => erc20::word(&bytes()?),
        };
        found.ok_or_else(|| {
            let message = ["the chain's answer is not one of a token or node: ", &json.write()].concat();
            Error::new(ErrorCode::InvalidInput, &message)
        })
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
            let seen = chain.read(Read::ChainId).await?;
            let is_there = seen == U256::from(chain_id);
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
    pub async fn read(&self, what: Read<'_>) -> Result<U256> {
        Ok(self.read_all(&[what]).await?.first().copied().unwrap_or_default())
    }

    /// What contracts answer calls that change nothing, all of them asked at once; nothing, where a call reverts.
    ///
    /// # Errors
    /// The RPC's failure.
    pub async fn views(&self, all: &[(Address, Vec<u8>)]) -> Result<Vec<Vec<u8>>> {
        let host = &self.client.shared.host;
        let mut asked = Vec::with_capacity(all.len());
        for (to, data) in all {
            let (method, params) = Read::Word(to, data).request();
            asked.push((method, host.ask(&self.provider, method, &params)));
        }
        let mut found = Vec::with_capacity(all.len());
        for (method, prompt) in asked {
            found.push(match answered(self.client, "rpc", method, &prompt, self.signal).await {
                Ok(json) => JsonAt::input(&json, "answer").bytes()?,
                Err(error) if error.reverted => vec![],
                Err(error) => return Err(error),
            });
        }
        Ok(found)
    }

    /// What a node answers several questions, by method and params, all of them asked at once.
    ///
    /// # Errors
    /// The first failure.
    pub async fn answers(&self, questions: &[(&'static str, String)]) -> Result<Vec<Json>> {
        let host = &self.client.shared.host;
        let mut asked = Vec::with_capacity(questions.len());
        for (method, params) in questions {
            asked.push((*method, host.ask(&self.provider, method, params)));
        }
        let mut answers = Vec::with_capacity(asked.len());
        for (method, prompt) in asked {
            answers.push(answered(self.client, "rpc", method, &prompt, self.signal).await?);
        }
        Ok(answers)
    }

    /// Reads several things, all of them asked at once.
    ///
    /// # Errors
    /// The first failure, as [`Chain::read`].
    pub async fn read_all(&self, all: &[Read<'_>]) -> Result<Vec<U256>> {
        let questions: Vec<_> = all.iter().map(|what| what.request()).collect();
        let mut found = Vec::with_capacity(all.len());
        for (what, json) in all.iter().zip(self.answers(&questions).await?) {
            found.push(what.answer(&json)?);
        }
        Ok(found)
    }
}
