//! Brings a fresh node to the state the service needs: contracts, liquidity, funded users.

use alloy_primitives::{Address, Bytes, U256};
use alloy_sol_types::SolValue;
use serde_json::json;

use super::IDelta;
use super::abi::{IPool, ISolver, IToken};
use super::transaction::transact;
use super::{
    AccountCode, Artifacts, Chain, DEPLOYER, Deposits, FEE_VAULT, Gate, IDelegatedNative, KEEPER, Lending, NATIVE,
    Node, Oracles, PERMIT2, RELAYER, Rpc, RpcError, Token, TokenKind,
};
use crate::Trouble;
use crate::bridge::PROTOCOLS;

/// The chain that also has a bridged dollar with 18 decimals.
const BRIDGED_ON: u64 = 31338;

/// Whole dollar tokens on each side of a pair, and the price of one ether.
pub(super) const DOLLARS_PER_PAIR: u64 = 30_000_000;
const DOLLARS_PER_ETHER: u64 = 3_000;
/// The solver's stock of each token, to lend to external orders.
const SOLVER_DOLLARS: u64 = 3_000_000;
/// Funds of each user.
const USER_DOLLARS: u64 = 10_000;
const USER_WRAPPED: u64 = 5;

impl Chain {
    /// Deploys everything to a fresh node.
    ///
    /// # Errors
    /// When an artifact is missing or the node refuses.
    pub async fn deploy(id: u64, name: &'static str, node: &Node, artifacts: &Artifacts) -> Result<Self, Trouble> {
        let rpc = Rpc::new(node.port());
        let keys = node.keys().to_vec();
        let accounts: Vec<Address> = rpc.call("eth_accounts", json!([])).await?;
        if accounts.len() <= KEEPER {
            return Err(Trouble::new(format!("the node has only {} accounts", accounts.len())));
        }
        let deployer = accounts[DEPLOYER];
        let create = async |contract: &str, arguments: Vec<u8>| -> Result<Address, Trouble> {
            let code = [artifacts.bytecode(contract)?.as_ref(), &arguments].concat();
            let receipt = transact(&rpc, deployer, None, Bytes::from(code), U256::ZERO).await?;
            receipt.created.ok_or_else(|| Trouble::new(format!("{contract} was not created")))
        };
        let named = |name: &str, symbol: &str, decimals: u8| (name, symbol, U256::from(decimals)).abi_encode_params();

        let wrapped = create("WrappedNative", ("Wrapped Ether", "WETH").abi_encode_params()).await?;
        let usdc = create("PermitToken", named("USD Coin", "USDC", 6)).await?;
        let dai = create("DaiToken", named("Dai Stablecoin", "DAI", 18)).await?;
        let usdt = create("TetherToken", named("Tether USD", "USDT", 6)).await?;
        let sign_only = create("SignOnlyToken", named("Permit Dollar", "PUSD", 6)).await?;
        let permit2 = create("Permit2", Vec::new()).await?;
        place(&rpc, permit2, PERMIT2).await?;
        let delegated = create("DelegatedNative", ("Delta Ether", "dETH").abi_encode_params()).await?;
        let delta = create("Delta", (wrapped, delegated, FEE_VAULT).abi_encode_params()).await?;
        let pool = create("Pool", Vec::new()).await?;
        let rfq = create("Rfq", Vec::new()).await?;
        let executor = create("Solver", (delta, pool).abi_encode_params()).await?;
        let depository = create("Depository", delta.abi_encode()).await?;
        let account_code = AccountCode {
            wallet: artifacts.bytecode("Wallet")?,
            delegate: create("Delegate", false.abi_encode()).await?,
            compact_delegate: create("Delegate", true.abi_encode()).await?,
        };
        let tax = create("TaxToken", named("Taxed Token", "TAX", 18)).await?;
        let router = create("Router", (pool, wrapped, FEE_VAULT, rfq).abi_encode_params()).await?;
        let market_executor = create("Executor", pool.abi_encode()).await?;

        let token = |symbol, name, address, decimals, kind| Token { symbol, name, address, decimals, kind };
        let mut tokens = vec![
            token("USDC", "USD Coin", usdc, 6, TokenKind::Permit),
            token("DAI", "Dai Stablecoin", dai, 18, TokenKind::Dai),
            token("USDT", "Tether USD", usdt, 6, TokenKind::Usdt),
            token("ETH", "Ether", NATIVE, 18, TokenKind::Native),
            token("WETH", "Wrapped Ether", wrapped, 18, TokenKind::Plain),
            token("PUSD", "Permit Dollar", sign_only, 6, TokenKind::SignOnly),
            token("TAX", "Taxed Token", tax, 18, TokenKind::Tax),
        ];
        let mut gates = Vec::new();
        for protocol in &PROTOCOLS {
            let address = create("Gate", (delta, accounts[RELAYER], pool, wrapped).abi_encode_params()).await?;
            gates.push(Gate { selector: protocol.selector, address });
        }
        let mut deposits = Vec::new();
        for (name, symbol, decimals, underlying) in
            [("Deposited USD Coin", "aUSDC", 6, usdc), ("Deposited Dai Stablecoin", "aDAI", 18, dai)]
        {
            let arguments = (name, symbol, U256::from(decimals), underlying).abi_encode_params();
            let address = create("InterestToken", arguments).await?;
            deposits.push(Deposits { symbol, address, underlying, decimals });
        }
        let addresses: Vec<Address> = deposits.iter().map(|deposits| deposits.address).collect();
        let handler = create("CollateralSwap", (delta, addresses).abi_encode_params()).await?;
        // After all that has the same address on both chains.
        if id == BRIDGED_ON {
            let bridged = create("PlainToken", named("Bridged USD Coin", "USDB", 18)).await?;
            tokens.push(token("USDB", "Bridged USD Coin", bridged, 18, TokenKind::Plain));
        }
        let oracles = Oracles::deploy(&rpc, accounts[KEEPER], artifacts, &tokens).await?;
        let chain = Self {
            blocks: tokio::sync::Mutex::default(),
            id,
            name,
            rpc,
            delta,
            wrapped_native: wrapped,
            delegated_native: delegated,
            pool,
            rfq,
            executor,
            depository,
            lending: Lending { handler, deposits },
            account_code,
            oracles,
            router,
            gates,
            market_executor,
            tokens,
            accounts,
            keys,
        };
        chain.appoint_solver().await?;
        chain.fill_pool().await?;
        chain.open_oracles().await?;
        chain.fund_users().await?;
        Ok(chain)
    }

