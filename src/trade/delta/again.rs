//! A second order for one intent: while the first may still be filled, nobody signs it unasked. What the service says
//! became of the first is a claim; what counts is the chain.

use crate::client::{Agreed, Client, Shared};
use crate::domain::delta::calls::is_nonce_used;
use crate::domain::delta::order::kind_name;
use crate::domain::delta::terms::Terms;
use crate::domain::erc20::word;
use crate::domain::input::{one_of, optional};
use crate::domain::intent::Intent;
use crate::domain::member::{Members, member};
use crate::domain::text::ToText;
use crate::error::{Error, ErrorCode, Result};
use crate::host::{Host, Signal};
use crate::json::JsonAt;
use crate::trade::chain::clock::has_passed;
use crate::trade::transaction::follow::Pending;
use crate::wallet::prompt::{forget, is_asked};
use crate::wallet::reads::{Batch, Chain, Read};
use alloy_primitives::{Address, B256, U256, keccak256};

/// What the caller says to the order that is signed already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Again {
    /// One of the two is to fill: they have one nonce.
    Replace,
    /// Both are.
    Another,
}

impl Again {
    /// Reads `again`, where it is there.
    ///
    /// # Errors
    /// INVALID_INPUT with the member.
    pub fn read(at: &JsonAt<'_>) -> Result<Option<Again>> {
        optional(&at.get("again"), |at| {
            one_of(at, &[(Again::Replace, "replace"), (Again::Another, "another")], "replace or another")
        })
    }

    /// As JavaScript says it.
    pub fn name(self) -> &'static str {
        if self == Again::Replace { "replace" } else { "another" }
    }
}

/// What makes two orders the same trade: everything but bounds, names and fees.
pub fn intent_key(intent: &Intent, terms: &Terms, owner: Address) -> B256 {
    let twap = intent.twap.map(|twap| (u64::from(twap.num_slices), twap.interval_secs)).unwrap_or_default();
    let external = terms.external.as_ref().map(|(handler, data)| (*handler, keccak256(data))).unwrap_or_default();
    let parts: [&dyn ToText; 16] = [
        &intent.side.name(),
        &terms.type_name(),
        &kind_name(intent, terms),
        &intent.chain_id,
        &intent.dest_chain_id,
        &owner,
        &intent.beneficiary.unwrap_or(owner),
        &intent.src.address,
        &intent.dest.address,
        &intent.amount,
        &terms.limit.unwrap_or_default(),
        &terms.max_src_amount.unwrap_or_default(),
        &twap.0,
        &twap.1,
        &external.0,
        &external.1,
    ];
    let mut key = String::new();
    for part in parts {
        key.push_str(&part.text());
        key.push(' ');
    }
    keccak256(key)
}

/// Whether orders of that kind are filled in parts: their nonce is free until the last one, or for good, so that two
/// orders of one nonce may both be filled.
pub fn is_in_parts(kind: &str) -> bool {
    !["Order", "ExternalOrder"].contains(&kind)
}

/// `again` for an order of that kind.
///
/// # Errors
/// INVALID_INPUT where the nonce does not bind such orders.
pub fn check_replaceable(again: Option<Again>, kind: &str) -> Result<()> {
    if again == Some(Again::Replace) && is_in_parts(kind) {
        let expected = ["no replacement: ", remedy(kind)].concat();
        return Err(Error::input("options.again", &expected, "replace"));
    }
    Ok(())
}

/// What the user may do where an order of that kind may still be filled.
pub fn remedy(kind: &str) -> &'static str {
    match kind {
        "FillableOrder" => {
            r#"it stays fillable until its deadline, whoever has its signature: for both, build(quote, { ..., again: "another" })"#
        }
        kind if is_in_parts(kind) => r#"cancel it on chain (buildCancellation), or build with again: "another""#,
        _ => {
            r#"for this one to take its place, submit(build, { again: "replace" }); for both, build(quote, { ..., again: "another" })"#
        }
    }
}

/// The nonce of the order for an intent that another one may take the place of: the last that may still be filled.
///
/// # Errors
/// ALREADY_SIGNED where all of them were filled or cancelled; INVALID_INPUT where there is none.
pub fn nonce_to_replace<H: Host>(shared: &Shared<H>, intent: B256) -> Result<U256> {
    let orders = shared.orders.borrow();
    let same = || orders.iter().rev().filter(|order| order.intent == intent);
    let open = || same().filter(|order| !order.is_over && !shared.is_spent(intent, order.nonce));
    let last = open()
        .find(|order| order.is_signed)
        .or_else(|| open().find(|order| may_be_under_way(shared, order.signed.hash)));
    if let Some(order) = last {
        return Ok(order.nonce);
    }
    Err(match same().find(|order| order.is_spent) {
        Some(order) => already_filled(order),
        None => {
            let expected = "left out, or another (nothing to replace: no order for this trade is signed here)";
            Error::input("options.again", expected, "replace")
        }
    })
}

