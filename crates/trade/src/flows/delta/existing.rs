//! A second order for one intent: while the first can still be filled, the user signs another only with consent.
//!
//! Otherwise a service could call the first order failed, have a second one signed, and fill both. So the service's
//! report of the first does not count, only the chain does. See "A second order for one intent" in
//! docs/verification.md.
//!
//! The client remembers each order whose owner was asked to authorize it ([`RememberedOrder`]): by a signature, by a
//! transaction, or in a prompt that may still be open. Before the next prompt for the same intent, it reads from the
//! chain which of them are settled; those that are not block the prompt.

use crate::client::{Client, Shared};
use crate::flows::chain::clock::has_passed;
use crate::flows::chain::pending::Pending;
use crate::flows::delta::orders::verify_answer;
use crate::host::{Host, Signal};
use crate::ledger::OpenPrompt;
use crate::ledger::orders::RememberedOrder;
use crate::ledger::second::{self, ExistingOrder, is_in_parts};
use crate::ledger::step::Event;
use crate::ledger::store::trade_key;
use crate::service::orders::{self, OrderKey};
use crate::wallet::chain::Chain;
use crate::wallet::prompt::{forget, is_asked};
use crate::wallet::reads::{Batch, Read};
use alloy_primitives::{Address, B256, U256, keccak256};
use verify::internal::domain::delta::calls::{invalidate_nonce, is_nonce_used};
use verify::internal::domain::delta::order::kind_name;
use verify::internal::domain::delta::terms::Terms;
use verify::internal::domain::erc20::word;
use verify::internal::domain::intent::Intent;
use verify::internal::domain::member::{Members, member};
use verify::internal::domain::side::Side;
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::{JsonAt, parse};
use verify::internal::value::text::ToText;
use verify::internal::wire::order::find_order;

/// The members that make two orders the same trade. Bounds, names, fees and times do not count, because a second click
/// changes them.
pub struct SameTrade<'a> {
    /// The side whose amount is fixed.
    pub side: Side,
    /// Whether it is a limit order, which waits for its price.
    pub rests: bool,
    /// The service's name for orders of this kind.
    pub kind: &'a str,
    /// The source and the destination chain.
    pub chains: (u64, u64),
    /// The account that signs the order.
    pub owner: Address,
    /// The account that receives the bought tokens.
    pub beneficiary: Address,
    /// The token sold and the token bought, as requests name them.
    pub tokens: (Address, Address),
    /// The fixed amount, raw units.
    pub amount: U256,
    /// The amount of the other side, if the request states it; else 0.
    pub limit: U256,
    /// The most that an order in slices spends; else 0.
    pub max_spent: U256,
    /// The number of slices, and the seconds between them; else 0.
    pub slices: (U256, U256),
    /// The contract that takes part, and the hash of its data; else 0.
    pub handler: (Address, B256),
}

impl SameTrade<'_> {
    /// The trade's key: the hash under which the journal has it.
    pub fn key(&self) -> B256 {
        trade_key(&[
            &self.side.name(),
            &if self.rests { "LIMIT" } else { "MARKET" },
            &self.kind,
            &self.chains.0,
            &self.chains.1,
            &self.owner,
            &self.beneficiary,
            &self.tokens.0,
            &self.tokens.1,
            &self.amount,
            &self.limit,
            &self.max_spent,
            &self.slices.0,
            &self.slices.1,
            &self.handler.0,
            &self.handler.1,
        ])
    }
}

/// The key of the requested trade.
pub fn intent_key(intent: &Intent, terms: &Terms, owner: Address) -> B256 {
    let twap = intent.twap.map(|twap| (U256::from(twap.num_slices), U256::from(twap.interval_secs)));
    let external = terms.external.as_ref().map(|(handler, data)| (*handler, keccak256(data)));
    let trade = SameTrade {
        side: intent.side,
        rests: terms.rests,
        kind: kind_name(intent, terms),
        chains: (intent.chain_id, intent.dest_chain_id),
        owner,
        beneficiary: intent.beneficiary.unwrap_or(owner),
        tokens: (intent.src.address, intent.dest.address),
        amount: intent.amount,
        limit: terms.limit.unwrap_or_default(),
        max_spent: terms.max_src_amount.unwrap_or_default(),
        slices: twap.unwrap_or_default(),
        handler: external.unwrap_or_default(),
    };
    trade.key()
}

