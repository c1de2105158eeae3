//! The common part of building a Delta order and a Market transaction: the signer, the reads of the chain before the
//! request to the service, the missing approval, and the seal.
//!
//! `delta.rs` and `market.rs` do the rest. Both rely on [`OpenQuote`]: a quote that was compared with its
//! request.
use crate::client::{Client, Shared};
use crate::flows::chain::approval::write_missing_approval;
use crate::flows::chain::clock::{checked_chain_time, secs_ahead};
use crate::flows::chain::decimals::{check_arriving_decimals, check_decimals};
use crate::flows::chain::early::{PendingSourceReads, SourceReads};
use crate::flows::chain::funding::Funding;
use crate::flows::chain::lens::{PendingPrices, PriceReads};
use crate::flows::chain::open_orders::cover as cover_own;
use crate::flows::chain::outcome::{Outcome, find_outcome};
use crate::flows::chain::reference::read_references;
use crate::flows::quote::opened::OpenQuote;
use crate::flows::resources::cover_open_orders;
use crate::flows::seal::seal;
use crate::flows::sealed_permit::open_permit;
use crate::host::Host;
use crate::ledger::orders::KnownOrder;
use crate::wallet::account::{current_account, no_account};
use crate::wallet::chain::{Chain, retry_fresh};
use crate::wallet::reads::{Batch, Read};
use alloy_primitives::{Address, U256};
use std::rc::Rc;
use verify::internal::domain::approval::ApprovalNeed;
use verify::internal::domain::chain::Protocol;
use verify::internal::domain::delta::terms::EXTERNAL;
use verify::internal::domain::input::optional;
use verify::internal::domain::intent::{Intent, Token};
use verify::internal::domain::market::terms::REQUIRE_BALANCE;
use verify::internal::domain::permit::{Permit, Spending};
use verify::internal::domain::reference::trade_references::TradeReferences;
use verify::internal::domain::side::Side;
use verify::internal::domain::token::is_native;
use verify::internal::domain::transaction::{Payment, Transaction};
use verify::internal::domain::verify::outcome::Trial;
use verify::internal::domain::verify::question::carry_questions;
use verify::internal::error::{Error, Result};
use verify::internal::json::{Json, JsonAt, ObjectWriter, parse};
use verify::internal::value::text::ToText;

/// A verified build, before it has its approval and its seal.
pub struct BuiltPayload {
    /// The text to seal, still open: all that is needed to verify the build again.
    pub inside: ObjectWriter,
    /// The build as shown to the app, as an object's text that is still open.
    pub view: ObjectWriter,
    /// The most that leaves the owner, in raw units of the source token.
    pub spent: U256,
    /// The order, if it is one.
    pub order: Option<Rc<KnownOrder>>,
}

/// The option `coverOpenOrders`: whether the approval also covers the claims, by the service's figure, of open orders
/// that this client does not have; else `false`.
///
/// # Errors
/// INVALID_INPUT with the option.
pub fn covers_open_orders(at: &JsonAt<'_>) -> Result<bool> {
    Ok(optional(&at.get("coverOpenOrders"), |at| at.bool())?.unwrap_or(false))
}

/// The option `requireBalance`: whether a build that takes more than the owner has is refused; else `false`.
///
/// # Errors
/// INVALID_INPUT with the option.
pub fn requires_balance(at: &JsonAt<'_>) -> Result<bool> {
    Ok(optional(&at.option(REQUIRE_BALANCE), |at| at.bool())?.unwrap_or(false))
}

/// The option `permit`, read and its seal checked.
///
/// # Errors
/// INVALID_INPUT if it was edited, is another client's, or was used.
pub fn read_permit<H: Host>(shared: &Shared<H>, at: &JsonAt<'_>) -> Result<Option<Permit>> {
    at.get("permit").some().map(|at| open_permit(shared, &at)).transpose()
}

/// Settles which account signs, writes it into the intent, and returns it. `stated` is the account of the options.
///
/// Refuses a permit that is for another chain, token, owner, spender or a smaller amount.
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
        permit.check_fits(&at.get("permit"), opened.protocol, &spending)?;
    }
    Ok(owner)
}

