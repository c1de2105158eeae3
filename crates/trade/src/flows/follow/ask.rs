//! Chooses the one request that covers the most of the orders that are due.
//!
//! A single order is requested by itself. Several of one owner are covered by one request, however many they are: up to
//! [`MANY`] open ones by a page that has them all; more by the number of orders that have ended, which only grows, so
//! that no end can hide behind a new order. When it has grown, pages are read until the end is found. An order that is
//! missing in a complete list of the open ones is requested by itself.

use crate::client::Client;
use crate::client::followed::{OwnerList, Search, SharedOrder};
use crate::host::Host;
use crate::service::orders::{self, OrderKey};
use alloy_primitives::Address;
use verify::internal::domain::delta::status::{OPEN, TERMINAL, is_terminal};
use verify::internal::error::Result;
use verify::internal::json::Json;
use verify::internal::value::text::ToText;

/// The most open orders of an owner that are read whole each time.
pub const MANY: u64 = 50;
/// The most orders due together that are requested one by one, if their owner has more open ones than [`MANY`]: the
/// number of ended orders shows only ends, no other changes.
const FEW: usize = 4;
/// How many of the ended orders are requested along with their number: the latest, if the service sorts so.
pub const GLANCE: u64 = 10;
/// How often more than [`MANY`] open orders are read whole, in milliseconds.
const SWEEP_MS: u64 = 600_000;
/// How long after its last message another tab counts as a follower of the owner's other orders, in milliseconds.
const ANSWERED_MS: u64 = 60_000;

/// A page of an owner's orders: those that are open, or those that have ended.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    pub owner: Address,
    pub is_ended: bool,
    pub page: u64,
    pub limit: u64,
}

/// A request to the service about one order or several.
#[derive(Clone, Debug)]
pub enum Ask {
    /// A single order.
    Order(SharedOrder),
    /// A page of a list.
    Page(Page),
}

impl Ask {
    /// The owner of the orders, if known.
    pub fn owner(&self) -> Option<Address> {
        match self {
            Ask::Order(order) => order.borrow().wanted.owner,
            Ask::Page(page) => Some(page.owner),
        }
    }

    /// Sends it; returns the answer's text.
    ///
    /// # Errors
    /// The errors of the service.
    pub async fn send<H: Host>(&self, client: &Client<H>, signal: &H::Signal) -> Result<String> {
        match self {
            Ask::Order(order) => {
                let key = key(order);
                orders::read(&client.shared, &key, signal).await
            }
            Ask::Page(Page { owner, is_ended, page, limit }) => {
                let filter =
                    [("userAddress", Some(owner.text())), ("page", Some(page.text())), ("limit", Some(limit.text()))];
                let statuses = if *is_ended { &TERMINAL[..] } else { &OPEN };
                orders::list_with(&client.shared, &filter, statuses, signal).await
            }
        }
    }
}

/// The key in the request for an order: its id, if it can stand in a path.
fn key(order: &SharedOrder) -> OrderKey {
    let wanted = &order.borrow().wanted;
    let fits = |id: &&String| wanted.hash.is_none() || ![".", ".."].contains(&id.as_str());
    match wanted.id.as_ref().filter(fits) {
        Some(id) => OrderKey::Id(id.clone()),
        None => OrderKey::Hash(wanted.hash.unwrap_or_default()),
    }
}

/// Whether an order is not known to have ended.
pub fn is_open(reported: Option<&Json>) -> bool {
    !reported.and_then(|reported| reported.get("status")).and_then(Json::as_text).is_some_and(is_terminal)
}

/// How many pages a list of so many orders has.
fn pages(count: Option<u64>, limit: u64) -> u64 {
    count.unwrap_or_default().div_ceil(limit.max(1))
}

impl OwnerList {
    /// Begins to read all ended, or all open, orders. Returns the first page.
    fn begin(&mut self, is_ended: bool, limit: u64, now: u64) -> Page {
        self.search = Some(Search { is_ended, page: 1, limit, began_ms: now });
        Page { owner: self.owner, is_ended, page: 1, limit }
    }

