//! Keeper of pools and feeds: many calls in one.

use alloy_primitives::{Address, Bytes, U256};
use alloy_sol_types::{SolCall, sol};
use serde_json::json;

use crate::chain::transaction::mined;
use crate::chain::{Chain, KEEPER, RpcError};

/// For any of its transactions.
const GAS: u64 = 16_000_000;

sol! {
    /// See `contracts/reference`.
    interface IKeeper {
        function run(address[] targets, bytes[] calls) external returns (bytes[] answers);
    }

    interface IOracleFactory {
        function createPool(address tokenA, address tokenB, uint24 fee) external returns (address pool);
    }

    struct Segment {
        uint32 ago;
        int24 tick;
        uint128 liquidity;
    }

    interface IOraclePool {
        function move(int24 tick, uint128 amount) external;
        function restart(Segment[] history) external;
        function narrow(bool toNarrow);
        function increaseObservationCardinalityNext(uint16 next) external;
        function slot0() external view returns (
            uint160 sqrtPriceX96, int24 tick, uint16 index, uint16 cardinality, uint16 next, uint8 protocol, bool unlocked
        );
    }

    interface IAggregator {
        function set(int256 newAnswer, uint8 newDecimals, uint256 secondsOld) external;
        function latestRoundData() external view returns (
            uint80 roundId, int256 price, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound
        );
    }
}

/// Calls that the keeper carries out together.
#[derive(Clone, Default)]
pub(super) struct Batch(Vec<Address>, Vec<Bytes>);

impl Batch {
    pub(super) fn add<C: SolCall>(&mut self, target: Address, call: &C) {
        self.0.push(target);
        self.1.push(call.abi_encode().into());
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn call(self) -> IKeeper::runCall {
        IKeeper::runCall { targets: self.0, calls: self.1 }
    }
}

impl Chain {
    /// Sends what the keeper has to do, and waits until it is done.
    pub(super) async fn keep(&self, batch: Batch) -> Result<(), RpcError> {
        let data: Bytes = batch.call().abi_encode().into();
        let keeper = self.accounts[KEEPER];
        let transaction = json!({"from": keeper, "to": self.oracles.keeper, "data": data, "gas": U256::from(GAS)});
        mined(&self.rpc, self.rpc.send(transaction).await?).await.map(drop)
    }

    /// Reads with many calls, at the latest block; their answers.
    pub(super) async fn read_all(&self, batch: Batch) -> Result<Vec<Bytes>, RpcError> {
        let call = json!({
            "from": self.accounts[KEEPER],
            "to": self.oracles.keeper,
            "data": Bytes::from(batch.call().abi_encode()),
        });
        let answer: Bytes = self.rpc.call("eth_call", json!([call, "latest"])).await?;
        IKeeper::runCall::abi_decode_returns(&answer).map_err(|_| RpcError::malformed("eth_call", &json!(answer)))
    }
}