/// The state known before the service is asked to build.
pub struct Preparation<'a, H: Host> {
    client: &'a Client<H>,
    /// The source chain, if it can be read.
    chain: Option<Chain<'a, H>>,
    /// How many reads were put to nodes before the build began.
    asked_before: u64,
    /// The reference prices of the source chain.
    price_reads: PriceReads,
    /// The reference prices of the destination chain, if it is another one, and that chain if it can be read.
    there: Option<(PriceReads, Option<Chain<'a, H>>)>,
    /// The state of the source chain; `None` if there is no RPC for it and the wallet is on another chain.
    pub found: Option<ChainState>,
    /// The chains on which no decimals could be read: sealed with the build, for [`Intent::note_unread`].
    pub unread: Vec<u64>,
    /// Unix seconds by the chain's clock if it was read, else by this machine's.
    pub now: u64,
    /// The seconds by which `now` is ahead of this machine's clock, if they are more than an hour and a deadline is
    /// counted from `now`. The report then states that: a node that lies about the time makes orders valid for longer.
    pub ahead: Option<u64>,
}

/// The state of the source chain that a trade needs.
pub struct ChainState {
    /// The timestamp of the last block, unix seconds.
    time: u64,
    /// The source token's `decimals()`.
    src_decimals: U256,
    /// The `decimals()` of the token that comes out on the source chain: the destination token, or the bridge input.
    pub out_decimals: U256,
    /// The spender's allowance, in raw units; `None` for the native token, which has none.
    pub allowance: Option<U256>,
    /// The owner's balance of the source token, in raw units, if it was requested.
    pub balance: Option<U256>,
}

/// All reads of a [`ChainState`].
fn questions<H: Host>(
    shared: &Shared<H>,
    opened: &OpenQuote<'_>,
    out: &Address,
    with_balance: bool,
) -> (Batch, PendingSourceReads) {
    let (intent, mut batch) = (&opened.intent, Batch::default());
    let sold = SourceReads {
        chain_id: intent.chain_id,
        src: intent.src.address,
        out: Some(*out),
        owner: Some(intent.account.unwrap_or_default()),
        spenders: [Some(*opened.spender()), None],
        with_balance,
    };
    let asked = sold.ask(&mut batch, &|batch| PendingPrices::add(shared, intent, Some(out), batch));
    (batch, asked)
}

/// The seconds by which `now` is ahead of this machine's clock, if a deadline is counted from it: see
/// [`Preparation::ahead`]. A deadline stated by the caller does not depend on a clock.
fn ahead(at: &JsonAt<'_>, now: u64, machine: u64) -> Option<u64> {
    Some(secs_ahead(now, machine)).filter(|secs| *secs > 0 && at.get("deadline").is_absent())
}

/// Whether the options leave nothing to approve: a permit stands for it, or another contract takes the tokens.
fn approves_none(at: &JsonAt<'_>) -> bool {
    ["permit", EXTERNAL].iter().any(|name| !at.option(name).is_absent())
}

impl<'a, H: Host> Preparation<'a, H> {
    /// The time on the chain by a block that was read in the last hour, and the seconds by which it is ahead, as
    /// [`Preparation::now`] and [`Preparation::ahead`]; `None` if the time was not read, or was read just now. Starts
    /// the reads that [`Preparation::read`] will need, so that they are answered while the service builds.
    ///
    /// # Errors
    /// Same as [`Preparation::read`].
    pub async fn read_beside(
        client: &'a Client<H>,
        opened: &OpenQuote<'_>,
        at: &JsonAt<'_>,
        with_balance: bool,
        signal: &'a H::Signal,
    ) -> Result<Option<(u64, Option<u64>)>> {
        let intent = &opened.intent;
        let Some(chain) = Chain::find(client, intent.chain_id, signal).await? else { return Ok(None) };
        if chain.stale_for(&Read::time()).is_none() {
            return Ok(None);
        }
        let block = chain.read(Read::time().lasting()).await?;
        // The block's age is added, unless it had to be read anew.
        let block = block.saturating_add(chain.stale_for(&Read::time()).unwrap_or_default() / 1_000);
        let machine = client.shared.host.unix_ms() / 1_000;
        let now = checked_chain_time(intent.chain_id, block, machine)?;
        chain.put_early(questions(&client.shared, opened, &intent.dest.address, with_balance).0);
        Ok(Some((now, ahead(at, now, machine))))
    }