    /// Looks for `ends` orders that are known to have ended: among the ended ones, or by their absence from the open
    /// ones, whichever takes fewer requests. New orders can only be found among the ended ones.
    pub fn seek(&mut self, ends: u64, now: u64) {
        let by_absence = pages(self.open, self.limit).saturating_add(ends);
        let is_ended = self.is_followed() || pages(self.ended, self.limit) <= by_absence;
        self.begin(is_ended, self.limit, now);
    }

    /// The request that an earlier answer left open. `orders` are the owner's.
    pub fn follow_up(&mut self, orders: &[SharedOrder], now: u64) -> Option<Ask> {
        if self.is_refused {
            return None;
        }
        if let Some(Search { is_ended, page, limit, .. }) = self.search {
            return Some(Ask::Page(Page { owner: self.owner, is_ended, page, limit }));
        }
        let missing = || orders.iter().filter(|order| order.borrow().is_missing);
        let unsought = missing().filter(|order| !order.borrow().was_sought).count();
        if u64::try_from(unsought).unwrap_or(u64::MAX) > pages(self.ended, self.limit).saturating_add(1) {
            return Some(Ask::Page(self.begin(true, self.limit, now)));
        }
        if let Some(order) = missing().next() {
            return Some(Ask::Order(order.clone()));
        }
        // Orders that ended before are history, so their end has to be known at once.
        (self.is_followed() && self.began_at.is_none() && self.swept_ms.is_some()).then(|| self.glance())
    }

    /// The request for the number of the ended orders, and some of them.
    fn glance(&self) -> Ask {
        Ask::Page(Page { owner: self.owner, is_ended: true, page: 1, limit: GLANCE.min(self.limit) })
    }

    /// The request to send when `due`, or the list itself, is due. `orders` are the owner's.
    ///
    /// # Errors
    /// The milliseconds to wait without a request: the whole list is requested again after `gap_ms` at the earliest.
    pub fn next(
        &mut self,
        due: Option<&SharedOrder>,
        orders: &[SharedOrder],
        now: u64,
        gap_ms: u32,
    ) -> core::result::Result<Ask, u64> {
        // Orders that would be due soon are covered by the same request, and from then on at the same time.
        let is_near = |order: &&SharedOrder| {
            let order = order.borrow();
            let waited = now.saturating_sub(order.since_ms);
            order.pause_ms.is_some_and(|pause| waited >= u64::from(pause.div_ceil(2)))
        };
        let near = orders.iter().filter(is_near).count();
        let is_followed = self.is_followed();
        let is_large = match self.open {
            Some(open) => open > MANY,
            None => u64::try_from(near).is_ok_and(|near| near > MANY),
        };
        let is_alone = near <= 1
            && (is_large || orders.len() <= FEW)
            && self.answered_ms.is_none_or(|answers| now.saturating_sub(answers) > ANSWERED_MS);
        if let Some(due) = due
            && (self.is_refused || (!is_followed && (is_alone || (is_large && near <= FEW))))
        {
            return Ok(Ask::Order(due.clone()));
        }
        let gap = self.since_ms.saturating_add(gap_ms.into()).saturating_sub(now);
        if gap > 0 && self.covered > 0 {
            return Err(gap);
        }
        if is_large {
            let is_swept = self.swept_ms.is_some_and(|swept| now.saturating_sub(swept) < SWEEP_MS);
            // The number of ended orders has to be known first: later ends are then noticed.
            let looks_at_ended = is_swept || self.ended.is_none();
            return Ok(if looks_at_ended { self.glance() } else { Ask::Page(self.begin(false, self.limit, now)) });
        }
        // An order that came and ended between two reads would be missed in the list of the open ones.
        Ok(match is_followed && self.asked_open && self.began_at.is_some() {
            true => self.glance(),
            false => Ask::Page(self.begin(false, MANY.min(self.limit), now)),
        })
    }
}
