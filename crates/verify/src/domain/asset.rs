//! Tokens that are one asset on several chains.
//!
//! This table, never a number that the service states, decides whether a bridge delivers the same asset that enters it
//! (docs/verification.md, "Across chains"). An application adds to it by `bridgeTokens` ([`super::bridge_tokens`]).
//!
//! Every row stands in two public lists with the same addresses and decimals: the constants of the Across bridge and
//! Uniswap's default token list. `tests/vectors/assets.test.mjs` compares them (cbBTC: Uniswap's list and the issuer's
//! page). Left out on purpose are bridged tokens with a similar name (USDC.e, USDbC, DAI.e): these are other assets.

use super::token::{NATIVE, is_native};
use alloy_primitives::{Address, address};

/// An asset with its tokens on all chains.
#[derive(Debug, PartialEq, Eq)]
pub struct Asset {
    /// Its usual ticker. For the name of its token on a chain see [`name`].
    pub symbol: &'static str,
    /// Whether it is a stablecoin; one whole unit then counts as one dollar.
    pub is_dollar: bool,
    /// Its tokens: chain id, address, decimals. One chain can have two, the native token and its wrapped form.
    pub tokens: &'static [(u64, Address, u8)],
}

/// The decimals of every chain's native token.
const NATIVE_DECIMALS: u8 = 18;
/// WETH on the chains of the OP stack, where it is predeployed.
const OP_WETH: Address = address!("0x4200000000000000000000000000000000000006");
/// DAI on chains 10 and 42161.
const L2_DAI: Address = address!("0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1");
/// Ether on chain 56, which its issuer calls ETH.
const BNB_CHAIN_ETH: Address = address!("0x2170Ed0880ac9A755fd29B2688956BD959F933F8");

/// The whole table. A chain's native token is in the row of its wrapped form.
pub const ASSETS: [Asset; 9] = [
    Asset {
        symbol: "USDC",
        is_dollar: true,
        tokens: &[
            (1, address!("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"), 6),
            (10, address!("0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85"), 6),
            (56, address!("0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d"), 18),
            (130, address!("0x078D782b760474a361dDA0AF3839290b0EF57AD6"), 6),
            (137, address!("0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359"), 6),
            (8453, address!("0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"), 6),
            (42161, address!("0xaf88d065e77c8cC2239327C5EDb3A432268e5831"), 6),
            (43114, address!("0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E"), 6),
        ],
    },
    Asset {
        symbol: "USDT",
        is_dollar: true,
        tokens: &[
            (1, address!("0xdAC17F958D2ee523a2206206994597C13D831ec7"), 6),
            (10, address!("0x94b008aA00579c1307B0EF2c499aD98a8ce58e58"), 6),
            (56, address!("0x55d398326f99059fF775485246999027B3197955"), 18),
            (130, address!("0x9151434b16b9763660705744891fA906F660EcC5"), 6),
            (137, address!("0xc2132D05D31c914a87C6611C10748AEb04B58e8F"), 6),
            (42161, address!("0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9"), 6),
            (43114, address!("0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7"), 6),
        ],
    },
    Asset {
        symbol: "DAI",
        is_dollar: true,
        tokens: &[
            (1, address!("0x6B175474E89094C44Da98b954EedeAC495271d0F"), 18),
            (10, L2_DAI, 18),
            (137, address!("0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063"), 18),
            (8453, address!("0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb"), 18),
            (42161, L2_DAI, 18),
        ],
    },
    Asset {
        symbol: "ETH",
        is_dollar: false,
        tokens: &[
            (1, NATIVE, 18),
            (1, address!("0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"), 18),
            (10, NATIVE, 18),
            (10, OP_WETH, 18),
            (56, BNB_CHAIN_ETH, 18),
            (130, NATIVE, 18),
            (130, OP_WETH, 18),
            (137, address!("0x7ceB23fD6bC0adD59E62ac25578270cFf1b9f619"), 18),
            (8453, NATIVE, 18),
            (8453, OP_WETH, 18),
            (42161, NATIVE, 18),
            (42161, address!("0x82aF49447D8a07e3bd95BD0d56f35241523fBab1"), 18),
        ],
    },
    Asset {
        symbol: "BNB",
        is_dollar: false,
        tokens: &[(56, NATIVE, 18), (56, address!("0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c"), 18)],
    },
    Asset {
        symbol: "POL",
        is_dollar: false,
        tokens: &[(137, NATIVE, 18), (137, address!("0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270"), 18)],
    },
    Asset {
        symbol: "AVAX",
        is_dollar: false,
        tokens: &[(43114, NATIVE, 18), (43114, address!("0xB31f66AA3C1e785363F0875A1B74E27b85FD66c7"), 18)],
    },
    Asset {
        symbol: "WBTC",
        is_dollar: false,
        tokens: &[
            (1, address!("0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599"), 8),
            (10, address!("0x68f180fcCe6836688e9084f035309E29Bf0A2095"), 8),
            (137, address!("0x1BFD67037B42Cf73acF2047067bd4F2C47D9BfD6"), 8),
            (42161, address!("0x2f2a2543B76A4166549F7aaB2e75Bef0aefC5B0f"), 8),
        ],
    },
    Asset {
        symbol: "cbBTC",
        is_dollar: false,
        tokens: &[
            (1, address!("0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf"), 8),
            (8453, address!("0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf"), 8),
        ],
    },
];

