//! The service's answers about followed orders. Each order in them is verified before it counts, whether this tab
//! requested it or another one passed the answer on.

use crate::client::Client;
use crate::client::followed::{FollowedOrder, OwnerList, Search, SharedOrder, Unseen};
use crate::flows::delta::orders::verify_answer;
use crate::flows::follow::ask::{Ask, GLANCE, MANY, Page, is_open};
use crate::host::Host;
use alloy_primitives::U256;
use std::cell::RefCell;
use std::rc::{Rc, Weak};
use verify::internal::domain::input::MAX_EXACT;
use verify::internal::domain::member::{Members, member};
use verify::internal::error::{Error, Result};
use verify::internal::json::{Json, JsonAt, ObjectWriter, parse};
use verify::internal::wire::order::{find_order, read_order};

/// The topic of messages between tabs: an answer of the service, and its request.
pub const TOPIC: &str = "orders";

/// The number of contradictory answers in a row after which they are an error.
pub const MAX_CONTRADICTIONS: u32 = 8;

/// The most orders that one list may have; more pages are not read.
const MOST_LISTED: u64 = 100_000;

/// Takes over a reported order. A final status stays.
///
/// # Errors
/// SERVICE_MALFORMED with the member that contradicts what is known of it.
pub fn learn_order<H: Host>(client: &Client<H>, order: &SharedOrder, at: &JsonAt<'_>) -> Result<()> {
    let (shared, now) = (&client.shared, client.shared.host.monotonic_ms());
    let Some(json) = at.json() else { return Err(at.fault("an order")) };
    let is_new = {
        let order = order.borrow();
        is_open(order.reported.as_ref())
            && order.reported.as_ref().is_none_or(|reported| reported != json && !reported.same_as(json))
    };
    if is_new {
        take_over(client, order, at)?;
    }
    let turn = shared.followed.next_turn();
    let order = &mut *order.borrow_mut();
    let was_unseen = order.unseen.take().is_some();
    if is_new || was_unseen {
        order.changed = turn;
    }
    (order.is_missing, order.was_sought, order.failures, order.failure) = (false, false, 0, None);
    order.reported_ms = now;
    order.cover(turn, now);
    Ok(())
}

/// Takes over an order's members as reported.
///
/// # Errors
/// SERVICE_MALFORMED with the member that contradicts what is known of it.
pub fn take_over<H: Host>(client: &Client<H>, order: &SharedOrder, at: &JsonAt<'_>) -> Result<()> {
    let wanted = order.borrow().wanted.clone();
    let reported = verify_answer(client, at, &wanted)?;
    let deadline = reported.signed.map(|signed| signed.order.uint(member!("deadline")));
    let order = &mut *order.borrow_mut();
    order.wanted.learn(at);
    order.reported = at.json().cloned();
    order.deadline = deadline.map(|deadline: U256| u64::try_from(deadline).unwrap_or(u64::MAX)).or(order.deadline);
    Ok(())
}

impl FollowedOrder {
    /// The order was just looked up.
    pub fn cover(&mut self, turn: u64, now: u64) {
        (self.covered, self.since_ms, self.pause_ms) = (turn, now, None);
    }

    /// Counts an unusable answer about the order: an error at the `most`th in a row.
    pub fn fail(&mut self, error: Error, most: u32) {
        self.failures = self.failures.saturating_add(1);
        if self.failures >= most {
            let mut error = error;
            error.order_hash = error.order_hash.or(self.wanted.hash);
            (self.failure, self.failures) = (Some(error), 0);
        }
    }
}

/// Takes over an answer to a request. An order of a page that contradicts what is known of it is requested by itself.
///
/// # Errors
/// SERVICE_MALFORMED if the page cannot be read, or a single order contradicts.
pub fn learn<H: Host>(client: &Client<H>, ask: &Ask, answer: &Json) -> Result<()> {
    match ask {
        Ask::Order(order) => {
            let at = JsonAt::service(find_order(answer), "order");
            learn_order(client, order, &at)?;
            // The order may be followed by its hash and by its id.
            learn_items(client, &[at], None);
            Ok(())
        }
        Ask::Page(page) => learn_page(client, page, answer),
    }
}

