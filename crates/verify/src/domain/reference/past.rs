//! Which older blocks the pools that read_references are asked about: what is deep for one block only is no reference.

use super::pools::{Block, HELD_BLOCKS, Place};

/// For how many milliseconds the same blocks count.
pub const SAME_MS: u64 = 60_000;
/// How many blocks more than it is to be looked back a block may lie that is asked about: nodes have the state of 128.
const SLACK: u64 = 8;

/// What came of a question about older blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Known {
    /// It is put together with the next one about the latest block.
    Expected,
    /// It was put.
    Asked,
    /// It was answered.
    Blocks([Block; HELD_BLOCKS]),
    /// The node has no such blocks.
    Refused,
}

/// Some pools, and the blocks that they are asked about besides the latest one.
#[derive(Clone, Debug)]
pub struct Past {
    /// The pools that are looked at in older blocks.
    pub places: Vec<Place>,
    /// The oldest one first.
    pub blocks: [u64; HELD_BLOCKS],
    /// What came of it.
    pub known: Known,
    /// How far back the oldest one lies, and how far behind that one the other.
    back: u64,
    between: u64,
    /// The number of the latest block, and when it had that, in milliseconds by the monotonic clock.
    latest: (u64, u64),
    /// How many milliseconds a block takes; `None` if that is not known.
    pub block_ms: Option<u64>,
}

impl Past {
    /// The blocks for these pools, where the latest one has that number now: one so many blocks back, and by `random` one
    /// in between, so that nobody knows beforehand when a pool has to be deep. `None` on a younger chain.
    pub fn settle(
        (back, block_ms): (u64, Option<u64>),
        places: Vec<Place>,
        number: u64,
        random: u16,
        now_ms: u64,
    ) -> Option<Past> {
        let oldest = number.checked_sub(back).filter(|oldest| *oldest > 0)?;
        let between = u64::from(random).checked_rem(back.saturating_sub(1))?.saturating_add(1);
        let blocks = [oldest, oldest.saturating_add(between)];
        Some(Past { places, blocks, known: Known::Asked, back, between, latest: (number, now_ms), block_ms })
    }

    /// The same for a minute; after that, if it was answered, by the number that the latest block must have now. `None` if
    /// it is not known how fast blocks come.
    pub fn expect(mut self, now_ms: u64) -> Option<Past> {
        let (number, at_ms) = self.latest;
        let passed = now_ms.saturating_sub(at_ms);
        if passed <= SAME_MS {
            return Some(self);
        }
        let count = passed.checked_div(self.block_ms.filter(|_| matches!(self.known, Known::Blocks(_)))?)?;
        let number = number.saturating_add(count);
        let oldest = number.saturating_sub(self.back);
        self.blocks = [oldest, oldest.saturating_add(self.between)];
        (self.known, self.latest) = (Known::Expected, (number, now_ms));
        Some(self)
    }

    /// Whether it tells of all of these pools what is to be known, where the latest block has that number: in blocks that
    /// are old enough, and of which nodes still know.
    pub fn fits(&self, places: &[Place], number: u64) -> bool {
        let [oldest, between] = self.blocks.map(|block| number.saturating_sub(block));
        let is_known = matches!(self.known, Known::Blocks(_));
        let is_old = oldest >= self.back / 2 && between > 0;
        let is_there = is_known || oldest <= self.back.saturating_add(SLACK);
        is_old && is_there && places.iter().all(|place| self.places.contains(place))
    }

    /// Notes the answer, and how fast blocks come. `time` and `number` are of the block that was the latest at `read_ms`.
    pub fn hear(&mut self, blocks: [Block; HELD_BLOCKS], (time, number): (u64, u64), read_ms: u64) {
        let [oldest, _] = &blocks;
        let (secs, count) = (time.saturating_sub(oldest.time), number.saturating_sub(oldest.number));
        self.block_ms = secs.saturating_mul(1_000).checked_div(count).filter(|ms| *ms > 0);
        self.latest = (number, read_ms);
        self.known = Known::Blocks(blocks);
    }
}
