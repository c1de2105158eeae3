//! Learns from the service which orders are signed, if the journal was lost: a browser may evict a site's storage, and
//! a private window has none. Then the open orders of the account show which nonces are in use.

use crate::client::Client;
use crate::flows::chain::deployment::known_contracts;
use crate::flows::delta::existing::SameTrade;
use crate::flows::delta::reported::{Wanted, verify_reported};
use crate::host::Host;
use crate::ledger::orders::{KnownOrder, SignedOrder};
use crate::ledger::record::{Entry, TradeKind};
use crate::ledger::second::is_in_parts;
use crate::ledger::step::Event;
use crate::service::orders;
use crate::wallet::account::current_account;
use alloy_primitives::{Address, B256, U256, hex, keccak256};
use std::rc::Rc;
use verify::internal::domain::delta::status::FILLABLE;
use verify::internal::domain::member::{Members, member};
use verify::internal::domain::side::Side;
use verify::internal::domain::token::NATIVE;
use verify::internal::domain::typed_struct::name;
use verify::internal::domain::verify::delta_reported::bridged_to;
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::{JsonAt, parse};
use verify::internal::value::text::ToText;

/// How many orders are requested.
const LIMIT: &str = "100";

/// Remembers the account's open orders that this client does not have, so that the user signs none of them a second
/// time without consent. Only orders that have the hash of their struct count. Without a wallet there is nothing to
/// learn.
///
/// # Errors
/// The errors of wallet and service.
pub async fn learn_open_orders<H: Host>(client: &Client<H>, signal: &H::Signal) -> Result<()> {
    let shared = &client.shared;
    let Some(owner) = current_account(client, signal).await? else { return Ok(()) };
    let query = [("userAddress", Some(owner.text())), ("limit", Some(LIMIT.into()))];
    let page = parse(&orders::list_with(shared, &query, &FILLABLE, signal).await?).map_err(Error::not_json)?;
    let at = JsonAt::service(&page, "page");
    let data = at.get("data").some().unwrap_or(at);
    let wanted = Wanted { owner: Some(owner), ..Wanted::default() };
    for item in data.items()? {
        // An order that contradicts itself does not count.
        let Ok(reported) = verify_reported(shared, &item, &wanted, ErrorCode::ServiceMalformed) else { continue };
        if reported.is_signed_here {
            continue;
        }
        let Some(signed) = reported.signed else { continue };
        let wrapped: Vec<Address> =
            known_contracts(shared, signed.chain_id).iter().filter_map(|one| one.wrapped_native).collect();
        let is_limit = item.get("type").text().is_ok_and(|kind| kind == "LIMIT");
        let order = &signed.order;
        let deadline = order.find(member!("deadline")).and_then(|at: U256| u64::try_from(at).ok());
        let known = KnownOrder {
            intent: reported_intent(&signed, is_limit, &wrapped),
            kind: name(order.encoded()),
            rests: is_limit,
            is_in_parts: is_limit || is_in_parts(name(order.encoded())),
            is_native: wrapped.contains(&order.address(member!("srcToken"))),
            nonce: order.uint(member!("nonce")),
            deadline: deadline.unwrap_or(u64::MAX),
            signed,
        };
        let entry = Entry {
            key: known.signed.hash,
            kind: TradeKind::Delta,
            chain_id: known.signed.chain_id,
            owner,
            deadline,
            order_id: item.get("id").text().ok().map(String::from),
            ..Entry::default()
        };
        let _ = shared.ledger.record(entry.key, Event::ServiceListed(Box::new(entry), Rc::new(known)));
    }
    Ok(())
}

/// The key of the trade that a reported order makes. It equals the request's key as far as the struct has the request's
/// members: not for a limit derived from a slippage, for a purchase across chains, or for the beneficiary of a
/// handler's order.
fn reported_intent(signed: &SignedOrder, is_limit: bool, wrapped: &[Address]) -> B256 {
    let SignedOrder { order, chain_id, .. } = signed;
    let uint = |found: Option<U256>| found.unwrap_or_default();
    let total_bought: Option<U256> = order.find(member!("totalDestAmount"));
    let is_purchase = order.find(member!("kind")).map_or(total_bought.is_some(), |kind: U256| !kind.is_zero());
    let sold: Option<U256> = order.find(member!("srcAmount")).or(order.find(member!("totalSrcAmount")));
    let least: Option<U256> = order.find(member!("destAmount")).or(order.find(member!("destAmountPerSlice")));
    let owner = order.address(member!("owner"));
    let native = |token: Address| if wrapped.contains(&token) { NATIVE } else { token };
    let dest_chain = bridged_to(order);
    let dest: Option<Address> = match dest_chain {
        Some(_) => order.find(member!("bridge.outputToken")),
        None => order.find(member!("destToken")).map(native),
    };
    let (amount, limit) = if is_purchase { (total_bought.or(least), sold) } else { (sold, least) };
    let handler: Option<Address> = order.find(member!("handler"));
    let data = handler.map(|_| keccak256(hex::decode(order.text(member!("data"))).unwrap_or_default()));
    let trade = SameTrade {
        side: if is_purchase { Side::Buy } else { Side::Sell },
        rests: is_limit,
        kind: name(order.encoded()),
        chains: (*chain_id, dest_chain.unwrap_or(*chain_id)),
        owner,
        beneficiary: order.find(member!("beneficiary")).unwrap_or(owner),
        tokens: (native(order.address(member!("srcToken"))), dest.unwrap_or_default()),
        amount: uint(amount),
        limit: uint(limit.filter(|_| is_limit)),
        max_spent: uint(order.find(member!("maxSrcAmount"))),
        slices: (uint(order.find(member!("numSlices"))), uint(order.find(member!("interval")))),
        handler: (handler.unwrap_or_default(), data.unwrap_or_default()),
    };
    trade.key()
}
