//! The submissions of a client. A second `submit` of the same build, by a double click or a page that renders twice,
//! joins the first and gets its promise.
//!
//! This is a convenience above `client.rs`, whose memory keeps an order from being signed or posted twice in any case.

use crate::abort::Abort;
use js_sys::Promise;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use verified_swap::host::Signal;

/// How many submissions are remembered; the oldest is forgotten first.
const KEPT: usize = 256;

/// How far a submission is.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub enum Phase {
    /// It is checked, or the user is asked: an abort ends it.
    #[default]
    Waiting,
    /// It is being posted or sent, or was: an abort no longer ends it.
    Posting,
    /// It ended with an error, and may be tried again.
    Failed,
}

/// What makes two calls of `submit` the same submission.
#[derive(PartialEq, Eq)]
pub struct SubmissionKey {
    /// The build's `sealed` text.
    pub sealed: String,
    /// The options that take the place of the wallet's prompt (`signature`, `preSign`, `again`), as JSON text one
    /// behind the other; empty if none is set.
    pub consent: String,
}

/// A submission, and the promise that every call of it gets.
struct Submission {
    key: SubmissionKey,
    /// Of the first call's answer.
    promise: Promise,
    /// The first call's signal.
    signal: Abort,
    /// Kept up to date by the first call.
    phase: Rc<Cell<Phase>>,
}

impl Submission {
    /// Whether it has neither failed nor been aborted in time.
    fn goes_on(&self) -> bool {
        match self.phase.get() {
            Phase::Waiting => !self.signal.is_aborted(),
            Phase::Posting => true,
            Phase::Failed => false,
        }
    }

    /// Whether a call with that key joins this submission. One with other consent options does not, as this one may be
    /// waiting for a prompt that they would avoid; once this one is posting, it does.
    fn answers(&self, key: &SubmissionKey) -> bool {
        let agrees = key.consent.is_empty() || key.consent == self.key.consent || self.phase.get() == Phase::Posting;
        agrees && self.key.sealed == key.sealed && self.goes_on()
    }
}

/// The submissions of one client, the latest last.
#[derive(Default)]
pub struct Submissions(RefCell<Vec<Submission>>);

impl Submissions {
    /// The promise of the submission that a call with that key joins. If there is none, `start` starts one, which is
    /// remembered; `start` keeps the phase up to date that it is given.
    pub fn join_or(
        &self,
        key: SubmissionKey,
        signal: &Abort,
        start: impl FnOnce(Rc<Cell<Phase>>) -> Promise,
    ) -> Promise {
        let mut all = self.0.borrow_mut();
        if let Some(first) = all.iter().rev().find(|submission| submission.answers(&key)) {
            return first.promise.clone();
        }
        if all.len() >= KEPT {
            all.remove(0);
        }
        let phase = Rc::new(Cell::default());
        let promise = start(phase.clone());
        all.push(Submission { key, promise: promise.clone(), signal: signal.clone(), phase });
        promise
    }

    /// Forgets all of them. What was posted or sent stays so.
    pub fn clear(&self) {
        self.0.take();
    }
}
