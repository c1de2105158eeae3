//! ERC-20 approvals (<https://eips.ethereum.org/EIPS/eip-20>): exactly what the trade may spend, for exactly one
//! spender.

use super::abi::word_at;
use super::chain::{Deployment, Protocol};
use super::erc20;
use super::fields::{Fields, members};
use super::input::{MAX_EXACT, account, amount_input, chain_id, known};
use super::permit::PERMIT2;
use super::transaction::Transaction;
use crate::error::{Error, ErrorCode, Result};
use crate::json::{Json, JsonAt, ObjectWriter};
use crate::value::text::ToText;
use alloy_primitives::{Address, U256};

/// An allowance that a trade needs before its contract can take the token. In JavaScript: `Approval`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ApprovalNeed {
    /// The protocol whose contract the spender is; its member is called `path`.
    pub protocol: Protocol,
    /// The chain of token and spender.
    pub chain_id: u64,
    /// The ERC-20 token; never the native token, which needs no allowance.
    pub token: Address,
    /// The account that approves, and whose wallet is asked.
    pub owner: Address,
    /// The account that may take the token: the protocol's contract, or Permit2.
    pub spender: Address,
    /// The allowance that is needed, in raw units of the token: for the trade itself, for open orders, and for the
    /// service's figure beyond them.
    pub amount: U256,
    /// How many of the owner's own open orders the amount covers, too.
    pub open_orders: u64,
    /// The part of the amount that is for them, in raw units.
    pub for_open_orders: U256,
    /// The part of what these orders need that is beyond the owner's balance, in raw units: they cannot all be filled.
    pub unfunded: U256,
    /// The part of the amount that other open orders have claimed by the service's word, in raw units.
    pub claimed: U256,
    /// The allowance now, in raw units; `None` if the chain could not be read.
    pub current: Option<U256>,
    /// The token accepts a new allowance only while the old one is zero (as USDT does): it is set to zero first.
    pub reset_first: bool,
    /// The open questions of the build that it is for, as a JSON array: nothing is approved before they are answered.
    pub questions: String,
}

impl ApprovalNeed {
    members! { MEMBERS of need: ApprovalNeed;
        "path": required(Protocol::read, need.protocol), text(need.protocol.label());
        "chainId": required(chain_id, need.chain_id), number(need.chain_id);
        "token": required(account, need.token), value(&need.token);
        "owner": required(account, need.owner), value(&need.owner);
        "spender": required(account, need.spender), value(&need.spender);
        "amount": required(amount_input, need.amount), value(&need.amount);
        "openOrders": required(|at| at.integer(MAX_EXACT), need.open_orders), number(need.open_orders);
        "forOpenOrders": required(JsonAt::uint, need.for_open_orders), value(&need.for_open_orders);
        "unfunded": required(JsonAt::uint, need.unfunded), value(&need.unfunded);
        "claimed": required(JsonAt::uint, need.claimed), value(&need.claimed);
        "current": optional(JsonAt::uint, need.current), value_or_null(need.current.as_ref());
        "resetFirst": required(JsonAt::bool, need.reset_first), flag(need.reset_first);
        "questions": required(|at| at.items().map(|_| at.json().map_or(String::new(), Json::write)), need.questions),
            raw(&need.questions);
    }

    /// A need of `amount` where the allowance now is `current`, both in raw units; no reset, until
    /// the client finds out that the token wants one.
    pub fn new(
        protocol: Protocol,
        chain_id: u64,
        token: &Address,
        owner: &Address,
        spender: &Address,
        amount: &U256,
        current: Option<&U256>,
    ) -> ApprovalNeed {
        ApprovalNeed {
            protocol,
            chain_id,
            token: *token,
            owner: *owner,
            spender: *spender,
            amount: *amount,
            current: current.copied(),
            questions: "[]".into(),
            ..ApprovalNeed::default()
        }
    }

    /// The members without the seal, as an object's text that is still open: the seal is made of it.
    pub fn begin(&self) -> ObjectWriter {
        let mut out = ObjectWriter::object();
        ApprovalNeed::write_members(&mut out, self);
        out
    }

    /// Reads the members of an `Approval`. Its own statements are trusted, so the caller has to check its seal.
    ///
    /// # Errors
    /// INVALID_INPUT with the member that is missing or unknown.
    pub fn read(at: &JsonAt<'_>) -> Result<Box<ApprovalNeed>> {
        known(at, &ApprovalNeed::MEMBERS)?;
        let mut need = Box::<ApprovalNeed>::default();
        let mut fields = Fields::of(at);
        ApprovalNeed::read_members(&mut fields, &mut need);
        fields.finish()?;
        Ok(need)
    }

    /// Raises the amount to that of `shown`, if both are about the same allowance: a build's approval covers open
    /// orders, too.
    pub fn covering(mut self, shown: Option<&ApprovalNeed>) -> ApprovalNeed {
        let subject = |need: &ApprovalNeed| (need.protocol, need.chain_id, need.token, need.owner, need.spender);
        if let Some(shown) = shown.filter(|shown| subject(shown) == subject(&self) && shown.amount > self.amount) {
            self.amount = shown.amount;
            (self.open_orders, self.for_open_orders, self.unfunded, self.claimed) =
                (shown.open_orders, shown.for_open_orders, shown.unfunded, shown.claimed);
        }
        self
    }

