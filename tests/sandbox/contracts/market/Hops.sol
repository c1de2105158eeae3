// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

/// The `pools` of the Uniswap methods, read into the path a trade takes.
///
/// V2: 64 bytes a hop, two tokens of 20 bytes in order of their addresses, zeros, the last byte 1 where the trade goes
/// from the first to the second. V3: 96 bytes a hop, bit 255 the same direction, with the first token below; the second
/// token; the pool's fee. A purchase lists its hops from the destination's end.
library Hops {
    error InvalidPools();

    function v2(bytes calldata pools, bool isPurchase) internal pure returns (address[] memory path) {
        uint256 count = pools.length / 64;
        if (count == 0 || pools.length % 64 != 0) revert InvalidPools();
        path = new address[](count + 1);
        for (uint256 index = 0; index < count; index++) {
            bytes calldata hop = pools[index * 64:index * 64 + 64];
            _add(path, index, isPurchase, address(bytes20(hop[:20])), address(bytes20(hop[20:40])), uint8(hop[63]) == 1);
        }
    }

    function v3(bytes calldata pools, bool isPurchase) internal pure returns (address[] memory path) {
        uint256 count = pools.length / 96;
        if (count == 0 || pools.length % 96 != 0) revert InvalidPools();
        path = new address[](count + 1);
        for (uint256 index = 0; index < count; index++) {
            (uint256 first, uint256 second) = abi.decode(pools[index * 96:index * 96 + 64], (uint256, uint256));
            _add(path, index, isPurchase, address(uint160(first)), address(uint160(second)), first >> 255 == 1);
        }
    }

    /// Puts the hop's two tokens where they are in the path; its neighbour has to agree.
    function _add(address[] memory path, uint256 index, bool isPurchase, address a, address b, bool fromFirst)
        private
        pure
    {
        if (a >= b) revert InvalidPools();
        (address from, address to) = fromFirst ? (a, b) : (b, a);
        uint256 place = isPurchase ? path.length - 2 - index : index;
        if (index != 0 && (isPurchase ? path[place + 1] != to : path[place] != from)) revert InvalidPools();
        path[place] = from;
        path[place + 1] = to;
    }
}
