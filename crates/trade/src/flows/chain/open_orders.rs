//! The account's own open gasless orders, their share of an allowance, and whether they still have it: all orders of a
//! token take from one.
//!
//! The journal is a storage that other scripts of the origin can write, so an amount widens an approval only if it is
//! that of an order whose signature verifies, and never beyond the owner's balance.

use crate::client::{Client, Shared};
use crate::flows::chain::approval::{allowance, approval_on_its_way};
use crate::flows::chain::clock::chain_time;
use crate::flows::chain::signature_check::accepted_form;
use crate::host::Host;
use crate::ledger::orders::{KnownOrder, RememberedOrder, SignedOrder};
use crate::ledger::record::{Entry, Stage};
use crate::wallet::chain::Chain;
use crate::wallet::reads::{Batch, Read};
use alloy_primitives::{Address, B256, U256};
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::Rc;
use std::task::Poll;
use verify::internal::domain::approval::ApprovalNeed;
use verify::internal::domain::chain::Protocol;
use verify::internal::domain::delta::calls;
use verify::internal::domain::erc20::word;
use verify::internal::domain::member::{Members, member};
use verify::internal::error::Result;
use verify::internal::value::text::{ToText, joined};

/// The signed orders of the journal that have not ended and take from the need's allowance, with their entries. An
/// order with a permit, a handler or a deposit takes from another one. The order `own` does not count, nor one of its
/// nonce: only one of the two can be filled.
pub fn open_orders<H: Host>(
    shared: &Shared<H>,
    need: &ApprovalNeed,
    own: Option<&KnownOrder>,
) -> Vec<(Entry, Rc<KnownOrder>)> {
    open_of(shared, takes_from(need, own))
}

/// Whether an order takes from the need's allowance: see [`open_orders`].
pub fn takes_from(need: &ApprovalNeed, own: Option<&KnownOrder>) -> impl Fn(&KnownOrder) -> bool {
    move |known: &KnownOrder| {
        let order = &known.signed.order;
        let handler: Option<Address> = order.find(member!("handler"));
        need.protocol == Protocol::Delta
            && (known.signed.chain_id, known.signed.delta) == (need.chain_id, need.spender)
            && (order.address(member!("owner")), order.address(member!("srcToken"))) == (need.owner, need.token)
            && own.is_none_or(|own| own.nonce != known.nonce)
            && handler.is_none()
            && !known.is_native
            && order.bytes(member!("permit")).is_empty()
    }
}

/// The signed orders of the journal that have not ended, and fit.
fn open_of<H: Host>(shared: &Shared<H>, is_it: impl Fn(&KnownOrder) -> bool) -> Vec<(Entry, Rc<KnownOrder>)> {
    let orders = shared.ledger.orders().into_iter().filter(|order| order.is_signed && !order.is_over);
    let noted = |known: Rc<KnownOrder>| shared.ledger.trade(known.signed.hash).map(|entry| (entry, known));
    let open = orders.filter(|order| is_it(order)).filter_map(|order| noted(order.known));
    open.filter(|(entry, _)| entry.stage != Stage::Ended).collect()
}

/// The open orders that fit, as the end of the sentence about a transaction that ends them: their names between two
/// texts. Empty if there are none.
pub fn name_open_orders<H: Host>(
    shared: &Shared<H>,
    is_it: impl Fn(&KnownOrder) -> bool,
    (before, after): (&str, [&str; 2]),
) -> String {
    let now = shared.host.unix_ms() / 1_000;
    let open = open_of(shared, is_it).into_iter().filter(|(_, known)| known.deadline >= now);
    let names: Vec<String> = open.map(|(entry, _)| entry.key.text()).collect();
    let [one, many] = after;
    match &*names {
        [] => String::new(),
        [name] => [", ", before, "the open order ", name, one].concat(),
        all => [", ", before, "the open orders ", &joined(all, ", "), many].concat(),
    }
}

/// The texts of [`name_open_orders`] for what open orders need.
pub const NEEDED: (&str, [&str; 2]) = ("which ", [" needs", " need"]);

/// The most that an order takes, in raw units: all of it, though it may be filled in part.
fn most_sold(known: &KnownOrder) -> U256 {
    let order = &known.signed.order;
    let total = order.find(member!("srcAmount")).or(order.find(member!("totalSrcAmount")));
    total.or(order.find(member!("maxSrcAmount"))).unwrap_or_default()
}

