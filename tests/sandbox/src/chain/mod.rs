//! The two chains: a node each, the contracts on them, and what the service asks them.

mod abi;
mod artifacts;
mod delegation;
#[path = "../../../shared/delta_abi.rs"]
mod delta_abi;
mod deploy;
mod dry_run;
mod funding;
mod funds;
mod gate;
mod market;
mod native;
mod node;
mod oracles;
mod owners;
mod rpc;
mod sent;
mod transaction;

use alloy_primitives::{Address, B256, address};

pub use abi::IToken;
pub use artifacts::Artifacts;
pub use delta_abi::{
    Bridge, Execution, ExternalOrder, FillableOrder, Filled, IDelta, Order, OrderCancellations, OrderSettled,
    TWAPBuyOrder, TWAPOrder,
};
pub use dry_run::Proposal;
pub use funding::{Funding, PermitKind};
pub use gate::{Delivery, Gate, IGate};
pub use market::Reserves;
pub use native::IDelegatedNative;
pub use node::Node;
pub use oracles::{BLOCKS_BACK, FEED_DECIMALS, Feed, HEARTBEAT_SECS, MEMORY_SECS, Oracles, Saying, Which, run_oracles};
pub use owners::AccountCode;
pub use rpc::{Rpc, RpcError};

/// The native token's placeholder. In requests only this casing is accepted.
pub const NATIVE: Address = address!("EeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE");
/// [`NATIVE`] as requests have to write it.
pub const NATIVE_TEXT: &str = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";
/// Collects the fee of `anon` and the protocol's part of surplus.
pub const FEE_VAULT: Address = address!("00700052c0608F670705380a4900e0a8080010CC");

/// Where Permit2 is, on every chain.
pub const PERMIT2: Address = address!("000000000022D473030F116dDEE9F6B43aC78BA3");

/// How many of the node's accounts are the users'. The others belong to the sandbox.
pub const USER_ACCOUNTS: usize = 5;
/// A price request mines a block if the last one is older than this.
const LONGEST_PAUSE_SECS: u64 = 300;
const DEPLOYER: usize = 5;
const SOLVER: usize = 6;
const MARKET_MAKER: usize = 7;
const RELAYER: usize = 8;
const KEEPER: usize = 9;

/// A token as the service lists it.
#[derive(Clone, Debug)]
pub struct Token {
    pub symbol: &'static str,
    pub name: &'static str,
    pub address: Address,
    pub decimals: u8,
    pub kind: TokenKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// With EIP-2612.
    Permit,
    /// With DAI's own permit.
    Dai,
    /// With EIP-2612 and EIP-5267, and without `approve` for accounts.
    SignOnly,
    Plain,
    /// Returns nothing, refuses to change a non-zero allowance.
    Usdt,
    /// Keeps a part of every transfer: traded on Market only, not on Delta.
    Tax,
    /// The native token itself, by its placeholder.
    Native,
}

impl Token {
    pub fn is_native(&self) -> bool {
        self.kind == TokenKind::Native
    }
}

impl TokenKind {
    pub fn text(self) -> &'static str {
        match self {
            Self::Permit => "permit",
            Self::Dai => "dai",
            Self::SignOnly => "signOnly",
            Self::Plain => "plain",
            Self::Usdt => "usdt",
            Self::Tax => "tax",
            Self::Native => "native",
        }
    }
}

/// A running node with the contracts deployed.
pub struct Chain {
    pub id: u64,
    pub name: &'static str,
    pub rpc: Rpc,
    blocks: tokio::sync::Mutex<sent::Blocks>,
    pub delta: Address,
    pub wrapped_native: Address,
    /// The native token as Delta holds it for those who sell it.
    pub delegated_native: Address,
    pub pool: Address,
    /// Fills OTC orders.
    pub rfq: Address,
    /// The solver's contract: what it trades with during a settlement.
    pub executor: Address,
    /// The market's router, version 6.2 by its interface.
    pub router: Address,
    /// The bridges' ends.
    pub gates: Vec<Gate>,
    /// The executor that the router's generic methods call.
    pub market_executor: Address,
    pub tokens: Vec<Token>,
    /// A handler of external orders that keeps the proceeds.
    pub depository: Address,
    /// A handler that exchanges deposits of a lending market.
    pub lending: Lending,
    pub account_code: AccountCode,
    pub oracles: Oracles,
    /// Every unlocked account of the node.
    pub accounts: Vec<Address>,
    /// Their keys, as the node printed them: the same on every start.
    keys: Vec<B256>,
}

/// A lending market, as far as a handler needs one.
#[derive(Clone, Debug)]
pub struct Lending {
    pub handler: Address,
    /// Tokens that stand for deposits.
    pub deposits: Vec<Deposits>,
}

/// A token that stands for another one that is deposited.
#[derive(Clone, Debug)]
pub struct Deposits {
    pub symbol: &'static str,
    pub address: Address,
    pub underlying: Address,
    pub decimals: u8,
}

impl Chain {
    pub fn token(&self, address: Address) -> Option<&Token> {
        self.tokens.iter().find(|token| token.address == address)
    }

    /// A token that Delta trades.
    pub fn delta_token(&self, address: Address) -> Option<&Token> {
        self.token(address).filter(|token| token.kind != TokenKind::Tax)
    }

    /// The asset that stands for a token: the native token is traded wrapped.
    pub fn asset(&self, token: Address) -> Address {
        if self.sells_native(token) { self.wrapped_native } else { token }
    }

    pub fn users(&self) -> &[Address] {
        &self.accounts[..USER_ACCOUNTS]
    }

    /// The keys of the users, in the same order.
    pub fn user_keys(&self) -> &[B256] {
        self.keys.get(..USER_ACCOUNTS).unwrap_or_default()
    }

    pub fn solver(&self) -> Address {
        self.accounts[SOLVER]
    }

    /// The market maker whose orders the router fills.
    pub fn market_maker(&self) -> Address {
        self.accounts[MARKET_MAKER]
    }

    /// The bridges' relayer.
    pub fn relayer(&self) -> Address {
        self.accounts[RELAYER]
    }

    fn deployer(&self) -> Address {
        self.accounts[DEPLOYER]
    }

    /// The clock of everything, in unix seconds: the time a block mined now would carry.
    ///
    /// # Errors
    /// When the node does not answer.
    pub async fn now(&self) -> Result<u64, RpcError> {
        self.block_number("pending", "timestamp").await
    }

    /// The same, and mines a block if the last one is old: a reader of block timestamps would otherwise lag as far
    /// behind.
    ///
    /// # Errors
    /// When the node does not answer.
    pub async fn shown_now(&self) -> Result<u64, RpcError> {
        let now = self.now().await?;
        if now.saturating_sub(self.block_number("latest", "timestamp").await?) > LONGEST_PAUSE_SECS {
            let _mined: serde_json::Value = self.rpc.call("evm_mine", serde_json::json!([])).await?;
        }
        Ok(now)
    }

    /// The last block's number.
    ///
    /// # Errors
    /// When the node does not answer.
    pub async fn height(&self) -> Result<u64, RpcError> {
        self.block_number("latest", "number").await
    }

    async fn block_number(&self, tag: &str, member: &str) -> Result<u64, RpcError> {
        let block: serde_json::Value = self.rpc.call("eth_getBlockByNumber", serde_json::json!([tag, false])).await?;
        let text = block[member].as_str().unwrap_or_default();
        u64::from_str_radix(text.trim_start_matches("0x"), 16)
            .map_err(|_| RpcError::malformed("eth_getBlockByNumber", &block))
    }
}