    /// Reads the source chain in one batch, for an intent whose account is settled. `out` is the token that comes out
    /// there.
    ///
    /// Refuses decimals that are not the tokens' own, also on the destination chain if that can be read: with wrong
    /// ones an amount is off by powers of ten. Refuses a node of a pinned chain whose clock is far ahead of this
    /// machine's. `asked_before` is how many reads were put to nodes before the build began.
    ///
    /// # Errors
    /// INVALID_INPUT with `request.srcDecimals`, `request.destDecimals` or the RPC; the RPC's failure.
    pub async fn read(
        client: &'a Client<H>,
        opened: &OpenQuote<'_>,
        at: &JsonAt<'_>,
        out: &Address,
        (with_balance, asked_before): (bool, u64),
        signal: &'a H::Signal,
    ) -> Result<Preparation<'a, H>> {
        retry_fresh(&client.shared, opened.intent.chain_id, signal, async || {
            let intent = &opened.intent;
            let chain = Chain::find(client, intent.chain_id, signal).await?;
            let (mut found, mut price_reads) = (None, PriceReads::unread(&client.shared, intent.chain_id));
            if let Some(chain) = &chain {
                let (batch, asked) = questions(&client.shared, opened, out, with_balance);
                let answers = chain.ask(batch).await?;
                let [allowance, _] = asked.allowances;
                found = Some(ChainState {
                    time: answers.get(asked.time)?,
                    src_decimals: answers.get(asked.src_decimals)?,
                    out_decimals: answers.get_if_asked(asked.out_decimals)?.ok_or_else(Error::unreachable)?,
                    allowance: answers.get_if_asked(allowance)?,
                    balance: answers.get_if_asked(asked.balance)?,
                });
                price_reads = match asked.references {
                    Some(asking) => asking.finish_latest(chain, &answers).await?,
                    None => PriceReads::default(),
                };
            }
            let mut unread: Vec<u64> = found.is_none().then_some(intent.chain_id).into_iter().collect();
            if !check_arriving_decimals(client, intent, signal).await? {
                unread.push(intent.dest_chain_id);
            }
            let there = match intent.is_crosschain() {
                true => Some(PriceReads::read_latest(client, intent, signal).await?),
                false => None,
            };
            let machine = client.shared.host.unix_ms() / 1_000;
            let mut now = machine;
            if let Some(found) = &found {
                check_decimals(intent, &found.src_decimals, &found.out_decimals)?;
                now = checked_chain_time(intent.chain_id, found.time, machine)?;
            }
            let ahead = ahead(at, now, machine);
            Ok(Preparation { client, chain, asked_before, price_reads, there, found, unread, now, ahead })
        })
        .await
    }

    /// Starts to read an allowance anew that was too low when it was read, and what `approve` reads beside it, so that
    /// both are there once the service has built. The amount of a purchase is not known yet: there an allowance of zero is too low.
    pub fn renew_low(&self, opened: &OpenQuote<'_>, at: &JsonAt<'_>) {
        let Intent { src, account, side, amount, .. } = &opened.intent;
        let least = if *side == Side::Sell { *amount } else { U256::from(1) };
        let is_low = |found: &ChainState| found.allowance.is_some_and(|allowance| allowance < least);
        if let (Some(chain), Some(owner)) = (&self.chain, account)
            && self.found.as_ref().is_some_and(is_low)
            && !approves_none(at)
        {
            let mut batch = Batch::default();
            batch.add(Read::allowance(&src.address, owner, opened.spender()).recent());
            batch.add(Read::transaction_count(owner).tried());
            chain.renew(batch, self.asked_before);
        }
    }

    /// The reference prices of a trade; `bridge_input` is the token that enters a bridge, with its decimals.
    ///
    /// # Errors
    /// Same as [`read_references`].
    pub async fn read_references(
        &mut self,
        intent: &Intent,
        bridge_input: Option<&Token>,
        signal: &H::Signal,
    ) -> Result<TradeReferences> {
        if let Some(chain) = &self.chain {
            self.price_reads.finish_older(chain).await?;
        }
        if let Some((price_reads, Some(chain))) = &mut self.there {
            price_reads.finish_older(chain).await?;
        }
        let there = self.there.as_ref().map(|(price_reads, _)| price_reads);
        read_references(self.client, intent, (&self.price_reads, there), bridge_input, signal).await
    }

    /// Tries a transaction, behind the approval that it lacks.
    ///
    /// # Errors
    /// ABORTED.
    pub async fn try_outcome(&self, transaction: &Transaction, trial: &Trial) -> Result<Outcome> {
        match &self.chain {
            Some(chain) => {
                let allowance = self.found.as_ref().and_then(|found| found.allowance);
                find_outcome(chain, transaction, trial, allowance).await
            }
            None => Ok(Outcome::default()),
        }
    }

    /// Adds the missing approval and seals the build. Returns the build as JSON text for the app. The approval leaves the
    /// owner's own open orders their share, with `cover` also those that only the service has.
    ///
    /// # Errors
    /// The service's (with `cover`) and the RPC's failures.
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
        let BuiltPayload { mut inside, mut view, spent, order } = built;
        // If another contract handles the order, the app approves the amount that it takes.
        let takes_none = is_native(*src) || approves_none(at);
        if requires_balance(at)? && at.option(EXTERNAL).is_absent() {
            self.require_balance(opened, spent, signal).await?;
        }
        let spent = if takes_none { U256::ZERO } else { spent };
        let current = self.found.as_ref().and_then(|found| found.allowance);
        let mut need = ApprovalNeed::new(
            opened.protocol,
            intent.chain_id,
            src,
            &owner,
            opened.spender(),
            &spent,
            current.as_ref(),
        );
        if cover && !spent.is_zero() {
            let chain = Chain::need(client, intent.chain_id, signal).await?;
            cover_open_orders(&chain, &mut need, order.as_deref()).await?;
        } else if let Some(chain) = self.chain.as_ref().filter(|_| !spent.is_zero()) {
            cover_own(chain, &mut need, order.as_deref(), U256::ZERO).await?;
        }
        // The allowance read for the quote may have changed since: the user must not be asked to approve twice.
        if let Some(chain) = self.chain.as_ref().filter(|_| current.is_some_and(|current| current < need.amount)) {
            let (mut batch, read) = (Batch::default(), Read::allowance(src, &owner, opened.spender()).recent());
            batch.add(read.clone());
            chain.renew(batch, self.asked_before);
            need.current = Some(chain.read(read).await?);
        }
        if need.is_missing() {
            let shown = parse(&view.closed()).map_err(Error::not_json)?;
            need.questions = carry_questions(shown.get("report").unwrap_or(&Json::Null));
        }
        let approval = write_missing_approval(client, self.chain.as_ref(), need).await?;
        inside.raw("approval", &approval);
        view.raw("approval", &approval);
        view.text("sealed", &seal(&client.shared.settings.secret, &inside.close()));
        Ok(view.close())
    }

    /// Refuses a build that takes more than the owner has, if the chain could be read; the balance is read anew before.
    ///
    /// # Errors
    /// INSUFFICIENT_BALANCE; the RPC's failure.
    async fn require_balance(&self, opened: &OpenQuote<'_>, spent: U256, signal: &H::Signal) -> Result<()> {
        let held = self.found.as_ref().and_then(|found| found.balance).unwrap_or_default();
        let (intent, Some(chain)) = (&opened.intent, self.chain.as_ref().filter(|_| held < spent)) else {
            return Ok(());
        };
        let native = is_native(intent.src.address);
        let pays = Payment { protocol: opened.protocol, token: intent.src.address, amount: spent, permit: None };
        let is_order = opened.protocol == Protocol::Delta;
        let funding = Funding {
            chain_id: intent.chain_id,
            owner: intent.account.unwrap_or_default(),
            spender: *opened.spender(),
            native: if native { spent } else { U256::ZERO },
            deposited: opened.deployment.contracts.wrapped_native.filter(|_| native && is_order),
            pays: Some(pays).filter(|_| !native),
            field_prefix: "",
            decimals: &[(intent.src.clone(), "request.srcDecimals".into())],
            is_signed: false,
        };
        funding.require_held(chain, signal).await
    }
}

/// The account that signs: that of the options, else of the request (or the client's), else the wallet's first.
///
/// # Errors
/// INVALID_INPUT with `options.account` if options and request name two, or if there is none; the wallet's failure.
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
        None => current_account(client, signal).await?,
        stated => stated,
    };
    owner.ok_or_else(|| no_account(client, "options.account"))
}
