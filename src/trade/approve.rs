//! ERC-20 approvals (<https://eips.ethereum.org/EIPS/eip-20>): exactly what the trade may spend, for exactly one
//! spender.
//!
//! A build states the missing allowance as an [`ApprovalNeed`], sealed. [`approve`] takes it back and refuses an edited
//! one, so that a script that changes the app's state cannot choose the spender or the amount. The spender is compared
//! once more with the contract of its chain, whatever its source ("A quote against the request" in
//! docs/verification.md).

use crate::client::Client;
use crate::client::journal::{Entry, transaction_entry};
use crate::domain::chain::{Deployment, Protocol};
use crate::domain::delta::status::FOREIGN;
use crate::domain::erc20;
use crate::domain::fields::{Fields, members};
use crate::domain::input::{account, amount_input, chain_id, known, known_in};
use crate::domain::permit::PERMIT2;
use crate::domain::token::own_decimals;
use crate::domain::transaction::Transaction;
use crate::error::{Error, ErrorCode, Result};
use crate::host::{Host, Signal};
use crate::json::{Json, JsonAt, ObjectWriter, array, quoted};
use crate::trade::call::{CallArgs, Progress};
use crate::trade::chain::deployment::find_deployment;
use crate::trade::chain::signature_check::{is_contract, knows_code};
use crate::trade::seal::tag;
use crate::trade::transaction::ask::ask_noted;
use crate::trade::transaction::follow::Pending;
use crate::value::text::ToText;
use crate::wallet::account::ensure_ready;
use crate::wallet::batch::{Atomic, find_allowed};
use crate::wallet::chain::{Chain, forget_recent, retry_fresh};
use crate::wallet::prompt::is_own_asked;
use crate::wallet::reads::{Batch, Pending as PendingRead, Read};
use crate::wallet::sending::Outgoing;
use crate::wallet::transaction::{Message, simulate_together};
use alloy_primitives::{Address, B256, U256, keccak256};

/// Milliseconds between the first two looks for a receipt, while the transaction is still on its way to the node. Each
/// further pause is twice as long, up to [`RECEIPT_PAUSE_MS`].
const FIRST_PAUSE_MS: u32 = 250;
/// The longest pause between two looks for a receipt, in milliseconds.
const RECEIPT_PAUSE_MS: u32 = 1_000;
/// The number of failures in a row after which a node's failure is reported.
const MAX_FAILURES: u32 = 8;

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
    /// The allowance that is needed, in raw units of the token.
    pub amount: U256,
    /// The allowance now, in raw units; `None` if the chain could not be read.
    pub current: Option<U256>,
    /// The token accepts a new allowance only while the old one is zero (as USDT does): it is set to zero first.
    pub reset_first: bool,
}

impl ApprovalNeed {
    members! { MEMBERS of need: ApprovalNeed;
        "path": required(Protocol::read, need.protocol), text(need.protocol.label());
        "chainId": required(chain_id, need.chain_id), number(need.chain_id);
        "token": required(account, need.token), value(&need.token);
        "owner": required(account, need.owner), value(&need.owner);
        "spender": required(account, need.spender), value(&need.spender);
        "amount": required(amount_input, need.amount), value(&need.amount);
        "current": optional(JsonAt::uint, need.current), value_or_null(need.current.as_ref());
        "resetFirst": required(JsonAt::bool, need.reset_first), flag(need.reset_first);
    }

