//! Gasless orders for one trade, in two tabs.

use crate::run::{Bounds, Taken, Width, assert_taken, ends, width};
use crate::storage::{Fault, Set, Storage, all, has, read, with};
use alloy_primitives::{Address, B256, U256};
use stateright::{Model, Property};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;
use verified_swap_trade::ledger::orders::{KnownOrder, RememberedOrder, SignedOrder};
use verified_swap_trade::ledger::record::{Entry, Record, Stage};
use verified_swap_trade::ledger::second::{OrderToSign, find_obstacle, known_nonce};
use verified_swap_trade::ledger::step::{Command, Event, OrderEntry, step};
use verify::internal::domain::delta::order::DeltaOrder;
use verify::internal::json::{Json, JsonAt, parse};

/// The time of every event, unix milliseconds.
const NOW: u64 = 1;
/// The trade that the user wants.
const INTENT: B256 = B256::repeat_byte(0xaa);

/// An order's number, from 0 on.
type Order = u8;
fn key(order: Order) -> B256 {
    B256::with_last_byte(order + 1)
}

fn order_of(key: B256) -> Order {
    key[31] - 1
}

/// The order with that number and nonce, of a kind that its nonce binds.
fn known(order: Order, nonce: u8) -> Rc<KnownOrder> {
    thread_local!(static KNOWN: RefCell<BTreeMap<(Order, u8), Rc<KnownOrder>>> = RefCell::default());
    KNOWN.with_borrow_mut(|all| all.entry((order, nonce)).or_insert_with(|| new_order(order, nonce)).clone())
}

fn new_order(order: Order, nonce: u8) -> Rc<KnownOrder> {
    let zero = format!("{:#x}", Address::ZERO);
    let text = format!(
        r#"{{"owner":"{zero}","beneficiary":"{zero}","srcToken":"{zero}","destToken":"{zero}","srcAmount":"1","destAmount":"1","expectedAmount":"1","deadline":{order},"kind":0,"nonce":"{nonce}","partnerAndFee":"0","permit":"0x","metadata":"0x","bridge":{{"protocolSelector":"0x00000000","destinationChainId":0,"outputToken":"{zero}","scalingFactor":0,"protocolData":"0x"}}}}"#
    );
    let value = parse(&text).unwrap();
    let signed = SignedOrder {
        id: None,
        hash: key(order),
        chain_id: 8453,
        delta: Address::ZERO,
        order: DeltaOrder::read(&JsonAt::service(&value, "value")).unwrap(),
        arrives: None,
    };
    Rc::new(KnownOrder {
        signed,
        intent: INTENT,
        kind: "Order",
        rests: false,
        is_in_parts: false,
        is_native: false,
        nonce: U256::from(nonce),
        deadline: u64::MAX,
    })
}

/// The order in a tab's memory: a [`Record`], in a form that can be compared and sent among threads.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Memory {
    text: Arc<str>,
    before: Option<Arc<str>>,
    is_journaled: bool,
    was_answered: bool,
    has_answer: bool,
}

impl Memory {
    fn of(record: &Record) -> Memory {
        Memory {
            text: record.entry.write().into(),
            before: record.before.as_ref().map(|before| before.write().into()),
            is_journaled: record.is_journaled,
            was_answered: record.was_answered,
            has_answer: record.answer.is_some(),
        }
    }

    fn record(&self, nonces: &[u8]) -> Record {
        let entry = read(&self.text);
        let order = order_of(entry.key);
        Record {
            entry,
            is_journaled: self.is_journaled,
            was_answered: self.was_answered,
            answer: self.has_answer.then_some(Json::Null),
            order: Some(known(order, nonces[usize::from(order)])),
            before: self.before.as_deref().map(|before| Box::new(read(before))),
            ..Record::default()
        }
    }
}

