// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

import {ContractAccount} from "./ContractAccount.sol";

/// The delegate of an account with a key (EIP-7702): the code runs at that account's address, whose own key signs.
contract Delegate is ContractAccount {
    constructor(bool compact) ContractAccount(compact) {}

    function signer() public view override returns (address) {
        return address(this);
    }
}
