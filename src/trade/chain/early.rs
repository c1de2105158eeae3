//! Early reads: the state of a chain that build and submit need, requested while the service looks for a price, or
//! while the user types, so that nothing waits for it later. Reference prices count for a minute; other answers count
//! for 12 s (`wallet/reads.rs`) and are read anew before a prompt if they are older.

use crate::client::Client;
use crate::domain::chain::Protocol;
use crate::domain::input::{account, chain_id, optional};
use crate::domain::intent::Intent;
use crate::domain::token::is_native;
use crate::error::Result;
use crate::host::{Host, Signal};
use crate::json::{JsonAt, quoted};
use crate::trade::call::CallArgs;
use crate::trade::chain::deployment::find_known;
use crate::trade::chain::lens::PendingPrices;
use crate::trade::chain::reference::put_to_application;
use crate::wallet::account::current_account;
use crate::wallet::chain::Chain;
use crate::wallet::reads::{Batch, Read};
use alloy_primitives::Address;

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

impl Pair {
    /// Starts the reads, and awaits nothing.
    fn ask<H: Host>(&self, client: &Client<H>) {
        let mut batch = Batch::default();
        batch.add(Read::time().recent());
        batch.add(Read::decimals(self.chain_id, &self.src));
        let other = if self.dest_chain_id == self.chain_id { self.dest } else { self.src };
        PendingPrices::add_about(&client.shared, self.chain_id, [self.src, other], self.protocol, &mut batch);
        if self.dest_chain_id == self.chain_id {
            batch.add(Read::decimals(self.chain_id, &self.dest));
        } else {
            let mut there = Batch::default();
            there.add(Read::decimals(self.dest_chain_id, &self.dest));
            PendingPrices::add_about(&client.shared, self.dest_chain_id, [self.dest; 2], self.protocol, &mut there);
            ask_nodes(client, self.dest_chain_id, there);
        }
        if let Some(owner) = &self.owner {
            batch.add(Read::code_size(owner).lasting());
            batch.add(Read::balance(&self.src, owner).recent());
            for protocol in [Protocol::Delta, Protocol::Market] {
                if let Some(known) = find_known(&client.shared, self.chain_id, protocol)
                    && let Some(spender) = known.contracts.of(protocol)
                    && self.protocol.is_none_or(|wanted| wanted == protocol)
                    && !is_native(self.src)
                {
                    batch.add(Read::allowance(&self.src, owner, &spender).recent());
                }
            }
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