/// Whether the order of that hash is over once its nonce is used. The contract counts the fills of a `FillableOrder` by
/// its hash instead.
pub fn ends_with_nonce<H: Host>(shared: &Shared<H>, hash: B256) -> bool {
    shared.ledger.orders().iter().any(|order| order.signed.hash == hash && order.kind != "FillableOrder")
}

/// Refuses `replace` for an order of a kind that its nonce does not bind: both orders could be filled.
///
/// # Errors
/// INVALID_INPUT with `options.existing`.
pub fn check_replaceable(existing: Option<ExistingOrder>, kind: &str) -> Result<()> {
    if existing == Some(ExistingOrder::Replace) && is_in_parts(kind) {
        let expected = ["no replacement: ", remedy(kind)].concat();
        return Err(Error::input("options.existing", &expected, "replace"));
    }
    Ok(())
}

/// The advice in the error when an order of that kind can still be filled.
pub fn remedy(kind: &str) -> &'static str {
    match kind {
        "FillableOrder" => {
            r#"it stays fillable until its deadline, whoever has its signature: for both, build(quote, { ..., existing: "keepBoth" })"#
        }
        kind if is_in_parts(kind) => r#"cancel it on chain (buildCancellation), or build with existing: "keepBoth""#,
        _ => {
            r#"for this one to take its place, submit(build, { existing: "replace" }); for both, build(quote, { ..., existing: "keepBoth" })"#
        }
    }
}

/// The nonce of the order that `replace` replaces: the last one for that intent that can still be filled.
///
/// # Errors
/// ALREADY_SIGNED if all of them were filled or cancelled; INVALID_INPUT with `options.existing` if there is none.
pub fn nonce_to_replace<H: Host>(shared: &Shared<H>, intent: B256) -> Result<U256> {
    let may_be_asked = |hash| may_be_under_way(shared, hash);
    second::nonce_to_replace(&shared.ledger.orders(), intent, &may_be_asked).map_err(nothing_to_replace)
}

/// The error for `replace` without an order to replace: `spent` was filled or cancelled instead.
pub fn nothing_to_replace(spent: Option<RememberedOrder>) -> Error {
    match spent {
        Some(order) => already_filled(&order, Some(ExistingOrder::Replace)),
        None => {
            let expected = "nothing, or keepBoth (there is no order for this trade to replace)";
            Error::input("options.existing", expected, "replace")
        }
    }
}

/// The error for an order that was filled or cancelled meanwhile, and whose nonce the next order has. `existing` is the
/// caller's consent.
pub fn already_filled(order: &RememberedOrder, existing: Option<ExistingOrder>) -> Error {
    let words = match existing {
        None => {
            " was filled or cancelled meanwhile, and this build has its nonce: to trade once more, quote and build again"
        }
        Some(_) => {
            " was filled or cancelled meanwhile: there is nothing to replace; to trade once more build without `existing`"
        }
    };
    already_signed(order, &["the order ", &order.signed.hash.text(), words], "filled or cancelled")
}

/// How long after its deadline `abandon` lets go of an order whose outcome was never reported, in seconds.
pub const LET_GO_SECS: u64 = 3_600;

