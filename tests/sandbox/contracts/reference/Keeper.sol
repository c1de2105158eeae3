// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

/// Keeps pools and feeds: carries out many calls in one transaction, or reads them in one call.
contract Keeper {
    address private immutable operator = msg.sender;

    error NotOperator();

    function run(address[] calldata targets, bytes[] calldata calls) external returns (bytes[] memory answers) {
        if (msg.sender != operator) revert NotOperator();
        answers = new bytes[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            bool went;
            (went, answers[i]) = targets[i].call(calls[i]);
            if (!went) {
                bytes memory reason = answers[i];
                assembly {
                    revert(add(reason, 0x20), mload(reason))
                }
            }
        }
    }
}
