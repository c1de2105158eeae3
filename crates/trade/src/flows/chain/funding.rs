//! The amounts that an order or a transaction takes from its owner, compared with the owner's balance and allowance.
//!
//! They are read before a prompt opens, so that the user signs no order that cannot be filled, and again after a
//! failure, so that the error carries the missing approval.

use crate::client::{Client, Shared};
use crate::flows::chain::approval::write_missing_approval;
use crate::flows::chain::clock::chain_time;
use crate::flows::chain::open_orders::{cover, spent_before};
use crate::host::Host;
use crate::ledger::orders::KnownOrder;
use crate::wallet::batch::ask_early;
use crate::wallet::chain::{Chain, retry_fresh};
use crate::wallet::reads::{Batch, Head, Pending, Read};
use alloy_primitives::{Address, U256};
use verify::internal::domain::approval::ApprovalNeed;
use verify::internal::domain::chain::Protocol;
use verify::internal::domain::display::quantity;
use verify::internal::domain::intent::Token;
use verify::internal::domain::permit::{Permit, Spending};
use verify::internal::domain::token::{NATIVE, own_decimals};
use verify::internal::domain::transaction::{Payment, StatedDecimals, Transaction};
use verify::internal::domain::verify::Checks;
use verify::internal::domain::verify::question::carry_questions;
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::Json;
use verify::internal::value::amount::format_units;
use verify::internal::value::text::ToText;

/// The balance and the allowance that an owner needs before an order is signed or a transaction is sent.
#[derive(Clone, Copy, Debug)]
pub struct Funding<'a> {
    /// The chain of the payment.
    pub chain_id: u64,
    /// The account that pays.
    pub owner: Address,
    /// The contract that takes the tokens.
    pub spender: Address,
    /// The amount of the native token, in wei.
    pub native: U256,
    /// Delta's wrapped native token, if a deposit of it counts as native token.
    pub deposited: Option<Address>,
    /// The payment in tokens; `None` if only the native token is paid.
    pub pays: Option<Payment>,
    /// The prefix of `balance` and `allowance` in an error's field, with a dot; empty if the field belongs to the trade
    /// itself.
    pub field_prefix: &'static str,
    /// The decimals stated by the caller: compared with the tokens' own in the same batch.
    pub decimals: &'a [StatedDecimals],
    /// Whether the owner signs: then the size of the owner's code is read in the same batch, for
    /// [`super::signature_check::accepted_form`].
    pub is_signed: bool,
}

/// The owner's balances and allowance on the chain.
pub struct Holdings {
    /// The time on the chain, unix seconds: see [`chain_time`].
    pub now: u64,
    /// Wei: the balance, or the deposited amount if it is more.
    native: U256,
    /// The balance of the token, in raw units.
    tokens: U256,
    /// The spender's allowance of that token, in raw units.
    pub allowance: U256,
    /// The contract's answer about the nonce of the permit; empty without one, and if there is no such function.
    permit: Vec<u8>,
    /// The size of the owner's code in bytes, if it was requested and the node reports it.
    pub code: Option<u64>,
    /// The node's latest block then, if it reports one.
    pub block: Option<u64>,
}

/// The reads of a [`Funding`], not answered yet.
struct FundingReads {
    head: Pending<Head>,
    native: Option<Pending<U256>>,
    deposited: Option<Pending<U256>>,
    tokens: Option<Pending<U256>>,
    allowance: Option<Pending<U256>>,
    permit: Option<Pending<Vec<u8>>>,
    decimals: Vec<Pending<U256>>,
    code: Option<Pending<u64>>,
}

impl<'a> Funding<'a> {
    /// The funds that a transaction's sender needs: its value, and the balance and allowance of the tokens that it
    /// takes.
    pub fn of(transaction: &'a Transaction) -> Funding<'a> {
        Funding {
            chain_id: transaction.chain_id,
            owner: transaction.owner,
            spender: transaction.to,
            native: transaction.value,
            deposited: None,
            field_prefix: "",
            pays: transaction.pays,
            decimals: &transaction.decimals,
            is_signed: false,
        }
    }
}

impl Funding<'_> {
    /// Reads everything in one batch, and refuses stated decimals that are not the tokens' own. Answers of the last 12
    /// s are reused: the caller looks twice before it refuses anything because of them ([`retry_fresh`]).
    ///
    /// # Errors
    /// INVALID_INPUT with the member that states them; the RPC's failure.
    pub async fn read<H: Host>(&self, chain: &Chain<'_, H>) -> Result<Holdings> {
        let (batch, asked) = self.questions();
        let answers = chain.ask(batch).await?;
        let (machine, head) = (chain.client.shared.host.unix_ms() / 1_000, answers.get(asked.head)?);
        let holdings = Holdings {
            now: chain_time(self.chain_id, head.time, machine),
            block: head.number,
            native: answers.get_or_default(asked.native)?.max(answers.get_or_default(asked.deposited)?),
            tokens: answers.get_or_default(asked.tokens)?,
            allowance: answers.get_or_default(asked.allowance)?,
            permit: answers.get_or_default(asked.permit)?,
            code: asked.code.and_then(|code| answers.get(code).ok()),
        };
        for ((token, field), own) in self.decimals.iter().zip(asked.decimals) {
            own_decimals(field, token.decimals, &answers.get(own)?)?;
        }
        Ok(holdings)
    }