    /// The amount to approve, in raw units: the needed one, or that of the options if it is more.
    ///
    /// # Errors
    /// INVALID_INPUT with `options.amount` if it is less than the needed amount.
    pub fn amount_to_approve(&self, stated: Option<U256>) -> Result<U256> {
        let amount = stated.unwrap_or(self.amount);
        if amount < self.amount {
            let expected = ["at least ", &self.amount.text()].concat();
            return Err(Error::input("options.amount", &expected, &amount.text()));
        }
        Ok(amount)
    }

    /// Whether the allowance is too low, or was not read.
    pub fn is_missing(&self) -> bool {
        !self.amount.is_zero() && self.current.is_none_or(|current| current < self.amount)
    }

    /// Refuses an allowance that is still too low: in the prompt the user can approve less than requested.
    ///
    /// # Errors
    /// INSUFFICIENT_ALLOWANCE with both amounts.
    pub fn check_sufficient(&self) -> Result<()> {
        let Some(current) = self.current.filter(|_| self.is_missing()) else { return Ok(()) };
        let expected = ["at least ", &self.amount.text()].concat();
        let subject = "after the approval, the ";
        Err(Error::at(ErrorCode::InsufficientAllowance, subject, "allowance", &expected, &current.text()))
    }

    /// The calls that the owner's wallet sends so that the spender may take `amount`: the reset, if the token wants
    /// one, and the approval.
    pub fn steps(&self, amount: U256) -> Vec<Step> {
        let steps = [("resetting", U256::ZERO), ("approving", amount)].into_iter();
        let step = |(name, allowance)| Step {
            name,
            allowance,
            transaction: Transaction {
                chain_id: self.chain_id,
                owner: self.owner,
                to: self.token,
                value: U256::ZERO,
                data: erc20::approve(self.spender, allowance),
                pays: None,
                decimals: vec![],
            },
        };
        steps.skip(usize::from(!self.reset_first)).map(step).collect()
    }

    /// Its effect, for a person, with an allowance of `amount`, raw units; with its parts, if it is for more than the
    /// trade.
    pub fn sentence(&self, amount: &U256) -> String {
        let effect = ["Approve ", &amount.text(), " raw units of ", &self.token.text(), " for ", &self.spender.text()];
        let parts = if amount < &self.amount { String::new() } else { self.parts() };
        [effect.concat(), parts].concat()
    }

    /// The parts of its amount after a colon, if it is for more than the trade, and what the balance lacks; else nothing.
    pub fn parts(&self) -> String {
        let others = self.for_open_orders.saturating_add(self.claimed);
        if others.is_zero() && self.unfunded.is_zero() {
            return String::new();
        }
        let mut text = [": ", &self.amount.saturating_sub(others).text(), " for this order"].concat();
        if self.open_orders > 0 {
            let plural = if self.open_orders == 1 { " open order" } else { " open orders" };
            let (share, count) = (self.for_open_orders.text(), self.open_orders.text());
            text.push_str(&[", ", &*share, " for ", &count, plural].concat());
        }
        if !self.unfunded.is_zero() {
            text.push_str(&[" (the account holds ", &*self.unfunded.text(), " less than all of that takes)"].concat());
        }
        if !self.claimed.is_zero() {
            text.push_str(&[", ", &*self.claimed.text(), " for open orders by the service's word"].concat());
        }
        text
    }

    /// The request to the user, for the journal: an allowance of `amount`, raw units.
    pub fn summary(&self, amount: &U256) -> String {
        let mut summary = ObjectWriter::object();
        summary.text("sentence", &self.sentence(amount));
        let mut approval = ObjectWriter::object();
        approval.value("token", &self.token);
        approval.value("spender", &self.spender);
        approval.value("amount", amount);
        summary.raw("approval", &approval.close());
        summary.close()
    }

    /// Refuses a spender that is neither the protocol's contract on that chain nor Permit2. Permit2 takes a token only
    /// by a signed permit, which names the contract again.
    ///
    /// # Errors
    /// VERIFY_MISMATCH with `approval.spender`.
    pub fn check_spender(&self, deployment: &Deployment) -> Result<()> {
        if deployment.contracts.of(self.protocol) == Some(self.spender) || self.spender == PERMIT2 {
            return Ok(());
        }
        let subject = "the spender is not the contract that settles these trades: ";
        let (expected, actual) = (deployment.describe(self.protocol), self.spender.text());
        Err(Error::at(ErrorCode::VerifyMismatch, subject, "approval.spender", &expected, &actual))
    }
}

/// [`ApprovalNeed::sentence`] of a call that approves; empty for another one.
pub fn approval_sentence(call: &Transaction) -> String {
    let Some((spender, amount)) = approved_by(&call.data) else { return String::new() };
    ApprovalNeed { token: call.to, spender, ..ApprovalNeed::default() }.sentence(&amount)
}

/// The spender and the allowance, in raw units, of the calldata of `approve`; `None` if it is too short.
pub fn approved_by(data: &[u8]) -> Option<(Address, U256)> {
    let arguments = data.get(4..)?;
    Some((Address::from_word(word_at(arguments, 0)?.into()), word_at(arguments, 32)?))
}

/// A call of `approve` that the wallet is asked to send.
pub struct Step {
    /// Its name in progress.
    pub name: &'static str,
    /// The allowance after it, raw units.
    pub allowance: U256,
    /// The transaction of the call.
    pub transaction: Transaction,
}
