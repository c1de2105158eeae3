//! The cost of a transaction's gas, and how much of that is plausible.

use super::sent_members::quantity;
use crate::json::JsonAt;
use alloy_primitives::U256;

/// The gas of a transaction without calldata, and of a byte of it that is zero, and of one that is not
/// (EIP-2028, <https://eips.ethereum.org/EIPS/eip-2028>).
const BASE_GAS: u64 = 21_000;
const ZERO_BYTE_GAS: u64 = 4;
const BYTE_GAS: u64 = 16;
/// The gas of an address of an access list, and of a storage key (EIP-2930, <https://eips.ethereum.org/EIPS/eip-2930>).
const LISTED_ADDRESS_GAS: u64 = 2_400;
const LISTED_KEY_GAS: u64 = 1_900;
/// The members that state a price of gas.
pub const PRICES: [&str; 3] = ["gasPrice", "maxFeePerGas", "maxPriorityFeePerGas"];

/// 0.01 of a native token, in wei.
const HUNDREDTH: u64 = 10_000_000_000_000_000;
/// By chain: hundredths of the native token that are worth about as much as 0.02 ether.
const HUNDREDTHS: [(u64, u64); 4] = [(56, 8), (100, 6_000), (137, 15_000), (43114, 200)];

/// The highest cost of a transaction's gas with this calldata, in wei, by the limits and prices that it states; `None` if
/// it states no price. A limit counts as its least, if it is lower or not stated; of two names for the same, programs read one
/// or the other.
pub fn cost(at: &JsonAt<'_>, data: &[u8]) -> Option<U256> {
    let most = |names: &[&'static str]| names.iter().filter_map(|name| quantity(at.get(name).json()?)).max();
    let gas = most(&["gas", "gasLimit"]).unwrap_or_default().max(U256::from(least(at, data)));
    most(&PRICES).map(|price| gas.saturating_mul(price))
}

/// The least gas of a transaction with this calldata, and its access list.
fn least(at: &JsonAt<'_>, data: &[u8]) -> u64 {
    let of = |byte: &u8| if *byte == 0 { ZERO_BYTE_GAS } else { BYTE_GAS };
    let mut gas = data.iter().map(of).fold(BASE_GAS, u64::saturating_add);
    for entry in at.get("accessList").items().into_iter().flatten() {
        let keys = entry.get("storageKeys").items().map_or(0, |keys| keys.len());
        let keys = LISTED_KEY_GAS.saturating_mul(u64::try_from(keys).unwrap_or(u64::MAX));
        gas = gas.saturating_add(LISTED_ADDRESS_GAS).saturating_add(keys);
    }
    gas
}

/// The most that gas may cost without a word, in wei: as much as 0.02 ether in the chain's native token, or 5 % of what the trade
/// gives, `given` wei; zero if that is not known.
pub fn plausible(chain_id: u64, given: U256) -> U256 {
    let hundredths = HUNDREDTHS.iter().find(|(known, _)| *known == chain_id).map_or(2, |(_, count)| *count);
    U256::from(HUNDREDTH).saturating_mul(U256::from(hundredths)).max(given.wrapping_div(U256::from(20)))
}
