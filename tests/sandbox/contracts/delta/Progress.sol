// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

/// How far orders are settled, by their hash.
abstract contract Progress {
    /// `filled`: of the side whose amount is fixed (SELL: source, BUY: destination). `fills`: in how many parts or
    /// slices. `lastAt`: when the last of them settled.
    struct Filled {
        uint256 filled;
        uint32 fills;
        uint64 lastAt;
    }

    mapping(bytes32 => Filled) public progress;

    error FillsTooMuch();
    error SliceTooEarly();

    /// Notes that `amount` more of `total` is filled; what is left after that.
    function _advance(bytes32 orderHash, uint256 amount, uint256 total) internal returns (uint256) {
        Filled storage state = progress[orderHash];
        if (amount == 0 || amount > total - state.filled) revert FillsTooMuch();
        state.filled += amount;
        state.fills += 1;
        state.lastAt = uint64(block.timestamp);
        return total - state.filled;
    }

    /// The next slice is due an interval after the last one; the first at once.
    function _requireDue(bytes32 orderHash, uint64 interval) internal view returns (uint32 index) {
        Filled storage state = progress[orderHash];
        index = state.fills;
        if (index != 0 && block.timestamp - state.lastAt < interval) revert SliceTooEarly();
    }

    /// Slice `index` of a total: equal parts, rounded down, and the last takes what is left.
    function _slice(uint256 total, uint32 index, uint32 slices) internal pure returns (uint256 share) {
        share = total / slices;
        if (index + 1 == slices) share = total - share * index;
    }
}
