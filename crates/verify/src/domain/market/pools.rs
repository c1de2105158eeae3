//! The first and the last token of a direct trade, read from the packed pools of a Uniswap method or from the vault's
//! call of a Balancer method. The router trades along these, independently of the other arguments.

use crate::domain::abi::{usize_at, word_at};
use alloy_primitives::Address;
use alloy_sol_types::{SolCall, sol};

// Only for the selectors of Balancer's vault.
sol! {
    struct SingleSwap {
        bytes32 poolId; uint8 kind; address assetIn; address assetOut; uint256 amount; bytes userData;
    }
    struct BatchSwapStep {
        bytes32 poolId; uint256 assetInIndex; uint256 assetOutIndex; uint256 amount; bytes userData;
    }
    struct FundManagement {
        address sender; bool fromInternalBalance; address recipient; bool toInternalBalance;
    }

    function swap(SingleSwap singleSwap, FundManagement funds, uint256 limit, uint256 deadline);
    function batchSwap(
        uint8 kind, BatchSwapStep[] swaps, address[] assets, FundManagement funds, int256[] limits, uint256 deadline
    );
}

/// The version of Uniswap whose pools a path leads through: the router packs their hops in different ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UniswapVersion {
    /// A hop is 64 bytes: both tokens of the pool in its order, 20 bytes each, 23 zeros, and 1 in the last byte if the
    /// first token is paid in.
    V2,
    /// A hop is 96 bytes: a word with the first token, and the flag of version 2 in its highest bit; a word with the
    /// second token; the pool's fee.
    V3,
}

impl UniswapVersion {
    /// The size of a hop.
    pub const fn hop_bytes(self) -> usize {
        match self {
            UniswapVersion::V2 => 64,
            UniswapVersion::V3 => 96,
        }
    }

    /// The tokens that a hop takes and gives; `None` if it is none.
    fn hop(self, hop: &[u8]) -> Option<(Address, Address)> {
        let (first, second, forward) = match self {
            UniswapVersion::V2 => {
                // Readers disagree about the direction that any other byte means.
                let is_plain = hop.get(40..63)?.iter().all(|byte| *byte == 0) && *hop.last()? <= 1;
                (hop.get(..20)?, hop.get(20..40).filter(|_| is_plain)?, *hop.last()? == 1)
            }
            UniswapVersion::V3 => (hop.get(12..32)?, hop.get(44..64)?, *hop.first()? & 0x80 != 0),
        };
        let (first, second) = (Address::from_slice(first), Address::from_slice(second));
        Some(if forward { (first, second) } else { (second, first) })
    }
}

/// The first and the last token of a path through Uniswap pools. `None` if the bytes are no path: no hop, a part of a
/// hop, or a hop that does not begin with the last token of the one before. For an exact output version 3 packs the path
/// from its end, version 2 either way.
pub fn path_ends(pools: &[u8], version: UniswapVersion, exact_output: bool) -> Option<(Address, Address)> {
    if !pools.len().is_multiple_of(version.hop_bytes()) {
        return None;
    }
    let mut hops = Vec::new();
    for hop in pools.chunks_exact(version.hop_bytes()) {
        hops.push(version.hop(hop)?);
    }
    let joined = |hops: &[(Address, Address)]| hops.iter().zip(hops.iter().skip(1)).all(|(hop, next)| hop.1 == next.0);
    if exact_output && (version == UniswapVersion::V3 || !joined(&hops)) {
        hops.reverse();
    }
    let (first, last) = (hops.first()?, hops.last()?);
    joined(&hops).then_some((first.0, last.1))
}

/// The size of a word of the ABI.
const WORD: usize = 32;
/// The offset of the struct of `swap`, where it lies in the usual layout: behind it, the four words of `funds`, the limit
/// and the deadline.
const SWAP_STRUCT: usize = 7 * WORD;
/// The most tokens of a `batchSwap` that are read.
const MAX_ASSETS: usize = 64;

/// The tokens between which a call of Balancer's vault (`swap` or `batchSwap`) trades, the zero address for the native
/// token. `None` for any call that the router would not make.
pub fn vault_ends(call: &[u8]) -> Option<(Address, Address)> {
    let (selector, arguments) = call.split_first_chunk::<4>()?;
    let token = |at: usize| {
        let word = word_at(arguments, at)?;
        (word.bit_len() <= 160).then(|| Address::from_word(word.into()))
    };
    match *selector {
        // The router reads the tokens at fixed places, not by the ABI's offset, so only the usual layout is accepted: the
        // struct behind the other six words, its tokens in its third and fourth.
        swapCall::SELECTOR => {
            let usual = usize_at(arguments, 0)? == SWAP_STRUCT;
            usual.then_some((token(SWAP_STRUCT + 2 * WORD)?, token(SWAP_STRUCT + 3 * WORD)?))
        }
        // The router follows the offset of the list, which is the third argument, and so does this.
        batchSwapCall::SELECTOR => {
            let assets = usize_at(arguments, 2 * WORD)?;
            let count = usize_at(arguments, assets).filter(|count| (2..=MAX_ASSETS).contains(count))?;
            let first = token(assets.checked_add(WORD)?)?;
            let last = token(assets.checked_add(count.checked_mul(WORD)?)?)?;
            match usize_at(arguments, 0)? {
                0 => Some((first, last)),
                1 => Some((last, first)),
                _ => None,
            }
        }
        _ => None,
    }
}
