//! What building has in common on both paths: who signs, what the chain says before the service is asked, what has to be
//! approved, and the seal.

use crate::client::{Client, Shared};
use crate::domain::input::optional;
use crate::domain::intent::Intent;
use crate::domain::permit::{Permit, Spending};
use crate::domain::side::Side;
use crate::domain::text::ToText;
use crate::domain::token::is_native;
use crate::error::{Error, Result};
use crate::host::Host;
use crate::json::{JsonAt, ObjectWriter};
use crate::trade::approve::{ApprovalNeed, write_missing_approval};
use crate::trade::chain::clock::{checked_chain_time, secs_ahead};
use crate::trade::chain::decimals::{check_arriving_decimals, check_decimals};
use crate::trade::permit::open_permit;
use crate::trade::quote::request::OpenQuote;
use crate::trade::resources::cover_open_orders;
use crate::trade::seal::seal;
use crate::wallet::account::current;
use crate::wallet::reads::{Batch, Chain, Read};
use alloy_primitives::{Address, U256};

/// What was built, verified.
pub struct BuiltPayload {
    /// The text to seal, still open.
    pub inside: ObjectWriter,
    /// The build as JavaScript sees it, still open.
    pub view: ObjectWriter,
    /// The most that leaves the owner, raw units.
    pub spent: U256,
}

/// Whether the approval is to cover what open orders have claimed as well.
///
/// # Errors
/// INVALID_INPUT with the option.
pub fn covers_open_orders(at: &JsonAt<'_>) -> Result<bool> {
    Ok(optional(&at.get("coverOpenOrders"), |at| at.bool())?.unwrap_or(false))
}

/// The permit among the options, opened.
///
/// # Errors
/// INVALID_INPUT where it is none that counts.
pub fn read_permit<H: Host>(shared: &Shared<H>, at: &JsonAt<'_>) -> Result<Option<Permit>> {
    at.get("permit").some().map(|at| open_permit(shared, &at)).transpose()
}

/// Settles who signs, and refuses a permit that is not for that. `stated` is who the options say.
///
/// # Errors
/// INVALID_INPUT with the option; the wallet's failure.
pub async fn settle_signer<H: Host>(
    client: &Client<H>,
    opened: &mut OpenQuote<'_>,
    at: &JsonAt<'_>,
    stated: Option<Address>,
    permit: Option<&Permit>,
    signal: &H::Signal,
) -> Result<Address> {
    if let Some(why) = opened.doubt {
        require_bound(at, opened.intent.side, why)?;
    }
    let owner = find_signer(client, &opened.intent, stated, signal).await?;
    opened.intent.account = Some(owner);
    if let Some(permit) = permit {
        let intent = &opened.intent;
        let spending = Spending {
            chain_id: intent.chain_id,
            token: intent.src.address,
            owner,
            spender: *opened.spender(),
            amount: if intent.side == Side::Sell { intent.amount } else { U256::ZERO },
            deadline: None,
            now: 0,
        };
        permit.fits(&at.get("permit"), opened.protocol, &spending)?;
    }
    Ok(owner)
}

/// What is known before the service is asked.
pub struct Preparation<'a, H: Host> {
    client: &'a Client<H>,
    chain: Option<Chain<'a, H>>,
    /// What the chain says; `None` where it cannot be read.
    pub found: Option<ChainState>,
    /// The time by the chain's clock, where it was read; by the machine's otherwise. Unix seconds.
    pub now: u64,
    /// By how many seconds that is ahead of the machine's clock, where that is far and a deadline is counted from it.
    pub ahead: Option<u64>,
}

/// What a chain says of a trade.
pub struct ChainState {
    /// Of its last block, unix seconds.
    time: u64,
    /// The own decimals of what is given.
    src_decimals: U256,
    /// The own decimals of what comes out on this chain.
    pub out_decimals: U256,
    /// What the contract may take, raw units; `None` of the native token, which needs no approval.
    pub allowance: Option<U256>,
    /// What the owner has, raw units, where that was asked for.
    pub balance: Option<U256>,
}

