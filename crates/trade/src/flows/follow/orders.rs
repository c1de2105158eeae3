//! The orders of one `watch`: their changes, and the pauses between requests.

use crate::client::Client;
use crate::client::followed::{FollowedOrder, Search, SharedOrder, Wanted};
use crate::flows::argument_kind::Accepted;
use crate::flows::delta::orders::verify_answer;
use crate::flows::delta::settled::settlement;
use crate::flows::follow::answer::{MAX_CONTRADICTIONS, TOPIC, learn, publish, receive};
use crate::flows::follow::ask::{Ask, MANY, is_open};
use crate::flows::follow::pace::{FollowPace, GRACE_SECS, is_passing};
use crate::flows::follow::unseen::is_late;
use crate::host::{Host, LockFailure, Signal};
use crate::service::orders::OrderKey;
use crate::wallet::account::quantity;
use alloy_primitives::Address;
use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;
use verify::internal::domain::delta::status::{COMPLETED, WAITING, is_terminal};
use verify::internal::domain::input::{MAX_EXACT, account, known};
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::{Json, JsonAt, parse};
use verify::internal::value::text::ToText;
use verify::internal::wire::order::read_order;

/// How long after its deadline an order is requested more often, in seconds.
const ENDING_SECS: u64 = 60;
/// The factor of the pauses while the page is hidden.
const HIDDEN_FACTOR: u32 = 4;
/// How long another tab may take to send its request, in milliseconds. It may be frozen; then this tab sends its own.
const PATIENCE_MS: u64 = 30_000;
/// How often the lock is tried meanwhile, in milliseconds.
const LOCKED_MS: u32 = 1_000;
/// The number of refusals in a row after which it is an error that the service no longer reports an order that it
/// reported before.
const MAX_REFUSALS: u32 = 3;
/// The smallest page size that is requested.
const SMALLEST_PAGE: u64 = 10;

/// An order of this watch.
#[derive(Clone, Debug)]
struct Mine {
    order: SharedOrder,
    /// The turn of the last change that was returned.
    seen: u64,
}

/// All orders of an account.
#[derive(Clone, Debug)]
struct Account {
    owner: Address,
    /// Only orders of these source chains; empty for all.
    chains: Vec<u64>,
    /// The queue of new orders.
    arrivals: Rc<RefCell<Vec<SharedOrder>>>,
}

/// The orders that a `watch` follows.
#[derive(Clone, Debug)]
pub struct Orders {
    mine: Vec<Mine>,
    account: Option<Account>,
    /// Keeps open the inbox that all watches share; `None` before the first wait.
    seat: Option<Rc<dyn Any>>,
    /// The pause after a request; none before the first.
    pause_ms: u32,
    /// The turn of the last request.
    looked: u64,
    /// Something was returned since.
    has_changed: bool,
    /// When something was returned last, milliseconds of the monotonic clock.
    changed_ms: u64,
    /// The page was hidden when it was last checked.
    was_hidden: bool,
    /// Since when another tab has had the lock without passing on an answer, milliseconds of the monotonic clock.
    locked_ms: Option<u64>,
}

/// The next step.
enum Step {
    Ask(Ask),
    /// Wait so many milliseconds.
    Wait(u64),
}

impl Orders {
    /// Reads the argument: an order, its id or hash; a list of these; `{ account, chainId? }`.
    ///
    /// # Errors
    /// INVALID_INPUT if it is none of them.
    pub fn read(at: &JsonAt<'_>) -> Result<Orders> {
        let mut mine = Vec::new();
        let mut all = None;
        if let Ok(items) = at.items() {
            for item in items {
                mine.push(Mine { order: read_followed(&item)?, seen: 0 });
            }
        } else if at.get("id").is_absent() && !at.get("account").is_absent() {
            known(at, &["account", "chainId"])?;
            let chains = at.get("chainId");
            let chains = match chains.items() {
                Ok(items) => items.map(|at| at.integer(MAX_EXACT)).collect::<Result<_>>()?,
                Err(_) => chains.some().map(|at| at.integer(MAX_EXACT)).transpose()?.into_iter().collect(),
            };
            all = Some(Account { owner: account(&at.get("account"))?, chains, arrivals: Rc::default() });
        } else {
            mine.push(Mine { order: read_followed(at)?, seen: 0 });
        }
        Ok(Orders {
            mine,
            account: all,
            seat: None,
            pause_ms: 0,
            looked: 0,
            has_changed: false,
            changed_ms: 0,
            was_hidden: false,
            locked_ms: None,
        })
    }