    /// A need of `amount` where the allowance now is `current`, both in raw units; no reset, until
    /// `write_missing_approval` finds out that the token wants one.
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
            reset_first: false,
        }
    }

    /// The `Approval` that the app gets, as JSON text. Its seal is a hash of the other members under this client's
    /// secret.
    fn write(&self, secret: &[u8; 32]) -> String {
        let mut out = self.begin();
        let mark = tag(secret, out.text_so_far());
        out.text("sealed", &mark);
        out.close()
    }

    /// The members without the seal, as an object's text that is still open: the seal is computed from it.
    fn begin(&self) -> ObjectWriter {
        let mut out = ObjectWriter::object();
        ApprovalNeed::write_members(&mut out, self);
        out
    }

    /// Reads an `Approval` that a build of this client returned. Refuses one that was edited or that another client
    /// made: it could name any spender.
    ///
    /// # Errors
    /// INVALID_INPUT with `approval`, or with the member that is missing or unknown.
    fn read(at: &JsonAt<'_>, secret: &[u8; 32]) -> Result<Box<ApprovalNeed>> {
        known_in(at, &[&ApprovalNeed::MEMBERS, &["sealed"]])?;
        let mut need = Box::<ApprovalNeed>::default();
        let mut fields = Fields::of(at);
        ApprovalNeed::read_members(&mut fields, &mut need);
        fields.finish()?;
        if at.get("sealed").text()? != tag(secret, need.begin().text_so_far()) {
            let expected = "the approval as build() returned it, in this client";
            return Err(Error::input("approval", expected, "an edited one, or one of another client"));
        }
        Ok(need)
    }

    /// The approval of a build, as shown to the user; `None` if there is none, or it is another client's.
    pub fn shown<H: Host>(client: &Client<H>, build: &Json) -> Option<ApprovalNeed> {
        let at = JsonAt::input(build, "build").get("approval").some()?;
        ApprovalNeed::read(&at, &client.shared.secret).ok().map(|need| *need)
    }

    /// Raises the amount to that of `shown`, if both are about the same allowance: a build's approval covers open
    /// orders, too.
    pub fn covering(mut self, shown: Option<&ApprovalNeed>) -> ApprovalNeed {
        let subject = |need: &ApprovalNeed| (need.protocol, need.chain_id, need.token, need.owner, need.spender);
        if let Some(shown) = shown.filter(|shown| subject(shown) == subject(&self)) {
            self.amount = self.amount.max(shown.amount);
        }
        self
    }

    /// The amount to approve, in raw units: the needed one, or that of the options if it is more.
    ///
    /// # Errors
    /// INVALID_INPUT with `options.amount` if it is less than the needed amount.
    fn amount_to_approve(&self, stated: Option<U256>) -> Result<U256> {
        let amount = stated.unwrap_or(self.amount);
        if amount < self.amount {
            let expected = ["at least ", &self.amount.text()].concat();
            return Err(Error::input("options.amount", &expected, &amount.text()));
        }
        Ok(amount)
    }

    /// Whether the allowance is too low, or was not read.
    fn is_missing(&self) -> bool {
        !self.amount.is_zero() && self.current.is_none_or(|current| current < self.amount)
    }

    /// Refuses an allowance that is still too low: in the prompt the user can approve less than requested.
    ///
    /// # Errors
    /// INSUFFICIENT_ALLOWANCE with both amounts.
    fn check_sufficient(&self) -> Result<()> {
        let Some(current) = self.current.filter(|_| self.is_missing()) else { return Ok(()) };
        let expected = ["at least ", &self.amount.text()].concat();
        let subject = "after the approval, the ";
        Err(Error::at(ErrorCode::InsufficientAllowance, subject, "allowance", &expected, &current.text()))
    }

    /// The calls that the owner's wallet sends so that the spender may take `amount`: the reset, if the token wants
    /// one, and the approval.
    fn steps(&self, amount: U256) -> Vec<Step> {
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

    /// The calls that precede a trade with this need, in one prompt with it: exactly the needed amount, for the
    /// protocol's own contract. Empty if the allowance suffices by now.
    ///
    /// # Errors
    /// VERIFY_MISMATCH with `approval.spender`; the RPC's failure.
    pub async fn preceding<H: Host>(mut self, chain: &Chain<'_, H>) -> Result<Vec<Transaction>> {
        self.check_spender(&find_deployment(&chain.client.shared, self.chain_id, self.protocol, chain.signal).await?)?;
        self.current = Some(chain.read(self.allowance()).await?);
        if !self.is_missing() {
            return Ok(vec![]);
        }
        find_reset(chain, &mut self).await?;
        Ok(self.steps(self.amount).into_iter().map(|step| step.transaction).collect())
    }

    /// The request to the user, for the journal: an allowance of `amount`, raw units.
    fn summary(&self, amount: &U256) -> String {
        let sentence =
            ["Approve ", &amount.text(), " raw units of ", &self.token.text(), " for ", &self.spender.text()].concat();
        let mut summary = ObjectWriter::object();
        summary.text("sentence", &sentence);
        let mut approval = ObjectWriter::object();
        approval.value("token", &self.token);
        approval.value("spender", &self.spender);
        approval.value("amount", amount);
        summary.raw("approval", &approval.close());
        summary.close()
    }

    /// Reads the allowance; one that is too low counts only if its block is not older than the last receipt seen.
    ///
    /// # Errors
    /// The RPC's failure; NETWORK with `block`.
    async fn read_current<H: Host>(&mut self, chain: &Chain<'_, H>) -> Result<()> {
        let chain_id = self.chain_id;
        let read = async || {
            let mut batch = Batch::default();
            let (head, allowance) = (batch.add(Read::head()), batch.add(self.allowance()));
            let answers = chain.ask(batch).await?;
            let head = answers.get(head)?;
            self.current = Some(answers.get(allowance)?);
            self.check_sufficient().map_err(|error| error.as_of(head.number))
        };
        let outcome = retry_fresh(&chain.client.shared, chain_id, chain.signal, read).await;
        outcome.or_else(|error| if error.code == ErrorCode::InsufficientAllowance { Ok(()) } else { Err(error) })
    }

    /// The read of the current allowance.
    fn allowance(&self) -> Read<U256> {
        Read::allowance(&self.token, &self.owner, &self.spender)
    }

    /// The simulated approval, if there is an allowance that it would change: no list can be trusted that names the
    /// tokens which refuse a change of an allowance that is not zero.
    fn trial(&self) -> Option<Read<bool>> {
        let is_change = self.current.is_some_and(|current| !current.is_zero());
        is_change.then(|| Read::approve(&self.token, &self.owner, &self.spender, &self.amount))
    }

    /// Adds the read of the allowance, and with it what a trade reads before its prompt, which then finds it recent.
    fn add_effect(&self, batch: &mut Batch) -> PendingRead<U256> {
        batch.add(Read::head().recent());
        batch.add(Read::balance(&self.token, &self.owner).recent());
        batch.add(Read::code_size(&self.owner).lasting().or_nothing());
        batch.add(self.allowance().recent())
    }

    /// Refuses a spender that is neither the protocol's contract on that chain nor Permit2. Permit2 takes a token only
    /// by a signed permit, which names the contract again.
    ///
    /// # Errors
    /// VERIFY_MISMATCH with `approval.spender`.
    fn check_spender(&self, deployment: &Deployment) -> Result<()> {
        if deployment.contracts.of(self.protocol) == Some(self.spender) || self.spender == PERMIT2 {
            return Ok(());
        }
        let subject = "the spender is not the contract that settles these trades: ";
        let (expected, actual) = (deployment.describe(self.protocol), self.spender.text());
        Err(Error::at(ErrorCode::VerifyMismatch, subject, "approval.spender", &expected, &actual))
    }
}

