//! The pinned references: the factory of Uniswap V3's pools and Chainlink's dollar feeds, chain by chain.
//!
//! Each value stands in at least two public sources. docs/references.md names them, and explains the omissions;
//! `tests/vectors/references.test.mjs` compares the values with lists that others keep.

use alloy_primitives::{Address, B256, address, b256};

/// Uniswap V3's factory on chains where it has its first address.
const FIRST_FACTORY: Address = address!("0x1F98431c8aD98523631AE4a59f267346ea31F984");

/// Uniswap V3's factory: chain id, address.
///
/// From Uniswap's SDK and its pages of deployments; on chain 100, which they do not have, from Oku's package of chains
/// and DefiLlama's list.
pub const FACTORIES: [(u64, Address); 9] = [
    (1, FIRST_FACTORY),
    (10, FIRST_FACTORY),
    (56, address!("0xdB1d10011AD0Ff90774D0C6Bb92e5C5c8b4461F7")),
    (100, address!("0xe32F7dD7e3f098D518ff19A22d5f028e076489B1")),
    (130, address!("0x1F98400000000000000000000000000000000003")),
    (137, FIRST_FACTORY),
    (8453, address!("0x33128a8fC17869897dcE68Ed026d694621f6FDfD")),
    (42161, FIRST_FACTORY),
    (43114, address!("0x740b1c1de25031C31FF4fC9A62f554A55cdC1baD")),
];

/// Keccak-256 of the code that creates a pool, the same for every factory of [`FACTORIES`]: CREATE2 derives a pool's
/// address from it. From Uniswap's SDK and Oku's package of chains.
pub const INIT_CODE_HASH: B256 = b256!("0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54");

/// Chainlink's feeds of dollars for a whole unit: chain id, asset, proxy, documented heartbeat in seconds. Answers have
/// [`feed_decimals`].
///
/// The asset is a symbol of `domain/asset.rs`; `BTC` serves WBTC and cbBTC, and on chain 100 `DAI` serves the native
/// token. Only assets that the table has on that chain are here. From Chainlink's own lists, and from lists that Aave,
/// Euler and others keep.
pub const FEEDS: [(u64, &str, Address, u32); 35] = [
    (1, "ETH", address!("0x5f4eC3Df9cbd43714FE2740f5E3616155c5b8419"), 3_600),
    (1, "BTC", address!("0xF4030086522a5bEEa4988F8cA5B36dbC97BeE88c"), 3_600),
    (1, "USDC", address!("0x8fFfFfd4AfB6115b954Bd326cbe7B4BA576818f6"), 82_800),
    (1, "USDT", address!("0x3E7d1eAB13ad0104d2750B8863b489D65364e32D"), 86_400),
    (1, "DAI", address!("0xAed0c38402a5d19df6E4c03F4E2DceD6e29c1ee9"), 3_600),
    (10, "ETH", address!("0x13e3Ee699D1909E989722E753853AE30b17e08c5"), 1_200),
    (10, "BTC", address!("0xD702DD976Fb76Fffc2D3963D037dfDae5b04E593"), 1_200),
    (10, "USDC", address!("0x16a9FA2FDa030272Ce99B29CF780dFA30361E0f3"), 86_400),
    (10, "USDT", address!("0xECef79E109e997bCA29c1c0897ec9d7b03647F5E"), 86_400),
    (10, "DAI", address!("0x8dBa75e83DA73cc766A7e5a0ee71F656BAb470d6"), 86_400),
    (56, "BNB", address!("0x0567F2323251f0Aab15c8dFb1967E4e8A7D42aeE"), 27),
    (56, "ETH", address!("0x9ef1B8c0E4F7dc8bF5719Ea496883DC6401d5b2e"), 60),
    (56, "USDC", address!("0x51597f405303C4377E36123cBc172b13269EA163"), 900),
    (56, "USDT", address!("0xB97Ad0E74fa7d920791E90258A6E2085088b4320"), 900),
    (100, "DAI", address!("0x678df3415fc31947dA4324eC63212874be5a82f8"), 86_400),
    (130, "ETH", address!("0xBcE70e194940a157f3A80566505a7E96f5238CCa"), 86_400),
    (130, "USDC", address!("0xbd1cD1518eFB92a92100da62D4C488c810dFd75b"), 86_400),
    (137, "POL", address!("0xAB594600376Ec9fD91F8e885dADF0CE036862dE0"), 27),
    (137, "ETH", address!("0xF9680D99D6C9589e2a93a78A04A279e509205945"), 27),
    (137, "BTC", address!("0xc907E116054Ad103354f2D350FD2514433D57F6f"), 27),
    (137, "USDC", address!("0xfE4A8cc5b5B2366C1B58Bea3858e81843581b2F7"), 27),
    (137, "USDT", address!("0x0A6513e40db6EB1b165753AD52E80663aeA50545"), 27),
    (137, "DAI", address!("0x4746DeC9e833A82EC7C2C1356372CcF2cfcD2F3D"), 27),
    (8453, "ETH", address!("0x71041dddad3595F9CEd3DcCFBe3D1F4b0a16Bb70"), 1_200),
    (8453, "BTC", address!("0x64c911996D3c6aC71f9b455B1E8E7266BcbD848F"), 1_200),
    (8453, "USDC", address!("0x7e860098F58bBFC8648a4311b374B1D669a2bc6B"), 86_400),
    (8453, "DAI", address!("0x591e79239a7d679378eC8c847e5038150364C78F"), 86_400),
    (42161, "ETH", address!("0x639Fe6ab55C921f74e7fac1ee960C0B6293ba612"), 1_755),
    (42161, "BTC", address!("0x6ce185860a4963106506C203335A2910413708e9"), 1_755),
    (42161, "USDC", address!("0x50834F3163758fcC1Df9973b6e91f0F0F0434aD3"), 255),
    (42161, "USDT", address!("0x3f3f5dF88dC9F13eac63DF89EC16ef6e7E25DdE7"), 255),
    (42161, "DAI", address!("0xc5C8E77B397E531B8EC06BFb0048328B30E9eCfB"), 86_400),
    (43114, "AVAX", address!("0x0A77230d17318075983913bC2145DB16C7366156"), 120),
    (43114, "USDC", address!("0xF096872672F44d6EBA71458D74fe67F9a77a23B9"), 86_400),
    (43114, "USDT", address!("0xEBE676ee90Fe1112671f19b6B7459bC678B67e8a"), 86_400),
];

/// How many blocks back the depth of pools is checked, and the usual time of a block: chain id, blocks, milliseconds.
/// Five minutes if they are less than [`MOST_BACK`].
const BLOCKS: [(u64, u64, u64); 9] = [
    (1, 25, 12_000),
    (10, MOST_BACK, 2_000),
    (56, MOST_BACK, 450),
    (100, 60, 5_000),
    (130, MOST_BACK, 1_000),
    (137, MOST_BACK, 2_000),
    (8453, MOST_BACK, 2_000),
    (42161, MOST_BACK, 250),
    (43114, MOST_BACK, 2_000),
];
/// The most blocks back. Nodes that keep no archive have the state of 128.
pub const MOST_BACK: u64 = 120;

/// How many blocks back a chain is checked, and the milliseconds of a block; `None` for a chain that is not pinned.
pub fn blocks_of(chain_id: u64) -> Option<(u64, u64)> {
    BLOCKS.iter().find(|(id, ..)| *id == chain_id).map(|(_, back, ms)| (*back, *ms))
}

/// The decimals of the answers of a chain's feeds.
pub const fn feed_decimals(chain_id: u64) -> u8 {
    if chain_id == 130 { 18 } else { 8 }
}