    /// Waits until an order differs from its last returned state. Returns it as JSON text; `None` once all have ended.
    ///
    /// # Errors
    /// ABORTED; the failure to read an order, if waiting does not help.
    pub async fn next<H: Host>(
        &mut self,
        client: &Client<H>,
        pace: FollowPace,
        signal: &H::Signal,
    ) -> Result<Option<String>> {
        let (followed, host) = (&client.shared.followed, &client.shared.host);
        let inbox = followed.inbox(|| host.inbox(TOPIC));
        if self.seat.is_none() {
            self.join(client);
        }
        self.seat = Some(inbox.clone());
        loop {
            if read_all_feeds(client, &inbox) {
                self.locked_ms = None;
            }
            self.take_arrivals();
            if let Some(text) = self.take_change(client, signal).await? {
                return Ok(Some(text));
            }
            if self.mine.is_empty() && self.account.is_none() {
                return Ok(None);
            }
            if signal.is_aborted() {
                return Err(Error::aborted());
            }
            self.take_failure(client)?;
            self.set_pause(client, pace);
            let ask = match self.step(client, pace) {
                Step::Ask(ask) => ask,
                Step::Wait(ms) => {
                    followed.wait(host.pause(u32::try_from(ms).unwrap_or(u32::MAX), signal)).await;
                    continue;
                }
            };
            let lock = self.lock(client, &ask).await;
            let Some(_turn) = lock.as_ref().and_then(|_| followed.begin()) else {
                followed.wait(host.pause(LOCKED_MS, signal)).await;
                continue;
            };
            // The tab that had the lock before has passed on its answer.
            if !read_all_feeds(client, &inbox) {
                self.ask(client, &ask, pace, signal).await?;
            }
        }
    }

    /// Joins the followers of this client's orders.
    fn join<H: Host>(&mut self, client: &Client<H>) {
        let (followed, now) = (&client.shared.followed, client.shared.host.monotonic_ms());
        self.changed_ms = now;
        for mine in &mut self.mine {
            mine.order = followed.join(mine.order.clone());
        }
        if let Some(Account { owner, arrivals, .. }) = &self.account {
            for order in followed.of(*owner) {
                if is_open(order.borrow().reported.as_ref()) {
                    arrivals.borrow_mut().push(order);
                }
            }
            let list = followed.list(*owner);
            let list = &mut *list.borrow_mut();
            list.arrivals.push(Rc::downgrade(arrivals));
            // All open orders have to be found.
            (list.swept_ms, list.asked_open) = (None, false);
        }
    }

    /// Takes over the account's new orders.
    fn take_arrivals(&mut self) {
        let Some(Account { chains, arrivals, .. }) = &self.account else { return };
        for order in arrivals.take() {
            let is_mine = match order.borrow().reported.as_ref() {
                Some(reported) => {
                    chains.is_empty()
                        || read_order(&JsonAt::service(reported, "order"))
                            .chain_id
                            .is_some_and(|chain| chains.contains(&chain))
                }
                None => true,
            };
            if is_mine && !self.mine.iter().any(|mine| Rc::ptr_eq(&mine.order, &order)) {
                self.mine.push(Mine { order, seen: 0 });
            }
        }
    }

