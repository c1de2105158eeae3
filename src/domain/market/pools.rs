//! The pools of a direct trade, packed hop by hop: which tokens they lead from and to.

use crate::domain::abi::{usize_at, word_at};
use alloy_primitives::Address;
use alloy_sol_types::{SolCall, sol};

// The selectors of Balancer's vault.
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

/// First and last token of a way through pools; `None` where the bytes are no way: a hop that does not begin where the
/// one before it ends, none at all, or a part of one.
///
/// Version 2 packs a hop in 64 bytes: both tokens of the pool in order, zeros, and 1 in the last byte if the first
/// token is given. Version 3 takes 96: a word with the first token and that flag in its highest bit, a word with the
/// second token, the pool's fee. There ways to an exact output are packed from their end; in version 2 the router takes
/// them from their start.
pub fn ends(pools: &[u8], hop_bytes: usize, exact_output: bool) -> Option<(Address, Address)> {
    if pools.is_empty() || pools.len().checked_rem(hop_bytes)? != 0 {
        return None;
    }
    let mut hops = Vec::new();
    for hop in pools.chunks_exact(hop_bytes) {
        let (first, second, forward) = match hop_bytes {
            // Anything else is a direction only to somebody.
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

/// The tokens between which a call of Balancer's vault trades, as the router takes them from it: the zero address for
/// the native coin. `None` for any call that the router would not make.
///
/// The router reads them at places of its own, not by the ABI: they are only where it looks if the call is laid out as
/// usual.
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