/// Where a call of `submit` is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
enum Call {
    #[default]
    None,
    /// It has a build.
    Built(Order),
    /// The wallet's prompt is open; the call has the lock of the trade.
    Asked(Order),
    /// The wallet's signature arrived.
    Answered(Order),
    /// The signature is noted.
    Signed(Order),
    /// The signature is noted, and the order waits for its approval.
    Waiting(Order),
    /// The signed order has left.
    Posting(Order),
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Tab {
    memory: Vec<Memory>,
    drawn: Option<u8>,
    call: Call,
    /// Prompts whose calls gave up.
    given_up: Set,
    /// How many trades there are to be once what was clicked is one.
    wanted: u8,
    /// Orders whose stage and status are noted, and whose calls have not returned yet.
    noted: BTreeMap<Order, String>,
    /// Those of them of which a call returns the truth.
    news: Set,
    /// `resume` has noted everything, and nothing has happened since.
    is_resuming: bool,
    /// `resume` has just listed everything, and nothing has happened since.
    is_quiet: bool,
}

impl Tab {
    /// The text of an order that it would store.
    fn text(&self, order: Order) -> Arc<str> {
        let own = self.memory.iter().map(|memory| memory.text.clone());
        own.into_iter().find(|text| read(text).key == key(order)).unwrap_or_default()
    }