/// The least that an order still takes, in raw units: one that may be filled in part may lack one unit alone.
fn least_sold(known: &KnownOrder) -> U256 {
    if known.is_in_parts { U256::from(1) } else { most_sold(known) }
}

/// The orders that were compared with the chain, by their hashes: `approval` or `balance` if one is missing, `None` if
/// both suffice.
pub type Lacks = Vec<(B256, Option<&'static str>)>;

/// The milliseconds for which a list waits for the chains.
const LIST_LIMIT_MS: u32 = 3_000;

/// Compares these entries' open orders with what the chain shows now. An order in no doubt lacks its balance, or the
/// allowance for all open orders of its token, as far as the balance goes. One that may be filled in part, and has
/// less than it needs as a whole, is left out: how much of it is open is not known. So are all orders of a chain that
/// cannot be read within three seconds, or whose node is behind a receipt, of a token whose approval is on its way or
/// whose orders' nonces cannot be read, and an order whose nonce is used.
pub async fn find_lacks<H: Host>(client: &Client<H>, entries: &[Entry], signal: &H::Signal) -> Lacks {
    let mut needs: Vec<ApprovalNeed> = Vec::new();
    let is_posted = |order: &RememberedOrder| {
        let is_it = |entry: &&Entry| entry.key == order.signed.hash && entry.stage == Stage::Posted;
        entries.iter().any(|entry| is_it(&entry))
    };
    for known in client.shared.ledger.orders().into_iter().filter(is_posted) {
        let SignedOrder { chain_id, delta, order, .. } = &known.signed;
        let [token, owner] = [member!("srcToken"), member!("owner")].map(|member| order.address(member));
        let need = ApprovalNeed::new(Protocol::Delta, *chain_id, &token, &owner, delta, &U256::ZERO, None);
        if !needs.contains(&need) {
            needs.push(need);
        }
    }
    let mut lacks = Lacks::new();
    let mut limit = pin!(client.shared.host.sleep(LIST_LIMIT_MS, signal));
    while let Some(chain_id) = needs.first().map(|need| need.chain_id) {
        let (these, others) = needs.into_iter().partition(|need: &ApprovalNeed| need.chain_id == chain_id);
        needs = others;
        let mut compared = pin!(compare(client, chain_id, these, signal));
        let read = poll_fn(|context| match compared.as_mut().poll(context) {
            Poll::Pending => limit.as_mut().poll(context).map(|()| None),
            ready => ready.map(Some),
        });
        match read.await {
            Some(found) => lacks.extend(found.into_iter().flatten()),
            None => break,
        }
    }
    lacks.retain(|(hash, _)| entries.iter().any(|entry| entry.key == *hash && entry.stage == Stage::Posted));
    lacks
}

/// Compares the open orders of these needs, all of that chain: see [`find_lacks`].
///
/// # Errors
/// The failure of wallet or RPC.
async fn compare<H: Host>(
    client: &Client<H>,
    chain_id: u64,
    needs: Vec<ApprovalNeed>,
    signal: &H::Signal,
) -> Result<Lacks> {
    let (shared, mut lacks) = (&client.shared, Lacks::new());
    let Some(chain) = Chain::find(client, chain_id, signal).await? else { return Ok(lacks) };
    let mut batch = Batch::default();
    let head = batch.add(Read::head().recent());
    let mut asked = Vec::new();
    for need in needs {
        let allowed = batch.add(allowance(&need).recent());
        let balance = batch.add(Read::balance(&need.token, &need.owner).recent());
        let open = open_orders(shared, &need, None);
        let is_used = |known: &KnownOrder| {
            Read::view(&need.spender, &calls::is_nonce_used(need.owner, known.nonce)).named("isNonceUsed").recent()
        };
        let used = batch.add_all(open.iter().map(|(_, known)| is_used(known)));
        asked.push((need, open, used, (allowed, balance)));
    }
    let answers = chain.ask(batch).await?;
    let head = answers.get(head)?;
    if shared.nodes.shown_after(chain_id, head.number).is_some() {
        return Ok(lacks);
    }
    let now = chain_time(chain_id, head.time, shared.host.unix_ms() / 1_000);
    for (mut need, open, used, (allowed, balance)) in asked {
        let (allowed, balance) = (answers.get(allowed)?, answers.get(balance)?);
        let used: Option<Vec<U256>> = used.into_iter().map(|used| word(&answers.get(used).ok()?)).collect();
        let Some(used) = used else { continue };
        let open = open.into_iter().zip(used);
        let open: Vec<_> =
            open.filter(|((_, known), used)| used.is_zero() && known.deadline >= now).map(|(open, _)| open).collect();
        let together = |amount: fn(&KnownOrder) -> U256| {
            let sum = open.iter().fold(U256::ZERO, |sum, (_, known)| sum.saturating_add(amount(known)));
            sum.min(balance)
        };
        let (least, most) = (together(least_sold), together(most_sold));
        need.amount = most;
        let comes = approval_on_its_way(shared, &need).is_some();
        for (_, known) in &open {
            let lack = match () {
                () if balance < least_sold(known) => Some("balance"),
                () if allowed < least && !comes => Some("approval"),
                () if allowed < most || balance < most_sold(known) => continue,
                () => None,
            };
            lacks.push((known.signed.hash, lack));
        }
    }
    Ok(lacks)
}

/// Raises a need by the share of the own open orders, and by the amount beyond it that open orders have `claimed` by
/// the service's figure, in raw units: together to no more than the owner's balance. An order counts if its signature
/// verifies and its deadline has not passed by the chain's time. The service's figure is about orders that rest.
///
/// # Errors
/// The RPC's failure.
pub async fn cover<H: Host>(
    chain: &Chain<'_, H>,
    need: &mut ApprovalNeed,
    own: Option<&KnownOrder>,
    claimed: U256,
) -> Result<()> {
    let (client, known) = (chain.client, open_orders(&chain.client.shared, need, own));
    if known.is_empty() && claimed.is_zero() {
        return Ok(());
    }
    let mut batch = Batch::default();
    let (head, balance) =
        (batch.add(Read::head().recent()), batch.add(Read::balance(&need.token, &need.owner).recent()));
    let answers = chain.ask(batch).await?;
    let now = chain_time(need.chain_id, answers.get(head)?.time, client.shared.host.unix_ms() / 1_000);
    let mut balance = answers.get(balance)?;
    let (mut open, mut resting) = (U256::ZERO, U256::ZERO);
    for (entry, known) in known.iter().filter(|(_, known)| known.deadline >= now) {
        let (hash, signature) = (known.signed.hash, entry.signature().unwrap_or_default());
        let is_theirs = accepted_form(client, need.chain_id, need.owner, hash, &signature, false, chain.signal).await;
        if is_theirs.is_ok() {
            need.open_orders = need.open_orders.saturating_add(1);
            open = open.saturating_add(most_sold(known));
            resting = resting.saturating_add(if known.rests { most_sold(known) } else { U256::ZERO });
        }
    }
    let claimed = claimed.saturating_sub(resting);
    if balance < need.amount.saturating_add(open).saturating_add(claimed) {
        // It bounds what is approved: what was read earlier may lack what came since.
        let mut batch = Batch::default();
        let now = batch.add(Read::balance(&need.token, &need.owner));
        balance = chain.ask(batch).await?.get(now)?;
    }
    let free = balance.saturating_sub(need.amount);
    need.for_open_orders = open.min(free);
    need.claimed = claimed.min(free.saturating_sub(need.for_open_orders));
    need.amount = need.amount.saturating_add(need.for_open_orders).saturating_add(need.claimed);
    need.unfunded = open.saturating_sub(need.for_open_orders);
    Ok(())
}

/// The part of the allowance that other orders have spent before this one, in raw units: those that wait for an approval
/// were signed earlier, and are posted once it is there; and open ones, while the approval that covers them together
/// with this one is on its way. At most what the `balance` leaves beside this one.
pub fn spent_before<H: Host>(shared: &Shared<H>, need: &ApprovalNeed, own: Option<&KnownOrder>, balance: U256) -> U256 {
    let signed_at = own.and_then(|own| shared.ledger.trade(own.signed.hash)).and_then(|entry| entry.signed_at);
    let is_before = |entry: &Entry| signed_at.is_none_or(|at| entry.signed_at.is_some_and(|other| other < at));
    let others = open_orders(shared, need, own);
    let free = balance.saturating_sub(need.amount);
    let share = |counts: &dyn Fn(&Entry) -> bool| {
        let these = others.iter().filter(|(entry, _)| counts(entry));
        these.fold(U256::ZERO, |sum, (_, known)| sum.saturating_add(most_sold(known))).min(free)
    };
    let waits = |entry: &Entry| entry.stage == Stage::Waiting && is_before(entry);
    let all = share(&|entry| entry.stage == Stage::Posted || waits(entry));
    let together = ApprovalNeed { amount: need.amount.saturating_add(all), ..need.clone() };
    if approval_on_its_way(shared, &together).is_some() { all } else { share(&waits) }
}