/// What is said where the order that was signed has been filled, or cancelled.
pub fn already_filled(order: &Agreed) -> Error {
    let words =
        " was filled or cancelled meanwhile: there is nothing to replace; to trade once more build without `again`";
    already_signed(order, &["the order ", &order.signed.hash.text(), words], "filled or cancelled")
}

/// ALREADY_SIGNED: what is said of the order that was signed, and what became of it.
pub fn already_signed(order: &Agreed, words: &[&str], became: &str) -> Error {
    let mut error = Error::new(ErrorCode::AlreadySigned, &words.concat());
    error.actual = Some(became.into());
    error.order_hash = Some(order.signed.hash);
    error.signed_order.clone_from(&order.signed_order);
    error
}

/// What the transaction is known by that consents to an order.
pub fn pre_signature_name(hash: B256) -> String {
    ["consent to ", &hash.text()].concat()
}

/// What the wallet may have been asked for that order.
fn prompts(hash: B256) -> [B256; 2] {
    [hash, keccak256(pre_signature_name(hash))]
}

/// Whether a prompt for that order may be open, or its consent on its way.
pub fn may_be_under_way<H: Host>(shared: &Shared<H>, hash: B256) -> bool {
    prompts(hash).into_iter().any(|key| shared.is_done(key) || is_asked(shared, key))
}

/// Learns what became of the orders for an intent, but that one: by the prompts that nobody waits for any more, and by
/// the chain. One that cannot answer leaves them as they were.
///
/// # Errors
/// ABORTED.
pub async fn refresh_orders<H: Host>(
    client: &Client<H>,
    intent: B256,
    but: Option<B256>,
    signal: &H::Signal,
) -> Result<()> {
    let shared = &client.shared;
    let same = |order: &&Agreed| order.intent == intent && Some(order.signed.hash) != but && !order.is_over;
    let all: Vec<Agreed> = shared.orders.borrow().iter().filter(same).cloned().collect();
    let mut open = Vec::new();
    for mut order in all {
        if !order.is_signed && was_answered(client, order.signed.hash).await {
            order.is_signed = true;
            shared.remember_order(order.clone());
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

/// Whether the wallet has agreed in a prompt that nobody waited for to its end.
async fn was_answered<H: Host>(client: &Client<H>, hash: B256) -> bool {
    let shared = &client.shared;
    for key in prompts(hash) {
        let prompt = shared.prompts.borrow().iter().find(|(known, _)| *known == key).map(|(_, prompt)| prompt.clone());
        match prompt {
            None if !shared.is_done(key) => {}
            None => return true,
            Some(prompt) => match shared.host.answer(&prompt, Some(0), &H::Signal::never()).await {
                Ok(_) => return true,
                Err(open) if open.unreachable => {}
                // It was refused.
                Err(_) => forget(client, key),
            },
        }
    }
    false
}

/// Notes which of these orders cannot be filled any more: their nonce is used, a transaction cancelled them, or their
/// deadline is over.
async fn settle_by_chain<H: Host>(client: &Client<H>, open: &[Agreed], signal: &H::Signal) -> Result<()> {
    let shared = &client.shared;
    let Some(chain_id) = open.first().map(|order| order.signed.chain_id) else { return Ok(()) };
    let Some(chain) = Chain::find(client, chain_id, signal).await? else { return Ok(()) };
    let time = chain.read(Read::time()).await?;
    let machine = shared.host.unix_ms() / 1_000;
    let read = |order: &Agreed| {
        let signed = &order.signed;
        Read::view(&signed.delta, &is_nonce_used(signed.order.address(member!("owner")), order.nonce))
    };
    let mut batch = Batch::default();
    let words = batch.add_all(open.iter().map(read));
    let words = chain.ask(batch).await.and_then(|answers| answers.get_all(words));
    for (index, order) in open.iter().enumerate() {
        let hash = order.signed.hash;
        let answer = words.as_ref().ok().and_then(|words| word(words.get(index)?));
        let is_cancelled = is_cancelled(&chain, hash).await?;
        // One filled in parts is counted by its hash.
        if order.kind != "FillableOrder" && (is_cancelled || answer == Some(U256::from(1))) {
            shared.settle(hash, true);
        } else if is_cancelled || has_passed(chain_id, time, machine, order.deadline) {
            shared.settle(hash, false);
        }
    }
    words.map(|_| ())
}

/// Whether a transaction that was built here to cancel that order went through.
async fn is_cancelled<H: Host>(chain: &Chain<'_, H>, hash: B256) -> Result<bool> {
    let shared = &chain.client.shared;
    let keys: Vec<B256> =
        shared.cancellations.borrow().iter().filter(|(of, _)| *of == hash).map(|(_, key)| *key).collect();
    for sent in keys.into_iter().filter_map(|key| shared.sent(key)) {
        let mut pending = Pending::new(sent);
        pending.look(chain).await?;
        if pending.sent.status == "COMPLETED" {
            return Ok(true);
        }
    }
    Ok(false)
}