/// A call of `approve` that the wallet is asked to send.
struct Step {
    /// Its name in progress.
    name: &'static str,
    /// The allowance after it, raw units.
    allowance: U256,
    transaction: Transaction,
}

/// The plain options of [`approve`]: `amount` (raw units or `"unlimited"`, to approve more than needed), and whether
/// calls may be sent together.
pub const APPROVE_OPTIONS: [&str; 3] = ["amount", "batch", "withoutJournal"];

/// The amount in the options, in raw units; `"unlimited"` is 2^256 - 1.
///
/// # Errors
/// INVALID_INPUT with the unknown option, or with an amount that cannot be read.
fn read_amount(options: &JsonAt<'_>) -> Result<Option<U256>> {
    known(options, &APPROVE_OPTIONS)?;
    let amount = options.get("amount").some().map(|at| match at.text() {
        Ok("unlimited") => Ok(U256::MAX),
        _ => amount_input(&at),
    });
    amount.transpose()
}

/// The missing approval, as JSON text for the app; `null` if the allowance suffices. Without a `chain` to read, the
/// allowance counts as too low, and [`approve`] finds out whether the token wants a reset.
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
    Ok(need.write(&client.shared.secret))
}

/// Finds out whether the token accepts the new allowance while the old one is not zero.
///
/// # Errors
/// The RPC's failure.
async fn find_reset<H: Host>(chain: &Chain<'_, H>, need: &mut ApprovalNeed) -> Result<()> {
    need.reset_first = match need.trial() {
        Some(trial) => match chain.read(trial).await {
            Ok(approved) => !approved,
            Err(error) if error.reverted => true,
            Err(error) => return Err(error),
        },
        None => false,
    };
    Ok(())
}