    /// Starts the reads of [`Funding::read`], and awaits nothing.
    pub fn read_early<H: Host>(&self, chain: &Chain<'_, H>) {
        chain.put_early(self.questions().0);
    }

    /// All reads, and the places of their answers.
    fn questions(&self) -> (Batch, FundingReads) {
        let (mut batch, owner) = (Batch::default(), &self.owner);
        let nonce = |pays: Payment| pays.permit?.nonce_call(*owner, pays.token, self.spender);
        let asked = FundingReads {
            head: batch.add(Read::head().recent()),
            native: (!self.native.is_zero()).then(|| batch.add(Read::balance(&NATIVE, owner).recent())),
            deposited: self.deposited.map(|wrapped| batch.add(Read::balance(&wrapped, owner).recent())),
            tokens: self.pays.map(|pays| batch.add(Read::balance(&pays.token, owner).recent())),
            allowance: self.pays.map(|pays| batch.add(Read::allowance(&pays.token, owner, &self.spender).recent())),
            permit: self
                .pays
                .and_then(nonce)
                .map(|(to, data)| batch.add(Read::view(&to, &data).named("nonce").recent())),
            decimals: batch
                .add_all(self.decimals.iter().map(|(token, _)| Read::decimals(self.chain_id, &token.address))),
            code: self.is_signed.then(|| batch.add(Read::code_size(owner).lasting().or_nothing())),
        };
        (batch, asked)
    }

    /// Refuses a balance or an allowance that is too low. A permit that is not used replaces the allowance.
    ///
    /// # Errors
    /// INSUFFICIENT_BALANCE, INSUFFICIENT_ALLOWANCE, with both amounts; INVALID_INPUT with the permit, with the action
    /// `rebuild` if the allowance suffices without it.
    pub fn check_covered(&self, found: &Holdings) -> Result<()> {
        self.check_held(found)?;
        let Some(pays) = &self.pays else { return Ok(()) };
        let Some(permit) = pays.permit else {
            return self.require(&pays.token, Some(&self.spender), &pays.amount, &found.allowance, found.block);
        };
        if permit.is_unused(&found.permit) {
            return Ok(());
        }
        let field = if self.is_signed && pays.protocol == Protocol::Otc { "options.permit" } else { "build.permit" };
        let suffices = found.allowance >= pays.amount;
        let expected = match suffices {
            true => "none: it is used, and the allowance suffices: build again without it",
            false => "one that is not used: sign another",
        };
        let mut error = Error::input(field, expected, &["the nonce ", &permit.nonce.text()].concat());
        error.action = suffices.then_some("rebuild");
        Err(error.as_of(found.block))
    }

    /// [`Funding::check_covered`] for an order that is not posted: others have [spent](spent_before) their share of the
    /// allowance.
    ///
    /// # Errors
    /// Same as [`Funding::check_covered`].
    pub fn check_covered_beside<H: Host>(
        &self,
        mut found: Holdings,
        shared: &Shared<H>,
        order: Option<&KnownOrder>,
    ) -> Result<()> {
        if let Some(need) = self.need(None) {
            let spent = spent_before(shared, &need, order, found.tokens);
            found.allowance = found.allowance.saturating_sub(spent);
        }
        self.check_covered(&found)
    }

    /// Refuses a balance that is too low.
    ///
    /// # Errors
    /// INSUFFICIENT_BALANCE, with both amounts.
    fn check_held(&self, found: &Holdings) -> Result<()> {
        self.require(&NATIVE, None, &self.native, &found.native, found.block)?;
        match &self.pays {
            Some(pays) => self.require(&pays.token, None, &pays.amount, &found.tokens, found.block),
            None => Ok(()),
        }
    }

    /// Calls [`require_amount`] for the state after `block`; in whole units if the token's decimals are stated.
    fn require(
        &self,
        address: &Address,
        spender: Option<&Address>,
        needed: &U256,
        found: &U256,
        block: Option<u64>,
    ) -> Result<()> {
        let native = Token { chain_id: self.chain_id, address: NATIVE, decimals: 18, ..Token::default() };
        let known =
            self.decimals.iter().map(|(token, _)| token).chain([&native]).find(|token| token.address == *address);
        require_amount(address, known, (self.field_prefix, spender), needed, found).map_err(|error| error.as_of(block))
    }

    /// The owner's holdings, if `check` accepts them; reads them twice before it refuses.
    ///
    /// # Errors
    /// The errors of [`Funding::read`], and of `check`.
    async fn read_checked<H: Host>(
        &self,
        chain: &Chain<'_, H>,
        check: fn(&Self, &Holdings) -> Result<()>,
        signal: &H::Signal,
    ) -> Result<Holdings> {
        let read = async || {
            let found = self.read(chain).await?;
            check(self, &found).map(|()| found)
        };
        // The user must not be asked to approve twice.
        retry_fresh(&chain.client.shared, self.chain_id, signal, read).await
    }