    /// The oldest change that was not returned yet, as JSON text. Forgets an order that has ended.
    ///
    /// # Errors
    /// SERVICE_MALFORMED if it contradicts what this client has learnt meanwhile.
    async fn take_change<H: Host>(&mut self, client: &Client<H>, signal: &H::Signal) -> Result<Option<String>> {
        let changed = self.mine.iter().enumerate().filter(|(_, mine)| mine.order.borrow().changed > mine.seen);
        let oldest = changed.min_by_key(|(_, mine)| mine.order.borrow().changed).map(|(index, _)| index);
        let unix_secs = client.shared.host.unix_ms() / 1_000;
        let has_lapsed = |mine: &Mine| mine.order.borrow().has_lapsed(client.shared.host.monotonic_ms(), unix_secs);
        let lapsed = || self.mine.iter().position(has_lapsed);
        let Some(index) = oldest.or_else(lapsed) else { return Ok(None) };
        let Some(mine) = self.mine.get_mut(index) else { return Ok(None) };
        let (reported, wanted, unseen) = {
            let order = mine.order.borrow();
            mine.seen = order.changed;
            (order.reported.clone().unwrap_or(Json::Null), order.wanted.clone(), order.unseen)
        };
        let status = reported.get("status").and_then(Json::as_text).unwrap_or_default();
        let ends = is_terminal(status);
        let ended = match unseen {
            _ if oldest.is_none() => Some("deadline"),
            Some(unseen) if unseen.is_over => Some("chain"),
            _ => None,
        };
        if ends || ended.is_some() {
            self.mine.remove(index);
            if let Some(Account { owner, .. }) = &self.account {
                let id = reported.get("id").and_then(Json::as_text).unwrap_or_default();
                client.shared.followed.list(*owner).borrow_mut().ids_ended.push(id.into());
            }
        }
        if !ends {
            (self.has_changed, self.changed_ms) = (true, client.shared.host.monotonic_ms());
        }
        // The balances that the order changed are read anew.
        if let Some(chain_id) = reported.get("input").and_then(|input| input.get("chainId")).and_then(quantity) {
            client.shared.nodes.forget_state(chain_id);
        }
        let reported = verify_answer(client, &JsonAt::service(&reported, "order"), &wanted)?;
        let settled = if status == COMPLETED { Some(settlement(client, &reported, signal).await) } else { None };
        let mut order = reported.json(settled);
        let ledger = &client.shared.ledger;
        if let (Some(signed), None) = (&reported.signed, unseen) {
            ledger.report(signed.hash, &order).await;
            ledger.tell(signed.hash, Some(status)).await;
        }
        if let Json::Object(members) = &mut order {
            members.extend(unseen.map(|unseen| ("unseenSince".into(), Json::Number(unseen.since.text()))));
            members.extend(ended.map(|why| ("ended".into(), Json::String(why.into()))));
        }
        Ok(Some(order.write()))
    }

    /// Takes the failure to read an order, or the list, if waiting does not help. It is tried again afterwards.
    ///
    /// # Errors
    /// The failure taken, if there is one.
    fn take_failure<H: Host>(&self, client: &Client<H>) -> Result<()> {
        let mut failure = self.mine.iter().find_map(|mine| mine.order.borrow_mut().failure.take());
        if let Some(Account { owner, .. }) = &self.account {
            failure = failure.or_else(|| client.shared.followed.list(*owner).borrow_mut().failure.take());
        }
        failure.map_or(Ok(()), Err)
    }

    /// Sets the pause from the result of the last request, and has the orders wait no longer than that.
    fn set_pause<H: Host>(&mut self, client: &Client<H>, pace: FollowPace) {
        let host = &client.shared.host;
        let list = self.account.as_ref().map(|account| client.shared.followed.list(account.owner));
        let orders = self.mine.iter().map(|mine| mine.order.borrow().covered);
        let looked = orders.chain(list.iter().map(|list| list.borrow().covered)).max().unwrap_or_default();
        if looked > self.looked {
            self.looked = looked;
            let is_many = u64::try_from(self.mine.len()).is_ok_and(|count| count > MANY);
            self.pause_ms = match () {
                () if is_many => pace.max_interval_ms,
                () if self.has_changed => pace.interval_ms,
                () => pace.slower(self.pause_ms, host.monotonic_ms().saturating_sub(self.changed_ms)),
            };
            self.has_changed = false;
            let now = host.unix_ms() / 1_000;
            let is_ending = |mine: &Mine| {
                let deadline = mine.order.borrow().deadline;
                deadline.is_some_and(|deadline| deadline <= now && now <= deadline.saturating_add(ENDING_SECS))
            };
            if !is_many && self.mine.iter().any(is_ending) {
                self.pause_ms = self.pause_ms.min(pace.interval_ms.saturating_mul(2));
            }
        }
        let is_back = host.is_visible() && self.was_hidden;
        self.was_hidden = !host.is_visible();
        let pause_ms = if is_back { pace.interval_ms } else { self.pause_ms };
        let sooner = |pause: &mut Option<u32>| *pause = Some(pause.map_or(pause_ms, |pause| pause.min(pause_ms)));
        for mine in &self.mine {
            let order = &mut *mine.order.borrow_mut();
            sooner(&mut order.pause_ms);
            let unseen_ms = order.unseen.map_or(0, |unseen| unseen.pause_ms(host.unix_ms()));
            order.pause_ms = order.pause_ms.max(Some(unseen_ms));
        }
        if let Some(list) = &list {
            sooner(&mut list.borrow_mut().pause_ms);
        }
    }