/// Raises the allowance if it is too low, after a reset if the token wants one. Returns `{ transactions, allowance }`:
/// the hashes of the sent transactions, and the allowance read afterwards, in raw units.
///
/// # Errors
/// INVALID_INPUT if the approval is not this client's, or the decimals stated in the request are not the token's;
/// VERIFY_MISMATCH if the spender is not the chain's contract for that protocol; INSUFFICIENT_ALLOWANCE if less was
/// approved in the wallet; the wallet's and the RPC's failures.
pub async fn approve<H: Host>(client: &Client<H>, call: &CallArgs<'_, H>) -> Result<String> {
    let CallArgs { signal, progress, .. } = *call;
    let options = JsonAt::input(call.options, "options");
    let stated = read_amount(&options)?;
    let mut need = ApprovalNeed::read(&JsonAt::input(call.data, "approval"), &client.shared.secret)?;
    let amount = need.amount_to_approve(stated)?;
    need.check_spender(&find_deployment(&client.shared, need.chain_id, need.protocol, signal).await?)?;
    progress(Progress::step("checking"));
    ensure_ready(client, need.owner, need.chain_id, signal).await?;
    let chain = Chain::need(client, need.chain_id, signal).await?;
    let mut batch = Batch::default();
    let (allowance, own) = (batch.add(need.allowance()), batch.add(Read::decimals(need.chain_id, &need.token)));
    let mined = batch.add(Read::transaction_count(&need.owner).or_nothing());
    // Simulated from the allowance of the build, which mostly still holds. If the simulation reverts, it is repeated
    // alone.
    let mut trial = need.trial().map(|trial| batch.add(trial.or_nothing()));
    // A transaction was sent before: it may be this very approval.
    let is_shown = client.shared.shown_after(need.chain_id, Some(0)).is_some();
    let head = is_shown.then(|| batch.add(Read::head()));
    let answers = chain.ask(batch).await?;
    let mined_before = answers.get(mined).ok();
    need.current = Some(answers.get(allowance)?);
    let block = answers.get_if_asked(head)?.and_then(|head| head.number);
    if need.is_missing() && client.shared.shown_after(need.chain_id, block).is_some() {
        need.read_current(&chain).await?;
    }
    check_stated_decimals(client, &need, &answers.get(own)?)?;
    let mut atomic = find_allowed(client, &options, (need.owner, need.chain_id), signal).await?;
    // The calls of a contract can be looked up by their id only.
    let is_contract = atomic != Atomic::Unsupported && is_contract(&chain, need.owner).await.unwrap_or_default();
    let mut hashes = Vec::new();
    // Once more if an earlier attempt's transaction was found: its allowance may have been used since.
    let mut again = true;
    while again && need.is_missing() {
        again = false;
        let mut is_seen = false;
        match trial.take().and_then(|trial| answers.get(trial).ok()) {
            Some(approved) => need.reset_first = need.trial().is_some() && !approved,
            None => find_reset(&chain, &mut need).await?,
        }
        let steps = need.steps(amount);
        let is_together = atomic != Atomic::Unsupported && (is_contract || steps.len() > 1);
        for steps in if is_together { vec![&*steps] } else { steps.chunks(1).collect() } {
            let how = if is_together { atomic } else { Atomic::Unsupported };
            let Some((hash, earlier, seen)) = send_steps(&chain, &need, steps, (how, mined_before), progress).await?
            else {
                // The prompt that was joined is gone, or the wallet does not take the calls together after all.
                atomic = find_allowed(client, &options, (need.owner, need.chain_id), signal).await?;
                again = true;
                break;
            };
            hashes.extend(hash.map(|hash| quoted(&hash.text())));
            again |= earlier;
            (need.current, is_seen) = (seen.or(need.current), seen.is_some());
        }
        if !is_seen {
            need.read_current(&chain).await?;
        }
    }
    need.check_sufficient()?;
    progress(Progress::step("approved"));
    let mut out = ObjectWriter::object();
    out.raw("transactions", &array(&hashes));
    out.value_or_null("allowance", need.current.as_ref());
    Ok(out.close())
}

/// Refuses to approve a token whose decimals a request of this client stated wrongly: the amount is then not the one
/// that the user meant.
fn check_stated_decimals<H: Host>(client: &Client<H>, need: &ApprovalNeed, own: &U256) -> Result<()> {
    let stated = client.shared.stated_decimals.borrow();
    let found = stated.iter().find(|(chain, token, _)| (chain, token) == (&need.chain_id, &need.token));
    found.map_or(Ok(()), |(_, _, stated)| own_decimals("request.srcDecimals", *stated, own))
}

