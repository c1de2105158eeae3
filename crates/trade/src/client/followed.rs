//! A client's state of followed orders (`trade/follow`): each once, whoever follows it, so that one answer of the
//! service serves all.

use alloy_primitives::{Address, B256};
use std::cell::{Cell, RefCell};
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::{Rc, Weak};
use std::task::{Poll, Waker};
use verify::internal::error::Error;
use verify::internal::json::Json;

/// The required identity of a reported order. Members that are `None` or empty are not compared.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// The service's id.
    pub id: Option<String>,
    /// The order's hash.
    pub hash: Option<B256>,
    /// The account that signed it, if that is known.
    pub owner: Option<Address>,
    /// The source chains that it may be on.
    pub chains: Vec<u64>,
}

/// A followed order. Times are milliseconds of the monotonic clock, turns count changes.
#[derive(Debug, Default)]
pub struct FollowedOrder {
    /// The identity that each answer about it must have.
    pub wanted: Wanted,
    /// The service's last report of it, as it came; it agrees with `wanted`. `None` before the first answer.
    pub reported: Option<Json>,
    /// The turn in which that changed last; 0 before the first answer.
    pub changed: u64,
    /// When the service last reported it, changed or not.
    pub reported_ms: u64,
    /// The turn in which it was last requested, or a request would have shown its end.
    pub covered: u64,
    /// When that was.
    pub since_ms: u64,
    /// How long after that it is to be requested again. `None`: no caller waits for it.
    pub pause_ms: Option<u32>,
    /// Until when it may be filled, unix seconds; `None` if its struct is not known.
    pub deadline: Option<u64>,
    /// A complete list of the open orders did not have it: it has ended, or the list is late.
    pub is_missing: bool,
    /// The list of the ended orders did not have it either.
    pub was_sought: bool,
    /// The followers of all the owner's orders have it.
    pub is_listed: bool,
    /// The order as the application passed it in, if it has a status: the service then reported it before.
    pub given: Option<Json>,
    /// The service does not find it, though it handed it out.
    pub unseen: Option<Unseen>,
    /// How many answers about it in a row were of no use.
    pub failures: u32,
    /// The last of these failures, once waiting does not help.
    pub failure: Option<Error>,
}

/// The state of an order that the service handed out and does not find.
#[derive(Clone, Copy, Debug)]
pub struct Unseen {
    /// Since when, unix milliseconds by this machine's clock.
    pub since: u64,
    /// When it was last requested by itself, milliseconds of the monotonic clock.
    pub asked_ms: u64,
    /// The chain shows that it cannot be filled any more.
    pub is_over: bool,
}

impl Unseen {
    /// For how many milliseconds it is not requested again; 0 while a replica of the service may only be late.
    pub fn pause_ms(&self, unix_ms: u64) -> u32 {
        match unix_ms.saturating_sub(self.since) {
            0..60_000 => 0,
            60_000..3_600_000 => 55_000,
            _ => 600_000,
        }
    }
}

/// A followed order, in all the places that follow it.
pub type SharedOrder = Rc<RefCell<FollowedOrder>>;

/// Pages of a list that are read one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Search {
    /// Whether they list the ended orders, not the open ones.
    pub is_ended: bool,
    /// The next page, from 1.
    pub page: u64,
    /// Orders per page.
    pub limit: u64,
    /// When it began, milliseconds of the monotonic clock.
    pub began_ms: u64,
}

/// The service's lists of an owner's orders, as far as read.
#[derive(Debug)]
pub struct OwnerList {
    /// The owner of the orders.
    pub owner: Address,
    /// How many are open; `None` before the first list.
    pub open: Option<u64>,
    /// How many had ended when it was last known which.
    pub ended: Option<u64>,
    /// The page size to request: smaller once an answer was too large.
    pub limit: u64,
    /// The pages that are being read.
    pub search: Option<Search>,
    /// When the open orders were last read as a whole, milliseconds of the monotonic clock.
    pub swept_ms: Option<u64>,
    /// The open orders were requested last, not the ended ones.
    pub asked_open: bool,
    /// The service refuses its list: each order is requested by itself.
    pub is_refused: bool,
    /// When another tab last passed on orders that are not followed here.
    pub answered_ms: Option<u64>,
    /// [`FollowedOrder::covered`] for the followers of all the owner's orders.
    pub covered: u64,
    /// [`FollowedOrder::since_ms`] for the list.
    pub since_ms: u64,
    /// [`FollowedOrder::pause_ms`] for the list.
    pub pause_ms: Option<u32>,
    /// The queues of new orders for the followers of all the owner's orders.
    pub arrivals: Vec<Weak<RefCell<Vec<SharedOrder>>>>,
    /// The latest `updatedAt` when following all of them began. Orders that ended before are history. `None`: not known
    /// yet.
    pub began_at: Option<String>,
    /// The latest `updatedAt` so far.
    pub latest: String,
    /// The ids of the orders that ended since.
    pub ids_ended: Vec<String>,
    /// The failure to read the list, once waiting does not help.
    pub failure: Option<Error>,
    /// How many of its answers in a row were of no use.
    pub failures: u32,
}