impl<'a, H: Host> Preparation<'a, H> {
    /// Reads the chain, all at once, for an intent whose account is settled. `out` is the token that comes out there.
    ///
    /// # Errors
    /// INVALID_INPUT where stated decimals are not the tokens' own, or the node's clock is wrong; the RPC's failure.
    pub async fn read(
        client: &'a Client<H>,
        opened: &OpenQuote<'_>,
        at: &JsonAt<'_>,
        out: &Address,
        with_balance: bool,
        signal: &'a H::Signal,
    ) -> Result<Preparation<'a, H>> {
        let intent = &opened.intent;
        let chain = Chain::find(client, intent.chain_id, signal).await?;
        let mut found = None;
        if let Some(chain) = &chain {
            let (src, owner) = (&intent.src.address, intent.account.unwrap_or_default());
            let mut batch = Batch::default();
            let time = batch.add(Read::time());
            let (src_decimals, out_decimals) = (batch.add(Read::decimals(src)), batch.add(Read::decimals(out)));
            let allowance = (!is_native(*src)).then(|| batch.add(Read::allowance(src, &owner, opened.spender())));
            let balance = with_balance.then(|| batch.add(Read::balance(src, &owner)));
            let answers = chain.ask(batch).await?;
            found = Some(ChainState {
                time: answers.get(time)?,
                src_decimals: answers.get(src_decimals)?,
                out_decimals: answers.get(out_decimals)?,
                allowance: answers.get_if_asked(allowance)?,
                balance: answers.get_if_asked(balance)?,
            });
        }
        check_arriving_decimals(client, intent, signal).await?;
        let machine = client.shared.host.unix_ms() / 1_000;
        let mut now = machine;
        if let Some(found) = &found {
            check_decimals(intent, &found.src_decimals, &found.out_decimals)?;
            now = checked_chain_time(intent.chain_id, found.time, machine)?;
        }
        // A deadline that the caller named is counted from no clock.
        let ahead = Some(secs_ahead(now, machine)).filter(|secs| *secs > 0 && at.get("deadline").is_absent());
        Ok(Preparation { client, chain, found, now, ahead })
    }

    /// Adds what has to be approved, and seals what was built. Returns the build as JavaScript sees it. With `cover` the
    /// approval is also of what open orders have claimed.
    ///
    /// # Errors
    /// Those of service and RPC.
    pub async fn finish(
        &self,
        opened: &OpenQuote<'_>,
        at: &JsonAt<'_>,
        cover: bool,
        built: BuiltPayload,
        signal: &H::Signal,
    ) -> Result<String> {
        let (client, intent) = (self.client, &opened.intent);
        let (src, owner) = (&intent.src.address, intent.account.unwrap_or_default());
        let BuiltPayload { mut inside, mut view, spent } = built;
        // Of an order that another contract handles, that one's needs are for the application to meet.
        let takes_none = is_native(*src) || ["permit", "external"].iter().any(|name| !at.get(name).is_absent());
        let spent = if takes_none { U256::ZERO } else { spent };
        let current = self.found.as_ref().and_then(|found| found.allowance.as_ref());
        let mut need =
            ApprovalNeed::new(opened.protocol, intent.chain_id, src, &owner, opened.spender(), &spent, current);
        if cover && !need.amount.is_zero() {
            need.amount =
                cover_open_orders(client, need.protocol, need.chain_id, owner, need.token, need.amount, signal).await?;
        }
        let approval = write_missing_approval(client, self.chain.as_ref(), need).await?;
        inside.raw("approval", &approval);
        view.raw("approval", &approval);
        view.text("sealed", &seal(&client.shared.secret, &inside.close()));
        Ok(view.close())
    }
}

/// Where a price may be any, for that reason, the caller says how little, or how much, is too much.
fn require_bound(at: &JsonAt<'_>, side: Side, why: &str) -> Result<()> {
    let bound = at.get(if side == Side::Sell { "minReceived" } else { "maxSpent" });
    if bound.is_absent() {
        return Err(bound.fault(&["a bound of your own (", why, ")"].concat()));
    }
    Ok(())
}

/// Who signs: the one named here, in the request, by the client, or the wallet's first account.
async fn find_signer<H: Host>(
    client: &Client<H>,
    intent: &Intent,
    stated: Option<Address>,
    signal: &H::Signal,
) -> Result<Address> {
    if let (Some(here), Some(there)) = (&stated, &intent.account)
        && here != there
    {
        return Err(Error::input("options.account", &there.text(), &here.text()));
    }
    let owner = match stated.or(intent.account) {
        None => current(client, signal).await?,
        stated => stated,
    };
    owner.ok_or_else(|| Error::input("options.account", "the account that will sign, or a connected wallet", "nothing"))
}
