//! Price oracles on a chain: pools that remember their prices, and feeds. Both follow the market of the sandbox.

mod keeper;
mod market;
mod saying;

use std::collections::HashMap;

use alloy_primitives::aliases::U24;
use alloy_primitives::{Address, B256, Bytes, U256, keccak256};
use alloy_sol_types::SolValue;

use self::keeper::{Batch, IOracleFactory, IOraclePool};
use super::transaction::transact;
use super::{Artifacts, Chain, Rpc, RpcError, Token, TokenKind};
use crate::Trouble;

pub use self::market::run_oracles;
pub use self::saying::{Saying, Which};

/// Digits of a feed's answer.
pub const FEED_DECIMALS: u8 = 8;
/// A feed's answer that is older is no price any more.
pub const HEARTBEAT_SECS: u64 = 3_600;
/// In how many blocks before the latest one pools are what they were set to be.
pub const BLOCKS_BACK: u32 = 2;
/// How far back a fresh pool remembers.
pub const MEMORY_SECS: u32 = 3_600;
/// How many observations a pool keeps.
const CARDINALITY: u16 = 2_000;
/// The usual pools' fee, in millionths.
const FEE: u16 = 500;
/// One more pool of the native token and the first dollar: its fee, and how much shallower it is.
const SECOND_FEE: u16 = 3_000;
const SECOND_DIVISOR: u8 = 3;
/// Tokens that are worth a dollar for the references, and have a feed.
const DOLLARS: [&str; 3] = ["USDC", "DAI", "USDT"];
/// So many fit into a transaction, which must not use more gas than 2^24 (EIP-7825).
const POOLS_AT_ONCE: usize = 8;

/// The oracles of a chain.
pub struct Oracles {
    keeper: Address,
    pub factory: Address,
    pub init_code_hash: B256,
    pub pools: Vec<OraclePool>,
    pub feeds: Vec<Feed>,
    /// One change at a time; in it what does not follow the market, because it was set to its own state.
    state: tokio::sync::Mutex<State>,
}

#[derive(Clone, Copy, Debug)]
pub struct OraclePool {
    pub address: Address,
    /// Sorted.
    pub tokens: [Address; 2],
    fee: u16,
}

#[derive(Clone, Copy, Debug)]
pub struct Feed {
    pub address: Address,
    /// The placeholder for the native token.
    pub token: Address,
}

#[derive(Default)]
struct State {
    /// By its address the code that a contract had, if it was taken away.
    held: HashMap<Address, Option<Bytes>>,
    /// Whether a pool was set to a price since all began, or began again.
    has_moved: bool,
    /// The last block that was looked at.
    height: u64,
}

impl Oracles {
    /// Deploys the pools' keeper and the feeds, and works out the addresses of pools to come.
    ///
    /// # Errors
    /// When an artifact is missing or the node refuses.
    pub async fn deploy(
        rpc: &Rpc,
        operator: Address,
        artifacts: &Artifacts,
        tokens: &[Token],
    ) -> Result<Self, Trouble> {
        let create = async |contract: &str, arguments: Vec<u8>| -> Result<Address, Trouble> {
            let code = [artifacts.bytecode(contract)?.as_ref(), &arguments].concat();
            let receipt = transact(rpc, operator, None, Bytes::from(code), U256::ZERO).await?;
            receipt.created.ok_or_else(|| Trouble::new(format!("{contract} was not created")))
        };
        let keeper = create("Keeper", Vec::new()).await?;
        let factory = create("OracleFactory", keeper.abi_encode()).await?;
        let init_code_hash = keccak256(artifacts.bytecode("OraclePool")?);
        let mut feeds = Vec::new();
        for token in tokens.iter().filter(|token| token.is_native() || is_dollar(token)) {
            let arguments = (format!("{} / USD", token.symbol), keeper).abi_encode_params();
            feeds.push(Feed { address: create("Aggregator", arguments).await?, token: token.address });
        }
        // Only the service's word gives the price of the taxed token.
        let untold = [TokenKind::Native, TokenKind::Tax];
        let traded: Vec<&Token> = tokens.iter().filter(|token| !untold.contains(&token.kind)).collect();
        let pool = |a: &Token, b: &Token, fee: u16| {
            let tokens = [a.address.min(b.address), a.address.max(b.address)];
            let salt = keccak256((tokens[0], tokens[1], U256::from(fee)).abi_encode());
            OraclePool { address: factory.create2(salt, init_code_hash), tokens, fee }
        };
        let mut pools = Vec::new();
        for (index, a) in traded.iter().enumerate() {
            for b in traded[..index].iter().filter(|b| is_hub(a) || is_hub(b)) {
                pools.push(pool(a, b, FEE));
            }
        }
        let of = |symbol: &str| traded.iter().find(|token| token.symbol == symbol).copied();
        pools.extend(of("WETH").zip(of(DOLLARS[0])).map(|(weth, dollar)| pool(weth, dollar, SECOND_FEE)));
        Ok(Self { keeper, factory, init_code_hash, pools, feeds, state: tokio::sync::Mutex::default() })
    }
}

fn is_dollar(token: &Token) -> bool {
    DOLLARS.contains(&token.symbol)
}

/// Whether references price other tokens in it.
fn is_hub(token: &Token) -> bool {
    is_dollar(token) || token.symbol == "WETH"
}

impl OraclePool {
    fn is_about(&self, token: Option<Address>) -> bool {
        token.is_none_or(|token| self.tokens.contains(&token))
    }
}

impl Chain {
    /// The tokens that the references take for a dollar.
    pub fn dollars(&self) -> impl Iterator<Item = &Token> {
        self.tokens.iter().filter(|token| is_dollar(token))
    }

    /// Creates the pools, with a history.
    pub(super) async fn open_oracles(&self) -> Result<(), RpcError> {
        for pools in self.oracles.pools.chunks(POOLS_AT_ONCE) {
            let mut batch = Batch::default();
            for OraclePool { address, tokens: [a, b], fee } in pools {
                let create = IOracleFactory::createPoolCall { tokenA: *a, tokenB: *b, fee: U24::from(*fee) };
                batch.add(self.oracles.factory, &create);
                batch.add(*address, &IOraclePool::increaseObservationCardinalityNextCall { next: CARDINALITY });
            }
            self.keep(batch).await?;
        }
        self.tell_oracles(Saying::Fresh, Which::ALL).await
    }
}
