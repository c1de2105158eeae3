//! Transactions that make one trade, in two tabs, by an account whose wallet may send and say nothing of it.

use crate::run::{Bounds, Taken, Width, assert_taken, ends, width};
use crate::storage::{Fault, Set, Storage, all, has, read, with};
use alloy_primitives::{Address, B256};
use stateright::{Model, Property};
use std::collections::BTreeSet;
use std::sync::Arc;
use verified_swap_trade::ledger::record::{Entry, Record, Stage, TradeKind};
use verified_swap_trade::ledger::second::{WantedTransaction, may_be_under_way};
use verified_swap_trade::ledger::step::{Command, Event, step};
use verify::internal::domain::transaction::Sent;

/// The time of every event, unix milliseconds.
const NOW: u64 = 1;
/// The trade that the user wants.
const INTENT: B256 = B256::repeat_byte(0xaa);
const CHAIN: u64 = 8453;

/// A build's number, from 0 on.
type Build = u8;

fn key(build: Build) -> B256 {
    B256::with_last_byte(build + 1)
}

/// A transaction that the wallet sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Transaction {
    build: Build,
    nonce: u64,
    /// The wallet holds it back, and no node knows it before it is mined.
    is_held: bool,
}

/// The hash of the transaction of that number.
fn hash(number: usize) -> B256 {
    B256::with_last_byte(number as u8 + 101)
}

fn number_of(hash: B256) -> usize {
    usize::from(hash[31] - 101)
}

/// The build in a tab's memory: a [`Record`], in a form that can be compared and sent among threads.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Memory {
    text: Arc<str>,
    before: Option<Arc<str>>,
    is_journaled: bool,
    sent: Option<B256>,
}

impl Memory {
    fn of(record: &Record) -> Memory {
        Memory {
            text: record.entry.write().into(),
            before: record.before.as_ref().map(|before| before.write().into()),
            is_journaled: record.is_journaled,
            sent: record.sent.as_ref().and_then(|sent| sent.hash),
        }
    }

