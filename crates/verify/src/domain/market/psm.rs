//! Maker's peg stability modules (PSM): contracts that exchange two stablecoins at a fixed price.
//!
//! The router calls whatever module its arguments name, computes the amount to request from the `toll` and the factor
//! in its arguments, and does not compare the result with `toAmount`. So all three are checked here, the module against
//! a list.

use crate::domain::product::product;
use alloy_primitives::{Address, U256, address};

/// 100 % in the unit of a toll: 10^18.
const WAD: U256 = U256::from_limbs([1_000_000_000_000_000_000, 0, 0, 0]);

const DAI: Address = address!("0x6B175474E89094C44Da98b954EedeAC495271d0F");
const USDS: Address = address!("0xdC035D45d973E3EC169d2276DDab16f1e407384F");
const USDC: Address = address!("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48");
const USDP: Address = address!("0x8E870D67F660D95d5be530380D0eC0bd388289E1");

/// The modules on chain 1: contract, and the two tokens that it exchanges.
const MODULES: [(Address, Address, Address); 4] = [
    (address!("0x89B78CfA322F6C5dE0aBcEecab66Aee45393cC5A"), USDC, DAI),
    (address!("0x961Ae24a1Ceba861D1FDf723794f6024Dc5485Cf"), USDP, DAI),
    (address!("0xf6e72Db5454dd049d0788e411b06CfAF16853042"), USDC, DAI),
    (address!("0xA188EEC8F81263234dA3622A406892F3D630f98c"), USDC, USDS),
];

/// Whether the router can sell `src` for `dest` to a module. Only for DAI does it call a module to buy the other token;
/// any other `src` it pays in as that other token, so USDS cannot be sold.
pub fn sells(src: Address, dest: Address) -> bool {
    (src, dest) != (USDS, USDC)
}

/// Whether `exchange` is a known module for these two tokens, in either direction. Refuses a contract that takes the
/// tokens and delivers nothing.
pub fn trades(chain_id: u64, exchange: Address, src: Address, dest: Address) -> bool {
    let holds = |(module, gem, stable): &(Address, Address, Address)| {
        *module == exchange && ((*gem, *stable) == (src, dest) || (*stable, *gem) == (src, dest))
    };
    chain_id == 1 && MODULES.iter().any(holds)
}

/// Whether the router, for `from` raw units sold, requests at least `to` from the module. For DAI it requests
/// `floor(from x 10^18 / ((10^18 + toll) x factor))`, so a lying `toll` or `factor` would leave less. Any other token
/// it pays in whole, at the module's own price.
pub fn suffices(src: Address, from: &U256, to: &U256, toll: U256, factor: &U256) -> bool {
    src != DAI || product(&[from, &WAD]) >= product(&[to, &WAD.saturating_add(toll), factor])
}
