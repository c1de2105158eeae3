//! The allowances to read, without repetitions and limited in number, and their answers.

use crate::flows::allowances::holder::AllowanceHolder;
use crate::flows::allowances::spenders::Spender;
use crate::flows::chain::clock::chain_time;
use crate::wallet::reads::{Answers, Batch, Pending, Read};
use alloy_primitives::Address;
use verify::internal::domain::asset;
use verify::internal::domain::erc20;
use verify::internal::domain::token::is_native;
use verify::internal::error::Result;
use verify::internal::json::ObjectWriter;

/// The most tokens that are read. Each takes up to two reads for each contract.
pub const MAX_TOKENS: usize = 64;
/// The most unread tokens that are named.
const MAX_UNREAD: usize = 256;

/// One allowance to read.
pub struct AllowanceQuery {
    /// The keeper of the allowance.
    pub holder: AllowanceHolder,
    /// The ERC-20 token that may be taken.
    pub token: Address,
    /// The spender's place among the spenders.
    pub spender: usize,
}

/// The allowances to read, without repetitions and limited in number.
#[derive(Default)]
pub struct AllowanceQueries {
    /// The tokens, each once.
    tokens: Vec<Address>,
    /// How many of them, the first ones, come from elsewhere than the logs.
    known: usize,
    queries: Vec<AllowanceQuery>,
    /// Tokens that were found but not read.
    pub unread: Vec<Address>,
}

impl AllowanceQueries {
    /// Adds an allowance, unless there is no room for another token.
    pub fn add(&mut self, query: AllowanceQuery) {
        let (holder, token, spender) = (query.holder, query.token, query.spender);
        if is_native(token)
            || self.queries.iter().any(|known| (known.holder, known.token, known.spender) == (holder, token, spender))
        {
            return;
        }
        if !self.tokens.contains(&token) {
            if self.tokens.len() >= MAX_TOKENS {
                return self.skip(token);
            }
            self.tokens.push(token);
        }
        self.queries.push(query);
    }

    /// Adds all possible allowances of named tokens; called before those that only logs name.
    pub fn add_tokens(&mut self, tokens: Vec<Address>, spenders: usize) {
        for token in tokens {
            for spender in 0..spenders {
                for (holder, _) in AllowanceHolder::ALL {
                    self.add(AllowanceQuery { holder, token, spender });
                }
            }
        }
        self.known = self.tokens.len();
    }

    /// Adds an unread token.
    fn skip(&mut self, token: Address) {
        if self.unread.len() < MAX_UNREAD && !self.unread.contains(&token) {
            self.unread.push(token);
        }
    }

    /// All reads, and the places of their answers. No check depends on the answers: one node will do.
    pub fn questions(&self, owner: Address, spenders: &[Spender]) -> (Batch, AllowanceReads) {
        let mut batch = Batch::default();
        let question = |query: &AllowanceQuery| {
            let spender = spenders.get(query.spender).map_or(Address::ZERO, |spender| spender.address);
            let data = query.holder.question(query.token, owner, spender);
            Read::view_if_any(&query.holder.contract(query.token), &data).named("allowance")
        };
        let decimals = |token: &Address| Read::view_if_any(token, &erc20::decimals()).named("decimals");
        let asked = AllowanceReads {
            time: batch.add(Read::time()),
            allowances: batch.add_all(self.queries.iter().map(question)),
            decimals: batch.add_all(self.tokens.iter().map(decimals)),
        };
        (batch.informing(), asked)
    }

    /// The `Allowance`s that are still valid, as JSON texts. A token without an answer counts as unread: one that is
    /// made to fail must not hide the others.
    pub fn found(
        &mut self,
        answers: &AllowanceAnswers,
        (chain_id, owner): (u64, Address),
        spenders: &[Spender],
    ) -> Vec<String> {
        let mut all = Vec::new();
        for (query, answer) in core::mem::take(&mut self.queries).iter().zip(&answers.allowances) {
            let Some(answer) = answer else {
                self.skip(query.token);
                continue;
            };
            let (amount, until) = query.holder.amount(answer, answers.now);
            let place = self.tokens.iter().position(|token| *token == query.token).unwrap_or_default();
            let Some(spender) = spenders.get(query.spender).filter(|_| !amount.is_zero()) else { continue };
            let told =
                || answers.decimals.get(place).and_then(|answer| u8::try_from(erc20::word(answer.as_ref()?)?).ok());
            let decimals = asset::decimals(chain_id, query.token).or_else(told);
            let mut out = ObjectWriter::object();
            out.number("chainId", chain_id);
            out.value("account", &owner);
            out.value("token", &query.token);
            out.number_or_null("decimals", decimals);
            out.value("spender", &spender.address);
            out.text("contract", spender.protocol.label());
            out.text("name", &spender.name);
            out.flag("isCurrent", spender.is_current);
            out.flag("isKnown", place < self.known);
            out.text("kind", query.holder.label());
            out.value("amount", &amount);
            out.flag("isUnlimited", query.holder.is_unlimited(amount));
            out.number_or_null("expiration", until);
            all.push(out.close());
        }
        all
    }
}

/// The reads of a [`AllowanceQueries`], not answered yet.
pub struct AllowanceReads {
    time: Pending<u64>,
    allowances: Vec<Pending<Option<Vec<u8>>>>,
    decimals: Vec<Pending<Option<Vec<u8>>>>,
}

/// The answers, in the same order; `None` where there was none.
pub struct AllowanceAnswers {
    /// The time on the chain, unix seconds.
    now: u64,
    allowances: Vec<Option<Vec<u8>>>,
    decimals: Vec<Option<Vec<u8>>>,
}

impl AllowanceReads {
    /// Takes the answers to all reads. `machine` is this machine's clock, unix seconds.
    ///
    /// # Errors
    /// WALLET_FAILED if an answer has another form than the read expects.
    pub fn take(self, answers: &Answers, chain_id: u64, machine: u64) -> Result<AllowanceAnswers> {
        Ok(AllowanceAnswers {
            now: chain_time(chain_id, answers.get(self.time)?, machine),
            allowances: answers.get_all(self.allowances)?,
            decimals: answers.get_all(self.decimals)?,
        })
    }
}
