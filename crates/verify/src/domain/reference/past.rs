//! The older blocks at which reference pools are read: a pool that is deep for one block only is no reference.

use super::pools::{Block, HELD_BLOCKS, Place};

/// How long the same blocks count, in milliseconds.
pub const SAME_MS: u64 = 60_000;
/// How many blocks further back than intended a read block may lie: nodes have the state of 128.
const SLACK: u64 = 8;

/// The state of a read of older blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PastState {
    /// It is sent together with the next read of the latest block.
    Expected,
    /// It was sent.
    Asked,
    /// It was answered.
    Blocks([Block; HELD_BLOCKS]),
    /// The node has no such blocks.
    Refused,
}

/// Some pools, and the blocks at which they are read besides the latest one.
#[derive(Clone, Debug)]
pub struct Past {
    /// The pools that are read at older blocks.
    pub places: Vec<Place>,
    /// The blocks, the oldest one first.
    pub blocks: [u64; HELD_BLOCKS],
    /// The state of the read.
    pub known: PastState,
    /// How many blocks the oldest one lies back, and how many the other one lies after it.
    back: u64,
    between: u64,
    /// The number of the latest block, and when it was the latest, in milliseconds by the monotonic clock.
    latest: (u64, u64),
    /// The milliseconds of a block; `None` if they are not known.
    pub block_ms: Option<u64>,
}

impl Past {
    /// Chooses the blocks for these pools, while the latest one has that number: one so many blocks back, and by
    /// `random` one in between, so that it cannot be predicted when a pool has to be deep. `None` on a younger chain.
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
        Some(Past { places, blocks, known: PastState::Asked, back, between, latest: (number, now_ms), block_ms })
    }

    /// The same blocks for a minute; after that, if they were answered, new ones by the number that the latest block
    /// must have now. `None` if the speed of blocks is not known.
    pub fn at_time(mut self, now_ms: u64) -> Option<Past> {
        let (number, at_ms) = self.latest;
        let passed = now_ms.saturating_sub(at_ms);
        if passed <= SAME_MS {
            return Some(self);
        }
        let count = passed.checked_div(self.block_ms.filter(|_| matches!(self.known, PastState::Blocks(_)))?)?;
        let number = number.saturating_add(count);
        let oldest = number.saturating_sub(self.back);
        self.blocks = [oldest, oldest.saturating_add(self.between)];
        (self.known, self.latest) = (PastState::Expected, (number, now_ms));
        Some(self)
    }

    /// Whether it covers all of these pools while the latest block has that number: in blocks that are old enough, and
    /// that nodes still have.
    pub fn fits(&self, places: &[Place], number: u64) -> bool {
        let [oldest, between] = self.blocks.map(|block| number.saturating_sub(block));
        let is_known = matches!(self.known, PastState::Blocks(_));
        let is_old = oldest >= self.back / 2 && between > 0;
        let is_there = is_known || oldest <= self.back.saturating_add(SLACK);
        is_old && is_there && places.iter().all(|place| self.places.contains(place))
    }

    /// Notes the answer, and the speed of blocks. `time` and `number` are of the block that was the latest at
    /// `read_ms`.
    pub fn learn(&mut self, blocks: [Block; HELD_BLOCKS], (time, number): (u64, u64), read_ms: u64) {
        let [oldest, _] = &blocks;
        let (secs, count) = (time.saturating_sub(oldest.time), number.saturating_sub(oldest.number));
        self.block_ms = secs.saturating_mul(1_000).checked_div(count).filter(|ms| *ms > 0);
        self.latest = (number, read_ms);
        self.known = PastState::Blocks(blocks);
    }
}
