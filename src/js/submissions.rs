//! Submissions of a client: one order, or one transaction, is submitted once, however often that is asked for.

use super::abort::Abort;
use crate::host::Signal;
use js_sys::Promise;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Submissions that are remembered; the oldest is forgotten first.
const KEPT: usize = 256;

/// How far a submission is.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub enum Phase {
    /// An abort ends it.
    #[default]
    Waiting,
    /// It is on its way, or there: an abort no longer ends it.
    Posting,
    /// It ended with an error.
    Failed,
}

/// What a submission is recognised by.
#[derive(PartialEq, Eq)]
pub struct SubmissionKey {
    /// The sealed text of what is submitted.
    pub sealed: String,
    /// The options that ask for consent in another way than by the wallet's prompt, as JSON text; empty for the prompt.
    pub consent: String,
}

struct Submission {
    key: SubmissionKey,
    promise: Promise,
    /// Of the call that started it.
    signal: Abort,
    phase: Rc<Cell<Phase>>,
}

impl Submission {
    /// Whether it has neither failed nor been given up.
    fn goes_on(&self) -> bool {
        match self.phase.get() {
            Phase::Waiting => !self.signal.is_aborted(),
            Phase::Posting => true,
            Phase::Failed => false,
        }
    }

    /// Whether a call of that key is this very submission. One that asks for another consent than the prompt, which may be
    /// open, is another one, until one of them posts.
    fn answers(&self, key: &SubmissionKey) -> bool {
        let agrees = key.consent.is_empty() || key.consent == self.key.consent || self.phase.get() == Phase::Posting;
        agrees && self.key.sealed == key.sealed && self.goes_on()
    }
}

/// The submissions of one client, the latest last.
#[derive(Default)]
pub struct Submissions(RefCell<Vec<Submission>>);

impl Submissions {
    /// The promise of the submission of that key that goes on. Where there is none, it is started, and remembered;
    /// `start` keeps the phase it is given up to date.
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

    /// Forgets all of them. What was posted is not affected.
    pub fn clear(&self) {
        self.0.take();
    }
}
