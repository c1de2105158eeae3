//! The first and the last token of a direct trade, read from the packed pools of a Uniswap method or from the vault's
//! call of a Balancer method. The router trades along these, whatever the other arguments say.

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

/// The first and the last token of a path through Uniswap pools. `None` if the bytes are no path: no hop, a part of a
/// hop, or a hop that does not begin with the last token of the one before.
///
/// Version 2 packs a hop in 64 bytes: both tokens of the pool in order, zeros, and 1 in the last byte if the first
/// token is paid in. Version 3 takes 96: a word with the first token and that flag in its highest bit, a word with the
/// second token, the pool's fee. For an exact output version 3 packs the path from its end, version 2 either way.
pub fn ends(pools: &[u8], hop_bytes: usize, exact_output: bool) -> Option<(Address, Address)> {
    if pools.is_empty() || pools.len().checked_rem(hop_bytes)? != 0 {
        return None;
    }
    let mut hops = Vec::new();
    for hop in pools.chunks_exact(hop_bytes) {
        let (first, second, forward) = match hop_bytes {
            // Readers disagree about the direction that any other byte means.
            64 if hop.get(40..63)?.iter().all(|byte| *byte == 0) && *hop.last()? <= 1 => {
                (hop.get(..20)?, hop.get(20..40)?, *hop.last()? == 1)
            }
            64 => return None,
            _ => (hop.get(12..32)?, hop.get(44..64)?, *hop.first()? & 0x80 != 0),
        };
        let (first, second) = (Address::from_slice(first), Address::from_slice(second));
        hops.push(if forward { (first, second) } else { (second, first) });
    }
    let joined = |hops: &[(Address, Address)]| hops.iter().zip(hops.iter().skip(1)).all(|(hop, next)| hop.1 == next.0);
    if exact_output && (hop_bytes == 96 || !joined(&hops)) {
        hops.reverse();
    }
    let (first, last) = (hops.first()?, hops.last()?);
    joined(&hops).then_some((first.0, last.1))
}

/// The tokens between which a call of Balancer's vault (`swap` or `batchSwap`) trades, the zero address for the native
/// token. `None` for any call that the router would not make.
///
/// The router reads the tokens at fixed places, not by the ABI's offsets, so only the usual layout is accepted.
pub fn vault_ends(call: &[u8]) -> Option<(Address, Address)> {
    let (selector, arguments) = call.split_first_chunk::<4>()?;
    let token = |at: usize| {
        let word = word_at(arguments, at)?;
        (word.bit_len() <= 160).then(|| Address::from_word(word.into()))
    };
    match *selector {
        swapCall::SELECTOR => {
            let usual = usize_at(arguments, 0)? == 224;
            usual.then_some((token(288)?, token(320)?))
        }
        batchSwapCall::SELECTOR => {
            let assets = usize_at(arguments, 64)?;
            let count = usize_at(arguments, assets).filter(|count| (2..=64).contains(count))?;
            let first = token(assets.checked_add(32)?)?;
            let last = token(assets.checked_add(count.checked_mul(32)?)?)?;
            match usize_at(arguments, 0)? {
                0 => Some((first, last)),
                1 => Some((last, first)),
                _ => None,
            }
        }
        _ => None,
    }
}
