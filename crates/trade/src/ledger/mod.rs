//! The ledger: every order that was signed or posted, every transaction that was sent, each once.
//!
//! | file | contents |
//! |---|---|
//! | `record` | all that is known of one trade, and what is stored of it |
//! | `orders` | orders and transactions as records have them |
//! | `asked` | when a price was asked for, and what the app learned since |
//! | `step` | from a record and an event to the next record and the commands that follow: pure |
//! | `second` | whether another order for the same trade may be signed, and its nonce: pure |
//! | `memory` | the records, and what is looked up in them |
//! | `request_cache` | requests in flight and their answers: callers with the same key share one |
//! | `store` | the shell: it carries out the commands on the storage that all tabs share; locks |
//! | `unread` | what cannot be read of the storage |

pub mod asked;
mod memory;
pub mod orders;
pub mod record;
pub mod request_cache;
pub mod second;
pub mod step;
pub mod store;
pub mod unread;

use crate::host::Host;
use alloy_primitives::{B256, U256};
use record::Record;
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

/// The ledger of a client: its memory, and the journal in the storage that outlives it.
pub struct Ledger<H: Host> {
    /// The storage, the locks and the messages among tabs; clocks and randomness.
    pub host: Rc<H>,
    /// The URL of the client's service.
    pub base_url: String,
    /// Ids of calls that a wallet does not take a second time, though it sent none of them: the user had refused.
    pub spent_ids: RefCell<Vec<String>>,
    /// The nonce that the next order for an intent gets, by the intent's key.
    pub nonces: RefCell<Vec<(B256, U256)>>,
    /// Open prompts, and answered ones whose answer is still needed, by the key of the request: each is opened once.
    pub prompts: RefCell<Vec<OpenPrompt<H::Prompt, H::Provider>>>,
    /// Every order and transaction that this client has, the last one last: one record for each key.
    pub records: RefCell<Vec<Record>>,
    /// The entries that cannot be read here, and are not known to have ended.
    pub unread: RefCell<Vec<UnreadTrade>>,
    /// Whether `records` has what the storage has, except for the messages in `journal_inbox`.
    pub is_journal_read: Cell<bool>,
    /// The number of the last storage reading that `records` has completely.
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

/// An entry of the journal that cannot be read here, and is not known to have ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadTrade {
    /// Its key, which is in its name.
    pub key: B256,
    /// The same for every order or transaction that makes the same trade; `None` if it has none, or it is not known.
    pub intent: Option<B256>,
    /// Its name alone is known: it is sealed by a lost key, cut, or changed. Otherwise a newer version of this package
    /// wrote it.
    pub is_opaque: bool,
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
            prompts: RefCell::default(),
            records: RefCell::default(),
            unread: RefCell::default(),
            is_journal_read: Cell::new(false),
            journal_reading: Cell::new(0),
            journal_inbox,
            locks: RefCell::default(),
        }
    }
}
