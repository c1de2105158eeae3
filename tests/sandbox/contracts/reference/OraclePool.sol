// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

interface IOracleFactory {
    function keeper() external view returns (address);
    function parameters() external view returns (address factory, address token0, address token1, uint24 fee);
}

/// The oracle of a pool with concentrated liquidity, by its public interface; nothing can be traded in it. Price and
/// liquidity are what the keeper sets. The price of token0 in token1, both in raw units, is 1.0001^tick.
///
/// An observation is written before price or liquidity change, at most one in a block:
///   tickCumulative                     = sum of tick * seconds
///   secondsPerLiquidityCumulativeX128  = sum of seconds * 2^128 / liquidity (at least 1), rounded down each time
contract OraclePool {
    struct Observation {
        uint32 blockTimestamp;
        int56 tickCumulative;
        uint160 secondsPerLiquidityCumulativeX128;
    }

    /// The state from `ago` seconds before now on.
    struct Segment {
        uint32 ago;
        int24 tick;
        uint128 liquidity;
    }

    struct State {
        int24 tick;
        uint128 liquidity;
        /// Index of the last observation in the ring.
        uint16 index;
        /// How many observations there are, the ring's size, and the size it grows to.
        uint16 count;
        uint16 cardinality;
        uint16 cardinalityNext;
    }

    /// sqrt(1 / 1.0001) * 2^128
    uint256 private constant ROOT_OF_A_TICK = 0xfffcb933bd6fad37aa2d162d1a594001;

    address public immutable factory;
    address public immutable token0;
    address public immutable token1;
    uint24 public immutable fee;

    bool private isNarrow;
    State private state = State(0, 0, 0, 1, 1, 1);
    Observation[65535] private ring;

    error NotKeeper();

    modifier onlyKeeper() {
        if (msg.sender != IOracleFactory(factory).keeper()) revert NotKeeper();
        _;
    }

    /// Without arguments: the hash of the creation code is the same for all pools.
    constructor() {
        (factory, token0, token1, fee) = IOracleFactory(msg.sender).parameters();
        ring[0].blockTimestamp = uint32(block.timestamp);
    }

    /// From now on the price is another, or the liquidity.
    function move(int24 tick, uint128 amount) external onlyKeeper {
        Observation memory last = ring[state.index];
        if (last.blockTimestamp != uint32(block.timestamp)) _write(_later(last, uint32(block.timestamp)));
        (state.tick, state.liquidity) = (tick, amount);
    }

    /// Replaces all that was observed: the oldest segment first, the last one goes on.
    function restart(Segment[] calldata history) external onlyKeeper {
        uint16 count = uint16(history.length);
        Observation memory last;
        for (uint16 i = 0; i < count; i++) {
            uint32 time = uint32(block.timestamp) - history[i].ago;
            last = i == 0 ? Observation(time, 0, 0) : _later(last, time);
            ring[i] = last;
            (state.tick, state.liquidity) = (history[i].tick, history[i].liquidity);
        }
        (state.index, state.count, state.cardinality) = (count - 1, count, count);
        if (state.cardinalityNext < count) state.cardinalityNext = count;
    }

    function increaseObservationCardinalityNext(uint16 next) external {
        if (state.cardinalityNext < next) state.cardinalityNext = next;
    }

    function slot0()
        external
        view
        returns (
            uint160 sqrtPriceX96,
            int24 tick,
            uint16 observationIndex,
            uint16 observationCardinality,
            uint16 observationCardinalityNext,
            uint8 feeProtocol,
            bool unlocked
        )
    {
        State memory current = state;
        return
            (_sqrtPriceX96(current.tick), current.tick, current.index, current.cardinality, current.cardinalityNext, 0, true);
    }

    function liquidity() external view returns (uint128) {
        return state.liquidity;
    }

    /// As of the published fees 100, 500, 3000 and 10000.
    function tickSpacing() public view returns (int24) {
        return fee == 100 ? int24(1) : int24(fee / 50);
    }

    /// The liquidity is the same at every price; in a narrow pool all of it ends at the next multiple of the spacing.
    function tickBitmap(int16 word) external view returns (uint256) {
        int24 multiple = _next() / tickSpacing();
        return isNarrow && multiple >> 8 == word ? 1 << uint8(uint24(multiple & 0xff)) : 0;
    }

    function ticks(int24 tick) external view returns (uint128 liquidityGross, int128 liquidityNet) {
        if (isNarrow && tick == _next()) (liquidityGross, liquidityNet) = (state.liquidity, -int128(state.liquidity));
    }

    /// From now on the liquidity lies in a single tick, or at every price again.
    function narrow(bool toNarrow) external onlyKeeper {
        isNarrow = toNarrow;
    }

    /// The first multiple of the spacing above the price.
    function _next() private view returns (int24) {
        int24 spacing = tickSpacing();
        int24 below = state.tick / spacing - (state.tick % spacing < 0 ? int24(1) : int24(0));
        return (below + 1) * spacing;
    }

    function observations(uint256 index)
        external
        view
        returns (
            uint32 blockTimestamp,
            int56 tickCumulative,
            uint160 secondsPerLiquidityCumulativeX128,
            bool initialized
        )
    {
        if (index >= state.count) return (0, 0, 0, false);
        Observation memory one = ring[index];
        return (one.blockTimestamp, one.tickCumulative, one.secondsPerLiquidityCumulativeX128, true);
    }

    /// The sums as of so many seconds ago, each.
    function observe(uint32[] calldata secondsAgos)
        external
        view
        returns (int56[] memory tickCumulatives, uint160[] memory secondsPerLiquidityCumulativeX128s)
    {
        tickCumulatives = new int56[](secondsAgos.length);
        secondsPerLiquidityCumulativeX128s = new uint160[](secondsAgos.length);
        for (uint256 i = 0; i < secondsAgos.length; i++) {
            require(secondsAgos[i] <= block.timestamp, "OLD");
            Observation memory seen = _at(uint32(block.timestamp) - secondsAgos[i]);
            tickCumulatives[i] = seen.tickCumulative;
            secondsPerLiquidityCumulativeX128s[i] = seen.secondsPerLiquidityCumulativeX128;
        }
    }

    function _at(uint32 time) private view returns (Observation memory) {
        State memory current = state;
        Observation memory later = ring[current.index];
        if (time >= later.blockTimestamp) return _later(later, time);
        // The first `count` slots are in use; once they are all of the ring, the oldest is after the last.
        uint256 oldest = current.count < current.cardinality ? 0 : uint256(current.index) + 1;
        (uint256 low, uint256 high) = (0, uint256(current.count) - 1);
        Observation memory earlier = ring[oldest % current.cardinality];
        require(earlier.blockTimestamp <= time, "OLD");
        // Always: earlier <= time < later.
        while (high - low > 1) {
            uint256 middle = (low + high) / 2;
            Observation memory one = ring[(oldest + middle) % current.cardinality];
            if (one.blockTimestamp <= time) (low, earlier) = (middle, one);
            else (high, later) = (middle, one);
        }
        uint32 whole = later.blockTimestamp - earlier.blockTimestamp;
        uint32 part = time - earlier.blockTimestamp;
        int56 passed = ((later.tickCumulative - earlier.tickCumulative) / int56(uint56(whole))) * int56(uint56(part));
        unchecked {
            uint256 secondsPer =
                later.secondsPerLiquidityCumulativeX128 - earlier.secondsPerLiquidityCumulativeX128;
            return Observation(
                time,
                earlier.tickCumulative + passed,
                earlier.secondsPerLiquidityCumulativeX128 + uint160((secondsPer * part) / whole)
            );
        }
    }

    /// The observation after `from`, while price and liquidity were those of now.
    function _later(Observation memory from, uint32 time) private view returns (Observation memory) {
        uint32 passed = time - from.blockTimestamp;
        uint256 shared = state.liquidity > 0 ? state.liquidity : 1;
        unchecked {
            return Observation(
                time,
                from.tickCumulative + int56(state.tick) * int56(uint56(passed)),
                from.secondsPerLiquidityCumulativeX128 + uint160((uint256(passed) << 128) / shared)
            );
        }
    }

    function _write(Observation memory one) private {
        bool isLast = state.index == state.cardinality - 1;
        if (isLast && state.cardinalityNext > state.cardinality) state.cardinality = state.cardinalityNext;
        state.index = (state.index + 1) % state.cardinality;
        ring[state.index] = one;
        if (state.count < state.cardinality) state.count++;
    }

    /// sqrt(1.0001^tick) * 2^96, to about 30 digits.
    function _sqrtPriceX96(int24 tick) private pure returns (uint160) {
        uint256 left = uint256(int256(tick < 0 ? -tick : tick));
        uint256 root = 1 << 128;
        for (uint256 power = ROOT_OF_A_TICK; left > 0; left >>= 1) {
            if (left & 1 == 1) root = (root * power) >> 128;
            power = (power * power) >> 128;
        }
        return tick > 0 ? uint160((1 << 224) / root) : uint160(root >> 32);
    }
}
