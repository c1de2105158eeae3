//! Surroundings under a test's control, with a log of all that was asked of them.

mod building;
mod chain;
pub mod feeds;
mod market;
mod otc;
mod rig;
mod routes;
mod service;
mod signer;
mod stored;
mod timeline;
mod tree;
mod watched;

pub use chain::{Chain, Node, approval_log, hex_word};
pub use market::{DAI, METHODS, Market, ROUTER, USDC, function, other, paths, way};
pub use otc::{RFQ, otc_hash};
pub use rig::{BUY, DELTA, DEST, NATIVE, OWNER_KEY, Rig, SELL, SRC, WRAPPED, native_sale, selling_native, with};
pub use routes::{BETWEEN, BRIDGED};
pub use service::{Service, answer, raw};
pub use signer::{Signer, failure, recovered};
pub use timeline::{Task, Timeline};
pub use tree::{at, json, merge, set, text, verdicts};
pub use watched::Watched;

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::rc::{Rc, Weak};
use std::sync::atomic::{AtomicU64, Ordering};
use verified_swap_trade::flows::{Parts, Rest, Trade};
use verified_swap_trade::host::{
    Changes, Event, Host, HttpAnswer, HttpFailure, HttpRequest, LockFailure, Signal, StorageFailure, WalletFailure,
};
use verify::internal::error::{Error, ErrorCode};
use verify::internal::json::Json;

/// Where a question went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Wallet,
    /// The same wallet after its extension was reloaded: another provider in the page.
    Reloaded,
    Node(u64),
    /// The application's `onPrompt` of the client.
    App,
    /// That of a call.
    Call,
}