    fn record(&self) -> Record {
        Record {
            entry: read(&self.text),
            is_journaled: self.is_journaled,
            sent: self.sent.map(|hash| Sent::new(CHAIN, Address::ZERO, hash)),
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
    Built(Build),
    /// The wallet's prompt is open; the call has the lock of the trade.
    Asked(Build),
    /// It starts over, and nothing has changed.
    Refused,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Tab {
    memory: Vec<Memory>,
    call: Call,
    /// Prompts whose calls gave up.
    given_up: Set,
    /// How many trades there are to be once what was clicked is one.
    wanted: u8,
    /// `resume` has just listed everything, and nothing has happened since.
    is_quiet: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct World {
    tabs: [Tab; 2],
    builds: Build,
    storage: Storage,
    /// Requests that the wallet has: the user may approve them, though the wallet has already answered.
    prompts: Set,
    /// The nonce that a request demands.
    numbers: Vec<Option<u64>>,
    transactions: Vec<Transaction>,
    mined: Set,
    /// How many transactions of the account are in blocks.
    count: u64,
    /// The view of nodes that lag.
    before: (Set, u64),
    /// Builds of which the wallet's odd answer is a minute old.
    waited: Set,
    /// Transactions of which the app was told.
    told: Set,
    /// How many trades the user has asked for.
    wishes: u8,
    clicks_left: u8,
    faults_left: u8,
    crashes_left: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Action {
    /// The user clicks: a quote is built.
    Build(usize),
    /// The app submits a build that it kept.
    Again(usize, Build),
    /// The build is submitted, up to the prompt.
    Submit(usize, Fault),
    /// The wallet sends, and says so, if somebody still waits.
    Approve(Build),
    /// The wallet signs, answers with something else than a hash, and sends it later.
    ApproveUnsaid(Build),
    /// The wallet answers with neither hash nor refusal, and keeps the request.
    Stall(Build),
    Refuse(Build),
    /// The call gives up while its prompt is open.
    Abort(usize),
    Mine(u8),
    /// The account sends something else, which is mined.
    SendElse,
    Resume(usize, Fault),
    /// A minute passes: what lagged no longer does.
    Wait,
    /// A tab is closed, or reloaded.
    Close(usize),
    /// The machine crashes.
    Crash,
    /// A write arrives that was given up.
    ArriveLate(Build),
    /// An entry of the storage can no longer be opened.
    Spoil(Build),
}

impl World {
    fn record(&self, tab: usize, build: Build) -> Record {
        let fresh = || Record {
            entry: Entry { key: key(build), chain_id: CHAIN, summary: "{}".into(), ..Entry::default() },
            ..Record::default()
        };
        let found = self.tabs[tab].memory.iter().find(|memory| read(&memory.text).key == key(build));
        found.map_or_else(fresh, Memory::record)
    }

    /// Has the package take an event to the next record, and the storage do what follows. `None` if it refuses.
    fn apply(&mut self, tab: usize, build: Build, event: Event, fault: Fault) -> Option<(Vec<Command>, bool)> {
        let (next, commands) = step(&self.record(tab, build), event, NOW).ok()?;
        let next = Memory::of(&next);
        let is_stored = self.storage.carry_out(build, next.text.clone(), &commands, fault);
        let all = &mut self.tabs[tab].memory;
        match all.iter_mut().find(|memory| read(&memory.text).key == key(build)) {
            Some(old) => *old = next,
            None => all.push(next),
        }
        Some((commands, is_stored))
    }

    /// Takes over what the storage has, as `flows/journal/sync` does.
    fn sync(&mut self, tab: usize) {
        for build in 0..self.builds {
            let record = self.record(tab, build);
            let is_spoiled = has(self.storage.spoiled, build);
            match self.storage.entry(build) {
                None if record.is_journaled
                    && !is_spoiled
                    && record.entry.stage == Stage::Asking
                    && !has(self.tabs[tab].given_up, build) =>
                {
                    self.apply(tab, build, Event::OtherTabRemoved, Fault::No);
                }
                Some(entry) if !record.is_journaled || record.entry.changed_at < entry.changed_at => {
                    self.apply(tab, build, Event::StorageRead(Box::new(entry), None), Fault::No);
                }
                _ => {}
            }
        }
    }

    /// The view of a node: the transactions in blocks, how many the account has, and the transactions with a receipt.
    fn shown(&self, fault: Fault) -> (Set, u64, Set) {
        let (mined, count) = if fault == Fault::Lag { self.before } else { (self.mined, self.count) };
        (mined, count, if fault == Fault::Unindexed { self.before.0 } else { mined })
    }

    /// The chain's word on an entry, as `flows/journal/locate` finds it; `None` if nothing. The node's failure is an
    /// error.
    fn look_for(&mut self, tab: usize, build: Build, fault: Fault) -> Result<Option<&'static str>, ()> {
        if fault == Fault::Away {
            return Err(());
        }
        let (entry, (mined, count, receipts)) = (self.record(tab, build).entry, self.shown(fault));
        let known: Vec<B256> = (0..self.builds).filter_map(|one| self.record(tab, one).entry.transaction).collect();
        let number = match entry.transaction {
            Some(hash) => Some(number_of(hash)),
            None => (0..self.transactions.len()).find(|number| {
                let one = self.transactions[*number];
                has(mined, *number as u8)
                    && one.build == build
                    && entry.mined_before.is_some_and(|from| one.nonce >= from)
                    && !known.contains(&hash(*number))
            }),
        };
        let Some(number) = number else {
            self.apply(tab, build, Event::NotFoundOnChain(Some(count)), Fault::No);
            return Ok(None);
        };
        let sent = Sent::new(CHAIN, Address::ZERO, hash(number));
        if entry.transaction.is_none() {
            self.apply(tab, build, Event::FoundOnChain(sent.clone()), Fault::No);
        }
        // The block of its number has it, or another one.
        let is_replaced = count > self.transactions[number].nonce && !has(mined, number as u8);
        let status = match has(receipts, number as u8) {
            true => "COMPLETED",
            false if is_replaced => "REPLACED",
            false => "PENDING",
        };
        self.apply(tab, build, Event::ChainReported(Sent { status, ..sent }), Fault::No);
        Ok(Some(status))
    }

    fn is_locked(&self) -> bool {
        self.tabs.iter().any(|tab| matches!(tab.call, Call::Asked(_)))
    }

    /// The user who knows of every transaction asks for another trade.
    fn want(&mut self, tab: usize) {
        if self.wishes == 0 || self.mined & !self.told == 0 {
            self.tabs[tab].wanted = self.tabs[tab].wanted.max(self.mined.count_ones() as u8 + 1);
        }
    }

    fn tell(&mut self, build: Build) {
        let own = self.transactions.iter().rposition(|one| one.build == build);
        self.told = own.map_or(self.told, |number| with(self.told, number as u8));
    }

    /// Whether the wallet may be asked although this entry is under way, as `asked_before` and `check_no_other` decide:
    /// the nonce that the next one has to have.
    fn is_unsent(&mut self, tab: usize, entry: &Entry, fault: Fault) -> Result<Option<u64>, ()> {
        let build = entry.key[31] - 1;
        if entry.is_untold {
            return Err(());
        }
        if entry.stage != Stage::Asking || entry.transaction.is_some() {
            return match self.look_for(tab, build, fault)? {
                Some("PENDING") => Err(()),
                _ => Ok(None),
            };
        }
        match self.look_for(tab, build, fault)? {
            Some("REPLACED") => return Ok(None),
            Some(_) => return Err(()),
            None => {}
        }
        // All nodes are asked, and one of them is not behind; they know what is pending.
        let is_moved = entry.mined_before != Some(self.count + self.pending(|one| !one.is_held).len() as u64);
        // The user is asked to look into the wallet, and says what is there.
        let is_there = has(self.prompts, build);
        if entry.said.is_none() || !has(self.waited, build) || is_moved || is_there {
            return Err(());
        }
        Ok(entry.mined_before)
    }

    /// The nonces of those transactions that are in no block.
    fn pending(&self, counts: fn(&Transaction) -> bool) -> BTreeSet<u64> {
        let counted = self.transactions.iter().filter(|one| counts(one));
        counted.map(|one| one.nonce).filter(|nonce| *nonce >= self.count).collect()
    }

    fn submit(&mut self, tab: usize, build: Build, fault: Fault) -> Option<()> {
        self.tabs[tab].call = Call::None;
        self.want(tab);
        self.wishes = self.wishes.max(self.tabs[tab].wanted);
        if self.is_locked() || fault == Fault::Unread {
            return None;
        }
        self.sync(tab);
        // Whatever cannot be opened may be this trade.
        if self.storage.spoiled != 0 {
            return None;
        }
        let joins = has(self.tabs[tab].given_up, build);
        let record = self.record(tab, build);
        if record.is_journaled && !joins && record.sent.is_none() {
            let had_ended = record.entry.stage == Stage::Ended;
            let is_sent = match self.look_for(tab, build, fault).ok()? {
                Some("PENDING") => !had_ended,
                status => status == Some("COMPLETED"),
            };
            if let Some(hash) = self.record(tab, build).entry.transaction.filter(|_| is_sent) {
                self.apply(tab, build, Event::SentBefore(Sent::new(CHAIN, Address::ZERO, hash)), Fault::No);
                self.apply(tab, build, Event::AppInformed, Fault::No);
            }
        }
        if self.record(tab, build).sent.is_some() {
            self.tell(build);
            return None;
        }
        if joins {
            // The prompt is joined, or its answer is there.
            self.tabs[tab].given_up &= !with(0, build);
            self.tabs[tab].call = Call::Asked(build);
            if !has(self.prompts, build) {
                self.answer(build);
            }
            return None;
        }
        let wanted = WantedTransaction {
            key: key(build),
            alone: Some(INTENT),
            pays_twice: false,
            repeats: false,
            is_open: false,
        };
        let (mut number, mut unsent) = (None, vec![]);
        for other in 0..self.builds {
            let record = self.record(tab, other);
            if record.is_journaled && may_be_under_way(&record.entry, &wanted) {
                let is_asking = record.entry.stage == Stage::Asking && record.entry.transaction.is_none();
                number = self.is_unsent(tab, &record.entry, fault).ok()?.or(number);
                unsent.extend(is_asking.then_some(other));
            }
        }
        let entry = Entry {
            key: key(build),
            kind: TradeKind::Transaction,
            intent: Some(INTENT),
            chain_id: CHAIN,
            summary: "{}".into(),
            payload: Some("{}".into()),
            mined_before: Some(self.shown(fault).1),
            ..Entry::default()
        };
        let Some((commands, is_stored)) = self.apply(tab, build, Event::AskTransaction(entry), fault) else {
            self.refused(tab, build);
            return None;
        };
        if !is_stored {
            self.apply(tab, build, Event::NotWritten, Fault::No);
            return None;
        }
        if commands.contains(&Command::Prompt) {
            self.prompts = with(self.prompts, build);
            self.numbers[usize::from(build)] = number;
            self.waited &= !with(0, build);
            self.tabs[tab].call = Call::Asked(build);
        }
        Some(())
    }

    /// The ledger refuses a build that is on its way: the call ends with what it has stored.
    fn refused(&mut self, tab: usize, build: Build) {
        match self.record(tab, build).entry.transaction {
            Some(hash) => {
                self.apply(tab, build, Event::WalletSent(Sent::new(CHAIN, Address::ZERO, hash)), Fault::No);
                self.tell(build);
            }
            None => self.tabs[tab].call = Call::Refused,
        }
    }

    /// The tab that waits for the wallet's answer.
    fn take_call(&mut self, build: Build) -> Option<usize> {
        let tab = (0..2).find(|tab| self.tabs[*tab].call == Call::Asked(build))?;
        self.tabs[tab].call = Call::None;
        Some(tab)
    }

    /// The wallet's answer reaches the call that waits for it, if there is one: the transaction that it sent last.
    fn answer(&mut self, build: Build) {
        let number = self.transactions.iter().rposition(|one| one.build == build);
        if let (Some(tab), Some(number)) = (self.take_call(build), number) {
            self.apply(tab, build, Event::WalletSent(Sent::new(CHAIN, Address::ZERO, hash(number))), Fault::No);
            self.apply(tab, build, Event::AppInformed, Fault::No);
            self.tell(build);
        }
    }

    /// The wallet sends the request, with the nonce that it demands or the next one.
    fn send(&mut self, build: Build, is_held: bool) {
        let next = self.pending(|_| true).last().map_or(self.count, |last| last + 1);
        let nonce = self.numbers[usize::from(build)].unwrap_or(next);
        self.transactions.push(Transaction { build, nonce, is_held });
        self.prompts &= !with(0, build);
    }

    /// Looks at each trade that has not ended, as `flows/resume` does.
    fn resume(&mut self, tab: usize, fault: Fault) {
        self.tabs[tab].is_quiet = false;
        if fault == Fault::Unread || self.is_locked() {
            return;
        }
        self.sync(tab);
        for build in 0..self.builds {
            let record = self.record(tab, build);
            if !record.is_journaled || (record.entry.stage == Stage::Ended && !record.entry.is_untold) {
                continue;
            }
            let _ = self.look_for(tab, build, fault);
            self.apply(tab, build, Event::AppInformed, Fault::No);
            if self.record(tab, build).entry.transaction.is_some() {
                self.tell(build);
            }
        }
        self.tabs[tab].is_quiet = fault == Fault::No;
    }

    /// For each tab: whether no call is under way, and whether it is quiet.
    fn tab_states(&mut self) -> [(bool, &mut bool); 2] {
        self.tabs.each_mut().map(|tab| (tab.call == Call::None, &mut tab.is_quiet))
    }

    /// Whether everything that is in a block was told, or is in the journal that this quiet tab has just listed.
    fn is_all_told(&self, tab: usize) -> bool {
        (0..self.transactions.len()).all(|number| {
            let record = self.record(tab, self.transactions[number].build);
            let is_listed = record.is_journaled && record.entry.stage != Stage::Ended;
            let is_unread = has(self.storage.spoiled, self.transactions[number].build);
            !has(self.mined & !self.told, number as u8) || is_listed || is_unread
        })
    }
}

/// Whether an action is one of a wallet, node, storage or call that answers at once.
fn is_honest(action: &Action) -> bool {
    use Action::{Approve, ArriveLate, Mine, Resume, Submit, Wait};
    matches!(action, Approve(_) | ArriveLate(_) | Mine(_) | Resume(_, Fault::No) | Submit(_, Fault::No) | Wait)
}

struct Transactions {
    bounds: Bounds,
    /// The actions so far.
    begun: Vec<Action>,
    taken: Taken,
}

impl Model for Transactions {
    type State = World;
    type Action = Action;

    fn init_states(&self) -> Vec<World> {
        let Bounds { clicks, faults, crashes, .. } = self.bounds;
        let new = World { clicks_left: clicks, faults_left: faults, crashes_left: crashes, ..World::default() };
        let after = |world: World, action: &Action| self.next_state(&world, *action).unwrap();
        vec![self.begun.iter().fold(new, after)]
    }

    fn actions(&self, world: &World, actions: &mut Vec<Action>) {
        use Fault::{Away, Lag, Late, No, Unindexed, Unread, Unwritten};
        let faults = |all: &'static [Fault]| all.iter().filter(|fault| **fault == No || world.faults_left > 0).copied();
        for (index, tab) in world.tabs.iter().enumerate() {
            match tab.call {
                Call::None => {
                    if world.clicks_left > 0 {
                        actions.push(Action::Build(index));
                        // Only behind what was begun: docs/hardening.md has the case that is open.
                        let kept = if self.begun.is_empty() { 0 } else { world.builds };
                        actions.extend((0..kept).map(|build| Action::Again(index, build)));
                    }
                    if world.builds > 0 && !tab.is_quiet {
                        actions.extend(
                            faults(&[No, Unread, Lag, Unindexed, Away]).map(|fault| Action::Resume(index, fault)),
                        );
                    }
                }
                Call::Built(_) => {
                    let all = faults(&[No, Unread, Unwritten, Late, Lag, Unindexed, Away]);
                    actions.extend(all.map(|fault| Action::Submit(index, fault)));
                }
                Call::Asked(_) => actions.push(Action::Abort(index)),
                Call::Refused => {}
            }
            if world.crashes_left > 0 && (!tab.memory.is_empty() || tab.call != Call::None) {
                actions.push(Action::Close(index));
            }
        }
        for build in 0..world.builds {
            if has(world.prompts, build) {
                actions.extend([Action::Approve(build), Action::Refuse(build)]);
                if world.faults_left > 0 {
                    actions.extend([Action::ApproveUnsaid(build), Action::Stall(build)]);
                }
            }
            if world.storage.late.contains_key(&build) {
                actions.push(Action::ArriveLate(build));
            }
            let is_stored = world.storage.stored.contains_key(&build) && world.storage.spoiled == 0;
            if world.faults_left > 0 && is_stored {
                actions.push(Action::Spoil(build));
            }
        }
        let next = |number: &u8| world.transactions[usize::from(*number)].nonce == world.count;
        actions.extend((0..world.transactions.len() as u8).filter(next).map(Action::Mine));
        if world.faults_left > 0 && world.builds > 0 {
            actions.push(Action::SendElse);
        }
        if world.waited != all(usize::from(world.builds)) || world.before != (world.mined, world.count) {
            actions.push(Action::Wait);
        }
        if world.crashes_left > 0 && world.storage.is_behind() {
            actions.push(Action::Crash);
        }
    }

    fn next_state(&self, before: &World, action: Action) -> Option<World> {
        let mut world = before.clone();
        for tab in &mut world.tabs {
            tab.is_quiet = false;
        }
        let fault = match action {
            Action::Submit(_, fault) | Action::Resume(_, fault) => fault,
            Action::ApproveUnsaid(_) | Action::Stall(_) | Action::SendElse | Action::Spoil(_) => Fault::Lie,
            _ => Fault::No,
        };
        world.faults_left -= u8::from(fault != Fault::No);
        match action {
            Action::Build(tab) => {
                world.clicks_left -= 1;
                world.tabs[tab].wanted = 0;
                world.want(tab);
                world.tabs[tab].call = Call::Built(world.builds);
                world.builds += 1;
                world.numbers.push(None);
            }
            Action::Again(tab, build) => {
                world.clicks_left -= 1;
                world.tabs[tab].wanted = 0;
                world.tabs[tab].call = Call::Built(build);
            }
            Action::Submit(tab, fault) => {
                let Call::Built(build) = world.tabs[tab].call else { return None };
                world.submit(tab, build, fault);
            }
            Action::Approve(build) => {
                world.send(build, false);
                world.answer(build);
            }
            Action::ApproveUnsaid(build) | Action::Stall(build) => {
                if matches!(action, Action::ApproveUnsaid(_)) {
                    world.send(build, true);
                }
                let tab = world.take_call(build)?;
                world.apply(tab, build, Event::WalletUnclear("what?".into(), NOW), Fault::No);
            }
            Action::Refuse(build) => {
                world.prompts &= !with(0, build);
                if let Some(tab) = world.take_call(build) {
                    let event = Event::WalletDidNotSend { is_refused: true, is_repeated: false };
                    world.apply(tab, build, event, Fault::No);
                }
                for tab in &mut world.tabs {
                    tab.given_up &= !with(0, build);
                }
            }
            Action::Abort(tab) => {
                let Call::Asked(build) = world.tabs[tab].call else { return None };
                world.tabs[tab].call = Call::None;
                world.tabs[tab].given_up = with(world.tabs[tab].given_up, build);
            }
            Action::Mine(number) => {
                world.before = (world.mined, world.count);
                world.mined = with(world.mined, number);
                world.count += 1;
            }
            Action::SendElse => world.count += 1,
            Action::Resume(tab, fault) => world.resume(tab, fault),
            Action::Wait => {
                (world.waited, world.before) = (all(usize::from(world.builds)), (world.mined, world.count));
            }
            Action::Close(tab) => {
                world.crashes_left -= 1;
                // Nobody gets the answer of a prompt that stays open.
                world.tabs[tab] = Tab::default();
            }
            Action::Crash => {
                world.crashes_left -= 1;
                world.tabs = Default::default();
                world.storage.crash();
                world.prompts = 0;
            }
            Action::ArriveLate(build) => {
                let text = world.storage.late.remove(&build)?;
                world.storage.stored.insert(build, text);
                world.storage.spoiled &= !with(0, build);
            }
            Action::Spoil(build) => world.storage.spoiled = with(world.storage.spoiled, build),
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
                world.mined.count_ones() <= u32::from(world.wishes)
            }),
            Property::always("nothing that was mined is called replaced", |_, world: &World| {
                let memories = world.tabs.iter().flat_map(|tab| &tab.memory).map(|memory| read(&memory.text));
                let mut replaced = memories.filter(|entry| entry.status.as_deref() == Some("REPLACED"));
                replaced.all(|entry| !entry.transaction.is_some_and(|hash| has(world.mined, number_of(hash) as u8)))
            }),
            Property::always("after resume nothing that was mined is untold", |_, world: &World| {
                (0..2).all(|tab| !world.tabs[tab].is_quiet || world.is_all_told(tab))
            }),
            Property::always("every call comes to its end once all answer", |model, world: &World| {
                ends(model, world, is_honest, World::tab_states)
            }),
        ]
    }
}

fn exhaust(bounds: Bounds) -> BTreeSet<String> {
    exhaust_after(vec![], bounds)
}

fn exhaust_after(begun: Vec<Action>, bounds: Bounds) -> BTreeSet<String> {
    crate::run::exhaust(bounds, Transactions { bounds, begun, taken: Taken::default() }, |model| &model.taken)
}

#[test]
fn an_entry_that_cannot_be_opened_may_be_the_trade() {
    use Action::{Approve, Build, Close, Spoil, Submit};
    let begun = vec![Build(0), Submit(0, Fault::No), Approve(0), Spoil(0), Close(0)];
    exhaust_after(begun, Bounds { clicks: 2, faults: 2, crashes: 1, reorgs: 0 });
}

#[test]
fn a_transaction_that_comes_back_ends_the_call_that_would_send_it() {
    use Action::{Approve, Build, Close, Resume, SendElse, Submit};
    // It was replaced, as a node showed, and the page reloaded; another node still has it pending.
    let begun = vec![Build(0), Submit(0, Fault::No), Approve(0), SendElse, Resume(0, Fault::No), Close(0)];
    let taken = exhaust_after(begun, Bounds { clicks: 2, faults: 2, crashes: 1, reorgs: 0 });
    assert!(taken.contains("Submit(, Lag)"), "{taken:?}");
}

#[test]
fn no_order_of_events_sends_a_trade_twice_or_loses_one() {
    if width() == Width::Narrow {
        let taken = exhaust(Bounds { clicks: 1, faults: 1, crashes: 1, reorgs: 0 });
        assert!(taken.len() > 15, "{taken:?}");
        exhaust(Bounds { clicks: 2, faults: 0, crashes: 0, reorgs: 0 });
        return;
    }
    let taken = exhaust(Bounds { clicks: 2, faults: 1, crashes: 1, reorgs: 0 });
    let all = "Abort() Approve() ApproveUnsaid() ArriveLate() Build() Close() Crash Mine() Refuse() Resume(, Away) \
        Resume(, Lag) Resume(, No) Resume(, Unindexed) Resume(, Unread) SendElse Spoil() Stall() Submit(, Away) Submit(, Lag) \
        Submit(, Late) Submit(, No) Submit(, Unindexed) Submit(, Unread) Submit(, Unwritten) Wait";
    assert_taken(&taken, all);
    if width() == Width::Wide {
        exhaust(Bounds { clicks: 2, faults: 2, crashes: 1, reorgs: 0 });
    }
}