/// Has the wallet send these steps, together if there are several or `atomic` says how, and waits until the chain shows
/// the allowance. Returns the transaction's hash, if it is known, whether an earlier attempt's prompt was joined
/// instead of opening one, and the allowance, if it was seen; `None` if the wallet takes no calls together.
/// `mined_before` is the number of the owner's transactions in blocks before.
async fn send_steps<H: Host>(
    chain: &Chain<'_, H>,
    need: &ApprovalNeed,
    steps: &[Step],
    (atomic, mined_before): (Atomic, Option<u64>),
    progress: &dyn Fn(Progress),
) -> Result<Option<(Option<B256>, bool, Option<U256>)>> {
    let (client, shared, chain_id) = (chain.client, &chain.client.shared, need.chain_id);
    let Some(last) = steps.last() else { return Ok(None) };
    let calls: Vec<Message<'_>> = steps.iter().map(|step| Message::of(&step.transaction)).collect();
    // The same calls are the same request, under whatever id.
    let key = match atomic {
        Atomic::Unsupported => keccak256(Message::of(&last.transaction).params(chain_id, None)),
        together => keccak256(together.params(chain_id, "", &calls)),
    };
    let joins = is_own_asked(client, key);
    let known = shared.trade(key);
    let outgoing = Outgoing::new(shared, (key, need.owner, chain_id), (atomic, calls), (known.as_ref(), false));
    if outgoing.calls.len() > 1 && !joins {
        simulate_together(chain, &outgoing.calls).await?;
    }
    ensure_ready(client, need.owner, chain_id, chain.signal).await?;
    progress(Progress::step(last.name));
    if chain.signal.is_aborted() {
        return Err(Error::aborted());
    }
    let entry = transaction_entry("approve", &last.transaction, key, mined_before, &need.summary(&last.allowance));
    let entry = Entry { has_code: knows_code(chain, need.owner).await, ..entry };
    let sent = ask_noted(client, &outgoing, Some(entry).filter(|_| !joins), chain.signal, &|| {}).await;
    let Some(sent) = sent? else { return Ok(None) };
    shared.note_name(key, &sent).await;
    let (transaction, batch) = (sent.hash, sent.batch.clone());
    progress(Progress { transaction, batch, ..Progress::step("confirming") });
    let mut pending = Pending::new(sent);
    let outcome = confirm(chain, &mut pending, need, last.allowance).await;
    match &outcome {
        _ if pending.sent.status == FOREIGN => {}
        Ok(_) => pending.sent.status = "COMPLETED",
        Err(error) if error.code == ErrorCode::WalletFailed => pending.sent.status = "FAILED",
        Err(_) => {}
    }
    shared.note_sent(&pending.sent).await;
    outcome.map(|found| Some((pending.sent.hash, joins, found)))
}

/// Waits until the transaction is in a block, or until the chain shows the allowance `wanted`. The second is for a
/// transaction that the user replaced in the wallet, which then never gets a receipt, and for contracts that send it
/// under another hash. Returns the allowance, if it was seen to be that.
///
/// # Errors
/// WALLET_FAILED if it reverted, or another account sent it; ABORTED; the failure of RPC or wallet, after eight in a
/// row.
async fn confirm<H: Host>(
    chain: &Chain<'_, H>,
    pending: &mut Pending,
    need: &ApprovalNeed,
    wanted: U256,
) -> Result<Option<U256>> {
    let is_there = |found: &U256| if wanted.is_zero() { found.is_zero() } else { *found >= wanted };
    let (mut failures, mut pause_ms) = (0_u32, FIRST_PAUSE_MS);
    loop {
        // The state that the approval changes is read anew, each time with the reads that the trade needs next.
        forget_recent(&chain.client.shared, need.chain_id, u64::MAX);
        let found = match pending.confirm(chain, |batch| need.add_effect(batch)).await {
            Ok(found) => {
                failures = 0;
                found.filter(is_there)
            }
            Err(error) => {
                failures = failures.saturating_add(1);
                if chain.signal.is_aborted() || failures >= MAX_FAILURES {
                    return Err(error);
                }
                // A node that reports no transactions may still report the allowance.
                chain.read(need.allowance()).await.ok().filter(is_there)
            }
        };
        match pending.sent.status {
            "COMPLETED" => return Ok(found),
            "FAILED" | "PARTIAL" => {
                let message = ["the transaction ", &pending.sent.name(), " reverted"].concat();
                return Err(Error::new(ErrorCode::WalletFailed, &message));
            }
            _ => {}
        }
        if chain.signal.is_aborted() {
            return Err(Error::aborted());
        }
        if found.is_some() {
            return Ok(found);
        }
        if pending.sent.status == FOREIGN {
            return Err(pending.sent.not_asked_for());
        }
        chain.client.shared.host.sleep(pause_ms, chain.signal).await;
        pause_ms = pause_ms.saturating_mul(2).min(RECEIPT_PAUSE_MS);
    }
}
