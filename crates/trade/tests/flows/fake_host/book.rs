//! Orders of one owner as the service lists them, many at a time, on a clock.

use super::Timeline;
use super::service::{Answer, answer};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use verified_swap_trade::host::{HttpFailure, MAX_ANSWER};

/// Whose orders they are.
pub const OWNER: &str = "0x4a62316623ad457f02cdc5d997ded67a383ec569";

const TERMINAL: [&str; 5] = ["COMPLETED", "FAILED", "EXPIRED", "CANCELLED", "REFUNDED"];

/// Which orders a list begins with; nobody knows how the service sorts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    #[default]
    Newest,
    Oldest,
    LastChanged,
}

type PageHook = Box<dyn FnMut(&Book)>;

struct Listed {
    status: &'static str,
    updated: u64,
    /// Members more, with a comma before.
    more: String,
}

pub struct Book {
    pub sort: Cell<Sort>,
    /// How many orders fit on a page, if it is asked for more.
    pub largest_page: Cell<usize>,
    /// The service is away.
    pub is_away: Cell<bool>,
    /// It knows no status EXECUTING in a filter.
    pub is_strict: Cell<bool>,
    /// What its pages do not say.
    pub silent: Cell<&'static [&'static str]>,
    clock: Rc<Timeline>,
    orders: RefCell<Vec<Listed>>,
    /// Changes to come: (when, which order, its status).
    changes: RefCell<Vec<(u64, usize, &'static str)>>,
    /// Called when a page was answered.
    on_page: RefCell<Option<PageHook>>,
    /// What was asked for, as (when, path with query).
    pub asked: RefCell<Vec<(u64, String)>>,
}

/// The id of an order.
pub fn id(index: usize) -> String {
    format!("00000000-0000-4000-8000-{index:012}")
}

impl Book {
    pub fn new(clock: &Rc<Timeline>) -> Rc<Book> {
        Rc::new(Book {
            sort: Cell::default(),
            largest_page: Cell::new(1_000),
            is_away: Cell::new(false),
            is_strict: Cell::new(false),
            silent: Cell::default(),
            clock: clock.clone(),
            orders: RefCell::default(),
            changes: RefCell::default(),
            on_page: RefCell::default(),
            asked: RefCell::default(),
        })
    }

    /// Adds an order; returns which.
    pub fn post(&self, status: &'static str, more: &str) -> usize {
        let mut orders = self.orders.borrow_mut();
        orders.push(Listed { status, updated: self.clock.now(), more: more.into() });
        orders.len() - 1
    }

    /// Changes a status now.
    pub fn change(&self, index: usize, status: &'static str) {
        let order = &mut self.orders.borrow_mut()[index];
        (order.status, order.updated) = (status, self.clock.now());
    }

    /// Changes a status at that time, in milliseconds.
    pub fn change_at(&self, ms: u64, index: usize, status: &'static str) {
        self.changes.borrow_mut().push((ms, index, status));
    }

    /// Calls `hook` after each page.
    pub fn after_page(&self, hook: impl FnMut(&Book) + 'static) {
        *self.on_page.borrow_mut() = Some(Box::new(hook));
    }

    /// Requests so far.
    pub fn count(&self) -> usize {
        self.asked.borrow().len()
    }

    fn text(&self, index: usize) -> String {
        let Listed { status, updated, more } = &self.orders.borrow()[index];
        format!(r#"{{"id":"{}","status":"{status}","owner":"{OWNER}","updatedAt":"{updated:013}"{more}}}"#, id(index))
    }

    /// The answer to the request of that URL.
    pub fn answer(&self, url: &str) -> Answer {
        let now = self.clock.now();
        for (at, index, status) in self.changes.borrow_mut().extract_if(.., |(at, _, _)| *at <= now) {
            let order = &mut self.orders.borrow_mut()[index];
            (order.status, order.updated) = (status, at);
        }
        let path = url.split_once("/v2/delta/orders").unwrap().1;
        self.asked.borrow_mut().push((now, path.into()));
        if self.is_away.get() {
            return answer(503, "<html>");
        }
        if let Some(tail) = path.strip_prefix('/') {
            let found = (0..self.orders.borrow().len()).find(|index| id(*index) == tail);
            return found
                .map_or_else(|| answer(404, r#"{"errorType":"NotFound"}"#), |index| answer(200, self.text(index)));
        }
        let query: HashMap<&str, &str> = path[1..].split('&').filter_map(|pair| pair.split_once('=')).collect();
        assert!(query["userAddress"].eq_ignore_ascii_case(OWNER));
        let statuses: Vec<&str> = query["status"].split(',').collect();
        if self.is_strict.get() && statuses.contains(&"EXECUTING") {
            return answer(400, r#"{"errorType":"InvalidInput","details":"status EXECUTING is not known"}"#);
        }
        let fits = |index: &usize| statuses.contains(&self.orders.borrow()[*index].status);
        let mut found: Vec<usize> = (0..self.orders.borrow().len()).filter(fits).collect();
        match self.sort.get() {
            Sort::Oldest => {}
            Sort::Newest => found.reverse(),
            Sort::LastChanged => found.sort_by_key(|index| std::cmp::Reverse(self.orders.borrow()[*index].updated)),
        }
        let (page, limit): (usize, usize) = (query["page"].parse().unwrap(), query["limit"].parse().unwrap());
        let items: Vec<String> =
            found.iter().skip((page - 1) * limit).take(limit).map(|index| self.text(*index)).collect();
        let (total, has_more) = (found.len(), found.len() > page * limit);
        let body = format!(
            r#"{{"data":[{}],"total":{total},"page":{page},"limit":{limit},"hasMore":{has_more}}}"#,
            items.join(",")
        );
        let body = self
            .silent
            .get()
            .iter()
            .fold(body, |body, name| body.replace(&format!(r#""{name}":"#), &format!(r#""its {name}":"#)));
        let hook = self.on_page.borrow_mut().take();
        if let Some(mut hook) = hook {
            hook(self);
            self.on_page.borrow_mut().get_or_insert(hook);
        }
        if items.len() > self.largest_page.get() || body.len() > MAX_ANSWER {
            return Err(HttpFailure::TooLarge);
        }
        answer(200, body)
    }

    /// Whether an order has ended by now.
    pub fn has_ended(&self, index: usize) -> bool {
        TERMINAL.contains(&self.orders.borrow()[index].status)
    }
}