/// Takes over a page.
///
/// # Errors
/// SERVICE_MALFORMED if it cannot be read.
fn learn_page<H: Host>(client: &Client<H>, page: &Page, answer: &Json) -> Result<()> {
    let followed = &client.shared.followed;
    let (now, unix_ms) = (client.shared.host.monotonic_ms(), client.shared.host.unix_ms());
    let at = JsonAt::service(answer, "page");
    let data = if at.get("data").is_absent() { at } else { at.get("data") };
    let items: Vec<JsonAt<'_>> = data.items()?.collect();
    let list = followed.list(page.owner);
    let failures = list.borrow().failures;
    let ends = learn_items(client, &items, Some(&list));

    let number = |name| at.get(name).integer(MAX_EXACT).ok();
    let count = u64::try_from(items.len()).unwrap_or(u64::MAX);
    let limit = number("limit").unwrap_or(page.limit).max(1);
    let read = page.page.saturating_sub(1).saturating_mul(limit).saturating_add(count);
    let total = number("total");
    // A page that does not say what follows it is the last one if it is not full.
    let has_more = at.get("hasMore").bool().unwrap_or_else(|_| total.map_or(count >= limit, |total| read < total));
    let is_last = !has_more || count == 0 || read >= MOST_LISTED;

    let orders = followed.of(page.owner);
    let list = &mut *list.borrow_mut();
    if list.failures == failures {
        list.failures = 0;
    }
    list.asked_open = !page.is_ended;
    let search = list.search.take_if(|search| (search.is_ended, search.page) == (page.is_ended, page.page));
    if page.is_ended {
        // A number that is not told may have grown: the list is read whole.
        let grown = total.map_or(u64::MAX, |total| total.saturating_sub(list.ended.unwrap_or(total)));
        list.ended = Some(total.unwrap_or(read));
        if list.began_at.is_none() && list.is_followed() && list.swept_ms.is_some() {
            list.began_at = Some(list.latest.clone());
        }
        if search.is_none() && grown > ends {
            list.seek(grown.saturating_sub(ends), now);
        }
    }
    let was_small = list.open.is_none_or(|open| open <= MANY);
    if !page.is_ended {
        // More pages than those read so far may follow.
        let least = if is_last { read } else { read.max(list.open.unwrap_or_default()) };
        list.open = Some(total.unwrap_or(least));
    }
    if let Some(mut search) = search {
        if !is_last && !page.is_ended && was_small && list.open > Some(MANY) {
            // Longer lists are not read whole each time: orders that are due are requested in another way.
            return Ok(());
        }
        if !is_last {
            search.page = search.page.saturating_add(1);
            list.search = Some(search);
            return Ok(());
        }
        for order in &orders {
            let order = &mut *order.borrow_mut();
            match search.is_ended {
                true => order.was_sought = order.is_missing,
                false => {
                    let is_late =
                        |unseen: &Unseen| now.saturating_sub(unseen.asked_ms) < unseen.pause_ms(unix_ms).into();
                    let is_unseen = order.unseen.as_ref().is_some_and(is_late);
                    order.is_missing |=
                        is_open(order.reported.as_ref()) && order.reported_ms < search.began_ms && !is_unseen;
                }
            }
        }
        if !search.is_ended {
            list.swept_ms = Some(now);
        }
    }
    let turn = followed.next_turn();
    for order in &orders {
        order.borrow_mut().cover(turn, now);
    }
    (list.covered, list.since_ms, list.pause_ms) = (turn, now, None);
    Ok(())
}

/// Takes over these orders, and passes new ones to the followers of the whole list. Returns how many have newly ended.
fn learn_items<'a, H: Host>(client: &Client<H>, items: &[JsonAt<'a>], list: Option<&Rc<RefCell<OwnerList>>>) -> u64 {
    let mut ends: u64 = 0;
    // The items' indexes, sorted by id; as in `json::sorted`.
    let id = |at: &JsonAt<'a>| read_order(at).id.unwrap_or_default();
    let mut by_id: Vec<(&str, usize)> = Vec::new();
    for (index, at) in items.iter().enumerate() {
        let id = id(at);
        let place = by_id.partition_point(|(known, _)| *known < id);
        by_id.insert(place, (id, index));
    }
    let mut found: Vec<Option<SharedOrder>> = vec![None; items.len()];
    for order in client.shared.followed.orders() {
        let place = {
            let wanted = &order.borrow().wanted;
            match &wanted.id {
                Some(id) => by_id.binary_search_by(|(known, _)| known.cmp(&id.as_str())).ok(),
                None => by_id.iter().position(|(_, index)| {
                    let hash = items.get(*index).and_then(|at| read_order(at).hash);
                    hash.is_some() && hash == wanted.hash
                }),
            }
        };
        let Some((_, index)) = place.and_then(|place| by_id.get(place)) else { continue };
        let (Some(at), Some(found)) = (items.get(*index), found.get_mut(*index)) else { continue };
        let was_open = is_open(order.borrow().reported.as_ref());
        if learn_order(client, &order, at).is_err() {
            let order = &mut *order.borrow_mut();
            (order.is_missing, order.was_sought) = (true, true);
        } else if was_open && !is_open(at.json()) {
            ends = ends.saturating_add(1);
        }
        *found = Some(order);
    }
    if let Some(list) = list {
        for (at, known) in items.iter().zip(&found) {
            ends = ends.saturating_add(list.borrow_mut().meet(client, at, known.as_ref()));
        }
    }
    ends
}

