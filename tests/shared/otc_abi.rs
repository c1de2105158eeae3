//! The RFQ contract as its orders and calls are written in Solidity: hashed and encoded by a library, for the sandbox and
//! for the tests that hold `src` against it. `tests/sandbox/contracts/otc/` has the code.

use alloy_sol_types::sol;

sol! {
    #![sol(all_derives)]

    /// The signed order, in the order of its EIP-712 members.
    struct Order {
        uint256 nonceAndMeta;
        uint128 expiry;
        address makerAsset;
        address takerAsset;
        address maker;
        address taker;
        uint256 makerAmount;
        uint256 takerAmount;
    }

    struct OrderInfo {
        Order order;
        bytes signature;
        uint256 takerTokenFillAmount;
        bytes permitTakerAsset;
        bytes permitMakerAsset;
    }

    event OrderFilled(
        bytes32 indexed orderHash,
        address indexed maker,
        address makerAsset,
        uint256 makerAmount,
        address indexed taker,
        address takerAsset,
        uint256 takerAmount
    );

    event OrderCancelled(bytes32 indexed orderHash, address indexed maker);

    interface IRfq {
        function fillOrder(Order order, bytes signature) external;
        function fillOrderWithTarget(Order order, bytes signature, address target) external;
        function partialFillOrder(Order order, bytes signature, uint256 takerTokenFillAmount)
            external returns (uint256);
        function partialFillOrderWithTarget(
            Order order, bytes signature, uint256 takerTokenFillAmount, address target
        ) external returns (uint256);
        function partialFillOrderWithTargetPermit(
            Order order,
            bytes signature,
            uint256 takerTokenFillAmount,
            address target,
            bytes permitTakerAsset,
            bytes permitMakerAsset
        ) external returns (uint256);
        function batchFillOrderWithTarget(OrderInfo[] orderInfos, address target) external;
        function tryBatchFillOrderTakerAmount(OrderInfo[] orderInfos, uint256 takerFillAmount, address target) external;
        function tryBatchFillOrderMakerAmount(OrderInfo[] orderInfos, uint256 makerFillAmount, address target) external;
        function cancelOrder(bytes32 orderHash) external;
        function cancelOrders(bytes32[] orderHashes) external;
        function remaining(address maker, bytes32 orderHash) external view returns (uint256);
        function getRemainingOrderBalance(address maker, bytes32[] orderHashes)
            external view returns (uint256[] balances);
    }

    interface IEip1271 {
        function isValidSignature(bytes32 digest, bytes signature) external view returns (bytes4);
    }
}
