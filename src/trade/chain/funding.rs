//! What is given for a trade: whether the owner has it, and lets it be taken.

use crate::client::Client;
use crate::domain::permit::{Permit, Spending};
use crate::domain::text::ToText;
use crate::domain::token::{NATIVE, is_native, own_decimals};
use crate::domain::transaction::{Payment, StatedDecimals};
use crate::domain::verify::Checks;
use crate::error::{Error, ErrorCode, Result};
use crate::host::Host;
use crate::trade::approve::{ApprovalNeed, write_missing_approval};
use crate::trade::chain::clock::chain_time;
use crate::wallet::reads::{Batch, Chain, Read};
use alloy_primitives::{Address, U256};

/// What somebody has to have, and to allow, before something is signed or sent.
#[derive(Clone, Copy, Debug)]
pub struct Funding<'a> {
    pub chain_id: u64,
    pub owner: Address,
    /// The contract that takes it.
    pub spender: Address,
    /// Of the native coin, raw units.
    pub native: U256,
    /// The token as which coins that were deposited count as well.
    pub deposited: Option<Address>,
    /// The tokens; none where only coins are given.
    pub pays: Option<Payment>,
    /// Where the caller said what it takes, with a dot; empty where the trade says it.
    pub field_prefix: &'static str,
    pub decimals: &'a [StatedDecimals],
}

/// What the chain says of an outlay.
pub struct Holdings {
    /// The time there, unix seconds.
    pub now: u64,
    native: U256,
    tokens: U256,
    allowance: U256,
}

impl Funding<'_> {
    /// Reads all of it at once. Decimals that are not the tokens' own end it here.
    ///
    /// # Errors
    /// INVALID_INPUT with the member; the RPC's failure.
    pub async fn read<H: Host>(&self, chain: &Chain<'_, H>) -> Result<Holdings> {
        let mut batch = Batch::default();
        let owner = &self.owner;
        let time = batch.add(Read::time());
        let native = (!self.native.is_zero()).then(|| batch.add(Read::balance(&NATIVE, owner)));
        let deposited = self.deposited.map(|wrapped| batch.add(Read::balance(&wrapped, owner)));
        let tokens = self.pays.map(|pays| batch.add(Read::balance(&pays.token, owner)));
        let allowance = self.pays.map(|pays| batch.add(Read::allowance(&pays.token, owner, &self.spender)));
        let mut decimals = Vec::new();
        for (token, ..) in self.decimals {
            decimals.push(batch.add(Read::decimals(token)));
        }
        let answers = chain.ask(batch).await?;
        let machine = chain.client.shared.host.unix_ms() / 1_000;
        let holdings = Holdings {
            now: chain_time(self.chain_id, answers.get(time)?, machine),
            native: answers.get_or_default(native)?.max(answers.get_or_default(deposited)?),
            tokens: answers.get_or_default(tokens)?,
            allowance: answers.get_or_default(allowance)?,
        };
        for ((_, stated, field), own) in self.decimals.iter().zip(decimals) {
            own_decimals(field, *stated, &answers.get(own)?)?;
        }
        Ok(holdings)
    }

    /// Whether what was found suffices.
    ///
    /// # Errors
    /// INSUFFICIENT_BALANCE, INSUFFICIENT_ALLOWANCE.
    pub fn check_covered(&self, found: &Holdings) -> Result<()> {
        require_amount(&NATIVE, (self.field_prefix, None), &self.native, &found.native)?;
        let Some(pays) = &self.pays else { return Ok(()) };
        require_amount(&pays.token, (self.field_prefix, None), &pays.amount, &found.tokens)?;
        match pays.permit {
            Some(_) => Ok(()),
            None => {
                require_amount(&pays.token, (self.field_prefix, Some(&self.spender)), &pays.amount, &found.allowance)
            }
        }
    }

    /// What has to be approved first, as JavaScript sees it: `null` where nothing has, as far as it was read. And the
    /// time there, where that was read.
    ///
    /// # Errors
    /// INVALID_INPUT where stated decimals are not the token's own; the RPC's failure.
    pub async fn approval<H: Host>(&self, client: &Client<H>, signal: &H::Signal) -> Result<(String, Option<u64>)> {
        let chain = Chain::find(client, self.chain_id, signal).await?;
        let mut found = None;
        if let Some(chain) = &chain {
            found = Some(self.read(chain).await?);
        }
        let mut approval = "null".into();
        if let Some(pays) = self.pays.filter(|pays| pays.permit.is_none()) {
            let (token, owner, spender) = (&pays.token, &self.owner, &self.spender);
            let current = found.as_ref().map(|found| &found.allowance);
            let need = ApprovalNeed::new(pays.path, self.chain_id, token, owner, spender, &pays.amount, current);
            approval = write_missing_approval(client, chain.as_ref(), need).await?;
        }
        Ok((approval, found.map(|found| found.now)))
    }

    /// The error, with what to approve where an allowance is what it is about.
    pub async fn with_approval<H: Host>(&self, client: &Client<H>, mut error: Error, signal: &H::Signal) -> Error {
        if error.code == ErrorCode::InsufficientAllowance
            && let Ok((approval, _)) = self.approval(client, signal).await
        {
            error.approval = Some(approval).filter(|approval| approval != "null");
        }
        error
    }

    /// Notes whether a permit is the owner's, for this. `now` is unix seconds.
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

/// Whether there is as much as is needed of that token, or as much of it that the spender may take; raw units of both.
/// The field stands within that path.
///
/// # Errors
/// INSUFFICIENT_BALANCE, INSUFFICIENT_ALLOWANCE.
pub fn require_amount(
    token: &Address,
    (field_prefix, spender): (&str, Option<&Address>),
    needed: &U256,
    found: &U256,
) -> Result<()> {
    if found >= needed {
        return Ok(());
    }
    let of = if is_native(*token) { "the native token".into() } else { token.text() };
    let (code, name, subject) = match spender {
        None => (ErrorCode::InsufficientBalance, "balance", ["not enough of ", &of, ": "].concat()),
        Some(spender) => {
            let subject = ["not enough of ", &of, " that ", &spender.text(), " may take: "].concat();
            (ErrorCode::InsufficientAllowance, "allowance", subject)
        }
    };
    Err(Error::at(code, &subject, &[field_prefix, name].concat(), &needed.text(), &found.text()))
}