/// The asset of a chain's token, and the token's decimals; `None` for a token that the table does not have.
///
/// ```
/// use verified_swap_verify::internal::domain::asset;
/// let usdc = "0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d".parse().unwrap();
/// assert_eq!(asset::of(56, usdc).map(|(asset, decimals)| (asset.symbol, decimals)), Some(("USDC", 18)));
/// assert_eq!(asset::of(1, usdc), None);
/// ```
pub fn of(chain_id: u64, token: Address) -> Option<(&'static Asset, u8)> {
    ASSETS.iter().find_map(|asset| {
        let found = asset.tokens.iter().find(|(chain, address, _)| (*chain, *address) == (chain_id, token));
        found.map(|(_, _, decimals)| (asset, *decimals))
    })
}

/// The decimals of a token of the table, and of any chain's native token, whatever a caller or a node states. `None`
/// for a token whose own contract has to be read.
///
/// ```
/// use verified_swap_verify::internal::domain::asset::decimals;
/// use verified_swap_verify::internal::domain::token::NATIVE;
/// let usdc = "0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d".parse().unwrap();
/// assert_eq!((decimals(56, usdc), decimals(1, usdc), decimals(31337, NATIVE)), (Some(18), None, Some(18)));
/// ```
pub fn decimals(chain_id: u64, token: Address) -> Option<u8> {
    if is_native(token) { Some(NATIVE_DECIMALS) } else { of(chain_id, token).map(|(_, decimals)| decimals) }
}

/// The name of a token of the table: the ticker of its row; `W` before it for the ERC-20 form of a native token. `None`
/// for a token that the table does not have.
///
/// ```
/// use verified_swap_verify::internal::domain::asset::{name, wrapped_native};
/// use verified_swap_verify::internal::domain::token::NATIVE;
/// assert_eq!((name(137, NATIVE), name(137, wrapped_native(137).unwrap())), (Some("POL".into()), Some("WPOL".into())));
/// let ether = "0x7ceB23fD6bC0adD59E62ac25578270cFf1b9f619".parse().unwrap();
/// assert_eq!((name(137, ether), name(1, ether)), (Some("WETH".into()), None));
/// let ether = "0x2170Ed0880ac9A755fd29B2688956BD959F933F8".parse().unwrap();
/// assert_eq!(name(56, ether), Some("ETH".into()));
/// ```
pub fn name(chain_id: u64, token: Address) -> Option<String> {
    let (asset, _) = of(chain_id, token)?;
    let is_native_somewhere = asset.tokens.iter().any(|(_, token, _)| *token == NATIVE);
    let is_wrapped = is_native_somewhere && ![NATIVE, BNB_CHAIN_ETH].contains(&token);
    Some([if is_wrapped { "W" } else { "" }, asset.symbol].concat())
}

/// Whether two tokens, each with its chain, are one asset: both in one row of the table.
///
/// ```
/// use verified_swap_verify::internal::domain::asset::{ASSETS, is_same};
/// for one in &ASSETS {
///     for other in &ASSETS {
///         let ((chain, token, _), (there, arrives, _)) = (one.tokens[0], other.tokens[1]);
///         assert_eq!(is_same((chain, token), (there, arrives)), one == other, "{} {}", one.symbol, other.symbol);
///     }
/// }
/// ```
pub fn is_same((from_chain, from): (u64, Address), (to_chain, to): (u64, Address)) -> bool {
    of(from_chain, from).is_some_and(|(asset, _)| of(to_chain, to).is_some_and(|(other, _)| other == asset))
}

/// WXDAI on chain 100. Neither list has it, so no row does; it is needed only as that chain's wrapped native token.
const GNOSIS_WRAPPED: Address = address!("0xe91D153E0b41518A2Ce8Dd3D7944Fa863463a97d");

/// The ERC-20 form of a chain's native token (WETH and its like); `None` if none is known on the chain.
///
/// ```
/// use verified_swap_verify::internal::domain::asset::{is_same, wrapped_native};
/// let native = verified_swap_verify::internal::domain::token::NATIVE;
/// let weth = wrapped_native(1).unwrap();
/// assert!(weth != native && is_same((1, weth), (1, native)));
/// assert_eq!(wrapped_native(31337), None);
/// ```
pub fn wrapped_native(chain_id: u64) -> Option<Address> {
    let here = |asset: &Asset, native: bool| {
        let mut tokens = asset.tokens.iter().filter(|(chain, ..)| *chain == chain_id);
        tokens.find(|(_, token, _)| (*token == NATIVE) == native).map(|(_, token, _)| *token)
    };
    let row = ASSETS.iter().find(|asset| here(asset, true).is_some());
    row.and_then(|asset| here(asset, false)).or((chain_id == 100).then_some(GNOSIS_WRAPPED))
}