/// All orders that a client follows. `I` is the host's inbox.
pub struct Followed<I> {
    orders: RefCell<Vec<Weak<RefCell<FollowedOrder>>>>,
    lists: RefCell<Vec<Rc<RefCell<OwnerList>>>>,
    inbox: RefCell<Weak<I>>,
    turn: Cell<u64>,
    is_asking: Cell<bool>,
    /// No request is sent before: the last one failed. Milliseconds of the monotonic clock.
    pub retry_ms: Cell<u64>,
    waiting: RefCell<Vec<Waker>>,
}

impl<I> Default for Followed<I> {
    fn default() -> Followed<I> {
        Followed {
            orders: RefCell::default(),
            lists: RefCell::default(),
            inbox: RefCell::default(),
            turn: Cell::new(0),
            is_asking: Cell::new(false),
            retry_ms: Cell::new(0),
            waiting: RefCell::default(),
        }
    }
}

impl<I> Followed<I> {
    /// The orders that are still followed.
    pub fn orders(&self) -> Vec<SharedOrder> {
        let mut orders = self.orders.borrow_mut();
        orders.retain(|order| order.strong_count() > 0);
        orders.iter().filter_map(Weak::upgrade).collect()
    }

    /// The followed orders of an owner.
    pub fn of(&self, owner: Address) -> Vec<SharedOrder> {
        let mut orders = self.orders();
        orders.retain(|order| order.borrow().wanted.owner == Some(owner));
        orders
    }

    /// The followed order with the same identity, if there is one; else `order`, which is followed from now on.
    pub fn join(&self, order: SharedOrder) -> SharedOrder {
        let wanted = order.borrow().wanted.clone();
        let is_same = |known: &&SharedOrder| {
            let known = &known.borrow().wanted;
            (known.id.is_some() && known.id == wanted.id) || (known.hash.is_some() && known.hash == wanted.hash)
        };
        if let Some(known) = self.orders().iter().find(is_same) {
            if !Rc::ptr_eq(known, &order) {
                let given = order.borrow_mut().given.take();
                let known = &mut *known.borrow_mut();
                known.given = known.given.take().or(given);
            }
            return known.clone();
        }
        self.orders.borrow_mut().push(Rc::downgrade(&order));
        order
    }

    /// The service's lists of an owner's orders.
    pub fn list(&self, owner: Address) -> Rc<RefCell<OwnerList>> {
        let mut lists = self.lists.borrow_mut();
        if let Some(known) = lists.iter().find(|list| list.borrow().owner == owner) {
            return known.clone();
        }
        let list = Rc::new(RefCell::new(OwnerList::new(owner)));
        lists.push(list.clone());
        list
    }

    /// The inbox for the service's answers passed on by other tabs; `open` opens it. It is closed when all that hold it
    /// are dropped.
    pub fn inbox(&self, open: impl FnOnce() -> I) -> Rc<I> {
        let mut inbox = self.inbox.borrow_mut();
        inbox.upgrade().unwrap_or_else(|| {
            // Nothing was followed, and the lists are old.
            self.lists.borrow_mut().clear();
            let opened = Rc::new(open());
            *inbox = Rc::downgrade(&opened);
            opened
        })
    }

    /// The number of the last turn.
    pub fn turn(&self) -> u64 {
        self.turn.get()
    }

    /// The number of the next turn.
    pub fn next_turn(&self) -> u64 {
        self.turn.set(self.turn.get().saturating_add(1));
        self.turn.get()
    }

    /// The right to send a request, which one has at a time; `None` while it is taken.
    pub fn begin(&self) -> Option<FollowGuard<'_, I>> {
        (!self.is_asking.replace(true)).then(|| FollowGuard(self))
    }

    /// Wakes all that [`Followed::wait`].
    pub fn wake(&self) {
        self.next_turn();
        for waker in self.waiting.take() {
            waker.wake();
        }
    }

    /// Waits until `pause` ends, or until another watch learnt something or gave up the right to send.
    pub async fn wait(&self, pause: impl Future<Output = ()>) {
        let mut pause = pin!(pause);
        let turn = self.turn.get();
        poll_fn(|context| {
            if self.turn.get() != turn || pause.as_mut().poll(context).is_ready() {
                return Poll::Ready(());
            }
            let mut waiting = self.waiting.borrow_mut();
            if !waiting.iter().any(|waker| waker.will_wake(context.waker())) {
                waiting.push(context.waker().clone());
            }
            Poll::Pending
        })
        .await;
    }
}

/// The right to send a request. When it is dropped, the others go on.
pub struct FollowGuard<'a, I>(&'a Followed<I>);

impl<I> Drop for FollowGuard<'_, I> {
    fn drop(&mut self) {
        self.0.is_asking.set(false);
        self.0.wake();
    }
}

/// The most orders that the service puts on a page.
const LARGEST_PAGE: u64 = 1_000;

impl OwnerList {
    fn new(owner: Address) -> OwnerList {
        OwnerList {
            owner,
            open: None,
            ended: None,
            limit: LARGEST_PAGE,
            search: None,
            swept_ms: None,
            asked_open: false,
            is_refused: false,
            answered_ms: None,
            covered: 0,
            since_ms: 0,
            pause_ms: None,
            arrivals: Vec::new(),
            began_at: None,
            latest: String::new(),
            ids_ended: Vec::new(),
            failure: None,
            failures: 0,
        }
    }

    /// Whether all the owner's orders are followed.
    pub fn is_followed(&mut self) -> bool {
        self.arrivals.retain(|one| one.strong_count() > 0);
        !self.arrivals.is_empty()
    }
}