    fn has_lock(&self) -> bool {
        !matches!(self.call, Call::None | Call::Built(_))
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct World {
    tabs: [Tab; 2],
    /// The nonce of each order that was built.
    nonces: Vec<u8>,
    storage: Storage,
    shared_nonce: Option<u8>,
    /// Prompts that are open in the wallet.
    prompts: Set,
    /// Prompts that the user approved after their call had given up.
    answered: Set,
    /// Signed orders that left for the service.
    sent: Set,
    /// Orders whose approval is refused, as the chain shows: lowered, replaced, revoked.
    disallowed: Set,
    /// Those of them that the user submitted again.
    wanted_again: Set,
    /// Orders that the service has.
    taken: Set,
    expired: Set,
    /// Orders that were asked for more than a minute ago.
    waited: Set,
    /// Orders that the chain filled.
    filled: Set,
    /// Those, and others whose block another one replaced.
    ever_filled: Set,
    /// The view of nodes that lag.
    filled_before: Set,
    /// Orders of which the app was told that the service has them, or how they ended.
    told: Set,
    /// Orders of which the service told a lie: the app knows them, and not how they are.
    lied: Set,
    /// How many trades the user has asked for.
    wishes: u8,
    clicks_left: u8,
    faults_left: u8,
    crashes_left: u8,
    reorgs_left: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Action {
    /// The user clicks: a quote is built.
    Build(usize, Fault),
    /// The build is submitted, up to the prompt.
    Submit(usize, Fault),
    Approve(Order),
    Refuse(Order),
    /// The call gives up while its prompt is open.
    Abort(usize),
    /// The signature is noted.
    Note(usize, Fault),
    /// The call gives up before it has seen the approval; or, as a fault, sees that it is refused.
    Look(usize, Fault),
    /// The user submits a signed order again, whose approval was refused, with another allowance.
    Again(usize, Order),
    /// The signed order leaves.
    Post(usize, Fault),
    /// A signed order arrives at the service.
    Take(Order),
    /// The service's answer to the post arrives.
    Answer(usize, Fault),
    /// There is none.
    Lose(usize),
    /// The app asks for an order.
    Report(usize, Order, Fault),
    Resume(usize, Fault),
    /// The calls that noted something return to the app.
    Tell(usize),
    Fill(Order),
    Expire(Order),
    /// A minute passes: what lagged no longer does.
    Wait,
    /// The blocks with all fills are replaced by others.
    Reorganize,
    /// A tab is closed, or reloaded.
    Close(usize),
    /// The machine crashes.
    Crash,
    /// A write arrives that was given up.
    ArriveLate(Order),
}

impl World {
    fn record(&self, tab: usize, order: Order) -> Record {
        let fresh = || Record {
            entry: Entry { key: key(order), chain_id: 8453, summary: "{}".into(), ..Entry::default() },
            ..Record::default()
        };
        let found = self.tabs[tab].memory.iter().find(|memory| read(&memory.text).key == key(order));
        found.map_or_else(fresh, |memory| memory.record(&self.nonces))
    }

    fn orders(&self, tab: usize) -> Vec<RememberedOrder> {
        self.tabs[tab].memory.iter().filter_map(|memory| memory.record(&self.nonces).remembered()).collect()
    }

    /// Has the package take an event to the next record. Returns its commands; `None` if it refuses.
    fn step(&mut self, tab: usize, order: Order, event: Event) -> Option<Vec<Command>> {
        let (next, commands) = step(&self.record(tab, order), event, NOW).ok()?;
        let all = &mut self.tabs[tab].memory;
        let next = Memory::of(&next);
        match all.iter_mut().find(|memory| read(&memory.text).key == key(order)) {
            Some(old) => *old = next,
            None => all.push(next),
        }
        Some(commands)
    }

    fn apply(&mut self, tab: usize, order: Order, event: Event, fault: Fault) -> Option<Vec<Command>> {
        let commands = self.step(tab, order, event)?;
        self.storage.carry_out(order, self.tabs[tab].text(order), &commands, fault);
        Some(commands)
    }

    /// Takes over what the storage has, as `flows/journal/sync` does.
    fn sync(&mut self, tab: usize) {
        let gone: Vec<Order> = (0..self.nonces.len() as u8)
            .filter(|order| !self.storage.stored.contains_key(order) && !has(self.tabs[tab].given_up, *order))
            .filter(|order| {
                let record = self.record(tab, *order);
                record.is_journaled && record.entry.stage == Stage::Asking
            })
            .collect();
        for order in gone {
            self.step(tab, order, Event::OtherTabRemoved);
        }
        for (order, text) in self.storage.stored.clone() {
            let (record, entry) = (self.record(tab, order), read(&text));
            if record.is_journaled && record.entry.changed_at >= entry.changed_at {
                continue;
            }
            let order_known = known(order, self.nonces[usize::from(order)]);
            self.step(tab, order, Event::StorageRead(Box::new(entry), Some(order_known)));
        }
    }

    /// Updates the orders from the wallet's late answers and from the chain, as `flows/delta/existing` does.
    fn refresh(&mut self, tab: usize, but: Option<Order>, fault: Fault) {
        for order in self.orders(tab).into_iter().filter(|order| !order.is_over) {
            let number = order_of(order.signed.hash);
            if Some(number) == but {
                continue;
            }
            let was_answered = has(self.tabs[tab].given_up, number) && has(self.answered, number);
            if !order.is_signed && was_answered {
                self.apply(tab, number, Event::WalletAnsweredLate, Fault::No);
            }
            if (order.is_signed || was_answered) && fault != Fault::Away {
                let shown = if fault == Fault::Lag { self.filled_before } else { self.filled };
                if self.is_used(shown, number) {
                    self.apply(tab, number, Event::ChainUnfillable(true), Fault::No);
                } else if has(self.expired, number) {
                    self.apply(tab, number, Event::ChainUnfillable(false), Fault::No);
                }
            }
        }
    }

    /// Whether the nonce of an order is used, when these were filled.
    fn is_used(&self, filled: Set, order: Order) -> bool {
        (0..self.nonces.len())
            .any(|other| has(filled, other as u8) && self.nonces[other] == self.nonces[usize::from(order)])
    }

    fn entry(&self, order: Order, payload: &str) -> OrderEntry {
        let entry = Entry {
            key: key(order),
            intent: Some(INTENT),
            chain_id: 8453,
            summary: "{}".into(),
            payload: Some(payload.into()),
            ..Entry::default()
        };
        let order = Some(known(order, self.nonces[usize::from(order)]));
        OrderEntry { entry, order, is_asked_for: true }
    }

    fn signed(&self, order: Order) -> OrderEntry {
        self.entry(order, r#"{"signature":"0x01"}"#)
    }

    fn is_locked(&self) -> bool {
        self.tabs.iter().any(Tab::has_lock)
    }

    /// The user who knows how every trade went asks for another one, when a quote is built or when it is submitted.
    fn want(&mut self, tab: usize) {
        if self.wishes == 0 || self.ever_filled & !self.told == 0 {
            self.tabs[tab].wanted = self.tabs[tab].wanted.max(self.ever_filled.count_ones() as u8 + 1);
        }
    }

    fn build(&mut self, tab: usize, fault: Fault) {
        self.tabs[tab].wanted = 0;
        self.want(tab);
        if fault != Fault::Unread {
            self.sync(tab);
        }
        self.refresh(tab, None, fault);
        if fault != Fault::Unread {
            self.tabs[tab].drawn = self.tabs[tab].drawn.or(self.shared_nonce);
        }
        let drawn = self.tabs[tab].drawn.map(U256::from);
        let nonce = match known_nonce(&self.orders(tab), drawn, INTENT, false) {
            Some(nonce) => nonce.to::<u8>(),
            None => self.nonces.iter().max().map_or(0, |highest| highest + 1),
        };
        self.tabs[tab].drawn = Some(nonce);
        if ![Fault::Unread, Fault::Unwritten].contains(&fault) {
            self.shared_nonce = Some(nonce);
        }
        self.tabs[tab].call = Call::Built(self.nonces.len() as u8);
        self.nonces.push(nonce);
    }

    fn submit(&mut self, tab: usize, order: Order, fault: Fault) {
        self.tabs[tab].call = Call::None;
        self.want(tab);
        self.wishes = self.wishes.max(self.tabs[tab].wanted);
        // Another tab works on this trade, or the journal cannot be read: refused.
        if self.is_locked() || fault == Fault::Unread {
            return;
        }
        self.sync(tab);
        self.refresh(tab, Some(order), fault);
        let (orders, own) = (self.orders(tab), known(order, self.nonces[usize::from(order)]));
        let wanted = OrderToSign { order: &own, existing: None, is_replacement: false };
        let given_up = self.tabs[tab].given_up;
        if find_obstacle(&orders, &wanted, &|hash| has(given_up, order_of(hash))).is_some() {
            return;
        }
        let Some(commands) = self.step(tab, order, Event::AskSignature(self.entry(order, "{}"))) else { return };
        if !self.storage.carry_out(order, self.tabs[tab].text(order), &commands, fault) {
            self.apply(tab, order, Event::NotWritten, Fault::No);
            return;
        }
        if commands.contains(&Command::Prompt) {
            self.prompts = with(self.prompts, order);
            self.tabs[tab].call = Call::Asked(order);
        }
    }

    /// The service's word about an order.
    fn status(&self, order: Order, fault: Fault) -> Event {
        let status = match fault {
            Fault::Lie => "FAILED",
            _ if has(self.filled, order) => "COMPLETED",
            _ => "PENDING",
        };
        Event::ServiceReported { id: Some(order.to_string()), status: Some(status.into()) }
    }

    fn note(&mut self, tab: usize, order: Order, fault: Fault) {
        self.apply(tab, order, self.status(order, fault), Fault::No);
        match fault {
            Fault::Lie => self.lied = with(self.lied, order),
            _ => self.tabs[tab].news = with(self.tabs[tab].news, order),
        }
        self.remember(tab, order);
    }

    /// A call of the tab is going to return the order as it is now.
    fn remember(&mut self, tab: usize, order: Order) {
        let noted = self.noted(tab, order);
        self.tabs[tab].noted.insert(order, noted);
    }

    fn noted(&self, tab: usize, order: Order) -> String {
        let entry = self.record(tab, order).entry;
        format!("{} {:?}", entry.stage.name(), entry.status)
    }

    /// The last act of calls.
    fn tell(&mut self, tab: usize) {
        let noted = std::mem::take(&mut self.tabs[tab].noted);
        for (order, noted) in noted {
            // A change that has happened since is not reported.
            if self.noted(tab, order) == noted {
                self.apply(tab, order, Event::AppInformed, Fault::No);
            }
        }
        self.told |= std::mem::take(&mut self.tabs[tab].news);
        self.tabs[tab].is_quiet = std::mem::take(&mut self.tabs[tab].is_resuming);
    }

    /// Looks at each trade that has not ended, as `flows/resume` does.
    fn resume(&mut self, tab: usize, fault: Fault) {
        self.tabs[tab].is_quiet = false;
        if fault == Fault::Unread || self.is_locked() {
            return;
        }
        self.sync(tab);
        for order in 0..self.nonces.len() as u8 {
            let record = self.record(tab, order);
            if !record.is_journaled || (record.entry.stage == Stage::Ended && !record.entry.is_untold) {
                continue;
            }
            self.remember(tab, order);
            if record.entry.stage == Stage::Ended {
                self.tabs[tab].news |= with(0, order) & !self.lied;
                continue;
            }
            if has(self.taken, order) && fault != Fault::Unfound {
                self.note(tab, order, fault);
                continue;
            }
            if record.entry.stage == Stage::Posted {
                continue;
            }
            let shown = if fault == Fault::Lag { self.filled_before } else { self.filled };
            let is_used = (fault != Fault::Away).then(|| self.is_used(shown, order));
            let is_late = has(self.waited, order);
            if has(self.taken, order) && is_late {
                self.lied = with(self.lied, order);
            }
            match record.entry.ends_as(has(self.expired, order), is_used, is_late) {
                Some("VOID") => {
                    self.apply(tab, order, Event::ChainUnfillable(true), Fault::No);
                    self.apply(tab, order, Event::Ended("VOID"), Fault::No);
                }
                Some(status) => drop(self.apply(tab, order, Event::Ended(status), Fault::No)),
                None if record.entry.stage != Stage::Asking && is_used == Some(false) && !is_late => {
                    // Another allowance may be there by now: the ledger knows what this order waited for.
                    let refused = record.entry.stage == Stage::Waiting && has(self.disallowed, order);
                    let looked = if refused { Event::NotApproved } else { Event::AllowanceSuffices(false) };
                    self.apply(tab, order, looked, Fault::No);
                    if self.apply(tab, order, Event::Posting(self.signed(order)), fault).is_none() {
                        continue;
                    }
                    self.sent = with(self.sent, order);
                    if !has(self.expired, order) {
                        self.taken = with(self.taken, order);
                        self.apply(tab, order, Event::ServiceAnswered(Json::Null), Fault::No);
                        self.note(tab, order, fault);
                    }
                }
                None => {}
            }
        }
        // As it is once all is looked up.
        for order in self.tabs[tab].noted.clone().into_keys() {
            self.remember(tab, order);
        }
        self.tabs[tab].is_resuming = fault == Fault::No;
        if self.tabs[tab].noted.is_empty() {
            self.tell(tab);
        }
    }

    fn close(&mut self, tab: usize) {
        // Nobody gets the answer of a prompt that stays open.
        self.tabs[tab] = Tab::default();
    }

    /// For each tab: whether no call is under way, and whether it is quiet.
    fn tab_states(&mut self) -> [(bool, &mut bool); 2] {
        self.tabs.each_mut().map(|tab| (tab.call == Call::None, &mut tab.is_quiet))
    }

    /// Whether everything that left, or was filled, is in the journal that this quiet tab has just listed.
    fn is_all_told(&self, tab: usize) -> bool {
        (0..self.nonces.len() as u8).all(|order| {
            let is_dead = has(self.expired, order) || self.is_used(self.filled, order);
            let is_out = has(self.sent, order) && (has(self.filled, order) || !is_dead);
            let record = self.record(tab, order);
            !is_out || has(self.told | self.lied, order) || (record.is_journaled && record.entry.stage != Stage::Ended)
        })
    }
}

/// Whether an action is one of a wallet, node, service, storage or call that answers at once.
fn is_honest(action: &Action) -> bool {
    use Action::{Answer, Approve, ArriveLate, Look, Note, Post, Resume, Submit, Take, Wait};
    match action {
        Approve(_) | ArriveLate(_) | Take(_) | Wait => true,
        Answer(_, fault) | Look(_, fault) | Note(_, fault) | Post(_, fault) => *fault == Fault::No,
        Resume(_, fault) | Submit(_, fault) => *fault == Fault::No,
        _ => false,
    }
}

struct Orders {
    bounds: Bounds,
    taken: Taken,
}

impl Model for Orders {
    type State = World;
    type Action = Action;

    fn init_states(&self) -> Vec<World> {
        let Bounds { clicks, faults, crashes, reorgs } = self.bounds;
        vec![World {
            clicks_left: clicks,
            faults_left: faults,
            crashes_left: crashes,
            reorgs_left: reorgs,
            ..World::default()
        }]
    }

    fn actions(&self, world: &World, actions: &mut Vec<Action>) {
        use Fault::{Away, Lag, Late, Lie, No, Refused, Unfound, Unread, Unwritten};
        let faults = |all: &'static [Fault]| all.iter().filter(|fault| **fault == No || world.faults_left > 0).copied();
        let orders = || 0..world.nonces.len() as u8;
        for (index, tab) in world.tabs.iter().enumerate() {
            match tab.call {
                Call::None => {
                    if world.clicks_left > 0 {
                        actions.extend(
                            faults(&[No, Unread, Unwritten, Lag, Away]).map(|fault| Action::Build(index, fault)),
                        );
                    }
                    // Notes are returned before the tab looks again.
                    if !world.nonces.is_empty() && !tab.is_quiet && tab.noted.is_empty() {
                        let all = faults(&[No, Unread, Unfound, Lag, Away, Lie]);
                        actions.extend(all.map(|fault| Action::Resume(index, fault)));
                    }
                    for order in orders().filter(|order| has(world.taken, *order) && tab.noted.is_empty()) {
                        let is_known = tab.memory.iter().any(|memory| read(&memory.text).key == key(order));
                        if is_known {
                            actions.extend(faults(&[No, Lie]).map(|fault| Action::Report(index, order, fault)));
                        }
                    }
                }
                Call::Built(_) => {
                    let all = faults(&[No, Unread, Unwritten, Late, Lag, Away]);
                    actions.extend(all.map(|fault| Action::Submit(index, fault)));
                }
                Call::Asked(_) => actions.push(Action::Abort(index)),
                Call::Answered(_) => {
                    actions.extend(faults(&[No, Unwritten, Late, Refused]).map(|fault| Action::Note(index, fault)));
                }
                Call::Waiting(_) => actions.extend([No, Refused].map(|fault| Action::Look(index, fault))),
                Call::Signed(_) => {
                    actions.extend(faults(&[No, Unwritten, Late]).map(|fault| Action::Post(index, fault)));
                }
                Call::Posting(order) => {
                    if has(world.taken, order) {
                        actions.extend(faults(&[No, Unwritten, Lie]).map(|fault| Action::Answer(index, fault)));
                    }
                    actions.extend(faults(&[Unfound]).map(|_| Action::Lose(index)));
                }
            }
            if !tab.noted.is_empty() {
                actions.push(Action::Tell(index));
            }
            if world.crashes_left > 0 && (!tab.memory.is_empty() || tab.call != Call::None) {
                actions.push(Action::Close(index));
            }
        }
        for order in orders() {
            if has(world.prompts, order) {
                actions.extend([Action::Approve(order), Action::Refuse(order)]);
            }
            if has(world.sent & !world.taken, order) {
                actions.push(Action::Take(order));
            }
            let is_open = !has(world.expired, order) && !world.is_used(world.filled, order);
            for (index, tab) in world.tabs.iter().enumerate() {
                let is_unapproved = tab.call == Call::None
                    && !world.is_locked()
                    && tab.memory.iter().any(|memory| {
                        let entry = read(&memory.text);
                        entry.key == key(order) && entry.stage == Stage::Unapproved
                    });
                if is_unapproved {
                    actions.push(Action::Again(index, order));
                }
            }
            if is_open && has(world.taken, order) {
                actions.push(Action::Fill(order));
            }
            if is_open && world.faults_left > 0 {
                actions.push(Action::Expire(order));
            }
            if world.storage.late.contains_key(&order) {
                actions.push(Action::ArriveLate(order));
            }
        }
        if world.waited != all(world.nonces.len()) {
            actions.push(Action::Wait);
        }
        if world.crashes_left > 0 && world.storage.is_behind() {
            actions.push(Action::Crash);
        }
        if world.reorgs_left > 0 && world.filled != 0 {
            actions.push(Action::Reorganize);
        }
    }

    fn next_state(&self, before: &World, action: Action) -> Option<World> {
        let mut world = before.clone();
        for tab in &mut world.tabs {
            tab.is_quiet = false;
            tab.is_resuming &= matches!(action, Action::Tell(_));
        }
        let fault = match action {
            Action::Build(_, fault) | Action::Submit(_, fault) | Action::Note(_, fault) | Action::Post(_, fault) => {
                fault
            }
            Action::Look(_, fault) => fault,
            Action::Answer(_, fault) | Action::Report(_, _, fault) | Action::Resume(_, fault) => fault,
            Action::Lose(_) | Action::Expire(_) => Fault::Unfound,
            _ => Fault::No,
        };
        // A refused request was on its way before.
        let is_free = matches!(action, Action::Look(..));
        world.faults_left -= u8::from(fault != Fault::No && !is_free);
        match action {
            Action::Build(tab, fault) => {
                world.clicks_left -= 1;
                world.build(tab, fault);
            }
            Action::Submit(tab, fault) => {
                let Call::Built(order) = world.tabs[tab].call else { return None };
                world.submit(tab, order, fault);
            }
            Action::Approve(order) => {
                world.prompts &= !with(0, order);
                match world.tabs.iter_mut().find(|tab| tab.call == Call::Asked(order)) {
                    Some(tab) => tab.call = Call::Answered(order),
                    None => world.answered = with(world.answered, order),
                }
            }
            Action::Refuse(order) => {
                world.prompts &= !with(0, order);
                for tab in 0..2 {
                    let is_asked = world.tabs[tab].call == Call::Asked(order);
                    if is_asked {
                        world.tabs[tab].call = Call::None;
                        world.apply(tab, order, Event::WalletDidNotSign, Fault::No);
                    }
                    world.tabs[tab].given_up &= !with(0, order);
                }
            }
            Action::Abort(tab) => {
                let Call::Asked(order) = world.tabs[tab].call else { return None };
                world.tabs[tab].call = Call::None;
                world.tabs[tab].given_up = with(world.tabs[tab].given_up, order);
            }
            Action::Note(tab, Fault::Refused) => {
                let Call::Answered(order) = world.tabs[tab].call else { return None };
                let mut signed = world.signed(order);
                signed.entry.awaits = Some(INTENT);
                world.apply(tab, order, Event::SignatureReceived(signed), Fault::No);
                world.tabs[tab].call = Call::Waiting(order);
                world.disallowed = with(world.disallowed, order);
            }
            Action::Look(tab, fault) => {
                let Call::Waiting(order) = world.tabs[tab].call else { return None };
                world.tabs[tab].call = Call::None;
                if fault == Fault::Refused {
                    world.apply(tab, order, Event::NotApproved, Fault::No);
                }
            }
            Action::Again(tab, order) => {
                world.sync(tab);
                world.wanted_again = with(world.wanted_again, order);
                world.apply(tab, order, Event::AllowanceSuffices(true), Fault::No);
                world.tabs[tab].call = Call::Signed(order);
            }
            Action::Note(tab, fault) => {
                let Call::Answered(order) = world.tabs[tab].call else { return None };
                world.apply(tab, order, Event::SignatureReceived(world.signed(order)), fault);
                world.tabs[tab].call = Call::Signed(order);
            }
            Action::Post(tab, fault) => {
                let Call::Signed(order) = world.tabs[tab].call else { return None };
                let commands = world.apply(tab, order, Event::Posting(world.signed(order)), fault)?;
                assert!(commands.contains(&Command::Post));
                world.sent = with(world.sent, order);
                world.tabs[tab].call = Call::Posting(order);
            }
            Action::Take(order) => world.taken = with(world.taken, order),
            Action::Answer(tab, fault) => {
                let Call::Posting(order) = world.tabs[tab].call else { return None };
                world.tabs[tab].call = Call::None;
                world.apply(tab, order, Event::ServiceAnswered(Json::Null), fault);
                world.note(tab, order, fault);
            }
            Action::Lose(tab) => world.tabs[tab].call = Call::None,
            Action::Report(tab, order, fault) => world.note(tab, order, fault),
            Action::Resume(tab, fault) => world.resume(tab, fault),
            Action::Tell(tab) => world.tell(tab),
            Action::Fill(order) => {
                world.filled_before = world.filled;
                world.filled = with(world.filled, order);
                world.ever_filled = with(world.ever_filled, order);
            }
            Action::Wait => (world.waited, world.filled_before) = (all(world.nonces.len()), world.filled),
            Action::Expire(order) => world.expired = with(world.expired, order),
            Action::Reorganize => {
                world.reorgs_left -= 1;
                (world.filled, world.filled_before) = (0, 0);
            }
            Action::Close(tab) => {
                world.crashes_left -= 1;
                world.close(tab);
            }
            Action::Crash => {
                world.crashes_left -= 1;
                (0..2).for_each(|tab| world.close(tab));
                world.storage.crash();
                world.prompts = 0;
            }
            Action::ArriveLate(order) => {
                let text = world.storage.late.remove(&order)?;
                world.storage.stored.insert(order, text);
            }
        }
        if world == *before {
            return None;
        }
        self.taken.note(action);
        Some(world)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always("no trade is made twice", |_, world: &World| {
                world.filled.count_ones() <= u32::from(world.wishes)
            }),
            Property::always(
                "an order without its approval leaves only for who submits it again",
                |_, world: &World| world.sent & world.disallowed & !world.wanted_again == 0,
            ),
            Property::always("after resume nothing that left is untold", |_, world: &World| {
                (0..2).all(|tab| !world.tabs[tab].is_quiet || world.is_all_told(tab))
            }),
            Property::always("every call comes to its end once all answer", |model, world: &World| {
                ends(model, world, is_honest, World::tab_states)
            }),
        ]
    }
}

fn exhaust(bounds: Bounds) -> BTreeSet<String> {
    crate::run::exhaust(bounds, Orders { bounds, taken: Taken::default() }, |model| &model.taken)
}

#[test]
fn no_order_of_events_makes_a_trade_twice_or_loses_one() {
    if width() == Width::Narrow {
        let taken = exhaust(Bounds { clicks: 1, faults: 1, crashes: 1, reorgs: 0 });
        assert!(taken.len() > 25, "{taken:?}");
        exhaust(Bounds { clicks: 2, faults: 0, crashes: 0, reorgs: 0 });
        return;
    }
    let mut taken = exhaust(Bounds { clicks: 1, faults: 1, crashes: 1, reorgs: 0 });
    taken.extend(exhaust(Bounds { clicks: 2, faults: 0, crashes: 1, reorgs: 0 }));
    taken.extend(exhaust(Bounds { clicks: 1, faults: 0, crashes: 1, reorgs: 1 }));
    let all = "Abort() Again(, ) Answer(, Lie) Answer(, No) Answer(, Unwritten) Approve() ArriveLate() Build(, Away) Build(, Lag) \
        Build(, No) Build(, Unread) Build(, Unwritten) Close() Crash Expire() Fill() Look(, No) Look(, Refused) Lose() Note(, Late) Note(, No) \
        Note(, Refused) Note(, Unwritten) Post(, Late) Post(, No) Post(, Unwritten) Refuse() Reorganize Report(, , Lie) Report(, , No) Resume(, Away) \
        Resume(, Lag) Resume(, Lie) Resume(, No) Resume(, Unfound) Resume(, Unread) Submit(, Away) Submit(, Lag) \
        Submit(, Late) Submit(, No) Submit(, Unread) Submit(, Unwritten) Take() Tell() Wait";
    assert_taken(&taken, all);
    if width() == Width::Wide {
        exhaust(Bounds { clicks: 2, faults: 1, crashes: 1, reorgs: 0 });
        exhaust(Bounds { clicks: 2, faults: 0, crashes: 1, reorgs: 1 });
        exhaust(Bounds { clicks: 2, faults: 0, crashes: 3, reorgs: 0 });
        exhaust(Bounds { clicks: 3, faults: 0, crashes: 0, reorgs: 0 });
    }
}