    /// Decides the next step.
    fn step<H: Host>(&self, client: &Client<H>, pace: FollowPace) -> Step {
        let (followed, host) = (&client.shared.followed, &client.shared.host);
        let (now, unix_ms) = (host.monotonic_ms(), host.unix_ms());
        let retry = followed.retry_ms.get().saturating_sub(now);
        if retry > 0 {
            return Step::Wait(retry);
        }
        let factor = if host.is_visible() { 1 } else { HIDDEN_FACTOR };
        let end = |since_ms: u64, pause_ms: Option<u32>| {
            since_ms.saturating_add(pause_ms.unwrap_or_default().saturating_mul(factor).into())
        };
        let is_many = u64::try_from(self.mine.len()).is_ok_and(|count| count > MANY);
        let mut owners: Vec<Address> = self.account.iter().map(|account| account.owner).collect();
        // The one that has been due for the longest time: with more than can be asked for, no other would get its turn.
        let (mut soonest, mut due) = (u64::MAX, None);
        for mine in &self.mine {
            let order = mine.order.borrow();
            let mut at = end(order.since_ms, order.pause_ms);
            if let Some(deadline) = order.deadline.filter(|_| !is_many) {
                // A second after the deadline, when the service may have noticed it; unless the order was read since.
                let notice_ms = deadline.saturating_add(1).saturating_mul(1_000);
                if unix_ms.saturating_sub(now.saturating_sub(order.since_ms)) < notice_ms {
                    at = at.min(now.saturating_add(notice_ms.saturating_sub(unix_ms)));
                }
            }
            if at < soonest {
                (soonest, due) = (at, Some(&mine.order));
            }
            if let Some(owner) = order.wanted.owner.filter(|owner| owners.last() != Some(owner)) {
                owners.push(owner);
            }
        }
        let mut is_list_due = false;
        if let Some(Account { owner, .. }) = &self.account {
            let list = followed.list(*owner);
            let list = list.borrow();
            let at = end(list.since_ms, list.pause_ms);
            is_list_due = at <= now;
            soonest = soonest.min(at);
        }
        for owner in &owners {
            if let Some(ask) = followed.list(*owner).borrow_mut().follow_up(&followed.of(*owner), now) {
                return Step::Ask(ask);
            }
        }
        if soonest > now {
            return Step::Wait(soonest.saturating_sub(now));
        }
        let due = due.filter(|_| !is_list_due);
        let owner = match (due, &self.account) {
            (Some(due), _) => due.borrow().wanted.owner,
            (None, account) => account.as_ref().map(|account| account.owner),
        };
        match (owner, due) {
            (Some(owner), due) => {
                let next = followed.list(owner).borrow_mut().next(due, &followed.of(owner), now, pace.interval_ms);
                next.map_or_else(Step::Wait, Step::Ask)
            }
            (None, Some(due)) => Step::Ask(Ask::Order(due.clone())),
            (None, None) => Step::Wait(LOCKED_MS.into()),
        }
    }

    /// Makes sure that no other tab sends a request about the same owner now: two tabs that are due together would send
    /// the same; without a lock if the browser does not answer. `None` if one does, and may still be answered. If it has just been answered, no request is needed.
    async fn lock<H: Host>(&mut self, client: &Client<H>, ask: &Ask) -> Option<Option<H::Lock>> {
        let Some(owner) = ask.owner() else { return Some(None) };
        let host = &client.shared.host;
        let name = ["watch/", &client.shared.settings.base_url, "/", &owner.to_string()].concat();
        let lock = match host.lock(&name, 0).await {
            Err(LockFailure::Silent) => return Some(None),
            lock => lock.ok(),
        };
        let now = host.monotonic_ms();
        if lock.is_none() && now.saturating_sub(*self.locked_ms.get_or_insert(now)) < PATIENCE_MS {
            return None;
        }
        if lock.is_some() {
            self.locked_ms = None;
        }
        Some(lock)
    }

