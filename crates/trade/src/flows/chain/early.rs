//! Early reads: the state of a chain that build and submit need, requested while the service looks for a price, or
//! while the user types, so that nothing waits for it later. Reference prices count for a minute; other answers count
//! for 12 s (`wallet/reads.rs`) and are read anew before a prompt if they are older.

use crate::client::Client;
use crate::flows::call::CallArgs;
use crate::flows::chain::deployment::find_known;
use crate::flows::chain::lens::PendingPrices;
use crate::flows::chain::reference::put_to_application;
use crate::host::{Host, Signal};
use crate::wallet::account::current_account;
use crate::wallet::chain::Chain;
use crate::wallet::reads::{Batch, Pending, Read};
use alloy_primitives::{Address, U256};
use verify::internal::domain::chain::Protocol;
use verify::internal::domain::input::{account, chain_id, optional};
use verify::internal::domain::intent::Intent;
use verify::internal::domain::token::is_native;
use verify::internal::error::Result;
use verify::internal::json::{JsonAt, quoted};

/// Two tokens, and the account that trades them.
struct Pair {
    chain_id: u64,
    src: Address,
    dest_chain_id: u64,
    dest: Address,
    /// The account that gives `src`, if it is known by now.
    owner: Option<Address>,
    /// `None` for the better of the two.
    protocol: Option<Protocol>,
}

/// Starts the reads that a trade will need, and awaits nothing. Reads about an account only if one is known by now.
pub fn read_early<H: Host>(client: &Client<H>, intent: &Intent) {
    let pair = Pair {
        chain_id: intent.chain_id,
        src: intent.src.address,
        dest_chain_id: intent.dest_chain_id,
        dest: intent.dest.address,
        owner: intent.account.or(client.shared.nodes.last_account.get()),
        protocol: intent.pricing.mode.protocol(),
    };
    pair.ask(client);
    put_to_application(client, intent);
}

/// The call `warm`: starts the reads that a trade of these tokens will need, at the application's nodes. Returns the
/// service's base URL as a JSON string, so that a connection can be opened to it; sends no request to the service.
///
/// # Errors
/// INVALID_INPUT with the pair's member; the wallet's failure.
pub async fn warm<H: Host>(client: &Client<H>, call: &CallArgs<'_, H>) -> Result<String> {
    let at = JsonAt::input(call.data, "pair");
    let from = chain_id(&at.get("chainId"))?;
    let stated = optional(&at.get("account"), account)?.or(client.defaults().account);
    let mut pair = Pair {
        chain_id: from,
        src: at.get("srcToken").address()?,
        dest_chain_id: optional(&at.get("destChainId"), chain_id)?.unwrap_or(from),
        dest: at.get("destToken").address()?,
        owner: stated,
        protocol: None,
    };
    if pair.owner.is_none() {
        pair.owner = current_account(client, call.signal).await?;
    }
    pair.ask(client);
    Ok(quoted(&client.shared.settings.base_url))
}

/// The reads about the sold token, on its chain, before anything is built; from as much of the trade as is known.
pub struct SourceReads {
    /// The chain of the sold token.
    pub chain_id: u64,
    /// The sold token.
    pub src: Address,
    /// The token that comes out on this chain: the destination token, or the bridge input.
    pub out: Option<Address>,
    /// The account that gives the sold token.
    pub owner: Option<Address>,
    /// The contracts that may take it.
    pub spenders: [Option<Address>; 2],
    /// Whether the owner's balance is read.
    pub with_balance: bool,
}

/// The reads of [`SourceReads::ask`], not answered yet.
pub struct PendingSourceReads {
    /// The timestamp of the last block.
    pub time: Pending<u64>,
    /// The sold token's `decimals()`.
    pub src_decimals: Pending<U256>,
    /// Those of the token that comes out.
    pub out_decimals: Option<Pending<U256>>,
    /// The reference prices, if there are any for this chain.
    pub references: Option<PendingPrices>,
    /// Each spender's allowance; none for the native token.
    pub allowances: [Option<Pending<U256>>; 2],
    /// The owner's balance of the sold token.
    pub balance: Option<Pending<U256>>,
}

impl SourceReads {
    /// Adds all reads; `add_prices` adds those of the reference prices.
    pub fn ask(
        &self,
        batch: &mut Batch,
        add_prices: &dyn Fn(&mut Batch) -> Option<PendingPrices>,
    ) -> PendingSourceReads {
        let (src, owner) = (&self.src, self.owner.as_ref());
        let spent = owner.filter(|_| !is_native(*src));
        PendingSourceReads {
            time: batch.add(Read::time().recent()),
            src_decimals: batch.add(Read::decimals(self.chain_id, src)),
            references: add_prices(batch),
            out_decimals: self.out.map(|out| batch.add(Read::decimals(self.chain_id, &out))),
            allowances: self.spenders.map(|spender| {
                let (owner, spender) = spent.zip(spender)?;
                Some(batch.add(Read::allowance(src, owner, &spender).recent()))
            }),
            balance: owner.filter(|_| self.with_balance).map(|owner| batch.add(Read::balance(src, owner).recent())),
        }
    }
}

impl Pair {
    /// Starts the reads, and awaits nothing.
    fn ask<H: Host>(&self, client: &Client<H>) {
        let (shared, mut batch) = (&client.shared, Batch::default());
        let is_here = self.dest_chain_id == self.chain_id;
        let spender = |protocol| {
            let known = find_known(shared, self.chain_id, protocol)?.contracts.of(protocol);
            known.filter(|_| self.protocol.is_none_or(|wanted| wanted == protocol))
        };
        let sold = SourceReads {
            chain_id: self.chain_id,
            src: self.src,
            out: is_here.then_some(self.dest),
            owner: self.owner,
            spenders: [Protocol::Delta, Protocol::Market].map(spender),
            with_balance: true,
        };
        let other = if is_here { self.dest } else { self.src };
        sold.ask(&mut batch, &|batch| {
            PendingPrices::add_about(shared, self.chain_id, [self.src, other], self.protocol, batch)
        });
        if let Some(owner) = &self.owner {
            batch.add(Read::code_size(owner).lasting());
        }
        if !is_here {
            let mut there = Batch::default();
            there.add(Read::decimals(self.dest_chain_id, &self.dest));
            PendingPrices::add_about(shared, self.dest_chain_id, [self.dest; 2], self.protocol, &mut there);
            ask_nodes(client, self.dest_chain_id, there);
        }
        ask_nodes(client, self.chain_id, batch);
    }
}

/// Uses the application's nodes only: a wallet would have to be asked for its chain first.
fn ask_nodes<H: Host>(client: &Client<H>, chain_id: u64, batch: Batch) {
    if let Some(chain) = Chain::given(client, chain_id, &H::Signal::never()) {
        chain.put_early(batch);
    }
}