/// The error for an order that [ended untold](second::ended_untold). `now` is unix seconds.
pub fn ended_unseen(order: &RememberedOrder, now: u64) -> Error {
    if order.is_contradicted {
        let status = order.status.as_deref().unwrap_or_default();
        let words = [
            "an order for the same trade (",
            &order.signed.hash.text(),
            ") ended as ",
            status,
            ", but the chain shows its nonce used, as by a fill: see whether the tokens arrived; to trade once more, build(quote, { ..., existing: \"keepBoth\" })",
        ];
        return already_signed(order, &words, "filled or cancelled");
    }
    let advice = match now > order.deadline.saturating_add(LET_GO_SECS) {
        true => {
            r#"order() or trades.resume() may still tell how; else trades.abandon() lets go of it, and build(quote, { ..., existing: "keepBoth" }) trades once more"#
        }
        false => {
            r#"order() or trades.resume() tells how; to trade once more nevertheless, build(quote, { ..., existing: "keepBoth" })"#
        }
    };
    let hash = order.signed.hash.text();
    let words = ["an order for the same trade (", &hash, ") may have been filled, and no call has said so: ", advice];
    already_signed(order, &words, "filled or cancelled")
}

/// The service's status of an order that was signed here, for the message of the error about it. The app learns it only
/// from that message.
pub async fn ask_service<H: Host>(client: &Client<H>, hash: B256, signal: &H::Signal) -> String {
    let key = OrderKey::Hash(hash);
    let status = async {
        let answer = parse(&orders::read(&client.shared, &key, signal).await?).map_err(Error::not_json)?;
        let at = JsonAt::service(find_order(&answer), "order");
        verify_answer(client, &at, &key.wanted())?;
        at.get("status").text().map(String::from)
    };
    match status.await {
        Ok(status) => ["; the service says ", &status].concat(),
        Err(error) if error.status == Some(404) => "; the service does not know it now".into(),
        Err(error) => ["; the service could not be asked (", error.code.name(), ")"].concat(),
    }
}

/// ALREADY_SIGNED with the hash of the signed order, its `SignedOrder` if it was not posted yet, and its fate,
/// `became`.
pub fn already_signed(order: &RememberedOrder, words: &[&str], became: &str) -> Error {
    let mut error = Error::new(ErrorCode::AlreadySigned, &words.concat());
    error.actual = Some(became.into());
    error.order_hash = Some(order.signed.hash);
    error.signed_order.clone_from(&order.signed_order);
    error
}

/// The name under which the client remembers the transaction that pre-signs an order; its hash is the prompt's key.
pub fn pre_signature_name(hash: B256) -> String {
    ["consent to ", &hash.text()].concat()
}

/// The keys of the two prompts that an order can have: its signature, and the transaction that pre-signs it.
fn prompts(hash: B256) -> [B256; 2] {
    [hash, keccak256(pre_signature_name(hash))]
}

/// Whether a prompt for that order may be open, or its pre-signature was sent.
pub fn may_be_under_way<H: Host>(shared: &Shared<H>, hash: B256) -> bool {
    prompts(hash).into_iter().any(|key| shared.ledger.is_done(key) || is_asked(shared, key))
}

/// Whether an order for an intent is known that may still be filled: [`refresh_orders`] has something to look at.
pub fn is_open<H: Host>(shared: &Shared<H>, intent: B256) -> bool {
    shared.ledger.orders().iter().any(|order| order.intent == intent && !order.is_over)
}

/// Updates the state of the orders for an intent, except that of hash `but`: from prompts whose callers have given up,
/// and from the chain. If the chain cannot be read, they keep their state, as orders that can still be filled.
///
/// # Errors
/// ABORTED; no other failure.
pub async fn refresh_orders<H: Host>(
    client: &Client<H>,
    intent: B256,
    but: Option<B256>,
    signal: &H::Signal,
) -> Result<()> {
    let shared = &client.shared;
    let same = |order: &&RememberedOrder| order.intent == intent && Some(order.signed.hash) != but && !order.is_over;
    let all: Vec<RememberedOrder> = shared.ledger.orders().into_iter().filter(|order| same(&order)).collect();
    let mut open = Vec::new();
    for mut order in all {
        if !order.is_signed && was_answered(client, order.signed.hash).await {
            order.is_signed = true;
            shared.ledger.apply(order.signed.hash, Event::WalletAnsweredLate).await;
        }
        if order.is_signed {
            open.push(order);
        }
    }
    match settle_by_chain(client, &open, signal).await {
        Err(error) if error.code == ErrorCode::Aborted => Err(error),
        _ => Ok(()),
    }
}