    /// Sends the request, and takes over the answer. A failure that may pass slows down.
    ///
    /// # Errors
    /// ABORTED, if the signal aborts first.
    async fn ask<H: Host>(
        &mut self,
        client: &Client<H>,
        ask: &Ask,
        pace: FollowPace,
        signal: &H::Signal,
    ) -> Result<()> {
        let outcome = ask.send(client, signal).await.and_then(|text| {
            let answer = parse(&text).map_err(Error::not_json)?;
            publish(client, ask, &text);
            learn(client, ask, &answer)
        });
        let Err(error) = outcome else { return Ok(()) };
        if error.code == ErrorCode::Aborted {
            return Err(error);
        }
        if let (Ask::Order(order), Some(404)) = (ask, error.status)
            && is_late(client, order, signal).await?
        {
            return Ok(());
        }
        if let (Ask::Page(page), true) = (ask, error.is_too_large()) {
            // Fewer orders per page, from the first page on.
            let list = client.shared.followed.list(page.owner);
            let list = &mut *list.borrow_mut();
            if list.limit > SMALLEST_PAGE {
                list.limit = page.limit.div_ceil(2).max(SMALLEST_PAGE);
                list.search = list.search.map(|search| Search { page: 1, limit: list.limit, ..search });
                return Ok(());
            }
        }
        let host = &client.shared.host;
        self.pause_ms = pace.slower(self.pause_ms, host.monotonic_ms().saturating_sub(self.changed_ms));
        let ms = error.retry_after_secs.unwrap_or_default().saturating_mul(1_000).max(self.pause_ms.into());
        client.shared.followed.retry_ms.set(host.monotonic_ms().saturating_add(ms));
        if is_passing(&error) && !error.is_too_large() {
            return Ok(());
        }
        let contradicts = error.code == ErrorCode::ServiceMalformed;
        match ask {
            Ask::Order(order) => {
                let order = &mut *order.borrow_mut();
                let most = match () {
                    () if contradicts => MAX_CONTRADICTIONS,
                    () if order.reported.is_some() && order.unseen.is_none() => MAX_REFUSALS,
                    () => 1,
                };
                order.fail(error, most);
                // The failure does not hold up the other orders.
                order.cover(client.shared.followed.next_turn(), host.monotonic_ms());
            }
            Ask::Page(page) => {
                let list = client.shared.followed.list(page.owner);
                let list = &mut *list.borrow_mut();
                list.fail(error, if contradicts { MAX_CONTRADICTIONS } else { 1 });
                // Without the list, each order is requested by itself; new ones are not found.
                list.is_refused = !list.is_followed() && list.failure.take().is_some();
            }
        }
        Ok(())
    }
}

/// Takes over the answers of other tabs; returns whether there were any.
fn read_all_feeds<H: Host>(client: &Client<H>, inbox: &H::Inbox) -> bool {
    let mut has_message = false;
    while let Some(message) = client.shared.host.next_message(inbox) {
        has_message = true;
        receive(client, &message);
    }
    has_message
}

/// One order to follow: itself, its id or its hash.
///
/// # Errors
/// INVALID_INPUT if it is none of them.
fn read_followed(at: &JsonAt<'_>) -> Result<SharedOrder> {
    let (wanted, given) = match at.json() {
        Some(Json::String(_)) => (OrderKey::read(at)?.wanted(), None),
        Some(json) => {
            Accepted::FOLLOWED.check(&at.path(), json)?;
            OrderKey::id(&at.get("id"))?;
            (Wanted::from_order(at)?, at.get("status").text().ok().map(|_| json.clone()))
        }
        None => return Err(at.fault("an order, its id or hash")),
    };
    Ok(Rc::new(RefCell::new(FollowedOrder { wanted, given, ..FollowedOrder::default() })))
}

impl FollowedOrder {
    /// Whether following it is no longer of use: long after its deadline it was still reported as waiting to be filled.
    /// `now` is milliseconds of the monotonic clock.
    fn has_lapsed(&self, now: u64, unix_secs: u64) -> bool {
        let status = self
            .reported
            .as_ref()
            .and_then(|reported| reported.get("status"))
            .and_then(Json::as_text)
            .unwrap_or_default();
        let Some(end) = self.deadline.map(|deadline| deadline.saturating_add(GRACE_SECS)) else { return false };
        let told_secs = unix_secs.saturating_sub(now.saturating_sub(self.reported_ms) / 1_000);
        WAITING.contains(&status) && told_secs >= end
    }
}
