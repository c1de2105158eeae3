//! Which older blocks the pools that testify are asked about: what is deep for one block only is no reference.

use super::pools::{Block, HELD_BLOCKS, Place};

/// For how many milliseconds the same blocks are asked about.
pub const SAME_MS: u64 = 60_000;

/// What came of a question about older blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// It was put.
    Asked,
    /// It was answered.
    Heard,
    /// The node has no such blocks.
    Refused,
}

/// Some pools, and the blocks that they are asked about besides the latest one.
#[derive(Clone, Debug)]
pub struct Past {
    /// The pools.
    pub places: Vec<Place>,
    /// The oldest one first.
    pub blocks: [u64; HELD_BLOCKS],
    /// What came of it.
    pub known: Known,
    /// How far back the oldest one lies.
    back: u64,
    /// When that was settled, in milliseconds by the monotonic clock.
    at_ms: u64,
    /// How many milliseconds a block took of late; `None` if that is not known.
    block_ms: Option<u64>,
}

impl Past {
    /// The blocks for these pools, where the latest one has that number: one so many blocks back, and by `random` one in
    /// between, so that nobody knows beforehand when a pool has to be deep. `None` on a younger chain.
    pub fn settle(back: u64, places: Vec<Place>, number: u64, random: u16, now_ms: u64) -> Option<Past> {
        let oldest = number.checked_sub(back).filter(|oldest| *oldest > 0)?;
        let between = u64::from(random).checked_rem(back.saturating_sub(1))?.saturating_add(1);
        let (blocks, known) = ([oldest, oldest.saturating_add(between)], Known::Asked);
        Some(Past { places, blocks, known, back, at_ms: now_ms, block_ms: None })
    }

    /// The same, by the number that the latest block must have now; unchanged for a minute. `None` if it is not known how
    /// fast blocks come.
    pub fn expect(mut self, now_ms: u64) -> Option<Past> {
        let passed = now_ms.saturating_sub(self.at_ms);
        if passed > SAME_MS {
            let count = passed.checked_div(self.block_ms?)?;
            self.blocks = self.blocks.map(|block| block.saturating_add(count));
            self.at_ms = now_ms;
        }
        Some(self)
    }

    /// Notes that there are no such blocks, for a minute.
    pub fn refuse(&mut self) {
        (self.known, self.block_ms) = (Known::Refused, None);
    }

    /// Whether it is about all of these pools, and about blocks that are old enough where the latest one has that number.
    pub fn fits(&self, places: &[Place], number: u64) -> bool {
        let [oldest, between] = self.blocks.map(|block| number.saturating_sub(block));
        oldest >= self.back / 2 && between > 0 && places.iter().all(|place| self.places.contains(place))
    }

    /// Notes that it was answered, and how fast blocks come: the timestamp and number of the latest one, and what the oldest one was.
    pub fn pace(&mut self, (time, number): (u64, u64), oldest: &Block) {
        self.known = Known::Heard;
        let (secs, count) = (time.saturating_sub(oldest.time), number.saturating_sub(oldest.number));
        self.block_ms = secs.saturating_mul(1_000).checked_div(count).filter(|ms| *ms > 0);
    }
}
