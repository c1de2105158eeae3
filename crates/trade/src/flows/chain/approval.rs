//! The approval that a build needs: sealed for the app, and compared with the chain.
//!
//! A build states the missing allowance as an [`ApprovalNeed`], sealed, so that a script that changes the app's state cannot
//! choose the spender or the amount.

use crate::client::{Client, Shared};
use crate::flows::chain::deployment::find_deployment;
use crate::flows::seal::{close_sealed, open_sealed};
use crate::host::Host;
use crate::ledger::record::{Entry, Stage};
use crate::wallet::chain::{Chain, retry_fresh};
use crate::wallet::confirm::Purpose;
use crate::wallet::reads::{Batch, Pending as PendingRead, Read};
use crate::wallet::transaction::Message;
use alloy_primitives::{Address, B256, U256, b256};
use std::rc::Rc;
use verify::internal::domain::approval::{ApprovalNeed, approved_by};
use verify::internal::domain::delta::status::COMPLETED;
use verify::internal::domain::erc20::word;
use verify::internal::domain::transaction::Transaction;
use verify::internal::error::{ErrorCode, Result};
use verify::internal::json::{Json, JsonAt};

/// Opens an `Approval` that the app passes back. Only a build of this client returned it: another could name any
/// spender.
///
/// # Errors
/// INVALID_INPUT with the member that was edited, is missing or unknown; with the approval, if another client made it.
pub fn open_approval(at: &JsonAt<'_>, secret: &[u8; 32]) -> Result<Box<ApprovalNeed>> {
    ApprovalNeed::read(&JsonAt::input(&open_sealed(secret, at)?, "approval"))
}

/// The approval of a build, as shown to the user; `None` if there is none, or another client's order was noted with it.
pub fn shown_approval<H: Host>(client: &Client<H>, build: &Json) -> Option<ApprovalNeed> {
    let at = JsonAt::input(build, "build").get("approval").some()?;
    open_approval(&at, &client.shared.settings.secret).ok().map(|need| *need)
}

/// The calls that precede a trade with this need, in one prompt with it: exactly the needed amount, for the
/// protocol's own contract. Empty if the allowance suffices by now.
///
/// # Errors
/// VERIFY_MISMATCH with `approval.spender`; the RPC's failure.
pub async fn preceding<H: Host>(mut need: ApprovalNeed, chain: &Chain<'_, H>) -> Result<Vec<Transaction>> {
    need.check_spender(&find_deployment(&chain.client.shared, need.chain_id, need.protocol, chain.signal).await?)?;
    need.current = Some(chain.read(allowance(&need)).await?);
    if !need.is_missing() {
        return Ok(vec![]);
    }
    find_reset(chain, &mut need).await?;
    Ok(need.steps(need.amount).into_iter().map(|step| step.transaction).collect())
}

/// Reads the allowance; one that is too low counts only if its block is not older than the last receipt seen.
///
/// # Errors
/// The RPC's failure; NETWORK with `block`.
pub async fn read_current<H: Host>(need: &mut ApprovalNeed, chain: &Chain<'_, H>) -> Result<()> {
    let chain_id = need.chain_id;
    let read = async || {
        let mut batch = Batch::default();
        let (head, allowance) = (batch.add(Read::head()), batch.add(allowance(need)));
        let answers = chain.ask(batch).await?;
        let head = answers.get(head)?;
        need.current = Some(answers.get(allowance)?);
        need.check_sufficient().map_err(|error| error.as_of(head.number))
    };
    let outcome = retry_fresh(&chain.client.shared, chain_id, chain.signal, read).await;
    outcome.or_else(|error| if error.code == ErrorCode::InsufficientAllowance { Ok(()) } else { Err(error) })
}

/// How long an approval counts as on its way, in milliseconds.
const RECENT_MS: u64 = 300_000;

/// The key of the approval that covers the need once it is in a block: [`recent_approval`], while it is on its way.
pub fn approval_on_its_way<H: Host>(shared: &Shared<H>, need: &ApprovalNeed) -> Option<B256> {
    recent_approval(shared, need).filter(|last| last.stage == Stage::Sent).map(|last| last.key)
}