/// Whether the user approved a prompt for that order after its call had given up waiting.
async fn was_answered<H: Host>(client: &Client<H>, hash: B256) -> bool {
    let shared = &client.shared;
    for key in prompts(hash) {
        let is_it = |open: &&OpenPrompt<H::Prompt, H::Provider>| open.key == key;
        let open: Vec<_> =
            shared.ledger.prompts.borrow().iter().filter(is_it).map(|open| open.prompt.clone()).collect();
        if open.is_empty() && shared.ledger.is_done(key) {
            return true;
        }
        for prompt in open {
            match shared.host.answer(&prompt, Some(0), &H::Signal::never()).await {
                Ok(_) => return true,
                Err(open) if open.unreachable => {}
                // The user refused.
                Err(_) => forget(client, key),
            }
        }
    }
    false
}

/// Notes which of these orders can no longer be filled: their nonce is used, a cancellation that this client sent went
/// through, or their deadline has passed. All of them are on the chain of the first, because they have one intent.
///
/// # Errors
/// The RPC's failure; orders settled before it stay settled.
async fn settle_by_chain<H: Host>(client: &Client<H>, open: &[RememberedOrder], signal: &H::Signal) -> Result<()> {
    let shared = &client.shared;
    let Some(chain_id) = open.first().map(|order| order.signed.chain_id) else { return Ok(()) };
    let Some(chain) = Chain::find(client, chain_id, signal).await? else { return Ok(()) };
    let machine = shared.host.unix_ms() / 1_000;
    let read = |order: &RememberedOrder| {
        let signed = &order.signed;
        Read::view(&signed.delta, &is_nonce_used(signed.order.address(member!("owner")), order.nonce))
            .named("isNonceUsed")
    };
    let mut batch = Batch::default();
    let (time, words) = (batch.add(Read::time()), batch.add_all(open.iter().map(read)));
    let (time, words) = match chain.ask(batch).await {
        Ok(answers) => (answers.get(time)?, answers.get_all(words)),
        // A node that reports only the time still shows which orders have expired.
        Err(error) => (chain.read(Read::time()).await?, Err(error)),
    };
    for (index, order) in open.iter().enumerate() {
        let hash = order.signed.hash;
        let answer = words.as_ref().ok().and_then(|words| word(words.get(index)?));
        let is_cancelled = is_cancelled(&chain, order).await?;
        if ends_with_nonce(shared, hash) && (is_cancelled || answer == Some(U256::from(1))) {
            shared.ledger.apply(hash, Event::ChainUnfillable(true)).await;
        } else if is_cancelled || has_passed(chain_id, time, machine, order.deadline) {
            shared.ledger.apply(hash, Event::ChainUnfillable(false)).await;
        }
    }
    words.map(|_| ())
}

/// Whether a transaction that this client built to cancel that order was mined and succeeded. It ends an order in parts
/// only by the order's hash.
async fn is_cancelled<H: Host>(chain: &Chain<'_, H>, order: &RememberedOrder) -> Result<bool> {
    let ledger = &chain.client.shared.ledger;
    let by_nonce = invalidate_nonce(order.nonce);
    for entry in ledger.cancellations(order.signed.hash) {
        if is_in_parts(order.kind) && entry.asked().is_none_or(|asked| asked.data == by_nonce) {
            continue;
        }
        let mut pending = Pending::new(entry.named_sent());
        pending.look(chain).await?;
        ledger.record_sent(&pending.sent).await;
        // For calls that were sent together, the wallet's report without a transaction hash is not enough here.
        if pending.sent.status == "COMPLETED" && pending.sent.hash.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}
