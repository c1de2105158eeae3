//! Maker's stability modules: contracts that exchange two stablecoins at a fixed price. The router trusts the one it is
//! told, and computes what it asks of it by the `toll` and the factor it is told: it compares nothing with the least
//! amount.

use crate::domain::product::product;
use alloy_primitives::{Address, U256, address};

/// 100 % of a toll.
const WAD: U256 = U256::from_limbs([1_000_000_000_000_000_000, 0, 0, 0]);

const DAI: Address = address!("0x6B175474E89094C44Da98b954EedeAC495271d0F");
const USDS: Address = address!("0xdC035D45d973E3EC169d2276DDab16f1e407384F");
const USDC: Address = address!("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48");
const USDP: Address = address!("0x8E870D67F660D95d5be530380D0eC0bd388289E1");

/// The modules on chain 1, with what they exchange.
const MODULES: [(Address, Address, Address); 4] = [
    (address!("0x89B78CfA322F6C5dE0aBcEecab66Aee45393cC5A"), USDC, DAI),
    (address!("0x961Ae24a1Ceba861D1FDf723794f6024Dc5485Cf"), USDP, DAI),
    (address!("0xf6e72Db5454dd049d0788e411b06CfAF16853042"), USDC, DAI),
    (address!("0xA188EEC8F81263234dA3622A406892F3D630f98c"), USDC, USDS),
];

/// Whether the router can sell the one for the other to a module: it asks for coins in exchange for DAI alone, and
/// gives anything else as such a coin.
pub fn sells(src: Address, dest: Address) -> bool {
    (src, dest) != (USDS, USDC)
}

/// Whether that contract is a known module for these two, in either direction.
pub fn trades(chain_id: u64, exchange: Address, src: Address, dest: Address) -> bool {
    let holds = |(module, gem, stable): &(Address, Address, Address)| {
        *module == exchange && ((*gem, *stable) == (src, dest) || (*stable, *gem) == (src, dest))
    };
    chain_id == 1 && MODULES.iter().any(holds)
}

/// Whether the router asks the module for at least `to` where `from` is sold. `floor(from x 10^18 / ((10^18 + toll) x
/// factor))` is what it asks for in exchange for DAI; of any other coin it gives all, and the module itself has the
/// price.
pub fn suffices(src: Address, from: &U256, to: &U256, toll: U256, factor: &U256) -> bool {
    src != DAI || product(&[from, &WAD]) >= product(&[to, &WAD.saturating_add(toll), factor])
}
