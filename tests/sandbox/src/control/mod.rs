//! The control surface: what tests and demos do to the service and its chains. See `docs/sandbox.md`.

mod accounts;
mod actions;
mod fault;
mod lie;
mod market_lie;
mod orders;
mod owner;
mod rate_limit;
mod record;
mod reference;
mod routes;
mod settings;
mod tamper;

use std::sync::Mutex;

pub use fault::{Fault, Subject};
pub use record::Request;
pub use routes::router;
pub use settings::{
    Bridging, CancelReply, FillableReading, KeyCasing, NativeReading, NativeToken, Placeholder, PostReply,
    RouteReading, Settings, SignatureForm,
};

use crate::app::held;
use crate::json::Json;
use crate::service::Endpoint;

/// Everything that can be set from outside.
#[derive(Default)]
pub struct Control {
    /// Those that a reset goes back to.
    start: Settings,
    settings: Mutex<Settings>,
    faults: Mutex<fault::Faults>,
    held: Mutex<fault::HeldRequests>,
    tampers: Mutex<tamper::Tampers>,
    lie: Mutex<lie::CurrentLie>,
    record: Mutex<record::Record>,
    rate: Mutex<rate_limit::RateLimit>,
}

impl Control {
    pub fn new(start: Settings) -> Self {
        Self { settings: Mutex::new(start.clone()), start, ..Self::default() }
    }

    pub fn settings(&self) -> Settings {
        held(&self.settings).clone()
    }

    /// The fault that is next for a request, if any; consumes it.
    pub fn next_fault(&self, subject: Subject<'_>) -> Option<Fault> {
        held(&self.faults).next(subject)
    }

    /// Waits until a request is released. Whether it may go on; otherwise it has no answer.
    pub async fn released(&self, subject: Subject<'_>) -> bool {
        let gone = held(&self.held).add(subject);
        gone.await.unwrap_or(false)
    }

    /// Whether a request is within the free tier's rate.
    pub fn admits(&self) -> bool {
        !self.settings().rate_limit || held(&self.rate).admits(std::time::Instant::now())
    }

    /// Applies tampers and lies to an answer and consumes them. True if it is altered on its way only.
    pub fn distort(&self, endpoint: Endpoint, answer: &mut Json) -> bool {
        let on_the_way = held(&self.tampers).apply(endpoint, answer);
        held(&self.lie).apply(endpoint, answer);
        on_the_way
    }

    /// Lies about a price route that a transaction is made of at once, if prices are lied about.
    pub fn worsen(&self, route: &mut Json) {
        held(&self.lie).worsen(route);
    }

    /// Notes a request as it arrives; [`Control::note_end`] takes what it returns.
    pub fn note_request(&self, request: Request) -> u64 {
        held(&self.record).note_request(request)
    }

    /// Notes the HTTP status that a request was answered with, 0 for none, and the unix milliseconds.
    pub fn note_end(&self, request: u64, status: u16, at: u64) {
        held(&self.record).note_end(request, status, at);
    }

    /// Notes an answer as it is sent.
    pub fn note_answer(&self, endpoint: Endpoint, status: u16, answer: &Json) {
        held(&self.record).note_answer(endpoint, status, answer);
    }

    /// Faults, tampers, settings and record as at the start.
    pub fn reset(&self) {
        *held(&self.settings) = self.start.clone();
        *held(&self.faults) = fault::Faults::default();
        *held(&self.held) = fault::HeldRequests::default();
        *held(&self.tampers) = tamper::Tampers::default();
        *held(&self.lie) = lie::CurrentLie::default();
        held(&self.record).empty();
        *held(&self.rate) = rate_limit::RateLimit::default();
    }
}
