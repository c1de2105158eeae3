//! What has happened: every order that was signed or posted, every transaction that was sent, each once.
//!
//! | file | contents |
//! |---|---|
//! | `record` | what is stored of a trade, and its stage |
//! | `orders` | orders and transactions as the client knows them |
//! | `memory` | facts that are recorded and looked up |
//! | `joined` | what is asked once, though several callers want it |
//! | `store` | what is written to the storage that all tabs share, and the locks |
//! | `unread` | what cannot be read of it |

pub mod joined;
mod memory;
pub mod orders;
pub mod record;
pub mod store;
pub mod unread;

use crate::domain::transaction::Sent;
use crate::host::Host;
use crate::json::Json;
use alloy_primitives::{B256, U256};
use orders::{BuiltTransaction, RememberedOrder};
use record::Entry;
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

/// What has happened: the memory of a client, and the journal in the storage that outlives it.
pub struct Ledger<H: Host> {
    /// The storage, the locks and the messages among tabs; clocks and randomness.
    pub host: Rc<H>,
    /// The URL of the client's service.
    pub base_url: String,
    /// Ids of calls that a wallet does not take a second time, though it sent none of them: the user had refused.
    pub spent_ids: RefCell<Vec<String>>,
    /// The nonce that the next order for an intent gets, by the intent's key.
    pub nonces: RefCell<Vec<(B256, U256)>>,
    /// Orders that their owner was asked to sign. A second one for the same intent is refused unless the user was
    /// asked, and later reports of the service about an order are compared with the signed one.
    pub orders: RefCell<Vec<RememberedOrder>>,
    /// Cancellations on chain that were built: (hash of the order, key of the transaction).
    pub cancellations: RefCell<Vec<(B256, B256)>>,
    /// Open prompts, and answered ones whose answer is still needed, by the key of the request: each is opened once.
    pub prompts: RefCell<Vec<OpenPrompt<H::Prompt, H::Provider>>>,
    /// Permits that were submitted: (hash of the permit, key of the one order or transaction that may carry it).
    pub used_permits: RefCell<Vec<(B256, B256)>>,
    /// Transactions that were built here, the oldest first.
    pub built: RefCell<Vec<Rc<BuiltTransaction>>>,
    /// Transactions that were sent, by the key of the build: each is sent once.
    pub sent: RefCell<Vec<(B256, Sent)>>,
    /// Orders that were posted, by their hash, with the service's answer: each is posted once.
    pub posted: RefCell<Vec<(B256, Json)>>,
    /// The journal: every trade that opened a prompt, as `trade::journal` keeps it in the storage.
    pub trades: RefCell<Vec<Entry>>,
    /// The entries that this version cannot read and that have not ended.
    pub unread: RefCell<Vec<UnreadTrade>>,
    /// Whether `trades` has what the storage has, except for the messages in `journal_inbox`.
    pub is_journal_read: Cell<bool>,
    /// The number of the last storage reading that `trades` has completely.
    pub journal_reading: Cell<u32>,
    /// The messages of other clients of this origin about their writes to the journal since it was read.
    pub journal_inbox: H::Inbox,
    /// Locks among tabs that a call of this client holds, by name, with the key of its order or transaction.
    pub locks: RefCell<Vec<HeldLock<H::Lock>>>,
}

/// A prompt of the wallet.
pub struct OpenPrompt<P, W> {
    /// The key of the request.
    pub key: B256,
    /// The wallet of the prompt.
    pub wallet: W,
    /// The id of calls that are sent together, empty if the wallet chooses it; `None` for any other request.
    pub batch: Option<String>,
    /// The handle for its answer.
    pub prompt: P,
}

/// A trade of the journal that a newer version of this package wrote, and that has not ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadTrade {
    /// Its entry's key.
    pub key: B256,
    /// The same for every order or transaction that makes the same trade.
    pub intent: Option<B256>,
}

/// A lock among tabs: its name, the key that it is held for, and the lock while it is held.
pub type HeldLock<L> = (String, B256, Weak<L>);

/// The topic on which clients notify each other of writes to the journal.
pub const JOURNAL: &str = "journal";
/// How many entries a memory holds; the oldest is dropped first.
pub const KEPT: usize = 256;

impl<H: Host> Ledger<H> {
    /// An empty ledger of a client of that service.
    pub fn new(host: Rc<H>, base_url: String) -> Ledger<H> {
        let journal_inbox = host.inbox(JOURNAL);
        Ledger {
            host,
            base_url,
            spent_ids: RefCell::default(),
            nonces: RefCell::default(),
            orders: RefCell::default(),
            cancellations: RefCell::default(),
            prompts: RefCell::default(),
            used_permits: RefCell::default(),
            built: RefCell::default(),
            sent: RefCell::default(),
            posted: RefCell::default(),
            trades: RefCell::default(),
            unread: RefCell::default(),
            is_journal_read: Cell::new(false),
            journal_reading: Cell::new(0),
            journal_inbox,
            locks: RefCell::default(),
        }
    }
}

/// The value under a key.
pub fn recall<T: Clone>(memory: &RefCell<Vec<(B256, T)>>, key: B256) -> Option<T> {
    memory.borrow().iter().find(|(known, _)| *known == key).map(|(_, value)| value.clone())
}

/// Stores a value under a key, in place of an earlier one.
pub fn remember<T>(memory: &RefCell<Vec<(B256, T)>>, key: B256, value: T) {
    let mut memory = memory.borrow_mut();
    memory.retain(|(known, _)| *known != key);
    memory.push((key, value));
    shrink(&mut memory);
}

/// Drops the oldest entries of a memory that has more than [`KEPT`].
pub fn shrink<T>(memory: &mut Vec<T>) {
    let surplus = memory.len().saturating_sub(KEPT);
    memory.drain(..surplus);
}