    /// Refuses if the owner's balance is less than the payment.
    ///
    /// # Errors
    /// INSUFFICIENT_BALANCE, with both amounts; INVALID_INPUT if stated decimals are not the token's own; the RPC's
    /// failure.
    pub async fn require_held<H: Host>(&self, chain: &Chain<'_, H>, signal: &H::Signal) -> Result<()> {
        self.read_checked(chain, Funding::check_held, signal).await.map(|_| ())
    }

    /// The missing approval, as JSON text (`null` if none is missing), and the time on the chain, if it can be read. It has
    /// the questions of the `report` of what it is for, and covers the own open orders beside `order`.
    ///
    /// # Errors
    /// INVALID_INPUT if stated decimals are not the token's own; the RPC's failure.
    pub async fn approval<H: Host>(
        &self,
        client: &Client<H>,
        (report, order): (&Json, Option<&KnownOrder>),
        signal: &H::Signal,
    ) -> Result<(String, Option<u64>)> {
        let chain = Chain::find(client, self.chain_id, signal).await?;
        let mut found = None;
        if let Some(chain) = &chain {
            found = Some(match self.read_checked(chain, Funding::check_covered, signal).await {
                Ok(found) => found,
                Err(error) if error.field.as_deref() == Some("block") => return Err(error),
                Err(_) => self.read(chain).await?,
            });
        }
        let mut approval = "null".into();
        if let Some(mut need) = self.need(found.as_ref().map(|found| found.allowance)) {
            need.questions = carry_questions(report);
            if let Some(chain) = &chain {
                cover(chain, &mut need, order, U256::ZERO).await?;
            }
            approval = write_missing_approval(client, chain.as_ref(), need).await?;
            if approval != "null" && !client.shared.settings.never_batches {
                ask_early(client, self.owner, self.chain_id);
            }
        }
        Ok((approval, found.map(|found| found.now)))
    }

    /// The allowance that is needed, while the current one is `current`; `None` if none is needed.
    pub fn need(&self, current: Option<U256>) -> Option<ApprovalNeed> {
        let pays = self.pays.filter(|pays| pays.permit.is_none())?;
        let (token, owner, spender) = (&pays.token, &self.owner, &self.spender);
        Some(ApprovalNeed::new(pays.protocol, self.chain_id, token, owner, spender, &pays.amount, current.as_ref()))
    }

    /// Adds the missing approval to an INSUFFICIENT_ALLOWANCE: the app can pass it to `approve`. `report` is that of the
    /// build.
    pub async fn with_approval<H: Host>(
        &self,
        client: &Client<H>,
        mut error: Error,
        (report, order): (&Json, Option<&KnownOrder>),
        signal: &H::Signal,
    ) -> Error {
        if error.code == ErrorCode::InsufficientAllowance {
            client.shared.nodes.forget_state(self.chain_id);
            let approval = self.approval(client, (report, order), signal).await;
            error.approval = approval.ok().map(|(approval, _)| approval).filter(|approval| approval != "null");
        }
        error
    }

    /// Notes whether a permit is for this chain, token, owner, spender and amount, and not expired. Refuses one that
    /// would let another account take the tokens, or less than needed. `now` is unix seconds.
    pub fn verify_permit(&self, permit: &Permit, now: u64, checks: &mut Checks) {
        let Some(pays) = &self.pays else { return };
        let spending = Spending {
            chain_id: self.chain_id,
            token: pays.token,
            owner: self.owner,
            spender: self.spender,
            amount: pays.amount,
            deadline: None,
            now,
        };
        permit.verify_by_token(checks, &spending);
    }
}

/// Refuses an amount that is less than needed, both in raw units: a balance, or the allowance of `spender`.
/// `field_prefix` stands before `balance` or `allowance` in the error's field. If the token is `known`, the message has
/// its units.
///
/// # Errors
/// INSUFFICIENT_BALANCE; INSUFFICIENT_ALLOWANCE with a spender.
pub fn require_amount(
    token: &Address,
    known: Option<&Token>,
    (field_prefix, spender): (&str, Option<&Address>),
    needed: &U256,
    found: &U256,
) -> Result<()> {
    if found >= needed {
        return Ok(());
    }
    let (needs, there) = match known {
        Some(token) => (quantity(*needed, token), format_units(*found, token.decimals).unwrap_or_default()),
        None => ([&*needed.text(), " raw units of ", &token.text()].concat(), found.text()),
    };
    let (code, name, has) = match spender {
        None => (ErrorCode::InsufficientBalance, "balance", "the account has ".into()),
        Some(spender) => {
            let has = ["the account lets ", &*spender.text(), " take "].concat();
            (ErrorCode::InsufficientAllowance, "allowance", has)
        }
    };
    let field = [field_prefix, name].concat();
    let mut error = Error::at(code, "", &field, &needed.text(), &found.text());
    error.message = ["not enough: it takes ", &*needs, ", ", &has, &there].concat();
    Err(error)
}
