//! The submissions of a client. A second `submit` of the same build, by a double click or a page that renders twice,
//! joins the first and gets its promise.
//!
//! A convenience above `client.rs`, whose memory prevents in any case that an order is signed or posted twice.

use crate::abort::Abort;
use js_sys::Promise;
use std::cell::Cell;
use std::rc::Rc;
use trade::host::Signal;
use trade::ledger::request_cache::RequestCache;

/// The progress of a submission.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub enum Phase {
    /// It is being checked, or the wallet shows a prompt: an abort ends it.
    #[default]
    Waiting,
    /// It is being posted or sent, or was: an abort no longer ends it.
    Posting,
    /// It ended with an error, and may be tried again.
    Failed,
}

/// The key of a submission: two calls of `submit` with the same key are one.
#[derive(PartialEq, Eq)]
pub struct SubmissionKey {
    /// The `sealed` text of the build.
    pub sealed: String,
    /// The options that replace a prompt of the wallet (`signature`, `preSign`, `existing`), as JSON texts in a row;
    /// empty if none is set.
    pub consent: String,
}

/// A submission, and the promise that all its calls get.
#[derive(Clone)]
struct Submission {
    /// The promise of the first call's answer.
    promise: Promise,
    /// The signal of the first call.
    signal: Abort,
    /// The progress, kept up to date by the first call.
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

    /// Whether a call with this key joins this submission, which has its `own`. A call with other consent options joins it
    /// only once it is posting: before that it may wait for a prompt that these options avoid.
    fn answers(&self, own: &SubmissionKey, key: &SubmissionKey) -> bool {
        let agrees = key.consent.is_empty() || key.consent == own.consent || self.phase.get() == Phase::Posting;
        agrees && own.sealed == key.sealed && self.goes_on()
    }
}

/// The submissions of one client.
#[derive(Default)]
pub struct Submissions(RequestCache<SubmissionKey, Submission>);

impl Submissions {
    /// The promise of the submission that a call with this key joins. If there is none, `start` starts one, which is
    /// remembered; `start` keeps its phase up to date.
    pub fn join_or(
        &self,
        key: SubmissionKey,
        signal: &Abort,
        start: impl FnOnce(Rc<Cell<Phase>>) -> Promise,
    ) -> Promise {
        if let Some((_, first)) = self.0.find_by(|own, submission| submission.answers(own, &key)) {
            return first.promise;
        }
        let phase = Rc::new(Cell::default());
        let promise = start(phase.clone());
        self.0.add(key, 0, Submission { promise, signal: signal.clone(), phase }).promise
    }

    /// Forgets all of them. Orders and transactions that were posted or sent stay.
    pub fn clear(&self) {
        self.0.forget(|_, _| true);
    }
}