/// The approval that covers the need, on its way or in a block: the one that this client's wallet sent last for that
/// token and spender, as each replaces the one before. `None` if that one failed, allows less, or changed longer ago than
/// [`RECENT_MS`]: it may have been dropped.
pub fn recent_approval<H: Host>(shared: &Shared<H>, need: &ApprovalNeed) -> Option<Entry> {
    let sets = [Purpose::Approve, Purpose::Revoke].map(|purpose| Some(purpose.name()));
    let allowed = |entry: &Entry| {
        let is_theirs =
            sets.contains(&entry.purpose.as_deref()) && (entry.chain_id, entry.owner) == (need.chain_id, need.owner);
        // One that was not sent, or failed, set nothing.
        let is_set = entry.stage == Stage::Sent || entry.status.as_deref() == Some(COMPLETED);
        let call = entry.asked().filter(|call| is_theirs && is_set && call.to == need.token)?;
        approved_by(&call.data).and_then(|(spender, amount)| (spender == need.spender).then_some(amount))
    };
    let all = shared.ledger.trades(|entry| allowed(entry).is_some());
    let last = all.into_iter().max_by_key(|entry| entry.started_at).filter(|last| !last.is_foreign());
    let now = shared.host.unix_ms();
    let is_recent = |last: &Entry| now.saturating_sub(last.changed_at) < RECENT_MS;
    let suffices = |last: &Entry| allowed(last).is_some_and(|amount| amount >= need.amount);
    last.filter(|last| is_recent(last) && suffices(last))
}

/// `Approval(address,address,uint256)` of ERC-20. ERC-721 has an event of the same name with another topic.
pub const APPROVAL: B256 = b256!("0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925");

/// The allowance in raw units that a log of a receipt sets for the need's token, owner and spender; `None` if it is another
/// log.
pub fn logged_approval(log: &JsonAt<'_>, need: &ApprovalNeed) -> Option<U256> {
    let wanted = [APPROVAL, need.owner.into_word(), need.spender.into_word()];
    let topics = log.get("topics").items().ok()?.map(|topic| topic.fixed::<32>().ok().map(B256::from));
    let is_it = log.get("address").address().ok()? == need.token && topics.eq(wanted.map(Some));
    word(&log.get("data").bytes().ok()?).filter(|_| is_it)
}

/// The read of the current allowance.
pub fn allowance(need: &ApprovalNeed) -> Read<U256> {
    Read::allowance(&need.token, &need.owner, &need.spender)
}

/// The simulated approval, if there is an allowance that it would change: no list can be trusted that names the
/// tokens which refuse a change of an allowance that is not zero.
pub fn reset_trial(need: &ApprovalNeed) -> Option<Read<bool>> {
    let is_change = need.current.is_some_and(|current| !current.is_zero());
    is_change.then(|| Read::approve(&need.token, &need.owner, &need.spender, &need.amount).tried())
}

/// Adds the read of the allowance, and with it what a trade reads before its prompt, which then finds it recent: also the
/// simulation of a transaction that was built for this approval.
pub fn add_effect<H: Host>(shared: &Shared<H>, need: &ApprovalNeed, batch: &mut Batch) -> PendingRead<U256> {
    batch.add(Read::head().recent());
    batch.add(Read::balance(&need.token, &need.owner).recent());
    batch.add(Read::code_size(&need.owner).lasting().or_nothing());
    let allowance = batch.add(allowance(need).recent());
    if let Some((_, transaction)) = shared.nodes.unapproved.find(&need_key(need)) {
        batch.add(Message::of(&transaction).attempt().or_nothing());
        batch.add(Read::transaction_count(&need.owner).tried().or_nothing());
    }
    allowance
}

/// The key in [`Nodes::unapproved`](crate::client::nodes::Nodes::unapproved) of what lacks that approval.
fn need_key(need: &ApprovalNeed) -> (u64, [Address; 3]) {
    (need.chain_id, [need.owner, need.token, need.spender])
}

/// Remembers a transaction that lacks that approval: it is simulated with the approval's receipt.
pub fn expect_approval<H: Host>(shared: &Shared<H>, need: &ApprovalNeed, transaction: &Transaction) {
    shared.nodes.unapproved.keep(need_key(need), Rc::new(transaction.clone()));
}

/// The missing approval, as JSON text for the app; `null` if the allowance suffices. Without a `chain` to read, the
/// allowance counts as too low, and `approve` finds out whether the token wants a reset.
///
/// # Errors
/// The RPC's failure.
pub async fn write_missing_approval<H: Host>(
    client: &Client<H>,
    chain: Option<&Chain<'_, H>>,
    mut need: ApprovalNeed,
) -> Result<String> {
    if !need.is_missing() {
        return Ok("null".into());
    }
    if let Some(chain) = chain {
        find_reset(chain, &mut need).await?;
    }
    Ok(close_sealed(&client.shared.settings.secret, need.begin()))
}

/// Finds out whether the token accepts the new allowance while the old one is not zero.
///
/// # Errors
/// The RPC's failure.
pub async fn find_reset<H: Host>(chain: &Chain<'_, H>, need: &mut ApprovalNeed) -> Result<()> {
    need.reset_first = match reset_trial(need) {
        Some(trial) => match chain.read(trial).await {
            Ok(approved) => !approved,
            Err(error) if error.reverted => true,
            Err(error) => return Err(error),
        },
        None => false,
    };
    Ok(())
}
