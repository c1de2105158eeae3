//! placeholder
use alloy_primitives::{Address, B256, address, b256};
pub const FACTORIES: [(u64, Address); 1] = [(1, address!("0x1F98431c8aD98523631AE4a59f267346ea31F984"))];
pub const INIT_CODE_HASH: B256 = b256!("0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54");
pub const FEEDS: [(u64, &str, Address, u32); 0] = [];
