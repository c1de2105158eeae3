//! What build and submit will read of a chain, asked for while the service looks for a price, so that nobody waits for it
//! later. What it says only warns; it counts for 12 s (`wallet/reads.rs`), and is read again before a prompt if it is older.

use crate::client::Client;
use crate::domain::chain::Protocol;
use crate::domain::intent::Intent;
use crate::domain::token::is_native;
use crate::host::{Host, Signal};
use crate::trade::chain::deployment::find_known;
use crate::wallet::chain::Chain;
use crate::wallet::reads::{Batch, Read};

/// Asks the application's nodes, and awaits nothing. What is of an account only if one is known by now.
pub fn read_early<H: Host>(client: &Client<H>, intent: &Intent) {
    let (src, dest) = (&intent.src.address, &intent.dest.address);
    let mut batch = Batch::default();
    batch.add(Read::time().recent());
    batch.add(Read::decimals(src));
    if intent.is_crosschain() {
        let mut there = Batch::default();
        there.add(Read::decimals(dest));
        put(client, intent.dest_chain_id, there);
    } else {
        batch.add(Read::decimals(dest));
    }
    if let Some(owner) = &intent.account.or(client.shared.last_account.get()) {
        batch.add(Read::code_size(owner).lasting());
        batch.add(Read::balance(src, owner).recent());
        let wanted = intent.pricing.mode.protocol();
        for protocol in [Protocol::Delta, Protocol::Market] {
            if let Some(known) = find_known(&client.shared, intent.chain_id, protocol)
                && let Some(spender) = known.contracts.of(protocol)
                && wanted.is_none_or(|wanted| wanted == protocol)
                && !is_native(*src)
            {
                batch.add(Read::allowance(src, owner, &spender).recent());
            }
        }
    }
    put(client, intent.chain_id, batch);
}

/// Only to the application's nodes: a wallet's chain has to be asked for first.
fn put<H: Host>(client: &Client<H>, chain_id: u64, batch: Batch) {
    if let Some(chain) = Chain::given(client, chain_id, &H::Signal::never()) {
        chain.put_early(batch);
    }
}
