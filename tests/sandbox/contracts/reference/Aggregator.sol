// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

/// A price feed by Chainlink's interface. Its answer is always as old as its keeper sets, so that time alone does not
/// make it stale.
contract Aggregator {
    string public description;
    uint8 public decimals;
    address private immutable keeper;

    uint80 private round;
    int256 private answer;
    uint256 private age;

    error NotKeeper();

    constructor(string memory pair, address whoKeeps) {
        description = pair;
        keeper = whoKeeps;
    }

    /// `secondsOld` is the age of the answer at any time.
    function set(int256 newAnswer, uint8 newDecimals, uint256 secondsOld) external {
        if (msg.sender != keeper) revert NotKeeper();
        round++;
        (answer, decimals, age) = (newAnswer, newDecimals, secondsOld);
    }

    function latestRoundData()
        external
        view
        returns (uint80 roundId, int256 price, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)
    {
        uint256 updated = block.timestamp - age;
        return (round, answer, updated, updated, round);
    }
}