/// Something that is about to happen, or just did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// A request to the service is about to be sent.
    Fetch(&'static str),
    /// It arrived, and was answered.
    Fetched(&'static str),
    /// A question is put.
    Ask(Place, &'static str),
    /// Its answer is waited for.
    Answer(&'static str),
    /// Somebody waits.
    Sleep,
    /// Something is about to be written to the storage.
    Storing,
    /// It was written.
    Stored,
    /// The application is told of a request, question or verdict by that name.
    Told(&'static str),
}

/// Whether code is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    There,
    /// It comes to whoever awaits it.
    Late,
    /// Once it does not come.
    Lost,
}

/// How many worlds there were.
static PAGES: AtomicU64 = AtomicU64::new(0);

/// The application's answer to a prompt.
pub type App = Box<dyn FnMut(&Json) -> Result<Json, WalletFailure>>;
type Hook = Box<dyn FnMut(&World, Moment)>;

/// Everything outside of the package.
pub struct World {
    pub monotonic_ms: Cell<u64>,
    pub unix_ms: Cell<u64>,
    pub service: RefCell<Service>,
    pub chain: RefCell<Chain>,
    pub signer: RefCell<Signer>,
    pub requests: RefCell<Vec<HttpRequest>>,
    /// The URL of a request that left before there was a client; it is not in `requests`.
    pub sent_early: RefCell<Option<String>>,
    /// Whether the code is there that a gasless trade needs beyond its price.
    pub trade: Cell<Arrival>,
    /// Whether all other code is.
    pub rest: Cell<Arrival>,
    /// That was said to be needed soon.
    pub is_rest_expected: Cell<bool>,
    /// The answers of the service, by endpoint.
    pub answers: RefCell<Vec<(&'static str, String)>>,
    pub questions: RefCell<Vec<(Place, &'static str, String)>>,
    /// The answer of the application when it is asked about a prompt.
    pub app: RefCell<App>,
    /// Nobody answers in the wallet, however it would.
    pub wallet_waits: Cell<bool>,
    /// How long answers were waited for, by method.
    pub limits: RefCell<Vec<(&'static str, Option<u32>)>>,
    pub sleeps: RefCell<Vec<u32>>,
    pub events: RefCell<Vec<Event>>,
    /// The storage and the lock that all tabs share.
    pub browser: Rc<Tabs>,
    /// The requests to the tabs' lock and storage: the kind, and the name.
    pub asked_of_tabs: RefCell<Vec<(&'static str, String)>>,
    /// The entries that each reading of the storage found.
    readings: RefCell<Vec<BTreeMap<String, String>>>,
    /// The tab is in the background.
    pub hidden: Cell<bool>,
    /// The clock of all tabs while calls run together; else this world's own counts alone.
    pub timeline: Rc<Timeline>,
    /// How long a request to the service is on its way, milliseconds.
    pub latency_ms: Cell<u32>,
    /// The same for a question to a node, on the timeline.
    pub node_latency_ms: Cell<u64>,
    hook: RefCell<Option<Hook>>,
    drawn: Cell<u8>,
    /// Its number: clients in one world are clients of one page.
    page: u64,
}

impl World {
    pub fn new() -> Rc<World> {
        Rc::new(World::alone())
    }

    /// Another tab of the same browser: a world of its own, but for the clock and what tabs share.
    pub fn another_tab(&self) -> Rc<World> {
        let (browser, timeline) = (self.browser.clone(), self.timeline.clone());
        Rc::new(World { browser, timeline, ..World::alone() })
    }

    fn alone() -> World {
        World {
            monotonic_ms: Cell::new(1_000_000),
            unix_ms: Cell::new(1_800_000_000_000),
            service: RefCell::new(Service::default()),
            chain: RefCell::new(Chain::default()),
            signer: RefCell::new(Signer::new(OWNER_KEY)),
            requests: RefCell::default(),
            sent_early: RefCell::default(),
            trade: Cell::new(Arrival::There),
            rest: Cell::new(Arrival::There),
            is_rest_expected: Cell::new(false),
            answers: RefCell::default(),
            questions: RefCell::default(),
            app: RefCell::new(Box::new(|_| Ok(Json::Bool(true)))),
            wallet_waits: Cell::new(false),
            limits: RefCell::default(),
            sleeps: RefCell::default(),
            events: RefCell::default(),
            browser: Rc::default(),
            asked_of_tabs: RefCell::default(),
            readings: RefCell::default(),
            hidden: Cell::new(false),
            timeline: Rc::default(),
            latency_ms: Cell::new(0),
            node_latency_ms: Cell::new(0),
            hook: RefCell::default(),
            drawn: Cell::new(0),
            page: PAGES.fetch_add(1, Ordering::Relaxed),
        }
    }

    /// Calls `hook` at every moment from now on.
    pub fn at_each(&self, hook: impl FnMut(&World, Moment) + 'static) {
        *self.hook.borrow_mut() = Some(Box::new(hook));
    }

    /// Calls `then` once, at the first of these moments.
    pub fn once(&self, moment: Moment, then: impl FnOnce(&World) + 'static) {
        let mut then = Some(then);
        self.at_each(move |world, now| {
            if now == moment
                && let Some(then) = then.take()
            {
                then(world);
            }
        });
    }

    /// Waits that long, or until something is so. If no other call runs beside, that is at once.
    async fn wait(&self, ms: u32, until: impl Fn() -> bool + 'static) {
        if self.timeline.is_running() {
            self.timeline.wait(ms.into(), until).await;
        } else {
            self.pass(ms.into());
        }
    }

    fn tell(&self, moment: Moment) {
        let hook = self.hook.borrow_mut().take();
        if let Some(mut hook) = hook {
            hook(self, moment);
            self.hook.borrow_mut().get_or_insert(hook);
        }
    }

    pub fn pass(&self, ms: u64) {
        self.monotonic_ms.set(self.monotonic_ms.get() + ms);
        self.unix_ms.set(self.unix_ms.get() + ms);
    }

    /// Passes so much time that what was read of a chain is read again.
    pub fn age_reads(&self) {
        self.pass(12_001);
    }

    /// The questions to the wallet of a method.
    pub fn wallet_was_asked(&self, method: &str) -> Vec<String> {
        let questions = self.questions.borrow();
        let asked = questions.iter().filter(|(place, asked, _)| *place == Place::Wallet && *asked == method);
        asked.map(|(_, _, params)| params.clone()).collect()
    }

    /// How often somebody was asked to sign.
    pub fn prompts(&self) -> usize {
        self.wallet_was_asked("eth_signTypedData_v4").len()
    }

    /// Requests that reached the service at that endpoint.
    pub fn sent(&self, endpoint: &str) -> Vec<HttpRequest> {
        let requests = self.requests.borrow();
        requests.iter().filter(|request| service::endpoint(request) == endpoint).cloned().collect()
    }

    /// The last answer of that endpoint.
    pub fn said(&self, endpoint: &str) -> String {
        let answers = self.answers.borrow();
        answers.iter().rev().find(|(name, _)| *name == endpoint).unwrap().1.clone()
    }

    /// Bodies posted with a signature.
    pub fn posts(&self) -> Vec<String> {
        self.sent("post").into_iter().map(|request| request.body.unwrap_or_default()).collect()
    }

    /// The wallet's prompt stayed closed, and nothing was posted.
    pub fn assert_untouched(&self) {
        assert_eq!(self.prompts(), 0, "the wallet was asked to sign");
        assert!(self.wallet_was_asked("eth_sendTransaction").is_empty(), "the wallet was asked to send");
        assert!(self.posts().is_empty(), "something was posted");
    }
}

/// A wish to stop that a test can have.
#[derive(Clone)]
pub struct Stop(pub Rc<Cell<bool>>);

impl Stop {
    fn fires(&self) -> impl Fn() -> bool + 'static {
        let fired = self.0.clone();
        move || fired.get()
    }
}

impl Signal for Stop {
    fn never() -> Stop {
        Stop(Rc::default())
    }

    fn is_aborted(&self) -> bool {
        self.0.get()
    }
}

/// The world as the package sees it.
pub struct FakeHost(pub Rc<World>, u64);

impl FakeHost {
    pub fn of(world: Rc<World>) -> FakeHost {
        FakeHost(world, PAGES.fetch_add(1, Ordering::Relaxed))
    }
}

/// The content of an inbox.
type Messages = RefCell<VecDeque<String>>;

/// The state that the tabs of a browser share. A client that is dropped is a tab that was closed.
#[derive(Default)]
pub struct Tabs {
    /// There is a storage. Without one nothing outlives the client.
    pub has_storage: Cell<bool>,
    /// Nothing that is told arrives in another tab.
    pub is_deaf: Cell<bool>,
    /// It is full: nothing more is written.
    pub is_full: Cell<bool>,
    /// Why it cannot be read or written, in the browser's words.
    pub fault: RefCell<Option<String>>,
    /// A third of what is asked of it fails, by these numbers.
    pub luck: Cell<Option<u64>>,
    /// How long a read of it takes, milliseconds of the timeline.
    pub load_ms: Cell<u64>,
    pub stored: RefCell<BTreeMap<String, String>>,
    /// All that was written: name, value, and whether it had to be on the disk.
    pub written: RefCell<Vec<(String, String, bool)>>,
    locked: RefCell<Vec<String>>,
    /// The browser answers no question about a lock.
    pub locks_are_silent: Cell<bool>,
    /// With topic and host.
    inboxes: RefCell<Vec<(&'static str, u64, Weak<Messages>)>>,
    /// How many messages were told.
    told: Cell<u64>,
}

impl Tabs {
    /// Whether there is a storage, and it answers.
    fn check(&self) -> Result<(), StorageFailure> {
        let luck = self.luck.get().map(|last| last.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1));
        self.luck.set(luck);
        match &*self.fault.borrow() {
            _ if !self.has_storage.get() => Err(StorageFailure::Absent),
            _ if luck.is_some_and(|luck| (luck >> 33) % 3 == 0) => {
                Err(StorageFailure::Unreadable("UnknownError: bad luck".into()))
            }
            Some(why) => Err(StorageFailure::Unreadable(why.clone())),
            None => Ok(()),
        }
    }

    /// The names of the locks that are taken.
    pub fn taken(&self) -> Vec<String> {
        self.locked.borrow().clone()
    }

    fn is_free(&self, name: &str) -> bool {
        !self.locked.borrow().iter().any(|taken| taken == name)
    }
}

/// A lock that was taken.
pub struct FakeLock(Rc<Tabs>, String);

impl Drop for FakeLock {
    fn drop(&mut self) {
        self.0.locked.borrow_mut().retain(|name| *name != self.1);
    }
}

/// A question with the answer it will get.
pub struct Question {
    method: &'static str,
    answer: Result<Json, WalletFailure>,
    /// Nobody will ever answer it.
    is_silent: bool,
    /// When its answer is there, milliseconds of the timeline.
    answered_at: u64,
}

impl Parts for FakeHost {
    async fn trade(&self, _: &Stop) -> Result<&'static Trade<FakeHost>, Error> {
        arrive(&self.0.trade).map(|()| &Trade::ALL)
    }

    fn trade_if_there(&self) -> Option<&'static Trade<FakeHost>> {
        (self.0.trade.get() == Arrival::There).then_some(&Trade::ALL)
    }

    async fn rest(&self, _: &Stop) -> Result<&'static Rest<FakeHost>, Error> {
        arrive(&self.0.trade)?;
        arrive(&self.0.rest).map(|()| &Rest::ALL)
    }

    fn rest_if_there(&self) -> Option<&'static Rest<FakeHost>> {
        (self.0.rest.get() == Arrival::There).then_some(&Rest::ALL)
    }

    fn expect_rest(&self) {
        self.0.is_rest_expected.set(true);
    }
}

/// Has code come to whoever awaits it, unless it is lost.
fn arrive(code: &Cell<Arrival>) -> Result<(), Error> {
    match code.replace(Arrival::There) {
        Arrival::Lost => Err(Error::new(ErrorCode::ModuleUnavailable, "it is lost")),
        _ => Ok(()),
    }
}

impl Host for FakeHost {
    type Signal = Stop;
    type Provider = Place;
    type Prompt = Rc<Question>;
    type Lock = FakeLock;
    type Inbox = Rc<Messages>;

    async fn fetch(&self, request: HttpRequest, timeout_ms: u32, signal: &Stop) -> Result<HttpAnswer, HttpFailure> {
        let endpoint = service::endpoint(&request);
        self.0.tell(Moment::Fetch(endpoint));
        if signal.is_aborted() {
            return Err(HttpFailure::Aborted);
        }
        if self.is_sent(&request) {
            self.0.sent_early.take();
        } else {
            self.0.requests.borrow_mut().push(request.clone());
        }
        let answer = self.0.service.borrow_mut().answer(&request);
        let answer = if self.0.latency_ms.get() < timeout_ms { answer } else { Err(HttpFailure::Timeout) };
        let ms = if matches!(answer, Err(HttpFailure::Timeout)) { timeout_ms } else { self.0.latency_ms.get() };
        self.0.wait(ms, signal.fires()).await;
        if let Ok(answer) = &answer {
            self.0.answers.borrow_mut().push((endpoint, answer.body.clone()));
        }
        self.0.tell(Moment::Fetched(endpoint));
        if signal.is_aborted() { Err(HttpFailure::Aborted) } else { answer }
    }

    fn is_sent(&self, request: &HttpRequest) -> bool {
        request.body.is_none() && request.api_key.is_none() && self.0.sent_early.borrow().as_ref() == Some(&request.url)
    }

    fn may_switch(&self, provider: &Place) -> bool {
        *provider == Place::Wallet
    }

    fn ask(&self, provider: &Place, method: &'static str, params: &str) -> Rc<Question> {
        self.0.tell(Moment::Ask(*provider, method));
        self.0.questions.borrow_mut().push((*provider, method, params.into()));
        let (chain, signer) = (&mut *self.0.chain.borrow_mut(), &mut *self.0.signer.borrow_mut());
        let answer = match provider {
            Place::Wallet | Place::Reloaded => signer.answer(chain, method, params),
            Place::Node(id) => chain.say(*id, method, params),
            Place::App | Place::Call => (self.0.app.borrow_mut())(at(&tree::json(params), "0")),
        };
        let is_silent = *provider == Place::Wallet && signer.quirks.silent.contains(&method);
        let is_far = matches!(provider, Place::Node(_));
        let answered_at = self.0.timeline.now() + if is_far { self.0.node_latency_ms.get() } else { 0 };
        Rc::new(Question { method, answer, is_silent, answered_at })
    }

    async fn answer(&self, prompt: &Rc<Question>, limit_ms: Option<u32>, signal: &Stop) -> Result<Json, WalletFailure> {
        self.0.limits.borrow_mut().push((prompt.method, limit_ms));
        self.0.tell(Moment::Answer(prompt.method));
        let timeline = &self.0.timeline;
        if timeline.is_running() && timeline.now() < prompt.answered_at {
            timeline.wait(prompt.answered_at - timeline.now(), signal.fires()).await;
        }
        if signal.is_aborted() {
            let aborted = WalletFailure { aborted: true, ..failure(0, "") };
            return Err(aborted);
        }
        if prompt.is_silent {
            let limit = limit_ms.unwrap_or_else(|| panic!("{} is awaited without end", prompt.method));
            self.0.wait(limit, signal.fires()).await;
        }
        if prompt.is_silent || (limit_ms == Some(0) && self.0.wallet_waits.get()) {
            return Err(WalletFailure { unreachable: true, ..failure(0, "no answer in time") });
        }
        prompt.answer.clone()
    }

    async fn sleep(&self, ms: u32, signal: &Stop) {
        self.0.sleeps.borrow_mut().push(ms);
        self.0.wait(ms, signal.fires()).await;
        self.0.tell(Moment::Sleep);
    }

    fn page(&self) -> u64 {
        self.0.page
    }

    fn is_visible(&self) -> bool {
        !self.0.hidden.get()
    }

    async fn load(&self, prefix: &str, limit_ms: u32) -> Result<Vec<(String, String)>, StorageFailure> {
        self.0.asked_of_tabs.borrow_mut().push(("load", prefix.into()));
        let tabs = &self.0.browser;
        let takes = tabs.load_ms.get();
        if takes > 0 {
            self.0.wait(limit_ms.min(u32::try_from(takes).unwrap()), || false).await;
        }
        tabs.check()?;
        if takes > limit_ms.into() {
            return Err(StorageFailure::Unreadable(format!("no answer within {limit_ms} ms")));
        }
        let stored = tabs.stored.borrow();
        let found = stored.iter().filter(|(key, _)| key.starts_with(prefix));
        Ok(found.map(|(key, value)| (key.clone(), value.clone())).collect())
    }

    async fn changes(&self, prefix: &str, since: u32, limit_ms: u32) -> Result<Changes, StorageFailure> {
        let found = self.load(prefix, limit_ms).await?;
        let mut readings = self.0.readings.borrow_mut();
        readings.push(found.iter().cloned().collect());
        let later = since.checked_sub(1).map_or(&[][..], |since| &readings[since as usize..]);
        let is_known = |key: &str, value: &String| {
            !later.is_empty() && later.iter().all(|reading| reading.get(key) == Some(value))
        };
        let changes = found.into_iter().map(|(key, value)| {
            let changed = (!is_known(&key, &value)).then_some(value);
            (key, changed)
        });
        Ok((u32::try_from(readings.len()).unwrap(), changes.collect()))
    }

    async fn store(&self, key: &str, value: Option<&str>, is_durable: bool, _: u32) -> Result<(), StorageFailure> {
        self.0.asked_of_tabs.borrow_mut().push(("store", key.into()));
        let tabs = &self.0.browser;
        tabs.check()?;
        if tabs.is_full.get() {
            return Err(StorageFailure::Unreadable("QuotaExceededError: the disk is full".into()));
        }
        self.0.tell(Moment::Storing);
        tabs.written.borrow_mut().push((key.into(), value.unwrap_or_default().into(), is_durable));
        match value {
            Some(value) => tabs.stored.borrow_mut().insert(key.into(), value.into()),
            None => tabs.stored.borrow_mut().remove(key),
        };
        self.0.tell(Moment::Stored);
        Ok(())
    }

    async fn lock(&self, name: &str, limit_ms: u32) -> Result<FakeLock, LockFailure> {
        self.0.asked_of_tabs.borrow_mut().push(("lock", name.into()));
        if self.0.browser.locks_are_silent.get() {
            self.0.wait(limit_ms + 2_000, || false).await;
            return Err(LockFailure::Silent);
        }
        let (tabs, timeline) = (self.0.browser.clone(), &self.0.timeline);
        let end = timeline.now() + u64::from(limit_ms);
        while !tabs.is_free(name) && timeline.is_running() && timeline.now() < end {
            let (tabs, name) = (tabs.clone(), name.to_owned());
            timeline.wait(end - timeline.now(), move || tabs.is_free(&name)).await;
        }
        if !tabs.is_free(name) {
            return Err(LockFailure::Taken);
        }
        tabs.locked.borrow_mut().push(name.into());
        Ok(FakeLock(tabs, name.into()))
    }

    fn publish(&self, topic: &'static str, message: &str) {
        for (of, tab, inbox) in self.0.browser.inboxes.borrow().iter().filter(|_| self.hears_tabs()) {
            if let Some(inbox) = inbox.upgrade().filter(|_| *of == topic && *tab != self.1) {
                inbox.borrow_mut().push_back(message.into());
            }
        }
        self.0.browser.told.set(self.0.browser.told.get() + 1);
    }

    fn hears_tabs(&self) -> bool {
        !self.0.browser.is_deaf.get()
    }

    fn inbox(&self, topic: &'static str) -> Self::Inbox {
        let inbox = Rc::default();
        self.0.browser.inboxes.borrow_mut().push((topic, self.1, Rc::downgrade(&inbox)));
        inbox
    }

    fn next_message(&self, inbox: &Self::Inbox) -> Option<String> {
        inbox.borrow_mut().pop_front()
    }

    async fn quorum(&self, signal: &Stop) -> Result<&'static dyn Any, Error> {
        Ok(self.rest(signal).await?.quorum)
    }

    fn monotonic_ms(&self) -> u64 {
        self.0.monotonic_ms.get() + self.0.timeline.now()
    }

    fn unix_ms(&self) -> u64 {
        self.0.unix_ms.get() + self.0.timeline.now()
    }

    fn random(&self) -> [u8; 32] {
        self.0.drawn.set(self.0.drawn.get().wrapping_add(1));
        [self.0.drawn.get(); 32]
    }

    fn event(&self, event: Event, _ms: u64) {
        self.0.events.borrow_mut().push(event);
        self.0.tell(Moment::Told(event.name));
    }
}
