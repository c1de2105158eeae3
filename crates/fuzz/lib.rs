//! The fuzz targets: each is a function of bytes that panics where something is wrong. libFuzzer calls it for hours
//! (`cargo xtask fuzz`), the test below for a moment with the seeds and with what comes of them.
//!
//! Inputs in `seeds/TARGET` are where libFuzzer starts, and what it has found: a finding that is mended stays there.

pub mod addresses;
pub mod amounts;
pub mod answers;
pub mod calldata;
pub mod edits;
pub mod explain;
pub mod journal;
pub mod json;
pub mod orders;
pub mod signatures;
pub mod transactions;
pub mod typed_data;

#[path = "../../tests/shared/allocations.rs"]
mod allocations;
#[path = "../trade/tests/flows/fake_host/mod.rs"]
pub mod fake_host;

/// Takes any bytes; panics where what was made of them is wrong.
pub type Target = fn(&[u8]);

/// Every target, by the name of its program.
pub const TARGETS: [(&str, Target); 11] = [
    ("json", json::run),
    ("typed_data", typed_data::run),
    ("calldata", calldata::run),
    ("amounts", amounts::run),
    ("addresses", addresses::run),
    ("signatures", signatures::run),
    ("orders", orders::run),
    ("transactions", transactions::run),
    ("answers", answers::run),
    ("journal", journal::run),
    ("explain", explain::run),
];

#[cfg(test)]
mod tests {
    use super::TARGETS;
    use std::fs;
    use std::path::Path;

    /// Inputs made of a target's seeds, for each target.
    const MADE: usize = 300;

    /// Marsaglia's xorshift: the same numbers at every run.
    struct Random(u64);

    impl Random {
        fn below(&mut self, bound: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            usize::try_from(self.0 >> 16).unwrap() % bound.max(1)
        }

        /// A piece of one seed in place of a piece of another, some bytes changed, or all new.
        fn input(&mut self, seeds: &[Vec<u8>]) -> Vec<u8> {
            let one = &seeds[self.below(seeds.len())];
            if one.is_empty() || self.below(4) == 0 {
                return (0..self.below(300)).map(|_| self.below(256) as u8).collect();
            }
            let other = &seeds[self.below(seeds.len())];
            let (end, start) = (self.below(one.len() + 1), self.below(other.len() + 1));
            let mut made = if self.below(2) == 0 { one.clone() } else { [&one[..end], &other[start..]].concat() };
            for _ in 0..self.below(5) {
                if let Some(byte) = made.len().checked_sub(1).map(|last| self.below(last + 1)) {
                    made[byte] = self.below(256) as u8;
                }
            }
            made
        }
    }

    #[test]
    fn every_target_takes_its_seeds_and_what_is_made_of_them() {
        for (name, run) in TARGETS {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(name);
            let mut files: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
            files.sort();
            let seeds: Vec<Vec<u8>> = files.iter().map(|file| fs::read(file).unwrap()).collect();
            assert!(!seeds.is_empty(), "{name} has no seeds");
            seeds.iter().for_each(|seed| run(seed));
            let mut random = Random(0x9E37_79B9_7F4A_7C15);
            (0..MADE).for_each(|_| run(&random.input(&seeds)));
        }
    }
}