impl OwnerList {
    /// Processes an order of the list; `known` if it is followed. Followers of all the owner's orders get it, if it is
    /// new to them. Returns 1 if it was not followed, and has ended since they began.
    fn meet<H: Host>(&mut self, client: &Client<H>, at: &JsonAt<'_>, known: Option<&SharedOrder>) -> u64 {
        let updated = at.get("updatedAt").text().unwrap_or_default();
        if updated > self.latest.as_str() {
            self.latest = updated.into();
        }
        let id = at.get("id").text().unwrap_or_default();
        let has_ended = !is_open(at.json());
        let is_history = self.began_at.as_deref().is_none_or(|began| updated <= began);
        // An order that was reported as over, as long after its deadline, may still be listed.
        let is_old = (has_ended && is_history) || self.ids_ended.iter().any(|known| known == id);
        if !self.is_followed() || is_old || known.is_some_and(|known| known.borrow().is_listed) {
            return 0;
        }
        let order = known.cloned().unwrap_or_else(|| {
            let order = SharedOrder::default();
            order.borrow_mut().wanted.owner = Some(self.owner);
            order
        });
        if known.is_none()
            && let Err(error) = learn_order(client, &order, at)
        {
            self.fail(error, MAX_CONTRADICTIONS);
            return 0;
        }
        self.announce(&client.shared.followed.join(order));
        u64::from(has_ended && known.is_none())
    }

    /// Hands an order to the followers of all the owner's orders.
    fn announce(&mut self, order: &SharedOrder) {
        order.borrow_mut().is_listed = true;
        for arrivals in self.arrivals.iter().filter_map(Weak::upgrade) {
            arrivals.borrow_mut().push(order.clone());
        }
    }

    /// Counts an unusable answer of the list: an error at the `most`th in a row.
    pub fn fail(&mut self, error: Error, most: u32) {
        self.failures = self.failures.saturating_add(1);
        if self.failures >= most {
            (self.failure, self.failures) = (Some(error), 0);
        }
    }
}

/// Passes the service's answer on to the other tabs; `answer` is JSON text.
pub fn publish<H: Host>(client: &Client<H>, ask: &Ask, answer: &str) {
    let mut out = ObjectWriter::object();
    out.text("baseUrl", &client.shared.settings.base_url);
    if let Ask::Page(Page { owner, is_ended, page, limit }) = ask {
        out.value("owner", owner);
        out.flag("isEnded", *is_ended);
        out.number("page", *page);
        out.number("limit", *limit);
    }
    out.raw("answer", answer);
    client.shared.host.publish(TOPIC, &out.close());
}

/// Takes over another tab's answer. A message from elsewhere is ignored.
pub fn receive<H: Host>(client: &Client<H>, message: &str) {
    let Ok(message) = parse(message) else { return };
    let at = JsonAt::service(&message, "message");
    let (Some(answer), Ok(true)) =
        (message.get("answer"), at.get("baseUrl").text().map(|url| url == client.shared.settings.base_url))
    else {
        return;
    };
    let now = client.shared.host.monotonic_ms();
    let owner = at.get("owner");
    if owner.is_absent() {
        let order = JsonAt::service(find_order(answer), "order");
        let known = client.shared.followed.turn();
        learn_items(client, &[order], None);
        if let Some(owner) = read_order(&order).owner
            && known == client.shared.followed.turn()
        {
            client.shared.followed.list(owner).borrow_mut().answered_ms = Some(now);
        }
        return;
    }
    let number = |name| at.get(name).integer(MAX_EXACT);
    let (Ok(owner), Ok(is_ended), Ok(page), Ok(limit)) =
        (owner.address(), at.get("isEnded").bool(), number("page"), number("limit"))
    else {
        return;
    };
    let page = Page { owner, is_ended, page, limit };
    let list = client.shared.followed.list(owner);
    {
        let list = &mut *list.borrow_mut();
        list.answered_ms = Some(now);
        // This tab reads the same pages, and would go on with them if the other one stopped.
        let is_search = page.page == 1 && !(is_ended && page.limit <= GLANCE);
        if is_search && list.search.is_none() {
            list.search = Some(Search { is_ended, page: 1, limit: page.limit, began_ms: now });
        }
    }
    let _ = learn_page(client, &page, answer);
}
