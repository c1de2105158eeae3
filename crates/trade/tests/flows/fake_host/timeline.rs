//! Time that several calls share: they run together, and the clock jumps whenever all of them wait.

use std::cell::{Cell, RefCell};
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

/// Something that runs beside others.
pub type Task<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// Whether a task has to be polled.
struct Ready(AtomicBool);

impl Wake for Ready {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A wait that has not ended.
struct Waiting {
    /// When it ends, milliseconds of [`Timeline::now`].
    at: u64,
    /// Ends it before.
    until: Box<dyn Fn() -> bool>,
    waker: Waker,
    is_over: Rc<Cell<bool>>,
}

/// A clock that stands still while somebody works.
#[derive(Default)]
pub struct Timeline {
    now: Cell<u64>,
    is_running: Cell<bool>,
    waiting: RefCell<Vec<Waiting>>,
}

impl Timeline {
    /// Milliseconds since it was made.
    pub fn now(&self) -> u64 {
        self.now.get()
    }

    /// Tasks run on it now. Otherwise there is one call at a time, and whoever waits turns the clock on himself.
    pub fn is_running(&self) -> bool {
        self.is_running.get()
    }

    /// Waits that long, or until something is so. It is looked at only when everybody waits.
    pub async fn wait(&self, ms: u64, until: impl Fn() -> bool + 'static) {
        let (at, is_over) = (self.now.get() + ms, Rc::new(Cell::new(false)));
        let mut until: Option<Box<dyn Fn() -> bool>> = Some(Box::new(until));
        poll_fn(|context| {
            if is_over.get() {
                return Poll::Ready(());
            }
            // A task that races two waits polls this one again.
            if let Some(until) = until.take() {
                let (waker, is_over) = (context.waker().clone(), is_over.clone());
                self.waiting.borrow_mut().push(Waiting { at, until, waker, is_over });
            }
            Poll::Pending
        })
        .await;
    }

    /// Runs all tasks to their ends; returns what they do, in their order.
    pub fn run<T>(&self, tasks: Vec<Task<'_, T>>) -> Vec<T> {
        assert!(!self.is_running.replace(true), "one after the other");
        let mut done: Vec<Option<T>> = tasks.iter().map(|_| None).collect();
        let mut tasks: Vec<_> = tasks.into_iter().map(|task| (Arc::new(Ready(true.into())), task)).collect();
        while done.iter().any(Option::is_none) {
            let mut is_busy = false;
            for ((ready, task), end) in tasks.iter_mut().zip(&mut done) {
                if end.is_none() && ready.0.swap(false, Ordering::Relaxed) {
                    is_busy = true;
                    let waker = Waker::from(ready.clone());
                    if let Poll::Ready(value) = task.as_mut().poll(&mut Context::from_waker(&waker)) {
                        *end = Some(value);
                    }
                }
            }
            if !is_busy {
                self.go_on();
            }
        }
        self.is_running.set(false);
        self.waiting.borrow_mut().clear();
        done.into_iter().flatten().collect()
    }

    /// Ends the waits that are over; if there are none, the clock jumps to the next that is.
    fn go_on(&self) {
        let mut waiting = self.waiting.borrow_mut();
        let is_over = |one: &Waiting| one.at <= self.now.get() || (one.until)();
        if !waiting.iter().any(is_over) {
            self.now.set(waiting.iter().map(|one| one.at).min().expect("everybody waits, and nobody for the time"));
        }
        for one in waiting.extract_if(.., |one| is_over(one)) {
            one.is_over.set(true);
            one.waker.wake();
        }
    }
}
