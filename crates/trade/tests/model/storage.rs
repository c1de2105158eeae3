//! The storage of all tabs, its faults, and small sets.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;
use verified_swap_trade::ledger::record::Entry;
use verified_swap_trade::ledger::step::Command;

/// A set of orders or nonces, a bit for each.
pub type Set = u8;

pub fn has(set: Set, one: u8) -> bool {
    set & (1 << one) != 0
}

pub fn with(set: Set, one: u8) -> Set {
    set | (1 << one)
}

/// The set of so many orders.
pub fn all(count: usize) -> Set {
    (0..count as u8).fold(0, with)
}

/// The entry of a text, as the storage gives it back.
pub fn read(text: &str) -> Entry {
    thread_local!(static READ: RefCell<BTreeMap<String, Entry>> = RefCell::default());
    READ.with_borrow_mut(|all| match all.get(text) {
        Some(entry) => entry.clone(),
        None => all.entry(text.into()).or_insert(Entry::read(text).unwrap()).clone(),
    })
}

/// The failure of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fault {
    /// Nothing.
    No,
    /// The storage cannot be read.
    Unread,
    /// The storage does not take a write.
    Unwritten,
    /// The storage does not say that it took a write, and takes it later.
    Late,
    /// The node shows an older state.
    Lag,
    /// The node finds transactions and receipts by their hashes in an older state than it counts in.
    Unindexed,
    /// The node does not answer.
    Away,
    /// The service does not find what it has.
    Unfound,
    /// The service calls the order failed.
    Lie,
    /// The approval that the order was signed for is refused.
    Refused,
}

/// The entries of the storage, by the number of an order or a build.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Storage {
    /// The entries that a tab reads.
    pub stored: BTreeMap<u8, Arc<str>>,
    /// The entries that are left once a machine crashes before a write that need not be durable is on the disk.
    pub on_disk: BTreeMap<u8, Arc<str>>,
    /// Writes that were given up and still arrive.
    pub late: BTreeMap<u8, Arc<str>>,
    /// Entries that are there and cannot be opened: their names are all that is known of them.
    pub spoiled: Set,
}

impl Storage {
    /// Has the storage do what the commands say. Returns whether the first write, if there is one, is known to be there.
    pub fn carry_out(&mut self, order: u8, text: Arc<str>, commands: &[Command], fault: Fault) -> bool {
        // Entries that cannot be opened are neither written over nor deleted.
        if has(self.spoiled, order) {
            return !commands.iter().any(|command| matches!(command, Command::Write { .. } | Command::WriteFirst));
        }
        let mut is_stored = true;
        for command in commands {
            match (command, fault) {
                (Command::Write { .. } | Command::WriteFirst, Fault::Unwritten) => is_stored = false,
                (Command::Write { .. } | Command::WriteFirst, Fault::Late) => {
                    self.late.insert(order, text.clone());
                    is_stored = false;
                }
                (Command::Write { is_durable: false }, _) => drop(self.stored.insert(order, text.clone())),
                (Command::Write { .. } | Command::WriteFirst, _) => {
                    self.stored.insert(order, text.clone());
                    self.on_disk.insert(order, text.clone());
                }
                (Command::Delete | Command::DeleteWithNonce(_), _) => {
                    self.stored.remove(&order);
                    self.on_disk.remove(&order);
                }
                _ => {}
            }
        }
        is_stored
    }

    /// The entry that a tab reads.
    pub fn entry(&self, order: u8) -> Option<Entry> {
        self.stored.get(&order).filter(|_| !has(self.spoiled, order)).map(|text| read(text))
    }

    /// Whether a crash would lose something.
    pub fn is_behind(&self) -> bool {
        self.stored != self.on_disk
    }

    pub fn crash(&mut self) {
        self.stored = self.on_disk.clone();
        self.late.clear();
        self.spoiled &= self.stored.keys().copied().fold(0, with);
    }
}