    fn erc20s(&self) -> impl Iterator<Item = &Token> {
        self.tokens.iter().filter(|token| token.kind != TokenKind::Native)
    }

    async fn appoint_solver(&self) -> Result<(), RpcError> {
        let appoint = IDelta::setAgentCall { agent: self.solver(), allowed: true };
        self.write(self.deployer(), self.delta, appoint).await?;
        let access = IDelegatedNative::setDelegateCall { contractWithAccess: self.delta };
        self.write(self.deployer(), self.delegated_native, access).await?;
        for Gate { selector, address } in &self.gates {
            let set = IDelta::setGateCall { selector: *selector, gate: *address };
            self.write(self.deployer(), self.delta, set).await?;
        }
        for token in self.erc20s() {
            self.write(self.deployer(), self.executor, ISolver::enableCall { token: token.address }).await?;
            let is_weth = token.address == self.wrapped_native;
            let stock =
                units(if is_weth { SOLVER_DOLLARS / DOLLARS_PER_ETHER } else { SOLVER_DOLLARS }, token.decimals);
            self.give(token.address, self.executor, stock).await?;
        }
        Ok(())
    }

    /// A pair of every two tokens.
    async fn fill_pool(&self) -> Result<(), RpcError> {
        let deployer = self.deployer();
        let tokens: Vec<_> = self.erc20s().collect();
        for (index, a) in tokens.iter().enumerate() {
            let pairs = U256::from(tokens.len() - 1);
            self.give(a.address, deployer, self.per_pair(a) * pairs).await?;
            let approve = IToken::approveCall { spender: self.pool, value: U256::MAX };
            self.write(deployer, a.address, approve).await?;
            for b in &tokens[..index] {
                let (amount_a, amount_b) = (self.per_pair(a), self.per_pair(b));
                let add = IPool::addCall { a: a.address, b: b.address, amountA: amount_a, amountB: amount_b };
                self.write(deployer, self.pool, add).await?;
            }
        }
        Ok(())
    }

    fn per_pair(&self, token: &Token) -> U256 {
        let is_weth = token.address == self.wrapped_native;
        units(if is_weth { DOLLARS_PER_PAIR / DOLLARS_PER_ETHER } else { DOLLARS_PER_PAIR }, token.decimals)
    }

    async fn fund_users(&self) -> Result<(), RpcError> {
        for user in self.users() {
            for token in self.erc20s() {
                let is_weth = token.address == self.wrapped_native;
                let amount = units(if is_weth { USER_WRAPPED } else { USER_DOLLARS }, token.decimals);
                self.give(token.address, *user, amount).await?;
            }
        }
        Ok(())
    }
}

/// Puts the code of a contract at another address. Storage that its constructor wrote is not copied.
async fn place(rpc: &Rpc, from: Address, to: Address) -> Result<(), RpcError> {
    let code: Bytes = rpc.call("eth_getCode", json!([from, "latest"])).await?;
    let _done: Option<serde_json::Value> = rpc.call("anvil_setCode", json!([to, code])).await?;
    Ok(())
}

/// `whole` tokens in raw units.
fn units(whole: u64, decimals: u8) -> U256 {
    U256::from(whole) * U256::from(10).pow(U256::from(decimals))
}
